"""Rounds, rulings and knock-outs of a tournament, as a reader of its folder finds them."""

from __future__ import annotations

import sys
from dataclasses import replace
from typing import Any

import pytest
from helpers_tournament import ORGANISER, Contest, codes, first_wins, secret

from protocol.tournament import drafts
from protocol.tournament.contents import Close, Coin, Matter, Pairing, Round, Start, System
from protocol.tournament.documents import DocumentError
from protocol.tournament.engine import EngineError
from protocol.tournament.findings import Place
from protocol.tournament.outcomes import Outcome
from protocol.tournament.pairings import PairingError, pair_round
from tournament.survey import begun, told


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
    cheated = replace(
        other.look().next,
        history=tuple(
            tuple(replace(one, outcomes=(Outcome.SECOND,) * 2) if table == 0 else one for table, one in enumerate(turn))
            for turn in other.look().next.history
        ),
    )
    other.publish(ORGANISER, replace(lie, pairings=pair_round(cheated)))
    found = other.look()
    assert len(found.rounds) == 2
    differing = [one for one in found.holes if one.code == "basis_differs"]
    assert [(one.fact("table"), one.fact("taken"), one.fact("now")) for one in differing] == [
        (1, "second", "none"),
        (1, "second", "none"),
    ]


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
