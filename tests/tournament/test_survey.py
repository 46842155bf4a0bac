"""How an event stands for whoever holds its folder: entries, draw, rounds, and everybody who may lie."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from dataclasses import replace
from functools import cache

import pytest
from helpers import ROOT
from helpers_tournament import ORGANISER, STRANGER, Contest, codes, first_wins, secret
from hypothesis import given
from hypothesis import strategies as st

from protocol.core.game_data import EventTerms
from protocol.crypto.hashing import hash_parts
from protocol.crypto.keys import PrivateKey
from protocol.tournament import drafts
from protocol.tournament.appointments import appointments
from protocol.tournament.contents import (
    Answer,
    Claim,
    Close,
    Coin,
    Content,
    Entry,
    Matter,
    Proposal,
    Ready,
    Ruling,
    Seeding,
    System,
)
from protocol.tournament.documents import DocumentError, read
from protocol.tournament.findings import Place
from protocol.tournament.no_shows import NoShow, no_shows, ready_since
from protocol.tournament.outcomes import Outcome
from protocol.tournament.rulings import list_rulings, rulings_on
from protocol.tournament.standings import standings
from protocol.tournament.survey import find_events, survey
from tournament.survey import finished, told


def test_an_event_goes_from_entries_to_a_winner() -> None:
    contest = Contest(5)
    assert contest.look().close is None
    found = contest.start()
    assert [one.number for one in found.players] == [1, 2, 3, 4, 5]
    assert {one.key for one in found.players} == set(contest.keys)
    found = contest.play_rounds()
    assert len(found.rounds) == 5
    assert found.refused + found.holes + found.remarks == ()
    assert found.convictions == ()
    assert sum(one.points for one in standings(found)) == 2 * 2 * 10


def test_the_draw_follows_from_all_coins_and_each_of_them_changes_it() -> None:
    contest = Contest(4)
    draw = contest.start().draw
    coins = [contest.coins[key] for key in sorted(contest.keys)]
    assert draw == hash_parts("event-draw", contest.id, *coins)
    other = Contest(4)
    other.close()
    other.open_coins(without=list(other.keys)[:1])
    other.publish(ORGANISER, drafts.draft_start(other.look()))
    found = other.look()
    assert found.draw != draw
    # Who does not open is not in.
    assert len(found.players) == 3


def test_seeding_by_rating_puts_the_highest_first() -> None:
    contest = Contest(6, seeding="rating")
    names = [one.name for one in contest.start().players]
    assert names == [f"Player {number}" for number in (6, 5, 4, 3, 2, 1)]


def test_a_coin_that_was_not_fixed_is_refused() -> None:
    contest = Contest(3)
    close = contest.close()
    key, other = list(contest.keys)[:2]
    entry = {one.author: one.id for one in contest.look().entries.values()}
    wrong = [
        Coin(contest.id, close.id, entry[key], secret("another")),
        Coin(contest.id, close.id, entry[other], contest.coins[key]),
        Coin(contest.id, secret("another close"), entry[key], contest.coins[key]),
    ]
    for content in wrong:
        contest.publish(contest.keys[key], content)
    assert sorted(codes(contest.look().refused)) == ["other_close", "other_entry", "wrong_coin"]
    with pytest.raises(DocumentError) as caught:
        drafts.draft_coin(contest.look(), key, secret("another"))
    assert caught.value.code == "wrong_coin"
    with pytest.raises(DocumentError) as caught:
        drafts.draft_coin(contest.look(), STRANGER.public, secret("another"))
    assert caught.value.code == "not_entered"


def test_a_copied_lot_is_worthless() -> None:
    """A player who copies another's lot cannot open it with the other's coin, so he cannot cancel him out."""
    contest = Contest(3)
    victim = next(iter(contest.look().entries.values()))
    assert isinstance(victim.content, Entry)
    contest.publish(STRANGER, replace(victim.content, name="Copy"))
    close = contest.close()
    mine = next(one.id for one in contest.look().entries.values() if one.author == STRANGER.public)
    contest.publish(STRANGER, Coin(contest.id, close.id, mine, contest.coins[victim.author]))
    assert codes(contest.look().refused) == ["wrong_coin"]


def test_an_organiser_who_leaves_out_an_entry_or_a_coin_is_named() -> None:
    contest = Contest(4)
    contest.publish(ORGANISER, drafts.draft_close(contest.look(), without=[next(iter(contest.look().entries))]))
    left = set(contest.keys) - {contest.look().entries[one].author for one in contest.look().close.content.entries}  # type: ignore[union-attr]
    contest.open_coins(without=list(left))
    start = drafts.draft_start(contest.look())
    contest.publish(ORGANISER, replace(start, coins=start.coins[1:]))
    found = contest.look()
    assert codes(found.remarks) == ["coin_left_out", "entry_left_out"]
    assert found.remarks[1].fact("key") == left.pop()
    assert len(found.players) == 2


def test_an_organiser_who_sees_the_coins_and_closes_again_is_convicted() -> None:
    """He would choose entries of his own for the draw that they give."""
    contest = Contest(3)
    contest.close()
    contest.open_coins()
    contest.publish(STRANGER, drafts.draft_entry(contest.id, STRANGER.public, "Puppet", secret("chosen")))
    here = contest.look()
    entries = tuple(sorted(here.entries))
    contest.publish(ORGANISER, Close(contest.id, 1, contest.id, entries))
    found = contest.look()
    assert found.close is None
    assert [(one.author, one.number) for one in found.convictions] == [(ORGANISER.public, 1)]
    assert {read(data).kind for one in found.convictions for data in (one.first, one.second)} == {"close"}


def test_who_enters_twice_is_named_and_plays_once() -> None:
    contest = Contest(3)
    key = next(iter(contest.keys))
    contest.publish(contest.keys[key], drafts.draft_entry(contest.id, key, "Again", contest.coins[key]))
    both = tuple(sorted(contest.look().entries))
    close = contest.publish(ORGANISER, Close(contest.id, 1, contest.id, both))
    found = contest.look()
    assert found.close is None
    assert codes(found.refused) == ["entered_twice"]
    # The chain goes on behind a list that does not hold.
    assert drafts.draft_close(found).previous == close.id
    assert len(drafts.draft_close(found).entries) == 3
    found = contest.start()
    assert len(found.players) == 3
    assert "entered_twice" in codes(found.remarks)


def test_one_name_under_two_keys_is_named() -> None:
    contest = Contest(3)
    contest.publish(STRANGER, drafts.draft_entry(contest.id, STRANGER.public, "PLAYER 1", secret("coin")))
    assert codes(contest.look().remarks) == ["name_twice"]


def test_a_missing_entry_or_coin_is_a_hole_and_the_event_waits_for_it() -> None:
    for kind in ("entry", "coin"):
        contest = Contest(3)
        contest.start()
        gone = next(one for one in map(read, contest.documents) if one.kind == kind)
        contest.documents.remove(gone.data)
        found = contest.look()
        assert [(one.code, one.fact(kind)) for one in found.holes] == [(f"{kind}_missing", gone.id)]
        assert found.start is None


# --- who may write what ----------------------------------------------------------------------------------------


def test_a_stranger_writes_nothing_that_counts() -> None:
    contest = Contest(4)
    contest.start()
    contest.round()
    here = contest.look()
    number, previous = here.chain.tip(contest.id)
    forged: list[Content] = [
        Close(contest.id, 1, contest.id, ()),
        replace(here.rounds[0], number=number, previous=previous),
        Ruling(contest.id, 1, contest.id, Matter.FORFEIT, 1, 1, 0, 1),
        Ready(contest.id, 1, 1, 1, 5),
        Claim(contest.id, 1, 1, 1, 5),
        Answer(contest.id, secret("claim"), 5, "No."),
    ]
    before = told(here)
    for content in forged:
        contest.publish(STRANGER, content)
    found = contest.look()
    # Nobody has made the claim that is answered.
    assert codes(found.refused) == [*["other_author"] * (len(forged) - 1), "unlinked"]
    assert told(replace(found, refused=())) == before
    assert [*found.ready, *found.claims, *found.answers] == []


def test_documents_of_another_event_and_foreign_files_are_named_and_change_nothing() -> None:
    contest, other = Contest(3), Contest(3, name="Other")
    contest.start()
    before = told(contest.look())
    contest.documents += [*other.documents[1:], b"", b"not a document", b"\x92" * 50]
    found = contest.look()
    assert codes(found.refused).count("other_event") == 3
    assert len(found.refused) == 6
    assert told(replace(found, refused=())) == before
    with pytest.raises(DocumentError) as caught:
        survey(contest.documents + other.documents)
    assert caught.value.code == "several_events"
    assert set(find_events([*contest.documents, *other.documents])) == {contest.id, other.id}
    assert survey(contest.documents + other.documents, (), other.id).event.name == "Other"
    with pytest.raises(DocumentError) as caught:
        survey([b"nothing"])
    assert caught.value.code == "no_event"


def test_ready_claim_and_answer_of_the_players_of_a_pairing_are_kept_and_wait_for_a_ruling() -> None:
    contest = Contest(4, grace=1000, answer=500)
    contest.start()
    contest.round()
    here = contest.look()
    pairing = here.rounds[0].pairings[0]
    first, second = (contest.keys[here.players[number - 1].key] for number in pairing)
    ready = contest.publish(first, Ready(contest.id, 1, 1, 1, 5))
    early = contest.publish(first, Claim(contest.id, 1, 1, 1, 1004))
    claim = contest.publish(first, Claim(contest.id, 1, 1, 1, 1005, (ready.id,)))
    contest.publish(first, Answer(contest.id, claim.id, 2001, "I answer myself."))
    found = contest.look()
    assert (found.ready, set(found.claims), found.answers) == ((ready,), {early, claim}, ())
    assert codes(found.refused) == ["other_author"]
    asked = NoShow((Place(1, 1, 0),), (claim.id, early.id), *pairing, 1005, 5, True, None, (), 1505)
    # Of two claims the one counts that waited, and both cover both games.
    assert no_shows(found) == (asked,)
    assert asked.covers(Place(1, 1, 2))
    assert not asked.covers(Place(1, 2, 0))
    answer = contest.publish(second, Answer(contest.id, early.id, 1100, "I was there."))
    contest.publish(second, Ready(contest.id, 1, 1, 2, 900))
    assert no_shows(contest.look()) == (replace(asked, other_ready=900, answers=(answer,)),)
    contest.reports.append(contest.report(Place(1, 1, 2), Outcome.DRAW))
    (waits,) = no_shows(contest.look())
    assert (waits.places, waits.other_ready) == ((Place(1, 1, 1),), None)
    contest.rule(Matter.FORFEIT, 1, table=1, game=1, player=pairing.second, evidence=(claim.id,))
    assert no_shows(contest.look()) == ()


def test_a_refused_claim_is_settled_with_all_before_it_and_a_later_one_needs_another_ready() -> None:
    contest = Contest(2, grace=1000)
    contest.start()
    contest.round()
    here = contest.look()
    pairing = here.rounds[0].pairings[0]
    first, second = (contest.keys[here.players[number - 1].key] for number in pairing)
    contest.publish(first, Ready(contest.id, 1, 1, 1, 5))
    contest.publish(first, Claim(contest.id, 1, 1, 1, 1500))
    last = contest.publish(first, Claim(contest.id, 1, 1, 2, 2000))
    theirs = contest.publish(second, Claim(contest.id, 1, 1, 1, 1600))
    foreign = contest.rule(Matter.REFUSAL, 1, table=2, evidence=(last.id,))
    assert "ruling_place" in codes(contest.look().refused)
    assert [one.by for one in no_shows(contest.look())] == sorted(pairing)
    refusal = contest.rule(Matter.REFUSAL, 1, table=1, evidence=(last.id,))
    found = contest.look()
    assert [one.claims for one in no_shows(found)] == [(theirs.id,)]
    # It is no ruling about the games, so a forfeit needs not replace it.
    assert rulings_on(found, Place(1, 1, 0)) == ()
    assert {one.document.id for one in list_rulings(found) if one.stands} == {refusal.id}
    assert foreign.id not in {one.document.id for one in list_rulings(found) if one.stands}
    assert ready_since(found, first.public, Place(1, 1, 1)) is None
    contest.publish(first, Claim(contest.id, 1, 1, 1, 3000))
    assert [(one.at, one.waited) for one in no_shows(contest.look()) if one.by == pairing.first] == [(3000, False)]
    contest.publish(first, Ready(contest.id, 1, 1, 1, 2001))
    contest.publish(first, Claim(contest.id, 1, 1, 1, 3001))
    found = contest.look()
    assert ready_since(found, first.public, Place(1, 1, 1)) == 2001
    assert [(one.at, one.waited) for one in no_shows(found) if one.by == pairing.first] == [(3001, True)]
    # What an arbiter takes back, waits again.
    contest.rule(Matter.REFUSAL, 1, table=1, evidence=(theirs.id,), replaces=refusal.id)
    assert [one.claims[-1] == theirs.id for one in no_shows(contest.look())] == [False]


def test_a_time_for_a_game_is_agreed_on_by_both_and_stands_until_they_agree_on_another() -> None:
    contest = Contest(2)
    contest.start()
    contest.round()
    here = contest.look()
    pairing, where = here.rounds[0].pairings[0], (contest.id, 1, 1, 1)
    first, second = (contest.keys[here.players[number - 1].key] for number in pairing)
    mine, theirs = pairing

    def dates(key: PrivateKey, at: int, when: int) -> tuple[tuple[int, int | None], ...]:
        contest.publish(key, Proposal(*where, at, when))
        return tuple((one.when, one.by) for one in appointments(contest.look())[Place(1, 1, 1)])

    assert dates(first, 10, 100) == ((100, mine),)
    assert dates(first, 11, 200) == ((200, mine),)
    # The first time is no longer proposed when the other agrees to it.
    assert dates(second, 12, 100) == tuple(sorted(((200, mine), (100, theirs)), key=lambda one: one[1]))
    assert dates(first, 13, 100) == ((100, None),)
    assert dates(second, 14, 200) == ((100, None), (200, theirs))
    assert dates(first, 15, 200) == ((200, None),)
    # One alone does not bring back what both have left.
    assert dates(first, 20, 100) == ((200, None), (100, mine))
    assert dates(second, 21, 100) == ((100, None),)
    foreign = contest.publish(STRANGER, Proposal(*where, 30, 400))
    contest.publish(first, Proposal(contest.id, 1, 1, 9 - 1, 30, 400))
    found = contest.look()
    assert [one.subject for one in found.refused] == [foreign.id]
    assert set(appointments(found)) == {Place(1, 1, 1)}
    contest.reports.append(contest.report(Place(1, 1, 1), Outcome.DRAW))
    assert appointments(contest.look()) == {}


# --- rounds ---------------------------------------------------------------------------------------------------


@cache
def told_of(system: System) -> str:
    """Return what is told of such an event when its files come as they were written."""
    return told(finished(system).look())


@given(st.sampled_from(list(System)), st.randoms(use_true_random=False), st.booleans())
def test_neither_order_nor_repetition_changes_anything(system: System, chance: random.Random, twice: bool) -> None:
    contest = finished(system)
    documents, reports = list(contest.documents), list(contest.reports)
    if twice:
        documents += documents[:5]
    chance.shuffle(documents)
    chance.shuffle(reports)
    assert told(survey(documents, reports)) == told_of(system)


@pytest.mark.long
def test_every_process_tells_the_same() -> None:
    script = (
        "import hashlib\nfrom test_survey import System, finished, told_of\n"
        "from protocol.tournament.export import report_file\n"
        "text = ''.join(told_of(one) + report_file(finished(one).look()) for one in System)\n"
        "print(hashlib.sha256(text.encode()).hexdigest())"
    )
    found = set()
    for seed in ("0", "1", "77"):
        path = os.pathsep.join(map(str, (ROOT, ROOT / "tests", ROOT / "tests" / "tournament")))
        done = subprocess.run(
            [sys.executable, "-c", script],
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": path},
            capture_output=True,
            text=True,
            timeout=100,
            check=True,
        )
        found.add(done.stdout)
    assert len(found) == 1


def test_one_log_less_is_a_named_hole_and_the_opponents_export_changes_nothing() -> None:
    contest = Contest(4)
    contest.start()
    contest.play_rounds()
    before = told(contest.look())
    copies = [replace(one, digest=secret(one.digest.hex())) for one in contest.reports]
    assert told(survey(contest.documents, contest.reports + copies)) == before
    found = survey(contest.documents, contest.reports[1:])
    (hole,) = [one for one in found.holes if one.code == "game_missing"]
    place = contest.reports[0].place
    assert place is not None
    assert (hole.fact("round"), hole.fact("table"), hole.fact("game")) == (place.round, place.table, place.game)


def test_what_is_to_be_played_is_told_with_seat_terms_and_deadline() -> None:
    contest = Contest(4, System.SWISS)
    contest.start()
    contest.round(5000)
    here = contest.look()
    first, second = (here.players[number - 1] for number in here.rounds[0].pairings[0])
    one, two = drafts.assignments(here, first.key)
    assert (one.seat, two.seat, one.opponent, one.until) == (0, 1, second, 5000)
    assert one.conditions.event == EventTerms(contest.id, 1, 1, 1, contest.look().published[0])
    assert [each.seat for each in drafts.assignments(here, second.key)] == [1, 0]
    contest.reports.append(contest.report(one.place, Outcome.DRAW))
    assert [each.place for each in drafts.assignments(contest.look(), first.key)] == [two.place]
    assert drafts.assignments(here, STRANGER.public) == ()


def test_a_coin_follows_from_a_secret_and_the_event() -> None:
    assert drafts.coin_from(secret("a"), secret("one")) != drafts.coin_from(secret("a"), secret("two"))
    assert len(drafts.coin_from(secret("a"), secret("one"))) == 32


def test_drafts_before_their_time_say_so() -> None:
    contest = Contest(3)
    here = contest.look()
    key = next(iter(contest.keys))
    for draft in (
        lambda: drafts.draft_coin(here, key, contest.coins[key]),
        lambda: drafts.draft_start(here),
        lambda: drafts.draft_round(here),
    ):
        with pytest.raises(DocumentError) as caught:
            draft()
        assert caught.value.code == "too_early"
    contest.close()
    with pytest.raises(DocumentError) as caught:
        drafts.draft_close(contest.look())
    assert caught.value.code == "too_late"
    with pytest.raises(DocumentError) as caught:
        drafts.draft_ruling(here, STRANGER.public, Matter.WITHDRAWAL, 1, player=1)
    assert caught.value.code == "other_author"


def test_if_more_enter_than_may_play_the_draw_says_who_does_and_who_waits() -> None:
    contest = Contest(7, System.SWISS, most=4, seeding=Seeding.RATING)
    contest.close()
    contest.open_coins(without=list(contest.keys)[:1])
    contest.publish(ORGANISER, drafts.draft_start(contest.look()))
    found = contest.look()
    assert len(found.players) == 4
    assert len(found.waiting) == 2
    assert found.draw is not None
    order = sorted(list(contest.keys)[1:], key=lambda key: hash_parts("event-order", found.draw or b"", key))
    assert {one.key for one in found.players} == set(order[:4])
    assert found.waiting == tuple(order[4:])
    ratings = [one.rating[0] for one in found.players if one.rating]
    assert ratings == sorted(ratings, reverse=True)
    # All places are taken until somebody leaves.
    entries = {one.author: one.id for one in found.entries.values()}
    contest.round()
    contest.play(first_wins)
    contest.rule(Matter.LATE_ENTRY, 2, entry=entries[found.waiting[0]])
    assert codes(contest.look().refused) == ["ruling_unfit"]
    contest.rule(Matter.WITHDRAWAL, 2, player=1)
    contest.rule(Matter.LATE_ENTRY, 2, entry=entries[found.waiting[1]])
    assert contest.look().pending
    contest.round()
    assert contest.look().players[-1].key == found.waiting[1]
