"""Two programs that knock, over routers of every kind and with a clock of their own."""

from __future__ import annotations

import heapq
import random
from dataclasses import dataclass, field

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.reach import knocking
from protocol.reach.formats import probe, stun
from protocol.reach.formats.outside import Nature, Seen
from protocol.reach.formats.probe import Probe
from protocol.reach.formats.stun import Place
from protocol.reach.knocking import HOPS, IPV4, LOST, Datagram, Knocker

SECRET = bytes(range(16))
SERVERS = (("9.9.9.9", 3478), ("8.8.8.8", 3478))
LATENCY, FAR = 0.02, 12
"""Seconds from router to router, and how many hops."""

Inside = tuple[int, int]
"""A socket: which side's, and which of it."""


@dataclass
class Router:
    """A translator of addresses."""

    address: str
    hard: bool = False
    """Another port for each address that is sent to."""
    lets_in: str = "port"
    """Packets for an open port from ``all``, from an ``address`` or from a ``port`` that was sent to, or ``none``."""
    seconds: float = 120.0
    """How long an entry lasts that is not used."""
    keeps: bool = True
    """The port is the machine's own, where that can be; else it is drawn."""
    spoils: bool = False
    """A stranger's packet takes a port that is closed for itself, as on Linux without a rule for it."""
    chance: random.Random = field(default_factory=lambda: random.Random(1))
    ports: dict[tuple[Inside, Place | None], int] = field(default_factory=dict)
    owners: dict[int, Inside] = field(default_factory=dict)
    used: dict[tuple[int, Place | str], float] = field(default_factory=dict)
    taken: set[tuple[int, Place]] = field(default_factory=set)

    def forget(self) -> None:
        """Start again without an entry."""
        self.ports.clear()
        self.used.clear()

    def lives(self, port: int, to: Place | str, now: float) -> bool:
        return now - self.used.get((port, to), -self.seconds) < self.seconds

    def leave(self, inside: Inside, to: Place, now: float) -> Place:
        key = inside, to if self.hard else None
        port = self.ports.get(key)
        if port is None or not self.lives(port, "", now) or (port, to) in self.taken:
            port = 40_000 + 1_000 * inside[0] + inside[1]
            if self.hard or not self.keeps or (port, to) in self.taken:
                port = self.chance.randrange(1_024, 65_536)
            self.ports[key], self.owners[port] = port, inside
        self.used |= {(port, to): now, (port, to[0]): now, (port, ""): now}
        return self.address, port

    def enter(self, port: int, source: Place, now: float) -> Inside | None:
        looked_at: dict[str, Place | str] = {"all": "", "address": source[0], "port": source, "none": "nobody"}
        if self.lives(port, looked_at[self.lets_in], now):
            if self.lives(port, source, now):
                self.used |= {(port, source): now, (port, source[0]): now, (port, ""): now}
            return self.owners[port]
        if self.spoils:
            self.taken.add((port, source))
        return None


class World:
    """Two sides, what lies between them, and time."""

    def __init__(self, *routers: Router, seed: int = 1, loss: float = 0.0) -> None:
        """Put the host behind the first and the guest behind the second router."""
        self.now, self.loss, self.chance = 1_000.0, loss, random.Random(seed)
        self.routers = routers
        self.sides = [Knocker(SECRET, is_host=not at, chance=random.Random(seed + at)) for at in (0, 1)]
        self.flying: list[tuple[float, int, Place, Place, bytes]] = []
        self.sent = [0, 0]
        self.asleep: set[int] = set()

    def ask(self) -> list[Seen]:
        """Let both ask two servers and keep what they say."""
        found = []
        for at, side in enumerate(self.sides):
            seen = {server: self.routers[at].leave((at, IPV4), server, self.now) for server in SERVERS}
            side.keep(seen, self.now)
            found.append(stun.judge(seen))
        return found

    def send(self, at: int, found: list[Datagram]) -> None:
        for one in found:
            self.sent[at] += 1
            assert at not in self.asleep
            source = self.routers[at].leave((at, one.socket), one.to, self.now)
            if (one.hops is None or one.hops >= FAR) and self.chance.random() >= self.loss:
                heapq.heappush(self.flying, (self.now + LATENCY, sum(self.sent), source, one.to, one.data))

    def run(self, seconds: float, *, until_met: bool = True) -> float | None:
        """Let time pass; returns after how much of it both had a way."""
        begun, end = self.now, self.now + seconds
        while self.now < end:
            awake = [at for at in (0, 1) if at not in self.asleep]
            due = [when for at in awake if (when := self.sides[at].wakes()) is not None]
            self.now = max(self.now, min([end, *due, *(one[0] for one in self.flying[:1])]))
            while self.flying and self.flying[0][0] <= self.now:
                self.deliver(*heapq.heappop(self.flying)[2:])
            for at in awake:
                self.send(at, self.sides[at].datagrams(self.now))
            if until_met and all(side.way is not None for side in self.sides):
                return self.now - begun
        return None

    def deliver(self, source: Place, to: Place, data: bytes) -> None:
        if to in SERVERS:
            at = next(at for at, router in enumerate(self.routers) if router.address == source[0])
            inside = self.routers[at].enter(source[1], to, self.now)
            if inside is not None and at not in self.asleep:
                self.send(at, self.sides[at].receive(inside[1], told(data, source), to, self.now))
        for router in self.routers:
            if router.address == to[0] and (inside := router.enter(to[1], source, self.now)) is not None:
                at = inside[0]
                if at not in self.asleep:
                    self.send(at, self.sides[at].receive(inside[1], data, source, self.now))


def told(request: bytes, seen: Place) -> bytes:
    """Return what a STUN server answers."""
    value = b"\0\x01" + seen[1].to_bytes(2, "big") + bytes(map(int, seen[0].split(".")))
    return b"\x01\x01\x00\x0c" + request[4:20] + b"\x00\x01\x00\x08" + value


def begin(world: World, waits: float = 0.0, *, search: bool = True) -> None:
    """Let the guest knock, and the host so many seconds later."""
    seen = world.ask()
    for at in (1, 0):
        theirs = seen[1 - at]
        world.sides[at].knock(
            theirs.addresses,
            world.now,
            waits=at == 1 and waits > 0,
            mine=seen[at].nature if search else Nature.UNKNOWN,
            theirs=theirs,
        )
        if at == 1 and waits:
            assert world.run(waits) is None


HOST, GUEST = "5.1.1.2", "5.2.2.2"


# -- Routers of each kind -----------------------------------------------------------------------------------


@pytest.mark.parametrize("host", ["all", "address", "port"])
@pytest.mark.parametrize("guest", ["all", "address", "port"])
def test_two_easy_routers_let_each_other_in(host: str, guest: str) -> None:
    world = World(Router(HOST, lets_in=host), Router(GUEST, lets_in=guest))
    begin(world)
    took = world.run(10)
    assert took is not None
    assert took < 1
    ways = [side.way for side in world.sides]
    assert [way.to for way in ways if way is not None] == [(GUEST, 41_000), (HOST, 40_000)]


@pytest.mark.parametrize("hard", [0, 1])
@pytest.mark.parametrize("lets_in", ["all", "address"])
def test_a_hard_router_meets_one_that_looks_at_addresses_alone_without_a_search(hard: int, lets_in: str) -> None:
    routers = [Router(HOST, lets_in=lets_in), Router(GUEST, lets_in=lets_in)]
    routers[hard].hard, routers[hard].lets_in = True, "port"
    world = World(*routers)
    begin(world, search=False)
    assert world.run(10) is not None


@pytest.mark.parametrize("hard", [0, 1])
@pytest.mark.parametrize("waits", [0.0, 40.0])
def test_a_hard_router_is_found_by_guessing(hard: int, waits: float) -> None:
    routers = [Router(HOST), Router(GUEST)]
    routers[hard].hard = True
    world = World(*routers)
    begin(world, waits)
    took = world.run(10)
    assert took is not None
    assert world.sent[1 - hard] < 1_700 + 40 * waits
    way = world.sides[hard].way
    assert way is not None
    needed = [at for at in range(258) if world.sides[hard].needs(at, world.now)]
    assert way.socket in needed
    assert len(needed) < 10
    # It is not searched for any more.
    before = list(world.sent)
    world.run(60, until_met=False)
    assert all(after - sent < 30 for after, sent in zip(world.sent, before, strict=True))
    assert all(side.way is not None for side in world.sides)


def test_nothing_is_searched_unasked() -> None:
    world = World(Router(HOST, hard=True), Router(GUEST))
    begin(world, search=False)
    assert world.run(20) is None
    assert max(world.sent) < 200


def test_two_hard_routers_do_not_meet_and_are_not_searched() -> None:
    world = World(Router(HOST, hard=True), Router(GUEST, hard=True))
    begin(world)
    assert world.run(30) is None
    assert max(world.sent) < 200


@pytest.mark.parametrize("waits", [False, True])
def test_a_hard_side_pings_from_all_its_sockets_again(waits: bool) -> None:
    knocker = Knocker(SECRET, is_host=False, chance=random.Random(1))
    knocker.knock([], 0.0, waits=waits, mine=Nature.HARD, theirs=Seen((("5.1.1.2", 7),), Nature.EASY))
    sent: list[tuple[float, Datagram]] = []
    now = 0.0
    while len(sent) < 3 * 256:
        sent += [(now, one) for one in knocker.datagrams(now)]
        now = max(now + 0.001, knocker.wakes() or now)
    assert [one.socket for _, one in sent] == 3 * list(range(2, 258))
    times = [when for when, _ in sent]
    assert times[255] < 0.8
    assert times[256] - times[255] == pytest.approx(20 if waits else 3, abs=0.1)
    assert times[511] - times[256] == pytest.approx(255 * 0.003 if waits else 255 / 32, abs=0.1)
    full = [[one.socket for _, one in sent[at : at + 256] if one.hops is None] for at in (0, 256, 512)]
    assert full == ([[2, 3], [4, 5], [6, 7]] if waits else [[2, 3], [*range(2, 258)], [*range(2, 258)]])


def test_a_hard_host_who_pastes_late_is_in_as_soon_as_the_guess_of_the_guest_was_theirs() -> None:
    # The guest guesses forty ports a second by then, and would find one of the 256 after 6.3 s on average.
    took = []
    for seed in range(5, 8):
        world = World(Router(HOST, hard=True, chance=random.Random(seed)), Router(GUEST), seed=seed)
        begin(world, 20.0)
        took.append(world.run(12) or 12.0)
    assert max(took) < 10
    assert sum(took) / len(took) < 5


def test_a_search_ends() -> None:
    world = World(Router(HOST, hard=True, lets_in="none"), Router(GUEST))
    begin(world)
    assert world.run(60) is None
    assert world.sent[1] <= 1_500 + 300


@pytest.mark.parametrize("place", ["100.64.1.2", "2a00::1"])
def test_only_addresses_of_the_internet_are_searched(place: str) -> None:
    knocker = Knocker(SECRET, is_host=True, chance=random.Random(1))
    knocker.knock([(place, 5)], 0.0, mine=Nature.EASY, theirs=Seen(((place, 5),), Nature.HARD))
    assert len(knocker.datagrams(0.0)) == 1
    assert len(knocker.datagrams(0.05)) == 0


@given(st.integers(0, 1_000))
def test_packets_that_are_lost_only_cost_time(seed: int) -> None:
    world = World(Router(HOST), Router(GUEST), seed=seed, loss=0.4)
    begin(world)
    assert world.run(15) is not None


# -- Waiting ------------------------------------------------------------------------------------------------


def test_ten_minutes_before_the_host_knows_are_no_harm_where_entries_last_half_a_minute() -> None:
    world = World(Router(HOST, seconds=30, keeps=False), Router(GUEST, seconds=30, keeps=False))
    begin(world, 600)
    took = world.run(10)
    assert took is not None
    assert took < 1


def test_softly_spares_a_router_that_a_stranger_spoils() -> None:
    took = []
    for waits in (True, False):
        world = World(Router(HOST, spoils=True), Router(GUEST))
        seen = world.ask()
        for at in (1, 0):
            world.sides[at].knock(seen[1 - at].addresses, world.now, waits=waits)
            if at == 1:
                world.run(1.5)
        took.append(world.run(10))
    assert took[0] is not None
    assert took[1] is None


def test_soft_pings_go_no_further_than_they_should_and_every_tenth_does_after_two_seconds() -> None:
    knocker = Knocker(SECRET, is_host=False, chance=random.Random(1))
    knocker.knock([("5.1.1.2", 1), ("2a00::1", 1)], 0.0, waits=True)
    hops = [one.hops for step in range(80) for one in knocker.datagrams(step / 10) if one.to[0] == "5.1.1.2"]
    assert set(hops[:19]) == {HOPS}
    assert 5 <= hops.count(None) <= 7
    answer = probe.write(probe.key(SECRET, 0), Probe(b"12345678", None))
    assert [one.hops for one in knocker.receive(IPV4, answer, ("5.1.1.2", 1), 8.0)] == [None, None]
    assert {one.hops for one in knocker.datagrams(9.0)} == {None}


def test_a_port_that_has_changed_while_waiting_is_noticed() -> None:
    world = World(Router(HOST), Router(GUEST))
    world.ask()
    world.routers[0].address = "5.1.1.77"
    world.routers[0].forget()
    world.run(20)
    assert stun.judge(world.sides[0].seen).addresses == (("5.1.1.77", 40_000),)


def test_stun_answers_count_from_the_server_asked_and_once() -> None:
    knocker = Knocker(SECRET, is_host=True, chance=random.Random(1))
    knocker.keep({SERVERS[0]: (HOST, 40_000)}, 0.0)
    (asked,) = knocker.datagrams(15.0)
    for lie, source in (
        (told(asked.data, ("6.6.6.6", 6)), SERVERS[1]),
        (told(bytes(20), ("6.6.6.6", 6)), SERVERS[0]),
        (told(asked.data, (HOST, 40_001)), SERVERS[0]),
        (told(asked.data, ("6.6.6.6", 6)), SERVERS[0]),
    ):
        assert knocker.receive(IPV4, lie, source, 15.1) == []
    assert knocker.seen == {SERVERS[0]: (HOST, 40_001)}


# -- A way ----------------------------------------------------------------------------------------------------


def met() -> World:
    world = World(Router(HOST, seconds=30), Router(GUEST, seconds=30))
    begin(world)
    assert world.run(10) is not None
    return world


def test_a_way_is_kept_with_a_ping_each_fifteen_seconds() -> None:
    world = met()
    before = sum(world.sent)
    world.run(600, until_met=False)
    assert all(side.way is not None for side in world.sides)
    assert sum(world.sent) - before <= 4 * 41


def test_a_way_in_use_is_open_again_soon_after_both_routers_have_forgotten() -> None:
    world = met()
    world.run(20, until_met=False)
    for side in world.sides:
        side.use(world.now)
    # Between two pings, so that none is on its way while they forget.
    world.run(1.5, until_met=False)
    gaps = []
    for _ in range(12):
        world.run(1, until_met=False)
        for router in world.routers:
            router.forget()
        gaps += [world.now - side.way.heard for side in world.sides if side.way is not None]
    assert len(gaps) == 24
    assert max(gaps) < 1.1
    assert all(side.answers(world.now) for side in world.sides)
    # An idle way is quiet again.
    world.run(20, until_met=False)
    before = sum(world.sent)
    world.run(60, until_met=False)
    assert sum(world.sent) - before <= 4 * 5


def test_both_knock_again_after_sleep() -> None:
    world = met()
    world.now += 36_000
    world.flying.clear()
    took = world.run(10)
    assert took is not None
    assert took < 1


def test_a_side_that_sleeps_is_found_again() -> None:
    world = met()
    world.asleep.add(1)
    assert world.run(2 * LOST, until_met=False) is None
    assert world.sides[0].way is None
    world.asleep.clear()
    world.run(1, until_met=False)
    took = world.run(5)
    assert took is not None


def test_a_side_that_comes_from_another_address_is_found_where_the_other_router_is_open() -> None:
    world = World(Router(HOST, lets_in="all"), Router(GUEST))
    begin(world)
    assert world.run(10) is not None
    world.run(20, until_met=False)
    world.routers[1].address = "5.2.2.77"
    world.routers[1].forget()
    world.sides[1] = Knocker(SECRET, is_host=False, chance=random.Random(5))
    world.sides[1].knock([(HOST, 40_000)], world.now)
    assert world.run(5) is not None
    world.run(5, until_met=False)
    way = world.sides[0].way
    assert way is not None
    assert way.to == ("5.2.2.77", 41_000)


def pinged(knocker: Knocker, now: float) -> dict[Place, bytes]:
    """Return the nonces of the pings that are due."""
    return {one.to: one.data[2:10] for one in knocker.datagrams(now)}


def pong(nonce: bytes) -> bytes:
    return probe.write(probe.key(SECRET, 1), Probe(nonce, ("5.1.1.2", 7)))


NEAR, FURTHER = ("192.168.1.3", 7), ("5.2.2.2", 7)


@pytest.mark.parametrize(
    ("asked", "when", "replaces"),
    [(0.9, 1.19, True), (0.6, 1.15, False), (0.9, 1.21, False)],  # in time, too slow, too late
)
def test_a_way_of_half_the_time_replaces_the_first_for_a_moment(asked: float, when: float, replaces: bool) -> None:
    knocker = Knocker(SECRET, is_host=True, chance=random.Random(1))
    knocker.knock([FURTHER, NEAR], 0.0)
    nonces = {round(step / 10, 1): pinged(knocker, step / 10 + 0.0001) for step in range(10)}
    knocker.receive(IPV4, pong(nonces[0.0][FURTHER]), FURTHER, 1.0)
    knocker.receive(IPV4, pong(nonces[asked][NEAR]), NEAR, when)
    assert knocker.way is not None
    assert knocker.way.to == (NEAR if replaces else FURTHER)


def test_both_change_to_the_secret_of_the_match_one_after_the_other() -> None:
    world = met()
    for at in (0, 1):
        world.sides[at].admit(bytes(16))
        world.run(31, until_met=False)
        assert all(side.way is not None and side.way.doubted is None for side in world.sides) is (at == 1)
    # A third secret ends the first one.
    first = probe.write(probe.key(SECRET, 1), Probe(b"12345678", None))
    assert world.sides[0].receive(IPV4, first, FURTHER, world.now) != []
    world.sides[0].admit(bytes(15) + b"x")
    again = probe.write(probe.key(SECRET, 1), Probe(b"87654321", None))
    assert world.sides[0].receive(IPV4, again, FURTHER, world.now) == []


def test_host_names_are_not_knocked_at() -> None:
    knocker = Knocker(SECRET, is_host=True, chance=random.Random(1))
    knocker.knock([("a.example", 7), FURTHER], 0.0)
    assert [one.to for one in knocker.datagrams(0.0)] == [FURTHER]


def test_whoever_is_told_of_somebody_else_knocks_there_beside_the_way() -> None:
    first, second = ("5.3.3.3", 7), ("5.4.4.4", 8)
    knocker = Knocker(SECRET, is_host=True, chance=random.Random(1))
    knocker.knock([first], 0.0)
    knocker.receive(IPV4, pong(pinged(knocker, 0.0)[first]), first, 0.1)
    assert knocker.way is not None
    # The same friend again: nothing is in doubt.
    knocker.knock([first], 1.0)
    assert pinged(knocker, 1.0) == {}
    knocker.knock([second], 2.0)
    nonces = pinged(knocker, 2.0)
    assert nonces.keys() == {first, second}
    # The first is still there and keeps the way.
    knocker.receive(IPV4, pong(nonces[first]), first, 2.1)
    knocker.receive(IPV4, pong(nonces[second]), second, 2.1)
    assert knocker.wakes() == pytest.approx(2.1)
    assert knocker.way.to == first
    assert pinged(knocker, 3.0).keys() == {second}
    # When the first has gone, two seconds without an answer are enough.
    for step in range(31):
        nonces = pinged(knocker, now := 17.2 + step / 10)
    assert nonces.keys() == {second}
    knocker.receive(IPV4, pong(nonces[second]), second, now)
    assert knocker.way is not None
    assert knocker.way.to == second
    assert pinged(knocker, now + 1) == {}


def test_nobody_is_asked_while_there_is_a_connection() -> None:
    knocker = Knocker(SECRET, is_host=True, chance=random.Random(1))
    knocker.keep({SERVERS[0]: (HOST, 40_000)}, 0.0)
    knocker.rest()
    assert knocker.wakes() is None
    assert knocker.datagrams(100.0) == []
    knocker.knock([FURTHER], 200.0)
    assert {one.to for one in knocker.datagrams(200.0)} == {SERVERS[0], FURTHER}


# -- Strangers ------------------------------------------------------------------------------------------------


@given(st.binary(max_size=80), st.sampled_from([b"", b"\x8d", b"\x01\x01", b"\xd0"]))
def test_any_bytes_get_silence_and_leave_nothing(data: bytes, head: bytes) -> None:
    knocker = Knocker(SECRET, is_host=True, chance=random.Random(1))
    knocker.knock([FURTHER], 0.0)
    assert knocker.receive(IPV4, head + data, FURTHER, 0.0) == []
    assert knocker.way is None
    assert len(knocker.datagrams(0.0)) == 1


def test_wrong_keys_and_mirrored_probes_get_silence() -> None:
    knocker = Knocker(SECRET, is_host=True, chance=random.Random(1))
    knocker.knock([FURTHER], 0.0)
    (mine,) = knocker.datagrams(0.0)
    wrong = probe.write(probe.key(bytes(16), 1), Probe(b"12345678", None))
    for data in (mine.data, wrong, probe.write(probe.key(SECRET, 0), Probe(mine.data[2:10], FURTHER))):
        assert knocker.receive(IPV4, data, FURTHER, 0.1) == []
    assert knocker.way is None


def test_a_packet_that_is_repeated_elsewhere_moves_nothing() -> None:
    knocker = Knocker(SECRET, is_host=True, chance=random.Random(1))
    knocker.knock([FURTHER], 0.0)
    nonce = pinged(knocker, 0.0)[FURTHER]
    ping = probe.write(probe.key(SECRET, 1), Probe(b"12345678", None))
    assert len(knocker.receive(IPV4, ping, FURTHER, 0.1)) == 2
    elsewhere = ("6.6.6.6", 6)
    assert knocker.receive(IPV4, ping, elsewhere, 0.1) == []
    # Another socket, another address: the answer counts nowhere; then its nonce is used.
    (asked,) = knocker.receive(IPV4, pong(nonce), elsewhere, 0.2)
    assert asked.to == elsewhere
    assert knocker.receive(IPV4, pong(nonce), FURTHER, 0.2) == []
    later = pinged(knocker, 0.3)[FURTHER]
    assert knocker.receive(2, pong(later), FURTHER, 0.4) == []
    late = pinged(knocker, 0.5)[FURTHER]
    assert knocker.receive(IPV4, pong(late), FURTHER, 10.5) == []
    assert knocker.way is None


def test_a_flood_of_the_other_side_costs_as_many_packets_as_it_has_and_little_room() -> None:
    knocker = Knocker(SECRET, is_host=True, chance=random.Random(1))
    knocker.knock([(f"5.2.{one // 250}.{one % 250 + 1}", 7) for one in range(1_000)], 0.0)
    assert len(knocker.datagrams(0.0)) == 32
    theirs = probe.key(SECRET, 1)
    answers = 0
    for one in range(3_000):
        ping = probe.write(theirs, Probe(one.to_bytes(8, "big"), None))
        answers += len(knocker.receive(IPV4, ping, ("5.3.3.3", one), 0.1))
    assert answers == 6_000
    assert len(knocker._pings) == len(knocker._nonces) == 512
    assert len(knocker.datagrams(0.2)) == 32


def test_a_line_that_names_many_ports_of_a_victim_brings_it_no_more_packets() -> None:
    victim = [("5.2.2.2", port) for port in range(1, 20)] + [("2a00::1", 1), ("2A00:0::1", 2), ("2a00::1%7", 3)]
    knocker = Knocker(SECRET, is_host=True, chance=random.Random(1))
    knocker.knock([*victim, NEAR], 0.0)
    sent = [one.to for step in range(150) for one in knocker.datagrams(step / 10 + 0.001)]
    assert sent.count(NEAR) == 150
    assert len(sent) == 3 * 150
    # Each port has its turn.
    assert set(sent) == {*victim, NEAR}


def test_a_search_has_more_pings_open_and_a_bound_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(knocking, "_MANY_PINGS", 700)
    knocker = Knocker(SECRET, is_host=True, chance=random.Random(1))
    knocker.knock([FURTHER], 0.0, mine=Nature.EASY, theirs=Seen((FURTHER,), Nature.HARD))
    sent: list[Datagram] = []
    now = 0.0
    while now < 9:
        sent += knocker.datagrams(now)
        now = max(now + 0.001, knocker.wakes() or now)
    guessed = {one.to[1] for one in sent if one.to != FURTHER}
    assert len(guessed) >= 1_499
    assert len(knocker._pings) == 700
