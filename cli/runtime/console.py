"""Output of the commands: results to stdout, talk to stderr, and the exit codes (docs/cli.md, "Exit codes")."""

import json
import os
import sys
import textwrap
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from enum import IntEnum
from typing import Any

from cli.runtime import holding

Reporter = Callable[[dict[str, Any]], None]
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


def say(text: str) -> None:
    """Tell the person something; a terminal gets it in lines that end between words."""
    for uncover in tuple(_UNCOVERS):
        uncover()
    holding.tell()
    # A terminal that is gone must not keep anything from being saved.
    with suppress(OSError):
        print("\n".join(_folded(line) for line in text.split("\n")), file=sys.stderr, flush=True)


def _folded(line: str) -> str:
    try:
        columns = os.get_terminal_size(sys.stderr.fileno()).columns if sys.stderr.isatty() else 0
    except (AttributeError, OSError, ValueError):
        columns = 0
    if not 0 < columns < len(line):
        return line
    # What follows is indented, so that nothing of the other side's stands where the program begins its lines.
    return textwrap.fill(line, columns, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False)


def keep_logs_off_terminals() -> None:
    """Let no library write its log over what a terminal shows; a file or a pipe in its place still gets it.

    Much of that is caused by the other side, and none of it is for a player.
    """
    import logging

    if logging.lastResort is not None:
        logging.lastResort.addFilter(_is_off_terminal)


def _is_off_terminal(record: object) -> bool:
    return sys.stderr is not None and not sys.stderr.isatty()


def read_line() -> str:
    """Return the next line of the standard input with its end; nothing when there is none."""
    return "" if sys.stdin is None else sys.stdin.readline()


def ask(question: str) -> str:
    """Return the line with which a person answers a question.

    Raises:
        EOFError: there will be no more.
    """
    with holding.echoing():
        return input(question)


def result(text: str) -> None:
    """Print a result."""
    holding.tell()
    print(text, flush=True)


def line(value: dict[str, Any]) -> None:
    """Print one line of ``--json``."""
    print(json.dumps(value), flush=True)
