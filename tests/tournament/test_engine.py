"""Swiss pairings and tie-breaks by the library."""

from __future__ import annotations

import hashlib
import json
import random
import sys
from dataclasses import replace

import pytest
from helpers import GOLDEN, daily_first
from helpers_tournament import event_of, play_on, swiss_field

from protocol.errors import ProtocolError
from protocol.tournament import engine
from protocol.tournament.contents import Pairing, System
from protocol.tournament.engine import EngineError, break_ties, engine_version, pair_swiss
from protocol.tournament.lines import Field, lines_of, total
from protocol.tournament.outcomes import Meeting, Outcome
from protocol.tournament.pairings import PairingError, pair_round, safe_rounds

RECORDED = json.loads((GOLDEN / "swiss.json").read_text(encoding="utf-8"))
"""For each generated tournament a digest of the pairings of each round, colours included, by bbpPairings."""


def digest(pairings: tuple[Pairing, ...]) -> str:
    return hashlib.sha256(json.dumps(sorted(map(list, pairings))).encode()).hexdigest()[:8]


def check(seed: int) -> None:
    """Pair a generated tournament and compare each round with the recorded one."""
    chance, field = swiss_field(seed)
    for wanted in RECORDED[seed].split():
        pairings = pair_round(field)
        assert digest(pairings) == wanted, (seed, field.round)
        field = play_on(chance, field, pairings)
    with pytest.raises(PairingError):
        pair_round(field)


@pytest.mark.parametrize("seed", range(3))
def test_pairings_and_colours_are_those_of_another_program(seed: int) -> None:
    check(seed)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(3, 100))
def test_pairings_and_colours_are_those_of_another_program_in_many_tournaments(seed: int) -> None:
    check(seed)


@pytest.mark.parametrize("seed", daily_first(range(10), 3))
def test_with_two_games_nobody_meets_twice_has_two_byes_or_is_left_out(seed: int) -> None:
    chance, field = swiss_field(seed, 9, 30, games=2)
    while True:
        try:
            pairings = pair_round(field)
        except ProtocolError:
            break
        met = {frozenset((one.first, one.second)) for meetings in field.history for one in meetings if one.played}
        byes = {one.first for meetings in field.history for one in meetings if not one.second}
        absent = field.absent(field.round)
        numbers = sorted(number for pair in pairings for number in pair if number)
        assert numbers == sorted(set(range(1, field.size + 1)) - absent)
        assert not met & {frozenset(pair) for pair in pairings}
        assert not byes & {pair.first for pair in pairings if not pair.second}
        assert [pair.second == 0 for pair in pairings] == sorted(pair.second == 0 for pair in pairings)
        field = play_on(chance, field, pairings)
    assert field.round > 1


def four() -> Field:
    """Return four players after three rounds: 1 has won all, 4 lost all, 2 beat 3 by a forfeited game and a draw."""
    won, mixed = (Outcome.FIRST,) * 2, (Outcome.FORFEIT_FIRST, Outcome.DRAW)
    history = (
        (Meeting(1, 4, won), Meeting(2, 3, mixed)),
        (Meeting(1, 3, won), Meeting(2, 4, won)),
        (Meeting(1, 2, won), Meeting(3, 4, won)),
    )
    return Field(event_of(System.ROUND_ROBIN), 4, history)


def test_points_are_those_of_the_games_and_tie_breaks_follow_from_them() -> None:
    ranks = break_ties(four(), ("DE", "SB", "BH"))
    points = {number: total(lines) for number, lines in lines_of(four()).items()}
    assert points == {1: 12, 2: 7, 3: 5, 4: 0}
    assert [ranks[number][0] for number in range(1, 5)] == [1, 2, 3, 4]
    # Sonneborn-Berger: what the others have, times what was got from them.  Buchholz: the sum of what they have.
    assert [float(ranks[number][1][1] or 0) for number in range(1, 5)] == [12.0, 3.75, 1.75, 0.0]
    assert [float(ranks[number][1][2] or 0) for number in range(1, 5)] == [6.0, 8.5, 9.5, 12.0]


def test_a_tie_is_broken_by_who_won_against_whom() -> None:
    won = (Outcome.FIRST,) * 2
    history = ((Meeting(2, 1, won), Meeting(3, 4, won)), (Meeting(1, 3, won), Meeting(2, 4, won)))
    for names, wanted in (((), [1, 2, 2, 4]), (("DE",), [1, 2, 3, 4])):
        ranks = break_ties(Field(event_of(System.ROUND_ROBIN), 4, history), names)
        assert [ranks[number][0] for number in (2, 1, 3, 4)] == wanted


def test_nobody_and_everybody_absent_are_no_pairings() -> None:
    event = event_of(System.SWISS)
    assert pair_swiss(Field(event, 0)) == ()
    assert pair_swiss(Field(event, 2, gone={1: 1})) == (Pairing(2, 0),)
    assert break_ties(Field(event, 0), ("BH",)) == {}


def test_too_many_rounds_are_not_begun() -> None:
    with pytest.raises(PairingError) as caught:
        pair_round(Field(event_of(System.ROUND_ROBIN), 129))
    assert caught.value.code == "too_many_players"
    assert len(pair_round(Field(event_of(System.ROUND_ROBIN), 128))) == 64


@pytest.mark.parametrize("size", daily_first(range(2, 12), 5))
def test_rounds_up_to_half_of_the_players_can_always_be_paired(size: int) -> None:
    for seed in range(6):
        chance = random.Random(seed)
        field = Field(event_of(System.SWISS, range(safe_rounds(size))), size)
        for _ in range(safe_rounds(size)):
            field = play_on(chance, field, pair_round(field))
        assert len(field.history) == safe_rounds(size)


def test_players_who_have_all_met_cannot_be_paired() -> None:
    event = event_of(System.SWISS)
    history = ((Meeting(1, 2, (Outcome.FIRST,) * 2),),)
    with pytest.raises(EngineError) as caught:
        pair_swiss(Field(event, 2, history))
    assert caught.value.code == "no_pairing"


def test_without_the_library_it_says_so_and_nothing_else_needs_it(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in sys.modules if name.split(".")[0] == "gacrux"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "gacrux", None)
    assert engine_version() is None
    for run in (lambda: pair_swiss(Field(event_of(System.KNOCK_OUT), 4)), lambda: break_ties(four(), ("BH",))):
        with pytest.raises(EngineError) as caught:
            run()
        assert caught.value.code == "engine_missing"


def test_a_fault_in_the_library_is_an_error_of_ours(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine, "_tournament", lambda *_: {})
    for run in (lambda: pair_swiss(replace(four(), event=event_of(System.SWISS))), lambda: break_ties(four(), ("BH",))):
        with pytest.raises(EngineError) as caught:
            run()
        assert caught.value.code == "engine_failed"
