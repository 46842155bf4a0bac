"""A listener on the loopback, its guests, and strangers, for the tests of the channel."""

from __future__ import annotations

import asyncio
import socket
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any, ClassVar

import pytest
from websockets.asyncio import client

from protocol.reach.punching import Puncher
from protocol.transport import TransportError
from protocol.transport.certificate import Certificate, caller_context, knock
from protocol.transport.listening import Listener, serve
from protocol.transport.websocket import WebSocketTransport
from protocol.transport.websocket import connect as call

CERTIFICATE = Certificate.make()
SECRET = bytes(range(16))


WAYS = ("called", "handed", "knocked")
"""Callers come through the port, or the listener is handed one end of a socket pair, or of a call by UDP."""


class Doors:
    """How callers come to the listeners that listen now."""

    way = WAYS[0]
    listeners: ClassVar[dict[int, Listener]] = {}
    guests: ClassVar[dict[int, Puncher]] = {}
    """Those who have found a way by UDP, by the port of the listener at its other end."""

    @classmethod
    def to(cls, port: int) -> dict[str, Any]:
        """Return what a caller's library is told beside the address."""
        listener = cls.listeners.get(port)
        if cls.way == "called" or listener is None or listener._closed:
            return {}
        if cls.way == "knocked":
            return {"sock": cls.guests[port].open_call()}
        ours, theirs = socket.socketpair()
        listener.take(theirs, "127.0.0.1")
        return {"sock": ours}


async def connect(address: str, port: int, **options: Any) -> WebSocketTransport:
    return await call(address, port, CERTIFICATE.fingerprint[:16], SECRET, **Doors.to(port), **options)


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
    Doors.listeners[listener.port] = listener
    try:
        if Doors.way == "knocked":
            async with knocking(listener) as guest:
                Doors.guests[listener.port] = guest
                yield listener
        else:
            yield listener
    finally:
        Doors.listeners.pop(listener.port, None)
        Doors.guests.pop(listener.port, None)
        await listener.close()


@asynccontextmanager
async def knocking(listener: Listener) -> AsyncIterator[Puncher]:
    """Give somebody whose calls come to a listener by UDP."""

    def take(call: socket.socket) -> None:
        listener.take(call, "127.0.0.1", "udp")

    sides = [Puncher(0, SECRET, is_host=is_host, take=take, binds=["127.0.0.1"]) for is_host in (True, False)]
    try:
        for side, other in zip(sides, reversed(sides), strict=True):
            await side.start()
            side.knock([("127.0.0.1", other.port)])
        await sides[1].meet()
        yield sides[1]
    finally:
        await asyncio.gather(*(side.close() for side in sides))


class Knocking(client.ClientConnection):
    async def handshake(self, *given: Any, **named: Any) -> None:
        self.transport.write(knock(SECRET, CERTIFICATE.fingerprint))
        await super().handshake(*given, **named)


def raw(listener: Listener, **options: Any) -> client.connect:
    """Another program that knows the secret: the library without our options."""
    uri = f"wss://127.0.0.1:{listener.port}/"
    options |= Doors.to(listener.port)
    return client.connect(uri, ssl=caller_context(), create_connection=Knocking, proxy=None, **options)


async def plain(
    listener: Listener, context: ssl.SSLContext | None = None
) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """Somebody who has a connection and says nothing; in TLS with a context."""
    where = Doors.to(listener.port) or {"host": "127.0.0.1", "port": listener.port}
    return await asyncio.open_connection(**where, ssl=context, server_hostname=context and "localhost")


async def stranger(listener: Listener) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """Somebody who speaks TLS and no more."""
    return await plain(listener, caller_context())


async def code_of(waiting: Awaitable[object]) -> str:
    with pytest.raises(TransportError) as caught:
        await waiting
    assert caught.value.sentence.isprintable()
    return caught.value.code
