"""Dionysus: each sentence of the rules is a test (docs/rules.md, "The units")."""

from __future__ import annotations

from helpers import OLYMPIANS, at, fights, happened, honor_changes, is_known, play, price


def test_alone_and_known_his_backward_move_costs_1() -> None:
    assert price(at("olympians", "dionysus 13, hades 10", known="dionysus"), "move 13 14 dionysus") == (-1, 0)


def test_outside_combat_he_must_have_been_revealed_beforehand() -> None:
    assert price(at("olympians", "dionysus 13, hades 10"), "move 13 14 dionysus") == (-2, 0)
    revealed = play(at("olympians", "dionysus 13, hades 10"), "reveal dionysus")
    assert price(revealed, "move 13 14 dionysus") == (-1, 0)


def test_the_rebate_identifies_him() -> None:
    state = play(at("olympians", "dionysus ares 13, hades 10", known="dionysus ares"), "move 13 14 dionysus")
    assert is_known(state, "dionysus")
    assert is_known(state, "ares")


def test_a_forward_step_has_no_penalty_to_spare_and_hides_him() -> None:
    state = play(at("olympians", "dionysus ares 14, hades 10", known="dionysus ares"), "move 14 13 dionysus")
    assert not is_known(state, "dionysus")


def test_his_lone_attack_backward_is_free() -> None:
    assert price(at("olympians", "dionysus 13, nyx 14"), "move 13 14 dionysus") == (0, 0)


def test_in_combat_he_pays_nothing_for_much_energy_and_1_for_all_out() -> None:
    state = play(at("olympians", "dionysus 14, nyx cronus 13, hades 10"), "move 14 13 dionysus")
    assert price(state, "fight olympians standard 5") == (0, -5)
    assert price(state, "fight olympians attack 0") == (-1, 0)
    assert price(state, "fight olympians defense 6") == (-1, -6)


def test_his_retreat_costs_1() -> None:
    state = at("olympians", "dionysus 14, nyx 13, hades 10")
    state = play(state, "move 14 13", *fights("standard 0", "retreat 0"))
    assert price(state, "retreat 14") == (-1, 0)
    assert honor_changes(happened(state, "retreat 14")[1], OLYMPIANS) == [(-1, "retreat")]


def test_with_comrades_he_spares_nothing() -> None:
    walking = at("olympians", "dionysus ares 13, hades 10", known="all")
    assert price(walking, "move 13 14 ares dionysus") == (-2, 0)
    fighting = play(at("olympians", "dionysus ares 14, nyx 13, hades 10"), "move 14 13")
    assert price(fighting, "fight olympians defense 0") == (-2, 0)


def test_with_apollo_the_loss_is_doubled_and_not_spared() -> None:
    state = play(at("olympians", "dionysus apollo 14, nyx 13, hades 10"), "move 14 13")
    assert price(state, "fight olympians attack 5") == (-6, -5)


def test_liturgy_and_base_loss_are_not_spared() -> None:
    state = at("olympians", "dionysus 13, hades 10", known="dionysus")
    assert price(state, "liturgy") == (-2, 6)
