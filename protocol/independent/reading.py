"""From the frames of a match to messages that somebody has signed (SPEC.md, section "Order", all signed messages)."""

from collections.abc import Sequence
from typing import Final, NamedTuple, TypeAlias

from protocol.game import Seat
from protocol.independent.faults import Damage, Fault, Misbehaviour, Unreadable
from protocol.independent.frames import FrameKind, read_frame
from protocol.independent.handshake import Agreement
from protocol.independent.hashes import hash_parts
from protocol.independent.messages import Body, Envelope, Side, SideType, WitnessStatement, read_body, read_statement
from protocol.independent.signatures import verify

SEATS: Final = (0, 1)
OTHER: Final = (1, 0)
"""The other seat of each."""

_MOST_SIDES: Final = 2000

Triple: TypeAlias = tuple[int, ...]
"""How long the chain was, and how many side envelopes there were of each seat."""


class Signed(NamedTuple):
    """A message of a match that its author has signed, with a count for each seat."""

    frame: bytes
    body: Body
    hash: bytes
    """Of the inner message, under its label."""

    @property
    def seat(self) -> Seat:
        """Who has signed it."""
        return self.body.header.seat

    @property
    def number(self) -> int | None:
        """The number of an envelope, or of a side envelope among those of its author."""
        return self.body.number if isinstance(self.body, Envelope | Side) else None

    @property
    def seq(self) -> int | None:
        """The number of the envelope that it is."""
        return self.body.number if isinstance(self.body, Envelope) else None

    @property
    def before(self) -> Triple:
        """What the author had seen."""
        return (self.body.header.seq, *self.body.header.sides)

    @property
    def after(self) -> Triple:
        """What the author had seen when the message was there, too."""
        grown = 0 if isinstance(self.body, Envelope) else 1 + self.seat if isinstance(self.body, Side) else None
        return tuple(count + (place == grown) for place, count in enumerate(self.before))


class Witnessed(NamedTuple):
    """A statement of the witness."""

    frame: bytes
    body: WitnessStatement
    seq: None = None


Message: TypeAlias = Signed | Witnessed

_LABELS: Final = {
    FrameKind.ENVELOPE: "env",
    FrameKind.SIDE: "side",
    FrameKind.RESULT: "result",
    FrameKind.SEED: "open-seed",
    FrameKind.VERDICT: "verdict",
}


def hash_in(frame: bytes) -> bytes | None:
    """Return the hash of the envelope or the side envelope in a frame, whoever has signed it."""
    try:
        kind, fields = read_frame(frame)
    except Unreadable:
        return None
    return hash_parts(_LABELS[kind], fields[0]) if kind in (FrameKind.ENVELOPE, FrameKind.SIDE) else None


def number_in(frame: bytes) -> int | None:
    """Return the number that an envelope in a frame gives itself, whoever has signed it."""
    try:
        kind, fields = read_frame(frame)
        body = read_body(kind, fields[0]) if kind is FrameKind.ENVELOPE else None
    except Unreadable:
        return None
    return body.number if isinstance(body, Envelope) else None


def is_statement(frame: bytes) -> bool:
    """Say whether a frame holds what may be a statement of a witness, whoever has signed it."""
    try:
        return read_frame(frame)[0] is FrameKind.WITNESS
    except Unreadable:
        return False


class Reader:
    """Reads the frames of one match, each once however often it comes."""

    def __init__(self, agreement: Agreement) -> None:
        self._agreement = agreement
        self._read: dict[bytes, Message | Fault] = {}

    def read(self, frame: bytes) -> Message:
        """Return the message in a frame.

        Raises:
            Fault: it is none, or not signed as it must be.
        """
        if frame not in self._read:
            try:
                self._read[frame] = self._message(frame)
            except Fault as fault:
                self._read[frame] = fault
        found = self._read[frame]
        if isinstance(found, Fault):
            raise found.with_traceback(None)
        return found

    def _message(self, frame: bytes) -> Message:
        try:
            kind, fields = read_frame(frame)
        except Unreadable as error:
            raise Damage(error.code) from None
        if kind in _LABELS:
            return self._signed(frame, kind, *fields)
        if kind is FrameKind.WITNESS:
            return self._witnessed(frame, *fields)
        raise Damage("unexpected_frame")

    def _signed(self, frame: bytes, kind: FrameKind, data: bytes, *signatures: bytes) -> Signed:
        digest = hash_parts(_LABELS[kind], data)
        try:
            body = read_body(kind, data)
        except Unreadable:
            body = None
        signer = self._find_signer(digest, signatures, None if body is None else body.header.seat)
        if signer is None:
            raise Damage("bad_signature", body.number if isinstance(body, Envelope) else None)
        if body is None:
            raise Misbehaviour("malformed", signer)
        found = Signed(frame, body, digest)
        if body.header.match_id != self._agreement.match_id:
            raise Damage("wrong_match", found.seq)
        if found.seat != signer:
            raise Misbehaviour("wrong_seat", signer)
        if len(body.header.sides) != len(SEATS):
            raise Misbehaviour("wrong_count", signer)
        if isinstance(body, Side) and body.number > _MOST_SIDES + (body.type == SideType.RESIGN):
            raise Misbehaviour("too_many", signer)
        return found

    def _find_signer(self, digest: bytes, signatures: Sequence[bytes], likely: Seat | None) -> Seat | None:
        """Return the seat whose match key, and identity where that signs, too, have signed; one is likelier."""
        for seat in sorted(SEATS, key=lambda one: one != likely):
            player = self._agreement.players[seat]
            keys = (player.key, player.identity)
            if all(verify(key, digest, signature) for key, signature in zip(keys, signatures, strict=False)):
                return seat
        return None

    def _witnessed(self, frame: bytes, data: bytes, signature: bytes) -> Witnessed:
        terms = self._agreement.conditions.witness
        if terms is None:
            raise Damage("unexpected_frame")
        try:
            body = read_statement(data)
        except Unreadable as error:
            raise Damage(error.code) from None
        if not verify(terms.key, hash_parts("witness", data), signature):
            raise Damage("bad_signature")
        if body.match_id != self._agreement.match_id or body.key not in [one.key for one in self._agreement.players]:
            raise Damage("wrong_match")
        return Witnessed(frame, body)
