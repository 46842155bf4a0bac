"""Help for each phase, and for single words (``help WORD``)."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from typing import Final

from cli import words
from cli.text import names
from storm_p2p.board import ALTITUDE, BANK, NEIGHBOURS, REALM, Faction, climbs
from storm_p2p.state import Phase
from storm_p2p.units import CHARMERS, NAME, ROSTER, units_in

NOBODY_HELPS: Final = (
    "Nobody there can, so the answer is no. You are asked all the same: your opponent would learn it from silence."
)

_VIEWS: Final = (
    "Look: board, who HEX, costs UNITS, options, units, card UNIT, table, eye, log N, help WORD.",
    "Talk: say TEXT or /TEXT. The match: draw, accept, decline, resign, bye (leave; the match is saved).",
    "After an action, ? shows only its price, and ! accepts the price without a question.",
)

_PHASES: Final[Mapping[Phase, tuple[str, ...]]] = {
    Phase.SETUP: (
        "Put nine of your twelve units on the nine regions of your realm: hades 11.",
        "Two units swap them: hades cerberus. random, mirror and clear do it for all. seal ends the setup.",
    ),
    Phase.TURN: (
        "Move: move 12 13, move 14 9 erinyes hecate, 14>9 eri hec, or hades 13. No names: all that stand there.",
        "Or: reveal UNIT (free, before the action), liturgy, bolt HEX, recall UNIT, sneak HEX, drain HEX, pass.",
        "Units by English or German name, its unique beginning, or the three letters of the board.",
    ),
    Phase.AID: ("Say whether the unit next door helps: aid NAME or aid none.",),
    Phase.FIGHT: (
        "Choose a maneuver and Energy: std 0, ret 1, chase 2, att 3, def 4; costs shows the table again.",
        "Energy is spent whatever happens. Both choices are opened together, unless the table says otherwise.",
    ),
    Phase.LOSE: ("Name the unit that is eliminated: lose UNIT.",),
    Phase.RETREAT: ("Choose the region where you retreat to: retreat HEX.",),
    Phase.STAY: ("You won against the chase: retreat HEX, or stay and the enemy loses a unit.",),
    Phase.SNEAK: ("A sneak attack: name the unit that is eliminated, lose UNIT; or block, where it can be blocked.",),
    Phase.BOLT: ("A thunderbolt: name the unit that is eliminated, lose UNIT; with claim or immune where possible.",),
}

_WORDS: Final[Mapping[str, str]] = {
    "move": "move FROM TO UNITS moves units; without names all that stand there go. UNITS TO is enough: hades 13."
    " Add claim to use a power of the move: move 2 7 poseidon claim.",
    "reveal": "reveal UNIT shows a unit to everybody; free, before your action; needed to fly and for the ferry.",
    "bolt": "bolt HEX throws a thunderbolt next door; the enemy names the victim. See table for the price.",
    "recall": "recall UNIT brings an eliminated unit back to Tartarus. See table for the price.",
    "sneak": "sneak HEX is the sneak attack of the Erinyes, alone and on foot: one enemy falls before the combat.",
    "drain": "drain HEX moves Demeter alone into an empty region of the Underworld and takes Energy; she is shown.",
    "claim": "claim after a move uses a power of the move and shows the unit: Poseidon along the Styx, Demeter in the"
    " Underworld, a leader in the Palace, who wins.",
    "liturgy": "liturgy brings Energy and costs Honor; it takes the whole turn. See table.",
    "pass": "pass does nothing; only the Olympians may, and only when all of them are in Tartarus.",
    "fight": "fight SIDE MANEUVER ENERGY is long; std, ret, chase, att, def with an amount of Energy is short.",
    "lose": "lose UNIT names the unit of yours that is eliminated.",
    "retreat": "retreat HEX goes there. While you choose a maneuver, retreat ENERGY chooses to retreat.",
    "stay": "stay keeps your units in the region after you won against a chase.",
    "aid": "aid NAME shows the unit next door and its help counts; aid none keeps it secret.",
    "block": "block stops a sneak attack and shows who does it.",
    "board": "board shows the board. Upper case: yours, * known to the enemy. -abc: enemy, -???: hidden. ~: the Styx.",
    "who": "who HEX says who stands there and around it.",
    "costs": "costs UNITS, or costs HEX, shows the price of every region they can go to; in a combat the table.",
    "options": "options lists what you may do besides plain moves.",
    "units": "units lists all 24 units and what you know about them.",
    "card": "card UNIT shows what a unit can do.",
    "table": "table shows what costs or brings Honor.",
    "eye": "eye shows which of your units the enemy knows.",
    "log": "log N shows what the last N messages did.",
    "say": "say TEXT, or /TEXT, sends a line to the other player.",
    "mute": "mute hides what the other player says; again shows it.",
    "draw": "draw offers a draw; accept takes the one that is offered, decline does not.",
    "resign": "resign gives up; you have to type the word yes.",
    "bye": "bye leaves the match, which stays saved; storm-p2p resume goes on with it.",
    "seal": "seal ends your setup; only a fingerprint of it is sent, and nobody can change it later.",
    "random": "random places nine units by chance.",
    "mirror": "mirror exchanges left and right of your setup.",
    "clear": "clear takes all units off the board.",
}


def help_for(phase: Phase | None, *, deciding: bool) -> list[str]:
    """Return the help of a phase; ``phase`` is None while nothing is asked yet."""
    if phase is None or not deciding:
        return ["You are waiting for the other side.", *_VIEWS]
    return [*_PHASES.get(phase, ()), *_VIEWS]


def help_on(word: str) -> list[str]:
    """Return the help on a word."""
    verb = word if word in _WORDS else words.find_verb(word) or word
    if verb in _WORDS:
        return [_WORDS[verb]]
    near = difflib.get_close_matches(verb, sorted(_WORDS), 1, 0.6)
    hint = f" Did you mean {near[0]}?" if near else ""
    return [f"Expected a command to explain, got {words.quoted(word)}.{hint} There are: {', '.join(sorted(_WORDS))}."]


def question(phase: Phase, region: int, answers: str) -> str:
    """Return the question of a phase.

    Args:
        phase: what is asked.
        region: where it happens.
        answers: what can be typed.
    """
    asked = {
        Phase.AID: f"Shall {names.unit_name(units_in(CHARMERS)[0])} help from next door? She is shown then.",
        Phase.LOSE: f"You lose one unit in {region}; which?",
        Phase.RETREAT: f"Your units leave {region}; where to?",
        Phase.STAY: f"You won in {region} although you were chased: leave, or stay and the enemy loses a unit?",
        Phase.SNEAK: f"A sneak attack hits {region}; which unit is eliminated?",
        Phase.BOLT: f"A thunderbolt hits {region}; which unit is eliminated?",
    }
    return f"{asked[phase]} {answers}".rstrip()


def first_setup(faction: Faction) -> str:
    """Return how a setup begins."""
    example = f"{NAME[ROSTER[faction][0]]} {REALM[faction][0]}"
    return f"Put nine of your twelve units on the nine regions of your realm: {example}."


def first_turn(faction: Faction) -> str:
    """Return what can be typed, for the first question."""
    border = max(BANK & set(REALM[faction]), key=lambda region: ALTITUDE[region] * (1 - 2 * faction))
    step = next(there for there in NEIGHBOURS[border] if climbs(faction, border, there) > 0)
    return f"Type help for the commands, or an action such as: move {border} {step}."
