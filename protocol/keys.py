"""Ed25519 keys: the only place that signs and verifies (SPEC.md, section "Keys").

What is *not* here: files, which are :mod:`protocol.keyfile`, and randomness, which comes in as 32 bytes.

A public key is 32 bytes everywhere else.  Before its first use it must turn out to be the canonical
encoding of a point of prime order: OpenSSL accepts the point of order 1 as a public key, and under that
key every message verifies.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from protocol.errors import BadKey, BadSignature
from protocol.wire import hashed

# The library is imported where it is used: what only judges logs with the second implementation does without it.
if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

_P = 2**255 - 19
_D = -121665 * pow(121666, -1, _P) % _P
_ROOT = pow(2, (_P - 1) // 4, _P)

_Point = tuple[int, int, int, int]
_NEUTRAL: _Point = (0, 1, 1, 0)


class PrivateKey:
    """A key that signs; nothing of it shows in its ``repr``."""

    __slots__ = ("_key", "public")

    def __init__(self, seed: bytes) -> None:
        """Make the key of 32 secret bytes.

        Raises:
            BadKey: it is not 32 bytes.
        """
        if len(seed) != 32:
            raise BadKey("bad_seed", "32 bytes", f"{len(seed)} bytes")
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

        self._key = Ed25519PrivateKey.from_private_bytes(seed)
        self.public: bytes = self._key.public_key().public_bytes_raw()

    def __repr__(self) -> str:
        return f"PrivateKey(public={self.public.hex()})"

    def seed(self) -> bytes:
        """Return the 32 secret bytes, for storing."""
        return self._key.private_bytes_raw()

    def sign_digest(self, digest: bytes) -> bytes:
        """Sign a value of :func:`protocol.wire.hashed`."""
        return self._key.sign(digest)

    def to_pkcs8(self, passphrase: bytes | None = None) -> bytes:
        """Return the key as PEM text, encrypted if there is a passphrase."""
        from cryptography.hazmat.primitives import serialization

        lock: serialization.KeySerializationEncryption = serialization.NoEncryption()
        if passphrase:
            lock = serialization.BestAvailableEncryption(passphrase)
        return self._key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, lock)

    @staticmethod
    def from_pkcs8(data: bytes, passphrase: bytes | None = None) -> PrivateKey:
        """Read :meth:`to_pkcs8`'s text.

        Raises:
            BadKey: ``needs_passphrase``, ``wrong_passphrase`` or ``bad_key_file``.
        """
        from cryptography.hazmat.primitives import serialization
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

        locked = b"ENCRYPTED" in data[:64]
        if locked and not passphrase:
            raise BadKey("needs_passphrase", "a passphrase", "none")
        try:
            key = serialization.load_pem_private_key(data, passphrase if locked else None)
        except ValueError:
            if locked:
                raise BadKey("wrong_passphrase", "the key's passphrase", "another one") from None
            raise BadKey("bad_key_file", "an Ed25519 key in PKCS#8", "something else") from None
        except Exception as error:
            raise BadKey("bad_key_file", "an Ed25519 key in PKCS#8", type(error).__name__) from None
        if not isinstance(key, Ed25519PrivateKey):
            raise BadKey("bad_key_file", "an Ed25519 key", type(key).__name__)
        return PrivateKey(key.private_bytes_raw())


def sign(key: PrivateKey, label: str, data: bytes) -> bytes:
    """Return the 64-byte signature over H(label, data)."""
    return key.sign_digest(hashed(label, data))


def verify(public: bytes, label: str, data: bytes, signature: bytes) -> None:
    """Check a signature over H(label, data).

    Raises:
        BadKey: the public key must not be used.
        BadSignature: the signature is not this key's over these bytes.
    """
    verify_digest(public, hashed(label, data), signature)


def verify_digest(public: bytes, digest: bytes, signature: bytes) -> None:
    """Check a signature over a value of :func:`protocol.wire.hashed`; see :func:`verify`.

    Raises:
        BadKey: the public key must not be used.
        BadSignature: the signature is not this key's over these bytes.
    """
    from cryptography.exceptions import InvalidSignature

    key = load_public(public)
    try:
        key.verify(signature, digest)
    except InvalidSignature:
        raise BadSignature("bad_signature", f"a signature by {public.hex()[:16]}", "another one") from None


@lru_cache(maxsize=256)
def load_public(public: bytes) -> Ed25519PublicKey:
    """Return the key object of a public key that has passed :func:`check_public`.

    Raises:
        BadKey: the public key must not be used.
    """
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    check_public(public)
    return Ed25519PublicKey.from_public_bytes(public)


@lru_cache(maxsize=256)
def check_public(public: bytes) -> None:
    """Check that 32 bytes are the canonical encoding of a point of prime order.

    Raises:
        BadKey: ``key_length``, ``key_not_canonical``, ``key_not_on_curve``, ``key_small_order`` or
            ``key_mixed_order``.
    """
    if len(public) != 32:
        raise BadKey("key_length", "32 bytes", f"{len(public)} bytes")
    number = int.from_bytes(public, "little")
    sign_bit, y = number >> 255, number & (2**255 - 1)
    if y >= _P:
        raise BadKey("key_not_canonical", "a coordinate below the prime", public.hex())
    x = _recover_x(y)
    if x is None:
        raise BadKey("key_not_on_curve", "a point of the curve", public.hex())
    if x == 0 and sign_bit:
        raise BadKey("key_not_canonical", "a zero without a sign", public.hex())
    if x & 1 != sign_bit:
        x = _P - x
    point = (x, y, 1, x * y % _P)
    if _is_neutral(_doubled(_doubled(_doubled(point)))):
        raise BadKey("key_small_order", "a point of prime order", public.hex())
    if not _is_eighth_multiple(x, y):
        raise BadKey("key_mixed_order", "a point of prime order", public.hex())


def _recover_x(y: int) -> int | None:
    # RFC 8032, 5.1.3: x^2 = (y^2 - 1) / (d y^2 + 1); a square root in one power because p = 5 mod 8.
    u, v = (y * y - 1) % _P, (_D * y * y + 1) % _P
    x = u * pow(v, 3, _P) * pow(u * pow(v, 7, _P), (_P - 5) // 8, _P) % _P
    if v * x * x % _P == u:
        return x
    if v * x * x % _P == _P - u:
        return x * _ROOT % _P
    return None


def _square_root(number: int) -> int | None:
    root = pow(number, (_P + 3) // 8, _P)
    square = root * root % _P
    if square == number % _P:
        return root
    if square == -number % _P:
        return root * _ROOT % _P
    return None


_A = 486662
_SCALE = _square_root(-_A - 2) or 0
"""u and v of a point are (1 + y) / (1 - y) and this times u / x."""
_QUARTER = _square_root(_A + 2) or 0
"""The t of the point of order 4."""


def _is_eighth_multiple(x: int, y: int) -> bool:
    """Say whether a point of more than small order is eight times another one: then its order is the prime L.

    The points form a cyclic group of order 8 L.  Instead of multiplying by L, which takes most of the time of
    reading a key, the point is halved once, and the half must be a multiple of 4.

    On v^2 = u^3 + A u^2 + u (RFC 7748, 4.1) a point is twice another one exactly if its u is a square w^2, by the
    descent along the isogeny whose kernel is (0, 0), the only point of order 2.  The half (q, s q) then has
    s^2 = A + 2u + 2g with g = v/w or -v/w, whichever gives a square, and q = u + g + w s.  It does not matter which
    half is taken and which sign of v: the halves differ by (0, 0), which is a multiple of 4.

    A point is a multiple of 4 exactly if its Tate pairing with the point (1, t) of order 4, t^2 = A + 2, is a fourth
    power.  The function of the pairing is (v - t u)^2 / u.
    """
    inverse = pow((1 - y) * x, -1, _P)
    u = (1 + y) * x * inverse % _P
    w = _square_root(u)
    if w is None:
        return False
    g = _SCALE * w * (1 - y) * inverse % _P
    s = _square_root(_A + 2 * u + 2 * g)
    if s is None:
        g = -g
        s = _square_root(_A + 2 * u + 2 * g)
    if s is None:
        return False
    q = u + g + w * s
    return pow(q * (s - _QUARTER) * (s - _QUARTER), (_P - 1) // 4, _P) == 1


def _doubled(a: _Point) -> _Point:
    # RFC 8032, 5.1.4.
    x, y, z, _ = a
    xx, yy = x * x % _P, y * y % _P
    h = xx + yy
    e = h - (x + y) * (x + y) % _P
    g = xx - yy
    f = 2 * z * z % _P + g
    return e * f % _P, g * h % _P, f * g % _P, e * h % _P


def _is_neutral(point: _Point) -> bool:
    return point[0] % _P == 0 and (point[1] - point[2]) % _P == 0


def identity_hash(public: bytes) -> bytes:
    """Return the 16 bytes by which an invite names an identity key: half a hash (SPEC.md, "Invite")."""
    return hashed("identity", public)[:16]
