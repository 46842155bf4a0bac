"""What a person names may be a pipe, a device, a folder, too long or gone: one sentence says so, and nothing waits."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import IO

import helpers_commands
import pytest
from helpers import ROOT, daily_first

if sys.platform == "win32":
    pytest.skip("there are no such files", allow_module_level=True)

import resource

SLOW = 100
MEMORY = 2 << 30
"""Bytes of address space; who reads without end has no more."""
LOG = max((ROOT / "tests" / "logs").glob("protocol*/hash-plain-rules.storm"))
COMMANDS = {
    "scenario": "scenario THING",
    "terms": "host --player bot:random --terms THING",
    "cards": "host --player bot:random --game fight --cards THING",
    "key": "key import THING",
    "log": "verify THING",
    "replay": "replay THING --text",
    "archive": f"archive verify {LOG} --out out --scheduler tls://127.0.0.1:9 --certificate THING",
    "tournament": "event new cup --name Cup --terms THING",
}
SAID = {
    "en": {"pipe": "a pipe or", "zero": "a pipe or", "folder": "it is a folder", "long": "it is too long"},
    "de": {"pipe": "eine Pipe oder", "zero": "eine Pipe oder", "folder": "das ist ein Ordner", "long": "ist zu lang"},
}
OTHERWISE = {
    ("log", "folder"): "no logs in the folder|Ordner",
    ("log", "long"): "longer than any log|länger als jedes Protokoll",
    ("replay", "long"): "longer than any log|länger als jedes Protokoll",
    ("key", "long"): "no storm-p2p identity|keine Identit",
    ("archive", "pipe"): "certificate|Zertifikat",
    ("archive", "zero"): "certificate|Zertifikat",
    ("archive", "folder"): "certificate|Zertifikat",
    ("archive", "long"): "certificate|Zertifikat",
}
"""What is said where the file is judged by what it should be."""


def make(folder: Path, kind: str) -> None:
    thing = folder / kind
    match kind:
        case "pipe":
            os.mkfifo(thing)
        case "zero":
            thing.symlink_to("/dev/zero")
        case "folder":
            thing.mkdir()
        case "long":
            with thing.open("wb") as file:
                file.truncate(1 << 40)


def run(
    folder: Path,
    *words: str,
    home: bool = True,
    stdin: int | IO[bytes] = subprocess.DEVNULL,
    program: tuple[str, ...] = ("-m", "cli.app.main"),
) -> subprocess.CompletedProcess[str]:
    """Run a command with bounded memory; one that waits is a failure."""
    own = ["--home", str(folder / "home")] if home else []
    done = subprocess.run(
        [sys.executable, "-P", *program, *words, *own],
        cwd=folder,
        text=True,
        stdin=stdin,
        capture_output=True,
        timeout=SLOW,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY)),
    )
    assert "Traceback" not in done.stderr, done.stderr
    return done


EACH = """
import io, json, sys
from contextlib import redirect_stderr, redirect_stdout
from cli.app.main import main
for line in sys.argv[1:]:
    said = io.StringIO()
    with redirect_stdout(said), redirect_stderr(said):
        try:
            code = main(line.split())
        except SystemExit as end:
            code = end.code
    print(json.dumps([line, code, said.getvalue()]), flush=True)
"""
"""The program once for each of several lines, in one process."""


@pytest.mark.parametrize("command", daily_first(COMMANDS, 3))
@pytest.mark.parametrize("language", daily_first(SAID))
def test_what_is_no_file_is_refused_with_a_sentence(language: str, command: str, tmp_path: Path) -> None:
    kinds = ("pipe", "zero", "folder", "long")
    for kind in kinds:
        make(tmp_path, kind)
    lines = [f"{COMMANDS[command].replace('THING', kind)} --lang {language} --home home" for kind in kinds]
    done = run(tmp_path, *lines, home=False, program=("-c", EACH))
    answers = [json.loads(answer) for answer in done.stdout.splitlines()]
    assert [line for line, _, _ in answers] == lines, done.stderr
    for kind, (line, code, said) in zip(kinds, answers, strict=True):
        assert code in (1, 2), line
        assert re.search(OTHERWISE.get((command, kind), SAID[language][kind]), said), (line, said)
        assert "Traceback" not in said


def test_a_scenario_without_end_is_refused(tmp_path: Path) -> None:
    with Path("/dev/zero").open("rb") as endless:
        done = run(tmp_path, "scenario", "-", home=False, stdin=endless)
    assert (done.returncode, "it is too long" in done.stderr) == (2, True), done.stderr


@pytest.mark.parametrize("kind", ["pipe", "zero"])
@pytest.mark.parametrize(
    "case",
    daily_first(["settings.json people", "people.json people", "identity.key key show", "logs/a.storm history"], 2),
)
def test_a_file_of_the_home_that_is_none_holds_nothing_up(case: str, kind: str, tmp_path: Path) -> None:
    file, *command = case.split()
    helpers_commands.run("key", "show", "--home", str(tmp_path / "home"))
    place = tmp_path / "home" / file
    place.parent.mkdir(exist_ok=True)
    place.unlink(missing_ok=True)
    make(tmp_path, kind)
    (tmp_path / kind).rename(place)
    assert run(tmp_path, *command).returncode in (0, 1, 2)


# -- folders ---------------------------------------------------------------------------------------------------

VANISHING = """
import os, sys
real = os.scandir
def scandir(path="."):
    if os.path.basename(path) == "b":
        os.rename(path, "gone")
    return real(path)
os.scandir = scandir
from cli.app.main import main
sys.exit(main())
"""
"""The program, in which a folder vanishes between its name and what is in it."""
WALKING = ["verify logs", "archive verify logs --out out"]


@pytest.fixture
def logs(tmp_path: Path) -> Path:
    """Return a folder with a log in each of three folders."""
    for name in "abc":
        (tmp_path / "logs" / name).mkdir(parents=True)
        shutil.copy(LOG, tmp_path / "logs" / name / "match.storm")
    return tmp_path


@pytest.mark.parametrize("command", WALKING)
def test_a_folder_that_vanishes_while_it_is_walked_is_named_and_ends_nothing(command: str, logs: Path) -> None:
    words = [*command.split(), "--json", "--home", str(logs / "home")]
    done = subprocess.run(
        [sys.executable, "-P", "-c", VANISHING, *words], cwd=logs, capture_output=True, text=True, timeout=SLOW
    )
    assert "Traceback" not in done.stderr, done.stderr
    assert done.returncode == 2
    assert "logs/b" in done.stdout
    assert LOG.name not in done.stderr
    if command.startswith("verify"):
        for name in "ac":
            assert f"logs/{name}/match.storm" in done.stdout
    else:
        assert '"verified": 1' in done.stdout
        assert '"twice": 1' in done.stdout


@pytest.mark.parametrize("command", WALKING)
def test_links_in_circles_and_to_nowhere_are_named_or_passed_over_and_end_nothing(command: str, logs: Path) -> None:
    for name, target in (("self", "."), ("a/up", ".."), ("gone.storm", "nowhere"), ("round.storm", "round.storm")):
        (logs / "logs" / name).symlink_to(target)
    done = run(logs, *command.split(), "--json")
    assert done.returncode == 2
    # No link to a folder is followed.
    assert "/up" not in done.stdout + done.stderr
    assert "self" not in done.stdout + done.stderr
    for name in ("gone", "round"):
        assert f"logs/{name}.storm" in done.stdout


@pytest.mark.parametrize("command", daily_first(WALKING))
def test_a_folder_deeper_than_python_counts_is_walked(command: str, logs: Path) -> None:
    place = logs / "logs"
    # A path may be longer than what the system takes at once.
    here = os.open(place, os.O_RDONLY)
    for _ in range(1200):
        os.mkdir("d", dir_fd=here)
        below = os.open("d", os.O_RDONLY, dir_fd=here)
        os.close(here)
        here = below
    os.close(here)
    try:
        done = run(logs, *command.split())
        assert done.returncode == 0, done.stderr
    finally:
        subprocess.run(["rm", "-rf", str(place / "d")], check=True)


@pytest.mark.skipif(os.geteuid() == 0, reason="nothing is closed to the superuser")
@pytest.mark.parametrize("command", WALKING)
def test_a_folder_that_is_closed_is_named_and_ends_nothing(command: str, logs: Path) -> None:
    closed = logs / "logs" / "b"
    closed.chmod(0)
    try:
        done = run(logs, *command.split(), "--json")
    finally:
        closed.chmod(0o700)
    assert done.returncode == 2
    assert "logs/b" in done.stdout
