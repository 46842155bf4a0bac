"""Fits the weights of ``seer`` and ``oracle`` to matches against themselves: ``python -m benchmarks.fit``.

Each side looks one action ahead and does not see what is hidden from it.  After every lot of matches the weights are
moved so that what was said of a position comes nearer to what was said later and to how the match ended: TD(lambda)
of a logistic regression (R. S. Sutton, 1988), with the step of AdaGrad (J. Duchi and others, 2011).

    python -m benchmarks.fit --hours 1 --out weights.json
    cp weights.json storm_p2p/storm/bots/weights.json
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from math import exp, sqrt
from pathlib import Path
from random import Random
from typing import NamedTuple

from storm_p2p.storm import arena
from storm_p2p.storm.arena import Arena, Code
from storm_p2p.storm.bitboard import WINNERS
from storm_p2p.storm.board import FACTIONS, OTHER, Faction
from storm_p2p.storm.bots import placing, value
from storm_p2p.storm.bots.combat_choice import solve
from storm_p2p.storm.bots.lookahead import estimate, list_choices, play
from storm_p2p.storm.bots.search import DOUBTS, deal_again, list_lines, weigh_lines
from storm_p2p.storm.bots.uniform import draw_setup
from storm_p2p.storm.bots.value import Value
from storm_p2p.storm.state import AID, FIGHT, OVER, TURN, Terms

MATCHES = 50
"""Of a process in each lot."""
KEPT = 3000
"""So many matches are kept to be looked at again."""
AGAIN = 150
"""So many of them are, twice after each lot."""
LAMBDA = 0.9
RATE, RATE_AGAIN = 0.1, 0.06
SHRINK = 2e-5
"""How strongly weights are drawn to 0."""
AVERAGED = 60
"""The weights after so many last lots are averaged at the end."""
ANY_SETUP = 0.35
"""How often a side sets up in any legal way."""
OPEN_COMBAT = 0.15
"""How often a match has this variant."""
NOISE = 0.01
"""By how much a chance is wrong when an action is chosen, so that matches differ."""
ENERGIES = (0, 4)
LATER_ENERGIES = (2, 6, 8, 10, 12)
"""One of these is looked at, too, every second time."""
ROUNDS = 60
RARE = 0.04
MOST_TURNS = 150


class Seen(NamedTuple):
    """A match as it is learned from."""

    positions: list[tuple[list[int], bool]]
    """The features of each, and whether their weights say how likely the first side wins, or the other one."""
    result: float
    """1 if the first side won, 0 if the other one did."""


def play_matches(weights: Sequence[float], seed: int) -> list[Seen]:
    """Play a lot of matches."""
    rng, judge = Random(seed), Value(weights)
    return [play_match(judge, rng) for _ in range(MATCHES)]


def play_match(judge: Value, rng: Random) -> Seen:
    """Play a match and return what is learned from it."""
    terms = Terms(open_combat=rng.random() < OPEN_COMBAT)
    setups = [(draw_setup if rng.random() < ANY_SETUP else placing.set_up)(side, terms, rng) for side in FACTIONS]
    game = arena.begin(terms, setups)
    positions = []
    while game.phase != OVER and game.number < MOST_TURNS:
        if game.phase == TURN or (game.phase == FIGHT and game.choices == (None, None)):
            positions.append((list_features(judge, game), True))
        for code in choose(game, judge, rng):
            game.push(code)
    winner = None if game.outcome is None else game.outcome.winner
    return Seen(positions, 1.0 if winner == WINNERS[0] else 0.0 if winner == WINNERS[1] else 0.5)


def list_features(judge: Value, game: Arena) -> list[int]:
    """Return the features of a game that is not over; their weights make what it is judged by."""
    groups = judge.find_groups(game)
    return judge.relate(game, groups) + [one for side in groups for _, group in side for one in group.features]


def choose(game: Arena, judge: Value, rng: Random) -> Sequence[Code]:
    """Return what is done next; in a sealed round, by both sides."""
    if game.phase == TURN:
        return choose_turn(game, judge, rng)
    if game.phase == FIGHT:
        return choose_fight(game, judge, rng)
    actions = game.actions()
    if game.phase == AID:
        return actions[-1:]
    mover = game.deciders()[0]
    return [max(actions, key=lambda code: estimate(play(game, code), mover, judge))]


def choose_turn(game: Arena, judge: Value, rng: Random) -> tuple[Code, ...]:
    """Return what the side to move does, in worlds that it imagines."""
    world = deal_again(game, game.turn, rng)
    promises = weigh_lines(game, world, list_lines(world, game.turn), rng, judge)
    return max(promises, key=lambda line: promises[line] / (1 + DOUBTS) + rng.gauss(0.0, NOISE))


def choose_fight(game: Arena, judge: Value, rng: Random) -> list[Code]:
    """Return the choices of a round of combat that are made now."""
    energies = (*ENERGIES, *((rng.choice(LATER_ENERGIES),) if rng.random() < 0.5 else ()))
    deciding = game.deciders()
    sides = [list_choices(game, side, energies) if game.choices[side] is None else [] for side in FACTIONS]
    if len(deciding) == 1:
        mover = deciding[0]
        replies: list[tuple[Code, ...]] = [(code,) for code in sides[OTHER[mover]]] or [()]

        def promise(code: Code) -> float:
            return min(estimate(play(game, code, *reply), mover, judge) for reply in replies)

        return [max(sides[mover], key=promise)]
    table = [[estimate(play(game, row, column), Faction.CHTHONIANS, judge) for column in sides[1]] for row in sides[0]]
    _, *shares = solve(table, ROUNDS)
    return [
        rng.choices(codes, [part if part >= RARE or max(parts) < RARE else 0.0 for part in parts])[0]
        for codes, parts in zip(sides, shares, strict=True)
    ]


class Fit:
    """Weights that learn."""

    def __init__(self, weights: Sequence[float]) -> None:
        self.weights = list(weights)
        self._moved = [1.0] * len(self.weights)

    def learn(self, matches: Sequence[Seen], rate: float) -> float:
        """Learn from some matches and return the mean square error of what was said of their positions."""
        weights, moved = self.weights, self._moved
        error, count = 0.0, 0
        for match in matches:
            target = match.result
            for features, first in reversed(match.positions):
                odds = sum([weights[feature] for feature in features])
                chance = 1.0 / (1.0 + exp(-max(-30.0, min(30.0, odds if first else -odds))))
                error += (match.result - chance) ** 2
                count += 1
                wrong = target - chance if first else chance - target
                for feature in features:
                    step = wrong - SHRINK * weights[feature]
                    moved[feature] += step * step
                    weights[feature] += rate * step / sqrt(moved[feature])
                target = (1.0 - LAMBDA) * chance + LAMBDA * target
        return error / count


def write(weights: Sequence[float], path: Path) -> None:
    """Write the weights as the product reads them."""
    rows = [weights[place : place + 20] for place in range(0, len(weights), 20)]
    text = ",\n".join(", ".join(f"{round(weight, 3):g}" for weight in row) for row in rows)
    path.write_text(f"[\n{text}\n]\n", encoding="ascii")


def main(words: Sequence[str] | None = None) -> None:
    """Play, learn and write what was learned."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.fit", description=__doc__)
    parser.add_argument("--hours", type=float, default=1.0, help="how long")
    parser.add_argument("--jobs", type=int, default=2, help="how many processes play")
    parser.add_argument("--seed", type=int, default=1, help="another one gives other matches")
    parser.add_argument("--begin", type=Path, help="weights to begin with; otherwise nothing is known")
    parser.add_argument("--out", type=Path, required=True, help="where the weights are written")
    asked = parser.parse_args(words)
    fit = Fit(json.loads(asked.begin.read_text("ascii")) if asked.begin else [0.0] * value.FEATURES)
    rng = Random(asked.seed)
    kept: list[Seen] = []
    last: list[list[float]] = []
    begun, lots = time.monotonic(), 0
    with ProcessPoolExecutor(asked.jobs) as pool:
        while time.monotonic() - begun < 3600 * asked.hours:
            seeds = [rng.getrandbits(32) for _ in range(asked.jobs)]
            new = [match for lot in pool.map(play_matches, [fit.weights] * asked.jobs, seeds) for match in lot]
            kept = (kept + new)[-KEPT:]
            error = fit.learn(new, RATE)
            for _ in range(2):
                fit.learn(rng.sample(kept, min(len(kept), AGAIN)), RATE_AGAIN)
            last = [*last, list(fit.weights)][-AVERAGED:]
            write([sum(column) / len(last) for column in zip(*last, strict=True)], asked.out)
            lots += 1
            won = sum(match.result for match in new) / len(new)
            print(f"{lots}: error {error:.3f}, the Chthonians won {won:.0%}", flush=True)


if __name__ == "__main__":
    main()
