"""A listener on the loopback, its guests, and strangers, for the tests of the channel."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

import pytest
from websockets.asyncio import client

from protocol.transport import TransportError
from protocol.transport.certificate import Certificate, caller_context, knock
from protocol.transport.listening import Listener, serve
from protocol.transport.websocket import WebSocketTransport
from protocol.transport.websocket import connect as call

CERTIFICATE = Certificate.make()
SECRET = bytes(range(16))


async def connect(address: str, port: int, **options: Any) -> WebSocketTransport:
    return await call(address, port, CERTIFICATE.fingerprint[:16], SECRET, **options)


async def serve_one(bind: str | None, port: int) -> Listener:
    return await serve(bind, port, CERTIFICATE, SECRET)


def play(conversation: Callable[[Listener], Awaitable[None]], bind: str | None = "127.0.0.1") -> None:
    async def whole() -> None:
        async with asyncio.timeout(60), listening(bind) as listener:
            await conversation(listener)

    asyncio.run(whole())


@asynccontextmanager
async def listening(bind: str | None = "127.0.0.1", port: int = 0) -> AsyncIterator[Listener]:
    listener = await serve_one(bind, port)
    try:
        yield listener
    finally:
        await listener.close()


class Knocking(client.ClientConnection):
    async def handshake(self, *given: Any, **named: Any) -> None:
        self.transport.write(knock(SECRET, CERTIFICATE.fingerprint))
        await super().handshake(*given, **named)


def raw(listener: Listener, **options: Any) -> client.connect:
    """Another program that knows the secret: the library without our options."""
    uri = f"wss://127.0.0.1:{listener.port}/"
    return client.connect(uri, ssl=caller_context(), create_connection=Knocking, proxy=None, **options)


async def stranger(listener: Listener) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """Somebody who speaks TLS and no more."""
    return await asyncio.open_connection("127.0.0.1", listener.port, ssl=caller_context())


async def code_of(waiting: Awaitable[object]) -> str:
    with pytest.raises(TransportError) as caught:
        await waiting
    assert caught.value.sentence.isprintable()
    return caught.value.code
