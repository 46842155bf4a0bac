"""Attackers at the port of a running match: the match goes on, and what they can make the program hold is bounded."""

from __future__ import annotations

import asyncio
import random
import socket
import ssl
import tracemalloc
from collections.abc import Awaitable, Callable
from contextlib import ExitStack, suppress
from pathlib import Path

import pytest
from helpers import daily_first

from cli.match.match import Match
from cli.match.player import Ending, MatchEvent, Noticed
from cli.meeting import meeting
from cli.meeting.lines import LINES, Lines, begin, line_secret
from cli.meeting.meeting import PendingInvite, Proposal, SeatDraw, Wishes
from cli.meeting.reachability import Listening, LocalEndpoint, PeerEndpoint, Reachability
from cli.runtime.console import stop
from cli.storm.players import RobotPlayer, StormParticipant
from protocol.core.frames import FrameKind
from protocol.core.handshake import Offered
from protocol.core.wire import FRAME_LIMIT
from protocol.crypto.keys import PrivateKey
from protocol.game import Seat
from protocol.transport import Transport, TransportError
from protocol.transport.certificate import Certificate, caller_context, knock
from protocol.transport.listening import KNOCKS, SOURCE_KNOCKS, Listener
from protocol.transport.websocket import abort, connect
from storm_p2p.storm.actions import Action
from storm_p2p.storm.bots import BOTS
from storm_p2p.storm.game import encode_terms
from storm_p2p.storm.state import State, Terms

SECRET = bytes(range(16))
MEMORY = 48 * 1024 * 1024
"""What the whole process of the test may hold at most, attackers included."""


class Patient(RobotPlayer):
    """A computer player that waits in the middle of the match until the attack is over."""

    def __init__(self, name: str, gate: asyncio.Event) -> None:
        super().__init__(name, BOTS["random"], 1)
        self.gate = gate
        self.decided = 0
        self.notices: list[object] = []

    async def decide(self, state: State) -> Action:
        self.decided += 1
        if self.decided > 1:
            await self.gate.wait()
        return await super().decide(state)

    def tell(self, event: MatchEvent) -> None:
        if isinstance(event, Noticed):
            self.notices.append(event.notice)
        else:
            super().tell(event)


class Recorded:
    """A line that remembers what its owner has said."""

    way = ("call", "")

    def __init__(self, link: Transport) -> None:
        self.link = link
        self.allowance = link.allowance
        self.said: list[bytes] = []

    @property
    def channel(self) -> bytes:
        return self.link.channel

    @property
    def limit(self) -> int:
        return self.link.limit

    @limit.setter
    def limit(self, value: int) -> None:
        self.link.limit = value

    async def send(self, frame: bytes) -> None:
        self.said.append(frame)
        await self.link.send(frame)

    async def receive(self) -> bytes | None:
        return await self.link.receive()

    async def close(self) -> None:
        await self.link.close()


class Scene:
    """A match that stands still in its middle, and the port that is attacked."""

    def __init__(
        self,
        endpoint: LocalEndpoint,
        listener: Listener,
        heard: Recorded,
        secret: bytes,
        players: list[Patient],
        lines: list[Lines],
        matches: list[Match],
    ) -> None:
        self.endpoint = endpoint
        self.listener = listener
        self.heard = heard
        self.secret = secret
        self.players = players
        self.lines = lines
        self.matches = matches


Attack = Callable[[Scene], Awaitable[None]]


async def yes(offer: Offered) -> tuple[bool, Seat | None]:
    return True, None


async def attacked(folder: Path, attack: Attack) -> list[Ending]:
    """Play a match to its middle, attack the host, and play it to its end."""
    endpoint = LocalEndpoint(Certificate.make(), SECRET, "127.0.0.1", 0)
    listener = await endpoint.open()
    place = PeerEndpoint(endpoint.certificate.fingerprint, (("127.0.0.1", listener.port),))
    keys = [PrivateKey(bytes([number]) * 32) for number in (1, 2)]
    wishes = [Wishes(f"p{number}", keys[number], folder / str(number), SECRET) for number in (0, 1)]
    call = PendingInvite(folder, SECRET, 2**31)
    guest_link = Recorded(await connect("127.0.0.1", listener.port, place.pin, SECRET))
    host_link = await listener.accept()
    terms = Terms(random_setup=True, open_combat=True)
    mets = await asyncio.gather(
        meeting.host(host_link, wishes[0], Proposal(encode_terms(terms), "hash"), SeatDraw()),
        meeting.guest(guest_link, wishes[1], call, yes),
    )
    reachability = Reachability(Listening(announce=place.candidates))
    lines = [begin(mets[0], endpoint, listener, None, reachability), Lines(mets[1].session, SECRET, None, place)]
    lines[0].greet(host_link)
    lines[1].greet(guest_link)
    gate = asyncio.Event()
    players = [Patient(f"p{number}", gate) for number in (0, 1)]
    matches = [
        Match(met.session, met.journal, StormParticipant(player), folder / "logs")
        for met, player in zip(mets, players, strict=True)
    ]
    playing = [asyncio.create_task(match.play(line)) for match, line in zip(matches, lines, strict=True)]
    try:
        while not any(player.decided > 1 for player in players):
            await asyncio.sleep(0.01)
        secret = line_secret(mets[0].session, SECRET)
        await attack(Scene(endpoint, listener, guest_link, secret, players, lines, matches))
        gate.set()
        return list(await asyncio.gather(*playing))
    finally:
        await stop(*playing)
        for one in lines:
            await one.close()
        for met in mets:
            met.journal.close()


async def half_open(scene: Scene) -> None:
    """A thousand connections that never say a word."""
    with ExitStack() as crowd:
        for number in range(1000):
            one = crowd.enter_context(socket.socket())
            one.setblocking(False)
            one.connect_ex(("127.0.0.1", scene.listener.port))
            if number % 20 == 0:
                await asyncio.sleep(0.01)
                assert len(scene.listener._knocks) <= SOURCE_KNOCKS + 1
        await asyncio.sleep(0.2)


async def slow_bytes(scene: Scene) -> None:
    """Callers who say a byte now and then, in TLS and before it."""
    writers = []
    for number in range(12):
        context: ssl.SSLContext | None = caller_context() if number % 2 else None
        with suppress(OSError):
            _, writer = await asyncio.open_connection("127.0.0.1", scene.listener.port, ssl=context)
            writers.append(writer)
    for _ in range(20):
        for writer in writers:
            writer.write(b"\x16")
        await asyncio.sleep(0.02)
        assert len(scene.listener._knocks) <= KNOCKS
    for writer in writers:
        writer.transport.abort()


async def without_the_secret(scene: Scene) -> None:
    """Whoever has not the secret hears nothing, whatever he says."""
    chance = random.Random(1)
    wrong = (bytes(16), SECRET[::-1], SECRET[:-1])
    for said in (
        b"GET / HTTP/1.1\r\n\r\n" * 10,
        bytes(200_000),
        *(knock(one, bytes(32)) for one in wrong),
        *(chance.randbytes(chance.randrange(1, 5000)) for _ in range(5)),
    ):
        reader, writer = await asyncio.open_connection("127.0.0.1", scene.listener.port, ssl=caller_context())
        writer.write(said)
        heard = b""
        with suppress(OSError, TimeoutError):
            async with asyncio.timeout(0.3):
                heard = await reader.read()
        assert heard == b""
        writer.transport.abort()


async def guest_of_another_host(scene: Scene) -> None:
    """Somebody between the two, with a certificate of his own, is told nothing by the one who calls."""
    with pytest.raises(TransportError) as caught:
        await connect("127.0.0.1", scene.listener.port, Certificate.make().fingerprint, SECRET)
    assert caught.value.code == "wrong-certificate"


async def replay(scene: Scene) -> None:
    """Whoever knows the secret of the match and has recorded every frame says all of it again."""
    pin = scene.endpoint.certificate.fingerprint
    with pytest.raises(TransportError) as caught:
        await connect("127.0.0.1", scene.listener.port, pin, SECRET)
    # The invite is worth nothing any more.
    assert caught.value.code == "turned-away"
    kinds = {FrameKind.HELLO, FrameKind.SIGN, FrameKind.CALL, FrameKind.RESUME, FrameKind.ENVELOPE}
    assert kinds <= {frame[1] for frame in scene.heard.said}
    for start in range(4):
        with suppress(TransportError):
            link = await connect("127.0.0.1", scene.listener.port, pin, scene.secret)
            link.limit = FRAME_LIMIT
            for frame in scene.heard.said[start:]:
                await link.send(frame)
            heard = []
            with suppress(TimeoutError):
                async with asyncio.timeout(0.2):
                    while (frame_heard := await link.receive()) is not None:
                        heard.append(frame_heard)
            # Nothing of the match is told to him: a fresh nonce, and the handshake that he has seen before.
            assert {frame[1] for frame in heard} <= {FrameKind.CALL, FrameKind.HELLO, FrameKind.SIGN}
            abort(link._connection)
    assert len(scene.listener._open) <= LINES


async def oversized(scene: Scene) -> None:
    """Somebody who knows the secret sends frames without end, and frames that are too large."""
    pin = scene.endpoint.certificate.fingerprint
    for frame in (bytes(FRAME_LIMIT), b"\x94" * FRAME_LIMIT, b"x"):
        link = await connect("127.0.0.1", scene.listener.port, pin, scene.secret)
        with suppress(TransportError):
            for _ in range(20):
                await link.send(frame)
        abort(link._connection)
    link = await connect("127.0.0.1", scene.listener.port, pin, scene.secret)
    with suppress(Exception):
        await link._connection.send(bytes(1_000_000))
        await link.receive()
    abort(link._connection)


@pytest.mark.parametrize(
    "attack", daily_first([half_open, replay, oversized, slow_bytes, without_the_secret, guest_of_another_host], 3)
)
def test_the_match_goes_on_under_attack_and_memory_stays_bounded(attack: Attack, tmp_path: Path) -> None:
    async def whole() -> list[Ending]:
        async with asyncio.timeout(60):
            return await attacked(tmp_path, attack)

    tracemalloc.start()
    try:
        ends = asyncio.run(whole())
        assert tracemalloc.get_traced_memory()[1] < MEMORY
    finally:
        tracemalloc.stop()
    assert ends[0].winner == ends[1].winner is not None
    assert all(end.audited and not end.problems for end in ends)
