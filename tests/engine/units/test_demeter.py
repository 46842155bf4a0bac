"""Demeter: each sentence of the rules is a test (docs/rules.md, "The units")."""

from __future__ import annotations

from helpers import assert_illegal, assert_legal, at, base_of, eliminated, fights, is_known, legal, play, price, result

from storm_p2p.storm.state import Phase


def test_ending_her_move_alone_in_an_empty_underworld_region_she_takes_3_energy() -> None:
    state = at("olympians", "demeter 22, hades 10", energy=(24, 10))
    assert price(state, "move 22 17 demeter claim") == (0, 3)
    after = play(state, "move 22 17 demeter claim")
    assert after.energy == (21, 13)
    assert is_known(after, "demeter")


def test_she_takes_no_more_than_there_is() -> None:
    after = play(at("olympians", "demeter 22, hades 10", energy=(2, 10)), "move 22 17 demeter claim")
    assert after.energy == (0, 12)


def test_it_is_optional_and_unclaimed_she_stays_hidden() -> None:
    after = play(at("olympians", "demeter 22, hades 10"), "move 22 17 demeter")
    assert after.energy == (24, 24)
    assert not is_known(after, "demeter")


def test_it_works_in_the_underworld_only() -> None:
    assert_illegal(at("olympians", "demeter 23, hades 10"), "move 23 22 demeter claim", code="no-claim")


def test_it_does_not_work_with_comrades_before_or_after_the_move() -> None:
    state = at("olympians", "demeter ares 22, hera 21, hades 10")
    assert_illegal(state, "move 22 17 ares demeter claim", "move 22 21 demeter claim", code="no-claim")
    assert_legal(state, "move 22 17 demeter claim")


def test_it_does_not_work_after_an_attack_or_a_retreat() -> None:
    assert_illegal(at("olympians", "demeter 22, nyx 17, hades 10"), "move 22 17 demeter claim", code="no-claim")
    state = play(at("olympians", "demeter 17, nyx 22, hades 10"), "move 17 22", *fights("standard 0", "retreat 0"))
    assert set(legal(state)) == {"retreat 17", "retreat 18", "retreat 21"}
    assert play(state, "retreat 17").energy == (24, 24)


def test_the_drain_does_not_pay_for_the_styx() -> None:
    state = at("olympians", "demeter 18, hades 10", energy=(24, 0))
    assert_illegal(state, "move 18 17 demeter claim", code="no-energy")


def test_meeting_persephone_both_are_eliminated_at_once_whoever_attacked() -> None:
    for turn, move in (("olympians", "move 14 13"), ("chthonians", "move 13 14")):
        after = play(at(turn, "demeter 14, persephone 13, hades 10"), move)
        assert eliminated(after) == {"demeter", "persephone"}
        assert result(after) is None
        assert after.phase == Phase.TURN


def test_persephone_cannot_be_recalled_after_that() -> None:
    after = play(at("olympians", "demeter 14, persephone 13, hades 10"), "move 14 13")
    assert not any(text.startswith("recall") for text in legal(after))
    assert after.gone


def test_it_happens_in_the_palace_too_before_anybody_wins() -> None:
    state = at("chthonians", "persephone 14, hades 10, demeter 15")
    after = play(state, "move 14 15")
    assert eliminated(after) == {"demeter", "persephone"}
    assert result(after) is None


def test_the_others_fight_on() -> None:
    state = at("chthonians", "persephone nyx 13, hades 10, demeter ares 14")
    after = play(state, "move 13 14")
    assert after.phase == Phase.FIGHT
    assert base_of(after, *fights()) == (4, 3)


def test_both_leaders_enter_her_palace_and_hades_remains_and_wins() -> None:
    after = play(at("chthonians", "persephone hades 14, demeter 15"), "move 14 15")
    assert eliminated(after) == {"demeter", "persephone"}
    assert result(after) == ("chthonians", "palace")


def test_when_persephone_was_the_last_leader_the_olympians_win() -> None:
    after = play(at("chthonians", "persephone 13, nyx 10, demeter 14", eliminated="hades"), "move 13 14")
    assert result(after) == ("olympians", "leaders")
