"""One match between a session, a line and a player: the only place where the three meet.

Everything new is stored, then sent (``Connection``), then told to the participant (``EventForwarder``), who is asked
at last (``DecisionLoop``).  What a player does without being asked goes through ``Controls``.
"""

import asyncio
import contextlib
import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from cli import notices
from cli.clean import clean
from cli.match.player import (
    Clocks,
    Controls,
    Decided,
    Ending,
    Heard,
    Next,
    Noticed,
    Participant,
    Player,
    Remark,
    Seated,
    notices_to,
)
from cli.match.publishing import Publication, Publisher
from cli.match.stored import chat_of, conclude, finish
from cli.match.timekeeping import Timekeeper
from cli.match.witnessing import Witnessing
from cli.meeting.exchange import Exchange, ExchangeError
from cli.meeting.lines import FRESH_SECONDS, Lines
from cli.meeting.reachability import PeerEndpoint
from cli.notices import OnNotice
from cli.runtime.console import Reporter, now, stop
from cli.text.failures import rules_number
from protocol.core import events
from protocol.core.afterwards import NONCE_LENGTH
from protocol.core.game_data import EventTerms
from protocol.core.handshake import HandshakeFailed
from protocol.core.resume_handshake import ResumeHandshake
from protocol.core.session import Session
from protocol.errors import LocalProtocolError
from protocol.game import Answer, Choose, Hide, Request, Sealed, other
from protocol.reach.formats.outside import UNSEEN, Seen
from protocol.record.journal import Journal, JournalError
from protocol.record.logfile import LogError
from protocol.tournament.exchange import CAPABILITY
from protocol.transport import Transport, TransportError

TOLD_TRIES = (1, 4, 8, 20)
"""Which calls that nobody answered are told to the player."""


@dataclass(slots=True)
class Connection:
    """The line of one match, if there is one now."""

    _session: Session
    _on_notice: OnNotice
    _report: Reporter
    _wake: Callable[[], None]
    """Is called when something comes in."""
    _calls: bool
    """Whether a lost line is called again."""
    _lost: bool = False
    """There was a line and is none."""
    _called_for: bool = False
    """The player was told that a line is called for."""
    _line: Transport | None = None
    _lined_at: float = 0.0
    listening: asyncio.Task[bool] | None = None
    """Listens to the line; it is done when the line has ended."""
    _resumed: bool = field(init=False)
    """Whether the match had begun before this program was started."""

    def __post_init__(self) -> None:
        self._resumed = bool(self._session.transcript.history)

    @property
    def up(self) -> bool:
        """Whether there is a line."""
        return self._line is not None

    async def take(self, link: Transport, resume_handshake: ResumeHandshake) -> bool:
        """Go on over a good line, unless there is one that is just as fresh; return whether it was taken."""
        if self._line is not None and time.monotonic() - self._lined_at < FRESH_SECONDS:
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
            self._on_notice(notices.LineBack())
        self._lost = self._called_for = False
        self._report({"event": "line", "state": "connected"})
        self._report({"event": "way", "by": link.way[0]})
        return True

    def go_on(self) -> None:
        """Listen to the line after the match, whose record is written."""
        self._session.afterwards.shut = True
        if self._line is not None:
            self.listening = asyncio.create_task(self._listen(self._line))

    async def pause(self) -> Transport | None:
        """Return the line, to which somebody else listens until :meth:`go_on`."""
        await stop(self.listening)
        self.listening = None
        return self._line

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
            self._on_notice(notices.LineLost(self._calls))

    async def drop(self) -> None:
        """Close the line, if there is one."""
        line, self._line = self._line, None
        await stop(self.listening)
        self.listening = None
        if line is not None:
            await line.close()

    def unanswered(self, count: int, pause: float) -> None:
        """Call number ``count`` has led to nobody, and the next one follows in ``pause`` seconds."""
        self._report({"event": "line", "state": "calling", "try": count, "next": pause})
        # In a fresh match the first line may still be being greeted: nothing is lost then, and the first call tells
        # nothing.
        if count in (TOLD_TRIES if self._lost or self._resumed else TOLD_TRIES[1:]):
            self._called_for = True
            self._on_notice(notices.LineTried(count, pause))

    async def _listen(self, line: Transport) -> bool:
        """Take what comes; return whether the line is still good, because nothing more is to come for now."""
        while True:
            try:
                frame = await line.receive()
            except TransportError as error:
                self._on_notice(notices.Failed(error))
                return False
            if frame is None:
                return False
            self._session.receive_data(frame, now())
            self._wake()
            if self._session.broken:
                return False
            if self._session.afterwards.begins or (self._session.finished and not self._session.afterwards.shut):
                return self._session.stopped is None


@dataclass(slots=True)
class EventForwarder:
    """What is told to the participant of one match."""

    _session: Session
    _journal: Journal
    _participant: Participant
    _clock: Timekeeper
    _report: Reporter
    _moved: Callable[[PeerEndpoint], None]
    """Learns where the other can be called from now on."""

    @property
    def _on_notice(self) -> OnNotice:
        return notices_to(self._participant)

    def begin(self, controls: Controls) -> None:
        """Tell who plays, and what had happened before this program started."""
        session = self._session
        computer = self._journal.read_word("computer") or ""
        seated = Seated(
            session.seat,
            session.agreement.terms,
            session.agreement.players[session.peer].name,
            controls,
            match=session.agreement.match_id.hex(),
            # There is nobody to read the words to; and who would listen to the loopback?
            words="" if computer else " ".join(session.agreement.words),
            key=session.agreement.players[session.peer].identity,
            log=str(self._journal.path),
            computer=computer,
            aids=session.agreement.conditions.aids,
            watched=session.agreement.conditions.watched,
        )
        self._participant.begin(session, seated)
        said = [Remark(after, seat == session.seat, text) for after, seat, text in chat_of(session.records)]
        if session.transcript.history or said:
            # A match that is resumed begins where it stood; both may have talked before the first message.
            self._participant.resume(self._replayed(), said)
        if session.side_channel.draw_offer is not None:
            self._on_notice(events.DrawOffered(session.peer, session.side_channel.draw_offer))
        self._clock.resume()

    def follow(self, event: events.Event) -> None:
        """Tell the player what has happened just now."""
        self._clock.follow(event)
        match event:
            case events.Answered():
                self._report({"event": "message", "seq": event.seq, "type": _type(event)})
                self._participant.tell(event)
            case events.ChatReceived():
                # A line of which nothing can be shown is none.
                if event.seat != self._session.seat and clean(event.text):
                    self._participant.tell(Heard(event.text))
            case events.EndpointTold():
                seen = UNSEEN
                with contextlib.suppress(ValueError):
                    seen = Seen.unpack(event.seen)
                if event.candidates or seen.addresses:
                    self._follow_move(PeerEndpoint(event.pin, event.candidates, seen))
            case events.RecordsDiffer():
                if event.resume:
                    # Signed by the other: what they claim to hold of ours.
                    self._journal.keep("fork", event.resume)
                self._on_notice(event)
            case events.Damaged() | events.Disagreement() | events.PeerMisbehaved():
                self._on_notice(event)
            case events.RematchOffered() | events.RematchDeclined() if event.seat != self._session.seat:
                state = "offered" if isinstance(event, events.RematchOffered) else "declined"
                self._report({"event": "rematch", "state": state, "seat": self._session.game.sides[event.seat]})
                self._on_notice(event)
            case _ if isinstance(event, notices.WordOfOther) and event.seat != self._session.seat:
                self._on_notice(event)
            case _:
                pass

    def _follow_move(self, place: PeerEndpoint) -> None:
        """Keep where the other can be called from now on."""
        for word, value in place.kept().items():
            self._journal.keep(word, value)
        self._moved(place)

    def _replayed(self) -> list[events.Answered]:
        """Return what had happened before this program started."""
        played: dict[int, list[tuple[Request, Answer]]] = {}
        seats: dict[int, int] = {}
        for step in self._session.transcript.history:
            seats[step.seq] = step.seat
            answers = played.setdefault(step.seq, [])
            if step.answer is not None and step.before.request is not None:
                answers.append((step.before.request, step.answer))
        return [events.Answered(seq, seats[seq], tuple(answers)) for seq, answers in played.items()]


def _type(event: events.Answered) -> str:
    if not event.answers:
        return "seal"
    request = event.answers[0][0]
    return str(getattr(request, "kind", type(request).__name__.lower()))


REFUSALS = 100
"""How often in a row a player may decide against the rules before the match is left."""


@dataclass(slots=True)
class DecisionLoop:
    """The questions of one match."""

    _session: Session
    _participant: Participant
    _leave: Callable[[], None]
    _wake: Callable[[], None]
    """Is called when there is a decision."""
    _fail: Callable[[BaseException], None]
    """Is called with an error of a program."""
    _asked: asyncio.Task[None] | None = None
    _asked_at: int = -1
    _ahead: "asyncio.Task[Decided | None] | None" = None

    @property
    def tasks(self) -> tuple[asyncio.Task[None] | asyncio.Task["Decided | None"] | None, ...]:
        """What has to be stopped at the end."""
        return self._asked, self._ahead

    def begin(self) -> None:
        """Ask for what can be decided ahead."""
        ahead = self._participant.ahead()
        if ahead is not None:
            self._ahead = asyncio.create_task(ahead)

    def answer_by_itself(self) -> bool:
        """Answer what the program answers without the player; return whether there was anything."""
        request = self._session.asks_us
        found = None if request is None else self._participant.answer(request)
        if found is None:
            return False
        self._session.act(*found, now=now())
        return True

    def ask(self) -> None:
        """Ask what is to be decided now, unless that is asked already; take back what is no longer asked."""
        request = None if self._session.over else self._session.asks_us
        if self._asked is not None and not self._asked.done():
            if request is not None and self._asked_at == self._session.transcript.length:
                return
            self._asked.cancel()
        if request is not None:
            self._asked_at = self._session.transcript.length
            self._asked = asyncio.create_task(self._decide(request))

    async def _decide(self, request: Request) -> None:
        """Ask until the answer is legal, and act."""
        try:
            if isinstance(request, Hide):
                if self._ahead is None:
                    self._ahead = asyncio.create_task(self._participant.decide(request))
                # What was thought of is not lost when the question is taken back.
                found = await asyncio.shield(self._ahead)
                assert found is not None, "the rules refuse nothing that is hidden"
                said, secret = found
                self._session.act(said, secret, now=now())
            elif isinstance(request, Choose | Sealed):
                await self._decide_openly(request)
        except asyncio.CancelledError:
            raise
        except BaseException as error:
            self._fail(error)
        else:
            self._wake()

    async def _decide_openly(self, request: Request) -> None:
        for _ in range(REFUSALS):
            decided = await self._participant.decide(request)
            if decided is None:
                continue
            try:
                self._session.act(*decided, now=now())
            except LocalProtocolError as error:
                self._participant.tell(Noticed(notices.Failed(error)))
                if self._session.asks_us is not None:
                    continue
            return
        self._leave()


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
        self,
        session: Session,
        journal: Journal,
        participant: Participant,
        logs: Path,
        report: Reporter = lambda line: None,
        patience: float | None = None,
        publication: Publication | None = None,
    ) -> None:
        """Make a match of what was agreed or stored.

        A lost line is called again for ``patience`` seconds; without end when they are left out.  Others may watch what
        is published as ``publication`` says.
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
        self._held_back: list[bytes] = []
        """What has come while files were exchanged."""
        session.side_channel.on_change = session.afterwards.on_change = self._wake.set
        self.controls = Controls(session.side_channel, self.leave, self._clocks)
        """What the player may do at any time."""
        self._on_notice: OnNotice = notices_to(participant)
        self.clock = Timekeeper(session, journal, self._on_notice, report)
        self._witnessing = Witnessing(session, self._on_notice, self._wake.set)
        self._publisher = None if publication is None else Publisher(session, publication, self._on_notice, journal)
        self._connection = Connection(session, self._on_notice, report, self._wake.set, patience != 0)
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
        publishing = None if self._publisher is None else asyncio.create_task(self._publisher.run())
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
            await stop(ticking, witnessing, publishing, *self._decisions.tasks)
            if self._publisher is not None:
                await self._publisher.finish()
            if self._left or not self.session.finished or self.session.stopped is not None:
                await self._connection.drop()
        return self._ending()

    async def exchange(self, files: Exchange) -> None:
        """Let both have what either has of their tournament, as soon as both hold the match; a broken line ends it."""
        session, line = self.session, await self._connection.pause()
        knows = CAPABILITY in session.agreement.capabilities
        if line is None or not knows or not session.finished or session.stopped is not None:
            return
        try:
            await (files.begin(line) if session.seat == session.agreement.host_seat else files.answer(line))
        except ExchangeError:
            await self._connection.drop()
        self._held_back = files.others

    def tell_next(self, place: EventTerms) -> None:
        """Let the player offer the next game of the tournament over the same line."""
        if CAPABILITY in self.session.agreement.capabilities:
            self.session.afterwards.next_place = (place.event, place.round, place.table, place.game)
            self._report({"event": "next-game", "place": place.place})
            self._on_notice(notices.NextGame(place.place))

    async def linger(self, player: Player, *, rematches: int = 0) -> Rematch | Next:
        """Let the player look at the end and talk; return the line for a rematch, or what else comes next.

        A player who is no person offers a rematch while ``rematches`` are left to play.
        """
        lines, session, afterwards = self._lines, self.session, self.session.afterwards
        computer = self._journal.read_kept("computer") is not None
        if computer or lines is None or not session.finished or session.stopped is not None:
            await self._connection.drop()
            return await player.linger()
        self._connection.go_on()
        for frame in self._held_back:
            session.receive_data(frame, now())
        self._held_back = []
        choosing = asyncio.create_task(self._wait(REMATCH_SECONDS) if rematches else player.linger())
        choosing.add_done_callback(lambda task: self._wake.set())
        try:
            await self._pump()
            while not choosing.done():
                if rematches and not self._alone.is_set():
                    # An offer ends with its line and is made again on the next one; one that stands is not repeated.
                    with contextlib.suppress(LocalProtocolError):
                        afterwards.offer(secrets.token_bytes(NONCE_LENGTH))
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
        self._on_notice(events.OtherLeft(seat) if self._other_left else notices.LineLost(calls=True))

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
        self._on_notice(notices.RematchFailed(why))

    def leave(self) -> None:
        """Leave the match; it is saved."""
        self._left = True
        self._wake.set()

    def _follow(self, event: events.Event) -> None:
        self._other_left = self._other_left or isinstance(event, events.OtherLeft)
        if isinstance(event, events.OtherLeft | events.RematchDeclined):
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
        waited: set[asyncio.Task[object]] = {waking, finding} | ({listening} if listening else set())
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
            # The other may still hear what they have asked for: that we hold everything, or why we stop.
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

    def _clocks(self) -> Clocks | None:
        """Return what the clocks show to our player; None without any."""
        face, seat = self.session.clock.face(now()), self.session.seat
        if face is None:
            return None
        running = None if face.running is None else face.running == seat
        return Clocks(face.left[seat], face.left[other(seat)], running)

    async def _pump(self) -> None:
        """Store, send, tell, ask, until nothing is left to do."""
        while True:
            self._store()
            frames = self.session.data_to_send()
            for frame in frames:
                await self._connection.send(frame)
            received = self.session.events_received()
            for event in received:
                self._follow(event)
            if not frames and not received and not self._decisions.answer_by_itself():
                break
        self._witnessing.news()
        if self._publisher is not None:
            self._publisher.news()
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
            self._on_notice(notices.OtherRules(version))

    def _moved(self, place: PeerEndpoint) -> None:
        """Call the other there from now on."""
        if self._lines is not None:
            self._lines.place = place

    def _ending(self) -> Ending:
        with contextlib.suppress(JournalError):
            self._store()
            self.clock.keep()
        return conclude(self.session, self._journal, self._logs, self._on_notice, adjourned=self.clock.adjourned)
