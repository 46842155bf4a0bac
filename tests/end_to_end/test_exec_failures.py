"""Programs as players that crash, flood, cannot be started or are stopped."""

from __future__ import annotations

import asyncio
import os
import signal
import time
from pathlib import Path
from typing import Any

import pytest
from helpers_processes import hosting, invite_of, joining

from cli import language
from cli.match.program import Program
from cli.runtime import console
from cli.text import matches
from end_to_end.program import GOOD, Bench, assert_legal, opening, run
from storm_p2p.storm import engine
from storm_p2p.storm.board import Faction

GONE = (
    "The program mine has ended. From here on the built-in player plays in its place, and the other player is told so."
)


@pytest.mark.parametrize(
    "act", ["sys.exit(3)", "raise RuntimeError('broken')", "import os; os.close(1); sys.stdin.read()"]
)
def test_a_crashed_program_is_replaced_to_the_end(bench: Bench, act: str) -> None:
    player = bench.player(bench.write(act))
    state = opening()

    async def work() -> list[Any]:
        return [await player.decide(state) for _ in range(3)]

    assert_legal(state, *run(player, work))
    assert bench.reports == [GONE]
    # Whoever plays against it has agreed to a match with somebody else.
    assert bench.channel.spoken == [str(matches.REPLACED)]
    if "broken" in act:
        assert "RuntimeError: broken" in bench.errors.read_text(encoding="utf-8")


HOLDS = """
import subprocess
subprocess.Popen([sys.executable, "-S", "-E", "-c", "import sys; sys.stdin.read()"])
if turns > LAST: say(t="act", action=asked["legal"][0]["action"])
sys.exit()
"""


@pytest.mark.parametrize("last", ["0", "9"], ids=["after an answer", "without one"])
def test_a_program_that_has_ended_is_not_waited_for_because_its_child_holds_the_pipe(last: str, bench: Bench) -> None:
    # Each answer may take an hour, so that waiting for one is never the reason.
    player = bench.player(bench.write(HOLDS.strip().replace("LAST", last)), ms=3_600_000)
    state = opening()

    async def work() -> list[Any]:
        async with asyncio.timeout(60):
            return [await player.decide(state) for _ in range(3)]

    first, *others = run(player, work)
    assert_legal(state, first, *others)
    assert (first == engine.legal_actions(state, Faction.CHTHONIANS)[0]) is (last == "0")
    assert bench.reports == [GONE]


HELPER = """
import subprocess
child = "import fcntl, sys, time; fcntl.flock(sys.stdin, fcntl.LOCK_EX); print(flush=True); time.sleep(300)"
with open(FILE) as lock:
    started = subprocess.Popen(
        [sys.executable, "-S", "-E", "-c", child], stdin=lock, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    )
started.stdout.readline()
say(t="act", action=asked["legal"][0]["action"])
open(HELD, "w").close()
"""
"""A program that starts another one, which holds a lock for as long as it lives."""
LONG = 60.0
"""Seconds that nothing but a failure needs."""


def helped(bench: Bench, more: str = "") -> tuple[str, Path]:
    """Return the command of that program, and the file with the lock."""
    lock = bench.folder / "lock"
    lock.touch()
    act = f"{HELPER.strip()}\n{more}"
    return bench.write(act.replace("FILE", repr(str(lock))).replace("HELD", repr(f"{lock}.held"))), lock


def assert_let_go(lock: Path) -> None:
    """Wait until nobody holds a lock."""
    import fcntl

    until = time.monotonic() + LONG
    with lock.open() as file:
        while True:
            try:
                return fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                assert time.monotonic() < until, "what the program had started is still there"
            time.sleep(0.05)


@pytest.mark.skipif(os.name != "posix", reason="groups of POSIX")
@pytest.mark.parametrize("more", ["", "sys.exit()", "os.close(1); sys.stdin.read()"], ids=["match", "program", "pipe"])
def test_what_a_program_has_started_ends_with_the_match_and_with_the_program(more: str, bench: Bench) -> None:
    command, lock = helped(bench, more.replace("os.", "import os; os."))
    player = bench.player(command)
    run(player, lambda: player.decide(opening()))
    assert Path(f"{lock}.held").exists()
    assert_let_go(lock)


@pytest.mark.skipif(os.name != "posix", reason="groups of POSIX")
def test_what_a_program_has_started_ends_with_a_match_that_is_left(bench: Bench) -> None:
    command, lock = helped(bench)
    home = bench.folder
    with (
        hosting(home / "a", "--player", f"exec:{command}", "--random-setup") as host,
        joining(home / "b", invite_of(host)),
    ):
        until = time.monotonic() + LONG
        while not Path(f"{lock}.held").exists():
            assert time.monotonic() < until
            time.sleep(0.05)
        host.process.send_signal(signal.SIGTERM)
        host.wait()
    assert_let_go(lock)


@pytest.mark.skipif(os.name != "posix", reason="modes of POSIX")
def test_what_it_writes_to_stderr_is_kept_for_its_owner_alone_the_newest_of_it(bench: Bench) -> None:
    bench.errors.write_text("from before\n")
    bench.errors.chmod(0o644)
    act = """
for number in range(30_000):
    print(number, "x" * 90, file=sys.stderr)
say(t="act", action=asked["legal"][0]["action"])
"""
    player = bench.player(bench.write(act.strip()))
    run(player, lambda: player.decide(opening()))
    assert bench.reports == []
    kept = bench.errors.read_text().splitlines()
    assert bench.errors.stat().st_mode & 0o777 == 0o600
    assert console.LONGEST_ERRORS // 3 < bench.errors.stat().st_size <= console.LONGEST_ERRORS
    assert kept[-1] == f"29999 {'x' * 90}"
    assert kept == [f"{number} {'x' * 90}" for number in range(30_000)][-len(kept) :]


def test_a_file_that_cannot_be_written_keeps_nobody_from_playing(bench: Bench) -> None:
    bench.errors.mkdir()
    player = bench.player(bench.write(f"print('x' * 300_000, file=sys.stderr)\n{GOOD}"))
    assert_legal(opening(), run(player, lambda: player.decide(opening())))
    assert bench.reports == []


@pytest.mark.skipif(os.name != "posix", reason="modes of POSIX")
def test_a_program_that_cannot_be_started_is_replaced(bench: Bench) -> None:
    broken = bench.folder / "broken"
    broken.write_text("#!/nowhere\n", encoding="utf-8")
    broken.chmod(0o700)
    player = bench.player(str(broken))
    action = run(player, lambda: player.decide(opening()))
    assert_legal(opening(), action)
    assert len(bench.reports) == 1
    assert "cannot be started" in bench.reports[0]


@pytest.mark.parametrize("loop", ["import time; time.sleep(60)", "print('hello', flush=True); input()", "print({})"])
def test_a_program_that_is_not_ready_is_replaced(bench: Bench, loop: str) -> None:
    player = bench.player(bench.write("", loop=loop), start_ms=300)
    assert_legal(opening(), run(player, lambda: player.decide(opening())))
    assert len(bench.reports) == 1


def test_a_flood_is_held_back_and_the_program_is_stopped(bench: Bench) -> None:
    player = bench.player(bench.write("while True: print('y' * 1000)"))
    assert_legal(opening(), run(player, lambda: player.decide(opening())))
    assert len(bench.reports) == 1


@pytest.mark.usefixtures("spoken")
@pytest.mark.parametrize("code", ["unstarted", "unready", "strange", "ended"])
def test_a_program_that_is_gone_is_spoken_of_in_the_language_of_its_owner(code: str) -> None:
    said = matches.gone("mine", code, why="x", seconds=30)
    assert ("built-in" in said) == (language.current() == language.ENGLISH)


@pytest.mark.parametrize("command", ["", "   ", "'open quote"])
def test_a_command_without_words_is_refused(command: str) -> None:
    with pytest.raises(ValueError, match="expected a command"):
        Program(command)
