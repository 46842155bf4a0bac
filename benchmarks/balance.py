"""How even a set of cards of Fight is: ``python -m benchmarks.balance --player seer --matches 5000``.

One player plays against itself, a game for each seed; the same seeds give the same games.  What is printed: the share
of the points of the seat that begins, the reasons of the end, and of each card

- in how many of the games that show it it was played: a game shows a card that came to a hand;
- the *log-odds a card spent*: how much one play more adds to the log-odds of winning, divided by the cards that the
  play takes, which are the card itself and one for each colour of its printed cost.

The log-odds come from one logistic regression of all games.  Its figures for a game are the plays of each card by the
seat that begins less those by the other seat, and a constant, the advantage of beginning; a draw counts as half a win
of each.  Weights are drawn to 0 as if each were known beforehand to lie within 1 (a standard deviation), so a card that
nobody plays has 0 in place of no figure.  Intervals are 1.96 standard errors, from the curvature at the solution.

It is an observation: who is ahead plays other cards than who is behind, and a card is worth what this player makes of
it.  So a set is judged by more than one player, and by other seeds than those by which its values were chosen.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from math import exp, sqrt
from pathlib import Path
from typing import Final, NamedTuple

from benchmarks.arena import CONFIDENCE, Match, play_fight, wilson
from storm_p2p.fight.bots import BOTS
from storm_p2p.fight.card_file import NEWEST, SETS, load_cards, load_reconstructed
from storm_p2p.fight.cards import Card, CardSet, Kind
from storm_p2p.fight.events import What
from storm_p2p.fight.state import ASIDE

START: Final = (0.47, 0.53)
"""The goal for the share of the points of the seat that begins."""
SPENT: Final = (0.1, 0.45)
"""The goal for the log-odds a card spent."""
PLAYED: Final = 0.02
"""In so many of the games that show it a card should be played."""
ROUNDS: Final = 8
"""Of Newton's method; the weights then stand still."""

Matrix = list[list[float]]


class Game(NamedTuple):
    """What counts of a game; a card of two copies is one card here."""

    points: float
    """Of the seat that began: 1 for a win, a half for a draw."""
    reason: str
    turns: int
    plays: tuple[Counter[Card], Counter[Card]]
    """Of each seat."""
    shown: frozenset[Card]


def play(cards: CardSet, match: Match) -> Game:
    """Play a game and count."""
    game, _ = play_fight(match, cards)
    assert game.state.result is not None
    winner, reason = game.state.result
    plays: tuple[Counter[Card], Counter[Card]] = (Counter(), Counter())
    for event in game.events:
        if event.what is What.PLAYED:
            plays[event.seat][cards.cards[event.cards[0]]] += 1
    dealt = set(range(len(cards.cards) - ASIDE)).difference(game.state.pile)
    shown = frozenset(cards.cards[game.names[slot]] for slot in dealt)
    points = 0.5 if winner is None else float(winner == 0)
    return Game(points, reason, game.state.number, plays, shown)


def play_all(cards: CardSet, matches: Sequence[Match], jobs: int) -> Iterator[Game]:
    """Yield what counts of each game, in their order."""
    if jobs == 1:
        yield from (play(cards, match) for match in matches)
        return
    with ProcessPoolExecutor(jobs) as pool:
        yield from pool.map(partial(play, cards), matches, chunksize=10)


def invert(rows: Matrix) -> Matrix:
    """Return the inverse of a symmetric matrix whose eigenvalues are all above 0 (Gauss and Jordan)."""
    size = len(rows)
    wide = [[*row, *(float(at == other) for other in range(size))] for at, row in enumerate(rows)]
    for at in range(size):
        scale = wide[at][at]
        pivot = wide[at] = [one / scale for one in wide[at]]
        for other in range(size):
            factor = wide[other][at]
            if other != at and factor:
                wide[other] = [one - factor * two for one, two in zip(wide[other], pivot, strict=True)]
    return [row[size:] for row in wide]


def regress(rows: Sequence[dict[int, float]], results: Sequence[float], size: int) -> tuple[list[float], list[float]]:
    """Return the weights of a logistic regression and their standard errors (Newton's method).

    Args:
        rows: of each game its figures that are not 0, by their number.
        results: of each game, from 0 to 1.
        size: how many figures there are.
    """
    weights, curved = [0.0] * size, []
    for _ in range(ROUNDS):
        slope = [-weight for weight in weights]
        bent = [[float(at == other) for other in range(size)] for at in range(size)]
        for row, result in zip(rows, results, strict=True):
            chance = 1.0 / (1.0 + exp(-sum(weights[at] * figure for at, figure in row.items())))
            doubt = chance * (1.0 - chance)
            for at, figure in row.items():
                slope[at] += (result - chance) * figure
                line, part = bent[at], doubt * figure
                for other, two in row.items():
                    line[other] += part * two
        curved = invert(bent)
        weights = [
            weight + sum(a * b for a, b in zip(line, slope, strict=True))
            for weight, line in zip(weights, curved, strict=True)
        ]
    return weights, [sqrt(line[at]) for at, line in enumerate(curved)]


def spread(figures: Sequence[float], errors: Sequence[float]) -> float:
    """Return the standard deviation of figures without that of their errors (R. DerSimonian and N. Laird, 1986)."""
    trusts = [1.0 / error**2 for error in errors]
    mean = sum(trust * one for trust, one in zip(trusts, figures, strict=True)) / sum(trusts)
    found = sum(trust * (one - mean) ** 2 for trust, one in zip(trusts, figures, strict=True)) - (len(figures) - 1)
    return sqrt(max(0.0, found / (sum(trusts) - sum(trust**2 for trust in trusts) / sum(trusts))))


def describe(cards: CardSet, games: Sequence[Game]) -> list[str]:
    """Return the lines that are printed."""
    count, points = len(games), sum(game.points for game in games)
    low, high = wilson(points, count)
    flag = "" if START[0] <= points / count <= START[1] else ", MISSED"
    played = sum(sum(map(sum, map(Counter.values, game.plays))) for game in games) / count
    reasons = Counter(f"{game.reason}{' (draw)' * (game.points == 0.5)}" for game in games)
    lines = [
        f"the seat that begins: {points / count:.1%} (95 %: {low:.1%} to {high:.1%}) of {count} games{flag}",
        ", ".join(f"{reason} {number / count:.1%}" for reason, number in reasons.most_common()),
        f"{sum(game.turns for game in games) / count:.1f} turns and {played:.1f} plays a game",
    ]
    kinds = list(dict.fromkeys(cards.cards))
    place = {card: at for at, card in enumerate(kinds, 1)}
    rows = [
        {0: 1.0} | {place[card]: float(one[card] - other[card]) for card in {*one, *other} if one[card] != other[card]}
        for one, other in (game.plays for game in games)
    ]
    weights, errors = regress(rows, [game.points for game in games], 1 + len(kinds))
    lines.append(f"log-odds of beginning {weights[0]:+.2f}, errors {CONFIDENCE * errors[0]:.2f}")
    units = [(place[card], 1 + len(card.cost)) for card in kinds if card.kind is not Kind.EQUIPMENT]
    apart = spread([weights[at] / takes for at, takes in units], [errors[at] / takes for at, takes in units])
    lines.append(f"spread of the units' log-odds a card spent without the errors: {apart:.2f}")
    lines.append("   no. card           cost   A  D   shown  played  plays  a card spent")
    for card in sorted(kinds, key=lambda one: -weights[place[one]] / (1 + len(one.cost))):
        shown = sum(card in game.shown for game in games)
        share = sum(any(card in plays for plays in game.plays) for game in games) / max(shown, 1)
        plays = sum(one[card] for game in games for one in game.plays)
        spent, error = (figure / (1 + len(card.cost)) for figure in (weights[place[card]], errors[place[card]]))
        flags = " MISSED" * (not SPENT[0] <= spent <= SPENT[1]) + " RARE" * (share < PLAYED)
        cost = "".join(colour.name[0] for colour in card.cost) or "-"
        lines.append(
            f"   {cards.cards.index(card):3} {card.name:14} {cost:4} {card.attack:3} {card.defence:2}  {shown:6}"
            f"  {share:6.1%} {plays:6}  {spent:+.2f} ± {CONFIDENCE * error:.2f}{flags}"
        )
    return lines


def main(words: Sequence[str] | None = None) -> None:
    """Play and print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.balance", description=__doc__)
    parser.add_argument("--player", choices=BOTS, default="seer")
    parser.add_argument("--matches", type=int, default=1000, help="how many")
    parser.add_argument("--seed", type=int, default=1, help="another one gives other games")
    parser.add_argument("--simulations", type=int, default=0, help="of one that searches, for each decision")
    parser.add_argument("--jobs", type=int, default=1, help="how many processes play")
    parser.add_argument("--cards", default=NEWEST, help=f"a file of cards, or one of {', '.join(SETS)}")
    asked = parser.parse_args(words)
    named = asked.cards in SETS
    cards = load_reconstructed(asked.cards) if named else load_cards(Path(asked.cards).read_bytes(), asked.cards)
    matches = [
        Match((asked.player, asked.player), 0, None, 1_000_000 * asked.seed + number, asked.simulations)
        for number in range(asked.matches)
    ]
    print(f"{cards.name}, {asked.player} against itself, seed {asked.seed}")
    print("\n".join(describe(cards, list(play_all(cards, matches, asked.jobs)))))


if __name__ == "__main__":
    main()
