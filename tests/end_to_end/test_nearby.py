"""Meeting in the same network: what host and guest are told, with announcements that a test has made."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from cli.app.main import main
from cli.meeting import reachability
from cli.meeting.reachability import Reachability
from protocol.reach import ReachError, lan
from protocol.reach.lan import WaitingHost

WORDS = ("amber", "otter", "plum", "zebra")
HOUSE = "192.168.1.20"


class Air:
    """A network that carries what was announced."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.hosts: tuple[WaitingHost, ...] = ()
        self.problem: ReachError | None = None
        monkeypatch.setattr(lan, "announce", self._announce)
        monkeypatch.setattr(lan, "browse", self._browse)
        monkeypatch.setattr(lan, "draw_words", lambda: WORDS)
        monkeypatch.setattr(lan, "seal", lambda invite, words: f"{'-'.join(words)} {invite}".encode())
        monkeypatch.setattr(lan, "unseal", self._unseal)

    @staticmethod
    def _unseal(box: bytes, words: Any) -> str | None:
        lock, _, invite = box.decode().partition(" ")
        return invite if lock == "-".join(words) else None

    async def _announce(self, invite: str, words: Any, addresses: list[str], port: int) -> Any:
        if self.problem is not None:
            raise self.problem
        self.hosts = (WaitingHost(tuple(addresses), port, lan.seal(invite, words)),)
        return object()

    async def _browse(self) -> tuple[WaitingHost, ...]:
        if self.problem is not None:
            raise self.problem
        return self.hosts


@pytest.fixture
def air(monkeypatch: pytest.MonkeyPatch) -> Air:
    return Air(monkeypatch)


def announced(*own: str) -> Any:
    return asyncio.run(reachability.announce_nearby("SOO2-AAAA", own, 47_331))


def nobody(question: str) -> str:
    raise AssertionError("expected that nobody is asked")


def test_a_guest_who_types_the_words_has_the_invite(air: Air, capsys: pytest.CaptureFixture[str]) -> None:
    assert announced(HOUSE) is not None
    assert "join --lan and type: amber otter plum zebra" in capsys.readouterr().err
    assert reachability.find_nearby("Amber otter, plum zebra", nobody) == "SOO2-AAAA"
    assert "One host is waiting: 192.168.1.20." in capsys.readouterr().err


def test_a_guest_may_mistype_the_words_but_not_for_ever(air: Air, capsys: pytest.CaptureFixture[str]) -> None:
    announced(HOUSE)
    typed = iter(["amber", "zebra plum otter amber", "amber otter plum zebra"])
    assert reachability.find_nearby("", lambda question: next(typed)) == "SOO2-AAAA"
    said = capsys.readouterr().err
    assert "Type the host's four words" in said
    assert "No host on this network has these words" in said
    asked = iter(["amber"] * reachability.TRIES)
    assert reachability.find_nearby("", lambda question: next(asked)) is None
    assert list(asked) == []


def test_words_that_were_given_are_not_asked_for_again(air: Air) -> None:
    announced(HOUSE)
    assert reachability.find_nearby("amber amber amber amber", nobody) is None


def test_only_addresses_of_ipv4_are_announced(air: Air) -> None:
    announced(HOUSE, "fd00::2")
    assert air.hosts[0].addresses == ("192.168.1.20",)


def test_without_a_network_or_the_extra_the_host_is_told_and_goes_on(
    air: Air, capsys: pytest.CaptureFixture[str]
) -> None:
    assert announced("fd00::2") is None
    air.problem = ReachError("no-zeroconf", "expected the extra, got none")
    assert announced(HOUSE) is None
    said = capsys.readouterr().err
    assert said.count("The invite works all the same.") == 2
    assert "pip install zeroconf" in said


def test_join_in_an_empty_network_says_so_and_ends_without_a_connection(
    air: Air, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["join", "--lan", "amber otter plum zebra", "--player", "bot:random"]) == 3
    assert "Nobody is announcing a match" in capsys.readouterr().err
    air.problem = ReachError("no-zeroconf", "expected the extra, got none")
    assert main(["join", "--lan", "amber otter plum zebra", "--player", "bot:random"]) == 3
    assert "Ask your friend for an invite" in capsys.readouterr().err


def test_a_port_that_only_this_machine_reaches_is_not_announced(air: Air, capsys: pytest.CaptureFixture[str]) -> None:
    asyncio.run(Reachability().announce("SOO2-AAAA", 47_331, "127.0.0.1"))
    assert air.hosts == ()
    assert "This match is not announced" in capsys.readouterr().err
