"""``storm-p2p key``: show the identity key, move it to another machine, or lock it with a passphrase."""

import getpass
import sys
from argparse import Namespace
from pathlib import Path

from cli.clean import clean
from cli.runtime.console import Exit, UsageError, read_line, result, say
from cli.runtime.terminal import is_terminal
from cli.storage import unlock
from cli.storage.home import Home
from cli.text import commands, people
from cli.text.wording import _, fill
from protocol.crypto.keys import PrivateKey
from protocol.errors import BadKey
from protocol.record import keyfile, keytext
from protocol.record.journal import list_matches


def main(home: Home, options: Namespace) -> Exit:
    """Run the command."""
    try:
        match options.what:
            case "show":
                result(unlock.identity(home).public.hex())
                return Exit.FINE
            case "export":
                return _export(home, options.file)
            case "import":
                return _import(home, options.file)
            case "passphrase":
                if not home.key_file.exists():
                    unlock.identity(home)
                seen, key = _own(home)
                passphrase = _new_passphrase()
                if passphrase is None:
                    raise UsageError(str(commands.NO_LINE))
                keyfile.exchange(home.key_file, seen, key, passphrase or None)
                say(str(commands.KEY_RELOCKED))
                if passphrase:
                    _forget_setups(home)
                return Exit.FINE
            case what:
                raise UsageError(*commands.commands("key", what))
    except BadKey as error:
        say(people.key_problem(error))
        return Exit.NO


def _export(home: Home, file: str | None) -> Exit:
    """Write a copy of the identity to a file; to the standard output where no file is named and nobody looks on."""
    if file is None and is_terminal(sys.stdout):
        raise UsageError(*commands.commands("key", None))
    target = None if file is None else Path(file)
    if target is not None and target.exists():
        raise UsageError(commands.there_already(str(target)))
    key = unlock.identity(home)
    # Where nobody can be asked the copy is as open as the key that it is made of.
    passphrase = _new_passphrase() or None
    if target is None:
        result(keytext.dump(key, passphrase).decode("ascii").rstrip("\n"))
        say(people.exported(_("standard output")))
    else:
        keyfile.save(target, key, passphrase)
        say(people.exported(str(target)))
    return Exit.FINE


def _import(home: Home, file: str | None) -> Exit:
    """Take the identity of a file; the one that was here is put aside and never deleted."""
    # Only an import asks for matches, which takes long to load.
    from cli.match import stored

    if file is None:
        raise UsageError(*commands.commands("key", None))
    source = Path(file)
    # A file that came on a stick or by mail has whatever mode that gave it.
    try:
        key = unlock.load(source, fill("Passphrase of {file}: ", file=clean(source.name)), own=False)
    except BadKey as error:
        say(people.file_problem(error, source.name))
        return Exit.NO
    home.prepare()
    aside, seen = None, None
    if home.key_file.exists():
        seen, before = _own(home)
        if before.public == key.public:
            say(people.same_key(key.public))
            return Exit.FINE
        # One that a program plays is not finished either; one that is damaged goes on under no identity.
        listed = list_matches(home.matches)
        if open_matches := len(stored.playing(listed)) + len(stored.open_elsewhere(listed)):
            say(people.unfinished(open_matches))
            return Exit.NO
        aside = home.key_file.with_name(f"identity-{before.public.hex()[:16]}.key")
    # How the file was locked does not matter here: the passphrase of this machine is asked for anew.
    locked = unlock.locked(source)
    passphrase = (_new_passphrase() or None) if locked else None
    keyfile.exchange(home.key_file, seen, key, passphrase, aside)
    say(people.imported(key.public, None if aside is None else str(aside)))
    if passphrase:
        _forget_setups(home)
    return Exit.FINE


def _forget_setups(home: Home) -> None:
    """Forget what tells where units stand and was kept unasked: from now on a passphrase locks that.

    Raises:
        OSError: a file cannot be written.
    """
    # Few commands lock a key.
    from cli.app import games
    from cli.console import screen_state
    from cli.console.seats import NOTES
    from cli.text import screens

    for name in games.NAMES:
        games.find(name).console.forget_setup(home.folder, str(screens.LAST_SETUP))
    for notes in home.matches.glob(f"*{NOTES}"):
        screen_state.forget_setup(notes)


def _own(home: Home) -> tuple[bytes, PrivateKey]:
    """Return the file of the identity as it was before anybody was asked for its passphrase, and the key in it."""
    seen, key = keyfile.read(home.key_file), unlock.identity(home)
    # One that was locked less well has just been locked anew, by this very program.
    return keyfile.read(home.key_file) if keytext.is_weak(seen) else seen, key


def _new_passphrase() -> bytes | None:
    """Return a new passphrase, empty for none; without a terminal the first line of the input, None if there is none.

    Raises:
        BadKey: the person has typed two different ones.
    """
    if not is_terminal(sys.stdin):
        line = read_line()
        return line.rstrip("\r\n").encode() if line else None
    first = getpass.getpass(_("New passphrase (empty for none): "))
    if first and getpass.getpass(_("Once more: ")) != first:
        raise BadKey("passphrase", "the same passphrase twice", "two")
    return first.encode()
