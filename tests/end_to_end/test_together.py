"""Programs that are started together in one home, and one that is killed between two steps: nothing is lost."""

from __future__ import annotations

import argparse
import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from itertools import combinations
from pathlib import Path

import pytest
from helpers import daily_first
from helpers_commands import LOG, run
from helpers_processes import Forked

from cli.app.arguments import make_parser
from cli.events.folder import known_folders
from cli.storage import people, unlock
from cli.storage.home import Home, Preferences, load_preferences
from cli.storage.people import People
from cli.storm import placing
from protocol.crypto.keys import PrivateKey
from protocol.reach.invite import Invite, dump
from protocol.record import keyfile
from protocol.record.files import LOCK
from storm_p2p.storm.board import Faction

_LOOP = """
import sys
from dataclasses import replace
from pathlib import Path
from cli.events.folder import remember
from cli.storage import unlock
from cli.storage.home import Home, load_preferences, save_preferences
from cli.storage.people import Book
from cli.storm import placing

number = int(sys.argv[1])
for line in sys.stdin:
    home = Home(Path(line.rstrip("\\n")))
    {act}
    print("done", flush=True)
"""


def together(act: str, count: int, homes: Sequence[Path]) -> list[list[str]]:
    """Let programs, each with a number, do something in each home at the same time; return what each has printed."""
    with ExitStack() as stack:
        processes = [
            stack.enter_context(Forked(str(number), program=("-c", _LOOP.replace("{act}", act)), stdin=subprocess.PIPE))
            for number in range(count)
        ]
        said: list[list[str]] = [[] for _ in processes]
        for home in homes:
            for process in processes:
                assert process.stdin is not None
                process.stdin.write(f"{home}\n")
                process.stdin.flush()
            for process, lines in zip(processes, said, strict=True):
                assert process.stdout is not None
                while (line := process.stdout.readline().rstrip("\n")) != "done":
                    assert line, f"a program has ended at {home}"
                    lines.append(line)
    return said


def homes_below(folder: Path, count: int) -> list[Path]:
    return [folder / str(number) for number in range(count)]


# --- the same file ------------------------------------------------------------------------------------------------


def test_programs_started_together_in_a_fresh_home_have_one_identity_which_is_stored(tmp_path: Path) -> None:
    homes = homes_below(tmp_path, 20)
    said = together("print(unlock.identity(home).public.hex())", 8, homes)
    for number, home in enumerate(homes):
        assert {lines[number] for lines in said} == {unlock.identity(Home(home)).public.hex()}


def test_eight_commands_show_one_identity(tmp_path: Path) -> None:
    with ExitStack() as stack:
        words = ("key", "show", "--home", str(tmp_path / "home"))
        started = [stack.enter_context(Forked(*words)) for _ in range(8)]
        assert len({one.communicate()[0] for one in started}) == 1


def test_four_hosts_of_one_home_that_meet_four_friends_remember_all_four(tmp_path: Path) -> None:
    homes = homes_below(tmp_path, 50)
    said = together('print(Book.of(home).met(f"friend{number}", bytes([number]) * 32)[0])', 4, homes)
    assert said == [["True"] * len(homes)] * 4
    for home in homes:
        known = people.load(Home(home).people_file)
        assert {one.name for one in known.persons} == {f"friend{number}" for number in range(4)}


def test_settings_setups_and_tournaments_keep_what_each_program_has_stored(tmp_path: Path) -> None:
    homes = homes_below(tmp_path, 10)
    chosen = ({"name": "Al"}, {"bot": "greedy"}, {"mouse": False}, {"hint_seconds": 7})
    together(
        f"chosen = {chosen!r}[number]; "
        "before = load_preferences(home.folder); "
        "save_preferences(home.folder, replace(before, **chosen), before); "
        "placing.save(home.folder, f'name{number}', placing.of({'olympians': {'a': {'zeus': 4}}})"
        "[placing.Faction.OLYMPIANS]['a']); "
        "remember(home, Path(f'/event{number}'), bytes(32), 'x')",
        4,
        homes,
    )
    for home in homes:
        assert load_preferences(home) == Preferences("Al", bot="greedy", mouse=False, hint_seconds=7)
        assert set(placing.load(home)[Faction.OLYMPIANS]) == {f"name{number}" for number in range(4)}
        assert len(json.loads((home / "events.json").read_bytes())) == 4


# --- all pairs of commands ----------------------------------------------------------------------------------------

BOB, CARL, NEW = (bytes([number]) * 32 for number in (1, 2, 3))
SERVE = ("play", "host", "witness")
"""Commands that go on until they are stopped, which happens after their first line."""


def words_of(folder: Path) -> dict[str, list[list[str]]]:
    """Return how each command is called beside another one; what it needs lies in the folder."""
    invite = dump(Invite((("127.0.0.1", 1),), bytes(16), bytes(16), bytes(16), 2**32 - 1, bytes(16)))
    event = str(folder / "event")
    bot = ["--player", "bot:random"]
    return {
        "play": [["play", *bot, "--bot", "random", "--json"]],
        "host": [["host", *bot, "--bind", "127.0.0.1", "--port", "0", "--json"]],
        "join": [["join", invite, *bot, "--no-map", "--no-tor"]],
        "resume": [["resume", *bot]], "export": [["export"]], "verify": [["verify", str(LOG)]],
        "replay": [["replay", str(LOG), "--text"]], "history": [["history"]], "analyse": [["analyse", "nothing"]],
        "learn": [["learn"]], "doctor": [["doctor", "--no-map", "--no-stun", "--json"]],
        "scenario": [["scenario", "-"]],
        "key": [["key", "show"], ["key", "import", str(folder / "moved.key")], ["key", "passphrase"]],
        "witness": [["witness", "--port", "0", "--json"]],
        "people": [["people", "list"], ["people", "trust", "bob", NEW.hex()], ["people", "forget", "carl"]],
        "completion": [["completion", "bash"]], "archive": [["archive", "stats", str(folder / "none")]],
        "standings": [["standings", event]], "watch": [["watch", str(folder / "none")]],
        "page": [["page", str(LOG), "--light", "--out", str(folder / "page.html")]],
        "cards": [["cards", "new", str(folder / "cards.json")]],
        "event": [
            ["event", "new", str(folder / "other"), "--name", "x", "--system", "round-robin", "--entries", "1d",
             "--coins", "1d", "--each", "1d"],
            ["event", "enter", event, "--name", "al"], ["event", "status", event],
        ],
    }  # fmt: skip


def prepare(folder: Path) -> Home:
    """Make a home without an identity, in which two people are known, and what commands need beside it."""
    home = Home(folder / "home")
    home.prepare()
    book = People().learn("bob", BOB, "2026-11-21").learn("carl", CARL, "2026-11-21")
    people.change(home.people_file, lambda _: book)
    keyfile.save(folder / "moved.key", PrivateKey(NEW))
    new = ["event", "new", str(folder / "event"), "--name", "x", "--system", "round-robin", "--entries", "1d"]
    run(*new, "--coins", "1d", "--each", "1d", "--home", str(folder / "organiser"))
    return home


def start(home: Home, words: Sequence[str]) -> Forked:
    return Forked(words[0], "--home", str(home.folder), "--lang", "en", *words[1:], stderr=subprocess.PIPE)


def end(process: Forked, words: Sequence[str]) -> tuple[int, str]:
    """Return the exit code of a command, and its output."""
    first = ""
    if words[0] in SERVE:
        assert process.stdout is not None
        first = process.stdout.readline()
        process.terminate()
    with process:
        out, err = process.communicate()
    assert "Traceback" not in err, err
    return process.wait(), first + out


def contents(home: Home) -> dict[str, bytes]:
    return {str(path): path.read_bytes() for path in home.folder.rglob("*") if path.is_file() and path.name != LOCK}


def commands() -> set[str]:
    """Return the commands of the program."""
    (table,) = (one for one in make_parser([])._actions if isinstance(one, argparse._SubParsersAction))
    return set(table.choices)


def check(home: Home, pair: Sequence[Sequence[str]], ended: Sequence[tuple[int, str]]) -> None:
    """Check that each of two programs has done what it says."""
    assert not list(home.folder.rglob("*.part"))
    for path in home.folder.glob("*.json"):
        json.loads(path.read_bytes())
    known = people.load(home.people_file)
    ours = {keyfile.load(path).public for path in home.folder.glob("identity*.key")}
    for words, (code, out) in zip(pair, ended, strict=True):
        if words[:2] == ["key", "show"]:
            assert bytes.fromhex(out.strip()) in ours
        if code != 0:
            continue
        if words[:2] == ["key", "import"]:
            assert unlock.identity(home).public == PrivateKey(NEW).public
        if words[:2] == ["people", "trust"]:
            assert known.named(NEW) == ("bob",)
        if words[:2] == ["people", "forget"]:
            assert known.find("carl") is None
        if words[:2] in (["event", "new"], ["event", "enter"], ["event", "status"]):
            assert Path(words[2]) in {one.path for one in known_folders(home)}
        if words[0] == "witness":
            assert keyfile.load(home.witness_file).public.hex() in out
    # What nobody has changed is as it was.
    assert known.find("bob") is not None


def writers_among(folder: Path) -> list[list[str]]:
    """Return the commands that change a home when they run alone."""
    calls = words_of(folder)
    assert set(calls) == commands(), "a new command is called here as well"
    writers = []
    for number, words in enumerate(words for of_one in calls.values() for words in of_one):
        home = prepare(folder / f"alone{number}")
        before = contents(home)
        words = [word.replace(str(folder), str(home.folder.parent)) for word in words]
        end(start(home, words), words)
        if contents(home) != before:
            writers.append([word.replace(str(home.folder.parent), str(folder)) for word in words])
    return writers


def groups(count: int) -> Iterator[list[int]]:
    """Yield each number twice, then groups of four in which every two numbers come together."""
    yield from ([one, one] for one in range(count))
    left = set(combinations(range(count), 2))
    while left:
        group = list(min(left))
        while len(group) < 4:
            new = {one: sum(tuple(sorted((one, other))) in left for other in group) for one in range(count)}
            group.append(max({*new} - {*group}, key=lambda one: new[one]))
        left -= set(combinations(sorted(group), 2))
        yield group


@pytest.mark.long
def test_every_two_commands_that_change_a_home_do_so_at_the_same_time(tmp_path: Path) -> None:
    writers = writers_among(tmp_path)
    assert {words[0] for words in writers} >= {"play", "host", "key", "people", "event", "witness"}
    for number, group in enumerate(groups(len(writers))):
        here = tmp_path / str(number)
        home = prepare(here)
        calls = [[word.replace(str(tmp_path), str(here)) for word in writers[one]] for one in group]
        started = [start(home, words) for words in calls]
        check(home, calls, [end(process, words) for process, words in zip(started, calls, strict=True)])


@pytest.mark.parametrize("pair", [(0, 1), (3, 4), (1, 5)])
def test_two_commands_that_change_a_home_do_so_at_the_same_time(tmp_path: Path, pair: tuple[int, int]) -> None:
    home, calls = prepare(tmp_path), words_of(tmp_path)
    chosen = [*calls["key"][:2], *calls["people"], *calls["event"][1:]]
    two = [chosen[number] for number in pair]
    started = [start(home, words) for words in two]
    check(home, two, [end(process, words) for process, words in zip(started, two, strict=True)])


# --- killed between two steps -------------------------------------------------------------------------------------

_KILLED = """
import os, signal, sys

home, left = sys.argv[1], int(sys.argv[2])
STEPS = ("open", "os.rename", "os.remove", "os.link", "os.mkdir", "os.utime", "os.chmod", "sqlite3.connect")

def count(event, arguments):
    global left
    if event in STEPS and arguments and str(arguments[0]).startswith(home):
        left -= 1
        if left < 0:
            os.kill(os.getpid(), signal.SIGKILL)

from cli.app.main import main
from cli.match import stored
sys.addaudithook(count)
sys.exit(main(["key", "import", sys.argv[3], "--home", home]))
"""


@pytest.mark.skipif(os.name != "posix", reason="there is no such signal")
@pytest.mark.parametrize("stride", daily_first([4, 1]))
def test_an_import_that_is_killed_between_two_steps_leaves_an_identity(stride: int, tmp_path: Path) -> None:
    file, new = tmp_path / "moved.key", PrivateKey(NEW).public
    keyfile.save(file, PrivateKey(NEW))
    for steps in range(0, 200, stride):
        home = Home(tmp_path / str(steps) / "home")
        before = unlock.identity(home).public
        words = [sys.executable, "-c", _KILLED, str(home.folder), str(steps), str(file)]
        code = subprocess.run(words, capture_output=True, check=False).returncode
        assert home.key_file.exists(), f"no identity after {steps} steps"
        now = keyfile.load(home.key_file).public
        assert now in (before, new)
        if now == new:
            (aside,) = home.folder.glob("identity-*.key")
            assert keyfile.load(aside).public == before
        if code == 0:
            break
        assert code == -signal.SIGKILL
    assert (now, steps > 5) == (new, True)
