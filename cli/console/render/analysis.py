"""The page of a replay with the analysis of the match: its curves, and the decisions that lost most.  Pure."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from cli.clean import shorten
from cli.console.analysis import Analysis, Judged
from cli.console.guest import GameConsole, console_of
from cli.console.render.spans import EMPTY, Line, line, line_width, paragraphs, section, signs
from cli.console.replay import Replay, judged_seats, worst
from cli.text import analyses
from cli.text.advice import percent
from cli.text.wording import fill

if TYPE_CHECKING:
    from protocol.game import Seat

_MOST_EACH: Final = 4
"""So many columns at most for a turn."""
_VALUE: Final = 5
"""Columns of a value before and behind a curve."""


def page(shown: Replay, rows: int) -> list[Line]:
    """Return the page in so many rows."""
    found = shown.analysis
    title = str(analyses.TITLE)
    if found is None:
        return [section(title, shown.columns), *[EMPTY] * (rows - 1)]
    if shown.analysing:
        title = f"{title} | {analyses.progress(found.done, found.total)}"
    elif found.points:
        turns = fill(analyses.TURNS, first=found.points[0].turn, last=found.points[-1].turn)
        title = f"{title} | {turns}"
    drawn = [section(title, shown.columns)]
    if not found.seats:
        drawn += [line(f" {row}") for row in paragraphs([str(analyses.NOT_OPENED)], shown.columns - 2)]
        return [*drawn, *[EMPTY] * (rows - len(drawn))]
    drawn += curves(shown, found)
    if found.end is not None and found.is_complete:
        called = {shown.guest.seat_word(side): name for side, name in shown.names.items()}
        told = analyses.ended(found.end, called, own=shown.view if shown.live else "")
        drawn += [line(f" {row}", "title") for row in paragraphs([told], shown.columns - 2)]
    drawn.append(section(str(analyses.LOST), shown.columns))
    drawn += _lost(shown, rows - len(drawn))
    return [*drawn[:rows], *[EMPTY] * (rows - len(drawn))]


def lines(
    guest: GameConsole[Any], found: Analysis, seats: Sequence[Seat], called: Mapping[str, str], *,
    guilty: bool = False, own: str = "",
) -> Iterator[str]:  # fmt: skip
    """Yield the analysis for some seats in lines: the curves turn by turn, then the decisions that lost most."""
    names = [guest.side_name(side) for side in guest.sides]
    for point in found.points:
        of_seats = []
        for seat, name in enumerate(names):
            chance = point.chances[seat] if seat in seats else None
            parts = [] if chance is None else [(str(analyses.CHANCE), percent(chance))]
            held = zip(guest.stocks.values(), point.stocks, strict=True)
            parts += [(str(stock), str(amounts[seat])) for stock, amounts in held]
            of_seats.append(f"{name}: {analyses.figures(parts)}")
        yield analyses.by_turn(point.turn, "; ".join(of_seats))
    if found.end is not None:
        yield analyses.ended(found.end, called, guilty=guilty, own=own)
    yield ""
    decisions = _told(guest, found.worst(seats))
    yield f"{analyses.LOST}:" if decisions else str(analyses.NOTHING_LOST)
    for first, second in decisions:
        yield f"  {first}"
        yield f"     {second}"


def curves(shown: Replay, found: Analysis) -> list[Line]:
    """Return the curves: the chances of those whose view it is, then what each side had of each stock."""
    guest = console_of(shown.guest)
    names = [guest.side_name(side) for side in guest.sides]
    rows: list[tuple[str, list[float], float, Callable[[float], str]]] = []
    for seat in judged_seats(shown):
        chances = [point.chances[seat] for point in found.points]
        rows.append((f"{analyses.CHANCE} {names[seat]}", [one or 0.0 for one in chances], 1.0, percent))
    for number, stock in enumerate(guest.stocks.values()):
        highest = max((amount for point in found.points for amount in point.stocks[number]), default=1)
        for seat, name in enumerate(names):
            values = [float(point.stocks[number][seat]) for point in found.points]
            rows.append((f"{stock} {name}", values, float(max(highest, 1)), lambda value: str(round(value))))
    label = max(line_width(name) for name, _, _, _ in rows)
    room = shown.columns - label - 2 * _VALUE - 5
    scale = signs(unicode=shown.unicode).scale
    drawn: list[Line] = []
    for name, values, most, tell in rows if found.points else ():
        first, latest = f"{tell(values[0]):>{_VALUE}} ", f" {tell(values[-1])}"
        curve = _curve(values, most, room, scale)
        drawn.append((("", f" {name:<{label}} "), ("dim", first), ("own", curve), ("title", latest)))
    return drawn


def _curve(values: Sequence[float], most: float, room: int, scale: str) -> str:
    """Return values as signs of a scale, at most ``room`` of them; where there are more, some are left out."""
    count = min(len(values), room)
    each = max(1, min(_MOST_EACH, room // count))
    chosen = [values[number * (len(values) - 1) // max(1, count - 1)] for number in range(count)]
    last = len(scale) - 1
    return "".join(scale[min(last, max(0, round(value / most * last)))] * each for value in chosen)


def _lost(shown: Replay, rows: int) -> list[Line]:
    """Return the decisions that lost most, whole where there is room, else each in two rows."""
    told = _told(console_of(shown.guest), worst(shown))
    if not told:
        return [] if shown.analysing else [line(f" {analyses.NOTHING_LOST}")]
    columns = shown.columns - 2
    found: list[Line] = []
    for first, second in told:
        found += [line(f" {row}", "title") for row in paragraphs([first], columns)]
        found += [line(f" {row}") for row in paragraphs([f"   {second}"], columns)]
    if len(found) <= rows:
        return found
    return [
        row for first, second in told
        for row in (line(f" {shorten(first, columns)}", "title"), line(f"    {shorten(second, columns - 3)}"))
    ]  # fmt: skip


def _told(guest: GameConsole[Any], decisions: Sequence[Judged]) -> list[tuple[str, str]]:
    analyst = guest.analyst
    assert analyst is not None, "an analysis comes from somebody"
    return [
        analyses.decision(number, judged, guest.side_name(guest.sides[judged.seat]), guest.name_action, analyst.reason)
        for number, judged in enumerate(decisions, 1)
    ]
