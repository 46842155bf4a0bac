"""The picture of a replay: head, board and panel, what happened, comment, keys.  Pure."""

from cli.console.guest import console_of
from cli.console.render import analysis
from cli.console.render.spans import EMPTY, Line, finer, fitted, flowed, joined, line, paragraphs, section, wrapped
from cli.console.replay import Asking, Replay, Step, comment, worst
from cli.text import analyses
from cli.text.wording import fill

_NAMES, _TURN, _ALWAYS = range(3)
"""What the head leaves out first when it has no room; the names stand in the panel, too."""
_FOOT = 3
"""Rows below what happened: comment or what is typed, and two of keys."""


def render(shown: Replay) -> tuple[Line, ...]:
    """Return every row of the window."""
    rows = [_head(shown), *_middle(shown, shown.rows - _FOOT - 1)]
    rows += _foot(shown)
    rows = [finer(row) for row in rows] if shown.unicode else rows
    return tuple(fitted(row, shown.columns, "head" if number == 0 else "") for number, row in enumerate(rows))


def _middle(shown: Replay, rows: int) -> list[Line]:
    if shown.helping:
        told = paragraphs(map(str, console_of(shown.guest).replay_help), shown.columns - 2)
        found = [section(str(analyses.HELP), shown.columns), *(line(f" {row}") for row in told)]
        return [*found[:rows], *[EMPTY] * (rows - len(found))]
    if shown.charted:
        return analysis.page(shown, rows)
    drawn = console_of(shown.guest).draw_replay(shown)
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
        return (("head", " " + joined(live, shown.columns - 1)),)
    parts = [
        (_ALWAYS, str(analyses.HEAD)),
        (_NAMES, " - ".join(shown.names.values())),
        (_ALWAYS, at(shown)),
        (_TURN, turn),
        (_ALWAYS, view_name(shown)),
    ]
    if any(at == shown.at for at, _ in shown.marks):
        parts.append((_ALWAYS, str(analyses.MARKED)))
    return (("head", " " + joined(parts, shown.columns - 1)),)


def view_name(shown: Replay) -> str:
    """Return whose knowledge is shown."""
    side = next((side for side in shown.guest.sides if shown.guest.seat_word(side) == shown.view), None)
    return str(analyses.VIEWS[shown.view]) if side is None else fill(analyses.VIEW_OF, side=shown.guest.side_name(side))


def _story(shown: Replay, rows: int) -> list[Line]:
    """Return what the present step did, whole, after as much of what came before it as there is room for."""
    steps, columns, room = shown.steps[shown.view], shown.columns - 1, rows - 1
    found = [line(row, "title") for row in _told(steps[shown.at], shown.at, columns, room)] if steps else []
    for at in range(shown.at - 1, -1, -1):
        for text in reversed(steps[at].lines):
            told = [line(row, "dim") for row in wrapped(_numbered(at, text), columns)]
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
    return found if len(found) <= rows else flowed((_numbered(at, "; ".join(step.lines)),), columns, rows)


def _foot(shown: Replay) -> list[Line]:
    if shown.asking == Asking.COMMENT:
        return [line(" " + fill(analyses.COMMENT_PROMPT, typed=shown.typed)), line(f" {analyses.COMMENT_HINT}"), EMPTY]
    if shown.asking == Asking.JUMP:
        return [line(" " + fill(analyses.JUMP_PROMPT, typed=shown.typed)), line(f" {analyses.JUMP_HINT}"), EMPTY]
    if shown.charted:
        count = len(worst(shown))
        keys = f"1-{count}" if count > 1 else "1"
        return [EMPTY, line(" " + fill(analyses.HINT if count else analyses.HINT_NONE, keys=keys)), EMPTY]
    text = shown.notice or comment(shown)
    label = f" {analyses.COMMENT}: " if text and not shown.notice else " "
    live = [analyses.HINT_LIVE, analyses.HINT_OVER if shown.over else analyses.HINT_LIVE_MORE]
    hints = live if shown.live else [analyses.REPLAY_HINT, analyses.HINT_MORE]
    analysis_key = "" if shown.guest.analyst is None else str(analyses.ANALYSIS)
    gaps = {"keys": f"1-{len(shown.views)}", "landmarks": str(shown.guest.landmark_keys), "analysis": analysis_key}
    told = ("   ".join(filter(None, fill(hint, **gaps).split("   "))) for hint in hints)
    return [(("dim", label), ("title", text)), *(line(f" {hint}") for hint in told)]
