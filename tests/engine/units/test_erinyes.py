"""Erinyes: each sentence of the rules is a test (docs/rules.md, "The units")."""

from __future__ import annotations

from helpers import (
    CHTHONIANS,
    OLYMPIANS,
    assert_illegal,
    assert_legal,
    at,
    base_of,
    eliminated,
    fights,
    is_known,
    legal,
    play,
    price,
    region_of,
)

from storm_p2p.storm.state import Phase


def test_attacking_alone_they_may_sneak_for_2_energy_and_1_honor() -> None:
    state = at("chthonians", "erinyes 13, hades 10, ares 14")
    assert price(state, "sneak 13 14") == (-1, -2)
    after = play(state, "sneak 13 14")
    assert after.phase == Phase.SNEAK
    assert (after.honor[CHTHONIANS], after.energy[CHTHONIANS]) == (15, 22)
    assert is_known(after, "erinyes")


def test_one_olympian_of_their_choice_is_eliminated_before_combat() -> None:
    state = play(at("chthonians", "erinyes 13, hades 10, ares athena 14"), "sneak 13 14")
    assert set(legal(state)) == {"lose ares", "lose athena"}
    after = play(state, "lose ares")
    assert eliminated(after) == {"ares"}
    assert base_of(after, *fights()) == (4, 4)


def test_when_nobody_is_left_they_hold_the_region() -> None:
    after = play(at("chthonians", "erinyes 13, hades 10, ares 14"), "sneak 13 14", "lose ares")
    assert region_of(after, "erinyes") == 14
    assert (after.phase, after.turn, after.combat) == (Phase.TURN, OLYMPIANS, None)


def test_the_worse_of_attack_penalty_and_1_counts_and_a_bonus_is_netted() -> None:
    state = at("chthonians", "erinyes 13, hades 10, ares athena 14")
    assert price(state, "sneak 13 14") == (2 - 1, -2)
    backward = at("chthonians", "erinyes 14, hades 10, ares 13")
    assert price(backward, "move 14 13 erinyes") == (-1, 0)
    assert price(backward, "sneak 14 13") == (-1, -2)


def test_in_open_combat_the_bonus_for_equal_numbers_is_netted() -> None:
    state = at("chthonians", "erinyes 13, hades 10, ares 14", terms={"open_combat": True})
    assert price(state, "sneak 13 14") == (0, -2)


def test_it_needs_2_energy() -> None:
    assert_illegal(at("chthonians", "erinyes 13, ares 14", energy=1), "sneak 13 14", code="no-energy")


def test_it_does_not_work_over_the_styx_nor_without_an_enemy_nor_from_afar() -> None:
    state = at("chthonians", "erinyes 12, ares 13, zeus 15", energy=24)
    assert_illegal(state, "sneak 12 13", "sneak 12 11", "sneak 12 15")


def test_it_is_done_alone() -> None:
    state = at("chthonians", "erinyes nyx 13, hades 10, ares 14")
    after = play(state, "sneak 13 14", "lose ares")
    assert region_of(after, "nyx") == 13


def test_alone_in_combat_they_neither_retreat_nor_defend_all_out() -> None:
    state = play(at("chthonians", "erinyes 13, hades 10, ares 14"), "move 13 14")
    assert {text.split()[2] for text in legal(state) if "chthonians" in text} == {"standard", "chase", "attack"}
    assert_illegal(state, "fight chthonians retreat 0", "fight chthonians defense 0", code="no-such-maneuver")


def test_with_a_comrade_they_may_do_anything() -> None:
    state = play(at("chthonians", "erinyes nyx 13, hades 10, ares 14"), "move 13 14")
    assert_legal(state, "fight chthonians retreat 0", "fight chthonians defense 0")


def test_no_other_unit_sneaks() -> None:
    state = at("chthonians", "nyx 13, hades 10, ares 14")
    assert not any(text.startswith("sneak") for text in legal(state))
