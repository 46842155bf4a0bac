"""Names, numbers and lists as they stand in sentences."""

from collections.abc import Iterable
from typing import Final

from cli.clean import clean
from cli.text.wording import _, fill, lazy

WORDS: Final = lazy((
    "draw", "resignation", "agreement", "misbehaviour", "time", "absence", "pause", "adjournment",
))  # fmt: skip
"""What logs say in every game of who has won, of why a match has ended, and of breaks."""

PLAYER: Final = lazy("player")
"""What somebody is called whose account has no name; letters of ASCII alone."""
_LAST: Final = lazy({"and": "and", "or": "or"})
"""What stands before the last item of a list."""

DIGITS: Final = 4
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


_NUMBERED: Final = lazy({"0": "left side", "1": "right side"})
"""What the seats of a game without named ones are called: where they would sit at a board that lies between them."""


def log_word(word: str) -> str:
    """Return a word of a log for a reader; a game lists those of its own, so that they are translated."""
    return _(word) if word else ""


def seat(word: str) -> str:
    """Return what a log calls a side, as the name that it is."""
    return str(_NUMBERED[word]) if word in _NUMBERED else opening(log_word(word))


def match_number(match: str) -> str:
    """Return what a match is called everywhere: the first digits of its number in hexadecimal."""
    return match[:DIGITS]


def fingerprint(key: bytes) -> str:
    """Return the beginning of a key in groups that can be read aloud."""
    text = key.hex()[:16]
    return " ".join(text[at : at + 4] for at in range(0, 16, 4))


def opening(sentence: str) -> str:
    """Return a sentence with a capital at its beginning."""
    return sentence[:1].upper() + sentence[1:]


def quoted(word: str) -> str:
    """Return a typed word as it is shown in a sentence."""
    return f'"{word[:30]}"'


def also_called(name: str, others: Iterable[str]) -> str:
    """Return the latest name of a player, with the earlier ones if there are any.

    """
    latest, *before = (as_one(one) for one in (name, *others))
    return fill("{name} (also {earlier})", name=latest, earlier=listed(before)) if before else latest


def as_one(name: str) -> str:
    """Return the name of a player as it is shown in a sentence.

    One that looks like several, such as "Bob (also Alice)", or like a verdict stands in quotation marks.
    """
    name = clean(name)
    return f'"{name.replace(chr(34), chr(39))}"' if any(sign in name for sign in '(),;:"') else name
