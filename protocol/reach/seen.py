"""How this machine looks from outside, asked of STUN servers (RFC 8489) from the very socket that others shall reach.

Each server is asked as soon as its name is resolved, and again 0.25 and 0.75 s later.  Two answers are enough; half a
second after the first one nobody else is waited for, and after 1.5 s nobody at all; both are counted in steps, of which
a machine with much to do takes fewer.  An answer counts from the address and port that were asked, with the transaction
of the question, once; other packets change nothing.

Over TCP every server is called from the port of the crossing, and the connections stay open: as long as they do, the
router keeps the port.  ``stun.judge`` says what the answers mean.
"""

import asyncio
import secrets
import socket
from collections.abc import Mapping, Sequence, Sized
from contextlib import suppress
from dataclasses import dataclass, field

from protocol.reach import crossing
from protocol.reach.datagrams import FIRST
from protocol.reach.formats import stun
from protocol.reach.formats.stun import Place

ALL_SECONDS = 1.5
"""How long the asking may take."""

MORE_SECONDS = 0.5
"""How long another answer is waited for after the first."""

ENOUGH = 2
"""How many answers tell what is to be known."""

_STEP = 0.05


async def ask(asking: socket.socket, servers: Sequence[Place]) -> dict[Place, Place]:
    """Return the servers that have answered, by their addresses, each with the place that it has seen.

    Args:
        asking: a bound UDP socket of IPv4 that does not block; nobody else reads from it meanwhile.
        servers: names or addresses, each of another operator.
    """
    asked: dict[Place, bytes] = {}
    found: dict[Place, Place] = {}
    news = asyncio.Event()
    reading = asyncio.create_task(_read(asking, asked, found, news))
    questions = [asyncio.create_task(_question(asking, server, asked)) for server in servers]
    await _wait(questions, found, news, reading)
    return found


async def _wait(
    tasks: Sequence[asyncio.Task[None]], found: Sized, news: asyncio.Event, *beside: asyncio.Task[None]
) -> None:
    """Wait until enough has been found, or none of the tasks goes on, and end all; the time is counted in steps.

    A machine with much to do takes fewer steps in the same time, and so the answers that have come meanwhile count.
    """
    left = ALL_SECONDS
    for task in tasks:
        task.add_done_callback(lambda task: news.set())
    try:
        while left > 0 and len(found) < ENOUGH and not all(task.done() for task in tasks):
            news.clear()
            try:
                async with asyncio.timeout(_STEP):
                    await news.wait()
            except TimeoutError:
                left -= _STEP
            left = min(left, MORE_SECONDS) if found and news.is_set() else left
    finally:
        for task in (*tasks, *beside):
            task.cancel()
        await asyncio.gather(*tasks, *beside, return_exceptions=True)


async def _read(
    asking: socket.socket, asked: Mapping[Place, bytes], found: dict[Place, Place], news: asyncio.Event
) -> None:
    loop = asyncio.get_running_loop()
    while True:
        with suppress(OSError):
            # Windows reports here that a packet of ours was refused.
            data, source = await loop.sock_recvfrom(asking, stun.LARGEST + 1)
            answer = stun.read(data)
            if answer is not None and asked.get(source[:2]) == answer.transaction:
                found.setdefault(source[:2], answer.seen)
                news.set()
        # A flood must not keep the loop from noticing that the time is over.
        await asyncio.sleep(0)


async def _question(asking: socket.socket, server: Place, asked: dict[Place, bytes]) -> None:
    loop = asyncio.get_running_loop()
    place = await _resolve(server)
    if place is None or place in asked:
        return
    asked[place] = secrets.token_bytes(stun.TRANSACTION)
    wait = FIRST
    while True:
        with suppress(OSError):
            await loop.sock_sendto(asking, stun.request(asked[place]), place)
        await asyncio.sleep(wait)
        wait *= 2


async def _resolve(server: Place) -> Place | None:
    with suppress(OSError, UnicodeError):
        found = await asyncio.get_running_loop().getaddrinfo(*server, family=socket.AF_INET, type=socket.SOCK_DGRAM)
        return str(found[0][4][0]), server[1]
    return None


@dataclass(slots=True)
class Kept:
    """What servers have answered over TCP, and the connections that keep the port."""

    answers: dict[Place, Place] = field(default_factory=dict)
    connections: list[socket.socket] = field(default_factory=list)

    def close(self) -> None:
        """Let the router forget the port."""
        for one in self.connections:
            one.close()


async def ask_by_tcp(port: int, servers: Sequence[Place]) -> Kept:
    """Return what servers see of a TCP port of this machine; the same as :func:`ask` otherwise."""
    kept = Kept()
    try:
        tasks = [asyncio.create_task(_call(port, server, kept)) for server in servers]
        await _wait(tasks, kept.answers, asyncio.Event())
    except BaseException:
        kept.close()
        raise
    return kept


async def _call(port: int, server: Place, kept: Kept) -> None:
    place = await _resolve(server)
    if place is None or place in kept.answers:
        return
    with suppress(OSError):
        connection = await crossing.call(port, place)
        try:
            answer = await _exchange(connection)
        except BaseException:
            connection.close()
            raise
        if answer is None:
            connection.close()
        else:
            kept.answers[place] = answer.seen
            kept.connections.append(connection)


async def _exchange(connection: socket.socket) -> stun.Answer | None:
    loop = asyncio.get_running_loop()
    transaction = secrets.token_bytes(stun.TRANSACTION)
    await loop.sock_sendall(connection, stun.request(transaction))
    data = b""
    while (answer := stun.read(data)) is None:
        more = await loop.sock_recv(connection, stun.LARGEST - len(data))
        if not more:
            return None
        data += more
    return answer if answer.transaction == transaction else None
