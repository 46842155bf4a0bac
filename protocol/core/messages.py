"""The messages inside of the frames, but the envelope: fields and schemas (SPEC.md, section "Messages").

Values and their bytes only.  What is *not* here: whether a message may come now and whether its
signatures hold; that is :mod:`protocol.core.transcript`.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import Any, NamedTuple, Self, TypeAlias

from protocol.core import wire
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
class Header:
    """What every signed message of a log begins with: its author, and all that they had seen (SPEC.md, "The header").

    So nobody can put another message in the place of one that its author had seen.
    """

    match_id: bytes
    seat: Seat
    """Who has signed it."""
    seq: int
    """How long the common chain was that its author had seen."""
    sides: tuple[int, ...]
    """How many side envelopes of each seat its author had sent before it, and held."""
    prev: bytes
    """The hash of the last envelope and the last side envelopes of these."""

    @property
    def fields(self) -> tuple[bytes, Seat, int, tuple[int, ...], bytes]:
        """The header alone, as it is packed."""
        return self.match_id, self.seat, self.seq, self.sides, self.prev

    def pack(self) -> bytes:
        """Return the bytes that are hashed and signed.

        Raises:
            WireError: a field is out of its bounds.
        """
        return wire.pack(tuple(getattr(self, name) for name in self.__dataclass_fields__), _SCHEMAS[type(self)])

    @classmethod
    def unpack(cls, data: bytes) -> Self:
        """Read :meth:`pack`'s bytes.

        Raises:
            WireError: they are none.
        """
        value: Any = wire.unpack(data, _SCHEMAS[cls])
        return cls(*value)


HEADER_SCHEMA = (
    ("match_id", wire.HASH),
    ("seat", wire.SEAT),
    ("seq", wire.COUNT),
    ("sides", wire.SIDES),
    ("prev", wire.HASH),
)
"""The fields of a header, for the schemas of messages."""


@dataclass(frozen=True, slots=True)
class Side(Header):
    """What a seat says beside the game."""

    type: SideType | int
    """A plain number where this program does not know the type."""
    body: SideBody
    """The line of a chat; the number of what is answered; a break; ground and reading of a claim; the bytes of a type
    that is not known; else nothing."""

    @property
    def number(self) -> int:
        """Counted from 1 for each sender."""
        return self.sides[self.seat] + 1

    def pack(self) -> bytes:
        """Return the bytes that are hashed and signed.

        Raises:
            WireError: a field is out of its bounds.
        """
        return wire.pack((*self.fields, int(self.type), self.body), _check_side)

    @staticmethod
    def unpack(data: bytes) -> Side:
        """Read :meth:`pack`'s bytes.

        Raises:
            WireError: they are none.
        """
        value: Any = wire.unpack(data, _check_side)
        *header, kind, body = value
        return Side(*(*header, SideType(kind) if kind in _KNOWN else kind, body))


_SIDE = wire.fields("side", *HEADER_SCHEMA, ("type", wire.integer(1, 65_535)), ("body", wire.anything))
_KNOWN = frozenset(map(int, SideType))
# What a message of later says stands packed in its bytes, so that a program that does not know it can keep it.
_UNKNOWN = wire.octets(0, 1024)
_CHAT = wire.fields("chat", ("text", wire.text(wire.CHAT_LIMIT)))
_ANSWER = wire.fields("answer", ("offer", wire.integer(1, 2**31)))
_BREAK = wire.fields("proposal", ("break", wire.integer(1, len(Break))))
_CLAIM = wire.fields("claim", ("ground", wire.integer(1, len(Ground))), ("read", wire.COUNT), ("read_down", wire.COUNT))
_ANSWERS = (SideType.ACCEPT, SideType.DECLINE, SideType.AGREE, SideType.REJECT, SideType.DENY)


def _check_side(value: object) -> None:
    _SIDE(value)
    assert isinstance(value, tuple)
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


@dataclass(frozen=True, slots=True)
class SignedOutcome(Header):
    """The result that both sign.

    It hashes everything that it follows from, so that it is true or false whatever else a log holds.
    """

    result: tuple[tuple[str, str], ...]
    """The game's result, sorted by key."""
    grounds: tuple[tuple[Seat, bytes], ...] = ()
    """What decides if the chain itself has no result: the seat and the hash of each resignation, or if there is
    none, of each acceptance of a draw; sorted by seat."""


_OUTCOME = wire.fields(
    "result",
    *HEADER_SCHEMA,
    ("result", wire.items(wire.fields("fact", ("key", wire.word(32)), ("value", wire.word(64))), 1, 8)),
    ("grounds", wire.items(wire.fields("ground", ("seat", wire.SEAT), ("side", wire.HASH)), 0, 8)),
)


def _check_outcome(value: object) -> None:
    _OUTCOME(value)
    assert isinstance(value, tuple)
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

    seed: bytes


_OPENED_SEED = wire.fields("seed", *HEADER_SCHEMA, ("seed", wire.HASH))


@dataclass(frozen=True, slots=True)
class AuditVerdict(Header):
    """What one side's audit has found: a list of code, envelope and seat."""

    problems: tuple[tuple[str, int | None, int | None], ...]


_VERDICT = wire.fields(
    "verdict",
    *HEADER_SCHEMA,
    (
        "problems",
        wire.items(
            wire.fields(
                "problem",
                ("code", wire.word(40)),
                ("seq", wire.optional(wire.COUNT)),
                ("seat", wire.optional(wire.SEAT)),
            ),
            0,
            64,
        ),
    ),
)


_SCHEMAS = {SignedOutcome: _check_outcome, OpenedSeed: _OPENED_SEED, AuditVerdict: _VERDICT}
"""Of the messages whose fields are packed as they are."""


@dataclass(frozen=True, slots=True)
class Resume:
    """How much of the receiver's frames the sender holds."""

    match_id: bytes
    seat: Seat
    count: int
    """How many frames of the receiver the sender has accepted since the handshake."""
    digest: bytes
    """The running hash over them."""
    asked: bytes
    """The nonce of the receiver's CALL on this connection: nobody can have signed it before."""
    nonce: bytes
    """The nonce of the sender's CALL on this connection."""
    channel: bytes
    """What names the connection, e.g. the hash of its certificate; both must see the same."""
    rules: str
    """The version of the rules by which the sender's program plays the match's game, today."""

    def pack(self) -> bytes:
        """Return the bytes that are signed.

        Raises:
            WireError: a field is out of its bounds.
        """
        value = (self.match_id, self.seat, self.count, self.digest, self.asked, self.nonce, self.channel, self.rules)
        return wire.pack(value, _RESUME)

    @staticmethod
    def unpack(data: bytes) -> Resume:
        """Read :meth:`pack`'s bytes.

        Raises:
            WireError: they are none.
        """
        value: Any = wire.unpack(data, _RESUME)
        return Resume(*value)


_RESUME = wire.fields(
    "resume",
    ("match_id", wire.HASH),
    ("seat", wire.SEAT),
    ("count", wire.COUNT),
    ("digest", wire.HASH),
    ("asked", wire.HASH),
    ("nonce", wire.HASH),
    ("channel", wire.octets(0, 64)),
    ("rules", wire.word(100)),
)
