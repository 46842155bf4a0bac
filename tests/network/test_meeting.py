"""Two people in two homes: the program meets by every way that a call can take, and says so when there is none.

Run with ``STORM_P2P_NETWORK=1 pytest tests/network`` as root on Linux.
"""

from __future__ import annotations

import getpass
import re
import shutil
import sys
from pathlib import Path

import pytest

from network.homes import PUBLIC, SERVERS, TOOLS, Homes
from network.namespaces import missing, waited
from network.programs import Program

if sys.platform == "win32":
    pytest.skip("there are no network namespaces", allow_module_level=True)

from end_to_end.window import Window

_MISSING = missing(*TOOLS)
pytestmark = [pytest.mark.timeout(600), pytest.mark.skipif(_MISSING is not None, reason=_MISSING or "")]

BOT = ("--player", "bot:random")
PORT = 40_404


def play(homes: Homes, folder: Path, *host_words: str) -> None:
    """Host in the home ``a``, join from ``b``, and play a whole match."""
    host = Program(homes, "home-a", folder / "host", "host", "--port", str(PORT), *host_words, *BOT)
    invite = host.until("invite")["invite"]
    guest = Program(homes, "home-b", folder / "guest", "join", invite, *BOT)
    for one in (host, guest):
        assert one.until("over")["audited"] is True
    assert (host.wait(), guest.wait()) == (0, 0)


@pytest.mark.parametrize("guest", ["easy+sym", pytest.param("noudp", marks=pytest.mark.long)])
def test_a_host_with_a_public_address_is_called(tmp_path: Path, guest: str) -> None:
    with Homes("none", guest) as homes:
        homes.let_in("a", PORT)
        play(homes, tmp_path)


def test_a_host_whose_router_forwards_the_port_is_called(tmp_path: Path) -> None:
    with Homes("easy", "easy+sym") as homes:
        homes.let_in("a", PORT)
        play(homes, tmp_path, "--announce", f"{homes.outside('a')}:{PORT}")


def test_a_host_whose_firewall_lets_ipv6_in_is_called(tmp_path: Path) -> None:
    with Homes("sym", "sym", six=True) as homes:
        homes.let_in("a", PORT)
        play(homes, tmp_path)


def test_a_guest_who_can_be_called_answers_a_host_who_cannot(tmp_path: Path) -> None:
    with Homes("easy+sym", "easy") as homes:
        homes.let_in("b", PORT)
        host = Program(homes, "home-a", tmp_path / "host", "host", *BOT)
        invite = host.until("invite")["invite"]
        announced = ("--port", str(PORT), "--announce", f"{homes.outside('b')}:{PORT}")
        guest = Program(homes, "home-b", tmp_path / "guest", "join", invite, "--swap", *announced, *BOT)
        reply = guest.until("reply")["invite"]
        host.process.terminate()
        host.wait()
        host = Program(homes, "home-a", tmp_path / "host", "host", "--call", reply, *BOT)
        for one in (host, guest):
            assert one.until("over")["audited"] is True


# -- what people see -------------------------------------------------------------------------------------


def window(homes: Homes, side: str, folder: Path, *words: str) -> Window:
    """Open a window of a person at home."""
    inside = ("ip", "netns", "exec", homes.full(f"home-{side}"), sys.executable, "-m", "cli.app.main")
    return Window(folder / side, *words, program=inside)


def line_in(seen: str) -> str:
    """Return the last whole line of an invite or an answer that was printed."""
    found = re.findall(r"SOO\d-[A-Z2-7]+(?=\s)", seen.replace("\r\n", "\n"))
    assert found, seen
    return str(found[-1])


def test_two_homes_behind_two_translations_each_meet_in_three_steps(tmp_path: Path) -> None:
    with Homes("easy+easy", "easy+easy") as homes:
        asked = [word for one in SERVERS for word in ("--stun", one)]
        doctor = window(homes, "a", tmp_path, "doctor", *asked)
        assert doctor.leave() == 0
        assert "carrier-grade NAT" in doctor.all
        assert "easy to meet" in " ".join(doctor.all.split())
        # One: a host shows a line.  Two: a guest types it.  Three: the host pastes what the guest's program answers.
        host = window(homes, "a", tmp_path, "host", "--no-qr", "--name", "Ann", *asked)
        host.until("Ctrl-C leaves")
        line = line_in(host.all)
        guest = window(homes, "b", tmp_path, "join", line, "--name", "Bob", *asked)
        guest.until("Keep this window open")
        assert "Your friend cannot be called directly" in guest.all
        reply = line_in(guest.all)
        assert reply != line
        host.type(f"\x1b[200~{reply}\x1b[201~")
        host.until("Knocking at your friend's router")
        guest.until("Accept these terms")
        guest.type("yes\r")
        for one in (host, guest):
            one.until("Connected by knocking")
            one.until("Compare these words with")


# -- a third machine that only forwards ------------------------------------------------------------------

_TUNNEL = [tool for tool in ("ssh", "sshd", "ssh-keygen", "socat") if shutil.which(tool) is None]


@pytest.mark.skipif(bool(_TUNNEL), reason=f"needs {', '.join(_TUNNEL)} (Debian: openssh-server socat)")
@pytest.mark.parametrize("gateway", [True, pytest.param(False, marks=pytest.mark.long)])
def test_a_machine_with_a_public_address_forwards_to_a_home_that_nobody_can_call(tmp_path: Path, gateway: bool) -> None:
    with Homes("easy+sym", "easy+sym") as homes:
        for name in ("machine", "own"):
            homes.at("server", "ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(tmp_path / name))
        settings = tmp_path / "sshd_config"
        settings.write_text(
            f"Port 22\nListenAddress {PUBLIC}\nHostKey {tmp_path / 'machine'}\nPidFile none\nStrictModes no\n"
            f"AuthorizedKeysFile {tmp_path / 'own.pub'}\nPermitRootLogin yes\nUsePAM no\n"
            f"GatewayPorts {'clientspecified' if gateway else 'no'}\n",
            encoding="utf-8",
        )
        Path("/run/sshd").mkdir(exist_ok=True)
        homes.start("server", str(shutil.which("sshd")), "-D", "-f", str(settings))
        waited(lambda: f"{PUBLIC}:22 " in homes.at("server", "ss", "-tln"), 10)
        # At home: the program's port appears on the machine, for everybody if its sshd allows that.
        there = f"{PUBLIC}:{PORT}" if gateway else f"127.0.0.1:{PORT + 1}"
        trust = ("-i", str(tmp_path / "own"), "-o", "StrictHostKeyChecking=no", "-o", "UserKnownHostsFile=/dev/null")
        tunnel = f"{there}:127.0.0.1:{PORT}"
        homes.start("home-a", "ssh", *trust, "-N", "-R", tunnel, f"{getpass.getuser()}@{PUBLIC}")
        waited(lambda: f"{there} " in homes.at("server", "ss", "-tln"), 20)
        if not gateway:
            # On the machine: whoever calls is passed on, and nothing is understood.
            homes.start("server", "socat", f"TCP-LISTEN:{PORT},fork,reuseaddr", f"TCP:{there}")
            waited(lambda: f":{PORT} " in homes.at("server", "ss", "-tln"), 10)
        # At home, after that: the invite names the machine.
        play(homes, tmp_path, "--announce", f"{PUBLIC}:{PORT}")
