"""Checking Ed25519 signatures in plain Python (RFC 8032, section 5.1.7; SPEC.md, section "Keys and signatures")."""

import hashlib
from functools import lru_cache

from protocol.independent import curve


@lru_cache(maxsize=256)
def is_key(public: bytes) -> bool:
    """Say whether bytes pass the point check: they are the one encoding of a point of prime order."""
    try:
        curve.decode_checked(public)
    except curve.NotAPoint:
        return False
    return True


def verify(public: bytes, digest: bytes, signature: bytes) -> bool:
    """Say whether a signature is a key's over 32 bytes; with a key that fails the point check none is."""
    if len(signature) != 64 or not is_key(public):
        return False
    answer = int.from_bytes(signature[32:], "little")
    if answer >= curve.ORDER:
        return False
    challenge = hashlib.sha512(signature[:32] + public + digest).digest()
    number = int.from_bytes(challenge, "little") % curve.ORDER
    # As the libraries do, the point is computed and its one encoding compared: a nonce that is written in another
    # way or has a small part of another order never passes.
    nonce = curve.add(curve.multiply_base(answer), _multiples_of_negative(public).times(number))
    return curve.encode(nonce) == signature[:32]


@lru_cache(maxsize=16)
def _multiples_of_negative(public: bytes) -> curve.Multiples:
    """Return the table for the negative of a key: a log has many signatures by few keys."""
    return curve.Multiples(curve.negative(curve.decode_checked(public)), 4)
