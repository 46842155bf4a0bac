"""Tournaments whose people have a folder each, and whose files travel by themselves."""

from __future__ import annotations

import json
import shutil
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from helpers_commands import run
from helpers_events import Club

from cli.app import carrying
from cli.console.shell import alerts
from cli.events.folder import known_folders
from cli.storage.home import Home, Preferences, save_preferences


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
        assert "commands about" in club.type(who, "event", "sync", "cup", str(club.remote))
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
    said = club.type("olga", "event", "enter", "cup", "--name", "Olga")
    assert "You have entered" in said
    assert said.count("There is nothing at") == 1
    assert "still here only" in said
    assert "There is nothing" not in club.type("olga", "event", "status", "cup", "--offline")
    assert "nobody any more" in club.type("olga", "event", "sync", "cup", "--forget")
    assert "There is nothing" not in club.type("olga", "event", "status", "cup")
    assert "Where should" in club.type("olga", "event", "sync", "cup", code=2)


def test_a_zip_by_mail_brings_everything_and_a_stranger_reads_it_as_it_is(club: Travellers, tmp_path: Path) -> None:
    club.start("--games", "1")
    club.play_all()
    packed, again = tmp_path / "cup.zip", tmp_path / "again.zip"
    club.event("olga", "bundle", str(packed))
    said = club.type("ann", "event", "sync", "cup", str(packed))
    assert "Nothing can be sent there" in said
    assert "commands about" not in said
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
    assert "Not taken, because they belong to another tournament" in club.type(
        "ann", "event", "sync", "cup", str(again)
    )
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
    assert "Added: entry-ann-" in club.type("olga", "event", "take", "cup", line)
    assert "in the folder already" in club.type("olga", "event", "take", "cup", "look:", line)
    assert "incomplete" in club.type("olga", "event", "take", "cup", line[:-1], code=2)
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
