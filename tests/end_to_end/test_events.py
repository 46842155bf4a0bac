"""A tournament by its commands: what each says, whom it stops, and what somebody types wrong."""

from __future__ import annotations

import asyncio
import io
import json
import re
import sys
import time
from argparse import Namespace
from collections.abc import Callable, Iterator
from contextlib import redirect_stderr
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest
from helpers_events import DAY, TERMS, Club
from helpers_fight import plain_set

from cli.app.launch import pairing
from cli.runtime.console import UsageError
from cli.storage.home import Home
from cli.text.clocks import moment
from protocol.core.agreement import host_takes
from protocol.core.handshake import Offered
from protocol.crypto.keys import identity_hash
from protocol.tournament import drafts
from protocol.tournament.contents import Claim, Close, Data, Entry, Event, Matter, Round
from protocol.tournament.documents import read
from protocol.tournament.findings import Place
from protocol.tournament.results import State


def without_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the program that pairs not be installed."""
    for name in [name for name in sys.modules if name.split(".")[0] == "gacrux"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "gacrux", None)


# -- from the announcement to the start -----------------------------------------------------------------------


def test_entries_are_closed_by_the_organiser_and_not_before_they_are_announced_to_be(club: Club) -> None:
    club.announce()
    assert "Only the organiser" in club.event("ann", "close", code=2)
    assert "--early" in club.event("olga", "close", code=2)
    assert club.look().close is None
    assert "2 players" in club.event("olga", "close", "--early")
    assert "already been done" in club.event("olga", "close", "--early", code=1)


def test_status_opens_the_own_coin_once_and_starts_when_all_are_open(club: Club) -> None:
    club.announce()
    club.event("olga", "close", "--early")
    assert "Your coin for the draw is open" in club.event("ann", "status")
    assert "Your coin for the draw is open" not in club.event("ann", "status")
    assert "coins of: bob" in club.event("olga", "status")
    assert "the coins of bob" in club.event("olga", "round", code=2)
    club.event("bob", "status")
    said = club.event("olga", "status")
    assert "started with 2 players" in said
    assert "Round 1 is published" in said
    assert "host --event" in club.event("ann", "status")


def test_who_opens_no_coin_is_left_out_when_the_time_is_over(club: Club, later: list[int]) -> None:
    club.announce(players=("ann", "bob", "cid"))
    club.event("olga", "close", "--early")
    assert "You do not play in this tournament." in club.event("eve", "status")
    club.event("ann", "status")
    club.event("bob", "status")
    later[0] = 10 * DAY
    assert "started with 2 players" in club.event("olga", "status")
    assert "not among the players" in club.event("cid", "status")


def test_an_entry_after_the_deadline_is_written_and_after_the_close_refused(club: Club, later: list[int]) -> None:
    club.announce()
    later[0] = 8 * DAY
    assert "may leave it out" in club.event("cid", "enter", "--name", "cid")
    club.event("olga", "close")
    before = sorted(club.folder.iterdir())
    assert "takes no late ones" in club.event("dot", "enter", "--name", "dot", code=2)
    assert sorted(club.folder.iterdir()) == before


@pytest.mark.parametrize(
    "words",
    [
        ("--tie-breaks", "DE,LUCK"),
        ("--each", "soon"),
        ("--entries", "yesterday"),
        ("--arbiter", "me"),
        ("--clock", "fast"),
        ("--rounds", "0"),
    ],
    ids=str,
)
def test_an_event_that_cannot_be_has_its_sentence_and_makes_no_folder(club: Club, words: tuple[str, ...]) -> None:
    said = club.event("olga", "new", "--name", "Cup", *words, code=2)
    assert "xpected" in said
    assert not club.folder.exists()


def test_nobody_enters_twice_or_under_the_name_of_another(club: Club) -> None:
    club.announce()
    assert "already entered as ann" in club.event("ann", "enter", "--name", "other")
    assert "Somebody else has entered as ANN" in club.event("eve", "enter", "--name", "ANN", code=2)
    # The first letter is Cyrillic; of the whole name all are.
    assert "several scripts" in club.event("eve", "enter", "--name", "\u0430nn", code=2)
    assert "Somebody else has entered as" in club.event("eve", "enter", "--name", "\uff21nn", code=2)
    assert "visible characters" in club.event("eve", "enter", "--name", "a\x1b[2J", code=2)
    assert "'Zoë Müller " in club.event("eve", "enter", "--name", "Zoë Müller " * 4, code=2)
    assert "rating" in club.event("eve", "enter", "--name", "eve", "--rating", "9000", code=2)
    assert len(club.look().entries) == 2


def test_one_player_is_no_tournament(club: Club) -> None:
    club.announce(players=("ann",))
    assert "at least two players" in club.event("olga", "close", "--early", code=2)
    assert club.look().close is None


def test_an_entry_that_the_organiser_does_not_take_is_told_to_all(club: Club) -> None:
    club.announce(players=("ann", "bob", "cid"))
    club.event("olga", "close", "--early", "--without", "cid")
    assert "left out an entry by cid" in club.event("ann", "status")


def test_a_swiss_without_the_program_that_pairs_names_the_extra(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    without_engine(monkeypatch)
    swiss = ("--name", "Cup", "--system", "swiss")
    assert "--rounds" in club.event("olga", "new", *swiss, code=2)
    assert "pip install 'gacrux<2,>=" in club.event("olga", "new", *swiss, "--rounds", "3", code=2)
    assert not club.folder.exists()
    # The other systems need none.
    club.start("--system", "knock-out", "--games", "1")
    club.play_all()
    assert "The tournament is over" in club.event("ann", "status")


def test_the_next_round_waits_for_missing_games_until_the_deadline(club: Club, later: list[int]) -> None:
    club.start("--games", "1", "--each", "7d", players=("ann", "bob", "cid", "dot"))
    assert "Games without a result: 2." in club.event("olga", "round", code=2)
    assert len(club.look().rounds) == 1
    assert "Round 2 is published" in club.event("olga", "round", "--early")
    later[0] = 60 * DAY
    assert "Round 3 is published" in club.event("olga", "round", "--until", "3d")


def test_a_swiss_takes_late_players_byes_and_withdrawals(club: Club) -> None:
    players = ("ann", "bob", "cid", "dot")
    club.start("--system", "swiss", "--rounds", "3", "--games", "1", players=players)
    assert "only an arbiter" in club.event("eve", "enter", "--name", "eve")
    club.event("olga", "rule", "late", "2", "eve")
    club.event("olga", "rule", "withdraw", "2", "dot")
    club.event("olga", "rule", "bye", "3", "ann", "--points", "0.5")
    club.play_all()
    assert "You have played your games of this round" in club.event("ann", "status")
    assert "You are no longer in this tournament" in club.event("dot", "status")
    assert "Round 2 is published" in club.event("olga", "status")
    found = club.look()
    assert [one.name for one in found.players][-1] == "eve"
    paired = {found.players[number - 1].name for pair in found.rounds[1].pairings for number in pair if number}
    assert paired == {"ann", "bob", "cid", "eve"}
    club.play_all()
    club.event("olga", "status")
    assert "You have no game in this round" in club.event("ann", "status")
    assert club.table()["refused"] == []


def test_whoever_is_free_in_a_swiss_is_told_so(club: Club) -> None:
    club.start("--system", "swiss", "--rounds", "2", "--games", "1", players=("ann", "bob", "cid"))
    found = club.look()
    (free,) = (pair.first for pair in found.rounds[0].pairings if not pair.second)
    assert "You have a bye" in club.event(found.players[free - 1].name, "status")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--entries", "2020-01-31"), "2020-01-31 00:00:00 UTC is already over"),
        (("--rounds", "3"), "leave out --rounds"),
        (("--system", "knock-out", "--cycles", "2"), "leave out --cycles"),
        (("--system", "swiss", "--rounds", "8", "--most", "8"), "8 players have at most 7 rounds"),
        (("--system", "swiss", "--rounds", "8", "--most", "7"), "7 players have at most 7 rounds"),
        (("--tie-breaks", "DE,XX"), "argument --tie-breaks: expected some of the tie-breaks BH,"),
        (("--tie-breaks", "SB,sb"), "argument --tie-breaks: expected some of the tie-breaks"),
        (("--name", "x" * 81), "argument --name: expected 1 to 80 characters, got 81"),
        (("--name", "\u200b\u200b"), "has only visible characters"),
        (("--name", "Cup "), "has only visible characters"),
        (("--points", "0,1,0,1"), "A win must be worth more than a draw"),
    ],
)
def test_what_fits_no_tournament_is_not_announced(club: Club, words: tuple[str, ...], said: str) -> None:
    assert said in club.event("olga", "new", "--name", "Cup", *words, code=2)
    assert not club.folder.exists()


def test_a_deadline_that_is_moved_to_an_earlier_time_is_refused_with_the_announced_one(club: Club) -> None:
    club.start("--games", "1", players=("ann", "bob", "cid"))
    club.play_all()
    planned = club.look().event.deadlines[1]
    before = sorted(club.folder.iterdir())
    said = club.event("olga", "round", "--until", "1h", code=2)
    assert f"deadline of round 2 is {moment(planned)}" in said
    assert sorted(club.folder.iterdir()) == before
    club.event("olga", "round", "--until", "60d")
    club.play_all()
    # The event does not say when the last round ends, but it cannot be over.
    assert "already over" in club.event("olga", "round", "--until", "2020-01-01", code=2)
    club.event("olga", "round", "--until", "1h")


def test_a_game_whose_time_is_over_is_overdue(club: Club, later: list[int]) -> None:
    club.start("--games", "1")
    assert "Play it by " in club.event("ann", "status")
    later[0] = 60 * DAY
    said = club.event("ann", "status")
    assert "It has been overdue since " in said
    assert "Play it by" not in said


def test_whoever_is_out_of_a_knock_out_is_told_so(club: Club) -> None:
    players = ("ann", "bob", "cid", "dot")
    club.start("--games", "1", "--system", "knock-out", players=players)
    losers = {club.seated(one)[1] for one in club.games()}
    for one in club.games():
        club.play(one)
    for player in players:
        assert ("you are out of this tournament" in club.event(player, "status")) == (player in losers)
    club.event("olga", "status")
    for player in losers:
        assert "you are out of this tournament" in club.event(player, "status")


def test_the_table_of_a_knock_out_ranks_by_place_and_shows_no_points(club: Club) -> None:
    club.start("--games", "1", "--system", "knock-out", players=("ann", "bob", "cid"))
    (one,) = club.games()
    club.play(one)
    club.event("olga", "status")
    (one,) = club.games()
    winner, _ = club.seated(one)
    club.play(one)
    head, first, *_ = [line for line in club.standings().splitlines() if line.startswith(("place", "    1"))]
    assert head.split() == ["place", "no.", "name", "rating"]
    assert winner in first
    club.standings("--html", str(club.root / "out.html"))
    text = (club.root / "out.html").read_text(encoding="utf-8")
    assert "<th>place</th>" in text
    assert "<th>points</th>" not in text


def test_a_name_that_looks_like_another_in_another_script_gets_a_remark(club: Club) -> None:
    club.announce(players=("Ace", "Bob"))
    assert "The name" not in club.event("Bob", "status")
    # All of it is Cyrillic.
    other = "\u0410\u0441\u0435"
    assert "Choose another name" in club.event("eve", "enter", "--name", other, code=2)
    club.publish(club.key("eve"), Entry(club.look().id, other, bytes(32)), "entry-eve")
    said = club.event("Bob", "status")
    assert f"The name {other} could be mistaken for someone else's" in said
    assert "The name Ace could be mistaken for someone else's" in said
    assert "The name Bob" not in said


def test_a_stranger_to_a_running_swiss_is_told_that_late_entry_is_possible(club: Club) -> None:
    club.start("--system", "swiss", "--rounds", "2", "--games", "1", players=("ann", "bob", "cid"))
    assert f"storm-p2p event enter {club.folder}" in club.event("eve", "status")
    assert "can still let you in" not in club.event("olga", "status")
    club.event("eve", "enter", "--name", "eve")
    assert "An arbiter can still let you in from a later round on: ask one." in club.event("eve", "status")
    club.event("olga", "rule", "late", "2", "eve")
    assert "eve plays from this round on" in club.event("olga", "rulings")
    said = club.event("eve", "status")
    assert "You have no game in this round." in said
    assert "You do not play" not in said
    club.play_all()
    club.event("olga", "status")
    assert "Game 2." in club.event("eve", "status")
    # Nobody enters in the last round.
    assert "can still let you in" not in club.event("fay", "status")


# -- games ----------------------------------------------------------------------------------------------------


def test_a_player_who_does_not_come_loses_by_ruling_and_may_answer_before(club: Club, later: list[int]) -> None:
    club.start("--games", "1")
    assert "have not yet said that you are ready" in club.event("ann", "claim", code=2)
    assert "ready for game 1.1.1" in club.event("ann", "ready")
    assert "still has until" in club.event("ann", "claim", code=2)
    later[0] = 2000
    club.event("ann", "claim")
    assert "nothing to answer" in club.event("ann", "answer", "I was there", code=2)
    assert "already claimed" in club.event("ann", "claim", code=2)
    assert "ann claims a forfeit in game 1.1" in club.event("bob", "status")
    assert "rule" not in club.event("olga", "status")
    club.event("bob", "answer", "My train was \x1b[2Jlate.\u202e")
    said = club.event("olga", "status")
    assert "bob has answered" in said
    for reader in ("olga", "ann", "bob"):
        told = club.event(reader, "status")
        assert re.search(r"ann claimed at \S+ \S+ UTC that bob did not come to game 1\.1\.\n", told)
        assert re.search(r"ann says they were ready from .* UTC, for as long as the tournament requires\.\n", told)
        assert "bob never said they were ready.\n" in told
        assert re.search(r'bob answered at \S+ \S+ UTC: "My train was late\."\n', told)
        (row,) = json.loads(club.event(reader, "status", "--json"))["claims"]
        assert [one["text"] for one in row["answers"]] == ["My train was late."]
        assert (row["places"], row["by"], row["against"]) == ([[1, 1, 0]], "ann", "bob")
        assert (row["ready"] + 1800 <= row["at"], row["waited"], row["other_ready"]) == (True, True, None)
    command, _ = [line.strip() for line in said.splitlines() if "event rule" in line]
    words = command.split()[3:]
    assert words[0] == str(club.folder)
    club.event("olga", "rule", *words[1:])
    result = club.look().results[Place(1, 1, 1)]
    assert result.state is State.FORFEIT
    (row,) = [one for one in club.table()["standings"] if one["name"] == "ann"]
    assert (row["points"], row["rating"]) == (1, 1500)
    (ruling,) = club.look().in_force
    assert len(getattr(ruling.content, "evidence", ())) == 2


@pytest.fixture
def zone(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[str], None]]:
    """Return what moves this machine to another time zone."""

    def move(name: str) -> None:
        monkeypatch.setenv("TZ", name)
        time.tzset()

    yield move
    monkeypatch.undo()
    time.tzset()


@pytest.mark.skipif(not hasattr(time, "tzset"), reason="this system cannot change its time zone while a program runs")
def test_two_agree_on_a_time_and_each_reads_it_by_their_own_clock(club: Club, zone: Callable[[str], None]) -> None:
    club.start()
    assert "not proposed a time" in club.event("bob", "agree", code=2)
    assert "not a date and time" in club.event("ann", "propose", "tomorrow", code=2)
    zone("EST5")
    assert "already over" in club.event("ann", "propose", "2001-12-01 20:00", code=2)
    said = club.event("ann", "propose", "2101-12-01 20:00")
    assert "You propose to play game 1.1.1 on 2101-12-01 20:00 (UTC-05:00)" in said
    assert "after the deadline" in said
    assert "bob has not agreed yet" in club.event("ann", "status")
    assert "not proposed a time" in club.event("ann", "agree", code=2)
    zone("CET-1")
    said = club.event("bob", "status")
    assert "ann proposes 2101-12-02 02:00 (UTC+01:00). To agree:" in said
    words = next(line.split() for line in said.splitlines() if "event agree" in line)
    club.event("ann", "propose", "2101-12-03T20:00Z", "--game", "1.1.2")
    assert "--game: 1.1.1 and 1.1.2" in club.event("bob", "agree", code=2)
    assert "You both agree to play game 1.1.1" in club.event("bob", "agree", *words[4:])
    for who in ("ann", "bob"):
        assert "You have agreed on 2101-12-02 02:00 (UTC+01:00)." in club.event(who, "status")
        tasks = json.loads(club.event(who, "status", "--json"))["tasks"]
        (date,) = next(one["dates"] for one in tasks if one["place"] == [1, 1, 1])
        assert date == {"when": 4162928400, "local": "2101-12-02 02:00 (UTC+01:00)", "by": None}
        assert tasks[0]["command"] == f"storm-p2p host --event {club.folder}"
    club.publish(club.key("ann"), Claim(club.look().id, 1, 1, 1, int(time.time())))
    assert "Both had agreed to play game 1.1.1 on 2101-12-02 02:00" in club.event("olga", "status")


def test_nobody_has_to_come_before_the_time_that_both_agreed_on(club: Club, later: list[int]) -> None:
    club.start()
    when = datetime.fromtimestamp(int(time.time()) + 3600, UTC).isoformat()
    club.event("ann", "propose", when)
    club.event("bob", "agree")
    due = moment(int(datetime.fromisoformat(when).timestamp()) + 1800)
    assert due in club.event("ann", "ready")
    assert "ann is ready for game 1.1.1." in club.event("bob", "status")
    later[0] = 2000
    assert f"still has until {due}" in club.event("ann", "claim", code=2)
    assert club.look().claims == ()
    later[0] = 5500
    club.event("ann", "claim")


def test_a_refused_claim_lets_both_play_on_and_the_next_one_starts_anew(club: Club, later: list[int]) -> None:
    club.start()
    assert "Nobody claims" in club.event("olga", "rule", "refuse", "1.1", code=2)
    club.event("ann", "ready")
    club.event("bob", "ready")
    later[0] = 2000
    club.event("ann", "claim")
    assert "bob says they were ready from" in club.event("olga", "status")
    club.event("bob", "answer", "I was there.")
    forfeit, refuse = [line.strip() for line in club.event("olga", "status").splitlines() if "event rule" in line]
    assert forfeit.split()[4:6] == ["forfeit", "1.1"]
    club.event("olga", "rule", *refuse.split()[4:])
    assert "no forfeit, they play on" in club.event("ann", "rulings")
    said = club.event("ann", "status")
    assert "Claims" not in said
    assert "Game 1.1.1 against bob" in said
    assert "have not yet said that you are ready" in club.event("ann", "claim", code=2)
    club.event("ann", "ready")
    later[0] += 2000
    club.event("ann", "claim")
    later[0] += DAY + 1
    said = club.event("olga", "status")
    assert "bob did not answer by" in said
    club.event("olga", "rule", "forfeit", "1.1", "bob")
    assert {one.state for one in club.look().results.values()} == {State.FORFEIT}
    assert club.table()["standings"][0]["points"] == 2


def test_an_unanswered_claim_is_ruled_when_the_time_is_over(club: Club, later: list[int]) -> None:
    club.start("--games", "1")
    club.event("bob", "ready", "--game", "1.1.1")
    later[0] = 2000
    club.event("bob", "claim")
    later[0] += DAY + 1
    assert "event rule" in club.event("olga", "status")


def test_two_results_for_one_game_wait_for_an_arbiter(club: Club) -> None:
    club.start("--games", "1")
    (one,) = club.games()
    for loser in (0, 1):
        pair = club.begin(one, tag=f"match {loser}")
        pair.sessions[loser].side_channel.resign()
        pair.settle()
        club.add(pair, 0, f"match-{loser}")
    assert "two results" in club.event("ann", "status")
    assert "award 1.1.1" in club.event("olga", "status")
    assert "not an arbiter" in club.event("ann", "rule", "award", "1.1.1", "ann", code=2)
    club.event("olga", "rule", "award", "1.1.1", "remis")
    assert [one["points"] for one in club.table()["standings"]] == [0.5, 0.5]
    ruling = club.look().in_force[0].id.hex()[:10]
    club.event("olga", "rule", "award", "1.1.1", "bob", "--replaces", ruling)
    assert [one["name"] for one in club.table()["standings"]] == ["bob", "ann"]


def test_the_organiser_ends_the_tournament_and_nothing_changes_its_table_any_more(club: Club) -> None:
    club.start("--games", "1")
    assert "Only the organiser" in club.event("ann", "end", code=2)
    assert "Games without a result: 1" in club.event("olga", "end", code=2)
    (one,) = club.games()
    club.play(one)
    assert "event end" in club.event("olga", "status")
    assert "event end" not in club.event("ann", "status")
    club.event("olga", "end")
    before = club.table()
    assert before["stage"] == "end"
    pair = club.begin(one, tag="another match")
    pair.sessions[0].side_channel.resign()
    pair.settle()
    club.add(pair, 0, "another")
    after = club.table()
    assert after["standings"] == before["standings"]
    assert [(found["code"], found["files"]) for found in after["refused"]] == [("settled", ["another.storm"])]
    assert "the result of game 1.1.1 is final" in club.event("ann", "status")
    assert "would not count" in club.event("olga", "rule", "award", "1.1.1", "ann", code=2)
    assert "ended, its results are final" in club.standings()
    assert "event end" not in club.event("olga", "status")


def test_a_swiss_that_cannot_be_paired_is_announced_with_a_warning_and_ended_after_its_last_round(club: Club) -> None:
    said = club.event("olga", "new", "--name", "Cup", *TERMS, "--games", "1", "--system", "swiss", "--rounds", "2")
    assert "at least 3 players" in said
    for player in ("ann", "bob"):
        club.event(player, "enter", "--name", player)
    assert "after round 1 of 2 may have no pairing" in club.event("olga", "close", "--early")
    for player in ("ann", "bob", "olga"):
        club.event(player, "status")
    club.play_all()
    for player in ("ann", "stranger"):
        said = club.event(player, "status")
        assert "No further round can be paired" in said
        assert "event end" not in said
    assert "event end" in club.event("olga", "round", code=1)
    assert "event end" in club.event("olga", "status")
    club.event("olga", "end")
    assert "The tournament is over" in club.event("ann", "status")


def test_a_swiss_with_enough_players_is_closed_without_a_warning(club: Club) -> None:
    club.announce("--games", "1", "--system", "swiss", "--rounds", "2", players=("ann", "bob", "cid"))
    assert "no pairing" not in club.event("olga", "close", "--early")


def test_a_second_ruling_names_the_one_it_replaces_and_all_are_listed(club: Club) -> None:
    club.start("--games", "1", "--arbiter", club.key("olga").public.hex(), "--arbiter", club.key("pat").public.hex())
    assert "no rulings yet" in club.event("ann", "rulings")
    club.event("olga", "rule", "forfeit", "1.1", "ann")
    assert "already: number 1" in club.event("olga", "rule", "award", "1.1.1", "ann", code=2)
    club.event("olga", "rule", "award", "1.1.1", "ann", "--replaces", "1")
    assert "no effect any more" in club.event("olga", "rule", "award", "1.1.1", "bob", "--replaces", "1", code=2)
    # Pat has not seen it.
    other = drafts.draft_ruling(club.look(), club.key("pat").public, Matter.DOUBLE_FORFEIT, 1, table=1)
    club.publish(club.key("pat"), other)
    said = club.event("ann", "status")
    assert "two rulings" in said
    assert "two results" not in said
    assert "event rulings" in club.event("olga", "status")
    rows = json.loads(club.event("stranger", "rulings", "--json"))["rulings"]
    told = {(one["arbiter"], one["number"]): one for one in rows}
    olga, pat = club.key("olga").public.hex(), club.key("pat").public.hex()
    assert told[olga, 1]["replaced_by"] == [told[olga, 2]["id"]]
    assert {key: one["stands"] for key, one in told.items()} == {(olga, 1): False, (olga, 2): True, (pat, 1): True}
    assert [told[key]["text"] for key in ((olga, 1), (olga, 2), (pat, 1))] == [
        "ann forfeits",
        "ann wins",
        "both forfeit",
    ]
    table = club.event("ann", "rulings")
    assert f"replaced by {told[olga, 2]['id'][:8]}" in table
    # Both arbiters have a ruling 1, so the number alone is not enough.
    assert "Several arbiters" in club.event("olga", "rule", "award", "1.1.1", "bob", "--replaces", "1", code=2)
    club.event("olga", "rule", "award", "1.1.1", "ann", "--replaces", told[pat, 1]["id"][:8])
    assert [one["points"] for one in club.table()["standings"]] == [1, 0]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("forfeit", "x", "ann"), "ROUND.TABLE"),
        (("forfeit", "7.1", "ann"), "no game 7.1"),
        (("forfeit", "1.1"), "Which player?"),
        (("forfeit", "1.1", "nobody"), "player's name or number"),
        (("bye", "2", "ann"), "would not count"),
        (("withdraw", "zero", "ann"), "number of a round"),
        (("award", "1.1", "ann", "--replaces", "ff"), "no ruling"),
        (("late", "2", "ann"), "ann has not entered, or plays already"),
    ],
)
def test_a_ruling_about_nothing_has_its_sentence(club: Club, words: tuple[str, ...], said: str) -> None:
    club.start("--games", "1")
    before = sorted(club.folder.iterdir())
    assert said in club.event("olga", "rule", *words, code=2)
    assert sorted(club.folder.iterdir()) == before


def test_a_result_that_is_not_proved_names_whose_signature_is_missing(club: Club) -> None:
    club.start("--games", "1")
    (one,) = club.games()
    pair = club.begin(one)
    pair.host.side_channel.offer_draw()
    pair.settle()
    pair.guest.side_channel.accept_draw()
    club.add(pair, 1, "draw")
    host, guest = (club.names()[one.identity] for one in pair.host.agreement.players)
    assert "still needs your signature" in club.event(host, "status")
    assert f"{host} has not signed" in club.event(guest, "status")
    assert f"{host} has to sign it" in club.standings()
    pair.settle()
    club.add(pair, 0, "theirs")
    assert [row["points"] for row in club.table()["standings"]] == [0.5, 0.5]


def test_a_ruling_about_somebody_who_does_not_play_the_game_is_not_written(club: Club) -> None:
    players = ("ann", "bob", "cid", "dot")
    club.start("--games", "1", players=players)
    found = club.look()
    other = found.rounds[0].pairings[1].first
    before = sorted(club.folder.iterdir())
    assert "would not count" in club.event("olga", "rule", "forfeit", "1.1", str(other), code=2)
    assert sorted(club.folder.iterdir()) == before
    # And the number is still free.
    club.event("olga", "rule", "forfeit", "1.2", str(other))
    assert "An arbiter has decided your game" in club.event(found.players[other - 1].name, "status")
    assert club.table()["refused"] == []


def test_a_round_robin_goes_on_when_the_time_of_a_round_is_over(club: Club, later: list[int]) -> None:
    club.start("--games", "1", players=("ann", "bob", "cid"))
    assert "Round 2" not in club.event("olga", "status")
    (free,) = {"ann", "bob", "cid"} - {name for one in club.games() for name in club.seated(one)}
    assert "You have no game in this round" in club.event(free, "status")
    later[0] = 20 * DAY
    said = club.event("olga", "status")
    assert "Round 2 is published" in said
    assert "event rule" in said
    # A deadline that is over would leave nobody time to play.
    assert all(one.until > time.time() for one in club.look().rounds[1:])


# -- an organiser who shows different things ------------------------------------------------------------------


def test_words_are_the_same_for_all_who_have_the_same_documents(club: Club) -> None:
    club.start("--games", "1")

    def words(said: str) -> str:
        return next(line for line in said.splitlines() if line.startswith("Words to compare"))

    first = words(club.event("ann", "status"))
    assert first == words(club.event("bob", "status")) == words(club.standings())
    agreed = words(club.event("ann", "status", "--compare", "Plum"))
    assert first != agreed == words(club.standings("--compare", "plum"))
    assert " ".join(club.table()["words"]) in first
    club.play_all()
    club.event("olga", "rule", "withdraw", "2", "ann")
    assert first != words(club.standings())


def test_who_closes_twice_is_named_by_every_program_that_saw_the_first_list(club: Club) -> None:
    club.announce(players=("ann", "bob", "cid"))
    club.event("olga", "close", "--early")
    club.event("ann", "status")
    (close,) = club.folder.glob("close-*.event")
    content = read(close.read_bytes()).content
    assert isinstance(content, Close)
    for path in (close, *club.folder.glob("coin-*.event")):
        path.unlink()
    cids = read(next(club.folder.glob("entry-cid-*.event")).read_bytes()).id
    club.publish(club.key("olga"), replace(content, entries=tuple(one for one in content.entries if one != cids)))
    # Bob and Cid have seen nothing else; with the folder they get the proof.
    assert "Your coin for the draw is open" in club.event("bob", "status")
    said = club.event("ann", "status", code=1)
    assert "proves cheating" in said
    assert "had seen them before" in said
    assert "Your coin for the draw is open" not in said
    assert "proves cheating" in club.event("cid", "status", code=1)
    assert club.table(code=1)["convicted"] == [{"key": club.key("olga").public.hex(), "number": 1}]


def test_nobody_enters_a_swiss_unasked_whose_pairings_cannot_be_checked(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    from gacrux import version

    with monkeypatch.context() as patch:
        patch.setattr(version, "__version__", "9.9")
        club.announce("--system", "swiss", "--rounds", "2", "--games", "1", players=())
    assert "the organiser could choose them" in club.event("ann", "enter", "--name", "ann", code=2)
    for who in ("ann", "bob", "cid", "dot"):
        club.event(who, "enter", "--name", who, "--unchecked-pairings")
    club.event("olga", "close", "--early")
    for who in ("ann", "bob", "cid", "dot"):
        club.event(who, "status")
    with monkeypatch.context() as patch:
        patch.setattr(version, "__version__", "9.9")
        club.event("olga", "status")
    assert club.standings().startswith("Cup: ")
    (first,) = club.folder.glob("round-*.event")
    content = read(first.read_bytes()).content
    assert isinstance(content, Round)
    first.unlink()
    club.publish(club.key("olga"), replace(content, pairings=content.pairings[::-1]), "round-other")
    assert club.standings(who="newcomer").startswith("Rounds with unchecked pairings: 1. ")


def test_two_programs_that_were_shown_two_rounds_or_two_tournaments_do_not_play_and_say_why(club: Club) -> None:
    club.start("--games", "1")
    (one,) = club.games()
    first, second = club.seated(one)
    home = Home(club.home(second))
    terms = club.look().event.terms
    host = identity_hash(club.key(first).public)

    def offered(**changes: Any) -> tuple[bool, str]:
        assert one.conditions.event is not None
        conditions = replace(one.conditions, event=replace(one.conditions.event, **changes))
        said = io.StringIO()
        with redirect_stderr(said):
            offer = Offered("other", bytes(32), terms, "hash", host_takes(0), conditions)
            taken, _ = asyncio.run(pairing.consent(home, str(club.folder), host, offer))
        return taken, said.getvalue()

    assert offered()[0]
    for changes, sentence in (
        ({"document": bytes(32)}, "a different document for round 1"),
        ({"event": bytes(32)}, "a different tournament from yours"),
        ({"table": 9}, "not for any game"),
    ):
        taken, said = offered(**changes)
        assert not taken
        assert sentence in said


# -- the second game ------------------------------------------------------------------------------------------


@pytest.mark.long
def test_a_tournament_of_fight_is_entered_played_and_ranked_like_one_of_storm(club: Club) -> None:
    club.announce("--game", "fight", "--games", "1", players=())
    assert "Fight for Olympus, card set" in club.event("ann", "enter", "--name", "ann")
    club.event("bob", "enter", "--name", "bob")
    club.event("olga", "close", "--early")
    for who in ("ann", "bob", "olga"):
        club.event(who, "status")
    (one,) = club.games()
    first, second = club.seated(one)
    assert "you play the left side" in club.event(first, "status")
    assert "you play the right side" in club.event(second, "status")
    club.play(one)
    club.event("olga", "end")
    table = club.table()
    assert table["holes"] == table["refused"] == []
    assert [row["points"] for row in table["standings"]] == [1, 0]
    assert table["standings"][0]["name"] == first
    assert "The left side scored 100 % of one game" in club.standings()


@pytest.mark.long
def test_a_tournament_with_an_own_set_of_cards_has_its_file_in_the_folder(club: Club) -> None:
    own, cards = plain_set(), club.root / "mine.json"
    own["cards"][0]["attack"] += 1
    cards.write_text(json.dumps(own, separators=(",", ":")))
    club.announce("--game", "fight", "--games", "1", "--cards", str(cards))
    club.event("olga", "close", "--early")
    for who in ("ann", "bob", "olga"):
        club.event(who, "status")
    (one,) = club.games()
    home = Home(club.home(club.seated(one)[0]))
    options = Namespace(
        event=str(club.folder),
        offline=True,
        game="storm",
        cards=None,
        terms=None,
        clock=None,
        witness=None,
        seat=None,
        challenge=0,
        open_combat=False,
        random_setup=False,
        watched=None,
        aids=False,
        scheme="proved",
    )
    assert pairing.to_host(home, options).data == cards.read_bytes()
    club.play(one)
    assert club.table()["refused"] == []
    # Nobody enters, hosts or joins with other cards, and nobody without any.
    (brought,) = club.folder.glob("data-*.event")
    brought.unlink()
    for data in (json.dumps(plain_set()).encode(), b"no cards"):
        club.publish(club.key("olga"), Data(club.look().id, data), data[:4].hex())
    club.publish(club.key("eve"), Data(club.look().id, cards.read_bytes()), "by-eve")
    assert "set of cards" in club.event("eve", "enter", "--name", "eve", code=2)
    with pytest.raises(UsageError, match="is not in the folder"):
        pairing.to_host(home, options)
    assert [(one["code"], one["files"]) for one in club.table()["refused"]] == [("other_author", ["by-eve.event"])]


def test_a_set_of_cards_that_no_document_holds_is_refused(club: Club) -> None:
    cards = club.root / "mine.json"
    cards.write_text(json.dumps(plain_set(), indent=9))
    words = ("--name", "Cup", "--game", "fight", "--cards", str(cards))
    assert "at most 60000 bytes" in club.event("olga", "new", *words, code=2)
    assert not club.folder.exists()


@pytest.mark.parametrize("changes", [{"game": "go"}, {"rules": "0-old"}, {"terms": (9,) * 9}])
def test_nobody_enters_a_tournament_whose_rules_are_not_here(club: Club, changes: dict[str, Any]) -> None:
    club.announce(players=())
    (announced,) = club.folder.glob("event-*.event")
    event = read(announced.read_bytes()).content
    assert isinstance(event, Event)
    announced.unlink()
    club.publish(club.key("pat"), replace(event, **changes))
    assert "does not play" in club.event("ann", "enter", "--name", "ann", code=2)
    assert not list(club.folder.glob("entry-*.event"))
    # Who organises it, and who reads along, still sees how it stands.
    assert "entries are open" in club.event("bob", "status")


def test_what_an_organiser_calls_their_program_is_nothing_to_install(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr("protocol.tournament.engine.NAME", "evil-package")
        club.announce("--system", "swiss", "--rounds", "2", "--games", "1", players=())
    said = club.event("ann", "enter", "--name", "ann", code=2)
    assert '"evil-package ' in said
    assert "install gacrux" in said
    assert "nstall evil" not in said
    assert "evil-package==" not in said
