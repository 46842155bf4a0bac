"""What one message has done, for the one who plays: "you" and the other's name instead of the sides."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from cli.model import Entry, Model
from cli.text import names as said
from cli.text import narrate
from storm_p2p import events as ev
from storm_p2p.board import OTHER, Faction, Region
from storm_p2p.state import State
from storm_p2p.units import Unit


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
            path = " > ".join(map(str, event.path))
            return f"{names[event.faction]}: {said.crowd(units)} {_verb(verb, units)} {path}"
        case ev.Retreated():
            where = f"{event.region} > {event.target}"
            return f"{names[event.faction]}: {said.crowd(event.units)} {_verb('retreat', event.units)} {where}"
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
                line = line.replace(f"{said.side_name(faction)}:", f"{name}:")
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
    return ", ".join(f"{said.unit_name(line.unit)} {line.change:+d}" for line in found)


def power_line(unit: Unit, power: str) -> str:
    """Return what a power does, in one sentence."""
    return f"{narrate.line(ev.Used(unit, power))}."
