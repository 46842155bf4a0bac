"""Finding a way by UDP between two programs that know each other's lines: the states and timers, pure.

A router lets in what comes from where its own side has sent to.  So both sides send pings to every address of the
other's line until one is answered; see ``formats/probe.py`` for the bytes.

*Waiting.*  The line names a port that the router took for this socket; a question to the STUN servers every 15 s keeps
it, as long as there is neither a way nor a connection, and shows when it has changed.

*Knocking.*  Every address of the targets, which are 32 at most, gets a ping each 0.1 s for 15 s and then each 1 s for
ever: if it has several ports, at one drawn anew, so that no line turns more packets on anybody.  A ping whose proof is
right and whose nonce is new (the last 512 are remembered) gets its pong at once, from the socket it came to; where
there is no way yet, a ping of our own goes there, too.  A pong counts once, within 10 s, on the socket of its ping and
from the address that was pinged; from another address it only makes us ping that one.  The first pong is the *way*.
Within 0.2 s of it, another address that took at most half its time replaces it.

*The way* gets a ping every 15 s, and each 1 s while one is not answered or a call has used the way in the last 15 s: a
router that has forgotten both sides lets nobody in before its own side has sent something, and who has nothing to say
would not.  After 45 s without a pong it is lost, and the knocking begins anew.  When the other pings from elsewhere
while it has not answered for 2 s, they have perhaps lost it already: both places are pinged, and 2 s later a pong from
the new one makes that the way.  Whoever is told of other targets while a way lasts knocks there beside it; it is lost
then as soon as it has not answered for 2 s.

*Softly.*  Pings that come before the other knocks are a stranger's, and some routers take the port for themselves then.
Whoever has to be first sends with a time to live of 8: enough for their own router and their carrier's.  After 2 s
every tenth round goes at full range, in case 8 was not enough, and everything once the other is heard.

*Searching.* A hard router takes another port for each address.  If the other's is easy and people have agreed to it,
the hard side opens 256 sockets towards the easy one's address, one each 3 ms, and 3 s later pings from one after the
other, 32 a second; while the other may not know yet from all again each 20 s.  And the easy side pings the hard one's
address at 1,500 ports drawn from 1024 to 65535, 170 a second, and while the other may not know yet at 40 a second more
for ten minutes.  Only one address of the internet is searched.  A socket of the 256 stays open while something good has
come to it in the last 45 s.

At most 512 pings are open (4,096 while searching).  What proves nothing costs one hash and changes nothing.

What is *not* here: sockets, the clock (``now`` is an argument, in seconds) and chance (handed in).
"""

import ipaddress
import random
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from protocol.reach.formats import probe, stun
from protocol.reach.formats.addresses import AddressKind, classify
from protocol.reach.formats.outside import Nature, Seen
from protocol.reach.formats.probe import Probe
from protocol.reach.formats.stun import Place

IPV4, IPV6 = 0, 1
"""The sockets with the number of the listener's port; the others, of IPv4, are opened when they are first used."""

SOCKETS = 256
"""How many sockets a hard router is met with."""

HOPS = 8
"""The time to live of a soft ping."""

LOST = 45.0
"""Seconds without a pong after which a way is lost."""

_FAST, _SLOW, _FAST_SECONDS = 0.1, 1.0, 15.0
_IDLE, _URGENT = 15.0, 1.0
_OPEN_SECONDS, _BETTER_SECONDS, _DOUBT = 10.0, 0.2, 2.0
_SOFT_SECONDS, _TENTH = 2.0, 10
_TARGETS, _PINGS, _MANY_PINGS = 32, 512, 4_096
_OPENING, _AGAIN, _AGAIN_GAP, _WAITING_AGAIN = 0.003, 3.0, 1 / 32, 20.0
_GUESSES, _GAP = 1_500, 1 / 170
_WAITING_GUESSES, _WAITING_GAP = 40 * 600, 1 / 40
_PORTS = range(1_024, 65_536)
_BURST = 16
_FULL = 2


@dataclass(frozen=True, slots=True)
class Datagram:
    """What is to be sent."""

    socket: int
    """``IPV4``, ``IPV6`` or one of the next 256, which is opened when it is not."""
    to: Place
    data: bytes
    hops: int | None = None
    """How far it may go; None for the system's own limit."""


@dataclass(slots=True)
class Way:
    """Where pings are answered."""

    socket: int
    to: Place
    since: float
    took: float
    """Seconds there and back, lately."""
    heard: float
    """When the last pong came."""
    doubted: float | None = None
    """Since when pings are not answered."""
    rival: tuple[int, Place] | None = None
    """From where the other has pinged while this way was silent."""


@dataclass(slots=True)
class _Paced:
    """Something that is done again and again, with a gap."""

    at: float
    gap: float
    done: int = 0
    """How often it was done."""

    def count_due(self, now: float) -> int:
        """Return how often it is to be done now; few after a pause."""
        due = 0 if now < self.at else min(_BURST, 1 + int((now - self.at) / self.gap))
        self.at = max(self.at + due * self.gap, now) if due else self.at
        return due


class Knocker:
    """One side."""

    def __init__(self, secret: bytes, *, is_host: bool, chance: random.Random) -> None:
        """Begin with nothing to do but to answer.

        Args:
            secret: of the invite, or of the match once it has begun.
            is_host: of the match.
            chance: where nonces and ports come from.
        """
        self.way: Way | None = None
        self.seen: dict[Place, Place] = {}
        """What each STUN server saw last."""
        self._is_host, self._chance = is_host, chance
        self._keys: list[tuple[bytes, bytes]] = []
        self.admit(secret)
        self._asked: dict[Place, bytes] = {}
        self._keep_at = self._ping_at = self._begun = 0.0
        self._targets: tuple[tuple[Place, ...], ...] = ()
        self._waits = self._is_soft = self._is_beside = self._rests = False
        self._rounds = _Paced(0.0, _FAST)
        self._search: Place | None = None
        self._is_hard = False
        self._tries: _Paced | None = None
        self._ports: list[int] = []
        self._pings: dict[bytes, tuple[float, int, Place]] = {}
        self._nonces: dict[bytes, None] = {}
        self._heard: dict[int, float] = {}
        self._used = -_IDLE

    def admit(self, secret: bytes, *, alone: bool = False) -> None:
        """Ping with this secret from now on; what comes with the one before is still answered with that one.

        If it is taken ``alone``, that one gets silence, and nobody is knocked for any more.
        """
        mine, theirs = (probe.key(secret, role) for role in (1 - self._is_host, int(self._is_host)))
        self._keys = [(mine, theirs)] if alone else [(mine, theirs), *self._keys[:1]]
        if alone:
            self.way, self._targets, self._tries = None, (), None

    def keep(self, seen: Mapping[Place, Place], now: float) -> None:
        """Keep the port that STUN servers have seen for the IPv4 socket.

        Args:
            seen: the servers, each with the place that it saw.
            now: the time.
        """
        self.seen = dict(seen)
        self._keep_at = now + _IDLE

    def knock(
        self,
        targets: Iterable[Place],
        now: float,
        *,
        waits: bool = False,
        mine: Nature = Nature.UNKNOWN,
        theirs: Seen | None = None,
    ) -> None:
        """Knock at these addresses, and at no others any more.

        Args:
            targets: where the other may be; host names are passed over.
            now: the time.
            waits: whether the other may not know yet where to knock; their router is spared until they are heard.
            mine: what the own router is; with ``theirs``, people have agreed to a search.
            theirs: what the other's line says about his.
        """
        # Names would have to be looked up.
        found = dict.fromkeys(place for place in targets if classify(place[0]) is not AddressKind.EMPTY)
        ports: dict[bytes, tuple[Place, ...]] = {}
        for place in tuple(found)[:_TARGETS]:
            address = ipaddress.ip_address(place[0]).packed
            ports[address] = (*ports.get(address, ()), place)
        self._targets, self._waits, self._is_soft, self._rests = tuple(ports.values()), waits, waits, False
        self._is_beside = self.way is not None and self.way.to not in found
        self._ping_at = now if self._is_beside else self._ping_at
        self._is_hard, self._search = mine is Nature.HARD, None
        if theirs is not None and {mine, theirs.nature} == {Nature.EASY, Nature.HARD}:
            public = (place for place in theirs.addresses if classify(place[0]) is AddressKind.PUBLIC)
            self._search = next((place for place in public if ":" not in place[0]), None)
        self._start(now)

    def rest(self) -> None:
        """Ask no servers until somebody is to be knocked at: there is a connection."""
        self._rests = True

    def _start(self, now: float) -> None:
        self._begun, self._rounds, self._tries = now, _Paced(now, _FAST), None
        if self._search is not None:
            self._tries = _Paced(now, _OPENING if self._is_hard else _GAP)
            most = _GUESSES + _WAITING_GUESSES * self._waits
            self._ports = [] if self._is_hard else self._chance.sample(_PORTS, most)

    def use(self, now: float) -> None:
        """Note that a call has sent or got something on the way."""
        self._used = now
        self._ping_at = min(self._ping_at, now + _URGENT)

    def answers(self, now: float) -> bool:
        """Return whether there is a way whose pings are answered."""
        return self.way is not None and (self.way.doubted is None or now - self.way.doubted < _URGENT)

    def hears(self, socket: int, now: float) -> bool:
        """Return whether something good has come to a socket at this very time."""
        return self._heard.get(socket) == now

    def needs(self, socket: int, now: float) -> bool:
        """Return whether one of the sockets of a search is to stay open."""
        return self.way is None or now - self._heard.get(socket, -LOST) < LOST

    # -- What comes -----------------------------------------------------------------------------------------

    def receive(self, socket: int, data: bytes, source: Place, now: float) -> list[Datagram]:
        """Take what has come from a place to one of the sockets, and return what is to be sent at once."""
        if data[:1] < b"\x40":
            answer = stun.read(data)
            if answer is not None and socket == IPV4 and self._asked.get(source) == answer.transaction:
                del self._asked[source]
                self.seen[source] = answer.seen
            return []
        mine, found = next(
            ((mine, found) for mine, theirs in self._keys if (found := probe.read(theirs, data)) is not None),
            (b"", None),
        )
        if found is None:
            return []
        if found.seen is not None:
            return self._take_pong(socket, found, source, now)
        if found.nonce in self._nonces:
            return []
        self._nonces[found.nonce] = None
        if len(self._nonces) > _PINGS:
            del self._nonces[next(iter(self._nonces))]
        self._hear(socket, now)
        pong = Datagram(socket, source, probe.write(mine, Probe(found.nonce, source)))
        way = self.way
        if way is None:
            return [pong, self._ping(socket, source, now)]
        if (way.socket, way.to) == (socket, source) or now - way.heard < _DOUBT:
            return [pong]
        way.rival = socket, source
        return [pong, *self._ping_way(way, now)]

    def _hear(self, socket: int, now: float) -> None:
        self._is_soft = False
        self._heard[socket] = now

    def _take_pong(self, socket: int, found: Probe, source: Place, now: float) -> list[Datagram]:
        sent, to_socket, to = self._pings.pop(found.nonce, (now - _OPEN_SECONDS, socket, source))
        if now - sent >= _OPEN_SECONDS or to_socket != socket:
            return []
        self._hear(socket, now)
        if to != source:
            # Whoever repeats a packet elsewhere does not get the answers.
            return [self._ping(socket, source, now)]
        way, took = self.way, now - sent
        if way is not None and (way.socket, way.to) == (socket, source):
            way.took, way.heard, way.doubted, way.rival = took, now, None, None
        elif (
            way is None
            or (now - way.since <= _BETTER_SECONDS and took <= way.took / 2)
            or (way.doubted is not None and now - way.doubted >= _DOUBT)
        ):
            self.way, self._is_beside = Way(socket, source, now, took, now), False
        else:
            return []
        self._ping_at = now + (_URGENT if now - self._used < _IDLE else _IDLE)
        return []

    # -- What is due ----------------------------------------------------------------------------------------

    def datagrams(self, now: float) -> list[Datagram]:
        """Return what is to be sent now."""
        way, found = self.way, list[Datagram]()
        if way is not None and self._is_beside and way.doubted is not None and now - way.doubted >= _DOUBT:
            self.way = None
        elif way is not None and now - way.heard >= LOST:
            self.way = None
            self._start(now)
        if self.way is not None:
            found += self._ping_way(self.way, now) if now >= self._ping_at else []
            return found + self._knock(now) if self._is_beside else found
        if self.seen and not self._rests and now >= self._keep_at:
            self._keep_at = now + _IDLE
            for server in self.seen:
                self._asked[server] = self._chance.randbytes(stun.TRANSACTION)
                found.append(Datagram(IPV4, server, stun.request(self._asked[server])))
        found += self._knock(now)
        if self._tries is not None and self._search is not None:
            found += self._seek(self._tries, self._search, now)
        return found

    def _knock(self, now: float) -> list[Datagram]:
        if not self._targets or not self._rounds.count_due(now):
            return []
        self._rounds.gap = _FAST if now - self._begun < _FAST_SECONDS else _SLOW
        self._rounds.done += 1
        is_full = not self._is_soft or (now - self._begun >= _SOFT_SECONDS and self._rounds.done % _TENTH == 0)
        hops = None if is_full else HOPS
        drawn = [self._chance.choice(ports) for ports in self._targets]
        return [self._ping(IPV6 if ":" in to[0] else IPV4, to, now, hops) for to in drawn]

    def _seek(self, tries: _Paced, place: Place, now: float) -> list[Datagram]:
        found = []
        for _ in range(tries.count_due(now)):
            if self._is_hard:
                volley, number = divmod(tries.done, SOCKETS)
                # Some routers take a stranger's packet for themselves, and the other's guess would leave by another
                # port then: all but two sockets of a volley, each time others, open our own side alone.  Whoever has
                # waited long guesses slowly, but their router lets in what comes from the ports that they have guessed.
                is_full = number // _FULL == volley % (SOCKETS // _FULL) or (volley > 0 and not self._waits)
                found.append(self._ping(2 + number, place, now, None if is_full else HOPS))
            else:
                found.append(self._ping(IPV4, (place[0], self._ports[tries.done]), now))
            tries.done += 1
            if not self._is_hard and tries.done >= _GUESSES:
                tries.gap = _WAITING_GAP
                if tries.done == len(self._ports):
                    self._tries = None
                    break
            elif self._is_hard and (tries.done == SOCKETS or (self._waits and not tries.done % SOCKETS)):
                tries.at = now + (_WAITING_AGAIN if self._waits else _AGAIN)
                tries.gap = _OPENING if self._waits else _AGAIN_GAP
                break
        return found

    def _ping_way(self, way: Way, now: float) -> list[Datagram]:
        way.doubted = now if way.doubted is None else way.doubted
        self._ping_at = now + _URGENT
        return [self._ping(*at, now) for at in ((way.socket, way.to), way.rival) if at is not None]

    def _ping(self, socket: int, to: Place, now: float, hops: int | None = None) -> Datagram:
        nonce = self._chance.randbytes(probe.NONCE)
        self._pings[nonce] = now, socket, to
        # They are in the order of their time.
        while len(self._pings) > (_MANY_PINGS if self._search is not None else _PINGS):
            del self._pings[next(iter(self._pings))]
        return Datagram(socket, to, probe.write(self._keys[0][0], Probe(nonce, None)), None if ":" in to[0] else hops)

    def wakes(self) -> float | None:
        """Return when :meth:`datagrams` has something to send; None as long as nothing comes."""
        way, rounds = self.way, [self._rounds.at] if self._targets else []
        if way is not None:
            return min([self._ping_at, way.heard + LOST, *(rounds if self._is_beside else [])])
        keeping = [self._keep_at] if self.seen and not self._rests else []
        return min([*keeping, *rounds, *([self._tries.at] if self._tries is not None else [])], default=None)
