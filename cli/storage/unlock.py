"""The player's identity, with its passphrase where it is locked."""

import getpass
import sys
from pathlib import Path

from cli.runtime.console import say
from cli.runtime.terminal import is_terminal
from cli.storage.home import Home
from cli.text import people
from cli.text.wording import _
from protocol.crypto.keys import PrivateKey
from protocol.errors import BadKey
from protocol.record import keyfile, keytext
from protocol.system.files import read_file

ATTEMPTS = 3
"""How often a passphrase may be mistyped."""


def identity(home: Home) -> PrivateKey:
    """Return the identity key, made at the first start; a person is asked for the passphrase of a locked one.

    Raises:
        OSError: the file cannot be read or written.
        BadKey: it holds no key, or the passphrase does not open it, or there is nobody to ask.
    """
    home.prepare()
    if not home.key_file.exists():
        return keyfile.load_or_make(home.key_file)
    return load(home.key_file, _("Passphrase of your identity: "))


def load(path: Path, question: str, *, own: bool = True) -> PrivateKey:
    """Return the key in a file, asking for its passphrase only when it is locked.

    Raises:
        OSError: the file cannot be read.
        BadKey: as for :func:`identity`.
    """
    try:
        return keyfile.load(path, own=own)
    except BadKey as error:
        if error.code != "needs_passphrase":
            raise
    if not is_terminal(sys.stdin):
        raise BadKey("needs_passphrase", "a passphrase", "none")
    for attempt in range(ATTEMPTS):
        try:
            return keyfile.load(path, getpass.getpass(question).encode(), own=own)
        except BadKey as error:
            # An empty line is no passphrase at all; both may be mistyped.
            if error.code not in ("wrong_passphrase", "needs_passphrase") or attempt == ATTEMPTS - 1:
                raise
            say(people.wrong_passphrase(ATTEMPTS - 1 - attempt))
    raise AssertionError("unreachable")


def locked(path: Path) -> bool:
    """Say whether a key file wants a passphrase.

    Raises:
        OSError: the file cannot be read.
    """
    return keytext.is_locked(read_file(path, keyfile.LARGEST))
