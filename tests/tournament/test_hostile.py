"""What an organiser, an arbiter, a player and a stranger may try with a folder, and what every reader makes of it."""

from __future__ import annotations

import sys
import time
from dataclasses import replace

import pytest
from helpers_tournament import ARBITER, ORGANISER, STRANGER, Contest, codes, event_of, first_wins, key_of, secret

from protocol.tournament import drafts, pairings, rounds
from protocol.tournament.contents import Claim, Close, Matter, Pairing, Ready, Round, Ruling, System
from protocol.tournament.documents import read
from protocol.tournament.engine import EngineError, engine_version
from protocol.tournament.lines import Field, lines_of
from protocol.tournament.no_shows import no_shows
from protocol.tournament.outcomes import Meeting, Outcome
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


def test_a_round_published_anew_is_named_by_the_log_of_the_first_and_convicts_whoever_signed_both() -> None:
    contest = Contest(4)
    contest.start()
    first = contest.round()
    contest.play(first_wins)
    contest.documents.remove(first.data)
    contest.round(9001)
    hidden = contest.look()
    assert set(codes(hidden.refused)) == {"other_document"}
    assert {one.fact("document") for one in hidden.refused} == {first.id}
    assert {one.state for one in hidden.results.values()} == {"missing"}
    assert not hidden.convictions
    contest.documents.append(first.data)
    assert [one.number for one in contest.look().convictions] == [3]


def test_two_documents_with_one_number_are_named_even_behind_a_gap() -> None:
    contest = Contest(4)
    contest.start()
    start = contest.documents[-1]
    contest.round()
    made = read(contest.documents[-1]).content
    assert isinstance(made, Round)
    contest.publish(ORGANISER, replace(made, until=9001))
    contest.documents.remove(start)
    assert codes(contest.look().holes) == ["document_missing", "equivocation"]


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


def test_late_entries_end_where_the_numbers_of_players_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rounds, "PLAYER_LIMIT", 5)
    contest = Contest(4, System.SWISS)
    contest.start()
    for name in ("one", "two"):
        key = key_of(name)
        late = contest.publish(key, drafts.draft_entry(contest.id, key.public, name, secret(name)))
        contest.rule(Matter.LATE_ENTRY, 1, entry=late.id)
    found = contest.look()
    assert found.next.size == 5
    assert "ruling_unfit" in codes(found.refused)


def test_who_has_left_gets_nothing_for_a_bye_that_was_granted_before() -> None:
    contest = Contest(5, System.SWISS)
    contest.start()
    contest.rule(Matter.BYE, 2, player=5, points=4)
    contest.round()
    contest.play(first_wins)
    contest.rule(Matter.WITHDRAWAL, 2, player=5)
    contest.round()
    lines = lines_of(contest.look().field)
    assert lines[5][1] is None


@pytest.mark.parametrize("fault", ["no_pairing", "engine_failed"])
def test_a_fault_of_another_version_of_the_engine_refuses_no_round(monkeypatch: pytest.MonkeyPatch, fault: str) -> None:
    contest = Contest(4, System.SWISS)
    contest.start()
    contest.round()

    def fail(_: Field) -> tuple[Pairing, ...]:
        raise EngineError(fault, "pairings", "nothing")

    monkeypatch.setattr(pairings, "pair_swiss", fail)
    assert codes(contest.look().refused) == [fault]
    monkeypatch.setattr(rounds, "engine_version", lambda: "gacrux 0")
    found = contest.look()
    assert len(found.rounds) == 1
    assert "pairings_unchecked" in codes(found.holes)


def test_who_is_alone_has_a_bye_with_and_without_the_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "gacrux", None)
    field = Field(event_of(System.SWISS), 3, ((Meeting(1, 0), Meeting(2, 3, (Outcome.FIRST,) * 2)),), gone={2: 2, 3: 2})
    assert pair_round(field) == (Pairing(1, 0),)


def test_a_ruling_about_a_game_that_no_pairing_has_is_named() -> None:
    contest = Contest(4)
    contest.start()
    contest.round()
    contest.rule(Matter.DOUBLE_FORFEIT, 1, table=1, game=3)
    assert codes(contest.look().refused) == ["ruling_place"]


def test_thousands_of_claims_and_moments_of_being_there_take_no_square_of_time() -> None:
    contest = Contest(2)
    contest.start()
    contest.round()
    here = contest.look()
    signer = next(iter(contest.keys.values()))
    claim = contest.publish(signer, Claim(contest.id, 1, 1, 1, 5000))
    ready = contest.publish(signer, Ready(contest.id, 1, 1, 1, 100))
    times = 20_000
    flood = replace(here, claims=(claim,) * times, ready=(ready,) * times)
    before = time.process_time()
    found = no_shows(flood)
    # By pairs it would be 400 million steps.
    assert time.process_time() - before < 5
    assert [len(one.claims) for one in found] == [times]
    assert found[0].waited
