"""How the event of a folder stands, for a player who looks into it."""

import hashlib
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

from cli.events import folder
from cli.events.carried import about
from cli.events.folder import Files
from cli.events.judging import judge, keep_value, recall_value
from cli.events.tasks import due_step, entry_of
from cli.runtime.console import UsageError, say
from cli.storage.home import Home
from cli.text import clocks, commands, events, stored, wording
from protocol.crypto.keys import PrivateKey
from protocol.tournament.contents import Chained, Coin, Content, Entry, Event, Notice, Pairing, Round, Start, System
from protocol.tournament.documents import Document, DocumentError, Signed, is_of, issue, read
from protocol.tournament.engine import engine_version
from protocol.tournament.lines import Field
from protocol.tournament.pairings import Pair, is_legal, pair_round
from protocol.tournament.reports import Report
from protocol.tournament.roster import arbiters_of
from protocol.tournament.rulings import Ruled, list_rulings
from protocol.tournament.survey import Tournament, find_events, may_write, survey


@dataclass(frozen=True, slots=True)
class Seen:
    """A folder and how its event stands."""

    home: Home
    """Of the player who looks."""
    path: Path
    files: Files
    reports: tuple[Report, ...]
    tournament: Tournament
    announced: tuple[bytes, ...] = ()
    """The announcements of other tournaments that were seen here."""

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


def look(home: Home, path: Path, wanted: str | None = None, *, remember: bool = True) -> Seen:
    """Return how the event of a folder stands, and remember the folder.

    Args:
        home: where what was judged before is kept.
        path: the folder.
        wanted: the beginning of the id of the event, where the folder holds several.
        remember: whether the folder will be there again.

    Raises:
        UsageError: there is no such folder or event, or there are several.
        OSError: something else cannot be used.
        LocalProtocolError: the library that checks keys is too old or does not work.
    """
    try:
        files = folder.read_folder(path)
    except OSError as error:
        raise UsageError(commands.unusable(error, path)) from None
    announcements = find_events(files.documents.values())
    known = folder.known_folder(home, path)
    chosen = choose(path, announcements, wanted, None if known is None else known.event)
    home.prepare()
    files, announced = _remember(home, path, files, announcements[chosen])
    logs = {path / name: digest for name, digest in files.logs.items()}
    reports = tuple(judge(logs, home.folder / "judged", lambda number: say(stored.checking(number))))
    documents, pair = (*files.documents.values(), *announced), pair_once(home.folder / "paired")
    seen = Seen(home, path, files, reports, survey(documents, reports, chosen, pair), announced)
    if remember:
        folder.remember(home, path, chosen, seen.event.name)
    return seen


def _remember(home: Home, path: Path, files: Files, event: Signed[Event]) -> tuple[Files, tuple[bytes, ...]]:
    """Keep what organiser and arbiters have signed, and put back what was seen before and is not in the folder.

    Returns:
        The files with what was put back, and the announcements of other tournaments that were seen here.
    """
    kept = {one.id: one for one in folder.recall(home, event.id)}
    held = list(_read(files.documents.values()))
    notices = (one for one in (*kept.values(), *held) if is_of(one, Notice) and one.author == event.author)
    arbiters = arbiters_of(event.content, notices)
    for document in held:
        content = document.content
        if kept.pop(document.id, None) is not None:
            continue
        if isinstance(content, Event) and document.author == event.author:
            folder.keep(home, document.id, document)
        elif isinstance(content, Chained) and content.event == event.id and may_write(event, document, arbiters):
            folder.keep(home, event.id, document)
    counted, back = dict(files.documents), []
    for document in kept.values():
        if not isinstance(document.content, Event):
            # Where the folder cannot be written, it counts all the same.
            name = f"{document.id.hex()}{folder.SUFFIX}"
            with suppress(OSError):
                name = folder.publish(path, document).name
                back.append(name)
            counted[name] = document.data
    if back:
        say(events.put_back(wording.some(back)))
    announced = tuple(one.data for one in kept.values() if isinstance(one.content, Event))
    return replace(files, documents=counted), announced


def _read(files: Iterable[bytes]) -> Iterator[Document]:
    for data in files:
        with suppress(DocumentError):
            yield read(data)


def choose(
    path: Path | str, announced: Mapping[bytes, Signed[Event]], wanted: str | None, before: bytes | None
) -> bytes:
    """Return which of the events of a folder is meant.

    Args:
        path: the folder, or where else they are.
        announced: the announcements in it, by id.
        wanted: the beginning of an id.
        before: the event that the folder was about when it was used.

    Raises:
        UsageError: none is, or several are.
    """
    found = [one for one in sorted(announced) if one.hex().startswith((wanted or "").lower())]
    if wanted is None and before is not None and before in announced:
        return before
    if not announced:
        raise UsageError(events.no_event(str(path)))
    if wanted is None and before is not None:
        raise UsageError(events.other_event(str(path), before, found[0].hex()[:8]))
    if len(found) != 1:
        rows = [events.event_row(one.hex(), event.content.name) for one, event in sorted(announced.items())]
        raise UsageError(events.several_events(str(path)), *rows)
    return found[0]


def choose_player(found: Tournament, who: str) -> int:
    """Return the number of the player that is meant.

    Raises:
        UsageError: nobody is, or several are.
    """
    if who.isascii() and who.isdigit() and 1 <= int(who) <= len(found.players):
        return int(who)
    named = [one.number for one in found.players if who.casefold() == one.name.casefold() or who == one.key.hex()]
    if len(named) != 1:
        raise UsageError(events.several(who) if named else events.nobody(who))
    return named[0]


def choose_entry(found: Tournament, who: str) -> Signed[Entry]:
    """Return the entry that is meant of somebody who does not play yet.

    Raises:
        UsageError: nobody is, or several are.
    """
    playing = {one.key for one in found.players}
    named = {
        one.author: one
        for one in found.entries.values()
        if one.author not in playing and (who.casefold() == one.content.name.casefold() or who == one.author.hex())
    }
    if len(named) != 1:
        raise UsageError(events.several(who) if named else events.no_entry(who))
    (entry,) = named.values()
    return entry


def choose_ruling(found: Tournament, wanted: str) -> Ruled:
    """Return the ruling that is meant: by its number, or by the beginning of its id.

    Raises:
        UsageError: none is, or several are, or another one has its place already.
    """
    held = list_rulings(found)
    numbered = [one for one in held if str(one.ruling.number) == wanted]
    named = numbered or [one for one in held if one.document.id.hex().startswith(wanted.lower())]
    if len(named) != 1:
        raise UsageError(events.several_rulings(wanted) if named else events.no_ruling(wanted))
    if not named[0].stands:
        raise UsageError(events.replaced_already(wanted))
    return named[0]


def publish(seen: Seen, key: PrivateKey, content: Content, who: str = "") -> Seen:
    """Add a document to a folder, and return how the event stands with it.

    Raises:
        UsageError: it would not count, or the key has signed another one with its number, which is not in the folder.
        DocumentError: the content is out of its bounds.
        OSError: it cannot be written.
    """
    document = issue(key, content)
    found, documents = seen.tournament, (*seen.files.documents.values(), *seen.announced, document.data)
    now = survey(documents, seen.reports, found.id, found.pair)
    if any(one.subject == document.id for one in now.refused):
        raise UsageError(str(events.WOULD_NOT_COUNT))
    if isinstance(content, Chained | Coin) and not folder.keep(seen.home, found.id, document, own=True):
        raise UsageError(str(events.COIN_BEFORE) if isinstance(content, Coin) else events.signed_before(content.number))
    file = folder.publish(seen.path, document, about(document) or who)
    files = replace(seen.files, documents={**seen.files.documents, file.name: document.data})
    return replace(seen, files=files, tournament=now)


def advance(seen: Seen, key: PrivateKey, *, rounds: bool = True) -> tuple[Seen, list[str]]:
    """Do what is due and needs no decision; return how the event stands then, and a sentence for each step.

    Args:
        seen: how it stands.
        key: the player's own.
        rounds: whether a next round may be published.

    Raises:
        DocumentError: the entry was made by another copy of the key.
        OSError: the folder cannot be written.
    """
    said: list[str] = []
    while (content := due_step(seen.tournament, key, int(time.time()))) is not None:
        if not rounds and not isinstance(content, Coin | Start):
            break
        mine = entry_of(seen.tournament, key.public)
        who = "" if mine is None else mine.content.name
        try:
            seen = publish(seen, key, content, who if isinstance(content, Coin) else "")
        except UsageError as error:
            # What cannot be signed hides from nobody how the event stands.
            said += error.args
            break
        if isinstance(content, Coin):
            said.append(str(events.COIN_OPENED))
        elif isinstance(content, Start):
            said.append(events.started(len(content.coins)))
        elif isinstance(content, Round):
            said.append(events.round_made(content.round, clocks.moment(content.until)))
    return seen, said


def pairing_key(field: Field) -> bytes:
    """Return the SHA-256 of everything that the pairings of a Swiss depend on."""
    # The text of a field has all that is in it, also what may be added to it one day.
    return hashlib.sha256(repr((engine_version(), field)).encode()).digest()


def pair_once(folder: Path) -> Pair:
    """Return what pairs a round and keeps the pairings of a Swiss, which takes seconds with hundreds of players.

    What is kept is believed only where any program could have paired so.
    """

    def pair(field: Field) -> tuple[Pairing, ...]:
        if field.event.system is not System.SWISS:
            return pair_round(field)
        key = pairing_key(field)
        with suppress(ValueError, TypeError):
            kept = tuple(Pairing(first, second) for first, second in recall_value(folder, key))
            if is_legal(field, kept):
                return kept
        found = pair_round(field)
        keep_value(folder, key, tuple(map(tuple, found)))
        return found

    return pair
