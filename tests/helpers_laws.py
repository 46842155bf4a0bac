"""Random games by seed, of fresh setups and from positions in the middle, in which laws are tried."""

from __future__ import annotations

import random
from collections.abc import Iterator

from helpers import random_start, walk
from hypothesis import strategies as st

from storm_p2p.storm import engine
from storm_p2p.storm.actions import Action
from storm_p2p.storm.errors import IllegalAction
from storm_p2p.storm.state import State

SEEDS = st.integers(0, 2**32)
STEPS = 40


def steps(seed: int, count: int = STEPS) -> Iterator[tuple[State, Action]]:
    rng = random.Random(seed)
    yield from walk(rng, random_start(rng), count)


def accepts(state: State, action: Action) -> bool:
    try:
        engine.apply(state, action)
    except IllegalAction:
        return False
    return True
