"""Two whom nobody can call: they knock by UDP and cross by TCP, on the loopback with routers that are not there."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from helpers_reach import FakeRouter, fake_router

from cli.app import host
from cli.app.main import main
from cli.meeting import joining, reachability, rendezvous
from cli.meeting.joining import dump_swap
from cli.meeting.lines import Callers
from cli.meeting.meeting import Proposal
from cli.meeting.reachability import Listening, LocalEndpoint, PeerEndpoint, Reachability
from cli.meeting.rendezvous import Rendezvous, open_beside
from cli.runtime.console import Exit
from cli.text import failures
from cli.text import joining as words
from protocol.reach import crossing
from protocol.reach import seen as stun_asked
from protocol.reach.formats import outside
from protocol.reach.formats.addresses import AddressKind
from protocol.reach.formats.candidates import Candidate, Way
from protocol.reach.formats.outside import UNSEEN, Nature, Seen
from protocol.reach.invite import HostPort, Purpose
from protocol.transport import Transport
from protocol.transport.certificate import PIN_LENGTH, Certificate
from protocol.transport.listening import Listener, serve
from storm_p2p.storm.game import encode_terms
from storm_p2p.storm.state import Terms

SECRET = bytes(range(16))
CERTIFICATE = Certificate.make()
PIN = CERTIFICATE.fingerprint[:PIN_LENGTH]
ALONE = "127.0.0.1"


@pytest.fixture
def outdoors(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the loopback count as the internet."""
    for module in (reachability, rendezvous, outside):
        monkeypatch.setattr(module, "classify", lambda address: AddressKind.PUBLIC)


@asynccontextmanager
async def side(*, is_host: bool) -> AsyncIterator[tuple[Listener, Rendezvous]]:
    listener = await serve(ALONE, 0, CERTIFICATE, SECRET)
    rendezvous = open_beside(listener, SECRET, [ALONE], is_host=is_host)
    assert rendezvous is not None
    try:
        yield listener, rendezvous
    finally:
        await rendezvous.close()
        await listener.close()


async def talk(one: Transport, other: Transport) -> None:
    """Show that two ends are those of one line."""
    for sender, receiver in ((one, other), (other, one)):
        await sender.send(b"hello")
        assert await receiver.receive() == b"hello"


# -- one meeting ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("way", "at"), [("udp", ALONE), ("tcp", ALONE), ("tcp", "::1")])
@pytest.mark.usefixtures("outdoors")
def test_whoever_knocks_or_crosses_comes_to_the_listener_of_the_host(
    way: str, at: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    ends: list[socket.socket] = []

    async def cross(targets: set[tuple[int, HostPort]]) -> socket.socket:
        """Give each side one end of a connection: on the loopback a call is refused before the other can cross it."""
        ((port, called),) = targets
        assert called == (at, seen_at[port])
        if not ends:
            await asyncio.Event().wait()
        return ends.pop()

    async def run() -> None:
        async with side(is_host=True) as (listener, hosting), side(is_host=False) as (guest_listener, joining_):
            seen = [await one.look(()) for one in (hosting, joining_)]
            assert [replace(one, crossing6=0) for one in seen] == [UNSEEN, UNSEEN]
            place, answer = PeerEndpoint(PIN, ()), PeerEndpoint(PIN, ())
            if way == "udp":
                hosting.knock(PeerEndpoint(PIN, ((ALONE, guest_listener.port),)))
                joining_.knock(PeerEndpoint(PIN, ((ALONE, listener.port),)), waits=True)
            else:
                # By IPv6 nobody has to be asked for a port, and the addresses are those that are called.
                theirs, ours = seen if at == "::1" else (hosting.stand_at(ALONE), joining_.stand_at(ALONE))
                ports = [one.crossing6 if at == "::1" else one.crossing for one in (theirs, ours)]
                seen_at.update(zip(ports, reversed(ports), strict=True))
                called = ((at, 9),) if at == "::1" else ()
                place, answer = (replace(place, candidates=called, seen=one) for one in (theirs, ours))
                with socket.create_server((ALONE, 0)) as server:
                    ends.append(socket.create_connection(server.getsockname()))
                    ends.append(server.accept()[0])
                for end in ends:
                    end.setblocking(False)
            callers = [Callers(listener, hosting), Callers(guest_listener, joining_)]
            try:
                # No address can be called, and a place is called once.
                for _ in range(2):
                    callers[0].call(answer, SECRET)
                    await asyncio.sleep(0)
                callers[1].call(place, SECRET)
                links = [await one.next() for one in callers]
                assert [link.way for link in links] == [(way, ALONE)] * 2
                await talk(*links)
                await links[1].close()
            finally:
                for one in callers:
                    await one.close()

    seen_at: dict[int, int] = {}
    monkeypatch.setattr(crossing, "cross", cross)
    asyncio.run(asyncio.wait_for(run(), 60))


def test_a_port_that_somebody_else_has_leaves_calls_alone() -> None:
    async def run() -> None:
        listener = await serve(ALONE, 0, CERTIFICATE, SECRET)
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as other:
            other.bind((ALONE, listener.port))
            assert open_beside(listener, SECRET, [ALONE], is_host=True) is None
        await listener.close()

    asyncio.run(run())


def test_another_port_of_the_router_is_noticed_once_and_that_of_a_hard_one_never() -> None:
    async def run() -> None:
        async with side(is_host=True) as (_, rendezvous):
            knocker = rendezvous._puncher.knocker
            servers = [("192.0.2.1", 1), ("192.0.2.2", 1)]
            for ports, news, nature in (
                ((7, 7), True, Nature.EASY),
                ((7, 7), False, Nature.EASY),
                ((8, 8), True, Nature.EASY),
                # One answer alone says nothing.
                ((9,), False, Nature.EASY),
                ((8, 9), True, Nature.HARD),
                ((10, 11), False, Nature.HARD),
            ):
                knocker.seen = {server: ("5.6.7.8", port) for server, port in zip(servers, ports, strict=False)}
                assert (rendezvous.look_again(), rendezvous.seen.nature) == (news, nature)

    asyncio.run(run())


# -- who is asked -----------------------------------------------------------------------------------------


def answers(request: bytes) -> list[bytes]:
    return [b"\x01\x01\x00\x0c" + request[4:20] + b"\x00\x01\x00\x08\0\x01\0\7\5\6\7\x08"]


@asynccontextmanager
async def asked(found: tuple[Way, ...], monkeypatch: pytest.MonkeyPatch, **wanted: Any) -> AsyncIterator[Any]:
    """Give the ways to a machine that others can call in these ways, and the servers that it would ask."""

    async def opened(self: Reachability, port: int, bind: str | None = None) -> None:
        self.candidates = tuple(Candidate(way, "5.6.7.8", port) for way in found)

    monkeypatch.setattr(Reachability, "open", opened)
    async with fake_router(answers) as one, fake_router(answers) as other:
        servers = ((ALONE, one.port), (ALONE, other.port))
        ways = Reachability(Listening(ALONE, servers=servers, **wanted))
        try:
            yield ways, (one, other)
        finally:
            await ways.close()


def count(servers: tuple[FakeRouter, ...]) -> int:
    return sum(len(one.asked) for one in servers)


@pytest.mark.parametrize(
    ("found", "wanted", "asks", "seen"),
    [
        ((Way.LAN, Way.IPV6), {}, True, Seen((("5.6.7.8", 7),), Nature.EASY)),
        ((Way.MAPPED, Way.LAN), {}, False, UNSEEN),
        ((Way.IPV4,), {}, False, None),
        ((), {"announce": (("5.6.7.8", 1),)}, False, UNSEEN),
    ],
)
@pytest.mark.usefixtures("outdoors")
def test_servers_are_asked_only_where_nobody_can_call(
    found: tuple[Way, ...], wanted: dict[str, Any], asks: bool, seen: Seen | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def run() -> None:
        async with asked(found, monkeypatch, **wanted) as (ways, servers):
            endpoint, listener = await ways.listen(LocalEndpoint(CERTIFICATE, SECRET))
            await listener.close()
            assert ways.rendezvous is not None
            assert bool(count(servers)) is asks
            if seen is None:
                # An address of the internet is seen as it is.
                assert ways.seen.addresses == (("5.6.7.8", endpoint.port),)
            else:
                assert replace(ways.seen, crossing6=0) == seen
                assert bool(ways.seen.crossing6) is (Way.IPV6 in found)

    asyncio.run(run())


@pytest.mark.parametrize(
    ("found", "before", "early", "late"),
    [
        ((Way.LAN,), Seen((("5.6.7.8", 9),), Nature.EASY), True, True),
        ((Way.MAPPED,), UNSEEN, False, False),
        # The router opened a port last time, and does no longer.
        ((Way.LAN,), UNSEEN, False, True),
    ],
)
@pytest.mark.usefixtures("outdoors")
def test_a_match_that_goes_on_does_not_wait_for_the_router(
    found: tuple[Way, ...], before: Seen, early: bool, late: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def run() -> None:
        router, told = asyncio.Event(), asyncio.Event()

        async def look(self: Reachability, port: int, bind: str | None) -> None:
            looking.set()
            await router.wait()
            self.candidates = tuple(Candidate(way, "192.168.1.2", port) for way in found)

        looking = asyncio.Event()
        async with asked(found, monkeypatch) as (ways, servers):
            monkeypatch.setattr(Reachability, "_look", look)
            endpoint, listener = await ways.listen_again(LocalEndpoint(CERTIFICATE, SECRET), before)
            ways.moved = told.set
            await looking.wait()
            assert bool(count(servers)) is early
            assert not told.is_set()
            meeting = asyncio.create_task(ways.meet(PeerEndpoint(PIN, ((ALONE, 9),)), SECRET, lambda link: None))
            await asyncio.sleep(0.05)
            assert (ways.rendezvous._puncher.knocker.wakes() is not None) is early
            router.set()
            await told.wait()
            assert bool(count(servers)) is late
            assert ways.places == (("192.168.1.2", endpoint.port),)
            assert (ways.seen.nature is Nature.EASY) is late
            meeting.cancel()
            await listener.close()

    asyncio.run(asyncio.wait_for(run(), 60))


@pytest.mark.parametrize("before", [Nature.HARD, Nature.UNKNOWN])
def test_a_router_is_what_it_was_where_no_server_answers(before: Nature, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stun_asked, "ALL_SECONDS", 0.1)

    async def run() -> None:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as silent:
            silent.bind((ALONE, 0))
            async with side(is_host=True) as (_, hosting):
                assert (await hosting.look([silent.getsockname()], before)).nature is before
                assert not hosting.is_answered

    asyncio.run(run())


@pytest.mark.usefixtures("outdoors")
def test_a_guest_whose_call_came_through_asks_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    async def run() -> None:
        async with asked((Way.LAN,), monkeypatch) as (ways, servers):
            _, listener = await joining._listen(SECRET, PeerEndpoint(PIN, (("5.1.1.2", 1),)), ways)
            assert listener is not None
            await listener.close()
            assert (ways.rendezvous, count(servers)) == (None, 0)

    asyncio.run(run())


def test_on_this_machine_alone_nobody_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    async def run() -> None:
        async with asked((Way.LAN,), monkeypatch) as (ways, servers):
            _, listener = await ways.listen(LocalEndpoint(CERTIFICATE, SECRET))
            await listener.close()
            assert (ways.rendezvous, count(servers)) == (None, 0)

    asyncio.run(run())


# -- who cannot meet --------------------------------------------------------------------------------------

HARD, EASY, NONE = (Seen((("5.6.7.8", 7),), nature) for nature in (Nature.HARD, Nature.EASY, Nature.NONE))
NOWHERE = (("10.0.0.1", 1),)
CANNOT = [(HARD, HARD, "both-hard"), (EASY, NONE, "no-udp"), (NONE, EASY, "own-no-udp")]


def elsewhere(seen: Seen) -> Seen:
    return replace(seen, addresses=(("5.1.1.2", 7),))


@pytest.mark.parametrize(("mine", "theirs", "code"), CANNOT)
def test_a_guest_who_cannot_meet_the_host_ends_with_the_reason(
    mine: Seen, theirs: Seen, code: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    async def listen(self: Reachability, endpoint: LocalEndpoint) -> tuple[LocalEndpoint, Listener]:
        self.seen, self.candidates = mine, (Candidate(Way.LAN, "10.0.0.2", 1),)
        return endpoint, await serve(ALONE, 0, CERTIFICATE, SECRET)

    monkeypatch.setattr(Reachability, "listen", listen)
    endpoint = LocalEndpoint(CERTIFICATE, SECRET)
    line = dump_swap(NOWHERE, endpoint, bytes(32), bytes(16), seen=elsewhere(theirs))
    options = ("--swap", "--player", "bot:random", "--home", str(tmp_path))
    assert main(["join", line, *options]) == Exit.NO_CONNECTION
    said = capsys.readouterr()
    assert failures.sentence(code, "") in said.err
    # No line is sent back that leads nowhere.
    assert "SOO2" not in said.out


def test_a_guest_knocks_before_anybody_has_their_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    done: list[str] = []

    class Told(Exception):
        pass

    async def listen(self: Reachability, endpoint: LocalEndpoint) -> tuple[LocalEndpoint, Listener]:
        self.seen, self.candidates = EASY, (Candidate(Way.LAN, ALONE, 1),)
        return endpoint, await serve(ALONE, 0, CERTIFICATE, SECRET)

    def reply(line: str) -> None:
        done.append("told")
        raise Told

    monkeypatch.setattr(Reachability, "listen", listen)
    monkeypatch.setattr(Reachability, "knock", lambda self, place, waits: done.append("knocked"))
    line = dump_swap(((ALONE, 9),), LocalEndpoint(CERTIFICATE, SECRET), bytes(32), bytes(16), seen=elsewhere(EASY))
    found = joining.read_swap(line, Purpose.MATCH)
    wishes = SimpleNamespace(identity=SimpleNamespace(public=bytes(32)))

    async def run() -> None:
        await joining.answer(found, wishes, None, None, Reachability(), reply)  # type: ignore[arg-type]

    with pytest.raises(Told):
        asyncio.run(run())
    assert done == ["knocked", "told"]


@pytest.mark.parametrize(("mine", "theirs", "code"), [*CANNOT, (EASY, EASY, None)])
def test_a_host_says_before_they_knock_that_they_cannot_meet_whoever_has_answered(
    mine: Seen, theirs: Seen, code: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    proposal = Proposal(encode_terms(Terms()), "proved")
    line = dump_swap(
        NOWHERE, LocalEndpoint(CERTIFICATE, SECRET), bytes(32), proposal.hash, Purpose.REPLY, seen=elsewhere(theirs)
    )

    async def run() -> None:
        said: asyncio.Queue[str] = asyncio.Queue()
        called: list[PeerEndpoint] = []
        monkeypatch.setattr(host, "say", said.put_nowait)
        monkeypatch.setattr(Callers, "call", lambda self, place, secret: called.append(place))
        ways = Reachability()
        ways.seen = mine
        listener = await serve(ALONE, 0, CERTIFICATE, SECRET)
        callers, pasted = Callers(listener), asyncio.Queue[str]()
        pasted.put_nowait(line)
        calling = asyncio.create_task(host._call_back(pasted, callers, SECRET, proposal, ways))
        heard = await said.get()
        assert heard == (str(words.CALLING_BACK) if code is None else failures.sentence(code, ""))
        await asyncio.sleep(0)
        assert [place.seen for place in called] == [elsewhere(theirs)] * (code is None)
        calling.cancel()
        await callers.close()
        await listener.close()

    asyncio.run(asyncio.wait_for(run(), 60))


def test_whatever_is_pasted_instead_of_the_answer_has_its_sentence_and_the_host_still_waits(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    proposal = Proposal(encode_terms(Terms()), "proved")
    endpoint = LocalEndpoint(CERTIFICATE, SECRET)

    def line(secret: bytes = SECRET, subject: bytes = proposal.hash, latest: int = 2**32 - 1) -> str:
        own = replace(endpoint, secret=secret)
        return dump_swap(NOWHERE, own, bytes(32), subject, Purpose.REPLY, latest=latest, seen=elsewhere(EASY))

    answer = line()
    wrong = {
        line(secret=bytes(16)): "belongs to another invite of yours",
        line(subject=bytes(16)): "belongs to another invite of yours",
        line(latest=1_000_000_000): "ask for a fresh line",
        answer[:-20]: "The end of the line is missing",
        answer.replace("SOO2", "SOO1"): "Ask your friend to update theirs",
        answer.replace("SOO2", "SOO3"): "Update yours",
        dump_swap(NOWHERE, endpoint, bytes(32), proposal.hash): "invite to a new match",
        "hello": "no invite",
    }

    async def run() -> None:
        said: asyncio.Queue[str] = asyncio.Queue()
        called: list[PeerEndpoint] = []
        monkeypatch.setattr(host, "say", said.put_nowait)
        monkeypatch.setattr(Callers, "call", lambda self, place, secret: called.append(place))
        listener = await serve(ALONE, 0, CERTIFICATE, SECRET)
        callers, pasted = Callers(listener), asyncio.Queue[str]()
        calling = asyncio.create_task(host._call_back(pasted, callers, SECRET, proposal, Reachability()))
        for text, sentence in wrong.items():
            pasted.put_nowait(text)
            heard = await said.get()
            assert sentence in heard
            assert str(words.PASTE_AGAIN) in heard
        assert called == []
        pasted.put_nowait(answer)
        assert await said.get() == str(words.CALLING_BACK)
        await asyncio.sleep(0)
        assert len(called) == 1
        calling.cancel()
        await callers.close()
        await listener.close()

    asyncio.run(asyncio.wait_for(run(), 60))


@pytest.mark.parametrize(("mine", "answer"), [(EASY, True), (EASY, False), (HARD, None)])
def test_the_side_that_would_try_many_ports_asks_its_person_once(mine: Seen, answer: bool | None) -> None:
    async def run() -> None:
        questions: list[bool | None] = []

        async def ask() -> bool:
            questions.append(answer)
            return bool(answer)

        ways = Reachability()
        ways.seen, ways.ask_search = mine, ask
        place = PeerEndpoint(PIN, NOWHERE, elsewhere(HARD if mine is EASY else EASY))
        for _ in range(2):
            await ways.prepare(place)
        assert (ways.may_search, questions) == (answer, [] if answer is None else [answer])

    asyncio.run(run())
