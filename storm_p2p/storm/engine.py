"""The engine: what an action does, or why the rules refuse it (docs/rules.md, "The engine").

What is needed next stands in ``requests``, what a seat may do and what it costs in ``options``; both are part of the
engine and are imported from here.  Every function is pure.  :func:`apply` runs on what its caller knows: the
public state, one owner's view or all cards.  Forced openings are wanted from outside (phase OPENING), because on
the public state only their owner can supply them; :func:`play` supplies them from a state that knows all units.
"""

from typing import Final

from storm_p2p.storm import actions as act
from storm_p2p.storm import events as ev
from storm_p2p.storm.actions import Action, Serial
from storm_p2p.storm.board import OTHER
from storm_p2p.storm.errors import IllegalAction
from storm_p2p.storm.rules import combat, movement, powers, rounds, setup
from storm_p2p.storm.rules.movement import Plan
from storm_p2p.storm.rules.options import (
    Price,
    StormRequest,
    answer_succession,
    find_heirs,
    legal_actions,
    next_request,
    options,
    price,
    price_actions,
)
from storm_p2p.storm.rules.setup import new_game
from storm_p2p.storm.state import SUCCESSION, TURN, Next, Outcome, Phase, State
from storm_p2p.storm.state_builder import StateBuilder, look, take
from storm_p2p.storm.units import CHARMERS, SECOND_LEADER, units_in

__all__ = ["IllegalAction", "Price", "StormRequest", "legal_actions", "new_game", "next_request", "options"]
__all__ += ["apply", "check", "outcome", "play", "price", "price_actions", "wants"]

wants = next_request
"""Another name of :func:`next_request`, its first one, by which other programs ask (docs/rules.md, "The engine")."""


def outcome(state: State) -> Outcome | None:
    """Return how the game ended, or None while it goes on."""
    return state.outcome


# -- apply ------------------------------------------------------------------------------------------------


def apply(state: State, *actions: Action) -> tuple[State, tuple[ev.Event, ...]]:
    """Return the state after an action, or several in turn, and what happened.

    Raises:
        IllegalAction: the rules refuse it; nothing has changed.
    """
    return _run(state, *actions, open_cards=False)


def play(state: State, action: Action) -> tuple[State, tuple[ev.Event, ...]]:
    """Apply an action to a state that knows all units, and do at once what the rules then force.

    Raises:
        IllegalAction: the rules refuse it; nothing has changed.
    """
    state, happened = _run(state, action, open_cards=True)
    while state.phase is SUCCESSION:
        state, more = _run(state, answer_succession(state), open_cards=True)
        happened += more
    return state, happened


def _run(state: State, *actions: Action, open_cards: bool) -> tuple[State, tuple[ev.Event, ...]]:
    builder = take(state, open_cards=open_cards)
    for action in actions:
        plan = _check(builder, action)
        if isinstance(action, act.Opening):
            _open(builder, action)
        else:
            _carry_out(builder, action, plan)
    return builder.build()


def check(state: State, action: Action) -> None:
    """Refuse an action that :func:`apply` would refuse, without applying it.

    What an opening shows may still be refused by :func:`apply`: a wrong unit, or a claim that was false.

    Raises:
        IllegalAction: the rules refuse it.
    """
    _check(look(state), action)


_FITS: Final[dict[type, tuple[Phase, ...]]] = {
    act.Place: (Phase.SETUP,),
    **dict.fromkeys((act.Move, act.Sneak, act.Reveal, act.Bolt, act.Recall, act.Liturgy, act.Pass), (Phase.TURN,)),
    act.Aid: (Phase.AID,),
    act.Fight: (Phase.FIGHT,),
    act.Block: (Phase.SNEAK,),
    act.Immune: (Phase.BOLT,),
    act.Lose: (Phase.LOSE, Phase.SNEAK, Phase.BOLT),
    act.Retreat: (Phase.RETREAT, Phase.STAY),
    act.Stay: (Phase.STAY,),
    act.Succeed: (Phase.SUCCESSION,),
    act.Opening: (Phase.OPENING,),
}
"""The phases in which each action is an answer."""


def _check(state: StateBuilder, action: Action) -> Plan | None:
    """Refuse what the rules do not allow, without listing everything they do allow; plan a move."""
    if state.phase not in _FITS[type(action)]:
        got = type(action).__name__.lower()
        raise IllegalAction("wrong-phase", "expected an answer to {phase}, got {action}", phase=state.phase, action=got)
    if isinstance(action, (act.Move, act.Sneak)):
        return movement.judge_on(state, action)
    _check_other(state, action)
    return None


def _check_other(state: StateBuilder, action: Action) -> None:
    match action:
        case act.Fight():
            combat.check_fight(state, action)
        case act.Opening():
            if len(action.units) != len(state.due):
                due, opened = len(state.due), len(action.units)
                raise IllegalAction("wrong-opening", "expected {number} units, got {more}", number=due, more=opened)
        case act.Place():
            setup.check_place(state, action)
        case act.Reveal():
            _check_reveal(state, action)
        case act.Bolt():
            powers.check_bolt(state, action)
        case act.Recall():
            powers.check_recall(state, action)
        case act.Pass():
            if not powers.may_pass(state):
                raise IllegalAction("no-pass", "expected an action: only Olympians all in Tartarus may pass")
        case act.Aid(helper=int(helper)):
            _check_helper(state, helper)
        case act.Lose():
            _check_lose(state, action)
        case act.Immune():
            powers.check_bolt_answer(state, action)
        case act.Block():
            powers.check_sneak_answer(state, action.token, block=True)
        case act.Retreat():
            combat.check_retreat(state, action)
        case act.Succeed():
            if action.token is not None and action.token not in {token.serial for token in find_heirs(state)}:
                raise IllegalAction("no-heir", "expected {unit}, got another unit", unit=units_in(SECOND_LEADER))
        case _:
            pass


def _check_reveal(state: StateBuilder, action: act.Reveal) -> None:
    region = action.region
    if not 1 <= region <= 24 or not 0 <= action.place < len(state.sides[state.turn][region]):
        raise IllegalAction("nothing-to-reveal", "expected a unit of the side to move in {region}", region=region)
    if state.sides[state.turn][region][action.place].known:
        raise IllegalAction("nothing-to-reveal", "expected a hidden unit in {region}, got a known one", region=region)


def _check_helper(state: StateBuilder, serial: Serial) -> None:
    helper = next((token for token in combat.helpers(state) if token.serial == serial), None)
    if helper is None or (helper.unit is not None and not 1 << helper.unit & CHARMERS):
        raise IllegalAction("no-claim", "expected {unit} next door, got another", unit=units_in(CHARMERS))


def _check_lose(state: StateBuilder, action: act.Lose) -> None:
    if state.phase == Phase.BOLT:
        powers.check_bolt_answer(state, action)
        return
    if action.claim is not None:
        raise IllegalAction("no-claim", "expected no claim, for no thunderbolt has struck")
    if state.phase == Phase.SNEAK:
        powers.check_sneak_answer(state, action.token, block=False)
        return
    if action.token not in {token.serial for token in state.sides[state.losers[0]][state.region]}:
        raise IllegalAction("not-there", "expected a unit of the loser in {region}, got another", region=state.region)


def _open(builder: StateBuilder, action: act.Opening) -> None:
    """Take openings and go on with what they interrupted."""
    for serial, unit in zip(builder.due, action.units, strict=True):
        region, token = builder.locate(serial)
        builder.reveal(region, token, unit, builder.cause(builder.pending))
    pending, then, declared = builder.pending, builder.then, builder.declared
    builder.settle()
    if isinstance(pending, act.Succeed):
        _verify(builder, pending.token, SECOND_LEADER)
        rounds.proceed(builder, then)
    elif pending is not None:
        _resume(builder, pending, declared)
    else:
        rounds.proceed(builder, then)


def _verify(builder: StateBuilder, serial: Serial | None, bits: int) -> None:
    """Refuse a claim that an opening has shown to be wrong."""
    if serial is not None and not builder.locate(serial)[1].can & bits:
        raise IllegalAction("false-claim", "expected {unit}, got another unit", unit=units_in(bits))


def _resume(builder: StateBuilder, pending: Action, declared: tuple[bool, int] | None) -> None:
    """Carry out an action whose tokens are open now; what they are may still make it illegal."""
    plan = None
    if isinstance(pending, act.Lose):
        builder.phase = Phase.BOLT if builder.combat is None else Phase.SNEAK
    else:
        builder.phase = _FITS[type(pending)][0]
    if isinstance(pending, act.Move | act.Sneak):
        plan = movement.judge_on(builder, pending, declared)
    elif isinstance(pending, act.Aid):
        _verify(builder, pending.helper, CHARMERS)
    elif not isinstance(pending, act.Reveal):
        _check(builder, pending)
    _carry_out(builder, pending, plan)


def _carry_out(builder: StateBuilder, action: Action, plan: Plan | None) -> None:
    """Carry out what begins a match or a turn; the rest are answers."""
    if builder.phase > TURN:
        _answer(builder, action)
        return
    match action:
        case act.Move() | act.Sneak():
            assert plan is not None
            movement.carry_out(builder, action, plan)
        case act.Place():
            setup.place(builder, action)
        case act.Reveal():
            _reveal(builder, action)
        case act.Bolt():
            if not builder.ask([builder.locate(action.thrower)], Next.ACTION, action):
                powers.bolt(builder, _unit(builder, action.thrower), action.target)
        case act.Recall():
            if not builder.ask([builder.locate(action.caller)], Next.ACTION, action):
                powers.recall(builder, _unit(builder, action.caller), 1 << action.unit)
        case act.Liturgy():
            powers.liturgy(builder)
        case act.Pass():
            powers.do_pass(builder)


def _answer(builder: StateBuilder, action: Action) -> None:
    """Carry out what answers a question within a turn."""
    match action:
        case act.Fight():
            rounds.fight(builder, action.faction, (action.maneuver, action.energy))
        case act.Aid():
            if action.helper is None or not builder.ask([builder.locate(action.helper)], Next.ACTION, action):
                rounds.aid(builder, helps=action.helper is not None)
        case act.Lose():
            _lose(builder, action)
        case act.Immune():
            # Who claims that nobody there can be hit shows all of them.
            group = builder.sides[OTHER[builder.turn]][builder.target]
            if not builder.ask([(builder.target, token) for token in group], Next.ACTION, action):
                powers.defy_bolt(builder, _unit(builder, action.token))
        case act.Block():
            if not builder.ask([builder.locate(action.token)], Next.ACTION, action):
                powers.sneak_answer(builder, _unit(builder, action.token), block=True)
        case act.Retreat():
            rounds.retreat(builder, action.target)
        case act.Stay():
            rounds.stay(builder)
        case act.Succeed():
            _succeed(builder, action)
        case _:
            raise AssertionError(f"{action} is carried out elsewhere")


def _unit(builder: StateBuilder, serial: Serial) -> int:
    """Return the bit of the unit under an open token."""
    return builder.locate(serial)[1].can


def _lose(builder: StateBuilder, action: act.Lose) -> None:
    if builder.phase == Phase.LOSE:
        rounds.lose(builder, _unit(builder, action.token))
        return
    serials = [action.token] if action.claim in (None, action.token) else [action.token, action.claim or 0]
    if builder.ask(map(builder.locate, serials), Next.ACTION, action):
        return
    if builder.phase == Phase.BOLT:
        fed = 0 if action.claim is None else _unit(builder, action.claim)
        powers.bolt_answer(builder, _unit(builder, action.token), fed)
    else:
        powers.sneak_answer(builder, _unit(builder, action.token), block=False)


def _reveal(builder: StateBuilder, action: act.Reveal) -> None:
    if builder.ask([(action.region, builder.sides[builder.turn][action.region][action.place])], Next.ACTION, action):
        return
    builder.phase = Phase.TURN
    # a leader may be revealed in the Palace in a later turn of the same side.
    builder.reach_palace()


def _succeed(builder: StateBuilder, action: act.Succeed) -> None:
    then, builder.then = builder.then, Next.NOTHING
    # who does not open her has lost.
    if action.token is None:
        builder.end("olympians", "leaders")
    elif not builder.ask([builder.locate(action.token)], then, action):
        rounds.proceed(builder, then)
