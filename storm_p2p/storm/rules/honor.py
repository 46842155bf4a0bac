"""What Honor a decision costs or gains (docs/rules.md, "Honor"; rules HON, NRG-2, AOA-1, AOD-1, RET-6, VAR-3).

Pure functions of numbers and unit masks.  A penalty is a number of 0 or more; a change has a sign.
"""

from functools import lru_cache
from typing import Final, NamedTuple

from storm_p2p.storm.board import ADJACENT, BASE, CROSSES, PALACE, Region, climbs
from storm_p2p.storm.units import BOUNDLESS, CARDS, DOUBLERS, FLIERS, LEADERS, SPARERS, Maneuver

RETREAT_PENALTY: Final = 2
"""RET-6."""
ALL_OUT_PENALTY: Final = 2
"""AOA-1, AOD-1."""
FREE_ENERGY: Final = 4
"""NRG-2: up to this much Energy in a round costs no Honor."""
STYX_ENERGY: Final = 2
"""MOV-5."""
SNEAK_ENERGY: Final = 2
"""ERI-1."""
SNEAK_PENALTY: Final = 1
"""ERI-1."""
MOST_IN_REGION: Final = 4
"""MOV-4."""


class StepPrice(NamedTuple):
    """What one step or flight costs."""

    honor: int
    """Change of Honor, bonus and penalty netted (A-12)."""
    energy: int
    """Energy that must be paid for the Styx."""
    flight: bool
    identified: bool
    """The step itself betrays who moved (A-09)."""
    doubled: bool
    spared: bool


def adjust(penalty: int, mask: int, *, alone: bool, doubling: bool = True) -> int:
    """Return a penalty of the units in ``mask`` after the powers that change penalties (APO-2, DIO-1).

    Args:
        penalty: before the powers, 0 or more.
        mask: the units that decide, as far as they count.
        alone: they are a single unit.
        doubling: it is a penalty of a combat, an attack or a flight (A-36).
    """
    # APO-2: per penalty; bonuses are not doubled (APO-3).
    if doubling and mask & DOUBLERS:
        return 2 * penalty
    # DIO-1: he is the only one who decides.
    if alone and mask & SPARERS:
        return max(0, penalty - CARDS[mask.bit_length() - 1].spares_penalties)
    return penalty


def friendly_penalty(count: int, direction: int) -> int:
    """Return the penalty for a move without a fight; several reasons, the worst counts (HON-3)."""
    # HON-1: forward.
    if direction > 0:
        return count - 1
    # HON-2: backward; FLY-5: so is a friendly flight on equal altitude.
    return max(2, count - 1)


def attack_change(attackers: int, defenders: int, direction: int, *, own_base: bool) -> tuple[int, int]:
    """Return (penalty, bonus) for entering a region with enemies."""
    # HON-4: more attackers than defenders; the direction does not matter.
    if attackers > defenders:
        return 2 * (attackers - defenders), 0
    # HON-5: fewer.
    if attackers < defenders:
        return 0, 2 * (defenders - attackers)
    # HON-6: equal; HON-7: in the own base it counts as forward; FLY-5: so does equal altitude.
    return (1 if direction < 0 and not own_base else 0), 0


@lru_cache(maxsize=1 << 13)
def step(
    faction: int,
    count: int,
    known: int,
    mask: int,
    origin: Region,
    target: Region,
    enemies: int,
    ferried: bool,
    open_combat: bool,
) -> StepPrice | None:
    """Return what a step or flight costs, or None when no way leads there.

    Args:
        faction: who moves.
        count: how many units move.
        known: the movers everybody knows; only they can fly.
        mask: the movers as they will be known when Honor is booked: all of them for an attack.
        origin: where they stand.
        target: where they go.
        enemies: how many enemies stand at the goal.
        ferried: a ferry lets them cross the Styx free (CHN-3).
        open_combat: the variant *Open combat* is played (VAR-2).
    """
    near = ADJACENT[origin][target]
    crossing = near and CROSSES[origin][target]
    # FLY-1, FLY-8: a single revealed flier goes anywhere; to a dry neighbour it walks.
    flight = count == 1 and bool(known & FLIERS) and origin != target and (not near or crossing)
    if not near and not flight:
        return None
    # MOV-5, FLY-2.
    energy = STYX_ENERGY if crossing and not flight and not ferried else 0
    direction = climbs(faction, origin, target)
    alone = count == 1
    if enemies:
        penalty, bonus = attack_change(count, enemies, direction, own_base=target == BASE[faction])
        # VAR-3, A-30: netted with a penalty of the same decision.
        if open_combat and count == enemies:
            bonus += 1
        final = adjust(penalty, mask, alone=alone)
        identified = True
    else:
        bonus = 0
        penalty = friendly_penalty(count, direction)
        # a step that a hidden unit could make as well is not doubled.
        final = adjust(penalty, mask, alone=alone, doubling=flight)
        # a known leader that enters the Palace wins, so everybody sees who went.
        wins = bool(known & LEADERS) and target == PALACE
        # A-09, A-35a: flight and rebate betray the mover.
        identified = flight or final < penalty or wins
    return StepPrice(bonus - final, energy, flight, identified, final > penalty, final < penalty)


def combat_penalties(maneuver: Maneuver, energy: int, mask: int, *, alone: bool) -> tuple[int, int]:
    """Return the penalties for the maneuver and for much Energy: two decisions, so they add up (A-12)."""
    # AOA-1, AOD-1.
    manner = ALL_OUT_PENALTY if maneuver in (Maneuver.ATTACK, Maneuver.DEFENSE) else 0
    # NRG-2; MOI-1 lifts it.
    much = 1 if energy > FREE_ENERGY and not mask & BOUNDLESS else 0
    return adjust(manner, mask, alone=alone), adjust(much, mask, alone=alone)


def retreat_penalty(mask: int, count: int) -> int:
    """Return the penalty for a retreat that happens, tested with the units that leave (RET-6, RET-9, A-20)."""
    return adjust(RETREAT_PENALTY, mask, alone=count == 1)
