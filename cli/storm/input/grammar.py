"""What a typed line means (console.md 3.6): an action of the game, a view, talk, or a word about the match.

Canonical words (interfaces.md 2) always work; what is shorter is turned into them, and
:mod:`storm_p2p.storm.notation` and the engine decide the rest.  A line that is not understood, or not allowed, ends in
:class:`cli.storm.input.typed_actions.NotUnderstood` with one sentence; nothing is ever guessed.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from cli.clean import clean
from cli.console import messages
from cli.console.messages import Act, Command, NotUnderstood, NotYet, Own, SubmitMode
from cli.storm import combat_text, model, vocabulary, words
from cli.storm.input import typed_actions
from cli.storm.text import screens, typed
from cli.text.typed import NOTHING_ASKED
from cli.vocabulary import NO, YES, Kind, split
from storm_p2p.storm.board import REGIONS, Faction
from storm_p2p.storm.state import Phase, State
from storm_p2p.storm.units import Unit


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
    talk = messages.find_talk(line)
    if talk is not None:
        return talk
    text, mode = messages.split_mode(clean(line))
    tokens = split(text)
    if not tokens:
        return messages.Nothing()
    tokens[1:] = [vocabulary.find_argument(word) for word in tokens[1:]]
    # What is said is never completed from its beginning.
    verb = vocabulary.find_verb(tokens[0])
    if verb == "note":
        return _note(clean(line))
    wish = messages.find_wish(verb, line, tokens[1:])
    if wish is not None:
        return wish
    if tokens[0] == "r":
        # `r` alone repeats, `r UNIT` reveals.
        tokens[0] = "reveal" if len(tokens) > 1 else "repeat"
    kept = vocabulary.console_word(tokens[0])
    if setting_up and kept is not None and vocabulary.kind_of(kept) is Kind.KEPT:
        return Own(Keep(kept, text.partition(" ")[2]))
    if setting_up:
        return _setup(tokens, side, mode)
    if state is not None and side in model.asked_sides(state):
        canonical = typed_actions.in_phase(tokens, state, side)
        if canonical is not None:
            return Act(typed_actions.allowed(canonical, state, side), mode)
    verb = _verb(tokens, side)
    view = messages.find_view(vocabulary.VOCABULARY, verb, tokens)
    if view is not None:
        return view
    if verb is None and (elsewhere := messages.name_elsewhere(vocabulary.VOCABULARY, tokens[0])) is not None:
        raise NotUnderstood(elsewhere)
    if state is None or side not in model.asked_sides(state):
        if verb is None and not _starts_action(tokens[0], side):
            raise NotUnderstood(typed_actions.unknown(tokens[0]))
        raise NotYet(typed.NOT_YOUR_TURN)
    _check_phase(verb, tokens, state, side)
    canonical = typed_actions.canonical(verb, tokens, state, side)
    return Act(typed_actions.allowed(canonical, state, side), mode)


def _verb(tokens: Sequence[str], faction: Faction) -> str | None:
    """Return the command of a line; a beginning that is an own unit's as well means the unit, unless one only looks.

    ``he 13`` moves Hecate, although ``he`` alone is help.
    """
    first, rest = tokens[0], tokens[1:]
    verb = vocabulary.find_verb(first)
    if first in vocabulary.EXACT or not words.is_unit(first, faction):
        return verb
    looks = vocabulary.kind_of(verb) is Kind.VIEW and not any(word.isdigit() for word in rest)
    return verb if looks else None


def _note(line: str) -> messages.Note:
    """Return a note; what is noted keeps its marks and capitals."""
    _, number, text = [*line.split(None, 2), "", ""][:3]
    if not number.isascii() or not number.isdigit() or int(number) not in REGIONS:
        raise NotUnderstood(screens.NOTE_EXPECTED)
    return messages.Note(int(number), text)


def _check_phase(verb: str | None, tokens: Sequence[str], state: State, faction: Faction) -> None:
    """Refuse what does not answer the present question, and what is too short to be an action."""
    word = tokens[0]
    if word in YES | NO:
        raise NotUnderstood(NOTHING_ASKED)
    if verb is None and word in words.MANEUVERS and not word.isdigit():
        verb = "fight"
    elif verb is None and (word.isdigit() or words.is_unit(word, faction)):
        verb = "move"
    phases = () if verb is None else vocabulary.COMMANDS[verb].phases
    if phases and state.phase not in phases:
        belongs = Phase(phases[0])
        raise NotUnderstood(typed.wrong_phase(word, belongs, state.phase, combat_text.example(state, faction)))
    if len(tokens) == 1 and word.isdigit() and verb == "move":
        words.find_region(word)
    usage = typed.usage(verb or "", faction, combat_text.example(state, faction))
    if len(tokens) == 1 and usage is not None:
        raise NotUnderstood(usage)


def _starts_action(word: str, faction: Faction) -> bool:
    return word.isdigit() or word in words.MANEUVERS or word in YES | NO or words.is_unit(word, faction)


def _setup(tokens: Sequence[str], faction: Faction, mode: SubmitMode) -> Command:
    first = tokens[0]
    if (first == "put" or vocabulary.EXACT.get(first) == "place") and len(tokens) > 1:
        tokens, first = tokens[1:], tokens[1]
    verb = vocabulary.find_verb(first)
    if vocabulary.kind_of(verb) is Kind.SETUP and len(tokens) == 1:
        return Own(Arrange(str(verb), mode=mode))
    if words.is_unit(first, faction) and len(tokens) == 2:
        unit = words.find_unit(first, faction)
        if tokens[1].isdigit():
            return Own(Arrange("put", (unit,), words.find_region(tokens[1])))
        if vocabulary.kind_of(vocabulary.EXACT.get(first)) is Kind.VIEW:
            # `p erinyes` asks where she is; that `p` begins Persephone as well must not exchange the two.
            return messages.View(vocabulary.EXACT[first], tuple(tokens[1:]))
        return Own(Arrange("swap", (unit, words.find_unit(tokens[1], faction))))
    if first.isdigit() and len(tokens) == 2:
        unit = words.find_unit(tokens[1], faction)
        return Own(Arrange("put", (unit,), words.find_region(first)))
    view = messages.find_view(vocabulary.VOCABULARY, verb, tokens)
    if view is not None:
        return view
    raise NotUnderstood(typed.elsewhere(first) or typed.setup_expected(faction))
