"""The WebSocket channel against real sockets: addresses, busy ports, one guest at a time, frames, lost connections."""

from __future__ import annotations

import asyncio
import socket
from typing import Any

import pytest
from websockets.asyncio import client, server
from websockets.exceptions import ConnectionClosed

from protocol.core.wire import FRAME_LIMIT
from protocol.transport import TransportError
from protocol.transport.listening import SOURCE_KNOCKS, Listener
from wire_io.listener import CERTIFICATE, code_of, connect, listening, play, raw, serve_one


def has_ipv6() -> bool:
    try:
        socket.create_server(("::1", 0), family=socket.AF_INET6).close()
    except OSError:
        return False
    return True


ipv6 = pytest.mark.skipif(not has_ipv6(), reason="this machine has no ::1")


@pytest.mark.parametrize(
    ("bind", "addresses"),
    [
        ("127.0.0.1", ["127.0.0.1"]),
        pytest.param("::1", ["::1"], marks=ipv6),
        pytest.param(None, ["127.0.0.1", "::1"], marks=ipv6),
        (None, ["127.0.0.1"]),
        ("localhost", ["localhost"]),
    ],
)
def test_a_listener_is_reached_at_all_its_addresses_on_one_port(bind: str | None, addresses: list[str]) -> None:
    async def conversation(listener: Listener) -> None:
        assert listener.port != 0
        assert {port for _, port in listener.addresses} == {listener.port}
        for address in addresses:
            guest = await connect(address, listener.port)
            host = await listener.accept()
            await guest.send(b"hello")
            assert await host.receive() == b"hello"
            await guest.close()
            assert await host.receive() is None

    play(conversation, bind)


def test_a_port_in_use_is_named() -> None:
    async def conversation(listener: Listener) -> None:
        for bind in ("127.0.0.1", None):
            assert await code_of(serve_one(bind, listener.port)) == "port-in-use"

    play(conversation)


@pytest.mark.parametrize(
    ("bind", "port", "code"),
    [
        ("192.0.2.1", 0, "no-address"),
        ("no such\nname", 0, "unknown-host"),
        ("a..b", 0, "unknown-host"),
        ("127.0.0.1", 65_536, "no-address"),
    ],
)
def test_an_address_that_is_not_of_this_machine_is_named(bind: str, port: int, code: str) -> None:
    assert asyncio.run(code_of(serve_one(bind, port))) == code


def test_a_port_where_nobody_listens_is_named() -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    assert asyncio.run(code_of(connect("127.0.0.1", port))) == "unreachable"


@pytest.mark.parametrize(
    ("address", "port", "code"),
    [
        ("127.0.0.1", 0, "unreachable"),
        ("127.0.0.1", 65_536, "unreachable"),
        ("no such\x1b[2Jname", 80, "unknown-host"),
        ("a..b", 80, "unknown-host"),
        ("x" * 300, 80, "unknown-host"),
    ],
)
def test_a_host_that_is_not_there_is_named(address: str, port: int, code: str) -> None:
    assert asyncio.run(code_of(connect(address, port))) == code


@pytest.mark.parametrize(
    ("answer", "code"),
    [
        (b"", "timeout"),
        (b"SSH-2.0-OpenSSH_9.2\r\n", "foreign"),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi", "foreign"),
        (b"\0" * 70_000, "foreign"),
        (b"\x15\x03\x03\0\x02\x02\x28", "foreign"),
        (None, "unreachable"),
    ],
)
def test_a_host_that_is_another_program_is_named(answer: bytes | None, code: str) -> None:
    async def answering(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read(1)
        if answer is not None:
            writer.write(answer)
            # Until the guest gives up.
            await asyncio.gather(reader.read(), return_exceptions=True)
        writer.close()
        await asyncio.gather(writer.wait_closed(), return_exceptions=True)
        answered.set()

    answered = asyncio.Event()

    async def conversation() -> None:
        foreign = await asyncio.start_server(answering, "127.0.0.1", 0)
        port = foreign.sockets[0].getsockname()[1]
        async with foreign:
            timeout = 0.05 if code == "timeout" else 5
            assert await code_of(connect("127.0.0.1", port, timeout=timeout)) == code
            await answered.wait()

    asyncio.run(conversation())


def test_while_one_is_connected_others_are_refused_and_afterwards_not() -> None:
    async def conversation(listener: Listener) -> None:
        first = await connect("127.0.0.1", listener.port)
        assert await code_of(connect("127.0.0.1", listener.port)) == "busy"
        host = await listener.accept()
        assert await code_of(connect("127.0.0.1", listener.port)) == "busy"
        await host.close()
        second = await connect("127.0.0.1", listener.port)
        await (await listener.accept()).send(b"hello")
        assert await second.receive() == b"hello"
        assert await first.receive() is None
        await first.close()
        await second.close()

    play(conversation)


def test_of_many_at_one_moment_one_is_accepted() -> None:
    async def conversation(listener: Listener) -> None:
        # Of more than these, one that is still opening may have to make room.
        calls = (connect("127.0.0.1", listener.port) for _ in range(SOURCE_KNOCKS))
        guests = await asyncio.gather(*calls, return_exceptions=True)
        host = await listener.accept()
        await host.send(b"you")
        heard = []
        for guest in guests:
            if isinstance(guest, BaseException):
                assert isinstance(guest, TransportError)
                assert guest.code == "busy"
            else:
                heard.append(await guest.receive())
                await guest.close()
        assert heard.count(b"you") == 1
        assert set(heard) <= {b"you", None}

    play(conversation)


def test_a_guest_who_left_before_he_was_accepted_is_passed_over() -> None:
    async def conversation(listener: Listener) -> None:
        await (await connect("127.0.0.1", listener.port)).close()
        guest = await connect("127.0.0.1", listener.port)
        host = await listener.accept()
        await guest.send(b"here")
        assert await host.receive() == b"here"
        await guest.close()

    play(conversation)


@pytest.mark.parametrize("fragments", [["text"], ["te", "xt"]])
def test_a_text_frame_ends_the_connection(fragments: list[str]) -> None:
    async def conversation(listener: Listener) -> None:
        async with raw(listener) as guest:
            host = await listener.accept()
            await guest.send(fragments)
            assert await code_of(host.receive()) == "text-frame"
            assert await host.receive() is None
            with pytest.raises(ConnectionClosed):
                await guest.recv()

    play(conversation)


@pytest.mark.parametrize("message", [bytes(FRAME_LIMIT + 1), bytes(100_000), [b"x" * 1_000] * 17, "x" * 20_000])
def test_more_bytes_than_any_frame_has_end_the_connection(message: Any) -> None:
    async def conversation(listener: Listener) -> None:
        async with raw(listener) as guest:
            host = await listener.accept()
            talking = asyncio.ensure_future(talk(guest, message))
            assert await code_of(host.receive()) == "oversized"
            assert await host.receive() is None
            await talking

    async def talk(guest: client.ClientConnection, message: Any) -> None:
        with pytest.raises(ConnectionClosed):  # noqa: PT012 - the sending or what follows, as the system likes
            await guest.send(message)
            await guest.recv()

    play(conversation)


@pytest.mark.parametrize(
    "stuff",
    [
        b"\xff" * 100,
        b"\x82\x01x",
        b"\x83\x80\0\0\0\0",
        b"\xc2\x81\0\0\0\0x",
        b"\x81\x81\0\0\0\0\xff",
        b"\x82\xff\xff\xff\xff\xff\xff\xff\xff\xff\0\0\0\0",
        b"\x88\x81\0\0\0\0x",
    ],
)
def test_bytes_that_are_no_websocket_end_the_connection(stuff: bytes) -> None:
    async def conversation(listener: Listener) -> None:
        async with raw(listener) as guest:
            host = await listener.accept()
            guest.transport.write(stuff)
            assert await code_of(host.receive()) in {"foreign", "oversized"}
            assert await host.receive() is None
            assert await code_of(host.send(b"x")) == "closed"

    play(conversation)


def test_a_lost_connection_is_an_end_and_no_crash() -> None:
    async def conversation(listener: Listener) -> None:
        async with raw(listener) as guest:
            host = await listener.accept()
            await guest.send(b"last")
            guest.transport.close()
            assert await host.receive() == b"last"
            assert await host.receive() is None
            assert await code_of(host.send(b"x")) == "closed"

    play(conversation)


def test_compression_is_not_agreed_to() -> None:
    async def conversation(listener: Listener) -> None:
        async with raw(listener) as guest:
            assert guest.protocol.extensions == []

    play(conversation)


def test_a_listener_that_is_closed_ends_all_that_waits_for_it() -> None:
    async def conversation(listener: Listener) -> None:
        waiting = [asyncio.ensure_future(listener.accept()) for _ in range(2)]
        await asyncio.sleep(0)
        await listener.close()
        await listener.close()
        for one in waiting:
            assert await code_of(one) == "closed"
        assert await code_of(connect("127.0.0.1", listener.port)) == "unreachable"

    play(conversation)


def test_a_listener_that_is_closed_closes_its_connection_and_frees_the_port() -> None:
    async def conversation(listener: Listener) -> None:
        guest = await connect("127.0.0.1", listener.port)
        host = await listener.accept()
        await listener.close()
        assert await guest.receive() is None
        assert await host.receive() is None
        async with listening(port=listener.port):
            pass

    play(conversation)


def test_a_cancelled_guest_or_host_leaves_nothing_open() -> None:
    async def silent(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read()
        writer.close()
        heard.set()

    heard = asyncio.Event()

    async def conversation(listener: Listener) -> None:
        accepting = asyncio.ensure_future(listener.accept())
        await asyncio.sleep(0)
        accepting.cancel()
        quiet = await asyncio.start_server(silent, "127.0.0.1", 0)
        async with quiet:
            connecting = asyncio.ensure_future(connect("127.0.0.1", quiet.sockets[0].getsockname()[1]))
            for _ in range(20):
                await asyncio.sleep(0)
            connecting.cancel()
            with pytest.raises(asyncio.CancelledError):
                await connecting
            await heard.wait()
        guest = await connect("127.0.0.1", listener.port)
        assert (await listener.accept()).channel
        await guest.close()

    play(conversation)


def test_a_host_who_answers_a_guest_slowly_does_not_lose_frames() -> None:
    async def conversation(listener: Listener) -> None:
        async with raw(listener) as guest:
            host = await listener.accept()
            sending = asyncio.ensure_future(send_all(guest))
            for number in range(500):
                assert await host.receive() == number.to_bytes(2, "big") * 1_000
            await sending

    async def send_all(guest: client.ClientConnection) -> None:
        for number in range(500):
            await guest.send(number.to_bytes(2, "big") * 1_000)

    play(conversation)


class Knocked(server.ServerConnection):
    """A listener that takes whatever is in the place of the proof."""

    left = 32

    def data_received(self, data: bytes) -> None:
        taken = min(self.left, len(data))
        self.left -= taken
        if data[taken:]:
            super().data_received(data[taken:])


@pytest.mark.parametrize(
    "answer",
    [
        b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi",
        b"HTTP/1.1 301 Moved\r\nLocation: wss://127.0.0.1:1/\r\nContent-Length: 0\r\n\r\n",
        b"HTTP/1.1 301 Moved\r\nLocation: http://[/\r\nContent-Length: 0\r\n\r\n",
        b"HTTP/1.1 101 Switching Protocols\r\n\r\n",
        b"\0" * 70_000,
        b"",
    ],
)
def test_a_host_with_the_right_certificate_and_another_answer_is_named(answer: bytes) -> None:
    async def answering(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(answer)
        writer.close()
        await asyncio.gather(writer.wait_closed(), return_exceptions=True)

    async def conversation() -> None:
        foreign = await asyncio.start_server(answering, "127.0.0.1", 0, ssl=CERTIFICATE.context())
        async with foreign:
            port = foreign.sockets[0].getsockname()[1]
            assert await code_of(connect("127.0.0.1", port, timeout=5)) in ("foreign", "turned-away", "unreachable")

    asyncio.run(conversation())


def test_a_host_that_lies_about_compression_or_sends_text_is_dropped_by_the_guest() -> None:
    async def talk(connection: server.ServerConnection) -> None:
        await connection.send("text")
        await connection.wait_closed()

    async def conversation() -> None:
        context = CERTIFICATE.context()
        async with server.serve(talk, "127.0.0.1", 0, ssl=context, create_connection=Knocked) as foreign:
            guest = await connect("127.0.0.1", foreign.sockets[0].getsockname()[1])
            assert await code_of(guest.receive()) == "text-frame"
            await guest.close()

    asyncio.run(conversation())
