"""A picture that keys and clicks change, without a prompt: the menu, the replay and the lessons are such.

The model and what a key does to it are pure and the caller's; here is only the terminal.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Generic, TypeVar

from prompt_toolkit.application import Application
from prompt_toolkit.filters import Condition
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.keys import Keys
from prompt_toolkit.layout import HSplit, Layout, Window
from prompt_toolkit.layout.controls import FormattedTextControl
from prompt_toolkit.mouse_events import MouseEvent, MouseEventType

from cli.console.render.spans import Line
from cli.console.shell.app import Canvas, dress, make_output
from cli.runtime import console
from cli.runtime.console import Exit

T = TypeVar("T", bound=Any)
"""A frozen dataclass with the ``columns`` and ``rows`` of the window."""

ESCAPE_SECONDS = 0.05
_NAMED = (
    "up", "down", "left", "right", "enter", "backspace", "home", "end", "pageup", "pagedown", "f1", "c-u", "c-w",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Behaviour(Generic[T]):
    """What the caller gives: pure functions of the model, but for ``grant``."""

    render: Callable[[T], Sequence[Line]]
    """Every row of the window."""
    press: Callable[[T, str], tuple[T, object]]
    """The model after a key (its name, or one character), and a wish or None."""
    grant: Callable[[SmallApp[T], object], None]
    """Does what a key wishes."""
    click: Callable[[T, int, int], str] = lambda model, row, column: "right"
    """The key that a click on a row and column stands for, or nothing."""
    mouse: Callable[[Any], bool] = lambda model: model.mouse
    """Whether the mouse clicks here, and does not select text."""
    begin: Callable[[SmallApp[T]], None] = lambda app: None
    """Is called after the first picture."""


class SmallApp(Generic[T]):
    """The application; :meth:`run` returns what it was ended with."""

    def __init__(self, model: T, behaviour: Behaviour[T], **options: Any) -> None:
        """Make the application; ``options`` are those of prompt_toolkit's, tests hand in ``input`` and ``output``."""
        self.model = model
        self._does = behaviour
        self._size = (0, 0)
        self._begun = False
        self._why: Exit | None = None
        canvas = Canvas(lambda: behaviour.render(self.model), self._clicked)
        # An application needs something that has the focus; it takes no room.
        focus = Window(FormattedTextControl(focusable=True, show_cursor=False), height=0)
        self.application: Application[Any] = Application(
            Layout(HSplit([canvas, focus]), focused_element=focus),
            key_bindings=self._bindings(),
            full_screen=True,
            output=options.pop("output", None) or make_output(),
            mouse_support=Condition(lambda: behaviour.mouse(self.model)),
            before_render=self._measure,
            after_render=self._drawn,
            **options,
        )
        dress(self.application)
        self.application.ttimeoutlen = self.application.timeoutlen = ESCAPE_SECONDS

    def run(self) -> Any:
        """Show the picture until it is ended; return the result of :meth:`end`.

        Raises:
            SystemExit: Ctrl-C, a polite kill or a closed terminal has ended it; the terminal was given back.
        """
        result = self.application.run(pre_run=self._heed)
        if self._why is not None:
            raise SystemExit(self._why)
        return result

    def _heed(self) -> None:
        # Where they cannot be heeded the terminal goes with the program.
        console.heed(self._told, *console.POLITE)

    def _told(self) -> None:
        self._why = Exit.LEFT
        if self.application.is_running and not self.application.is_done:
            self.application.exit(result=None)

    def end(self, result: object = None) -> None:
        """Give the terminal back."""
        self.application.exit(result=result)

    def change(self, model: T) -> None:
        """Show another model."""
        self.model = model
        self.application.invalidate()

    def _bindings(self) -> KeyBindings:
        keys = KeyBindings()

        def bind(name: str) -> None:
            keys.add(name, eager=name == "escape")(lambda event: self._press(name))

        for name in (*_NAMED, "escape"):
            bind(name)

        @keys.add(Keys.Any)
        def _text(event: KeyPressEvent) -> None:
            for char in event.data:
                self._press(char)

        @keys.add("c-c")
        def _interrupted(event: KeyPressEvent) -> None:
            self._why = Exit.INTERRUPTED
            event.app.exit(result=None)

        @keys.add("c-d")
        def _quit(event: KeyPressEvent) -> None:
            event.app.exit(result=None)

        return keys

    def _press(self, key: str) -> None:
        model, wish = self._does.press(self.model, key)
        self.change(model)
        if wish is not None:
            self._does.grant(self, wish)

    def _clicked(self, event: MouseEvent) -> None:
        keys = {MouseEventType.SCROLL_UP: "wheelup", MouseEventType.SCROLL_DOWN: "wheeldown"}
        key = keys.get(event.event_type, "")
        if event.event_type == MouseEventType.MOUSE_UP:
            key = self._does.click(self.model, event.position.y, event.position.x)
        if key:
            self._press(key)

    def _measure(self, application: Application[Any]) -> None:
        size = application.output.get_size()
        if (size.columns, size.rows) != self._size:
            self._size = (size.columns, size.rows)
            self.model = replace(self.model, columns=size.columns, rows=size.rows)

    def _drawn(self, application: Application[Any]) -> None:
        if not self._begun:
            self._begun = True
            self._does.begin(self)
