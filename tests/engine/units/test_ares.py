"""Ares: each sentence of the rules is a test (docs/rules.md, "The units")."""

from __future__ import annotations

from helpers import assert_illegal, at, fights, play, power_of, price


def test_alone_each_energy_counts_twice() -> None:
    state = play(at("chthonians", "cronus 13, hades 10, ares 14"), "move 13 14")
    assert power_of(state, *fights("standard 0", "standard 2")) == (6, 3 + 2 * 2)


def test_his_base_does_not_count_twice() -> None:
    state = play(at("chthonians", "cronus 13, hades 10, ares 14"), "move 13 14")
    assert power_of(state, *fights()) == (6, 3)


def test_all_out_doubles_the_sum_again() -> None:
    state = play(at("chthonians", "cronus 13, hades 10, ares 14"), "move 13 14")
    for maneuver in ("attack", "defense"):
        assert power_of(state, *fights("standard 0", f"{maneuver} 2"))[1] == 2 * (3 + 2 * 2)


def test_a_chase_takes_3_from_the_doubled_energy() -> None:
    state = play(at("chthonians", "cronus 13, hades 10, ares 14"), "move 13 14")
    assert power_of(state, *fights("standard 0", "chase 2"))[1] == 3 + 4 - 3


def test_limit_price_and_honor_use_the_energy_itself() -> None:
    state = play(at("chthonians", "cronus 13, hades 10, ares 14"), "move 13 14")
    assert price(state, "fight olympians standard 4") == (0, -4)
    assert price(state, "fight olympians standard 5") == (-1, -5)
    assert_illegal(state, "fight olympians standard 7", code="too-much-energy")


def test_with_a_comrade_energy_counts_once() -> None:
    state = play(at("chthonians", "cronus 13, hades 10, ares demeter 14"), "move 13 14")
    assert power_of(state, *fights("standard 0", "standard 2"))[1] == 5 + 2


def test_aphrodite_next_door_leaves_him_alone() -> None:
    state = at("chthonians", "cronus 13, hades 10, ares 14, aphrodite 15", known="aphrodite")
    assert power_of(state, "move 13 14", *fights("standard 0", "standard 2"))[1] == 3 + 2 + 4


def test_against_a_lone_nyx_he_has_no_energy() -> None:
    state = play(at("chthonians", "nyx 13, hades 10, ares 14"), "move 13 14")
    assert_illegal(state, "fight olympians standard 1", code="too-much-energy")


def test_when_his_comrade_has_fallen_he_fights_alone() -> None:
    state = at("chthonians", "cronus cerberus 13, hades 10, ares demeter 14")
    state = play(state, "move 13 14", *fights(), "lose demeter")
    assert power_of(state, *fights("standard 0", "standard 3"))[1] == 3 + 6
