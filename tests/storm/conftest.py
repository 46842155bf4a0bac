"""The judge of changed programs, for every test of this folder that asks for one."""

from __future__ import annotations

from pathlib import Path

import pytest
from helpers_cheats import Court


@pytest.fixture
def court(tmp_path: Path) -> Court:
    return Court(tmp_path)
