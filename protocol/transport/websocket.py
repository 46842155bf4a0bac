"""Frames as binary WebSocket messages over TLS 1.3 over TCP: a connection, and how it is called for.

The listener's side is :mod:`protocol.transport.listening`.  No compression, no proxy, no web page.  The caller compares
the certificate before sending a byte; the first 32 bytes prove the secret.
"""

import asyncio
import contextlib
import logging
import socket
import ssl
from http import HTTPStatus
from typing import Any

from websockets.asyncio import client
from websockets.asyncio.connection import Connection
from websockets.exceptions import ConnectionClosed, InvalidStatus, WebSocketException
from websockets.frames import DATA_OPCODES, Frame
from websockets.protocol import SEND_EOF, Event

from protocol.core.wire import FRAME_LIMIT, HANDSHAKE_LIMIT
from protocol.crypto.hashing import fingerprint
from protocol.reach import ReachError, onion, socks
from protocol.transport import Allowance, TransportError
from protocol.transport.certificate import CountedTLS, caller_context, knock

PING = 20.0
"""How many seconds of silence pass before a ping, and again before the connection is given up."""

CLOSING = 2.0
"""How many seconds the other has to answer a close."""

ONION = 60.0
"""How many seconds an address in the Tor network may take; a fresh one has to be looked for."""

BACKLOG = 256 * 1024
"""How many bytes that the other does not read are kept before the connection is given up; a send of ours waits long
before that, but the library answers every ping at once."""

PIECES = 64
"""In how many pieces a message may come; this program sends each in one."""

PORTION = 4096
"""How many bytes are counted as a piece if no WebSocket frame begins in them, and as few as may come."""

_TOO_BIG = 1009
_PROTOCOL_ERRORS = (1002, 1007)

QUIET = logging.getLogger(__name__)
"""The library logs what strangers send with a traceback; that belongs on nobody's screen."""
QUIET.addHandler(logging.NullHandler())
QUIET.propagate = False

CONNECTION: dict[str, Any] = {"max_queue": 4, "ping_interval": PING, "ping_timeout": PING, "close_timeout": CLOSING}
PROTOCOL: dict[str, Any] = {"max_size": FRAME_LIMIT, "logger": QUIET}


def abort(connection: Connection) -> None:
    """End a connection at once, without a farewell."""
    # asyncio (seen in CPython 3.11.7) forgets the loop of a transport that ends with its last bytes written,
    # and then abort() asks that loop for a call.  The connection is gone already, which was the wish.
    with contextlib.suppress(AttributeError):
        connection.transport.abort()


class Bounded(Connection):
    """A connection whose other end cannot make this program hold more than a little for it."""

    way = ("call", "")
    """How it came about: ``call``, or ``udp`` or ``tcp`` and the address of the other."""
    is_flooded = False
    """Whether it was given up because the other end sends too much."""
    _is_reading = False
    _pieces = _frames = _records = 0

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(transport)
        self.allowance = Allowance()

    def data_received(self, data: bytes) -> None:
        tls = self.transport.get_extra_info("ssl_object")
        records = tls.records if isinstance(tls, CountedTLS) else 0
        fresh, self._records = records - self._records, records
        self._is_reading = True
        for start in range(0, len(data), PORTION):
            self._frames = 0
            super().data_received(data[start : start + PORTION])
            # A frame, a record and a read all cost time, even if nothing is in them; the dearest is counted.
            self.is_flooded = not self.allowance.take(max(1, self._frames, fresh))
            if self.is_flooded or self.transport.is_closing():
                break
            fresh = 0
        self._is_reading = False
        self.send_data()
        if not self.transport.is_closing() and (self.is_flooded or self.transport.get_write_buffer_size() > BACKLOG):
            abort(self)

    def send_data(self) -> None:
        # The library answers every ping, and asyncio logs a warning for each piece that is written to a connection
        # which is lost.  So all answers to what has come at once are one piece.
        if self._is_reading:
            return
        pieces = self.protocol.data_to_send()
        if not self.transport.is_closing():
            self.transport.write(b"".join(pieces))
            if SEND_EOF in pieces:
                self.transport.close()

    def process_event(self, event: Event) -> None:
        self._frames += 1
        if isinstance(event, Frame) and event.opcode in DATA_OPCODES:
            # Pieces without a byte in them would count for nothing in the limit of a message.
            self._pieces = 0 if event.fin else self._pieces + 1
            if self._pieces > PIECES:
                abort(self)
                return
        super().process_event(event)


def host_and_port(address: Any) -> tuple[str, int]:
    """Return the two parts of an address that all families have."""
    # IPv6 adds flow and scope; the scope is part of the host's text.
    return str(address[0]), int(address[1])


class WebSocketTransport:
    """One end of a WebSocket; made by :func:`connect` and by a listener."""

    def __init__(self, connection: Bounded, channel: bytes) -> None:
        """Take over an open connection to the listener with this certificate."""
        self.limit = HANDSHAKE_LIMIT
        self.way = connection.way
        """How it came about, and the address of the other where the two have met behind routers (``udp``, ``tcp``)."""
        self._connection = connection
        self._channel = channel
        self._ended = False

    @property
    def allowance(self) -> Allowance:
        """How much may still come."""
        return self._connection.allowance

    @allowance.setter
    def allowance(self, allowance: Allowance) -> None:
        self._connection.allowance = allowance

    @property
    def channel(self) -> bytes:
        """The hash of the listener's certificate, 32 bytes."""
        return self._channel

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
        except (ConnectionClosed, AttributeError) as error:  # see abort
            raise TransportError("closed", "expected an open connection, got a closed one") from error

    async def receive(self) -> bytes | None:
        """Return the next frame, or None when the connection has ended, in whatever way.

        Raises:
            TransportError: ``text-frame``, ``oversized``, ``flooded`` or ``foreign``; the connection is dropped then.
        """
        if self._ended:
            return None
        try:
            frame = await self._connection.recv()
        except ConnectionClosed as error:
            self._ended = True
            if self._connection.is_flooded:
                raise TransportError("flooded", "expected a burst and a rate within the limits, got more") from error
            # ``sent`` is the close frame of ours: the library gives there why it could not go on.
            code = error.sent.code if error.sent is not None and not error.rcvd_then_sent else None
            if code == _TOO_BIG:
                raise TransportError("oversized", f"expected at most {FRAME_LIMIT} bytes, got more") from error
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
        # Whoever sends such things gets no farewell, which could be delayed.
        self._ended = True
        abort(self._connection)

    async def close(self) -> None:
        """End the connection; takes at most ``CLOSING`` seconds."""
        self._ended = True
        # The library, too, ends with what abort guards against.
        with contextlib.suppress(AttributeError):
            await self._connection.close()


class _WrongCertificate(Exception):
    """Somebody else's program, or somebody between the two."""


class _Host(Bounded, client.ClientConnection):
    """A caller's end of a connection: it says nothing to a listener with another certificate."""

    pin = b""
    secret = b""
    channel = b""

    async def handshake(self, *given: Any, **named: Any) -> None:
        seen = self.transport.get_extra_info("ssl_object").getpeercert(binary_form=True)
        channel = fingerprint(seen or b"")
        if not self.pin or not channel.startswith(self.pin):
            raise _WrongCertificate
        type(self).channel = channel
        self.transport.write(knock(self.secret, channel))
        await super().handshake(*given, **named)


async def connect(
    address: str,
    port: int,
    pin: bytes,
    secret: bytes,
    *,
    sock: socket.socket | None = None,
    timeout: float = 10.0,  # noqa: ASYNC109
) -> WebSocketTransport:
    """Open a connection to a listener.

    Args:
        address: IPv4, IPv6 (a scope such as ``%eth0`` is fine), a host name or an onion address, which is called
            through the tor of this machine.
        port: 1 to 65535.
        pin: the first bytes of the hash of the listener's certificate.
        secret: of the invite.
        sock: a stream socket that is connected to the listener already, which is owned from now on; then nobody is
            called, and the address serves for what is said.
        timeout: how many seconds it may take; the library needs to know it to clean up by itself.

    Raises:
        TransportError: ``unreachable``, ``unknown-host``, ``timeout``, ``wrong-certificate`` (not the one that was
            announced; nothing was said to it), ``turned-away`` (the right one does not take the secret), ``busy``
            (it has a connection), ``no-tor`` (an onion address, and no tor is here) or ``foreign`` (somebody else's
            program answers).
    """
    place = f"{address!a}, port {port}"
    if sock is None and not 1 <= port <= 65_535:
        raise TransportError("unreachable", f"expected a port from 1 to 65535, got {port}")

    class Called(_Host):
        """The one who is called here."""

    Called.pin, Called.secret = pin, secret
    if sock is None and onion.is_onion(address):
        timeout = max(timeout, ONION)
    try:
        where = await _where(address, port, timeout) if sock is None else {"sock": sock}
        # The address is not a part of the URI: what it holds ends up neither in a header nor in a path.
        connection = await client.connect(
            "wss://localhost/",
            **where,
            ssl=caller_context(),
            proxy=None,
            user_agent_header=None,
            open_timeout=timeout,
            compression=None,
            create_connection=Called,
            **CONNECTION,
            **PROTOCOL,
        )
    except ReachError as error:
        code = {"silent": "timeout", "no-tor": "no-tor"}.get(error.code, "unreachable")
        raise TransportError(code, f"{error.sentence}: {place}") from error
    except (socket.gaierror, UnicodeError) as error:
        raise TransportError("unknown-host", f"expected a known host, got {place}") from error
    except TimeoutError as error:
        raise TransportError("timeout", f"expected an answer within {timeout:g} s from {place}") from error
    except _WrongCertificate as error:
        raise TransportError("wrong-certificate", f"expected the certificate, got another at {place}") from error
    except InvalidStatus as error:
        if error.response.status_code == HTTPStatus.SERVICE_UNAVAILABLE:
            raise TransportError("busy", f"expected a waiting host, got a busy one at {place}") from error
        raise TransportError("foreign", f"expected a host of this game, got another at {place}") from error
    except (ssl.SSLError, OSError, WebSocketException, ValueError, EOFError) as error:
        raise _call_error(error, place, proved=bool(Called.channel)) from error
    assert isinstance(connection, Called)
    return WebSocketTransport(connection, Called.channel)


async def _where(address: str, port: int, seconds: float) -> dict[str, Any]:
    """Return how the library gets to an address: by itself, or over a connection that tor has made."""
    if onion.is_onion(address):
        return {"sock": await socks.connect(address, port, seconds=seconds)}
    return {"host": address, "port": port}


def _call_error(error: Exception, place: str, *, proved: bool) -> TransportError:
    if proved:
        return TransportError("turned-away", f"expected to be let in, got silence from the host at {place}")
    if isinstance(error, OSError) and not isinstance(error, ssl.SSLError):
        return TransportError("unreachable", f"nobody can be reached at {place} ({error})")
    return TransportError("foreign", f"expected a host of this game, got another at {place}")
