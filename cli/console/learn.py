"""The lessons page by page: boards on which a move is asked for, judged and carried out.  Pure."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from typing import Protocol, TypeAlias

from cli.console.render.spans import Line

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
    mouse: bool = True

    @property
    def asks(self) -> bool:
        """Whether a move is asked for."""
        return self.pages[self.lesson][self.page]

    @property
    def last(self) -> bool:
        """Whether nothing comes after this page."""
        return self.lesson + 1 == len(self.pages) and self.page + 1 == len(self.pages[self.lesson])


class Verdict(Enum):
    """What a line of the learner does."""

    STAY = "it was no solution"
    SOLVED = "it was played"
    ON = "the learner wants to go on"
    LEAVE = "the learner wants to leave"


@dataclass(frozen=True, slots=True)
class Judged:
    """The judgement of a line."""

    verdict: Verdict
    lines: tuple[str, ...] = ()
    """What is said to it."""
    played: str = ""
    """What was played, in words that the game reads again."""


Judge: TypeAlias = Callable[[Learn, str], Judged]
"""Judges a line on a page; an empty one asks for an example."""


class Lessons(Protocol):
    """The lessons of a game: a module with these names."""

    @property
    def PAGES(self) -> Sequence[Sequence[bool]]:
        """Of each lesson, which of its pages ask for a move."""

    def draw(self, shown: Learn) -> tuple[Line, ...]:
        """Return the picture of a page."""

    def tell(self, shown: Learn) -> list[str]:
        """Return a page in lines."""

    def judge(self, shown: Learn, line: str) -> Judged:
        """Return the judgement of a line that was typed on a page."""

    def click(self, shown: Learn, row: int, column: int) -> str:
        """Return the key that a click on a page stands for, or nothing."""


@dataclass(frozen=True, slots=True)
class Quit:
    """The lessons are left."""


@dataclass(frozen=True, slots=True)
class Begin:
    """The lessons are over, and a first match begins."""


def press(shown: Learn, key: str, judge: Judge) -> tuple[Learn, object]:
    """Return the lessons after a key, and what is wished."""
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
            return enter(shown, shown.typed, judge) if shown.asks else forward(shown)
    if key.startswith("pick "):
        return _pick(shown, key.removeprefix("pick "), judge)
    if len(key) != 1 or not key.isprintable():
        return shown, None
    if shown.asks:
        return replace(shown, typed=(shown.typed + key).lstrip()[:LONGEST]), None
    if key.isascii() and key.isdigit():
        return turn(shown, (int(key) - 1) % len(shown.pages)), None
    return (shown, Quit()) if key == "q" else (forward(shown) if key == " " else (shown, None))


def _pick(shown: Learn, place: str, judge: Judge) -> tuple[Learn, object]:
    """Return the lessons after a click on a place of the board: the first is where from, the second where to."""
    if not shown.asks:
        return forward(shown)
    before = shown.typed.split()
    if before and before[-1] == place:
        return shown, None
    line = " ".join([*before, place])
    return enter(shown, line, judge) if before else (replace(shown, typed=f"{line} "), None)


def enter(shown: Learn, line: str, judge: Judge) -> tuple[Learn, object]:
    """Return the lessons after a finished line, and what is wished."""
    found = judge(shown, line.strip())
    match found.verdict:
        case Verdict.LEAVE:
            return shown, Quit()
        case Verdict.STAY:
            return replace(shown, typed="", answer=found.lines, wrong=True), None
    after, wish = forward(shown, found.played)
    return replace(after, answer=found.lines), wish


def forward(shown: Learn, played: str = "") -> tuple[Learn, object]:
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
