"""Setups that a player has kept, by side and name: a small file in the home folder.

A file that cannot be read counts as none, and what in it is no setup is left out.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Final, TypeAlias

from cli.clean import clean
from cli.storage import home
from cli.storm.placing import Placing
from storm_p2p.storm.board import FACTIONS, REALM, Faction
from storm_p2p.storm.units import NAME, ROSTER

FILE: Final = "setups.json"
LONGEST_NAME: Final = 16
MOST: Final = 50
"""So many are kept for each side."""

Setups: TypeAlias = Mapping[str, Placing]
"""Setups of one side by their names."""


def load(folder: Path) -> dict[Faction, dict[str, Placing]]:
    """Return the setups in a folder."""
    return of(home.read_value(folder / FILE))


def of(found: object) -> dict[Faction, dict[str, Placing]]:
    """Return the setups of a loaded file, which anybody may have written."""
    kept: dict[Faction, dict[str, Placing]] = {faction: {} for faction in FACTIONS}
    for faction in FACTIONS:
        named = found.get(faction.name.lower()) if isinstance(found, dict) else None
        for name, places in list(named.items())[:MOST] if isinstance(named, dict) else []:
            placing = _placing(faction, places)
            if placing is not None and name_of(name):
                kept[faction][name_of(name)] = placing
    return kept


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


def name_of(text: str) -> str:
    """Return a typed name as it is kept: one clean word in lower case."""
    return clean(text, LONGEST_NAME).lower().replace(" ", "-")


def save(folder: Path, name: str, placing: Placing) -> None:
    """Keep a setup; one of the same side and name is replaced.

    Raises:
        OSError: it cannot be written.
    """

    def put(found: object) -> object:
        kept = of(found)
        named = kept[placing.faction]
        named.pop(name, None)
        while len(named) >= MOST:
            del named[next(iter(named))]
        named[name] = placing
        return dump(kept)

    home.change_value(folder / FILE, put)


def dump(kept: Mapping[Faction, Setups]) -> dict[str, dict[str, dict[str, int]]]:
    """Return the value of the file."""
    return {
        faction.name.lower(): {
            name: {NAME[unit]: region for region, unit in placing.places} for name, placing in named.items()
        }
        for faction, named in kept.items()
    }
