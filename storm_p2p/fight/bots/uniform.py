"""A player without any plan: every decision that is listed is equally likely."""

from __future__ import annotations

import random

from protocol.game import Decision, Known
from storm_p2p.fight import engine
from storm_p2p.fight.state import State


def decide_by_chance(state: State, known: Known, chance: random.Random) -> Decision:
    """Return one of the legal decisions."""
    return chance.choice(engine.legal(state, known))
