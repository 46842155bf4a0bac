"""The identity key as text: open, or locked with a passphrase (SPEC.md, section "Keys").

The open form is PKCS#8.  The locked form is our own, because the library locks PKCS#8 with 2048 rounds of PBKDF2, of
which a guesser tries thousands of passphrases a second on each processor; texts that were locked so are still read.
What a text costs is known before it is paid: it may come from anywhere.
"""

import base64
import binascii
import re
import secrets

from protocol.crypto import sealing
from protocol.crypto.keys import PrivateKey
from protocol.errors import BadKey

VERSION = 1
"""Of the locked form."""

COST = 17
"""The binary logarithm of scrypt's n: 128 MiB and about a third of a second for each passphrase that is tried."""

DEAREST = 18
"""The highest cost that is paid for a text: a quarter of a GiB."""

ROUNDS = 1 << 21
"""The most rounds of PBKDF2 that are made for a text of the old form: about a second."""

_OPEN = b"PRIVATE KEY"
_OLD = b"ENCRYPTED PRIVATE KEY"
_LOCKED = b"STORM-P2P LOCKED KEY"
_FRAME = re.compile(
    rb"-----BEGIN (" + b"|".join((_OPEN, _OLD, _LOCKED)) + rb")-----([A-Za-z0-9+/=\s]*)-----END \1-----"
)
_SALT, _NONCE, _BOX = 16, 12, 32 + 16
_HEAD = 2 + _SALT
_PREFIX = b"storm-p2p key"

# PKCS#8 up to the key itself, and the old form up to its salt and its rounds, in DER.
_ED25519 = bytes.fromhex("302e020100300506032b657004220420")
_PBKDF2 = re.compile(
    rb"\x30\x81.\x30[\x00-\x7f]\x06\x09\x2a\x86\x48\x86\xf7\x0d\x01\x05\x0d\x30[\x00-\x7f]"
    rb"\x30[\x00-\x7f]\x06\x09\x2a\x86\x48\x86\xf7\x0d\x01\x05\x0c\x30[\x00-\x7f]"
    rb"(?:\x04\x08.{8}|\x04\x10.{16})\x02(?:\x01(.)|\x02(..)|\x03(...))",
    re.DOTALL,
)


def dump(key: PrivateKey, passphrase: bytes | None = None) -> bytes:
    """Return a key as text, locked if there is a passphrase."""
    if not passphrase:
        return _framed(_OPEN, _ED25519 + key.seed())
    head = bytes((VERSION, COST)) + secrets.token_bytes(_SALT)
    nonce = secrets.token_bytes(_NONCE)
    return _framed(_LOCKED, head + nonce + sealing.seal(_key(passphrase, head), nonce, key.seed(), _PREFIX + head))


def load(data: bytes, passphrase: bytes | None = None) -> PrivateKey:
    """Read :func:`dump`'s text, or one of the old form.

    Raises:
        BadKey: ``needs_passphrase``, ``wrong_passphrase``, ``key_file_newer`` or ``bad_key_file``.
    """
    name, body = _read(data)
    if name == _OPEN:
        if not body.startswith(_ED25519) or len(body) != len(_ED25519) + 32:
            raise BadKey("bad_key_file", "an Ed25519 key", "another")
        return PrivateKey(body[len(_ED25519) :])
    if name == _LOCKED:
        _check(body)
    elif not 0 < _rounds(body) <= ROUNDS:
        raise BadKey("bad_key_file", f"at most {ROUNDS} rounds of PBKDF2", "another lock")
    if not passphrase:
        raise BadKey("needs_passphrase", "a passphrase", "none")
    if name == _OLD:
        return _unlock_old(body, passphrase)
    head, nonce, box = body[:_HEAD], body[_HEAD : _HEAD + _NONCE], body[_HEAD + _NONCE :]
    seed = sealing.unseal(_key(passphrase, head), nonce, box, _PREFIX + head)
    if seed is None:
        raise BadKey("wrong_passphrase", "the key's passphrase", "another one")
    return PrivateKey(seed)


def is_locked(data: bytes) -> bool:
    """Return whether a text is that of a key that wants a passphrase."""
    found = _FRAME.search(data)
    return found is not None and found[1] != _OPEN


def is_weak(data: bytes) -> bool:
    """Return whether a text that was opened is locked less well than :func:`dump` locks now."""
    name, body = _read(data)
    return name == _OLD or (name == _LOCKED and body[1] < COST)


def _framed(name: bytes, body: bytes) -> bytes:
    text = base64.b64encode(body)
    lines = [text[at : at + 64] for at in range(0, len(text), 64)]
    return b"\n".join((b"-----BEGIN " + name + b"-----", *lines, b"-----END " + name + b"-----", b""))


def _read(data: bytes) -> tuple[bytes, bytes]:
    """Return what a text is called and what it holds.

    Raises:
        BadKey: ``bad_key_file``.
    """
    found = _FRAME.search(data)
    if found is None:
        raise BadKey("bad_key_file", "the text of a key", "something else")
    try:
        return found[1], base64.b64decode(b"".join(found[2].split()), validate=True)
    except binascii.Error:
        raise BadKey("bad_key_file", "base64", "something else") from None


def _check(body: bytes) -> None:
    """Check what a locked text says of itself, before it costs anything.

    Raises:
        BadKey: ``key_file_newer`` or ``bad_key_file``.
    """
    if body[:1] > bytes((VERSION,)):
        raise BadKey("key_file_newer", f"version {VERSION}", f"version {body[0]}")
    if len(body) != _HEAD + _NONCE + _BOX or body[0] != VERSION or not 1 <= body[1] <= DEAREST:
        raise BadKey("bad_key_file", f"{_HEAD + _NONCE + _BOX} bytes of cost {DEAREST} at most", "others")


def _rounds(body: bytes) -> int:
    """Return the rounds of the old form; 0 for what is locked in another way."""
    found = _PBKDF2.match(body)
    return 0 if found is None else int.from_bytes(next(filter(None, found.groups())), "big")


def _key(passphrase: bytes, head: bytes) -> bytes:
    return sealing.harden(passphrase, head[2:], head[1])


def _unlock_old(body: bytes, passphrase: bytes) -> PrivateKey:
    from cryptography.hazmat.primitives import serialization
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    try:
        key = serialization.load_der_private_key(body, passphrase)
    except ValueError:
        raise BadKey("wrong_passphrase", "the key's passphrase", "another one") from None
    except Exception as error:
        raise BadKey("bad_key_file", "an Ed25519 key in PKCS#8", type(error).__name__) from None
    if not isinstance(key, Ed25519PrivateKey):
        raise BadKey("bad_key_file", "an Ed25519 key", type(key).__name__)
    return PrivateKey(key.private_bytes_raw())
