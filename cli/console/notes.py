"""What a player keeps of one match: notes on places of the board, and what they have asked for while it is played.

A small file beside the match's journal, never in the log and never on the wire.  A file that cannot be read counts as
none and is left alone; it moves aside before another one is written.
"""

from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from cli.console import model as m
from cli.console.model import M, Model
from cli.storage import home
from protocol.record.files import change_file, write_file

SUFFIX: Final = ".notes.json"
UNREAD: Final = ".unread"
"""Behind the name of a file that could not be read, when another one takes its place."""
FORMAT: Final = 1
_SAID: Final = ("muted", "confirms", "compared", "guided")
"""What the player has said once for the whole match."""


def file_of(journal: Path) -> Path:
    """Return where the notes of a match are kept: beside its journal."""
    return journal.with_suffix(SUFFIX)


def recalled(model: M) -> M:
    """Return the model of a match that begins or goes on here, with what was kept; all of it is cleaned."""
    found = _read(home.read_value(Path(model.notes_file))) if model.notes_file else None
    if found is None:
        return model
    for note in found["notes"]:
        place, text = (note.get("region"), note.get("text")) if isinstance(note, dict) else (None, None)
        if type(place) is int and place in model.guest.places and isinstance(text, str):
            model = m.noted(model, place, text)
    muted, confirms, compared, guided = (found.get(name) is True for name in _SAID)
    return replace(model, muted=muted, confirms=confirms, compared=compared, guided=guided)


def keep(model: Model) -> None:
    """Keep the notes of a match, and what the player has said once for all of it.

    Raises:
        OSError: they cannot be written; what was kept before is there.
    """
    if not model.notes_file:
        return
    path = Path(model.notes_file)
    value = {
        "version": FORMAT,
        "notes": [{"region": place, "text": text} for place, text in model.notes],
        **{name: getattr(model, name) for name in _SAID},
    }

    def write(data: bytes | None) -> bytes:
        if data is not None and _read(home.parse_value(data)) is None:
            write_file(path.with_name(path.name + UNREAD), data, private=True)
        return home.dump_value(value)

    change_file(path, write)


def _read(found: Any) -> dict[str, Any] | None:
    """Return what a file holds, which anybody may have written, or None when that is nothing of this kind."""
    sound = isinstance(found, dict) and found.get("version") == FORMAT and isinstance(found.get("notes"), list)
    return found if sound else None
