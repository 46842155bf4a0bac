"""The whole picture: :func:`render` is a pure function of the model.

Rows, from above: a head line; the board and its panel, or the page or the combat window that lies over them; the log;
what a line costs or what was answered; the prompt; a hint; the keys.
"""

from collections.abc import Iterator, Sequence
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


def prompt(screen: ScreenState) -> str:
    """Return the words before the cursor."""
    if screen.page in (Page.RESULT, Page.OVER):
        return str(screens.NEWS) if screen.page == Page.RESULT else _end(screen)
    if screen.page == Page.CHAT:
        return str(screens.PROMPT_CHAT)
    if screen.question is None:
        return screens.PROMPT
    return str(
        screens.ASK_YES
        if screen.question.severity == Severity.LAST
        else screens.DEEDS[pages.deed(screen.question)]["ask"]
    )


def _end(screen: ScreenState) -> str:
    """Return what is said before the cursor at the end of a match."""
    model = screen.match
    if screen.next is Next.AGAIN:
        return str(screens.STARTING_AGAIN)
    if model.other_left or model.line_down:
        return fill(screens.END_ALONE if model.other_left else screens.END_UNHEARD, name=model.opponent)
    if model.rematch_offered or model.rematch_wanted:
        rematch = (screens.REMATCH_WANTED, screens.REMATCH_OFFERED)
        said = (screens.NEXT_WANTED, screens.NEXT_OFFERED) if model.next_game else rematch
        return fill(said[model.rematch_offered], name=model.opponent)
    return fill(screens.REMATCH_REFUSED, name=model.opponent) if model.rematch_refused else str(screens.THE_END)


def hint_of(screen: ScreenState) -> str:
    """Return the words below the prompt."""
    if screen.question is not None and screen.page not in (Page.RESULT, Page.OVER, Page.CHAT):
        return _question(screen, screen.question)
    guest = guest_of(screen)
    every = {**screens.HINTS, **guest.hints}
    return fill(
        every.get(kind_of_hint(screen), screens.HINTS["typing"]),
        replay=screens.REPLAY if guest.adviser is None else screens.REPLAY_ANALYSIS,
    )


def _after(screen: ScreenState) -> str:
    """Return which hint stands below the end of a match."""
    if screen.match.computer:
        return "over computer"
    if screen.match.other_left:
        return "over"
    if screen.match.rematch_wanted:
        return "over wanted"
    return "over next" if screen.match.next_game else "over person"


def _question(screen: ScreenState, question: Question) -> str:
    """Return what Enter and Escape do while a question is open; it depends on what is typed."""
    typed, deed = screen.typed.strip(), screens.DEEDS[pages.deed(question)]
    if screen.page is not None and not typed:
        return str(screens.HINTS["aside"])
    if pages.agrees(question, typed):
        return _HINT_GAP.join(
            (str(deed["agreed"]), str(deed["escapes"] if screen.page is None else screens.BACK_TO_QUESTION))
        )
    if screen.page is not None:
        return _HINT_GAP.join((str(deed["declined"]), str(screens.BACK_TO_QUESTION)))
    if question.severity == Severity.LAST:
        return str(screens.HINTS["last"])
    return str(deed["refused" if typed else "open"])


def kind_of_hint(screen: ScreenState) -> str:
    """Return which hint stands below the prompt where no question is asked."""
    if screen.page in (Page.RESULT, Page.OVER):
        return "result" if screen.page == Page.RESULT else _after(screen)
    if screen.page == Page.CHAT and screen.rejected:
        return "unsaid"
    if screen.page == Page.CHAT:
        return "saying" if screen.typed.strip() else "chat"
    if screen.page is not None and not screen.typed.strip():
        return "page"
    if not screen.awaited:
        return "waiting"
    return guest_of(screen).hint(screen) if screen.setting_up or not screen.typed.strip() else _typing(screen)


def _typing(screen: ScreenState) -> str:
    """Return which hint stands below a line that is typed where an answer is awaited; Enter does just that."""
    found, line = screen.found, screen.typed.strip()
    if found.picked:
        return "target" if screen.typed.endswith((" ", ">")) else "pick"
    if found.severity is None:
        return "who" if found.lines and line.isdigit() else "typing"
    if line.endswith(SubmitMode.PRICE.value):
        return "price"
    accepted = line.endswith(SubmitMode.ACCEPT.value)
    if sent_at_once(found.severity, accepted=accepted, confirms=screen.match.confirms):
        return "free"
    return {Severity.WARN: "warned", Severity.LAST: "fatal"}.get(found.severity, "costs")


_WHERE_THERE_IS_ROOM = ("F7", "F8")
"""Keys that are left out of a row without room, F7 first: the help has them, and their words can be typed."""
ROWS = 2
"""How many rows there are."""


def draw_bottom(screen: ScreenState) -> tuple[list[Line], list[Zone]]:
    """Return the hint and the keys, and what can be clicked in them."""
    row = screen.rows - ROWS
    hint: list[Span] = [("hint", " ")]
    zones: list[Zone] = []
    column = 1
    for text, what in _buttons(screen):
        hint += [("button", text), ("", " ")]
        zones.append(Zone(row, column, column + width(text), what))
        column += width(text) + 1
    hint.append(("hint", hint_of(screen)))
    keys, key_zones = _keys(screen, row + 1)
    return [tuple(hint), keys], [*zones, *key_zones]


def _buttons(screen: ScreenState) -> Iterator[tuple[str, str]]:
    """Yield what can be clicked before the hint, and what a click means; answers as far as they fit beside it."""
    if _sendable(screen) and screen.question is not None:
        yield from ((str(screens.YES_BUTTON), "send"), (str(screens.NO_BUTTON), "no"))
    elif _sendable(screen):
        yield str(screens.SEND_BUTTON), "send"
    elif screen.question is None and kind_of_hint(screen) == "answer":
        room = screen.columns - width(str(screens.HINTS["answer"])) - 2
        for text in guest_of(screen).answers(screen):
            room -= width(text) + 3
            if room < 0:
                break
            yield f"[{text}]", f"choose {text}"


def _sendable(screen: ScreenState) -> bool:
    if screen.page in (Page.RESULT, Page.OVER, Page.CHAT):
        return False
    if screen.question is not None:
        return screen.question.severity != Severity.LAST
    if screen.typed.rstrip().endswith(SubmitMode.PRICE.value):
        return False
    return screen.found.severity is not None or (guest_of(screen).steers(screen) and not screen.typed.strip())


def _keys(screen: ScreenState, row: int) -> tuple[Line, list[Zone]]:
    spans: list[Span] = []
    zones: list[Zone] = []
    column = 0
    keys = keys_at_end if screen.page == Page.OVER else keys_of
    named = [(key, str(word).lower()) for key, word in keys(screen.match.guest).items()]
    lit = guest_of(screen).lit(screen)
    # Capitals, beside what the style makes of them, for there may be no room for a word more.
    named = [(key, word.upper() if key in lit else word) for key, word in named]
    for spared in _WHERE_THERE_IS_ROOM:
        if sum(len(name) + width(word) + 2 for name, word in named) > screen.columns:
            named = [key for key in named if key[0] != spared]
    for name, word in named:
        zones.append(Zone(row, column, column + len(name) + 1 + width(word), f"key {name.lower()}"))
        spans += [("key", name), ("", " "), ("button" if name in lit else "", word), ("", " ")]
        column += len(name) + width(word) + 2
    mouse = str(screens.MOUSE_ON if screen.settings.mouse else screens.MOUSE_OFF)
    if column + width(mouse) < screen.columns:
        spans += [("", " " * (screen.columns - column - width(mouse) - 1)), ("dim", mouse)]
    return tuple(spans), zones


_FROM_BELOW = (Page.LOG, Page.CHAT)
"""Pages that show their end first."""


def draw_page(screen: ScreenState, rows: int) -> tuple[list[Line], list[Zone], str]:
    """Return at most ``rows`` lines of the open page, scrolled, what can be clicked, and which part of it this is."""
    found, zones = _whole(screen, rows)
    last = max(0, len(found) - rows)
    scroll = min(screen.scroll, last)
    # A page from below counts its scrolling from the end.
    start = last - scroll if screen.page in _FROM_BELOW else scroll
    shown = [(("", " "), *row) for row in found[start : start + rows]]
    moved = [
        Zone(zone.row - start, zone.left, zone.right, zone.what) for zone in zones if start <= zone.row < start + rows
    ]
    part = ""
    if len(found) > rows:
        part = "   " + fill(screens.PART, first=start + 1, last=start + len(shown), count=len(found))
    return shown, moved, part


def _whole(screen: ScreenState, rows: int) -> tuple[list[Line], list[Zone]]:
    """Return all lines of the open page, of which so many rows are seen, and what can be clicked in them."""
    assert screen.page is not None
    if screen.page in guest_of(screen).drawn_pages:
        return guest_of(screen).page(screen)
    found = [_styled(screen.page, text) for text in paragraphs(_page_text(screen), screen.columns - 2)]
    return found + (_last(screen, rows - len(found)) if screen.page == Page.OVER else []), []


_ROOM_FOR_VERDICT = 30
"""Columns beside the last board that the chances and decisions want; else they stand below it."""


def _last(screen: ScreenState, rows: int) -> list[Line]:
    """Return the board at the end, and what the computer thinks of the match."""
    drawn = guest_of(screen).last_board(screen, rows)
    if screen.judged is None:
        return drawn
    across = max((line_width(spans.plain(row)) for row in drawn), default=0) + _GAP
    room = screen.columns - 2 - across
    if room < _ROOM_FOR_VERDICT:
        below = replay.verdict(screen.match, screen.judged, screen.columns - 2, unicode=screen.settings.unicode)
        return [*drawn, EMPTY, *below]
    told = replay.verdict(screen.match, screen.judged, room, unicode=screen.settings.unicode)
    return spans.beside(drawn, [EMPTY, *told], across)


def _styled(page: Page, text: str) -> Line:
    if page == Page.HELP and text.endswith(":") and not text.startswith(" "):
        return line(text, "title")
    return line(text)


def _page_text(screen: ScreenState) -> Sequence[str]:
    match screen.page:
        case Page.HELP:
            return [*_page_asked(screen), *guest_of(screen).help(screen)]
        case Page.TABLE:
            return guest_of(screen).table(screen.match)
        case Page.LOG:
            return screen.log or (str(screens.NOBODY),)
        case Page.CHAT | Page.NOTES:
            return pages.show_view(screen.match, screen.page.value, ()) or ()
        case Page.OVER if screen.notice:
            return (*screen.notice, "", *screen.lines)
        case _:
            return screen.lines


def _page_asked(screen: ScreenState) -> list[str]:
    """Return the open question again, and what a yes and any other answer do; nothing where none is open."""
    if screen.question is None:
        return []
    told = [str(screens.TYPE_YES)] if screen.question.severity == Severity.LAST else []
    return [f"{wording.opening(str(screens.ASKED))}:", *screen.question.lines, *told, str(screens.EXPLAINED), ""]


_PAGE_HEAD = 1
"""Rows of the title of a page."""
_RULE = 6
"""Columns that the rule around a title takes at least."""
_GAME, _MATCH, _TURN, _ALWAYS = range(4)
"""What the head leaves out first when it has no room."""


def render(screen: ScreenState) -> Frame:
    """Return the picture of a model."""
    if screen.replay is not None:
        return _replay(screen, screen.replay)
    title, text, text_rows, main_rows = _layout(screen)
    body, zones = _main(screen, main_rows)
    rows = [_head(screen), *body]
    if text_rows:
        rows.append(spans.section(_with_words(screen, title), screen.columns))
        rows += [line(" " + row) for row in text[: text_rows - 1]]
        rows += [EMPTY] * (screen.rows - 1 - ROWS - len(rows))
    below, below_zones = draw_bottom(screen)
    if screen.settings.unicode:
        rows = [spans.finer(row) for row in rows]
    return Frame(
        tuple(spans.fitted(row, screen.columns, "head" if number == 0 else "") for number, row in enumerate(rows)),
        prompt(screen),
        tuple(spans.fitted(row, screen.columns) for row in below),
        (*zones, *below_zones),
    )


def _with_words(screen: ScreenState, title: str) -> str:
    """Return the title of the text below the board with the words to compare, which stand there until they were."""
    model = screen.match
    if not _are_words_open(screen):
        return title
    both = f"{title} {'-' * 4} {fill(screens.TO_COMPARE, words=model.words)}"
    return both if width(both) <= screen.columns - _RULE else fill(screens.TO_COMPARE, words=model.words)


def _are_words_open(screen: ScreenState) -> bool:
    return bool(screen.match.words) and not screen.match.compared and screen.match.ending is None


def furthest(screen: ScreenState) -> int:
    """Return by how many lines the page over the board can be scrolled."""
    *_, main_rows = _layout(screen)
    left, top = _board_kept(screen)
    rows = main_rows - top - _PAGE_HEAD
    return max(0, len(_whole(replace(screen, columns=screen.columns - left), rows)[0]) - rows)


def _layout(screen: ScreenState) -> tuple[str, list[str], int, int]:
    """Return the title and the lines of the text below the board, its rows, and those that are left above it."""
    rows = screen.rows - 2 - ROWS
    title, sentences = _text(screen)
    most = guest_of(screen).text_rows(screen, rows)[1]
    if title == str(screens.COMING) and screen.notice and screen.notice[0] in screen.log:
        # Everything that the match began with stands in the log, too, and half a sentence helps nobody.
        while len(sentences) > 1 and len(spans.paragraphs(sentences, screen.columns - 2)) > most:
            sentences = sentences[:-1]
    text = spans.flowed(sentences, screen.columns - 2, most)
    text_rows = _text_rows(screen, len(text), rows)
    return title, text, text_rows, rows - text_rows


def _replay(screen: ScreenState, shown: Replay) -> Frame:
    """Return the picture of a match that is looked back at; it takes the place of the prompt as well."""
    room = screen.columns - 1 - width(f"{replay.at(shown)} | ")
    now = spans.with_name(partial(_meanwhile, screen), screen.match.opponent, room)
    settings = screen.settings
    size = replace(shown, columns=screen.columns, rows=screen.rows, unicode=settings.unicode, theme=settings.theme)
    rows = replay.render(replace(size, now=now, clock=_clocks(screen)))
    return Frame(rows[: -1 - ROWS], spans.plain(rows[-1 - ROWS]).rstrip(), rows[-ROWS:])


def _meanwhile(screen: ScreenState, opponent: str) -> str:
    """Return what the match asks while it is looked back at."""
    model = screen.match
    told = [str(screens.LINE_DOWN)] if model.line_down else []
    told.append(_asked(screen, opponent))
    if screen.unread:
        told.append(fill(screens.UNREAD, count=screen.unread))
    return " | ".join(told)


def _clocks(screen: ScreenState) -> str:
    """Return both clocks as they are now, or nothing."""
    shown = screen.match.clocks
    return "" if shown is None else clocks.panel(shown, screen.match.opponent)


def _text_rows(screen: ScreenState, count: int, rows: int) -> int:
    """Return how many rows the text below the board gets, its title among them."""
    if screen.page in (Page.RESULT, Page.OVER) or (screen.page is not None and not _says_something(screen)):
        return 0
    least, most = guest_of(screen).text_rows(screen, rows)
    wanted = max(min(least, most), min(count, most)) + 1
    return wanted if screen.page is None else min(wanted, count + 1 if count else 0)


def _asks(screen: ScreenState) -> bool:
    """Return whether a question is open at the prompt; on the chat page it waits."""
    return screen.question is not None and screen.page != Page.CHAT


def _says_something(screen: ScreenState) -> bool:
    """Return whether the part above the prompt says more than what can be done."""
    return _asks(screen) or bool(screen.notice) or (bool(screen.found.lines) and not screen.sent)


# -- the head -------------------------------------------------------------------------------------------------


def _head(screen: ScreenState) -> Line:
    return (("head", " " + spans.with_name(partial(_title, screen), screen.match.opponent, screen.columns - 1)),)


def _title(screen: ScreenState, opponent: str) -> str:
    """Return the title; what is known anyway goes before a name is shortened."""
    model = screen.match
    parts = [(_GAME, model.guest.title_of(model.terms))]
    if model.line_down:
        parts.append((_ALWAYS, str(screens.LINE_DOWN)))
    if model.clocks is not None and model.clocks.short and model.ending is None:
        parts.append((_ALWAYS, fill(screens.TIME_SHORT, time=clocks.face(model.clocks.mine))))
    if model.watched is not None:
        parts.append((_MATCH, str(screens.WATCHED)))
    if model.match:
        parts.append((_MATCH, fill(screens.MATCH, number=model.match[:4])))
    if model.turn and not screen.revealing:
        parts.append((_TURN, fill(screens.TURN, number=model.turn)))
    parts.append((_ALWAYS, _asked(screen, opponent)))
    if screen.unread:
        parts.append((_ALWAYS, fill(screens.UNREAD, count=screen.unread)))
    title = spans.joined(parts, screen.columns - 1)
    short = str(model.guest.title)
    if title.startswith(parts[0][1]) or short == parts[0][1]:
        return title
    # The name of the game alone has room where all that it is played with has none.
    return spans.joined([(_TURN, short), *parts[1:]], screen.columns - 1)


def _asked(screen: ScreenState, opponent: str) -> str:
    """Return what is asked now, for the head line."""
    model = screen.match
    if screen.revealing:
        return str(screens.TITLES["result"])
    if model.ending is not None:
        return str(screens.OVER)
    if screen.sent:
        return fill(screens.SEALED_WAITING, name=opponent)
    if screen.awaited or screen_state.is_preparing(model):
        return guest_of(screen).asked(screen)
    return fill(screens.WAITING, name=opponent)


# -- the middle -----------------------------------------------------------------------------------------------


def _main(screen: ScreenState, rows: int) -> tuple[list[Line], list[Zone]]:
    if screen.revealing:
        shown = guest_of(screen).draw_motion(screen, rows)
        return [*shown, *[EMPTY] * (rows - len(shown))], []
    if screen.page is not None:
        return _page(screen, rows)
    shown, zones = guest_of(screen).draw(screen, rows)
    return [*shown, *_log(screen, rows - len(shown))], zones


def _page(screen: ScreenState, rows: int) -> tuple[list[Line], list[Zone]]:
    assert screen.page is not None
    left, top = _board_kept(screen)
    room, columns = rows - top - _PAGE_HEAD, screen.columns - left
    shown, zones, part = draw_page(replace(screen, columns=columns), room)
    head = spans.section(str({**screens.TITLES, **guest_of(screen).titles}.get(screen.page.value, "")) + part, columns)
    filled = [head, *shown, *[EMPTY] * (room - len(shown))]
    if left or top:
        # What is asked next would lie over the board.
        board, _ = guest_of(screen).draw(replace(screen, match=replace(screen.match, deciding=False)), rows)
        filled = spans.beside(board, filled, left) if left else [*board[:top], *filled]
    return filled, [Zone(zone.row + 2, zone.left, zone.right, zone.what) for zone in zones]


def _board_kept(screen: ScreenState) -> tuple[int, int]:
    """Return from which column and row on the open page lies beside or below the board."""
    return guest_of(screen).news_place(screen) if screen.page is Page.RESULT else (0, 0)


def _log(screen: ScreenState, rows: int) -> list[Line]:
    """Return the end of the log in so many rows, its title among them; what does not fit there ends in two dots."""
    if rows < 2:
        return [EMPTY] * rows
    found, _ = _end_of_log(screen, rows)
    shown = [spans.section(str(screens.LOG), screen.columns), *(line(row) for row in found)]
    return shown + [EMPTY] * (rows - len(shown))


def _end_of_log(screen: ScreenState, rows: int) -> tuple[list[str], list[str]]:
    """Return the end of the log in rows without its title, and the entries that they show whole."""
    back = screen.scroll if screen.page is None else 0
    above = guest_of(screen).said_above(screen)
    entries: list[str] = []
    found: list[str] = []
    for entry in reversed(screen.log[: max(0, len(screen.log) - back)]):
        # What somebody has said has no number of a turn before it, and is always shown.
        if above and entry[:3].strip().isdigit() and entry[4:] == above:
            continue
        room = rows - 1 - len(found)
        if not room:
            break
        told = spans.flowed((entry,), screen.columns - 1, room)
        found[:0] = told
        if len(spans.wrapped(entry, screen.columns - 1)) <= room:
            entries[:0] = [entry]
    return found, entries


def is_chat_seen(screen: ScreenState) -> bool:
    """Return whether all lines of chat that nobody has looked at stand in the log below the board."""
    if (
        screen.page is not None
        or screen.replay is not None
        or screen.match.state is None
        or guest_of(screen).hides_log(screen)
    ):
        return False
    *_, main_rows = _layout(screen)
    rows = main_rows - len(guest_of(screen).draw(screen, main_rows)[0])
    entries = _end_of_log(screen, rows)[1] if rows >= 2 else []
    heard = [matches.remark(screen.match, said) for said in screen.match.chat if not said.mine][-screen.unread :]
    return len(heard) == screen.unread and all(any(entry.endswith(one) for entry in entries) for one in heard)


# -- below the board ------------------------------------------------------------------------------------------


def _text(screen: ScreenState) -> tuple[str, Sequence[str]]:
    """Return the title and the sentences of the part above the prompt."""
    if screen.question is not None and _asks(screen):
        return str(screens.ASKED), (*screen.question.lines, *screen.notice)
    if (
        screen.notice
        and screen.notice == screen.told
        and screen.match.deciding
        and not screen.sent
        and not guest_of(screen).steers(screen)
    ):
        # What to do is read again later; words to compare that are cut are not compared.
        first = 1 if _are_words_open(screen) else 0
        return str(screens.COMING), (*screen.notice[:first], *_coming(screen), *screen.notice[first:])
    if screen.notice:
        # Words to compare stay until a key; what goes on meanwhile stands below them.
        going_on = screen_state.tell_progress(screen.match)
        return str(screens.ANSWER), (*screen.notice, *going_on)
    if screen.found.lines and not screen.sent:
        return str(screens.PREVIEW), screen.found.lines
    if screen.match.guided and screen.awaited and screen.page is None:
        return str(screens.GUIDE), (*guest_of(screen).guide(screen), *_coming(screen))
    return str(screens.COMING), _coming(screen)


def _coming(screen: ScreenState) -> Sequence[str]:
    """Return what the player can do now, for somebody who has never played."""
    model = screen.match
    if found := guest_of(screen).coming(screen):
        return found
    if screen.sent:
        return (fill(screens.SENDING, name=model.opponent), str(screens.WAIT_HINT))
    if screen_state.is_preparing(model):
        return (*screen_state.tell_progress(model), str(screens.WAIT_HINT))
    return (str(screens.WAIT_HINT),) if model.state is not None else (str(screens.BEGINNING), str(screens.WAIT_HINT))


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
