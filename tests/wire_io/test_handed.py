"""A socket that is connected already: handed to a listener, and given to whoever would call."""

from __future__ import annotations

import asyncio
import socket

from protocol.transport.listening import SOURCE_KNOCKS, Listener
from wire_io.listener import code_of, connect, listening, serve_one


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
