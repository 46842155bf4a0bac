"""The address book: which key belongs to which name, learnt at the first match (SPEC.md, section "People").

A name is only what somebody calls himself; the key is who he is.  So a name that is known comes with its keys, and
another key under that name, or under one that looks like it, is refused until the player has said that he trusts it.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TypeVar

from cli.storage import home
from cli.storage.home import Home
from cli.storage.skeleton import look_alike, mixes_scripts, shown
from protocol.core import wire
from protocol.errors import WireError
from protocol.record.files import change_file
from protocol.system.files import read_file

FORMAT = 1
"""The version of the file."""
MOST_REFUSED = 20
"""How many names are remembered under which nobody is trusted."""


class BadBook(Exception):
    """The file is not an address book; it was left as it is."""


@dataclass(frozen=True, slots=True)
class Person:
    """One name and the keys that belong to it."""

    name: str
    keys: tuple[bytes, ...]
    """The identity keys that are trusted under this name, oldest first; none if all that came was refused."""
    since: str
    """The day on which the name was met first, as YYYY-MM-DD."""
    refused: bytes | None = None
    """The key that was refused last."""

    def is_called(self, name: str) -> bool:
        """Return whether this is his name; those that are shown alike are one name, in small and capital letters."""
        return shown(self.name) == shown(name)

    def value(self) -> dict[str, Any]:
        """Return what the file, and programs, read of somebody."""
        refused = None if self.refused is None else self.refused.hex()
        return {"name": self.name, "keys": [key.hex() for key in self.keys], "since": self.since, "refused": refused}


@dataclass(frozen=True, slots=True)
class People:
    """Everybody whom this player has met."""

    persons: tuple[Person, ...] = ()

    def find(self, name: str) -> Person | None:
        """Return who has a name."""
        return next((one for one in self.persons if one.is_called(name)), None)

    def refusing(self, name: str, key: bytes) -> Person | None:
        """Return who is known by this name, or by one that looks like it, and has other keys alone; None for nobody.

        A name in mixed scripts may look like anybody's: a new key under it stands for a person without keys.
        """
        person = self.find(name)
        if person is not None and person.keys:
            return None if key in person.keys else person
        alike = [one for one in self.persons if one.keys and look_alike(one.name, name)]
        if not alike:
            return Person(name, (), "") if mixes_scripts(name) and not self.named(key) else None
        return None if any(key in one.keys for one in alike) else alike[0]

    def named(self, key: bytes) -> tuple[str, ...]:
        """Return the names under which a key is known."""
        return tuple(one.name for one in self.persons if key in one.keys)

    def players(self) -> list[list[Person]]:
        """Return the persons by player: the names of one key together, the latest first."""
        groups = join_alike(self.persons, lambda one: (one.name, *one.keys))
        # Of two names of one day the later is the latest.
        return [sorted(group, key=lambda one: one.since)[::-1] for group in groups]

    def learn(self, name: str, key: bytes, day: str) -> People:
        """Return the book with a name that was met for the first time; one that is known stays as it is."""
        person = self.find(name)
        if person is None:
            return People((*self.persons, Person(name, (key,), day)))
        return self if person.keys else self.trust(name, key)

    def refuse(self, name: str, key: bytes, day: str) -> People:
        """Return the book that remembers a key that did not fit, so that it can be trusted by name."""
        if self.find(name) is None:
            # It looks like a known name and is none: whoever trusts the key does not trust it under the other name.
            # One guest who calls with ever other such names must not fill the book, so the oldest make room.
            strangers = [one for one in self.persons if not one.keys]
            forgotten = strangers[: max(0, len(strangers) + 1 - MOST_REFUSED)]
            return People((*(one for one in self.persons if one not in forgotten), Person(name, (), day, key)))
        return self._change(name, lambda person: replace(person, refused=key))

    def trust(self, name: str, key: bytes) -> People:
        """Return the book in which a key belongs to a name as well.

        Raises:
            KeyError: there is nobody of that name.
        """
        if self.find(name) is None:
            raise KeyError(name)
        return self._change(
            name, lambda person: replace(person, keys=tuple(dict.fromkeys((*person.keys, key))), refused=None)
        )

    def forget(self, name: str) -> People:
        """Return the book without a name.

        Raises:
            KeyError: there is nobody of that name.
        """
        person = self.find(name)
        if person is None:
            raise KeyError(name)
        return People(tuple(one for one in self.persons if one is not person))

    def _change(self, name: str, change: Any) -> People:
        person = self.find(name)
        return People(tuple(change(one) if one is person else one for one in self.persons))


T = TypeVar("T")


def join_alike(items: Iterable[T], tags: Callable[[T], Iterable[Hashable]]) -> list[list[T]]:
    """Return items in groups, in their order: those with a tag in common are in one, and so are those between them."""
    above: dict[Hashable, Hashable] = {}

    def top(tag: Hashable) -> Hashable:
        while above.setdefault(tag, tag) != tag:
            tag = above[tag]
        return tag

    tagged = [(item, list(tags(item))) for item in items]
    for _, found in tagged:
        for tag in found[1:]:
            above[top(tag)] = top(found[0])
    groups: dict[Hashable, list[T]] = {}
    for item, found in tagged:
        groups.setdefault(top(found[0]), []).append(item)
    return list(groups.values())


# -- the file -----------------------------------------------------------------------------------------------


def load(path: Path) -> People:
    """Read the book; a file that is not there is an empty one.

    Raises:
        BadBook: it is something else.
        OSError: it cannot be read.
    """
    try:
        return _read(read_file(path), path)
    except FileNotFoundError:
        return People()


def _read(data: bytes, path: Path) -> People:
    try:
        value = home.parse_value(data)
        if type(value) is not dict or value.get("version") != FORMAT:
            raise ValueError("another version")
        return People(tuple(_person(one) for one in value["people"]))
    except (ValueError, KeyError, TypeError, WireError) as error:
        raise BadBook(f"{path.name} is no address book of this program") from error


def _person(value: dict[str, Any]) -> Person:
    name, since, refused = value["name"], value["since"], value["refused"]
    wire.text(wire.NAME_LIMIT)(name)
    wire.word(10)(since)
    return Person(name, tuple(_key(key) for key in value["keys"]), since, None if refused is None else _key(refused))


def _key(text: str) -> bytes:
    key = bytes.fromhex(text)
    wire.octets(32)(key)
    return key


def change(path: Path, how: Callable[[People], People]) -> tuple[People, People]:
    """Change the book while no other program does, and return it as it was and as it is.

    Raises:
        BadBook: the file is something else.
        OSError: it cannot be read or written.
        KeyError: as ``how`` does.
    """
    found: list[People] = []

    def write(data: bytes | None) -> bytes | None:
        before = People() if data is None else _read(data, path)
        found[:] = before, how(before)
        value = {"version": FORMAT, "people": [one.value() for one in found[1].persons]}
        return None if found[1] is before else home.dump_value(value)

    change_file(path, write)
    before, after = found
    return before, after


@dataclass(frozen=True, slots=True)
class Book:
    """The address book of one player on the disk."""

    path: Path
    day: str
    """Today, as YYYY-MM-DD."""

    @staticmethod
    def of(home: Home) -> Book:
        """Return the book of a player's folder, with today's day."""
        return Book(home.people_file, datetime.now(UTC).strftime("%Y-%m-%d"))

    def refuses(self, name: str, key: bytes) -> Person | None:
        """Return whom this name, or one that looks like it, stands for if the key is not his, and remember the key.

        Raises:
            BadBook: the file cannot be understood.
            OSError: it cannot be read or written.
        """

        def refuse(people: People) -> People:
            return people if people.refusing(name, key) is None else people.refuse(name, key, self.day)

        return change(self.path, refuse)[0].refusing(name, key)

    def met(self, name: str, key: bytes) -> tuple[bool, tuple[str, ...]]:
        """Remember somebody with whom a match has begun; return whether he is new, and the other names of his key.

        Raises:
            BadBook: the file cannot be understood.
            OSError: it cannot be read or written.
        """
        before, people = change(self.path, lambda people: people.learn(name, key, self.day))
        others = tuple(other for other in people.named(key) if other.casefold() != name.casefold())
        return people is not before, others
