"""The setup before it is sealed: a frozen value that commands change.  Pure, but for the dice handed in."""

import random
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from cli.clean import clean
from cli.storage import home
from cli.storm.text import screens, typed
from cli.text.wording import listed
from storm_p2p.storm import engine
from storm_p2p.storm.board import ALTITUDE, COLUMN, FACTIONS, REALM, Faction, Region
from storm_p2p.storm.errors import IllegalAction
from storm_p2p.storm.rules import setup
from storm_p2p.storm.state import State, Terms, Token
from storm_p2p.storm.units import NAME, REQUIRED, ROSTER, Unit


@dataclass(frozen=True, slots=True)
class Placing:
    """Which units stand where so far."""

    faction: Faction
    places: tuple[tuple[Region, Unit], ...] = ()

    @property
    def by_region(self) -> dict[Region, Unit]:
        """The units by their regions."""
        return dict(self.places)

    @property
    def by_unit(self) -> dict[Unit, Region]:
        """The regions by their units."""
        return {unit: region for region, unit in self.places}

    @property
    def free(self) -> tuple[Region, ...]:
        """The regions where nobody stands yet."""
        taken = self.by_region
        return tuple(region for region in REALM[self.faction] if region not in taken)


def change(placing: Placing, what: str, units: Sequence[Unit], region: Region, dice: random.Random) -> Placing:
    """Return the setup after a command: put, swap, random, mirror or clear.

    Raises:
        ValueError: it cannot be; with a sentence.
    """
    match what:
        case "put":
            return put(placing, units[0], region)
        case "swap":
            return swap(placing, units[0], units[1])
        case "random":
            return fill(placing, dice)
        case "mirror":
            return mirror(placing)
        case _:
            return replace(placing, places=())


def put(placing: Placing, unit: Unit, region: Region) -> Placing:
    """Return the setup with a unit in a region; who stood there takes its old place, or leaves the board.

    Raises:
        ValueError: the region or the unit is not of the side; with a sentence.
    """
    _check_unit(placing, unit)
    if region not in REALM[placing.faction]:
        raise ValueError(screens.not_in_realm(region, listed(REALM[placing.faction], "or")))
    places = placing.by_region
    before = placing.by_unit.get(unit)
    if before is not None:
        del places[before]
        if region in places:
            places[before] = places[region]
    places[region] = unit
    return replace(placing, places=tuple(sorted(places.items())))


def swap(placing: Placing, one: Unit, two: Unit) -> Placing:
    """Return the setup with two units exchanged; one of them may be off the board.

    Raises:
        ValueError: they are one and the same, or neither stands on the board; with a sentence.
    """
    _check_unit(placing, one)
    _check_unit(placing, two)
    if one == two:
        raise ValueError(screens.twice(one))
    where = placing.by_unit
    if one not in where and two not in where:
        raise ValueError(screens.both_off(one, two))
    exchange = {one: two, two: one}
    return replace(placing, places=tuple((region, exchange.get(unit, unit)) for region, unit in placing.places))


def fill(placing: Placing, dice: random.Random) -> Placing:
    """Return a random setup; what the rules of the setup allow, and nothing else."""
    while True:
        units = list(ROSTER[placing.faction])
        dice.shuffle(units)
        if setup.check_units(placing.faction, units, random=False) is None:
            chosen = zip(REALM[placing.faction], units, strict=False)
            return replace(placing, places=tuple(chosen))


def mirror(placing: Placing) -> Placing:
    """Return the setup with left and right exchanged."""
    here = {(COLUMN[region], ALTITUDE[region]): region for region in REALM[placing.faction]}
    last = max(COLUMN)
    places = [(here[last - COLUMN[region], ALTITUDE[region]], unit) for region, unit in placing.places]
    return replace(placing, places=tuple(sorted(places)))


def finish(placing: Placing) -> tuple[Unit, ...]:
    """Return the setup as the engine takes it.

    Raises:
        ValueError: it is not complete; with a sentence.
    """
    missing = [unit for unit in ROSTER[placing.faction] if 1 << unit & REQUIRED and unit not in placing.by_unit]
    if missing:
        raise ValueError(screens.must_be_there(missing[0]))
    if placing.free:
        raise ValueError(screens.free_regions(placing.free))
    try:
        return setup.arrangement(placing.faction, placing.by_unit)
    except IllegalAction as refused:
        raise ValueError(typed.refusal(refused)) from None


def progress(placing: Placing) -> str:
    """Return how far the setup is."""
    counts = (len(placing.places), setup.SELECTED)
    return screens.progress(*counts, placing.free) if placing.free else screens.full(*counts)


def moved_away(before: Placing, after: Placing, named: Sequence[Unit]) -> list[str]:
    """Return which unit a command has moved besides the one that was named first, in a sentence."""
    was, now = before.by_unit, after.by_unit
    if len(named) != 1:
        return []
    lost = [screens.taken_off(unit, named[0]) for unit in was if unit not in now]
    others = [unit for unit in was if unit != named[0] and unit in now and now[unit] != was[unit]]
    return lost + [screens.moved_to(unit, now[unit]) for unit in others]


def as_state(placing: Placing, terms: Terms) -> State:
    """Return a state with nothing but the units placed so far, to be drawn."""
    start = engine.new_game(terms)
    groups: list[tuple[Token, ...]] = [()] * len(start.sides[placing.faction])
    for region, unit in placing.places:
        groups[region] = (Token(int(unit), placing.faction, int(unit), False, 1 << unit),)
    mine, none = tuple(groups), start.sides[1 - placing.faction]
    return start._replace(sides=(none, mine) if placing.faction else (mine, none))


def told(placing: Placing) -> str:
    """Return the setup in one sentence for a screen reader."""
    return f"{screens.told(placing.places)} {progress(placing)}"


def _check_unit(placing: Placing, unit: Unit) -> None:
    if unit not in ROSTER[placing.faction]:
        raise ValueError(screens.not_yours(placing.faction, unit))


FILE: Final = "setups.json"
LONGEST_NAME: Final = 16
MOST: Final = 50
"""So many are kept for each side."""


def load(folder: Path) -> dict[Faction, dict[str, Placing]]:
    """Return the setups in a folder."""
    return of(home.read_value(folder / FILE))


def of(found: object) -> dict[Faction, dict[str, Placing]]:
    """Return the setups of a loaded file, which anybody may have written."""
    kept: dict[Faction, dict[str, Placing]] = {faction: {} for faction in FACTIONS}
    for faction in FACTIONS:
        for name, places in list(_named(found).get(faction.name.lower(), {}).items())[:MOST]:
            placing = _placing(faction, places)
            if placing is not None and name_of(name):
                kept[faction][name_of(name)] = placing
    return kept


def _named(found: object) -> dict[str, dict[str, object]]:
    """Return what a loaded file holds by sides and names, readable or not."""
    sides = found if isinstance(found, dict) else {}
    return {side: named for side, named in sides.items() if isinstance(named, dict)}


def _placing(faction: Faction, places: object) -> Placing | None:
    """Return a setup, complete or not, or None when it is none of the side's."""
    units = {NAME[unit]: unit for unit in ROSTER[faction]}
    if not isinstance(places, dict) or not places or not set(places) <= set(units):
        return None
    regions = list(places.values())
    if any(type(region) is not int or region not in REALM[faction] for region in regions):
        return None
    if len(set(regions)) < len(regions):
        return None
    return Placing(faction, tuple(sorted((region, units[name]) for name, region in places.items())))


def recall(side: Faction, found: Any) -> tuple[tuple[Region, Unit], ...]:
    """Return the places of a setup that was begun, from pairs in a file; none where they are no setup of the side."""
    try:
        placed = _placing(side, {NAME[Unit(unit)]: region for region, unit in found})
    except (TypeError, ValueError):
        return ()
    return () if placed is None else placed.places


def name_of(text: str) -> str:
    """Return a typed name as it is kept: one clean word in lower case."""
    return clean(text, LONGEST_NAME).lower().replace(" ", "-")


def save(folder: Path, name: str, placing: Placing) -> None:
    """Keep a setup; one of the same side and name is replaced, and what cannot be read stays.

    Raises:
        OSError: it cannot be written.
    """
    side = placing.faction.name.lower()

    def put(found: object) -> object:
        kept = _without(found, name, side)
        named = kept.setdefault(side, {})
        while len(named) >= MOST:
            del named[next(iter(named))]
        named[name] = {NAME[unit]: region for region, unit in placing.places}
        return kept

    home.change_value(folder / FILE, put, _named)


def forget(folder: Path, name: str) -> None:
    """Keep the setups of this name no longer, of either side.

    Raises:
        OSError: the file cannot be written.
    """

    def drop(found: object) -> object:
        kept = _without(found, name)
        return None if kept == _named(found) else kept

    if (folder / FILE).exists():
        home.change_value(folder / FILE, drop)


def _without(found: object, name: str, only: str = "") -> dict[str, dict[str, object]]:
    """Return what a loaded file holds but for the setups of a name, of one side or of all."""
    return {
        side: {one: places for one, places in named.items() if name_of(one) != name or only not in ("", side)}
        for side, named in _named(found).items()
    }
