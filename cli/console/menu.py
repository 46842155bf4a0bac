"""The menu as a pure value: what a key changes in it, and the command that comes of it."""

import shlex
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final, TypeAlias, TypeVar

from cli import language
from cli.console.render.spans import paragraphs
from cli.console.screen_state import LINES, PICTURES_A_SECOND
from cli.storage.home import LONGEST_NAME, Preferences, name_of
from cli.storage.people import mixes_scripts
from cli.text import menus
from cli.text.commands import mixed_name
from cli.text.menus import ITEMS, PICKED, Item, Page

T = TypeVar("T")

TOP = 6
"""The row of the first item, below a head of one row."""
TITLED = 2
"""Rows by which a title in half blocks moves it down."""
SHIMMERS = 3 * PICTURES_A_SECOND
"""Pictures of the title after each opening."""
FIRST = 2
"""Columns before an item."""
NOTE = 38
"""The column where notes begin."""
SPARE = 2
"""Columns by which a long item moves the notes at most."""
LONGEST_LINE = 400
"""Of what is typed, but for the name."""


@dataclass(frozen=True, slots=True)
class Row:
    """Something that can be picked from a list."""

    words: tuple[str, ...]
    """The command that picks it."""
    text: str
    """Clean."""
    brief: str = ""
    """The same for a place with less room, if that is wanted."""
    more: str = ""
    """What it is found by beside its text, such as a name that was cut there."""
    result: str = ""
    """How the match ended for the player, if it is one."""
    asks: menus.Asked | None = None
    """What has to be typed behind the words first."""
    number: str = ""
    """Of a match that can be deleted or, if it is unfinished, abandoned."""
    is_open: bool = False
    """Whether it is an unfinished match that is not abandoned."""


USUAL_CHOICES: Final = ("side", "setup", "combat", "challenge", "aids", "guided")
"""Of the items that not every game has those of the game that is meant where none is named."""


@dataclass(frozen=True, slots=True)
class Offered:
    """A game that can be played."""

    called: str
    """What ``--game`` calls it; nothing for the one that is meant where none is named."""
    name: str = ""
    levels: tuple[Row, ...] = ()
    """Its computer players, the weakest first; their words are the name."""
    choices: tuple[str, ...] = USUAL_CHOICES
    """Those that it has of the items that not every game has."""


@dataclass(frozen=True, slots=True)
class Output:
    """What a command has said so far."""

    command: str
    """As it would be typed."""
    lines: tuple[str, ...] = ()
    follow: bool = False
    """Whether what comes last is shown, for it may take long to come."""
    running: bool = True
    scroll: int = 0


@dataclass(frozen=True, slots=True)
class Menu:
    """The whole menu."""

    chosen: Preferences
    account: str = ""
    """Proposed as a name before there is one."""
    usual: str = ""
    """The level of somebody who has chosen none."""
    columns: int = 80
    rows: int = 24
    page: Page = Page.MAIN
    at: int = 0
    """The item under the cursor."""
    typed: str = ""
    """The line while one is asked, where nothing typed means the proposed name; in the history what rows must hold."""
    asking: Row = Row((), "")
    """For what a line is asked."""
    picked: str = ""
    """Of whom or of what folder the page is."""
    output: Output | None = None
    back: Page = Page.MAIN
    """Where a line and an output lead back to."""
    sure: bool = False
    """Whether Enter was pressed once where it takes two."""
    games: tuple[Offered, ...] = ()
    """The one that is meant where none is named comes first; empty before they were looked for."""
    matches: tuple[Row, ...] | None = None
    """Unfinished matches; None before they were looked for."""
    history: tuple[Row, ...] | None = None
    columns_said: str = ""
    """The heads of the columns of the history."""
    people: tuple[Row, ...] | None = None
    logs: tuple[Row, ...] | None = None
    events: tuple[Row, ...] | None = None
    """What can be done in the tournaments whose folders are known."""
    problem: str = ""
    theme: str = LINES
    """Of the title: with half blocks, or a head of one row as on all other pages."""
    shimmering: int = 0
    """So many pictures more the water below the title shimmers."""

    @property
    def top(self) -> int:
        """The row of the first item."""
        return TOP + TITLED * self.titled

    @property
    def titled(self) -> bool:
        """Whether the title is drawn in half blocks."""
        return self.page == Page.MAIN and self.theme != LINES

    @property
    def game(self) -> Offered:
        """The game that is chosen, or the first one; before it was looked for it has no choices but the cards."""
        own = ("cards",) if self.chosen.cards else ()
        choices = own if self.chosen.game else USUAL_CHOICES
        plain = self.games[0] if self.games else Offered(self.chosen.game, choices=choices)
        return next((one for one in self.games if one.called == self.chosen.game), plain)

    @property
    def level(self) -> str:
        """The name of the computer player."""
        bot, names = self.chosen.bot, [row.words[0] for row in self.game.levels]
        return bot if bot and (not names or bot in names) else self.usual

    @property
    def note_room(self) -> int:
        """The columns that a note has however long the items are."""
        return self.columns - FIRST - NOTE - SPARE


@dataclass(frozen=True, slots=True)
class Run:
    """Run a command of the program."""

    words: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Keep:
    """Keep the choices."""

    chosen: Preferences


@dataclass(frozen=True, slots=True)
class Try:
    """Look whether the chosen game can be played with the cards of a file."""

    file: str
    words: tuple[str, ...] = ()
    """The command that is run then; without one the file is kept among the choices."""


@dataclass(frozen=True, slots=True)
class Stop:
    """End the command whose output is shown."""


@dataclass(frozen=True, slots=True)
class Quit:
    """Nothing more is wanted."""


Wish: TypeAlias = Run | Keep | Try | Stop | Quit | None

LISTS: Final = tuple(page for page in Page if page not in (*ITEMS, Page.NAME, Page.ASK, Page.OUTPUT))
"""Pages whose rows are found and not fixed."""
ABOVE: Final = {item.opens: page for page, page_items in ITEMS.items() for item in page_items} | {
    Page.HISTORY: Page.MAIN,
    Page.PERSON: Page.PEOPLE,
    Page.EVENT: Page.EVENTS,
}
"""Where a page leads back to, unless that is the first one."""
TERMS: Final = (Page.PLAY, Page.HOST)
STAYS: Final = (Page.HISTORY, Page.LOGS, Page.ANALYSE, Page.LEARN)
"""Pages to which one comes back from what was picked there."""


LONGEST = 4_000
"""How many lines of a command are kept."""
_MOVES = {
    "up": -1,
    "down": 1,
    "wheelup": -1,
    "wheeldown": 1,
    "pageup": -10,
    "pagedown": 10,
    "home": -LONGEST,
    "end": LONGEST,
}
"""By how many items or lines a key moves."""


def begin(chosen: Preferences, account: str, usual: str = "", theme: str = LINES) -> Menu:
    """Return the menu at the start; the first time it asks for a name and nothing else."""
    page = Page.MAIN if chosen.name else Page.NAME
    return shimmer(Menu(chosen, account, usual, page=page, theme=theme))


def shimmer(menu: Menu) -> Menu:
    """Return the menu when it is opened: the water below its title shimmers for a while."""
    return replace(menu, shimmering=SHIMMERS if menu.chosen.motion and menu.theme != LINES else 0)


def move_on(menu: Menu) -> Menu | None:
    """Return the menu a picture further; None while nothing moves."""
    return replace(menu, shimmering=menu.shimmering - 1) if menu.shimmering and menu.titled else None


def again(menu: Menu, chosen: Preferences, theme: str = LINES) -> Menu:
    """Return the menu after a command that had the terminal for itself; what is stored may have changed."""
    shown = menu if menu.page in STAYS else replace(menu, page=Page.MAIN, at=0, typed="")
    return shimmer(replace(shown, chosen=chosen, problem="", sure=False, theme=theme))


def proposed(menu: Menu) -> str:
    """Return the name that Enter alone takes; whatever is typed takes its place."""
    return menu.chosen.name or menu.account


def items(menu: Menu) -> tuple[Item, ...]:
    """Return the items of the page; a list has none."""
    return tuple(item for item in ITEMS.get(menu.page, ()) if not item.some or item.word in menu.game.choices)


def size(menu: Menu) -> int:
    """Return how many items or rows can be picked."""
    return len(listed(menu) if menu.page in LISTS else items(menu))


def listed(menu: Menu) -> tuple[Row, ...]:
    """Return what the page lists."""
    match menu.page:
        case Page.LEVELS:
            return menu.game.levels
        case Page.HISTORY:
            wanted = menu.typed.casefold().split()
            found = ((row, f"{row.text} {row.more}".casefold()) for row in menu.history or ())
            return tuple(row for row, text in found if all(word in text for word in wanted))
        case Page.EXPORT:
            return tuple(replace(row, words=("export", *row.words[1:])) for row in menu.matches or ())
        case Page.LOGS | Page.ANALYSE | Page.CHECK:
            command = {Page.LOGS: "replay", Page.ANALYSE: "analyse"}.get(menu.page, "verify")
            rows = tuple(replace(row, words=(command, *row.words)) for row in menu.logs or ())
            return (*rows, Row((command,), str(menus.OTHER_FILE), asks=menus.LOG))
        case _:
            lists = {Page.MATCHES: menu.matches, Page.PEOPLE: menu.people, Page.EVENTS: menu.events}
            return lists.get(menu.page) or ()


def press(menu: Menu, key: str) -> tuple[Menu, Wish]:
    """Return the menu after a key (its name, one character, or ``item N`` for a click), and what is wished.

    ``slow`` comes from a line that is too slow for what moves.
    """
    menu = replace(menu, problem="", shimmering=0)
    if key == "slow":
        chosen = replace(menu.chosen, motion=False)
        return replace(menu, chosen=chosen, problem=str(menus.TOO_SLOW)), Keep(chosen)
    if key.startswith("item "):
        return take(menu, int(key.removeprefix("item ")))
    if menu.page in (Page.NAME, Page.ASK):
        return _line(menu, key)
    if menu.page == Page.OUTPUT:
        return _output(menu, key)
    count = size(menu)
    if key in _MOVES and count:
        return replace(menu, at=_moved(menu.at, key, count), sure=False), None
    match key:
        case "left" | "right" if menu.page in TERMS:
            return _changed(menu, items(menu)[menu.at], 1 if key == "right" else -1)
        case "enter":
            return take(menu, menu.at)
        case "escape":
            return (menu if menu.page == Page.MAIN else _leave(menu, _above(menu))), None
        case "q" if menu.page == Page.MAIN:
            return menu, Quit()
    if menu.page == Page.HISTORY:
        row = listed(menu)[menu.at] if key == "delete" and count else None
        if row is not None and row.number:
            what = "abandon" if row.is_open else "delete"
            if menu.sure:
                return replace(menu, sure=False), Run(("history", what, row.number, "--yes"))
            return replace(menu, sure=True, problem=str(menus.REMOVE[row.is_open])), None
        return replace(menu, sure=False, typed=_typed(menu.typed, key, LONGEST_NAME), at=0), None
    if key.isascii() and key.isdigit() and 0 < int(key) <= count:
        return take(menu, int(key) - 1)
    return menu, None


def _moved(at: int, key: str, count: int) -> int:
    """Return another item; the arrows go round."""
    moved = at + _MOVES[key]
    return moved % count if key in ("up", "down") else min(max(0, moved), count - 1)


def _open(menu: Menu, page: Page) -> Menu:
    """Return the menu at the beginning of a page: at its start where terms can be chosen, which are the last ones."""
    opened = replace(menu, page=page, at=0, typed="", sure=False)
    if page == Page.LEVELS:
        names = [row.words[0] for row in menu.game.levels]
        return replace(opened, at=names.index(menu.level) if menu.level in names else 0)
    return replace(opened, at=len(items(opened)) - 1) if page in TERMS else opened


def _above(menu: Menu) -> Page:
    """Return the page that this one leads back to; the matches of a person are reached from that person."""
    return Page.PERSON if menu.page == Page.HISTORY and menu.picked else ABOVE.get(menu.page, Page.MAIN)


def _leave(menu: Menu, page: Page) -> Menu:
    """Return the menu back at a page, at the item that has led away from it."""
    here = [number for number, item in enumerate(ITEMS.get(page, ())) if item.opens == menu.page]
    opened = _open(menu, page)
    return replace(opened, at=here[0]) if here else opened


def _typed(typed: str, key: str, longest: int) -> str:
    match key:
        case "backspace":
            return typed[:-1]
        case "c-u":
            return ""
        case "c-w":
            before, space, _ = typed.rstrip().rpartition(" ")
            return before + space
    return typed + key if len(key) == 1 and key.isprintable() and len(typed) < longest else typed


def _line(menu: Menu, key: str) -> tuple[Menu, Wish]:
    """Return the menu after a key where a line is asked."""
    naming = menu.page == Page.NAME
    if key == "escape" and (menu.chosen.name or not naming):
        return _open(menu, menu.back), None
    if key != "enter":
        return replace(menu, typed=_typed(menu.typed, key, LONGEST_NAME if naming else LONGEST_LINE)), None
    if naming:
        name = name_of(menu.typed) or name_of(proposed(menu))
        if mixes_scripts(name):
            return replace(menu, problem=mixed_name(name)), None
        chosen = replace(menu.chosen, name=name)
        # Whoever comes here for the first time has the title opened for them.
        shown = menu if menu.chosen.name else shimmer(menu)
        return replace(_open(shown, menu.back), chosen=chosen), Keep(chosen)
    line = menu.typed.strip()
    if menu.asking.asks is menus.CARDS:
        return (menu, Try(line)) if line else use_cards(menu, "")
    if menu.asking.asks is None or not menu.asking.asks.whole:
        return (_open(menu, menu.back), Run((*menu.asking.words, line))) if line else (menu, None)
    split = shlex.shlex(line, posix=True, punctuation_chars=False)
    split.whitespace_split, split.commenters = True, ""
    # A backslash is a part of names on Windows; quotation marks do all that is needed.
    split.escape = ""
    try:
        words = list(split)
    except ValueError:
        return replace(menu, problem=str(menus.QUOTES)), None
    words = words[1:] if words[:1] == ["storm-p2p"] else words
    return (_open(menu, menu.back), Run(tuple(words))) if words else (menu, None)


def use_cards(menu: Menu, file: str) -> tuple[Menu, Wish]:
    """Return the menu back at the terms, with the cards of a file or with none of one's own."""
    chosen = replace(menu.chosen, cards=file)
    opened = replace(_open(menu, menu.back), chosen=chosen)
    return replace(opened, at=[item.word for item in items(opened)].index("cards")), Keep(chosen)


def _output(menu: Menu, key: str) -> tuple[Menu, Wish]:
    """Return the menu after a key while the output of a command is shown."""
    assert menu.output is not None
    page = menu.rows - TOP - 2
    steps = {**_MOVES, "pageup": -page, "pagedown": page, " ": page}
    if key in steps:
        return replace(menu, output=_scrolled(menu, menu.output, menu.output.scroll + steps[key])), None
    if key in ("enter", "escape", "q"):
        shown = replace(_open(menu, menu.back), output=None)
        return shown, Stop() if menu.output.running else None
    return menu, None


def _scrolled(menu: Menu, output: Output, scroll: int) -> Output:
    most = len(paragraphs(output.lines, menu.columns - 2)) - (menu.rows - TOP - 2)
    return replace(output, scroll=max(0, min(scroll, most)))


def hear(menu: Menu, line: str) -> Menu:
    """Return the menu with one more line of the command whose output is shown."""
    if menu.output is None:
        return menu
    output = replace(menu.output, lines=(*menu.output.lines, line)[-LONGEST:])
    return replace(menu, output=_scrolled(menu, output, LONGEST if output.follow else output.scroll))


def take(menu: Menu, number: int) -> tuple[Menu, Wish]:
    """Return the menu after an item was taken."""
    if number >= size(menu):
        return menu, None
    menu = replace(menu, at=number, sure=menu.sure and number == menu.at)
    if menu.page in LISTS:
        return _row(menu, listed(menu)[number])
    item = items(menu)[number]
    words = tuple(menu.picked if word == PICKED else word for word in item.runs)
    if item.opens is not None:
        return _opened(menu, item.opens), None
    if item.asks is not None:
        return _ask(menu, Row(words, "", asks=item.asks), menu.chosen.cards if item.sets else ""), None
    if item.twice and not menu.sure:
        return replace(menu, sure=True, problem=menus.sure(menu.picked)), None
    if words:
        told = ("--game", menu.game.called) if menu.page == Page.LEARN and menu.game.called else ()
        return (_open(menu, Page.PEOPLE) if menu.page == Page.PERSON else menu), Run((*words, *told))
    match item.word:
        case "start":
            return menu, _match(menu)
        case "play":
            usual = Preferences(game=menu.chosen.game, bot=menu.chosen.bot, cards=menu.chosen.cards, random_setup=True)
            return menu, _match(replace(menu, page=Page.PLAY, chosen=usual))
        case "quit":
            return menu, Quit()
    return _changed(menu, item, 1)


def _opened(menu: Menu, page: Page) -> Menu:
    """Return the menu at a page, unless nothing is there to be picked; what is still looked for may come."""
    picked = menu.picked if menu.page == Page.PERSON else ""
    opened = replace(_open(menu, page), back=menu.page, typed=picked, picked=picked)
    empty = page in (Page.MATCHES, Page.EXPORT, Page.PEOPLE) and not listed(opened)
    return menu if empty or (page == Page.HISTORY and menu.history == ()) else opened


def _ask(menu: Menu, row: Row, typed: str = "") -> Menu:
    if row.words and row.asks is not None and row.asks.whole:
        typed = f"{shlex.join(row.words)} "
    return replace(menu, page=Page.ASK, back=menu.page, asking=row, typed=typed)


def _row(menu: Menu, row: Row) -> tuple[Menu, Wish]:
    if menu.page == Page.LEVELS:
        chosen = replace(menu.chosen, bot=row.words[0])
        return replace(_leave(menu, Page.PLAY), chosen=chosen), Keep(chosen)
    if menu.page == Page.PEOPLE:
        return replace(_open(menu, Page.PERSON), picked=row.words[0]), None
    if row.asks:
        return _ask(menu, row), None
    if menu.page == Page.EVENTS:
        return replace(_open(menu, Page.EVENT), picked=row.words[0]), None
    return menu, Run(row.words)


def _next(offered: Sequence[T], now: T, step: int) -> T:
    """Return the choice beside one, which may be a word that no version of this program knows."""
    at = offered.index(now) if now in offered else -1
    return offered[(at + step) % len(offered)]


def _changed(menu: Menu, item: Item, step: int) -> tuple[Menu, Wish]:
    """Return the menu with another choice, which is kept for the next time."""
    values = item.values(menu)
    if not values:
        return menu, None
    in_use = {"game": menu.game.called, "bot": menu.level, "language": language.current()}
    now = in_use.get(item.sets, getattr(menu.chosen, item.sets))
    shown = replace(menu, chosen=replace(menu.chosen, **{item.sets: _next(values, now, step)}))
    if item.sets == "game":
        # A computer player of the other game alone is none of this one.
        if (menu.chosen.bot,) not in [row.words for row in shown.game.levels]:
            shown = replace(shown, chosen=replace(shown.chosen, bot=""))
        shown = replace(shown, at=items(shown).index(item))
    return shown, Keep(shown.chosen)


def _match(menu: Menu) -> Try | Run:
    """Return the wish for a match on the terms of the page; its cards are looked at first."""
    words = [menu.page.value]
    for item in items(menu):
        value, values = getattr(menu.chosen, item.sets or "name"), item.values(menu)
        if not item.option or not value or (values and value not in values):
            continue
        # With = a negative number is not taken for an option.
        numbered = [f"{item.option}={value}"] if isinstance(value, int) else [item.option, value]
        words += [item.option] if value is True else numbered
    return Try(menu.chosen.cards, tuple(words)) if "--cards" in words else Run(tuple(words))
