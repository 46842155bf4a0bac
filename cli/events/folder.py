"""The files of a tournament's folder: reading all of them, and adding one.

Names mean nothing, apart from their ends: ``.event`` is a document and ``.storm`` a log.  Every other file is foreign,
and is named; hidden ones, which synchronisers and file managers leave behind, are passed over.
"""

from __future__ import annotations

import hashlib
import re
import secrets
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from protocol.record import logfile
from protocol.record.files import write_file
from protocol.record.logfile import LogError
from protocol.system.files import read_file
from protocol.tournament.documents import DOCUMENT_LIMIT, Document

SUFFIX: Final = ".event"
"""How the file of a document ends."""

_MOST: Final = 64 * 1024 * 1024
"""The most bytes of documents that are held; those of the largest event are a quarter of it."""

_DIGITS: Final = 8
"""How much of a hash stands in the name of a file."""


@dataclass(frozen=True, slots=True)
class Files:
    """What lies in a folder."""

    documents: Mapping[str, bytes]
    """By name."""
    logs: Mapping[str, bytes]
    """The SHA-256 of each by name: all of them together may be too long to be held."""
    foreign: tuple[str, ...] = ()
    """Names of files that are neither, and of folders."""
    unread: tuple[str, ...] = ()
    """Names of documents and logs that cannot be read, are too long to be any, or are too many."""

    def names(self) -> Mapping[bytes, tuple[str, ...]]:
        """Return the names of the files by the SHA-256 of what is in them."""
        found: dict[bytes, tuple[str, ...]] = {}
        hashed = ((name, hashlib.sha256(data).digest()) for name, data in self.documents.items())
        for name, digest in (*hashed, *self.logs.items()):
            found[digest] = (*found.get(digest, ()), name)
        return found


def read(path: Path) -> Files:
    """Return what lies in a folder.

    Raises:
        OSError: it cannot be listed.
    """
    documents: dict[str, bytes] = {}
    logs: dict[str, bytes] = {}
    foreign: list[str] = []
    unread: list[str] = []
    left = _MOST
    for entry in sorted(path.iterdir()):
        if entry.name.startswith("."):
            continue
        try:
            if entry.suffix == SUFFIX:
                data = read_file(entry, DOCUMENT_LIMIT)
                left -= len(data)
                if left < 0:
                    raise OSError
                documents[entry.name] = data
            elif entry.suffix == logfile.SUFFIX:
                logs[entry.name] = hashlib.sha256(logfile.read(entry)).digest()
            else:
                foreign.append(entry.name)
        except (OSError, LogError):
            unread.append(entry.name)
    return Files(documents, logs, tuple(foreign), tuple(unread))


def publish(path: Path, document: Document, who: str = "") -> Path:
    """Add a document to a folder and return its file; ``who`` stands in the name, for people.

    Raises:
        OSError: it cannot be written.
    """
    parts = (document.kind, _plain(who), document.id.hex()[:_DIGITS])
    return _add(path, "-".join(part for part in parts if part) + SUFFIX, document.data)


def add_log(path: Path, log: Path, name: str) -> Path:
    """Copy a log into a folder and return the file; one that is there already stays as it is.

    Raises:
        LogError: it cannot be read.
        OSError: it cannot be written.
    """
    data = logfile.read(log)
    return _add(path, f"{name}-{hashlib.sha256(data).hexdigest()[:_DIGITS]}{logfile.SUFFIX}", data)


def _plain(name: str) -> str:
    return re.sub(r"[^0-9a-z]+", "-", name.lower()).strip("-")[:24]


def _add(folder: Path, name: str, data: bytes) -> Path:
    """Write a file whole or not at all, under a name that nothing else has, for everybody to read."""
    path = next(path for path in _free(folder / name) if not path.exists() or _holds(path, data))
    if not path.exists():
        write_file(path, data)
    return path


def _holds(path: Path, data: bytes) -> bool:
    try:
        return read_file(path, len(data)) == data
    except OSError:
        return False


def _free(wanted: Path) -> Iterator[Path]:
    yield wanted
    while True:
        yield wanted.with_name(f"{wanted.stem}-{secrets.token_hex(2)}{wanted.suffix}")
