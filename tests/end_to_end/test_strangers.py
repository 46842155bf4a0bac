"""What was attacked on real processes with files, bytes and names: none of it runs, shows or stops anything."""

from __future__ import annotations

import asyncio
import os
import site
import socket
import struct
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from helpers import daily_first
from helpers_processes import BEHIND
from websockets.frames import Frame, Opcode

from cli.app import play
from protocol.reach import invite
from protocol.reach.invite import Invite
from protocol.reach.punching import Puncher
from protocol.transport import TransportError
from protocol.transport.websocket import abort, connect

TIMEOUT = 100
PLANTED = "open('ran.txt', 'a').write(__name__ + chr(10))\nraise ImportError('planted')\n"


def planted(folder: Path) -> Path:
    """Return a folder with a log and with modules that bear the names of those that the program imports."""
    folder.mkdir()
    for name in ("msgpack", "websockets", "cryptography", "cli", "json"):
        (folder / f"{name}.py").write_text(PLANTED)
    (folder / "friend.storm").write_bytes(b"storm-p2p log 1\n")
    return folder


@pytest.mark.parametrize("again", daily_first(["play", "resume"]))
def test_no_module_that_lies_in_the_current_folder_is_run(again: str, tmp_path: Path) -> None:
    folder, home = planted(tmp_path / "downloads"), str(tmp_path / "home")
    for word in ("play", "resume") if again == "resume" else ("play",):
        done = subprocess.run(
            [sys.executable, "-P", "-m", "cli.app.main", word, "--plain", "--home", home],
            cwd=folder,
            input="bye\n",
            capture_output=True,
            text=True,
            timeout=TIMEOUT,
        )
        assert done.returncode == 4, (done.stdout, done.stderr)
    assert not (folder / "ran.txt").exists()


def test_the_computer_player_starts_where_the_program_is_not_installed(tmp_path: Path) -> None:
    folder = planted(tmp_path / "downloads")
    # Without the module ``site`` no path file is read: nothing but the folder of its source leads to the program.
    python, *rest = play.PROGRAM
    libraries = next(path for path in site.getsitepackages() if Path(path, "msgpack").is_dir())
    done = subprocess.run(
        [python, "-S", *rest, "people", "--home", str(tmp_path)],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=TIMEOUT,
        env={**os.environ, "PYTHONPATH": libraries},
    )
    assert done.returncode == 0, done.stderr
    assert not (folder / "ran.txt").exists()


def at_a_terminal(*words: str) -> Any:
    """Start Python at a terminal, whose output is read by the one who has asked for it."""
    pexpect = pytest.importorskip("pexpect", reason="there is no pseudo-terminal")
    return pexpect.spawn(sys.executable, ["-P", *words], timeout=TIMEOUT, dimensions=(40, 400), encoding="utf-8")


def test_pings_and_a_reset_write_nothing_over_the_screen(tmp_path: Path) -> None:
    words = ["host", "--plain", "--no-qr", "--bind", "127.0.0.1", "--name", "alice", "--home", str(tmp_path)]
    child = at_a_terminal("-m", "cli.app.main", *words)
    child.expect_exact("Leave with Ctrl-C.")
    found = invite.parse(child.before, int(time.time()))

    async def attack() -> None:
        link = await connect(*found.candidates[0], found.pin, found.secret)
        transport = link._connection.transport
        transport.pause_reading()
        # Whoever lingers for no time says goodbye with a reset.
        linger = struct.pack("ii", 1, 0)
        transport.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
        transport.write(Frame(Opcode.PING, b"").serialize(mask=True) * 20_000)
        abort(link._connection)

    async def call() -> None:
        await attack()
        # The next one is served when the one before is gone; until then the host is busy.
        link = None
        while link is None:
            with suppress(TransportError):
                link = await connect(*found.candidates[0], found.pin, found.secret)
        await link.close()

    asyncio.run(call())
    child.sendintr()
    child.expect_exact("Interrupted")
    rows = [row for row in child.before.splitlines() if row.strip("^C ")]
    # What is said at most is the program's own sentence about the flood.
    assert [row for row in rows if not row.startswith("The other side sent far more")] == []
    child.close()


def test_what_a_library_logs_reaches_no_terminal(tmp_path: Path) -> None:
    code = (
        "import logging, sys; from cli.app.main import main; main(sys.argv[1:]);"
        "logging.getLogger('asyncio').error('over the board'); print('the end')"
    )
    child = at_a_terminal("-c", code, "people", "--home", str(tmp_path))
    child.expect_exact("the end")
    assert "over the board" not in child.before
    child.close()


def test_an_invite_pasted_in_two_lines_is_asked_for_once(tmp_path: Path) -> None:
    half = bytes(16)
    line = invite.dump(Invite((("127.0.0.1", 9),), half, half, half, int(time.time()) + 1000, half))
    child = at_a_terminal("-m", "cli.app.main", "join", "--plain", "--name", "bob", "--home", str(tmp_path))
    child.expect_exact("Paste the invite (Ctrl-C leaves): ")
    # A terminal hands on what is pasted line by line, and the end only with its Enter.
    child.send(f"storm-p2p join {line[:60]}\r{line[60:100]}\r{line[100:]}")
    child.expect_exact("The invite is incomplete. Paste the rest, or press Enter to try it as it is: ")
    child.send("\r")
    child.expect_exact("127.0.0.1 port 9")
    assert "incomplete" not in child.before
    child.close()


def renewed(child: Any) -> tuple[Invite, Invite]:
    """Return the invite of a host and the one that follows when a new one is asked for."""
    invites: list[Invite] = []
    for press in ("n", ""):
        child.expect_exact("c copies")
        invites.append(invite.parse(child.before, int(time.time())))
        child.send(press)
    before, after = invites
    assert (before.candidates, before.pin) == (after.candidates, after.pin)
    return before, after


def interrupt(child: Any) -> None:
    child.sendintr()
    child.expect_exact("Interrupted")
    child.close()


def test_a_host_who_asks_for_a_new_invite_is_found_with_that_one_alone(tmp_path: Path) -> None:
    words = ["host", "--no-qr", "--bind", "127.0.0.1", "--name", "alice", "--home", str(tmp_path)]
    child = at_a_terminal("-m", "cli.app.main", *words)
    before, after = renewed(child)

    async def call(found: Invite) -> None:
        await (await connect(*found.candidates[0], found.pin, found.secret)).close()

    with pytest.raises(TransportError, match="expected to be let in"):
        asyncio.run(call(before))
    asyncio.run(call(after))
    interrupt(child)


def test_a_host_who_asks_for_a_new_invite_keeps_silent_by_udp_about_the_old_one(tmp_path: Path) -> None:
    words = ["host", "--no-qr", "--bind", "127.0.0.1", "--name", "alice", "--home", str(tmp_path)]
    child = at_a_terminal("-c", BEHIND, *words, "--no-map", "--no-tor", "--no-stun")
    invites = renewed(child)

    async def knock() -> None:
        sides = [Puncher(0, one.secret, is_host=False, take=lambda call: None, binds=["127.0.0.1"]) for one in invites]
        try:
            for side, one in zip(sides, invites, strict=True):
                await side.start()
                side.knock(one.candidates)
            await sides[1].meet()
            # The host has read the older one's knocks before.
            assert sides[0].knocker.way is None
        finally:
            for side in sides:
                await side.close()

    asyncio.run(asyncio.wait_for(knock(), TIMEOUT))
    interrupt(child)
