"""From the router a port that leads here: the ways one after the other, then kept open until it is closed.

PCP comes first, then NAT-PMP, then UPnP: in this order they say more, and are younger and simpler.  The search
for UPnP goes on beside the first two, so that a router without any of them costs two seconds and not five.
"""

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, replace

from protocol.reach import ReachError
from protocol.reach.formats.addresses import AddressKind, classify
from protocol.reach.formats.outcome import Attempt, Mapped
from protocol.reach.formats.ssdp import Location
from protocol.reach.routers import LONGEST, Leftovers, NatPmp, Pcp, Router, Upnp, close_quietly, describe, search

TICK = 15.0
"""Seconds after which the clock is looked at: a sleeping laptop's timers do not run, its clock does."""

_AGAIN = 30.0
"""Seconds until a renewal that failed is tried again."""


@dataclass(frozen=True, slots=True)
class Uplink:
    """How this machine gets out: its own addresses and its routers."""

    client: str | None
    """The own IPv4 address towards the router, if there is one."""
    router: str | None
    """The router's."""
    client6: str | None = None
    """The own public IPv6 address."""
    router6: str | None = None

    @property
    def is_behind_router(self) -> bool:
        """Whether a router translates for the IPv4 address, if there is one."""
        return self.client is not None and classify(self.client) is not AddressKind.PUBLIC


Ladder = AsyncIterator[tuple[Router | None, Attempt]]


async def try_ways(
    uplink: Uplink,
    port: int,
    *,
    every: bool = False,
    leftovers: Leftovers | None = None,
    now: Callable[[], float] = time.monotonic,
) -> Ladder:
    """Try one way after the other and yield what came of it, the router with it where a mapping is open.

    Args:
        uplink: how this machine gets out.
        port: the TCP port to open.
        every: whether to go on after the first that works; whoever asks so removes each before the next.
        leftovers: where mappings are kept that only this program removes, after a crash the next one.
        now: a clock in seconds.
    """
    if uplink.client is None:
        return
    searching = asyncio.create_task(search(uplink.client, uplink.router))
    try:
        spoken: str | None = None
        for make in (Pcp, NatPmp) if uplink.router else ():
            assert uplink.router is not None
            if spoken == "closed":
                # Both have one port; where nobody listens for the one, nobody listens for the other.
                attempt = Attempt(make.name, problem=ReachError(spoken, "expected a listener, got none"))
                yield None, attempt
                continue
            router = make(uplink.router, uplink.client, now=now)
            attempt = await try_router(router, port, now)
            spoken = attempt.problem.code if attempt.problem else None
            yield (router if attempt.mapped else None), attempt
            if attempt.mapped and not every:
                return
        begun = now()
        tried: Router | None = None
        try:
            tried, attempt = await _try_upnp(await searching, uplink.client, port, leftovers, now)
        except ReachError as error:
            attempt = Attempt(Upnp.name, problem=error)
        yield tried, replace(attempt, seconds=now() - begun)
    finally:
        searching.cancel()
        with suppress(asyncio.CancelledError, ReachError):
            await searching


async def try_router(router: Router, port: int, now: Callable[[], float], name: str | None = None) -> Attempt:
    """Ask one router for a port and return what came of it."""
    begun = now()
    name = name or router.name
    try:
        mapped = await router.open(port, port)
    except ReachError as error:
        return Attempt(name, problem=error, seconds=now() - begun)
    except asyncio.CancelledError:
        # Ctrl-C while the router is asked: what it may have opened is closed again.
        await close_quietly(router)
        raise
    return Attempt(name, mapped, seconds=now() - begun)


async def _try_upnp(
    places: tuple[Location, ...], client: str, port: int, leftovers: Leftovers | None, now: Callable[[], float]
) -> tuple[Router | None, Attempt]:
    problem = ReachError("silent", "expected an answer to the search for UPnP routers, got none")
    for place in places:
        try:
            routers = await describe(place, client, leftovers)
        except ReachError as error:
            problem = error
            continue
        for router in routers:
            attempt = await try_router(router, port, now)
            if attempt.problem is None:
                return router, attempt
            problem = attempt.problem
    return None, Attempt(Upnp.name, problem=problem)


async def open_pinhole(
    uplink: Uplink, port: int, now: Callable[[], float] = time.monotonic
) -> tuple[Router | None, Attempt]:
    """Ask the IPv6 router to let connections to a port through, with PCP."""
    if uplink.client6 is None or uplink.router6 is None or classify(uplink.client6) is not AddressKind.PUBLIC:
        return None, Attempt("PCP6", problem=ReachError("no-router", "expected IPv6 and its router, got none"))
    router = Pcp(uplink.router6, uplink.client6, now=now)
    attempt = await try_router(router, port, now, "PCP6")
    return (router if attempt.mapped else None), attempt


class Keeper:
    """Keeps a mapping open: renews it at half of its lease, removes it at the end."""

    def __init__(
        self,
        router: Router,
        mapped: Mapped,
        port: int,
        tell: Callable[[Mapped | ReachError], None],
        *,
        now: Callable[[], float] = time.monotonic,
        wall: Callable[[], float] = time.time,
        pause: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        """Take over an open mapping.

        Args:
            router: who keeps it.
            mapped: what it has said.
            port: the TCP port on this machine.
            tell: is called with the new mapping when it leads from another place than before or was lost in
                between, and with an error when it cannot be renewed.
            now: a clock that only goes forward.
            wall: the clock on the wall, which goes on while the machine sleeps.
            pause: waits some seconds.
        """
        self._router, self._port, self._tell = router, port, tell
        self._now, self._wall, self._pause = now, wall, pause
        self.mapped = mapped
        """As the router said last."""
        self._failed = False

    async def run(self) -> None:
        """Renew for ever."""
        while True:
            # A router that names a lease of a second is asked no more often than the clock is looked at.
            await self._rest(_AGAIN if self._failed else max(min(self.mapped.lease, LONGEST) / 2, TICK))
            await self._renew()

    async def _rest(self, seconds: float) -> None:
        now, wall = self._now(), self._wall()
        while (passed := max(self._now() - now, self._wall() - wall)) < seconds:
            await self._pause(min(TICK, seconds - passed))

    async def _renew(self) -> None:
        before = self.mapped
        try:
            self.mapped = await self._router.open(self._port, before.port)
        except ReachError as error:
            # Told once: the connection that is up stays up, and the next answer may be a good one.
            if not self._failed:
                self._tell(error)
            self._failed = True
            return
        moved = (before.address, before.port) != (self.mapped.address, self.mapped.port)
        if moved or self.mapped.restarted or self._failed:
            self._tell(self.mapped)
        self._failed = False

    async def close(self) -> None:
        """Remove the mapping, as far as the router lets us; see :func:`close_quietly`."""
        await close_quietly(self._router)
