"""Random games by seed, of fresh setups and from positions in the middle, in which laws are tried."""

from __future__ import annotations

import random
from collections.abc import Iterator

from helpers import random_start, walk
from hypothesis import strategies as st

from storm_p2p.storm import engine
from storm_p2p.storm.actions import Action, Opening
from storm_p2p.storm.errors import IllegalAction
from storm_p2p.storm.state import Group, State, Token
from storm_p2p.storm.units import Unit

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


def opened(state: State) -> Opening:
    """Return the opening that a full state owes."""
    unit = {token.serial: token.unit for side in state.sides for group in side for token in group}
    return Opening(tuple(Unit(unit[serial] or 0) for serial in state.due))


def all_tokens(state: State) -> list[Token]:
    """Return every token, of those left out and of the eliminated too."""
    groups: list[Group] = [group for side in state.sides for group in side]
    return [token for group in (*groups, state.fallen) for token in group]
