"""What a computer player is: a function of what a seat knows and a random source."""

from __future__ import annotations

import random
from collections.abc import Callable

from protocol.game import Decision, Known
from storm_p2p.fight.state import State

Bot = Callable[[State, Known, random.Random], Decision]
"""Decides the question of a state by the cards that its seat knows."""
