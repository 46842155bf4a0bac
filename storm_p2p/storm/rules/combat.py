"""A combat as it stands: who chooses now, what a side may choose, where it may retreat to.

The rules are docs/rules.md, "Combat" and "The maneuvers".  What follows from the choices stands in ``rounds``,
what the units are worth in ``strength``.
"""

from __future__ import annotations

from typing import Final

from storm_p2p.storm.actions import Fight, Retreat
from storm_p2p.storm.board import (
    CROSSES,
    FACTIONS,
    NEIGHBOURS,
    OTHER,
    Faction,
    Region,
    retreat_ways,
)  # fmt: skip
from storm_p2p.storm.errors import IllegalAction
from storm_p2p.storm.rules.honor import MOST_IN_REGION
from storm_p2p.storm.rules.strength import account, chase_modifier, power
from storm_p2p.storm.state import RETREAT, Combat, Group, State, Token, known_mask
from storm_p2p.storm.state_builder import StateBuilder
from storm_p2p.storm.units import (
    BOUNDLESS,
    CARDS,
    CHARMERS,
    CHARMING_SIDE,
    EVERY_MANEUVER,
    FERRIES,
    HOLDERS,
    MALES,
    RESTRICTED,
    SEERS,
    SLIPPERY,
    THINNERS,
    Maneuver,
)  # fmt: skip

__all__ = [
    "ENERGY_PER_UNIT", "account", "chase_modifier", "check_fight", "check_retreat", "choosers", "energy_limit",
    "find_leaver", "groups_at", "helpers", "maneuvers", "power", "sealed", "slips", "ways_out",
]  # fmt: skip

ENERGY_PER_UNIT: Final = 6
"""NRG-1."""


def energy_limit(combat: Combat, groups: tuple[Group, Group], stock: int, faction: Faction) -> int:
    """Return the most Energy a side may spend in this round (NRG-1, MOI-1, NYX-1)."""
    mask, enemy = known_mask(groups[faction]), known_mask(groups[OTHER[faction]])
    if mask & BOUNDLESS:
        return stock
    count = len(groups[faction])
    if combat.alone[OTHER[faction]] and enemy & THINNERS:
        count -= CARDS[enemy.bit_length() - 1].thins_enemy
    return min(stock, ENERGY_PER_UNIT * count)


def maneuvers(combat: Combat, groups: tuple[Group, Group], faction: Faction) -> tuple[Maneuver, ...]:
    """Return what a side may choose in this round (CBT-4, CER-1, ERI-2)."""
    mask = known_mask(groups[faction])
    if combat.alone[faction] and mask & RESTRICTED:
        return CARDS[mask.bit_length() - 1].alone_maneuvers or EVERY_MANEUVER
    return EVERY_MANEUVER


def groups_at(state: State | StateBuilder, region: Region) -> tuple[Group, Group]:
    """Return the Chthonian and the Olympian group in a region."""
    return state.sides[0][region], state.sides[1][region]


def sealed(state: State) -> bool:
    """Return whether both sides of the present combat choose without seeing the other's choice (CBT-3)."""
    return not state.terms.open_combat and not _seer_order(state)


def _seer_order(state: State) -> tuple[Faction, ...]:
    combat = state.combat
    assert combat is not None
    # ATH-1: only in the first round, and only while she lives; of two sides that see, none sees first.
    if combat.round == 1:
        seeing = [faction for faction in FACTIONS if known_mask(state.sides[faction][combat.region]) & SEERS]
        if len(seeing) == 1:
            return OTHER[seeing[0]], seeing[0]
    return ()


def choosers(state: State) -> tuple[Faction, ...]:
    """Return who chooses now; both when the choice is simultaneous, the defender first."""
    combat = state.combat
    assert combat is not None
    attacker, defender = combat.attacker, OTHER[combat.attacker]
    order = _seer_order(state)
    if state.terms.open_combat:
        # VAR-2; VAR-6: attacking, she reverses the order of the first round; defending she adds nothing.
        turned = combat.round != 1 or (order and order[1] == attacker)
        order = (defender, attacker) if turned else (attacker, defender)
    waiting = [faction for faction in order or (defender, attacker) if combat.choices[faction] is None]
    return tuple(waiting[:1]) if order else tuple(waiting)


def ways_out(state: State | StateBuilder, faction: Faction) -> tuple[Region, ...]:
    """Return where a side may retreat to (RET-2..5, PER-2, CHN-2)."""
    combat = state.combat
    assert combat is not None
    group = state.sides[faction][combat.region]
    mask = known_mask(group)
    alone = combat.alone[faction]
    if alone and mask & SLIPPERY:
        ways = NEIGHBOURS[combat.region]
    else:
        ways = retreat_ways(combat.region, combat.origin, attacker=faction == combat.attacker)
    dry = not (alone and mask & FERRIES)
    ours, theirs = state.sides[faction], state.sides[OTHER[faction]]
    return tuple(
        there
        for there in ways
        if not (dry and CROSSES[combat.region][there])
        and not theirs[there]
        and len(ours[there]) + len(group) <= MOST_IN_REGION
    )


def slips(combat: Combat, masks: tuple[int, int], faction: Faction) -> bool:
    """Return whether no Chase stops a side's retreat (PER-1), for nobody who could hold it is there (HRM-2)."""
    return combat.alone[faction] and bool(masks[faction] & SLIPPERY) and not masks[OTHER[faction]] & HOLDERS


def find_leaver(state: State) -> Faction:
    """Return which side decides in the phases RETREAT and STAY."""
    combat = state.combat
    assert combat is not None
    if state.phase == RETREAT:
        return combat.leavers[0]
    first = combat.choices[0]
    assert first is not None
    return FACTIONS[0] if first.maneuver == Maneuver.RETREAT else FACTIONS[1]


def helpers(state: State | StateBuilder) -> tuple[Token, ...]:
    """Return the hidden tokens next door that could be a charmer, if a male could use her (APH-2, A-34)."""
    combat = state.combat
    assert combat is not None
    side = state.sides[CHARMING_SIDE]
    if not known_mask(side[combat.region]) & MALES:
        return ()
    return tuple(
        token
        for region in NEIGHBOURS[combat.region]
        for token in side[region]
        if not token.known and token.can & CHARMERS
    )


# -- checks -----------------------------------------------------------------------------------------------


def check_fight(state: State, action: Fight) -> None:
    """Refuse a choice that the rules do not allow.

    Raises:
        IllegalAction: with the limit that was broken.
    """
    combat = state.combat
    assert combat is not None
    if action.faction not in choosers(state):
        raise IllegalAction("not-your-choice", "expected {words} to choose, got the other side", words=choosers(state))
    groups = groups_at(state, combat.region)
    allowed = maneuvers(combat, groups, action.faction)
    if action.maneuver not in allowed:
        raise IllegalAction(
            "no-such-maneuver", "expected {words}, got {other}", words=tuple(allowed), other=action.maneuver
        )
    limit = energy_limit(combat, groups, state.energy[action.faction], action.faction)
    if not 0 <= action.energy <= limit:
        raise IllegalAction(
            "too-much-energy", "expected 0 to {number} Energy, got {more}", number=limit, more=action.energy
        )


def check_retreat(state: State, action: Retreat) -> None:
    """Refuse a retreat to where the rules do not let the side go.

    Raises:
        IllegalAction: with the ways that are open.
    """
    ways = ways_out(state, find_leaver(state))
    if action.target not in ways:
        raise IllegalAction(
            "no-way-out", "expected a retreat to {words}, got {region}", words=ways, region=action.target
        )

