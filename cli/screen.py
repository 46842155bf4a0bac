"""How lines get to and from a person: a prompt with editing and completion, or nothing but plain lines.

Nothing here knows the game.  The plain screen writes no control character but the end of a line, and works with
a pipe or a file at either end.
"""

from __future__ import annotations

import asyncio
import codecs
import os
import sys
import textwrap
import threading
from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager, suppress
from typing import Any, Final, Protocol, TextIO

from prompt_toolkit import PromptSession
from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document
from prompt_toolkit.patch_stdout import patch_stdout

from cli.completion import Suggestion

_MOST_PENDING: Final = 1 << 16
"""Longest line that is kept, in characters; nobody types so much."""


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
            KeyboardInterrupt: Ctrl-C.
        """

    def prompt(self, words: str) -> None:
        """Show these words before the cursor from now on."""

    def ring(self) -> None:
        """Call the player."""

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
        self._started = False
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
            # What is written starts on a line of its own.
            self._typing = False
            self._put("\n")
        self._put("".join(f"{_printable(line)}\n" for line in lines))

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
        if not self.patient and not self._typing:
            self._typing = True
            self._put("> ")
        line = None if self._ended else await self._lines.get()
        self._typing = False
        if line is None:
            self._ended = True
            raise EOFError
        return line

    def prompt(self, words: str) -> None:
        """A plain screen asks in its lines."""

    def ring(self) -> None:
        """A plain screen is silent."""

    async def close(self) -> None:
        """Stop reading."""
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
            self._lines.put_nowait(line.rstrip("\r\n"))
        self._lines.put_nowait(None)

    def _readable(self, descriptor: int) -> None:
        if not self._feed(_read(descriptor)):
            asyncio.get_running_loop().remove_reader(descriptor)
            self._descriptor = None

    def _read_in_thread(self, loop: asyncio.AbstractEventLoop, descriptor: int) -> None:
        data = b"begin"
        while data:
            data = _read(descriptor)
            # The loop is closed when the match is over.
            with suppress(RuntimeError):
                loop.call_soon_threadsafe(self._feed, data)

    def _feed(self, data: bytes) -> bool:
        """Take bytes; nothing means the end.  Return whether there can be more."""
        self._pending += self._decoder.decode(data, not data)
        *lines, self._pending = self._pending.split("\n")
        for line in lines:
            self._lines.put_nowait(line.rstrip("\r"))
        self._pending = self._pending[:_MOST_PENDING]
        if data:
            return True
        if self._pending:
            self._lines.put_nowait(self._pending)
        self._lines.put_nowait(None)
        return False


def _read(descriptor: int) -> bytes:
    try:
        return os.read(descriptor, 1 << 16)
    except OSError:
        # A terminal that was closed.
        return b""


def _printable(line: str) -> str:
    return "".join(char for char in line if char.isprintable())


def wrapped(line: str, columns: int) -> list[str]:
    """Return a line as lines that fit; what follows the first is indented like it, and a little more."""
    if len(line) <= columns:
        return [line]
    indent = " " * (len(line) - len(line.lstrip(" ")) + 2)
    return textwrap.wrap(line, max(columns, 20), subsequent_indent=indent, drop_whitespace=True) or [""]


class PromptScreen:
    """A prompt with history, completion and a line of preview, while what happens scrolls above it."""

    def __init__(
        self, suggest: Callable[[str], Iterable[Suggestion]], preview: Callable[[str], str], **options: Any
    ) -> None:
        """Make a screen.

        Args:
            suggest: returns what can come next after the text before the cursor.
            preview: returns what the typed line would cost.
            options: for :class:`prompt_toolkit.PromptSession`; tests hand in ``input`` and ``output``.
        """
        self._words = "> "
        self._session: PromptSession[str] = PromptSession(
            lambda: self._words,
            completer=_Completer(suggest),
            complete_while_typing=False,
            bottom_toolbar=lambda: preview(self._session.default_buffer.text),
            **options,
        )
        self._patched: AbstractContextManager[None] | None = None

    @property
    def patient(self) -> bool:
        """A person types when the time has come."""
        return False

    def write(self, lines: Sequence[str]) -> None:
        """Show lines above the prompt."""
        if lines:
            columns = self._session.output.get_size().columns
            print("\n".join(part for line in lines for part in wrapped(_printable(line), columns)), flush=True)

    async def read(self) -> str:
        """Return the next line."""
        if self._patched is None:
            self._patched = patch_stdout()
            self._patched.__enter__()
        return await self._session.prompt_async()

    def prompt(self, words: str) -> None:
        """Show these words before the cursor from now on."""
        self._words = words
        self._session.app.invalidate()

    def ring(self) -> None:
        """Ring the bell of the terminal."""
        self._session.output.bell()

    async def close(self) -> None:
        """Give the terminal back."""
        if self._patched is not None:
            self._patched.__exit__(None, None, None)
            self._patched = None


class _Completer(Completer):
    def __init__(self, suggest: Callable[[str], Iterable[Suggestion]]) -> None:
        self._suggest = suggest

    def get_completions(self, document: Document, complete_event: CompleteEvent) -> Iterable[Completion]:
        """Yield what can come next."""
        for found in self._suggest(document.text_before_cursor):
            yield Completion(found.word, found.start, display_meta=found.note)
