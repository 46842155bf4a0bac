"""Names of units, sides, regions and prices as they stand in sentences."""

from collections.abc import Iterable, Sequence
from typing import Final, TypeVarTuple

from cli.clean import clean
from cli.storm import vocabulary
from cli.text import wording
from cli.text.wording import _, count, fill, lazy, listed, signed
from storm_p2p.storm.board import BASE, Faction, Region
from storm_p2p.storm.engine import Price
from storm_p2p.storm.errors import Fact
from storm_p2p.storm.units import CARDS, Maneuver, Unit

SEATS: Final = lazy(("chthonians", "olympians", "palace", "leaders", "honor"))
"""What logs call the sides, and why a game has ended; :func:`cli.text.wording.seat` gives them to a reader."""

MANEUVERS: Final = lazy(
    {
        Maneuver.STANDARD: "standard",
        Maneuver.RETREAT: "retreat",
        Maneuver.CHASE: "chase",
        Maneuver.ATTACK: "all-out attack",
        Maneuver.DEFENSE: "all-out defense",
    }
)

SIDES: Final = lazy({Faction.CHTHONIANS: "Chthonians", Faction.OLYMPIANS: "Olympians"})

FREE: Final = lazy("free")
ATTACK: Final = lazy("ATTACK")
"""Marks a region on the board that would be attacked; at most six letters, which is the room there is."""
_MANY: Final = frozenset({Unit.ERINYES, Unit.MOIRAE, Unit.HARPIES})
"""Units whose name is a plural."""


def unit_name(unit: Unit | None) -> str:
    """Return a unit's name as a word of a sentence."""
    if unit is None:
        return _("hidden unit")
    return vocabulary.say_argument(CARDS[unit].name).capitalize()


def are_many(units: Sequence[Unit | None]) -> bool:
    """Return whether a sentence about these units is about several: the Harpies alone are."""
    return len(units) != 1 or units[0] in _MANY


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


def cost(price: Price) -> str:
    """Return a price in a few characters: ``honor -2 energy -2``, or ``free``."""
    parts = [fill("honor {change}", change=signed(price.honor))] if price.honor else []
    if price.energy:
        parts.append(fill("energy {change}", change=signed(price.energy)))
    return " ".join(parts) or str(FREE)


def side_name(side: Faction) -> str:
    """Return the name of a side."""
    return str(SIDES[side])


def say_fact(value: Fact) -> str:
    """Return what the rules name in a refusal as it stands in a sentence; several are joined by "or"."""
    if not isinstance(value, (int, str)):
        return listed(map(say_fact, value), "or")
    if isinstance(value, Unit):
        return unit_name(value)
    if isinstance(value, Faction):
        return side_name(value)
    return str(MANEUVERS[value]) if isinstance(value, Maneuver) else clean(str(value))


def code(unit: Unit) -> str:
    """Return the three letters of a unit: the beginning of its name in the language of the moment where they are that."""
    letters = CARDS[unit].code
    return (unit_name(unit)[:3] if CARDS[unit].name.startswith(letters) else letters).upper()


Facts = TypeVarTuple("Facts")


class Sentence(wording.Sentence[*Facts]):
    """A template that is called with a fact for each of its gaps.

    >>> Sentence[Unit, int]("{unit} is in {region}.")(Unit.ZEUS, 15)
    'Zeus is in 15.'
    """

    def _say(self, fact: object) -> object:
        match fact:
            case Unit() | Faction() | Maneuver():
                return say_fact(fact)
            case Sequence() if not isinstance(fact, str) and all(one is None or isinstance(one, Unit) for one in fact):
                return crowd(fact)
            case _:
                return super()._say(fact)


def turn(number: int, other: str = "") -> str:
    """Return whose turn begins; no name stands for the reader."""
    template = lazy("Turn {number}: {who} to move." if other else "Turn {number}: your move.")
    return fill(template, number=number, who=other)
