"""Archives that somebody has changed: each reader names the file, and nothing of it counts or is signed again."""

from __future__ import annotations

import errno
import hashlib
import json
import shutil
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from helpers_archive import COMMITTED, HASHED, rows_of, write_tar

from cli.app.archive import WORK
from cli.app.main import main
from cli.runtime.console import Exit
from cli.storage.home import Home
from protocol.archive.merkle import hash_leaf, merkle_root
from protocol.archive.parts import Checked, Parts, Reader
from protocol.archive.row import UNVERIFIABLE, Row, row
from protocol.archive.run import Lie, judge_again
from protocol.archive.sources import Found
from storm_p2p import games

pytest.importorskip("duckdb", reason="the extra archive is not installed")

LOGS = HASHED[:3]
TRUE = sorted((row(log, games.find) for log in LOGS), key=lambda one: one.log)

Run = Callable[..., tuple[int, str]]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> Run:
    """Run the command with these words, and return its exit code and all that it says."""

    def run(*given: object) -> tuple[int, str]:
        code = main(["archive", *map(str, given), "--lang", "en", "--home", str(tmp_path / "home")])
        return code, "".join(capsys.readouterr())

    return run


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make an archive."""
    folder = tmp_path_factory.mktemp("archive")
    source = write_tar(folder / "logs.tar", LOGS)
    assert main(["archive", "verify", str(source), "--out", str(folder / "out"), "--home", str(folder)]) == Exit.FINE
    return folder


@pytest.fixture
def out(made: Path, tmp_path: Path) -> Path:
    """Return a copy of an archive of one's own; its logs are in ``logs.tar`` beside it."""
    shutil.copy(made / "logs.tar", tmp_path)
    return Path(shutil.copytree(made / "out", tmp_path / "out"))


def said(out: Path) -> Any:
    """Return the manifest."""
    return json.loads((out / "manifest.json").read_bytes())


def part_of(out: Path) -> Path:
    """Return the one file of rows."""
    [path] = (out / "rows").glob("*.parquet")
    return path


def change(path: Path, column: str, value: object, *, leaves: bool = False) -> None:
    """Write another value into a column of all rows; with leaves a column of their true hashes stands beside."""
    import pyarrow
    from pyarrow import parquet

    table = parquet.read_table(path)
    index = table.schema.get_field_index(column)
    field = table.schema.field(index)
    table = table.set_column(index, field, pyarrow.array([value] * len(table), field.type))
    if leaves:
        changes: dict[str, Any] = {column: value}
        hashes = [hash_leaf(replace(one, **changes).pack()) for one in TRUE]
        table = table.append_column("leaf", pyarrow.array(hashes, pyarrow.binary(32)))
    parquet.write_table(table, path, compression="zstd")


def sign(out: Path, path: Path, **more: Any) -> None:
    """Let the manifest name a file with its present hash."""
    manifest = said(out)
    manifest["parts"][0] |= {
        "file": f"rows/{path.name}",
        "sha256": hashlib.sha256(path.read_bytes()).hexdigest(),
        **more,
    }
    (out / "manifest.json").write_text(json.dumps(manifest, indent=1) + "\n")


def rename(path: Path) -> Path:
    """Give a file the name that one with these bytes has."""
    return path.rename(path.with_name(f"{hashlib.sha256(path.read_bytes()).hexdigest()[:32]}.parquet"))


def assert_named_and_mended(run: Run, out: Path, true: object, name: str, code: str) -> None:
    """Everybody who reads the archive names the file, and ``verify`` makes everything what it was."""
    for given in (("check", out), ("stats", out)):
        exit_code, told = run(*given)
        assert exit_code == (Exit.NO if given[0] == "check" else Exit.USAGE)
        assert name in told
        assert "100 %" not in told
    facts = json.loads(run("check", out, "--json")[1])
    assert (facts["holds"], [one["code"] for one in facts["faults"]]) == (False, [code])
    exit_code, told = run("verify", out.parent / "logs.tar", "--out", out)
    assert exit_code == Exit.FINE
    assert name in told
    assert f"{len(LOGS)} logs checked." in told
    assert rows_of(out) == TRUE
    assert said(out) == true
    assert run("check", out, tree_root())[0] == Exit.FINE
    assert run("stats", out)[0] == Exit.FINE


def tree_root() -> str:
    """Return the root over the true rows."""
    return merkle_root(hash_leaf(one.pack()) for one in TRUE).hex()


# -- forgeries --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("signed", [False, True])
@pytest.mark.parametrize(
    ("column", "leaves"),
    [
        ("winner", False),
        ("winner", True),
        *(pytest.param(one, False, marks=pytest.mark.long) for one in ("standing", "name1")),
    ],
)
def test_a_rewritten_column_is_named_and_its_logs_are_judged_again(
    run: Run, out: Path, column: str, signed: bool, leaves: bool
) -> None:
    path, true = part_of(out), said(out)
    change(path, column, "again" if column == "standing" else "chthonians", leaves=leaves)
    if signed:
        sign(out, path)
    assert_named_and_mended(run, out, true, path.name, "altered")


def test_a_rewritten_column_under_a_name_and_a_hash_of_its_own_is_found_by_the_root(run: Run, out: Path) -> None:
    path, true = part_of(out), said(out)
    change(path, "winner", "chthonians")
    sign(out, rename(path))
    assert_named_and_mended(run, out, true, "manifest.json", "manifest")


def test_how_rows_count_is_worked_out_again(run: Run, out: Path) -> None:
    path, true = part_of(out), said(out)
    change(path, "standing", "again")
    path = rename(path)
    sign(out, path)
    assert_named_and_mended(run, out, true, path.name, "altered")


@pytest.mark.parametrize("error", [MemoryError, PermissionError])
@pytest.mark.parametrize("command", ["check", "stats", "verify"])
def test_a_file_that_cannot_be_read_here_does_not_count_as_changed(
    run: Run, out: Path, monkeypatch: pytest.MonkeyPatch, command: str, error: type[Exception]
) -> None:
    def fail(data: bytes) -> int:
        raise error(errno.EACCES, "no", part_of(out)) if error is PermissionError else error

    monkeypatch.setattr("protocol.archive.parts.measure_texts", fail)
    given = ("verify", out.parent / "logs.tar", "--out", out) if command == "verify" else (command, out)
    exit_code, told = run(*given)
    assert exit_code == Exit.USAGE
    reason = "permission denied" if error is PermissionError else "there is not enough memory"
    assert f"{part_of(out)} cannot be used ({reason})." in told


def test_statistics_that_take_too_much_memory_blame_no_file(
    run: Run, out: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("protocol.archive.stats.MEMORY", "1KB")
    exit_code, told = run("stats", out)
    assert exit_code == Exit.USAGE
    assert "there is not enough memory" in told


@pytest.mark.parametrize("changed", [{"root": 64 * "0"}, {"logs": 1}, {"format": 1}, {"more": 0}], ids=str)
def test_a_manifest_that_says_something_else_is_named(run: Run, out: Path, changed: dict[str, Any]) -> None:
    manifest = said(out)
    (out / "manifest.json").write_text(json.dumps(manifest | changed))
    assert run("check", out)[0] == Exit.NO
    exit_code, told = run("verify", out.parent / "logs.tar", "--out", out)
    assert exit_code == Exit.FINE
    assert "manifest.json does not match the rows" in told
    assert f"{len(LOGS)} logs checked." in told
    assert said(out) == manifest


@pytest.mark.parametrize("data", [b"", b"[]", b"{}", b"\xff", b'{"parts": [[]]}', b"[" * 100_000])
def test_a_manifest_that_is_none_is_named(run: Run, out: Path, data: bytes) -> None:
    manifest = said(out)
    (out / "manifest.json").write_bytes(data)
    assert "manifest.json" in run("check", out)[1]
    assert "manifest.json" in run("verify", out.parent / "logs.tar", "--out", out)[1]
    assert said(out) == manifest


def test_a_cut_file_is_named(run: Run, out: Path) -> None:
    path = part_of(out)
    data = path.read_bytes()
    path.write_bytes(data[: len(data) // 2])
    exit_code, told = run("stats", out)
    assert (exit_code, told) == (
        Exit.USAGE,
        f"{path} is damaged, or was changed after the archive was made.\nNothing was counted. To repair the archive, "
        "or to finish an interrupted run: storm-p2p archive verify SOURCE... --out DIR\n",
    )


def test_a_missing_file_is_named(run: Run, out: Path) -> None:
    path = part_of(out)
    path.unlink()
    assert f"{path} is missing, but the manifest names it." in run("check", out)[1]
    exit_code, told = run("verify", out.parent / "logs.tar", "--out", out)
    assert (exit_code, path.name in told, f"{len(LOGS)} logs checked." in told) == (Exit.FINE, True, True)
    assert said(out)["root"] == tree_root()


def test_a_file_that_the_manifest_does_not_name_counts_nowhere(run: Run, out: Path, tmp_path: Path) -> None:
    true = said(out)
    forged = out / "rows" / "x.parquet"
    forged.write_bytes(part_of(out).read_bytes())
    change(forged, "winner", "chthonians")
    assert "x.parquet" in run("check", out)[1]
    # Under a name of its own it might be what a run has left that was stopped; but the archive knows these logs.
    forged = rename(forged)
    for command in ("check", "stats"):
        exit_code, told = run(command, out)
        assert exit_code != Exit.FINE
        assert f"{forged} is not in the manifest" in told
    assert run("verify", out.parent / "logs.tar", "--out", out)[0] == Exit.FINE
    assert said(out) == true


def test_a_file_that_was_exchanged_for_a_forged_one_is_named_and_the_forgery_goes(run: Run, out: Path) -> None:
    true, path = said(out), part_of(out)
    change(path, "winner", "chthonians")
    forged = rename(path)
    exit_code, told = run("verify", out.parent / "logs.tar", "--out", out)
    assert (exit_code, path.name in told, forged.name in told) == (Exit.FINE, True, True)
    assert (said(out), rows_of(out)) == (true, TRUE)


@pytest.mark.parametrize("step", ["_mark", "write_manifest", "_remove"])
def test_a_run_that_ends_while_it_tidies_up_loses_nothing(
    run: Run, out: Path, step: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt(*given: object) -> None:
        raise KeyboardInterrupt

    source = write_tar(out.parent / "more.tar", COMMITTED[:5])
    with monkeypatch.context() as patch:
        patch.setattr(Parts, step, interrupt)
        assert run("verify", source, "--out", out)[0] == Exit.INTERRUPTED
    exit_code, told = run("verify", source, "--out", out)
    assert (exit_code, told.splitlines()[:2]) == (Exit.FINE, ["0 logs checked.", "5 logs were checked earlier."])
    assert run("check", out)[0] == Exit.FINE


def test_a_small_file_of_a_great_many_equal_rows_is_named_at_once(
    run: Run, out: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import pyarrow
    from pyarrow import parquet

    path = part_of(out)
    table = parquet.read_table(path)
    many = pyarrow.concat_tables([table.slice(0, 1)] * 50_000).combine_chunks()
    parquet.write_table(many.replace_schema_metadata(table.schema.metadata), path, compression="zstd")
    path = rename(path)
    sign(out, path)
    packed = Counter[str]()
    pack = Row.pack

    def count(row: Row) -> bytes:
        packed["rows"] += 1
        return pack(row)

    monkeypatch.setattr(Row, "pack", count)
    code, told = run("check", out)
    assert (code, path.name in told) == (Exit.NO, True)
    assert packed["rows"] < 10


def test_a_row_that_stands_in_two_files_is_named(run: Run, out: Path) -> None:
    first = part_of(out)
    second = out / "rows" / "x.parquet"
    second.write_bytes(first.read_bytes())
    change(second, "standing", "again")
    second = rename(second)
    manifest = said(out)
    manifest["parts"].append(
        {
            **manifest["parts"][0],
            "file": f"rows/{second.name}",
            "sha256": hashlib.sha256(second.read_bytes()).hexdigest(),
        }
    )
    (out / "manifest.json").write_text(json.dumps(manifest))
    exit_code, told = run("check", out)
    assert exit_code == Exit.NO
    assert f"{max(first, second)} is damaged, or was changed" in told


def test_a_folder_without_a_manifest_is_not_an_archive_that_holds(run: Run, out: Path) -> None:
    (out / "manifest.json").unlink()
    assert "manifest.json is missing: a run was stopped" in run("check", out)[1]
    assert "0 logs checked." in run("verify", out.parent / "logs.tar", "--out", out)[1]
    assert said(out)["root"] == tree_root()


# -- what was checked before ------------------------------------------------------------------------------


@pytest.fixture
def checks(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """Count how often the rows of an archive are checked."""
    number, check = Counter[str](), Reader.check

    def count(reader: Reader) -> Checked:
        number["checks"] += 1
        return check(reader)

    monkeypatch.setattr(Reader, "check", count)
    return number


def test_statistics_check_an_archive_once(run: Run, out: Path, checks: Counter[str]) -> None:
    first = run("stats", out)
    assert (first[0], checks.total()) == (Exit.FINE, 1)
    assert (run("stats", out), checks.total()) == (first, 1)
    assert (run("check", out)[0], checks.total()) == (Exit.FINE, 2)


@pytest.mark.parametrize("command", ["verify", "check"])
def test_what_this_program_has_made_or_checked_is_counted_at_once(
    run: Run, out: Path, command: str, checks: Counter[str]
) -> None:
    words = ("verify", out.parent / "logs.tar", "--out", out) if command == "verify" else ("check", out)
    assert run(*words)[0] == Exit.FINE
    checks.clear()
    assert (run("stats", out)[0], checks.total()) == (Exit.FINE, 0)


def forge_winner(out: Path) -> None:
    change(part_of(out), "winner", "chthonians")


def forge_winner_and_name(out: Path) -> None:
    forge_winner(out)
    sign(out, rename(part_of(out)))


def forge_standing_and_name(out: Path) -> None:
    change(part_of(out), "standing", "again")
    sign(out, rename(part_of(out)))


def forge_root(out: Path) -> None:
    (out / "manifest.json").write_text(json.dumps(said(out) | {"root": 64 * "0"}))


def add_rows(out: Path) -> None:
    shutil.copy(part_of(out), out / "rows" / "x.parquet")


def remove_manifest(out: Path) -> None:
    (out / "manifest.json").unlink()


@pytest.mark.parametrize(
    "forge", [forge_winner, forge_winner_and_name, forge_standing_and_name, forge_root, add_rows, remove_manifest]
)
def test_an_archive_that_was_checked_and_then_changed_does_not_count(
    run: Run, out: Path, forge: Callable[[Path], None]
) -> None:
    assert run("check", out)[0] == run("stats", out)[0] == Exit.FINE
    forge(out)
    for _ in range(2):
        exit_code, told = run("stats", out)
        assert (exit_code, "Nothing was counted." in told, "%" in told) == (Exit.USAGE, True, False)


def test_an_archive_that_was_checked_and_then_lost_a_file_does_not_count(run: Run, out: Path) -> None:
    parts = Parts(out, "other")
    parts.write([replace(TRUE[0], log=bytes(32), match=bytes(32))])
    parts.settle()
    parts.write_manifest()
    parts.close()
    assert run("stats", out)[0] == Exit.FINE
    min((out / "rows").glob("*.parquet")).unlink()
    assert run("stats", out)[0] == Exit.USAGE


@pytest.mark.parametrize(
    "kept", [b"", b"[]", b"[" * 100_000, b'{"verifier": "old"}', b'{"verifier": "HERE", "checked": 5}'], ids=repr
)
def test_what_another_version_has_checked_or_nobody_can_read_is_checked_again(
    run: Run, out: Path, kept: bytes, checks: Counter[str]
) -> None:
    file = out.parent / "home" / "archives.json"
    run("check", out)
    file.write_bytes(kept.replace(b"HERE", json.loads(file.read_bytes())["verifier"].encode()))
    checks.clear()
    assert (run("stats", out)[0], run("stats", out)[0], checks.total()) == (Exit.FINE, Exit.FINE, 1)
    found = json.loads(file.read_bytes())
    file.write_text(json.dumps(found | {"verifier": "old"}))
    assert (run("stats", out)[0], checks.total()) == (Exit.FINE, 2)


def test_a_home_that_cannot_be_written_to_keeps_nobody_from_counting(run: Run, out: Path) -> None:
    Home(out.parent / "home").archives_file.mkdir(parents=True)
    assert run("stats", out)[0] == run("check", out)[0] == Exit.FINE


# -- somebody else's archive ------------------------------------------------------------------------------


def forge_all(out: Path) -> str:
    """Change a column, and everything else with it; return the new root."""
    path = part_of(out)
    change(path, "reason", "agreement")
    path = rename(path)
    false = [replace(one, reason="agreement") for one in TRUE]
    (out / "manifest.json").write_text(
        json.dumps(said(out) | {"root": merkle_root(hash_leaf(one.pack()) for one in false).hex()})
    )
    sign(out, path)
    return str(said(out)["root"])


def test_an_archive_that_was_made_anew_as_a_whole_is_found_by_a_root_or_by_judging_its_logs(
    run: Run, out: Path, tmp_path: Path
) -> None:
    root = forge_all(out)
    assert root != tree_root()
    assert run("check", out)[0] == run("check", out, root.upper())[0] == Exit.FINE
    exit_code, told = run("check", out, tree_root())
    assert exit_code == Exit.NO
    assert f"Its root is {root}.\nThat is NOT the root you gave, {tree_root()}: this archive has other logs" in told
    exit_code, told = run("check", out, root, out.parent / "logs.tar", "--sample", "100%")
    assert exit_code == Exit.NO
    wrong = sum(one.reason != "agreement" for one in TRUE)
    assert f"{wrong} rows do NOT say what their logs prove. These columns differ:\n" in told
    assert told.count(".storm: reason\n") == wrong
    facts = json.loads(run("check", out, out.parent / "logs.tar", "--sample", "100", "--json")[1])
    assert (facts["holds"], facts["judged"], facts["absent"]) == (False, len(LOGS), [])
    assert [one["columns"] for one in facts["differ"]] == [["reason"]] * wrong


def test_a_sample_is_judged_again_and_says_which_logs_are_not_there(run: Run, out: Path, tmp_path: Path) -> None:
    exit_code, told = run("check", out, out.parent / "logs.tar", "--sample", "100")
    assert (exit_code, f"{len(LOGS)} logs were checked again." in told) == (Exit.FINE, True)
    few = write_tar(tmp_path / "few.tar", LOGS[1:])
    exit_code, told = run("check", out, few, "--sample", "100")
    assert exit_code == Exit.USAGE
    assert told.endswith(f"in the sources. Its SHA-256:\n  {hashlib.sha256(LOGS[0]).hexdigest()}\n")
    facts = json.loads(run("check", out, few, "--sample", "0.1", "--json")[1])
    assert facts["judged"] + len(facts["absent"]) == 1


def test_a_log_that_an_archive_calls_unverifiable_is_judged_again_in_a_process_of_its_own() -> None:
    said = Row(TRUE[0].log, TRUE[0].size, problems=(UNVERIFIABLE,))
    [log] = [one for one in LOGS if hashlib.sha256(one).digest() == said.log]
    items = (Found("a.storm", log), Found("again.storm", log))
    [lie] = judge_again([said], items, WORK)
    assert isinstance(lie, Lie)
    assert (lie.name, lie.said, lie.true) == ("a.storm", said, TRUE[0])


@pytest.mark.parametrize("terms", ["", "nonsense", 3000 * "[", 500 * "[" + 500 * "]", '"text"'])
def test_terms_that_a_stranger_has_made_up_are_shown_as_they_are(run: Run, tmp_path: Path, terms: str) -> None:
    parts = Parts(tmp_path / "out", "stranger")
    parts.write([replace(TRUE[0], terms=terms)])
    parts.settle()
    parts.write_manifest()
    parts.close()
    assert run("check", tmp_path / "out")[0] == run("stats", tmp_path / "out")[0] == Exit.FINE
    [group] = json.loads(run("stats", tmp_path / "out", "--json")[1])["groups"]
    assert group["terms"] == terms.strip('"')


def test_checking_leaves_an_archive_as_it_is(run: Run, out: Path) -> None:
    (out / "lock").unlink()
    before = {path: path.read_bytes() for path in out.rglob("*") if path.is_file()}
    for command in ("check", "stats"):
        assert run(command, out)[0] == Exit.FINE
    assert {path: path.read_bytes() for path in out.rglob("*") if path.is_file()} == before


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ((), "Type one of these"),
        (("nowhere",), "nowhere is not the folder of an archive"),
        (("OUT", "abc"), "abc is not a root"),
        (("OUT", 64 * "g"), f"{64 * 'g'} is not a root"),
        (("OUT", "OUT"), "Type one of these"),
        (("OUT", "--sample", "1"), "Type one of these"),
    ],
)
def test_what_cannot_be_checked_has_its_sentence(run: Run, out: Path, given: tuple[str, ...], told: str) -> None:
    exit_code, text = run("check", *(out if word == "OUT" else word for word in given))
    assert exit_code == Exit.USAGE
    assert text.startswith(told)


def test_one_set_of_logs_has_one_root_whoever_verifies_it_and_in_how_many_runs(run: Run, out: Path) -> None:
    source = out.parent / "logs.tar"
    run("verify", source, "--workers", "2", "--out", out.parent / "pool")
    for part in (LOGS[2:], LOGS[:1], LOGS):
        run("verify", write_tar(out.parent / "some.tar", part), "--out", out.parent / "runs")
    roots = {said(out.parent / name)["root"] for name in ("out", "pool", "runs")}
    assert roots == {tree_root()}
