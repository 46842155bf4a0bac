"""The list of what the units of a side can do in a turn by themselves: move, or open (SPEC.md 2.6).

What a single move does, or why it is refused, stands in ``movement``.  The list is put together from parts that
are kept: what a group can do depends on itself and on how many stand next door, and both seldom change.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import combinations
from operator import attrgetter
from typing import Final, NamedTuple, TypeAlias

from storm_p2p.actions import Move, Reveal, Sneak
from storm_p2p.board import (
    ADJACENT,
    BANK,
    CROSSES,
    FACTIONS,
    NEIGHBOURS,
    PALACE,
    REGIONS,
    UNDERWORLD,
    Faction,
    Region,
)
from storm_p2p.crowds import COMRADES, ENEMIES, EVERY_CROWD, Crowd, Crowds, counts, crowd_in, next_door
from storm_p2p.honor import MOST_IN_REGION, STYX_ENERGY
from storm_p2p.movement import MOST_DRAINED, Cost, Member, Plan, Surroundings, evaluate
from storm_p2p.state import State
from storm_p2p.units import (
    ALL_OF,
    DOUBLERS,
    DRAINERS,
    FLIERS,
    LEADERS,
    RECALLERS,
    RIVER_FED,
    SNEAKS,
    SPARERS,
    THROWERS,
    UNITS,
    WANDERERS,
)
from storm_p2p.wandering import wander

Option: TypeAlias = "tuple[Move | Sneak | Reveal, Cost]"


# -- what a group can do ----------------------------------------------------------------------------------

def _that_matters(faction: Faction, origin: Region, size: int) -> Crowds:
    """Return which bits of the crowds can matter for the moves of a group of ``size`` to its neighbours."""
    # Of the comrades at a goal only the room they leave matters...
    comrades = COMRADES << MOST_IN_REGION - size & COMRADES
    bits = next_door(origin, ENEMIES | comrades)
    # ... unless somebody looks for an empty region (DEM-1).
    if ALL_OF[faction] & DRAINERS:
        for there in NEIGHBOURS[origin]:
            if there in UNDERWORLD:
                bits |= 1 << 8 * there
    return bits


MATTERS: Final = tuple(
    tuple(tuple(_that_matters(faction, origin, size) for size in range(MOST_IN_REGION + 1)) for origin in range(25))
    for faction in FACTIONS
)
"""``MATTERS[faction][origin][size]``: the bits of the crowds that :func:`of_group` asks for."""

_DANGER: Final = tuple(next_door(origin, ENEMIES) for origin in range(25))
"""The bits of the crowds for enemies next door."""

_PLAIN: Final[Member] = -2
"""A member about which nothing matters for the steps in question."""

GIFTED: Final = FLIERS | WANDERERS | THROWERS | RECALLERS
"""Units that may do more than move to a neighbour and open."""


def _apart(origin: Region, target: Region, *, enemies: bool, known: bool) -> int:
    """Return the units that may not be taken for any other one in a step.

    Args:
        origin: where it begins.
        target: where it ends.
        enemies: whether enemies stand there.
        known: it is about known units.
    """
    bits = 0
    if enemies:
        bits |= DOUBLERS | SPARERS | SNEAKS
    if target == PALACE:
        bits |= LEADERS
    if origin in BANK and target in BANK:
        bits |= RIVER_FED
    if target in UNDERWORLD:
        bits |= DRAINERS
    if known:
        bits |= SPARERS
        # Over the Styx they fly, and a flight may cost more.
        if CROSSES[origin][target]:
            bits |= FLIERS
    return bits


_Codes: TypeAlias = tuple[tuple[Member, Member], ...]
"""By unit, hidden and known: the unit as a member, as far as it matters."""


@lru_cache(maxsize=24 * 6 * 2)
def _toward_codes(origin: Region, target: Region, enemies: bool) -> _Codes:
    """Return who must be told apart in a step."""
    return _codes((target,), origin, enemies)


@lru_cache(maxsize=24 * 2)
def _near_codes(origin: Region, enemies: bool) -> _Codes:
    """Return who must be told apart in all steps from a region."""
    return _codes(NEIGHBOURS[origin], origin, enemies)


def _codes(targets: tuple[Region, ...], origin: Region, enemies: bool) -> _Codes:
    hidden = known = 0
    for target in targets:
        hidden |= _apart(origin, target, enemies=enemies, known=False)
        known |= _apart(origin, target, enemies=enemies, known=True)
    return tuple(
        (unit << 1 if hidden >> unit & 1 else _PLAIN, unit << 1 | 1 if known >> unit & 1 else _PLAIN) for unit in UNITS
    )


class Doings(NamedTuple):
    """What a group can do."""

    options: tuple[Option, ...]
    """Moves to the neighbours, and openings."""
    gifted: tuple[int, ...]
    """The places of those who may do more."""


Face: TypeAlias = "tuple[int | None, bool]"
"""What is on a token, for its owner: its unit, and whether everybody knows it."""

face: Final = attrgetter("unit", "known")
"""Return the face of a token."""


@lru_cache(maxsize=1 << 13)
def of_group(around: Surroundings, faces: tuple[Face, ...], origin: Region, held: Crowds) -> Doings:
    """Return what a group can do; its side must know its units.

    The moves do not name their units (see :func:`named`): without the names, equal groups have equal moves.

    Args:
        around: facts of the position.
        faces: who stands in ``origin``.
        origin: the region.
        held: the crowds, as far as they matter.
    """
    codes = _near_codes(origin, held & _DANGER[origin] != 0)
    members = tuple([_PLAIN if unit is None else codes[unit][known] for unit, known in faces])
    # Most groups stand far from the river and hold nobody special; for them all surroundings are alike.
    if origin not in BANK and max(members) < 0:
        around = _inland(around.faction, around.open_combat)
    hidden = tuple([place for place, (_, known) in enumerate(faces) if not known])
    gifted = tuple([place for place, (unit, _) in enumerate(faces) if unit is not None and GIFTED >> unit & 1])
    return Doings(_near(around, members, origin, held) + _reveals(origin, hidden), gifted)


@lru_cache(maxsize=4)
def _inland(faction: Faction, open_combat: bool) -> Surroundings:
    return Surroundings(faction, STYX_ENERGY, MOST_DRAINED, frozenset(), open_combat)


@lru_cache(maxsize=24 << MOST_IN_REGION)
def _reveals(region: Region, places: tuple[int, ...]) -> tuple[Option, ...]:
    """Return the openings of free will (TRN-5)."""
    return tuple([(Reveal(region, place), Cost(0, 0)) for place in places])


@lru_cache(maxsize=1 << 12)
def _near(around: Surroundings, members: tuple[Member, ...], origin: Region, held: Crowds) -> tuple[Option, ...]:
    """Return the moves of a group to its neighbours."""
    found: list[Option] = []
    for target in NEIGHBOURS[origin]:
        crowd = crowd_in(held, target)
        codes = _toward_codes(origin, target, crowd & ENEMIES != 0)
        needed = tuple([_PLAIN if code < 0 else codes[code >> 1][code & 1] for code in members])
        if not CROSSES[origin][target] and max(needed) < 0:
            found += _toward(_inland(around.faction, around.open_combat), needed, origin, target, crowd)
        else:
            found += _toward(around, needed, origin, target, crowd)
    return tuple(found)


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
    comrades, enemies = counts(crowd)
    for claim, sneak in _manners(moving, enemies):
        plan = evaluate(around, moving, len(moving), whole, claim, sneak, origin, target, comrades, enemies, None)
        if isinstance(plan, Plan):
            claimant = None if claim is None else part[claim]
            yield _option((origin, target), part, claimant, sneak, plan.honor, plan.energy)


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


@lru_cache(maxsize=1 << 15)
def _option(
    path: tuple[Region, ...], part: tuple[int, ...], claim: int | None, sneak: bool, honor: int, energy: int
) -> Option:
    """Return an option as one shared value: the lists hold very many of them."""
    if sneak:
        return Sneak((path[0], path[1]), part[0]), Cost(honor, energy)
    return Move(path, part, len(part), claim), Cost(honor, energy)


# -- those who go further ---------------------------------------------------------------------------------

def flights(state: State, origin: Region, place: int, held: Crowds) -> list[Option]:
    """Return the flights of a known flier to where it cannot walk (FLY-1)."""
    group = state.sides[state.turn][origin]
    unit = group[place].unit
    assert unit is not None
    found: list[Option] = []
    for target, by_crowd in _flights(state.turn, state.terms.open_combat, unit, len(group) == 1, origin, place):
        found += by_crowd[held >> 8 * target & 0xFF]
    return found


@lru_cache(maxsize=1 << 10)
def _flights(
    faction: Faction, open_combat: bool, unit: int, whole: bool, origin: Region, place: int
) -> tuple[tuple[Region, dict[Crowd, tuple[Option, ...]]], ...]:
    """Return the regions that a flier may reach through the air, with its flights there by who stands there."""
    # A flight costs no Energy (FLY-2) and claims nothing.
    around = _inland(faction, open_combat)
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


def wanderings(state: State, origin: Region, place: int, held: Crowds) -> list[Option]:
    """Return the ways of a wanderer of two or more steps (HRM-1)."""
    return [
        _option(path, (place,), None, False, -loss, -energy) for loss, energy, _, path in wander(state, origin, held)
    ]


def named(state: State, move: Move | Sneak) -> Move | Sneak:
    """Return a move with the names of its units, for the notation."""
    if isinstance(move, Sneak):
        return move
    group = state.sides[state.turn][move.path[0]]
    numbers = [group[place].unit for place in move.movers]
    units = tuple([UNITS[unit] for unit in numbers if unit is not None])
    return Move(move.path, move.movers, move.count, move.claim, units)
