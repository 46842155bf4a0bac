"""Clocks for people: the words of the terms, and what is shown and asked."""

from __future__ import annotations

import json
from argparse import Namespace
from pathlib import Path
from typing import Any

import helpers
import pytest
from helpers_console import FakeMatch, Script, play, seated
from hypothesis import given
from hypothesis import strategies as st

from cli.app import games
from cli.app.launch import proposal
from cli.app.launch.proposal import proposed
from cli.console.plain import LinePlayer
from cli.match.player import Clocks, MatchEvent, Noticed, Seated
from cli.meeting.meeting import Proposal
from cli.notices import Claimable, LineLost, Notice
from cli.runtime.console import UsageError
from cli.storm.console import STORM
from cli.storm.model import Model
from cli.text import clocks, matches
from cli.text.matches import sentence
from protocol.core.agreement import GUEST_CHOOSES, LOT
from protocol.core.clock import ClockKind, ClockTerms
from protocol.core.events import BreakAgreed, BreakProposed, Claimed, GoneOn
from protocol.core.game_data import Conditions, WitnessTerms
from protocol.core.messages import Break, Ground
from storm_p2p.storm.board import FACTIONS, Faction
from storm_p2p.storm.game import encode_terms
from storm_p2p.storm.state import Terms

EXAMPLE = helpers.at("chthonians", "erinyes hecate 14, hades 10, zeus 15", honor=(11, 8), energy=(10, 14))
BLITZ = ClockTerms(ClockKind.BASE, 1200, 10, 5, 300, 600)

# --- the words ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("none", None),
        ("20m+10s", BLITZ),
        (" 20M + 10s ", BLITZ),
        ("90m", ClockTerms(ClockKind.BASE, 5400, 0, 5, 300, 600)),
        ("1h+0", ClockTerms(ClockKind.BASE, 3600, 0, 5, 300, 600)),
        ("3d", ClockTerms(ClockKind.TURN, 259200, 0, 3600, 0, 1036800)),
        ("2d+1h", ClockTerms(ClockKind.BASE, 172800, 3600, 5, 300, 600)),
        ("5m+3s,tolerance=2s,away=0,absent=90s", ClockTerms(ClockKind.BASE, 300, 3, 2, 0, 90)),
    ],
)
def test_the_words_of_a_clock(text: str, terms: ClockTerms | None) -> None:
    assert proposal.parse(text) == terms


@pytest.mark.parametrize(
    "text",
    ["", "20", "m", "20x", "0m", "-5m", "20m+", "20m+10", "99999d", "none,away=0", "20m,away", "20m,later=5s", "20m,",
     "20m,absent=0", "1e3m", "\u00b22m"],
)  # fmt: skip
def test_other_words_are_refused_with_a_sentence(text: str) -> None:
    with pytest.raises(ValueError, match="expected "):
        proposal.parse(text)


@given(st.text(max_size=20))
def test_no_words_do_anything_but_mean_a_clock_or_be_refused(text: str) -> None:
    try:
        terms = proposal.parse(text)
    except ValueError:
        return
    assert terms is None or ClockTerms.of(terms.value()) == terms


def test_lengths_of_time_are_said_as_people_say_them() -> None:
    found = [clocks.span(seconds) for seconds in (0, 1, 65, 3600, 3661, 259200, 90061)]
    assert found == [
        "0 seconds",
        "1 second",
        "1 minute 5 seconds",
        "1 hour",
        "1 hour 1 minute",
        "3 days",
        "1 day 1 hour",
    ]
    assert [clocks.face(seconds) for seconds in (5, 761, 3761, 90061)] == ["0:05", "12:41", "1:02:41", "1d 01:01"]


def test_the_conditions_are_said_before_a_guest_accepts_them() -> None:
    assert clocks.conditions(Conditions()) == []
    said = " ".join(clocks.conditions(Conditions(BLITZ, WitnessTerms(bytes(32), "w.example:1"))))
    assert "20 minutes each, plus 10 seconds after each decision" in said
    assert "up to 5 minutes in all" in said
    assert "After 10 minutes without a connection" in said
    assert "w.example:1" in said
    said = " ".join(clocks.conditions(Conditions(proposal.parse("3d"))))
    assert "3 days per decision. It also runs" in said
    assert "After 12 days of silence" in said
    assert clocks.conditions(Conditions(aids=True)) == ["Aids: both of you may ask your own computer for hints."]


def test_the_clock_comes_from_the_option_or_the_file_of_terms(tmp_path: Path) -> None:
    file = tmp_path / "terms.json"
    file.write_text(json.dumps({"clock": "3d", "open_combat": True}), encoding="utf-8")

    def offered(**given: Any) -> Proposal:
        plain = {
            "clock": None,
            "witness": None,
            "aids": False,
            "watched": None,
            "terms": None,
            "open_combat": False,
            "random_setup": False,
            "challenge": 0,
            "scheme": "proved",
            "seat": None,
        }
        return proposed(games.find(), Namespace(**{**plain, **given}))

    assert offered().conditions == Conditions()
    assert offered(terms=str(file)).conditions == Conditions(proposal.parse("3d"))
    assert offered(terms=str(file)).terms == encode_terms(Terms(open_combat=True))
    assert offered(terms=str(file), clock="none").conditions == Conditions()
    assert offered(aids=True).conditions == Conditions(aids=True)
    file.write_text(json.dumps({"aids": True}), encoding="utf-8")
    assert offered(terms=str(file)).conditions == Conditions(aids=True)
    file.write_text(json.dumps({"aids": "yes"}), encoding="utf-8")
    with pytest.raises(UsageError, match="true or false for aids"):
        offered(terms=str(file))
    file.write_text(json.dumps({"challenge": 1}), encoding="utf-8")
    assert offered(terms=str(file)).seating == GUEST_CHOOSES
    assert offered().seating == LOT
    file.write_text(json.dumps({"clock": 7}), encoding="utf-8")
    with pytest.raises(UsageError, match="expected none"):
        offered(terms=str(file))


# --- a person ------------------------------------------------------------------------------------------------


PAUSE = BreakProposed(1, 1, Break.PAUSE)


def typed(
    *lines: str, faces: Clocks | None = None, told: Notice | None = None, same_proposed: bool = False
) -> tuple[list[str], str]:
    """Play with these lines and return which controls were used and what was shown."""
    script = Script(lines)
    player = LinePlayer("alice", STORM, lines=script.screen)
    tell = player.tell

    def and_told(event: MatchEvent) -> None:
        if not isinstance(event, Seated):
            tell(event)
            return
        assert isinstance(event.controls.side_channel, FakeMatch)
        event.controls.side_channel.faces = faces
        event.controls.side_channel.same_proposed = same_proposed
        tell(event)
        if told is not None:
            player.tell(Noticed(told))

    player.tell = and_told  # type: ignore[method-assign]
    match = play(player, Faction.CHTHONIANS, state=EXAMPLE, most=1)
    return match.said, script.shown


def test_the_clocks_are_shown_with_the_question_and_on_request() -> None:
    _, shown = typed("clocks", faces=Clocks(761, 543, True))
    assert shown.count("Clocks: you 12:41 (runs), bob 9:03.") == 2
    _, shown = typed("c", faces=Clocks(761, 543, None))
    assert "Clocks (both stopped): you 12:41, bob 9:03." in shown
    _, shown = typed("clocks")
    assert shown.count(str(clocks.NONE)) == 1


def test_a_pause_and_an_adjournment_are_proposed_without_a_question() -> None:
    said, shown = typed("pause", "adjourn", "continue")
    assert said[:3] == ["propose pause", "propose adjournment", "go on"]
    assert "bob can accept or decline the adjournment" in shown


@pytest.mark.parametrize(("word", "control"), [("accept", "agree"), ("decline", "reject")])
def test_accept_and_decline_answer_what_is_proposed(word: str, control: str) -> None:
    said, shown = typed(word, told=PAUSE)
    assert "bob proposes a pause" in shown
    assert said[0] == control
    assert "agree" not in typed("accept")[0]


def test_a_pause_without_a_clock_says_nothing_of_clocks_and_how_it_comes_to_nothing() -> None:
    _, shown = typed("pause")
    assert "lapses with the next move" in shown
    assert "clocks run" not in shown
    _, shown = typed("pause", faces=Clocks(761, 543, True))
    assert "until then the clocks run as before" in shown
    assert "lapses with the next move" in shown
    for notice in (PAUSE, BreakAgreed(1, 1, Break.PAUSE), GoneOn(0), GoneOn(1)):
        assert "clock" in sentence(notice, "bob", 0, timed=True)
        assert "clock" not in sentence(notice, "bob", 0, timed=False)


def test_an_own_word_about_the_match_stands_in_the_log() -> None:
    _, shown = typed("draw", "yes", "log 1")
    assert shown.count("You offer a draw. bob can accept or decline it") == 2
    _, shown = typed("pause", "log 1")
    assert shown.count("Sent. bob can accept or decline the pause") == 2


def test_resume_ends_a_pause_as_continue_does() -> None:
    assert typed("resume")[0][:1] == ["go on"]


def test_whoever_proposes_what_is_proposed_is_not_told_to_wait_for_an_answer() -> None:
    said, shown = typed("pause", told=PAUSE, same_proposed=True)
    assert said[:1] == ["propose pause"]
    assert "can accept or decline" not in shown


def test_a_proposal_can_still_be_accepted_after_an_own_one_of_another_kind() -> None:
    said, shown = typed("adjourn", "accept", told=PAUSE)
    assert said[:2] == ["propose adjournment", "agree"]
    assert "bob can accept or decline the adjournment" in shown


def test_a_claim_is_asked_for_and_then_made() -> None:
    said, shown = typed("claim", "no", "claim", "yes", told=Claimable(Ground.TIME, 1300))
    assert said[:1] == ["claim"]
    assert "By your clock, bob's time is up." in shown
    assert "You claim the match." in shown
    assert str(clocks.CLAIM_SENT) in shown


def test_a_claim_of_the_other_is_conceded_by_the_whole_word_only() -> None:
    claim = Claimed(1, 1, Ground.ABSENCE, (700, 0), proved=False)
    said, shown = typed("concede", "y", "concede", "yes", told=claim)
    assert "11 minutes 40 seconds" in shown
    assert said[:1] == ["concede"]
    assert typed("deny", told=claim)[0][:1] == ["deny"]


def test_how_a_claimed_match_ended_is_said() -> None:
    called = {"chthonians": "Ann", "olympians": "Bob"}
    for reason, how in (
        ("time", "Ann's time was up"),
        ("absence", "Ann did not come back"),
        ("honor", "the other side has no Honor left"),
    ):
        assert matches.result("olympians", reason, called, guilty=False) == f"the Olympians win: {how}"


def test_the_model_keeps_a_proposal_until_the_match_moves_on() -> None:
    from cli.console import lines, reducer

    model = STORM.begin_match(seated(FACTIONS[0], Terms(), "bob"))
    offered = reducer.noticed(model, PAUSE)
    assert offered.break_offered
    assert not reducer.noticed(offered, BreakAgreed(0, 1, Break.PAUSE)).break_offered
    assert not lines.control_used("decline", offered, told_anyway=False)[0].break_offered
    assert reducer.noticed(offered, LineLost(calls=True)).break_offered
    assert isinstance(offered, Model)
