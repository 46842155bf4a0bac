"""The whole work of ``verify`` on a finished match against the bare Ed25519 checks of the same envelopes.

The whole work begins with nothing remembered of the log: its keys have to be checked, its words and positions to be
read for the first time.  Beside it stands the first log of a process, for which nothing at all is remembered, not even
what the rules keep about moves.  The bare checks have their keys loaded and their hashes made.
"""

from __future__ import annotations

import random
import statistics
import sys
import time
from collections.abc import Callable

from benchmarks import goals, matches
from protocol.core.audit import verify
from protocol.core.frames import FrameKind, Record, unpack_frame
from protocol.core.session import Session
from protocol.crypto import keys
from protocol.crypto.hashing import hash_parts
from protocol.errors import BadSignature
from storm_p2p import games
from storm_p2p.storm import codec


def long_match(least: int = 100) -> Session:
    """Return a finished match of at least so many envelopes."""
    rng = random.Random(7)
    while True:
        (session, _), _ = matches.play("greedy", rng)
        if session.seq >= least:
            return session


def bare(session: Session) -> Callable[[], None]:
    """Return the checks of the envelopes' signatures alone."""
    wanted: list[tuple[bytes, bytes, bytes]] = []
    signers = [player.match_key for player in session.agreement.players]
    for record in session.records:
        if record.kind == FrameKind.ENVELOPE:
            _, (data, signature) = unpack_frame(record.frame)
            digest = hash_parts("env", data)
            for public in signers:
                try:
                    keys.verify_digest(public, digest, signature)
                except BadSignature:
                    continue
                wanted.append((public, digest, signature))

    def check() -> None:
        for public, digest, signature in wanted:
            keys.verify_digest(public, digest, signature)

    return check


def forget(*, everything: bool = False) -> None:
    """Empty every cache of what stands in a log, or every one of the program."""
    ours = [module for name, module in sys.modules.items() if name.partition(".")[0] in ("protocol", "storm_p2p")]
    for module in ours if everything else (keys, codec):
        for value in list(vars(module).values()):
            clear = getattr(value, "cache_clear", None)
            if clear is not None:
                clear()


def spent(work: Callable[[], object]) -> float:
    """Return the CPU time of one run."""
    start = time.process_time()
    work()
    return time.process_time() - start


def main(slices: int = 15) -> None:
    """Print the ratio."""
    session = long_match()
    records: list[Record] = list(session.records)
    check = bare(session)

    def whole() -> None:
        assert verify(records, games.find).ok

    pairs, first = [], []
    for _ in range(slices):
        forget(everything=True)
        first.append(spent(whole) / spent(check))
    for _ in range(slices):
        forget()
        mine = spent(whole)
        pairs.append((mine, spent(check)))
    ratio = statistics.median(mine / yours for mine, yours in pairs)
    each = statistics.median(pair[0] for pair in pairs) / session.seq * 1e6
    print(
        f"verify: {session.seq} envelopes, {each:.0f} us an envelope, "
        f"{ratio:.2f} times the bare checks of their signatures ({goals.say('verify', ratio, most=1.5)}); "
        f"the first log of a process {statistics.median(first):.2f} times"
    )


if __name__ == "__main__":
    main()
    goals.end()
