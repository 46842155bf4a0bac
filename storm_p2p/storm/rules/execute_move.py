"""How a move is carried out: who has to be seen is opened, it is paid, and a fight begins where enemies stand.

What is *not* here: whether the rules allow it and what it costs, which :mod:`storm_p2p.storm.rules.movement` says.
"""

from __future__ import annotations

from storm_p2p.storm import events as ev
from storm_p2p.storm.actions import Move, Sneak
from storm_p2p.storm.board import ADJACENT, CROSSES, OTHER
from storm_p2p.storm.rules import honor, movement, round_powers, rounds, surroundings
from storm_p2p.storm.rules.movement import Plan
from storm_p2p.storm.state import ACTION, END, SNEAK, Combat, Token, known_mask
from storm_p2p.storm.state_builder import StateBuilder
from storm_p2p.storm.units import UNITS


def go(builder: StateBuilder, action: Move | Sneak, plan: Plan) -> None:
    """Open, pay, go, and fight where enemies stand."""
    faction = builder.turn
    origin = action.path[0]
    group = builder.sides[faction][origin]
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
        if builder.ask(tokens, ACTION, action, (plan.flight, plan.legs[0].energy)):
            return
        group = builder.sides[faction][origin]
    movers = tuple([group[place] for place in places])
    _note_powers(builder, action, plan, movers)
    if plan.divides:
        assert isinstance(action, Move)
        _divide(builder, action, movers)
    else:
        units = tuple([UNITS[token.can.bit_length() - 1] if token.known else None for token in movers])
        builder.events.append(ev.Moved(faction, action.path[: len(plan.legs) + 1], units, plan.attack, plan.flight))
        builder.shift(faction, origin, plan.legs[-1].target, movers)
    if _pay(builder, plan):
        _arrive(builder, plan)


def _divide(builder: StateBuilder, action: Move, movers: tuple[Token, ...]) -> None:
    faction, (origin, target) = builder.turn, action.path
    out = movement.find_barred(builder.sides[faction], faction, origin, target, action.count)
    builder.events.append(ev.Moved(faction, action.path, (None,) * action.count, False, False))
    builder.divide(faction, origin, target, movers, action.count, out)


def _pay(builder: StateBuilder, plan: Plan) -> bool:
    """Pay step by step and return whether the game goes on."""
    faction = builder.turn
    reason = "attack" if plan.attack else "move"
    for leg in plan.legs:
        builder.charge(faction, -leg.energy, "styx")
        if plan.sneak:
            builder.charge(faction, -honor.SNEAK_ENERGY, "sneaks")
        if leg.honor and not builder.book([(faction, leg.honor, reason)]):
            return False
    builder.charge(faction, plan.gain, "river_energy")
    builder.charge(faction, plan.take, "drains")
    builder.charge(OTHER[faction], -plan.take, "drains")
    return True


def _note_powers(builder: StateBuilder, action: Move | Sneak, plan: Plan, movers: tuple[Token, ...]) -> None:
    """Say which powers act with a move."""
    known = known_mask(movers)
    first = plan.legs[0]
    if known:
        lone = UNITS[known.bit_length() - 1]
        if plan.flight:
            builder.events.append(ev.Used(lone, "flies"))
        if len(plan.legs) > 1:
            builder.events.append(ev.Used(lone, "wanders"))
        if first.doubled or first.spared:
            round_powers.note_penalty_powers(builder, known, alone=len(movers) == 1)
        if isinstance(action, Sneak):
            builder.events += [ev.Sneaked(lone, action.path), ev.Used(lone, "sneaks")]
        elif action.claim is not None:
            claimant = UNITS[builder.sides[builder.turn][action.path[0]][action.claim].can.bit_length() - 1]
            if plan.gain:
                builder.events.append(ev.Used(claimant, "river_energy"))
            if plan.take:
                builder.events.append(ev.Used(claimant, "drains"))
    if CROSSES[first.origin][first.target] and not first.energy and not plan.flight:
        ferry = surroundings.nearest_ferry(builder.sides[builder.turn], first.origin, first.target)
        builder.events.append(ev.Used(ferry, "ferries"))


def _arrive(builder: StateBuilder, plan: Plan) -> None:
    faction = builder.turn
    origin, target = plan.legs[-1].origin, plan.legs[-1].target
    if not plan.attack:
        rounds.proceed(builder, END)
        return
    # FLY-6, FLY-7.
    came_from = origin if ADJACENT[origin][target] else None
    if plan.sneak:
        builder.combat = Combat(target, faction, came_from)
        builder.target = target
        builder.phase = SNEAK
        return
    rounds.start(builder, target, faction, came_from)
