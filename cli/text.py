"""The sentences that a person reads: refusals, what happened, endings.  Help stands in ``cli.help_text``.

Codes of the engine and the protocol never reach the screen; here they become words.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from cli import narrate
from cli.clean import clean
from cli.model import Entry, Model
from cli.players import Ending
from storm_p2p import events as ev
from storm_p2p.board import BASE, OTHER, Faction, Region
from storm_p2p.engine import Price
from storm_p2p.state import State, Terms
from storm_p2p.units import CARDS, Unit

NOT_YOUR_TURN: Final = "It is not your turn; expected a view such as board or who 14, say TEXT, draw or resign."
SETUP_EXPECTED: Final = (
    "Expected a setup command such as: hades 11, hades cerberus (swaps), random, mirror, clear or seal."
)
NOTHING_SENT: Final = "Nothing sent."
TYPE_YES: Final = 'Type the word "yes" to go on; anything else does nothing.'

# What a refusal means and what to do next, by the engine's code; the engine's own sentence names the numbers.
_NEXT: Final[Mapping[str, str]] = {
    "not-adjacent": "costs UNIT shows where your units can go.",
    "not-there": "board shows who stands where.",
    "too-many": "No region holds more than four units of a side.",
    "no-energy": "liturgy brings Energy.",
    "no-path": "Only Hermes, alone, goes further than one step.",
    "no-claim": "help claim says what can be claimed.",
    "no-sneak": "card erinyes says when they can.",
    "wrong-phase": "help says what is asked now.",
    "no-way-out": "Choose one of these regions.",
    "no-pass": "You have to move, use a power or hold a liturgy.",
    "too-much-energy": "costs shows the table of maneuvers.",
    "no-such-maneuver": "costs shows the table of maneuvers.",
    "word-count": "help shows the commands.",
    "unknown-action": "help shows the commands.",
    "nothing-to-reveal": "eye shows which of your units are secret.",
    "bolt-proof": "Choose another unit.",
}


def refusal(code: str, sentence: str) -> str:
    """Return what a refused or misunderstood action means to a person; it has changed nothing."""
    said = clean(sentence).rstrip(".")
    tip = _NEXT.get(code, "")
    return f"Not possible: {said}. {tip}".rstrip()


# -- small words --------------------------------------------------------------------------------------------


def unit_name(unit: Unit | None) -> str:
    """Return a unit's name as a word of a sentence."""
    return "hidden unit" if unit is None else unit.name.capitalize()


def listed(items: Iterable[object], last: str = "and") -> str:
    """Return words as "a, b and c"."""
    words = [str(item) for item in items]
    return f" {last} ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


def crowd(units: Sequence[Unit | None]) -> str:
    """Return several units, hidden ones counted."""
    hidden = sum(unit is None for unit in units)
    words = [unit_name(unit) for unit in units if unit is not None]
    if hidden:
        words.append("a hidden unit" if hidden == 1 else f"{hidden} hidden units")
    return listed(words)


def region_name(region: Region) -> str:
    """Return a region's number, and its name when it has one."""
    names = {BASE[0]: "Tartarus", BASE[1]: "the Palace"}
    return f"{region} ({names[region]})" if region in names else str(region)


def signed(number: int) -> str:
    """Return a change as it stands in tables: ``-2``, ``0``, ``+2``."""
    return f"{number:+d}" if number else "0"


def spoken(number: int) -> str:
    """Return a change as a screen reader says it."""
    return f"minus {-number}" if number < 0 else f"plus {number}" if number else "0"


def cost(price: Price) -> str:
    """Return a price in a few characters: ``honor -2 energy -2``, or ``free``."""
    parts = [f"honor {signed(price.honor)}"] if price.honor else []
    if price.energy:
        parts.append(f"energy {signed(price.energy)}")
    return " ".join(parts) or "free"


def side_name(faction: Faction) -> str:
    """Return the name of a side."""
    return faction.name.capitalize()


# -- the match ----------------------------------------------------------------------------------------------


def terms(terms: Terms) -> str:
    """Return the terms of a match in words."""
    parts = ["open combat"] if terms.open_combat else []
    if terms.random_setup:
        parts.append("random setup")
    if terms.challenge:
        parts.append(f"challenge {terms.challenge:+d} Honor for the Chthonians")
    return ", ".join(parts) or "standard rules"


def seated(model: Model) -> list[str]:
    """Return the introduction of a match."""
    lines = [f"You play the {side_name(model.faction)} against {model.opponent}: {terms(model.terms)}."]
    if model.words:
        lines.append(f"Compare these words with {model.opponent}: {model.words}")
    if model.log:
        lines.append(f"The match is saved in {model.log}")
    return lines


_REASONS: Final[Mapping[str, str]] = {
    "palace": "a leader of the Chthonians is in the Palace",
    "leaders": "the Chthonians have lost their leaders",
    "honor": "no Honor is left",
    "resignation": "resignation",
    "forfeit": "resignation",
    "agreement": "by agreement",
}


def over(model: Model, ending: Ending) -> list[str]:
    """Return how a match ended, and where its log is."""
    reason = _REASONS.get(ending.reason, clean(ending.reason).replace("-", " ").replace("_", " "))
    reason = "" if ending.winner is None else reason
    turns = "" if model.state is None else f" in turn {model.state.number}"
    if ending.winner is None:
        head = f"The match is not finished{turns}"
    elif ending.winner == "draw":
        head = f"A draw{turns}"
    elif ending.winner == model.faction.name.lower():
        head = f"You won{turns}"
    else:
        head = f"You lost{turns}"
    lines = [f"{head}{f': {reason}' if reason else ''}."]
    if ending.audited:
        lines.append("Everything was opened and checked, and no problem was found." if not ending.problems else
                     "Everything was opened and checked.")  # fmt: skip
    elif ending.winner is not None:
        lines.append("The hidden placements were not checked.")
    lines += [f"Problem: {clean(problem)}" for problem in ending.problems]
    if ending.log:
        lines.append(f"Saved in {clean(ending.log)}")
    return lines


def left(model: Model) -> str:
    """Return the sentence for somebody who leaves."""
    place = f" in {model.log}" if model.log else ""
    return f"You have left. The match is saved{place}; storm-p2p resume goes on with it."


_TOLD: Final[Mapping[str, str]] = {
    "draw-offered": "{name} offers a draw.",
    "draw-accepted": "{name} accepts the draw.",
    "draw-declined": "{name} declines the draw.",
    "draw-lapsed": "The offer of a draw has lapsed.",
    "opponent-resigned": "{name} resigns.",
    "line-lost": "The line to {name} is lost.",
}
_SAVED: Final = frozenset({"line-lost"})


def told(model: Model, code: str, sentence: str) -> str:
    """Return a word about the line or the match as a sentence."""
    if code in _TOLD:
        said = _TOLD[code].format(name=model.opponent)
    elif sentence:
        said = refusal(code, sentence)
    else:
        said = f"Something about the match with {model.opponent} has changed."
    if code in _SAVED and model.log:
        said += f" The match is saved in {model.log}; storm-p2p resume goes on with it."
    return said


# -- what happened ------------------------------------------------------------------------------------------


def story(model: Model, entry: Entry) -> list[str]:
    """Return what one message has done, one line for each event; changes of Honor and Energy join the line before."""
    names = {model.faction: "you", OTHER[model.faction]: model.opponent}
    lines: list[str] = []
    actor: Faction | None = None
    for event in entry.events:
        if not isinstance(event, ev.HonorChanged | ev.EnergyChanged):
            lines.append(_tell(model, entry, event, names))
            actor = getattr(event, "faction", None)
        elif actor == event.faction:
            lines[-1] += f"; {_change(event)}"
        else:
            lines.append(f"{names[event.faction]}: {_change(event)}")
            actor = event.faction
    return lines


def _change(event: ev.HonorChanged | ev.EnergyChanged) -> str:
    what = "Honor" if isinstance(event, ev.HonorChanged) else "Energy"
    why = narrate.line(event).split(f"{event.change:+d} ", 1)[1].rsplit(",", 1)[0]
    return f"{what} {event.now - event.change} to {event.now} {why}"


def _tell(model: Model, entry: Entry, event: ev.Event, names: Mapping[Faction, str]) -> str:
    match event:
        case ev.TurnBegan():
            mine = event.faction == model.faction
            return f"Turn {event.number}: {'your move' if mine else names[event.faction] + ' to move'}."
        case ev.Placed():
            return f"{names[event.faction]}: the setup is sealed"
        case ev.Moved():
            units = _movers(model, entry, event)
            verb = "attack" if event.attack else "fly" if event.flight else "move"
            return f"{names[event.faction]}: {crowd(units)} {_verb(verb, units)} {' > '.join(map(str, event.path))}"
        case ev.Retreated():
            where = f"{event.region} > {event.target}"
            return f"{names[event.faction]}: {crowd(event.units)} {_verb('retreat', event.units)} {where}"
        case ev.CombatBegan():
            who = "You attack" if event.attacker == model.faction else f"{names[event.attacker]} attacks"
            return f"Combat in {event.region}. {who}; a tie goes to the attacker."
        case ev.RoundBegan():
            return f"Round {event.round} in {event.region}."
        case ev.RoundFought():
            return _round(model, event, names)
        case ev.Rehidden():
            blind = names[OTHER[event.faction]]
            return f"{names[event.faction]}: {blind} cannot tell any more who went and who stayed"
        case ev.GameOver():
            return "The game is over."
        case _:
            line = narrate.line(event)
            for faction, name in names.items():
                line = line.replace(f"{side_name(faction)}:", f"{name}:")
            return line


def _verb(verb: str, units: Sequence[Unit | None]) -> str:
    if len(units) > 1:
        return verb
    return {"fly": "flies"}.get(verb, f"{verb}s")


def _movers(model: Model, entry: Entry, event: ev.Moved) -> Sequence[Unit | None]:
    """Return the movers, own ones by name even when nobody else knows them."""
    if event.faction != model.faction or None not in event.units or entry.before is None:
        return event.units
    stood = _own_units(entry.before, model.faction, event.path[0])
    stayed = _own_units(entry.after, model.faction, event.path[0])
    went = [unit for unit in stood if unit not in stayed]
    return went if len(went) == len(event.units) else event.units


def _own_units(state: State, faction: Faction, region: Region) -> list[Unit]:
    return [Unit(token.unit) for token in state.sides[faction][region] if token.unit is not None]


def _round(model: Model, event: ev.RoundFought, names: Mapping[Faction, str]) -> str:
    me, him = model.faction, OTHER[model.faction]
    powers = f"Power: you {event.power[me]}, {names[him]} {event.power[him]}"
    bases = f"base strength {event.base[me]} and {event.base[him]}"
    changes = modifiers(event.modifiers)
    if event.winner is None:
        end = "nobody wins"
    else:
        end = "you win the round" if event.winner == me else f"{names[him]} wins the round"
    return f"{powers} ({bases}{f': {changes}' if changes else ''}); {end}"


def modifiers(found: Sequence[ev.Modifier]) -> str:
    """Return what powers did to strengths, in a few words."""
    return ", ".join(f"{unit_name(line.unit)} {line.change:+d}" for line in found)


def power_line(unit: Unit, power: str) -> str:
    """Return what a power does, in one sentence."""
    return f"{narrate.line(ev.Used(unit, power))}."


def code(unit: Unit) -> str:
    """Return the three letters of a unit."""
    return CARDS[unit].code.upper()
