"""Two sides with real sockets on the loopback."""

from __future__ import annotations

import asyncio
import errno
import random
import socket
import sys
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

import pytest
from helpers_reach import fake_router

from protocol.reach import ReachError, knocking
from protocol.reach.formats import outside
from protocol.reach.formats.addresses import AddressKind
from protocol.reach.formats.outside import Nature, Seen
from protocol.reach.punching import Puncher
from protocol.reach.tube import CALLS

SECRET = bytes(range(16))


@dataclass
class Pair:
    """Two sides on the loopback, and the calls that the host has got."""

    host: Puncher
    guest: Puncher
    calls: asyncio.Queue[socket.socket]

    async def meet(self) -> None:
        self.host.knock([("127.0.0.1", self.guest.port)])
        self.guest.knock([("127.0.0.1", self.host.port)], waits=True)
        await asyncio.gather(self.host.meet(), self.guest.meet())


@asynccontextmanager
async def pair(bind: str = "127.0.0.1") -> AsyncIterator[Pair]:
    calls: asyncio.Queue[socket.socket] = asyncio.Queue()
    sides = [
        Puncher(0, SECRET, is_host=is_host, take=calls.put_nowait, binds=[bind], chance=random.Random(is_host))
        for is_host in (True, False)
    ]
    try:
        for side in sides:
            await side.start()
        yield Pair(sides[0], sides[1], calls)
    finally:
        await asyncio.gather(*(side.close() for side in sides))


async def read_all(one: socket.socket) -> bytes:
    found = b""
    while more := await asyncio.get_running_loop().sock_recv(one, 65_536):
        found += more
    return found


async def send_all(one: socket.socket, data: bytes) -> None:
    await asyncio.get_running_loop().sock_sendall(one, data)
    one.shutdown(socket.SHUT_WR)


@pytest.mark.parametrize("bind", ["127.0.0.1", "::1"])
def test_two_sides_meet_and_bytes_go_both_ways(bind: str) -> None:
    async def run() -> None:
        async with pair(bind) as both:
            both.host.knock([(bind, both.guest.port)])
            way = await both.guest.meet()
            assert way.to == (bind, both.host.port)
            data = random.Random(1).randbytes(300_000)
            with both.guest.open_call() as mine:
                sending = asyncio.create_task(send_all(mine, data))
                with await both.calls.get() as theirs:
                    found = await asyncio.gather(
                        read_all(theirs), send_all(theirs, data[::-1]), read_all(mine), sending
                    )
            assert found[0] == data
            assert found[2] == data[::-1]

    asyncio.run(run())


def test_a_call_that_is_opened_before_there_is_a_way_waits_for_it() -> None:
    async def run() -> None:
        async with pair() as both:
            with both.guest.open_call() as mine:
                await send_all(mine, b"hello")
                await both.meet()
                with await both.calls.get() as theirs:
                    assert await read_all(theirs) == b"hello"

    asyncio.run(run())


def test_whoever_closes_both_ends_at_once_ends_the_call_for_the_other() -> None:
    async def run() -> None:
        async with pair() as both:
            await both.meet()
            loop = asyncio.get_running_loop()
            with both.guest.open_call() as mine:
                await loop.sock_sendall(mine, b"hello")
                theirs = await both.calls.get()
                theirs.close()
                # What nobody reads any more is taken all the same.
                await send_all(mine, bytes(600_000))
                assert await read_all(mine) == b""

    asyncio.run(run())


def test_eight_calls_are_open_at_once_and_closing_ends_them() -> None:
    async def run() -> None:
        async with pair() as both:
            await both.meet()
            loop = asyncio.get_running_loop()
            mine = [both.guest.open_call() for _ in range(CALLS)]
            with pytest.raises(ReachError):
                both.guest.open_call()
            for one in mine:
                await loop.sock_sendall(one, b"x")
            theirs = [await both.calls.get() for _ in mine]
            await both.guest.close()
            for one in theirs:
                assert await read_all(one) == b"x"
            for one in (*mine, *theirs):
                one.close()

    asyncio.run(run())


def test_a_program_without_a_file_left_hears_the_next_call(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse() -> tuple[socket.socket, socket.socket]:
        raise OSError(errno.EMFILE, "too many open files")

    async def run() -> None:
        async with pair() as both:
            await both.meet()
            pairs = [socket.socketpair()]
            with monkeypatch.context() as patch, pairs[0][0], pairs[0][1]:
                patch.setattr(socket, "socketpair", lambda: pairs.pop() if pairs else refuse())
                with both.guest.open_call() as mine:
                    await send_all(mine, b"first")
                    assert await read_all(mine) == b""
                with pytest.raises(ReachError, match="room for another call"):
                    both.guest.open_call()
            with both.guest.open_call() as mine:
                await send_all(mine, b"second")
                with await both.calls.get() as theirs:
                    assert await read_all(theirs) == b"second"

    asyncio.run(asyncio.wait_for(run(), 20))


def test_strangers_get_silence() -> None:
    async def run() -> None:
        async with pair() as both:
            with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as stranger:
                stranger.setblocking(False)
                stranger.bind(("127.0.0.1", 0))
                for data in (b"", b"\x8d" * 26, b"\xd0" * 40, b"\x01\x01" * 30, bytes(3_000)):
                    stranger.sendto(data, ("127.0.0.1", both.host.port))
                await both.meet()
                with pytest.raises(BlockingIOError):
                    stranger.recv(100)
            assert both.calls.empty()

    asyncio.run(run())


def test_a_search_opens_sockets_and_keeps_the_one_that_was_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(knocking, "SOCKETS", 4)
    for module in (knocking, outside):
        monkeypatch.setattr(module, "classify", lambda address: AddressKind.PUBLIC)

    async def run() -> None:
        async with pair() as both:
            place = ("127.0.0.1", both.guest.port)
            both.host.knock([], mine=Nature.HARD, theirs=Seen((place,), Nature.EASY))
            way = await both.host.meet()
            assert way.to == place
            assert way.socket > knocking.IPV6
            await both.guest.meet()
            with both.guest.open_call() as mine:
                await send_all(mine, b"hello")
                with await both.calls.get() as theirs:
                    assert await read_all(theirs) == b"hello"

    asyncio.run(run())


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such limit")
def test_a_search_has_room_for_its_sockets_and_the_call_on_a_system_that_allows_few(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    import resource

    for module in (knocking, outside):
        monkeypatch.setattr(module, "classify", lambda address: AddressKind.PUBLIC)

    async def run() -> None:
        async with pair() as both:
            with socket.socket() as last:
                resource.setrlimit(resource.RLIMIT_NOFILE, (last.fileno() + 40, hard))
            # Nobody answers there.
            place = Seen((("127.0.0.1", 9),), Nature.EASY)
            both.host.knock([], mine=Nature.HARD, theirs=place)
            async with asyncio.timeout(20):
                while len(both.host._sockets) < knocking.SOCKETS + 1:
                    await asyncio.sleep(0.02)
            with socket.socket() as one:
                assert one.fileno() >= knocking.SOCKETS

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    try:
        asyncio.run(run())
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def test_a_secret_that_is_taken_alone_ends_what_was_begun_with_the_one_before() -> None:
    async def run() -> None:
        async with pair() as both:
            await both.meet()
            loop, fresh = asyncio.get_running_loop(), SECRET[::-1]
            with both.guest.open_call() as mine:
                await loop.sock_sendall(mine, b"x")
                with await both.calls.get() as theirs:
                    both.host.admit(fresh, alone=True)
                    assert await read_all(theirs) == b"x"
            assert both.host.knocker.way is None
            friend = Puncher(0, fresh, is_host=False, take=lambda call: None, binds=["127.0.0.1"])
            try:
                await friend.start()
                with both.guest.open_call() as late:
                    await loop.sock_sendall(late, b"late")
                    both.host.knock([("127.0.0.1", friend.port)])
                    way = await both.host.meet()
                    assert way.to == ("127.0.0.1", friend.port)
                    with friend.open_call() as theirs:
                        await send_all(theirs, b"hello")
                        with await both.calls.get() as found:
                            assert await loop.sock_recv(found, 100) == b"hello"
                # What came from the guest before it opened nothing.
                assert both.calls.empty()
            finally:
                await friend.close()

    asyncio.run(run())


def test_who_has_slept_does_not_trust_the_way_of_before() -> None:
    async def run() -> None:
        slept = [0.0]
        take: list[socket.socket] = []
        sides = [
            Puncher(
                0, SECRET, is_host=is_host, take=take.append, binds=["127.0.0.1"], wall=lambda: time.time() + slept[0]
            )
            for is_host in (True, False)
        ]
        try:
            for side, other in zip(sides, reversed(sides), strict=True):
                await side.start()
                side.knock([("127.0.0.1", other.port)])
            before = [await side.meet() for side in sides]
            slept[0] = 3_600.0
            for side, other in zip(sides, reversed(sides), strict=True):
                side.knock([("127.0.0.1", other.port)])
            after = [await side.meet() for side in sides]
            assert all(one.since < other.since - 3_599 for one, other in zip(before, after, strict=True))
        finally:
            await asyncio.gather(*(side.close() for side in sides))

    asyncio.run(run())


def test_a_call_goes_on_as_soon_as_the_way_carries_something_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(knocking, "_URGENT", 0.05)

    async def run() -> None:
        async with pair() as both:
            await both.meet()
            with both.guest.open_call() as mine:
                await asyncio.get_running_loop().sock_sendall(mine, b"1")
                with await both.calls.get() as theirs:
                    assert await asyncio.get_running_loop().sock_recv(theirs, 9) == b"1"
                    # A router lets nothing through for a while, the way is in doubt, and what is written is lost.
                    silent = pytest.MonkeyPatch()
                    silent.setattr(both.guest, "_send", lambda one: None)
                    await asyncio.get_running_loop().sock_sendall(mine, b"2")
                    async with asyncio.timeout(10):
                        while both.guest.answers:
                            await asyncio.sleep(0.02)
                    silent.undo()
                    hurried: list[float] = []
                    monkeypatch.setattr(both.guest._calls, "hurry", hurried.append)
                    async with asyncio.timeout(10):
                        while not hurried:
                            await asyncio.sleep(0.02)
                    assert await asyncio.get_running_loop().sock_recv(theirs, 9) == b"2"

    asyncio.run(run())


def test_servers_are_asked_from_the_socket_that_others_shall_reach() -> None:
    async def run() -> None:
        seen: list[bytes] = []

        def answer(request: bytes) -> list[bytes]:
            seen.append(request)
            return [b"\x01\x01\x00\x0c" + request[4:20] + b"\x00\x01\x00\x08\0\x01\0\7\5\6\7\x08"]

        async with fake_router(answer) as one, fake_router(answer) as other:
            puncher = Puncher(0, SECRET, is_host=True, take=lambda call: None, binds=["127.0.0.1"])
            try:
                found = await puncher.start([("127.0.0.1", one.port), ("127.0.0.1", other.port)])
            finally:
                await puncher.close()
        assert found == Seen((("5.6.7.8", 7),), Nature.EASY)
        assert set(puncher.knocker.seen.values()) == {("5.6.7.8", 7)}

    asyncio.run(run())


def test_a_port_of_another_program_is_refused() -> None:
    async def run() -> None:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as other:
            other.bind(("127.0.0.1", 0))
            port = other.getsockname()[1]
            with pytest.raises(OSError, match="in use"):
                Puncher(port, SECRET, is_host=True, take=lambda call: None, binds=["127.0.0.1"])

    asyncio.run(run())
