"""The README: how to install and play comes first, and no command that the program does not understand."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from cli import __version__
from cli.app import arguments

README = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)
PROGRAM = re.compile(r"(?:\.venv/bin/)?storm-p2p\b ?([^`&]*)")


def _commands() -> list[str]:
    """Return what is said behind the name of the program, in blocks and within sentences."""
    lines = [part for block in BLOCKS for line in block.splitlines() for part in line.split(" && ")]
    # What stands behind two blanks in a block says what the command does.
    told = [line.partition("  ")[0] for line in lines]
    inline = re.findall(r"`([^`\n]+)`", README)
    return [match.group(1).strip() for text in told + inline if (match := PROGRAM.fullmatch(text.strip()))]


def test_a_player_installs_the_file_of_this_version_and_plays() -> None:
    wheel = f"./storm_p2p-{__version__}-py3-none-any.whl"
    assert BLOCKS[:2] == [f"pipx install '{wheel}[completion]'\n", "storm-p2p learn\nstorm-p2p play\n"]


def test_from_the_source_one_command_plays_and_one_tests() -> None:
    played, tested = (block.strip() for block in BLOCKS[2:4])
    for command in (played, tested):
        assert command.startswith("python3 -m venv .venv && .venv/bin/pip install ")
        assert "\n" not in command
    assert played.endswith(".venv/bin/storm-p2p play")
    assert tested.endswith("-m pytest -q -n 2")


@pytest.mark.parametrize("words", sorted(set(_commands())))
def test_every_command_that_the_readme_names_is_understood(words: str) -> None:
    typed = shlex.split(words)
    assert arguments.make_parser().parse_args(typed).command == (typed[0] if typed else None)
