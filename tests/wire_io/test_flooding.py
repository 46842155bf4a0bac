"""A connection whose other end sends without end, or reads nothing, is given up."""

from __future__ import annotations

import asyncio
import socket
import struct
from contextlib import suppress

import pytest
from helpers_listener import connect, play
from websockets.asyncio.connection import Connection
from websockets.exceptions import ConnectionClosed, InvalidState
from websockets.frames import Frame, Opcode

from protocol.transport import websocket
from protocol.transport.listening import Listener
from protocol.transport.websocket import WebSocketTransport


async def ends_of_a_line(listener: Listener, flooding: str) -> tuple[Connection, WebSocketTransport]:
    """Return a line as the end that will misbehave, whose socket takes little, and the other end."""
    guest = await connect("127.0.0.1", listener.port)
    host = await listener.accept()
    one, other = (guest, host) if flooding == "guest" else (host, guest)
    for end, option in ((one, socket.SO_RCVBUF), (other, socket.SO_SNDBUF)):
        end._connection.transport.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, option, 4_096)
    return one._connection, other


@pytest.mark.parametrize("flooding", ["guest", "host"])
def test_whoever_sends_pings_and_reads_no_answers_is_given_up(flooding: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(websocket, "BACKLOG", 10_000)

    async def conversation(listener: Listener) -> None:
        line, other = await ends_of_a_line(listener, flooding)
        line.transport.pause_reading()
        end = asyncio.create_task(other.receive())
        held = 0
        while not end.done():
            with suppress(OSError, ConnectionClosed, InvalidState):
                for _ in range(200):
                    line.protocol.send_ping(bytes(125))
                line.send_data()
            await asyncio.sleep(0)
            held = max(held, other._connection.transport.get_write_buffer_size())
        assert await end is None
        # What one piece of the line holds is answered at once.
        assert held < 10_000 + 512 * 1024

    play(conversation)


@pytest.mark.parametrize("flooding", ["guest", "host"])
def test_no_ping_is_answered_when_the_line_is_lost(flooding: str, caplog: pytest.LogCaptureFixture) -> None:
    async def conversation(listener: Listener) -> None:
        line, other = await ends_of_a_line(listener, flooding)
        line.transport.pause_reading()
        # Whoever lingers for no time says goodbye with a reset.
        linger = struct.pack("ii", 1, 0)
        line.transport.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
        line.transport.write(Frame(Opcode.PING, b"").serialize(mask=flooding == "guest") * 20_000)
        websocket.abort(line)
        assert await other.receive() is None

    play(conversation)
    assert [record.getMessage() for record in caplog.records] == []


@pytest.mark.parametrize("flooding", ["guest", "host"])
def test_a_message_in_pieces_without_end_is_given_up(flooding: str) -> None:
    async def conversation(listener: Listener) -> None:
        line, other = await ends_of_a_line(listener, flooding)
        line.protocol.send_binary(b"", fin=False)
        for _ in range(websocket.PIECES):
            line.protocol.send_continuation(b"", fin=False)
        line.send_data()
        assert await other.receive() is None

    play(conversation)


def test_a_message_in_a_few_pieces_is_whole() -> None:
    async def conversation(listener: Listener) -> None:
        for _ in range(2):
            line, other = await ends_of_a_line(listener, "guest")
            for _ in range(3):
                line.protocol.send_binary(b"a", fin=False)
                for _ in range(websocket.PIECES - 1):
                    line.protocol.send_continuation(b"b", fin=False)
                line.protocol.send_continuation(b"c", fin=True)
                line.send_data()
                assert await other.receive() == b"a" + b"b" * (websocket.PIECES - 1) + b"c"
            await line.close()
            await other.close()

    play(conversation)
