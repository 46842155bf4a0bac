"""A secret at rest, which only the player's identity opens (SPEC.md, section "Journal").

The key comes from the identity itself and not from its passphrase: that need not be kept, and may change.  Where the
identity has none, its file lies open beside the box, and the box protects nothing.
"""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING

from protocol.crypto.hashing import derive
from protocol.crypto.keys import PrivateKey
from protocol.record import JournalError

# The library is imported where it is used: many commands never open a box.
if TYPE_CHECKING:
    from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

SECRET_LENGTH = 32
"""The length of what a box holds."""

_SALT, _TAG = 32, 16
LENGTH = _SALT + SECRET_LENGTH + _TAG
"""The length of a box."""

ERASED = bytes(LENGTH)
"""What stands in place of a box whose secret nobody needs any more; as long, so that it overwrites the box."""

# The salt makes a key for one box alone, so nothing is ever encrypted twice under it.
_NONCE = bytes(12)


def lock(secret: bytes, identity: PrivateKey) -> bytes:
    """Return a box with a secret in it.

    Raises:
        ValueError: the secret has not 32 bytes.
    """
    if len(secret) != SECRET_LENGTH:
        raise ValueError(f"expected {SECRET_LENGTH} bytes, got {len(secret)}")
    salt = secrets.token_bytes(_SALT)
    return salt + _cipher(identity, salt).encrypt(_NONCE, secret, None)


def unlock(box: bytes, identity: PrivateKey) -> bytes:
    """Return the secret of a box.

    Raises:
        JournalError: ``erased``, or ``other-key``: it was made by another identity.
    """
    from cryptography.exceptions import InvalidTag

    if box == ERASED:
        raise JournalError("erased", "expected a match that is not finished, got one whose keys are erased")
    try:
        return _cipher(identity, box[:_SALT]).decrypt(_NONCE, box[_SALT:], None)
    except InvalidTag:
        raise JournalError("other-key", "expected the identity that began the match, got another one") from None


def _cipher(identity: PrivateKey, salt: bytes) -> ChaCha20Poly1305:
    from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

    return ChaCha20Poly1305(derive(identity.seed(), "box", salt))
