"""A small internet on one machine: a home behind a router with a real miniupnpd, and somebody outside.

::

    home  192.168.77.2 ── 192.168.77.1  router  WAN ── .2  outside
          2a00:77:1::2    2a00:77:1::1          2a00:77:2::1/2

Three network namespaces and two cables.  Needs root and Linux, ``ip`` (iproute2), ``nft`` (nftables) and
``miniupnpd`` (for nftables).  Nothing of it is seen outside the namespaces, and all of it goes with them.
"""

from __future__ import annotations

import os
import secrets
import shutil
import subprocess
import sys
import time
from pathlib import Path
from types import TracebackType
from typing import Any

from helpers import ROOT

HOME, HOME6 = "192.168.77.2", "2a00:77:1::2"
INSIDE = Path(__file__).with_name("inside.py")
TOOLS = ("ip", "nft", "miniupnpd")
WANTED = "STORM_P2P_NETWORK"

_RULES = """
table inet filter {
    chain forward {
        type filter hook forward priority 0; policy drop;
        ct state established,related accept
        meta l4proto ipv6-icmp accept
        jump miniupnpd
        iifname "lan" accept
    }
    chain miniupnpd { }
    chain prerouting { type nat hook prerouting priority -100; policy accept; jump prerouting_miniupnpd; }
    chain postrouting {
        type nat hook postrouting priority 100; policy accept;
        jump postrouting_miniupnpd
        meta nfproto ipv4 oifname "wan" masquerade
    }
    chain prerouting_miniupnpd { }
    chain postrouting_miniupnpd { }
}
"""


def missing() -> str | None:
    """Return why there is no laboratory here, or None."""
    if not os.environ.get(WANTED):
        return f"builds network namespaces; set {WANTED}=1 to run it"
    if not sys.platform.startswith("linux") or os.geteuid() != 0:
        return "needs Linux and root to build network namespaces"
    lacking = [tool for tool in TOOLS if shutil.which(tool) is None]
    return f"needs {', '.join(lacking)} (Debian: iproute2, nftables, miniupnpd)" if lacking else None


class Lab:
    """The namespaces, while the block lasts."""

    def __init__(self, folder: Path, wan: str = "5.5.5") -> None:
        """Plan a network; ``wan`` is the beginning of the addresses between router and outside."""
        tag = secrets.token_hex(3)
        self.home, self.router, self.outside = (f"storm-{tag}-{one}" for one in ("home", "router", "out"))
        self.folder = folder
        self.wan, self.far = f"{wan}.1", f"{wan}.2"
        self._running: list[subprocess.Popen[Any]] = []

    def __enter__(self) -> Lab:
        """Build it."""
        try:
            self._build()
        except BaseException:
            self.__exit__(None, None, None)
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Take it down, with everything that was started in it."""
        for process in self._running:
            process.kill()
            process.communicate()
        for name in (self.home, self.router, self.outside):
            subprocess.run(["ip", "netns", "del", name], check=False, capture_output=True)

    def _build(self) -> None:
        for name in (self.home, self.router, self.outside):
            _do("ip", "netns", "add", name)
            self._in(name, "ip", "link", "set", "lo", "up")
        for left, inner, right, outer in (
            (self.home, "eth0", self.router, "lan"),
            (self.router, "wan", self.outside, "eth0"),
        ):
            _do("ip", "link", "add", inner, "netns", left, "type", "veth", "peer", "name", outer, "netns", right)
            self._in(left, "ip", "link", "set", inner, "up")
            self._in(right, "ip", "link", "set", outer, "up")
        for name, device, *addresses in (
            (self.home, "eth0", f"{HOME}/24", f"{HOME6}/64"),
            (self.router, "lan", "192.168.77.1/24", "2a00:77:1::1/64", "fe80::1/64"),
            (self.router, "wan", f"{self.wan}/24", "2a00:77:2::1/64"),
            (self.outside, "eth0", f"{self.far}/24", "2a00:77:2::2/64"),
        ):
            for address in addresses:
                extra = ["nodad"] if ":" in address else []
                self._in(name, "ip", "addr", "add", address, "dev", device, *extra)
        self._in(self.home, "ip", "route", "add", "default", "via", "192.168.77.1")
        self._in(self.router, "ip", "route", "add", "default", "via", self.far)
        self._in(self.home, "ip", "-6", "route", "add", "default", "via", "fe80::1", "dev", "eth0")
        self._in(self.outside, "ip", "-6", "route", "add", "default", "via", "2a00:77:2::1")
        # The one outside stands for the provider, too: packets that have gone their steps end there with a word.
        self._in(self.outside, "ip", "route", "add", "default", "via", self.wan)
        for name in (self.router, self.outside):
            for key in ("net.ipv4.ip_forward", "net.ipv6.conf.all.forwarding"):
                self._in(name, "sysctl", "-qw", f"{key}=1")
        self._in(self.router, "nft", "-f", "-", given=_RULES)

    def _in(self, name: str, *command: str, given: str | None = None) -> str:
        return _do("ip", "netns", "exec", name, *command, given=given)

    def start_router(self, **settings: str) -> None:
        """Start miniupnpd with its defaults changed by ``settings``, and wait until it listens."""
        config = {
            "ext_ifname": "wan",
            "ext_ifname6": "wan",
            "listening_ip": "lan",
            "enable_natpmp": "yes",
            "enable_upnp": "yes",
            "secure_mode": "yes",
            "system_uptime": "no",
            "notify_interval": "60",
            "clean_ruleset_interval": "1",
            "uuid": "9b19a2a1-466a-430a-97f7-185b9558a3b5",
            "min_lifetime": "120",
            "max_lifetime": "86400",
            "upnp_table_name": "filter",
            "upnp_nat_table_name": "filter",
            "upnp_forward_chain": "miniupnpd",
            "upnp_nat_chain": "prerouting_miniupnpd",
            "upnp_nat_postrouting_chain": "postrouting_miniupnpd",
        } | settings
        path = self.folder / "miniupnpd.conf"
        rules = "allow 1024-65535 192.168.77.0/24 1024-65535\ndeny 0-65535 0.0.0.0/0 0-65535\n"
        path.write_text("".join(f"{key}={value}\n" for key, value in config.items()) + rules, encoding="ascii")
        with (self.folder / "miniupnpd.log").open("wb") as log:
            command = ["miniupnpd", "-d", "-f", str(path), "-P", str(self.folder / "pid")]
            self._daemon = subprocess.Popen(["ip", "netns", "exec", self.router, *command], stdout=log, stderr=log)
        self._running.append(self._daemon)
        end = time.monotonic() + 5
        while time.monotonic() < end:
            if ":1900 " in self._in(self.router, "ss", "-uln") + " ":
                return
            time.sleep(0.05)
        raise AssertionError((self.folder / "miniupnpd.log").read_text("utf-8", "replace"))

    def stop_router(self) -> None:
        """End miniupnpd; the router goes on routing."""
        self._daemon.kill()
        self._daemon.communicate()

    def neighbour_takes(self, port: int) -> None:
        """Let another machine of the home have a port outside."""
        neighbour = "192.168.77.3"
        self._in(self.home, "ip", "addr", "add", f"{neighbour}/24", "dev", "eth0")
        code = (
            "import asyncio, sys, time\n"
            "from protocol.reach.routers import NatPmp\n"
            "way, port = NatPmp('192.168.77.1', sys.argv[1], now=time.monotonic), int(sys.argv[2])\n"
            "assert asyncio.run(way.open(port, port)).port == port\n"
        )
        self._in(self.home, "env", f"PYTHONPATH={ROOT}", sys.executable, "-c", code, neighbour, str(port))

    def forget(self) -> None:
        """Remove what miniupnpd has opened, as a router does that is switched off and on."""
        for chain in ("prerouting_miniupnpd", "postrouting_miniupnpd", "miniupnpd"):
            self._in(self.router, "nft", "flush", "chain", "inet", "filter", chain)

    def mappings(self) -> str:
        """Return what miniupnpd has opened, in the words of nftables."""
        show = ("nft", "list", "chain", "inet", "filter")
        text = "".join(self._in(self.router, *show, one) for one in ("prerouting_miniupnpd", "miniupnpd"))
        return "\n".join(line.strip() for line in text.splitlines() if "dnat" in line or "accept" in line)

    def inside(self, *words: str, name: str | None = None) -> subprocess.Popen[str]:
        """Start our program ``inside.py`` at home (or elsewhere); it prints one JSON object a line."""
        command = ["ip", "netns", "exec", name or self.home, sys.executable, str(INSIDE), *words]
        process = subprocess.Popen(
            command,
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env=os.environ | {"PYTHONPATH": str(ROOT)},
        )
        self._running.append(process)
        return process

    def start(self, *command: str) -> subprocess.Popen[bytes]:
        """Start another program at home."""
        quiet = subprocess.DEVNULL
        process = subprocess.Popen(["ip", "netns", "exec", self.home, *command], stdout=quiet, stderr=quiet)
        self._running.append(process)
        return process

    def program(self, *words: str, name: str | None = None) -> subprocess.Popen[str]:
        """Start ``storm-p2p`` at home or elsewhere."""
        command = ["ip", "netns", "exec", name or self.home, sys.executable, "-m", "cli.app.main", *words]
        process = subprocess.Popen(
            command, cwd=ROOT, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        self._running.append(process)
        return process

    def call(self, address: str, port: int) -> str:
        """Call from outside and return what is said there, or "nobody"."""
        code = (
            "import socket, sys\n"
            "try: print(socket.create_connection((sys.argv[1], int(sys.argv[2])), 1).recv(99).decode())\n"
            "except OSError: print('nobody')\n"
        )
        return self._in(self.outside, sys.executable, "-c", code, address, str(port)).strip()


def _do(*command: str, given: str | None = None) -> str:
    done = subprocess.run(command, capture_output=True, text=True, input=given, timeout=30, check=False)
    assert done.returncode == 0, f"{' '.join(command)}: {done.stderr}"
    return done.stdout
