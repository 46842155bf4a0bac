"""What each decision of a seat promises, with the chance of winning: for hints and analysis.

A rating is a function of the public state, of the cards that the seat knows, of a seed and of the number of
simulations; the same four give the same ratings, on every machine.
"""

from collections.abc import Sequence
from random import Random
from typing import Final, NamedTuple

from protocol.game import Decision, Known, Seat, other
from storm_p2p.fight import engine
from storm_p2p.fight.bots.lookahead import Line, find_lines, go_on
from storm_p2p.fight.bots.search import GLANCE, WIDTH, deal, find_best, judge_answer
from storm_p2p.fight.bots.value import judge
from storm_p2p.fight.events import Event
from storm_p2p.fight.state import State

CLOSE: Final = 4
"""Of so many decisions the other's answers are looked at; a match has thirty decisions, and an answer takes 12 ms."""
WORLDS: Final = 4
"""In how many worlds the other's turn is looked at for an estimate."""


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
        simulations: in how many worlds the other's answer to the best ones is looked at; more is slower and better.
    """
    rng = Random(seed)
    hands = [deal(state, names, other(seat), rng) for _ in range(simulations)]
    found: list[Rated] = []
    for place, line in enumerate(find_best(find_lines(state, names, judge, WIDTH))):
        chance = line.value
        if place < CLOSE:
            answered = sum(judge_answer(line, hand, seat, judge) for hand in hands)
            chance = (GLANCE * chance + answered) / (GLANCE + simulations)
        else:
            chance = min(chance, *(one.chance for one in found[:CLOSE]))
        found.append(Rated(line.decision, chance, line.events))
    return sorted(found, key=lambda one: -one.chance)


def estimate_chance(state: State, names: Known, seat: Seat, rng: Random) -> float:
    """Return how likely a seat wins as things stand, from 0 to 1, whoever has to decide."""
    known = dict(names)
    state, _, _ = go_on(state, known, state.active, state.number, judge)
    question = state.question
    if question is None or question.kind not in engine.DECISIONS:
        return judge(state, known, seat)
    if question.seat == seat:
        return max(line.value for line in find_lines(state, known, judge))
    line = Line(None, 0.0, state, known, ())
    return sum(judge_answer(line, deal(state, known, other(seat), rng), seat, judge) for _ in range(WORLDS)) / WORLDS
