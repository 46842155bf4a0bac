"""Bytes that only who has a key can read: ChaCha20-Poly1305, and keys made of a passphrase by scrypt.

The libraries are imported where they are used: many commands never open anything.
"""


def seal(key: bytes, nonce: bytes, data: bytes, beside: bytes | None = None) -> bytes:
    """Return bytes sealed under a key of 32 bytes; what stands ``beside`` them is bound to them and not hidden."""
    from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

    return ChaCha20Poly1305(key).encrypt(nonce, data, beside)


def unseal(key: bytes, nonce: bytes, sealed: bytes, beside: bytes | None = None) -> bytes | None:
    """Return what was sealed, or None where the key, the nonce, the bytes or what stands beside them are others."""
    from cryptography.exceptions import InvalidTag
    from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

    try:
        return ChaCha20Poly1305(key).decrypt(nonce, sealed, beside)
    except InvalidTag:
        return None


def harden(passphrase: bytes, salt: bytes, cost: int) -> bytes:
    """Return a key that each guess of the passphrase pays for; ``cost`` is the binary logarithm of scrypt's n."""
    from cryptography.hazmat.primitives.kdf.scrypt import Scrypt

    return Scrypt(salt=salt, length=32, n=1 << cost, r=8, p=1).derive(passphrase)
