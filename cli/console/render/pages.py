"""The pages that lie over the board: help, what is played with and for, log, chat, notes, an answer, a result."""

from collections.abc import Sequence

from cli.console import pages
from cli.console.guest import guest_of
from cli.console.messages import Severity
from cli.console.render.spans import Line, Zone, line, paragraphs
from cli.console.screen_state import Page, ScreenState
from cli.text import screens, wording
from cli.text.wording import fill

_FROM_BELOW = (Page.LOG, Page.CHAT)
"""Pages that show their end first."""


def draw(ui: ScreenState, rows: int) -> tuple[list[Line], list[Zone], str]:
    """Return at most ``rows`` lines of the open page, scrolled, what can be clicked, and which part of it this is."""
    found, zones = _whole(ui, rows)
    start = start_of(ui, len(found), rows)
    shown = [(("", " "), *row) for row in found[start : start + rows]]
    moved = [
        Zone(zone.row - start, zone.left, zone.right, zone.what)
        for zone in zones
        if start <= zone.row < start + rows
    ]
    part = ""
    if len(found) > rows:
        part = "   " + fill(screens.PART, first=start + 1, last=start + len(shown), count=len(found))
    return shown, moved, part


def furthest(ui: ScreenState, rows: int) -> int:
    """Return by how many lines the open page can be scrolled when ``rows`` of them are seen."""
    return max(0, len(_whole(ui, rows)[0]) - rows)


def _whole(ui: ScreenState, rows: int) -> tuple[list[Line], list[Zone]]:
    """Return all lines of the open page, of which so many rows are seen, and what can be clicked in them."""
    assert ui.page is not None
    if ui.page == Page.UNITS:
        return guest_of(ui).page(ui)
    found = [_styled(ui.page, text) for text in paragraphs(_text(ui), ui.columns - 2)]
    return found + (guest_of(ui).last_board(ui, rows - len(found)) if ui.page == Page.OVER else []), []


def start_of(ui: ScreenState, count: int, rows: int) -> int:
    """Return the first line that is shown; a page from below counts its scrolling from the end."""
    last = max(0, count - rows)
    scroll = min(ui.scroll, last)
    return last - scroll if ui.page in _FROM_BELOW else scroll


def _styled(page: Page, text: str) -> Line:
    if page == Page.HELP and text.endswith(":") and not text.startswith(" "):
        return line(text, "title")
    return line(text)


def _text(ui: ScreenState) -> Sequence[str]:
    match ui.page:
        case Page.HELP:
            return [*_asked(ui), *guest_of(ui).help(ui)]
        case Page.TABLE:
            return guest_of(ui).table(ui.game)
        case Page.LOG:
            return ui.log or (str(screens.NOBODY),)
        case Page.CHAT | Page.NOTES:
            return pages.show_view(ui.game, ui.page.value, ()) or ()
        case Page.OVER if ui.notice:
            return (*ui.notice, "", *ui.lines)
        case _:
            return ui.lines


def _asked(ui: ScreenState) -> list[str]:
    """Return the open question again, and what a yes and any other answer do; nothing where none is open."""
    if ui.question is None:
        return []
    told = [str(screens.TYPE_YES)] if ui.question.severity == Severity.LAST else []
    return [f"{wording.opening(str(screens.ASKED))}:", *ui.question.lines, *told, str(screens.EXPLAINED), ""]
