"""Every kind of router does what its name says: asked with sockets of the machines behind and beyond it.

Run with ``STORM_P2P_NETWORK=1 pytest tests/network`` as root on Linux.
"""

from __future__ import annotations

import os
import secrets
import socket
import struct
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from helpers import ROOT

from network.homes import EASY, HARD, KINDS, PUBLIC, SERVERS, TOOLS, Homes
from network.namespaces import Namespaces, Slow, missing, run, waited

_MISSING = missing(*TOOLS)
pytestmark = [pytest.mark.timeout(600), pytest.mark.skipif(_MISSING is not None, reason=_MISSING or "")]

Address = tuple[str, int]
AT: list[Address] = [(one.partition(":")[0], 3478) for one in SERVERS]
COOKIE = 0x2112A442  # RFC 8489, section 5
MOMENT = 0.3
"""Seconds after which nothing more comes: the machines are one."""
ANSWER = 2.0
"""Seconds in which a server answers, whatever else this machine does."""


def bound(homes: Homes, name: str, address: Address = ("0.0.0.0", 0), kind: int = socket.SOCK_DGRAM) -> socket.socket:
    family = socket.AF_INET6 if ":" in address[0] else socket.AF_INET
    made = homes.socket(name, kind, family)
    made.settimeout(MOMENT)
    made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    made.bind(address)
    return made


@pytest.fixture
def sockets() -> Iterator[list[socket.socket]]:
    """What a test opens is closed after it."""
    opened: list[socket.socket] = []
    yield opened
    for one in opened:
        one.close()


def ask(asking: socket.socket, server: Address | None, seconds: float = ANSWER) -> Address | None:
    """Return the address that a STUN server sees, by UDP or over a connection; None without an answer."""
    asking.settimeout(seconds)
    request = struct.pack("!HHI", 1, 0, COOKIE) + secrets.token_bytes(12)
    try:
        if server is None:
            asking.sendall(request)
        else:
            asking.sendto(request, server)
        answer = asking.recv(2_000)
    except TimeoutError:
        return None
    finally:
        asking.settimeout(MOMENT)
    assert answer[:2] == b"\x01\x01"
    assert answer[8:20] == request[8:20]
    at = 20
    while at < len(answer):
        kind, size = struct.unpack_from("!HH", answer, at)
        if kind == 0x20:  # XOR-MAPPED-ADDRESS
            _, port, packed = struct.unpack_from("!HHI", answer, at + 4)
            return socket.inet_ntoa(struct.pack("!I", packed ^ COOKIE)), port ^ (COOKIE >> 16)
        at += 4 + size + -size % 4
    raise AssertionError("an answer without an address")


def heard(listening: socket.socket) -> bytes | None:
    """Return what comes within a moment, or None."""
    try:
        return listening.recv(2_000)
    except TimeoutError:
        return None


@pytest.mark.parametrize("kind", KINDS)
def test_ports_outside_are_kept_or_taken_anew_for_each_destination(kind: str, sockets: list[socket.socket]) -> None:
    with Homes(kind, "none") as homes:
        home = bound(homes, "home-a")
        sockets.append(home)
        seen = [ask(home, server) for server in AT]
        if kind == "noudp":
            assert seen == [None, None]
        else:
            assert {one and one[0] for one in seen} == {homes.outside("a")}
            ports = {one and one[1] for one in seen}
            assert len(ports) == (2 if kind in HARD else 1)
            assert (ports == {home.getsockname()[1]}) is (kind in EASY)
        # The same by TCP, which every home has.
        port = 0
        ports = set()
        for server in AT:
            calling = bound(homes, "home-a", ("0.0.0.0", port), socket.SOCK_STREAM)
            sockets.append(calling)
            port = calling.getsockname()[1]
            calling.connect(server)
            found = ask(calling, None)
            assert found is not None
            ports.add(found[1])
        assert (ports == {port}) is (kind not in HARD)


@pytest.mark.parametrize("kind", [one for one in KINDS if one != "noudp"])
def test_a_stranger_is_let_in_only_where_everybody_is(kind: str, sockets: list[socket.socket]) -> None:
    with Homes(kind, "none") as homes:
        home, friend, stranger = (bound(homes, "home-a"), bound(homes, "server", (PUBLIC, 0)), bound(homes, "home-b"))
        sockets += [home, friend, stranger]
        seen = ask(home, AT[0])
        assert seen is not None
        for one in (friend, stranger):
            one.sendto(b"hello", seen)
        assert heard(home) == (b"hello" if kind == "full" else None)
        while heard(home) is not None:
            pass
        # Whoever was called may answer, the stranger still not, not even at the same port.
        home.sendto(b"here I am", friend.getsockname())
        _, seen = friend.recvfrom(100)
        friend.sendto(b"welcome", seen)
        assert heard(home) == b"welcome"
        stranger.sendto(b"me too", seen)
        assert heard(home) == (b"me too" if kind == "full" else None)


@pytest.mark.parametrize("kind", ["easy", "loud", "easy+easy"])
def test_only_a_loud_router_answers_and_takes_another_port_then(kind: str, sockets: list[socket.socket]) -> None:
    with Homes(kind, "none") as homes:
        home, stranger = bound(homes, "home-a"), bound(homes, "server", (PUBLIC, 0))
        caller = bound(homes, "server", (PUBLIC, 0), socket.SOCK_STREAM)
        sockets += [home, stranger, caller]
        loud = kind == "loud"
        with pytest.raises(ConnectionRefusedError if loud else TimeoutError):
            caller.connect((homes.outside("a"), 40_404))
        seen = ask(home, AT[0])
        assert seen is not None
        stranger.connect(seen)
        stranger.send(b"too early")
        with pytest.raises(ConnectionRefusedError if loud else TimeoutError):
            stranger.recv(100)
        home.sendto(b"here I am", stranger.getsockname())
        # What the router has taken for itself is not free for the home: its packet leaves by another port.
        assert heard(stranger) == (None if loud else b"here I am")


def test_a_timid_router_forgets_soon_and_a_word_in_between_keeps_the_entry(sockets: list[socket.socket]) -> None:
    with Homes("timid", "easy", entries=2) as homes:
        for side, ends in (("a", True), ("b", False)):
            home, friend = bound(homes, f"home-{side}"), bound(homes, "server", (PUBLIC, 0))
            sockets += [home, friend]
            home.sendto(b"here I am", friend.getsockname())
            _, seen = friend.recvfrom(100)
            for _ in range(2):
                friend.sendto(b"welcome", seen)
                assert heard(home) == b"welcome"
            if ends:
                waited(lambda: PUBLIC not in homes.entries_of("a"), 10)
            assert (PUBLIC in homes.entries_of(side)) is not ends
            friend.sendto(b"still there?", seen)
            assert heard(home) == (None if ends else b"still there?")
    with Homes("timid", "easy") as homes:
        for side, seconds in (("a", 30), ("b", 120)):
            key = "net.netfilter.nf_conntrack_udp_timeout_stream"
            assert int(homes.at(f"router-{side}", "sysctl", "-n", key)) == seconds


@pytest.mark.parametrize("kind", ["easy", "easy+sym"])
def test_eight_steps_open_the_own_routers_and_reach_nobody(kind: str, sockets: list[socket.socket]) -> None:
    with Homes(kind, "none") as homes:
        home, friend = bound(homes, "home-a"), bound(homes, "server", (PUBLIC, 0))
        sockets += [home, friend]
        home.setsockopt(socket.IPPROTO_IP, socket.IP_TTL, 8)
        home.sendto(b"softly", friend.getsockname())
        assert heard(friend) is None
        last = "carrier-a" if "+" in kind else "router-a"
        assert f"dst={PUBLIC}" in homes.entries_of("a")
        assert f"dst={PUBLIC}" in homes.at(last, "conntrack", "-L")
        home.setsockopt(socket.IPPROTO_IP, socket.IP_TTL, 64)
        home.sendto(b"loudly", friend.getsockname())
        assert heard(friend) == b"loudly"


def test_routers_forget_take_another_port_and_move(sockets: list[socket.socket]) -> None:
    with Homes("easy+easy", "easy") as homes:
        for side in "ab":
            home = bound(homes, f"home-{side}")
            sockets.append(home)
            assert ask(home, AT[0]) == (homes.outside(side), home.getsockname()[1])
            assert AT[0][0] in homes.entries_of(side)
        homes.forget()
        for side in "ab":
            assert AT[0][0] not in homes.entries_of(side)
        homes.renumber("b", 50_505)
        assert {ask(home, server) for server in AT} == {(homes.outside("b"), 50_505)}
        homes.move("b")
        assert {ask(home, server) for server in AT} == {("5.2.2.77", 50_505)}


def test_a_forwarded_port_lets_everybody_in_by_udp_and_tcp(sockets: list[socket.socket]) -> None:
    for kind in ("easy", "none"):
        with Homes(kind, "easy") as homes:
            home, far = bound(homes, "home-a"), bound(homes, "home-b")
            port = home.getsockname()[1]
            listening = bound(homes, "home-a", ("0.0.0.0", port), socket.SOCK_STREAM)
            caller = bound(homes, "home-b", kind=socket.SOCK_STREAM)
            sockets += [home, far, listening, caller]
            listening.listen()
            far.sendto(b"hello", (homes.outside("a"), port))
            assert heard(home) is None
            homes.let_in("a", port)
            far.sendto(b"hello", (homes.outside("a"), port))
            assert heard(home) == b"hello"
            caller.connect((homes.outside("a"), port))


def test_ipv6_goes_through_firewalls_that_let_in_what_was_called(sockets: list[socket.socket]) -> None:
    with Homes("sym", "easy+sym", six=True) as homes:
        ends = [bound(homes, f"home-{side}", (f"2a00:{number}:1::2", 0)) for number, side in ((1, "a"), (2, "b"))]
        sockets += ends
        ends[0].sendto(b"first", ends[1].getsockname())
        assert heard(ends[1]) is None
        ends[1].sendto(b"second", ends[0].getsockname())
        assert heard(ends[0]) == b"second"
        # A port that is open lets everybody in.
        stranger = bound(homes, "server", ("2a00:9::2", 0))
        sockets.append(stranger)
        stranger.sendto(b"hello", ends[0].getsockname())
        assert heard(ends[0]) is None
        homes.let_in("a", ends[0].getsockname()[1])
        stranger.sendto(b"hello", ends[0].getsockname())
        assert heard(ends[0]) == b"hello"


@pytest.mark.parametrize("kind", ["easy", "sym"])
def test_homes_of_one_carrier_meet_only_by_what_their_routers_are_called_in_it(
    kind: str, sockets: list[socket.socket]
) -> None:
    with Homes("easy", "easy", carrier=kind) as homes:
        ends = [bound(homes, f"home-{side}") for side in "ab"]
        sockets += ends
        seen = [ask(one, AT[0]) for one in ends]
        assert {one and one[0] for one in seen} == {"5.3.3.2"}
        for one, other in zip(ends, reversed(seen), strict=True):
            assert other is not None
            one.sendto(b"hello", other)
        assert [heard(one) for one in ends] == [None, None]
        inner = [(f"100.64.{number}.2", one.getsockname()[1]) for number, one in zip((1, 2), ends, strict=True)]
        for one, at in zip(ends, reversed(inner), strict=True):
            one.sendto(b"hello", at)
        assert heard(ends[0]) == b"hello"


def test_a_long_cable_is_slow_and_loses_packets(sockets: list[socket.socket]) -> None:
    slow = {"a": Slow(0.1, 0), "b": Slow(0, 50)}
    with Homes("easy", "easy", slow=slow) as homes:
        ends = [bound(homes, f"home-{side}") for side in "ab"]
        sockets += ends
        begun = time.monotonic()
        assert ask(ends[0], AT[0]) is not None
        assert time.monotonic() - begun >= 0.2
        answers = [ask(ends[1], AT[0], MOMENT) for _ in range(20)]
        assert None in answers
        assert any(answers)


def test_nothing_is_left_after_the_block_or_by_a_run_that_was_killed() -> None:
    with Homes("easy", "easy+sym") as homes:
        there = {homes.full(name) for name in homes.names}
        running = [int(pid) for name in homes.names for pid in run("ip", "netns", "pids", homes.full(name)).split()]
        assert running
    assert not there & set(os.listdir("/run/netns"))
    assert not any(Path("/proc", str(pid)).exists() for pid in running)

    code = "import os; from network.namespaces import Namespaces as N; n = N().__enter__(); n.add('left'); os._exit(0)"
    environment = os.environ | {"PYTHONPATH": str(ROOT / "tests")}
    lost = subprocess.Popen([sys.executable, "-c", code], env=environment)
    assert lost.wait(60) == 0
    assert any(f"-{lost.pid}-" in name for name in os.listdir("/run/netns"))
    with Namespaces():
        assert not any(f"-{lost.pid}-" in name for name in os.listdir("/run/netns"))
