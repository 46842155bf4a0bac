"""Asking a router: honest and hostile ones on the loopback, over real sockets."""

from __future__ import annotations

import asyncio
import socket
import struct
from collections.abc import Awaitable, Callable
from contextlib import suppress
from functools import partial
from itertools import count
from pathlib import Path

import pytest
from helpers_reach import Clock, fake_page, fake_router, page

from protocol.reach import ReachError, datagrams, routers, surroundings
from protocol.reach.formats import igd, ssdp
from protocol.reach.formats.outcome import Mapped
from protocol.reach.formats.ssdp import Location
from protocol.reach.routers import LEASE, Leftover, Leftovers, NatPmp, Pcp, Upnp
from protocol.record.files import change_file

HERE = "127.0.0.1"
PORT = 47_331
OTHER = 47_332


def run(conversation: Callable[[], Awaitable[None]]) -> None:
    async def whole() -> None:
        async with asyncio.timeout(60):
            await conversation()

    asyncio.run(whole())


async def refused(waiting: Awaitable[object]) -> str:
    with pytest.raises(ReachError) as caught:
        await waiting
    assert caught.value.sentence.isprintable()
    return caught.value.code


# -- PCP --------------------------------------------------------------------------------------------------


def granted(question: bytes, address: str = "5.6.7.8", port: int = PORT, lease: int = LEASE, epoch: int = 99) -> bytes:
    packed = b"\0" * 10 + b"\xff\xff" + bytes(map(int, address.split(".")))
    return struct.pack(">BBBBII12x", 2, 0x81, 0, 0, lease, epoch) + question[24:42] + struct.pack(">H", port) + packed


def removed(question: bytes) -> bool:
    return question[4:8] == bytes(4)


def asking(port: int, **changes: float) -> Pcp:
    return Pcp(HERE, HERE, port=port, now=lambda: 0.0, seconds=changes.get("seconds", 5.0))


def test_pcp_opens_renews_and_removes_one_mapping() -> None:
    async def conversation() -> None:
        async with fake_router(lambda question: [granted(question)]) as router:
            pcp = asking(router.port)
            assert await pcp.open(PORT, PORT) == Mapped("5.6.7.8", PORT, LEASE)
            assert await pcp.open(PORT, PORT) == Mapped("5.6.7.8", PORT, LEASE)
            await pcp.close()
            await pcp.close()
            assert len({question[24:36] for question in router.asked}) == 1
            assert [removed(question) for question in router.asked] == [False, False, True]

    run(conversation)


@pytest.mark.parametrize(
    ("address", "code"),
    [
        ("100.64.0.9", "shared"),
        ("10.0.0.9", "private"),
        ("0.0.0.0", "empty"),
        ("192.0.0.2", "reserved"),
        ("127.0.0.1", "reserved"),
    ],
)
def test_a_mapping_without_a_public_address_is_named_and_removed(address: str, code: str) -> None:
    async def conversation() -> None:
        async with fake_router(lambda question: [granted(question, address)]) as router:
            assert await refused(asking(router.port).open(PORT, PORT)) == code
            assert removed(router.asked[-1])

    run(conversation)


def test_wrong_answers_are_passed_over_and_the_right_one_is_taken() -> None:
    def reply(question: bytes) -> list[bytes]:
        nonce = bytes(12)
        wrong = question[:24] + nonce + question[36:]
        return [b"", b"\0" * 2_000, question, granted(wrong), granted(question)[:59], granted(question)]

    async def conversation() -> None:
        async with fake_router(reply) as router:
            assert (await asking(router.port).open(PORT, PORT)).port == PORT

    run(conversation)


def test_an_answer_from_another_port_is_not_heard() -> None:
    async def conversation() -> None:
        async with fake_router(lambda question: [granted(question)], elsewhere=True) as router:
            assert await refused(asking(router.port, seconds=0.05).open(PORT, PORT)) == "silent"

    run(conversation)


def test_a_lost_question_is_asked_again() -> None:
    lost = count()

    async def conversation() -> None:
        async with fake_router(lambda question: [granted(question)] if next(lost) else []) as router:
            assert (await asking(router.port).open(PORT, PORT)).port == PORT
            assert router.asked[0] == router.asked[1]

    datagrams_first, datagrams.FIRST = datagrams.FIRST, 0.01
    try:
        run(conversation)
    finally:
        datagrams.FIRST = datagrams_first


def test_a_flood_of_wrong_packets_ends_with_the_time() -> None:
    async def conversation() -> None:
        async with fake_router(lambda question: [bytes(60)] * 500) as router:
            assert await refused(asking(router.port, seconds=0.05).open(PORT, PORT)) == "silent"

    run(conversation)


def test_a_port_where_nobody_listens_is_known_at_once() -> None:
    async def conversation() -> None:
        async with fake_router(lambda question: []) as router:
            port = router.port
        await asyncio.sleep(0)
        with suppress(ReachError):
            # Not every system tells; but none says that there is a mapping.
            await asking(port, seconds=0.2).open(PORT, PORT)
            raise AssertionError("expected no mapping")

    run(conversation)


def test_a_removal_that_is_refused_lets_the_mapping_end_soon() -> None:
    def reply(question: bytes) -> list[bytes]:
        answer = granted(question)
        return [answer[:3] + b"\x02" + answer[4:]] if removed(question) else [answer]

    async def conversation() -> None:
        async with fake_router(reply) as router:
            pcp = asking(router.port)
            await pcp.open(PORT, PORT)
            assert await refused(pcp.close()) == "refused"
            assert [int.from_bytes(question[4:8], "big") for question in router.asked] == [LEASE, 0, 1]

    run(conversation)


def test_an_epoch_that_begins_anew_is_told_with_the_renewal() -> None:
    epochs = iter([5_000, 5_600, 3])
    clock = Clock()

    async def conversation() -> None:
        async with fake_router(lambda question: [granted(question, epoch=next(epochs))]) as router:
            pcp = Pcp(HERE, HERE, port=router.port, now=lambda: clock.now)
            found = []
            for _ in range(3):
                found.append((await pcp.open(PORT, PORT)).restarted)
                clock.now += 600
            assert found == [False, False, True]

    run(conversation)


# -- NAT-PMP ----------------------------------------------------------------------------------------------


def pmp(question: bytes, address: bytes = b"\x05\x06\x07\x08", port: int = PORT) -> bytes:
    if question == b"\0\0":
        return struct.pack(">BBHI", 0, 128, 0, 7) + address
    _, _, _, internal, _, lifetime = struct.unpack(">BBHHHI", question)
    return struct.pack(">BBHIHHI", 0, 130, 0, 7, internal, port if lifetime else 0, lifetime)


def test_nat_pmp_opens_and_removes() -> None:
    async def conversation() -> None:
        async with fake_router(lambda question: [pmp(question, port=PORT + 1)]) as router:
            way = NatPmp(HERE, HERE, port=router.port, now=lambda: 0.0)
            assert await way.open(PORT, PORT) == Mapped("5.6.7.8", PORT + 1, LEASE)
            await way.close()
            assert router.asked[-1] == struct.pack(">BBHHHI", 0, 2, 0, PORT, 0, 0)

    run(conversation)


def test_nat_pmp_opens_nothing_where_the_address_is_a_shared_one() -> None:
    async def conversation() -> None:
        async with fake_router(lambda question: [pmp(question, bytes((100, 72, 3, 9)))]) as router:
            way = NatPmp(HERE, HERE, port=router.port, now=lambda: 0.0)
            assert await refused(way.open(PORT, PORT)) == "shared"
            assert router.asked == [b"\0\0"]

    run(conversation)


# -- UPnP -------------------------------------------------------------------------------------------------

KIND = "urn:schemas-upnp-org:service:WANIPConnection:{}"


class Box:
    """A UPnP router: what it answers to each action, and what it was asked."""

    def __init__(self, version: int = 1, address: str = "5.6.7.8", **faults: list[int]) -> None:
        self.version, self.address, self.faults = version, address, faults
        self.asked: list[tuple[str, bytes]] = []
        self.control = "/ctl"
        self.entry = ""

    def __call__(self, request: bytes) -> bytes:
        if request.startswith(b"GET"):
            kind = KIND.format(self.version)
            return page(
                f"<root><service><serviceType>{kind}</serviceType><controlURL>{self.control}</controlURL></service></root>"
            )
        name = request.split(b'SOAPAction: "')[1].split(b'"')[0].decode().split("#")[1]
        self.asked.append((name, request))
        if self.faults.get(name):
            return page(f"<e><errorCode>{self.faults[name].pop(0)}</errorCode></e>", 500)
        inner = {
            "GetExternalIPAddress": f"<NewExternalIPAddress>{self.address}</NewExternalIPAddress>",
            "AddAnyPortMapping": "<NewReservedPort>50000</NewReservedPort>",
            "GetSpecificPortMappingEntry": self.entry,
        }.get(name, "")
        return page(f"<e><{name}Response>{inner}</{name}Response></e>")

    @property
    def names(self) -> list[str]:
        return [name for name, _ in self.asked]


def with_box(box: Box, conversation: Callable[[Upnp], Awaitable[None]], leftovers: Leftovers | None = None) -> None:
    async def whole() -> None:
        async with fake_page(box) as port:
            (upnp, *_) = await routers.describe(Location(HERE, port, "/"), HERE, leftovers)
            await conversation(upnp)

    run(whole)


def test_upnp_asks_for_the_address_first_then_opens_and_removes() -> None:
    box = Box()

    async def conversation(upnp: Upnp) -> None:
        assert await upnp.open(PORT, PORT) == Mapped("5.6.7.8", PORT, LEASE)
        await upnp.close()
        await upnp.close()

    with_box(box, conversation)
    assert box.names == ["GetExternalIPAddress", "AddPortMapping", "DeletePortMapping"]
    assert f"<NewLeaseDuration>{LEASE}</NewLeaseDuration>".encode() in box.asked[1][1]


@pytest.mark.parametrize(
    ("address", "code"),
    [
        ("", "empty"),
        ("0.0.0.0", "empty"),
        ("100.127.255.1", "shared"),
        ("192.168.178.2", "private"),
        ("example.org", "empty"),
    ],
)
def test_upnp_that_would_say_mapped_without_a_public_address_is_not_asked_to(address: str, code: str) -> None:
    box = Box(address=address)

    async def conversation(upnp: Upnp) -> None:
        assert await refused(upnp.open(PORT, PORT)) == code

    with_box(box, conversation)
    assert box.names == ["GetExternalIPAddress"]


def test_upnp_without_leases_gets_a_mapping_without_end() -> None:
    box = Box(AddPortMapping=[igd.ONLY_PERMANENT])

    async def conversation(upnp: Upnp) -> None:
        assert (await upnp.open(PORT, PORT)).lease == routers.LONGEST

    with_box(box, conversation)
    assert b"<NewLeaseDuration>0</NewLeaseDuration>" in box.asked[-1][1]


def test_upnp_of_the_second_version_chooses_another_port_when_ours_is_taken() -> None:
    box = Box(version=2, AddPortMapping=[igd.CONFLICT])

    async def conversation(upnp: Upnp) -> None:
        assert (await upnp.open(PORT, PORT)).port == 50_000
        await upnp.close()

    with_box(box, conversation)
    assert box.names[-2:] == ["AddAnyPortMapping", "DeletePortMapping"]
    assert b"<NewExternalPort>50000<" in box.asked[-1][1]


@pytest.mark.parametrize("number", [igd.CONFLICT, 606, 501])
def test_upnp_that_refuses_is_told_with_its_number(number: int) -> None:
    async def conversation(upnp: Upnp) -> None:
        with pytest.raises(igd.RouterFault) as fault:
            await upnp.open(PORT, PORT)
        assert fault.value.number == number

    with_box(Box(AddPortMapping=[number]), conversation)


def test_a_description_that_points_to_another_machine_is_refused() -> None:
    box = Box()
    box.control = "http://192.168.1.66/ctl"

    async def conversation() -> None:
        async with fake_page(box) as port:
            assert await refused(routers.describe(Location(HERE, port, "/"), HERE)) == "elsewhere"

    run(conversation)
    assert box.asked == []


@pytest.mark.parametrize(
    ("answer", "code"),
    [
        (b"HTTP/1.1 302 Found\r\nLocation: http://192.168.1.66/\r\nContent-Length: 0\r\n\r\n", "malformed"),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 70000\r\n\r\n", "oversized"),
        (b"HTTP/1.1 200 OK\r\n\r\n" + b" " * 300_000, "oversized"),
        (b"HTTP/1.1 200 OK\r\n\r\n<!DOCTYPE x [<!ENTITY y 'z'>]><x>&y;</x>", "malformed"),
        (b"", "malformed"),
        (b"\x16\x03\x01\x02\x00", "malformed"),
    ],
)
def test_a_hostile_page_is_refused(answer: bytes, code: str) -> None:
    async def conversation() -> None:
        async with fake_page(lambda request: answer) as port:
            assert await refused(routers.describe(Location(HERE, port, "/"), HERE)) == code

    run(conversation)


# -- the search -------------------------------------------------------------------------------------------


def test_the_search_finds_the_router_and_passes_over_whoever_points_elsewhere() -> None:
    def reply(question: bytes) -> list[bytes]:
        assert question in map(ssdp.request, ssdp.TARGETS)
        return [
            f"HTTP/1.1 200 OK\r\nLOCATION: http://{host}:5000/d.xml\r\n\r\n".encode()
            for host in ("192.168.1.66", "example.org", HERE)
        ]

    async def conversation() -> None:
        async with fake_router(reply) as router:
            found = await routers.search(HERE, HERE, group=(HERE, router.port), seconds=5.0)
            assert found == (Location(HERE, 5_000, "/d.xml"),)

    run(conversation)


def test_the_search_ends_with_the_time_when_nobody_answers() -> None:
    async def conversation() -> None:
        async with fake_router(lambda question: []) as router:
            assert await routers.search(HERE, None, group=(HERE, router.port), seconds=0.05) == ()
            assert len(router.asked) == len(ssdp.TARGETS)

    run(conversation)


def test_the_search_is_short_where_the_known_router_has_no_listener(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(routers, "_REFUSED_SECONDS", 0.01)

    async def conversation() -> None:
        async with fake_router(lambda question: []) as router:
            port = router.port
        # Without the refusal this would last longer than the test may.
        assert await routers.search(HERE, HERE, group=(HERE, port), seconds=60.0) == ()

    run(conversation)


# -- a port that a crash has left open --------------------------------------------------------------------


def kept_in(path: Path) -> Leftovers:
    return Leftovers(partial(change_file, path))


def left_open(path: Path, port: int, *, version: int = 1) -> Leftovers:
    """Return what a program leaves that has opened a port of a router without leases and was killed."""
    faults = [igd.ONLY_PERMANENT, *([igd.CONFLICT] if version == 2 else [])]

    async def conversation(upnp: Upnp) -> None:
        await upnp.open(port, port)

    with_box(Box(version, AddPortMapping=faults), conversation, kept_in(path))
    return kept_in(path)


async def opens(upnp: Upnp) -> None:
    await upnp.open(PORT, PORT)


@pytest.fixture
def nobody_listens(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(surroundings, "is_free", lambda port: True)


def entry(port: int, client: str = HERE) -> str:
    return f"<NewInternalPort>{port}</NewInternalPort><NewInternalClient>{client}</NewInternalClient>"


@pytest.mark.usefixtures("nobody_listens")
def test_a_port_without_end_that_a_killed_program_has_left_open_is_closed_at_the_next_start(tmp_path: Path) -> None:
    leftovers, box = left_open(tmp_path / "ports.json", OTHER), Box()
    assert leftovers.read() == [Leftover(HERE, HERE, OTHER, OTHER)]
    box.entry = entry(OTHER)
    with_box(box, opens, leftovers)
    assert box.names == ["GetExternalIPAddress", "GetSpecificPortMappingEntry", "DeletePortMapping", "AddPortMapping"]
    assert f"<NewExternalPort>{OTHER}<".encode() in box.asked[2][1]
    assert leftovers.read() == []


def test_a_port_without_end_is_kept_before_the_router_has_opened_it(tmp_path: Path) -> None:
    leftovers, kept = kept_in(tmp_path / "ports.json"), []

    class Watched(Box):
        def __call__(self, request: bytes) -> bytes:
            kept.append(len(leftovers.read()))
            return super().__call__(request)

    with_box(Watched(AddPortMapping=[igd.ONLY_PERMANENT]), opens, leftovers)
    # The description, the address, with a lease, and without one.
    assert kept == [0, 0, 0, 1]


def test_the_port_that_a_router_chose_is_kept_and_a_closed_one_is_not(tmp_path: Path) -> None:
    leftovers = left_open(tmp_path / "any.json", PORT, version=2)
    assert Leftover(HERE, HERE, PORT, 50_000) in leftovers.read()

    async def conversation(upnp: Upnp) -> None:
        await upnp.open(PORT, PORT)
        await upnp.close()

    with_box(Box(AddPortMapping=[igd.ONLY_PERMANENT]), conversation, leftovers := kept_in(tmp_path / "closed.json"))
    assert leftovers.read() == []


def test_a_port_that_another_program_of_this_home_has_open_is_left_alone(tmp_path: Path) -> None:
    with socket.create_server((HERE, 0)) as waiting:
        port = int(waiting.getsockname()[1])
        leftovers, box = left_open(tmp_path / "ports.json", port), Box()
        box.entry = entry(port)
        with_box(box, opens, leftovers)
        assert box.names == ["GetExternalIPAddress", "AddPortMapping"]
        assert len(leftovers.read()) == 1


@pytest.mark.usefixtures("nobody_listens")
def test_a_port_that_leads_to_another_machine_is_left_alone(tmp_path: Path) -> None:
    leftovers, box = kept_in(tmp_path / "ports.json"), Box()
    leftovers.keep(Leftover(HERE, "192.0.2.7", OTHER, OTHER))
    box.entry = entry(OTHER, "192.0.2.7")
    with_box(box, opens, leftovers)
    assert box.names == ["GetExternalIPAddress", "AddPortMapping"]
    assert len(leftovers.read()) == 1


def test_a_port_without_end_is_renewed_without_being_closed_in_between(tmp_path: Path) -> None:
    box = Box()

    async def conversation(upnp: Upnp) -> None:
        for _ in range(2):
            box.faults["AddPortMapping"] = [igd.ONLY_PERMANENT]
            await upnp.open(PORT, PORT)

    with_box(box, conversation, leftovers := kept_in(tmp_path / "ports.json"))
    assert box.names == ["GetExternalIPAddress", "AddPortMapping", "AddPortMapping"] * 2
    assert leftovers.read() == [Leftover(HERE, HERE, PORT, PORT)]


def test_whoever_resumes_at_the_port_of_a_killed_program_closes_what_it_has_left_open(tmp_path: Path) -> None:
    with socket.create_server((HERE, 0)) as ours:
        port, box = int(ours.getsockname()[1]), Box()
        box.entry = entry(port)

        async def conversation(upnp: Upnp) -> None:
            await upnp.open(port, port)

        with_box(box, conversation, leftovers := left_open(tmp_path / "ports.json", port))
    assert box.names[-2:] == ["DeletePortMapping", "AddPortMapping"]
    assert leftovers.read() == []


@pytest.mark.usefixtures("nobody_listens")
@pytest.mark.parametrize("fault", [[], [714]])
def test_a_port_outside_that_leads_elsewhere_by_now_is_not_closed_but_forgotten(
    fault: list[int], tmp_path: Path
) -> None:
    leftovers, box = left_open(tmp_path / "ports.json", OTHER), Box(GetSpecificPortMappingEntry=fault)
    box.entry = entry(OTHER, "192.168.1.66")
    with_box(box, opens, leftovers)
    assert "DeletePortMapping" not in box.names
    assert leftovers.read() == []


@pytest.mark.usefixtures("nobody_listens")
def test_a_port_of_another_router_is_remembered_until_that_one_is_asked(tmp_path: Path) -> None:
    leftovers, box = kept_in(tmp_path / "ports.json"), Box()
    leftovers.keep(Leftover("192.168.1.1", HERE, OTHER, OTHER))
    with_box(box, opens, leftovers)
    assert box.names == ["GetExternalIPAddress", "AddPortMapping"]
    assert len(leftovers.read()) == 1


@pytest.mark.parametrize(
    "data", [b"", b"{", b"7", b'[["a"]]', b'[[1, 2, "x", 4]]', b"[[1, 2, 1e999, 4]]", b"[" * 100_000]
)
def test_a_damaged_list_of_ports_is_an_empty_one_and_is_written_anew(data: bytes, tmp_path: Path) -> None:
    leftovers = kept_in(tmp_path / "ports.json")
    (tmp_path / "ports.json").write_bytes(data)
    assert leftovers.read() == []
    leftovers.keep(one := Leftover(HERE, HERE, 1, 2))
    assert leftovers.read() == [one]
