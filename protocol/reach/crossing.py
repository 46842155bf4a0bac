"""TCP connections from the very port that a listener has: both call each other at once (RFC 9293, section 3.5).

Routers that drop UDP may let TCP through when both sides have called: each router then takes the other's call for an
answer.  The line names the port that the router took for the listener's, so every call goes out from that port.  The
system shares it between sockets that all say so (``SO_REUSEADDR``, and ``SO_REUSEPORT`` where it is known), the
listener's among them.
"""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Sequence
from contextlib import suppress

from protocol.reach.formats.stun import Place

PACE = 1.0
"""Seconds from one round of calls to the next."""


def sharing(found: socket.socket) -> socket.socket:
    """Let a socket share its port with others of this program that say so, too; before it is bound."""
    found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    if (shared := getattr(socket, "SO_REUSEPORT", None)) is not None:
        found.setsockopt(socket.SOL_SOCKET, shared, 1)
    return found


async def call(port: int, to: Place) -> socket.socket:
    """Return a connection from a port of this machine.

    Raises:
        OSError: there is none.
    """
    six = ":" in to[0]
    found = socket.socket(socket.AF_INET6 if six else socket.AF_INET, socket.SOCK_STREAM)
    try:
        found.setblocking(False)
        if six:
            found.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
        sharing(found).bind(("::" if six else "0.0.0.0", port))  # noqa: S104 - as the listener
        await asyncio.get_running_loop().sock_connect(found, to)
    except BaseException:
        found.close()
        raise
    return found


async def cross(port: int, targets: Sequence[Place]) -> socket.socket:
    """Call every target once a second, for as long as it takes, and return the first connection.

    Who answers has proved nothing yet.

    Args:
        port: of the listener.
        targets: where the other may be, at least one.
    """
    tasks = [asyncio.create_task(_call_again(port, to)) for to in targets]
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
