"""Computer players: pure functions of what a seat may know and of a source of chance."""

from collections.abc import Iterator
from random import Random
from typing import Final, Protocol

from storm_p2p import bots
from storm_p2p.bots import Searcher
from storm_p2p.storm import engine
from storm_p2p.storm.actions import Action
from storm_p2p.storm.board import Faction
from storm_p2p.storm.bots import placing, value
from storm_p2p.storm.bots.greedy import Greedy
from storm_p2p.storm.bots.search import search
from storm_p2p.storm.bots.uniform import Uniform
from storm_p2p.storm.state import State, Terms
from storm_p2p.storm.units import Unit

SLIPS: Final = 0.3
"""How often ``novice`` acts without a thought."""


class Bot(bots.Bot[State, Faction, Action], Protocol):
    """A computer player of Storm, who can set up, too."""

    def place(self, faction: Faction, terms: Terms, rng: Random) -> tuple[Unit, ...]:
        """Return the setup: nine units for the regions of the realm in ascending order, then three left out."""


class Novice:
    """Plays as ``greedy`` from any setup, but acts without a thought now and then."""

    name = "novice"

    def place(self, faction: Faction, terms: Terms, rng: Random) -> tuple[Unit, ...]:
        """Return any legal setup."""
        return Uniform().place(faction, terms, rng)

    def decide(self, state: State, faction: Faction, rng: Random) -> Action:
        """Return what ``greedy`` does, or any legal action."""
        if rng.random() < SLIPS:
            return rng.choice(engine.legal_actions(state, faction))
        return Greedy().decide(state, faction, rng)


class Oracle(Searcher[State, Faction, Action]):
    """Does what promises most in worlds that agree with all it may know; the more it tries, the better it plays."""

    def __init__(self, name: str, simulations: int, seconds: float, *, looks_ahead: bool = True) -> None:
        """Name it, and say how many worlds it tries for a decision, or how many seconds it takes at a board.

        One that looks ahead weighs the enemy's answers, too, and compares setups before it chooses one.
        """
        super().__init__(name, simulations, seconds)
        self.looks_ahead = looks_ahead

    def place(self, faction: Faction, terms: Terms, rng: Random) -> tuple[Unit, ...]:
        """Return a sensible setup, a different one each time."""
        if not self.looks_ahead:
            return placing.set_up(faction, terms, rng)
        return placing.choose_setup(faction, terms, rng, value.load())

    def think(self, state: State, faction: Faction, rng: Random) -> Iterator[Action]:
        """Yield what to do after one simulation, after two, and so on without an end; equal chance, equal answers."""
        actions = engine.legal_actions(state, faction)
        if len(actions) == 1:
            while True:
                yield actions[0]
        for code, world in search(state, faction, rng, value.load(), answers=self.looks_ahead):
            yield world.told(state, code)


_ALL: Final[tuple[Bot, ...]] = (
    Uniform(),
    Novice(),
    Greedy(),
    Oracle("seer", 6, 0.5, looks_ahead=False),
    Oracle("oracle", 60, 1.0),
)

BOTS: Final[dict[str, Bot]] = {bot.name: bot for bot in _ALL}
"""The computer players by the name that ``--bot`` and ``bot:NAME`` take."""

LEVELS: Final = tuple(BOTS)
"""Their names from the weakest to the strongest; how much stronger, ``benchmarks/arena.py`` says."""
