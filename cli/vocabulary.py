"""What may be typed, in English and German, and which word is named to whoever reads German.

Canonical words are those of the notation (docs/rules.md, "Notation"), which logs and programs use.  All words of both
languages are understood whatever language is spoken; an umlaut may be written with two letters, and an eszett as a
double s.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from cli import language
from storm_p2p.storm.units import CARDS

ENGLISH: Final[Mapping[str, tuple[str, ...]]] = {
    # Actions.
    "move": ("m",), "sneak": (), "reveal": (), "bolt": (), "recall": (), "drain": (), "liturgy": (), "pass": (),
    "aid": (), "fight": (), "lose": (), "block": (), "retreat": ("to", "leave"), "stay": (), "succeed": (),
    # Views.
    "help": (), "board": (), "who": (), "costs": ("cost",), "options": ("legal",), "eye": (), "units": (), "card": (),
    "table": (), "log": (), "chat": (), "note": (), "notes": (), "replay": (), "last": ("l",), "clocks": ("c", "clock"),
    "opponent": ("o",), "where": ("p",), "scan": ("s", "column"), "turn": ("t",), "repeat": (), "undo": (),
    # Talk and the match itself.
    "say": (), "mute": (), "lang": ("language",), "confirm": (),
    "plain": ("text",), "full": (), "draw": (), "accept": (), "decline": (), "resign": (),
    "pause": (), "adjourn": (), "continue": ("resume",), "claim": (), "concede": (), "deny": (),
    "bye": ("quit", "exit", "goodbye", "farewell"),
    # The setup.
    "random": (), "mirror": (), "clear": (), "seal": (), "place": (),
}  # fmt: skip
"""Canonical word: other English words for the same."""

GERMAN: Final[Mapping[str, tuple[str, ...]]] = {
    "move": ("zug", "z", "ziehe", "ziehen"), "sneak": ("schleichen", "schleiche"), "reveal": ("aufdecken", "a"),
    "bolt": ("blitz",), "recall": ("zurückholen", "zurückrufen", "rufe"), "drain": ("entziehen",),
    "liturgy": ("liturgie",), "pass": ("passen", "passe"), "aid": ("hilf", "helfen"), "fight": ("kampf", "kämpfen"),
    "lose": ("opfern", "opfere", "verlieren"), "block": ("abwehren", "verhindern"),
    "retreat": ("fliehen", "fliehe", "flucht", "rückzug", "nach"), "stay": ("bleiben", "bleibe"),
    "succeed": ("nachfolge",),
    "help": ("hilfe",), "board": ("brett",), "who": ("wer",), "costs": ("kosten", "preise"), "options": ("optionen",),
    "eye": ("auge",), "units": ("einheiten",), "card": ("karte",), "table": ("tabelle", "ehre"),
    "log": ("log", "protokoll"), "chat": ("chat",), "note": ("notiz",), "notes": ("notizen",), "last": ("zuletzt",),
    "replay": ("rückblick", "nachspielen"),
    "clocks": ("uhren", "uhr"), "opponent": ("gegner",), "where": ("wo",), "scan": ("spalte",), "turn": ("lage",),
    "repeat": ("nochmal", "wiederholen"), "undo": ("zurücknehmen", "rückgängig"),
    "say": ("sag", "sage", "sagen"), "mute": ("stumm",), "lang": ("sprache",), "confirm": ("bestätigen",),
    "plain": ("text", "zeilen"), "full": ("voll", "vollbild"),
    "draw": ("remis",), "accept": ("annehmen",), "decline": ("ablehnen",), "resign": ("aufgeben",), "pause": ("pause",),
    "adjourn": ("vertagen",),
    "continue": ("weiter", "fortsetzen"), "claim": ("beanspruchen",), "concede": ("zugeben",), "deny": ("bestreiten",),
    "bye": ("ende", "tschüss", "tschüs", "tschau", "ciao", "ade", "servus", "verlassen"),
    "random": ("zufall",), "mirror": ("spiegeln",), "clear": ("leeren",), "seal": ("versiegeln",),
    "place": ("setze", "setzen", "stelle"),
}  # fmt: skip
"""Canonical word: the German one that is named, and others for the same."""

CONSOLE: Final[Mapping[str, tuple[str, ...]]] = {
    "save": ("sichern", "speichern"), "load": ("laden",), "mouse": ("maus",),
    "unicode": ("unicode",), "hide": ("fenster", "verbergen"),
}  # fmt: skip
"""Words that only the full screen knows, as in :data:`GERMAN`."""
_MORE_CONSOLE: Final = {"window": "hide", "-": "hide"}

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
_OF_CONSOLE: Final = _MORE_CONSOLE | {
    word.translate(_FOLDED): name for name, others in CONSOLE.items() for word in (name, *others)
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
    others = GERMAN.get(first) or CONSOLE.get(first)
    return " ".join([others[0] if others else _argument(first), *map(_argument, rest)])


def argument(word: str) -> str:
    """Return a canonical word that stands behind a command, as it is named to the reader."""
    return _argument(word) if language.current() == language.GERMAN else word


def console_word(word: str) -> str | None:
    """Return the canonical one of the words that only the full screen knows, or None for another word."""
    return _OF_CONSOLE.get(fold(word))


def _argument(word: str) -> str:
    return ARGUMENTS[word][0] if word in ARGUMENTS else _UNITS.get(word, word)
