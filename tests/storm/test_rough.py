"""A match over a line that cuts, delays and splits, with programs killed on the way; ``rough.py`` plays a hundred.

The daily run has one on machines whose clocks jump (``test_machines.py``)."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from storm.rough import RoughMatch


@pytest.mark.long
@pytest.mark.parametrize("seed", [3])
def test_a_match_with_cuts_and_crashes_loses_nothing_and_accuses_nobody(seed: int, tmp_path: Path) -> None:
    match = RoughMatch(tmp_path, seed)
    assert asyncio.run(match.play()) == ""
    assert match.killed
