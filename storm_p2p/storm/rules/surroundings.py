"""What decides about a step beside the group and its goal: the own stock, what can be drained, the ferries."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from storm_p2p.storm.board import ADJACENT, BANK, OTHER, Faction, Region
from storm_p2p.storm.rules.honor import SNEAK_ENERGY, STYX_ENERGY
from storm_p2p.storm.state import Group, State, known_mask
from storm_p2p.storm.units import ALL_OF, CARDS, FERRIES, Unit, units_in

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


def surroundings(state: State) -> Surroundings:
    """Return what decides about the moves of the side whose turn it is."""
    faction = state.turn
    stock, prey = state.energy[faction], state.energy[OTHER[faction]]
    return _surroundings(
        faction,
        stock if stock < MOST_NEEDED else MOST_NEEDED,  # noqa: FURB136
        prey if prey < MOST_DRAINED else MOST_DRAINED,  # noqa: FURB136
        ferry_regions(state.sides[faction]) if ALL_OF[faction] & FERRIES else frozenset(),
        state.terms.open_combat,
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


def ferry_regions(side: Sequence[Group]) -> frozenset[Region]:
    """Return where known ferries stand on a bank of the Styx (CHN-3)."""
    # Nearly always there is none; a set is made for those who have one.
    found = [region for region in _BANK for token in side[region] if token.known and token.can & FERRIES]
    return frozenset(found) if found else _NOWHERE


_BANK: Final = tuple(sorted(BANK))
_NOWHERE: Final[frozenset[Region]] = frozenset()


def nearest_ferry(side: Sequence[Group], origin: Region, target: Region) -> Unit:
    """Return a known ferry by which a side crosses free (CHN-1, CHN-3)."""
    near = [region for region in ferry_regions(side) if is_ferried(origin, target, frozenset((region,)))]
    return units_in(known_mask(side[min(near)]) & FERRIES)[0]


@lru_cache(maxsize=4096)
def is_ferried(origin: Region, target: Region, ferries: frozenset[Region]) -> bool:
    """Return whether a ferry is near enough for a free crossing (CHN-3, A-47)."""
    return any(here in (origin, target) or ADJACENT[here][origin] or ADJACENT[here][target] for here in ferries)
