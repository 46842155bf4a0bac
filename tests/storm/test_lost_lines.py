"""Lines that are lost, half dead or never whole: both call, both listen, and go on where they were."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from helpers_home import begun
from helpers_memory import pair
from helpers_storm import StormPair

from cli.match.match import Connection, EventForwarder, Match
from cli.meeting import lines, meeting
from cli.meeting.lines import BACKOFF, GREETING, Lines, begin, line_secret
from cli.meeting.meeting import Met, NoMatch, PendingInvite, Proposal, SeatDraw, Wishes
from cli.meeting.reachability import LocalEndpoint, PeerEndpoint, Reachability
from cli.notices import Failed, LineBack, LineLost, LineTried, Notice
from cli.storage.home import Home
from cli.storm.players import StormParticipant
from protocol.core.events import EndpointTold
from protocol.core.frames import FrameKind
from protocol.core.session import Session
from protocol.crypto.keys import PrivateKey
from protocol.reach.formats.outside import Nature, Seen
from protocol.transport import BURST, Allowance, Transport, TransportError
from protocol.transport.certificate import Certificate
from protocol.transport.websocket import WebSocketTransport, abort, connect
from storm import test_attacks
from storm.test_attacks import SECRET, Patient, Scene, attacked, yes
from storm_p2p.storm.game import encode_terms
from storm_p2p.storm.state import Terms


async def told(players: list[Patient], notice: Notice) -> None:
    """Wait until a player was told something."""
    while not any(notice in player.notices for player in players):
        await asyncio.sleep(0.01)


async def settled(scene: Scene, before: WebSocketTransport | None = None) -> WebSocketTransport:
    """Wait until both are on one line and the guest, who alone calls, wants no other; return the guest's end.

    Until then a line may be replaced, and nobody is told of what comes on one that is not taken yet.
    """
    calls = scene.lines[1]
    while True:
        lines: list[Any] = [one._connection._line for one in scene.matches]
        held, link = (getattr(line, "link", line) for line in lines)
        looks = calls._greeting or not calls.found.empty() or not all(task.done() for task in calls._calling[:1])
        if (
            held is not None
            and link is not None
            and link is not before
            and not looks
            and link._connection.local_address == held._connection.remote_address
        ):
            assert isinstance(link, WebSocketTransport)
            return link
        await asyncio.sleep(0.01)


async def cut(scene: Scene) -> None:
    """The line breaks, as when a router is switched off and on."""
    link = await settled(scene)
    abort(link._connection)
    await settled(scene, before=link)
    await told(scene.players, LineLost(calls=True))
    await told(scene.players, LineBack())


async def gone_silent(scene: Scene) -> None:
    """The guest's side is dead and the host does not know: he takes the new line all the same."""
    link = await settled(scene)
    # Nothing reaches the host any more, not even the end of the connection.
    link._connection.transport.pause_reading()
    link._connection.connection_lost(None)
    await settled(scene, before=link)


async def flood(scene: Scene) -> None:
    """The guest says one and the same thing again and again, on one line and then on the next."""
    for frame in (scene.heard.said[-1], b""):
        link = await settled(scene)
        for player in scene.players:
            player.notices.clear()
        said = link._connection.protocol
        for _ in range(3000):
            said.send_binary(frame) if frame else said.send_ping(b"")
        link._connection.send_data()
        while not any(
            isinstance(notice, Failed) and isinstance(notice.error, TransportError) and notice.error.code == "flooded"
            for notice in scene.players[0].notices
        ):
            await asyncio.sleep(0.01)
        await settled(scene, before=link)
        await told(scene.players, LineBack())


@pytest.mark.parametrize("accident", [cut, gone_silent, flood])
def test_a_match_goes_on_after_its_line(
    accident: test_attacks.Attack, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lines, "BACKOFF", (0.05,))
    monkeypatch.setattr(lines, "BURST", 2000)
    monkeypatch.setattr("cli.match.match.FRESH_SECONDS", 0.0)

    async def whole() -> None:
        async with asyncio.timeout(60):
            ends = await attacked(tmp_path, accident)
        assert ends[0].winner == ends[1].winner is not None
        assert all(end.audited for end in ends)

    asyncio.run(whole())


class Deaf:
    """A line on which the last frame of the handshake is lost, and everything after it."""

    way = ("call", "")

    def __init__(self, link: Transport) -> None:
        self.link = link
        self.limit, self.allowance = link.limit, link.allowance

    @property
    def channel(self) -> bytes:
        return self.link.channel

    async def send(self, frame: bytes) -> None:
        await self.link.send(frame)

    async def receive(self) -> bytes | None:
        frame = await self.link.receive()
        return None if frame is None or frame[1] == FrameKind.SIGN else frame

    async def close(self) -> None:
        await self.link.close()


def test_a_guest_who_has_not_heard_the_last_signature_calls_again_and_plays_the_same_match(tmp_path: Path) -> None:
    async def whole() -> tuple[Met, Met]:
        endpoint = LocalEndpoint(Certificate.make(), SECRET, "127.0.0.1", 0)
        listener = await endpoint.open()
        pin = endpoint.certificate.fingerprint
        kept = PendingInvite(tmp_path, SECRET, 2**31)
        keys = [PrivateKey(bytes([number]) * 32) for number in (1, 2)]
        wishes = [Wishes(f"p{number}", keys[number], tmp_path / str(number), SECRET) for number in (0, 1)]
        link = Deaf(await connect("127.0.0.1", listener.port, pin, SECRET))
        host_link = await listener.accept()
        host, guest = await asyncio.gather(
            meeting.host(host_link, wishes[0], Proposal(encode_terms(Terms(random_setup=True)), "hash"), SeatDraw()),
            meeting.guest(link, wishes[1], kept, yes),
            return_exceptions=True,
        )
        assert isinstance(guest, NoMatch)
        assert isinstance(host, Met)
        await link.close()
        gate = asyncio.Event()
        gate.set()
        hosting = begin(host, endpoint, listener, None, Reachability())
        hosting.greet(host_link)
        player = Patient("p0", gate)
        whole = Match(host.session, host.journal, StormParticipant(player), tmp_path)
        playing = asyncio.create_task(whole.play(hosting))
        again = await connect("127.0.0.1", listener.port, pin, SECRET)
        met = await meeting.guest(again, wishes[1], kept, yes)
        calling = Lines(met.session, SECRET, None, PeerEndpoint(pin, (("127.0.0.1", listener.port),)))
        calling.greet(again)
        whole = Match(met.session, met.journal, StormParticipant(Patient("p1", gate)), tmp_path)
        other = asyncio.create_task(whole.play(calling))
        ends = await asyncio.gather(playing, other)
        assert ends[0].winner == ends[1].winner is not None
        for one in (hosting, calling):
            await one.close()
        for one_met in (host, met):
            one_met.journal.close()
        return host, met

    host, guest = asyncio.run(asyncio.wait_for(whole(), 60))
    assert host.session.agreement == guest.session.agreement
    assert set(host.session.records) == set(guest.session.records)


def test_a_guest_who_listens_and_has_not_heard_the_last_signature_is_called_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lines, "BACKOFF", (0.01,))

    async def whole() -> tuple[Met, Met]:
        endpoint = LocalEndpoint(Certificate.make(), SECRET, "127.0.0.1", 0)
        listener = await endpoint.open()
        pin = endpoint.certificate.fingerprint
        kept = PendingInvite(tmp_path, SECRET, 2**31)
        wishes = [
            Wishes(f"p{number}", PrivateKey(bytes([number + 1]) * 32), tmp_path / str(number), SECRET)
            for number in (0, 1)
        ]
        link = await connect("127.0.0.1", listener.port, pin, SECRET)
        heard = await listener.accept()
        host, guest = await asyncio.gather(
            meeting.host(link, wishes[0], Proposal(encode_terms(Terms(random_setup=True)), "hash"), SeatDraw()),
            meeting.guest(Deaf(heard), wishes[1], kept, yes),
            return_exceptions=True,
        )
        assert isinstance(guest, NoMatch)
        assert isinstance(host, Met)
        await heard.close()
        gate = asyncio.Event()
        gate.set()
        # The guest still listens where the invite's secret is asked for, and only the host can call.
        hosting = begin(host, endpoint, None, PeerEndpoint(pin, (("127.0.0.1", listener.port),)), Reachability())
        hosting.greet(link)
        whole = Match(host.session, host.journal, StormParticipant(Patient("p0", gate)), tmp_path)
        playing = asyncio.create_task(whole.play(hosting))
        again = await listener.accept()
        met = await meeting.guest(again, wishes[1], kept, yes)
        called = Lines(met.session, SECRET, listener, None)
        called.greet(again)
        whole = Match(met.session, met.journal, StormParticipant(Patient("p1", gate)), tmp_path)
        other = asyncio.create_task(whole.play(called))
        ends = await asyncio.gather(playing, other)
        assert ends[0].winner == ends[1].winner is not None
        for one in (hosting, called):
            await one.close()
        for one_met in (host, met):
            one_met.journal.close()
        return host, met

    host, guest = asyncio.run(asyncio.wait_for(whole(), 60))
    assert set(host.session.records) == set(guest.session.records)


def knocks(session: Session) -> list[str]:
    """Return what a listener of a match that is taken up again says to the invite's secret, and to the match's."""

    async def knocking() -> list[str]:
        endpoint = LocalEndpoint(Certificate.make(), SECRET, "127.0.0.1", 0)
        listener = await endpoint.open()
        waiting = Lines(session, SECRET, listener, None)
        said = []
        for secret in (SECRET, line_secret(session, SECRET)):
            try:
                link = await connect("127.0.0.1", listener.port, endpoint.certificate.fingerprint, secret)
                said.append("open")
                abort(link._connection)
            except TransportError as error:
                said.append(error.code)
        await waiting.close()
        return said

    return asyncio.run(asyncio.wait_for(knocking(), 60))


def test_a_match_that_is_taken_up_again_opens_to_the_invite_only_until_the_guest_has_sent_something() -> None:
    from helpers_wire import Pair
    from toys import RockPaperScissors

    fresh, played = (Pair(RockPaperScissors(), 1, tag=tag) for tag in ("fresh", "played"))
    played.guest.side_channel.chat("hello")
    played.settle()
    # The guest may not have heard the host's last signature yet, and then the invite's secret is all that he has.
    assert knocks(fresh.host) == ["open", "open"]
    assert knocks(played.host) == ["turned-away", "open"]
    # A host has begun before his guest, so that nobody needs the invite to come to a guest.
    assert knocks(fresh.guest) == ["turned-away", "open"]


def test_how_the_other_is_seen_is_kept_and_what_cannot_be_read_is_passed_over(tmp_path: Path) -> None:
    moved: list[PeerEndpoint] = []
    here = (("192.0.2.1", 4711),)
    seen = Seen((("5.1.1.2", 40_404),), Nature.EASY)
    match = StormPair(tag="seen")
    with begun(Home(tmp_path), match) as book:
        quiet: Any = SimpleNamespace(follow=print, tell=print)
        forwarder = EventForwarder(match.host, book, quiet, quiet, print, moved.append)
        for candidates, said in ((here, b""), (here, b"\3\x09"), ((), b"\2"), ((), b""), ((), seen.pack())):
            forwarder.follow(EndpointTold(1, bytes(32), candidates, said))
        assert PeerEndpoint.of(book) == moved[-1]
        # What an earlier program has kept.
        book.keep("place", b'{"pin": "%s", "candidates": [["192.0.2.1", 4711]]}' % (b"00" * 32))
        assert PeerEndpoint.of(book) == moved[0]
    assert moved == [*[PeerEndpoint(bytes(32), here)] * 2, PeerEndpoint(bytes(32), (), seen)]


def test_an_opponent_who_hangs_up_and_calls_again_and_again_has_to_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    from helpers_wire import Pair
    from toys import RockPaperScissors

    async def whole() -> None:
        waits = asyncio.Event()

        async def sleep(seconds: float) -> None:
            waits.set()
            await asyncio.Event().wait()

        monkeypatch.setattr(asyncio, "sleep", sleep)
        host, guest = (Lines(session, SECRET, None, None) for session in Pair(RockPaperScissors(), 1).sessions)
        for _ in range(lines.QUICK_LINES + 1):
            for side, link in zip((host, guest), pair(), strict=True):
                side.greet(link)
            if len(host._taken) < lines.QUICK_LINES:
                await host.found.get()
        await waits.wait()
        assert host.found.empty()
        await asyncio.gather(host.close(), guest.close())

    asyncio.run(asyncio.wait_for(whole(), 60))


def test_the_calls_come_after_one_two_four_and_at_last_thirty_seconds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pauses: list[float] = []
    called: list[tuple[int, float]] = []

    async def nap(seconds: float) -> None:
        pauses.append(seconds)

    monkeypatch.setattr(lines, "_nap", nap)

    async def whole() -> None:
        def nobody_knows(session: Any) -> Lines:
            return Lines(session, SECRET, None, None)

        from helpers_wire import Pair
        from toys import RockPaperScissors

        calling = nobody_knows(Pair(RockPaperScissors(), 1).host)
        calling.call(lambda count, pause: called.append((count, pause)), tries=8)
        await calling._calling[0]
        await calling.close()

    asyncio.run(whole())
    assert pauses == [1, 2, 4, 8, 15, 30, 30, 30] == [*BACKOFF, 30, 30]
    assert called == list(enumerate(pauses, 1))


def test_while_there_is_a_line_nobody_is_asked_how_we_are_seen() -> None:
    from helpers_wire import Pair
    from toys import RockPaperScissors

    said: list[str] = []

    async def meet(*given: object) -> None:
        said.append("met")

    async def whole() -> None:
        calling = Lines(Pair(RockPaperScissors(), 1).host, SECRET, None, PeerEndpoint(bytes(16), ()))
        rests = SimpleNamespace(rest=lambda: said.append("rested"))
        calling.reachability = SimpleNamespace(rendezvous=rests, meet=meet)  # type: ignore[assignment]
        calling.call(lambda count, pause: None)
        await calling._calling[1]
        calling.rest()
        await calling.close()

    asyncio.run(whole())
    assert said == ["met", "rested"]


def test_another_line_gives_a_flooder_no_other_burst_and_comes_later_each_time(monkeypatch: pytest.MonkeyPatch) -> None:
    from helpers_wire import Pair
    from toys import RockPaperScissors

    now = [0.0]
    rests: list[float] = []
    naps: list[float] = []

    async def nap(seconds: float) -> None:
        naps.append(seconds)
        now[0] += seconds

    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    monkeypatch.setattr(lines, "_nap", nap)

    async def whole() -> None:
        ours, theirs = (Lines(session, SECRET, None, None) for session in Pair(RockPaperScissors(), 1).sessions)
        ours._allowance = Allowance(BURST, ours._rest_after_flood, clock=lambda: 0.0)
        ours._listener = SimpleNamespace(rest=rests.append, admit=lambda *given, **named: None)  # type: ignore[assignment]
        for number in range(8):
            taken = 0
            near, far = pair()
            ours.greet(near)
            theirs.greet(far)
            await ours.found.get()
            while near.allowance.take(1):
                taken += 1
            assert taken == (BURST if number == 0 else 0)
        ours._listener = None
        ours.call(lambda count, pause: None, tries=1)
        await ours._calling[0]
        await asyncio.gather(ours.close(), theirs.close())

    asyncio.run(whole())
    assert rests == [*BACKOFF, 30, 30]
    # The own call waits as well, before the pause that follows every call.
    assert naps == [30, 1]


def test_a_flood_of_somebody_who_has_not_shown_that_he_is_the_other_leaves_the_other_his_lines() -> None:
    from helpers_wire import Pair
    from toys import RockPaperScissors

    async def whole() -> None:
        rests: list[float] = []
        ours, theirs = (Lines(session, SECRET, None, None) for session in Pair(RockPaperScissors(), 1).sessions)
        ours._listener = SimpleNamespace(rest=rests.append)  # type: ignore[assignment]
        for burst in (BURST, GREETING):
            stranger, _ = pair()
            ours.greet(stranger)
            await asyncio.sleep(0)
            # What is missing may come at once behind a RESUME; a RESUME may always come.
            assert stranger.allowance.take(burst)
            assert not stranger.allowance.take(BURST)
        ours._listener = None
        near, far = pair()
        ours.greet(near)
        theirs.greet(far)
        await ours.found.get()
        assert near.allowance.take(BURST // 2)
        assert rests == []
        await asyncio.gather(ours.close(), theirs.close())

    asyncio.run(asyncio.wait_for(whole(), 20))


def test_a_machine_that_wakes_up_calls_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = {"wall": 1000.0, "slept": 0.0}

    async def sleep(seconds: float) -> None:
        # In the third second the lid was closed for an hour.
        clock["slept"] += seconds
        clock["wall"] += seconds + (3600 if clock["slept"] == 3 else 0)

    monkeypatch.setattr(time, "monotonic", lambda: clock["slept"])
    monkeypatch.setattr(time, "time", lambda: clock["wall"])
    monkeypatch.setattr(asyncio, "sleep", sleep)
    whole = lines._nap(30)
    with pytest.raises(StopIteration):
        whole.send(None)
    assert clock["slept"] == 3


def news(count: int, *, lost: bool, begun: bool = True) -> bool:
    """Return whether the player is told of a call in vain."""
    told: list[Notice] = []
    held = SimpleNamespace(history=[1] * begun)
    session: Any = SimpleNamespace(transcript=held, over=False, differs=False, part=lambda now: None)
    connection = Connection(session, told.append, lambda _: None, lambda: None, True)
    # A computer player decides before the first line is greeted.
    held.history.append(1)
    if lost:
        connection.lose()
    connection.unanswered(count, 1.0)
    return LineTried(count, 1.0) in told


def test_the_first_call_is_told_of_a_lost_line_and_of_a_resumed_match_only() -> None:
    assert not news(1, lost=False, begun=False)
    assert news(4, lost=False, begun=False)
    assert news(1, lost=False)
    assert news(1, lost=True, begun=False)
    assert not news(2, lost=True, begun=False)


def test_a_resumed_match_that_told_of_its_calls_tells_that_the_line_is_there() -> None:
    from helpers_wire import Pair, entropy
    from toys import RockPaperScissors

    session = Pair(RockPaperScissors(), 1).host

    async def told_of(calls: int) -> list[Notice]:
        told: list[Notice] = []
        connection = Connection(session, told.append, lambda _: None, lambda: None, True)
        for count in range(1, calls + 1):
            connection.unanswered(count, 1.0)
        link, _ = pair()
        resume_handshake = session.resume_handshake(entropy(f"calls {calls}"), link.channel)
        fake: Any = session
        fake.join = lambda resume_handshake: None
        assert await connection.take(link, resume_handshake)
        await connection.drop()
        return told

    assert asyncio.run(told_of(0)) == []
    assert asyncio.run(told_of(4)) == [LineTried(4, 1.0), LineBack()]


def test_the_secret_of_a_match_is_none_that_an_invite_tells() -> None:
    from helpers_wire import Pair
    from toys import RockPaperScissors

    pairs = [Pair(RockPaperScissors(), 1, tag=tag) for tag in ("one", "two")]
    found = {line_secret(session, SECRET) for one in pairs for session in one.sessions}
    assert len(found) == 2
    assert SECRET not in found
