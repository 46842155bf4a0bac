"""The scheme ``hash``: a salted hash for each value (SPEC.md, section "Commitments").

Openings are proved at once; that a batch holds the values it must hold is proved in the audit.
"""

from __future__ import annotations

from collections.abc import Sequence

from protocol.commitments import Maker, Secret, Token
from protocol.errors import BadCommitment
from protocol.game import Value
from protocol.wire import derived, hashed, same


def commitment(match_id: bytes, seat: int, batch: int, salt: bytes, value: Value) -> bytes:
    """Return the 32 bytes that fix a value.

    The batch stands in it and the slot does not: within a part of a mix the slots are given out in the
    order of the commitments, so that a slot is known only afterwards.
    """
    return hashed("token", match_id, seat, batch, salt, value)


class HashScheme:
    """Salted hashes; proofs are empty."""

    name = "hash"

    def hide(self, maker: Maker, batch: int, values: Sequence[Value]) -> tuple[tuple[Secret, ...], bytes]:
        """Commit to values, in their order."""
        copies: dict[Value, int] = {}
        made = []
        for value in values:
            copy = copies.get(value, 0)
            copies[value] = copy + 1
            # The number of the copy keeps two equal values of a batch from looking equal.
            salt = derived(maker.seed, "token", maker.match_id, maker.seat, batch, value, copy)
            made.append(Secret(value, salt, commitment(maker.match_id, maker.seat, batch, salt, value)))
        return tuple(made), b""

    def check_hide(self, tokens: Sequence[Token], values: Sequence[Value], proof: bytes) -> None:
        """Check that the proof is the empty one.

        Raises:
            BadCommitment: it is not.
        """
        _check_empty(proof)

    def mix(
        self, maker: Maker, batch: int, old: Sequence[Token], values: Sequence[Value]
    ) -> tuple[tuple[Secret, ...], bytes]:
        """Commit afresh to the values of old tokens, in a new order."""
        return self.hide(maker, batch, values)

    def check_mix(self, old: Sequence[Token], new: Sequence[Token], proof: bytes) -> None:
        """Check that the proof is the empty one.

        Raises:
            BadCommitment: it is not.
        """
        _check_empty(proof)

    def check_open(self, token: Token, value: Value, opening: bytes) -> None:
        """Check that a token holds the value.

        Raises:
            BadCommitment: it does not.
        """
        found = commitment(token.match_id, token.seat, token.batch, opening, value)
        if not same(found, token.commitment):
            raise BadCommitment("wrong_opening", token.commitment.hex(), found.hex())

    def recover(self, maker: Maker, tokens: Sequence[Token], values: Sequence[Value]) -> tuple[Secret, ...]:
        """Find the values of a whole batch by hashing each of those it must hold.

        Raises:
            BadCommitment: a token holds none of them.
        """
        made, _ = self.hide(maker, tokens[0].batch, values)
        by_commitment = {secret.commitment: secret for secret in made}
        found = []
        for token in tokens:
            secret = by_commitment.pop(token.commitment, None)
            if secret is None:
                raise BadCommitment(
                    "batch_not_derived",
                    f"the values {sorted(values)} in batch {token.batch}",
                    f"another one in {token.commitment.hex()}",
                )
            found.append(secret)
        return tuple(found)


def _check_empty(proof: bytes) -> None:
    if proof:
        raise BadCommitment("unwanted_proof", "no proof in scheme hash", f"{len(proof)} bytes")
