"""What verify says of files, and of results."""

from __future__ import annotations

from cli.text import commands, failures, matches, names, verdicts
from protocol.record.logfile import LogError


def test_a_cut_file_is_not_told_to_be_pasted() -> None:
    said = commands.log_problem(LogError("cut", "expected a record, got the end", offset=10), "a.storm")
    assert said.startswith("The end of this file is missing.")
    assert "Paste" not in said
    # Of an invite it stays true.
    assert "Paste" in failures.sentence("cut", "expected 80 characters, got 10")


def test_a_resignation_is_told_by_the_names_of_players_where_sides_have_none() -> None:
    said = matches.result("1", "forfeit", {"0": "anna", "1": "bob"}, guilty=False)
    assert said == "bob wins: anna resigned"


def test_the_sides_of_a_game_without_named_ones_are_told_by_where_they_sit() -> None:
    assert verdicts.players([("anna", "0"), ("bob", "1")]) == "anna (left side) against bob (right side)"
    assert [names.seat(word) for word in ("olympians", "2")] == ["Olympians", "2"]
