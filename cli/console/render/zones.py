"""One picture of the full screen: its rows, and which cells of it can be clicked."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache

from cli.console.render import board
from storm_p2p.storm.board import REGIONS


@dataclass(frozen=True, slots=True)
class Zone:
    """A part of a row that can be clicked."""

    row: int
    left: int
    right: int
    """The column behind its last one."""
    what: str
    """``hex N``, ``unit NAME``, ``word WORD`` (a word of the prompt) or ``key NAME``."""


@dataclass(frozen=True, slots=True)
class Frame:
    """One picture: the rows above and below the prompt, and what can be clicked."""

    above: tuple[tuple[tuple[str, str], ...], ...]
    prompt: str
    below: tuple[tuple[tuple[str, str], ...], ...]
    zones: tuple[Zone, ...] = field(default=())


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
