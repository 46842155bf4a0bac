"""Positions as plain data, as scenarios and computer players see them (docs/rules.md, "Positions")."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any, Final

from storm_p2p.storm import engine
from storm_p2p.storm import events as ev
from storm_p2p.storm.bitboard import WINNERS
from storm_p2p.storm.board import FACTIONS, OTHER, Faction
from storm_p2p.storm.errors import NotationError
from storm_p2p.storm.rules import setup
from storm_p2p.storm.state import Combat, Outcome, Phase, State, Terms, Token, end_state
from storm_p2p.storm.units import ALL_OF, CARDS, NAME, ROSTER, Unit, mask_of, units_in

_UNIT: Final = {card.name: card.unit for card in CARDS}
_FACTION: Final = {faction.name.lower(): faction for faction in FACTIONS}

_POSITION_KEYS: Final = frozenset(
    {"id", "terms", "turn", "honor", "energy", "units", "known", "eliminated", "gone", "actions", "legal"}
)


def load_position(position: object) -> State:
    """Return the state of a position in the form of a scenario (docs/rules.md, "Positions").

    All identities are known to the state.  Tokens get the number of their unit as serial.

    Raises:
        NotationError: the position is none, with a code for what is wrong.
    """
    if not isinstance(position, Mapping):
        raise NotationError("bad-position", f"expected an object, got {type(position).__name__}")
    unknown = sorted(str(key) for key in position if key not in _POSITION_KEYS)
    if unknown:
        raise NotationError("unknown-key", f"expected the keys of a scenario, got {show_word(unknown[0])}")
    for key in ("turn", "units"):
        if key not in position:
            raise NotationError("missing-key", f"expected a key {key!r}, got none")
    terms = _load_terms(position.get("terms", {}))
    turn = _load_faction(position["turn"])
    places = _load_units(position["units"])
    fallen = _load_list(position.get("eliminated", []), "eliminated")
    gone = _load_list(position.get("gone", []), "gone")
    known = _load_list(position.get("known", []), "known")
    for unit in (*fallen, *gone):
        if unit in places or (unit in fallen and unit in gone):
            raise NotationError("unit-twice", f"expected {NAME[unit]} in one list, got it in two")
    for unit in known:
        if unit not in places:
            raise NotationError("not-in-play", f"expected known units to be in play, got {NAME[unit]}")
    honor = _load_pair(position.get("honor", {}), terms.start_honor, "honor", least=None)
    energy = _load_pair(position.get("energy", {}), (setup.START_ENERGY, setup.START_ENERGY), "energy", least=0)
    return _build(terms, turn, honor, energy, places, known, fallen, gone)


def _build(
    terms: Terms,
    turn: Faction,
    honor: tuple[int, int],
    energy: tuple[int, int],
    places: Mapping[Unit, int],
    known: Sequence[Unit],
    fallen: Sequence[Unit],
    gone: Sequence[Unit],
) -> State:
    seen = mask_of((*known, *fallen, *gone))
    sides: list[list[list[Token]]] = [[[] for _ in range(25)] for _ in FACTIONS]
    for faction in FACTIONS:
        for unit in ROSTER[faction]:
            if unit in fallen or unit in gone:
                continue
            region = places.get(unit, 0)
            can = 1 << unit if unit in known else ALL_OF[faction] & ~seen
            sides[faction][region].append(Token(int(unit), faction, unit, unit in known, can))
    for region in range(1, 25):
        for faction in FACTIONS:
            if len(sides[faction][region]) > 4:
                raise NotationError("too-many", f"expected at most 4 {faction.name.lower()} in {region}, got 5 or more")
        if sides[0][region] and sides[1][region]:
            raise NotationError("both-sides", f"expected one faction in {region}, got both")
    first, second = (tuple(tuple(group) for group in side) for side in sides)
    dead = tuple(Token(int(unit), CARDS[unit].faction, unit, True, 1 << unit) for unit in sorted(fallen))
    state = State(terms, Phase.TURN, turn, 1, honor, energy, (first, second), dead, mask_of(gone), 24)
    lost = [faction for faction in FACTIONS if honor[faction] < 1]
    if lost:
        winner = "draw" if len(lost) == 2 else WINNERS[OTHER[lost[0]]]
        return end_state(state, Outcome(winner, "honor"))
    return state


def _text(value: object, key: str) -> str:
    if not isinstance(value, str):
        raise NotationError("wrong-type", f"expected text for {key!r}, got {type(value).__name__}")
    return value


def show_word(word: str) -> str:
    """Return a word of unknown origin so that it can be shown: short, printable, in quotes."""
    return repr(word[:40])


def _load_faction(value: object) -> Faction:
    text = _text(value, "turn")
    if text not in _FACTION:
        raise NotationError("unknown-faction", f"expected chthonians or olympians, got {show_word(text)}")
    return _FACTION[text]


def _number(value: object, key: str) -> int:
    if not isinstance(value, int) or isinstance(value, bool):
        raise NotationError("wrong-type", f"expected a whole number for {key!r}, got {type(value).__name__}")
    return value


def _load_terms(value: object) -> Terms:
    if not isinstance(value, Mapping):
        raise NotationError("wrong-type", f"expected an object for 'terms', got {type(value).__name__}")
    for key in value:
        if key not in ("open_combat", "random_setup", "challenge"):
            raise NotationError("unknown-key", f"expected terms of the game, got {show_word(str(key))}")
    for key in ("open_combat", "random_setup"):
        if not isinstance(value.get(key, False), bool):
            raise NotationError("wrong-type", f"expected true or false for {key!r}, got {show_word(str(value[key]))}")
    challenge = _number(value.get("challenge", 0), "challenge")
    terms = Terms(value.get("open_combat", False), value.get("random_setup", False), challenge)
    if terms.start_honor[0] < 1:
        raise NotationError("bad-terms", f"expected a challenge that leaves Honor, got {challenge}")
    return terms


def _load_units(value: object) -> dict[Unit, int]:
    if not isinstance(value, Mapping):
        raise NotationError("wrong-type", f"expected an object for 'units', got {type(value).__name__}")
    places: dict[Unit, int] = {}
    for word, region in value.items():
        unit = _exact_unit(word)
        number = _number(region, str(word))
        if not 1 <= number <= 24:
            raise NotationError("unknown-region", f"expected a region from 1 to 24 for {NAME[unit]}, got {number}")
        places[unit] = number
    return places


def _exact_unit(word: object) -> Unit:
    """Return the unit of its English name; a position admits no other."""
    text = _text(word, "units")
    unit = _UNIT.get(text)
    if unit is None:
        raise NotationError("unknown-unit", f"expected the name of a unit, got {show_word(text)}")
    return unit


def _load_list(value: object, key: str) -> tuple[Unit, ...]:
    if not isinstance(value, list):
        raise NotationError("wrong-type", f"expected a list for {key!r}, got {type(value).__name__}")
    units = tuple(_exact_unit(word) for word in value)
    if len(set(units)) != len(units):
        raise NotationError("unit-twice", f"expected each unit once in {key!r}")
    return units


def _load_pair(value: object, default: tuple[int, int], key: str, *, least: int | None) -> tuple[int, int]:
    if not isinstance(value, Mapping) or any(word not in _FACTION for word in value):
        raise NotationError("wrong-type", f"expected both factions for {key!r}, got {show_word(str(value))}")
    numbers = [_number(value.get(faction.name.lower(), default[faction]), key) for faction in FACTIONS]
    if least is not None and min(numbers) < least:
        raise NotationError("negative", f"expected {key} of {least} or more, got {min(numbers)}")
    return numbers[0], numbers[1]


def dump_position(state: State) -> dict[str, Any]:
    """Return a position for :func:`load_position`; hidden units that the state does not know are left out."""
    return {
        "terms": asdict(state.terms),
        "turn": state.turn.name.lower(),
        "honor": dump_pair(state.honor),
        "energy": dump_pair(state.energy),
        "units": {
            NAME[token.unit]: region
            for side in state.sides
            for region in range(1, 25)
            for token in side[region]
            if token.unit is not None
        },
        "known": [
            NAME[token.unit]
            for side in state.sides
            for group in side[1:]
            for token in group
            if token.known and token.unit is not None
        ],
        "eliminated": [NAME[token.unit] for token in state.fallen if token.unit is not None],
        "gone": [NAME[unit] for unit in units_in(state.gone)],
    }


def dump_pair(pair: tuple[int, int]) -> dict[str, int]:
    """Return a pair of numbers by the names of the factions."""
    return {faction.name.lower(): pair[faction] for faction in FACTIONS}


def show(state: State) -> dict[str, Any]:
    """Return a state as scenarios and computer players see it."""
    request = engine.next_request(state)
    position = dump_position(state)
    del position["terms"]
    return {
        "turn": position.pop("turn"),
        "phase": state.phase.name.lower(),
        "to_act": [] if request is None else [FACTIONS[seat].name.lower() for seat in sorted(request.seats)],
        **position,
        "combat": _show_combat(state.combat),
        "result": None if state.outcome is None else {"winner": state.outcome.winner, "reason": state.outcome.reason},
    }


def _show_combat(current: Combat | None) -> dict[str, Any] | None:
    if current is None or current.round == 0:
        return None
    return {
        "region": current.region,
        "attacker": WINNERS[current.attacker],
        "origin": current.origin,
        "round": current.round,
    }


def show_round(event: ev.RoundFought) -> dict[str, Any]:
    """Return a round in which power counted."""
    return {
        "base": dump_pair(event.base),
        "power": dump_pair(event.power),
        "winner": None if event.winner is None else WINNERS[event.winner],
    }
