"""Cerberus: each sentence of the rules is a test (docs/rules.md, "The units")."""

from __future__ import annotations

from helpers import OLYMPIANS, assert_illegal, at, eliminated, fights, is_known, legal, play, power_of


def test_alone_in_combat_he_must_chase() -> None:
    state = play(at("chthonians", "cerberus 13, hades 10, ares 14"), "move 13 14")
    maneuvers = {text.split()[2] for text in legal(state) if "chthonians" in text}
    assert maneuvers == {"chase"}
    assert_illegal(state, "fight chthonians standard 0", code="no-such-maneuver")


def test_with_a_comrade_he_may_do_anything() -> None:
    state = play(at("chthonians", "cerberus nyx 13, hades 10, ares 14"), "move 13 14")
    assert {text.split()[2] for text in legal(state) if "chthonians" in text} == {
        "standard",
        "retreat",
        "chase",
        "attack",
        "defense",
    }


def test_his_chase_costs_3_like_any_other() -> None:
    state = play(at("chthonians", "cerberus 13, hades 10, ares 14"), "move 13 14")
    assert power_of(state, *fights("chase 2")) == (5 + 2 - 3, 3)


def test_it_is_tested_again_in_every_round() -> None:
    state = at("chthonians", "cerberus nyx 13, hades 10, ares zeus 14")
    state = play(state, "move 13 14", *fights("standard 0", "standard 4"), "lose nyx")
    assert {text.split()[2] for text in legal(state) if "chthonians" in text} == {"chase"}


def test_he_cannot_be_chosen_as_victim_of_a_thunderbolt() -> None:
    state = play(at("olympians", "zeus 14, cerberus nyx 13, hades 10"), "bolt 13")
    assert set(legal(state)) == {"lose nyx"}
    assert_illegal(state, "lose cerberus", code="bolt-proof")
    assert_illegal(state, "lose cerberus immune", code="not-immune")


def test_alone_he_makes_the_thunderbolt_wasted() -> None:
    state = play(at("olympians", "zeus 14, cerberus 13, hades 10"), "bolt 13")
    assert set(legal(state)) == {"lose cerberus immune"}
    after = play(state, "lose cerberus immune")
    assert eliminated(after) == set()
    assert is_known(after, "cerberus")
    assert (after.honor[OLYMPIANS], after.energy[OLYMPIANS]) == (15, 18)
