"""The two stopwatches of a session: our own time, and our reading of the other's (SPEC.md, section "Clocks").

Every call brings the time that the caller's clock shows: there is none here.  Times never go back, and a clock that is
set back in between adds nothing.  A time of 0 means that the caller did not say; nothing is measured then.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from protocol.core import wire
from protocol.core.clock.accounts import Stamp
from protocol.core.clock.terms import Spell
from protocol.errors import WireError

LONGEST = 2**31
"""The most seconds that it shows: an envelope has no room for more."""

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


@dataclass(slots=True)
class Stopwatches:
    """What has been measured since our last envelope."""

    now: float = 0.0
    """The latest time that the caller has told."""
    mine: Stopwatch = field(default_factory=Stopwatch)
    theirs: Stopwatch = field(default_factory=Stopwatch)

    def tell(self, now: float) -> None:
        """Take a time of the caller's clock."""
        self.now = max(self.now, now)

    def set(self, *, mine: bool, theirs: bool, up: bool, halted: bool) -> None:
        """Say from now on whose time runs, whether the connection is up, and whether both have agreed on a break."""
        for watch, runs in ((self.mine, mine), (self.theirs, theirs)):
            watch.tick(self.now)
            watch.running, watch.up, watch.halted = runs, up, halted

    def stamp(self) -> Stamp:
        """Return what our next envelope says of time."""
        return (*self.mine.read(self.now), *self.theirs.read(self.now))

    def reading(self) -> Spell:
        """Return how long the other has taken since our last envelope."""
        return self.theirs.read(self.now)

    def reset(self) -> None:
        """Begin anew after an envelope of ours."""
        for watch in (self.mine, self.theirs):
            watch.take(self.now)

    def memory(self, length: int) -> bytes:
        """Return what must be kept to go on measuring after a restart, at a length of the chain."""
        self.stamp()
        mine, theirs = ((_milliseconds(one.spent), _milliseconds(one.away)) for one in (self.mine, self.theirs))
        return wire.encode((length, mine, theirs, _milliseconds(self.now)))

    def recall(self, memory: bytes, length: int, ours: int, *, absent: bool) -> float:
        """Go on from what was kept: what has passed since then counts as time in which the connection was down.

        What cannot be read is as good as nothing: only our own measurement is lost.  Returns the seconds that have
        passed by the caller's clock, less than 0 if it was set back and more than LEAP if it was set ahead; neither
        counts as time.

        Args:
            memory: what :meth:`memory` has returned.
            length: of the chain now; an envelope may have been accepted after the memory was kept.
            ours: the number of our last envelope.
            absent: the other's time goes on while this program does not run.
        """
        try:
            value: Any = wire.unpack(memory, _MEMORY)
        except WireError:
            return 0.0
        kept_at, mine, theirs, then = value
        if kept_at == length:
            self.mine.spent, self.mine.away = (one / 1000 for one in mine)
        if ours <= kept_at:
            self.theirs.spent, self.theirs.away = (one / 1000 for one in theirs)
        gap: float = self.now - then / 1000
        passed = gap if 0 < gap <= LEAP else 0.0
        for watch, counts in ((self.mine, True), (self.theirs, absent)):
            if watch.running and not watch.halted and counts:
                watch.away += passed
        return gap


def _milliseconds(seconds: float) -> int:
    return int(seconds * 1000)
