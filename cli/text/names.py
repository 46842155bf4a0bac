"""Names, numbers and lists as they stand in sentences."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from cli.text.wording import _, fill, lazy

ENDS: Final = lazy(("draw", "resignation", "agreement", "misbehaviour", "time", "absence"))
"""Words of a log for who has won and why in every game, as :func:`seat` and :func:`ended` give them to a reader."""

_BREAKS: Final = lazy({"pause": "pause", "adjournment": "adjournment"})

_LAST: Final = lazy({"and": "and", "or": "or"})
"""What stands before the last item of a list."""

_DIGITS: Final = 4
"""How many digits of a match's number are shown; any unique beginning of it is understood."""

def listed(items: Iterable[object], last: str = "and") -> str:
    """Return words as "a, b and c"; ``last`` is ``and`` or ``or``."""
    words = [str(item) for item in items]
    return f" {_LAST[last]} ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


def signed(number: int) -> str:
    """Return a change as it stands in tables: ``-2``, ``0``, ``+2``."""
    return f"{number:+d}" if number else "0"


def spoken(number: int) -> str:
    """Return a change as a screen reader says it."""
    if number < 0:
        return fill("minus {amount}", amount=-number)
    return fill("plus {amount}", amount=number) if number else "0"


def seat(word: str) -> str:
    """Return what a log calls a side, or a winner, for a reader; a game lists its words (``SEATS`` of its names)."""
    return _(word) if word else ""


def ended(reason: str) -> str:
    """Return the word of a log for why a match has ended, for a reader."""
    return _(reason) if reason else ""


def pause(kind: str) -> str:
    """Return the word of a log for a break, for a reader."""
    return str(_BREAKS.get(kind, kind))


def match_number(match: str) -> str:
    """Return what a match is called everywhere: the first digits of its number in hexadecimal."""
    return match[:_DIGITS]


def opening(sentence: str) -> str:
    """Return a sentence with a capital at its beginning."""
    return sentence[:1].upper() + sentence[1:]


def quoted(word: str) -> str:
    """Return a typed word as it is shown in a sentence."""
    return f'"{word[:30]}"'
