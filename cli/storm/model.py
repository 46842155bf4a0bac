"""What the console knows: a frozen value and the functions that carry it on.  No drawing, no input, no output."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import IntEnum
from typing import TypeAlias

from cli.clean import clean
from cli.match.participant import Clocks, Ending, Remark
from cli.notices import BreakNotice, DrawNotice, LineBack, LineLost, LineTried, Passing
from cli.storm.notices import DealingBegun, DealtAgain, StormNotice
from cli.storm.players.player import Past
from protocol.core.events import BreakProposed, DrawOffered
from storm_p2p.storm import events as ev
from storm_p2p.storm.board import BASE, OTHER, Faction, Region
from storm_p2p.storm.state import Phase, State, Terms, Token, mask, where
from storm_p2p.storm.units import CARDS, FACTION, ROSTER, Unit, units_in

LONGEST_NAME = 24
"""Longest name of an opponent that is shown."""
LONGEST_NOTE = 60


class Whereabouts(IntEnum):
    """What the player knows about the place of a unit."""

    STANDS = 0
    LEFT_OUT = 1
    """Own unit that was not selected."""
    LOST = 2
    """Eliminated; it may come back."""
    GONE = 3
    """Eliminated for good."""
    UNKNOWN = 4
    """Enemy unit: hidden, or not selected."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One message of the log."""

    turn: int
    events: tuple[ev.Event, ...]
    before: State | None
    """The owner's view before it, or None for the first."""
    after: State


@dataclass(frozen=True, slots=True)
class Decision:
    """A line of chat."""

    mine: bool
    text: str
    """Clean."""


@dataclass(frozen=True, slots=True)
class Word:
    """What the player has said about the match, such as a declined draw."""

    sentence: str


Item: TypeAlias = Entry | Decision | Word | StormNotice


@dataclass(frozen=True, slots=True)
class Model:
    """Everything the console shows."""

    faction: Faction
    terms: Terms
    opponent: str
    """Clean."""
    match: str = ""
    words: str = ""
    log: str = ""
    """Where the match is saved."""
    notes_file: str = ""
    """Where notes are kept, for this program alone and as the system calls it; nowhere when empty."""
    state: State | None = None
    """The owner's view; None before the first message."""
    chronicle: tuple[Item, ...] = ()
    """Everything that was told, in its order."""
    notes: tuple[tuple[Region, str], ...] = ()
    """What the player has noted on regions, clean; the oldest first."""
    muted: bool = False
    """What the opponent says is not shown."""
    confirms: bool = False
    """Every action is asked about before it is sent, also what is free and shows nothing."""
    draw_offered: bool = False
    """The opponent has offered a draw."""
    computer: bool = False
    """The opponent is the computer of this machine, which answers at once."""
    break_offered: bool = False
    """The opponent has proposed a break."""
    clocks: Clocks | None = None
    """What the clocks showed when they were last looked at; None in a match without."""
    dealing: DealingBegun | DealtAgain | None = None
    """How far a random setup is that is under way."""
    line_down: bool = False
    """The line to the other side is broken and called again."""
    ending: Ending | None = None
    deciding: bool = False
    """An answer of this player is awaited."""
    arranged: tuple[tuple[Region, Unit], ...] = ()
    """The own setup as far as it is known here, until its units stand in the state."""

    @property
    def entries(self) -> tuple[Entry, ...]:
        """What the messages have done, in order."""
        return tuple(item for item in self.chronicle if isinstance(item, Entry))

    @property
    def chat(self) -> tuple[Decision, ...]:
        """The lines of chat, in order."""
        return tuple(item for item in self.chronicle if isinstance(item, Decision))


def begin(faction: Faction, terms: Terms, opponent: str, facts: Mapping[str, str]) -> Model:
    """Return the model of a match that has just begun."""
    return Model(
        faction,
        terms,
        clean(opponent, LONGEST_NAME) or "opponent",
        clean(facts.get("match", "")),
        clean(facts.get("words", "")),
        clean(facts.get("log", "")),
        facts.get("notes", ""),
        computer=bool(facts.get("computer")),
        dealing=DealingBegun() if terms.random_setup else None,
    )


def resumed(model: Model, past: Past, state: State, said: Sequence[Remark] = ()) -> Model:
    """Return the model of a match that goes on, with what had happened and what was said before.

    Of an opponent who is muted still, nothing is shown: it is not known what he had said before he was muted.
    """
    said = [remark for remark in said if remark.mine or not model.muted]
    for number, (events, after) in enumerate(past):
        model = _remember(model, (remark for remark in said if remark.after == number))
        model = happened(model, events, after)
    model = _remember(model, (remark for remark in said if remark.after >= len(past)))
    return replace(model, state=state)


def _remember(model: Model, said: Iterable[Remark]) -> Model:
    for remark in said:
        model = spoken(model, remark.text, mine=remark.mine)
    return model


def spoken(model: Model, text: str, *, mine: bool) -> Model:
    """Return the model after a line of chat, which is not yet clean."""
    return replace(model, chronicle=(*model.chronicle, Decision(mine, clean(text))))


def happened(model: Model, events: tuple[ev.Event, ...], state: State) -> Model:
    """Return the model after a message."""
    number = state.number if model.state is None else model.state.number
    chronicle = model.chronicle
    if events:
        chronicle = (*chronicle, Entry(number, events, model.state, state))
    # The proposal of a break lapses when the match moves on.
    return replace(model, state=state, chronicle=chronicle, break_offered=model.break_offered and not events)


def asked(model: Model, state: State) -> Model:
    """Return the model while a decision is asked in a state."""
    return replace(model, state=state, deciding=True)


def answered(model: Model) -> Model:
    """Return the model after a decision was made or is no longer wanted."""
    return replace(model, deciding=False)


def is_news(model: Model, notice: StormNotice) -> bool:
    """Return whether the player need know: before a match has begun a second line is looked for while one serves."""
    return model.state is not None or model.line_down or not isinstance(notice, LineTried | LineBack)


def noticed(model: Model, notice: StormNotice) -> Model:
    """Return the model after something has happened beside the board."""
    if not isinstance(notice, Passing):
        model = replace(model, chronicle=(*model.chronicle, notice))
    if isinstance(notice, DealingBegun | DealtAgain):
        return replace(model, dealing=notice)
    if isinstance(notice, LineLost | LineBack):
        return replace(model, line_down=isinstance(notice, LineLost))
    if isinstance(notice, DrawNotice):
        return replace(model, draw_offered=isinstance(notice, DrawOffered))
    if isinstance(notice, BreakNotice):
        return replace(model, break_offered=isinstance(notice, BreakProposed))
    return model


def acted(model: Model, sentence: str) -> Model:
    """Return the model after a word of the player's own about the match, such as a declined draw; nothing adds nothing.

    The log shall tell what both sides have said about the match, not only what the other one has.
    """
    return replace(model, chronicle=(*model.chronicle, Word(sentence))) if sentence else model


def noted(model: Model, region: Region, text: str) -> Model:
    """Return the model with a note on a region, or without it when there is no text."""
    kept = tuple(note for note in model.notes if note[0] != region)
    text = clean(text, LONGEST_NOTE)
    return replace(model, notes=(*kept, (region, text)) if text else kept)


def note_on(model: Model, region: Region) -> str:
    """Return the note on a region, or nothing."""
    return dict(model.notes).get(region, "")


def clocked(model: Model, clocks: Clocks | None) -> Model:
    """Return the model after a look at the clocks."""
    return model if model.clocks == clocks else replace(model, clocks=clocks)


def arranged(model: Model, places: tuple[tuple[Region, Unit], ...]) -> Model:
    """Return the model with the own setup as it is now; it counts until the state has the units themselves."""
    return replace(model, arranged=places)


def is_setting_up(model: Model) -> bool:
    """Return whether the own units do not stand in the state yet."""
    return model.state is None or (model.state.phase == Phase.SETUP and not in_play(model.state, model.faction))


def answered_break(model: Model) -> Model:
    """Return the model after the proposal of a break was answered."""
    return replace(model, break_offered=False)


def answered_draw(model: Model) -> Model:
    """Return the model after the offer of a draw was accepted or declined."""
    return replace(model, draw_offered=False)


def over(model: Model, ending: Ending) -> Model:
    """Return the model of a finished match."""
    return replace(model, ending=ending, draw_offered=False)


def is_dealing(model: Model) -> bool:
    """Return whether the units are being dealt at random."""
    begun = model.state is not None and model.state.phase != Phase.SETUP
    return model.dealing is not None and model.ending is None and not begun


# -- questions to the state ---------------------------------------------------------------------------------


def whereabouts(model: Model, unit: Unit) -> tuple[Whereabouts, Region, bool]:
    """Return what is known about a unit, the region where it stands or 0, and whether everybody knows it."""
    state = model.state
    if FACTION[unit] == model.faction and is_setting_up(model):
        region = next((region for region, placed in model.arranged if placed == unit), 0)
        return (Whereabouts.STANDS, region, False) if region else (Whereabouts.UNKNOWN, 0, False)
    if state is None:
        return Whereabouts.UNKNOWN, 0, False
    if state.gone >> unit & 1:
        return Whereabouts.GONE, 0, True
    if mask(state.fallen) >> unit & 1:
        return Whereabouts.LOST, 0, True
    found = where(state, unit)
    if found is not None:
        return Whereabouts.STANDS, found[0], found[1].known
    if FACTION[unit] == model.faction:
        return Whereabouts.LEFT_OUT, 0, False
    return Whereabouts.UNKNOWN, 0, False


def in_play(state: State, faction: Faction) -> list[Token]:
    """Return the tokens of a faction on the board, in the order of the regions."""
    return [token for group in state.sides[faction][1:] for token in group]


def lost(state: State, faction: Faction) -> list[Unit]:
    """Return the eliminated units of a faction."""
    bits = mask(state.fallen) | state.gone
    return [unit for unit in units_in(bits) if unit in ROSTER[faction]]


def in_palace(state: State) -> Unit | None:
    """Return the known leader of the Chthonians in the Palace, who has won by being there (END-1), or None."""
    found = [token.unit for token in state.sides[Faction.CHTHONIANS][BASE[Faction.OLYMPIANS]] if token.known]
    return next((Unit(unit) for unit in found if unit is not None and CARDS[unit].leads), None)


def base_loss(state: State, faction: Faction) -> int:
    """Return the Honor that a faction would lose at the start of its next turn if nobody left its base."""
    return len(state.sides[OTHER[faction]][BASE[faction]])
