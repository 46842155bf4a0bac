"""Archives of many small logs, and what is in them."""

from __future__ import annotations

import io
import os
import random
import tarfile
from collections import Counter
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from helpers import ROOT
from helpers_storm import StormPair

from protocol.archive.parts import Parts
from protocol.archive.row import Row
from protocol.record import logfile
from storm_p2p.storm.state import Terms

_FILES = sorted((ROOT / "tests" / "logs").glob("*-rules*/*.storm"))
COMMITTED = tuple(path.read_bytes() for path in _FILES)
"""The logs of finished matches of this program."""
HASHED = tuple(path.read_bytes() for path in _FILES if path.name.startswith("hash-"))
"""Those in the scheme ``hash``."""
SMALL = (*(log for log in COMMITTED if len(log) < 20_000), COMMITTED[-1])
"""Some that are quick to verify, in both schemes."""


@cache
def make_logs(count: int, seed: int = 0) -> tuple[bytes, ...]:
    """Return so many different good logs: matches in the scheme ``hash``, each as it stood at many moments."""
    found: list[bytes] = []
    for number in range(count):
        chance = random.Random(f"{seed} {number}")
        terms = Terms(chance.random() < 0.3, False, chance.choice((0, 0, 3)))
        pair = StormPair(terms, tag=f"archive {seed} {number}")
        decisions = 0
        while pair.asked is not None and decisions < 14:
            pair.decide(pair.asked, chance)
            pair.settle()
            decisions += 1
        if pair.asked is not None:
            pair.sessions[number % 2].side_channel.resign(now=pair.now)
            pair.settle()
        for session in pair.sessions:
            for end in range(6, len(session.records) + 1):
                found.append(logfile.dump(session.records[:end], session.seat, session.sign_log))
                if len(found) == count:
                    return tuple(found)
    raise AssertionError("unreachable")


def damage(log: bytes) -> bytes:
    """Return a log with one other bit, behind its handshake."""
    at = len(log) // 2
    return log[:at] + bytes((log[at] ^ 1,)) + log[at + 1 :]


def write_tar(path: Path, logs: Sequence[bytes]) -> Path:
    """Put logs into a tar file."""
    with tarfile.open(path, "w") as archive:
        for number, log in enumerate(logs):
            member = tarfile.TarInfo(f"{number:04}.storm")
            member.size = len(log)
            archive.addfile(member, io.BytesIO(log))
    return path


def rows_of(out: Path) -> list[Row]:
    """Return the rows of an archive by the hashes of the logs."""
    parts = Parts(out, "reader")
    try:
        return sorted(parts.rows(), key=lambda row: row.log)
    finally:
        parts.close()


def counted() -> Counter[str]:
    """Return how often workers have verified each log."""
    return Counter(Path(os.environ["ARCHIVE_COUNTED"]).read_text(encoding="ascii").split())
