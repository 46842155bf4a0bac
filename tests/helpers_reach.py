"""Routers that are not there: a UDP port and a page on the loopback that say what a test wants."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import cast

from protocol.reach import ReachError
from protocol.reach.formats.outcome import Mapped

Reply = Callable[[bytes], list[bytes]]
"""What a router answers to a packet."""


class FakeRouter(asyncio.DatagramProtocol):
    """A router on the loopback; ``asked`` is what came."""

    def __init__(self, reply: Reply, elsewhere: bool = False) -> None:
        """Answer with ``reply``; from another port when it is ``elsewhere``."""
        self.reply, self.elsewhere = reply, elsewhere
        self.asked: list[bytes] = []
        self.port = 0
        self.other: asyncio.DatagramTransport | None = None
        self.transport: asyncio.DatagramTransport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Keep the transport."""
        self.transport = cast(asyncio.DatagramTransport, transport)

    def datagram_received(self, data: bytes, addr: tuple[str | object, int]) -> None:
        """Answer."""
        self.asked.append(data)
        sender = self.other if self.elsewhere else self.transport
        assert sender is not None
        for answer in self.reply(data):
            sender.sendto(answer, addr)


@asynccontextmanager
async def fake_router(reply: Reply, *, elsewhere: bool = False) -> AsyncIterator[FakeRouter]:
    """Listen on a free port of the loopback."""
    loop = asyncio.get_running_loop()
    transport, router = await loop.create_datagram_endpoint(lambda: FakeRouter(reply, elsewhere), ("127.0.0.1", 0))
    router.port = transport.get_extra_info("sockname")[1]
    other, _ = await loop.create_datagram_endpoint(asyncio.DatagramProtocol, ("127.0.0.1", 0))
    router.other = other
    try:
        yield router
    finally:
        transport.close()
        other.close()


@asynccontextmanager
async def fake_page(answers: Callable[[bytes], bytes]) -> AsyncIterator[int]:
    """Serve HTTP on a free port of the loopback; yields the port. What comes is handed over whole."""

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            head = await reader.readuntil(b"\r\n\r\n")
            length = [line.split(b":")[1] for line in head.split(b"\r\n") if line.lower().startswith(b"content-length")]
            body = await reader.readexactly(int(length[0])) if length else b""
            writer.write(answers(head + body))
            await writer.drain()
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    try:
        yield server.sockets[0].getsockname()[1]
    finally:
        server.close()
        await server.wait_closed()


def page(body: str, status: int = 200) -> bytes:
    """Return a whole answer of HTTP."""
    data = body.encode()
    return f"HTTP/1.1 {status} X\r\nContent-Length: {len(data)}\r\n\r\n".encode() + data


@dataclass
class Clock:
    """Time that passes only when somebody waits."""

    now: float = 1_000.0
    wall: float = 0.0
    waits: list[float] = field(default_factory=list)
    asleep: float = 0.0
    """How far the wall clock jumps in the next wait, as with a closed lid."""

    async def pause(self, seconds: float) -> None:
        """Wait without waiting."""
        self.waits.append(seconds)
        self.now += seconds
        self.wall += seconds + self.asleep
        self.asleep = 0.0
        if len(self.waits) > 1_000:
            raise AssertionError("expected an end of the waiting")


@dataclass
class ScriptedRouter:
    """A router that says what stands in its script, and then ends the test by cancelling it."""

    script: list[Mapped | ReachError]
    opened: list[tuple[int, int]] = field(default_factory=list)
    closed: int = 0
    name: str = "Scripted"

    async def open(self, port: int, external: int) -> Mapped:
        """See ``Router``."""
        self.opened.append((port, external))
        if not self.script:
            raise asyncio.CancelledError
        said = self.script.pop(0)
        if isinstance(said, ReachError):
            raise said
        return said

    async def close(self) -> None:
        """See ``Router``."""
        self.closed += 1
