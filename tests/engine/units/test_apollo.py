"""Apollo: each sentence of the rules is a test (docs/rules.md, "The units")."""

from __future__ import annotations

from helpers import assert_illegal, assert_legal, at, fights, is_known, legal, play, price


def test_known_he_flies_to_any_region() -> None:
    state = at("olympians", "apollo 15, hades 10", known="apollo")
    targets = {int(text.split()[2]) for text in legal(state) if text.startswith("move")}
    assert targets == set(range(1, 25)) - {15}


def test_hidden_he_walks() -> None:
    state = at("olympians", "apollo 15, hades 10")
    assert {int(text.split()[2]) for text in legal(state) if text.startswith("move")} == {9, 14, 20}
    assert_legal(play(state, "reveal apollo"), "move 15 3 apollo")


def test_he_flies_free_across_the_styx() -> None:
    state = at("olympians", "apollo 13, hades 10", known="apollo", energy=0)
    assert price(state, "move 13 12 apollo") == (0, 0)
    assert_illegal(at("olympians", "apollo 13, hades 10", energy=0), "move 13 12 apollo", code="no-energy")


def test_only_he_himself_flies() -> None:
    assert_illegal(at("olympians", "apollo ares 15, hades 10", known="all"), "move 15 3 apollo ares")


def test_his_flights_cost_double() -> None:
    state = at("olympians", "apollo 13, hades 10", known="apollo")
    # Forward is free; backward 2, doubled.
    assert price(state, "move 13 11 apollo") == (0, 0)
    assert price(state, "move 13 15 apollo") == (-4, 0)


def test_a_friendly_flight_on_equal_altitude_counts_as_backward() -> None:
    assert price(at("olympians", "apollo 1, hades 10", known="apollo"), "move 1 11 apollo") == (-4, 0)


def test_an_attack_in_flight_on_equal_altitude_counts_as_forward() -> None:
    assert price(at("olympians", "apollo 1, nyx 11", known="apollo"), "move 1 11 apollo") == (0, 0)


def test_friendly_steps_to_a_neighbour_are_not_doubled() -> None:
    state = at("olympians", "apollo 13, hades 10", known="apollo")
    assert price(state, "move 13 14 apollo") == (-2, 0)


def test_penalties_of_attacks_are_doubled_for_his_whole_group() -> None:
    state = at("olympians", "apollo ares hermes 14, nyx 13, hades 10")
    assert price(state, "move 14 13 apollo ares hermes") == (-8, 0)
    assert price(state, "move 14 13 ares hermes") == (-2, 0)
    backward = at("olympians", "apollo 13, nyx 14, hades 10")
    assert price(backward, "move 13 14 apollo") == (-2, 0)


def test_bonuses_are_not_doubled() -> None:
    state = at("olympians", "apollo 14, nyx moirae 13, hades 10")
    assert price(state, "move 14 13 apollo") == (2, 0)


def test_in_combat_every_loss_of_honor_of_his_side_is_doubled() -> None:
    state = play(at("olympians", "apollo ares 14, nyx moirae 13, hades 10"), "move 14 13")
    assert price(state, "fight olympians defense 0") == (-4, 0)
    assert price(state, "fight olympians standard 5") == (-2, -5)
    retreating = play(state, *fights("standard 0", "retreat 0"))
    assert price(retreating, "retreat 14") == (-4, 0)


def test_the_enemy_pays_the_ordinary_price() -> None:
    state = play(at("olympians", "apollo 14, nyx 13, hades 10"), "move 14 13")
    assert price(state, "fight chthonians defense 5") == (-3, -5)


def test_flying_is_not_possible_in_a_retreat() -> None:
    state = at("olympians", "apollo 15, nyx 14, hades 10", known="apollo")
    state = play(state, "move 15 14 apollo", *fights("standard 0", "retreat 0"))
    assert set(legal(state)) == {"retreat 9", "retreat 15", "retreat 20"}


def test_after_a_flight_from_afar_both_sides_may_retreat_anywhere_next_door() -> None:
    state = at("olympians", "apollo 24, nyx 14, hades 10", known="apollo")
    state = play(state, "move 24 14 apollo")
    assert state.combat is not None
    assert state.combat.origin is None
    for choices in (fights("retreat 0"), fights("standard 0", "retreat 0")):
        ways = {int(text.split()[1]) for text in legal(play(state, *choices))}
        assert ways == {8, 9, 13, 15, 19, 20}


def test_a_flight_betrays_him_and_hides_nobody() -> None:
    state = play(at("olympians", "apollo ares 15, hades 10", known="all"), "move 15 3 apollo")
    assert is_known(state, "apollo")
    assert is_known(state, "ares")


def test_after_his_death_in_a_chase_the_rest_pays_the_ordinary_price() -> None:
    state = at("olympians", "apollo ares 14, cronus cerberus 13, hades 10")
    state = play(state, "move 14 13", *fights("chase 6", "retreat 0"), "lose apollo")
    assert price(state, "retreat 14") == (-2, 0)
