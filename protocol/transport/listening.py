"""The port at which the other player calls, and what a stranger there can do: little.

A connection that was made in another way than through the port is handed over, and everything counts for it as well.

The first 32 bytes of a caller prove the secret of the invite.  Before they have come the listener says nothing, and
after others it hangs up without a word.  Connections that are still opening are at most ``KNOCKS``, of one network
``SOURCE_KNOCKS``; one drawn at random makes room for a new one, of which there is one every ``PACE`` seconds; each has
``OPENING`` seconds.  A browser always sends its origin, and whoever sends one is refused.
"""

import asyncio
import errno
import ipaddress
import secrets
import socket
from collections.abc import Sequence
from http import HTTPStatus
from typing import Any

from websockets.exceptions import WebSocketException
from websockets.http11 import Request
from websockets.protocol import Event, State
from websockets.server import ServerProtocol

from protocol.crypto.hashing import equal_in_constant_time
from protocol.transport import TransportError
from protocol.transport.certificate import KNOCK_LENGTH, Certificate, knock
from protocol.transport.websocket import CONNECTION, PROTOCOL, Bounded, WebSocketTransport, abort, host_and_port

KNOCKS = 64
"""How many connections a listener keeps at once that are still opening."""

SOURCE_KNOCKS = 4
"""How many of them may come from one network: an IPv4 address or the first 64 bits of an IPv6 address."""

PACE = 0.01
"""How many seconds pass at least from one new connection to the next."""

OPENING = 5.0
"""How many seconds a stranger has to prove the secret and to open a WebSocket."""


class _Guest(Bounded):
    """A listener's end of a connection: silent until the secret is proved."""

    def __init__(self, proofs: Sequence[bytes]) -> None:
        super().__init__(ServerProtocol(origins=[None], **PROTOCOL), **CONNECTION)
        self.opening: asyncio.Future[Request] = self.loop.create_future()
        self._proofs = proofs
        self._proved = False
        self._first = b""

    def data_received(self, data: bytes) -> None:
        if not self._proved:
            missing = KNOCK_LENGTH - len(self._first)
            self._first += data[:missing]
            data = data[missing:]
            if len(self._first) < KNOCK_LENGTH:
                return
            # Every comparison is made, so that the time does not tell which proof would have been right.
            right = sum(equal_in_constant_time(self._first, proof) for proof in self._proofs)
            if not right:
                abort(self)
                return
            self._proved = True
        if data:
            super().data_received(data)

    def process_event(self, event: Event) -> None:
        if isinstance(event, Request):
            self.opening.set_result(event)
        else:
            super().process_event(event)

    async def answer(self, *, busy: bool) -> bool:
        """Wait for the opening of the WebSocket and answer it; return whether it is open."""
        waiting: list[asyncio.Future[Any]] = [self.opening, self.connection_lost_waiter]
        await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
        if not self.opening.done() or self.connection_lost_waiter.done():
            return False
        assert isinstance(self.protocol, ServerProtocol)
        refusal = self.protocol.reject(HTTPStatus.SERVICE_UNAVAILABLE, "") if busy else None
        async with self.send_context(expected_state=State.CONNECTING):
            self.protocol.send_response(refusal or self.protocol.accept(self.opening.result()))
        opened = not busy and self.state is State.OPEN
        if opened:
            self.start_keepalive()
        return opened


class Listener:
    """An open port; made by :func:`serve`."""

    def __init__(self, certificate: Certificate, secret: bytes) -> None:
        """Make a listener that does not listen yet; use :func:`serve`."""
        self.addresses: tuple[tuple[str, int], ...] = ()
        """Where it really listens; the port is the same everywhere unless somebody else had it."""
        self.most = 1
        """How many connections may be open at once; whoever comes beyond that is told that the host is busy."""
        self.certificate = certificate
        self._proofs = [knock(secret, certificate.fingerprint)]
        self._context = certificate.context()
        self._sockets: list[socket.socket] = []
        self._listening: list[asyncio.Task[None]] = []
        self._knocks: dict[asyncio.Task[None], tuple[str, socket.socket]] = {}
        self._open: set[_Guest] = set()
        self._arrived: asyncio.Queue[_Guest | None] = asyncio.Queue()
        self._closed = False
        self._quiet_until = 0.0

    @property
    def port(self) -> int:
        """The port that was asked for, or that the system chose for port 0."""
        return self.addresses[0][1]

    def admit(self, secret: bytes, *, alone: bool = False) -> None:
        """Take callers who prove this secret, too; or from now on only them."""
        proof = knock(secret, self.certificate.fingerprint)
        self._proofs = [proof] if alone else [*self._proofs, proof]

    def rest(self, seconds: float) -> None:
        """Take no new connection for so long, beside one that may be coming now."""
        self._quiet_until = asyncio.get_running_loop().time() + seconds

    async def accept(self) -> WebSocketTransport:
        """Wait for the next connection of somebody who has proved the secret.

        Raises:
            TransportError: ``closed``: the listener was closed.
        """
        while (connection := await self._arrived.get()) is not None:
            # It may have gone again before anybody asked.
            if connection.state is State.OPEN:
                return WebSocketTransport(connection, self.certificate.fingerprint)
        self._arrived.put_nowait(None)
        raise TransportError("closed", "expected an open listener, got a closed one")

    async def close(self) -> None:
        """Close the port and the accepted connections; harmless when done twice."""
        if not self._closed:
            self._closed = True
            self._arrived.put_nowait(None)
        # Accepted connections get a farewell, those that are still opening do not.
        tasks = [*self._listening, *self._knocks]
        # A task that is cancelled before its first step closes nothing.
        sockets = [*self._sockets, *(connected for _, connected in self._knocks.values())]
        for task in tasks:
            task.cancel()
        farewells = [connection.close(1001) for connection in self._open]
        await asyncio.gather(*tasks, *farewells, return_exceptions=True)
        for one in sockets:
            one.close()

    @property
    def _busy(self) -> bool:
        # The connections themselves are asked: one is closed a moment before anybody notices.
        self._open = {connection for connection in self._open if connection.state is not State.CLOSED}
        return self._closed or len(self._open) >= self.most

    def listen(self, listening: socket.socket) -> None:
        """Take connections from a bound socket, which is closed with the listener."""
        listening.setblocking(False)
        self.addresses += (host_and_port(listening.getsockname()),)
        self._sockets.append(listening)
        self._listening.append(asyncio.create_task(self._listen(listening)))

    async def _listen(self, listening: socket.socket) -> None:
        loop = asyncio.get_running_loop()
        while True:
            try:
                connected, address = await loop.sock_accept(listening)
            except OSError:
                # A caller who has gone already, or no more files for this program: others may end soon.
                await asyncio.sleep(PACE * 10)
                continue
            self.take(connected, str(address[0]))
            await asyncio.sleep(max(PACE, self._quiet_until - loop.time()))

    def take(self, connected: socket.socket, address: str, way: str = "call") -> None:
        """Take a connected stream socket as if it had come through the port, and own it from now on.

        ``address`` is where the other one is; of one end of a socket pair the socket itself does not know.  ``way`` is
        what the connection says of itself.
        """
        if self._closed or len(self._knocks) > KNOCKS:
            # Those who have been sent away are not gone yet.
            connected.close()
            return
        network = network_of(address)
        neighbours = [task for task, (other, _) in self._knocks.items() if other == network]
        if len(neighbours) > SOURCE_KNOCKS:
            connected.close()
            return
        # A crowd would always be through with the oldest before somebody on a slow line is through with the opening.
        if len(neighbours) == SOURCE_KNOCKS:
            secrets.choice(neighbours).cancel()
        elif len(self._knocks) >= KNOCKS:
            secrets.choice(list(self._knocks)).cancel()
        task = asyncio.create_task(self._greet(connected, (way, address)))
        self._knocks[task] = (network, connected)
        task.add_done_callback(self._knocks.pop)

    async def _greet(self, connected: socket.socket, way: tuple[str, str]) -> None:
        loop = asyncio.get_running_loop()
        connection = _Guest(self._proofs)
        connection.way = way
        try:
            connected.setblocking(False)
            async with asyncio.timeout(OPENING):
                await loop.connect_accepted_socket(lambda: connection, connected, ssl=self._context)
                if await connection.answer(busy=self._busy) and not self._busy:
                    self._open.add(connection)
                    self._arrived.put_nowait(connection)
                    return
                # Two may have opened side by side, when nobody was accepted yet.
                if connection.state is State.OPEN:
                    await connection.close(1013)
        except (OSError, WebSocketException):
            # Whoever it was is gone; a time that is up is an OSError, too.
            pass
        finally:
            if connection not in self._open:
                if hasattr(connection, "transport"):
                    abort(connection)
                else:
                    connected.close()


def network_of(address: str) -> str:
    """Return the network of an address, by which strangers are counted: IPv4 whole, of IPv6 the first 64 bits."""
    try:
        ip = ipaddress.ip_address(address.split("%")[0])
    except ValueError:
        return address
    if isinstance(ip, ipaddress.IPv6Address):
        mapped = ip.ipv4_mapped
        return str(mapped) if mapped is not None else ip.packed[:8].hex()
    return str(ip)


async def serve(bind: str | None, port: int, certificate: Certificate, secret: bytes) -> Listener:
    """Listen for the other player.

    Args:
        bind: an address or name of this machine; None for all of them, IPv6 and IPv4 on one port.
        port: 0 lets the system choose; see :attr:`Listener.port`.
        certificate: ours, whose hash the other knows.
        secret: of the invite; whoever does not prove it gets silence.

    Raises:
        TransportError: ``port-in-use``, ``no-address`` (not an address of this machine), ``unknown-host``
            or ``unreachable`` (the system refuses for another reason).
        OSError: the certificate cannot be handed to the system.
    """
    listener = Listener(certificate, secret)
    for bound in await _bound(bind, port):
        listener.listen(bound)
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
