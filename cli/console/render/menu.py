"""The picture of the menu.  Pure, and without the engine, so that it stands quickly."""

from collections.abc import Callable, Sequence

from cli import language
from cli.clean import pad, shorten, width
from cli.console.menu import LISTS, Menu, Page, Row, items, listed, proposed
from cli.console.render.spans import EMPTY, Line, fitted, line, paragraphs
from cli.text import menus as said

_SIGNS = {"unicode": said.ON, "ascii": said.OFF}
_NOTE = 38
"""The column where notes begin."""
_FIRST = 2
"""Columns before an item."""
_SPARE = 2
"""Columns by which a long item moves the notes at most."""
TOP = 6
"""The row of the first item."""


def render(menu: Menu) -> tuple[Line, ...]:
    """Return every row of the window."""
    head = f" {said.TITLE}"
    rows: list[Line] = [line(pad(head, menu.columns), "head"), EMPTY]
    rows += [line(" " + row) for row in paragraphs(_about(menu), menu.columns - 2)]
    rows += [EMPTY] * (TOP - len(rows))
    rows = rows[:TOP] + _body(menu)
    if menu.problem:
        rows += [EMPTY, line(" " + shorten(menu.problem, menu.columns - 2), "warn")]
    rows = rows[: menu.rows - 2]
    rows += [EMPTY] * (menu.rows - 1 - len(rows))
    rows.append(line(" " + _hint(menu), "hint"))
    return tuple(fitted(row, menu.columns, "head" if number == 0 else "") for number, row in enumerate(rows))


def item_at(menu: Menu, row: int) -> int | None:
    """Return the number of the item in a row of the window, or None."""
    number = row - TOP + _start(menu)
    return number if TOP <= row < menu.rows - 2 and 0 <= number < len(items(menu)) else None


def _about(menu: Menu) -> tuple[str, ...]:
    match menu.page:
        case Page.MAIN | Page.NAME:
            return (" ".join(map(str, said.WHAT)),)
        case Page.PLAY:
            return (str(said.OPTIONS),)
        case Page.HOST:
            return (str(said.HOST_OPTIONS),)
        case Page.MATCHES:
            return (str(said.WHICH_MATCH),)
        case Page.LOGS:
            return (str(said.WHICH_LOG),)
        case Page.EVENTS:
            return (str(said.WHICH_EVENT),)


def _hint(menu: Menu) -> str:
    hints = {
        Page.MAIN: said.HINT, Page.NAME: said.HINT_NAME, Page.PLAY: said.HINT_OPTIONS, Page.HOST: said.HINT_OPTIONS,
    }  # fmt: skip
    return str(hints.get(menu.page, said.HINT_PICK))


def _body(menu: Menu) -> list[Line]:
    match menu.page:
        case Page.NAME:
            # The proposed name stands behind the cursor, as something that typing takes the place of.
            name = (("picked", f" {menu.typed} "),) if menu.typed else (("picked", " "), ("dim", proposed(menu)))
            asked: Line = (("title", f" {said.NAME} "), *name)
            return [asked, EMPTY, line(f" {said.NAME_AGAIN}", "dim")]
        case Page.MAIN:
            return _items(menu, [_main(menu, item) for item in items(menu)])
        case Page.PLAY | Page.HOST:
            return _items(menu, [_terms(menu, item) for item in items(menu)])
        case _:
            start = _start(menu)
            return [_row(menu, number, row) for number, row in enumerate(listed(menu))][start : start + _room(menu)]


def _room(menu: Menu) -> int:
    return menu.rows - TOP - 2


def _start(menu: Menu) -> int:
    """Return the first row of a list that is shown, so that the one under the cursor is."""
    return max(0, menu.at - _room(menu) + 1) if menu.page in LISTS.values() else 0


def _items(menu: Menu, told: Sequence[tuple[str, str]]) -> list[Line]:
    """Return the items with their notes in one column, which the longest item moves to the right."""
    heads = [_head(menu, number, text) for number, (text, _) in enumerate(told)]
    column = max(_NOTE, *(width(head) + 2 for head in heads))
    notes = (note for _, note in told)
    return [
        _item(menu, number, head, note, column)
        for number, (head, note) in enumerate(zip(heads, notes, strict=True))
    ]


def _head(menu: Menu, number: int, text: str) -> str:
    key = str(number + 1) if number < 9 else ("q" if items(menu)[number] == "quit" else " ")
    return f"{'>' if number == menu.at else ' '} {key}  {text}"


def _item(menu: Menu, number: int, head: str, note: str, column: int) -> Line:
    picked = number == menu.at
    return (("", " " * _FIRST), ("picked" if picked else "", head), ("", " " * (column - width(head))), ("dim", note))


def _row(menu: Menu, number: int, row: Row) -> Line:
    picked = number == menu.at
    text = f"{'>' if picked else ' '} {row.text}"
    return (("", " " * _FIRST), ("picked" if picked else "", shorten(text, menu.columns - _FIRST)))


def _main(menu: Menu, item: str) -> tuple[str, str]:
    chosen = menu.chosen
    return {
        "play": (str(said.PLAY), str(said.PLAY_NOTE)),
        "own": (str(said.OWN), str(said.OWN_NOTE)),
        "host": (str(said.HOST), str(said.HOST_NOTE)),
        "join": (str(said.JOIN), str(said.JOIN_NOTE)),
        "continue": (str(said.CONTINUE), _only(menu) or _count(menu.matches, said.unfinished)),
        "replay": (str(said.REPLAY), _count(menu.logs, said.finished)),
        "events": (str(said.EVENTS), _count(menu.events, said.tournaments)),
        "learn": (str(said.LEARN), str(said.LEARN_NOTE)),
        "name": (str(said.NAME_ITEM), chosen.name),
        "signs": (str(said.SIGNS), str(_SIGNS.get(chosen.signs, said.NOTICES["auto"]))),
        "mouse": (str(said.MOUSE), str(said.ON if chosen.mouse else said.OFF)),
        "notice": (str(said.NOTICE), str(said.NOTICES.get(chosen.notice, said.OFF))),
        "language": (str(said.LANGUAGE), language.NAMES[language.current()]),
        "quit": (str(said.QUIT), ""),
    }[item]


def _only(menu: Menu) -> str:
    """Return the one match that is unfinished, if there is room for all of it."""
    if menu.matches is None or len(menu.matches) != 1:
        return ""
    text = menu.matches[0].brief
    return text if width(text) < menu.columns - _FIRST - _NOTE - _SPARE else ""


def _count(rows: tuple[Row, ...] | None, words: Callable[[int], str]) -> str:
    if rows is None:
        return said.LOOKING
    return words(len(rows)) if rows else str(said.NOTHING)


def _terms(menu: Menu, item: str) -> tuple[str, str]:
    terms = menu.terms
    return {
        "side": (str(said.SIDE), str(said.SIDES[terms.side])),
        "setup": (str(said.SETUP), str(said.SETUPS[terms.setup])),
        "combat": (str(said.COMBAT), str(said.COMBATS[terms.combat])),
        "challenge": (str(said.CHALLENGE), f"{terms.challenge:+d}" if terms.challenge else "0"),
        "start": (str(said.START), ""),
    }[item]
