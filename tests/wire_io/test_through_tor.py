"""The WebSocket channel through a proxy that stands for tor."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

import pytest

from protocol.reach import socks
from protocol.transport.listening import Listener
from wire_io.listener import code_of, connect, play

ONION = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaam2dqd.onion"


@asynccontextmanager
async def tor(listener: Listener, heard: list[bytes]) -> AsyncIterator[int]:
    """A proxy that leads every name to the listener."""

    async def pass_on(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(ConnectionError):
            while data := await reader.read(65_536):
                writer.write(data)
                await writer.drain()
        writer.close()

    async def serve_proxy(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readexactly(3)
        writer.write(b"\x05\x00")
        head = await reader.readexactly(5)
        heard.append(await reader.readexactly(head[4] + 2))
        writer.write(b"\x05\0\0\x01" + bytes(6))
        far_reader, far_writer = await asyncio.open_connection("127.0.0.1", listener.port)
        await asyncio.gather(pass_on(reader, far_writer), pass_on(far_reader, writer))

    proxy = await asyncio.start_server(serve_proxy, "127.0.0.1", 0)
    try:
        yield proxy.sockets[0].getsockname()[1]
    finally:
        proxy.close()


def test_an_onion_address_is_called_through_tor_and_is_the_same_line(monkeypatch: pytest.MonkeyPatch) -> None:
    heard: list[bytes] = []

    async def conversation(listener: Listener) -> None:
        async with tor(listener, heard) as port:
            monkeypatch.setattr(socks, "PORTS", (port,))
            guest = await connect(ONION, 4_711)
            host = await listener.accept()
            await guest.send(b"hello")
            assert await host.receive() == b"hello"
            await guest.close()

    play(conversation)
    assert heard == [ONION.encode() + (4_711).to_bytes(2, "big")]


def test_an_onion_address_without_tor_says_what_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(socks, "PORTS", ())

    async def conversation(listener: Listener) -> None:
        assert await code_of(connect(ONION, listener.port)) == "no-tor"

    play(conversation)
