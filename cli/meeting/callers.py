"""Connections on which a match may begin: of those who call us, and of our own calls to where somebody answers from.

Whoever is at the other end proves it in the handshake (``cli.meeting.meeting``); a connection here is only one that has
proved the secret of the invite.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress

from cli.meeting.lines import BACKOFF
from cli.meeting.reachability import PeerEndpoint
from cli.meeting.rendezvous import Rendezvous
from cli.runtime.console import stop
from protocol.transport import TransportError
from protocol.transport.dialling import dial
from protocol.transport.listening import Listener
from protocol.transport.websocket import WebSocketTransport


class Callers:
    """What comes in by all ways, one connection after the other."""

    def __init__(self, listener: Listener, rendezvous: Rendezvous | None = None) -> None:
        """Begin to take what comes to a listener, which stays its owner's."""
        self._rendezvous = rendezvous
        self._found: asyncio.Queue[WebSocketTransport] = asyncio.Queue()
        self._listener = listener
        self._tasks = [asyncio.create_task(self._accept())]
        self._called: set[PeerEndpoint] = set()
        self.since: float | None = None
        """When somebody was called first, by the clock of the loop."""

    def call(self, place: PeerEndpoint, secret: bytes) -> None:
        """Call somewhere, and meet them where nobody can call, until this is closed; a place is called once."""
        if place not in self._called:
            self._called.add(place)
            self.since = self.since or asyncio.get_running_loop().time()
            self._tasks.append(asyncio.create_task(self._call(place, secret)))
            if self._rendezvous is not None:
                self._tasks.append(asyncio.create_task(self._rendezvous.meet(place, secret, self._found.put_nowait)))

    async def next(self) -> WebSocketTransport:
        """Wait for the next connection."""
        return await self._found.get()

    async def close(self) -> None:
        """Call and take nobody any more, and hang up what nobody has taken."""
        await stop(*self._tasks)
        while not self._found.empty():
            await self._found.get_nowait().close()

    async def _accept(self) -> None:
        with suppress(TransportError):
            while True:
                self._found.put_nowait(await self._listener.accept())

    async def _call(self, place: PeerEndpoint, secret: bytes) -> None:
        count = 0
        while True:
            with suppress(TransportError):
                self._found.put_nowait(await dial(place.candidates, place.pin, secret))
            await asyncio.sleep(BACKOFF[min(count, len(BACKOFF) - 1)])
            count += 1
