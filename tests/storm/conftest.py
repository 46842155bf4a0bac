"""The judge of changed programs, for every test of this folder that asks for one."""

from __future__ import annotations

from pathlib import Path

import pytest
from helpers_cheats import Court


@pytest.fixture(params=["sampled", pytest.param("every file", marks=pytest.mark.long)])
def court(request: pytest.FixtureRequest, tmp_path: Path) -> Court:
    """Return a judge who asks both implementations: in the daily run about one file of the first of like tests."""
    if request.param == "every file":
        return Court(tmp_path)
    like = getattr(request.node, "callspec").indices  # noqa: B009 (pytest declares it nowhere)
    return Court(tmp_path, 0 if any(place for name, place in like.items() if name != "court") else 1)
