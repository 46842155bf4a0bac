"""The identity key in a file that is readable by its owner alone (SPEC.md, section "Keys").

This module touches the machine; :mod:`protocol.crypto.keys` does not.
"""

import errno
import os
import secrets
import stat
from contextlib import suppress
from pathlib import Path

from protocol.crypto.keys import PrivateKey
from protocol.errors import BadKey
from protocol.record import keytext
from protocol.record.files import change_file, write_file
from protocol.system.files import read_file

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
    mode = path.stat().st_mode
    # Windows has no such bits; there the user's folder is what protects the file.
    if own and os.name == "posix" and mode & (stat.S_IRWXG | stat.S_IRWXO):
        raise BadKey("key_file_open", "a key file of mode 0600", f"{stat.S_IMODE(mode):04o}")
    data = read(path)
    key = keytext.load(data, passphrase)
    if own and mode & stat.S_IWUSR and keytext.is_weak(data):
        # Whoever cannot write there, or has no room, has a key all the same; and another key stays.
        with suppress(OSError, BadKey):
            exchange(path, data, key, passphrase)
    return key


def read(path: Path) -> bytes:
    """Return the bytes of a key file.

    Raises:
        OSError: the file cannot be read.
        BadKey: it is too long to be one, or no file.
    """
    try:
        return read_file(path, LARGEST)
    except OSError as error:
        if error.errno not in (errno.EFBIG, errno.EINVAL):
            raise
        raise BadKey("bad_key_file", f"a file of at most {LARGEST} bytes", "another") from error


def save(path: Path, key: PrivateKey, passphrase: bytes | None = None) -> None:
    """Write a key durably to a file that only its owner can read, in place of the old one or not at all.

    Raises:
        OSError: the file cannot be written.
    """
    write_file(path, keytext.dump(key, passphrase), private=True)


def exchange(
    path: Path, seen: bytes | None, key: PrivateKey, passphrase: bytes | None = None, aside: Path | None = None
) -> None:
    """Put a key in place of what :func:`read` has returned, None for no file; there is a whole key at every moment.

    Args:
        path: the file.
        seen: what is in it, as far as its owner knows.
        key: what will be in it.
        passphrase: what locks it.
        aside: where a copy of what was in it stays.

    Raises:
        OSError: a file cannot be read or written.
        BadKey: ``key_file_changed``: there is something else in it by now, and it stays.
    """
    data = keytext.dump(key, passphrase)

    def put(now: bytes | None) -> bytes:
        if now != seen:
            raise BadKey("key_file_changed", "the key file as it was read", "another one")
        if aside is not None and now is not None:
            write_file(aside, now, private=True)
        return data

    change_file(path, put)


def load_or_make(path: Path, passphrase: bytes | None = None) -> PrivateKey:
    """Return the key of the file, making both on the first start; programs that start together get one key.

    Raises:
        OSError: the file cannot be read or written.
        BadKey: see :func:`load`.
    """
    try:
        return load(path, passphrase)
    except FileNotFoundError:
        fresh = keytext.dump(PrivateKey(secrets.token_bytes(32)), passphrase)
        change_file(path, lambda now: fresh if now is None else None)
        return load(path, passphrase)
