"""Glicko-2, and the advantage of a side."""

from __future__ import annotations

import itertools
import random

import pytest
from helpers_tournament import Contest
from hypothesis import given
from hypothesis import strategies as st

from protocol.tournament.contents import System
from protocol.tournament.outcomes import Outcome
from protocol.tournament.ratings import Game, Rating, SideFigures, rate, rate_period, side_figures

GLICKMAN = {1: Rating(1500, 200, 0.06), 2: Rating(1400, 30), 3: Rating(1550, 100), 4: Rating(1700, 300)}
"""The players of "Example of the Glicko-2 system"; the first wins against the second and loses to the others."""

GAMES = (Game(1, 2, 1), Game(1, 3, 0), Game(4, 1, 1))


def test_glickmans_example_comes_out_as_printed() -> None:
    found = rate_period(GLICKMAN, GAMES)[1]
    assert round(found.rating, 2) == 1464.05
    assert round(found.deviation, 2) == 151.52
    # By hand: 0.059996, which he prints as 0.05999.
    assert found.volatility == pytest.approx(0.05999598, abs=1e-7)


def test_a_steady_player_who_does_what_was_expected_gets_steadier() -> None:
    found = rate_period({1: Rating(1500, 30, 0.1), 2: Rating(1500, 30, 0.1)}, [Game(1, 2, 0.5)] * 40)
    assert found[1].rating == 1500
    assert found[1].volatility < 0.1


def test_the_order_of_games_changes_no_bit() -> None:
    found = {repr(rate_period(GLICKMAN, games)) for games in itertools.permutations(GAMES)}
    assert len(found) == 1


def test_who_does_not_play_becomes_less_certain() -> None:
    found = rate_period({1: Rating(1600, 50, 0.06)}, ())[1]
    assert (found.rating, found.volatility) == (1600, 0.06)
    assert found.deviation == pytest.approx((50**2 + (0.06 * 173.7178) ** 2) ** 0.5)


_RATING = st.builds(Rating, st.floats(100, 4000), st.floats(30, 350), st.floats(0.01, 0.1))


@given(st.lists(_RATING, min_size=2, max_size=5), st.integers(0, 1000))
def test_whatever_players_say_of_themselves_gives_numbers(ratings: list[Rating], seed: int) -> None:
    chance = random.Random(seed)
    players = dict(enumerate(ratings))
    for _ in range(4):
        pairs = [chance.sample(range(len(ratings)), 2) for _ in range(chance.randint(1, 20))]
        players = rate_period(players, [Game(one, two, chance.choice((0.0, 0.5, 1.0))) for one, two in pairs])
    for one in players.values():
        assert abs(one.rating) < 50_000
        assert 0 < one.deviation <= 350
        assert 0 < one.volatility < 5


def test_a_round_is_a_period_and_only_confirmed_results_are_rated() -> None:
    contest = Contest(4)
    contest.start()
    contest.round()
    contest.play(lambda place: Outcome.FIRST)
    found = contest.look()
    before, after = rate(found)
    for first, second in found.rounds[0].pairings:
        assert after[first].rating > before[first].rating
        assert after[second].rating < before[second].rating
    assert before[1].deviation == 200
    contest.reports = []
    assert [one.rating for one in rate(contest.look())[1].values()] == [one.rating for one in before.values()]


def test_a_side_that_always_wins_is_seen_whoever_has_it() -> None:
    contest = Contest(4, System.ROUND_ROBIN)
    contest.start()
    contest.round()
    # Seat 0 wins: the first of the pairing in the odd games.
    contest.play(lambda place: Outcome.FIRST if place.game % 2 else Outcome.SECOND)
    figures = side_figures(contest.look())
    assert figures == SideFigures(4, 0, 0)
    assert (figures.share, figures.advantage) == (1.0, None)


def test_figures_of_a_side_are_those_of_the_books() -> None:
    figures = SideFigures(42, 0, 58)
    assert figures.share == 0.42
    assert figures.interval == pytest.approx((0.3280, 0.5179), abs=1e-4)
    assert figures.advantage == pytest.approx(-56.07, abs=0.01)
    assert SideFigures(1, 2, 1).share == 0.5
    assert SideFigures(0, 0, 0).interval is None
    low, high = SideFigures(3, 0, 0).interval or (0, 0)
    assert 0 < low < high <= 1
