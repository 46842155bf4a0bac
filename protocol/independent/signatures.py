"""Checking Ed25519 signatures in plain Python (RFC 8032, section 5.1.7; SPEC.md, section "Keys")."""

from __future__ import annotations

import hashlib

from protocol.errors import BadKey, BadSignature
from protocol.independent import curve


def check_public(public: bytes) -> None:
    """Check that 32 bytes are the canonical encoding of a point of prime order.

    Raises:
        BadKey: ``key_point``.
    """
    _decoded(public)


def verify_digest(public: bytes, digest: bytes, signature: bytes) -> None:
    """Check a signature over 32 bytes; the same answers as :func:`protocol.crypto.keys.verify_digest`.

    Raises:
        BadKey: the public key must not be used.
        BadSignature: the signature is not this key's over these bytes.
    """
    if not _holds(_decoded(public), public, digest, signature):
        raise BadSignature("bad_signature", f"a signature by {public.hex()[:16]}", "another one")


def _decoded(public: bytes) -> curve.Point:
    try:
        return curve.decode_checked(public)
    except curve.NotAPoint as error:
        raise BadKey("key_point", f"a point of prime order ({error})", public.hex()) from None


def _holds(key: curve.Point, public: bytes, digest: bytes, signature: bytes) -> bool:
    if len(signature) != 64:
        return False
    answer = int.from_bytes(signature[32:], "little")
    if answer >= curve.ORDER:
        return False
    challenge = hashlib.sha512(signature[:32] + public + digest).digest()
    number = int.from_bytes(challenge, "little") % curve.ORDER
    # As the libraries do, the point is computed and its one encoding compared: a nonce that is written in another
    # way or has a small part of another order never passes.
    nonce = curve.add(curve.multiply_base(answer), curve.multiply(number, curve.negative(key)))
    return curve.encode(nonce) == signature[:32]
