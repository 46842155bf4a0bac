"""What a seat may do, and what each of it costs at once (docs/rules.md, "The engine").

Only for one who knows the own units; :mod:`storm_p2p.storm.engine` checks a single action without listing them all.
The lists are those of ``move_list`` and ``answer_list``; here their numbers become actions with prices.
"""

from __future__ import annotations

from collections.abc import Sequence
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
)
from storm_p2p.storm.board import FACTIONS, Region
from storm_p2p.storm.requests import answer_succession, next_request
from storm_p2p.storm.rules import combat, honor, movement, powers
from storm_p2p.storm.rules.action_codes import (
    ATTACK,
    BLOCK,
    CALL,
    CHOOSE,
    CLAIM,
    DEFY,
    DIVIDES,
    ENERGY,
    GAIN,
    HELP,
    HONOR,
    KIND,
    LEAVE,
    MANEUVER,
    MOVE,
    NAME,
    ORIGIN,
    PART,
    PRAY,
    REMAIN,
    REVEAL,
    STEALTH,
    STYX,
    TAKE,
    TARGET,
    THROW,
    UNIT,
    WANDER,
    Code,
    Part,
    honor_of,
)
from storm_p2p.storm.rules.answer_list import list_answers, list_choices
from storm_p2p.storm.rules.equivalence import Member, members
from storm_p2p.storm.rules.move_list import Entry, find_entry, list_turn
from storm_p2p.storm.rules.path_search import Trail, read_trail
from storm_p2p.storm.rules.pricing import Cost, Price, price, price_of
from storm_p2p.storm.state import FIGHT, OPENING, SUCCESSION, TURN, Group, Side, State, find
from storm_p2p.storm.state_builder import StateBuilder, look
from storm_p2p.storm.units import EVERY_MANEUVER, UNITS, Unit

Costed: TypeAlias = tuple[Action, Cost]
Priced: TypeAlias = tuple[Action, Price]

_PLACES: Final = tuple(tuple(place for place in range(4) if part >> place & 1) for part in range(16))
"""The places of a part of a group, by its bits."""


def legal_actions(state: State, seat: int) -> list[Action]:
    """Return every legal action of ``seat``, in a fixed order; it must know its own units."""
    if state.phase != TURN:
        chosen = _find_choices(state, seat)
        if chosen is not None:
            return list(chosen[0])
        return [action for action, _ in _price_answers(state, seat)]
    if seat != state.turn:
        return []
    builder = look(state)
    found: list[Action] = []
    entries = _entries(builder)
    for part in list_turn(builder, entries.values()):
        if part:
            origin = part[0] >> ORIGIN & 31
            group = entries[origin].group if origin else ()
            found += (part.named and part.named.get(group)) or _name_part(builder, part, group)
    return found


def options(state: State, seat: int) -> list[Priced]:
    """Return every legal action of ``seat`` with its price, in a fixed order; it must know its own units."""
    if state.phase != TURN:
        chosen = _find_choices(state, seat)
        return _price_answers(state, seat) if chosen is None else list(chosen[1])
    if seat != state.turn:
        return []
    builder = look(state)
    found: list[Priced] = []
    entries = _entries(builder)
    for part in list_turn(builder, entries.values()):
        if part:
            origin = part[0] >> ORIGIN & 31
            group = entries[origin].group if origin else ()
            found += (part.priced and part.priced.get(group)) or _price_part(builder, part, group)
    return found


def price_actions(state: State, seat: int) -> list[Costed]:
    """Return every legal action of ``seat`` with what it costs, as quickly as possible.

    The actions equal those of :func:`options` but do not name units for the notation.
    """
    if state.phase != TURN:
        chosen = _find_choices(state, seat)
        if chosen is not None:
            return list(chosen[2])
        return [(action, _share_cost(cost.honor, cost.energy)) for action, cost in _price_answers(state, seat)]
    if seat != state.turn:
        return []
    builder = look(state)
    found: list[Costed] = []
    for part in list_turn(builder, _entries(builder).values()):
        if part:
            found += part.options or _cost_part(builder, part)
    return found


def _entries(builder: StateBuilder) -> dict[Region, Entry]:
    """Return what the groups of the side to move can do, by region."""
    faction, open_combat = builder.turn, builder.open_combat
    side = builder.sides[faction]
    # Most groups are as they were when the same side was to move before; one look at each shows which.
    same, before, entries = _LATEST[faction]
    if same != open_combat:
        before = _NOBODY
    found = {}
    for origin, group in enumerate(side):
        if group and origin:
            found[origin] = (
                entries[origin] if group is before[origin] else find_entry(faction, open_combat, origin, members(group))
            )
    _LATEST[faction] = open_combat, side, found
    return found


_NOBODY: Final[Side] = ((),) * 25
_LATEST: Final[list[tuple[bool, Sequence[Group], dict[Region, Entry]]]] = [(False, _NOBODY, {})] * len(FACTIONS)
"""Of each faction the variant, the groups and what they can do, as they were listed last."""


# -- from numbers to actions ------------------------------------------------------------------------------

_OWN: Final = frozenset((WANDER, THROW, CALL))
"""The kinds that mean something on their own board alone."""
_BOLT: Final = Cost(-powers.BOLT_PENALTY, -powers.BOLT_ENERGY)
_RECALL: Final = Cost(0, -powers.RECALL_ENERGY)


@lru_cache(maxsize=1 << 10)
def _share_cost(change: int, energy: int, shown: tuple[int, ...] = (), divides: bool = False) -> Cost:
    """Return a cost as one shared value: the lists hold very many of them."""
    return Cost(change, energy, shown, divides)


@lru_cache(maxsize=1 << 16)
def _option(code: Code) -> Costed:
    """Return the action of a number that means the same on every board, without names, and its cost."""
    kind, origin = code & KIND, code >> ORIGIN & 31
    places = _PLACES[code >> PART & 15]
    if kind == MOVE:
        path = (origin, code >> TARGET & 31)
        sneak = bool(code >> STEALTH & 1)
        claim = (code >> CLAIM & 7) - 1 if code >> CLAIM & 7 else None
        shown = movement.find_shown(bool(code >> ATTACK & 1), 1, places, () if claim is None else (claim,))
        paid = (code >> STYX & 15) * honor.STYX_ENERGY + (honor.SNEAK_ENERGY if sneak else 0)
        cost = _share_cost(
            honor_of(code), (code >> GAIN & 15) + (code >> TAKE & 15) - paid, shown, bool(code >> DIVIDES & 1)
        )
        return (Sneak(path, places[0]) if sneak else Move(path, places, len(places), claim)), cost
    if kind == REVEAL:
        return Reveal(origin, places[0]), _share_cost(0, 0, places)
    if kind == PRAY:
        return Liturgy(), _share_cost(honor_of(code), powers.LITURGY_ENERGY)
    return Pass(), _share_cost(0, 0)


@lru_cache(maxsize=1 << 14)
def _walk(trail: Trail, code: Code) -> Costed:
    place = _PLACES[code >> PART & 15]
    # from the second step on a wanderer is known.
    cost = _share_cost(honor_of(code), -(code >> STYX & 15) * honor.STYX_ENERGY, place)
    return Move(read_trail(trail), place, 1), cost


def _own(builder: StateBuilder, code: Code) -> Costed:
    """Return the action of a number that needs its own board."""
    kind = code & KIND
    if kind == WANDER:
        return _walk(builder.paths[code], code)
    actor = builder.sides[builder.turn][code >> ORIGIN & 31][_PLACES[code >> PART & 15][0]]
    if kind == THROW:
        return Bolt(code >> TARGET & 31, actor.serial), _BOLT
    return Recall(UNITS[(code >> TARGET & 31) - 1], actor.serial), _RECALL


@lru_cache(maxsize=1 << 16)
def _name(code: Code, units: tuple[Unit, ...]) -> Action:
    """Return the action of a number, without its price, with the names of the units that act."""
    action, _ = _option(code)
    if isinstance(action, Move):
        return Move(action.path, action.movers, action.count, action.claim, units)
    if isinstance(action, Reveal):
        return Reveal(action.region, action.place, units[0] if units else None)
    return action


@lru_cache(maxsize=1 << 14)
def _name_walk(trail: Trail, code: Code, units: tuple[Unit, ...]) -> Action:
    action, _ = _walk(trail, code)
    assert isinstance(action, Move)
    return Move(action.path, action.movers, 1, None, units)


def _cost_part(builder: StateBuilder, part: Part) -> Sequence[Costed]:
    """Return the actions of a part, without names, and their costs."""
    kind = part[0] & KIND
    if kind == WANDER:
        paths = builder.paths
        return [_walk(paths[code], code) for code in part]
    if kind in _OWN:
        return [_own(builder, code) for code in part]
    part.options = options = tuple(map(_option, part))
    return options


def _name_part(builder: StateBuilder, part: Part, group: tuple[Member, ...]) -> Sequence[Action]:
    """Return the actions of a part with the names of the units of its group."""
    if part[0] & KIND == WANDER:
        paths, units = builder.paths, _name_units(group)[part[0] >> PART & 15]
        return [_name_walk(paths[code], code, units) for code in part]
    if part[0] & KIND in _OWN:
        return [_own(builder, code)[0] for code in part]
    names = _name_units(group)
    named = tuple([_name(code & _NO_PRICE, names[code >> PART & 15]) for code in part])
    if part.named is None:
        part.named = {}
    part.named[group] = named
    return named


@lru_cache(maxsize=1 << 14)
def _name_units(group: tuple[Member, ...]) -> tuple[tuple[Unit, ...], ...]:
    """Return the units in each part of a group that the view knows, by the bits of their places."""
    return tuple(
        [
            tuple([UNITS[code >> 1] for place, code in enumerate(group) if part >> place & 1 and code >= 0])
            for part in range(1 << len(group))
        ]
    )


_NO_PRICE: Final = (1 << HONOR) - 1 & ~(1 << ATTACK | 1 << DIVIDES)


def _price_part(builder: StateBuilder, part: Part, group: tuple[Member, ...]) -> Sequence[Priced]:
    """Return the same with prices."""
    costs = part.options or _cost_part(builder, part)
    actions = (part.named and part.named.get(group)) or _name_part(builder, part, group)
    priced = tuple(
        [
            (action, price_of(cost, group) if isinstance(action, Move | Sneak | Reveal) else price(builder, action))
            for action, (_, cost) in zip(actions, costs, strict=True)
        ]
    )
    if part[0] & KIND not in _OWN:
        if part.priced is None:
            part.priced = {}
        part.priced[group] = priced
    return priced


# -- answers ----------------------------------------------------------------------------------------------


def _price_answers(state: State, seat: int) -> list[Priced]:
    """Return the legal answers of a seat in the phases that follow an action."""
    request = next_request(state)
    if request is None or seat not in request.seats:
        return []
    builder = look(state)
    if state.phase == SUCCESSION:
        actions: list[Action] = [answer_succession(state)]
    elif state.phase == OPENING:
        found = [find(state, serial) for serial in state.due]
        units = [Unit(place[1].unit) for place in found if place is not None and place[1].unit is not None]
        actions = [Opening(tuple(units))] if len(units) == len(state.due) else []
    else:
        actions = [_answer(builder, code) for code in list_answers(builder)]
    return [(action, price(builder, action)) for action in actions]


def _find_choices(state: State, seat: int) -> tuple[Sequence[Action], Sequence[Priced], Sequence[Costed]] | None:
    """Return the choices of a seat in a combat, alone, with prices and with costs; None in another phase."""
    if state.phase != FIGHT:
        return None
    builder = look(state)
    return _make_choices(list_choices(builder, FACTIONS[seat]) if seat in combat.deciders(builder) else ())


@lru_cache(maxsize=1 << 10)
def _make_choices(codes: tuple[Code, ...]) -> tuple[Sequence[Action], Sequence[Priced], Sequence[Costed]]:
    priced = [_choice(code) for code in codes]
    return (
        [action for action, _ in priced],
        priced,
        [(action, _share_cost(price.honor, price.energy)) for action, price in priced],
    )


@lru_cache(maxsize=1 << 11)
def _choice(code: Code) -> Priced:
    """Return a choice in a combat as one shared value: the lists hold very many of them."""
    faction, energy = FACTIONS[code >> 4 & 1], code >> ENERGY
    return Fight(faction, EVERY_MANEUVER[code >> MANEUVER & 7], energy), Price(honor_of(code), -energy)


_ANSWERS: Final = frozenset((HELP, NAME, DEFY, BLOCK, LEAVE, REMAIN))


def _answer(builder: StateBuilder, code: Code) -> Action:
    kind = code & KIND
    if kind == LEAVE:
        return Retreat(code >> TARGET & 31)
    if kind == REMAIN:
        return Stay()
    number = (code >> UNIT & 31) - 1
    if number < 0:
        return Aid(None)
    serial, unit = _serial(builder, number), UNITS[number]
    if kind == HELP:
        return Aid(serial, unit)
    if kind == BLOCK:
        return Block(serial)
    if kind == DEFY:
        return Immune(serial, unit)
    fed = (code >> TARGET & 31) - 1
    return Lose(serial, None if fed < 0 else _serial(builder, fed), unit)


def _serial(builder: StateBuilder, unit: int) -> Serial:
    return builder.tokens(1 << unit)[0][1].serial


def tell(builder: StateBuilder, code: Code) -> Action:
    """Return the action of a number from a list of this state, with the names of its units."""
    kind = code & KIND
    if kind == CHOOSE:
        return _choice(code)[0]
    if kind in _ANSWERS:
        return _answer(builder, code)
    return _name_part(builder, Part((code,)), members(builder.sides[builder.turn][code >> ORIGIN & 31]))[0]
