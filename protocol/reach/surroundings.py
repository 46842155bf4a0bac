"""What the system says about this machine's place in the network: its own addresses and its routers.

The system has no one way to ask on Linux, macOS and Windows.  Own addresses come from a question that needs no
packet: which address would be used to send to one far away.  It is asked for the internet and for the networks
that overlays use, so that a VPN shows, too.  Why not ``psutil``: it is a large compiled library, for a list of
addresses most of which nobody can call.
"""

import asyncio
import ipaddress
import os
import re
import socket
import struct
import sys
from asyncio.subprocess import DEVNULL, PIPE
from contextlib import suppress
from pathlib import Path

from protocol.reach.formats.addresses import AddressKind, classify
from protocol.system import processes

_FAR = (
    (socket.AF_INET, "192.0.2.1"),
    (socket.AF_INET6, "2001:db8::1"),
    # Networks that overlays and second interfaces use; where there is none, the answer is that of the first line.
    (socket.AF_INET, "100.100.100.100"),
    (socket.AF_INET, "10.255.255.254"),
    (socket.AF_INET, "172.31.255.254"),
    (socket.AF_INET, "192.168.255.254"),
    (socket.AF_INET6, "fd7a:115c:a1e0::53"),
)
"""Nothing is sent to these addresses."""

# A plain str: every branch is checked by the types on every system.
_PLATFORM: str = sys.platform

_NAME_SECONDS = 1.0
_TOOL_SECONDS = 2.0
_UNUSABLE = (AddressKind.EMPTY, AddressKind.LINK, AddressKind.LOOPBACK)


def find_source(family: socket.AddressFamily, far: str) -> str | None:
    """Return which own address the system would use to send to another; None when it has no way there."""
    try:
        with socket.socket(family, socket.SOCK_DGRAM) as probe:
            probe.connect((far, 9))
            return str(probe.getsockname()[0])
    except OSError:
        return None


async def find_own_addresses() -> tuple[str, ...]:
    """Return this machine's addresses that reach beyond it, those for the internet first."""
    found = [address for family, far in _FAR if (address := find_source(family, far)) is not None]
    loop = asyncio.get_running_loop()
    with suppress(OSError, UnicodeError, TimeoutError):
        # The name of the machine may have to be looked up far away; it is worth a moment only.
        async with asyncio.timeout(_NAME_SECONDS):
            named = await loop.getaddrinfo(socket.gethostname(), None, type=socket.SOCK_STREAM)
        found += [str(address[0]) for *_, address in named if is_own(str(address[0]))]
    return tuple(dict.fromkeys(one for one in found if "%" not in one and classify(one) not in _UNUSABLE))


def is_own(address: str) -> bool:
    """Return whether an address is one of this machine now."""
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    try:
        with socket.socket(family, socket.SOCK_DGRAM) as probe:
            probe.bind((address, 0))
    except OSError:
        return False
    return True


def is_free(port: int) -> bool:
    """Return whether no program of this machine listens on a TCP port."""
    with suppress(OSError, OverflowError), socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
        if (exclusive := getattr(socket, "SO_EXCLUSIVEADDRUSE", None)) is not None:
            # Windows gives the same port to several programs otherwise.
            probe.setsockopt(socket.SOL_SOCKET, exclusive, 1)
        probe.bind(("", port))
        return True
    return False


async def find_router(version: int) -> str | None:
    """Return the address of the router to the internet, with its interface for IPv6; None when there is none.

    Args:
        version: of IP, 4 or 6.
    """
    if _PLATFORM.startswith("linux"):
        return read_linux_router4(_read("route")) if version == 4 else read_linux_router6(_read("ipv6_route"))
    if _PLATFORM == "win32":
        tool = os.path.join(os.environ.get("SYSTEMROOT", r"C:\Windows"), "System32", "ROUTE.EXE")
        return read_windows_router(await _run_tool(tool, "print", f"-{version}"), version)
    family = "-inet" if version == 4 else "-inet6"
    return read_bsd_router(await _run_tool("/sbin/route", "-n", "get", family, "default"))


def _read(table: str) -> str:
    try:
        return Path("/proc/net", table).read_text(encoding="ascii")
    except (OSError, UnicodeError):
        return ""


async def _run_tool(*command: str) -> str:
    """Return what a tool of the system prints; nothing when it is not there or does not end."""
    try:
        process = await processes.start(*command, stdin=DEVNULL, stdout=PIPE, stderr=DEVNULL)
    except OSError:
        return ""
    try:
        async with asyncio.timeout(_TOOL_SECONDS):
            printed, _ = await process.communicate()
    except TimeoutError:
        processes.kill(process)
        await process.wait()
        return ""
    return printed.decode("utf-8", "replace")


def read_linux_router4(table: str) -> str | None:
    """Return the default router with the lowest metric from the text of ``/proc/net/route``."""
    found: list[tuple[int, str]] = []
    for line in table.splitlines()[1:]:
        cells = line.split()
        with suppress(ValueError, IndexError, struct.error):
            target, gateway, flags, metric, mask = cells[1], cells[2], int(cells[3], 16), int(cells[6]), cells[7]
            # RTF_UP and RTF_GATEWAY.
            if int(target, 16) == 0 == int(mask, 16) and flags & 3 == 3:
                # The kernel prints the four bytes as a number in its own order.
                found.append((metric, socket.inet_ntoa(struct.pack("=I", int(gateway, 16)))))
    return min(found)[1] if found else None


def read_linux_router6(table: str) -> str | None:
    """Return the default router with the lowest metric from the text of ``/proc/net/ipv6_route``."""
    found: list[tuple[int, str]] = []
    for line in table.splitlines():
        cells = line.split()
        with suppress(ValueError, IndexError):
            gateway = ipaddress.IPv6Address(bytes.fromhex(cells[4]))
            if int(cells[0], 16) == 0 == int(cells[1], 16) and not gateway.is_unspecified:
                found.append((int(cells[5], 16), _scoped(str(gateway), cells[9])))
    return min(found)[1] if found else None


def read_bsd_router(printed: str) -> str | None:
    """Return the router from what ``route -n get default`` prints on macOS."""
    found = re.search(r"^\s*gateway:\s*(\S+)\s*$", printed, re.MULTILINE)
    return _address(found[1]) if found else None


def read_windows_router(printed: str, version: int) -> str | None:
    """Return the router with the lowest metric from what ``route print`` prints on Windows.

    The words around the table are translated there, so only its numbers are looked at.
    """
    found: list[tuple[int, str]] = []
    for line in printed.splitlines():
        cells = line.split()
        with suppress(ValueError):
            if version == 4 and len(cells) == 5 and cells[:2] == ["0.0.0.0", "0.0.0.0"]:  # noqa: S104
                found += [(int(cells[4]), router) for router in [_address(cells[2])] if router]
            if version == 6 and len(cells) == 4 and cells[2] == "::/0":
                router = _address(cells[3])
                if router is not None:
                    found.append((int(cells[1]), _scoped(router, str(int(cells[0])))))
    return min(found)[1] if found else None


def _scoped(address: str, interface: str) -> str:
    return f"{address}%{interface}" if classify(address) is AddressKind.LINK else address


def _address(text: str) -> str | None:
    try:
        return str(ipaddress.ip_address(text))
    except ValueError:
        return None
