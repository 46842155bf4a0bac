"""Poseidon: each sentence of the rules is a test (docs/rules.md, "The units")."""

from __future__ import annotations

from helpers import OLYMPIANS, assert_illegal, assert_legal, at, fights, is_known, play, price


def test_his_move_from_bank_to_bank_gains_2_energy_and_reveals_him() -> None:
    state = at("olympians", "poseidon 7, hades 10", energy=(24, 10))
    assert price(state, "move 7 2 poseidon") == (0, 0)
    assert price(state, "move 7 2 poseidon claim") == (0, 2)
    after = play(state, "move 7 2 poseidon claim")
    assert after.energy[OLYMPIANS] == 12
    assert is_known(after, "poseidon")


def test_a_crossing_with_him_nets_0() -> None:
    state = at("olympians", "poseidon ares 13, hades 10", energy=(24, 10))
    assert price(state, "move 13 12 poseidon claim") == (0, 0)
    assert price(state, "move 13 12 ares poseidon claim") == (-1, 0)


def test_a_crossing_is_legal_with_an_empty_stock() -> None:
    state = at("olympians", "poseidon 13, hades 10", energy=0)
    assert_legal(state, "move 13 12 poseidon claim")
    assert_illegal(state, "move 13 12 poseidon", code="no-energy")


def test_both_ends_must_lie_on_the_styx() -> None:
    state = at("olympians", "poseidon 13, hades 10")
    assert_illegal(state, "move 13 14 poseidon claim", "move 13 8 poseidon claim", code="no-claim")
    assert_illegal(at("olympians", "poseidon 17, hades 10"), "move 17 22 poseidon claim", code="no-claim")


def test_he_may_attack_with_it_and_use_the_gain_in_the_combat() -> None:
    state = play(at("olympians", "poseidon 7, nyx moirae 2, hades 10", energy=(24, 0)), "move 7 2 poseidon claim")
    assert state.energy[OLYMPIANS] == 2
    assert_legal(state, "fight olympians standard 2")


def test_it_is_optional() -> None:
    after = play(at("olympians", "poseidon 13, hades 10"), "move 13 12 poseidon")
    assert after.energy[OLYMPIANS] == 22
    assert not is_known(after, "poseidon")


def test_the_claim_hides_nobody() -> None:
    state = at("olympians", "poseidon ares 13, hades 10", known="ares")
    assert is_known(play(state, "move 13 12 poseidon claim"), "ares")


def test_a_retreat_gains_nothing() -> None:
    state = at("olympians", "poseidon 18, nyx 13, hades 10", energy=10)
    after = play(state, "move 18 13", *fights("standard 0", "retreat 0"), "retreat 18")
    assert after.energy[OLYMPIANS] == 10


def test_no_other_olympian_gains_from_the_river() -> None:
    state = at("olympians", "ares 7, hades 10")
    assert_illegal(state, "move 7 2 ares claim", code="no-claim")
