"""Hermes: each sentence of the rules is a test (docs/rules.md, "The units")."""

from __future__ import annotations

from helpers import (
    OLYMPIANS,
    assert_illegal,
    assert_legal,
    at,
    eliminated,
    fights,
    happened,
    honor_changes,
    is_known,
    legal,
    play,
    price,
    region_of,
    result,
    used,
)


def test_alone_he_may_take_any_number_of_steps() -> None:
    state = at("olympians", "hermes 24, hades 10")
    assert_legal(state, "move 24 23 22 hermes")
    assert region_of(play(state, "move 24 23 22 17 11 hermes"), "hermes") == 11


def test_the_second_step_reveals_him_and_the_first_does_not() -> None:
    state = at("olympians", "hermes 24, hades 10")
    assert not is_known(play(state, "move 24 23 hermes"), "hermes")
    assert is_known(play(state, "move 24 23 22 hermes"), "hermes")


def test_each_step_is_charged_for_itself() -> None:
    state = at("olympians", "hermes 13, hades 10")
    after, events = happened(state, "move 13 14 9 8 7 hermes")
    assert honor_changes(events, OLYMPIANS) == [(-2, "move"), (-2, "move")]
    assert after.honor[OLYMPIANS] == 12


def test_each_crossing_of_the_styx_costs_2_energy() -> None:
    state = at("olympians", "hermes 13, hades 10")
    after = play(state, "move 13 12 7 hermes")
    assert after.energy[OLYMPIANS] == 20
    assert_illegal(at("olympians", "hermes 13, hades 10", energy=(24, 3)), "move 13 12 7 hermes", code="no-energy")


def test_he_stops_where_anybody_stands() -> None:
    state = at("olympians", "hermes 24, ares 23, nyx 18, hades 10")
    assert_illegal(state, "move 24 23 22 hermes", code="path-occupied")
    assert_legal(state, "move 24 19 23 hermes")
    assert_illegal(state, "move 24 19 18 17 hermes", code="path-occupied")


def test_the_last_step_may_be_an_attack_from_the_region_before() -> None:
    state = play(at("olympians", "hermes 24, nyx 18, hades 10"), "move 24 23 18 hermes")
    assert state.combat is not None
    assert (state.combat.region, state.combat.origin) == (18, 23)


def test_he_may_leave_comrades_and_come_by_again() -> None:
    state = at("olympians", "hermes ares 24, hades 10", known="all")
    after = play(state, "move 24 23 19 14 hermes")
    assert is_known(after, "hermes")
    assert is_known(after, "ares")
    assert_legal(at("olympians", "hermes 24, hades 10"), "move 24 23 22 hermes")
    assert region_of(play(at("olympians", "hermes 24, hades 10"), "move 24 23 22 23 hermes"), "hermes") == 23


def test_with_comrades_he_takes_one_step() -> None:
    assert_illegal(at("olympians", "hermes ares 24, hades 10"), "move 24 23 22 ares hermes", code="no-path")


def test_no_other_unit_takes_more_than_one_step() -> None:
    assert_illegal(at("olympians", "ares 24, hades 10"), "move 24 23 22 ares", code="no-path")


def test_he_can_lose_the_game_on_the_way() -> None:
    state = at("olympians", "hermes 13, hades 10", honor=(16, 2))
    after = play(state, "move 13 14 9 hermes")
    assert result(after) == ("chthonians", "honor")
    assert region_of(after, "hermes") == 14


def test_of_his_paths_the_cheapest_to_each_region_is_listed() -> None:
    state = at("olympians", "hermes 15, hades 10")
    paths = [text for text in legal(state) if len(text.split()) > 4]
    goals = [text.split()[-2] for text in paths]
    assert len(goals) == len(set(goals))
    assert "move 15 9 4 hermes" in paths
    assert price(state, "move 15 9 4 hermes") == (0, 0)


def test_in_a_chase_he_holds_a_lone_persephone() -> None:
    state = play(at("olympians", "hermes 14, persephone 13, hades 10"), "move 14 13")
    after, events = happened(state, *fights("retreat 0", "chase 6"))
    assert ("hermes", "holds_slippery") in used(events)
    assert eliminated(after) == {"persephone"}


def test_his_comrades_do_not_matter_for_that() -> None:
    state = play(at("olympians", "hermes ares 14, persephone 13, hades 10"), "move 14 13")
    after = play(state, *fights("retreat 0", "chase 6"))
    assert eliminated(after) == {"persephone"}
