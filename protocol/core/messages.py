"""The messages inside of the frames, but the envelope: fields and schemas (SPEC.md, section "Messages").

Values and their bytes only.  What is *not* here: whether a message may come now and whether its
signatures hold; that is :mod:`protocol.core.transcript`.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import Any, TypeAlias

from protocol.core import wire
from protocol.errors import WireError
from protocol.game import Seat

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
class Side:
    """A link of the sender's own chain, bound to the head of the common chain that the sender had seen."""

    match_id: bytes
    number: int
    """Counted from 1 for each sender."""
    seat: Seat
    prev: bytes
    """The hash of the sender's side envelope before; of the first one the match id."""
    seq: int
    """How long the common chain was that the sender had seen."""
    head: bytes
    """The hash of its last envelope."""
    type: SideType | int
    """A plain number where this program does not know the type."""
    body: SideBody
    """The line of a chat; the number of what is answered; a break; ground and reading of a claim; the bytes of a type
    that is not known; else nothing."""

    def pack(self) -> bytes:
        """Return the bytes that are hashed and signed.

        Raises:
            WireError: a field is out of its bounds.
        """
        return wire.pack(
            (
                self.match_id,
                self.number,
                self.seat,
                self.prev,
                self.seq,
                self.head,
                int(self.type),
                self.body,
            ),
            _check_side,
        )

    @staticmethod
    def unpack(data: bytes) -> Side:
        """Read :meth:`pack`'s bytes.

        Raises:
            WireError: they are none.
        """
        value: Any = wire.unpack(data, _check_side)
        match_id, number, seat, prev, seq, head, kind, body = value
        return Side(match_id, number, seat, prev, seq, head, SideType(kind) if kind in _KNOWN else kind, body)


_SIDE = wire.fields(
    "side",
    ("match_id", wire.HASH),
    ("number", wire.integer(1, 2**31)),
    ("seat", wire.SEAT),
    ("prev", wire.HASH),
    ("seq", wire.COUNT),
    ("head", wire.HASH),
    ("type", wire.integer(1, 65_535)),
    ("body", wire.anything),
)
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
    kind, body = value[6:]
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
class SignedOutcome:
    """The result that both sign.

    It names everything that it follows from, so that it is true or false whatever else a log holds.
    """

    match_id: bytes
    seq: int
    """The length of the chain at the end."""
    head: bytes
    """Its last hash."""
    sides: tuple[int, ...]
    """How many side envelopes of each seat the author has sent and seen."""
    result: tuple[tuple[str, str], ...]
    """The game's result, sorted by key."""
    grounds: tuple[tuple[Seat, bytes], ...] = ()
    """What decides if the chain itself has no result: the seat and the hash of each resignation, or if there is
    none, of each acceptance of a draw; sorted by seat."""

    def pack(self) -> bytes:
        """Return the bytes that are signed.

        Raises:
            WireError: a field is out of its bounds.
        """
        value = (self.match_id, self.seq, self.head, self.sides, self.result, self.grounds)
        return wire.pack(value, _check_outcome)

    @staticmethod
    def unpack(data: bytes) -> SignedOutcome:
        """Read :meth:`pack`'s bytes.

        Raises:
            WireError: they are none.
        """
        value: Any = wire.unpack(data, _check_outcome)
        return SignedOutcome(*value)


_OUTCOME = wire.fields(
    "result",
    ("match_id", wire.HASH),
    ("seq", wire.COUNT),
    ("head", wire.HASH),
    ("sides", wire.SIDES),
    ("result", wire.items(wire.fields("fact", ("key", wire.word(32)), ("value", wire.word(64))), 1, 8)),
    ("grounds", wire.items(wire.fields("ground", ("seat", wire.SEAT), ("side", wire.HASH)), 0, 8)),
)


def _check_outcome(value: object) -> None:
    _OUTCOME(value)
    assert isinstance(value, tuple)
    for pairs in value[4:]:
        keys = [key for key, _ in pairs]
        if keys != sorted(set(keys)):
            raise WireError("bad_array", "keys and seats that ascend", str(keys))


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


@dataclass(frozen=True, slots=True)
class AuditVerdict:
    """What one side's audit has found: a list of code, envelope and seat."""

    match_id: bytes
    seat: Seat
    problems: tuple[tuple[str, int | None, int | None], ...]

    def pack(self) -> bytes:
        """Return the bytes that are signed.

        Raises:
            WireError: a field is out of its bounds.
        """
        return wire.pack((self.match_id, self.seat, self.problems), _VERDICT)

    @staticmethod
    def unpack(data: bytes) -> AuditVerdict:
        """Read :meth:`pack`'s bytes.

        Raises:
            WireError: they are none.
        """
        value: Any = wire.unpack(data, _VERDICT)
        return AuditVerdict(*value)


_VERDICT = wire.fields(
    "verdict",
    ("match_id", wire.HASH),
    ("seat", wire.SEAT),
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
        value = (
            self.match_id, self.seat, self.count, self.digest, self.asked, self.nonce, self.channel, self.rules
        )  # fmt: skip
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
