"""Moirae: each sentence of the rules is a test (docs/rules.md, "The units")."""

from __future__ import annotations

from helpers import assert_illegal, assert_legal, at, fights, play, price


def test_the_only_limit_of_energy_is_the_stock() -> None:
    state = play(at("chthonians", "moirae 13, hades 10, ares 14", energy=24), "move 13 14")
    assert_legal(state, "fight chthonians standard 24")
    assert_illegal(state, "fight chthonians standard 25", code="too-much-energy")


def test_much_energy_costs_no_honor() -> None:
    state = play(at("chthonians", "moirae 13, hades 10, ares 14"), "move 13 14")
    assert price(state, "fight chthonians standard 20") == (0, -20)


def test_all_out_costs_2_as_ever() -> None:
    state = play(at("chthonians", "moirae 13, hades 10, ares 14"), "move 13 14")
    assert price(state, "fight chthonians attack 20") == (-2, -20)


def test_the_olympians_keep_their_limit_and_their_price() -> None:
    state = play(at("chthonians", "moirae 13, hades 10, ares 14"), "move 13 14")
    assert price(state, "fight olympians standard 5") == (-1, -5)
    assert_illegal(state, "fight olympians standard 7", code="too-much-energy")


def test_it_holds_for_their_comrades_too_but_only_in_their_combat() -> None:
    state = play(at("chthonians", "moirae nyx 13, hades 10, ares 14"), "move 13 14")
    assert_legal(state, "fight chthonians standard 24")
    elsewhere = play(at("chthonians", "nyx 13, moirae 8, hades 10, ares 14", known="moirae"), "move 13 14")
    assert_illegal(elsewhere, "fight chthonians standard 7", code="too-much-energy")


def test_when_they_have_fallen_the_limit_is_back() -> None:
    state = at("chthonians", "moirae nyx 13, hades 10, zeus ares 14")
    state = play(state, "move 13 14", *fights("standard 0", "standard 4"), "lose moirae")
    assert_illegal(state, "fight chthonians standard 7", code="too-much-energy")
    assert price(state, "fight chthonians standard 5") == (-1, -5)
