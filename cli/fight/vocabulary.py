"""What may be typed in a match of Fight for Olympus, beside what is typed in every game."""

from collections.abc import Mapping
from typing import Final

from cli.vocabulary import Command, Kind, Tab, Vocabulary

_ROWS: Final = (
    Command("play", Kind.ACTION, ("spiele", "spielen")),
    Command("end", Kind.ACTION, ("fertig",), whole=True),
    Command("target", Kind.ACTION, ("ziel",)),
    Command("move", Kind.ACTION, ("versetze", "versetzen")),
    Command("swap", Kind.ACTION, ("tausche", "tauschen")),
    Command("free", Kind.ACTION, ("gratis", "frei")),
    Command("may", Kind.ACTION, ("nutze", "nutzen")),
    Command("marker", Kind.ACTION, ("marke",)),
    Command("units", Kind.VIEW, ("einheiten",), tab=Tab.MATCH),
    Command("card", Kind.VIEW, ("karte",), tab=Tab.MATCH),
    Command("hand", Kind.VIEW, ("hand",), tab=Tab.MATCH),
    Command("discards", Kind.VIEW, ("ablage",), ("discard",), tab=Tab.MATCH),
    Command("note", Kind.TALK, ("notiz",), tab=Tab.MATCH),
    Command("table", Kind.VIEW, ("regeln", "tabelle"), ("rules",), tab=Tab.MATCH),
)

ARGUMENTS: Final[Mapping[str, tuple[str, ...]]] = {
    "pay": ("zahle", "zahlen", "mit"),
    "marker": ("marke", "marken"),
    "save": ("spare", "sparen"),
    "own": ("eigen", "eigene"),
    "enemy": ("gegner", "feind"),
    "none": ("keine", "nichts"),
    "yes": ("ja", "y", "j"),
    "no": ("nein", "n"),
    "red": ("rot",),
    "blue": ("blau",),
    "green": ("grün",),
    "yellow": ("gelb",),
    "play": ("spielen",),
    "attack": ("angriff",),
    "draw": ("ziehen",),
}
"""A word that stands behind a command: the German one that is named, and others."""

VOCABULARY: Final = Vocabulary(_ROWS, ARGUMENTS, {})
"""All that may be typed."""
