"""The list of all moves of a side, put together from kept parts (SPEC.md 2.6).

What a single move does, or why it is refused, stands in ``movement``.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations
from typing import Final, TypeAlias

from storm_p2p.actions import Move, Sneak
from storm_p2p.board import (
    ADJACENT,
    BANK,
    NEIGHBOURS,
    OTHER,
    PALACE,
    REGIONS,
    UNDERWORLD,
    Faction,
    Region,
)
from storm_p2p.honor import MOST_IN_REGION, STYX_ENERGY
from storm_p2p.movement import MOST_DRAINED, Cost, Member, Plan, Surroundings, evaluate, member, surroundings
from storm_p2p.state import State
from storm_p2p.units import (
    DOUBLERS,
    DRAINERS,
    FLIERS,
    LEADERS,
    RIVER_FED,
    SNEAKS,
    SPARERS,
    UNITS,
    WANDERERS,
)
from storm_p2p.wandering import wander

Option: TypeAlias = "tuple[Move | Sneak, Cost]"

_PLAIN: Final[Member] = -2
"""A member about which nothing matters for the steps in question."""


def _apart(origin: Region, *, near: bool, known: bool) -> int:
    """Return the units that may not be taken for any other one when their steps from ``origin`` are listed.

    Args:
        origin: where they stand.
        near: enemies stand next door.
        known: it is about known units.
    """
    bits = 0
    if near:
        bits |= DOUBLERS | SPARERS | SNEAKS
    if PALACE in NEIGHBOURS[origin]:
        bits |= LEADERS
    if origin in BANK:
        bits |= RIVER_FED
    if any(there in UNDERWORLD for there in NEIGHBOURS[origin]):
        bits |= DRAINERS
    if known:
        bits |= SPARERS
        # Over the Styx they fly, and a flight may cost more.
        if origin in BANK:
            bits |= FLIERS
    return bits


def _codes(bits: int) -> tuple[tuple[Member, Member], ...]:
    hidden, known = bits & 0xFFFFFF, bits >> 24
    return tuple(
        (unit << 1 if hidden >> unit & 1 else _PLAIN, unit << 1 | 1 if known >> unit & 1 else _PLAIN) for unit in UNITS
    )


_MEMBERS: Final = tuple(
    tuple(_codes(_apart(o, near=near, known=False) | _apart(o, near=near, known=True) << 24) for near in (False, True))
    for o in (1, *REGIONS)
)
"""``_MEMBERS[origin][enemies next door][unit][known]``: the unit as a member, as far as it matters there."""


def list_moves(state: State) -> list[Option]:
    """Return every legal move of the side whose turn it is, which must know its own units, with what it does.

    The moves do not name their units (see :func:`named`): without the names, equal groups have equal moves.
    """
    around = surroundings(state)
    ours, theirs = state.sides[around.faction], state.sides[OTHER[around.faction]]
    # Most groups stand far from the river and hold nobody special; for them all surroundings are alike.
    inland = _inland(around.faction, around.open_combat)
    comrades = [len(group) for group in ours]
    enemies = [len(group) for group in theirs]
    found: list[Option] = []
    for origin in REGIONS:
        group = ours[origin]
        if not group:
            continue
        near = NEIGHBOURS[origin]
        danger = False
        for there in near:
            if enemies[there]:
                danger = True
                break
        codes = _MEMBERS[origin][danger]
        members = tuple([_PLAIN if token.unit is None else codes[token.unit][token.known] for token in group])
        special = max(members) >= 0
        # Of the comrades at a goal only the room they leave matters, unless somebody looks for an empty region.
        least = 0 if special else MOST_IN_REGION - len(group)
        held = tuple([
            (max(least, comrades[there])) * 5 + enemies[there] for there in near
        ])  # fmt: skip
        found += _near(around if special or origin in BANK else inland, members, origin, held)
        for place, token in enumerate(group):
            if token.unit is not None and 1 << token.unit & (FLIERS | WANDERERS):
                if 1 << token.unit & WANDERERS:
                    found += [(Move(path, (place,), 1), cost) for path, cost in wander(state, origin)]
                elif token.known:
                    code = member(token)
                    for target in _far(origin):
                        how = 5 * comrades[target] + enemies[target]
                        for claim, sneak, cost in _ways(around, (code,), len(group) == 1, origin, target, how):
                            found.append((_action(origin, target, (place,), claim, sneak), cost))
    return found


@lru_cache(maxsize=4)
def _inland(faction: Faction, open_combat: bool) -> Surroundings:
    return Surroundings(faction, STYX_ENERGY, MOST_DRAINED, frozenset(), open_combat)


@lru_cache(maxsize=32)
def _far(origin: Region) -> tuple[Region, ...]:
    return tuple(target for target in REGIONS if target != origin and not ADJACENT[origin][target])


def named(state: State, move: Move | Sneak) -> Move | Sneak:
    """Return a move with the names of its units, for the notation."""
    if isinstance(move, Sneak):
        return move
    group = state.sides[state.turn][move.path[0]]
    numbers = [group[place].unit for place in move.movers]
    units = tuple([UNITS[unit] for unit in numbers if unit is not None])
    return Move(move.path, move.movers, move.count, move.claim, units)


@lru_cache(maxsize=1 << 16)
def _near(
    around: Surroundings, members: tuple[Member, ...], origin: Region, held: tuple[int, ...]
) -> tuple[Option, ...]:
    """Return the moves of a group to its neighbours."""
    size = len(members)
    found: list[Option] = []
    for count in range(1, size + 1):
        for part in combinations(range(size), count):
            moving = tuple([members[place] for place in part])
            for target, how in zip(NEIGHBOURS[origin], held, strict=True):
                for claim, sneak, cost in _ways(around, moving, count == size, origin, target, how):
                    found.append((_action(origin, target, part, claim, sneak), cost))
    return tuple(found)


@lru_cache(maxsize=1 << 15)
def _action(origin: Region, target: Region, part: tuple[int, ...], claim: int | None, sneak: bool) -> Move | Sneak:
    if sneak:
        return Sneak((origin, target), part[0])
    return Move((origin, target), part, len(part), None if claim is None else part[claim])


@lru_cache(maxsize=1 << 16)
def _ways(
    around: Surroundings, moving: tuple[Member, ...], whole: bool, origin: Region, target: Region, how: int
) -> tuple[tuple[int | None, bool, Cost], ...]:
    """Return the legal ways to go to one region: plain, with a claim, by stealth; as (claim, stealth, cost)."""
    comrades, enemies = divmod(how, 5)
    ways: list[tuple[int | None, bool]] = [(None, False)]
    # A known leader, and one that enters an occupied Palace, needs no claim.
    wins = bool(enemies) or any(code & 1 and 1 << (code >> 1) & LEADERS for code in moving if code >= 0)
    for place, code in enumerate(moving):
        if code < 0:
            continue
        bit = 1 << (code >> 1)
        if bit & (RIVER_FED | DRAINERS) or (bit & LEADERS and not wins):
            ways.append((place, False))
        if bit & SNEAKS and len(moving) == 1 and enemies:
            ways.append((None, True))
    found: list[tuple[int | None, bool, Cost]] = []
    for claim, sneak in ways:
        plan = evaluate(
            around, moving, len(moving), whole, claim, sneak, origin, target, comrades, enemies, None
        )  # fmt: skip
        if isinstance(plan, Plan):
            found.append((claim, sneak, Cost(plan.honor, plan.energy)))
    return tuple(found)
