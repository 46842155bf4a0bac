"""The same game is the same everywhere: under every hash seed, optimised, and after other games."""

from __future__ import annotations

import os
import random
import subprocess
import sys

import pytest
from helpers import ROOT, daily_first, random_start, walk

PLAYOUT = """
import hashlib
import random
from helpers import candidates, prefer, set_up, TERMS
from storm_p2p import engine
rng = random.Random(11)
trace = []
for terms in TERMS:
    state = set_up(rng, terms)
    for _ in range(150):
        actions = candidates(state)
        if not actions:
            break
        trace.append(repr(actions))
        state, events = engine.apply(state, prefer(rng, state, actions))
        trace.append(repr((state, events)))
print(hashlib.sha256(repr(trace).encode()).hexdigest())
"""


RUNS = (("4294967295", "-OO"), ("0", "-O"), ("1",), ("random",))
"""Hash seeds, and how Python is started."""


def run_playout(seed: str, *flags: str) -> str:
    environment = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": f"{ROOT}{os.pathsep}{ROOT / 'tests'}"}
    command = [sys.executable, *flags, "-c", PLAYOUT]
    return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=100, check=True).stdout


@pytest.mark.parametrize("runs", daily_first([RUNS[:1], RUNS]))
def test_a_game_has_the_same_digest_under_every_hash_seed_and_optimised(runs: tuple[tuple[str, ...], ...]) -> None:
    first = run_playout("0")
    assert len(first.strip()) == 64
    for run in runs:
        assert run_playout(*run) == first


def test_the_engine_knows_nothing_of_earlier_games() -> None:
    def trace(seed: int) -> list[str]:
        rng = random.Random(seed)
        return [repr(pair) for pair in walk(rng, random_start(rng), 30)]

    first = trace(1)
    trace(2)
    assert trace(1) == first
