"""The menu on the terminal; it ends with the words of the command that was picked and wants the terminal for itself.

A command that only says something runs beside it, and what it says is shown on a page.
"""

from __future__ import annotations

import asyncio
import os
import signal
from asyncio.subprocess import DEVNULL, PIPE, STDOUT, Process
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from subprocess import list2cmdline
from typing import Any, Generic, TypeAlias, TypeVar

from prompt_toolkit.application import Application
from prompt_toolkit.filters import Condition
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.keys import Keys
from prompt_toolkit.layout import HSplit, Layout, Window
from prompt_toolkit.layout.controls import FormattedTextControl
from prompt_toolkit.mouse_events import MouseEvent, MouseEventType

from cli import language
from cli.console.menu import Keep, Menu, Output, Quit, Run, Stop, Try, hear, move_on, press, use_cards
from cli.console.render.menu import item_at, render
from cli.console.render.spans import Line
from cli.console.shell import STEP_SECONDS, STEPS, Canvas, dress, make_output, watch_line
from cli.runtime import console
from cli.runtime.console import Exit
from cli.storage import home
from cli.text import commands, menus
from cli.text.menus import Page
from protocol.system import processes

T = TypeVar("T", bound=Any)
"""A frozen dataclass with the ``columns`` and ``rows`` of the window."""

ESCAPE_SECONDS = 0.05
_NAMED = (*STEPS, "enter", "backspace", "delete", "f1", "c-u", "c-w")


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
    move: Callable[[T], T | None] = lambda model: None
    """The model a picture further; None while nothing moves.  On a slow line the key ``slow`` is pressed."""
    begin: Callable[[SmallApp[T]], None] = lambda app: None
    """Is called after the first picture."""


class SmallApp(Generic[T]):
    """The application; :meth:`run` returns what it was ended with."""

    def __init__(self, model: T, behaviour: Behaviour[T], **options: Any) -> None:
        """Make the application; ``options`` are those of prompt_toolkit's, tests hand in ``input`` and ``output``."""
        self.model = model
        self._does = behaviour
        self._size = (0, 0)
        self._begun = self._moving = False
        self._why: Exit | None = None
        canvas = Canvas(lambda: behaviour.render(self.model), self._clicked)
        # An application needs something that has the focus; it takes no room.
        focus = Window(FormattedTextControl(focusable=True, show_cursor=False), height=0)
        self.application: Application[Any] = Application(
            Layout(HSplit([canvas, focus]), focused_element=focus),
            key_bindings=self._bindings(),
            full_screen=True,
            output=watch_line(
                options.pop("output", None) or make_output(),
                lambda: behaviour.move(self.model) is not None,
                lambda: self._press("slow"),
            ),
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
        if self._begun and not self._moving and self._does.move(model) is not None:
            self._moving = True
            self.application.create_background_task(self._move())

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
            self.change(self.model)

    async def _move(self) -> None:
        """Let be seen what moves, until it rests or a key has ended it."""
        await asyncio.sleep(STEP_SECONDS)
        while (further := self._does.move(self.model)) is not None:
            self.change(further)
            await asyncio.sleep(STEP_SECONDS)
        self._moving = False


Found: TypeAlias = Mapping[str, Any]
"""Fields of the menu by their names, each of its own type."""
Look: TypeAlias = Callable[[], Found]
"""Finds what is stored, as fields of the menu; it may take its time."""
Beside = Callable[[Sequence[str]], Sequence[str] | None]
"""The program and the arguments that run a command beside the menu; None for one that wants the terminal."""

Refuse = Callable[[str, str], str]
"""Returns why a game, as ``--game`` calls it, cannot be played with the cards of a file; nothing if it can."""

FOLLOWED = ("doctor", "witness", "archive", "history")
"""Commands whose last lines are what counts."""
STOP_SECONDS = 3.0
"""How long a command may take to clean up when it is stopped."""


def _problem(menu: Menu, refuse: Refuse, file: str) -> str:
    """Return why the game cannot be played with the cards of a file, and what else to do; nothing if it can."""
    problem = refuse(menu.game.called, file)
    return f"{problem} {menus.OTHER_CARDS}" if problem and menu.page == Page.MAIN else problem


def make(
    menu: Menu,
    folder: Path,
    looks: Sequence[Look],
    beside: Beside = lambda words: None,
    refuse: Refuse = lambda game, file: "",
    **options: Any,
) -> SmallApp[Menu]:
    """Return the application; its run returns the words of a command, or None to end.

    Choices are kept in ``folder``; ``looks`` find what can be listed, one after the other, after the first picture.
    """
    running: list[Process] = []
    known = [home.load_preferences(folder)]

    def grant(app: SmallApp[Menu], wish: object) -> None:
        match wish:
            case Run(words=words):
                arguments = beside(words)
                if arguments is None:
                    app.end(words)
                else:
                    app.application.create_background_task(show(app, words, arguments))
            case Stop():
                for process in running:
                    _interrupt(process)
            case Quit():
                app.end(None)
            case Try(file=file, words=words):
                # As long a path as is needed from any folder, for the next time; without that home it is refused.
                with suppress(RuntimeError):
                    file = str(Path(file).expanduser())
                whole = str(Path(file).absolute())
                if problem := _problem(app.model, refuse, whole):
                    app.change(replace(app.model, problem=problem))
                elif words:
                    grant(app, Run(words))
                else:
                    model, kept = use_cards(app.model, whole)
                    app.change(model)
                    grant(app, kept)
            case Keep(chosen=chosen):
                if chosen.language and chosen.language != language.current():
                    language.choose(chosen.language)
                    # What is stored is described in the new language, too.
                    begin(app)
                try:
                    home.save_preferences(folder, chosen, known[0])
                    known[0] = chosen
                except OSError as error:
                    app.change(replace(app.model, problem=commands.unkept(error)))

    async def show(app: SmallApp[Menu], words: Sequence[str], arguments: Sequence[str]) -> None:
        """Run a command beside the menu, and show what it says line by line."""
        output = Output(list2cmdline(words), follow=words[0] in FOLLOWED)
        app.change(replace(app.model, page=Page.OUTPUT, back=app.model.page, at=app.model.at, output=output))
        process = await processes.start(
            *arguments, stdin=DEVNULL, stdout=PIPE, stderr=STDOUT, limit=1 << 20, more={"PYTHONIOENCODING": "utf-8"}
        )
        running.append(process)
        try:
            assert process.stdout is not None
            async for line in process.stdout:
                text = line.decode("utf-8", "replace").rstrip()
                # Of one that was stopped nobody wants to know more.
                if running[-1] is process:
                    app.change(hear(app.model, "".join(char for char in text if char.isprintable())))
            code = await process.wait()
            last = running[-1] is process
        finally:
            running.remove(process)
            await _end(process)
        if app.model.output is not None and last:
            heard = app.model if app.model.output.lines else hear(app.model, menus.ended(code))
            assert heard.output is not None
            app.change(replace(heard, output=replace(heard.output, running=False)))
        # It may have changed what the menu lists.
        begin(app)

    def begin(app: SmallApp[Menu]) -> None:
        async def find() -> None:
            for look in looks:
                found = await console.run_aside(look)
                app.change(replace(app.model, **found))

        app.application.create_background_task(find())

    behaviour = Behaviour(
        render, press, grant, clicked, mouse=lambda menu: menu.chosen.mouse, move=move_on, begin=begin
    )
    return SmallApp(menu, behaviour, **options)


def _interrupt(process: Process) -> None:
    """Ask a command to end as Ctrl-C does, so that it puts away what it has opened."""
    with suppress(ProcessLookupError):
        if os.name == "nt":
            process.terminate()
        else:
            process.send_signal(signal.SIGINT)


async def _end(process: Process) -> None:
    """See to it that a command has ended."""
    if process.returncode is not None:
        return
    _interrupt(process)
    try:
        async with asyncio.timeout(STOP_SECONDS):
            await process.wait()
    except TimeoutError:
        processes.kill(process)
        await process.wait()


def clicked(menu: Menu, row: int, column: int) -> str:
    """Return the key that a click stands for: that of the item under it; the last row leads back."""
    del column
    if row == menu.rows - 1:
        return "escape"
    number = item_at(menu, row)
    return "" if number is None else f"item {number}"
