"""The menu on the terminal; it ends with the words of the command that was picked."""

import asyncio
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from cli import language
from cli.console.menu import Keep, Menu, Page, Quit, Row, Run, press
from cli.console.render.menu import item_at, render
from cli.console.shell.small_app import Behaviour, SmallApp
from cli.storage import preferences
from cli.text import menus as said
from cli.text.wording import fill

Look = Callable[[], tuple[tuple[Row, ...], tuple[Row, ...], tuple[Row, ...]]]
"""Finds the unfinished matches, the logs and the tournaments; it may take its time."""


def make(menu: Menu, folder: Path, look: Look, **options: Any) -> SmallApp[Menu]:
    """Return the application; its run returns the words of a command, or None to end.

    Choices are kept in ``folder``; ``look`` finds what can be continued and replayed, after the first picture.
    """

    def grant(app: SmallApp[Menu], wish: object) -> None:
        match wish:
            case Run(words=words):
                app.end(words)
            case Quit():
                app.end(None)
            case Keep(chosen=chosen):
                if chosen.language and chosen.language != language.current():
                    language.choose(chosen.language)
                    # What is stored is described in the new language, too.
                    begin(app)
                try:
                    preferences.save(folder, chosen)
                except OSError as error:
                    why = fill(said.UNWRITABLE, why=error.strerror or str(error))
                    app.change(replace(app.model, problem=why))

    def begin(app: SmallApp[Menu]) -> None:
        async def find() -> None:
            matches, logs, events = await asyncio.get_running_loop().run_in_executor(None, look)
            app.change(replace(app.model, matches=matches, logs=logs, events=events))

        app.application.create_background_task(find())

    behaviour = Behaviour(render, press, grant, clicked, mouse=lambda menu: menu.chosen.mouse, begin=begin)
    return SmallApp(menu, behaviour, **options)


def clicked(menu: Menu, row: int, column: int) -> str:
    """Return the key that a click stands for: that of the item under it."""
    del column
    number = item_at(menu, row)
    return "" if number is None or menu.page == Page.NAME else f"item {number}"
