"""The engine: what is wanted, what is legal, what it costs, what follows (SPEC.md 2.1).

Every function is pure.  :func:`apply` runs on what its caller knows: the public state, one owner's view or all
cards.  Forced openings are wanted from outside (phase OPENING), because on the public state only their owner
can supply them; :func:`play` supplies them from a state that knows all units.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeAlias

from storm_p2p import combat, honor, movement, powers, setup
from storm_p2p import events as ev
from storm_p2p.actions import (
    Action,
    Aid,
    Block,
    Bolt,
    Fight,
    Immune,
    Liturgy,
    Lose,
    Move,
    Opening,
    Pass,
    Place,
    Recall,
    Retreat,
    Reveal,
    Sneak,
    Stay,
    Succeed,
)  # fmt: skip
from storm_p2p.board import ADJACENT, CROSSES, FACTIONS, OTHER, REGIONS, Faction
from storm_p2p.draft import Draft
from storm_p2p.errors import IllegalAction
from storm_p2p.movement import Cost, Plan
from storm_p2p.setup import new_game
from storm_p2p.state import Combat, Next, Outcome, Phase, Serial, State, Token, find, known_mask
from storm_p2p.units import (
    BOLT_FED,
    BOLT_ORDER,
    BOLT_PROOF,
    CARDS,
    CHARMERS,
    FERRIES,
    NAME,
    RECALL_ORDER,
    SECOND_LEADER,
    SNEAK_BLOCKERS,
    UNITS,
    Maneuver,
    Unit,
    units_in,
)  # fmt: skip

__all__ = [
    "IllegalAction", "Price", "Want", "apply", "check", "costed", "legal_actions", "new_game", "options", "outcome", "play", "price",
    "wants",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Want:
    """What is needed next."""

    phase: Phase
    seats: tuple[Faction, ...]
    """From whom; several only for simultaneous choices and setups."""
    tokens: tuple[Serial, ...] = ()
    """What has to be opened, in the phase OPENING."""


@dataclass(frozen=True, slots=True)
class Price:
    """What an action costs at once, and what it tells."""

    honor: int
    """Change of the own Honor, with its sign."""
    energy: int
    """Change of the own stock."""
    reveals: tuple[Unit, ...] = ()
    """Own units that the opponent learns by it."""
    hides: tuple[Unit, ...] = ()
    """Own units that the opponent knew and can no longer place."""


def outcome(state: State) -> Outcome | None:
    """Return how the game ended, or None while it goes on."""
    return state.outcome


def wants(state: State) -> Want | None:
    """Return what is needed next and from whom, or None when the game is over."""
    phase = state.phase
    if phase == Phase.TURN:
        return Want(phase, (state.turn,))
    if phase == Phase.OVER:
        return None
    if phase == Phase.FIGHT:
        return Want(phase, combat.choosers(state))
    if phase == Phase.OPENING:
        found = find(state, state.due[0])
        assert found is not None
        return Want(phase, (Faction(found[1].faction),), state.due)
    return Want(phase, (_answering(state),) if phase != Phase.SETUP else setup.missing(state))


def _answering(state: State) -> Faction:
    phase, current = state.phase, state.combat
    if phase in (Phase.SNEAK, Phase.BOLT):
        return OTHER[state.turn]
    if phase == Phase.AID:
        return CARDS[CHARMERS.bit_length() - 1].faction
    if phase == Phase.SUCCESSION:
        return CARDS[SECOND_LEADER.bit_length() - 1].faction
    if phase == Phase.LOSE:
        assert current is not None
        return current.losers[0]
    return combat.leaving(state)


# -- apply ------------------------------------------------------------------------------------------------


def apply(state: State, action: Action) -> tuple[State, tuple[ev.Event, ...]]:
    """Return the state after an action and what happened.

    Raises:
        IllegalAction: the rules refuse it; nothing has changed.
    """
    return _run(state, action, open_cards=False)


def play(state: State, action: Action) -> tuple[State, tuple[ev.Event, ...]]:
    """Apply an action to a state that knows all units, and do at once what the rules then force.

    Raises:
        IllegalAction: the rules refuse it; nothing has changed.
    """
    state, happened = _run(state, action, open_cards=True)
    while state.phase == Phase.SUCCESSION:
        state, more = _run(state, _heir(state), open_cards=True)
        happened += more
    return state, happened


def _run(state: State, action: Action, *, open_cards: bool) -> tuple[State, tuple[ev.Event, ...]]:
    plan = _check(state, action)
    draft = Draft(state, open_cards=open_cards)
    if isinstance(action, Opening):
        _open(draft, action)
    else:
        _carry_out(draft, action, plan)
    return draft.done()


def check(state: State, action: Action) -> None:
    """Refuse an action that :func:`apply` would refuse, without applying it.

    Raises:
        IllegalAction: the rules refuse it.
    """
    _check(state, action)


_PHASES: dict[type, Phase] = {
    Place: Phase.SETUP, Move: Phase.TURN, Sneak: Phase.TURN, Reveal: Phase.TURN, Bolt: Phase.TURN,
    Recall: Phase.TURN, Liturgy: Phase.TURN, Pass: Phase.TURN, Aid: Phase.AID, Fight: Phase.FIGHT,
    Block: Phase.SNEAK, Immune: Phase.BOLT, Stay: Phase.STAY, Succeed: Phase.SUCCESSION, Opening: Phase.OPENING,
}  # fmt: skip


def _check(state: State, action: Action) -> Plan | None:
    """Refuse what the rules do not allow, without listing everything they do allow; plan a move."""
    phase = state.phase
    if isinstance(action, Lose):
        fits = phase in (Phase.LOSE, Phase.SNEAK, Phase.BOLT)
    elif isinstance(action, Retreat):
        fits = phase in (Phase.RETREAT, Phase.STAY)
    else:
        fits = phase == _PHASES[type(action)]
    if not fits:
        raise IllegalAction(
            "wrong-phase", f"expected an answer to {phase.name.lower()}, got {type(action).__name__.lower()}"
        )
    if isinstance(action, Move | Sneak):
        return movement.judge(state, action)
    _check_other(state, action)
    return None


def _check_other(state: State, action: Action) -> None:
    match action:
        case Place():
            setup.check_place(state, action)
        case Reveal():
            if not 1 <= action.region <= 24 or not 0 <= action.place < len(state.sides[state.turn][action.region]):
                raise IllegalAction("nothing-to-reveal", f"expected a unit of the side to move in {action.region}")
            if state.sides[state.turn][action.region][action.place].known:
                raise IllegalAction("nothing-to-reveal", f"expected a hidden unit in {action.region}, got a known one")
        case Bolt():
            powers.check_bolt(state, action)
        case Recall():
            powers.check_recall(state, action)
        case Pass():
            if not powers.may_pass(state):
                raise IllegalAction("no-pass", "expected an action: only Olympians all in Tartarus may pass")
        case Aid():
            if action.helper is not None:
                helper = next((token for token in combat.helpers(state) if token.serial == action.helper), None)
                if helper is None or (helper.unit is not None and not 1 << helper.unit & CHARMERS):
                    raise IllegalAction("no-claim", f"expected {NAME[units_in(CHARMERS)[0]]} next door, got another")
        case Fight():
            combat.check_fight(state, action)
        case Lose():
            _check_lose(state, action)
        case Immune():
            powers.check_bolt_answer(state, action)
        case Block():
            powers.check_sneak_answer(state, action.token, block=True)
        case Retreat():
            combat.check_retreat(state, action)
        case Succeed():
            if action.token is not None and action.token not in {token.serial for token in _heirs(state)}:
                raise IllegalAction("no-heir", f"expected {NAME[units_in(SECOND_LEADER)[0]]}, got another unit")
        case Opening():
            if len(action.units) != len(state.due):
                raise IllegalAction("wrong-opening", f"expected {len(state.due)} units, got {len(action.units)}")
        case _:
            pass


def _check_lose(state: State, action: Lose) -> None:
    if state.phase == Phase.BOLT:
        powers.check_bolt_answer(state, action)
        return
    if action.claim is not None:
        raise IllegalAction("no-claim", "expected no claim, for no thunderbolt has struck")
    if state.phase == Phase.SNEAK:
        powers.check_sneak_answer(state, action.token, block=False)
        return
    current = state.combat
    assert current is not None
    if action.token not in {token.serial for token in state.sides[current.losers[0]][current.region]}:
        raise IllegalAction("not-there", f"expected a unit of the loser in {current.region}, got another")


def _heirs(state: State) -> tuple[Token, ...]:
    """Return the hidden tokens that can be the second leader, or are known to this view to be it or not."""
    side = state.sides[Faction.CHTHONIANS]
    return tuple(
        token
        for group in side[1:]
        for token in group
        if not token.known and (token.can if token.unit is None else 1 << token.unit) & SECOND_LEADER
    )


def _heir(state: State) -> Succeed:
    found = _heirs(state)
    return Succeed(found[0].serial if found else None)


def _open(draft: Draft, action: Opening) -> None:
    """Take openings and go on with what they interrupted."""
    for serial, unit in zip(draft.due, action.units, strict=True):
        region, token = draft.locate(serial)
        draft.reveal(region, token, unit)
    pending, then, declared = draft.pending, draft.then, draft.declared
    draft.settle()
    if isinstance(pending, Succeed):
        _verify(draft, pending.token, SECOND_LEADER)
        combat.proceed(draft, then)
    elif pending is not None:
        _resume(draft, pending, declared)
    else:
        combat.proceed(draft, then)


def _verify(draft: Draft, serial: Serial | None, bits: int) -> None:
    """Refuse a claim that an opening has shown to be wrong."""
    if serial is not None and not draft.locate(serial)[1].can & bits:
        raise IllegalAction("false-claim", f"expected {NAME[units_in(bits)[0]]}, got another unit")


def _resume(draft: Draft, pending: Action, declared: tuple[bool, int] | None) -> None:
    """Carry out an action whose tokens are open now; what they are may still make it illegal."""
    plan = None
    if isinstance(pending, Lose):
        draft.phase = Phase.BOLT if draft.combat is None else Phase.SNEAK
    else:
        draft.phase = _PHASES[type(pending)]
    if isinstance(pending, Move | Sneak):
        plan = movement.judge(draft.done()[0], pending, declared=declared)
    elif isinstance(pending, Aid):
        _verify(draft, pending.helper, CHARMERS)
    elif not isinstance(pending, Reveal):
        _check(draft.done()[0], pending)
    _carry_out(draft, pending, plan)


def _carry_out(draft: Draft, action: Action, plan: Plan | None) -> None:
    match action:
        case Place():
            setup.place(draft, action)
        case Move() | Sneak():
            assert plan is not None
            _move(draft, action, plan)
        case Reveal():
            _reveal(draft, action)
        case Bolt():
            if not draft.ask([action.thrower], Next.ACTION, action):
                powers.bolt(draft, action)
        case Recall():
            if not draft.ask([action.caller], Next.ACTION, action):
                powers.recall(draft, action)
        case Liturgy():
            powers.liturgy(draft)
        case Pass():
            draft.events.append(ev.Passed(draft.turn))
            draft.begin_turn()
        case Aid():
            if action.helper is None or not draft.ask([action.helper], Next.ACTION, action):
                combat.aid(draft, action)
        case Fight():
            combat.fight(draft, action)
        case Lose():
            _lose(draft, action)
        case Immune():
            if not draft.ask([action.token], Next.ACTION, action):
                powers.bolt_answer(draft, action)
        case Block():
            if not draft.ask([action.token], Next.ACTION, action):
                powers.sneak_answer(draft, action.token, block=True)
        case Retreat():
            combat.retreat(draft, action)
        case Stay():
            combat.stay(draft)
        case Succeed():
            _succeed(draft, action)
        case Opening():
            raise AssertionError("openings are taken by _open")


def _lose(draft: Draft, action: Lose) -> None:
    if draft.phase == Phase.LOSE:
        combat.lose(draft, action)
        return
    serials = [action.token] if action.claim in (None, action.token) else [action.token, action.claim or 0]
    if draft.ask(serials, Next.ACTION, action):
        return
    if draft.phase == Phase.BOLT:
        powers.bolt_answer(draft, action)
    else:
        powers.sneak_answer(draft, action.token, block=False)


def _reveal(draft: Draft, action: Reveal) -> None:
    if draft.ask([draft.sides[draft.turn][action.region][action.place].serial], Next.ACTION, action):
        return
    draft.phase = Phase.TURN
    # a leader may be revealed in the Palace in a later turn of his side.
    draft.palace_reached()


def _succeed(draft: Draft, action: Succeed) -> None:
    then = draft.then
    # who does not open her has lost.
    if action.token is None:
        draft.end("olympians", "leaders")
    elif not draft.ask([action.token], then, action):
        combat.proceed(draft, then)


def _move(draft: Draft, action: Move | Sneak, plan: Plan) -> None:
    """Open, pay, go, and fight where enemies stand."""
    faction = draft.turn
    origin = action.path[0]
    group = draft.sides[faction][origin]
    if plan.attack or len(action.path) > 2:
        # REV-2; A-37: from the second step on a wanderer is known.
        shown: tuple[int, ...] = plan.movers
    elif isinstance(action, Sneak) or action.claim is None:
        shown = ()
    else:
        shown = (action.claim,)
    serials = [group[place].serial for place in shown]
    if serials and draft.ask(serials, Next.ACTION, action, (plan.flight, plan.legs[0].energy)):
        return
    group = draft.sides[faction][origin]
    movers = tuple([group[place] for place in plan.movers])
    _note_powers(draft, action, plan, movers)
    if plan.divides:
        assert isinstance(action, Move)
        target = plan.legs[0].target
        ferries = movement.ferry_regions(draft.sides[faction])
        ferry = faction == Faction.CHTHONIANS and movement.ferried(origin, target, ferries)
        out = movement.barred(faction, group, action.count, origin, target, ferry)
        draft.events.append(ev.Moved(faction, (origin, target), (None,) * action.count, False, False))
        draft.divide(faction, origin, target, movers, action.count, out)
    else:
        units = tuple([UNITS[token.can.bit_length() - 1] if token.known else None for token in movers])
        path = (origin, *(leg.target for leg in plan.legs))
        draft.events.append(ev.Moved(faction, path, units, plan.attack, plan.flight))
        draft.shift(faction, origin, path[-1], movers)
    reason = "attack" if plan.attack else "move"
    for leg in plan.legs:
        draft.charge(faction, -leg.energy, "styx")
        if plan.sneak:
            draft.charge(faction, -movement.SNEAK_ENERGY, "sneaks")
        if not draft.book([(faction, leg.honor, reason)]):
            return
    draft.charge(faction, plan.gain, "river_energy")
    draft.charge(faction, plan.take, "drains")
    draft.charge(OTHER[faction], -plan.take, "drains")
    _arrive(draft, plan)


def _note_powers(draft: Draft, action: Move | Sneak, plan: Plan, movers: tuple[Token, ...]) -> None:
    """Say which powers act with a move."""
    known = known_mask(movers)
    lone = UNITS[known.bit_length() - 1] if len(movers) == 1 and known else None
    if lone is not None:
        if plan.flight:
            draft.events.append(ev.Used(lone, "flies"))
        if len(plan.legs) > 1:
            draft.events.append(ev.Used(lone, "wanders"))
    if plan.legs[0].doubled or plan.legs[0].spared:
        combat.note_penalty_powers(draft, known, alone=len(movers) == 1)
    if isinstance(action, Sneak):
        assert lone is not None
        draft.events += [ev.Sneaked(lone, action.path), ev.Used(lone, "sneaks")]
    elif action.claim is not None:
        claimant = Unit(draft.sides[draft.turn][action.path[0]][action.claim].can.bit_length() - 1)
        if plan.gain:
            draft.events.append(ev.Used(claimant, "river_energy"))
        if plan.take:
            draft.events.append(ev.Used(claimant, "drains"))
    origin, target = plan.legs[0].origin, plan.legs[0].target
    if CROSSES[origin][target] and not plan.legs[0].energy and not plan.flight:
        draft.events.append(ev.Used(units_in(FERRIES)[0], "ferries"))


def _arrive(draft: Draft, plan: Plan) -> None:
    faction = draft.turn
    origin, target = plan.legs[-1].origin, plan.legs[-1].target
    if not plan.attack:
        combat.proceed(draft, Next.END)
        return
    # FLY-6, FLY-7.
    came_from = origin if ADJACENT[origin][target] else None
    if plan.sneak:
        draft.combat = Combat(target, faction, came_from)
        draft.target = target
        draft.phase = Phase.SNEAK
        return
    combat.start(draft, target, faction, came_from)


# -- what is legal, and what it costs ----------------------------------------------------------------------


def legal_actions(state: State, seat: int) -> list[Action]:
    """Return every legal action of ``seat``, in a fixed order; it must know its own units."""
    return [action for action, _ in options(state, seat)]


def _answers(state: State, faction: Faction) -> Iterator[Action]:
    """Yield the legal answers in the phases that follow an action."""
    phase, current = state.phase, state.combat
    if phase == Phase.LOSE:
        assert current is not None
        yield from (_lose_of(token) for token in state.sides[faction][current.region])
    elif phase in (Phase.RETREAT, Phase.STAY):
        if phase == Phase.STAY:
            yield Stay()
        yield from (Retreat(region) for region in combat.ways_out(state, faction))
    elif phase == Phase.AID:
        yield Aid(None)
        for token in combat.helpers(state):
            if token.unit is not None and 1 << token.unit & CHARMERS:
                yield Aid(token.serial)
    elif phase == Phase.SNEAK:
        for token in state.sides[faction][state.target]:
            yield _lose_of(token)
            if token.unit is not None and 1 << token.unit & SNEAK_BLOCKERS:
                yield Block(token.serial)
    elif phase == Phase.BOLT:
        yield from _bolt_answers(state, faction)
    elif phase == Phase.SUCCESSION:
        yield _heir(state)
    elif phase == Phase.OPENING:
        found = [find(state, serial) for serial in state.due]
        units = [Unit(place[1].unit) for place in found if place is not None and place[1].unit is not None]
        if len(units) == len(state.due):
            yield Opening(tuple(units))


def _bolt_answers(state: State, faction: Faction) -> Iterator[Action]:
    group = state.sides[faction][state.target]
    fed = [token.serial for token in group if token.unit is not None and 1 << token.unit & BOLT_FED]
    for token in group:
        proof = token.unit is not None and 1 << token.unit & BOLT_PROOF
        if proof and len(group) == 1:
            yield Immune(token.serial)
        if not proof:
            yield _lose_of(token)
            yield from (_lose_of(token, serial) for serial in fed)


def _lose_of(token: Token, claim: Serial | None = None) -> Lose:
    return Lose(token.serial, claim, None if token.unit is None else UNITS[token.unit])


Costed: TypeAlias = tuple[Action, Cost]


def costed(state: State, seat: int) -> list[Costed]:
    """Return every legal action of ``seat`` with what it costs, as quickly as possible.

    The actions equal those of :func:`options` but do not name units for the notation.
    """
    want = wants(state)
    if want is None or seat not in want.seats:
        return []
    if state.phase == Phase.TURN:
        return _costed_turn(state)
    if state.phase == Phase.FIGHT:
        return _costed_fights(state, FACTIONS[seat])
    answers = [(action, price(state, action)) for action in _answers(state, FACTIONS[seat])]
    return [(action, Cost(cost.honor, cost.energy)) for action, cost in answers]


def _costed_turn(state: State) -> list[Costed]:
    """What the side whose turn it is may do (section 4)."""
    faction = state.turn
    side = state.sides[faction]
    found: list[Costed] = list(movement.list_moves(state))
    special = powers.holder(state, BOLT_ORDER) | powers.holder(state, RECALL_ORDER)
    for region in REGIONS:
        group = side[region]
        if group:
            for place, token in enumerate(group):
                if not token.known:
                    found.append(_REVEALS[region][place])
                if token.unit is not None and special >> token.unit & 1:
                    found += _special_actions(state, region, token)
    found.append(_LITURGIES[powers.liturgy_penalty(state.energy[faction])])
    if powers.may_pass(state):
        found.append((Pass(), Cost(0, 0)))
    return found


_REVEALS = [[(Reveal(region, place), Cost(0, 0)) for place in range(4)] for region in range(25)]
_LITURGIES = [(Liturgy(), Cost(-penalty, powers.LITURGY_ENERGY)) for penalty in range(3)]


def _special_actions(state: State, region: int, token: Token) -> Iterator[Costed]:
    """Yield the thunderbolts and recalls of a unit that has the right to them."""
    bit = 1 << token.unit if token.unit is not None else 0
    if bit & powers.holder(state, BOLT_ORDER):
        cost = Cost(-powers.BOLT_PENALTY, -powers.BOLT_ENERGY)
        for target in powers.bolt_targets(state, region):
            yield Bolt(target, token.serial), cost
    if bit & powers.holder(state, RECALL_ORDER):
        for unit in powers.recallable(state):
            yield Recall(unit, token.serial), Cost(0, -powers.RECALL_ENERGY)


def options(state: State, seat: int) -> list[tuple[Action, Price]]:
    """Return every legal action of ``seat`` with its price, in a fixed order; it must know its own units."""
    want = wants(state)
    if want is None or seat not in want.seats:
        return []
    if state.phase not in (Phase.TURN, Phase.FIGHT):
        return [(action, price(state, action)) for action in _answers(state, FACTIONS[seat])]
    found = [_named(state, action) for action, _ in costed(state, seat)]
    return [(action, price(state, action)) for action in found]


def _named(state: State, action: Action) -> Action:
    """Return an action with the names of its units, for the notation."""
    if isinstance(action, Move | Sneak):
        return movement.named(state, action)
    if isinstance(action, Reveal):
        unit = state.sides[state.turn][action.region][action.place].unit
        return Reveal(action.region, action.place, None if unit is None else UNITS[unit])
    return action


def _costed_fights(state: State, faction: Faction) -> list[Costed]:
    current = state.combat
    assert current is not None
    groups = combat.groups_at(state, current.region)
    limit = combat.energy_limit(current, groups, state.energy[faction], faction)
    allowed = combat.maneuvers(current, groups, faction)
    return _fights(faction, allowed, limit, known_mask(groups[faction]), current.alone[faction])


@lru_cache(maxsize=4096)
def _fights(faction: Faction, allowed: tuple[Maneuver, ...], limit: int, mask: int, alone: bool) -> list[Costed]:
    found: list[Costed] = []
    for maneuver in allowed:
        for energy in range(limit + 1):
            manner, much = honor.combat_penalties(maneuver, energy, mask, alone=alone)
            found.append((Fight(faction, maneuver, energy), Cost(-manner - much, -energy)))
    return found


def price(state: State, action: Action) -> Price:
    """Return what a legal action costs at once and what the opponent learns and forgets by it."""
    match action:
        case Move() | Sneak():
            return _move_price(state, action)
        case Reveal():
            unit = state.sides[state.turn][action.region][action.place].unit
            return Price(0, 0, () if unit is None else (UNITS[unit],))
        case Bolt():
            return Price(-powers.BOLT_PENALTY, -powers.BOLT_ENERGY, _secret(state, [action.thrower]))
        case Recall():
            return Price(0, -powers.RECALL_ENERGY, _secret(state, [action.caller]))
        case Liturgy():
            return Price(-powers.liturgy_penalty(state.energy[state.turn]), powers.LITURGY_ENERGY)
        case Aid():
            return Price(0, 0, _secret(state, [action.helper]))
        case Fight():
            return _fight_price(state, action)
        case Lose():
            gain = 0
            if action.claim is not None:
                gain = max(card.bolt_energy for card in CARDS)
            return Price(0, gain, _secret(state, sorted({action.token, action.claim or action.token})))
        case Immune() | Block():
            return Price(0, 0, _secret(state, [action.token]))
        case Retreat():
            current = state.combat
            assert current is not None
            group = state.sides[combat.leaving(state)][current.region]
            return Price(-honor.retreat_penalty(known_mask(group), len(group)), 0)
        case Succeed():
            return Price(0, 0, _secret(state, [action.token]))
        case _:
            return Price(0, 0)


def _move_price(state: State, action: Move | Sneak) -> Price:
    group = state.sides[state.turn][action.path[0]]
    return _priced(action, movement.judge(state, action), tuple([movement.member(token) for token in group]))


@lru_cache(maxsize=1 << 16)
def _priced(action: Move | Sneak, plan: Plan, members: tuple[movement.Member, ...]) -> Price:
    """Return the price of a move of a group whose tokens the mover knows as ``members``."""
    if plan.divides:
        return Price(plan.honor, plan.energy, (), tuple(UNITS[code >> 1] for code in members if code > 0 and code & 1))
    if isinstance(action, Sneak) or plan.attack or len(action.path) > 2:
        shown = plan.movers
    else:
        shown = () if action.claim is None else (action.claim,)
    reveals = tuple(UNITS[members[place] >> 1] for place in shown if members[place] >= 0 and not members[place] & 1)
    return Price(plan.honor, plan.energy, reveals)


def _fight_price(state: State, action: Fight) -> Price:
    current = state.combat
    assert current is not None
    mask = known_mask(state.sides[action.faction][current.region])
    manner, much = honor.combat_penalties(
        action.maneuver, action.energy, mask, alone=current.alone[action.faction]
    )
    return Price(-manner - much, -action.energy)


def _secret(state: State, serials: list[Serial | None] | list[Serial]) -> tuple[Unit, ...]:
    """Return the units under tokens that the opponent does not know yet."""
    found = (find(state, serial) for serial in serials if serial is not None)
    return tuple(
        Unit(place[1].unit) for place in found if place is not None and not place[1].known and place[1].unit is not None
    )
