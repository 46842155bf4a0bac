"""One match between a session, a line and a player: the only place where the three meet.

Everything new is stored, then sent, then told to the player.  The player is asked in a task of its own, so that a
person who thinks does not keep the line waiting.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Callable, Coroutine
from pathlib import Path
from random import SystemRandom
from typing import Any

from cli.dealing import Dealing
from cli.lines import FRESH_SECONDS, Lines
from cli.linestate import TOLD_TRIES, LineState
from cli.moment import now
from cli.players import Clocks, Ending, Player
from cli.text import checked, clocks
from cli.timekeeping import Timekeeper
from cli.whereabouts import Place
from cli.witnessing import Witnessing
from protocol import events as ev
from protocol import logfile
from protocol.commitments import SCHEMES
from protocol.errors import LocalProtocolError
from protocol.game import Choose, Hide, Request, Sealed
from protocol.journal import Entry, Journal, JournalError
from protocol.journal import State as JournalState
from protocol.logfile import LogError
from protocol.messages import AuditVerdict, Break, Envelope, Kind, Side, unpack_frame
from protocol.reunion import Reunion
from protocol.session import Session
from protocol.transport import Transport, TransportError
from storm_p2p import engine, game, views
from storm_p2p.board import FACTIONS
from storm_p2p.errors import RulesError
from storm_p2p.events import Event
from storm_p2p.game import Storm
from storm_p2p.state import Phase, State, Terms

FIRST_LINE_SECONDS = 20.0
"""How long the first line of a program may take to come, beyond the patience for a lost one."""

PATIENCE_AT_THE_END = 30.0
"""How long a lost line is waited for when only the last signatures are missing."""

HELD_BY_BOTH = "held by both"
"""What is kept with a match of which the other holds everything, too: nobody needs us for it any more."""

REFUSALS = 100
"""How often in a row a player may decide against the rules before the match is left."""

HUSH_SECONDS = 0.25
"""A question that is asked whether or not there is anything to decide is answered no sooner than this, so that the
time a program takes does not tell whether there was (SPEC.md, chapter 5)."""

SILENCE_SECONDS = 20.0
"""How long the last signatures of the other are waited for after the end."""

_SHUFFLE = SystemRandom().shuffle


Reporter = Callable[[dict[str, Any]], None]
"""Takes the lines of ``--json``."""


class Match:
    """One seat's match while it is played."""

    def __init__(
        self,
        session: Session,
        journal: Journal,
        player: Player,
        logs: Path,
        report: Reporter = lambda line: None,
        patience: float | None = None,
    ) -> None:
        """Make a match of what was agreed or stored.

        Args:
            session: our side of it.
            journal: where it is stored.
            player: who decides.
            logs: where the portable log is written.
            report: takes the lines of ``--json``.
            patience: for how many seconds a lost line is called again; without end when left out.
        """
        self.session = session
        self.journal = journal
        self.player = player
        self.logs = logs
        self.report = report
        self.storm: Storm = session.game  # type: ignore[assignment]  # the session carries any game
        self.shown = self.storm.begin(session.agreement.terms)
        """The state up to what the player has been told."""
        self.state = LineState()
        """What there is to say about the line."""
        self._patience = patience
        self._lines: Lines | None = None
        self._line: Transport | None = None
        self._lined_at = 0.0
        self._listening: asyncio.Task[None] | None = None
        self._asked: asyncio.Task[None] | None = None
        self._asked_at = -1
        self._setup: asyncio.Task[Any] | None = None
        self._wake = asyncio.Event()
        self._left = False
        self._failed: BaseException | None = None
        self.clock = Timekeeper(session, journal, self.player.told, report)
        self.witnessing = Witnessing(session, self.player.told, self._wake.set)
        self._dealing = Dealing(self.player.told)
        self._past: list[tuple[tuple[Event, ...], State]] = []
        for event in self._replayed():
            self._follow(event, tell=False)

    # -- the whole match --------------------------------------------------------------------------------

    async def play(self, lines: Lines) -> Ending:
        """Play until the match is over and held by both, the player leaves, or a lost line does not come back.

        Raises:
            JournalError: it can no longer be stored; nothing was sent that is not on disk.
        """
        self._lines = lines
        agreement = self.session.agreement
        terms = game.decode_terms(agreement.terms)
        faction = FACTIONS[self.session.seat]
        opponent = agreement.players[self.session.peer].name
        computer = (self.journal.kept("computer") or b"").decode()
        facts = {
            "match": agreement.match_id.hex(),
            # There is nobody to read the words to; and who would listen to the loopback?
            "words": "" if computer else " ".join(agreement.words),
            "computer": computer,
            "log": str(self.journal.path),
        }
        self.player.seated(faction, terms, opponent, facts, self)
        if self.session.history:
            # A match that is resumed begins where it stood.
            self.player.resumed(self._past, self._view())
            self._past = []
            if self.session.draw_offer is not None:
                self.player.told("draw-offered", "")
        elif terms.random_setup:
            self._dealing.begin()
        self._begin_setup(terms)
        # The first line has time to come, however little patience there is for a lost one.
        waiting_since = time.monotonic() + FIRST_LINE_SECONDS
        ticking = asyncio.create_task(self._tick())
        witnessing = asyncio.create_task(self.witnessing.run())
        try:
            await self._pump()
            while not self._finished():
                if self._line is None:
                    lines.call(self._unanswered)
                else:
                    waiting_since = time.monotonic()
                if not await self._something_happens(lines, self._time_left(waiting_since)):
                    break
                await self._pump()
        except asyncio.CancelledError:
            self._left = True
        finally:
            await self.witnessing.finish()
            await _stop(self._listening, ticking, witnessing, self._asked, self._setup)
            await self._drop()
        return self._ending()

    def _finished(self) -> bool:
        return self._left or self.session.finished or self.clock.leaving

    def _time_left(self, waiting_since: float) -> float | None:
        """Return how many seconds may pass without anything: the other's program may be gone for good."""
        if self._line is not None:
            return SILENCE_SECONDS if self.session.over else None
        patience = self._patience
        if self.session.over:
            patience = PATIENCE_AT_THE_END if patience is None else min(patience, PATIENCE_AT_THE_END)
        return None if patience is None else max(0.0, waiting_since + patience - time.monotonic())

    async def _something_happens(self, lines: Lines, seconds: float | None) -> bool:
        """Wait for a frame, an answer, a new line or the end of the old one; return whether there was any."""
        waking = asyncio.create_task(self._wake.wait())
        finding = asyncio.create_task(lines.found.get())
        waited: set[asyncio.Task[Any]] = {waking, finding} | ({self._listening} if self._listening else set())
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
        if self._listening in done and self._listening is not None:
            self._listening.result()
            # The other may still hear what he has asked for: that we hold everything, or why we stop.
            await self._pump()
            await self._lose()
        # It may have come after the waiting was over, in the same moment.
        if finding.done() and not finding.cancelled():
            await self._take(lines, *finding.result())
        return bool(done)

    async def _take(self, lines: Lines, link: Transport, reunion: Reunion) -> None:
        """Go on over a good line, unless there is one that is just as fresh."""
        if self._line is not None and time.monotonic() - self._lined_at < FRESH_SECONDS:
            with contextlib.suppress(TransportError):
                await link.close()
            return
        await self._drop()
        lines.rest()
        self.session.tick(now())
        self.session.join(reunion)
        self.clock.go_on_after_adjournment()
        self._line, self._lined_at = link, time.monotonic()
        self._listening = asyncio.create_task(self._listen(link))
        if self.state.lost:
            self.player.told("line-back", "the line is back")
        self.state.connected(link)
        self.report({"event": "line", "state": "connected"})

    async def _lose(self) -> None:
        """The line has ended; what we do from now on waits for the next one."""
        await self._drop()
        if self.session.finished or self._left:
            return
        self.session.part(now())
        self.state.lose()
        self.report({"event": "line", "state": "lost"})
        if not self.session.over:
            code = "line-lost" if self._patience == 0 else "line-calling"
            self.player.told(code, "expected the other program, got the end of the line")

    async def _drop(self) -> None:
        line, self._line = self._line, None
        await _stop(self._listening)
        self._listening = None
        if line is not None:
            with contextlib.suppress(TransportError):
                await line.close()

    def _unanswered(self, count: int, pause: float) -> None:
        self.state.unanswered(count, pause)
        self.report({"event": "line", "state": "calling", "try": count, "next": pause})
        if count in TOLD_TRIES:
            self.player.told("line-tried", self.state.words())

    async def _listen(self, line: Transport) -> None:
        while True:
            try:
                frame = await line.receive()
            except TransportError as error:
                self.player.told(error.code, error.sentence)
                return
            if frame is None:
                return
            self.session.receive_data(frame, now())
            self._wake.set()
            if self.session.broken or self.session.finished:
                return

    async def _tick(self) -> None:
        try:
            await self.clock.tick()
        except JournalError as error:
            self._failed = error
            self._wake.set()

    async def _pump(self) -> None:
        """Store, send, tell, ask, until nothing is left to do."""
        while True:
            self._store()
            frames = self.session.data_to_send()
            for frame in frames:
                # What a lost line swallows, the next one asks for.
                with contextlib.suppress(TransportError):
                    if self._line is not None:
                        await self._line.send(frame)
            events = self.session.events_received()
            for event in events:
                self._follow(event, tell=True)
            if not frames and not events and not self._answer_for_the_player():
                break
        self.witnessing.news()
        self._ask()

    def _store(self) -> None:
        records = self.session.records_to_store()
        if records:
            self.journal.append([Entry(_is_ours(record.frame, self.session.seat), record) for record in records])

    # -- telling ----------------------------------------------------------------------------------------

    def _replayed(self) -> list[ev.Event]:
        """Return what had happened before this program started."""
        played: dict[int, list[tuple[Request, Any]]] = {}
        seats: dict[int, int] = {}
        for step in self.session.history:
            seats[step.seq] = step.seat
            answers = played.setdefault(step.seq, [])
            if step.answer is not None and step.before.request is not None:
                answers.append((step.before.request, step.answer))
        return [ev.Answered(seq, seats[seq], tuple(answers)) for seq, answers in played.items()]

    def _view(self) -> State:
        return game.owner_view(self.shown, self.session.known)

    def _follow(self, event: ev.Event, *, tell: bool) -> None:
        if tell:
            self.clock.follow(event)
        match event:
            case ev.Answered():
                self._dealing.follow(event.answers, tell=tell)
                happened: tuple[Event, ...] = ()
                for _, answer in event.answers:
                    self.shown, more = self.storm.happened(self.shown, answer)
                    happened += more
                if tell:
                    self._tell_checks(event)
                    self.report({"event": "message", "seq": event.seq, "type": _type(event)})
                    if happened:
                        self.player.happened(happened, self._view())
                elif happened:
                    self._past.append((happened, self._view()))
            case ev.ChatReceived() if tell and event.seat != self.session.seat:
                self.player.heard(event.text)
            case ev.DrawOffered() | ev.DrawAccepted() | ev.DrawDeclined() | ev.DrawLapsed() | ev.Resigned() if tell:
                if event.seat != self.session.seat:
                    self.player.told(_WORDS[type(event)], "")
            case ev.PlaceTold() if tell:
                if event.candidates:
                    self._moved(Place(event.pin, event.candidates))
            case ev.Disagreement(evidence=(frame,)) if tell:
                # Signed by the other: what he claims to hold of ours.
                self.journal.keep("fork", frame)
                self.player.told(event.code, event.sentence)
            case ev.Damaged() | ev.Disagreement() | ev.PeerMisbehaved() if tell:
                self.player.told(event.code, event.sentence)
            case _:
                pass

    def _tell_checks(self, event: ev.Answered) -> None:
        """Say what the other's message has proved without telling it."""
        if event.seat == self.session.seat:
            return
        for request, answer in event.answers:
            proved = checked.line(self.session.agreement.scheme, request, answer)
            if proved is not None and not self._dealing.repeats(request, answer):
                self.player.told("checked", proved)

    def _moved(self, place: Place) -> None:
        """Keep where the other can be called from now on."""
        for word, value in place.kept().items():
            self.journal.keep(word, value)
        if self._lines is not None:
            self._lines.place = place

    # -- asking -----------------------------------------------------------------------------------------

    def _answer_for_the_player(self) -> bool:
        """Answer what the program answers by itself; return whether there was anything."""
        request = self.session.asks_us
        if request is None:
            return False
        found = game.automatic(self.session.state, request, self.session.known, _SHUFFLE)
        if found is None:
            return False
        said, secret = found
        self.session.act(said, secret, now=now())
        return True

    def _begin_setup(self, terms: Terms) -> None:
        if self.session.seq == 0 and not terms.random_setup:
            # Both can think at the same time, whoever's message comes first.
            self._setup = asyncio.create_task(_coroutine(self.player.place()))

    def _ask(self) -> None:
        request = self.session.asks_us
        busy = self._asked is not None and not self._asked.done()
        if request is None or self.session.over:
            if busy and self._asked is not None:
                self._asked.cancel()
            return
        if busy and self._asked_at == self.session.seq:
            return
        if self._asked is not None and busy:
            self._asked.cancel()
        self._asked_at = self.session.seq
        self._asked = asyncio.create_task(self._decide(request))

    async def _decide(self, request: Request) -> None:
        """Ask the player until the answer is legal, and act."""
        try:
            if isinstance(request, Hide):
                if self._setup is None:
                    self._setup = asyncio.create_task(_coroutine(self.player.place()))
                units = await asyncio.shield(self._setup)
                self.session.act(None, tuple(int(unit) for unit in units), now=now())
            elif isinstance(request, Choose | Sealed):
                await self._decide_action()
        except asyncio.CancelledError:
            raise
        except BaseException as error:
            self._failed = error
        self._wake.set()

    async def _decide_action(self) -> None:
        for _ in range(REFUSALS):
            # The session is ahead of what the player was told by its own forced steps only.
            state = game.owner_view(self.session.state, self.session.known)
            asked_at = now()
            action = await self.player.decide(state)
            if state.phase == Phase.AID:
                await asyncio.sleep(max(0.0, asked_at + HUSH_SECONDS - now()))
            try:
                engine.check(state, action)
                said, parts = game.wire_form(self.session.state, action, self.session.known)
                self.session.act(said, parts, now=now())
            except RulesError as error:
                self.player.told(error.code, str(error))
                continue
            except LocalProtocolError as error:
                self.player.told(error.code, str(error))
                if self.session.asks_us is None:
                    return
                continue
            return
        self.leave()

    # -- what the player may do at any time ----------------------------------------------------------------

    def say(self, text: str) -> None:
        """Send a line of chat."""
        self._do(lambda: self.session.chat(text))

    def resign(self) -> None:
        """Give up."""
        self._do(self.session.resign)

    def offer_draw(self) -> None:
        """Offer a draw."""
        self._do(self.session.offer_draw)

    def accept_draw(self) -> None:
        """Accept the draw that is on offer."""
        self._do(self.session.accept_draw)

    def decline_draw(self) -> None:
        """Decline the draw that is on offer."""
        self._do(self.session.decline_draw)

    def propose(self, what: Break) -> None:
        """Propose a break."""
        self._do(lambda: self.session.propose(what, now=now()))

    def agree(self) -> None:
        """Agree to the break that is proposed."""
        self._do(lambda: self.session.agree(now=now()))

    def reject(self) -> None:
        """Reject the break that is proposed."""
        self._do(lambda: self.session.reject(now=now()))

    def go_on(self) -> None:
        """End the break."""
        self._do(lambda: self.session.go_on(now=now()))

    def claim(self) -> None:
        """Claim the match for time or absence."""
        self._do(lambda: self.session.claim(now=now()))

    def concede(self) -> None:
        """Sign that the other's claim is right."""
        self._do(lambda: self.session.concede(now=now()))

    def deny(self) -> None:
        """Deny the other's claim."""
        self._do(lambda: self.session.deny(now=now()))

    def clocks(self) -> Clocks | None:
        """Return what the clocks show; None without any."""
        face = self.session.face(now())
        if face is None:
            return None
        seat = self.session.seat
        running = None if face.running is None else face.running == seat
        return Clocks(face.left[seat], face.left[1 - seat], running)

    def leave(self) -> None:
        """Leave the match; it is saved."""
        self._left = True
        self._wake.set()

    def _do(self, act: Callable[[], None]) -> None:
        try:
            act()
        except LocalProtocolError as error:
            raise ValueError(clocks.refused(error.code, str(error))) from None
        self._wake.set()

    # -- the end ----------------------------------------------------------------------------------------

    def _ending(self) -> Ending:
        with contextlib.suppress(JournalError):
            self._store()
            self.clock.keep()
        session = self.session
        result = session.result if session.over else None
        problems = [problem.text for problem in session.problems or ()]
        stopped = session.stopped
        if isinstance(stopped, ev.PeerMisbehaved | ev.Disagreement):
            problems.insert(0, stopped.sentence)
        path = str(self.journal.path)
        if session.over or self.clock.adjourned:
            try:
                path = str(self.export())
                if session.over:
                    self.journal.end(JournalState.FINISHED, Path(path))
                    if session.finished:
                        self.journal.keep(HELD_BY_BOTH, b"yes")
            except (LogError, JournalError) as error:
                self.player.told(error.code, error.sentence)
        held = ""
        if isinstance(stopped, ev.Disagreement):
            with contextlib.suppress(OSError):
                place = Path(path).with_suffix(".position.json")
                place.write_bytes(stopped.state)
                held = str(place)
        return Ending(
            winner=None if result is None else result["winner"],
            reason="unfinished" if result is None else result["reason"],
            audited=session.audited and session.closed,
            log=path,
            problems=tuple(problems),
            opened=views.with_secrets(self.shown.game, session.opened) if session.audited else None,
            proved=session.agreement.scheme == SCHEMES[0] and not problems,
            held=held,
        )

    def export(self) -> Path:
        """Write the portable log and return where it is (SPEC.md, "Log file")."""
        return export(self.session, self.journal, self.logs)


def export(session: Session, journal: Journal, folder: Path) -> Path:
    """Write the portable log of a match as it stands and return where it is.

    Raises:
        protocol.logfile.LogError: it cannot be written.
    """
    data = logfile.dump(session.records, session.seat, session.sign_log)
    match = journal.match
    name = logfile.file_name(match.started_at, match.opponent or "unknown", session.agreement.match_id)
    return logfile.write(folder, name, data)


_WORDS: dict[type, str] = {
    ev.DrawOffered: "draw-offered",
    ev.DrawAccepted: "draw-accepted",
    ev.DrawDeclined: "draw-declined",
    ev.DrawLapsed: "draw-lapsed",
    ev.Resigned: "opponent-resigned",
}


def _type(event: ev.Answered) -> str:
    if not event.answers:
        return "seal"
    request = event.answers[0][0]
    return str(getattr(request, "kind", type(request).__name__.lower()))


def _is_ours(frame: bytes, seat: int) -> bool:
    """Return whether a frame of a running match is by ``seat``."""
    kind, values = unpack_frame(frame)
    if kind is Kind.ENVELOPE:
        return Envelope.unpack(values[0]).seat == seat
    if kind is Kind.SIDE:
        return Side.unpack(values[0]).seat == seat
    if kind is Kind.VERDICT:
        return AuditVerdict.unpack(values[0]).seat == seat
    return bool(values) and values[0] == seat


async def _coroutine(wanted: Coroutine[Any, Any, Any]) -> Any:
    return await wanted


async def _stop(*tasks: asyncio.Task[Any] | None) -> None:
    for task in tasks:
        if task is not None:
            task.cancel()
    await asyncio.gather(*(task for task in tasks if task is not None), return_exceptions=True)
