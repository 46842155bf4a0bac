"""Persephone: each sentence of the rules is a test (docs/rules.md, "The units")."""

from __future__ import annotations

from helpers import assert_illegal, assert_legal, at, eliminated, fights, is_known, legal, play, price, result

from storm_p2p.storm.state import Phase


def test_alone_a_chase_does_not_stop_her_retreat() -> None:
    state = play(at("olympians", "persephone 13, hades 10, ares athena 14"), "move 14 13")
    after = play(state, "fight chthonians retreat 0", "fight olympians chase 4")
    assert after.phase == Phase.RETREAT
    assert eliminated(play(after, "retreat 18")) == set()


def test_with_a_comrade_the_chase_stops_her() -> None:
    state = play(at("olympians", "persephone nyx 13, hades 10, ares poseidon 14"), "move 14 13")
    after = play(state, *fights("retreat 0", "chase 6"))
    assert after.phase == Phase.LOSE


def test_alone_she_may_retreat_to_any_neighbour_also_as_attacker() -> None:
    defending = play(at("olympians", "persephone 13, hades 10, ares 14"), "move 14 13", *fights("retreat 0"))
    assert set(legal(defending)) == {f"retreat {region}" for region in (7, 8, 14, 18, 19)}
    attacking = play(at("chthonians", "persephone 13, hades 10, ares 14"), "move 13 14", *fights("retreat 0"))
    assert set(legal(attacking)) == {f"retreat {region}" for region in (8, 9, 13, 15, 19, 20)}


def test_the_styx_enemies_and_the_limit_still_bar_the_way() -> None:
    state = at("olympians", "persephone 13, hades 10, ares 14, hera 8, zeus 19, nyx charon hecate moirae 18")
    state = play(state, "move 14 13", *fights("retreat 0"))
    assert set(legal(state)) == {"retreat 7", "retreat 14"}


def test_hermes_does_not_take_the_free_direction() -> None:
    state = play(at("olympians", "persephone 13, hades 10, hermes 14"), "move 14 13", *fights("retreat 0"))
    assert "retreat 14" in legal(state)


def test_with_a_comrade_she_has_the_ordinary_ways() -> None:
    state = play(at("olympians", "persephone nyx 13, hades 10, ares 14"), "move 14 13", *fights("retreat 0"))
    assert set(legal(state)) == {"retreat 7", "retreat 18"}


def test_when_hades_is_eliminated_she_leads_and_may_recall_but_not_him() -> None:
    state = at("chthonians", "persephone 11, zeus 15", eliminated="hades nyx")
    assert_legal(state, "recall nyx")
    assert_illegal(state, "recall hades", code="no-recall")
    assert price(state, "recall nyx") == (0, -10)


def test_while_hades_lives_she_does_not_recall() -> None:
    state = at("chthonians", "persephone 11, hades 12, zeus 15", eliminated="nyx", known="persephone")
    assert is_known(play(state, "recall nyx"), "hades")
    assert not any(text.startswith("recall") for text in legal(at("chthonians", "persephone 11", eliminated="nyx")))


def test_her_fall_loses_the_game_when_hades_is_gone() -> None:
    state = at("olympians", "persephone nyx 13, ares zeus 14", eliminated="hades", known="persephone")
    after = play(state, "move 14 13", *fights(), "lose persephone")
    assert result(after) == ("olympians", "leaders")


def test_her_fall_loses_nothing_while_hades_lives() -> None:
    state = at("olympians", "persephone nyx 13, hades 10, ares zeus 14")
    assert result(play(state, "move 14 13", *fights(), "lose persephone")) is None


def test_reaching_the_palace_she_wins_even_while_hades_lives() -> None:
    after = play(at("chthonians", "persephone 14, hades 10, zeus 15"), "move 14 15")
    assert result(after) == ("chthonians", "palace")


def test_hades_dies_in_a_combat_and_she_is_opened_where_she_stands() -> None:
    state = at("olympians", "hades nyx 13, persephone 5, ares zeus 14")
    after = play(state, "move 14 13", *fights(), "lose hades")
    assert is_known(after, "persephone")
    assert after.phase == Phase.FIGHT


def test_she_was_eliminated_before_hades_and_the_olympians_win() -> None:
    state = at("olympians", "hades nyx 13, ares zeus 14", eliminated="persephone")
    assert result(play(state, "move 14 13", *fights(), "lose hades")) == ("olympians", "leaders")
