"""What an action will cost before it is sent: prices, what each side learns, warnings, cheaper ways (console.md 3.7).

Every number comes from the engine; this module only asks it and puts the answers side by side.

An action is asked about more loudly than its price alone would have it (grades 2 and 3) only for what is certain, or
what known enemies can do next.
"""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache

from cli.console.messages import Severity
from cli.language import cached
from cli.storm import model
from cli.storm.text import prices
from cli.storm.text.names import any_of
from cli.text.wording import opening
from storm_p2p.storm import engine, units
from storm_p2p.storm.actions import Action, Bolt, Fight, Lose, Move, Opening, Reveal, Sneak
from storm_p2p.storm.board import BASE, CROSSES, NEIGHBOURS, OTHER, PALACE, REGIONS, Faction, Region, climbs
from storm_p2p.storm.engine import Price
from storm_p2p.storm.errors import IllegalAction
from storm_p2p.storm.rules import combat, honor, movement
from storm_p2p.storm.rules.honor import STYX_ENERGY
from storm_p2p.storm.rules.options import answer_succession
from storm_p2p.storm.state import Group, Phase, State, combat_of, known_mask, mask
from storm_p2p.storm.units import CARDS, LEADERS, NAME, Maneuver, Unit, mask_of, units_in

LITTLE = 2
"""Honor of so much or less is a reason of its own to ask."""


# -- what loses the game ------------------------------------------------------------------------------------


def fatal_notes(state: State, action: Action, faction: Faction, after: int) -> list[str]:
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
        current = combat_of(state)
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
    # In an empty Palace it wins.
    if leaders and not (_reaches_goal(state, action, faction) and not state.sides[OTHER[faction]][PALACE]):
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
    lost = lost_by(state, action, faction)
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


def lost_by(state: State, action: Action, faction: Faction) -> set[Unit]:
    """Return which own units an action eliminates."""
    return set(model.lost_units(shown(state, action, faction), faction)) - set(model.lost_units(state, faction))


def _afterwards(state: State, action: Action) -> State:
    """Return the state after an action, or the present one when others have to answer first."""
    after = engine.apply(state, action)[0]
    return after if after.phase == Phase.TURN else state


def _strikes(action: Action, region: Region, state: State) -> bool:
    """Return whether an action is directed against enemies in a region, who may not be there any more after it."""
    if isinstance(action, Bolt):
        return action.target == region
    return (
        isinstance(action, Move | Sneak) and action.path[-1] == region and bool(state.sides[OTHER[state.turn]][region])
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
    foe = OTHER[faction]
    for region in REGIONS:
        own = state.sides[faction][region]
        if not own or (state.combat is not None and state.combat.region == region):
            continue
        for origin in NEIGHBOURS[region]:
            enemies = known_mask(state.sides[foe][origin])
            if not enemies or (CROSSES[origin][region] and state.energy[foe] < STYX_ENERGY):
                continue
            theirs, ours = strengths(foe, enemies, mask(own))
            need = theirs - ours + 1
            if 0 < need <= combat.ENERGY_PER_UNIT * len(own):
                yield need, region, origin


@dataclass(frozen=True, slots=True)
class Odds:
    """Numbers and base strengths, before Energy and maneuvers; what hidden enemies can be makes it least and most."""

    ours: int
    theirs: int
    mine: tuple[int, int]
    his: tuple[int, int]


def odds(state: State, action: Move | Sneak, faction: Faction) -> Odds | None:
    """Return what is known of the attack that an action begins, or None where nobody is attacked.

    The state is the owner's view: of a hidden enemy only what everybody knows that it can be is asked.
    """
    enemies = state.sides[OTHER[faction]][action.path[-1]]
    if not enemies:
        return None
    places = action.movers if isinstance(action, Move) else (action.mover,)
    group = state.sides[faction][action.path[0]]
    mine = mask_of(unit for place in places if (unit := group[place].unit) is not None)
    return Odds(len(places), len(enemies), *_ranges(faction, mine, tuple(token.can for token in enemies)))


@lru_cache(maxsize=1 << 10)
def _ranges(faction: Faction, mine: int, cans: tuple[int, ...]) -> tuple[tuple[int, int], tuple[int, int]]:
    """Return the least and the most of both strengths, over all that the enemies can be."""
    own, others = zip(*(strengths(faction, mine, his) for his in _possible_strengths(cans)), strict=True)
    return (min(own), max(own)), (min(others), max(others))


def _possible_strengths(cans: tuple[int, ...]) -> tuple[int, ...]:
    """Return which units a group can be together, no unit twice; a cheat's token may be nothing that is left."""
    found = {0}
    for can in cans:
        found = {mask | 1 << unit for mask in found for unit in units_in(can) if not mask >> unit & 1} or found
    return tuple(found)


def strengths(faction: Faction, mine: int, his: int) -> tuple[int, int]:
    """Return the base strengths of an attacker and of those who are attacked, from the bits of their units."""
    masks = {faction: mine, OTHER[faction]: his}
    base, _ = combat.account(masks[Faction.CHTHONIANS], masks[Faction.OLYMPIANS], faction, False)
    return base[faction], base[OTHER[faction]]


MOST_HINTS = 3
"""How many cheaper ways are named."""


@dataclass(frozen=True, slots=True)
class Preview:
    """Everything to be said about an action before it is sent."""

    words: str
    """The action in canonical words; a choice in a combat in plain ones."""
    honor: tuple[int, int]
    """The own Honor before and after the price."""
    energy: tuple[int, int]
    """The own stock before and after the price."""
    manner: str
    """What kind of move it is, or nothing."""
    told: tuple[str, ...]
    """What is said besides the price, in sentences."""
    severity: Severity


def preview(state: State, action: Action, faction: Faction, opponent: str) -> Preview:
    """Return what is to be said about an action that the owner's view allows, against an opponent of this name."""
    price = engine.price(state, action)
    later = retreat_loss(state, action, faction)
    before, stock = state.honor[faction], state.energy[faction]
    after = before + price.honor
    fatal = fatal_notes(state, action, faction, after)
    reasons = [*fatal, *warnings(state, action, faction, price, later)]
    claims = _claims(state, action, price)
    attack = odds(state, action, faction) if isinstance(action, Move | Sneak) else None
    heir = heir_after(state, action, faction)
    # What begins or decides a combat cannot be taken back even where it is free.
    commits = isinstance(action, Fight) or attack is not None
    loss = price.honor < 0 or price.energy < 0 or later < 0 or bool(price.reveals)
    if fatal:
        severity = Severity.LAST
    elif reasons:
        severity = Severity.WARN
    else:
        severity = Severity.ASK if loss or claims or commits else Severity.FREE
    told = [] if attack is None else [prices.strengths(attack)]
    told += [prices.later(later)] if later else []
    told += [prices.he_learns(opponent, price.reveals)] if price.reveals else []
    told += [prices.leads_then(heir)] if heir is not None else []
    if price.hides and isinstance(action, Move):
        told.append(prices.he_forgets(opponent, action.path[:1] + action.path[-1:]))
    told += [*_notes(state, action, faction), *map(prices.can_claim, claims), *reasons]
    return Preview(
        prices.action(action),
        (before, after),
        (stock, stock + price.energy),
        _manner(state, action, faction, attack),
        tuple(told),
        severity,
    )


# -- prices that come later ---------------------------------------------------------------------------------


def retreat_loss(state: State, action: Action, faction: Faction) -> int:
    """Return by how much a chosen Retreat changes Honor when it happens, 0 or less."""
    if not isinstance(action, Fight) or action.maneuver != Maneuver.RETREAT:
        return 0
    current = combat_of(state)
    group = state.sides[faction][current.region]
    if not combat.ways_out(state, faction):
        return 0
    return -honor.retreat_penalty(known_mask(group), len(group))


# -- what it is and what becomes known ------------------------------------------------------------------------


def heir_after(state: State, action: Action, faction: Faction) -> Unit | None:
    """Return which hidden leader the rules open because the action eliminates the first one (PER-3)."""
    if not isinstance(action, Lose) or not mask_of(lost_by(state, action, faction)) & units.FIRST_LEADER:
        return None
    return answer_succession(shown(state, action, faction)).unit


def _manner(state: State, action: Action, faction: Faction, attack: Odds | None) -> str:
    if not isinstance(action, Move | Sneak):
        return ""
    origin, target = action.path[0], action.path[-1]
    return prices.manner(movement.judge(state, action), attack, climbs(faction, origin, target), len(action.path) - 1)


def _possible(group: Group, holders: int) -> list[Unit]:
    """Return who of some units may be in a group."""
    return [unit for unit in units_in(holders) if any(token.can >> unit & 1 for token in group)]


def _notes(state: State, action: Action, faction: Faction) -> Iterator[str]:
    if isinstance(action, Bolt):
        group = state.sides[OTHER[faction]][action.target]
        if len(group) == 1 and (proof := _possible(group, units.BOLT_PROOF)):
            yield (prices.proof_alone if group[0].known else prices.proof_maybe)(any_of(proof))
        if fed := _possible(group, units.BOLT_FED):
            yield prices.fed(any_of(fed))
    elif isinstance(action, Sneak):
        group = state.sides[OTHER[faction]][action.path[1]]
        if blockers := _possible(group, units.SNEAK_BLOCKERS):
            yield prices.blocker(any_of(blockers))
    elif isinstance(action, Fight):
        if action.maneuver == Maneuver.ATTACK:
            yield str(prices.DIES_AFTER)
        if action.maneuver == Maneuver.RETREAT and not combat.ways_out(state, faction):
            yield str(prices.NO_WAY_OUT)
        if combat.sealed(state):
            yield str(prices.SEALED)
    elif isinstance(action, Reveal):
        yield str(prices.STAYS_KNOWN)
    elif isinstance(action, Move):
        yield from _move_notes(state, action, faction)


def _move_notes(state: State, action: Move, faction: Faction) -> Iterator[str]:
    """Yield who is met and what may happen at the end of a move, and what else its unit could do."""
    hidden = sum(not token.known for token in state.sides[OTHER[faction]][action.path[-1]])
    if hidden:
        yield prices.you_learn(prices.units_there(hidden, action.path[-1]))
    for unit, other, sure in perils(state, action, faction):
        if not sure:
            yield prices.could_perish(other, unit)
    if len(action.units) != 1 or len(action.path) != 2:
        return
    unit, target = action.units[0], action.path[-1]
    if 1 << unit & units.SNEAKS:
        sneak = Sneak((action.path[0], target), action.movers[0])
        with suppress(IllegalAction):
            yield prices.sneak(sneak, engine.price(state, sneak))
    if 1 << unit & units.WANDERERS and not state.sides[OTHER[faction]][target] and not state.sides[faction][target]:
        yield prices.goes_on(unit, target)


def _claims(state: State, action: Action, price: Price) -> tuple[str, ...]:
    """Return what the same move with a claim would bring."""
    if not isinstance(action, Move) or action.claim is not None or len(action.path) != 2:
        return ()
    found = []
    group = state.sides[state.turn][action.path[0]]
    for place in action.movers:
        claiming = Move(action.path, action.movers, action.count, place, action.units)
        try:
            other = engine.price(state, claiming)
        except IllegalAction:
            continue
        unit = group[place].unit
        found.append(prices.claim(claiming, other.energy - price.energy, None if unit is None else Unit(unit)))
    return tuple(found)


# -- cheaper ways ---------------------------------------------------------------------------------------------


@cached(maxsize=4)
def cheaper(state: State, action: Action, faction: Faction) -> list[str]:
    """Return how to get the same, or something like it, for less: revealing first, or other targets."""
    price = engine.price(state, action)
    if not isinstance(action, Move | Sneak) or (price.honor >= 0 and price.energy >= 0):
        return []
    found = list(_reveal_first(state, action, faction, price))
    if isinstance(action, Move):
        targets = [
            (other.path[-1], cost)
            for other, cost in costs(state, faction, action.path[0], action.movers)
            if (cost.honor, cost.energy) > (price.honor, price.energy)
            and cost.energy >= price.energy
            # Going somewhere in peace is no way to do what an attack does, and the other way round.
            and _attacks(state, other, faction) == _attacks(state, action, faction)
        ]
        targets.sort(key=lambda item: (-item[1].honor, -item[1].energy, item[0]))
        if targets:
            found.append(prices.other_targets(targets[:MOST_HINTS]))
        found += _alone(state, action, faction, price)
    return found


def _alone(state: State, action: Move, faction: Faction, price: Price) -> list[str]:
    """Return which units of a group could go to the same region for less without the others."""
    if len(action.movers) < 2:
        return []
    single: list[tuple[Unit, Price]] = []
    for place in action.movers:
        for other, cost in costs(state, faction, action.path[0], (place,)):
            less = (cost.honor, cost.energy) > (price.honor, price.energy) and cost.energy >= price.energy
            if other.path[-1] == action.path[-1] and less:
                single += [(unit, cost) for unit in other.units]
    single.sort(key=lambda item: (-item[1].honor, -item[1].energy))
    return [prices.alone(single[:MOST_HINTS])] if single else []


def _attacks(state: State, action: Move, faction: Faction) -> bool:
    return bool(state.sides[OTHER[faction]][action.path[-1]])


def _reveal_first(state: State, action: Move | Sneak, faction: Faction, price: Price) -> Iterator[str]:
    for reveal in engine.legal_actions(state, faction):
        if not isinstance(reveal, Reveal) or reveal.unit is None:
            continue
        opened = engine.apply(state, reveal)[0]
        if opened.phase == Phase.OPENING:
            opened = engine.apply(opened, Opening((reveal.unit,)))[0]
        if opened.outcome is not None:
            continue
        try:
            other = engine.price(opened, action)
        except IllegalAction:
            continue
        saved = (other.honor - price.honor, other.energy - price.energy)
        if max(saved) > 0 and min(saved) >= 0:
            yield prices.reveal_first(NAME[reveal.unit], *saved)


def costs(state: State, faction: Faction, origin: Region, movers: Sequence[int]) -> list[tuple[Move, Price]]:
    """Return every move of exactly these of a group, by their places in it, the cheapest to each region, without
    claims, with its price."""
    best: dict[Region, tuple[Move, Price]] = {}
    for action, price in engine.options(state, faction):
        if not isinstance(action, Move) or action.claim is not None or action.path[0] != origin:
            continue
        if set(action.movers) == set(movers):
            known = best.get(action.path[-1])
            if known is None or (price.honor, price.energy) > (known[1].honor, known[1].energy):
                best[action.path[-1]] = (action, price)
    return [best[region] for region in sorted(best)]


def ways(
    state: State, faction: Faction, origin: Region, movers: Sequence[int]
) -> list[tuple[Region, Price, Odds | None]]:
    """Return where some of a group can go, as :func:`costs` does, each with its price and whom they would attack."""
    found = costs(state, faction, origin, movers)
    return [(move.path[-1], price, odds(state, move, faction)) for move, price in found]


# -- in lines -------------------------------------------------------------------------------------------------


def lines(found: Preview, hints: Sequence[str] = ()) -> list[str]:
    """Return a preview as lines of a terminal."""
    head = [found.words]
    if found.manner:
        head.append(found.manner)
    changes = prices.changes(found.honor, found.energy)
    shown = [f"{'   '.join(head)}   {'  '.join(changes) or prices.FREE}".rstrip()]
    shown += [f"  {sentence}" for sentence in found.told]
    if hints:
        shown.append(f"  {prices.cheaper('; '.join(hints))}")
    return shown


def sentence(found: Preview, hints: Sequence[str] = ()) -> str:
    """Return a preview as one paragraph for a screen reader."""
    parts = [f"{found.words}."]
    if found.manner:
        parts.append(f"{opening(found.manner)}.")
    parts += [*prices.changes_spoken(found.honor, found.energy), *found.told]
    if hints:
        parts.append(prices.cheaper("; ".join(hints)))
    return " ".join(parts)
