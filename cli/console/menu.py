"""What a key changes in the menu, and the command that comes of it."""

import shlex
from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import Enum
from typing import Final, TypeAlias

from cli import language
from cli.console.render.spans import paragraphs
from cli.storage.home import LONGEST_NAME, Preferences, name_of
from cli.storage.people import mixes_scripts
from cli.text import menus
from cli.text.commands import mixed_name

TOP = 6
"""The row of the first item."""
MOST_CHALLENGE = 9
"""The menu offers a Challenge of so much either way; the command line takes any."""
SEATS = ("", "chthonians", "olympians")
"""What may be wished for as a side; nothing is the lot."""
SIGNS = ("", "unicode", "ascii")
CLOCKS = ("", "10m+5s", "20m+10s", "1h", "3d")
"""The clocks that the menu offers; the command line takes any."""
NOTICES = ("off", "auto", "bell", "osc9", "osc777")
"""What the menu offers; and ``command``, if there is one in the settings file."""
HINT_SECONDS = (1, 2, 5, 10, 30)
"""How long the menu lets the computer think about a hint; the settings file takes any."""
LONGEST_LINE = 400
"""Of what is typed, but for the name."""


class Page(Enum):
    """What the menu shows."""

    NAME = "name"
    MAIN = "main"
    PLAY = "play"
    """The terms against the computer."""
    LEVELS = "levels"
    HOST = "host"
    JOIN = "join"
    LEARN = "learn"
    TOOLS = "tools"
    KEY = "key"
    SETTINGS = "settings"
    EVENT = "tournament"
    """A tournament."""
    PERSON = "person"
    """Somebody of the address book."""
    MATCHES = "matches"
    """Those that are unfinished."""
    EXPORT = "export"
    """The same, to write their logs."""
    HISTORY = "history"
    LOGS = "logs"
    CHECK = "check"
    """The logs, to verify them."""
    ANALYSE = "analyse"
    PEOPLE = "people"
    EVENTS = "events"
    ASK = "ask"
    """A line is asked for, such as the name of a file."""
    OUTPUT = "output"
    """What a command says."""


@dataclass(frozen=True, slots=True)
class Row:
    """Something that can be picked from a list."""

    words: tuple[str, ...]
    """The command that picks it."""
    text: str
    """Clean."""
    brief: str = ""
    """The same for a place with less room, if that is wanted; of a row that asks, what stands at the prompt first."""
    more: str = ""
    """What it is found by beside its text, such as a name that was cut there."""
    result: str = ""
    """How the match ended for the player, if it is one."""
    asks: str = ""
    """What has to be typed behind the words first: a key of :data:`cli.text.menus.ASKED`."""


USUAL_CHOICES: Final = ("side", "setup", "combat", "challenge", "aids", "guided")
"""Items of the game that is meant where none is named."""
CHOICES: Final = (*USUAL_CHOICES, "cards")
"""Items that not every game has."""


@dataclass(frozen=True, slots=True)
class Offered:
    """A game that can be played."""

    called: str
    """What ``--game`` calls it; nothing for the one that is meant where none is named."""
    name: str = ""
    levels: tuple[Row, ...] = ()
    """Its computer players, the weakest first; their words are the name."""
    choices: tuple[str, ...] = USUAL_CHOICES
    """The items of :data:`CHOICES` that it has."""


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

ITEMS: Final[Mapping[Page, tuple[str, ...]]] = {
    Page.MAIN: (
        "play", "own", "host", "join", "continue", "learn", "history", "people", "events", "tools", "settings", "quit",
    ),
    Page.PLAY: ("game", "level", "cards", "side", "setup", "combat", "challenge", "start"),
    Page.HOST: ("game", "cards", "side", "setup", "combat", "challenge", "clock", "aids", "near", "start"),
    Page.JOIN: ("invite", "nearby", "swap"),
    Page.LEARN: ("boards", "guided", "game"),
    Page.TOOLS: ("replay", "analyse", "check", "export", "doctor", "witness", "key", "command"),
    Page.KEY: ("show", "copy", "take", "lock"),
    Page.SETTINGS: ("name", "signs", "mouse", "notice", "thinking", "language"),
    Page.PERSON: ("met", "trust", "forget"),
    Page.EVENT: (
        "todo", "hostgame", "joingame", "table", "ready", "claim", "answer", "logs", "enter", "close", "round", "rule",
    ),
}  # fmt: skip
"""The items of the pages, as far as a game has them; those of a list are its rows."""
APART: Final = ("history", "tools", "close")
"""Items with an empty row before them."""
OPENS: Final[Mapping[str, Page]] = {
    "own": Page.PLAY,
    "level": Page.LEVELS,
    "host": Page.HOST,
    "join": Page.JOIN,
    "continue": Page.MATCHES,
    "learn": Page.LEARN,
    "history": Page.HISTORY,
    "people": Page.PEOPLE,
    "events": Page.EVENTS,
    "tools": Page.TOOLS,
    "settings": Page.SETTINGS,
    "replay": Page.LOGS,
    "analyse": Page.ANALYSE,
    "check": Page.CHECK,
    "export": Page.EXPORT,
    "key": Page.KEY,
}
"""The items that open a page."""
RUNS: Final[Mapping[str, tuple[str, ...]]] = {
    "boards": ("learn",),
    "guided": ("play", "--guided"),
    "invite": ("join",),
    "nearby": ("join", "--lan"),
    "swap": ("join", "--swap"),
    "doctor": ("doctor",),
    "witness": ("witness",),
    "show": ("key", "show"),
    "lock": ("key", "passphrase"),
}
"""The items that run a command."""
IN_FOLDER: Final[Mapping[str, tuple[str, ...]]] = {
    "todo": ("event", "status"),
    "hostgame": ("host", "--event"),
    "joingame": ("join", "--event"),
    "table": ("standings",),
    "ready": ("event", "ready"),
    "claim": ("event", "claim"),
    "logs": ("event", "export"),
    "enter": ("event", "enter"),
    "close": ("event", "close"),
    "round": ("event", "round"),
}
"""The items that run a command on the folder of a tournament."""
ASKS: Final[Mapping[str, Row]] = {
    "command": Row((), "", asks="command"),
    "copy": Row(("key", "export"), "", asks="copy"),
    "take": Row(("key", "import"), "", asks="take"),
    "cards": Row((), "", asks="cards"),
}
"""The items that want a line first."""
COMMANDS: Final = ("command", "announce", "rule")
"""What is asked for as a line of words; anything else is one word, such as a path."""
LISTS: Final = (
    Page.LEVELS,
    Page.MATCHES,
    Page.EXPORT,
    Page.HISTORY,
    Page.LOGS,
    Page.ANALYSE,
    Page.CHECK,
    Page.PEOPLE,
    Page.EVENTS,
)
ABOVE: Final = {
    Page.LEVELS: Page.PLAY,
    Page.PERSON: Page.PEOPLE,
    Page.EVENT: Page.EVENTS,
    Page.KEY: Page.TOOLS,
    Page.LOGS: Page.TOOLS,
    Page.ANALYSE: Page.TOOLS,
    Page.CHECK: Page.TOOLS,
    Page.EXPORT: Page.TOOLS,
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


def begin(chosen: Preferences, account: str, usual: str = "") -> Menu:
    """Return the menu at the start; the first time it asks for a name and nothing else."""
    page = Page.MAIN if chosen.name else Page.NAME
    return Menu(chosen, account, usual, page=page)


def again(menu: Menu, chosen: Preferences) -> Menu:
    """Return the menu after a command that had the terminal for itself; what is stored may have changed."""
    shown = menu if menu.page in STAYS else replace(menu, page=Page.MAIN, at=0, typed="")
    return replace(shown, chosen=chosen, problem="", sure=False)


def proposed(menu: Menu) -> str:
    """Return the name that Enter alone takes; whatever is typed takes its place."""
    return menu.chosen.name or menu.account


def game(menu: Menu) -> Offered:
    """Return the game that is chosen, or the first one; before it was looked for it has no choices but the cards."""
    own = ("cards",) if menu.chosen.cards else ()
    choices = own if menu.chosen.game else USUAL_CHOICES
    plain = menu.games[0] if menu.games else Offered(menu.chosen.game, choices=choices)
    return next((one for one in menu.games if one.called == menu.chosen.game), plain)


def level(menu: Menu) -> str:
    """Return the name of the computer player."""
    return menu.chosen.bot or menu.usual


def items(menu: Menu) -> tuple[str, ...]:
    """Return the items of the page; those of a list are its rows' numbers."""
    if menu.page in LISTS:
        return tuple(str(number) for number in range(len(listed(menu))))
    left_out = set(CHOICES) - set(game(menu).choices)
    return tuple(item for item in ITEMS.get(menu.page, ()) if item not in left_out)


def listed(menu: Menu) -> tuple[Row, ...]:
    """Return what the page lists."""
    match menu.page:
        case Page.LEVELS:
            return game(menu).levels
        case Page.HISTORY:
            wanted = menu.typed.casefold().split()
            found = ((row, f"{row.text} {row.more}".casefold()) for row in menu.history or ())
            return tuple(row for row, text in found if all(word in text for word in wanted))
        case Page.EXPORT:
            return tuple(replace(row, words=("export", *row.words[1:])) for row in menu.matches or ())
        case Page.LOGS | Page.ANALYSE | Page.CHECK:
            command = {Page.LOGS: "replay", Page.ANALYSE: "analyse"}.get(menu.page, "verify")
            rows = tuple(replace(row, words=(command, *row.words)) for row in menu.logs or ())
            return (*rows, Row((command,), str(menus.OTHER_FILE), asks="log"))
        case _:
            lists = {Page.MATCHES: menu.matches, Page.PEOPLE: menu.people, Page.EVENTS: menu.events}
            return lists.get(menu.page) or ()


def press(menu: Menu, key: str) -> tuple[Menu, Wish]:
    """Return the menu after a key (its name, one character, or ``item N`` for a click), and what is wished."""
    menu = replace(menu, problem="")
    if key.startswith("item "):
        return take(menu, int(key.removeprefix("item ")))
    if menu.page in (Page.NAME, Page.ASK):
        return _line(menu, key)
    if menu.page == Page.OUTPUT:
        return _output(menu, key)
    count = len(items(menu))
    if key in _MOVES and count:
        return replace(menu, at=_moved(menu.at, key, count), sure=False), None
    match key:
        case "left" | "right" if menu.page in TERMS:
            return _changed(menu, items(menu)[menu.at], 1 if key == "right" else -1)
        case "enter":
            return take(menu, menu.at)
        case "escape":
            return (menu if menu.page == Page.MAIN else _leave(menu, ABOVE.get(menu.page, Page.MAIN))), None
        case "q" if menu.page == Page.MAIN:
            return menu, Quit()
    if menu.page == Page.HISTORY:
        return replace(menu, typed=_typed(menu.typed, key, LONGEST_NAME), at=0), None
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
        names = [row.words[0] for row in game(menu).levels]
        return replace(opened, at=names.index(level(menu)) if level(menu) in names else 0)
    return replace(opened, at=len(items(opened)) - 1) if page in TERMS else opened


def _leave(menu: Menu, page: Page) -> Menu:
    """Return the menu back at a page, at the item that has led away from it."""
    here = [number for number, item in enumerate(ITEMS.get(page, ())) if OPENS.get(item) == menu.page]
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
        return replace(_open(menu, menu.back), chosen=chosen), Keep(chosen)
    line = menu.typed.strip()
    if menu.asking.asks == "cards":
        return (menu, Try(line)) if line else use_cards(menu, "")
    if menu.asking.asks not in COMMANDS:
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
    return replace(opened, at=items(opened).index("cards")), Keep(chosen)


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
    if number >= len(items(menu)):
        return menu, None
    menu = replace(menu, at=number, sure=menu.sure and number == menu.at)
    if menu.page in LISTS:
        return _row(menu, listed(menu)[number])
    item = items(menu)[number]
    if item == "start":
        return menu, _started(menu, _command(menu))
    if item in OPENS:
        opened = _open(menu, OPENS[item])
        # Nothing is there to be picked; what is still looked for may come.
        empty = opened.page in (Page.MATCHES, Page.EXPORT, Page.PEOPLE) and not listed(opened)
        return (menu if empty or (opened.page == Page.HISTORY and menu.history == ()) else opened), None
    if item in RUNS:
        return menu, Run((*RUNS[item], *_game(menu)) if menu.page == Page.LEARN else RUNS[item])
    if item in IN_FOLDER:
        return menu, Run((*IN_FOLDER[item], menu.picked))
    if item in ASKS:
        known = menu.chosen.cards if item == "cards" else ""
        return _ask(menu, replace(ASKS[item], brief=known)), None
    if menu.page in TERMS or item == "game":
        return _changed(menu, item, 1)
    if menu.page == Page.PERSON:
        return _person(menu, item)
    return _other(menu, item)


def _other(menu: Menu, item: str) -> tuple[Menu, Wish]:
    match item:
        case "answer":
            return _ask(menu, Row(("event", "answer", menu.picked), "", asks="answer")), None
        case "rule":
            return _ask(menu, Row((), "", f"event rule {shlex.quote(menu.picked)} ", asks="rule")), None
        case "play":
            setup = ("--random-setup",) if "setup" in game(menu).choices else ()
            return menu, _started(menu, ("play", *_game(menu), *_cards(menu), *setup, *_bot(menu)))
        case "name":
            return replace(menu, page=Page.NAME, back=menu.page, typed=""), None
        case "quit":
            return menu, Quit()
        case _:
            return _switched(menu, item)


def _ask(menu: Menu, row: Row) -> Menu:
    return replace(menu, page=Page.ASK, back=menu.page, asking=row, typed=row.brief)


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


def _person(menu: Menu, item: str) -> tuple[Menu, Wish]:
    if item == "met":
        return replace(_open(menu, Page.HISTORY), typed=menu.picked), None
    if item == "forget" and not menu.sure:
        return replace(menu, sure=True, problem=menus.sure(menu.picked)), None
    return _open(menu, Page.PEOPLE), Run(("people", item, "--", menu.picked))


def _switched(menu: Menu, item: str) -> tuple[Menu, Wish]:
    chosen = menu.chosen
    if item == "language":
        now = language.LANGUAGES.index(language.current())
        chosen = replace(chosen, language=language.LANGUAGES[(now + 1) % len(language.LANGUAGES)])
    elif item == "signs":
        chosen = replace(chosen, signs=_next(SIGNS, chosen.signs, 1))
    elif item == "thinking":
        longer = (seconds for seconds in HINT_SECONDS if seconds > chosen.hint_seconds)
        chosen = replace(chosen, hint_seconds=next(longer, HINT_SECONDS[0]))
    elif item == "mouse":
        chosen = replace(chosen, mouse=not chosen.mouse)
    else:
        offered = (*NOTICES, "command") if chosen.command else NOTICES
        chosen = replace(chosen, notice=_next(offered, chosen.notice, 1))
    return replace(menu, chosen=chosen), Keep(chosen)


def _next(offered: tuple[str, ...], now: str, step: int) -> str:
    """Return the choice beside one, which may be a word that no version of this program knows."""
    at = offered.index(now) if now in offered else -1
    return offered[(at + step) % len(offered)]


def _changed(menu: Menu, item: str, step: int) -> tuple[Menu, Wish]:
    """Return the menu with another choice of terms, which is kept for the next time."""
    chosen = menu.chosen
    match item:
        case "game" if menu.games:
            return _other_game(menu, step)
        case "level" if game(menu).levels:
            chosen = replace(chosen, bot=_next(tuple(row.words[0] for row in game(menu).levels), level(menu), step))
        case "side":
            chosen = replace(chosen, seat=_next(SEATS, chosen.seat, step))
        case "clock":
            chosen = replace(chosen, clock=_next(CLOCKS, chosen.clock, step))
        case "challenge":
            added = (chosen.challenge + step + MOST_CHALLENGE) % (2 * MOST_CHALLENGE + 1) - MOST_CHALLENGE
            chosen = replace(chosen, challenge=added)
        case "setup":
            chosen = replace(chosen, random_setup=not chosen.random_setup)
        case "combat":
            chosen = replace(chosen, open_combat=not chosen.open_combat)
        case "aids":
            chosen = replace(chosen, aids=not chosen.aids)
        case "near":
            chosen = replace(chosen, lan=not chosen.lan)
        case _:
            return menu, None
    return replace(menu, chosen=chosen), Keep(chosen)


def _other_game(menu: Menu, step: int) -> tuple[Menu, Wish]:
    """Return the menu with the next game, and its usual computer player where it has no such one."""
    item = items(menu)[menu.at]
    shown = replace(
        menu, chosen=replace(menu.chosen, game=_next(tuple(one.called for one in menu.games), game(menu).called, step))
    )
    if (menu.chosen.bot,) not in [row.words for row in game(shown).levels]:
        shown = replace(shown, chosen=replace(shown.chosen, bot=""))
    return replace(shown, at=items(shown).index(item)), Keep(shown.chosen)


def _game(menu: Menu) -> tuple[str, ...]:
    return ("--game", game(menu).called) if game(menu).called else ()


def _bot(menu: Menu) -> tuple[str, ...]:
    return ("--bot", menu.chosen.bot) if menu.chosen.bot else ()


def _cards(menu: Menu) -> tuple[str, ...]:
    return ("--cards", menu.chosen.cards) if "cards" in game(menu).choices and menu.chosen.cards else ()


def _started(menu: Menu, words: tuple[str, ...]) -> Try | Run:
    """Return the wish for a match; its cards are looked at first."""
    return Try(menu.chosen.cards, words) if "--cards" in words else Run(words)


def _command(menu: Menu) -> tuple[str, ...]:
    """Return the command of a page of terms."""
    chosen = menu.chosen
    choices = game(menu).choices
    words = [menu.page.value, *_game(menu), *_cards(menu)]
    words += ["--seat", chosen.seat] if "side" in choices and chosen.seat in SEATS[1:] else []
    words += ["--random-setup"] if "setup" in choices and chosen.random_setup else []
    words += ["--open-combat"] if "combat" in choices and chosen.open_combat else []
    # With = so that a negative number is not taken for an option.
    words += [f"--challenge={chosen.challenge}"] if "challenge" in choices and chosen.challenge else []
    if menu.page == Page.PLAY:
        return (*words, *_bot(menu))
    words += ["--clock", chosen.clock] if chosen.clock in CLOCKS[1:] else []
    words += ["--aids"] if "aids" in choices and chosen.aids else []
    return (*words, "--lan") if chosen.lan else tuple(words)
