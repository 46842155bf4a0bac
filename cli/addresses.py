"""The addresses of this machine at which another player may find it."""

from __future__ import annotations

import ipaddress
import socket
from collections.abc import Sequence

from protocol.transport.dialling import Candidate

# Addresses of documentation: nothing is sent to them, the system only says which of ours it would use.
_PROBES = ((socket.AF_INET, "192.0.2.1"), (socket.AF_INET6, "2001:db8::1"))


def candidates(bind: str | None, port: int, announced: Sequence[Candidate] = ()) -> tuple[Candidate, ...]:
    """Return where the other may call, best first.

    Args:
        bind: the address that is listened on; none, or one for all, stands for all of this machine.
        port: the port that is listened on.
        announced: what the person has said himself, e.g. of a port that a router hands on.
    """
    # The address is only compared; what is listened on is what the person said.
    everywhere = bind in (None, "", "0.0.0.0", "::")  # noqa: S104
    found = own() if everywhere or bind is None else [bind]
    return tuple(announced) or tuple((address, port) for address in found)


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
