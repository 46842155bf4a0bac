"""What an organiser tells after the announcement, as commands."""

from __future__ import annotations

import json

import pytest
from helpers_events import Club

from cli.runtime import console

PEOPLE = ("ann", "bob", "cid", "dan", "eve", "fay")


def test_an_organiser_keeps_two_apart_rates_names_an_arbiter_and_announces(club: Club) -> None:
    club.announce("--games", "1", "--system", "swiss", "--rounds", "3", "--seeding", "rating", players=PEOPLE)
    assert "ann and bob will not be paired" in club.event("olga", "forbid", "ann", "bob")
    assert "cid has the rating 1900" in club.event("olga", "rating", "cid", "1900")
    assert "dan counts as unrated" in club.event("olga", "rating", "dan", "none")
    deputy = club.key("rob").public
    assert "is an arbiter now, too" in club.event("olga", "arbiter", deputy.hex())
    club.event("olga", "announce", "Bring \x1b[31mcake.")
    listed = club.standings().splitlines()
    start = listed.index("Entries")
    assert [line.split() for line in listed[start + 2 : start + 8]] == [
        [one, *(["1900"] if one == "cid" else [])] for one in PEOPLE
    ]
    said = club.event("ann", "status")
    assert "Announcements:" in said
    assert "UTC: Bring" in said
    assert "\x1b" not in said
    club.event("olga", "close", "--early")
    for player in PEOPLE:
        club.event(player, "status")
    club.event("olga", "status")
    found = club.look()
    assert found.players[0].name == "cid"
    # A number is a player, and each knows which two do not meet.
    for _ in range(2):
        club.play_all()
        club.event("olga", "status")
    found = club.look()
    names = [{found.players[number - 1].name for number in pair} for made in found.rounds for pair in made.pairings]
    assert len(found.rounds) == 3
    assert {"ann", "bob"} not in names
    said = club.standings()
    assert "they are never paired" in said
    assert "ann" in said
    assert "The organiser has set the rating of cid to 1900." in said
    assert "The organiser counts dan as unrated." in said
    table = club.table()
    assert [one["text"][:5] for one in table["announcements"]] == ["Bring"]
    (game, *_) = club.games()
    club.event("rob", "rule", "double", ".".join(map(str, game.place)))
    assert json.loads(club.event("rob", "rulings", "--json"))["rulings"][0]["arbiter"] == deputy.hex()
    out = club.root / "out.html"
    club.standings("--html", str(out))
    assert "Announcements:" in out.read_text(encoding="utf-8")


def test_no_sentence_about_a_tournament_is_cut_within_a_word(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    club.start("--games", "1")
    club.event("olga", "announce", "Bring cake. " * 9)
    monkeypatch.setattr(console, "_folded", lambda row, stream: "")
    for said in (club.event("ann", "status"), club.standings()):
        assert all(len(row) < 80 for row in said.splitlines())


def test_what_an_organiser_may_not_tell_has_its_sentence(club: Club) -> None:
    club.announce()
    assert "only in a Swiss" in club.event("olga", "forbid", "ann", "bob", code=2)
    assert "not theirs" in club.event("ann", "announce", "I say so.", code=2)
    assert "ann has not entered" not in club.event("olga", "rating", "ann", "1500")
    assert "zoe has not entered" in club.event("olga", "rating", "zoe", "1500", code=2)
    assert "from 100 to 4000" in club.event("olga", "rating", "ann", "99", code=2)
    assert "expected a rating" in club.event("olga", "rating", "ann", "good", code=2)
    assert "is an arbiter already" in club.event("olga", "arbiter", club.key("olga").public.hex(), code=2)
    for number in range(7):
        club.event("olga", "arbiter", club.key(f"deputy{number}").public.hex())
    assert "at most 8 arbiters" in club.event("olga", "arbiter", club.key("rob").public.hex(), code=2)
    club.event("olga", "close", "--early")
    assert "Entries are closed." in club.event("olga", "rating", "ann", "1600", code=2)


def test_one_player_is_not_kept_apart_from_themselves(club: Club) -> None:
    club.announce("--system", "swiss", "--rounds", "1")
    assert "the same player twice" in club.event("olga", "forbid", "ann", "ann", code=2)


def test_more_enter_than_may_play_and_who_waits_is_told(club: Club) -> None:
    people = ("ann", "bob", "cid")
    club.announce("--most", "2", "--system", "knock-out", "--third-place", players=people[:2])
    assert "At most 2 players" in club.event("cid", "enter", "--name", "cid")
    club.event("olga", "close", "--early")
    for player in people:
        club.event(player, "status")
    club.event("olga", "status")
    (waiting,) = set(people) - set(club.names().values())
    assert "you are number 1 on the waiting list" in club.event(waiting, "status")
    listed = club.standings().splitlines()
    assert listed[listed.index("Waiting for a place, in this order") + 2] == waiting


def test_only_a_knock_out_has_a_third_place(club: Club) -> None:
    assert "Only a knock-out" in club.event("olga", "new", "--name", "Cup", "--third-place", code=2)
    assert "from 2 to 512" in club.event("olga", "new", "--name", "Cup", "--most", "1", code=2)


def test_who_misses_a_round_asks_for_a_bye_and_the_round_waits_for_the_arbiter(club: Club) -> None:
    people = ("ann", "bob", "cid", "dan", "eve")
    club.announce("--system", "swiss", "--rounds", "3", players=people[1:])
    said = club.event("ann", "enter", "--name", "ann", "--absent", "1")
    assert "cannot play in round 1, and asked for a bye worth 1. An arbiter" in said
    club.event("olga", "close", "--early")
    for player in people:
        club.event(player, "status")
    said = club.event("olga", "status")
    number = next(one.number for one in club.look().players if one.name == "ann")
    assert f"event rule {club.folder} bye 1 {number} --points 1" in said
    assert not club.look().rounds
    assert "you cannot play in round 1; an arbiter decides" in club.event("ann", "status")
    club.event("olga", "rule", "bye", "1", "ann", "--points", "1")
    assert "You do not play in round 1; your bye is worth 1." in club.event("ann", "status")
    club.event("olga", "status")
    (made,) = club.look().rounds
    assert number not in {one for pair in made.pairings for one in pair}
    # What is not granted waits until the organiser publishes the round all the same.
    club.play_all()
    club.event("bob", "absent", "2", "--points", "0")
    assert "event round" in club.event("olga", "status")
    assert len(club.look().rounds) == 1
    club.event("olga", "round")
    assert len(club.look().rounds) == 2
    assert "cannot play" not in club.event("olga", "status")


def test_what_cannot_be_missed_has_its_sentence(club: Club) -> None:
    club.announce("--system", "swiss", "--rounds", "2")
    assert "no such round" in club.event("ann", "absent", "3", code=2)
    assert "at most 2;" in club.event("ann", "absent", "1", "--points", "3", code=2)
    assert "You do not play" in club.event("zoe", "absent", "1", code=2)
    assert "no such round" in club.event("zoe", "enter", "--name", "zoe", "--absent", "9", code=2)
    assert len(club.look().entries) == 2


def test_nobody_misses_a_round_where_there_are_no_byes(club: Club) -> None:
    club.announce()
    assert "only in a Swiss" in club.event("ann", "absent", "1", code=2)
