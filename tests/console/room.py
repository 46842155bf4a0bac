"""A person in a room with both consoles."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import helpers
import helpers_tui as tui
from helpers_console import FakeMatch
from prompt_toolkit.input import create_pipe_input

from cli.console.alerts import Alert
from cli.console.plain import LinePlayer, PlainScreen
from cli.console.seats import Change, Person
from cli.console.shell.app import ScreenPlayer
from cli.match.player import Ended, Ending, Happened, Seated
from cli.storm.console import STORM
from storm_p2p.storm.board import Faction
from storm_p2p.storm.state import State


@dataclass
class Paper(PlainScreen):
    """Plain lines whose lines come from the test."""

    patient = False
    written: list[str] = field(default_factory=list)
    typed: asyncio.Queue[str] = field(default_factory=asyncio.Queue)

    def write(self, lines: Sequence[str]) -> None:
        """Keep what is shown."""
        self.written += lines

    async def read(self) -> str:
        """Return the next line."""
        return await self.typed.get()

    def rest(self) -> None:
        """Do nothing: what was typed waits."""

    async def close(self) -> None:
        """Do nothing: there is no input to close."""


@dataclass
class Room:
    """A person with both consoles, and what each shows."""

    match: FakeMatch
    person: Person
    window: tui.Terminal
    screens: list[ScreenPlayer]
    papers: list[Paper]
    send: Callable[[str], None]

    @property
    def shown(self) -> str:
        """What the whole screen shows."""
        return "\n".join(self.window.shown)

    @property
    def said(self) -> str:
        """What the last plain lines have shown."""
        return "\n".join(self.papers[-1].written)

    @property
    def plain(self) -> bool:
        """Whether plain lines are in front."""
        return isinstance(self.person._front, LinePlayer)

    def moves(self) -> list[str]:
        """Return what was decided."""
        return tui.actions(self.match)


Step = str | Callable[[Room], object]


def sit(
    state: State,
    steps: Iterable[Step],
    *,
    faction: Faction = Faction.CHTHONIANS,
    begin_plain: bool = False,
    why_not: Callable[[], str | None] = lambda: None,
    most: int = 10_000,
    waiting: bool = False,
    folder: Path | None = None,
    calls: list[str] | None = None,
) -> Room:
    """Let a person play; each step is typed at whichever console is in front, or looks at the room.

    Args:
        state: the position, with open cards.
        steps: lines to type, and looks.
        faction: whose seat.
        begin_plain: begin with plain lines.
        why_not: why there is no full screen.
        most: actions of both sides.
        folder: where setups are kept.
        calls: takes what plain lines call the person with.
        waiting: nobody is asked anything, for the other side thinks.
    """
    window = tui.Terminal()
    papers: list[Paper] = []
    call = None if calls is None else calls.append
    made: list[ScreenPlayer] = []

    def lines(change: Change) -> LinePlayer:
        papers.append(Paper())
        return LinePlayer("alice", STORM, lines=papers[-1], full=change, folder=folder, call=call)

    async def run() -> Room:
        with create_pipe_input() as pipe:

            def screen(change: Change) -> ScreenPlayer:
                options = {"input": pipe, "output": window.output, "max_render_postpone_time": None}
                made.append(ScreenPlayer("alice", STORM, plain=change, folder=folder, notice=Alert("bell"), **options))  # type: ignore[arg-type]
                return made[-1]

            person = Person("alice", screen, lines, begin_plain=begin_plain, why_plain=why_not)
            match = FakeMatch(person, faction, random.Random(1), state)
            running: asyncio.Task[object] = asyncio.create_task(watched(match) if waiting else match.run(most))
            room = Room(match, person, window, made, papers, pipe.send_text)
            await tui.calm()
            for step in steps:
                if not isinstance(step, str):
                    step(room)
                elif room.plain:
                    papers[-1].typed.put_nowait(step)
                else:
                    pipe.send_text(f"{step}\r")
                await tui.calm(80)
            # The screens keep what they showed while the match goes on.
            if not running.done():
                match.ended.set()
                person.dismiss()
            await running
            return room

    return asyncio.run(run())


async def watched(match: FakeMatch) -> None:
    """Let the other side think until the test is over."""
    match.player.tell(Seated(match.faction, match.state.terms, match.opponent, match.controls, match="7c1f0a"))
    match.player.tell(Happened((), helpers.owner_view(match.state, match.faction)))
    await match.ended.wait()
    match.player.tell(Ended(Ending(None, "unfinished", False, None)))
    await match.player.close()


def shows(*words: str) -> Callable[[Room], None]:
    """Return a look at the whole screen."""

    def look(room: Room) -> None:
        shown = room.shown
        assert not room.plain
        for word in words:
            assert word in shown, f"{word!r} is not in\n{shown}"

    return look


def says(*words: str) -> Callable[[Room], None]:
    """Return a look at the plain lines."""

    def look(room: Room) -> None:
        assert room.plain
        for word in words:
            assert word in room.said, f"{word!r} is not in\n{room.said}"

    return look


def quiet(room: Room) -> None:
    """Check that nothing was decided and nothing was done."""
    assert room.moves() == []
    assert [word for word in room.match.said if not word.startswith("say")] == []
