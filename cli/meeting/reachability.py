"""The ways to this machine while a match waits or is played: opened, told, kept open, closed again.

Where the two of a match can be called is kept with the match.  In the same network no invite need be sent: the host
announces it sealed, and the guest types four words.

What is *not* here: what is done with the addresses (``cli.app.host``), and words (``cli.text.joining``).
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial

from cli.meeting.rendezvous import SERVERS, Rendezvous, Take, open_beside
from cli.notices import NetworkChanged, PortAsked, PortChanged, ReachNotice
from cli.runtime import console
from cli.runtime.console import say, stop
from cli.storage.home import Home
from cli.text import failures, joining
from protocol.core import wire
from protocol.core.endpoint import CANDIDATE_LIMIT
from protocol.reach import ReachError, hops, lan, mapping, onion, surroundings
from protocol.reach.formats.addresses import AddressKind, classify
from protocol.reach.formats.candidates import UNEXPLAINED, Candidate, Facts, Missing, Way, pick_reason, rank_candidates
from protocol.reach.formats.outcome import Attempt
from protocol.reach.formats.outside import UNSEEN, Nature, Outlook, Seen, foresee
from protocol.reach.invite import HostPort
from protocol.reach.mapping import Keeper, Uplink
from protocol.reach.routers import Leftovers, Router
from protocol.record.files import change_file
from protocol.record.journal import Journal
from protocol.transport import TransportError
from protocol.transport.certificate import PIN_LENGTH, Certificate
from protocol.transport.listening import Listener, serve

_DOOR, _CERTIFICATE, _SECRET, _PLACE = "door", "certificate", "secret", "place"
SEEN = "seen"
"""The name under which a journal keeps how we are seen from outside."""
_PORT = wire.integer(0, 65_535)
_DOOR_VALUES = wire.fields(
    "door", ("bind", wire.optional(wire.text(255))), ("port", _PORT), ("secret", wire.octets(1, 64))
)
_ADDRESS = wire.fields("address", ("host", wire.text(255)), ("port", _PORT))
_PLACE_VALUES = wire.fields(
    "place", ("pin", wire.octets(PIN_LENGTH, 32)), ("candidates", wire.items(_ADDRESS, 0, CANDIDATE_LIMIT))
)


@dataclass(frozen=True, slots=True)
class LocalEndpoint:
    """Where and as whom we listen: the same for the whole match, so that the other finds us again."""

    certificate: Certificate
    secret: bytes = field(repr=False)
    """Of the invite; whoever does not prove it gets silence."""
    bind: str | None = None
    """None for all addresses of this machine."""
    port: int = 0
    """0 for any free one."""

    async def open(self) -> Listener:
        """Listen.

        Raises:
            protocol.transport.TransportError: the address or the port cannot be had.
        """
        return await serve(self.bind, self.port, self.certificate, self.secret)

    def kept(self) -> dict[str, bytes]:
        """Return what is stored with the match."""
        place = json.dumps({"bind": self.bind, "port": self.port}).encode()
        return {_DOOR: place, _CERTIFICATE: self.certificate.pem, _SECRET: self.secret}

    @staticmethod
    def of(journal: Journal) -> LocalEndpoint | None:
        """Return the door of a stored match, if it has one.

        Raises:
            protocol.record.journal.JournalError: it cannot be read.
        """
        place, pem, secret = (journal.read_kept(name) for name in (_DOOR, _CERTIFICATE, _SECRET))
        if place is None or pem is None or secret is None:
            return None
        with journal.understood(_DOOR):
            values = json.loads(place)
            _DOOR_VALUES((values["bind"], values["port"], secret))
            return LocalEndpoint(Certificate.load(pem), secret, values["bind"], values["port"])


@dataclass(frozen=True, slots=True)
class PeerEndpoint:
    """Where the other listens, how their certificate begins, and how they are seen where nobody can call them."""

    pin: bytes
    candidates: tuple[HostPort, ...]
    seen: Seen = UNSEEN

    @property
    def on_this_machine(self) -> bool:
        """Whether both are on this machine, so that nothing of a network is called and nobody else has to be let in."""
        addresses = {address for address, _ in self.candidates}
        return bool(addresses) and addresses <= {"127.0.0.1", "::1"}

    def kept(self) -> dict[str, bytes]:
        """Return what is stored with the match."""
        candidates = [list(one) for one in self.candidates]
        value = {"pin": self.pin.hex(), "candidates": candidates, "seen": self.seen.pack().hex()}
        return {_PLACE: json.dumps(value).encode()}

    @staticmethod
    def of(journal: Journal) -> PeerEndpoint | None:
        """Return where the other of a stored match was last, if that is known.

        Raises:
            protocol.record.journal.JournalError: it cannot be read.
        """
        data = journal.read_kept(_PLACE)
        if data is None:
            return None
        with journal.understood(_PLACE):
            value = json.loads(data)
            candidates = tuple((host, port) for host, port in value["candidates"])
            # A match that an earlier program has begun says nothing of it.
            seen = Seen.unpack(bytes.fromhex(value.get("seen", "")))
            found = PeerEndpoint(bytes.fromhex(value["pin"]), candidates, seen)
            _PLACE_VALUES((found.pin, found.candidates))
            return found


def seen_of(journal: Journal) -> Seen:
    """Return how this machine was seen from outside when the other was told last.

    Raises:
        protocol.record.journal.JournalError: it cannot be read.
    """
    with journal.understood(SEEN):
        return Seen.unpack(journal.read_kept(SEEN) or b"")


def secret_of(journal: Journal) -> bytes:
    """Return the secret of the invite with which a match began.

    Raises:
        protocol.record.journal.JournalError: it cannot be read.
    """
    return journal.read_kept(_SECRET) or b""


TRIES = 3
"""How often a guest may mistype the words."""


async def announce_nearby(invite: str, own: Iterable[str], port: int) -> lan.Announcement | None:
    """Announce a waiting host and say the words; None with a sentence said when that is not possible.

    The invite is sealed; ``own`` are this machine's addresses in the networks of the house.
    """
    addresses = [address for address in own if ":" not in address]
    try:
        if not addresses:
            raise ReachError("no-network", "expected an address in a network, got none")
        drawn = lan.draw_words()
        announcement = await lan.announce(invite, drawn, addresses, port)
    except ReachError as error:
        say(joining.not_announced(joining.why(error)))
        return None
    say(joining.announced(" ".join(drawn)))
    return announcement


def find_nearby(given: str, ask: Callable[[str], str]) -> str | None:
    """Return the invite of a host in this network; None with a sentence said.  Without words ``ask`` asks for them.

    Raises:
        EOFError: the person has closed the input.
    """
    say(str(joining.LOOKING))
    try:
        hosts = asyncio.run(lan.browse())
    except ReachError as error:
        say(joining.not_looked(joining.why(error)))
        return None
    if not hosts:
        say(str(joining.NOBODY))
        return None
    places = [host.addresses[0] for host in hosts if host.addresses]
    say(joining.found(len(places), places))
    for _ in range(TRIES):
        typed = lan.read_words(given or ask(str(joining.ASK)))
        found = None if typed is None else next(filter(None, (lan.unseal(host.box, typed) for host in hosts)), None)
        if found is not None:
            return found
        say(str(joining.NOT_WORDS if typed is None else joining.OTHER_WORDS))
        if given:
            break
    return None


LONGEST = 10.0
"""Seconds that all of it may take before an invite is printed."""

LIMIT = 6
"""How many candidates an invite carries; with an onion address and IPv6 it is then still one line."""

LOOK = 15.0
"""Seconds from one look at this machine's own addresses to the next."""

_OWN = (Way.PINHOLE, Way.IPV4, Way.IPV6, Way.LAN, Way.OVERLAY)
"""The ways whose addresses are this machine's own."""

_HOUSE = (AddressKind.PRIVATE, AddressKind.RESERVED)
_ALONE = "127.0.0.1"

MOST_SEEN = 2
"""How many addresses a line carries at which nobody can be called; more might not fit."""

EVERYWHERE = (None, "", "0.0.0.0", "::")  # noqa: S104
"""What stands for all addresses of this machine; only compared."""

OnNotice = Callable[[ReachNotice], None]


@dataclass(frozen=True, slots=True)
class Listening:
    """How a player wants to be reached."""

    bind: str | None = None
    """The address that listens; None for all of them."""
    port: int = 0
    """0 for any free one."""
    announce: tuple[HostPort, ...] = ()
    """What the other is told; whoever says so has opened the way themselves."""
    map: bool = True
    """Whether to ask the router for a port."""
    tor: bool = True
    """Whether to ask a local tor for an onion address."""
    servers: tuple[HostPort, ...] | None = None
    """Who is asked how this machine is seen from outside; None for the servers of the program, nothing for nobody."""
    knock: bool = True
    """Whether to knock at the other's router where nobody can call them."""
    guess: bool | None = None
    """Whether to try many of its ports, which looks like a scan; None to ask the person."""
    announce_udp: tuple[HostPort, ...] = ()
    """UDP ports that the other is told; whoever says so has opened the way themselves."""


class Reachability:
    """The ways to one port of this machine, until it is closed."""

    def __init__(self, wanted: Listening = Listening(), home: Home | None = None, *, is_host: bool = True) -> None:
        """Open nothing yet; ``home`` keeps the ports that a crash would leave open for ever."""
        self.is_host = is_host
        """Whether the host of the match is at this end."""
        self._wanted = wanted
        self._leftovers = Leftovers() if home is None else Leftovers(partial(change_file, home.ports_file))
        self.on_notice: OnNotice = lambda notice: say(joining.news(notice))
        """Takes what happens to the ways; that of a player takes its place while a match is played."""
        self.moved: Callable[[], None] = lambda: None
        """Is called when this machine has come into another network, or is seen in another way."""
        self._keepers: list[Keeper] = []
        self._tasks: list[asyncio.Task[None]] = []
        self._onion: onion.Onion | None = None
        self._announcement: lan.Announcement | None = None
        self._heeded: tuple[str, ...] = ()
        self._watcher: asyncio.Task[None] | None = None
        self.candidates: tuple[Candidate, ...] = ()
        """Where the other may call, best first."""
        self.seen = Seen(wanted.announce_udp)
        """How this machine is seen from outside, as every line says it."""
        self.asks = True
        """Whether servers may be asked how this machine is seen, where nobody can call it."""
        self.unanswered = False
        """Whether servers were asked how this machine is seen, and none has said it."""
        self.rendezvous: Rendezvous | None = None
        """How somebody is met whom nobody can call; None where both are on this machine, or the player wants none."""
        self.may_search = wanted.guess
        """Whether many ports of the other's router may be tried; None as long as nobody has said so."""
        self._port = 0
        self.ask_search: Callable[[], Awaitable[bool]] | None = None
        """Asks the person, where there is one."""
        self.missing: tuple[Missing, ...] = ()
        """Which ways are not there, and why."""
        self._is_seen = asyncio.Event()
        """Set when no answer of a server is waited for any more."""

    @property
    def places(self) -> tuple[tuple[str, int], ...]:
        """The candidates as an invite carries them, or what is to be told instead."""
        return self._wanted.announce or tuple((one.address, one.port) for one in self.candidates)

    async def listen(self, endpoint: LocalEndpoint, *, opening: bool = True) -> tuple[LocalEndpoint, Listener]:
        """Listen at a door and open the ways to it; return it with the port that it really has, and what listens there.

        An address or a port that the player has named comes before those of the door.  Without ``opening`` neither a
        router nor tor is asked.

        Raises:
            protocol.transport.TransportError: the address or the port cannot be had.
        """
        if not opening:
            self._wanted = replace(self._wanted, map=False, tor=False)
        endpoint, listener = await self._listen(endpoint)
        try:
            if not self._wanted.announce:
                await self.open(endpoint.port, endpoint.bind)
            if opening:
                self._stand_beside(listener, endpoint)
                await self._see()
                if self._watcher is None and self.rendezvous is not None:
                    self._watcher = asyncio.create_task(self._watch(endpoint.port, endpoint.bind))
        except BaseException:
            await listener.close()
            raise
        return endpoint, listener

    async def listen_again(self, endpoint: LocalEndpoint, seen: Seen) -> tuple[LocalEndpoint, Listener]:
        """Listen at the door of a match that goes on; the ways to it are opened meanwhile, and told when they are.

        Args:
            endpoint: as for :meth:`listen`, which this is otherwise.
            seen: how this machine was seen last; where servers had to be asked for it, they are at once.
        """
        endpoint, listener = await self._listen(endpoint)
        self._stand_beside(listener, endpoint)
        if _is_near(endpoint.bind):
            await self.open(endpoint.port, endpoint.bind)
        else:
            self._heed()
            self._watcher = asyncio.create_task(self._open_again(endpoint.port, endpoint.bind, seen))
        return endpoint, listener

    async def _open_again(self, port: int, bind: str | None, seen: Seen) -> None:
        is_asked = seen.nature is not Nature.UNKNOWN or not self.asks
        # Whoever has an address of the internet need ask nobody.
        self.candidates, _ = rank_candidates(Facts(port, await _find_own(bind)))
        if is_asked:
            await self._see(seen.nature)
        if not self._wanted.announce:
            await self._look(port, bind)
        if not is_asked:
            await self._see()
        await self._watch(port, bind, is_new=True)

    async def _listen(self, endpoint: LocalEndpoint) -> tuple[LocalEndpoint, Listener]:
        wanted = replace(endpoint, bind=self._wanted.bind or endpoint.bind, port=self._wanted.port or endpoint.port)
        try:
            listener = await wanted.open()
        except TransportError as error:
            if error.code != "port-in-use" or not endpoint.port:
                raise
            # Somebody else has the port now: the other is told of the new one as soon as there is a line.
            listener = await replace(wanted, port=0).open()
        return replace(wanted, port=listener.port), listener

    def _stand_beside(self, listener: Listener, endpoint: LocalEndpoint) -> None:
        """Open what knocks at somebody who cannot call us; nothing is sent yet."""
        if not _is_near(endpoint.bind) and self._wanted.knock:
            binds = (endpoint.bind,) if endpoint.bind else ()
            self.rendezvous = open_beside(listener, endpoint.secret, binds, is_host=self.is_host)
            self._port = listener.port

    async def _see(self, before: Nature = Nature.UNKNOWN) -> None:
        """Find out how this machine is seen; servers are asked only where nobody can call it.

        Where too few answer, the router is most likely what it was ``before``.
        """
        if self.rendezvous is None:
            return
        is_met = not self.asks or self._wanted.announce or {one.way for one in self.candidates} & {Way.MAPPED, Way.IPV4}
        servers = self._wanted.servers
        asked = () if is_met else SERVERS if servers is None else servers
        seen = await self.rendezvous.look(asked, before)
        self.unanswered = bool(asked) and not self.rendezvous.is_answered
        own = next((one.address for one in self.candidates if one.way is Way.IPV4), None)
        # Who has an address of the internet is seen as they are, and nobody need be asked.
        self._tell_seen(seen if own is None else self.rendezvous.stand_at(own))
        self._is_seen.set()

    async def prepare(self, place: PeerEndpoint) -> None:
        """Find out before a packet is sent whether we can meet, and ask the person where they have to agree.

        Raises:
            TransportError: ``both-hard``, ``no-udp`` or ``own-no-udp``: we cannot.
        """
        outlook = foresee((self.places, self.seen), (place.candidates, place.seen))
        if outlook is Outlook.BOTH_HARD:
            raise TransportError("both-hard", "expected a router that keeps one port, got two that do not")
        if outlook is Outlook.NO_UDP:
            own = self.seen.nature is Nature.NONE
            raise TransportError("own-no-udp" if own else "no-udp", "expected UDP on both sides, got a side without")
        asked = outlook is Outlook.SEARCH and self.seen.nature is Nature.EASY and self.may_search is None
        if asked and self.ask_search is not None:
            self.may_search = await self.ask_search()

    def knock(self, place: PeerEndpoint, *, waits: bool = False) -> None:
        """Knock where the other may be, who may not know of it yet (``waits``)."""
        if self.rendezvous is not None:
            self.rendezvous.knock(place, waits=waits, search=bool(self.may_search))

    async def meet(self, place: PeerEndpoint, secret: bytes, take: Take) -> None:
        """Knock and cross as soon as it is known how this machine is seen; see :meth:`Rendezvous.meet`."""
        if self.rendezvous is not None:
            await self._is_seen.wait()
            self.knock(place)
            await self.rendezvous.meet(place, secret, take)

    def _tell_seen(self, seen: Seen) -> None:
        announced = self._wanted.announce_udp
        # Two homes of one provider do not meet at what the internet calls them, but at what their routers are called.
        shared = [(one.problem.address, self._port) for one in self.missing if one.problem.address]
        is_six = any(one.way in (Way.PINHOLE, Way.IPV6) for one in self.candidates)
        addresses = (*announced, *seen.addresses, *shared)[:MOST_SEEN]
        self.seen = replace(seen, addresses=addresses, crossing6=seen.crossing6 * is_six)

    async def open(self, port: int, bind: str | None = None) -> None:
        """Open what can be opened within ``LONGEST`` seconds; ``candidates`` are where the other may call then.

        ``port`` and ``bind`` are those that listen; None stands for all addresses.
        """
        if _is_near(bind):
            self.candidates = (Candidate(Way.LAN, bind or "", port),)
            return
        self._heed()
        await self._look(port, bind)
        self._watcher = asyncio.create_task(self._watch(port, bind))

    def _heed(self) -> None:
        # A polite kill and a closed terminal end the program as Ctrl-C does, so that the port is closed; where they
        # cannot be heeded the lease ends by itself.
        self._heeded = console.heed(console.ctrl_c, *console.POLITE)

    async def _look(self, port: int, bind: str | None) -> None:
        """Open what can be opened, and find the candidates."""
        own = await _find_own(bind)
        uplink = await where(own)
        if self._wanted.map:
            self.on_notice(PortAsked(port))
        behind_router = asyncio.create_task(beyond(uplink))
        try:
            mapped, hole, tor = await asyncio.gather(
                self._mapped(uplink, port), self._pinhole(uplink, port), self._tor(port, own, bind)
            )
            # Nobody waits for what explains nothing.
            behind = await behind_router if mapped and pick_reason(mapped).code in UNEXPLAINED else None
        finally:
            behind_router.cancel()
        found, self.missing = rank_candidates(Facts(port, own, mapped, hole, tor, behind))
        self.candidates = found[:LIMIT] or (Candidate(Way.LAN, _ALONE, port),)

    async def _watch(self, port: int, bind: str | None, *, is_new: bool = False) -> None:
        """Begin anew whenever this machine has lost an address that somebody was told: it is in another network."""
        while True:
            if is_new:
                self._tell_ways()
            await asyncio.sleep(LOOK)
            told = [one.address for one in self.candidates if one.way in _OWN]
            lost = told == [_ALONE] or not all(surroundings.is_own(address) for address in told)
            # Between two networks there is none; what was told is worth something again if the old one comes back.
            lost = lost and not self._wanted.announce and bool(await surroundings.find_own_addresses())
            if lost:
                self.on_notice(NetworkChanged())
                await self._shut()
                await self._look(port, bind)
            is_new = lost
            if self.rendezvous is not None and self.rendezvous.look_again():
                is_new = True

    def _tell_ways(self) -> None:
        if self.rendezvous is not None:
            self._tell_seen(self.rendezvous.seen)
        try:
            self.moved()
        except TransportError as error:
            # The old line stands, and what can be told again later is.
            say(failures.sentence(error.code, error.sentence))

    async def announce(self, invite: str, port: int, bind: str | None = None) -> None:
        """Announce the invite, sealed, in the local network until this is closed; see :meth:`open`."""
        own = await _find_own(bind)
        if self._announcement is not None:
            await self._announcement.close()
        self._announcement = await announce_nearby(invite, [one for one in own if classify(one) in _HOUSE], port)

    async def _mapped(self, uplink: Uplink, port: int) -> tuple[Attempt, ...] | None:
        if not self._wanted.map:
            return None
        found: list[Attempt] = []
        if uplink.is_behind_router:
            with suppress(TimeoutError):
                async with asyncio.timeout(LONGEST):
                    async for router, attempt in mapping.try_ways(uplink, port, leftovers=self._leftovers):
                        found.append(attempt)
                        self._keep(router, attempt, port)
        return tuple(found)

    async def _pinhole(self, uplink: Uplink, port: int) -> Attempt | None:
        if not self._wanted.map or uplink.client6 is None:
            return None
        router, attempt = await mapping.open_pinhole(uplink, port)
        self._keep(router, attempt, port)
        return attempt

    def _keep(self, router: Router | None, attempt: Attempt, port: int) -> None:
        if router is not None and attempt.mapped is not None:
            keeper = Keeper(router, attempt.mapped, port, lambda news: self.on_notice(PortChanged(news)))
            self._keepers.append(keeper)
            self._tasks.append(asyncio.create_task(keeper.run()))

    async def _tor(self, port: int, own: tuple[str, ...], bind: str | None) -> str | ReachError | None:
        if not self._wanted.tor:
            return None
        try:
            self._onion = await onion.open_onion(port, "127.0.0.1" if bind in EVERYWHERE else own[0])
        except ReachError as error:
            return error
        return self._onion.address

    async def close(self) -> None:
        """Close what was opened; takes two seconds at most, and is harmless when done twice."""
        watcher, heeded = self._watcher, self._heeded
        self._watcher, self._heeded = None, ()
        await stop(watcher)
        rendezvous, self.rendezvous = self.rendezvous, None
        if rendezvous is not None:
            await rendezvous.close()
        await self._shut()
        console.forget(*heeded)

    async def _shut(self) -> None:
        tasks, keepers = self._tasks, self._keepers
        self._tasks, self._keepers = [], []
        others = [one for one in (self._onion, self._announcement) if one is not None]
        self._onion = self._announcement = None
        await stop(*tasks)
        await asyncio.gather(*(one.close() for one in (*keepers, *others)))


def _is_near(bind: str | None) -> bool:
    """Return whether this machine alone listens, or a name that may be any: nobody has to open or meet anything."""
    return bind not in EVERYWHERE and classify(bind or "") in (AddressKind.LOOPBACK, AddressKind.EMPTY)


async def _find_own(bind: str | None) -> tuple[str, ...]:
    """Return the addresses at which whoever listens there can be called."""
    own = await surroundings.find_own_addresses() if bind in EVERYWHERE else (bind or "",)
    return tuple(one for one in own if ":" not in one) if bind == "0.0.0.0" else own  # noqa: S104


async def where(own: tuple[str, ...]) -> Uplink:
    """Return how this machine gets out: its own addresses and its routers."""
    client = next((one for one in own if ":" not in one), None)
    client6 = next((one for one in own if ":" in one and classify(one) is AddressKind.PUBLIC), None)
    return Uplink(client, await surroundings.find_router(4), client6, await surroundings.find_router(6))


async def beyond(uplink: Uplink) -> str | None:
    """Return what stands behind the router, where that says something about it."""
    return await hops.trace_hop(uplink.client) if uplink.is_behind_router else None
