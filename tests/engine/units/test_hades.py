"""Hades: each sentence of the rules is a test (docs/rules.md, "The units")."""

from __future__ import annotations

from helpers import (
    CHTHONIANS,
    OLYMPIANS,
    assert_illegal,
    assert_legal,
    at,
    eliminated,
    fights,
    is_known,
    legal,
    play,
    price,
    region_of,
    result,
)


def test_instead_of_moving_he_recalls_an_eliminated_unit_for_10_energy() -> None:
    state = at("chthonians", "hades 11, zeus 15", eliminated="nyx charon")
    assert price(state, "recall nyx") == (0, -10)
    after = play(state, "recall nyx")
    assert region_of(after, "nyx") == 10
    assert eliminated(after) == {"charon"}
    assert (after.honor, after.energy[CHTHONIANS], after.turn) == ((16, 16), 14, OLYMPIANS)


def test_the_recall_reveals_him_and_the_one_who_returns() -> None:
    after = play(at("chthonians", "hades 11, zeus 15", eliminated="nyx"), "recall nyx")
    assert is_known(after, "hades")
    assert is_known(after, "nyx")


def test_it_needs_an_eliminated_chthonian() -> None:
    state = at("chthonians", "hades 11, zeus 15, nyx 10", eliminated="hera")
    assert not any(text.startswith("recall") for text in legal(state))
    assert_illegal(state, "recall nyx", "recall hera", "recall charon", code="no-recall")


def test_it_needs_10_energy() -> None:
    assert_illegal(at("chthonians", "hades 11", eliminated="nyx", energy=9), "recall nyx", code="no-recall")


def test_it_needs_tartarus_free_of_enemies() -> None:
    assert_illegal(at("chthonians", "hades 11, ares 10", eliminated="nyx"), "recall nyx", code="no-recall")


def test_it_needs_fewer_than_4_chthonians_in_tartarus() -> None:
    state = at("chthonians", "hades 11, charon moirae hecate harpies 10", eliminated="nyx")
    assert_illegal(state, "recall nyx", code="no-recall")


def test_he_may_recall_persephone_unless_demeter_took_her() -> None:
    assert_legal(at("chthonians", "hades 11", eliminated="persephone"), "recall persephone")
    assert_illegal(at("chthonians", "hades 11", eliminated="demeter", gone="persephone"), "recall persephone")


def test_a_unit_may_fall_and_return_more_than_once() -> None:
    state = play(at("chthonians", "hades 12, ares zeus 11", eliminated="nyx"), "recall nyx")
    state = play(state, "move 11 10", *fights())
    assert eliminated(state) == {"nyx"}
    state = play(state, "move 12 18 hades", "move 10 5")
    assert_legal(state, "recall nyx")


def test_reaching_the_palace_he_wins_when_he_is_opened() -> None:
    state = at("chthonians", "hades 14, zeus 4")
    assert result(play(state, "move 14 15 hades claim")) == ("chthonians", "palace")
    assert result(play(state, "move 14 15 hades")) is None


def test_enemies_in_the_palace_do_not_prevent_it() -> None:
    after = play(at("chthonians", "hades 14, zeus 15"), "move 14 15 hades")
    assert result(after) == ("chthonians", "palace")


def test_known_he_wins_without_a_claim() -> None:
    after = play(at("chthonians", "hades 14, zeus 4", known="hades"), "move 14 15 hades")
    assert result(after) == ("chthonians", "palace")


def test_hidden_in_the_palace_he_may_be_revealed_there_later() -> None:
    state = play(at("chthonians", "hades 14, zeus 4"), "move 14 15 hades", "move 4 8 zeus", "reveal hades")
    assert result(state) == ("chthonians", "palace")


def test_the_way_to_the_palace_must_be_paid_first() -> None:
    state = at("chthonians", "hades nyx 14, zeus 4", honor=(1, 16))
    assert result(play(state, "move 14 15 hades nyx claim")) == ("olympians", "honor")


def test_when_he_falls_without_persephone_selected_the_olympians_win() -> None:
    state = play(at("olympians", "hades 13, zeus 14, nyx 10"), "move 14 13", *fights())
    assert result(state) == ("olympians", "leaders")


def test_when_he_falls_persephone_is_opened_and_leads() -> None:
    state = play(at("olympians", "hades 13, zeus 14, persephone 10"), "move 14 13", *fights())
    assert result(state) is None
    assert is_known(state, "persephone")
