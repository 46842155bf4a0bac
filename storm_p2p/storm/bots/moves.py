"""The greedy player's turn: every action is tried on what it imagines, one move deep."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Final

from storm_p2p.storm import engine
from storm_p2p.storm.actions import Action, Bolt, Move, Reveal, Sneak
from storm_p2p.storm.board import OTHER
from storm_p2p.storm.bots.guess import Belief, imagine
from storm_p2p.storm.bots.judge import assess
from storm_p2p.storm.errors import IllegalAction
from storm_p2p.storm.state import State
from storm_p2p.storm.units import FERRIES, FLIERS, SPARERS

TRIES: Final = 3
"""How many guesses an action is tried on that meets hidden enemies."""
WHIM: Final = 0.2
"""Up to this much chance is added, so that equal games differ."""
PATIENCE: Final = 40
"""From this turn on the player grows more daring."""
DARING: Final = 0.06
"""What an attack gains with each further turn."""
GAIN: Final = 0.5
"""What a reveal must promise before it is done."""


def choose_action(state: State, belief: Belief, rng: Random) -> Action:
    """Return what to do in the own turn."""
    actions = engine.legal_actions(state, belief.faction)
    reveals = [action for action in actions if isinstance(action, Reveal)]
    others = [action for action in actions if not isinstance(action, Reveal)]
    best, points = _choose_best(state, others, belief, rng)
    for action in reveals:
        promise = find_promise(state, action, belief, rng)
        if promise is not None and promise > points + GAIN:
            best, points = action, promise
    return best


def _choose_best(state: State, actions: Sequence[Action], belief: Belief, rng: Random) -> tuple[Action, float]:
    imagined = [imagine(state, belief, number) for number in range(TRIES)]
    # A guess that everybody knows anyway needs no second try.
    if len(belief.guesses) == 1:
        imagined = imagined[:1]
    best, most = actions[0], float("-inf")
    for action in actions:
        points = judge_action(state, imagined, action, belief) + WHIM * rng.random()
        if points > most:
            best, most = action, points
    return best, most


def judge_action(state: State, imagined: Sequence[State], action: Action, belief: Belief) -> float:
    """Return the points that an action promises, tried on several imagined worlds if it meets hidden enemies."""
    if not _meets(state, action):
        return assess(engine.play(imagined[0], action)[0], belief)
    total = sum(assess(engine.play(guess, action)[0], belief) for guess in imagined) / len(imagined)
    return total + DARING * max(0, state.number - PATIENCE)


def _meets(state: State, action: Action) -> bool:
    """Return whether hidden enemies shape what an action does."""
    if isinstance(action, Move):
        return bool(state.sides[OTHER[state.turn]][action.path[-1]])
    return isinstance(action, Sneak | Bolt)


def find_promise(state: State, action: Reveal, belief: Belief, rng: Random) -> float | None:
    """Return what the best action is worth that a reveal makes possible or cheaper, or None."""
    after, _ = engine.play(imagine(state, belief, 0), action)
    if after.outcome is not None:
        return assess(after, belief)
    if action.unit is None or not 1 << action.unit & (FLIERS | FERRIES | SPARERS):
        return None
    fresh = [
        option
        for option in engine.legal_actions(after, belief.faction)
        if isinstance(option, Move) and _is_enabled(state, after, option)
    ]
    if not fresh:
        return None
    return _choose_best(after, fresh, belief, rng)[1]


def _is_enabled(before: State, after: State, option: Move) -> bool:
    """Return whether a move is impossible or dearer without a reveal."""
    try:
        hidden = engine.price(before, option)
    except IllegalAction:
        return True
    shown = engine.price(after, option)
    return shown.honor > hidden.honor or shown.energy > hidden.energy
