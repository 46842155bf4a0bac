"""Aphrodite: each sentence of the rules is a test (docs/rules.md, "The units")."""

from __future__ import annotations

from helpers import assert_legal, at, base_of, fights, is_known, legal, play

from storm_p2p.storm.state import Phase


def test_male_comrades_have_2_more_in_her_combat() -> None:
    state = at("chthonians", "nyx 13, hades 10, aphrodite ares athena 14")
    assert base_of(state, "move 13 14", *fights()) == (4, 2 + (3 + 2) + 4)


def test_male_enemies_have_3_less_in_her_combat() -> None:
    state = at("chthonians", "cronus nyx 13, hades 10, aphrodite 14")
    assert base_of(state, "move 13 14", *fights()) == (6 - 3 + 4, 2)


def test_no_unit_is_pushed_below_0() -> None:
    state = at("chthonians", "charon nyx 13, hades 10, aphrodite 14")
    assert base_of(state, "move 13 14", *fights()) == (0 + 4, 2)


def test_the_males_are_seven_olympians_and_five_chthonians() -> None:
    ours = {"zeus": 6, "dionysus": 4, "apollo": 3, "hermes": 3, "ares": 3, "poseidon": 5, "hephaestus": 3}
    others = {"hera": 3 + 3, "artemis": 4, "athena": 4, "demeter": 2}
    for name, strength in {**ours, **others}.items():
        bonus = 2 if name in ours else 0
        bonus += 5 if name == "hephaestus" else 0
        state = at("chthonians", f"nyx 13, hades 10, aphrodite {name} 14")
        assert base_of(state, "move 13 14", *fights()) == (4, 2 + strength + bonus), name
    enemies = {"hades": 5, "cronus": 6, "hypnos": 2, "thanatos": 3, "charon": 2}
    women = {"cerberus": 5, "hecate": 3, "nyx": 4, "erinyes": 4, "moirae": 3, "harpies": 2, "persephone": 3}
    for name, strength in {**enemies, **women}.items():
        left = max(0, strength - 3) if name in enemies else strength
        state = at("chthonians", f"{name} 13, aphrodite 14")
        assert base_of(state, "move 13 14", *fights("chase 0"))[0] == left, name


def test_from_next_door_she_gives_the_2_and_is_revealed() -> None:
    state = play(at("chthonians", "cronus 13, hades 10, ares 14, aphrodite 15"), "move 13 14")
    assert state.phase == Phase.AID
    assert_legal(state, "aid none", "aid aphrodite")
    helped = play(state, "aid aphrodite")
    assert is_known(helped, "aphrodite")
    # Enemies lose nothing.
    assert base_of(helped, *fights()) == (6, 3 + 2)
    assert base_of(state, "aid none", *fights()) == (6, 3)


def test_the_question_comes_before_the_choices_in_every_round() -> None:
    state = play(at("chthonians", "cronus moirae 13, hades 10, ares athena 14, aphrodite 15"), "move 13 14", "aid none")
    state = play(state, "fight chthonians defense 0", "fight olympians standard 0")
    assert state.phase == Phase.AID


def test_known_next_door_she_helps_by_herself() -> None:
    state = at("chthonians", "cronus 13, hades 10, ares 14, aphrodite 15", known="aphrodite")
    after = play(state, "move 13 14")
    assert after.phase == Phase.FIGHT
    assert base_of(after, *fights()) == (6, 5)


def test_from_farther_away_and_for_females_she_does_nothing() -> None:
    far = at("chthonians", "cronus 13, hades 10, ares 14, aphrodite 4", known="aphrodite")
    assert base_of(far, "move 13 14", *fights()) == (6, 3)
    females = play(at("chthonians", "cronus 13, hades 10, artemis 14, aphrodite 15"), "move 13 14")
    assert females.phase == Phase.FIGHT


def test_nobody_is_asked_when_no_hidden_olympian_next_door_can_be_her() -> None:
    state = at("chthonians", "cronus 13, hades 10, ares 14, zeus 15, aphrodite 4", known="aphrodite")
    assert play(state, "move 13 14").phase == Phase.FIGHT


def test_another_hidden_olympian_next_door_is_asked_but_cannot_help() -> None:
    state = play(at("chthonians", "cronus 13, hades 10, ares 14, zeus 15, aphrodite 4"), "move 13 14")
    assert state.phase == Phase.AID
    assert set(legal(state)) == {"aid none"}


def test_she_also_helps_males_that_attack() -> None:
    state = play(at("olympians", "cronus 13, hades 10, ares 14, aphrodite 8"), "move 14 13", "aid aphrodite")
    assert base_of(state, *fights()) == (6, 5)
