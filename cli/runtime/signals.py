"""Ctrl-C, a closed terminal and a polite kill, heeded by what runs in the loop just now.

A signal has one heeder: the next takes it over, and nobody gets it back when it is forgotten; it then does what it
does in any program of Python.

What is *not* here: what each of them ends and with which exit code (``cli.app.launch.running``,
``cli.console.shell.small_app``).
"""

import asyncio
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

from cli.runtime.console import Exit

CTRL_C = "SIGINT"

POLITE = ("SIGHUP", "SIGTERM")
"""The terminal was closed; somebody asks the program to end."""

_NOT_HERE = (AttributeError, NotImplementedError, RuntimeError, ValueError)
"""Windows has no such handlers and not all of the signals; elsewhere only the main thread may set them."""


def heed(act: Callable[[], object], *names: str) -> tuple[str, ...]:
    """Call ``act`` in the running loop when one of the signals comes; return those that can be heeded here."""
    heeded = []
    for name in names:
        with suppress(*_NOT_HERE):
            asyncio.get_running_loop().add_signal_handler(getattr(signal, name), act)
            heeded.append(name)
    return tuple(heeded)


def end_with_input() -> None:
    """Ask this program politely to end as soon as its standard input has ended."""

    def wait() -> None:
        # The file of Python would be locked by whoever waits in it, also at the end of the program.
        with suppress(OSError):
            while os.read(source, 4096):
                pass
        os.kill(os.getpid(), signal.SIGTERM)

    if sys.stdin is not None:
        source = sys.stdin.fileno()
        threading.Thread(target=wait, daemon=True).start()


@contextmanager
def ending_politely() -> Iterator[None]:
    """End the program with SystemExit when somebody asks politely and nobody else heeds it: what it holds is let go."""

    def end(number: int, frame: object) -> None:
        raise SystemExit(Exit.LEFT)

    before: list[tuple[Any, Any]] = []
    with suppress(*_NOT_HERE):
        before += [(number, signal.signal(number, end)) for number in (getattr(signal, name) for name in POLITE)]
    try:
        yield
    finally:
        for number, heeder in before:
            signal.signal(number, heeder)


def forget(*names: str) -> None:
    """Heed the signals no longer, whoever did; harmless for those that nobody heeds."""
    for name in names:
        with suppress(*_NOT_HERE):
            asyncio.get_running_loop().remove_signal_handler(getattr(signal, name))


def ctrl_c() -> None:
    """Do as if Ctrl-C were pressed."""
    signal.raise_signal(signal.SIGINT)
