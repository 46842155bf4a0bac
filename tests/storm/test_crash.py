"""Two real processes over a real socket: whole matches unattended, and one of them killed at any moment.

Nothing waits for a time: a process is killed when the other one, or itself, has printed a certain line.
"""

from __future__ import annotations

import asyncio
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from helpers import daily_first
from helpers_processes import PATIENCE, Process, hosting, invite_of, joining
from helpers_storm import SEATS, STORM, check
from helpers_wire import envelope_of

from cli.meeting.reachability import LocalEndpoint
from cli.storage import unlock
from cli.storage.home import Home
from protocol.core.frames import Entry, FrameKind
from protocol.core.session import Session
from protocol.crypto.hashing import derive
from protocol.record.journal import Journal, list_matches
from protocol.transport import TransportError
from protocol.transport.websocket import connect

# --- whole matches -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("terms", "guest"),
    [
        pytest.param((), "bot:random", id="plain"),
        pytest.param(
            ("--open-combat", "--random-setup", "--challenge", "-6"),
            "bot:greedy",
            id="all variants",
            marks=pytest.mark.long,
        ),
    ],
)
def test_a_whole_match_unattended_ends_audited_both_logs_verify_and_each_journal_knows_whose_a_frame_is(
    terms: tuple[str, ...], guest: str, tmp_path: Path
) -> None:
    with hosting(tmp_path / "host", *terms) as host, joining(tmp_path / "guest", invite_of(host), guest) as other:
        assert [other.wait(), host.wait()] == [0, 0], host.errors.read_text() + other.errors.read_text()
        ends = [process.said[-1] for process in (host, other)]
        assert [end["event"] for end in ends] == ["over", "over"]
        assert ends[0]["result"] == ends[1]["result"]
        assert ends[0]["result"]["reason"] in ("honor", "leaders", "palace")
        words = [next(line for line in process.said if line["event"] == "connected") for process in (host, other)]
        assert words[0] == words[1]
        for end in ends:
            assert end["audited"] is True
            answer = check(Path(end["log"]))
            assert answer["ok"]
            assert answer["audited"]
            assert answer["result"] == end["result"]
        # Every message was told to both, in order and once.
        told = [[line["seq"] for line in process.said if line["event"] == "message"] for process in (host, other)]
        assert told[0] == told[1] == list(range(1, len(told[0]) + 1))
        assert answer["messages"] == len(told[0])
    # The journal of either says of each frame whose it is.
    (_, ours), (_, theirs) = stored(tmp_path / "host"), stored(tmp_path / "guest")
    flags = {entry.record.frame: entry.ours for entry in ours[4:]}
    assert {entry.record.frame: not entry.ours for entry in theirs[4:]} == flags


LITTLE = """
import re, resource, sys
from pathlib import Path
from cli.app.main import main

resource.setrlimit(resource.RLIMIT_NOFILE, (12, 12))
code = main(sys.argv[1:])
(most,) = re.findall(r"VmHWM:\\s+(\\d+) kB", Path("/proc/self/status").read_text())
sys.exit(code if int(most) < 150_000 else f"{most} kB")
"""
"""A program that opens no more than 12 files at a time, and complains when it has used more than 150 MB."""


@pytest.mark.skipif(sys.platform != "linux", reason="other systems tell nobody how much memory a process had")
@pytest.mark.long
def test_a_whole_match_needs_no_more_than_12_open_files_and_150_mb_on_either_side(tmp_path: Path) -> None:
    # One that is forked from another process has files open that are not its own.
    file = tmp_path / "little.py"
    file.write_text(LITTLE, "utf-8")
    little = (str(file),)
    with (
        hosting(tmp_path / "host", program=little) as host,
        joining(tmp_path / "guest", invite_of(host), program=little) as guest,
    ):
        assert [guest.wait(), host.wait()] == [0, 0], host.errors.read_text() + guest.errors.read_text()
    assert all(program.said[-1]["audited"] for program in (host, guest))


# --- lines that are closed ---------------------------------------------------------------------------------------

CLOSES = """
import sys
from cli.app.main import main
from protocol.core.frames import FrameKind
from protocol.transport.websocket import WebSocketTransport

way, kind = sys.argv.pop(1), FrameKind[sys.argv.pop(1)]
send, receive, closed = WebSocketTransport.send, WebSocketTransport.receive, []

async def close_at(link, frame):
    if frame is not None and frame[1] == kind and not closed:
        closed.append(frame)
        print("CLOSED", file=sys.stderr)
        await link.close()
    return frame

async def send_or_close(link, frame):
    await send(link, await close_at(link, frame) if way == "send" else frame)

async def receive_or_close(link):
    frame = await receive(link)
    return await close_at(link, frame) if way == "receive" else frame

WebSocketTransport.send, WebSocketTransport.receive = send_or_close, receive_or_close
sys.exit(main(sys.argv[1:]))
"""
"""A program that closes the line once, before it sends a frame of a kind or when it has received one."""
STAGES = ("HELLO", "SIGN", "CALL", "RESUME", "ENVELOPE", "RESULT", "SEED", "VERDICT", "DONE")


@pytest.mark.long
@pytest.mark.parametrize("kind", STAGES)
@pytest.mark.parametrize("way", ["send", "receive"])
def test_a_line_that_is_closed_at_any_stage_loses_no_match(way: str, kind: str, tmp_path: Path) -> None:
    # After DONE nothing is missing, and nobody comes back.
    patience = ("--patience", "1" if kind == "DONE" else "30")
    with hosting(tmp_path / "host", *patience) as host:
        invite, closes = invite_of(host), ("-c", CLOSES, way, kind)
        with joining(tmp_path / "guest", invite, "bot:random", *patience, program=closes) as guest:
            over = guest.wait() == 0
        assert "CLOSED" in guest.errors.read_text()
        if not over:
            # The guest types the command again.
            with joining(tmp_path / "guest", invite, "bot:random", *patience) as guest:
                assert guest.wait() == 0, guest.errors.read_text()
        assert host.wait() == 0, host.errors.read_text()
    for program in (host, guest):
        assert "Traceback" not in program.errors.read_text()
        assert program.said[-1]["result"] == host.said[-1]["result"]
        assert program.said[-1]["audited"]
        assert check(Path(program.said[-1]["log"]))["ok"]
        assert len(list_matches(Home(program.home).matches)) == 1


# --- crashes -----------------------------------------------------------------------------------------------------


def stored(folder: Path) -> tuple[str, list[Entry]]:
    """Open the one journal of a home and return its name and entries."""
    (listed,) = list_matches(Home(folder).matches)
    assert listed.problem is None
    with Journal.open(Home(folder).matches, listed.local_id) as journal:
        return listed.local_id, journal.read_entries()


def envelopes(entries: list[Entry]) -> list[bytes]:
    return [entry.record.frame for entry in entries if entry.record.kind == FrameKind.ENVELOPE]


def exported(folder: Path, local: str) -> dict[str, Any]:
    """Export a match as it stands, in a process of its own, and judge the file."""
    command = [sys.executable, "-m", "cli.app.main", "export", local, "--home", str(folder)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=PATIENCE)
    assert done.returncode == 0, done.stderr
    return check(Path(done.stdout.strip()))


def assert_nothing_is_lost(killed: Path, alive: Path) -> None:
    """Check the journals of both after one of them was killed."""
    name, his = stored(killed)
    other_name, ours = stored(alive)
    mine, theirs = envelopes(his), envelopes(ours)
    # The chain of one is the beginning of the other's.
    shorter = min(len(mine), len(theirs))
    assert mine[:shorter] == theirs[:shorter]
    seat = (
        Session([entry.record for entry in his], STORM, unlock.identity(Home(killed)), entropy_of(killed, name))
        .restore()
        .seat
    )
    # What he had sent and the other has seen is on his own disk, side messages and signatures as well.
    sent = {entry.record.frame for entry in his if entry.ours}
    # Of verdicts see the test of B9 below.
    seen = [entry.record.frame for entry in ours[4:] if not entry.ours and entry.record.kind != FrameKind.VERDICT]
    assert set(seen) <= sent
    assert all(envelope_of(frame).seat == seat for frame in seen if frame[1] == FrameKind.ENVELOPE)
    for folder, local in ((killed, name), (alive, other_name)):
        answer = exported(folder, local)
        assert answer["ok"], answer["problems"]
        assert answer["messages"] == len(envelopes(his if folder is killed else ours))
        assert {one["seat"] for one in answer["players"]} == set(SEATS)


def entropy_of(folder: Path, local: str) -> bytes:
    with Journal.open(Home(folder).matches, local) as journal:
        return journal.read_entropy(unlock.identity(Home(folder)))


@pytest.mark.parametrize("run", daily_first(range(4)))
def test_a_program_killed_at_any_moment_has_lost_nothing_that_it_sent(run: int, tmp_path: Path) -> None:
    chance = random.Random(run)
    message = chance.randrange(1, 20)
    with hosting(tmp_path / "host") as host, joining(tmp_path / "guest", invite_of(host)) as guest:
        pair = (host, guest)
        killed, alive = pair[run % 2], pair[1 - run % 2]
        # In turn its own line or the other's says when.
        watched = killed if run % 4 < 2 else alive
        watched.until("message", message)
        killed.kill()
        code = alive.wait()
        # It is not the survivor's fault: the match is saved, or was already over.
        assert code in (0, 4), (code, alive.errors.read_text())
    assert_nothing_is_lost(killed.home, alive.home)


@pytest.mark.long
def test_both_programs_killed_and_resumed_play_the_match_to_its_audited_end(tmp_path: Path) -> None:
    with hosting(tmp_path / "host") as host, joining(tmp_path / "guest", invite_of(host)) as guest:
        guest.until("message", 6)
        host.kill()
        guest.kill()
    before = max(len(envelopes(stored(tmp_path / name)[1])) for name in ("host", "guest"))
    assert before >= 6
    with Process(tmp_path / "host", "resume", "--player", "bot:random") as host:
        if host.until("listening") is None:
            # It had been over before it was killed.
            assert "no unfinished match" in host.errors.read_text()
            return
        with Process(tmp_path / "guest", "resume", "--player", "bot:random") as guest:
            assert [guest.wait(), host.wait()] == [0, 0], guest.errors.read_text() + host.errors.read_text()
        ends = [process.said[-1] for process in (host, guest)]
    assert ends[0]["result"] == ends[1]["result"]
    for end in ends:
        assert end["audited"] is True
        answer = check(Path(end["log"]))
        assert answer["ok"]
        assert answer["audited"]
        assert answer["messages"] >= before


@pytest.mark.long
def test_a_host_killed_before_anybody_came_leaves_nothing_that_is_in_the_way(tmp_path: Path) -> None:
    with hosting(tmp_path / "host") as host:
        invite_of(host)
        host.until("listening")
    with hosting(tmp_path / "host") as host, joining(tmp_path / "guest", invite_of(host)) as guest:
        assert [guest.wait(), host.wait()] == [0, 0]
        assert host.said[-1]["audited"] is True


@pytest.mark.long
def test_a_stranger_who_has_heard_a_frame_does_not_take_the_opponents_place_at_a_resumed_match(tmp_path: Path) -> None:
    with hosting(tmp_path / "host") as host, joining(tmp_path / "guest", invite_of(host)) as guest:
        guest.until("message", 3)
        host.kill()
        guest.kill()
    name, entries = stored(tmp_path / "host")
    heard = envelopes(entries)[0]
    with Journal.open(Home(tmp_path / "host").matches, name) as journal:
        endpoint, match_id = LocalEndpoint.of(journal), journal.match.match_id
    assert endpoint is not None
    assert match_id is not None
    of_the_match = derive(endpoint.secret, "line", match_id)[:16]
    with Process(tmp_path / "host", "resume", "--player", "bot:random") as host:
        line = host.until("listening")
        assert line is not None
        port = int(line["port"])
        # Who has only read the invite cannot say a word; who knows the match as well is heard, and not believed.
        with pytest.raises(TransportError) as silence:
            asyncio.run(say_once(port, endpoint, endpoint.secret, heard))
        assert silence.value.code == "turned-away"
        asyncio.run(say_once(port, endpoint, of_the_match, heard))
        with Process(tmp_path / "guest", "resume", "--player", "bot:random") as guest:
            assert [guest.wait(), host.wait()] == [0, 0]


async def say_once(port: int, endpoint: LocalEndpoint, secret: bytes, frame: bytes) -> None:
    """Knock with a secret and say a frame."""
    link = await connect("127.0.0.1", port, endpoint.certificate.fingerprint, secret)
    await link.send(frame)
    await link.close()
