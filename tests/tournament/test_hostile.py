"""What an organiser, an arbiter, a player and a stranger may try with a folder, and what every reader makes of it."""

from __future__ import annotations

from dataclasses import replace

import pytest
from helpers_tournament import (
    ARBITER,
    ORGANISER,
    STRANGER,
    Contest,
    codes,
    first_wins,
    secret,
)

from protocol.tournament import drafts
from protocol.tournament.contents import Close, Matter, Ruling, System
from protocol.tournament.engine import engine_version
from protocol.tournament.outcomes import Outcome
from protocol.tournament.pairings import pair_round

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


def test_whoever_hides_an_entry_shows_nobody_another_draw() -> None:
    contest = Contest(4)
    hidden = contest.documents[-1]
    contest.start()
    contest.documents.remove(hidden)
    # For a reader without the entry nothing is closed; another list must not take its place.
    here = contest.look()
    number, previous = here.chain.tip(contest.id)
    entries = tuple(sorted(here.entries))
    contest.publish(ORGANISER, Close(contest.id, number, previous, entries))
    without = contest.look()
    assert without.close is None
    assert codes(without.holes) == ["entry_missing"]
    contest.documents.append(hidden)
    assert len(contest.look().players) == 4


def test_whoever_hides_a_ruling_shows_nobody_another_round() -> None:
    contest = Contest(4, System.SWISS)
    contest.start()
    ruling = contest.rule(Matter.BYE, 1, player=1, points=2)
    contest.round()
    contest.documents.remove(ruling.data)
    draft = replace(drafts.draft_round(contest.look(), 9000), round=1, rulings=(), basis=())
    contest.publish(ORGANISER, replace(draft, pairings=pair_round(replace(contest.look().next, history=()))))
    without = contest.look()
    assert without.rounds == ()
    assert codes(without.holes) == ["ruling_missing"]
    contest.documents.append(ruling.data)
    assert len(contest.look().rounds[0].rulings) == 1


def test_whoever_hides_a_late_entry_shows_nobody_another_round() -> None:
    contest = Contest(4, System.SWISS)
    contest.start()
    late = contest.publish(STRANGER, drafts.draft_entry(contest.id, STRANGER.public, "Late", secret("late")))
    contest.rule(Matter.LATE_ENTRY, 1, entry=late.id)
    contest.round()
    contest.documents.remove(late.data)
    number, previous = contest.look().chain.tip(contest.id)
    draft = replace(drafts.draft_round(contest.look(), 9000), number=number, previous=previous)
    assert (draft.round, draft.rulings) == (1, ())
    contest.publish(ORGANISER, draft)
    without = contest.look()
    assert without.rounds == ()
    assert codes(without.holes) == ["entry_missing"]
    contest.documents.append(late.data)
    assert len(contest.look().players) == 5


def test_a_list_that_is_wrong_in_what_is_shown_is_refused_whatever_is_hidden() -> None:
    contest = Contest(3)
    key, signer = next(iter(contest.keys.items()))
    again = contest.publish(signer, drafts.draft_entry(contest.id, key, "Again", contest.coins[key]))
    listed = tuple(sorted((*contest.look().entries, bytes(32), bytes([255]) * 32)))
    assert again.id in listed
    contest.publish(ORGANISER, Close(contest.id, 1, contest.id, listed))
    found = contest.look()
    assert (codes(found.refused), codes(found.holes)) == (["entered_twice"], [])
    assert len(contest.start().players) == 3


@pytest.mark.parametrize("system", [System.SWISS, System.ROUND_ROBIN])
def test_an_arbiter_who_signs_two_rulings_of_one_number_undoes_no_round(system: System) -> None:
    contest = Contest(6, system, engine=engine_version() if system is System.SWISS else None)
    contest.start()
    contest.rule(Matter.WITHDRAWAL, 1, player=6)
    before = contest.play_rounds()
    contest.publish(ARBITER, Ruling(contest.id, 1, contest.id, Matter.WITHDRAWAL, 1, player=5))
    found = contest.look()
    assert [one.author for one in found.convictions] == [ARBITER.public]
    assert (found.rounds, found.results, found.players) == (before.rounds, before.results, before.players)


def test_no_round_names_two_rulings_of_one_number() -> None:
    contest = Contest(4)
    contest.start()
    rulings = [
        contest.publish(ARBITER, Ruling(contest.id, 1, contest.id, Matter.WITHDRAWAL, 1, player=player)).id
        for player in (1, 2)
    ]
    draft = drafts.draft_round(contest.look(), 9000)
    for named in (rulings, rulings[::-1]):
        number, previous = contest.look().chain.tip(contest.id)
        contest.publish(ORGANISER, replace(draft, number=number, previous=previous, rulings=tuple(named)))
    found = contest.look()
    assert [one.code for one in found.refused if one.code != "unlinked"] == ["ruling_order"] * 2
    assert found.rounds == ()
