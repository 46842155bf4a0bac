"""A combat as it stands: how strong its units are, who chooses, what a side may choose, where it may retreat to.

The rules are docs/rules.md, "Combat", "The maneuvers" and "Strength"; the account of A-44 is a pure function of unit
masks.  What follows from the choices stands in ``rounds``.
"""

from functools import lru_cache
from typing import Final

from storm_p2p.storm import events as ev
from storm_p2p.storm import units as traits
from storm_p2p.storm.actions import Fight, Retreat
from storm_p2p.storm.bitboard import Bitboard
from storm_p2p.storm.board import CROSSES, FACTIONS, NEIGHBOURS, OTHER, Faction, Region, retreat_ways
from storm_p2p.storm.errors import IllegalAction
from storm_p2p.storm.events import Modifier
from storm_p2p.storm.rules.honor import MOST_IN_REGION
from storm_p2p.storm.state import AID, BOLT, FIGHT, LOSE, RETREAT, SNEAK, TURN, State, Token, combat_of, known_mask
from storm_p2p.storm.state_builder import StateBuilder, find_charmers, look
from storm_p2p.storm.units import CARDS, EVERY_MANEUVER, STRENGTH, Maneuver, Unit, units_in

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


ENERGY_PER_UNIT: Final = 6
"""NRG-1."""


def limit_energy(mask: int, enemy: int, count: int, stock: int, *, enemy_alone: bool) -> int:
    """Return the most Energy that ``count`` units may spend in a round against ``enemy`` (NRG-1, MOI-1, NYX-1)."""
    if mask & traits.BOUNDLESS:
        return stock
    if enemy_alone and enemy & traits.THINNERS:
        count -= CARDS[enemy.bit_length() - 1].thins_enemy
    return min(stock, ENERGY_PER_UNIT * count)


def may_choose(mask: int, *, alone: bool) -> tuple[Maneuver, ...]:
    """Return what these units may choose in a round (CBT-4, CER-1, ERI-2)."""
    if alone and mask & traits.RESTRICTED:
        return CARDS[mask.bit_length() - 1].alone_maneuvers or EVERY_MANEUVER
    return EVERY_MANEUVER


def may_slip(mask: int, enemy: int, *, alone: bool) -> bool:
    """Return whether no Chase stops a retreat of these units (PER-1): nobody who could hold them is there (HRM-2)."""
    return alone and bool(mask & traits.SLIPPERY) and not enemy & traits.HOLDERS


def deciders(board: Bitboard) -> tuple[Faction, ...]:
    """Return who decides now, of what is asked in a turn or a combat; both when the choice is simultaneous."""
    phase = board.phase
    if phase is TURN:
        return (board.turn,)
    if phase is FIGHT:
        return _choosers(board)
    if phase in (SNEAK, BOLT):
        return (OTHER[board.turn],)
    if phase == AID:
        return (traits.CHARMING_SIDE,)
    if phase == LOSE:
        return board.losers[:1]
    if phase == RETREAT:
        return board.leavers[:1]
    return (find_chased(board),)


def find_chased(board: Bitboard) -> Faction:
    """Return which side plays Retreat; only one of them does when somebody asks."""
    first = board.choices[0]
    assert first is not None
    return FACTIONS[0] if first[0] == Maneuver.RETREAT else FACTIONS[1]


def _seer_order(board: Bitboard) -> tuple[Faction, ...]:
    # ATH-1: only in the first round, and only while she lives; of two sides that see, none sees first.
    if board.round == 1:
        ours, theirs = board.at[0][board.region] & traits.SEERS, board.at[1][board.region] & traits.SEERS
        if theirs and not ours:
            return FACTIONS
        if ours and not theirs:
            return OTHER
    return ()


def _choosers(board: Bitboard) -> tuple[Faction, ...]:
    """Return who chooses now, the defender first."""
    attacker, defender = board.attacker, OTHER[board.attacker]
    order = _seer_order(board)
    if board.open_combat:
        # VAR-2; VAR-6: attacking, she reverses the order of the first round; defending she adds nothing.
        turned = board.round != 1 or (order and order[1] == attacker)
        order = (defender, attacker) if turned else (attacker, defender)
    waiting = [faction for faction in order or (defender, attacker) if board.choices[faction] is None]
    return tuple(waiting[:1]) if order else tuple(waiting)


def find_ways_out(board: Bitboard, faction: Faction) -> list[Region]:
    """Return where a side may retreat to (RET-2..5, PER-2, CHN-2)."""
    region = board.region
    mask, count = board.at[faction][region], board.size[faction][region]
    alone = board.alone[faction]
    if alone and mask & traits.SLIPPERY:
        ways = NEIGHBOURS[region]
    else:
        ways = retreat_ways(region, board.origin or None, attacker=faction == board.attacker)
    dry = not (alone and mask & traits.FERRIES)
    crosses, ours, theirs = CROSSES[region], board.size[faction], board.size[OTHER[faction]]
    return [
        there
        for there in ways
        if not (dry and crosses[there]) and not theirs[there] and ours[there] + count <= MOST_IN_REGION
    ]


def can_help(board: Bitboard) -> bool:
    """Return whether somebody hidden next door could be a charmer, if a male could use her (APH-2, A-34)."""
    return bool(board.at[traits.CHARMING_SIDE][board.region] & traits.MALES) and board.may_charm(
        NEIGHBOURS[board.region]
    )


def knows_help(board: Bitboard) -> bool:
    """Return whether a charmer next door that everybody knows helps a male (A-34)."""
    side = board.at[traits.CHARMING_SIDE]
    if not side[board.region] & traits.MALES:
        return False
    found = 0
    for region in NEIGHBOURS[board.region]:
        found |= side[region]
    return found & traits.CHARMERS & board.known != 0


# -- asked of a state -------------------------------------------------------------------------------------


def masks_of(state: State) -> tuple[int, int]:
    """Return who fights on each side; everybody knows them (CBT-1)."""
    ours, theirs = (side[combat_of(state).region] for side in state.sides)
    return known_mask(ours), known_mask(theirs)


def strengths(state: State, *, aid: bool | None = None) -> tuple[tuple[int, int], tuple[Modifier, ...]]:
    """Return both base strengths and what powers did to them; ``aid`` is whether somebody helps, if not as it is."""
    current = combat_of(state)
    return account(*masks_of(state), current.attacker, current.aid if aid is None else aid)


def energy_limit(state: State, faction: Faction) -> int:
    """Return the most Energy a side may spend in this round."""
    current, masks, enemy = combat_of(state), masks_of(state), OTHER[faction]
    count = len(state.sides[faction][current.region])
    return limit_energy(masks[faction], masks[enemy], count, state.energy[faction], enemy_alone=current.alone[enemy])


def maneuvers(state: State, faction: Faction) -> tuple[Maneuver, ...]:
    """Return what a side may choose in this round."""
    return may_choose(masks_of(state)[faction], alone=combat_of(state).alone[faction])


def sealed(state: State) -> bool:
    """Return whether both sides of the present combat choose without seeing the other's choice (CBT-3)."""
    return not state.terms.open_combat and not _seer_order(look(state))


def ways_out(state: State, faction: Faction) -> tuple[Region, ...]:
    """Return where a side may retreat to."""
    return tuple(find_ways_out(look(state), faction))


def slips(state: State, faction: Faction) -> bool:
    """Return whether no Chase stops a side's retreat."""
    masks = masks_of(state)
    return may_slip(masks[faction], masks[OTHER[faction]], alone=combat_of(state).alone[faction])


def choosers(state: State) -> tuple[Faction, ...]:
    """Return who chooses now; both when the choice is simultaneous, the defender first."""
    return _choosers(look(state))


def helpers(state: State | StateBuilder) -> tuple[Token, ...]:
    """Return the hidden tokens next door that could be a charmer, if a male could use her (APH-2, A-34)."""
    combat = state.combat
    assert combat is not None
    side = state.sides[traits.CHARMING_SIDE]
    if not known_mask(side[combat.region]) & traits.MALES:
        return ()
    return tuple(token for region in NEIGHBOURS[combat.region] for token in find_charmers(side[region]))


# -- checks -----------------------------------------------------------------------------------------------


def check_fight(builder: StateBuilder, action: Fight) -> None:
    """Refuse a choice that the rules do not allow.

    Raises:
        IllegalAction: with the limit that was broken.
    """
    faction, region = action.faction, builder.region
    choosing = _choosers(builder)
    if faction not in choosing:
        raise IllegalAction("not-your-choice", "expected {words} to choose, got the other side", words=choosing)
    mask, enemy = builder.at[faction][region], builder.at[OTHER[faction]][region]
    allowed = may_choose(mask, alone=builder.alone[faction])
    if action.maneuver not in allowed:
        raise IllegalAction(
            "no-such-maneuver", "expected {words}, got {other}", words=tuple(allowed), other=action.maneuver
        )
    limit = limit_energy(
        mask, enemy, builder.size[faction][region], builder.energy[faction], enemy_alone=builder.alone[OTHER[faction]]
    )
    if not 0 <= action.energy <= limit:
        raise IllegalAction(
            "too-much-energy", "expected 0 to {number} Energy, got {more}", number=limit, more=action.energy
        )


def check_retreat(builder: StateBuilder, action: Retreat) -> None:
    """Refuse a retreat to where the rules do not let the side go.

    Raises:
        IllegalAction: with the ways that are open.
    """
    ways = tuple(find_ways_out(builder, deciders(builder)[0]))
    if action.target not in ways:
        raise IllegalAction(
            "no-way-out", "expected a retreat to {words}, got {region}", words=ways, region=action.target
        )
