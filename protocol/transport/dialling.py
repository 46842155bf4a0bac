"""Calling a host at several addresses at once: the first that is really that host wins (SPEC.md, "Transport").

The addresses are tried in their order, one ``STAGGER`` after the other and at once when one has failed, as in RFC
8305.  A connection counts when its certificate is the right one and the secret was taken; the others are given up.
"""

import asyncio
from collections.abc import Sequence
from contextlib import suppress

from protocol.reach.invite import HostPort
from protocol.transport import TransportError
from protocol.transport.websocket import WebSocketTransport, connect

STAGGER = 0.25
"""How many seconds pass from one attempt to the next while nobody has failed."""

ANSWER = 8.0
"""How many seconds one address may take."""


class NobodyAnswers(TransportError):
    """No address has led to the one who was called.

    Attributes:
        attempts: each address with what it said, in their order.
    """

    def __init__(self, attempts: Sequence[tuple[HostPort, TransportError]]) -> None:
        # What an address knows that leads somewhere is worth more than that another one is dead.
        told = sorted(attempts, key=lambda attempt: _WORTH.get(attempt[1].code, len(_WORTH)))
        first = told[0][1] if told else TransportError("unreachable", "expected an address to call, got none")
        super().__init__(first.code, first.sentence)
        self.attempts = tuple(attempts)


_WORTH = {"busy": 0, "turned-away": 1, "wrong-certificate": 2, "foreign": 3, "timeout": 4}


async def dial(candidates: Sequence[HostPort], pin: bytes, secret: bytes) -> WebSocketTransport:
    """Return the first connection to the one who has the certificate and takes the secret.

    Args:
        candidates: where the host may be, best first.
        pin: the first bytes of the hash of the host's certificate.
        secret: of the invite.

    Raises:
        NobodyAnswers: no address led to the host.
    """
    waiting = list(dict.fromkeys(candidates))
    failed: dict[HostPort, TransportError] = {}
    running: dict[asyncio.Task[WebSocketTransport], HostPort] = {}
    found: list[WebSocketTransport] = []
    try:
        while (waiting or running) and not found:
            if waiting:
                candidate = waiting.pop(0)
                running[asyncio.create_task(connect(*candidate, pin, secret, timeout=ANSWER))] = candidate
            done, _ = await asyncio.wait(
                running, timeout=STAGGER if waiting else None, return_when=asyncio.FIRST_COMPLETED
            )
            for task in done:
                candidate = running.pop(task)
                try:
                    found.append(task.result())
                except TransportError as error:
                    failed[candidate] = error
    finally:
        for task in running:
            task.cancel()
        # One of them may have come through in the same moment.
        late = await asyncio.gather(*running, return_exceptions=True)
        for link in (*found[1:], *late):
            if isinstance(link, WebSocketTransport):
                with suppress(TransportError):
                    await link.close()
    if not found:
        raise NobodyAnswers([(one, failed[one]) for one in dict.fromkeys(candidates)])
    return found[0]
