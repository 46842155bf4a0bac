"""How far the seats have come, and what side messages have decided (SPEC.md, "Draw, resignation", "Breaks and claims").

What a side message means depends on the common chain and on the sender's own chain, never on which message
arrived first: a draw offer, a proposal of a break or a claim, its answer and the chain must stand at one head, and
whoever has resigned or accepted waits for the other, because an envelope of theirs may be under way.  Whether a claim
is well founded is answered from what stands in the signed record at the head that it names, so that both programs and
a stranger come to the same answer.  What is *not* here: signatures, and the order of either chain, which is
:mod:`protocol.core.transcript`.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import Enum

from protocol.core import events
from protocol.core.clock import ClockAccounts, ClockTerms, required_silence
from protocol.core.events import Event
from protocol.core.messages import Break, Ground, Side, SideType
from protocol.core.stages import TRANSITIONS, Input, Stage
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
        claim = self._add(side, digest, Fate.PROVED if proved else Fate.OPEN)
        return events.Claimed(side.seat, side.number, claim.ground, claim.reading, proved)

    def late(self, side: Side, digest: bytes) -> Event:
        """Take a claim that crossed the envelope that it was waiting for."""
        self._add(side, digest, Fate.LAPSED)
        return events.ClaimLapsed(side.seat, side.number)

    def _add(self, side: Side, digest: bytes, fate: Fate) -> Claim:
        assert isinstance(side.body, tuple)
        ground, read, down = side.body
        self.all.append(Claim(side.seat, side.number, side.seq, Ground(ground), (read, down), digest, fate))
        return self.all[-1]

    def deny(self, side: Side, *, present: bool) -> tuple[Event, bool]:
        """Take a denial; return whether a claim has lost its meaning by it."""
        assert isinstance(side.body, int)
        claim = self.of(other(side.seat)) if present else None
        lost = claim is not None and claim.number == side.body and claim.fate is Fate.OPEN
        if claim is not None and lost:
            self._settle(claim, Fate.DENIED)
        return events.ClaimDenied(side.seat, side.body), lost

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
            return events.GoneOn(seat)
        assert isinstance(side.body, int)
        if side.type is SideType.PROPOSE:
            if not present:
                return events.BreakLapsed(seat, side.number)
            what = Break(side.body)
            self.open[seat][side.number] = what
            return events.BreakProposed(seat, side.number, what)
        proposals = self.open[other(seat)]
        found = proposals.pop(side.body, None) if present else None
        if found is None:
            return events.BreakLapsed(seat, side.body)
        if side.type is SideType.REJECT:
            # Whoever rejects a proposal has also seen those before it.
            for number in [one for one in proposals if one < side.body]:
                del proposals[number]
            return events.BreakRejected(seat, side.body)
        # Two agreements may cross; both sides take the longer break, whichever came last.
        self.agreed = max(self.agreed or found, found)
        return events.BreakAgreed(seat, side.body, found)


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


@dataclass(frozen=True, slots=True)
class Acceptance:
    """A draw that is accepted unless the chain moves on."""

    offer: int
    """The number of the offer."""
    number: int
    """The number of the side envelope that accepts it."""
    digest: bytes
    """Its hash."""


class MatchStatus:
    """The stage of each seat, and what is offered, accepted and given up."""

    def __init__(self, seats: int) -> None:
        """Begin a match."""
        self.stages = [Stage.PLAYING for _ in range(seats)]
        self.over = False
        """Whether the match has its result."""
        self.offers: list[list[int]] = [[] for _ in range(seats)]
        """The numbers of each seat's draw offers that may be accepted at the present head, oldest first."""
        self.resigned: dict[Seat, bytes] = {}
        """Who has given up, with the hash of the side envelope that says so."""
        self.accepted: dict[Seat, Acceptance] = {}
        """Who has accepted a draw."""
        self.claims = Claims()
        self.breaks = Breaks(seats)

    def after(self, seat: Seat, kind: Input) -> Stage | None:
        """Return the stage of a seat after an input, or None when it must not come now."""
        return TRANSITIONS.get((self.stages[seat], kind))

    def may_sign(self, seat: Seat) -> bool:
        """Say whether this seat may now sign the result; to sign the other's claim is to concede it."""
        return self.must_sign(seat) or (not self.over and self._others(seat, Stage.CLAIMED))

    def must_sign(self, seat: Seat) -> bool:
        """Say whether nothing is left for this seat but to sign the result."""
        if self.over:
            return self.stages[seat] is Stage.ENDED
        if self._others(seat, Stage.RESIGNED, Stage.AGREED):
            return True
        return self._others(seat, Stage.CLAIMED) and any(claim.decides for claim in self._claims_against(seat))

    def _others(self, seat: Seat, *stages: Stage) -> bool:
        return any(stage in stages for author, stage in enumerate(self.stages) if author != seat)

    def _claims_against(self, seat: Seat) -> list[Claim]:
        found = (self.claims.of(claimant) for claimant in range(len(self.stages)) if claimant != seat)
        return [claim for claim in found if claim is not None]

    def grounds(self, signer: Seat | None = None) -> tuple[tuple[Seat, bytes], ...]:
        """Return the side envelopes that decide a match whose chain has no result: seat and hash of each.

        Args:
            signer: who would sign the result; a claim against the signer that nothing else decides is one, too.
        """
        if self.resigned:
            return tuple(sorted(self.resigned.items()))
        standing = [claim for claim in map(self.claims.of, range(len(self.stages))) if claim is not None]
        deciding = [claim for claim in standing if claim.decides]
        if not deciding and not self.accepted and signer is not None:
            deciding = self._claims_against(signer)
        if deciding:
            return tuple((claim.seat, claim.digest) for claim in deciding)
        return tuple(sorted((seat, one.digest) for seat, one in self.accepted.items()))

    def find_resigned(self, grounds: Iterable[tuple[Seat, bytes]]) -> tuple[Seat, ...] | None:
        """Return who has given up according to some grounds, nobody in a draw; None if one is neither."""
        found = []
        for seat, digest in grounds:
            if self.resigned.get(seat) == digest:
                found.append(seat)
            elif seat not in self.accepted or self.accepted[seat].digest != digest:
                return None
        return tuple(found)

    def find_claim(self, grounds: tuple[tuple[Seat, bytes], ...]) -> Claim | None:
        """Return the claim that some grounds name, if it is all that they name."""
        return self.claims.known(*grounds[0]) if len(grounds) == 1 else None

    def has_given_up(self, seat: Seat) -> bool:
        """Say whether a seat's own side envelopes have put an end to the match as far as it is concerned."""
        claim = self.claims.of(seat)
        # A claim that was not proved ends with a denial, which whoever made the log may have left out.
        return seat in self.resigned or seat in self.accepted or (claim is not None and claim.fate is Fate.PROVED)

    def move_on(self, seat: Seat, stage: Stage) -> list[Event]:
        """Take an envelope of a seat: offers lapse, and so does what was accepted."""
        self.stages[seat] = stage
        # SPEC, "Draw": an acceptance is bound to a head and means nothing once the chain moves on.
        lapsed: list[Event] = []
        for accepting, acceptance in self.accepted.items():
            self.stages[accepting] = TRANSITIONS[Stage.AGREED, Input.LAPSE]
            lapsed.append(events.DrawLapsed(accepting, acceptance.offer))
        self.accepted.clear()
        for claim in self.claims.move_on():
            self.stages[claim.seat] = TRANSITIONS[Stage.CLAIMED, Input.LAPSE]
            lapsed.append(events.ClaimLapsed(claim.seat, claim.number))
        self.breaks.move_on()
        for offers in self.offers:
            offers.clear()
        return lapsed

    def take(self, side: Side, digest: bytes, stage: Stage, *, present: bool, proved: bool = False) -> list[Event]:
        """Take a side message that may come now.

        Args:
            side: the message.
            digest: its hash.
            stage: the stage of its author after it.
            present: whether it names the present head.
            proved: whether it is a claim that the other's own signed times bear out.
        """
        seat, number = side.seat, side.number
        event: Event
        match side.type:
            case SideType.CHAT:
                event = events.ChatReceived(seat, str(side.body))
            case SideType.RESIGN:
                self.resigned[seat] = digest
                event = events.Resigned(seat)
            case SideType.OFFER if present:
                self.offers[seat].append(number)
                event = events.DrawOffered(seat, number)
            case SideType.OFFER:
                event = events.DrawLapsed(seat, number)
            case SideType.ACCEPT | SideType.DECLINE:
                return self._answer(side, digest, stage, present)
            case SideType.CLAIM if present:
                event = self.claims.take(side, digest, proved=proved)
            case SideType.CLAIM:
                return [self.claims.late(side, digest)]
            case SideType.DENY:
                event, lost = self.claims.deny(side, present=present)
                if lost:
                    self.stages[other(seat)] = TRANSITIONS[Stage.CLAIMED, Input.LAPSE]
            case _:
                event = self.breaks.take(side, present=present)
        self.stages[seat] = stage
        return [event]

    def _answer(self, side: Side, digest: bytes, stage: Stage, present: bool) -> list[Event]:
        seat, number = side.seat, side.body
        assert isinstance(number, int)
        offers = self.offers[other(seat)]
        if not present or number not in offers:
            return [events.DrawLapsed(seat, number)]
        self.stages[seat] = stage
        if side.type is SideType.ACCEPT:
            self.accepted[seat] = Acceptance(number, side.number, digest)
            return [events.DrawAccepted(seat, number)]
        # Whoever declines an offer has also seen those before it.
        offers[:] = [later for later in offers if later > number]
        return [events.DrawDeclined(seat, number)]

    def end(self) -> None:
        """Give the match its result."""
        self.over = True
        for seat, stage in enumerate(self.stages):
            self.stages[seat] = TRANSITIONS.get((stage, Input.END), stage)
