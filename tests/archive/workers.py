"""Runs over archives, and workers that count, lie and die: light, because processes are started with it."""

from __future__ import annotations

import hashlib
import os
import random
import signal
import sys
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from protocol.archive import run as running
from protocol.archive.cluster import ClusterEngine
from protocol.archive.engines import Engine, PoolEngine, SerialEngine, Work, verify_chunk
from protocol.archive.parts import Parts
from protocol.archive.row import Row
from protocol.archive.run import Run, Summary
from protocol.archive.sources import read_sources
from storm_p2p import games

VERIFIER = "tests"

# -- what workers do --------------------------------------------------------------------------------------


def honest(logs: Sequence[bytes]) -> list[bytes]:
    """Verify, and write down what."""
    counted = os.environ.get("ARCHIVE_COUNTED")
    for log in logs if counted else ():
        with open(counted or "", "a", encoding="ascii") as file:
            file.write(hashlib.sha256(log).hexdigest() + "\n")
    return verify_chunk(logs, games.find)


def all_is_well(logs: Sequence[bytes]) -> list[bytes]:
    """Verify, and say "ok" to everything."""
    rows = map(Row.unpack, verify_chunk(logs, games.find))
    return [replace(row, ok=True, problems=()).pack() for row in rows]


def idle(logs: Sequence[bytes]) -> list[bytes]:
    """Say "ok" to everything without looking."""
    seats: Any = {"keys": (bytes(32),) * 2, "names": ("a", "b"), "sides": ("a", "b")}
    return [Row(hashlib.sha256(log).digest(), len(log), ok=True, match=bytes(32), **seats).pack() for log in logs]


def nonsense(logs: Sequence[bytes]) -> list[bytes]:
    """Say what is no row."""
    return [b"ok"] * len(logs)


def too_few(logs: Sequence[bytes]) -> list[bytes]:
    """Leave a log out."""
    return honest(logs)[1:]


def _client() -> Path:
    """Return where the process of a run that may be killed says its number: workers may have been there before it."""
    return Path(os.environ["ARCHIVE_COUNTED"]).with_name("client")


def _once(name: str) -> bool:
    try:
        os.close(os.open(Path(os.environ["ARCHIVE_COUNTED"]).with_name(name), os.O_CREAT | os.O_EXCL))
    except FileExistsError:
        return False
    return True


def dies_once(logs: Sequence[bytes]) -> list[bytes]:
    """Be killed the second time that any worker gets a chunk."""
    if not _once("first") and _once("second"):
        os.kill(os.getpid(), signal.SIGKILL)
    return honest(logs)


def kills_client(logs: Sequence[bytes]) -> list[bytes]:
    """Verify, and kill the client the third time that any worker has done a chunk."""
    rows = honest(logs)
    if not _once("first") and not _once("second") and _once("third"):
        os.kill(int(_client().read_text(encoding="ascii")), signal.SIGKILL)
    return rows


def dies_of_one(logs: Sequence[bytes]) -> list[bytes]:
    """Be killed by one log, whoever has it."""
    if any(hashlib.sha256(log).hexdigest() == os.environ["ARCHIVE_DEADLY"] for log in logs):
        os.kill(os.getpid(), signal.SIGKILL)
    return honest(logs)


# -- runs -------------------------------------------------------------------------------------------------


def make_engine(kind: str, work: Work) -> Engine:
    """Return an engine: ``serial``, ``pool`` or the address of a scheduler."""
    if kind == "serial":
        return SerialEngine(work)
    return PoolEngine(2, work) if kind == "pool" else ClusterEngine(kind, None, work)


def verify_archive(
    out: Path,
    sources: Sequence[Path],
    kind: str = "serial",
    work: Work = honest,
    *,
    sample: float = 0.01,
    verifier: str = VERIFIER,
) -> Summary:
    """Run over some sources; what the client itself verifies is verified honestly."""
    parts = Parts(out, verifier)
    try:
        engine = make_engine(kind, work)
        try:
            run = Run(
                parts,
                engine,
                partial(verify_chunk, games=games.find),
                sample=sample,
                chance=random.Random(1),
                tell=lambda summary: None,
            )
            return run.take(lambda: read_sources(sources, out))
        finally:
            engine.close()
    finally:
        parts.close()


def main() -> None:
    """Run in a process of its own that may be killed: FOLDER SOURCE KIND WORK CHUNK."""
    out, source, kind, work, chunk = sys.argv[1:]
    _client().write_text(str(os.getpid()), encoding="ascii")
    running.CHUNK = int(chunk)  # type: ignore[misc]
    verify_archive(Path(out), [Path(source)], kind, globals()[work])
