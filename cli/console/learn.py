"""The lessons page by page: boards on which a move is asked for, judged and carried out.  Pure.

A game has the pages, their boards and what solves them; the frame around them is here.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import ModuleType
from typing import Any, Generic, TypeAlias, TypeVar

from cli.clean import shorten
from cli.console.messages import Act, Command, Match, NotUnderstood, View
from cli.console.render.spans import EMPTY, Line, finer, fitted, line, section, wrapped
from cli.console.screen_state import LINES
from cli.text import screens
from cli.text.wording import fill

LONGEST = 60
"""Characters of a typed line."""


@dataclass(frozen=True, slots=True)
class Learn:
    """Which page of which lesson is shown, and what was done there."""

    pages: tuple[tuple[bool, ...], ...]
    """Of each lesson, which of its pages ask for a move."""

    lesson: int = 0
    page: int = 0
    played: tuple[str, ...] = ()
    """What the learner has played on each page of this lesson before this one; nothing where no move was asked for or
    none was found, and then the game has one of its own."""
    typed: str = ""
    answer: tuple[str, ...] = ()
    """What was said to the last line."""
    wrong: bool = False
    """That line was no solution of this page; otherwise it was one of the page before."""
    columns: int = 80
    rows: int = 24
    unicode: bool = True
    theme: str = LINES
    mouse: bool = True

    @property
    def asks(self) -> bool:
        """Whether a move is asked for."""
        return self.pages[self.lesson][self.page]

    @property
    def last(self) -> bool:
        """Whether nothing comes after this page."""
        return self.lesson + 1 == len(self.pages) and self.page + 1 == len(self.pages[self.lesson])


Step: TypeAlias = tuple[Learn, object]
"""The lessons after a key or a line, and what is wished."""


@dataclass(frozen=True, slots=True)
class Page:
    """One picture of a lesson, and what is to be done on it."""

    text: str
    """The name of its sentence, which is read in the language of the moment."""
    goal: str = ""
    """What solves it, in the words of the notation; nothing where nothing is asked for."""


P = TypeVar("P", bound=Page)


@dataclass(frozen=True, slots=True)
class Lesson(Generic[P]):
    """One board."""

    title: str
    """The name of its title."""
    position: Mapping[str, object] = field(hash=False)
    pages: tuple[P, ...]


@dataclass(frozen=True, slots=True)
class Lessons:
    """The lessons of a game; lessons and their pages count from 0."""

    words: ModuleType
    """The sentences that the pages name."""
    lessons: Sequence[Lesson[Any]]
    tell_board: Callable[[Learn], list[str]]
    """Returns the board of a page in lines."""
    draw_board: Callable[[Learn], tuple[list[Line], bool]]
    """Returns the picture of a board, and whether its signs are the large ones."""
    example: Callable[[int, int], str]
    """Returns a line that solves a page, as it is typed."""
    read: Callable[[Learn, str], Command | tuple[str, ...]]
    """Returns the command that a line is, or the answer if something is looked up; or raises NotUnderstood."""
    solve: Callable[[Learn, Act, str], Step]
    """Returns the lessons after an action that the rules allow; one that solves nothing gets an example, too."""
    gaps: Callable[[bool], Mapping[str, object]] = lambda large: {}
    """Returns what fills the gaps of the sentences, with the large signs or without."""
    click: Callable[[Learn, int, int], str] = lambda shown, row, column: "" if shown.asks else "right"
    """Returns the key that a click on a row and column stands for, or nothing."""

    @property
    def pages(self) -> tuple[tuple[bool, ...], ...]:
        """Of each lesson, which of its pages ask for a move."""
        return tuple(tuple(bool(page.goal) for page in lesson.pages) for lesson in self.lessons)

    def text(self, number: int, page: int, *, large: bool = False) -> str:
        """Return what a page says."""
        return fill(getattr(self.words, self.lessons[number].pages[page].text), **self.gaps(large))

    def task(self, number: int, page: int) -> str:
        """Return what a page asks for, or nothing."""
        found = self.lessons[number].pages[page]
        return fill(getattr(self.words, f"{found.text}_TASK"), **self.gaps(False)) if found.goal else ""

    def _head(self, number: int) -> str:
        title = getattr(self.words, self.lessons[number].title)
        return fill(screens.LESSON, number=number + 1, count=len(self.lessons), title=title)

    def tell(self, shown: Learn) -> list[str]:
        """Return a page as lines: the title of its lesson, its board, what it says and what it asks for."""
        at = shown.lesson, shown.page
        found = [] if shown.page else ["", self._head(shown.lesson)]
        return [*found, *self.tell_board(shown), self.text(*at), *filter(None, (self.task(*at),))]

    def draw(self, shown: Learn) -> tuple[Line, ...]:
        """Return every row of the window.

        A line that was no solution is answered in place of what the page says, which was read before.
        """
        at = shown.lesson, shown.page
        board, large = self.draw_board(shown)
        rows: list[Line] = [(("head", " " + shorten(self._head(shown.lesson), shown.columns - 1)),), *board]
        rows.append(section("", shown.columns))
        rows = [finer(row) for row in rows] if shown.unicode else rows
        told = [("warn" if shown.wrong else "gain", answer) for answer in shown.answer]
        told += [] if shown.wrong else [("title", self.text(*at, large=large))]
        told += [("free", self.task(*at))] if shown.asks else []
        rows += [line(f" {row}", style) for style, part in told for row in wrapped(part, shown.columns - 3, "")]
        most = shown.rows - (2 if shown.asks else 1)
        rows = rows[:most]
        rows += [EMPTY] * (most - len(rows))
        rows += [(("prompt", " > "), ("", f"{shown.typed}_"))] if shown.asks else []
        hint = screens.LESSON_HINT_LAST if shown.last else screens.LESSON_HINT
        rows.append(line(f" {screens.LESSON_HINT_TASK if shown.asks else hint}"))
        return tuple(fitted(row, shown.columns, "head" if number == 0 else "") for number, row in enumerate(rows))

    def enter(self, shown: Learn, line: str) -> Step:
        """Return the lessons after a finished line: the engine says what is allowed, the page what it asks for."""
        line = line.strip()
        if line.lower() == "q":  # The pages that ask for nothing are left with it, too.
            return shown, Quit()
        hint = fill(screens.LESSON_EXAMPLE, line=self.example(shown.lesson, shown.page))
        try:
            command = self.read(shown, line) if line else Match("hint")
        except NotUnderstood as refused:
            return stay(shown, str(refused), hint)
        match command:
            case tuple():
                return stay(shown, *command)
            case Act():
                return self.solve(shown, command, hint)
            case Match(what="bye"):
                return shown, Quit()
            case Match(what="continue"):
                return forward(shown)
            case Match(what="hint") | View(what="help"):
                return stay(shown, hint)
        return stay(shown, screens.only_in_a_match(line), hint)


@dataclass(frozen=True, slots=True)
class Quit:
    """The lessons are left."""


@dataclass(frozen=True, slots=True)
class Begin:
    """The lessons are over, and a first match begins."""


def press(shown: Learn, key: str, lessons: Lessons) -> Step:
    """Return the lessons after a key."""
    match key:
        case "escape" if shown.typed:
            return replace(shown, typed=""), None
        case "escape":
            return shown, Quit()
        case "backspace" if shown.typed:
            return replace(shown, typed=shown.typed[:-1]), None
        case "left" | "backspace":
            return back(shown), None
        case "right":
            return forward(shown)
        case "pagedown" | "pageup":
            return turn(shown, shown.lesson + (1 if key == "pagedown" else -1)), None
        case "enter":
            return lessons.enter(shown, shown.typed) if shown.asks else forward(shown)
    if key.startswith("pick "):
        return _pick(shown, key.removeprefix("pick "), lessons)
    if len(key) != 1 or not key.isprintable():
        return shown, None
    if shown.asks:
        return replace(shown, typed=(shown.typed + key).lstrip()[:LONGEST]), None
    return shown, Quit() if key == "q" else None


def _pick(shown: Learn, place: str, lessons: Lessons) -> Step:
    """Return the lessons after a click on a place of the board: the first is where from, the second where to."""
    if not shown.asks:
        return forward(shown)
    before = shown.typed.split()
    if before and before[-1] == place:
        return shown, None
    line = " ".join([*before, place])
    return lessons.enter(shown, line) if before else (replace(shown, typed=f"{line} "), None)


def stay(shown: Learn, *answer: str) -> Step:
    """Return the lessons after a line that was no solution, with what is said to it."""
    return replace(shown, typed="", answer=answer, wrong=True), None


def solve(shown: Learn, played: str, answer: str) -> Step:
    """Return the lessons after a solution in words that the game reads again, with what is said to it."""
    after, wish = forward(shown, played)
    return replace(after, answer=(answer,)), wish


def forward(shown: Learn, played: str = "") -> Step:
    """Return the next page after what was played; after the last one there is nothing more to learn."""
    if shown.page + 1 < len(shown.pages[shown.lesson]):
        played_so_far = (*shown.played, played)
        return replace(shown, page=shown.page + 1, played=played_so_far, typed="", answer=(), wrong=False), None
    return (shown, Begin()) if shown.last else (turn(shown, shown.lesson + 1), None)


def back(shown: Learn) -> Learn:
    """Return the page before."""
    if shown.page:
        return replace(shown, page=shown.page - 1, played=shown.played[:-1], typed="", answer=(), wrong=False)
    if not shown.lesson:
        return shown
    before = turn(shown, shown.lesson - 1)
    last = len(shown.pages[before.lesson]) - 1
    return replace(before, page=last, played=("",) * last)


def turn(shown: Learn, lesson: int) -> Learn:
    """Return the first page of a lesson; there is none before the first and after the last."""
    lesson = min(max(lesson, 0), len(shown.pages) - 1)
    return replace(shown, lesson=lesson, page=0, played=(), typed="", answer=(), wrong=False)
