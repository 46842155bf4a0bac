"""Athena: each sentence of the rules is a test (docs/rules.md, "The units")."""

from __future__ import annotations

from helpers import OLYMPIANS, assert_illegal, assert_legal, at, happened, honor_changes, legal, play, price


def test_in_the_first_round_the_chthonians_choose_first_and_openly() -> None:
    state = play(at("chthonians", "nyx moirae 13, hades 10, athena ares 14"), "move 13 14")
    assert_illegal(state, "fight olympians standard 0", code="not-your-choice")
    state = play(state, "fight chthonians chase 3")
    assert {text.split()[1] for text in legal(state)} == {"olympians"}


def test_it_does_not_matter_who_attacks() -> None:
    state = play(at("olympians", "nyx moirae 14, hades 10, athena ares 13"), "move 13 14")
    assert_illegal(state, "fight olympians standard 0", code="not-your-choice")


def test_later_rounds_are_simultaneous() -> None:
    state = play(at("chthonians", "nyx moirae 13, hades 10, athena ares 14"), "move 13 14")
    state = play(state, "fight chthonians standard 0", "fight olympians defense 0")
    assert state.combat is not None
    assert state.combat.round == 2
    assert_legal(state, "fight chthonians standard 0", "fight olympians standard 0")


def test_without_her_both_choose_at_once() -> None:
    state = play(at("chthonians", "nyx moirae 13, hades 10, athena 4, ares 14"), "move 13 14")
    assert_legal(state, "fight chthonians standard 0", "fight olympians standard 0")


def test_in_open_combat_attacking_she_reverses_the_order_and_the_bonus_stays() -> None:
    state = at("olympians", "nyx 14, hades 10, athena 13", terms={"open_combat": True})
    after, events = happened(state, "move 13 14")
    # Backward against an equal number: -1 and +1.
    assert honor_changes(events, OLYMPIANS) == []
    assert_illegal(after, "fight olympians standard 0", code="not-your-choice")
    forward = at("olympians", "nyx 13, hades 10, athena 14", terms={"open_combat": True})
    assert price(forward, "move 14 13 athena") == (1, 0)


def test_in_open_combat_defending_she_adds_nothing() -> None:
    state = play(at("chthonians", "nyx 13, hades 10, athena 14", terms={"open_combat": True}), "move 13 14")
    assert_illegal(state, "fight olympians standard 0", code="not-your-choice")
    attacked_by_others = play(at("olympians", "nyx 14, hades 10, ares 13", terms={"open_combat": True}), "move 13 14")
    assert_illegal(attacked_by_others, "fight chthonians standard 0", code="not-your-choice")
