"""Archives: each engine against the serial one, the serial one against bare verification, and a million rows counted.

``python -m benchmarks archives`` takes minutes and the extra ``cluster``.  Logs are matches of computer players in the
scheme ``hash`` and what their players held on the way.
"""

from __future__ import annotations

import hashlib
import random
import statistics
import sys
import tarfile
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from io import BytesIO
from pathlib import Path
from typing import Any

from benchmarks import goals, matches
from protocol.archive.cluster import ClusterEngine
from protocol.archive.engines import Engine, PoolEngine, SerialEngine, verify_chunk
from protocol.archive.parts import Parts
from protocol.archive.row import row
from protocol.archive.run import Run
from protocol.archive.sources import read_sources
from protocol.archive.stats import survey_rows
from protocol.core.audit import verify
from protocol.record import logfile
from storm_p2p import games
from storm_p2p.storm.state import Terms

LOGS = 2000
ROWS = 1_000_000
WORK = partial(verify_chunk, games=games.find)


def make_logs(count: int) -> list[bytes]:
    """Return so many different logs."""
    rng = random.Random(5)
    found: list[bytes] = []
    while len(found) < count:
        terms = Terms(rng.random() < 0.3, rng.random() < 0.3)
        (one, other), _ = matches.play("random", rng, terms)
        for session in (one, other):
            ends = range(len(session.records), 10, -max(1, len(session.records) // 8))
            found += (logfile.dump(session.records[:end], session.seat, session.sign_log) for end in ends)
    return found[:count]


def bare(logs: list[bytes]) -> None:
    """Verify logs, and nothing else."""
    for data in logs:
        found = logfile.load(data)
        verify(found.records, games.find, found.trailer)


def run(source: Path, engine: Engine) -> None:
    """Make an archive of a source."""
    with tempfile.TemporaryDirectory() as folder:
        parts = Parts(Path(folder), "benchmark")
        Run(parts, engine, WORK, sample=0.01, chance=random.Random(1), tell=lambda summary: None).take(
            lambda: read_sources([source])
        )
        parts.close()


@contextmanager
def cluster() -> Iterator[str]:
    """Run two workers on loopback; yield the address of their scheduler."""
    import distributed

    make: Any = distributed.LocalCluster
    with make(
        n_workers=2, threads_per_worker=1, dashboard_address="127.0.0.1:0", host="127.0.0.1", protocol="tcp://"
    ) as here:
        yield here.scheduler_address


def taken(clock: Callable[[], float], work: Callable[[], object]) -> float:
    """Return how long some work takes by a clock."""
    start = clock()
    work()
    return clock() - start


def compare_engines(rounds: int = 3) -> None:
    """Print the ratios of the engines, each with its start apart."""
    logs = make_logs(LOGS)
    with tempfile.TemporaryDirectory() as folder, cluster() as address:
        source = Path(folder) / "logs.tar"
        with tarfile.open(source, "w") as archive:
            for number, data in enumerate(logs):
                member = tarfile.TarInfo(f"{number}.storm")
                member.size = len(data)
                archive.addfile(member, BytesIO(data))
        pool, dask = PoolEngine(2, WORK), ClusterEngine(address, None, WORK)
        # Workers that have never verified anything load what they need first.
        for engine in (pool, dask):
            for number in range(4):
                engine.submit(number, logs[:1])
            for _ in range(4):
                engine.collect()
        cpu, pools, dasks = [], [], []
        for _ in range(rounds):
            alone = taken(time.process_time, lambda: bare(logs))
            cpu.append(taken(time.process_time, lambda: run(source, SerialEngine(WORK))) / alone)
            serial = taken(time.perf_counter, lambda: run(source, SerialEngine(WORK)))
            pools.append(serial / taken(time.perf_counter, lambda: run(source, pool)))
            dasks.append(serial / taken(time.perf_counter, lambda: run(source, dask)))
            print(f"  round: bare {alone:.1f} s of CPU, serial {serial:.1f} s", flush=True)
        pool.close()
        dask.close()
    serial, two, apart = (statistics.median(found) for found in (cpu, pools, dasks))
    print(
        f"archive of {LOGS} logs: serial {serial:.2f} times the CPU of bare verification "
        f"({goals.say('archive, serial', serial, most=1.1)}), pool of 2 {two:.2f} times as fast as serial "
        f"({goals.say('archive, pool of 2', two, least=1.8)}), Dask on 2 workers {apart:.2f} times "
        f"({goals.say('archive, Dask', apart, least=1.4)})"
    )


def count_rows() -> None:
    """Print what counting a million rows costs in a process of its own."""
    import subprocess

    rng = random.Random(3)
    # Rows of unfinished matches cost nothing to count.
    real = [found for found in (row(data, games.find) for data in make_logs(600)) if found.winner]
    with tempfile.TemporaryDirectory() as folder:
        parts = Parts(Path(folder), "benchmark")
        for start in range(0, ROWS, 65_536):
            parts.write(
                [
                    replace(rng.choice(real), log=_number("log", number), match=_number("match", number // 2))
                    for number in range(start, min(start + 65_536, ROWS))
                ]
            )
        parts.settle()
        parts.write_manifest()
        parts.close()
        size = sum(path.stat().st_size for path in (Path(folder) / "rows").iterdir())
        done = subprocess.run(
            [sys.executable, "-m", "benchmarks.archives", folder], capture_output=True, text=True, check=True
        )
    print(f"stats of {ROWS} rows, {size / ROWS:.0f} bytes each: {done.stdout.strip()} (goals 60 s, 2 s, 1024 MiB)")


def _number(label: str, number: int) -> bytes:
    return hashlib.sha256(f"{label} {number}".encode()).digest()


def main() -> None:
    """Print all ratios."""
    compare_engines()
    count_rows()


if __name__ == "__main__":
    folder = Path(sys.argv[1])
    # The second time nothing has changed, as behind ``verify`` or ``check``.
    checked: list[str] = []

    def survey() -> None:
        checked.append(survey_rows(folder, depth=4, least=5, checked=checked).manifest)

    first, again = (taken(time.process_time, survey) for _ in range(2))
    # What getrusage says begins with the peak of the process that has started this one.
    peak = next(line for line in Path("/proc/self/status").read_text().splitlines() if line.startswith("VmHWM"))
    print(f"{first:.2f} s of CPU, {again:.2f} s once checked, {int(peak.split()[1]) / 1024:.0f} MiB")
