"""The hash and the derivation of secrets (SPEC.md, section "Encodings")."""

import hashlib
import hmac


def _framed(label: str, parts: tuple[bytes | int, ...]) -> bytes:
    plain = [part.to_bytes(8, "big") if isinstance(part, int) else part for part in parts]
    return b"".join(len(one).to_bytes(8, "big") + one for one in (b"storm-p2p/3", label.encode("ascii"), *plain))


def hash_parts(label: str, *parts: bytes | int) -> bytes:
    """Return H(label, parts); a number, 0 or more, stands for its 8 bytes."""
    return hashlib.sha256(_framed(label, parts)).digest()


def derive(secret: bytes, label: str, *parts: bytes | int) -> bytes:
    """Return D(secret, label, parts)."""
    return hmac.digest(secret, _framed(label, parts), "sha256")
