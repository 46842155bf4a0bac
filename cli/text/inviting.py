"""The invite on the screen of the host, in words."""

from collections.abc import Sequence
from typing import Final

from cli.text.wording import fill, lazy

SEND: Final = lazy("\nSend this one line to your opponent; it works once, while this program waits:\n")
WAITING: Final = lazy("Waiting. Leave with Ctrl-C.")
WAITING_KEYS: Final = lazy("Waiting. Leave with Ctrl-C.   c copies the line   q shows it as a QR code")
COPIED: Final = lazy("The line was copied to the clipboard, if this terminal allows that; paste it to check.")


def indented(text: str) -> str:
    """Return the line for the opponent as it stands on the screen."""
    return fill("  storm-p2p join {invite}\n", invite=text)


def too_small(code: Sequence[str], columns: int, rows: int) -> str:
    """Return that a QR code does not fit."""
    sentence = lazy(
        "The QR code needs a window of {width} x {height}; this one has {columns} x {rows}. Make it larger."
    )
    return fill(sentence, width=len(code[0]), height=len(code), columns=columns, rows=rows)


def with_option(code: Sequence[str]) -> str:
    """Return how a QR code can be had that was not drawn."""
    return fill("As a QR code: --qr, in a window of at least {width} x {height}.", width=len(code[0]), height=len(code))
