"""Hephaestus: each sentence of the rules is a test (docs/rules.md, "The units")."""

from __future__ import annotations

from helpers import CHTHONIANS, assert_legal, at, base_of, eliminated, fights, is_known, legal, play

from storm_p2p.storm.state import Phase


def test_he_has_5_more_when_the_olympians_defend() -> None:
    state = at("chthonians", "cronus 13, hades 10, hephaestus 14")
    assert base_of(state, "move 13 14", *fights()) == (6, 3 + 5)


def test_he_has_nothing_more_when_they_attack() -> None:
    state = at("olympians", "cronus 13, hades 10, hephaestus 14")
    assert base_of(state, "move 14 13", *fights()) == (6, 3)


def test_who_attacked_stays_the_attacker_in_later_rounds() -> None:
    state = at("chthonians", "cronus cerberus 13, hades 10, hephaestus ares 14")
    state = play(state, "move 13 14", *fights("standard 0", "defense 0"))
    assert base_of(state, *fights()) == (11, 3 + 5 + 3)


def test_he_prevents_the_elimination_by_a_sneak_attack() -> None:
    state = play(at("chthonians", "erinyes 13, hades 10, hephaestus ares 14"), "sneak 13 14")
    assert_legal(state, "block", "lose hephaestus", "lose ares")
    after = play(state, "block")
    assert eliminated(after) == set()
    assert after.phase in (Phase.FIGHT, Phase.AID)
    assert after.energy[CHTHONIANS] == 22
    assert is_known(after, "hephaestus")


def test_after_the_block_a_normal_combat_follows() -> None:
    state = play(at("chthonians", "erinyes 13, hades 10, hephaestus 14"), "sneak 13 14", "block")
    assert base_of(state, *fights()) == (4, 8)


def test_from_next_door_he_prevents_nothing() -> None:
    state = play(at("chthonians", "erinyes 13, hades 10, ares 14, hephaestus 15", known="hephaestus"), "sneak 13 14")
    assert set(legal(state)) == {"lose ares"}
