"""Computer players: functions of what a seat knows and a random source."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from typing import Final

from protocol.game import Decision, Known
from storm_p2p.fight.bots.greedy import decide_greedily
from storm_p2p.fight.bots.uniform import decide_by_chance
from storm_p2p.fight.state import State

Bot = Callable[[State, Known, random.Random], Decision]
"""Decides the question of a state by the cards that its seat knows."""

BOTS: Final[Mapping[str, Bot]] = {"random": decide_by_chance, "greedy": decide_greedily}
"""The computer players by their name, the weakest first."""
