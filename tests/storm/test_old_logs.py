"""Every log of a protocol and rules that once were: it verifies for ever, and says what it said at first."""

from __future__ import annotations

import json
import runpy
import subprocess
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from helpers import ROOT
from helpers_storm import check

from cli import language
from cli.app.main import main
from cli.runtime.console import Exit
from storm_p2p import games

FOLDER = ROOT / "tests" / "logs"
MAKE = runpy.run_path(str(FOLDER / "make.py"))
FOLDERS = sorted(path for path in FOLDER.iterdir() if path.is_dir() and path.name != "__pycache__")
LOGS = [path for folder in FOLDERS for path in sorted(folder.glob("*.storm"))]

JUDGES: tuple[Callable[[Path], dict[str, Any]], ...] = (check, partial(check, independent=True))
"""What says something to a file, in the form of ``verify --json``."""


def expected(folder: Path) -> dict[str, dict[str, Any]]:
    """Return what was said of the logs of a folder when they were made."""
    found = json.loads((folder / "expected.json").read_text(encoding="utf-8"))
    assert isinstance(found, dict)
    return found


@pytest.mark.parametrize(
    ("path", "judge"),
    [
        pytest.param(path, judge, id=f"{path.parent.name}/{path.stem}-{name}", marks=() if daily else pytest.mark.long)
        for path in LOGS
        for name, judge, daily in (
            ("libraries", JUDGES[0], True),
            ("independent", JUDGES[1], path.stem in ("hash-open-draw", "proved-open-rules-clock")),
        )
    ],
)
def test_an_old_log_verifies_and_says_what_it_always_said(path: Path, judge: Callable[[Path], dict[str, Any]]) -> None:
    if rules_of(path.parent) - rules_that_are_here():
        pytest.skip("the rules of the log are missing, as another test says")
    assert MAKE["plain"](judge(path)) == expected(path.parent)[path.name]


def rules_of(folder: Path) -> set[str]:
    """Return the versions of the rules by which the logs of a folder were played."""
    return {facts["rules"] for facts in expected(folder).values()}


def rules_that_are_here() -> set[str]:
    return {make().version for makers in games.GAMES.values() for make in makers}


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_the_rules_of_every_log_are_here(folder: Path) -> None:
    assert rules_of(folder) <= rules_that_are_here()


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_every_log_is_good_audited_and_confirmed_and_of_the_numbers_of_its_folder(folder: Path) -> None:
    logs = expected(folder)
    assert set(logs) == {path.name for path in folder.glob("*.storm")}
    game = folder.name.split("-")[1].rstrip("0123456789")
    assert {one["scheme"] for one in logs.values()} == {"proved", *["hash"] * (game == "rules")}
    for facts in logs.values():
        assert (facts["ok"], facts["audited"], facts["confirmed"], facts["owes"]) == (True, True, True, None)
        assert (facts["problems"], facts["remarks"]) == ([], [])
        assert folder.name == f"protocol{facts['protocol']}-{game}{facts['rules'].split('-')[0]}"


def test_the_present_protocol_and_rules_have_their_logs_and_the_script_writes_over_none() -> None:
    places = MAKE["folders"]()
    assert set(places) <= set(FOLDERS)
    before = {path: path.read_bytes() for place in places for path in place.iterdir()}
    with pytest.raises(SystemExit, match="made once"):
        MAKE["main"]()
    assert {path: path.read_bytes() for place in places for path in place.iterdir()} == before


@pytest.mark.parametrize(
    ("place", "by_rules"),
    list(zip(MAKE["folders"](), ({"honor", "palace"}, {"full", "points"}), strict=True)),
    ids=["storm", "fight"],
)
def test_the_logs_of_these_rules_have_ended_in_every_way(place: Path, by_rules: set[str]) -> None:
    logs = expected(place)
    reasons = {"forfeit", "agreement", "time", "absence", *by_rules}
    assert {one["result"]["reason"] for one in logs.values()} >= reasons
    for name in ("clock", "witness"):
        assert {one[name] is None for one in logs.values()} == {True, False}


@pytest.mark.parametrize(
    ("speech", "said"),
    [
        ("en", "If it is from before version 1.0.0 (protocol 2)"),
        ("de", "Stammt es aus der Zeit vor Version 1.0.0 (Protokollversion 2)"),
    ],
)
@pytest.mark.parametrize("command", [["verify"], ["verify", "--independent"], ["replay"]], ids=" ".join)
def test_a_log_of_protocol_2_is_refused_with_one_sentence(
    command: list[str],
    speech: str,
    said: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # What a program changes for itself and the ones that it starts.
    monkeypatch.setenv("LANGUAGE", "en")
    path = tmp_path / "old.storm"
    path.write_bytes(b"storm-p2p log 2\n" + LOGS[0].read_bytes()[16:])
    try:
        assert main(["--lang", speech, *command, str(path)]) == Exit.USAGE
    finally:
        language.choose(language.ENGLISH)
    words = capsys.readouterr()
    assert (words.out + words.err).count(said) == 1


def test_no_system_takes_a_log_for_text() -> None:
    if not (ROOT / ".git").exists():
        pytest.skip("the tests run from a source package")
    command = ["git", "check-attr", "text", "tests/logs/any.storm"]
    said = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert said.endswith("text: unset\n")
