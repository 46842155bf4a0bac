"""Moves on the map: who may go where, on foot, in the air and across the Styx (SPEC.md 2.6, 2.8).

:func:`judge` answers for one action without listing others; :func:`list_moves` builds the list from the same
parts.  The powers that act with a move (river, drain, the leader's goal, the sneak attack) are judged here
because they are claims of a move.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator
from functools import lru_cache
from itertools import combinations
from typing import Final, NamedTuple

from storm_p2p import honor
from storm_p2p.actions import Move, Sneak
from storm_p2p.board import (
    ADJACENT,
    BANK,
    CROSSES,
    NEIGHBOURS,
    OTHER,
    PALACE,
    REGIONS,
    UNDERWORLD,
    Faction,
    Region,
)  # fmt: skip
from storm_p2p.errors import IllegalAction
from storm_p2p.honor import MOST_IN_REGION
from storm_p2p.state import Group, Side, State, Token
from storm_p2p.units import (
    CARDS,
    DRAINERS,
    FERRIES,
    FLIERS,
    LEADER_ORDER,
    LEADERS,
    NAME,
    RIVER_FED,
    SNEAKS,
    WANDERERS,
    Unit,
)  # fmt: skip

SNEAK_ENERGY: Final = 2
"""ERI-1."""
SNEAK_PENALTY: Final = 1
"""ERI-1."""


class Leg(NamedTuple):
    """One step of a judged move."""

    origin: Region
    target: Region
    honor: int
    energy: int
    doubled: bool
    spared: bool


class Plan(NamedTuple):
    """What a legal move does."""

    legs: tuple[Leg, ...]
    group: Group
    """The whole group at the start."""
    movers: Group
    """Empty in the public form of a partial move."""
    attack: bool
    flight: bool
    divides: bool
    """The group gets fresh tokens, because nobody can tell who went (REV-4)."""
    gain: int
    """Energy for a claim."""
    take: int
    """Energy taken from the enemy by a claim."""
    sneak: bool

    @property
    def honor(self) -> int:
        """Change of Honor of the whole move."""
        return sum(leg.honor for leg in self.legs)

    @property
    def energy(self) -> int:
        """Change of the own stock."""
        return self.gain + self.take - sum(leg.energy for leg in self.legs) - (SNEAK_ENERGY if self.sneak else 0)


def ferry_regions(side: Side) -> frozenset[Region]:
    """Return where known ferries stand on a bank of the Styx (CHN-3)."""
    return frozenset(
        region for region in BANK for token in side[region] if token.known and token.can & FERRIES
    )


@lru_cache(maxsize=4096)
def ferried(origin: Region, target: Region, ferries: frozenset[Region]) -> bool:
    """Return whether a ferry is near enough for a free crossing (CHN-3, A-47)."""
    return any(
        here in (origin, target) or ADJACENT[here][origin] or ADJACENT[here][target] for here in ferries
    )


def barred(faction: int, group: Group, count: int, origin: Region, target: Region, ferry: bool) -> int:
    """Return the known units that everybody would have recognised, had they been among the movers."""
    bits = 0
    for token in group:
        if token.known:
            found = honor.step(faction, count, token.can, token.can, origin, target, 0, ferry, False)
            if found is not None and found.identified:
                bits |= token.can
    return bits


def _refuse(code: str, sentence: str) -> IllegalAction:
    return IllegalAction(code, sentence)


def judge(state: State, action: Move | Sneak, *, declared: tuple[bool, int] | None = None) -> Plan:
    """Return what a move does.

    Args:
        state: as its holder knows it.
        action: the move, in the owner's or in the public form.
        declared: for movers that have been opened in between: flight and Energy as they were declared, because
            what was hidden then cannot have been used (TRN-7).

    Raises:
        IllegalAction: the rules refuse it.
    """
    faction = state.turn
    path = action.path
    if len(path) < 2 or any(region not in REGIONS for region in path):
        raise _refuse("no-such-region", f"expected regions 1 to 24, got {'-'.join(map(str, path))}")
    sneak = isinstance(action, Sneak)
    origin, target = path[0], path[-1]
    group = state.sides[faction][origin]
    movers, count = _movers(action, group, origin)
    if count == len(group):
        movers = group
    if len(path) > 2:
        return _judge_path(state, action, group, movers)
    enemies = len(state.sides[OTHER[faction]][target])
    room = MOST_IN_REGION - len(state.sides[faction][target])
    # MOV-4.
    if count > room:
        raise _refuse("too-many", f"expected at most 4 units in {target}, got {count} more beside {4 - room}")
    known = 0
    mask = 0
    for token in movers:
        if token.known:
            known |= token.can
        if token.unit is not None:
            mask |= 1 << token.unit
    ferry = faction == Faction.CHTHONIANS and ferried(origin, target, ferry_regions(state.sides[faction]))
    found = honor.step(
        faction, count, known, mask if enemies else known, origin, target, enemies, ferry, state.terms.open_combat
    )
    if declared is not None:
        # What was hidden when the move was declared changes its Honor only.
        flight, energy = declared
        if found is None or found.flight != flight:
            found = honor.step(
                faction, count, known & ~FLIERS, mask, origin, target, enemies, ferry, state.terms.open_combat
            )
        assert found is not None
        found = found._replace(flight=flight, energy=energy)
    if found is None:
        raise _refuse("not-adjacent", f"expected a neighbour of {origin}, got {target}")
    change = found.honor
    if sneak:
        change = _judge_sneak(state, movers, enemies, origin, target, change)
    gain, take = _claims(state, action, group, movers, count, enemies, found.flight)
    claimed = isinstance(action, Move) and action.claim is not None
    # MOV-5, NRG-3; A-39: a gain counts against the crossing.
    stock = state.energy[faction]
    if found.energy > stock + gain:
        raise _refuse("no-energy", f"expected {found.energy} Energy for the Styx from {origin} to {target}, got {stock}")
    divides = not enemies and count < len(group) and not found.identified and not claimed
    if not divides and len(movers) != count:
        raise _refuse("movers-unnamed", f"expected the tokens that go from {origin} to {target}, got a number")
    leg = Leg(origin, target, change, found.energy, found.doubled, found.spared)
    return Plan((leg,), group, movers, enemies > 0, found.flight, divides, gain, take, sneak)


def _movers(action: Move | Sneak, group: Group, origin: Region) -> tuple[Group, int]:
    """Return the tokens that move, as far as the action names them, and their number."""
    serials = (action.mover,) if isinstance(action, Sneak) else action.movers
    count = 1 if isinstance(action, Sneak) else action.count
    movers = tuple(token for token in group if token.serial in serials)
    if not 1 <= count <= len(group) or len(movers) != len(serials) or (serials and len(serials) != count):
        raise _refuse("not-there", f"expected units of the side to move in {origin}, got others or none")
    return movers, count


def _judge_sneak(
    state: State, movers: Group, enemies: int, origin: Region, target: Region, change: int
) -> int:
    """Return the change of Honor of a sneak attack: one decision, the worse penalty, plus a bonus (A-45)."""
    if not movers[0].can & SNEAKS or (movers[0].unit is not None and not 1 << movers[0].unit & SNEAKS):
        raise _refuse("no-sneak", f"expected the unit that can sneak in {origin}, got another")
    if not enemies or not ADJACENT[origin][target] or CROSSES[origin][target]:
        raise _refuse("no-sneak", f"expected enemies next door without the Styx between, got {origin} to {target}")
    if state.energy[state.turn] < SNEAK_ENERGY:
        raise _refuse("no-energy", f"expected 2 Energy for the sneak attack, got {state.energy[state.turn]}")
    # The bonus of the open variant is netted with the penalty of the same decision (VAR-3, A-30).
    bonus = 1 if state.terms.open_combat and enemies == 1 else 0
    if change - bonus > 0:
        return change - SNEAK_PENALTY + bonus
    return min(change - bonus, -SNEAK_PENALTY) + bonus


def _claims(
    state: State, action: Move | Sneak, group: Group, movers: Group, count: int, enemies: int, flight: bool
) -> tuple[int, int]:
    """Return the Energy that a claim gains and the Energy that it takes from the enemy."""
    if isinstance(action, Sneak) or action.claim is None:
        return 0, 0
    token = next((token for token in movers if token.serial == action.claim), None)
    if token is None or len(movers) != count:
        raise _refuse("no-claim", "expected a mover to claim, got a unit that does not move")
    origin, target = action.path
    faction = state.turn
    possible = 0
    # POS-1, A-39: on foot, both ends on the Styx, friendly or attack.
    if origin in BANK and target in BANK and not flight:
        possible |= RIVER_FED
    # DEM-1, A-40: alone into an empty region of the Underworld, without a fight.
    if count == 1 and not enemies and target in UNDERWORLD and not state.sides[faction][target]:
        possible |= DRAINERS
    # END-1, A-25: into the Palace; where enemies stand, contact opens all anyway.
    if target == PALACE and faction == Faction.CHTHONIANS:
        possible |= LEADERS
    bits = token.can if token.unit is None else 1 << token.unit
    if not bits & possible:
        raise _refuse("no-claim", f"expected a power that the move {origin} to {target} triggers, got none")
    if token.unit is None:
        # Which power it is shows when the unit is opened; until then all that the stock allows is allowed.
        return max((CARDS[unit].river_energy for unit in range(24) if bits & possible & 1 << unit), default=0), 0
    card = CARDS[token.unit]
    if card.leads and not enemies:
        _first_leader_claims(movers, token)
    gain = card.river_energy if bits & possible & RIVER_FED else 0
    take = min(card.drains, state.energy[OTHER[faction]]) if bits & possible & DRAINERS else 0
    return gain, take


def _first_leader_claims(movers: Group, token: Token) -> None:
    # when both leaders enter, a claim opens the first.
    if token.unit != LEADER_ORDER[0] and any(other.unit == LEADER_ORDER[0] for other in movers):
        raise _refuse("no-claim", f"expected {NAME[LEADER_ORDER[0]]} to claim, got {NAME[LEADER_ORDER[1]]}")


# -- wandering (HRM-1, A-37) ------------------------------------------------------------------------------


def _judge_path(state: State, action: Move | Sneak, group: Group, movers: Group) -> Plan:
    faction = state.turn
    if len(movers) != 1 or isinstance(action, Sneak) or action.claim is not None or action.count != 1:
        raise _refuse("no-path", "expected one unit that wanders, named, and no claim")
    token = movers[0]
    if not token.can & WANDERERS or (token.unit is not None and not 1 << token.unit & WANDERERS):
        raise _refuse("no-path", f"expected one step, got {len(action.path) - 1}")
    ours, theirs = state.sides[faction], state.sides[OTHER[faction]]
    legs: list[Leg] = []
    stock, score = state.energy[faction], state.honor[faction]
    stops = list(zip(action.path, action.path[1:], strict=False))
    for number, (origin, target) in enumerate(stops):
        comrades = len(ours[target]) - (target == action.path[0])
        enemies = len(theirs[target])
        last = number == len(stops) - 1
        # He stops when he enters an occupied region.
        if not last and (comrades or enemies):
            raise _refuse("path-occupied", f"expected an empty region on the way, got {target}")
        if comrades >= MOST_IN_REGION:
            raise _refuse("too-many", f"expected at most 4 units in {target}, got 4 already")
        found = honor.step(
            faction, 1, WANDERERS, WANDERERS, origin, target, enemies, False, state.terms.open_combat
        )
        if found is None:
            raise _refuse("not-adjacent", f"expected a neighbour of {origin}, got {target}")
        if found.energy > stock:
            raise _refuse("no-energy", f"expected {found.energy} Energy for the Styx from {origin} to {target}")
        stock -= found.energy
        score += found.honor
        legs.append(Leg(origin, target, found.honor, found.energy, found.doubled, found.spared))
        # The Honor test follows each step; he can lose the game on the way.
        if score < 1 and not last:
            break
    attack = bool(theirs[legs[-1].target])
    return Plan(tuple(legs), group, movers, attack, False, False, 0, 0, False)


def wander(state: State, origin: Region) -> Iterator[tuple[Region, ...]]:
    """Yield the best path of two or more steps to each region that a wanderer in ``origin`` can reach.

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
        yield best[target][3]


# -- the list of moves ------------------------------------------------------------------------------------


@lru_cache(maxsize=1 << 14)
def _parts(group: Group) -> tuple[Group, ...]:
    """Return the non-empty parts of a group."""
    return tuple(
        part for size in range(1, len(group) + 1) for part in combinations(group, size)
    )


def list_moves(state: State) -> Iterator[Move | Sneak]:
    """Yield every legal move of the side whose turn it is, which must know its own units."""
    faction = state.turn
    ours, theirs = state.sides[faction], state.sides[OTHER[faction]]
    for origin in REGIONS:
        group = ours[origin]
        if not group:
            continue
        for part in _parts(group):
            serials = tuple(token.serial for token in part)
            units = tuple(Unit(token.unit) for token in part if token.unit is not None)
            flies = len(part) == 1 and part[0].known and part[0].can & FLIERS
            for target in REGIONS if flies else NEIGHBOURS[origin]:
                if target == origin:
                    continue
                move = Move((origin, target), serials, len(part), None, units)
                yield from _with_claims(state, move, part, bool(theirs[target]))
            if len(part) == 1 and part[0].unit is not None and 1 << part[0].unit & WANDERERS:
                for path in wander(state, origin):
                    yield Move(path, serials, 1, None, units)


def _with_claims(state: State, move: Move, part: Group, attack: bool) -> Iterator[Move | Sneak]:
    origin, target = move.path
    options: list[Move | Sneak] = [move]
    for token in part:
        if token.unit is None:
            continue
        bit = 1 << token.unit
        # A known leader, and one that enters an occupied Palace, needs no claim.
        if bit & (RIVER_FED | DRAINERS) or (bit & LEADERS and not token.known and not attack):
            options.append(Move(move.path, move.movers, move.count, token.serial, move.units))
        if bit & SNEAKS and len(part) == 1 and attack:
            options.append(Sneak((origin, target), token.serial))
    for option in options:
        try:
            judge(state, option)
        except IllegalAction:
            continue
        yield option
