"""The chat page: what is typed there is said, but no move is."""

from __future__ import annotations

import random
import time
from collections.abc import Sequence
from dataclasses import replace

import helpers
import helpers_tui as tui
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cli.console import messages
from cli.console.lines import suggest
from cli.console.messages import Control, Effect, Entered, Event, Key, NotUnderstood, Typed
from cli.console.reducer import spoke, update
from cli.console.render.screen import render
from cli.console.screen_state import Page
from cli.match.player import Happened, Heard, Placed
from cli.storm import grammar, typed, vocabulary
from cli.storm.model import StormScreen
from cli.storm.typed import reads_like_a_command
from storm_p2p.storm import engine, notation
from storm_p2p.storm.board import FACTIONS, Faction
from storm_p2p.storm.state import State
from storm_p2p.storm.units import CARDS

CHAT = "\x1b[17~"
"""The key F6."""
ESCAPE = "\x1b"


def on_chat(screen: StormScreen) -> StormScreen:
    """Return the console with its chat page open."""
    return tui.after(screen, Key("f6"))


def waiting() -> StormScreen:
    """Return the console of the Chthonians while the other side is to move."""
    state = helpers.play(tui.EXAMPLE, "liturgy")
    return tui.after(tui.begin(), Happened((), helpers.owner_view(state, Faction.CHTHONIANS)))


def said(effects: Sequence[Effect]) -> list[str]:
    """Return what is said to the other side."""
    return [effect.text for effect in effects if isinstance(effect, Control) and effect.word == "say"]


@pytest.mark.parametrize("line", ["hi there", "/hi", "draw?", "bye", "help", "resign", "y", "chat", "14", "Hera?"])
def test_what_is_typed_on_the_chat_page_is_said_and_nothing_else_is_done(line: str) -> None:
    screen, effects = tui.stepped(on_chat(waiting()), Entered(line))
    assert effects == (Control("say", line.removeprefix("/")),)
    assert screen.page is Page.CHAT
    assert screen.question is None


def test_the_prompt_and_the_hint_of_the_chat_page_say_what_enter_does() -> None:
    played = tui.play(tui.EXAMPLE, [CHAT])
    assert played.shows("say> ")
    assert played.shows("enter sends the line to the other side   esc back")
    played = tui.play(tui.EXAMPLE, [CHAT, "good luck\r"])
    assert played.match.said[:1] == ["say good luck"]
    assert played.shows("you: good luck")
    assert played.screen.page is Page.CHAT
    assert tui.play(tui.EXAMPLE, [CHAT, "\r"]).screen.page is Page.CHAT
    assert not played.match.moves


MOVES = (
    "move 14 8 eri hec", "14>9 eri hec", "14 > 9", "eri 19", "ret 1", "std 3", "std3", "hec 14", "move 14 8 ? ?",
    "m 12 13", "zug 14 8 erinnyen", "reveal hec", "r hec", "a hekate", "lose charon", "fight chthonians standard 1",
    "1 4", "place hec 14", "retreat 7", "aid none", "liturgy", "recall cer", "sneak 13 14", "eri hec", "costs eri hec",
    "note 8 maybe Zeus", "mvoe 14 8 eri hec", "move 14 8 erinnys", "rveal hec", "aufdeckn hekate", "opfern charon",
    "flucht 2", "open hades", "hilf keine", "hecate in 14", "move 14 8 eri hec!",
    "attack 5 please", "standard 3 then ok", "defence 2 i think", "stay", "block",
)  # fmt: skip


@pytest.mark.parametrize("line", MOVES)
def test_what_reads_like_a_move_is_not_said_whoever_is_to_move_and_in_the_setup(line: str) -> None:
    for start in (tui.asked(tui.EXAMPLE), waiting(), tui.after(tui.begin(), Placed()), tui.asked(tui.COMBAT)):
        screen, effects = tui.stepped(on_chat(start), Entered(line))
        assert not any(isinstance(effect, Control) for effect in effects)
        assert screen.notice[0].startswith("That looks like a move. Nothing was said and nothing was played.")
        assert screen.typed == line
        assert "esc takes the line to the board" in tui.text(screen)
        assert screen.page is Page.CHAT
        # Whoever means it says it with a stroke before it.
        assert said(tui.stepped(on_chat(start), Entered(f"/{line}"))[1]) == [line]


def test_escape_takes_a_line_that_was_not_said_to_the_board() -> None:
    played = tui.play(tui.EXAMPLE, [CHAT, "move 14 8 eri hec\r", ESCAPE + ESCAPE])
    screen = tui.after(on_chat(tui.asked(tui.EXAMPLE)), Entered("move 14 8 eri hec"), Key("escape"))
    assert (screen.page, screen.typed, screen.notice) == (None, "move 14 8 eri hec", ())
    assert screen.found.severity is not None
    assert on_chat(screen).typed == ""
    assert not played.match.said[:1]
    # A line that was begun on the board before stays there.
    screen = tui.after(on_chat(tui.after(tui.asked(tui.EXAMPLE), Typed("had"))), Entered("14 9"), Key("escape"))
    assert screen.typed == "had"


@pytest.mark.parametrize(
    "line",
    ["draw?", "bye", "help", "hello", "gl hf", "5 min", "yes", "no", "nice move", "ares?", "where is zeus", "you win",
     "see you at 10", "how are you", "back in 5", "call me at 8 pm", "move on", "take 5", "attack me", "retreat!",
     "gr8", "never lose", "10 minutes", "pass me the salt", "that was a great move", "ich spiele gleich weiter", "m8",
     "keine ahnung", "guter zug", "bin um 20 uhr da", "noch 5 minuten", "was nun?", "nach dir", "bleib da"],
)  # fmt: skip
def test_ordinary_words_are_talk(line: str) -> None:
    for faction in FACTIONS:
        assert not reads_like_a_command(line, faction)
    assert said(tui.stepped(on_chat(tui.asked(tui.EXAMPLE)), Entered(line))[1]) == [line]


@pytest.mark.parametrize("games", helpers.daily_first([2, 8]))
def test_no_action_of_a_game_is_ever_said_from_the_chat_page(games: int) -> None:
    tried = 0
    for seed in range(games):
        rng = random.Random(seed)
        for screen in tui.walk_models(seed, 12):
            state = screen.match.state
            if not screen.match.deciding or state is None:
                continue
            actions = engine.legal_actions(state, screen.match.side)
            for action in rng.sample(actions, min(6, len(actions))):
                forms = [*typed.forms(action), notation.format_action(action).replace(" ", ">", 2)]
                for line in [one + mark for one in forms for mark in ("", "!", "?")]:
                    assert said(tui.stepped(on_chat(screen), Entered(line))[1]) == []
                    tried += 1
                    if " " in line:
                        # Not even when the answer was given and the other side is awaited.
                        assert said(tui.stepped(on_chat(replace(screen, sent=True)), Entered(line))[1]) == []
    assert tried > 60 * games


WORDS = st.sampled_from(
    [*(str(number) for number in range(27)),
     *(word for card in CARDS for word in sorted(vocabulary.words_for(card.name))), "move", "m", "zug", ">", "all",
     "claim", "?", "!", "std", "ret", "chase", "att", "def", "reveal", "r", "bolt", "recall", "sneak", "drain",
     "liturgy", "pass", "lose", "to", "stay", "leave", "aid", "none", "yes", "no", "block", "fight", "chthonians",
     "random", "seal", "clear", "n", "per", "+", ","],
)  # fmt: skip
POSITIONS = (
    tui.EXAMPLE,
    tui.COMBAT,
    helpers.play(tui.COMBAT, *helpers.fights("standard 0", "standard 6")),
    helpers.play(
        helpers.at("olympians", "moirae 13, hades 10, ares 14, zeus 15", known="zeus"),
        "move 14 13 ares",
        *helpers.fights("retreat 0"),
    ),
)


@given(st.lists(WORDS, min_size=1, max_size=5), st.sampled_from(POSITIONS), st.booleans())
def test_no_text_that_the_grammar_takes_as_an_action_is_said(parts: list[str], state: State, sent: bool) -> None:
    line = " ".join(parts)
    # One word alone, as `leave` or the number of a region, is an answer only while it is asked for.
    several = sum(part.isalnum() for part in parts) > 1
    screen = replace(on_chat(tui.asked(state)), sent=sent and several)
    try:
        command = grammar.parse(line, screen.match.state, screen.match.side)
    except NotUnderstood:
        command = messages.Nothing()
    if isinstance(command, messages.Act):
        assert said(tui.stepped(screen, Entered(line))[1]) == []


@given(st.lists(WORDS, min_size=1, max_size=3))
def test_no_text_that_arranges_the_setup_is_said_meanwhile(parts: list[str]) -> None:
    line = " ".join(parts)
    screen = on_chat(tui.after(tui.begin(), Placed()))
    try:
        command = grammar.parse(line, None, screen.match.side, setting_up=True)
    except NotUnderstood:
        command = messages.Nothing()
    if isinstance(command, grammar.Arrange):
        assert said(tui.stepped(screen, Entered(line))[1]) == []


# -- two lines ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("back", ["f6", "f5", "f1"])
def test_a_move_that_was_begun_does_not_become_talk_and_comes_back(back: str) -> None:
    screen = on_chat(tui.after(tui.asked(tui.EXAMPLE), Typed("move 14 8 eri hec")))
    assert screen.typed == ""
    assert tui.stepped(screen, Entered(""))[1] == ()
    screen = tui.after(screen, Typed("good lu"), Key(back))
    assert screen.typed == "move 14 8 eri hec"
    assert on_chat(tui.after(screen, Key("escape"), Key("escape"))).typed == "good lu"


def test_the_line_of_the_board_comes_back_at_the_prompt_itself() -> None:
    played = tui.play(tui.EXAMPLE, ["move 14 9 all", CHAT, "hello\r", CHAT, "!\r"])
    assert played.match.said[:1] == ["say hello"]
    assert tui.actions(played.match)[0] == "move 14 9 erinyes hecate"


def test_a_result_over_the_chat_page_leads_back_to_it_and_to_the_line_begun_there() -> None:
    after, events = helpers.happened(tui.COMBAT, *helpers.fights("standard 4", "standard 0"))
    result = Happened(tuple(events), helpers.owner_view(after, 0))
    screen = tui.after(on_chat(tui.asked(tui.COMBAT)), Typed("one mom"), result)
    assert screen.page is Page.RESULT
    screen = tui.after(screen, Heard("sure"), Key("any"))
    assert (screen.page, screen.typed, screen.unread) == (Page.CHAT, "one mom", 0)
    assert tui.after(screen, Key("f6")).page is None


@pytest.mark.parametrize("word", ["move 14 8 eri hec", "resign"])
def test_a_question_waits_while_one_talks(word: str) -> None:
    asked = tui.after(tui.asked(tui.EXAMPLE), Entered(word))
    screen = on_chat(asked)
    assert "say> " in render(screen).prompt
    assert said(tui.stepped(screen, Entered("yes"))[1]) == ["yes"]
    returned = tui.after(screen, Entered("yes"), Key("escape"))
    assert (returned.page, returned.question, returned.typed) == (None, asked.question, "")


def test_leaving_from_the_chat_page_is_asked_at_an_empty_prompt() -> None:
    screen = tui.after(on_chat(tui.after(tui.asked(tui.EXAMPLE), Typed("14 9"))), Typed("hel"), Key("f10"))
    assert screen.question is not None
    assert (screen.page, screen.typed) == (None, "")
    stayed = tui.after(screen, Entered("n"))
    assert (stayed.page, stayed.question, stayed.typed) == (None, None, "14 9")
    assert stayed.found.marks.origin == 14
    assert on_chat(stayed).typed == "hel"


def test_a_line_that_was_begun_before_a_look_back_waits_while_one_talks() -> None:
    state, events = helpers.happened(tui.EXAMPLE, "move 14 13 erinyes")
    screen = tui.after(tui.asked(tui.EXAMPLE), Happened(tuple(events), helpers.owner_view(state, 0)))
    screen = tui.after(screen, Key("any"), Typed("who 14"), Key("f9"), Key("f6"))
    assert (screen.page, screen.typed) == (Page.CHAT, "")
    assert tui.after(screen, Key("escape")).typed == "who 14"


# -- around it ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("key", ["f5", "f6"])
def test_chat_that_was_seen_is_no_longer_new(key: str) -> None:
    heard = tui.after(tui.asked(tui.EXAMPLE), Heard("hello"))
    assert heard.unread == 1
    assert tui.after(heard, Key(key)).unread == 0
    assert tui.after(tui.asked(tui.EXAMPLE), Key(key), Heard("hello")).unread == 0
    assert spoke(heard, "hello yourself", mine=True).unread == 0


def test_say_alone_asks_for_words() -> None:
    screen, effects = tui.stepped(tui.asked(tui.EXAMPLE), Entered("say"))
    assert not said(effects)
    assert "What do you want to say?" in tui.text(screen)


def test_chat_in_the_setup_is_shown_for_its_screen_has_no_log() -> None:
    screen = tui.after(tui.begin(), Placed(), Heard("hello there"))
    assert "bob: hello there" in tui.text(screen)
    assert screen.unread == 1
    assert "you: hi bob" in tui.text(spoke(screen, "hi bob", mine=True))


def test_chat_that_stands_in_the_log_below_the_board_is_new_only_until_the_player_does_something() -> None:
    heard = tui.after(tui.asked(tui.EXAMPLE), Heard("hello there"))
    assert "bob: hello there" in tui.text(heard)
    assert "chat: 1 new" in tui.text(heard)
    assert "chat" not in tui.text(tui.after(heard, Typed("1"))).splitlines()[0]
    # A line that newer ones have driven out of the window was not seen.
    driven = replace(heard, log=(*heard.log, *(f"    line {number}" for number in range(40))))
    assert tui.after(driven, Typed("1")).unread == 1


def test_tab_offers_nothing_where_no_command_is_typed() -> None:
    screen = tui.asked(tui.EXAMPLE)
    assert suggest(screen, "mo")
    assert suggest(on_chat(screen), "mo") == []
    assert suggest(tui.after(screen, Entered("resign")), "") == []


def test_what_was_said_is_no_line_that_up_brings_back() -> None:
    assert tui.play(tui.EXAMPLE, ["who 14\r", CHAT, "hello\r", CHAT, "\x1b[A"]).screen.typed == "who 14"


def test_what_could_not_be_said_stays_at_the_prompt() -> None:
    def refuse(player: object, terminal: tui.Terminal) -> None:
        player._controls.side_channel.refuses = "Connection closed."  # type: ignore[attr-defined]  # a FakeMatch

    played = tui.play(tui.EXAMPLE, [CHAT, refuse, "hello\r"])
    assert played.screen.typed == "hello"
    assert played.shows("Connection closed.")


def test_prices_of_a_line_are_not_shown_where_it_is_talk() -> None:
    screen, _ = update(on_chat(tui.asked(tui.EXAMPLE)), Typed("move 14 8 eri hec"))
    assert screen.found.severity is None
    events: tuple[Event, ...] = (Typed("move 14 8 eri hec"), Key("f6"))
    assert tui.after(on_chat(tui.asked(tui.EXAMPLE)), *events).page is None


def test_a_long_line_without_blanks_is_shown_whole_in_every_alphabet() -> None:
    for letter in ("a", "漢", "é"):
        screen = tui.after(tui.asked(tui.EXAMPLE), Heard(letter * 300), Key("f6"))
        assert tui.text(screen).count(letter) >= 300


def test_a_flood_of_long_lines_does_not_hold_up_the_screen() -> None:
    screen = tui.asked(tui.EXAMPLE)
    for number in range(400):
        screen = tui.after(screen, Heard(f"{number}{'漢' * 390}"))
    before = time.process_time()
    for key in ("f6", "pageup", "pageup", "pagedown"):
        screen = tui.after(screen, Key(key))
        tui.text(screen)
    # It took 20 seconds when each picture measured each line anew, character by character.
    assert time.process_time() - before < 4
