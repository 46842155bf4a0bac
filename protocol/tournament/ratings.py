"""Glicko-2 with a round as its period (Glickman, "Example of the Glicko-2 system"), and the advantage of a side.

Only confirmed results are rated.  Logs hold no trusted time, and within a period the order of games does not matter:
every sum is that of :func:`math.fsum`, which does not depend on the order either.
"""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from protocol.tournament.outcomes import Outcome
from protocol.tournament.results import State
from protocol.tournament.survey import Tournament

_SCALE = 173.7178
_CENTRE = 1500.0
_MOST = 350.0
"""Nobody is less certain than an unknown player (Glickman, step 1 of Glicko)."""
_TAU = 0.5
_CLOSE_ENOUGH = 1e-6
_FAR = 25.0


@dataclass(frozen=True, slots=True)
class Rating:
    """What is thought of a player's strength."""

    rating: float = _CENTRE
    deviation: float = 350.0
    volatility: float = 0.06


class Game(NamedTuple):
    """A rated game of two numbers; the score is that of the first: 1, ½ or 0."""

    first: int
    second: int
    score: float


def rate_period(ratings: Mapping[int, Rating], games: Iterable[Game], tau: float = _TAU) -> dict[int, Rating]:
    """Return the ratings after a period, those of players without a game included.

    Args:
        ratings: before it, by number.
        games: all of the period, in any order.
        tau: how much the volatility may change.
    """
    played: dict[int, list[tuple[Rating, float]]] = {number: [] for number in ratings}
    for one in games:
        played[one.first].append((ratings[one.second], one.score))
        played[one.second].append((ratings[one.first], 1 - one.score))
    return {number: _rate(rating, played[number], tau) for number, rating in ratings.items()}


def _rate(rating: Rating, games: list[tuple[Rating, float]], tau: float) -> Rating:
    mu, phi, sigma = (rating.rating - _CENTRE) / _SCALE, rating.deviation / _SCALE, rating.volatility
    if not games:
        return Rating(rating.rating, min(_SCALE * math.hypot(phi, sigma), _MOST), sigma)
    shares: list[float] = []
    surprises: list[float] = []
    for other, score in games:
        g = 1 / math.sqrt(1 + 3 * (other.deviation / _SCALE) ** 2 / math.pi**2)
        # Between players who are very far apart the expectation would be a whole number, and say nothing.
        ahead = min(max(g * (mu - (other.rating - _CENTRE) / _SCALE), -_FAR), _FAR)
        expected = 1 / (1 + math.exp(-ahead))
        shares.append(g * g * expected * (1 - expected))
        surprises.append(g * (score - expected))
    variance, surprise = 1 / math.fsum(shares), math.fsum(surprises)
    sigma = _new_volatility(phi, sigma, variance, variance * surprise, tau)
    phi = 1 / math.sqrt(1 / (phi * phi + sigma * sigma) + 1 / variance)
    return Rating(_CENTRE + _SCALE * (mu + phi * phi * surprise), min(_SCALE * phi, _MOST), sigma)


def _new_volatility(phi: float, sigma: float, variance: float, delta: float, tau: float) -> float:
    """Return the volatility by the Illinois algorithm (step 5)."""
    start = math.log(sigma * sigma)

    def slope(x: float) -> float:
        square = math.exp(x)
        spread = phi * phi + variance + square
        return square * (delta * delta - spread) / (2 * spread * spread) - (x - start) / (tau * tau)

    low = start
    if delta * delta > phi * phi + variance:
        high = math.log(delta * delta - phi * phi - variance)
    else:
        steps = 1
        while slope(start - steps * tau) < 0:
            steps += 1
        high = start - steps * tau
    at_low, at_high = slope(low), slope(high)
    while abs(high - low) > _CLOSE_ENOUGH:
        middle = low + (low - high) * at_low / (at_high - at_low)
        at_middle = slope(middle)
        if at_middle * at_high <= 0:
            low, at_low = high, at_high
        else:
            at_low /= 2
        high, at_high = middle, at_middle
    return math.exp(low / 2)


def rated_games(tournament: Tournament, round: int) -> list[Game]:
    """Return the games of a round with a confirmed result."""
    scores = {Outcome.FIRST: 1.0, Outcome.DRAW: 0.5, Outcome.SECOND: 0.0}
    return [
        Game(*tournament.rounds[place.round - 1].pairings[place.table - 1], scores[result.outcome])
        for place, result in tournament.results.items()
        if place.round == round and result.state is State.RESULT
    ]


def rate(tournament: Tournament) -> list[dict[int, Rating]]:
    """Return the ratings by number before the first round and after each."""
    first = {
        one.number: Rating() if one.rating is None else Rating(one.rating[0], one.rating[1], one.rating[2] / 1_000_000)
        for one in tournament.players
    }
    found = [first]
    for one in tournament.rounds:
        found.append(rate_period(found[-1], rated_games(tournament, one.round)))
    return found


@dataclass(frozen=True, slots=True)
class SideFigures:
    """How the side of seat 0 has done in the confirmed games."""

    wins: int
    draws: int
    losses: int

    @property
    def games(self) -> int:
        """How many there are."""
        return self.wins + self.draws + self.losses

    @property
    def share(self) -> float | None:
        """The share of the points; None without a game."""
        return (self.wins + self.draws / 2) / self.games if self.games else None

    @property
    def interval(self) -> tuple[float, float] | None:
        """The share that may be, with 95 % certainty (Wilson; draws count as half a win)."""
        if self.share is None:
            return None
        z, n = 1.959964, self.games
        middle = (self.share + z * z / (2 * n)) / (1 + z * z / n)
        half = z / (1 + z * z / n) * math.sqrt(self.share * (1 - self.share) / n + z * z / (4 * n * n))
        return max(0.0, middle - half), min(1.0, middle + half)

    @property
    def advantage(self) -> float | None:
        """The difference in rating that gives this share between equals; None if it is all or nothing."""
        if self.share is None or not 0 < self.share < 1:
            return None
        return 400 * math.log10(self.share / (1 - self.share))


def side_figures(tournament: Tournament) -> SideFigures:
    """Return how seat 0 has done in all confirmed games."""
    wins = draws = losses = 0
    for place, result in tournament.results.items():
        if result.state is State.RESULT:
            own = Outcome.FIRST if place.game % 2 else Outcome.SECOND
            wins += result.outcome is own
            draws += result.outcome is Outcome.DRAW
            losses += result.outcome not in (own, Outcome.DRAW)
    return SideFigures(wins, draws, losses)
