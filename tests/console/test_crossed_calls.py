"""Calls that cross by TCP, and what may go wrong with one."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from cli.meeting import rendezvous
from cli.meeting.reachability import PeerEndpoint
from cli.meeting.rendezvous import Rendezvous, open_beside
from cli.runtime.console import stop
from protocol.reach import crossing
from protocol.reach.formats.outside import Nature, Seen
from protocol.reach.knocking import Way
from protocol.transport.certificate import Certificate
from protocol.transport.listening import serve


@pytest.mark.parametrize("doubted", [None, 1.0])
def test_where_a_way_by_udp_answers_its_call_has_time(doubted: float | None, monkeypatch: pytest.MonkeyPatch) -> None:
    calls = 0

    async def refused(targets: object) -> socket.socket:
        nonlocal calls
        calls += 1
        return await asyncio.Future[socket.socket]()

    async def run() -> None:
        monkeypatch.setattr(crossing, "cross", refused)
        monkeypatch.setattr(rendezvous, "HEAD_START", 0.0)
        async with side() as one:
            one._puncher.knocker.way = Way(0, ("5.2.2.2", 5), 0.0, 0.1, 0.0, doubted)
            await asyncio.sleep(0.05)
            assert calls == (doubted is not None)

    asyncio.run(asyncio.wait_for(run(), 10))


@asynccontextmanager
async def side() -> AsyncIterator[Rendezvous]:
    """Give a host whose calls may cross those of a guest, as long as this lasts."""
    listener = await serve("127.0.0.1", 0, Certificate.make(), bytes(16))
    found = open_beside(listener, bytes(16), ["127.0.0.1"], is_host=True)
    assert found is not None
    await found.look(())
    found.stand_at("5.1.1.2")
    place = PeerEndpoint(bytes(16), (), Seen((("5.2.2.2", 5),), Nature.EASY, 5))
    meeting = asyncio.create_task(found.meet(place, bytes(16), lambda link: None))
    try:
        yield found
    finally:
        await stop(meeting)
        await found.close()
        await listener.close()


def test_a_connection_that_is_gone_at_once_is_called_for_again(monkeypatch: pytest.MonkeyPatch) -> None:
    calls: asyncio.Queue[object] = asyncio.Queue()

    async def gone(targets: object) -> socket.socket:
        calls.put_nowait(targets)
        # Who was at the other end has reset the connection: the system no longer knows where it went.
        return socket.socket(socket.AF_INET, socket.SOCK_STREAM)

    async def run() -> None:
        monkeypatch.setattr(crossing, "cross", gone)
        monkeypatch.setattr(rendezvous, "_PAUSE", 0.0)
        async with side():
            assert await calls.get() == await calls.get()

    asyncio.run(asyncio.wait_for(run(), 10))
