"""Checking tokens and proofs of the scheme ``proved`` in plain Python (SPEC.md, section "Proofs").

The functions are those of :mod:`protocol.crypto.commitments.checker`; each step has the number that SPEC.md gives it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from functools import lru_cache
from typing import TypeAlias

from protocol.crypto.commitments.interface import Context, Within
from protocol.errors import BadCommitment
from protocol.game import Value
from protocol.independent import curve
from protocol.independent.curve import Point

Clause: TypeAlias = list[Point]
"""The branches of one clause: the prover knows the logarithm of at least one of these points."""

_TAG = b"storm-p2p/1 generators, edwards25519_XMD:SHA-512_ELL2_RO_"
_CHALLENGES = 2**128


@lru_cache(maxsize=256)
def generator(value: Value) -> Point:
    """Return M(value), the point that stands for a value."""
    return curve.hash_to_curve(f"value {value}".encode("ascii"), _TAG)


def commit(value: Value, opening: bytes) -> bytes:
    """Return the token that an opening gives a value.

    Raises:
        BadCommitment: the opening is no scalar from 1 on.
    """
    number = int.from_bytes(opening, "little")
    if len(opening) != 32 or not 0 < number < curve.ORDER:
        raise BadCommitment("wrong_opening", "a scalar from 1 to below the order", opening.hex())
    return curve.encode(curve.add(generator(value), curve.multiply_base(number)))


def check_hide(
    context: Context, tokens: Sequence[bytes], values: Sequence[Value], within: Sequence[Within], proof: bytes
) -> None:
    """Check that tokens are points and hold a permutation of values, some of them in some of the tokens.

    Raises:
        BadCommitment: ``bad_point`` or ``bad_proof``.
    """
    new = _new_points(tokens)
    old = [generator(value) for value in sorted(values)]
    clauses = [[_minus(one, other) for other in old] for one in new]
    clauses.append([_minus(_sum(new), _sum(old))])
    clauses += [[_minus(new[number], generator(value)) for number in numbers] for value, numbers in within]
    _check(context, b"hide", old, new, clauses, proof)


def check_mix(
    context: Context,
    old: Sequence[bytes],
    parts: Sequence[Sequence[bytes]],
    barred: Sequence[Sequence[int]],
    proof: bytes,
) -> None:
    """Check that new tokens are points and hold the values of old ones, and each part none that is barred from it.

    Raises:
        BadCommitment: ``bad_point`` or ``bad_proof``.
    """
    groups = [_new_points(part) for part in parts]
    before = _old_points(old)
    clauses: list[Clause] = []
    for number, group in enumerate(groups):
        out = barred[number] if barred else ()
        allowed = [point for place_of, point in enumerate(before) if place_of not in out]
        clauses += [[_minus(one, other) for other in allowed] for one in group]
    new = [point for group in groups for point in group]
    clauses.append([_minus(_sum(new), _sum(before))])
    _check(context, b"mix", before, new, clauses, proof)


def check_locate(context: Context, tokens: Sequence[bytes], value: Value, proof: bytes) -> None:
    """Check that one of some tokens, which have been checked before, holds a value.

    Raises:
        BadCommitment: ``bad_proof``.
    """
    new = _old_points(tokens)
    _check(context, b"locate", [generator(value)], new, [[_minus(one, generator(value)) for one in new]], proof)


def _new_points(tokens: Sequence[bytes]) -> list[Point]:
    # Step 1.
    points = []
    for token in tokens:
        try:
            points.append(curve.decode_checked(token))
        except curve.NotAPoint as error:
            raise BadCommitment("bad_point", f"a point of prime order ({error})", token.hex()) from None
    return points


def _old_points(tokens: Sequence[bytes]) -> list[Point]:
    try:
        return [curve.decode_checked(token) for token in tokens]
    except curve.NotAPoint as error:
        raise _refusal(str(error)) from None


def _minus(one: Point, other: Point) -> Point:
    return curve.add(one, curve.negative(other))


def _sum(points: Sequence[Point]) -> Point:
    total = curve.NEUTRAL
    for point in points:
        total = curve.add(total, point)
    return total


def _check(
    context: Context, what: bytes, old: Sequence[Point], new: Sequence[Point], clauses: Sequence[Clause], proof: bytes
) -> None:
    # Step 2, and the first half of step 3: a clause without branches would have a length below zero.
    if not all(clauses) or len(proof) != 16 + sum(48 * len(clause) - 16 for clause in clauses):
        raise _refusal("the length")
    challenge = int.from_bytes(proof[:16], "little")
    nonces: list[Point] = []
    at = 16
    for clause in clauses:
        challenges, answers, at = _read(proof, at, len(clause), challenge)
        for branch, one, answer in zip(clause, challenges, answers, strict=True):
            nonce = curve.add(curve.multiply_base(answer), curve.negative(curve.multiply(one, branch)))
            # Steps 3 to 5.
            if curve.is_neutral(branch) or not one or not 0 < answer < curve.ORDER or curve.is_neutral(nonce):
                raise _refusal("a degenerate branch")
            nonces.append(nonce)
    # Step 6.
    branches = [branch for clause in clauses for branch in clause]
    shape = b"".join(len(clause).to_bytes(2, "big") for clause in clauses)
    parts = (
        b"proved", context.match_id, context.seat.to_bytes(8, "big"), context.head, context.serial.to_bytes(8, "big"),
        what, _encoded(old), _encoded(new), shape, _encoded(branches), _encoded(nonces),
    )  # fmt: skip
    if _hashed(b"proof", *parts)[:16] != proof[:16]:
        raise _refusal("the challenge")


def _read(proof: bytes, at: int, size: int, challenge: int) -> tuple[list[int], list[int], int]:
    """Return the challenges and answers of a clause of a size, and where the next one begins."""
    middle, end = at + 16 * (size - 1), at + 16 * (size - 1) + 32 * size
    challenges = [int.from_bytes(proof[here : here + 16], "little") for here in range(at, middle, 16)]
    challenges.append((challenge - sum(challenges)) % _CHALLENGES)
    answers = [int.from_bytes(proof[here : here + 32], "little") for here in range(middle, end, 32)]
    return challenges, answers, end


def _encoded(points: Sequence[Point]) -> bytes:
    return b"".join(curve.encode(point) for point in points)


def _hashed(label: bytes, *parts: bytes) -> bytes:
    """Return H(label, parts) of SPEC.md, section "Encodings"."""
    framed = b"".join(len(part).to_bytes(8, "big") + part for part in (b"storm-p2p/2", label, *parts))
    return hashlib.sha256(framed).digest()


def _refusal(what: str) -> BadCommitment:
    return BadCommitment("bad_proof", "a proof that holds", f"one that does not: {what}")
