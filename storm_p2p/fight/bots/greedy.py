"""A player that looks at what its own turn brings, and no further."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import NamedTuple

from protocol.game import Decision, Known, Seat, other
from storm_p2p.fight import engine
from storm_p2p.fight.board import AREA, GOAL, SPACES, Area
from storm_p2p.fight.events import Event
from storm_p2p.fight.rules import playing
from storm_p2p.fight.rules.paying import default_payment
from storm_p2p.fight.rules.playing import END, PLAY
from storm_p2p.fight.rules.values import list_values
from storm_p2p.fight.state import State

_WON = 1000.0
_POINT = 4.0
_CARD = 1.6
_MARKER = 1.4
_UNIT = 1.2
_ATTACK = 0.7
_LIFE = 0.45
_BONUS = {Area.OLYMPUS: 2.2, Area.DELPHI: 0.9, Area.TROY: 1.3}
"""What it is worth that a unit stands unopposed in an area."""
_FULL = (0.0, 0.0, 0.0, 0.0, 1.0, 5.0, 14.0)
"""What so many units are worth beside what each is: six at the start of a turn win (F-5.2)."""
_NEAR = 1.3
"""How much more a point is worth with each point towards the goal."""


def worth(state: State, seat: Seat) -> float:
    """Return what a position is worth to a seat; more is better, and the two seats' sum is 0."""
    if state.result is not None:
        winner = state.result[0]
        return 0.0 if winner is None else _WON if winner == seat else -_WON
    lead = state.counter if seat == 0 else -state.counter
    points = _POINT * sum(_NEAR**step for step in range(min(abs(lead), GOAL)))
    attacks, defences = list_values(state, "attack"), list_values(state, "defence")
    own, enemy = (_side(state, one, attacks[one], defences[one]) for one in (seat, other(seat)))
    return (points if lead > 0 else -points) + own - enemy


def _side(state: State, seat: Seat, attacks: Sequence[int], defences: Sequence[int]) -> float:
    total = _CARD * len(state.hands[seat]) + _MARKER * sum(holder == seat for holder in state.markers)
    units = 0
    for space in SPACES:
        unit = state.unit(seat, space)
        if unit is None:
            continue
        units += 1
        attack = attacks[space - 1]
        total += _UNIT + _ATTACK * attack + _LIFE * (defences[space - 1] - unit.damage)
        if attack > 0 and state.unit(other(seat), space) is None:
            total += _BONUS[AREA[space]]
    return total + _FULL[units]


_NOISE = 1e-6
"""What chance adds, so that equal decisions are equally likely."""
_FARTHEST = 100
"""So many questions of the turn are looked at; with an own set of cards it may have no end (B-41)."""


def decide_greedily(state: State, known: Known, chance: random.Random) -> Decision:
    """Return the decision after which the own turn ends best."""
    return max(rate(state, known), key=lambda one: one.value + _NOISE * chance.random()).decision


class Rated(NamedTuple):
    """What a decision brings."""

    decision: Decision
    value: float
    """What the position is worth when the own attacks that follow are over (:func:`worth`)."""
    events: tuple[Event, ...]
    """What happens until then or until a lot, if the own turn ends with it and no card comes that is not known."""


def rate(state: State, known: Known) -> list[Rated]:
    """Return what each decision that is worth a thought brings, as far as a seat's knowledge shows.

    Of a card's payments only :func:`storm_p2p.fight.rules.paying.default_payment` is one of these, and of the ways to
    end the phase only the one that is taken when a turn is looked ahead.
    """
    question = state.question
    assert question is not None
    if question.kind == "main":
        plays = playing.main_decisions(state, known, default_payment)
        options = [*(one for one in plays if isinstance(one, tuple) and one[0] == PLAY), _end(state)]
    else:
        options = engine.legal(state, known)
    return [_look_ahead(state, question.seat, option, known) for option in options]


def _look_ahead(state: State, seat: Seat, decision: Decision, known: Known) -> Rated:
    names = dict(known)
    number = state.number
    state = engine.decide(state, decision)
    told: tuple[Event, ...] | None = None
    events: list[Event] = []
    for _ in range(_FARTHEST):
        events += state.events
        question = state.question
        if question is None or state.number != number:
            break
        match question.kind:
            case "deal":
                state = engine.answer_deal(state)
            case "open":
                # A card that chance takes from the other's hand goes to the discards, where no card is worth anything.
                state = engine.answer_open(state, [names.get(slot, 0) for slot in question.slots])
            case "toss":
                # A position is worth the same whichever card it is, so one lot stands for the mean; nobody is told.
                told = told or tuple(events)
                state = engine.answer_toss(state, 0)
            case "mix":
                state = _mix(state, names)
            case "main":
                state = engine.decide(state, _end(state))
            case kind if kind in engine.DECISIONS and question.seat == seat:
                # What follows in the attack is looked at one question at a time.
                options = engine.legal(state, names)
                state = max((engine.decide(state, option) for option in options), key=lambda one: worth(one, seat))
            case _:
                break
    return Rated(decision, worth(state, seat), tuple(events) if told is None else told)


def _end(state: State) -> Decision:
    # In the first turn the attack is what costs least to leave out (F-5.3).
    return (END, 1 if state.number == 1 else None)


def _mix(state: State, names: dict[int, int]) -> State:
    assert state.question is not None
    seat = state.question.seat
    cards = [-1 - entry if entry < 0 else names.get(entry) for entry in state.hands[seat]]
    fresh = state.fresh
    state = engine.answer_mix(state)
    names.update((fresh + at, card) for at, card in enumerate(cards) if card is not None)
    return state
