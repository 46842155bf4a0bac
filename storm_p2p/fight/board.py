"""The board: six spaces a side in one row (F-2.1, F-2.2)."""

from enum import IntEnum
from typing import Final


class Area(IntEnum):
    """A part of a side."""

    OLYMPUS = 0
    DELPHI = 1
    TROY = 2


class Colour(IntEnum):
    """A colour of cards and markers (B-01)."""

    RED = 0
    BLUE = 1
    GREEN = 2
    YELLOW = 3


SPACES: Final = (1, 2, 3, 4, 5, 6)
"""The spaces of a side, from the Olympus edge to the Troy edge."""

AREA: Final = (Area.OLYMPUS, Area.OLYMPUS, Area.OLYMPUS, Area.OLYMPUS, Area.DELPHI, Area.DELPHI, Area.TROY)
"""The area of each space; the first entry is that of no space."""

GOAL: Final = 7
"""How many points the counter has to stand on one's own side (F-2.5)."""
