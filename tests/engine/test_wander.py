"""The search for a wanderer's ways on numbers against a plain one on paths (HRM-1, A-37)."""

from __future__ import annotations

import heapq
import random
from collections.abc import Iterator
from typing import TypeAlias

import pytest

from storm_p2p.storm.actions import Move
from storm_p2p.storm.board import FACTIONS, NEIGHBOURS, OTHER, REGIONS, Faction, Region
from storm_p2p.storm.rules import honor
from storm_p2p.storm.rules.honor import MOST_IN_REGION
from storm_p2p.storm.rules.move_list import crowds, occupancy_of
from storm_p2p.storm.rules.movement import judge
from storm_p2p.storm.rules.path_search import LOST, PAID, SPENT, read_way, search
from storm_p2p.storm.state import Group, Phase, State, Terms, Token
from storm_p2p.storm.state_builder import StateBuilder
from storm_p2p.storm.units import WANDERERS, Unit, units_in

WANDERER = units_in(WANDERERS)[0]
Way: TypeAlias = tuple[int, int, int, tuple[Region, ...]]
"""Honor lost, Energy spent, steps, regions: the least way is the best one."""


def plainly(state: State, origin: Region) -> list[Way]:
    """Return the best way of two or more steps to each region, from a queue of all ways that may be of use."""
    faction = state.turn
    ours, theirs = state.sides[faction], state.sides[OTHER[faction]]
    stock, score = state.energy[faction], state.honor[faction]
    comrades = [len(group) for group in ours]
    comrades[origin] -= 1
    enemies = [len(group) for group in theirs]
    # Honor cannot be gained before the last step, so ways come off the queue from the cheapest on.  A way to a
    # region that was reached before is of use only if it has spent less Energy.
    queue: list[Way] = [(0, 0, 0, (origin,))]
    least: dict[tuple[Region, bool], int] = {}
    best: dict[Region, Way] = {}
    while queue:
        way = heapq.heappop(queue)
        loss, spent, steps, path = way
        here = path[-1]
        mark = (here, steps > 1)
        if least.get(mark, spent + 1) <= spent:
            continue
        least[mark] = spent
        if steps > 1 and here not in best:
            best[here] = way
        # The Honor test follows each step.
        if steps and score - loss < 1:
            continue
        for there in NEIGHBOURS[here]:
            if comrades[there] >= MOST_IN_REGION:
                continue
            cost = honor.step(
                faction, 1, WANDERERS, WANDERERS, here, there, enemies[there], False, state.terms.open_combat
            )
            assert cost is not None
            if spent + cost.energy > stock:
                continue
            further = (loss - cost.honor, spent + cost.energy, steps + 1, (*path, there))
            # He stops where somebody stands, and only there can a step gain Honor.
            if not comrades[there] and not enemies[there]:
                heapq.heappush(queue, further)
            elif steps and (there not in best or further < best[there]):
                best[there] = further
    return [best[target] for target in sorted(best)]


def ways(state: State, origin: Region) -> list[Way]:
    """Return the same from the search."""
    board = StateBuilder(state)
    found = []
    for way in search(board, origin, WANDERER, crowds(occupancy_of(board))):
        path = read_way(way)
        found.append((way >> LOST, way >> PAID & SPENT, len(path) - 1, path))
    return found


def position(rng: random.Random, faction: Faction) -> tuple[State, Region]:
    """Return any position, also such as a game does not reach, with a wanderer who is about to move."""
    sides: list[list[Group]] = [[()] * 25 for _ in FACTIONS]
    spread = rng.choice((24, 12, 6))
    regions = rng.sample(REGIONS, spread)
    owner = {region: rng.choice(FACTIONS) for region in regions}
    units: list[Unit] = [unit for unit in Unit if unit != WANDERER]
    origin = rng.choice(regions)
    owner[origin] = faction
    sides[faction][origin] = (Token(99, faction, WANDERER, False, WANDERERS),)
    for unit in rng.sample(units, rng.randint(0, 18)):
        region = rng.choice(regions)
        group = sides[owner[region]][region]
        if len(group) < MOST_IN_REGION:
            sides[owner[region]][region] = (*group, Token(int(unit), owner[region], unit, True, 1 << unit))
    honor_left, energy = (
        (rng.choice((1, 2, 3, 4, 5, 7, 16)), rng.choice((1, 16))),
        (rng.choice((0, 1, 2, 3, 4, 6, 24)), rng.choice((0, 24))),
    )
    state = State(
        Terms(rng.random() < 0.3),
        Phase.TURN,
        faction,
        1,
        honor_left if faction == Faction.CHTHONIANS else honor_left[::-1],
        energy if faction == Faction.CHTHONIANS else energy[::-1],
        (tuple(sides[0]), tuple(sides[1])),
        (),
        0,
        100,
    )
    return state, origin


def positions(seed: int) -> Iterator[tuple[State, Region]]:
    rng = random.Random(seed)
    for _ in range(40):
        yield position(rng, rng.choice(FACTIONS))


@pytest.mark.parametrize("seed", range(40))
def test_the_search_finds_the_same_ways_as_a_plain_one(seed: int) -> None:
    for state, origin in positions(seed):
        assert ways(state, origin) == plainly(state, origin)


@pytest.mark.parametrize("seed", range(10))
def test_each_way_is_allowed_and_costs_what_the_search_says(seed: int) -> None:
    for state, origin in positions(seed):
        group = state.sides[state.turn][origin]
        place = [token.unit for token in group].index(WANDERER)
        for loss, energy, _, path in ways(state, origin):
            plan = judge(state, Move(path, (place,), 1))
            assert (plan.honor, plan.energy) == (-loss, -energy)
