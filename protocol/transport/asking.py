"""Questions and answers between players and a witness: one WebSocket message each, over plain TCP.

There is nothing to hide on this connection and nothing to believe: what goes one way is a signed hash, what comes
back is signed as well.  A listener is open to strangers; what they can do is bounded, and a crowd of them keeps nobody
out: when all places are taken, one drawn at random makes room.
"""

import asyncio
import secrets
from collections.abc import Callable
from contextlib import suppress

from websockets.asyncio import client, server
from websockets.asyncio.connection import Connection
from websockets.exceptions import ConnectionClosed, WebSocketException

from protocol.transport import TransportError
from protocol.transport.listening import network_of
from protocol.transport.websocket import CLOSING, QUIET, Bounded, WebSocketTransport, abort

MOST = 64
"""How many connections are held at once, with those that are still opening."""

SOURCE_MOST = 8
"""How many of them may come from one network: an IPv4 address or the first 64 bits of an IPv6 address."""

IDLE = 120.0
"""After how many seconds without a question a connection is closed; whoever has one later opens another."""

PACE = 0.01
"""How many seconds pass at least between two answers on one connection."""

OPENING = 5.0
"""How many seconds somebody has to open a WebSocket."""

Responder = Callable[[bytes], "bytes | None"]
"""Returns the answer to a question, or None to hang up."""


class Desk:
    """A port at which questions are answered; made by :func:`open_desk`."""

    def __init__(self, answer: Responder, limit: int) -> None:
        """Make one that does not listen yet."""
        self._answer = answer
        self.limit = limit
        self._places: dict[Connection, str] = {}
        """The network of each connection."""
        self._server: server.Server | None = None

    @property
    def address(self) -> tuple[str, int]:
        """Where it listens."""
        assert self._server is not None
        address = next(iter(self._server.sockets)).getsockname()
        return str(address[0]), int(address[1])

    async def listen(self, bind: str | None, port: int) -> None:
        """Begin to listen.

        Raises:
            TransportError: ``port-in-use``: it cannot listen there.
        """
        desk = self

        class Visitor(Bounded, server.ServerConnection):
            """A caller at this desk, with a place from the first packet to the last."""

            def connection_made(self, transport: asyncio.BaseTransport) -> None:
                super().connection_made(transport)
                desk._seat(self)

            def connection_lost(self, exc: Exception | None) -> None:
                desk._places.pop(self, None)
                super().connection_lost(exc)

        try:
            self._server = await server.serve(
                self._serve,
                bind,
                port,
                compression=None,
                max_size=self.limit,
                max_queue=4,
                origins=[None],
                server_header=None,
                open_timeout=OPENING,
                close_timeout=CLOSING,
                logger=QUIET,
                create_connection=Visitor,
            )
        except OSError as error:
            raise TransportError("port-in-use", f"the system refuses to listen there ({error})") from error

    def _seat(self, connection: Connection) -> None:
        """Give a caller a place; if need be that of one drawn at random, of the same network or of all."""
        # Whoever has gone already has no address any more.
        network = network_of(str((connection.transport.get_extra_info("peername") or ("",))[0]))
        neighbours = [one for one, other in self._places.items() if other == network]
        if len(neighbours) >= SOURCE_MOST:
            self._turn_out(secrets.choice(neighbours))
        elif len(self._places) >= MOST:
            self._turn_out(secrets.choice(list(self._places)))
        self._places[connection] = network

    def _turn_out(self, connection: Connection) -> None:
        del self._places[connection]
        abort(connection)

    async def _serve(self, connection: server.ServerConnection) -> None:
        with suppress(ConnectionClosed, TimeoutError):
            while True:
                async with asyncio.timeout(IDLE):
                    question = await connection.recv()
                answer = self._answer(question) if isinstance(question, bytes) else None
                if answer is None or connection not in self._places:
                    return
                await connection.send(answer)
                await asyncio.sleep(PACE)

    async def close(self) -> None:
        """Close the port and all connections."""
        if self._server is not None:
            self._server.close()
            await self._server.wait_closed()


async def open_desk(answer: Responder, limit: int, bind: str | None, port: int) -> Desk:
    """Responder questions of at most ``limit`` bytes at a port; 0 lets the system choose.

    Raises:
        TransportError: it cannot listen there.
    """
    desk = Desk(answer, limit)
    await desk.listen(bind, port)
    return desk


class _Calling(Bounded, client.ClientConnection):
    """A caller's end: the two sides are strangers to each other."""


async def call_desk(host: str, port: int, limit: int) -> WebSocketTransport:
    """Return a connection to a desk, on which questions of at most ``limit`` bytes are sent and answers received.

    Raises:
        TransportError: ``unreachable``.
    """
    try:
        connection = await client.connect(
            "ws://localhost/",
            host=host,
            port=port,
            proxy=None,
            user_agent_header=None,
            open_timeout=OPENING,
            compression=None,
            max_size=limit,
            max_queue=4,
            close_timeout=1.0,
            logger=QUIET,
            create_connection=_Calling,
        )
    except (OSError, OverflowError, WebSocketException, ValueError, EOFError) as error:
        # A port that is none overflows; the address comes from the other player.
        raise TransportError("unreachable", f"nobody can be reached there ({error})") from error
    assert isinstance(connection, _Calling)
    return WebSocketTransport(connection, b"")
