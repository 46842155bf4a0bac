"""Artemis: each sentence of the rules is a test (docs/rules.md, "The units")."""

from __future__ import annotations

from helpers import at, fights, play, power_of


def test_a_chase_gives_her_side_2_instead_of_minus_3() -> None:
    state = play(at("chthonians", "cronus 13, hades 10, artemis 14"), "move 13 14")
    assert power_of(state, *fights("standard 0", "chase 0")) == (6, 4 + 2)


def test_it_holds_for_her_whole_group() -> None:
    state = play(at("chthonians", "cronus 13, hades 10, artemis athena 14"), "move 13 14")
    assert power_of(state, *fights("standard 0", "chase 1"))[1] == 8 + 1 + 2


def test_it_holds_against_every_maneuver() -> None:
    state = play(at("chthonians", "cronus moirae 13, hades 10, artemis ares 14"), "move 13 14")
    for maneuver in ("standard", "retreat", "chase", "attack", "defense"):
        assert power_of(state, *fights(f"{maneuver} 0", "chase 0"))[1] == 7 + 2


def test_other_maneuvers_gain_nothing() -> None:
    state = play(at("chthonians", "cronus 13, hades 10, artemis 14"), "move 13 14")
    assert power_of(state, *fights("standard 0", "standard 0"))[1] == 4


def test_without_her_a_chase_costs_3_and_so_does_that_of_the_enemy() -> None:
    state = play(at("chthonians", "cronus 13, hades 10, artemis 14"), "move 13 14")
    assert power_of(state, *fights("chase 0", "chase 0")) == (3, 6)
    elsewhere = play(at("chthonians", "cronus 13, hades 10, ares 14, artemis 15", known="artemis"), "move 13 14")
    assert power_of(elsewhere, *fights("standard 0", "chase 0"))[1] == 0
