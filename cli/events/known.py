"""The folders of tournaments that this player has used: a small file in the home folder.

It fixes which event a folder is about, so that nobody can put another one in its place.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from cli.clean import clean
from cli.storage.home import Home, change_value, read_value

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


def known_folders(home: Home) -> tuple[KnownFolder, ...]:
    """Return the folders, the last used first; a file that cannot be read counts as none."""
    return _read(read_value(home.folder / _FILE))


def _read(found: Any) -> tuple[KnownFolder, ...]:
    try:
        return tuple(
            KnownFolder(Path(one["path"]), bytes.fromhex(one["event"]), clean(str(one["name"]), _NAME_LIMIT))
            for one in found
        )
    except (ValueError, KeyError, TypeError):
        return ()


def remember(home: Home, path: Path, event: bytes, name: str) -> None:
    """Put a folder before all others.

    Raises:
        OSError: that cannot be written.
    """
    new = KnownFolder(path.absolute(), event, clean(name, _NAME_LIMIT))

    def put(found: object) -> object:
        old = _read(found)
        if old[:1] == (new,):
            return None
        folders = (new, *(one for one in old if one.path != new.path))
        return [{"path": str(one.path), "event": one.event.hex(), "name": one.name} for one in folders]

    change_value(home.folder / _FILE, put)


def event_of(home: Home, path: Path) -> bytes | None:
    """Return the event that a folder is about, if it was used before."""
    return next((one.event for one in known_folders(home) if one.path == path.absolute()), None)


def folder_of(home: Home, event: bytes) -> Path | None:
    """Return the folder of an event that was used last, if it is there."""
    return next((one.path for one in known_folders(home) if one.event == event and one.path.is_dir()), None)
