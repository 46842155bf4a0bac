"""What may be typed, in each language, and which word is named to whoever reads it.

Canonical words are those that logs and programs use.  The words of all languages are understood whatever language is
spoken; an umlaut may be written with two letters, and an eszett as a double s.  The words that every game has stand
here; a game adds its own to them (:class:`Vocabulary`).
"""

import difflib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import Enum, Flag, auto
from typing import Final

from cli import language

EN, DE = language.ENGLISH, language.GERMAN
Words = Mapping[str, str]
"""What else may be typed for a canonical word, by language, with blanks between.  The first one is named to whoever
reads the language; in English, or where there is none, the canonical word is."""


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
    words: Words
    """What else may be typed for it."""
    phases: tuple[int, ...] = ()
    """When an action answers what is asked; what the game calls it."""
    takes: Takes = Takes.NOTHING
    tab: Tab = Tab.NOWHERE
    whole: bool = False
    """It costs Honor, ends the match or begins like a unit: it is never completed from its beginning."""


COMMON: Final = (
    Command("help", Kind.VIEW, {DE: "hilfe"}, tab=Tab.MATCH | Tab.SETUP),
    Command("board", Kind.VIEW, {DE: "brett"}, tab=Tab.MATCH),
    Command("options", Kind.VIEW, {EN: "legal", DE: "optionen"}, tab=Tab.MATCH),
    Command("log", Kind.VIEW, {DE: "log protokoll"}, tab=Tab.MATCH),
    Command("chat", Kind.VIEW, {DE: "chat"}, tab=Tab.MATCH, whole=True),
    Command("notes", Kind.VIEW, {DE: "notizen"}),
    Command("replay", Kind.VIEW, {DE: "rückblick nachspielen"}, tab=Tab.MATCH),
    Command("last", Kind.VIEW, {EN: "l", DE: "zuletzt"}, tab=Tab.MATCH),
    Command("clocks", Kind.VIEW, {EN: "c clock", DE: "uhren uhr"}),
    Command("opponent", Kind.VIEW, {EN: "o", DE: "gegner"}),
    Command("turn", Kind.VIEW, {EN: "t", DE: "lage"}, tab=Tab.MATCH),
    Command("repeat", Kind.VIEW, {DE: "nochmal wiederholen"}),
    Command("undo", Kind.VIEW, {DE: "zurücknehmen rückgängig"}),
    Command("say", Kind.TALK, {DE: "sag sage sagen"}, tab=Tab.MATCH, whole=True),
    Command("lang", Kind.TALK, {EN: "language", DE: "sprache"}),
    Command("confirm", Kind.TALK, {DE: "bestätigen"}),
    Command("hint", Kind.MATCH, {EN: "advice", DE: "tipp"}, tab=Tab.MATCH),
    Command("guide", Kind.MATCH, {DE: "begleitung"}, whole=True),
    Command("same", Kind.MATCH, {DE: "gleich"}, whole=True),
    Command(
        "differ", Kind.MATCH, {EN: "differs different stop wrong", DE: "verschieden anders stopp falsch"}, whole=True
    ),
    Command("mute", Kind.MATCH, {DE: "stumm"}),
    Command("plain", Kind.MATCH, {EN: "text", DE: "zeilen text"}, tab=Tab.MATCH),
    Command("full", Kind.MATCH, {DE: "voll vollbild"}),
    Command("draw", Kind.MATCH, {DE: "remis"}, tab=Tab.MATCH, whole=True),
    Command("accept", Kind.MATCH, {DE: "annehmen"}, whole=True),
    Command("decline", Kind.MATCH, {DE: "ablehnen"}),
    Command("resign", Kind.MATCH, {DE: "aufgeben"}, tab=Tab.MATCH, whole=True),
    Command("pause", Kind.MATCH, {DE: "pause"}),
    Command("adjourn", Kind.MATCH, {DE: "vertagen"}),
    Command("continue", Kind.MATCH, {EN: "resume", DE: "weiter fortsetzen"}),
    Command("claim", Kind.MATCH, {DE: "beanspruchen"}, whole=True),
    Command("concede", Kind.MATCH, {DE: "zugeben"}, whole=True),
    Command("deny", Kind.MATCH, {DE: "bestreiten"}),
    Command(
        "bye",
        Kind.MATCH,
        {EN: "quit exit goodbye farewell", DE: "ende tschüss tschüs tschau ciao ade servus verlassen"},
        whole=True,
    ),
    Command("rematch", Kind.MATCH, {DE: "revanche"}, whole=True),
    Command("next", Kind.MATCH, {DE: "nächste"}, whole=True),
    Command("again", Kind.MATCH, {DE: "neu erneut"}, whole=True),
    Command("analyse", Kind.MATCH, {EN: "analyze analysis eval engine stockfish", DE: "analyse"}, whole=True),
    Command("menu", Kind.MATCH, {DE: "menü"}, whole=True),
    Command("mouse", Kind.SCREEN, {DE: "maus"}),
    Command("unicode", Kind.SCREEN, {DE: "unicode"}),
    Command("motion", Kind.SCREEN, {DE: "bewegung"}),
    Command("theme", Kind.SCREEN, {EN: "themes colors colours color colour style", DE: "thema farben farbe design"}),
)
"""What may be typed in every game."""

COMMON_ARGUMENTS: Final[Mapping[str, Words]] = {
    "always": {DE: "immer"},
    "costs": {DE: "kosten"},
    "en": {EN: "english", DE: "englisch"},
    "de": {EN: "german", DE: "deutsch"},
    "on": {DE: "an"},
    "off": {DE: "aus"},
    "dark": {DE: "dunkel"},
    "light": {DE: "hell"},
    "contrast": {DE: "kontrast"},
    "lines": {DE: "linien"},
}
"""The words that stand behind a command of every game."""

YES: Final = frozenset({"y", "yes", "j", "ja"})
NO: Final = frozenset({"", "n", "no", "nein"})
NOT: Final = frozenset({"no", "not", "nein", "nicht"})
"""Words that say that the words to compare are not the same, where they answer nothing else."""
ALWAYS: Final[Mapping[str, bool]] = {"always": True, "costs": False}
"""What may be typed after ``confirm``: ask before everything, or before what costs or shows something."""
SWITCHES: Final[Mapping[str, bool]] = {"on": True, "off": False}
"""What may be typed after ``motion``."""
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
"""Foreign words for the commands of the command line, which are told and not taken; and the help of other programs."""

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


def words_in(spoken: str, canonical: str, words: Words) -> list[str]:
    """Return what may be typed for a canonical word in one language; the first is named to whoever reads it."""
    own = words.get(spoken, "").split()
    return [canonical, *own] if spoken == language.ENGLISH or not own else own


class Vocabulary:
    """The words of a game together with those of every game.

    Attributes:
        commands: by their canonical words.
        exact: every whole word that is understood everywhere, in any language, with its canonical word.
    """

    def __init__(self, rows: Iterable[Command], arguments: Mapping[str, Words], pieces: Mapping[str, Words]) -> None:
        """Put the words of a game beside those of every game: its commands, what stands behind them, and its pieces."""
        self.commands = {row.name: row for row in (*rows, *COMMON)}
        self._named = {**arguments, **COMMON_ARGUMENTS, **pieces}
        self._pieces = {word: name for name in pieces for word in self.words_for(name)}
        everywhere = [row for row in self.commands.values() if row.kind not in _PLACES]
        self._of_language = {
            spoken: {fold(word): row.name for row in everywhere for word in words_in(spoken, row.name, row.words)}
            for spoken in language.LANGUAGES
        }
        self.exact = {word: verb for known in self._of_language.values() for word, verb in known.items()}
        self._arguments = {word: name for name in (*arguments, *COMMON_ARGUMENTS) for word in self.words_for(name)}
        self._of_place = {
            fold(word): row.name
            for row in self.commands.values()
            if row.kind in _PLACES
            for spoken in language.LANGUAGES
            for word in words_in(spoken, row.name, row.words)
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
        first, *rest = command.split(" ")
        row = self.commands.get(first)
        named = self.say_argument(first) if row is None else words_in(language.current(), first, row.words)[0]
        return " ".join([named, *map(self.say_argument, rest)])

    def say_argument(self, word: str) -> str:
        """Return a canonical word that stands behind a command, as it is named to the reader."""
        return words_in(language.current(), word, self._named.get(word, {}))[0]

    def names_of(self, word: str) -> list[str]:
        """Return how a canonical word that stands behind a command, or a piece, is named in each language."""
        named = self._named[word]
        return list(dict.fromkeys(words_in(spoken, word, named)[0] for spoken in language.LANGUAGES))

    def words_for(self, word: str) -> frozenset[str]:
        """Return all that may be typed, folded, for a canonical word behind a command, or for a piece."""
        named = self._named[word]
        return frozenset(fold(one) for spoken in language.LANGUAGES for one in words_in(spoken, word, named))

    def find_argument(self, word: str) -> str:
        """Return the canonical word of one that stands behind a command, or the word itself."""
        return self._arguments.get(word, word)

    def console_word(self, word: str) -> str | None:
        """Return the canonical word of what only the full screen or the setup knows, or None for another word."""
        return self._of_place.get(fold(word))
