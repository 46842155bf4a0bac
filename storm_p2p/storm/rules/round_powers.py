"""Which powers have acted in a round of combat, beside those that count in it: said as events, they change nothing."""

from __future__ import annotations

from storm_p2p.storm import events as ev
from storm_p2p.storm import units as traits
from storm_p2p.storm.bitboard import Bitboard, Choice
from storm_p2p.storm.board import CROSSES, FACTIONS, Faction, Region, retreat_ways
from storm_p2p.storm.rules import honor
from storm_p2p.storm.rules.combat import may_slip
from storm_p2p.storm.units import CARDS, EVERY_MANEUVER, Maneuver, units_in


def note_choices(events: list[ev.Event], board: Bitboard, masks: tuple[int, ...], chosen: tuple[Choice, ...]) -> None:
    """Say what the sides have chosen, and which powers shaped what they could choose."""
    for faction in FACTIONS:
        events.append(ev.Chose(faction, EVERY_MANEUVER[chosen[faction][0]], chosen[faction][1]))
    for faction in FACTIONS:
        mask = masks[faction]
        if board.alone[faction] and mask & (traits.RESTRICTED | traits.THINNERS):
            unit = units_in(mask)[0]
            events.append(ev.Used(unit, "thins_enemy" if mask & traits.THINNERS else "alone_maneuvers"))
        if mask & traits.BOUNDLESS and chosen[faction][1] > honor.FREE_ENERGY:
            events.append(ev.Used(units_in(mask & traits.BOUNDLESS)[0], "boundless_energy"))
        if board.round == 1 and mask & traits.SEERS and (not board.open_combat or board.attacker == faction):
            events.append(ev.Used(units_in(mask & traits.SEERS)[0], "sees_first"))


def note_fines(events: list[ev.Event], maneuver: int, energy: int, mask: int, *, alone: bool) -> None:
    """Say which power changed the penalties for a choice."""
    much = energy > honor.FREE_ENERGY and not mask & traits.BOUNDLESS
    if much or maneuver in (Maneuver.ATTACK, Maneuver.DEFENSE):
        note_penalty_powers(events, mask, alone=alone)


def note_penalty_powers(events: list[ev.Event], mask: int, *, alone: bool) -> None:
    """Say which power changed a penalty of these units (APO-2, DIO-1)."""
    for unit in units_in(mask):
        if CARDS[unit].doubles_penalties:
            events.append(ev.Used(unit, "doubles_penalties"))
        elif alone and CARDS[unit].spares_penalties:
            events.append(ev.Used(unit, "spares_penalties"))


def note_slip(events: list[ev.Event], mask: int, enemy: int, *, alone: bool) -> None:
    """Say that a unit slips away from a Chase (PER-1), or who holds it (HRM-2)."""
    if alone and mask & traits.SLIPPERY:
        if may_slip(mask, enemy, alone=alone):
            events.append(ev.Used(units_in(mask)[0], "slips_away"))
        else:
            events.append(ev.Used(units_in(enemy & traits.HOLDERS)[0], "holds_slippery"))


def note_strength(
    events: list[ev.Event],
    board: Bitboard,
    chosen: tuple[Choice, ...],
    acted: tuple[Maneuver, ...],
    masks: tuple[int, ...],
) -> None:
    """Say whose power counts beside those in the account."""
    for faction in FACTIONS:
        mask = masks[faction]
        if board.alone[faction] and mask & traits.WORTHIER and chosen[faction][1]:
            events.append(ev.Used(units_in(mask)[0], "energy_worth"))
        if acted[faction] == Maneuver.CHASE and mask & traits.CHASERS:
            events.append(ev.Used(units_in(mask & traits.CHASERS)[0], "chase"))


def note_retreat(events: list[ev.Event], board: Bitboard, faction: Faction, target: Region) -> None:
    """Say which powers act in a retreat."""
    region = board.region
    mask = board.at[faction][region]
    note_penalty_powers(events, mask, alone=board.size[faction][region] == 1)
    ways = retreat_ways(region, board.origin or None, attacker=faction == board.attacker)
    if board.alone[faction] and mask & traits.SLIPPERY and target not in ways:
        events.append(ev.Used(units_in(mask)[0], "slips_away"))
    if CROSSES[region][target]:
        events.append(ev.Used(units_in(mask)[0], "ferries"))
