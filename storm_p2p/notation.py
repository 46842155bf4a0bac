"""Text to action and back, position to state and back (SPEC.md 2.5).

The words are those of the prompt, of scenarios, logs and error messages, so that a message alone reproduces
what it is about.

>>> from storm_p2p import notation
>>> state = notation.load_position({"turn": "chthonians", "units": {"erinyes": 14, "hecate": 14, "ares": 9}})
>>> action = notation.parse_action("move 14 9 eri hec", state)
>>> notation.format_action(action)
'move 14 9 erinyes hecate'
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from storm_p2p import powers, setup
from storm_p2p.actions import (
    Action, Aid, Block, Bolt, Fight, Immune, Liturgy, Lose, Move, Opening, Pass, Place, Recall, Retreat, Reveal,
    Sneak, Stay, Succeed,
)  # fmt: skip
from storm_p2p.board import BANK, FACTIONS, OTHER, PALACE, REALM, Faction
from storm_p2p.draft import WINNERS
from storm_p2p.errors import IllegalAction, NotationError
from storm_p2p.state import Group, Outcome, Phase, State, Terms, Token, mask, where
from storm_p2p.units import (
    ALL_OF, BOLT_FED, BOLT_ORDER, BOLT_PROOF, CARDS, CHARMERS, DRAINERS, LEADER_ORDER, LEADERS, NAME, RECALL_ORDER,
    RIVER_FED, ROSTER, SNEAK_BLOCKERS, SNEAKS, Maneuver, Unit, mask_of, units_in,
)  # fmt: skip

HIDDEN: Final = "?"
"""A unit that is not known."""


# -- words ------------------------------------------------------------------------------------------------

_EXACT: Final = {word: card.unit for card in CARDS for word in (card.name, card.german, card.code)}
_FACTION: Final = {faction.name.lower(): faction for faction in FACTIONS}
_MANEUVER: Final = {maneuver.name.lower(): maneuver for maneuver in Maneuver}


def parse_unit(word: str) -> Unit:
    """Return the unit of an English or German name, a three-letter code or a unique beginning of a name.

    Raises:
        NotationError: no unit or more than one is called so.
    """
    lower = word.lower()
    if lower in _EXACT:
        return _EXACT[lower]
    found = sorted({unit for name, unit in _EXACT.items() if name.startswith(lower)}) if lower else []
    if len(found) == 1:
        return found[0]
    if found:
        names = " or ".join(NAME[unit] for unit in found)
        raise NotationError("ambiguous-unit", f"expected one unit, got {_show(word)}, which can be {names}")
    raise NotationError("unknown-unit", f"expected the name of a unit, got {_show(word)}")


def parse_faction(word: str) -> Faction:
    """Return the faction of its name.

    Raises:
        NotationError: no faction is called so.
    """
    try:
        return _FACTION[word.lower()]
    except KeyError:
        raise NotationError("unknown-faction", f"expected chthonians or olympians, got {_show(word)}") from None


def parse_region(word: str) -> int:
    """Return the number of a region.

    Raises:
        NotationError: it is none.
    """
    if word.isascii() and word.isdigit() and len(word) <= 2 and 1 <= int(word) <= 24:
        return int(word)
    raise NotationError("unknown-region", f"expected a region from 1 to 24, got {_show(word)}")


def _show(word: str) -> str:
    """Return a word of unknown origin so that it can be shown: short, printable, in quotes."""
    return repr(word[:40])


# -- actions ----------------------------------------------------------------------------------------------


def format_action(action: Action) -> str:
    """Return the canonical words for an action; a unit the action does not name is ``?``."""
    match action:
        case Move():
            units = sorted(NAME[unit] for unit in action.units) or [HIDDEN] * action.count
            claim = [] if action.claim is None else ["claim"]
            return " ".join(["move", *map(str, action.path), *units, *claim])
        case Sneak():
            return f"sneak {action.path[0]} {action.path[1]}"
        case Reveal():
            return f"reveal {_name(action.unit)}"
        case Bolt():
            return f"bolt {action.target}"
        case Recall():
            return f"recall {NAME[action.unit]}"
        case Aid():
            return f"aid {'none' if action.helper is None else NAME[units_in(CHARMERS)[0]]}"
        case Fight():
            return f"fight {action.faction.name.lower()} {action.maneuver.name.lower()} {action.energy}"
        case Lose():
            return f"lose {_name(action.unit)}{'' if action.claim is None else ' claim'}"
        case Immune():
            return f"lose {NAME[units_in(BOLT_PROOF)[0]]} immune"
        case Retreat():
            return f"retreat {action.target}"
        case Succeed():
            return f"succeed {'none' if action.token is None else NAME[LEADER_ORDER[1]]}"
        case Place():
            return f"place {action.faction.name.lower()} {_format_place(action)}"
        case Opening():
            return f"open {' '.join(NAME[unit] for unit in action.units)}"
        case Liturgy() | Pass() | Block() | Stay():
            return type(action).__name__.lower()


def _name(unit: Unit | None) -> str:
    return HIDDEN if unit is None else NAME[unit]


def _format_place(action: Place) -> str:
    if action.units is None:
        return HIDDEN
    pairs = zip(REALM[action.faction], action.units, strict=False)
    return " ".join(f"{region} {NAME[unit]}" for region, unit in pairs)


def parse_action(text: str, state: State) -> Action:
    """Return the action that the words mean in a position; whether it is legal is the engine's question.

    Raises:
        NotationError: the words are not understood.
        IllegalAction: they name a unit that is not where they say.
    """
    words = text.lower().split()
    if not words:
        raise NotationError("no-action", "expected an action, got nothing")
    verb, rest = words[0], words[1:]
    plain: dict[str, Action] = {"liturgy": Liturgy(), "pass": Pass(), "stay": Stay()}
    if verb in plain:
        _count(text, rest, 0, 0)
        return plain[verb]
    match verb:
        case "move":
            return _parse_move(text, rest, state)
        case "sneak":
            _count(text, rest, 2, 2)
            origin, target = parse_region(rest[0]), parse_region(rest[1])
            token = _member(state.sides[state.turn][origin], units_in(SNEAKS)[0], origin)
            return Sneak((origin, target), token.serial)
        case "reveal":
            _count(text, rest, 1, 1)
            unit = parse_unit(rest[0])
            return Reveal(_standing(state, unit).serial, unit)
        case "bolt":
            _count(text, rest, 1, 1)
            thrower = units_in(powers.holder(state, BOLT_ORDER))[0]
            return Bolt(parse_region(rest[0]), _standing(state, thrower).serial)
        case "recall":
            _count(text, rest, 1, 1)
            caller = units_in(powers.holder(state, RECALL_ORDER))[0]
            return Recall(parse_unit(rest[0]), _standing(state, caller).serial)
        case "aid":
            _count(text, rest, 1, 1)
            return Aid(None if rest[0] == "none" else _standing(state, parse_unit(rest[0])).serial)
        case "fight":
            _count(text, rest, 3, 3)
            return Fight(parse_faction(rest[0]), _parse_maneuver(rest[1]), _parse_energy(rest[2]))
        case "lose":
            return _parse_lose(text, rest, state)
        case "block":
            _count(text, rest, 0, 0)
            return Block(_standing(state, units_in(SNEAK_BLOCKERS)[0]).serial)
        case "retreat":
            _count(text, rest, 1, 1)
            return Retreat(parse_region(rest[0]))
        case "succeed":
            _count(text, rest, 1, 1)
            return Succeed(None if rest[0] == "none" else _standing(state, parse_unit(rest[0])).serial)
    raise NotationError("unknown-action", f"expected an action, got {_show(text)}")


def _count(text: str, rest: Sequence[str], least: int, most: int) -> None:
    if not least <= len(rest) <= most:
        number = str(least) if least == most else f"{least} to {most}"
        raise NotationError("word-count", f"expected {number} words after the action, got {_show(text)}")


def _parse_maneuver(word: str) -> Maneuver:
    if word not in _MANEUVER:
        raise NotationError("unknown-maneuver", f"expected {', '.join(_MANEUVER)}, got {_show(word)}")
    return _MANEUVER[word]


def _parse_energy(word: str) -> int:
    if word.isascii() and word.isdigit() and len(word) <= 4:
        return int(word)
    raise NotationError("bad-energy", f"expected an amount of Energy, got {_show(word)}")


def _standing(state: State, unit: Unit) -> Token:
    found = where(state, unit)
    if found is None:
        raise IllegalAction("not-there", f"expected {NAME[unit]} in play, got none")
    return found[1]


def _member(group: Group, unit: Unit, region: int) -> Token:
    for token in group:
        if token.unit == unit:
            return token
    raise IllegalAction("not-there", f"expected {NAME[unit]} of the side to move in {region}, got none")


def _parse_lose(text: str, rest: Sequence[str], state: State) -> Action:
    _count(text, rest, 1, 2)
    unit = parse_unit(rest[0])
    token = _standing(state, unit)
    if len(rest) == 1:
        return Lose(token.serial, None, unit)
    if rest[1] == "immune":
        return Immune(token.serial)
    if rest[1] == "claim":
        return Lose(token.serial, _standing(state, units_in(BOLT_FED)[0]).serial, unit)
    raise NotationError("word-count", f"expected claim or immune after the unit, got {_show(rest[1])}")


def _parse_move(text: str, rest: Sequence[str], state: State) -> Action:
    numbers = [word for word in rest if word.isdigit()]
    names = list(rest[len(numbers) :])
    if len(numbers) < 2 or any(word.isdigit() for word in names):
        raise NotationError("word-count", f"expected move FROM TO and units, got {_show(text)}")
    path = tuple(parse_region(word) for word in numbers)
    claimed = bool(names) and names[-1] == "claim"
    if claimed:
        names.pop()
    group = state.sides[state.turn][path[0]]
    if not group:
        raise IllegalAction("not-there", f"expected units of the side to move in {path[0]}, got none")
    units = [parse_unit(word) for word in names if word != HIDDEN]
    if len(set(units)) != len(units):
        raise NotationError("unit-twice", f"expected each unit once, got {_show(text)}")
    named = [_member(group, unit, path[0]) for unit in units]
    hidden = len(names) - len(units)
    if not names or len(names) == len(group):
        movers = group
    elif hidden:
        return Move(path, (), len(names))
    else:
        movers = tuple(token for token in group if token in named)
    known = tuple(Unit(token.unit) for token in movers if token.unit is not None)
    claim = _claimant(state, path, movers) if claimed else None
    return Move(path, tuple(token.serial for token in movers), len(movers), claim, known)


def _claimant(state: State, path: Sequence[int], movers: Group) -> int | None:
    """Return which mover a claim means, or None where a claim changes nothing (A-25)."""
    leaders = sorted((token for token in movers if mask((token,)) & LEADERS), key=lambda token: token.unit or 0)
    if path[-1] == PALACE and leaders:
        occupied = bool(state.sides[OTHER[state.turn]][PALACE])
        # A known leader wins without a claim, and contact opens all.
        return None if occupied or any(token.known for token in leaders) else leaders[0].serial
    power = RIVER_FED if path[0] in BANK and path[-1] in BANK else DRAINERS
    claimants = [token for token in movers if mask((token,)) & power]
    return (claimants or list(movers))[0].serial


# -- positions --------------------------------------------------------------------------------------------

_POSITION_KEYS: Final = frozenset(
    {"id", "terms", "turn", "honor", "energy", "units", "known", "eliminated", "gone", "actions", "legal"}
)


def load_position(position: object) -> State:
    """Return the state of a position in the form of a scenario (interfaces, section 3).

    All identities are known to the state.  Tokens get the number of their unit as serial.

    Raises:
        NotationError: the position is none, with a code for what is wrong.
    """
    if not isinstance(position, Mapping):
        raise NotationError("bad-position", f"expected an object, got {type(position).__name__}")
    unknown = sorted(str(key) for key in position if key not in _POSITION_KEYS)
    if unknown:
        raise NotationError("unknown-key", f"expected the keys of a scenario, got {_show(unknown[0])}")
    for key in ("turn", "units"):
        if key not in position:
            raise NotationError("missing-key", f"expected a key {key!r}, got none")
    terms = _load_terms(position.get("terms", {}))
    turn = parse_faction(_text(position["turn"], "turn"))
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
    honor = _load_pair(position.get("honor"), setup.start_honor(terms), "honor", least=None)
    energy = _load_pair(position.get("energy"), (setup.START_ENERGY, setup.START_ENERGY), "energy", least=0)
    return _build(terms, turn, honor, energy, places, known, fallen, gone)


def _build(
    terms: Terms, turn: Faction, honor: tuple[int, int], energy: tuple[int, int], places: Mapping[Unit, int],
    known: Sequence[Unit], fallen: Sequence[Unit], gone: Sequence[Unit],
) -> State:  # fmt: skip
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
        return _over(state, Outcome(winner, "honor"))
    return state


def _over(state: State, outcome: Outcome) -> State:
    return State(
        state.terms, Phase.OVER, state.turn, state.number, state.honor, state.energy, state.sides, state.fallen,
        state.gone, state.fresh, outcome=outcome,
    )  # fmt: skip


def _text(value: object, key: str) -> str:
    if not isinstance(value, str):
        raise NotationError("wrong-type", f"expected text for {key!r}, got {type(value).__name__}")
    return value


def _number(value: object, key: str) -> int:
    if not isinstance(value, int) or isinstance(value, bool):
        raise NotationError("wrong-type", f"expected a whole number for {key!r}, got {type(value).__name__}")
    return value


def _load_terms(value: object) -> Terms:
    if not isinstance(value, Mapping):
        raise NotationError("wrong-type", f"expected an object for 'terms', got {type(value).__name__}")
    for key in value:
        if key not in ("open_combat", "random_setup", "challenge"):
            raise NotationError("unknown-key", f"expected terms of the game, got {_show(str(key))}")
    for key in ("open_combat", "random_setup"):
        if not isinstance(value.get(key, False), bool):
            raise NotationError("wrong-type", f"expected true or false for {key!r}, got {_show(str(value[key]))}")
    challenge = _number(value.get("challenge", 0), "challenge")
    terms = Terms(value.get("open_combat", False), value.get("random_setup", False), challenge)
    if setup.start_honor(terms)[0] < 1:
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
    unit = _EXACT.get(text)
    if unit is None or NAME[unit] != text:
        raise NotationError("unknown-unit", f"expected the name of a unit, got {_show(text)}")
    return unit


def _load_list(value: object, key: str) -> tuple[Unit, ...]:
    if not isinstance(value, list):
        raise NotationError("wrong-type", f"expected a list for {key!r}, got {type(value).__name__}")
    units = tuple(_exact_unit(word) for word in value)
    if len(set(units)) != len(units):
        raise NotationError("unit-twice", f"expected each unit once in {key!r}")
    return units


def _load_pair(value: object, default: tuple[int, int], key: str, *, least: int | None) -> tuple[int, int]:
    if value is None:
        return default
    if not isinstance(value, Mapping) or any(word not in _FACTION for word in value):
        raise NotationError("wrong-type", f"expected both factions for {key!r}, got {_show(str(value))}")
    numbers = [_number(value.get(faction.name.lower(), default[faction]), key) for faction in FACTIONS]
    if least is not None and min(numbers) < least:
        raise NotationError("negative", f"expected {key} of {least} or more, got {min(numbers)}")
    return numbers[0], numbers[1]


def dump_position(state: State) -> dict[str, Any]:
    """Return a position for :func:`load_position`; hidden units that the state does not know are left out."""
    return {
        "terms": {
            "open_combat": state.terms.open_combat,
            "random_setup": state.terms.random_setup,
            "challenge": state.terms.challenge,
        },
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
