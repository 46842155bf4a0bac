"""What a typed line means (console.md 3.6): an action of the game, a view, talk, or a word about the match.

Canonical words (interfaces.md 2) always work; what is shorter is turned into them, and
:mod:`storm_p2p.storm.notation` and the engine decide the rest.  A line that is not understood, or not allowed, ends in
:class:`cli.storm.grammar.NotUnderstood` with one sentence; nothing is ever guessed.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from cli.clean import clean
from cli.console import messages
from cli.console.messages import Act, Command, NotUnderstood, NotYet, Own, SubmitMode, name_unknown
from cli.storm import model, vocabulary
from cli.storm.text import typed
from cli.storm.text.names import unit_name
from cli.text.screens import NOT_YOUR_TURN, NOTHING_ASKED, alone, of_setup, which_word
from cli.vocabulary import NO, YES, Kind, fold, nearest, split
from storm_p2p.storm import engine, notation
from storm_p2p.storm import units as traits
from storm_p2p.storm.actions import Action, Fight, Move
from storm_p2p.storm.board import ADJACENT, NEIGHBOURS, REGIONS, Faction, Region
from storm_p2p.storm.errors import RulesError
from storm_p2p.storm.rules import combat
from storm_p2p.storm.state import Phase, State, where
from storm_p2p.storm.units import CARDS, FACTION, NAME, ROSTER, Maneuver, Unit, units_in

MANEUVERS: Final[Mapping[str, Maneuver]] = {
    word: maneuver
    for maneuver, short in zip(Maneuver, ("std", "ret", "cha", "att", "def"), strict=True)
    for word in (str(maneuver + 1), short, *vocabulary.words_for(maneuver.name.lower()))
}
"""What may be typed for a maneuver; the numbers are those of the table in the combat dialog."""

ALL: Final = vocabulary.words_for("all")
CLAIM: Final = vocabulary.words_for("claim") | {"drain"}
IMMUNE: Final = vocabulary.words_for("immune")

_UNITS: Final = {word: card.unit for card in CARDS for word in vocabulary.words_for(card.name)}
_MORE_UNITS: Final = {word: _UNITS[name] for name, others in vocabulary.MORE_UNITS.items() for word in others}


def find_unit(word: str, faction: Faction | None = None) -> Unit:
    """Return the unit of a name in any language, a code or a beginning that is unique on its side, or among all.

    Raises:
        NotUnderstood: it names none or several.
    """
    word = fold(word)
    near = _meant(word, faction)
    if len(near) == 1:
        return near[0]
    if near:
        raise NotUnderstood(which_word(word, map(unit_name, near)))
    close = nearest(word, _UNITS)
    raise NotUnderstood(typed.no_unit(word, unit_name(_UNITS[close]) if close else None))


def _meant(word: str, faction: Faction | None) -> list[Unit]:
    """Return which units a folded word can mean."""
    known = _UNITS if word in _UNITS else _MORE_UNITS
    if word in known:
        return [known[word]]
    return [unit for unit in starting_with(word) if faction is None or unit in ROSTER[faction]]


def find_region(word: str) -> Region:
    """Return the region of a typed number.

    Raises:
        NotUnderstood: it is none.
    """
    if word.isascii() and word.isdigit() and int(word) in REGIONS:
        return int(word)
    raise NotUnderstood(typed.region(word))


def starting_with(word: str) -> list[Unit]:
    """Return the units one of whose names begins with a word; other spellings count where no name does."""
    word = fold(word)
    if not word:
        return []
    found = {unit for name, unit in _UNITS.items() if name.startswith(word)}
    return sorted(found or {unit for name, unit in _MORE_UNITS.items() if name.startswith(word)})


def is_unit(word: str, faction: Faction | None = None) -> bool:
    """Return whether a word names one unit."""
    # A sentence about what it is not would take longer than everything else.
    return len(_meant(fold(word), faction)) == 1


def unknown(word: str) -> str:
    """Return that a word is no command, with those that it can be meant for."""
    return typed.elsewhere(word) or name_unknown(vocabulary.VOCABULARY, word)


def in_phase(tokens: Sequence[str], state: State, faction: Faction) -> str | None:
    """Return canonical words for what is short in the present phase, or None.

    Raises:
        NotUnderstood: it answers what is asked, but not as it can be answered.
    """
    phase, first = state.phase, tokens[0]
    if phase == Phase.FIGHT and first in MANEUVERS:
        return _fight(tokens, state, faction)
    if phase == Phase.FIGHT and vocabulary.find_verb(first) == "fight":
        rest = [word for word in tokens[1:] if word != faction.name.lower()]
        if rest and rest[0] in MANEUVERS:
            return _fight(rest, state, faction)
        return None
    if phase in (Phase.RETREAT, Phase.STAY) and first.isdigit() and len(tokens) == 1:
        return f"retreat {first}"
    if phase in (Phase.RETREAT, Phase.STAY) and len(tokens) == 1 and vocabulary.find_verb(first) == "retreat":
        ways = combat.ways_out(state, faction)
        if len(ways) != 1:
            raise NotUnderstood(typed.where_to(" or ".join(map(str, ways))))
        return f"retreat {ways[0]}"
    if phase in (Phase.LOSE, Phase.SNEAK, Phase.BOLT) and is_unit(first, faction):
        return _lose(tokens, faction)
    if phase == Phase.AID and tokens[0] in YES | NO:
        assert state.combat is not None
        return f"aid {NAME[_holder(traits.CHARMERS, state.combat.region, state, faction)] if first in YES else 'none'}"
    return None


def _fight(tokens: Sequence[str], state: State, faction: Faction) -> str:
    maneuver = MANEUVERS[tokens[0]].name.lower()
    if len(tokens) != 2 or not tokens[1].isdigit():
        limit = combat.energy_limit(state, faction)
        raise NotUnderstood(typed.energy(limit, vocabulary.say_argument(maneuver)))
    return f"fight {faction.name.lower()} {maneuver} {tokens[1]}"


def _lose(tokens: Sequence[str], faction: Faction) -> str:
    return " ".join(["lose", NAME[find_unit(tokens[0], faction)], *tokens[1:]])


def to_canonical(verb: str | None, tokens: Sequence[str], state: State, faction: Faction) -> str:
    """Return canonical words for an action; ``verb`` is the command that the line begins with, or None.

    Raises:
        NotUnderstood: the words are none of an action.
    """
    first, rest = tokens[0], tokens[1:]
    if first.isdigit() or (first not in vocabulary.EXACT and is_unit(first, faction)):
        return _move(tokens, state, faction)
    if verb == "move":
        return _move(rest, state, faction)
    if verb is None:
        # A beginning of several names is worth its own sentence.
        if starting_with(first):
            find_unit(first, faction)
        raise NotUnderstood(unknown(first))
    if verb == "drain" and len(rest) == 1:
        unit = _holder(traits.DRAINERS, find_region(rest[0]), state, faction)
        return f"move {_standing(unit, state)} {rest[0]} {NAME[unit]} claim"
    if verb == "sneak" and len(rest) == 1:
        unit = _holder(traits.SNEAKS, find_region(rest[0]), state, faction)
        return f"sneak {_standing(unit, state)} {rest[0]}"
    if verb == "reveal" and len(rest) > 1:
        raise NotUnderstood(typed.one_by_one(vocabulary.say(f"reveal {NAME[ROSTER[faction][0]]}")))
    if verb in ("recall", "drain", "sneak", "bolt") and len(rest) > (2 if verb == "sneak" else 1):
        raise NotUnderstood(str(typed.usage(verb, faction)))
    if verb in ("reveal", "recall"):
        return f"{verb} {NAME[find_unit(rest[0], faction)]}"
    if verb == "lose" and rest:
        return _lose(rest, faction)
    if verb == "aid" and len(rest) == 1 and rest[0] != "none":
        return f"aid {NAME[find_unit(rest[0], faction)]}"
    return " ".join([verb, *rest])


def _holder(holders: int, goal: Region, state: State, faction: Faction) -> Unit:
    """Return who of those with a power is meant: one of ours next to the goal, or else on the board, or else any."""

    def order(unit: Unit) -> tuple[bool, int]:
        found = where(state, unit)
        return FACTION[unit] != faction, 2 if found is None else int(goal not in NEIGHBOURS[found[0]])

    return min(units_in(holders), key=order)


def _move(tokens: Sequence[str], state: State, faction: Faction) -> str:
    rest = list(tokens)
    claim = bool(rest) and rest[-1] in CLAIM
    if claim:
        rest.pop()
    numbers = [word for word in rest if word.isdigit()]
    names = [word for word in rest if not word.isdigit() and word not in ALL]
    for word in numbers:
        find_region(word)
    if not numbers or rest == names or len(numbers) + bool(names) < 2:
        raise NotUnderstood(str(typed.usage("move", faction)))
    units = [find_unit(word, faction) for word in names]
    if units and rest[0].isdigit():
        # A number that comes first is where from, never where to: whoever has picked 14 and names a unit of another
        # region means something else than that it goes there.
        # A whole path is left to the rules, which say who does not stand at its beginning.
        if len(numbers) == 1:
            for unit in units:
                if (stands := _standing(unit, state)) != int(rest[0]):
                    word = vocabulary.say_argument(NAME[unit])
                    raise NotUnderstood(typed.stands_elsewhere(int(rest[0]), unit, stands, word))
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
    if len(going) != 1 or not 1 << going[0] & traits.WANDERERS:
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
            raise NotUnderstood(typed.own_choice(vocabulary.say_argument(faction.name.lower())))
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


@dataclass(frozen=True, slots=True)
class Arrange:
    """A command of the setup; ``what`` is put, swap, random, mirror, clear or seal."""

    what: str
    units: tuple[Unit, ...] = ()
    region: int = 0
    mode: SubmitMode = SubmitMode.ASK


@dataclass(frozen=True, slots=True)
class Keep:
    """A setup is kept under a name, or taken again; ``what`` is save or load."""

    what: str
    name: str


def parse(line: str, state: State | None, side: Faction, *, setting_up: bool = False) -> Command:
    """Return what a line means; ``state`` is the owner's view, or None before there is one.

    Raises:
        NotUnderstood: with one sentence.
    """
    common = messages.find_common(vocabulary.VOCABULARY, line, REGIONS)
    if common is not None:
        return common
    text, mode = messages.split_mode(clean(line))
    tokens = split(text)
    tokens[1:] = [vocabulary.find_argument(word) for word in tokens[1:]]
    if tokens[0] == "r":
        # `r` alone repeats, `r UNIT` reveals.
        tokens[0] = "reveal" if len(tokens) > 1 else "repeat"
    kept = vocabulary.console_word(tokens[0])
    if setting_up and kept is not None and vocabulary.kind_of(kept) is Kind.KEPT:
        return Own(Keep(kept, text.partition(" ")[2]))
    if setting_up:
        return _setup(tokens, side, mode)
    if state is not None and side in model.asked_sides(state):
        canonical = in_phase(tokens, state, side)
        if canonical is not None:
            return Act(allowed(canonical, state, side), mode)
    verb = _verb(tokens, side)
    view = messages.find_view(vocabulary.VOCABULARY, verb, tokens)
    if view is not None:
        return view
    if verb is None and (elsewhere := messages.name_elsewhere(vocabulary.VOCABULARY, tokens[0])) is not None:
        raise NotUnderstood(elsewhere)
    if state is None or side not in model.asked_sides(state):
        word = tokens[0]
        starts = word.isdigit() or word in MANEUVERS or word in YES | NO or is_unit(word, side)
        if verb is None and not starts:
            raise NotUnderstood(unknown(tokens[0]))
        raise NotYet(NOT_YOUR_TURN)
    _check_phase(verb, tokens, state, side)
    canonical = to_canonical(verb, tokens, state, side)
    return Act(allowed(canonical, state, side), mode)


def _verb(tokens: Sequence[str], faction: Faction) -> str | None:
    """Return the command of a line; a beginning that is an own unit's as well means the unit, unless one only looks.

    ``he 13`` moves Hecate, although ``he`` alone is help.
    """
    first, rest = tokens[0], tokens[1:]
    verb = vocabulary.find_verb(first)
    if first in vocabulary.EXACT or not is_unit(first, faction):
        return verb
    looks = vocabulary.kind_of(verb) is Kind.VIEW and not any(word.isdigit() for word in rest)
    return verb if looks else None


def _check_phase(verb: str | None, tokens: Sequence[str], state: State, faction: Faction) -> None:
    """Refuse what does not answer the present question, and what is too short to be an action."""
    word = tokens[0]
    if word in YES | NO:
        raise NotUnderstood(NOTHING_ASKED)
    if verb is None and word in MANEUVERS and not word.isdigit():
        verb = "fight"
    elif verb is None and (word.isdigit() or is_unit(word, faction)):
        verb = "move"
    phases = () if verb is None else vocabulary.COMMANDS[verb].phases
    if phases and state.phase not in phases:
        if phases[0] == Phase.SETUP:
            raise NotUnderstood(of_setup(word))
        raise NotUnderstood(typed.wrong_phase(state.phase, _example_choice(state, faction)))
    if len(tokens) > 1:
        return
    if word.isdigit() and verb == "move":
        find_region(word)
    usage = typed.usage(verb or "", faction, _example_choice(state, faction))
    if usage is not None:
        raise NotUnderstood(usage)


def _example_choice(state: State, faction: Faction) -> str:
    """Return the first choice that is allowed, as it is typed; nothing where none is asked."""
    return "" if state.combat is None else f"{vocabulary.typed_as(combat.maneuvers(state, faction)[0])} 0"


def _setup(tokens: Sequence[str], faction: Faction, mode: SubmitMode) -> Command:
    first = tokens[0]
    if (first == "put" or vocabulary.EXACT.get(first) == "place") and len(tokens) > 1:
        tokens, first = tokens[1:], tokens[1]
    verb = vocabulary.find_verb(first)
    if vocabulary.kind_of(verb) is Kind.SETUP and len(tokens) == 1:
        return Own(Arrange(str(verb), mode=mode))
    if is_unit(first, faction) and len(tokens) == 2:
        unit = find_unit(first, faction)
        if tokens[1].isdigit():
            return Own(Arrange("put", (unit,), find_region(tokens[1])))
        if vocabulary.kind_of(vocabulary.EXACT.get(first)) is Kind.VIEW:
            # `p erinyes` asks where she is; that `p` begins Persephone as well must not exchange the two.
            return messages.View(vocabulary.EXACT[first], tuple(tokens[1:]))
        return Own(Arrange("swap", (unit, find_unit(tokens[1], faction))))
    if first.isdigit() and len(tokens) == 2:
        unit = find_unit(tokens[1], faction)
        return Own(Arrange("put", (unit,), find_region(first)))
    view = messages.find_view(vocabulary.VOCABULARY, verb, tokens)
    if view is not None:
        return view
    raise NotUnderstood(typed.elsewhere(first) or typed.setup_expected(faction))
