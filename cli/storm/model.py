"""What the console knows of a match of Storm, and questions to its state."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TypeAlias

from cli.console import screen_state
from cli.console.screen_state import Entry, LineAnalysis, ScreenState
from cli.storm.placing import Placing
from storm_p2p.storm import engine
from storm_p2p.storm.board import BASE, OTHER, Faction, Region
from storm_p2p.storm.events import Event
from storm_p2p.storm.state import CombatChoice, Phase, Side, State, Terms, Token, mask, where
from storm_p2p.storm.units import FACTION, ROSTER, Unit, units_in

StormEntry: TypeAlias = Entry[State, Event]


@dataclass(frozen=True, slots=True)
class Model(screen_state.Model):
    """The same with the types of Storm."""

    side: Faction
    terms: Terms
    state: State | None = None
    arranged: tuple[tuple[Region, Unit], ...] = ()


def is_setting_up(model: Model) -> bool:
    """Return whether the own units do not stand in the state yet."""
    return model.state is None or (model.state.phase == Phase.SETUP and not in_play(model.state, model.side))


def whereabouts(model: Model, unit: Unit) -> tuple[Region, bool] | None:
    """Return the region where a unit stands as far as the player knows, and whether everybody knows it; or None."""
    if FACTION[unit] == model.side and is_setting_up(model):
        return next(((region, False) for region, placed in model.arranged if placed == unit), None)
    found = None if model.state is None else where(model.state, unit)
    return None if found is None else (found[0], found[1].known)


def in_play(state: State, faction: Faction) -> list[Token]:
    """Return the tokens of a faction on the board, in the order of the regions."""
    return [token for group in state.sides[faction][1:] for token in group]


def named(tokens: Iterable[Token]) -> list[Unit]:
    """Return the units of some tokens, as far as this view knows them."""
    return [Unit(token.unit) for token in tokens if token.unit is not None]


def lost_units(state: State, faction: Faction) -> list[Unit]:
    """Return the eliminated units of a faction."""
    bits = mask(state.fallen) | state.gone
    return [unit for unit in units_in(bits) if unit in ROSTER[faction]]


def base_loss(state: State, faction: Faction) -> int:
    """Return the Honor that a faction would lose at the start of its next turn if nobody left its base."""
    return len(state.sides[OTHER[faction]][BASE[faction]])


def asked_sides(state: State) -> tuple[Faction, ...]:
    """Return who has to answer now."""
    request = engine.next_request(state)
    return () if request is None else request.seats


@dataclass(frozen=True, slots=True, kw_only=True)
class Motion(screen_state.Motion):
    """Units on their way, then units that turn over; the board shows them there while everything else has gone on."""

    sides: tuple[Side, Side]
    """Who stands where meanwhile."""
    path: tuple[Region, ...] = ()
    """Nothing for units that only turn over."""
    flight: bool = False
    text: str = ""
    """Who moves, in the letters of the board."""
    emblem: str = ""
    """Of who moves alone."""
    mine: bool = False
    arrived: tuple[Side, Side]
    """Who stands where behind the way, before anybody turns over."""
    way: int = 0
    """So many of the pictures show the way."""


Trail: TypeAlias = tuple[int, tuple[Region, ...]]
"""The number of a turn, and a way that was gone in it."""


@dataclass(frozen=True, slots=True)
class Marks:
    """What is written on the board beside the units."""

    prices: tuple[tuple[Region, int, int], ...] = ()
    """Region, change of Honor, change of Energy."""
    origin: Region = 0
    """Where the selected units stand."""
    places: tuple[int, ...] = ()
    """Which of the group there are selected."""
    target: Region = 0
    """The region of a combat, or where the typed move goes."""
    eye: bool = False
    """Dim what the opponent does not know."""
    attacks: tuple[tuple[Region, int, int], ...] = ()
    """Regions that would be attacked, by how many and how many are there."""
    noted: tuple[Region, ...] = ()
    """Regions with a note of the player's."""
    free: tuple[Region, ...] = ()
    """Where a unit may be placed."""
    suspected: tuple[Region, ...] = ()
    """Where a hidden unit that is asked about may stand."""
    trails: tuple[Trail, ...] = ()
    """Who went where in the last turn and the one before, the latest first."""
    motion: Motion | None = None
    """Who is on the way."""


NOTHING_MARKED = Marks()


@dataclass(frozen=True, slots=True)
class TypedLine(LineAnalysis):
    """What the typed line means so far, in Storm."""

    marks: Marks = NOTHING_MARKED
    choice: CombatChoice | None = None
    """The maneuver and Energy that are typed."""


NOTHING_TYPED = TypedLine()


@dataclass(frozen=True, slots=True)
class StormScreen(ScreenState):
    """The whole console of a match of Storm."""

    match: Model
    found: TypedLine = NOTHING_TYPED
    placing: Placing | None = None
    setups: tuple[tuple[str, Placing], ...] = ()
    eye: bool = False
    """What the opponent knows is shown."""
    minimised: bool = False
    """The combat window is hidden."""
    trails: tuple[Trail, ...] = ()
    """As on the board."""
    priced: str = ""
    """The line that has asked what units cost, as long as nothing else was typed; their prices are on the board."""
    choice: CombatChoice | None = None
    """The maneuver and Energy of the combat window, while they are asked."""
    given: str = ""
    """The maneuver and Energy that were chosen, in words, until the round is opened."""
