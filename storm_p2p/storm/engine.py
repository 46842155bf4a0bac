"""The engine: what an action does, or why the rules refuse it (docs/rules.md, "The engine").

What is needed next stands in ``wants``, what a seat may do and what it costs in ``options``; both are part of the
engine and are imported from here.  Every function is pure.  :func:`apply` runs on what its caller knows: the
public state, one owner's view or all cards.  Forced openings are wanted from outside (phase OPENING), because on
the public state only their owner can supply them; :func:`play` supplies them from a state that knows all units.
"""

from __future__ import annotations

from typing import Final

from storm_p2p.storm import events as ev
from storm_p2p.storm.actions import (
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
    Serial,
    Sneak,
    Stay,
    Succeed,
)  # fmt: skip
from storm_p2p.storm.errors import IllegalAction
from storm_p2p.storm.requests import Want, heir, heirs, wants
from storm_p2p.storm.rules import combat, execute_move, movement, powers, rounds, setup
from storm_p2p.storm.rules.movement import Plan
from storm_p2p.storm.rules.options import costed, legal_actions, options, price
from storm_p2p.storm.rules.pricing import Price
from storm_p2p.storm.rules.setup import new_game
from storm_p2p.storm.state import (
    ACTION,
    AID,
    BOLT,
    FIGHT,
    LOSE,
    OPENING,
    RETREAT,
    SETUP,
    SNEAK,
    STAY,
    SUCCESSION,
    TURN,
    Outcome,
    Phase,
    State,
)
from storm_p2p.storm.state_builder import Draft
from storm_p2p.storm.units import CHARMERS, SECOND_LEADER, units_in

__all__ = [
    "IllegalAction", "Price", "Want", "apply", "check", "costed", "legal_actions", "new_game", "options", "outcome",
    "play", "price", "wants",
]  # fmt: skip


def outcome(state: State) -> Outcome | None:
    """Return how the game ended, or None while it goes on."""
    return state.outcome


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
    while state.phase == SUCCESSION:
        state, more = _run(state, heir(state), open_cards=True)
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

    What an opening shows may still be refused by :func:`apply`: a wrong unit, or a claim that was false.

    Raises:
        IllegalAction: the rules refuse it.
    """
    _check(state, action)


_FITS: Final[dict[type, tuple[Phase, ...]]] = {
    Place: (SETUP,), Move: (TURN,), Sneak: (TURN,), Reveal: (TURN,), Bolt: (TURN,), Recall: (TURN,),
    Liturgy: (TURN,), Pass: (TURN,), Aid: (AID,), Fight: (FIGHT,), Block: (SNEAK,), Immune: (BOLT,),
    Lose: (LOSE, SNEAK, BOLT), Retreat: (RETREAT, STAY), Stay: (STAY,), Succeed: (SUCCESSION,),
    Opening: (OPENING,),
}  # fmt: skip
"""The phases in which each action is an answer."""


def _check(state: State, action: Action) -> Plan | None:
    """Refuse what the rules do not allow, without listing everything they do allow; plan a move."""
    if state.phase not in _FITS[type(action)]:
        raise IllegalAction(
            "wrong-phase", "expected an answer to {phase}, got {action}",
            phase=state.phase, action=type(action).__name__.lower(),
        )
    if isinstance(action, (Move, Sneak)):
        return movement.judge(state, action)
    _check_other(state, action)
    return None


def _check_other(state: State, action: Action) -> None:
    match action:
        case Place():
            setup.check_place(state, action)
        case Reveal():
            if not 1 <= action.region <= 24 or not 0 <= action.place < len(state.sides[state.turn][action.region]):
                raise IllegalAction(
                    "nothing-to-reveal", "expected a unit of the side to move in {region}", region=action.region
                )
            if state.sides[state.turn][action.region][action.place].known:
                raise IllegalAction(
                    "nothing-to-reveal", "expected a hidden unit in {region}, got a known one", region=action.region
                )
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
                    raise IllegalAction("no-claim", "expected {unit} next door, got another", unit=units_in(CHARMERS))
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
            if action.token is not None and action.token not in {token.serial for token in heirs(state)}:
                raise IllegalAction("no-heir", "expected {unit}, got another unit", unit=units_in(SECOND_LEADER))
        case Opening():
            if len(action.units) != len(state.due):
                raise IllegalAction(
                    "wrong-opening", "expected {number} units, got {more}",
                    number=len(state.due), more=len(action.units),
                )
        case _:
            pass


def _check_lose(state: State, action: Lose) -> None:
    if state.phase == BOLT:
        powers.check_bolt_answer(state, action)
        return
    if action.claim is not None:
        raise IllegalAction("no-claim", "expected no claim, for no thunderbolt has struck")
    if state.phase == SNEAK:
        powers.check_sneak_answer(state, action.token, block=False)
        return
    current = state.combat
    assert current is not None
    if action.token not in {token.serial for token in state.sides[current.losers[0]][current.region]}:
        raise IllegalAction("not-there", "expected a unit of the loser in {region}, got another", region=current.region)


def _open(draft: Draft, action: Opening) -> None:
    """Take openings and go on with what they interrupted."""
    for serial, unit in zip(draft.due, action.units, strict=True):
        region, token = draft.locate(serial)
        draft.reveal(region, token, unit, draft.cause(draft.pending))
    pending, then, declared = draft.pending, draft.then, draft.declared
    draft.settle()
    if isinstance(pending, Succeed):
        _verify(draft, pending.token, SECOND_LEADER)
        rounds.proceed(draft, then)
    elif pending is not None:
        _resume(draft, pending, declared)
    else:
        rounds.proceed(draft, then)


def _verify(draft: Draft, serial: Serial | None, bits: int) -> None:
    """Refuse a claim that an opening has shown to be wrong."""
    if serial is not None and not draft.locate(serial)[1].can & bits:
        raise IllegalAction("false-claim", "expected {unit}, got another unit", unit=units_in(bits))


def _resume(draft: Draft, pending: Action, declared: tuple[bool, int] | None) -> None:
    """Carry out an action whose tokens are open now; what they are may still make it illegal."""
    plan = None
    if isinstance(pending, Lose):
        draft.phase = BOLT if draft.combat is None else SNEAK
    else:
        draft.phase = _FITS[type(pending)][0]
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
            execute_move.go(draft, action, plan)
        case Reveal():
            _reveal(draft, action)
        case Bolt():
            if not draft.ask([draft.locate(action.thrower)], ACTION, action):
                powers.bolt(draft, action)
        case Recall():
            if not draft.ask([draft.locate(action.caller)], ACTION, action):
                powers.recall(draft, action)
        case Liturgy():
            powers.liturgy(draft)
        case Pass():
            draft.events.append(ev.Passed(draft.turn))
            draft.begin_turn()
        case Aid():
            if action.helper is None or not draft.ask([draft.locate(action.helper)], ACTION, action):
                rounds.aid(draft, action)
        case Fight():
            rounds.fight(draft, action)
        case Lose():
            _lose(draft, action)
        case Immune():
            if not draft.ask([draft.locate(action.token)], ACTION, action):
                powers.bolt_answer(draft, action)
        case Block():
            if not draft.ask([draft.locate(action.token)], ACTION, action):
                powers.sneak_answer(draft, action.token, block=True)
        case Retreat():
            rounds.retreat(draft, action)
        case Stay():
            rounds.stay(draft)
        case Succeed():
            _succeed(draft, action)
        case Opening():
            raise AssertionError("openings are taken by _open")


def _lose(draft: Draft, action: Lose) -> None:
    if draft.phase == LOSE:
        rounds.lose(draft, action)
        return
    serials = [action.token] if action.claim in (None, action.token) else [action.token, action.claim or 0]
    if draft.ask(map(draft.locate, serials), ACTION, action):
        return
    if draft.phase == BOLT:
        powers.bolt_answer(draft, action)
    else:
        powers.sneak_answer(draft, action.token, block=False)


def _reveal(draft: Draft, action: Reveal) -> None:
    if draft.ask([(action.region, draft.sides[draft.turn][action.region][action.place])], ACTION, action):
        return
    draft.phase = TURN
    # a leader may be revealed in the Palace in a later turn of his side.
    draft.palace_reached()


def _succeed(draft: Draft, action: Succeed) -> None:
    then = draft.then
    # who does not open her has lost.
    if action.token is None:
        draft.end("olympians", "leaders")
    elif not draft.ask([draft.locate(action.token)], then, action):
        rounds.proceed(draft, then)
