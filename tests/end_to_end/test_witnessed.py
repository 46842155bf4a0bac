"""A witness as a program of its own, named in the terms of a match between two others."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from helpers_processes import Forked

from cli.app.main import main
from cli.runtime.console import Exit

PATIENT = """
import sys
from cli.app.main import main
from cli.match import witnessing

witnessing.PATIENCE = witnessing.LAST_SECONDS = 60.0
sys.exit(main(sys.argv[1:]))
"""
"""The program on a machine where an answer of the witness may take long."""


def start(*words: str) -> Forked:
    return Forked(*words, program=("-c", PATIENT))


def first(process: Forked) -> dict[str, Any]:
    assert process.stdout is not None
    found: dict[str, Any] = json.loads(process.stdout.readline())
    return found


@pytest.mark.long
def test_a_witness_sees_a_whole_match_and_both_logs_tell_it(tmp_path: Path) -> None:
    with start("witness", "--home", str(tmp_path / "w"), "--bind", "127.0.0.1", "--port", "0", "--json") as witness:
        try:
            terms = first(witness)["terms"]
            common = ["--player", "bot:random", "--json", "--home"]
            with start(
                "host",
                "--bind",
                "127.0.0.1",
                "--clock",
                "5m+5s",
                "--witness",
                terms,
                "--scheme",
                "hash",
                *common,
                str(tmp_path / "a"),
            ) as host:
                try:
                    invite = first(host)["invite"]
                    with start("join", invite, "--scheme", "hash", *common, str(tmp_path / "b")) as guest:
                        ended, _ = guest.communicate()
                    hosted, _ = host.communicate()
                finally:
                    host.kill()
        finally:
            witness.kill()
    logs = [json.loads(text.splitlines()[-1])["log"] for text in (ended, hosted)]
    with Forked("verify", "--json", *logs) as verify:
        judged = json.loads(verify.communicate()[0])
    for answer in judged:
        assert answer["ok"]
        assert answer["audited"]
        assert answer["clock"]["text"] == "5 minutes each, plus 5 seconds after each decision"
        assert f"@{answer['witness']['address']}" in terms
        assert answer["witness"]["envelopes"] == answer["messages"]
        assert answer["witness"]["contradictions"] == 0
        assert answer["owes"] is None
    with Forked("verify", *logs) as verify:
        assert verify.communicate()[0].count("the last thing that the witness saw") == 2
    # He holds a key of his own, and nothing of the match.
    assert sorted(path.name for path in (tmp_path / "w").rglob("*") if path.is_file()) == [".lock", "witness.key"]


@pytest.mark.parametrize("words", ["nobody", "00@127.0.0.1:1", f"{'01' + '00' * 31}@127.0.0.1:1", f"{'ab' * 32}@h:0"])
def test_what_names_no_witness_is_refused_with_a_sentence(
    tmp_path: Path, words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["host", "--player", "bot:random", "--witness", words, "--home", str(tmp_path)]) == Exit.USAGE
    said = capsys.readouterr().err
    assert "expected" in said
    assert "witness" in said
