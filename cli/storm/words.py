"""The words a player may type: commands in English and German, with their canonical word.

The names of units come from the table of the engine.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping
from typing import Final

from cli import language, vocabulary
from cli.text import typed
from cli.text.names import quoted as quoted
from cli.text.names import unit_name
from cli.vocabulary import COMMANDS, MORE_UNITS, Kind, said
from cli.vocabulary import fold as fold
from storm_p2p.storm.board import Faction
from storm_p2p.storm.units import CARDS, NAME, ROSTER, Maneuver, Unit

_EVERYWHERE: Final = [one for one in COMMANDS.values() if one.kind not in (Kind.KEPT, Kind.SCREEN)]
_OF_LANGUAGE: Final = {
    language.ENGLISH: {fold(word): one.name for one in _EVERYWHERE for word in (one.name, *one.english)},
    language.GERMAN: {fold(word): one.name for one in _EVERYWHERE for word in one.german},
}
EXACT: Final = _OF_LANGUAGE[language.ENGLISH] | _OF_LANGUAGE[language.GERMAN]
"""Every whole word that is understood everywhere, in both languages: its canonical word."""
ARGUMENTS: Final = {
    fold(word): canonical for canonical, others in vocabulary.ARGUMENTS.items() for word in others if word != "std"
}
"""German words that stand behind a command, with their canonical ones."""

MANEUVERS: Final[Mapping[str, Maneuver]] = {
    fold(word): maneuver
    for maneuver, words in {
        Maneuver.STANDARD: ("1", "standard", "std"),
        Maneuver.RETREAT: ("2", "retreat", "ret", "flucht", "fliehen", "rückzug"),
        Maneuver.CHASE: ("3", "chase", "cha", "verfolgung", "verfolgen", "verf"),
        Maneuver.ATTACK: ("4", "attack", "att", "angriff", "angreifen", "ang"),
        Maneuver.DEFENSE: ("5", "defense", "defence", "def", "verteidigung", "verteidigen", "vert"),
    }.items()
    for word in words
}
"""What may be typed for a maneuver; the numbers are those of the table in the combat dialog."""

YES: Final = frozenset({"y", "yes", "j", "ja"})
NO: Final = frozenset({"", "n", "no", "nein"})
ALWAYS: Final[Mapping[str, bool]] = {"always": True, "costs": False}
"""What may be typed after ``confirm``: ask before everything, or before what costs or shows something."""
LANGUAGES: Final[Mapping[str, str]] = {
    "en": language.ENGLISH, "english": language.ENGLISH, "de": language.GERMAN, "german": language.GERMAN,
}  # fmt: skip
ALL: Final = frozenset({"all", "alle"})
CLAIM: Final = frozenset({"claim", "drain", "anspruch"})

_UNITS: Final = {word: card.unit for card in CARDS for word in (card.name, card.german, card.code)}
_MORE_UNITS: Final = {word: _UNITS[name] for name, others in MORE_UNITS.items() for word in others}


class UnitUnclear(ValueError):
    """A word that names no unit, or several; the sentence says so."""


def find_unit(word: str, faction: Faction | None = None) -> Unit:
    """Return the unit of a name in English or German, a code or a unique beginning.

    Args:
        word: as it was typed.
        faction: whose units a beginning is compared with; None compares with all 24.

    Raises:
        UnitUnclear: none or several.
    """
    word = fold(word)
    known = _UNITS if word in _UNITS else _MORE_UNITS
    if word in known:
        return known[word]
    near = [unit for unit in starting_with(word) if faction is None or unit in ROSTER[faction]]
    if len(near) == 1:
        return near[0]
    if near:
        raise UnitUnclear(typed.which_unit(word, [unit_name(unit) for unit in near]))
    close = nearest(word, _UNITS)
    raise UnitUnclear(typed.no_unit(word, unit_name(_UNITS[close]) if close else None))


def starting_with(word: str) -> list[Unit]:
    """Return the units one of whose names begins with a word; other spellings count where no name does."""
    word = fold(word)
    if not word:
        return []
    found = {unit for name, unit in _UNITS.items() if name.startswith(word)}
    return sorted(found or {unit for name, unit in _MORE_UNITS.items() if name.startswith(word)})


def is_unit(word: str, faction: Faction | None = None) -> bool:
    """Return whether a word names one unit."""
    try:
        find_unit(word, faction)
    except UnitUnclear:
        return False
    return True


def find_verb(word: str) -> str | None:
    """Return the canonical command of a word or of a unique beginning of two letters or more."""
    word = fold(word)
    if word in EXACT:
        return EXACT[word]
    if len(word) < 2:
        return None
    near = {verb for known, verb in EXACT.items() if known.startswith(word)}
    if len(near) > 1:
        # Of two languages that of the reader is meant.
        spoken = _OF_LANGUAGE[language.current()]
        near = {verb for known, verb in EXACT.items() if known.startswith(word) and known in spoken}
    return near.pop() if len(near) == 1 and not any(COMMANDS[verb].whole for verb in near) else None


def kind_of(verb: str | None) -> Kind | None:
    """Return what a canonical command is about, or None for no command."""
    return None if verb is None else COMMANDS[verb].kind


def beginning_with(word: str) -> list[str]:
    """Return the commands that begin with a word of two letters or more, as the reader's language has them."""
    word, spoken = fold(word), _OF_LANGUAGE[language.current()]
    if len(word) < 2:
        return []
    found = {EXACT[known]: known for known in sorted(spoken, reverse=True) if known.startswith(word)}
    named = {verb: said(verb) if fold(said(verb)).startswith(word) else known for verb, known in found.items()}
    return sorted(named.values())


def nearest(word: str, among: Iterable[str]) -> str | None:
    """Return the word most like an unknown one, or None when nothing is."""
    found = difflib.get_close_matches(word, sorted(word for word in among if len(word) > 1), 1, 0.6)
    return found[0] if found else None


def nearest_word(word: str) -> str | None:
    """Return the command or unit most like an unknown word, as the reader's language has it."""
    found = nearest(fold(word), {*EXACT, *_UNITS})
    if found is None:
        return None
    if found in EXACT:
        return found if found in _OF_LANGUAGE[language.current()] else said(EXACT[found])
    return said(NAME[_UNITS[found]])
