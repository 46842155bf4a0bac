"""A player that looks at what its own turn brings, and no further."""

from __future__ import annotations

import random

from protocol.game import Decision, Known, Seat
from storm_p2p.fight import engine
from storm_p2p.fight.bots.worth import worth
from storm_p2p.fight.rules.playing import END
from storm_p2p.fight.state import State

_NOISE = 1e-6
"""What chance adds, so that equal decisions are equally likely."""

_FARTHEST = 100
"""So many questions of the turn are looked at; with an own set of cards it may have no end (B-41)."""


def decide_greedily(state: State, known: Known, chance: random.Random) -> Decision:
    """Return the decision after which the own turn ends best."""
    question = state.question
    assert question is not None
    seat = question.seat
    options = engine.legal(state, known)
    if len(options) == 1:
        return options[0]
    return max(options, key=lambda option: _outcome(state, seat, option, known) + _NOISE * chance.random())


def _outcome(state: State, seat: Seat, decision: Decision, known: Known) -> float:
    """Return what a position is worth when the own attacks that follow a decision are over."""
    names = dict(known)
    number = state.number
    state = engine.decide(state, decision)
    for _ in range(_FARTHEST):
        question = state.question
        if question is None or state.number != number:
            break
        match question.kind:
            case "deal":
                state = engine.answer_deal(state)
            case "open" if all(slot in names for slot in question.slots):
                state = engine.answer_open(state, [names[slot] for slot in question.slots])
            case "mix":
                state = _mix(state, names)
            case "main":
                state = engine.decide(state, _end(state))
            case kind if kind in engine.DECISIONS and question.seat == seat:
                # What follows in the attack is looked at one question at a time.
                options = engine.legal(state, names)
                state = max((engine.decide(state, option) for option in options), key=lambda one: worth(one, seat))
            case _:
                # A card that chance takes from the other's hand, which nobody knows.
                break
    return worth(state, seat)


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
