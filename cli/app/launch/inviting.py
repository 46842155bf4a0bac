"""The invite on the terminal of the host: the line in one piece, and its QR code only where it is seen whole."""

import asyncio
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from cli.app.launch.proposal import PlayerOptions
from cli.console.render import qr
from cli.runtime import terminal
from cli.runtime.console import result, say
from cli.text import joining

Window = tuple[int, int]
"""Columns and rows."""


def show(text: str, *, wanted: bool | None, plain: bool, keys: bool) -> None:
    """Print the line of an invite, to the output of results; all else is talk.

    ``wanted`` says whether a QR code was asked for, None that nothing was said; ``keys`` that :func:`keys` will listen.
    """
    before, after = around(text, qr.window(), wanted=wanted, plain=plain, keys=keys)
    for part in before:
        say(part)
    result(joining.indented(text))
    for part in after:
        say(part)


def around(
    text: str, window: Window | None, *, wanted: bool | None, plain: bool, keys: bool
) -> tuple[list[str], list[str]]:
    """Return what is said before and after the line of an invite; ``window`` is None where there is no terminal.

    The QR code stands before the line where both are seen whole.  In a smaller window only who asked for it gets it:
    last, so that nothing pushes its upper rows away.
    """
    before, after = [str(joining.SEND)], [str(joining.WAITING_KEYS if keys else joining.WAITING)]
    if wanted is False or (not wanted and (plain or window is None)):
        return before, after
    code = qr.drawn(text)
    drawn = "\n".join(code)
    if window is None or _fits(code, _rows([*before, joining.indented(text), *after], window), window):
        return ["\n" + drawn, *before], after
    if wanted:
        return before, [*after, drawn if _fits(code, 0, window) else joining.too_small(code, *window)]
    return before, after if keys else [joining.with_option(code), *after]


def _fits(code: list[str], below: int, window: Window) -> bool:
    """Return whether a QR code is seen whole above so many rows and that of the cursor."""
    return len(code[0]) <= window[0] and len(code) + below + 1 <= window[1]


def _rows(texts: list[str], window: Window) -> int:
    return sum(max(1, -(-len(row) // window[0])) for text in texts for row in text.split("\n"))


def command(text: str) -> str:
    """Return what the opponent types, which is the same in every language."""
    return f"storm-p2p join {text}"


def can_listen(wanted: PlayerOptions) -> bool:
    """Return whether keys can be taken while one waits: a person sits at a terminal that moves its cursor."""
    person = wanted.is_person and not wanted.json and not wanted.plain
    return person and terminal.is_terminal(sys.stderr) and terminal.why_plain() is None


@contextmanager
def keys(text: str, *, listening: bool) -> Iterator[asyncio.Event]:
    """Let keys copy the invite and show its QR code while one waits in a running loop.

    Yields what is set when the person wants a fresh invite.
    """
    fresh = asyncio.Event()
    if not listening:
        yield fresh
        return
    # The library is needed for a person at a terminal alone.
    from prompt_toolkit.input import create_input

    from cli.console.shell.app import make_output
    from cli.console.shell.inviting import Waiting

    with Waiting(text, command(text), say, create_input(), make_output(sys.stderr), fresh.set).listening():
        yield fresh
