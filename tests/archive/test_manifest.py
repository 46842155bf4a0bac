"""What a run leaves in its folder: rows, manifest and root, each match once."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from helpers_archive import SMALL, rows_of, write_tar

from archive.runs import archive_of, digest_of, expected
from archive.workers import VERIFIER, verify_archive
from protocol.archive.merkle import hash_leaf, merkle_root
from protocol.archive.parts import MANIFEST, Parts, PartsError, Reader, Standing
from protocol.archive.row import Row, row
from storm_p2p import games


def test_the_manifest_can_be_checked_by_anybody_with_the_rows(tmp_path: Path) -> None:
    source, logs = archive_of(tmp_path, 40, 1)
    found = verify_archive(tmp_path / "out", [source]).manifest
    assert json.loads((tmp_path / "out" / MANIFEST).read_text()) == found
    rows = sorted((row(log, games.find) for log in logs), key=lambda one: one.log)
    assert found["logs"] == 40
    assert found["root"] == tree([one.pack() for one in rows]).hex()
    for part in found["parts"]:
        assert hashlib.sha256((tmp_path / "out" / part["file"]).read_bytes()).hexdigest() == part["sha256"]
        assert part["verifier"] == VERIFIER


def tree(leaves: list[bytes]) -> bytes:
    """Return the root as RFC 9162, section 2.1.1, defines it."""
    if len(leaves) < 2:
        return hashlib.sha256(b"\x00" + leaves[0] if leaves else b"").digest()
    half = 1
    while 2 * half < len(leaves):
        half *= 2
    return hashlib.sha256(b"\x01" + tree(leaves[:half]) + tree(leaves[half:])).digest()


def test_the_root_is_that_of_the_rfc_for_every_size() -> None:
    for size in range(40):
        leaves = [bytes((number,)) * number for number in range(size)]
        assert merkle_root(map(hash_leaf, leaves)) == tree(leaves)


def test_the_root_of_the_known_example_of_certificate_transparency() -> None:
    # The test vectors of the reference implementation.
    leaves = [
        bytes.fromhex(text)
        for text in ("", "00", "10", "2021", "3031", "40414243", "5051525354555657", "606162636465666768696a6b6c6d6e6f")
    ]
    root = "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328"
    assert merkle_root(map(hash_leaf, leaves)).hex() == root


def test_another_program_verifies_again_and_its_rows_replace_the_old_ones(tmp_path: Path) -> None:
    source, logs = archive_of(tmp_path, 30, 1)
    first = write_tar(tmp_path / "first.tar", SMALL)
    verify_archive(tmp_path / "out", [source], verifier="old")
    found = verify_archive(tmp_path / "out", [first], verifier="new")
    assert (found.verified, found.manifest["logs"]) == (len(SMALL), 30)
    by_verifier = {part["verifier"]: part["rows"] for part in found.manifest["parts"]}
    assert by_verifier == {"new": len(SMALL), "old": 30 - len(SMALL)}
    assert digest_of(tmp_path / "out") == expected(logs)


def test_files_that_a_crash_has_left_twice_are_settled(tmp_path: Path) -> None:
    source, logs = archive_of(tmp_path, 40, 1)
    verify_archive(tmp_path / "out", [source])
    rows = rows_of(tmp_path / "out")
    parts = Parts(tmp_path / "out", VERIFIER)
    parts.write(rows[:10])
    parts.write(rows[5:20])
    parts.close()
    assert {fault.code for fault in Reader(tmp_path / "out").check().faults} == {"extra"}
    verify_archive(tmp_path / "out", [source])
    assert Reader(tmp_path / "out").check().faults == ()
    assert digest_of(tmp_path / "out") == expected(logs)


def test_whoever_has_lost_takes_no_match_out_of_the_statistics_by_a_log_that_convicts_them(tmp_path: Path) -> None:
    true = next(one for one in (row(log, games.find) for log in SMALL) if one.confirmed and one.audited)
    loser = 1 - true.sides.index(true.winner)
    again = replace(true, log=bytes(32), reason="forfeit", problems=("backdated",), convicted=(loser,))
    two = replace(again, winner=true.sides[loser])
    for name, other, disputed in (("one", again, set()), ("two", two, {true.match})):
        parts = Parts(tmp_path / name, VERIFIER)
        parts.write([true, other])
        assert parts.find_disputed() == disputed
        parts.close()


def test_two_runs_cannot_use_one_folder(tmp_path: Path) -> None:
    parts = Parts(tmp_path / "out", VERIFIER)
    with pytest.raises(PartsError, match="in-use"):
        Parts(tmp_path / "out", VERIFIER)
    parts.close()
    Parts(tmp_path / "out", VERIFIER).close()


def test_a_folder_that_is_a_file_is_said_to_be(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(PartsError, match="unwritable"):
        Parts(tmp_path / "file", VERIFIER)


@pytest.mark.parametrize("lock", [False, True])
@pytest.mark.parametrize(
    "name", ["rows/data.csv", "rows/data.parquet", "rows/.part", "manifest.json", "rows/sub/0.parquet"]
)
def test_a_folder_of_something_else_is_refused_and_left_as_it_is(tmp_path: Path, name: str, lock: bool) -> None:
    (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
    (tmp_path / name).write_text('{"parts": []}')
    if lock:
        (tmp_path / "lock").touch()
    before = sorted(tmp_path.rglob("*"))
    with pytest.raises(PartsError, match="foreign"):
        Parts(tmp_path, VERIFIER)
    assert sorted(tmp_path.rglob("*")) == before
    assert (tmp_path / name).read_text() == '{"parts": []}'


@pytest.mark.parametrize(
    "left", [(), ("rows",), ("rows", "rows/.0123456789abcdef.part"), ("rows", f"rows/{32 * 'a'}.parquet")]
)
def test_a_run_goes_on_wherever_it_was_stopped(tmp_path: Path, left: Sequence[str]) -> None:
    for name in ("lock", *left):
        if name == "rows":
            (tmp_path / name).mkdir()
        else:
            (tmp_path / name).touch()
    Parts(tmp_path, VERIFIER).close()


def wins_of(rows: Sequence[Row], sides: Sequence[str]) -> tuple[int, ...]:
    """Return how many matches each side has won."""
    return tuple(sum(one.winner == side for one in rows) for side in sides)


def test_each_match_counts_once_however_many_logs_there_are(tmp_path: Path) -> None:
    from protocol.archive.stats import survey_rows

    pytest.importorskip("duckdb", reason="the extra archive is not installed")
    source, logs = archive_of(tmp_path, 150, 2)
    verify_archive(tmp_path / "out", [source])
    found = survey_rows(tmp_path / "out", depth=4, least=1, is_dealt=lambda game, terms: terms.endswith(",3]"))
    rows = [row(log, games.find) for log in logs]
    proven = [one for one in rows if one.ok and one.winner and one.confirmed and one.audited]
    matches = {one.match: one for one in proven}
    assert len(matches) < len(proven)
    assert found.logs == {
        Standing.COUNTS: len(matches),
        Standing.AGAIN: len(proven) - len(matches),
        Standing.BAD: 2,
        Standing.OPEN: sum(one.ok and not one.winner for one in rows),
        Standing.UNPROVEN: sum(one.ok and bool(one.winner) for one in rows) - len(proven),
    }
    assert sum(group.matches for group in found.groups) == len(matches)
    for placing in found.placings:
        code = placing.what * 256 + placing.where
        alike = [one for one in matches.values() if one.terms.endswith(",3]") == placing.dealt]
        played = [one for one in alike if code in {each & 65_535 for each in one.setup}]
        assert (placing.matches, placing.wins) == (len(played), sum(one.winner == placing.side for one in played))
        assert 0 <= placing.low <= placing.wins / placing.matches <= placing.high <= 1
    assert sum(placing.matches for placing in found.placings) == 18 * len(matches)
    assert {placing.dealt for placing in found.placings} == {False, True}
    for opening in found.openings:
        played = [one for one in matches.values() if one.states[: len(opening.path)] == opening.path]
        wins = wins_of(played, ("chthonians", "olympians"))
        assert (opening.matches, opening.wins) == (len(played), wins)
    assert {one.what for one in found.variants} == {one.terms for one in matches.values()}
    for one in found.variants:
        played = [each for each in matches.values() if each.terms == one.what]
        assert (one.matches, *one.wins) == (len(played), *wins_of(played, ("chthonians", "olympians")))
    for one in found.players:
        played = [each for each in matches.values() if bytes.fromhex(one.what) in each.keys]
        won = [each for each in played if each.winner == each.sides[each.keys.index(bytes.fromhex(one.what))]]
        drawn = [each for each in played if each.winner == "draw"]
        assert (one.matches, *one.wins) == (len(played), len(won), len(played) - len(won) - len(drawn))
        names = Counter(each.names[each.keys.index(bytes.fromhex(one.what))] for each in played)
        assert names[one.name] == max(names.values())
    assert sum(one.matches for one in found.players) == 2 * len(matches)
    assert not found.events
    paths = [opening.path for opening in found.openings]
    assert all(path[:-1] in paths[: paths.index(path)] for path in paths if len(path) > 1)


def test_tournaments_count_apart_and_a_match_against_oneself_counts_for_no_player(tmp_path: Path) -> None:
    from protocol.archive.stats import survey_rows

    pytest.importorskip("duckdb", reason="the extra archive is not installed")
    true = next(one for one in (row(log, games.find) for log in SMALL) if one.confirmed and one.audited)
    keys, events = [bytes([number]) * 32 for number in range(3)], [bytes([number]) * 32 for number in (9, 8)]
    made = [
        replace(
            true, log=bytes([number]) * 32, match=bytes([number]) * 32, event=event, keys=keys_, names=names, winner=won
        )
        for number, (event, keys_, names, won) in enumerate(
            (
                (events[0], (keys[0], keys[1]), ("Ann", "Bob"), true.sides[0]),
                (events[0], (keys[1], keys[0]), ("Bob", "Zoe"), "draw"),
                (events[1], (keys[1], keys[0]), ("Bo", "Ann"), true.sides[1]),
                (None, (keys[2], keys[2]), ("Eve", "Eve"), true.sides[0]),
            )
        )
    ]
    parts = Parts(tmp_path, VERIFIER)
    parts.write(made)
    parts.settle()
    parts.write_manifest()
    parts.close()
    found = survey_rows(tmp_path, depth=4, least=1)
    assert [(one.what, one.matches, one.wins) for one in found.events] == [
        (events[0].hex(), 2, (1, 0)),
        (events[1].hex(), 1, (0, 1)),
    ]
    assert [(one.what, one.name, one.matches, one.wins) for one in found.players] == [
        (keys[0].hex(), "Ann", 3, (2, 0)),
        (keys[1].hex(), "Bob", 3, (0, 2)),
    ]


def test_statistics_read_the_files_that_were_checked_and_no_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from protocol.archive.stats import survey_rows

    pytest.importorskip("duckdb", reason="the extra archive is not installed")
    # To the database the first name is a pattern that fits the second.
    asked, other = tmp_path / "a[b]", tmp_path / "ab"
    verify_archive(asked, [write_tar(tmp_path / "logs.tar", SMALL[:1])])
    (path,) = (asked / "rows").iterdir()
    (other / "rows").mkdir(parents=True)
    (other / "rows" / path.name).write_bytes(b"never checked")
    is_unchanged = Reader.is_unchanged

    def check_and_add(reader: Reader, checked: Collection[str]) -> bool:
        try:
            return is_unchanged(reader, checked)
        finally:
            (asked / "rows" / "later.parquet").write_bytes(path.read_bytes())

    found = survey_rows(asked, depth=4, least=1)
    assert sum(found.logs.values()) == 1
    monkeypatch.setattr(Reader, "is_unchanged", check_and_add)
    assert survey_rows(asked, depth=4, least=1, checked=[found.manifest]).logs == found.logs
