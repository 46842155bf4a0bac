"""What an organiser tells after the announcement: who must not meet, ratings, further arbiters, texts."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

import pytest
from helpers import daily_first
from helpers_tournament import ARBITER, ORGANISER, STRANGER, Contest, codes, key_of

from protocol.errors import ProtocolError
from protocol.tournament import drafts
from protocol.tournament.contents import Absence, Matter, Notice, Pairing, Seeding, System, Topic
from protocol.tournament.documents import DocumentError, Signed
from protocol.tournament.engine import pair_swiss
from protocol.tournament.outcomes import Outcome
from protocol.tournament.pairings import is_legal
from protocol.tournament.standings import standings
from tournament.survey import begun, told


def notify(contest: Contest, topic: Topic, *keys: bytes, **facts: Any) -> Signed[Notice]:
    """Let the organiser tell something."""
    content = drafts.draft_notice(contest.look(), topic, 5, keys=tuple(sorted(keys)), **facts)
    return contest.publish(ORGANISER, content)


@pytest.mark.parametrize("seed", daily_first(range(25)))
def test_two_who_are_kept_apart_never_meet_in_a_swiss_and_everybody_pairs_the_same(seed: int) -> None:
    chance = random.Random(seed)
    contest = Contest(chance.randint(7, 12), System.SWISS)
    apart = [chance.sample(list(contest.keys), 2) for _ in range(3)]
    for pair in apart:
        notify(contest, Topic.FORBIDDEN, *pair)
    contest.start()
    while True:
        try:
            contest.round()
        except ProtocolError:
            break
        contest.play(lambda _: chance.choice((Outcome.FIRST, Outcome.DRAW, Outcome.SECOND)))
    chance.shuffle(contest.documents)
    found = contest.look()
    assert len(found.rounds) >= 2
    numbers = {one.key: one.number for one in found.players}
    forbidden = {frozenset(numbers[key] for key in pair) for pair in apart}
    assert set(map(frozenset, found.field.forbidden)) == forbidden
    assert not any(frozenset(pair) in forbidden for made in found.rounds for pair in made.pairings)
    assert codes(found.remarks).count("notice_forbidden") == 3
    assert not found.refused


def test_a_round_that_pairs_two_who_are_kept_apart_is_refused_even_where_no_engine_can_check(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    contest = Contest(4, System.SWISS)
    notify(contest, Topic.FORBIDDEN, *list(contest.keys)[:2])
    field = contest.start().next
    (pair,) = field.forbidden
    others = [number for number in range(1, 5) if number not in pair]
    wrong = (pair, Pairing(*others))
    assert not is_legal(field, wrong)
    assert is_legal(field, pair_swiss(field))
    draft = drafts.draft_round(contest.look(), 9000)
    contest.publish(ORGANISER, replace(draft, pairings=wrong))
    monkeypatch.setattr("protocol.tournament.rounds.engine_version", lambda: None)
    assert codes(contest.look().refused) == ["pairings"]


def test_who_may_meet_and_who_is_rated_how_is_said_before_the_entries_are_closed() -> None:
    contest = Contest(4, System.SWISS)
    one, two = list(contest.keys)[:2]
    contest.close()
    notify(contest, Topic.FORBIDDEN, one, two)
    notify(contest, Topic.RATING, one, rating=(3000, 200, 60_000))
    assert codes(contest.look().refused) == ["too_late"] * 2
    contest.open_coins()
    contest.publish(ORGANISER, drafts.draft_start(contest.look()))
    found = contest.look()
    assert found.start is not None
    assert found.next.forbidden == ()
    assert max(one.rating[0] for one in found.players if one.rating) < 3000


def test_only_a_swiss_keeps_players_apart() -> None:
    contest = Contest(4)
    notify(contest, Topic.FORBIDDEN, *list(contest.keys)[:2])
    assert codes(contest.look().refused) == ["notice_unfit"]
    contest.start()
    assert [len(one.pairings) for one in contest.play_rounds().rounds] == [2, 2, 2]


def test_seeding_uses_the_rating_that_the_organiser_has_confirmed() -> None:
    contest = Contest(4, seeding=Seeding.RATING)
    first, second, third, fourth = contest.keys
    for rating in (1000, 3000):
        notify(contest, Topic.RATING, first, rating=(rating, 200, 60_000))
    notify(contest, Topic.RATING, fourth)
    found = contest.start()
    assert [one.key for one in found.players] == [first, third, second, fourth]
    assert [one.rating and one.rating[0] for one in found.players] == [3000, 1150, 1100, None]
    assert standings(found)[0].before.rating in (3000, 1150, 1100, 1500)
    assert codes(found.remarks) == ["notice_rating"] * 3


def test_a_deputy_may_rule_and_a_stranger_may_not() -> None:
    contest = begun()
    place = {"table": 1, "player": contest.look().rounds[0].pairings[0].first}
    deputy = key_of("deputy")
    with pytest.raises(DocumentError):
        drafts.draft_ruling(contest.look(), deputy.public, Matter.FORFEIT, 1, **place)
    before = contest.look().words()
    notice = notify(contest, Topic.ARBITER, deputy.public)
    assert contest.look().words() != before
    ruling = contest.publish(deputy, drafts.draft_ruling(contest.look(), deputy.public, Matter.FORFEIT, 1, **place))
    contest.rule(Matter.WITHDRAWAL, 2, player=6)
    assert contest.look().in_force[-1].id == ruling.id
    contest.round()
    found = contest.look()
    assert found.arbiters == (*sorted((ARBITER.public, ORGANISER.public)), deputy.public)
    assert ruling.id in found.listed
    assert [one.outcome.name for place, one in found.results.items() if place[:2] == (1, 1)] == ["FORFEIT_SECOND"] * 2
    # Without the notice nothing behind it counts, and the deputy is nobody.
    contest.documents.remove(notice.data)
    found = contest.look()
    assert "document_missing" in codes(found.holes)
    assert "other_author" in codes(found.refused)
    assert len(found.rounds) == 1


def test_there_are_at_most_eight_arbiters() -> None:
    contest = Contest(2)
    for number in range(9):
        notify(contest, Topic.ARBITER, key_of(f"deputy {number}").public)
    found = contest.look()
    assert len(found.arbiters) == 8
    assert codes(found.refused) == ["notice_unfit"] * 3


def test_a_notice_of_anybody_else_counts_for_nothing() -> None:
    contest = Contest(2)
    content = drafts.draft_notice(contest.look(), Topic.ARBITER, 5, keys=(STRANGER.public,))
    contest.publish(STRANGER, content)
    found = contest.look()
    assert codes(found.refused) == ["other_author"]
    assert STRANGER.public not in found.arbiters


def test_an_announcement_changes_nothing_and_may_follow_the_end() -> None:
    contest = begun(4)
    before = told(contest.look())
    notify(contest, Topic.ANNOUNCEMENT, text="The next round begins a day later.")
    assert told(contest.look()) == before
    contest.publish(ORGANISER, drafts.draft_end(contest.look()))
    notify(contest, Topic.ANNOUNCEMENT, text="Thank you all.")
    found = contest.look()
    assert found.end is not None
    assert not found.refused
    assert [getattr(one.content, "text", "") for one in found.notices][-1] == "Thank you all."


def test_an_absence_is_taken_from_those_who_have_entered_and_changes_no_pairing() -> None:
    contest = begun(6)
    before = contest.look()
    said = contest.publish(next(iter(contest.keys.values())), Absence(contest.id, 2, 2))
    contest.publish(STRANGER, Absence(contest.id, 2, 2))
    found = contest.look()
    assert [one.id for one in found.absences] == [said.id]
    assert codes(found.refused) == ["other_author"]
    assert found.next == before.next


@pytest.mark.parametrize(
    ("topic", "facts"),
    [
        (Topic.FORBIDDEN, {"keys": (b"1" * 32,)}),
        (Topic.FORBIDDEN, {"keys": (b"1" * 32, b"1" * 32)}),
        (Topic.FORBIDDEN, {"keys": (b"2" * 32, b"1" * 32)}),
        (Topic.RATING, {"keys": ()}),
        (Topic.ARBITER, {"keys": (b"1" * 32,), "text": "hello"}),
        (Topic.ARBITER, {"keys": (b"1" * 32,), "rating": (1700, 80, 59_000)}),
        (Topic.ANNOUNCEMENT, {}),
        (Topic.ANNOUNCEMENT, {"text": "hello", "keys": (b"1" * 32,)}),
    ],
)
def test_a_notice_has_what_its_topic_needs_and_nothing_else(topic: Topic, facts: dict[str, Any]) -> None:
    contest = Contest(2)
    with pytest.raises(DocumentError) as error:
        contest.publish(ORGANISER, drafts.draft_notice(contest.look(), topic, 5, **facts))
    assert error.value.code == "bad_notice"
