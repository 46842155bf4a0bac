"""The pages that lie over the board: help, units, Honor table, log, chat, notes, a card, an answer, a result."""

from __future__ import annotations

from collections.abc import Sequence

from cli.console import questions
from cli.console.render import board
from cli.console.render.spans import EMPTY, Line, beside, line, paragraphs, with_name
from cli.console.render.zones import Zone
from cli.console.screen_state import Page, ScreenState
from cli.storm import cards, combat_text
from cli.storm.preview import Severity
from cli.storm.text import help_text, story
from cli.text import confirming, names, notes
from cli.text import screens as words
from cli.text.wording import fill
from storm_p2p.storm.board import OTHER, Faction
from storm_p2p.storm.state import Phase
from storm_p2p.storm.units import CARDS, NAME, ROSTER, Unit

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
        part = "   " + fill(words.PART, first=start + 1, last=start + len(shown), count=len(found))
    return shown, moved, part


def furthest(ui: ScreenState, rows: int) -> int:
    """Return by how many lines the open page can be scrolled when ``rows`` of them are seen."""
    return max(0, len(_whole(ui, rows)[0]) - rows)


def _whole(ui: ScreenState, rows: int) -> tuple[list[Line], list[Zone]]:
    """Return all lines of the open page, of which so many rows are seen, and what can be clicked in them."""
    assert ui.page is not None
    if ui.page == Page.UNITS:
        return _units(ui)
    found = [_styled(ui.page, text) for text in paragraphs(_text(ui), ui.columns - 2)]
    return found + (_last_board(ui, rows - len(found)) if ui.page == Page.OVER else []), []


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
            return _help(ui)
        case Page.TABLE:
            return [*cards.goals(), "", *cards.honor_table(ui.game.terms)]
        case Page.LOG:
            return ui.log or (str(words.NOBODY),)
        case Page.CHAT:
            return [story.remark(ui.game, said) for said in ui.game.chat] or [str(words.NO_CHAT)]
        case Page.NOTES:
            return notes.listed(ui.game.notes)
        case _:
            return ui.lines


def _help(ui: ScreenState) -> list[str]:
    """Return help that knows what is asked now."""
    phase = Phase.SETUP if ui.placing is not None else ui.game.state.phase if ui.game.state is not None else None
    deciding = ui.placing is not None or ui.game.deciding
    choices = combat_text.choices_of(ui.game)
    return [
        *_asked(ui),
        str(words.HELP_NOW), *help_text.help_for(phase, ui.game.faction, deciding=deciding, choices=choices), "",
        str(words.HELP_GOAL),
        *cards.goals(), "", str(words.HELP_BOARD), *map(str, words.HELP_READING), "", str(words.HELP_KEYS),
        *map(str, words.HELP_KEY_LINES),
    ]  # fmt: skip


def _last_board(ui: ScreenState, rows: int) -> list[Line]:
    """Return the board at the end, where every unit was opened; the large one if so many rows have room for it."""
    ending = ui.game.ending
    if ending is None or ending.opened is None or ending.opened.phase == Phase.SETUP:
        return []
    sides = questions.all_known(ending.opened).sides
    # A blank row and a title stand above it.
    large = ui.columns > board.LARGE.columns and rows >= board.LARGE.rows + 2
    title = help_text.LAST_BOARD if large else help_text.LAST_BOARD_SMALL
    drawn = board.draw(sides, ui.game.faction, board.Marks(), large=large, unicode=ui.settings.unicode)
    return [EMPTY, line(str(title)), *drawn]


def _asked(ui: ScreenState) -> list[str]:
    """Return the open question again, and what a yes and any other answer do; nothing where none is open."""
    if ui.question is None:
        return []
    told = [str(confirming.TYPE_YES)] if ui.question.severity == Severity.LAST else []
    return [f"{names.opening(str(words.ASKED))}:", *ui.question.lines, *told, str(confirming.EXPLAINED), ""]


def _units(ui: ScreenState) -> tuple[list[Line], list[Zone]]:
    """Return all 24 units in two columns, the own ones left, each of which can be clicked."""
    half = (ui.columns - 2) // 2
    me = ui.game.faction
    blocks = [_block(ui, me, str(words.YOU)), _block(ui, OTHER[me], ui.game.opponent)]
    zones = [
        Zone(1 + down, 1 + side * half, side * half + half, f"unit {NAME[unit]}")
        for side, faction in enumerate((me, OTHER[me]))
        for down, unit in enumerate(ROSTER[faction])
    ]
    return beside(blocks[0], blocks[1], half), zones


def _block(ui: ScreenState, faction: Faction, name: str) -> list[Line]:
    side = names.side_name(faction)
    head = line(with_name(lambda called: f"{called} ({side})", name, (ui.columns - 2) // 2 - 1), "title")
    return [head, *(_unit_line(ui, faction, unit) for unit in ROSTER[faction])]


def _unit_line(ui: ScreenState, faction: Faction, unit: Unit) -> Line:
    style = "own" if faction == ui.game.faction else "enemy"
    strength = CARDS[unit].strength
    return (
        ("", f"{names.code(unit)} "), (style, f"{names.unit_name(unit):11}"),
        ("", f"{strength}  {cards.status(ui.game, unit)}"),
    )  # fmt: skip
