"""A secret at rest, which only the player's identity opens (SPEC.md, section "Journal").

The key comes from the identity itself and not from its passphrase: that need not be kept, and may change.  Where the
identity has none, its file lies open beside the box, and the box protects nothing.
"""

import secrets

from protocol.crypto import sealing
from protocol.crypto.hashing import derive
from protocol.crypto.keys import PrivateKey
from protocol.record import JournalError

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
    return salt + sealing.seal(_key(identity, salt), _NONCE, secret)


def unlock(box: bytes, identity: PrivateKey) -> bytes:
    """Return the secret of a box.

    Raises:
        JournalError: ``erased``, or ``other-key``: it was made by another identity.
    """
    if box == ERASED:
        raise JournalError("erased", "expected a match that is not finished, got one whose keys are erased")
    secret = sealing.unseal(_key(identity, box[:_SALT]), _NONCE, box[_SALT:])
    if secret is None:
        raise JournalError("other-key", "expected the identity that began the match, got another one")
    return secret


def _key(identity: PrivateKey, salt: bytes) -> bytes:
    return derive(identity.seed(), "box", salt)
