"""Random playouts of Storm against python-chess: decisions per second of CPU time.

A decision is a list of all that is legal, one drawn from it and carried out, and nothing else: python-chess is asked
for ``list(legal_moves)`` and ``push``, and plays on until there is no move.  Dealing counts for Storm.  Each way to
play Storm runs in a process of its own, first cold, its first games, then warm; both programs work in alternating
slices, and the ratio of each pair of slices is taken, so that a busy machine slows both alike.
"""

from __future__ import annotations

import random
import statistics
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import chess

from benchmarks import goals
from benchmarks.table import deal
from storm_p2p.storm import arena, engine
from storm_p2p.storm.board import FACTIONS
from storm_p2p.storm.bots.uniform import draw_setup
from storm_p2p.storm.state import Terms

COLD_GAMES = 60
"""So many games of a process count as its first ones."""
WARM_SECONDS = 4.0
LONGEST_CHESS = 200


def play_arena(rng: random.Random) -> int:
    """Play a random game on masks; return its number of decisions."""
    terms = Terms()
    game = arena.begin(terms, [draw_setup(faction, terms, rng) for faction in FACTIONS])
    decisions = 0
    while found := game.actions():
        game.push(found[int(rng.random() * len(found))])
        decisions += 1
    return decisions


def play_costed(rng: random.Random) -> int:
    """Play a random game on states, by what every action costs; return its number of decisions."""
    state = deal(Terms(), rng)
    decisions = 0
    while (request := engine.next_request(state)) is not None:
        found = engine.price_actions(state, request.seats[0])
        state, _ = engine.play(state, found[int(rng.random() * len(found))][0])
        decisions += 1
    return decisions


def play_public(rng: random.Random) -> int:
    """Play a random game on states, by the list for everybody, whose actions name their units."""
    state = deal(Terms(), rng)
    decisions = 0
    while (request := engine.next_request(state)) is not None:
        found = engine.legal_actions(state, request.seats[0])
        state, _ = engine.play(state, found[int(rng.random() * len(found))])
        decisions += 1
    return decisions


def play_chess(rng: random.Random) -> int:
    """Play a random game of chess, at most 200 moves, and return its number of moves."""
    board = chess.Board()
    for number in range(LONGEST_CHESS):
        legal = list(board.legal_moves)
        if not legal:
            return number
        board.push(legal[int(rng.random() * len(legal))])
    return LONGEST_CHESS


WAYS: dict[str, tuple[Callable[[random.Random], int], float]] = {
    "arena": (play_arena, 1.6),
    "price_actions": (play_costed, 0.7),
    "legal_actions": (play_public, 0.7),
}
"""How Storm is played, and the ratio to be reached when warm."""


def rate(play: Callable[[random.Random], int], rng: random.Random, seconds: float) -> float:
    """Return decisions per second of CPU time."""
    decisions = 0
    start = time.process_time()
    while (spent := time.process_time() - start) < seconds:
        decisions += play(rng)
    return decisions / spent


def measure(way: str, slices: int, seconds: float) -> tuple[float, float, float]:
    """Return the cold and the warm ratio and the decisions per second, in a process that has not played yet."""
    play, _ = WAYS[way]
    ours, theirs = random.Random(1), random.Random(2)
    rate(play_chess, theirs, seconds)
    spent = -time.process_time()
    decisions = sum(play(ours) for _ in range(COLD_GAMES))
    spent += time.process_time()
    cold = decisions / spent / rate(play_chess, theirs, seconds)
    rate(play, ours, WARM_SECONDS)
    pairs = [(rate(play, ours, seconds), rate(play_chess, theirs, seconds)) for _ in range(slices)]
    ratio = statistics.median(mine / yours for mine, yours in pairs)
    return cold, ratio, statistics.median(mine for mine, _ in pairs)


def main(slices: int = 15, seconds: float = 0.4) -> None:
    """Print the ratios."""
    for way, (_, goal) in WAYS.items():
        with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as fresh:
            cold, warm, each = fresh.submit(measure, way, slices, seconds).result()
        print(
            f"playouts: {way} {each:,.0f} decisions/s, {warm:.2f} of python-chess "
            f"({goals.say(f'playouts with {way}', warm, least=goal)}), {cold:.2f} in the first {COLD_GAMES} games"
        )
