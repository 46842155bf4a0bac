"""The frames: their kinds, the fields of each kind and how large they may be (SPEC.md, section "Messages").

What is *not* here: what the signed bytes inside of a frame say, which is :mod:`protocol.core.messages`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import Any, NamedTuple, TypeAlias

from protocol import VERSIONS
from protocol.core import wire
from protocol.core.wire import Packable
from protocol.errors import WireError
from protocol.game import Seat


class FrameKind(IntEnum):
    """The first number of every frame."""

    HELLO = 1
    """Who I am, what I speak, what I offer; the guest's first, then the host's."""
    SIGN = 2
    """Signatures over both hellos; the guest's first, then the host's."""
    ENVELOPE = 3
    """One seat's steps in the game: a link of the common chain."""
    SIDE = 4
    """What may be said at any time: chat, draw, resignation; counted for each sender."""
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
    """A fresh nonce for the other's RESUME; the first frame of a connection, and never part of a log."""
    ENDPOINT = 11
    """Where the sender can be called when the connection is lost; never part of a log."""
    DONE = 12
    """The sender holds everything of a match that is closed; never part of a log."""
    WITNESS = 13
    """What a witness has signed; kept in the log, never sent by a player."""
    WATCH = 14
    """What a witness is shown; sent to the witness alone, never part of a log."""
    DATA = 15
    """A part of the data that the game is played with; kept in the log, never sent."""


RESERVED = (16,)
"""A kind that is not built yet: a block of frames for play by mail."""

TALK = 17
"""What is said after a match that both hold (:mod:`protocol.core.afterwards`): to a log it is no frame at all."""

FILES = 18
"""Files of a tournament, before and after a match of it (:mod:`protocol.tournament.exchange`); as little a frame."""


# Together with the frames of start and end, both limits for both seats fill less than a log may hold, so that
# nobody can make a match that cannot be exported (tests/wire/test_limits.py).

CHAIN_LIMIT = 2 * 1024 * 1024
"""The most bytes that the frames of all envelopes of a match may have: ten times what long matches need."""

DATA_PARTS = 32
"""The most frames into which the data of a game may be split."""

PART_LENGTH = 16_000
"""The most bytes of a part of them."""

SIDE_LIMIT = 2000
"""The highest number of a side envelope; a resignation may have one more."""


class Record(NamedTuple):
    """One frame of a match's log, in the order of acceptance."""

    kind: int
    """A :class:`FrameKind`."""
    frame: bytes
    """The frame exactly as it was sent."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One record and who sent it, as a journal keeps it."""

    ours: bool
    """Whether this program wrote the frame."""
    record: Record
    """The frame with its kind."""


@dataclass(frozen=True, slots=True)
class Trailer:
    """Who exported the log, and the signature of that seat's match key over the digest of everything before it."""

    seat: Seat
    digest: bytes
    """H("log", bytes)."""
    signature: bytes


@dataclass(frozen=True, slots=True)
class Log:
    """A log as it is judged."""

    records: Sequence[Record]
    """All frames in the order of acceptance."""
    trailer: Trailer | None = None
    """The end of the file, if the log comes from one."""


_SIGNATURE = wire.octets(64)
_INNER = wire.octets(1, wire.FRAME_LIMIT)


_Field: TypeAlias = tuple[str, wire.Check]
_VERSION: _Field = ("version", wire.integer(VERSIONS[0], VERSIONS[-1]))


def _signed(name: str) -> tuple[_Field, ...]:
    return (name, _INNER), ("signature", _SIGNATURE)


_FIELDS: dict[FrameKind, tuple[_Field, ...]] = {
    FrameKind.HELLO: (("hello", _INNER), ("mac", wire.HASH)),
    FrameKind.SIGN: (
        *((name, wire.optional(wire.HASH)) for name in ("coin", "blind")),
        ("pick", wire.optional(wire.SEAT)),
        *((name, _SIGNATURE) for name in ("by_identity", "by_match_key")),
    ),
    FrameKind.ENVELOPE: _signed("envelope"),
    FrameKind.SIDE: _signed("side"),
    FrameKind.RESULT: (("result", _INNER), ("by_match_key", _SIGNATURE), ("by_identity", _SIGNATURE)),
    FrameKind.SEED: _signed("seed"),
    FrameKind.VERDICT: _signed("verdict"),
    FrameKind.RESUME: _signed("resume"),
    FrameKind.REFUSAL: (("code", wire.word(40)), ("ours", wire.word(100))),
    FrameKind.CALL: (("nonce", wire.HASH),),
    FrameKind.ENDPOINT: _signed("endpoint"),
    FrameKind.DONE: (),
    FrameKind.WITNESS: _signed("statement"),
    FrameKind.WATCH: (
        *((name, wire.HASH) for name in ("match_id", "key", "other", "digest")),
        ("signature", _SIGNATURE),
    ),
    FrameKind.DATA: (("number", wire.integer(0, DATA_PARTS - 1)), ("data", wire.octets(1, PART_LENGTH))),
}
"""What stands in a frame behind its kind and the version."""
_THIRD: dict[int, wire.Check] = {
    kind: wire.fields(kind.name.lower(), *((head, wire.anything) for head in ("kind", "version")), *schemas)
    for kind, schemas in _FIELDS.items()
}


_TABLES = {3: _THIRD}
"""The frames of each version."""

_SMALL = (FrameKind.HELLO, FrameKind.SIGN, FrameKind.REFUSAL)
_KINDS = {int(kind): kind for kind in FrameKind}


def _check_frame(value: object) -> None:
    if type(value) is not tuple or len(value) < 2 or type(value[0]) is not int or type(value[1]) is not int:
        raise WireError("unknown_frame", "an array that begins with a kind and a version", "another")
    table = _TABLES.get(value[1])
    if table is None:
        raise WireError("version", f"version {VERSIONS}", str(value[1]))
    if value[0] not in table:
        raise WireError("unknown_frame", f"a kind from 1 to {len(table)}", str(value[0]))
    table[value[0]](value)


def unsigned_schema(
    label: str, kind: int, bodies: Mapping[int, wire.Check], unknown: wire.Check | None = None
) -> wire.Check:
    """Return the schema of a frame beside the record, which nobody signs: its type, and a body for each type.

    Args:
        label: its name in errors.
        kind: its first number.
        bodies: the schema of each type's body.
        unknown: that of every other type; None where there are no others.
    """
    types = wire.integer(1, len(bodies) if unknown is None else 65_535)
    head = ("kind", wire.integer(kind, kind)), _VERSION, ("type", types)
    frame = wire.fields(label, *head, ("body", wire.anything))

    def check(value: Any) -> None:
        frame(value)
        body = bodies.get(value[2], unknown)
        assert body is not None
        body(value[3])

    return check


def pack_frame(kind: FrameKind, *values: Packable) -> bytes:
    """Return the bytes of a frame of the newest version.

    Raises:
        WireError: a field is out of its bounds, or the frame would be too long.
    """
    data = wire.pack((int(kind), VERSIONS[-1], *values), _check_frame)
    limit = wire.HANDSHAKE_LIMIT if kind in _SMALL else wire.FRAME_LIMIT
    if len(data) > limit:
        raise WireError("too_long", f"at most {limit} bytes", f"{len(data)} bytes")
    return data


def unpack_frame(data: bytes, limit: int = wire.FRAME_LIMIT) -> tuple[FrameKind, tuple[Any, ...]]:
    """Return the kind and the fields of a frame.

    Raises:
        WireError: the bytes are not a frame.
    """
    value: Any = wire.unpack(data, _check_frame, limit)
    return _KINDS[value[0]], value[2:]
