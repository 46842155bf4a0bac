"""The search for the ways of a wanderer (SPEC.md 2.6; HRM-1, A-37).

Whether one way is allowed, and what it costs, stands in ``movement``.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator

from storm_p2p import honor
from storm_p2p.board import NEIGHBOURS, OTHER, Region
from storm_p2p.honor import MOST_IN_REGION
from storm_p2p.movement import Cost
from storm_p2p.state import State
from storm_p2p.units import WANDERERS


def wander(state: State, origin: Region) -> Iterator[tuple[tuple[Region, ...], Cost]]:
    """Yield the best path of two or more steps to each region that a wanderer in ``origin`` can reach, with its cost.

    Best: least Honor, then least Energy, then fewest steps, then lowest region numbers.
    """
    faction = state.turn
    ours, theirs = state.sides[faction], state.sides[OTHER[faction]]
    stock, score = state.energy[faction], state.honor[faction]
    comrades = [len(group) for group in ours]
    comrades[origin] -= 1
    enemies = [len(group) for group in theirs]
    open_combat = state.terms.open_combat
    # Honor cannot be gained before the last step, so paths come off the queue from the cheapest on.  A path
    # to a region that was reached before is of use only if it has spent less Energy.
    queue: list[tuple[int, int, int, tuple[Region, ...]]] = [(0, 0, 0, (origin,))]
    least: dict[tuple[Region, bool], int] = {}
    best: dict[Region, tuple[int, int, int, tuple[Region, ...]]] = {}
    while queue:
        entry = heapq.heappop(queue)
        loss, spent, steps, path = entry
        here = path[-1]
        mark = (here, steps > 1)
        if least.get(mark, spent + 1) <= spent:
            continue
        least[mark] = spent
        if steps > 1 and here not in best:
            best[here] = entry
        # The Honor test follows each step.
        if steps and score - loss < 1:
            continue
        for there in NEIGHBOURS[here]:
            if comrades[there] >= MOST_IN_REGION:
                continue
            cost = honor.step(faction, 1, WANDERERS, WANDERERS, here, there, enemies[there], False, open_combat)
            assert cost is not None
            if spent + cost.energy > stock:
                continue
            further = (loss - cost.honor, spent + cost.energy, steps + 1, (*path, there))
            # He stops where somebody stands, and only there can a step gain Honor.
            if not comrades[there] and not enemies[there]:
                heapq.heappush(queue, further)
            elif steps and (there not in best or further < best[there]):
                best[there] = further
    for target in sorted(best):
        loss, spent, _, path = best[target]
        yield path, Cost(-loss, -spent)
