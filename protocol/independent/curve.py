"""The curve edwards25519 of RFC 8032, section 5.1, and its hash of RFC 9380, in whole numbers of Python.

What is *not* here: what is signed or proved with it, which is :mod:`protocol.independent.signatures` and
:mod:`protocol.independent.proofs`.
"""

import hashlib
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import TypeAlias

PRIME = 2**255 - 19
"""The order of the field of the coordinates."""
ORDER = 2**252 + 27742317777372353535851937790883648493
"""L, the order of the group that the base point generates."""

_D = -121665 * pow(121666, -1, PRIME) % PRIME
_ROOT_OF_MINUS_ONE = pow(2, (PRIME - 1) // 4, PRIME)

Point: TypeAlias = tuple[int, int, int, int]
"""Extended coordinates X, Y, Z, T of RFC 8032, section 5.1.4: x = X/Z, y = Y/Z, x*y = T/Z."""

NEUTRAL: Point = (0, 1, 1, 0)


class NotAPoint(ValueError):
    """Bytes are not the canonical encoding of a point of order L; the message is a word for what is wrong."""


def add(one: Point, other: Point) -> Point:
    """Return the sum of two points; the law has no exceptions, so it doubles, too."""
    x1, y1, z1, t1 = one
    x2, y2, z2, t2 = other
    a = (y1 - x1) * (y2 - x2) % PRIME
    b = (y1 + x1) * (y2 + x2) % PRIME
    c = t1 * 2 * _D * t2 % PRIME
    d = z1 * 2 * z2 % PRIME
    e, f, g, h = b - a, d - c, d + c, b + a
    return e * f % PRIME, g * h % PRIME, f * g % PRIME, e * h % PRIME


def double(point: Point) -> Point:
    """Return twice a point."""
    x, y, z, _ = point
    a, b = x * x % PRIME, y * y % PRIME
    h = a + b
    e = h - (x + y) * (x + y) % PRIME
    g = a - b
    f = 2 * z * z % PRIME + g
    return e * f % PRIME, g * h % PRIME, f * g % PRIME, e * h % PRIME


def negative(point: Point) -> Point:
    """Return the point that gives the neutral one when it is added."""
    x, y, z, t = point
    return -x % PRIME, y, z, -t % PRIME


def subtract(one: Point, other: Point) -> Point:
    """Return the difference of two points."""
    return add(one, negative(other))


def total(points: Iterable[Point]) -> Point:
    """Return the sum of points."""
    found = NEUTRAL
    for point in points:
        found = add(found, point)
    return found


def multiply(number: int, point: Point) -> Point:
    """Return a number, 0 or more, times a point, by its digits of 4 bits, the highest first."""
    multiples = [NEUTRAL, point]
    while len(multiples) < 16:
        multiples.append(add(multiples[-1], point))
    product = NEUTRAL
    for shift in range((number.bit_length() + 3) // 4 * 4 - 4, -4, -4):
        product = double(double(double(double(product))))
        product = add(product, multiples[number >> shift & 15])
    return product


class Multiples:
    """A table of the multiples of a point, so that each of many products costs no doubling."""

    def __init__(self, point: Point, window: int) -> None:
        """Compute the table for numbers below 2^256 by their digits of ``window`` bits."""
        self._window = window
        self._mask = (1 << window) - 1
        points = []
        power = point
        for _ in range(256 // window):
            row = power
            for _ in range(self._mask):
                points.append(row)
                row = add(row, power)
            power = row
        self._entries = _prepared(points)

    def times(self, number: int) -> Point:
        """Return a number from 0 to 2^256 - 1 times the point."""
        x, y, z, t = NEUTRAL
        start = -1
        while number:
            digit = number & self._mask
            if digit:
                # The addition of RFC 8032 with all that depends on the entry alone taken from the table.
                plus, minus, twice = self._entries[start + digit]
                a, b, c, d = (y - x) * minus, (y + x) * plus, t * twice, z + z
                e, f, g, h = b - a, d - c, d + c, b + a
                e, f, g, h = e % PRIME, f % PRIME, g % PRIME, h % PRIME
                x, y, z, t = e * f % PRIME, g * h % PRIME, f * g % PRIME, e * h % PRIME
            number >>= self._window
            start += self._mask
        return x, y, z, t


def _prepared(points: Sequence[Point]) -> list[tuple[int, int, int]]:
    """Return y + x, y - x and 2 d x y of points."""
    return [((y + x) % PRIME, (y - x) % PRIME, 2 * _D * x * y % PRIME) for x, y in _plain(points)]


def _plain(points: Sequence[Point]) -> list[tuple[int, int]]:
    """Return x and y of points; one inversion serves all."""
    before = []
    product = 1
    for point in points:
        before.append(product)
        product = product * point[2] % PRIME
    inverse = pow(product, -1, PRIME)
    plain = []
    for (x, y, z, _), product in zip(reversed(points), reversed(before), strict=True):
        scale = inverse * product % PRIME
        plain.append((x * scale % PRIME, y * scale % PRIME))
        inverse = inverse * z % PRIME
    return plain[::-1]


def multiply_base(number: int) -> Point:
    """Return a number from 0 to 2^256 - 1 times the base point."""
    return _base_multiples().times(number)


@lru_cache(maxsize=1)
def _base_multiples() -> Multiples:
    return Multiples(BASE, 8)


def is_equal(one: Point, other: Point) -> bool:
    """Say whether two points are the same."""
    across = (one[0] * other[2] - other[0] * one[2]) % PRIME
    up = (one[1] * other[2] - other[1] * one[2]) % PRIME
    return across == 0 == up


def is_neutral(point: Point) -> bool:
    """Say whether a point is the neutral one."""
    return is_equal(point, NEUTRAL)


def encode(point: Point) -> bytes:
    """Return the 32 bytes of a point (RFC 8032, section 5.1.2)."""
    return encode_all([point])


def encode_all(points: Sequence[Point]) -> bytes:
    """Return the encodings of points, one after the other."""
    return b"".join((y | (x & 1) << 255).to_bytes(32, "little") for x, y in _plain(points))


def decode(data: bytes) -> Point:
    """Return the point of a canonical encoding (RFC 8032, section 5.1.3), of whatever order.

    Raises:
        NotAPoint: ``length``, ``not_canonical`` or ``not_on_curve``.
    """
    if len(data) != 32:
        raise NotAPoint("length")
    number = int.from_bytes(data, "little")
    odd, y = number >> 255, number & (1 << 255) - 1
    if y >= PRIME:
        raise NotAPoint("not_canonical")
    x = root((y * y - 1) * pow(_D * y * y + 1, -1, PRIME) % PRIME)
    if x is None:
        raise NotAPoint("not_on_curve")
    if x == 0 and odd:
        raise NotAPoint("not_canonical")
    if x & 1 != odd:
        x = PRIME - x
    return x, y, 1, x * y % PRIME


@lru_cache(maxsize=8192)
def decode_checked(data: bytes) -> Point:
    """Return the point of a canonical encoding after the point check of SPEC.md: its order is L.

    Raises:
        NotAPoint: as :func:`decode`, and ``small_order`` or ``mixed_order``.
    """
    point = decode(data)
    if is_neutral(double(double(double(point)))):
        raise NotAPoint("small_order")
    if not is_neutral(multiply(ORDER, point)):
        raise NotAPoint("mixed_order")
    return point


def root(square: int) -> int | None:
    """Return the even square root of a number of the field, or None if it has none."""
    # The prime is 5 modulo 8, so this power is a root of the number or of its negative, if there is one.
    found = pow(square, (PRIME + 3) // 8, PRIME)
    if found * found % PRIME != square % PRIME:
        found = found * _ROOT_OF_MINUS_ONE % PRIME
        if found * found % PRIME != square % PRIME:
            return None
    return found if found % 2 == 0 else PRIME - found


def hash_to_curve(message: bytes, tag: bytes) -> Point:
    """Return the point of the suite ``edwards25519_XMD:SHA-512_ELL2_RO_`` (RFC 9380, section 3)."""
    uniform = expand(message, tag, 96)
    # Section 5.2: 48 bytes for each of two field elements; section 8.5: the cofactor is cleared by 8.
    first, second = (int.from_bytes(uniform[at : at + 48], "big") % PRIME for at in (0, 48))
    return double(double(double(add(_map_to_curve(first), _map_to_curve(second)))))


def expand(message: bytes, tag: bytes, length: int) -> bytes:
    """Return ``expand_message_xmd`` with SHA-512 (RFC 9380, section 5.3.1) for a tag of at most 255 bytes."""
    marked = tag + bytes([len(tag)])
    start = hashlib.sha512(bytes(128) + message + length.to_bytes(2, "big") + b"\x00" + marked).digest()
    blocks = [hashlib.sha512(start + b"\x01" + marked).digest()]
    while len(blocks) * 64 < length:
        mixed = bytes(a ^ b for a, b in zip(start, blocks[-1], strict=True))
        blocks.append(hashlib.sha512(mixed + bytes([len(blocks) + 1]) + marked).digest())
    return b"".join(blocks)[:length]


_J = 486662
"""The coefficient of curve25519: t^2 = s^3 + J s^2 + s."""


def _map_to_curve(u: int) -> Point:
    # RFC 9380, section 6.7.1, with Z = 2 and K = 1.  1 + 2 u^2 is never 0, because -1/2 has no root in this field.
    s = -_J * pow(1 + 2 * u * u, -1, PRIME) % PRIME
    t = root((s * s * s + _J * s * s + s) % PRIME)
    if t is not None:
        t = PRIME - t
    else:
        s = (-s - _J) % PRIME
        t = root((s * s * s + _J * s * s + s) % PRIME)
    # Appendix D.1: the way from curve25519 to edwards25519.
    if not t or s == PRIME - 1:
        return NEUTRAL
    x = _MONTGOMERY_SCALE * s * pow(t, -1, PRIME) % PRIME
    y = (s - 1) * pow(s + 1, -1, PRIME) % PRIME
    return x, y, 1, x * y % PRIME


_MONTGOMERY_SCALE = root(-486664 % PRIME) or 0
"""The even square root of -(J + 2)."""

BASE: Point = decode((4 * pow(5, -1, PRIME) % PRIME).to_bytes(32, "little"))
"""B: the point with y = 4/5 and an even x (RFC 8032, section 5.1)."""
