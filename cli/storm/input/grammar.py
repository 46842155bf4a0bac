"""What a typed line means (console.md 3.6): an action of the game, a view, talk, or a word about the match.

Canonical words (interfaces.md 2) always work; what is shorter is turned into them, and
:mod:`storm_p2p.storm.notation` and the engine decide the rest.  A line that is not understood, or not allowed, ends in
:class:`cli.storm.typed_actions.NotUnderstood` with one sentence; nothing is ever guessed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import TypeAlias

from cli import vocabulary, words
from cli.clean import clean
from cli.storm import combat_text, typed_actions
from cli.storm.text import refusals
from cli.storm.typed_actions import NotUnderstood
from cli.text import notes, typed
from cli.vocabulary import Kind
from storm_p2p.storm import engine
from storm_p2p.storm.actions import Action
from storm_p2p.storm.board import REGIONS, Faction, Region
from storm_p2p.storm.state import State
from storm_p2p.storm.units import Unit


class NotYet(NotUnderstood):
    """An answer at a time when none is asked."""


class SubmitMode(Enum):
    """How an action was typed."""

    ASK = ""
    """Ask before a loss."""
    PRICE = "?"
    """Show the price and do nothing."""
    ACCEPT = "!"
    """Accept the cost without a question."""


@dataclass(frozen=True, slots=True)
class Act:
    """An action that the rules allow now."""

    action: Action
    mode: SubmitMode


@dataclass(frozen=True, slots=True)
class View:
    """Something to look at; ``what`` is a canonical word."""

    what: str
    args: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Talk:
    """A line of chat."""

    text: str


@dataclass(frozen=True, slots=True)
class Note:
    """A note of the player on a region; without text it takes the note away."""

    region: Region
    text: str


@dataclass(frozen=True, slots=True)
class Match:
    """A word about the match itself: draw, accept, decline, resign, bye, mute, breaks and claims."""

    what: str


@dataclass(frozen=True, slots=True)
class Speak:
    """The language of what is read from here on."""

    language: str


@dataclass(frozen=True, slots=True)
class Confirm:
    """Whether every action is asked about before it is sent, or only what costs or shows something."""

    always: bool


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


@dataclass(frozen=True, slots=True)
class Nothing:
    """An empty line."""


Command: TypeAlias = Act | View | Talk | Note | Speak | Confirm | Match | Arrange | Keep | Nothing


def parse(line: str, state: State | None, faction: Faction, *, setting_up: bool = False) -> Command:
    """Return what a line means.

    Args:
        line: as it was typed.
        state: the owner's view, or None before there is one.
        faction: the player's side.
        setting_up: the setup is asked.

    Raises:
        NotUnderstood: with one sentence.
    """
    text = clean(line)
    if text.startswith("/"):
        return Talk(text[1:].strip())
    if text == "?":
        return View("help")
    text, mode = _mode(text)
    tokens = words.fold(text).replace(">", " ").replace("+", " ").replace(",", " ").split()
    if not tokens:
        return Nothing()
    tokens[1:] = [words.ARGUMENTS.get(word, word) for word in tokens[1:]]
    if words.EXACT.get(tokens[0]) == "say":
        # What is said keeps its marks and capitals.
        return Talk(clean(line)[len(tokens[0]) :].strip())
    if words.find_verb(tokens[0]) == "note":
        return _note(clean(line))
    wish = _wish(tokens)
    if wish is not None:
        return wish
    if tokens[0] == "r":
        # `r` alone repeats, `r UNIT` reveals.
        tokens[0] = "reveal" if len(tokens) > 1 else "repeat"
    kept = vocabulary.console_word(tokens[0])
    if setting_up and kept is not None and words.kind_of(kept) is Kind.KEPT:
        return Keep(kept, text.partition(" ")[2])
    if setting_up:
        return _setup(tokens, faction, mode)
    if state is not None and faction in _asked(state):
        canonical = typed_actions.in_phase(tokens, state, faction)
        if canonical is not None:
            return Act(typed_actions.allowed(canonical, state, faction), mode)
    verb = _verb(tokens, faction)
    if words.kind_of(verb) is Kind.VIEW:
        return View(str(verb), tuple(tokens[1:]))
    if words.kind_of(verb) is Kind.MATCH:
        return _alone(str(verb), tokens)
    if verb is None and vocabulary.console_word(tokens[0]) is not None:
        raise NotUnderstood(typed.elsewhere(tokens[0]))
    if state is None or faction not in _asked(state):
        if verb is None and not _starts_action(tokens[0], faction):
            raise NotUnderstood(typed_actions.unknown(tokens[0]))
        raise NotYet(refusals.NOT_YOUR_TURN)
    _check_phase(verb, tokens, state, faction)
    canonical = typed_actions.canonical(verb, tokens, state, faction)
    return Act(typed_actions.allowed(canonical, state, faction), mode)


def _verb(tokens: Sequence[str], faction: Faction) -> str | None:
    """Return the command of a line; a beginning that is an own unit's as well means the unit, unless one only looks.

    ``he 13`` moves Hecate, although ``he`` alone is help.
    """
    first, rest = tokens[0], tokens[1:]
    verb = words.find_verb(first)
    if first in words.EXACT or not words.is_unit(first, faction):
        return verb
    looks = words.kind_of(verb) is Kind.VIEW and not any(word.isdigit() for word in rest)
    return verb if looks else None


def _note(line: str) -> Note:
    """Return a note; what is noted keeps its marks and capitals."""
    _, number, text = [*line.split(None, 2), "", ""][:3]
    if not number.isascii() or not number.isdigit() or int(number) not in REGIONS:
        raise NotUnderstood(notes.EXPECTED)
    return Note(int(number), text)


def _wish(tokens: Sequence[str]) -> Speak | Confirm | None:
    """Return how the player wants the console, if that is what the words are about."""
    verb = words.find_verb(tokens[0])
    said = " ".join(tokens[1:])
    if verb == "lang":
        if said not in words.LANGUAGES:
            raise NotUnderstood(typed.LANGUAGE)
        return Speak(words.LANGUAGES[said])
    if verb == "confirm":
        if said not in words.ALWAYS:
            raise NotUnderstood(typed.CONFIRM)
        return Confirm(words.ALWAYS[said])
    return None


def _check_phase(verb: str | None, tokens: Sequence[str], state: State, faction: Faction) -> None:
    """Refuse what does not answer the present question, and what is too short to be an action."""
    word = tokens[0]
    if word in words.YES | words.NO:
        raise NotUnderstood(typed.NOTHING_ASKED)
    if verb is None and word in words.MANEUVERS and not word.isdigit():
        verb = "fight"
    elif verb is None and (word.isdigit() or words.is_unit(word, faction)):
        verb = "move"
    phases = () if verb is None else vocabulary.COMMANDS[verb].phases
    if phases and state.phase not in phases:
        raise NotUnderstood(typed.wrong_phase(word, phases[0], state.phase, combat_text.example(state, faction)))
    if len(tokens) == 1 and word.isdigit() and verb == "move":
        typed_actions.region_numbered(word)
    usage = typed.usage(verb or "", faction, combat_text.example(state, faction))
    if len(tokens) == 1 and usage is not None:
        raise NotUnderstood(usage)


def _mode(text: str) -> tuple[str, SubmitMode]:
    for mode in (SubmitMode.PRICE, SubmitMode.ACCEPT):
        if text.endswith(mode.value):
            return text.rstrip("?! "), mode
    return text, SubmitMode.ASK


def _asked(state: State) -> tuple[Faction, ...]:
    want = engine.next_request(state)
    return () if want is None else want.seats


def _alone(verb: str, tokens: Sequence[str]) -> Match:
    if len(tokens) > 1:
        raise NotUnderstood(typed.alone(verb, " ".join(tokens)))
    return Match(verb)


def _starts_action(word: str, faction: Faction) -> bool:
    return word.isdigit() or word in words.MANEUVERS or word in words.YES | words.NO or words.is_unit(word, faction)


# -- the setup ----------------------------------------------------------------------------------------------


def _setup(tokens: Sequence[str], faction: Faction, mode: SubmitMode) -> Command:
    first = tokens[0]
    if (first == "put" or words.EXACT.get(first) == "place") and len(tokens) > 1:
        tokens, first = tokens[1:], tokens[1]
    verb = words.find_verb(first)
    if words.kind_of(verb) is Kind.SETUP and len(tokens) == 1:
        return Arrange(str(verb), mode=mode)
    if words.is_unit(first, faction) and len(tokens) == 2:
        unit = typed_actions.unit_named(first, faction)
        if tokens[1].isdigit():
            return Arrange("put", (unit,), typed_actions.region_numbered(tokens[1]))
        if words.kind_of(words.EXACT.get(first)) is Kind.VIEW:
            # `p erinyes` asks where she is; that `p` begins Persephone as well must not exchange the two.
            return View(words.EXACT[first], tuple(tokens[1:]))
        return Arrange("swap", (unit, typed_actions.unit_named(tokens[1], faction)))
    if first.isdigit() and len(tokens) == 2:
        return Arrange("put", (typed_actions.unit_named(tokens[1], faction),), typed_actions.region_numbered(first))
    if words.kind_of(verb) is Kind.VIEW:
        return View(str(verb), tuple(tokens[1:]))
    if words.kind_of(verb) is Kind.MATCH:
        return _alone(str(verb), tokens)
    if first in typed.NOT_HERE:
        raise NotUnderstood(typed.not_here(first))
    raise NotUnderstood(typed.setup_expected(faction))
