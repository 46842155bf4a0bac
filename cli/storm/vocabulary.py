"""The words of Storm that may be typed, beside those of every game (:mod:`cli.vocabulary`).

Canonical words are those of the notation (docs/rules.md, "Notation").
"""

from collections.abc import Mapping
from typing import Final

from cli.vocabulary import Command, Kind, Tab, Takes, Vocabulary
from storm_p2p.storm.state import Phase
from storm_p2p.storm.units import CARDS

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
        "lose",
        Kind.ACTION,
        ("opfern", "opfere", "verlieren"),
        phases=(Phase.LOSE, Phase.SNEAK, Phase.BOLT),
        takes=_UNIT,
    ),
    Command("block", Kind.ACTION, ("abwehren", "verhindern"), phases=(Phase.SNEAK,)),
    Command(
        "retreat",
        Kind.ACTION,
        ("fliehen", "fliehe", "flucht", "rückzug", "nach"),
        ("to", "leave"),
        (Phase.RETREAT, Phase.STAY),
        _REGION,
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
    Command("who", Kind.VIEW, ("wer",), tab=Tab.MATCH),
    Command("costs", Kind.VIEW, ("kosten", "preise"), ("cost",), tab=Tab.MATCH),
    Command("eye", Kind.VIEW, ("auge",), tab=Tab.MATCH),
    Command("table", Kind.VIEW, ("tabelle", "ehre"), tab=Tab.MATCH),
    Command("where", Kind.VIEW, ("wo",), ("p",), tab=Tab.MATCH),
    Command("scan", Kind.VIEW, ("spalte",), ("s", "column")),
    Command("note", Kind.TALK, ("notiz",), tab=Tab.MATCH),
    Command("hide", Kind.SCREEN, ("fenster", "verbergen"), ("window", "-")),
)

ARGUMENTS: Final[Mapping[str, tuple[str, ...]]] = {
    "none": ("keine", "niemand", "nein"),
    "claim": ("anspruch",),
    "immune": ("immun",),
    "all": ("alle",),
    "chthonians": ("chthonier",),
    "olympians": ("olympier",),
    "standard": ("std", "standard"),
    "retreat": ("flucht", "rückzug"),
    "chase": ("verf", "verfolgung", "verfolgen"),
    "attack": ("ang", "angriff"),
    "defense": ("vert", "verteidigung"),
}
"""A word that stands behind a command: the German one that is named, and others."""

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
"""Other spellings of units, none of which takes the beginning of another name away."""

VOCABULARY: Final = Vocabulary(_ROWS, ARGUMENTS, {card.name: (card.german, card.code) for card in CARDS})
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
