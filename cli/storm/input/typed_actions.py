"""What a typed action means: short and German words become canonical ones, and the engine says whether it is allowed.

Used by :mod:`cli.storm.input.grammar`, which tells an action from everything else that can be typed.
"""

from collections.abc import Sequence

from cli.console.messages import NotUnderstood, name_unknown
from cli.storm import model, vocabulary, words
from cli.storm.text import typed
from cli.text.typed import alone
from cli.vocabulary import NO, YES
from storm_p2p.storm import engine, notation
from storm_p2p.storm.actions import Action, Fight, Move
from storm_p2p.storm.board import ADJACENT, NEIGHBOURS, Faction, Region
from storm_p2p.storm.errors import RulesError
from storm_p2p.storm.rules import combat
from storm_p2p.storm.state import Phase, State, where
from storm_p2p.storm.units import CHARMERS, DRAINERS, FACTION, NAME, SNEAKS, WANDERERS, Unit, units_in


def unknown(word: str) -> str:
    """Return that a word is no command, with those that it can be meant for."""
    return typed.elsewhere(word) or name_unknown(vocabulary.VOCABULARY, word)


def in_phase(tokens: Sequence[str], state: State, faction: Faction) -> str | None:
    """Return canonical words for what is short in the present phase, or None.

    Raises:
        NotUnderstood: it answers what is asked, but not as it can be answered.
    """
    phase, first = state.phase, tokens[0]
    if phase == Phase.FIGHT and first in words.MANEUVERS:
        return _fight(tokens, state, faction)
    if phase == Phase.FIGHT and vocabulary.find_verb(first) == "fight":
        rest = [word for word in tokens[1:] if word != faction.name.lower()]
        if rest and rest[0] in words.MANEUVERS:
            return _fight(rest, state, faction)
        return None
    if phase in (Phase.RETREAT, Phase.STAY) and first.isdigit() and len(tokens) == 1:
        return f"retreat {first}"
    if phase in (Phase.RETREAT, Phase.STAY) and len(tokens) == 1 and vocabulary.find_verb(first) == "retreat":
        ways = combat.ways_out(state, faction)
        if len(ways) != 1:
            raise NotUnderstood(typed.where_to(ways))
        return f"retreat {ways[0]}"
    if phase in (Phase.LOSE, Phase.SNEAK, Phase.BOLT) and words.is_unit(first, faction):
        return _lose(tokens, faction)
    if phase == Phase.AID and tokens[0] in YES | NO:
        assert state.combat is not None
        return f"aid {NAME[_holder(CHARMERS, state.combat.region, state, faction)] if first in YES else 'none'}"
    return None


def _fight(tokens: Sequence[str], state: State, faction: Faction) -> str:
    maneuver = words.MANEUVERS[tokens[0]].name.lower()
    if len(tokens) != 2 or not tokens[1].isdigit():
        limit = model.energy_limit(state, faction)
        raise NotUnderstood(typed.energy(limit, maneuver))
    return f"fight {faction.name.lower()} {maneuver} {tokens[1]}"


def _lose(tokens: Sequence[str], faction: Faction) -> str:
    return " ".join(["lose", NAME[words.find_unit(tokens[0], faction)], *tokens[1:]])


def canonical(verb: str | None, tokens: Sequence[str], state: State, faction: Faction) -> str:
    """Return canonical words for an action; ``verb`` is the command that the line begins with, or None.

    Raises:
        NotUnderstood: the words are none of an action.
    """
    first, rest = tokens[0], tokens[1:]
    if first.isdigit() or (first not in vocabulary.EXACT and words.is_unit(first, faction)):
        return _move(tokens, state, faction)
    if verb == "move":
        return _move(rest, state, faction)
    if verb is None:
        # A beginning of several names is worth its own sentence.
        if words.starting_with(first):
            words.find_unit(first, faction)
        raise NotUnderstood(unknown(first))
    if verb == "drain" and len(rest) == 1:
        unit = _holder(DRAINERS, words.find_region(rest[0]), state, faction)
        return f"move {_standing(unit, state)} {rest[0]} {NAME[unit]} claim"
    if verb == "sneak" and len(rest) == 1:
        unit = _holder(SNEAKS, words.find_region(rest[0]), state, faction)
        return f"sneak {_standing(unit, state)} {rest[0]}"
    if verb == "reveal" and len(rest) > 1:
        raise NotUnderstood(typed.one_by_one(faction))
    if verb in ("recall", "drain", "sneak", "bolt") and len(rest) > (2 if verb == "sneak" else 1):
        raise NotUnderstood(str(typed.usage(verb, faction)))
    if verb in ("reveal", "recall"):
        return f"{verb} {NAME[words.find_unit(rest[0], faction)]}"
    if verb == "lose" and rest:
        return _lose(rest, faction)
    if verb == "aid" and len(rest) == 1 and rest[0] != "none":
        return f"aid {NAME[words.find_unit(rest[0], faction)]}"
    return " ".join([verb, *rest])


def _holder(holders: int, goal: Region, state: State, faction: Faction) -> Unit:
    """Return who of those with a power is meant: one of ours next to the goal, or else on the board, or else any."""

    def order(unit: Unit) -> tuple[bool, int]:
        found = where(state, unit)
        return FACTION[unit] != faction, 2 if found is None else int(goal not in NEIGHBOURS[found[0]])

    return min(units_in(holders), key=order)


def _move(tokens: Sequence[str], state: State, faction: Faction) -> str:
    rest = list(tokens)
    claim = bool(rest) and rest[-1] in words.CLAIM
    if claim:
        rest.pop()
    numbers = [word for word in rest if word.isdigit()]
    names = [word for word in rest if not word.isdigit() and word not in words.ALL]
    for word in numbers:
        words.find_region(word)
    if not numbers or rest == names or len(numbers) + bool(names) < 2:
        raise NotUnderstood(str(typed.usage("move", faction)))
    units = [words.find_unit(word, faction) for word in names]
    if units and rest[0].isdigit():
        # A number that comes first is where from, never where to: whoever has picked 14 and names a unit of another
        # region means something else than that it goes there.
        # A whole path is left to the rules, which say who does not stand at its beginning.
        if len(numbers) == 1:
            elsewhere = [unit for unit in units if _standing(unit, state) != int(rest[0])]
            if elsewhere:
                raise NotUnderstood(typed.stands_elsewhere(elsewhere[0], _standing(elsewhere[0], state), int(rest[0])))
            raise NotUnderstood(str(typed.usage("move", faction)))
    elif units:
        # `hades 13`: the units come first, and where they stand is known.
        starts = sorted({_standing(unit, state) for unit in units})
        if len(starts) > 1:
            raise NotUnderstood(typed.apart(starts))
        if int(numbers[0]) != starts[0]:
            numbers.insert(0, str(starts[0]))
    if not claim:
        numbers = [str(region) for region in _way([int(word) for word in numbers], units, state, faction)]
    tail = [NAME[unit] for unit in units] + (["claim"] if claim else [])
    return " ".join(["move", *numbers, *tail])


def _way(path: Sequence[int], units: Sequence[Unit], state: State, faction: Faction) -> Sequence[int]:
    """Return the path of a move; where only a wanderer goes to a far region, the cheapest way there.

    It is the one in the list of legal actions (HRM-1), so what the board shows as a goal can be typed.
    """
    if len(path) != 2 or ADJACENT[path[0]][path[1]]:
        return path
    going = units or model.named(state.sides[faction][path[0]])
    if len(going) != 1 or not 1 << going[0] & WANDERERS:
        return path
    for action in engine.legal_actions(state, faction):
        if isinstance(action, Move) and action.units == (going[0],) and [*action.path[:1], action.path[-1]] == [*path]:
            return action.path
    return path


def _standing(unit: Unit, state: State) -> int:
    found = where(state, unit)
    if found is None:
        raise NotUnderstood(typed.not_on_board(unit))
    return found[0]


def allowed(canonical: str, state: State, faction: Faction) -> Action:
    """Return the action of canonical words if the rules allow it.

    Raises:
        NotUnderstood: they do not; the sentence says why.
    """
    try:
        action = notation.parse_action(canonical, state)
        if isinstance(action, Fight) and action.faction != faction:
            raise NotUnderstood(typed.own_choice(faction))
        if notation.HIDDEN in canonical.split():
            raise NotUnderstood(typed.UNITS_BY_NAME)
        # Refuses what the rules do not allow; the new state is not used.
        engine.apply(state, action)
    except RulesError as error:
        verb = canonical.partition(" ")[0]
        if error.code == "word-count":
            raise NotUnderstood(typed.usage(verb, faction) or alone(vocabulary.say(verb), canonical)) from None
        raise NotUnderstood(typed.refusal(error)) from None
    return action
