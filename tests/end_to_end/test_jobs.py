"""``verify --jobs``: several processes say what one would, in the same order, and Ctrl-C ends them all."""

from __future__ import annotations

import json
import multiprocessing
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from helpers import ROOT, daily_first
from helpers_commands import run
from helpers_judging import log_of
from helpers_wire import Pair
from hypothesis import given
from hypothesis import strategies as st
from toys import RockPaperScissors

from cli import language
from cli.app import verify
from cli.runtime.console import Exit
from protocol.archive.engines import PoolEngine
from protocol.core.frames import FrameKind, Record, pack_frame, unpack_frame
from protocol.record import logfile

LOGS = sorted(max((ROOT / "tests" / "logs").glob("protocol*")).glob("hash-*.storm"))


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    """Good logs, one of them twice, and every kind of bad file among them."""
    whole = LOGS[0].read_bytes()
    for number, log in enumerate(LOGS[:3]):
        shutil.copy(log, tmp_path / f"{number}.storm")
    (tmp_path / "again.storm").write_bytes(whole)
    (tmp_path / "altered.storm").write_bytes(whole[:-1] + bytes((whole[-1] ^ 1,)))
    (tmp_path / "cut.storm").write_bytes(whole[:900])
    (tmp_path / "empty.storm").write_bytes(b"")
    (tmp_path / "head.storm").write_bytes(whole[:20])
    nothing = Record(FrameKind.DONE, pack_frame(FrameKind.DONE))
    (tmp_path / "frames-of-nothing.storm").write_bytes(logfile.dump([nothing] * 2, 0, lambda digest: bytes(64)))
    names = sorted(str(path) for path in tmp_path.iterdir())
    return [*names, str(tmp_path / "missing.storm"), names[0]]


@pytest.fixture(autouse=True)
def english(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Take back what a German command says to the library of the command line."""
    monkeypatch.setenv("LANGUAGE", "en")
    yield
    language.choose(language.ENGLISH)


@pytest.mark.parametrize("words", daily_first([("--json",), (), ("--lang", "de")]), ids=" ".join)
def test_several_processes_answer_as_one_does(words: tuple[str, ...], files: list[str]) -> None:
    alone = run("verify", *files, *words, code=Exit.USAGE)
    together = run("verify", *files, *words, "--jobs", "2", code=Exit.USAGE)
    assert together.stdout == alone.stdout
    assert together.stderr == alone.stderr
    if words == ("--json",):
        found = json.loads(together.stdout)
        assert [one["file"] for one in found] == files
        # The copies of one match were judged together, wherever they stood.
        assert sorted(Path(name).stem for name in found[0]["merged"]) == ["0", "0", "again", "altered"]
        assert [one["ok"] for one in found].count(True) == 5


def test_a_folder_stands_for_all_logs_in_it_and_below(tmp_path: Path) -> None:
    below = tmp_path / "of january"
    below.mkdir()
    assert "no logs in the folder" in run("verify", str(tmp_path), code=Exit.USAGE).stderr
    for place, log in ((tmp_path / "b.storm", LOGS[1]), (below / "a.storm", LOGS[0])):
        shutil.copy(log, place)
    (tmp_path / "notes.txt").write_text("no log")
    found = json.loads(run("verify", "--json", str(tmp_path)).stdout)
    assert [(one["file"], one["ok"]) for one in found] == [
        (str(tmp_path / "b.storm"), True),
        (str(below / "a.storm"), True),
    ]


@pytest.mark.parametrize(
    "case", daily_first([(Exit.NO, "altered"), (Exit.FINE,), (Exit.USAGE, "altered", "empty")]), ids=str
)
def test_the_exit_code_is_that_of_one_process(case: tuple[Any, ...], files: list[str]) -> None:
    code, *bad = case
    good = [name for name in files if Path(name).stem in ("1", "2", *bad)]
    for jobs in ("1", "2"):
        run("verify", *good, "--jobs", jobs, code=code)


@pytest.mark.long
def test_the_second_implementation_is_divided_too(files: list[str]) -> None:
    alone = run("verify", *files, "--json", "--independent", code=Exit.USAGE)
    assert run("verify", *files, "--json", "--independent", "--jobs", "3", code=Exit.USAGE).stdout == alone.stdout


@given(st.lists(st.integers(0, 3), max_size=30), st.integers(1, 9))
def test_no_file_is_left_out_and_no_match_is_divided(matches: list[int], count: int) -> None:
    chunks = verify.divide([LOGS[match] for match in matches], count)
    places = [place for chunk in chunks for place in chunk]
    assert sorted(places) == list(range(len(matches)))
    assert len(chunks) <= count + 1
    holders = [{matches[place] for place in chunk} for chunk in chunks]
    assert sum(map(len, holders)) == len(set(matches))


def test_a_log_whose_mac_its_exporter_has_changed_is_judged_with_the_others_of_its_match(tmp_path: Path) -> None:
    pair = Pair(RockPaperScissors(), 1)
    pair.act(0, 1)
    pair.settle()
    records = list(pair.host.records)
    # No stranger can check a mac (SPEC.md, "Logs, keys and machines").
    hello, _ = unpack_frame(records[0].frame)[1]
    records[0] = Record(records[0].kind, pack_frame(FrameKind.HELLO, hello, bytes(32)))
    paths = [tmp_path / "honest.storm", tmp_path / "forged.storm"]
    for path, log in zip(paths, (log_of(pair, 1), log_of(pair, 0, records)), strict=True):
        path.write_bytes(log)
    assert verify.divide(paths, 2) == [[0, 1]]


def test_the_files_of_a_process_that_dies_are_judged_all_the_same(
    files: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    alone = run("verify", *files, "--json", code=Exit.USAGE)
    collect = PoolEngine.collect

    def died(engine: PoolEngine) -> tuple[int, list[bytes] | None]:
        number, _ = collect(engine)
        return number, None

    monkeypatch.setattr(PoolEngine, "collect", died)
    assert run("verify", *files, "--json", "--jobs", "2", code=Exit.USAGE).stdout == alone.stdout
    assert multiprocessing.active_children() == []


@pytest.mark.skipif(sys.platform == "win32", reason="signals are sent in another way there")
def test_ctrl_c_ends_all_processes_with_130_and_without_a_word(files: list[str]) -> None:
    # As the terminal does, the signal goes to every process at once, whether it is at work or still starting.
    code = (
        "import os, signal, sys\n"
        "from protocol.archive import engines\n"
        "wait = engines.wait\n"
        "engines.wait = lambda *given, **named: (os.killpg(0, signal.SIGINT), wait(*given, **named))[1]\n"
        "from cli.app.main import main\n"
        "if __name__ == '__main__':\n"
        "    sys.exit(main(sys.argv[1:]))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, "verify", *files, "--jobs", "2"],
        capture_output=True,
        text=True,
        timeout=100,
        check=False,
        start_new_session=True,
    )
    assert done.returncode == 130, done.stderr
    assert (done.stdout, done.stderr) == ("", "")


@pytest.mark.parametrize("number", ["0", "-1", "two", "1.5"])
def test_another_number_of_processes_is_refused(number: str, files: list[str]) -> None:
    said = run("verify", files[0], "--jobs", number, code=2).stderr
    assert "--jobs" in said
    assert "expected" in said
