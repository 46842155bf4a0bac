"""Tournaments whose games go over real connections: hosted and joined from the folder, killed and resumed."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path
from typing import Any

import pytest
from helpers_commands import run
from helpers_events import Club
from helpers_fight import plain_set
from helpers_processes import Process, hosting, invite_of, joining

from cli.storage.home import Home
from protocol.tournament.drafts import Assignment
from protocol.tournament.results import State

ROBOT = "bot:random"


def host(club: Club, who: str) -> Process:
    """Let somebody host the next game."""
    return hosting(club.home(who), "--event", str(club.folder), "--player", ROBOT)


def play(club: Club, one: Assignment, *, kill: bool = False) -> None:
    """Let two programs play a game; one of them is killed in its midst, and goes on where it was."""
    first, second = club.seated(one)
    join = (ROBOT, "--event", str(club.folder))
    with host(club, first) as here, joining(club.home(second), invite_of(here), *join) as there:
        if kill:
            assert here.until("message", 8) is not None, here.errors.read_text() + there.errors.read_text()
            here.kill()
            there.wait()
            # It has begun, so nobody gets a second chance in another match.
            assert "storm-p2p resume" in club.event(first, "status")
            again = ("host", "--event", str(club.folder), "--player", ROBOT, "--home", str(club.home(first)))
            if len(club.games()) == 1:
                assert "already begun" in run(*again, code=2).stderr
            words = ("resume", "--bind", "127.0.0.1", "--player", ROBOT, "--patience", "30")
            with Process(club.home(first), *words) as on:
                assert on.until("listening") is not None
                with Process(club.home(second), *words) as other:
                    assert (on.wait(), other.wait()) == (0, 0)
        else:
            assert (here.wait(), there.wait()) == (0, 0), here.errors.read_text() + there.errors.read_text()


def test_a_game_is_hosted_and_joined_from_the_folder_and_both_logs_come_into_it(tmp_path: Path) -> None:
    club = Club(tmp_path)
    club.start("--games", "1", "--random-setup", players=("ann", "bob", "cid"))
    (one,) = club.games()
    first, second = club.seated(one)
    (third,) = {"ann", "bob", "cid"} - {first, second}
    folder = str(club.folder)
    # The third is free, and so can neither host nor take the game of the others; somebody may bring a newer round.
    with host(club, third) as idle:
        invite_of(idle)
        assert "has no game for you to play now" in idle.errors.read_text()
    done = run("host", "--event", folder, "--seat", "olympians", "--home", str(club.home(first)), code=2)
    assert "The tournament sets" in done.stderr
    if os.name == "posix":
        # It is the key that cannot be used, and not the tournament.
        key = Home(club.home(first)).key_file
        key.chmod(0o644)
        done = run("host", "--event", folder, "--player", ROBOT, "--home", str(club.home(first)), code=2)
        assert "can read the key file" in done.stderr
        key.chmod(0o600)
    with host(club, first) as here:
        invite = invite_of(here)
        join = ("join", invite, "--player", ROBOT, "--home")
        assert "not the player whom" in run(*join, str(club.home(third)), "--event", folder, code=3).stderr
        with joining(club.home(second), invite, ROBOT) as there:
            assert (here.wait(), there.wait()) == (0, 0), here.errors.read_text() + there.errors.read_text()
    logs = list(club.folder.glob("game-1.1.1-*.storm"))
    assert len(logs) == 2
    (result,) = club.look().results.values()
    assert result.state is State.RESULT
    # The rest of it goes in memory; nobody comes to the last game.
    club.event("olga", "status")
    club.play_all()
    club.event("olga", "status")
    club.event("olga", "rule", "double", "3.1")
    assert "tournament is over" in club.event(first, "status")
    whole = club.table()
    assert whole["holes"] == whole["refused"] == []
    # Either of the two logs is enough.
    logs[0].unlink()
    assert club.table() == whole


def test_who_does_not_know_the_tournament_refuses_its_game(tmp_path: Path) -> None:
    club = Club(tmp_path)
    club.start("--games", "1", "--random-setup")
    (one,) = club.games()
    first, second = club.seated(one)
    elsewhere = Home(tmp_path / "elsewhere")
    elsewhere.folder.mkdir()
    shutil.copy(Home(club.home(second)).key_file, elsewhere.key_file)
    with host(club, first) as here:
        invite = invite_of(here)
        guests = {
            "wrong_identity": (club.home("eve"), "not the player whom the other expected"),
            # The one who is expected can still come; this program of his does not know the tournament.
            "peer_terms_refused": (elsewhere.folder, "which this program does not know"),
        }
        for code, (home, said) in guests.items():
            assert said in run(*("join", invite, "--player", ROBOT, "--home", str(home)), code=3).stderr
            turned = here.until("turned-away")
            assert turned is not None
            assert turned["code"] == code
    assert not list(club.folder.glob("*.storm"))


@pytest.mark.long
def test_a_game_of_fight_with_an_own_set_of_cards_needs_nothing_but_the_folder(tmp_path: Path) -> None:
    club = Club(tmp_path)
    own = plain_set()
    own["cards"][0]["attack"] += 1
    (tmp_path / "mine.json").write_text(json.dumps(own))
    club.start("--game", "fight", "--games", "1", "--cards", str(tmp_path / "mine.json"))
    (one,) = club.games()
    play(club, one, kill=True)
    (result,) = club.look().results.values()
    assert result.state is State.RESULT
    assert club.table()["refused"] == []


@pytest.mark.long
@pytest.mark.timeout(900)
def test_six_bots_play_a_swiss_of_three_rounds_that_a_stranger_recomputes(tmp_path: Path) -> None:
    club = Club(tmp_path)
    players = tuple(f"bot{number}" for number in range(1, 7))
    club.start("--system", "swiss", "--rounds", "3", "--random-setup", players=players)
    absent: dict[str, Any] = {}
    for turn in (1, 2, 3):
        games = club.games()
        assert len(games) == 6
        for number, one in enumerate(games):
            if one.place not in {other.place for other in club.games()}:
                # Both programs have gone on to it by themselves.
                continue
            if turn == 2 and number == 5:
                # Nobody comes: the arbiter lets one of them lose.
                absent = {"place": one.place, "who": club.seated(one)[1]}
                club.event("olga", "rule", "forfeit", ".".join(map(str, one.place)), absent["who"])
            elif one.place not in {left.place for left in club.games()}:
                # The two have gone on with it over the same line.
                continue
            elif turn == 1 or number == 0:
                play(club, one, kill=turn == 1 and number == 2)
            else:
                # What two programs do they have shown; the rest of a round goes in memory.
                club.play(one, loser=number % 2)
        said = club.event("olga", "status")
        assert (f"Round {turn + 1} is published" in said) == (turn < 3)
    assert "tournament is over" in club.event("bot1", "status")
    assert club.look().results[absent["place"]].state is State.FORFEIT
    assert len(list(club.folder.glob("*.storm"))) == 34
    # A stranger computes the same from copies under other names, in a process of its own.
    other = tmp_path / "other"
    other.mkdir()
    for number, path in enumerate(sorted(club.folder.iterdir(), key=lambda path: path.stat().st_size)):
        (other / f"{number}{path.suffix}").write_bytes(path.read_bytes())
    with Process(tmp_path / "far", "standings", str(other)) as far:
        assert far.process.stdout is not None
        theirs = json.loads(far.process.stdout.read())
    ours = club.table()
    assert theirs["standings"] == ours["standings"]
    assert theirs["games"] == ours["games"]
    assert ours["holes"] == ours["refused"] == []
    assert sum(row["points"] for row in ours["standings"]) == 18
