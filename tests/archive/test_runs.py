"""Runs over archives: the same rows from every engine, nothing verified twice, and no lie kept."""

from __future__ import annotations

import hashlib
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from helpers import ROOT
from helpers_archive import SMALL, counted, make_logs, rows_of, write_tar

from archive.runs import archive_of, digest_of, expected
from archive.workers import all_is_well, dies_of_one, dies_once, honest, idle, nonsense, too_few, verify_archive
from protocol.archive import run as running
from protocol.archive.alone import verify_alone
from protocol.archive.cluster import ClusterEngine
from protocol.archive.engines import Work, WorkerError, verify_chunk
from protocol.archive.row import UNVERIFIABLE, row
from protocol.archive.run import Lie
from storm_p2p import games


@pytest.fixture(autouse=True)
def counting(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let workers write down what they verify, and give them small chunks."""
    (tmp_path / "counted").mkdir()
    file = tmp_path / "counted" / "logs"
    file.touch()
    monkeypatch.setenv("ARCHIVE_COUNTED", str(file))
    monkeypatch.setattr(running, "CHUNK", 16)
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(ROOT), str(ROOT / "tests")]))


@contextmanager
def cluster(*, processes: bool) -> Iterator[str]:
    """Run a cluster of two workers on loopback, which may be killed if they are processes; yield its address."""
    distributed: Any = pytest.importorskip("distributed", reason="the extra cluster is not installed")
    with distributed.LocalCluster(
        n_workers=2,
        threads_per_worker=1,
        dashboard_address="127.0.0.1:0",
        host="127.0.0.1",
        protocol="tcp://",
        processes=processes,
    ) as running:
        yield running.scheduler_address


@pytest.fixture
def scheduler() -> Iterator[str]:
    """Run a cluster of two processes; the fixture is its address."""
    with cluster(processes=True) as address:
        yield address


def start_run(out: Path, source: Path, kind: str, work: str, chunk: int) -> int:
    """Run in a process of its own, and return how it has ended."""
    script = "from archive import workers; workers.main()"
    command = [sys.executable, "-c", script, str(out), str(source), kind, work, str(chunk)]
    return subprocess.run(command, cwd=ROOT, capture_output=True, timeout=500, check=False).returncode


# -- the same from everybody --------------------------------------------------------------------------------


@pytest.mark.long
def test_two_hundred_logs_have_one_row_each_and_are_not_verified_again(tmp_path: Path) -> None:
    source, logs = archive_of(tmp_path, 200, 3)
    found = verify_archive(tmp_path / "out", [source])
    assert (found.verified, found.earlier, found.bad, found.left_out) == (200, 0, 3, 0)
    assert digest_of(tmp_path / "out") == expected(logs)
    again = verify_archive(tmp_path / "out", [source, source])
    assert (again.verified, again.earlier, again.twice, again.bad) == (0, 200, 200, 3)
    assert again.named == found.named
    assert again.manifest == found.manifest
    assert set(counted().values()) == {1}


@pytest.mark.long
def test_a_pool_finds_the_same_rows_and_a_killed_worker_costs_nothing(tmp_path: Path) -> None:
    source, logs = archive_of(tmp_path, 60, 2)
    assert verify_archive(tmp_path / "out", [source], "pool", dies_once).verified == 60
    assert digest_of(tmp_path / "out") == expected(logs)
    assert len(counted()) == 60


@pytest.mark.parametrize("kind", ["serial", pytest.param("pool", marks=pytest.mark.long)])
def test_a_killed_client_goes_on_where_it_stopped(tmp_path: Path, kind: str) -> None:
    source, logs = archive_of(tmp_path, 60, 2)
    assert start_run(tmp_path / "out", source, kind, "kills_client", 8) == -signal.SIGKILL
    kept = {one.log.hex() for one in rows_of(tmp_path / "out")}
    before = counted()
    assert len(kept) < len(before) < 60
    found = verify_archive(tmp_path / "out", [source])
    assert (found.verified, found.earlier) == (60 - len(kept), len(kept))
    assert {counted()[log] for log in kept} <= {1}
    assert digest_of(tmp_path / "out") == expected(logs)


@pytest.mark.long
@pytest.mark.parametrize("kind", ["serial", "pool", "cluster"])
def test_many_logs_are_the_same_for_every_engine_whoever_is_killed(
    tmp_path: Path, kind: str, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    monkeypatch.setattr(running, "CHUNK", 64)
    source, logs = archive_of(tmp_path, 600, 20)
    address = request.getfixturevalue("scheduler") if kind == "cluster" else kind
    assert start_run(tmp_path / "out", source, address, "kills_client", 64) == -signal.SIGKILL
    kept = {one.log.hex() for one in rows_of(tmp_path / "out")}
    for name in ("first", "second", "third"):
        (tmp_path / "counted" / name).unlink()
    found = verify_archive(tmp_path / "out", [source], address, honest if kind == "serial" else dies_once)
    assert (found.verified, found.earlier, found.bad) == (600 - len(kept), len(kept), 20)
    assert {counted()[log] for log in kept} <= {1}
    assert verify_archive(tmp_path / "out", [source], address).verified == 0
    assert digest_of(tmp_path / "out") == expected(logs)


@pytest.mark.long
def test_a_cluster_finds_the_same_rows_and_tells_nobody_that_logs_are_long(tmp_path: Path) -> None:
    source, logs = archive_of(tmp_path, 60, 2)
    dask: Any = pytest.importorskip("dask", reason="the extra cluster is not installed")
    # The tests take a warning for an error.
    with cluster(processes=False) as address, dask.config.set({"distributed.admin.large-graph-warning-threshold": 1}):
        assert verify_archive(tmp_path / "out", [source], address).verified == 60
    assert digest_of(tmp_path / "out") == expected(logs)
    assert set(counted().values()) == {1}


def other_game(logs: Sequence[bytes]) -> list[bytes]:
    """Find that no game of these logs is here."""
    return verify_chunk(logs, lambda name, version: games.find(name, "1-0"))


def test_logs_of_another_game_are_skipped(tmp_path: Path) -> None:
    found = verify_archive(tmp_path / "out", [write_tar(tmp_path / "logs.tar", SMALL)], work=other_game)
    assert (found.verified, found.bad, found.skipped) == (len(SMALL), 0, len(SMALL))
    assert {code for _, code in found.skips} == {"rules_version"}


# -- workers that lie or die ----------------------------------------------------------------------------------


class Liar:
    """An engine whose workers are not trusted, in this process."""

    width = 2
    trusted = False

    def __init__(self, work: Work) -> None:
        self.work = work
        self.waiting: list[tuple[int, Sequence[bytes]]] = []

    def submit(self, number: int, logs: Sequence[bytes]) -> None:
        self.waiting.append((number, logs))

    def collect(self) -> tuple[int, list[bytes] | None]:
        number, logs = self.waiting.pop(0)
        return number, self.work(logs)

    def close(self) -> None:
        pass


@pytest.fixture
def lied(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("archive.workers.make_engine", lambda kind, work: Liar(work))


@pytest.mark.usefixtures("lied")
@pytest.mark.parametrize("work", [idle, nonsense, too_few], ids=lambda work: work.__name__)
def test_a_worker_that_does_not_verify_is_caught_at_its_first_chunk(
    tmp_path: Path, work: Callable[[Sequence[bytes]], list[bytes]]
) -> None:
    source, _ = archive_of(tmp_path, 40, 1)
    with pytest.raises(Lie):
        verify_archive(tmp_path / "out", [source], work=work, sample=0)
    assert rows_of(tmp_path / "out") == []


@pytest.mark.usefixtures("lied")
def test_a_worker_that_says_ok_to_everything_is_caught_by_the_sample_and_nothing_of_it_is_kept(tmp_path: Path) -> None:
    source, logs = archive_of(tmp_path, 60, 12)
    with pytest.raises(Lie) as caught:
        verify_archive(tmp_path / "out", [source], work=all_is_well, sample=0.5)
    assert caught.value.said is not None
    assert caught.value.said.ok
    assert not caught.value.true.ok
    assert caught.value.dropped < 60
    assert rows_of(tmp_path / "out") == []
    assert verify_archive(tmp_path / "out", [source]).bad == 12
    assert digest_of(tmp_path / "out") == expected(logs)


@pytest.mark.usefixtures("lied")
def test_what_an_honest_run_has_found_stays_when_a_later_worker_lies(tmp_path: Path) -> None:
    source, _ = archive_of(tmp_path, 30, 1)
    verify_archive(tmp_path / "out", [write_tar(tmp_path / "first.tar", SMALL)])
    with pytest.raises(Lie):
        verify_archive(tmp_path / "out", [source], work=idle)
    assert digest_of(tmp_path / "out") == expected(SMALL)


def swap_winner(logs: Sequence[bytes]) -> list[bytes]:
    """Lie about the winner of one log, the last of its chunk."""
    from dataclasses import replace

    from protocol.archive.row import Row

    rows = [Row.unpack(one) for one in honest(logs)]
    rows[-1] = replace(rows[-1], winner="chthonians" if rows[-1].winner == "olympians" else "olympians")
    return [one.pack() for one in rows]


@pytest.mark.usefixtures("lied")
def test_a_lie_that_another_log_of_the_match_contradicts_is_found_without_the_sample(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Both players' logs of one finished match.
    of_match: dict[bytes | None, list[bytes]] = {}
    for log in make_logs(200):
        found = row(log, games.find)
        if found.confirmed and found.audited:
            of_match.setdefault(found.match, []).append(log)
    pair = next(several for several in of_match.values() if len(several) > 1)[:2]
    source = write_tar(tmp_path / "pair.tar", [*SMALL, *pair])
    monkeypatch.setattr(running.Run, "_choose", lambda self, rows: [])
    with pytest.raises(Lie) as caught:
        verify_archive(tmp_path / "out", [source], work=swap_winner)
    assert caught.value.true == row(pair[-1], games.find)


@pytest.mark.long
def test_a_log_that_kills_every_worker_is_marked_and_the_others_are_verified(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source, logs = archive_of(tmp_path, 20, 0)
    deadly = hashlib.sha256(logs[17]).hexdigest()
    monkeypatch.setenv("ARCHIVE_DEADLY", deadly)
    # What is tried alone goes to the same work; the sample, which would kill this process, looks at nothing.
    monkeypatch.setattr(running, "verify_alone", lambda logs, work: verify_alone(logs, dies_of_one))
    monkeypatch.setattr(running.Run, "_choose", lambda self, rows: [])
    found = verify_archive(tmp_path / "out", [source], "pool", dies_of_one)
    assert (found.verified, found.bad) == (20, 1)
    rows = {one.log.hex(): one for one in rows_of(tmp_path / "out")}
    assert rows.pop(deadly).problems == (UNVERIFIABLE,)
    assert [one for one in rows.values() if not one.ok] == []


def test_a_log_at_which_a_process_dies_keeps_no_other_one_from_being_verified(monkeypatch: pytest.MonkeyPatch) -> None:
    logs = SMALL[:3]
    monkeypatch.setenv("ARCHIVE_DEADLY", hashlib.sha256(logs[1]).hexdigest())
    rows = [row(log, games.find).pack() for log in logs]
    assert list(verify_alone(logs, dies_of_one)) == [rows[0], None, rows[2]]


# -- what is on the disk --------------------------------------------------------------------------------------


class Leaving(ClusterEngine):
    """A cluster whose scheduler forgets everything after the first chunk."""

    def collect(self) -> tuple[int, list[bytes] | None]:
        found = super().collect()
        self._client.cancel(list(self._futures))
        return found


@pytest.mark.long
def test_a_scheduler_that_goes_away_ends_the_run_and_what_was_done_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source, _ = archive_of(tmp_path, 60, 2)
    monkeypatch.setattr("archive.workers.ClusterEngine", Leaving)
    with cluster(processes=False) as address:
        with pytest.raises(WorkerError, match="lost") as lost:
            verify_archive(tmp_path / "out", [source], address)
        assert lost.value.detail == address
    assert len(rows_of(tmp_path / "out")) == 16
