"""The addresses of this machine at which another player may find it."""

from __future__ import annotations

import ipaddress
import socket

# Addresses of documentation: nothing is sent to them, the system only says which of ours it would use.
_PROBES = ((socket.AF_INET, "192.0.2.1"), (socket.AF_INET6, "2001:db8::1"))


def own() -> list[str]:
    """Return this machine's addresses, those that reach furthest first; at least the loopback."""
    found: list[str] = []
    for family, far in _PROBES:
        try:
            with socket.socket(family, socket.SOCK_DGRAM) as probe:
                probe.connect((far, 9))
                found.append(str(probe.getsockname()[0]))
        except OSError:
            continue
    usable = [address for address in dict.fromkeys(found) if not _useless(address)]
    return sorted(usable, key=lambda address: not ipaddress.ip_address(address).is_global) or ["127.0.0.1"]


def _useless(address: str) -> bool:
    parsed = ipaddress.ip_address(address.split("%")[0])
    return parsed.is_unspecified or parsed.is_link_local or "%" in address
