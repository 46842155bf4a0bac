"""Random playouts of the engine against python-chess: moves per second, legal actions with costs included.

The list is that of :func:`storm_p2p.storm.engine.price_actions`: every legal action with its Honor, its Energy and
what it shows.
Run by hand: ``python -m benchmarks.playouts``.  Both work in alternating slices of CPU time, and the ratio of each
pair of slices is taken, so that a busy machine slows both alike.
"""

from __future__ import annotations

import random
import statistics
import time
from collections.abc import Callable

import chess

from storm_p2p.storm import engine
from storm_p2p.storm.actions import Place
from storm_p2p.storm.board import FACTIONS
from storm_p2p.storm.rules import setup
from storm_p2p.storm.state import State, Terms
from storm_p2p.storm.units import ROSTER


def deal(rng: random.Random) -> State:
    """Return a game in which both sides have set up at random."""
    state = setup.new_game(Terms())
    for faction in FACTIONS:
        units = list(ROSTER[faction])
        while True:
            rng.shuffle(units)
            if setup.check_units(faction, units, random=False) is None:
                break
        state, _ = engine.apply(state, Place(faction, setup.first_serials(faction), tuple(units)))
    return state


def storm(rng: random.Random) -> int:
    """Play one random game of Storm and return its number of decisions."""
    state = deal(rng)
    moves = 0
    while (request := engine.next_request(state)) is not None:
        found = engine.price_actions(state, request.seats[0])
        state, _ = engine.play(state, found[rng.randrange(len(found))][0])
        moves += 1
    return moves


def chess_game(rng: random.Random) -> int:
    """Play one random game of chess, at most 200 moves, and return its number of moves."""
    board = chess.Board()
    moves = 0
    while moves < 200 and not board.is_game_over():
        legal = list(board.legal_moves)
        board.push(legal[rng.randrange(len(legal))])
        moves += 1
    return moves


def rate(play: Callable[[random.Random], int], rng: random.Random, seconds: float) -> float:
    """Return moves per second of CPU time."""
    moves = 0
    start = time.process_time()
    while time.process_time() - start < seconds:
        moves += play(rng)
    return moves / (time.process_time() - start)


def main(slices: int = 15, seconds: float = 0.4) -> None:
    """Print the ratio."""
    ours, theirs = random.Random(1), random.Random(2)
    rate(storm, ours, 4.0)
    pairs = [(rate(storm, ours, seconds), rate(chess_game, theirs, seconds)) for _ in range(slices)]
    ratio = statistics.median(mine / yours for mine, yours in pairs)
    print(
        f"playouts: storm {statistics.median(pair[0] for pair in pairs):,.0f} moves/s, "
        f"python-chess {statistics.median(pair[1] for pair in pairs):,.0f} moves/s, ratio {ratio:.2f} (goal 1.5)"
    )


if __name__ == "__main__":
    main()
