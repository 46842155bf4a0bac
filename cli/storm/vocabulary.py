"""The words of Storm that may be typed, beside those of every game (:mod:`cli.vocabulary`).

Canonical words are those of the notation (docs/rules.md, "Notation").
"""

from collections.abc import Mapping
from typing import Final

from cli import language
from cli.vocabulary import DE, EN, Command, Kind, Tab, Takes, Vocabulary, Words
from storm_p2p.storm.state import Phase
from storm_p2p.storm.units import CARDS, Maneuver

_TURN: Final = (Phase.TURN,)
_REGION, _UNIT = Takes.REGION, Takes.UNIT

_ROWS: Final = (
    Command("move", Kind.ACTION, {EN: "m", DE: "zug z ziehe ziehen"}, _TURN, _REGION | _UNIT),
    Command("sneak", Kind.ACTION, {DE: "schleichen schleiche"}, phases=_TURN, takes=_REGION),
    Command("reveal", Kind.ACTION, {DE: "aufdecken a"}, phases=_TURN, takes=_UNIT),
    Command("bolt", Kind.ACTION, {EN: "thunderbolt", DE: "blitz"}, phases=_TURN, takes=_REGION),
    Command("recall", Kind.ACTION, {DE: "zurückholen zurückrufen rufe"}, phases=_TURN, takes=_UNIT),
    Command("drain", Kind.ACTION, {DE: "entziehen"}, phases=_TURN, takes=_REGION),
    Command("liturgy", Kind.ACTION, {DE: "liturgie"}, phases=_TURN, whole=True),
    Command("pass", Kind.ACTION, {DE: "passen passe"}, phases=_TURN, whole=True),
    Command("aid", Kind.ACTION, {DE: "hilf helfen"}, phases=(Phase.AID,), takes=_UNIT),
    Command("fight", Kind.ACTION, {DE: "kampf kämpfen"}, phases=(Phase.FIGHT,), takes=Takes.MANEUVER),
    Command(
        "lose", Kind.ACTION, {DE: "opfern opfere verlieren"}, phases=(Phase.LOSE, Phase.SNEAK, Phase.BOLT), takes=_UNIT
    ),
    Command("block", Kind.ACTION, {DE: "abwehren verhindern"}, phases=(Phase.SNEAK,)),
    Command(
        "retreat",
        Kind.ACTION,
        {EN: "to leave", DE: "fliehen fliehe flucht rückzug nach"},
        (Phase.RETREAT, Phase.STAY),
        _REGION,
    ),
    Command("stay", Kind.ACTION, {DE: "bleiben bleibe"}, phases=(Phase.STAY,)),
    Command("succeed", Kind.ACTION, {DE: "nachfolge"}, phases=(Phase.SUCCESSION,), takes=_UNIT),
    Command("place", Kind.ACTION, {DE: "setze setzen stelle"}, phases=(Phase.SETUP,), takes=_REGION | _UNIT),
    Command("random", Kind.SETUP, {DE: "zufall"}, phases=(Phase.SETUP,), tab=Tab.SETUP),
    Command("seal", Kind.SETUP, {DE: "versiegeln"}, phases=(Phase.SETUP,), tab=Tab.SETUP, whole=True),
    Command("mirror", Kind.SETUP, {DE: "spiegeln"}, phases=(Phase.SETUP,), tab=Tab.SETUP),
    Command("clear", Kind.SETUP, {DE: "leeren"}, phases=(Phase.SETUP,), tab=Tab.SETUP, whole=True),
    Command("save", Kind.KEPT, {DE: "sichern speichern"}, tab=Tab.SETUP),
    Command("load", Kind.KEPT, {DE: "laden"}, tab=Tab.SETUP),
    Command("units", Kind.VIEW, {DE: "einheiten"}, tab=Tab.MATCH | Tab.SETUP),
    Command("card", Kind.VIEW, {DE: "karte"}, tab=Tab.MATCH | Tab.SETUP),
    Command("who", Kind.VIEW, {DE: "wer"}, tab=Tab.MATCH),
    Command("costs", Kind.VIEW, {EN: "cost", DE: "kosten preise"}, tab=Tab.MATCH),
    Command("eye", Kind.VIEW, {DE: "auge"}, tab=Tab.MATCH),
    Command("table", Kind.VIEW, {DE: "tabelle ehre"}, tab=Tab.MATCH),
    Command("where", Kind.VIEW, {EN: "p", DE: "wo"}, tab=Tab.MATCH),
    Command("scan", Kind.VIEW, {EN: "s column", DE: "spalte"}),
    Command("note", Kind.TALK, {DE: "notiz"}, tab=Tab.MATCH),
    Command("hide", Kind.SCREEN, {EN: "window -", DE: "fenster verbergen"}),
)

ARGUMENTS: Final[Mapping[str, Words]] = {
    "none": {DE: "keine niemand nein"},
    "claim": {DE: "anspruch"},
    "immune": {DE: "immun"},
    "all": {DE: "alle"},
    "chthonians": {DE: "chthonier"},
    "olympians": {DE: "olympier"},
    "standard": {DE: "std standard"},
    "retreat": {DE: "flucht fliehen rückzug"},
    "chase": {DE: "verf verfolgung verfolgen"},
    "attack": {DE: "ang angriff angreifen"},
    "defense": {EN: "defence", DE: "vert verteidigung verteidigen"},
}
"""The words that stand behind a command."""

UNITS: Final[Mapping[str, Words]] = {
    "cerberus": {DE: "zerberus"},
    "cronus": {DE: "kronos"},
    "hecate": {DE: "hekate"},
    "erinyes": {DE: "erinnyen"},
    "moirae": {DE: "moirai"},
    "harpies": {DE: "harpyien"},
    "athena": {DE: "athene"},
    "dionysus": {DE: "dionysos"},
    "apollo": {DE: "apollon"},
    "hephaestus": {DE: "hephaistos"},
}
"""How units are called where it is not as in English."""

MORE_UNITS: Final[Mapping[str, tuple[str, ...]]] = {
    "cerberus": ("kerberos", "cerberos"),
    "cronus": ("chronos", "cronos", "kronus"),
    "hecate": ("hekata",),
    "erinyes": ("furien", "furies", "erinyen", "erinnyes"),
    "moirae": ("moiren", "fates", "parzen", "moira"),
    "harpies": ("harpien", "harpyen"),
    "hephaestus": ("hephaest", "hephaist", "hephaestos"),
    "apollo": ("apoll",),
    "dionysus": ("dionys",),
    "poseidon": ("posidon",),
    "charon": ("karon",),
}
"""Other spellings of units in any language, none of which takes the beginning of another name away."""

_SHORT: Final = {
    Maneuver.STANDARD: "std",
    Maneuver.RETREAT: "ret",
    Maneuver.CHASE: "chase",
    Maneuver.ATTACK: "att",
    Maneuver.DEFENSE: "def",
}
"""What is typed for a maneuver in English."""
VOCABULARY: Final = Vocabulary(
    _ROWS, ARGUMENTS, {card.name: {EN: card.code, **UNITS.get(card.name, {})} for card in CARDS}
)
"""All that may be typed: to add a command, add its row above, its sentence to ``help_text`` and its effect to the table
of its kind (docs/console.md, "What is typed")."""
COMMANDS: Final = VOCABULARY.commands
EXACT: Final = VOCABULARY.exact
say = VOCABULARY.say
say_argument = VOCABULARY.say_argument
find_verb = VOCABULARY.find_verb
kind_of = VOCABULARY.kind_of
find_argument = VOCABULARY.find_argument
console_word = VOCABULARY.console_word
names_of = VOCABULARY.names_of
words_for = VOCABULARY.words_for


def typed_as(maneuver: Maneuver) -> str:
    """Return what is typed for a maneuver."""
    if language.current() == language.ENGLISH:
        return _SHORT[maneuver]
    return say_argument(maneuver.name.lower())
