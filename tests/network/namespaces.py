"""Machines that exist only here: network namespaces, cables between them, and programs that run in them.

Needs root and Linux.  Nothing leaves the namespaces; they go with the block, and what a killed run has left behind goes
with the next one.
"""

from __future__ import annotations

import ctypes
import os
import secrets
import shutil
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Any, NamedTuple, Self

WIRE = Path(__file__).with_name("wire.py")
WANTED = "STORM_P2P_NETWORK"
_PREFIX = "storm-p2p"
_CLONE_NEWNET = 0x40000000  # linux/sched.h; os.setns came with Python 3.12
PACKAGES = {
    "ip": "iproute2",
    "nft": "nftables",
    "miniupnpd": "miniupnpd",
    "turnserver": "coturn",
    "conntrack": "conntrack",
}
"""Which package of Debian brings a program."""


def missing(*tools: str, wanted: bool = False) -> str | None:
    """Return why nothing can be built here with these programs, or None; ``wanted`` without the variable, too."""
    if not wanted and not os.environ.get(WANTED):
        return f"builds network namespaces; set {WANTED}=1 to run it"
    if not sys.platform.startswith("linux") or os.geteuid() != 0:
        return "needs Linux and root to build network namespaces"
    lacking = [tool for tool in ("ip", "nft", *tools) if shutil.which(tool) is None]
    if lacking:
        return f"needs {', '.join(lacking)} (Debian: {' '.join(PACKAGES[tool] for tool in lacking)})"
    try:
        with Namespaces() as probe:
            probe.add("probe")
    except AssertionError as error:
        return f"needs network namespaces, which are not allowed here ({error})"
    return None


class Slow(NamedTuple):
    """What a long cable does to each packet, each way."""

    seconds: float
    percent: float
    """How many of them are lost."""


class Namespaces:
    """The machines by their names, while the block lasts."""

    def __init__(self) -> None:
        """Plan nothing yet; the number of this process in the names says whether their owner lives."""
        self._mine = f"{_PREFIX}-{os.getpid()}-{secrets.token_hex(3)}"
        self.names: list[str] = []
        self._running: list[subprocess.Popen[Any]] = []
        self._last: list[Callable[[], None]] = []

    def __enter__(self) -> Self:
        """Build it."""
        _sweep()
        try:
            self.build()
        except BaseException:
            self.__exit__(None, None, None)
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Take it down, with everything that was started in it."""
        for act in self._last:
            act()
        for process in self._running:
            process.kill()
        for process in self._running:
            process.wait()
            for pipe in (process.stdin, process.stdout, process.stderr):
                if pipe is not None:
                    pipe.close()
        for name in self.names:
            _remove(self.full(name))

    def build(self) -> None:
        """Make what every block of this class begins with."""

    def full(self, name: str) -> str:
        """Return what a machine is called outside."""
        return f"{self._mine}-{name}"

    def add(self, name: str, *, forwards: bool = False) -> None:
        """Add a machine, which may pass on what is not for itself."""
        run("ip", "netns", "add", self.full(name))
        self.names.append(name)
        self.at(name, "ip", "link", "set", "lo", "up")
        # Nobody has an address twice here, and looking for that would take seconds.
        settings = [f"net.ipv6.conf.{one}.accept_dad=0" for one in ("all", "default")]
        if forwards:
            settings += ["net.ipv4.ip_forward=1", "net.ipv6.conf.all.forwarding=1"]
        self.at(name, "sysctl", "-qw", *settings)

    def cable(self, left: str, inner: str, right: str, outer: str, slow: Slow | None = None) -> None:
        """Lay a cable between two machines, each with its name for the device at its end."""
        ends = (self.full(left), self.full(right))
        if slow is None:
            run("ip", "link", "add", inner, "netns", ends[0], "type", "veth", "peer", "name", outer, "netns", ends[1])
        else:
            words = (sys.executable, str(WIRE), inner, outer, str(slow.seconds), str(slow.percent))
            wire = self.start(left, *words, stdout=subprocess.PIPE)
            assert wire.stdout is not None
            assert wire.stdout.readline(), "no cable"
            self.at(left, "ip", "link", "set", "dev", outer, "netns", ends[1])
        self.at(left, "ip", "link", "set", "dev", inner, "up")
        self.at(right, "ip", "link", "set", "dev", outer, "up")

    def address(self, name: str, device: str, *addresses: str) -> None:
        """Give a device its addresses, with the lengths of their networks."""
        for address in addresses:
            self.at(name, "ip", "addr", "add", address, "dev", device)

    def at(self, name: str, *command: str, given: str | None = None) -> str:
        """Run a command on a machine and return what it prints."""
        return run("ip", "netns", "exec", self.full(name), *command, given=given)

    def rules(self, name: str, text: str) -> None:
        """Add rules of nftables on a machine."""
        self.at(name, "nft", "-f", "-", given=text)

    def start(self, name: str, *command: str, **more: Any) -> subprocess.Popen[Any]:
        """Start a program on a machine; without ``more`` it is given and says nothing."""
        quiet = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.DEVNULL)
        process = subprocess.Popen(["ip", "netns", "exec", self.full(name), *command], **(quiet | more))
        self._running.append(process)
        return process

    def socket(self, name: str, kind: int = socket.SOCK_DGRAM, family: int = socket.AF_INET) -> socket.socket:
        """Return a new socket of a machine: it stays there, whoever uses it."""
        made: list[socket.socket] = []

        def make() -> None:
            # A thread may go to another namespace alone, and what it makes there belongs there.
            with Path("/run/netns", self.full(name)).open("rb") as place:
                if ctypes.CDLL(None).setns(place.fileno(), _CLONE_NEWNET) == 0:
                    made.append(socket.socket(family, kind))

        thread = threading.Thread(target=make)
        thread.start()
        thread.join()
        assert made, f"no way into {name}"
        return made[0]

    def before_end(self, act: Callable[[], None]) -> None:
        """Have something done before the machines go."""
        self._last.append(act)


def run(*command: str, given: str | None = None) -> str:
    """Run a command and return what it prints."""
    done = subprocess.run(command, capture_output=True, text=True, input=given, timeout=30, check=False)
    assert done.returncode == 0, f"{' '.join(command)}: {done.stderr.strip()}"
    return done.stdout


def waited(done: Callable[[], bool], longest: float = 60.0) -> float:
    """Wait until something is so, and return how long it took."""
    begun = time.monotonic()
    while not done():
        assert time.monotonic() < begun + longest
        time.sleep(0.05)
    return time.monotonic() - begun


def _remove(full: str) -> None:
    pids = subprocess.run(["ip", "netns", "pids", full], capture_output=True, text=True, check=False).stdout.split()
    if pids:
        subprocess.run(["kill", "-KILL", *pids], check=False, capture_output=True)
    subprocess.run(["ip", "netns", "del", full], check=False, capture_output=True)


def _sweep() -> None:
    """Remove the machines of runs that were killed."""
    for path in Path("/run/netns").glob(f"{_PREFIX}-*"):
        if not Path("/proc", path.name.removeprefix(f"{_PREFIX}-").partition("-")[0]).exists():
            _remove(path.name)
