"""How strong one computer player is against another: ``python -m benchmarks.arena [--game fight] A B``.

Matches are played on the engine, without a line between, in pairs with the sides swapped.  The same seed gives the
same matches, however many processes play them.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from copy import copy
from dataclasses import dataclass, field
from math import sqrt
from random import Random
from typing import Any, Generic, TypeVar

from benchmarks import table
from benchmarks.opponents import OPPONENTS
from storm_p2p.bots import Bot, Searcher, Thinker
from storm_p2p.fight import engine
from storm_p2p.fight.bots import BOTS as FIGHTERS
from storm_p2p.fight.card_file import load_reconstructed
from storm_p2p.fight.cards import CardSet
from storm_p2p.fight.engine import answer_lot, answer_shuffle, new_game
from storm_p2p.fight.positions import Table as FightTable
from storm_p2p.fight.state import View
from storm_p2p.storm import actions, bots
from storm_p2p.storm.board import Faction
from storm_p2p.storm.state import State, Terms
from storm_p2p.storm.units import Unit

Seen = TypeVar("Seen")
Side = TypeVar("Side")
Action = TypeVar("Action")
BotOf = TypeVar("BotOf", bound=Bot[Any, Any, Any])

MOST_TURNS = 400
"""A match that is longer counts as a draw; the rules know no end of it (A-28)."""
SIDES = {"storm": ("as the Chthonians", "as the Olympians"), "fight": ("as the first to play", "as the second")}
"""The games, and what a player is on either side."""
CONFIDENCE = 1.96
"""Standard deviations of an interval of 95 %."""


@dataclass(frozen=True, slots=True)
class Match:
    """One match to be played."""

    names: tuple[str, str]
    """Whose strength is asked for, and the opponent."""
    side: int
    """The side of the first; in Fight for Olympus 0 begins."""
    terms: Terms | None
    """Of Storm; None for Fight."""
    seed: int
    simulations: int = 0
    """Of those that search, for each decision; 0 for their own number."""
    seconds: float = 0.0
    """Of CPU for each decision of those that search; 0 for a number of simulations in its place."""


@dataclass(slots=True)
class Timed(Generic[Seen, Side, Action]):
    """A computer player with a stopwatch."""

    bot: Bot[Seen, Side, Action]
    seconds: float
    """After how many CPU seconds one that searches is stopped; 0 for when it stops by itself."""
    spent: list[float] = field(default_factory=list)
    """CPU seconds of each decision."""

    @property
    def name(self) -> str:
        """The name of the player."""
        return self.bot.name

    def decide(self, state: Seen, side: Side, rng: Random) -> Action:
        """Return its action and note how long it took."""
        begun = time.process_time()
        if self.seconds and isinstance(self.bot, Thinker):
            thoughts = self.bot.think(state, side, rng)
            action: Action = next(thoughts)
            while time.process_time() - begun < self.seconds:
                action = next(thoughts)
        else:
            action = self.bot.decide(state, side, rng)
        self.spent.append(time.process_time() - begun)
        return action


class TimedStorm(Timed[State, Faction, actions.Action]):
    """One of Storm, who can set up, too."""

    bot: bots.Bot

    def place(self, faction: Faction, terms: Terms, rng: Random) -> tuple[Unit, ...]:
        """Return its setup."""
        return self.bot.place(faction, terms, rng)


@dataclass(frozen=True, slots=True)
class Played:
    """How a match went for the first player."""

    side: int
    points: float
    """1 for a win, a half for a draw."""
    reason: str
    turns: int
    spent: tuple[tuple[float, ...], tuple[float, ...]]
    """CPU seconds of each decision, by player."""


def find_player(players: Mapping[str, BotOf], match: Match, seat: int) -> BotOf:
    """Return a player of a match; one that searches with its number of simulations."""
    bot = players[match.names[seat]]
    if match.simulations and isinstance(bot, Searcher):
        bot = copy(bot)
        bot.simulations = match.simulations
    return bot


def play(match: Match) -> Played:
    """Play a match."""
    if match.terms is None:
        return _play_fight(match)
    players = [TimedStorm(find_player(OPPONENTS, match, number), match.seconds) for number in (0, 1)]
    seats = (players[0], players[1]) if match.side == Faction.CHTHONIANS else (players[1], players[0])
    state, _ = table.play_game(seats, match.terms, Random(match.seed), MOST_TURNS)
    spent = (tuple(players[0].spent), tuple(players[1].spent))
    end = state.outcome
    if end is None or end.winner == "draw":
        return Played(match.side, 0.5, "draw", state.number, spent)
    won = end.winner == Faction(match.side).name.lower()
    return Played(match.side, float(won), f"{'won' if won else 'lost'} by {end.reason}", state.number, spent)


def _play_fight(match: Match) -> Played:
    game, spent = play_fight(match, load_reconstructed())
    assert game.state.result is not None
    winner, reason = game.state.result
    if winner is None:
        return Played(match.side, 0.5, "draw", game.state.number, spent)
    won = winner == match.side
    return Played(match.side, float(won), f"{'won' if won else 'lost'} by {reason}", game.state.number, spent)


def play_fight(match: Match, cards: CardSet) -> tuple[FightTable, tuple[tuple[float, ...], tuple[float, ...]]]:
    """Play a match of Fight with a set of cards; return its end, and the CPU seconds of each decision by player."""
    chance = Random(match.seed)
    deck = list(range(len(cards.cards)))
    chance.shuffle(deck)
    tosses = [chance.getrandbits(32) for _ in deck]
    game = FightTable(answer_shuffle(answer_lot(new_game(cards), 0)), dict(enumerate(deck)), tosses)
    players = [Timed(find_player(FIGHTERS, match, number), match.seconds) for number in (0, 1)]
    while (question := game.state.question) is not None:
        seat = question.seat
        known = {entry: game.names[entry] for entry in game.state.hands[seat] if entry >= 0}
        # What is forced needs no thought.
        forced = engine.legal(game.state, known)
        player = players[seat ^ match.side]
        game.decide(forced[0] if len(forced) == 1 else player.decide(View(game.state, known), seat, chance))
    return game, (tuple(players[0].spent), tuple(players[1].spent))


def schedule(
    names: tuple[str, str], terms: Terms | None, matches: int, seed: int, simulations: int, seconds: float = 0.0
) -> list[Match]:
    """Return the matches; each two are the same but for the side."""
    return [
        Match(names, number % 2, terms, 1000 * seed + number // 2, simulations, seconds) for number in range(matches)
    ]


def play_all(matches: Sequence[Match], jobs: int) -> Iterator[Played]:
    """Yield how each match went, in their order."""
    if jobs == 1:
        yield from map(play, matches)
        return
    with ProcessPoolExecutor(jobs) as pool:
        yield from pool.map(play, matches)


def wilson(points: float, matches: int) -> tuple[float, float]:
    """Return the interval in which the true share of the points lies with 95 % confidence (E. B. Wilson, 1927)."""
    share, squared = points / matches, CONFIDENCE**2
    middle = (share + squared / (2 * matches)) / (1 + squared / matches)
    half = CONFIDENCE * sqrt(share * (1 - share) / matches + squared / (4 * matches**2)) / (1 + squared / matches)
    return middle - half, middle + half


def describe(played: Sequence[Played], names: tuple[str, str], sides: Sequence[str]) -> list[str]:
    """Return the lines that are printed; ``sides`` says what the first of the names is on either side."""
    lines = [_share(f"{names[0]} against {names[1]}", played)]
    lines += [_share(f"  {word}", [one for one in played if one.side == side]) for side, word in enumerate(sides)]
    reasons = Counter(one.reason for one in played)
    lines.append("  " + ", ".join(f"{reason} {count}" for reason, count in sorted(reasons.items())))
    for number, name in enumerate(names):
        spent = sorted(seconds for one in played for seconds in one.spent[number])
        if spent:
            mean = sum(spent) / len(spent)
            lines.append(f"  {name}: {1000 * mean:.1f} ms of CPU a decision, at most {1000 * spent[-1]:.0f} ms")
    turns = sum(one.turns for one in played) / len(played)
    lines.append(f"  {turns:.1f} turns a match")
    return lines


def _share(title: str, played: Sequence[Played]) -> str:
    if not played:
        return f"{title}: no match"
    points = sum(one.points for one in played)
    low, high = wilson(points, len(played))
    share = points / len(played)
    return f"{title}: {points:g} of {len(played)}, {share:.1%} (95 %: {low:.1%} to {high:.1%})"


def read_arguments(words: Sequence[str] | None = None) -> argparse.Namespace:
    """Return what was asked for."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.arena", description=__doc__)
    parser.add_argument("--game", choices=SIDES, default="storm")
    parser.add_argument("first", metavar="A", help=f"{', '.join(OPPONENTS)}; of Fight {', '.join(FIGHTERS)}")
    parser.add_argument("second", metavar="B")
    parser.add_argument("--matches", type=int, default=100, help="how many; the sides change after each")
    parser.add_argument("--jobs", type=int, default=1, help="how many processes play")
    parser.add_argument("--seed", type=int, default=1, help="another one gives other matches")
    effort = parser.add_mutually_exclusive_group()
    effort.add_argument("--simulations", type=int, default=0, help="of those that search, for each decision")
    effort.add_argument(
        "--time",
        type=float,
        default=0.0,
        metavar="SECONDS",
        help="of CPU, for each decision of those that search; the matches are then not the same twice",
    )
    parser.add_argument("--open-combat", action="store_true")
    parser.add_argument("--random-setup", action="store_true")
    parser.add_argument("--challenge", type=int, default=0)
    asked = parser.parse_args(words)
    for name in (asked.first, asked.second):
        if name not in (FIGHTERS if asked.game == "fight" else OPPONENTS):
            parser.error(f"no player of this game: {name}")
    return asked


def main(words: Sequence[str] | None = None) -> None:
    """Play and print."""
    asked = read_arguments(words)
    names = (asked.first, asked.second)
    terms = None if asked.game == "fight" else Terms(asked.open_combat, asked.random_setup, asked.challenge)
    played: list[Played] = []
    scheduled = schedule(names, terms, asked.matches, asked.seed, asked.simulations, asked.time)
    for one in play_all(scheduled, asked.jobs):
        played.append(one)
        if len(played) % 10 == 0 and len(played) < asked.matches:
            print(_share(f"  so far, {names[0]}", played), flush=True)
    print("\n".join(describe(played, names, SIDES[asked.game])))


if __name__ == "__main__":
    main()
