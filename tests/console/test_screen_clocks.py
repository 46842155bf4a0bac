"""Clocks, breaks and claims at the full-screen console."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace

import helpers
import helpers_tui as tui
import pytest
from helpers_console import FakeMatch

from cli.console import lines, pages, screen_state
from cli.console.messages import Control, Entered, Ring
from cli.console.render.screen import render
from cli.console.render.spans import plain
from cli.console.shell.app import ScreenPlayer
from cli.match.player import Clocks, Noticed
from cli.notices import Claimable, TimeShort
from cli.storm.model import StormScreen
from cli.storm.players import RobotPlayer
from cli.text import clocks, screens
from cli.text.wording import fill
from protocol.core.events import BreakProposed, Claimed, DrawOffered
from protocol.core.messages import Break, Ground
from storm_p2p.storm.board import Faction
from storm_p2p.storm.bots import BOTS
from storm_p2p.storm.state import State

CLAIMABLE = Claimable(Ground.TIME, 1300)
CLAIMED = Claimed(1, 1, Ground.ABSENCE, (700, 0), proved=False)


@pytest.mark.parametrize(
    ("running", "shown"),
    [(True, "you 12:41 <-  bob 9:03"), (False, "you 12:41  bob 9:03 <-"), (None, "|| you 12:41  bob 9:03")],
)
def test_the_clocks_stand_above_the_panel_and_move_nothing_else(running: bool | None, shown: str) -> None:
    screen = tui.asked(tui.EXAMPLE)
    timed = replace(screen, match=screen_state.clocked(screen.match, Clocks(761, 543, running)))
    before, after = tui.rows(render(screen), ""), tui.rows(render(timed), "")
    different = [(old, new) for old, new in zip(before, after, strict=True) if old != new]
    assert len(different) == 1
    assert shown in different[0][1]


@pytest.mark.usefixtures("spoken")
@pytest.mark.parametrize("running", [True, False, None])
@pytest.mark.parametrize("seconds", [3761, 86_399 * 3])
def test_both_clocks_are_whole_in_a_small_window_however_long_they_are(running: bool | None, seconds: int) -> None:
    screen = tui.asked(tui.EXAMPLE)
    timed = replace(screen, match=screen_state.clocked(screen.match, Clocks(seconds, seconds, running)))
    assert tui.text(timed).splitlines()[1].count(clocks.face(seconds)) == 2


def test_the_clocks_stand_in_the_frame_of_the_combat_window() -> None:
    state = helpers.at("chthonians", "charon cronus 12, hades 10, ares hera 13, zeus 15")
    screen = tui.asked(helpers.play(state, "move 12 13 charon cronus"))
    timed = replace(screen, match=screen_state.clocked(screen.match, Clocks(761, 543, True)))
    before, after = tui.rows(render(screen), ""), tui.rows(render(timed), "")
    different = [new for old, new in zip(before, after, strict=True) if old != new]
    assert len(different) == 1
    assert different[0].startswith(" \u2514\u2500\u2500 you 12:41 <-  bob 9:03 \u2500\u2500\u2500")


@pytest.mark.parametrize("word", ["adjourn", "continue", "pause"])
def test_words_about_breaks_are_used_at_once(word: str) -> None:
    assert Control(word) in tui.stepped(tui.asked(tui.EXAMPLE), Entered(word))[1]


@pytest.mark.parametrize("word", ["claim", "concede"])
def test_a_claim_and_a_concession_need_the_whole_word(word: str) -> None:
    screen = tui.after(tui.asked(tui.EXAMPLE), Noticed(CLAIMABLE), Noticed(CLAIMED), Entered(word))
    assert Control(word) not in tui.stepped(screen, Entered("y"))[1]
    assert Control(word) in tui.stepped(screen, Entered("yes"))[1]


def test_accept_answers_a_proposed_break_without_a_question() -> None:
    screen = tui.after(tui.asked(tui.EXAMPLE), Noticed(BreakProposed(1, 1, Break.PAUSE)))
    assert Control("accept") in tui.stepped(screen, Entered("accept"))[1]
    assert Control("accept") not in tui.stepped(tui.asked(tui.EXAMPLE), Entered("accept"))[1]


def test_every_word_reaches_the_match_through_a_terminal() -> None:
    def claimed(player: ScreenPlayer, terminal: tui.Terminal) -> None:
        player.tell(Noticed(CLAIMED))
        player.tell(Noticed(CLAIMABLE))

    typed: list[str | Callable[[ScreenPlayer, tui.Terminal], None]] = [
        "pause\r",
        "continue\r",
        "adjourn\r",
        claimed,
        "deny\r",
        "claim\r",
        "yes\r",
    ]
    played = tui.play(tui.EXAMPLE, typed)
    assert [one for one in played.match.said if one != "leave"] == [
        "propose pause",
        "go on",
        "propose adjournment",
        "deny",
        "claim",
    ]


def test_the_screen_does_not_tell_whoever_proposes_what_is_proposed_to_wait() -> None:
    model = tui.after(tui.asked(tui.EXAMPLE), Noticed(BreakProposed(1, 1, Break.PAUSE))).match
    match = FakeMatch(RobotPlayer("bob", BOTS["random"], 1), Faction.CHTHONIANS, random.Random(1), tui.EXAMPLE)
    for same, said in ((True, ""), (False, clocks.proposal_sent("bob", Break.PAUSE, clock=False))):
        match.same_proposed = same
        assert lines.use_control(Control("pause"), model, match.controls) == same
        after, shown = lines.control_used("pause", model, told_anyway=same)
        assert shown == said
        # A proposal of the other stays open until it is answered.
        assert after.break_offered
    assert not lines.control_used("accept", model, told_anyway=False)[0].break_offered


def test_what_the_player_says_about_the_match_stands_in_the_log_as_well() -> None:
    model = tui.after(tui.asked(tui.EXAMPLE), Noticed(DrawOffered(1, 1))).match
    declined, shown = lines.control_used("decline", model, told_anyway=False)
    assert pages.show_view(declined, "log", ("1",)) == [f"    {shown}"]
    assert "Declined" in shown
    assert lines.control_used("pause", model, told_anyway=True)[0] is model
    played = tui.play(tui.EXAMPLE, ["draw\r", "yes\r", "\x1b[15~"])
    assert played.shows("    You offer a draw. bob can accept or decline it")


def test_an_offer_to_claim_is_shown() -> None:
    screen = tui.after(tui.asked(tui.EXAMPLE), Noticed(Claimable(Ground.TIME, 61)))
    assert "time is up" in " ".join(screen.notice)


@pytest.mark.usefixtures("spoken")
@pytest.mark.parametrize("state", [tui.EXAMPLE, tui.COMBAT], ids=["board", "combat"])
def test_the_own_time_that_runs_out_is_told_by_colour_word_sentence_and_bell(state: State) -> None:
    def low(mine: int, running: bool | None) -> StormScreen:
        screen = tui.asked(state)
        return replace(screen, match=screen_state.clocked(screen.match, Clocks(mine, 543, running)))

    def looks(screen: StormScreen) -> tuple[bool, bool]:
        rows = render(screen).above
        coloured = any(style == "warn" and "9:03" in text for row in rows for style, text in row)
        assert screen.match.clocks is not None
        return coloured, fill(screens.TIME_SHORT, time=clocks.face(screen.match.clocks.mine)) in plain(rows[0])

    assert looks(low(60, True)) == (True, True)
    assert looks(low(61, True)) == looks(low(20, False)) == looks(low(20, None)) == (False, False)
    screen, effects = tui.stepped(low(20, True), Noticed(TimeShort(20)))
    assert len(screen.notice) == 1
    assert effects == (Ring(screen.notice[0], urgent=True),)
    # An open question hides what was answered, and not the head.
    assert looks(tui.after(low(20, True), Entered("resign"))) == (True, True)


def test_a_bell_is_rung_when_the_time_runs_out_although_none_was_chosen() -> None:
    bells = []

    def short(player: ScreenPlayer, terminal: tui.Terminal) -> None:
        bells.append(terminal.bells)
        player.tell(Noticed(TimeShort(0)))
        bells.append(terminal.bells)

    def bad_news(player: ScreenPlayer, terminal: tui.Terminal) -> None:
        player.tell(Noticed(CLAIMED))
        bells.append(terminal.bells)

    played = tui.play(tui.EXAMPLE, [short, bad_news])
    assert bells == [0, 1, 1]
    assert not played.match.moves
