"""What is said to somebody whose words do nothing: what was expected, and what to do next."""

from collections.abc import Mapping
from typing import Final

from cli.clean import clean
from cli.storm.text import names
from cli.text.wording import Lazy, fill, lazy
from storm_p2p.storm.errors import RulesError

NOT_YOUR_TURN: Final = lazy("It is not your turn. For now you can look (board, who 14), say TEXT, draw or resign.")
_NEXT: Final = lazy({
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
})  # fmt: skip


_WHOLE: Final[Mapping[str, Lazy]] = {
    "no-pass": lazy(
        "Not possible: only the Olympians may pass, and only when all of them are in Tartarus."
        " Move, use a power or hold a liturgy."
    )
}
"""Refusals whose sentence would not tell a person enough."""


_FOR_PEOPLE: Final = lazy({
    "expected an answer to {phase}, got {action}": "that is not what is asked now",
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
    "expected at most 4 units in {region}, got {number} more beside {more}":
        "{region} has room for 4 units; {more} are there, and you are sending {number}",
    "expected at most 4 units in {region}, got 4 already": "{region} has room for 4 units, and 4 are there already",
    "expected a neighbour of {start}, got {region}": "{region} is not next to {start}",
    "expected {number} Energy for the Styx from {start} to {region}, got {more}":
        "crossing the Styx from {start} to {region} costs {number} Energy, and you have {more}",
    "expected {number} Energy for the Styx from {start} to {region}":
        "crossing the Styx from {start} to {region} costs {number} Energy",
    "expected one unit that wanders, named, and no claim":
        "only a unit that can go on takes more than one step: alone, by name and without a claim",
    "expected one step, got {number}": "you can move one step, not {number}",
    "expected a mover to claim, got a unit that does not move": "only a unit that moves can claim",
    "expected the unit that can sneak in {region}, got another": "the unit that can sneak is not in {region}",
    "expected enemies next to {start}, not over the Styx, got {region}":
        "a sneak attack goes only to enemies next to {start}, not over the Styx, so not to {region}",
    "expected 2 Energy for the sneak attack, got {number}": "a sneak attack costs 2 Energy, and you have {number}",
    "expected a power that the move {start} to {region} triggers, got none":
        "the move from {start} to {region} triggers no power of that unit",
    "expected an empty region on the way, got {region}": "somebody stands in the way, in {region}",
    "expected {unit} to claim, got {other}": "{unit} has to claim this, not {other}",
    "expected an amount of Energy, got {words}": "{words} is not an amount of Energy",
    "expected {unit} of the side to move in {region}, got none": "{unit} is not in {region}",
    "expected {unit} in play, got none": "{unit} is not in play",
    "expected each unit once, got {words}": "you have named a unit twice: {words}",
    "expected a unit of the side to move, got {unit}": "{unit} is not one of your units",
    "expected {unit} to throw, got another unit or none": "only {unit} can throw a thunderbolt",
    "expected 6 Energy and an enemy next to {start}, not in the Underworld, got {region}":
        "a thunderbolt needs 6 Energy and an enemy next to {start} outside the Underworld; {region} will not do",
    "expected a unit hit by the thunderbolt in {region}, got another":
        "the thunderbolt in {region} does not hit that unit",
    "expected another victim in {region}, got {unit}": "a thunderbolt cannot eliminate {unit} in {region}",
    "expected {unit} to recall, got another unit or none": "only {unit} can recall a unit",
    "expected 10 Energy, room and no enemy in {region}, and an eliminated unit, got {unit}":
        "a recall needs 10 Energy, an eliminated unit, and room and no enemy in {region}; {unit} cannot come back now",
    "expected a unit in {region}, got another": "that unit is not in {region}",
    "expected {unit} to block, got another unit": "only {unit} can stop this",
    "expected only units in {region} that are proof, got another":
        "the thunderbolt can hit somebody in {region}",
    "expected {unit} in {region}, got another": "{unit} is not in {region}",
    "expected one unit on each of {words}": "each of the regions {words} needs one unit",
})  # fmt: skip
"""The sentences of the rules, for people; a test holds that none is missing that a person can cause."""


def refusal(error: RulesError) -> str:
    """Return what a refused or misunderstood action means to a person; it has changed nothing."""
    if error.code in _WHOLE:
        return str(_WHOLE[error.code])
    words = _FOR_PEOPLE.get(error.template)
    said = str(error) if words is None else error.fill(str(words), names.fact)
    tip = str(_NEXT.get(error.code, ""))
    return fill("Not possible: {said}. {tip}", said=clean(said).rstrip("."), tip=tip).rstrip()
