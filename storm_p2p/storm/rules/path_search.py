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

Trail: TypeAlias = int
"""The regions of a way, five bits each, the last one lowest; region 0 is none, so its beginning shows."""

_Edge: TypeAlias = tuple[Region, int, tuple[int, ...]]
"""A neighbour, its bit, and what the step costs by what stands there.

The further forward a region lies, the higher its bit.  A cost, and that of a whole way, is one number: Honor lost,
Energy spent, steps, so that the least number is the best one; of two ways with the same cost the better one has the
lesser trail, for it has the lower region numbers.
"""

PAID: Final = 8
LOST: Final = 24
"""Where Energy and Honor begin in a cost; 255 steps and 65,535 Energy are more than any way has."""
SPENT: Final = (1 << LOST - PAID) - 1

_EMPTY: Final = 0
_FULL: Final = MOST_IN_REGION
NEVER: Final = 1 << 60
"""More than any way costs."""


@lru_cache(maxsize=16)
def _edges(faction: Faction, unit: int, open_combat: bool) -> tuple[tuple[_Edge, ...], ...]:
    """Return the steps of a wanderer from each region."""
    mask = 1 << unit
    bits = {region: bit for bit, region in _regions(faction).items()}

    def cost(here: Region, there: Region, enemies: int) -> int:
        found = honor.step(faction, 1, mask & ~FLIERS, mask, here, there, enemies, False, open_combat)
        assert found is not None
        return (-found.honor << LOST) + (found.energy << PAID) + 1

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


@lru_cache(maxsize=16)
def _backward(unit: int) -> int:
    """Return what a step that is not forward loses (HON-2); a step forward of one unit loses nothing (HON-1)."""
    return honor.adjust(honor.friendly_penalty(1, -1), 1 << unit, alone=True, doubling=False)


def read_trail(trail: Trail) -> tuple[Region, ...]:
    """Return the regions of a way."""
    path = []
    while trail:
        path.append(trail & 31)
        trail >>= 5
    return tuple(reversed(path))


def search(board: Bitboard, origin: Region, unit: int, held: Sequence[int]) -> tuple[list[int], list[Trail]]:
    """Return the best way of two or more steps to each region that ``unit``, a wanderer in ``origin``, can reach.

    Each is told by its cost, :data:`NEVER` where there is none, and its trail, by region.  ``held`` says who stands
    where (:func:`storm_p2p.storm.rules.move_list.crowds`).

    Best: least Honor, then least Energy, then fewest steps, then lowest region numbers.

    Honor can be gained with the last step only, so the ways are found in layers of equal loss, the least loss
    first.  A step forward stays in its layer and any other leads to the next one, so within a layer each region is
    done once, from the rear to the front, with its best way.  In a later layer a way to the same region is of use
    only if it has spent less Energy.
    """
    edges = _edges(board.turn, unit, board.open_combat)
    backward = _backward(unit)
    regions = _regions(board.turn)
    stock, score = board.energy[board.turn], board.honor[board.turn]
    # The unit itself has left.
    kinds = list(held)
    kinds[origin] -= 1
    best, trails = [NEVER] * 25, [0] * 25
    least, passed = [NEVER] * 25, [NEVER] * 25
    # The first steps, to empty regions, the cheapest last.
    firsts = [(costs[_EMPTY], there) for there, _, costs in edges[origin] if kinds[there] == _EMPTY]
    firsts.sort(reverse=True)
    loss = 0
    layer, steps_of = [NEVER] * 25, [0] * 25
    pending = 0
    while firsts or pending:
        following, steps_after = [NEVER] * 25, [0] * 25
        coming = 0
        while True:
            if firsts and firsts[-1][0] >> LOST == loss:
                cost, here = firsts.pop()
                energy = cost >> PAID & SPENT
                if energy > stock:
                    continue
                trail = origin << 5 | here
                passed[here] = energy
            elif pending:
                bit = pending & -pending
                pending ^= bit
                here = regions[bit]
                cost, trail = layer[here], steps_of[here]
                energy = cost >> PAID & SPENT
                if energy >= least[here]:
                    continue
                least[here] = energy
                if best[here] == NEVER:
                    best[here], trails[here] = cost, trail
                # One step would have led here as well.
                if energy >= passed[here]:
                    continue
            else:
                break
            # The Honor test follows each step; the side can lose the game on the way.
            if loss >= score:
                continue
            trail <<= 5
            for there, bit, costs in edges[here]:
                kind = kinds[there]
                # MOV-4; and of no use is a way that has spent as much as an earlier one to the same empty region.
                if kind == _FULL or (kind == _EMPTY and least[there] <= energy):
                    continue
                new = cost + costs[kind]
                spent = new >> PAID & SPENT
                # NRG-3.
                if spent > stock:
                    continue
                way = trail | there
                if kind != _EMPTY:
                    # The unit stops where somebody stands.
                    if new < best[there] or (new == best[there] and way < trails[there]):
                        best[there], trails[there] = new, way
                elif spent < least[there]:
                    if new >> LOST != loss:
                        if new < following[there] or (new == following[there] and way < steps_after[there]):
                            following[there], steps_after[there] = new, way
                            coming |= bit
                    elif new < layer[there] or (new == layer[there] and way < steps_of[there]):
                        layer[there], steps_of[there] = new, way
                        pending |= bit
        layer, steps_of, pending = following, steps_after, coming
        loss += backward
    return best, trails
