"""Ways for frames to get from one program to the other (SPEC.md, section "Transport").

The program has one, :mod:`~protocol.transport.websocket`.  A transport knows bytes and addresses.  It keeps frames
whole and in order, or ends; it promises neither secrecy nor who the other is: the session relies on nothing here, and
the tests run it within one program and through a folder of files as well.
"""

import time
from collections.abc import Callable
from typing import Protocol

from protocol.errors import Failure

OPENING_BURST = 1000
"""How many pieces may come at once on a connection to somebody who is not known yet."""

BURST = 32_768
"""How many pieces may come at once in a match, over all of its connections: an honest program sends each of its
messages once, and a log holds no more."""

RATE = 200.0
"""How many more may come each second; an honest program sends one in a second at most, and a question to a witness
waits for the answer before."""


class TransportError(Failure):
    """A channel could not be made, or what came through it is no frame; the channel is closed then.

    Attributes:
        code: ``port-in-use``, ``no-address``, ``unreachable``, ``unknown-host``, ``timeout``, ``busy``,
            ``foreign``, ``wrong-certificate``, ``turned-away``, ``text-frame``, ``oversized``, ``flooded`` or
            ``closed``.
        sentence: what was expected and what came.
    """


class Allowance:
    """How much somebody may still send before they are hung up on (SPEC.md, section "Transport")."""

    def __init__(
        self,
        burst: float = OPENING_BURST,
        on_exceeded: Callable[[], object] = lambda: None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Begin with a whole burst; ``on_exceeded`` is called for each line that sends too much."""
        self._burst = self._left = burst
        self._on_exceeded = on_exceeded
        self._clock = clock
        self._at = clock()

    def take(self, pieces: int) -> bool:
        """Count pieces that have come; return whether they were allowed."""
        at = self._clock()
        self._left = min(self._burst, self._left + (at - self._at) * RATE) - pieces
        self._at = at
        if self._left < 0:
            self._left = 0
            self._on_exceeded()
            return False
        return True


class Transport(Protocol):
    """One end of a channel."""

    allowance: Allowance
    """How much may still come; a match counts all of its lines together."""

    limit: int
    """The longest frame that is accepted; begins at HANDSHAKE_LIMIT and is set to FRAME_LIMIT afterwards."""

    way: tuple[str, str]
    """How it came about: ``call``; or ``udp`` or ``tcp``, and the address of the other, whom nobody could call."""

    @property
    def channel(self) -> bytes:
        """What names the channel for both ends: the hash of its certificate, or nothing."""

    async def send(self, frame: bytes) -> None:
        """Hand over one frame; it may be lost when the channel ends.

        Raises:
            TransportError: ``closed``.
            ValueError: the frame is empty or longer than FRAME_LIMIT.
        """

    async def receive(self) -> bytes | None:
        """Return the next frame, or None when no more will come; can be cancelled without losing one.

        Raises:
            TransportError: ``oversized``, ``flooded``, ``text-frame`` or ``foreign``; then None follows.
        """

    async def close(self) -> None:
        """End the channel; harmless when done twice."""
