"""What the tests of whole programs share."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from helpers_events import Club

from end_to_end.program import Bench


@pytest.fixture
def club(tmp_path: Path) -> Club:
    """Return people who have not yet announced anything."""
    return Club(tmp_path)


@pytest.fixture
def later(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Return a list whose only number is by how many seconds all clocks are ahead."""
    ahead, real = [0], time.time
    monkeypatch.setattr(time, "time", lambda: real() + ahead[0])
    return ahead


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return Bench(tmp_path)
