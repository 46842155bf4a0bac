"""The whole work of ``verify`` on a finished match against the bare Ed25519 checks of the same envelopes.

The logs are read by processes that have done nothing before, as they are for whoever gets one; the first log of a
process pays for what stays in memory afterwards.  The yardstick is OpenSSL with its keys loaded and the hashes made,
the one library whose verdict counts; beside it stands libsodium's, which is asked first.
"""

from __future__ import annotations

import gc
import json
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from benchmarks import goals, matches
from benchmarks.footprint import surroundings
from protocol.core.agreement import read_agreement
from protocol.core.frames import FrameKind, Record, unpack_frame
from protocol.core.session import Session
from protocol.crypto import group, keys
from protocol.crypto.hashing import hash_parts
from protocol.errors import BadSignature
from protocol.record import judging, logfile
from storm_p2p import games
from storm_p2p.storm import codec

LOGS = 4
PROCESSES = 8


def long_match(least: int = 100, rng: random.Random | None = None) -> Session:
    """Return a finished match of at least so many envelopes."""
    rng = rng or random.Random(7)
    while True:
        (session, _), _ = matches.play("greedy", rng)
        if session.transcript.length >= least:
            return session


def envelopes(records: Sequence[Record]) -> list[tuple[bytes, bytes, bytes]]:
    """Return key, digest and signature of each envelope."""
    wanted: list[tuple[bytes, bytes, bytes]] = []
    signers = [player.match_key for player in read_agreement(records).players]
    for record in records:
        if record.kind == FrameKind.ENVELOPE:
            _, (data, signature) = unpack_frame(record.frame)
            digest = hash_parts("env", data)
            for public in signers:
                try:
                    keys.verify_digest(public, digest, signature)
                except BadSignature:
                    continue
                wanted.append((public, digest, signature))
    return wanted


def bare(records: Sequence[Record]) -> Callable[[], None]:
    """Return OpenSSL's checks of the envelopes' signatures alone."""
    wanted = [
        (Ed25519PublicKey.from_public_bytes(public).verify, signature, digest)
        for public, digest, signature in envelopes(records)
    ]

    def check() -> None:
        for verify, signature, digest in wanted:
            verify(signature, digest)

    return check


def bare_first(records: Sequence[Record]) -> Callable[[], None]:
    """Return libsodium's."""
    wanted = envelopes(records)

    def check() -> None:
        for public, digest, signature in wanted:
            assert group.accepts(public, digest, signature)

    return check


def forget() -> None:
    """Empty every cache of what stands in a log."""
    for module in (keys, codec):
        for value in vars(module).values():
            clear = getattr(value, "cache_clear", None)
            if clear is not None:
                clear()


def spent(work: Callable[[], object]) -> float:
    """Return the CPU time of one run."""
    start = time.process_time()
    work()
    return time.process_time() - start


def judge_all(files: Sequence[str]) -> list[tuple[float, float, float]]:
    """Return the seconds of each log, judged one after the other, with those of its bare checks right after it."""
    times = []
    for file in files:
        data = Path(file).read_bytes()
        gc.collect()
        whole = spent(lambda data=data: judging.judge([data], games.find))  # type: ignore[misc]
        records = logfile.load(data).records
        times.append((whole, spent(bare(records)), spent(bare_first(records))))
    return times


def main() -> None:
    """Print the ratios."""
    rng = random.Random(7)
    first, later = [], []
    with tempfile.TemporaryDirectory() as name:
        files, count = [], 0
        for number in range(LOGS):
            session = long_match(rng=rng)
            files.append(str(Path(name) / f"{number}.storm"))
            Path(files[-1]).write_bytes(logfile.dump(session.records, session.seat, session.sign_log))
            count += session.transcript.length
        command = [sys.executable, "-m", "benchmarks.verifying"]
        env = surroundings(name)
        # The first process finds no compiled modules, unlike one of an installed program.
        subprocess.run([*command, *files], capture_output=True, check=True, env=env)
        for number in range(PROCESSES):
            turned = files[number % LOGS :] + files[: number % LOGS]
            done = subprocess.run([*command, *turned], capture_output=True, check=True, env=env)
            one, *others = json.loads(done.stdout)
            first.append(one)
            later += others
    for word, times in (("first log of a process", first), ("later ones", later)):
        ours, openssl, libsodium = (statistics.median(column) for column in zip(*times, strict=True))
        by_openssl = statistics.median(whole / yardstick for whole, yardstick, _ in times)
        print(
            f"verify, {word}: {ours / count * LOGS * 1e6:.0f} us an envelope, {by_openssl:.2f} times the bare checks "
            f"of their signatures ({goals.say(f'verify, {word}', by_openssl, most=1.6)}); libsodium alone needs "
            f"{libsodium / openssl:.2f} of these"
        )


if __name__ == "__main__":
    print(json.dumps(judge_all(sys.argv[1:])))
