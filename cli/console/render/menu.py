"""The picture of the menu.  Pure, and without the engine, so that it stands quickly."""

from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import PurePath

from cli import language
from cli.clean import pad, shorten, width
from cli.console.menu import APART, COMMANDS, LISTS, TOP, Menu, Page, Row, game, items, level, listed, proposed
from cli.console.render.spans import EMPTY, Line, fitted, line, paragraphs
from cli.text import menus, stored
from cli.text.wording import fill

_SIGNS = {"unicode": menus.ON, "ascii": menus.OFF}
_NOTE = 38
"""The column where notes begin."""
_FIRST = 2
"""Columns before an item."""
_SPARE = 2
"""Columns by which a long item moves the notes at most."""


def render(menu: Menu) -> tuple[Line, ...]:
    """Return every row of the window."""
    head = f" {menus.TITLE}"
    rows: list[Line] = [line(pad(head, menu.columns), "head"), EMPTY]
    rows += [line(" " + row) for row in paragraphs(_about(menu), menu.columns - 2)]
    rows = rows[:TOP] + [EMPTY] * (TOP - len(rows))
    if menu.page == Page.HISTORY and listed(menu):
        rows[-1] = line(" " * (_FIRST + 2) + menu.columns_said, "title")
    rows += _body(menu)[: _room(menu)]
    problem = [line(" " + row, "warn") for row in paragraphs((menu.problem,), menu.columns - 2)] if menu.problem else []
    if problem:
        rows = [*rows[: menu.rows - 2 - len(problem)], EMPTY, *problem]
    rows = rows[: menu.rows - 1]
    rows += [EMPTY] * (menu.rows - 1 - len(rows))
    rows.append(line(" " + _hint(menu), "hint"))
    return tuple(fitted(row, menu.columns, "head" if number == 0 else "") for number, row in enumerate(rows))


def item_at(menu: Menu, row: int) -> int | None:
    """Return the number of the item in a row of the window, or None."""
    if not TOP <= row < menu.rows - 2:
        return None
    numbers = _numbers(menu)
    at = row - TOP + _start(menu)
    return numbers[at] if at < len(numbers) else None


def _numbers(menu: Menu) -> list[int | None]:
    """Return which item stands in each row; None for an empty one."""
    found: list[int | None] = []
    for number, item in enumerate(items(menu)):
        found += [None, number] if item in APART and menu.page not in LISTS else [number]
    return found


def _about(menu: Menu) -> Sequence[str]:
    match menu.page:
        case Page.MAIN | Page.NAME:
            return (" ".join(map(str, menus.WHAT)),)
        case Page.HISTORY:
            return _about_history(menu)
        case Page.PLAY:
            plays = (f"{row.words[0]}: {row.text}" for row in game(menu).levels if row.words[0] == level(menu))
            return (str(menus.ABOUT[menu.page.value]), *plays)
        case Page.PERSON:
            return tuple(row.text for row in menu.people or () if row.words[0] == menu.picked)
        case Page.ASK:
            return (str(menus.HELP.get(menu.asking.asks, menus.PATH_HELP)),)
        case Page.OUTPUT:
            return _about_output(menu)
        case _:
            return (fill(menus.ABOUT[menu.page.value], picked=menu.picked), *_part(menu))


def _about_output(menu: Menu) -> Sequence[str]:
    assert menu.output is not None
    start, number = menu.output.scroll, len(paragraphs(menu.output.lines, menu.columns - 2))
    part = () if number <= _room(menu) else (menus.part(start + 1, min(number, start + _room(menu)), number),)
    return (menus.output(menu.output.command), *part)


def _about_history(menu: Menu) -> Sequence[str]:
    if menu.history is None:
        return (str(menus.CHECKING),)
    found = Counter(row.result for row in listed(menu))
    counts = [found[result] for result in stored.RESULTS]
    first = f"{menus.matches(sum(counts))}: {stored.score(*counts)}"
    wanted = fill(menus.FILTERED, typed=menu.typed) if menu.typed else str(menus.FILTER)
    return (first, wanted, *_part(menu))


def _part(menu: Menu) -> Sequence[str]:
    """Return which rows are shown where there is no room for all."""
    number, start = len(items(menu)), _start(menu)
    if menu.page not in LISTS or number <= _room(menu):
        return ()
    return (menus.part(start + 1, start + _room(menu), number),)


def _hint(menu: Menu) -> str:
    hints = {
        Page.MAIN: menus.HINT,
        Page.NAME: menus.HINT_NAME,
        Page.PLAY: menus.HINT_TERMS,
        Page.HOST: menus.HINT_TERMS,
        Page.ASK: menus.HINT_LINE,
        Page.HISTORY: menus.HINT_HISTORY,
    }
    if menu.output is not None:
        return str(menus.HINT_RUNNING if menu.output.running else menus.HINT_OUTPUT)
    return str(hints.get(menu.page, menus.HINT_PICK))


def _body(menu: Menu) -> list[Line]:
    match menu.page:
        case Page.NAME:
            # The proposed name stands behind the cursor, as something that typing takes the place of.
            name = (("picked", f" {menu.typed} "),) if menu.typed else (("picked", " "), ("dim", proposed(menu)))
            asked: Line = (("title", f" {menus.NAME} "), *name)
            return [asked, EMPTY, line(f" {menus.NAME_AGAIN}", "dim")]
        case Page.ASK:
            return [*_line_asked(menu)]
        case Page.OUTPUT:
            assert menu.output is not None
            rows = paragraphs(menu.output.lines, menu.columns - 2)
            return [line(f" {row}") for row in rows[menu.output.scroll :]]
        case page if page in LISTS:
            start = _start(menu)
            return [_row(menu, number, row) for number, row in enumerate(listed(menu))][start:]
        case _:
            return _items(menu)


def _line_asked(menu: Menu) -> list[Line]:
    room = menu.columns - 4
    before = "storm-p2p " if menu.asking.asks in COMMANDS else ""
    # What is typed last has to be seen.
    typed = menu.typed
    while width(before + typed) > room:
        typed = typed[1:]
    return [line(f" {menus.ASKED[menu.asking.asks]}", "title"), EMPTY, (("", f" {before}{typed}"), ("picked", " "))]


def _room(menu: Menu) -> int:
    return menu.rows - TOP - 2


def _start(menu: Menu) -> int:
    """Return the first row of a list that is shown, so that the one under the cursor is."""
    return max(0, menu.at - _room(menu) + 1) if menu.page in LISTS else 0


def _items(menu: Menu) -> list[Line]:
    """Return the items with their notes in one column, which the longest item moves to the right."""
    heads = [_head(menu, number, str(menus.ITEMS[item])) for number, item in enumerate(items(menu))]
    column = max(_NOTE, *(width(head) + 2 for head in heads))
    rows = [_item(menu, number, head, _note(menu, items(menu)[number]), column) for number, head in enumerate(heads)]
    return [EMPTY if number is None else rows[number] for number in _numbers(menu)]


def _head(menu: Menu, number: int, text: str) -> str:
    key = str(number + 1) if number < 9 else ("q" if items(menu)[number] == "quit" else " ")
    return f"{'>' if number == menu.at else ' '} {key}  {text}"


def _item(menu: Menu, number: int, head: str, note: str, column: int) -> Line:
    picked = number == menu.at
    return (("", " " * _FIRST), ("picked" if picked else "", head), ("", " " * (column - width(head))), ("dim", note))


def _row(menu: Menu, number: int, row: Row) -> Line:
    picked = number == menu.at
    text = row.text
    if menu.page == Page.LEVELS:
        text = f"{row.words[0].ljust(max(len(one.words[0]) for one in game(menu).levels))}  {text}"
    text = f"{'>' if picked else ' '} {text}"
    return (("", " " * _FIRST), ("picked" if picked else "", shorten(text, menu.columns - _FIRST)))


def _note(menu: Menu, item: str) -> str:
    """Return what stands behind an item."""
    chosen = menu.chosen
    match item:
        case "play":
            if "setup" in game(menu).choices:
                return fill(menus.PLAY_NOTE, level=level(menu))
            own = PurePath(chosen.cards).name if "cards" in game(menu).choices else ""
            return f"{level(menu)}: {game(menu).name or menus.LOOKING}" + (f", {own}" if own else "")
        case "game":
            return game(menu).name or menus.LOOKING
        case "boards":
            return game(menu).name
        case "level":
            return level(menu)
        case "cards":
            return PurePath(chosen.cards).name or str(menus.USUAL_CARDS)
        case "side":
            return str(menus.SIDES.get(chosen.seat, menus.SIDES[""]))
        case "setup":
            return str(menus.SETUPS[chosen.random_setup])
        case "combat":
            return str(menus.COMBATS[chosen.open_combat])
        case "challenge":
            return f"{chosen.challenge:+d}" if chosen.challenge else "0"
        case "clock":
            return str(menus.CLOCKS.get(chosen.clock, menus.CLOCKS[""]))
        case "aids":
            return str(menus.AIDS[chosen.aids])
        case "near":
            return str(menus.NEAR[chosen.lan])
        case "continue" | "export":
            return (_only(menu) if item == "continue" else "") or _count(menu.matches, menus.unfinished)
        case "history":
            played = None if menu.history is None else tuple(row for row in menu.history if row.result)
            return _count(played, menus.matches)
        case "people":
            return _count(menu.people, menus.players)
        case "events":
            known = None if menu.events is None else tuple(row for row in menu.events if not row.asks)
            return _count(known, menus.tournaments)
        case _:
            return _choice(menu, item)


def _choice(menu: Menu, item: str) -> str:
    chosen = menu.chosen
    choices = {
        "name": chosen.name,
        "signs": str(_SIGNS.get(chosen.signs, menus.NOTICES["auto"])),
        "mouse": str(menus.ON if chosen.mouse else menus.OFF),
        "notice": str(menus.NOTICES.get(chosen.notice, menus.OFF)),
        "thinking": menus.seconds(chosen.hint_seconds),
        "language": language.NAMES[language.current()],
    }
    return choices.get(item) or str(menus.NOTES.get(item, ""))


def _only(menu: Menu) -> str:
    """Return the one match that is unfinished, if there is room for all of it."""
    if menu.matches is None or len(menu.matches) != 1:
        return ""
    text = menu.matches[0].brief
    return text if width(text) < menu.columns - _FIRST - _NOTE - _SPARE else ""


def _count(rows: tuple[Row, ...] | None, words: Callable[[int], str]) -> str:
    if rows is None:
        return menus.LOOKING
    return words(len(rows)) if rows else str(menus.NOTHING)
