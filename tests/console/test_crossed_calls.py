"""Calls that cross by TCP, and what may go wrong with one."""

from __future__ import annotations

import asyncio
import socket

import pytest

from cli.meeting import rendezvous
from cli.meeting.reachability import PeerEndpoint
from protocol.reach import crossing
from protocol.reach.formats.outside import Nature, Seen
from protocol.transport.certificate import Certificate
from protocol.transport.listening import serve


def test_a_connection_that_is_gone_at_once_is_called_for_again(monkeypatch: pytest.MonkeyPatch) -> None:
    calls: asyncio.Queue[int] = asyncio.Queue()

    async def gone(port: int, targets: object) -> socket.socket:
        calls.put_nowait(port)
        # Who was at the other end has reset the connection: the system no longer knows where it went.
        return socket.socket(socket.AF_INET, socket.SOCK_STREAM)

    async def run() -> None:
        monkeypatch.setattr(crossing, "cross", gone)
        monkeypatch.setattr(rendezvous, "_PAUSE", 0.0)
        listener = await serve("127.0.0.1", 0, Certificate.make(), bytes(16))
        side = rendezvous.open_beside(listener, bytes(16), ["127.0.0.1"], is_host=True)
        assert side is not None
        await side.look(())
        side.stand_at("5.1.1.2")
        place = PeerEndpoint(bytes(16), (), Seen((("5.2.2.2", 5),), Nature.EASY, 5))
        links = side.connections(place, bytes(16))
        waiting = asyncio.ensure_future(anext(links))
        try:
            assert await calls.get() == await calls.get()
        finally:
            waiting.cancel()
            await asyncio.gather(waiting, return_exceptions=True)
            await side.close()
            await listener.close()

    asyncio.run(asyncio.wait_for(run(), 10))
