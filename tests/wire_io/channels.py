"""Every kind of channel, with both of its ends."""

from __future__ import annotations

import socket
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

from helpers_memory import pair

from protocol.transport import Transport
from protocol.transport.certificate import Certificate
from protocol.transport.listening import serve
from protocol.transport.websocket import connect
from wire_io.files import FilesTransport
from wire_io.listener import knocking

CERTIFICATE = Certificate.make()
KINDS = ("memory", "files", "websocket", "socket pair", "tube")

Ends = tuple[Transport, Transport]


def files(folder: Path) -> tuple[FilesTransport, FilesTransport]:
    return FilesTransport(folder, "host", "guest", poll=0), FilesTransport(folder, "guest", "host", poll=0)


@asynccontextmanager
async def channel(kind: str, folder: Path) -> AsyncIterator[Ends]:
    if kind == "memory":
        yield pair()
    elif kind == "files":
        yield files(folder)
    else:
        listener = await serve("127.0.0.1", 0, CERTIFICATE, bytes(16))
        ours, theirs = (None, None) if kind != "socket pair" else socket.socketpair()
        if theirs is not None:
            listener.take(theirs, "2001:db8::1")
        async with AsyncExitStack() as stack:
            stack.push_async_callback(listener.close)
            if kind == "tube":
                ours = (await stack.enter_async_context(knocking(listener))).open_call()
            guest = await connect("127.0.0.1", listener.port, CERTIFICATE.fingerprint, bytes(16), sock=ours)
            stack.push_async_callback(guest.close)
            yield await listener.accept(), guest
