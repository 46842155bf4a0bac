"""Ed25519 keys: the only place that signs and verifies (SPEC.md, "Keys" and "Secrets").

What is *not* here: texts and files, which are :mod:`protocol.record.keytext` and :mod:`protocol.record.keyfile`,
and randomness, which comes in as 32 bytes.

A public key is 32 bytes everywhere else.  Before its first use it must turn out to be the canonical
encoding of a point of prime order: OpenSSL accepts the point of order 1 as a public key, and under that
key every message verifies.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache, lru_cache
from types import ModuleType

from protocol.crypto.hashing import derive, hash_parts
from protocol.errors import BadCommitment, BadKey, BadSignature, LocalProtocolError


# The libraries are imported where they are used: who only checks signatures hardly ever needs OpenSSL, and who judges
# logs with the second implementation needs neither.
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
        """Sign a value of :func:`protocol.crypto.hashing.hash_parts`."""
        return self._key.sign(digest)


@dataclass(frozen=True, slots=True)
class Secrets:
    """Everything secret in one match, from 32 bytes of entropy that never leave this machine.

    The match key does not come from the seed: the seed is opened for the audit, and whoever knew it could
    then sign as its owner.
    """

    seed: bytes = field(repr=False)
    match_key: PrivateKey
    nonce: bytes = field(repr=False)
    coin: bytes = field(repr=False)

    @staticmethod
    def of(entropy: bytes) -> Secrets:
        """Derive the secrets of a match.

        Raises:
            LocalProtocolError: the entropy is not 32 bytes.
        """
        if len(entropy) != 32:
            raise LocalProtocolError("bad_entropy", "32 bytes of entropy", f"{len(entropy)} bytes")
        return Secrets(
            derive(entropy, "root-seed"),
            PrivateKey(derive(entropy, "root-key")),
            derive(entropy, "root-nonce"),
            derive(entropy, "root-coin"),
        )


def sign(key: PrivateKey, label: str, data: bytes) -> bytes:
    """Return the 64-byte signature over H(label, data)."""
    return key.sign_digest(hash_parts(label, data))


def verify(public: bytes, label: str, data: bytes, signature: bytes) -> None:
    """Check a signature over H(label, data).

    Raises:
        BadKey: the public key must not be used.
        BadSignature: the signature is not this key's over these bytes.
    """
    verify_digest(public, hash_parts(label, data), signature)


def verify_digest(public: bytes, digest: bytes, signature: bytes) -> None:
    """Check a signature over a value of :func:`protocol.crypto.hashing.hash_parts`; see :func:`verify`.

    OpenSSL decides; libsodium, which takes half the time, is asked first, and what it takes OpenSSL would take, too.

    Raises:
        BadKey: the public key must not be used.
        BadSignature: the signature is not this key's over these bytes.
    """
    check_public(public)
    if not _group().accepts(public, digest, signature) and not _is_valid(public, digest, signature):
        raise BadSignature("bad_signature", f"a signature by {public.hex()[:16]}", "another one")


@cache
def _group() -> ModuleType:
    # Asked for once: an import is looked up again for each signature.
    from protocol.crypto import group

    return group


def _is_valid(public: bytes, digest: bytes, signature: bytes) -> bool:
    """Say whether OpenSSL takes a signature by a key that has passed :func:`check_public`."""
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    try:
        Ed25519PublicKey.from_public_bytes(public).verify(signature, digest)
    except InvalidSignature:
        return False
    return True


@lru_cache(maxsize=256)
def check_public(public: bytes) -> None:
    """Check that 32 bytes are the canonical encoding of a point of prime order.

    Raises:
        BadKey: ``key_point``.
        LocalProtocolError: the library that checks is too old or does not work.
    """
    _group().require()
    try:
        _group().check_point(public)
    except BadCommitment as error:
        raise BadKey("key_point", error.expected, error.got) from None


def identity_hash(public: bytes) -> bytes:
    """Return the 16 bytes by which an invite names an identity key: half a hash (SPEC.md, "Invite")."""
    return hash_parts("identity", public)[:16]
