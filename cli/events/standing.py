"""How the event of a folder stands, for a player who looks into it."""

from __future__ import annotations

import hashlib
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from html import escape
from itertools import groupby
from pathlib import Path
from typing import Any, Final, NamedTuple

from cli import __version__, language
from cli.clean import clean
from cli.events import folder
from cli.events.folder import Files
from cli.runtime.console import UsageError, say
from cli.storage.home import Home
from cli.text import commands, events
from cli.text.events import (
    COIN_BEFORE,
    NOT_COUNTED,
    STILL_MISSING,
    TO_KNOW,
    WOULD_NOT_COUNT,
    checking,
    event_row,
    head,
    no_event,
    no_folder,
    other_event,
    place_of,
    put_back,
    several_events,
    signed_before,
    words_to_compare,
)
from protocol.core import wire
from protocol.core.agreement import read_agreement
from protocol.core.audit import Log, Trailer, check_trailer
from protocol.core.game_data import Conditions, EventTerms
from protocol.core.merging import verify_together
from protocol.crypto.keys import PrivateKey
from protocol.errors import ProtocolError, WireError
from protocol.record import logfile
from protocol.record.files import make_folder, write_file
from protocol.record.logfile import LogError
from protocol.system.files import read_file
from protocol.tournament.contents import Chained, Coin, Content, Entry, Event, Round
from protocol.tournament.documents import Document, DocumentError, read, sign
from protocol.tournament.export import Row
from protocol.tournament.outcomes import Outcome
from protocol.tournament.ratings import side_figures
from protocol.tournament.reports import Report, report_of
from protocol.tournament.results import SETTLED, Result
from protocol.tournament.survey import Tournament, find_events, may_write, survey
from storm_p2p import games

_MANY: Final = 12
_NOBODY: Final = 255
_SHARE: Final = logfile.SIZE_LIMIT
"""The most bytes of logs of one match that are judged together, of those that each player has signed and of the rest.

Honest ones are a hundred times shorter; whoever signs logs without end pushes out none of the other's.
"""
_FILES: Final = 16
"""The most files of each share: to judge a log takes a third of a second."""
_LARGEST: Final = 65_536
"""The longest report that is read again; no real one is nearly as long."""


def judge(
    logs: Mapping[Path, bytes], kept: Path | None = None, on_many: Callable[[int], object] = lambda number: None
) -> list[Report]:
    """Return what logs prove, those of one match together; never are those of two matches in memory.

    Args:
        logs: the files, and the SHA-256 of what is in each.
        kept: where reports are kept.
        on_many: called with their number if so many are to be judged that it takes seconds.

    Raises:
        LocalProtocolError: the library that a scheme needs is too old or does not work.
    """
    found: list[Report] = []
    known: dict[bytes, _Kept] = {}
    matches: dict[bytes, list[_Held]] = {}
    for path, digest in logs.items():
        held = None if kept is None else _recall(kept, digest)
        try:
            one = held or _Kept(*_look(path, digest))
        except LogError as error:
            found.append(Report(digest, problems=(error.code,)))
            continue
        known[digest] = one
        matches.setdefault(one.group, []).append(_Held(one.signer, one.size, digest, path))
    chosen = {group: _shortest(held) for group, held in matches.items()}
    # What was judged counts for these very files of a match together, and for no others.
    fresh = {group for group, paths in chosen.items() if any(known[one].together != tuple(paths) for one in paths)}
    if (count := sum(len(chosen[group]) for group in fresh)) > _MANY:
        on_many(count)
    for group, files in matches.items():
        # The same file under two names is judged once and counts once, and both are told of.
        reports = {one: known[one].report for one in chosen[group]}
        if group in fresh:
            reports = dict(_judge_match(group, chosen[group], known, kept))
        found += [reports.get(digest) or Report(digest, problems=("too-long",)) for _, _, digest, _ in files]
    return found


class _Kept(NamedTuple):
    """What is kept of a log that was judged, or known of one that was not."""

    group: bytes
    """The match id, or the SHA-256 of the file where the handshake does not hold."""
    size: int
    """How many bytes its messages have."""
    signer: int
    """The seat that has signed the file, or :data:`_NOBODY`."""
    together: tuple[bytes, ...] = ()
    """All files that were judged together."""
    report: Report | None = None


class _Held(NamedTuple):
    """A file of a match."""

    signer: int
    size: int
    digest: bytes
    path: Path


def _look(path: Path, digest: bytes) -> tuple[bytes, int, int]:
    """Return what the logs of one match have in common, how many bytes the messages of this one have, and its signer.

    Raises:
        LogError: it is no log.
    """
    log = _load(path, digest)
    group, signer = digest, _NOBODY
    with suppress(ProtocolError):
        agreement = read_agreement(log.records)
        group = agreement.match_id
        if log.trailer is not None and not check_trailer(agreement, log.trailer):
            signer = log.trailer.seat
    return group, sum(len(one.frame) for one in log.records), signer


def _shortest(held: Iterable[_Held]) -> dict[bytes, Path]:
    """Return the logs of a match that may be in memory together, in the order of their hashes.

    Whoever fills the folder with long ones pushes out nothing that is shorter.
    """
    chosen: dict[bytes, Path] = {}
    for _, files in groupby(sorted(held), lambda one: one.signer):
        left = _SHARE
        for digest, one in list({one.digest: one for one in files}.items())[:_FILES]:
            left -= one.size
            if left < 0:
                break
            chosen[digest] = one.path
    return dict(sorted(chosen.items()))


def _load(path: Path, digest: bytes) -> Log:
    """Return a log.

    Raises:
        LogError: it is none, or not the one that was there before.
    """
    data = logfile.read(path)
    if hashlib.sha256(data).digest() != digest:
        raise LogError("unreadable", "expected a file that nobody changes meanwhile")
    file = logfile.load(data)
    return Log(file.records, Trailer(file.seat, file.digest, file.signature))


def _judge_match(
    group: bytes, paths: Mapping[bytes, Path], known: Mapping[bytes, _Kept], kept: Path | None
) -> Iterator[tuple[bytes, Report]]:
    """Yield what the logs of a match prove, by the SHA-256 of the files, and keep it."""
    try:
        logs = [_load(path, digest) for digest, path in paths.items()]
    except LogError as error:
        # They were there a moment ago, and will be judged when nobody changes them.
        yield from ((digest, Report(digest, problems=(error.code,))) for digest in paths)
        return
    verdicts = verify_together(logs, games.find)
    reports = [report_of(digest, verdict) for digest, verdict in zip(paths, verdicts, strict=True)]
    # What nobody could check, because the rules are not here, may be checked when they are.
    if kept is not None and not any("rules_version" in one.problems for one in reports):
        with suppress(OSError):
            make_folder(kept)
            for one in reports:
                data = wire.encode((*known[one.digest][:3], tuple(paths), _value(one)))
                write_file(_file(kept, one.digest), _checksum(data) + data, private=True)
    yield from zip(paths, reports, strict=True)


def _file(kept: Path, digest: bytes) -> Path:
    return kept / hashlib.sha256(__version__.encode() + digest).hexdigest()


def _checksum(data: bytes) -> bytes:
    return zlib.crc32(data).to_bytes(4, "big")


def _value(report: Report) -> tuple[Any, ...]:
    """Return a report as it is kept."""
    plain = {
        "place": None if report.place is None else tuple(getattr(report.place, one) for one in EventTerms.__slots__),
        "conditions": report.conditions.value(),
    }
    return tuple(plain.get(name, getattr(report, name)) for name in Report.__slots__)


def _recall(kept: Path, digest: bytes) -> _Kept | None:
    """Return what is kept of a log, or None: it was never judged, or what is there is something else."""
    with suppress(OSError, WireError, ValueError, TypeError):
        data = read_file(_file(kept, digest), _LARGEST)
        # A fault of the disk must not read as a verdict about anybody.
        if data[:4] != _checksum(data[4:]):
            raise ValueError("checksum")
        value: Any = wire.unpack(data[4:], lambda value: None, _LARGEST)
        group, size, signer, together, fields = value
        one = Report(*fields)
        if one.digest != digest or digest not in together:
            raise ValueError("a report of another file")
        report = replace(
            one,
            place=None if one.place is None else EventTerms(*one.place),  # type: ignore[misc]
            conditions=Conditions.of(one.conditions),
        )
        return _Kept(group, size, signer, together, report)
    return None


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
        files = folder.read_folder(path)
    except OSError as error:
        raise UsageError(no_folder(str(path), commands.reason(error))) from None
    events = find_events(files.documents.values())
    chosen = _choose(path, events, wanted, folder.event_of(home, path))
    home.prepare()
    files, announced = _remember(home, path, files, events[chosen])
    logs = {path / name: digest for name, digest in files.logs.items()}
    reports = tuple(judge(logs, home.folder / "judged", _say_many))
    documents = (*files.documents.values(), *announced)
    seen = Seen(home, path, files, reports, survey(documents, reports, chosen), announced)
    folder.remember(home, path, chosen, seen.event.name)
    return seen


def _say_many(number: int) -> None:
    say(checking(number))


def _remember(home: Home, path: Path, files: Files, event: Document) -> tuple[Files, tuple[bytes, ...]]:
    """Keep what organiser and arbiters have signed, and put back what was seen before and is not in the folder.

    Returns:
        The files with what was put back, and the announcements of other tournaments that were seen here.
    """
    kept = {one.id: one for one in folder.recall(home, event.id)}
    for data in files.documents.values():
        try:
            document = read(data)
        except DocumentError:
            continue
        content = document.content
        if kept.pop(document.id, None) is not None:
            continue
        if isinstance(content, Event) and document.author == event.author:
            folder.keep(home, document.id, document)
        elif isinstance(content, Chained) and content.event == event.id and may_write(event, document):
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
        say(put_back(back))
    announced = tuple(one.data for one in kept.values() if isinstance(one.content, Event))
    return Files(counted, files.logs, files.foreign, files.unread), announced


def _choose(path: Path, events: Mapping[bytes, Document], wanted: str | None, before: bytes | None) -> bytes:
    found = [one for one in sorted(events) if one.hex().startswith((wanted or "").lower())]
    if wanted is None and before is not None and before in events:
        return before
    if not events:
        raise UsageError(no_event(str(path)))
    if wanted is None and before is not None:
        raise UsageError(other_event(str(path), before, found[0].hex()[:8]))
    if len(found) != 1:
        rows = [
            event_row(one.hex(), content.name)
            for one in sorted(events)
            if isinstance(content := events[one].content, Event)
        ]
        raise UsageError(several_events(str(path)), *rows)
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
    now = survey((*seen.files.documents.values(), *seen.announced, data), seen.reports, seen.tournament.id)
    if any(one.subject == document.id for one in now.refused):
        raise UsageError(str(WOULD_NOT_COUNT))
    if isinstance(content, Chained | Coin) and not folder.keep(seen.home, seen.tournament.id, document, own=True):
        raise UsageError(str(COIN_BEFORE) if isinstance(content, Coin) else signed_before(content.number))
    name = content.name if isinstance(content, Entry) else str(content.round) if isinstance(content, Round) else who
    file = folder.publish(seen.path, document, name)
    files = Files({**seen.files.documents, file.name: data}, seen.files.logs, seen.files.foreign, seen.files.unread)
    return Seen(seen.home, seen.path, files, seen.reports, now, seen.announced)


_HIDDEN: Final = ("number", "key", "deviation", "rating_before")
"""Columns that are for programs."""

_STYLE: Final = """
body { font-family: sans-serif; max-width: 60em; margin: 2em auto; padding: 0 1em; color: #222; background: #fff; }
table { border-collapse: collapse; margin: 1em 0; }
th, td { padding: .3em .8em; border-bottom: 1px solid #ccc; text-align: left; }
td.n { text-align: right; }
@media (prefers-color-scheme: dark) { body { color: #ddd; background: #181818; } th, td { border-color: #444; } }
"""
_POLICY: Final = "default-src 'none'; style-src 'unsafe-inline'"


def standing_cells(rows: Sequence[Row]) -> list[list[str]]:
    """Return the cells of the table, the names of the columns first; nobody has left if there is no such column."""
    gone = any(row["gone"] for row in rows)
    names = [name for name in (rows[0] if rows else {}) if name not in _HIDDEN and (gone or name != "gone")]
    head = [str(events.COLUMNS.get(name, name)) for name in names]
    return [head, *([_cell(name, row[name]) for name in names] for row in rows)]


def _cell(name: str, value: str | float | None) -> str:
    if value is None:
        return ""
    if name == "gone" and isinstance(value, int):
        return events.left(value)
    if isinstance(value, float):
        return f"{value:.0f}" if name == "rating" else f"{value:g}"
    return clean(str(value))


def game_cells(tournament: Tournament, sides: Sequence[str]) -> list[list[str]]:
    """Return the cells of the table of games, the names of the columns first."""
    names = {one.number: clean(one.name) for one in tournament.players}
    where, told = map(str, events.GAME_COLUMNS)
    found = [[where, *sides, told]]
    for place, result in tournament.results.items():
        first, second = tournament.rounds[place.round - 1].pairings[place.table - 1]
        seated = (first, second) if place.game % 2 else (second, first)
        told = _result(result, tournament.event.points, bool(place.game % 2))
        found.append([place_of(*place), *(names[number] for number in seated), told])
    return found


def _result(result: Result, points: tuple[int, ...], in_order: bool) -> str:
    state = str(events.STATES[str(result.state)])
    if result.state not in SETTLED:
        return state
    win, draw, loss = (f"{one / 2:g}" for one in points[:3])
    first, second = {
        Outcome.FIRST: (win, loss),
        Outcome.SECOND: (loss, win),
        Outcome.DRAW: (draw, draw),
        Outcome.FORFEIT_FIRST: (win, "0"),
        Outcome.FORFEIT_SECOND: ("0", win),
    }.get(result.outcome, ("0", "0"))
    score = f"{first} : {second}" if in_order else f"{second} : {first}"
    if result.outcome is Outcome.DOUBLE_FORFEIT:
        return f"{score} ({events.DOUBLE_FORFEIT})"
    return score if result.state == "result" else f"{score} ({state})"


def render(
    tournament: Tournament, rows: Sequence[Row], sentences: Mapping[str, Sequence[str]], sides: Sequence[str]
) -> str:
    """Return the page.

    Args:
        tournament: how the event stands.
        rows: its standings.
        sentences: what is noticed: ``holes``, ``refused`` and ``remarks``.
        sides: what the game's console calls the seats.
    """
    heads = {"holes": STILL_MISSING, "refused": NOT_COUNTED, "remarks": TO_KNOW}
    body = [f"<h1>{escape(clean(tournament.event.name))}</h1>", f"<p>{escape(head(tournament))}</p>"]
    if rows:
        body += [f"<h2>{escape(str(events.TITLE_STANDINGS))}</h2>", _table(standing_cells(rows))]
        body.append(f"<p>{escape(events.side_scores(side_figures(tournament), sides[0]))}</p>")
    else:
        body.append(f"<p>{escape(str(events.NOT_STARTED))}</p>")
    if tournament.results:
        body += [f"<h2>{escape(str(events.TITLE_GAMES))}</h2>", _table(game_cells(tournament, sides))]
    for kind, found in sentences.items():
        if found:
            items = "".join(f"<li>{escape(one)}</li>" for one in found)
            body.append(f"<h2>{escape(str(heads[kind]))}</h2>\n<ul>{items}</ul>")
    if rows and not sentences["holes"]:
        body.append(f"<p>{escape(str(events.ALL_THERE))}</p>")
    compared = words_to_compare(" ".join(tournament.words()))
    body.append(
        f"<p><small>{escape(str(events.RECOMPUTED))}<br>{tournament.id.hex()}<br>{escape(compared)}</small></p>"
    )
    title = escape(clean(tournament.event.name))
    return (
        f'<!DOCTYPE html>\n<html lang="{language.current()}">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{title}</title>\n<style>{_STYLE}</style>\n</head>\n<body>\n" + "\n".join(body) + "\n</body>\n</html>\n"
    )


def _table(cells: Sequence[Sequence[str]]) -> str:
    head = "".join(f"<th>{escape(cell)}</th>" for cell in cells[0])
    rows = [
        "".join(f"<td{' class=n' if cell[:1].isdigit() else ''}>{escape(cell)}</td>" for cell in row)
        for row in cells[1:]
    ]
    return f"<table>\n<tr>{head}</tr>\n" + "\n".join(f"<tr>{row}</tr>" for row in rows) + "\n</table>"
