"""The scheme ``hash``: a salted hash for each value (SPEC.md, section "Steps and commitments").

Openings are proved at once; that a batch holds the values it must hold is proved in the audit.
"""

from collections.abc import Sequence
from typing import Any

from protocol.crypto.commitments.batches import in_parts, number_copies
from protocol.crypto.commitments.interface import Context, Maker, Regrouping, Secret, SlotToken, Tokens, Values, Within
from protocol.crypto.hashing import derive, equal_in_constant_time, hash_parts
from protocol.errors import BadCommitment
from protocol.game import Value


def commitment(match_id: bytes, seat: int, batch: int, salt: bytes, value: Value) -> bytes:
    """Return the 32 bytes that fix a value.

    The batch stands in it and the slot does not: within a part of a mix the slots are given out in the
    order of the commitments, so that a slot is known only afterwards.
    """
    return hash_parts("token", match_id, seat, batch, salt, value)


class HashScheme:
    """Salted hashes; proofs are empty."""

    name = "hash"
    piles = None

    def hide(
        self, maker: Maker, context: Context, batch: int, values: Values, within: Sequence[Within]
    ) -> tuple[tuple[Secret, ...], bytes]:
        """Commit to values, in their order."""
        return self.commit(maker, batch, values), b""

    def check_hide(self, *statement: Any) -> None:
        """Check that the proof, the last of what is stated, is the empty one.

        Raises:
            BadCommitment: it is not.
        """
        if statement[-1]:
            raise BadCommitment("unwanted_proof", "no proof in scheme hash", f"{len(statement[-1])} bytes")

    check_mix = check_locate = check_hide

    def mix(
        self, maker: Maker, context: Context, batch: int, move: Regrouping
    ) -> tuple[tuple[tuple[Secret, ...], ...], bytes]:
        """Commit afresh to the values of old tokens; each part is sorted by its commitments."""
        values = [move.held[number].value for part in move.parts for number in part]
        return in_parts(self.commit(maker, batch, values), move.parts), b""

    def locate(self, maker: Maker, context: Context, tokens: Tokens, held: Sequence[Secret], value: Value) -> bytes:
        """Prove nothing; the audit looks at it."""
        return b""

    def check_open(self, token: SlotToken, value: Value, opening: bytes) -> None:
        """Check that a token holds the value.

        Raises:
            BadCommitment: it does not.
        """
        found = commitment(token.match_id, token.seat, token.batch, opening, value)
        if not equal_in_constant_time(found, token.commitment):
            raise BadCommitment("wrong_opening", token.commitment.hex(), found.hex())

    def commit(self, maker: Maker, batch: int, values: Values) -> tuple[Secret, ...]:
        """Return commitments to values, in their order, derived from the maker's seed."""
        made = []
        for value, copy in number_copies(values):
            salt = derive(maker.seed, "token", maker.match_id, maker.seat, batch, maker.nonce, value, copy)
            made.append(Secret(value, salt, commitment(maker.match_id, maker.seat, batch, salt, value)))
        return tuple(made)
