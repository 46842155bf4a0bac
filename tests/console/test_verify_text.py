"""What verify says of files, and of results."""

from __future__ import annotations

import io
import os
import re
import sys

import pytest

from cli import language
from cli.language import LANGUAGES
from cli.runtime import console
from cli.text import clocks, commands, failures, matches, verdicts, wording
from protocol.record.logfile import LogError


def test_a_cut_file_is_not_told_to_be_pasted() -> None:
    said = commands.log_problem(LogError("cut", "expected a record, got the end"), "a.storm")
    assert said.startswith("The end of this file is missing.")
    assert "Paste" not in said
    # Of an invite it stays true.
    assert "Paste" in failures.sentence("cut", "expected 80 characters, got 10")


def test_a_resignation_is_told_by_the_names_of_players_where_sides_have_none() -> None:
    said = matches.result("1", "forfeit", {"0": "anna", "1": "bob"}, guilty=False)
    assert said == "bob wins: anna resigned"


def test_who_gave_up_reads_it_as_his_own_doing() -> None:
    called = {"chthonians": "YOU", "olympians": "bob"}
    for own, said in (("chthonians", "you resigned"), ("", "YOU resigned")):
        result = matches.result("olympians", "forfeit", called, guilty=False, own=own)
        assert result == f"the Olympians win: {said}"


@pytest.mark.parametrize("language_", LANGUAGES)
def test_what_a_log_says_of_a_side_without_a_name_has_no_verb_of_several(language_: str) -> None:
    answer = {
        "clock": {
            "text": "10m",
            "seats": [{"seat": "0", "left": 5, "left_by_reading": 4}],
            "differences": [{"seq": 3, "seat": "1", "claimed": 2, "seconds": 2, "read": 9}],
        },
        "claims": [{"seq": 4, "seat": "0", "ground": "time", "seconds": 70, "state": "lapsed"}],
        "break": None,
    }
    language.choose(language_)
    try:
        lines = "\n".join(clocks.course(answer))
    finally:
        language.choose(language.ENGLISH)
    side = "Seite" if language_ == language.GERMAN else "side"
    assert lines.count(side) >= 3
    assert not re.search(rf"{side}( links| rechts)? (have|say|haben|müssen)\b", lines)


def test_the_sides_of_a_game_without_named_ones_are_told_by_where_they_sit() -> None:
    assert verdicts.players([("anna", "0"), ("bob", "1")]) == "anna (left side) against bob (right side)"
    assert [wording.seat(word) for word in ("olympians", "2")] == ["Olympians", "2"]


def test_the_name_of_a_cheat_writes_no_verdict_about_somebody_else() -> None:
    said = verdicts.cheated("Anna (Chthonians) cheated; Ben", "olympians", "hid Zeus twice", 2)
    assert said == '"Anna (Chthonians) cheated; Ben" (Olympians) cheated: hid Zeus twice (message 2)'
    shown = verdicts.players([("Ben", "olympians"), ("a: b", "chthonians")])
    assert shown == 'Ben (Olympians) against "a: b" (Chthonians)'


def test_a_result_on_a_terminal_is_broken_between_words(monkeypatch: pytest.MonkeyPatch) -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

        def fileno(self) -> int:
            return 1

    written = Terminal()
    monkeypatch.setattr(sys, "stdout", written)
    monkeypatch.setattr(os, "get_terminal_size", lambda end: os.terminal_size((50, 24)))
    console.told("  " + "word " * 18 + "a/path/that-is-longer-than-a-row-of-this-terminal-can-be.storm\n\nend")
    assert written.getvalue().splitlines() == [
        "  " + " ".join(["word"] * 9),
        "    " + " ".join(["word"] * 9),
        "    a/path/that-is-longer-than-a-row-of-this-terminal-can-be.storm",
        "",
        "end",
    ]
