"""Rows and report files."""

from __future__ import annotations

import random
from typing import Any

import pytest
from helpers import daily_first
from helpers_tournament import ORGANISER, SIDES, Contest, first_wins, key_of, secret

from protocol.tournament.contents import Matter, Points, System, Topic
from protocol.tournament.drafts import draft_entry, draft_notice
from protocol.tournament.export import game_rows, report_file, standing_rows
from protocol.tournament.outcomes import Outcome


def played(size: int, system: System, **changes: Any) -> Contest:
    contest = Contest(size, system, **changes)
    contest.start()
    contest.play_rounds(5)
    return contest


def test_rows_have_the_same_columns_and_plain_values() -> None:
    found = played(5, System.SWISS).look()
    for rows in (standing_rows(found), game_rows(found)):
        assert len({tuple(row) for row in rows}) == 1
        assert all(isinstance(value, (str, int, float, type(None))) for row in rows for value in row.values())
    assert [row["rank"] for row in standing_rows(found)] == sorted(row["rank"] for row in standing_rows(found))  # type: ignore[type-var]
    assert {"DE", "BH/C1", "BH", "SB"} <= set(standing_rows(found)[0])
    assert {*SIDES, "state", "outcome", "evidence"} <= set(game_rows(found)[0])


def test_a_row_of_a_game_says_who_had_which_side() -> None:
    contest = Contest(2)
    contest.start()
    contest.round()
    contest.play(first_wins)
    one, two = game_rows(contest.look())
    assert (one[SIDES[0]], one[SIDES[1]]) == (two[SIDES[1]], two[SIDES[0]]) == (one["first"], one["second"])
    assert (one["state"], one["outcome"]) == ("result", "first")


def test_a_report_file_stands_in_its_columns() -> None:
    contest = Contest(3, games=1, points=Points(bye=2))
    contest.start()
    contest.round()
    contest.play(lambda _: Outcome.DRAW)
    text = report_file(contest.look())
    lines = [line for line in text.splitlines() if line.startswith("001")]
    assert len(lines) == 3
    for number, line in enumerate(lines, start=1):
        assert int(line[4:8]) == number
        assert line[14:47].strip() == contest.look().players[number - 1].name
        assert int(line[48:52]) >= 1000
        assert float(line[80:84]) in (0.0, 0.5)
        assert int(line[85:89]) in (1, 2, 3)
        assert line[91:99] in ("   3 w =", "   2 b =", "   2 w =", "   3 b =", "0000 - Z")
    assert text.startswith("012 Cup\n062 3\n092 Round Robin\n142 3\n152 ")
    assert "\n162  W 1.0    D 0.5    L 0.0    P 1.0\n192 CUSTOM_ROUNDROBIN\nXXR 3\nXXC " in text


def test_open_games_and_rounds_before_a_late_player_are_told_in_a_report_file() -> None:
    contest = Contest(4, System.SWISS, games=1, points=Points(bye=2))
    contest.start()
    contest.round()
    contest.play(first_wins)
    late = key_of("late")
    contest.keys[late.public] = late
    entry = contest.publish(late, draft_entry(contest.id, late.public, "Late", secret("late")))
    contest.rule(Matter.LATE_ENTRY, 2, entry=entry.id)
    contest.round()
    lines = [line for line in report_file(contest.look()).splitlines() if line.startswith("001")]
    assert lines[4][91:99] == "0000 - Z"
    assert [line[101:109].strip() for line in lines].count("") == 4
    assert [line[101:109] for line in lines].count("0000 - U") == 1


@pytest.mark.parametrize("seed", daily_first(range(30)))
def test_another_program_pairs_the_next_round_of_a_report_file_as_this_one(seed: int) -> None:
    from gacrux.pairingdutch import pairing_dutch

    chance = random.Random(seed)
    contest = Contest(chance.randint(6, 14), System.SWISS, games=1, points=Points(bye=2))
    apart = tuple(sorted(chance.sample(list(contest.keys), 2)))
    contest.publish(ORGANISER, draft_notice(contest.look(), Topic.FORBIDDEN, 5, keys=apart))
    contest.start()
    for number in (1, 2, 3):
        found = contest.look()
        read = read_back(report_file(found))
        away = found.next.absent(number)
        for one in read["competitors"]:
            one["present"] = one["cid"] not in away
        engine = pairing_dutch(read, number, {"experimental": [], "verbose": 0})
        pairs = [
            (one["board"], one["w"], max(one["b"], 0))
            for level in engine.compute_pairing(False)
            for one in level["pairs"]
        ]
        assert [pair[1:] for pair in sorted(pairs)] == [tuple(pair) for pair in found.pair(found.next)]
        assert [one["competitors"] for one in read["prohibited"]] == [[*pair] for pair in found.next.forbidden]
        contest.round()
        contest.play(lambda _: chance.choice((Outcome.FIRST, Outcome.DRAW, Outcome.SECOND)))
        contest.rule(Matter.BYE, number + 1, player=chance.randint(1, 6), points=chance.randint(0, 2))


def read_back(text: str) -> dict[str, Any]:
    """Return the tournament that the library reads in a report file."""
    from gacrux.trf2json import trf2json

    reader = trf2json()
    reader.parse_file(text, 0)
    found: dict[str, Any] = reader.get_tournament(1)
    return found


@pytest.mark.parametrize("games", [1, 2])
def test_another_program_reads_the_same_points_from_a_report_file(games: int) -> None:
    contest = Contest(7, System.SWISS, games=games, points=Points(bye=2 * games))
    contest.start()
    contest.round()
    contest.play(first_wins)
    contest.rule(Matter.BYE, 2, player=2, points=1)
    contest.rule(Matter.FORFEIT, 1, table=1, player=contest.look().rounds[0].pairings[0].first)
    contest.play_rounds(7)
    found = contest.look()
    read = read_back(report_file(found))
    points = {row["number"]: row["points"] for row in standing_rows(found)}
    assert len(read["competitors"]) == 7
    assert {one["cid"]: float(one["gamePoints"]) for one in read["competitors"]} == points
    letters = {"W": 1.0, "D": 0.5, "H": 0.5, "L": 0.0, "Z": 0.0, "P": 1.0, "U": 1.0, "F": 1.0}
    counted = dict.fromkeys(points, 0.0)
    for game in read["gameList"]:
        for side in ("white", "black"):
            if game.get(side) and game[side]["cid"]:
                counted[game[side]["cid"]] += letters[game[side]["result"]]
    assert counted == points


def test_a_report_file_of_a_knock_out_has_a_round_for_each_round_however_many_games_were_played() -> None:
    contest = Contest(4, System.KNOCK_OUT)
    contest.start()
    contest.round()
    # At the first table the first two games are level, and the first player wins the next two.
    contest.play(
        lambda place: Outcome.FIRST if place.game > 2 or place[1:] == (1, 1) or place.table > 1 else Outcome.SECOND
    )
    assert max(place.game for place in contest.look().results) == 4
    contest.round()
    found = contest.look()
    lines = [line for line in report_file(found).splitlines() if line.startswith("001")]
    assert "142 2\n" in report_file(found)
    assert "XXR 2\n" in report_file(found)
    # The final goes on, and the others have no game in its round.
    assert sorted(line[101:] for line in lines) == ["", "", "0000 - Z", "0000 - Z"]
    assert sorted(line[91:99].split()[2] for line in lines) == ["0", "0", "1", "1"]
    contest.rule(Matter.FORFEIT, 2, table=1, player=found.rounds[1].pairings[0].first)
    found = contest.look()
    rows = {row["number"]: row for row in standing_rows(found)}
    won = {}
    for line in report_file(found).splitlines():
        if line.startswith("001"):
            won[int(line[4:8])] = (float(line[80:84]), [cell[-1] for cell in (line[91:99], line[101:109]) if cell])
            assert int(line[85:89]) == rows[int(line[4:8])]["rank"]
    first, second = found.rounds[1].pairings[0]
    assert won[first] == (1.0, ["1", "-"])
    assert won[second] == (2.0, ["1", "+"])
    assert [value for number, value in won.items() if number not in (first, second)] == [(0.0, ["0", "Z"])] * 2
