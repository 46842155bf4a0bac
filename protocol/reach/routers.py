"""The three ways to ask a router for a port, behind one interface.

Each opens a mapping, opens it again to renew it, and removes it.  A mapping counts only when the address outside
is one of the internet: whatever else is told is removed again and named.
"""

import asyncio
import json
import secrets
from collections.abc import Callable
from contextlib import suppress
from dataclasses import astuple, dataclass, replace
from typing import Protocol
from xml.etree.ElementTree import Element

from protocol.reach import ReachError, datagrams, surroundings
from protocol.reach.formats import igd, natpmp, pcp, ssdp, webpage
from protocol.reach.formats.addresses import AddressKind, classify
from protocol.reach.formats.outcome import Mapped
from protocol.reach.formats.ssdp import Location
from protocol.reach.formats.xmltree import text_of

LEASE = 1_200
"""Seconds that a mapping is asked for.  It is short, so that a crashed program leaves no open port behind for
long, and so that a router which has forgotten it is asked again soon."""

LONGEST = 7_200
"""Seconds after which a mapping is renewed at the latest, whatever the router says."""

ANSWER_SECONDS = 1.75
"""How long a router may take for PCP and NAT-PMP: three questions."""

PAGE_SECONDS = 3.0
"""How long a UPnP router may take for one answer."""

SEARCH_SECONDS = 1.5
"""How long to wait for UPnP routers; they are asked to answer within one second."""

CLOSING = 2.0
"""Seconds that removing a mapping may take."""

MOST = 32
"""How many mappings without end are kept; those on routers of other networks wait there until we come back."""

_REFUSED_SECONDS = 0.5
"""How long to wait for UPnP routers when the known one has refused."""

_ROUTERS = 8
"""How many UPnP routers are looked at."""


class Router(Protocol):
    """One way to ask one router."""

    @property
    def name(self) -> str:
        """``PCP``, ``NAT-PMP`` or ``UPnP``."""

    async def open(self, port: int, external: int) -> Mapped:
        """Open or renew a mapping.

        Args:
            port: the TCP port on this machine.
            external: the port that would be best outside.

        Raises:
            ReachError: there is none; nothing is left open.
        """

    async def close(self) -> None:
        """Remove the mapping, if there is one.

        Raises:
            ReachError: the router does not say that it is removed.
        """


def public(address: str) -> str:
    """Return an address outside that reaches this router from the internet.

    Raises:
        ReachError: ``empty``, ``shared``, ``private`` or ``reserved``.
    """
    found = classify(address)
    if found is AddressKind.PUBLIC:
        return address
    code = {AddressKind.EMPTY: "empty", AddressKind.SHARED: "shared", AddressKind.PRIVATE: "private"}.get(
        found, "reserved"
    )
    sentence = f"expected a public address outside, got {address or 'none'}"
    raise ReachError(code, sentence, address if code == "shared" else "")


class _Packets:
    """A router that is asked in single packets."""

    def __init__(
        self,
        router: str,
        client: str,
        *,
        now: Callable[[], float],
        port: int = pcp.PORT,
        seconds: float = ANSWER_SECONDS,
    ) -> None:
        """Prepare to ask.

        Args:
            router: its address; with an interface for a link-local one.
            client: the own address that shall be reached.
            now: a clock in seconds.
            port: where it listens.
            seconds: how long it may take for an answer.
        """
        self._to, self._client, self._now, self._seconds = (router, port), client, now, seconds
        self._seen: tuple[int, float] | None = None

    async def _ask(self, question: bytes, read: Callable[[bytes], datagrams.T | None]) -> datagrams.T:
        return await datagrams.ask(question, self._to, read, seconds=self._seconds, local=self._client)

    def _is_lost(self, epoch: int, has_restarted: Callable[[int, int, float], bool]) -> bool:
        """Return whether the router has started again since the last answer, by the epoch in this one."""
        moment, seen = self._now(), self._seen
        self._seen = epoch, moment
        return seen is not None and has_restarted(seen[0], epoch, moment - seen[1])


class Pcp(_Packets):
    """A router with the Port Control Protocol; for IPv6 it opens its firewall instead of translating."""

    name = "PCP"
    _open: pcp.Wanted | None = None

    async def open(self, port: int, external: int) -> Mapped:
        """See :class:`Router`."""
        # The nonce keeps others from changing the mapping (RFC 6887, section 11.2).
        nonce = secrets.token_bytes(12) if self._open is None else self._open.nonce
        wanted = pcp.Wanted(self._client, nonce, port, external, LEASE)
        # From the first packet on there may be a mapping, whether its answer comes or not.
        self._open = wanted
        granted = await self._map(wanted)
        try:
            address = public(granted.address)
        except ReachError:
            await close_quietly(self)
            raise
        lost = self._is_lost(granted.epoch, pcp.has_restarted)
        return Mapped(address, granted.port, granted.lifetime, lost)

    async def close(self) -> None:
        """See :class:`Router`."""
        if (wanted := self._open) is not None:
            self._open = None
            try:
                await self._map(replace(wanted, lifetime=0))
            except ReachError as error:
                # miniupnpd 2.3.1 refuses to remove what it has opened for IPv6; what ends soon is nearly as good.
                if error.code == "refused":
                    await self._map(replace(wanted, lifetime=1))
                raise

    async def _map(self, wanted: pcp.Wanted) -> pcp.PcpGrant:
        return await self._ask(pcp.request(wanted), lambda data: pcp.read(data, wanted))


class NatPmp(_Packets):
    """A router with the NAT Port Mapping Protocol."""

    name = "NAT-PMP"
    _open: int | None = None

    async def open(self, port: int, external: int) -> Mapped:
        """See :class:`Router`."""
        outside = await self._ask(natpmp.ADDRESS_REQUEST, natpmp.read_address)
        address = public(outside.address)
        lost = self._is_lost(outside.epoch, natpmp.has_restarted)
        self._open = port
        granted = await self._map(port, external, LEASE)
        return Mapped(address, granted.port, granted.lifetime, lost)

    async def close(self) -> None:
        """See :class:`Router`."""
        if (port := self._open) is not None:
            self._open = None
            await self._map(port, 0, 0)

    async def _map(self, port: int, external: int, lifetime: int) -> natpmp.NatPmpGrant:
        question = natpmp.map_request(port, external, lifetime)
        return await self._ask(question, lambda data: natpmp.read_map(data, port, lifetime))


@dataclass(frozen=True, slots=True)
class Leftover:
    """A mapping that a UPnP router keeps until it is removed, even after a crash."""

    router: str
    client: str
    port: int
    """On the client."""
    external: int


class Leftovers:
    """The mappings without end that programs of one home have open, in a file that a crash does not take along."""

    def __init__(self, change: Callable[[Callable[[bytes | None], bytes | None]], None] = lambda how: None) -> None:
        """Keep them where ``change`` puts what its argument makes of the bytes that are there; by default nowhere."""
        self._store = change

    def read(self) -> list[Leftover]:
        """Return those that are kept; none where they cannot be read."""
        return self._change(lambda found: found)

    def keep(self, one: Leftover) -> None:
        """Keep one more, the latest of ``MOST``; where that cannot be written, the match goes on all the same."""
        self._change(lambda found: [*(other for other in found if other != one), one][-MOST:])

    def forget(self, one: Leftover) -> None:
        """Keep one less."""
        self._change(lambda found: [other for other in found if other != one])

    def _change(self, how: Callable[[list[Leftover]], list[Leftover]]) -> list[Leftover]:
        after: list[Leftover] = []

        def write(data: bytes | None) -> bytes | None:
            before = _leftovers(data)
            after[:] = how(before)
            return None if after == before else json.dumps([*map(astuple, after)]).encode()

        with suppress(OSError):
            self._store(write)
        return after


def _leftovers(data: bytes | None) -> list[Leftover]:
    try:
        rows = json.loads(data or b"[]")
        return [Leftover(str(router), str(client), int(port), int(external)) for router, client, port, external in rows]
    except (ValueError, TypeError, OverflowError, RecursionError):
        return []


class Upnp:
    """A router with UPnP-IGD; made by :func:`describe`."""

    name = "UPnP"

    def __init__(self, service: igd.Service, client: str, leftovers: Leftovers | None = None) -> None:
        """Prepare to ask for one connection of a router."""
        self._service, self._client = service, client
        self._leftovers = leftovers or Leftovers()
        self._open: Leftover | None = None

    async def open(self, port: int, external: int) -> Mapped:
        """See :class:`Router`."""
        answer = await self._call("GetExternalIPAddress", {})
        # The address comes first: a router without one says "mapped" all the same.
        address = public(text_of(answer, "NewExternalIPAddress"))
        if self._open is None:
            await self._tidy(port)
        lease = LEASE
        self._open = Leftover(self._service.control.host, self._client, port, external)
        try:
            try:
                await self._add(port, external, LEASE)
            except igd.RouterFault as fault:
                if fault.number != igd.ONLY_PERMANENT:
                    raise
                lease = 0
                # Nothing but this program will ever remove it: it is kept before it is there.
                self._leftovers.keep(self._open)
                await self._add(port, external, 0)
        except igd.RouterFault as fault:
            if fault.number != igd.CONFLICT or not self._service.any_port:
                raise
            given = await self._call("AddAnyPortMapping", igd.write_mapping(port, external, self._client, lease))
            self._open = replace(self._open, external=_port(text_of(given, "NewReservedPort")))
            if not lease:
                self._leftovers.keep(self._open)
        return Mapped(address, self._open.external, lease or LONGEST)

    async def close(self) -> None:
        """See :class:`Router`."""
        if (mapping := self._open) is not None:
            self._open = None
            await self._call("DeletePortMapping", igd.write_unmapping(mapping.external))
            self._leftovers.forget(mapping)

    async def _tidy(self, port: int) -> None:
        """Remove what programs that were killed have left on this router, if it still leads to where they were."""
        for one in self._leftovers.read():
            # Another machine may have our old address now, or the same home, and whether it listens is not seen here.
            if (one.router, one.client) != (self._service.control.host, self._client):
                continue
            # Whoever listens on its port has it open now, unless that is us.
            if one.port != port and not surroundings.is_free(one.port):
                continue
            try:
                found = await self._call("GetSpecificPortMappingEntry", igd.write_unmapping(one.external))
                kept = text_of(found, "NewInternalClient"), text_of(found, "NewInternalPort")
                if kept == (one.client, str(one.port)):
                    await self._call("DeletePortMapping", igd.write_unmapping(one.external))
            except igd.RouterFault:
                # It is not there any more, or not to be removed.
                pass
            except ReachError:
                return
            self._leftovers.forget(one)

    async def _add(self, port: int, external: int, lease: int) -> None:
        await self._call("AddPortMapping", igd.write_mapping(port, external, self._client, lease))

    async def _call(self, name: str, arguments: dict[str, str | int]) -> Element:
        body, action = igd.write_call(self._service, name, **arguments)
        page = await fetch(self._service.control, body, action)
        return igd.read_answer(page.body, page.status, name)


def _port(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) <= 5 and 1 <= int(text) <= 65_535):
        raise ReachError("malformed", f"expected a port, got {text[:20]!a}")
    return int(text)


async def close_quietly(router: Router) -> bool:
    """Remove a mapping within ``CLOSING`` seconds and return whether the router says that it is removed."""
    with suppress(TimeoutError, ReachError):
        async with asyncio.timeout(CLOSING):
            await router.close()
            return True
    return False


async def fetch(at: Location, body: bytes | None = None, action: str = "") -> webpage.Response:
    """Return one answer of a UPnP router.

    Raises:
        ReachError: ``silent``, ``closed``, ``malformed`` or ``oversized``.
    """
    try:
        async with asyncio.timeout(PAGE_SECONDS):
            reader, writer = await asyncio.open_connection(at.host, at.port)
            try:
                writer.write(webpage.request(at, body, action))
                await writer.drain()
                data = b""
                while True:
                    more = await reader.read(16_384)
                    data += more
                    if (page := webpage.read(data, ended=not more)) is not None:
                        return page
            finally:
                writer.close()
    except TimeoutError:
        raise ReachError("silent", f"expected an answer within {PAGE_SECONDS:g} s from {at.host}, got none") from None
    except OSError as error:
        raise ReachError("closed", f"expected an answer from {at.host}, got none ({error})") from error


async def search(
    client: str,
    router: str | None,
    *,
    group: tuple[str, int] = (ssdp.GROUP, ssdp.PORT),
    seconds: float = SEARCH_SECONDS,
) -> tuple[Location, ...]:
    """Return where UPnP routers describe themselves; the known router ends the search and comes first.

    Args:
        client: the own address in whose network to search.
        router: the address of the router to the internet, if it is known.
        group: where to ask.
        seconds: how long to wait.
    """
    loop = asyncio.get_running_loop()
    found: dict[Location, None] = {}
    refusing: asyncio.Task[None] | None = None
    try:
        transport, inbox = await loop.create_datagram_endpoint(datagrams.Inbox, sock=datagrams.searching_socket(client))
    except OSError as error:
        raise ReachError("closed", f"expected a network to search in, got none ({error})") from error
    try:
        async with asyncio.timeout(seconds) as limit:
            if router:
                refusing = asyncio.create_task(_shorten(limit, client, (router, group[1])))
            # The router is asked directly, too: some networks carry no packets to groups.
            places = [group, *([(router, group[1])] if router else [])]
            for target in ssdp.TARGETS:
                for place in places:
                    transport.sendto(ssdp.request(target), place)
            while len(found) < _ROUTERS:
                packet = await inbox.packets.get()
                location = None if isinstance(packet, OSError) else ssdp.read(*packet)
                if location is not None:
                    found[location] = None
                    if location.host == router:
                        break
    except TimeoutError:
        pass
    finally:
        transport.close()
        if refusing is not None:
            refusing.cancel()
    return tuple(sorted(found, key=lambda location: location.host != router))


async def _shorten(limit: asyncio.Timeout, client: str, router: tuple[str, int]) -> None:
    """End a search sooner if the router has no listener for it: only another machine could answer still."""
    soon = asyncio.get_running_loop().time() + _REFUSED_SECONDS
    try:
        await datagrams.ask(ssdp.request(ssdp.TARGETS[0]), router, bool, seconds=SEARCH_SECONDS, local=client)
    except ReachError as error:
        # The search may be over already.
        with suppress(RuntimeError):
            if error.code == "closed":
                limit.reschedule(soon)


async def describe(at: Location, client: str, leftovers: Leftovers | None = None) -> tuple[Upnp, ...]:
    """Return the connections of a UPnP router.

    Raises:
        ReachError: it has none that can be used, or its description is not one.
    """
    page = await fetch(at)
    if page.status != 200:
        raise ReachError("malformed", f"expected a description, got status {page.status}")
    return tuple(Upnp(service, client, leftovers) for service in igd.find_services(page.body, at))
