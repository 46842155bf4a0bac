"""The files of a tournament that somebody else has: checked one by one, and kept under names of our own.

Nothing in a folder is believed, so every carrier is safe: a mail, a disk, a repository, another player.  What is *not*
here: whether a document or a log counts, which only all of them together say (:mod:`protocol.tournament.survey`).
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Container, Mapping
from enum import StrEnum
from pathlib import Path
from typing import Final, NamedTuple

from cli.events import folder
from cli.text.events import place_of
from protocol.core import pasted
from protocol.core.agreement import read_agreement
from protocol.core.audit import Trailer, check_trailer
from protocol.core.pasted import LineError
from protocol.errors import ProtocolError
from protocol.record import logfile
from protocol.record.logfile import LogError
from protocol.tournament.contents import Absence, Claim, Entry, Event, Proposal, Ready, Round
from protocol.tournament.documents import DOCUMENT_LIMIT, Document, DocumentError, read


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


class Taken(NamedTuple):
    """What has become of a file."""

    fate: Fate
    name: str = ""
    """That of the file in the folder; only of one that was added."""


def digests(path: Path) -> frozenset[bytes]:
    """Return the SHA-256 of what is in each document and log of a folder.

    Raises:
        OSError: it cannot be listed.
    """
    return frozenset(folder.read_folder(path).names())


def take(path: Path, event: bytes, data: bytes, held: Container[bytes] | None = None) -> Taken:
    """Check a file of a stranger, and add it to a folder if it is of its event and is not there.

    Args:
        path: the folder.
        event: the id of its event.
        data: what is in the file; any bytes.
        held: what :func:`digests` has said, for who takes many.

    Raises:
        OSError: the folder cannot be read, or the file cannot be written.
        LocalProtocolError: the library that checks keys is too old or does not work.
    """
    if hashlib.sha256(data).digest() in (digests(path) if held is None else held):
        return Taken(Fate.HELD)
    checked = check(event, data)
    if isinstance(checked, Fate):
        return Taken(checked)
    if isinstance(checked, Document):
        return Taken(Fate.ADDED, folder.publish(path, checked, about(checked)).name)
    return Taken(Fate.ADDED, folder.add_log(path, data, f"game-{checked}").name)


def name_of(checked: Document | str, data: bytes) -> str:
    """Return how a file is called that :func:`check` has passed."""
    if isinstance(checked, Document):
        return folder.name_document(checked, about(checked))
    return folder.name_log(data, f"game-{checked}")


def check(event: bytes, data: bytes) -> Document | str | Fate:
    """Return the document of an event that bytes are, or of which of its games they are a log, or why they are neither.

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


def _check_log(event: bytes, data: bytes) -> str | Fate:
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
    if check_trailer(agreement, Trailer(log.seat, log.digest, log.signature)):
        return Fate.UNSIGNED
    return place_of(where.round, where.table, where.game)


def about(document: Document) -> str:
    """Return what a document is about, for the name of its file; empty if its kind says it."""
    content = document.content
    if isinstance(content, Entry):
        return content.name
    if isinstance(content, Round | Absence):
        return str(content.round)
    return place_of(content.round, content.table, content.game) if isinstance(content, Ready | Claim | Proposal) else ""


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
