"""Profiles of Hypothesis: ``quick`` (default, the same examples every time) and ``long`` (new ones, many).

And fixtures: one shows a screen in every language, one makes locks of keys that cost nothing, one
keeps recorded pictures apart from the strengths.  Tests marked ``long``
have ten minutes each.  What never changes is worked out once: modules are compiled for the next run, too, and a
sum of points, a signature, or whether a proof is good is the same for whoever asks about the same bytes.
"""

from __future__ import annotations

import argparse
import gc
import json
import os
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import cache, lru_cache
from hashlib import sha256

import catalogue
import pytest
from helpers import GOLDEN
from hypothesis import HealthCheck, settings

from cli import language
from cli.app import arguments
from protocol.crypto import group, keys, piles, proofs
from protocol.independent import curve, signatures
from protocol.independent import piles as piles_by_hand
from protocol.independent import proofs as by_hand
from protocol.record import keytext
from storm_p2p.storm import units
from storm_p2p.storm.rules import combat

ROOM = 4 << 30
"""Bytes that must be free in memory; a run needs far less, and the next one deletes what it has left."""

# Whoever runs the tests may have another language; the pictures and sentences are compared in English.
os.environ["LANGUAGE"] = "en"


@pytest.fixture(autouse=True)
def _english() -> Iterator[None]:
    """Take back what a German command has chosen, for whatever test comes next in this process."""
    yield
    language.choose(language.ENGLISH)


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
    """Compile the catalogues, and modules where nothing stands beside the sources, for tests and their programs."""
    if not hasattr(config, "workerinput"):
        catalogue.compile_all()
        _write_to_memory()
    if sys.dont_write_bytecode and "PYTHONPYCACHEPREFIX" not in os.environ:
        if hasattr(config, "cache"):
            folder = str(config.cache.mkdir("modules"))
        else:
            folder = tempfile.mkdtemp()
            config.add_cleanup(lambda: shutil.rmtree(folder, ignore_errors=True))
        os.environ["PYTHONPYCACHEPREFIX"] = sys.pycache_prefix = folder
        os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
        sys.dont_write_bytecode = False


def _write_to_memory() -> None:
    """Put ``tmp_path`` into memory where there is room: on a disk each small file waits, the longest for its sync.

    No test pulls the plug, so all find the same. Tests run programs that they have written, so that must be allowed.
    """
    folder = "/dev/shm"
    with suppress(OSError):
        room = os.statvfs(folder)
        if room.f_bavail * room.f_frsize > ROOM and not room.f_flag & os.ST_NOEXEC and os.access(folder, os.W_OK):
            os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", folder)


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Iterator[None]:
    """Collect without looking for garbage: next to all that is made stays until the end.

    Afterwards Python looks each time 50,000 things were made, not 700: Hypothesis has a say at each look, and both were
    a tenth of the console's tests.
    """
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()
        gc.freeze()
        gc.set_threshold(50_000)


def pytest_collection_finish() -> None:
    """Do once what always gives the same: a signature, whether it or a proof is good, and a sum of points."""
    sums = (group.add, group.subtract, group.times, group.times_base, curve.decode_checked, curve.multiply)
    modules = list(sys.modules.values())
    for true in (keys.verify_digest, proofs.check, signatures.verify, *sums):
        known = lru_cache(maxsize=50_000)(true)
        for module in modules:
            if getattr(module, true.__name__, None) is true:
                setattr(module, true.__name__, known)
    sign = keys.PrivateKey.sign_digest
    signed: dict[tuple[bytes, bytes], bytes] = {}

    def sign_once(key: keys.PrivateKey, digest: bytes) -> bytes:
        if (key.public, digest) not in signed:
            signed[key.public, digest] = sign(key, digest)
        return signed[key.public, digest]

    keys.PrivateKey.sign_digest = sign_once  # type: ignore[assignment, method-assign]
    stirred = ("check_key", "check_unlock", "check_stir")
    hidden = ("check_hide", "check_mix", "check_locate")
    for module, names in ((by_hand, hidden), (piles, stirred), (piles_by_hand, stirred)):
        for name in names:
            setattr(module, name, remembered(getattr(module, name)))
    keep_parsers()


def remembered(check: Callable[..., object]) -> Callable[..., object]:
    """Return a check of a proof that is done once for the same arguments, lists among them, if it is good."""
    found: dict[bytes, object] = {}

    def checked(*arguments: object) -> object:
        key = sha256(repr(arguments).encode()).digest()
        if key not in found:
            found[key] = check(*arguments)
        return found[key]

    return checked


def keep_parsers() -> None:
    """Make what reads the command line once for each language and command, on which alone it depends."""
    make = arguments.make_parser

    @cache
    def kept(speech: str, command: str) -> argparse.ArgumentParser:
        return make([command])

    def parser(words: Sequence[str] = ("event",)) -> argparse.ArgumentParser:
        return make(words) if not words or words[0].startswith("-") else kept(language.current(), words[0])

    arguments.make_parser = parser


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


@pytest.fixture
def recorded_strengths(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Give the units the strengths with which pictures, plays and scenarios were recorded.

    So a strength that changes breaks the tests that are about it, and not every picture in which the unit stands.
    """
    recorded = json.loads((GOLDEN / "strengths.json").read_text(encoding="utf-8"))
    present, numbers = units.STRENGTH, tuple(recorded[card.name] for card in units.CARDS)
    if numbers == present:
        yield
        return
    for module in [one for one in sys.modules.values() if getattr(one, "STRENGTH", None) is present]:
        monkeypatch.setattr(module, "STRENGTH", numbers)
    _strengthen(numbers)
    yield
    _strengthen(present)


def _strengthen(numbers: Sequence[int]) -> None:
    combat.account.cache_clear()
    for card, number in zip(units.CARDS, numbers, strict=True):
        # The rows of the table are the same everywhere, so it is the rows that change.
        object.__setattr__(card, "strength", number)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Let the tests move the clock."""
    time = [1_000_000.0]
    for module in ("match", "timekeeping"):
        monkeypatch.setattr(f"cli.match.{module}.now", lambda: time[0])
    monkeypatch.setattr("cli.console.lines.now", lambda: time[0])
    monkeypatch.setattr("cli.console.seats.now", lambda: time[0])
    monkeypatch.setattr("cli.match.timekeeping.TICK_SECONDS", 0.001)
    return time
