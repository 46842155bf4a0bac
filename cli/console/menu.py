"""The menu as a pure value: what it shows, what a key changes, and the command that comes of it."""

from dataclasses import dataclass, replace
from enum import Enum
from typing import TypeAlias

from cli import language
from cli.storage.preferences import LONGEST_NAME, Preferences, name_of
from cli.text import menus as said

MOST_CHALLENGE = 9
"""The menu offers a Challenge of so much either way; the command line takes any."""
SEATS = ("chthonians", "olympians")
SIGNS = ("", "unicode", "ascii")
NOTICES = ("off", "auto", "bell", "osc9", "osc777")
"""What the menu offers; and ``command``, if there is one in the settings file."""


class Page(Enum):
    """What the menu shows."""

    NAME = "name"
    MAIN = "main"
    PLAY = "play"
    """The terms against the computer."""
    HOST = "host"
    MATCHES = "matches"
    LOGS = "logs"
    EVENTS = "events"


@dataclass(frozen=True, slots=True)
class Row:
    """Something stored that can be picked."""

    words: tuple[str, ...]
    """The command that picks it."""
    text: str
    """Clean."""
    brief: str = ""
    """The same for a place with less room; empty where it is not wanted."""


@dataclass(frozen=True, slots=True)
class Terms:
    """What the pages of terms choose, as indices into their words."""

    side: int = 0
    setup: int = 0
    combat: int = 0
    challenge: int = 0


@dataclass(frozen=True, slots=True)
class Menu:
    """The whole menu."""

    chosen: Preferences
    account: str = ""
    """Proposed as a name before there is one."""
    columns: int = 80
    rows: int = 24
    page: Page = Page.MAIN
    at: int = 0
    """The item under the cursor."""
    typed: str = ""
    """The name while it is asked; nothing typed means the proposed one."""
    terms: Terms = Terms()
    matches: tuple[Row, ...] | None = None
    """Unfinished matches; None before they were looked for."""
    logs: tuple[Row, ...] | None = None
    events: tuple[Row, ...] | None = None
    """What can be done in the tournaments whose folders are known."""
    problem: str = ""


@dataclass(frozen=True, slots=True)
class Run:
    """Run a command of the program."""

    words: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Keep:
    """Keep the choices."""

    chosen: Preferences


@dataclass(frozen=True, slots=True)
class Quit:
    """Nothing more is wanted."""


Wish: TypeAlias = Run | Keep | Quit | None

MAIN = (
    "play", "own", "host", "join", "continue", "replay", "learn", "events", "name", "signs", "mouse", "notice",
    "language", "quit",
)  # fmt: skip
"""The items of the first page."""
LISTS = {"continue": Page.MATCHES, "replay": Page.LOGS, "events": Page.EVENTS}
"""The items that open a list."""
TERMS = ("side", "setup", "combat", "challenge", "start")


def begin(chosen: Preferences, account: str) -> Menu:
    """Return the menu at the start; the first time it asks for a name and nothing else."""
    page = Page.MAIN if chosen.name else Page.NAME
    return Menu(chosen, account, page=page)


def proposed(menu: Menu) -> str:
    """Return the name that Enter alone takes; whatever is typed takes its place."""
    return menu.chosen.name or menu.account


def items(menu: Menu) -> tuple[str, ...]:
    """Return the items of the page; those of a list are its rows' numbers."""
    match menu.page:
        case Page.MAIN:
            return MAIN
        case Page.PLAY | Page.HOST:
            return TERMS
        case Page.MATCHES | Page.LOGS | Page.EVENTS:
            return tuple(str(number) for number in range(len(listed(menu))))
        case _:
            return ()


def listed(menu: Menu) -> tuple[Row, ...]:
    """Return what the page lists."""
    return {Page.MATCHES: menu.matches, Page.LOGS: menu.logs, Page.EVENTS: menu.events}.get(menu.page) or ()


def press(menu: Menu, key: str) -> tuple[Menu, Wish]:
    """Return the menu after a key (its name, one character, or ``item N`` for a click), and what is wished."""
    menu = replace(menu, problem="")
    if key.startswith("item "):
        return take(menu, int(key.removeprefix("item ")))
    if menu.page == Page.NAME:
        return _name(menu, key)
    count = len(items(menu))
    match key:
        case "up" | "down":
            step = 1 if key == "down" else -1
            return replace(menu, at=(menu.at + step) % count if count else 0), None
        case "left" | "right" if menu.page in (Page.PLAY, Page.HOST):
            return _changed(menu, items(menu)[menu.at], 1 if key == "right" else -1), None
        case "enter":
            return take(menu, menu.at)
        case "escape":
            return (menu, None) if menu.page == Page.MAIN else (_main(menu), None)
        case "q" if menu.page == Page.MAIN:
            return menu, Quit()
    if key.isascii() and key.isdigit() and 0 < int(key) <= count:
        return take(menu, int(key) - 1)
    return menu, None


def _main(menu: Menu) -> Menu:
    return replace(menu, page=Page.MAIN, at=0)


def _name(menu: Menu, key: str) -> tuple[Menu, Wish]:
    match key:
        case "enter":
            name = name_of(menu.typed) or name_of(proposed(menu))
            chosen = replace(menu.chosen, name=name)
            return replace(_main(menu), chosen=chosen), Keep(chosen)
        case "escape" if menu.chosen.name:
            return _main(menu), None
        case "backspace":
            return replace(menu, typed=menu.typed[:-1]), None
    if len(key) == 1 and key.isprintable() and len(menu.typed) < LONGEST_NAME:
        return replace(menu, typed=menu.typed + key), None
    return menu, None


def take(menu: Menu, number: int) -> tuple[Menu, Wish]:
    """Return the menu after an item was taken."""
    if menu.page in LISTS.values():
        rows = listed(menu)
        return (menu, Run(rows[number].words)) if number < len(rows) else (menu, None)
    menu = replace(menu, at=number)
    item = items(menu)[number]
    if menu.page in (Page.PLAY, Page.HOST):
        if item == "start":
            return menu, Run(_command(menu))
        return _changed(menu, item, 1), None
    return _main_item(menu, item)


def _main_item(menu: Menu, item: str) -> tuple[Menu, Wish]:
    match item:
        case "play":
            return menu, Run(("play", "--random-setup"))
        case "own":
            return replace(menu, page=Page.PLAY, at=len(TERMS) - 1), None
        case "host":
            return replace(menu, page=Page.HOST, at=len(TERMS) - 1), None
        case "join" | "learn":
            return menu, Run((item,))
        case "continue" | "replay" | "events":
            opened = replace(menu, page=LISTS[item], at=0)
            return (opened, None) if listed(opened) else (menu, None)
        case "name":
            return replace(menu, page=Page.NAME, typed=""), None
        case "quit":
            return menu, Quit()
        case _:
            return _switched(menu, item)


def _switched(menu: Menu, item: str) -> tuple[Menu, Wish]:
    chosen = menu.chosen
    if item == "language":
        now = language.LANGUAGES.index(language.current())
        chosen = replace(chosen, language=language.LANGUAGES[(now + 1) % len(language.LANGUAGES)])
    elif item == "signs":
        chosen = replace(chosen, signs=_next(SIGNS, chosen.signs))
    elif item == "mouse":
        chosen = replace(chosen, mouse=not chosen.mouse)
    else:
        offered = (*NOTICES, "command") if chosen.command else NOTICES
        chosen = replace(chosen, notice=_next(offered, chosen.notice))
    return replace(menu, chosen=chosen), Keep(chosen)


def _next(offered: tuple[str, ...], chosen: str) -> str:
    """Return the choice behind one, which may be a word that no version of this program knows."""
    return offered[(offered.index(chosen) + 1) % len(offered)] if chosen in offered else offered[0]


def _changed(menu: Menu, item: str, step: int) -> Menu:
    choices = {"side": len(said.SIDES), "setup": len(said.SETUPS), "combat": len(said.COMBATS)}
    now = getattr(menu.terms, item)
    if item == "challenge":
        chosen = (now + step + MOST_CHALLENGE) % (2 * MOST_CHALLENGE + 1) - MOST_CHALLENGE
    else:
        chosen = (now + step) % choices[item]
    return replace(menu, terms=replace(menu.terms, **{item: chosen}))


def _command(menu: Menu) -> tuple[str, ...]:
    """Return the command of a page of terms."""
    terms = menu.terms
    words = [menu.page.value]
    if terms.side:
        words += ["--seat", SEATS[terms.side - 1]]
    words += ["--random-setup"] if terms.setup else []
    words += ["--open-combat"] if terms.combat else []
    # With = so that a negative number is not taken for an option.
    words += [f"--challenge={terms.challenge}"] if terms.challenge else []
    return tuple(words)
