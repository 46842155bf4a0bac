"""Questions and answers between players and a witness: one WebSocket message each, over plain TCP.

There is nothing to hide on this line and nothing to believe: what goes one way is a signed hash, what comes back is
signed as well.  A listener is open to strangers; what they can do is bounded.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from contextlib import suppress

from websockets.asyncio import client, server
from websockets.exceptions import ConnectionClosed, WebSocketException

from protocol.transport import TransportError

MOST = 64
"""How many connections are held at once."""

PACE = 0.01
"""How many seconds pass at least between two answers on one connection."""

OPENING = 5.0
"""How many seconds somebody has to open a WebSocket."""

Answer = Callable[[bytes], "bytes | None"]
"""Returns the answer to a question, or None to hang up."""

# The library logs what strangers send with a traceback; that belongs on nobody's screen.
_QUIET = logging.getLogger(__name__)
_QUIET.addHandler(logging.NullHandler())
_QUIET.propagate = False


class Desk:
    """A port at which questions are answered; made by :func:`open_desk`."""

    def __init__(self, answer: Answer, limit: int) -> None:
        """Make one that does not listen yet."""
        self._answer = answer
        self.limit = limit
        self._open = 0
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
        try:
            self._server = await server.serve(
                self._serve, bind, port, compression=None, max_size=self.limit, max_queue=4, origins=[None],
                server_header=None, open_timeout=OPENING, logger=_QUIET,
            )  # fmt: skip
        except OSError as error:
            raise TransportError("port-in-use", f"the system refuses to listen there ({error})") from error

    async def _serve(self, connection: server.ServerConnection) -> None:
        if self._open >= MOST:
            return
        self._open += 1
        try:
            with suppress(ConnectionClosed):
                async for question in connection:
                    answer = self._answer(question) if isinstance(question, bytes) else None
                    if answer is None:
                        return
                    await connection.send(answer)
                    await asyncio.sleep(PACE)
        finally:
            self._open -= 1

    async def close(self) -> None:
        """Close the port and all connections."""
        if self._server is not None:
            self._server.close()
            await self._server.wait_closed()


async def open_desk(answer: Answer, limit: int, bind: str | None, port: int) -> Desk:
    """Answer questions of at most ``limit`` bytes at a port; 0 lets the system choose.

    Raises:
        TransportError: it cannot listen there.
    """
    desk = Desk(answer, limit)
    await desk.listen(bind, port)
    return desk


class Asker:
    """A connection to a desk; made by :func:`call_desk`."""

    def __init__(self, connection: client.ClientConnection) -> None:
        """Take over an open connection."""
        self._connection = connection

    async def ask(self, question: bytes) -> bytes:
        """Return the answer to a question.

        Raises:
            TransportError: ``closed``.
        """
        try:
            await self._connection.send(question)
            answer = await self._connection.recv()
        except ConnectionClosed as error:
            raise TransportError("closed", "expected an answer, got the end of the line") from error
        if isinstance(answer, str):
            raise TransportError("closed", "expected bytes, got text")
        return answer

    async def close(self) -> None:
        """End the connection."""
        await self._connection.close()


async def call_desk(host: str, port: int, limit: int) -> Asker:
    """Return a connection to a desk.

    Raises:
        TransportError: ``unreachable``.
    """
    try:
        connection = await client.connect(
            "ws://localhost/", host=host, port=port, proxy=None, user_agent_header=None, open_timeout=OPENING,
            compression=None, max_size=limit, max_queue=4, close_timeout=1.0, logger=_QUIET,
        )  # fmt: skip
    except (OSError, OverflowError, WebSocketException, ValueError, EOFError) as error:
        # A port that is none overflows; the address comes from the other player.
        raise TransportError("unreachable", f"nobody can be reached there ({error})") from error
    return Asker(connection)
