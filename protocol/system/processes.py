"""Everything that is started as a process of its own, and its end with all that it has started.

Python that is started with ``-c`` or ``-m`` looks for modules in the current folder first, and beside a downloaded log
there may lie a ``json.py``.  So no Python that is ours looks there.  A command of a person's own gets the environment
that this program was given: it may be a Python program that imports what lies beside it.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from types import MappingProxyType
from typing import IO, TYPE_CHECKING, Any, Final, TypeAlias

if TYPE_CHECKING:
    import subprocess
    from asyncio.subprocess import Process
    from concurrent.futures import ProcessPoolExecutor
    from multiprocessing.context import SpawnContext

Stream: TypeAlias = int | IO[Any]
"""A file, or a constant of :mod:`asyncio.subprocess`."""

PYTHON: Final = (sys.executable, "-P")
"""How Python is started for a program of ours."""

_VARIABLE: Final = "PYTHONSAFEPATH"
_GIVEN: Final = os.environ.get(_VARIABLE)
"""What this program was given in it; our own word there is not for the commands of a person."""


def protect() -> None:
    """Keep the current folder from being searched for modules by whatever Python is started from here on.

    That is also what a library starts: the helpers of :mod:`multiprocessing` are ``python -c``.
    """
    os.environ[_VARIABLE] = "1"


def start_again_if_unprotected() -> None:
    """Begin this program anew where :func:`protect` would have no effect, because it ignores its environment."""
    if sys.flags.ignore_environment and not sys.flags.safe_path:
        # Processes of multiprocessing are started with our own -E, and would not look into the environment either.
        os.execv(sys.executable, [*PYTHON, *sys.orig_argv[1:]])  # noqa: S606  # these very words, and no shell


def make_environment() -> dict[str, str]:
    """Return the environment that this program was given, with what it has changed but for :func:`protect`."""
    found = dict(os.environ)
    found.pop(_VARIABLE, None)
    return found if _GIVEN is None else found | {_VARIABLE: _GIVEN}


async def start(
    *words: str,
    stdin: Stream,
    stdout: Stream,
    stderr: Stream,
    limit: int = 1 << 16,
    more: Mapping[str, str] = MappingProxyType({}),
) -> Process:
    """Start a command, and no shell, in a session of its own: Ctrl-C in the terminal is for this program.

    Args:
        words: the program, which is searched for on the path, and its arguments.
        stdin: what it reads.
        stdout: where it writes.
        stderr: where it complains.
        limit: how long a line of what it writes may be.
        more: is added to its environment.

    Raises:
        OSError: it cannot be started.
        ValueError: no process can have such words.
    """
    import asyncio

    return await asyncio.create_subprocess_exec(
        *words,
        stdin=stdin,
        stdout=stdout,
        stderr=stderr,
        limit=limit,
        env={**make_environment(), **more},
        start_new_session=True,
    )


def run(words: Sequence[str]) -> None:
    """Run a command that reads nothing and whose words nobody reads, and wait for its end.

    Raises:
        OSError: it cannot be started.
        ValueError: no process can have such words.
    """
    import subprocess

    subprocess.run(  # noqa: S603  # the player's own command, and no shell
        words,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        check=False,
        env=make_environment(),
        start_new_session=True,
    )


def ask(
    words: Sequence[str],
    given: IO[bytes] | None = None,
    *,
    seconds: float,
    limit: int,
    more: Mapping[str, str] = MappingProxyType({}),
    largest: int = 0,
) -> tuple[int, bytes, bytes]:
    """Run a command to its end; return its exit code, what it has written and the end of its complaints.

    Args:
        words: the program, which is searched for on the path, and its arguments.
        given: what it reads; None for nothing.
        seconds: how long it may take.
        limit: how many bytes it may write.
        more: is added to its environment.
        largest: how many bytes a file may have that it or what it starts writes, on Linux; 0 for any number.

    Raises:
        OSError: it cannot be started; ``ETIMEDOUT``, it has taken too long; ``EFBIG``, it has written too much.
        ValueError: no process can have such words.
    """
    import errno
    import subprocess
    import threading

    process = subprocess.Popen(  # noqa: S603  # these very words, and no shell
        words,
        stdin=subprocess.DEVNULL if given is None else given,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**make_environment(), **more},
        start_new_session=True,
    )
    if largest and sys.platform == "linux":
        import resource

        with suppress(ProcessLookupError):
            resource.prlimit(process.pid, resource.RLIMIT_FSIZE, (largest, largest))
    out, errors = process.stdout, process.stderr
    assert out is not None
    assert errors is not None
    complaints, late = bytearray(), threading.Event()

    def end() -> None:
        late.set()
        kill(process)

    def listen() -> None:
        with errors:
            while part := os.read(errors.fileno(), 1 << 16):
                complaints[:] = (complaints + part)[-_COMPLAINT:]

    # Whoever complains without end fills neither memory nor pipe; what the command leaves running is not waited for.
    timer, listener = threading.Timer(seconds, end), threading.Thread(target=listen, daemon=True)
    try:
        timer.start()
        listener.start()
        with out:
            data = out.read(limit + 1)
        if len(data) <= limit:
            process.wait()
    finally:
        timer.cancel()
        if process.poll() is None:
            kill(process)
            process.wait()
    listener.join(1)
    if late.is_set() or len(data) > limit:
        code = errno.ETIMEDOUT if late.is_set() else errno.EFBIG
        raise OSError(code, os.strerror(code), words[0])
    return process.returncode, data, bytes(complaints)


_COMPLAINT: Final = 4096


def kill(process: Process | subprocess.Popen[bytes]) -> None:
    """Kill what :func:`start` has started, and all that it has started; it may have ended itself.

    What has taken a session of its own stays.  On Windows, which has no such groups, only the process itself is killed.
    """
    with suppress(ProcessLookupError, PermissionError):
        if sys.platform == "win32":
            process.kill()
        elif process.returncode is None or not _is_process(process.pid):
            import signal

            os.killpg(process.pid, signal.SIGKILL)


def _is_process(number: int) -> bool:
    # Where another process has the number by now, nobody is left in the group that was called by it.
    with suppress(ProcessLookupError):
        os.kill(number, 0)
        return True
    return False


def make_context() -> SpawnContext:
    """Return what starts workers that have nothing of this process but what is handed over, on every system."""
    import multiprocessing

    protect()
    return multiprocessing.get_context("spawn")


def make_pool(workers: int, begin: Callable[..., object], *given: object) -> ProcessPoolExecutor:
    """Return a pool of such workers, each of which begins with a call."""
    from concurrent.futures import ProcessPoolExecutor

    return ProcessPoolExecutor(workers, make_context(), begin, given)
