"""What may be typed in a match of Fight for Olympus, beside what is typed in every game."""

from collections.abc import Mapping
from typing import Final

from cli.vocabulary import DE, EN, Command, Kind, Tab, Vocabulary, Words

_ROWS: Final = (
    Command("play", Kind.ACTION, {DE: "spiele spielen"}),
    Command("end", Kind.ACTION, {DE: "fertig"}, whole=True),
    Command("target", Kind.ACTION, {DE: "ziel"}),
    Command("move", Kind.ACTION, {DE: "versetze versetzen"}),
    Command("swap", Kind.ACTION, {DE: "tausche tauschen"}),
    Command("free", Kind.ACTION, {DE: "gratis frei"}),
    Command("may", Kind.ACTION, {DE: "nutze nutzen"}),
    Command("marker", Kind.ACTION, {DE: "marke"}),
    Command("units", Kind.VIEW, {DE: "einheiten"}, tab=Tab.MATCH),
    Command("card", Kind.VIEW, {DE: "karte"}, tab=Tab.MATCH),
    Command("hand", Kind.VIEW, {DE: "hand"}, tab=Tab.MATCH),
    Command("discards", Kind.VIEW, {EN: "discard", DE: "ablage"}, tab=Tab.MATCH),
    Command("note", Kind.TALK, {DE: "notiz"}, tab=Tab.MATCH),
    Command("table", Kind.VIEW, {EN: "rules", DE: "regeln tabelle"}, tab=Tab.MATCH),
)

ARGUMENTS: Final[Mapping[str, Words]] = {
    "pay": {DE: "zahle zahlen mit"},
    "marker": {DE: "marke marken"},
    "save": {DE: "spare sparen"},
    "own": {DE: "eigen eigene"},
    "enemy": {DE: "gegner feind"},
    "none": {DE: "keine nichts"},
    "yes": {EN: "y", DE: "ja j"},
    "no": {EN: "n", DE: "nein"},
    "red": {DE: "rot"},
    "blue": {DE: "blau"},
    "green": {DE: "grün"},
    "yellow": {DE: "gelb"},
    "play": {DE: "spielen"},
    "attack": {DE: "angriff"},
    "draw": {DE: "ziehen"},
}
"""The words that stand behind a command."""

VOCABULARY: Final = Vocabulary(_ROWS, ARGUMENTS, {})
"""All that may be typed."""
