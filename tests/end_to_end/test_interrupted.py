"""Whatever ends a program early, the match is saved and a sentence says so."""

from __future__ import annotations

import json
import os
import shlex
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from helpers_commands import TIMEOUT, finish, hosting
from helpers_processes import Forked


@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
def test_a_killed_opponent_leaves_a_saved_match_and_a_sentence(tmp_path: Path) -> None:
    with hosting(tmp_path / "a", "--player", "bot:greedy") as (host, invite):
        words = ("join", invite, "--plain", "--yes", "--patience", "0", "--home", str(tmp_path / "b"))
        with Forked(*words, stdin=subprocess.PIPE, stderr=subprocess.PIPE) as guest:
            assert guest.stdin is not None
            assert host.stdout is not None
            guest.stdin.write("random\nseal!\n")
            guest.stdin.flush()
            # The first line of a match has 20 seconds to come; it is there when both have heard of each other.
            setups = 0
            while setups < 2:
                setups += json.loads(host.stdout.readline())["event"] == "message"
            host.send_signal(signal.SIGKILL)
            out, err = finish(guest)
        assert guest.returncode == 4, (out, err)
        assert "saved" in out + err
        assert "Traceback" not in err


@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
def test_a_host_that_a_program_has_started_ends_with_it(tmp_path: Path) -> None:
    words = ("host", "--home", str(tmp_path), "--bind", "127.0.0.1", "--player", "bot:random", "--json")
    with Forked(*words, "--end-with-input", stdin=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert json.loads(process.stdout.readline())["event"] == "invite"
        process.stdin.close()
        out, err = finish(process)
        # Before a match there is nothing to save, and the polite kill does what it does to any program.
        assert process.returncode in (4, signal.SIGTERM, -signal.SIGTERM), (out, err)
        assert "Traceback" not in err


def test_ctrl_c_while_waiting_says_so_and_ends_with_130(tmp_path: Path) -> None:
    with hosting(tmp_path, "--player", "bot:greedy") as (host, _):
        host.send_signal(signal.SIGINT)
        _, err = finish(host)
        assert host.returncode == 130
        assert "Interrupted" in err


SILENT = """
import sys
for line in sys.stdin:
    if '"hello"' in line:
        print('{"t": "ready", "name": "silent"}', flush=True)
"""


@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
@pytest.mark.parametrize(
    ("player", "name", "code"),
    [
        pytest.param(player, name, 130 if name == "SIGINT" else 4, marks=[] if daily else pytest.mark.long)
        for daily, player, name in (
            (True, "human", "SIGINT"),
            (False, "exec", "SIGHUP"),
            (False, "bot", "SIGTERM"),
            (False, "human", "SIGTERM"),
            (False, "human", "SIGHUP"),
            (False, "bot", "SIGINT"),
            (False, "bot", "SIGHUP"),
            (False, "exec", "SIGINT"),
            (False, "exec", "SIGTERM"),
        )
    ],
)
def test_a_signal_in_the_middle_leaves_a_saved_match(tmp_path: Path, player: str, name: str, code: int) -> None:
    silent = tmp_path / "silent.py"
    silent.write_text(SILENT)
    # A host who never answers keeps the match in its middle.
    never = f"exec:{shlex.join((sys.executable, str(silent)))}"
    who = {"human": ["--plain"], "bot": ["--player", "bot:greedy", "--json"], "exec": ["--player", never, "--json"]}
    with hosting(tmp_path / "a", "--player", never) as (_, invite):
        words = ("join", invite, *who[player], "--yes", "--home", str(tmp_path / "b"))
        with Forked(*words, stdin=subprocess.PIPE, stderr=subprocess.PIPE) as guest:
            assert guest.stdout is not None
            guest.stdout.readline()
            guest.send_signal(getattr(signal, name))
            guest.wait(timeout=TIMEOUT)
            assert guest.stderr is not None
            err = guest.stderr.read()
        assert guest.returncode == code, err
        assert "Traceback" not in err
    assert [path for path in (tmp_path / "b" / "matches").iterdir() if path.stat().st_size]
