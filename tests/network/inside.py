"""What runs within a namespace of the laboratory: our own code, step by step, one JSON object a line.

A step is taken for each line on standard input.
"""

from __future__ import annotations

import asyncio
import json
import socket
import sys
import time
from typing import Any

from protocol.reach import ReachError, mapping, surroundings
from protocol.reach.formats.outcome import Attempt
from protocol.reach.mapping import Uplink
from protocol.reach.routers import Router


def say(**facts: Any) -> None:
    """Print one line."""
    print(json.dumps(facts), flush=True)


async def next_step() -> None:
    """Wait for the test."""
    await asyncio.to_thread(sys.stdin.readline)


async def greet(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Answer whoever calls."""
    writer.write(b"hello from home")
    await writer.drain()
    writer.close()


async def here() -> Uplink:
    """Return where this machine stands, as the program finds it out."""
    own = await surroundings.find_own_addresses()
    client = next(address for address in own if ":" not in address)
    client6 = next((address for address in own if ":" in address), None)
    return Uplink(client, await surroundings.find_router(4), client6, await surroundings.find_router(6))


async def steps(router: Router | None, attempt: Attempt, port: int) -> None:
    """Open (done already), renew and remove, a step at a time."""
    problem = attempt.problem
    say(
        way=attempt.name,
        code=problem.code if problem else None,
        sentence=problem.sentence if problem else "",
        mapped=(attempt.mapped.address, attempt.mapped.port, attempt.mapped.lease) if attempt.mapped else None,
        ms=round(attempt.seconds * 1000, 1),
    )
    if router is None or attempt.mapped is None:
        return
    await next_step()
    begun = time.monotonic()
    again = await router.open(port, attempt.mapped.port)
    say(renewed=(again.address, again.port, again.lease), ms=round((time.monotonic() - begun) * 1000, 1))
    await next_step()
    begun = time.monotonic()
    try:
        await router.close()
        say(closed=True, ms=round((time.monotonic() - begun) * 1000, 1))
    except ReachError as error:
        say(closed=False, code=error.code, sentence=error.sentence)
    await next_step()


async def main(families: str) -> None:
    """Go through all ways of IPv4, or the pinhole of IPv6."""
    # One port for both families, as the program has it.
    listening = socket.create_server(("", 0), family=socket.AF_INET6, dualstack_ipv6=True)
    port = listening.getsockname()[1]
    listener = await asyncio.start_server(greet, sock=listening)
    place = await here()
    say(client=place.client, router=place.router, client6=place.client6, router6=place.router6, port=port)
    await next_step()
    if families == "4":
        async for router, attempt in mapping.try_ways(place, port, every=True):
            await steps(router, attempt, port)
    else:
        router, attempt = await mapping.open_pinhole(place, port)
        await steps(router, attempt, port)
    say(done=True)
    listener.close()


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1]))
