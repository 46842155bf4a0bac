"""A connection whose other end sends without end, or reads nothing, is given up."""

from __future__ import annotations

import asyncio
import socket
import struct
from collections.abc import Callable
from contextlib import suppress

import pytest
from helpers import ROOT, daily_first
from websockets.asyncio.connection import Connection
from websockets.exceptions import ConnectionClosed, InvalidState
from websockets.frames import Frame, Opcode
from websockets.protocol import Side

from protocol.core.afterwards import TALK_LIMIT
from protocol.core.endpoint import ENDPOINT_LIMIT
from protocol.core.frames import CHAIN_LIMIT, SIDE_LIMIT, FrameKind
from protocol.core.wire import FRAME_LIMIT
from protocol.record import logfile
from protocol.transport import BURST, OPENING_BURST, RATE, Allowance, websocket
from protocol.transport.listening import Listener
from protocol.transport.websocket import WebSocketTransport
from wire_io.listener import code_of, connect, play


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
        other.allowance = Allowance(10**9)
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


@pytest.mark.parametrize("sender", ["guest", "host"])
def test_whoever_is_not_read_waits_and_nothing_is_lost(sender: str) -> None:
    async def conversation(listener: Listener) -> None:
        guest = await connect("127.0.0.1", listener.port)
        host = await listener.accept()
        writer, reader = (guest, host) if sender == "guest" else (host, guest)
        reader.limit, reader.allowance = FRAME_LIMIT, Allowance(10**9)
        # Much more than both systems take on the way.
        frames = [number.to_bytes(2, "big") * (FRAME_LIMIT // 2) for number in range(1_000)]

        async def send() -> None:
            for frame in frames:
                await writer.send(frame)

        sending = asyncio.create_task(send())
        while reader._connection.transport.is_reading() or not writer._connection.paused:
            assert not sending.done()
            await asyncio.sleep(0)
        for frame in frames:
            assert await reader.receive() == frame
        await sending

    play(conversation)


@pytest.mark.parametrize("flooding", ["guest", "host"])
def test_no_ping_is_answered_when_the_line_is_lost(flooding: str, caplog: pytest.LogCaptureFixture) -> None:
    async def conversation(listener: Listener) -> None:
        line, other = await ends_of_a_line(listener, flooding)
        other.allowance = Allowance(10**9)
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


def control(opcode: Opcode) -> Callable[[Connection], None]:
    return lambda line: line.transport.write(Frame(opcode, b"").serialize(mask=line.protocol.side is Side.CLIENT))


def whole(frame: bytes) -> Callable[[Connection], None]:
    def send(line: Connection) -> None:
        line.protocol.send_binary(frame)
        line.send_data()

    return send


def pieces(line: Connection) -> None:
    line.protocol.send_binary(b"", fin=False)
    line.protocol.send_continuation(b"", fin=True)
    line.send_data()


def byte_by_byte(line: Connection) -> None:
    """Send a ping in TLS records of one byte each."""
    for byte in Frame(Opcode.PING, b"").serialize(mask=line.protocol.side is Side.CLIENT):
        line.transport.write(bytes((byte,)))


KINDS = {
    "pings": control(Opcode.PING),
    "pongs": control(Opcode.PONG),
    "empty messages": whole(b""),
    "messages in empty pieces": pieces,
    "records of a byte": byte_by_byte,
    "the same frame": whole(bytes(200)),
    "unknown frames": whole(b"\x92\x7f\x03"),
    **{frame.name: whole(bytes((0x92, frame, 3))) for frame in FrameKind},
    "TALK": whole(b"\x94\x11\x03\x01\xa1x"),
    "large frames": whole(bytes(4096)),
}


@pytest.mark.parametrize("flooding", daily_first(["guest", "host"]))
@pytest.mark.parametrize("kind", KINDS)
def test_a_flood_of_any_kind_is_hung_up_on(kind: str, flooding: str) -> None:
    async def conversation(listener: Listener) -> None:
        line, other = await ends_of_a_line(listener, flooding)
        # The clock stands still, so that a slow machine counts as a fast one does.
        other.allowance = Allowance(100, clock=lambda: 0.0)
        for _ in range(150):
            KINDS[kind](line)
        line.transport.close()

        async def listen() -> None:
            while await other.receive() is not None:
                pass

        assert await code_of(listen()) == "flooded"
        assert await other.receive() is None

    play(conversation)


def test_a_read_of_a_quarter_megabyte_is_not_worked_through_before_it_is_counted(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def conversation(listener: Listener) -> None:
        line, other = await ends_of_a_line(listener, "guest")
        other.allowance = Allowance(100, clock=lambda: 0.0)
        read: list[int] = []
        receive = other._connection.protocol.receive_data

        def receive_counted(data: bytes) -> None:
            read.append(len(data))
            receive(data)

        monkeypatch.setattr(other._connection.protocol, "receive_data", receive_counted)
        other._connection.data_received(Frame(Opcode.PING, b"").serialize(mask=True) * 40_000)
        assert sum(read) <= websocket.PORTION
        assert await code_of(other.receive()) == "flooded"
        await line.close()

    play(conversation)


def test_all_that_an_honest_program_can_send_at_once_is_taken() -> None:
    logs = [logfile.load(path.read_bytes()) for path in (ROOT / "tests" / "logs").glob("*/*.storm")]
    shortest = min(len(one.frame) for log in logs for one in log.records if one.kind == FrameKind.ENVELOPE)
    envelopes = CHAIN_LIMIT // shortest
    frames = envelopes + SIDE_LIMIT + ENDPOINT_LIMIT + TALK_LIMIT + 20
    # A line of chat has at most 2000 bytes, a segment of TCP at least 1200, and each may come alone.
    segments = (CHAIN_LIMIT + (SIDE_LIMIT + TALK_LIMIT) * 2200) // 1200
    assert frames + segments <= BURST
    allowance = Allowance(BURST, clock=lambda: 0.0)
    assert all(allowance.take(1) for _ in range(frames + segments))


def test_a_burst_of_a_whole_match_comes_over_a_real_line() -> None:
    async def conversation(listener: Listener) -> None:
        line, other = await ends_of_a_line(listener, "guest")
        other.limit, other.allowance = FRAME_LIMIT, Allowance(BURST, clock=lambda: 0.0)

        async def send() -> None:
            for number in range(4000):
                await line.send(number.to_bytes(200, "big"))

        sending = asyncio.create_task(send())
        for number in range(4000):
            assert await other.receive() == number.to_bytes(200, "big")
        await sending

    play(conversation)


def test_what_was_spent_comes_back_with_time_and_never_more_than_a_burst() -> None:
    now = [0.0]
    floods: list[int] = []
    allowance = Allowance(1000, lambda: floods.append(1), clock=lambda: now[0])
    assert allowance.take(1000)
    assert not allowance.take(1)
    now[0] = 2.0
    assert allowance.take(int(2 * RATE))
    assert not allowance.take(1)
    now[0] = 1e9
    assert allowance.take(1000)
    assert not allowance.take(1)
    assert len(floods) == 3
    assert OPENING_BURST < BURST
