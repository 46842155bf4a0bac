"""``storm-p2p standings``: the table of a tournament, from its folder alone."""

from __future__ import annotations

import csv
import io
import json
from argparse import Namespace
from collections.abc import Iterator, Sequence

from cli.app import games
from cli.app.carrying import keep_up, unpacked
from cli.clean import clean
from cli.events import page
from cli.events.standing import Seen, look
from cli.events.tasks import Task
from cli.runtime import console
from cli.runtime.console import Exit, UsageError, result, say
from cli.storage.home import Home
from cli.storage.people import join_alike, looks, mixes_scripts
from cli.text import clocks, commands, events, wording
from cli.text.events import Lookup, say_findings
from cli.text.wording import draw_table
from protocol.core.wire import CHAT_LIMIT
from protocol.errors import ProtocolError
from protocol.record.files import write_file
from protocol.tournament.contents import Event
from protocol.tournament.engine import EngineError
from protocol.tournament.export import game_rows, report_file, standing_rows
from protocol.tournament.findings import Finding, finding
from protocol.tournament.ratings import side_figures
from protocol.tournament.survey import Tournament


def main(options: Namespace) -> Exit:
    """Run the command."""
    useless = console.library_problem()
    if useless is not None:
        raise UsageError(useless)
    home = Home.named(options.home)
    try:
        if options.command == "standings":
            # Below "event" it has happened.
            keep_up(home, options.folder, offline=options.offline)
        with unpacked(options.folder, options.id) as path:
            seen = look(home, path, options.id, remember=path is options.folder)
        _print(seen, options)
    except EngineError as error:
        say(events.engine_table(events.to_install()) if error.code == "engine_missing" else events.problem(error))
        return Exit.USAGE
    except ProtocolError as error:
        say(events.problem(error))
        return Exit.NO
    except OSError as error:
        raise UsageError(commands.unusable(error, options.folder)) from error
    return Exit.NO if seen.tournament.convictions else Exit.FINE


def _print(seen: Seen, options: Namespace) -> None:
    rows, sides = standing_rows(seen.tournament), side_names(seen.event)
    unchecked = [str(one.fact("round")) for one in seen.tournament.holes if one.code == "pairings_unchecked"]
    if unchecked:
        plain = not (options.json or options.csv or options.html or options.trf)
        engine = str(seen.event.engine)
        (result if plain else say)(events.unchecked(unchecked, engine, events.to_install(engine)))
    if options.html is not None:
        write_file(options.html, page.render(seen, rows, _sentences(seen), sides, options.html).encode())
        say(events.written(str(options.html)))
    if options.trf is not None:
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
    result(events.head(seen.tournament))
    for line in events.identity(seen.tournament):
        result(line)
    result(events.words_to_compare(" ".join(seen.tournament.words(options.compare))))
    announce(seen)
    if not rows:
        result(str(events.NOT_STARTED))
        result(events.dates(seen.tournament))
    else:
        _draw("", page.standing_cells(rows, seen.event.system))
        result("")
        result(events.side_scores(side_figures(seen.tournament), sides[0]))
    if len(entered := page.entry_cells(seen.tournament)) > 1:
        _draw(events.entries_title(seen.tournament), entered)
    if seen.tournament.rounds:
        last = seen.tournament.rounds[-1]
        _draw(str(events.TITLE_CROSS), page.cross_cells(seen.tournament, rows, sides))
        result(events.cross_legend(sides))
        _draw(events.round_title(last.round, last.until), page.round_cells(seen.tournament, last.round, sides))
        result("")
    tell(seen)


def announce(seen: Seen) -> None:
    """Print what the organiser has announced, the latest first."""
    found = events.announcements(seen.tournament)
    for line in (str(events.TITLE_ANNOUNCED), *(f"  {one}" for one in found)) if found else ():
        result(line)


def _draw(title: str, cells: Sequence[Sequence[str]]) -> None:
    """Print a table below an empty line and its title."""
    for line in ("", *([title] if title else []), *draw_table(cells)):
        result(line)


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
    keys = {one.author: one.content.name for one in found.entries.values()}
    return Lookup(seen.names(), keys, {one.number: one.name for one in found.players})


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
    heads = {"holes": events.STILL_MISSING, "refused": events.NOT_COUNTED, "remarks": events.TO_KNOW}
    for kind, sentences in _sentences(seen).items():
        if sentences:
            result(str(heads[kind]))
        for sentence in sentences:
            result(f"  {sentence}")
    if seen.files.foreign:
        result(events.foreign(wording.some(seen.files.foreign)))
    if seen.files.unread:
        result(events.unread(wording.some(seen.files.unread)))
