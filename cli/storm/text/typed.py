"""What is wrong with a typed line of Storm: one sentence for what was expected, and what to type instead."""

from collections.abc import Mapping, Sequence
from typing import Final

from cli.storm import vocabulary
from cli.storm.text import names
from cli.storm.text.sentences import Sentence
from cli.text import typed as generic
from cli.text.wording import Lazy, _, fill, lazy, listed, quoted
from storm_p2p.storm.board import NEIGHBOURS, REALM, Faction, Region
from storm_p2p.storm.state import Phase
from storm_p2p.storm.units import NAME, ROSTER, Unit

MOVE: Final = lazy("Expected a move such as: move {start} {end}, move {start} {end} {unit}, or {unit} {end}.")
UNITS_BY_NAME: Final = lazy("Expected your units by name, got a question mark.")
NOT_HERE: Final[Mapping[str, Lazy]] = lazy({
    "skip": "Every turn you must act: a move, a power or a liturgy. Only the Olympians may pass, when all of them are "
    "in Tartarus.",
    "done": "Type a move of several steps as a whole: move, the regions in order, then the unit.",
    "bid": "The challenge is agreed before the match: storm-p2p host --challenge N, or storm-p2p play --challenge N.",
    "fly": "To fly is to move: unit and region, as in: harpies 7. Reveal a unit before it flies: reveal harpies.",
    "fliegen": "To fly is to move: unit and region, as in: harpies 7. Reveal a unit before it flies: reveal harpies.",
})  # fmt: skip
"""Words of other programs, with what is done here instead."""
NO_BOARD: Final = lazy("There is nothing to see yet: both sides are still setting up. Type units, table or help.")
NO_COSTS: Final = lazy(
    "You can see costs when it is your turn; now you are waiting for the other side. Type table for the prices."
)
NO_OPTIONS: Final = lazy(
    "You can see options when it is your turn; now you are waiting for the other side. Type board or turn."
)
CANNOT_MOVE: Final = lazy("Expected units that can move; these cannot go anywhere. Type options for those that can.")

_NOW: Final[Mapping[Phase, Lazy]] = lazy({
    Phase.TURN: "Now it is your move: type help, or a move.",
    Phase.AID: "Now you are asked about help from next door: type aid none, or help.",
    Phase.FIGHT: "Now you choose a maneuver and Energy: type {choice}, or costs for the table.",
    Phase.LOSE: "Now you name the unit you lose: type lose UNIT, or options.",
    Phase.RETREAT: "Now you choose where to retreat: type retreat REGION, or options.",
    Phase.STAY: "Now you leave or stay: type retreat REGION or stay.",
    Phase.SNEAK: "Now you answer a sneak attack: type lose UNIT, or options.",
    Phase.BOLT: "Now you answer a thunderbolt: type lose UNIT, or options.",
})  # fmt: skip
_BELONGS: Final[Mapping[Phase, Lazy]] = lazy({
    Phase.TURN: "{word} belongs to your own turn.",
    Phase.FIGHT: "{word} is a choice in a combat.",
    Phase.LOSE: "{word} names a unit that is eliminated.",
    Phase.RETREAT: "{word} answers where to retreat.",
    Phase.STAY: "{word} answers whether to leave a combat.",
    Phase.AID: "{word} answers whether somebody helps from next door.",
    Phase.SNEAK: "{word} answers a sneak attack.",
    Phase.SETUP: "{word} belongs to the setup.",
    Phase.SUCCESSION: "{word} answers who leads next.",
})  # fmt: skip
_USAGE: Final[Mapping[str, Lazy]] = {
    "sneak": lazy("Where to? For example: sneak {end}."),
    "bolt": lazy("Expected a region, as in: bolt {end}."),
    "drain": lazy("Expected a region of the Underworld, as in: drain {home}."),
    "aid": lazy("Expected a unit or none, as in: aid none."),
    "lose": lazy("Expected the unit you lose, as in: lose {unit}."),
    "retreat": lazy("Where to? For example: retreat {end}."),
    "fight": lazy("Expected a maneuver and an amount of Energy, as in: {choice}."),
    "reveal": lazy("Expected one unit, as in: reveal {unit}."),
    "recall": lazy("Expected one unit, as in: recall {unit}."),
    "move": MOVE,
}

not_on_board = Sentence[Unit]("{unit}: not on the board. Type units to see who is.")
apart = Sentence[Sequence[Region]]("Expected units that stand together, got units in {regions}.")
not_together = Sentence[Sequence[Unit]]("Expected units of yours that stand together, got {units}.")
nobody_there = Sentence[Region]("Expected a region with units of yours, got {region}. Type board to see them.")


def elsewhere(word: str) -> str | None:
    """Return the answer to a word that means something in a neighbouring program; None for another word."""
    return str(NOT_HERE[word]) if word in NOT_HERE else generic.elsewhere(word)


def usage(verb: str, faction: Faction, choice: str = "") -> str | None:
    """Return how a command is written, with an example of the own side; None where it is one word.

    ``choice`` is what could be chosen in the combat, as it is typed.
    """
    template = _USAGE.get(verb)
    if template is None:
        return None
    start = REALM[faction][0]
    unit = vocabulary.say_argument(NAME[ROSTER[faction][0]])
    return fill(template, unit=unit, home=start, start=start, end=NEIGHBOURS[start][0], choice=choice)


def wrong_phase(word: str, belongs: Phase, phase: Phase, choice: str = "") -> str:
    """Return that a command does not answer what is asked, and what is; ``choice`` as for :func:`usage`."""
    said = fill(_BELONGS[belongs], word=quoted(word))
    now = fill(_NOW.get(phase, generic.NOTHING_ASKED), choice=choice)
    return fill("Not possible: {said} {now}", said=said, now=now)


def one_by_one(faction: Faction) -> str:
    """Return that each unit is revealed on its own, with an example of the own side."""
    line = vocabulary.say(f"reveal {NAME[ROSTER[faction][0]]}")
    return fill("Expected one unit, as in: {line}. Reveal each unit on a line of its own.", line=line)


def setup_expected(faction: Faction) -> str:
    """Return what can be typed in the setup, with examples of the own side."""
    unit, other = (vocabulary.say_argument(NAME[unit]) for unit in ROSTER[faction][:2])
    return fill(
        "Expected a setup command such as: {unit} {home}, {unit} {other} (swaps), random, mirror, clear or seal.",
        unit=unit, other=other, home=REALM[faction][0],
    )  # fmt: skip


def region(word: str) -> str:
    """Return that a word is no region."""
    if not word:
        return _("Expected a region from 1 to 24, as in: who 14.")
    return fill("Expected a region from 1 to 24, got {word}.", word=quoted(word))


def where_to(ways: Sequence[Region]) -> str:
    """Return that a way out has to be named."""
    return fill("Where to? For example: retreat {ways}.", ways=" or ".join(map(str, ways)))


def energy(limit: int, maneuver: str) -> str:
    """Return that an amount of Energy is missing."""
    sentence = lazy("Expected an amount of Energy from 0 to {limit}, as in: {maneuver} 0.")
    return fill(sentence, limit=limit, maneuver=vocabulary.say_argument(maneuver))


def stands_elsewhere(unit: Unit, stands: Region, got: Region) -> str:
    """Return that a unit does not stand in the region that was named first, which is where from."""
    return fill(
        "The first region is where you start: you typed {region}, but for {unit} it is {stands}. Or name the unit "
        "first, as in: {word} {region}.",
        unit=names.unit_name(unit), region=got, stands=stands, word=vocabulary.say_argument(NAME[unit]),
    )  # fmt: skip


def own_choice(faction: Faction) -> str:
    """Return that nobody chooses for the other side."""
    side = vocabulary.say_argument(faction.name.lower())
    return fill("Expected your own choice, as in: fight {side} standard 0.", side=side)


def column(word: str) -> str:
    """Return that a word is no column of the board."""
    if not word:
        return _("Expected a column, 1 to 5 or a to e, as in: scan 3.")
    return fill("Expected a column, 1 to 5 or a to e, got {word}.", word=quoted(word))


def which_unit(word: str, near: Sequence[str]) -> str:
    """Return that a beginning fits several units."""
    units = listed(near, "or")
    return fill("Expected one unit, but {word} can mean {units}.", word=quoted(word), units=units)


def no_unit(word: str, near: str | None) -> str:
    """Return that a word names no unit, with the nearest one that does."""
    if not word:
        return _("Expected the name of a unit. Type units for all of them.")
    if near is None:
        return fill("Expected the name of a unit, got {word}. Type units for all of them.", word=quoted(word))
    return fill("Expected the name of a unit, got {word}. Did you mean {near}?", word=quoted(word), near=near)
