"""How the event of a folder stands, for a player who looks into it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from cli.events import folder, known
from cli.events.folder import Files
from cli.events.judging import judge
from cli.runtime.console import UsageError, say
from cli.storage.home import Home
from cli.text import commands as told
from cli.text import events as words
from protocol.crypto.keys import PrivateKey
from protocol.tournament.contents import Close, Content, Entry, Event, Round, Ruling, Start
from protocol.tournament.documents import DocumentError, read, sign
from protocol.tournament.reports import Report
from protocol.tournament.survey import Tournament, find_events, survey


@dataclass(frozen=True, slots=True)
class Seen:
    """A folder and how its event stands."""

    home: Home
    """Of the player who looks."""
    path: Path
    files: Files
    reports: tuple[Report, ...]
    tournament: Tournament

    @property
    def event(self) -> Event:
        """The terms."""
        return self.tournament.event

    def names(self) -> Mapping[bytes, tuple[str, ...]]:
        """Return the names of the files by the hash of what is in them, and of the documents by id as well."""
        found = dict(self.files.names())
        for name, data in self.files.documents.items():
            try:
                found[read(data).id] = (name,)
            except DocumentError:
                continue
        return found


def look(home: Home, path: Path, wanted: str | None = None) -> Seen:
    """Return how the event of a folder stands, and remember the folder.

    Args:
        home: where what was judged before is kept.
        path: the folder.
        wanted: the beginning of the id of the event, where the folder holds several.

    Raises:
        UsageError: there is no such folder or event, or there are several.
        OSError: something else cannot be used.
        LocalProtocolError: the library that checks keys is too old or does not work.
    """
    try:
        files = folder.read(path)
    except OSError as error:
        raise UsageError(words.no_folder(str(path), told.reason(error))) from None
    events = find_events(files.documents.values())
    chosen = _choose(path, events, wanted, known.event_of(home, path))
    reports = tuple(judge(files.logs.values(), home.folder / "judged", _say_many))
    seen = Seen(home, path, files, reports, survey(files.documents.values(), reports, chosen))
    home.prepare()
    known.remember(home, path, chosen, seen.event.name)
    return seen


def _say_many(number: int) -> None:
    say(words.checking(number))


def _choose(path: Path, events: Mapping[bytes, Event], wanted: str | None, before: bytes | None) -> bytes:
    found = [one for one in sorted(events) if one.hex().startswith((wanted or "").lower())]
    if wanted is None and before is not None and before in events:
        return before
    if not events:
        raise UsageError(words.no_event(str(path)))
    if wanted is None and before is not None:
        raise UsageError(words.other_event(str(path), before, found[0].hex()[:8]))
    if len(found) != 1:
        rows = [words.event_row(one.hex(), events[one].name) for one in sorted(events)]
        raise UsageError(words.several_events(str(path)), *rows)
    return found[0]


def publish(seen: Seen, key: PrivateKey, content: Content, who: str = "") -> Seen:
    """Add a document to a folder, and return how the event stands with it.

    Raises:
        UsageError: it would not count, or the key has signed another one with its number, which is not in the folder.
        DocumentError: the content is out of its bounds.
        OSError: it cannot be written.
    """
    data = sign(key, content)
    document = read(data)
    now = survey((*seen.files.documents.values(), data), seen.reports, seen.tournament.id)
    if any(one.subject == document.id for one in now.refused):
        raise UsageError(str(words.WOULD_NOT_COUNT))
    if isinstance(content, Close | Start | Round | Ruling):
        chain = "rulings" if isinstance(content, Ruling) else "event"
        if not known.take_number(seen.home, seen.tournament.id, chain, content.number):
            raise UsageError(words.signed_before(content.number))
    name = content.name if isinstance(content, Entry) else str(content.round) if isinstance(content, Round) else who
    file = folder.publish(seen.path, document, name)
    files = Files({**seen.files.documents, file.name: data}, seen.files.logs, seen.files.foreign, seen.files.unread)
    return Seen(seen.home, seen.path, files, seen.reports, now)
