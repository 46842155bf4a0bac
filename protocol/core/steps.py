"""The steps of an envelope: what answers a request of the game, and their schemas (SPEC.md, section "Steps").

Values only.  What a step does is :mod:`protocol.core.referee`.
"""

from dataclasses import dataclass
from dataclasses import fields as dc_fields
from typing import Annotated, Any, TypeAlias, get_args

from protocol.core import wire
from protocol.core.wire import Packable
from protocol.errors import WireError
from protocol.game import BATCH_LIMITS, LARGEST_VALUE, PART_LIMIT, PILE_LIMIT, Decision, Value

NONCE_LENGTH = 16
"""The bytes of the public nonce that the secrets of a commitment are derived from, beside the seed.

A player who goes on from an old copy of the match and decides otherwise commits with a fresh one, so that what was
opened before says nothing about what is fixed now.
"""

PAIR_LENGTH = 64
"""The bytes of the two points of a card."""

_LARGEST_BATCH = max(BATCH_LIMITS.values())
_OPENING = wire.fields("opening", ("value", wire.integer(0, LARGEST_VALUE)), ("opening", wire.HASH))
Nonce: TypeAlias = Annotated[bytes, wire.octets(NONCE_LENGTH)]
Proof: TypeAlias = Annotated[bytes, wire.octets(0, 12288)]
NumberProof: TypeAlias = Annotated[bytes, wire.octets(48)]
"""A proof that one knows a number."""


@dataclass(frozen=True, slots=True)
class Choice:
    """Answer a :class:`~protocol.game.Choose`, or openly a :class:`~protocol.game.Sealed`."""

    decision: Annotated[Decision, wire.decision]


@dataclass(frozen=True, slots=True)
class Seal:
    """Fix a decision without telling it."""

    commitment: wire.Hash
    nonce: Nonce
    """See :data:`NONCE_LENGTH`."""


@dataclass(frozen=True, slots=True)
class Unseal:
    """Tell the decision that was fixed."""

    decision: Annotated[Decision, wire.decision]
    salt: wire.Hash


@dataclass(frozen=True, slots=True)
class Commit:
    """Answer a :class:`~protocol.game.Hide`: one commitment a slot."""

    commitments: Annotated[tuple[bytes, ...], wire.items(wire.HASH, 1, _LARGEST_BATCH)]
    proof: Proof
    nonce: Nonce
    """See :data:`NONCE_LENGTH`."""


@dataclass(frozen=True, slots=True)
class Recommit:
    """Answer a :class:`~protocol.game.Mix`: one commitment a fresh slot, sorted within each part."""

    parts: Annotated[tuple[tuple[bytes, ...], ...], wire.items(wire.items(wire.HASH, 0, _LARGEST_BATCH), 1, PART_LIMIT)]
    proof: Proof
    nonce: Nonce
    """See :data:`NONCE_LENGTH`."""


@dataclass(frozen=True, slots=True)
class Reveal:
    """Answer an :class:`~protocol.game.Open`: value and opening of each slot."""

    openings: Annotated[tuple[tuple[Value, bytes], ...], wire.items(_OPENING, 1, _LARGEST_BATCH)]


@dataclass(frozen=True, slots=True)
class TossCommit:
    """Fix one's share of a number to be tossed."""

    commitment: wire.Hash
    nonce: Nonce
    """See :data:`NONCE_LENGTH`."""


@dataclass(frozen=True, slots=True)
class TossReveal:
    """Tell one's share: at once by those who did not fix it, at the end by the one who did."""

    share: wire.Hash


@dataclass(frozen=True, slots=True)
class ProveMembership:
    """Answer a :class:`~protocol.game.Locate`: the number of the part that holds the value."""

    part: Annotated[int, wire.integer(0, PART_LIMIT - 1)]
    proof: Proof


@dataclass(frozen=True, slots=True)
class Key:
    """Show the key of one's lock, before the first pile of a match."""

    point: wire.Hash
    proof: NumberProof


@dataclass(frozen=True, slots=True)
class Stir:
    """Do one's part of a :class:`~protocol.game.Mix` of cards in a pile: all of them, masked and permuted."""

    pairs: Annotated[bytes, wire.octets(2 * PAIR_LENGTH, PILE_LIMIT * PAIR_LENGTH)]
    """The two points of each card, 64 bytes."""
    proof: Proof


@dataclass(frozen=True, slots=True)
class Unlock:
    """Take one's lock off cards: a part of a :class:`~protocol.game.Deal`, or the opening of dealt cards."""

    shares: Annotated[tuple[bytes, ...], wire.items(wire.HASH, 1, PILE_LIMIT)]
    """A point for each card."""
    proof: NumberProof


CardStep: TypeAlias = Key | Stir | Unlock
Step: TypeAlias = (
    Choice | Seal | Unseal | Commit | Recommit | Reveal | TossCommit | TossReveal | ProveMembership | CardStep
)
"""Any of them; on the wire each has its number in this order, from 1."""

_STEP_CHECKS: dict[int, tuple[type[Step], wire.Check]] = {
    tag: (kind, wire.fields(wire.label_of(kind), ("tag", wire.anything), *wire.checks_of(kind)))
    for tag, kind in enumerate(get_args(Step), 1)
}
_STEP_TAGS: dict[type[Step], int] = {kind: tag for tag, (kind, _) in _STEP_CHECKS.items()}


def _check_step(value: object) -> None:
    if type(value) is not tuple or not value or type(value[0]) is not int or value[0] not in _STEP_CHECKS:
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
