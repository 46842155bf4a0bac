"""The steps of an envelope: what answers a request of the game, and their schemas (SPEC.md, section "Steps").

Values only.  What a step does is :mod:`protocol.core.referee`.
"""

from __future__ import annotations

from dataclasses import dataclass
from dataclasses import fields as dc_fields
from typing import Any, TypeAlias

from protocol.core import wire
from protocol.core.wire import Packable
from protocol.errors import WireError
from protocol.game import BATCH_LIMITS, LARGEST_VALUE, PART_LIMIT, PILE_LIMIT, Decision, Value

NONCE_LENGTH = 16
"""The bytes of the public nonce that the secrets of a commitment are derived from, beside the seed.

A player who goes on from an old copy of the match and decides otherwise commits with a fresh one, so that what was
opened before says nothing about what is fixed now.
"""


@dataclass(frozen=True, slots=True)
class Choice:
    """Answer a :class:`~protocol.game.Choose`, or openly a :class:`~protocol.game.Sealed`."""

    decision: Decision


@dataclass(frozen=True, slots=True)
class Seal:
    """Fix a decision without telling it."""

    commitment: bytes
    nonce: bytes
    """See :data:`NONCE_LENGTH`."""


@dataclass(frozen=True, slots=True)
class Unseal:
    """Tell the decision that was fixed."""

    decision: Decision
    salt: bytes


@dataclass(frozen=True, slots=True)
class Commit:
    """Answer a :class:`~protocol.game.Hide`: one commitment a slot."""

    commitments: tuple[bytes, ...]
    proof: bytes
    nonce: bytes
    """See :data:`NONCE_LENGTH`."""


@dataclass(frozen=True, slots=True)
class Recommit:
    """Answer a :class:`~protocol.game.Mix`: one commitment a fresh slot, sorted within each part."""

    parts: tuple[tuple[bytes, ...], ...]
    proof: bytes
    nonce: bytes
    """See :data:`NONCE_LENGTH`."""


@dataclass(frozen=True, slots=True)
class Reveal:
    """Answer an :class:`~protocol.game.Open`: value and opening of each slot."""

    openings: tuple[tuple[Value, bytes], ...]


@dataclass(frozen=True, slots=True)
class TossCommit:
    """Fix one's share of a number to be tossed."""

    commitment: bytes
    nonce: bytes
    """See :data:`NONCE_LENGTH`."""


@dataclass(frozen=True, slots=True)
class TossReveal:
    """Tell one's share: at once by those who did not fix it, at the end by the one who did."""

    share: bytes


@dataclass(frozen=True, slots=True)
class ProveMembership:
    """Answer a :class:`~protocol.game.Locate`: the number of the part that holds the value."""

    part: int
    proof: bytes


@dataclass(frozen=True, slots=True)
class Key:
    """Show the key of one's lock, before the first pile of a match."""

    point: bytes
    proof: bytes


@dataclass(frozen=True, slots=True)
class Stir:
    """Do one's part of a :class:`~protocol.game.Mix` of cards in a pile: all of them, masked and permuted."""

    pairs: bytes
    """The two points of each card, 64 bytes."""
    proof: bytes


@dataclass(frozen=True, slots=True)
class Unlock:
    """Take one's lock off cards: a part of a :class:`~protocol.game.Deal`, or the opening of dealt cards."""

    shares: tuple[bytes, ...]
    """A point for each card."""
    proof: bytes


Step: TypeAlias = (
    Choice
    | Seal
    | Unseal
    | Commit
    | Recommit
    | Reveal
    | TossCommit
    | TossReveal
    | ProveMembership
    | Key
    | Stir
    | Unlock
)

_NONCE = ("nonce", wire.octets(NONCE_LENGTH))
_PROOF = wire.octets(0, 12288)
_VALUE = wire.integer(0, LARGEST_VALUE)
_LARGEST_BATCH = max(BATCH_LIMITS.values())
_TOKENS = wire.items(wire.HASH, 1, _LARGEST_BATCH)
_PROOF_OF_NUMBER = wire.octets(48)
PAIR_LENGTH = 64
"""The bytes of the two points of a card."""

_STEP_CHECKS: dict[int, tuple[type[Step], wire.Check]] = {
    1: (Choice, wire.fields("choice", ("tag", wire.integer(1, 1)), ("decision", wire.decision))),
    2: (Seal, wire.fields("seal", ("tag", wire.integer(2, 2)), ("commitment", wire.HASH), _NONCE)),
    3: (Unseal, wire.fields("unseal", ("tag", wire.integer(3, 3)), ("decision", wire.decision), ("salt", wire.HASH))),
    4: (
        Commit,
        wire.fields("commit", ("tag", wire.integer(4, 4)), ("commitments", _TOKENS), ("proof", _PROOF), _NONCE),
    ),
    5: (
        Recommit,
        wire.fields(
            "recommit",
            ("tag", wire.integer(5, 5)),
            ("parts", wire.items(wire.items(wire.HASH, 0, _LARGEST_BATCH), 1, PART_LIMIT)),
            ("proof", _PROOF),
            _NONCE,
        ),
    ),
    6: (
        Reveal,
        wire.fields(
            "reveal",
            ("tag", wire.integer(6, 6)),
            (
                "openings",
                wire.items(wire.fields("opening", ("value", _VALUE), ("opening", wire.HASH)), 1, _LARGEST_BATCH),
            ),
        ),
    ),
    7: (TossCommit, wire.fields("toss_commit", ("tag", wire.integer(7, 7)), ("commitment", wire.HASH), _NONCE)),
    8: (TossReveal, wire.fields("toss_reveal", ("tag", wire.integer(8, 8)), ("share", wire.HASH))),
    9: (
        ProveMembership,
        wire.fields(
            "prove_membership",
            ("tag", wire.integer(9, 9)),
            ("part", wire.integer(0, PART_LIMIT - 1)),
            ("proof", _PROOF),
        ),
    ),
    10: (Key, wire.fields("key", ("tag", wire.integer(10, 10)), ("point", wire.HASH), ("proof", _PROOF_OF_NUMBER))),
    11: (
        Stir,
        wire.fields(
            "stir",
            ("tag", wire.integer(11, 11)),
            ("pairs", wire.octets(2 * PAIR_LENGTH, PILE_LIMIT * PAIR_LENGTH)),
            ("proof", _PROOF),
        ),
    ),
    12: (
        Unlock,
        wire.fields(
            "unlock",
            ("tag", wire.integer(12, 12)),
            ("shares", wire.items(wire.HASH, 1, PILE_LIMIT)),
            ("proof", _PROOF_OF_NUMBER),
        ),
    ),
}
_STEP_TAGS: dict[type[Step], int] = {kind: tag for tag, (kind, _) in _STEP_CHECKS.items()}


def _check_step(value: object) -> None:
    if type(value) is not tuple or not value or type(value[0]) is not int:
        raise WireError("unknown_step", f"an array that begins with 1 to {len(_STEP_CHECKS)}", "another")
    if value[0] not in _STEP_CHECKS:
        raise WireError("unknown_step", f"an array that begins with 1 to {len(_STEP_CHECKS)}", "another")
    _STEP_CHECKS[value[0]][1](value)


STEP_LIMIT = 32
"""The most steps of one envelope."""

STEPS_SCHEMA = wire.items(_check_step, 1, STEP_LIMIT)
"""The schema of the steps of one envelope."""


def commitments_of(step: Step) -> tuple[bytes, ...]:
    """Return what a step fixes; none of it may come again in the match."""
    match step:
        case Seal(commitment, _) | TossCommit(commitment, _):
            return (commitment,)
        case Commit(commitments):
            return commitments
        case Recommit(parts):
            return tuple(commitment for part in parts for commitment in part)
        case Key(point):
            return (point,)
        case Stir(pairs):
            # The first halves are enough: an honest mask of 256 bits never comes twice.
            return tuple(pair[0] for pair in split_pairs(pairs))
        case _:
            return ()


def split_pairs(data: bytes) -> list[tuple[bytes, bytes]]:
    """Return the pairs of a stir; what is no whole pair at the end is left out."""
    ends = range(PAIR_LENGTH, len(data) + 1, PAIR_LENGTH)
    return [(data[at - PAIR_LENGTH : at - 32], data[at - 32 : at]) for at in ends]


def step_value(step: Step) -> Packable:
    """Return the value that is encoded for a step."""
    return (_STEP_TAGS[type(step)], *(getattr(step, field.name) for field in dc_fields(step)))


def step_of(value: Any) -> Step:
    """Return the step of a value that has passed the schema."""
    return _STEP_CHECKS[value[0]][0](*value[1:])
