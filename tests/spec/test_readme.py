"""The README: how to install and play comes first, and no command that the program does not understand."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from cli import __version__
from cli.app import arguments

README, GERMAN = (
    (Path(__file__).parents[2] / name).read_text(encoding="utf-8") for name in ("README.md", "README.de.md")
)
BLOCKS = re.findall(r"^```\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)
PROGRAM = re.compile(r"(?:\.venv/bin/)?storm-p2p\b ?([^`&]*)")


def _commands(page: str = README) -> list[str]:
    """Return what is said behind the name of the program, in blocks and within sentences."""
    blocks = re.findall(r"^```\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    lines = [part for block in blocks for line in block.splitlines() for part in line.split(" && ")]
    # What stands behind two blanks in a block says what the command does.
    told = [line.partition("  ")[0] for line in lines]
    inline = re.findall(r"`([^`\n]+)`", page)
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


def test_the_german_readme_has_the_sections_commands_tables_and_links_of_the_english_one() -> None:
    def shape(page: str, language: str) -> dict[str, object]:
        for german, english in (("DATEI", "FILE"), ("BEFEHL", "COMMAND"), ("watch WO", "watch WHERE")):
            page = page.replace(german, english)
        first, page = page.split("\n", 1)
        assert language in first
        return {
            "sections": re.findall(r"^#+(?= )", page, re.MULTILINE),
            "commands": sorted(set(_commands(re.sub(r"`([^`\n]+)\n([^`\n]+)`", r"`\1 \2`", page)))),
            "tables": [line.count("|") for line in page.splitlines() if line.startswith("|")],
            "links": re.findall(r"\]\(([^)]+)\)", page),
            "options": sorted(set(re.findall(r"--[a-z][a-z-]*", page))),
        }

    assert shape(GERMAN, "[English](README.md)") == shape(README, "[Deutsch](README.de.md)")
