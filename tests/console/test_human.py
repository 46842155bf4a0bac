"""A person at the keyboard, with scripts instead of fingers: turns, answers, talk, setups, whole matches."""

import asyncio
import random
import re

import helpers
import pytest
from helpers_console import SAVED, FakeMatch, Script, play

from cli import language
from cli.console.plain import LinePlayer
from cli.match.player import Asked, Ended, Ending, Happened, Heard, Noticed, Seated
from cli.notices import Failed
from cli.storm.console import STORM
from console.typed import EXAMPLE, assert_plain, said, typed, whole_match
from protocol.core.events import Disagreement, DrawOffered
from protocol.transport import TransportError
from storm_p2p.storm import engine
from storm_p2p.storm.actions import Liturgy, Move, Reveal
from storm_p2p.storm.board import FACTIONS, Faction
from storm_p2p.storm.state import Terms
from storm_p2p.storm.units import Unit

C, O = Faction.CHTHONIANS, Faction.OLYMPIANS  # noqa: E741
CODES = sorted(
    {
        code
        for folder in ("storm_p2p", "protocol")
        for path in (helpers.ROOT / folder).glob("*.py")
        for code in re.findall(r'"([a-z]+(?:[-_][a-z]+)+)"', path.read_text(encoding="utf-8"))
    }
    - {"all-out"}
)


# -- a turn -----------------------------------------------------------------------------------------------------


def test_a_free_action_is_sent_at_once() -> None:
    match, shown = typed("charon 11!")
    assert said(match) == ["move 12 11 charon"]
    match, shown = typed("erinyes 20")
    assert said(match) == ["move 14 20 erinyes"]
    assert "Send?" not in shown
    assert "Turn 1. Your move. Honor: you 11, bob 8. Energy: you 10, bob 14." in shown


def test_who_wants_it_is_asked_before_everything() -> None:
    match, shown = typed("confirm always", "erinyes 20", "no", "erinyes 20 !")
    assert said(match) == ["move 14 20 erinyes"]
    assert "Nothing sent." in shown
    match, shown = typed("confirm always", "confirm costs", "erinyes 20")
    assert said(match) == ["move 14 20 erinyes"]
    assert "Nothing sent." not in shown


def test_a_combat_is_never_begun_without_a_question_even_where_it_is_free() -> None:
    match, shown = typed("erinyes 9", "no", "erinyes 20")
    assert said(match) == ["move 14 20 erinyes"]
    assert "Send?" in shown
    match, _ = typed("erinyes 9", "yes")
    assert said(match) == ["move 14 9 erinyes"]
    match, shown = typed("erinyes 9!")
    assert said(match) == ["move 14 9 erinyes"]
    assert "Send?" not in shown


def test_a_choice_of_a_round_is_asked_about_even_where_it_is_free() -> None:
    state = helpers.play(helpers.at("chthonians", "charon cronus 12, hades 10, ares 13, zeus 15"), "move 12 13")
    for line in ("std 0", "ret 0"):
        match, shown = typed(line, "no", state=state)
        assert said(match) == []
        assert "Send?" in shown
    match, _ = typed("std 0", "yes", state=state)
    assert said(match) == ["fight chthonians standard 0"]
    match, _ = typed("std 0!", state=state)
    assert said(match) == ["fight chthonians standard 0"]


@pytest.mark.parametrize("word", ["help", "?", "hilfe", "\x1bOP", "\x1b[11~"])
def test_help_at_a_question_explains_it_and_asks_again(word: str) -> None:
    match, shown = typed("erinyes 9", word, "yes")
    assert said(match) == ["move 14 9 erinyes"]
    assert "Nothing sent." not in shown
    assert shown.count("Send?") == 2
    match, shown = typed("resign", word, "no", "erinyes 20")
    assert said(match) == ["move 14 20 erinyes"]
    assert shown.count("You give up the match.") == 2


def test_the_language_changes_in_the_middle_of_a_match() -> None:
    try:
        _, shown = typed("lang de", "t", "lang en", "t", "erinyes 9")
    finally:
        language.choose(language.ENGLISH)
    german = shown.partition("Von hier an liest du Deutsch")[2].partition("English from here on")[0]
    assert "Ehre: du 11, bob 8" in german


def test_whoever_looks_elsewhere_is_called_and_not_for_each_turn_against_the_computer() -> None:
    def calls(computer: str) -> list[str]:
        found: list[str] = []
        player = LinePlayer("alice", STORM, lines=Script(["erinyes 9"]).screen, call=found.append)
        match = FakeMatch(player, C, random.Random(1), EXAMPLE)
        match.facts = {**match.facts, "computer": computer}
        asyncio.run(match.run(1))
        return found

    against_bob, against_the_computer = calls(""), calls("yes")
    assert against_bob[0] == "It is your turn against bob."
    assert against_bob[1:] == against_the_computer
    assert against_bob[-1].startswith("The match is not finished")


def test_a_loss_is_asked_and_no_is_the_default() -> None:
    for answer in ("no", "", "n", "nein"):
        match, shown = typed("move 14 8 eri hec", answer)
        assert said(match) == []
        assert "Honor 11 to 9." in shown
        assert "bob learns: Hecate." in shown
        assert "Nothing sent." in shown
    for answer in ("yes", "y", "ja"):
        match, _ = typed("move 14 8 eri hec", answer)
        assert said(match) == ["move 14 8 erinyes hecate"]


def test_an_exclamation_mark_accepts_the_first_grade_only() -> None:
    match, shown = typed("move 14 8 eri hec!")
    assert said(match) == ["move 14 8 erinyes hecate"]
    assert "Send?" not in shown
    poor = helpers.at("chthonians", "charon 11, hades 5, zeus 15", honor=(4, 9))
    match, shown = typed("move 11 10 charon!", "no", state=poor)
    assert said(match) == []
    assert "Honor would be 2, and at 0 you lose the game." in shown


def test_what_loses_the_game_needs_the_word_yes() -> None:
    poor = helpers.at("chthonians", "charon 11, hades 5, zeus 15", honor=(2, 9))
    for answer in ("y", "no", "ja!"):
        match, shown = typed("move 11 10 charon!", answer, state=poor)
        assert said(match) == []
        assert 'Type the word "yes"' in shown
    match, shown = typed("move 11 10 charon", "yes", state=poor)
    assert said(match) == ["move 11 10 charon"]
    assert "You lost in turn 1: you have no Honor left." in shown


def test_a_question_mark_shows_the_price_only() -> None:
    match, shown = typed("move 14 8 eri hec?", "yes")
    assert said(match) == []
    assert "Honor 11 to 9." in shown
    assert "Send?" not in shown


def test_another_command_instead_of_yes_sends_nothing() -> None:
    match, shown = typed("liturgy", "who 14", "yes")
    assert said(match) == []
    assert "Nothing sent." in shown
    assert "yours: Erinyes known to bob" in shown


def test_a_wrong_action_changes_nothing_and_costs_nothing() -> None:
    match, shown = typed("hades 24", "move 14 9 zeus", "frobnicate", "liturgy!")
    assert said(match) == ["liturgy"]
    assert shown.count("Not possible") == 2
    assert match.state.honor == (9, 8)


def test_revealing_comes_before_the_action() -> None:
    match, _ = typed("reveal charon", "yes", "charon 13", "yes", most=2)
    assert said(match) == ["reveal charon", "move 12 13 charon"]
    assert match.moves[0] == Reveal(12, 0, Unit.CHARON)
    assert match.state.energy == (10, 14)


def test_a_script_waits_for_the_effect_of_its_answer() -> None:
    script = Script(["liturgy!", "turn"])
    player = LinePlayer("alice", STORM, lines=script.screen)

    async def run() -> None:
        view = helpers.owner_view(EXAMPLE, C)
        player.tell(Seated(C, EXAMPLE.terms, "bob", FakeMatch(player, C, random.Random(1), EXAMPLE).controls))
        player.tell(Happened((), view))
        action = await player.ask(Asked(view))
        assert isinstance(action, Liturgy)
        state, events = engine.play(view, action)
        for _ in range(5):
            await asyncio.sleep(0)
        assert script.shown.count("Honor: you") == 1
        player.tell(Happened(events, state))
        assert "Turn 2. Waiting for bob. Honor: you 9" in script.shown
        await player.close()

    asyncio.run(run())


# -- other phases -----------------------------------------------------------------------------------------------


def test_a_combat_is_fought_to_its_end() -> None:
    state = helpers.at("chthonians", "charon cronus 12, hades 10, ares hera 13, zeus 15")
    match, shown = typed("move 12 13 all!", "std 9", "no", "std 9!", most=4, state=state)
    assert said(match) == ["move 12 13 charon cronus", "fight chthonians standard 9"]
    assert "not allowed" not in shown
    assert "all-out attack, honor -2" in shown
    assert "Nothing can be changed after sealing." in shown


def test_help_next_door_is_asked_whether_or_not_there_is_any_so_that_no_delay_tells() -> None:
    with_her = helpers.at("chthonians", "cerberus 12, hades 10, ares 13, aphrodite 14, zeus 15")
    without = helpers.at("chthonians", "cerberus 12, hades 10, ares 13, athena 14, zeus 15")
    match, shown = typed("aid none", state=helpers.play(with_her, "move 12 13"), faction=O)
    assert said(match) == ["aid none"]
    assert "Should Aphrodite help from next door?" in shown
    match, shown = typed("no", state=helpers.play(without, "move 12 13"), faction=O, most=2)
    assert said(match)[0] == "aid none"
    assert "None of your units there can, so the answer is no." in shown


def test_the_answers_to_a_thunderbolt_are_listed() -> None:
    state = helpers.play(helpers.at("olympians", "zeus 14, hecate cerberus 13, hades 10"), "bolt 13")
    match, shown = typed("lose hec claim!", state=state)
    assert said(match) == ["lose hecate claim"]
    assert "A thunderbolt hits 13. Which unit is eliminated?" in shown
    assert "lose hecate (free)" in shown
    assert "lose hecate claim (energy +6)" in shown


# -- talk, the match, leaving -------------------------------------------------------------------------------------


def test_chat_draw_and_resignation() -> None:
    match, _ = typed("say Good luck!", "/and fun", "draw", "yes", "resign", "y", "resign", "yes")
    assert match.said == ["say Good luck!", "say and fun", "draw", "resign"]


def test_a_draw_on_offer_is_accepted_or_declined() -> None:
    script = Script(["accept", "yes", "decline"])
    player = LinePlayer("alice", STORM, lines=script.screen)

    async def run() -> FakeMatch:
        match = FakeMatch(player, C, random.Random(1), EXAMPLE)
        running = asyncio.create_task(match.run(1))
        await asyncio.sleep(0)
        player.tell(Noticed(DrawOffered(1, 1)))
        await running
        return match

    match = asyncio.run(run())
    assert match.said == ["accept"]
    assert "bob offers a draw." in script.shown
    assert "Type accept or decline." in script.shown


def test_a_control_that_refuses_says_why() -> None:
    script = Script(["draw", "yes", "liturgy!"])
    match = FakeMatch(LinePlayer("a", STORM, lines=script.screen), C, random.Random(1), EXAMPLE)
    match.refuses = "expected a match that is going on"
    asyncio.run(match.run(1))
    assert "expected a match that is going on" in script.shown
    assert said(match) == ["liturgy"]


def test_the_end_of_input_leaves_and_says_where_the_match_is() -> None:
    match, shown = typed("board")
    assert match.said == ["leave"]
    assert f"It is saved in {SAVED}; storm-p2p resume 7c1f continues it." in shown
    assert shown.count(SAVED) == 1
    assert shown.count("You have left.") == 1
    match, _ = typed("bye", "liturgy!")
    assert match.said == ["leave"]
    assert said(match) == []


def test_hostile_names_chat_and_sentences_are_cleaned() -> None:
    script = Script(["liturgy!"])
    player = LinePlayer("alice", STORM, lines=script.screen)
    match = FakeMatch(player, C, random.Random(1), EXAMPLE, opponent="\x1b[2Jb\u202eo\u200bb\n")
    asyncio.run(match.run(1))
    player.tell(Heard("\x1b]0;owned\x07hello\rthere\x9b31m"))
    player.tell(Noticed(Failed(TransportError("bad-frame", "expected \x1b[31mthis, got\u2066 that\n"))))
    player.tell(Ended(Ending("olympians", "mis\x1bbehaviour", False, "/tmp/\x1bx", ("a\x07b",))))
    assert "bob says: hello there" in script.shown
    assert_plain(script.shown)


def test_a_disagreement_of_the_programs_is_said_with_what_is_saved_and_without_a_way_to_go_on() -> None:
    script = Script(["liturgy!"])
    player = LinePlayer("alice", STORM, lines=script.screen)
    match = FakeMatch(player, C, random.Random(1), EXAMPLE, opponent="bob")
    asyncio.run(match.run(1))
    before = len(script.shown)
    sentence = f"expected the state {'ab' * 32} after envelope 7, got {'cd' * 32}"
    player.tell(Noticed(Disagreement("states_differ", sentence, b"", recorded=True)))
    player.tell(Ended(Ending(None, "unfinished", False, "logs/x.storm", held="logs/x.position.json")))
    shown = " ".join(script.shown[before:].split())
    assert "A message from bob names a different position" in shown
    assert "nobody is accused" in shown
    assert "logs/x.storm" in shown
    assert "logs/x.position.json" in shown
    assert "resume" not in shown
    assert "abab" not in shown


# -- the setup ----------------------------------------------------------------------------------------------------


SETUP = ["hades 11", "per 1", "cer 5", "cro 6", "hec 10", "hyp 12", "eri 16", "moi 17", "har 21"]


def test_a_setup_by_hand() -> None:
    lines = ["cro 1", "zeus 3", "seal", *SETUP, "nyx 21", "hades cerberus", "hades per", "seal", "no", "seal", "yes"]
    script = Script(lines)
    match = play(LinePlayer("alice", STORM, lines=script.screen), C, terms=Terms(), most=0)
    stand = {Unit(group[0].unit or 0): region for region, group in enumerate(match.state.sides[C]) if region and group}
    assert stand == {
        Unit.HADES: 1,
        Unit.PERSEPHONE: 5,
        Unit.CERBERUS: 11,
        Unit.CRONUS: 6,
        Unit.HECATE: 10,
        Unit.HYPNOS: 12,
        Unit.ERINYES: 16,
        Unit.MOIRAE: 17,
        Unit.NYX: 21,
    }
    assert "Hades has to be among the nine" in script.shown
    assert "You play the Chthonians, and Zeus is not one of them." in script.shown
    assert "9 of 9 placed." in script.shown


def test_a_random_setup_is_another_one_each_time() -> None:
    found = set()
    for seed in range(3):
        script = Script(["random", "seal!"])
        player = LinePlayer("alice", STORM, lines=script.screen, dice=random.Random(seed))
        match = play(player, O, terms=Terms(), most=0)
        found.add(str(match.state.sides[O]))
    assert len(found) == 3


# -- whole matches --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(8))
def test_a_whole_match_is_typed(seed: int) -> None:
    match, screen = whole_match(seed, FACTIONS[seed % 2])
    assert match.state.outcome is not None
    assert len(match.moves) > 5
    assert any(isinstance(action, Move) for action in match.moves)
    shown = "\n".join(screen.lines)
    assert re.search(r"(You won|You lost|A draw) in turn \d+", shown)
    assert_plain(shown)
    # No code of the engine or the protocol is shown, only sentences.
    assert not [code for code in CODES if re.search(rf"(?<![\w-]){code}(?![\w-])", shown)]
