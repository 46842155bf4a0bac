"""Machines that exist only here: network namespaces, cables between them, and programs that run in them.

Needs root and Linux.  Nothing leaves the namespaces; they go with the block, and what a killed run has left behind goes
with the next one.
"""

from __future__ import annotations

import os
import secrets
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Any, Self

WANTED = "STORM_P2P_NETWORK"
_PREFIX = "storm-p2p"
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
        return f"network namespaces are not allowed here ({error})"
    return None


class Namespaces:
    """The machines by their names, while the block lasts."""

    def __init__(self) -> None:
        """Plan nothing yet; the number of this process in the names says whether their owner lives."""
        self._mine = f"{_PREFIX}-{os.getpid()}-{secrets.token_hex(3)}"
        self.names: list[str] = []
        self._running: list[subprocess.Popen[Any]] = []

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
        if forwards:
            self.at(name, "sysctl", "-qw", "net.ipv4.ip_forward=1", "net.ipv6.conf.all.forwarding=1")

    def cable(self, left: str, inner: str, right: str, outer: str) -> None:
        """Lay a cable between two machines, each with its name for the device at its end."""
        ends = (self.full(left), self.full(right))
        run("ip", "link", "add", inner, "netns", ends[0], "type", "veth", "peer", "name", outer, "netns", ends[1])
        self.at(left, "ip", "link", "set", inner, "up")
        self.at(right, "ip", "link", "set", outer, "up")

    def address(self, name: str, device: str, *addresses: str) -> None:
        """Give a device its addresses, with the lengths of their networks."""
        for address in addresses:
            extra = ["nodad"] if ":" in address else []
            self.at(name, "ip", "addr", "add", address, "dev", device, *extra)

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


def run(*command: str, given: str | None = None) -> str:
    """Run a command and return what it prints."""
    done = subprocess.run(command, capture_output=True, text=True, input=given, timeout=30, check=False)
    assert done.returncode == 0, f"{' '.join(command)}: {done.stderr}"
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
