"""The times of a match with a clock (SPEC.md, section "Clocks"): two accounts of each seat, and what differs."""

from dataclasses import dataclass, replace
from typing import Final, NamedTuple

from protocol.game import Seat
from protocol.independent.handshake import STOCK, ClockTerms
from protocol.independent.messages import ABSENCE, TIME, Stamp
from protocol.independent.reading import SEATS

_SEVEN_DAYS: Final = 7 * 24 * 3600


@dataclass(slots=True)
class Account:
    """What a seat has left, by its own word or by the other's reading."""

    terms: ClockTerms
    left: int
    away: int
    beyond: int = 0
    """What was taken when nothing was left; while there is any, the flag is down."""

    def charge(self, spent: int, down: int) -> None:
        """Take what a message has cost."""
        forgiven = min(down, self.away)
        self.away -= forgiven
        cost = spent + down - forgiven
        self.beyond += max(0, cost - self.left)
        self.left = max(0, self.left - cost)

    def reward(self) -> None:
        """Give what a decision earns."""
        self.left = self.left + self.terms.increment if self.terms.kind == STOCK else self.terms.base


class Difference(NamedTuple):
    """A time that the two tell differently, by more than the terms tolerate."""

    seq: int
    """Of the envelope that says what was read."""
    seat: Seat
    """Whose time it is."""
    claimed: int
    read: int


class Clock:
    """Both accounts of both seats."""

    def __init__(self, terms: ClockTerms) -> None:
        self.terms = terms
        self.claimed = [Account(terms, terms.base, terms.away) for _ in SEATS]
        self.read = [Account(terms, terms.base, terms.away) for _ in SEATS]
        self.differences: list[Difference] = []
        self._unread = [0 for _ in SEATS]
        """What each seat has claimed since the other wrote."""
        self._earned = [0 for _ in SEATS]
        """How many decisions each seat has made since the other wrote."""

    def book(self, seat: Seat, seq: int, times: Stamp, *, decided: bool) -> None:
        """Take the times of the next envelope, which may hold a decision."""
        for other in SEATS:
            if other != seat:
                self._was_read(other, seq, times)
        self.claimed[seat].charge(times.spent, times.down)
        self._unread[seat] += times.spent + times.down
        if decided:
            self.claimed[seat].reward()
            self._earned[seat] += 1

    def _was_read(self, seat: Seat, seq: int, times: Stamp) -> None:
        """Take what the other has read of a seat's time, which now writes itself."""
        read, claimed = times.read + times.read_down, self._unread[seat]
        if abs(read - claimed) > self.terms.tolerance:
            self.differences.append(Difference(seq, seat, claimed, read))
        self.read[seat].charge(times.read, times.read_down)
        for _ in range(self._earned[seat]):
            self.read[seat].reward()
        self._unread[seat] = self._earned[seat] = 0
        self.claimed[seat].beyond = self.read[seat].beyond = 0

    def is_down(self, seat: Seat) -> bool:
        """Say whether a seat's own words have brought its flag down."""
        return self.claimed[seat].beyond > 0

    def has_run_out(self, seat: Seat, read: int, down: int) -> bool:
        """Say whether a seat's time has run out with what the other has read since it wrote."""
        account = replace(self.read[seat])
        account.left += self._earned[seat] * (self.terms.increment if self.terms.kind == STOCK else self.terms.base)
        account.charge(read, down)
        return account.beyond > 0


def may_claim(clock: Clock | None, ground: int, read: int, down: int, silent: Seat) -> bool:
    """Say whether a claim against the seat that has to write is not too early by its own words."""
    if ground == TIME:
        return clock is not None and clock.has_run_out(silent, read, down)
    assert ground == ABSENCE
    if clock is None:
        return read + down >= _SEVEN_DAYS
    return (down if clock.terms.kind == STOCK else read + down) >= clock.terms.absent
