"""Finished lines as a container of prompt_toolkit: rows of cells are made once and copied as they are.

A window of prompt_toolkit looks at every character of its text again each time it is drawn, for wrapping, scrolling
and the cursor; a picture that is finished needs none of that.
"""

from collections import defaultdict
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

from prompt_toolkit.application import Application
from prompt_toolkit.layout.containers import Container
from prompt_toolkit.layout.dimension import Dimension
from prompt_toolkit.layout.mouse_handlers import MouseHandler, MouseHandlers
from prompt_toolkit.layout.screen import Char, Screen, WritePosition
from prompt_toolkit.output import ColorDepth
from prompt_toolkit.styles import Style

from cli.console.render.spans import Line, rules, style_class

_KEPT_ROWS = 1 << 9


class Canvas(Container):
    """Lines from the left edge of the screen on, and one handler for all clicks on them."""

    def __init__(self, lines: Callable[[], Sequence[Line]], click: MouseHandler) -> None:
        self._lines = lines
        self._click = click

    def _handler(self) -> MouseHandler:
        return self._click

    def reset(self) -> None:
        """Nothing is kept."""

    def preferred_width(self, max_available_width: int) -> Dimension:
        """Take all there is."""
        return Dimension()

    def preferred_height(self, width: int, max_available_height: int) -> Dimension:
        """Take exactly as many rows as there are lines."""
        return Dimension.exact(min(len(self._lines()), max_available_height))

    def write_to_screen(
        self, screen: Screen, mouse_handlers: MouseHandlers, write_position: WritePosition, parent_style: str, erase_bg:
        bool, z_index: int | None,
    ) -> None:  # fmt: skip
        """Copy the lines to the screen."""
        left, top = write_position.xpos, write_position.ypos
        for offset, line in enumerate(self._lines()[: write_position.height]):
            screen.data_buffer[top + offset].update(_cells(line, left))
        right, bottom = left + write_position.width, top + write_position.height
        screen.width, screen.height = max(screen.width, right), max(screen.height, bottom)
        for row in range(top, bottom):
            # One entry a row, not one a cell; what is drawn over the rows puts its own entries into them.
            mouse_handlers.mouse_handlers[row] = defaultdict(self._handler)

    def get_children(self) -> list[Container]:
        """There are none."""
        return []


def dress(application: Application[Any]) -> None:
    """Give an application the looks for the colours that its terminal has."""
    application.style = Style.from_dict(rules(sixteen=application.color_depth == ColorDepth.DEPTH_4_BIT))


@lru_cache(maxsize=_KEPT_ROWS)
def _cells(line: Line, left: int) -> dict[int, Char]:
    """Return the cells of a line by their columns; blanks at its end are left out, for they are there already."""
    cells: dict[int, Char] = {}
    column = left
    for style, text in line:
        name = style_class(style)
        for char in text:
            cell = _char(char, name)
            if cell.width:
                cells[column] = cell
                column += cell.width
            elif column > left:
                # A combining mark joins the letter before it.
                before = max(key for key in cells if key < column)
                cells[before] = _char(cells[before].char + char, cells[before].style)
    while cells and cells[last := next(reversed(cells))].char == " " and not cells[last].style:
        del cells[last]
    return cells


@lru_cache(maxsize=1 << 11)
def _char(char: str, style: str) -> Char:
    return Char(char, style)
