"""How the event of a folder stands, for a player who looks into it; and the same as one page for a web server.

The page has no script and needs no network.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Final

from cli import language
from cli.clean import clean
from cli.events import folder
from cli.events.carried import about
from cli.events.folder import Files
from cli.events.judging import judge
from cli.events.kept import pair_once
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
from protocol.crypto.keys import PrivateKey
from protocol.tournament.contents import Chained, Coin, Content, Event
from protocol.tournament.documents import Document, DocumentError, read, sign
from protocol.tournament.export import Row
from protocol.tournament.outcomes import Outcome
from protocol.tournament.ratings import side_figures
from protocol.tournament.reports import Report
from protocol.tournament.results import SETTLED, Result
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
    documents, pair = (*files.documents.values(), *announced), pair_once(home.folder / "paired")
    seen = Seen(home, path, files, reports, survey(documents, reports, chosen, pair), announced)
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
    found, documents = seen.tournament, (*seen.files.documents.values(), *seen.announced, data)
    now = survey(documents, seen.reports, found.id, found.pair)
    if any(one.subject == document.id for one in now.refused):
        raise UsageError(str(WOULD_NOT_COUNT))
    if isinstance(content, Chained | Coin) and not folder.keep(seen.home, found.id, document, own=True):
        raise UsageError(str(COIN_BEFORE) if isinstance(content, Coin) else signed_before(content.number))
    file = folder.publish(seen.path, document, about(document) or who)
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
    state = str(events.STATES[result.reason if result.reason == "two_rulings" else str(result.state)])
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
