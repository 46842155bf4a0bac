"""Two people behind any two routers: a line, an answer, and within ten seconds a match or the reason why there is none.

Run with ``STORM_P2P_NETWORK=1 pytest tests/network -m "long or not long"`` as root on Linux; the whole table is
printed by ``python -m tests.network``.
"""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from network import matrix
from network.homes import ENTRIES, KINDS, PAIRS, SERVERS, TOOLS, Homes
from network.journeys import OPTIONS, REFUSAL, Pair, introduce, resume, says, see_outcome
from network.namespaces import Slow, missing, waited
from network.programs import PROGRAM, Program

_MISSING = missing(*TOOLS)
if _MISSING is None:
    _HELP = subprocess.run([*PROGRAM, "host", "--help"], capture_output=True, text=True, check=True).stdout
    _MISSING = None if "--stun" in _HELP else "this program does not knock yet"
pytestmark = [pytest.mark.timeout(600), pytest.mark.skipif(_MISSING is not None, reason=_MISSING or "")]

DAILY = (("easy+easy", "easy+easy"), ("sym", "easy"), ("noudp", "easy+easy"), ("sym", "easy+sym"))
EITHER_WAY = [(a, b) for a in KINDS for b in KINDS]
"""Who hosts and who joins makes a difference: only the host waits for a paste."""
SERVER = SERVERS[0].partition(":")[0]


def test_the_table_expects_39_pairs_by_udp_7_by_tcp_and_9_that_are_named() -> None:
    expected = [matrix.expect(*pair) for pair in PAIRS]
    assert [expected.count(way) for way in ("udp", "tcp", "named")] == [39, 7, 9]
    assert len(EITHER_WAY) == 100


@pytest.mark.parametrize(
    ("a", "b"), [*DAILY, *(pytest.param(*pair, marks=pytest.mark.long) for pair in EITHER_WAY if pair not in DAILY)]
)
def test_a_pair_meets_or_is_told_why_not(a: str, b: str) -> None:
    outcome, expected = matrix.meet(a, b), matrix.expect(a, b)
    # On a machine with much to do TCP may be the faster of two ways.
    assert matrix.fits(outcome, "tcp" if (expected, outcome.way) == ("udp", "tcp") else expected), outcome


NAMED = [pair for pair in PAIRS if matrix.expect(*pair) == "named"]


@pytest.mark.parametrize(
    ("a", "b"), [pair if pair == ("sym", "noudp") else pytest.param(*pair, marks=pytest.mark.long) for pair in NAMED]
)
def test_with_ipv6_on_both_sides_every_pair_meets(a: str, b: str) -> None:
    outcome = matrix.meet(a, b, six=True)
    assert matrix.fits(outcome, matrix.expect(a, b, six=True)), outcome


@pytest.mark.parametrize(("kind", "nature"), [("easy+easy", "easy"), ("easy+sym", "hard")])
def test_a_host_is_told_how_the_router_looks_from_outside(tmp_path: Path, kind: str, nature: str) -> None:
    with Homes(kind, "easy") as homes:
        seen = Program(homes, "home-a", tmp_path, "host", *OPTIONS).until("seen")
        assert seen["nature"] == nature
        assert homes.outside("a") in str(seen["address"])


def test_nobody_is_asked_for_an_address_that_is_not_needed(tmp_path: Path) -> None:
    with Homes("none", "easy") as homes:
        homes.let_in("a", 40_404)
        pair = introduce(homes, tmp_path / "called", words=(("--port", "40404"), ()))
        assert see_outcome(pair).way == "call"
        assert not [side for side in "ab" if SERVER in homes.entries_of(side)]
    with Homes("easy", "easy") as homes:
        Program(homes, "home-a", tmp_path / "silent", "host", *OPTIONS, "--no-stun").until("invite")
        assert SERVER not in homes.entries_of("a")


def connected(pair: Pair) -> None:
    """Check that two programs meet in time."""
    outcome = see_outcome(pair)
    said = f"{pair.host.said}\n{pair.guest.said}\n{pair.host.errors[-500:]}\n{pair.guest.errors[-500:]}"
    assert outcome.way in ("udp", "tcp", "call"), f"{outcome} {said}"
    assert outcome.seconds < matrix.LONGEST, outcome


def over(pair: Pair) -> None:
    """Check that a whole match is played."""
    for one in (pair.host, pair.guest):
        assert one.until("over", seconds=300)["audited"] is True
    assert (pair.host.wait(), pair.guest.wait()) == (0, 0)


def holds(fact: Callable[[], bool], seconds: float) -> None:
    """Check that something is so all the time."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        assert fact()
        time.sleep(0.5)


@pytest.mark.long
def test_a_match_is_played_though_packets_are_slow_and_lost(tmp_path: Path) -> None:
    # A fifth of a second there and back, and one packet in twenty lost each way.
    with Homes("easy+easy", "easy+easy", slow={"a": Slow(0.1, 5)}) as homes:
        pair = introduce(homes, tmp_path)
        connected(pair)
        over(pair)


_FLOOD = """
import os, socket, sys, time
flood, end = socket.socket(socket.AF_INET, socket.SOCK_DGRAM), time.monotonic() + 60
while time.monotonic() < end:
    for first in (b"\\x01", b"\\x8d", b"\\xd0", b"\\xff"):
        flood.sendto(first + os.urandom(1_100), (sys.argv[1], int(sys.argv[2])))
    time.sleep(0.001)
"""


@pytest.mark.long
def test_a_pair_meets_while_a_stranger_floods_the_port(tmp_path: Path) -> None:
    # This router passes everything on to the home, so the host need not even paste the answer.
    with Homes("full", "easy") as homes:
        host = Program(homes, "home-a", tmp_path / "host", "host", *OPTIONS)

        def memory() -> int:
            status = Path("/proc", str(host.process.pid), "status").read_text("ascii")
            return int(status.partition("VmRSS:")[2].split()[0])

        invite, seen, before = host.until("invite")["invite"], host.until("seen"), memory()
        homes.start("server", sys.executable, "-c", _FLOOD, str(seen["address"]), str(seen["port"]))
        time.sleep(10)
        taken = homes.at("home-a", "cat", "/proc/net/snmp").split("Udp: ")[2].split()[0]
        assert int(taken) > 1_000
        assert memory() < before + 4_096
        guest = Program(homes, "home-b", tmp_path / "guest", "join", invite, *OPTIONS)
        guest.until("reply")
        connected(Pair(host, guest, time.monotonic()))


@pytest.mark.long
@pytest.mark.parametrize("kinds", [("timid", "timid"), ("timid", "sym"), ("sym", "timid")])
def test_a_line_is_good_for_longer_than_routers_remember(tmp_path: Path, kinds: tuple[str, str]) -> None:
    with Homes(*kinds) as homes:

        def wait(host: Program, guest: Program) -> None:
            holds(lambda: SERVER in homes.entries_of("a"), ENTRIES + 15)

        connected(introduce(homes, tmp_path, wait=wait))


@pytest.mark.long
def test_a_host_whose_port_outside_changes_while_they_wait_has_a_fresh_line(tmp_path: Path) -> None:
    with Homes("easy", "easy") as homes:
        host = Program(homes, "home-a", tmp_path / "host", "host", *OPTIONS)
        first = host.until("invite")["invite"]
        homes.renumber("a", 50_505)
        fresh = host.until("invite", count=2)["invite"]
        assert fresh != first
        guest = Program(homes, "home-b", tmp_path / "guest", "join", fresh, *OPTIONS)
        reply = guest.until("reply")["invite"]
        begun = time.monotonic()
        host.give(answer=reply)
        connected(Pair(host, guest, begun))


@pytest.mark.long
@pytest.mark.parametrize("kinds", [("easy", "easy"), ("easy+easy", "easy+easy"), ("easy", "sym")])
def test_both_are_killed_and_routers_forget_and_both_resume_without_a_line(
    tmp_path: Path, kinds: tuple[str, str]
) -> None:
    with Homes(*kinds, slow={"a": Slow(0.06, 0)}) as homes:
        pair = introduce(homes, tmp_path)
        pair.guest.until("message", count=10)
        for one in (pair.host, pair.guest):
            one.kill()
            assert one.find("over") is None
        homes.forget()
        pair = resume(homes, tmp_path)
        connected(pair)
        over(pair)


@pytest.mark.long
def test_a_guest_who_moves_finds_a_host_who_is_open(tmp_path: Path) -> None:
    with Homes("full", "easy", slow={"a": Slow(0.06, 0)}) as homes:
        pair = introduce(homes, tmp_path)
        pair.guest.until("message", count=10)
        for one in (pair.host, pair.guest):
            one.kill()
        homes.move("b")
        homes.forget()
        pair = resume(homes, tmp_path)
        connected(pair)
        over(pair)


@pytest.mark.long
@pytest.mark.parametrize("kind", ["easy", "sym"])
def test_two_homes_of_one_carrier_are_told_that_nothing_comes_through(tmp_path: Path, kind: str) -> None:
    # What the carrier sees does not lead back into it, and the routers tell nobody what they are called there.
    with Homes("easy", "easy", carrier=kind) as homes:
        pair = introduce(homes, tmp_path)
        # Where it takes another port for each address both lines say so before anybody has pasted one.
        told = (pair.guest, REFUSAL) if kind == "sym" else (pair.host, "the routers have let nothing through")
        waited(lambda: says(*told), 30)
        assert not any(one.find("connected") for one in (pair.host, pair.guest))


@pytest.mark.long
def test_two_homes_of_one_carrier_meet_by_what_their_routers_are_called_in_it(tmp_path: Path) -> None:
    with Homes("easy", "easy", carrier="easy") as homes:
        named = (("100.64.1.2", 40_404), ("100.64.2.2", 50_505))
        words = [("--port", str(port), "--announce", f"{address}:{port}/udp") for address, port in named]
        connected(introduce(homes, tmp_path, words=(words[0], words[1])))


@pytest.mark.long
def test_a_match_survives_routers_that_forget_every_second(tmp_path: Path) -> None:
    with Homes("easy+easy", "easy+easy", slow={"a": Slow(0.1, 0)}) as homes:
        pair = introduce(homes, tmp_path)
        connected(pair)
        while pair.guest.find("over") is None and pair.guest.process.poll() is None:
            homes.forget()
            time.sleep(1)
        over(pair)
