"""How far the seats have come, and what their side messages have decided (SPEC.md, section "Draw, resignation").

What a side message means depends on the common chain and on the sender's own chain, never on which message
arrived first: offer, answer and chain must stand at one head, and whoever has resigned or accepted waits for the
other, because an envelope of theirs may be under way.  What is *not* here: signatures, and the order of either
chain, which is :mod:`protocol.core.transcript`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from protocol.core.claims import Breaks, Claim, Claims, Fate
from protocol.core.events import (
    ChatReceived,
    ClaimLapsed,
    DrawAccepted,
    DrawDeclined,
    DrawLapsed,
    DrawOffered,
    Event,
    Resigned,
)
from protocol.core.messages import Side, SideType
from protocol.core.stages import TRANSITIONS, Input, Stage
from protocol.game import Seat, other


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
        events: list[Event] = []
        for accepting, acceptance in self.accepted.items():
            self.stages[accepting] = TRANSITIONS[Stage.AGREED, Input.LAPSE]
            events.append(DrawLapsed(accepting, acceptance.offer))
        self.accepted.clear()
        for claim in self.claims.move_on():
            self.stages[claim.seat] = TRANSITIONS[Stage.CLAIMED, Input.LAPSE]
            events.append(ClaimLapsed(claim.seat, claim.number))
        self.breaks.move_on()
        for offers in self.offers:
            offers.clear()
        return events

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
                event = ChatReceived(seat, str(side.body))
            case SideType.RESIGN:
                self.resigned[seat] = digest
                event = Resigned(seat)
            case SideType.OFFER if present:
                self.offers[seat].append(number)
                event = DrawOffered(seat, number)
            case SideType.OFFER:
                event = DrawLapsed(seat, number)
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
            return [DrawLapsed(seat, number)]
        self.stages[seat] = stage
        if side.type is SideType.ACCEPT:
            self.accepted[seat] = Acceptance(number, side.number, digest)
            return [DrawAccepted(seat, number)]
        # Whoever declines an offer has also seen those before it.
        offers[:] = [later for later in offers if later > number]
        return [DrawDeclined(seat, number)]

    def end(self) -> None:
        """Give the match its result."""
        self.over = True
        for seat, stage in enumerate(self.stages):
            self.stages[seat] = TRANSITIONS.get((stage, Input.END), stage)
