"""The address book: which key belongs to which name, learnt at the first match (SPEC.md, section "People").

A name is only what people call themselves; the key is who they are.  So a name that is known comes with its keys, and
another key under that name, or under one that looks like it, is refused until the player has said that they trust it.

What a name looks like is the same for names that a person cannot tell apart.  The methods are those of Unicode
Technical Standard 39: the skeleton of section 4, with the pairs of its data file ``confusables.txt`` in which a letter
of the European scripts, of Armenian, Cherokee or Lisu stands for a letter or digit of ASCII, or a sign for an
apostrophe or a hyphen; and the mixed scripts and mixed numbers of section 5, with the scripts that are in common use.
"""

from __future__ import annotations

import unicodedata
from bisect import bisect
from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final, TypeVar

from cli.clean import clean
from cli.storage import home
from cli.storage.home import Home
from protocol.core import wire
from protocol.errors import WireError
from protocol.record.files import change_file
from protocol.system.files import read_file

_LOOKS_LIKE: Final = {
    "3": "\u0417\u04e0", "4": "\u13ce", "6": "\u0431\u13ee", "A": "\u0391\u0410\u13aa", "B": "\u0392\u0412\u13f4",
    "C": "\u0421\u13df", "D": "\u13a0", "E": "\u0395\u0415\u13ac", "F": "\u03dc", "G": "\u050c\u13c0\u13f3",
    "H": "\u0397\u041d\u13bb", "J": "\u037f\u0408\u13ab", "K": "\u039a\u041a\u13e6", "L": "\u13de",
    "M": "\u039c\u03fa\u041c\u13b7", "N": "\u039d", "O": "0\u039f\u041e\u0555", "P": "\u03a1\u0420\u13e2",
    "R": "\u13a1\u13d2", "S": "\u0405\u054f\u13d5\u13da", "T": "\u03a4\u0422\u13a2", "U": "\u054d",
    "V": "\u0474\u13d9", "W": "\u051c\u13b3\u13d4", "X": "\u03a7\u0425", "Y": "\u03a5\u0423\u04ae\u13a9\u13bd",
    "Z": "\u0396\u13c3", "a": "\u0251\u03b1\u0430", "b": "\u042c\u13cf", "c": "\u0441\u1d04\uabaf",
    "d": "\u0501\u13e7", "e": "\u0435\u04bd", "f": "\u0584", "g": "\u0261\u0581", "h": "\u04bb\u0570\u13c2",
    "i": "\u0131\u0269\u026a\u03b9\u0456\u04cf\u13a5\uab75", "j": "\u03f3\u0458",
    "l": "1I|\u13c6\u0196\u01c0\u0399\u0406\u04c0", "n": "\u0578\u057c", "o": "\u03bf\u03c3\u043e\u1d0f\u0585",
    "p": "\u03c1\u0440", "q": "\u051b\u0563\u0566", "r": "\u0433\uab81", "s": "\u0455\ua731\uabaa",
    "u": "\u028b\u03c5\u1d1c\u057d", "v": "\u03bd\u0475\u1d20\uaba9", "w": "\u0461\u051d\u1d21\u0561\uab83",
    "x": "\u0445", "y": "\u0263\u028f\u03b3\u0443\u04af", "z": "\u1d22\uab93",
    "'": "`\u02b9\u02bb\u02bc\u02bd\u055a\u2018\u2019\u201b\u2032\ua78c", "-": "\u02d7\u2010\u2012\u2013\u2043\u2212",
}  # fmt: skip
_LISU: Final = (
    "\ua4ee\ua4d0\ua4da\ua4d3\ua4f0\ua4dd\ua4d6\ua4e7\ua4f2\ua4d9\ua4d7\ua4e1\ua4df"
    "\ua4e0\ua4f3\ua4d1\ua4e3\ua4e2\ua4d4\ua4f4\ua4e6\ua4ea\ua4eb\ua4ec\ua4dc\ua4d2",
    "ABCDEFGHlJKLMNOPRSTUVWXYZd",
)
_MAPPED: Final = str.maketrans(*_LISU) | str.maketrans(
    {other: letter for letter, others in _LOOKS_LIKE.items() for other in others}
)
# NFKC makes another sigma of it, which looks like none of these.
_LUNATE: Final = str.maketrans("\u03f2\u03f9", "cC")

_SCRIPTS: Final = {
    "Latn": "41-2af 1d00-1d25 1d6b-1eff 209d-2184 2c60-2c7f a722-a7ff ab30-ab64 ab66-ab6d 107bb-107bf 1df00-1dff2 "
    "1dff5-1dfff",
    "Grek": "370-3e1 3f3-3ff 1d26-1d2a 1f00-1ffc ab65 1dff3-1dff4",
    "Cyrl": "400-52f 1c80-1c8a 1d2b a640-a69b 1e030-1e08f", "Armn": "531-58c",
    "Geor": "10a0-10ff 1c90-1cbf 2d00-2d2d", "Cher": "13a0-13fd ab70-abbf", "Hebr": "5c8-5f2",
    "Arab": "620-6ff 750-77f 870-8c8 fbc3-fe73 10ec2-10eff", "Syrc": "710-74f 860-86a", "Thaa": "780-7b1",
    "Deva": "904-97f a8f2-a8fe 11b00-11b0a", "Beng": "980-9fc 11df0-11df1", "Guru": "a05-a74", "Gujr": "a85-af9",
    "Orya": "b05-b71", "Taml": "b83-bd0", "Telu": "c05-c61", "Knda": "c80-cf3", "Mlym": "d04-d7f", "Sinh": "d85-dc6",
    "Thai": "e01-e45", "Laoo": "e81-edf", "Tibt": "f00-f8c", "Mymr": "1000-108e a9e0-a9fe aa60-aa7f 116d0-116e3",
    "Khmr": "1780-17dc", "Ethi": "1200-138f 2d80-2dde ab01-ab2e 1e7e0-1e7fe", "Hang": "1100-11ff a960-a97c ac00-d7fb",
    "Hira": "3041-3096 1b001-1b11f 1b123 1b132-1b152",
    "Kana": "30a1-30fa 31f0-31ff 1b000 1b120-1b122 1b124-1b128 1b155-1b168", "Bopo": "3105-31bf",
    "Hani": "3400-9fff fa0e-fa29 16ff2-16ff6 20000-33479",
}  # fmt: skip
"""Where the letters of the scripts in common use lie, and of Cherokee, by ``Scripts.txt`` of Unicode 18.

The library of Python does not tell scripts.  No later version of Unicode moves a letter to another script.
"""
_LIMITS: Final = sorted(
    (int(low, 16), int(high or low, 16), script)
    for script, ranges in _SCRIPTS.items()
    for low, _, high in (one.partition("-") for one in ranges.split())
)
_TOGETHER: Final = ({"Hani", "Hira", "Kana"}, {"Hani", "Hang"}, {"Hani", "Bopo"})
"""Scripts in which one language is written."""


def shown(name: str) -> str:
    """Return what a name is compared by: what a person sees of it, so that nothing unseen makes another name of it."""
    return unicodedata.normalize("NFKC", clean(name)).casefold()


def look_alike(one: str, other: str) -> bool:
    """Return whether two names that differ look alike, with capital and small letters taken for the same."""
    return shown(one) != shown(other) and not looks(one).isdisjoint(looks(other))


def looks(name: str) -> frozenset[str]:
    """Return the skeletons of a name; names that share one look alike."""
    # A capital may look like what its small letter does not, as "I" looks like "l"; so both are asked.
    written = unicodedata.normalize("NFKC", clean(name).translate(_LUNATE))
    return frozenset(text.translate(_MAPPED).casefold() for text in (written, written.casefold()))


def mixes_scripts(name: str) -> bool:
    """Return whether a name has letters of several scripts, or digits of several, that no language has together."""
    letters, zeros = set(), set()
    for char in unicodedata.normalize("NFKC", clean(name)):
        category = unicodedata.category(char)
        if category == "Nd":
            zeros.add(ord(char) - unicodedata.decimal(char))
        elif category in ("Lu", "Ll", "Lt", "Lo"):
            letters.add(_script(ord(char)))
    return len(zeros) > 1 or (len(letters) > 1 and not any(letters <= one for one in _TOGETHER))


def _script(letter: int) -> str:
    low, high, script = _LIMITS[max(0, bisect(_LIMITS, (letter, 0x110000)) - 1)]
    return script if low <= letter <= high else "rare"


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
    compared: tuple[bytes, ...] = ()
    """The keys with which the player has compared words that were the same, and none since that differed."""

    def is_called(self, name: str) -> bool:
        """Return whether this is their name; those that are shown alike are one name, in small and capital letters."""
        return shown(self.name) == shown(name)

    def value(self) -> dict[str, object]:
        """Return what the file, and programs, read of somebody."""
        refused = None if self.refused is None else self.refused.hex()
        keys, compared = ([key.hex() for key in some] for some in (self.keys, self.compared))
        return {"name": self.name, "keys": keys, "since": self.since, "refused": refused, "compared": compared}


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

    def is_compared(self, name: str, key: bytes) -> bool:
        """Return whether words were compared with whoever has a key, under this very name."""
        person = self.find(name)
        return person is not None and key in person.keys and key in person.compared

    def compare(self, name: str, key: bytes, *, same: bool) -> People:
        """Return the book after words were compared; a key that is not trusted under the name changes nothing."""
        person = self.find(name)
        if person is None or key not in person.keys or (key in person.compared) == same:
            return self
        others = tuple(one for one in person.compared if one != key)
        return self._change(name, lambda person: replace(person, compared=(*others, key) if same else others))

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
    keys, compared = (tuple(_key(key) for key in some) for some in (value["keys"], value.get("compared", ())))
    return Person(name, keys, since, None if refused is None else _key(refused), compared)


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
        """Return whom this name, or one that looks like it, stands for if the key is not theirs, and remember the key.

        Raises:
            BadBook: the file cannot be understood.
            OSError: it cannot be read or written.
        """

        def refuse(people: People) -> People:
            return people if people.refusing(name, key) is None else people.refuse(name, key, self.day)

        return change(self.path, refuse)[0].refusing(name, key)

    def met(self, name: str, key: bytes) -> tuple[bool, tuple[str, ...]]:
        """Remember somebody with whom a match has begun; return whether they are new, and the other names of their key.

        Raises:
            BadBook: the file cannot be understood.
            OSError: it cannot be read or written.
        """
        before, people = change(self.path, lambda people: people.learn(name, key, self.day))
        others = tuple(other for other in people.named(key) if other.casefold() != name.casefold())
        return people is not before, others
