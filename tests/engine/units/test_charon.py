"""Charon: each sentence of the rules is a test (docs/rules.md, "The units")."""

from __future__ import annotations

from helpers import CHTHONIANS, assert_illegal, at, eliminated, fights, is_known, legal, play, price


def test_known_he_crosses_the_styx_free() -> None:
    assert price(at("chthonians", "charon 12, hades 10", known="charon"), "move 12 13 charon") == (0, 0)


def test_hidden_he_pays() -> None:
    assert price(at("chthonians", "charon 12, hades 10"), "move 12 13 charon") == (0, -2)
    assert_illegal(at("chthonians", "charon 12, hades 10", energy=1), "move 12 13 charon", code="no-energy")


def test_known_on_a_bank_in_or_next_to_start_or_goal_he_takes_others_across() -> None:
    for region in (12, 13, 6, 7, 17, 18):
        state = at("chthonians", f"charon {region}, nyx 12, hades 10", known="charon")
        assert price(state, "move 12 13 nyx") == (0, 0), region


def test_groups_cross_free_too() -> None:
    state = at("chthonians", "charon 7, nyx hecate 12, hades 10", known="charon")
    assert price(state, "move 12 13 hecate nyx") == (-1, 0)


def test_hidden_farther_away_or_off_the_banks_he_takes_nobody() -> None:
    assert price(at("chthonians", "charon 12, nyx 12, hades 10"), "move 12 13 nyx") == (0, -2)
    assert price(at("chthonians", "charon 2, nyx 12, hades 10", known="charon"), "move 12 13 nyx") == (0, -2)
    assert price(at("chthonians", "charon 11, nyx 12, hades 10", known="charon"), "move 12 13 nyx") == (0, -2)


def test_he_takes_no_olympians_across() -> None:
    assert price(at("olympians", "charon 7, ares 13, hades 10", known="charon"), "move 13 12 ares") == (0, -2)


def test_a_free_crossing_identifies_nobody() -> None:
    state = at("chthonians", "charon nyx hecate 12, hades 10", known="charon nyx hecate")
    after = play(state, "move 12 13 nyx")
    assert not any(is_known(after, name) for name in ("charon", "nyx", "hecate"))


def test_fighting_alone_he_may_retreat_across_the_styx() -> None:
    state = at("olympians", "charon 13, hades 10, ares 14")
    state = play(state, "move 14 13", *fights("retreat 0"))
    assert set(legal(state)) == {"retreat 7", "retreat 12", "retreat 18"}
    after = play(state, "retreat 12")
    assert (after.energy[CHTHONIANS], after.honor[CHTHONIANS]) == (24, 14)


def test_with_comrades_he_may_not() -> None:
    state = at("olympians", "charon nyx 13, hades 10, ares 14")
    state = play(state, "move 14 13", *fights("retreat 0"))
    assert set(legal(state)) == {"retreat 7", "retreat 18"}


def test_the_other_rules_of_retreat_stay() -> None:
    state = at("olympians", "charon 13, hades 10, ares 14, hera 12, athena 7, zeus 18")
    after = play(state, "move 14 13", *fights("retreat 0", "standard 0"))
    # No way out: a Standard, lost to 3.
    assert eliminated(after) == {"charon"}
