"""What fails beside a match (a file, a terminal, a command, a thread) ends nothing, and is said where it matters."""

from __future__ import annotations

import asyncio
import io
import os
import signal
import sys
import threading
from asyncio.subprocess import DEVNULL, PIPE
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import helpers
import helpers_tui as tui
import pytest
from helpers_console import Script, play, seated
from prompt_toolkit.application import Application
from prompt_toolkit.input import create_pipe_input

from cli.console import player as person
from cli.console.menu import Keep
from cli.console.messages import Entered, KeepSetting
from cli.console.plain import LinePlayer, PlainScreen
from cli.console.replay import Adviser
from cli.console.screen_state import Settings
from cli.console.shell import menu
from cli.match.player import Controls, Ended, Ending, Happened, Noticed
from cli.match.program import Program
from cli.runtime import console
from cli.storm.console import STORM
from cli.storm.players import ProgramPlayer, RobotPlayer
from cli.text import analyses
from console.test_screen_menu_stored import app
from protocol.core.events import DrawOffered
from protocol.core.side_channel import SideChannel
from protocol.errors import LocalProtocolError
from protocol.record.feed import FeedError
from protocol.system import processes
from storm_p2p.storm.board import Faction
from storm_p2p.storm.bots.greedy import Greedy
from storm_p2p.storm.state import Terms


class Broken(io.StringIO):
    """An output whose reader has gone away."""

    def flush(self) -> None:
        """Raise what a pipe raises."""
        raise BrokenPipeError


def closed() -> io.StringIO:
    output = io.StringIO()
    output.close()
    return output


@pytest.mark.parametrize("output", [Broken(), closed()], ids=["broken", "closed"])
def test_lines_that_nobody_reads_any_more_stop_nothing(output: io.StringIO) -> None:
    async def run() -> str:
        screen = PlainScreen(io.StringIO("one\n"), output)
        screen.write(["shown to nobody"])
        return await screen.read()

    assert asyncio.run(run()) == "one"


def test_a_file_is_read_as_a_script(tmp_path: Path) -> None:
    file = tmp_path / "script"
    file.write_bytes(b"one\ntwo")

    async def run(stdin: Any) -> list[str]:
        screen = PlainScreen(stdin, io.StringIO())
        found = [await screen.read(), await screen.read()]
        with pytest.raises(EOFError):
            await screen.read()
        return found

    with file.open() as stdin:
        assert asyncio.run(run(stdin)) == ["one", "two"]


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such terminals")
def test_a_terminal_that_is_closed_ends_the_input() -> None:
    near, far = os.openpty()
    os.close(near)

    async def run() -> None:
        screen = PlainScreen(os.fdopen(far, closefd=False), io.StringIO())
        with pytest.raises(EOFError):
            await screen.read()

    asyncio.run(asyncio.wait_for(run(), 30))
    os.close(far)


def test_a_thread_that_still_reads_when_the_match_is_over_ends_quietly() -> None:
    reading, writing = os.pipe()
    loop = asyncio.new_event_loop()
    screen = PlainScreen(io.StringIO(), io.StringIO())
    loop.close()
    os.close(writing)
    screen._wanted.release()
    screen._read_in_thread(loop, reading)
    os.close(reading)


def failing(error: Exception) -> Iterator[object]:
    yield from ()
    raise error


@pytest.mark.parametrize("error", [OSError("gone"), FeedError("cut", "a log, its half"), ValueError("a fault of ours")])
def test_a_log_that_cannot_be_analysed_is_named_and_a_fault_ends_the_match(
    error: Exception, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(person, "analyse_log", lambda guest, log: failing(error))
    script = Script([])

    async def run() -> LinePlayer:
        player = LinePlayer("alice", STORM, lines=script.screen)
        view = helpers.owner_view(tui.EXAMPLE, Faction.CHTHONIANS)
        for event in (seated(Faction.CHTHONIANS, Terms()), Happened((), view)):
            player.tell(event)
        player.tell(Ended(Ending("chthonians", "palace", True, "/home/alice/bob.storm", opened=tui.EXAMPLE)))
        player._handle(Entered("analyse"))
        assert player._judging is not None
        # What is refused is over; whoever does it is cancelled, and has nothing left to do.
        await asyncio.wait([player._judging])
        return player

    player = asyncio.run(run())
    assert (player._failure is error) is isinstance(error, ValueError)
    assert (str(analyses.NO_LOG) in script.shown) is not isinstance(error, ValueError)


def test_a_fault_of_the_adviser_reaches_whoever_waits_for_the_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Adviser, "advise", lambda self, view, seat: failing(ValueError("a fault of ours")))
    player = LinePlayer("alice", STORM, lines=Script(["hint"]).screen, settings=Settings(hint_seconds=0))
    with pytest.raises(ValueError, match="a fault of ours"):
        play(player, Faction.CHTHONIANS, state=tui.EXAMPLE, most=1, facts={"computer": "greedy"})


def test_a_setting_that_cannot_be_kept_counts_for_this_match(tmp_path: Path) -> None:
    (tmp_path / "settings.json").mkdir()
    script = Script([])
    player = LinePlayer("alice", STORM, lines=script.screen, folder=tmp_path)
    player.tell(seated(Faction.CHTHONIANS, Terms()))
    player.tell(Happened((), helpers.owner_view(tui.EXAMPLE, Faction.CHTHONIANS)))
    player._do(KeepSetting("motion", False))
    assert "This could not be saved (" in script.shown


class Refusing(SideChannel):
    """Beside the game nothing can be said any more."""

    def __init__(self) -> None:
        self.tried: list[str] = []

    def decline_draw(self, *, now: float = 0.0) -> None:
        """Refuse."""
        self.tried.append("decline")
        raise LocalProtocolError("not_now", "an offer", "none")

    def chat(self, text: str, *, now: float = 0.0) -> None:
        """Refuse."""
        self.tried.append("chat")
        raise LocalProtocolError("not_now", "a match that is going on", "its end")


def test_the_computer_takes_no_for_an_answer_when_the_match_is_over() -> None:
    beside = Refusing()
    begun = replace(seated(Faction.CHTHONIANS, Terms()), controls=Controls(beside, lambda: None, lambda: None))
    robot = RobotPlayer("greedy", Greedy(), 1)
    program = ProgramPlayer(Program("true"))
    for player in (robot, program):
        player.tell(begun)
    robot.tell(Noticed(DrawOffered(1, 1)))
    program._tell_other()
    assert beside.tried == ["decline", "chat"]


@pytest.mark.parametrize("error", [EOFError, OSError])
def test_a_window_that_is_gone_gives_nothing_back(error: type[Exception], monkeypatch: pytest.MonkeyPatch) -> None:
    async def gone(self: object, **options: object) -> None:
        del self, options
        raise error

    monkeypatch.setattr(Application, "run_async", gone)
    played = tui.play(tui.EXAMPLE, [lambda player, terminal: player._leave()])
    assert played.match.said[-1:] == ["leave"]


def test_choices_that_cannot_be_kept_are_named_in_the_menu(tmp_path: Path) -> None:
    (tmp_path / "settings.json").mkdir()
    with create_pipe_input() as pipe:
        shown = app(tmp_path, pipe)
        shown._does.grant(shown, Keep(shown.model.chosen))
        assert shown.model.problem.startswith("This could not be saved (")


def test_a_look_that_is_there_after_the_menu_was_left_is_for_nobody() -> None:
    looking, left = threading.Event(), threading.Event()
    threads: list[threading.Thread] = []

    def look() -> menu.Found:
        threads.append(threading.current_thread())
        looking.set()
        left.wait(30)
        return {}

    async def run() -> None:
        asyncio.create_task(console.run_aside(look))  # noqa: RUF006  # it is left alone, as when the menu ends
        await asyncio.to_thread(looking.wait, 30)

    asyncio.run(run())
    left.set()
    # An error of the thread would be a warning, which pytest makes a failure.
    threads[0].join(30)
    assert not threads[0].is_alive()


@pytest.mark.skipif(sys.platform == "win32", reason="Windows sends no SIGINT")
def test_a_command_that_does_not_end_is_killed_and_one_that_has_ended_is_not_asked(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(menu, "STOP_SECONDS", 0.1)
    code = "import signal; signal.signal(signal.SIGINT, signal.SIG_IGN); print(flush=True); signal.pause()"

    async def run() -> int | None:
        stubborn = await processes.start(sys.executable, "-c", code, stdin=DEVNULL, stdout=PIPE, stderr=DEVNULL)
        assert stubborn.stdout is not None
        await stubborn.stdout.readline()
        await menu._end(stubborn)
        menu._interrupt(stubborn)
        return stubborn.returncode

    assert asyncio.run(run()) == -signal.SIGKILL
