"""The rules decide what the rules of their number have always decided, and their fingerprint notices if they do not."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import fingerprint
import pytest
from helpers import ROOT

from storm_p2p.storm import engine
from storm_p2p.storm.game import Storm
from storm_p2p.storm.rules import rounds
from storm_p2p.storm.state import Combat

FEW = 10


def judge(plays: int) -> None:
    objection = fingerprint.objection(plays)
    if objection:
        pytest.fail(objection)


def test_the_rules_decide_as_their_number_says() -> None:
    judge(fingerprint.DAILY)


@pytest.mark.long
def test_the_rules_decide_as_their_number_says_in_all_plays() -> None:
    judge(fingerprint.ALL)


@pytest.mark.long  # test_determinism does the same with a game each day
def test_the_fingerprint_is_the_same_under_every_hash_seed_and_optimised() -> None:
    expected = fingerprint.fingerprint(FEW)
    for seed, flag in (("0", "-O"), ("4294967295", "-OO")):
        command = [sys.executable, flag, str(ROOT / "tests" / "fingerprint.py"), str(FEW)]
        environment = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(ROOT)}
        done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=100, check=True)
        assert done.stdout.strip() == expected


def test_another_ruling_is_another_fingerprint(monkeypatch: pytest.MonkeyPatch) -> None:
    def survives(combat: Combat, faction: int) -> bool:
        return False

    expected = fingerprint.fingerprint(FEW)
    monkeypatch.setattr(rounds, "_attacked", survives)
    assert fingerprint.fingerprint(FEW) != expected


def test_what_is_listed_as_legal_and_in_which_order_is_no_part_of_the_fingerprint(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    expected = fingerprint.fingerprint(FEW)
    for name in ("legal_actions", "options", "price_actions"):
        monkeypatch.setattr(engine, name, None)
    assert fingerprint.fingerprint(FEW) == expected


# -- the record -------------------------------------------------------------------------------------------


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A record of two plays by the present rules."""
    path = tmp_path / "fingerprint.json"
    monkeypatch.setattr(fingerprint, "RECORD", path)
    named = tmp_path / "games.py"
    named.write_text(f'NEWEST = {{STORM: "{Storm.version}"}}\n', encoding="utf-8")
    monkeypatch.setattr(fingerprint, "NAMED", named)
    assert fingerprint.record(1, 2) == ""
    assert (fingerprint.objection(1), fingerprint.objection(2)) == ("", "")
    return path


def test_other_decisions_under_the_same_number_say_what_to_do_and_are_not_recorded(file: Path) -> None:
    kept = json.loads(file.read_text(encoding="utf-8"))
    for change in ({"plays": {"1": "0" * 64, "2": "0" * 64}}, {"version": f"{Storm.version[:-1]}x"}):
        file.write_text(json.dumps(kept | change), encoding="utf-8")
        said = fingerprint.objection(2)
        assert f"the rules {Storm.version.partition('-')[0]} of tests/golden/fingerprint.json" in said
        assert "raise RULES_VERSION in storm_p2p/storm/version.py, run python tests/fingerprint.py" in said
        assert fingerprint.record(1, 2) == said
        assert json.loads(file.read_text(encoding="utf-8")) == kept | change


def test_a_new_number_asks_for_its_record_and_gets_it(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = json.loads(file.read_text(encoding="utf-8"))
    monkeypatch.setattr(Storm, "version", f"99{Storm.version[1:]}")
    assert "The fingerprint of rules 99 is not recorded yet" in fingerprint.objection(2)
    assert fingerprint.record(1, 2) == ""
    assert fingerprint.objection(2) == ""
    assert json.loads(file.read_text(encoding="utf-8")) == before | {"version": Storm.version}
    assert (file.parent / "games.py").read_text(encoding="utf-8") == f'NEWEST = {{STORM: "{Storm.version}"}}\n'
    assert Storm.version.startswith("99")
