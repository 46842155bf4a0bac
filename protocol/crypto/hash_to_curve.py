"""Points that nobody knows a relation of: hashing to edwards25519 (SPEC.md, section "Points and scalars").

The suite ``edwards25519_XMD:SHA-512_ELL2_RO_`` of RFC 9380, sections 5.3.1, 6.7.1, 6.8.2 and 8.5, in plain
integers.  Only public strings are hashed here, so that nothing has to take constant time.
"""

import hashlib
from functools import lru_cache
from typing import TypeAlias

_P = 2**255 - 19
_D = -121665 * pow(121666, -1, _P) % _P
_J = 486662
"""The coefficient of curve25519, K t^2 = s^3 + J s^2 + s with K = 1 (RFC 9380, 6.7.1)."""

_Point: TypeAlias = tuple[int, int]


@lru_cache(maxsize=4096)
def hash_to_curve(message: bytes, tag: bytes) -> bytes:
    """Return the 32 bytes of a point of prime order that only hashing can find.

    Args:
        message: what names the point.
        tag: the domain separation tag, at most 255 bytes.
    """
    data = _expanded(message, tag, 96)
    one, two = (_mapped(int.from_bytes(half) % _P) for half in (data[:48], data[48:]))
    point = _added(one, two)
    # RFC 9380, 7: the cofactor is 8.
    for _ in range(3):
        point = _added(point, point)
    x, y = point
    return (y | (x & 1) << 255).to_bytes(32, "little")


def _expanded(message: bytes, tag: bytes, count: int) -> bytes:
    # RFC 9380, 5.3.1: expand_message_xmd with SHA-512, whose blocks are 128 bytes.
    closing = tag + bytes([len(tag)])
    first = hashlib.sha512(bytes(128) + message + count.to_bytes(2) + b"\0" + closing).digest()
    blocks = [hashlib.sha512(first + b"\1" + closing).digest()]
    while 64 * len(blocks) < count:
        mixed = bytes(one ^ other for one, other in zip(first, blocks[-1], strict=True))
        blocks.append(hashlib.sha512(mixed + bytes([len(blocks) + 1]) + closing).digest())
    return b"".join(blocks)[:count]


def _root(square: int) -> int | None:
    """Return a square root, or None if there is none; one power suffices because the prime is 5 modulo 8."""
    root = pow(square, (_P + 3) // 8, _P)
    for candidate in (root, root * _ROOT_OF_MINUS_ONE % _P):
        if candidate * candidate % _P == square % _P:
            return candidate
    return None


_ROOT_OF_MINUS_ONE = pow(2, (_P - 1) // 4, _P)


def _even(number: int) -> int:
    return _P - number if number & 1 else number


_SCALE = _even(_root(-(_J + 2)) or 0)
"""The constant c1 of RFC 9380, 6.8.2 and appendix D.1: the even square root of -486664."""


def _mapped(u: int) -> _Point:
    # RFC 9380, 6.7.1: Elligator 2 with Z = 2 gives a point (s, t) of curve25519.
    twice = 2 * u * u % _P
    if twice == _P - 1:
        twice = 0
    s = -_J * pow(1 + twice, -1, _P) % _P
    t = _root(s * (s * s + _J * s + 1))
    if t is not None:
        t = _P - _even(t)
    else:
        s = (-s - _J) % _P
        t = _even(_root(s * (s * s + _J * s + 1)) or 0)
    # RFC 9380, 6.8.2 and appendix D.1: the rational map to edwards25519, with (0, 1) where it is not defined.
    below = (s + 1) * t % _P
    if below == 0:
        return 0, 1
    inverse = pow(below, -1, _P)
    return _SCALE * s * (s + 1) * inverse % _P, (s - 1) * t * inverse % _P


def _added(one: _Point, other: _Point) -> _Point:
    # The complete addition law of RFC 8032, 5.1.4, in affine coordinates.
    (x1, y1), (x2, y2) = one, other
    product = _D * x1 * x2 * y1 * y2 % _P
    inverse = pow((1 + product) * (1 - product), -1, _P)
    x = (x1 * y2 + x2 * y1) * (1 - product) * inverse
    y = (y1 * y2 + x1 * x2) * (1 + product) * inverse
    return x % _P, y % _P
