"""Calling the player: only when wanted, and nothing but clean sentences."""

from __future__ import annotations

import subprocess
import sys
import threading
from pathlib import Path

import helpers_tui as tui
import pytest

from cli.console.alerts import MOST_RUNNING, Alert, call, sequence, start, words
from cli.console.messages import Ring
from cli.match.player import Heard
from cli.text.screens import PROGRAM


@pytest.mark.parametrize(
    ("kind", "written"),
    [
        ("off", ""),
        ("bell", "\a"),
        ("osc9", "\x1b]9;Your turn, bob\a"),
        ("osc777", "\x1b]777;notify;Storm P2P;Your turn, bob\a"),
        ("other", ""),
        ("command", ""),
    ],
)
def test_each_kind_writes_its_own_sequence(kind: str, written: str) -> None:
    assert sequence(kind, "Your turn; bob", {}) == written


@pytest.mark.parametrize(
    ("environment", "begins"),
    [
        ({}, "\a"),
        ({"TERM": "xterm-256color"}, "\a"),
        ({"WT_SESSION": "1"}, "\a"),
        ({"TERM_PROGRAM": "iTerm.app"}, "\x1b]9;"),
        ({"TERM": "xterm-kitty"}, "\x1b]9;"),
        ({"TERM": "foot"}, "\x1b]777;notify;"),
        ({"TERM_PROGRAM": "tmux", "TMUX": "1", "TERM": "tmux-256color"}, "\a"),
    ],
)
def test_left_to_itself_a_notice_is_what_the_terminal_understands(environment: dict[str, str], begins: str) -> None:
    assert sequence("auto", "Your turn", environment).startswith(begins)


def test_tmux_passes_messages_on() -> None:
    assert sequence("osc9", "hi", {"TMUX": "1"}) == "\x1bPtmux;\x1b\x1b]9;hi\a\x1b\\"


def test_no_escape_of_the_other_side_reaches_the_terminal() -> None:
    found = sequence("osc9", "a\x1b]0;evil\x07b\x1b[2J\u202e", {})
    assert found == "\x1b]9;ab\a"


def test_a_command_gets_the_sentence_as_one_word() -> None:
    assert words("notify-send 'Storm P2P'", "it is $(your) turn") == ["notify-send", "Storm P2P", "it is $(your) turn"]
    assert words("'open", "x") == words("", "x") == []


@pytest.mark.parametrize("name", ["-o/tmp/x", "--help", "@/etc/passwd", "  -x", "+1"])
def test_a_name_of_the_other_side_is_no_option_of_the_command(name: str) -> None:
    (_, message) = words("notify-send", f"{name}: hello")
    assert message == f"{PROGRAM}: {name.strip()}: hello"
    assert words("notify-send", "bob: -o hello") == ["notify-send", "bob: -o hello"]


def test_whoever_says_much_does_not_start_more_commands_than_end(monkeypatch: pytest.MonkeyPatch) -> None:
    held = threading.Event()
    begun: list[list[str]] = []

    def run(command: list[str], **options: object) -> None:
        begun.append(command)
        held.wait(60)

    monkeypatch.setattr(subprocess, "run", run)
    waiting = [start("notify-send", f"bob: {number}") for number in range(100)]
    held.set()
    threads = [thread for thread in waiting if thread is not None]
    for thread in threads:
        thread.join(30)
    assert len(begun) == len(threads) == MOST_RUNNING
    later = start("notify-send", "bob: once more")
    assert later is not None
    later.join(30)
    assert len(begun) == MOST_RUNNING + 1


def test_a_command_is_run_and_one_that_cannot_be_disturbs_nothing(tmp_path: Path) -> None:
    file = tmp_path / "called"
    script = "import sys, pathlib; pathlib.Path(sys.argv[1]).write_text(sys.argv[2])"
    written: list[str] = []
    for command in (f"{sys.executable} -c '{script}' {file.as_posix()}", "/no/such/program"):
        waiting = call(Alert("command", command), "your turn", written.append, {})
        assert waiting is not None
        waiting.join(30)
    assert file.read_text() == "your turn"
    assert written == []


def test_the_bell_rings_when_a_decision_is_asked_and_only_if_wanted() -> None:
    def heard(player: object, terminal: tui.Terminal) -> None:
        bells.append(terminal.bells)

    for kind, least in (("bell", 1), ("off", 0)):
        bells: list[int] = []
        tui.play(tui.EXAMPLE, [heard], notice=Alert(kind))
        assert bells == [least]


def test_chat_calls_without_what_was_said() -> None:
    # Many notifiers read markup, and the other side writes the line.
    _, effects = tui.stepped(tui.asked(tui.EXAMPLE), Heard("<a href='http://evil'>hello</a>"))
    assert effects == (Ring("bob has written to you."),)
