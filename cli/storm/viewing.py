"""What the views of the console answer: who stands where, what a move would cost, what happened, the clocks.

Each function returns lines that a screen reader can say.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Final

from cli.console.messages import NotUnderstood, step_of
from cli.console.screen_state import note_on
from cli.storm import cards, combat_text, grammar, preview, vocabulary
from cli.storm.model import Model, Whereabouts, base_loss, in_play, lost_units, named, whereabouts
from cli.storm.preview import odds
from cli.storm.render.board import ordered
from cli.storm.text import names, story, typed, views
from cli.storm.text.prices import attacks
from cli.text import screens
from cli.text.matches import waiting
from cli.text.wording import listed
from storm_p2p.storm import board, engine, notation
from storm_p2p.storm.actions import Fight, Move
from storm_p2p.storm.board import OTHER, REGIONS, Faction, Region
from storm_p2p.storm.engine import Price
from storm_p2p.storm.state import Phase, State, Token
from storm_p2p.storm.units import NAME, ROSTER, Unit, units_in

MOST_CANDIDATES = 4
"""A hidden counter with more candidates than this is not spelled out."""


def state_of(model: Model) -> State:
    """Return the state.

    Raises:
        NotUnderstood: there is none yet.
    """
    if model.state is None or model.state.phase == Phase.SETUP:
        raise NotUnderstood(typed.NO_BOARD)
    return model.state


# -- who stands where -----------------------------------------------------------------------------------------


def who(model: Model, region: Region) -> list[str]:
    """Return who stands in a region and around it, the player's note on it, and where the Styx runs."""
    state = state_of(model)
    parts = [views.region(region, _realm(region), _occupants(model, state, region, full=True))]
    for there in board.NEIGHBOURS[region]:
        parts.append(
            views.neighbour(
                there,
                _occupants(model, state, there),
                up=board.ALTITUDE[there] > board.ALTITUDE[region],
                side=board.COLUMN[there] - board.COLUMN[region],
                river=board.CROSSES[region][there],
            )
        )
    note = note_on(model, region)
    if note:
        parts.insert(1, views.noted(note.rstrip(".")))
    return [" ".join(parts)]


def _realm(region: Region) -> str:
    owner = next((faction for faction in Faction if region in board.REALM[faction]), None)
    return views.realm(owner, bank=region in board.BANK)


def _occupants(model: Model, state: State, region: Region, *, full: bool = False) -> str:
    ours = ordered(state.sides[model.side][region])
    theirs = ordered(state.sides[OTHER[model.side]][region], known_first=True)
    parts = []
    if ours:
        parts.append(views.yours([_own(model, token, full=full) for token in ours]))
    if theirs:
        known = [names.unit_name(unit) for unit in named(token for token in theirs if token.known)]
        hidden = [token for token in theirs if not token.known]
        parts.append(views.theirs(model.opponent, known, len(hidden)))
        if full and hidden:
            parts.append(_candidates(hidden))
    return " ".join(part for part in parts if part) or str(views.EMPTY)


def _own(model: Model, token: Token, *, full: bool) -> str:
    unit = None if token.unit is None else Unit(token.unit)
    return views.own(unit, model.opponent, known=token.known) if full else names.unit_name(unit)


def _candidates(hidden: Sequence[Token]) -> str:
    can = 0
    for token in hidden:
        can |= token.can
    units = units_in(can)
    if len(units) > MOST_CANDIDATES:
        return ""
    return views.can_be(units)


def scan(model: Model, column: str) -> list[str]:
    """Return a column of the board from its top to its bottom; columns are a to e, or 1 to 5."""
    state = state_of(model)
    number = {"a": 0, "b": 1, "c": 2, "d": 3, "e": 4}.get(column, "12345".find(column) if column else -1)
    regions = [region for region in REGIONS if board.COLUMN[region] == number]
    if not regions:
        raise NotUnderstood(typed.column(column))
    return [views.occupied(region, _occupants(model, state, region)) for region in reversed(regions)]


def occupied(model: Model) -> list[str]:
    """Return every region where somebody stands, one sentence each."""
    state = state_of(model)
    return [
        views.occupied(region, _occupants(model, state, region))
        for region in REGIONS
        if any(state.sides[faction][region] for faction in Faction)
    ]


def where(model: Model, unit: Unit) -> list[str]:
    """Return where a unit is, as far as the player knows."""
    kind, region, known = whereabouts(model, unit)
    if kind == Whereabouts.STANDS:
        return [views.stands(unit, region, model.opponent, mine=unit in ROSTER[model.side], known=known)]
    eliminated = kind in (Whereabouts.LOST, Whereabouts.GONE)
    return [views.not_there(unit, eliminated=eliminated, unknown=kind == Whereabouts.UNKNOWN)]


# -- numbers --------------------------------------------------------------------------------------------------


def turn(model: Model) -> list[str]:
    """Return turn, Honor and Energy in one line."""
    state = state_of(model)
    me, foe = model.side, OTHER[model.side]
    what = views.asked(move=state.phase == Phase.TURN) if model.deciding else waiting(model.opponent)
    honor, energy = state.honor, state.energy
    line = views.turn(state.number, what, honor[me], model.opponent, honor[foe], energy[me], energy[foe])
    loss = base_loss(state, me)
    return [f"{line} {views.base(loss)}" if loss else line]


def opponent(model: Model) -> list[str]:
    """Return what is known about the other side."""
    state = state_of(model)
    foe = OTHER[model.side]
    tokens = in_play(state, foe)
    found = [names.unit_name(unit) for unit in named(token for token in tokens if token.known)]
    lost = [names.unit_name(unit) for unit in lost_units(state, foe)]
    return [views.opponent(model.opponent, foe, state.honor[foe], state.energy[foe], len(tokens), found, lost)]


def past(model: Model, word: str) -> list[str]:
    """Return what one message did and who stood where after it, as the player knew it then; without a number how.

    Raises:
        NotUnderstood: there is no such step.
    """
    entries = model.entries
    if not entries:
        return [str(screens.NOTHING_YET)]
    if not word:
        return [views.steps(len(entries))]
    at = step_of(word, len(entries))
    entry, me, foe = entries[at], model.side, OTHER[model.side]
    state = entry.after
    then = replace(model, state=state, deciding=False)
    numbers = (state.honor[me], model.opponent, state.honor[foe], state.energy[me], state.energy[foe])
    head = views.step(at + 1, len(entries), state.number, *numbers)
    board = [] if state.phase == Phase.SETUP else occupied(then)
    return [head, *story.story(model, entry), *board]


# -- prices ---------------------------------------------------------------------------------------------------


def costs(model: Model, args: Sequence[str]) -> list[str]:
    """Return what it costs some units to go wherever they may; in a combat the maneuvers.

    Raises:
        NotUnderstood: the units are none, or do not stand together.
    """
    state = state_of(model)
    if not model.deciding or state.phase == Phase.FIGHT:
        if model.deciding:
            return combat_text.spoken(model)
        raise NotUnderstood(typed.NO_COSTS)
    if state.phase != Phase.TURN:
        return options(model)
    if not args:
        return _all_costs(model, state)
    origin, places = selected(model, state, args)
    found = preview.costs(state, model.side, origin, places)
    if not found:
        raise NotUnderstood(typed.CANNOT_MOVE)
    return [priced(state, found, model.side)]


def _all_costs(model: Model, state: State) -> list[str]:
    """Return what it costs each group to go wherever it may as a whole."""
    lines = [line for line in (group_costs(model, state, origin) for origin in REGIONS) if line]
    if not lines:
        raise NotUnderstood(typed.CANNOT_MOVE)
    return lines


def group_costs(model: Model, state: State, origin: Region) -> str:
    """Return what it costs the own group of a region to go wherever it may as a whole, or nothing where it may not."""
    group = state.sides[model.side][origin]
    found = preview.costs(state, model.side, origin, tuple(range(len(group)))) if group else []
    if not found:
        return ""
    units = listed(map(names.unit_name, named(group)))
    return views.costs_from(origin, units, priced(state, found, model.side))


def selected(model: Model, state: State, args: Sequence[str]) -> tuple[Region, tuple[int, ...]]:
    """Return where the named units stand and their places in the group there."""
    if args[0].isdigit():
        origin = grammar.find_region(args[0])
        group = state.sides[model.side][origin]
        if not group:
            raise NotUnderstood(typed.nobody_there(origin))
        if len(args) == 1:
            return origin, tuple(range(len(group)))
        args = args[1:]
    units = [grammar.find_unit(word, model.side) for word in args]
    found = [(region, place) for unit in units for region, place in _standing(model, state, unit)]
    if len(found) < len(units) or len({region for region, _ in found}) > 1:
        raise NotUnderstood(typed.not_together(units))
    return found[0][0], tuple(sorted(place for _, place in found))


def _standing(model: Model, state: State, unit: Unit) -> list[tuple[Region, int]]:
    return [
        (region, place)
        for region in REGIONS
        for place, token in enumerate(state.sides[model.side][region])
        if token.unit == unit
    ]


def priced(state: State, found: Sequence[tuple[Move, Price]], faction: Faction) -> str:
    """Return the prices of moves, and which of them would be attacks."""
    prices = grouped({move.path[-1]: price for move, price in found})
    fights = [(move.path[-1], attack) for move, _ in found if (attack := odds(state, move, faction)) is not None]
    return f"{prices} {attacks(fights)}" if fights else prices


def grouped(prices: dict[Region, Price]) -> str:
    """Return prices with the cheapest first, regions of one price together."""
    by_price: dict[tuple[int, int], list[Region]] = {}
    for region, price in sorted(prices.items()):
        by_price.setdefault((price.honor, price.energy), []).append(region)
    parts = [
        views.priced(", ".join(map(str, regions)), honor, energy)
        for (honor, energy), regions in sorted(by_price.items(), reverse=True)
    ]
    return ". ".join(parts) + "."


def options(model: Model) -> list[str]:
    """Return every legal action but single moves and amounts of Energy, with its price."""
    state = state_of(model)
    if not model.deciding:
        raise NotUnderstood(typed.NO_OPTIONS)
    lines = []
    for action, price in engine.options(state, model.side):
        if isinstance(action, Fight) or (isinstance(action, Move) and action.claim is None):
            continue
        lines.append(views.option(vocabulary.say(notation.format_action(action)), names.cost(price)))
    movable = sorted(
        f"{vocabulary.say_argument(NAME[unit])} {region}"
        for region in REGIONS
        for unit in named(state.sides[model.side][region])
    )
    if movable and state.phase == Phase.TURN:
        lines.append(views.movable(movable))
    return lines


# -- all of them ----------------------------------------------------------------------------------------------


_VIEWS: Final[Mapping[str, Callable[[Model, Sequence[str]], list[str]]]] = {
    "board": lambda model, args: occupied(model),
    "who": lambda model, args: who(model, grammar.find_region(args[0])),
    "costs": lambda model, args: costs(model, [word for word in args if word]),
    "options": lambda model, args: options(model),
    "scan": lambda model, args: scan(model, args[0]),
    "where": lambda model, args: where(model, grammar.find_unit(args[0])),
    "card": lambda model, args: cards.card(model, grammar.find_unit(args[0])),
    "units": lambda model, args: cards.overview(model),
    "eye": lambda model, args: cards.eye(model),
    "replay": lambda model, args: past(model, args[0]),
    "opponent": lambda model, args: opponent(model),
    "turn": lambda model, args: turn(model),
}
"""What each view of Storm shows; of the words behind it there is one at least, which may be empty."""


def show(model: Model, what: str, args: Sequence[str]) -> list[str]:
    """Return what a view shows; ``what`` is its canonical word.

    Raises:
        NotUnderstood: it cannot be shown; the sentence says what was expected.
    """
    return _VIEWS[what](model, args or ("",))
