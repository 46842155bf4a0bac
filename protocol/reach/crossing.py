"""TCP connections that both sides call for at once, from a port at which nobody listens (RFC 9293, section 3.5).

Routers that drop UDP may let TCP through when both sides have called: each router then takes the other's call for an
answer.  The line names the port that the router took for ours, so every call goes out from that port.  The system
shares it between sockets that all say so (``SO_REUSEADDR``, and ``SO_REUSEPORT`` where it is known).

It is not the listener's port.  A call that comes to a listener is answered by it, and the two would not know which of
them is the server of the connection; here a call meets a call or nobody, and the host of the match is always the
server.
"""

import asyncio
import socket
from collections.abc import Iterable
from contextlib import suppress

from protocol.reach.formats.stun import Place

PACE = 1.0
"""Seconds from one round of calls to the next."""


def reserve(family: socket.AddressFamily) -> socket.socket:
    """Return a socket that holds a free port, from which others may be called while it is open.

    Raises:
        OSError: there is no port, or the machine does not know the family.
    """
    found = socket.socket(family, socket.SOCK_STREAM)
    try:
        _bind(found, 0)
        # Only now: until then it would have shared the port of somebody else.
        _share(found)
    except OSError:
        found.close()
        raise
    return found


def _bind(found: socket.socket, port: int) -> None:
    if found.family == socket.AF_INET6:
        found.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
    # Whoever is called decides on the address.
    found.bind(("", port))


def _share(found: socket.socket) -> None:
    found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    if (shared := getattr(socket, "SO_REUSEPORT", None)) is not None:
        found.setsockopt(socket.SOL_SOCKET, shared, 1)


async def call(port: int, to: Place) -> socket.socket:
    """Return a connection to a place from a port of this machine.

    Raises:
        OSError: there is none.
    """
    found = socket.socket(socket.AF_INET6 if ":" in to[0] else socket.AF_INET, socket.SOCK_STREAM)
    try:
        found.setblocking(False)
        _share(found)
        _bind(found, port)
        await asyncio.get_running_loop().sock_connect(found, to)
    except BaseException:
        found.close()
        raise
    return found


async def cross(targets: Iterable[tuple[int, Place]]) -> socket.socket:
    """Call every target once a second, for as long as it takes, and return the first connection.

    Who answers has proved nothing yet.

    Args:
        targets: where the other may be, at least one, each with the port of :func:`reserve` for its family.
    """
    tasks = [asyncio.create_task(_call_again(*one)) for one in targets]
    first: socket.socket | None = None
    try:
        done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        first = done.pop().result()
        return first
    finally:
        for task in tasks:
            task.cancel()
        for found in await asyncio.gather(*tasks, return_exceptions=True):
            if isinstance(found, socket.socket) and found is not first:
                found.close()


async def _call_again(port: int, to: Place) -> socket.socket:
    loop = asyncio.get_running_loop()
    while True:
        again = loop.time() + PACE
        # A time that is up is an OSError, too.
        with suppress(OSError):
            async with asyncio.timeout_at(again):
                return await call(port, to)
        await asyncio.sleep(again - loop.time())
