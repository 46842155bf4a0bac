"""Tournaments whose people have a folder each, and whose files travel by themselves."""

from __future__ import annotations

import json
import re
import shlex
import shutil
import socket
import subprocess
import time
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import helpers_processes
import pytest
from helpers import ROOT
from helpers_commands import run
from helpers_events import Club
from helpers_processes import Process, hosting, invite_of, joining

from cli.app import carrying
from cli.app.arguments import make_parser
from cli.console import alerts
from cli.events.folder import known_folders
from cli.storage.home import Home, Preferences, save_preferences

PAGE = (ROOT / "docs" / "tournaments.md").read_text(encoding="utf-8")


class Travellers(Club):
    """People who have a folder each; what they type is counted."""

    def __init__(self, root: Path) -> None:
        super().__init__(root)
        self.typed: dict[str, int] = {}
        self.remote = root / "cup.git"

    def type(self, who: str, *words: str, code: int = 0) -> str:
        """Let somebody type a command; ``cup`` stands for their folder."""
        self.typed[who] = self.typed.get(who, 0) + 1
        words = tuple(str(self.mine(who)) if word == "cup" else word for word in words)
        done = run(*words, "--home", str(self.home(who)), code=code)
        assert "Traceback" not in done.stderr
        return done.stdout + done.stderr

    def mine(self, who: str) -> Path:
        """Return somebody's folder."""
        return self.root / f"cup of {who}"

    def open(self, *words: str, git: bool = False) -> None:
        """Let Olga announce a tournament that meets in a folder that all of them see, or in a repository."""
        if git:
            subprocess.run(["git", "init", "--quiet", "--bare", str(self.remote)], check=True, timeout=30)
        else:
            self.remote.mkdir()
        self.type("olga", "event", "new", "cup", "--name", "Cup", "--scheme", "hash", *words)
        self.type("olga", "event", "sync", "cup", str(self.remote))

    def everything(self, who: str) -> set[bytes]:
        """Return what is in somebody's folder."""
        return {path.read_bytes() for path in self.mine(who).iterdir()}


@pytest.fixture
def club(tmp_path: Path) -> Travellers:
    return Travellers(tmp_path)


def test_three_folders_meet_in_a_fourth_and_nobody_sends_a_file(club: Travellers) -> None:
    club.open("--games", "1")
    for who in ("ann", "bob"):
        assert "every command about" in club.type(who, "event", "sync", "cup", str(club.remote))
        said = club.type(who, "event", "enter", "cup", "--name", who)
        assert "New files sent to" in said
        assert "Send the new files" not in said
    club.type("olga", "event", "close", "cup", "--early")
    for who in ("ann", "bob", "olga", "ann", "bob"):
        last = club.type(who, "event", "status", "cup")
    assert "Game 1.1.1 against ann" in last
    assert club.everything("olga") == club.everything("ann") == club.everything("bob")
    # A log that one player hands in is in the table of the other, who types nothing else.
    club.folder = club.mine("ann")
    club.play(club.games()[0], sides=(0,))
    club.type("ann", "event", "sync", "cup")
    assert "no log yet" in club.type("bob", "standings", "cup", "--offline")
    assert "New files from" in club.type("bob", "standings", "cup")
    assert club.everything("bob") == club.everything("ann")


def test_what_cannot_be_reached_is_one_sentence_and_the_command_goes_on(club: Travellers) -> None:
    club.open()
    shutil.rmtree(club.remote)
    said = club.type("ann", "event", "sync", "cup", str(club.remote), code=3)
    assert "There is nothing at" in said
    assert not club.mine("ann").exists()
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        address = f"http://127.0.0.1:{unused.getsockname()[1]}/cup"
        said = club.type("ann", "event", "sync", "cup", address, code=3)
    assert said == f"{address} cannot be reached (nobody answers there).\n"
    assert not club.mine("ann").exists()
    said = club.type("olga", "event", "enter", "cup", "--name", "Olga")
    assert "You have entered" in said
    assert said.count("There is nothing at") == 1
    assert "not been sent yet" in said
    club.type("ann", "event", "sync", "cup", str(club.mine("olga")))
    club.type("ann", "event", "enter", "cup", "--name", "Ann")
    said = club.type("olga", "event", "close", "cup", "--early", "--offline")
    assert "not been sent yet" in said
    assert "There is nothing" not in said
    assert "no longer exchanges" in club.type("olga", "event", "sync", "cup", "--forget")
    assert "There is nothing" not in club.type("olga", "event", "status", "cup")
    assert "Where should" in club.type("olga", "event", "sync", "cup", code=2)


def test_a_zip_by_mail_brings_everything_and_a_stranger_reads_it_as_it_is(club: Travellers, tmp_path: Path) -> None:
    club.start("--games", "1")
    club.play_all()
    packed, again = tmp_path / "cup.zip", tmp_path / "again.zip"
    club.event("olga", "bundle", str(packed))
    said = club.type("ann", "event", "sync", "cup", str(packed))
    assert "Nothing can be sent there" in said
    assert "every command about" not in said
    assert len(club.everything("ann")) == len(list(club.folder.iterdir()))
    club.type("ann", "event", "bundle", "cup", str(again))
    assert packed.read_bytes() == again.read_bytes()
    done = run("standings", str(packed), "--json", "--home", str(club.home("stranger")))
    assert json.loads(done.stdout)["standings"] == club.table()["standings"]
    assert [one.path for one in known_folders(Home(club.home("stranger")))] == [club.folder]
    other = Club(tmp_path / "other")
    other.root.mkdir()
    other.announce()
    other.event("olga", "bundle", str(again))
    assert "Not taken (from another tournament)" in club.type("ann", "event", "sync", "cup", str(again))
    again.write_bytes(b"junk")
    assert "is not a zip" in run("standings", str(again), "--home", str(club.home("stranger")), code=2).stderr


def test_what_is_small_goes_into_a_chat_as_a_line(club: Travellers, monkeypatch: pytest.MonkeyPatch) -> None:
    club.open("--games", "1")
    (announced,) = club.mine("olga").glob("*.event")
    club.mine("ann").mkdir()
    shutil.copy(announced, club.mine("ann"))
    said = club.type("ann", "event", "enter", "cup", "--name", "Ann")
    assert "Send the new files" in said
    (line,) = [one for one in said.splitlines() if one.startswith("SOE1-")]
    said = club.type("olga", "event", "take", "cup", line)
    assert "Added: entry-ann-" in said
    assert "New files sent to" in said
    assert "already in the folder" in club.type("olga", "event", "take", "cup", "look:", line)
    assert "The end of the line is missing" in club.type("olga", "event", "take", "cup", line[:-1], code=2)
    assert "begins with SOE1-" in club.type("olga", "event", "take", "cup", "hello", code=2)
    other = Club(club.root / "other")
    other.root.mkdir()
    other.announce(players=())
    words = ("event", "take", str(other.folder), "--home", str(other.home("olga")))
    assert "another tournament" in run(*words, text=f"> {line}\n", code=1).stderr
    # A person pastes it in pieces.
    (club.mine("olga") / next(one.name for one in club.mine("olga").glob("entry-*"))).unlink()
    pieces = iter([f"> {line[:80]}", f"> {line[80:]}"])
    monkeypatch.setattr(carrying, "is_terminal", lambda *_: True)
    monkeypatch.setattr(carrying, "ask", lambda question: next(pieces))
    monkeypatch.setattr(carrying, "has_waiting_line", lambda: False)
    assert "Added: entry-ann-" in club.type("olga", "event", "take", "cup", "--offline")


def test_watch_publishes_what_is_due_and_calls_for_a_round_an_opponent_and_a_deadline(
    club: Travellers, monkeypatch: pytest.MonkeyPatch
) -> None:
    club.open("--games", "1", "--each", "2d")
    for who in ("ann", "bob"):
        club.type(who, "event", "sync", "cup", str(club.remote))
        club.type(who, "event", "enter", "cup", "--name", who)
    save_preferences(club.home("ann"), Preferences(notice="command", command="tell-me"))
    called: list[str] = []
    monkeypatch.setattr(alerts, "start", lambda command, text: called.append(text))
    ahead = 0
    real = time.time
    monkeypatch.setattr(time, "time", lambda: real() + ahead)

    def deadline() -> None:
        nonlocal ahead
        # Olga closes early, but the deadline of the round stays where it was announced: after entries and coins.
        ahead = 10 * 86_400 + 3600

    def failing() -> None:
        club.remote.rename(club.root / "gone")

    def end() -> None:
        raise KeyboardInterrupt

    turns: list[Callable[[], object]] = [
        lambda: club.type("olga", "event", "close", "cup", "--early"),
        lambda: club.type("bob", "event", "status", "cup"),
        lambda: club.type("olga", "event", "status", "cup"),
        lambda: club.type("bob", "event", "ready", "cup"),
        deadline,
        failing,
        lambda: None,
        end,
    ]
    monkeypatch.setattr(time, "sleep", lambda seconds: turns.pop(0)())
    said = club.type("ann", "event", "watch", "cup", "--every", "7", "--json", code=130)
    assert "every 7 seconds" in said
    rows = [json.loads(row) for row in said.splitlines() if row.startswith("{")]
    kinds = "carried task carried done carried task carried carried task carried ready deadline failed"
    assert [row["event"] for row in rows] == kinds.split()
    game = next(row for row in rows if row.get("task") == "play")
    assert (game["place"], game["opponent"]) == ([1, 1, 1], "bob")
    assert [text.partition(" ")[0] for text in called] == ["Game", "bob", "Less"]


def test_watch_ends_with_the_tournament(club: Travellers, monkeypatch: pytest.MonkeyPatch) -> None:
    club.start("--games", "1")
    club.play_all()
    club.event("olga", "end")
    assert "The tournament is over" in club.event("ann", "watch")


@pytest.mark.long
@pytest.mark.timeout(900)
def test_eight_bots_play_a_swiss_through_eight_clones_and_nobody_sends_a_file(
    club: Travellers, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(helpers_processes, "PATIENCE", 850.0)
    club.open("--system", "swiss", "--rounds", "3", "--games", "1", "--random-setup", git=True)
    players = [f"bot{number}" for number in range(1, 9)]
    for who in players:
        subprocess.run(["git", "clone", "--quiet", str(club.remote), str(club.mine(who))], check=True, timeout=30)
        club.type(who, "event", "sync", "cup")
        club.type(who, "event", "enter", "cup", "--name", who)
    club.type("olga", "event", "close", "cup", "--early")
    with ExitStack() as running:

        def start(who: str, *words: str) -> Process:
            club.typed[who] += 1
            return running.enter_context(Process(club.home(who), *words))

        watch = {who: start(who, "event", "watch", str(club.mine(who)), "--every", "5") for who in (*players, "olga")}

        def game_of(who: str, turn: int) -> dict[str, Any]:
            """Read what somebody's watch says until it names the game of a round."""
            rows = (row for row in watch[who].lines() if row.get("task") == "play" and row["place"][0] == turn)
            return next(rows)

        for turn in (1, 2, 3):
            games = {who: game_of(who, turn) for who in players}
            assert all(games[game["opponent"]]["opponent"] == who for who, game in games.items())
            for who, game in games.items():
                other = game["opponent"]
                if who < other:
                    club.typed[who] += 1
                    club.typed[other] += 1
                    with (
                        hosting(club.home(who), "--event", str(club.mine(who))) as here,
                        joining(
                            club.home(other), invite_of(here), "bot:random", "--event", str(club.mine(other))
                        ) as there,
                    ):
                        assert (here.wait(), there.wait()) == (0, 0), here.errors.read_text()
        assert any(row.get("task") == "end" for row in watch["olga"].lines())
        club.type("olga", "event", "end", "cup")
        assert [watch[who].wait() for who in (*players, "olga")] == [0] * 9
    everything = club.everything("olga")
    for who in players:
        files = (*club.mine(who).glob("*.event"), *club.mine(who).glob("*.storm"))
        assert {path.read_bytes() for path in files} == everything
    club.folder = club.mine("bot1")
    table = club.table()
    assert (table["stage"], table["holes"], table["refused"]) == ("end", [], [])
    assert sum(row["points"] for row in table["standings"]) == 12
    print(club.typed)
    # Once to sync, to enter and to watch, and once for each game.
    assert [club.typed[who] for who in players] == [6] * 8


def story() -> dict[str, list[list[str]]]:
    """Return who types what in the story of sixteen people."""
    found = re.findall(r"^```story ([a-z]+)\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    return {who: [shlex.split(line)[1:] for line in text.splitlines()] for who, text in found}


def test_every_command_of_the_story_is_one() -> None:
    assert set(story()) == {"olga", "player", "game", "later", "end"}
    for commands in story().values():
        for words in commands:
            make_parser().parse_args(words)


@pytest.mark.long
def test_the_story_of_sixteen_people_comes_to_its_end(club: Travellers, monkeypatch: pytest.MonkeyPatch) -> None:
    told, players = story(), [f"player {number}" for number in range(1, 17)]
    subprocess.run(["git", "init", "--quiet", "--bare", str(club.remote)], check=True, timeout=30)
    real, ahead = time.time, 0
    monkeypatch.setattr(time, "time", lambda: real() + ahead)

    def once(_: float) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(time, "sleep", once)

    def tell(part: str, who: str) -> None:
        for words in told[part]:
            given = [who if word == "NAME" else str(club.remote) if "example.org" in word else word for word in words]
            club.type(who, *given, code=130 if "watch" in words else 0)

    def look(*people: str) -> None:
        """Let everybody's watch look once more."""
        for who in people:
            run("event", "watch", str(club.mine(who)), "--home", str(club.home(who)), code=130)

    tell("olga", "olga")
    for who in players:
        tell("player", who)
    ahead = 8 * 86_400
    tell("later", "olga")
    look(*players, "olga")
    club.folder = club.mine("olga")
    for turn in (1, 2, 3, 4):
        assert len(club.games()) == 8
        assert club.games()[0].place.round == turn
        club.play_all()
        look("olga")
    tell("end", "olga")
    for who in players:
        run("event", "watch", str(club.mine(who)), "--home", str(club.home(who)))
        assert club.everything(who) == club.everything("olga")
    assert club.typed == {"olga": 5, **dict.fromkeys(players, 3)}
    table = club.table()
    assert (table["stage"], table["holes"], table["refused"]) == ("end", [], [])
