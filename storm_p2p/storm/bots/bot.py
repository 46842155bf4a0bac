"""What a computer player is: two pure functions of what its seat may know and of a source of chance."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Protocol, runtime_checkable

from storm_p2p.storm.actions import Action
from storm_p2p.storm.board import Faction
from storm_p2p.storm.state import State, Terms
from storm_p2p.storm.units import Unit


class Bot(Protocol):
    """A computer player.  It keeps nothing between two calls, so one value can play any number of games."""

    @property
    def name(self) -> str:
        """The word that chooses it: ``bot:NAME``."""

    def place(self, faction: Faction, terms: Terms, rng: Random) -> tuple[Unit, ...]:
        """Return the setup: nine units for the regions of the realm in ascending order, then three left out."""

    def decide(self, state: State, faction: Faction, rng: Random) -> Action:
        """Return a legal action for ``faction``, from which something is wanted; ``state`` is its owner's view."""


@runtime_checkable
class Thinker(Bot, Protocol):
    """A bot that plays the better, the longer it thinks.  It knows no clock: whoever asks it stops when time is up."""

    @property
    def seconds(self) -> float:
        """How long it thinks about a decision when nobody says it."""

    def think(self, state: State, faction: Faction, rng: Random) -> Iterator[Action]:
        """Yield what to do after one simulation, after two, and so on without an end; equal chance, equal answers."""
