"""Hypnos: each sentence of the rules is a test (docs/rules.md, "The units")."""

from __future__ import annotations

from helpers import at, base_of, fights, play, power_of


def test_every_other_strength_is_0_of_friend_and_foe() -> None:
    state = at("chthonians", "hypnos cronus 13, hades 10, ares athena 14")
    assert base_of(state, "move 13 14", *fights()) == (2, 0)


def test_bonuses_from_powers_stay() -> None:
    state = at("chthonians", "hypnos 13, hades 10, hera ares hephaestus 14")
    assert base_of(state, "move 13 14", *fights()) == (2, 6 + 0 + 5)


def test_aphrodite_adds_to_males_and_cannot_push_below_0() -> None:
    state = at("chthonians", "hypnos charon 13, hades 10, aphrodite ares 14")
    assert base_of(state, "move 13 14", *fights()) == (0, 2)


def test_his_own_strength_is_subject_to_aphrodite() -> None:
    assert base_of(at("chthonians", "hypnos 13, hades 10, aphrodite 14"), "move 13 14", *fights()) == (0, 0)


def test_energy_counts_as_ever() -> None:
    state = play(at("chthonians", "hypnos 13, hades 10, ares 14"), "move 13 14")
    assert power_of(state, *fights("standard 3", "standard 2")) == (5, 4)


def test_from_next_door_he_does_nothing() -> None:
    state = at("chthonians", "cronus 13, hypnos 8, hades 10, ares 14", known="hypnos")
    assert base_of(state, "move 13 14", *fights()) == (6, 3)
