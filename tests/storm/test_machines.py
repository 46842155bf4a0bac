"""What machines do: a disk that is full in the middle of a match, and clocks that jump."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from storm.rough import RoughMatch

JUMPING = '''
"""A clock that jumps by hours and days in both directions, at every start and every few looks at it."""
import random
import time

_true, _chance, _shift = time.time, random.Random(), [0.0]


def jumping():
    if _chance.random() < 0.2:
        _shift[0] = _chance.choice((0, -7200, 7200, -170000, 170000, 0.5))
    return _true() + _shift[0]


time.time = jumping
time.time_ns = lambda: int(jumping() * 1e9)
'''


@pytest.mark.long
def test_a_match_with_crashes_on_machines_whose_clocks_jump_loses_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "clock").mkdir()
    (tmp_path / "clock" / "sitecustomize.py").write_text(JUMPING, encoding="utf-8")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path / "clock"))
    shown = subprocess.run(
        [sys.executable, "-c", "import time; print(time.time is not time.monotonic, time.time.__name__)"],
        capture_output=True,
        text=True,
        check=True,
        timeout=100,
    )
    assert "jumping" in shown.stdout
    match = RoughMatch(tmp_path, 4)
    assert asyncio.run(match.play()) == ""
    assert match.killed


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of its own with little room; for root on Linux, where one can be made."""
    disk = tmp_path / "disk"
    disk.mkdir()
    if sys.platform != "linux" or os.geteuid() != 0:
        pytest.skip("a small disk can be made by root on Linux only")
    made = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=150k", "tmpfs", str(disk)], capture_output=True)
    if made.returncode:
        pytest.skip("no file system may be mounted here")
    try:
        yield disk
    finally:
        subprocess.run(["umount", "-l", str(disk)], check=True)


def command(*words: str) -> list[str]:
    return [sys.executable, "-m", "cli.app.main", *words, "--player", "bot:random", "--json"]


@pytest.mark.long
def test_a_full_disk_ends_with_a_sentence_and_the_match_goes_on_when_there_is_room(
    tmp_path: Path, small_disk: Path
) -> None:
    host_home, guest_home = ("--home", str(small_disk / "home")), ("--home", str(tmp_path / "guest"))
    loop = ("--bind", "127.0.0.1")
    with subprocess.Popen(
        command("host", *loop, *host_home), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as host:
        assert host.stdout is not None
        invite = json.loads(host.stdout.readline())["invite"]
        with subprocess.Popen(
            command("join", invite, *loop, *guest_home, "--patience", "60"), stdout=subprocess.PIPE, text=True
        ) as guest:
            out, err = host.communicate(timeout=100)
            assert host.returncode == 1, (out[-500:], err)
            assert "disk is full" in err
            assert "Traceback" not in err
            subprocess.run(["mount", "-o", "remount,size=20m", str(small_disk)], check=True)
            again = subprocess.run(
                command("resume", *loop, *host_home), capture_output=True, text=True, timeout=100, check=False
            )
            assert again.returncode == 0, again.stderr
            assert guest.stdout is not None
            ends = [json.loads(again.stdout.splitlines()[-1]), json.loads(guest.stdout.read().splitlines()[-1])]
            assert guest.wait(60) == 0
    assert ends[0]["result"] == ends[1]["result"]
    assert all(end["audited"] for end in ends)
    verified = subprocess.run(
        [sys.executable, "-m", "cli.app.main", "verify", "--json", *(end["log"] for end in ends)],
        capture_output=True,
        text=True,
        timeout=100,
        check=False,
    )
    assert [one["ok"] for one in json.loads(verified.stdout)] == [True, True]
