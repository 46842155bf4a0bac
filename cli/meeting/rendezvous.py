"""How two people meet whose programs cannot call each other: both know how the other is seen from outside.

They knock by UDP until a way is there, and call each other by TCP at once (SPEC.md, "Meeting behind routers").  On
every connection made so the host is the one who is called: whatever comes to them goes to their listener.
"""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING

from protocol.reach import ReachError, crossing, punching, seen
from protocol.reach.formats.addresses import AddressKind, classify
from protocol.reach.formats.outside import UNSEEN, Nature, Seen
from protocol.reach.formats.stun import judge
from protocol.reach.invite import HostPort
from protocol.reach.punching import Puncher
from protocol.transport import TransportError
from protocol.transport.listening import Listener
from protocol.transport.websocket import WebSocketTransport, connect

if TYPE_CHECKING:
    from cli.meeting.reachability import PeerEndpoint

SERVERS = (
    ("stun.cloudflare.com", 3478),
    ("stun.l.google.com", 19302),
    ("stun.nextcloud.com", 443),
    ("stun.sipgate.net", 3478),
)
"""Who is asked how this machine is seen from outside, each of another operator; they learn its address and the time."""

CALL_SECONDS = 10.0
"""How long a call may take until it is open, and how soon the next one may follow."""

WAY_START = 2.0
"""How many more seconds it has where a way answers; the other may have none yet, and waits for TCP."""

HEAD_START = 0.5
"""How many seconds knocking has for itself: where UDP comes through, no second connection is wanted."""

_PAUSE = 1.0

Take = Callable[[WebSocketTransport], None]
"""Gets a connection and keeps it."""


class Rendezvous:
    """One side of a meeting, with the sockets beside a listener."""

    def __init__(self, listener: Listener, puncher: Puncher, *, is_host: bool) -> None:
        """Take the sockets over; use :func:`open_beside`."""
        self.seen = UNSEEN
        """How this machine is seen from outside."""
        self._listener, self._puncher, self._is_host = listener, puncher, is_host
        self._crossing: dict[socket.AddressFamily, socket.socket] = {}
        self._kept = seen.Kept()

    @property
    def answers(self) -> Mapping[HostPort, HostPort]:
        """The addresses of the servers that have answered by UDP, each with the place that it has seen."""
        return self._puncher.knocker.seen

    @property
    def is_answered(self) -> bool:
        """Whether any server has answered, by UDP or by TCP."""
        return bool(self.answers or self._kept.answers)

    async def look(self, servers: Sequence[HostPort], before: Nature = Nature.UNKNOWN) -> Seen:
        """Ask servers how this machine is seen, by UDP and by TCP; done once.  ``before`` stands for no answer."""
        for family in (socket.AF_INET, socket.AF_INET6):
            with suppress(OSError):
                self._crossing[family] = crossing.reserve(family)
        udp, _ = await asyncio.gather(self._puncher.start(servers), self._look_by_tcp(servers))
        self.seen = self._united(udp)
        if servers and self.seen.nature is Nature.UNKNOWN:
            self.seen = replace(self.seen, nature=before)
        return self.seen

    async def _look_by_tcp(self, servers: Sequence[HostPort]) -> None:
        if servers and (port := self._port(socket.AF_INET)):
            self._kept = await seen.ask_by_tcp(port, servers)

    def _port(self, family: socket.AddressFamily) -> int:
        """Return the port of this machine from which calls cross; 0 if there is none."""
        held = self._crossing.get(family)
        return 0 if held is None else int(held.getsockname()[1])

    def _united(self, udp: Seen) -> Seen:
        """Return what the answers by UDP and by TCP say together."""
        answers = self._kept.answers
        crossed = judge(answers)
        # A port that changes with whoever is called is worth nothing to a call that crosses.
        port = crossed.addresses[0][1] if crossed.nature is Nature.EASY else 0
        if udp.nature is Nature.NONE:
            # Where no server has answered at all, nothing is known.
            udp = Seen(crossed.addresses if port else (), Nature.NONE) if answers else UNSEEN
        return replace(udp, crossing=port, crossing6=self._port(socket.AF_INET6))

    def stand_at(self, address: str) -> Seen:
        """Return how this machine is seen if nothing translates its own address."""
        ports = self._port(socket.AF_INET), self._port(socket.AF_INET6)
        self.seen = Seen(((address, self._listener.port),), Nature.EASY, *ports)
        return self.seen

    def look_again(self) -> bool:
        """Return whether the router has given this program another port since."""
        now = self._united(judge(self._puncher.knocker.seen))
        known = (Nature.EASY, Nature.HARD)
        # What a hard router takes is another port each time, and not worth a word.
        if now.nature not in known or now == self.seen or now.nature is self.seen.nature is Nature.HARD:
            return False
        self.seen = now
        return True

    def admit(self, secret: bytes, *, alone: bool = False) -> None:
        """Prove another secret from now on, and take the last one as well, or only this one."""
        self._puncher.admit(secret, alone=alone)

    def rest(self) -> None:
        """Ask no servers until somebody is to be knocked at: there is a connection."""
        self._puncher.knocker.rest()

    def knock(self, place: PeerEndpoint, *, waits: bool = False, search: bool = True) -> None:
        """Knock where the other may be.

        ``waits`` says that they do not know of it yet, and ``search`` that many ports of their router may be tried.
        """
        targets = [*place.seen.addresses, *place.candidates]
        # The side that is searched only opens sockets, which harms nobody.
        theirs = place.seen if search or self.seen.nature is Nature.HARD else None
        self._puncher.knock(targets, waits=waits, mine=self.seen.nature, theirs=theirs)

    async def meet(self, place: PeerEndpoint, secret: bytes, take: Take) -> None:
        """Give away one connection after the other until this is cancelled; those of a host come to their listener."""
        ways = [self._cross] if self._is_host else [self._cross, self._call]
        await asyncio.gather(*(one(place, secret, take) for one in ways))

    async def _call(self, place: PeerEndpoint, secret: bytes, take: Take) -> None:
        while True:
            way = await self._puncher.meet()
            pause = _PAUSE
            with suppress(ReachError, TransportError):
                take(await self._open(self._puncher.open_call(), way.to, "udp", place.pin, secret))
                pause = CALL_SECONDS
            await asyncio.sleep(pause)

    async def _cross(self, place: PeerEndpoint, secret: bytes, take: Take) -> None:
        ours, theirs = self.seen, place.seen
        targets: set[tuple[int, HostPort]] = set()
        if ours.crossing and theirs.crossing:
            port = self._port(socket.AF_INET)
            targets |= {(port, (address, theirs.crossing)) for address, _ in theirs.addresses if ":" not in address}
        if ours.crossing6 and theirs.crossing6:
            public = (one for one, _ in place.candidates if ":" in one and classify(one) is AddressKind.PUBLIC)
            targets |= {(ours.crossing6, (address, theirs.crossing6)) for address in public}
        if not targets:
            return
        await asyncio.sleep(HEAD_START)
        if self._puncher.answers:
            # The call that goes on there is all that is needed, if only it comes through.
            await asyncio.sleep(WAY_START)
        while True:
            connected = await crossing.cross(targets)
            try:
                called = connected.getpeername()[:2]
            except OSError:
                # A connection may be gone again already.
                connected.close()
                await asyncio.sleep(_PAUSE)
                continue
            pause = CALL_SECONDS
            if self._is_host:
                self._listener.take(connected, called[0], "tcp")
            else:
                try:
                    take(await self._open(connected, called, "tcp", place.pin, secret))
                except TransportError:
                    pause = _PAUSE
            await asyncio.sleep(pause)

    @staticmethod
    async def _open(sock: socket.socket, called: HostPort, way: str, pin: bytes, secret: bytes) -> WebSocketTransport:
        link = await connect(*called, pin, secret, sock=sock, timeout=CALL_SECONDS)
        link.way = way, called[0]
        return link

    async def close(self) -> None:
        """Close the sockets, and with them every connection by UDP."""
        await self._puncher.close()
        self._kept.close()
        for held in self._crossing.values():
            held.close()


def open_beside(listener: Listener, secret: bytes, binds: Sequence[str], *, is_host: bool) -> Rendezvous | None:
    """Open the sockets of UDP with a listener's number; nothing is sent yet.  None where somebody has the number.

    Args:
        listener: of the match.
        secret: of the invite, or of the match once it has begun.
        binds: own addresses, at most one of each family; nothing for all.
        is_host: of the match.
    """

    def take(call: socket.socket) -> None:
        way = puncher.knocker.way
        listener.take(call, "" if way is None else way.to[0], "udp")

    try:
        puncher = Puncher(listener.port, secret, is_host=is_host, take=take, binds=binds or punching.EVERYWHERE)
    except OSError:
        return None
    return Rendezvous(listener, puncher, is_host=is_host)
