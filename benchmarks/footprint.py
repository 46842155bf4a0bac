"""Memory of a running client, and the start of ``scenario`` against that of a bare interpreter.

Each start finds its modules compiled, as they are after an installation; where Python is told to keep nothing
(``PYTHONDONTWRITEBYTECODE``) it would be the speed of the compiler that is measured.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import time

from benchmarks import goals

SCENARIO = '{"turn": "chthonians", "units": {"hades": 10, "zeus": 15}, "actions": ["liturgy"]}'


def start(kept: str, *words: str, text: str = "") -> float:
    """Return the seconds of one run of a process.

    Args:
        kept: the folder for the compiled modules.
        words: the arguments of the interpreter.
        text: its standard input.
    """
    surroundings = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    surroundings["PYTHONPYCACHEPREFIX"] = kept
    begin = time.perf_counter()
    subprocess.run(
        [sys.executable, *words], input=text, text=True, capture_output=True, check=True, env=surroundings
    )
    return time.perf_counter() - begin


def memory() -> float:
    """Return the largest resident size, in MiB, of a person's client that has played a match by a script."""
    code = (
        "import sys; from cli.app.main import main; main(sys.argv[1:]);"
        # The figure of getrusage would begin with the size of the process that started this one.
        "print(*(line.split()[1] for line in open('/proc/self/status') if line.startswith('VmHWM')), file=sys.stderr)"
    )
    with tempfile.TemporaryDirectory() as home:
        done = subprocess.run(
            [sys.executable, "-c", code, "play", "--random-setup", "--plain", "--home", home],
            input="costs\nunits\nliturgy!\nliturgy!\nbye\n", text=True, capture_output=True, check=False,
        )  # fmt: skip
    return int(done.stderr.split()[-1]) / 1024


def main(runs: int = 15) -> None:
    """Print both."""
    with tempfile.TemporaryDirectory() as kept:

        def pair() -> tuple[float, float]:
            return start(kept, "-m", "cli.app.main", "scenario", "-", text=SCENARIO), start(kept, "-c", "pass")

        pair()
        pairs = [pair() for _ in range(runs)]
    ratio = statistics.median(mine / bare for mine, bare in pairs)
    took = statistics.median(pair[0] for pair in pairs) * 1000
    goal = goals.say("start of scenario", ratio, most=6)
    print(f"start: scenario {took:.0f} ms, {ratio:.1f} times a bare start ({goal})")
    if os.path.exists("/proc/self/status"):
        size = memory()
        print(f"memory: {size:.0f} MiB for a running client ({goals.say('memory', size, most=80)})")


if __name__ == "__main__":
    main()
    goals.end()
