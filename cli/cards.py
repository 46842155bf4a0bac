"""Unit cards, the overview of all units and the Honor table.  All numbers and texts are the engine's."""

from __future__ import annotations

from typing import Final

from cli import model as m
from cli.model import Model, Whereabouts
from cli.text import names
from storm_p2p import honor, movement, powers
from storm_p2p.board import FACTIONS, OTHER, PALACE, TARTARUS, Faction
from storm_p2p.state import Terms
from storm_p2p.units import CARDS, ROSTER, Maneuver, Unit

_MOST_UNITS: Final = honor.MOST_IN_REGION
_COLUMN: Final = 40


def card(model: Model, unit: Unit) -> list[str]:
    """Return the card of a unit and what is known about its place."""
    row = CARDS[unit]
    german = "" if row.german == row.name else f" ({row.german.capitalize()})"
    male = ", male" if row.male else ""
    side = names.side_name(row.faction)
    return [
        f"{row.name.capitalize()}{german}, {names.code(unit)}, {side}, strength {row.strength}{male}. {row.text}",
        f"{status(model, unit)}.".capitalize(),
    ]


def status(model: Model, unit: Unit) -> str:
    """Return what the player knows about the place of a unit, in a few words."""
    kind, region, known = m.whereabouts(model, unit)
    mine = CARDS[unit].faction == model.faction
    if kind == Whereabouts.STANDS:
        if not mine:
            return f"in {region}"
        return f"in {region}, {'known' if known else 'secret'}"
    return {
        Whereabouts.LEFT_OUT: "not selected",
        Whereabouts.LOST: "eliminated",
        Whereabouts.GONE: "eliminated for good",
        Whereabouts.UNKNOWN: "hidden or not selected" if model.state is not None and not mine else "not placed yet",
    }[kind]


def overview(model: Model) -> list[str]:
    """Return all 24 units in two columns, the own ones first."""
    columns = []
    for faction in (model.faction, OTHER[model.faction]):
        head = f"{'YOU' if faction == model.faction else model.opponent} ({names.side_name(faction)})"
        rows = [
            f"{names.code(unit)} {CARDS[unit].name.capitalize():10} {CARDS[unit].strength}  {status(model, unit)}"
            for unit in ROSTER[faction]
        ]
        columns.append([head, *rows])
    return [f"{left:{_COLUMN}}{right}".rstrip() for left, right in zip(*columns, strict=True)]


def overview_spoken(model: Model) -> list[str]:
    """Return all 24 units, one sentence each."""
    return [
        f"{CARDS[unit].name.capitalize()}, strength {CARDS[unit].strength}, {status(model, unit)}."
        for faction in (model.faction, OTHER[model.faction])
        for unit in ROSTER[faction]
    ]


def eye(model: Model) -> list[str]:
    """Return which of the own units the opponent knows, and which not."""
    shown: list[str] = []
    secret: list[str] = []
    for unit in ROSTER[model.faction]:
        kind, region, known = m.whereabouts(model, unit)
        if kind == Whereabouts.STANDS:
            (shown if known else secret).append(f"{CARDS[unit].name.capitalize()} {region}")
    return [
        f"{model.opponent} knows: {', '.join(shown) or 'none of your units'}.",
        f"Secret: {', '.join(secret) or 'none'}.",
    ]


# -- the Honor table ------------------------------------------------------------------------------------------


def honor_table(terms: Terms) -> list[str]:
    """Return what costs or brings Honor, each number asked of the rules."""
    counts = range(1, _MOST_UNITS + 1)
    forward = " ".join(names.signed(-honor.friendly_penalty(count, 1)).rjust(4) for count in counts)
    backward = " ".join(names.signed(-honor.friendly_penalty(count, -1)).rjust(4) for count in counts)
    all_out = [
        honor.combat_penalties(maneuver, 0, 0, alone=False)[0] for maneuver in (Maneuver.ATTACK, Maneuver.DEFENSE)
    ]
    much = honor.combat_penalties(Maneuver.STANDARD, honor.FREE_ENERGY + 1, 0, alone=False)[1]
    lines = [
        f"Move, units:            {' '.join(f'{count:4}' for count in counts)}",
        f"  forward               {forward}",
        f"  back, or a flight level {backward[2:]}",
        "Attack, units:          " + " ".join(f"{count:4}" for count in counts) + "   defenders",
    ]
    for attackers in counts:
        row = " ".join(names.signed(_attack(attackers, defenders, 1)).rjust(4) for defenders in counts)
        lines.append(f"  {attackers} attackers           {row}")
    even = _attack(1, 1, -1)
    lines += [
        f"  equal numbers, backward {names.signed(even)}, but not in your own base",
        f"Retreat that happens {-honor.retreat_penalty(0, 2)}   all-out attack {-all_out[0]}"
        f"   all-out defense {-all_out[1]}   more than {honor.FREE_ENERGY} Energy {-much}",
        f"Liturgy {-powers.liturgy_penalty(1)}, with an empty stock {-powers.liturgy_penalty(0)}"
        f"   thunderbolt {-powers.BOLT_PENALTY}   sneak attack {-movement.SNEAK_PENALTY}",
        "Each enemy in your base at the start of your turn -1.  Honor 0 loses the game at once.",
        f"Energy: crossing the Styx {-honor.STYX_ENERGY}, thunderbolt {-powers.BOLT_ENERGY},"
        f" recall {-powers.RECALL_ENERGY}, sneak attack {-movement.SNEAK_ENERGY}, liturgy +{powers.LITURGY_ENERGY}",
    ]
    if terms.open_combat:
        lines.append(f"Open combat: an attack on an equal number {_open_bonus():+d}")
    return lines


def _attack(attackers: int, defenders: int, direction: int) -> int:
    penalty, bonus = honor.attack_change(attackers, defenders, direction, own_base=False)
    return bonus - penalty


def _open_bonus() -> int:
    """Return what the variant adds to an attack on an equal number."""
    origin, target = 13, 14
    plain, varied = (
        honor.step(Faction.CHTHONIANS, 1, 0, 0, origin, target, 1, False, variant) for variant in (False, True)
    )
    assert plain is not None
    assert varied is not None
    return varied.honor - plain.honor


def goals() -> list[str]:
    """Return what the sides play for."""
    return [
        f"The {names.side_name(FACTIONS[0])} win when Hades or Persephone reaches the Palace ({PALACE}).",
        f"The {names.side_name(FACTIONS[1])} win when both leaders are gone. Whoever has no Honor left has lost.",
        f"Tartarus ({TARTARUS}) and the Palace are the bases.",
    ]
