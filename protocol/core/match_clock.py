"""The clocks of one seat's match: measured by its program, and shown (SPEC.md, section "Clocks").

What both have signed about time is added up in :mod:`protocol.core.clock.accounts`; here is what has passed since.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from protocol.core.clock.accounts import Stamp
from protocol.core.clock.measure import Stopwatches
from protocol.core.clock.terms import ClockKind, Spell, required_silence
from protocol.core.transcript import Transcript
from protocol.game import Seat, other


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
        self._stopwatches = Stopwatches()

    def tell(self, now: float) -> None:
        """Take a time of the caller's clock, and nothing else."""
        self._stopwatches.tell(now)

    def tick(self, now: float = 0.0) -> None:
        """Tell the time, and let the stopwatch of whoever must write run, and no other.

        A session that was begun without a time starts measuring here.
        """
        self._stopwatches.tell(now)
        turn, seat = self._waiting_for(), self._seat
        halted = self._transcript.status.breaks.agreed is not None
        self._stopwatches.set(mine=turn == seat, theirs=turn == other(seat), up=self._joined(), halted=halted)

    def stamp(self) -> Stamp:
        """Return what our next envelope says of time."""
        return self._stopwatches.stamp()

    def reset(self) -> None:
        """Begin anew after an envelope of ours."""
        self._stopwatches.reset()

    def remember(self, now: float) -> bytes:
        """Return what has to be kept so that the clocks go on after a restart."""
        self._stopwatches.tell(now)
        return self._stopwatches.memory(self._transcript.length)

    def recall(self, memory: bytes, now: float) -> float:
        """Take up after a restart what :meth:`remember` has returned; since then the connection was down.

        Returns the seconds that have passed, less than 0 if the caller's clock was set back and more than
        :data:`protocol.core.clock.measure.LEAP` if it was set ahead; neither counts as time.
        """
        self._stopwatches.tell(now)
        transcript = self._transcript
        clock = transcript.agreement.conditions.clock
        absent = clock is None or clock.kind is ClockKind.TURN
        return self._stopwatches.recall(
            memory, transcript.length, transcript.last_envelope_of(self._seat), absent=absent
        )

    def face(self, now: float = 0.0) -> ClockFace | None:
        """Return what both clocks show; None in a match without."""
        times = self._transcript.times
        if times is None:
            return None
        self._stopwatches.tell(now)
        spent, away, *reading = self._stopwatches.stamp()
        left = [0, 0]
        left[self._seat] = times.claimed[self._seat].run((spent, away)).left
        left[other(self._seat)] = times.running(other(self._seat), (reading[0], reading[1])).left
        halted = self._transcript.status.breaks.agreed is not None
        return ClockFace(tuple(left), None if halted else self._waiting_for())

    @property
    def reading(self) -> Spell:
        """How long the other has taken since our last envelope, and for how long of it the connection was down."""
        return self._stopwatches.reading()

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
