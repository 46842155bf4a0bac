"""A small internet on one machine: a home behind a router with a real miniupnpd, and somebody outside.

::

    home  192.168.77.2 ── 192.168.77.1  router  WAN ── .2  outside
          2a00:77:1::2    2a00:77:1::1          2a00:77:2::1/2

Three network namespaces and two cables (``namespaces.py``), and ``miniupnpd`` for nftables.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

from helpers import ROOT

from network.namespaces import Namespaces

HOME, HOME6 = "192.168.77.2", "2a00:77:1::2"
INSIDE = Path(__file__).with_name("inside.py")

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


class Lab(Namespaces):
    """The machines ``home``, ``router`` and ``outside``, while the block lasts."""

    def __init__(self, folder: Path, wan: str = "5.5.5") -> None:
        """Plan a network; ``wan`` is the beginning of the addresses between router and outside."""
        super().__init__()
        self.folder = folder
        self.wan, self.far = f"{wan}.1", f"{wan}.2"

    def build(self) -> None:
        """Lay the cables and give the addresses."""
        self.add("home")
        for name in ("router", "outside"):
            self.add(name, forwards=True)
        self.cable("home", "eth0", "router", "lan")
        self.cable("router", "wan", "outside", "eth0")
        self.address("home", "eth0", f"{HOME}/24", f"{HOME6}/64")
        self.address("router", "lan", "192.168.77.1/24", "2a00:77:1::1/64", "fe80::1/64")
        self.address("router", "wan", f"{self.wan}/24", "2a00:77:2::1/64")
        self.address("outside", "eth0", f"{self.far}/24", "2a00:77:2::2/64")
        self.at("home", "ip", "route", "add", "default", "via", "192.168.77.1")
        self.at("router", "ip", "route", "add", "default", "via", self.far)
        self.at("home", "ip", "-6", "route", "add", "default", "via", "fe80::1", "dev", "eth0")
        self.at("outside", "ip", "-6", "route", "add", "default", "via", "2a00:77:2::1")
        # The one outside stands for the provider, too: packets that have gone their steps end there with a word.
        self.at("outside", "ip", "route", "add", "default", "via", self.wan)
        self.rules("router", _RULES)

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
            self._daemon = self.start("router", *command, stdout=log, stderr=log)
        end = time.monotonic() + 5
        while time.monotonic() < end:
            if ":1900 " in self.at("router", "ss", "-uln") + " ":
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
        self.at("home", "ip", "addr", "add", f"{neighbour}/24", "dev", "eth0")
        code = (
            "import asyncio, sys, time\n"
            "from protocol.reach.routers import NatPmp\n"
            "way, port = NatPmp('192.168.77.1', sys.argv[1], now=time.monotonic), int(sys.argv[2])\n"
            "assert asyncio.run(way.open(port, port)).port == port\n"
        )
        self.at("home", "env", f"PYTHONPATH={ROOT}", sys.executable, "-c", code, neighbour, str(port))

    def forget(self) -> None:
        """Remove what miniupnpd has opened, as a router does that is switched off and on."""
        for chain in ("prerouting_miniupnpd", "postrouting_miniupnpd", "miniupnpd"):
            self.at("router", "nft", "flush", "chain", "inet", "filter", chain)

    def mappings(self) -> str:
        """Return what miniupnpd has opened, in the words of nftables."""
        show = ("nft", "list", "chain", "inet", "filter")
        text = "".join(self.at("router", *show, one) for one in ("prerouting_miniupnpd", "miniupnpd"))
        return "\n".join(line.strip() for line in text.splitlines() if "dnat" in line or "accept" in line)

    def inside(self, *words: str) -> subprocess.Popen[str]:
        """Start our program ``inside.py`` at home; it prints one JSON object a line."""
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
        environment = os.environ | {"PYTHONPATH": str(ROOT)}
        return self.start("home", sys.executable, str(INSIDE), *words, cwd=ROOT, env=environment, **pipes)

    def program(self, *words: str, name: str = "home") -> subprocess.Popen[str]:
        """Start ``storm-p2p`` at home or elsewhere."""
        pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
        return self.start(name, sys.executable, "-m", "cli.app.main", *words, cwd=ROOT, **pipes)

    def call(self, address: str, port: int) -> str:
        """Call from outside and return what is said there, or "nobody"."""
        code = (
            "import socket, sys\n"
            "try: print(socket.create_connection((sys.argv[1], int(sys.argv[2])), 1).recv(99).decode())\n"
            "except OSError: print('nobody')\n"
        )
        return self.at("outside", sys.executable, "-c", code, address, str(port)).strip()
