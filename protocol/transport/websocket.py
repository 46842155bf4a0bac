"""Frames as binary WebSocket messages over TCP.

The host calls :func:`serve_one` and takes one connection after the other from :meth:`Listener.accept`; the
guest calls :func:`connect`.  No compression, no proxy, no web page: a browser always sends its origin, and
whoever sends one is refused.

What a stranger at the port can do is bounded: ``KNOCKS`` connections at once, ``OPENING`` seconds to open
one, one accepted at a time, and no more than a few frames of FRAME_LIMIT bytes waiting.
"""

from __future__ import annotations

import asyncio
import contextlib
import errno
import logging
import socket
from http import HTTPStatus
from typing import Any

from websockets.asyncio import client, server
from websockets.asyncio.connection import Connection
from websockets.exceptions import ConnectionClosed, InvalidStatus, WebSocketException
from websockets.http11 import Request, Response
from websockets.protocol import State

from protocol.transport import TransportError
from protocol.wire import FRAME_LIMIT, HANDSHAKE_LIMIT

KNOCKS = 16
"""How many TCP connections a listener keeps at once."""

OPENING = 5.0
"""How many seconds a stranger has to open a WebSocket."""

PING = 20.0
"""How many seconds of silence pass before a ping, and again before the connection is given up."""

CLOSING = 2.0
"""How many seconds the other has to answer a close."""

_TOO_BIG = 1009
_PROTOCOL_ERRORS = (1002, 1007)

# The library logs what strangers send with a traceback; that belongs on nobody's screen.
_QUIET = logging.getLogger(__name__)
_QUIET.addHandler(logging.NullHandler())
_QUIET.propagate = False

_OPTIONS: dict[str, Any] = {
    "compression": None,
    "max_size": FRAME_LIMIT,
    "max_queue": 4,
    "ping_interval": PING,
    "ping_timeout": PING,
    "close_timeout": CLOSING,
    "logger": _QUIET,
}


def _abort(connection: Connection) -> None:
    # asyncio (seen in CPython 3.11.7) forgets the loop of a transport that ends with its last bytes written,
    # and then abort() asks that loop for a call.  The connection is gone already, which was the wish.
    with contextlib.suppress(AttributeError):
        connection.transport.abort()


class WebSocketTransport:
    """One end of a WebSocket; made by :func:`connect` and :meth:`Listener.accept`."""

    def __init__(self, connection: Connection) -> None:
        """Take over an open connection."""
        self.limit = HANDSHAKE_LIMIT
        self._connection = connection
        self._ended = False

    @property
    def remote(self) -> tuple[str, int]:
        """Address and port of the other."""
        return _host_and_port(self._connection.remote_address)

    async def send(self, frame: bytes) -> None:
        """Hand over one frame; waits while the other reads too slowly.

        Raises:
            TransportError: ``closed``.
            ValueError: the frame is empty or longer than FRAME_LIMIT.
        """
        if not 1 <= len(frame) <= FRAME_LIMIT:
            raise ValueError(f"expected 1 to {FRAME_LIMIT} bytes, got {len(frame)}")
        try:
            await self._connection.send(frame)
        except (ConnectionClosed, AttributeError) as error:  # see _abort
            raise TransportError("closed", "expected an open connection, got a closed one") from error

    async def receive(self) -> bytes | None:
        """Return the next frame, or None when the connection has ended, in whatever way.

        Raises:
            TransportError: ``text-frame``, ``oversized`` or ``foreign``; the connection is dropped then.
        """
        if self._ended:
            return None
        try:
            frame = await self._connection.recv()
        except ConnectionClosed as error:
            self._ended = True
            # ``sent`` is the close frame of ours: the library gives there why it could not go on.
            code = error.sent.code if error.sent is not None and not error.rcvd_then_sent else None
            if code == _TOO_BIG:
                raise TransportError(
                    "oversized", f"expected at most {FRAME_LIMIT} bytes, got more"
                ) from error
            if code in _PROTOCOL_ERRORS:
                raise TransportError("foreign", "expected WebSocket frames, got other bytes") from error
            return None
        if isinstance(frame, str):
            self._drop()
            raise TransportError("text-frame", "expected a binary frame, got a text frame")
        if len(frame) > self.limit:
            self._drop()
            raise TransportError("oversized", f"expected at most {self.limit} bytes, got {len(frame)}")
        return frame

    def _drop(self) -> None:
        # Whoever sends such things gets no farewell that he could delay.
        self._ended = True
        _abort(self._connection)

    async def close(self) -> None:
        """End the connection; takes at most ``CLOSING`` seconds."""
        self._ended = True
        # The library, too, ends with what _abort guards against.
        with contextlib.suppress(AttributeError):
            await self._connection.close()


class Listener:
    """A host's open port; made by :func:`serve_one`."""

    def __init__(self) -> None:
        """Make a listener that does not listen yet; use :func:`serve_one`."""
        self.addresses: tuple[tuple[str, int], ...] = ()
        """Where it really listens; the port is the same everywhere unless somebody else had it."""
        self._servers: list[server.Server] = []
        self._arrived: asyncio.Queue[server.ServerConnection | None] = asyncio.Queue()
        self._current: server.ServerConnection | None = None
        self._knocks: set[server.ServerConnection] = set()
        self._closed = False

    @property
    def port(self) -> int:
        """The port that was asked for, or that the system chose for port 0."""
        return self.addresses[0][1]

    async def accept(self) -> WebSocketTransport:
        """Wait for the next connection; while it is open, all others are refused.

        Raises:
            TransportError: ``closed``: the listener was closed.
        """
        while (connection := await self._arrived.get()) is not None:
            # It may have gone again before anybody asked.
            if connection.state is State.OPEN:
                return WebSocketTransport(connection)
        self._arrived.put_nowait(None)
        raise TransportError("closed", "expected an open listener, got a closed one")

    async def close(self) -> None:
        """Close the port and the accepted connection; harmless when done twice."""
        if not self._closed:
            self._closed = True
            self._arrived.put_nowait(None)
            for listening in self._servers:
                # Accepted connections get a farewell, those that are still opening do not.
                listening.close()
            for knock in self._knocks - {self._current}:
                _abort(knock)
        await asyncio.gather(*(listening.wait_closed() for listening in self._servers))

    @property
    def _busy(self) -> bool:
        # The connection itself is asked: it is closed a moment before its handler notices.
        return self._closed or (self._current is not None and self._current.state is not State.CLOSED)

    def _request(self, connection: server.ServerConnection, request: Request) -> Response | None:
        return connection.respond(HTTPStatus.SERVICE_UNAVAILABLE, "") if self._busy else None

    async def _serve(self, connection: server.ServerConnection) -> None:
        # Two may have opened side by side, when nobody was accepted yet.
        if self._busy:
            await connection.close(1013)
            return
        self._current = connection
        self._arrived.put_nowait(connection)
        await connection.wait_closed()

    async def _listen(self, listening: socket.socket) -> None:
        knocks = self._knocks

        class Knock(server.ServerConnection):
            """A connection that is counted from its first packet on."""

            def connection_made(self, transport: asyncio.BaseTransport) -> None:
                super().connection_made(transport)
                knocks.add(self)
                if len(knocks) > KNOCKS:
                    _abort(self)

            def connection_lost(self, exc: Exception | None) -> None:
                knocks.discard(self)
                super().connection_lost(exc)

        self._servers.append(
            await server.serve(
                self._serve,
                sock=listening,
                create_connection=Knock,
                process_request=self._request,
                origins=[None],
                server_header=None,
                open_timeout=OPENING,
                **_OPTIONS,
            )
        )
        self.addresses += (_host_and_port(listening.getsockname()),)


async def serve_one(bind: str | None, port: int) -> Listener:
    """Listen for the other player.

    Args:
        bind: an address or name of this machine; None for all of them, IPv6 and IPv4 on one port.
        port: 0 lets the system choose; see :attr:`Listener.port`.

    Raises:
        TransportError: ``port-in-use``, ``no-address`` (not an address of this machine), ``unknown-host``
            or ``unreachable`` (the system refuses for another reason).
    """
    sockets = await _bound(bind, port)
    listener = Listener()
    try:
        while sockets:
            await listener._listen(sockets[0])
            del sockets[0]
    except BaseException as error:
        for left in sockets:
            left.close()
        await listener.close()
        if isinstance(error, OSError):
            raise _bind_error(error, bind, port) from error
        raise
    return listener


async def _bound(bind: str | None, port: int) -> list[socket.socket]:
    if not 0 <= port <= 65_535:
        raise TransportError("no-address", f"expected a port from 0 to 65535, got {port}")
    try:
        if bind is None:
            # asyncio would give each family a port of its own for port 0.
            if socket.has_dualstack_ipv6():
                try:
                    return [socket.create_server(("", port), family=socket.AF_INET6, dualstack_ipv6=True)]
                except OSError as error:
                    if error.errno == errno.EADDRINUSE:
                        raise
            return [socket.create_server(("", port))]
        loop = asyncio.get_running_loop()
        found = await loop.getaddrinfo(bind, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
        sockets: list[socket.socket] = []
        problem: OSError | None = None
        for family, address in dict.fromkeys((family, address) for family, _, _, _, address in found):
            if sockets:
                address = (address[0], sockets[0].getsockname()[1], *address[2:])
            try:
                sockets.append(socket.create_server(address, family=family))
            except OSError as error:
                # "localhost" may name an address that this machine does not have.
                problem = error
        if not sockets and problem is not None:
            raise problem
    except (OSError, UnicodeError, OverflowError) as error:
        raise _bind_error(error, bind, port) from error
    return sockets


def _bind_error(error: Exception, bind: str | None, port: int) -> TransportError:
    place = f"{'every address' if bind is None else ascii(bind)}, port {port}"
    if isinstance(error, (socket.gaierror, UnicodeError)):
        return TransportError("unknown-host", f"expected an address of this machine, got {bind!a}")
    number = getattr(error, "errno", None)
    if number == errno.EADDRINUSE:
        return TransportError("port-in-use", f"expected a free port, got one in use: {place}")
    if number == errno.EADDRNOTAVAIL:
        return TransportError("no-address", f"expected an address of this machine, got {bind!a}")
    return TransportError("unreachable", f"the system refuses to listen at {place} ({error})")


async def connect(address: str, port: int, *, timeout: float = 10.0) -> WebSocketTransport:  # noqa: ASYNC109
    """Open a connection to a host.

    Args:
        address: IPv4, IPv6 (a scope such as ``%eth0`` is fine) or a host name.
        port: 1 to 65535.
        timeout: how many seconds it may take; the library needs to know it to clean up by itself.

    Raises:
        TransportError: ``unreachable``, ``unknown-host``, ``timeout``, ``busy`` (the host has a connection)
            or ``foreign`` (somebody else's program answers).
    """
    place = f"{address!a}, port {port}"
    if not 1 <= port <= 65_535:
        raise TransportError("unreachable", f"expected a port from 1 to 65535, got {port}")
    try:
        # The address is not a part of the URI: what it holds ends up neither in a header nor in a path.
        connection = await client.connect(
            "ws://storm-p2p/",
            host=address,
            port=port,
            proxy=None,
            user_agent_header=None,
            open_timeout=timeout,
            **_OPTIONS,
        )
    except (socket.gaierror, UnicodeError) as error:
        raise TransportError("unknown-host", f"expected a known host, got {place}") from error
    except TimeoutError as error:
        raise TransportError("timeout", f"expected an answer within {timeout:g} s from {place}") from error
    except InvalidStatus as error:
        if error.response.status_code == HTTPStatus.SERVICE_UNAVAILABLE:
            raise TransportError("busy", f"expected a waiting host, got a busy one at {place}") from error
        raise TransportError("foreign", f"expected a host of this game, got another at {place}") from error
    except OSError as error:
        raise TransportError("unreachable", f"nobody can be reached at {place} ({error})") from error
    except (WebSocketException, ValueError, EOFError) as error:
        raise TransportError("foreign", f"expected a host of this game, got another at {place}") from error
    return WebSocketTransport(connection)


def _host_and_port(address: Any) -> tuple[str, int]:
    # IPv6 adds flow and scope; the scope is part of the host's text.
    return str(address[0]), int(address[1])
