"""Breaks that were agreed on and claims to the match (SPEC.md, section "Breaks and claims").

As with draws, a proposal, its answer and a claim stand at one head of the common chain, so that what they mean never
depends on which message arrived first.  What is *not* here: the stages, which are :mod:`protocol.core.match_status`.

Whether a claim is well founded is answered from what stands in the signed record at the head that the claim names, so
that both programs and a stranger come to the same answer.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum

from protocol.core.clock.accounts import ClockAccounts
from protocol.core.clock.terms import ClockTerms, required_silence
from protocol.core.events import (
    BreakAgreed,
    BreakLapsed,
    BreakProposed,
    BreakRejected,
    ClaimDenied,
    Claimed,
    ClaimLapsed,
    Event,
    GoneOn,
)
from protocol.core.messages import Break, Ground, Side, SideType
from protocol.game import Seat, other


class Fate(Enum):
    """What has become of a claim."""

    OPEN = "open"
    """Neither signed nor denied, and the other has not played on."""
    PROVED = "proved"
    """The other's own signed times bear it out."""
    CONCEDED = "conceded"
    """The other has signed the result."""
    DENIED = "denied"
    """The other has denied it."""
    LAPSED = "lapsed"
    """The match has moved on."""


@dataclass(frozen=True, slots=True)
class Claim:
    """One claim to the match."""

    seat: Seat
    number: int
    seq: int
    """The length of the chain at which it stands."""
    ground: Ground
    reading: tuple[int, int]
    """How long the other has taken by the claimant's clock, and how long of it the connection was down."""
    digest: bytes
    """The hash of the side envelope."""
    fate: Fate

    @property
    def decides(self) -> bool:
        """Whether the match is decided by it."""
        return self.fate in (Fate.PROVED, Fate.CONCEDED)

    @property
    def stands(self) -> bool:
        """Whether it still means something."""
        return self.decides or self.fate is Fate.OPEN


class Claims:
    """All claims of a match, in order; a seat has one that stands at most."""

    def __init__(self) -> None:
        """Begin a match."""
        self.all: list[Claim] = []

    def of(self, seat: Seat) -> Claim | None:
        """Return the claim of a seat that stands."""
        return next((one for one in self.all if one.seat == seat and one.stands), None)

    def known(self, seat: Seat, digest: bytes) -> Claim | None:
        """Return the claim of a seat at the present head that has this hash, denied or not."""
        found = (one for one in self.all if one.fate is not Fate.LAPSED)
        return next((one for one in found if (one.seat, one.digest) == (seat, digest)), None)

    def take(self, side: Side, digest: bytes, *, proved: bool) -> Event:
        """Take a claim at the present head."""
        assert isinstance(side.body, tuple)
        ground, read, down = side.body
        fate = Fate.PROVED if proved else Fate.OPEN
        claim = Claim(side.seat, side.number, side.seq, Ground(ground), (read, down), digest, fate)
        self.all.append(claim)
        return Claimed(side.seat, side.number, claim.ground, claim.reading, proved)

    def late(self, side: Side, digest: bytes) -> Event:
        """Take a claim that crossed the envelope that it was waiting for."""
        assert isinstance(side.body, tuple)
        ground, read, down = side.body
        self.all.append(Claim(side.seat, side.number, side.seq, Ground(ground), (read, down), digest, Fate.LAPSED))
        return ClaimLapsed(side.seat, side.number)

    def deny(self, side: Side, *, present: bool) -> tuple[Event, bool]:
        """Take a denial; return whether a claim has lost its meaning by it."""
        assert isinstance(side.body, int)
        claim = self.of(other(side.seat)) if present else None
        lost = claim is not None and claim.number == side.body and claim.fate is Fate.OPEN
        if claim is not None and lost:
            self._settle(claim, Fate.DENIED)
        return ClaimDenied(side.seat, side.body), lost

    def concede(self, claim: Claim) -> None:
        """Note that the other has signed that a claim is right."""
        if claim.fate is Fate.OPEN:
            self._settle(claim, Fate.CONCEDED)

    def move_on(self) -> list[Claim]:
        """Let the claims lapse because the chain has moved on, and return them."""
        lapsed = [claim for claim in self.all if claim.stands]
        for claim in lapsed:
            self._settle(claim, Fate.LAPSED)
        return lapsed

    def _settle(self, claim: Claim, fate: Fate) -> None:
        self.all[self.all.index(claim)] = replace(claim, fate=fate)


class Breaks:
    """Proposals of a break at the present head, and the break that was agreed on."""

    def __init__(self, seats: int) -> None:
        """Begin a match."""
        self.agreed: Break | None = None
        """The break in which the match stands."""
        self.open: list[dict[int, Break]] = [{} for _ in range(seats)]
        """The proposals of each seat that may be agreed to: number and break, oldest first."""

    def move_on(self) -> None:
        """Forget everything because the chain has moved on."""
        self.agreed = None
        for proposals in self.open:
            proposals.clear()

    def take(self, side: Side, *, present: bool) -> Event:
        """Take a proposal, an answer to one, or the end of a break."""
        seat = side.seat
        if side.type is SideType.GO_ON:
            if present:
                # The other's proposals stay: one that crosses this would otherwise be open on one side only.
                self.agreed = None
                self.open[seat].clear()
            return GoneOn(seat)
        assert isinstance(side.body, int)
        if side.type is SideType.PROPOSE:
            if not present:
                return BreakLapsed(seat, side.number)
            what = Break(side.body)
            self.open[seat][side.number] = what
            return BreakProposed(seat, side.number, what)
        proposals = self.open[other(seat)]
        found = proposals.pop(side.body, None) if present else None
        if found is None:
            return BreakLapsed(seat, side.body)
        if side.type is SideType.REJECT:
            # Whoever rejects a proposal has also seen those before it.
            for number in [one for one in proposals if one < side.body]:
                del proposals[number]
            return BreakRejected(seat, side.body)
        # Two agreements may cross; both sides take the longer break, whichever came last.
        self.agreed = max(self.agreed or found, found)
        return BreakAgreed(seat, side.body, found)


def is_proved(claim: Side, turn: Seat | None, times: ClockAccounts | None) -> bool:
    """Say whether a claim rests on nothing but what the other has signed, and nothing of theirs can cross it."""
    assert isinstance(claim.body, tuple)
    if claim.body[0] != Ground.TIME or times is None:
        return False
    return turn == claim.seat and times.claimed[other(claim.seat)].fallen


def too_early(
    claim: Side, turn: Seat | None, times: ClockAccounts | None, clock: ClockTerms | None
) -> tuple[str, str] | None:
    """Return what a claim at the present head lacks by its author's own word, as expected and got.

    Args:
        claim: the side envelope.
        turn: who has to write the next envelope.
        times: the clocks in the record.
        clock: the terms.
    """
    assert isinstance(claim.body, tuple)
    ground, *reading = claim.body
    accused = other(claim.seat)
    if turn != accused:
        return "a claim while the other owes a message", "one in the own turn"
    if ground == Ground.ABSENCE:
        wanted, measured = required_silence(clock, (reading[0], reading[1]))
        return None if measured >= wanted else (f"a silence of {wanted} seconds", f"{measured} seconds")
    if times is None:
        return "a clock in the terms", "a claim on time"
    account = times.running(accused, (reading[0], reading[1]))
    return None if account.fallen else ("a clock that has run out", f"{account.left} seconds left")
