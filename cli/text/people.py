"""Words about names and keys: the address book, the identity key and its passphrase."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from cli.clean import clean
from cli.text import wording
from cli.text.wording import Sentence, _, fill, lazy
from protocol.errors import BadKey

if TYPE_CHECKING:
    from cli.storage.people import Person

_HARMLESS: Final = re.compile(r"\w[\w .-]*")
"""Names that mean nothing but themselves between double quotes, in the shells of all systems."""

first = Sentence[str, bytes]("This is your first match with {name}, key {key}; the key is remembered.")
not_remembered = Sentence[str, str]("The match has begun, but {name} could not be added to the address book ({why}).")
alias = Sentence[str, Sequence[str]]("{name} has the key of {others}: it is the same player.")
unknown = Sentence[str]("There is nobody called {name} in the address book; storm-p2p people shows who is.")
trusted = Sentence[bytes, str]("The key {key} is trusted for the name {name} from now on, along with any earlier ones.")
forgotten = Sentence[str]("{name} is forgotten; the next player with that name counts as new.")
exported = Sentence[str](
    "Your identity was written to {target}. On the other machine, run: storm-p2p key import FILE. Anyone who has the "
    "file can sign as you, so delete it afterwards. Unfinished matches stay on this machine."
)
same_key = Sentence[bytes]("The identity {key} is already here; nothing was changed.")


def changed(name: str, known: Person, key: bytes) -> str:
    """Return the warning about a known name, or one that looks like it, that comes with another key.

    ``known`` without keys stands for a name in mixed scripts, which may look like any.
    """
    who, book = clean(name), clean(known.name)
    pairs = zip(who, book, strict=False)
    letters = [one for one, other in pairs if one.casefold() != other.casefold()] or who
    facts = {
        "who": who,
        "known": book,
        "before": wording.listed(wording.fingerprint(one) for one in known.keys),
        "key": wording.fingerprint(key),
        "quoted": _quoted(who),
        "letters": wording.listed(unicodedata.name(one, ascii(one)) for one in dict.fromkeys(letters)),
    }
    if not known.keys:
        return fill(
            "STOP: the name {who} mixes letters or digits of several scripts (such as Latin and Cyrillic), so it may "
            "only look like a name that you know. Its key is {key}. Nothing was played. Ask the person you expect by "
            "some other means, for example by voice, for their key, which storm-p2p key show prints. If it is this "
            "one, run storm-p2p people trust {quoted} and begin again.",
            **facts,
        )
    if not known.is_called(name):
        return fill(
            "STOP: you know somebody called {known} by the key {before}. The name {who} only looks the same: it is "
            "written with {letters}, and has the key {key}. This is another person, or somebody pretending to be "
            "{known}. Nothing was played. Ask {known} by some other means, for example by voice, whether it is really "
            "them. If you want to play with {who} anyway, run storm-p2p people trust {quoted} and begin again.",
            **facts,
        )
    return fill(
        "STOP: you know somebody called {who} by the key {before}, but this {who} has the key {key}. This is another "
        "person with that name, {who} on a new computer, or somebody pretending to be {who}. Nothing was played. Ask "
        "{who} by some other means, for example by voice, for their key, which storm-p2p key show prints; if it is "
        "this one, run storm-p2p people trust {quoted} and begin again.",
        **facts,
    )


since = Sentence[str]("since {day}")


def listed(persons: Sequence[Person], score: str = "") -> list[str]:
    """Return what the book holds of a player under all names, with the score against them if anything was played."""
    latest, *earlier = persons
    name = wording.also_called(latest.name, [one.name for one in earlier])
    lines = [fill("{name}, since {day}", name=name, day=min(one.since for one in persons))]
    if score:
        lines.append(f"  {score}")
    lines += [f"  {key.hex()}" for key in dict.fromkeys(key for one in persons for key in one.keys)]
    for one in persons:
        if one.refused is not None:
            lines.append(fill("  refused: {key}", key=one.refused.hex()))
    return lines


def nothing_refused(name: str) -> str:
    """Return what is said when there is no refused key to trust."""
    who = clean(name)
    command = f"storm-p2p people trust {_quoted(who)} KEY"
    sentence = lazy("No key of {who} was refused; give the key as 64 hexadecimal digits: {command}")
    return fill(sentence, who=who, command=command)


NOBODY: Final = lazy(
    "The address book is empty. Every person you play over a connection is added to it; the computer players of this "
    "machine are not."
)

_KEY: Final = lazy(
    {
        "needs_passphrase": "Your identity is locked with a passphrase, and there is no terminal to ask for it."
        " Start the program in a terminal, or unlock the key with storm-p2p key passphrase.",
        "wrong_passphrase": "That is not the passphrase for your identity. Nothing was changed. Try again; nobody can use "
        "this key without it. To start with a new key, choose another folder with --home.",
        "passphrase": "The two passphrases differ. Nothing was changed.",
        "key_file_open": "Others on this machine can read the key file ({got}, expected mode 0600): make it yours alone"
        " with chmod 600, and think about who may have read it.",
        "bad_key_file": "The file holds no storm-p2p identity. Nothing was changed.",
        "key_file_changed": "Another program changed your identity in the meantime. That change stands, and this command "
        "changed nothing. Run it again.",
        "key_file_newer": "The key file was written by a newer storm-p2p ({got}). Nothing was changed. Update this one.",
    }
)
_FILE: Final = lazy(
    {
        "needs_passphrase": "{file} is locked with a passphrase, and there is no terminal to ask for it. Nothing was"
        " changed. Run storm-p2p key import in a terminal.",
        "wrong_passphrase": "This passphrase does not open {file}. Nothing was changed. You need the passphrase that was "
        "typed when the file was written, not this machine's: run the command again, or write the file again with "
        "storm-p2p key export on the machine it comes from.",
        "bad_key_file": "{file} holds no storm-p2p identity. Nothing was changed. Write the file with storm-p2p key export "
        "on the machine it comes from.",
    }
)


def key_problem(error: BadKey) -> str:
    """Return why an identity key cannot be used, and what to do."""
    words = _KEY.get(error.code)
    if words is None:
        return fill("The key cannot be used: {error}.", error=error)
    return fill(words, got=clean(error.got))


def file_problem(error: BadKey, file: str) -> str:
    """Return why no identity can be taken from a file, and what to do."""
    words = _FILE.get(error.code)
    return key_problem(error) if words is None else fill(words, file=clean(file), got=clean(error.got))


wrong_passphrase = Sentence[int](
    "That is not the passphrase. One more try.", "That is not the passphrase. {number} more tries."
)


def imported(key: bytes, aside: str | None) -> str:
    """Return what is said when an identity was taken from a file."""
    said = fill("You are {key} on this machine now.", key=wording.fingerprint(key))
    if aside is None:
        return said
    return f"{said} {fill('The identity that was here before is kept as {name}.', name=clean(aside))}"


unfinished = Sentence[int](
    "This machine's identity has an unfinished match, and only that identity can continue it. Finish it first, or use "
    "another folder with --home. Nothing was changed.",
    "This machine's identity has {number} unfinished matches, and only that identity can continue them. Finish them "
    "first, or use another folder with --home. Nothing was changed.",
)


def _quoted(name: str) -> str:
    """Return a name as it is typed in a command; a placeholder where a shell could read more than a name in it.

    The other side has chosen the name, and the person copies the command.
    """
    if name.isalnum():
        return name
    return f'"{name}"' if _HARMLESS.fullmatch(name) else _("NAME")
