"""What may be typed, in English and German, and which word is named to whoever reads German.

Canonical words are those of the notation (docs/rules.md, "Notation"), which logs and programs use.  All words of both
languages are understood whatever language is spoken; an umlaut may be written with two letters, and an eszett as a
double s.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum, Flag, auto
from typing import Final

from cli import language
from storm_p2p.storm.state import Phase
from storm_p2p.storm.units import CARDS


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
    phases: tuple[Phase, ...] = ()
    """When an action answers what is asked."""
    takes: Takes = Takes.NOTHING
    tab: Tab = Tab.NOWHERE
    whole: bool = False
    """It costs Honor, ends the match or begins like a unit: it is never completed from its beginning."""


_TURN: Final = (Phase.TURN,)
_REGION, _UNIT = Takes.REGION, Takes.UNIT

_ROWS: Final = (
    Command("move", Kind.ACTION, ("zug", "z", "ziehe", "ziehen"), ("m",), _TURN, _REGION | _UNIT),
    Command("sneak", Kind.ACTION, ("schleichen", "schleiche"), phases=_TURN, takes=_REGION),
    Command("reveal", Kind.ACTION, ("aufdecken", "a"), phases=_TURN, takes=_UNIT),
    Command("bolt", Kind.ACTION, ("blitz",), phases=_TURN, takes=_REGION),
    Command("recall", Kind.ACTION, ("zurückholen", "zurückrufen", "rufe"), phases=_TURN, takes=_UNIT),
    Command("drain", Kind.ACTION, ("entziehen",), phases=_TURN, takes=_REGION),
    Command("liturgy", Kind.ACTION, ("liturgie",), phases=_TURN, whole=True),
    Command("pass", Kind.ACTION, ("passen", "passe"), phases=_TURN, whole=True),
    Command("aid", Kind.ACTION, ("hilf", "helfen"), phases=(Phase.AID,), takes=_UNIT),
    Command("fight", Kind.ACTION, ("kampf", "kämpfen"), phases=(Phase.FIGHT,), takes=Takes.MANEUVER),
    Command(
        "lose", Kind.ACTION, ("opfern", "opfere", "verlieren"), phases=(Phase.LOSE, Phase.SNEAK, Phase.BOLT),
        takes=_UNIT,
    ),
    Command("block", Kind.ACTION, ("abwehren", "verhindern"), phases=(Phase.SNEAK,)),
    Command(
        "retreat", Kind.ACTION, ("fliehen", "fliehe", "flucht", "rückzug", "nach"), ("to", "leave"),
        (Phase.RETREAT, Phase.STAY), _REGION,
    ),
    Command("stay", Kind.ACTION, ("bleiben", "bleibe"), phases=(Phase.STAY,)),
    Command("succeed", Kind.ACTION, ("nachfolge",), phases=(Phase.SUCCESSION,), takes=_UNIT),
    Command("place", Kind.ACTION, ("setze", "setzen", "stelle"), phases=(Phase.SETUP,), takes=_REGION | _UNIT),
    Command("random", Kind.SETUP, ("zufall",), phases=(Phase.SETUP,), tab=Tab.SETUP),
    Command("seal", Kind.SETUP, ("versiegeln",), phases=(Phase.SETUP,), tab=Tab.SETUP, whole=True),
    Command("mirror", Kind.SETUP, ("spiegeln",), phases=(Phase.SETUP,), tab=Tab.SETUP),
    Command("clear", Kind.SETUP, ("leeren",), phases=(Phase.SETUP,), tab=Tab.SETUP, whole=True),
    Command("save", Kind.KEPT, ("sichern", "speichern"), tab=Tab.SETUP),
    Command("load", Kind.KEPT, ("laden",), tab=Tab.SETUP),
    Command("units", Kind.VIEW, ("einheiten",), tab=Tab.MATCH | Tab.SETUP),
    Command("card", Kind.VIEW, ("karte",), tab=Tab.MATCH | Tab.SETUP),
    Command("help", Kind.VIEW, ("hilfe",), tab=Tab.MATCH | Tab.SETUP),
    Command("board", Kind.VIEW, ("brett",), tab=Tab.MATCH),
    Command("who", Kind.VIEW, ("wer",), tab=Tab.MATCH),
    Command("costs", Kind.VIEW, ("kosten", "preise"), ("cost",), tab=Tab.MATCH),
    Command("options", Kind.VIEW, ("optionen",), ("legal",), tab=Tab.MATCH),
    Command("eye", Kind.VIEW, ("auge",), tab=Tab.MATCH),
    Command("table", Kind.VIEW, ("tabelle", "ehre"), tab=Tab.MATCH),
    Command("log", Kind.VIEW, ("log", "protokoll"), tab=Tab.MATCH),
    Command("chat", Kind.VIEW, ("chat",), tab=Tab.MATCH, whole=True),
    Command("notes", Kind.VIEW, ("notizen",)),
    Command("replay", Kind.VIEW, ("rückblick", "nachspielen"), tab=Tab.MATCH),
    Command("last", Kind.VIEW, ("zuletzt",), ("l",), tab=Tab.MATCH),
    Command("clocks", Kind.VIEW, ("uhren", "uhr"), ("c", "clock")),
    Command("opponent", Kind.VIEW, ("gegner",), ("o",)),
    Command("where", Kind.VIEW, ("wo",), ("p",), tab=Tab.MATCH),
    Command("scan", Kind.VIEW, ("spalte",), ("s", "column")),
    Command("turn", Kind.VIEW, ("lage",), ("t",), tab=Tab.MATCH),
    Command("repeat", Kind.VIEW, ("nochmal", "wiederholen")),
    Command("undo", Kind.VIEW, ("zurücknehmen", "rückgängig")),
    Command("say", Kind.TALK, ("sag", "sage", "sagen"), tab=Tab.MATCH, whole=True),
    Command("note", Kind.TALK, ("notiz",), tab=Tab.MATCH),
    Command("lang", Kind.TALK, ("sprache",), ("language",)),
    Command("confirm", Kind.TALK, ("bestätigen",)),
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
        "bye", Kind.MATCH, ("ende", "tschüss", "tschüs", "tschau", "ciao", "ade", "servus", "verlassen"),
        ("quit", "exit", "goodbye", "farewell"), whole=True,
    ),
    Command("mouse", Kind.SCREEN, ("maus",)),
    Command("unicode", Kind.SCREEN, ("unicode",)),
    Command("hide", Kind.SCREEN, ("fenster", "verbergen"), ("window", "-")),
)  # fmt: skip
COMMANDS: Final[Mapping[str, Command]] = {command.name: command for command in _ROWS}
"""All commands by their canonical words: to add one, add its row here, its sentence to ``help_text`` and its effect to
the table of its kind (docs/console.md, "What is typed")."""

ARGUMENTS: Final[Mapping[str, tuple[str, ...]]] = {
    "none": ("keine", "niemand", "nein"), "claim": ("anspruch",), "immune": ("immun",), "all": ("alle",),
    "chthonians": ("chthonier",), "olympians": ("olympier",),
    "standard": ("std", "standard"), "retreat": ("flucht", "rückzug"), "chase": ("verf", "verfolgung", "verfolgen"),
    "attack": ("ang", "angriff"), "defense": ("vert", "verteidigung"),
    "always": ("immer",), "costs": ("kosten",), "en": ("englisch",), "de": ("deutsch",),
}  # fmt: skip
"""A word that stands behind a command: the German one that is named, and others."""

MORE_UNITS: Final[Mapping[str, tuple[str, ...]]] = {
    "cerberus": ("kerberos", "cerberos"), "cronus": ("chronos", "cronos", "kronus"), "hecate": ("hekata",),
    "erinyes": ("furien", "furies", "erinyen", "erinnyes"), "moirae": ("moiren", "fates", "parzen", "moira"),
    "harpies": ("harpien", "harpyen"), "hephaestus": ("hephaest", "hephaist", "hephaestos"), "apollo": ("apoll",),
    "dionysus": ("dionys",), "poseidon": ("posidon",), "charon": ("karon",),
}  # fmt: skip
"""Other spellings of units, none of which takes the beginning of another name away."""

_FOLDED: Final = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss"})
_OF_CONSOLE: Final = {
    word.translate(_FOLDED): command.name
    for command in _ROWS
    if command.kind in (Kind.KEPT, Kind.SCREEN)
    for word in (command.name, *command.english, *command.german)
}
_UNITS: Final = {card.name: card.german for card in CARDS}


def fold(text: str) -> str:
    """Return a typed text in lower case, umlauts and eszett with two letters, so that both spellings are one."""
    return text.lower().translate(_FOLDED)


def said(command: str) -> str:
    """Return a command in canonical words as it is named to the reader, who can type it so.

    Args:
        command: a word, or a whole command such as ``lose hades``.
    """
    if language.current() != language.GERMAN:
        return command
    first, *rest = command.split(" ")
    named = COMMANDS[first].german[0] if first in COMMANDS else _argument(first)
    return " ".join([named, *map(_argument, rest)])


def argument(word: str) -> str:
    """Return a canonical word that stands behind a command, as it is named to the reader."""
    return _argument(word) if language.current() == language.GERMAN else word


def console_word(word: str) -> str | None:
    """Return the canonical word of what only the full screen or the setup knows, or None for another word."""
    return _OF_CONSOLE.get(fold(word))


def _argument(word: str) -> str:
    return ARGUMENTS[word][0] if word in ARGUMENTS else _UNITS.get(word, word)
