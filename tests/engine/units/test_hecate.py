"""Hecate: each sentence of the rules is a test (docs/rules.md, "The units")."""

from __future__ import annotations

from helpers import CHTHONIANS, assert_illegal, at, eliminated, fights, is_known, legal, play, power_of, price


def test_the_energy_the_olympians_spend_is_added_to_the_chthonian_stock() -> None:
    state = play(at("chthonians", "hecate cronus 13, hades 10, ares athena 14", energy=10), "move 13 14")
    after = play(state, "fight chthonians standard 1", "fight olympians standard 3")
    assert after.energy == (10 - 1 + 3, 10 - 3)


def test_it_still_counts_for_the_olympians() -> None:
    state = play(at("chthonians", "hecate 13, hades 10, ares athena 14", energy=10), "move 13 14")
    assert power_of(state, "fight chthonians standard 0", "fight olympians standard 3")[1] == 10


def test_it_happens_even_when_she_dies_in_that_round() -> None:
    state = play(at("olympians", "hecate 13, hades 10, ares 14", energy=10), "move 14 13")
    after = play(state, *fights("standard 0", "standard 4"))
    assert eliminated(after) == {"hecate"}
    assert after.energy[CHTHONIANS] == 14


def test_it_happens_when_somebody_retreats() -> None:
    state = play(at("olympians", "hecate 13, hades 10, ares 14", energy=10), "move 14 13")
    assert play(state, *fights("retreat 0", "standard 4")).energy[CHTHONIANS] == 14


def test_it_cannot_be_used_in_the_same_round() -> None:
    state = play(at("olympians", "hecate 13, hades 10, ares 14", energy=(0, 10)), "move 14 13")
    state = play(state, "fight olympians standard 4")
    assert_illegal(state, "fight chthonians standard 1", code="too-much-energy")


def test_a_thunderbolt_into_her_region_gives_6_energy_whoever_dies() -> None:
    state = play(at("olympians", "zeus 14, hecate nyx 13, hades 10", energy=10), "bolt 13")
    assert set(legal(state)) == {"lose hecate", "lose hecate claim", "lose nyx", "lose nyx claim"}
    for answer in ("lose hecate claim", "lose nyx claim"):
        assert price(state, answer) == (0, 6)
        assert play(state, answer).energy[CHTHONIANS] == 16


def test_she_must_be_opened_for_it() -> None:
    state = play(at("olympians", "zeus 14, hecate nyx 13, hades 10", energy=10), "bolt 13")
    assert is_known(play(state, "lose nyx claim"), "hecate")
    unclaimed = play(state, "lose nyx")
    assert not is_known(unclaimed, "hecate")
    assert unclaimed.energy[CHTHONIANS] == 10


def test_elsewhere_she_gets_nothing() -> None:
    state = at("olympians", "hecate 12, nyx 13, hades 10, ares athena 14", energy=10, known="hecate")
    state = play(state, "move 14 13")
    assert play(state, "fight chthonians standard 0", "fight olympians retreat 4").energy[CHTHONIANS] == 10
