"""A witness: a third program that countersigns the hash and the time of each message (SPEC.md, section "Witness").

It is shown a hash, the match key's signature over it and both match keys, and nothing else: no message, no name, no
unit.  What it signs is when it was shown the hash and what it had been shown before.  Nothing that decides a match
depends on it, so that a witness who lies or keeps silent harms nobody.

Sans-I/O: :class:`Witness` is the side that signs, :func:`request_statement` and :func:`read_statement` are those of
the players.
"""

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Annotated, ClassVar

from protocol.core import wire
from protocol.core.agreement import Agreement
from protocol.core.frames import FrameKind, pack_frame, unpack_frame
from protocol.core.messages import Envelope, Side, SideType
from protocol.crypto import hashing, keys
from protocol.crypto.keys import PrivateKey
from protocol.errors import BadKey, BadSignature, Damage, WireError, raised_as
from protocol.game import Seat, other

MESSAGE_LIMIT = 1024
"""The longest frame to or from a witness."""

STATEMENT_LIMIT = 1000
"""The most statements that a match holds, so that it still fits into a log."""

ROOMS = 1000
"""How many matches a witness remembers; the one that was longest silent is forgotten first."""

ROOM_LIMIT = 6000
"""How many messages of a match a witness countersigns."""

KEPT = 200_000
"""How many messages it remembers of all matches, for each of which it keeps about 470 bytes."""


@dataclass(frozen=True, slots=True)
class WitnessStatement(wire.Packed):
    """What a witness has signed."""

    LABEL: ClassVar = "statement"
    LIMIT: ClassVar = MESSAGE_LIMIT

    match_id: wire.Hash
    """The match, as whoever asked has named it."""
    key: wire.Hash
    """Whose signature over the hash it has checked."""
    digest: wire.Hash
    """The hash that it was shown."""
    at: Annotated[int, wire.integer(0, 2**53)]
    """When it was shown it for the first time, in seconds since 1970 by the witness's clock."""
    number: Annotated[int, wire.integer(1, 2**31)]
    """The how manyeth hash of these two keys in this match it was, from 1."""
    last: wire.Hash
    """The hash before; of the first one the match id."""


# --- the players' side -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ShownMessage:
    """A message that a witness may be shown."""

    match_id: bytes
    digest: bytes
    signature: bytes
    seat: Seat
    seq: int
    """The number of the envelope; for a side envelope the length of the chain at which it stands."""
    side: SideType | None
    """The type of a side envelope; None for an envelope."""


def message_to_show(frame: bytes) -> ShownMessage | None:
    """Return what a witness is shown of a frame, whoever has signed it; None for one that is none of its business.

    Chat is left out: it decides nothing, and its hash would only tell how often the two have talked.  So is what this
    program does not know.

    Raises:
        WireError: the frame or its message cannot be read.
    """
    kind, values = unpack_frame(frame)
    if kind not in (FrameKind.ENVELOPE, FrameKind.SIDE):
        return None
    data, signature = values
    if kind is FrameKind.ENVELOPE:
        envelope = Envelope.unpack(data)
        digest = hashing.hash_parts("env", data)
        return ShownMessage(envelope.match_id, digest, signature, envelope.seat, envelope.number, None)
    side = Side.unpack(data)
    if side.type is SideType.CHAT or not isinstance(side.type, SideType):
        return None
    return ShownMessage(side.match_id, hashing.hash_parts("side", data), signature, side.seat, side.seq, side.type)


def request_statement(agreement: Agreement, message: ShownMessage) -> bytes:
    """Return the frame that shows a message to the witness."""
    key = agreement.players[message.seat].match_key
    theirs = agreement.players[other(message.seat)].match_key
    return pack_frame(FrameKind.WATCH, agreement.match_id, key, theirs, message.digest, message.signature)


def read_statement(agreement: Agreement, data: bytes, signature: bytes) -> WitnessStatement:
    """Return a statement of this match's witness.

    Raises:
        Damage: it is not the witness's, or of another match.
    """
    terms = agreement.conditions.witness
    if terms is None:
        raise Damage("unexpected_frame", "no statement in a match without a witness", "one")
    with raised_as(Damage, WireError, BadKey, BadSignature):
        statement = WitnessStatement.unpack(data)
        keys.verify_digest(terms.key, hashing.hash_parts("witness", data), signature)
    if statement.match_id != agreement.match_id:
        raise Damage("wrong_match", agreement.match_id.hex(), statement.match_id.hex())
    if all(statement.key != player.match_key for player in agreement.players):
        raise Damage("wrong_match", "a key of this match", statement.key.hex())
    return statement


def count_contradictions(statements: Sequence[WitnessStatement]) -> int:
    """Return how often the statements of a witness cannot all be true.

    A witness may have forgotten a match and begun to count anew, so only two things count: times that run backwards
    from one statement to the next, and two hashes that both follow the same one as the same number.
    """
    found = 0
    by_digest: dict[bytes, WitnessStatement] = {}
    taken: dict[tuple[int, bytes], bytes] = {}
    for statement in statements:
        by_digest.setdefault(statement.digest, statement)
        found += taken.setdefault((statement.number, statement.last), statement.digest) != statement.digest
    for statement in statements:
        before = by_digest.get(statement.last)
        found += before is not None and before.at > statement.at
    return found


# --- the witness's side ------------------------------------------------------------------------------------


@dataclass(slots=True)
class _Room:
    """What a witness remembers of a match."""

    answers: dict[bytes, bytes] = field(default_factory=dict)
    """By hash, the frame that it has signed."""
    last: bytes = b""


class Witness:
    """The one who countersigns, and remembers what it has signed for as long as it runs."""

    def __init__(self, key: PrivateKey) -> None:
        """Take the key that the players' terms name."""
        self._key = key
        self._rooms: OrderedDict[tuple[bytes, ...], _Room] = OrderedDict()
        self._kept = 0
        """How many messages all rooms have together."""

    def answer(self, frame: bytes, at: int) -> bytes | None:
        """Return the statement for a request, or None for anything else; never raises.

        The same hash gets the same statement again, so that a time once signed stays.

        Args:
            frame: the request.
            at: seconds since 1970.
        """
        try:
            kind, values = unpack_frame(frame, MESSAGE_LIMIT)
            if kind is not FrameKind.WATCH:
                return None
            match_id, key, other, digest, signature = values
            keys.check_public(key)
            keys.verify_digest(key, digest, signature)
        except (WireError, BadKey, BadSignature):
            return None
        # Nobody but the two can put anything into the room of their keys.
        place = (match_id, *sorted((key, other)))
        room = self._rooms.setdefault(place, _Room(last=match_id))
        self._rooms.move_to_end(place)
        if digest not in room.answers:
            if len(room.answers) >= ROOM_LIMIT:
                return None
            data = WitnessStatement(match_id, key, digest, max(0, at), len(room.answers) + 1, room.last).pack()
            room.answers[digest] = pack_frame(FrameKind.WITNESS, data, keys.sign(self._key, "witness", data))
            room.last = digest
            self._kept += 1
        while len(self._rooms) > ROOMS or self._kept > KEPT:
            self._kept -= len(self._rooms.popitem(last=False)[1].answers)
        return room.answers[digest]
