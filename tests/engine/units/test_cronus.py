"""Cronus: each sentence of the rules is a test (docs/rules.md, "The units")."""

from __future__ import annotations

from helpers import (
    CHTHONIANS,
    OLYMPIANS,
    at,
    base_of,
    eliminated,
    fights,
    happened,
    honor_changes,
    play,
    price,
    region_of,
    result,
    used,
)

from storm_p2p.storm.state import Phase


def test_zeus_is_eliminated_at_once_whoever_attacked() -> None:
    for turn, move in (("chthonians", "move 13 14"), ("olympians", "move 14 13")):
        after, events = happened(at(turn, "cronus 13, hades 10, zeus 14"), move)
        assert eliminated(after) == {"zeus"}
        assert ("cronus", "slays") in used(events)


def test_when_zeus_stood_alone_there_is_no_combat() -> None:
    after = play(at("chthonians", "cronus 13, hades 10, zeus 14"), "move 13 14")
    assert after.phase == Phase.TURN
    assert after.combat is None
    assert region_of(after, "cronus") == 14


def test_a_regular_combat_with_the_others_follows_and_who_attacked_stays_the_attacker() -> None:
    state = play(at("olympians", "cronus 13, hades 10, zeus ares 14"), "move 14 13")
    assert state.combat is not None
    assert (state.combat.attacker, state.combat.round) == (OLYMPIANS, 1)
    assert base_of(state, *fights()) == (6, 3)


def test_comrades_of_cronus_do_not_matter() -> None:
    after = play(at("chthonians", "cronus nyx 13, hades 10, zeus 14"), "move 13 14")
    assert eliminated(after) == {"zeus"}


def test_the_honor_of_the_attack_counts_the_groups_as_they_were() -> None:
    state = at("chthonians", "cronus 13, hades 10, zeus ares 14")
    assert price(state, "move 13 14 cronus") == (2, 0)
    assert honor_changes(happened(state, "move 13 14")[1], CHTHONIANS) == [(2, "attack")]


def test_entering_the_palace_he_eliminates_zeus_there() -> None:
    after = play(at("chthonians", "cronus 14, hades 10, zeus 15"), "move 14 15")
    assert eliminated(after) == {"zeus"}
    assert result(after) is None


def test_he_does_nothing_to_other_olympians() -> None:
    assert eliminated(play(at("chthonians", "cronus 13, hades 10, hera 14, zeus 15"), "move 13 14")) == set()
