"""How a move is carried out: it is paid, and a fight begins where enemies stand.

What is *not* here: whether the rules allow it and what it costs, which :mod:`storm_p2p.storm.rules.movement` says, and
who has to be opened for it, which :func:`storm_p2p.storm.rules.movement.find_shown` says.
"""

from __future__ import annotations

from collections.abc import Sequence

from storm_p2p.storm import events as ev
from storm_p2p.storm.actions import Move, Sneak
from storm_p2p.storm.bitboard import Bitboard
from storm_p2p.storm.board import ADJACENT, CROSSES, OTHER, Region
from storm_p2p.storm.rules import honor, movement, rounds
from storm_p2p.storm.rules.movement import Plan, nearest_ferry
from storm_p2p.storm.state import ACTION, END, SNEAK, Token, known_mask, mask
from storm_p2p.storm.state_builder import StateBuilder
from storm_p2p.storm.units import UNITS, Unit


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
    faction = builder.turn
    origin = action.path[0]
    group = builder.sides[faction][origin]
    places = movement.movers(action, len(group))
    shown = movement.shown_places(plan, action, places)
    if shown:
        tokens = [(origin, group[place]) for place in shown]
        if builder.ask(tokens, ACTION, action, (plan.flight, plan.legs[0].energy)):
            return
        group = builder.sides[faction][origin]
    movers = builder.movers = tuple([group[place] for place in places])
    _note_powers(builder, action, plan, movers)
    target, last = plan.legs[-1].target, plan.legs[-1].origin
    count = 1 if isinstance(action, Sneak) else action.count
    units: tuple[Unit | None, ...]
    if plan.divides:
        units = (None,) * count
        builder.barred = movement.find_barred(builder, faction, origin, target, count)
    else:
        units = tuple([UNITS[token.can.bit_length() - 1] if token.known else None for token in movers])
    builder.happened.append(ev.Moved(faction, action.path[: len(plan.legs) + 1], units, plan.attack, plan.flight))
    go(
        builder,
        origin,
        target,
        last,
        mask(movers),
        count,
        [(leg.honor, leg.energy) for leg in plan.legs],
        plan.divides,
        plan.sneak,
        plan.gain,
        plan.take,
    )


def _note_powers(builder: StateBuilder, action: Move | Sneak, plan: Plan, movers: tuple[Token, ...]) -> None:
    """Say which powers act with a move."""
    events = builder.happened
    known = known_mask(movers)
    first = plan.legs[0]
    if known:
        lone = UNITS[known.bit_length() - 1]
        if plan.flight:
            events.append(ev.Used(lone, "flies"))
        if len(plan.legs) > 1:
            events.append(ev.Used(lone, "wanders"))
        if first.doubled or first.spared:
            rounds.note_penalty_powers(events, known, alone=len(movers) == 1)
        if isinstance(action, Sneak):
            events += [ev.Sneaked(lone, action.path), ev.Used(lone, "sneaks")]
        elif action.claim is not None:
            claimant = UNITS[builder.sides[builder.turn][action.path[0]][action.claim].can.bit_length() - 1]
            if plan.gain:
                events.append(ev.Used(claimant, "river_energy"))
            if plan.take:
                events.append(ev.Used(claimant, "drains"))
    if CROSSES[first.origin][first.target] and not first.energy and not plan.flight:
        ferry = nearest_ferry(builder, builder.turn, first.origin, first.target)
        events.append(ev.Used(ferry, "ferries"))
