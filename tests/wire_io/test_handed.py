"""A socket that is connected already: handed to a listener, and given to whoever would call."""

from __future__ import annotations

import asyncio
import socket

import pytest

from protocol.transport.listening import SOURCE_KNOCKS, Listener
from wire_io.listener import code_of, connect, listening, serve_one
from wire_io.test_websocket import ipv6


def test_a_socket_counts_for_the_network_where_the_other_one_is() -> None:
    async def silent(listener: Listener, address: str) -> socket.socket:
        ours, theirs = socket.socketpair()
        listener.take(theirs, address)
        # Whoever is sent away is gone before the next one comes.
        for _ in range(3):
            await asyncio.sleep(0)
        return ours

    async def conversation() -> None:
        async with asyncio.timeout(60), listening() as listener:
            crowd = [await silent(listener, f"2001:db8::{number}") for number in range(1, 20)]
            assert len(listener._knocks) == SOURCE_KNOCKS
            crowd += [await silent(listener, address) for address in ("2001:db8:0:1::1", "5.1.1.2", "5.1.1.3")]
            assert len(listener._knocks) == SOURCE_KNOCKS + 3
            for one in crowd:
                one.close()

    asyncio.run(conversation())


@pytest.mark.skipif(not hasattr(socket, "SO_REUSEPORT"), reason="this system shares no port")
@pytest.mark.parametrize("bind", ["127.0.0.1", None])
def test_whoever_calls_from_the_port_that_listens_shares_it_with_no_second_listener(bind: str | None) -> None:
    async def conversation() -> None:
        loop = asyncio.get_running_loop()
        async with listening(bind) as listener, listening() as other:
            # Nobody shares the port before somebody calls from it.
            with socket.socket() as early:
                early.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
                with pytest.raises(OSError, match="in use"):
                    early.bind(("127.0.0.1", listener.port))
            for _ in range(2):
                with listener.bind_beside(socket.AF_INET) as called, socket.create_server(("127.0.0.1", 0)) as far:
                    await loop.sock_connect(called, far.getsockname())
                    reached, caller = far.accept()
                    reached.close()
                    assert caller == ("127.0.0.1", listener.port)
                    for second in ("127.0.0.1", None, "0.0.0.0"):
                        assert await code_of(serve_one(second, listener.port)) == "port-in-use"
            # What is called is a listener like any: the port of the caller changes nothing.
            called = listener.bind_beside(socket.AF_INET)
            await loop.sock_connect(called, ("127.0.0.1", other.port))
            guests = [await connect("", 0, sock=called), await connect("127.0.0.1", listener.port)]
            for one, guest in zip((other, listener), guests, strict=True):
                await guest.send(b"hello")
                assert await (await one.accept()).receive() == b"hello"
                await guest.close()

    asyncio.run(asyncio.wait_for(conversation(), 60))


@ipv6
def test_both_families_call_from_one_port() -> None:
    async def conversation() -> None:
        async with listening(None) as listener:
            families = (socket.AF_INET, socket.AF_INET6)
            made = [listener.bind_beside(family) for family in families]
            assert [one.getsockname()[1] for one in made] == [listener.port] * 2
            for one in made:
                one.close()
        async with listening("127.0.0.1") as listener:
            with listener.bind_beside(socket.AF_INET) as one:
                assert one.getsockname() == ("127.0.0.1", listener.port)

    asyncio.run(conversation())


def test_a_system_that_shares_no_port_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(socket, "SO_REUSEPORT", raising=False)

    async def conversation() -> None:
        async with listening() as listener:
            with pytest.raises(OSError, match="share a port"):
                listener.bind_beside(socket.AF_INET)

    asyncio.run(conversation())


def test_a_listener_that_is_closed_hangs_up_on_what_it_is_handed() -> None:
    async def conversation() -> None:
        listener = await serve_one("127.0.0.1", 0)
        waiting, theirs = socket.socketpair()
        listener.take(theirs, "5.1.1.2")
        await listener.close()
        late, theirs = socket.socketpair()
        listener.take(theirs, "5.1.1.2")
        for ours in (waiting, late):
            ours.settimeout(60)
            assert ours.recv(1) == b""
            ours.close()

    asyncio.run(conversation())


def test_whoever_gets_a_socket_closes_it_when_nobody_answers_as_a_host() -> None:
    async def conversation() -> None:
        for said, code in ((None, "timeout"), (b"SSH-2.0-OpenSSH_9.2\r\n", "foreign"), (b"", "unreachable")):
            ours, theirs = socket.socketpair()
            if said:
                theirs.send(said)
            elif said is not None:
                theirs.close()
            timeout = 0.05 if said is None else 60
            # No address is called, so that none has to be one.
            assert await code_of(connect("nowhere", 0, sock=ours, timeout=timeout)) == code
            # The loop lets go of a socket a moment later.
            while ours.fileno() != -1:
                await asyncio.sleep(0)
            theirs.close()

    asyncio.run(asyncio.wait_for(conversation(), 60))
