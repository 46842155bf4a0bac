"""The picture of the menu.  Pure, and without the engine, so that it stands quickly."""

from collections import Counter
from collections.abc import Sequence
from itertools import zip_longest
from typing import Final

from cli.clean import pad, shorten, width
from cli.console.menu import FIRST, LISTS, NOTE, Menu, Row, items, listed, proposed, size
from cli.console.render.spans import BLOCKS, EMPTY, RIVERS, Line, fitted, hexadecimal, joined_cells, line, paragraphs
from cli.text import menus, stored
from cli.text.menus import Page
from cli.text.wording import fill

_INKS: Final = {"dark": ("#ffd75f", "#ffffff"), "light": ("#6b2d00", "#c6e6ff"), "contrast": ("#ffffff", "#ffffff")}
"""Of the letters of the title, and of what glints in the water."""
_GLYPHS: Final = {
    " ": ". . . . .",
    "B": "##. #.# ##. #.# ##.",
    "D": "##. #.# #.# #.# ##.",
    "E": "### #.. ##. #.. ###",
    "L": "#.. #.. #.. #.. ###",
    "M": "#...# ##.## #.#.# #...# #...#",
    "O": "### #.# #.# #.# ###",
    "P": "##. #.# ##. #.. #..",
    "R": "##. #.# ##. #.# #.#",
    "S": ".## #.. .#. ..# ##.",
    "T": "### .#. .#. .#. .#.",
    "U": "#.# #.# #.# #.# ###",
    "\u00dc": "#.# ... #.# #.# ###",
    "V": "#.# #.# #.# #.# .#.",
    "Y": "#.# #.# .#. .#. .#.",
}
"""The letters of the title in all languages, row by row."""


def render(menu: Menu) -> tuple[Line, ...]:
    """Return every row of the window."""
    head = [line(pad(f" {menus.TITLE}", menu.columns), "head"), EMPTY]
    rows: list[Line] = _title(menu) if menu.titled else head
    rows += [line(" " + row) for row in paragraphs(_about(menu), menu.columns - 2)]
    rows = rows[: menu.top] + [EMPTY] * (menu.top - len(rows))
    if menu.page == Page.HISTORY and listed(menu):
        rows[-1] = line(" " * (FIRST + 2) + menu.columns_said, "title")
    rows += _body(menu)[: _room(menu)]
    told, style = (menu.problem, "warn") if menu.problem else (_cut(menu), "dim")
    if told:
        below = [line(" " + row, style) for row in paragraphs((told,), menu.columns - 2)]
        rows = [*rows[: menu.rows - 2 - len(below)], EMPTY, *below]
    rows = rows[: menu.rows - 1]
    rows += [EMPTY] * (menu.rows - 1 - len(rows))
    rows.append(line(" " + _hint(menu), "hint"))
    return tuple(fitted(row, menu.columns) for row in rows)


def _cut(menu: Menu) -> str:
    """Return the row of a match that is picked if it has no room in its line; nothing where it has."""
    found = listed(menu) if menu.page == Page.HISTORY else ()
    text = found[menu.at].text if menu.at < len(found) else ""
    return " ".join(text.split()) if width(text) > menu.columns - FIRST - 2 else ""


def _title(menu: Menu) -> list[Line]:
    """Return the name of the program in half blocks, over the Styx."""
    river = tuple(map(hexadecimal, RIVERS[menu.theme]))
    glyphs = [_GLYPHS[char].split() for char in str(menus.TITLE).upper() if char in _GLYPHS]
    ink, glint = _INKS[menu.theme]
    letters = [" ".join(glyph[row] for glyph in glyphs).replace(".", " ") for row in range(5)]
    points = ["", *(" " * min(FIRST, menu.columns - len(row)) + row for row in letters)]
    rows = []
    for upper, lower in zip(points[::2], points[1::2], strict=True):
        both = zip_longest(upper[: menu.columns], lower, fillvalue=" ")
        rows.append(joined_cells((ink, BLOCKS[above + below]) for above, below in both))

    def wave(column: int, down: int) -> str:
        at = menu.shimmering
        # Glints run against the waves; at rest there are none.
        lit = at and (column * 7 + down * 13 + at * 5) % 29 < 2
        return glint if lit else river[((column + at) // 3 + down) % 2]

    water = ((f"{wave(column, 0)} bg:{wave(column, 1)}", BLOCKS["# "]) for column in range(menu.columns))
    return [*rows, joined_cells(water)]


def item_at(menu: Menu, row: int) -> int | None:
    """Return the number of the item in a row of the window, or None."""
    if not menu.top <= row < menu.rows - 2:
        return None
    numbers = _numbers(menu)
    at = row - menu.top + _start(menu)
    return numbers[at] if at < len(numbers) else None


def _numbers(menu: Menu) -> list[int | None]:
    """Return which item stands in each row; None for an empty one."""
    if menu.page in LISTS:
        return list(range(size(menu)))
    found: list[int | None] = []
    for number, item in enumerate(items(menu)):
        found += [None, number] if item.apart else [number]
    return found


def _about(menu: Menu) -> Sequence[str]:
    match menu.page:
        case Page.MAIN | Page.NAME:
            return (" ".join(map(str, menus.WHAT)),)
        case Page.HISTORY:
            return _about_history(menu)
        case Page.PLAY:
            plays = (f"{row.words[0]}: {row.text}" for row in menu.game.levels if row.words[0] == menu.level)
            return (str(menus.ABOUT[menu.page.value]), *plays)
        case Page.PERSON:
            return tuple(row.text for row in menu.people or () if row.words[0] == menu.picked)
        case Page.ASK:
            assert menu.asking.asks is not None
            return (str(menu.asking.asks.help),)
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
    number, start = size(menu), _start(menu)
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
    asked = menu.asking.asks
    assert asked is not None
    room = menu.columns - 4
    before = "storm-p2p " if asked.whole else ""
    # What is typed last has to be seen.
    typed = menu.typed
    while width(before + typed) > room:
        typed = typed[1:]
    return [line(f" {asked.question}", "title"), EMPTY, (("", f" {before}{typed}"), ("picked", " "))]


_SAID: Final = 3
"""Rows for that, an empty one among them."""


def _room(menu: Menu) -> int:
    # Below the matches stands what is said of the one that is picked.
    return menu.rows - menu.top - 2 - _SAID * (menu.page == Page.HISTORY)


def _start(menu: Menu) -> int:
    """Return the first row of a list that is shown, so that the one under the cursor is."""
    return max(0, menu.at - _room(menu) + 1) if menu.page in LISTS else 0


def _items(menu: Menu) -> list[Line]:
    """Return the items with their notes in one column, which the longest item moves to the right."""
    heads = [_head(menu, number, str(item.label)) for number, item in enumerate(items(menu))]
    column = max(NOTE, *(width(head) + 2 for head in heads))
    rows = [_item(menu, number, head, items(menu)[number].tell(menu), column) for number, head in enumerate(heads)]
    return [EMPTY if number is None else rows[number] for number in _numbers(menu)]


def _head(menu: Menu, number: int, text: str) -> str:
    key = str(number + 1) if number < 9 else ("q" if items(menu)[number].word == "quit" else " ")
    return f"{'>' if number == menu.at else ' '} {key}  {text}"


def _item(menu: Menu, number: int, head: str, note: str, column: int) -> Line:
    picked = number == menu.at
    return (("", " " * FIRST), ("picked" if picked else "", head), ("", " " * (column - width(head))), ("dim", note))


def _row(menu: Menu, number: int, row: Row) -> Line:
    picked = number == menu.at
    text = row.text
    if menu.page == Page.LEVELS:
        text = f"{row.words[0].ljust(max(len(one.words[0]) for one in menu.game.levels))}  {text}"
    text = f"{'>' if picked else ' '} {text}"
    return (("", " " * FIRST), ("picked" if picked else "", shorten(text, menu.columns - FIRST)))
