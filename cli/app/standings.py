"""What a tournament's folder tells: the tables of ``storm-p2p standings``, its page, and the news of ``event watch``.

The page has no script and asks no network.
"""

import csv
import io
import json
import os
import sys
import time
from argparse import Namespace
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from html import escape
from importlib import resources
from pathlib import Path
from typing import Final, NamedTuple
from urllib.parse import quote

from cli import language
from cli.app import games
from cli.app.carrying import Carried, carry, check_own, keep_up, unpacked
from cli.clean import clean
from cli.console import alerts
from cli.events.folder import LIVE, PAGE
from cli.events.standing import Seen, advance, look
from cli.events.tasks import Kind, Task, tasks
from cli.runtime import console
from cli.runtime.console import Exit, result, say, told
from cli.runtime.terminal import is_terminal
from cli.storage import unlock
from cli.storage.home import Home, load_preferences
from cli.storage.people import join_alike, looks, mixes_scripts
from cli.text import carrying, clocks, commands, events, wording
from cli.text.carrying import Lookup, say_findings
from cli.text.wording import draw_table
from protocol.core.agreement import read_agreement
from protocol.core.wire import CHAT_LIMIT
from protocol.errors import ProtocolError
from protocol.record import logfile
from protocol.record.files import write_file
from protocol.record.logfile import LogError
from protocol.system.files import read_file
from protocol.tournament.contents import Event, System
from protocol.tournament.engine import EngineError
from protocol.tournament.export import Row, game_rows, report_file, standing_rows
from protocol.tournament.findings import Finding, Place, finding
from protocol.tournament.lines import Line, lines_of
from protocol.tournament.no_shows import NoShow, ready_since
from protocol.tournament.outcomes import Outcome
from protocol.tournament.pairings import count_rounds
from protocol.tournament.ratings import side_figures
from protocol.tournament.reports import Report, refuse, report_of
from protocol.tournament.results import SETTLED, Result, State, seat_keys
from protocol.tournament.roster import ratings_of
from protocol.tournament.survey import Tournament
from storm_p2p import games as rules


def main(home: Home, options: Namespace) -> Exit:
    """Run the command."""
    console.check_library()
    try:
        if options.command == "standings":
            # Below "event" it has happened.
            keep_up(home, options.folder, offline=options.offline)
        with unpacked(options.folder, options.id) as path:
            seen = look(home, path, options.id, remember=path is options.folder)
        _print(seen, options)
    except EngineError as error:
        say(
            events.engine_table(commands.engine_to_install())
            if error.code == "engine_missing"
            else events.problem(error)
        )
        return Exit.USAGE
    except ProtocolError as error:
        say(events.problem(error))
        return Exit.NO
    return Exit.NO if seen.tournament.convictions else Exit.FINE


def _print(seen: Seen, options: Namespace) -> None:
    rows, sides = standing_rows(seen.tournament), side_names(seen.event)
    unchecked = [str(one.fact("round")) for one in seen.tournament.holes if one.code == "pairings_unchecked"]
    if unchecked:
        plain = not (options.json or options.csv or options.html or options.trf)
        engine = str(seen.event.engine)
        (result if plain else say)(events.unchecked(unchecked, engine, commands.engine_to_install(engine)))
    if options.html is not None:
        check_own(options.html, b"<!DOCTYPE html>")
        write_file(options.html, render(seen, rows, _sentences(seen), sides, options.html).encode())
        say(events.written(str(options.html)))
    if options.trf is not None:
        check_own(options.trf, b"012 ")
        write_file(options.trf, report_file(seen.tournament).encode())
        say(events.written(str(options.trf)))
    if options.json:
        figures = side_figures(seen.tournament)
        value = {
            **about(seen, options.compare),
            "standings": rows,
            "games": game_rows(seen.tournament),
            "side": {
                "side": seen.event.sides[0],
                "games": figures.games,
                "share": figures.share,
                "interval": figures.interval,
                "advantage": figures.advantage,
            },
        }
        result(json.dumps({**value, **notices(seen)}, indent=1))
        return
    if options.csv:
        out = io.StringIO()
        table = csv.DictWriter(out, list(rows[0]) if rows else ["rank", "number", "name"], lineterminator="\n")
        table.writeheader()
        table.writerows([{name: _plain(value) for name, value in row.items()} for row in rows])
        result(out.getvalue().rstrip("\n"))
        return
    if options.html is not None or options.trf is not None:
        return
    told(events.head(seen.tournament), *events.identity(seen.tournament))
    told(events.words_to_compare(" ".join(seen.tournament.words(options.compare))))
    announce(seen)
    if not rows:
        told(str(events.NOT_STARTED), events.dates(seen.tournament))
    else:
        _draw("", standing_cells(rows, seen.event.system))
        told("", events.side_scores(side_figures(seen.tournament), sides[0]))
    if len(entered := entry_cells(seen.tournament)) > 1:
        _draw(events.entries_title(seen.tournament), entered)
    if seen.tournament.rounds:
        last = seen.tournament.rounds[-1]
        _draw(str(events.TITLE_CROSS), cross_cells(seen.tournament, rows, sides))
        told(events.cross_legend(sides))
        _draw(events.round_title(last.round, last.until), round_cells(seen.tournament, last.round, sides))
        result("")
    tell(seen)


def announce(seen: Seen) -> None:
    """Print what the organiser has announced, the latest first."""
    found = events.announcements(seen.tournament)
    if found:
        told(str(events.TITLE_ANNOUNCED), *(f"  {one}" for one in found))


def _draw(title: str, cells: Sequence[Sequence[str]]) -> None:
    """Print a table below an empty line and its title."""
    result("", *([title] if title else []), *draw_table(cells))


def _plain(value: str | float | None) -> str | float | None:
    """Return a value that no program which reads tables takes for a formula."""
    return f"'{value}" if isinstance(value, str) and value[:1] in ("=", "+", "-", "@", "\t", "\r") else value


def side_names(event: Event) -> list[str]:
    """Return what the seats of an event's game are called, as far as this program knows the game."""
    if event.game not in games.NAMES:
        return [wording.seat(side) for side in event.sides]
    console = games.find(event.game).console
    return [console.side_name(side) for side in console.sides]


def lookup(seen: Seen) -> Lookup:
    """Return what ids and numbers of an event are called."""
    found = seen.tournament
    players = {one.key: one.name for one in found.players}
    names = {one.author: one.content.name for one in found.entries.values()} | players
    owners = Counter(look for name in names.values() for look in looks(name))
    # Anybody may enter under the name of another, who shall not be blamed for what they do.
    own = {key for key, name in names.items() if key in players or all(owners[look] == 1 for look in looks(name))}
    keys = {
        key: names[one.author] for one in found.entries.values() if one.author in own for key in (one.author, one.id)
    }
    return Lookup(seen.names(), keys, {one.number: one.name for one in found.players})


_HEADS: Final = {"holes": events.STILL_MISSING, "refused": events.NOT_COUNTED, "remarks": events.TO_KNOW}


def _kinds(seen: Seen) -> dict[str, tuple[Finding, ...]]:
    found = seen.tournament
    return {"holes": found.holes, "refused": found.refused, "remarks": (*found.remarks, *_alike(found))}


def _alike(found: Tournament) -> Iterator[Finding]:
    """Yield the names that may be taken for another player's; how a name looks is no business of the protocol."""
    names = sorted({one.content.name for one in found.entries.values()})
    groups = join_alike(names, looks)
    for name in names:
        others = next(group for group in groups if name in group)
        if len(others) > 1 or mixes_scripts(name):
            yield finding("name_alike", b"", name=name)


def _sentences(seen: Seen) -> dict[str, list[str]]:
    """Return what is noticed about a folder, as far as people read on."""
    known = lookup(seen)
    return {kind: wording.capped(say_findings(found, known)) for kind, found in _kinds(seen).items()}


def about(seen: Seen, compare: str) -> dict[str, object]:
    """Return which event it is and its words, for programs."""
    found = seen.tournament
    stage = "entries" if found.close is None else "coins" if found.start is None else "rounds"
    if found.end is not None:
        stage = "end"
    return {
        "id": found.id.hex(),
        "words": list(found.words(compare)),
        "name": seen.event.name,
        "system": str(seen.event.system),
        "stage": stage,
        "rounds": len(found.rounds),
        "players": len(found.players),
    }


def task_row(one: Task, seen: Seen, sides: Sequence[str]) -> dict[str, object]:
    """Return something to do, for programs."""
    known = lookup(seen)
    return {
        "task": str(one.kind),
        "until": one.until,
        "place": None if one.place is None else list(one.place),
        "opponent": None if one.other is None else one.other.name,
        "command": events.command(one, seen.path, sides),
        "dates": [
            {"when": date.when, "local": clocks.local(date.when), "by": date.by and known.player(date.by)}
            for date in one.dates
        ],
        "text": events.task(one, seen.path, sides),
    }


def claim_row(one: NoShow, found: Tournament, lookup: Lookup, now: int) -> dict[str, object]:
    """Return what a claim says, for programs."""
    return {
        "places": [list(place) for place in one.places],
        "by": lookup.player(one.by),
        "against": lookup.player(one.against),
        "at": one.at,
        "ready": one.ready,
        "waited": one.waited,
        "other_ready": one.other_ready,
        "answer_until": one.answer_until,
        "answers": [{"at": said.content.at, "text": clean(said.content.text, CHAT_LIMIT)} for said in one.answers],
        "text": events.claim(one, found, lookup, now),
    }


def notices(seen: Seen) -> dict[str, object]:
    """Return what is noticed about a folder, for programs."""
    known = lookup(seen)

    def row(one: Finding) -> dict[str, object]:
        facts = {name: fact.hex() if isinstance(fact, bytes) else fact for name, fact in one.facts}
        files = list(known.files.get(one.subject, ()))
        return {"code": one.code, "files": files, "facts": facts, "text": say_findings((one,), known)[0]}

    convicted = [{"key": one.author.hex(), "number": one.number} for one in seen.tournament.convictions]
    told = [one.content for one in seen.tournament.notices]
    return {
        "announcements": [{"at": one.at, "text": clean(one.text, CHAT_LIMIT)} for one in told if one.text is not None],
        **{kind: [row(one) for one in found] for kind, found in _kinds(seen).items()},
        "convicted": convicted,
        "ignored": list(seen.files.foreign),
        "unread": list(seen.files.unread),
    }


def tell(seen: Seen) -> None:
    """Print what is missing, what does not count and what should be known."""
    for kind, sentences in _sentences(seen).items():
        if sentences:
            told(str(_HEADS[kind]), *(f"  {sentence}" for sentence in sentences))
    if seen.files.foreign:
        told(events.foreign(wording.some(seen.files.foreign)))
    if seen.files.unread:
        told(events.unread(wording.some(seen.files.unread)))


_HIDDEN: Final = ("key", "deviation", "rating_before")
"""Columns that are for programs."""

_POLICY: Final = "default-src 'none'; style-src 'unsafe-inline'"


def standing_cells(rows: Sequence[Row], system: System) -> list[list[str]]:
    """Return the cells of the table, the names of the columns first; nobody has left if there is no such column.

    In a knock-out points say nothing about who stands where.
    """
    hidden = {*_HIDDEN, *(() if any(row["gone"] for row in rows) else ("gone",))}
    if system.eliminates:
        hidden.add("points")
    names = [name for name in (rows[0] if rows else {}) if name not in hidden]
    head = [str(events.COLUMNS.get("place" if name == "rank" and system.eliminates else name, name)) for name in names]
    return [head, *([_cell(name, row[name]) for name in names] for row in rows)]


def entry_cells(tournament: Tournament) -> list[list[str]]:
    """Return who has entered, with the rating that counts, and after the draw only those who wait for a place."""
    waiting, ratings = tournament.waiting, ratings_of(tournament.notices)
    entries = {one.author: one.content for one in tournament.entries.values()}
    keys = waiting if tournament.start else sorted(entries, key=lambda key: (entries[key].name.casefold(), key))
    rated = [(entries[key].name, ratings.get(key, entries[key].rating)) for key in keys]
    head = [str(events.COLUMNS[name]) for name in ("name", "rating")]
    return [head, *([clean(name), str(rating[0]) if rating else ""] for name, rating in rated)]


def _cell(name: str, value: str | float | None) -> str:
    if value is None:
        return ""
    if name == "gone" and isinstance(value, int):
        return events.left(value)
    if isinstance(value, float):
        return f"{value:.0f}" if name == "rating" else f"{value:g}"
    return clean(str(value))


def cross_cells(tournament: Tournament, rows: Sequence[Row], sides: Sequence[str]) -> list[list[str]]:
    """Return the cells of the cross table, in the order of the standings: opponent, side and points of each round."""
    lines, letters = lines_of(tournament.field), events.side_letters(sides)
    head = [str(events.COLUMNS[name]) for name in ("number", "name")]
    numbered = [(row["number"], clean(str(row["name"]))) for row in rows]
    return [
        [*head, *(f"R{number}" for number in range(1, len(tournament.rounds) + 1))],
        *(
            [str(number), name, *(_line(line, letters) for line in lines[number])]
            for number, name in numbered
            if isinstance(number, int)
        ),
    ]


def _line(line: Line | None, letters: Sequence[str]) -> str:
    if line is None:
        return ""
    points = f"{line.points / 2:g}"
    if not line.opponent:
        return events.bye(points)
    open_games = "?" if Outcome.NONE in line.outcomes else "" if line.played else "+" if line.points else "-"
    return f"{line.opponent}{letters[not line.first]} {points}{open_games}"


def round_cells(tournament: Tournament, number: int, sides: Sequence[str]) -> list[list[str]]:
    """Return the cells of a round, the names of the columns first: its games, and then who has none."""
    names = {one.number: clean(one.name) for one in tournament.players}
    where, told = map(str, events.GAME_COLUMNS)
    found = [[where, *sides, told]]
    for place, one in tournament.results.items():
        if place.round == number:
            first, second = tournament.rounds[number - 1].pairings[place.table - 1]
            seated = (first, second) if place.game % 2 else (second, first)
            told = _result(one, tournament.event.points, bool(place.game % 2))
            found.append([str(place), *(names[player] for player in seated), told])
    for player, lines in lines_of(tournament.field).items():
        line = lines[number - 1]
        if line is not None and not line.opponent:
            found.append(["", names[player], "", events.bye(f"{line.points / 2:g}")])
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


_TRIES: Final = 4
"""So many feeds of a game are judged at most: each takes a third of a second."""


class Playing(NamedTuple):
    """A game that is being played, by what a player publishes of it."""

    place: Place
    names: tuple[str, ...]
    """By seat."""
    report: Report
    feed: Path
    page: Path | None
    """That of the match so far, if it is there."""


def playing(seen: Seen) -> list[Playing]:
    """Return the games that are being played, one feed of each; a feed is checked as a log is, or passed over."""
    found = seen.tournament
    keys = {one.number: one.key for one in found.players}
    names = {one.key: clean(one.name) for one in found.players}
    places = {
        place: seat_keys(found.rounds[place.round - 1].pairings[place.table - 1], place.game, keys)
        for place, one in found.results.items()
        if one.state in (State.MISSING, State.OPEN)
    }
    left, listed = dict.fromkeys(places, _TRIES), list[Playing]()
    with suppress(OSError):
        for path in sorted((seen.path / LIVE).iterdir()):
            # Few tournaments are watched.
            from cli.match.publishing import NAME
            from protocol.core.frames import Log
            from protocol.core.merging import verify_together

            if NAME.fullmatch(path.name) is None:
                continue
            with suppress(OSError, LogError, ProtocolError):
                records = logfile.load_beginning(read_file(path, logfile.SIZE_LIMIT))
                agreement = read_agreement(records)
                where = agreement.conditions.event
                place = None if where is None else Place(where.round, where.table, where.game)
                named = agreement.match_id.hex().startswith(path.stem)
                people = tuple(player.identity for player in agreement.players)
                # Whoever does not play a game must not use up its tries.
                if place is None or not left.get(place) or not named or people != places[place]:
                    continue
                left[place] -= 1
                (verdict,) = verify_together([Log(records)], rules.find)
                report = report_of(b"", verdict)
                refused = refuse(report, found.id, seen.event, found.published, places)
                if refused is None and report.winner is None:
                    left[place], page = 0, path.with_suffix(PAGE)
                    seated = tuple(names[key] for key in report.keys)
                    listed.append(Playing(place, seated, report, path, page if page.is_file() else None))
    return sorted(listed)


def playing_cells(found: Sequence[Playing], sides: Sequence[str]) -> list[list[str]]:
    """Return the cells of the games that are being played, the names of the columns first."""
    head = [str(events.GAME_COLUMNS[0]), *sides, str(events.COLUMNS["turn"])]
    return [head, *([str(one.place), *one.names, str(one.report.turns)] for one in found)]


def playing_rows(found: Sequence[Playing]) -> list[dict[str, object]]:
    """Return the games that are being played, for programs."""
    return [
        {
            "place": list(one.place),
            "players": list(one.names),
            "turn": one.report.turns,
            "file": str(one.feed),
            "page": one.page and str(one.page),
        }
        for one in found
    ]


def _links(seen: Seen, live: Sequence[Playing], out: Path) -> dict[str, str]:
    """Return for each game links to what its result rests on: logs, the pages of their matches, rulings.

    They are relative, so there are none where the page lies in no folder that holds that of the event.
    """
    folder, parent = seen.path.resolve(), out.resolve().parent
    if not folder.is_relative_to(parent):
        return {}
    base, files = folder.relative_to(parent), seen.names()
    logs: dict[bytes, list[str]] = {}
    for report in seen.reports:
        if report.match is not None:
            logs.setdefault(report.match, []).extend(files.get(report.digest, ()))

    def link(word: str, name: str, number: int = 1) -> str:
        text = f"{events.LINKS[word]}{f' {number}' if number > 1 else ''}"
        # A name may be no text; its quotes, slashes and colons are bytes like others.
        return f'<a href="{quote(os.fsencode((base / name).as_posix()))}">{escape(text)}</a>'

    found: dict[str, str] = {}
    for place, game in seen.tournament.results.items():
        links: list[str] = []
        for one in game.evidence:
            links += [link("ruling", name) for name in files.get(one, ())]
            for number, name in enumerate(dict.fromkeys(logs.get(one, ())), start=1):
                board = name.removesuffix(logfile.SUFFIX) + PAGE
                links.append(link("log", name, number))
                links += [link("board", board, number)] if (folder / board).is_file() else []
        links += [link("board", f"{LIVE}/{one.page.name}") for one in live if one.place == place and one.page]
        found[str(place)] = " ".join(links)
    return found


def render(
    seen: Seen, rows: Sequence[Row], sentences: Mapping[str, Sequence[str]], sides: Sequence[str], out: Path
) -> str:
    """Return the page; files that say the same make the same bytes.

    Args:
        seen: how the event stands.
        rows: its standings.
        sentences: what is noticed: ``holes``, ``refused`` and ``remarks``.
        sides: what the game's console calls the seats.
        out: where the page is going to lie.
    """
    tournament = seen.tournament
    title = escape(clean(tournament.event.name))
    body = [f"<h1>{title}</h1>", _paragraph(events.head(tournament))]
    if announced := events.announcements(tournament):
        body += [_heading(str(events.TITLE_ANNOUNCED)), *map(_paragraph, announced)]
    live = playing(seen)
    links = _links(seen, live, out)
    if live:
        body += [_heading(str(events.TITLE_PLAYING)), _table(playing_cells(live, sides), links)]
    if rows:
        body += [_heading(str(events.TITLE_STANDINGS)), _table(standing_cells(rows, tournament.event.system))]
        body.append(_paragraph(events.side_scores(side_figures(tournament), sides[0])))
    else:
        body += [_paragraph(str(events.NOT_STARTED)), _paragraph(events.dates(tournament))]
    if len(entered := entry_cells(tournament)) > 1:
        body += [_heading(events.entries_title(tournament)), _table(entered)]
    if tournament.rounds:
        body += [_heading(str(events.TITLE_CROSS)), _table(cross_cells(tournament, rows, sides))]
        body.append(_paragraph(events.cross_legend(sides)))
    for made in reversed(tournament.rounds):
        body.append(_heading(events.round_title(made.round, made.until)))
        body.append(_table(round_cells(tournament, made.round, sides), links))
    # How many rounds a bracket takes is not known before it is played.
    planned = tournament.event.deadlines[: count_rounds(tournament.field) or 0]
    for number, until in enumerate(() if tournament.end else planned, start=1):
        if number > len(tournament.rounds):
            body.append(_paragraph(events.round_title(number, until)))
    for kind, found in sentences.items():
        if found:
            items = "".join(f"<li>{escape(one)}</li>" for one in found)
            body.append(f"{_heading(str(_HEADS[kind]))}\n<ul>{items}</ul>")
    if rows and not sentences["holes"]:
        body.append(_paragraph(str(events.ALL_THERE)))
    body.append(_heading(str(events.TITLE_COMPARE)))
    compared = (*events.identity(tournament), events.words_to_compare(" ".join(tournament.words())))
    body += [*map(_paragraph, compared), f"<p><small>{escape(str(events.RECOMPUTED))}</small></p>"]
    style = resources.files("cli.app").joinpath("standings.css").read_text("utf-8")
    return (
        f'<!DOCTYPE html>\n<html lang="{language.current()}">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{title}</title>\n<style>\n{style}</style>\n</head>\n<body>\n"
        + "\n".join((*body, "</body>\n</html>\n"))
    )


def _heading(text: str) -> str:
    return f"<h2>{escape(text)}</h2>"


def _paragraph(text: str) -> str:
    return f"<p>{escape(text)}</p>"


def _table(cells: Sequence[Sequence[str]], links: Mapping[str, str] | None = None) -> str:
    """Return a table; links to what is in the first cell of a row stand behind it."""
    head = "".join(f"<th>{escape(cell)}</th>" for cell in cells[0])
    rows = [
        "".join(f"<td{' class=n' if cell[:1].isdigit() else ''}>{escape(cell)}</td>" for cell in row)
        + (f"<td>{links.get(row[0], '')}</td>" if links else "")
        for row in cells[1:]
    ]
    end = "<th></th>" if links else ""
    body = "\n".join(f"<tr>{row}</tr>" for row in rows)
    return f'<div class="wide"><table>\n<tr>{head}{end}</tr>\n{body}\n</table></div>'


_SOON: Final = 86_400
"""So many seconds before a game's deadline its player is called."""


def watch(home: Home, options: Namespace) -> Exit:
    """Exchange files, do what is due, and tell what is new, until the tournament has ended or the player ends it."""
    key, watcher = unlock.identity(home), _Watcher(home, json=options.json)
    say(carrying.watching(str(options.folder), options.every))
    while True:
        how, said = carry(home, options.folder, offline=options.offline)
        watcher.tell_carried(how, said)
        seen, done = advance(look(home, options.folder, options.id), key)
        for sentence in done:
            watcher.tell("done", sentence)
        if done and how is Carried.DONE:
            watcher.tell_carried(*carry(home, options.folder))
        watcher.tell_news(seen, key.public)
        if seen.tournament.end is not None:
            return Exit.NO if seen.tournament.convictions else Exit.FINE
        time.sleep(options.every)


class _Watcher:
    """Tells everything once."""

    def __init__(self, home: Home, *, json: bool) -> None:
        chosen = load_preferences(home.folder)
        self._home, self._json = home, json
        self._alert = alerts.Alert(chosen.notice, chosen.command)
        self._told: set[str] = set()
        self._failed: list[str] = []
        self._is_first = True

    def tell(self, kind: str, text: str, **facts: object) -> bool:
        """Tell something unless it was told before; return whether it is new."""
        if text in self._told:
            return False
        self._told.add(text)
        self._show(kind, text, **facts)
        return True

    def _show(self, kind: str, text: str, **facts: object) -> None:
        if self._json:
            console.line({"event": kind, **facts, "text": text})
        else:
            result(f"{time.strftime('%H:%M')}  " + text.replace("\n", "\n       "))

    def tell_carried(self, how: Carried, said: list[str]) -> None:
        """Tell what has come and gone; what fails again and again is told once."""
        if how is Carried.FAILED and said == self._failed:
            return
        self._failed = said if how is Carried.FAILED else []
        for sentence in said:
            self._show("failed" if how is Carried.FAILED else "carried", sentence)

    def tell_news(self, seen: Seen, key: bytes) -> None:
        """Tell what there is to do, and what is new about it; what is new after the start calls the player."""
        # The tables, which most ask for, look at no match that has begun.
        from cli.match import stored

        found, sides = seen.tournament, side_names(seen.event)
        todo = tasks(found, key, int(time.time()), stored.places_begun(self._home, found.id))
        for one in todo:
            text = events.task(one, seen.path, sides)
            row = task_row(one, seen, sides)
            if self.tell("task", text, **{name: value for name, value in row.items() if name != "text"}):
                # Only who has something to type is called.
                self._call(text.partition("\n")[0], wanted=row["command"] is not None and "wait" not in one.kind)
            for kind, sentence in urgent(one, seen):
                if self.tell(kind, sentence, place=row["place"], opponent=row["opponent"]):
                    self._call(sentence, wanted=True)
        self._is_first = False

    def _call(self, sentence: str, *, wanted: bool) -> None:
        if wanted and not self._is_first:
            alerts.call(self._alert, sentence, _write, os.environ)


def _write(text: str) -> None:
    if is_terminal(sys.stderr):
        sys.stderr.write(text)
        sys.stderr.flush()


def urgent(one: Task, seen: Seen) -> Iterator[tuple[str, str]]:
    """Yield why a game should be played now."""
    if one.kind not in (Kind.PLAY, Kind.RESUME) or one.place is None or one.other is None:
        return
    place = str(one.place)
    if ready_since(seen.tournament, one.other.key, one.place) is not None:
        yield "ready", carrying.is_ready(one.other.name, place)
    if one.until is not None and 0 < one.until - time.time() < _SOON:
        yield "deadline", carrying.soon(place, one.other.name, clocks.local(one.until))
