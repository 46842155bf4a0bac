"""Runs of an archive in the tests."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path

from helpers_archive import SMALL, damage, make_logs, rows_of, write_tar

from protocol.archive.row import row
from storm_p2p import games


def archive_of(folder: Path, count: int, bad: int) -> tuple[Path, list[bytes]]:
    """Write an archive of so many logs, some of them damaged; return it with its logs."""
    logs = [*SMALL, *make_logs(count - len(SMALL))]
    for number in range(bad):
        at = len(SMALL) + number * (count - len(SMALL)) // bad
        logs[at] = damage(logs[at])
    return write_tar(folder / "logs.tar", logs), logs


def digest_of(out: Path) -> str:
    """Return the SHA-256 of the sorted rows."""
    return hashlib.sha256(b"".join(one.pack() for one in rows_of(out))).hexdigest()


def expected(logs: Sequence[bytes]) -> str:
    """Return the same of the rows as they should be."""
    rows = sorted((row(log, games.find) for log in set(logs)), key=lambda one: one.log)
    return hashlib.sha256(b"".join(one.pack() for one in rows)).hexdigest()
