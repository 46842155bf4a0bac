"""Whatever is played with a listener is played over each way to it."""

from __future__ import annotations

import pytest

from wire_io.listener import WAYS, Doors


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "play" in metafunc.function.__code__.co_names:
        metafunc.fixturenames.append("way")
        metafunc.parametrize("way", WAYS, indirect=True)


@pytest.fixture
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Doors, "way", request.param)
