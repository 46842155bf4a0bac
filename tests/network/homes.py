"""Two homes, any router: an internet of network namespaces with a real STUN server (coturn).

::

    home-a ── router-a ── (carrier-a) ── internet ── (carrier-b) ── router-b ── home-b
    192.168.77.2                            │                          192.168.88.2
                                         server  5.9.9.10, 5.9.9.11: STUN;  5.9.9.12: nothing yet

A home is called after what its router does, and after what its carrier does behind that: ``easy+sym``.

=======  ==================================================================================================
none     no translation: the home has a public address behind a stateful firewall
easy     keeps the port, the same for every destination, and lets in only what was called (most homes)
loud     easy, but the router takes and answers what comes from outside for itself (RST, ICMP)
full     easy, but anything from outside is passed on to the home
timid    easy, but entries for UDP die after 30 s
sym      another port for each destination
noudp    easy for TCP; UDP is dropped
=======  ==================================================================================================

The internet is far from both homes: a packet needs eight steps to come through, as one of a real home does.
"""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Final

from network.namespaces import Namespaces, Slow, waited

EASY: Final = ("none", "easy", "loud", "full", "timid", "easy+easy")
HARD: Final = ("sym", "easy+sym", "sym+easy")
KINDS: Final = (*EASY, *HARD, "noudp")
PAIRS: Final = tuple((a, b) for at, a in enumerate(KINDS) for b in KINDS[at:])
TOOLS: Final = ("turnserver", "conntrack")
SERVERS: Final = ("5.9.9.10:3478", "5.9.9.11:3478")
"""Where STUN is answered."""
PUBLIC: Final = "5.9.9.12"
"""Another address of the machine ``server``."""
ENTRIES: Final = 30
"""How many seconds a timid router remembers what has used UDP."""

_INSIDE: Final = {"a": "192.168.77", "b": "192.168.88"}
_BETWEEN: Final = {"a": "100.64.1", "b": "100.64.2"}
_OUTSIDE: Final = {"a": "5.1.1", "b": "5.2.2"}
_OWN: Final = {"a": "5.1.9", "b": "5.2.9"}
_SIX: Final = {"a": "2a00:1", "b": "2a00:2"}

_FILTER: Final = """
table inet filter {{
    chain forward {{
        type filter hook forward priority 0; policy drop;
        {udp}
        ct state established,related accept
        ct status dnat accept
        iifname "lan*" accept
    }}
    chain input {{
        type filter hook input priority 0; policy {strangers};
        ct state established,related accept
        iifname "lan*" accept
        meta l4proto ipv6-icmp accept
    }}
}}
"""
_TRANSLATION: Final = """
table ip nat {{
    chain postrouting {{
        type nat hook postrouting priority 100; policy accept;
        oifname "wan" masquerade {ports}
    }}
    chain prerouting {{
        type nat hook prerouting priority -100; policy accept;
        {inwards}
    }}
}}
"""
_FAR: Final = """
table ip far {
    chain prerouting { type filter hook prerouting priority -150; policy accept; ip ttl < 8 ip ttl set 1; }
}
"""
"""One router stands for seven: what has not steps enough left ends here, with a word to the sender."""


def write_rules(kind: str, home: str) -> str:
    """Return what nftables does in a router of a kind; ``home`` is the address behind it."""
    text = _FILTER.format(
        udp="meta l4proto udp drop" if kind == "noudp" else "", strangers="accept" if kind == "loud" else "drop"
    )
    if kind == "none":
        return text
    inwards = f'iifname "wan" meta l4proto {{ tcp, udp }} th dport 1024-65535 dnat to {home}'
    return text + _TRANSLATION.format(
        ports="random,fully-random" if kind == "sym" else "", inwards=inwards if kind == "full" else ""
    )


class Homes(Namespaces):
    """The homes ``a`` and ``b`` and all between them, while the block lasts."""

    def __init__(
        self,
        a: str,
        b: str,
        *,
        six: bool = False,
        carrier: str | None = None,
        slow: Mapping[str, Slow] | None = None,
        entries: int = ENTRIES,
    ) -> None:
        """Plan two homes.

        ``six`` adds public IPv6 behind the firewalls of all routers.  ``carrier`` is the kind of one carrier that both
        homes share, without IPv6.  ``slow`` makes the cables of homes long.  ``entries`` is for the timid.
        """
        super().__init__()
        self.kinds = {"a": a, "b": b}
        self.six, self.carrier, self.slow, self.entries = six, carrier, slow or {}, entries
        self._folder = tempfile.TemporaryDirectory(prefix="storm-p2p-network-")

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Take it down with what the servers have written."""
        super().__exit__(kind, error, trace)
        self._folder.cleanup()

    def build(self) -> None:
        """Lay the cables, set up the routers and start the server."""
        self.add("internet", forwards=True)
        self.rules("internet", _FAR)
        self.add("server")
        self._link("server", "eth0", "internet", "server", "5.9.9", six="2a00:9")
        self.address("server", "eth0", *(f"{one.partition(':')[0]}/24" for one in SERVERS), f"{PUBLIC}/24")
        if self.carrier:
            self._router("carrier", self.carrier, "100.64.1.2")
            self._link("carrier", "wan", "internet", "carrier", "5.3.3")
        for side in self.kinds:
            self._home(side)
        self._serve()

    def _home(self, side: str) -> None:
        home, router, carrier = (f"{one}-{side}" for one in ("home", "router", "carrier"))
        kind, _, behind = self.kinds[side].partition("+")
        self.add(home)
        self._router(router, kind, f"{_INSIDE[side]}.2")
        six = f"{_SIX[side]}:1" if self.six else ""
        self._link(home, "eth0", router, "lan", (_OWN if kind == "none" else _INSIDE)[side], six=six)
        slow = self.slow.get(side)
        if self.carrier:
            self._link(router, "wan", "carrier", f"lan-{side}", _BETWEEN[side], slow=slow)
            return
        # Seen from the internet, the home lies behind the last router, and behind each in between.
        last = router
        if behind:
            six_between = f"{_SIX[side]}:2" if self.six else ""
            self._router(carrier, behind, f"{_BETWEEN[side]}.2")
            self._link(router, "wan", carrier, "lan", _BETWEEN[side], six=six_between)
            last = carrier
        six_outside = f"{_SIX[side]}:3" if self.six else ""
        self._link(last, "wan", "internet", f"to-{side}", _OUTSIDE[side], six=six_outside, slow=slow)
        if self.six:
            self.at("internet", "ip", "-6", "route", "add", f"{_SIX[side]}::/32", "via", f"{six_outside}::2")
            if behind:
                self.at(carrier, "ip", "-6", "route", "add", f"{six}::/64", "via", f"{six_between}::2")
        if kind == "none":
            self.at("internet", "ip", "route", "add", f"{_OWN[side]}.0/24", "via", f"{_OUTSIDE[side]}.2")

    def _router(self, name: str, kind: str, home: str) -> None:
        self.add(name, forwards=True)
        self.rules(name, write_rules(kind, home))
        if kind == "timid":
            keys = ("nf_conntrack_udp_timeout", "nf_conntrack_udp_timeout_stream")
            self.at(name, "sysctl", "-qw", *(f"net.netfilter.{key}={self.entries}" for key in keys))

    def _link(
        self, left: str, inner: str, right: str, outer: str, net: str, *, six: str = "", slow: Slow | None = None
    ) -> None:
        """Lay a cable: left is .2 of its net, right is .1 and the way to everywhere else."""
        self.cable(left, inner, right, outer, slow)
        for name, device, end in ((left, inner, 2), (right, outer, 1)):
            self.address(name, device, f"{net}.{end}/24", *([f"{six}::{end}/64"] if six else []))
        self.at(left, "ip", "route", "add", "default", "via", f"{net}.1")
        if six:
            self.at(left, "ip", "-6", "route", "add", "default", "via", f"{six}::1")

    def _serve(self) -> None:
        folder = Path(self._folder.name)
        listening = [word for one in SERVERS for word in ("-L", one.partition(":")[0])]
        off = ("--no-tls", "--no-dtls", "--no-cli", "--no-stdout-log")
        files = ("--pidfile", str(folder / "pid"), "--log-file", str(folder / "log"), "--db", str(folder / "db"))
        self.start("server", "turnserver", "-n", "-S", *listening, "-L", "2a00:9::2", "-p", "3478", *off, *files)
        waited(lambda: ":3478 " in self.at("server", "ss", "-uln"), 10)

    @property
    def _forgetful(self) -> list[str]:
        return [name for name in self.names if name.startswith(("router", "carrier"))]

    def outside(self, side: str) -> str:
        """Return the address that the world sees for a home."""
        if self.carrier:
            return "5.3.3.2"
        return f"{_OUTSIDE[side]}.2" if self.kinds[side] != "none" else f"{_OWN[side]}.2"

    def entries_of(self, side: str) -> str:
        """Return what the router of a home remembers, in the words of ``conntrack``."""
        return self.at(f"router-{side}", "conntrack", "-L")

    def forget(self) -> None:
        """Let every router and carrier forget who has called whom."""
        for name in self._forgetful:
            self.at(name, "conntrack", "-F")

    def let_in(self, side: str, port: int) -> None:
        """Forward a port of the router to the home, as a person does in its settings; by IPv6 open it."""
        router = f"router-{side}"
        both = f"meta l4proto {{ tcp, udp }} th dport {port}"
        self.rules(router, f'add rule inet filter forward iifname "wan" {both} accept')
        if not self.kinds[side].startswith("none"):
            home = f"{_INSIDE[side]}.2"
            self.rules(router, f'add rule ip nat prerouting iifname "wan" {both} dnat to {home}')

    def renumber(self, side: str, port: int) -> None:
        """Let a router forget, and take this port outside for whatever uses UDP from now on."""
        router = f"router-{side}"
        self.rules(router, f'insert rule ip nat postrouting oifname "wan" meta l4proto udp masquerade to :{port}')
        self.at(router, "conntrack", "-F")

    def move(self, side: str) -> None:
        """Give a home without a carrier another address outside."""
        router, net = f"router-{side}", _OUTSIDE[side]
        self.at(router, "ip", "addr", "del", f"{net}.2/24", "dev", "wan")
        self.address(router, "wan", f"{net}.77/24")
        self.at(router, "ip", "route", "replace", "default", "via", f"{net}.1")
        self.at(router, "conntrack", "-F")
