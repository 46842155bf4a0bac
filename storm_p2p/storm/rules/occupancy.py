"""How many stand where, as one number, counted once for a whole list of moves (docs/rules.md, "Movement")."""

from __future__ import annotations

from typing import Final, TypeAlias

from storm_p2p.storm.board import NEIGHBOURS, OTHER, Region
from storm_p2p.storm.rules.honor import MOST_IN_REGION
from storm_p2p.storm.state import State

Occupancy: TypeAlias = int
"""A byte for each region, the lowest for region 0.  A mask can leave out what does not matter."""

Crowd: TypeAlias = int
"""One byte of it: a bit for the first, second, third and fourth unit of the side to move, then the same for the
enemy."""

_TALLY: Final = bytes([(1 << min(count, MOST_IN_REGION)) - 1 for count in range(256)])
"""A number of units with a bit for each, as comrades..."""
_ENEMY_TALLY: Final = bytes([tally << 4 & 0xFF for tally in _TALLY])
"""... and as enemies."""

COMRADES: Final[Crowd] = 0b1111
"""The bits of the side to move."""
ENEMIES: Final[Crowd] = 0b11110000
"""The bits of the enemy."""
EVERY_CROWD: Final[tuple[Crowd, ...]] = tuple(sorted({*_TALLY, *[tally << 4 for tally in _TALLY]}))
"""Both sides never stand in one region when a side moves."""


def occupancy_of(state: State) -> Occupancy:
    """Return how many stand where, as the side to move sees it."""
    ours, theirs = state.sides[state.turn], state.sides[OTHER[state.turn]]
    comrades = bytes(map(len, ours)).translate(_TALLY)
    enemies = bytes(map(len, theirs)).translate(_ENEMY_TALLY)
    return int.from_bytes(comrades, "little") | int.from_bytes(enemies, "little")


def crowd_in(held: Occupancy, region: Region) -> Crowd:
    """Return who stands in a region."""
    return held >> 8 * region & 0xFF


def count_crowd(crowd: Crowd) -> tuple[int, int]:
    """Return how many comrades and how many enemies a crowd holds."""
    return (crowd & COMRADES).bit_length(), (crowd >> 4).bit_length()


def look_next_door(origin: Region, crowd: Crowd) -> Occupancy:
    """Return the same bits for each neighbour of a region."""
    return sum(crowd << 8 * there for there in NEIGHBOURS[origin])
