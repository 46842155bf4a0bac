"""The words of the menu, and its items: a row for each says what it is called, what stands behind it, what it does."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass
from enum import Enum
from pathlib import PurePath
from typing import TYPE_CHECKING, Any, Final

from cli import language
from cli.clean import width
from cli.text.wording import Lazy, Sentence, _, fill, lazy, signed

if TYPE_CHECKING:
    from cli.console.menu import Menu, Row

TITLE: Final = lazy("Storm over Olympus")
WHAT: Final = lazy(
    (
        "Two games for two players, and no server.",
        "Storm over Olympus: hidden units, and Hades or Persephone on the way to the Palace.",
        "Fight for Olympus: a card duel; nobody knows the order of the pile.",
    )
)
NAME: Final = lazy("What is your name?")
NAME_ASKED: Final = lazy("What is your name? Enter takes {name}; you are asked only once, and --name changes it.")
NAME_AGAIN: Final = lazy("You can change it here at any time. The other player sees it.")
LOOKING: Final = "..."
NOTHING: Final = lazy("none yet")

OTHER_FILE: Final = lazy("Another file")
ENTER_EVENT: Final = lazy("Take part in a tournament")
OTHER_EVENT: Final = lazy("Look at another tournament")
ANNOUNCE: Final = lazy("Announce a tournament")
QUOTES: Final = lazy("One quotation mark is missing; add it, or leave both out.")

sure = Sentence[str]("Press Enter again to forget {name}: the next player with that name counts as new.")
output = Sentence[str]("What storm-p2p {command} says:")
OTHER_CARDS: Final = lazy('Choose other cards under "Play on your own terms".')
ABOUT: Final = lazy(
    {
        "play": "How do you want to play? Your choices are kept for next time.",
        "levels": "Which computer player? The weakest comes first.",
        "host": "The terms that your friend will be asked to accept",
        "join": "How do you want to find the host?",
        "learn": "New to the game? The rules in five minutes, then a match with a guide",
        "tools": "Everything besides playing",
        "key": "Your key is your identity: anyone who has it can sign as you.",
        "settings": "These choices are kept.",
        "matches": "Which match?",
        "export": "Which match? Its log shows what has been played so far.",
        "logs": "Which log?",
        "analyse": "Which log?",
        "check": "Which log?",
        "people": "Who? Each name belongs to a key, so nobody else can use it.",
        "events": "Which tournament?",
        "tournament": "The tournament in {picked}",
    }
)
"""What a page is about."""
CHECKING: Final = lazy("The logs are being checked; each is checked only once.")
FILTER: Final = lazy("Type to filter: a name, a side, a result, a variant.")
TOO_SLOW: Final = lazy("Motion is now off: this connection is too slow. Turn it back on in Settings.")
FILTERED: Final = lazy("Filter: {typed}")

HINT: Final = lazy("up/down choose   enter select   q quit")
HINT_TERMS: Final = lazy("up/down choose   left/right change   enter start   esc back")
HINT_PICK: Final = lazy("up/down choose   enter select   esc back")
HINT_HISTORY: Final = lazy("up/down choose   enter open   del remove   type to filter   esc back")
REMOVE: Final = lazy(
    {
        False: "Press Del again to delete this match: it goes to the trash and is removed after 30 days.",
        True: "Press Del again to abandon this match: it is no longer listed as unfinished, nothing is sent, and storm-p2p "
        "resume with its number still continues it.",
    }
)
HINT_NAME: Final = lazy("type a name   enter takes the one shown")
HINT_LINE: Final = lazy("type it   enter continue   esc back")
HINT_OUTPUT: Final = lazy("up/down scroll   enter back")
HINT_RUNNING: Final = lazy("up/down scroll   esc stop and back")
AGAIN: Final = lazy("Press Enter for the menu. ")
part = Sentence[int, int, int]("{first} to {last} of {count}")


seconds = Sentence[int]("{number} second", "{number} seconds")
"""How long the computer thinks."""


def ended(code: int) -> str:
    """Return how a command ended that has said nothing."""
    return _("Done.") if not code else fill("It ended with exit code {code}.", code=code)


unfinished = Sentence[int]("{number} unfinished", "{number} unfinished")
matches = Sentence[int]("{number} match", "{number} matches")
players = Sentence[int]("{number} player", "{number} players")
tournaments = Sentence[int]("{number} tournament", "{number} tournaments")
unlisted = Sentence[int]("{number} file is not listed: why?", "{number} files are not listed: why?")
"""How many files count for no match; picking it shows the reasons."""
unread = Sentence[str]("Why can the match {file} not be read?")


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


_PATH: Final = lazy("Type the whole path, or one that begins in the folder where you started the program.")


@dataclass(frozen=True, slots=True)
class Asked:
    """A line that has to be typed."""

    question: Lazy
    help: Lazy = _PATH
    whole: bool = False
    """Whether it is a whole command; anything else is its last word, such as a path."""


FOLDER: Final = Asked(lazy("Which folder are its files in?"))
LOG: Final = Asked(lazy("Which file?"))
NEW_EVENT: Final = Asked(
    lazy("Which tournament?"),
    lazy("Add a folder and a name, such as: event new cup --name 'Winter Cup'. event new --help lists more."),
    whole=True,
)
CARDS: Final = Asked(
    lazy("Which set of cards?"),
    lazy("Type the path of your set of cards. An empty line goes back to the cards that come with the program."),
)
PICKED: Final = "{picked}"
"""Stands in a command for the person or the folder that the page is of."""


@dataclass(frozen=True, slots=True)
class Item:
    """An item of a page; one that neither opens, asks, runs nor sets anything is known to the reducer by its word."""

    word: str
    label: Lazy
    note: Lazy | Mapping[Any, Lazy | str] | Callable[[Menu], str] | None = None
    """What stands behind it; or that for each value of what it sets, where an unknown one counts as the first."""
    _: KW_ONLY
    opens: Page | None = None
    runs: tuple[str, ...] = ()
    """The command that it runs; of one that asks, what comes before the answer."""
    asks: Asked | None = None
    sets: str = ""
    """The field of the preferences that it changes."""
    offers: Sequence[object] | Callable[[Menu], Sequence[object]] = ()
    """What it may be changed to, if that is not what the note has."""
    option: str = ""
    """What tells a match of it."""
    some: bool = False
    """Whether only some games have it."""
    twice: bool = False
    """Whether it takes a second Enter."""
    apart: bool = False
    """Whether there is an empty row before it."""

    def tell(self, menu: Menu) -> str:
        """Return what stands behind it."""
        if isinstance(self.note, Mapping):
            return str(self.note.get(getattr(menu.chosen, self.sets), next(iter(self.note.values()))))
        return self.note(menu) if callable(self.note) else str(self.note or "")

    def values(self, menu: Menu) -> Sequence[object]:
        """Return what it may be changed to."""
        if callable(self.offers):
            return self.offers(menu)
        return self.offers or (tuple(self.note) if isinstance(self.note, Mapping) else ())


def _play(menu: Menu) -> str:
    if "setup" in menu.game.choices:
        return fill("{level}, random setup", level=menu.level)
    own = PurePath(menu.chosen.cards).name if "cards" in menu.game.choices else ""
    return f"{menu.level}: {menu.game.name or LOOKING}" + (f", {own}" if own else "")


def _counted(rows: Sequence[Row] | None, words: Callable[[int], str]) -> str:
    if rows is None:
        return LOOKING
    return words(len(rows)) if rows else str(NOTHING)


def _unfinished(menu: Menu) -> str:
    return _counted(menu.matches, unfinished)


def _continue(menu: Menu) -> str:
    """Return the one match that is unfinished, if there is room for all of it."""
    only = menu.matches[0].brief if menu.matches is not None and len(menu.matches) == 1 else ""
    return only if only and width(only) < menu.note_room else _unfinished(menu)


def _history(menu: Menu) -> str:
    return _counted(None if menu.history is None else [row for row in menu.history if row.result], matches)


def _events(menu: Menu) -> str:
    return _counted(None if menu.events is None else [row for row in menu.events if not row.asks], tournaments)


_BUILT_IN: Final = lazy("built-in")
_NOTICES: Final = lazy(
    {
        "off": "off",
        "auto": "automatic",
        "bell": "bell",
        "osc9": "message (OSC 9)",
        "osc777": "message (OSC 777)",
        "command": "your command",
    }
)
_GAME: Final = Item(
    "game",
    lazy("Game"),
    lambda menu: menu.game.name or LOOKING,
    sets="game",
    option="--game",
    offers=lambda menu: [one.called for one in menu.games],
)
_CARDS: Final = Item(
    "cards",
    lazy("Cards"),
    lambda menu: PurePath(menu.chosen.cards).name or str(_BUILT_IN),
    asks=CARDS,
    sets="cards",
    option="--cards",
    some=True,
)
_VARIANTS: Final = (
    Item(
        "side", lazy("Your side"), lazy({"": "by lot", "chthonians": "Chthonians", "olympians": "Olympians"}),
        sets="seat", option="--seat", some=True,
    ),
    Item(
        "setup", lazy("Setup"), lazy({False: "your own", True: "at random"}),
        sets="random_setup", option="--random-setup", some=True,
    ),
    Item(
        "combat", lazy("Combat"), lazy({False: "both choose in secret", True: "open: the defender sees the choice"}),
        sets="open_combat", option="--open-combat", some=True,
    ),
    # The command line takes any, and any clock.
    Item(
        "challenge", lazy("Challenge: Honor added for the Chthonians"),
        {number: signed(number) for number in (*range(10), *range(-9, 0))},
        sets="challenge", option="--challenge", some=True,
    ),
)  # fmt: skip
_START: Final = Item("start", lazy("Start"))
ITEMS: Final[Mapping[Page, tuple[Item, ...]]] = {
    Page.MAIN: (
        Item("play", lazy("Play now against the computer"), _play),
        Item("own", lazy("Play on your own terms"), lazy("game, level, side, variants"), opens=Page.PLAY),
        Item("host", lazy("Host a match for a friend"), lazy("prints an invite to send"), opens=Page.HOST),
        Item("join", lazy("Join a match"), lazy("asks for the invite"), opens=Page.JOIN),
        Item("continue", lazy("Continue a match"), _continue, opens=Page.MATCHES),
        Item("learn", lazy("Learn the rules"), lazy("lessons, a first match"), opens=Page.LEARN),
        Item("history", lazy("All matches"), _history, opens=Page.HISTORY, apart=True),
        Item("people", lazy("People"), lambda menu: _counted(menu.people, players), opens=Page.PEOPLE),
        Item("events", lazy("Tournaments"), _events, opens=Page.EVENTS),
        Item("tools", lazy("Tools"), lazy("replay, check, reach, key"), opens=Page.TOOLS, apart=True),
        Item("settings", lazy("Settings"), lazy("name, language, notices"), opens=Page.SETTINGS),
        Item("quit", lazy("Quit")),
    ),
    Page.PLAY: (
        _GAME,
        Item(
            "level", lazy("Computer player"), lambda menu: menu.level,
            opens=Page.LEVELS, sets="bot", option="--bot",
            offers=lambda menu: [row.words[0] for row in menu.game.levels],
        ),
        _CARDS,
        *_VARIANTS,
        _START,
    ),
    Page.HOST: (
        _GAME,
        _CARDS,
        *_VARIANTS,
        Item(
            "clock", lazy("Clock"), lazy({
                "": "none", "10m+5s": "10 minutes each, 5 seconds a move",
                "20m+10s": "20 minutes each, 10 seconds a move", "1h": "1 hour each", "3d": "3 days a move",
            }),
            sets="clock", option="--clock",
        ),
        Item(
            "aids", lazy("Hints from the computer"), lazy({False: "not allowed", True: "allowed for both"}),
            sets="aids", option="--aids", some=True,
        ),
        Item(
            "near", lazy("How your friend finds you"),
            lazy({False: "with an invite", True: "with four words, on this network"}),
            sets="lan", option="--lan",
        ),
        _START,
    ),
    Page.JOIN: (
        Item("invite", lazy("With an invite"), lazy("asks for the line"), runs=("join",)),
        Item("nearby", lazy("On this network"), lazy("asks for four words"), runs=("join", "--lan")),
    ),
    Page.LEARN: (
        Item("boards", lazy("Short lessons to play"), lambda menu: menu.game.name, runs=("learn",)),
        Item(
            "guided", lazy("A first match with a guide"), lazy("against a beginner"),
            runs=("play", "--guided"), some=True,
        ),
        _GAME,
    ),
    Page.TOOLS: (
        Item("replay", lazy("Replay a log"), lazy("step by step"), opens=Page.LOGS),
        Item("analyse", lazy("Analyse a log"), lazy("which moves cost most?"), opens=Page.ANALYSE),
        Item("check", lazy("Check a log"), lazy("was every move legal?"), opens=Page.CHECK),
        Item("export", lazy("Write the log of an unfinished match"), _unfinished, opens=Page.EXPORT),
        Item("doctor", lazy("Can others reach me?"), lazy("tries every way"), runs=("doctor",)),
        Item("witness", lazy("Be a witness for others"), lazy("until you stop it"), runs=("witness",)),
        Item("key", lazy("Your key"), lazy("show, copy, lock"), opens=Page.KEY),
        Item(
            "command", lazy("Type a command"), lazy("anything else"),
            asks=Asked(
                lazy("Which command?"),
                lazy("--help lists all commands, and play --help the options of one."),
                whole=True,
            ),
        ),
        Item("page", lazy("The newest match as a web page"), lazy("it checks itself"), runs=("page", "last")),
    ),
    Page.KEY: (
        Item("show", lazy("Show it"), lazy("others know you by it"), runs=("key", "show")),
        Item(
            "copy", lazy("Copy it to a file"), lazy("for another machine"),
            runs=("key", "export"), asks=Asked(lazy("To which file?")),
        ),
        Item(
            "take", lazy("Take one from a file"), lazy("yours here is kept"),
            runs=("key", "import"), asks=Asked(lazy("From which file?")),
        ),
        Item("lock", lazy("Lock it with a passphrase"), lazy("an empty one unlocks it"), runs=("key", "passphrase")),
    ),
    Page.SETTINGS: (
        Item("name", lazy("Your name"), lambda menu: menu.chosen.name, opens=Page.NAME),
        Item(
            "signs", lazy("Fine lines and tints"), lazy({"": "automatic", "unicode": "on", "ascii": "off"}),
            sets="signs",
        ),
        Item(
            "theme", lazy("Colours of the board"),
            lazy({"": "automatic", "dark": "dark", "light": "light", "contrast": "high contrast", "lines": "lines only"}),
            sets="theme",
        ),
        Item("mouse", lazy("Mouse"), lazy({True: "on", False: "off"}), sets="mouse"),
        Item(
            "notice", lazy("Call me when it is my turn"), _NOTICES,
            sets="notice", offers=lambda menu: [one for one in _NOTICES if one != "command" or menu.chosen.command],
        ),
        # The settings file takes any.
        Item(
            "thinking", lazy("Thinking time for a hint"), lambda menu: seconds(menu.chosen.hint_seconds),
            sets="hint_seconds", offers=(1, 2, 5, 10, 30),
        ),
        Item(
            "language", lazy("Language / Sprache"), lambda menu: language.NAMES[language.current()],
            sets="language", offers=language.LANGUAGES,
        ),
    ),
    Page.PERSON: (
        Item("met", lazy("Matches against this player"), opens=Page.HISTORY),
        Item("trust", lazy("Trust the key that was refused"), runs=("people", "trust", "--", PICKED)),
        Item("forget", lazy("Forget this player"), runs=("people", "forget", "--", PICKED), twice=True),
    ),
    Page.EVENT: (
        Item("todo", lazy("What to do now"), runs=("event", "status", PICKED)),
        Item("hostgame", lazy("Host my next game"), runs=("host", "--event", PICKED)),
        Item("joingame", lazy("Join my next game"), runs=("join", "--event", PICKED)),
        Item("table", lazy("The standings"), runs=("standings", PICKED)),
        Item("ready", lazy("I am ready for my game"), runs=("event", "ready", PICKED)),
        Item("claim", lazy("My opponent did not show up"), runs=("event", "claim", PICKED)),
        Item(
            "answer", lazy("Answer a claim"),
            runs=("event", "answer", PICKED),
            asks=Asked(
                lazy("What happened?"),
                lazy("Your opponent says you did not show up. Answer in up to 500 characters."),
            ),
        ),
        Item("logs", lazy("Put my logs into the folder"), runs=("event", "export", PICKED)),
        Item("enter", lazy("Take part"), runs=("event", "enter", PICKED)),
        Item("close", lazy("Organiser: close the entries"), runs=("event", "close", PICKED), apart=True),
        Item("round", lazy("Organiser: start, or publish the next round"), runs=("event", "round", PICKED)),
        Item(
            "rule", lazy("Arbiter: rule on a game or a player"),
            runs=("event", "rule", PICKED),
            asks=Asked(
                lazy("Which ruling?"),
                lazy(
                    "Type your ruling and the game or player, such as: forfeit 2.1.1 Bob. event rule --help lists more."
                ),
                whole=True,
            ),
        ),
    ),
}  # fmt: skip
"""The items of the pages, as far as a game has them; a page that has none here is a list or a line."""
