"""What the views of the console answer: who stands where, what a move would cost, what happened, the clocks.

Each function returns lines; ``plain`` asks for sentences that a screen reader can say.
"""

from __future__ import annotations

from collections.abc import Sequence

from cli import board_text, cards, combat_text, preview, words
from cli import model as m
from cli.model import Model
from cli.text import names, refusals, story, typed
from storm_p2p import engine, notation
from storm_p2p.actions import Fight, Move
from storm_p2p.board import (
    ALTITUDE,
    BANK,
    COLUMN,
    CROSSES,
    NEIGHBOURS,
    OTHER,
    REALM,
    REGIONS,
    Faction,
    Region,
)  # fmt: skip
from storm_p2p.engine import Price
from storm_p2p.state import Phase, State, Token
from storm_p2p.units import NAME, ROSTER, Unit, units_in

LOG_LINES = 10
"""How many lines the log shows when no number is given."""
MOST_CANDIDATES = 4
"""A hidden counter with more candidates than this is not spelled out."""


class NoSuchView(ValueError):
    """A view that cannot be shown; the sentence says what was expected."""


def region_of(word: str) -> Region:
    """Return the region of a typed number.

    Raises:
        NoSuchView: it is none.
    """
    if word.isascii() and word.isdigit() and int(word) in REGIONS:
        return int(word)
    raise NoSuchView(typed.region(word))


def unit_of(word: str, faction: Faction | None = None) -> Unit:
    """Return the unit of a typed word.

    Raises:
        NoSuchView: it is none.
    """
    try:
        return words.find_unit(word, faction)
    except words.UnitUnclear as unclear:
        raise NoSuchView(str(unclear)) from None


def state_of(model: Model) -> State:
    """Return the state.

    Raises:
        NoSuchView: there is none yet.
    """
    if model.state is None or model.state.phase == Phase.SETUP:
        raise NoSuchView(typed.NO_BOARD)
    return model.state


# -- who stands where -----------------------------------------------------------------------------------------


def who(model: Model, region: Region) -> list[str]:
    """Return who stands in a region and around it, and where the Styx runs."""
    state = state_of(model)
    parts = [f"{names.region_name(region)}, {_realm(region)}. {_occupants(model, state, region, full=True)}"]
    for there in NEIGHBOURS[region]:
        river = ", over the Styx" if CROSSES[region][there] else ""
        parts.append(f"{_direction(region, there)}: {there}{river}, {_occupants(model, state, there)}")
    return [" ".join(parts)]


def _realm(region: Region) -> str:
    realms = [names.side_name(faction) for faction in Faction if region in REALM[faction]]
    realm = f"realm of the {realms[0]}" if realms else "outside both realms"
    return f"{realm}, on the Styx" if region in BANK else realm


def _direction(here: Region, there: Region) -> str:
    side = {0: "", -1: " left", 1: " right"}[COLUMN[there] - COLUMN[here]]
    return f"{'Up' if ALTITUDE[there] > ALTITUDE[here] else 'Down'}{side}"


def _occupants(model: Model, state: State, region: Region, *, full: bool = False) -> str:
    ours = board_text.ordered(state.sides[model.faction][region])
    theirs = board_text.ordered(state.sides[OTHER[model.faction]][region], known_first=True)
    parts = []
    if ours:
        parts.append(f"yours: {', '.join(_own(model, token, full=full) for token in ours)}.")
    if theirs:
        known = [names.unit_name(Unit(token.unit)) for token in theirs if token.known and token.unit is not None]
        hidden = [token for token in theirs if not token.known]
        if hidden:
            known.append("one hidden" if len(hidden) == 1 else f"{len(hidden)} hidden")
        parts.append(f"{model.opponent}: {names.listed(known)}.")
        if full and hidden:
            parts.append(_candidates(hidden))
    return " ".join(part for part in parts if part) or "empty."


def _own(model: Model, token: Token, *, full: bool) -> str:
    name = names.unit_name(None if token.unit is None else Unit(token.unit))
    if not full:
        return name
    return f"{name} known to {model.opponent}" if token.known else f"{name} secret"


def _candidates(hidden: Sequence[Token]) -> str:
    can = 0
    for token in hidden:
        can |= token.can
    units = units_in(can)
    if len(units) > MOST_CANDIDATES:
        return ""
    return f"Hidden there can be {names.listed((names.unit_name(unit) for unit in units), 'or')}."


def scan(model: Model, column: str) -> list[str]:
    """Return a column of the board from its top to its bottom; columns are a to e, or 1 to 5."""
    state = state_of(model)
    number = {"a": 0, "b": 1, "c": 2, "d": 3, "e": 4}.get(column, "12345".find(column) if column else -1)
    regions = [region for region in REGIONS if COLUMN[region] == number]
    if not regions:
        raise NoSuchView(typed.column(column))
    return [f"{names.region_name(region)}: {_occupants(model, state, region)}" for region in reversed(regions)]


def occupied(model: Model) -> list[str]:
    """Return every region where somebody stands, one sentence each."""
    state = state_of(model)
    return [
        f"{names.region_name(region)}: {_occupants(model, state, region)}"
        for region in REGIONS
        if any(state.sides[faction][region] for faction in Faction)
    ]


def where(model: Model, unit: Unit) -> list[str]:
    """Return where a unit is, as far as the player knows."""
    kind, region, known = m.whereabouts(model, unit)
    name = names.unit_name(unit)
    if kind == m.Whereabouts.STANDS:
        mine = unit in ROSTER[model.faction]
        secret = "" if not mine else f", {'known to ' + model.opponent if known else 'secret'}"
        return [f"{name} stands in {region}{secret}."]
    return [f"{name}: {'eliminated' if kind in (m.Whereabouts.LOST, m.Whereabouts.GONE) else 'not on the board'}."
            if kind != m.Whereabouts.UNKNOWN else f"{name}: hidden, or not selected."]  # fmt: skip


# -- numbers --------------------------------------------------------------------------------------------------


def turn(model: Model) -> list[str]:
    """Return turn, Honor and Energy in one line."""
    state = state_of(model)
    me, him = model.faction, OTHER[model.faction]
    if model.deciding:
        what = "Your move." if state.phase == Phase.TURN else "You have to answer."
    else:
        what = f"Waiting for {model.opponent}."
    line = (
        f"Turn {state.number}. {what} Honor: you {state.honor[me]}, {model.opponent} {state.honor[him]}."
        f" Energy: you {state.energy[me]}, {model.opponent} {state.energy[him]}."
    )
    loss = m.base_loss(state, me)
    if loss:
        line += f" At the start of your next turn you lose {loss} Honor for enemies in your base."
    return [line]


def opponent(model: Model) -> list[str]:
    """Return what is known about the other side."""
    state = state_of(model)
    him = OTHER[model.faction]
    tokens = m.in_play(state, him)
    found = [names.unit_name(Unit(token.unit)) for token in tokens if token.known and token.unit is not None]
    lost = [names.unit_name(unit) for unit in m.lost(state, him)]
    return [
        f"{model.opponent}, {names.side_name(him)}: honor {state.honor[him]}, energy {state.energy[him]},"
        f" {len(tokens)} units, {len(tokens) - len(found)} hidden. Known: {', '.join(found) or 'none'}."
        f" Lost: {', '.join(lost) or 'none'}."
    ]


def log(model: Model, count: int) -> list[str]:
    """Return the last lines of what happened, each with its turn."""
    lines: list[str] = []
    for entry in reversed(model.entries):
        if len(lines) >= count:
            break
        lines[:0] = [f"{entry.turn:3} {line}" for line in story.story(model, entry)]
    return lines[-count:] or ["Nothing has happened yet."]


def last(model: Model) -> list[str]:
    """Return what the last message did."""
    return story.story(model, model.entries[-1]) if model.entries else ["Nothing has happened yet."]


def _count(word: str) -> int:
    """Return how many lines of the log are wanted."""
    if not word:
        return LOG_LINES
    if word.isascii() and word.isdigit() and len(word) < 6 and int(word):
        return int(word)
    raise NoSuchView(typed.lines(word))


# -- prices ---------------------------------------------------------------------------------------------------


def costs(model: Model, args: Sequence[str], *, plain: bool) -> list[str]:
    """Return what it costs some units to go wherever they may, on the board and in words; in a combat the table.

    Raises:
        NoSuchView: the units are none, or do not stand together.
    """
    state = state_of(model)
    if not model.deciding or state.phase == Phase.FIGHT:
        if model.deciding:
            return combat_text.spoken(model) if plain else combat_text.dialog(model)
        raise NoSuchView(typed.NO_COSTS)
    if state.phase != Phase.TURN:
        return options(model)
    if not args:
        raise NoSuchView(typed.costs_of(model.faction))
    origin, places = selected(model, state, args)
    found = preview.costs(state, model.faction, origin, places)
    if not found:
        raise NoSuchView(typed.CANNOT_MOVE)
    prices = {action.path[-1]: price for action, price in found}
    if plain:
        return [_grouped(prices, spoken=True)]
    marks = {region: price.honor for region, price in prices.items()}
    return [*board_text.screen(model, marks), f"From {origin}, honor: {_grouped(prices, spoken=False)}"]


def selected(model: Model, state: State, args: Sequence[str]) -> tuple[Region, tuple[int, ...]]:
    """Return where the named units stand and their places in the group there."""
    if args[0].isdigit():
        origin = region_of(args[0])
        group = state.sides[model.faction][origin]
        if not group:
            raise NoSuchView(typed.nobody_there(origin))
        if len(args) == 1:
            return origin, tuple(range(len(group)))
        args = args[1:]
    units = [unit_of(word, model.faction) for word in args]
    found = [(region, place) for unit in units for region, place in _standing(model, state, unit)]
    if len(found) < len(units) or len({region for region, _ in found}) > 1:
        raise NoSuchView(typed.not_together(units))
    return found[0][0], tuple(sorted(place for _, place in found))


def _standing(model: Model, state: State, unit: Unit) -> list[tuple[Region, int]]:
    return [
        (region, place)
        for region in REGIONS
        for place, token in enumerate(state.sides[model.faction][region])
        if token.unit == unit
    ]


def _grouped(prices: dict[Region, Price], *, spoken: bool) -> str:
    """Return prices with the cheapest first, regions of one price together."""
    by_price: dict[tuple[int, int], list[Region]] = {}
    for region, price in sorted(prices.items()):
        by_price.setdefault((price.honor, price.energy), []).append(region)
    parts = []
    number = names.spoken if spoken else names.signed
    for (honor, energy), regions in sorted(by_price.items(), reverse=True):
        part = f"{', '.join(map(str, regions))}: {number(honor)}"
        if spoken and honor:
            part += " honor"
        if energy:
            part += f" and {number(energy)} energy" if spoken else f" energy {number(energy)}"
        parts.append(part)
    return ". ".join(parts) + "." if spoken else "   ".join(parts)


def options(model: Model) -> list[str]:
    """Return every legal action but single moves and amounts of Energy, with its price."""
    state = state_of(model)
    if not model.deciding:
        raise NoSuchView(typed.NO_OPTIONS)
    lines = []
    for action, price in engine.options(state, model.faction):
        if isinstance(action, Fight) or (isinstance(action, Move) and action.claim is None):
            continue
        lines.append(f"{notation.format_action(action)} ({names.cost(price)})")
    movable = sorted(
        f"{NAME[Unit(token.unit)]} {region}"
        for region in REGIONS
        for token in state.sides[model.faction][region]
        if token.unit is not None and state.phase == Phase.TURN
    )
    if movable:
        lines.append(f"move: {', '.join(movable)}; costs UNIT shows where to")
    return lines


# -- all of them ----------------------------------------------------------------------------------------------


def show(model: Model, what: str, args: Sequence[str], *, plain: bool) -> list[str]:
    """Return what a view shows; ``what`` is its canonical word.

    Raises:
        NoSuchView: it cannot be shown; the sentence says what was expected.
    """
    first = args[0] if args else ""
    match what:
        case "board":
            state_of(model)
            return occupied(model) if plain else board_text.screen(model)
        case "who":
            return who(model, region_of(first))
        case "costs":
            return costs(model, args, plain=plain)
        case "options":
            return options(model)
        case "scan":
            return scan(model, first)
        case "where":
            return where(model, unit_of(first))
        case "card":
            return cards.card(model, unit_of(first))
        case "units":
            return cards.overview_spoken(model) if plain else cards.overview(model)
        case "table":
            return cards.goals() + cards.honor_table(model.terms)
        case "eye":
            return cards.eye(model)
        case "log":
            return log(model, _count(first))
        case "last":
            return last(model)
        case "opponent":
            return opponent(model)
        case "turn":
            return turn(model)
        case "clocks":
            return ["This match has no clock."]
        case _:
            return [refusals.NOTHING_SENT]
