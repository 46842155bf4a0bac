"""Nyx: each sentence of the rules is a test (docs/rules.md, "The units")."""

from __future__ import annotations

from helpers import assert_illegal, assert_legal, at, fights, legal, play, price


def test_alone_she_cuts_the_energy_limit_of_the_olympians_by_one_unit() -> None:
    for olympians, limit in (("ares", 0), ("ares athena", 6), ("ares athena artemis", 12)):
        state = play(at("olympians", f"nyx 13, hades 10, {olympians} 14"), "move 14 13")
        state = play(state, "fight chthonians standard 0")
        assert_legal(state, f"fight olympians standard {limit}")
        assert_illegal(state, f"fight olympians standard {limit + 1}", code="too-much-energy")


def test_with_a_comrade_she_cuts_nothing() -> None:
    state = play(at("olympians", "nyx moirae 13, hades 10, ares 14"), "move 14 13")
    assert_legal(state, "fight olympians standard 6")


def test_every_maneuver_stays_allowed() -> None:
    state = play(at("olympians", "nyx 13, hades 10, ares 14"), "move 14 13")
    for faction in ("chthonians", "olympians"):
        assert {text.split()[2] for text in legal(state) if faction in text} == {
            "standard",
            "retreat",
            "chase",
            "attack",
            "defense",
        }


def test_the_stock_and_the_price_in_honor_hold_as_ever() -> None:
    state = play(at("olympians", "nyx 13, hades 10, ares hera 14", energy=(24, 5)), "move 14 13")
    assert price(state, "fight olympians standard 5") == (-1, -5)
    assert_illegal(state, "fight olympians standard 6", code="too-much-energy")


def test_it_is_tested_again_in_every_round() -> None:
    state = at("olympians", "nyx moirae 13, hades 10, ares zeus 14")
    state = play(state, "move 14 13", *fights(), "lose moirae")
    assert_legal(state, "fight olympians standard 6")
    assert_illegal(state, "fight olympians standard 7", code="too-much-energy")


def test_her_own_limit_is_the_ordinary_one() -> None:
    state = play(at("olympians", "nyx 13, hades 10, ares 14"), "move 14 13")
    assert_legal(state, "fight chthonians standard 6")
    assert_illegal(state, "fight chthonians standard 7", code="too-much-energy")
