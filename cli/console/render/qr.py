"""The invite as a QR code of characters, for somebody who reads it with a telephone from the screen."""

import shutil
import sys

import segno

QUIET = 2
"""How many light modules stand around the code; telephones do with fewer than the four of the standard."""

# Two modules, one above the other, in each character.  Light is drawn, because most terminals are dark.
_HALVES = {(False, False): "\u2588", (False, True): "\u2580", (True, False): "\u2584", (True, True): " "}


def drawn(text: str) -> list[str]:
    """Return the lines of the code, in block characters without any colour."""
    code = segno.make(text, error="l", micro=False, boost_error=False)
    rows = [[bool(module) for module in row] for row in code.matrix_iter(border=QUIET)]
    if len(rows) % 2:
        rows.append([True] * len(rows[0]))
    return [
        "".join(_HALVES[above, below] for above, below in zip(upper, lower, strict=True)).rstrip()
        for upper, lower in zip(rows[::2], rows[1::2], strict=True)
    ]


def window() -> tuple[int, int] | None:
    """Return columns and rows of the terminal; None where there is none, or not one with the characters."""
    stream = sys.stderr
    if stream is None or not stream.isatty():
        return None
    try:
        "\u2588\u2580\u2584".encode(stream.encoding or "ascii")
    except (UnicodeError, LookupError):
        return None
    size = shutil.get_terminal_size()
    return size.columns, size.lines
