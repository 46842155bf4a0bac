"""The line that a running match is played on: taken, listened to and lost again.  ``lines`` finds the next one."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Callable

from cli.match.linestate import LineState
from cli.match.timekeeping import Tell
from cli.meeting.lines import FRESH_SECONDS
from cli.runtime.console import Reporter
from cli.runtime.moment import now
from cli.runtime.tasks import stop
from protocol.core.resume_handshake import ResumeHandshake
from protocol.core.session import Session
from protocol.transport import Transport, TransportError


class Connection:
    """The line of one match, if there is one now."""

    def __init__(
        self, session: Session, tell: Tell, report: Reporter, wake: Callable[[], None], *, calls: bool
    ) -> None:
        """Begin without a line.

        Args:
            session: takes what comes in.
            tell: tells the player about the line.
            report: takes the lines of ``--json``.
            wake: is called when something has come in.
            calls: a lost line is called again.
        """
        self._session = session
        self._tell = tell
        self._report = report
        self._wake = wake
        self._calls = calls
        self._state = LineState()
        self._line: Transport | None = None
        self._lined_at = 0.0
        self.listening: asyncio.Task[None] | None = None
        """Listens to the line; it is done when the line has ended."""

    @property
    def up(self) -> bool:
        """Whether there is a line."""
        return self._line is not None

    async def take(self, link: Transport, resume_handshake: ResumeHandshake) -> bool:
        """Go on over a good line, unless there is one that is just as fresh; return whether it was taken."""
        if self._line is not None and time.monotonic() - self._lined_at < FRESH_SECONDS:
            with contextlib.suppress(TransportError):
                await link.close()
            return False
        await self.drop()
        self._session.clock.tick(now())
        self._session.join(resume_handshake)
        self._line, self._lined_at = link, time.monotonic()
        self.listening = asyncio.create_task(self._listen(link))
        # A resumed match has lost no line yet, but may have told of calls for one.
        if self._state.lost or self._state.called_for:
            self._tell("line-back", "the line is back")
        self._state.connected(link)
        self._report({"event": "line", "state": "connected"})
        return True

    async def send(self, frame: bytes) -> None:
        """Send a frame; what a lost line swallows, the next one asks for."""
        with contextlib.suppress(TransportError):
            if self._line is not None:
                await self._line.send(frame)

    def lose(self) -> None:
        """Note that the line has ended in the middle of the match; what we do from now on waits for the next one."""
        self._session.part(now())
        self._state.lose()
        self._report({"event": "line", "state": "lost"})
        if not self._session.over:
            code = "line-calling" if self._calls else "line-lost"
            self._tell(code, "expected the other program, got the end of the line")

    async def drop(self) -> None:
        """Close the line, if there is one."""
        line, self._line = self._line, None
        await stop(self.listening)
        self.listening = None
        if line is not None:
            with contextlib.suppress(TransportError):
                await line.close()

    def unanswered(self, count: int, pause: float) -> None:
        """Call number ``count`` has led to nobody, and the next one follows in ``pause`` seconds."""
        self._state.unanswered(count, pause)
        self._report({"event": "line", "state": "calling", "try": count, "next": pause})
        if self._state.is_news(count, fresh=not self._session.history):
            self._state.called_for = True
            self._tell("line-tried", self._state.words())

    async def _listen(self, line: Transport) -> None:
        while True:
            try:
                frame = await line.receive()
            except TransportError as error:
                self._tell(error.code, error.sentence)
                return
            if frame is None:
                return
            self._session.receive_data(frame, now())
            self._wake()
            if self._session.broken or self._session.finished:
                return
