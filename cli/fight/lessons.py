"""The rules on five boards.  Each is a position that the engine loads, and actions that it carries out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

from cli.clean import shorten
from cli.console.learn import Judged, Verdict
from cli.console.messages import Act, Match, NotUnderstood, View
from cli.console.render.spans import EMPTY, Line, finer, fitted, line, plain, section, wrapped
from cli.console.screen_state import Model
from cli.fight import reading, render
from cli.fight.console import FIGHT
from cli.fight.text import lessons
from cli.fight.vocabulary import VOCABULARY
from cli.text.typed import only_in_a_match
from cli.text.wording import fill
from storm_p2p.fight import notation, positions, views
from storm_p2p.fight.card_file import load_reconstructed
from storm_p2p.fight.table import Table

if TYPE_CHECKING:
    from cli.console.learn import Learn

LEARNER: Final = 0


@dataclass(frozen=True, slots=True)
class Page:
    """One picture of a lesson, and what is to be done on it."""

    text: str
    """The name of its sentence in ``cli.fight.text.lessons``."""
    goal: str = ""
    """What solves it, in the words of the notation; nothing where nothing is asked for."""


@dataclass(frozen=True, slots=True)
class Lesson:
    """One board."""

    title: str
    position: Mapping[str, Any] = field(hash=False)
    pages: tuple[Page, ...]


def _at(own: Mapping[int, Any], enemy: Mapping[int, Any] | None = None, *hand: int) -> dict[str, Any]:
    sides = [[side.get(space) for space in range(1, 7)] for side in (own, enemy or {})]
    return {"sides": sides, "hands": [list(hand), [92]], "pile": [90, 91, 94, 95], "number": 2}


LESSONS: Final[tuple[Lesson, ...]] = (
    Lesson("PAYING", _at({}, None, 62, 3, 16), (Page("PAYING_1", goal="play 62 1 pay 3"), Page("PAYING_2"))),
    Lesson("SCORING", _at({1: {"card": 62}}), (Page("SCORING_1", goal="end"), Page("SCORING_2"))),
    Lesson(
        "FIGHTING",
        _at({2: {"card": 62}}, {2: {"card": 72, "damage": 2}}),
        (Page("FIGHTING_1", goal="end"), Page("FIGHTING_2")),
    ),
    Lesson(
        "MARKERS",
        _at({4: {"card": 62}}),
        (Page("MARKERS_1", goal="end"), Page("MARKERS_2", goal="marker red"), Page("MARKERS_3")),
    ),
    Lesson(
        "FULL",
        _at({space: {"card": card} for space, card in enumerate((62, 68, 74, 80, 78), 1)}, None, 66),
        (Page("FULL_1", goal="play 66 6"), Page("FULL_2")),
    ),
)
PAGES: Final = tuple(tuple(bool(page.goal) for page in lesson.pages) for lesson in LESSONS)
"""Of each lesson, which of its pages ask for something."""


@lru_cache(maxsize=64)
def seen(number: int, page: int) -> views.View:
    """Return the position of a page as the learner sees it; each page before has its own solution."""
    table = _played(number, page)
    names = {entry: table.names[entry] for entry in table.state.hands[LEARNER] if entry >= 0}
    return views.View(table.state, names)


def _played(number: int, page: int) -> Table:
    lesson = LESSONS[number]
    table = positions.load_position(load_reconstructed(), lesson.position)
    for before in lesson.pages[:page]:
        if before.goal:
            assert table.state.question is not None
            hand = {table.names[entry]: entry for entry in table.state.hands[LEARNER]}
            table.decide(notation.parse_decision(before.goal, table.state, hand))
    return table


def judge(shown: Learn, line: str) -> Judged:
    """Return the judgement of a line: the engine says what is allowed, the page what it asks for."""
    page, view = LESSONS[shown.lesson].pages[shown.page], seen(shown.lesson, shown.page)
    hint = fill(lessons.EXAMPLE, line=VOCABULARY.say(page.goal))
    if not line:
        return Judged(Verdict.STAY, (hint,))
    try:
        command = reading.parse(line, view, LEARNER)
        if isinstance(command, View) and command.what == "card":
            card = reading.find_card(" ".join(command.args), view.cards, range(len(view.cards.cards)))
            return Judged(Verdict.STAY, tuple(render.card_lines(view.card(card), [card])))
    except NotUnderstood as refused:
        return Judged(Verdict.STAY, (str(refused), hint))
    if isinstance(command, Match) and command.what in ("bye", "continue"):
        return Judged(Verdict.LEAVE if command.what == "bye" else Verdict.ON)
    if not isinstance(command, Act):
        asked = isinstance(command, Match) and command.what == "hint"
        return Judged(Verdict.STAY, (hint,) if asked else (only_in_a_match(line), hint))
    if command.action != notation.parse_decision(page.goal, view.state, view.known_hand(LEARNER)):
        return Judged(Verdict.STAY, (str(lessons.OTHERWISE), hint))
    return Judged(Verdict.SOLVED, (fill(lessons.SOLVED, line=VOCABULARY.say(page.goal)),), page.goal)


def text(number: int, page: int) -> str:
    """Return what a page says."""
    return str(getattr(lessons, LESSONS[number].pages[page].text))


def task(number: int, page: int) -> str:
    """Return what a page asks for, or nothing."""
    found = LESSONS[number].pages[page]
    return str(getattr(lessons, f"{found.text}_TASK")) if found.goal else ""


def _head(shown: Learn) -> str:
    title = getattr(lessons, LESSONS[shown.lesson].title)
    return fill(lessons.HEAD, number=shown.lesson + 1, count=len(LESSONS), title=title)


def _board(shown: Learn, columns: int, rows: int) -> list[Line]:
    view = seen(shown.lesson, shown.page)
    game = Model(FIGHT, LEARNER, view.cards, str(lessons.ENEMY), state=view)
    return render.draw(game, columns, rows)[0]


def tell(shown: Learn) -> list[str]:
    """Return a page as lines: the title of its lesson, its board, what it says and what it asks for."""
    found = [] if shown.page else ["", _head(shown)]
    found += [plain(row).rstrip() for row in _board(shown, 80, 20)]
    return [*found, text(shown.lesson, shown.page), *filter(None, (task(shown.lesson, shown.page),))]


def draw(shown: Learn) -> tuple[Line, ...]:
    """Return every row of the window."""
    rows: list[Line] = [(("head", " " + shorten(_head(shown), shown.columns - 1)),)]
    rows += _board(shown, shown.columns, render.ROWS + 3)
    rows.append(section("", shown.columns))
    rows = [finer(row) for row in rows] if shown.unicode else rows
    told = [("warn" if shown.wrong else "gain", answer) for answer in shown.answer]
    told += [] if shown.wrong else [("title", text(shown.lesson, shown.page))]
    told += [("free", task(shown.lesson, shown.page))] if shown.asks else []
    rows += [line(f" {row}", style) for style, part in told for row in wrapped(part, shown.columns - 3, "")]
    most = shown.rows - (2 if shown.asks else 1)
    rows = rows[:most]
    rows += [EMPTY] * (most - len(rows))
    rows += [(("prompt", " > "), ("", f"{shown.typed}_"))] if shown.asks else []
    rows.append(line(f" {lessons.HINT_TASK if shown.asks else lessons.HINT_LAST if shown.last else lessons.HINT}"))
    return tuple(fitted(row, shown.columns, "head" if number == 0 else "") for number, row in enumerate(rows))


def click(shown: Learn, row: int, column: int) -> str:
    """Return the key that a click stands for: to go on where nothing is asked."""
    return "" if shown.asks else "right"
