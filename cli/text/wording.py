"""How templates become sentences: the one place that asks the catalogue of another language.

A template is a whole sentence, or a whole part of a list, with named gaps.  Nothing is put together from pieces of a
sentence, and what differs with a number has a template for one and a template for several.

A sentence that is said now is written ``_("...")``, ``fill("... {gap}", gap=...)`` or ``count("one", "several", n)``.
One that is kept, in a constant or under a name, is written ``lazy("...")``; whoever shows it writes ``str(...)`` or
fills it.  ``tests/catalogue.py`` finds both, and the type checker where ``str`` was forgotten.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from string import Formatter
from typing import Final, Generic, TypeVar, TypeVarTuple, overload

from cli import language
from cli.clean import clean, pad, width

K = TypeVar("K")


@dataclass(frozen=True, slots=True)
class Lazy:
    """A sentence, or a template of one, whose ``str`` is what it says in the language of the moment."""

    english: str

    def __str__(self) -> str:
        """Return the sentence in the chosen language."""
        return language.translate(self.english)

    def __format__(self, spec: str) -> str:
        """Return the sentence in the chosen language as a gap of another one takes it."""
        return format(str(self), spec)


@overload
def lazy(english: str, /) -> Lazy: ...
@overload
def lazy(english: tuple[str, ...], /) -> tuple[Lazy, ...]: ...
@overload
def lazy(english: Mapping[K, str], /) -> Mapping[K, Lazy]: ...
def lazy(english: str | tuple[str, ...] | Mapping[K, str], /) -> Lazy | tuple[Lazy, ...] | Mapping[K, Lazy]:
    """Mark sentences that are translated when they are read: a constant is made once, and the language can change."""
    if isinstance(english, str):
        return Lazy(english)
    if isinstance(english, tuple):
        return tuple(map(Lazy, english))
    return {key: Lazy(said) for key, said in english.items()}


def _(sentence: str, /) -> str:
    """Return a sentence in the chosen language."""
    return language.translate(sentence)


def fill(template: str | Lazy, /, **values: object) -> str:
    """Return a template in the chosen language with its gaps filled."""
    return language.translate(template.english if isinstance(template, Lazy) else template).format(**values)


def count(one: str, several: str, number: int, /, **values: object) -> str:
    """Return the template for one or for several, with ``number`` and the other gaps filled."""
    return language.translate_count(one, several, number).format(number=number, **values)


WORDS: Final = lazy(("draw", "resignation", "agreement", "misbehaviour", "time", "absence", "pause", "adjournment"))
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


def capped(lines: Sequence[str], most: int = 20, number: int = 0) -> list[str]:
    """Return the first lines, and how many more there are; ``number`` is how many there were, if not all are here."""
    rest = max(number, len(lines)) - most
    return [*lines[:most], *([count("and {number} more", "and {number} more", rest)] if rest > 0 else [])]


def some(names: Iterable[str], most: int = 20) -> list[str]:
    """Return the first names in their order, and how many more there are, for :func:`listed`."""
    found = sorted(names, key=str.casefold)
    rest = len(found) - most
    return [*found[:most], *([count("{number} more", "{number} more", rest)] if rest > 0 else [])]


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


def tell_apart(called: Mapping[str, str]) -> Mapping[str, str]:
    """Return the players' names by the words of logs for their sides; the same name twice has its side behind it."""
    if len(set(called.values())) == len(called):
        return called
    return {side: f"{name} ({seat(side)})" for side, name in called.items()}


def match_number(match: str) -> str:
    """Return what a match is called everywhere: the first digits of its number in hexadecimal."""
    return match[:DIGITS]


home = ""
"""The folder of the player, quoted for a command, while one runs that was given another folder than the usual one."""


def match_to_resume(match: str) -> str:
    """Return what a command to resume a match has behind it: its number, and where it is kept if that was given."""
    return " ".join((match_number(match), *(("--home", home) if home else ())))


def fingerprint(key: bytes) -> str:
    """Return the beginning of a key in groups that can be read aloud."""
    text = key.hex()[:16]
    return " ".join(text[at : at + 4] for at in range(0, 16, 4))


def opening(sentence: str) -> str:
    """Return a sentence with a capital at its beginning."""
    return sentence[:1].upper() + sentence[1:]


def quoted(word: str) -> str:
    """Return a typed word as it is shown in a sentence."""
    return fill('"{word}"', word=word[:30])


def also_called(name: str, others: Iterable[str]) -> str:
    """Return the latest name of a player, with the earlier ones if there are any."""
    latest, *before = (as_one(one) for one in (name, *others))
    return fill("{name} (also {earlier})", name=latest, earlier=listed(before)) if before else latest


def as_one(name: str) -> str:
    """Return the name of a player as it is shown in a sentence.

    One that looks like several, such as "Bob (also Alice)", or like a verdict stands in quotation marks.
    """
    name = clean(name)
    return f'"{name.replace(chr(34), chr(39))}"' if any(sign in name for sign in '(),;:"') else name


Facts = TypeVarTuple("Facts")


class Sentence(Generic[*Facts]):
    """A template that is called with a fact for each of its gaps, in the order in which they first stand in it.

    One of which there is another form for several is chosen by the gap ``number``, or else by how many there are in its
    only list; its gaps are those of the form for several.

    >>> Sentence[str, int]("{name} has called {number} times.")("bob", 3)
    'bob has called 3 times.'
    """

    def __init__(self, english: str, several: str = "") -> None:
        self.english: Final = english
        self.several: Final = several
        self.gaps: Final = tuple(dict.fromkeys(gap for _, gap, _, _ in Formatter().parse(several or english) if gap))

    def __call__(self, *facts: *Facts) -> str:
        """Return the sentence about these facts in the chosen language."""
        told: tuple[object, ...] = facts
        gaps = {gap: self._say(fact) for gap, fact in zip(self.gaps, told, strict=True)}
        if not self.several:
            return fill(self.english, **gaps)
        number = gaps.pop("number", None)
        if not isinstance(number, int):
            number = next(len(fact) for fact in told if isinstance(fact, Sequence) and not isinstance(fact, str))
        return language.translate_count(self.english, self.several, number).format(number=number, **gaps)

    def _say(self, fact: object) -> object:
        """Return a fact as it stands in the sentence; a number stays one: the template may say how it is written."""
        match fact:
            case int():
                return fact
            case float():
                return round(fact)
            case bytes():
                return fingerprint(fact)
            case Sequence() if not isinstance(fact, str):
                return listed(map(self._say, fact))
            case _:
                # What a stranger or the system has written.
                return clean(str(fact))


def draw_table(cells: Sequence[Sequence[str]]) -> list[str]:
    """Return the lines of a table whose first row names the columns; numbers stand to the right."""
    columns = [max(map(width, column)) for column in zip(*cells, strict=True)]
    right = [all(cell[:1].isdigit() or not cell for cell in column[1:]) for column in zip(*cells, strict=True)]

    def fitted(cell: str, number: int) -> str:
        return " " * (columns[number] - width(cell)) + cell if right[number] else pad(cell, columns[number])

    return ["  ".join(fitted(cell, number) for number, cell in enumerate(row)).rstrip() for row in cells]
