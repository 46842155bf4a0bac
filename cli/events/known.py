"""The folders of tournaments that this player has used: a small file in the home folder.

It fixes which event a folder is about, so that nobody can put another one in its place.  Another file says which
numbers the own key has signed: two documents with one number would convict it, and an old copy of a folder tempts to.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from cli.clean import clean
from cli.storage.home import Home
from cli.storage.writing import write

_FILE: Final = "events.json"
_SIGNED: Final = "signed.json"
_NAME_LIMIT: Final = 80


@dataclass(frozen=True, slots=True)
class KnownFolder:
    """A folder that was used here."""

    path: Path
    event: bytes
    """The id of its event."""
    name: str
    """What the event is called; clean."""


def known_folders(home: Home) -> tuple[KnownFolder, ...]:
    """Return the folders, the last used first; a file that cannot be read counts as none."""
    try:
        found = json.loads((home.folder / _FILE).read_bytes())
        return tuple(
            KnownFolder(Path(one["path"]), bytes.fromhex(one["event"]), clean(str(one["name"]), _NAME_LIMIT))
            for one in found
        )
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return ()


def remember(home: Home, path: Path, event: bytes, name: str) -> None:
    """Put a folder before all others.

    Raises:
        OSError: that cannot be written.
    """
    new = KnownFolder(path.absolute(), event, clean(name, _NAME_LIMIT))
    old = known_folders(home)
    if old[:1] != (new,):
        _save(home, (new, *(one for one in old if one.path != new.path)))


def event_of(home: Home, path: Path) -> bytes | None:
    """Return the event that a folder is about, if it was used before."""
    return next((one.event for one in known_folders(home) if one.path == path.absolute()), None)


def folder_of(home: Home, event: bytes) -> Path | None:
    """Return the folder of an event that was used last, if it is there."""
    return next((one.path for one in known_folders(home) if one.event == event and one.path.is_dir()), None)


def take_number(home: Home, event: bytes, chain: str, number: int) -> bool:
    """Note that the document with a number of an own chain is about to be signed; say no if one was signed before.

    Raises:
        OSError: it cannot be noted.
    """
    path = home.folder / _SIGNED
    try:
        signed = {str(key): int(value) for key, value in json.loads(path.read_bytes()).items()}
    except (FileNotFoundError, ValueError, TypeError, AttributeError, RecursionError):
        signed = {}
    key = f"{event.hex()} {chain}"
    if signed.get(key, 0) >= number:
        return False
    write(path, json.dumps({**signed, key: number}, indent=1) + "\n")
    return True


def _save(home: Home, folders: Sequence[KnownFolder]) -> None:
    rows = [{"path": str(one.path), "event": one.event.hex(), "name": one.name} for one in folders]
    write(home.folder / _FILE, json.dumps(rows, indent=1, ensure_ascii=False) + "\n")
