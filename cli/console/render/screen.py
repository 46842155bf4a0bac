"""The whole picture: :func:`render` is a pure function of the model.

Rows, from above: a head line; the board and its panel, or the page or the combat window that lies over them; the log;
what a line costs or what was answered; the prompt; a hint; the keys.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

from cli.clean import shorten, width
from cli.console import pages, screen_state
from cli.console.guest import guest_of, keys_at_end, keys_of
from cli.console.messages import Severity, SubmitMode, sent_at_once
from cli.console.render import replay, spans
from cli.console.render.spans import EMPTY, Frame, Line, Span, Zone, fitted, line, line_width, paragraphs
from cli.console.replay import Replay
from cli.console.screen_state import Page, Question, ScreenState
from cli.match.player import Next
from cli.text import clocks, matches, screens, wording
from cli.text.wording import fill

_HINT_GAP = "   "


def prompt(ui: ScreenState) -> str:
    """Return the words before the cursor."""
    if ui.page in (Page.RESULT, Page.OVER):
        return str(screens.NEWS) if ui.page == Page.RESULT else _end(ui)
    if ui.page == Page.CHAT:
        return str(screens.PROMPT_CHAT)
    if ui.question is None:
        return screens.PROMPT
    return str(
        screens.ASK_YES if ui.question.severity == Severity.LAST else screens.DEEDS[pages.deed(ui.question)]["ask"]
    )


def _end(ui: ScreenState) -> str:
    """Return what is said before the cursor at the end of a match."""
    game = ui.game
    if ui.next is Next.AGAIN:
        return str(screens.STARTING_AGAIN)
    if game.other_left or game.line_down:
        return fill(screens.END_ALONE if game.other_left else screens.END_UNHEARD, name=game.opponent)
    if game.rematch_offered or game.rematch_wanted:
        return fill(screens.REMATCH_OFFERED if game.rematch_offered else screens.REMATCH_WANTED, name=game.opponent)
    return fill(screens.REMATCH_REFUSED, name=game.opponent) if game.rematch_refused else str(screens.THE_END)


def hint_of(ui: ScreenState) -> str:
    """Return the words below the prompt."""
    if ui.question is not None and ui.page not in (Page.RESULT, Page.OVER, Page.CHAT):
        return _question(ui, ui.question)
    guest = guest_of(ui)
    every = {**screens.HINTS, **guest.hints}
    return fill(
        every.get(kind_of_hint(ui), screens.HINTS["typing"]),
        replay=screens.REPLAY if guest.analyst is None else screens.REPLAY_ANALYSIS,
    )


def _after(ui: ScreenState) -> str:
    """Return which hint stands below the end of a match."""
    if ui.game.computer:
        return "over computer"
    return "over" if ui.game.other_left else "over person"


def _question(ui: ScreenState, question: Question) -> str:
    """Return what Enter and Escape do while a question is open; it depends on what is typed."""
    typed, deed = ui.typed.strip(), screens.DEEDS[pages.deed(question)]
    if ui.page is not None and not typed:
        return str(screens.HINTS["aside"])
    if pages.agrees(question, typed):
        return _HINT_GAP.join(
            (str(deed["agreed"]), str(deed["escapes"] if ui.page is None else screens.BACK_TO_QUESTION))
        )
    if ui.page is not None:
        return _HINT_GAP.join((str(deed["declined"]), str(screens.BACK_TO_QUESTION)))
    if question.severity == Severity.LAST:
        return str(screens.HINTS["last"])
    return str(deed["refused" if typed else "open"])


def kind_of_hint(ui: ScreenState) -> str:
    """Return which hint stands below the prompt where no question is asked."""
    if ui.page in (Page.RESULT, Page.OVER):
        return "result" if ui.page == Page.RESULT else _after(ui)
    if ui.page == Page.CHAT and ui.rejected:
        return "unsaid"
    if ui.page == Page.CHAT:
        return "saying" if ui.typed.strip() else "chat"
    if ui.page is not None and not ui.typed.strip():
        return "page"
    if not ui.awaited:
        return "waiting"
    return guest_of(ui).hint(ui) if ui.setting_up or not ui.typed.strip() else _typing(ui)


def _typing(ui: ScreenState) -> str:
    """Return which hint stands below a line that is typed where an answer is awaited; Enter does just that."""
    found, line = ui.found, ui.typed.strip()
    if found.picked:
        return "target" if ui.typed.endswith((" ", ">")) else "pick"
    if found.preview is None:
        return "who" if found.lines and line.isdigit() else "typing"
    severity = found.preview.severity
    if line.endswith(SubmitMode.PRICE.value):
        return "price"
    accepted = line.endswith(SubmitMode.ACCEPT.value)
    if sent_at_once(severity, accepted=accepted, confirms=ui.game.confirms):
        return "free"
    return {Severity.WARN: "warned", Severity.LAST: "fatal"}.get(severity, "costs")


_WHERE_THERE_IS_ROOM = ("F9",)
"""Keys that are named only in a wide window; the help names them all."""
ROWS = 2
"""How many rows there are."""


def draw_bottom(ui: ScreenState) -> tuple[list[Line], list[Zone]]:
    """Return the hint and the keys, and what can be clicked in them."""
    row = ui.rows - ROWS
    hint: list[Span] = [("hint", " ")]
    zones: list[Zone] = []
    if _sendable(ui):
        buttons = [(str(screens.SEND_BUTTON), "send")]
        if ui.question is not None:
            buttons = [(str(screens.YES_BUTTON), "send"), (str(screens.NO_BUTTON), "no")]
        column = 1
        for text, what in buttons:
            hint += [("button", text), ("", " ")]
            zones.append(Zone(row, column, column + width(text), what))
            column += width(text) + 1
    if ui.question is None and kind_of_hint(ui) == "answer":
        column = 1
        for text in _answers(ui):
            hint += [("button", f"[{text}]"), ("", " ")]
            zones.append(Zone(row, column, column + width(text) + 2, f"choose {text}"))
            column += width(text) + 3
    hint.append(("hint", hint_of(ui)))
    keys, key_zones = _keys(ui, row + 1)
    return [tuple(hint), keys], [*zones, *key_zones]


def _answers(ui: ScreenState) -> list[str]:
    """Return the answers that can be clicked, as far as they fit beside the hint."""
    room = ui.columns - width(str(screens.HINTS["answer"])) - 2
    found: list[str] = []
    for text in guest_of(ui).answers(ui):
        room -= width(text) + 3
        if room < 0:
            break
        found.append(text)
    return found


def _sendable(ui: ScreenState) -> bool:
    if ui.page in (Page.RESULT, Page.OVER, Page.CHAT):
        return False
    if ui.question is not None:
        return ui.question.severity != Severity.LAST
    if ui.typed.rstrip().endswith(SubmitMode.PRICE.value):
        return False
    return ui.found.preview is not None or (guest_of(ui).steers(ui) and not ui.typed.strip())


def _keys(ui: ScreenState, row: int) -> tuple[Line, list[Zone]]:
    spans: list[Span] = []
    zones: list[Zone] = []
    column = 0
    keys = keys_at_end if ui.page == Page.OVER else keys_of
    named = [(key, str(word)) for key, word in keys(ui.game.guest).items()]
    lit = guest_of(ui).lit(ui)
    # Capitals, beside what the style makes of them, for there may be no room for a word more.
    named = [(key, word.upper() if key in lit else word) for key, word in named]
    shown = named
    if sum(len(name) + width(word) + 2 for name, word in named) > ui.columns:
        shown = [key for key in named if key[0] not in _WHERE_THERE_IS_ROOM]
    for name, word in shown:
        zones.append(Zone(row, column, column + len(name) + 1 + width(word), f"key {name.lower()}"))
        spans += [("key", name), ("", " "), ("button" if name in lit else "", word), ("", " ")]
        column += len(name) + width(word) + 2
    mouse = str(screens.MOUSE_ON if ui.settings.mouse else screens.MOUSE_OFF)
    if column + width(mouse) < ui.columns:
        spans += [("", " " * (ui.columns - column - width(mouse) - 1)), ("dim", mouse)]
    return tuple(spans), zones


_FROM_BELOW = (Page.LOG, Page.CHAT)
"""Pages that show their end first."""


def draw_page(ui: ScreenState, rows: int) -> tuple[list[Line], list[Zone], str]:
    """Return at most ``rows`` lines of the open page, scrolled, what can be clicked, and which part of it this is."""
    found, zones = _whole(ui, rows)
    start = start_of(ui, len(found), rows)
    shown = [(("", " "), *row) for row in found[start : start + rows]]
    moved = [
        Zone(zone.row - start, zone.left, zone.right, zone.what) for zone in zones if start <= zone.row < start + rows
    ]
    part = ""
    if len(found) > rows:
        part = "   " + fill(screens.PART, first=start + 1, last=start + len(shown), count=len(found))
    return shown, moved, part


def furthest_of_page(ui: ScreenState, rows: int) -> int:
    """Return by how many lines the open page can be scrolled when ``rows`` of them are seen."""
    return max(0, len(_whole(ui, rows)[0]) - rows)


def _whole(ui: ScreenState, rows: int) -> tuple[list[Line], list[Zone]]:
    """Return all lines of the open page, of which so many rows are seen, and what can be clicked in them."""
    assert ui.page is not None
    if ui.page == Page.UNITS:
        return guest_of(ui).page(ui)
    found = [_styled(ui.page, text) for text in paragraphs(_page_text(ui), ui.columns - 2)]
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


def _page_text(ui: ScreenState) -> Sequence[str]:
    match ui.page:
        case Page.HELP:
            return [*_page_asked(ui), *guest_of(ui).help(ui)]
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


def _page_asked(ui: ScreenState) -> list[str]:
    """Return the open question again, and what a yes and any other answer do; nothing where none is open."""
    if ui.question is None:
        return []
    told = [str(screens.TYPE_YES)] if ui.question.severity == Severity.LAST else []
    return [f"{wording.opening(str(screens.ASKED))}:", *ui.question.lines, *told, str(screens.EXPLAINED), ""]


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
        rows += [EMPTY] * (ui.rows - 1 - ROWS - len(rows))
    below, below_zones = draw_bottom(ui)
    if ui.settings.unicode:
        rows = [spans.finer(row) for row in rows]
    return Frame(
        tuple(spans.fitted(row, ui.columns, "head" if number == 0 else "") for number, row in enumerate(rows)),
        prompt(ui),
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
    return furthest_of_page(ui, main_rows - _PAGE_HEAD)


def _layout(ui: ScreenState) -> tuple[str, list[str], int, int]:
    """Return the title and the lines of the text below the board, its rows, and those that are left above it."""
    rows = ui.rows - 2 - ROWS
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
    return Frame(rows[: -1 - ROWS], spans.plain(rows[-1 - ROWS]).rstrip(), rows[-ROWS:])


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
    shown, zones, part = draw_page(ui, rows - _PAGE_HEAD)
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


_GAP = 2


@dataclass(frozen=True, slots=True)
class Spot:
    """Where a suggestion stands."""

    row: int
    """From the first of the rows below the prompt on."""
    left: int
    right: int
    """The column behind its last one."""
    number: int
    """Of the suggestion."""


def draw_suggestions(
    offered: Sequence[tuple[str, str]], picked: int | None, columns: int, rows: int
) -> tuple[list[Line], list[Spot]]:
    """Return the rows below the prompt with as many suggestions as fit, and where they stand.

    They are words, each with its price or what it is, around the ``picked`` one, which is at the prompt.
    """
    room = columns - line_width(_count(len(offered), len(offered), len(offered))) - 2 * _GAP
    texts = [shorten(f"{word} ({note})" if note else word, room) for word, note in offered]
    first, spots = _suggestions_page(texts, picked or 0, columns, rows)
    lines: list[Line] = []
    for row in range(rows):
        spans: list[Span] = []
        column = 0
        for spot in (spot for spot in spots if spot.row == row):
            spans.append(("", " " * (spot.left - column)))
            spans.append(("picked" if spot.number == picked else "", texts[spot.number]))
            column = spot.right
        lines.append(tuple(spans))
    if len(spots) < len(texts):
        more = _count(first + 1, first + len(spots), len(texts))
        lines[-1] = fitted(lines[-1], columns - 1 - line_width(more)) + line(more, "dim")
    return [fitted(found, columns) for found in lines], spots


def _count(first: int, last: int, count: int) -> str:
    return fill(screens.MORE, first=first, last=last, count=count)


def _suggestions_page(texts: Sequence[str], picked: int, columns: int, rows: int) -> tuple[int, list[Spot]]:
    """Return the first suggestion of the page that the picked one is on, and where those of that page stand."""
    first = 0
    while True:
        spots = _placed(texts, first, columns, rows)
        after = first + len(spots)
        if picked < after or after >= len(texts):
            return first, spots
        first = after


def _placed(texts: Sequence[str], first: int, columns: int, rows: int) -> list[Spot]:
    """Return where suggestions stand from one on, as many as fit; the last row keeps room for how many there are."""
    count = _count(len(texts), len(texts), len(texts))
    spots: list[Spot] = []
    row, column = 0, 1
    for number in range(first, len(texts)):
        whole = first == 0 and number == len(texts) - 1
        room = columns if row < rows - 1 or whole else columns - line_width(count) - _GAP
        if column > 1 and column + line_width(texts[number]) > room:
            row, column = row + 1, 1
        if row == rows:
            break
        spots.append(Spot(row, column, column + line_width(texts[number]), number))
        column += line_width(texts[number]) + _GAP
    return spots
