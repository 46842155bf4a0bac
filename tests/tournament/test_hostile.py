"""What an organiser, an arbiter, a player and a stranger may try with a folder, and what every reader makes of it."""

from __future__ import annotations

from dataclasses import replace

import pytest
from helpers_tournament import (
    ORGANISER,
    Contest,
    codes,
    first_wins,
)

from protocol.tournament import drafts
from protocol.tournament.contents import System
from protocol.tournament.outcomes import Outcome

FIRST, SECOND, NONE = bytes([Outcome.FIRST]), bytes([Outcome.SECOND]), bytes([Outcome.NONE])


@pytest.mark.parametrize(
    "taken",
    [FIRST + SECOND, FIRST * 2 + SECOND * 2, FIRST + SECOND + NONE * 2 + FIRST * 2],
    ids=["level and not played on", "decided and played on", "played on without a result"],
)
def test_a_knock_out_cannot_be_cut_short_or_drawn_out_by_the_basis_of_a_round(taken: bytes) -> None:
    contest = Contest(4, System.KNOCK_OUT)
    contest.start()
    contest.round()
    contest.play(first_wins)
    honest = drafts.draft_round(contest.look(), 9000)
    contest.publish(ORGANISER, replace(honest, basis=((taken, honest.basis[0][1]),)))
    found = contest.look()
    assert len(found.rounds) == 1
    assert codes(found.refused) == ["basis"]
