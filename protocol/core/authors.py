"""Who has signed a frame (SPEC.md, section "Order").

Signatures and authors alone: the same for whoever reads a log and for the two sessions.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, TypeVar

from protocol.core.agreement import Agreement
from protocol.core.messages import Header
from protocol.core.witness import WitnessStatement, read_statement
from protocol.crypto.keys import verify_digest
from protocol.errors import BadSignature, Damage, Misbehaviour, WireError
from protocol.game import Seat

M = TypeVar("M", bound=Header)


class Source(NamedTuple):
    """Where a frame comes from."""

    seat: Seat | None = None
    """Whose connection it was; None for a log, where the frame says so itself."""
    checked: bool = False
    """Whether this very program has signed it a moment ago, or checked who has."""


class Authors:
    """The keys of one match."""

    def __init__(self, agreement: Agreement) -> None:
        """Take the keys from the handshake."""
        self._agreement = agreement

    def read(
        self,
        unpack: Callable[[bytes], M],
        digest: bytes,
        data: bytes,
        signature: bytes,
        source: Source,
        frame: bytes,
        by_identity: bytes | None = None,
    ) -> M:
        """Return a message of this match that its author has signed.

        Args:
            unpack: reads the message.
            digest: what the signature covers.
            data: the bytes of the message.
            signature: by the author's match key.
            source: where it comes from.
            frame: the whole frame, as evidence.
            by_identity: the signature by the author's identity key, where there has to be one.

        Raises:
            Damage: it is not signed by whom it comes from, or belongs to another match.
            Misbehaviour: the author has signed what is no message, a message in the other's name, or counts for
                other seats than there are.
        """
        message: M | WireError
        try:
            message = unpack(data)
        except WireError as error:
            message = error
        seat = self.signer(None if isinstance(message, WireError) else message.seat, source, digest, signature)
        if by_identity is not None and not source.checked:
            self._check_key(seat, self._agreement.players[seat].identity, digest, by_identity)

        def convict(code: str, expected: str, got: str) -> Misbehaviour:
            return Misbehaviour(code, expected, got, seat=seat, seq=None, evidence=(frame,))

        if isinstance(message, WireError):
            raise convict("malformed", f"{message.path}: {message.expected}", message.got)
        if message.match_id != self._agreement.match_id:
            # A key that was used in two matches is no fault of its owner that anybody could judge from here.
            raise Damage("wrong_match", self._agreement.match_id.hex(), message.match_id.hex())
        if message.seat != seat:
            raise convict("wrong_seat", f"seat {seat}", f"seat {message.seat}")
        seats = len(self._agreement.players)
        if len(message.sides) != seats:
            raise convict("wrong_count", f"{seats} numbers of side envelopes", str(len(message.sides)))
        return message

    def signer(self, named: Seat | None, source: Source, digest: bytes, signature: bytes) -> Seat:
        """Return whose match key signed, given what the message and the connection say.

        Raises:
            Damage: it is not the sender's; or in a log, nobody's.
        """
        if source.seat is not None:
            self.check(source.seat, source, digest, signature)
            return source.seat
        # In a log the author is whoever's key fits, first of all the one that the message names.
        if named is not None and self._fits(named, source, digest, signature):
            return named
        for seat in range(len(self._agreement.players)):
            if seat != named and self._fits(seat, source, digest, signature):
                return seat
        raise Damage("bad_signature", "a signature by one of the seats", "another one")

    def _fits(self, seat: Seat, source: Source, digest: bytes, signature: bytes) -> bool:
        try:
            self.check(seat, source, digest, signature)
        except Damage:
            return False
        return True

    def check(self, seat: Seat, source: Source, digest: bytes, signature: bytes) -> None:
        """Check the match key's signature of a seat.

        Raises:
            Damage: it is another one's, or not of the seat that the frame comes from.
        """
        if source.checked:
            return
        if source.seat not in (None, seat):
            raise Damage("bad_signature", f"a message of seat {source.seat}", f"one of seat {seat}")
        if seat >= len(self._agreement.players):
            raise Damage("bad_signature", "a seat of this match", f"seat {seat}")
        self._check_key(seat, self._agreement.players[seat].match_key, digest, signature)

    def statement(self, data: bytes, signature: bytes) -> WitnessStatement:
        """Return a statement of the match's witness.

        Raises:
            Damage: it is not the witness's.
        """
        return read_statement(self._agreement, data, signature)

    def _check_key(self, seat: Seat, public: bytes, digest: bytes, signature: bytes) -> None:
        try:
            verify_digest(public, digest, signature)
        except BadSignature as error:
            raise Damage(error.code, f"a signature by seat {seat}", "another one") from None
