"""The checks of the scheme ``proved`` on bytes, by libsodium (SPEC.md, section "Proofs")."""

from __future__ import annotations

from collections.abc import Sequence

from protocol.crypto import group
from protocol.crypto.commitments import statements
from protocol.crypto.commitments.interface import Context, Within
from protocol.crypto.proofs import check
from protocol.crypto.scalars import ORDER
from protocol.errors import BadCommitment
from protocol.game import Value


def commit(value: Value, opening: bytes) -> bytes:
    """Return the token that an opening gives a value.

    Raises:
        BadCommitment: the opening is no scalar from 1 on.
    """
    if len(opening) != 32 or int.from_bytes(opening, "little") >= ORDER:
        raise BadCommitment("wrong_opening", "a scalar below the order", opening.hex())
    try:
        return group.add(group.generator(value), group.times_base(opening))
    except group.Degenerate:
        raise BadCommitment("wrong_opening", "a scalar from 1 on", opening.hex()) from None


def check_hide(
    context: Context, tokens: Sequence[bytes], values: Sequence[Value], within: Sequence[Within], proof: bytes
) -> None:
    """Check that tokens are points and hold a permutation of values, some of them in some of the tokens.

    Raises:
        BadCommitment: ``bad_point`` or ``bad_proof``.
    """
    for token in tokens:
        group.check_point(token)
    check(statements.hide(context, tokens, values, within), proof)


def check_mix(
    context: Context,
    old: Sequence[bytes],
    parts: Sequence[Sequence[bytes]],
    barred: Sequence[Sequence[int]],
    proof: bytes,
) -> None:
    """Check that new tokens are points and hold the values of old ones, which have been checked before.

    Raises:
        BadCommitment: ``bad_point`` or ``bad_proof``.
    """
    for part in parts:
        for token in part:
            group.check_point(token)
    check(statements.mix(context, old, parts, barred), proof)


def check_locate(context: Context, tokens: Sequence[bytes], value: Value, proof: bytes) -> None:
    """Check that one of some tokens, which have been checked before, holds a value.

    Raises:
        BadCommitment: ``bad_proof``.
    """
    check(statements.locate(context, tokens, value), proof)
