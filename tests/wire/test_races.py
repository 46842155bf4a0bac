"""Frames that cross: whatever two honest players do beside the game, both and a stranger hold the same in the end."""

from __future__ import annotations

from typing import Any

import pytest
from helpers import daily_first
from helpers_crossing import Crossing

from protocol.core.events import Damaged, Disagreement, PeerMisbehaved
from protocol.core.session import Session


def held(session: Session) -> dict[str, Any]:
    """Return everything that a session holds of a match beside the game."""
    status = session.transcript.status
    return {
        "stages": list(status.stages),
        "break": status.breaks.agreed,
        "proposals": [dict(one) for one in status.breaks.open],
        "offers": [list(one) for one in status.offers],
        "resigned": dict(status.resigned),
        "accepted": dict(status.accepted),
        "claims": sorted((one.seat, one.number, one.fate.value) for one in status.claims.all),
        "result": session.result,
        "head": session.transcript.head,
    }


@pytest.mark.parametrize("seed", daily_first(range(60), 20))
def test_whatever_crosses_both_sides_and_a_stranger_hold_the_same(seed: int) -> None:
    crossing = Crossing(seed)
    crossing.play(crossing.chance.randrange(5, 60))
    crossing.settle()
    pair = crossing.pair
    assert not any(isinstance(event, Damaged | Disagreement | PeerMisbehaved) for seen in pair.events for event in seen)
    assert held(pair.host) == held(pair.guest)
    verdicts = [pair.verify(seat) for seat in (0, 1)]
    breaks = []
    for verdict in verdicts:
        assert verdict.ok
        assert verdict.transcript is not None
        breaks.append(verdict.transcript.status.breaks.agreed)
    assert verdicts[0].result == verdicts[1].result
    assert breaks[0] == breaks[1]


def test_the_crossings_hold_breaks_claims_draws_and_resignations() -> None:
    seen: set[str] = set()
    for seed in range(60):
        crossing = Crossing(seed)
        crossing.play(crossing.chance.randrange(5, 60))
        crossing.settle()
        seen |= {type(event).__name__ for events in crossing.pair.events for event in events}
    assert seen >= {"BreakAgreed", "BreakLapsed", "GoneOn", "Claimed", "ClaimLapsed", "DrawLapsed", "Resigned"}
