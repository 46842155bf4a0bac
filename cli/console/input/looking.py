"""What is looked up: views, help, the log; shown below the board, on a page, or said whole in plain lines.  Pure."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from cli.console import reviewing, views
from cli.console.guest import guest_of
from cli.console.input.asking import without_page
from cli.console.messages import Effects, NotUnderstood, Repeat, View
from cli.console.render.spans import paragraphs
from cli.console.screen_state import Page, S

SHORT_ANSWER = 5
"""So many lines are shown below the board; a longer answer is a page of its own."""


def show(ui: S, lines: Iterable[str]) -> S:
    """Return the model with an answer, below the board or on a page of its own; plain lines say all of it."""
    if ui.plain:
        return replace(ui, notice=tuple(lines))
    rows = tuple(paragraphs(lines, ui.columns - 2))
    if len(rows) <= SHORT_ANSWER:
        return replace(ui, notice=rows)
    return replace(ui, page=Page.ANSWER, lines=rows, scroll=0)


def reject(ui: S, sentence: str) -> S:
    """Return the model after a line that does nothing, with the sentence that says what was expected."""
    return replace(ui, notice=(sentence,), rejected=ui.typed)


def open_page(ui: S, page: Page) -> S:
    """Return the model with a page, or without it when it was open."""
    if ui.page == page:
        return without_page(ui)
    unread = 0 if page in (Page.CHAT, Page.LOG) else ui.unread
    return replace(ui, page=page, lines=(), scroll=0, unread=unread)


def view(ui: S, command: View) -> tuple[S, Effects]:
    """Return the model after somebody has looked something up, and what is to be done."""
    try:
        if ui.plain and command.what == "repeat":
            return ui, (Repeat(),)
        own = None if ui.plain else _on_screen(ui, command)
        if own is not None:
            return own
        found: tuple[S, Effects] | Sequence[str] | None = views.show(ui.game, command.what, command.args)
        if found is None:
            found = guest_of(ui).look(ui, command)
    except NotUnderstood as refused:
        return reject(ui, str(refused)), ()
    return found if isinstance(found, tuple) else (show(ui, found), ())


def _on_screen(ui: S, command: View) -> tuple[S, Effects] | None:
    """Return what the full screen shows in a way of its own, or None."""
    what, args = command.what, command.args
    match what:
        case "board" | "undo":
            notice = () if what == "board" else tuple(views.show(ui.game, what, ()) or ())
            return replace(without_page(ui), notice=notice), ()
        case "help" if args:
            return None
        case "log" if args:
            views.show(ui.game, what, args)
            return open_page(ui, Page.LOG), ()
        case "help" | "units" | "table" | "log" | "chat" | "notes":
            return open_page(ui, Page(what)), ()
        case "replay":
            count = len(ui.game.entries)
            return reviewing.begin(ui, views.step_of(args[0], count) if args and count else None)
        case "repeat":
            return show(ui, views.last(ui.game)), ()
        case _:
            return None
