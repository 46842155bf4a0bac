"""The judge of changed programs, for every test of this folder that asks for one."""

from __future__ import annotations

from pathlib import Path
from zlib import crc32

import pytest

from storm.cheats import Court


@pytest.fixture(params=["sampled", pytest.param("every file", marks=pytest.mark.long)])
def court(request: pytest.FixtureRequest, tmp_path: Path) -> Court:
    """Return a judge who asks both implementations: in the daily run one test in four, about its first file."""
    if request.param == "every file":
        return Court(tmp_path)
    return Court(tmp_path, int(crc32(request.node.name.encode()) % 4 == 0))
