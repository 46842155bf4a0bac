"""The UDP sockets of one side: they feed the :class:`Knocker`, and carry calls once it has found a way.

The sockets for IPv4 and IPv6 have the number of the listener's port, so that every address of a line is good for both
protocols.  A call ends in a socket pair: whoever opens or takes one gets a connected stream socket, on which everything
goes on as on a TCP connection, TLS first.

The first byte tells packets apart: up to 3f STUN (RFC 7983), 8d a probe, d0 a segment of a tube.
"""

import asyncio
import random
import secrets
import socket
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import suppress

from protocol.reach import ReachError, seen
from protocol.reach.formats import stun
from protocol.reach.formats import tube as segments
from protocol.reach.formats.outside import Nature, Seen
from protocol.reach.formats.stun import Place
from protocol.reach.knocking import IPV4, IPV6, Datagram, Knocker, Way
from protocol.reach.tube import CALLS, Calls, Tube, TubeState

EVERYWHERE = ("0.0.0.0", "::")  # noqa: S104 - as the listener
"""All addresses of this machine."""

_LARGEST = 2_048
_CHUNK = 16 * 1024
_PAUSE, _SOON = 0.01, 0.001
_HOPS = 64
_FILES = 1_024


class Puncher:
    """One side; close it when it is no longer needed."""

    def __init__(
        self,
        port: int,
        secret: bytes,
        *,
        is_host: bool,
        take: Callable[[socket.socket], None],
        binds: Sequence[str] = EVERYWHERE,
        chance: random.Random | None = None,
        wall: Callable[[], float] = time.time,
    ) -> None:
        """Open the sockets; nothing is sent yet.

        Args:
            port: of the listener.
            secret: of the invite, or of the match once it has begun.
            is_host: of the match: the guest opens calls, the host takes them.
            take: gets a connected socket for each call of the other.
            binds: own addresses, at most one of each family.
            chance: where nonces come from; by default the system.
            wall: the clock on the wall, which goes on while the machine sleeps.

        Raises:
            OSError: another program has the port.
        """
        chance = chance or secrets.SystemRandom()
        self._loop, self._wall = asyncio.get_running_loop(), wall
        self._ahead = wall() - self._loop.time()
        self.knocker = Knocker(secret, is_host=is_host, chance=chance)
        self._calls, self._chance, self._take = Calls(secret, is_host=is_host), chance, take
        self._pumps: dict[Tube, _Pump] = {}
        self._sockets: dict[int, socket.socket] = {}
        self._reading: dict[int, asyncio.Task[None]] = {}
        self._timer: asyncio.TimerHandle | None = None
        self._changed = asyncio.Event()
        problem: OSError | None = None
        for bind in binds:
            try:
                one = self._sockets[IPV6 if ":" in bind else IPV4] = _bound(bind, port)
                port = one.getsockname()[1]
            except OSError as error:
                # There are machines without IPv6.
                problem = error
        self.port = port
        if not self._sockets and problem is not None:
            raise problem

    async def start(self, servers: Sequence[Place] = ()) -> Seen:
        """Ask STUN servers how the IPv4 socket looks from outside, and begin to listen.

        Args:
            servers: whom to ask; none for nobody.
        """
        answers = {}
        if servers and (asking := self._sockets.get(IPV4)) is not None:
            answers = await seen.ask(asking, servers)
            self.knocker.keep(answers, self._now())
        for number in self._sockets:
            self._read(number)
        self._tick()
        return stun.judge(answers) if servers else Seen()

    @property
    def answers(self) -> bool:
        """Whether there is a way whose pings are answered."""
        return self.knocker.answers(self._now())

    def knock(
        self,
        targets: Sequence[Place],
        *,
        waits: bool = False,
        mine: Nature = Nature.UNKNOWN,
        theirs: Seen | None = None,
    ) -> None:
        """Knock at these addresses, softly if the other does not know yet; see :meth:`Knocker.knock`."""
        self.knocker.knock(targets, self._now(), waits=waits, mine=mine, theirs=theirs)
        self._tick()

    def admit(self, secret: bytes, *, alone: bool = False) -> None:
        """Prove this secret from now on, and take the one before it, too: the other may change a moment later.

        If it is taken ``alone``, whatever was begun with the one before is given up.
        """
        self.knocker.admit(secret, alone=alone)
        self._calls.admit(secret, alone=alone)
        self._tick()

    async def meet(self) -> Way:
        """Wait until there is a way, and return it."""
        while (way := self.knocker.way) is None:
            await self._wait()
        return way

    async def _wait(self) -> None:
        """Wait until something may be another way than now."""
        await self._changed.wait()

    def open_call(self) -> socket.socket:
        """Open a call and return a connected socket; what is written waits until there is a way.

        Raises:
            ReachError: ``busy``: there are as many calls as may be, or no file is left for another one.
        """
        call = self._calls.open(self._now(), lambda: self._chance.getrandbits(32))
        if call is None:
            raise ReachError("busy", f"expected fewer than {CALLS} calls at once")
        try:
            return self._pump(call)
        except OSError as error:
            raise ReachError("busy", f"expected room for another call ({error})") from error

    async def close(self) -> None:
        """End the calls and close the sockets; harmless when done twice."""
        for call in self._pumps:
            call.abort()
        self._tick()
        tasks = [*self._reading.values(), *(pump.task for pump in self._pumps.values())]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        if self._timer is not None:
            self._timer.cancel()
        for one in self._sockets.values():
            one.close()
        self._sockets.clear()

    def _now(self) -> float:
        """Return the time of the loop, and of the sleep of the machine, too; it never goes back."""
        self._ahead = max(self._ahead, self._wall() - self._loop.time())
        return self._loop.time() + self._ahead

    # -- Sockets --------------------------------------------------------------------------------------------

    def _read(self, number: int) -> None:
        one = self._sockets[number]
        task = self._reading[number] = asyncio.create_task(self._receive(number, one))
        # The loop has to let go of it first.
        task.add_done_callback(lambda task: one.close())

    async def _receive(self, number: int, one: socket.socket) -> None:
        # A transport of asyncio stops to read on Windows when a packet of ours was refused (cpython #91227, #127057).
        while True:
            try:
                data, source = await self._loop.sock_recvfrom(one, _LARGEST)
            except OSError:
                await asyncio.sleep(_PAUSE)
                continue
            # Windows may tell a refusal as a packet from nobody.
            if source:
                self._received(number, data, (source[0].split("%")[0], source[1]))
            # A flood must not keep the rest of the program from running.
            await asyncio.sleep(0)

    def _received(self, number: int, data: bytes, source: Place) -> None:
        now = self._now()
        if data[:1] != bytes((segments.MARK,)):
            for one in self.knocker.receive(number, data, source, now):
                self._send(one)
            if self.knocker.hears(number, now):
                self._calls.hurry(now)
        elif (call := self._calls.receive(data, now)) is not None:
            self.knocker.use(now)
            # Whoever calls again may find a file left for them.
            with suppress(OSError):
                if call not in self._pumps:
                    self._take(self._pump(call))
        self._tick()

    def _send(self, one: Datagram) -> None:
        # What is not sent is as good as lost on the way.
        with suppress(OSError):
            if one.socket not in self._sockets and one.socket > IPV6 and IPV4 in self._sockets:
                _make_room()
                self._sockets[one.socket] = _bound(self._sockets[IPV4].getsockname()[0], 0)
                self._read(one.socket)
            if one.socket not in self._sockets:
                return
            through = self._sockets[one.socket]
            if through.family == socket.AF_INET:
                through.setsockopt(socket.IPPROTO_IP, socket.IP_TTL, one.hops or _HOPS)
            through.sendto(one.data, one.to)

    def _tick(self) -> None:
        """Send what is due, tell those who wait, and set the timer."""
        now = self._now()
        for one in self.knocker.datagrams(now):
            self._send(one)
        way = self.knocker.way
        for data in self._calls.datagrams(now):
            if way is not None:
                self.knocker.use(now)
                self._send(Datagram(way.socket, way.to, data))
        for number in [number for number in self._sockets if number > IPV6 and not self.knocker.needs(number, now)]:
            del self._sockets[number]
            self._reading.pop(number).cancel()
        self._changed.set()
        self._changed = asyncio.Event()
        if self._timer is not None:
            self._timer.cancel()
        wakes = [at for at in (self.knocker.wakes(), self._calls.wakes()) if at is not None]
        self._timer = self._loop.call_later(max(min(wakes) - now, _SOON), self._tick) if wakes else None

    # -- Calls ----------------------------------------------------------------------------------------------

    def _pump(self, call: Tube) -> socket.socket:
        try:
            ours, theirs = socket.socketpair()
        except OSError:
            call.abort()
            raise
        ours.setblocking(False)
        theirs.setblocking(False)
        pump = self._pumps[call] = _Pump(call, ours, self)

        def forget(task: asyncio.Task[None]) -> None:
            del self._pumps[call]
            ours.close()

        pump.task.add_done_callback(forget)
        return theirs


def _make_room() -> None:
    """Let a search leave files for the call that it is for: macOS allows a program 256 at first."""
    if sys.platform != "win32":
        import resource

        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        if 0 <= soft < _FILES:
            most = _FILES if hard == resource.RLIM_INFINITY else min(_FILES, hard)
            # Without the room the sockets that there are have to do.
            with suppress(ValueError, OSError):
                resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, most), hard))


def _bound(host: str, port: int) -> socket.socket:
    found = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET, socket.SOCK_DGRAM)
    try:
        found.setblocking(False)
        if ":" in host:
            # Linux refuses the number for IPv4 otherwise.
            found.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
        found.bind((host, port))
    except BaseException:
        found.close()
        raise
    return found


class _Pump:
    """Moves bytes between a call and one end of a socket pair."""

    def __init__(self, call: Tube, ours: socket.socket, puncher: Puncher) -> None:
        self._call, self._ours, self._flush, self._wait = call, ours, puncher._tick, puncher._wait
        self._loop = asyncio.get_running_loop()
        self.task = asyncio.create_task(self._run())

    async def _run(self) -> None:
        sending = asyncio.create_task(self._send())
        try:
            await self._deliver()
            while self._call.state is TubeState.OPEN:
                await self._wait()
        finally:
            sending.cancel()
            await asyncio.gather(sending, return_exceptions=True)

    async def _send(self) -> None:
        with suppress(OSError):
            while self._call.state is TubeState.OPEN:
                if not (space := min(self._call.space, _CHUNK)):
                    await self._wait()
                    continue
                data = await self._loop.sock_recv(self._ours, space)
                if not data:
                    break
                self._call.write(data)
                self._flush()
        self._call.end()
        self._flush()

    async def _deliver(self) -> None:
        is_read = True
        while True:
            if data := self._call.read(_CHUNK):
                self._flush()
                try:
                    # What comes after the program has closed its end is read and forgotten, so that the call can end.
                    if is_read:
                        await self._loop.sock_sendall(self._ours, data)
                except OSError:
                    is_read = False
            elif self._call.ended or self._call.state is not TubeState.OPEN:
                break
            else:
                await self._wait()
        with suppress(OSError):
            self._ours.shutdown(socket.SHUT_WR)
