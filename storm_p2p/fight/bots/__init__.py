"""Computer players: functions of what a seat knows and a random source."""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Final, Protocol

from protocol.game import Decision, Known
from storm_p2p.fight import engine
from storm_p2p.fight.bots.greedy import decide_greedily
from storm_p2p.fight.state import State


class Bot(Protocol):
    """Decides the question of a state by the cards that its seat knows."""

    def __call__(self, state: State, known: Known, chance: random.Random, /) -> Decision:
        """Return a legal decision."""


def decide_by_chance(state: State, known: Known, chance: random.Random) -> Decision:
    """Return one of the legal decisions, each as likely as any other."""
    return chance.choice(engine.legal(state, known))


BOTS: Final[Mapping[str, Bot]] = {"random": decide_by_chance, "greedy": decide_greedily}
"""The computer players by their name, the weakest first."""
