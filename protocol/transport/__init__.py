"""Ways for frames to get from one program to the other (SPEC.md, section "Transport").

The program has one, :mod:`~protocol.transport.websocket`.  A transport knows bytes and addresses.  It keeps frames
whole and in order, or ends; it promises neither secrecy nor who the other is: the session relies on nothing here, and
the tests run it within one program and through a folder of files as well.
"""

from __future__ import annotations

from typing import Protocol


class TransportError(Exception):
    """A channel could not be made, or what came through it is no frame; the channel is closed then.

    Attributes:
        code: ``port-in-use``, ``no-address``, ``unreachable``, ``unknown-host``, ``timeout``, ``busy``,
            ``foreign``, ``wrong-certificate``, ``turned-away``, ``text-frame``, ``oversized`` or ``closed``.
        sentence: what was expected and what came.
    """

    def __init__(self, code: str, sentence: str) -> None:
        super().__init__(sentence)
        self.code = code
        self.sentence = sentence


class Transport(Protocol):
    """One end of a channel."""

    limit: int
    """The longest frame that is accepted; begins at HANDSHAKE_LIMIT and is set to FRAME_LIMIT afterwards."""

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
            TransportError: ``oversized``, ``text-frame``, ``foreign`` or ``damaged``; then None follows.
        """

    async def close(self) -> None:
        """End the channel; harmless when done twice."""
