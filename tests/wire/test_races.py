"""Frames that cross: whatever two honest players do beside the game, both and a stranger hold the same in the end."""

from __future__ import annotations

import random
from contextlib import suppress
from typing import Any

import pytest
from helpers_wire import Pair
from toys import RockPaperScissors

from protocol.clock import ClockKind, ClockTerms
from protocol.conditions import Conditions
from protocol.errors import LocalProtocolError
from protocol.events import Damaged, Disagreement, PeerMisbehaved
from protocol.messages import Break
from protocol.session import Session

CLOCKS = (None, ClockTerms(ClockKind.BASE, 5, 0, 1, 0, 3), ClockTerms(ClockKind.TURN, 5, 0, 1, 0, 3))
ASIDES = (
    "propose", "propose", "agree", "agree", "reject", "go_on", "go_on", "offer_draw", "accept_draw", "decline_draw",
    "claim", "deny", "concede", "act", "act", "resign",
)  # fmt: skip


class Crossing:
    """Two sessions whose frames arrive late, each side's in their order."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)
        conditions = Conditions(self.chance.choice(CLOCKS))
        self.pair = Pair(RockPaperScissors(), 3, now=1_000_000.0, conditions=conditions)
        self.under_way: list[list[bytes]] = [[], []]

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
            session.act(self.chance.choice(session.moves() or [0]), now=self.pair.now)
        elif what == "propose":
            session.propose(self.chance.choice(list(Break)), now=self.pair.now)
        elif what != "resign" or self.chance.random() < 0.2:
            getattr(session, what)(now=self.pair.now)

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


def held(session: Session) -> dict[str, Any]:
    """Return everything that a session holds of a match beside the game."""
    standing = session._transcript.standing
    return {
        "stages": list(standing.stages),
        "break": standing.breaks.agreed,
        "proposals": [dict(one) for one in standing.breaks.open],
        "offers": [list(one) for one in standing.offers],
        "resigned": dict(standing.resigned),
        "accepted": dict(standing.accepted),
        "claims": sorted((one.seat, one.number, one.fate.value) for one in standing.claims.all),
        "result": session.result,
        "head": session.head,
    }


@pytest.mark.parametrize("seed", range(60))
def test_whatever_crosses_both_sides_and_a_stranger_hold_the_same(seed: int) -> None:
    crossing = Crossing(seed)
    for _ in range(crossing.chance.randrange(5, 60)):
        crossing.step()
    crossing.settle()
    pair = crossing.pair
    assert not any(isinstance(event, Damaged | Disagreement | PeerMisbehaved) for seen in pair.events for event in seen)
    assert held(pair.host) == held(pair.guest)
    verdicts = [pair.verify(seat) for seat in (0, 1)]
    for verdict in verdicts:
        assert verdict.ok
        assert verdict.course is not None
    assert verdicts[0].result == verdicts[1].result
    assert verdicts[0].course.agreed_break == verdicts[1].course.agreed_break  # type: ignore[union-attr]


def test_the_crossings_hold_breaks_claims_draws_and_resignations() -> None:
    seen: set[str] = set()
    for seed in range(60):
        crossing = Crossing(seed)
        for _ in range(crossing.chance.randrange(5, 60)):
            crossing.step()
        crossing.settle()
        seen |= {type(event).__name__ for events in crossing.pair.events for event in events}
    assert seen >= {"BreakAgreed", "BreakLapsed", "GoneOn", "Claimed", "ClaimLapsed", "DrawLapsed", "Resigned"}
