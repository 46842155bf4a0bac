"""The whole picture: :func:`render` is a pure function of the model.

Rows, from above: a head line; the board and its panel, or the page or the combat window that lies over them; the log;
what a line costs or what was answered; the prompt; a hint; the keys.
"""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from cli.clean import width
from cli.console import screen_state
from cli.console.guest import guest_of
from cli.console.render import bottom, hints, pages, replay, spans
from cli.console.render.spans import EMPTY, Frame, Line, Zone, line
from cli.console.replay import Replay
from cli.console.screen_state import Page, ScreenState
from cli.text import clocks, matches, screens
from cli.text.wording import fill

_PAGE_HEAD = 1
"""Rows of the title of a page."""
_RULE = 6
"""Columns that the rule around a title takes at least."""
_GAME, _MATCH, _TURN, _ALWAYS = range(4)
"""What the head leaves out first when it has no room."""


def render(ui: ScreenState) -> Frame:
    """Return the picture of a model."""
    if ui.replay is not None:
        return _replay(ui, ui.replay)
    title, text, text_rows, main_rows = _layout(ui)
    body, zones = _main(ui, main_rows)
    rows = [_head(ui), *body]
    if text_rows:
        rows.append(spans.section(_with_words(ui, title), ui.columns))
        rows += [line(" " + row) for row in text[: text_rows - 1]]
        rows += [EMPTY] * (ui.rows - 1 - bottom.ROWS - len(rows))
    below, below_zones = bottom.draw(ui)
    if ui.settings.unicode:
        rows = [spans.finer(row) for row in rows]
    return Frame(
        tuple(spans.fitted(row, ui.columns, "head" if number == 0 else "") for number, row in enumerate(rows)),
        hints.prompt(ui),
        tuple(spans.fitted(row, ui.columns) for row in below),
        (*zones, *below_zones),
    )


def _with_words(ui: ScreenState, title: str) -> str:
    """Return the title of the text below the board with the words to compare, which stand there until they were."""
    game = ui.game
    if not _are_words_open(ui):
        return title
    both = f"{title} {'-' * 4} {fill(screens.TO_COMPARE, words=game.words)}"
    return both if width(both) <= ui.columns - _RULE else fill(screens.TO_COMPARE, words=game.words)


def _are_words_open(ui: ScreenState) -> bool:
    return bool(ui.game.words) and not ui.game.compared and ui.game.ending is None


def furthest(ui: ScreenState) -> int:
    """Return by how many lines the page over the board can be scrolled."""
    *_, main_rows = _layout(ui)
    return pages.furthest(ui, main_rows - _PAGE_HEAD)


def _layout(ui: ScreenState) -> tuple[str, list[str], int, int]:
    """Return the title and the lines of the text below the board, its rows, and those that are left above it."""
    rows = ui.rows - 2 - bottom.ROWS
    title, sentences = _text(ui)
    most = guest_of(ui).text_rows(ui, rows)[1]
    if title == str(screens.COMING) and ui.notice and ui.notice[0] in ui.log:
        # Everything that the match began with stands in the log, too, and half a sentence helps nobody.
        while len(sentences) > 1 and len(spans.paragraphs(sentences, ui.columns - 2)) > most:
            sentences = sentences[:-1]
    text = spans.flowed(sentences, ui.columns - 2, most)
    text_rows = _text_rows(ui, len(text), rows)
    return title, text, text_rows, rows - text_rows


def _replay(ui: ScreenState, shown: Replay) -> Frame:
    """Return the picture of a match that is looked back at; it takes the place of the prompt as well."""
    room = ui.columns - 1 - width(f"{replay.at(shown)} | ")
    now = spans.with_name(partial(_meanwhile, ui), ui.game.opponent, room)
    size = replace(shown, columns=ui.columns, rows=ui.rows, unicode=ui.settings.unicode)
    rows = replay.render(replace(size, now=now, clock=_clocks(ui)))
    return Frame(rows[: -1 - bottom.ROWS], spans.plain(rows[-1 - bottom.ROWS]).rstrip(), rows[-bottom.ROWS:])


def _meanwhile(ui: ScreenState, opponent: str) -> str:
    """Return what the match asks while it is looked back at."""
    game = ui.game
    told = [str(screens.LINE_DOWN)] if game.line_down else []
    told.append(_asked(ui, opponent))
    if ui.unread:
        told.append(fill(screens.UNREAD, count=ui.unread))
    return " | ".join(told)


def _clocks(ui: ScreenState) -> str:
    """Return both clocks as they are now, or nothing."""
    shown = ui.game.clocks
    return "" if shown is None else clocks.panel(shown.mine, shown.theirs, ui.game.opponent, shown.running)


def _text_rows(ui: ScreenState, count: int, rows: int) -> int:
    """Return how many rows the text below the board gets, its title among them."""
    if ui.page in (Page.RESULT, Page.OVER) or (ui.page is not None and not _says_something(ui)):
        return 0
    least, most = guest_of(ui).text_rows(ui, rows)
    wanted = max(min(least, most), min(count, most)) + 1
    return wanted if ui.page is None else min(wanted, count + 1 if count else 0)


def _asks(ui: ScreenState) -> bool:
    """Return whether a question is open at the prompt; on the chat page it waits."""
    return ui.question is not None and ui.page != Page.CHAT


def _says_something(ui: ScreenState) -> bool:
    """Return whether the part above the prompt says more than what can be done."""
    return _asks(ui) or bool(ui.notice) or (bool(ui.found.lines) and not ui.sent)


# -- the head -------------------------------------------------------------------------------------------------


def _head(ui: ScreenState) -> Line:
    return (("head", " " + spans.with_name(partial(_title, ui), ui.game.opponent, ui.columns - 1)),)


def _title(ui: ScreenState, opponent: str) -> str:
    """Return the title; what is known anyway goes before a name is shortened."""
    game = ui.game
    parts = [(_GAME, game.guest.title_of(game.terms))]
    if game.line_down:
        parts.append((_ALWAYS, str(screens.LINE_DOWN)))
    if game.clocks is not None and game.clocks.short and game.ending is None:
        parts.append((_ALWAYS, fill(screens.TIME_SHORT, time=clocks.face(game.clocks.mine))))
    if game.match:
        parts.append((_MATCH, fill(screens.MATCH, number=game.match[:4])))
    if game.turn:
        parts.append((_TURN, fill(screens.TURN, number=game.turn)))
    parts.append((_ALWAYS, _asked(ui, opponent)))
    if ui.unread:
        parts.append((_ALWAYS, fill(screens.UNREAD, count=ui.unread)))
    return spans.joined(parts, ui.columns - 1)


def _asked(ui: ScreenState, opponent: str) -> str:
    """Return what is asked now, for the head line."""
    game = ui.game
    if game.ending is not None:
        return str(screens.OVER)
    if ui.sent:
        return fill(screens.SEALED_WAITING, name=opponent)
    if ui.awaited or screen_state.is_preparing(game):
        return guest_of(ui).asked(ui)
    return fill(screens.WAITING, name=opponent)


# -- the middle -----------------------------------------------------------------------------------------------


def _main(ui: ScreenState, rows: int) -> tuple[list[Line], list[Zone]]:
    if ui.page is not None:
        return _page(ui, rows)
    shown, zones = guest_of(ui).draw(ui, rows)
    return [*shown, *_log(ui, rows - len(shown))], zones


def _page(ui: ScreenState, rows: int) -> tuple[list[Line], list[Zone]]:
    assert ui.page is not None
    shown, zones, part = pages.draw(ui, rows - _PAGE_HEAD)
    head = spans.section(str({**screens.TITLES, **guest_of(ui).titles}.get(ui.page.value, "")) + part, ui.columns)
    filled = [head, *shown, *[EMPTY] * (rows - _PAGE_HEAD - len(shown))]
    return filled, [Zone(zone.row + 2, zone.left, zone.right, zone.what) for zone in zones]


def _log(ui: ScreenState, rows: int) -> list[Line]:
    """Return the end of the log in so many rows, its title among them; what does not fit there ends in two dots."""
    if rows < 2:
        return [EMPTY] * rows
    found, _ = _end_of_log(ui, rows)
    shown = [spans.section(str(screens.LOG), ui.columns), *(line(row) for row in found)]
    return shown + [EMPTY] * (rows - len(shown))


def _end_of_log(ui: ScreenState, rows: int) -> tuple[list[str], list[str]]:
    """Return the end of the log in rows without its title, and the entries that they show whole."""
    back = ui.scroll if ui.page is None else 0
    above = guest_of(ui).said_above(ui)
    entries: list[str] = []
    found: list[str] = []
    for entry in reversed(ui.log[: max(0, len(ui.log) - back)]):
        # What somebody has said has no number of a turn before it, and is always shown.
        if above and entry[:3].strip().isdigit() and entry[4:] == above:
            continue
        room = rows - 1 - len(found)
        if not room:
            break
        told = spans.flowed((entry,), ui.columns - 1, room)
        found[:0] = told
        if len(spans.wrapped(entry, ui.columns - 1)) <= room:
            entries[:0] = [entry]
    return found, entries


def is_chat_seen(ui: ScreenState) -> bool:
    """Return whether all lines of chat that nobody has looked at stand in the log below the board."""
    if ui.page is not None or ui.replay is not None or ui.game.state is None or guest_of(ui).hides_log(ui):
        return False
    *_, main_rows = _layout(ui)
    rows = main_rows - len(guest_of(ui).draw(ui, main_rows)[0])
    entries = _end_of_log(ui, rows)[1] if rows >= 2 else []
    heard = [matches.remark(ui.game, said) for said in ui.game.chat if not said.mine][-ui.unread :]
    return len(heard) == ui.unread and all(any(entry.endswith(one) for entry in entries) for one in heard)


# -- below the board ------------------------------------------------------------------------------------------


def _text(ui: ScreenState) -> tuple[str, Sequence[str]]:
    """Return the title and the sentences of the part above the prompt."""
    if ui.question is not None and _asks(ui):
        return str(screens.ASKED), ui.question.lines
    if ui.notice and ui.notice == ui.told and ui.game.deciding and not ui.sent and not guest_of(ui).steers(ui):
        # What to do is read again later; words to compare that are cut are not compared.
        first = 1 if _are_words_open(ui) else 0
        return str(screens.COMING), (*ui.notice[:first], *_coming(ui), *ui.notice[first:])
    if ui.notice:
        # Words to compare stay until a key; what goes on meanwhile stands below them.
        going_on = screen_state.tell_progress(ui.game)
        return str(screens.ANSWER), (*ui.notice, *going_on)
    if ui.found.lines and not ui.sent:
        return str(screens.PREVIEW), ui.found.lines
    if ui.game.guided and ui.awaited and ui.page is None:
        return str(screens.GUIDE), (*guest_of(ui).guide(ui), *_coming(ui))
    return str(screens.COMING), _coming(ui)


def _coming(ui: ScreenState) -> Sequence[str]:
    """Return what the player can do now, for somebody who has never played."""
    game = ui.game
    if found := guest_of(ui).coming(ui):
        return found
    if ui.sent:
        return (fill(screens.SENDING, name=game.opponent), str(screens.WAIT_HINT))
    if screen_state.is_preparing(game):
        return (*screen_state.tell_progress(game), str(screens.WAIT_HINT))
    return (str(screens.WAIT_HINT),) if game.state is not None else (str(screens.BEGINNING), str(screens.WAIT_HINT))
