"""What may be typed, in English and German, and which word is named to whoever reads German.

Canonical words are those that logs and programs use.  All words of both languages are understood whatever language is
spoken; an umlaut may be written with two letters, and an eszett as a double s.  The words that every game has stand
here; a game adds its own to them (:class:`Vocabulary`).
"""

import difflib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import Enum, Flag, auto
from typing import Final

from cli import language


class Kind(Enum):
    """What a command is about."""

    ACTION = "an action of the game"
    VIEW = "something to look at"
    TALK = "talk, and what one keeps for oneself"
    MATCH = "the match itself"
    SETUP = "the setup"
    KEPT = "setups that are kept"
    SCREEN = "something that only the full screen has"


class Takes(Flag):
    """What stands behind the word of an action."""

    NOTHING = 0
    REGION = auto()
    UNIT = auto()
    MANEUVER = auto()


class Tab(Flag):
    """Where Tab offers a command that is no action."""

    NOWHERE = 0
    MATCH = auto()
    SETUP = auto()


@dataclass(frozen=True, slots=True)
class Command:
    """A word that may be typed at the prompt; what it does and its sentence of help are found by its name."""

    name: str
    """The canonical word."""
    kind: Kind
    german: tuple[str, ...]
    """The German word that is named, and others for the same."""
    english: tuple[str, ...] = ()
    """Other English words for the same."""
    phases: tuple[int, ...] = ()
    """When an action answers what is asked; what the game calls it."""
    takes: Takes = Takes.NOTHING
    tab: Tab = Tab.NOWHERE
    whole: bool = False
    """It costs Honor, ends the match or begins like a unit: it is never completed from its beginning."""


COMMON: Final = (
    Command("help", Kind.VIEW, ("hilfe",), tab=Tab.MATCH | Tab.SETUP),
    Command("board", Kind.VIEW, ("brett",), tab=Tab.MATCH),
    Command("options", Kind.VIEW, ("optionen",), ("legal",), tab=Tab.MATCH),
    Command("log", Kind.VIEW, ("log", "protokoll"), tab=Tab.MATCH),
    Command("chat", Kind.VIEW, ("chat",), tab=Tab.MATCH, whole=True),
    Command("notes", Kind.VIEW, ("notizen",)),
    Command("replay", Kind.VIEW, ("rückblick", "nachspielen"), tab=Tab.MATCH),
    Command("last", Kind.VIEW, ("zuletzt",), ("l",), tab=Tab.MATCH),
    Command("clocks", Kind.VIEW, ("uhren", "uhr"), ("c", "clock")),
    Command("opponent", Kind.VIEW, ("gegner",), ("o",)),
    Command("turn", Kind.VIEW, ("lage",), ("t",), tab=Tab.MATCH),
    Command("repeat", Kind.VIEW, ("nochmal", "wiederholen")),
    Command("undo", Kind.VIEW, ("zurücknehmen", "rückgängig")),
    Command("say", Kind.TALK, ("sag", "sage", "sagen"), tab=Tab.MATCH, whole=True),
    Command("lang", Kind.TALK, ("sprache",), ("language",)),
    Command("confirm", Kind.TALK, ("bestätigen",)),
    Command("hint", Kind.MATCH, ("tipp",), ("advice",), tab=Tab.MATCH),
    Command("guide", Kind.MATCH, ("begleitung",), whole=True),
    Command("same", Kind.MATCH, ("gleich",), whole=True),
    Command("mute", Kind.MATCH, ("stumm",)),
    Command("plain", Kind.MATCH, ("text", "zeilen"), ("text",), tab=Tab.MATCH),
    Command("full", Kind.MATCH, ("voll", "vollbild")),
    Command("draw", Kind.MATCH, ("remis",), tab=Tab.MATCH, whole=True),
    Command("accept", Kind.MATCH, ("annehmen",), whole=True),
    Command("decline", Kind.MATCH, ("ablehnen",)),
    Command("resign", Kind.MATCH, ("aufgeben",), tab=Tab.MATCH, whole=True),
    Command("pause", Kind.MATCH, ("pause",)),
    Command("adjourn", Kind.MATCH, ("vertagen",)),
    Command("continue", Kind.MATCH, ("weiter", "fortsetzen"), ("resume",)),
    Command("claim", Kind.MATCH, ("beanspruchen",), whole=True),
    Command("concede", Kind.MATCH, ("zugeben",), whole=True),
    Command("deny", Kind.MATCH, ("bestreiten",)),
    Command(
        "bye",
        Kind.MATCH,
        ("ende", "tschüss", "tschüs", "tschau", "ciao", "ade", "servus", "verlassen"),
        ("quit", "exit", "goodbye", "farewell"),
        whole=True,
    ),
    Command("rematch", Kind.MATCH, ("revanche",), whole=True),
    Command("again", Kind.MATCH, ("neu", "erneut"), whole=True),
    Command("analyse", Kind.MATCH, ("analyse",), ("analyze", "analysis", "eval", "engine", "stockfish"), whole=True),
    Command("menu", Kind.MATCH, ("menü",), whole=True),
    Command("mouse", Kind.SCREEN, ("maus",)),
    Command("unicode", Kind.SCREEN, ("unicode",)),
    Command("motion", Kind.SCREEN, ("bewegung",)),
)
"""What may be typed in every game."""

COMMON_ARGUMENTS: Final[Mapping[str, tuple[str, ...]]] = {
    "always": ("immer",),
    "costs": ("kosten",),
    "en": ("englisch",),
    "de": ("deutsch",),
    "on": ("an",),
    "off": ("aus",),
}
"""A word that stands behind a command of every game: the German one that is named, and others."""

YES: Final = frozenset({"y", "yes", "j", "ja"})
NO: Final = frozenset({"", "n", "no", "nein"})
ALWAYS: Final[Mapping[str, bool]] = {"always": True, "costs": False}
"""What may be typed after ``confirm``: ask before everything, or before what costs or shows something."""
SWITCHES: Final[Mapping[str, bool]] = {"on": True, "off": False}
"""What may be typed after ``motion``."""
LANGUAGES: Final[Mapping[str, str]] = {
    "en": language.ENGLISH,
    "english": language.ENGLISH,
    "de": language.GERMAN,
    "german": language.GERMAN,
}
COMMAND_LINE: Final[Mapping[str, str]] = {
    "spielen": "play",
    "einladen": "host",
    "beitreten": "join",
    "fortsetzen": "resume",
    "pruefen": "verify",
    "analysieren": "analyse",
    "lernen": "learn",
    "verlauf": "history",
    "schluessel": "key",
    "zeuge": "witness",
    "leute": "people",
    "turnier": "event",
    "tabelle": "standings",
    "archiv": "archive",
    "hilfe": "--help",
    "help": "--help",
}
"""German words for the commands of the command line, which are told and not taken; and the help of other programs."""

_FOLDED: Final = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss"})
_PLACES: Final = (Kind.KEPT, Kind.SCREEN)
"""What is understood only in the setup, or only on the full screen."""


def fold(text: str) -> str:
    """Return a typed text in lower case, umlauts and eszett with two letters, so that both spellings are one."""
    return text.lower().translate(_FOLDED)


def split(text: str) -> list[str]:
    """Return the words of a typed line, folded; ``>``, ``+`` and a comma may stand between them."""
    return fold(text).replace(">", " ").replace("+", " ").replace(",", " ").split()


def nearest(word: str, among: Iterable[str]) -> str | None:
    """Return the word most like an unknown one, or None when nothing is."""
    found = difflib.get_close_matches(word, sorted(word for word in among if len(word) > 1), 1, 0.6)
    return found[0] if found else None


class Vocabulary:
    """The words of a game together with those of every game.

    Attributes:
        commands: by their canonical words.
        exact: every whole word that is understood everywhere, in both languages, with its canonical word.
    """

    def __init__(
        self, rows: Iterable[Command], arguments: Mapping[str, tuple[str, ...]], pieces: Mapping[str, tuple[str, ...]]
    ) -> None:
        """Put the words of a game beside those of every game: its commands, what stands behind them, and what the
        pieces are called: the German name that is shown, and others.
        """
        self.commands = {row.name: row for row in (*rows, *COMMON)}
        self._named = {**arguments, **COMMON_ARGUMENTS, **pieces}
        self._pieces = {word: name for name, others in pieces.items() for word in (name, *others)}
        everywhere = [row for row in self.commands.values() if row.kind not in _PLACES]
        self._of_language = {
            language.ENGLISH: {fold(word): row.name for row in everywhere for word in (row.name, *row.english)},
            language.GERMAN: {fold(word): row.name for row in everywhere for word in row.german},
        }
        self.exact = self._of_language[language.ENGLISH] | self._of_language[language.GERMAN]
        self._arguments = {
            fold(word): canonical
            for canonical, others in (*arguments.items(), *COMMON_ARGUMENTS.items())
            for word in others
        }
        self._of_place = {
            fold(word): row.name
            for row in self.commands.values()
            if row.kind in _PLACES
            for word in (row.name, *row.english, *row.german)
        }

    def find_verb(self, word: str) -> str | None:
        """Return the canonical command of a word or of a unique beginning of two letters or more."""
        word = fold(word)
        if word in self.exact:
            return self.exact[word]
        if len(word) < 2:
            return None
        near = {verb for known, verb in self.exact.items() if known.startswith(word)}
        if len(near) > 1:
            # Of two languages that of the reader is meant.
            spoken = self._of_language[language.current()]
            near = {verb for known, verb in self.exact.items() if known.startswith(word) and known in spoken}
        return near.pop() if len(near) == 1 and not any(self.commands[verb].whole for verb in near) else None

    def kind_of(self, verb: str | None) -> Kind | None:
        """Return what a canonical command is about, or None for no command."""
        return None if verb is None else self.commands[verb].kind

    def beginning_with(self, word: str) -> list[str]:
        """Return the commands that begin with a word of two letters or more, as the reader's language has them."""
        word, spoken = fold(word), self._of_language[language.current()]
        if len(word) < 2:
            return []
        found = {self.exact[known]: known for known in sorted(spoken, reverse=True) if known.startswith(word)}
        named = {
            verb: self.say(verb) if fold(self.say(verb)).startswith(word) else known for verb, known in found.items()
        }
        return sorted(named.values())

    def nearest_word(self, word: str) -> str | None:
        """Return the command or the piece most like an unknown word, as the reader's language has it."""
        found = nearest(fold(word), {*self.exact, *self._pieces})
        if found is None:
            return None
        if found in self.exact:
            return found if found in self._of_language[language.current()] else self.say(self.exact[found])
        return self.say(self._pieces[found])

    def say(self, command: str) -> str:
        """Return a word or a whole command in canonical words as it is named to the reader, who can type it so."""
        if language.current() != language.GERMAN:
            return command
        first, *rest = command.split(" ")
        named = self.commands[first].german[0] if first in self.commands else self.say_argument(first)
        return " ".join([named, *map(self.say_argument, rest)])

    def say_argument(self, word: str) -> str:
        """Return a canonical word that stands behind a command, as it is named to the reader."""
        return self._named[word][0] if language.current() == language.GERMAN and word in self._named else word

    def find_argument(self, word: str) -> str:
        """Return the canonical word of one that stands behind a command, or the word itself."""
        return self._arguments.get(word, word)

    def console_word(self, word: str) -> str | None:
        """Return the canonical word of what only the full screen or the setup knows, or None for another word."""
        return self._of_place.get(fold(word))
