"""A command and the system it runs on: results to stdout, talk to stderr, exit codes (docs/cli.md), time and signals.

Every command begins here, so what only some of them need is imported where it is needed.
"""

from __future__ import annotations

import codecs
import io
import json
import os
import signal
import sys
import textwrap
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from enum import IntEnum
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TextIO, TypeVar

from cli.runtime import terminal
from protocol.errors import LocalProtocolError

if TYPE_CHECKING:
    import asyncio

Reporter = Callable[[dict[str, object]], None]
"""Takes the lines of ``--json``, or drops them where nobody wants any."""


class Exit(IntEnum):
    """How a command ends."""

    FINE = 0
    NO = 1
    """The answer is no: illegal, does not verify, lost to misbehaviour."""
    USAGE = 2
    """Wrong usage, or input that cannot be read."""
    NO_CONNECTION = 3
    LEFT = 4
    """Left; the match is saved."""
    UNCONFIRMED = 5
    """Nothing is wrong, and a result is unconfirmed."""
    INTERRUPTED = 130


class ToMenu(Exception):
    """A match is over, and its player goes to the menu."""


class UsageError(Exception):
    """What a person gave cannot be used; each argument is a sentence that says why, or what to do."""


_UNCOVERS: list[Callable[[], None]] = []


@contextmanager
def uncovered_by(act: Callable[[], None]) -> Iterator[None]:
    """Call ``act`` before anything is said: something may lie over the lines that would take the words away with it."""
    _UNCOVERS.append(act)
    try:
        yield
    finally:
        _UNCOVERS.remove(act)


_UNSAID: list[str] = []
"""What waits for the end of a picture, which it would spoil."""


def say(*sentences: str) -> None:
    """Tell the person something; a terminal gets it in lines that end between words, and after the picture if one is.

    What has waited comes first; :func:`catch_up` says it where nothing else is said.
    """
    _UNSAID.extend(sentences)
    catch_up()


def catch_up() -> None:
    """Say what waits for the end of a picture, if none is drawn any more."""
    while _UNSAID and not terminal.Terminal.drawn:
        _say(_UNSAID.pop(0))


def _say(text: str) -> None:
    for uncover in tuple(_UNCOVERS):
        uncover()
    terminal.Terminal.told = True
    # A terminal that is gone must not keep anything from being saved.
    with suppress(OSError):
        print("\n".join(_folded(line, sys.stderr) for line in text.split("\n")), file=sys.stderr, flush=True)


def _folded(line: str, stream: TextIO) -> str:
    try:
        columns = os.get_terminal_size(stream.fileno()).columns if stream.isatty() else 0
    except (AttributeError, OSError, ValueError):
        columns = 0
    if not 0 < columns < len(line):
        return line
    # What follows is indented, so that nothing of the other side's stands where the program begins its lines.
    indent = line[: len(line) - len(line.lstrip())] + "  "
    return textwrap.fill(line, columns, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False)


def keep_logs_off_terminals() -> None:
    """Let no library write its log over what a terminal shows; a file or a pipe in its place still gets it.

    Much of that is caused by the other side, and none of it is for a player.
    """
    import logging

    if logging.lastResort is not None:
        logging.lastResort.addFilter(_is_off_terminal)


def _is_off_terminal(record: object) -> bool:
    return sys.stderr is not None and not sys.stderr.isatty()


def take_any_bytes() -> None:
    """Let the standard input be any bytes: a mail or another program need not use the encoding of this system."""
    # A command of the menu begins when something was read, and then nothing can be chosen any more.
    if isinstance(sys.stdin, io.TextIOWrapper) and sys.stdin.errors != "replace":
        sys.stdin.reconfigure(errors="replace")


def read_line() -> str:
    """Return the next line of the standard input with its end; nothing when there is none."""
    return "" if sys.stdin is None else sys.stdin.readline()


def ask(question: str) -> str:
    """Return the line with which a person answers a question.

    Raises:
        EOFError: there will be no more.
    """
    with terminal.echoing():
        return input(question)


def result(*lines: str) -> None:
    """Print results, each on a line of its own."""
    for text in lines:
        terminal.Terminal.told = True
        print(text, flush=True)


def told(*texts: str) -> None:
    """Print results for people: on a terminal their lines are broken between words."""
    result(*(_folded(row, sys.stdout) for text in texts for row in text.split("\n")))


def line(value: dict[str, object]) -> None:
    """Print one line of ``--json``."""
    print(json.dumps(value), flush=True)


def check_library() -> None:
    """Refuse what needs proofs where none can be checked.

    Raises:
        UsageError: the library is too old or does not work.
    """
    # Who judges with the second implementation does without it.
    from cli.text import failures
    from protocol.crypto import group

    try:
        group.require()
    except LocalProtocolError as error:
        raise UsageError(failures.sentence(error.code, str(error))) from error


# Linux stops its monotonic clock while the machine sleeps; a closed lid is time all the same.
_SLEEPLESS: int | None = getattr(time, "CLOCK_BOOTTIME", None)


_LATEST = 2**32 - 30 * 86_400
"""An invite names the second until which it is good in 32 bits."""


def _steady() -> float:
    return time.monotonic() if _SLEEPLESS is None else time.clock_gettime(_SLEEPLESS)


_OFFSET = time.time() - _steady()


def check_clock() -> None:
    """Refuse to begin or go on at a time that cannot be.

    Raises:
        UsageError: this machine's clock shows one.
    """
    shown = time.time()
    if not 0 <= shown < _LATEST:
        from cli.text import clocks

        raise UsageError(clocks.wrong(clocks.moment(shown)))


def now() -> float:
    """Return the time."""
    return _OFFSET + _steady()


async def stop(*tasks: asyncio.Task[object] | None) -> None:
    """Cancel tasks and wait until they have ended, however they do; None stands for a task that never began."""
    import asyncio

    begun = [task for task in tasks if task is not None]
    for task in begun:
        task.cancel()
    await asyncio.gather(*begun, return_exceptions=True)


T = TypeVar("T")


async def run_aside(work: Callable[[], T]) -> T:
    """Return what some work returns, done in a thread that keeps nobody from leaving, however long it takes."""
    import asyncio

    loop = asyncio.get_running_loop()
    future: asyncio.Future[T] = loop.create_future()

    def settle(found: T) -> None:
        if not future.done():
            future.set_result(found)

    def run() -> None:
        found = work()
        # The loop may have ended.
        with suppress(RuntimeError):
            loop.call_soon_threadsafe(settle, found)

    threading.Thread(target=run, daemon=True).start()
    return await future


_NAME: Final = "storm-p2p-spelled"
_SPELLED: Final = {
    "\u00e4": "ae",
    "\u00f6": "oe",
    "\u00fc": "ue",
    "\u00df": "ss",
    "\u00c4": "Ae",
    "\u00d6": "Oe",
    "\u00dc": "Ue",
}


def spell(stream: TextIO | None) -> None:
    """Let a stream spell what its encoding does not know; a stream of another kind stays as it is."""
    reconfigure = getattr(stream, "reconfigure", None)
    if reconfigure is not None:
        codecs.register_error(_NAME, _spelled)
        reconfigure(errors=_NAME)


def _spelled(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    unknown = error.object[error.start : error.end]
    return "".join(_SPELLED.get(char, "?") for char in unknown), error.end


LONGEST_ERRORS = 1 << 20
"""Bytes; of a file that becomes longer the newer half stays."""


def add_errors(path: Path, data: bytes) -> None:
    """Write more behind what is in a file, which is made if it is not there.

    Raises:
        OSError: it cannot be opened or made its owner's alone, or there is no room for it.
    """
    # The mode is given at creation: a file that is closed to others later was open to them before.
    with open(path, "a+b", buffering=0, opener=lambda name, flags: os.open(name, flags, 0o600)) as file:
        # An older one may be open to others still.
        path.chmod(0o600)
        file.write(data)
        if os.fstat(file.fileno()).st_size > LONGEST_ERRORS:
            file.seek(-LONGEST_ERRORS // 2, os.SEEK_END)
            newest = file.read()
            file.truncate(0)
            # It begins with a whole line, where there is one.
            file.write(newest[newest.find(b"\n") + 1 :])


CTRL_C = "SIGINT"

POLITE = ("SIGHUP", "SIGTERM")
"""The terminal was closed; somebody asks the program to end."""

_NOT_HERE = (AttributeError, NotImplementedError, RuntimeError, ValueError)
"""Windows has no such handlers and not all of the signals; elsewhere only the main thread may set them."""


def heed(act: Callable[[], object], *names: str) -> tuple[str, ...]:
    """Call ``act`` in the running loop when one of the signals comes; return those that can be heeded here."""
    import asyncio

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
    import asyncio

    for name in names:
        with suppress(*_NOT_HERE):
            asyncio.get_running_loop().remove_signal_handler(getattr(signal, name))


def ctrl_c() -> None:
    """Do as if Ctrl-C were pressed."""
    signal.raise_signal(signal.SIGINT)
