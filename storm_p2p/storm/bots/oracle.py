"""The computer players ``seer`` and ``oracle``: they try every decision in worlds that agree with all they may know."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from random import Random

from storm_p2p.storm import engine
from storm_p2p.storm.actions import Action
from storm_p2p.storm.board import Faction
from storm_p2p.storm.bots import placing, value
from storm_p2p.storm.bots.search import search
from storm_p2p.storm.state import State, Terms
from storm_p2p.storm.units import Unit


class Oracle:
    """Does what promises most in the worlds it has tried; the more it tries, the better it plays."""

    def __init__(self, name: str, simulations: int, seconds: float, *, looks_ahead: bool = True) -> None:
        """Name it, and say how many worlds it tries for a decision, or how many seconds it takes at a board.

        One that looks ahead weighs the enemy's answers, too, and compares setups before it chooses one.
        """
        self.name = name
        self.simulations = simulations
        self.seconds = seconds
        self.looks_ahead = looks_ahead

    def place(self, faction: Faction, terms: Terms, rng: Random) -> tuple[Unit, ...]:
        """Return a sensible setup, a different one each time."""
        if not self.looks_ahead:
            return placing.set_up(faction, terms, rng)
        return placing.choose_setup(faction, terms, rng, value.load())

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
        for code, world in search(state, faction, rng, value.load(), answers=self.looks_ahead):
            yield world.told(state, code)
