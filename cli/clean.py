"""The one way through which untrusted text reaches a screen: names, chat, sentences of the other side.

Nothing that moves a cursor, hides or reverses text gets through, and everything fits into one line.
"""

import re
import unicodedata
from typing import Final

MOST: Final = 400
"""Longest text that is shown, in characters."""
_LEFT_OUT: Final = ".."
_MOST_MARKS: Final = 2
"""How many characters without a width one letter may carry; more climb into the lines above."""

# ECMA-48: CSI, the string commands with everything up to their end, and two-character escapes; the 8-bit forms
# of the same.  The string commands may be cut off, so that they end at the end of the text as well.
_ESCAPES: Final = re.compile(
    r"(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]?"
    r"|(?:\x1b[\]PX^_]|[\x9d\x90\x98\x9e\x9f]).*?(?:\x07|\x1b\\|\x9c|$)"
    r"|\x1b[ -/]*[0-~]?",
    re.DOTALL,
)
_BANNED: Final = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
_PLACEHOLDER: Final = "\ufffc"
"""Stands for an object that is not there; signed text may have it."""


def clean(text: str, most: int = MOST) -> str:
    """Return ``text`` as one line of visible characters.

    Removed are escape sequences with their content, control characters (C0 and C1), direction marks, zero-width
    and other invisible characters, private and unassigned ones, and piles of combining marks.  White space of
    every kind becomes a single blank.

    >>> clean("a\\x1b[2Jb\\u202ec")
    'abc'
    """
    text = text[: 4 * most]
    # Next to all that is shown is plain ASCII, of which nothing has to be left out.
    line = " ".join((text if text.isascii() and text.isprintable() else _keep_visible(text)).split())
    return line if len(line) <= most else line[: most - 3] + "..."


def _keep_visible(text: str) -> str:
    """Return a text without what :func:`clean` removes; white space of every kind is blanks."""
    # Many commands show nothing that others wrote.
    from protocol.text import HIDDEN

    text = unicodedata.normalize("NFC", _ESCAPES.sub("", text))
    kept: list[str] = []
    marks = 0
    for char in text:
        category = unicodedata.category(char)
        if char in "\t\n\r\v\f\x85\u2028\u2029" or category == "Zs":
            char = " "
        elif category in _BANNED or char == _PLACEHOLDER or HIDDEN.match(char) or _selects(char):
            continue
        marks = 0 if width(char) else marks + 1
        # A mark at the beginning would sit on whatever stands before the text.
        if marks > _MOST_MARKS or (marks and not kept):
            continue
        kept.append(char)
    return "".join(kept)


def _selects(char: str) -> bool:
    """Return whether a character is a variation selector or a tag."""
    return "\ufe00" <= char <= "\ufe0f" or "\U000e0000" <= char <= "\U000e0fff"


def width(text: str) -> int:
    """Return how many columns of a terminal a clean text takes: as many as prompt_toolkit, which draws it, counts."""
    if text.isascii():
        return len(text)
    # A program that prints nothing but ASCII starts without its tables.
    from wcwidth import wcwidth

    return sum(map(wcwidth, text))


def fit(text: str, columns: int) -> str:
    """Return a clean text cut to at most ``columns`` columns."""
    if text.isascii():
        return text[: max(0, columns)]
    used = 0
    for place, char in enumerate(text):
        used += width(char)
        if used > columns:
            return text[:place]
    return text


def shorten(text: str, columns: int) -> str:
    """Return a clean text of at most ``columns`` columns; what does not fit is left out from a word on, with "..".

    Only a first word that is too long for itself is cut within.
    """
    if width(text) <= columns:
        return text
    if width(text.rstrip()) <= columns:
        return text.rstrip()
    kept = fit(text, max(0, columns - len(_LEFT_OUT)))
    whole = kept if text[len(kept)] == " " else kept.rpartition(" ")[0]
    return f"{whole.rstrip(' ,;:+(|') or kept}{_LEFT_OUT}"[:columns]


def pad(text: str, columns: int) -> str:
    """Return a clean text of exactly ``columns`` columns."""
    text = fit(text, columns)
    return text + " " * (columns - width(text))
