"""What plain lines say of an event: a pure function of the state before and after it."""

from __future__ import annotations

from pathlib import Path

import helpers
import helpers_tui as tui
from helpers_console import Script, play, seated

from cli.console import plain
from cli.console.messages import Entered, Event
from cli.console.plain import LinePlayer
from cli.console.reducer import update
from cli.console.screen_state import Question
from cli.match.player import Asked, Ended, Ending, Happened, Heard, Noticed
from cli.notices import LineTried
from cli.storm.console import STORM
from cli.storm.model import StormScreen
from console.typed import typed
from storm_p2p.storm import engine, notation
from storm_p2p.storm.board import Faction
from storm_p2p.storm.state import Terms

VIEW = helpers.owner_view(tui.EXAMPLE, Faction.CHTHONIANS)


def begin() -> StormScreen:
    model = STORM.begin_match(seated(Faction.CHTHONIANS, tui.EXAMPLE.terms, "bob", match="7c1f0a"))
    return StormScreen(model, plain=True)


def told(screen: StormScreen, *events: Event) -> tuple[StormScreen, list[str]]:
    """Return the state after events, and what is said of the last one."""
    said: list[str] = []
    for event in events:
        before = screen
        screen, _ = update(before, event)
        said = plain.said(before, screen, event)
    return screen, said


def test_the_same_answer_is_said_as_often_as_it_is_asked_for() -> None:
    screen, first = told(begin(), Happened((), VIEW), Asked(VIEW), Entered("turn"))
    assert first[0].startswith("Turn 1. Your move.")
    assert told(screen, Entered("turn"))[1] == first


def test_what_is_not_shown_is_not_said() -> None:
    screen = begin()
    muted, _ = told(screen, Entered("mute"))
    assert told(muted, Heard("psst"))[1] == []
    assert told(screen, Heard("psst"))[1] == ["bob says: psst"]
    # Before the match has begun a second line is looked for while the first one serves.
    assert told(screen, Noticed(LineTried(2, 2.0)))[1] == []


def test_no_page_stays_and_nothing_lies_over_the_prompt() -> None:
    screen, _ = told(begin(), Happened((), VIEW), Asked(VIEW))
    for line in ("units", "chat", "help", "replay", "table", "log", "notes", "card zeus", "eye"):
        screen, said = told(screen, Entered(line))
        assert said, line
        assert (screen.page, screen.replay, screen.results) == (None, None, ())
    screen, said = told(screen, Ended(Ending("olympians", "honor", True, None)))
    assert said[0].startswith("You lost in turn 1")
    assert screen.page is None


def test_an_empty_line_says_and_does_nothing_in_a_combat_either() -> None:
    view = helpers.owner_view(tui.COMBAT, Faction.CHTHONIANS)
    screen, said = told(begin(), Happened((), view), Asked(view))
    assert said
    after, said = told(screen, Entered(""))
    assert said == []
    assert after.question is None


def test_units_that_are_named_alone_say_where_they_can_go_and_begin_no_line() -> None:
    _, shown = typed("hecate", "9", "hecate 20!")
    assert "Hecate in 14: add where to, as in: hecate 9" in shown
    match, shown = typed("hecate", "20", "bye")
    assert match.moves == []


def test_the_question_is_asked_again_after_its_help_and_is_closed_by_another_command() -> None:
    screen, asked = told(begin(), Happened((), VIEW), Asked(VIEW), Entered("liturgy"))
    assert asked[-1] == "Send? yes or no"
    screen, again = told(screen, Entered("help"))
    assert again[-len(asked) :] == asked
    assert isinstance(screen.question, Question)
    screen, said = told(screen, Entered("who 14"))
    assert said[0] == "Nothing sent."
    assert "14, realm of the Olympians" in said[1]
    assert screen.question is None


def test_whoever_was_awaited_already_is_not_named_again() -> None:
    state, events = engine.play(VIEW, notation.parse_action("liturgy", VIEW))
    screen, said = told(begin(), Happened((), VIEW), Happened(events, state))
    assert said[-1] == "Waiting for bob."
    assert "Waiting for bob." not in told(screen, Happened((), state))[1]


def test_a_setup_that_cannot_be_kept_is_not_said_to_be_kept(tmp_path: Path) -> None:
    (tmp_path / "setups.json").mkdir()
    script = Script(["hades 11", "save wall"])
    play(LinePlayer("alice", STORM, lines=script.screen, folder=tmp_path), Faction.CHTHONIANS, terms=Terms(), most=0)
    assert "This could not be saved (" in script.shown
    assert "Kept as wall" not in script.shown
