"""The menu as a pure value: its pages, their items, and what each of them opens or runs."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Final, TypeAlias

from cli.storage.home import Preferences

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
    "own": Page.PLAY, "level": Page.LEVELS, "host": Page.HOST, "join": Page.JOIN, "continue": Page.MATCHES,
    "learn": Page.LEARN, "history": Page.HISTORY, "people": Page.PEOPLE, "events": Page.EVENTS, "tools": Page.TOOLS,
    "settings": Page.SETTINGS, "replay": Page.LOGS, "analyse": Page.ANALYSE, "check": Page.CHECK,
    "export": Page.EXPORT, "key": Page.KEY,
}  # fmt: skip
"""The items that open a page."""
RUNS: Final[Mapping[str, tuple[str, ...]]] = {
    "boards": ("learn",), "guided": ("play", "--guided"),
    "invite": ("join",), "nearby": ("join", "--lan"), "swap": ("join", "--swap"),
    "doctor": ("doctor",), "witness": ("witness",), "show": ("key", "show"), "lock": ("key", "passphrase"),
}  # fmt: skip
"""The items that run a command."""
IN_FOLDER: Final[Mapping[str, tuple[str, ...]]] = {
    "todo": ("event", "status"), "hostgame": ("host", "--event"), "joingame": ("join", "--event"),
    "table": ("standings",), "ready": ("event", "ready"), "claim": ("event", "claim"), "logs": ("event", "export"),
    "enter": ("event", "enter"), "close": ("event", "close"), "round": ("event", "round"),
}  # fmt: skip
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
    Page.LEVELS, Page.MATCHES, Page.EXPORT, Page.HISTORY, Page.LOGS, Page.ANALYSE, Page.CHECK, Page.PEOPLE,
    Page.EVENTS,
)  # fmt: skip
ABOVE: Final = {
    Page.LEVELS: Page.PLAY, Page.PERSON: Page.PEOPLE, Page.EVENT: Page.EVENTS, Page.KEY: Page.TOOLS,
    Page.LOGS: Page.TOOLS, Page.ANALYSE: Page.TOOLS, Page.CHECK: Page.TOOLS, Page.EXPORT: Page.TOOLS,
}  # fmt: skip
"""Where a page leads back to, unless that is the first one."""
TERMS: Final = (Page.PLAY, Page.HOST)
STAYS: Final = (Page.HISTORY, Page.LOGS, Page.ANALYSE, Page.LEARN)
"""Pages to which one comes back from what was picked there."""
