"""The lessons page by page.  Pure."""

from dataclasses import dataclass, replace


@dataclass(frozen=True, slots=True)
class Learn:
    """Which page of which lesson is shown."""

    pages: tuple[int, ...]
    """How many pages each lesson has."""

    lesson: int = 0
    page: int = 0
    columns: int = 80
    rows: int = 24
    unicode: bool = True
    mouse: bool = True


@dataclass(frozen=True, slots=True)
class Quit:
    """The end of the lessons."""


def press(shown: Learn, key: str) -> tuple[Learn, object]:
    """Return the lessons after a key, and what is wished."""
    match key:
        case "right" | "enter" | " " | "down" | "pagedown" | "wheeldown":
            return forward(shown)
        case "left" | "backspace" | "up" | "pageup" | "wheelup":
            return back(shown), None
        case "q" | "escape":
            return shown, Quit()
    if key.isascii() and key.isdigit():
        return replace(shown, lesson=(int(key) - 1) % len(shown.pages), page=0), None
    return shown, None


def forward(shown: Learn) -> tuple[Learn, object]:
    """Return the next page; after the last one there is nothing more to learn."""
    if shown.page + 1 < shown.pages[shown.lesson]:
        return replace(shown, page=shown.page + 1), None
    if shown.lesson + 1 < len(shown.pages):
        return replace(shown, lesson=shown.lesson + 1, page=0), None
    return shown, Quit()


def back(shown: Learn) -> Learn:
    """Return the page before."""
    if shown.page:
        return replace(shown, page=shown.page - 1)
    if shown.lesson:
        lesson = shown.lesson - 1
        return replace(shown, lesson=lesson, page=shown.pages[lesson] - 1)
    return shown
