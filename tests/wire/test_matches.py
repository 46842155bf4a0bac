"""Whole matches of the toy games, over memory."""

from __future__ import annotations

import pytest
from helpers import daily_first
from helpers_wire import Pair
from toys import Bluff, RockPaperScissors

from protocol.core.events import Audited, MatchOver
from protocol.core.stages import Stage


@pytest.mark.parametrize("gather", [False, True])
@pytest.mark.parametrize("seed", range(4))
def test_a_match_of_rock_paper_scissors_ends_signed_and_audited(seed: int, gather: bool) -> None:
    pair = Pair(RockPaperScissors(), 3, gather=gather)
    pair.play_out(seed)
    for seat in (0, 1):
        assert pair.last(seat, Audited) == Audited(True, (), True)
        assert pair.last(seat, MatchOver).result == pair.host.result
        assert pair.sessions[seat].transcript.stages[0] is pair.sessions[seat].transcript.stages[1] is Stage.CLOSED
        verdict = pair.verify(seat)
        assert verdict.problems == ()
        assert (verdict.ok, verdict.audited, verdict.signed) == (True, True, (0, 1))
        assert verdict.result == pair.host.result


@pytest.mark.parametrize("gather", [False, True])
@pytest.mark.parametrize("private", [0, 1])
@pytest.mark.parametrize("seed", daily_first(range(6)))
@pytest.mark.parametrize("scheme", ["hash", "proved"])
def test_a_match_of_bluff_ends_signed_and_audited(seed: int, private: int, gather: bool, scheme: str) -> None:
    pair = Pair(Bluff(), (5, private), gather=gather, scheme=scheme)
    pair.play_out(seed)
    assert pair.host.state == pair.guest.state
    for seat in (0, 1):
        assert pair.last(seat, Audited) == Audited(True, (), True)
        verdict = pair.verify(seat)
        assert verdict.problems == ()
        assert verdict.ok
        assert verdict.audited
    assert {**pair.host.known, **pair.guest.known}
