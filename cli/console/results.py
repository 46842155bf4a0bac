"""Results that stay until they are looked at: what combat rounds have done, and the end of the match."""

from dataclasses import replace

from cli.console.input import looking
from cli.console.input.asking import is_chatting, without_page
from cli.console.messages import Close, Effects
from cli.console.render.spans import paragraphs
from cli.console.screen_state import Page, S
from cli.match.player import Next
from cli.text import matches

UNDISTURBED = (Page.RESULT, Page.REPLAY)
"""Pages that stay when something has happened; what has to be seen follows them."""
_ROOM = 8
"""Rows of the window that a page of results does not have."""


def add(ui: S, told: tuple[str, ...]) -> S:
    """Return the model with something to look at: on the page that is shown while it has room, else on the next."""
    both = (*ui.lines, *told)
    fits = len(paragraphs(both, ui.columns - 2)) <= ui.rows - _ROOM
    if ui.page == Page.RESULT and not ui.results and fits:
        return replace(ui, lines=both)
    ui = replace(ui, results=(*ui.results, told))
    return ui if ui.page in UNDISTURBED else turn_over(ui)


def turn_over(ui: S) -> S:
    """Return the model with the first result that was not looked at."""
    first, rest = ui.results[0], ui.results[1:]
    over = ui.game.ending is not None and not rest
    beneath = Page.CHAT if is_chatting(ui) else None
    page = Page.OVER if over else Page.RESULT
    return replace(ui, page=page, beneath=beneath, lines=first, results=rest, scroll=0)


def end_again(ui: S) -> S:
    """Return the model with the end of the match where a page over it was closed: behind it there is nothing to do."""
    if ui.game.ending is None or ui.page is not None or ui.question is not None or ui.results:
        return ui
    return replace(ui, page=Page.OVER, lines=tuple(matches.over(ui.game, ui.game.ending)), scroll=0)


def close(ui: S, choice: Next) -> tuple[S, Effects]:
    """Return the model after the end was looked at, and something was chosen; the first choice counts."""
    return (ui, ()) if ui.next is not None else (replace(ui, next=choice), (Close(choice),))


def go_on(ui: S) -> tuple[S, Effects]:
    """Return the model after a result was looked at."""
    if ui.results:
        return turn_over(ui), ()
    if ui.page == Page.OVER:
        return close(ui, Next.LEAVE)
    back = without_page(ui)
    return (looking.open_page(back, ui.beneath) if ui.beneath is not None else back), ()
