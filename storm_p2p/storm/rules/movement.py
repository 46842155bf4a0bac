"""Moves on the map: who may go where, on foot, in the air and across the Styx (docs/rules.md, "Movement" and "Flying").

What one step does depends only on the group it leaves, the region it enters and a few facts about the
neighbourhood, so :func:`evaluate` answers from those alone and its answers are kept.  For most steps most units are
alike: it is asked of the members of a group after all that does not matter about them has been left out, and of the
surroundings (own stock, what can be drained, ferries).  :func:`judge` asks it about one action,
:mod:`storm_p2p.storm.rules.move_list` about all of them.  The powers that act with a move (river, drain, the leader's
goal, the sneak attack) are judged here because they are claims of a move.

A move that is allowed is paid and carried out (:func:`carry_out`); a fight begins where enemies stand.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import pairwise
from operator import lt
from typing import Final, NamedTuple, TypeAlias, TypeVar

from storm_p2p.storm import events as ev
from storm_p2p.storm import units as traits
from storm_p2p.storm.actions import Move, Sneak
from storm_p2p.storm.bitboard import Bitboard, bits_of
from storm_p2p.storm.board import (
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
)
from storm_p2p.storm.errors import IllegalAction
from storm_p2p.storm.rules import honor, rounds
from storm_p2p.storm.rules.honor import MOST_IN_REGION, SNEAK_ENERGY, SNEAK_PENALTY, STYX_ENERGY
from storm_p2p.storm.state import ACTION, END, SNEAK, State, Token, known_mask, mask
from storm_p2p.storm.state_builder import StateBuilder, look
from storm_p2p.storm.units import CARDS, UNITS, Unit, units_in

Member: TypeAlias = int
"""What a view knows of a token: ``unit << 1 | known``, or ``~can`` where it does not know the unit."""

PLAIN: Final[Member] = ~0
"""A member about which nothing matters for the steps in question."""


def member(token: Token) -> Member:
    """Return what a view knows of a token."""
    return ~token.can if token.unit is None else token.unit << 1 | token.known


def members(group: Sequence[Token]) -> tuple[Member, ...]:
    """Return what a view knows of the tokens of a group: :func:`member` of each."""
    return tuple([~can if unit is None else unit << 1 | known for _, _, unit, known, can in group])


def units_of(code: Member) -> int:
    """Return the units that a member can be."""
    return ~code if code < 0 else 1 << (code >> 1)


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
        bits |= traits.DOUBLERS | traits.SPARERS | traits.SNEAKS
    if target == PALACE:
        bits |= traits.LEADERS
    if origin in BANK and target in BANK:
        bits |= traits.RIVER_FED
    if target in UNDERWORLD:
        bits |= traits.DRAINERS
    if known:
        bits |= traits.SPARERS
        # Where they cannot walk, and over the Styx, they fly (FLY-1).
        if CROSSES[origin][target] or not ADJACENT[origin][target]:
            bits |= traits.FLIERS
    return bits


Codes: TypeAlias = Mapping[int | None, tuple[Member, Member]]
"""By unit, hidden and known: the unit as a member, as far as it matters; nothing matters about an unknown one."""


@cache
def codes_toward(origin: Region, target: Region, enemies: bool) -> Codes:
    """Return who must be told apart in a step."""
    return _codes((target,), origin, (enemies,))


def codes_near(origin: Region) -> Codes:
    """Return who must be told apart in all steps from a region."""
    return _codes(NEIGHBOURS[origin], origin, (False, True))


def _codes(targets: tuple[Region, ...], origin: Region, cases: tuple[bool, ...]) -> Codes:
    hidden = known = 0
    for target in targets:
        for enemies in cases:
            hidden |= _apart(origin, target, enemies=enemies, known=False)
            known |= _apart(origin, target, enemies=enemies, known=True)
    codes: dict[int | None, tuple[Member, Member]] = {None: (PLAIN, PLAIN)}
    for unit in UNITS:
        codes[unit] = (unit << 1 if hidden >> unit & 1 else PLAIN, unit << 1 | 1 if known >> unit & 1 else PLAIN)
    return codes


MOST_DRAINED: Final = max(card.drains for card in CARDS)
"""DEM-1."""
MOST_NEEDED: Final = max(STYX_ENERGY, SNEAK_ENERGY)
"""No step needs more Energy."""


@dataclass(frozen=True, slots=True, eq=False)
class Surroundings:
    """The facts beside group and goal that decide what a step does.

    They are made in one place, which keeps them, and compared by identity: they are part of the keys of everything
    that is kept about moves.
    """

    faction: Faction
    stock: int
    """Own Energy, as far as a step can need it."""
    prey: int
    """Energy of the enemy, as far as it can be drained."""
    ferries: frozenset[Region]
    """Where known ferries stand on a bank (CHN-3)."""
    open_combat: bool


def surroundings(board: Bitboard) -> Surroundings:
    """Return what decides about the moves of the side whose turn it is."""
    faction = board.turn
    stock, prey = board.energy[faction], board.energy[OTHER[faction]]
    return _surroundings(
        faction,
        stock if stock < MOST_NEEDED else MOST_NEEDED,  # noqa: FURB136
        prey if prey < MOST_DRAINED and traits.ALL_OF[faction] & traits.DRAINERS else MOST_DRAINED,
        # Nearly always there is none; a set is made for those who have one.
        ferry_regions(board, faction) if board.known & traits.FERRIES else _NOWHERE,
        board.open_combat,
    )


@cache
def _surroundings(
    faction: Faction, stock: int, prey: int, ferries: frozenset[Region], open_combat: bool
) -> Surroundings:
    return Surroundings(faction, stock, prey, ferries, open_combat)


@cache
def inland(faction: Faction, open_combat: bool) -> Surroundings:
    """Return surroundings for steps that neither cross the Styx nor claim anything: all of them are alike."""
    return _surroundings(faction, MOST_NEEDED, MOST_DRAINED, frozenset(), open_combat)


def ferry_regions(board: Bitboard, faction: Faction) -> frozenset[Region]:
    """Return where known ferries stand on a bank of the Styx (CHN-3)."""
    ferries, side = board.known & traits.FERRIES, board.at[faction]
    return frozenset([region for region in _BANK if side[region] & ferries])


_BANK: Final = tuple(sorted(BANK))
_NOWHERE: Final[frozenset[Region]] = frozenset()


def nearest_ferry(board: Bitboard, faction: Faction, origin: Region, target: Region) -> Unit:
    """Return a known ferry by which a side crosses free (CHN-1, CHN-3)."""
    near = [region for region in ferry_regions(board, faction) if is_ferried(origin, target, frozenset((region,)))]
    return units_in(board.at[faction][min(near)] & board.known & traits.FERRIES)[0]


@lru_cache(maxsize=4096)
def is_ferried(origin: Region, target: Region, ferries: frozenset[Region]) -> bool:
    """Return whether a ferry is near enough for a free crossing (CHN-3, A-47)."""
    return any(here in (origin, target) or ADJACENT[here][origin] or ADJACENT[here][target] for here in ferries)


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
    attack: bool
    flight: bool
    divides: bool
    """The group gets fresh tokens, because nobody can tell who went (REV-4)."""
    gain: int
    """Energy for a claim."""
    take: int
    """Energy taken from the enemy by a claim."""
    sneak: bool
    honor: int
    """Change of Honor of the whole move."""
    energy: int
    """Change of the own stock."""


# -- one move ---------------------------------------------------------------------------------------------


def find_barred(board: Bitboard, faction: Faction, origin: Region, target: Region, count: int) -> int:
    """Return the known units of a group that everybody would have recognised, had they been among ``count`` movers."""
    bits = 0
    for bit in bits_of(board.at[faction][origin] & board.known):
        ferry = is_ferried(origin, target, ferry_regions(board, faction))
        found = honor.step(faction, count, bit, bit, origin, target, 0, ferry, False)
        if found is not None and found.identified:
            bits |= bit
    return bits


Movers = TypeVar("Movers", int, tuple[int, ...])
"""Some of a group: a mask of units, or their places."""


def find_shown(attack: bool, steps: int, movers: Movers, claimant: Movers) -> Movers:
    """Return the movers whom everybody sees.

    Args:
        attack: they go where enemies stand.
        steps: how many they take.
        movers: all who move.
        claimant: the one who claims, or nobody.
    """
    # REV-2; A-37: from the second step on a wanderer is known.
    return movers if attack or steps > 1 else claimant


def shown_places(plan: Plan, action: Move | Sneak, places: tuple[int, ...]) -> tuple[int, ...]:
    """Return the places of the movers whom everybody sees, of all who move from ``places``."""
    claim = None if isinstance(action, Sneak) else action.claim
    return find_shown(plan.attack, len(action.path) - 1, places, () if claim is None else (claim,))


def judge(state: State, action: Move | Sneak) -> Plan:
    """Return what a move does.

    Raises:
        IllegalAction: the rules refuse it.
    """
    return judge_on(look(state), action)


def judge_on(builder: StateBuilder, action: Move | Sneak, declared: tuple[bool, int] | None = None) -> Plan:
    """Return what a move does.

    Args:
        builder: the state as its holder knows it.
        action: the move, in the owner's or in the public form.
        declared: for movers that have been opened in between: flight and Energy as they were declared, because
            what was hidden then cannot have been used (TRN-7).

    Raises:
        IllegalAction: the rules refuse it.
    """
    path = action.path
    if len(path) < 2 or not _ON_THE_MAP.issuperset(path):
        raise IllegalAction("no-such-region", "expected regions 1 to 24, got {words}", words=path)
    faction = builder.turn
    origin, target = path[0], path[1]
    group = builder.sides[faction][origin]
    named: tuple[int, ...]
    if isinstance(action, Sneak):
        named, count, claim, sneak = (action.mover,), 1, None, True
    else:
        named, count, claim, sneak = action.movers, action.count, action.claim, False
    size = len(group)
    whole = count == size
    places = _WHOLE[size] if whole else named
    if not 1 <= count <= size or (named and named != places) or not (whole or _are_places(places, count, size)):
        raise IllegalAction(
            "not-there", "expected units of the side to move in {region}, got others or none", region=origin
        )
    if claim is not None:
        if claim not in places:
            raise IllegalAction("no-claim", "expected a mover to claim, got a unit that does not move")
        claim = places.index(claim)
    if len(path) > 2:
        return _judge_path(builder, path, tuple([member(group[place]) for place in places]), claim, sneak)
    enemies = builder.size[OTHER[faction]][target]
    codes = codes_toward(origin, target, enemies > 0)
    going = group if whole else [group[place] for place in places]
    moving = tuple([~can if unit is None else codes[unit][known] for _, _, unit, known, can in going])
    if claim is None and not sneak and not CROSSES[origin][target]:
        around = inland(faction, builder.open_combat)
    else:
        around = surroundings(builder)
    found = evaluate(
        around,
        moving,
        count,
        whole,
        claim,
        sneak,
        origin,
        target,
        count_that_matter(builder.size[faction][target], count, claim),
        enemies,
        declared,
    )
    if isinstance(found, IllegalAction):
        raise IllegalAction(found.code, found.template, **found.facts)
    return found


def movers(action: Move | Sneak, size: int) -> tuple[int, ...]:
    """Return the places of those who move; empty in the public form of a partial move.

    Args:
        action: the move.
        size: of the group they leave.
    """
    if isinstance(action, Sneak):
        return (action.mover,)
    return _WHOLE[size] if action.count == size else action.movers


_ON_THE_MAP: Final = frozenset(REGIONS)
_WHOLE: Final = tuple(tuple(range(size)) for size in range(MOST_IN_REGION + 1))


def _are_places(places: tuple[int, ...], count: int, size: int) -> bool:
    """Return whether these can be the places of some in a group; none are named in the public form."""
    if not places:
        return True
    return len(places) == count and places[0] >= 0 and places[-1] < size and all(map(lt, places, places[1:]))


def count_that_matter(comrades: int, count: int, claim: int | None) -> int:
    """Return of how many comrades at the goal :func:`evaluate` has to know.

    They take room, and somebody may claim that there are none (DEM-1).
    """
    return comrades if claim is not None or comrades + count > MOST_IN_REGION else 0


_TOO_MANY: Final = "expected at most 4 units in {region}, got {number} more beside {more}"
_NOT_ADJACENT: Final = "expected a neighbour of {start}, got {region}"
_NO_ENEMIES: Final = "expected enemies next to {start}, not over the Styx, got {region}"
_NO_POWER: Final = "expected a power that the move {start} to {region} triggers, got none"
_NO_ENERGY: Final = "expected {number} Energy for the Styx from {start} to {region}, got {more}"
_NO_ENERGY_LEFT: Final = "expected {number} Energy for the Styx from {start} to {region}"
_UNNAMED: Final = "expected the tokens that go from {start} to {region}, got a number"


@lru_cache(maxsize=1 << 16)
def evaluate(
    around: Surroundings,
    moving: tuple[Member, ...],
    count: int,
    whole: bool,
    claim: int | None,
    sneak: bool,
    origin: Region,
    target: Region,
    comrades: int,
    enemies: int,
    declared: tuple[bool, int] | None,
) -> Plan | IllegalAction:
    """Return what a step or flight does, or why the rules refuse it.

    Args:
        around: facts of the position.
        moving: those who go; empty in the public form of a partial move.
        count: how many go.
        whole: the whole group goes.
        claim: which of ``moving`` claims.
        sneak: it is a sneak attack.
        origin: where the group stands.
        target: where they go.
        comrades: how many of the own side stand at the goal, as far as it matters (see :func:`count_that_matter`).
        enemies: how many of the other side do.
        declared: see :func:`judge`.
    """
    # MOV-4.
    if comrades + count > MOST_IN_REGION:
        return IllegalAction("too-many", _TOO_MANY, region=target, number=count, more=comrades)
    known = mask = 0
    for code in moving:
        if code >= 0:
            mask |= 1 << (code >> 1)
            if code & 1:
                known |= 1 << (code >> 1)
    faction = around.faction
    ferry = bool(around.ferries) and is_ferried(origin, target, around.ferries)
    found = honor.step(
        faction, count, known, mask if enemies else known, origin, target, enemies, ferry, around.open_combat
    )
    if declared is not None:
        flight, energy = declared
        if found is None or found.flight != flight:
            found = honor.step(
                faction, count, known & ~traits.FLIERS, mask, origin, target, enemies, ferry, around.open_combat
            )
        if found is not None:
            found = found._replace(flight=flight, energy=energy)
    if found is None:
        return IllegalAction("not-adjacent", _NOT_ADJACENT, start=origin, region=target)
    change = found.honor
    if sneak:
        if not units_of(moving[0]) & traits.SNEAKS:
            return IllegalAction("no-sneak", "expected the unit that can sneak in {region}, got another", region=origin)
        if not enemies or not ADJACENT[origin][target] or CROSSES[origin][target]:
            return IllegalAction("no-sneak", _NO_ENEMIES, start=origin, region=target)
        if around.stock < SNEAK_ENERGY:
            return IllegalAction(
                "no-energy", "expected 2 Energy for the sneak attack, got {number}", number=around.stock
            )
        change = _sneak_change(change, open_bonus=around.open_combat and enemies == 1)
    gain = take = 0
    if claim is not None:
        fed, draining, leading = _claimable(around, count, origin, target, comrades, enemies, found.flight)
        bits = units_of(moving[claim]) & (fed | draining | leading)
        if not bits:
            return IllegalAction("no-claim", _NO_POWER, start=origin, region=target)
        if moving[claim] < 0:
            # Which power it is shows when the unit is opened; until then all that the stock allows is allowed.
            gain = max((CARDS[unit].river_energy for unit in units_in(bits & fed)), default=0)
        else:
            card = CARDS[moving[claim] >> 1]
            # when both leaders enter, a claim opens the first.
            if card.leads == 2 and not enemies and mask & traits.FIRST_LEADER & leading:
                first = units_in(mask & traits.FIRST_LEADER)
                return IllegalAction("no-claim", "expected {unit} to claim, got {other}", unit=first, other=card.unit)
            gain = card.river_energy if bits & fed else 0
            take = min(card.drains, around.prey) if bits & draining else 0
    # MOV-5, NRG-3; A-39: a gain counts against the crossing.
    if found.energy > around.stock + gain:
        crossing = {"number": found.energy, "start": origin, "region": target, "more": around.stock}
        return IllegalAction("no-energy", _NO_ENERGY, **crossing)
    divides = not enemies and not whole and not found.identified and claim is None
    if not divides and not moving:
        return IllegalAction("movers-unnamed", _UNNAMED, start=origin, region=target)
    leg = Leg(origin, target, change, found.energy, found.doubled, found.spared)
    paid = found.energy + (SNEAK_ENERGY if sneak else 0)
    return Plan((leg,), enemies > 0, found.flight, divides, gain, take, sneak, change, gain + take - paid)


def _sneak_change(change: int, *, open_bonus: bool) -> int:
    """Return the change of Honor of a sneak attack: one decision, the worse penalty, plus a bonus (A-45)."""
    # The bonus of the open variant is netted with the penalty of the same decision (VAR-3, A-30).
    plain = change - open_bonus
    if plain > 0:
        return plain - SNEAK_PENALTY
    return min(plain, -SNEAK_PENALTY) + open_bonus


def _claimable(
    around: Surroundings, count: int, origin: Region, target: Region, comrades: int, enemies: int, flight: bool
) -> tuple[int, int, int]:
    """Return the units that can claim something with a move: Energy of the river, of the enemy, and the goal."""
    fed = draining = leading = 0
    # POS-1, A-39: on foot, both ends on the Styx, friendly or attack.
    if origin in BANK and target in BANK and not flight:
        fed = traits.RIVER_FED
    # DEM-1, A-40: alone into an empty region of the Underworld, without a fight.
    if count == 1 and not enemies and not comrades and target in UNDERWORLD:
        draining = traits.DRAINERS
    # END-1, A-25: into the Palace; where enemies stand, contact opens all anyway.
    if target == PALACE and around.faction == traits.LEADING_SIDE:
        leading = traits.LEADERS
    return fed, draining, leading


# -- wandering (HRM-1, A-37) ------------------------------------------------------------------------------


def _judge_path(
    board: Bitboard, path: tuple[Region, ...], moving: tuple[Member, ...], claim: int | None, sneak: bool
) -> Plan:
    if len(moving) != 1 or sneak or claim is not None:
        raise IllegalAction("no-path", "expected one unit that wanders, named, and no claim")
    wanderer = units_of(moving[0]) & traits.WANDERERS
    if not wanderer:
        raise IllegalAction("no-path", "expected one step, got {number}", number=len(path) - 1)
    legs = walk(board, path, wanderer)
    change, paid = sum([leg.honor for leg in legs]), sum([leg.energy for leg in legs])
    attack = bool(board.size[OTHER[board.turn]][legs[-1].target])
    return Plan(legs, attack, False, False, 0, 0, False, change, -paid)


def walk(board: Bitboard, path: tuple[Region, ...], wanderer: int) -> tuple[Leg, ...]:
    """Return the steps of a wanderer along a path, as far as its side's Honor lasts.

    Raises:
        IllegalAction: the rules refuse one of them.
    """
    faction = board.turn
    # The unit walks, even if it could fly; which it is shows before the first step.
    on_foot = wanderer & ~traits.FLIERS
    ours, theirs = board.size[faction], board.size[OTHER[faction]]
    legs: list[Leg] = []
    stock, score = board.energy[faction], board.honor[faction]
    last = len(path) - 2
    for number, (origin, target) in enumerate(pairwise(path)):
        comrades = ours[target] - (target == path[0])
        enemies = theirs[target]
        # The unit stops when it enters an occupied region.
        if number != last and (comrades or enemies):
            raise IllegalAction("path-occupied", "expected an empty region on the way, got {region}", region=target)
        if comrades >= MOST_IN_REGION:
            raise IllegalAction("too-many", "expected at most 4 units in {region}, got 4 already", region=target)
        found = honor.step(faction, 1, on_foot, wanderer, origin, target, enemies, False, board.open_combat)
        if found is None:
            raise IllegalAction("not-adjacent", _NOT_ADJACENT, start=origin, region=target)
        if found.energy > stock:
            raise IllegalAction("no-energy", _NO_ENERGY_LEFT, number=found.energy, start=origin, region=target)
        stock -= found.energy
        score += found.honor
        legs.append(Leg(origin, target, found.honor, found.energy, found.doubled, found.spared))
        # The Honor test follows each step; the side can lose the game on the way.
        if score < 1:
            break
    return tuple(legs)


def go(
    board: Bitboard,
    origin: Region,
    target: Region,
    last: Region,
    movers: int,
    count: int,
    legs: Sequence[tuple[int, int]],
    divides: bool = False,
    sneak: bool = False,
    gain: int = 0,
    take: int = 0,
) -> None:
    """Go, pay, and fight where enemies stand.

    Args:
        board: the game; whoever has to be seen is open already.
        origin: where they stand.
        target: where they end.
        last: the region before it; the origin unless they take more than one step.
        movers: the units that go, as far as they are known.
        count: how many go.
        legs: of each step the change of Honor and the Energy for the Styx.
        divides: nobody can tell who goes (REV-4).
        sneak: it is a sneak attack.
        gain: Energy for a claim.
        take: Energy taken from the enemy by a claim.
    """
    faction = board.turn
    attack = board.size[OTHER[faction]][target] > 0
    if divides:
        board.divide(faction, origin, target, movers, count)
    else:
        board.shift(faction, origin, target, movers, count)
    # Paid step by step.
    for change, energy in legs:
        if energy:
            board.charge(faction, -energy, "styx")
        if sneak:
            board.charge(faction, -honor.SNEAK_ENERGY, "sneaks")
        if change:
            board.change_honor(faction, change, "attack" if attack else "move")
            if not board.passes():
                return
    if gain:
        board.charge(faction, gain, "river_energy")
    if take:
        board.charge(faction, take, "drains")
        board.charge(OTHER[faction], -take, "drains")
    if not attack:
        rounds.proceed(board, END)
        return
    # FLY-6, FLY-7.
    came_from = last if ADJACENT[last][target] else 0
    if sneak:
        board.start_combat(target, faction, came_from)
        board.target = target
        board.phase = SNEAK
    else:
        rounds.start(board, target, faction, came_from)


def carry_out(builder: StateBuilder, action: Move | Sneak, plan: Plan) -> None:
    """Open who has to be seen, tell it, and go."""
    legs, attack, flight, divides, gain, take, sneak, _, _ = plan
    faction, path = builder.turn, action.path
    origin = path[0]
    group = builder.sides[faction][origin]
    places = movers(action, len(group))
    shown = shown_places(plan, action, places)
    if shown:
        tokens = [(origin, group[place]) for place in shown]
        if builder.ask(tokens, ACTION, action, (flight, legs[0].energy)):
            return
        group = builder.sides[faction][origin]
    count = 1 if isinstance(action, Sneak) else action.count
    going = builder.movers = group if count == len(group) else tuple([group[place] for place in places])
    known = known_mask(going)
    if known or CROSSES[origin][path[1]]:
        _note_powers(builder, action, plan, known)
    last, target = legs[-1][:2]
    units: tuple[Unit | None, ...] = (None,) * count
    if divides:
        builder.barred = find_barred(builder, faction, origin, target, count)
    elif known:
        units = tuple([UNITS[can.bit_length() - 1] if opened else None for _, _, _, opened, can in going])
    builder.note(ev.Moved, faction, path[: len(legs) + 1], units, attack, flight)
    costs = [(change, energy) for _, _, change, energy, _, _ in legs]
    go(builder, origin, target, last, mask(going), count, costs, divides, sneak, gain, take)


def _note_powers(builder: StateBuilder, action: Move | Sneak, plan: Plan, known: int) -> None:
    """Say which powers act with a move of units of whom ``known`` are known."""
    events = builder.happened
    first = plan.legs[0]
    origin, target, _, energy, _, _ = first
    if known:
        lone = UNITS[known.bit_length() - 1]
        if plan.flight:
            events.append(ev.Used(lone, "flies"))
        if len(plan.legs) > 1:
            events.append(ev.Used(lone, "wanders"))
        if first.doubled or first.spared:
            rounds.note_penalty_powers(events, known, alone=len(builder.movers) == 1)
        if isinstance(action, Sneak):
            events += [ev.Sneaked(lone, action.path), ev.Used(lone, "sneaks")]
        elif action.claim is not None:
            claimant = UNITS[builder.sides[builder.turn][action.path[0]][action.claim].can.bit_length() - 1]
            if plan.gain:
                events.append(ev.Used(claimant, "river_energy"))
            if plan.take:
                events.append(ev.Used(claimant, "drains"))
    if CROSSES[origin][target] and not energy and not plan.flight:
        ferry = nearest_ferry(builder, builder.turn, origin, target)
        events.append(ev.Used(ferry, "ferries"))
