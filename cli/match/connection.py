"""The line that a running match is played on: taken, listened to and lost again.  ``lines`` finds the next one."""

import asyncio
import contextlib
import time
from collections.abc import Callable

from cli.meeting.lines import FRESH_SECONDS
from cli.notices import Failed, LineBack, LineLost, LineTried, OnNotice
from cli.runtime.console import Reporter, now, stop
from protocol.core.resume_handshake import ResumeHandshake
from protocol.core.session import Session
from protocol.transport import Transport, TransportError

TOLD_TRIES = (1, 4, 8, 20)
"""Which calls that nobody answered are told to the player."""


class Connection:
    """The line of one match, if there is one now."""

    def __init__(
        self, session: Session, on_notice: OnNotice, report: Reporter, wake: Callable[[], None], *, calls: bool
    ) -> None:
        """Begin without a line; ``wake`` is called when something comes in, ``calls``: a lost line is called again."""
        self._session = session
        self._on_notice = on_notice
        self._report = report
        self._wake = wake
        self._calls = calls
        self._lost = False
        """There was a line and is none."""
        self._called_for = False
        """The player was told that a line is called for."""
        self._line: Transport | None = None
        self._lined_at = 0.0
        self.listening: asyncio.Task[bool] | None = None
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
        if not self._session.joined:
            # SPEC, "Resume": they are told why, and may come back with what fits.
            self._lost = True
            with contextlib.suppress(TransportError):
                for frame in self._session.data_to_send():
                    await link.send(frame)
                await link.close()
            return False
        self._line, self._lined_at = link, time.monotonic()
        self.listening = asyncio.create_task(self._listen(link))
        # A resumed match has lost no line yet, but may have told of calls for one.
        if self._lost or self._called_for:
            self._on_notice(LineBack())
        self._lost = self._called_for = False
        self._report({"event": "line", "state": "connected"})
        return True

    def go_on(self) -> None:
        """Listen to the line after the match, whose record is written."""
        self._session.shut = True
        if self._line is not None:
            self.listening = asyncio.create_task(self._listen(self._line))

    def hand_over(self) -> Transport | None:
        """Return the line, which is for somebody else from here on; nobody listens to it."""
        line, self._line, self.listening = self._line, None, None
        return line

    async def send(self, frame: bytes) -> None:
        """Send a frame; what a lost line swallows, the next one asks for."""
        with contextlib.suppress(TransportError):
            if self._line is not None:
                await self._line.send(frame)

    def lose(self) -> None:
        """Note that the line has ended in the middle of the match; what we do from now on waits for the next one."""
        self._session.part(now())
        self._report({"event": "line", "state": "lost"})
        if self._session.differs:
            # The player knows why; until it is mended, lines come and go.
            return
        self._lost = True
        if not self._session.over:
            self._on_notice(LineLost(self._calls))

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
        self._report({"event": "line", "state": "calling", "try": count, "next": pause})
        # In a fresh match the first line may still be being greeted: nothing is lost then, and the first call tells
        # nothing.
        fresh = not self._lost and not self._session.history
        if count in (TOLD_TRIES[1:] if fresh else TOLD_TRIES):
            self._called_for = True
            self._on_notice(LineTried(count, pause))

    async def _listen(self, line: Transport) -> bool:
        """Take what comes; return whether the line is still good, because nothing more is to come for now."""
        while True:
            try:
                frame = await line.receive()
            except TransportError as error:
                self._on_notice(Failed(error))
                return False
            if frame is None:
                return False
            self._session.receive_data(frame, now())
            self._wake()
            if self._session.broken:
                return False
            if self._session.afterwards.begins or (self._session.finished and not self._session.shut):
                return self._session.stopped is None
