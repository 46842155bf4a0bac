"""Two programs that play with clocks."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

from helpers_memory import MemoryTransport, pair

from cli.match.match import Match
from cli.match.player import MatchEvent, Noticed
from cli.meeting.lines import Lines
from cli.runtime.console import now
from cli.storm.players import RobotPlayer, StormParticipant
from protocol.core.agreement import Role, host_takes
from protocol.core.clock import ClockKind, ClockTerms
from protocol.core.events import BreakProposed
from protocol.core.game_data import Conditions
from protocol.core.handshake import Config, Handshake
from protocol.core.session import Session
from protocol.core.wire import FRAME_LIMIT
from protocol.crypto.keys import PrivateKey
from protocol.game import Decision
from protocol.record.journal import Journal
from storm_p2p.storm.bots import BOTS
from storm_p2p.storm.game import Storm, encode_terms
from storm_p2p.storm.state import Terms

BLITZ = ClockTerms(ClockKind.BASE, 1200, 10, 5, 300, 600)


class Told(RobotPlayer):
    """A computer player that notes what it is told."""

    agreeable = False
    """Whether it agrees to breaks, which computer players do not."""
    answers = True
    """Whether it answers proposals by itself."""

    def __init__(self, name: str) -> None:
        super().__init__(name, BOTS["random"], 1)
        self.heard_of: list[object] = []

    def tell(self, event: MatchEvent) -> None:
        """Note it, and do what the bot does."""
        if isinstance(event, Noticed):
            self.heard_of.append(event.notice)
            if self.agreeable and isinstance(event.notice, BreakProposed):
                assert self._controls is not None
                self._controls.side_channel.agree(now=now())
                return
            if not self.answers:
                return
        super().tell(event)


class Patient(Told):
    """One that never decides."""

    thinks = False

    async def decide(self, state: Any) -> Any:
        """Wait for ever."""
        self.thinks = True
        await asyncio.Event().wait()


def shaken(clock: ClockTerms | None) -> list[Handshake]:
    """Return both sides of a handshake with a clock."""
    terms: Decision = encode_terms(Terms(random_setup=True))
    both = [
        Handshake(
            Config(
                role,
                Storm(),
                PrivateKey(bytes([9, role]) * 16),
                role.name,
                bytes([7, role]) * 16,
                bytes(16),
                terms=terms,
                scheme="hash",
                seating=host_takes(0),
                conditions=Conditions(clock),
                blind=bytes(32),
            )
        )
        for role in (Role.HOST, Role.GUEST)
    ]
    for _ in range(4):
        for one, other in (both, both[::-1]):
            for frame in one.data_to_send():
                other.receive_data(frame)
    return both


class Table:
    """Two matches on one line in memory, and what each reports."""

    def __init__(self, folder: Path, clock: ClockTerms | None, *players: Told) -> None:
        self.players = players
        sides = shaken(clock)
        self.sessions = Session.begin(sides[0]), Session.begin(sides[1])
        self.entropies = [side.entropy for side in sides]
        self.lines: tuple[list[dict[str, Any]], list[dict[str, Any]]] = ([], [])
        self.journals = [
            Journal.create(
                folder / str(seat),
                started_at=0,
                role=Role.HOST,
                name="a",
                entropy=bytes(32),
                identity=PrivateKey(bytes(32)),
            )
            for seat in (0, 1)
        ]
        self.matches = [
            Match(session, journal, StormParticipant(players[seat]), folder / f"logs{seat}", self.lines[seat].append, 0)
            for seat, (session, journal) in enumerate(zip(self.sessions, self.journals, strict=True))
        ]

    def restored(self, seat: int) -> Session:
        """Return the session of a seat as it is after a restart."""
        key = PrivateKey(bytes([9, seat]) * 16)
        return Session(self.sessions[seat].records, Storm(), key, self.entropies[seat]).restore()

    async def run(self, *more: Any) -> list[Any]:
        """Play both seats, and whatever else is to be done meanwhile; return how each seat's match ended first."""
        ends: tuple[MemoryTransport, MemoryTransport] = pair()
        for end in ends:
            end.limit = FRAME_LIMIT
        lines = [Lines(session, bytes(16), None, None) for session in self.sessions]
        for line, end in zip(lines, ends, strict=True):
            line.greet(end)
        done = await asyncio.gather(*(match.play(line) for match, line in zip(self.matches, lines, strict=True)), *more)
        for line in lines:
            await line.close()
        return done

    async def mover(self) -> int:
        """Return whose decision is awaited, as soon as both are at the table."""
        async with asyncio.timeout(60):
            while True:
                await asyncio.sleep(0)
                for seat, player in enumerate(self.players):
                    if isinstance(player, Patient) and player.thinks:
                        return seat

    def close(self) -> None:
        """Close the journals."""
        for journal in self.journals:
            journal.close()

    def events(self, seat: int, kind: str) -> list[dict[str, Any]]:
        """Return the lines of ``--json`` of a kind."""
        return [line for line in self.lines[seat] if line["event"] == kind]


async def until(happened: Callable[[], object]) -> None:
    """Wait for something that the other tasks do."""
    async with asyncio.timeout(60):
        while not happened():
            await asyncio.sleep(0.001)


def heard(player: Told, kind: type) -> int:
    """Return how often a player was told something."""
    return sum(isinstance(notice, kind) for notice in player.heard_of)


def taken_up(table: Table, seat: int, folder: Path) -> tuple[Match, Told]:
    """Return the match of one seat as it is after a restart, and its player, who was told what there is to tell."""
    session = table.restored(seat)
    player = Patient("back")
    player.answers = False
    match = Match(session, table.journals[seat], StormParticipant(player), folder / "back", lambda line: None, 0)
    match._forwarder.begin(match.controls)
    return match, player
