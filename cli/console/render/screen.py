"""The whole picture: :func:`render` is a pure function of the model.

Rows, from above: a head line; the board and its panel, or the page or the combat window that lies over them; the log;
what a line costs or what was answered; the prompt; a hint; the keys.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from cli import vocabulary
from cli.clean import width
from cli.console import questions, viewing
from cli.console.render import board, bottom, combat, hints, pages, panel, replay, setup
from cli.console.render.looks import signs
from cli.console.render.spans import (
    EMPTY,
    Line,
    beside,
    finer,
    fitted,
    flowed,
    joined,
    line,
    plain,
    section,
    with_name,
    wrapped,
)
from cli.console.render.zones import Frame, Zone, hexes
from cli.console.replay import Replay
from cli.console.screen_state import Page, ScreenState
from cli.language import cached
from cli.storm.model import is_dealing
from cli.storm.text import help_text, matches, story
from cli.text import clocks, names
from cli.text import screens as words
from cli.text.wording import fill
from storm_p2p.storm import engine, notation
from storm_p2p.storm.actions import Move, Reveal
from storm_p2p.storm.board import Faction
from storm_p2p.storm.rules.combat import sealed
from storm_p2p.storm.state import Phase, State

_LARGE_COLUMNS = 118
_LARGE_ROWS = 38
_GAP = 2
_PAGE_HEAD = 1
"""Rows of the title of a page."""
_ANSWERED = frozenset({Phase.AID, Phase.LOSE, Phase.RETREAT, Phase.STAY, Phase.SNEAK, Phase.BOLT})
"""Phases that ask a question; what the rules force is answered by the program."""
_GAME, _MATCH, _TURN, _ALWAYS = range(4)
"""What the head leaves out first when it has no room."""
_LEAST_HINT = 1
"""Rows for how a maneuver is chosen, as far as they go; the keys stand in the hint."""
_LEAST_TEXT = 2
"""Rows for the preview and for answers."""


def render(ui: ScreenState) -> Frame:
    """Return the picture of a model."""
    if ui.replay is not None:
        return _replay(ui, ui.replay)
    main_rows = ui.rows - 2 - bottom.ROWS
    title, sentences = _text(ui)
    text = flowed(sentences, ui.columns - 2, _most_text(ui, main_rows))
    text_rows = _text_rows(ui, len(text), main_rows)
    body, zones = _main(ui, main_rows - text_rows)
    rows = [_head(ui), *body]
    if text_rows:
        rows.append(section(title, ui.columns))
        rows += [line(" " + row) for row in text[: text_rows - 1]]
        rows += [EMPTY] * (ui.rows - 1 - bottom.ROWS - len(rows))
    below, below_zones = bottom.draw(ui)
    if ui.settings.unicode:
        found = signs(unicode=True)
        rows = [finer(row, found.level, found.upright, found.corners) for row in rows]
    return Frame(
        tuple(fitted(row, ui.columns, "head" if number == 0 else "") for number, row in enumerate(rows)),
        hints.prompt(ui),
        tuple(fitted(row, ui.columns) for row in below),
        (*zones, *below_zones),
    )


def furthest(ui: ScreenState) -> int:
    """Return by how many lines the page over the board can be scrolled."""
    main_rows = ui.rows - 2 - bottom.ROWS
    text = flowed(_text(ui)[1], ui.columns - 2, _most_text(ui, main_rows))
    return pages.furthest(ui, main_rows - _text_rows(ui, len(text), main_rows) - _PAGE_HEAD)


def _replay(ui: ScreenState, shown: Replay) -> Frame:
    """Return the picture of a match that is looked back at; it takes the place of the prompt as well."""
    room = ui.columns - 1 - width(f"{replay.at(shown)} | ")
    now = with_name(partial(_meanwhile, ui), ui.game.opponent, room)
    size = replace(shown, columns=ui.columns, rows=ui.rows, unicode=ui.settings.unicode)
    rows = replay.render(replace(size, now=now, clock=_clocks(ui)))
    return Frame(rows[: -1 - bottom.ROWS], plain(rows[-1 - bottom.ROWS]).rstrip(), rows[-bottom.ROWS:])


def _meanwhile(ui: ScreenState, opponent: str) -> str:
    """Return what the match asks while it is looked back at."""
    game = ui.game
    told = [str(words.LINE_DOWN)] if game.line_down else []
    told.append(_asked(ui, opponent))
    if ui.unread:
        told.append(fill(words.UNREAD, count=ui.unread))
    return " | ".join(told)


def _clocks(ui: ScreenState) -> str:
    """Return both clocks as they are now, or nothing."""
    shown = ui.game.clocks
    return "" if shown is None else clocks.panel(shown.mine, shown.theirs, ui.game.opponent, shown.running)


def is_large(ui: ScreenState) -> bool:
    """Return whether the large board fits."""
    return ui.columns >= _LARGE_COLUMNS and ui.rows >= _LARGE_ROWS


def _text_rows(ui: ScreenState, count: int, rows: int) -> int:
    """Return how many rows the text below the board gets, its title among them."""
    if ui.page in (Page.RESULT, Page.OVER) or (ui.page is not None and not _says_something(ui)):
        return 0
    if ui.page is None and setup.is_shown(ui):
        return setup.text_rows(rows, large=is_large(ui))
    room = _most_text(ui, rows)
    least = max(min(_LEAST_TEXT, room), min(count, room)) + 1
    return least if ui.page is None else min(least, count + 1 if count else 0)


def _most_text(ui: ScreenState, rows: int) -> int:
    """Return how many lines of text there is room for: what the board leaves, but for the title."""
    if ui.page is None and setup.is_shown(ui):
        return setup.text_rows(rows, large=is_large(ui)) - 1
    most = rows - (board.LARGE if is_large(ui) else board.SMALL).rows - 1
    if ui.page is None and _fights(ui) and not _asks(ui):
        # What can be done is known after the first combat; what the powers do in this one is not.
        return max(_LEAST_HINT, min(most, rows - combat.rows_wanted(ui.game, ui.columns) - 1))
    return most


def _asks(ui: ScreenState) -> bool:
    """Return whether a question is open at the prompt; on the chat page it waits."""
    return ui.question is not None and ui.page != Page.CHAT


def _says_something(ui: ScreenState) -> bool:
    """Return whether the part above the prompt says more than what can be done."""
    return _asks(ui) or bool(ui.notice) or (bool(ui.found.lines) and not ui.sent)


# -- the head -------------------------------------------------------------------------------------------------


def _head(ui: ScreenState) -> Line:
    return (("head", " " + with_name(partial(_title, ui), ui.game.opponent, ui.columns - 1)),)


def _title(ui: ScreenState, opponent: str) -> str:
    """Return the title; what is known anyway goes before a name is shortened."""
    game = ui.game
    parts = [(_GAME, str(words.GAME))]
    if game.line_down:
        parts.append((_ALWAYS, str(words.LINE_DOWN)))
    if game.match:
        parts.append((_MATCH, fill(words.MATCH, number=game.match[:4])))
    if game.state is not None and game.state.number and game.state.phase != Phase.SETUP:
        parts.append((_TURN, fill(words.TURN, number=game.state.number)))
    parts.append((_ALWAYS, _asked(ui, opponent)))
    if ui.unread:
        parts.append((_ALWAYS, fill(words.UNREAD, count=ui.unread)))
    return joined(parts, ui.columns - 1)


def _asked(ui: ScreenState, opponent: str) -> str:
    """Return what is asked now, for the head line."""
    game = ui.game
    side = names.side_name(game.faction)
    if game.ending is not None:
        return str(words.OVER)
    if ui.placing is not None and not ui.sent:
        return str(words.SETUP_STATE)
    if ui.sent:
        return fill(words.SEALED_WAITING, name=opponent)
    if game.deciding and game.state is not None:
        return f"{words.QUESTIONS.get(game.state.phase, words.YOUR_ANSWER)} ({side})"
    if is_dealing(game):
        return str(words.DEALING)
    return fill(words.WAITING, name=opponent)


# -- the middle -----------------------------------------------------------------------------------------------


def _main(ui: ScreenState, rows: int) -> tuple[list[Line], list[Zone]]:
    if ui.page is not None:
        return _page(ui, rows)
    if setup.is_shown(ui):
        return setup.draw(ui, rows, large=is_large(ui))
    return _combat(ui, rows) if _fights(ui) else _board(ui, rows)


def _fights(ui: ScreenState) -> bool:
    """Return whether the window of a combat lies over the board."""
    state = ui.game.state
    fighting = state is not None and state.combat is not None and state.phase == Phase.FIGHT
    return fighting and ui.game.deciding and not ui.minimised and not ui.sent


def _page(ui: ScreenState, rows: int) -> tuple[list[Line], list[Zone]]:
    assert ui.page is not None
    shown, zones, part = pages.draw(ui, rows - _PAGE_HEAD)
    head = section(str(words.TITLES[ui.page.value]) + part, ui.columns)
    filled = [head, *shown, *[EMPTY] * (rows - _PAGE_HEAD - len(shown))]
    return filled, [Zone(zone.row + 2, zone.left, zone.right, zone.what) for zone in zones]


def _combat(ui: ScreenState, rows: int) -> tuple[list[Line], list[Zone]]:
    shown, zones = combat.draw(ui.game, ui.choice, ui.columns, rows)
    rest = rows - len(shown)
    filled = [*shown, *_log(ui, rest)]
    return filled, [Zone(zone.row + 1, zone.left, zone.right, zone.what) for zone in zones]


def _board(ui: ScreenState, rows: int) -> tuple[list[Line], list[Zone]]:
    state = ui.game.state
    if state is None:
        return [EMPTY] * rows, []
    large = is_large(ui)
    size = board.LARGE if large else board.SMALL
    marks = ui.found.marks if ui.question is None else ui.question.marks
    drawn = board.draw(state.sides, ui.game.faction, marks, large=large, unicode=ui.settings.unicode)
    start = size.columns + _GAP
    side = panel.draw(ui.game, ui.columns - start, size.rows, unicode=ui.settings.unicode)
    lines = beside(drawn, side, start)
    return [*lines, *_log(ui, rows - len(lines))], list(hexes(large=large))


def _log(ui: ScreenState, rows: int) -> list[Line]:
    """Return the end of the log in so many rows, its title among them; nothing begins in the middle of an entry."""
    if rows < 2:
        return [EMPTY] * rows
    found, _ = _end_of_log(ui, rows)
    shown = [section(str(words.LOG), ui.columns), *(line(row) for row in found)]
    return shown + [EMPTY] * (rows - len(shown))


def _end_of_log(ui: ScreenState, rows: int) -> tuple[list[str], list[str]]:
    """Return the end of the log in rows without its title, and the entries that they show."""
    back = ui.scroll if ui.page is None else 0
    entries: list[str] = []
    found: list[str] = []
    for entry in reversed(ui.log[: max(0, len(ui.log) - back)]):
        room = rows - 1 - len(found)
        told = flowed((entry,), ui.columns - 1, room) if not found else wrapped(entry, ui.columns - 1)
        if len(told) > room:
            break
        found[:0] = told
        entries[:0] = [entry]
    return found, entries


def is_chat_seen(ui: ScreenState) -> bool:
    """Return whether all lines of chat that nobody has looked at stand in the log below the board."""
    if ui.page is not None or ui.replay is not None or ui.game.state is None or setup.is_shown(ui) or _fights(ui):
        return False
    main_rows = ui.rows - 2 - bottom.ROWS
    text = flowed(_text(ui)[1], ui.columns - 2, _most_text(ui, main_rows))
    size = board.LARGE if is_large(ui) else board.SMALL
    rows = main_rows - _text_rows(ui, len(text), main_rows) - size.rows
    entries = _end_of_log(ui, rows)[1] if rows >= 2 else []
    heard = [story.remark(ui.game, said) for said in ui.game.chat if not said.mine][-ui.unread :]
    return len(heard) == ui.unread and all(any(entry.endswith(one) for entry in entries) for one in heard)


# -- below the board ------------------------------------------------------------------------------------------


def _text(ui: ScreenState) -> tuple[str, Sequence[str]]:
    """Return the title and the sentences of the part above the prompt."""
    if ui.question is not None and _asks(ui):
        return str(words.ASKED), ui.question.lines
    if ui.notice and ui.notice == ui.told and ui.game.deciding and not ui.sent and not _fights(ui):
        return str(words.COMING), (*_coming(ui), *ui.notice)
    if ui.notice:
        # Words to compare stay until a key; what goes on meanwhile stands below them.
        going_on = matches.dealing(ui.game)
        return str(words.ANSWER), (*ui.notice, *going_on)
    if ui.found.lines and not ui.sent:
        return str(words.PREVIEW), ui.found.lines
    if ui.placing is not None and not ui.sent:
        return str(words.COMING), setup.card(ui) or setup.first_lines(ui)
    return str(words.COMING), _coming(ui)


def _coming(ui: ScreenState) -> Sequence[str]:
    """Return what the player can do now, for somebody who has never played."""
    game, state = ui.game, ui.game.state
    if ui.given and state is not None and state.phase == Phase.FIGHT and not game.deciding:
        template = words.GIVEN_SEALED if sealed(state) else words.GIVEN
        return (fill(template, what=ui.given, name=game.opponent), str(words.WAIT_HINT))
    if ui.sent:
        return (fill(words.SENDING, name=game.opponent), str(words.WAIT_HINT))
    if is_dealing(game):
        return (*matches.dealing(game), str(words.WAIT_HINT))
    if not game.deciding or state is None:
        return (str(words.WAIT_HINT),) if state is not None else (str(words.BEGINNING), str(words.WAIT_HINT))
    if state.phase == Phase.TURN:
        first = list(map(str, words.FIRST_MOVE))
        also = _also(state, game.faction)
        return (str(words.GOALS[game.faction]), *first, *also) if ui.first else (first[0], *also)
    if state.phase == Phase.FIGHT:
        return combat.how_to_choose(state, game.faction)
    if state.phase not in _ANSWERED:
        return (str(words.WAIT_HINT),)
    region = state.target or (state.combat.region if state.combat is not None else 0)
    asked = [help_text.question(state.phase, region)]
    if state.phase == Phase.AID:
        asked.append(questions.aid(state, game.faction))
    answers = "   ".join(option_words(ui))
    return (*asked, fill(words.ANSWERS, answers=answers))


@cached(maxsize=4)
def _also(state: State, faction: Faction) -> tuple[str, ...]:
    """Return what can be done besides moving, with its price; revealing is free and left out."""
    ways: dict[str, list[str]] = {}
    for action, price in engine.options(state, faction):
        if isinstance(action, Reveal) or (isinstance(action, Move) and action.claim is None):
            continue
        text = vocabulary.said(notation.format_action(action))
        verb = vocabulary.argument("claim") if isinstance(action, Move) else text.split()[0]
        ways.setdefault(verb, []).append(fill(words.OPTION, words=text, price=names.cost(price)))
    found = [
        texts[0] if len(texts) == 1 else fill(words.WAYS, verb=verb, number=len(texts))
        for verb, texts in ways.items()
    ]
    return (fill(words.ALSO, options=", ".join(found)),) if found else ()


def option_words(ui: ScreenState) -> list[str]:
    """Return the answers to the present question, in words that can be typed."""
    free = f"({names.FREE})"
    return [option.partition(" (")[0] if option.endswith(free) else option for option in viewing.options(ui.game)]


def zone_at(frame: Frame, row: int, column: int) -> str:
    """Return what is under a cell of the screen, or nothing."""
    for zone in reversed(frame.zones):
        if zone.row == row and zone.left <= column < zone.right:
            return zone.what
    return ""
