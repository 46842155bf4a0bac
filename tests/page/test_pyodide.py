"""The second implementation in Pyodide, as pages run it: it says what it says in CPython, of hostile logs too."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from helpers import ROOT
from helpers_pages import DEALT, FIGHT, HASH, LOGS, node

from cli.page import runtime
from cli.page.document import PROGRAM
from protocol.independent.judging import judge
from protocol.record import logfile
from protocol.record.logfile import MAGIC
from storm_p2p import games

pytestmark = pytest.mark.long


@pytest.fixture(scope="module")
def parts() -> dict[str, bytes]:
    file = os.environ.get("STORM_P2P_PYODIDE", "")
    if not file:
        pytest.skip("STORM_P2P_PYODIDE names no npm package")
    return runtime.read_package(Path(file).read_bytes())


def hostile(log: Path, count: int) -> Iterator[bytes]:
    """Yield a log with a bit flipped, a record left out, repeated, moved to the end or cut, so many in all."""
    data = log.read_bytes()
    records = [bytes((one.kind,)) + len(one.frame).to_bytes(2, "big") + one.frame for one in logfile.load(data).records]
    trailer = data[-68:]
    for number in range(count):
        at = 2 + number * (len(records) - 3) // count
        match number % 5:
            case 0:
                place = number * len(data) // count
                yield data[:place] + bytes((data[place] ^ 1 << number % 8,)) + data[place + 1 :]
            case 1:
                yield MAGIC + b"".join(records[:at] + records[at + 1 :]) + trailer
            case 2:
                yield MAGIC + b"".join([*records, records[at]]) + trailer
            case 3:
                yield MAGIC + b"".join([*records[:at], *records[at + 1 :], records[at]]) + trailer
            case _:
                yield MAGIC + b"".join(records[:at]) + trailer


def test_hostile_logs_get_the_same_facts_as_in_cpython(tmp_path: Path, parts: dict[str, bytes]) -> None:
    names = {"asm": "pyodide.asm.mjs", "wasm": "pyodide.asm.wasm", "mjs": "pyodide.mjs", "std": "python_stdlib.zip"}
    for part, data in parts.items():
        (tmp_path / names[part]).write_bytes(data)
    (tmp_path / "app.zip").write_bytes(runtime.own_part())
    (tmp_path / "pyodide-lock.json").write_text(json.dumps({"info": runtime.LOCK, "packages": {}}))
    logs = [*hostile(HASH, 40), *hostile(FIGHT, 5), *hostile(DEALT, 5)]
    logs += [log.read_bytes() for log in sorted(LOGS.glob("*/*adjourned*"))]
    for number, log in enumerate(logs):
        (tmp_path / f"{number:02}.storm").write_bytes(log)
    program = tmp_path / "program.py"
    program.write_text(PROGRAM)
    words = [node(), str(ROOT / "tests/page/judging.mjs"), str(tmp_path), str(program)]
    done = subprocess.run(words, capture_output=True, text=True, timeout=500, check=False)
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout.splitlines()[-1])
    for log, answer in zip(logs, told["answers"], strict=True):
        hidden: dict[int, int] = {}
        facts = judge([log], games.find, hidden)[0]
        assert answer == json.loads(json.dumps({"facts": facts, "slots": hidden}))
    # What is cut away was not missed, and what is kept is needed: each name at the top is loaded.
    tops = {name.partition("/")[0].removesuffix(".py") for name in told["modules"]}
    kept = set((ROOT / "cli/page/modules.txt").read_text("ascii").split())
    assert kept - tops <= {"ssl", "_ssl", "bz2", "lzma", "tempfile", "zipimport"}
