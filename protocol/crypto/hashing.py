"""How everything is hashed: framed, with a label of its own (SPEC.md, section "Encodings")."""

import hashlib
import hmac
from functools import lru_cache

PREFIX = b"storm-p2p/3"
"""Opens every hash, so that no other protocol's bytes, nor those of another version, mean anything here."""


def _length(data: bytes) -> bytes:
    return len(data).to_bytes(8, "big")


_OPENING = _length(PREFIX) + PREFIX
_LENGTHS = tuple(number.to_bytes(8, "big") for number in range(256))
"""The lengths of most parts."""
_EIGHT = _LENGTHS[8]


@lru_cache(maxsize=64)
def _opened(label: str) -> bytes:
    data = label.encode("ascii")
    return _OPENING + _length(data) + data


def frame(label: str, parts: tuple[bytes | int, ...]) -> bytes:
    """Join a label and parts so that no two different lists give the same bytes; numbers take 8 bytes."""
    joined = _opened(label)
    for part in parts:
        if isinstance(part, int):
            joined += _EIGHT + part.to_bytes(8, "big")
        else:
            length = len(part)
            joined += (_LENGTHS[length] if length < 256 else length.to_bytes(8, "big")) + part
    return joined


def hash_parts(label: str, *parts: bytes | int) -> bytes:
    """Return H(label, parts...): 32 bytes that commit to the label and to each part."""
    return hashlib.sha256(frame(label, parts)).digest()


def fingerprint(certificate: bytes) -> bytes:
    """Return SHA-256 of a certificate in DER, without any framing: what other programs show for it, too."""
    return hashlib.sha256(certificate).digest()


def derive(secret: bytes, label: str, *parts: bytes | int) -> bytes:
    """Return 32 secret bytes for one use, from a secret of 32 bytes: HMAC-SHA256 over the framed parts."""
    return hmac.digest(secret, frame(label, parts), "sha256")


def stretch(secret: bytes, count: int, label: str, *parts: bytes | int) -> bytes:
    """Return any number of secret bytes for one use: SHAKE256 over the framed secret and parts."""
    return hashlib.shake_256(frame(label, (secret, *parts))).digest(count)


def equal_in_constant_time(left: bytes, right: bytes) -> bool:
    """Compare two secrets in a time that does not depend on where they differ."""
    return hmac.compare_digest(left, right)
