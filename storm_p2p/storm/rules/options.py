"""What a seat may do, and what each of it costs at once (docs/rules.md, "The engine").

Only for one who knows the own units; :mod:`storm_p2p.storm.engine` checks a single action without listing them all.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final, TypeAlias

from storm_p2p.storm.actions import (
    Action,
    Aid,
    Block,
    Bolt,
    Fight,
    Immune,
    Liturgy,
    Lose,
    Move,
    Opening,
    Pass,
    Recall,
    Retreat,
    Reveal,
    Serial,
    Sneak,
    Stay,
    Succeed,
)  # fmt: skip
from storm_p2p.storm.board import FACTIONS, OTHER, Faction, Region
from storm_p2p.storm.requests import answer_succession, next_request
from storm_p2p.storm.rules import combat, honor, move_list, movement, powers
from storm_p2p.storm.rules.equivalence import member, members
from storm_p2p.storm.rules.movement import Cost
from storm_p2p.storm.rules.occupancy import Occupancy, occupancy_of
from storm_p2p.storm.rules.pricing import Price, price_of, reveal_places
from storm_p2p.storm.state import (
    AID,
    BOLT,
    FIGHT,
    LOSE,
    OPENING,
    RETREAT,
    SNEAK,
    STAY,
    SUCCESSION,
    TURN,
    State,
    Token,
    find,
    known_mask,
)
from storm_p2p.storm.units import (
    BOLT_FED,
    BOLT_ORDER,
    BOLT_PROOF,
    CARDS,
    CHARMERS,
    FLIERS,
    RECALL_ORDER,
    RECALLERS,
    SNEAK_BLOCKERS,
    THROWERS,
    UNITS,
    WANDERERS,
    Maneuver,
    Unit,
    units_in,
)  # fmt: skip


def legal_actions(state: State, seat: int) -> list[Action]:
    """Return every legal action of ``seat``, in a fixed order; it must know its own units."""
    return [action for action, _ in options(state, seat)]


def _answers(state: State, faction: Faction) -> Iterator[Action]:
    """Yield the legal answers in the phases that follow an action."""
    phase, current = state.phase, state.combat
    if phase == LOSE:
        assert current is not None
        yield from (_lose_of(token) for token in state.sides[faction][current.region])
    elif phase in (RETREAT, STAY):
        if phase == STAY:
            yield Stay()
        yield from (Retreat(region) for region in combat.ways_out(state, faction))
    elif phase == AID:
        yield Aid(None)
        for token in combat.helpers(state):
            if token.unit is not None and 1 << token.unit & CHARMERS:
                yield Aid(token.serial, UNITS[token.unit])
    elif phase == SNEAK:
        for token in state.sides[faction][state.target]:
            yield _lose_of(token)
            if token.unit is not None and 1 << token.unit & SNEAK_BLOCKERS:
                yield Block(token.serial)
    elif phase == BOLT:
        yield from _bolt_answers(state, faction)
    elif phase == SUCCESSION:
        yield answer_succession(state)
    elif phase == OPENING:
        found = [find(state, serial) for serial in state.due]
        units = [Unit(place[1].unit) for place in found if place is not None and place[1].unit is not None]
        if len(units) == len(state.due):
            yield Opening(tuple(units))


def _bolt_answers(state: State, faction: Faction) -> Iterator[Action]:
    group = state.sides[faction][state.target]
    fed = [token.serial for token in group if token.unit is not None and 1 << token.unit & BOLT_FED]
    hit = [token for token in group if token.unit is None or not 1 << token.unit & BOLT_PROOF]
    if not hit:
        yield Immune(group[0].serial, None if group[0].unit is None else UNITS[group[0].unit])
    for token in hit:
        yield _lose_of(token)
        yield from (_lose_of(token, serial) for serial in fed)


def _lose_of(token: Token, claim: Serial | None = None) -> Lose:
    return Lose(token.serial, claim, None if token.unit is None else UNITS[token.unit])


Costed: TypeAlias = move_list.Option


def price_actions(state: State, seat: int) -> list[Costed]:
    """Return every legal action of ``seat`` with what it costs, as quickly as possible.

    The actions equal those of :func:`options` but do not name units for the notation.
    """
    if state.phase == TURN:
        return _price_turn(state) if seat == state.turn else []
    request = next_request(state)
    if request is None or seat not in request.seats:
        return []
    if state.phase == FIGHT:
        return _price_fights(state, FACTIONS[seat])
    answers = [(action, price(state, action)) for action in _answers(state, FACTIONS[seat])]
    return [(action, Cost(cost.honor, cost.energy)) for action, cost in answers]


def _price_turn(state: State) -> list[Costed]:
    """What the side whose turn it is may do (TRN-2)."""
    (moves, reveals, gifted), held = _choices(state)
    found: list[Costed] = []
    for _, near in moves:
        found += near.options
    found += reveals
    for region, place in gifted:
        found += _by_power(state, region, place, held)
    found += _for_all(state)
    return found


def _name_turn(state: State) -> list[tuple[Action, Price]]:
    """The same with names."""
    (moves, reveals, gifted), held = _choices(state)
    side = state.sides[state.turn]
    found: list[tuple[Action, Price]] = []
    for group, near in moves:
        found += move_list.name_near(near, members(group))
    for reveal, _ in reveals:
        region, place = reveal.region, reveal.place
        found.append(move_list.name_reveal(region, place, member(side[region][place])))
    for region, place in gifted:
        for option in _by_power(state, region, place, held):
            if isinstance(option[0], Move):
                found.append(move_list.name_option(option, members(side[region])))
            else:
                found.append((option[0], price(state, option[0])))
    found += [(action, price(state, action)) for action, _ in _for_all(state)]
    return found


def _for_all(state: State) -> list[Costed]:
    """Return what needs no unit."""
    liturgy = _LITURGIES[powers.liturgy_penalty(state.energy[state.turn])]
    return [liturgy, _PASS] if powers.may_pass(state) else [liturgy]


def _choices(state: State) -> tuple[move_list.Choices, Occupancy]:
    """Return what the groups of the side to move can do, and who stands where."""
    held = occupancy_of(state)
    stock = state.energy[state.turn]
    able = _ABLE[stock >= powers.BOLT_ENERGY][stock >= powers.RECALL_ENERGY and state.fallen != ()]
    return move_list.choices(state, held, able), held


_ABLE: Final = tuple(
    tuple(frozenset(units_in(WANDERERS | FLIERS | bolts | recalls)) for recalls in (0, RECALLERS))
    for bolts in (0, THROWERS)
)
"""Who may do more than move to a neighbour and open: ``_ABLE[Energy for a bolt][Energy and units for a recall]``."""
_PASS: Final = (Pass(), Cost(0, 0))
_LITURGIES: Final = tuple((Liturgy(), Cost(-penalty, powers.LITURGY_ENERGY)) for penalty in range(3))


def _by_power(state: State, region: Region, place: int, held: Occupancy) -> Sequence[Costed]:
    """Return what a gifted unit may do beside moves to its neighbours."""
    token = state.sides[state.turn][region][place]
    assert token.unit is not None
    bit = 1 << token.unit
    found: list[Costed] = []
    if bit & WANDERERS:
        found += move_list.wanderings(state, region, place, held)
    if bit & FLIERS and token.known:
        found += move_list.flights(state, region, place, held)
    if bit & THROWERS and move_list.danger(region, held) and bit & powers.holders(state, BOLT_ORDER):
        found += [(Bolt(target, token.serial), _BOLT) for target in powers.bolt_targets(state, region)]
    if bit & RECALLERS and state.fallen and bit & powers.holders(state, RECALL_ORDER):
        found += [(Recall(unit, token.serial), _RECALL) for unit in powers.find_recallable(state)]
    return found


_BOLT: Final = Cost(-powers.BOLT_PENALTY, -powers.BOLT_ENERGY)
_RECALL: Final = Cost(0, -powers.RECALL_ENERGY)


def options(state: State, seat: int) -> list[tuple[Action, Price]]:
    """Return every legal action of ``seat`` with its price, in a fixed order; it must know its own units."""
    if state.phase == TURN:
        return _name_turn(state) if seat == state.turn else []
    request = next_request(state)
    if request is None or seat not in request.seats:
        return []
    if state.phase == FIGHT:
        return [(action, Price(cost.honor, cost.energy)) for action, cost in _price_fights(state, FACTIONS[seat])]
    return [(action, price(state, action)) for action in _answers(state, FACTIONS[seat])]


def _price_fights(state: State, faction: Faction) -> list[Costed]:
    current = state.combat
    assert current is not None
    groups = combat.groups_at(state, current.region)
    limit = combat.energy_limit(current, groups, state.energy[faction], faction)
    allowed = combat.maneuvers(current, groups, faction)
    return list(_fights(faction, allowed, limit, known_mask(groups[faction]), current.alone[faction]))


@lru_cache(maxsize=4096)
def _fights(
    faction: Faction, allowed: tuple[Maneuver, ...], limit: int, mask: int, alone: bool
) -> tuple[Costed, ...]:
    found: list[Costed] = []
    for maneuver in allowed:
        for energy in range(limit + 1):
            manner, much = honor.combat_penalties(maneuver, energy, mask, alone=alone)
            found.append(_fight(faction, maneuver, energy, -manner - much))
    return tuple(found)


@lru_cache(maxsize=1 << 11)
def _fight(faction: Faction, maneuver: Maneuver, energy: int, change: int) -> Costed:
    """Return a choice in a combat as one shared value: the lists hold very many of them."""
    return Fight(faction, maneuver, energy), move_list.cost_of(change, -energy)


def price(state: State, action: Action) -> Price:
    """Return what a legal action costs at once and what the opponent learns and forgets by it."""
    match action:
        case Move() | Sneak():
            return _move_price(state, action)
        case Reveal():
            unit = state.sides[state.turn][action.region][action.place].unit
            return Price(0, 0, () if unit is None else (UNITS[unit],))
        case Bolt():
            return Price(-powers.BOLT_PENALTY, -powers.BOLT_ENERGY, _secret(state, [action.thrower]))
        case Recall():
            return Price(0, -powers.RECALL_ENERGY, _secret(state, [action.caller]))
        case Liturgy():
            return Price(-powers.liturgy_penalty(state.energy[state.turn]), powers.LITURGY_ENERGY)
        case Aid():
            return Price(0, 0, _secret(state, [action.helper]))
        case Fight():
            return _fight_price(state, action)
        case Lose() | Block() if state.phase == SNEAK:
            # a combat follows at once, and it reveals whoever is left (CBT-1).
            group = state.sides[OTHER[state.turn]][state.target]
            return Price(0, 0, _secret(state, [token.serial for token in group]))
        case Lose():
            gain = 0
            if action.claim is not None:
                gain = max(card.bolt_energy for card in CARDS)
            return Price(0, gain, _secret(state, sorted({action.token, action.claim or action.token})))
        case Immune():
            group = state.sides[OTHER[state.turn]][state.target]
            return Price(0, 0, _secret(state, [token.serial for token in group]))
        case Block():
            return Price(0, 0, _secret(state, [action.token]))
        case Retreat():
            current = state.combat
            assert current is not None
            group = state.sides[combat.find_leaver(state)][current.region]
            return Price(-honor.retreat_penalty(known_mask(group), len(group)), 0)
        case Succeed():
            return Price(0, 0, _secret(state, [action.token]))
        case _:
            return Price(0, 0)


def _move_price(state: State, action: Move | Sneak) -> Price:
    group = state.sides[state.turn][action.path[0]]
    plan = movement.judge(state, action)
    seen = reveal_places(action, plan, movement.movers(action, len(group)))
    return price_of(Cost(plan.honor, plan.energy, seen, plan.divides), members(group))


def _fight_price(state: State, action: Fight) -> Price:
    current = state.combat
    assert current is not None
    mask = known_mask(state.sides[action.faction][current.region])
    manner, much = honor.combat_penalties(
        action.maneuver, action.energy, mask, alone=current.alone[action.faction]
    )
    return Price(-manner - much, -action.energy)


def _secret(state: State, serials: list[Serial | None] | list[Serial]) -> tuple[Unit, ...]:
    """Return the units under tokens that the opponent does not know yet."""
    found = (find(state, serial) for serial in serials if serial is not None)
    return tuple(
        Unit(place[1].unit) for place in found if place is not None and not place[1].known and place[1].unit is not None
    )
