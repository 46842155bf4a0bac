"""The command of the benchmarks; what they measure no test asserts."""

from __future__ import annotations

from math import exp

import pytest
from helpers import ROOT

from benchmarks import balance, exchange, goals, wire_size
from benchmarks.__main__ import ALONE, TOGETHER, main

OF_ITS_OWN = {"__main__", "arena", "balance", "fit"}
"""What has a command line of its own."""


def test_the_command_knows_every_benchmark_and_says_what_it_measures(capsys: pytest.CaptureFixture[str]) -> None:
    files = {path.stem for path in (ROOT / "benchmarks").glob("*.py") if "\ndef main(" in path.read_text("utf-8")}
    assert {*TOGETHER, *ALONE} == files - OF_ITS_OWN
    with pytest.raises(SystemExit) as ended:
        main(["--help"])
    assert ended.value.code == 0
    said = {line.split()[0]: line.split()[1:] for line in capsys.readouterr().out.splitlines() if line.strip()}
    assert all(said[name] for name in (*TOGETHER, *ALONE))


def test_what_is_named_runs_alone_and_a_missed_goal_is_the_exit_code(monkeypatch: pytest.MonkeyPatch) -> None:
    ran: list[str] = []
    monkeypatch.setattr(goals, "MISSED", [])
    monkeypatch.setattr(wire_size, "main", lambda: ran.append("wire_size"))
    monkeypatch.setattr(exchange, "main", lambda: ran.append(goals.say("exchange", 2.0, most=1.0)))
    with pytest.raises(SystemExit) as ended:
        main(["wire_size"])
    assert (ran, ended.value.code) == (["wire_size"], False)
    with pytest.raises(SystemExit) as ended:
        main(["exchange", "wire_size"])
    assert (ran[1:], ended.value.code) == (["goal 1, MISSED", "wire_size"], True)
    with pytest.raises(SystemExit) as ended:
        main(["wires"])
    assert (len(ran), ended.value.code) == (3, 2)


def test_the_regression_of_balance_stands_where_no_weight_gains() -> None:
    rows = [{0: 1.0, 1: 1.0}, {0: 1.0, 1: -1.0}, {0: 1.0}, {0: 1.0, 1: 2.0}, {1: 1.0}]
    results = [1.0, 0.0, 0.5, 1.0, 0.0]
    weights, errors = balance.regress(rows, results, 3)
    for at, weight in enumerate(weights):
        slope = 0.0
        for row, result in zip(rows, results, strict=True):
            slope += (result - 1 / (1 + exp(-sum(weights[one] * row[one] for one in row)))) * row.get(at, 0.0)
        assert slope == pytest.approx(weight, abs=1e-9)
    # Of what never occurs is known what was known before.
    assert weights[1] > 0.1
    assert (weights[2], errors[2]) == (0.0, 1.0)
    assert 0.0 < errors[1] < 1.0
