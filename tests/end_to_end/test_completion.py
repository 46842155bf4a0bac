"""A shell completes commands and options: what it reads is printed, and what it asks is answered."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from helpers import ROOT
from helpers_commands import run
from helpers_home import begin

from cli.app import arguments, games
from cli.app.arguments import SHELLS, make_parser
from cli.runtime.console import Exit
from cli.storage.home import Home


def ask(line: str, tmp_path: Path, *options: str) -> list[str]:
    """Return what the program answers to a shell in which a line is typed."""
    found = tmp_path / "answer"
    surroundings = {
        **os.environ,
        "_ARGCOMPLETE": "1",
        "_ARGCOMPLETE_STDOUT_FILENAME": str(found),
        "_ARGCOMPLETE_IFS": "\n",
        "_ARGCOMPLETE_SUPPRESS_SPACE": "1",
        "_ARGCOMPLETE_SHELL": "fish",
        "_ARGCOMPLETE_DFS": "\t",
        "COMP_LINE": line,
        "COMP_POINT": str(len(line)),
        "LANGUAGE": "en",
        "STORM_P2P_HOME": str(tmp_path / "home"),
    }
    command = [sys.executable, *options, "-m", "cli.app.main"]
    done = subprocess.run(command, env=surroundings, cwd=ROOT, capture_output=True, text=True, timeout=100, check=False)
    assert (done.stdout, done.stderr) == ("", "")
    return found.read_text(encoding="utf-8").splitlines() if found.exists() else []


def test_every_command_is_offered_with_what_it_does(tmp_path: Path) -> None:
    parser = make_parser()
    commands = next(action.choices for action in parser._actions if isinstance(action.choices, dict))
    offered = dict(line.partition("\t")[::2] for line in ask("storm-p2p ", tmp_path))
    assert set(commands) < set(offered)
    assert offered["verify"] == "check signed logs"


@pytest.mark.parametrize(
    ("line", "offered"),
    [
        ("storm-p2p ver", ["verify"]),
        ("storm-p2p verify --jo", ["--jobs"]),
        ("storm-p2p play --seat ", ["chthonians", "olympians"]),
        ("storm-p2p host --game fight --seat ", ["0", "1"]),
        ("storm-p2p play --bot s", ["seer"]),
        ("storm-p2p play --game fight --bot ", ["random", "novice", "greedy", "seer", "oracle"]),
        ("storm-p2p replay nothing-begins-like-th", []),
        ("storm-p2p event sta", ["status", "standings"]),
        ("storm-p2p verify nothing-begins-like-th", []),
    ],
)
def test_what_can_stand_at_the_cursor_is_offered(line: str, offered: list[str], tmp_path: Path) -> None:
    assert [one.partition("\t")[0] for one in ask(line, tmp_path)] == offered


def test_numbers_of_matches_are_offered(tmp_path: Path) -> None:
    home = Home(tmp_path / "home")
    home.prepare()
    begin(home).close()
    assert ask("storm-p2p resume f", tmp_path) == ["fa9a\tbob"]
    (home.logs / "2026-11-20-gustav-7c1f.storm").write_bytes(b"")
    assert [ask(f"storm-p2p replay {word}", tmp_path) for word in ("7c", "las")] == [["7c1f\t"], ["last\t"]]


def test_the_help_of_play_names_the_computer_players_of_the_game() -> None:
    assert {games.CALLED[game]: [*bots] for game, bots in arguments.BOTS.items()} == {
        name: [*games.find(name).levels] for name in games.NAMES
    }
    for words, named, others in ((["--game", "fight"], "fight:", "storm:"), (["--game=storm"], "storm:", "fight:")):
        parser = make_parser(["play", *words])
        commands = next(action.choices for action in parser._actions if isinstance(action.choices, dict))
        (bots,) = (str(action.help) for action in commands["play"]._actions if action.dest == "bot")
        assert named in bots
        assert others not in bots


@pytest.mark.parametrize("shell", SHELLS)
def test_what_a_shell_reads_is_printed(shell: str) -> None:
    printed = run("completion", shell).stdout
    assert "_ARGCOMPLETE" in printed
    assert printed.count("storm-p2p") > 1
    found = shutil.which(shell)
    if found is not None:
        subprocess.run([found, "-n"], input=printed, text=True, timeout=100, check=True)


@pytest.mark.skipif(shutil.which("bash") is None, reason="bash is not here")
def test_bash_completes_with_what_it_has_read(tmp_path: Path) -> None:
    program = tmp_path / "storm-p2p"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m cli.app.main "$@"\n', encoding="utf-8")
    program.chmod(0o755)
    script = (
        'eval "$(storm-p2p completion bash)"\n'
        'COMP_LINE="storm-p2p replay --view pu" COMP_POINT=26 COMP_TYPE=9\n'
        '_python_argcomplete storm-p2p\necho "${COMPREPLY[@]}"'
    )
    path = f"{tmp_path}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        ["bash", "-c", script],
        env={**os.environ, "PATH": path, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=100,
        check=True,
    )
    assert done.stdout.strip() == "public"


@pytest.mark.parametrize("words", [(), ("tcsh",), ("bash\x1b[2J",)], ids=["none", "another", "a hostile one"])
def test_a_shell_that_is_not_known_gets_the_list_of_those_that_are(words: tuple[str, ...]) -> None:
    said = run("completion", *words, "--lang", "en", code=Exit.USAGE)
    first, *rows = said.stderr.splitlines()
    assert said.stdout == ""
    assert [row.split()[2] for row in rows] == list(SHELLS)
    assert max(map(len, rows)) < 80
    assert ("tcsh" in first) is (words == ("tcsh",))
    assert "\x1b" not in said.stderr


def test_without_its_library_the_command_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("argcomplete", "argcomplete.shell_integration"):
        monkeypatch.setitem(sys.modules, name, None)
    said = run("completion", "bash", "--lang", "en", code=Exit.USAGE)
    assert said.stdout == ""
    assert "pip install 'argcomplete>=3.5'" in said.stderr


def test_a_shell_that_still_asks_without_the_library_gets_no_answer_and_no_menu(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "argcomplete", None)
    monkeypatch.setenv("_ARGCOMPLETE", "1")
    asked = run(code=Exit.USAGE)
    assert (asked.stdout, asked.stderr) == ("", "")


def test_the_manual_page_names_every_command_and_every_option() -> None:
    # In a process of its own: it tells the library of the command line how wide lines are.
    code = "import hatch_build, os, sys; sys.stdout.write(hatch_build.make_page(os.getcwd()))"
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=100, check=True)
    page = done.stdout.replace("\\-", "-")
    parser = make_parser()
    commands = next(action.choices for action in parser._actions if isinstance(action.choices, dict))
    for name, one in commands.items():
        assert f"storm-p2p {name}" in page, name
        for action in one._actions:
            assert all(word in page for word in action.option_strings if word != "--help"), (name, action.dest)
    assert page.startswith(".TH STORM-P2P")
