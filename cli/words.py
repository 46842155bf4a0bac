"""The words a player may type: commands in English and German, with their canonical word.

The names of units come from the table of the engine.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping
from typing import Final

from cli.text import typed
from cli.text.names import quoted as quoted
from storm_p2p.board import Faction
from storm_p2p.units import CARDS, ROSTER, Maneuver, Unit

VERBS: Final[Mapping[str, tuple[str, ...]]] = {
    # Actions.
    "move": ("m", "zug", "z", "ziehe", "ziehen"),
    "sneak": ("schleichen",),
    "reveal": ("aufdecken", "a"),
    "bolt": ("blitz",),
    "recall": ("zurueckrufen", "rufe"),
    "drain": (),
    "liturgy": ("liturgie",),
    "pass": ("passen",),
    "aid": ("hilf",),
    "fight": ("kampf",),
    "lose": ("opfern", "verlieren"),
    "block": (),
    "retreat": ("to", "leave", "nach"),
    "stay": ("bleiben",),
    "succeed": (),
    # Views.
    "help": ("hilfe",),
    "board": ("brett",),
    "who": ("wer",),
    "costs": ("cost", "kosten", "preise"),
    "options": ("legal", "optionen"),
    "eye": ("auge",),
    "units": ("einheiten",),
    "card": ("karte",),
    "table": ("tabelle", "ehre"),
    "log": ("protokoll",),
    "chat": (),
    "note": ("notiz",),
    "notes": ("notizen",),
    "last": ("l", "zuletzt"),
    "clocks": ("c", "clock", "uhr"),
    "opponent": ("o", "gegner"),
    "where": ("p", "wo"),
    "scan": ("s", "column", "spalte"),
    "turn": ("t",),
    "repeat": (),
    "undo": (),
    # Talk and the match itself.
    "say": ("sag",),
    "mute": ("stumm",),
    "plain": ("text", "zeilen"),
    "full": ("voll", "vollbild"),
    "draw": ("remis",),
    "accept": ("annehmen",),
    "decline": ("ablehnen",),
    "resign": ("aufgeben",),
    "pause": (),
    "adjourn": ("vertagen",),
    "continue": ("weiter",),
    "claim": ("beanspruchen",),
    "concede": ("zugeben",),
    "deny": ("bestreiten",),
    "bye": ("quit", "exit", "ende", "tschuess"),
    # The setup.
    "random": ("zufall",),
    "mirror": ("spiegeln",),
    "clear": ("leeren",),
    "seal": ("versiegeln",),
    "place": (),
}
"""Canonical word: other words for the same."""

EXACT: Final = {word: verb for verb, others in VERBS.items() for word in (verb, *others)}

# A word that costs Honor or ends the match is never completed from its beginning (console.md 3.6); nor is one that
# begins like a unit.
WHOLE: Final = frozenset(
    {"liturgy", "resign", "draw", "accept", "seal", "clear", "bye", "pass", "say", "claim", "concede", "chat"}
)

MANEUVERS: Final[Mapping[str, Maneuver]] = {
    "standard": Maneuver.STANDARD, "std": Maneuver.STANDARD, "1": Maneuver.STANDARD,
    "retreat": Maneuver.RETREAT, "ret": Maneuver.RETREAT, "rueckzug": Maneuver.RETREAT,
    "rückzug": Maneuver.RETREAT, "flucht": Maneuver.RETREAT, "2": Maneuver.RETREAT,
    "chase": Maneuver.CHASE, "cha": Maneuver.CHASE, "verfolgen": Maneuver.CHASE, "verfolgung": Maneuver.CHASE,
    "3": Maneuver.CHASE,
    "attack": Maneuver.ATTACK, "att": Maneuver.ATTACK, "angriff": Maneuver.ATTACK, "4": Maneuver.ATTACK,
    "defense": Maneuver.DEFENSE, "defence": Maneuver.DEFENSE, "def": Maneuver.DEFENSE,
    "verteidigung": Maneuver.DEFENSE, "5": Maneuver.DEFENSE,
}  # fmt: skip
"""What may be typed for a maneuver; the numbers are those of the table in the combat dialog."""

YES: Final = frozenset({"y", "yes", "j", "ja"})
NO: Final = frozenset({"", "n", "no", "nein"})
ALL: Final = frozenset({"all", "alle"})
CLAIM: Final = frozenset({"claim", "drain", "anspruch"})

_UNITS: Final = {word: card.unit for card in CARDS for word in (card.name, card.german, card.code)}


class UnitUnclear(ValueError):
    """A word that names no unit, or several; the sentence says so."""


def find_unit(word: str, faction: Faction | None = None) -> Unit:
    """Return the unit of a name in English or German, a code or a unique beginning.

    Args:
        word: in lower case.
        faction: whose units a beginning is compared with; None compares with all 24.

    Raises:
        UnitUnclear: none or several.
    """
    if word in _UNITS:
        return _UNITS[word]
    near = [unit for unit in starting_with(word) if faction is None or unit in ROSTER[faction]]
    if len(near) == 1:
        return near[0]
    if near:
        raise UnitUnclear(typed.which_unit(word, [CARDS[unit].name.capitalize() for unit in near]))
    close = nearest(word, _UNITS)
    raise UnitUnclear(typed.no_unit(word, _UNITS[close].name.capitalize() if close else None))


def starting_with(word: str) -> list[Unit]:
    """Return the units one of whose names begins with a word."""
    return sorted({unit for name, unit in _UNITS.items() if name.startswith(word)}) if word else []


def is_unit(word: str, faction: Faction | None = None) -> bool:
    """Return whether a word names one unit."""
    try:
        find_unit(word, faction)
    except UnitUnclear:
        return False
    return True


def find_verb(word: str) -> str | None:
    """Return the canonical command of a word or of a unique beginning of two letters or more."""
    if word in EXACT:
        return EXACT[word]
    if len(word) < 2:
        return None
    near = {verb for known, verb in EXACT.items() if known.startswith(word)}
    if len(near) == 1 and not near & WHOLE:
        return near.pop()
    return None


def nearest(word: str, among: Iterable[str]) -> str | None:
    """Return the word most like an unknown one, or None when nothing is."""
    found = difflib.get_close_matches(word, sorted(word for word in among if len(word) > 1), 1, 0.6)
    return found[0] if found else None


def nearest_word(word: str) -> str | None:
    """Return the command or unit most like an unknown word."""
    return nearest(word, {*EXACT, *_UNITS})
