"""The search for the ways of a wanderer (docs/rules.md, "Movement"; HRM-1, A-37).

What one way does, or why it is refused, stands in ``movement``, the price of a single step in ``honor``.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Final, TypeAlias

from storm_p2p.storm.bitboard import Bitboard
from storm_p2p.storm.board import ALTITUDE, NEIGHBOURS, PALACE, REGIONS, TARTARUS, Faction, Region, climbs
from storm_p2p.storm.rules import honor
from storm_p2p.storm.rules.honor import MOST_IN_REGION
from storm_p2p.storm.units import FLIERS

Path: TypeAlias = tuple[Region, ...]

Way: TypeAlias = tuple[int, int, int, Path]
"""Honor lost, Energy spent, steps, regions: the least way is the best one."""

_Label: TypeAlias = tuple[int, int, Path]
"""A way among those that lose the same Honor."""

_Edge: TypeAlias = tuple[Region, int, tuple[tuple[int, int], ...]]
"""A neighbour, its bit, and the Honor lost and Energy spent on the step by what stands there.

The further forward a region lies, the higher its bit.
"""

_EMPTY: Final = 0
_FULL: Final = MOST_IN_REGION
_NEVER: Final = 1 << 30
"""More Energy than anybody has."""


@lru_cache(maxsize=16)
def _edges(faction: Faction, unit: int, open_combat: bool) -> tuple[tuple[_Edge, ...], ...]:
    """Return the steps of a wanderer from each region."""
    mask = 1 << unit
    bits = {region: bit for bit, region in _regions(faction).items()}

    def cost(here: Region, there: Region, enemies: int) -> tuple[int, int]:
        found = honor.step(faction, 1, mask & ~FLIERS, mask, here, there, enemies, False, open_combat)
        assert found is not None
        return -found.honor, found.energy

    def edge(here: Region, there: Region) -> _Edge:
        friendly = cost(here, there, 0)
        hostile = [cost(here, there, enemies) for enemies in range(1, MOST_IN_REGION + 1)]
        return there, bits[there], (*[friendly] * (MOST_IN_REGION + 1), *hostile)

    return tuple(tuple(edge(here, there) for there in NEIGHBOURS[here]) for here in range(25))


@lru_cache(maxsize=2)
def _regions(faction: Faction) -> dict[int, Region]:
    """Return the regions by their bits."""
    rise = climbs(faction, TARTARUS, PALACE)
    return {1 << place: region for place, region in enumerate(sorted(REGIONS, key=lambda r: rise * ALTITUDE[r]))}


def _first_steps(edges: tuple[_Edge, ...], kinds: Sequence[int], stock: int) -> list[tuple[int, int, Region]]:
    """Return the first steps to empty regions with their loss and Energy, the cheapest last."""
    steps = [(*costs[_EMPTY], there) for there, _, costs in edges if kinds[there] == _EMPTY]
    return sorted([step for step in steps if step[1] <= stock], reverse=True)


def _backward(unit: int) -> int:
    """Return what a step that is not forward loses (HON-2); a step forward of one unit loses nothing (HON-1)."""
    return honor.adjust(honor.friendly_penalty(1, -1), 1 << unit, alone=True, doubling=False)


def wander(board: Bitboard, origin: Region, unit: int, held: Sequence[int]) -> list[Way]:
    """Return the best way of two or more steps to each region that ``unit``, a wanderer in ``origin``, can reach.

    ``held`` says who stands where (:func:`storm_p2p.storm.rules.move_list.crowds`).

    Best: least Honor, then least Energy, then fewest steps, then lowest region numbers.

    Honor can be gained with the last step only, so the ways are found in layers of equal loss, the least loss
    first.  A step forward stays in its layer and any other leads to the next one, so within a layer each region is
    done once, from the rear to the front, with its best way.  In a later layer a way to the same region is of use
    only if it has spent less Energy.
    """
    edges, backward = _edges(board.turn, unit, board.open_combat), _backward(unit)
    regions = _regions(board.turn)
    stock, score = board.energy[board.turn], board.honor[board.turn]
    # The unit itself has left.
    kinds = list(held)
    kinds[origin] -= 1
    firsts = _first_steps(edges[origin], kinds, stock)
    best: dict[Region, Way] = {}
    least, passed = [_NEVER] * 25, [_NEVER] * 25
    loss = 0
    layer: dict[Region, _Label] = {}
    pending = 0
    while firsts or layer:
        following: dict[Region, _Label] = {}
        coming = 0
        while True:
            if firsts and firsts[-1][0] == loss:
                _, energy, here = firsts.pop()
                steps = 1
                path: Path = (origin, here)
                passed[here] = energy
            elif pending:
                bit = pending & -pending
                pending ^= bit
                here = regions[bit]
                energy, steps, path = layer[here]
                if energy >= least[here]:
                    continue
                least[here] = energy
                if here not in best:
                    best[here] = (loss, energy, steps, path)
                # One step would have led here as well.
                if energy >= passed[here]:
                    continue
            else:
                break
            # The Honor test follows each step; the side can lose the game on the way.
            if loss >= score:
                continue
            steps += 1
            for there, bit, costs in edges[here]:
                kind = kinds[there]
                # MOV-4.
                if kind == _FULL:
                    continue
                lost, spent = costs[kind]
                spent += energy
                # NRG-3.
                if spent > stock:
                    continue
                if kind != _EMPTY:
                    # The unit stops where somebody stands.
                    way = (loss + lost, spent, steps, (*path, there))
                    if there not in best or way < best[there]:
                        best[there] = way
                elif spent < least[there]:
                    label = (spent, steps, (*path, there))
                    if lost:
                        if there not in following or label < following[there]:
                            following[there] = label
                            coming |= bit
                    elif there not in layer or label < layer[there]:
                        layer[there] = label
                        pending |= bit
        layer, pending = following, coming
        loss += backward
    return [best[target] for target in sorted(best)]
