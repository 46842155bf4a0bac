"""Fits the weights of ``seer`` and ``oracle`` to matches against themselves: ``python -m benchmarks.fit``.

Each side looks one action ahead, in Fight for Olympus to the end of its turn, and does not see what is hidden from it.
After every lot of matches the weights are moved so that what was said of a position comes nearer to what was said later
and to how the match ended: TD(lambda) of a logistic regression (R. S. Sutton, 1988), with the step of AdaGrad (J. Duchi
and others, 2011).

    python -m benchmarks.fit --hours 1 --out weights.json
    cp weights.json places.json storm_p2p/storm/bots/
    python -m benchmarks.fit --game fight --hours 1 --out weights.json

Where units of Storm stood in the last matches while they were hidden is counted for the guesses of those players.
"""

from __future__ import annotations

import argparse
import json
import time
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from math import exp, sqrt
from pathlib import Path
from random import Random
from typing import NamedTuple

from storm_p2p.fight import positions
from storm_p2p.fight.bots import greedy
from storm_p2p.fight.bots import value as fights
from storm_p2p.fight.bots.lookahead import Judge, find_lines
from storm_p2p.fight.card_file import load_reconstructed
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
from storm_p2p.storm.units import FACTION, ROSTER, UNITS

MATCHES = 50
"""Of a process in each lot."""
KEPT = 3000
"""So many matches are kept to be looked at again, as many sides saw them."""
AGAIN = {"storm": 150, "fight": 300}
"""So many of them are, twice after each lot."""
LAMBDA = 0.9
RATE, RATE_AGAIN = 0.1, 0.06
SHRINK = 2e-5
"""How strongly weights are drawn to 0."""
AVERAGED = 60
"""The weights after so many last lots, but not more than half of all, are averaged at the end."""
BEGINNING = 500
"""So many matches of Fight are played by the points of ``greedy`` if there are no weights to begin with."""
ANY_SETUP = 0.35
"""How often a side sets up in any legal way."""
OPEN_COMBAT = 0.15
"""How often a match has this variant."""
DOUBT = 0.1
"""How strongly the places of a unit are drawn to those of all units: not everybody plays as these matches are."""
NOISE = 0.01
"""By how much a chance is wrong when an action is chosen, so that matches differ."""
NOISE_FIGHT, NOISE_POINTS = 0.02, 1.0
"""The same in Fight, and when it is played by points."""
ENERGIES = (0, 4)
LATER_ENERGIES = (2, 6, 8, 10, 12)
"""One of these is looked at, too, every second time."""
ROUNDS = 60
RARE = 0.04
MOST_TURNS = 150
REGIONS = 25


class Seen(NamedTuple):
    """A match as it is learned from."""

    positions: list[tuple[list[int], bool]]
    """The features of each, and whether their weights say how likely the first side wins, or the other one."""
    result: float
    """1 if the first side won, 0 if the other one did."""


def play_matches(game: str, weights: Sequence[float] | None, seed: int) -> list[Seen]:
    """Play a lot of matches; Fight without weights by points."""
    rng = Random(seed)
    if game == "fight":
        judge, noise = (greedy.judge, NOISE_POINTS) if weights is None else (fights.Value(weights).judge, NOISE_FIGHT)
        return [seen for _ in range(MATCHES) for seen in play_fight(judge, noise, rng)]
    storm = Value(weights or [0.0] * value.FEATURES)
    return [play_match(storm, rng) for _ in range(MATCHES)]


def play_fight(judge: Judge, noise: float, rng: Random) -> list[Seen]:
    """Play a match of Fight and return what is learned from it by either side, from what it knew."""
    cards = load_reconstructed()
    deck = rng.sample(range(len(cards.cards)), len(cards.cards))
    table = positions.deal(cards, deck, 0, [rng.getrandbits(32) for _ in deck])
    seen: tuple[list[tuple[list[int], bool]], ...] = ([], [])
    number, held = 0, {entry for hand in table.state.hands for entry in hand}
    while (question := table.state.question) is not None:
        state, asked = table.state, question.seat
        if state.number != number:
            number = state.number
            for seat, positions_seen in enumerate(seen):
                # Who has ended a turn is judged by it before what was drawn is looked at.
                hand = [entry for entry in state.hands[seat] if entry >= 0 and (seat == asked or entry in held)]
                names = {entry: table.names[entry] for entry in hand}
                positions_seen.append((fights.list_features(state, names, seat), state.active == 0))
        held = set(state.hands[asked])
        names = {entry: table.names[entry] for entry in state.hands[asked] if entry >= 0}
        lines = find_lines(state, names, judge)
        table.decide(max(lines, key=lambda line: line.value + rng.gauss(0.0, noise)).decision)
    assert table.state.result is not None
    winner = table.state.result[0]
    return [Seen(one, 0.5 if winner is None else float(winner == 0)) for one in seen]


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


def weigh_places(matches: Sequence[Seen]) -> list[list[int]]:
    """Return how likely each unit stands hidden in each region (0 for left out), in percent of the mean of its side."""
    seen = Counter(feature for match in matches for features, _ in match.positions for feature in features)
    positions = sum(len(match.positions) for match in matches)
    counts = []
    for unit in UNITS:
        first = value.STANDS + unit * REGIONS * 2
        there = [seen[first + 2 * region] for region in range(REGIONS)]
        known = [seen[first + 2 * region + 1] for region in range(REGIONS)]
        lost = [seen[value.LOST + unit * 2 + for_good] for for_good in (0, 1)]
        counts.append([positions - sum(there) - sum(known) - sum(lost), *there[1:]])
    places = []
    for faction, row in zip(FACTION, counts, strict=True):
        side = [counts[unit] for unit in ROSTER[faction]]
        means = [max(sum(column), 1) / max(sum(map(sum, side)), 1) for column in zip(*side, strict=True)]
        shares = [count / max(sum(row), 1) for count in row]
        places.append(
            [round(100 * (share / mean + DOUBT) / (1 + DOUBT)) for share, mean in zip(shares, means, strict=True)]
        )
    return places


def main(words: Sequence[str] | None = None) -> None:
    """Play, learn and write what was learned."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.fit", description=__doc__)
    parser.add_argument("--game", choices=AGAIN, default="storm")
    parser.add_argument("--hours", type=float, default=1.0, help="how long")
    parser.add_argument("--jobs", type=int, default=2, help="how many processes play")
    parser.add_argument("--seed", type=int, default=1, help="another one gives other matches")
    parser.add_argument("--begin", type=Path, help="weights to begin with; otherwise nothing is known")
    parser.add_argument("--out", type=Path, required=True, help="where the weights are written")
    asked = parser.parse_args(words)
    features = fights.FEATURES if asked.game == "fight" else value.FEATURES
    fit = Fit(json.loads(asked.begin.read_text("ascii")) if asked.begin else [0.0] * features)
    rng = Random(asked.seed)
    kept: list[Seen] = []
    last: list[list[float]] = []
    begun, lots = time.monotonic(), 0
    with ProcessPoolExecutor(asked.jobs) as pool:
        while time.monotonic() - begun < 3600 * asked.hours:
            seeds = [rng.getrandbits(32) for _ in range(asked.jobs)]
            knowing = asked.game == "storm" or asked.begin or lots * asked.jobs * MATCHES >= BEGINNING
            play = partial(play_matches, asked.game, fit.weights if knowing else None)
            new = [match for lot in pool.map(play, seeds) for match in lot]
            kept = (kept + new)[-KEPT:]
            error = fit.learn(new, RATE)
            for _ in range(2):
                fit.learn(rng.sample(kept, min(len(kept), AGAIN[asked.game])), RATE_AGAIN)
            lots += 1
            last = [*last, list(fit.weights)][-min(AVERAGED, lots // 2 + 1) :]
            write([sum(column) / len(last) for column in zip(*last, strict=True)], asked.out)
            if asked.game == "storm":
                places = ",\n".join(map(str, weigh_places(kept)))
                asked.out.with_name("places.json").write_text(f"[\n{places}\n]\n", encoding="ascii")
            won = sum(match.result for match in new) / len(new)
            print(f"{lots}: error {error:.3f}, the first side won {won:.0%}", flush=True)


if __name__ == "__main__":
    main()
