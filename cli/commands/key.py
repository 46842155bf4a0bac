"""``storm-p2p key``: show the identity key, write a copy, or lock it with a passphrase."""

from __future__ import annotations

import getpass
from argparse import Namespace
from pathlib import Path

from cli.console import Exit, result, say
from cli.home import Home
from protocol import keyfile
from protocol.errors import BadKey


def main(options: Namespace) -> Exit:
    """Run the command."""
    home = Home(Path(options.home))
    try:
        key = home.identity(_passphrase(home))
        if options.what == "show":
            result(key.public.hex())
        elif options.what == "export":
            if options.file is None:
                say("Expected a file to export to: storm-p2p key export FILE")
                return Exit.USAGE
            target = Path(options.file)
            if target.exists():
                say(f"{target} is there already; nothing was written.")
                return Exit.USAGE
            keyfile.save(target, key, _new_passphrase())
            say(f"The identity is written to {target}. Whoever holds it can sign as you.")
        else:
            keyfile.save(home.key_file, key, _new_passphrase())
            say("The passphrase is changed.")
    except BadKey as error:
        say(f"The key cannot be used: {error}.")
        return Exit.NO
    except OSError as error:
        say(f"{error.filename or 'The key file'} cannot be used ({error.strerror}).")
        return Exit.USAGE
    except (KeyboardInterrupt, EOFError):
        return Exit.INTERRUPTED
    return Exit.FINE


def _passphrase(home: Home) -> bytes | None:
    """Return the passphrase, asked for only when the key file is locked."""
    if not home.key_file.exists() or b"ENCRYPTED" not in home.key_file.read_bytes()[:100]:
        return None
    return getpass.getpass("Passphrase of your identity: ").encode()


def _new_passphrase() -> bytes | None:
    first = getpass.getpass("New passphrase (empty for none): ")
    if first and getpass.getpass("Once more: ") != first:
        raise BadKey("passphrase", "the same passphrase twice", "two")
    return first.encode() or None
