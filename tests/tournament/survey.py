"""Tournaments in the tests: what their surveys begin from."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import Any

from helpers_tournament import ORGANISER, STRANGER, Contest, first_wins, secret

from protocol.core.game_data import EventTerms
from protocol.tournament import drafts
from protocol.tournament.contents import Close, Matter, System
from protocol.tournament.documents import sign
from protocol.tournament.findings import Place
from protocol.tournament.outcomes import Outcome
from protocol.tournament.standings import standings
from protocol.tournament.survey import Tournament


def told(found: Tournament) -> str:
    """Return everything that a reader of a folder is told."""
    rows = () if found.start is None else standings(found)
    return repr(
        (
            rows,
            found.results,
            found.players,
            found.refused,
            found.holes,
            found.remarks,
            found.convictions,
            found.draw,
            [one.pairings for one in found.rounds],
        )
    )


@cache
def finished(system: System) -> Contest:
    """Return an event with everything in it; nobody changes it."""
    contest = Contest(7, system)
    contest.start()
    contest.round()
    contest.play(first_wins)
    contest.rule(Matter.FORFEIT, 1, table=1, game=1, player=contest.look().rounds[0].pairings[0].first)
    if system is System.SWISS:
        contest.rule(Matter.BYE, 2, player=4, points=1)
        contest.rule(Matter.WITHDRAWAL, 3, player=5)
    contest.play_rounds(3)
    contest.publish(ORGANISER, drafts.draft_end(contest.look()))
    contest.documents += [b"foreign", sign(STRANGER, Close(contest.id, 1, contest.id, ()))]
    contest.reports.append(contest.report(Place(1, 1, 2), Outcome.SECOND, match=secret("again")))
    elsewhere = EventTerms(secret("x"), 1, 1, 1, bytes(32))
    contest.reports.append(replace(contest.reports[0], digest=secret("x"), place=elsewhere))
    return contest


def begun(size: int = 6, system: System = System.SWISS, **changes: Any) -> Contest:
    """Return an event whose first round has been played."""
    contest = Contest(size, system, **changes)
    contest.start()
    contest.round()
    contest.play(first_wins)
    return contest
