"""Streams of bytes over a way that loses, doubles and delays packets: a sliding window, pure.

What has come in order is acknowledged at once by the number that is wanted next; what comes early is kept.  A piece
that is not acknowledged is sent again after the smoothed time of an answer and four deviations, these 0.05 s at least
(RFC 6298, section 2), at first 0.5 s, never less than 0.1 or more than 4; the wait doubles with each repetition of the
piece, four times, and stays below the 4 s.  An answer echoes the serial of the very segment that it answers: so a
repeated piece is timed rightly, and one that has come early is sent again only every 4 s, in case it was dropped.  When
a probe of the other comes, their router has just let it out and lets an answer in: what waits for longer than the
first wait is sent again then (``hurry``).

At most ``window`` bytes are on their way: 8 pieces at first, one more for each answer that acknowledges something, half
as many after a loss, once in the time of an answer, never fewer than 4 pieces, in 59 pieces at most; and never more
than the other has room for, but for one piece that asks again whether there is room.

Each side keeps at most 64 KiB that are not acknowledged and 64 KiB that are not read, the early pieces (59 at most)
beside these.  Each direction ends by itself; the call is over when both ends are acknowledged.  A call has failed when
the other says that it knows none, or when for 60 s nothing of what is waited for has come: no acknowledgement while
something is on its way (an answer without room counts), or nothing of the other's stream after our own end.

Eight calls at once are taken.  On the side of the host, a segment of an unknown call that wants number 0 opens it; any
other segment of an unknown call, of one too many, or of one that is over (the last 64 are remembered) is answered with
``GONE``.

TLS runs inside: nothing above trusts what a tube says.  What is *not* here: sockets, chance and the clock.
"""

from collections import deque
from collections.abc import Callable
from enum import Enum

from protocol.reach.formats.tube import DATA, NUMBERS, Segment, SegmentKind, key, read, write

BUFFER = 64 * 1024
"""The most bytes that wait to be acknowledged, and the most that wait to be read."""

CALLS = 8
"""The most calls at once."""

PATIENCE = 60.0
"""Seconds without what is waited for after which a call has failed."""

_PIECES = BUFFER // DATA
_FIRST, _LEAST, _MOST, _GRAIN, _DOUBLINGS = 0.5, 0.1, 4.0, 0.05, 4
_WINDOW, _NARROWEST = 8 * DATA, 4 * DATA
_REMEMBERED = 64


class TubeState(Enum):
    """What has become of a call."""

    OPEN = "open"
    ENDED = "ended"
    """Both streams have come whole to their ends."""
    FAILED = "failed"
    """Bytes may be missing."""


class _Piece:
    """What is on its way."""

    __slots__ = ("due", "serial", "size", "times", "when")

    def __init__(self, size: int) -> None:
        self.size, self.times, self.serial, self.when, self.due = size, 0, 0, 0.0, 0.0


class Tube:
    """One side of a call; made by :class:`Calls`."""

    def __init__(self, call: int, now: float) -> None:
        """Begin a call with a number."""
        self.call = call
        self.state = TubeState.OPEN
        self.ended = False
        """Whether the other's stream is at its end; what is left of it can still be read."""
        self._out = bytearray()  # from the byte with the number _base on
        self._base = self._next = 0
        self._end: int | None = None
        self._sent: dict[int, _Piece] = {}
        self._serial = 0
        self._window, self._room, self._halved = _WINDOW, BUFFER, now
        self._smooth: float | None = None
        self._deviation = 0.0
        self._since = now
        self._wanted = 0
        self._early: dict[int, bytes] = {}
        self._their_end: int | None = None
        self._ready = bytearray()
        self._owed: int | None = None
        self._farewell = False

    @property
    def space(self) -> int:
        """How many bytes can be written now."""
        if self._end is not None or self.state is not TubeState.OPEN:
            return 0
        return min(BUFFER - len(self._out), NUMBERS - 2 - self._base - len(self._out))

    def write(self, data: bytes) -> None:
        """Send bytes, at most :attr:`space`."""
        self._out += data[: self.space]

    def end(self) -> None:
        """Send nothing more than what was written; the call is over when the other has ended, too."""
        if self._end is None:
            self._end = self._base + len(self._out)

    def abort(self) -> None:
        """Give the call up."""
        if self.state is TubeState.OPEN:
            self.state, self._farewell = TubeState.FAILED, True

    def read(self, limit: int = BUFFER) -> bytes:
        """Return what has come in order, at most so many bytes."""
        data = bytes(self._ready[:limit])
        was_full = self._free() < _PIECES // 4
        del self._ready[:limit]
        if was_full and self._free() >= _PIECES // 4 and not self.ended:
            # The other is told that there is room again.
            self._owed = self._owed or 0
        return data

    def _free(self) -> int:
        return (BUFFER - len(self._ready)) // DATA

    def receive(self, segment: Segment, now: float) -> None:
        """Take a segment of this call."""
        if self.state is not TubeState.OPEN:
            return
        if segment.kind is SegmentKind.GONE:
            # Whoever has both ends forgets the call; only the answer to our own end was lost.
            self.state = TubeState.ENDED if self.ended and self._next_is_past_end() else TubeState.FAILED
            self._sent.clear()
            return
        self._acknowledge(segment, now)
        if segment.data or segment.kind is SegmentKind.END:
            before = self._wanted
            self._owed = segment.serial if self._take(segment) else 0
            if not self._sent and self._wanted > before:
                self._since = now
        if self.ended and self._end is not None and self._base > self._end:
            self.state = TubeState.ENDED

    def _next_is_past_end(self) -> bool:
        return self._end is not None and self._next > self._end

    def _acknowledge(self, segment: Segment, now: float) -> None:
        for piece in self._sent.values():
            if piece.serial == segment.echo:
                self._time(now - piece.when)
                piece.due = now + _MOST
        if not self._base <= segment.wanted <= self._next:
            return
        self._room = segment.free * DATA
        if segment.wanted > self._base:
            self._sent = {first: piece for first, piece in self._sent.items() if first >= segment.wanted}
            del self._out[: segment.wanted - self._base]
            self._base = segment.wanted
            self._window = min(BUFFER, self._window + DATA)
            self._since = now
        elif not segment.free:
            self._since = now

    def _time(self, took: float) -> None:
        if self._smooth is None:
            self._smooth, self._deviation = took, took / 2
        else:
            self._deviation += (abs(self._smooth - took) - self._deviation) / 4
            self._smooth += (took - self._smooth) / 8

    def _take(self, segment: Segment) -> bool:
        """Take data or the end, and return whether it is not needed again."""
        if self.ended:
            return True
        if segment.kind is SegmentKind.END:
            self._their_end = segment.first
        first, last = segment.first, segment.first + len(segment.data)
        fits = first >= self._wanted and last <= min(self._wanted + BUFFER - len(self._ready), NUMBERS - 2)
        if fits and segment.data and (first == self._wanted or len(self._early) < _PIECES):
            self._early.setdefault(first, segment.data)
        while (piece := self._early.pop(self._wanted, None)) is not None:
            self._ready += piece
            self._wanted += len(piece)
        if self._wanted == self._their_end:
            self._wanted += 1
            self.ended = True
            self._early.clear()
        return first < self._wanted or first in self._early or segment.kind is SegmentKind.END

    def _wait(self, times: int) -> float:
        """Return how many seconds a piece may take that has been sent so often."""
        wait = _FIRST if self._smooth is None else max(_LEAST, self._smooth + max(_GRAIN, 4 * self._deviation))
        return min(_MOST, wait * (1 << min(times - 1, _DOUBLINGS)))

    def _waits(self) -> bool:
        return bool(self._sent) or self._next_is_past_end()

    def hurry(self, now: float) -> None:
        """Send again at once what waits for an answer that is overdue."""
        for piece in self._sent.values():
            if now - piece.when >= self._wait(1):
                piece.due = now

    def wakes(self) -> float | None:
        """Return when there is something to send again or to give up; None if only bytes can change anything."""
        if self.state is not TubeState.OPEN or not self._waits():
            return None
        return min([self._since + PATIENCE, *(piece.due for piece in self._sent.values())])

    def segments(self, now: float) -> list[Segment]:
        """Return what is to be sent now."""
        if self._waits() and now >= self._since + PATIENCE:
            self.abort()
        if self.state is TubeState.FAILED:
            found = [Segment(SegmentKind.GONE, self.call)] if self._farewell else []
            self._farewell = False
            return found
        found = [*self._repeated(now), *self._fresh(now)]
        if self._owed is not None and not found:
            found.append(self._segment(self._next, now))
        return found

    def _repeated(self, now: float) -> list[Segment]:
        lost = [first for first, piece in self._sent.items() if now >= piece.due]
        if lost and now >= self._halved + (self._smooth or _FIRST):
            self._window, self._halved = max(_NARROWEST, self._window // 2), now
        return [self._segment(first, now) for first in lost]

    def _fresh(self, now: float) -> list[Segment]:
        found = []
        last = self._base + len(self._out)
        while self._next < last or self._next == self._end:
            size = min(DATA, last - self._next)
            is_wide = self._next + size <= self._base + min(self._window, self._room) and len(self._sent) < _PIECES
            if self._sent and not is_wide:
                break
            if not self._waits():
                self._since = now
            self._sent[self._next] = _Piece(size)
            found.append(self._segment(self._next, now))
            self._next += size or 1
        return found

    def _segment(self, first: int, now: float) -> Segment:
        echo, self._owed = self._owed or 0, None
        kind, serial, data = SegmentKind.DATA, 0, b""
        if (piece := self._sent.get(first)) is not None:
            serial = self._serial = self._serial % 65_535 + 1
            piece.serial, piece.when, piece.times = serial, now, piece.times + 1
            piece.due = now + self._wait(piece.times)
            data = bytes(self._out[first - self._base : first - self._base + piece.size])
            kind = SegmentKind.DATA if data else SegmentKind.END
        return Segment(kind, self.call, self._wanted, self._free(), first, serial, echo, data)


class Calls:
    """The calls over one way, from the side of one role."""

    def __init__(self, secret: bytes, *, is_host: bool) -> None:
        """Begin without a call: the guest opens them, the host takes them.

        Args:
            secret: what the segments are proved with.
            is_host: of the match.
        """
        self._is_host = is_host
        self._keys: list[tuple[bytes, bytes]] = []
        self._open: dict[int, tuple[Tube, bytes]] = {}
        self._over: deque[int] = deque(maxlen=_REMEMBERED)
        self._unknown: list[tuple[int, bytes]] = []
        self.admit(secret)

    def admit(self, secret: bytes, *, alone: bool = False) -> None:
        """Open calls with this secret from now on; what comes with the one before is still answered with that one.

        If it is taken ``alone``, that one gets silence, and its calls are given up.
        """
        mine, theirs = (key(secret, role) for role in (1 - self._is_host, int(self._is_host)))
        self._keys = [(mine, theirs)] if alone else [(mine, theirs), *self._keys[:1]]
        self._is_newest_known = False
        if alone:
            for tube, _ in self._open.values():
                tube.abort()

    def open(self, now: float, draw: Callable[[], int]) -> Tube | None:
        """Open a call; None when there are as many as may be.

        Args:
            now: the time in seconds.
            draw: returns a random number of 32 bits.
        """
        if len(self._open) >= CALLS:
            return None
        while (call := draw()) in self._open or call in self._over:
            pass
        tube = Tube(call, now)
        self._open[call] = tube, self._keys[0][0]
        return tube

    def receive(self, data: bytes, now: float) -> Tube | None:
        """Take a datagram and return the call that it belongs to, maybe a new one; None where it changes none."""
        mine, segment = next(
            ((mine, segment) for mine, theirs in self._keys if (segment := read(theirs, data)) is not None), (b"", None)
        )
        if segment is None:
            return None
        is_newest = mine == self._keys[0][0]
        self._is_newest_known = self._is_newest_known or is_newest
        # Whoever has read the invite alone opens no call any more, once the other has shown what came after it.
        is_late = self._is_newest_known and not is_newest
        tube, _ = self._open.get(segment.call, (None, b""))
        if tube is None and segment.kind is not SegmentKind.GONE:
            # Pieces overtake each other: whatever the guest sends before an answer has come opens the call.
            opens = self._is_host and not segment.wanted and segment.call not in self._over and not is_late
            if opens and len(self._open) < CALLS:
                tube = Tube(segment.call, now)
                self._open[segment.call] = tube, mine
            elif len(self._unknown) < CALLS:
                self._unknown.append((segment.call, mine))
        if tube is not None:
            tube.receive(segment, now)
        return tube

    def datagrams(self, now: float) -> list[bytes]:
        """Return what is to be sent now, and forget the calls that are over."""
        found = [write(mine, Segment(SegmentKind.GONE, call)) for call, mine in self._unknown]
        self._unknown.clear()
        for tube, mine in list(self._open.values()):
            found += [write(mine, segment) for segment in tube.segments(now)]
            if tube.state is not TubeState.OPEN:
                del self._open[tube.call]
                self._over.append(tube.call)
        return found

    def hurry(self, now: float) -> None:
        """Send again what waits for an answer that is overdue: something has just come through."""
        for tube, _ in self._open.values():
            tube.hurry(now)

    def wakes(self) -> float | None:
        """Return when :meth:`datagrams` has something that time alone brings; None for never."""
        return min((at for tube, _ in self._open.values() if (at := tube.wakes()) is not None), default=None)
