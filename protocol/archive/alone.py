"""Logs at which workers die, one by one in a process that may die of them, with limits for its time and its memory."""

import signal
from collections.abc import Iterator, Sequence
from contextlib import suppress
from multiprocessing.connection import Connection
from typing import Final

from protocol.archive.engines import Work
from protocol.system import processes

SECONDS: Final = 60.0
"""How long one log may take: the longest honest one takes a tenth of it on a slow machine."""

MEMORY: Final = 2 << 30
"""How much address space the process may have."""


def verify_alone(logs: Sequence[bytes], work: Work, seconds: float = SECONDS) -> Iterator[bytes | None]:
    """Yield for each log its packed row, or None where the process has ended or taken too long.

    Args:
        logs: the logs.
        work: what verifies them.
        seconds: how long one may take.
    """
    context = processes.make_context()
    rest = list(logs)
    while rest:
        ours, theirs = context.Pipe()
        child = context.Process(target=_serve, args=(theirs, work), daemon=True)
        child.start()
        theirs.close()
        try:
            # Until it has started nothing of a log is to blame.
            found = _receive(ours, SECONDS)
            if found is None:
                yield from [None] * len(rest)
                return
            while rest and found is not None:
                found = None
                with suppress(OSError):
                    ours.send_bytes(rest[0])
                    found = _receive(ours, seconds)
                rest.pop(0)
                yield found
        finally:
            ours.close()
            child.kill()
            child.join()


def _receive(end: Connection, seconds: float) -> bytes | None:
    try:
        return end.recv_bytes() if end.poll(seconds) else None
    except (EOFError, OSError):
        return None


def _serve(end: Connection, work: Work) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with suppress(ImportError):
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    end.send_bytes(b"")
    with suppress(EOFError, OSError):
        while True:
            end.send_bytes(work([end.recv_bytes()])[0])
