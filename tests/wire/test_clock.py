"""Clock arithmetic: what the signed times add up to, and how a stopwatch measures them."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.core.clock import Account, ClockKind, ClockTerms, differ
from protocol.core.match_clock import Stopwatch
from protocol.errors import WireError

BLITZ = ClockTerms(ClockKind.BASE, 60, 5, 2, 30, 120)
DAYS = ClockTerms(ClockKind.TURN, 100, 0, 2, 0, 1000)


@pytest.mark.parametrize("terms", [BLITZ, DAYS])
def test_terms_are_read_as_they_were_written(terms: ClockTerms) -> None:
    assert ClockTerms.of(terms.value()) == terms


@pytest.mark.parametrize(
    "value",
    [
        None,
        (),
        (1, 60, 5, 2, 30),
        (3, 60, 5, 2, 30, 1),
        (1, 0, 5, 2, 30, 1),
        (1, 60, -1, 2, 30, 1),
        (2, 60, 5, 2, 30, 1),
        (1, 60, 5, 2, 30, 0),
        (1, 2**40, 5, 2, 30, 1),
        (True, 60, 5, 2, 30, 1),
    ],
)
def test_what_is_no_clock_is_refused(value: object) -> None:
    with pytest.raises(WireError):
        ClockTerms.of(value)


def test_a_decision_takes_from_the_stock_and_adds_the_increment() -> None:
    account = Account.begin(BLITZ).decide((20, 0))
    assert (account.left, account.fallen) == (45, False)


def test_a_step_without_a_decision_takes_time_and_adds_nothing() -> None:
    assert Account.begin(BLITZ).decide((20, 0), 0).left == 40


def test_the_last_second_may_be_used_up_and_one_more_is_too_many() -> None:
    assert not Account.begin(BLITZ).decide((60, 0)).fallen
    late = Account.begin(BLITZ).decide((61, 0))
    assert late.fallen
    assert late.over == 1


def test_a_flag_stays_down_until_the_other_plays_on_and_then_the_increment_is_all_there_is() -> None:
    late = Account.begin(BLITZ).decide((70, 0))
    assert late.decide((1, 0)).fallen
    assert (late.waive().fallen, late.waive().left) == (False, 5)


def test_a_lost_line_is_forgiven_as_long_as_the_terms_say_and_then_counts() -> None:
    account = Account.begin(BLITZ).decide((0, 20))
    assert account.left == 65
    assert account.decide((0, 20)).left == 65 + 5 - 10


def test_each_decision_of_a_correspondence_match_has_its_own_time() -> None:
    account = Account.begin(DAYS).decide((99, 0))
    assert (account.left, account.fallen) == (100, False)
    assert account.decide((101, 0)).fallen
    assert not account.decide((150, 0), 2).fallen
    assert account.decide((0, 101)).fallen


def test_a_difference_counts_from_the_tolerance_on() -> None:
    assert not differ(BLITZ, (10, 0), (12, 0))
    assert differ(BLITZ, (10, 0), (13, 0))
    assert differ(BLITZ, (13, 0), (10, 0))
    # The two notice a lost line at different moments: only the whole stretch is compared.
    assert not differ(BLITZ, (10, 40), (50, 0))


@given(st.lists(st.tuples(st.integers(0, 50), st.integers(0, 50), st.integers(0, 2)), max_size=8))
def test_a_stock_is_what_was_given_less_what_was_taken(steps: list[tuple[int, int, int]]) -> None:
    account = Account.begin(replace(BLITZ, base=10_000))
    for spent, away, decisions in steps:
        account = account.decide((spent, away), decisions)
    lost = max(0, sum(away for _, away, _ in steps) - BLITZ.away)
    given_time = 10_000 + sum(decisions for *_, decisions in steps) * BLITZ.increment
    assert account.left == given_time - sum(spent for spent, _, _ in steps) - lost
    assert not account.fallen


def test_a_stopwatch_tells_thinking_from_a_lost_line_and_from_a_break() -> None:
    watch = Stopwatch(running=True)
    watch.tick(100.0)
    watch.tick(110.5)
    watch.up = False
    watch.tick(115.0)
    watch.up = True
    watch.tick(120.0)
    watch.halted = True
    watch.tick(9000.0)
    watch.halted = False
    assert watch.take(9001.0) == (16, 4)
    assert watch.take(9001.9) == (0, 0)


def test_a_stopwatch_that_stands_or_hears_no_time_measures_nothing() -> None:
    watch = Stopwatch()
    watch.tick(5.0)
    assert watch.read(90.0) == (0, 0)
    watch.running = True
    watch.tick(0.0)
    assert watch.read(1e9) == (0, 0)
    assert watch.read(1e9 + 3) == (3, 0)


def test_a_clock_that_is_set_back_takes_no_time_away() -> None:
    watch = Stopwatch(running=True)
    watch.tick(100.0)
    watch.tick(110.0)
    watch.tick(50.0)
    assert watch.read(55.0) == (15, 0)
