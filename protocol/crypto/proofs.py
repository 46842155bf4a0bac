"""The one proof of the scheme ``proved`` (SPEC.md, section "Proofs").

A statement is a list of clauses, a clause a list of points.  Who proves it shows that for at least one point P of
each clause the prover knows x with P = x B, and nothing more: Schnorr's proof, its disjunction by Cramer, Damgård and
Schoenmakers, and one challenge by Fiat and Shamir over all that is stated and where.

What is *not* here: what has to be stated about setups and divided groups, which is
:mod:`protocol.crypto.commitments.statements`.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import TypeAlias

from protocol.crypto import group
from protocol.crypto.commitments.interface import Context
from protocol.crypto.hashing import hash_parts, stretch
from protocol.crypto.scalars import ORDER, scalar_bytes, scalar_of
from protocol.errors import BadCommitment, LocalProtocolError

CHALLENGE = 16
"""The bytes of a challenge; whoever has no witness must hash 2^127 times on average until one suits."""

_SCALAR = 32
_WIDE = 64
"""The random bytes of which a scalar is made."""

Clause: TypeAlias = tuple[bytes, ...]

ProofWitness: TypeAlias = tuple[int, int]
"""Which point of a clause the prover knows the logarithm of, and that logarithm."""


@dataclass(frozen=True, slots=True)
class Statement:
    """What is proved, and where."""

    context: Context
    what: str
    """The kind of statement: ``hide``, ``mix`` or ``locate``."""
    old: tuple[bytes, ...]
    """The points that everybody had before."""
    new: tuple[bytes, ...]
    """The points that it is about."""
    clauses: tuple[Clause, ...]

    def parts(self) -> tuple[bytes | int, ...]:
        """Return all that it says, for hashing."""
        return (
            b"proved",
            *self.context,
            self.what.encode("ascii"),
            b"".join(self.old),
            b"".join(self.new),
            b"".join(len(clause).to_bytes(2) for clause in self.clauses),
            b"".join(point for clause in self.clauses for point in clause),
        )


def proof_length(clauses: Sequence[Clause]) -> int:
    """Return how many bytes a proof has: the challenge, and for each clause all challenges but one and all answers."""
    return CHALLENGE + sum((CHALLENGE + _SCALAR) * len(clause) - CHALLENGE for clause in clauses)


def prove(statement: Statement, witnesses: Sequence[ProofWitness], seed: bytes, aux_rand: bytes) -> bytes:
    """Prove a statement.

    Every branch is simulated, the true ones too, and these are put right at the end by a multiplication of
    numbers; so the work does not tell which they are.

    Args:
        statement: what is proved.
        witnesses: one for each clause.
        seed: the secret of the match that the random choices are derived from, with the whole statement.
        aux_rand: fresh randomness of the system, so that they are not known to whoever knows the seed alone.

    Whoever proves what is not true makes a proof that does not hold, and should check what is sent.

    Raises:
        LocalProtocolError: the statement is about points that are equal.
    """
    clauses = statement.clauses
    each = CHALLENGE + _WIDE
    chance = stretch(seed, each * sum(map(len, clauses)), "nonces", aux_rand, *statement.parts())
    pairs = iter([_drawn(chance[at : at + each]) for at in range(0, len(chance), each)])
    drawn = [list(islice(pairs, len(clause))) for clause in clauses]
    try:
        nonces = [
            _nonce(point, challenge, scalar_bytes(answer))
            for clause, branch in zip(clauses, drawn, strict=True)
            for point, (challenge, answer) in zip(clause, branch, strict=True)
        ]
    except group.Degenerate:
        raise LocalProtocolError("proof_failed", "a statement about points that differ", "equal ones") from None
    challenge = _challenge(statement, nonces)
    proof = [challenge.to_bytes(CHALLENGE, "little")]
    for branch, (true, logarithm) in zip(drawn, witnesses, strict=True):
        before, answer = branch[true]
        others = sum(one for one, _ in branch) - before
        right = (challenge - others) % 2 ** (8 * CHALLENGE)
        # A = z B - c P = (z - c x) B, so the answer to another challenge differs by its difference times x.
        branch[true] = right, (answer + (right - before) * logarithm) % ORDER
        proof += [one.to_bytes(CHALLENGE, "little") for one, _ in branch[:-1]]
        proof += [scalar_bytes(one) for _, one in branch]
    return b"".join(proof)


def _drawn(data: bytes) -> tuple[int, int]:
    """Return a challenge and an answer from random bytes."""
    return int.from_bytes(data[:CHALLENGE], "little"), scalar_of(data[CHALLENGE:])


def check(statement: Statement, proof: bytes) -> None:
    """Check a proof.

    Raises:
        BadCommitment: it does not prove the statement here.
    """
    wanted = proof_length(statement.clauses)
    if len(proof) != wanted:
        raise BadCommitment("bad_proof", f"a proof of {wanted} bytes", f"one of {len(proof)}")
    try:
        nonces = [_nonce(*branch) for branch in _branches(statement.clauses, proof)]
    except group.Degenerate:
        raise BadCommitment("bad_proof", "numbers and points that are not neutral", "others") from None
    if _challenge(statement, nonces).to_bytes(CHALLENGE, "little") != proof[:CHALLENGE]:
        raise BadCommitment("bad_proof", f"a proof of the statement {statement.what!r}", "another one")


def _branches(clauses: Sequence[Clause], proof: bytes) -> Iterator[tuple[bytes, int, bytes]]:
    """Yield point, challenge and answer of each branch.

    Raises:
        Degenerate: a clause has no branch, or an answer is not below the order.
    """
    whole = int.from_bytes(proof[:CHALLENGE], "little")
    at = CHALLENGE
    for clause in clauses:
        if not clause:
            raise group.Degenerate
        end = at + CHALLENGE * (len(clause) - 1)
        challenges = [int.from_bytes(proof[place : place + CHALLENGE], "little") for place in range(at, end, CHALLENGE)]
        challenges.append((whole - sum(challenges)) % 2 ** (8 * CHALLENGE))
        for point, challenge in zip(clause, challenges, strict=True):
            answer = proof[end : end + _SCALAR]
            end += _SCALAR
            if int.from_bytes(answer, "little") >= ORDER:
                raise group.Degenerate
            yield point, challenge, answer
        at = end


def _nonce(point: bytes, challenge: int, answer: bytes) -> bytes:
    """Return A = z B - c P, which the prover had to choose before the challenge was known.

    Raises:
        Degenerate: it or a number is zero, or the point is neutral.
    """
    found = group.subtract(group.times_base(answer), group.times(scalar_bytes(challenge), point))
    if found == group.NEUTRAL:
        raise group.Degenerate
    return found


def _challenge(statement: Statement, nonces: Sequence[bytes]) -> int:
    return int.from_bytes(hash_parts("proof", *statement.parts(), b"".join(nonces))[:CHALLENGE], "little")
