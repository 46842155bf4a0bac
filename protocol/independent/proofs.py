"""Checking tokens and proofs of the scheme ``proved`` (SPEC.md, sections "Points and scalars", "Proofs").

Each step of a check has the number that SPEC.md gives it.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple, TypeAlias

from protocol.game import Seat, Value
from protocol.independent import curve
from protocol.independent.curve import Point
from protocol.independent.faults import Refused
from protocol.independent.hashes import derive, hash_parts

Clause: TypeAlias = list[Point]
"""The branches of one clause: the prover knows the logarithm of at least one of these points."""

_TAG = b"storm-p2p/1 generators, edwards25519_XMD:SHA-512_ELL2_RO_"
_CHALLENGES = 2**128


Tokens: TypeAlias = Sequence[bytes]
Within: TypeAlias = tuple[Value, Sequence[int]]
"""A value, and the numbers of the tokens one of which must hold it."""


class Context(NamedTuple):
    """Where a statement stands: nothing of it holds anywhere else."""

    match_id: bytes
    seat: Seat
    head: bytes
    serial: int


@lru_cache(maxsize=256)
def generator(value: Value) -> Point:
    """Return M(value), the point that stands for a value."""
    return curve.hash_to_curve(f"value {value}".encode("ascii"), _TAG)


def commit(value: Value, opening: bytes) -> bytes:
    """Return the token that an opening gives a value.

    Raises:
        Refused: ``wrong_opening``: it is no scalar from 1 on.
    """
    number = int.from_bytes(opening, "little")
    if len(opening) != 32 or not 0 < number < curve.ORDER:
        raise Refused("wrong_opening")
    return curve.encode(curve.add(generator(value), curve.multiply_base(number)))


def opening_of(seed: bytes, match_id: bytes, seat: Seat, batch: int, nonce: bytes, value: Value, copy: int) -> bytes:
    """Return the opening that a seat derives from its seed for a copy of a value in a batch."""
    halves = (derive(seed, "blinding", match_id, seat, batch, nonce, value, copy, half) for half in (0, 1))
    return (1 + int.from_bytes(b"".join(halves), "little") % (curve.ORDER - 1)).to_bytes(32, "little")


def check_hide(
    context: Context, tokens: Tokens, values: Sequence[Value], within: Sequence[Within], proof: bytes
) -> None:
    """Check that tokens are points and hold a permutation of values, some of them in some of the tokens.

    Raises:
        Refused: ``bad_point`` or ``bad_proof``.
    """
    new = read_points(tokens)
    old = [generator(value) for value in sorted(values)]
    clauses = [[curve.subtract(one, other) for other in old] for one in new]
    clauses.append([curve.subtract(curve.total(new), curve.total(old))])
    clauses += [[curve.subtract(new[number], generator(value)) for number in numbers] for value, numbers in within]
    _check(context, b"hide", old, new, clauses, proof)


def check_mix(
    context: Context, old: Tokens, parts: Sequence[Tokens], barred: Sequence[Sequence[int]], proof: bytes
) -> None:
    """Check that new tokens are points and hold the values of old ones, and each part none that is barred from it.

    Raises:
        Refused: ``bad_point`` or ``bad_proof``.
    """
    groups = [read_points(part) for part in parts]
    before = read_points(old, "bad_proof")
    clauses: list[Clause] = []
    for number, group in enumerate(groups):
        out = barred[number] if barred else ()
        allowed = [point for place_of, point in enumerate(before) if place_of not in out]
        clauses += [[curve.subtract(one, other) for other in allowed] for one in group]
    new = [point for group in groups for point in group]
    clauses.append([curve.subtract(curve.total(new), curve.total(before))])
    _check(context, b"mix", before, new, clauses, proof)


def check_locate(context: Context, tokens: Tokens, value: Value, proof: bytes) -> None:
    """Check that one of some tokens, which have been checked before, holds a value.

    Raises:
        Refused: ``bad_proof``.
    """
    new = read_points(tokens, "bad_proof")
    _check(context, b"locate", [generator(value)], new, [[curve.subtract(one, generator(value)) for one in new]], proof)


def read_points(tokens: Tokens, code: str = "bad_point") -> list[Point]:
    """Return the points of tokens (step 1 for new ones), or of other bytes.

    Raises:
        Refused: with the code, where one fails the point check.
    """
    try:
        return [curve.decode_checked(token) for token in tokens]
    except curve.NotAPoint:
        raise Refused(code) from None


def _check(
    context: Context, what: bytes, old: Sequence[Point], new: Sequence[Point], clauses: Sequence[Clause], proof: bytes
) -> None:
    # Step 2, and the first half of step 3: a clause without branches would have a length below zero.
    if not all(clauses) or len(proof) != 16 + sum(48 * len(clause) - 16 for clause in clauses):
        raise Refused("bad_proof")
    challenge = int.from_bytes(proof[:16], "little")
    nonces: list[Point] = []
    at = 16
    for clause in clauses:
        challenges, answers, at = _read(proof, at, len(clause), challenge)
        for branch, one, answer in zip(clause, challenges, answers, strict=True):
            nonce = curve.subtract(curve.multiply_base(answer), curve.multiply(one, branch))
            # Steps 3 to 5.
            if curve.is_neutral(branch) or not one or not 0 < answer < curve.ORDER or curve.is_neutral(nonce):
                raise Refused("bad_proof")
            nonces.append(nonce)
    # Step 6.
    branches = [branch for clause in clauses for branch in clause]
    shape = b"".join(len(clause).to_bytes(2, "big") for clause in clauses)
    found = hash_parts(
        "proof",
        b"proved",
        *context,
        what,
        curve.encode_all(old),
        curve.encode_all(new),
        shape,
        curve.encode_all(branches),
        curve.encode_all(nonces),
    )
    if found[:16] != proof[:16]:
        raise Refused("bad_proof")


def _read(proof: bytes, at: int, size: int, challenge: int) -> tuple[list[int], list[int], int]:
    """Return the challenges and answers of a clause of a size, and where the next one begins."""
    middle, end = at + 16 * (size - 1), at + 16 * (size - 1) + 32 * size
    challenges = [int.from_bytes(proof[here : here + 16], "little") for here in range(at, middle, 16)]
    challenges.append((challenge - sum(challenges)) % _CHALLENGES)
    answers = [int.from_bytes(proof[here : here + 32], "little") for here in range(middle, end, 32)]
    return challenges, answers, end
