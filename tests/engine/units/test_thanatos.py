"""Thanatos: each sentence of the rules is a test (docs/rules.md, "The units")."""

from __future__ import annotations

from helpers import CHTHONIANS, at, eliminated, fights, is_known, play, result


def test_eliminated_in_combat_he_takes_everybody_left_in_the_region_along() -> None:
    state = at("olympians", "thanatos nyx 13, hades 10, zeus athena 14")
    after = play(state, "move 14 13", "fight chthonians standard 0", "fight olympians standard 0", "lose thanatos")
    assert eliminated(after) == {"thanatos", "nyx", "zeus", "athena"}
    assert after.combat is None


def test_nothing_happens_when_another_unit_is_named() -> None:
    state = at("olympians", "thanatos nyx 13, hades 10, zeus ares 14")
    after = play(state, "move 14 13", *fights(), "lose nyx")
    assert eliminated(after) == {"nyx"}


def test_his_own_all_out_attack_sets_it_off_even_when_he_wins() -> None:
    state = at("chthonians", "thanatos 13, hades 10, ares athena hera 14")
    state = play(state, "move 13 14", "fight chthonians attack 6", "fight olympians standard 0", "lose ares")
    assert eliminated(state) == {"thanatos", "ares", "athena", "hera"}


def test_all_out_attack_against_all_out_defense_does_not_set_it_off() -> None:
    state = at("chthonians", "thanatos 13, hades 10, ares 14")
    after = play(state, "move 13 14", *fights("attack 6", "defense 0"))
    assert eliminated(after) == {"ares"}


def test_units_about_to_retreat_die_too() -> None:
    state = at("olympians", "thanatos nyx 13, hades 10, zeus ares 14")
    after = play(state, "move 14 13", *fights("retreat 0", "chase 4"), "lose thanatos")
    assert eliminated(after) == {"thanatos", "nyx", "zeus", "ares"}
    assert after.honor[CHTHONIANS] == 16


def test_a_thunderbolt_does_not_set_it_off() -> None:
    after = play(at("olympians", "zeus 14, thanatos nyx 13, hades 10"), "bolt 13", "lose thanatos")
    assert eliminated(after) == {"thanatos"}


def test_when_both_leaders_die_in_it_the_olympians_win() -> None:
    state = at("olympians", "thanatos hades persephone 13, zeus ares 14")
    after = play(state, "move 14 13", *fights("standard 0", "standard 9"), "lose thanatos")
    assert result(after) == ("olympians", "leaders")


def test_when_the_only_leader_in_it_is_hades_persephone_is_opened_elsewhere() -> None:
    state = at("olympians", "thanatos hades 13, persephone 10, zeus ares 14")
    after = play(state, "move 14 13", *fights("standard 0", "standard 5"), "lose thanatos")
    assert eliminated(after) == {"thanatos", "hades", "zeus", "ares"}
    assert is_known(after, "persephone")
    assert result(after) is None


def test_alone_he_takes_the_winners_along() -> None:
    state = play(at("olympians", "thanatos 13, hades 10, zeus 14"), "move 14 13", *fights())
    assert eliminated(state) == {"thanatos", "zeus"}
