"""Which powers have acted in a round of combat, beside those that count in it: said as events, they change nothing."""

from __future__ import annotations

from storm_p2p.storm import events as ev
from storm_p2p.storm.board import FACTIONS, OTHER, Faction
from storm_p2p.storm.rules import honor
from storm_p2p.storm.rules.combat import slips
from storm_p2p.storm.state import Combat, CombatChoice
from storm_p2p.storm.state_builder import StateBuilder
from storm_p2p.storm.units import BOUNDLESS, CARDS, HOLDERS, RESTRICTED, SEERS, SLIPPERY, THINNERS, units_in


def note_limits(
    builder: StateBuilder, combat: Combat, masks: tuple[int, int], chosen: tuple[CombatChoice, CombatChoice]
) -> None:
    """Say which powers shaped what the sides could choose."""
    for faction in FACTIONS:
        mask = masks[faction]
        if combat.alone[faction] and mask & (RESTRICTED | THINNERS):
            unit = units_in(mask)[0]
            builder.events.append(ev.Used(unit, "thins_enemy" if mask & THINNERS else "alone_maneuvers"))
        if mask & BOUNDLESS and chosen[faction].energy > honor.FREE_ENERGY:
            builder.events.append(ev.Used(units_in(mask & BOUNDLESS)[0], "boundless_energy"))
        if combat.round == 1 and mask & SEERS and _seer_acts(builder, combat, faction):
            builder.events.append(ev.Used(units_in(mask & SEERS)[0], "sees_first"))


def _seer_acts(builder: StateBuilder, combat: Combat, faction: Faction) -> bool:
    return not builder.terms.open_combat or combat.attacker == faction


def note_penalty_powers(builder: StateBuilder, mask: int, *, alone: bool) -> None:
    """Say which power changed a penalty of these units (APO-2, DIO-1)."""
    for unit in units_in(mask):
        if CARDS[unit].doubles_penalties:
            builder.events.append(ev.Used(unit, "doubles_penalties"))
        elif alone and CARDS[unit].spares_penalties:
            builder.events.append(ev.Used(unit, "spares_penalties"))


def note_slip(builder: StateBuilder, combat: Combat, masks: tuple[int, int], faction: Faction) -> bool:
    """Return whether a side slips away, and say so: a Chase does not stop her (PER-1) unless he is there (HRM-2)."""
    if not (combat.alone[faction] and masks[faction] & SLIPPERY):
        return False
    free = slips(combat, masks, faction)
    if free:
        builder.events.append(ev.Used(units_in(masks[faction])[0], "slips_away"))
    else:
        builder.events.append(ev.Used(units_in(masks[OTHER[faction]] & HOLDERS)[0], "holds_slippery"))
    return free
