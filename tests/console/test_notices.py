"""What happens beside the game and a player is told of: each notice has its sentence, its place and its call."""

from __future__ import annotations

import random

import helpers_tui as tui
import pytest
from helpers_console import FakeMatch

from cli.console.messages import Ring
from cli.console.seats import Watched
from cli.match.player import Clocks, Noticed, Seated
from cli.notices import Failed, LineBack, LineLost, LineTried, NetworkChanged, OtherRules, PortAsked, WitnessSilent
from cli.storm.console import STORM
from cli.storm.model import Model
from cli.storm.notices import DealingBegun, Dealt, DealtAgain, Illegal, Proved, StormNotice
from cli.storm.players import RobotPlayer
from cli.storm.text import story
from protocol.core import events
from protocol.core.clock import Difference
from protocol.core.messages import Break
from protocol.errors import LocalProtocolError
from protocol.game import Mix, Mixed
from protocol.transport import TransportError
from storm_p2p.storm.board import FACTIONS, Faction
from storm_p2p.storm.bots import BOTS
from storm_p2p.storm.errors import IllegalAction
from storm_p2p.storm.state import Terms
from storm_p2p.storm.units import Unit

LEARNED = "expected this, got that"


def said(notice: StormNotice, *, seat: int = 0) -> str:
    """Return what the player of a seat is told about bob."""
    return story.notice(Model(STORM, FACTIONS[seat], Terms(), "bob", clocks=Clocks(60, 60, None)), notice)


@pytest.mark.parametrize(
    ("notice", "logged", "noticed", "calls"),
    [
        (LineLost(calls=True), True, True, True),
        (WitnessSilent(), True, True, True),
        (events.DrawOffered(1, 1), True, True, True),
        (Failed(TransportError("closed", LEARNED)), True, True, True),
        # A call that is tried again and again calls nobody, and fills no log.
        (LineTried(4, 8.0), False, True, False),
        (PortAsked(4711), True, False, False),
        (NetworkChanged(), True, False, False),
        (Dealt(Faction.CHTHONIANS, 2), True, False, False),
        (Proved(Mix((24, 25), ((26, 27),), (0,)), Mixed()), True, False, False),
        (DealtAgain(Faction.CHTHONIANS, Unit.HADES, 3), False, False, False),
        (DealingBegun(), False, False, False),
    ],
    ids=lambda value: type(value).__name__ if not isinstance(value, bool) else "",
)
def test_the_type_of_a_notice_says_where_it_stands_and_whether_it_calls(
    notice: StormNotice, logged: bool, noticed: bool, calls: bool
) -> None:
    before = tui.asked(tui.EXAMPLE)
    screen, effects = tui.stepped(before, Noticed(notice))
    assert (len(screen.log) > len(before.log)) == logged
    assert (screen.notice != before.notice) == noticed
    assert any(isinstance(effect, Ring) for effect in effects) == calls


@pytest.mark.parametrize("code", ["forked", "not_now", "own_foul", "elsewhere"])
def test_a_match_that_stops_accuses_nobody_whatever_the_reason(code: str) -> None:
    told = said(events.Disagreement(code, LEARNED, b""))
    assert "Nobody is accused and nobody has won." in told
    assert code not in told
    assert LEARNED not in told


def test_misbehaviour_is_that_of_whose_program_it_was() -> None:
    found = events.PeerMisbehaved("illegal_decision", LEARNED, 1, 7, (), {})
    assert said(found).startswith("bob's program broke the rules")
    assert said(found, seat=1).startswith("Your program broke the rules")


def test_a_break_and_a_difference_of_times_are_told_as_ones_own_or_the_others() -> None:
    assert said(events.GoneOn(1)).startswith("bob goes on")
    assert said(events.GoneOn(1), seat=1).startswith("The break is over")
    differ = events.TimesDiffer(Difference(3, 1, 60, 90))
    assert said(differ).startswith("bob says they took 1 minute; your clock says 1 minute 30 seconds.")
    assert said(differ, seat=1).startswith("Your program says you took 1 minute;")


def test_an_error_is_told_by_what_it_means() -> None:
    assert said(Failed(TransportError("closed", LEARNED))) == "Connection closed."
    assert said(Failed(LocalProtocolError("not_our_decision", "this", "that"))) == "Expected this, got that."
    assert said(events.Damaged("bad_frame", LEARNED)) == "Something is damaged and was not used."
    assert said(Illegal(IllegalAction("no-energy", LEARNED))).endswith("liturgy brings Energy.")
    assert "plays by different rules" in said(OtherRules("\x1b[2J"))


def test_whoever_watches_a_program_play_is_told_the_same_as_a_player(capsys: pytest.CaptureFixture[str]) -> None:
    robot = RobotPlayer("robot", BOTS["random"], 1)
    watched = Watched(robot, STORM)
    match = FakeMatch(watched, Faction.CHTHONIANS, random.Random(1), tui.EXAMPLE)
    watched.tell(Seated(Faction.CHTHONIANS, Terms(), "bob", match.controls))
    for notice in (events.BreakProposed(1, 1, Break.PAUSE), LineBack()):
        watched.tell(Noticed(notice))
    shown = capsys.readouterr().err.splitlines()
    assert shown == [
        "bob proposes a pause until one of you goes on. Type accept or decline.",
        "Connected to bob again; the match goes on.",
    ]
    assert match.said == ["reject"]
