"""Memory of a running client, and the CPU time of commands against that of a bare interpreter.

Each start finds its modules compiled, as they are after an installation; where Python is told to keep nothing
(``PYTHONDONTWRITEBYTECODE``) it would be the speed of the compiler that is measured.
"""

from __future__ import annotations

import os
import resource
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from benchmarks import goals

SCENARIO = '{"turn": "chthonians", "units": {"hades": 10, "zeus": 15}, "actions": ["liturgy"]}'

LOG = max((Path(__file__).resolve().parent.parent / "tests" / "logs").rglob("hash-plain-rules.storm"))
COMMANDS: dict[tuple[str, ...], float | None] = {
    ("--version",): 3,
    ("scenario", "-"): 6,
    ("learn", "--plain"): None,
    ("verify", str(LOG)): None,
}
"""What is started, and how many bare starts it may take."""


def start(kept: str, *words: str, text: str = "") -> float:
    """Return the seconds of CPU time of one run of a process.

    Args:
        kept: the folder for the compiled modules.
        words: the arguments of the interpreter.
        text: its standard input.
    """
    begin = children()
    subprocess.run(
        [sys.executable, *words], input=text, text=True, capture_output=True, check=True, env=surroundings(kept)
    )
    return children() - begin


def surroundings(kept: str) -> dict[str, str]:
    """Return the environment of a process that finds its compiled modules in a folder and keeps new ones there."""
    found = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return {**found, "PYTHONPYCACHEPREFIX": kept}


def children() -> float:
    """Return the seconds of CPU time of all processes that were started and have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


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
            input="costs\nunits\nliturgy!\nliturgy!\nbye\n",
            text=True,
            capture_output=True,
            check=False,
        )
    return int(done.stderr.split()[-1]) / 1024


def main(runs: int = 15) -> None:
    """Print both."""
    with tempfile.TemporaryDirectory() as kept:
        for words, most in COMMANDS.items():
            start(kept, "-m", "cli.app.main", *words, text=SCENARIO)
            pairs = [
                (start(kept, "-m", "cli.app.main", *words, text=SCENARIO), start(kept, "-c", "pass"))
                for _ in range(runs)
            ]
            ratio = statistics.median(mine / bare for mine, bare in pairs)
            took = statistics.median(pair[0] for pair in pairs) * 1000
            goal = "" if most is None else f" ({goals.say(f'start of {words[0]}', ratio, most=most)})"
            print(f"start: {words[0]} {took:.0f} ms, {ratio:.1f} times a bare start{goal}")
    if os.path.exists("/proc/self/status"):
        size = memory()
        print(f"memory: {size:.0f} MiB for a running client ({goals.say('memory', size, most=80)})")
