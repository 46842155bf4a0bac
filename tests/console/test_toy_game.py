"""The console carries any game: rock-paper-scissors is played at both consoles, over two whole programs' matches."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path

import helpers_tui as tui
import pytest
from helpers_console import Script, seated
from helpers_memory import pair as line_in_memory
from helpers_wire import Pair
from prompt_toolkit.input import create_pipe_input
from toys import RockPaperScissors, Rounds

from cli.console.messages import Control, Entered, Key
from cli.console.plain import LinePlayer
from cli.console.screen_state import ScreenState
from cli.console.shell.app import ScreenPlayer
from cli.match.match import Match
from cli.match.player import Asked, Ended, Ending, Happened, Player
from cli.meeting.lines import Lines
from cli.text import analyses
from console.toy_console import TOY, ToyParticipant
from protocol.core.agreement import Role
from protocol.core.frames import Entry
from protocol.core.session import Session
from protocol.core.wire import FRAME_LIMIT
from protocol.record.journal import Journal
from protocol.record.judging import judge

GAME = RockPaperScissors()


def program(pair: Pair, seat: int, player: Player, folder: Path) -> Match:
    """Return one program's side of a match that has just begun."""
    config, records = pair.configs[seat], pair.sessions[seat].records
    session = Session(records, GAME, config.identity, config.entropy).restore()
    role = Role.GUEST if seat else Role.HOST
    journal = Journal.create(
        folder, started_at=0, role=role, name="a", entropy=config.entropy, identity=config.identity
    )
    journal.append([Entry(False, record) for record in records])
    return Match(session, journal, ToyParticipant(player), folder / "logs", patience=0)


async def play(matches: list[Match]) -> list[Ending]:
    """Play both sides over a line in memory."""
    ways = line_in_memory()
    lines = []
    for match, way in zip(matches, ways, strict=True):
        way.limit = FRAME_LIMIT
        line = Lines(match.session, bytes(16), None, None)
        line.greet(way)
        lines.append(line)
    return await asyncio.gather(*(match.play(line) for match, line in zip(matches, lines, strict=True)))


def test_a_game_of_no_folder_of_ours_is_played_at_both_consoles(tmp_path: Path) -> None:
    script = Script(("board", "say good luck", "rokc", "paper!", "scissors", "yes", "turn"))
    lines = LinePlayer("alice", TOY, lines=script.screen)
    terminal = tui.Terminal()
    shown: list[str] = []

    async def run() -> list[Ending]:
        with create_pipe_input() as pipe:
            full = ScreenPlayer("bob", TOY, input=pipe, output=terminal.output, max_render_postpone_time=None)
            pair = Pair(GAME, 2, tag="toy console")
            matches = [program(pair, 0, lines, tmp_path / "0"), program(pair, 1, full, tmp_path / "1")]
            playing = asyncio.create_task(play(matches))
            pressed = iter(("rock!\r", "\r", "paper\ry\r"))
            while not playing.done():
                await tui.calm(5)
                screen = full._screen
                waits = (
                    screen is not None and (screen.awaited or screen.page is not None) and screen.match.ending is None
                )
                if waits and (keys := next(pressed, None)) is not None:
                    shown.extend(terminal.shown)
                    pipe.send_text(keys)
                await asyncio.sleep(0.001)
            endings = await playing
            for one, ending in zip(matches, endings, strict=True):
                one._participant.tell(Ended(ending))
            # What the last round has done is read first, and then the end.
            pipe.send_text("\r")
            await tui.calm()
            shown.extend(terminal.shown)
            full.dismiss()
            await full.close()
            await lines.close()
            return endings

    endings = asyncio.run(asyncio.wait_for(run(), 60))
    assert [(ending.winner, ending.reason, ending.confirmed) for ending in endings] == [("0", "rounds", True)] * 2
    drawn = "\n".join(shown)
    for words in ("Rock, paper, scissors", "YOUR THROW", "left 1 : 0 right", "Hanna: good luck", "You lost in turn 3"):
        assert words in drawn
    for words in ("Round 1: rock, paper or scissors?", 'mean "rock"?', "paper against rock", "You won in turn 3"):
        assert words in script.shown
    # The log is that of any game, and anybody can check it.
    assert endings[0].log is not None
    [answer] = judge([Path(endings[0].log).read_bytes()], lambda name, version: GAME)
    assert answer["ok"]
    assert answer["confirmed"]


def test_a_game_without_an_adviser_says_that_there_is_neither_hint_nor_analysis() -> None:
    screen = ScreenState(TOY.begin_match(seated(0, 2, "bob", computer="random")))
    screen = tui.after(screen, Happened((), Rounds((0, 0), 2)), Asked(Rounds((0, 0), 2)))
    assert str(analyses.NO_ADVICE) in tui.after(screen, Entered("hint")).notice
    over = tui.after(screen, Ended(Ending("0", "rounds", True, "/home/alice/x.storm")))
    assert over.judged is None
    asked, effects = tui.stepped(replace(over, page=None, plain=True), Entered("analyse"))
    assert effects == ()
    assert str(analyses.NO_ANALYSIS) in asked.notice


@pytest.mark.parametrize("awaited", [True, False])
def test_a_move_of_any_game_is_not_said_on_the_chat_page_by_accident(awaited: bool) -> None:
    start = Rounds((0, 0), 2)
    screen = ScreenState(TOY.begin_match(seated(0, 2, "bob")))
    screen = tui.after(screen, Happened((), start), *([Asked(start)] if awaited else ()), Key("f6"))
    for line in ("rock", "paper!", "Scissors?"):
        after, effects = tui.stepped(screen, Entered(line))
        assert after.rejected == line
        assert not any(isinstance(effect, Control) for effect in effects)
    assert Control("say", "rock") in tui.stepped(screen, Entered("/rock"))[1]
    assert Control("say", "good luck") in tui.stepped(screen, Entered("good luck"))[1]
