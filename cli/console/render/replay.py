"""The picture of a replay: head, board and panel, what happened, comment, keys.  Pure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from cli.console.render import board, panel
from cli.console.render.board import Marks
from cli.console.render.panel import Looker
from cli.console.render.spans import EMPTY, Line, beside, fitted, flowed, joined, line, paragraphs, section, wrapped
from cli.console.replay import Asking, Replay, Step, comment
from cli.storm.model import Model
from cli.text import replays as said
from cli.text.wording import fill
from storm_p2p.storm import events as ev
from storm_p2p.storm.board import OTHER, Faction
from storm_p2p.storm.state import Phase, State

_LARGE_COLUMNS = 118
_LARGE_ROWS = 38
_GAP = 2
_NAMES, _TURN, _ALWAYS = range(3)
"""What the head leaves out first when it has no room; the names stand in the panel, too."""
_SEES: Final[Mapping[str, frozenset[Faction]]] = {
    "public": frozenset(), "chthonians": frozenset({Faction.CHTHONIANS}), "olympians": frozenset({Faction.OLYMPIANS}),
    "all": frozenset(Faction),
}  # fmt: skip
"""The sides whose units are known in a view."""
_FOOT = 3
"""Rows below what happened: comment or what is typed, and two of keys."""


def render(shown: Replay) -> tuple[Line, ...]:
    """Return every row of the window."""
    rows = [_head(shown), *_middle(shown, shown.rows - _FOOT - 1)]
    rows += _foot(shown)
    return tuple(fitted(row, shown.columns, "head" if number == 0 else "") for number, row in enumerate(rows))


def _middle(shown: Replay, rows: int) -> list[Line]:
    if shown.helping:
        told = paragraphs(map(str, (*said.HELP_KEYS, "", *said.HELP_READING)), shown.columns - 2)
        found = [section(str(said.HELP), shown.columns), *(line(f" {row}") for row in told)]
        return [*found[:rows], *[EMPTY] * (rows - len(found))]
    large = shown.columns >= _LARGE_COLUMNS and shown.rows >= _LARGE_ROWS
    drawn = _board(shown, large=large)
    return [*drawn, *_story(shown, rows - len(drawn))]


def at(shown: Replay) -> str:
    """Return which step is shown."""
    return fill(said.AT, at=shown.at + 1, last=shown.last + 1)


def _head(shown: Replay) -> Line:
    step = shown.step
    turn = fill(said.TURN, turn=step.state.number if step is not None else 0)
    if shown.live:
        # What the match asks meanwhile comes before everything but the step.
        live = [(_TURN, str(said.LIVE)), (_ALWAYS, at(shown)), (_NAMES, turn), (_ALWAYS, shown.now)]
        return (("head", " " + joined(live, shown.columns - 1)),)
    parts = [
        (_ALWAYS, str(said.HEAD)),
        (_NAMES, " - ".join(shown.names)),
        (_ALWAYS, at(shown)),
        (_TURN, turn),
        (_ALWAYS, str(said.VIEWS[shown.view])),
    ]
    if any(at == shown.at for at, _ in shown.marks):
        parts.append((_ALWAYS, str(said.MARKED)))
    return (("head", " " + joined(parts, shown.columns - 1)),)


def side(shown: Replay) -> Faction:
    """Return whose units stand in capitals."""
    return Faction.OLYMPIANS if shown.view == "olympians" else Faction.CHTHONIANS


def _board(shown: Replay, *, large: bool) -> list[Line]:
    size = board.LARGE if large else board.SMALL
    step = shown.step
    if step is None or (step.state.phase == Phase.SETUP and not any(map(any, step.state.sides))):
        return [EMPTY] * size.rows
    me = side(shown)
    state = _named(step.state, OTHER[me]) if shown.view == "all" else step.state
    drawn = board.draw(state.sides, me, _marks(step), large=large, unicode=shown.unicode)
    game = Model(me, shown.terms, shown.names[OTHER[me]], state=step.state)
    start = size.columns + _GAP
    looker = Looker(shown.names[me], _SEES[shown.view])
    beside_it = panel.draw(game, shown.columns - start, size.rows, unicode=shown.unicode, looker=looker)
    return beside(drawn, beside_it, start)


def _named(state: State, faction: Faction) -> State:
    """Return the state with the units of a side shown by name wherever they are known to the view."""
    sides = [list(state.sides[0]), list(state.sides[1])]
    sides[faction] = [
        tuple(token._replace(known=token.known or token.unit is not None) for token in group)
        for group in state.sides[faction]
    ]
    return state._replace(sides=(tuple(sides[0]), tuple(sides[1])))


def _marks(step: Step) -> Marks:
    """Return what the step marks on the board: where it began and where it went."""
    for event in step.events:
        if isinstance(event, ev.Moved | ev.Sneaked):
            return Marks(origin=event.path[0], target=event.path[-1])
        if isinstance(event, ev.Retreated):
            return Marks(origin=event.region, target=event.target)
        if isinstance(event, ev.CombatBegan | ev.RoundBegan | ev.Struck):
            return Marks(target=event.region)
    combat = step.state.combat
    return Marks(target=combat.region) if combat is not None else Marks()


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
    found = found if steps else [line(f" {said.NO_STEPS}")]
    title = f"{said.LOG} | {shown.clock}" if shown.clock else str(said.LOG)
    return [section(title, shown.columns), *found, *[EMPTY] * (room - len(found))]


def _numbered(at: int, text: str) -> str:
    return f"{at + 1:4}  {text}"


def _told(step: Step, at: int, columns: int, rows: int) -> list[str]:
    """Return the lines of a step; many of them follow on one another."""
    found = paragraphs((_numbered(at, text) for text in step.lines), columns)
    return found if len(found) <= rows else flowed((_numbered(at, "; ".join(step.lines)),), columns, rows)


def _foot(shown: Replay) -> list[Line]:
    view = fill(said.HINT_MORE, keys="1-4")
    if shown.asking == Asking.COMMENT:
        return [line(" " + fill(said.COMMENT_PROMPT, typed=shown.typed)), line(f" {said.COMMENT_HINT}"), EMPTY]
    if shown.asking == Asking.JUMP:
        return [line(" " + fill(said.JUMP_PROMPT, typed=shown.typed)), line(f" {said.JUMP_HINT}"), EMPTY]
    text = shown.notice or comment(shown)
    label = f" {said.COMMENT}: " if text and not shown.notice else " "
    hints = [said.HINT_LIVE, said.HINT_LIVE_MORE] if shown.live else [said.HINT, view]
    return [(("dim", label), ("title", text)), *(line(f" {hint}") for hint in hints)]

