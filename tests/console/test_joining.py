"""What a guest is told before the match: an invite that was used already, a match that has begun, the way there."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Coroutine
from dataclasses import replace
from pathlib import Path

import pytest

from cli.app import join
from cli.app.launch import running
from cli.app.main import main
from cli.match.player import MatchEvent, Noticed, Player
from cli.meeting import joining
from cli.meeting.meeting import PendingInvite, Proposal, Wishes
from cli.meeting.reachability import Listening, PeerEndpoint, Reachability
from cli.notices import NetworkChanged
from cli.runtime.console import Exit
from cli.storage.home import Home
from cli.text import failures
from cli.text.joining import turned_away
from protocol.core.agreement import GUEST_CHOOSES, Role
from protocol.core.handshake import HandshakeFailed, Offered
from protocol.crypto.keys import PrivateKey
from protocol.game import Seat
from protocol.reach import invite
from protocol.reach.formats.candidates import Candidate, Way
from protocol.reach.formats.outside import Seen
from protocol.reach.invite import Invite
from protocol.record.journal import Journal, StoredState
from protocol.transport import TransportError
from protocol.transport.certificate import PIN_LENGTH, Certificate
from protocol.transport.listening import serve
from storm_p2p.storm.game import encode_terms
from storm_p2p.storm.state import Terms

HALF = bytes(16)
NUMBER = bytes.fromhex("fa9aaaac") + bytes(28)


@pytest.fixture
def home(tmp_path: Path) -> Home:
    made = Home(tmp_path)
    made.prepare()
    return made


def used(home: Home) -> tuple[Invite, Journal]:
    """Return an invite whose match has begun in a folder, and the open journal of that match."""
    sent = Invite((("127.0.0.1", 4711),), HALF, HALF, HALF, int(time.time()) + 1000, HALF)
    own = PrivateKey(bytes(32))
    book = Journal.create(home.matches, started_at=0, role=Role.GUEST, name="a", entropy=bytes(32), identity=own)
    book.meet(NUMBER, "bob")
    PendingInvite(home.matches, sent.secret, sent.expires).begin("a", own)
    PendingInvite(home.matches, sent.secret, sent.expires).signs("a", bytes(32), bytes(32), None)
    PendingInvite(home.matches, sent.secret, sent.expires).begun(NUMBER)
    return sent, book


def test_an_invite_that_is_not_taken_is_said_to_be_used_at_the_first_refusal_and_tried_once_more(
    home: Home, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(joining, "BACKOFF", (0.0,) * 6)

    async def calling() -> None:
        certificate = Certificate.make()
        listener = await serve("127.0.0.1", 0, certificate, b"another's secret")
        place = PeerEndpoint(certificate.fingerprint[:PIN_LENGTH], listener.addresses)
        wishes = Wishes("alice", PrivateKey(bytes(32)), home.matches, HALF)
        pending = PendingInvite(home.matches, HALF, 2**32 - 1)
        try:
            with pytest.raises(TransportError) as caught:
                await joining._agree(place, wishes, pending, joining.takes_any(None), None)
            assert caught.value.code == "turned-away"
        finally:
            await listener.close()

    asyncio.run(calling())
    first, said, second = capsys.readouterr().err.splitlines()
    for refusal in (first, second):
        assert refusal.startswith("127.0.0.1 port ")
    assert "most likely it was already used" in said
    assert "storm-p2p resume" in said


def test_other_terms_than_those_of_the_invite_are_refused_without_asking() -> None:
    asked: list[Offered] = []

    async def consent(offer: Offered) -> tuple[bool, Seat | None]:
        asked.append(offer)
        return True, 1

    subject = Proposal(encode_terms(Terms()), "proved").hash
    checked = joining.of_invite(Invite((("127.0.0.1", 1),), HALF, HALF, subject, 2**32 - 1, HALF), consent)
    offer = Offered("bob", bytes(32), encode_terms(Terms()), "proved", GUEST_CHOOSES)

    async def answered() -> list[tuple[bool, Seat | None]]:
        return [await checked(one) for one in (offer, replace(offer, scheme="hash"))]

    assert asyncio.run(answered()) == [(True, 1), (False, None)]
    assert asked == [offer]


def test_the_last_word_on_a_used_invite_names_a_fresh_one_and_resume() -> None:
    said = failures.sentence("turned-away", "")
    assert "fresh one" in said
    assert "storm-p2p resume" in said


def test_the_invite_of_a_match_that_runs_in_another_window_names_the_window_and_what_to_do(
    home: Home, capsys: pytest.CaptureFixture[str]
) -> None:
    sent, book = used(home)
    with book:
        assert main(["join", invite.dump(sent), "--home", str(home.folder)]) == Exit.USAGE
        said = capsys.readouterr().err
    assert "has already begun on this machine" in said
    assert book.local_id in said
    assert "close it there and try again" in said
    assert "no match" not in said


def test_the_invite_of_a_match_that_was_finished_here_shows_where_its_log_is(
    home: Home, capsys: pytest.CaptureFixture[str]
) -> None:
    sent, book = used(home)
    with book:
        book.keep("computer", b"random")
        book.end(StoredState.FINISHED, Path("x.storm"))
    assert main(["join", invite.dump(sent), "--home", str(home.folder)]) == Exit.USAGE
    assert "storm-p2p replay x.storm" in capsys.readouterr().err


def test_a_side_that_the_game_of_an_invite_does_not_have_is_refused_with_those_that_it_has(
    home: Home, capsys: pytest.CaptureFixture[str]
) -> None:
    sent = Invite((("127.0.0.1", 9),), HALF, HALF, HALF, int(time.time()) + 1000, HALF)
    words = ["join", invite.dump(sent), "--seat", "0", "--player", "bot:random", "--home", str(home.folder)]
    assert main(words) == Exit.USAGE
    assert "has no side 0; its sides are chthonians" in capsys.readouterr().err


def test_news_of_the_router_go_to_the_screen_once_a_guest_is_in_the_match(
    home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    doorways: list[Reachability] = []

    async def meet(*wanted: object, reachability: Reachability, **more: object) -> str:
        doorways.append(reachability)
        return "met"

    class Told:
        def __init__(
            self, met: Callable[[], Coroutine[None, None, str]], player: Player, *_: object, **__: object
        ) -> None:
            self.met, self.player = met, player

        def run(self) -> Exit:
            assert asyncio.run(self.met()) == "met"
            told: list[MatchEvent] = []
            self.player.tell = told.append  # type: ignore[method-assign, assignment]
            doorways[0].on_notice(NetworkChanged())
            assert told == [Noticed(NetworkChanged())]
            return Exit.FINE

    monkeypatch.setattr(join, "meet", meet)
    monkeypatch.setattr(running, "Series", Told)
    sent = Invite((("127.0.0.1", 4711),), HALF, HALF, HALF, int(time.time()) + 1000, HALF)
    order = ["join", invite.dump(sent), "--player", "bot:random", "--home", str(home.folder)]
    assert main(order) == Exit.FINE
    assert len(doorways) == 1


@pytest.mark.parametrize(
    ("addresses", "here"),
    [
        (("127.0.0.1",), True),
        (("127.0.0.1", "::1"), True),
        (("127.0.0.1", "192.0.2.7"), False),
        (("192.0.2.7",), False),
        ((), False),
    ],
)
def test_on_one_machine_nothing_is_said_of_calling_over_a_network(
    addresses: tuple[str, ...], here: bool, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    async def nobody(*_: object) -> None:
        raise TransportError("unreachable", "nobody")

    monkeypatch.setattr(joining, "dial", nobody)
    place = PeerEndpoint(HALF, tuple((address, 1) for address in addresses))
    assert place.on_this_machine is here
    with pytest.raises(TransportError):
        asyncio.run(joining.call(place, HALF))
    assert ("Calling " in capsys.readouterr().err) is not here


def test_a_call_takes_no_longer_than_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    assert joining.PATIENCE == 3
    place, book = PeerEndpoint(HALF, (("192.0.2.7", 9),)), PrivateKey(bytes(32))

    async def calling(patience: float | None) -> None:
        wishes = Wishes("alice", book, Path(), HALF)
        pending = PendingInvite(Path(), HALF, 2**32 - 1)
        await joining._agree(place, wishes, pending, joining.takes_any(None), patience)

    async def nobody(*_: object) -> None:
        raise TransportError("unreachable", "nobody")

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(joining, "dial", nobody)
        for patience in (3.0, None):
            with pytest.raises(TransportError):
                asyncio.run(calling(patience))
    brief, long = capsys.readouterr().err.splitlines()
    assert "three seconds at most" in brief
    assert "ten seconds at most" in long


def test_a_guest_who_is_seen_elsewhere_while_waiting_prints_a_new_line(
    home: Home, capsys: pytest.CaptureFixture[str]
) -> None:
    given: list[str] = []

    async def waiting() -> None:
        reachability = Reachability(Listening("127.0.0.1"), is_host=False)
        wishes = Wishes("alice", PrivateKey(bytes(32)), home.matches, HALF)
        sent = Invite((("127.0.0.1", 9),), HALF, HALF, HALF, int(time.time()) + 1000, HALF)
        pending = PendingInvite(home.matches, sent.secret, sent.expires)
        task = asyncio.create_task(
            joining.answer(sent, wishes, pending, joining.takes_any(None), reachability, given.append)
        )
        async with asyncio.timeout(10):
            while not given:
                await asyncio.sleep(0)
        reachability.seen = Seen((("5.1.1.2", 40_404),))
        reachability.moved()
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        await reachability.close()

    asyncio.run(waiting())
    first, second = (joining.read_swap(line, invite.Purpose.REPLY) for line in given)
    assert (first.seen.addresses, second.seen.addresses) == ((), (("5.1.1.2", 40_404),))
    assert "another address or port" in capsys.readouterr().err


@pytest.mark.parametrize(("version", "said"), [(1, "Ask your friend to update"), (3, "Update yours")])
def test_a_line_of_another_version_says_whose_program_has_to_be_updated(version: int, said: str) -> None:
    line = invite.dump(Invite((("127.0.0.1", 4711),), HALF, HALF, HALF, 2**32 - 1, HALF))
    with pytest.raises(joining.BadLine, match=said):
        joining.read_swap(line.replace("SOO2", f"SOO{version}"), invite.Purpose.REPLY)


@pytest.mark.parametrize("code", ["unreachable", "timeout"])
def test_whoever_finds_no_way_in_hears_of_a_fresh_invite_and_of_the_doctor(code: str) -> None:
    said = failures.sentence(code, "")
    assert "storm-p2p host again" in said
    assert "--swap" not in said
    assert "storm-p2p doctor" in said


@pytest.mark.parametrize(
    ("ways", "warned"),
    [([Way.LAN, Way.LAN], True), ([Way.IPV6, Way.LAN], False), ([Way.LAN, Way.ONION], False), ([], False)],
)
def test_an_answer_that_only_the_own_network_can_use_is_given_with_a_warning(
    ways: list[Way], warned: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    reachability = Reachability()
    reachability.candidates = tuple(Candidate(way, "192.168.1.20", number) for number, way in enumerate(ways))
    join._reply(reachability, "SOO2-AAAA", json=False, swap=True)
    said = capsys.readouterr()
    assert said.out == "  SOO2-AAAA\n\n"
    assert ("storm-p2p doctor" in said.err) is warned


@pytest.mark.parametrize(
    "code",
    [
        "wrong_secret",
        "game",
        "peer_game",
        "peer_terms_refused",
        "peer_conditions",
        "peer_redrawn",
        "lot",
        "wrong_identity",
    ],
)
def test_a_host_is_not_told_to_ask_for_an_invite_of_his_own(code: str) -> None:
    said = turned_away(HandshakeFailed(code, "", ""))
    assert "sk for" not in said
    assert "the host" not in said
