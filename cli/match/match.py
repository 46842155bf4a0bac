"""One match between a session, a line and a player: the only place where the three meet.

Everything new is stored, then sent (``connection``), then told to the participant (``event_forwarder``), who is asked
at last (``decision_loop``).  What a player does without being asked goes through ``controls``.
"""

import asyncio
import contextlib
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cli.match.connection import Connection
from cli.match.decision_loop import DecisionLoop
from cli.match.ending import conclude
from cli.match.event_forwarder import EventForwarder
from cli.match.player import Controls, Ending, Next, Participant, Player
from cli.match.stored import finish
from cli.match.timekeeping import Timekeeper
from cli.match.witnessing import Witnessing
from cli.meeting.lines import Lines
from cli.meeting.reachability import TheirDoor
from cli.notices import LineLost, OtherRules, RematchFailed
from cli.runtime.console import Reporter, now, stop
from cli.text.failures import rules_number
from protocol.core.events import Event, OtherLeft, RematchDeclined
from protocol.core.handshake import HandshakeFailed
from protocol.core.session import Session
from protocol.errors import LocalProtocolError
from protocol.record.journal import Journal, JournalError
from protocol.record.logfile import LogError
from protocol.transport import Transport

FIRST_LINE_SECONDS = 20.0
"""How long the first line of a program may take to come, beyond the patience for a lost one."""

PATIENCE_AT_THE_END = 30.0
"""How long a lost line is waited for when only the last signatures are missing."""

SILENCE_SECONDS = 20.0
"""How long the last signatures of the other are waited for after the end."""


REMATCH_SECONDS = 60.0
"""How long a player who is no person waits for the other to want a rematch, too."""


@dataclass(frozen=True, slots=True)
class Rematch:
    """Both want another match over the same line."""

    link: Transport
    secret: bytes
    """In place of an invite's."""


class Match:
    """One seat's match while it is played."""

    def __init__(
        self, session: Session, journal: Journal, participant: Participant, logs: Path,
        report: Reporter = lambda line: None, patience: float | None = None,
    ) -> None:  # fmt: skip
        """Make a match of what was agreed or stored.

        A lost line is called again for ``patience`` seconds; without end when they are left out.
        """
        self.session = session
        self._journal = journal
        self._participant = participant
        self._logs = logs
        self._patience = patience
        self._report = report
        self._lines: Lines | None = None
        self._wake = asyncio.Event()
        self._left = False
        self._other_rules = False
        self._other_left = False
        """Whether the other has hung up after the match."""
        self._alone = asyncio.Event()
        """That is so, or the other does not want a rematch."""
        self._failed: BaseException | None = None
        self.controls = Controls(session, self.leave, self._wake.set)
        """What the player may do at any time."""
        self.clock = Timekeeper(session, journal, participant.on_notice, report)
        self._witnessing = Witnessing(session, participant.on_notice, self._wake.set)
        self._connection = Connection(session, participant.on_notice, report, self._wake.set, calls=patience != 0)
        self._forwarder = EventForwarder(session, journal, participant, self.clock, report, self._moved)
        self._decisions = DecisionLoop(session, participant, self.leave, self._wake.set, self._fail)

    async def play(self, lines: Lines) -> Ending:
        """Play until the match is over and held by both, the player leaves, or a lost line does not come back.

        Raises:
            JournalError: it can no longer be stored; nothing was sent that is not on disk.
        """
        self._lines = lines
        lines.on_other_rules = self._tell_other_rules
        self._forwarder.begin(self.controls)
        self._decisions.begin()
        # The first line has time to come, however little patience there is for a lost one.
        waiting_since = time.monotonic() + FIRST_LINE_SECONDS
        ticking = asyncio.create_task(self._tick())
        witnessing = asyncio.create_task(self._witnessing.run())
        try:
            await self._pump()
            while not self._finished():
                if self._connection.up:
                    waiting_since = time.monotonic()
                else:
                    lines.call(self._connection.unanswered)
                if not await self._something_happens(lines, self._time_left(waiting_since)):
                    break
                await self._pump()
        except asyncio.CancelledError:
            self._left = True
        finally:
            await self._witnessing.finish()
            await stop(ticking, witnessing, *self._decisions.tasks)
            if self._left or not self.session.finished or self.session.stopped is not None:
                await self._connection.drop()
        return self._ending()

    async def linger(self, player: Player, *, rematches: int = 0) -> Rematch | Next:
        """Let the player look at the end and talk; return the line for a rematch, or what else comes next.

        A player who is no person offers a rematch while ``rematches`` are left to play.
        """
        lines, afterwards = self._lines, self.session.afterwards
        computer = self._journal.read_kept("computer") is not None
        if computer or lines is None or not self.session.finished or self.session.stopped is not None:
            await self._connection.drop()
            return await player.linger()
        self._connection.go_on()
        choosing = asyncio.create_task(self._wait(REMATCH_SECONDS) if rematches else player.linger())
        choosing.add_done_callback(lambda task: self._wake.set())
        try:
            await self._pump()
            while not choosing.done():
                if rematches and not self._alone.is_set():
                    # An offer ends with its line and is made again on the next one; one that stands is not repeated.
                    with contextlib.suppress(LocalProtocolError):
                        self.controls.offer_rematch()
                if afterwards.begins:
                    link = self._connection.hand_over()
                    assert link is not None, "what begins has come over a line"
                    return Rematch(link, afterwards.secret)
                if not self._connection.up and afterwards.is_known and not self._other_left:
                    lines.call(lambda count, pause: None)
                await self._meanwhile(lines)
                await self._pump()
            afterwards.leave()
            await self._pump()
            return choosing.result()
        finally:
            await stop(choosing, self._connection.listening)
            await self._connection.drop()

    async def _meanwhile(self, lines: Lines) -> None:
        """Wait for the next thing after the match; tell it if the line is lost or the other has left."""
        afterwards = self.session.afterwards
        up = self._connection.up
        await self._something_happens(lines, None)
        if not up or self._connection.up or self._other_left:
            return
        self.session.part(now())
        self._other_left = not afterwards.is_known
        if self._other_left:
            self._alone.set()
        seat = self.session.peer
        self._participant.on_notice(OtherLeft(seat) if self._other_left else LineLost(calls=True))

    async def _wait(self, seconds: float) -> Next:
        """Wait for the other, who is no person's business."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._alone.wait()
        return Next.LEAVE

    def tell_no_rematch(self, why: HandshakeFailed | None) -> None:
        """Say that the rematch has not begun, and why; None stands for a line that broke."""
        self.session.part(now())
        self._report({"event": "rematch", "state": "failed", "code": "lost" if why is None else why.code})
        self._participant.on_notice(RematchFailed(why))

    def leave(self) -> None:
        """Leave the match; it is saved."""
        self._left = True
        self._wake.set()

    def _follow(self, event: Event) -> None:
        self._other_left = self._other_left or isinstance(event, OtherLeft)
        if isinstance(event, OtherLeft | RematchDeclined):
            self._alone.set()
        self._forwarder.follow(event)

    def _finished(self) -> bool:
        return self._left or self.session.finished or self.clock.leaving

    def _time_left(self, waiting_since: float) -> float | None:
        """Return how many seconds may pass without anything: the other's program may be gone for good."""
        if self._connection.up:
            return SILENCE_SECONDS if self.session.over else None
        patience = self._patience
        if self.session.over:
            patience = PATIENCE_AT_THE_END if patience is None else min(patience, PATIENCE_AT_THE_END)
        return None if patience is None else max(0.0, waiting_since + patience - time.monotonic())

    async def _something_happens(self, lines: Lines, seconds: float | None) -> bool:
        """Wait for a frame, an answer, a new line or the end of the old one; return whether there was any."""
        waking = asyncio.create_task(self._wake.wait())
        finding = asyncio.create_task(lines.found.get())
        listening = self._connection.listening
        waited: set[asyncio.Task[Any]] = {waking, finding} | ({listening} if listening else set())
        try:
            done, _ = await asyncio.wait(waited, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
        finally:
            waking.cancel()
            # A line that comes in this very moment stays in the queue.
            if not finding.done():
                finding.cancel()
        self._wake.clear()
        if self._failed is not None:
            raise self._failed
        if listening is not None and listening in done:
            still_good = listening.result()
            # The other may still hear what he has asked for: that we hold everything, or why we stop.
            await self._pump()
            if not still_good:
                await self._connection.drop()
                if not (self.session.finished or self._left):
                    self._connection.lose()
        # It may have come after the waiting was over, in the same moment.
        if finding.done() and not finding.cancelled() and await self._connection.take(*finding.result()):
            lines.rest()
            self.clock.go_on_after_adjournment()
        return bool(done)

    async def _pump(self) -> None:
        """Store, send, tell, ask, until nothing is left to do."""
        while True:
            self._store()
            frames = self.session.data_to_send()
            for frame in frames:
                await self._connection.send(frame)
            events = self.session.events_received()
            for event in events:
                self._follow(event)
            if not frames and not events and not self._decisions.answer_by_itself():
                break
        self._witnessing.news()
        self._decisions.ask()

    def _store(self) -> None:
        """Write what is new, before anything of it is sent or told.

        Raises:
            JournalError: it can no longer be stored.
        """
        entries = self.session.records_to_store()
        if entries:
            self._journal.append(entries)
        if self.session.finished and (entries or not self._journal.is_erased):
            # At once: a program that is killed later has nothing left to sign with.  The end says what went wrong.
            with contextlib.suppress(JournalError, LogError):
                finish(self.session, self._journal)

    async def _tick(self) -> None:
        try:
            await self.clock.tick()
        except JournalError as error:
            self._fail(error)

    def _fail(self, error: BaseException) -> None:
        """End the match with an error of a task."""
        self._failed = error
        self._wake.set()

    def _tell_other_rules(self, version: str) -> None:
        """Say once that the other's program cannot go on with the match."""
        if not self._other_rules:
            self._other_rules = True
            self._report({"event": "other-rules", "rules": version if rules_number(version) else None})
            self._participant.on_notice(OtherRules(version))

    def _moved(self, place: TheirDoor) -> None:
        """Call the other there from now on."""
        if self._lines is not None:
            self._lines.place = place

    def _ending(self) -> Ending:
        with contextlib.suppress(JournalError):
            self._store()
            self.clock.keep()
        on_notice = self._participant.on_notice
        return conclude(self.session, self._journal, self._logs, on_notice, adjourned=self.clock.adjourned)
