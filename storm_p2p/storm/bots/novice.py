"""The computer player ``novice``: sees what ``greedy`` sees, and then often does something else."""

from __future__ import annotations

from random import Random
from typing import Final

from storm_p2p.storm import engine
from storm_p2p.storm.actions import Action
from storm_p2p.storm.board import Faction
from storm_p2p.storm.bots.greedy import Greedy
from storm_p2p.storm.bots.uniform import Uniform
from storm_p2p.storm.state import State, Terms
from storm_p2p.storm.units import Unit

SLIPS: Final = 0.3
"""How often it acts without a thought."""


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
