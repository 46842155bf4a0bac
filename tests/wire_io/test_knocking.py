"""Before the channel is open: the certificate that the invite names, the proof of the secret, silence for strangers."""

from __future__ import annotations

import _ssl
import asyncio
import ctypes
import itertools
import random
import secrets
import socket
import ssl
import warnings
from contextlib import suppress
from types import SimpleNamespace

import pytest
from websockets.exceptions import InvalidStatus
from websockets.typing import Origin

from protocol.transport import listening
from protocol.transport.certificate import Certificate, caller_context, knock
from protocol.transport.listening import KNOCKS, SOURCE_KNOCKS, Listener
from protocol.transport.websocket import connect as call
from wire_io.listener import CERTIFICATE, SECRET, code_of, connect, plain, play, raw, serve_one, stranger


def test_a_web_page_is_refused() -> None:
    async def conversation(listener: Listener) -> None:
        with pytest.raises(InvalidStatus) as error:
            await raw(listener, origin=Origin("http://example.org"))
        assert error.value.response.status_code == 403
        assert "Server" not in error.value.response.headers

    play(conversation)


def test_a_crowd_that_says_nothing_is_bounded_and_does_not_delay_the_end() -> None:
    async def conversation(listener: Listener) -> None:
        crowd = [await plain(listener) for _ in range(SOURCE_KNOCKS + 3)]
        # Those beyond the limit are hung up on; which of them is the system's choice of order.
        gone = [asyncio.ensure_future(reader.read()) for reader, _ in crowd]
        done: set[asyncio.Future[bytes]] = set()
        waiting = set(gone)
        while len(done) < 3:
            now, waiting = await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
            done |= now
        assert len(listener._knocks) <= SOURCE_KNOCKS + 1
        await listener.close()
        await asyncio.gather(*gone, return_exceptions=True)
        for _, writer in crowd:
            writer.close()

    play(conversation)


def test_a_host_with_another_certificate_hears_nothing() -> None:
    heard: list[bytes] = []

    async def answering(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError):
            heard.append(await reader.read())
        writer.close()
        done.set()

    done = asyncio.Event()

    async def conversation() -> None:
        foreign = await asyncio.start_server(answering, "127.0.0.1", 0, ssl=Certificate.make().context())
        async with foreign:
            port = foreign.sockets[0].getsockname()[1]
            assert await code_of(connect("127.0.0.1", port)) == "wrong-certificate"
            await done.wait()

    asyncio.run(conversation())
    assert heard in ([], [b""])


@pytest.mark.parametrize(
    "said",
    [
        b"GET / HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\n\r\n",
        bytes(32),
        knock(bytes(16), CERTIFICATE.fingerprint),
        knock(SECRET, bytes(32)),
        knock(SECRET, CERTIFICATE.fingerprint)[::-1],
        b"\xff" * 100_000,
    ],
    ids=["a request of HTTP", "nothing but zeros", "another secret", "another certificate", "backwards", "much"],
)
def test_whoever_does_not_prove_the_secret_gets_silence(said: bytes) -> None:
    async def conversation(listener: Listener) -> None:
        reader, writer = await stranger(listener)
        writer.write(said)
        with suppress(OSError):
            assert await reader.read() == b""
        writer.close()
        guest = await connect("127.0.0.1", listener.port)
        assert (await listener.accept()).channel == guest.channel == CERTIFICATE.fingerprint
        await guest.close()

    play(conversation)


def test_a_guest_with_another_secret_is_told_that_the_host_keeps_silent() -> None:
    async def conversation(listener: Listener) -> None:
        pin = CERTIFICATE.fingerprint[:16]
        assert await code_of(call("127.0.0.1", listener.port, pin, b"another secret..")) == "turned-away"

    play(conversation)


def test_no_older_tls_is_spoken() -> None:
    async def conversation(listener: Listener) -> None:
        context = caller_context()
        context.maximum_version = context.minimum_version = ssl.TLSVersion.TLSv1_2
        with pytest.raises(OSError, match=r".*"):
            await plain(listener, context)

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        play(conversation)


def test_a_certificate_comes_back_and_tells_neither_a_name_nor_a_time() -> None:
    made = Certificate.make()
    assert Certificate.load(made.pem) == made
    assert made != Certificate.make()
    lengths = {len(Certificate.make().pem) for _ in range(20)}
    assert max(lengths) - min(lengths) < 10
    assert "pem" not in repr(made)
    with pytest.raises(ValueError, match=r".*"):
        Certificate.load(b"nothing")


@pytest.mark.parametrize(("arrivals", "least"), [(35, 0.5), (70, 0.25), (100, 0.15)])
def test_a_crowd_from_many_networks_leaves_a_slow_guest_a_good_chance_at_each_try(
    arrivals: int, least: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With 70 silent callers a second, a guest who needs a second to open keeps the place at every third try."""
    monkeypatch.setattr(secrets, "choice", random.Random(4).choice)
    tries = 200

    async def greet(listener: Listener, connected: socket.socket, way: tuple[str, str]) -> None:
        await asyncio.Event().wait()

    monkeypatch.setattr(Listener, "_greet", greet)

    async def conversation(listener: Listener) -> None:
        silent = SimpleNamespace(close=lambda: None)
        networks = itertools.count()

        async def arrive() -> asyncio.Task[None]:
            listener.take(silent, str(next(networks)))  # type: ignore[arg-type]
            # Whoever was sent away is gone before the next one comes.
            await asyncio.sleep(0)
            await asyncio.sleep(0)
            return list(listener._knocks)[-1]

        for _ in range(KNOCKS):
            await arrive()
        opened = 0
        for _ in range(tries):
            guest = await arrive()
            for _ in range(arrivals):
                await arrive()
            opened += guest in listener._knocks
            assert len(listener._knocks) == KNOCKS
        assert opened >= least * tries

    async def whole() -> None:
        listener = await serve_one("127.0.0.1", 0)
        try:
            await conversation(listener)
        finally:
            await listener.close()

    # Nobody comes by any way.
    asyncio.run(asyncio.wait_for(whole(), 60))


@pytest.mark.long
def test_a_thousand_that_say_nothing_keep_nobody_out() -> None:
    async def conversation(listener: Listener) -> None:
        guest = await connect("127.0.0.1", listener.port)
        host = await listener.accept()
        crowd = []
        for number in range(1000):
            crowd.append(one := socket.socket())
            one.setblocking(False)
            one.connect_ex(("127.0.0.1", listener.port))
            if number % 50 == 0:
                await guest.send(number.to_bytes(2, "big"))
                assert await host.receive() == number.to_bytes(2, "big")
                assert len(listener._knocks) <= SOURCE_KNOCKS + 1
        for one in crowd:
            one.close()
        await guest.close()
        await host.close()
        second = await connect("127.0.0.1", listener.port)
        assert (await listener.accept()).channel
        await second.close()

    play(conversation)


async def change_keys(listener: Listener, often: int) -> None:
    """Open TLS as a stranger, change the keys again and again, and wait for the end."""
    # Python has no word for it; in CPython the library's own object follows the head and one field of Python's.
    library = ctypes.PyDLL(_ssl.__file__)
    reader, writer = await plain(listener)
    came, gone = ssl.MemoryBIO(), ssl.MemoryBIO()
    tls = caller_context().wrap_bio(came, gone)
    while True:
        try:
            tls.do_handshake()
            break
        except ssl.SSLWantReadError:
            writer.write(gone.read())
            came.write(await reader.read(65_536))
    own = ctypes.c_void_p.from_address(id(tls._sslobj) + object.__basicsize__ + ctypes.sizeof(ctypes.c_void_p))  # type: ignore[attr-defined]
    for _ in range(often):
        assert library.SSL_key_update(own, 0) == 1
        assert library.SSL_do_handshake(own) == 1
    with suppress(OSError):
        writer.write(gone.read())
        await reader.read()
    writer.close()


def test_a_stranger_who_changes_keys_without_end_is_hung_up_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(listening, "OPENING", 60.0)

    async def conversation(listener: Listener) -> None:
        await change_keys(listener, 1_500)

    play(conversation)
