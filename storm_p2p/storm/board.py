"""The map: 24 regions, who neighbours whom, how high each lies, the realms and the Styx (docs/rules.md, "The map").

Pure geometry; nothing here knows a unit or a price.  Strengths and map are reconstructed from the texts
(A-01, A-03), so each is data in one place: this module and the table of :mod:`storm_p2p.storm.units`.
"""

from enum import IntEnum
from functools import lru_cache
from typing import Final, TypeAlias

Region: TypeAlias = int
"""A region's number, 1 to 24; 0 is no place on the map."""

REGIONS: Final = tuple(range(1, 25))


class Faction(IntEnum):
    """The two sides; the numbers are their seats."""

    CHTHONIANS = 0
    OLYMPIANS = 1


FACTIONS: Final[tuple[Faction, ...]] = (Faction.CHTHONIANS, Faction.OLYMPIANS)
OTHER: Final[tuple[Faction, ...]] = (Faction.OLYMPIANS, Faction.CHTHONIANS)
"""The opponent of each faction."""

# MAP-6: five columns of flat-top hexes, numbered from the bottom to the top and from left to right.  Each
# column starts at the altitude, in half hexes, of its lowest region.
_COLUMNS: Final = ((1, 4, 2), (5, 9, 1), (10, 15, 0), (16, 20, 1), (21, 24, 2))


def _altitudes() -> tuple[int, ...]:
    heights = [0] * 25
    for first, last, lowest in _COLUMNS:
        for region in range(first, last + 1):
            heights[region] = lowest + 2 * (region - first)
    return tuple(heights)


def _columns() -> tuple[int, ...]:
    column = [-1] * 25
    for number, (first, last, _) in enumerate(_COLUMNS):
        for region in range(first, last + 1):
            column[region] = number
    return tuple(column)


ALTITUDE: Final = _altitudes()
"""Height of each region in half hexes, by region number."""

COLUMN: Final = _columns()
"""Column of each region from left to right, by region number."""


def _neighbours() -> tuple[tuple[Region, ...], ...]:
    found: list[tuple[Region, ...]] = [()]
    for here in REGIONS:
        near = [
            there
            for there in REGIONS
            if (COLUMN[here] == COLUMN[there] and abs(ALTITUDE[here] - ALTITUDE[there]) == 2)
            or (abs(COLUMN[here] - COLUMN[there]) == 1 and abs(ALTITUDE[here] - ALTITUDE[there]) == 1)
        ]
        found.append(tuple(near))
    return tuple(found)


NEIGHBOURS: Final = _neighbours()
"""The regions next to each region, in ascending order, by region number."""

TARTARUS: Final[Region] = 10
"""The lowest region, base of the Chthonians (MAP-2)."""

PALACE: Final[Region] = 15
"""The highest region, base of the Olympians (MAP-2)."""

BASE: Final[tuple[Region, ...]] = (TARTARUS, PALACE)
"""The base of each faction."""


def _distances() -> tuple[int, ...]:
    steps = [99] * 25
    steps[PALACE] = 0
    edge = [PALACE]
    while edge:
        here = edge.pop(0)
        for there in NEIGHBOURS[here]:
            if steps[there] == 99:
                steps[there] = steps[here] + 1
                edge.append(there)
    return tuple(steps)


STEPS_TO_PALACE: Final = _distances()
"""Steps on foot from each region to the Palace."""

UNDERWORLD: Final = frozenset({1, 5, 6, 10, 11, 12, 16, 17, 21})
"""MAP-7."""

# the texts do not decide between two candidates; only setup reads this set.
OLYMPUS: Final = frozenset({4, 8, 9, 13, 14, 15, 19, 20, 24})
"""MAP-7."""

REALM: Final = (tuple(sorted(UNDERWORLD)), tuple(sorted(OLYMPUS)))
"""The regions in which each faction sets up, in ascending order (SET-3)."""

BANK: Final = frozenset({1, 2, 6, 7, 12, 13, 17, 18})
"""Both banks of the Styx; region 22 is none of it (MAP-4)."""

STYX: Final = frozenset({(1, 2), (2, 6), (6, 7), (7, 12), (12, 13), (12, 18), (17, 18)})
"""The borders along which the river runs, lower number first (MAP-8)."""

LEADER_STARTS: Final = tuple(tuple(sorted({base, *NEIGHBOURS[base]})) for base in BASE)
"""Where a random setup may put each faction's leader (VAR-7, A-31)."""


def _table(test: frozenset[tuple[Region, Region]]) -> tuple[tuple[bool, ...], ...]:
    return tuple(tuple((min(a, b), max(a, b)) in test for b in range(25)) for a in range(25))


CROSSES: Final = _table(STYX)
"""``CROSSES[a][b]``: a step on foot between the neighbours a and b crosses the Styx (MAP-3)."""

ADJACENT: Final = tuple(tuple(b in NEIGHBOURS[a] for b in range(25)) for a in range(25))
"""``ADJACENT[a][b]``: a and b are neighbours."""


def climbs(faction: int, origin: Region, target: Region) -> int:
    """Return 1 when the way leads forward for ``faction``, -1 when backward, 0 on equal altitude (MOV-2)."""
    rise = ALTITUDE[target] - ALTITUDE[origin]
    if faction == Faction.OLYMPIANS:
        rise = -rise
    return (rise > 0) - (rise < 0)


def _ways_back(region: Region, origin: Region) -> tuple[Region, ...]:
    return tuple(there for there in NEIGHBOURS[region] if there == origin or ADJACENT[origin][there])


@lru_cache(maxsize=25 * 25 * 2)
def retreat_ways(region: Region, origin: Region | None, *, attacker: bool) -> tuple[Region, ...]:
    """Return where geometry alone lets a side retreat to from a combat (RET-2, RET-3, FLY-6, A-17)."""
    if origin is None:
        return NEIGHBOURS[region]
    back = _ways_back(region, origin)
    if attacker:
        return back
    return tuple(there for there in NEIGHBOURS[region] if there not in back)
