"""Why an action is asked about more loudly than its price alone would have it (console.md 3.7, grades 2 and 3).

Only what is certain, or what known enemies can do next, is a reason; every number comes from the engine.
"""

from collections.abc import Iterator

from cli.storm import model
from cli.storm.text import prices
from storm_p2p.storm import engine
from storm_p2p.storm.actions import Action, Bolt, Fight, Lose, Move, Reveal, Sneak
from storm_p2p.storm.board import BASE, CROSSES, NEIGHBOURS, OTHER, PALACE, REGIONS, Faction, Region
from storm_p2p.storm.engine import Price
from storm_p2p.storm.rules import combat, strength
from storm_p2p.storm.rules.honor import STYX_ENERGY
from storm_p2p.storm.state import Phase, State, known_mask, mask
from storm_p2p.storm.units import CARDS, LEADERS, Maneuver, Unit, mask_of, units_in

LITTLE = 2
"""Honor of so much or less is a reason of its own to ask."""


# -- what loses the game ------------------------------------------------------------------------------------


def fatal(state: State, action: Action, faction: Faction, after: int) -> list[str]:
    """Return why an action that leaves ``after`` Honor loses the game at once, or nearly certainly."""
    if after < 1:
        return [prices.loses_at_once(after, goal=_reaches_goal(state, action, faction))]
    result = engine.apply(state, action)[0].outcome
    if result is not None and result.winner not in (faction.name.lower(), "draw"):
        return [str(prices.LOSES)]
    alive = mask(tuple(model.in_play(state, faction))) & LEADERS
    if not alive:
        return []
    if isinstance(action, Fight) and action.maneuver == Maneuver.ATTACK:
        current = model.combat_of(state)
        if not alive & ~mask(state.sides[faction][current.region]):
            return [str(prices.LAST_LEADER)]
    # Whom it happens to is said with the reasons.
    perishing = mask_of(unit for unit, _, sure in perils(state, action, faction) if sure)
    return [str(prices.LOSES)] if not alive & ~perishing else []


def _reaches_goal(state: State, action: Action, faction: Faction) -> bool:
    if not isinstance(action, Move) or action.path[-1] != PALACE or faction != Faction.CHTHONIANS:
        return False
    return any(1 << unit & LEADERS for unit in action.units)


# -- what is asked with a reason ----------------------------------------------------------------------------


def warnings(state: State, action: Action, faction: Faction, price: Price, later: int) -> Iterator[str]:
    """Yield the reasons of the second grade; ``later`` is the change of Honor that follows if a retreat happens."""
    after = state.honor[faction] + price.honor
    if later and after + later < 1:
        yield prices.retreat_would_lose(after + later)
    elif price.honor + later < 0 and 1 <= after + later <= LITTLE:
        yield prices.little_honor(after + later)
    leaders = [unit for unit in price.reveals if 1 << unit & LEADERS]
    if leaders and not _wins(state, action, faction):
        yield prices.leader_shown(leaders[0])
    if isinstance(action, Lose):
        yield from _losses(state, action, faction)
    for unit, other, sure in perils(state, action, faction):
        if sure and not _last_leader(state, other):
            yield prices.perishes(other, unit)
    yield from _low_stock(state, action, faction, price)
    if state.phase == Phase.TURN and not isinstance(action, Reveal) and not _strikes(action, BASE[faction], state):
        loss = model.base_loss(_afterwards(state, action), faction)
        if loss:
            yield prices.base_loses(loss) if after - loss < 1 else prices.base_costs(loss)


def _losses(state: State, action: Lose, faction: Faction) -> Iterator[str]:
    """Yield what a chosen loss means: whom it takes along (THA-1), and leaders among them."""
    lost = set(model.lost_units(shown(state, action, faction), faction)) - set(model.lost_units(state, faction))
    others = sorted(lost - {action.unit})
    if action.unit is not None and others:
        yield prices.takes_along(action.unit, others)
    yield from (prices.is_leader(unit) for unit in sorted(lost) if 1 << unit & LEADERS)


def shown(state: State, action: Action, faction: Faction) -> State:
    """Return the state after an action and the openings of the own side that it brings with it."""
    after = engine.apply(state, action)[0]
    while after.phase == Phase.OPENING and faction in model.asked_sides(after):
        after = engine.apply(after, engine.legal_actions(after, faction)[0])[0]
    return after


def _afterwards(state: State, action: Action) -> State:
    """Return the state after an action, or the present one when others have to answer first."""
    after = engine.apply(state, action)[0]
    return after if after.phase == Phase.TURN else state


def _wins(state: State, action: Action, faction: Faction) -> bool:
    """Return whether a shown leader ends the game with a win: in an empty Palace."""
    return _reaches_goal(state, action, faction) and not state.sides[OTHER[faction]][PALACE]


def _strikes(action: Action, region: Region, state: State) -> bool:
    """Return whether an action is directed against enemies in a region, who may not be there any more after it."""
    if isinstance(action, Bolt):
        return action.target == region
    return isinstance(action, Move | Sneak) and action.path[-1] == region and bool(
        state.sides[OTHER[state.turn]][region]
    )


# -- enemies whom one does not survive ----------------------------------------------------------------------


def perils(state: State, action: Action, faction: Faction) -> list[tuple[Unit, Unit, bool]]:
    """Return which own units an attack eliminates at first contact (CRO-1, DEM-2): each with the enemy who does it,
    and whether he is known to be there or only could be."""
    if not isinstance(action, Move):
        return []
    group = state.sides[OTHER[faction]][action.path[-1]]
    known = known_mask(group)
    possible = known
    for token in group:
        possible |= token.can
    own = set(action.units)
    found = []
    for card in CARDS:
        pairs = [(card.slays, card.unit)]
        if card.perishes_with is not None:
            pairs += [(card.perishes_with, card.unit), (card.unit, card.perishes_with)]
        for unit, other in pairs:
            if unit is not None and unit in own and possible >> other & 1:
                found.append((unit, other, bool(known >> other & 1)))
    return found


def _last_leader(state: State, unit: Unit) -> bool:
    """Return whether all other leaders are eliminated, so that whoever eliminates this one wins."""
    return bool(1 << unit & LEADERS) and not LEADERS & ~(mask(state.fallen) | state.gone | 1 << unit)


# -- enemies against whom Energy is needed ------------------------------------------------------------------


def _low_stock(state: State, action: Action, faction: Faction, price: Price) -> Iterator[str]:
    """Yield that the stock would no longer do against what known enemies can attack next."""
    if price.energy >= 0:
        return
    stock = state.energy[faction] + price.energy
    if stock == 0:
        yield str(prices.NO_ENERGY)
        return
    worst = max(_threats(_afterwards(state, action), faction), default=None)
    if worst is not None and stock < worst[0] <= state.energy[faction]:
        need, region, origin = worst
        yield prices.threatened(units_in(known_mask(state.sides[OTHER[faction]][origin])), origin, region, need, stock)


def _threats(state: State, faction: Faction) -> Iterator[tuple[int, Region, Region]]:
    """Yield how much Energy each own group needs against known neighbours, with both regions.

    What is compared is the standard maneuver without any Energy of the enemy's; the attacker wins a tie (CBT-6).
    """
    him = OTHER[faction]
    for region in REGIONS:
        own = state.sides[faction][region]
        if not own or (state.combat is not None and state.combat.region == region):
            continue
        for origin in NEIGHBOURS[region]:
            enemies = known_mask(state.sides[him][origin])
            if not enemies or (CROSSES[origin][region] and state.energy[him] < STYX_ENERGY):
                continue
            sides = [0, 0]
            sides[faction], sides[him] = mask(own), enemies
            base, _ = strength.account(sides[0], sides[1], him, aid=False)
            need = base[him] - base[faction] + 1
            if 0 < need <= combat.ENERGY_PER_UNIT * len(own):
                yield need, region, origin
