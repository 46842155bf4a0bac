"""A transport within one program: a pair of pipes.

Usable with and without an event loop: ``put`` and ``take`` never wait.
"""

from __future__ import annotations

import asyncio
from collections import deque

from protocol.core.wire import FRAME_LIMIT, HANDSHAKE_LIMIT
from protocol.transport import Allowance, TransportError


class MemoryTransport:
    """One end of a pair; see :func:`pair`."""

    way = ("call", "")

    def __init__(self) -> None:
        """Make an end without another; use :func:`pair`."""
        self.limit, self.allowance = HANDSHAKE_LIMIT, Allowance()
        self._inbox: deque[bytes] = deque()
        self._other = self
        self._closed = False
        self._waiter: asyncio.Future[None] | None = None

    @property
    def channel(self) -> bytes:
        """Nothing: there is no certificate."""
        return b""

    def put(self, frame: bytes) -> None:
        """Hand over one frame.

        Raises:
            TransportError: ``closed``.
            ValueError: the frame is empty or longer than FRAME_LIMIT.
        """
        if not 1 <= len(frame) <= FRAME_LIMIT:
            raise ValueError(f"expected 1 to {FRAME_LIMIT} bytes, got {len(frame)}")
        if self._closed or self._other._closed:
            raise TransportError("closed", "expected an open channel, got a closed one")
        self._other._inbox.append(frame)
        self._other._wake()

    def take(self) -> bytes | None:
        """Return the next frame, or None when there is none now.

        Raises:
            TransportError: ``oversized``; the channel is closed then.
        """
        if not self._inbox:
            return None
        frame = self._inbox.popleft()
        if len(frame) > self.limit:
            self._inbox.clear()
            self._close()
            raise TransportError("oversized", f"expected at most {self.limit} bytes, got {len(frame)}")
        return frame

    async def send(self, frame: bytes) -> None:
        """Hand over one frame; see :class:`protocol.transport.Transport`."""
        self.put(frame)

    async def receive(self) -> bytes | None:
        """Return the next frame, or None when no more will come.

        Raises:
            TransportError: ``oversized``.
        """
        while not self._inbox and not self._closed and not self._other._closed:
            assert self._waiter is None, "one reader at a time"
            self._waiter = asyncio.get_running_loop().create_future()
            try:
                await self._waiter
            finally:
                self._waiter = None
        return self.take()

    async def close(self) -> None:
        """End the channel; the other still gets what was sent before."""
        self._inbox.clear()
        self._close()

    def _close(self) -> None:
        self._closed = True
        self._wake()
        self._other._wake()

    def _wake(self) -> None:
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_result(None)


def pair() -> tuple[MemoryTransport, MemoryTransport]:
    """Return the two ends of a new channel."""
    left, right = MemoryTransport(), MemoryTransport()
    left._other, right._other = right, left
    return left, right
