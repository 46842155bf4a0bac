"""The menu on the terminal: one small application that ends with the command that was picked."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from prompt_toolkit.application import Application
from prompt_toolkit.filters import Condition
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.keys import Keys
from prompt_toolkit.layout import HSplit, Layout, Window
from prompt_toolkit.layout.controls import FormattedTextControl
from prompt_toolkit.mouse_events import MouseEvent, MouseEventType
from prompt_toolkit.styles import Style

from cli import preferences
from cli.text import menus as said
from cli.text.wording import fill
from cli.tui.canvas import Canvas
from cli.tui.looks import STYLES
from cli.tui.menu import Keep, Menu, Page, Quit, Row, Run, Wish, press, take
from cli.tui.render.menu import item_at, render

Look = Callable[[], tuple[tuple[Row, ...], tuple[Row, ...]]]
"""Finds the unfinished matches and the logs; it may take its time."""

_NAMED = ("up", "down", "left", "right", "enter", "backspace")


class MenuApp:
    """The application; :meth:`run` returns the words of a command, or None."""

    def __init__(self, menu: Menu, folder: Path, look: Look, **options: Any) -> None:
        """Make the application.

        Args:
            menu: as it begins.
            folder: where choices are kept.
            look: finds what can be continued and replayed, after the first picture.
            options: for :class:`prompt_toolkit.Application`; tests hand in ``input`` and ``output``.
        """
        self.menu = menu
        self._folder = folder
        self._look = look
        self._looked = False
        canvas = Canvas(lambda: render(self.menu), self._clicked)
        # An application needs something that has the focus; it takes no room.
        focus = Window(FormattedTextControl(focusable=True), height=0)
        self.application: Application[tuple[str, ...] | None] = Application(
            Layout(HSplit([canvas, focus]), focused_element=focus),
            key_bindings=self._bindings(),
            style=Style.from_dict(STYLES),
            full_screen=True,
            mouse_support=Condition(lambda: self.menu.chosen.mouse),
            before_render=self._measure,
            after_render=self._begin_to_look,
            **options,
        )
        self.application.ttimeoutlen = self.application.timeoutlen = 0.05

    def run(self) -> tuple[str, ...] | None:
        """Show the menu until something is picked; return its command, or None to end."""
        return self.application.run()

    def _bindings(self) -> KeyBindings:
        keys = KeyBindings()

        def bind(name: str, key: str) -> None:
            keys.add(key, eager=key == "escape")(lambda event: self._press(name))

        for name in _NAMED:
            bind(name, name)
        bind("escape", "escape")

        @keys.add(Keys.Any)
        def _text(event: KeyPressEvent) -> None:
            self._press(event.data)

        @keys.add("c-c")
        @keys.add("c-d")
        def _quit(event: KeyPressEvent) -> None:
            event.app.exit(result=None)

        return keys

    def _press(self, key: str) -> None:
        self.menu, wish = press(self.menu, key)
        self._grant(wish)

    def _grant(self, wish: Wish) -> None:
        match wish:
            case Run(words=words):
                self.application.exit(result=words)
            case Quit():
                self.application.exit(result=None)
            case Keep(chosen=chosen):
                try:
                    preferences.save(self._folder, chosen)
                except OSError as error:
                    why = fill(said.UNWRITABLE, why=error.strerror or str(error))
                    self.menu = replace(self.menu, problem=why)
        self.application.invalidate()

    def _clicked(self, event: MouseEvent) -> None:
        if event.event_type == MouseEventType.MOUSE_UP and self.menu.page != Page.NAME:
            number = item_at(self.menu, event.position.y)
            if number is not None:
                self.menu, wish = take(self.menu, number)
                self._grant(wish)

    def _measure(self, application: Application[tuple[str, ...] | None]) -> None:
        size = application.output.get_size()
        if (size.columns, size.rows) != (self.menu.columns, self.menu.rows):
            self.menu = replace(self.menu, columns=size.columns, rows=size.rows)

    def _begin_to_look(self, application: Application[tuple[str, ...] | None]) -> None:
        if not self._looked:
            self._looked = True
            application.create_background_task(self._find())

    async def _find(self) -> None:
        matches, logs = await asyncio.get_running_loop().run_in_executor(None, self._look)
        self.menu = replace(self.menu, matches=matches, logs=logs)
        self.application.invalidate()
