"""The announcement in the local network: what it says in the clear, and who can read the rest."""

from __future__ import annotations

import asyncio
import builtins
import re
import socket
from types import SimpleNamespace
from typing import Any

import pytest
from cryptography.hazmat.primitives.kdf import scrypt
from hypothesis import given
from hypothesis import strategies as st

from protocol.core.words import WORDS
from protocol.reach import ReachError, lan

INVITE = "SOO2-" + "ABCDEFGHIJ234567" * 20
WORDS4 = ("amber", "otter", "plum", "zebra")


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Use a smaller scrypt; its price is not what is tested."""
    whole = scrypt.Scrypt

    def small(*, salt: bytes, length: int, n: int, r: int, p: int) -> Any:
        assert n * r * 128 == 64 * 2**20
        return whole(salt=salt, length=length, n=2, r=r, p=p)

    monkeypatch.setattr(scrypt, "Scrypt", small)


def test_who_knows_the_words_reads_the_invite() -> None:
    box = lan.join_box({key.encode(): value for key, value in lan.split_box(lan.seal(INVITE, WORDS4)).items()})
    assert lan.unseal(box, WORDS4) == INVITE


def test_other_words_and_changed_boxes_read_nothing() -> None:
    box = lan.seal(INVITE, WORDS4)
    assert lan.unseal(box, ("amber", "otter", "plum", "zebra "[:4])) is None
    assert lan.unseal(box[:-1] + bytes((box[-1] ^ 1,)), WORDS4) is None
    assert lan.unseal(box[:20], WORDS4) is None
    assert lan.unseal(box + bytes(800), WORDS4) is None


def test_nothing_of_the_invite_is_in_the_clear_and_two_boxes_have_nothing_in_common() -> None:
    one, two = (lan.seal(INVITE, WORDS4) for _ in range(2))
    assert len(one) == len(two)
    for at in range(len(one) - 8):
        assert one[at : at + 8] not in two
    assert b"SOO" not in one
    assert not any(word.encode() in one for word in WORDS4)


def test_a_record_of_the_announcement_fits_into_its_length_byte() -> None:
    values = lan.split_box(lan.seal("SOO2-" + "A" * 416, WORDS4))
    assert len(values) <= 4
    assert all(len(f"{key}=") + len(value) <= 255 for key, value in values.items())


def test_words_are_drawn_from_the_list_and_read_as_people_type_them() -> None:
    drawn = lan.draw_words()
    assert len(drawn) == 4
    assert set(drawn) <= set(WORDS)
    assert lan.read_words(" Amber-otter,  PLUM zebra\n") == WORDS4
    for text in ("", "amber otter plum", "amber otter plum zebra apple", "amber otter plum zebr"):
        assert lan.read_words(text) is None


@given(st.dictionaries(st.binary(max_size=2), st.none() | st.binary(max_size=255), max_size=6))
def test_no_record_of_a_stranger_makes_the_reader_fail(values: dict[bytes, bytes | None]) -> None:
    assert lan.unseal(lan.join_box(values), WORDS4) is None


def test_without_the_extra_it_says_what_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    real = builtins.__import__

    def without(name: str, *rest: Any) -> Any:
        if name.split(".")[0] == "zeroconf":
            raise ImportError(name)
        return real(name, *rest)

    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(ReachError) as error:
        lan.import_library()
    assert error.value.code == "no-zeroconf"


# -- the network ------------------------------------------------------------------------------------------


class Air:
    """The part of ``zeroconf`` that is used, over a dictionary in place of a network."""

    def __init__(self) -> None:
        self.services: dict[str, Any] = {}
        self.interfaces: list[Any] = []
        self.open = 0
        self.broken = False
        air = self

        class AsyncServiceInfo:
            """A service, announced or asked for."""

            def __init__(self, kind: str, name: str, **facts: Any) -> None:
                self.kind, self.name, self.facts = kind, name, facts
                self.port: int | None = None
                self.properties: dict[bytes, bytes | None] = {}

            async def async_request(self, zeroconf: Any, milliseconds: int) -> bool:
                found = air.services.get(self.name)
                if found is None:
                    return False
                self.port = found.facts["port"]
                self.facts = found.facts
                self.properties = {key.encode(): value for key, value in found.facts["properties"].items()}
                return True

            def parsed_addresses(self) -> list[str]:
                return [socket.inet_ntoa(packed) for packed in self.facts["addresses"]]

        class AsyncZeroconf:
            """A socket that is not there."""

            def __init__(self, interfaces: Any = None) -> None:
                if air.broken:
                    raise OSError("no network")
                air.interfaces.append(interfaces)
                air.open += 1
                self.zeroconf = self

            async def async_register_service(self, info: Any) -> None:
                air.services[info.name] = info

            async def async_unregister_service(self, info: Any) -> None:
                del air.services[info.name]

            async def async_close(self) -> None:
                air.open -= 1

        class AsyncServiceBrowser:
            """Tells of all that is there, and of one that has gone again."""

            def __init__(self, zeroconf: Any, kind: str, handlers: list[Any]) -> None:
                for name in [*air.services, "gone"]:
                    handlers[0](zeroconf, kind, name, SimpleNamespace(name="Added"))
                handlers[0](zeroconf, kind, "other", SimpleNamespace(name="Removed"))

            async def async_cancel(self) -> None:
                return None

        self.AsyncServiceInfo, self.AsyncZeroconf = AsyncServiceInfo, AsyncZeroconf
        self.AsyncServiceBrowser = AsyncServiceBrowser


@pytest.fixture
def air(monkeypatch: pytest.MonkeyPatch) -> Air:
    found = Air()
    monkeypatch.setattr(lan, "import_library", lambda: found)
    return found


def test_an_announcement_is_found_read_and_taken_back(air: Air) -> None:
    async def whole() -> None:
        announcement = await lan.announce(INVITE, WORDS4, ["192.168.1.20"], 47_331)
        (host,) = await lan.browse(0.05)
        assert (host.addresses, host.port) == (("192.168.1.20",), 47_331)
        assert lan.unseal(host.box, WORDS4) == INVITE
        await announcement.close()
        assert await lan.browse(0.05) == ()

    asyncio.run(whole())
    assert air.open == 0
    assert air.interfaces[0] == ["192.168.1.20"]


def test_the_names_of_announcements_are_made_by_chance_and_do_not_name_the_machine(air: Air) -> None:
    async def whole() -> list[tuple[str, str]]:
        for _ in range(2):
            await lan.announce(INVITE, WORDS4, ["192.168.1.20"], 47_331)
        return [(info.name, info.facts["server"]) for info in air.services.values()]

    names = asyncio.run(whole())
    assert len(set(names)) == 2
    for name, server in names:
        assert re.fullmatch(r"[0-9a-f]{16}\._storm-p2p\._tcp\.local\.", name)
        assert server == f"{name[:16]}.local."
        assert socket.gethostname() not in server


def test_without_a_network_both_say_so(air: Air) -> None:
    air.broken = True
    for waiting in (lan.announce(INVITE, WORDS4, ["192.168.1.20"], 47_331), lan.browse(0.05)):
        with pytest.raises(ReachError) as error:
            asyncio.run(waiting)
        assert error.value.code == "closed"
