"""The control port and the proxy of tor, honest and hostile, on the loopback."""

from __future__ import annotations

import asyncio
import base64
import hashlib
import hmac
import re
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.reach import ReachError, onion, socks

COOKIE = bytes(range(32))


def run(conversation: Callable[[], Awaitable[None]]) -> None:
    async def whole() -> None:
        async with asyncio.timeout(60):
            await conversation()

    asyncio.run(whole())


async def refused(waiting: Awaitable[object]) -> str:
    with pytest.raises(ReachError) as caught:
        await waiting
    return caught.value.code


def address_of(key: bytes, version: bytes = b"\x03") -> str:
    checksum = hashlib.sha3_256(b".onion checksum" + key + version).digest()[:2]
    return base64.b32encode(key + checksum + version).decode().lower() + ".onion"


ADDRESS = address_of(bytes(32))


Serve = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]


@asynccontextmanager
async def listening(serve: Serve) -> AsyncIterator[int]:
    async def guarded(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            await serve(reader, writer)
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            writer.close()

    server = await asyncio.start_server(guarded, "127.0.0.1", 0)
    try:
        yield server.sockets[0].getsockname()[1]
    finally:
        server.close()
        await server.wait_closed()


class Tor:
    """A control port; ``asked`` is what came, ``changes`` replaces the answer to a command."""

    def __init__(self, cookie: Path, methods: str = "COOKIE,SAFECOOKIE", **changes: str) -> None:
        self.cookie, self.methods, self.changes = cookie, methods, changes
        self.asked: list[str] = []
        self.knows = COOKIE

    async def __call__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while line := (await reader.readline()).decode().strip():
            self.asked.append(line)
            word = line.split()[0]
            writer.write(self.changes.get(word, self.answer(word, line)).replace("\n", "\r\n").encode())
            await writer.drain()

    def answer(self, word: str, line: str) -> str:
        if word == "PROTOCOLINFO":
            path = re.sub(r'(["\\])', r"\\\1", str(self.cookie))
            return f'250-PROTOCOLINFO 1\n250-AUTH METHODS={self.methods} COOKIEFILE="{path}"\n250 OK\n'
        if word == "AUTHCHALLENGE":
            both = self.knows + bytes.fromhex(line.split()[2]) + bytes(32)
            shown = hmac.digest(b"Tor safe cookie authentication server-to-controller hash", both, "sha256")
            return f"250 AUTHCHALLENGE SERVERHASH={shown.hex().upper()} SERVERNONCE={'00' * 32}\n"
        if word == "ADD_ONION":
            return f"250-ServiceID={ADDRESS.removesuffix('.onion')}\n250 OK\n"
        return "250 OK\n"

    def opened(self) -> str:
        """Return what an attempt to open an onion address gives: the address or the code."""
        said: list[str] = []

        async def conversation() -> None:
            async with listening(self) as port:
                try:
                    found = await onion.open_onion(4_711, controls=(port,))
                except ReachError as error:
                    said.append(error.code)
                else:
                    said.append(found.address)
                    await found.close()

        run(conversation)
        return said[0]


@pytest.fixture
def cookie(tmp_path: Path) -> Path:
    path = tmp_path / 'a "cookie"'
    try:
        path.write_bytes(COOKIE)
    except OSError:
        path = tmp_path / "cookie"
        path.write_bytes(COOKIE)
    return path


def test_an_onion_address_is_opened_with_the_cookie_and_given_up_at_the_end(cookie: Path) -> None:
    tor = Tor(cookie)
    assert tor.opened() == ADDRESS
    words = [line.split()[0] for line in tor.asked]
    assert words == ["PROTOCOLINFO", "AUTHCHALLENGE", "AUTHENTICATE", "ADD_ONION", "DEL_ONION"]
    assert tor.asked[3] == "ADD_ONION NEW:ED25519-V3 Flags=DiscardPK Port=4711,127.0.0.1:4711"
    assert COOKIE.hex() not in "".join(tor.asked).lower()


def test_a_tor_without_a_lock_needs_no_cookie(cookie: Path) -> None:
    assert Tor(cookie, "NULL").opened() == ADDRESS


def test_a_program_that_does_not_know_the_cookie_is_told_nothing_of_it(cookie: Path) -> None:
    tor = Tor(cookie)
    tor.knows = bytes(32)
    assert tor.opened() == "impostor"
    assert [line.split()[0] for line in tor.asked] == ["PROTOCOLINFO", "AUTHCHALLENGE"]


@pytest.mark.parametrize("methods", ["HASHEDPASSWORD", "COOKIE"])
def test_a_tor_that_wants_a_password_or_the_bare_cookie_is_left_alone(cookie: Path, methods: str) -> None:
    assert Tor(cookie, methods).opened() == "locked"


def test_a_cookie_that_is_none_or_that_may_not_be_read_is_named(tmp_path: Path) -> None:
    assert Tor(tmp_path / "none").opened() == "locked"
    assert Tor(tmp_path).opened() == "malformed"
    long = tmp_path / "long"
    long.write_bytes(bytes(33))
    assert Tor(long).opened() == "malformed"


@pytest.mark.parametrize(
    ("word", "answer", "code"),
    [
        ("ADD_ONION", "512 Bad arguments\n", "refused"),
        ("ADD_ONION", "250 OK\n", "malformed"),
        ("ADD_ONION", f"250 ServiceID={'a' * 56}\n", "malformed"),
        ("AUTHENTICATE", "515 Authentication failed\n", "refused"),
        ("AUTHCHALLENGE", "250 OK\n", "malformed"),
        ("PROTOCOLINFO", "SSH-2.0-x\n", "malformed"),
        ("PROTOCOLINFO", "250-" + "a" * 5_000 + "\n", "malformed"),
        ("PROTOCOLINFO", "250-x\n" * 100, "malformed"),
        ("PROTOCOLINFO", "250 OK\n", "locked"),
    ],
)
def test_a_control_port_that_says_something_else_is_named(cookie: Path, word: str, answer: str, code: str) -> None:
    assert Tor(cookie, "COOKIE,SAFECOOKIE", **{word: answer}).opened() == code


async def _nobody() -> int:
    async with listening(Tor(Path())) as port:
        return port


def test_without_tor_both_say_so() -> None:
    async def conversation() -> None:
        port = await _nobody()
        assert await refused(onion.open_onion(1, controls=(port,))) == "no-tor"
        assert await refused(socks.connect(ADDRESS, 1, proxies=(port,))) == "no-tor"

    run(conversation)


def test_an_onion_address_has_a_checksum_and_a_version() -> None:
    assert onion.is_onion(ADDRESS)
    assert not onion.is_onion("b" + ADDRESS[1:])
    assert not onion.is_onion(address_of(bytes(32), b"\x02"))
    assert not onion.is_onion(ADDRESS.removesuffix(".onion"))
    assert not onion.is_onion("example.org")


@given(st.lists(st.text(max_size=60), max_size=4))
def test_no_lines_make_the_readers_of_tor_fail(lines: list[str]) -> None:
    onion.read_methods(lines)
    for read in (onion.read_service, lambda one: onion.prove_cookie(one, COOKIE, bytes(32))):
        with pytest.raises(ReachError):
            read(lines)


# -- the proxy --------------------------------------------------------------------------------------------

REPLY = b"\x05\x00\x00\x01\0\0\0\0\0\0"


def proxy(method: bytes = socks.ACCEPTED, reply: bytes = REPLY, heard: list[bytes] | None = None) -> Serve:
    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        assert await reader.readexactly(3) == socks.GREETING
        writer.write(method)
        head = await reader.readexactly(5)
        asked = head + await reader.readexactly(head[4] + 2)
        if heard is not None:
            heard.append(asked)
        writer.write(reply + b"first bytes")
        await writer.drain()

    return serve


@pytest.mark.parametrize(
    "reply", [REPLY, b"\x05\0\0\x04" + bytes(18), b"\x05\0\0\x03\x02ab\0\0"], ids=["ipv4", "ipv6", "name"]
)
def test_a_call_goes_through_the_proxy_by_name_and_loses_no_byte(reply: bytes) -> None:
    heard: list[bytes] = []

    async def conversation() -> None:
        async with listening(proxy(reply=reply, heard=heard)) as port:
            link = await socks.connect(ADDRESS, 4_711, proxies=(port,))
            assert await asyncio.get_running_loop().sock_recv(link, 99) == b"first bytes"
            link.close()

    run(conversation)
    assert heard == [b"\x05\x01\x00\x03\x3e" + ADDRESS.encode() + (4_711).to_bytes(2, "big")]


@pytest.mark.parametrize(
    ("method", "reply", "code"),
    [
        (b"\x05\xff", REPLY, "malformed"),
        (b"HT", REPLY, "malformed"),
        (socks.ACCEPTED, b"\x05\x04\0\x01" + bytes(6), "refused"),
        (socks.ACCEPTED, b"\x05\xf0\0\x01" + bytes(6), "refused"),
        (socks.ACCEPTED, b"\x04\0\0\x01" + bytes(6), "malformed"),
        (socks.ACCEPTED, b"\x05\0\0\x09" + bytes(6), "malformed"),
    ],
)
def test_a_proxy_that_refuses_or_is_none_is_named(method: bytes, reply: bytes, code: str) -> None:
    async def conversation() -> None:
        async with listening(proxy(method, reply)) as port:
            assert await refused(socks.connect(ADDRESS, 1, proxies=(port,))) == code

    run(conversation)


def test_whether_tor_is_here_is_known_by_its_port(monkeypatch: pytest.MonkeyPatch) -> None:
    async def conversation() -> None:
        async with listening(proxy()) as port:
            monkeypatch.setattr(socks, "PORTS", (port,))
            assert await socks.is_listening()
        monkeypatch.setattr(socks, "PORTS", ())
        assert not await socks.is_listening()

    run(conversation)


def test_a_proxy_that_says_nothing_ends_with_the_time() -> None:
    async def silent(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read()

    async def conversation() -> None:
        async with listening(silent) as port:
            assert await refused(socks.connect(ADDRESS, 1, proxies=(port,), seconds=0.05)) == "silent"

    run(conversation)


@pytest.mark.parametrize("name", ["", "a" * 256, "café"])
def test_a_name_that_does_not_fit_is_refused_before_it_is_sent(name: str) -> None:
    with pytest.raises(ValueError, match=r"character|ascii"):
        socks.request(name, 1)


@given(st.binary(min_size=5, max_size=5))
def test_no_head_of_a_reply_asks_for_more_than_a_name(head: bytes) -> None:
    try:
        assert 4 < socks.count_rest(head) <= 258 or head[3] == 3
    except ReachError as error:
        assert error.code in ("refused", "malformed")  # noqa: PT017
