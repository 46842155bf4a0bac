"""Every scenario in tests/scenarios, in process; a sample of them through the command as a program."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from helpers import ROOT, SCENARIOS, load_scenarios, question

from cli.app.scenario import _run as run_any
from cli.storm import scenario
from engine.scenarios import judge

FILES = sorted(SCENARIOS.glob("*.json"))
ORDINARY: dict[str, Any] = {
    "id": "a",
    "turn": "chthonians",
    "units": {"hades": 10, "zeus": 15},
    "actions": ["move 10 11 hades"],
}
REFUSED: dict[str, Any] = {**ORDINARY, "id": "b", "actions": ["move 10 11", "move 15 4"]}


@pytest.mark.usefixtures("recorded_strengths")
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_every_scenario_of_the_file_answers_as_expected(path: Path) -> None:
    wrong = {}
    for case in load_scenarios(path):
        try:
            wrong[case["id"]] = list(judge(case["expect"], run_any(question(case))))
        except Exception as error:
            error.add_note(f"in the scenario {case['id']}")
            raise
    assert {name: lines for name, lines in wrong.items() if lines} == {}


def test_the_identities_of_cases_are_unique_in_their_file() -> None:
    for path in FILES:
        names = [case["id"] for case in load_scenarios(path)]
        assert len(names) == len(set(names)), path.name


def run(source: str, text: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    command = [sys.executable, "-m", "cli.app.main", "scenario", source]
    return subprocess.run(command, input=text, capture_output=True, cwd=ROOT, timeout=100, check=False)


def test_a_file_with_a_list_is_answered_with_a_list(tmp_path: Path) -> None:
    cases = load_scenarios(SCENARIOS / "given_turn.json")
    path = tmp_path / "cases.json"
    path.write_text(json.dumps([question(case) for case in cases]), encoding="utf-8")
    done = run(str(path))
    answers = json.loads(done.stdout)
    assert [answer["id"] for answer in answers] == [case["id"] for case in cases]
    assert [line for case, answer in zip(cases, answers, strict=True) for line in judge(case["expect"], answer)] == []
    assert done.returncode == (0 if all(answer["ok"] for answer in answers) else 1)
    assert done.stderr == b""


def test_one_object_from_standard_input_is_answered_with_one_object() -> None:
    done = run("-", json.dumps(ORDINARY).encode())
    assert done.returncode == 0
    assert json.loads(done.stdout) == scenario.run(ORDINARY)


def test_a_refusal_ends_with_status_1_and_names_the_action() -> None:
    done = run("-", json.dumps(REFUSED).encode())
    answer = json.loads(done.stdout)
    assert done.returncode == 1
    assert (answer["id"], answer["ok"], answer["index"]) == ("b", False, 1)
    assert answer["code"]
    assert str(answer["error"]).startswith("expected")


def test_one_bad_scenario_does_not_take_the_answers_of_the_others_away() -> None:
    done = run("-", json.dumps([REFUSED, {"units": 3}, ORDINARY]).encode())
    answers = json.loads(done.stdout)
    assert done.returncode == 1
    assert [answer["ok"] for answer in answers] == [False, False, True]
    assert [answer.get("index") for answer in answers] == [1, -1, None]


def test_an_empty_list_is_fine() -> None:
    done = run("-", b"[]")
    assert (done.returncode, json.loads(done.stdout)) == (0, [])


def test_a_number_that_is_too_large_is_answered_with_json() -> None:
    done = run("-", b'[{"id": [1e999, -1e999, 1.5]}, {"id": 2}]')
    assert b"Infinity" not in done.stdout
    assert [answer["id"] for answer in json.loads(done.stdout)] == [["1e999", "-1e999", 1.5], 2]


@pytest.mark.parametrize("text", [b"", b"{", b"\xff\xfe\x00", b"3", b'"text"', b"null", b"[1]", b"[[]]", b'{"id":NaN}'])
def test_input_that_is_no_scenario_ends_with_status_2_and_one_sentence(text: bytes) -> None:
    done = run("-", text)
    assert done.returncode == 2
    assert done.stdout == b""
    assert done.stderr.count(b"\n") == 1
    assert b"expected" in done.stderr
    assert b"Traceback" not in done.stderr


def test_a_file_that_is_not_there_ends_with_status_2(tmp_path: Path) -> None:
    done = run(str(tmp_path / "none.json"))
    assert (done.returncode, done.stdout) == (2, b"")
    assert b"Traceback" not in done.stderr


@pytest.mark.parametrize(
    "case",
    [
        {},
        {"turn": "chthonians"},
        {"turn": "nobody", "units": {}},
        {"turn": 1, "units": {}},
        {"turn": "chthonians", "units": []},
        {"turn": "chthonians", "units": {"hades": "10"}},
        {"turn": "chthonians", "units": {"hades": True}},
        {"turn": "chthonians", "units": {"hades": 25}},
        {"turn": "chthonians", "units": {"nobody": 1}},
        {"turn": "chthonians", "units": {"hades": 1, "zeus": 1}},
        {"turn": "chthonians", "units": {}, "known": ["hades"]},
        {"turn": "chthonians", "units": {}, "known": "hades"},
        {"turn": "chthonians", "units": {}, "eliminated": ["hades", "hades"]},
        {"turn": "chthonians", "units": {}, "eliminated": ["hades"], "gone": ["hades"]},
        {"turn": "chthonians", "units": {}, "energy": {"chthonians": -1}},
        {"turn": "chthonians", "units": {}, "energy": {"nobody": 1}},
        {"turn": "chthonians", "units": {}, "honor": 3},
        {"turn": "chthonians", "units": {}, "terms": {"open_combat": 1}},
        {"turn": "chthonians", "units": {}, "terms": {"challenge": -16}},
        {"turn": "chthonians", "units": {}, "actions": "pass"},
        {"turn": "chthonians", "units": {}, "actions": [1]},
        {"turn": "chthonians", "units": {}, "legal": "yes"},
        {"turn": "chthonians", "units": {}, "what": 1},
    ],
)
def test_a_wrong_position_is_refused_with_index_minus_1(case: dict[str, Any]) -> None:
    answer = scenario.run(case)
    assert (answer["ok"], answer["index"]) == (False, -1)
    assert str(answer["error"]).startswith("expected")


@pytest.mark.parametrize(
    "text",
    [
        "", "  ", "dance", "move", "move 10", "move 10 25", "move 0 1", "move 10 11 zeus", "move 10 11 hades hades",
        "move 10 11 hades ?", "move ten 11", "move 10 ²", "fight", "fight chthonians chase", "fight nobody chase 1",
        "fight chthonians chase x", "fight chthonians chase ²", "lose", "lose zeus now", "retreat", "retreat x",
        "bolt", "bolt 99999999999", "recall nobody", "aid", "aid hades", "sneak 10", "sneak 10 11", "reveal",
        "reveal h", "reveal zeus", "succeed", "succeed none", "block", "stay", "liturgy now", "pass", "open hades",
        "place chthonians ?", "claim", "move 10 11 claim claim", "move 10 11 hades claim claim", "move 10 10",
        "move 10 11 10 hades",
    ],
)  # fmt: skip
def test_words_that_make_no_legal_action_are_refused_with_their_index(text: str) -> None:
    answer = scenario.run({**ORDINARY, "actions": [text]})
    assert (answer["ok"], answer["index"]) == (False, 0), answer
    assert str(answer["error"]).startswith("expected")
    assert str(answer["error"]).isprintable()
