"""The search for the ways of a wanderer (docs/rules.md, "Movement"; HRM-1, A-37).

What one way does, or why it is refused, stands in ``movement``, the price of a single step in ``honor``.
"""

from functools import cache
from heapq import heapify, heappop, heappush
from typing import Final, TypeAlias

from storm_p2p.storm.bitboard import Bitboard
from storm_p2p.storm.board import CROSSES, NEIGHBOURS, Faction, Region
from storm_p2p.storm.rules import honor
from storm_p2p.storm.rules.honor import MOST_IN_REGION, STYX_ENERGY
from storm_p2p.storm.units import FLIERS

Way: TypeAlias = int
"""A way with its cost as one number, the least for the best way: Honor lost, Energy spent, steps, regions.

The regions take five bits each, the last one lowest; region 0 is none, so the beginning shows.
"""

_STEP: Final = 1 << 128
_PATH: Final = _STEP - 1
PAID: Final = 136
LOST: Final = 152
"""Where Energy and Honor begin in a way; 24 steps and 65,535 Energy are more than any has."""
SPENT: Final = (1 << LOST - PAID) - 1
_NEVER: Final = 1 << 200
"""More than any way costs."""
_FIRST: Final = 1 << 10
"""Below it is the path of a single step."""

_Steps: TypeAlias = tuple[tuple[tuple[Region, tuple[Way, ...]], ...], ...]
"""By region, its neighbours, and what a step to each adds to a way by what stands there."""


@cache
def _find_steps(faction: Faction, unit: int, open_combat: bool) -> tuple[_Steps, _Steps]:
    """Return the steps of a wanderer that do not cross the Styx, and all of them."""
    mask = 1 << unit

    def cost(here: Region, there: Region, enemies: int) -> Way:
        found = honor.step(faction, 1, mask & ~FLIERS, mask, here, there, enemies, False, open_combat)
        assert found is not None
        return (-found.honor << LOST) + (found.energy << PAID) + _STEP + there

    def step(here: Region, there: Region) -> tuple[Region, tuple[Way, ...]]:
        friendly = cost(here, there, 0)
        hostile = [cost(here, there, enemies) for enemies in range(1, MOST_IN_REGION + 1)]
        # MOV-4.
        return there, (*[friendly] * MOST_IN_REGION, _NEVER, *hostile)

    def steps(crossing: bool) -> _Steps:
        return tuple(
            tuple(step(here, there) for there in NEIGHBOURS[here] if crossing or not CROSSES[here][there])
            for here in range(25)
        )

    return steps(False), steps(True)


def read_way(way: Way) -> tuple[Region, ...]:
    """Return the regions of a way."""
    path, left = [], way & _PATH
    while left:
        path.append(left & 31)
        left >>= 5
    return tuple(reversed(path))


def search(board: Bitboard, origin: Region, unit: int, held: bytes) -> list[Way]:
    """Return the best way of two or more steps to each region that ``unit``, a wanderer in ``origin``, can reach.

    They are in the order of these regions.  ``held`` says who stands where
    (:func:`storm_p2p.storm.rules.move_list.crowds`).

    Honor can be gained with the last step only, so ways come off a queue from the cheapest on.  A way to a region
    that another one has reached is of use only if it has spent less Energy.
    """
    dry, everywhere = _find_steps(board.turn, unit, board.open_combat)
    # NRG-3: who has spent more cannot cross the Styx.
    most = board.energy[board.turn] - STYX_ENERGY
    # The Honor test follows each step; the side can lose the game on the way.
    lost = board.honor[board.turn] << LOST
    # The unit itself has left.
    kinds = list(held)
    kinds[origin] -= 1
    best = [_NEVER] * 25
    least, passed = [SPENT] * 25, [SPENT] * 25
    firsts = (everywhere if most >= 0 else dry)[origin]
    queue = [(origin << 5) + costs[0] for there, costs in firsts if not kinds[there]]
    heapify(queue)
    while queue:
        way = heappop(queue)
        here, path, spent = way & 31, way & _PATH, way >> PAID & SPENT
        if path < _FIRST:
            passed[here] = spent
        elif spent >= least[here]:
            continue
        else:
            least[here] = spent
            # One step would have led here as well.
            if spent >= passed[here]:
                continue
        if way >= lost:
            continue
        # The path makes room for one region more.
        way += 31 * path
        for there, costs in (everywhere if spent <= most else dry)[here]:
            if spent < least[there]:
                kind = kinds[there]
                further = way + costs[kind]
                if further < best[there]:
                    best[there] = further
                elif kind or further >> PAID & SPENT >= best[there] >> PAID & SPENT:
                    continue
                # The unit stops where somebody stands.
                if not kind:
                    heappush(queue, further)
    return [way for way in best if way < _NEVER]
