"""What each decision of a seat promises, with the chance of winning: for hints and analysis.

A rating is a function of the public state, of the cards that the seat knows, of a seed and of the number of
simulations; the same four give the same ratings, on every machine.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import tanh
from random import Random
from typing import NamedTuple

from protocol.game import Decision, Known, Seat, other
from storm_p2p.fight.bots import greedy
from storm_p2p.fight.bots.greedy import worth
from storm_p2p.fight.events import Event
from storm_p2p.fight.state import State

_EVEN, _SCALE = 8.2, 15.0
"""What a position is worth at the end of the own turn if both are equally likely to win, and how much more makes the
chance 73 %: fitted to 8551 decisions of 160 matches of ``greedy`` against itself."""


class Rated(NamedTuple):
    """What a decision promises."""

    decision: Decision
    chance: float
    """How likely its seat wins after it, from 0 to 1."""
    events: tuple[Event, ...]
    """What happens until the own turn ends or a lot falls, as far as the seat knows the cards."""


def rate(state: State, names: Known, seat: Seat, seed: int, simulations: int) -> Sequence[Rated]:
    """Return every decision worth a thought of a seat that is asked, the best first.

    Args:
        state: the game.
        names: the cards of hidden slots that the seat knows.
        seat: who decides.
        seed: of the only source of chance.
        simulations: how many worlds a decision is tried in; more is slower and better.
    """
    found = [Rated(one.decision, _chance(one.value), one.events) for one in greedy.rate(state, names)]
    return sorted(found, key=lambda one: -one.chance)


def estimate_chance(state: State, names: Known, seat: Seat, rng: Random) -> float:
    """Return how likely a seat wins as things stand, from 0 to 1, whoever has to decide."""
    if state.result is not None:
        winner = state.result[0]
        return 0.5 if winner is None else float(winner == seat)
    # Before its turn a seat is as well off as the other one, who has ended theirs, is not.
    waiting = other(state.active)
    chance = _chance(worth(state, waiting))
    return chance if seat == waiting else 1.0 - chance


def _chance(value: float) -> float:
    """Return how likely the side wins for which a position is worth so much; a game that is over is worth 1000."""
    return 0.5 + 0.5 * tanh((value - _EVEN) / _SCALE / 2)
