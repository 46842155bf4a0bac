"""What is settled stays: outcomes that a later round has named, and everything after the end."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
from helpers_tournament import ARBITER, ORGANISER, SIDES, Contest, codes, first_wins, secret
from hypothesis import given
from hypothesis import strategies as st

from protocol.tournament import drafts
from protocol.tournament.contents import Matter, Ruling, System
from protocol.tournament.documents import DocumentError
from protocol.tournament.drafts import assignments
from protocol.tournament.findings import Place
from protocol.tournament.outcomes import Outcome
from protocol.tournament.reports import Report
from protocol.tournament.results import State
from protocol.tournament.standings import standings
from tournament.survey import begun, told

PLACE = Place(1, 1, 1)


def second_match(contest: Contest, place: Place = PLACE, name: str = "again") -> Report:
    """Let the two of a pairing sign another match for their place, with another result."""
    found = contest.report(place, Outcome.SECOND, match=secret(name))
    contest.reports.append(found)
    return found


def ended(system: System = System.SWISS) -> Contest:
    """Return an event of three rounds, with a ruling, that has ended."""
    contest = Contest(6, system)
    contest.start()
    contest.rule(Matter.FORFEIT, 1, table=9, player=1)
    for turn in (1, 2, 3):
        contest.round()
        contest.play(first_wins)
        if turn == 3:
            contest.rule(Matter.AWARD, 3, table=1, game=1)
    contest.publish(ORGANISER, drafts.draft_end(contest.look()))
    return contest


@given(st.randoms(use_true_random=False))
def test_two_who_sign_a_second_match_after_the_next_round_change_nothing(chance: random.Random) -> None:
    contest = begun()
    contest.round()
    before = contest.look()
    extra = second_match(contest)
    chance.shuffle(contest.documents)
    chance.shuffle(contest.reports)
    found = contest.look()
    assert (found.results, standings(found)) == (before.results, standings(before))
    (named,) = found.refused
    assert (named.code, named.subject, named.fact("made")) == ("settled", extra.digest, 2)
    assert "basis_differs" not in codes(found.holes)
    contest.play(first_wins)
    contest.round()
    assert len(contest.look().rounds) == 3


@pytest.mark.parametrize("system", [System.SWISS, System.ROUND_ROBIN])
def test_where_the_first_log_is_missing_a_second_match_moves_no_table(system: System) -> None:
    for contest in (begun(system=system), ended(system)):
        if contest.look().end is None:
            contest.round()
        complete = contest.look()
        hidden = next(one for one in contest.reports if one.match == secret(f"match {PLACE}"))
        contest.reports.remove(hidden)
        without = contest.look()
        extra = second_match(contest)
        found = contest.look()
        assert (found.results[PLACE].state, found.results[PLACE].reason) == (State.DISPUTE, "basis")
        assert [one.points for one in standings(found)] == [one.points for one in standings(without)]
        # Where it turns up, it counts.
        contest.reports.append(hidden)
        again = contest.look()
        assert (again.results, standings(again)) == (complete.results, standings(complete))
        assert [(one.code, one.subject) for one in again.refused[-1:]] == [("settled", extra.digest)]


def test_a_forfeit_that_was_replaced_before_the_end_lets_nobody_move_the_table_after_it() -> None:
    contest = begun()
    ruling = contest.rule(Matter.FORFEIT, 1, table=1, player=contest.look().rounds[0].pairings[0].second)
    contest.round()
    contest.rule(Matter.WITHDRAWAL, 3, player=1, replaces=ruling.id)
    contest.play(first_wins)
    contest.publish(ORGANISER, drafts.draft_end(contest.look()))
    before = contest.look()
    assert before.results[PLACE].state is State.RESULT
    extra = second_match(contest)
    found = contest.look()
    assert (found.results, standings(found)) == (before.results, standings(before))
    assert [one.code for one in found.refused if one.subject == extra.digest] == ["settled"]


def test_before_the_next_round_a_second_match_makes_a_dispute() -> None:
    contest = begun()
    second_match(contest)
    assert contest.look().results[PLACE].state is State.DISPUTE


@pytest.mark.parametrize("system", [System.SWISS, System.ROUND_ROBIN])
def test_after_the_end_the_table_does_not_move_and_what_came_is_named(system: System) -> None:
    contest = ended(system)
    before = contest.look()
    assert before.end is not None
    extras = [second_match(contest, Place(turn, 2, 2), f"match {turn}") for turn in (1, 2, 3)]
    late = contest.rule(Matter.AWARD, 3, table=2, game=1, player=before.rounds[2].pairings[1].second)
    left = contest.rule(Matter.WITHDRAWAL, 2, player=1)
    found = contest.look()
    assert (found.results, standings(found)) == (before.results, standings(before))
    named = {(one.code, one.subject) for one in found.refused} - {(one.code, one.subject) for one in before.refused}
    assert named == {("settled", one.digest) for one in extras} | {("too_late", one.id) for one in (late, left)}
    assert found.holes == before.holes == ()
    assert not [one for player in found.players for one in assignments(found, player.key)]


def test_after_the_end_an_arbiter_who_signs_a_number_twice_takes_back_nothing() -> None:
    contest = ended()
    before = contest.look()
    contest.publish(
        ARBITER, Ruling(contest.id, 2, before.rulings[ARBITER.public].documents[0].id, Matter.AWARD, 3, 1, 2)
    )
    found = contest.look()
    assert [one.author for one in found.convictions] == [ARBITER.public]
    assert (found.results, standings(found)) == (before.results, standings(before))


def test_a_ruling_that_was_replaced_before_the_end_does_not_work_again_behind_it() -> None:
    contest = begun()
    first = contest.rule(Matter.AWARD, 1, table=1, game=1, player=contest.look().rounds[0].pairings[0].second)
    contest.round()
    contest.play(first_wins)
    # The first one is named by a round; the one in its place is not, because that is replaced in turn.
    second = contest.rule(Matter.BYE, 3, player=1, points=1, replaces=first.id)
    contest.rule(Matter.BYE, 3, player=2, points=1, replaces=second.id)
    before = contest.look()
    assert before.results[PLACE].state is State.DISPUTE
    contest.publish(ORGANISER, drafts.draft_end(before))
    found = contest.look()
    assert found.listed
    assert (found.results, standings(found)) == (before.results, standings(before))
    # What replaces it later comes too late.
    late = contest.rule(Matter.AWARD, 1, table=1, game=2, player=1, replaces=found.listed[-1])
    assert contest.look().results == found.results
    assert ("too_late", late.id) in [(one.code, one.subject) for one in contest.look().refused]


def test_a_cheat_who_is_found_out_too_late_is_named_and_keeps_the_result() -> None:
    contest = begun()
    contest.round()
    before = contest.look()
    # What the audit shows of a match changes all its logs.
    contest.reports = [
        replace(one, winner=SIDES[1], reason="misbehaviour", convicted=(0,))
        if one.place == contest.reports[0].place
        else one
        for one in contest.reports
    ]
    found = contest.look()
    assert standings(found) == standings(before)
    cheated = [one.fact("player") for one in found.remarks if one.code == "cheated_late"]
    assert cheated == [found.rounds[0].pairings[0].first]
    assert codes(found.refused) == ["settled"]
    # An arbiter may still rule on it.
    contest.rule(Matter.AWARD, 1, table=1, game=1, player=found.rounds[0].pairings[0].second)
    assert contest.look().results[PLACE].outcome is Outcome.SECOND


def test_what_nobody_played_before_the_end_is_played_no_more() -> None:
    contest = Contest(4)
    contest.start()
    contest.round()
    contest.publish(ORGANISER, drafts.draft_end(contest.look()))
    before = contest.look()
    assert before.results[PLACE].state is State.MISSING
    late = contest.report(PLACE, Outcome.FIRST)
    contest.reports.append(late)
    found = contest.look()
    assert standings(found) == standings(before)
    assert [(one.code, one.subject) for one in found.refused] == [("settled", late.digest)]


def test_an_event_ends_once_and_no_round_follows() -> None:
    contest = Contest(4)
    with pytest.raises(DocumentError, match="started"):
        drafts.draft_end(contest.look())
    contest.start()
    contest.round()
    contest.play(first_wins)
    running = contest.look()
    contest.publish(ORGANISER, drafts.draft_end(running))
    for draft in (drafts.draft_end, drafts.draft_round):
        with pytest.raises(DocumentError) as caught:
            draft(contest.look())
        assert caught.value.code == "too_late"
    last = contest.look().end
    assert last is not None
    before = told(contest.look())
    further = replace(drafts.draft_round(running, 9000), number=5, previous=last.id)
    document = contest.publish(ORGANISER, further)
    found = contest.look()
    assert [(one.code, one.subject) for one in found.refused] == [("finished", document.id)]
    assert told(replace(found, refused=())) == before


def test_an_end_that_names_what_no_log_shows_is_named() -> None:
    contest = begun(4, System.ROUND_ROBIN)
    lie = replace(drafts.draft_end(contest.look()), basis=((b"\x03\x03", b"\x01\x01"),))
    contest.publish(ORGANISER, lie)
    found = contest.look()
    assert (found.results[PLACE].state, found.results[PLACE].reason) == (State.DISPUTE, "basis")
    named = [one for one in found.holes if one.code == "basis_differs"]
    differing = [(one.fact("game"), one.fact("taken"), one.fact("made")) for one in named]
    assert differing == [(1, "second", 0), (2, "second", 0)]
    for basis in ((), ((b"\x01\x01",),), ((b"\x01", b"\x01\x01"),), ((b"\x07\x01", b"\x01\x01"),)):
        other = begun(4, System.ROUND_ROBIN)
        other.publish(ORGANISER, replace(drafts.draft_end(other.look()), basis=basis))
        assert (other.look().end, codes(other.look().refused)) == (None, ["basis"])
