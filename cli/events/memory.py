"""The documents of a tournament that this program has seen or signed once, in the home folder (SPEC.md, "Chains").

Everybody may write to a tournament's folder, so an organiser can take a document away and put another one in its place.
What was seen stays here, two of each number: both prove who has signed them, and go back into every folder that lacks
them.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

from cli.storage.home import Home
from protocol.record.files import change_file
from protocol.system.files import read_file
from protocol.tournament.contents import Chained, Coin, Event
from protocol.tournament.documents import DOCUMENT_LIMIT, Document, DocumentError, chain_of, read

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
