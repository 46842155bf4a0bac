"""How lines get to and from a person in plain lines.

Nothing here knows the game, and nothing writes a control character but the end of a line; a pipe or a file may be at
either end.
"""

import asyncio
import codecs
import os
import re
import sys
import threading
from collections.abc import Sequence
from contextlib import suppress
from typing import Final, Protocol, TextIO

from cli.console.render.spans import wrapped

_MOST_PENDING: Final = 1 << 16
"""Longest line that is kept, in characters; nobody types so much."""

_KEYS: Final = re.compile(r"\x1b(?:O[ -~]|\[\[[A-E]|\[[0-?]*[ -/]*[@-~])")
"""A key that is no text: SS3 and a letter, F1 to F5 of the console of Linux, CSI (ECMA-48)."""
_HELP: Final = re.compile(r"\x1b(?:OP|\[\[A|\[11~)")
"""F1, as terminals send it."""


class Screen(Protocol):
    """Where a player reads and types."""

    @property
    def patient(self) -> bool:
        """Whether lines come from a script: what is typed too early waits until it is asked for."""

    def write(self, lines: Sequence[str]) -> None:
        """Show lines."""

    async def read(self) -> str:
        """Return the next line.

        Raises:
            EOFError: there will be no more.
        """

    def rest(self) -> None:
        """Read nothing more: what is typed from here on is for somebody else."""

    async def close(self) -> None:
        """Release what the screen holds."""


class PlainScreen:
    """Plain lines, for screen readers, pipes and poor terminals."""

    def __init__(self, stdin: TextIO | None = None, stdout: TextIO | None = None) -> None:
        self._stdin = stdin if stdin is not None else sys.stdin
        self._stdout = stdout
        self._lines: asyncio.Queue[str | None] = asyncio.Queue()
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._pending = ""
        self._descriptor: int | None = None
        self._wanted = threading.Semaphore(0)
        """How often the thread may read; without a thread nobody looks."""
        self._started = False
        self._reading = False
        self._typing = False
        self._ended = False

    @property
    def patient(self) -> bool:
        """Whether lines come from a script."""
        try:
            return self._stdin is None or not self._stdin.isatty()
        except ValueError:
            return True

    def write(self, lines: Sequence[str]) -> None:
        """Show lines, without control characters."""
        if not lines:
            return
        if self._typing:
            # What is written starts on a line of its own, and the sign to type comes again after the last of it.
            self._typing = False
            self._put("\n")
            asyncio.get_running_loop().call_soon(self._invite)
        columns = self._columns()
        # What follows is indented, so that nothing of the other side's stands where the program begins its lines.
        folded = (wrapped(line, columns) if columns > 0 else (line,) for line in map(printable, lines))
        self._put("".join(f"{part}\n" for parts in folded for part in parts))

    def _columns(self) -> int:
        """Return the width of the terminal, 0 where there is none: a pipe gets every line whole."""
        out = self._stdout if self._stdout is not None else sys.stdout
        try:
            return os.get_terminal_size(out.fileno()).columns if out.isatty() else 0
        except (OSError, ValueError):
            return 0

    def _invite(self) -> None:
        """Show that something can be typed."""
        if self._reading and not self._typing and not self.patient:
            self._typing = True
            self._put("> ")

    def _put(self, text: str) -> None:
        out = self._stdout if self._stdout is not None else sys.stdout
        coding = getattr(out, "encoding", None) or "utf-8"
        # A reader that has gone away is noticed when it is read from.
        with suppress(BrokenPipeError, ValueError):
            out.write(text.encode(coding, "replace").decode(coding))
            out.flush()

    async def read(self) -> str:
        """Return the next line."""
        if not self._started:
            self._started = True
            self._start()
        self._reading = True
        self._invite()
        if self._lines.empty():
            self._wanted.release()
        line = None if self._ended else await self._lines.get()
        self._reading = self._typing = False
        if line is None:
            self._ended = True
            raise EOFError
        return line

    async def close(self) -> None:
        """Stop reading."""
        self.rest()

    def rest(self) -> None:
        """Stop reading at once, and ask for nothing more; the thread of Windows waits for the next :meth:`read`."""
        self._reading = False
        if self._descriptor is not None:
            with suppress(NotImplementedError, OSError, ValueError):
                asyncio.get_running_loop().remove_reader(self._descriptor)
            self._descriptor = None

    def _start(self) -> None:
        """Begin to read without ever blocking the loop."""
        loop = asyncio.get_running_loop()
        try:
            descriptor = self._stdin.fileno()
        except (AttributeError, OSError, ValueError):
            self._take_all()
            return
        try:
            loop.add_reader(descriptor, self._readable, descriptor)
            self._descriptor = descriptor
        except NotImplementedError:
            # Windows: a thread that ends with the program.  It reads the descriptor itself, for a thread that
            # held the lock of sys.stdin would break the end of the program.
            threading.Thread(target=self._read_in_thread, args=(loop, descriptor), daemon=True).start()
        except OSError:
            # A regular file cannot be waited for, and never makes anybody wait.
            while self._feed(_read(descriptor)):
                pass

    def _take_all(self) -> None:
        for line in [] if self._stdin is None else self._stdin:
            self._lines.put_nowait(typed(line))
        self._lines.put_nowait(None)

    def _readable(self, descriptor: int) -> None:
        if not self._feed(_read(descriptor)):
            asyncio.get_running_loop().remove_reader(descriptor)
            self._descriptor = None

    def _read_in_thread(self, loop: asyncio.AbstractEventLoop, descriptor: int) -> None:
        data = b"begin"
        while data:
            # A terminal that nobody wants to read from belongs to somebody else.
            self._wanted.acquire()
            data = _read(descriptor)
            # The loop is closed when the match is over.
            with suppress(RuntimeError):
                loop.call_soon_threadsafe(self._feed_wanted, data)

    def _feed_wanted(self, data: bytes) -> None:
        """Take bytes of the thread; what was no whole line is read on."""
        if self._feed(data) and self._lines.empty() and self._reading:
            self._wanted.release()

    def _feed(self, data: bytes) -> bool:
        """Take bytes; nothing means the end.  Return whether there can be more."""
        self._pending += self._decoder.decode(data, not data)
        *lines, self._pending = self._pending.split("\n")
        for line in lines:
            self._lines.put_nowait(typed(line))
        self._pending = self._pending[:_MOST_PENDING]
        if data:
            return True
        if self._pending:
            self._lines.put_nowait(typed(self._pending))
        self._lines.put_nowait(None)
        return False


def _read(descriptor: int) -> bytes:
    try:
        return os.read(descriptor, 1 << 16)
    except OSError:
        # A terminal that was closed.
        return b""


def typed(line: str) -> str:
    """Return a line without what keys have sent that mean nothing here (arrows, F2, Tab); F1 alone asks for help.

    A terminal in its line mode hands over such keys as escape sequences in the middle of the line.
    """
    text = _KEYS.sub("", line).replace("\t", " ").strip()
    return text or ("help" if _HELP.search(line) else "")


def printable(line: str) -> str:
    """Return a line without anything that is not a visible character."""
    return "".join(char for char in line if char.isprintable())
