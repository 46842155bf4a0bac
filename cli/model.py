"""What the console knows: a frozen value and the functions that carry it on.  No drawing, no input, no output."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import IntEnum

from cli.clean import clean
from cli.dealing import PROGRESS
from cli.players import Clocks, Ending
from cli.text import dealing
from storm_p2p import events as ev
from storm_p2p.board import BASE, OTHER, Faction, Region
from storm_p2p.state import Phase, State, Terms, Token, mask, where
from storm_p2p.units import FACTION, ROSTER, Unit, units_in

LONGEST_NAME = 24
"""Longest name of an opponent that is shown."""


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
    state: State | None = None
    """The owner's view; None before the first message."""
    entries: tuple[Entry, ...] = ()
    draw_offered: bool = False
    """The opponent has offered a draw."""
    computer: bool = False
    """The opponent is the computer of this machine, which answers at once."""
    break_offered: bool = False
    """The opponent has proposed a break."""
    clocks: Clocks | None = None
    """What the clocks showed when they were last looked at; None in a match without."""
    dealing: str = ""
    """The last word about a random setup that is under way."""
    link: str = ""
    """The last word about the line."""
    ending: Ending | None = None
    deciding: bool = False
    """An answer of this player is awaited."""
    arranged: tuple[tuple[Region, Unit], ...] = ()
    """The own setup as far as it is known here, until its units stand in the state."""


def begin(faction: Faction, terms: Terms, opponent: str, facts: Mapping[str, str]) -> Model:
    """Return the model of a match that has just begun."""
    return Model(
        faction,
        terms,
        clean(opponent, LONGEST_NAME) or "opponent",
        clean(facts.get("match", "")),
        clean(facts.get("words", "")),
        clean(facts.get("log", "")),
        computer=bool(facts.get("computer")),
        dealing=dealing.BEGUN if terms.random_setup else "",
    )


def resumed(model: Model, past: Sequence[tuple[tuple[ev.Event, ...], State]], state: State) -> Model:
    """Return the model of a match that goes on, with what had happened before."""
    for events, after in past:
        model = happened(model, events, after)
    return replace(model, state=state)


def happened(model: Model, events: tuple[ev.Event, ...], state: State) -> Model:
    """Return the model after a message."""
    number = state.number if model.state is None else model.state.number
    entry = Entry(number, events, model.state, state)
    entries = (*model.entries, entry) if events else model.entries
    # The proposal of a break lapses when the match moves on.
    return replace(model, state=state, entries=entries, break_offered=model.break_offered and not events)


def asked(model: Model, state: State) -> Model:
    """Return the model while a decision is asked in a state."""
    return replace(model, state=state, deciding=True)


def answered(model: Model) -> Model:
    """Return the model after a decision was made or is no longer wanted."""
    return replace(model, deciding=False)


def told(model: Model, code: str, sentence: str) -> Model:
    """Return the model after a word about the line or the match."""
    if code == "checked":
        # It is about what has happened, and that is told with it.
        return model
    if code in PROGRESS:
        return replace(model, dealing=sentence)
    offered = model.draw_offered
    if code.startswith("draw"):
        offered = code == "draw-offered"
    proposed = model.break_offered
    if code.startswith("break"):
        proposed = code == "break-proposed"
    return replace(model, draw_offered=offered, break_offered=proposed, link=sentence)


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
    return bool(model.dealing) and model.ending is None and (model.state is None or model.state.phase == Phase.SETUP)


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


def base_loss(state: State, faction: Faction) -> int:
    """Return the Honor that a faction would lose at the start of its next turn if nobody left its base."""
    return len(state.sides[OTHER[faction]][BASE[faction]])
