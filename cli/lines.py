"""A line on which both have shown that they are the two of the match (SPEC.md, "Resume")."""

from __future__ import annotations

import asyncio
import secrets
import time

from protocol.session import Session
from protocol.transport import Transport, TransportError

REUNION_SECONDS = 10.0
"""How long the other's program may take to show that it is the other's."""


async def reunite(link: Transport, session: Session) -> bool:
    """Return whether the other has shown on this line, in time, that he is the other; he decides nothing otherwise."""
    session.resume(secrets.token_bytes(32), link.channel)
    try:
        async with asyncio.timeout(REUNION_SECONDS):
            while not (session.joined or session.broken or session.stopped):
                for frame in session.data_to_send():
                    await link.send(frame)
                received = await link.receive()
                if received is None:
                    break
                session.receive_data(received, time.monotonic())
    except (TimeoutError, TransportError):
        pass
    if not (session.joined or session.stopped):
        session.events_received()
        session.part()
        return False
    return True
