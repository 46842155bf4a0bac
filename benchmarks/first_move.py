"""From ``host`` to the first move of a match between two computer players on this machine, processes and all."""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from benchmarks import goals


def once(folder: Path) -> float:
    """Return the seconds from the start of the host to the first move that the guest's program reports."""
    surroundings = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    started: list[subprocess.Popen[str]] = []

    def start(name: str, *words: str) -> subprocess.Popen[str]:
        command = [sys.executable, "-m", "cli.app.main", *words, "--json", "--home", str(folder / name)]
        always = ["--bind", "127.0.0.1", "--player", "bot:greedy"]
        process = subprocess.Popen(
            [*command, *always], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=surroundings
        )
        started.append(process)
        return process

    begin = time.perf_counter()
    try:
        host = start("host", "host")
        assert host.stdout is not None
        guest = start("guest", "join", json.loads(host.stdout.readline())["invite"])
        assert guest.stdout is not None
        for line in guest.stdout:
            said = json.loads(line)
            if said["event"] == "message" and said["type"] == "turn":
                return time.perf_counter() - begin
        raise RuntimeError("the guest ended without a move")
    finally:
        for process in started:
            process.kill()
            process.wait()
            assert process.stdout is not None
            process.stdout.close()


def main(rounds: int = 5) -> None:
    """Print the median."""
    times = []
    for _ in range(rounds):
        with tempfile.TemporaryDirectory() as name:
            times.append(once(Path(name)))
    took = statistics.median(times)
    print(f"first move: {took:.2f} s after host was started ({goals.say('first move', took, most=5)})")
