"""Matches in which everything that two honest players may do crosses on the wire."""

from __future__ import annotations

import random
from contextlib import suppress
from typing import Any

from helpers_wire import Pair
from toys import RockPaperScissors

from protocol.core.clock import ClockKind, ClockTerms
from protocol.core.game_data import Conditions
from protocol.core.messages import Break
from protocol.core.session import Session
from protocol.errors import LocalProtocolError
from protocol.game import Decision, Game

CLOCKS = (None, ClockTerms(ClockKind.BASE, 5, 0, 1, 0, 3), ClockTerms(ClockKind.TURN, 5, 0, 1, 0, 3))
ASIDES = (
    "propose", "propose", "agree", "agree", "reject", "go_on", "go_on", "offer_draw", "accept_draw", "decline_draw",
    "claim", "deny", "concede", "act", "act", "resign",
)  # fmt: skip


class Crossing:
    """Two sessions whose frames arrive late, each side's in their order."""

    def __init__(self, seed: int, game: Game[Any] | None = None, terms: Decision = 3, **both: Any) -> None:
        self.chance = random.Random(seed)
        conditions = Conditions(self.chance.choice(CLOCKS))
        self.pair = Pair(game or RockPaperScissors(), terms, now=1_000_000.0, conditions=conditions, **both)
        self.under_way: list[list[bytes]] = [[], []]

    def play(self, steps: int) -> None:
        """Let so many things happen."""
        for _ in range(steps):
            self.step()

    def step(self) -> None:
        """Let something happen: frames arrive, time passes, or somebody does what he likes."""
        pair, chance = self.pair, self.chance
        seat = chance.randrange(2)
        match chance.choice(("arrive", "arrive", "wait", "do", "do")):
            case "arrive":
                self.arrive(seat, chance.randrange(3))
            case "wait":
                pair.now += chance.randrange(8)
            case _:
                # What is not possible now does nothing, and something else will.
                with suppress(LocalProtocolError):
                    self.do(pair.sessions[seat], chance.choice(ASIDES))
        self.collect()

    def do(self, session: Session, what: str) -> None:
        if what == "act":
            if session.asks_us is not None:
                self.pair.decide(session, self.chance)
        elif what == "propose":
            session.side_channel.propose(self.chance.choice(list(Break)), now=self.pair.now)
        elif what != "resign" or self.chance.random() < 0.2:
            getattr(session.side_channel, what)(now=self.pair.now)

    def collect(self) -> None:
        for frames, session in zip(self.under_way, self.pair.sessions, strict=True):
            frames += session.data_to_send()
        self.pair.collect()

    def arrive(self, seat: int, count: int) -> None:
        """Hand the first frames of a seat to the other."""
        frames = self.under_way[seat]
        now, frames[:count] = frames[:count], []
        for frame in now:
            self.pair.sessions[1 - seat].receive_data(frame, self.pair.now)

    def settle(self) -> None:
        """Let everything arrive."""
        self.collect()
        while any(self.under_way):
            for seat in (0, 1):
                self.arrive(seat, len(self.under_way[seat]))
            self.collect()
