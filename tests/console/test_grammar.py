"""What may be typed: every legal action in canonical words and in short ones; nothing is guessed."""

from __future__ import annotations

import random

import helpers
import pytest

from cli.console import messages
from cli.console.messages import Act, Control, Match, Nothing, NotUnderstood, SubmitMode, View
from cli.storm import grammar, preview
from cli.storm.grammar import Arrange
from cli.storm.typed import forms
from console.grammar import STATE, refusal
from storm_p2p.storm import engine, notation
from storm_p2p.storm.actions import Place, Succeed
from storm_p2p.storm.board import Faction
from storm_p2p.storm.state import Phase, State
from storm_p2p.storm.units import Unit


def words_of(line: str, state: State = STATE) -> str:
    """Return an action that was typed in canonical words, with its mode."""
    faction = engine.wants(state).seats[0]  # type: ignore[union-attr]  # the game goes on
    command = grammar.parse(line, state, faction)
    assert isinstance(command, Act)
    return notation.format_action(command.action) + command.mode.value


def test_every_legal_action_can_be_typed() -> None:
    typed = set()
    for seed in range(25):
        rng = random.Random(seed)
        for state, _ in helpers.walk(rng, helpers.random_start(rng), 25):
            if state.phase == Phase.OPENING:
                continue
            actions = helpers.candidates(state)
            for action in rng.sample(actions, min(12, len(actions))):
                if isinstance(action, Place | Succeed):
                    continue
                faction = helpers.actor(state, action)
                view = helpers.owner_view(state, faction)
                for form in forms(action):
                    command = grammar.parse(form, view, faction)
                    assert isinstance(command, Act), form
                    # A claim that changes nothing is the move without it.
                    assert command.action == action, form
                    typed.add(type(action))
    assert len(typed) >= 10


@pytest.mark.parametrize(
    ("line", "action"),
    [
        ("move 14 9 erinyes hecate", "move 14 9 erinyes hecate"),
        ("m 14 9 eri hec", "move 14 9 erinyes hecate"),
        ("zug 14 9 erinnyen hekate", "move 14 9 erinyes hecate"),
        ("14>9 eri hec", "move 14 9 erinyes hecate"),
        ("14 9", "move 14 9 erinyes hecate"),
        ("m 14 9 all !", "move 14 9 erinyes hecate!"),
        ("eri 19?", "move 14 19 erinyes?"),
        ("Hec+Eri 19", "move 14 19 erinyes hecate"),
        ("had 13", "move 12 13 hades"),
        ("hades 12 13", "move 12 13 hades"),
        ("reveal cha", "reveal charon"),
        ("r cha", "reveal charon"),
        ("a charon", "reveal charon"),
        ("aufdecken ZERBERUS", "reveal cerberus"),
        ("sneak 9", "sneak 14 9"),
        ("sneak 14 9", "sneak 14 9"),
        ("liturgie", "liturgy"),
        ("LITURGY !", "liturgy!"),
        ("  cerb   8 ", "move 7 8 cerberus"),
    ],
)
def test_short_and_german_words(line: str, action: str) -> None:
    assert words_of(line) == action


@pytest.mark.parametrize("line", ["move 13 6 hermes", "hermes 6", "hermes 13 6", "13 6"])
def test_a_far_goal_of_a_lone_wanderer_gets_the_cheapest_way_of_the_list(line: str) -> None:
    state = helpers.at("olympians", "hermes 13, zeus 15, hades 2, charon 1")
    listed = [notation.format_action(action) for action in engine.legal_actions(state, Faction.OLYMPIANS)]
    (expected,) = (way for way in listed if way.startswith("move 13 ") and way.endswith(" 6 hermes"))
    assert words_of(line, state) == expected
    for move, _ in preview.costs(state, Faction.OLYMPIANS, 13, (0,)):
        assert words_of(f"move 13 {move.path[-1]}", state) == notation.format_action(move)


@pytest.mark.parametrize("line", ["move 13 6", "move 13 6 hermes zeus", "zeus 6", "move 13 6 hermes claim"])
def test_a_far_goal_of_others_gets_no_way(line: str) -> None:
    state = helpers.at("olympians", "hermes zeus 13, hades 2, charon 1")
    assert refusal(line, state, Faction.OLYMPIANS)


@pytest.mark.parametrize(
    ("line", "action"),
    [
        ("std 3", "fight chthonians standard 3"),
        ("ret 1!", "fight chthonians retreat 1!"),
        ("retreat 1", "fight chthonians retreat 1"),
        ("chase 0", "fight chthonians chase 0"),
        ("att 2", "fight chthonians attack 2"),
        ("def 2?", "fight chthonians defense 2?"),
        ("verteidigung 2", "fight chthonians defense 2"),
        ("fight std 1", "fight chthonians standard 1"),
        ("fight chthonians retreat 1", "fight chthonians retreat 1"),
        ("4 2", "fight chthonians attack 2"),
    ],
)
def test_combat_words(line: str, action: str) -> None:
    state = helpers.play(helpers.at("chthonians", "charon cronus 12, hades 10, ares 13, zeus 15"), "move 12 13")
    view = helpers.owner_view(state, 0)
    command = grammar.parse(line, view, Faction.CHTHONIANS)
    assert isinstance(command, Act)
    assert notation.format_action(command.action) + command.mode.value == action


def test_answers_in_the_other_phases() -> None:
    lose = helpers.play(
        helpers.at("chthonians", "charon cronus 12, hades 10, ares hera 13, zeus 15"),
        "move 12 13",
        *helpers.fights("standard 9"),
    )
    assert lose.phase == Phase.LOSE
    for line in ("lose ares", "ares", "lose are"):
        assert words_of(line, lose) == "lose ares"
    retreat = helpers.play(
        helpers.at("chthonians", "charon cronus 12, hades 10, ares hera 13, zeus 15"),
        "move 12 13",
        *helpers.fights("standard 0", "retreat 0"),
    )
    assert retreat.phase == Phase.RETREAT
    for line in ("14", "retreat 14", "to 14", "leave 14", "nach 14"):
        assert words_of(line, retreat) == "retreat 14"
    assert "14" in refusal("leave", retreat, Faction.OLYMPIANS)
    aid = helpers.play(helpers.at("chthonians", "charon 12, hades 10, ares 13, aphrodite 14"), "move 12 13")
    assert aid.phase == Phase.AID
    assert words_of("yes", aid) == words_of("aid aph", aid) == "aid aphrodite"
    assert words_of("aid none", aid) == words_of("no", aid) == "aid none"


def test_claims() -> None:
    river = helpers.at("olympians", "poseidon 2, demeter 22, zeus 15, hades 10")
    assert words_of("pos 7 claim", river) == "move 2 7 poseidon claim"
    assert words_of("drain 17", river) == "move 22 17 demeter claim"
    assert words_of("dem 17 drain", river) == "move 22 17 demeter claim"
    path = helpers.at("olympians", "hermes 24, zeus 15, hades 10")
    assert words_of("hermes 23 22", path) == words_of("move 24 23 22 hermes", path) == "move 24 23 22 hermes"


# -- views, talk, the match -------------------------------------------------------------------------------------


def test_views_talk_and_the_match() -> None:
    def parse(line: str) -> messages.Command:
        return grammar.parse(line, None, Faction.CHTHONIANS)

    assert parse("") == parse("   ") == Nothing()
    assert parse("?") == parse("help") == parse("hilfe") == View("help")
    assert parse("who 14") == View("who", ("14",))
    assert parse("costs eri hec") == parse("kosten eri+hec") == View("costs", ("eri", "hec"))
    assert parse("p zeu") == View("where", ("zeu",))
    assert [parse(letter) for letter in "lcot"] == [View("last"), View("clocks"), View("opponent"), View("turn")]
    assert parse("s 3") == View("scan", ("3",))
    assert parse("r") == View("repeat")
    assert parse("boa") == View("board")
    assert parse("say Hello, Bob! Ok?") == Control("say", "Hello, Bob! Ok?")
    assert parse("/Hello > you") == Control("say", "Hello > you")
    assert parse("say \x1b[2Jhi\u202e") == Control("say", "hi")
    assert parse("resign") == parse("aufgeben") == Match("resign")
    assert parse("draw") == Match("draw")
    assert parse("bye") == Match("bye")


def test_the_setup() -> None:
    def parse(line: str) -> object:
        found = grammar.parse(line, None, Faction.CHTHONIANS, setting_up=True)
        return found.command if isinstance(found, messages.Own) else found

    assert parse("hades 11") == parse("11 had") == parse("place hades 11") == Arrange("put", (Unit.HADES,), 11)
    assert parse("hades zerb") == Arrange("swap", (Unit.HADES, Unit.CERBERUS))
    for word in ("random", "clear", "mirror"):
        assert parse(word) == Arrange(word)
    assert parse("seal !") == Arrange("seal", mode=SubmitMode.ACCEPT)
    assert parse("table") == View("table")
    for line in ("move 1 2", "hades", "hades 25", "frobnicate"):
        with pytest.raises(NotUnderstood):
            parse(line)
