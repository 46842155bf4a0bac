"""What is looked up: views, help, the log; shown below the board, on a page, or said whole in plain lines.  Pure."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from cli.console import reviewing, viewing
from cli.console.input import reading
from cli.console.input.asking import without_page
from cli.console.input.grammar import View
from cli.console.render.spans import paragraphs
from cli.console.screen_state import Effects, Page, Repeat, ScreenState
from cli.storm import cards, combat_text, placing
from cli.storm.text import help_text
from cli.text import screens as said
from cli.text.wording import fill
from storm_p2p.storm.state import Phase

SHORT_ANSWER = 5
"""So many lines are shown below the board; a longer answer is a page of its own."""


def show(ui: ScreenState, lines: Iterable[str]) -> ScreenState:
    """Return the model with an answer, below the board or on a page of its own; plain lines say all of it."""
    if ui.plain:
        return replace(ui, notice=tuple(lines))
    rows = tuple(paragraphs(lines, ui.columns - 2))
    if len(rows) <= SHORT_ANSWER:
        return replace(ui, notice=rows)
    return replace(ui, page=Page.ANSWER, lines=rows, scroll=0)


def reject(ui: ScreenState, sentence: str) -> ScreenState:
    """Return the model after a line that does nothing, with the sentence that says what was expected."""
    return replace(ui, notice=(sentence,), rejected=ui.typed)


def open_page(ui: ScreenState, page: Page) -> ScreenState:
    """Return the model with a page, or without it when it was open."""
    if ui.page == page:
        return without_page(ui)
    unread = 0 if page in (Page.CHAT, Page.LOG) else ui.unread
    return replace(ui, page=page, lines=(), scroll=0, unread=unread)


def view(ui: ScreenState, command: View) -> tuple[ScreenState, Effects]:
    """Return the model after somebody has looked something up, and what is to be done."""
    what, args = command.what, command.args
    try:
        if what == "help" and args:
            return show(ui, help_text.help_on(args[0], ui.game.faction)), ()
        found = _in_lines(ui, what) if ui.plain else _on_screen(ui, what, args)
        return (show(ui, viewing.show(ui.game, what, args)), ()) if found is None else found
    except viewing.NoSuchView as refused:
        return reject(ui, str(refused)), ()


def _in_lines(ui: ScreenState, what: str) -> tuple[ScreenState, Effects] | None:
    """Return what plain lines answer in a way of their own, or None."""
    game = ui.game
    match what:
        case "repeat":
            return ui, (Repeat(),)
        case "help":
            phase = None if game.state is None else game.state.phase
            awaited = not ui.sent and (game.deciding or ui.placing is not None)
            choices = combat_text.choices_of(game)
            phase = phase if ui.placing is None else Phase.SETUP
            return show(ui, help_text.help_for(phase, game.faction, deciding=awaited, choices=choices)), ()
        case "board" if ui.placing is not None:
            return show(ui, [placing.told(ui.placing)]), ()
        case _:
            return None


def _on_screen(ui: ScreenState, what: str, args: tuple[str, ...]) -> tuple[ScreenState, Effects] | None:
    """Return what the full screen shows in a way of its own, or None."""
    match what:
        case "board" | "undo":
            return replace(without_page(ui), minimised=what == "board"), ()
        case "help" | "units" | "table" | "log" | "chat" | "notes":
            return open_page(ui, Page(what)), ()
        case "replay":
            return _replay(ui, args)
        case "eye":
            return eye(ui), ()
        case "repeat":
            return show(ui, viewing.last(ui.game)), ()
        case "card" if args:
            unit = viewing.unit_of(args[0])
            return replace(ui, page=Page.CARD, lines=tuple(cards.card(ui.game, unit)), scroll=0), ()
        case "costs" if ui.game.deciding and args:
            return _costs(ui, args)
        case _:
            return None


def _costs(ui: ScreenState, args: tuple[str, ...]) -> tuple[ScreenState, Effects]:
    """Return the model with the prices of some units on the board; who asks for them has begun no move yet."""
    state = ui.game.state
    if state is None or state.phase != Phase.TURN:
        return show(ui, viewing.show(ui.game, "costs", args)), ()
    viewing.selected(ui.game, state, args)
    return replace(without_page(ui), priced=f"costs {' '.join(args)}"), ()


def _replay(ui: ScreenState, args: tuple[str, ...]) -> tuple[ScreenState, Effects]:
    """Return the console that looks back, at a step that was named or at the last one."""
    count = len(ui.game.entries)
    try:
        return reviewing.begin(ui, viewing.step_of(args[0], count) if args and count else None)
    except viewing.NoSuchView as refused:
        return replace(ui, notice=(str(refused),)), ()


def eye(ui: ScreenState) -> ScreenState:
    """Return the model with what the opponent knows shown, or no longer."""
    ui = replace(ui, eye=not ui.eye)
    lines = [fill(said.EYE_IS[ui.eye], name=ui.game.opponent)]
    if ui.eye and ui.game.state is not None:
        lines += cards.eye(ui.game)
    return show(replace(ui, found=reading.read(ui)), lines)
