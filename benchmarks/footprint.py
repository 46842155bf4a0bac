"""Memory of a running client, and the start of ``scenario`` against that of a bare interpreter."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import time

SCENARIO = '{"turn": "chthonians", "units": {"hades": 10, "zeus": 15}, "actions": ["liturgy"]}'


def start(*words: str, text: str = "") -> float:
    """Return the seconds of one run of a process."""
    begin = time.perf_counter()
    subprocess.run([sys.executable, *words], input=text, text=True, capture_output=True, check=True)
    return time.perf_counter() - begin


def memory() -> float:
    """Return the largest resident size, in MiB, of a person's client that has played a match by a script."""
    code = (
        "import resource, sys; from cli.main import main; main(sys.argv[1:]);"
        "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, file=sys.stderr)"
    )
    with tempfile.TemporaryDirectory() as home:
        done = subprocess.run(
            [sys.executable, "-c", code, "play", "--random-setup", "--plain", "--home", home],
            input="costs\nunits\nliturgy!\nliturgy!\nbye\n", text=True, capture_output=True, check=False,
        )  # fmt: skip
    return int(done.stderr.split()[-1]) / 1024


def main(runs: int = 15) -> None:
    """Print both."""
    pairs = [(start("-m", "cli.main", "scenario", "-", text=SCENARIO), start("-c", "pass")) for _ in range(runs)]
    ratio = statistics.median(mine / bare for mine, bare in pairs)
    took = statistics.median(pair[0] for pair in pairs) * 1000
    print(f"start: scenario {took:.0f} ms, {ratio:.1f} times a bare start (goal 8)")
    if os.name == "posix":
        print(f"memory: {memory():.0f} MiB for a running client (goal 80)")


if __name__ == "__main__":
    main()
