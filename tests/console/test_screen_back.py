"""Looking back while the match goes on: the player's own view, step by step, and back to the present moment."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace

import helpers
import helpers_tui as tui
import pytest

from cli.console import messages, pages
from cli.console.messages import ChangeConsole, Entered, Key, NotUnderstood, SetLine, Settled, Typed
from cli.console.render.screen import render
from cli.console.render.spans import line_width, plain
from cli.console.screen_state import Page
from cli.console.shell.app import ScreenPlayer
from cli.match.player import Asked, Clocks, Ended, Ending, Happened, Heard
from cli.storm import grammar, viewing
from cli.storm.model import StormScreen
from storm_p2p.storm import engine, notation
from storm_p2p.storm.board import OTHER, Faction
from storm_p2p.storm.state import State

ME = Faction.CHTHONIANS
MOVES = ("move 12 11 charon", "liturgy", "move 14 9 erinyes", "aid none", *helpers.fights("standard 0", "standard 0"))


def played(*moves: str, size: tuple[int, int] = tui.SIZES[0]) -> tuple[StormScreen, State]:
    """Return the console after moves of both sides from the example, and the state with open cards."""
    state = tui.EXAMPLE
    screen = tui.asked(state, size)
    for words in moves:
        state, events = engine.play(state, notation.parse_action(words, state))
        screen = tui.after(screen, Happened(events, helpers.owner_view(state, ME)))
        if screen.page == Page.RESULT:
            screen = tui.after(screen, Key("any"))
    return screen, state


def keys(screen: StormScreen, *names: str) -> StormScreen:
    return tui.after(screen, *(Key(name) for name in names))


@pytest.mark.usefixtures("spoken")
def test_looking_back_looks_like_this() -> None:
    screen, _ = played(*MOVES[:3])
    screen = tui.after(
        replace(screen, match=replace(screen.match, clocks=Clocks(761, 543, False))), Key("f9"), Key("left")
    )
    tui.assert_picture("back", 80, tui.text(screen))


def test_a_step_back_shows_the_board_of_then_and_escape_shows_now() -> None:
    screen, _ = played(*MOVES[:2])
    now = tui.text(screen)
    back = keys(screen, "f9")
    assert "step 2 of 2" in tui.text(back)
    first = keys(back, "left")
    shown = tui.text(first)
    assert "step 1 of 2" in shown
    assert "you: Charon moves 12 > 11" in shown
    assert "bob: liturgy" not in shown
    for key in ("escape", "q", "f9"):
        again = keys(first, key)
        assert again.replay is None
        assert tui.text(again) == now
    assert keys(back, "home", "end").replay == back.replay


def test_it_jumps_to_a_step_a_combat_and_a_turn() -> None:
    screen, _ = played(*MOVES)
    first = keys(screen, "f9", "home")
    fought = keys(first, "c").replay
    assert fought is not None
    assert fought.step is not None
    assert any(type(event).__name__ == "CombatBegan" for event in fought.step.events)
    there = keys(first, "g", "3", "enter").replay
    assert there is not None
    assert there.at == 2
    assert "There are no more." in tui.text(keys(first, "end", "c"))
    turned = keys(first, "t").replay
    assert turned is not None
    assert turned.at == 1


def test_what_was_typed_comes_back_and_no_letter_reaches_it() -> None:
    screen, _ = played(*MOVES[:2])
    screen, effects = tui.stepped(tui.after(screen, Typed("hades 1")), Key("f9"))
    assert effects == (SetLine(""),)
    assert screen.typed == ""
    screen, effects = tui.stepped(keys(screen, "left", "v", "b", "#", "4"), Key("escape"))
    assert effects == (SetLine("hades 1"),)
    assert screen.typed == "hades 1"


def test_a_look_back_from_the_chat_page_leads_back_to_it_with_both_lines() -> None:
    screen, _ = played(*MOVES[:2])
    screen = tui.after(screen, Typed("hades 1"), Key("f6"), Typed("well pl"))
    back = tui.after(screen, Key("f9"), Key("left"))
    assert back.typed == ""
    again = tui.after(back, Key("escape"))
    assert (again.page, again.typed) == (Page.CHAT, "well pl")
    assert tui.after(again, Key("f6")).typed == "hades 1"


def test_the_words_for_it_begin_where_they_say() -> None:
    screen, _ = played(*MOVES[:3])
    for line, at in (("replay", 2), ("rueckblick 1", 0), ("replay 2", 1)):
        found = tui.after(screen, Entered(line)).replay
        assert found is not None
        assert found.at == at
        assert tui.after(screen, Entered(line), Key("escape")).typed == ""
    assert "The steps are 1 to 3" in tui.after(screen, Entered("replay 4")).notice[1]
    assert tui.after(tui.begin(), Key("f9")).notice == ("Nothing has happened yet.",)


def test_an_open_question_waits_and_no_key_answers_it() -> None:
    screen = tui.after(played("move 12 11 charon", "liturgy")[0], Asked(tui.EXAMPLE))
    screen = tui.after(screen, Entered("liturgy"))
    assert screen.question is not None
    back, effects = tui.stepped(keys(screen, "f9"), Key("enter"))
    assert effects == ()
    assert keys(back, "y").question == screen.question
    assert keys(back, "escape").question == screen.question


def test_what_happens_meanwhile_is_in_the_head_and_a_step_more() -> None:
    screen, state = played(*MOVES[:1])
    back = keys(tui.after(screen, Settled()), "f9")
    assert "waiting for bob" in tui.text(back).splitlines()[0]
    state, events = engine.play(state, notation.parse_action("liturgy", state))
    view = helpers.owner_view(state, ME)
    back = tui.after(back, Happened(events, view), Asked(view), Heard("your turn"))
    shown = tui.text(back)
    head = shown.splitlines()[0]
    assert "YOUR MOVE" in head
    assert "step 1 of 2" in head
    assert "chat: 1 new" in head
    assert "you: Charon moves 12 > 11" in shown
    present = keys(back, "escape")
    assert present.match.deciding
    assert any("bob: liturgy" in line for line in present.log)


def test_the_result_of_a_combat_waits_until_the_look_back_ends() -> None:
    screen, state = played(*MOVES[:5])
    back = keys(screen, "f9")
    for words in MOVES[5:]:
        state, events = engine.play(state, notation.parse_action(words, state))
        back = tui.after(back, Happened(events, helpers.owner_view(state, ME)))
    assert back.page == Page.REPLAY
    present = keys(back, "escape")
    assert present.page == Page.RESULT
    assert keys(present, "any").page is None


def test_the_end_is_told_in_the_head_and_seen_after_it() -> None:
    screen, _ = played(*MOVES[:2])
    back = tui.after(keys(screen, "f9"), Ended(Ending("olympians", "honor", True, None)))
    assert back.page == Page.REPLAY
    assert "THE END" in tui.text(back).splitlines()[0]
    assert keys(back, "escape").page == Page.OVER


def test_another_function_key_ends_it_and_does_what_it_does() -> None:
    screen, _ = played(*MOVES[:2])
    assert keys(screen, "f9", "f6").page == Page.CHAT
    _, effects = tui.stepped(keys(screen, "f9"), Key("f7"))
    assert any(isinstance(effect, ChangeConsole) for effect in effects)
    assert keys(screen, "f9", "f10").question is not None
    assert not keys(screen, "f9", "mouse").settings.mouse


def test_both_clocks_stay_in_sight() -> None:
    screen, _ = played(*MOVES[:2], size=tui.SIZES[1])
    screen = replace(screen, match=replace(screen.match, clocks=Clocks(761, 543, True)))
    shown = tui.text(keys(screen, "f9"))
    assert "\u2500\u2500 what happened | you 12:41 <-  bob 9:03 \u2500\u2500" in shown


@pytest.mark.usefixtures("spoken")
def test_the_longest_name_cuts_no_word_of_ours_in_the_head() -> None:
    screen, _ = played(*MOVES[:2])
    model = replace(screen.match, opponent="W" * 24, clocks=Clocks(45_296, 45_296, False), line_down=True)
    shown = tui.text(keys(tui.after(replace(screen, match=model, unread=12), Settled()), "f9"))
    head = shown.splitlines()[0]
    assert "12:34:56 <-" in shown
    assert ".. |" in head
    assert head.split(" | ")[-1] in ("chat: 12 new", "Chat: 12")


def test_nothing_is_seen_that_the_player_did_not_know() -> None:
    rng = random.Random(11)
    for seed in range(4):
        state, screen = helpers.random_start(random.Random(seed)), None
        for before, action in helpers.walk(random.Random(seed), state, 40):
            after, events = engine.play(before, action)
            if screen is None:
                screen = tui.begin(faction=ME, terms=before.terms)
            screen = tui.after(screen, Happened(events, helpers.owner_view(after, ME)))
        assert screen is not None
        for step, entry in zip(pages.steps(screen.match), screen.match.entries, strict=True):
            assert step.state == entry.after
            assert isinstance(step.state, State)
            enemies = [token for group in step.state.sides[OTHER[ME]] for token in group]
            assert all(token.known for token in enemies if token.unit is not None)
        back = keys(screen, "any", "any", "any", "f9")
        if back.replay is not None:
            at = rng.randrange(back.replay.last + 1)
            frame = render(replace(back, replay=replace(back.replay, at=at)))
            assert [line_width(plain(row)) for row in (*frame.above, *frame.below)] == [80] * 23


def test_keys_of_the_terminal_reach_the_look_back_and_the_prompt_is_untouched() -> None:
    lines: list[str] = []

    def look(player: ScreenPlayer, terminal: tui.Terminal) -> None:
        assert player._console is not None
        lines.append(f"{player.screen.replay.at if player.screen.replay else None} {player._console.buffer.text}")

    steps: list[str | Callable[[ScreenPlayer, tui.Terminal], object]] = [
        "charon 11!\r", "hades 1", look, "\x1b[20~", look, "\x1b[D", look, "g1", look, "\r", look, "\x1b[C", look,
        "x\x1b[200~pasted\x1b[201~\t", look, "\x1b[A", look, "\x1b[20~", look,
    ]  # fmt: skip
    tui.play(tui.EXAMPLE, steps, most=3)
    shown = [line for line in lines if not line.startswith("None")]
    assert lines[0] == lines[-1] == "None hades 1"
    assert all(line.split(" ", 1)[1] == "" for line in shown)
    assert [line.split()[0] for line in shown] == ["1", "0", "0", "0", "1", "1", "0"]


def test_plain_lines_tell_how_many_steps_there_are_and_any_of_them() -> None:
    screen, _ = played(*MOVES[:3])
    model = screen.match
    said = viewing.show(model, "replay", ())
    assert said[0].startswith("The match has 3 steps so far. replay 3 shows the last one")
    told = viewing.show(model, "replay", ("1",))
    assert told[0].startswith("Step 1 of 3, turn ")
    assert "you: Charon moves 12 > 11" in told[1]
    assert any(line.startswith("11: yours: Charon") for line in told)
    for wrong in ("0", "4", "x", "\u00b2"):
        with pytest.raises(NotUnderstood, match="The steps are 1 to 3"):
            viewing.show(model, "replay", (wrong,))
    assert grammar.parse("nachspielen 2", None, ME) == messages.View("replay", ("2",))
