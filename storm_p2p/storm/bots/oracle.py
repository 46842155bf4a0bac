"""The computer player ``oracle``: it tries every decision in worlds that agree with all it may know."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from random import Random

from storm_p2p.storm import engine
from storm_p2p.storm.actions import Action
from storm_p2p.storm.board import Faction
from storm_p2p.storm.bots import placing
from storm_p2p.storm.bots.search import search
from storm_p2p.storm.state import State, Terms
from storm_p2p.storm.units import Unit


class Oracle:
    """Does what wins most of the worlds it has tried; the more it tries, the better it plays."""

    def __init__(self, name: str, simulations: int, seconds: float) -> None:
        """Name it, and say how many worlds it tries for a decision, or how many seconds it takes at a board."""
        self.name = name
        self.simulations = simulations
        self.seconds = seconds

    def place(self, faction: Faction, terms: Terms, rng: Random) -> tuple[Unit, ...]:
        """Return a sensible setup, a little different each time."""
        return placing.set_up(faction, terms, rng)

    def decide(self, state: State, faction: Faction, rng: Random) -> Action:
        """Return what is best after the simulations it was made for."""
        *_, action = islice(self.think(state, faction, rng), self.simulations)
        return action

    def think(self, state: State, faction: Faction, rng: Random) -> Iterator[Action]:
        """Yield what to do after one simulation, after two, and so on without an end; equal chance, equal answers."""
        actions = engine.legal_actions(state, faction)
        if len(actions) == 1:
            while True:
                yield actions[0]
        for code, world in search(state, faction, rng):
            yield world.told(state, code)
