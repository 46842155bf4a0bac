"""The messages inside of the frames: fields and schemas (SPEC.md, sections "Messages", "The header, and envelopes").

Values and their bytes only.  What is *not* here: whether a message may come now and whether its
signatures hold; that is :mod:`protocol.core.transcript`.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import Annotated, Any, ClassVar, NamedTuple, Self, TypeAlias

from protocol.core import wire
from protocol.core.clock import Stamp
from protocol.core.steps import STEPS_SCHEMA, Step, step_of, step_value
from protocol.errors import WireError
from protocol.game import Seat, Value

SideBody: TypeAlias = "str | bytes | int | tuple[int, int, int] | None"
"""What a side envelope holds, by its type."""


class SideType(IntEnum):
    """What a side envelope says.

    A program keeps a message of an odd type that it does not know and goes on; one of an even type ends the match.
    """

    CHAT = 1
    """A line of text."""
    OFFER = 2
    """A draw is offered; the offer lapses when the chain moves on."""
    ACCEPT = 3
    """The offer with this number of the other seat is accepted."""
    DECLINE = 4
    """The offer with this number of the other seat is declined."""
    RESIGN = 5
    """The sender gives up."""
    PROPOSE = 6
    """A break is proposed (:class:`Break`); it lapses when the chain moves on."""
    AGREE = 7
    """The proposal with this number of the other seat is agreed to."""
    REJECT = 8
    """The proposal with this number of the other seat is rejected."""
    GO_ON = 9
    """The break is over, and the sender's proposals are withdrawn."""
    CLAIM = 10
    """The sender claims the match: what for, and how the sender reads the other's time."""
    DENY = 11
    """The claim with this number of the other seat is denied."""


class Break(IntEnum):
    """A time in which no clock runs."""

    PAUSE = 1
    """A short one: both stay."""
    ADJOURNMENT = 2
    """Both leave, and go on another day."""


class Ground(IntEnum):
    """What a match is claimed for."""

    TIME = 1
    """The other's time is up."""
    ABSENCE = 2
    """The other owes a message and has been silent for as long as the terms say."""


@dataclass(frozen=True, slots=True)
class Header(wire.Packed):
    """What every signed message of a log begins with: its author, and all that they had seen (SPEC.md, "The header").

    So nobody can put another message in the place of one that its author had seen.
    """

    match_id: wire.Hash
    seat: wire.SeatNumber
    """Who has signed it."""
    seq: wire.Count
    """How long the common chain was that its author had seen."""
    sides: wire.Sides
    """How many side envelopes of each seat its author had sent before it, and held."""
    prev: wire.Hash
    """The hash of the last envelope and the last side envelopes of these."""

    @property
    def fields(self) -> tuple[bytes, Seat, int, tuple[int, ...], bytes]:
        """The header alone, as it is packed."""
        return self.match_id, self.seat, self.seq, self.sides, self.prev


HEADER_SCHEMA = wire.checks_of(Header)
"""The fields of a header, for the schemas of messages."""


@dataclass(frozen=True, slots=True)
class Side(Header):
    """What a seat says beside the game."""

    type: Annotated[SideType | int, wire.integer(1, 65_535)]
    """A plain number where this program does not know the type."""
    body: Annotated[SideBody, wire.anything]
    """The line of a chat; the number of what is answered; a break; ground and reading of a claim; the bytes of a type
    that is not known; else nothing."""

    @property
    def number(self) -> int:
        """Counted from 1 for each sender."""
        return self.sides[self.seat] + 1

    @staticmethod
    def check_whole(value: tuple[Any, ...]) -> None:
        """Refuse what does not belong to the type.

        Raises:
            WireError: it does not.
        """
        kind, body = value[5:]
        if kind not in _KNOWN:
            _UNKNOWN(body)
        elif kind == SideType.CHAT:
            _CHAT((body,))
        elif kind in _ANSWERS:
            _ANSWER((body,))
        elif kind == SideType.PROPOSE:
            _BREAK((body,))
        elif kind == SideType.CLAIM:
            _CLAIM(body)
        elif body is not None:
            raise WireError("bad_side", "nil", wire.describe(body))

    @classmethod
    def unpack(cls, data: bytes) -> Self:
        """Read :meth:`pack`'s bytes.

        Raises:
            WireError: they are none.
        """
        value: Any = wire.unpack(data, wire.schema_of(cls))
        *header, kind, body = value
        return cls(*(*header, SideType(kind) if kind in _KNOWN else kind, body))


_KNOWN = frozenset(map(int, SideType))
# What a message of later says stands packed in its bytes, so that a program that does not know it can keep it.
_UNKNOWN = wire.octets(0, 1024)
_CHAT = wire.fields("chat", ("text", wire.text(wire.CHAT_LIMIT)))
_ANSWER = wire.fields("answer", ("offer", wire.integer(1, 2**31)))
_BREAK = wire.fields("proposal", ("break", wire.integer(1, len(Break))))
_CLAIM = wire.fields("claim", ("ground", wire.integer(1, len(Ground))), ("read", wire.COUNT), ("read_down", wire.COUNT))
_ANSWERS = (SideType.ACCEPT, SideType.DECLINE, SideType.AGREE, SideType.REJECT, SideType.DENY)


_FACT = wire.fields("fact", ("key", wire.word(32)), ("value", wire.word(64)))
_GROUND = wire.fields("ground", ("seat", wire.SEAT), ("side", wire.HASH))


@dataclass(frozen=True, slots=True)
class SignedOutcome(Header):
    """The result that both sign.

    It hashes everything that it follows from, so that it is true or false whatever else a log holds.
    """

    LABEL: ClassVar = "result"

    result: Annotated[tuple[tuple[str, str], ...], wire.items(_FACT, 1, 8)]
    """The game's result, sorted by key."""
    grounds: Annotated[tuple[tuple[Seat, bytes], ...], wire.items(_GROUND, 0, 8)] = ()
    """What decides if the chain itself has no result: the seat and the hash of each resignation, or if there is
    none, of each acceptance of a draw; sorted by seat."""

    @staticmethod
    def check_whole(value: tuple[Any, ...]) -> None:
        """Refuse keys and seats that do not ascend.

        Raises:
            WireError: they do not.
        """
        for pairs in value[5:]:
            keys = [key for key, _ in pairs]
            if keys != sorted(set(keys)):
                raise WireError("bad_array", "keys and seats that ascend", "others")


class FalseBatch(NamedTuple):
    """What a seat has hidden in place of what it had to, as far as its seed shows it (SPEC.md, section "Audit")."""

    due: tuple[Value, ...]
    """The values that the batch must hold, ascending."""
    held: tuple[tuple[Value, ...], ...]
    """The values that the seed shows in each part of the batch, ascending; a `Hide` has one part."""


@dataclass(frozen=True, slots=True)
class Problem:
    """Something that the audit has found."""

    code: str
    """A stable word, listed in SPEC.md."""
    seq: int | None
    """The number of the envelope in question."""
    seat: Seat | None
    """Who is to blame, if anybody is."""
    text: str
    """What was expected and what came, in one sentence."""
    batch: FalseBatch | None = None
    """What was hidden, if it is a batch that the seed does not give."""

    @property
    def key(self) -> tuple[object, ...]:
        """What makes it the same problem as another; it can be compared with that of any of the same seat."""
        return self.code, self.seq, self.seat, self.batch or ()


@dataclass(frozen=True, slots=True)
class OpenedSeed(Header):
    """The seed of its author's secrets, opened after the result."""

    LABEL: ClassVar = "seed"

    seed: wire.Hash


_PROBLEM = wire.fields(
    "problem", ("code", wire.word(40)), ("seq", wire.optional(wire.COUNT)), ("seat", wire.optional(wire.SEAT))
)


@dataclass(frozen=True, slots=True)
class AuditVerdict(Header):
    """What one side's audit has found: a list of code, envelope and seat."""

    LABEL: ClassVar = "verdict"

    problems: Annotated[tuple[tuple[str, int | None, int | None], ...], wire.items(_PROBLEM, 0, 64)]


@dataclass(frozen=True, slots=True)
class Resume(wire.Packed):
    """How much of the receiver's frames the sender holds."""

    match_id: wire.Hash
    seat: wire.SeatNumber
    count: wire.Count
    """How many frames of the receiver the sender has accepted since the handshake."""
    digest: wire.Hash
    """The running hash over them."""
    asked: wire.Hash
    """The nonce of the receiver's CALL on this connection: nobody can have signed it before."""
    nonce: wire.Hash
    """The nonce of the sender's CALL on this connection."""
    channel: Annotated[bytes, wire.octets(0, 64)]
    """What names the connection, e.g. the hash of its certificate; both must see the same."""
    rules: Annotated[str, wire.word(100)]
    """The version of the rules by which the sender's program plays the match's game, today."""


@dataclass(frozen=True, slots=True)
class Envelope(Header):
    """A link of the common chain; exactly one seat may write the next."""

    steps: tuple[Step, ...]
    state: bytes
    """The hash of the game's public state after this message."""
    stamp: Stamp | None = None
    """What it says of time, in a match with a clock."""

    @property
    def number(self) -> int:
        """Counted from 1 along the chain."""
        return self.seq + 1

    def pack(self) -> bytes:
        """Return the bytes that are hashed and signed.

        Raises:
            WireError: a field is out of its bounds.
        """
        steps = tuple(step_value(step) for step in self.steps)
        timed = self.stamp is not None
        body = (steps, *self.stamp) if self.stamp is not None else steps
        kind = TIMED if timed else STEPS
        return wire.pack((*self.fields, kind, body, self.state), _check_envelope)

    @staticmethod
    def unpack(data: bytes) -> Envelope:
        """Read :meth:`pack`'s bytes.

        Raises:
            WireError: they are none.
        """
        value: Any = wire.unpack(data, _check_envelope)
        *header, kind, body, state = value
        steps, stamp = (body[0], body[1:]) if kind == TIMED else (body, None)
        return Envelope(*(*header, tuple(map(step_of, steps)), state, stamp))


STEPS = 1
"""The type of an envelope that carries steps."""

TIMED = 2
"""The type of one that carries steps and times, in a match with a clock."""

_ENVELOPE = wire.fields(
    "envelope", *HEADER_SCHEMA, ("type", wire.integer(STEPS, TIMED)), ("body", wire.anything), ("state", wire.HASH)
)
_BODY = wire.fields("envelope", ("body", STEPS_SCHEMA))
_TIMED_BODY = wire.fields(
    "body", ("steps", STEPS_SCHEMA), *((name, wire.COUNT) for name in ("spent", "down", "read", "read_down"))
)


def _check_envelope(value: object) -> None:
    _ENVELOPE(value)
    assert isinstance(value, tuple)
    kind, body = value[5:7]
    if kind == TIMED:
        _TIMED_BODY(body)
    else:
        _BODY((body,))
