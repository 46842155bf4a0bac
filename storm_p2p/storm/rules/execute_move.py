"""How a move is carried out: who has to be seen is opened, it is paid, and a fight begins where enemies stand.

What is *not* here: whether the rules allow it and what it costs, which :mod:`storm_p2p.storm.rules.movement` says.
"""

from __future__ import annotations

from storm_p2p.storm import events as ev
from storm_p2p.storm.actions import Move, Sneak
from storm_p2p.storm.board import ADJACENT, CROSSES, OTHER
from storm_p2p.storm.rules import movement, rounds
from storm_p2p.storm.rules.movement import Plan
from storm_p2p.storm.state import ACTION, END, SNEAK, Combat, Token, known_mask
from storm_p2p.storm.state_builder import Draft
from storm_p2p.storm.units import FERRIES, UNITS, units_in


def go(draft: Draft, action: Move | Sneak, plan: Plan) -> None:
    """Open, pay, go, and fight where enemies stand."""
    faction = draft.turn
    origin = action.path[0]
    group = draft.sides[faction][origin]
    places = movement.movers(action, len(group))
    if plan.attack or len(action.path) > 2:
        # REV-2; A-37: from the second step on a wanderer is known.
        shown = places
    elif isinstance(action, Sneak) or action.claim is None:
        shown = ()
    else:
        shown = (action.claim,)
    if shown:
        tokens = [(origin, group[place]) for place in shown]
        if draft.ask(tokens, ACTION, action, (plan.flight, plan.legs[0].energy)):
            return
        group = draft.sides[faction][origin]
    movers = tuple([group[place] for place in places])
    _note_powers(draft, action, plan, movers)
    if plan.divides:
        assert isinstance(action, Move)
        _divide(draft, action, movers)
    else:
        units = tuple([UNITS[token.can.bit_length() - 1] if token.known else None for token in movers])
        draft.events.append(ev.Moved(faction, action.path[: len(plan.legs) + 1], units, plan.attack, plan.flight))
        draft.shift(faction, origin, plan.legs[-1].target, movers)
    if _pay(draft, plan):
        _arrive(draft, plan)


def _divide(draft: Draft, action: Move, movers: tuple[Token, ...]) -> None:
    faction, (origin, target) = draft.turn, action.path
    out = movement.barred(draft.sides[faction], faction, origin, target, action.count)
    draft.events.append(ev.Moved(faction, action.path, (None,) * action.count, False, False))
    draft.divide(faction, origin, target, movers, action.count, out)


def _pay(draft: Draft, plan: Plan) -> bool:
    """Pay step by step and return whether the game goes on."""
    faction = draft.turn
    reason = "attack" if plan.attack else "move"
    for leg in plan.legs:
        draft.charge(faction, -leg.energy, "styx")
        if plan.sneak:
            draft.charge(faction, -movement.SNEAK_ENERGY, "sneaks")
        if leg.honor and not draft.book([(faction, leg.honor, reason)]):
            return False
    draft.charge(faction, plan.gain, "river_energy")
    draft.charge(faction, plan.take, "drains")
    draft.charge(OTHER[faction], -plan.take, "drains")
    return True


def _note_powers(draft: Draft, action: Move | Sneak, plan: Plan, movers: tuple[Token, ...]) -> None:
    """Say which powers act with a move."""
    known = known_mask(movers)
    first = plan.legs[0]
    if known:
        lone = UNITS[known.bit_length() - 1]
        if plan.flight:
            draft.events.append(ev.Used(lone, "flies"))
        if len(plan.legs) > 1:
            draft.events.append(ev.Used(lone, "wanders"))
        if first.doubled or first.spared:
            rounds.note_penalty_powers(draft, known, alone=len(movers) == 1)
        if isinstance(action, Sneak):
            draft.events += [ev.Sneaked(lone, action.path), ev.Used(lone, "sneaks")]
        elif action.claim is not None:
            claimant = UNITS[draft.sides[draft.turn][action.path[0]][action.claim].can.bit_length() - 1]
            if plan.gain:
                draft.events.append(ev.Used(claimant, "river_energy"))
            if plan.take:
                draft.events.append(ev.Used(claimant, "drains"))
    if CROSSES[first.origin][first.target] and not first.energy and not plan.flight:
        draft.events.append(ev.Used(units_in(FERRIES)[0], "ferries"))


def _arrive(draft: Draft, plan: Plan) -> None:
    faction = draft.turn
    origin, target = plan.legs[-1].origin, plan.legs[-1].target
    if not plan.attack:
        rounds.proceed(draft, END)
        return
    # FLY-6, FLY-7.
    came_from = origin if ADJACENT[origin][target] else None
    if plan.sneak:
        draft.combat = Combat(target, faction, came_from)
        draft.target = target
        draft.phase = SNEAK
        return
    rounds.start(draft, target, faction, came_from)
