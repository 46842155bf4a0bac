"""Which unit, region or maneuver a typed word means; the names come from the table of the engine."""

from collections.abc import Mapping
from typing import Final

from cli.console.messages import NotUnderstood
from cli.storm.text import typed
from cli.storm.text.names import unit_name
from cli.storm.vocabulary import MORE_UNITS, words_for
from cli.vocabulary import fold, nearest
from storm_p2p.storm.board import REGIONS, Faction, Region
from storm_p2p.storm.units import CARDS, ROSTER, Maneuver, Unit

MANEUVERS: Final[Mapping[str, Maneuver]] = {
    word: maneuver
    for maneuver, short in zip(Maneuver, ("std", "ret", "cha", "att", "def"), strict=True)
    for word in (str(maneuver + 1), short, *words_for(maneuver.name.lower()))
}
"""What may be typed for a maneuver; the numbers are those of the table in the combat dialog."""

ALL: Final = words_for("all")
CLAIM: Final = words_for("claim") | {"drain"}
IMMUNE: Final = words_for("immune")

_UNITS: Final = {word: card.unit for card in CARDS for word in words_for(card.name)}
_MORE_UNITS: Final = {word: _UNITS[name] for name, others in MORE_UNITS.items() for word in others}


def find_unit(word: str, faction: Faction | None = None) -> Unit:
    """Return the unit of a name in any language, a code or a beginning that is unique on its side, or among all.

    Raises:
        NotUnderstood: it names none or several.
    """
    word = fold(word)
    near = _meant(word, faction)
    if len(near) == 1:
        return near[0]
    if near:
        raise NotUnderstood(typed.which_unit(word, [unit_name(unit) for unit in near]))
    close = nearest(word, _UNITS)
    raise NotUnderstood(typed.no_unit(word, unit_name(_UNITS[close]) if close else None))


def _meant(word: str, faction: Faction | None) -> list[Unit]:
    """Return which units a folded word can mean."""
    known = _UNITS if word in _UNITS else _MORE_UNITS
    if word in known:
        return [known[word]]
    return [unit for unit in starting_with(word) if faction is None or unit in ROSTER[faction]]


def find_region(word: str) -> Region:
    """Return the region of a typed number.

    Raises:
        NotUnderstood: it is none.
    """
    if word.isascii() and word.isdigit() and int(word) in REGIONS:
        return int(word)
    raise NotUnderstood(typed.region(word))


def starting_with(word: str) -> list[Unit]:
    """Return the units one of whose names begins with a word; other spellings count where no name does."""
    word = fold(word)
    if not word:
        return []
    found = {unit for name, unit in _UNITS.items() if name.startswith(word)}
    return sorted(found or {unit for name, unit in _MORE_UNITS.items() if name.startswith(word)})


def is_unit(word: str, faction: Faction | None = None) -> bool:
    """Return whether a word names one unit."""
    # A sentence about what it is not would take longer than everything else.
    return len(_meant(fold(word), faction)) == 1
