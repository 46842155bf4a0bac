"""Finding each other when the plain way fails: the guest listens, both have moved, the line is read from a screen."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
import segno
from helpers_processes import BEHIND, MAIN, Forked, Process, hosting, invite_of, joining

from cli.app.launch import inviting
from cli.meeting.joining import dump_swap
from cli.meeting.reachability import LocalEndpoint
from protocol.core.frames import FrameKind
from protocol.reach import invite
from protocol.reach.formats.outside import Seen
from protocol.reach.invite import Invite, Purpose
from protocol.record.journal import Journal
from protocol.transport import TransportError
from protocol.transport.certificate import Certificate

LOOP = ("--bind", "127.0.0.1", "--player", "bot:random", "--random-setup")
TIMEOUT = 100


class Program:
    """A process and what it says."""

    def __init__(self, home: Path, *words: str, program: Sequence[str] = MAIN) -> None:
        home.mkdir(exist_ok=True)
        self.errors = home / "errors.txt"
        words = (*words, "--json", "--home", str(home))
        with self.errors.open("ab") as errors:
            self.process = Forked(*words, program=program, stdin=subprocess.PIPE, stderr=errors)
        self.said: list[dict[str, Any]] = []

    def until(self, event: str, count: int = 1) -> dict[str, Any]:
        """Read until an event has come so often."""
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.said.append(json.loads(line))
            if self.said[-1]["event"] == event:
                count -= 1
                if count == 0:
                    return self.said[-1]
        raise AssertionError((event, self.said[-3:], self.errors.read_text()))

    def answer(self, text: str) -> None:
        """Give a host the line of a guest, as a script does."""
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps({"answer": text}) + "\n")
        self.process.stdin.flush()

    def end(self) -> dict[str, Any]:
        """Read to the end of a match and return its last line."""
        over = self.until("over")
        assert self.process.wait(TIMEOUT) == 0
        return over


@contextmanager
def running(home: Path, *words: str, **options: Any) -> Iterator[Program]:
    running = Program(home, *words, **options)
    try:
        yield running
    finally:
        running.process.kill()
        running.process.wait()
        assert running.process.stdout is not None
        assert running.process.stdin is not None
        running.process.stdin.close()
        running.process.stdout.close()


def run(home: Path, *words: str, code: int) -> str:
    with Forked(*words, "--home", str(home), stderr=subprocess.PIPE) as program:
        out, err = program.communicate()
    assert program.returncode == code, (out, err)
    assert "Traceback" not in err
    return err


def test_both_lines_tell_at_which_udp_port_their_owner_is_seen(tmp_path: Path) -> None:
    def seen(line: str) -> Seen:
        return invite.parse(line, 0).seen

    with running(tmp_path / "a", "host", *LOOP, "--announce", "5.6.7.8:9/udp") as host:
        line = host.until("invite")["invite"]
        guest_words = ("join", line, "--swap", "--bind", "127.0.0.1", "--announce", "[2a02::1]:8/udp")
        with running(tmp_path / "b", *guest_words, "--player", "bot:random") as guest:
            assert seen(guest.until("reply")["invite"]) == Seen((("2a02::1", 8),))
    assert seen(line) == Seen((("5.6.7.8", 9),))


@pytest.mark.long
def test_a_host_whom_nobody_can_reach_calls_the_guest_who_has_answered_with_a_line(tmp_path: Path) -> None:
    # The invite leads nowhere, as behind a closed router.
    with running(tmp_path / "a", "host", *LOOP, "--announce", "127.0.0.1:9") as host:
        line = host.until("invite")["invite"]
    guest_words = ("join", line, "--swap", "--bind", "127.0.0.1", "--player", "bot:random")
    with running(tmp_path / "b", *guest_words) as guest:
        reply = guest.until("reply")["invite"]
        assert "other terms" in run(tmp_path / "a", "host", "--call", reply, "--player", "bot:random", code=2)
        with running(tmp_path / "a", "host", *LOOP, "--call", reply) as again:
            ends = [again.end(), guest.end()]
    assert ends[0]["result"] == ends[1]["result"]
    assert all(end["audited"] for end in ends)


@pytest.mark.parametrize(("nowhere", "options"), [("127.0.0.1:9", ["--swap"]), ("192.0.2.1:9", [])])
def test_a_host_whom_nobody_can_reach_takes_the_answer_where_they_wait(
    nowhere: str, options: list[str], tmp_path: Path
) -> None:
    with (
        running(tmp_path / "a", "host", *LOOP, "--announce", nowhere) as host,
        running(tmp_path / "c", "host", *LOOP, "--announce", nowhere) as other,
    ):
        line = host.until("invite")["invite"]
        with running(tmp_path / "b", "join", line, *options, "--bind", "127.0.0.1", "--player", "bot:random") as guest:
            reply = guest.until("reply")["invite"]
            # A line for something else, and an answer to somebody else, change nothing.
            other.answer(reply)
            host.answer(line)
            host.answer(f"> here it is:\n> {reply}")
            ends = [host.end(), guest.end()]
        while "another invite of yours" not in other.errors.read_text():
            time.sleep(0.05)
        assert other.process.poll() is None
    assert ends[0]["result"] == ends[1]["result"]
    assert all(end["audited"] for end in ends)


MOVED = """
import sys
from cli.app.main import main
from cli.meeting import reachability
from protocol.reach.formats.outside import Nature, Seen

class Moved:
    seen = Seen((("5.6.7.8", 2),), Nature.EASY)
    news = [True]

    def look_again(self):
        return bool(self.news) and self.news.pop()

    async def close(self):
        pass

def stand_beside(self, listener, endpoint):
    self.rendezvous, self.seen = Moved(), Seen((("5.6.7.8", 1),), Nature.EASY)

async def see(self):
    pass

reachability.LOOK = 0.01
reachability.Reachability._stand_beside, reachability.Reachability._see = stand_beside, see
sys.exit(main(sys.argv[1:]))
"""
"""A program whose router takes another port while it waits."""


def test_a_host_who_gets_the_answer_knocks_and_the_match_begins_by_udp(tmp_path: Path) -> None:
    alone = ("--bind", "127.0.0.1", "--player", "bot:random", "--no-map", "--no-tor", "--no-stun")
    behind = ("-c", BEHIND)
    with running(tmp_path / "a", "host", *alone, "--random-setup", program=behind) as host:
        line = host.until("invite")["invite"]
        with running(tmp_path / "b", "join", line, "--swap", *alone, program=behind) as guest:
            host.answer(guest.until("reply")["invite"])
            assert [one.until("way")["by"] for one in (host, guest)] == ["udp", "udp"]
            guest.until("message", 4)
        for one, sentence in ((host, "Connected by knocking after"), (guest, "Connected by knocking (UDP, 127.0.0.1)")):
            assert sentence in one.errors.read_text()


def test_a_host_whose_router_takes_another_port_sends_another_line(tmp_path: Path) -> None:
    with running(tmp_path, "host", *LOOP, "--announce", "127.0.0.1:9", program=("-c", MOVED)) as host:
        lines = [invite.parse(host.until("invite")["invite"], 0) for _ in range(2)]
    assert [line.seen.addresses for line in lines] == [(("5.6.7.8", 1),), (("5.6.7.8", 2),)]
    assert lines[0].secret == lines[1].secret


UNREAD = """
import os, signal, sys
from cli.app.main import main
from protocol.core.frames import FrameKind
from protocol.core.session import Session

receive = Session.receive_data

def receive_or_end(session, frame, *others):
    if frame[1] == FrameKind.DONE:
        os.kill(os.getpid(), signal.SIGKILL)
    if frame[1] != FrameKind.VERDICT:
        receive(session, frame, *others)

Session.receive_data = receive_or_end
sys.exit(main(sys.argv[1:]))
"""
"""A program that is killed before it has read the other's last two frames: the other holds all of its own."""


@pytest.mark.long
@pytest.mark.parametrize("killed", ["host", "guest"])
def test_whoever_lacks_the_last_signature_gets_it_from_a_match_that_was_over_for_the_other(
    killed: str, tmp_path: Path
) -> None:
    dies, whole = ("-c", UNREAD), ("-m", "cli.app.main")
    left, right = (dies, whole) if killed == "host" else (whole, dies)
    with (
        hosting(tmp_path / "host", "--random-setup", program=left) as host,
        joining(tmp_path / "guest", invite_of(host), program=right) as guest,
    ):
        survivor = guest if killed == "host" else host
        codes = {"host": host.wait(), "guest": guest.wait()}
    assert codes.pop(killed) == -signal.SIGKILL
    assert list(codes.values()) == [0]
    over = survivor.said[-1]
    assert (over["event"], over["audited"]) == ("over", True)
    homes = [tmp_path / "host", tmp_path / "guest"]
    names = [match.stem for home in homes for match in (home / "matches").glob("*.match")]
    assert [verdicts(home) for home in homes] == [1 if home.name == killed else 2 for home in homes]
    with (
        Process(homes[0], "resume", names[0], "--player", "bot:random") as host,
        Process(homes[1], "resume", names[1], "--player", "bot:random") as guest,
    ):
        assert [host.wait(), guest.wait()] == [0, 0], host.errors.read_text() + guest.errors.read_text()
    for home, name, program in zip(homes, names, (host, guest), strict=True):
        assert program.said[-1]["result"] == over["result"]
        assert program.said[-1]["audited"]
        assert verdicts(home) == 2
        assert "nothing to resume" in run(home, "resume", name, *LOOP[:4], code=2)


def verdicts(home: Path) -> int:
    """Return how many verdicts stand in the one journal of a home."""
    (match,) = (home / "matches").glob("*.match")
    with Journal.open(match.parent, match.stem) as journal:
        return [entry.record.kind for entry in journal.read_entries()].count(FrameKind.VERDICT)


@pytest.mark.long
def test_an_invite_typed_again_after_a_crash_goes_on_with_its_match(tmp_path: Path) -> None:
    with running(tmp_path / "a", "host", *LOOP) as host:
        line = host.until("invite")["invite"]
        words = ("join", line, "--bind", "127.0.0.1", "--player", "bot:random")
        with running(tmp_path / "b", *words) as guest:
            guest.until("message", 4)
        (match,) = (tmp_path / "b" / "matches").glob("*.match")
        with Journal.open(match.parent, match.stem):
            # Nobody may play one match in two windows.
            assert "open" in run(tmp_path / "b", *words, code=2)
        with running(tmp_path / "b", *words) as again:
            ends = [host.end(), again.end()]
            assert "has already begun on this machine" in again.errors.read_text()
    assert ends[0]["result"] == ends[1]["result"]
    assert all(end["audited"] for end in ends)


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere the loopback has one address")
@pytest.mark.long
def test_two_who_have_both_moved_find_each_other_by_a_fresh_line(tmp_path: Path) -> None:
    lost = ("--patience", "0")
    with running(tmp_path / "a", "host", *LOOP, *lost) as host:
        line = host.until("invite")["invite"]
        with running(tmp_path / "b", "join", line, "--bind", "127.0.0.1", "--player", "bot:random", *lost) as guest:
            guest.until("message", 4)
            host.process.kill()
            guest.process.kill()
    # Nobody is any more where he was: what each has kept of the other leads nowhere.
    moved = ("--bind", "127.0.0.2", "--player", "bot:random")
    with running(tmp_path / "b", "resume", *moved, "--port", "0", "--invite") as guest:
        fresh = guest.until("invite")["invite"]
        parsed = invite.parse(fresh, int(time.time()))
        assert parsed.purpose is Purpose.RESUME
        assert parsed.candidates[0][0] == "127.0.0.2"
        assert "There is no match" in run(tmp_path / "c", "resume", fresh, "--player", "bot:random", code=2)
        assert "continues a match" in run(tmp_path / "c", "join", fresh, "--player", "bot:random", code=2)
        with running(tmp_path / "a", "resume", fresh, *moved) as host:
            ends = [host.end(), guest.end()]
    assert ends[0]["result"] == ends[1]["result"]
    assert all(end["audited"] for end in ends)


@pytest.mark.parametrize(
    "words", [("host", "--call", "hello"), ("resume", "SOO2-AAAA"), ("join", "SOO2-AAAA", "--swap")]
)
def test_a_line_that_is_none_has_its_sentence(words: tuple[str, ...], tmp_path: Path) -> None:
    assert run(tmp_path, *words, "--player", "bot:random", code=2).strip().endswith(".")


@pytest.mark.parametrize("purpose", Purpose)
def test_an_address_that_no_line_can_carry_is_told_in_a_sentence(purpose: Purpose) -> None:
    endpoint = LocalEndpoint(Certificate.make(), bytes(16), port=4711)
    with pytest.raises(TransportError, match="host name") as refused:
        dump_swap([("not a name", 4711)], endpoint, bytes(32), bytes(16), purpose)
    assert refused.value.code == "no-line"


def test_the_code_on_the_screen_is_that_of_the_invite() -> None:
    half = bytes(16)
    line = invite.dump(Invite((("192.0.2.7", 4711), ("2001:db8::1", 4711)), half, half, half, 2**31, half))
    drawn = inviting.draw_qr(line)
    expected = [list(map(bool, row)) for row in segno.make(line, error="l", micro=False, boost_error=False).matrix]
    dark = {"\u2588": (False, False), "\u2580": (False, True), "\u2584": (True, False), " ": (True, True)}
    rows = [[dark[char][half] for char in row.ljust(len(drawn[0]))] for row in drawn for half in (0, 1)]
    found = [
        row[inviting.QUIET : inviting.QUIET + len(expected)]
        for row in rows[inviting.QUIET : inviting.QUIET + len(expected)]
    ]
    assert found == expected
    # Capitals and digits alone take the dense mode of the standard: it fits on a small screen.
    assert len(drawn[0]) <= 55
    assert len(drawn) <= 28
