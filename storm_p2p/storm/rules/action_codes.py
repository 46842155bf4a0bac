"""An action as one number: its kind, and what the kind needs, the price included.

Whoever stands in a group is called by the place in it, in the order in which the board lists units; codes are made and
read by whoever holds the same board.  A move's fields: who goes, where, who claims, what it costs.
"""

from collections.abc import Iterable
from typing import Any, Final, TypeAlias

Code: TypeAlias = int


class Part:
    """Some actions of a list, with what has been made of them.

    Attributes:
        codes: the actions.
        ways: the way of each, if it is a wanderer's; else empty.
        options: the actions with costs, without names.
    """

    __slots__ = ("codes", "options", "ways")

    def __init__(self, found: Iterable[Code], ways: tuple[int, ...] = ()) -> None:
        self.codes = tuple(found)
        self.ways = ways
        self.options: tuple[Any, ...] | None = None if self.codes else ()


# The kinds.
MOVE: Final = 0
WANDER: Final = 1
REVEAL: Final = 2
THROW: Final = 3
CALL: Final = 4
PRAY: Final = 5
IDLE: Final = 6
HELP: Final = 7
CHOOSE: Final = 8
NAME: Final = 9
DEFY: Final = 10
BLOCK: Final = 11
LEAVE: Final = 12
REMAIN: Final = 13
KIND: Final = 0b1111

PART: Final = 4
"""Four bits: the places of those who act."""
UNIT: Final = 4
"""Five bits: the unit that is named, plus 1; 0 for none."""
TARGET: Final = 9
"""Five bits: a region, or the unit that is fed or called back, plus 1."""
ORIGIN: Final = 14
"""Five bits: the region where they stand."""
ACTORS: Final = 31 << ORIGIN | 15 << PART
"""Who acts, of their group."""
CLAIM: Final = 19
"""Three bits: the place of who claims, plus 1."""
STEALTH: Final = 22
"""One bit: it is a sneak attack."""
ATTACK: Final = 23
"""One bit: enemies stand at the goal."""
DIVIDES: Final = 24
"""One bit: nobody can tell who goes (REV-4)."""
HONOR: Final = 25
"""Seven bits: the change of Honor, plus 64."""
STYX: Final = 32
"""Four bits: Energy paid for crossings, in steps of :data:`~storm_p2p.storm.rules.honor.STYX_ENERGY`."""
GAIN: Final = 36
"""Four bits: Energy gained from the river (POS-1)."""
TAKE: Final = 40
"""Four bits: Energy taken from the enemy (DEM-1)."""

FACTION: Final = 4
"""One bit of a choice: who chooses."""
MANEUVER: Final = 5
"""Three bits of a choice."""
ENERGY: Final = 32
"""All higher bits of a choice: its Energy."""

FREE: Final = 64 << HONOR
"""No change of Honor."""
