"""Knock-out and double elimination."""

from __future__ import annotations

import random

import pytest
from helpers_tournament import event_of
from hypothesis import given
from hypothesis import strategies as st

from protocol.tournament.brackets import Bracket, bracket_of, seed_slots
from protocol.tournament.contents import Pairing, System
from protocol.tournament.outcomes import Meeting, Outcome

LIVES = {System.KNOCK_OUT: 1, System.DOUBLE_ELIMINATION: 2}


def play(
    system: System, size: int, chance: random.Random, gone: dict[int, int], rare: bool, third_place: bool = False
) -> tuple[Bracket, int]:
    """Play a bracket to its end, and check that nobody plays who is out; return it and how many rounds it took."""
    event, history = event_of(system, third_place=third_place), list[tuple[Meeting, ...]]()
    losses = dict.fromkeys(range(1, size + 1), 0)
    while (bracket := bracket_of(event, size, history, gone)).winner is None:
        assert bracket.pairings
        assert not bracket.waits
        numbers = [number for pair in bracket.pairings for number in pair]
        assert len(set(numbers)) == len(numbers)
        beaten = [number for number in numbers if losses[number] >= LIVES[system]]
        assert len(beaten) in ((0, 2) if third_place else (0,))
        meetings = []
        for first, second in bracket.pairings:
            outcome = chance.choice([Outcome.FIRST, Outcome.SECOND, Outcome.FORFEIT_FIRST])
            if rare and chance.random() < 0.1:
                outcome = Outcome.DOUBLE_FORFEIT
            losers = (
                (first, second)
                if outcome is Outcome.DOUBLE_FORFEIT
                else (first,)
                if outcome is Outcome.SECOND
                else (second,)
            )
            for number in losers:
                losses[number] += 2 if outcome is Outcome.DOUBLE_FORFEIT else 1
            meetings.append(Meeting(first, second, (outcome, outcome)))
        history.append(tuple(meetings))
    out = [number for group in bracket.out for number in group]
    assert sorted([*out, *([bracket.winner] if bracket.winner else [])]) == list(range(1, size + 1))
    if not gone and not rare and not third_place:
        assert all(losses[number] == LIVES[system] for number in out)
    return bracket, len(history)


@given(
    st.sampled_from(list(LIVES)),
    st.integers(1, 40),
    st.integers(0, 10_000),
    st.booleans(),
    st.dictionaries(st.integers(1, 40), st.integers(1, 5), max_size=6),
)
def test_everybody_is_out_once_and_nobody_plays_on_who_is(
    system: System, size: int, seed: int, rare: bool, gone: dict[int, int]
) -> None:
    play(system, size, random.Random(seed), gone, rare)


@pytest.mark.parametrize(("system", "most"), [(System.KNOCK_OUT, 4), (System.DOUBLE_ELIMINATION, 9)])
def test_sixteen_players_take_as_many_rounds_as_the_bracket_is_deep(system: System, most: int) -> None:
    lengths = {play(system, 16, random.Random(seed), {}, False)[1] for seed in range(30)}
    assert lengths <= {most - 1, most}
    assert most in lengths


@pytest.mark.parametrize("size", [2, 4, 8, 16, 32])
def test_the_better_half_does_not_meet_itself_in_the_first_round(size: int) -> None:
    slots = seed_slots(size)
    assert all(one + two == size + 1 for one, two in zip(slots[::2], slots[1::2], strict=True))
    assert {slots[0], slots[size // 2]} == {1, 2}


def test_a_level_pairing_waits() -> None:
    level = (Meeting(1, 2, (Outcome.FIRST, Outcome.SECOND)),)
    undecided = (Meeting(1, 2, (Outcome.FIRST, Outcome.NONE)),)
    event = event_of(System.KNOCK_OUT)
    assert bracket_of(event, 2, [undecided]).waits
    # Nothing more may be played there: then the better number goes on.
    assert bracket_of(event, 2, [level]).winner == 1


def test_who_loses_the_final_for_the_first_time_gets_another_one() -> None:
    event = event_of(System.DOUBLE_ELIMINATION)
    lost, won = (Outcome.SECOND,) * 2, (Outcome.FIRST,) * 2
    first, again = (Meeting(1, 2, won),), (Meeting(2, 1, won),)
    assert bracket_of(event, 2, [first]).pairings == (Pairing(2, 1),)
    assert bracket_of(event, 2, [first, again]).pairings == (Pairing(1, 2),)
    assert bracket_of(event, 2, [first, again, (Meeting(1, 2, lost),)]).winner == 2
    assert bracket_of(event, 2, [first, (Meeting(2, 1, lost),)]).winner == 1


def test_a_walkover_goes_to_whoever_is_there() -> None:
    bracket = bracket_of(event_of(System.KNOCK_OUT), 4, [], {4: 1})
    assert bracket.pairings == (Pairing(2, 3),)


@given(
    st.integers(1, 40),
    st.integers(0, 10_000),
    st.booleans(),
    st.dictionaries(st.integers(1, 40), st.integers(1, 5), max_size=6),
)
def test_with_a_match_for_the_third_place_nobody_shares_the_first_four(
    size: int, seed: int, rare: bool, gone: dict[int, int]
) -> None:
    gone = {number: since for number, since in gone.items() if number <= size}
    bracket, rounds = play(System.KNOCK_OUT, size, random.Random(seed), gone, rare, third_place=True)
    _, without = play(System.KNOCK_OUT, size, random.Random(seed), gone, rare)
    if not gone and not rare:
        assert rounds == without
        assert [len(group) for group in bracket.out[-3:]] == [1, 1, 1][: max(size - 1, 0)]


def test_the_losers_of_the_semi_finals_meet_beside_the_final() -> None:
    event = event_of(System.KNOCK_OUT, third_place=True)
    win = (Outcome.FIRST, Outcome.FIRST)
    history = [(Meeting(1, 4, win), Meeting(2, 3, win))]
    assert bracket_of(event, 4, history).pairings == (Pairing(1, 2), Pairing(3, 4))
    lost = (Outcome.SECOND, Outcome.SECOND)
    history.append((Meeting(1, 2, win), Meeting(3, 4, lost)))
    bracket = bracket_of(event, 4, history)
    assert (bracket.winner, bracket.out) == (1, ((3,), (4,), (2,)))
    # A final that both forfeit still comes before the third place.
    history[-1] = (Meeting(1, 2, (Outcome.DOUBLE_FORFEIT,) * 2), Meeting(3, 4, lost))
    bracket = bracket_of(event, 4, history)
    assert (bracket.winner, bracket.out) == (0, ((3,), (4,), (1, 2)))
