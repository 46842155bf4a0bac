"""The identity key in a file that is readable by its owner alone (SPEC.md, section "Keys").

This module touches the machine; :mod:`protocol.crypto.keys` does not.
"""

from __future__ import annotations

import os
import secrets
import stat
from contextlib import suppress
from pathlib import Path

from protocol.crypto.keys import PrivateKey
from protocol.errors import BadKey
from protocol.record import keytext
from protocol.record.files import write_file

LARGEST = 4096
"""How many bytes a key file may have."""


def load(path: Path, passphrase: bytes | None = None, *, own: bool = True) -> PrivateKey:
    """Read the key of a file; one that was locked less well than is done now is locked anew.

    Args:
        path: the file.
        passphrase: what opens it, if it is locked.
        own: the file is where the key stays, so that nobody else may be able to read it.

    Raises:
        OSError: the file cannot be read.
        BadKey: it holds no such key, or the passphrase is missing or wrong, or others may read it.
    """
    with path.open("rb") as file:
        mode = os.fstat(file.fileno()).st_mode
        # Windows has no such bits; there the user's folder is what protects the file.
        if own and os.name == "posix" and mode & (stat.S_IRWXG | stat.S_IRWXO):
            raise BadKey("key_file_open", "a key file of mode 0600", f"{stat.S_IMODE(mode):04o}")
        data = file.read(LARGEST + 1)
    if len(data) > LARGEST:
        raise BadKey("bad_key_file", f"at most {LARGEST} bytes", "more")
    key = keytext.load(data, passphrase)
    if own and mode & stat.S_IWUSR and keytext.is_weak(data):
        # Whoever cannot write there, or has no room, has a key all the same.
        with suppress(OSError):
            save(path, key, passphrase)
    return key


def save(path: Path, key: PrivateKey, passphrase: bytes | None = None) -> None:
    """Write a key durably to a file that only its owner can read, in place of the old one or not at all.

    Raises:
        OSError: the file cannot be written.
    """
    write_file(path, keytext.dump(key, passphrase), private=True)


def load_or_make(path: Path, passphrase: bytes | None = None) -> PrivateKey:
    """Return the key of the file, making both on the first start.

    Raises:
        OSError: the file cannot be read or written.
        BadKey: see :func:`load`.
    """
    try:
        return load(path, passphrase)
    except FileNotFoundError:
        key = PrivateKey(secrets.token_bytes(32))
        save(path, key, passphrase)
        return key
