"""The console on the terminal: the applications of prompt_toolkit around pure values.

What all of them draw with is here; the menu stands before anything of a match is loaded.
"""

import os
import re
import time
from collections import defaultdict
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any, TextIO

from prompt_toolkit.application import Application, get_app, get_app_session
from prompt_toolkit.filters import Condition
from prompt_toolkit.input.typeahead import clear_typeahead
from prompt_toolkit.key_binding import KeyBindings, merge_key_bindings
from prompt_toolkit.key_binding.bindings.mouse import typical_mouse_events
from prompt_toolkit.keys import Keys
from prompt_toolkit.layout.containers import Container
from prompt_toolkit.layout.dimension import Dimension
from prompt_toolkit.layout.mouse_handlers import MouseHandler, MouseHandlers
from prompt_toolkit.layout.screen import Char, Screen, WritePosition
from prompt_toolkit.output import ColorDepth, Output, create_output
from prompt_toolkit.styles import Style

from cli.console.render.spans import Line, rules, style_class
from cli.console.screen_state import PICTURES_A_SECOND
from cli.runtime import terminal

_KEPT_ROWS = 1 << 9
_MOUSE = re.compile(r"\x1b\[(?:M...|<?\d+;\d+;\d+[mM])", re.ASCII | re.DOTALL)


class Canvas(Container):
    """Lines from the left edge of the screen on, and one handler for all clicks on them."""

    def __init__(self, lines: Callable[[], Sequence[Line]], click: MouseHandler) -> None:
        self._lines = lines
        self._click = click

    def reset(self) -> None:
        """Nothing is kept."""

    def preferred_width(self, max_available_width: int) -> Dimension:
        """Take all there is."""
        return Dimension()

    def preferred_height(self, width: int, max_available_height: int) -> Dimension:
        """Take exactly as many rows as there are lines."""
        return Dimension.exact(min(len(self._lines()), max_available_height))

    def write_to_screen(
        self,
        screen: Screen,
        mouse_handlers: MouseHandlers,
        write_position: WritePosition,
        parent_style: str,
        erase_bg: bool,
        z_index: int | None,
    ) -> None:
        """Copy the lines to the screen."""
        left, top = write_position.xpos, write_position.ypos
        for offset, line in enumerate(self._lines()[: write_position.height]):
            screen.data_buffer[top + offset].update(_cells(line, left))
        right, bottom = left + write_position.width, top + write_position.height
        screen.width, screen.height = max(screen.width, right), max(screen.height, bottom)
        for row in range(top, bottom):
            # One entry a row, not one a cell; what is drawn over the rows puts its own entries into them.
            mouse_handlers.mouse_handlers[row] = defaultdict(lambda: self._click)

    def get_children(self) -> list[Container]:
        """There are none."""
        return []


def dress(application: Application[Any]) -> None:
    """Give an application the looks for the colours that its terminal has, and a deaf ear for what is no mouse."""
    keys = KeyBindings()
    keys.add(Keys.Vt100MouseEvent, filter=Condition(_is_no_mouse))(lambda event: None)
    application.key_bindings = merge_key_bindings([application.key_bindings or KeyBindings(), keys])
    application.style = Style.from_dict(rules(sixteen=application.color_depth == ColorDepth.DEPTH_4_BIT))


def _is_no_mouse() -> bool:
    """Return whether what came only begins as a click does, as a pasted colour: prompt_toolkit would raise at it."""
    data = get_app().key_processor.key_buffer[0].data
    return _MOUSE.fullmatch(data) is None or (data[2] == "M" and ord(data[3]) not in typical_mouse_events)


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


def drop_typed() -> None:
    """Forget what was typed while no picture was there, and what an application has read and not used."""
    if terminal.Terminal.held:
        terminal.drop_typed()
        clear_typeahead(get_app_session().input)


def make_output(stream: TextIO | None = None) -> Output:
    """Return the terminal, by default that of the standard output (:mod:`cli.runtime.terminal`)."""
    output = create_output(stream)
    enter, leave = output.enter_alternate_screen, output.quit_alternate_screen

    def begin() -> None:
        if terminal.begin_picture():
            enter()
        else:
            clear()

    def end() -> None:
        if terminal.end_picture():
            leave()
        else:
            clear()

    def clear() -> None:
        output.erase_screen()
        output.cursor_goto(1, 1)

    # Each system and terminal has a class of its own, which prompt_toolkit chooses.
    vars(output).update(enter_alternate_screen=begin, quit_alternate_screen=end)
    if terminal.colours(os.environ) == 24:
        # prompt_toolkit itself does not ask COLORTERM.
        vars(output).update(get_default_color_depth=lambda: ColorDepth.DEPTH_24_BIT)
    return output


STEPS = ("up", "down", "left", "right", "home", "end", "pageup", "pagedown")
"""Keys that lead somewhere else."""
STEP_SECONDS = 1 / PICTURES_A_SECOND
"""How long a picture of something that moves is shown."""
SLOW_SECONDS = 0.08
"""A line that needs longer to take a picture is too slow for pictures that move."""


def watch_line(
    output: Output, moving: Callable[[], bool], slow: Callable[[], None], clock: Callable[[], float] = time.monotonic
) -> Output:
    """Return a terminal that calls ``slow`` when its line was too slow for two pictures of a motion in a row.

    One alone can be a person who has stopped the terminal for a moment (Ctrl-S).
    """
    flush, took = output.flush, [0.0, 0.0]

    def timed() -> None:
        begin = clock()
        flush()
        if moving():
            took[:] = [took[1], clock() - begin]
            if min(took) > SLOW_SECONDS:
                took[:] = [0.0, 0.0]
                slow()

    # Each system and terminal has a class of its own.
    vars(output).update(flush=timed)
    return output
