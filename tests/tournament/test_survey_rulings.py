"""Rulings and knock-outs of a tournament, as a reader of its folder finds them."""

from __future__ import annotations

from dataclasses import replace

import pytest
from helpers_tournament import ARBITER, ORGANISER, Contest, codes, first_wins, key_of, secret

from protocol.tournament import drafts
from protocol.tournament.contents import Matter, Ruling, System
from protocol.tournament.findings import Place
from protocol.tournament.outcomes import Outcome
from protocol.tournament.pairings import PairingError, pair_round
from protocol.tournament.standings import standings
from tournament.survey import begun


def test_a_late_player_gets_the_next_number_and_is_paired_from_his_round_on() -> None:
    contest = begun(5)
    late = key_of("late")
    entry = contest.publish(late, drafts.draft_entry(contest.id, late.public, "Late", secret("late")))
    contest.keys[late.public] = late
    ruling = contest.rule(Matter.LATE_ENTRY, 2, entry=entry.id)
    assert drafts.draft_round(contest.look(), 9000).rulings == (ruling.id,)
    contest.round()
    found = contest.look()
    assert [(one.number, one.since) for one in found.players][-1] == (6, 2)
    assert 6 in {number for pair in found.rounds[1].pairings for number in pair}
    assert not [pair for pair in found.rounds[1].pairings if not pair.second]
    contest.play(first_wins)
    assert standings(contest.look())[0].lines[0] is not None
    assert "entry_left_out" not in codes(contest.look().remarks)


def test_who_leaves_is_paired_no_more_and_who_has_a_bye_not_in_that_round() -> None:
    contest = begun(7)
    contest.rule(Matter.WITHDRAWAL, 2, player=3)
    contest.rule(Matter.BYE, 2, player=4, points=2)
    contest.rule(Matter.BYE, 1, player=5, points=2)
    contest.rule(Matter.BYE, 2, player=6, points=5)
    contest.rule(Matter.WITHDRAWAL, 2, player=99)
    found = contest.look()
    assert codes(found.refused) == ["ruling_unfit"] * 3
    contest.round()
    contest.play(first_wins)
    contest.round()
    found = contest.look()
    turns = [{number for pair in one.pairings for number in pair} for one in found.rounds]
    assert 3 not in turns[1] | turns[2]
    assert 4 in turns[2] - turns[1]
    row = next(one for one in standings(found) if one.number == 4)
    assert row.lines[1] is not None
    assert (row.lines[1].points, row.lines[1].played) == (2, False)
    assert next(one.gone for one in found.players if one.number == 3) == 2


def test_a_ruling_that_the_organiser_leaves_out_is_named() -> None:
    contest = begun(6)
    contest.rule(Matter.WITHDRAWAL, 2, player=3)
    draft = drafts.draft_round(contest.look(), 9000)
    contest.publish(ORGANISER, replace(draft, rulings=(), pairings=pair_round(contest.look().field)))
    found = contest.look()
    assert len(found.rounds) == 2
    assert codes(found.holes).count("ruling_left_out") == 1


def test_a_ruling_that_another_one_replaces_works_no_more() -> None:
    contest = Contest(4)
    contest.start()
    contest.round()
    first = contest.rule(Matter.FORFEIT, 1, table=1, player=contest.look().rounds[0].pairings[0].first)
    assert contest.look().results[Place(1, 1, 1)].outcome is Outcome.FORFEIT_SECOND
    contest.rule(Matter.DOUBLE_FORFEIT, 1, table=1, replaces=first.id)
    found = contest.look()
    assert [found.results[Place(1, 1, game)].outcome for game in (1, 2)] == [Outcome.DOUBLE_FORFEIT] * 2


def test_a_withdrawal_that_a_round_has_named_stays_and_one_that_none_has_named_can_be_taken_back() -> None:
    contest = begun(8)
    named = contest.rule(Matter.WITHDRAWAL, 2, player=3)
    contest.round()
    contest.play(first_wins)
    later = contest.rule(Matter.WITHDRAWAL, 3, player=4)
    for ruling in (named, later):
        contest.rule(Matter.BYE, 3, player=6, points=1, replaces=ruling.id)
    contest.round()
    found = contest.look()
    assert [one.gone for one in found.players if one.gone is not None] == [2]
    assert 4 in {number for pair in found.rounds[2].pairings for number in pair}


def test_an_arbiter_with_two_rulings_of_one_number_is_convicted() -> None:
    contest = Contest(4)
    contest.start()
    contest.round()
    for game in (1, 2):
        contest.publish(ARBITER, Ruling(contest.id, 1, contest.id, Matter.DOUBLE_FORFEIT, 1, 1, game))
    found = contest.look()
    assert [one.author for one in found.convictions] == [ARBITER.public]
    assert found.results[Place(1, 1, 1)].state == "missing"


def test_who_leaves_a_round_robin_early_counts_for_nobody_and_later_loses_by_forfeit() -> None:
    for leaves, counted in ((2, False), (4, True)):
        contest = Contest(6)
        contest.start()
        for turn in range(1, 6):
            if turn == leaves:
                contest.rule(Matter.WITHDRAWAL, turn, player=1)
            contest.round()
            contest.play(first_wins)
        found = contest.look()
        rows = {one.number: one for one in standings(found)}
        opponents = [line for line in rows[1].lines if line is not None]
        assert len(opponents) == leaves - 1
        free = [row for row in rows.values() if any(line is not None and line.bye for line in row.lines)]
        assert len(free) == 6 - leaves
        assert all(line.points == (4 if counted else 0) for row in free for line in row.lines if line and line.bye)
        assert (rows[1].points > 0) == (counted and any(line.first for line in opponents))


# --- knock-out -------------------------------------------------------------------------------------------------


def test_a_level_pairing_of_a_knock_out_is_played_on_with_swapped_sides() -> None:
    contest = Contest(2, System.KNOCK_OUT)
    contest.start()
    contest.round()
    script = {1: Outcome.FIRST, 2: Outcome.SECOND, 3: Outcome.DRAW, 4: Outcome.SECOND}
    contest.play(lambda place: script[place.game])
    found = contest.look()
    assert list(found.results) == [Place(1, 1, game) for game in (1, 2, 3, 4)]
    assert [one.rank for one in standings(found)] == [1, 2]
    assert standings(found)[0].number == found.rounds[0].pairings[0].second
    with pytest.raises(PairingError) as caught:
        contest.round()
    assert caught.value.code == "finished"
    extra = contest.report(Place(1, 1, 5), Outcome.FIRST)
    contest.reports.append(extra)
    assert [(one.code, one.subject) for one in contest.look().refused] == [("other_game", extra.digest)]


@pytest.mark.parametrize("system", [System.KNOCK_OUT, System.DOUBLE_ELIMINATION])
def test_a_knock_out_ranks_everybody_by_when_he_was_out(system: System) -> None:
    contest = Contest(7, system)
    contest.start()
    found = contest.play_rounds()
    ranks = [one.rank for one in standings(found)]
    assert ranks[:2] == [1, 2]
    assert len(ranks) == 7
    assert found.holes == ()


# --- the same for everybody ------------------------------------------------------------------------------------
