"""What has happened, for the program around a session (SPEC.md, section "Session and events").

Values only.  None of them says "we": a seat is always named.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

# Who only tells of what has happened does without what makes it happen.
if TYPE_CHECKING:
    from protocol.core.clock import Difference, Spell
    from protocol.core.messages import Break, Ground, Problem
    from protocol.game import Answer, Request, Seat


@dataclass(frozen=True, slots=True)
class OfSeat:
    """What a seat has done."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class OfMessage(OfSeat):
    """What a side message of a seat has done: the one with this number, or the one with this number that it answers."""

    number: int


class Answered(NamedTuple):
    """An envelope has been accepted and completed these requests, in order; maybe none."""

    seq: int
    seat: Seat
    answers: tuple[tuple[Request, Answer], ...]


@dataclass(frozen=True, slots=True)
class ChatReceived:
    """A line of chat."""

    seat: Seat
    text: str


class DrawOffered(OfMessage):
    """A draw is offered; it lapses with the next envelope."""


class DrawAccepted(OfMessage):
    """The other seat's offer is accepted."""


class DrawDeclined(OfMessage):
    """The other seat's offer is declined."""


class DrawLapsed(OfMessage):
    """An offer was answered by ``seat`` after the match had moved on; the answer has no effect."""


class Resigned(OfSeat):
    """A seat has given up."""


@dataclass(frozen=True, slots=True)
class BreakProposed(OfMessage):
    """A break is proposed; the proposal lapses with the next envelope."""

    what: Break


@dataclass(frozen=True, slots=True)
class BreakAgreed(OfMessage):
    """The other seat's proposal is agreed to: no clock runs until somebody goes on."""

    what: Break


class BreakRejected(OfMessage):
    """The other seat's proposal is rejected."""


class BreakLapsed(OfMessage):
    """A proposal was made or answered by ``seat`` after the match had moved on; it has no effect."""


class GoneOn(OfSeat):
    """The break is over."""


@dataclass(frozen=True, slots=True)
class Claimed:
    """A seat claims the match; the other signs the result, denies it or plays on."""

    seat: Seat
    number: int
    ground: Ground
    reading: Spell
    """How long the other has taken, by the claimant's clock."""
    proved: bool
    """Whether the other's own signed times say the same; then nothing is left to deny."""


class ClaimDenied(OfMessage):
    """The other seat's claim is denied; it means nothing any more unless it was proved."""


class ClaimLapsed(OfMessage):
    """The claim of ``seat`` has lapsed because the match has moved on."""


@dataclass(frozen=True, slots=True)
class TimesDiffer:
    """A claimed time and the other's reading of it are further apart than the terms allow."""

    difference: Difference


@dataclass(frozen=True, slots=True)
class MatchOver:
    """The match has its result; signatures and audit follow."""

    result: dict[str, str]


class ResultSigned(OfSeat):
    """A seat has signed the result."""


class SeedOpened(OfSeat):
    """A seat has opened the seed of its secrets."""


@dataclass(frozen=True, slots=True)
class VerdictSigned:
    """A seat has signed what its audit has found."""

    seat: Seat
    problems: tuple[tuple[str, int | None, int | None], ...]


@dataclass(frozen=True, slots=True)
class Audited:
    """Both have replayed the match with open cards and signed what they found; nothing follows."""

    ok: bool
    problems: tuple[Problem, ...]
    """What our audit has found."""
    agreed: bool
    """Whether the other's audit has found the same."""


@dataclass(frozen=True, slots=True)
class PeerMisbehaved:
    """A signed message convicts a seat; the match stops and is forfeited."""

    code: str
    sentence: str
    seat: Seat
    seq: int | None
    evidence: tuple[bytes, ...]
    """The frames that convict, beside the chain before them."""
    result: dict[str, str]


@dataclass(frozen=True, slots=True)
class EndpointTold:
    """Where a seat can be called when the connection is lost."""

    seat: Seat
    pin: bytes
    candidates: tuple[tuple[str, int], ...]
    seen: bytes
    """How the seat is seen from outside, in the bytes of an invite; they may be none."""


@dataclass(frozen=True, slots=True)
class Damaged:
    """A frame proves nothing about anybody: drop the connection, then connect and resume."""

    code: str
    sentence: str


@dataclass(frozen=True, slots=True)
class Disagreement:
    """The two programs hold different matches; nobody is accused and the match stops."""

    code: str
    sentence: str
    state: bytes
    """The public state on our side, after the disputed message if it says anything of states; for a report."""
    recorded: bool = False
    """Whether a message shows it that is now the last record."""


@dataclass(frozen=True, slots=True)
class RecordsDiffer:
    """The other says what does not fit what is held here: drop the connection; a later one may be better.

    Only their word stands behind it, so nobody is accused, nothing is recorded, and the match waits.
    """

    code: str
    """``rolled_back`` or ``forked``: what they claim to hold of ours; with ``peer_`` before it what they claim of what
    we hold of theirs, or ``peer_refused`` for what this program does not know."""
    resume: bytes = b""
    """Their signed RESUME, if that says it."""


@dataclass(frozen=True, slots=True)
class RematchOffered(OfSeat):
    """A seat offers another match after the one that is over."""

    is_next: bool = False
    """Whether it is the next game of a tournament."""


class RematchDeclined(OfSeat):
    """A seat declines the other match that was offered."""


class OtherLeft(OfSeat):
    """A seat has hung up after the match."""


DrawEvent: TypeAlias = DrawOffered | DrawAccepted | DrawDeclined | DrawLapsed
BreakEvent: TypeAlias = BreakProposed | BreakAgreed | BreakRejected | BreakLapsed | GoneOn
ClaimEvent: TypeAlias = Claimed | ClaimDenied | ClaimLapsed | TimesDiffer
EndEvent: TypeAlias = MatchOver | ResultSigned | SeedOpened | VerdictSigned | Audited
RematchEvent: TypeAlias = RematchOffered | RematchDeclined | OtherLeft
AfterwardsEvent: TypeAlias = ChatReceived | RematchEvent
Stop: TypeAlias = PeerMisbehaved | Disagreement | Damaged | RecordsDiffer
SideEvent: TypeAlias = ChatReceived | DrawEvent | Resigned | BreakEvent | ClaimEvent
Event: TypeAlias = Answered | SideEvent | EndEvent | EndpointTold | RematchEvent | Stop
