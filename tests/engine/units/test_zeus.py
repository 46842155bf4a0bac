"""Zeus: each sentence of the rules is a test (docs/rules.md, "The units")."""

from __future__ import annotations

from helpers import (
    CHTHONIANS,
    OLYMPIANS,
    assert_illegal,
    assert_legal,
    at,
    eliminated,
    is_known,
    legal,
    play,
    price,
    result,
)


def test_instead_of_moving_he_throws_a_thunderbolt_for_6_energy_and_1_honor() -> None:
    state = at("olympians", "zeus 14, nyx charon 13, hades 10")
    assert price(state, "bolt 13") == (-1, -6)
    after = play(state, "bolt 13")
    assert (after.honor[OLYMPIANS], after.energy[OLYMPIANS]) == (15, 18)


def test_the_bolt_reveals_him() -> None:
    state = at("olympians", "zeus 14, nyx charon 13, hades 10")
    assert not is_known(state, "zeus")
    assert is_known(play(state, "bolt 13"), "zeus")


def test_the_other_side_chooses_which_of_its_units_there_is_eliminated() -> None:
    state = play(at("olympians", "zeus 14, nyx charon 13, hades 10"), "bolt 13")
    assert set(legal(state)) == {"lose nyx", "lose charon"}
    after = play(state, "lose nyx")
    assert eliminated(after) == {"nyx"}
    assert after.turn == CHTHONIANS


def test_only_the_victim_is_opened() -> None:
    after = play(at("olympians", "zeus 14, nyx charon 13, hades 10"), "bolt 13", "lose nyx")
    assert not is_known(after, "charon")


def test_even_a_single_unit_is_asked_for() -> None:
    state = play(at("olympians", "zeus 14, nyx 13, hades 10"), "bolt 13")
    assert legal(state) == {"lose nyx": (0, 0)}


def test_the_target_must_be_adjacent_hold_an_enemy_and_lie_outside_the_underworld() -> None:
    state = at("olympians", "zeus 13, nyx 12, charon 3, hades 10, ares 14")
    assert_illegal(state, "bolt 12", code="no-target")
    assert_illegal(state, "bolt 3", code="no-target")
    assert_illegal(state, "bolt 14", code="no-target")


def test_he_may_stand_in_the_underworld_and_the_river_does_not_matter() -> None:
    assert_legal(at("olympians", "zeus 12, nyx 13, hades 10"), "bolt 13")


def test_the_bolt_needs_6_energy_in_stock() -> None:
    assert_illegal(at("olympians", "zeus 14, nyx 13", energy=(24, 5)), "bolt 13", code="no-target")
    assert_legal(at("olympians", "zeus 14, nyx 13", energy=(24, 6)), "bolt 13")


def test_a_bolt_that_takes_the_last_honor_loses_the_game_before_anybody_dies() -> None:
    after = play(at("olympians", "zeus 14, nyx 13, hades 10", honor=(16, 1)), "bolt 13")
    assert result(after) == ("chthonians", "honor")
    assert eliminated(after) == set()


def test_nobody_else_throws_while_he_is_in_play_or_was_not_selected() -> None:
    assert_illegal(at("olympians", "hera 14, zeus 15, nyx 13"), "bolt 13", code="no-target")
    assert not any(text.startswith("bolt") for text in legal(at("olympians", "hera 14, nyx 13")))


def test_the_bolt_on_the_last_leader_wins_the_game() -> None:
    after = play(at("olympians", "zeus 14, hades 13, nyx 10"), "bolt 13", "lose hades")
    assert result(after) == ("olympians", "leaders")
