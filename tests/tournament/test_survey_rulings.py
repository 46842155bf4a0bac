"""Rulings and knock-outs of a tournament, as a reader of its folder finds them."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
from helpers_tournament import ARBITER, ORGANISER, Contest, codes, event_of, first_wins, key_of, secret
from hypothesis import given
from hypothesis import strategies as st

from cli.events.tasks import Kind, tasks
from protocol.tournament import drafts
from protocol.tournament.contents import Matter, Ruling, System
from protocol.tournament.documents import Signed
from protocol.tournament.findings import Place
from protocol.tournament.outcomes import Outcome
from protocol.tournament.pairings import PairingError, pair_round
from protocol.tournament.results import State
from protocol.tournament.rounds import Progress
from protocol.tournament.rulings import list_rulings, rulings_on
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
    row = next(one for one in standings(found) if one.player.number == 4)
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


def test_a_ruling_that_was_replaced_counts_for_nothing_even_if_its_successor_is_replaced() -> None:
    contest = begun(4)
    first = contest.rule(Matter.FORFEIT, 1, table=1, player=contest.look().rounds[0].pairings[0].first)
    second = contest.rule(Matter.DOUBLE_FORFEIT, 1, table=1, replaces=first.id)
    third = contest.rule(Matter.AWARD, 1, table=1, game=1, replaces=second.id)
    contest.rule(Matter.AWARD, 1, table=2, game=1, replaces=secret("nothing"))
    found = contest.look()
    assert [(one.stands, [other.id for other in one.replaced_by]) for one in list_rulings(found)] == [
        (False, [second.id]),
        (False, [third.id]),
        (True, []),
        (True, []),
    ]
    assert found.results[Place(1, 1, 1)].outcome is Outcome.DRAW
    assert found.results[Place(1, 1, 2)].outcome is Outcome.FIRST
    assert [one.document.id for one in rulings_on(found, Place(1, 1, 0))] == [third.id]
    assert rulings_on(found, Place(1, 1, 2)) == ()


def test_rulings_that_replace_each_other_in_a_circle_count_for_nothing() -> None:
    # Nobody can sign one, because each id would have to be in the other's bytes.
    ids = [secret(name) for name in "abc"]
    rulings = {
        one: Signed(
            one,
            ARBITER.public,
            Ruling(secret("event"), number, bytes(32), Matter.DOUBLE_FORFEIT, 1, 1, replaces=ids[number % 3]),
            b"",
        )
        for number, one in enumerate(ids, start=1)
    }
    assert Progress(event_of(System.ROUND_ROBIN), None, (), {}, rulings, rulings).in_force() == ()


@given(st.randoms(use_true_random=False))
def test_two_arbiters_who_rule_at_once_make_a_dispute_until_one_ruling_is_replaced(chance: random.Random) -> None:
    contest = begun(4)
    place, pairing = Place(1, 1, 1), contest.look().rounds[0].pairings[0]
    before = contest.look()
    made = []
    for key, player in ((ARBITER, pairing.first), (ORGANISER, pairing.second)):
        made.append(
            contest.publish(
                key, drafts.draft_ruling(before, key.public, Matter.FORFEIT, 1, table=1, game=1, player=player)
            )
        )
    chance.shuffle(contest.documents)
    found = contest.look()
    result = found.results[place]
    assert (result.state, result.reason) == (State.DISPUTE, "two_rulings")
    assert result.evidence == tuple(sorted(one.id for one in made))
    assert [one.fact("reason") for one in found.holes if one.code == "game_dispute"] == ["two_rulings"]
    contest.rule(Matter.AWARD, 1, table=1, game=1, player=pairing.second, replaces=made[0].id)
    # One player wins in both that stand now, but by forfeit in the older one.
    assert contest.look().results[place].state is State.DISPUTE
    chance.shuffle(contest.documents)
    contest.rule(Matter.AWARD, 1, table=1, game=1, player=pairing.second, replaces=made[1].id)
    found = contest.look()
    assert (found.results[place].state, found.results[place].outcome) == (State.AWARDED, Outcome.SECOND)


def test_a_ruling_whose_number_was_signed_twice_replaces_nothing() -> None:
    contest = begun(4)
    first = contest.rule(Matter.DOUBLE_FORFEIT, 1, table=1)
    for game in (1, 2):
        content = Ruling(contest.id, 2, first.id, Matter.AWARD, 1, 1, game, replaces=first.id)
        contest.publish(ARBITER, content)
    (only,) = list_rulings(contest.look())
    assert (only.document.id, only.stands, only.replaced_by) == (first.id, True, ())


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
        rows = {one.player.number: one for one in standings(found)}
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
    assert standings(found)[0].player.number == found.rounds[0].pairings[0].second
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


def test_a_knock_out_whose_earlier_winner_a_ruling_changes_waits_for_nobody() -> None:
    contest = begun(4, System.KNOCK_OUT, games=1)
    contest.round()
    contest.play(first_wins)
    loser = contest.look().rounds[0].pairings[0].second
    contest.rule(Matter.AWARD, 1, table=1, game=1, player=loser)
    with pytest.raises(PairingError) as caught:
        contest.round()
    assert caught.value.code == "no_pairing"
    organiser, player = (
        {one.kind for one in tasks(contest.look(), key.public, 0)}
        for key in (ORGANISER, *list(contest.keys.values())[:1])
    )
    assert (organiser, player) == ({Kind.NO_PAIRING, Kind.END}, {Kind.NO_PAIRING})
    contest.publish(ORGANISER, drafts.draft_end(contest.look()))
    assert contest.look().end is not None


# --- the same for everybody ------------------------------------------------------------------------------------
