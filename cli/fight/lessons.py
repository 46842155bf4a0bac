"""The rules on five boards.  Each is a position that the engine loads, and actions that it carries out."""

from collections.abc import Mapping
from functools import lru_cache
from typing import Final

from cli.console.learn import Learn, Lesson, Lessons, Page, Step, solve, stay
from cli.console.messages import Act, Command, View
from cli.console.render.spans import Line, plain
from cli.fight import reading, render
from cli.fight.console import FIGHT, brush_of
from cli.fight.model import Model
from cli.fight.reading import VOCABULARY
from cli.fight.text import lessons
from cli.text.screens import LESSON_ENEMY, LESSON_OTHERWISE, LESSON_SOLVED
from cli.text.wording import fill
from storm_p2p.fight import notation, positions
from storm_p2p.fight.card_file import load_reconstructed
from storm_p2p.fight.positions import Table
from storm_p2p.fight.state import View as Seen

LEARNER: Final = 0


def _at(own: Mapping[int, object], enemy: Mapping[int, object] | None = None, *hand: int) -> dict[str, object]:
    sides = [[side.get(space) for space in range(1, 7)] for side in (own, enemy or {})]
    return {"sides": sides, "hands": [list(hand), [92]], "pile": [90, 91, 94, 95], "number": 2}


_BOARDS: Final[tuple[Lesson[Page], ...]] = (
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


@lru_cache(maxsize=64)
def seen(number: int, page: int) -> Seen:
    """Return the position of a page as the learner sees it; each page before has its own solution."""
    table = _played(number, page)
    names = {entry: table.names[entry] for entry in table.state.hands[LEARNER] if entry >= 0}
    return Seen(table.state, names)


def _played(number: int, page: int) -> Table:
    lesson = _BOARDS[number]
    table = positions.load_position(load_reconstructed(), lesson.position)
    for before in lesson.pages[:page]:
        if before.goal:
            assert table.state.question is not None
            hand = {table.names[entry]: entry for entry in table.state.hands[LEARNER]}
            table.decide(notation.parse_decision(before.goal, table.state, hand))
    return table


def _example(number: int, page: int) -> str:
    return VOCABULARY.say(_BOARDS[number].pages[page].goal)


def _read(shown: Learn, line: str) -> Command | tuple[str, ...]:
    view = seen(shown.lesson, shown.page)
    command = reading.parse(line, view, LEARNER)
    if isinstance(command, View) and command.what == "card":
        card = reading.find_card(" ".join(command.args), view.cards, range(len(view.cards.cards)))
        return tuple(render.card_lines(view.card(card), card))
    return command


def _solve(shown: Learn, act: Act, hint: str) -> Step:
    goal, view = _BOARDS[shown.lesson].pages[shown.page].goal, seen(shown.lesson, shown.page)
    if act.action != notation.parse_decision(goal, view.state, view.known_hand(LEARNER)):
        return stay(shown, str(LESSON_OTHERWISE), hint)
    return solve(shown, goal, fill(LESSON_SOLVED, line=VOCABULARY.say(goal)))


def _board(shown: Learn, columns: int, rows: int, brush: render.Brush) -> list[Line]:
    view = seen(shown.lesson, shown.page)
    game = Model(FIGHT, LEARNER, view.cards, str(LESSON_ENEMY), state=view)
    return render.draw(game, columns, rows, brush=brush)[0]


def _tell_board(shown: Learn) -> list[str]:
    return [plain(row).rstrip() for row in _board(shown, 80, 20, render.Brush())]


def _draw_board(shown: Learn) -> tuple[list[Line], bool]:
    return _board(shown, shown.columns, render.ROWS + 3, brush_of(shown)), False


LESSONS: Final = Lessons(lessons, _BOARDS, _tell_board, _draw_board, _example, _read, _solve)
