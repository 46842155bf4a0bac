"""How a game stands, and why a log does not count."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from helpers_tournament import ARBITER, SIDES, STRANGER, Contest, codes, first_wins, secret

from protocol.core.game_data import Conditions, EventTerms, WitnessTerms
from protocol.tournament.contents import Matter, Points, System
from protocol.tournament.findings import Place
from protocol.tournament.outcomes import Meeting, Outcome, is_over
from protocol.tournament.ratings import rated_games, side_figures
from protocol.tournament.reports import Report
from protocol.tournament.results import Result, State
from protocol.tournament.standings import standings

HERE = Place(1, 1, 1)


def contest(**changes: Any) -> Contest:
    """Return an event of four with its first round published and nothing played."""
    found = Contest(4, **changes)
    found.start()
    found.round()
    return found


def stands(found: Contest, *reports: Report, place: Place = HERE) -> Result:
    """Return how a game stands with these logs."""
    found.reports = list(reports)
    return found.look().results[place]


def test_a_confirmed_result_counts_for_the_player_and_not_for_the_seat() -> None:
    one = contest()
    for game in (1, 2):
        place = Place(1, 1, game)
        result = stands(one, one.report(place, Outcome.FIRST), place=place)
        assert (result.state, result.outcome, result.reason) == (State.RESULT, Outcome.FIRST, "line")
        assert result.evidence == (secret(f"match {place}"),)
        assert one.reports[0].winner == SIDES[game - 1]


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"ok": False, "problems": ("bad_trailer",)}, "altered"),
        ({"match": None}, "altered"),
        ({"ok": False, "problems": ("rules_version",)}, "rules_missing"),
        ({"place": None}, "other_event"),
        ({"place": EventTerms(secret("other"), 1, 1, 1, bytes(32))}, "other_event"),
        ({"round": 2}, "other_round"),
        ({"round": 200}, "other_round"),
        ({"document": secret("other")}, "other_document"),
        ({"table": 3}, "other_table"),
        ({"game": 3}, "other_game"),
        ({"table": 2}, "other_players"),
        ({"game": 2}, "other_sides"),
        ({"keys": "swapped"}, "other_sides"),
        ({"keys": "same"}, "one_identity"),
        ({"keys": "stranger"}, "other_players"),
        ({"game_name": "draughts"}, "other_terms"),
        ({"rules": "2"}, "other_terms"),
        ({"terms": (3, 4)}, "other_terms"),
        ({"scheme": "hash"}, "other_terms"),
        ({"conditions": Conditions(witness=WitnessTerms(ARBITER.public, "w:1"))}, "other_terms"),
        ({"winner": "noon"}, "unknown_winner"),
        ({"confirmed": False}, "unconfirmed"),
    ],
    ids=str,
)
def test_a_log_that_does_not_count_is_refused_with_its_reason(changes: dict[str, Any], code: str) -> None:
    one = contest()
    log = one.report(HERE, Outcome.FIRST)
    where = {name: changes.pop(name) for name in ("round", "table", "game", "document") if name in changes}
    if where:
        assert log.place is not None
        changes["place"] = replace(log.place, **where)
    if "game_name" in changes:
        changes["game"] = changes.pop("game_name")
    keys = {"swapped": log.keys[::-1], "same": (log.keys[0],) * 2, "stranger": (STRANGER.public, log.keys[1])}
    if "keys" in changes:
        changes["keys"] = keys[changes["keys"]]
    result = stands(one, replace(log, **changes))
    found = one.look()
    assert [(each.code, each.subject) for each in found.refused] == [(code, log.digest)]
    assert result.outcome is Outcome.NONE
    assert result.state == ("unconfirmed" if code == "unconfirmed" else "missing")
    assert "game_" + result.state in codes(found.holes)


def test_the_fields_that_differ_are_told() -> None:
    one = contest()
    stands(one, replace(one.report(HERE, Outcome.FIRST), terms=None, scheme="hash"))
    assert one.look().refused[0].fact("fields") == "scheme terms"


def test_no_log_is_missing_an_unfinished_one_is_open_and_tells_who_owes() -> None:
    one = contest()
    assert stands(one) == Result(State.MISSING)
    pairing = one.look().rounds[0].pairings[0]
    for game in (1, 2):
        place = Place(1, 1, game)
        result = stands(one, one.report(place, Outcome.NONE, owes=1), place=place)
        assert result.state is State.OPEN
        assert result.owes == (pairing.second if game == 1 else pairing.first)
    assert one.look().refused == ()


@pytest.mark.parametrize("scheme", ["hash", "proved"])
@pytest.mark.parametrize(
    ("seeds", "winner", "convicted", "owes", "state"),
    [
        ((0, 1), SIDES[0], (), None, State.RESULT),
        # The loser cannot spoil it by keeping their own seed, or by signing nothing.
        ((0,), SIDES[0], (), 1, State.RESULT),
        ((), SIDES[0], (), 1, State.RESULT),
        ((1,), SIDES[0], (), 0, State.UNCONFIRMED),
        ((), SIDES[0], (), None, State.UNCONFIRMED),
        ((), SIDES[1], (), 1, State.UNCONFIRMED),
        ((0,), "draw", (), 1, State.UNCONFIRMED),
        ((0, 1), "draw", (), None, State.RESULT),
        ((), SIDES[0], (1,), None, State.RESULT),
    ],
    ids=str,
)
def test_whoever_gains_must_have_opened_their_seed_unless_the_loser_owes(
    seeds: tuple[int, ...], winner: str, convicted: tuple[int, ...], owes: int | None, state: State, scheme: str
) -> None:
    one = contest(scheme=scheme)
    log = one.report(HERE, Outcome.FIRST, seeds=seeds, winner=winner, convicted=convicted, owes=owes)
    assert stands(one, log).state is state
    assert codes(one.look().refused) == (["unaudited"] if state is State.UNCONFIRMED else [])


def test_two_cheats_in_one_game_both_forfeit_it() -> None:
    one = contest()
    result = stands(one, one.report(HERE, Outcome.NONE, convicted=(0, 1)))
    both = tuple(sorted(one.look().rounds[0].pairings[0]))
    assert (result.state, result.outcome, result.convicted) == (State.FORFEIT, Outcome.DOUBLE_FORFEIT, both)
    assert codes(one.look().remarks) == ["cheated", "cheated"]
    assert sum(each.points for each in standings(one.look())) == 0


def test_the_log_of_a_convicted_cheat_counts_against_him() -> None:
    one = contest()
    log = one.report(HERE, Outcome.SECOND, ok=False, problems=("two_messages",), convicted=(0,))
    assert stands(one, log).outcome is Outcome.SECOND


def test_two_matches_with_two_results_are_a_dispute_until_an_arbiter_rules() -> None:
    one = contest()
    logs = [one.report(HERE, Outcome.FIRST), one.report(HERE, Outcome.SECOND, match=secret("second"))]
    result = stands(one, *logs)
    assert (result.state, result.outcome, len(result.evidence)) == (State.DISPUTE, Outcome.NONE, 2)
    assert "game_dispute" in codes(one.look().holes)
    one.rule(Matter.AWARD, 1, table=1, game=1, player=one.look().rounds[0].pairings[0].second)
    result = stands(one, *logs)
    assert (result.state, result.outcome) == (State.AWARDED, Outcome.SECOND)


def test_a_second_match_with_the_same_result_or_none_is_refused_and_changes_nothing() -> None:
    one = contest()
    first = one.report(HERE, Outcome.FIRST)
    before = stands(one, first)
    for outcome, changes in ((Outcome.FIRST, {}), (Outcome.NONE, {}), (Outcome.SECOND, {"confirmed": False})):
        second = one.report(HERE, outcome, match=b"\xff" * 32, **changes)
        assert stands(one, first, second) == before
        assert [(each.code, each.subject) for each in one.look().refused] == [("second_match", second.digest)]


def test_a_file_that_is_there_twice_counts_once() -> None:
    one = contest()
    log = one.report(HERE, Outcome.DRAW)
    assert stands(one, log, log) == stands(one, log)
    stands(one, log, log)
    assert codes(one.look().refused) == ["log_twice"]


def test_a_ruling_for_the_whole_pairing_forfeits_each_game_and_rates_none() -> None:
    one = contest()
    pairing = one.look().rounds[0].pairings[0]
    one.rule(Matter.FORFEIT, 1, table=1, player=pairing.first)
    found = one.look()
    assert [found.results[Place(1, 1, game)].outcome for game in (1, 2)] == [Outcome.FORFEIT_SECOND] * 2
    row = next(each for each in standings(found) if each.player.number == pairing.second)
    assert row.points == 4
    assert row.before == replace(row.after, deviation=row.before.deviation)
    assert rated_games(found, 1) == []
    assert side_figures(found).share is None


def test_an_award_gives_points_and_no_rating_and_may_be_a_draw() -> None:
    one = contest()
    one.rule(Matter.AWARD, 1, table=1, game=1)
    one.rule(Matter.AWARD, 1, table=1, game=2, player=one.look().rounds[0].pairings[0].first)
    found = one.look()
    assert [found.results[Place(1, 1, game)].outcome for game in (1, 2)] == [Outcome.DRAW, Outcome.FIRST]
    assert rated_games(found, 1) == []


def test_two_rulings_that_say_two_things_are_a_dispute() -> None:
    one = contest()
    pairing = one.look().rounds[0].pairings[0]
    one.rule(Matter.FORFEIT, 1, table=1, game=1, player=pairing.first)
    one.rule(Matter.FORFEIT, 1, table=1, player=pairing.second)
    assert [stands(one, place=Place(1, 1, game)).state for game in (1, 2)] == [State.DISPUTE, State.FORFEIT]


@pytest.mark.parametrize("facts", [{"table": 9, "player": 1}, {"table": 1, "player": 99}], ids=str)
def test_a_ruling_about_no_pairing_is_named(facts: dict[str, int]) -> None:
    one = contest()
    one.rule(Matter.FORFEIT, 1, **facts)
    assert codes(one.look().refused) == ["ruling_place"]


def test_a_ruling_stands_against_a_log() -> None:
    one = contest()
    pairing = one.look().rounds[0].pairings[0]
    one.rule(Matter.FORFEIT, 1, table=1, game=1, player=pairing.first)
    assert stands(one, one.report(HERE, Outcome.FIRST)).outcome is Outcome.FORFEIT_SECOND


def test_games_of_a_round_that_is_not_published_count_nowhere() -> None:
    one = Contest(4, System.SWISS)
    one.start()
    one.round()
    one.play(first_wins)
    early = one.report(HERE, Outcome.FIRST, match=secret("early"))
    assert early.place is not None
    one.reports.append(replace(early, digest=secret("early"), place=replace(early.place, round=2)))
    assert codes(one.look().refused) == ["other_round"]


@pytest.mark.parametrize(
    ("outcomes", "points", "played"),
    [
        ((Outcome.FIRST, Outcome.DRAW), (3, 1), True),
        ((Outcome.FORFEIT_FIRST, Outcome.FORFEIT_FIRST), (4, 0), False),
        ((Outcome.FORFEIT_FIRST, Outcome.SECOND), (2, 2), True),
        ((Outcome.FORFEIT_FIRST, Outcome.FORFEIT_SECOND), (2, 2), True),
        ((Outcome.DOUBLE_FORFEIT, Outcome.FORFEIT_FIRST), (2, 0), False),
        ((Outcome.DOUBLE_FORFEIT, Outcome.DOUBLE_FORFEIT), (0, 0), False),
        ((Outcome.NONE, Outcome.NONE), (0, 0), False),
    ],
    ids=str,
)
def test_a_pairing_is_forfeited_only_by_whoever_forfeits_all_of_it(
    outcomes: tuple[Outcome, ...], points: tuple[int, int], played: bool
) -> None:
    meeting = Meeting(1, 2, outcomes)
    assert (meeting.points(Points()), meeting.played) == (points, played)
    swapped = {
        Outcome.FIRST: Outcome.SECOND,
        Outcome.SECOND: Outcome.FIRST,
        Outcome.FORFEIT_FIRST: Outcome.FORFEIT_SECOND,
        Outcome.FORFEIT_SECOND: Outcome.FORFEIT_FIRST,
    }
    turned = Meeting(2, 1, tuple(swapped.get(one, one) for one in outcomes))
    assert (turned.points(Points()), turned.played) == (points[::-1], played)


def test_who_forfeits_gets_nothing_where_a_loss_counts() -> None:
    points = Points(6, 3, 1, 6)
    assert Meeting(1, 2, (Outcome.FIRST, Outcome.FORFEIT_FIRST)).points(points) == (12, 1)


def test_a_level_pairing_is_over_only_when_nobody_comes() -> None:
    assert not is_over((), 2, Points())
    assert not is_over((Outcome.FIRST,), 2, Points())
    assert not is_over((Outcome.FIRST, Outcome.SECOND), 2, Points())
    assert is_over((Outcome.FIRST, Outcome.DRAW), 2, Points())
    assert is_over((Outcome.DOUBLE_FORFEIT,) * 2, 2, Points())
    assert not is_over((Outcome.FIRST, Outcome.NONE), 2, Points())
