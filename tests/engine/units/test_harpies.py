"""Harpies: each sentence of the rules is a test (docs/rules.md, "The units")."""

from __future__ import annotations

from helpers import assert_illegal, at, fights, is_known, legal, play, price, region_of


def test_known_they_fly_to_any_region() -> None:
    state = at("chthonians", "harpies 10, hades 11", known="harpies")
    targets = {int(text.split()[2]) for text in legal(state) if text.endswith("harpies")}
    assert targets == set(range(1, 25)) - {10}


def test_hidden_they_walk() -> None:
    state = at("chthonians", "harpies 10, zeus 15")
    assert {int(text.split()[2]) for text in legal(state) if text.startswith("move")} == {5, 11, 16}


def test_they_may_be_revealed_and_fly_in_the_same_turn() -> None:
    state = play(at("chthonians", "harpies 10, hades 11, zeus 15"), "reveal harpies", "move 10 3 harpies")
    assert region_of(state, "harpies") == 3


def test_they_fly_free_across_the_styx() -> None:
    assert price(at("chthonians", "harpies 12, hades 11", known="harpies", energy=0), "move 12 13 harpies") == (0, 0)


def test_honor_is_as_on_foot() -> None:
    state = at("chthonians", "harpies 12, hades 10, ares 14, hera athena 4", known="harpies")
    assert price(state, "move 12 20 harpies") == (0, 0)
    assert price(state, "move 12 5 harpies") == (-2, 0)
    assert price(state, "move 12 14 harpies") == (0, 0)
    assert price(state, "move 12 4 harpies") == (2, 0)


def test_on_equal_altitude_a_friendly_flight_is_backward_and_an_attack_forward() -> None:
    state = at("chthonians", "harpies 1, hades 10, ares 21", known="harpies")
    assert price(state, "move 1 11 harpies") == (-2, 0)
    assert price(state, "move 1 21 harpies") == (0, 0)


def test_comrades_are_not_carried() -> None:
    assert_illegal(at("chthonians", "harpies nyx 10, zeus 15", known="all"), "move 10 3 harpies nyx")


def test_a_flight_betrays_them_and_a_step_by_a_member_of_a_group_hides_all() -> None:
    state = at("chthonians", "harpies nyx 11, hades 10, zeus 15", known="harpies nyx")
    assert is_known(play(state, "move 11 3 harpies"), "nyx")
    walked = play(state, "move 11 12 harpies")
    assert not is_known(walked, "harpies")
    assert not is_known(walked, "nyx")


def test_they_do_not_fly_in_a_retreat() -> None:
    state = at("chthonians", "harpies 13, hades 10, ares 14", known="harpies")
    state = play(state, "move 13 14", *fights("retreat 0"))
    assert set(legal(state)) == {"retreat 8", "retreat 13", "retreat 19"}


def test_after_a_flight_from_an_adjacent_region_the_retreats_are_the_ordinary_ones() -> None:
    state = play(at("chthonians", "harpies 12, hades 10, ares 13", known="harpies"), "move 12 13 harpies")
    assert state.combat is not None
    assert state.combat.origin == 12
    assert set(legal(play(state, *fights("retreat 0")))) == {"retreat 7", "retreat 18"}


def test_after_a_flight_from_afar_they_retreat_to_any_neighbour() -> None:
    state = play(at("chthonians", "harpies 10, hades 11, ares 13", known="harpies"), "move 10 13 harpies")
    ways = set(legal(play(state, *fights("retreat 0"))))
    assert ways == {"retreat 7", "retreat 8", "retreat 14", "retreat 18", "retreat 19"}
