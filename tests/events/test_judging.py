"""What logs prove is judged once, and what is kept of it is never believed when it does not fit."""

from __future__ import annotations

import hashlib
import tracemalloc
from pathlib import Path
from typing import Any

import pytest
from helpers_commands import LOG
from helpers_storm import StormPair

from cli.events import folder, judging
from cli.events.judging import judge
from protocol.core.frames import Record
from protocol.record import logfile

DATA = LOG.read_bytes()


def on_disk(folder: Path, *logs: bytes) -> dict[Path, bytes]:
    """Return logs as files with their hashes."""
    folder.mkdir(exist_ok=True)
    found = {folder / f"{number}.storm": data for number, data in enumerate(logs)}
    for path, data in found.items():
        path.write_bytes(data)
    return {path: hashlib.sha256(data).digest() for path, data in found.items()}


def refuse(*_: object) -> None:
    """Stand for a judge who must not be asked."""
    raise AssertionError("judged again")


def test_what_was_judged_is_kept_and_says_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    logs, kept = on_disk(tmp_path / "logs", DATA), tmp_path / "kept"
    fresh = judge(logs, kept)
    assert fresh[0].ok
    assert fresh[0].confirmed
    monkeypatch.setattr(judging, "verify_together", refuse)
    assert judge(logs, kept) == fresh
    # Another set of files of the match is another question, and so is a changed file.
    with pytest.raises(AssertionError, match="judged again"):
        judge(on_disk(tmp_path / "logs", DATA[:-1] + b"x", DATA), kept)


@pytest.mark.parametrize("kept", [b"", b"junk", b"\x91\xc0", b"\x91\x91\xc4\x20" + bytes(32)], ids=len)
def test_what_is_damaged_there_is_judged_again(kept: bytes, tmp_path: Path) -> None:
    logs, folder = on_disk(tmp_path / "logs", DATA), tmp_path / "kept"
    fresh = judge(logs, folder)
    (file,) = folder.iterdir()
    file.write_bytes(kept)
    assert judge(logs, folder) == fresh


def test_a_folder_that_cannot_be_written_does_no_harm(tmp_path: Path) -> None:
    logs = on_disk(tmp_path / "logs", DATA)
    (tmp_path / "file").write_text("no folder")
    assert judge(logs, tmp_path / "file") == judge(logs)


def test_many_logs_are_announced_and_those_that_were_judged_are_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(judging, "_MANY", 1)
    told: list[int] = []
    for _ in range(2):
        judge(on_disk(tmp_path / "logs", DATA, DATA[:-1] + b"x"), tmp_path / "kept", told.append)
    assert told == [2]


def test_files_that_are_no_logs_prove_nothing_and_stop_nothing(tmp_path: Path) -> None:
    found = judge(on_disk(tmp_path, b"junk", DATA, DATA, DATA[:500]))
    assert [one.ok for one in found].count(True) == 2
    assert {one.problems for one in found if one.match is None} == {("not-a-log",), ("cut",)}


def test_a_log_that_somebody_changes_meanwhile_proves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    logs = on_disk(tmp_path, DATA)
    (path,) = logs
    path.write_bytes(DATA[:-1] + b"x")
    assert [one.problems for one in judge(logs)] == [("unreadable",)]
    path.write_bytes(DATA)
    real = judging._shortest

    def late(*held: Any) -> Any:
        path.write_bytes(b"other")
        return real(*held)

    monkeypatch.setattr(judging, "_shortest", late)
    assert [one.problems for one in judge(logs)] == [("unreadable",)]


def test_long_logs_of_a_match_do_not_push_out_the_short_ones(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = logfile.load(DATA)
    longer = [logfile.dump([*file.records, Record(254, bytes(number))], 0, lambda _: bytes(64)) for number in (1, 2, 3)]
    logs = on_disk(tmp_path, *longer, DATA)
    monkeypatch.setattr(judging, "_SHARE", 2 * len(DATA))
    assert [one.problems for one in judge(logs)].count(("too-long",)) == 1
    assert judge(logs)[-1].ok


def test_short_logs_without_end_push_out_none_that_the_other_player_has_signed(tmp_path: Path) -> None:
    pair = StormPair()
    pair.play_out(limit=20)
    records, (loser, winner) = pair.host.records, pair.sessions
    cut = [records[:-number] for number in range(1, 18)]
    logs = [logfile.dump(records, winner.seat, winner.sign_log)]
    logs += [logfile.dump(some, loser.seat, loser.sign_log) for some in cut]
    logs += [logfile.dump(some, 0, lambda _: bytes(64)) for some in cut]
    found = judge(on_disk(tmp_path, *logs))
    assert found[0].ok
    assert [one.problems for one in found].count(("too-long",)) == 2


def test_twelve_logs_of_the_greatest_length_are_never_in_memory_together(tmp_path: Path) -> None:
    for number in range(12):
        with (tmp_path / f"{number}.storm").open("wb") as file:
            file.truncate(logfile.SIZE_LIMIT)
    tracemalloc.start()
    try:
        logs = folder.read_folder(tmp_path).logs
        found = judge({tmp_path / name: digest for name, digest in logs.items()})
        most = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert len(found) == 12
    assert most < 3 * logfile.SIZE_LIMIT
