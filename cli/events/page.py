"""The tables of an event for readers, and the page of it for a web server: no script, and no network."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from typing import Final

from cli import language
from cli.clean import clean
from cli.text import events
from cli.text.events import NOT_COUNTED, STILL_MISSING, TO_KNOW, head, place_of, words_to_compare
from protocol.tournament.export import Row
from protocol.tournament.outcomes import Outcome
from protocol.tournament.ratings import side_figures
from protocol.tournament.results import SETTLED, Result
from protocol.tournament.survey import Tournament

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
