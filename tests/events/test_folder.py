"""The files of a tournament's folder: what is read, what is passed over, and how one is added."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

import pytest
from helpers_tournament import ORGANISER, event_of

from cli.events import folder
from protocol.tournament.contents import System
from protocol.tournament.documents import DOCUMENT_LIMIT, read, sign

DOCUMENT = read(sign(ORGANISER, event_of(System.KNOCK_OUT)))


def test_documents_and_logs_are_told_by_their_ends_and_all_else_is_foreign(tmp_path: Path) -> None:
    for name in ("a.event", "b.storm", "c.txt", "d", ".e.event"):
        (tmp_path / name).write_bytes(name.encode())
    (tmp_path / "folder").mkdir()
    found = folder.read_folder(tmp_path)
    assert found.documents == {"a.event": b"a.event"}
    assert found.logs == {"b.storm": hashlib.sha256(b"b.storm").digest()}
    assert found.foreign == ("c.txt", "d", "folder")
    assert found.unread == ()


def test_what_is_too_long_or_no_file_is_named_and_not_waited_for(tmp_path: Path) -> None:
    (tmp_path / "long.event").write_bytes(bytes(DOCUMENT_LIMIT + 1))
    (tmp_path / "folder.event").mkdir()
    (tmp_path / "gone.event").symlink_to(tmp_path / "nowhere")
    if hasattr(os, "mkfifo"):
        os.mkfifo(tmp_path / "pipe.event")
    names = {path.name for path in tmp_path.iterdir()}
    assert set(folder.read_folder(tmp_path).unread) == names


def test_so_many_documents_that_they_fill_the_memory_are_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(folder, "MOST", 2)
    for name in "abc":
        (tmp_path / f"{name}.event").write_bytes(b"x")
    found = folder.read_folder(tmp_path)
    assert (list(found.documents), found.unread) == (["a.event", "b.event"], ("c.event",))


def test_a_document_is_added_once_and_never_in_place_of_another_file(tmp_path: Path) -> None:
    first = folder.publish(tmp_path, DOCUMENT, "Ann & Bob/../x")
    assert first.parent == tmp_path
    assert first.name == f"event-ann-bob-x-{DOCUMENT.id.hex()[:16]}.event"
    assert folder.name_document(DOCUMENT, "Große Übung").startswith("event-grosse-ubung-")
    assert folder.publish(tmp_path, DOCUMENT, "Ann & Bob/../x") == first
    first.write_bytes(b"somebody else's")
    second = folder.publish(tmp_path, DOCUMENT, "Ann & Bob/../x")
    assert second != first
    assert (first.read_bytes(), second.read_bytes()) == (b"somebody else's", DOCUMENT.data)


def test_a_file_that_cannot_be_written_leaves_nothing_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise OSError("the disk is full")

    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(OSError, match="full"):
        folder.publish(tmp_path, DOCUMENT)
    assert list(tmp_path.iterdir()) == []


def test_one_content_under_two_names_has_both(tmp_path: Path) -> None:
    for name in ("a.storm", "b.storm"):
        (tmp_path / name).write_bytes(b"same")
    assert list(folder.read_folder(tmp_path).names().values()) == [("a.storm", "b.storm")]
