"""What players have reported: each test is named after what was seen, and runs in every language."""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from typing import Any

import helpers
import helpers_tui as tui
import pytest
from helpers_console import Script, play

from cli import language
from cli.app.launch import seats
from cli.app.main import main
from cli.console import messages, screen_state
from cli.console.messages import Severity
from cli.console.plain import LinePlayer
from cli.console.screen_state import Entry
from cli.match.player import Happened, Noticed, Placed
from cli.match.program import Program
from cli.notices import Claimable, Notice
from cli.storage.home import player_name
from cli.storm import lessons, viewing
from cli.storm.console import STORM
from cli.storm.model import StormScreen
from cli.storm.text import story
from cli.storm.text.typed import NOT_HERE, elsewhere
from cli.storm.vocabulary import VOCABULARY
from cli.text import clocks, joining, matches, screens, verdicts
from cli.text.wording import fill
from protocol.core.events import Claimed, DrawOffered
from protocol.core.messages import Ground
from storm_p2p.storm import events as ev
from storm_p2p.storm.board import Faction
from storm_p2p.storm.state import Terms
from storm_p2p.storm.units import Unit

C = Faction.CHTHONIANS
CLAIM = Claimed(1, 1, Ground.ABSENCE, (700, 0), proved=False)


def said_in(spoken: str, english: str, german: str) -> str:
    return german if spoken == language.GERMAN else english


def test_the_claim_of_the_clock_is_english_in_the_german_console(spoken: str) -> None:
    claimable = Claimable(Ground.TIME, 1300)
    told = [
        matches.sentence(CLAIM, "bob", 0, timed=True),
        matches.sentence(claimable, "bob", 0, timed=True),
        clocks.claim_question("bob"),
        str(clocks.CLAIM_SENT),
        clocks.answer_claim("bob"),
    ]
    assert all(("claim" in one.lower()) == (spoken == language.ENGLISH) for one in told)


@pytest.mark.usefixtures("spoken")
@pytest.mark.parametrize("command", ["play", "host"])
def test_a_program_that_is_not_there_is_replaced_by_the_built_in_player_under_the_users_name(
    command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    # The program sets it for the library that reads the command line.
    monkeypatch.setenv("LANGUAGE", language.current())
    words = [command, "--player", "exec:/nonexist --fast", "--name", "Ann", "--home", str(tmp_path)]
    assert main(words) == 2
    said = capsys.readouterr().err
    assert "/nonexist" in said
    assert said.count("\n") == 1
    assert not (tmp_path / "matches").exists()
    with pytest.raises(ValueError, match="nonexist"):
        Program("nonexist")
    assert shutil.which("nonexist") is None


def test_a_change_of_honor_stands_behind_a_full_stop(spoken: str) -> None:
    model = tui.begin().match
    events = (ev.TurnBegan(C, 19), ev.HonorChanged(C, -1, 7, "base"))
    [line] = story.story(model, Entry(19, events, None, helpers.at("chthonians", "hades 10, zeus 15")))
    assert ".;" not in line
    assert line.startswith(said_in(spoken, "Turn 19: your move; Honor 8 to 7", "Zug 19: du bist dran; Ehre 8 auf 7"))


def answered(line: str, told: Notice | None = None) -> tuple[StormScreen, tuple[messages.Effect, ...]]:
    """Return the screen after a line, in a match where this was told before."""
    screen = tui.asked(tui.EXAMPLE)
    if told is not None:
        screen = tui.after(screen, Noticed(told))
    return tui.stepped(screen, messages.Entered(line))


@pytest.mark.parametrize("plain", [True, False], ids=["lines", "screen"])
def test_claim_without_anything_to_claim_asks_for_a_yes(spoken: str, *, plain: bool) -> None:
    word = said_in(spoken, "claim", "beanspruchen")
    if plain:
        script = Script([word])
        match = play(LinePlayer("alice", STORM, lines=script.screen), C, state=tui.EXAMPLE, most=1)
        assert "claim" not in match.said
        assert clocks.refused("nothing_to_claim", "") in script.shown
        assert clocks.claim_question("bob") not in script.shown
        return
    screen, effects = answered(word)
    assert screen.question is None
    assert effects == ()
    assert clocks.refused("nothing_to_claim", "") in screen.notice
    screen, _ = answered(word, Claimable(Ground.TIME, 1300))
    assert screen.question is not None
    assert screen.question.severity is Severity.LAST


def test_a_claim_can_be_made_until_the_match_moves_on_and_concede_and_deny_need_one() -> None:
    screen = tui.after(tui.asked(tui.EXAMPLE), Noticed(Claimable(Ground.TIME, 1300)), Noticed(CLAIM))
    assert (screen.match.claimable, screen.match.claimed) == (True, True)
    moved = tui.after(screen, Happened((ev.TurnBegan(Faction.OLYMPIANS, 2),), screen.match.state))
    assert (moved.match.claimable, moved.match.claimed) == (False, False)
    for word in ("concede", "deny"):
        assert tui.stepped(moved, messages.Entered(word))[1] == ()
        after, effects = tui.stepped(screen, messages.Entered(word))
        assert after.question is not None or effects == (messages.Control(word),)
    assert not tui.after(screen, messages.Done(messages.Control("deny"))).match.claimed


def test_a_draw_is_not_offered_back_until_the_match_moves_on(spoken: str) -> None:
    word = said_in(spoken, "draw", "remis")
    offered = tui.after(tui.asked(tui.EXAMPLE), Noticed(DrawOffered(1, 1)))
    ui, effects = tui.stepped(offered, messages.Entered(word))
    assert (ui.question, effects) == (None, ())
    assert fill(screens.DRAW_WAITS, name="bob") in ui.notice
    moved = tui.after(offered, Happened((ev.TurnBegan(Faction.OLYMPIANS, 2),), offered.match.state))
    assert not moved.match.draw_offered
    assert tui.stepped(moved, messages.Entered(word))[0].question is not None


@pytest.mark.parametrize("place", [0, 1])
def test_accept_during_a_claim_does_not_name_concede(spoken: str, place: int) -> None:
    word = (said_in(spoken, "accept", "annehmen"), said_in(spoken, "decline", "ablehnen"))[place]
    screen, effects = answered(word, CLAIM)
    assert effects == ()
    assert clocks.answer_claim("bob") in screen.notice
    assert said_in(spoken, "concede", "zugeben") in clocks.answer_claim("bob")
    assert str(screens.NO_OFFER) in answered(word)[0].notice


@pytest.mark.usefixtures("spoken")
def test_a_host_without_the_extra_for_the_local_network_is_not_told_how_to_install_it() -> None:
    from protocol.reach import ReachError

    assert "pip install zeroconf" in joining.why(ReachError("no-zeroconf", "expected the extra, got none"))


def test_the_setup_in_plain_lines_lists_the_enemys_units_as_not_placed_yet(spoken: str) -> None:
    script = Script([said_in(spoken, "units", "einheiten")])
    play(LinePlayer("alice", STORM, lines=script.screen), C, terms=Terms(), most=0)
    not_yet = said_in(spoken, "not placed yet", "noch nicht gesetzt")
    assert sum(not_yet in line for line in script.shown.splitlines()) == 12
    model = tui.begin(faction=Faction.OLYMPIANS).match
    assert not_yet in viewing.status(model, Unit.ZEUS)
    assert not_yet not in viewing.status(model, Unit.HADES) + viewing.status(model, Unit.NYX)


ANSWER: dict[str, Any] = {
    "file": "a.storm",
    "verdict": "verified",
    "ok": True,
    "match": "7c1f" * 16,
    "messages": 1,
    "scheme": "proved",
    "players": [],
    "result": {"winner": None, "reason": "unfinished"},
    "confirmed": False,
    "convicted": [],
    "merged": [],
    "deviates": None,
    "must_show": None,
    "owes": "olympians",
    "audited": False,
    "remarks": [],
    "problems": [],
    "witness": {"address": "a:1", "envelopes": 1, "witnessed": False, "seen": [], "contradictions": 0},
}


def test_verify_says_1_messages_and_the_olympians_owe(spoken: str) -> None:
    told = verdicts.words(ANSWER)
    assert not re.search(r"\b1 (messages|Nachrichten)\b", told)
    assert "olympians" not in told
    assert said_in(spoken, "Olympians", "Olympier") in told
    assert "1 message" in matches.course(ANSWER)[0] or spoken == language.GERMAN


def test_the_erinyes_are_she_here_and_they_there(spoken: str) -> None:
    model = tui.asked(helpers.at("chthonians", "erinyes 13, hades 10, zeus 15")).match
    told = [
        *viewing.where(model, Unit.ERINYES),
        *viewing.card(model, Unit.ERINYES),
        viewing.status(model, Unit.ERINYES),
        *(line for line in viewing.overview(model) if "Erin" in line),
    ]
    # The lesson says what the enemy knows of the Erinyes.
    told.append(lessons.LESSONS.text(5, 1))
    alone = re.compile(r"\b(she|her|stands)\b|Erinyes is\b|Erinnyen ist\b|\b(sie ist|steht)\b")
    assert [one for one in told if alone.search(one)] == []
    assert said_in(spoken, "they may sneak", "Erinnyen") in " ".join(told)


WORDS = (*screens._ELSEWHERE, *screens._ALIKE, *NOT_HERE)
"""What means something in a neighbouring program."""


@pytest.mark.parametrize("word", WORDS)
def test_a_word_of_a_neighbouring_program_is_matched_to_the_nearest_unit(word: str, spoken: str) -> None:
    answer = elsewhere(word)
    assert answer
    assert VOCABULARY.find_verb(word) is None
    for screen in (tui.asked(tui.EXAMPLE), tui.asked(tui.COMBAT), tui.after(tui.begin(), Placed())):
        after, effects = tui.stepped(screen, messages.Entered(word))
        assert answer in after.notice
        assert effects == ()


def test_undo_says_nothing_on_the_full_screen_and_quit_does_not_leave(spoken: str) -> None:
    for screen in (tui.asked(tui.EXAMPLE), tui.after(tui.begin(), Placed())):
        undone = tui.after(screen, messages.Entered(said_in(spoken, "undo", "rückgängig")))
        assert str(screens.TAKEBACK) in undone.notice
        for word in ("quit", "exit"):
            question = tui.after(screen, messages.Entered(word)).question
            assert question is not None
            assert question.then == messages.Control("leave")


def test_a_german_without_a_name_is_called_player(spoken: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for account in ("", "\u00e4\u00f6\u00fc"):
        monkeypatch.setenv("USER", account)
        monkeypatch.delenv("USERNAME", raising=False)
        assert player_name() == said_in(spoken, "player", "spieler")
        assert seats.is_allowed(player_name())


def test_log_abc_opens_the_log_without_a_word(spoken: str) -> None:
    screen = tui.after(tui.asked(tui.EXAMPLE), messages.Entered("log abc"))
    assert screen.page is None
    assert screens.no_number("abc") in screen.notice
    assert tui.after(tui.asked(tui.EXAMPLE), messages.Entered("log 20")).page is screen_state.Page.LOG
