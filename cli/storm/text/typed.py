"""What is wrong with a typed line of Storm: one sentence for what was expected, and what to type instead."""

from collections.abc import Mapping, Sequence
from typing import Final

from cli.clean import clean
from cli.storm import vocabulary
from cli.storm.text import names
from cli.storm.text.names import Sentence
from cli.text import screens
from cli.text.wording import Lazy, _, fill, lazy, quoted
from storm_p2p.storm.board import NEIGHBOURS, REALM, Faction, Region
from storm_p2p.storm.errors import RulesError
from storm_p2p.storm.state import Phase
from storm_p2p.storm.units import NAME, ROSTER, Unit

MOVE: Final = lazy("Type a move like this: move {start} {end}, move {start} {end} {unit}, or {unit} {end}.")
UNITS_BY_NAME: Final = lazy("Type your units by name, not as a question mark.")
NOT_HERE: Final[Mapping[str, Lazy]] = lazy(
    {
        "skip": "Every turn you must act: a move, a power or a liturgy. Only the Olympians may pass, when all of them are "
        "in Tartarus.",
        "done": "Type a move of several steps as a whole: move, the regions in order, then the unit.",
        "bid": "The challenge is agreed before the match: storm-p2p host --challenge N, or storm-p2p play --challenge N.",
        "fly": "To fly is to move: unit and region, as in: harpies 7. Reveal a unit before it flies: reveal harpies.",
        "fliegen": "To fly is to move: unit and region, as in: harpies 7. Reveal a unit before it flies: reveal harpies.",
    }
)
"""Words of other programs, with what is done here instead."""
NO_BOARD: Final = lazy("There is nothing to see yet: both sides are still setting up. Type units, table or help.")
NO_COSTS: Final = lazy(
    "You can see costs when it is your turn; now you are waiting for the other side. Type table for the prices."
)
NO_OPTIONS: Final = lazy(
    "You can see options when it is your turn; now you are waiting for the other side. Type board or turn."
)
CANNOT_MOVE: Final = lazy("These units cannot go anywhere. Type options for those that can.")

ANSWERS: Final[Mapping[Phase, Lazy]] = lazy(
    {
        Phase.AID: "Say whether the unit next door helps: aid NAME or aid none.",
        Phase.FIGHT: "Choose a maneuver and Energy: {choices}; costs shows the table again.",
        Phase.LOSE: "Name the unit you lose: lose UNIT.",
        Phase.RETREAT: "Choose the region to retreat to: retreat REGION.",
        Phase.STAY: "You beat the chase: retreat REGION, or stay and the enemy loses a unit.",
        Phase.SNEAK: "A sneak attack: name the unit you lose with lose UNIT; or type block, if you can block it.",
        Phase.BOLT: "A thunderbolt: name the unit you lose with lose UNIT; add claim or immune where possible.",
    }
)
"""How the question of a phase is answered."""
_YOUR_MOVE: Final = lazy("It is your move: type help, or a move.")
_USAGE: Final[Mapping[str, Lazy]] = {
    "sneak": lazy("Where to? For example: sneak {end}."),
    "bolt": lazy("Which region? For example: bolt {end}."),
    "drain": lazy("Which region of the Underworld? For example: drain {home}."),
    "aid": lazy("Which unit helps, or none? For example: aid none."),
    "lose": lazy("Which unit do you lose? For example: lose {unit}."),
    "retreat": lazy("Where to? For example: retreat {end}."),
    "fight": lazy("Which maneuver, and how much Energy? For example: {choice}."),
    "reveal": lazy("Name one unit, as in: reveal {unit}."),
    "recall": lazy("Name one unit, as in: recall {unit}."),
    "move": MOVE,
}

not_on_board = Sentence[Unit]("{unit}: not on the board, as far as you know. Type units to see who is.")
one_by_one = Sentence[str]("Name one unit, as in: {line}. Reveal each unit on a line of its own.")
where_to = Sentence[str]("Where to? For example: retreat {ways}.")
energy = Sentence[int, str]("How much Energy, 0 to {limit}? For example: {maneuver} 0.")
own_choice = Sentence[str]("Choose for your own side, as in: fight {side} standard 0.")
stands_elsewhere = Sentence[Region, Unit, Region, str](
    "The first region is where you start: you typed {region}, but for {unit} it is {stands}. Or name the unit first, as "
    "in: {word} {region}."
)
apart = Sentence[Sequence[Region]]("These units do not stand together: they are in {regions}.")
not_together = Sentence[Sequence[Unit]]("Name units of yours that stand together, not {units}.")
nobody_there = Sentence[Region]("You have no units in {region}. Type board to see where they are.")


def elsewhere(word: str) -> str | None:
    """Return the answer to a word that means something in a neighbouring program; None for another word."""
    return str(NOT_HERE[word]) if word in NOT_HERE else screens.elsewhere(word)


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


def wrong_phase(phase: Phase, choice: str = "") -> str:
    """Return that a command does not answer what is asked, and what does; ``choice`` as for :func:`usage`."""
    now = fill(_YOUR_MOVE if phase == Phase.TURN else ANSWERS.get(phase, ""), choices=choice)
    return fill(screens.ASKED_ELSE, answers=now).rstrip()


def setup_expected(faction: Faction) -> str:
    """Return what can be typed in the setup, with examples of the own side."""
    unit, other = (vocabulary.say_argument(NAME[unit]) for unit in ROSTER[faction][:2])
    return fill(
        "Type a setup command such as: {unit} {home}, {unit} {other} (swaps), random, mirror, clear or seal.",
        unit=unit,
        other=other,
        home=REALM[faction][0],
    )


def region(word: str) -> str:
    """Return that a word is no region."""
    if not word:
        return _("Which region, 1 to 24? For example: who 14.")
    return fill("{word} is not a region; the regions are 1 to 24.", word=quoted(word))


def column(word: str) -> str:
    """Return that a word is no column of the board."""
    if not word:
        return _("Which column, 1 to 5 or a to e? For example: scan 3.")
    return fill("{word} is not a column; the columns are 1 to 5, or a to e.", word=quoted(word))


def no_unit(word: str, near: str | None) -> str:
    """Return that a word names no unit, with the nearest one that does."""
    if not word:
        return _("Name a unit. Type units for all of them.")
    if near is None:
        return fill("{word} is not a unit. Type units for all of them.", word=quoted(word))
    return fill("{word} is not a unit. Did you mean {near}?", word=quoted(word), near=near)


_NEXT: Final = lazy(
    {
        "not-adjacent": "costs UNIT shows where your units can go.",
        "not-there": "board shows who stands where.",
        "too-many": "A region holds at most four units of each side.",
        "no-energy": "liturgy brings Energy.",
        "no-path": "Only Hermes, alone, goes further than one step.",
        "no-claim": "help claim says what can be claimed.",
        "no-sneak": "card erinyes says when they can.",
        "wrong-phase": "help says what is asked now.",
        "no-way-out": "Choose one of these regions; help retreat says why there are no others.",
        "too-much-energy": "costs shows the table of maneuvers.",
        "no-such-maneuver": "costs shows the table of maneuvers.",
        "word-count": "help shows the commands.",
        "unknown-action": "help shows the commands.",
        "nothing-to-reveal": "eye shows which of your units are secret.",
        "bolt-proof": "Choose another unit.",
    }
)


_WHOLE: Final[Mapping[str, Lazy]] = {
    "no-pass": lazy(
        "Not possible: only the Olympians may pass, and only when all of them are in Tartarus."
        " Move, use a power or hold a liturgy."
    )
}
"""Refusals whose sentence would not tell a person enough."""


_FOR_PEOPLE: Final = lazy(
    {
        "expected an answer to {phase}, got {action}": "that is not what you are being asked now",
        "expected no claim, for no thunderbolt has struck": "there is nothing to claim, because no thunderbolt has struck",
        "expected a unit of the loser in {region}, got another": "the losing side has no such unit in {region}",
        "expected a unit of the side to move in {region}": "you have no such unit in {region}",
        "expected a hidden unit in {region}, got a known one": "everybody knows this unit in {region} already",
        "expected {unit} next door, got another": "only {unit} can help from next door",
        "expected {words} to choose, got the other side": "it is the {words} who choose",
        "expected {words}, got {other}": "you can choose {words}, not {other}",
        "expected 0 to {number} Energy, got {more}": "you can spend 0 to {number} Energy here, not {more}",
        "expected a retreat to {words}, got {region}": "you can retreat to {words}, not to {region}",
        "expected units of the side to move in {region}, got others or none": "you have no such units in {region}",
        "expected units of the side to move in {region}, got none": "you have no units in {region}",
        "expected at most 4 units in {region}, got {number} more beside {more}": "{region} has room for 4 units; {more} are there, and you are sending {number}",
        "expected at most 4 units in {region}, got 4 already": "{region} has room for 4 units, and 4 are there already",
        "expected a neighbour of {start}, got {region}": "{region} is not next to {start}",
        "expected {number} Energy for the Styx from {start} to {region}, got {more}": "crossing the Styx from {start} to {region} costs {number} Energy, and you have {more}",
        "expected {number} Energy for the Styx from {start} to {region}": "crossing the Styx from {start} to {region} costs {number} Energy",
        "expected one unit that wanders, named, and no claim": "only a unit that can go on takes more than one step: alone, by name and without a claim",
        "expected one step, got {number}": "you can move one step, not {number}",
        "expected a mover to claim, got a unit that does not move": "only a unit that moves can claim",
        "expected the unit that can sneak in {region}, got another": "the unit that can sneak is not in {region}",
        "expected enemies next to {start}, not over the Styx, got {region}": "a sneak attack goes only to enemies next to {start}, not over the Styx, so not to {region}",
        "expected 2 Energy for the sneak attack, got {number}": "a sneak attack costs 2 Energy, and you have {number}",
        "expected a power that the move {start} to {region} triggers, got none": "the move from {start} to {region} triggers no power of that unit",
        "expected an empty region on the way, got {region}": "somebody stands in the way, in {region}",
        "expected {unit} to claim, got {other}": "{unit} has to claim this, not {other}",
        "expected an amount of Energy, got {words}": "{words} is not an amount of Energy",
        "expected {unit} of the side to move in {region}, got none": "{unit} is not in {region}",
        "expected {unit} in play, got none": "{unit} is not on the board, as far as you know",
        "expected each unit once, got {words}": "you have named a unit twice: {words}",
        "expected a unit of the side to move, got {unit}": "{unit} is not one of your units",
        "expected {unit} to throw, got another unit or none": "only {unit} can throw a thunderbolt",
        "expected 6 Energy and an enemy next to {start}, not in the Underworld, got {region}": "a thunderbolt needs 6 Energy and an enemy next to {start} outside the Underworld; {region} will not do",
        "expected a unit hit by the thunderbolt in {region}, got another": "the thunderbolt in {region} does not hit that unit",
        "expected another victim in {region}, got {unit}": "a thunderbolt cannot eliminate {unit} in {region}",
        "expected {unit} to recall, got another unit or none": "only {unit} can recall a unit",
        "expected 10 Energy, room and no enemy in {region}, and an eliminated unit, got {unit}": "a recall needs 10 Energy, an eliminated unit, and room and no enemy in {region}; {unit} cannot come back now",
        "expected a unit in {region}, got another": "that unit is not in {region}",
        "expected {unit} to block, got another unit": "only {unit} can stop this",
        "expected only units in {region} that are proof, got another": "the thunderbolt can hit somebody in {region}",
        "expected {unit} in {region}, got another": "{unit} is not in {region}",
        "expected one unit on each of {words}": "each of the regions {words} needs one unit",
    }
)
"""The sentences of the rules, for people; a test holds that none is missing that a person can cause."""


def refusal(error: RulesError) -> str:
    """Return what a refused or misunderstood action means to a person; it has changed nothing."""
    if error.code in _WHOLE:
        return str(_WHOLE[error.code])
    words = _FOR_PEOPLE.get(error.template)
    said = str(error) if words is None else error.fill(str(words), names.say_fact)
    tip = str(_NEXT.get(error.code, ""))
    return fill("Not possible: {said}. {tip}", said=clean(said).rstrip("."), tip=tip).rstrip()
