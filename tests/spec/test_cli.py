"""docs/cli.md is executed: its commands, options and exit codes against the program."""

from __future__ import annotations

import argparse
import re

from helpers_docs import PAGES, rows, section

from cli import main as program
from cli.process.console import Exit

CLI = PAGES["docs/cli.md"]


def options_of_the_program() -> dict[str, set[str]]:
    """Return the options of each command."""
    parser = program._parser()
    commands = next(one for one in parser._actions if isinstance(one, argparse._SubParsersAction))
    return {
        name: {option for one in command._actions for option in one.option_strings if option.startswith("--")}
        - {"--help"}
        for name, command in commands.choices.items()
    }


def test_the_commands_and_their_options_are_those_of_the_program() -> None:
    actual = options_of_the_program()
    commands = {cells[0].strip("`").split()[1] for cells in rows(section(CLI, "The commands"), "command")}
    assert commands == set(actual)
    stated: dict[str, set[str]] = {name: set() for name in actual}
    for names, users, _ in rows(section(CLI, "Options"), "option"):
        options = set(re.findall(r"--[a-z-]+", names))
        several = re.fullmatch(r"([a-z]+); `(--[a-z]+)` also ([a-z]+)", users)
        if several is not None:
            stated[several[1]] |= options
            stated[several[3]].add(several[2])
            continue
        for user in users.split(", "):
            stated[user] |= options
    assert stated == actual


def test_the_exit_codes_are_those_of_the_program() -> None:
    assert [int(cells[0]) for cells in rows(section(CLI, "Exit codes"), "code")] == sorted(Exit)
