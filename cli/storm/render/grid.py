"""What a board is drawn on: its sizes, where each region lies, what is next to it, and characters over tints."""

from dataclasses import dataclass
from itertools import groupby
from typing import Final

from cli.console.render.spans import Line, on
from storm_p2p.storm.board import ALTITUDE, BASE, COLUMN, REALM, REGIONS, Region

_TOP: Final = max(ALTITUDE)


class Grid:
    """Characters that are put one over the other."""

    def __init__(self, rows: int, columns: int) -> None:
        self._rows = [[("", " ")] * columns for _ in range(rows)]
        self._tints = [[""] * columns for _ in range(rows)]

    def put(self, row: int, column: int, text: str, style: str = "") -> None:
        """Write text; each of its characters takes one column."""
        self._rows[row][column : column + len(text)] = [(style, char) for char in text]

    def tint(self, row: int, column: int, columns: int, tint: str) -> None:
        """Lay a tint under a part of a row, whatever is or will be written there."""
        self._tints[row][column : column + columns] = [tint] * columns

    def lines(self) -> tuple[Line, ...]:
        """Return the rows as spans."""
        return tuple(
            tuple(
                (on(style, tint), "".join(char for (_, char), _ in cells))
                for (style, tint), cells in groupby(zip(row, tints, strict=True), lambda cell: (cell[0][0], cell[1]))
            )
            for row, tints in zip(self._rows, self._tints, strict=True)
        )


@dataclass(frozen=True, slots=True)
class Size:
    """The measures of a board."""

    pitch: int
    """Columns from one column of hexes to the next."""
    height: int
    """Rows of half a hex."""
    rows: int
    columns: int
    """Of the whole board."""


SMALL: Final = Size(11, 1, 13, 56)
LARGE: Final = Size(16, 2, 25, 82)
HUGE: Final = Size(21, 3, 37, 108)
"""With the strength of each unit."""


def top(region: Region, size: Size) -> int:
    """Return the first row of a region, below the edge above it."""
    return 1 + (_TOP - ALTITUDE[region]) * size.height


def _near(region: Region, columns: int, altitude: int) -> Region:
    """Return the region so many columns right and so much higher, or 0."""
    for there in REGIONS:
        if COLUMN[there] == COLUMN[region] + columns and ALTITUDE[there] == ALTITUDE[region] + altitude:
            return there
    return 0


UP_LEFT: Final = (0, *(_near(region, -1, 1) for region in REGIONS))
DOWN_LEFT: Final = (0, *(_near(region, -1, -1) for region in REGIONS))
UP_RIGHT: Final = (0, *(_near(region, 1, 1) for region in REGIONS))
DOWN_RIGHT: Final = (0, *(_near(region, 1, -1) for region in REGIONS))
BELOW: Final = (0, *(_near(region, 0, -2) for region in REGIONS))
ABOVE: Final = (0, *(_near(region, 0, 2) for region in REGIONS))

WORLD: Final = (
    "",
    *(
        {BASE[0]: "tartarus", BASE[1]: "palace"}.get(region)
        or ("underworld" if region in REALM[0] else "olympus" if region in REALM[1] else "earth")
        for region in REGIONS
    ),
)
"""The tint of each region."""
