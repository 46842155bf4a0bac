"""Questions in single packets: asked again until an answer fits or the time is over."""

import asyncio
import socket
from collections.abc import Callable
from typing import TypeVar

from protocol.reach import ReachError
from protocol.reach.formats.pcp import LARGEST

T = TypeVar("T")

FIRST = 0.25
"""Seconds until a question is asked again; twice as long each time (RFC 6886, section 3.1)."""

_QUEUE = 64
"""How many unread packets are kept; whoever sends more loses them."""

Packet = tuple[bytes, str]
"""What came, and the address that sent it."""


class Inbox(asyncio.DatagramProtocol):
    """Packets that have come and are not read yet."""

    def __init__(self) -> None:
        """Make an empty one."""
        self.packets: asyncio.Queue[Packet | OSError] = asyncio.Queue(_QUEUE)

    def datagram_received(self, data: bytes, addr: tuple[str | object, int]) -> None:
        """Keep a packet while there is room."""
        self._put((data, str(addr[0])))

    def error_received(self, exc: Exception) -> None:
        """Keep what the system says about a packet of ours."""
        self._put(exc if isinstance(exc, OSError) else OSError(str(exc)))

    def _put(self, what: Packet | OSError) -> None:
        if not self.packets.full():
            self.packets.put_nowait(what)


async def ask(
    question: bytes, to: tuple[str, int], read: Callable[[bytes], T | None], *, seconds: float, local: str | None = None
) -> T:
    """Return the first answer that fits.

    The socket is connected: the system lets nothing through but what comes from the address and port asked.

    Args:
        question: the packet.
        to: address and port.
        read: returns None for a packet that is no answer to the question; it may raise to end the waiting.
        seconds: how long to wait in all.
        local: the own address to ask from.

    Raises:
        ReachError: ``silent``, ``closed`` (nobody listens there), or what ``read`` raises.
    """
    loop = asyncio.get_running_loop()
    place = f"{to[0]}, port {to[1]}"
    try:
        bound = None if local is None else (local, 0)
        transport, inbox = await loop.create_datagram_endpoint(Inbox, bound, to)
    except OSError as error:
        raise ReachError("closed", f"expected a way to {place}, got none ({error})") from error
    try:
        async with asyncio.timeout(seconds):
            wait = FIRST
            while True:
                transport.sendto(question)
                try:
                    async with asyncio.timeout(wait):
                        return await _answer(inbox, read, place)
                except TimeoutError:
                    wait *= 2
    except TimeoutError:
        raise ReachError("silent", f"expected an answer within {seconds:g} s from {place}, got none") from None
    finally:
        transport.close()


async def _answer(inbox: Inbox, read: Callable[[bytes], T | None], place: str) -> T:
    while True:
        packet = await inbox.packets.get()
        if isinstance(packet, OSError):
            raise ReachError("closed", f"expected an answer from {place}, got a refusal ({packet})") from packet
        # RFC 6887, section 7: what is longer is no message.
        if len(packet[0]) <= LARGEST and (answer := read(packet[0])) is not None:
            return answer


def searching_socket(local: str) -> socket.socket:
    """Return a socket that sends to groups in the network of an own address; the answers come to it alone."""
    found = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    try:
        found.setblocking(False)
        found.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, socket.inet_aton(local))
        found.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_TTL, 2)
        found.bind((local, 0))
    except BaseException:
        found.close()
        raise
    return found
