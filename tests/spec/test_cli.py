"""docs/cli.md is executed: its commands, options, exit codes and JSON against the program."""

from __future__ import annotations

import argparse
import ast
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import product
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from helpers import ROOT
from helpers_commands import run
from helpers_docs import MODULES, PAGES, blocks, rows, section
from helpers_events import Club
from helpers_storm import StormPair
from helpers_wire import identity

from cli.app import arguments, games, main
from cli.app.launch import running
from cli.app.verify import check_all
from cli.match.history import Result
from cli.match.player import Ending
from cli.runtime.console import Exit
from cli.storage.home import Home
from cli.storage.people import Person
from protocol.core.frames import FrameKind
from protocol.core.words import COUNT, WORDS
from protocol.independent.judging import judge
from protocol.record import judging, keyfile, logfile
from storm_p2p.storm.units import ROSTER

CLI = PAGES["docs/cli.md"]


def options_of_the_program() -> dict[str, set[str]]:
    """Return the options of each command."""
    (commands,) = within(arguments.make_parser())
    return {name: options_of(command) - {"--help"} for name, command in commands.choices.items()}


def within(parser: argparse.ArgumentParser) -> list[Any]:
    """Return what holds the commands below a command."""
    return [one for one in parser._actions if isinstance(one, argparse._SubParsersAction)]


def options_of(command: argparse.ArgumentParser) -> set[str]:
    """Return the options of a command and of those below it."""
    own = {option for one in command._actions for option in one.option_strings if option.startswith("--")}
    return own.union(*(options_of(below) for group in within(command) for below in group.choices.values()))


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


def test_verify_answers_with_the_worst_of_its_files(tmp_path: Path) -> None:
    pair = StormPair(tag="docs")
    pair.act(0, None, tuple(map(int, ROSTER[0])))
    pair.host.side_channel.resign()
    pair.settle()
    signing = (FrameKind.RESULT, FrameKind.SEED, FrameKind.VERDICT)
    unsigned = [record for record in pair.host.records if record.kind not in signing]
    files = {
        Exit.USAGE: b"no log",
        Exit.NO: pair.log()[:-1],
        # He has resigned in the other's turn, and the winner could have left a move out that lost.
        Exit.UNCONFIRMED: logfile.dump(unsigned, 1, pair.guest.sign_log),
        Exit.FINE: pair.log(),
    }
    for code, data in files.items():
        (tmp_path / f"{code}.storm").write_bytes(data)
    for one, two in product(files, repeat=2):
        if {one, two} != {Exit.UNCONFIRMED, Exit.FINE}:
            worst = one if list(files).index(one) < list(files).index(two) else two
            assert main.main(["verify", *(str(tmp_path / f"{code}.storm") for code in (one, two))]) == worst
    # Together with a log in which he has signed the result nothing is missing.
    together = [str(tmp_path / f"{code}.storm") for code in (Exit.UNCONFIRMED, Exit.FINE)]
    assert main.main(["verify", *together]) == Exit.FINE


def test_a_match_with_an_unconfirmed_result_ends_with_its_own_code() -> None:
    match: Any = SimpleNamespace(session=SimpleNamespace(stopped=None))
    ending = Ending("draw", "agreement", audited=True, log=None)
    assert running._exit(match, ending) == Exit.FINE
    assert running._exit(match, replace(ending, confirmed=False)) == Exit.UNCONFIRMED
    assert running._exit(match, replace(ending, confirmed=False, problems=("cheated",))) == Exit.NO
    assert running._exit(match, replace(ending, confirmed=False, winner=None)) == Exit.LEFT


# -- JSON -------------------------------------------------------------------------------------------------


def objects_of(path: Path) -> Iterator[dict[str, ast.expr]]:
    """Yield the dictionaries that a module writes down, by their keys."""
    for node in ast.walk(ast.parse(MODULES[path])):
        if isinstance(node, ast.Dict):
            yield {
                key.value: value
                for key, value in zip(node.keys, node.values, strict=True)
                if isinstance(key, ast.Constant) and isinstance(key.value, str)
            }


def keys_of(value: Any) -> set[str]:
    """Return every key in a value, however deep it stands."""
    if isinstance(value, Mapping):
        return set(value).union(*map(keys_of, value.values()))
    return set().union(*map(keys_of, value)) if isinstance(value, list) else set()


def test_the_lines_of_a_match_and_of_doctor_are_those_of_the_program() -> None:
    stated: dict[str, set[str]] = {}
    for line in "".join(blocks(CLI, "json lines") + blocks(CLI, "json doctor")).splitlines():
        example = json.loads(line)
        stated.setdefault(example["event"], set()).update(example)
    actual: dict[str, set[str]] = {}
    for path in MODULES:
        if path.relative_to(ROOT).parts[0] == "cli":
            for found in objects_of(path):
                if isinstance(event := found.get("event"), ast.Constant):
                    actual.setdefault(str(event.value), set()).update(found)
    # The rest of a claim is added to what all its lines have.
    actual["claim"] |= {"ground", "seconds", "proved"}
    assert stated == actual


def test_the_words_to_compare_are_as_many_as_are_shown_and_of_the_list() -> None:
    shown = [json.loads(words) for words in re.findall(r'"words": (\[.*?\])', CLI)]
    assert [len(words) for words in shown] == [COUNT, COUNT]
    assert {word for words in shown for word in words} <= set(WORDS)


def test_every_key_of_verify_is_in_the_example_and_told(tmp_path: Path) -> None:
    (example,) = map(json.loads, blocks(CLI, "json verify"))
    pair = StormPair(tag="docs")
    (tmp_path / "no.storm").write_bytes(b"no log")
    (tmp_path / "cut.storm").write_bytes(pair.log()[:-1])
    (tmp_path / "whole.storm").write_bytes(pair.log())
    for judging_log in (judging.judge, judge):
        for answer in check_all(sorted(tmp_path.iterdir()), judging_log):
            assert list(answer) == list(example)
            assert set(answer["result"]) == set(example["result"])
    modules = ROOT / "cli" / "app" / "verify.py", ROOT / "protocol" / "record" / "judging.py"
    written = set().union(*(keys for module in modules for keys in objects_of(module)))
    assert written | set(example["result"]) == keys_of(example) | {"terms"}
    told = set(re.findall(r"`([a-z_]+)`", " ".join(cells[0] for cells in rows(section(CLI, "Verify"), "key"))))
    assert told <= set(example)
    # What says of itself what it is needs no row.
    assert set(example) - told == {"file", "match", "players", "scheme"}


def test_the_address_book_has_the_keys_that_are_told() -> None:
    ((example,),) = map(json.loads, blocks(CLI, "json people"))
    assert set(Person("alice", (), "2026-11-22").value()) | {"score", "also"} == set(example)
    assert set(Result) == set(example["score"])


def test_the_history_has_the_keys_that_are_told(tmp_path: Path) -> None:
    (example,) = map(json.loads, blocks(CLI, "json history"))
    home = Home(tmp_path)
    home.prepare()
    keyfile.save(home.key_file, identity("host"))
    (home.logs / "a.storm").write_bytes(StormPair(tag="docs").log())
    (home.logs / "b.storm").write_bytes(b"junk")
    found = json.loads(run("history", "--json", "--home", str(tmp_path)).stdout)
    assert list(found) == list(example)
    assert [[list(row) for row in rows] for rows in found.values()] == [[list(rows[0])] for rows in example.values()]


def test_every_command_below_event_is_listed() -> None:
    (commands,) = within(arguments.make_parser())
    (below,) = within(commands.choices["event"])
    told = {word for cells in rows(section(CLI, "Tournaments"), "WHAT") for word in re.findall(r"`([a-z]+)`", cells[0])}
    assert told == set(below.choices)


def test_the_status_of_a_tournament_has_the_keys_that_are_told(tmp_path: Path) -> None:
    (example,) = map(json.loads, blocks(CLI, "json event"))
    club = Club(tmp_path)
    club.start("--games", "1")
    done = run("event", "status", str(club.folder), "--json", "--home", str(club.home("ann")))
    found = json.loads(done.stdout)
    assert list(found) == list(example)
    for name in ("tasks", "holes", "you"):
        one, told = (value[name][0] if name != "you" else value[name] for value in (found, example))
        assert list(one) == list(told)


def test_the_computer_players_are_those_of_the_program() -> None:
    stated = {cells[0].strip("`"): cells[1] for cells in rows(section(CLI, "Computer players"), "name")}
    game = games.find()
    assert list(stated.items()) == [(bot, str(level)) for bot, level in game.levels.items()]
