"""The picture of a replay: head, board and panel, what happened, comment, keys.  Pure."""

from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Final

from cli.clean import clean, shorten
from cli.console.guest import AnyConsole, name_sides
from cli.console.render import spans
from cli.console.render.spans import EMPTY, Line, Span, line, paragraphs, section, wrapped
from cli.console.replay import STEP, Analysis, Asking, Judged, Replay, Step, chances, comment, judged_seats, worst
from cli.console.screen_state import Model
from cli.text import analyses, matches, wording
from cli.text.analyses import percent
from cli.text.wording import fill
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
        if len(judged_seats(shown)) > 1:
            title = f"{title} | {analyses.EACH_KNEW}"
    drawn = [section(title, shown.columns)]
    if not found.seats:
        drawn += [line(f" {row}") for row in paragraphs([str(analyses.NOT_OPENED)], shown.columns - 2)]
        return [*drawn, *[EMPTY] * (rows - len(drawn))]
    drawn += curves(shown, found)
    if found.end is not None and found.is_complete:
        called = {shown.guest.seat_word(side): name for side, name in shown.names.items()}
        told = analyses.ended(found, found.end, called, own=shown.view if shown.live else "")
        drawn += [line(f" {row}", "title") for row in paragraphs([told], shown.columns - 2)]
    drawn.append(section(str(analyses.LOST), shown.columns))
    drawn += _lost(shown, rows - len(drawn))
    return [*drawn[:rows], *[EMPTY] * (rows - len(drawn))]


def analysis_lines(
    guest: AnyConsole,
    terms: object,
    found: Analysis,
    seats: Sequence[Seat],
    called: Mapping[str, str],
    *,
    guilty: bool = False,
    own: str = "",
) -> Iterator[str]:
    """Yield the analysis for some seats in lines: the curves turn by turn, then the decisions that lost most."""
    names = name_sides(guest, map(clean, called.values()))
    if len(seats) > 1:
        yield f"{wording.opening(str(analyses.CHANCE))}: {analyses.EACH_KNEW}."
    for number, point in enumerate(found.points, 1):
        of_seats = []
        for seat, name in enumerate(names):
            chance = point.chances[seat] if seat in seats else None
            parts = [] if chance is None else [(str(analyses.CHANCE), percent(chance))]
            held = zip(guest.stocks.values(), point.stocks, strict=True)
            parts += [(str(stock), str(amounts[seat])) for stock, amounts in held]
            of_seats.append(f"{name}: {analyses.figures(parts)}")
        told = "; ".join(of_seats)
        # The last point of a match that is over is the end itself, in the turn that has one already.
        is_end = found.end is not None and number == len(found.points)
        yield analyses.at_end(told) if is_end else analyses.by_turn(point.turn, told)
    if found.end is not None:
        yield analyses.ended(found, found.end, called, guilty=guilty, own=own)
    yield ""
    decisions = tell_decisions(guest, terms, found.worst(seats), names)
    yield f"{analyses.LOST}:" if decisions else str(analyses.NOTHING_LOST)
    for first, second in decisions:
        yield f"  {first}"
        yield f"     {second}"


def curves(shown: Replay, found: Analysis) -> list[Line]:
    """Return the curves: the chances of those whose view it is, then what each side had of each stock."""
    guest = shown.guest
    names = name_sides(guest, shown.names.values())
    rows: list[tuple[str, list[float], float, Callable[[float], str]]] = []
    for seat in judged_seats(shown):
        chances = [point.chances[seat] for point in found.points]
        rows.append((f"{analyses.CHANCE} {names[seat]}", [one or 0.0 for one in chances], 1.0, percent))
    for number, stock in enumerate(guest.stocks.values()):
        highest = max((amount for point in found.points for amount in point.stocks[number]), default=1)
        for seat, name in enumerate(names):
            values = [float(point.stocks[number][seat]) for point in found.points]
            rows.append((f"{stock} {name}", values, float(max(highest, 1)), lambda value: str(round(value))))
    label = max(spans.line_width(name) for name, _, _, _ in rows)
    room = shown.columns - label - 2 * _VALUE - 5
    scale = spans.signs(unicode=shown.unicode).scale
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


_CURVE_ROWS = 3
_COARSE: Final = str.maketrans(spans.BLOCKS["##"] + spans.BLOCKS["# "] + spans.BLOCKS[" #"], ":'.")
"""Signs of ASCII for half blocks."""
_MATTERED = 3
"""So many decisions are told at the end of a match."""


def verdict(model: Model, found: Analysis, columns: int, *, unicode: bool) -> list[Line]:
    """Return how the player's chances went in a match that is over, and their decisions that mattered most."""
    guest, seat = model.guest, model.guest.sides.index(model.side)
    if not found.is_complete:
        return [line(row, "dim") for row in wrapped(str(analyses.WORKING), columns)]
    chances = [one for point in found.points if (one := point.chances[seat]) is not None]
    if not chances:
        return [line(row) for row in wrapped(str(analyses.NOT_OPENED), columns)]
    sign = spans.signs(unicode=unicode)
    head = f"{analyses.CHANCE}: {percent(chances[0])} {sign.arrow} {percent(chances[-1])}"
    curve = [row if unicode else row.translate(_COARSE) for row in _line(chances, columns)]
    players = [str(matches.YOU) if side == model.side else model.opponent for side in guest.sides]
    names = name_sides(guest, players)
    told = tell_decisions(guest, model.terms, found.worst((seat,))[:_MATTERED], names)
    called = dict(zip(map(guest.seat_word, guest.sides), players, strict=True))
    own = guest.seat_word(model.side)
    gave_up = "" if found.end is None else analyses.given_up(found, found.end, called, own=own)
    heading = str(analyses.LOST) if told else gave_up or str(analyses.NOTHING_LOST)
    rows = [line(head, "title"), *(line(row, "own") for row in curve), EMPTY]
    rows += [line(row, "title") for row in wrapped(heading, columns)]
    for first, second in told:
        rows += [line(row) for row in wrapped(first, columns)]
        rows += [line(f"  {row}", "dim") for row in wrapped(second, columns - 2, "")]
    return rows


def _line(values: Sequence[float], columns: int) -> list[str]:
    """Return values from 0 to 1 as a line of half blocks across so many columns."""
    top = 2 * _CURVE_ROWS - 1
    found = [round((1 - values[at * (len(values) - 1) // max(1, columns - 1)]) * top) for at in range(columns)]
    # Each point goes on from the one before it.
    runs = [range(min(pair), max(pair) + 1) for pair in zip([found[0], *found], found, strict=False)]
    points = ["".join("#" if row in one else " " for one in runs) for row in range(top + 1)]
    return [
        "".join(map(spans.BLOCKS.__getitem__, map("".join, zip(*points[at : at + 2], strict=True))))
        for at in range(0, top, 2)
    ]


def _lost(shown: Replay, rows: int) -> list[Line]:
    """Return the decisions that lost most, whole where there is room, else each in two rows."""
    told = tell_decisions(shown.guest, shown.terms, worst(shown), name_sides(shown.guest, shown.names.values()))
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
        row
        for first, second in told
        for row in (line(f" {shorten(first, columns)}", "title"), line(f"    {shorten(second, columns - 3)}"))
    ]


def tell_decisions(
    guest: AnyConsole, terms: object, decisions: Sequence[Judged], names: Sequence[str]
) -> list[tuple[str, str]]:
    """Return decisions that lost something, each with what would have been better; ``names`` are those of the sides."""
    tell = partial(guest.tell_action, terms=terms)
    reason = partial(guest.reason, names=names)
    return [
        analyses.decision(number, judged, names[judged.seat], tell, reason)
        for number, judged in enumerate(decisions, 1)
    ]


_NAMES, _TURN, _ALWAYS = range(3)
"""What the head leaves out first when it has no room; the names stand in the panel, too."""
_FOOT = 4
"""Rows below what happened: the bar of all steps, comment or what is typed, and two of keys; above them a curve.

The analysis leaves out all but the bar and its keys."""


def render(shown: Replay) -> tuple[Line, ...]:
    """Return every row of the window."""
    below = [_bar(shown), *_curve_below(shown), *_foot(shown)]
    rows = [_head(shown), *_middle(shown, shown.rows - len(below) - 1), *below]
    rows = [spans.finer(row) for row in rows] if shown.unicode else rows
    return tuple(spans.fitted(row, shown.columns, "head" if number == 0 else "") for number, row in enumerate(rows))


def _middle(shown: Replay, rows: int) -> list[Line]:
    if shown.helping:
        told = paragraphs(map(str, shown.guest.replay_help), shown.columns - 2)
        found = [section(str(analyses.HELP), shown.columns), *(line(f" {row}") for row in told)]
        return [*found[:rows], *[EMPTY] * (rows - len(found))]
    if shown.charted:
        return page(shown, rows)
    step = shown.step
    drawn = shown.guest.draw_replay(shown, None if step is None else step.state, shown.terms)
    return [*drawn, *_story(shown, rows - len(drawn))]


def at(shown: Replay) -> str:
    """Return which step is shown."""
    return fill(analyses.AT, at=shown.at + 1, last=shown.last + 1)


def _head(shown: Replay) -> Line:
    step = shown.step
    turn = fill(analyses.TURN, turn=0 if step is None else shown.guest.turn(step.state))
    if shown.live:
        # What the match asks meanwhile comes before everything but the step.
        live = [(_TURN, str(analyses.LIVE)), (_ALWAYS, at(shown)), (_NAMES, turn), (_ALWAYS, shown.now)]
        return (("head", " " + spans.joined(live, shown.columns - 1)),)
    parts = [
        (_ALWAYS, str(analyses.WATCHING if shown.watching else analyses.HEAD)),
        (_NAMES, " - ".join(shown.names.values())),
        (_ALWAYS, at(shown)),
        (_TURN, turn),
        (_ALWAYS, view_name(shown)),
    ]
    if any(at == shown.at for at, _ in shown.marks):
        parts.append((_ALWAYS, str(analyses.MARKED)))
    return (("head", " " + spans.joined(parts, shown.columns - 1)),)


def view_name(shown: Replay) -> str:
    """Return whose knowledge is shown."""
    side = next((side for side in shown.guest.sides if shown.guest.seat_word(side) == shown.view), None)
    return str(analyses.VIEWS[shown.view]) if side is None else fill(analyses.VIEW_OF, side=shown.guest.side_name(side))


def _story(shown: Replay, rows: int) -> list[Line]:
    """Return what the present step did, whole, after as much of what came before it as there is room for."""
    steps, columns, room = shown.steps[shown.view], shown.columns - 1, rows - 1
    found = [line(row, "title") for row in _told(shown.told(shown.at), shown.at, columns, room)] if steps else []
    for at in range(shown.at - 1, -1, -1):
        for text in reversed(shown.told(at).lines):
            told = [line(row, "dim") for row in spans.wrapped(_numbered(at, text), columns)]
            if len(found) + len(told) > room:
                break
            found[:0] = told
        else:
            continue
        break
    found = found if steps else [line(f" {analyses.NO_STEPS}")]
    title = f"{analyses.LOG} | {shown.clock}" if shown.clock else str(analyses.LOG)
    return [section(title, shown.columns), *found, *[EMPTY] * (room - len(found))]


def _numbered(at: int, text: str) -> str:
    return f"{at + 1:4}  {text}"


def _told(step: Step, at: int, columns: int, rows: int) -> list[str]:
    """Return the lines of a step; many of them follow on one another."""
    found = paragraphs((_numbered(at, text) for text in step.lines), columns)
    return found if len(found) <= rows else spans.flowed((_numbered(at, "; ".join(step.lines)),), columns, rows)


def _bar(shown: Replay) -> Line:
    """Return all steps as a bar: what was shown is filled; ``*`` and ``!`` are the game's, ``#`` is a mark."""
    steps, room = shown.steps[shown.view], shown.columns - 2
    if not steps:
        return EMPTY
    sign = spans.signs(unicode=shown.unicode)
    marked = {at for at, _ in shown.marks}
    drawn: list[Span] = [("", " ")]
    for column in range(room):
        within = range(*(_first_step(shown, end) for end in (column, column + 1))) or (_first_step(shown, column),)
        passed = within[0] <= shown.at
        char = sign.full if passed else sign.empty
        signs = {shown.guest.sign(event) for at in within for event in steps[at].events}
        signs |= set() if marked.isdisjoint(within) else {"#"}
        char = next((one for one in "#*!" if one in signs), char)
        drawn.append(("picked" if shown.at in within else "own" if passed else "dim", char))
    return spans.joined_cells(drawn)


def _curve_below(shown: Replay) -> list[Line]:
    """Return the chances of the first seat that is judged, a sign below each column of the bar; none without any."""
    found = next(iter(chances(shown).values()), ()) if not shown.charted else ()
    if not found:
        return []
    scale = spans.signs(unicode=shown.unicode).scale
    columns = [_first_step(shown, column) for column in range(shown.columns - 2)]
    at = columns.index(shown.at) if shown.at in columns else bisect_left(columns, shown.at) - 1
    curve = "".join(scale[round(found[min(step, len(found) - 1)] * (len(scale) - 1))] for step in columns)
    return [(("", " "), ("own", curve[:at]), ("picked", curve[at : at + 1]), ("dim", curve[at + 1 :]))]


def _chances_told(shown: Replay) -> str:
    """Return the chances at the present step, or nothing."""
    names = name_sides(shown.guest, shown.names.values())
    told = [f"{names[seat]} {percent(found[min(shown.at, len(found) - 1)])}" for seat, found in chances(shown).items()]
    return f"{analyses.CHANCE}: {', '.join(told)}" if told else ""


def _first_step(shown: Replay, column: int) -> int:
    """Return the first step that a column of the bar stands for."""
    return min(shown.last, column * (shown.last + 1) // (shown.columns - 2))


def step_at(shown: Replay, row: int, column: int) -> str:
    """Return the key that a click stands for: a step of the bar, or the next one."""
    last = shown.rows - _FOOT
    on_bar = last - len(_curve_below(shown)) <= row <= last and 1 <= column < shown.columns - 1
    return f"{STEP}{_first_step(shown, column - 1)}" if on_bar else "right"


def _foot(shown: Replay) -> list[Line]:
    if shown.asking == Asking.COMMENT:
        return [line(" " + fill(analyses.COMMENT_PROMPT, typed=shown.typed)), line(f" {analyses.COMMENT_HINT}"), EMPTY]
    if shown.asking == Asking.JUMP:
        return [line(" " + fill(analyses.JUMP_PROMPT, typed=shown.typed)), line(f" {analyses.JUMP_HINT}"), EMPTY]
    if shown.charted:
        count = len(worst(shown))
        keys = f"1-{count}" if count > 1 else "1"
        return [line(" " + fill(analyses.HINT if count else analyses.HINT_NONE, keys=keys))]
    text = shown.notice or comment(shown)
    label = f" {analyses.COMMENT}: " if text and not shown.notice else " "
    text = text or _chances_told(shown)
    live = [analyses.HINT_LIVE, analyses.HINT_OVER if shown.over else analyses.HINT_LIVE_MORE]
    hints = live if shown.live else [analyses.REPLAY_HINT, analyses.HINT_MORE]
    analysis_key = "" if shown.guest.adviser is None else str(analyses.ANALYSIS)
    gaps = {"keys": f"1-{len(shown.views)}", "landmarks": str(shown.guest.landmark_keys), "analysis": analysis_key}
    told = ("   ".join(filter(None, fill(hint, **gaps).split("   "))) for hint in hints)
    return [(("dim", label), ("title", text)), *(line(f" {hint}") for hint in told)]
