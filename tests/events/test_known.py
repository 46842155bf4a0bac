"""The folders that were used here."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cli.events.folder import folder_of, known_folder, known_folders, remember
from cli.storage.home import Home

ONE, TWO = bytes(32), bytes([1]) * 32


def test_the_folder_used_last_stands_first_and_each_once(tmp_path: Path) -> None:
    home = Home(tmp_path)
    for name, event in (("a", ONE), ("b", TWO), ("a", ONE)):
        (tmp_path / name).mkdir(exist_ok=True)
        remember(home, tmp_path / name, event, f"Cup {name}\x1b[2J")
    assert [(one.path.name, one.event, one.name) for one in known_folders(home)] == [
        ("a", ONE, "Cup a"),
        ("b", TWO, "Cup b"),
    ]
    assert known_folder(home, tmp_path / "b") == known_folders(home)[1]
    assert folder_of(home, TWO) == tmp_path / "b"
    (tmp_path / "b").rmdir()
    assert folder_of(home, TWO) is None


def test_a_folder_may_have_a_name_that_is_no_text(tmp_path: Path) -> None:
    home = Home(tmp_path)
    remember(home, tmp_path / "Turnier\udcfc", ONE, "Cup")
    remember(home, tmp_path / "b", TWO, "Cup")
    found = known_folder(home, tmp_path / "Turnier\udcfc")
    assert found is not None
    assert found.event == ONE


def test_where_a_folder_exchanges_its_files_is_kept_for_its_event_alone(tmp_path: Path) -> None:
    home = Home(tmp_path)
    remember(home, tmp_path / "a", ONE, "Cup", "https://cup.example/")
    remember(home, tmp_path / "a", ONE, "Cup")
    assert [one.remote for one in known_folders(home)] == ["https://cup.example/"]
    remember(home, tmp_path / "a", TWO, "Cup")
    assert [one.remote for one in known_folders(home)] == [""]


@pytest.mark.parametrize("text", ["", "[]", "{}", "[1]", '[{"path": 1}]', '[{"path": "x", "event": "zz", "name": ""}]'])
def test_a_file_that_is_something_else_counts_as_none(text: str, tmp_path: Path) -> None:
    (tmp_path / "events.json").write_text(text)
    assert known_folders(Home(tmp_path)) == ()


def test_what_cannot_be_read_of_it_takes_nothing_else_away_and_is_not_lost(tmp_path: Path) -> None:
    home, file = Home(tmp_path), tmp_path / "events.json"
    remember(home, tmp_path / "a", ONE, "Cup")
    written = json.dumps([*json.loads(file.read_text()), {"path": "/b", "event": 7, "name": "Open"}])
    file.write_text(written)
    assert [one.path.name for one in known_folders(home)] == ["a"]
    remember(home, tmp_path / "c", TWO, "Cup")
    assert [one.path.name for one in known_folders(home)] == ["c", "a"]
    assert (tmp_path / "events.json.unread").read_text() == written
