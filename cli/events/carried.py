"""The files of a tournament that somebody else has: checked one by one, and kept under names of our own.

Nothing in a folder is believed, so every carrier is safe: a mail, a disk, a repository, another player.  What is *not*
here: whether a document or a log counts, which only all of them together say (:mod:`protocol.tournament.survey`).
"""

import hashlib
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from enum import StrEnum
from pathlib import Path
from typing import Final, NamedTuple

from cli.events import folder
from protocol.core import pasted
from protocol.core.agreement import Agreement, read_agreement
from protocol.core.audit import check_trailer
from protocol.core.pasted import LineError
from protocol.crypto.keys import identity_hash
from protocol.errors import ProtocolError
from protocol.record import logfile
from protocol.record.logfile import LogError
from protocol.tournament.contents import (
    AboutGame,
    Absence,
    Answer,
    Close,
    Coin,
    Entry,
    Event,
    Notice,
    Round,
    Ruling,
    Topic,
)
from protocol.tournament.documents import DOCUMENT_LIMIT, Document, DocumentError, Signed, is_of, read
from protocol.tournament.survey import may_write


class Fate(StrEnum):
    """What has become of a file that somebody else has brought."""

    ADDED = "added"
    HELD = "held"
    """It was there before."""
    FOREIGN = "foreign"
    """Neither a document nor a log, or a damaged one."""
    UNSIGNED = "unsigned"
    """A signature does not hold."""
    OTHER_EVENT = "other_event"
    TOO_LONG = "too_long"
    VERSION = "version"
    """Of another version, such as one that is newer than this program."""
    STRANGER = "stranger"
    """By somebody who may not write it, or who has written more than a tournament needs."""


class Taken(NamedTuple):
    """What has become of a file."""

    fate: Fate
    name: str = ""
    """That of the file in the folder; only of one that was added."""


ENTRIES: Final = 4096
"""So many entries that no organiser has listed are taken into a folder: eight for each player of the largest event."""

_EACH: Final = 4
"""So many of them by one author."""

_SHARE: Final = folder.MOST // 2
"""The bytes of documents that all players together have, each of them as many as the others."""

_FEW: Final = 128
"""Of so many players none has more for there being fewer; of more none has everybody as an opponent."""

_OFFICE: Final = folder.MOST // 4
"""The bytes of documents that the organiser has, and so many all arbiters together, each as many as the others."""

_EARLY: Final = 4096
"""The bytes of whoever has entered, until it is known who is in."""

_BEFORE: Final = 1 << 20
"""The bytes of all files together before the announcement is there: it says who may write."""

_LOGS: Final = 2 << 30
"""The most bytes of logs in a folder."""

_PASSES: Final = 4
"""So often files are gone through: an arbiter stands in a notice, a late entry in a ruling."""

_OF_PLAYERS: Final = (Coin, AboutGame, Answer, Absence)


class Intake:
    """Takes files of strangers into a folder, each checked alone.

    What is signed may still be junk: anybody has a key, or thousands.  So as soon as the announcement is there, only
    those who may write a document add it, and none of them more than a folder has room for (SPEC.md, "Carrying").
    Until then all together add little.
    """

    def __init__(self, path: Path, event: bytes, files: folder.Files | None = None) -> None:
        """Look into a folder.

        Args:
            path: the folder.
            event: the id of its event.
            files: what lies in it, if that is known.

        Raises:
            OSError: it cannot be listed.
        """
        self._path, self._event = path, event
        self._files = folder.read_folder(path) if files is None else files
        self._held = {*self._files.names()}
        self._announcement: Signed[Event] | None = None
        self._arbiters: set[bytes] = set()
        self._listed: set[bytes] = set()
        """The entries that the organiser or an arbiter has let in."""
        self._entries: dict[bytes, bytes] = {}
        """The author of each entry by its id."""
        self._bytes: Counter[tuple[bytes, bool]] = Counter()
        """How much each author has written beside, as a player and in office."""
        self._logs = -1

    def take(self, data: bytes) -> Taken:
        """Check a file, any bytes, and add it to the folder if it is of its event and is not there.

        Raises:
            OSError: the folder cannot be read, or the file cannot be written.
            LocalProtocolError: the library that checks keys is too old or does not work.
        """
        if hashlib.sha256(data).digest() in self._held:
            return Taken(Fate.HELD)
        checked = check(self._event, data)
        if isinstance(checked, Fate):
            return Taken(checked)
        if self._logs < 0:
            self._learn()
        if not self._allows(checked, len(data)):
            return Taken(Fate.STRANGER)
        self._held.add(hashlib.sha256(data).digest())
        if isinstance(checked, Signed):
            self._note(checked)
        else:
            self._logs += len(data)
        return Taken(Fate.ADDED, folder.add(self._path, name_of(checked, data), data).name)

    def take_all(self, files: Iterable[tuple[str, bytes]]) -> Iterator[tuple[str, Taken]]:
        """Take files in whatever order they come; yield what each was called there, and what has become of it.

        Raises:
            OSError: as above.
            LocalProtocolError: as above.
        """
        # What lets an author in may come after what they have written: a notice, a ruling, an entry.
        for left in reversed(range(_PASSES)):
            waiting = []
            for name, data in files:
                taken = self.take(data)
                if taken.fate is Fate.STRANGER and left:
                    waiting.append((name, data))
                else:
                    yield name, taken
            files = waiting

    def _learn(self) -> None:
        checked = (check(self._event, data) for data in self._files.documents.values())
        documents = [one for one in checked if isinstance(one, Signed)]
        # Names of files mean nothing, and who may write a document stands in earlier ones.
        for document in sorted(documents, key=lambda one: (one.id != self._event, type(one.content) is not Notice)):
            self._note(document)
        self._logs = 0
        for name in self._files.logs:
            with suppress(OSError):
                self._logs += (self._path / name).stat().st_size

    def _note(self, document: Document) -> None:
        content = document.content
        if is_of(document, Event):
            self._announcement = document
            self._arbiters.update(document.content.arbiters)
        elif isinstance(content, Entry):
            self._entries[document.id] = document.author
        elif self._announcement is not None and may_write(self._announcement, document, self._arbiters):
            if isinstance(content, Notice) and content.topic is Topic.ARBITER:
                self._arbiters.update(content.keys)
            elif isinstance(content, Close):
                self._listed.update(content.entries)
            elif isinstance(content, Ruling) and content.entry is not None:
                self._listed.add(content.entry)
        if self._announcement is None or not isinstance(content, Event | Entry):
            self._bytes[document.author, isinstance(content, _OF_PLAYERS)] += len(document.data)

    def _players(self) -> set[bytes]:
        """Return who is in, or while nobody is, who has entered."""
        return {author for one, author in self._entries.items() if one in self._listed or not self._listed}

    def knows(self, half: bytes) -> bool:
        """Return whether the owner of a key, of which this is the half hash, is a player, arbiter or the organiser.

        Raises:
            LocalProtocolError: the library that checks keys is too old or does not work.
        """
        if self._logs < 0:
            self._learn()
        organiser = set() if self._announcement is None else {self._announcement.author}
        return any(identity_hash(key) == half for key in self._players() | self._arbiters | organiser)

    def _allows(self, checked: Document | Agreement, size: int) -> bool:
        if self._announcement is None:
            is_it = isinstance(checked, Signed) and isinstance(checked.content, Event)
            return is_it or self._bytes.total() + self._logs + size <= _BEFORE
        players = self._players()
        if isinstance(checked, Agreement):
            return players.issuperset(one.identity for one in checked.players) and self._logs + size <= _LOGS
        content = checked.content
        if isinstance(content, Entry):
            loose = Counter(author for one, author in self._entries.items() if one not in self._listed)
            return checked.id in self._listed or (loose.total() < ENTRIES and loose[checked.author] < _EACH)
        if isinstance(content, _OF_PLAYERS):
            share = _SHARE // max(len(players), _FEW) if self._listed else _EARLY
            return checked.author in players and self._bytes[checked.author, True] + size <= share
        share = _OFFICE if checked.author == self._announcement.author else _OFFICE // max(len(self._arbiters), 1)
        may = may_write(self._announcement, checked, self._arbiters)
        return may and self._bytes[checked.author, False] + size <= share


def name_of(checked: Document | Agreement, data: bytes) -> str:
    """Return how a file is called that :func:`check` has passed."""
    if isinstance(checked, Signed):
        return folder.name_document(checked, about(checked))
    where = checked.conditions.event
    assert where is not None
    return folder.name_log(data, f"game-{where.place}")


def check(event: bytes, data: bytes) -> Document | Agreement | Fate:
    """Return the document of an event that bytes are, or what a log of one of its games rests on, or why neither.

    Raises:
        LocalProtocolError: the library that checks keys is too old or does not work.
    """
    if data.startswith(logfile.MAGIC[:-2]):
        return _check_log(event, data)
    if len(data) > DOCUMENT_LIMIT:
        return Fate.TOO_LONG
    try:
        document = read(data)
    except DocumentError as error:
        return _FATES.get(error.code, Fate.FOREIGN)
    of = document.id if isinstance(document.content, Event) else document.content.event
    return document if of == event else Fate.OTHER_EVENT


_FATES: Mapping[str, Fate] = {
    "version": Fate.VERSION,
    "unknown_document": Fate.VERSION,
    "too-long": Fate.TOO_LONG,
    "bad_signature": Fate.UNSIGNED,
    "key_point": Fate.UNSIGNED,
}


def _check_log(event: bytes, data: bytes) -> Agreement | Fate:
    try:
        log = logfile.load(data)
        agreement = read_agreement(log.records)
    except LogError as error:
        return _FATES.get(error.code, Fate.FOREIGN)
    except ProtocolError as error:
        return _FATES.get(error.code, Fate.UNSIGNED)
    where = agreement.conditions.event
    if where is None or where.event != event:
        return Fate.OTHER_EVENT
    if check_trailer(agreement, log.trailer):
        return Fate.UNSIGNED
    return agreement


def about(document: Document) -> str:
    """Return what a document is about, for the name of its file; empty if its kind says it."""
    content = document.content
    if isinstance(content, Entry):
        return content.name
    if isinstance(content, Round | Absence):
        return str(content.round)
    return str(content.place) if isinstance(content, AboutGame) else ""


_PREFIX: Final = "SOE"
_LABEL: Final = "event-line"
_VERSION: Final = 1
_START: Final = re.compile(r"SOE([0-9]{1,3})-", re.ASCII | re.IGNORECASE)
_WINDOW: Final = 8192
LINE_LIMIT: Final = 1024
"""The longest document for which somebody is given a line, in bytes."""
TEXT_LIMIT: Final = 65_536
"""So many characters of a paste are read."""


def write_line(data: bytes) -> str:
    """Return a document as a line to paste (SPEC.md, section "Carrying")."""
    return pasted.dump(_PREFIX, _LABEL, _VERSION, data, 2)


def read_lines(text: str) -> tuple[list[bytes], LineError | None]:
    """Return what is in the lines of a paste, and what is wrong with the first one that is no good, or with all."""
    found: list[bytes] = []
    problem = None
    text = text[:TEXT_LIMIT]
    for start in _START.finditer(text):
        try:
            if int(start[1]) != _VERSION:
                raise LineError("version", f"expected version {_VERSION} of the line, got {int(start[1])}")
            rest = text[start.end() : start.end() + _WINDOW]
            found.append(pasted.load(rest, _PREFIX, _LABEL, _VERSION, 2))
        except LineError as error:
            problem = problem or error
    if not found and problem is None:
        problem = LineError("not-found", f"expected a line that begins with {_PREFIX}{_VERSION}-, got none")
    return found, problem
