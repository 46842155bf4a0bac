"""What decides about a step beside the group and its goal: the own stock, what can be drained, the ferries."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from storm_p2p.storm.bitboard import Bitboard
from storm_p2p.storm.board import ADJACENT, BANK, OTHER, Faction, Region
from storm_p2p.storm.rules.honor import SNEAK_ENERGY, STYX_ENERGY
from storm_p2p.storm.units import ALL_OF, CARDS, DRAINERS, FERRIES, Unit, units_in

MOST_DRAINED: Final = max(card.drains for card in CARDS)
"""DEM-1."""
MOST_NEEDED: Final = max(STYX_ENERGY, SNEAK_ENERGY)
"""No step needs more Energy."""


@dataclass(frozen=True, slots=True, eq=False)
class Surroundings:
    """The facts beside group and goal that decide what a step does.

    They are made in one place, which keeps them, and compared by identity: they are part of the keys of everything
    that is kept about moves.
    """

    faction: Faction
    stock: int
    """Own Energy, as far as a step can need it."""
    prey: int
    """Energy of the enemy, as far as it can be drained."""
    ferries: frozenset[Region]
    """Where known ferries stand on a bank (CHN-3)."""
    open_combat: bool


def surroundings(board: Bitboard) -> Surroundings:
    """Return what decides about the moves of the side whose turn it is."""
    faction = board.turn
    stock, prey = board.energy[faction], board.energy[OTHER[faction]]
    return _surroundings(
        faction,
        stock if stock < MOST_NEEDED else MOST_NEEDED,  # noqa: FURB136
        prey if prey < MOST_DRAINED and ALL_OF[faction] & DRAINERS else MOST_DRAINED,
        ferry_regions(board, faction),
        board.open_combat,
    )


@lru_cache(maxsize=1 << 9)
def _surroundings(
    faction: Faction, stock: int, prey: int, ferries: frozenset[Region], open_combat: bool
) -> Surroundings:
    return Surroundings(faction, stock, prey, ferries, open_combat)


@lru_cache(maxsize=4)
def inland(faction: Faction, open_combat: bool) -> Surroundings:
    """Return surroundings for steps that neither cross the Styx nor claim anything: all of them are alike."""
    return _surroundings(faction, MOST_NEEDED, MOST_DRAINED, frozenset(), open_combat)


def ferry_regions(board: Bitboard, faction: Faction) -> frozenset[Region]:
    """Return where known ferries stand on a bank of the Styx (CHN-3)."""
    ferries = board.known & FERRIES & ALL_OF[faction]
    # Nearly always there is none; a set is made for those who have one.
    if not ferries:
        return _NOWHERE
    side = board.at[faction]
    return frozenset([region for region in _BANK if side[region] & ferries])


_BANK: Final = tuple(sorted(BANK))
_NOWHERE: Final[frozenset[Region]] = frozenset()


def nearest_ferry(board: Bitboard, faction: Faction, origin: Region, target: Region) -> Unit:
    """Return a known ferry by which a side crosses free (CHN-1, CHN-3)."""
    near = [region for region in ferry_regions(board, faction) if is_ferried(origin, target, frozenset((region,)))]
    return units_in(board.at[faction][min(near)] & board.known & FERRIES)[0]


@lru_cache(maxsize=4096)
def is_ferried(origin: Region, target: Region, ferries: frozenset[Region]) -> bool:
    """Return whether a ferry is near enough for a free crossing (CHN-3, A-47)."""
    return any(here in (origin, target) or ADJACENT[here][origin] or ADJACENT[here][target] for here in ferries)
