"""What an attack would be, before it is chosen: how many against how many, and what is known of the strengths."""

from dataclasses import dataclass
from functools import lru_cache

from storm_p2p.storm.actions import Move, Sneak
from storm_p2p.storm.board import OTHER, Faction
from storm_p2p.storm.rules import combat
from storm_p2p.storm.state import State
from storm_p2p.storm.units import mask_of, units_in


@dataclass(frozen=True, slots=True)
class Odds:
    """Numbers and base strengths, before Energy and maneuvers; what hidden enemies can be makes it least and most."""

    ours: int
    theirs: int
    mine: tuple[int, int]
    his: tuple[int, int]


def odds(state: State, action: Move | Sneak, faction: Faction) -> Odds | None:
    """Return what is known of the attack that an action begins, or None where nobody is attacked.

    The state is the owner's view: of a hidden enemy only what everybody knows that it can be is asked.
    """
    enemies = state.sides[OTHER[faction]][action.path[-1]]
    if not enemies:
        return None
    places = action.movers if isinstance(action, Move) else (action.mover,)
    group = state.sides[faction][action.path[0]]
    mine = mask_of(unit for place in places if (unit := group[place].unit) is not None)
    return Odds(len(places), len(enemies), *_ranges(faction, mine, tuple(token.can for token in enemies)))


@lru_cache(maxsize=1 << 10)
def _ranges(faction: Faction, mine: int, cans: tuple[int, ...]) -> tuple[tuple[int, int], tuple[int, int]]:
    """Return the least and the most of both strengths, over all that the enemies can be."""
    own, others = zip(*(_strengths(faction, mine, his) for his in _possible(cans)), strict=True)
    return (min(own), max(own)), (min(others), max(others))


def _possible(cans: tuple[int, ...]) -> tuple[int, ...]:
    """Return which units a group can be together, no unit twice."""
    found = {0}
    for can in cans:
        found = {mask | 1 << unit for mask in found for unit in units_in(can) if not mask >> unit & 1}
    return tuple(found)


def _strengths(faction: Faction, mine: int, his: int) -> tuple[int, int]:
    """Return the strengths of an attacker and of those who are attacked."""
    masks = {faction: mine, OTHER[faction]: his}
    base, _ = combat.account(masks[Faction.CHTHONIANS], masks[Faction.OLYMPIANS], faction, False)
    return base[faction], base[OTHER[faction]]
