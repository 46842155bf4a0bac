"""The steps of an envelope (SPEC.md, section "Steps")."""

from typing import Any, Final, NamedTuple, TypeAlias

from protocol.game import PILE_LIMIT, Decision, Value
from protocol.independent import forms
from protocol.independent.faults import Unreadable
from protocol.independent.packing import Packed

_LONGEST_PROOF: Final = 12288
_LARGEST_VALUE: Final = 65535


class Choice(NamedTuple):
    """An open decision."""

    said: Decision


class Seal(NamedTuple):
    """A decision that is fixed and not told."""

    commitment: bytes
    nonce: bytes


class Unseal(NamedTuple):
    """The decision of a seal."""

    said: Decision
    salt: bytes


class Commit(NamedTuple):
    """Hidden values, one in each slot."""

    commitments: tuple[bytes, ...]
    proof: bytes
    nonce: bytes


class Recommit(NamedTuple):
    """Old values under fresh slots."""

    parts: tuple[tuple[bytes, ...], ...]
    proof: bytes
    nonce: bytes


class Reveal(NamedTuple):
    """Values with their openings."""

    openings: tuple[tuple[Value, bytes], ...]


class TossCommit(NamedTuple):
    """The first share of a toss, fixed and not told."""

    commitment: bytes
    nonce: bytes


class TossReveal(NamedTuple):
    """A share of a toss."""

    share: bytes


class ProveMembership(NamedTuple):
    """In which part a value lies."""

    part: int
    proof: bytes


class Key(NamedTuple):
    """The key of a seat's lock."""

    point: bytes
    proof: bytes


class Stir(NamedTuple):
    """Cards, masked and in another order."""

    pairs: bytes
    proof: bytes


class Unlock(NamedTuple):
    """What takes a seat's lock off cards."""

    shares: tuple[bytes, ...]
    proof: bytes


StepOfPile: TypeAlias = Key | Stir | Unlock
Step: TypeAlias = (
    Choice | Seal | Unseal | Commit | Recommit | Reveal | TossCommit | TossReveal | ProveMembership | StepOfPile
)


def read_step(value: Packed) -> Step:
    """Return a step.

    Raises:
        Unreadable: a code of the table of damage.
    """
    parts = forms.array(value, 1, 32)
    tag = forms.integer(parts[0])
    match tag, parts[1:]:
        case 1, [said]:
            return Choice(forms.said(said))
        case 2, [commitment, nonce]:
            return Seal(forms.digest(commitment), forms.nonce(nonce))
        case 3, [said, salt]:
            return Unseal(forms.said(said), forms.digest(salt))
        case 4, [commitments, proof, nonce]:
            return Commit(_digests(commitments, 1), _proof(proof), forms.nonce(nonce))
        case 5, [parts_of, proof, nonce]:
            found = tuple(_digests(part, 0) for part in forms.array(parts_of, 1, 16))
            return Recommit(found, _proof(proof), forms.nonce(nonce))
        case 6, [openings]:
            return Reveal(tuple(_opening(one) for one in forms.array(openings, 1, 64)))
        case 7, [commitment, nonce]:
            return TossCommit(forms.digest(commitment), forms.nonce(nonce))
        case 8, [share]:
            return TossReveal(forms.digest(share))
        case 9, [part, proof]:
            return ProveMembership(forms.integer(part, 0, 15), _proof(proof))
        case 10, [point, proof]:
            return Key(forms.digest(point), forms.binary(proof, 48, 48))
        case 11, [pairs, proof]:
            return Stir(forms.binary(pairs, 2 * 64, PILE_LIMIT * 64), _proof(proof))
        case 12, [shares, proof]:
            points = tuple(forms.digest(one) for one in forms.array(shares, 1, PILE_LIMIT))
            return Unlock(points, forms.binary(proof, 48, 48))
    raise Unreadable("bad_array" if 1 <= tag <= 12 else "unknown_step")


def _digests(value: Any, low: int) -> tuple[bytes, ...]:
    return tuple(forms.digest(one) for one in forms.array(value, low, 64))


def _proof(value: Packed) -> bytes:
    return forms.binary(value, 0, _LONGEST_PROOF)


def _opening(value: Packed) -> tuple[Value, bytes]:
    number, opening = forms.array(value, 2, 2)
    return forms.integer(number, 0, _LARGEST_VALUE), forms.digest(opening)
