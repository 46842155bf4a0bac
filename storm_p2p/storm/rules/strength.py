"""How strong the units in a combat are: the account of A-44 (docs/rules.md, "Strength").

Pure functions of unit masks.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from storm_p2p.storm import events as ev
from storm_p2p.storm import units as traits
from storm_p2p.storm.board import FACTIONS, OTHER, Faction
from storm_p2p.storm.units import CARDS, STRENGTH, Maneuver, Unit, units_in

CHASE_MODIFIER: Final = -3
"""CHA-1."""
CHARM_COMRADE: Final = 2
"""APH-1."""
CHARM_ENEMY: Final = 3
"""APH-1."""


@lru_cache(maxsize=1 << 14)
def account(mask0: int, mask1: int, attacker: Faction, aid: bool) -> tuple[tuple[int, int], tuple[ev.Modifier, ...]]:
    """Return the base strengths of both sides and every modifier, in the order of A-44.

    Args:
        mask0: the Chthonians in the region.
        mask1: the Olympians in the region.
        attacker: who attacked.
        aid: a charmer next door helps.
    """
    masks = (mask0, mask1)
    everybody = units_in(mask0 | mask1)
    # 1: nominal strength.
    worth = {unit: STRENGTH[unit] for unit in everybody}
    lines: list[ev.Modifier] = []

    def change(unit: Unit, amount: int, power: str) -> None:
        worth[unit] += amount
        lines.append(ev.Modifier(unit, amount, power))

    # 2: HYP-1.
    if (mask0 | mask1) & traits.SILENCERS:
        for unit in everybody:
            if not 1 << unit & traits.SILENCERS:
                change(unit, -worth[unit], "silences")
    for faction in FACTIONS:
        mine = units_in(masks[faction])
        charmers = masks[faction] & traits.CHARMERS
        helped = aid and faction == traits.CHARMING_SIDE
        # 3: APH-1, APH-2; no unit charms itself.
        for unit in mine:
            if 1 << unit & traits.MALES and (helped or charmers & ~(1 << unit)):
                change(unit, CHARM_COMRADE, "charms")
        # 4: HER-1.
        for unit in mine:
            if 1 << unit & traits.SUPPORTED and len(mine) > 1:
                change(unit, CARDS[unit].per_comrade * (len(mine) - 1), "per_comrade")
        # 5: HEP-1.
        for unit in mine:
            if 1 << unit & traits.DEFENDERS and attacker != faction:
                change(unit, CARDS[unit].defending, "defending")
        # 6: APH-1, on the enemies; never below 0 for a unit.
        if charmers:
            for unit in units_in(masks[OTHER[faction]]):
                if 1 << unit & traits.MALES:
                    change(unit, -min(CHARM_ENEMY, worth[unit]), "charms")
    base = [sum(worth[unit] for unit in units_in(mask)) for mask in masks]
    return (base[0], base[1]), tuple(line for line in lines if line.change)


def power(base: int, choice: tuple[int, int], maneuver: Maneuver, mask: int, *, alone: bool) -> int:
    """Return the effective power of a side (CBT-5).

    Args:
        base: the base strength of its units.
        choice: the maneuver and the Energy that it has chosen.
        maneuver: the one that it acts (RET-5).
        mask: its units.
        alone: it began the round with one unit.
    """
    # ARE-1.
    worth = CARDS[mask.bit_length() - 1].energy_worth if alone and mask & traits.WORTHIER else 1
    total = base + worth * choice[1]
    # CHA-1, ART-1.
    if maneuver == Maneuver.CHASE:
        total += chase_modifier(mask)
    # AOA-2, AOD-2.
    return 2 * total if maneuver in (Maneuver.ATTACK, Maneuver.DEFENSE) else total


def chase_modifier(mask: int) -> int:
    """Return what a Chase adds to the power of these units (CHA-1, ART-1)."""
    return max((CARDS[unit].chase for unit in units_in(mask & traits.CHASERS)), default=CHASE_MODIFIER)
