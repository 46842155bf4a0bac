"""The group of prime order in edwards25519, by libsodium (SPEC.md, section "Points and scalars").

The only import of PyNaCl.  Points are their 32 canonical bytes, scalars are 32 bytes below the order.

libsodium refuses to multiply by zero and to return the neutral point, and it says so by an exception that
means nothing else.  An honest proof never comes to either, so here it is :class:`Degenerate`.
"""

from collections.abc import Iterable
from functools import cache

import nacl
from nacl import bindings
from nacl.exceptions import CryptoError

from protocol.crypto.hash_to_curve import hash_to_curve
from protocol.crypto.scalars import ORDER, scalar_bytes
from protocol.errors import BadCommitment, LocalProtocolError
from protocol.game import Value

NEUTRAL = bytes([1]) + bytes(31)
"""The neutral point, which no proof may contain."""

NEEDED = (1, 6, 2)
"""The first PyNaCl whose libsodium refuses points of mixed order (CVE-2025-69277)."""

GENERATOR_TAG = b"storm-p2p/1 generators, edwards25519_XMD:SHA-512_ELL2_RO_"
"""The domain separation tag of the generators."""


class Degenerate(Exception):
    """A multiple that no honest proof contains: by zero, of the neutral point, or the neutral point itself."""


def generator(value: Value) -> bytes:
    """Return the point that stands for a value; nobody knows its logarithm to any other point."""
    return hash_to_curve(b"value %d" % value, GENERATOR_TAG)


def check_point(data: bytes) -> None:
    """Check that 32 bytes are the canonical encoding of a point of prime order.

    Raises:
        BadCommitment: they are not.
    """
    if len(data) != 32 or not bindings.crypto_core_ed25519_is_valid_point(data):
        raise BadCommitment("bad_point", "a point of prime order", data.hex())


def add(one: bytes, other: bytes) -> bytes:
    """Return the sum of two points of the group."""
    return bindings.crypto_core_ed25519_add(one, other)


def subtract(one: bytes, other: bytes) -> bytes:
    """Return the difference of two points of the group."""
    return bindings.crypto_core_ed25519_sub(one, other)


def total(points: Iterable[bytes]) -> bytes:
    """Return the sum of at least one point."""
    first, *rest = points
    for point in rest:
        first = add(first, point)
    return first


def times_base(scalar: bytes) -> bytes:
    """Return a multiple of the base point B of RFC 8032; the scalar is 32 bytes below the order.

    Raises:
        Degenerate: the scalar is zero.
    """
    try:
        return bindings.crypto_scalarmult_ed25519_base_noclamp(scalar)
    except RuntimeError:
        raise Degenerate from None


def times(scalar: bytes, point: bytes) -> bytes:
    """Return a multiple of a point of the group; the scalar is 32 bytes below the order.

    Raises:
        Degenerate: the scalar is zero or the point is the neutral one.
    """
    try:
        return bindings.crypto_scalarmult_ed25519_noclamp(scalar, point)
    except RuntimeError:
        raise Degenerate from None


def accepts(public: bytes, message: bytes, signature: bytes) -> bool:
    """Say whether libsodium takes an Ed25519 signature by a key that has passed the point check.

    What it takes is valid (SPEC.md, "Keys and signatures"); what it refuses may still be
    (docs/decisions/0019-libsodium-is-asked-first.md).
    """
    return is_strict() and _opens(public, message, signature)


@cache
def is_strict() -> bool:
    """Say whether libsodium takes a good signature, and none of those that only some libraries take."""
    return _opens(_SIGNER, _SIGNED, _GOOD) and not any(_opens(_SIGNER, _SIGNED, one) for one in _LAX)


def _opens(public: bytes, message: bytes, signature: bytes) -> bool:
    # The library takes both in one piece, and would see no difference if a byte moved from one to the other.
    if len(signature) != 64:
        return False
    try:
        bindings.crypto_sign_open(signature + message, public)
    except CryptoError:
        return False
    return True


_SIGNER = bytes.fromhex("d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a")
"""The first key of RFC 8032."""
_SIGNED = bytes(32)
_GOOD = bytes.fromhex(
    "355c74053a380ab58b298de23adcca49f39b7ca50a2cec5b861f6c7fddf87c8a"
    "53b78c7bb3959268c0db1edeb0440786839ef5defaad623290076198560b3c02"
)
_LAX = tuple(
    bytes.fromhex(nonce + answer)
    for nonce, answer in (
        # The nonce B with a point of order 8 added: valid if the equation is multiplied by the cofactor.
        (
            "da99e28ba529cdde35a25fba9059e78ecaee239f99755b9b1aa4f65df00803e2",
            "942827cfa227394d8e0f1b999412cd3d42ebd4baf109c79c92090c1ec1cfe908",
        ),
        # A point of order 8 for the nonce: the same, for a library that looks for small orders.
        (
            "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
            "74fe8e65c1f57cc285193b1f0f49c178e9ea8facbb54ab6a105036bb44c8dc07",
        ),
        # The neutral point, written with a coordinate above the prime: valid if points are compared and not bytes.
        (
            "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
            "ecf269f0eef68ebae9b0a667607ea06c92ca67f81a0c424ac4680dbcb5ed730a",
        ),
        # The good one with the order of the group added to its answer.
        (
            "355c74053a380ab58b298de23adcca49f39b7ca50a2cec5b861f6c7fddf87c8a",
            "408b82d8cdf8a4c0967816818f3ee69a839ef5defaad623290076198560b3c12",
        ),
    )
)
"""Signatures that are none, each taken by a library that is lax in its own way."""

# A point of order 2 added to the base point gives one of order 2 L; libsodium of the versions before took it.
_MIXED = bytes.fromhex("9599999999999999999999999999999999999999999999999999999999999999")
_BASE = bytes.fromhex("5866666666666666666666666666666666666666666666666666666666666666")
_TWICE = bytes.fromhex("c9a3f86aae465f0e56513864510f3997561fa2c9e85ea21dc2292309f3cd6022")


@cache
def require() -> None:
    """Check once that the library is new enough and computes what is known.

    Raises:
        LocalProtocolError: ``library_too_old`` or ``library_broken``.
    """
    wanted = ".".join(map(str, NEEDED))
    found = tuple(int(part) for part in nacl.__version__.split(".")[:3] if part.isdigit())
    if found < NEEDED:
        raise LocalProtocolError("library_too_old", f"PyNaCl {wanted} or later", f"PyNaCl {nacl.__version__}")
    one = scalar_bytes(1)
    holds = (
        times_base(one) == _BASE
        and times_base(scalar_bytes(2)) == add(_BASE, _BASE) == times(scalar_bytes(2), _BASE) == _TWICE
        and times(scalar_bytes(ORDER - 1), _BASE) == subtract(subtract(_BASE, _BASE), _BASE)
        and subtract(_BASE, _BASE) == NEUTRAL
        and bindings.crypto_core_ed25519_is_valid_point(_BASE)
        and not bindings.crypto_core_ed25519_is_valid_point(_MIXED)
        and not bindings.crypto_core_ed25519_is_valid_point(NEUTRAL)
    )
    if not holds:
        raise LocalProtocolError("library_broken", "the known answers of edwards25519", "others")
