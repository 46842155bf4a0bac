"""What all channels promise: the line, and those of the tests, which show that a session needs nothing else."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from helpers_memory import pair

from protocol.core.wire import FRAME_LIMIT, HANDSHAKE_LIMIT
from protocol.transport import Transport, TransportError
from wire_io.channels import KINDS, Ends, channel, files
from wire_io.files import FilesTransport

Run = Callable[[Callable[[Ends], Awaitable[None]]], None]


@pytest.fixture(params=KINDS)
def run(request: pytest.FixtureRequest, tmp_path: Path) -> Run:
    """Run a conversation over each kind of channel."""

    def start(conversation: Callable[[Ends], Awaitable[None]]) -> None:
        async def whole() -> None:
            async with asyncio.timeout(60), channel(request.param, tmp_path) as ends:
                await conversation(ends)

        asyncio.run(whole())

    return start


async def code_of(waiting: Awaitable[object]) -> str:
    with pytest.raises(TransportError) as caught:
        await waiting
    assert str(caught.value) == caught.value.sentence
    assert caught.value.sentence.isprintable()
    return caught.value.code


def test_frames_arrive_whole_and_in_order_both_ways(run: Run) -> None:
    async def conversation(ends: Ends) -> None:
        frames = [bytes([number]) * (1 + number * 13) for number in range(100)]

        async def say(end: Transport) -> None:
            for frame in frames:
                await end.send(frame)

        async def hear(end: Transport) -> None:
            for frame in frames:
                assert await end.receive() == frame

        await asyncio.gather(say(ends[0]), say(ends[1]), hear(ends[0]), hear(ends[1]))

    run(conversation)


def test_what_was_sent_before_closing_still_arrives_and_then_the_end(run: Run) -> None:
    async def conversation(ends: Ends) -> None:
        await ends[0].send(b"last")
        await ends[0].close()
        await ends[0].close()
        assert await ends[1].receive() == b"last"
        assert await ends[1].receive() is None
        assert await ends[0].receive() is None
        assert await code_of(ends[0].send(b"more")) == "closed"

    run(conversation)


def test_a_reader_that_is_cancelled_loses_no_frame(run: Run) -> None:
    async def conversation(ends: Ends) -> None:
        for number in range(20):
            reader = asyncio.ensure_future(ends[1].receive())
            await asyncio.sleep(0)
            reader.cancel()
            await asyncio.gather(reader, return_exceptions=True)
            await ends[0].send(bytes([number]))
            assert await ends[1].receive() == bytes([number])

    run(conversation)


def test_a_frame_longer_than_the_limit_of_the_moment_ends_the_channel(run: Run) -> None:
    async def conversation(ends: Ends) -> None:
        await ends[0].send(bytes(HANDSHAKE_LIMIT))
        assert await ends[1].receive() == bytes(HANDSHAKE_LIMIT)
        ends[1].limit = FRAME_LIMIT
        await ends[0].send(bytes(FRAME_LIMIT))
        assert await ends[1].receive() == bytes(FRAME_LIMIT)
        ends[1].limit = HANDSHAKE_LIMIT
        await ends[0].send(bytes(HANDSHAKE_LIMIT + 1))
        assert await code_of(ends[1].receive()) == "oversized"
        assert await ends[1].receive() is None

    run(conversation)


def test_our_own_program_cannot_send_what_nobody_would_accept(run: Run) -> None:
    async def conversation(ends: Ends) -> None:
        for frame in (b"", bytes(FRAME_LIMIT + 1)):
            with pytest.raises(ValueError, match="expected 1 to 16384 bytes"):
                await ends[0].send(frame)

    run(conversation)


# --- memory ----------------------------------------------------------------------------------------------


def test_memory_works_without_an_event_loop() -> None:
    left, right = pair()
    left.put(b"a")
    left.put(b"b")
    assert (right.take(), right.take(), right.take(), left.take()) == (b"a", b"b", None, None)


# --- files -----------------------------------------------------------------------------------------------


def test_the_files_are_those_of_the_spec(tmp_path: Path) -> None:
    host, _ = files(tmp_path)
    host.put(b"hello")
    assert [path.name for path in tmp_path.iterdir()] == ["000001-host.frame"]
    assert (tmp_path / "000001-host.frame").read_bytes() == b"\0\0\0\x05" + b"\x36\x10\xa6\x86" + b"hello"


def test_files_can_be_read_in_any_order_of_their_arrival(tmp_path: Path) -> None:
    host, guest = files(tmp_path)
    host.put(b"one")
    host.put(b"two")
    first = tmp_path / "000001-host.frame"
    content = first.read_bytes()
    first.unlink()
    assert guest.take() is None
    for size in range(len(content)):
        # As long as it is being copied, it is not there.
        first.write_bytes(content[:size])
        assert guest.take() is None
    first.write_bytes(content)
    assert (guest.take(), guest.take(), guest.take()) == (b"one", b"two", None)


def test_duplicates_and_foreign_files_are_ignored(tmp_path: Path) -> None:
    host, guest = files(tmp_path)
    host.put(b"one")
    content = (tmp_path / "000001-host.frame").read_bytes()
    assert guest.take() == b"one"
    for name in ("000001-host.frame", "000002-host (1).frame", "000002-host.frame.part", "2-host.frame"):
        (tmp_path / name).write_bytes(content)
    os.mkfifo(tmp_path / "000002-host.frame")
    assert guest.take() is None
    (tmp_path / "000002-host.frame").unlink()
    (tmp_path / "000002-host.frame").mkdir()
    assert guest.take() is None


def test_a_channel_of_files_can_be_opened_again(tmp_path: Path) -> None:
    async def conversation() -> None:
        host, guest = files(tmp_path)
        host.put(b"one")
        guest.put(b"uno")
        assert await guest.receive() == b"one"
        await host.close()
        assert await guest.receive() is None
        again = FilesTransport(tmp_path, "host", "guest")
        again.put(b"two")
        # An end is an end of one channel, not of all.
        assert await guest.receive() == b"two"
        assert await again.receive() == b"uno"
        later = FilesTransport(tmp_path, "guest", "host", taken=guest.taken)
        assert later.take() is None

    asyncio.run(conversation())


@pytest.mark.parametrize("content", [b"\0\0\0\x01\0\0\0\0x", b"\0\0\0\x00\0\0\0\0x", b"\0\0\0\x01\x8c\xdc\x16\x83xx"])
def test_a_changed_file_is_damage(tmp_path: Path, content: bytes) -> None:
    _, guest = files(tmp_path)
    (tmp_path / "000001-host.frame").write_bytes(content)
    with pytest.raises(TransportError) as error:
        guest.take()
    assert error.value.code == "damaged"
    assert guest.take() is None


def test_a_folder_that_is_gone_is_named(tmp_path: Path) -> None:
    folder = tmp_path / "shared"
    folder.mkdir()
    host, _ = files(folder)
    folder.rmdir()
    assert asyncio.run(code_of(host.send(b"one"))) == "unwritable"
    asyncio.run(host.close())
    with pytest.raises(TransportError) as error:
        files(folder)
    assert error.value.code == "unwritable"


@pytest.mark.parametrize(("ours", "theirs"), [("host", "host"), ("../x", "host"), ("host", "a.b"), ("", "a")])
def test_sides_are_two_different_words(tmp_path: Path, ours: str, theirs: str) -> None:
    with pytest.raises(ValueError, match="expected two different words"):
        FilesTransport(tmp_path, ours, theirs)
