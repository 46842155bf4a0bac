"""What stands behind the router: the second machine on the way to the internet, where the system tells (Linux).

A packet that may go only two steps ends there, and whoever ends it says so (ICMP, RFC 792).  An address of
100.64.0.0/10 there means that the provider shares one public address among its customers.  The packet is sent
towards an address of documentation, so that nobody is called even if it went further.
"""

import asyncio
import socket
import struct
import sys
from contextlib import suppress

SECONDS = 1.5
"""How long to wait."""

_FAR = ("192.0.2.1", 33_434)
# Of <linux/in.h> and <linux/errqueue.h>; the socket module does not have them all before Python 3.14.
_IP_RECVERR = 11
_FROM_ICMP = 2
_TIME_EXCEEDED = 11
_ERROR = struct.Struct("=IBBBxII")
_OFFENDER = struct.Struct("=HH4s")
_AGAIN = 0.4
# A plain str: every branch is checked by the types on every system.
_PLATFORM: str = sys.platform


def read_offender(data: bytes) -> str | None:
    """Return who ended a packet because it had gone its steps, from the bytes in which Linux tells it."""
    if len(data) < _ERROR.size + _OFFENDER.size:
        return None
    _, origin, kind, *_ = _ERROR.unpack_from(data)
    family, _, packed = _OFFENDER.unpack_from(data, _ERROR.size)
    if (origin, kind, family) != (_FROM_ICMP, _TIME_EXCEEDED, socket.AF_INET):
        return None
    return socket.inet_ntoa(packed)


async def trace_hop(client: str | None) -> str | None:
    """Return the address of the machine behind the router; None when it is not told.

    Args:
        client: the own IPv4 address to send from, if there is one.
    """
    if client is None or not _PLATFORM.startswith("linux"):
        return None
    loop = asyncio.get_running_loop()
    with suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.setblocking(False)
        probe.setsockopt(socket.IPPROTO_IP, _IP_RECVERR, 1)
        probe.setsockopt(socket.IPPROTO_IP, socket.IP_TTL, 2)
        probe.bind((client, 0))
        told = asyncio.Event()
        loop.add_reader(probe, told.set)
        try:
            async with asyncio.timeout(SECONDS):
                while True:
                    probe.sendto(b"storm-p2p", _FAR)
                    with suppress(TimeoutError):
                        async with asyncio.timeout(_AGAIN):
                            await told.wait()
                        return _told(probe)
        except TimeoutError:
            return None
        finally:
            loop.remove_reader(probe)
    return None


def _told(probe: socket.socket) -> str | None:
    _, messages, *_ = probe.recvmsg(512, 512, socket.MSG_ERRQUEUE)
    for level, kind, data in messages:
        if (level, kind) == (socket.IPPROTO_IP, _IP_RECVERR):
            return read_offender(data)
    return None
