"""The messages: kinds of frames, their fields and their schemas (SPEC.md, section "Messages").

Values and their bytes only.  What is *not* here: whether a message may come now and whether its
signatures hold; that is :mod:`protocol.transcript`.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import Any, TypeAlias

from protocol import wire
from protocol.errors import WireError
from protocol.game import Seat
from protocol.steps import STEPS_SCHEMA, Step, step_of, step_value
from protocol.steps import Choice as Choice
from protocol.steps import Cover as Cover
from protocol.steps import Find as Find
from protocol.steps import Reveal as Reveal
from protocol.steps import Seal as Seal
from protocol.steps import Shuffle as Shuffle
from protocol.steps import TossFix as TossFix
from protocol.steps import TossShare as TossShare
from protocol.steps import Unseal as Unseal
from protocol.times import Stamp


class Kind(IntEnum):
    """The first number of every frame."""

    HELLO = 1
    """Who I am, what I speak, what I offer; the guest's first, then the host's."""
    SIGN = 2
    """Signatures over both hellos; the guest's first, then the host's."""
    ENVELOPE = 3
    """One seat's steps in the game: a link of the common chain."""
    SIDE = 4
    """What may be said at any time: chat, draw, resignation; a link of the sender's own chain."""
    RESULT = 5
    """The result, signed with match and identity key."""
    SEED = 6
    """The seed of the sender's secrets, opened after the result."""
    VERDICT = 7
    """What the sender's audit has found."""
    RESUME = 8
    """How much of the receiver's frames the sender holds; never part of a log."""
    REFUSAL = 9
    """Why a handshake or a resumed match ends; never part of a log."""
    CALL = 10
    """A fresh nonce for the other's RESUME; the first frame of a line, and never part of a log."""


# Together with the frames of start and end, both limits for both seats fill less than a log may hold, so that
# nobody can make a match that cannot be exported (tests/wire/test_limits.py).

CHAIN_LIMIT = 7 * 1024 * 1024
"""The most bytes that the frames of all envelopes of a match may have."""

SIDE_LIMIT = 2000
"""The highest number of a side envelope; a resignation may have one more."""


@dataclass(frozen=True, slots=True)
class Record:
    """One frame of a match's log, in the order of acceptance."""

    kind: int
    """A :class:`Kind`."""
    frame: bytes
    """The frame exactly as it was sent."""


_HASH = wire.octets(32)
_SIGNATURE = wire.octets(64)
_SEAT = wire.integer(0, 7)
_COUNT = wire.integer(0, 2**31)


def _any(value: object) -> None:
    """Leave a field to the check of the type that it belongs to."""



@dataclass(frozen=True, slots=True)
class Envelope:
    """A link of the common chain."""

    match_id: bytes
    seq: int
    """Counted from 1; exactly one seat may write the next."""
    seat: Seat
    prev: bytes
    """The hash of the envelope before, of whichever seat; of the first one the match id."""
    steps: tuple[Step, ...]
    state: bytes
    """The hash of the game's public state after this message."""
    stamp: Stamp | None = None
    """What it says of time, in a match with a clock."""

    def pack(self) -> bytes:
        """Return the bytes that are hashed and signed.

        Raises:
            WireError: a field is out of its bounds.
        """
        steps = tuple(step_value(step) for step in self.steps)
        timed = self.stamp is not None
        body = (steps, *self.stamp) if self.stamp is not None else steps
        kind = TIMED if timed else STEPS
        value = (1, self.match_id, self.seq, self.seat, self.prev, kind, body, self.state)
        return wire.pack(value, _check_envelope)

    @staticmethod
    def unpack(data: bytes) -> Envelope:
        """Read :meth:`pack`'s bytes.

        Raises:
            WireError: they are none.
        """
        value: Any = wire.unpack(data, _check_envelope)
        _, match_id, seq, seat, prev, kind, body, state = value
        steps, stamp = (body[0], body[1:]) if kind == TIMED else (body, None)
        return Envelope(match_id, seq, seat, prev, tuple(step_of(step) for step in steps), state, stamp)


STEPS = 1
"""The type of an envelope that carries steps."""

TIMED = 2
"""The type of one that carries steps and times, in a match with a clock."""

_ENVELOPE = wire.fields(
    "envelope",
    ("version", wire.integer(1, 1)),
    ("match_id", _HASH),
    ("seq", wire.integer(1, 2**31)),
    ("seat", _SEAT),
    ("prev", _HASH),
    ("type", wire.integer(STEPS, TIMED)),
    ("body", _any),
    ("state", _HASH),
)
_BODY = wire.fields("envelope", ("body", STEPS_SCHEMA))
_TIMED_BODY = wire.fields(
    "body", ("steps", STEPS_SCHEMA), ("spent", _COUNT), ("down", _COUNT), ("read", _COUNT), ("read_down", _COUNT)
)


def _check_envelope(value: object) -> None:
    _ENVELOPE(value)
    assert isinstance(value, tuple)
    if value[5] == TIMED:
        _TIMED_BODY(value[6])
    else:
        _BODY((value[6],))


SideBody: TypeAlias = "str | int | tuple[int, int, int] | None"
"""What a side envelope holds, by its type."""


class SideType(IntEnum):
    """What a side envelope says."""

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
    """The break is over, and proposals are withdrawn."""
    CLAIM = 10
    """The sender claims the match: what for, and his reading of the other's time."""
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
    """A link of the sender's own chain, bound to the head of the common chain that he had seen."""

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
    type: SideType
    body: SideBody
    """The line of a chat; the number of what is answered; a break; ground and reading of a claim; else nothing."""

    def pack(self) -> bytes:
        """Return the bytes that are hashed and signed.

        Raises:
            WireError: a field is out of its bounds.
        """
        return wire.pack(
            (
                1,
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
        _, match_id, number, seat, prev, seq, head, kind, body = value
        return Side(match_id, number, seat, prev, seq, head, SideType(kind), body)


_SIDE = wire.fields(
    "side",
    ("version", wire.integer(1, 1)),
    ("match_id", _HASH),
    ("number", wire.integer(1, 2**31)),
    ("seat", _SEAT),
    ("prev", _HASH),
    ("seq", _COUNT),
    ("head", _HASH),
    ("type", wire.integer(1, len(SideType))),
    ("body", _any),
)
_CHAT = wire.fields("chat", ("text", wire.text(wire.CHAT_LIMIT)))
_ANSWER = wire.fields("answer", ("offer", wire.integer(1, 2**31)))
_BREAK = wire.fields("proposal", ("break", wire.integer(1, len(Break))))
_CLAIM = wire.fields("claim", ("ground", wire.integer(1, len(Ground))), ("read", _COUNT), ("read_down", _COUNT))
_ANSWERS = (SideType.ACCEPT, SideType.DECLINE, SideType.AGREE, SideType.REJECT, SideType.DENY)


def _check_side(value: object) -> None:
    _SIDE(value)
    assert isinstance(value, tuple)
    kind, body = value[7], value[8]
    if kind == SideType.CHAT:
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
class Outcome:
    """The result that both sign: the same bytes for both.

    It names everything that it follows from, so that it is true or false whatever else a log holds.
    """

    match_id: bytes
    seq: int
    """The length of the chain at the end."""
    head: bytes
    """Its last hash."""
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
        return wire.pack((1, self.match_id, self.seq, self.head, self.result, self.grounds), _OUTCOME)

    @staticmethod
    def unpack(data: bytes) -> Outcome:
        """Read :meth:`pack`'s bytes.

        Raises:
            WireError: they are none.
        """
        value: Any = wire.unpack(data, _OUTCOME)
        return Outcome(*value[1:])


_OUTCOME = wire.fields(
    "result",
    ("version", wire.integer(1, 1)),
    ("match_id", _HASH),
    ("seq", _COUNT),
    ("head", _HASH),
    ("result", wire.items(wire.fields("fact", ("key", wire.word(32)), ("value", wire.word(64))), 1, 8)),
    ("grounds", wire.items(wire.fields("ground", ("seat", _SEAT), ("side", _HASH)), 0, 8)),
)


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
        return wire.pack((1, self.match_id, self.seat, self.problems), _VERDICT)

    @staticmethod
    def unpack(data: bytes) -> AuditVerdict:
        """Read :meth:`pack`'s bytes.

        Raises:
            WireError: they are none.
        """
        value: Any = wire.unpack(data, _VERDICT)
        return AuditVerdict(*value[1:])


_VERDICT = wire.fields(
    "verdict",
    ("version", wire.integer(1, 1)),
    ("match_id", _HASH),
    ("seat", _SEAT),
    (
        "problems",
        wire.items(
            wire.fields(
                "problem",
                ("code", wire.word(40)),
                ("seq", wire.optional(_COUNT)),
                ("seat", wire.optional(_SEAT)),
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
    """The nonce of the receiver's CALL on this line: nobody can have signed it before."""
    nonce: bytes
    """The nonce of the sender's CALL on this line."""
    channel: bytes
    """What names the line, e.g. the hash of its certificate; both must see the same."""

    def pack(self) -> bytes:
        """Return the bytes that are signed.

        Raises:
            WireError: a field is out of its bounds.
        """
        value = (1, self.match_id, self.seat, self.count, self.digest, self.asked, self.nonce, self.channel)
        return wire.pack(value, _RESUME)

    @staticmethod
    def unpack(data: bytes) -> Resume:
        """Read :meth:`pack`'s bytes.

        Raises:
            WireError: they are none.
        """
        value: Any = wire.unpack(data, _RESUME)
        return Resume(*value[1:])


_RESUME = wire.fields(
    "resume",
    ("version", wire.integer(1, 1)),
    ("match_id", _HASH),
    ("seat", _SEAT),
    ("count", _COUNT),
    ("digest", _HASH),
    ("asked", _HASH),
    ("nonce", _HASH),
    ("channel", wire.octets(0, 64)),
)

# --- frames ----------------------------------------------------------------------------------------------

_INNER = wire.octets(1, wire.FRAME_LIMIT)
_ONE = wire.integer(1, 1)


def _frame(kind: Kind, *schemas: tuple[str, wire.Check]) -> wire.Check:
    return wire.fields(kind.name.lower(), ("kind", wire.integer(kind, kind)), ("version", _ONE), *schemas)


_FRAMES: dict[int, wire.Check] = {
    Kind.HELLO: _frame(Kind.HELLO, ("hello", _INNER), ("mac", _HASH)),
    Kind.SIGN: _frame(
        Kind.SIGN,
        ("coin", wire.optional(_HASH)),
        ("pick", wire.optional(_SEAT)),
        ("by_identity", _SIGNATURE),
        ("by_match_key", _SIGNATURE),
    ),
    Kind.ENVELOPE: _frame(Kind.ENVELOPE, ("envelope", _INNER), ("signature", _SIGNATURE)),
    Kind.SIDE: _frame(Kind.SIDE, ("side", _INNER), ("signature", _SIGNATURE)),
    Kind.RESULT: _frame(
        Kind.RESULT,
        ("seat", _SEAT),
        ("result", _INNER),
        ("by_match_key", _SIGNATURE),
        ("by_identity", _SIGNATURE),
    ),
    Kind.SEED: _frame(Kind.SEED, ("seat", _SEAT), ("seed", _HASH), ("signature", _SIGNATURE)),
    Kind.VERDICT: _frame(Kind.VERDICT, ("verdict", _INNER), ("signature", _SIGNATURE)),
    Kind.RESUME: _frame(Kind.RESUME, ("resume", _INNER), ("signature", _SIGNATURE)),
    Kind.REFUSAL: _frame(Kind.REFUSAL, ("code", wire.word(40)), ("ours", wire.word(100))),
    Kind.CALL: _frame(Kind.CALL, ("nonce", _HASH)),
}


_SMALL = (Kind.HELLO, Kind.SIGN, Kind.REFUSAL)
_KINDS = {int(kind): kind for kind in Kind}


def _check_frame(value: object) -> None:
    if type(value) is not tuple or not value or type(value[0]) is not int or value[0] not in _FRAMES:
        raise WireError("unknown_frame", f"an array that begins with 1 to {len(_FRAMES)}", "another")
    _FRAMES[value[0]](value)


def pack_frame(kind: Kind, *values: wire.Value) -> bytes:
    """Return the bytes of a frame.

    Raises:
        WireError: a field is out of its bounds, or the frame would be too long.
    """
    data = wire.pack((int(kind), 1, *values), _check_frame)
    limit = wire.HANDSHAKE_LIMIT if kind in _SMALL else wire.FRAME_LIMIT
    if len(data) > limit:
        raise WireError("too_long", f"at most {limit} bytes", f"{len(data)} bytes")
    return data


def unpack_frame(data: bytes, limit: int = wire.FRAME_LIMIT) -> tuple[Kind, tuple[Any, ...]]:
    """Return the kind and the fields of a frame.

    Raises:
        WireError: the bytes are not a frame.
    """
    value: Any = wire.unpack(data, _check_frame, limit)
    return _KINDS[value[0]], value[2:]
