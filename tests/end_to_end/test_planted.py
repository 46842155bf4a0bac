"""Modules that lie where downloaded files lie are run by no command, and by nothing that a command starts."""

from __future__ import annotations

import argparse
import ast
import json
import multiprocessing
import os
import re
import shlex
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from importlib.metadata import packages_distributions
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from helpers import ROOT, daily_first
from helpers_docs import blocks
from helpers_processes import hosting, invite_of, joining

from cli.app.arguments import make_parser

PROGRAM = str(Path(sys.executable).with_name("storm-p2p"))
"""The console script, which is what people are told to start."""
SLOW = 100
OURS = ("cli", "protocol", "storm_p2p")
LOGS = sorted(max((ROOT / "tests" / "logs").glob("protocol*-rules*")).glob("hash-*.storm"))[:3]
NAMES = sorted({*sys.stdlib_module_names, *packages_distributions(), *OURS, "sitecustomize", "usercustomize"})
"""All that any Python may look for: its own library, what is installed, this program."""
PLANTED = "open(__file__ + '.ran', 'a').close()\nraise ImportError('planted')\n"

BOT = """
import json, neighbour, sys
for line in sys.stdin:
    asked = json.loads(line)
    if asked["t"] == "hello":
        print(json.dumps({"t": "ready", "name": neighbour.NAME}), flush=True)
    if asked["t"] == "act":
        print(json.dumps({"t": "act", "action": asked["legal"][0]["action"]}), flush=True)
        open(sys.argv[1], "w").close()
"""
ALONE = """
import sys
from functools import partial
from pathlib import Path
from protocol.archive.alone import verify_alone
from protocol.archive.engines import verify_chunk
from storm_p2p import games
if __name__ == "__main__":
    rows = list(verify_alone([Path(sys.argv[1]).read_bytes()], partial(verify_chunk, games=games.find)))
    assert None not in rows
"""
STARTING = {"start", "run", "make_context", "make_pool", "PYTHON"}
"""What other modules ask of ``protocol.system.processes`` to have a process started."""
FORBIDDEN = {
    "Popen", "check_call", "check_output", "getoutput", "getstatusoutput", "create_subprocess_exec",
    "create_subprocess_shell", "subprocess_exec", "subprocess_shell", "get_context", "set_start_method",
    "ProcessPoolExecutor", "popen", "fork", "forkpty", "posix_spawn", "posix_spawnp", "startfile", "webbrowser", "pty",
    *(f"{kind}{end}" for kind in ("exec", "spawn") for end in ("l", "le", "lp", "lpe", "v", "ve", "vp", "vpe")),
}  # fmt: skip
"""Names under which the standard library starts processes."""
TOLD = re.compile(rf"\b({'|'.join(sorted(FORBIDDEN))}|subprocess|multiprocessing|processes|system)\b")
"""What stands in a module that starts one or has one started; no other has to be read further."""


def plant(folder: Path) -> Path:
    """Put a module of every name into a folder; each leaves a mark when it is run."""
    for name in NAMES:
        place = folder / name / "__init__.py" if name not in sys.stdlib_module_names else folder / f"{name}.py"
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(PLANTED)
    return folder


@pytest.fixture(scope="module")
def planted(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with downloaded logs, cards and a tournament's folder, and modules beside each."""
    folder = plant(tmp_path_factory.mktemp("planted") / "downloads")
    for place in (folder, plant(folder / "logs"), plant(folder / "cup")):
        for log in LOGS:
            shutil.copy(log, place)
    cards = files("storm_p2p.fight").joinpath("cards.json").read_bytes()
    (plant(folder / "cards") / "own.json").write_bytes(cards)
    (folder / "case.json").write_text('{"turn": "chthonians", "units": {"hades": 10, "zeus": 15}, "actions": []}')
    return folder


@pytest.fixture
def downloads(planted: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return that folder, which is the current one, without any mark."""
    for mark in planted.rglob("*.ran"):
        mark.unlink()
    for name in ("PYTHONPATH", "PYTHONSAFEPATH"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(planted)
    return planted


def ran(folder: Path) -> list[str]:
    return sorted(str(mark.relative_to(folder)) for mark in folder.rglob("*.ran"))


def use(*words: str, text: str = "", code: int | None = 0, seconds: int = SLOW) -> str:
    """Run a command as people do; return what it said. One that goes on and on is ended."""
    try:
        done = subprocess.run([PROGRAM, *words], input=text, capture_output=True, text=True, timeout=seconds)
    except subprocess.TimeoutExpired:
        assert code is None
        return ""
    assert code in (None, done.returncode), (done.stdout, done.stderr)
    assert "Traceback" not in done.stderr
    return done.stdout + done.stderr


def first(said: str) -> Any:
    """Return the JSON with which output begins; how a slow check goes on is said behind it."""
    return json.JSONDecoder().raw_decode(said)[0]


def test_what_is_planted_is_run_where_nobody_takes_care(downloads: Path) -> None:
    subprocess.run([sys.executable, "-c", "import json"], capture_output=True, timeout=SLOW)
    assert ran(downloads) == ["json.py.ran"]


# -- every command ---------------------------------------------------------------------------------------------

(COMMANDS,) = (list(one.choices) for one in make_parser()._actions if isinstance(one, argparse._SubParsersAction))
WORDS: dict[str, list[str]] = {
    "verify": ["logs"],
    "archive": ["verify", "."],
    "replay": ["logs/" + LOGS[0].name, "--text"],
    "analyse": ["logs/" + LOGS[0].name, "--text", "--simulations", "1"],
    "scenario": ["case.json"],
    "standings": ["cup"],
    "event": ["status", "cup"],
    "export": ["last"],
    "completion": ["bash"],
    "doctor": ["--no-map", "--no-stun"],
    "host": ["--cards", "cards/own.json", "--game", "fight", "--player", "bot:greedy"],
    "play": ["--cards", "cards/own.json", "--game", "fight", "--plain"],
    "key": ["show"],
}
"""What a command is run with, so that it goes far; a new one is run with its name alone."""


@pytest.mark.parametrize("command", daily_first(sorted(COMMANDS)))
def test_no_command_runs_what_is_planted(command: str, downloads: Path, tmp_path: Path) -> None:
    out = ["--out", str(tmp_path / "out")] if command == "archive" else []
    use(command, *WORDS.get(command, []), *out, "--home", str(tmp_path / "home"), text="bye\n", code=None, seconds=5)
    assert ran(downloads) == []


# -- every process that is started -----------------------------------------------------------------------------


def play(downloads: Path, home: Path) -> None:
    """The computer player is a process, and so are the commands that call a player and that carry what is published."""
    script = write(home / "mine" / "call.py", "import neighbour, sys; open(sys.argv[1], 'w').close()")
    called, carried = home / "called", home / "carried"
    call, carry = (shlex.join([sys.executable, str(script), str(mark)]) for mark in (called, carried))
    (home / "settings.json").write_text(json.dumps({"notice": "command", "command": call, "published": carry}))
    use("play", "--plain", "--publish", str(home / "live"), "--home", str(home), text="bye\n", code=4)
    wait(called)
    wait(carried)


def program(downloads: Path, home: Path) -> None:
    """A program of somebody's own finds what lies beside it, as when they start it themselves."""
    asked = home / "asked"
    bot = write(home / "mine" / "bot.py", BOT)
    player = "exec:" + shlex.join([sys.executable, str(bot), str(asked)])
    with (
        hosting(home / "a", "--player", player, "--random-setup", program=(PROGRAM,)) as host,
        joining(home / "b", invite_of(host), program=(PROGRAM,)),
    ):
        wait(asked)


def menu(downloads: Path, home: Path) -> None:
    """A command of the menu runs beside it."""
    window_of = pytest.importorskip("end_to_end.window", reason="there is no pseudo-terminal").Window
    window = window_of(home, folder=downloads, program=(PROGRAM,))
    window.until("What is your name?")
    window.type("\r")
    window.until("Play now against the computer")
    window.type("\x1b[A\x1b[A\x1b[A\r")
    window.until("Type a command")
    window.type("7")
    window.until("Lock it with a passphrase")
    window.type("1")
    window.until(lambda text: re.search(r"^ [0-9a-f]{64} *$", text, re.MULTILINE) is not None)
    window.close()


def workers(downloads: Path, home: Path) -> None:
    """The workers of both commands that have any."""
    assert len(first(use("verify", "--json", "logs", "--jobs", "2"))) == len(LOGS)
    said = use("archive", "verify", ".", "--out", str(home / "out"), "--workers", "2", "--json")
    assert first(said)["verified"] == len(LOGS)


def alone(downloads: Path, home: Path) -> None:
    """A log on which workers have died is tried in a process of its own."""
    script = write(home / "alone.py", ALONE)
    subprocess.run([sys.executable, str(script), str(LOGS[0])], check=True, timeout=SLOW)


def doctor(downloads: Path, home: Path) -> None:
    """Where the system does not tell its router, a tool of the system is asked."""
    use("doctor", "--no-map", "--no-stun", "--home", str(home), code=None, seconds=5)


WALKS: dict[str, Callable[[Path, Path], None]] = {
    "cli/app/play.py": play,
    "cli/console/alerts.py": play,
    "cli/console/shell/menu.py": menu,
    "cli/match/program.py": program,
    "cli/match/publishing.py": play,
    "protocol/archive/alone.py": alone,
    "protocol/archive/engines.py": workers,
    "protocol/reach/surroundings.py": doctor,
}
"""What leads to each module that has a process started."""


@pytest.mark.parametrize("walk", dict.fromkeys(WALKS.values()), ids=lambda walk: str(walk.__name__))
def test_no_process_runs_what_is_planted(walk: Callable[[Path, Path], None], downloads: Path, tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir()
    write(home / "mine" / "neighbour.py", "NAME = 'mine'")
    walk(downloads, home)
    assert ran(downloads) == []


@pytest.mark.long
@pytest.mark.skipif(shutil.which("openssl") is None, reason="openssl is not here")
def test_a_cluster_that_is_started_as_the_page_says_runs_nothing_planted(downloads: Path, tmp_path: Path) -> None:
    pytest.importorskip("distributed", reason="the extra cluster is not installed")
    page = (ROOT / "docs" / "archives.md").read_text(encoding="utf-8")
    (told,) = re.findall(r"^export (\w+)=(\w+)$", page, re.MULTILINE)
    dask, place = str(Path(sys.executable).with_name("dask")), tmp_path / "place.json"
    there = {**os.environ, told[0]: told[1]}
    (recipe,) = [one for one in blocks(page, "") if one.startswith("openssl")]
    subprocess.run(["sh", "-e"], input=recipe, text=True, cwd=tmp_path, check=True, capture_output=True)
    mine = tmp_path / "me.pem"
    quiet = ["--scheduler-file", str(place), "--no-dashboard", "--tls-ca-file", str(tmp_path / "ca.pem")]
    quiet += ["--tls-cert", str(mine), "--tls-key", str(mine)]
    address = ("--protocol", "tls", "--host", "127.0.0.1", "--port", "0")
    with (
        subprocess.Popen([dask, "scheduler", *address, *quiet], env=there) as scheduler,
        subprocess.Popen([dask, "worker", "--nthreads", "1", *quiet], env=there) as worker,
    ):
        try:
            wait(place)
            command = ["archive", "verify", ".", "--out", str(tmp_path / "out"), "--json", "--certificate", str(mine)]
            said = ""
            until = time.monotonic() + SLOW
            while "verified" not in said:
                assert time.monotonic() < until, said
                said = use(*command, "--scheduler", json.loads(place.read_text())["address"], code=None)
            assert first(said)["verified"] == len(LOGS)
        finally:
            worker.terminate()
            worker.wait()
            scheduler.terminate()
    assert ran(downloads) == []


def write(file: Path, text: str) -> Path:
    file.parent.mkdir(exist_ok=True)
    file.write_text(text)
    return file


def wait(file: Path) -> None:
    """Wait until another process has made a file."""
    until = time.monotonic() + SLOW
    while not file.exists():
        assert time.monotonic() < until
        time.sleep(0.05)


def names(module: Path) -> Iterator[str]:
    """Yield each name that a module takes from another one, and ``processes.NAME`` for what it asks to be started."""
    text = module.read_text(encoding="utf-8")
    if not TOLD.search(text):
        return
    for node in ast.walk(ast.parse(text)):
        match node:
            case ast.Attribute(value=ast.Name(id="processes"), attr=name) if name in STARTING:
                yield f"processes.{name}"
            case ast.Attribute(value=ast.Name(id="os"), attr="system"):
                yield "popen"
            case ast.Attribute(attr=name):
                yield name
            case ast.ImportFrom(names=found) | ast.Import(names=found):
                yield from (name.name for name in found)
            case _:
                pass


def test_one_module_starts_all_processes_and_each_that_asks_it_is_walked() -> None:
    found = {str(module.relative_to(ROOT)): set(names(module)) for top in OURS for module in (ROOT / top).rglob("*.py")}
    starting = [module for module, used in found.items() if used & {*FORBIDDEN, "subprocess", "multiprocessing"}]
    assert starting == ["protocol/system/processes.py"]
    asking = {module for module, used in found.items() if any(name.startswith("processes.") for name in used)}
    assert {*asking} - {"cli/app/main.py"} == {*WALKS}


# -- how workers find modules ----------------------------------------------------------------------------------

SPAWN = """
import multiprocessing, sys
if PROTECT:
    from protocol.system import processes
    processes.protect()
if __name__ == "__main__":
    child = multiprocessing.get_context(sys.argv[1]).Process(target=print, args=("worked",))
    child.start()
    child.join()
"""


@pytest.mark.parametrize("method", sorted({*multiprocessing.get_all_start_methods()} - {"fork"}))
@pytest.mark.parametrize("protected", [True, False])
def test_workers_look_into_the_current_folder_unless_they_are_told_not_to(
    protected: bool, method: str, downloads: Path, tmp_path: Path
) -> None:
    script = write(tmp_path / "script.py", SPAWN.replace("PROTECT", str(protected)))
    done = subprocess.run([sys.executable, str(script), method], capture_output=True, text=True, timeout=SLOW)
    assert ("worked" in done.stdout) is protected, done.stderr
    assert bool(ran(downloads)) is not protected


def test_a_program_that_ignores_its_environment_protects_its_workers_all_the_same(downloads: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-E", PROGRAM, "verify", "logs", "--jobs", "2"], capture_output=True, text=True, timeout=SLOW
    )
    assert done.returncode == 0, done.stderr
    assert ran(downloads) == []


def test_nobody_is_told_to_start_the_program_as_a_module() -> None:
    # Python itself searches the current folder then, before a line of the program has run.
    pages = [ROOT / "README.md", ROOT / "SPEC.md", *(ROOT / "docs").glob("*.md")]
    told = re.compile(rf"python3? .*-m ({'|'.join(OURS)})\b")
    assert [str(page) for page in pages if told.search(page.read_text(encoding="utf-8"))] == []
