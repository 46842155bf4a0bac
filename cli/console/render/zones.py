"""Which cells of the screen belong to which region of the board."""

from __future__ import annotations

from functools import lru_cache

from cli.console.render import board
from cli.console.screen_state import Zone
from storm_p2p.storm.board import REGIONS


@lru_cache(maxsize=2)
def hexes(*, large: bool) -> tuple[Zone, ...]:
    """Return the cells of each region, below the head line."""
    size = board.LARGE if large else board.SMALL
    zones = []
    for region in REGIONS:
        row, column = board.place(region, large=large)
        left = column // size.pitch * size.pitch
        zones += [
            Zone(1 + row + down, left + 1, left + size.pitch, f"hex {region}") for down in range(2 * size.height)
        ]
    return tuple(zones)
