"""What a person is shown, in its order: news waits until it is known whether a board follows to show it under.

On a screen that repaints nothing, the board and what has just happened have to stand together in the 24 rows that
somebody sees (console.md 3.1).  For a screen reader everything is said at once.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from cli.plain.screen import Screen, wrapped

ROWS: Final = 24
COLUMNS: Final = 80
PREVIEW: Final = 2
"""Rows of the preview below the prompt."""
RESERVED: Final = 1 + PREVIEW
"""Rows below what is written: the prompt and the preview."""
LATEST: Final = 3
"""How many lines of the log stand under a board at least."""
_KEPT: Final = 40
_RULE: Final = "-- log "


class Feed:
    """Lines on their way to a screen."""

    def __init__(self, screen: Screen, *, plain: bool) -> None:
        self._screen = screen
        self._plain = plain
        self._waiting: list[str] = []
        self._told: list[str] = []
        self._last: tuple[str, ...] = ()

    def say(self, lines: Iterable[str]) -> None:
        """Show lines, after all news."""
        self.flush()
        self._show(lines)

    def repeat(self) -> None:
        """Show the last lines once more."""
        self._screen.write(self._last)

    def news(self, lines: Iterable[str]) -> None:
        """Take what has happened; it is shown with the next lines, or under the next board."""
        new = list(lines)
        self.recall(new)
        if self._plain:
            self._show(new)
        else:
            self._waiting += new

    def recall(self, lines: Iterable[str]) -> None:
        """Take what had happened before; it is shown under boards only."""
        self._told = [*self._told, *lines][-_KEPT:]

    def flush(self) -> None:
        """Show the news that waits."""
        waiting, self._waiting = self._waiting, []
        self._show(waiting)

    def latest(self) -> list[str]:
        """Return the last lines of what has happened."""
        return self._told[-LATEST:]

    def board(self, lines: Sequence[str], question: Sequence[str] = ()) -> None:
        """Show a board, the log under it, and a question, so that all of it stands in one window.

        News that does not fit goes before the board.
        """
        room = ROWS - RESERVED - len(lines) - 1 - _rows(question)
        count = fitting(self._told, room, max(LATEST, len(self._waiting)))
        early = self._waiting[: max(0, len(self._waiting) - count)]
        self._waiting = []
        under = self._told[len(self._told) - count :]
        rule = [_RULE.ljust(COLUMNS - 1, "-")] if under else []
        self._show([*early, *lines, *rule, *under, *question])

    def _show(self, lines: Iterable[str]) -> None:
        shown = tuple(lines)
        if shown:
            self._last = shown
            self._screen.write(shown)


def _rows(lines: Iterable[str]) -> int:
    return sum(len(wrapped(line, COLUMNS)) for line in lines)


def fitting(lines: Sequence[str], room: int, most: int) -> int:
    """Return how many of the last lines fit into so many rows; ``most`` at most."""
    count = 0
    for line in reversed(lines[-most:] if most else ()):
        room -= len(wrapped(line, COLUMNS))
        if room < 0:
            break
        count += 1
    return count
