"""STUN servers on the loopback: honest, silent, lying and flooding ones."""

from __future__ import annotations

import asyncio
import socket
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager

import pytest
from helpers_reach import fake_router

from protocol.reach import crossing, seen
from protocol.reach.formats.stun import Place


def told(request: bytes, port: int) -> bytes:
    """Return an answer that names 5.6.7.8 and a port."""
    return b"\x01\x01\x00\x0c" + request[4:20] + b"\x00\x01\x00\x08\0\x01" + port.to_bytes(2, "big") + b"\5\6\7\x08"


@contextmanager
def asking() -> Iterator[socket.socket]:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as found:
        found.setblocking(False)
        found.bind(("127.0.0.1", 0))
        yield found


def answers(request: bytes) -> list[bytes]:
    return [told(request, 7)]


def silence(request: bytes) -> list[bytes]:
    return []


def lies(request: bytes) -> list[bytes]:
    return [told(bytes(20), 7), b"\x01\x01" + bytes(2_000), b"", request]


def flood(request: bytes) -> list[bytes]:
    return [told(bytes(20), 7)] * 400


async def ask(*replies: Callable[[bytes], list[bytes]]) -> tuple[list[Place], list[Place]]:
    """Return what comes of asking servers that reply so, and where these are."""
    async with fake_router(replies[0]) as one, fake_router(replies[-1]) as other:
        places = [("127.0.0.1", one.port), ("localhost", other.port)]
        with asking() as socket_:
            found = await seen.ask(socket_, places[: len(replies)])
    return list(found.values()), [("127.0.0.1", one.port), ("127.0.0.1", other.port)]


def test_two_servers_say_what_they_have_seen_and_nobody_else_is_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(seen, "ALL_SECONDS", 100.0)

    async def run() -> None:
        async with fake_router(answers) as one, fake_router(lambda data: [told(data, 8)]) as other:
            with asking() as socket_:
                monkeypatch.setattr(seen, "MORE_SECONDS", 100.0)
                servers = [("stun..invalid", 1), ("127.0.0.1", one.port), ("localhost", other.port)]
                found = await seen.ask(socket_, servers)
                monkeypatch.setattr(seen, "MORE_SECONDS", 0.1)
                again = await seen.ask(socket_, [("127.0.0.1", one.port), ("localhost", one.port)])
        assert found == {("127.0.0.1", one.port): ("5.6.7.8", 7), ("127.0.0.1", other.port): ("5.6.7.8", 8)}
        # One server under two names is one server.
        assert again == {("127.0.0.1", one.port): ("5.6.7.8", 7)}

    asyncio.run(run())


@pytest.mark.parametrize(
    ("replies", "count"),
    [((answers, silence), 1), ((silence,), 0), ((lies, answers), 1), ((flood,), 0)],
    ids=["one silent", "all silent", "one lies", "a flood"],
)
def test_other_servers_are_not_waited_for_long(
    replies: tuple[Callable[[bytes], list[bytes]], ...], count: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(seen, "ALL_SECONDS", 0.3)
    monkeypatch.setattr(seen, "MORE_SECONDS", 0.1)
    found, _ = asyncio.run(ask(*replies))
    assert found == [("5.6.7.8", 7)] * count


def test_a_machine_with_much_to_do_hears_what_has_come_meanwhile(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(seen, "ALL_SECONDS", 0.1)

    async def run() -> None:
        async with fake_router(answers) as one, fake_router(answers) as other:
            with asking() as socket_:
                task = asyncio.create_task(seen.ask(socket_, [("127.0.0.1", at.port) for at in (one, other)]))
                # Nobody has a turn for longer than all of the asking may take.
                await asyncio.sleep(0)
                asyncio.get_running_loop().call_soon(time.sleep, 0.3)
                assert len(await task) == 2

    asyncio.run(run())


def test_no_number_of_other_packets_ends_the_asking(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(seen, "ALL_SECONDS", 10.0)
    monkeypatch.setattr(seen, "MORE_SECONDS", 0.0)
    asked: list[bytes] = []

    def late(request: bytes) -> list[bytes]:
        asked.append(request)
        # No more than the system keeps for us.
        return flood(request)[:200] + answers(request) * (len(asked) > 1)

    assert asyncio.run(ask(late))[0] == [("5.6.7.8", 7)]


def test_an_answer_from_elsewhere_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(seen, "ALL_SECONDS", 0.3)

    async def run() -> None:
        async with fake_router(answers, elsewhere=True) as one:
            with asking() as socket_:
                assert await seen.ask(socket_, [("127.0.0.1", one.port)]) == {}

    asyncio.run(run())


def test_names_that_nobody_knows_and_addresses_that_refuse_are_silent(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(seen, "ALL_SECONDS", 0.3)

    async def run() -> None:
        with asking() as socket_, asking() as closed:
            port = closed.getsockname()[1]
            closed.close()
            assert (
                await seen.ask(socket_, [("::1", 3478), ("stun..invalid", 3478), ("." * 300, 1), ("127.0.0.1", port)])
                == {}
            )

    asyncio.run(run())


@asynccontextmanager
async def tcp_server(reply: Callable[[bytes], bytes]) -> AsyncIterator[int]:
    """Listen on a free port; yields the port, and waits at the end until all who called have hung up."""
    serving = []

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        serving.append(task)
        try:
            writer.write(reply(await reader.readexactly(20)))
            await reader.read()
        except ConnectionError:
            pass
        finally:
            writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    try:
        yield server.sockets[0].getsockname()[1]
    finally:
        server.close()
        await asyncio.gather(*serving)
        await server.wait_closed()


def test_connections_over_tcp_go_out_from_the_port_that_is_held_and_stay_open() -> None:
    async def run() -> None:
        async with tcp_server(lambda data: told(data, 7)) as one, tcp_server(lambda data: told(data, 7)) as other:
            with crossing.reserve(socket.AF_INET) as held:
                port = held.getsockname()[1]
                kept = await seen.ask_by_tcp(port, [("127.0.0.1", one), ("localhost", other)])
                assert kept.answers == {("127.0.0.1", at): ("5.6.7.8", 7) for at in (one, other)}
                assert [connection.getsockname()[1] for connection in kept.connections] == [port, port]
                kept.close()

    asyncio.run(run())


@pytest.mark.parametrize(
    "reply",
    [
        lambda data: b"",
        lambda data: b"HTTP/1.1 400 Bad Request\r\n\r\n",
        lambda data: told(data[:8] + bytes(12), 7),
        lambda data: b"\x01\x01\xff\xff" + data[4:20] + bytes(70_000),
    ],
    ids=["silent", "foreign", "of another", "endless"],
)
def test_a_server_that_says_something_else_over_tcp_has_not_answered(
    reply: Callable[[bytes], bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(seen, "ALL_SECONDS", 0.3)

    async def run() -> None:
        async with tcp_server(reply) as one:
            with crossing.reserve(socket.AF_INET) as held:
                kept = await seen.ask_by_tcp(held.getsockname()[1], [("127.0.0.1", one)])
        assert kept.answers == {}
        assert kept.connections == []

    asyncio.run(run())
