"""From the frames of a match to messages that somebody has signed (SPEC.md, section "Order", all signed messages)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from protocol.game import Seat
from protocol.independent import messages
from protocol.independent.faults import Damage, Fault, Misbehaviour, Unreadable
from protocol.independent.frames import FrameKind, read_frame
from protocol.independent.handshake import Agreement
from protocol.independent.hashes import hash_parts
from protocol.independent.messages import Envelope, Result, Side, Verdict, WitnessStatement
from protocol.independent.signatures import verify

SEATS: Final = (0, 1)
OTHER: Final = (1, 0)
"""The other seat of each."""


@dataclass(frozen=True, slots=True)
class Signed:
    """A message whose signatures hold, and who has made it."""

    frame: bytes
    seat: Seat
    body: Envelope | Side | Result | Verdict
    hash: bytes
    """Of the inner message, under its label."""

    @property
    def seq(self) -> int | None:
        """The number of the envelope that it is."""
        return self.body.seq if isinstance(self.body, Envelope) else None


@dataclass(frozen=True, slots=True)
class Seed:
    """An opened seed."""

    frame: bytes
    seat: Seat
    seed: bytes
    seq: None = None


@dataclass(frozen=True, slots=True)
class Witnessed:
    """A statement of the witness."""

    frame: bytes
    body: WitnessStatement
    seq: None = None


Message: TypeAlias = Signed | Seed | Witnessed

_LABELS: Final = {FrameKind.ENVELOPE: "env", FrameKind.SIDE: "side", FrameKind.VERDICT: "verdict"}
_READERS: Final[dict[FrameKind, Callable[[bytes], Any]]] = {
    FrameKind.ENVELOPE: messages.read_envelope,
    FrameKind.SIDE: messages.read_side,
    FrameKind.VERDICT: messages.read_verdict,
}


def hash_in(frame: bytes) -> bytes | None:
    """Return the hash of the envelope or the side envelope in a frame, whoever has signed it."""
    try:
        kind, fields = read_frame(frame)
    except Unreadable:
        return None
    return hash_parts(_LABELS[kind], fields[0]) if kind in (FrameKind.ENVELOPE, FrameKind.SIDE) else None


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
        match kind:
            case FrameKind.ENVELOPE | FrameKind.SIDE | FrameKind.VERDICT:
                return self._named_inside(frame, kind, *fields)
            case FrameKind.RESULT:
                return self._result(frame, *fields)
            case FrameKind.SEED:
                return self._seed(frame, *fields)
            case FrameKind.WITNESS:
                return self._witnessed(frame, *fields)
        raise Damage("unexpected_frame")

    def _named_inside(self, frame: bytes, kind: FrameKind, data: bytes, signature: bytes) -> Signed:
        """Return a message that names its seat in what is signed."""
        digest = hash_parts(_LABELS[kind], data)
        try:
            body = _READERS[kind](data)
        except Unreadable:
            by = self._signer(digest, signature)
            if by is None:
                raise Damage("bad_signature") from None
            raise Misbehaviour("malformed", by) from None
        by = self._signer(digest, signature, body.seat)
        found = Signed(frame, body.seat, body, digest)
        if by is None:
            raise Damage("bad_signature", found.seq)
        self._check_match(body.match_id, found.seq)
        if by != body.seat:
            raise Misbehaviour("wrong_seat", by)
        return found

    def _signer(self, digest: bytes, signature: bytes, first: Seat = 0) -> Seat | None:
        """Return the seat whose match key has signed, of which one is likelier than the other."""
        order = sorted(SEATS, key=lambda seat: seat != first)
        return next((seat for seat in order if verify(self._agreement.players[seat].key, digest, signature)), None)

    def _check_match(self, match_id: bytes, seq: int | None = None) -> None:
        if match_id != self._agreement.match_id:
            raise Damage("wrong_match", seq)

    def _result(self, frame: bytes, seat: Seat, data: bytes, by_key: bytes, by_identity: bytes) -> Signed:
        digest = hash_parts("result", data)
        # The seat stands outside of what is signed, so another one than the signer's says nothing about anybody.
        self._check_signed(seat, digest, by_key, by_identity)
        try:
            body = messages.read_result(data)
        except Unreadable:
            raise Misbehaviour("malformed", seat) from None
        self._check_match(body.match_id)
        return Signed(frame, seat, body, digest)

    def _check_signed(self, seat: Seat, digest: bytes, by_key: bytes, by_identity: bytes | None = None) -> None:
        if seat not in SEATS or not verify(self._agreement.players[seat].key, digest, by_key):
            raise Damage("bad_signature")
        if by_identity is not None and not verify(self._agreement.players[seat].identity, digest, by_identity):
            raise Damage("bad_signature")

    def _seed(self, frame: bytes, seat: Seat, seed: bytes, signature: bytes) -> Seed:
        self._check_signed(seat, hash_parts("open-seed", self._agreement.match_id, seed), signature)
        return Seed(frame, seat, seed)

    def _witnessed(self, frame: bytes, data: bytes, signature: bytes) -> Witnessed:
        terms = self._agreement.conditions.witness
        if terms is None:
            raise Damage("unexpected_frame")
        try:
            body = messages.read_statement(data)
        except Unreadable as error:
            raise Damage(error.code) from None
        if not verify(terms.key, hash_parts("witness", data), signature):
            raise Damage("bad_signature")
        if body.match_id != self._agreement.match_id or body.key not in [one.key for one in self._agreement.players]:
            raise Damage("wrong_match")
        return Witnessed(frame, body)
