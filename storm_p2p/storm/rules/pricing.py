"""What an action costs at once, and what it tells the opponent (docs/rules.md, "The engine")."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

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
    Recall,
    Retreat,
    Reveal,
    Serial,
    Sneak,
    Succeed,
)
from storm_p2p.storm.board import OTHER
from storm_p2p.storm.rules import combat, honor, movement, powers
from storm_p2p.storm.rules.equivalence import Member, members
from storm_p2p.storm.state import SNEAK, State, find, known_mask
from storm_p2p.storm.state_builder import StateBuilder, look
from storm_p2p.storm.units import CARDS, UNITS, Unit


class Cost(NamedTuple):
    """What an action of a turn costs at once, and what it tells, without the names of units."""

    honor: int
    """Change of the own Honor."""
    energy: int
    """Change of the own stock."""
    shown: tuple[int, ...] = ()
    """Places in the group of those whom everybody sees by it."""
    divides: bool = False
    """Nobody can tell any longer who in the group is who (REV-4)."""


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


def price_of(cost: Cost, group: tuple[Member, ...]) -> Price:
    """Return the price of what a group does whose tokens the mover knows as ``members``."""
    hides: tuple[Unit, ...] = ()
    if cost.divides:
        hides = tuple([UNITS[code >> 1] for code in group if code >= 0 and code & 1])
    reveals: tuple[Unit, ...] = ()
    if cost.shown:
        seen = [group[place] for place in cost.shown]
        reveals = tuple([UNITS[code >> 1] for code in seen if code >= 0 and not code & 1])
    return _share(cost.honor, cost.energy, reveals, hides)


@lru_cache(maxsize=1 << 10)
def _share(honor: int, energy: int, reveals: tuple[Unit, ...], hides: tuple[Unit, ...]) -> Price:
    """Return a price as one shared value: there are few different ones, and the lists hold very many of them."""
    return Price(honor, energy, reveals, hides)


# -- one action -------------------------------------------------------------------------------------------


def price(state: State | StateBuilder, action: Action) -> Price:
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
        case Lose() | Block() if state.phase == SNEAK:
            # a combat follows at once, and it reveals whoever is left (CBT-1).
            group = state.sides[OTHER[state.turn]][state.target]
            return Price(0, 0, _secret(state, [token.serial for token in group]))
        case Lose():
            gain = 0
            if action.claim is not None:
                gain = max(card.bolt_energy for card in CARDS)
            return Price(0, gain, _secret(state, sorted({action.token, action.claim or action.token})))
        case Immune():
            group = state.sides[OTHER[state.turn]][state.target]
            return Price(0, 0, _secret(state, [token.serial for token in group]))
        case Block():
            return Price(0, 0, _secret(state, [action.token]))
        case Retreat():
            board = _builder(state)
            leaver = combat.deciders(board)[0]
            mask, count = board.at[leaver][board.region], board.size[leaver][board.region]
            return Price(-honor.retreat_penalty(mask, count), 0)
        case Succeed():
            return Price(0, 0, _secret(state, [action.token]))
        case _:
            return Price(0, 0)


def _builder(state: State | StateBuilder) -> StateBuilder:
    return state if isinstance(state, StateBuilder) else look(state)


def _move_price(state: State | StateBuilder, action: Move | Sneak) -> Price:
    group = state.sides[state.turn][action.path[0]]
    plan = movement.judge_on(_builder(state), action)
    seen = movement.shown_places(plan, action, movement.movers(action, len(group)))
    return price_of(Cost(plan.honor, plan.energy, seen, plan.divides), members(group))


def _fight_price(state: State | StateBuilder, action: Fight) -> Price:
    current = state.combat
    assert current is not None
    mask = known_mask(state.sides[action.faction][current.region])
    manner, much = honor.combat_penalties(action.maneuver, action.energy, mask, alone=current.alone[action.faction])
    return Price(-manner - much, -action.energy)


def _secret(state: State | StateBuilder, serials: list[Serial | None] | list[Serial]) -> tuple[Unit, ...]:
    """Return the units under tokens that the opponent does not know yet."""
    found = (find(state, serial) for serial in serials if serial is not None)
    return tuple(
        Unit(place[1].unit) for place in found if place is not None and not place[1].known and place[1].unit is not None
    )
