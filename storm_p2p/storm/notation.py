"""Text to action and back (docs/rules.md, "Notation"); positions stand in ``positions`` and are offered here as well.

The words are those of the prompt, of scenarios, logs and error messages, so that a message alone reproduces
what it is about.

>>> from storm_p2p import notation
>>> state = notation.load_position({"turn": "chthonians", "units": {"erinyes": 14, "hecate": 14, "ares": 9}})
>>> action = notation.parse_action("move 14 9 eri hec", state)
>>> notation.format_action(action)
'move 14 9 erinyes hecate'
"""

from collections.abc import Iterable, Sequence
from typing import Any, Final

from storm_p2p.storm import actions as act
from storm_p2p.storm import engine
from storm_p2p.storm import units as traits
from storm_p2p.storm.actions import Action
from storm_p2p.storm.board import BANK, FACTIONS, NEIGHBOURS, OTHER, PALACE, REALM, Faction
from storm_p2p.storm.errors import IllegalAction, NotationError
from storm_p2p.storm.positions import dump_position, load_position, show_word
from storm_p2p.storm.rules import powers
from storm_p2p.storm.state import Group, State, Token, mask, where
from storm_p2p.storm.state_builder import look
from storm_p2p.storm.units import CARDS, NAME, Maneuver, Unit, units_in

__all__ = ["HIDDEN", "dump_position", "format_action", "legal", "load_position"]
__all__ += ["parse_action", "parse_faction", "parse_region", "parse_unit"]

HIDDEN: Final = "?"
"""A unit that is not known."""


# -- words ------------------------------------------------------------------------------------------------

_EXACT: Final = {word: card.unit for card in CARDS for word in (card.name, card.code)}
_FACTION: Final = {faction.name.lower(): faction for faction in FACTIONS}
_MANEUVER: Final = {maneuver.name.lower(): maneuver for maneuver in Maneuver}


def parse_unit(word: str) -> Unit:
    """Return the unit of a name, a three-letter code or a unique beginning of a name.

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
        raise NotationError("ambiguous-unit", f"expected one unit, got {show_word(word)}, which can be {names}")
    raise NotationError("unknown-unit", f"expected the name of a unit, got {show_word(word)}")


def parse_faction(word: str) -> Faction:
    """Return the faction of its name.

    Raises:
        NotationError: no faction is called so.
    """
    try:
        return _FACTION[word.lower()]
    except KeyError:
        raise NotationError("unknown-faction", f"expected chthonians or olympians, got {show_word(word)}") from None


def parse_region(word: str) -> int:
    """Return the number of a region.

    Raises:
        NotationError: it is none.
    """
    if word.isascii() and word.isdigit() and len(word) <= 2 and 1 <= int(word) <= 24:
        return int(word)
    raise NotationError("unknown-region", f"expected a region from 1 to 24, got {show_word(word)}")


# -- actions ----------------------------------------------------------------------------------------------


def format_action(action: Action) -> str:
    """Return the canonical words for an action; a unit the action does not name is ``?``."""
    match action:
        case act.Move():
            names = sorted(NAME[unit] for unit in action.units)
            units = [HIDDEN] * (action.count - len(names)) + names
            claim = [] if action.claim is None else ["claim"]
            return " ".join(["move", *map(str, action.path), *units, *claim])
        case act.Sneak():
            return f"sneak {action.path[0]} {action.path[1]}"
        case act.Reveal():
            return f"reveal {_name(action.unit)}"
        case act.Bolt():
            return f"bolt {action.target}"
        case act.Recall():
            return f"recall {NAME[action.unit]}"
        case act.Aid():
            return f"aid {'none' if action.helper is None else _name_claimed(action.unit, traits.CHARMERS)}"
        case act.Fight():
            return f"fight {action.faction.name.lower()} {action.maneuver.name.lower()} {action.energy}"
        case act.Lose():
            return f"lose {_name(action.unit)}{'' if action.claim is None else ' claim'}"
        case act.Immune():
            return f"lose {_name_claimed(action.unit, traits.BOLT_PROOF)} immune"
        case act.Retreat():
            return f"retreat {action.target}"
        case act.Succeed():
            return f"succeed {'none' if action.token is None else _name_claimed(action.unit, traits.SECOND_LEADER)}"
        case act.Place():
            return f"place {action.faction.name.lower()} {_format_place(action)}"
        case act.Opening():
            return f"open {' '.join(NAME[unit] for unit in action.units)}"
        case act.Liturgy() | act.Pass() | act.Block() | act.Stay():
            return type(action).__name__.lower()


def _name(unit: Unit | None) -> str:
    return HIDDEN if unit is None else NAME[unit]


def _name_claimed(unit: Unit | None, able: int) -> str:
    """Return the name of a unit that claims a power; not named, it is the only one that can have it."""
    return _name(units_in(able)[0] if unit is None and able.bit_count() == 1 else unit)


def _format_place(action: act.Place) -> str:
    if action.units is None:
        return HIDDEN
    pairs = zip(REALM[action.faction], action.units, strict=False)
    return " ".join(f"{region} {NAME[unit]}" for region, unit in pairs)


_PLAIN: Final[dict[str, Action]] = {"liturgy": act.Liturgy(), "pass": act.Pass(), "stay": act.Stay()}
_FOLLOWED_BY: Final = {
    **dict.fromkeys((*_PLAIN, "block"), (0, 0)),
    **dict.fromkeys(("reveal", "bolt", "recall", "aid", "retreat", "succeed"), (1, 1)),
    "sneak": (2, 2),
    "fight": (3, 3),
    "lose": (1, 2),
}
"""How many words at least and at most follow the first one."""


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
    if verb in _FOLLOWED_BY:
        _count(text, rest, *_FOLLOWED_BY[verb])
    match verb:
        case "liturgy" | "pass" | "stay":
            return _PLAIN[verb]
        case "move":
            return _parse_move(text, rest, state)
        case "sneak":
            origin, target = parse_region(rest[0]), parse_region(rest[1])
            return act.Sneak((origin, target), _able(state.sides[state.turn][origin], traits.SNEAKS, origin))
        case "reveal":
            unit = parse_unit(rest[0])
            region, token = _find(state, unit)
            side = state.sides[token.faction]
            if token.faction != state.turn:
                raise IllegalAction("nothing-to-reveal", "expected a unit of the side to move, got {unit}", unit=unit)
            return act.Reveal(region, side[region].index(token), unit)
        case "bolt":
            target = parse_region(rest[0])
            near = [group for region in NEIGHBOURS[target] for group in (state.sides[state.turn][region],)]
            return act.Bolt(target, _find_holder(state, powers.holders(look(state), traits.BOLT_ORDER), near).serial)
        case "recall":
            unit = parse_unit(rest[0])
            return act.Recall(unit, _find_holder(state, powers.holders(look(state), traits.RECALL_ORDER)).serial)
        case "aid":
            return act.Aid(*_find_named(rest[0], state))
        case "fight":
            return act.Fight(parse_faction(rest[0]), _parse_maneuver(rest[1]), _parse_energy(rest[2]))
        case "lose":
            return _parse_lose(rest, state)
        case "block":
            return act.Block(_find_holder(state, traits.SNEAK_BLOCKERS, [_find_hit(state)]).serial)
        case "retreat":
            return act.Retreat(parse_region(rest[0]))
        case "succeed":
            return act.Succeed(*_find_named(rest[0], state))
    raise NotationError("unknown-action", f"expected an action, got {show_word(text)}")


def _count(text: str, rest: Sequence[str], least: int, most: int) -> None:
    if not least <= len(rest) <= most:
        number = str(least) if least == most else f"{least} to {most}"
        raise NotationError("word-count", f"expected {number} words after the action, got {show_word(text)}")


def _parse_maneuver(word: str) -> Maneuver:
    if word not in _MANEUVER:
        raise NotationError("unknown-maneuver", f"expected {', '.join(_MANEUVER)}, got {show_word(word)}")
    return _MANEUVER[word]


def _parse_energy(word: str) -> int:
    if word.isascii() and word.isdigit() and len(word) <= 4:
        return int(word)
    raise NotationError("bad-energy", "expected an amount of Energy, got {words}", words=show_word(word))


def _find(state: State, unit: Unit) -> tuple[int, Token]:
    found = where(state, unit)
    if found is None:
        raise IllegalAction("not-there", "expected {unit} in play, got none", unit=unit)
    return found


def _find_standing(state: State, unit: Unit) -> Token:
    return _find(state, unit)[1]


def _find_named(word: str, state: State) -> tuple[int | None, Unit | None]:
    """Return the token of a unit, and the unit; None for none."""
    if word == "none":
        return None, None
    unit = parse_unit(word)
    return _find_standing(state, unit).serial, unit


def _find_hit(state: State) -> Group:
    """Return the group that a thunderbolt or a sneak attack has hit."""
    return state.sides[OTHER[state.turn]][state.target]


def _find_holder(state: State, able: int, groups: Iterable[Group] = ()) -> Token:
    """Return the unit that an action without a name means: one of ``able`` in these groups, or else anywhere."""
    found = [token for group in groups for token in group if token.unit is not None and 1 << token.unit & able]
    if found:
        return min(found, key=lambda token: token.unit or 0)
    standing = [unit for unit in units_in(able) if where(state, unit) is not None]
    return _find_standing(state, (standing or units_in(able))[0])


def _able(group: Group, able: int, region: int) -> int:
    """Return the place of the unit of a group that can do something."""
    return _member(group, next((unit for unit in units_in(mask(group) & able)), units_in(able)[0]), region)


def _member(group: Group, unit: Unit, region: int) -> int:
    for place, token in enumerate(group):
        if token.unit == unit:
            return place
    raise IllegalAction(
        "not-there", "expected {unit} of the side to move in {region}, got none", unit=unit, region=region
    )


def _parse_lose(rest: Sequence[str], state: State) -> Action:
    unit = parse_unit(rest[0])
    token = _find_standing(state, unit)
    if len(rest) == 1:
        return act.Lose(token.serial, None, unit)
    if rest[1] == "immune":
        return act.Immune(token.serial, unit)
    if rest[1] == "claim":
        return act.Lose(token.serial, _find_holder(state, traits.BOLT_FED, [_find_hit(state)]).serial, unit)
    raise NotationError("word-count", f"expected claim or immune after the unit, got {show_word(rest[1])}")


def _parse_move(text: str, rest: Sequence[str], state: State) -> Action:
    numbers = [word for word in rest if word.isdigit()]
    names = list(rest[len(numbers) :])
    if len(numbers) < 2 or any(word.isdigit() for word in names):
        raise NotationError("word-count", f"expected move FROM TO and units, got {show_word(text)}")
    path = tuple(parse_region(word) for word in numbers)
    claimed = bool(names) and names[-1] == "claim"
    if claimed:
        names.pop()
    group = state.sides[state.turn][path[0]]
    if not group:
        raise IllegalAction("not-there", "expected units of the side to move in {region}, got none", region=path[0])
    units = [parse_unit(word) for word in names if word != HIDDEN]
    if len(set(units)) != len(units):
        raise NotationError("unit-twice", "expected each unit once, got {words}", words=show_word(text))
    named = [_member(group, unit, path[0]) for unit in units]
    hidden = len(names) - len(units)
    if not names or len(names) == len(group):
        places = tuple(range(len(group)))
    elif hidden:
        return act.Move(path, (), len(names))
    else:
        places = tuple(sorted(named))
    known = tuple(Unit(unit) for unit in (group[place].unit for place in places) if unit is not None)
    claim = _claimant(state, path, group, places) if claimed else None
    return act.Move(path, places, len(places), claim, known)


def _claimant(state: State, path: Sequence[int], group: Group, places: Sequence[int]) -> int | None:
    """Return which mover a claim means, or None where a claim changes nothing (A-25)."""
    leaders = sorted((group[place].unit or 0, place) for place in places if mask((group[place],)) & traits.LEADERS)
    if path[-1] == PALACE and leaders:
        occupied = bool(state.sides[OTHER[state.turn]][PALACE])
        # A known leader wins without a claim, and contact opens all.
        return None if occupied or any(group[place].known for _, place in leaders) else leaders[0][1]
    power = traits.RIVER_FED if path[0] in BANK and path[-1] in BANK else traits.DRAINERS
    claimants = [place for place in places if mask((group[place],)) & power]
    return (claimants or list(places))[0]


def legal(state: State) -> list[dict[str, Any]]:
    """Return every legal action of those to act, with what it changes at once."""
    request = engine.next_request(state)
    if request is None:
        return []
    return [
        {"action": format_action(action), "honor": price.honor, "energy": price.energy}
        for seat in sorted(request.seats)
        for action, price in engine.options(state, seat)
    ]
