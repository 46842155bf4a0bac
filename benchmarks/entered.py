"""Which of our files a short match in memory enters: the near seat is a whole program, the far one a session alone."""

from __future__ import annotations

import asyncio
import random
import sys
from pathlib import Path
from types import FrameType
from typing import Final

from prompt_toolkit.application import Application
from prompt_toolkit.input.base import PipeInput

from benchmarks import matches, screens
from cli.app import games
from cli.console.screen_state import Page
from cli.console.shell.app import ScreenPlayer
from cli.match.match import Match
from cli.meeting.lines import Lines
from protocol.core.agreement import Role
from protocol.core.session import Session
from protocol.core.wire import FRAME_LIMIT
from protocol.crypto.keys import PrivateKey
from protocol.record.journal import Journal
from protocol.transport import Allowance
from storm_p2p.storm import notation
from storm_p2p.storm.actions import Move
from storm_p2p.storm.board import FACTIONS
from storm_p2p.storm.bots import BOTS
from storm_p2p.storm.state import State, Terms

_ROOT: Final = Path(__file__).resolve().parent.parent
_OURS: Final = tuple(f"{_ROOT / package}/" for package in ("storm_p2p", "protocol", "cli"))


class Traced:
    """Which of our files are entered between a beginning and an end."""

    def __init__(self) -> None:
        """Begin without looking."""
        self.looks_at: str | None = None
        self.seen: dict[str, list[set[str]]] = {"moves": [], "frames": [], "others": []}

    def begin(self, what: str) -> None:
        """Look at a move or a frame from here on, unless at something already."""
        if self.looks_at is None:
            self.looks_at = what
            screens.forget()
            self.seen[what].append(set())
            sys.setprofile(self._enter)

    def end(self, what: str) -> None:
        """Look no longer, if that is what was looked at."""
        if self.looks_at == what:
            sys.setprofile(None)
            self.looks_at = None

    def _enter(self, frame: FrameType, event: str, _: object) -> None:
        if event == "call" and self.looks_at is not None and frame.f_code.co_filename.startswith(_OURS):
            self.seen[self.looks_at][-1].add(frame.f_code.co_filename)


class Far:
    """The other program at the far end of a line in memory: a session alone, none of which is traced."""

    channel = b""
    way = ("call", "")

    def __init__(self, session: Session, traced: Traced, rng: random.Random) -> None:
        """Begin with a line that nobody has greeted on."""
        self.limit, self.allowance = FRAME_LIMIT, Allowance()
        self.session, self.traced, self.rng = session, traced, rng
        self.greeting = session.resume_handshake(bytes(32))
        self.frames: asyncio.Queue[bytes] = asyncio.Queue()
        self.answer(self.greeting.data_to_send())

    async def send(self, frame: bytes) -> None:
        """Take a frame, and answer it."""
        self.traced.end("moves")
        self.traced.end("others")
        greeted = self.greeting.theirs is not None
        if greeted:
            self.session.receive_data(frame, 0.0)
        else:
            self.greeting.receive_data(frame)
            self.answer(self.greeting.data_to_send())
        if not greeted and self.greeting.theirs is not None:
            self.session.join(self.greeting)
        while not self.session.over and self.session.asks_us is not None:
            matches.decide(self.session, "random", self.rng)
        self.answer(self.session.data_to_send())

    def answer(self, frames: list[bytes]) -> None:
        """Let frames come in at the near end."""
        for frame in frames:
            self.frames.put_nowait(frame)

    async def receive(self) -> bytes | None:
        """Return the next frame."""
        frame = await self.frames.get()
        self.traced.begin("frames")
        return frame

    async def close(self) -> None:
        """Do nothing: it is a line in memory."""


async def play(folder: Path, pipe: PipeInput, most: int = 3) -> Traced:
    """Return what each typed move enters until a frame is sent, and what each frame until the screen is drawn."""
    rng, traced = random.Random(3), Traced()
    near, far = matches.meet(Terms(random_setup=True), rng)
    identity = PrivateKey(bytes(32))
    journal = Journal.create(folder, started_at=0, role=Role.HOST, name="a", entropy=bytes(32), identity=identity)
    storm = games.find()
    player = ScreenPlayer("alice", storm.console, input=pipe, output=screens.output(), max_render_postpone_time=None)
    match, lines = Match(near, journal, storm.participant(player), folder), Lines(near, bytes(16), None, None)
    lines.greet(Far(far, traced, rng))
    playing = asyncio.create_task(match.play(lines))
    drawn: object = None
    """The position on the screen; before it is there, what looks at it."""

    def look(application: Application[None]) -> None:
        nonlocal drawn
        if drawn is not player.screen.match.state:
            traced.end("frames")
        drawn = player.screen.match.state

    while not playing.done() and len(traced.seen["moves"]) < most:
        await asyncio.sleep(0)
        if player._console is not None and not drawn:
            player._console.application.after_render += look
            drawn = look
        elif drawn and (player.screen.question or player.screen.page is Page.RESULT):
            pipe.send_text("y\r")
            await asyncio.sleep(0.01)
        elif drawn and player.screen.awaited and traced.looks_at is None:
            state = player.screen.match.state
            assert isinstance(state, State)
            action = BOTS["random"].decide(state, FACTIONS[near.seat], rng)
            traced.begin("moves" if isinstance(action, Move) else "others")
            pipe.send_text(f"{notation.format_action(action)}!\r")
    match.leave()
    await playing
    await player.close()
    await lines.close()
    journal.close()
    return traced
