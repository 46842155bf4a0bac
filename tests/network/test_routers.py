"""Real routers: miniupnpd in network namespaces, with a home behind it and somebody outside.

Run with ``STORM_P2P_NETWORK=1 pytest tests/network -s`` as root on Linux; it prints what each step took.
"""

from __future__ import annotations

import json
import shutil
import signal
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from network.lab import HOME, HOME6, Lab
from network.namespaces import missing, waited

_MISSING = missing("miniupnpd")
pytestmark = [pytest.mark.timeout(600), pytest.mark.skipif(_MISSING is not None, reason=_MISSING or "")]

LEASE = 1_200


class Steps:
    """What the program within the home says, one step after the other."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self.process = process

    def read(self) -> dict[str, Any]:
        """Return the next line."""
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        assert line, "the program has ended"
        said: dict[str, Any] = json.loads(line)
        print("   ", said)
        return said

    def go_on(self) -> dict[str, Any]:
        """Let it take the next step, and return what it says."""
        assert self.process.stdin is not None
        self.process.stdin.write("\n")
        self.process.stdin.flush()
        return self.read()


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Lab]:
    with Lab(tmp_path) as found:
        yield found


def test_pcp_nat_pmp_and_upnp_each_map_connect_renew_and_remove(home: Lab) -> None:
    home.start_router()
    steps = Steps(home.inside("4"))
    place = steps.read()
    assert (place["client"], place["router"]) == (HOME, "192.168.77.1")
    assert (place["client6"], place["router6"]) == (HOME6, "fe80::1%eth0")
    port = place["port"]
    said = steps.go_on()
    for way in ("PCP", "NAT-PMP", "UPnP"):
        assert said["way"] == way
        assert said["mapped"] == [home.wan, port, LEASE]
        assert str(port) in home.mappings()
        assert home.call(home.wan, port) == "hello from home"
        assert steps.go_on()["renewed"] == [home.wan, port, LEASE]
        assert home.call(home.wan, port) == "hello from home"
        assert steps.go_on()["closed"] is True
        assert home.mappings() == ""
        assert home.call(home.wan, port) == "nobody"
        said = steps.go_on()
    assert said == {"done": True}


def test_pcp_opens_the_firewall_for_ipv6(home: Lab) -> None:
    home.start_router()
    steps = Steps(home.inside("6"))
    port = steps.read()["port"]
    assert home.call(HOME6, port) == "nobody"
    assert steps.go_on()["mapped"] == [HOME6, port, LEASE]
    assert home.call(HOME6, port) == "hello from home"
    assert steps.go_on()["renewed"] == [HOME6, port, LEASE]
    # miniupnpd 2.3.1 refuses to remove a pinhole; it is given a lease of a moment instead.
    said = steps.go_on()
    assert said["closed"] is True or said["code"] == "refused"


@pytest.mark.parametrize("wan", ["100.64.7", "10.9.9"])
def test_a_router_without_a_public_address_opens_nothing_and_is_recognised(tmp_path: Path, wan: str) -> None:
    with Lab(tmp_path, wan) as home:
        home.start_router()
        steps = Steps(home.inside("4"))
        steps.read()
        codes = [one["code"] for one in (steps.go_on(), steps.read(), steps.read())]
        assert codes == ["refused", "refused", "empty"]
        assert home.mappings() == ""


def test_a_router_with_upnp_alone_is_used_and_one_without_anything_costs_seconds(home: Lab) -> None:
    home.start_router(enable_natpmp="no")
    steps = Steps(home.inside("4"))
    port = steps.read()["port"]
    assert [one["code"] for one in (steps.go_on(), steps.read())] == ["closed", "closed"]
    assert steps.read()["mapped"] == [home.wan, port, LEASE]
    steps.process.kill()
    home.stop_router()
    steps = Steps(home.inside("4"))
    steps.read()
    said = [steps.go_on(), steps.read(), steps.read()]
    assert [one["code"] for one in said] == ["closed", "closed", "silent"]
    assert sum(one["ms"] for one in said) < 5_000


# -- the program ------------------------------------------------------------------------------------------


def lines_until(process: subprocess.Popen[str], event: str) -> list[dict[str, Any]]:
    """Return the lines of ``--json`` up to the first one of an event."""
    assert process.stdout is not None
    found: list[dict[str, Any]] = []
    for line in process.stdout:
        found.append(json.loads(line))
        if found[-1]["event"] == event:
            return found
    raise AssertionError(f"expected {event}, got {found} and {process.stderr and process.stderr.read()}")


def hosted(home: Lab, tmp_path: Path) -> subprocess.Popen[str]:
    return home.program("host", "--home", str(tmp_path / "host"), "--json", "--player", "bot:random")


def test_a_match_is_played_through_the_router_and_the_port_is_closed_after_it(home: Lab, tmp_path: Path) -> None:
    home.start_router()
    begun = time.monotonic()
    host = hosted(home, tmp_path)
    invite = lines_until(host, "invite")[-1]["invite"]
    print(f"    invite after {time.monotonic() - begun:.2f} s")
    port = lines_until(host, "listening")[-1]["port"]
    assert f"dport {port}" in home.mappings()
    guest = home.program(
        "join", invite, "--home", str(tmp_path / "guest"), "--json", "--player", "bot:random", name="outside"
    )
    lines_until(guest, "message")
    print(f"    first message after {time.monotonic() - begun:.2f} s")
    assert lines_until(guest, "over")[-1]["audited"] is True
    host.communicate(timeout=30)
    assert (host.returncode, guest.wait(30)) == (0, 0)
    # The pinhole for IPv6 is one that miniupnpd 2.3.1 does not remove; it ends by itself.
    assert "dnat" not in home.mappings()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_host_who_gives_up_waiting_closes_the_port(home: Lab, tmp_path: Path, number: signal.Signals) -> None:
    home.start_router()
    host = hosted(home, tmp_path)
    lines_until(host, "invite")
    assert "dnat" in home.mappings()
    host.send_signal(number)
    _, said = host.communicate(timeout=10)
    assert host.returncode == 130
    assert "Traceback" not in said
    assert "dnat" not in home.mappings()


def test_the_doctor_names_carrier_grade_nat(tmp_path: Path) -> None:
    with Lab(tmp_path, "100.64.7") as home:
        home.start_router()
        said, _ = home.program("doctor").communicate(timeout=60)
        print(said)
        assert "100.64.7.2: an address that the provider shares among customers (carrier-grade NAT)" in said
        assert "[no]  internet, IPv4   your provider shares one address among many customers" in said


def test_the_doctor_opens_and_closes_every_way(home: Lab) -> None:
    home.start_router()
    said, _ = home.program("doctor").communicate(timeout=60)
    print(said)
    for way in ("PCP", "NAT-PMP", "UPnP", "IPv6 firewall"):
        assert f"[ok]  {way:15}  opened at" in said
    assert "dnat" not in home.mappings()


def test_a_port_that_another_machine_has_outside_is_taken_under_another_number(home: Lab, tmp_path: Path) -> None:
    home.start_router()
    home.neighbour_takes(40_404)
    options = ("--json", "--player", "bot:random")
    host = home.program("host", "--port", "40404", "--home", str(tmp_path / "host"), *options)
    said = lines_until(host, "invite")[-1]
    outside = [one["port"] for one in said["candidates"] if one["way"] == "mapped"]
    print(f"    40404 is reached at {outside} outside")
    assert outside not in ([], [40_404])
    guest = home.program("join", said["invite"], "--home", str(tmp_path / "guest"), *options, name="outside")
    assert lines_until(guest, "over")[-1]["audited"] is True
    host.communicate(timeout=30)
    assert host.returncode == 0


def test_a_guest_in_the_same_network_joins_with_four_words(home: Lab, tmp_path: Path) -> None:
    pytest.importorskip("zeroconf", reason="needs the extra storm-p2p[lan]")
    options = ("--json", "--player", "bot:random")
    host = home.program("host", "--lan", "--no-map", "--home", str(tmp_path / "host"), *options)
    lines_until(host, "listening")
    assert host.stderr is not None
    words = next(line for line in host.stderr if "join --lan" in line).strip().rpartition("type: ")[2]
    begun = time.monotonic()
    # The router stands in for a second machine in the house.
    guest = home.program("join", "--lan", words, "--home", str(tmp_path / "guest"), *options, name="router")
    lines_until(guest, "connected")
    print(f"    connected after {time.monotonic() - begun:.2f} s")
    assert lines_until(guest, "over")[-1]["audited"] is True
    host.communicate(timeout=30)
    assert (host.returncode, guest.wait(30)) == (0, 0)


@pytest.mark.skipif(shutil.which("tor") is None, reason="needs tor")
def test_a_real_tor_makes_an_onion_address_and_forgets_it_with_the_program(home: Lab, tmp_path: Path) -> None:
    folder = tmp_path / "tor"
    tor = home.start(
        "home",
        "tor",
        "--quiet",
        "--ControlPort",
        "9051",
        "--CookieAuthentication",
        "1",
        "--SocksPort",
        "9050",
        "--DataDirectory",
        str(folder),
    )
    end = time.monotonic() + 20
    while not (folder / "control_auth_cookie").exists() and time.monotonic() < end and tor.poll() is None:
        time.sleep(0.1)
    said, _ = home.program("doctor", "--no-map").communicate(timeout=60)
    print(said)
    assert "[ok]  Tor, to host" in said
    assert "[ok]  Tor, to join" in said
    assert ".onion, port" in said
    host = home.program("host", "--no-map", "--home", str(tmp_path / "host"), "--json", "--player", "bot:random")
    ways = {one["way"]: one["address"] for one in lines_until(host, "invite")[-1]["candidates"]}
    assert ways["onion"].endswith(".onion")
    host.send_signal(signal.SIGINT)
    host.communicate(timeout=10)
    assert host.returncode == 130


@pytest.mark.long
def test_a_router_that_forgets_is_asked_again_and_a_crash_leaves_no_open_port(home: Lab, tmp_path: Path) -> None:
    # The router gives half a minute, so that a renewal comes after fifteen seconds.
    home.start_router(min_lifetime="20", max_lifetime="30")
    host = hosted(home, tmp_path)
    lines_until(host, "invite")
    assert "dnat" in home.mappings()
    home.stop_router()
    home.forget()
    assert "dnat" not in home.mappings()
    home.start_router(min_lifetime="20", max_lifetime="30")
    took = waited(lambda: "dnat" in home.mappings())
    print(f"    open again after {took:.1f} s")
    host.kill()
    host.communicate()
    took = waited(lambda: "dnat" not in home.mappings())
    print(f"    closed {took:.1f} s after the crash")
