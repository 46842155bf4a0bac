"""Where the connections of a match come from: those on which it may begin, and the lines of a running one.

Both call and both listen, and the first good line counts: one on which the other has proved to be the other (SPEC.md,
"Resume").  The match takes the lines and says when it needs one; here is what finds them.

Over the line of a match that is over comes the handshake of another ("After the match").  It is that of every match:
fresh keys, fresh nonces, a new journal.  The secret that both have just made takes the place of an invite's, each knows
identity and name of the other, and the terms are those of before with the seats exchanged.
"""

from __future__ import annotations

import asyncio
import secrets
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from functools import partial
from itertools import chain, islice, repeat
from typing import TypeAlias

from cli.meeting import meeting
from cli.meeting.meeting import Met, NoMatch, PendingInvite, Proposal, SeatDraw, Wishes
from cli.meeting.reachability import SEEN, LocalEndpoint, PeerEndpoint, Reachability
from cli.meeting.rendezvous import Rendezvous
from cli.runtime.console import stop
from cli.storage import unlock
from cli.storage.home import Home
from protocol.core.agreement import host_takes
from protocol.core.handshake import Offered
from protocol.core.resume_handshake import ResumeHandshake, StoredSeat
from protocol.core.session import Session
from protocol.core.wire import FRAME_LIMIT
from protocol.crypto.hashing import derive
from protocol.crypto.keys import identity_hash
from protocol.errors import Damage
from protocol.game import Seat, other
from protocol.transport import BURST, Allowance, Transport, TransportError
from protocol.transport.dialling import dial
from protocol.transport.listening import Listener
from protocol.transport.websocket import WebSocketTransport

RESUME_SECONDS = 10.0
"""How long the other's program may take to show that it is the other's."""

BACKOFF = (1.0, 2.0, 4.0, 8.0, 15.0, 30.0)
"""How many seconds pass between one call and the next; the last one from then on."""

FRESH_SECONDS = 2.0
"""How long a line is not given up for another one: when both call at once, the second one comes a moment later."""

QUICK_LINES = 8
"""How many lines are taken within as many times ``FRESH_SECONDS``: the player is told of each that comes and goes."""

GREETING = 100
"""How many pieces may come in any case on a line before the other has shown that they are the other."""

LINES = 3
"""How many connections a listener of a running match holds: the line, and callers who may be the other."""

_JUMP = 5.0
"""A clock that has gone on by so much more than the time that was slept: the machine was asleep."""

Found = tuple[Transport, ResumeHandshake]
"""A line, and what the other has shown on it."""

Told = Callable[[int, float], None]
"""Takes the number of a call that has failed, and in how many seconds the next one follows."""

Seated: TypeAlias = Session | StoredSeat
"""Our side of a match, whether or not its rules are here."""


def begin(
    met: Met, endpoint: LocalEndpoint, listener: Listener | None, place: PeerEndpoint | None, reachability: Reachability
) -> Lines:
    """Return the lines of a match that has begun or is taken up again, and tell the other where we listen.

    ``endpoint`` is ours, and ``place`` is where the other was last, if that is known; they are told of new ways, too.
    """
    reachability.moved = partial(_tell_where, met, endpoint, reachability)
    # The ways of a match that is taken up again may be open only later.
    if listener is not None and reachability.places:
        reachability.moved()
    lines = Lines(met.session, endpoint.secret, listener, place)
    lines.endpoint, lines.reachability = endpoint, reachability
    if reachability.rendezvous is not None:
        reachability.rendezvous.admit(line_secret(met.session, endpoint.secret))
    return lines


def _tell_where(met: Met, endpoint: LocalEndpoint, reachability: Reachability) -> None:
    """Tell the other where they can call us and how we are seen, on this line and on every later one."""
    candidates = [one for one in reachability.places if len(one[0]) <= 64]
    seen = reachability.seen.pack()
    met.session.announce(endpoint.certificate.fingerprint, candidates, seen)
    met.journal.keep(SEEN, seen)


def line_secret(session: Seated, secret: bytes) -> bytes:
    """Return the 16 bytes that a caller of a running match proves: who has read the invite does not know them."""
    return derive(secret, "line", session.agreement.match_id)[:16]


class _Greeting(Allowance):
    """What may come on a line before the other has shown that they are the other, and on all such lines together.

    What is missing may come right behind a RESUME, which is a match at most.  Somebody else can use up what all
    have together, and leaves each line enough for a RESUME.
    """

    def __init__(self, together: Allowance) -> None:
        super().__init__(GREETING)
        self._together = together

    def take(self, pieces: int) -> bool:
        return super().take(pieces) or self._together.take(pieces)


class Lines:
    """The listener and the calls of one match."""

    def __init__(self, session: Seated, secret: bytes, listener: Listener | None, place: PeerEndpoint | None) -> None:
        """Begin to listen; ``secret`` is the invite's, and ``place`` is where the other was last, if that is known."""
        self.found: asyncio.Queue[Found] = asyncio.Queue()
        """Good lines, as they come."""
        self.place = place
        self.on_other_rules: Callable[[str], None] = lambda version: None
        """Is told by which rules the other's program plays, where they are not those of the match."""
        self.endpoint: LocalEndpoint | None = None
        """Where we listen, if we do."""
        self.reachability: Reachability | None = None
        """The ways to it."""
        self._session = session
        self._secret = line_secret(session, secret)
        # The invite's own secret still serves a guest who has not heard the last signature, and nobody else.
        self._invited = None if session.begun_by_both else secret
        self._listener = listener
        self._accepting: asyncio.Task[None] | None = None
        self._greeting: set[asyncio.Task[bool]] = set()
        self._taken: deque[float] = deque(maxlen=QUICK_LINES)
        """When the last lines were found."""
        self._calling: list[asyncio.Task[None]] = []
        self._allowance = Allowance(BURST, self._rest_after_flood)
        """One for all good lines, so that another line gives the other no other burst."""
        self._greetings = Allowance(BURST)
        self._rests = _pauses()
        self._quiet_until = 0.0
        if listener is not None:
            listener.most = LINES
            listener.admit(self._secret, alone=self._invited is None)
            self._accepting = asyncio.create_task(self._accept(listener))

    def greet(self, link: Transport) -> None:
        """Find out whether whoever is at the other end of a line is the other player."""
        task = asyncio.create_task(self._greet(link))
        self._greeting.add(task)
        task.add_done_callback(self._greeting.discard)

    def call(self, told: Told, tries: int | None = None) -> None:
        """Call the other, again and again, until :meth:`rest`, or so many times; ``told`` learns of each failure."""
        if not self._calling or self._calling[0].done():
            self._calling = [asyncio.create_task(one) for one in (self._call(told, tries), self._meet())]

    def rest(self) -> None:
        """Stop calling, and asking how we are seen: a line is there."""
        for task in self._calling:
            task.cancel()
        if self.reachability is not None and self.reachability.rendezvous is not None:
            self.reachability.rendezvous.rest()

    async def follow(self, met: Met, secret: bytes) -> Lines:
        """Close these and return the lines of the match that follows, over the same listener."""
        listener, self._listener = self._listener, None
        await self.close()
        if self.endpoint is None or self.reachability is None:
            return Lines(met.session, secret, listener, self.place)
        return begin(met, replace(self.endpoint, secret=secret), listener, self.place, self.reachability)

    async def close(self) -> None:
        """Stop everything and close the listener and the lines that nobody took."""
        if self.reachability is not None:
            # Their journal is closed next.
            self.reachability.moved = lambda: None
        await stop(*self._greeting, self._accepting, *self._calling)
        while not self.found.empty():
            await self.found.get_nowait()[0].close()
        if self._listener is not None:
            await self._listener.close()

    async def _accept(self, listener: Listener) -> None:
        with suppress(TransportError):
            while True:
                self.greet(await listener.accept())

    async def _call(self, told: Told, tries: int | None) -> None:
        if self._greeting:
            # Somebody is at the door already, and is most likely the one.
            await asyncio.wait(self._greeting)
        for count, pause in enumerate(islice(_pauses(), tries), 1):
            answered = False
            if (flooded := self._quiet_until - time.monotonic()) > 0:
                await _nap(flooded)
            if self.place is not None and self.place.candidates:
                with suppress(TransportError):
                    answered = await self._greet(await self._dial(self.place))
            # Whoever takes the line that was found lets us rest; should nobody take it, the next call follows.
            if not answered:
                told(count, pause)
            await _nap(pause)

    async def _meet(self) -> None:
        """Meet the other where nobody can call, at the place where they are now."""
        if self.reachability is not None and self.place is not None:
            await self.reachability.meet(self.place, self._secret, self.greet)

    async def _dial(self, place: PeerEndpoint) -> Transport:
        """Open a line; a guest who listens too (``join --swap``) may still know the invite alone.

        Raises:
            TransportError: nobody takes it.
        """
        try:
            return await dial(place.candidates, place.pin, self._secret)
        except TransportError:
            if self._invited is None:
                raise
            return await dial(place.candidates, place.pin, self._invited)

    async def _greet(self, link: Transport) -> bool:
        """Put a line into ``found``, or close it; return whether it is a good one."""
        # Whoever else has got hold of the secret must not use up what the other may send.
        link.limit, link.allowance = FRAME_LIMIT, _Greeting(self._greetings)
        taken = False
        try:
            async with asyncio.timeout(RESUME_SECONDS):
                resume_handshake = await self._resume(link)
            if resume_handshake is not None:
                link.allowance = self._allowance
                await self._slow_down()
                taken = True
                # Both know of the match now; whoever has only read the invite gets silence from here on.
                self._invited = None
                if self._listener is not None:
                    self._listener.admit(self._secret, alone=True)
                self.found.put_nowait((link, resume_handshake))
        except Damage as error:
            if error.code == "other_rules":
                self.on_other_rules(error.got)
        except (TimeoutError, TransportError):
            # Whoever it was, nothing has changed, and the next caller may be the one.
            pass
        finally:
            if not taken:
                await link.close()
        return taken

    def _rest_after_flood(self) -> None:
        """Make or take no line for a while, each time longer: the next one might be flooded as well."""
        pause = next(self._rests)
        self._quiet_until = time.monotonic() + pause
        if self._listener is not None:
            self._listener.rest(pause)

    async def _slow_down(self) -> None:
        """Let an opponent wait who hangs up and calls again and again."""
        if len(self._taken) == QUICK_LINES:
            await asyncio.sleep(max(0.0, self._taken[0] + QUICK_LINES * FRESH_SECONDS - time.monotonic()))
        self._taken.append(time.monotonic())

    async def _resume(self, link: Transport) -> ResumeHandshake | None:
        session = self._session
        resume_handshake = session.resume_handshake(secrets.token_bytes(32), link.channel)
        handshake_frames = _ours_and_theirs(session)
        while resume_handshake.theirs is None:
            for frame in resume_handshake.data_to_send():
                await link.send(frame)
            received = await link.receive()
            if received is None:
                return None
            if handshake_frames and received == handshake_frames[0][0]:
                # A guest who has not heard our last signature: they hear the same handshake again, and then greets.
                await link.send(handshake_frames.pop(0)[1])
                resume_handshake = session.resume_handshake(secrets.token_bytes(32), link.channel)
                if handshake_frames:
                    resume_handshake.data_to_send()
            else:
                resume_handshake.receive_data(received)
        # What goes out before the line is taken is the guest's RESUME.
        for frame in resume_handshake.data_to_send():
            await link.send(frame)
        return resume_handshake


def _ours_and_theirs(session: Seated) -> list[tuple[bytes, bytes]]:
    """Return the guest's frames of the handshake with our answers, if we were the host."""
    if session.seat != session.agreement.host_seat:
        return []
    frames = [record.frame for record in session.records[:4]]
    return [(frames[0], frames[1]), (frames[2], frames[3])]


def _pauses() -> Iterator[float]:
    """Yield how many seconds pass between one call and the next, without end."""
    return chain(BACKOFF, repeat(BACKOFF[-1]))


async def _nap(seconds: float) -> None:
    """Sleep, but no longer than until the machine wakes up again."""
    end = time.monotonic() + seconds
    while (left := end - time.monotonic()) > 0:
        before = time.time()
        piece = min(left, 1.0)
        await asyncio.sleep(piece)
        if time.time() - before > piece + _JUMP:
            return


class Callers:
    """Connections on which a match may begin: those of whoever calls us, and our own to where somebody answers from.

    The other proves who they are in the handshake; a connection here has proved the secret of the invite alone.
    """

    def __init__(self, listener: Listener, rendezvous: Rendezvous | None = None) -> None:
        """Begin to take what comes to a listener, which stays its owner's."""
        self._rendezvous = rendezvous
        self._found: asyncio.Queue[WebSocketTransport] = asyncio.Queue()
        self._listener = listener
        self._tasks = [asyncio.create_task(self._accept())]
        self._called: set[PeerEndpoint] = set()
        self.since: float | None = None
        """When somebody was called first, by the clock of the loop."""

    def call(self, place: PeerEndpoint, secret: bytes) -> None:
        """Call somewhere, and meet them where nobody can call, until this is closed; a place is called once."""
        if place not in self._called:
            self._called.add(place)
            self.since = self.since or asyncio.get_running_loop().time()
            self._tasks.append(asyncio.create_task(self._call(place, secret)))
            if self._rendezvous is not None:
                self._tasks.append(asyncio.create_task(self._rendezvous.meet(place, secret, self._found.put_nowait)))

    async def next(self) -> WebSocketTransport:
        """Wait for the next connection."""
        return await self._found.get()

    async def close(self) -> None:
        """Call and take nobody any more, and hang up what nobody has taken."""
        await stop(*self._tasks)
        while not self._found.empty():
            await self._found.get_nowait().close()

    async def _accept(self) -> None:
        with suppress(TransportError):
            while True:
                self._found.put_nowait(await self._listener.accept())

    async def _call(self, place: PeerEndpoint, secret: bytes) -> None:
        for pause in _pauses():
            with suppress(TransportError):
                self._found.put_nowait(await dial(place.candidates, place.pin, secret))
            await asyncio.sleep(pause)


REMATCH_PAUSES = (1.0, 2.0, 4.0)
"""How many seconds a guest who has signed waits before each call over a line that broke."""
_DAY = 86_400


async def meet_again(
    link: Transport, secret: bytes, before: Session, lines: Lines, home: Home, following: Proposal | None = None
) -> tuple[Lines, Met]:
    """Agree on the match that follows ``before``; who hosted hosts again, and the seats are exchanged.

    ``following`` is what is played instead: the next game of a tournament.

    Raises:
        NoMatch: the two do not fit, or the line is lost.
        protocol.transport.TransportError: what came is no frame, or nobody takes the call.
        protocol.record.journal.JournalError: it cannot be stored.
    """
    agreement = before.agreement
    peer = agreement.players[before.peer]
    place = lines.place
    kept = {"secret": secret} if lines.endpoint is None else replace(lines.endpoint, secret=secret).kept()
    wishes = Wishes(
        agreement.players[before.seat].name,
        unlock.identity(home),
        home.matches,
        secret,
        identity_hash(peer.identity),
        kept={**kept, **({} if place is None else place.kept())},
        peer_name=peer.name,
        game=agreement.game,
        data=before.data,
    )
    swapped = host_takes(other(agreement.host_seat))
    following = following or Proposal(agreement.terms, agreement.scheme, agreement.conditions, swapped)
    if before.seat == agreement.host_seat:
        met = await meeting.host(link, wishes, following, SeatDraw())
    else:
        wanted = Offered(
            peer.name, peer.identity, following.terms, following.scheme, following.seating, following.conditions
        )
        link, met = await _as_guest(link, wishes, wanted, lines)
    after = await lines.follow(met, secret)
    after.greet(link)
    return after, met


async def _as_guest(link: Transport, wishes: Wishes, wanted: Offered, lines: Lines) -> tuple[Transport, Met]:
    async def consent(offer: Offered) -> tuple[bool, Seat | None]:
        # Nobody is asked about terms that they have agreed to, and nobody takes others unasked.
        return offer == wanted, None

    call = PendingInvite(wishes.folder, wishes.secret, int(time.time()) + _DAY)
    for pause in (*REMATCH_PAUSES, None):
        try:
            return link, await meeting.guest(link, wishes, call, consent)
        except (NoMatch, TransportError) as error:
            await link.close()
            lost = isinstance(error, TransportError) or error.event is None
            # Only a host who has our signature can have begun the match.
            if not lost or not call.has_signed or pause is None or lines.place is None:
                raise
            await asyncio.sleep(pause)
            link = await dial(lines.place.candidates, lines.place.pin, wishes.secret)
    raise AssertionError("the last try returns or raises")
