"""Who verifies chunks of logs: this process, several processes of this machine, or a cluster.

The seam has three calls: :meth:`Engine.submit`, :meth:`Engine.collect` and :meth:`Engine.close`.  The third engine is
:mod:`protocol.archive.cluster`.
"""

import os
import signal
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager, suppress
from multiprocessing.connection import Connection
from typing import Protocol, TypeAlias

from protocol.archive.row import row
from protocol.game import Games
from protocol.system import processes

Work: TypeAlias = Callable[[Sequence[bytes]], list[bytes]]
"""Returns the packed rows of some logs; it goes to other processes by its name."""


class WorkerError(Exception):
    """An engine cannot be used.

    Attributes:
        code: ``missing``, its library is; ``insecure``; ``certificate``, it cannot be read; ``unreachable``;
            ``no-workers``; ``lost``, the connection was; ``worker-failed``, by an error of its own.
        detail: what or who.
    """

    def __init__(self, code: str, detail: str) -> None:
        super().__init__(f"{code}: {detail}")
        self.code = code
        self.detail = detail


class Engine(Protocol):
    """Verifies chunks of logs."""

    @property
    def width(self) -> int:
        """How many chunks should be submitted at once."""

    @property
    def trusted(self) -> bool:
        """Whether what it finds is found by this very process."""

    def submit(self, number: int, logs: Sequence[bytes]) -> None:
        """Hand out a chunk under a number.

        Raises:
            WorkerError: ``lost``.
        """

    def collect(self) -> tuple[int, list[bytes] | None]:
        """Wait for any chunk and return its number with its packed rows; None if the worker has died.

        Raises:
            WorkerError: ``lost`` or ``worker-failed``.
            LocalProtocolError: the library that a scheme needs is too old or does not work.
        """

    def close(self) -> None:
        """Stop all workers at once, whatever they do."""


def verify_chunk(logs: Sequence[bytes], games: Games) -> list[bytes]:
    """Return the packed rows of some logs.

    Raises:
        LocalProtocolError: the library that a scheme needs is too old or does not work.
    """
    return [row(data, games).pack() for data in logs]


class SerialEngine:
    """This process."""

    width = 1
    trusted = True

    def __init__(self, work: Work) -> None:
        """Begin with nothing to do."""
        self._work = work
        self._waiting: list[tuple[int, Sequence[bytes]]] = []

    def submit(self, number: int, logs: Sequence[bytes]) -> None:
        """Keep a chunk for :meth:`collect`."""
        self._waiting.append((number, logs))

    def collect(self) -> tuple[int, list[bytes] | None]:
        """Verify a chunk."""
        number, logs = self._waiting.pop(0)
        try:
            return number, self._work(logs)
        except (MemoryError, RecursionError):
            return number, None

    def close(self) -> None:
        """Forget what is waiting."""
        self._waiting.clear()


class PoolEngine:
    """Several processes of this machine."""

    trusted = False

    def __init__(self, workers: int, work: Work) -> None:
        """Start with so many processes."""
        self.width = 2 * workers
        self._workers, self._work = workers, work
        self._futures: dict[Future[list[bytes]], int] = {}
        self._start()

    def _start(self) -> None:
        self._ours, self._end = processes.make_context().Pipe(duplex=False)
        self._pool = processes.make_pool(self._workers, _begin_worker, self._ours)

    def submit(self, number: int, logs: Sequence[bytes]) -> None:
        """Hand out a chunk under a number."""
        with _ctrl_c_held():
            try:
                future = self._pool.submit(self._work, logs)
            except BrokenProcessPool:
                # What was under way is still to be collected, as broken as it is.
                self._stop()
                self._start()
                future = self._pool.submit(self._work, logs)
        self._futures[future] = number

    def collect(self) -> tuple[int, list[bytes] | None]:
        """Wait for any chunk; None for each that was under way when a process died."""
        done, _ = wait(self._futures, return_when=FIRST_COMPLETED)
        future = min(done, key=self._futures.__getitem__)
        number = self._futures.pop(future)
        try:
            return number, future.result()
        except (BrokenProcessPool, MemoryError, RecursionError):
            return number, None

    def close(self) -> None:
        """Stop all processes at once."""
        self._futures.clear()
        self._stop()

    def _stop(self) -> None:
        # All workers wait for this end of the pipe to be closed, by us or by our death.
        self._end.close()
        self._pool.shutdown(wait=True, cancel_futures=True)
        self._ours.close()


@contextmanager
def _ctrl_c_held() -> Iterator[None]:
    """Hold Ctrl-C back while processes are started: they inherit that, and do not die of it before they can ignore it.

    It comes through right afterwards.
    """
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _begin_worker(end: Connection) -> None:
    """Let a worker live no longer than the program that has started it."""
    # The terminal sends Ctrl-C to everybody, and who has started the workers says what becomes of them.
    signal.signal(signal.SIGINT, signal.SIG_IGN)

    def watch() -> None:
        with suppress(OSError, EOFError):
            end.recv_bytes()
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()
