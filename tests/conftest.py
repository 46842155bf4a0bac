"""Profiles of Hypothesis: ``quick`` (default, the same examples every time) and ``long`` (new ones, many).

And fixtures: one shows a screen in every language, one makes locks of keys that cost nothing.  Tests marked ``long``
have ten minutes each.
"""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, settings

from cli import language
from protocol.record import keytext

# Whoever runs the tests may have another language; the pictures and sentences are compared in English.
os.environ["LANGUAGE"] = "en"

settings.register_profile(
    "quick",
    max_examples=15,
    derandomize=True,
    deadline=None,
    database=None,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.register_profile("long", max_examples=400, deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "quick"))


def pytest_configure(config: pytest.Config) -> None:
    """Let programs that tests start find their modules compiled, where nothing may be written beside the sources."""
    if sys.dont_write_bytecode and "PYTHONPYCACHEPREFIX" not in os.environ:
        folder = tempfile.mkdtemp()
        os.environ["PYTHONPYCACHEPREFIX"] = folder
        os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
        config.add_cleanup(lambda: shutil.rmtree(folder, ignore_errors=True))


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Give more time to what the daily run leaves out."""
    for item in items:
        if item.get_closest_marker("long") and not item.get_closest_marker("timeout"):
            item.add_marker(pytest.mark.timeout(600))


@pytest.fixture(params=language.LANGUAGES)
def spoken(request: pytest.FixtureRequest) -> Iterator[str]:
    """Run a test in each language; the fixture is the language."""
    language.choose(request.param)
    assert language.current() == request.param
    yield request.param
    language.choose(language.ENGLISH)


@pytest.fixture
def cheap_locks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lock keys at a cost that does not count in a test."""
    monkeypatch.setattr(keytext, "COST", 2)
