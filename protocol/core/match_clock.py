"""The clocks of one seat's match: measured by its program, and shown (SPEC.md, section "Clocks").

What both have signed about time is added up in :mod:`protocol.core.clock`; here is what has passed since.
Every call brings the time that the caller's clock shows: there is none here.  Times never go back, and a clock that is
set back in between adds nothing.  A time of 0 means that the caller did not say; nothing is measured then.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from protocol.core import wire
from protocol.core.clock import ClockKind, Spell, Stamp, required_silence
from protocol.core.transcript import Transcript
from protocol.errors import WireError
from protocol.game import Seat, other

LONGEST = 2**31
"""The most seconds that a stopwatch shows: an envelope has no room for more."""

LEAP = 10 * 365 * 86_400
"""Seconds; a longer gap is not a long absence, but a clock that was set."""

_MILLISECONDS = wire.integer(0, 2**53)
_MEMORY = wire.fields(
    "watches",
    ("length", wire.integer(0, 2**31)),
    ("mine", wire.items(_MILLISECONDS, 2, 2)),
    ("theirs", wire.items(_MILLISECONDS, 2, 2)),
    ("now", _MILLISECONDS),
)


@dataclass(slots=True)
class Stopwatch:
    """One running measurement, in seconds: time that counts, and time in which the connection was down.

    An agreed break stands for nothing.
    """

    spent: float = 0.0
    """Time that counts."""
    away: float = 0.0
    """Time in which the connection was down."""
    running: bool = False
    up: bool = True
    """Whether the connection is up."""
    halted: bool = False
    """Whether both have agreed on a break."""
    at: float | None = None
    """When it was looked at last."""

    def tick(self, now: float) -> None:
        """Take the time since the last look."""
        if self.at is not None and self.running and not self.halted:
            passed = max(0.0, now - self.at)
            if self.up:
                self.spent += passed
            else:
                self.away += passed
        # A caller without a clock says 0.
        self.at = now if now > 0 else None

    def read(self, now: float) -> Spell:
        """Return what it shows, in whole seconds begun and ended."""
        self.tick(now)
        return min(int(self.spent), LONGEST), min(int(self.away), LONGEST)

    def take(self, now: float) -> Spell:
        """Return what it shows and set it back to zero."""
        shown = self.read(now)
        self.spent = self.away = 0.0
        return shown


@dataclass(frozen=True, slots=True)
class ClockFace:
    """What both clocks show."""

    left: tuple[int, ...]
    """The seconds that each seat has left: ours by our own word, the other's by our reading."""
    running: Seat | None
    """Whose clock runs; None in a break and after the end."""


class MatchClock:
    """What one seat's program measures of a match."""

    def __init__(
        self, transcript: Transcript, seat: Seat, waiting_for: Callable[[], Seat | None], joined: Callable[[], bool]
    ) -> None:
        """Measure nothing yet.

        Args:
            transcript: the match.
            seat: ours.
            waiting_for: says who must write the next envelope.
            joined: says whether the connection is up.
        """
        self._transcript = transcript
        self._seat = seat
        self._waiting_for = waiting_for
        self._joined = joined
        self._now = 0.0
        """The latest time that the caller has told."""
        self._mine, self._theirs = Stopwatch(), Stopwatch()
        """What has been measured since our last envelope."""

    def tell(self, now: float) -> None:
        """Take a time of the caller's clock, and nothing else."""
        self._now = max(self._now, now)

    def tick(self, now: float = 0.0) -> None:
        """Tell the time, and let the stopwatch of whoever must write run, and no other.

        A session that was begun without a time starts measuring here.
        """
        self.tell(now)
        turn, seat = self._waiting_for(), self._seat
        halted = self._transcript.status.breaks.agreed is not None
        for watch, runs in ((self._mine, turn == seat), (self._theirs, turn == other(seat))):
            watch.tick(self._now)
            watch.running, watch.up, watch.halted = runs, self._joined(), halted

    def stamp(self) -> Stamp:
        """Return what our next envelope says of time."""
        return (*self._mine.read(self._now), *self._theirs.read(self._now))

    def reset(self) -> None:
        """Begin anew after an envelope of ours."""
        for watch in (self._mine, self._theirs):
            watch.take(self._now)

    def remember(self, now: float) -> bytes:
        """Return what has to be kept so that the clocks go on after a restart."""
        self.tell(now)
        self.stamp()
        mine, theirs = ((_milliseconds(one.spent), _milliseconds(one.away)) for one in (self._mine, self._theirs))
        return wire.encode((self._transcript.length, mine, theirs, _milliseconds(self._now)))

    def recall(self, memory: bytes, now: float) -> float:
        """Take up after a restart what :meth:`remember` has returned; since then the connection was down.

        What cannot be read is as good as nothing: only our own measurement is lost.  Returns the seconds that have
        passed, less than 0 if the caller's clock was set back and more than :data:`LEAP` if it was set ahead; neither
        counts as time.
        """
        self.tell(now)
        try:
            value: Any = wire.unpack(memory, _MEMORY)
        except WireError:
            return 0.0
        kept_at, mine, theirs, then = value
        transcript = self._transcript
        # An envelope may have been accepted after the memory was kept.
        if kept_at == transcript.length:
            self._mine.spent, self._mine.away = (one / 1000 for one in mine)
        if transcript.last_envelope_of(self._seat) <= kept_at:
            self._theirs.spent, self._theirs.away = (one / 1000 for one in theirs)
        gap: float = self._now - then / 1000
        passed = gap if 0 < gap <= LEAP else 0.0
        clock = transcript.agreement.conditions.clock
        # Where a clock counts days, or there is none, the other's time goes on while this program does not run.
        absent = clock is None or clock.kind is ClockKind.TURN
        for watch, counts in ((self._mine, True), (self._theirs, absent)):
            if watch.running and not watch.halted and counts:
                watch.away += passed
        return gap

    def face(self, now: float = 0.0) -> ClockFace | None:
        """Return what both clocks show; None in a match without."""
        times = self._transcript.times
        if times is None:
            return None
        self.tell(now)
        spent, away, *reading = self.stamp()
        left = [0, 0]
        left[self._seat] = times.claimed[self._seat].run((spent, away)).left
        left[other(self._seat)] = times.running(other(self._seat), (reading[0], reading[1])).left
        if times.terms.kind is ClockKind.TURN:
            # What is left over of a decision's time is lost, and how long each of several took is not known.
            left = [min(one, times.terms.base) for one in left]
        halted = self._transcript.status.breaks.agreed is not None
        return ClockFace(tuple(left), None if halted else self._waiting_for())

    @property
    def reading(self) -> Spell:
        """How long the other has taken since our last envelope, and for how long of it the connection was down."""
        return self._theirs.read(self._now)

    def has_fallen(self) -> bool:
        """Say whether the other's flag is down: by their own word in our turn, and else by our reading."""
        times, theirs = self._transcript.times, other(self._seat)
        if times is None:
            return False
        if self._waiting_for() == self._seat:
            return times.claimed[theirs].fallen
        return times.running(theirs, self.reading).fallen

    def is_absent(self) -> bool:
        """Say whether the other, who has to write, has been silent for so long that the match may be claimed."""
        if self._waiting_for() != other(self._seat):
            return False
        wanted, measured = required_silence(self._transcript.agreement.conditions.clock, self.reading)
        return measured >= wanted


def _milliseconds(seconds: float) -> int:
    return int(seconds * 1000)
