"""What the console knows of a match of Fight for Olympus, and what its player is told beside the events."""

from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

from cli.console import screen_state
from cli.console.screen_state import Entry, ScreenState
from cli.notices import Passing, Quiet
from protocol.game import Seat
from storm_p2p.fight.cards import CardSet
from storm_p2p.fight.errors import IllegalDecision
from storm_p2p.fight.events import Event
from storm_p2p.fight.state import View

FightEntry: TypeAlias = Entry[View, Event]


@dataclass(frozen=True, slots=True)
class Model(screen_state.Model):
    """The same with the types of Fight for Olympus."""

    side: Seat
    terms: CardSet
    state: View | None = None


class Step(NamedTuple):
    """A part of what is seen to move."""

    event: Event | None
    """What flies over the board as it was; None: what has changed turns over."""
    before: View
    after: View
    pictures: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Motion(screen_state.Motion):
    """What messages have done to the cards, one thing after the other."""

    steps: tuple[Step, ...]


@dataclass(frozen=True, slots=True)
class FightScreen(ScreenState):
    """The whole console of a match of Fight for Olympus."""

    match: Model
    card: int = 0
    """The one that the page of a card shows."""


@dataclass(frozen=True, slots=True)
class Shuffling(Quiet, Passing):
    """Both programs shuffle the pile and prove it."""


@dataclass(frozen=True, slots=True)
class Illegal:
    """The player's decision was refused; nothing has changed."""

    error: IllegalDecision
