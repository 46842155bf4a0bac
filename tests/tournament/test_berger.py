"""Everybody against everybody."""

from __future__ import annotations

import pytest

from protocol.tournament.berger import berger_round, berger_rounds
from protocol.tournament.contents import Pairing

PRINTED = {
    4: "1-4 2-3 | 4-3 1-2 | 2-4 3-1",
    6: "1-6 2-5 3-4 | 6-4 5-3 1-2 | 2-6 3-1 4-5 | 6-5 1-4 2-3 | 3-6 4-2 5-1",
    8: "1-8 2-7 3-6 4-5 | 8-5 6-4 7-3 1-2 | 2-8 3-1 4-7 5-6 | 8-6 7-5 1-4 2-3 | 3-8 4-2 5-1 6-7 | 8-7 1-6 2-5 3-4 |"
    " 4-8 5-3 6-2 7-1",
    10: "1-10 2-9 3-8 4-7 5-6 | 10-6 7-5 8-4 9-3 1-2 | 2-10 3-1 4-9 5-8 6-7 | 10-7 8-6 9-5 1-4 2-3 |"
    " 3-10 4-2 5-1 6-9 7-8 | 10-8 9-7 1-6 2-5 3-4 | 4-10 5-3 6-2 7-1 8-9 | 10-9 1-8 2-7 3-6 4-5 |"
    " 5-10 6-4 7-3 8-2 9-1",
    12: "1-12 2-11 3-10 4-9 5-8 6-7 | 12-7 8-6 9-5 10-4 11-3 1-2 | 2-12 3-1 4-11 5-10 6-9 7-8 |"
    " 12-8 9-7 10-6 11-5 1-4 2-3 | 3-12 4-2 5-1 6-11 7-10 8-9 | 12-9 10-8 11-7 1-6 2-5 3-4 |"
    " 4-12 5-3 6-2 7-1 8-11 9-10 | 12-10 11-9 1-8 2-7 3-6 4-5 | 5-12 6-4 7-3 8-2 9-1 10-11 |"
    " 12-11 1-10 2-9 3-8 4-7 5-6 | 6-12 7-5 8-4 9-3 10-2 11-1",
}
"""The tables of the FIDE Handbook, C.05, annex 1."""


def printed(size: int) -> list[list[Pairing]]:
    """Return a printed table; with an odd number the last player of the table is nobody."""
    rounds = PRINTED[size + size % 2].split("|")
    pairs = [[Pairing(*map(int, pair.split("-"))) for pair in one.split()] for one in rounds]
    return [[pair for pair in one if max(pair) <= size] for one in pairs]


@pytest.mark.parametrize("size", range(3, 13))
def test_the_tables_are_those_that_are_printed(size: int) -> None:
    rounds = [list(berger_round(size, turn)) for turn in range(1, berger_rounds(size) + 1)]
    assert rounds == printed(size)


@pytest.mark.parametrize("size", [3, 4, 5, 8, 13, 26])
def test_in_two_cycles_everybody_has_each_side_once_against_everybody_and_none_three_times_running(size: int) -> None:
    rounds = [berger_round(size, turn, 2) for turn in range(1, berger_rounds(size, 2) + 1)]
    pairs = [pair for one in rounds for pair in one]
    assert sorted(pairs) == [(one, two) for one in range(1, size + 1) for two in range(1, size + 1) if one != two]
    for number in range(1, size + 1):
        sides = "".join("w" if pair.first == number else "b" for one in rounds for pair in one if number in pair)
        assert "www" not in sides
        assert "bbb" not in sides


def test_the_last_two_rounds_of_the_first_of_two_cycles_change_places() -> None:
    single = [berger_round(6, turn) for turn in range(1, 6)]
    double = [berger_round(6, turn, 2) for turn in range(1, 6)]
    assert double == [*single[:3], single[4], single[3]]


@pytest.mark.parametrize("size", [0, 1])
def test_nobody_to_meet_takes_no_round(size: int) -> None:
    assert berger_rounds(size) == 0
