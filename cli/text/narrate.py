"""Events and rounds in words, one line each."""

from __future__ import annotations

from typing import Final

from storm_p2p import events as ev
from storm_p2p.units import Maneuver, Unit

HIDDEN: Final = "?"

_HONOR: Final = {
    "move": "for the move",
    "attack": "for the attack",
    "all-out": "for the all-out maneuver",
    "energy": "for more than 4 Energy",
    "retreat": "for the retreat",
    "liturgy": "for the liturgy",
    "base": "for enemies in the base",
    "bolts": "for the thunderbolt",
}
_ENERGY: Final = {
    "styx": "for crossing the Styx",
    "combat": "in combat",
    "liturgy": "from the liturgy",
    "bolts": "for the thunderbolt",
    "recalls": "for the recall",
    "sneaks": "for the sneak attack",
    "takes_spent": "that the enemy spent",
    "bolt_energy": "from the thunderbolt",
    "river_energy": "from the river",
    "drains": "drained from the Underworld",
}
_POWERS: Final = {
    "recalls": "brings a unit back",
    "bolts": "throws a thunderbolt",
    "bolt_proof": "is not harmed by the thunderbolt",
    "bolt_energy": "feeds on the thunderbolt",
    "flies": "flies",
    "wanders": "walks on and on",
    "ferries": "makes the crossing free",
    "river_energy": "gains from the river",
    "drains": "drains the Underworld",
    "doubles_penalties": "doubles losses of Honor",
    "spares_penalties": "makes losses of Honor smaller",
    "sneaks": "attacks by stealth",
    "blocks_sneak": "stops the sneak attack",
    "slays": "slays his enemy on sight",
    "perishes_with": "perishes together with her enemy",
    "silences": "puts every other strength to sleep",
    "charms": "charms the males",
    "per_comrade": "is stronger with comrades",
    "defending": "is stronger in defense",
    "energy_worth": "makes Energy count twice",
    "chase": "makes the chase stronger",
    "boundless_energy": "knows no limit of Energy",
    "thins_enemy": "cuts the enemy's Energy",
    "takes_spent": "takes the Energy the enemy spends",
    "alone_maneuvers": "alone has fewer maneuvers",
    "slips_away": "slips away",
    "holds_slippery": "holds whoever slips away",
    "sees_first": "sees the enemy's choice first",
    "buries_all": "takes everybody along",
}
MANEUVERS: Final = {
    Maneuver.STANDARD: "standard",
    Maneuver.RETREAT: "retreat",
    Maneuver.CHASE: "chase",
    Maneuver.ATTACK: "all-out attack",
    Maneuver.DEFENSE: "all-out defense",
}


def unit_word(unit: Unit | None) -> str:
    """Return the name of a unit as it stands in a sentence."""
    return HIDDEN if unit is None else unit.name.capitalize()


def _units(units: tuple[Unit | None, ...]) -> str:
    return " and ".join(unit_word(unit) for unit in units)


def line(event: ev.Event) -> str:
    """Return one line for an event."""
    match event:
        case ev.Placed():
            return f"{_side(event)}: the setup is sealed"
        case ev.TurnBegan():
            return f"turn {event.number}: {_side(event)}"
        case ev.HonorChanged():
            return f"{_side(event)}: Honor {event.change:+d} {_HONOR[event.reason]}, now {event.now}"
        case ev.EnergyChanged():
            return f"{_side(event)}: Energy {event.change:+d} {_ENERGY[event.reason]}, now {event.now}"
        case ev.Revealed():
            return f"{_side(event)}: {unit_word(event.unit)} is revealed in {event.region}"
        case ev.Rehidden():
            return f"{_side(event)}: nobody can tell any more who is who, of {len(event.taken)} units"
        case ev.Moved():
            way = " > ".join(map(str, event.path))
            manner = "attack" if event.attack else "move"
            flying = " in flight" if event.flight else ""
            return f"{_side(event)}: {_units(event.units)}, {manner} {way}{flying}"
        case ev.Used():
            return f"{unit_word(event.unit)} {_POWERS[event.power]}"
        case ev.Prayed():
            return f"{_side(event)}: liturgy"
        case ev.Passed():
            return f"{_side(event)}: pass"
        case ev.Struck():
            return f"{unit_word(event.thrower)} strikes {event.region}"
        case ev.Sneaked():
            return f"{unit_word(event.unit)} sneak from {event.path[0]} to {event.path[1]}"
        case ev.CombatBegan():
            return f"combat in {event.region}, the {event.attacker.name.lower()} attack"
        case ev.RoundBegan():
            return f"round {event.round} in {event.region}"
        case ev.Chose():
            return f"{_side(event)}: {MANEUVERS[event.maneuver]} with {event.energy} Energy"
        case ev.RoundFought():
            return _round(event)
        case ev.Eliminated():
            return f"{unit_word(event.unit)} is eliminated in {event.region}{', for good' if event.for_good else ''}"
        case ev.Returned():
            return f"{unit_word(event.unit)} returns in {event.region}"
        case ev.Retreated():
            return f"{_side(event)}: {_units(event.units)}, retreat {event.region} > {event.target}"
        case ev.Stayed():
            return f"{_side(event)}: no retreat"
        case ev.CombatEnded():
            return f"the combat in {event.region} is over"
        case ev.GameOver():
            return f"the game is over: {event.outcome.winner} ({event.outcome.reason})"


def _side(event: ev.Event) -> str:
    faction = getattr(event, "faction", None)
    assert faction is not None
    return str(faction.name.capitalize())


def _round(event: ev.RoundFought) -> str:
    winner = "nobody wins" if event.winner is None else f"{event.winner.name.lower()} win"
    return (
        f"Chthonians {event.base[0]}, with maneuver and Energy {event.power[0]}; "
        f"Olympians {event.base[1]}, {event.power[1]}: {winner}"
    )
