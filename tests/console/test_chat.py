"""What both have said is there again when a match is taken up, in its place among what has happened."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path
from typing import cast

import pytest
from helpers_console import Answering, FakeMatch, seated
from helpers_storm import StormPair

from cli.console import messages, screen_state
from cli.console.plain import LinePlayer
from cli.match.match import EventForwarder
from cli.match.player import Heard, MatchEvent, Remark, notices_to
from cli.match.timekeeping import Timekeeper
from cli.storm.console import STORM
from cli.storm.players import StormParticipant
from cli.text import screens
from protocol.core.events import ChatReceived
from protocol.core.messages import Break
from protocol.record.journal import Journal
from storm_p2p.storm import engine
from storm_p2p.storm.board import Faction
from storm_p2p.storm.state import Terms


class Kept:
    """A journal of which nothing but its place is asked."""

    path = Path("7c1f.match")

    def read_kept(self, name: str) -> None:
        """Return nothing: no computer plays here."""

    read_word = read_kept


def resumed(pair: StormPair, seat: int) -> tuple[LinePlayer, Answering]:
    """Return the player of a seat after a restart of its program, and what it was shown."""
    session = pair.restored(seat)
    screen = Answering(lambda: None)
    player = LinePlayer("alice", STORM, lines=screen)
    journal = cast(Journal, Kept())
    clock = Timekeeper(session, journal, notices_to(player), lambda line: None)
    forwarder = EventForwarder(session, journal, StormParticipant(player), clock, lambda line: None, lambda place: None)
    match = FakeMatch(player, Faction(seat), random.Random(1), engine.new_game(pair.terms))
    forwarder.begin(match.controls)
    return player, screen


def test_the_chat_of_both_is_in_the_log_in_its_order_after_a_restart() -> None:
    pair, chance = StormPair(), random.Random(3)
    host, guest = pair.sessions
    host.side_channel.chat("good luck")
    pair.settle()
    while pair.view(0).number < 2:
        asked = pair.asked
        assert asked is not None
        pair._decide(asked, chance)
        pair.settle()
    guest.side_channel.chat("a bold \U0001f600 move")
    pair.settle()
    for seat in (0, 1):
        player, screen = resumed(pair, seat)
        names = ("you", pair.sessions[1 - seat].agreement.players[1 - seat].name)
        said = [f"    {names[seat]}: good luck", f"    {names[1 - seat]}: a bold \U0001f600 move"]
        player._handle(messages.Entered("log 999"))
        lines = screen.written[-1]
        found = [lines.index(line) for line in said]
        assert found == [0, len(lines) - 1]
        player._handle(messages.Entered("chat"))
        assert list(screen.written[-1]) == [line.strip() for line in said]


def test_a_line_of_which_nothing_can_be_shown_is_not_shown() -> None:
    pair = StormPair()
    host, guest = pair.sessions
    guest.side_channel.chat("\ufe0f")
    pair.settle()
    player, screen = resumed(pair, 0)
    player._handle(messages.Entered("chat"))
    assert list(screen.written[-1]) == [str(screens.NO_CHAT)]
    heard: list[MatchEvent] = []
    player = LinePlayer("alice", STORM, lines=Answering(lambda: None))
    player.tell = heard.append  # type: ignore[method-assign, assignment]
    clock = Timekeeper(host, cast(Journal, Kept()), notices_to(player), lambda line: None)
    forwarder = EventForwarder(
        host, cast(Journal, Kept()), StormParticipant(player), clock, lambda line: None, lambda place: None
    )
    for text in ("\ufe0f", "\U0001f44d\ufe0f"):
        forwarder.follow(ChatReceived(1, text))
    assert heard == [Heard("\U0001f44d\ufe0f")]


def test_what_was_said_and_offered_before_the_first_setup_is_there_after_a_restart() -> None:
    pair = StormPair()
    host, guest = pair.sessions
    host.side_channel.chat("good luck")
    guest.side_channel.offer_draw()
    guest.side_channel.propose(Break.PAUSE)
    pair.settle()
    _, screen = resumed(pair, 0)
    shown = "\n".join(screen.lines)
    assert "good luck" in shown
    name = host.agreement.players[1].name
    assert f"{name} offers a draw." in shown
    assert f"{name} proposes a pause until one of you goes on." in shown
    # A match that has only just begun is told as one.
    _, fresh = resumed(StormPair(), 0)
    assert "goes on" not in "\n".join(fresh.lines)


def test_a_match_that_was_left_while_units_were_dealt_goes_on_there() -> None:
    pair = StormPair(Terms(random_setup=True))
    asked = pair.asked
    assert asked is not None
    pair._decide(asked, random.Random(3))
    pair.settle()
    _, screen = resumed(pair, 0)
    assert "goes on" in "\n".join(screen.lines)


def test_what_a_muted_opponent_has_said_does_not_come_back_with_the_match() -> None:
    muted = replace(STORM.begin_match(seated(Faction(0), Terms(), "bob")), muted=True)
    said = (Remark(0, True, "good luck"), Remark(0, False, "rude"), Remark(1, False, "ruder"))
    state = engine.new_game(Terms())
    shown = screen_state.resumed(muted, (), state, said)
    assert [one.text for one in shown.chat] == ["good luck"]
    assert len(screen_state.resumed(replace(muted, muted=False), (), state, said).chat) == 3


def test_lines_said_without_end_after_a_match_fill_no_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(screen_state, "MOST_SAID", 20)
    player, _ = resumed(StormPair(), 0)
    model = screen_state.acted(player.screen.match, "The match is over.")
    for number in range(50):
        model = screen_state.spoken(model, f"line {number}", mine=number % 2 == 0)
    assert [said.text for said in model.chat] == [f"line {number}" for number in range(30, 50)]
    assert "The match is over." in model.chronicle
