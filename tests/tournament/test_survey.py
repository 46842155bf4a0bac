"""How an event stands for whoever holds its folder: entries, draw, rounds, and everybody who may lie."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from dataclasses import replace
from functools import cache
from typing import Any

import pytest
from helpers import ROOT
from helpers_tournament import (
    ARBITER,
    ORGANISER,
    STRANGER,
    Contest,
    codes,
    first_wins,
    key_of,
    secret,
)
from hypothesis import given
from hypothesis import strategies as st

from protocol.core.conditions import EventTerms
from protocol.crypto.hashing import hash_parts
from protocol.tournament import drafts
from protocol.tournament.contents import (
    Answer,
    Claim,
    Close,
    Coin,
    Content,
    Entry,
    Matter,
    Pairing,
    Ready,
    Round,
    Ruling,
    Start,
    System,
)
from protocol.tournament.documents import DocumentError, check_equivocation, read, sign
from protocol.tournament.engine import EngineError
from protocol.tournament.findings import Place
from protocol.tournament.no_shows import NoShow, no_shows
from protocol.tournament.outcomes import Outcome
from protocol.tournament.pairings import PairingError, pair_round
from protocol.tournament.standings import standings
from protocol.tournament.survey import Tournament, find_events, survey


def told(found: Tournament) -> str:
    """Return everything that a reader of a folder is told."""
    rows = () if found.start is None else standings(found)
    return repr((rows, found.results, found.players, found.refused, found.holes, found.remarks, found.convictions,
                 found.draw, [one.pairings for one in found.rounds]))  # fmt: skip


# --- entries and draw -----------------------------------------------------------------------------------------


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
    left = (set(contest.keys) - {contest.look().entries[one].author for one in contest.look().close.content.entries})  # type: ignore[union-attr]
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
    assert check_equivocation(found.convictions[0].first, found.convictions[0].second) == found.convictions[0]


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
    assert codes(found.refused) == ["other_author"] * len(forged)
    assert told(replace(found, refused=())) == before
    assert found.ready == found.claims == found.answers == ()


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
    waits = {one.claim: one for one in no_shows(found)}
    assert waits[claim.id] == NoShow(Place(1, 1, 1), claim.id, *pairing, 1005, True, False, (), 1505)
    assert not waits[early.id].waited
    answer = contest.publish(second, Answer(contest.id, claim.id, 1100, "I was there."))
    contest.publish(second, Ready(contest.id, 1, 1, 1, 900))
    waits = {one.claim: one for one in no_shows(contest.look())}
    assert (waits[claim.id].answers, waits[early.id].answers) == ((answer.id,), ())
    assert waits[claim.id].other_ready
    contest.rule(Matter.FORFEIT, 1, table=1, game=1, player=pairing.second, evidence=(claim.id,))
    assert no_shows(contest.look()) == ()


# --- rounds ---------------------------------------------------------------------------------------------------


def begun(size: int = 6, system: System = System.SWISS, **changes: Any) -> Contest:
    """Return an event whose first round has been played."""
    contest = Contest(size, system, **changes)
    contest.start()
    contest.round()
    contest.play(first_wins)
    return contest


def test_two_rounds_with_one_number_convict_and_neither_counts() -> None:
    contest = begun()
    draft = drafts.draft_round(contest.look(), 9000)
    contest.publish(ORGANISER, draft)
    contest.publish(ORGANISER, replace(draft, until=8000))
    found = contest.look()
    assert len(found.rounds) == 1
    assert [(one.author, one.number) for one in found.convictions] == [(ORGANISER.public, 4)]
    assert "equivocation" in codes(found.holes)
    assert codes(found.refused).count("unlinked") == 2


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"pairings": (Pairing(1, 2), Pairing(3, 4), Pairing(5, 6))}, "pairings"),
        ({"pairings": ()}, "pairings"),
        ({"pairings": (Pairing(1, 2), Pairing(2, 3))}, "pairings"),
        ({"pairings": (Pairing(1, 9),)}, "pairings"),
        ({"round": 3}, "round_order"),
        ({"until": 10}, "deadline"),
        ({"basis": ()}, "basis"),
        ({"basis": ((b"\x01\x01",) * 2,)}, "basis"),
        ({"basis": ((b"\x01",) * 3,)}, "basis"),
        ({"basis": ((b"\x01\x07",) * 3,)}, "basis"),
        ({"basis": ((b"\x01\x00",) * 3,)}, "undecided"),
    ],
    ids=str,
)
def test_a_round_that_does_not_follow_is_refused_and_the_next_document_may_mend_it(
    changes: dict[str, Any], code: str
) -> None:
    contest = begun()
    draft = drafts.draft_round(contest.look(), 9000)
    contest.publish(ORGANISER, replace(draft, **changes))
    found = contest.look()
    assert codes(found.refused) == [code]
    assert len(found.rounds) == 1
    contest.round()
    assert contest.look().rounds[1].pairings == draft.pairings


def test_a_false_basis_is_named_by_whoever_holds_the_logs() -> None:
    contest = begun()
    draft = drafts.draft_round(contest.look(), 9000)
    lie = replace(draft, basis=((b"\x03\x03", *draft.basis[0][1:]),))
    assert contest.look().results[Place(1, 1, 1)].outcome is Outcome.FIRST
    contest.publish(ORGANISER, lie)
    assert codes(contest.look().refused) == ["pairings"]
    # With pairings that follow from the lie the round holds, because somebody may have begun to play; it is named.
    other = begun()
    cheated = replace(other.look().next, history=tuple(
        tuple(replace(one, outcomes=(Outcome.SECOND,) * 2) if table == 0 else one for table, one in enumerate(turn))
        for turn in other.look().next.history
    ))  # fmt: skip
    other.publish(ORGANISER, replace(lie, pairings=pair_round(cheated)))
    found = other.look()
    assert len(found.rounds) == 2
    differing = [one for one in found.holes if one.code == "basis_differs"]
    assert [(one.fact("table"), one.fact("taken"), one.fact("now")) for one in differing] == [
        (1, "second", "first"), (1, "second", "first"),
    ]  # fmt: skip


def test_a_deleted_document_of_the_chain_is_a_hole_and_what_is_behind_it_does_not_count() -> None:
    contest = begun()
    contest.round()
    chain = contest.look().chain.documents
    contest.documents.remove(chain[2].data)
    found = contest.look()
    assert found.rounds == ()
    assert [(one.code, one.fact("number")) for one in found.holes] == [("document_missing", 3)]
    assert found.convictions == ()


def test_a_document_that_rests_on_a_hidden_one_does_not_count() -> None:
    contest = begun()
    draft = drafts.draft_round(contest.look(), 9000)
    contest.publish(ORGANISER, replace(draft, previous=secret("hidden")))
    assert codes(contest.look().holes) == ["document_unlinked"]


def test_pairings_by_another_version_of_the_engine_are_taken_if_they_are_legal_and_named_as_unchecked(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with pytest.raises(EngineError) as caught:
        begun(7, engine="gacrux 0.0.1")
    assert caught.value.code == "engine_version"
    monkeypatch.setattr(drafts, "engine_version", lambda: "gacrux 0.0.1")
    contest = begun(7, engine="gacrux 0.0.1")
    draft = drafts.draft_round(contest.look(), 9000)
    first, *rest = draft.pairings
    before = contest.look().rounds[0].pairings
    illegal = [
        (*before[1:], before[0]),
        tuple(rest),
        (*(Pairing(number, 0) for number in first), *rest),
        (*draft.pairings[:-1], Pairing(before[-1].first, 0)),
    ]
    for pairings in illegal:
        number, previous = contest.look().chain.tip(contest.id)
        contest.publish(ORGANISER, replace(draft, pairings=pairings, number=number, previous=previous))
    assert codes(contest.look().refused) == ["pairings"] * 4
    number, previous = contest.look().chain.tip(contest.id)
    swapped = (Pairing(first.second, first.first), *rest)
    contest.publish(ORGANISER, replace(draft, pairings=swapped, number=number, previous=previous))
    found = contest.look()
    assert found.rounds[1].pairings == swapped
    assert [one.fact("round") for one in found.holes if one.code == "pairings_unchecked"] == [2]


def test_without_the_engine_a_swiss_can_be_read_and_its_pairings_are_named_as_unchecked(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    contest = begun()
    for name in [name for name in sys.modules if name.split(".")[0] == "gacrux"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "gacrux", None)
    found = contest.look()
    assert len(found.rounds) == 1
    assert codes(found.holes) == ["pairings_unchecked"]


def test_the_next_round_waits_for_every_game_of_a_swiss() -> None:
    contest = Contest(4, System.SWISS)
    contest.start()
    with pytest.raises(DocumentError):
        drafts.draft_start(contest.look())
    contest.round()
    with pytest.raises(PairingError) as caught:
        contest.round()
    assert caught.value.code == "undecided"


def test_a_deadline_that_nobody_gave_is_asked_for() -> None:
    contest = Contest(6, System.ROUND_ROBIN, deadlines=(1000,))
    contest.start()
    contest.round(None)
    with pytest.raises(DocumentError) as caught:
        contest.round(None)
    assert caught.value.code == "no_deadline"


def test_documents_out_of_their_order_are_named_and_change_nothing() -> None:
    contest = Contest(3)
    contest.publish(ORGANISER, Start(contest.id, 1, contest.id, ()))
    assert codes(contest.look().refused) == ["too_early"]
    contest.start()
    before = told(replace(contest.look(), refused=()))
    for content in (Close(contest.id, 1, contest.id, ()), Start(contest.id, 1, contest.id, ())):
        here = contest.look()
        number, previous = here.chain.tip(contest.id)
        contest.publish(ORGANISER, replace(content, number=number, previous=previous))
    found = contest.look()
    assert codes(found.refused) == ["too_early", "too_late", "too_late"]
    assert told(replace(found, refused=())) == before


def test_a_start_that_lists_a_false_coin_does_not_hold() -> None:
    contest = Contest(3)
    close = contest.close()
    contest.open_coins()
    good = drafts.draft_start(contest.look())
    key = next(iter(contest.keys))
    entry = next(one.id for one in contest.look().entries.values() if one.author == key)
    false = contest.publish(contest.keys[key], Coin(contest.id, close.id, entry, secret("false")))
    contest.publish(ORGANISER, replace(good, coins=tuple(sorted((*good.coins, false.id)))))
    found = contest.look()
    assert found.start is None
    assert codes(found.refused) == ["bad_coin", "wrong_coin"]
    contest.publish(ORGANISER, drafts.draft_start(found))
    assert len(contest.look().players) == 3


def test_rulings_of_a_round_stand_in_their_order_and_each_once() -> None:
    contest = begun(8)
    rulings = [contest.rule(Matter.WITHDRAWAL, 2, player=player).id for player in (3, 4)]
    draft = drafts.draft_round(contest.look(), 9000)
    assert draft.rulings == tuple(rulings)
    for wrong in (tuple(rulings[::-1]), (rulings[0], *rulings)):
        number, previous = contest.look().chain.tip(contest.id)
        contest.publish(ORGANISER, replace(draft, rulings=wrong, number=number, previous=previous))
    assert codes(contest.look().refused) == ["ruling_order"] * 2
    contest.round()
    contest.play(first_wins)
    draft = drafts.draft_round(contest.look(), 9000)
    contest.publish(ORGANISER, replace(draft, rulings=tuple(rulings)))
    assert codes(contest.look().refused).count("ruling_order") == 3


def test_a_late_entry_that_is_nowhere_or_in_already_does_not_fit() -> None:
    contest = begun(5)
    for entry in (secret("nowhere"), next(iter(contest.look().entries))):
        contest.rule(Matter.LATE_ENTRY, 2, entry=entry)
    found = contest.look()
    assert (codes(found.refused), len(found.pending), found.next.size) == (["ruling_unfit"], 1, 5)
    assert "entry_missing" in codes(found.holes)


def test_a_round_that_nobody_can_pair_is_refused_with_the_reason_of_the_engine() -> None:
    contest = Contest(2, System.SWISS)
    contest.start()
    contest.round()
    contest.play(first_wins)
    with pytest.raises(EngineError):
        drafts.draft_round(contest.look(), 9000)
    number, previous = contest.look().chain.tip(contest.id)
    basis = ((b"\x01\x01",),)
    contest.publish(ORGANISER, Round(contest.id, number, previous, 2, 9000, (Pairing(1, 2),), basis, ()))
    assert codes(contest.look().refused) == ["no_pairing"]


def test_a_knock_out_waits_for_the_winner_of_each_pairing() -> None:
    contest = Contest(4, System.KNOCK_OUT)
    contest.start()
    contest.round()
    with pytest.raises(PairingError) as caught:
        contest.round()
    assert caught.value.code == "undecided"


# --- rulings --------------------------------------------------------------------------------------------------


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
    contest.documents += [b"foreign", sign(STRANGER, Close(contest.id, 1, contest.id, ()))]
    contest.reports.append(contest.report(Place(1, 1, 2), Outcome.SECOND, match=secret("again")))
    contest.reports.append(replace(contest.reports[0], digest=secret("x"), place=EventTerms(secret("x"), 1, 1, 1)))
    return contest


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
            [sys.executable, "-c", script], env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": path},
            capture_output=True, text=True, timeout=50, check=True,
        )  # fmt: skip
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
    assert one.conditions.event == EventTerms(contest.id, 1, 1, 1)
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
