"""The files of a tournament's folder: reading all of them, and adding one.

Names mean nothing, apart from their ends: ``.event`` is a document and ``.storm`` a log.  Every other file is foreign,
and is named; pages, the folder of running matches, and hidden files, which synchronisers and file managers leave
behind, are passed over.

The home remembers the folders that this player has used and which event each is about, so that nobody can put another
one in its place.  It also keeps the documents that this program has seen or signed once (SPEC.md, "Chains").  Everybody
may write to a tournament's folder, so an organiser can take a document away and put another one in its place.  What was
seen stays here, two of each number: both prove who has signed them, and go back into every folder that lacks them.
"""

import hashlib
import secrets
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from cli.clean import clean
from cli.storage.home import Home, change_value, read_value
from cli.text import commands, events
from protocol.core.agreement import read_agreement
from protocol.errors import ProtocolError
from protocol.record import logfile
from protocol.record.files import change_file, write_file
from protocol.record.logfile import LogError
from protocol.system.files import read_file
from protocol.tournament.contents import Chained, Coin, Event
from protocol.tournament.documents import DOCUMENT_LIMIT, Document, DocumentError, chain_of, read

SUFFIX: Final = ".event"
"""How the file of a document ends."""

PAGE: Final = ".html"
"""How a page for readers ends: that of the event, and that of a match, which is called as its log is."""

LIVE: Final = "live"
"""The folder beside them into which players publish their running matches."""

MOST: Final = 64 * 1024 * 1024
"""The most bytes of documents that are held; those of the largest event are a quarter of it."""

DIGITS: Final = 16
"""How much of a hash stands in the name of a file: so much that nobody finds two files for one name."""


_FIRST: Final = ("event", "notice", "close", "start", "round", "end", "ruling", "data", "entry")
"""What the names of files begin with that say who may write the others; each of them is read before those."""


def rank(name: str) -> int:
    """Return how early a file is read, by how this program calls such files; logs come last."""
    if name.lower().endswith(logfile.SUFFIX):
        return len(_FIRST) + 1
    kind = name.partition("-")[0]
    return _FIRST.index(kind) if kind in _FIRST else len(_FIRST)


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


def read_folder(path: Path) -> Files:
    """Return what lies in a folder.

    Raises:
        OSError: it cannot be listed.
    """
    documents: dict[str, bytes] = {}
    logs: dict[str, bytes] = {}
    foreign: list[str] = []
    unread: list[str] = []
    left = MOST
    for entry in sorted(path.iterdir(), key=lambda entry: (rank(entry.name), entry.name)):
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
            elif entry.suffix != PAGE and entry.name != LIVE:
                foreign.append(entry.name)
        except (OSError, LogError):
            unread.append(entry.name)
    return Files(documents, logs, tuple(sorted(foreign)), tuple(sorted(unread)))


def publish(path: Path, document: Document, who: str = "") -> Path:
    """Add a document to a folder and return its file; ``who`` stands in the name, for people.

    Raises:
        OSError: it cannot be written.
    """
    return add(path, name_document(document, who), document.data)


def name_document(document: Document, who: str) -> str:
    """Return how the file of a document is called."""
    parts = (document.kind, logfile.plain_name(who), document.id.hex()[:DIGITS])
    return "-".join(part for part in parts if part) + SUFFIX


def name_log(data: bytes, name: str) -> str:
    """Return how the file of a log is called."""
    return f"{name}-{hashlib.sha256(data).hexdigest()[:DIGITS]}{logfile.SUFFIX}"


def add(folder: Path, name: str, data: bytes) -> Path:
    """Write a file whole or not at all, under a name that nothing else has, for everybody to read; return it.

    Raises:
        OSError: it cannot be written.
    """
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


_FILE: Final = "events.json"
_NAME_LIMIT: Final = 80


@dataclass(frozen=True, slots=True)
class KnownFolder:
    """A folder that was used here."""

    path: Path
    event: bytes
    """The id of its event."""
    name: str
    """What the event is called; clean."""
    remote: str = ""
    """Where its files are exchanged with others; empty if nowhere."""


def known_folders(home: Home) -> tuple[KnownFolder, ...]:
    """Return the folders, the last used first; a file that cannot be read counts as none."""
    return _read(read_value(home.folder / _FILE))


def _read(found: Any) -> tuple[KnownFolder, ...]:
    read = map(_read_one, found if isinstance(found, list) else ())
    return tuple(one for one in read if one is not None)


def _read_one(found: Any) -> KnownFolder | None:
    try:
        name, remote = clean(str(found["name"]), _NAME_LIMIT), str(found.get("remote", ""))
        return KnownFolder(Path(found["path"]), bytes.fromhex(found["event"]), name, remote)
    except (ValueError, KeyError, TypeError, AttributeError):
        return None


def _dump(folders: Iterable[KnownFolder]) -> list[dict[str, str]]:
    return [
        {"path": str(one.path), "event": one.event.hex(), "name": one.name, "remote": one.remote} for one in folders
    ]


def remember(home: Home, path: Path, event: bytes, name: str, remote: str | None = None) -> None:
    """Put a folder before all others.

    Args:
        home: the player's folder.
        path: that of the event.
        event: its id.
        name: what it is called.
        remote: where its files are exchanged; None for where they were, if it is the same event.

    Raises:
        OSError: that cannot be written.
    """

    def put(found: object) -> object:
        old = _read(found)
        before = next((one.remote for one in old if (one.path, one.event) == (path.absolute(), event)), "")
        new = KnownFolder(path.absolute(), event, clean(name, _NAME_LIMIT), before if remote is None else remote)
        if old[:1] == (new,):
            return None
        return _dump((new, *(one for one in old if one.path != new.path)))

    change_value(home.folder / _FILE, put, lambda found: _dump(_read(found)))


def known_folder(home: Home, path: Path) -> KnownFolder | None:
    """Return what is known of a folder, if it was used before."""
    return next((one for one in known_folders(home) if one.path == path.absolute()), None)


def folder_of(home: Home, event: bytes) -> Path | None:
    """Return the folder of an event that was used last, if it is there."""
    return next((one.path for one in known_folders(home) if one.event == event and one.path.is_dir()), None)


def copy_log(folder: Path, log: Path) -> str:
    """Copy a log into the folder of its tournament, under a name that says which game it is of; return a sentence."""
    try:
        data = logfile.read(log)
        where = read_agreement(logfile.load(data).records).conditions.event
        file = add(folder, name_log(data, f"game-{'log' if where is None else where.place}"), data)
    except OSError as error:
        return events.log_not_added(str(folder), commands.reason(error), str(log))
    except (LogError, ProtocolError) as error:
        return events.log_not_added(str(folder), str(error), str(log))
    return events.log_added(str(folder), file.name)


_FOLDER: Final = "events"
_SECOND: Final = "-second"
"""What follows the name of a document whose number another one has had."""


def recall(home: Home, event: bytes) -> tuple[Document, ...]:
    """Return what is kept of a tournament, and the announcements of all others; what cannot be read counts as none."""
    kept = home.folder / _FOLDER
    paths = [*(kept / event.hex()).glob("*.event"), *kept.glob("*/event.event")]
    return tuple({found.id: found for path in sorted(paths) if (found := _load(path)) is not None}.values())


def keep(home: Home, event: bytes, document: Document, *, own: bool = False) -> bool:
    """Keep a document of a tournament; return False if another one was seen or signed before in its place.

    The announcement has a place, and so have each number of a chain and the coin of a player.

    Args:
        home: the player's folder.
        event: the id of the tournament.
        document: one that its author may write.
        own: it is about to be published here, so it must not be kept as the second of its place.

    Raises:
        OSError: it cannot be written.
    """
    folder, name = home.folder / _FOLDER / event.hex(), _place(document)
    for path in [folder / f"{name}{end}.event" for end in ("", _SECOND)][: 1 if own else 2]:
        change_file(path, lambda before: document.data if before is None else None)
        held = _load(path)
        if held is not None and held.id == document.id:
            return _SECOND not in path.stem
    # What cannot be read may have been another one.
    return False


def _place(document: Document) -> str:
    content = document.content
    if isinstance(content, Event):
        return "event"
    if isinstance(content, Coin):
        return f"coin-{document.author.hex()}"
    assert isinstance(content, Chained)
    return f"{'ruling' if chain_of(document)[2] else 'chain'}-{document.author.hex()}-{content.number}"


def _load(path: Path) -> Document | None:
    try:
        return read(read_file(path, DOCUMENT_LIMIT))
    except (OSError, DocumentError):
        return None
