"""The files of a tournament's folder: reading all of them, and adding one.

Names mean nothing, apart from their ends: ``.event`` is a document and ``.storm`` a log.  Every other file is foreign,
and is named; hidden ones, which synchronisers and file managers leave behind, are passed over.
"""

from __future__ import annotations

import hashlib
import re
import secrets
import stat
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from protocol.record import logfile
from protocol.record.files import write_file
from protocol.record.logfile import LogError
from protocol.tournament.documents import DOCUMENT_LIMIT, Document

SUFFIX: Final = ".event"
"""How the file of a document ends."""

_DIGITS: Final = 8
"""How much of a hash stands in the name of a file."""


@dataclass(frozen=True, slots=True)
class Files:
    """What lies in a folder."""

    documents: Mapping[str, bytes]
    """By name."""
    logs: Mapping[str, bytes]
    foreign: tuple[str, ...] = ()
    """Names of files that are neither, and of folders."""
    unread: tuple[str, ...] = ()
    """Names of documents and logs that cannot be read or are too long to be any."""

    def names(self) -> Mapping[bytes, tuple[str, ...]]:
        """Return the names of the files by the SHA-256 of what is in them."""
        found: dict[bytes, tuple[str, ...]] = {}
        for name, data in (*self.documents.items(), *self.logs.items()):
            digest = hashlib.sha256(data).digest()
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
    for entry in sorted(path.iterdir()):
        if entry.name.startswith("."):
            continue
        try:
            if entry.suffix == SUFFIX:
                documents[entry.name] = _read_document(entry)
            elif entry.suffix == logfile.SUFFIX:
                logs[entry.name] = logfile.read(entry)
            else:
                foreign.append(entry.name)
        except (OSError, LogError):
            unread.append(entry.name)
    return Files(documents, logs, tuple(foreign), tuple(unread))


def _read_document(path: Path) -> bytes:
    # A pipe would be waited for without end.
    if not stat.S_ISREG(path.stat().st_mode):
        raise OSError
    with path.open("rb") as file:
        data = file.read(DOCUMENT_LIMIT + 1)
    if len(data) > DOCUMENT_LIMIT:
        raise OSError
    return data


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
        OSError: it cannot be read or written.
    """
    data = log.read_bytes()
    return _add(path, f"{name}-{hashlib.sha256(data).hexdigest()[:_DIGITS]}{logfile.SUFFIX}", data)


def _plain(name: str) -> str:
    return re.sub(r"[^0-9a-z]+", "-", name.lower()).strip("-")[:24]


def _add(folder: Path, name: str, data: bytes) -> Path:
    """Write a file whole or not at all, under a name that nothing else has, for everybody to read."""
    path = next(path for path in _free(folder / name) if not path.exists() or path.read_bytes() == data)
    if path.exists():
        return path
    write_file(path, data)
    return path


def _free(wanted: Path) -> Iterator[Path]:
    yield wanted
    while True:
        yield wanted.with_name(f"{wanted.stem}-{secrets.token_hex(2)}{wanted.suffix}")
