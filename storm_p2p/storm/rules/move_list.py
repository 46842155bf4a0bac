"""The list of all moves of a side (docs/rules.md, "Movement").

What a single move does, or why it is refused, stands in ``movement``.  The list is put together from parts that
are kept.  What a group can do depends on who stands in it and how many stand next door, and most of that does not
matter: only some units must be told apart (:func:`storm_p2p.storm.rules.movement.codes_near`), and only some numbers
(:func:`_that_matters`).  So there are few different parts, and nearly all have been made before.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from typing import Final, NamedTuple, TypeAlias

from storm_p2p.storm.actions import Action, Move, Reveal, Sneak
from storm_p2p.storm.board import (
    ADJACENT,
    BANK,
    CROSSES,
    FACTIONS,
    NEIGHBOURS,
    REGIONS,
    UNDERWORLD,
    Faction,
    Region,
)
from storm_p2p.storm.rules.equivalence import PLAIN, Member, codes_near, codes_toward
from storm_p2p.storm.rules.honor import MOST_IN_REGION
from storm_p2p.storm.rules.movement import Cost, Plan, count_that_matter, evaluate
from storm_p2p.storm.rules.occupancy import (
    COMRADES,
    ENEMIES,
    EVERY_CROWD,
    Crowd,
    Occupancy,
    count_crowd,
    crowd_in,
    look_next_door,
)
from storm_p2p.storm.rules.path_search import Way, wander
from storm_p2p.storm.rules.pricing import Price, price_of, reveal_places
from storm_p2p.storm.rules.surroundings import Surroundings, inland, surroundings
from storm_p2p.storm.state import Group, State
from storm_p2p.storm.units import (
    ALL_OF,
    DRAINERS,
    LEADERS,
    RIVER_FED,
    SNEAKS,
    UNITS,
    Unit,
)

Option: TypeAlias = tuple[Action, Cost]


@dataclass(frozen=True, slots=True, eq=False)
class Near:
    """What a group can do in its neighbourhood: kept, shared by all groups that are alike, and the key of more."""

    options: tuple[Option, ...]


# -- moves to a neighbour ---------------------------------------------------------------------------------


@lru_cache(maxsize=1 << 10)
def cost_of(honor: int, energy: int, shown: tuple[int, ...] = (), divides: bool = False) -> Cost:
    """Return a cost as one shared value."""
    return Cost(honor, energy, shown, divides)


def _that_matters(faction: Faction, origin: Region, size: int) -> Occupancy:
    """Return which bits of the crowds can matter for the moves of a group of ``size`` to its neighbours."""
    # Of the comrades at a goal only the room they leave matters...
    comrades = COMRADES << MOST_IN_REGION - size & COMRADES
    bits = look_next_door(origin, ENEMIES | comrades)
    # ... unless somebody looks for an empty region (DEM-1).
    if ALL_OF[faction] & DRAINERS:
        for there in NEIGHBOURS[origin]:
            if there in UNDERWORLD:
                bits |= 1 << 8 * there
    return bits


_MATTERS: Final = tuple(
    tuple(tuple(_that_matters(faction, origin, size) for size in range(MOST_IN_REGION + 1)) for origin in range(25))
    for faction in FACTIONS
)
"""``_MATTERS[faction][origin][size]``: the bits of the crowds that can matter."""

_DANGER: Final = tuple(look_next_door(origin, ENEMIES) for origin in range(25))
"""The bits of the crowds for enemies next door."""

_CODES: Final = tuple((codes_near(origin, False), codes_near(origin, True)) for origin in range(25))
"""``_CODES[origin][enemies next door]``: who must be told apart."""


def danger(origin: Region, held: Occupancy) -> bool:
    """Return whether enemies stand next to a region."""
    return held & _DANGER[origin] != 0


class Choices(NamedTuple):
    """What the groups of a side can do."""

    moves: list[tuple[Group, Near]]
    """Each group with its moves to neighbours."""
    reveals: list[tuple[Reveal, Cost]]
    """What may be opened (TRN-5)."""
    gifted: list[tuple[Region, int]]
    """Region and place of those who may be able to do more."""


def choices(state: State, held: Occupancy, able: frozenset[int]) -> Choices:
    """Return what the groups of the side to move, which must know its units, can do.

    The moves do not name their units (see :func:`name_option`): without the names, equal groups have equal moves.

    Args:
        state: the position.
        held: who stands where.
        able: the units that may be able to do more than move to a neighbour and open.
    """
    faction = state.turn
    around, far = surroundings(state), inland(faction, state.terms.open_combat)
    matters = _MATTERS[faction]
    moves: list[tuple[Group, Near]] = []
    reveals: list[tuple[Reveal, Cost]] = []
    gifted: list[tuple[Region, int]] = []
    for origin, group in enumerate(state.sides[faction]):
        if group and origin:
            crowd = held & matters[origin][len(group)]
            codes = _CODES[origin][crowd & _DANGER[origin] != 0]
            members = []
            for place, (_, _, unit, known, _) in enumerate(group):
                members.append(codes[unit][known])
                # TRN-5.
                if not known:
                    reveals.append(_REVEALS[origin][place])
                if unit in able:
                    gifted.append((origin, place))
            # Most groups stand far from the river and hold nobody special; for them all surroundings are alike.
            depends = around if origin in BANK or max(members) >= 0 else far
            moves.append((group, _near(depends, tuple(members), origin, crowd)))
    return Choices(moves, reveals, gifted)


_REVEALS: Final = tuple(
    tuple((Reveal(region, place), cost_of(0, 0, (place,))) for place in range(MOST_IN_REGION))
    for region in range(25)
)


@lru_cache(maxsize=1 << 15)
def _near(around: Surroundings, members: tuple[Member, ...], origin: Region, held: Occupancy) -> Near:
    """Return the moves of a group to its neighbours."""
    found: list[Option] = []
    for target in NEIGHBOURS[origin]:
        crowd = crowd_in(held, target)
        codes = codes_toward(origin, target, crowd & ENEMIES != 0)
        needed = tuple([PLAIN if code < 0 else codes[code >> 1][code & 1] for code in members])
        if not CROSSES[origin][target] and max(needed) < 0:
            found += _toward(inland(around.faction, around.open_combat), needed, origin, target, crowd)
        else:
            found += _toward(around, needed, origin, target, crowd)
    return Near(tuple(found))


@lru_cache(maxsize=1 << 14)
def _toward(
    around: Surroundings, members: tuple[Member, ...], origin: Region, target: Region, crowd: Crowd
) -> tuple[Option, ...]:
    """Return the moves of a group to a region, by all or by some."""
    size = len(members)
    found: list[Option] = []
    for count in range(1, size + 1):
        for part in combinations(range(size), count):
            moving = tuple([members[place] for place in part])
            found += _ways(around, moving, part, count == size, origin, target, crowd)
    return tuple(found)


def _ways(
    around: Surroundings, moving: tuple[Member, ...], part: tuple[int, ...], whole: bool,
    origin: Region, target: Region, crowd: Crowd,
) -> Iterator[Option]:  # fmt: skip
    """Yield the legal ways to go to a region: plain, with a claim, by stealth."""
    comrades, enemies = count_crowd(crowd)
    for claim, sneak in _manners(moving, enemies):
        plan = evaluate(
            around, moving, len(moving), whole, claim, sneak, origin, target,
            count_that_matter(comrades, len(moving), claim), enemies, None,
        )  # fmt: skip
        if isinstance(plan, Plan):
            claimant = None if claim is None else part[claim]
            yield _option((origin, target), part, claimant, plan)


def _manners(moving: tuple[Member, ...], enemies: int) -> list[tuple[int | None, bool]]:
    """Return the manners of going that these units could try: who claims, and whether by stealth."""
    # A known leader, and one that enters an occupied Palace, needs no claim.
    wins = bool(enemies) or any(code & 1 and 1 << (code >> 1) & LEADERS for code in moving if code >= 0)
    manners: list[tuple[int | None, bool]] = [(None, False)]
    for place, code in enumerate(moving):
        bit = 1 << (code >> 1) if code >= 0 else 0
        if bit & (RIVER_FED | DRAINERS) or (bit & LEADERS and not wins):
            manners.append((place, False))
        if bit & SNEAKS and len(moving) == 1 and enemies:
            manners.append((None, True))
    return manners


@lru_cache(maxsize=1 << 14)
def _option(path: tuple[Region, Region], part: tuple[int, ...], claim: int | None, plan: Plan) -> Option:
    """Return an option as one shared value: the lists hold very many of them."""
    action = Sneak(path, part[0]) if plan.sneak else Move(path, part, len(part), claim)
    return action, cost_of(plan.honor, plan.energy, reveal_places(action, plan, part), plan.divides)


# -- those who go further ---------------------------------------------------------------------------------


def flights(state: State, origin: Region, place: int, held: Occupancy) -> list[Option]:
    """Return the flights of a known flier to where it cannot walk (FLY-1)."""
    group = state.sides[state.turn][origin]
    unit = group[place].unit
    assert unit is not None
    found: list[Option] = []
    # A flight costs no Energy (FLY-2), and nearly nobody claims any by it (DEM-1).
    around = surroundings(state) if 1 << unit & DRAINERS else inland(state.turn, state.terms.open_combat)
    for target, by_crowd in _flights(around, unit, len(group) == 1, origin, place):
        found += by_crowd[held >> 8 * target & 0xFF]
    return found


@lru_cache(maxsize=1 << 10)
def _flights(
    around: Surroundings, unit: int, whole: bool, origin: Region, place: int
) -> tuple[tuple[Region, dict[Crowd, tuple[Option, ...]]], ...]:
    """Return the regions that a flier may reach through the air, with its flights there by who stands there."""
    return tuple(
        (
            target,
            {
                crowd: tuple(_ways(around, (unit << 1 | 1,), (place,), whole, origin, target, crowd))
                for crowd in EVERY_CROWD
            },
        )
        for target in REGIONS
        if target != origin and not ADJACENT[origin][target]
    )


def wanderings(state: State, origin: Region, place: int, held: Occupancy) -> list[Option]:
    """Return the ways of a wanderer of two or more steps (HRM-1)."""
    unit = state.sides[state.turn][origin][place].unit
    assert unit is not None
    return [_wandering(way, place) for way in wander(state, origin, unit, held)]


@lru_cache(maxsize=1 << 14)
def _wandering(way: Way, place: int) -> Option:
    loss, energy, _, path = way
    # from the second step on a wanderer is known.
    return Move(path, (place,), 1), cost_of(-loss, -energy, (place,))


# -- the same with names ----------------------------------------------------------------------------------


@lru_cache(maxsize=1 << 13)
def name_near(near: Near, members: tuple[Member, ...]) -> tuple[tuple[Action, Price], ...]:
    """Return the moves of a group of ``members`` to its neighbours with the names of its units."""
    return tuple([name_option(option, members) for option in near.options])


def name_option(option: Option, members: tuple[Member, ...]) -> tuple[Action, Price]:
    """Return a move of some of a group of ``members`` with the names of its units."""
    action, cost = option
    if isinstance(action, Move):
        action = Move(action.path, action.movers, action.count, action.claim, _units(action.movers, members))
    return action, price_of(cost, members)


@lru_cache(maxsize=1 << 12)
def name_reveal(region: Region, place: int, code: Member) -> tuple[Action, Price]:
    """Return the opening of a token (TRN-5) about which its owner knows ``code``."""
    unit = None if code < 0 else UNITS[code >> 1]
    return Reveal(region, place, unit), Price(0, 0, () if unit is None else (unit,))


def _units(places: tuple[int, ...], members: tuple[Member, ...]) -> tuple[Unit, ...]:
    return tuple([UNITS[members[place] >> 1] for place in places if members[place] >= 0])
