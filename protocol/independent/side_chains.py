"""What side envelopes do (SPEC.md, sections "Draw, resignation and chat", "Breaks and claims")."""

from dataclasses import dataclass
from enum import Enum
from typing import Final

from protocol.game import Seat
from protocol.independent.messages import ADJOURNMENT, Side, SideType
from protocol.independent.reading import OTHER, SEATS, Signed

ANSWERS: Final = {
    SideType.ACCEPT: SideType.OFFER,
    SideType.DECLINE: SideType.OFFER,
    SideType.AGREE: SideType.PROPOSE,
    SideType.REJECT: SideType.PROPOSE,
    SideType.DENY: SideType.CLAIM,
}
"""What answers what."""
KNOWN: Final = frozenset(SideType)


class Fate(Enum):
    """What has become of a claim."""

    OPEN = "open"
    PROVED = "proved"
    CONCEDED = "conceded"
    DENIED = "denied"
    LAPSED = "lapsed"


@dataclass(slots=True)
class Claim:
    """A claim of the match."""

    message: Signed
    side: Side
    ground: int
    seconds: int
    fate: Fate


class SideChains:
    """The side envelopes of both seats."""

    def __init__(self) -> None:
        self.held: list[list[Signed]] = [[] for _ in SEATS]
        """All, by seat and number."""
        self.resigned: dict[Seat, Signed] = {}
        self.accepted: dict[Seat, Signed] = {}
        """The acceptances that hold at the present head."""
        self.claims: list[Claim] = []
        self._here: list[list[Side]] = [[] for _ in SEATS]
        """What has been said at the present head."""

    def find_claim(self, seat: Seat) -> Claim | None:
        """Return the claim of a seat at the present head that waits for an answer or is proved."""
        standing = (Fate.OPEN, Fate.PROVED)
        return next((one for one in self.claims if one.message.seat == seat and one.fate in standing), None)

    def grounds(self, signer: Seat | None = None) -> list[Signed]:
        """Return what decides a match whose chain has no result; whoever signs may also concede the other's claim."""
        if self.resigned:
            return [self.resigned[seat] for seat in sorted(self.resigned)]
        claims = [one.message for one in self.claims if one.fate in (Fate.PROVED, Fate.CONCEDED)]
        if claims or self.accepted:
            return claims or [self.accepted[seat] for seat in sorted(self.accepted)]
        claim = None if signer is None else self.find_claim(OTHER[signer])
        return [] if claim is None else [claim.message]

    def move_on(self) -> None:
        """Leave a head: what was offered, agreed on or claimed there stands no more."""
        self.accepted.clear()
        self._here = [[] for _ in SEATS]
        for claim in self.claims:
            if claim.fate is Fate.OPEN:
                claim.fate = Fate.LAPSED

    def take(self, message: Signed, length: int, *, proved: bool) -> None:
        """Let a side envelope have its effect while the chain has a length; a claim may be proved."""
        side = message.body
        assert isinstance(side, Side)
        if side.type == SideType.RESIGN:
            self.resigned[message.seat] = message
        elif side.type == SideType.CLAIM:
            fate = Fate.LAPSED if side.header.seq != length else Fate.PROVED if proved else Fate.OPEN
            self.add_claim(message, fate)
        if side.header.seq != length:
            return
        if side.type == SideType.ACCEPT and self._may_accept(side):
            self.accepted[message.seat] = message
        elif side.type == SideType.DENY:
            for claim in self.claims:
                if claim.fate is Fate.OPEN and claim.message.seat != message.seat and claim.side.number == side.body:
                    claim.fate = Fate.DENIED
        self._here[message.seat].append(side)

    def add_claim(self, message: Signed, fate: Fate) -> None:
        """Keep a claim."""
        side = message.body
        assert isinstance(side, Side)
        assert isinstance(side.body, tuple)
        ground, read, down = side.body
        self.claims.append(Claim(message, side, ground, read + down, fate))

    def _may_accept(self, answer: Side) -> bool:
        """Say whether an acceptance holds: what it answers stands at this head and was not declined before."""
        others = {one.number for one in self._here[OTHER[answer.header.seat]]}
        own = self._here[answer.header.seat]
        declined = [_number(one) for one in own if one.type == SideType.DECLINE and one.body in others]
        return _number(answer) in others and all(number < _number(answer) for number in declined)

    @property
    def agreed_break(self) -> int | None:
        """The break that stands at the present head."""
        kinds = [
            proposal.body
            for seat in SEATS
            for answer, proposal in self._agreements(seat)
            if not self._gone_on(answer) and not self._gone_on(proposal)
        ]
        if not kinds:
            return None
        return ADJOURNMENT if ADJOURNMENT in kinds else kinds[0] if isinstance(kinds[0], int) else None

    def _agreements(self, seat: Seat) -> list[tuple[Side, Side]]:
        """Return the agreements of a seat that hold at the present head, each with what it agrees to."""
        standing = {one.number: one for one in self._here[OTHER[seat]] if one.type == SideType.PROPOSE}
        found = []
        for answer in self._here[seat]:
            if answer.body not in standing:
                continue
            number = _number(answer)
            # Each proposal is answered once, so a second answer to it does nothing.
            if answer.type == SideType.AGREE:
                found.append((answer, standing.pop(number)))
            elif answer.type == SideType.REJECT:
                standing = {other: one for other, one in standing.items() if other > number}
        return found

    def _gone_on(self, side: Side) -> bool:
        """Say whether a seat has gone on since it proposed a break or agreed to one."""
        return any(one.type == SideType.GO_ON and one.number > side.number for one in self._here[side.header.seat])


def _number(answer: Side) -> int:
    """Return the number that an answer answers."""
    assert isinstance(answer.body, int)
    return answer.body
