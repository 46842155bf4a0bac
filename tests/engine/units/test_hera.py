"""Hera: each sentence of the rules is a test (docs/rules.md, "The units")."""

from __future__ import annotations

from helpers import assert_illegal, at, base_of, eliminated, fights, is_known, play, price, region_of, result

from storm_p2p.storm.state import Phase


def test_she_has_3_more_for_each_comrade_in_the_combat() -> None:
    attack = ("move 13 14 nyx", *fights())
    assert base_of(at("chthonians", "nyx 13, hades 10, hera 14"), *attack) == (4, 3)
    assert base_of(at("chthonians", "nyx 13, hades 10, hera athena 14"), *attack) == (4, 3 + 3 + 4)
    assert base_of(at("chthonians", "nyx 13, hades 10, hera athena artemis 14"), *attack) == (4, 3 + 6 + 8)


def test_the_bonus_is_recounted_when_a_comrade_is_gone() -> None:
    state = at("chthonians", "cronus cerberus 13, hades 10, hera athena 14")
    after = play(state, "move 13 14", *fights(), "lose athena")
    assert base_of(after, *fights()) == (11, 3)


def test_enemies_are_no_comrades() -> None:
    assert base_of(at("chthonians", "nyx moirae 13, hera 14"), "move 13 14", *fights()) == (7, 3)


def test_when_zeus_is_eliminated_she_may_throw_thunderbolts_on_the_same_terms() -> None:
    state = at("olympians", "hera 14, nyx 13, hades 10", eliminated="zeus")
    assert price(state, "bolt 13") == (-1, -6)
    after = play(state, "bolt 13", "lose nyx")
    assert is_known(after, "hera")
    assert eliminated(after) == {"zeus", "nyx"}


def test_she_throws_from_her_own_region() -> None:
    assert_illegal(at("olympians", "hera 15, nyx 13", eliminated="zeus"), "bolt 13", code="no-target")


def test_her_strength_stays_hers_when_she_throws() -> None:
    state = at("chthonians", "nyx 13, hera 14", eliminated="zeus", known="hera")
    assert base_of(state, "move 13 14", *fights()) == (4, 3)


def test_cronus_does_not_eliminate_her() -> None:
    after = play(at("chthonians", "cronus 13, hades 10, hera 14", eliminated="zeus"), "move 13 14")
    assert after.phase == Phase.FIGHT
    assert region_of(after, "hera") == 14


def test_her_fall_ends_nothing() -> None:
    after = play(at("chthonians", "cronus 13, hades 10, hera 14", eliminated="zeus"), "move 13 14", *fights())
    assert eliminated(after) == {"zeus", "hera"}
    assert result(after) is None
