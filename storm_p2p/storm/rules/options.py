"""Who is asked next, what they may do, and what each of it costs at once (docs/rules.md, "Phases", "The engine").

Prices and lists are only for one who knows the own units; :mod:`storm_p2p.storm.engine` checks a single action without
listing them all.  What a side may answer after an action, and choose in a combat, is listed here, all moves in
``move_list``; the numbers of these lists become actions with prices.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import compress
from typing import Final, NamedTuple, TypeAlias

from storm_p2p.storm import actions as act
from storm_p2p.storm.actions import Action, Serial
from storm_p2p.storm.bitboard import Bitboard
from storm_p2p.storm.board import FACTIONS, NEIGHBOURS, OTHER, Faction, Region
from storm_p2p.storm.rules import action_codes as codes
from storm_p2p.storm.rules import combat, honor, movement, powers, setup
from storm_p2p.storm.rules.action_codes import Code, Part
from storm_p2p.storm.rules.move_list import Entry, find_entry, list_turn
from storm_p2p.storm.rules.movement import Member, members
from storm_p2p.storm.rules.path_search import LOST, PAID, SPENT, Way, read_way
from storm_p2p.storm.state import (
    AID,
    BOLT,
    FIGHT,
    LOSE,
    OPENING,
    OVER,
    RETREAT,
    SETUP,
    SNEAK,
    STAY,
    SUCCESSION,
    TURN,
    Group,
    HasSides,
    Phase,
    Side,
    State,
    Token,
    find,
    known_mask,
)
from storm_p2p.storm.state_builder import StateBuilder, look
from storm_p2p.storm.units import (
    BOLT_FED,
    BOLT_PROOF,
    CARDS,
    CHARMERS,
    CHARMING_SIDE,
    EVERY_MANEUVER,
    LEADING_SIDE,
    SECOND_LEADER,
    SNEAK_BLOCKERS,
    UNITS,
    Maneuver,
    Unit,
)

# -- answers and choices as numbers -----------------------------------------------------------------------


def list_choices(board: Bitboard, faction: Faction) -> tuple[Code, ...]:
    """Return the maneuvers with Energy that a side may choose (CBT-4, NRG-1)."""
    region, enemy = board.region, OTHER[faction]
    mask, count = board.at[faction][region], board.size[faction][region]
    limit = combat.limit_energy(
        mask, board.at[enemy][region], count, board.energy[faction], enemy_alone=board.alone[enemy]
    )
    alone = board.alone[faction]
    return _list_choices(faction, combat.may_choose(mask, alone=alone), limit, mask, alone)


@lru_cache(maxsize=4096)
def _list_choices(
    faction: Faction, allowed: tuple[Maneuver, ...], limit: int, mask: int, alone: bool
) -> tuple[Code, ...]:
    found: list[Code] = []
    for maneuver in allowed:
        for energy in range(limit + 1):
            manner, much = honor.combat_penalties(maneuver, energy, mask, alone=alone)
            found.append(
                codes.CHOOSE
                | faction << codes.FACTION
                | maneuver << codes.MANEUVER
                | 64 - manner - much << codes.HONOR
                | energy << codes.ENERGY
            )
    return tuple(found)


def list_answers(board: Bitboard) -> list[Code]:
    """Return the legal answers of the side that is asked, which must know its units."""
    phase = board.phase
    if phase == LOSE:
        return [
            codes.NAME | bit.bit_length() << codes.UNIT for bit in board.bits(board.at[board.losers[0]][board.region])
        ]
    if phase in (RETREAT, STAY):
        faction = combat.deciders(board)[0]
        found = [codes.LEAVE | region << codes.TARGET for region in combat.find_ways_out(board, faction)]
        return [codes.REMAIN, *found] if phase == STAY else found
    if phase == AID:
        side = board.at[CHARMING_SIDE]
        return [
            codes.HELP,
            *[
                codes.HELP | bit.bit_length() << codes.UNIT
                for region in NEIGHBOURS[board.region]
                for bit in board.bits(side[region] & CHARMERS & ~board.known)
            ],
        ]
    group = board.at[OTHER[board.turn]][board.target]
    found = []
    if phase == BOLT:
        if not group & ~BOLT_PROOF:
            return [codes.DEFY | board.bits(group)[0].bit_length() << codes.UNIT]
        fed = board.bits(group & BOLT_FED)
        for bit in board.bits(group & ~BOLT_PROOF):
            hit = codes.NAME | bit.bit_length() << codes.UNIT
            found += [hit, *[hit | one.bit_length() << codes.TARGET for one in fed]]
        return found
    for bit in board.bits(group):
        found.append(codes.NAME | bit.bit_length() << codes.UNIT)
        if bit & SNEAK_BLOCKERS:
            found.append(codes.BLOCK | bit.bit_length() << codes.UNIT)
    return found


# -- who is asked -----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class StormRequest:
    """What is needed next."""

    phase: Phase
    seats: tuple[Faction, ...]
    """From whom; several only for simultaneous choices and setups."""
    tokens: tuple[Serial, ...] = ()
    """What has to be opened, in the phase OPENING."""


_TURNS: Final = tuple(StormRequest(TURN, (faction,)) for faction in FACTIONS)
_request = lru_cache(StormRequest)
"""There are few different requests without tokens."""


def next_request(state: State) -> StormRequest | None:
    """Return what is needed next and from whom, or None when the game is over."""
    phase = state.phase
    if phase is TURN:
        return _TURNS[state.turn]
    if phase is OVER:
        return None
    if phase == OPENING:
        found = find(state, state.due[0])
        assert found is not None
        return StormRequest(phase, (Faction(found[1].faction),), state.due)
    if phase == SUCCESSION:
        return _request(phase, (LEADING_SIDE,))
    return _request(phase, setup.missing(state) if phase == SETUP else combat.deciders(look(state)))


def find_heirs(state: HasSides) -> tuple[Token, ...]:
    """Return the hidden tokens that can be the second leader, or are known to this view to be it or not."""
    side = state.sides[LEADING_SIDE]
    return tuple(
        token
        for group in side[1:]
        for token in group
        if not token.known and (token.can if token.unit is None else 1 << token.unit) & SECOND_LEADER
    )


def answer_succession(state: State) -> act.Succeed:
    """Return the answer to the succession of a side that knows its units: it changes nothing else (PER-3, A-53)."""
    found = find_heirs(state)
    if not found:
        return act.Succeed(None)
    unit = found[0].unit
    return act.Succeed(found[0].serial, None if unit is None else UNITS[unit])


# -- what one action costs --------------------------------------------------------------------------------


class Cost(NamedTuple):
    """What an action of a turn costs at once, and what it tells, without the names of units."""

    honor: int
    """Change of the own Honor."""
    energy: int
    """Change of the own stock."""
    shown: tuple[int, ...] = ()
    """Places in the group of those whom everybody sees by it."""
    divides: bool = False
    """Nobody can tell any longer who in the group is who (REV-4)."""


@dataclass(frozen=True, slots=True)
class Price:
    """What an action costs at once, and what it tells."""

    honor: int
    """Change of the own Honor, with its sign."""
    energy: int
    """Change of the own stock."""
    reveals: tuple[Unit, ...] = ()
    """Own units that the opponent learns by it."""
    hides: tuple[Unit, ...] = ()
    """Own units that the opponent knew and can no longer place."""


def price_of(cost: Cost, group: tuple[Member, ...]) -> Price:
    """Return the price of what a group does whose tokens the mover knows as ``members``."""
    hides: tuple[Unit, ...] = ()
    if cost.divides:
        hides = tuple([UNITS[code >> 1] for code in group if code >= 0 and code & 1])
    reveals: tuple[Unit, ...] = ()
    if cost.shown:
        seen = [group[place] for place in cost.shown]
        reveals = tuple([UNITS[code >> 1] for code in seen if code >= 0 and not code & 1])
    return _share(cost.honor, cost.energy, reveals, hides)


@lru_cache(maxsize=1 << 10)
def _share(honor: int, energy: int, reveals: tuple[Unit, ...], hides: tuple[Unit, ...]) -> Price:
    """Return a price as one shared value: there are few different ones, and the lists hold very many of them."""
    return Price(honor, energy, reveals, hides)


def price(state: State | StateBuilder, action: Action) -> Price:
    """Return what a legal action costs at once and what the opponent learns and forgets by it."""
    match action:
        case act.Move() | act.Sneak():
            return _move_price(state, action)
        case act.Reveal():
            unit = state.sides[state.turn][action.region][action.place].unit
            return Price(0, 0, () if unit is None else (UNITS[unit],))
        case act.Bolt():
            return Price(-powers.BOLT_PENALTY, -powers.BOLT_ENERGY, _secret(state, [action.thrower]))
        case act.Recall():
            return Price(0, -powers.RECALL_ENERGY, _secret(state, [action.caller]))
        case act.Liturgy():
            return Price(-powers.liturgy_penalty(state.energy[state.turn]), powers.LITURGY_ENERGY)
        case act.Aid():
            return Price(0, 0, _secret(state, [action.helper]))
        case act.Fight():
            return _fight_price(state, action)
        case act.Lose() | act.Block() if state.phase == SNEAK:
            # a combat follows at once, and it reveals whoever is left (CBT-1).
            group = state.sides[OTHER[state.turn]][state.target]
            return Price(0, 0, _secret(state, [token.serial for token in group]))
        case act.Lose():
            gain = 0
            if action.claim is not None:
                gain = max(card.bolt_energy for card in CARDS)
            return Price(0, gain, _secret(state, sorted({action.token, action.claim or action.token})))
        case act.Immune():
            group = state.sides[OTHER[state.turn]][state.target]
            return Price(0, 0, _secret(state, [token.serial for token in group]))
        case act.Block():
            return Price(0, 0, _secret(state, [action.token]))
        case act.Retreat():
            board = _builder(state)
            leaver = combat.deciders(board)[0]
            mask, count = board.at[leaver][board.region], board.size[leaver][board.region]
            return Price(-honor.retreat_penalty(mask, count), 0)
        case act.Succeed():
            return Price(0, 0, _secret(state, [action.token]))
        case _:
            return Price(0, 0)


def _builder(state: State | StateBuilder) -> StateBuilder:
    return state if isinstance(state, StateBuilder) else look(state)


def _move_price(state: State | StateBuilder, action: act.Move | act.Sneak) -> Price:
    group = state.sides[state.turn][action.path[0]]
    plan = movement.judge_on(_builder(state), action)
    seen = movement.shown_places(plan, action, movement.movers(action, len(group)))
    return price_of(Cost(plan.honor, plan.energy, seen, plan.divides), members(group))


def _fight_price(state: State | StateBuilder, action: act.Fight) -> Price:
    current = state.combat
    assert current is not None
    mask = known_mask(state.sides[action.faction][current.region])
    manner, much = honor.combat_penalties(action.maneuver, action.energy, mask, alone=current.alone[action.faction])
    return Price(-manner - much, -action.energy)


def _secret(state: State | StateBuilder, serials: list[Serial | None] | list[Serial]) -> tuple[Unit, ...]:
    """Return the units under tokens that the opponent does not know yet."""
    found = (find(state, serial) for serial in serials if serial is not None)
    return tuple(
        Unit(place[1].unit) for place in found if place is not None and not place[1].known and place[1].unit is not None
    )


# -- all actions ------------------------------------------------------------------------------------------


Costed: TypeAlias = tuple[Action, Cost]
Priced: TypeAlias = tuple[Action, Price]

_PLACES: Final = tuple(tuple(place for place in range(4) if part >> place & 1) for part in range(16))
"""The places of a part of a group, by its bits."""


def legal_actions(state: State, seat: int) -> list[Action]:
    """Return every legal action of ``seat``, in a fixed order; it must know its own units."""
    if state.phase is not TURN:
        chosen = _find_choices(state, seat)
        return _find_answers(state, seat) if chosen is None else list(chosen[0])
    if seat != state.turn:
        return []
    builder = look(state)
    found: list[Action] = []
    entries = _entries(builder)
    parts = list_turn(builder, entries.values())
    # Each group has a part with its moves, then each one with its openings.
    for entry, part in zip([*entries.values()] * 2, parts, strict=False):
        named = entry.named.get(part)
        if named is None:
            named = entry.named[part] = _name_part(builder, part, entry.group)
        found += named
    for part in parts[2 * len(entries) :]:
        if part.codes:
            found += _name_power(builder, part, entries)
    return found


def _name_power(builder: StateBuilder, part: Part, entries: dict[Region, Entry]) -> Sequence[Action]:
    """Return what a side may do beside moves to neighbours and openings, with names."""
    code = part.codes[0]
    origin = code >> codes.ORIGIN & 31
    if not origin:
        return [_option(code)[0]]
    entry = entries[origin]
    # A flight; a way and what needs its own board are made anew each time.
    if code & codes.KIND == codes.MOVE:
        named = entry.named.get(part)
        if named is None:
            named = entry.named[part] = _name_part(builder, part, entry.group)
        return named
    return _name_part(builder, part, entry.group)


def options(state: State, seat: int) -> list[Priced]:
    """Return every legal action of ``seat`` with its price, in a fixed order; it must know its own units."""
    return [(action, price(state, action)) for action in legal_actions(state, seat)]


def price_actions(state: State, seat: int) -> list[Costed]:
    """Return every legal action of ``seat`` with what it costs, as quickly as possible.

    The actions equal those of :func:`options` but do not name units for the notation.
    """
    if state.phase is not TURN:
        chosen = _find_choices(state, seat)
        if chosen is not None:
            return list(chosen[1])
        costs = [(action, price(state, action)) for action in _find_answers(state, seat)]
        return [(action, _share_cost(cost.honor, cost.energy)) for action, cost in costs]
    if seat != state.turn:
        return []
    builder = look(state)
    found: list[Costed] = []
    for part in list_turn(builder, _entries(builder).values()):
        found += _cost_part(builder, part) if part.options is None else part.options
    return found


def _entries(builder: StateBuilder) -> dict[Region, Entry]:
    """Return what the groups of the side to move can do, by region."""
    faction, open_combat = builder.turn, builder.open_combat
    side = builder.sides[faction]
    # Most groups are as they were when the same side was to move before; one look at each shows which.
    same, before, entries = _LATEST[faction]
    if same != open_combat:
        before, entries = _NOBODY, {}
    found = {}
    for origin, group in compress(enumerate(side), side):
        if origin:
            if group is before[origin]:
                entry = entries[origin]
            else:
                units = members(group)
                listed = entries.get(origin)
                if listed is None or listed.group != units:
                    listed = find_entry(faction, open_combat, origin, units)
                entry = listed
            found[origin] = entry
    _LATEST[faction] = open_combat, side, found
    return found


_NOBODY: Final[Side] = ((),) * 25
_LATEST: Final[list[tuple[bool, Sequence[Group], dict[Region, Entry]]]] = [(False, _NOBODY, {})] * len(FACTIONS)
"""Of each faction the variant, the groups and what they can do, as they were listed last."""


# -- from numbers to actions ------------------------------------------------------------------------------

_OWN: Final = frozenset((codes.THROW, codes.CALL))
"""The kinds that mean something on their own board alone."""
_BOLT: Final = Cost(-powers.BOLT_PENALTY, -powers.BOLT_ENERGY)
_RECALL: Final = Cost(0, -powers.RECALL_ENERGY)


@lru_cache(maxsize=1 << 10)
def _share_cost(change: int, energy: int, shown: tuple[int, ...] = (), divides: bool = False) -> Cost:
    """Return a cost as one shared value: the lists hold very many of them."""
    return Cost(change, energy, shown, divides)


def honor_of(code: Code) -> int:
    """Return the change of Honor that an action of a turn, or a choice in a combat, books at once."""
    return (code >> codes.HONOR & 127) - 64


@lru_cache(maxsize=1 << 16)
def _option(code: Code) -> Costed:
    """Return the action of a number that means the same on every board, without names, and its cost."""
    kind, origin = code & codes.KIND, code >> codes.ORIGIN & 31
    places = _PLACES[code >> codes.PART & 15]
    if kind == codes.MOVE:
        path = (origin, code >> codes.TARGET & 31)
        sneak = bool(code >> codes.STEALTH & 1)
        claim = (code >> codes.CLAIM & 7) - 1 if code >> codes.CLAIM & 7 else None
        shown = movement.find_shown(bool(code >> codes.ATTACK & 1), 1, places, () if claim is None else (claim,))
        paid = (code >> codes.STYX & 15) * honor.STYX_ENERGY + (honor.SNEAK_ENERGY if sneak else 0)
        cost = _share_cost(
            honor_of(code),
            (code >> codes.GAIN & 15) + (code >> codes.TAKE & 15) - paid,
            shown,
            bool(code >> codes.DIVIDES & 1),
        )
        return (act.Sneak(path, places[0]) if sneak else act.Move(path, places, len(places), claim)), cost
    if kind == codes.REVEAL:
        return act.Reveal(origin, places[0]), _share_cost(0, 0, places)
    if kind == codes.PRAY:
        return act.Liturgy(), _share_cost(honor_of(code), powers.LITURGY_ENERGY)
    return act.Pass(), _share_cost(0, 0)


@cache
def _walks(code: Code, units: tuple[Unit, ...] = ()) -> Callable[[Way], Costed]:
    """Return what makes actions with costs of the ways of who goes by ``code``, with their name if it is given."""
    place = _PLACES[code >> codes.PART & 15]

    @lru_cache(maxsize=1 << 12)
    def walk(way: Way) -> Costed:
        # from the second step on a wanderer is known.
        cost = _share_cost(-(way >> LOST), -(way >> PAID & SPENT), place)
        return act.Move(read_way(way), place, 1, None, units), cost

    return walk


def _own(builder: StateBuilder, code: Code) -> Costed:
    """Return the action of a number that needs its own board."""
    actor = builder.sides[builder.turn][code >> codes.ORIGIN & 31][_PLACES[code >> codes.PART & 15][0]]
    if code & codes.KIND == codes.THROW:
        return act.Bolt(code >> codes.TARGET & 31, actor.serial), _BOLT
    return act.Recall(UNITS[(code >> codes.TARGET & 31) - 1], actor.serial), _RECALL


@lru_cache(maxsize=1 << 16)
def _name(code: Code, units: tuple[Unit, ...]) -> Action:
    """Return the action of a number, without its price, with the names of the units that act."""
    action, _ = _option(code)
    if isinstance(action, act.Move):
        return act.Move(action.path, action.movers, action.count, action.claim, units)
    if isinstance(action, act.Reveal):
        return act.Reveal(action.region, action.place, units[0] if units else None)
    return action


def _cost_part(builder: StateBuilder, part: Part) -> Sequence[Costed]:
    """Return the actions of a part, without names, and their costs."""
    if part.ways:
        return list(map(_walks(part.codes[0]), part.ways))
    if part.codes[0] & codes.KIND in _OWN:
        return [_own(builder, code) for code in part.codes]
    part.options = options = tuple(map(_option, part.codes))
    return options


def _name_part(builder: StateBuilder, part: Part, group: tuple[Member, ...]) -> Sequence[Action]:
    """Return the actions of a part with the names of the units of its group."""
    if not part.codes:
        return ()
    names = _name_units(group)
    if part.ways:
        code = part.codes[0]
        return [action for action, _ in map(_walks(code, names[code >> codes.PART & 15]), part.ways)]
    if part.codes[0] & codes.KIND in _OWN:
        return [_own(builder, code)[0] for code in part.codes]
    return tuple([_name(code & _NO_PRICE, names[code >> codes.PART & 15]) for code in part.codes])


@lru_cache(maxsize=1 << 14)
def _name_units(group: tuple[Member, ...]) -> tuple[tuple[Unit, ...], ...]:
    """Return the units in each part of a group that the view knows, by the bits of their places."""
    return tuple(
        [
            tuple([UNITS[code >> 1] for place, code in enumerate(group) if part >> place & 1 and code >= 0])
            for part in range(1 << len(group))
        ]
    )


_NO_PRICE: Final = (1 << codes.HONOR) - 1 & ~(1 << codes.ATTACK | 1 << codes.DIVIDES)


# -- answers ----------------------------------------------------------------------------------------------


def _find_answers(state: State, seat: int) -> list[Action]:
    """Return the legal answers of a seat in the phases that follow an action."""
    request = next_request(state)
    if request is None or seat not in request.seats:
        return []
    builder = look(state)
    if state.phase == SUCCESSION:
        return [answer_succession(state)]
    if state.phase == OPENING:
        found = [find(state, serial) for serial in state.due]
        units = [Unit(place[1].unit) for place in found if place is not None and place[1].unit is not None]
        return [act.Opening(tuple(units))] if len(units) == len(state.due) else []
    return [_answer(builder, code) for code in list_answers(builder)]


def _find_choices(state: State, seat: int) -> tuple[Sequence[Action], Sequence[Costed]] | None:
    """Return the choices of a seat in a combat, alone and with costs; None in another phase."""
    if state.phase is not FIGHT:
        return None
    builder = look(state)
    return _make_choices(list_choices(builder, FACTIONS[seat]) if seat in combat.deciders(builder) else ())


@lru_cache(maxsize=1 << 10)
def _make_choices(found: tuple[Code, ...]) -> tuple[Sequence[Action], Sequence[Costed]]:
    costed = [_choice(code) for code in found]
    return [action for action, _ in costed], costed


@lru_cache(maxsize=1 << 11)
def _choice(code: Code) -> Costed:
    """Return a choice in a combat as one shared value: the lists hold very many of them."""
    faction, energy = FACTIONS[code >> 4 & 1], code >> codes.ENERGY
    return act.Fight(faction, EVERY_MANEUVER[code >> codes.MANEUVER & 7], energy), _share_cost(honor_of(code), -energy)


_ANSWERS: Final = frozenset((codes.HELP, codes.NAME, codes.DEFY, codes.BLOCK, codes.LEAVE, codes.REMAIN))


def _answer(builder: StateBuilder, code: Code) -> Action:
    kind = code & codes.KIND
    if kind == codes.LEAVE:
        return act.Retreat(code >> codes.TARGET & 31)
    if kind == codes.REMAIN:
        return act.Stay()
    number = (code >> codes.UNIT & 31) - 1
    if number < 0:
        return act.Aid(None)
    serial, unit = _serial(builder, number), UNITS[number]
    if kind == codes.HELP:
        return act.Aid(serial, unit)
    if kind == codes.BLOCK:
        return act.Block(serial)
    if kind == codes.DEFY:
        return act.Immune(serial, unit)
    fed = (code >> codes.TARGET & 31) - 1
    return act.Lose(serial, None if fed < 0 else _serial(builder, fed), unit)


def _serial(builder: StateBuilder, unit: int) -> Serial:
    return builder.tokens(1 << unit)[0][1].serial


def tell(builder: StateBuilder, code: Code, ways: tuple[Way, ...] = ()) -> Action:
    """Return the action of a number from a list of this state, with the names of its units.

    ``ways`` has its way, if it is a wanderer's.
    """
    kind = code & codes.KIND
    if kind == codes.CHOOSE:
        return _choice(code)[0]
    if kind in _ANSWERS:
        return _answer(builder, code)
    group = members(builder.sides[builder.turn][code >> codes.ORIGIN & 31])
    return _name_part(builder, Part((code,), ways), group)[0]
