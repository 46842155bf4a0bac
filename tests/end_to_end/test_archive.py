"""``storm-p2p archive``: what it says to good and bad input, and that nobody pays for it who does not use it."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from helpers import ROOT
from helpers_archive import HASHED, damage, write_tar
from helpers_commands import run_program
from helpers_pages import FIGHT

from cli.app.main import main
from cli.runtime.console import Exit
from cli.text import archives
from cli.text.commands import to_install
from protocol.archive.engines import WorkerError
from protocol.archive.parts import Parts, PartsError
from protocol.archive.row import row
from protocol.archive.run import Lie
from storm_p2p import games


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> Callable[..., tuple[int, str, str]]:
    """Run the command with these words, and return its exit code and what it has printed and said."""
    pytest.importorskip("pyarrow", reason="the extra archive is not installed")

    def run(*given: object) -> tuple[int, str, str]:
        code = main(["archive", *map(str, given), "--lang", "en", "--home", str(tmp_path / "home")])
        out, err = capsys.readouterr()
        return code, out, err

    return run


Run = Callable[..., tuple[int, str, str]]


def test_logs_are_checked_and_counted(run: Run, tmp_path: Path) -> None:
    pytest.importorskip("duckdb", reason="the extra archive is not installed")
    source = write_tar(tmp_path / "logs.tar", HASHED)
    assert run("verify", source, "--out", tmp_path / "out")[:2] == (
        Exit.FINE,
        f"{len(HASHED)} logs checked.\nThe archive holds {len(HASHED)} logs. Its root is "
        f"{json.loads((tmp_path / 'out' / 'manifest.json').read_text())['root']}.\n",
    )
    code, out, _ = run("stats", tmp_path / "out")
    assert code == Exit.FINE
    assert out.startswith(f"{len(HASHED)} matches count.\n\nResults\n")
    assert "open combat, hash: 1 match\n          1  100 %  draw (agreement)\n" in out
    assert "Poseidon in 8: 100 % of 1 match, 21 % to 100 %" in out
    assert "0afc1e33" not in out
    facts = json.loads(run("stats", tmp_path / "out", "--json")[1])
    assert facts["logs"] == {"counts": len(HASHED)}
    assert {"what": "Zeus", "side": "olympians"}.items() <= next(
        one for one in facts["placings"] if one["what"] == "Zeus"
    ).items()
    assert {tuple(one["terms"]) for one in facts["groups"]} == {
        tuple(json.loads(row(log, games.find).terms)) for log in HASHED
    }


def test_players_of_several_games_are_listed_with_the_title_of_each(run: Run, tmp_path: Path) -> None:
    pytest.importorskip("duckdb", reason="the extra archive is not installed")
    run("verify", write_tar(tmp_path / "logs.tar", [HASHED[0], FIGHT.read_bytes()]), "--out", tmp_path / "out")
    out = run("stats", tmp_path / "out")[1]
    assert "), Storm over Olympus: 1 match" in out
    assert "), Fight for Olympus: 1 match" in out


def test_options_may_stand_between_the_sources(run: Run, tmp_path: Path) -> None:
    (tmp_path / "one.storm").write_bytes(HASHED[0])
    (tmp_path / "two.storm").write_bytes(HASHED[1])
    one, two = tmp_path / "one.storm", tmp_path / "two.storm"
    for number, given in enumerate(((one, two), ("--json", one, two), (one, "--json", two))):
        code, out, _ = run("verify", "--out", tmp_path / str(number), *given)
        assert (code, '"verified": 2' in out or "2 logs checked." in out) == (Exit.FINE, True)
    with pytest.raises(SystemExit):
        run("verify", one, "--out", tmp_path / "out", two, "--nonsense")


def test_a_log_of_another_version_is_skipped_and_said_to_be(run: Run, tmp_path: Path) -> None:
    old = HASHED[0].replace(b"storm-p2p log 3", b"storm-p2p log 2", 1)
    source = write_tar(tmp_path / "logs.tar", [HASHED[1], old])
    # The second run asks the archive.
    for _ in range(2):
        code, out, _ = run("verify", source, "--out", tmp_path / "out")
        assert code == Exit.FINE
        assert "1 log was skipped, because this program cannot check it:\n" in out
        assert "a log from before version 1.0.0, or from a newer program" in out
        assert "damaged" not in out
    facts = json.loads(run("verify", source, "--out", tmp_path / "out", "--json")[1])
    assert (facts["bad"], facts["skipped"], [one["code"] for one in facts["skips"]]) == (0, 1, ["version"])


def test_the_program_says_nothing_beside_the_statistics(run: Run, tmp_path: Path) -> None:
    pytest.importorskip("duckdb", reason="the extra archive is not installed")
    run("verify", write_tar(tmp_path / "logs.tar", HASHED[:1]), "--out", tmp_path / "out")
    assert run_program("archive", "stats", str(tmp_path / "out")).stderr == ""


def test_each_bad_input_has_its_sentence_and_the_rest_counts(run: Run, tmp_path: Path) -> None:
    folder = tmp_path / "logs"
    folder.mkdir()
    (folder / "a.storm").write_bytes(HASHED[0])
    (folder / "again.storm").write_bytes(HASHED[0])
    (folder / "bad.storm").write_bytes(damage(HASHED[1]))
    (folder / "notes.txt").write_text("foreign")
    whole = write_tar(folder / "cut.tar", HASHED[2:]).read_bytes()
    (folder / "cut.tar").write_bytes(whole[: len(HASHED[2]) + 2000])
    code, out, _ = run("verify", folder, tmp_path / "nowhere", "--out", tmp_path / "out")
    assert code == Exit.USAGE
    assert out.splitlines()[:-1] == [
        "3 logs checked.",
        "1 file holds the same log as another one; the log counts once.",
        "1 log is damaged, names a cheat, or stops at a disagreement:",
        f"  {folder / 'bad.storm'}: {', '.join(row(damage(HASHED[1]), games.find).problems)}",
        "2 files could not be read to their end:",
        f"  {folder / 'cut.tar'}: damaged or cut off; everything before that point was counted",
        f"  {tmp_path / 'nowhere'}: there is no such file or folder",
        "1 file is not a log and was left out:",
        f"  {folder / 'notes.txt'}",
    ]
    facts = json.loads(run("verify", folder, "--out", tmp_path / "out", "--json")[1])
    assert (facts["verified"], facts["earlier"], facts["twice"], facts["bad"]) == (0, 3, 1, 1)
    assert [one["code"] for one in facts["unread"]] == ["cut", "foreign"]
    (folder / "cut.tar").unlink()
    assert run("verify", folder, "--out", tmp_path / "out")[0] == Exit.NO


@pytest.mark.parametrize(
    ("address", "more"),
    [
        ("tcp://192.0.2.7:8786", []),
        ("tls://192.0.2.7:8786", []),
        ("tls://127.0.0.1:8786", []),
        ("ws://127.0.0.1:1", []),
        ("nonsense", []),
        ("tcp://localhost.example:1", []),
        ("tcp://192.0.2.7:8786", ["--certificate", "x.pem"]),
        ("tcp://[::1", []),
        ("tcp://127.0.0.1", []),
    ],
)
def test_a_scheduler_that_strangers_could_speak_to_is_not_called(
    run: Run, tmp_path: Path, address: str, more: list[str]
) -> None:
    code, _, said = run("verify", tmp_path, "--out", tmp_path / "out", "--scheduler", address, *more)
    assert code == Exit.USAGE
    assert said.startswith(f"storm-p2p did not connect to {address}. Anyone who can reach a Dask program can run ")


def test_a_scheduler_that_is_not_there_and_a_certificate_that_is_none_are_said_to_be(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("distributed", reason="the extra cluster is not installed")
    monkeypatch.setattr("protocol.archive.cluster.SECONDS", 0.2)
    verify = ("verify", tmp_path, "--out", tmp_path / "out", "--scheduler")
    code, _, said = run(*verify, "tcp://127.0.0.1:1")
    assert (code, said.split(". ")[0]) == (Exit.USAGE, "No scheduler answers at tcp://127.0.0.1:1")
    for name in ("missing.pem", "empty.pem"):
        (tmp_path / "empty.pem").touch()
        code, _, said = run(*verify, "tls://127.0.0.1:1", "--certificate", tmp_path / name)
        assert (code, said.split(" storm-p2p needs")[0]) == (
            Exit.USAGE,
            f"The certificate in {tmp_path / name} is unusable.",
        )


@pytest.mark.parametrize("library", ["pyarrow", "duckdb", "distributed"])
def test_a_library_that_is_missing_is_named_with_how_to_install_it(
    library: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    if library != "pyarrow":
        pytest.importorskip("pyarrow", reason="the extra archive is not installed")
    monkeypatch.setitem(sys.modules, library, None)
    given = ["stats", str(tmp_path)] if library == "duckdb" else ["verify", str(tmp_path), "--out", str(tmp_path / "o")]
    given += ["--scheduler", "tcp://127.0.0.1:1"] if library == "distributed" else []
    assert main(["archive", *given, "--lang", "en"]) == Exit.USAGE
    command = to_install("cluster" if library == "distributed" else "archive")
    assert library in command
    assert capsys.readouterr().err == (
        f"This needs the library {library}, which is not installed. Install it with: {command}\n"
    )


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (["verify"], "Type one of these"),
        (["verify", "a"], "Type one of these"),
        (["stats"], "Type one of these"),
        (["stats", "nowhere"], "nowhere is not the folder"),
        ([], "Type one of these"),
        (["dance"], 'There is no storm-p2p archive "dance". Type one of these'),
        (["verify", "a", "--out", "o", "--workers", "2", "--scheduler", "tls://a:1"], "Use either --workers"),
    ],
    ids=" ".join,
)
def test_a_command_that_was_given_too_little_says_what_is_missing(run: Run, given: list[str], said: str) -> None:
    code, _, err = run(*given)
    assert code == Exit.USAGE
    assert err.startswith(said)


@pytest.mark.parametrize("given", [("--workers", "0"), ("--workers", "x"), ("--sample", "101"), ("--sample", "nan")])
def test_numbers_out_of_their_bounds_are_refused(given: tuple[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["archive", "verify", "a", "--out", "o", *given])
    assert f"got '{given[1]}'" in capsys.readouterr().err


def test_stats_of_an_empty_archive_and_of_one_that_is_in_use(run: Run, tmp_path: Path) -> None:
    pytest.importorskip("duckdb", reason="the extra archive is not installed")
    (tmp_path / "out").mkdir()
    assert run("stats", tmp_path / "out")[2].startswith(f"There are no results in {tmp_path / 'out'} yet.")
    parts = Parts(tmp_path / "out", "tests")
    try:
        said = run("verify", tmp_path, "--out", tmp_path / "out")[2]
    finally:
        parts.close()
    assert said.startswith(f"Another run is using {tmp_path / 'out'}.")


@pytest.mark.parametrize("name", ["manifest.json", "rows/mine.parquet"])
def test_a_file_that_no_run_has_made_is_not_replaced(run: Run, tmp_path: Path, name: str) -> None:
    out = tmp_path / "out"
    (out / name).parent.mkdir(parents=True)
    (out / name).write_text('{"name": "my extension"}')
    code, _, said = run("verify", tmp_path, "--out", out)
    assert (code, said) == (2, f"{out / name.partition('/')[0]} already exists; nothing was written.\n")
    assert [path for path in out.rglob("*") if path.is_file()] == [out / name]
    assert (out / name).read_text() == '{"name": "my extension"}'


def test_ctrl_c_keeps_what_is_done(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*given: Any) -> Any:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr("protocol.archive.run.Run.take", interrupt)
        code, _, said = run("verify", tmp_path, "--out", tmp_path / "out")
    assert (code, said.split(".")[0]) == (Exit.INTERRUPTED, "Stopped")
    assert run("verify", tmp_path, "--out", tmp_path / "out")[0] == Exit.FINE


def test_a_lie_is_told_with_what_was_said_and_what_is_true() -> None:
    true, said = row(damage(HASHED[0]), games.find), row(HASHED[0], games.find)
    told = archives.lie(Lie("a.storm", said, true))
    assert "A worker gave a wrong answer about a.storm: it said nothing wrong, but this machine finds " in told
    assert "it said nothing readable" in archives.lie(Lie("a.storm", None, true))
    assert "it said something else about the match" in archives.lie(Lie("a.storm", said, said))


@pytest.mark.usefixtures("spoken")
def test_every_code_has_a_sentence() -> None:
    for code in ("missing", "in-use", "unwritable", "empty", "foreign"):
        assert "a.parquet" in archives.unusable(PartsError(code, "a.parquet"))[0]
    for code in ("altered", "gone", "extra", "manifest", "unfinished"):
        assert "a.parquet" in archives.unusable(PartsError(code, "a.parquet"))[0]
    for code in ("missing", "insecure", "certificate", "unreachable", "no-workers", "lost", "worker-failed"):
        assert "tls://a:1" in archives.no_engine(WorkerError(code, "tls://a:1"))


def test_nothing_of_it_is_imported_for_other_commands() -> None:
    script = (
        "import sys; from cli.app.arguments import make_parser; make_parser(); import cli.app.verify, cli.app.archive;"
        "print([name for name in ('pyarrow', 'duckdb', 'distributed', 'dask') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
