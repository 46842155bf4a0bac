"""The doctor and how a host is reached, with a network that a test has thought of."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from helpers_reach import ScriptedRouter

from cli.app import doctor, host, join, resume
from cli.app.launch.proposal import PlayerOptions
from cli.app.main import main
from cli.meeting import reachability
from cli.meeting.lines import begin
from cli.meeting.reachability import Listening, LocalEndpoint, OnNotice, Reachability
from cli.meeting.rendezvous import Rendezvous, open_beside
from cli.notices import NetworkChanged, PortAsked, PortChanged, ReachNotice
from cli.runtime.console import Exit
from cli.storage.home import Home
from cli.text import joining as joining_text
from protocol.reach import ReachError, hops, invite, mapping, onion, seen, socks, surroundings
from protocol.reach.formats.candidates import Candidate, Way
from protocol.reach.formats.outcome import Attempt, Mapped
from protocol.reach.formats.outside import Nature, Seen
from protocol.reach.formats.ssdp import Location
from protocol.reach.invite import Invite
from protocol.reach.mapping import try_ways
from protocol.reach.routers import Leftover, Leftovers
from protocol.record.files import change_file
from protocol.transport import TransportError
from protocol.transport.certificate import Certificate
from protocol.transport.listening import Listener, serve
from storm_p2p.storm.game import Storm

OPEN = Mapped("5.6.7.8", 47_331, 1_200)
SILENT = ReachError("silent", "expected an answer, got none")
SIX = "2a00:77:1::2"


@asynccontextmanager
async def opened(on_notice: OnNotice, *wanted: Any) -> AsyncIterator[Reachability]:
    ways = Reachability(*wanted)
    ways.on_notice = on_notice
    try:
        yield ways
    finally:
        await ways.close()


class World:
    """A machine at home, its router and its tor."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.own: tuple[str, ...] = ("192.168.1.20", SIX)
        self.mapped: list[Mapped | ReachError] = [OPEN]
        self.behind: str | None = None
        self.router = ScriptedRouter([], name="PCP")
        self.asked = 0
        monkeypatch.setattr(surroundings, "find_own_addresses", self._own)
        monkeypatch.setattr(surroundings, "find_router", self._router)
        monkeypatch.setattr(mapping, "try_ways", self._ways)
        monkeypatch.setattr(mapping, "open_pinhole", self._pinhole)
        monkeypatch.setattr(onion, "open_onion", self._onion)
        monkeypatch.setattr(surroundings, "is_own", lambda address: True)
        monkeypatch.setattr(hops, "trace_hop", self._behind)
        monkeypatch.setattr(socks, "is_listening", self._listens)
        monkeypatch.setattr(doctor, "serve", self._serve)
        monkeypatch.setattr(doctor, "SERVERS", ())
        monkeypatch.setattr(doctor, "open_beside", self._beside)

    async def _own(self) -> tuple[str, ...]:
        return self.own

    async def _router(self, version: int) -> str:
        return {4: "192.168.1.1", 6: "fe80::1%eth0"}[version]

    async def _behind(self, client: str | None) -> str | None:
        return self.behind

    async def _listens(self) -> bool:
        return False

    async def _serve(self, bind: str | None, port: int, certificate: Certificate, secret: bytes) -> Listener:
        return await serve("127.0.0.1", port, certificate, secret)

    def _beside(self, listener: Listener, secret: bytes, binds: Any, *, is_host: bool) -> Rendezvous | None:
        return open_beside(listener, secret, ("127.0.0.1",), is_host=is_host)

    async def _ways(
        self, place: Any, port: int, *, every: bool = False, leftovers: Any = None
    ) -> AsyncIterator[tuple[Any, Attempt]]:
        self.asked += 1
        for said in self.mapped:
            problem = said if isinstance(said, ReachError) else None
            mapped = said if isinstance(said, Mapped) else None
            yield (self.router if mapped else None), Attempt("PCP", mapped, problem, 0.007)

    async def _pinhole(self, place: Any, port: int) -> tuple[Any, Attempt]:
        return None, Attempt("PCP6", problem=ReachError("silent", "expected an answer, got none"))

    async def _onion(self, *arguments: Any) -> Any:
        raise ReachError("no-tor", "expected tor, got none")


@pytest.fixture
def world(monkeypatch: pytest.MonkeyPatch) -> World:
    return World(monkeypatch)


# -- the doctor -------------------------------------------------------------------------------------------


def test_the_doctor_names_what_works_closes_it_again_and_says_what_to_do(
    world: World, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["doctor"]) == Exit.FINE
    said = capsys.readouterr()
    assert said.out.startswith(f"  [ok]  rules            {Storm.version}\n")
    assert "PCP              opened at 5.6.7.8, port 47331, for 1200 s at a time; closed again (7 ms)" in said.out
    assert "There is nothing you need to do" in said.out
    assert "Asking the router for a port" in said.err
    assert world.router.closed == 1


def test_the_doctor_recognises_carrier_grade_nat_and_says_that_ports_cannot_help(
    world: World, capsys: pytest.CaptureFixture[str]
) -> None:
    world.own = ("192.168.1.20",)
    world.mapped = [ReachError("refused", "PCP result 8, no resources"), ReachError("empty", "expected one, got none")]
    world.behind = "100.72.0.1"
    assert main(["doctor"]) == Exit.NO_CONNECTION
    said = capsys.readouterr().out
    assert "100.72.0.1: an address that the provider shares" in said
    assert "[no]  internet, IPv4   your provider shares one address" in said
    assert said.index("Let your friend host") < said.index("Ask your provider")
    assert "Open Tor Browser on both machines" in said


def test_the_doctor_names_a_second_router_and_forwards_no_port_on_the_first_alone(
    world: World, capsys: pytest.CaptureFixture[str]
) -> None:
    world.own, world.behind = ("192.168.2.20",), "192.168.1.1"
    world.mapped = [ReachError("silent", "expected an answer, got none")]
    assert main(["doctor"]) == Exit.NO_CONNECTION
    said = capsys.readouterr().out
    assert "[?]   beyond router    192.168.1.1: a private address" in said
    assert "[no]  internet, IPv4   there is a second router" in said
    assert "bridge mode" in said
    assert "forward one TCP port" not in said


def test_a_private_address_that_may_be_the_providers_is_doubtful_and_the_router_can_still_be_set(
    world: World, capsys: pytest.CaptureFixture[str]
) -> None:
    world.own, world.behind = ("192.168.2.20",), "10.3.0.1"
    world.mapped = [ReachError("silent", "expected an answer, got none")]
    assert main(["doctor"]) == Exit.NO_CONNECTION
    said = capsys.readouterr().out
    assert "[?]   beyond router    10.3.0.1: a private address: your provider's, or a second router" in said
    assert "forward one TCP port" in said


@pytest.mark.parametrize("beyond", ["10.3.0.1", "192.168.1.1", "100.72.0.1"])
def test_behind_a_router_that_has_opened_a_port_nothing_is_odd(
    world: World, beyond: str, capsys: pytest.CaptureFixture[str]
) -> None:
    world.behind = beyond
    assert main(["doctor"]) == Exit.FINE
    assert f"[ok]  beyond router    {beyond}: nothing odd" in capsys.readouterr().out


def test_the_doctor_in_lines_of_json_for_a_report_tells_no_address(
    world: World, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["doctor", "--json", "--report"]) == Exit.FINE
    out = capsys.readouterr().out
    lines = [json.loads(line) for line in out.splitlines()]
    assert lines[0] == {"event": "check", "name": "rules", "state": "ok", "text": Storm.version, "ms": None}
    assert {line["event"] for line in lines} == {"check", "candidate", "missing", "advice"}
    assert [line["way"] for line in lines if line["event"] == "candidate"] == ["mapped", "ipv6", "lan"]
    for address in ("5.6.7.8", "192.168.1", SIX, "fe80"):
        assert address not in out


def test_the_doctor_shows_the_onion_address_that_it_has_given_up_again(
    world: World, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    class Given:
        address = "x.onion"

        async def close(self) -> None:
            self.address = ""

    async def give(*arguments: Any) -> Given:
        return Given()

    monkeypatch.setattr(onion, "open_onion", give)
    assert main(["doctor"]) == Exit.FINE
    assert "Tor              x.onion, port" in capsys.readouterr().out


def test_the_doctor_asks_no_router_when_told_so(world: World, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["doctor", "--no-map"]) == Exit.FINE
    assert world.asked == 0
    assert "Leave out --no-map" in capsys.readouterr().out


def test_a_step_that_hangs_is_given_up_with_a_word(
    world: World, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    async def never(*arguments: Any) -> None:
        await asyncio.Event().wait()

    monkeypatch.setattr(onion, "open_onion", never)
    monkeypatch.setattr(doctor, "LONGEST", 0.01)
    assert main(["doctor"]) == Exit.FINE
    assert "Gave up" in capsys.readouterr().err


# -- how the doctor is seen from outside ---------------------------------------------------------------------

TOLD = (("5.1.1.2", 40_404), ("5.1.1.2", 40_405), ("5.9.9.9", 40_404))
SERVERS = ("198.51.100.1", "198.51.100.2")


@pytest.fixture
def silent(world: World) -> World:
    world.own, world.mapped = ("192.168.1.20",), [SILENT]
    return world


def ask_doctor(
    monkeypatch: pytest.MonkeyPatch, udp: list[tuple[str, int]], tcp: list[tuple[str, int]], *words: str
) -> Exit | int:
    """Run the doctor with two servers that see it there."""

    async def ask(*_: object) -> dict[Any, Any]:
        return {(server, 3478): place for server, place in zip(SERVERS, udp, strict=False)}

    async def by_tcp(*_: object) -> seen.Kept:
        return seen.Kept({(server, 3478): place for server, place in zip(SERVERS, tcp, strict=False)})

    monkeypatch.setattr(seen, "ask", ask)
    monkeypatch.setattr(seen, "ask_by_tcp", by_tcp)
    return main(["doctor", "--stun", "a.example:1", "--stun", "b.example:2", *words])


@pytest.mark.parametrize(
    ("udp", "tcp", "lines", "code"),
    [
        ([0, 0], [0, 0], ["[ok]  outside, UDP     5.1.1.2, port 40404, seen by 2 servers; the router keeps the port",
                          "[ok]  outside, TCP     meeting by TCP may work",
                          "[ok]  by knocking      seen from outside as 5.1.1.2, port 40404"], Exit.FINE),
        ([0, 1], [], ["[?]   outside, UDP     5.1.1.2, port 40404 / 5.1.1.2, port 40405; the router uses a different",
                      "[?]   outside, TCP     no two servers"], Exit.FINE),
        ([], [0, 0], ["[no]  outside, UDP     this machine gets no answers by UDP",
                      "[ok]  outside, TCP     meeting by TCP may work"], Exit.FINE),
        ([], [], [f"[?]   outside, UDP     {joining_text.NOT_SEEN.english}"], Exit.NO_CONNECTION),
        ([0], [], ["[?]   outside, UDP     5.1.1.2, port 40404, seen by one server"], Exit.NO_CONNECTION),
        ([0, 2], [], ["198.51.100.1 says 5.1.1.2, port 40404 and 198.51.100.2 says 5.9.9.9, port 40404"],
         Exit.NO_CONNECTION),
    ],
    ids=["easy", "hard", "no UDP", "nobody answers", "one answers", "two addresses"],
)  # fmt: skip
def test_the_doctor_says_how_hard_this_machine_is_to_meet(
    udp: list[int], tcp: list[int], lines: list[str], code: Exit, silent: World, monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    assert ask_doctor(monkeypatch, [TOLD[one] for one in udp], [TOLD[one] for one in tcp]) == code
    said = capsys.readouterr()
    for line in lines:
        assert line in said.out
    assert "Asked a.example and b.example: they learn this machine's address and the time" in said.err


def test_the_doctor_asks_no_server_when_told_so(silent: World, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["doctor", "--no-stun"]) == Exit.NO_CONNECTION
    said = capsys.readouterr()
    assert "outside, UDP" not in said.out
    assert "STUN" not in said.err


def test_the_doctor_in_lines_says_how_it_is_seen_but_not_for_a_report(
    silent: World, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    both = [TOLD[0]] * 2
    assert ask_doctor(monkeypatch, both, both, "--json") == Exit.FINE
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert {"event": "seen", "nature": "easy", "address": "5.1.1.2", "port": 40_404} in lines
    assert ask_doctor(monkeypatch, [TOLD[0], TOLD[2]], both, "--json", "--report") == Exit.FINE
    assert "5.1.1.2" not in capsys.readouterr().out


def test_a_udp_port_that_somebody_has_is_named(
    silent: World, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(doctor, "open_beside", lambda *_, is_host: None)
    ask_doctor(monkeypatch, [], [])
    assert "another program has UDP port" in capsys.readouterr().out


# -- how a host is reached ---------------------------------------------------------------------------------


def through(bind: str | None = None, **options: Any) -> tuple[Reachability, list[ReachNotice]]:
    told: list[ReachNotice] = []

    async def whole() -> Reachability:
        async with opened(told.append, Listening(**options)) as ways:
            await ways.open(47_331, bind)
        return ways

    return asyncio.run(whole()), told


def test_a_doorway_opens_tells_and_closes(world: World) -> None:
    ways, told = through()
    assert [one.way for one in ways.candidates] == [Way.MAPPED, Way.IPV6, Way.LAN]
    assert [one.way for one in ways.missing] == [Way.PINHOLE, Way.ONION]
    assert world.router.closed == 1
    assert told == [PortAsked(47_331)]


@pytest.mark.parametrize("bind", ["127.0.0.1", "::1", "localhost"])
def test_a_doorway_to_this_machine_alone_asks_nobody(world: World, bind: str) -> None:
    ways, told = through(bind)
    assert [(one.address, one.port) for one in ways.candidates] == [(bind, 47_331)]
    assert world.asked == 0
    assert told == []


def test_a_doorway_to_one_address_tells_no_other(world: World) -> None:
    ways, _ = through("192.168.1.20")
    assert [one.address for one in ways.candidates] == ["5.6.7.8", "192.168.1.20"]
    ways, _ = through("0.0.0.0")
    assert SIX not in [one.address for one in ways.candidates]


def test_a_doorway_asks_no_router_when_told_so_or_when_none_is_needed(world: World) -> None:
    ways, told = through(map=False)
    assert [one.problem.code for one in ways.missing if one.way is Way.MAPPED] == ["not-asked"]
    assert told == []
    world.own = ("5.6.7.9",)
    assert [one.way for one in through()[0].candidates] == [Way.IPV4]
    assert world.asked == 0


@pytest.mark.parametrize("code", ["silent", "closed", "refused"])
def test_a_host_behind_carrier_grade_nat_hears_of_it_when_the_router_opens_nothing(world: World, code: str) -> None:
    world.mapped, world.behind = [ReachError(code, "expected a port, got none")], "100.72.0.1"
    assert [one.problem.code for one in through()[0].missing if one.way is Way.MAPPED] == ["shared"]


@pytest.mark.parametrize("command", [host, join, resume])
def test_whoever_is_killed_leaves_a_list_of_open_ports_in_the_home(
    command: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Asked(Exception):
        """The ways to this machine."""

    def stop(wanted: Listening, home: Home, **more: Any) -> None:
        raise Asked(home.ports_file)

    monkeypatch.setattr(command, "Reachability", stop)
    sent = Invite((("127.0.0.1", 4711),), bytes(16), bytes(16), bytes(16), int(time.time()) + 1000, bytes(16))
    words = ["join", invite.dump(sent)] if command is join else ["host"]

    def begin() -> None:
        if command is resume:
            resume.go_on("none", Home(tmp_path), PlayerOptions(), Listening(), None)
        main([*words, "--player", "bot:random", "--home", str(tmp_path)])

    with pytest.raises(Asked) as asked:
        begin()
    assert asked.value.args == (tmp_path / "ports.json",)


def test_the_ways_are_opened_with_the_list_of_ports_that_others_have_left_open(
    world: World, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    left = Leftover("192.168.1.1", "192.168.1.20", 1, 2)
    Leftovers(partial(change_file, tmp_path / "ports.json")).keep(left)

    async def search(*_: Any) -> tuple[Location, ...]:
        return (Location("192.168.1.1", 80, "/"),)

    async def describe(at: Location, client: str, given: Leftovers) -> tuple[ScriptedRouter, ...]:
        assert given.read() == [left]
        world.asked += 1
        return (world.router,)

    async def silent(router: Any, port: int, now: Any, name: str | None = None) -> Attempt:
        return Attempt("UPnP", OPEN) if router is world.router else Attempt("PCP", problem=SILENT)

    for name, replaced in (("try_ways", try_ways), ("search", search), ("describe", describe), ("try_router", silent)):
        monkeypatch.setattr(mapping, name, replaced)

    async def whole() -> None:
        async with opened(lambda text: None, Listening(), Home(tmp_path)) as ways:
            await ways.open(47_331)
            assert ways.candidates[0].way is Way.MAPPED

    asyncio.run(whole())
    assert world.asked == 1


def test_a_machine_without_a_network_still_has_itself(world: World) -> None:
    world.own = ()
    assert [one.address for one in through()[0].candidates] == ["127.0.0.1"]


def test_what_the_player_names_comes_before_what_the_match_has_kept(world: World) -> None:
    async def whole() -> None:
        kept = LocalEndpoint(Certificate.make(), bytes(16), "127.0.0.1", 0)
        places = (("192.0.2.7", 4711),)
        async with opened(lambda text: None, Listening("::1", announce=places)) as ways:
            endpoint, listener = await ways.listen(kept)
            await listener.close()
        assert (endpoint.bind, endpoint.port) == ("::1", listener.port)
        # Whoever says where the other finds him has opened the way himself.
        assert ways.places == places
        assert ways.candidates == ()

    asyncio.run(whole())


def test_a_match_whose_port_is_taken_gets_another_and_a_port_that_is_asked_for_is_refused(world: World) -> None:
    async def whole() -> None:
        first = LocalEndpoint(Certificate.make(), bytes(16), "127.0.0.1")
        async with opened(lambda text: None) as ways:
            taken, listener = await ways.listen(first)
            moved, other = await ways.listen(taken)
            assert moved.port not in (0, taken.port)
            with pytest.raises(TransportError) as refused:
                await Reachability(Listening(port=taken.port)).listen(first)
            assert refused.value.code == "port-in-use"
            for one in (listener, other):
                await one.close()

    asyncio.run(whole())


def test_whoever_has_agreed_on_a_match_tells_every_new_place(world: World) -> None:
    told: list[Any] = []
    seated: Any = SimpleNamespace(
        announce=lambda certificate, places, seen: told.append((places, seen)),
        begun_by_both=True,
        agreement=SimpleNamespace(match_id=bytes(32)),
    )
    kept: dict[str, bytes] = {}
    met: Any = SimpleNamespace(session=seated, journal=SimpleNamespace(keep=kept.__setitem__))

    async def whole() -> None:
        async with opened(lambda text: None) as ways:
            endpoint, listener = await ways.listen(LocalEndpoint(Certificate.make(), bytes(16), "127.0.0.1"))
            found = begin(met, endpoint, listener, None, ways)
            ways.candidates, ways.seen = (Candidate(Way.LAN, "192.0.2.7", 1),), Seen(nature=Nature.HARD)
            ways.moved()
            await found.close()
            # The journal is closed now.
            ways.moved()
        assert told == [([("127.0.0.1", endpoint.port)], b""), ([("192.0.2.7", 1)], b"\3\2")]
        # When the match goes on, it is known what to expect of the router.
        assert kept == {"seen": b"\3\2"}

    asyncio.run(whole())


def test_an_interrupt_while_the_match_is_awaited_closes_the_door(world: World) -> None:
    async def whole() -> None:
        opened = asyncio.Event()

        async def waits() -> None:
            ways = Reachability()
            try:
                await ways.open(47_331)
                opened.set()
                await asyncio.Event().wait()
            finally:
                await ways.close()

        waiting = asyncio.create_task(waits())
        await opened.wait()
        waiting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiting

    asyncio.run(whole())
    assert world.router.closed == 1


def test_news_of_the_router_go_to_whoever_fills_the_screen(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    kept: list[Any] = []

    class Known:
        def __init__(self, router: Any, mapped: Mapped, port: int, tell: Any) -> None:
            kept.append(tell)

        async def run(self) -> None:
            return None

        async def close(self) -> None:
            return None

    monkeypatch.setattr(reachability, "Keeper", Known)
    lost = ReachError("silent", "expected an answer, got none")
    before: list[ReachNotice] = []
    during: list[ReachNotice] = []

    async def whole() -> None:
        async with opened(before.append) as ways:
            await ways.open(47_331)
            ways.on_notice = during.append
            kept[0](lost)

    asyncio.run(whole())
    assert before == [PortAsked(47_331)]
    assert during == [PortChanged(lost)]


def test_a_machine_that_comes_into_another_network_opens_its_ways_there(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reachability, "LOOK", 0.0)
    monkeypatch.setattr(surroundings, "is_own", lambda address: address in world.own)
    told: list[ReachNotice] = []
    moved: list[Any] = []

    async def whole() -> None:
        async with opened(told.append) as ways:
            await ways.open(47_331)
            ways.moved = lambda: moved.append(ways.places)
            world.own = ()
            for _ in range(20):
                await asyncio.sleep(0)
            world.own = ("192.168.2.99",)
            async with asyncio.timeout(60):
                while [one.address for one in ways.candidates] != ["5.6.7.8", "192.168.2.99"]:
                    await asyncio.sleep(0)

    asyncio.run(whole())
    assert moved == [(("5.6.7.8", 47_331), ("192.168.2.99", 47_331))]
    assert told == [PortAsked(47_331), NetworkChanged(), PortAsked(47_331)]
    assert world.asked == 2
    assert world.router.closed == 2


def test_the_watch_goes_on_though_no_line_can_carry_what_it_has_found(
    world: World, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(reachability, "LOOK", 0.0)
    monkeypatch.setattr(surroundings, "is_own", lambda address: address in world.own)
    moved: list[str] = []

    def tell(ways: Any) -> None:
        moved.append(ways.places[-1][0])
        raise TransportError("no-line", "expected addresses that fit into 255 bytes, got 270 in all")

    async def whole() -> None:
        async with opened(lambda notice: None) as ways:
            await ways.open(47_331)
            ways.moved = lambda: tell(ways)
            for number in (2, 3):
                world.own = (f"192.168.{number}.99",)
                async with asyncio.timeout(60):
                    while len(moved) < number - 1:
                        await asyncio.sleep(0)

    asyncio.run(whole())
    assert moved == ["192.168.2.99", "192.168.3.99"]
    assert capsys.readouterr().err.count("These addresses do not fit into a line") == 2
