"""Names, numbers and lists as they stand in sentences."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from cli import language
from cli.clean import clean
from cli.text.wording import _, count, fill, lazy
from storm_p2p.storm.board import BASE, Faction, Region
from storm_p2p.storm.engine import Price
from storm_p2p.storm.errors import Fact
from storm_p2p.storm.units import CARDS, Maneuver, Unit

MANEUVERS: Final = lazy({
    Maneuver.STANDARD: "standard",
    Maneuver.RETREAT: "retreat",
    Maneuver.CHASE: "chase",
    Maneuver.ATTACK: "all-out attack",
    Maneuver.DEFENSE: "all-out defense",
})  # fmt: skip

SIDES: Final = lazy({Faction.CHTHONIANS: "Chthonians", Faction.OLYMPIANS: "Olympians"})

_IN_LOGS: Final = {
    word.english: word
    for word in lazy((
        "chthonians", "olympians", "draw",
        "palace", "leaders", "honor", "resignation", "agreement", "misbehaviour", "time", "absence",
        "pause", "adjournment",
    ))
}  # fmt: skip
"""What logs call the sides and nobody, why a match has ended, and breaks."""

_LAST: Final = lazy({"and": "and", "or": "or"})
"""What stands before the last item of a list."""

_DIGITS: Final = 4
"""How many digits of a match's number are shown; any unique beginning of it is understood."""

FREE: Final = lazy("free")
_MANY: Final = frozenset({Unit.ERINYES, Unit.MOIRAE, Unit.HARPIES})
"""Units whose name is a plural."""


def unit_name(unit: Unit | None) -> str:
    """Return a unit's name as a word of a sentence."""
    if unit is None:
        return _("hidden unit")
    row = CARDS[unit]
    return (row.german if language.current() == language.GERMAN else row.name).capitalize()


def are_many(units: Sequence[Unit | None]) -> bool:
    """Return whether a sentence about these units is about several: the Harpies alone are."""
    return len(units) != 1 or units[0] in _MANY


def listed(items: Iterable[object], last: str = "and") -> str:
    """Return words as "a, b and c"; ``last`` is ``and`` or ``or``."""
    words = [str(item) for item in items]
    return f" {_LAST[last]} ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


def any_of(units: Iterable[Unit]) -> str:
    """Return units of which it is one, as "Hades or Persephone"."""
    return listed(map(unit_name, units), "or")


def crowd(units: Sequence[Unit | None]) -> str:
    """Return several units, hidden ones counted."""
    hidden = sum(unit is None for unit in units)
    words = [unit_name(unit) for unit in units if unit is not None]
    if hidden:
        words.append(count("a hidden unit", "{number} hidden units", hidden))
    return listed(words)


def region_name(region: Region) -> str:
    """Return a region's number, and its name when it has one."""
    if region == BASE[0]:
        return fill("{region} (Tartarus)", region=region)
    return fill("{region} (the Palace)", region=region) if region == BASE[1] else str(region)


def path(regions: Sequence[Region]) -> str:
    """Return a way over the board: "14 > 9"."""
    return " > ".join(map(str, regions))


def signed(number: int) -> str:
    """Return a change as it stands in tables: ``-2``, ``0``, ``+2``."""
    return f"{number:+d}" if number else "0"


def spoken(number: int) -> str:
    """Return a change as a screen reader says it."""
    if number < 0:
        return fill("minus {amount}", amount=-number)
    return fill("plus {amount}", amount=number) if number else "0"


def cost(price: Price) -> str:
    """Return a price in a few characters: ``honor -2 energy -2``, or ``free``."""
    parts = [fill("honor {change}", change=signed(price.honor))] if price.honor else []
    if price.energy:
        parts.append(fill("energy {change}", change=signed(price.energy)))
    return " ".join(parts) or str(FREE)


def side_name(faction: Faction) -> str:
    """Return the name of a side."""
    return str(SIDES[faction])


def fact(value: Fact) -> str:
    """Return what the rules name in a refusal as it stands in a sentence; several are joined by "or"."""
    if not isinstance(value, (int, str)):
        return listed(map(fact, value), "or")
    if isinstance(value, Unit):
        return unit_name(value)
    if isinstance(value, Faction):
        return side_name(value)
    return str(MANEUVERS[value]) if isinstance(value, Maneuver) else clean(str(value))


def log_word(word: str) -> str:
    """Return a word of a log for a reader."""
    return str(_IN_LOGS.get(word, word))


def match_number(match: str) -> str:
    """Return what a match is called everywhere: the first digits of its number in hexadecimal."""
    return match[:_DIGITS]


def code(unit: Unit) -> str:
    """Return the three letters of a unit."""
    return CARDS[unit].code.upper()


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
