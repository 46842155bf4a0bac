"""What a computer player of any game is: a function of what its seat may know and of a source of chance."""

from abc import ABC, abstractmethod
from collections.abc import Iterator
from itertools import islice
from random import Random
from typing import Generic, Protocol, TypeVar, runtime_checkable

SeenOf = TypeVar("SeenOf", contravariant=True)
SideOf = TypeVar("SideOf", contravariant=True)
ActionOf = TypeVar("ActionOf", covariant=True)


class Bot(Protocol[SeenOf, SideOf, ActionOf]):
    """A computer player.  It keeps nothing between two calls, so one value can play any number of games."""

    @property
    def name(self) -> str:
        """The word that chooses it: ``bot:NAME``."""

    def decide(self, state: SeenOf, side: SideOf, rng: Random, /) -> ActionOf:
        """Return a legal action for a side, from which something is wanted; ``state`` is its owner's view."""


@runtime_checkable
class Thinker(Bot[SeenOf, SideOf, ActionOf], Protocol[SeenOf, SideOf, ActionOf]):
    """A bot that plays the better, the longer it thinks.  It knows no clock: whoever asks it stops when time is up."""

    @property
    def seconds(self) -> float:
        """How long it thinks about a decision when nobody says it."""

    def think(self, state: SeenOf, side: SideOf, rng: Random, /) -> Iterator[ActionOf]:
        """Yield what to do after one simulation, after two, and so on without an end; equal chance, equal answers."""


class Searcher(ABC, Generic[SeenOf, SideOf, ActionOf]):
    """A :class:`Thinker` that can be asked for an answer after some simulations, too."""

    def __init__(self, name: str, simulations: int, seconds: float) -> None:
        """Name it, and say how many simulations it makes for a decision, or how many seconds it takes at a board."""
        self.name = name
        self.simulations = simulations
        self.seconds = seconds

    @abstractmethod
    def think(self, state: SeenOf, side: SideOf, rng: Random, /) -> Iterator[ActionOf]:
        """Yield what to do after one simulation, after two, and so on without an end; equal chance, equal answers."""

    def decide(self, state: SeenOf, side: SideOf, rng: Random, /) -> ActionOf:
        """Return what is best after the simulations it was made for."""
        *_, action = islice(self.think(state, side, rng), self.simulations)
        return action
