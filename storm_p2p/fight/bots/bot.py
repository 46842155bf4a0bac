"""What a computer player is: a function of what a seat knows and a random source."""

from __future__ import annotations

import random
from typing import Protocol

from protocol.game import Decision, Known
from storm_p2p.fight.state import State


class Bot(Protocol):
    """Decides the question of a state by the cards that its seat knows."""

    def __call__(self, state: State, known: Known, chance: random.Random, /) -> Decision:
        """Return a legal decision."""
