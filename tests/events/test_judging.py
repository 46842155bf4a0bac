"""What logs prove is judged once, and what is kept of it is never believed when it does not fit."""

from __future__ import annotations

from pathlib import Path

import pytest
from helpers_commands import LOG

from cli.events import judging
from cli.events.judging import judge

DATA = LOG.read_bytes()


def refuse(*_: object) -> None:
    """Stand for a judge who must not be asked."""
    raise AssertionError("judged again")


def test_what_was_judged_is_kept_and_says_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fresh = judge([DATA], tmp_path)
    assert fresh[0].ok
    assert fresh[0].confirmed
    monkeypatch.setattr(judging, "verify_together", refuse)
    assert judge([DATA], tmp_path) == fresh
    # Another set of files of the match is another question, and so is a changed file.
    with pytest.raises(AssertionError, match="judged again"):
        judge([DATA[:-1] + b"x", DATA], tmp_path)


@pytest.mark.parametrize("kept", [b"", b"junk", b"\x91\xc0", b"\x91\x91\xc4\x20" + bytes(32)], ids=len)
def test_what_is_damaged_there_is_judged_again(kept: bytes, tmp_path: Path) -> None:
    fresh = judge([DATA], tmp_path)
    (file,) = tmp_path.iterdir()
    file.write_bytes(kept)
    assert judge([DATA], tmp_path) == fresh


def test_a_folder_that_cannot_be_written_does_no_harm(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no folder")
    assert judge([DATA], tmp_path / "file") == judge([DATA])


def test_many_logs_are_announced_and_those_that_were_judged_are_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(judging, "_MANY", 1)
    told: list[int] = []
    for _ in range(2):
        judge([DATA, DATA[:-1] + b"x"], tmp_path, told.append)
    assert told == [2]


def test_files_that_are_no_logs_prove_nothing_and_stop_nothing(tmp_path: Path) -> None:
    found = judge([b"junk", DATA, DATA, DATA[:500]], tmp_path)
    assert [one.ok for one in found].count(True) == 2
    assert {one.problems for one in found if one.match is None} == {("not-a-log",), ("cut",)}
