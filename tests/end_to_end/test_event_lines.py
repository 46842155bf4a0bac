"""Tournaments whose files travel over the lines of their matches alone: everybody has a folder of their own."""

from __future__ import annotations

import json
import re
import shutil
import signal
import threading
from collections import Counter
from pathlib import Path
from typing import Self

import pytest
from helpers_commands import run
from helpers_events import Club
from helpers_processes import PATIENCE, Forked, hosting, invite_of, joining

from cli.events.folder import read_folder
from cli.events.tasks import unsettled
from end_to_end.window import Window

ROBOT = "bot:random"
ONE_GAME = ("--games", "1", "--random-setup")


class Own:
    """The folders of people who share none."""

    def __init__(self, club: Club, *people: str) -> None:
        self.club = club
        self.folders = {who: club.root / f"{who}-cup" for who in people}
        for folder in self.folders.values():
            shutil.copytree(club.folder, folder)

    def held(self, who: str) -> set[bytes]:
        """Return the hashes of what somebody has."""
        return set(read_folder(self.folders[who]).names())

    def play(self, host: str, guest: str, *words: str) -> tuple[str, str]:
        """Let two programs meet and play; return what each of them says to a person."""
        said = []
        with hosting(self.club.home(host), "--event", str(self.folders[host]), "--player", ROBOT) as here:
            given = ("--event", str(self.folders[guest]), *words)
            with joining(self.club.home(guest), invite_of(here), ROBOT, *given) as there:
                codes = here.wait(), there.wait()
            said = [program.errors.read_text() for program in (here, there)]
            assert codes == (0, 0), said
        return said[0], said[1]


def test_a_round_that_only_the_guest_has_is_played_game_by_game_and_both_have_all_files_afterwards(
    tmp_path: Path,
) -> None:
    club = Club(tmp_path)
    club.start("--random-setup")
    own = Own(club, "ann", "bob")
    (path,) = own.folders["ann"].glob("round-*")
    path.unlink()
    whole = own.held("bob")
    said, _ = own.play("ann", "bob")
    # The host could not know of the game before.
    assert "has no game for you to play now" in said
    assert "New files of the tournament from the other program: 1" in said
    assert "Game 1.1.1" in said
    assert own.held("ann") == own.held("bob")
    assert len(own.held("ann") - whole) == 4
    # The second game of the pairing has followed over the same line, with the sides swapped.
    assert {place.game for place in club.look_at(own.folders["ann"]).results} == {1, 2}
    assert not unsettled(club.look_at(own.folders["ann"]))


def test_one_line_of_event_serve_takes_and_gives_files_for_everybody_also_after_a_restart(tmp_path: Path) -> None:
    club = Club(tmp_path)
    club.announce(players=("ann",))
    served = ("event", "serve", str(club.folder), "--bind", "127.0.0.1", "--home", str(club.home("olga")))

    def sync(who: str, line: str, folder: Path, code: int = 0) -> str:
        done = run("event", "sync", str(folder), line, "--home", str(club.home(who)), code=code)
        return done.stdout + done.stderr

    with Speaking(*served) as organiser:
        line = organiser.line()
        assert "program: 2. New files sent to it: 0" in sync("bob", line, tmp_path / "bobs")
        (tmp_path / "bobs" / "private.txt").write_text("mine")
        run("event", "enter", str(tmp_path / "bobs"), "--name", "bob", "--home", str(club.home("bob")))
        assert "program: 0. New files sent to it: 1" in sync("bob", line, tmp_path / "bobs")
        assert "program: 3. New files sent to it: 0" in sync("cid", line, tmp_path / "cids")
        assert "program: 0. New files sent to it: 0" in sync("ann", line, club.folder)
        other = Club(tmp_path / "elsewhere")
        other.root.mkdir()
        other.announce(players=())
        run("event", "status", str(other.folder), "--home", str(club.home("bob")))
        assert "a different tournament" in sync("bob", line, other.folder, code=2)
        assert "event sync FOLDER LINE" in run("join", line, "--home", str(club.home("bob")), code=2).stderr
    assert "No program serves" in sync("bob", line, tmp_path / "new", code=3)
    assert not (tmp_path / "new").exists()
    assert len(set(read_folder(tmp_path / "cids").names())) == len(set(read_folder(club.folder).names())) == 3
    # The same line leads there when the program is started again.
    with Speaking(*served) as organiser:
        organiser.line()
        assert "program: 0. New files sent to it: 0" in sync("bob", line, tmp_path / "bobs")
    with Speaking(*served, "--fresh") as organiser:
        assert organiser.line() != line
        assert "No program serves" in sync("bob", line, tmp_path / "bobs", code=3)


class Speaking:
    """A program that shows a line and runs until it is interrupted."""

    def __init__(self, *words: str) -> None:
        self._process = Forked(*words)
        self._watchdog = threading.Timer(PATIENCE, self._process.kill)
        self._watchdog.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *given: object) -> None:
        self._process.send_signal(signal.SIGINT)
        assert self._process.wait() == 130
        self._watchdog.cancel()
        assert self._process.stdout is not None
        self._process.stdout.close()

    def line(self) -> str:
        assert self._process.stdout is not None
        return self._process.stdout.readline().strip()


@pytest.mark.long
@pytest.mark.timeout(900)
def test_eight_bots_play_a_knock_out_without_any_remote_and_all_folders_are_equal_at_the_end(tmp_path: Path) -> None:
    club = Club(tmp_path)
    bots = tuple(f"bot{number}" for number in range(1, 9))
    typed = Counter[str]()
    club.event("olga", "new", "--name", "Cup", "--scheme", "hash", *ONE_GAME, "--system", "knock-out")
    served = ("event", "serve", str(club.folder), "--bind", "127.0.0.1", "--home", str(club.home("olga")))
    with Speaking(*served) as organiser:
        line = organiser.line()

        def do(who: str, what: str, *words: str) -> str:
            typed[who] += 1
            folder = str(tmp_path / f"{who}-cup")
            done = run("event", what, folder, *words, "--home", str(club.home(who)))
            return done.stdout + done.stderr

        for bot in bots:
            do(bot, "sync", line)
            do(bot, "enter", "--name", bot)
            do(bot, "sync", line)
        club.event("olga", "close", "--early")
        for bot in bots:
            do(bot, "sync", line)
            do(bot, "status")
            do(bot, "sync", line)
        club.event("olga", "status")
        own = Own(club)
        own.folders = {bot: tmp_path / f"{bot}-cup" for bot in bots}
        for number in (1, 2, 3):
            for one in club.games():
                host, guest = club.seated(one)
                # The guest alone has heard of the round: it reaches the host over the line of the match.
                do(guest, "sync", line)
                own.play(host, guest)
                typed[host] += 1
                typed[guest] += 1
                do(host, "sync", line)
            assert (f"Round {number + 1} is published" in club.event("olga", "status")) == (number < 3)
        club.event("olga", "end")
        for bot in bots:
            do(bot, "sync", line)
    whole = set(read_folder(club.folder).names())
    assert all(own.held(bot) == whole for bot in bots)
    standings = [run("standings", str(own.folders[bot]), "--json", "--home", str(tmp_path / "far")) for bot in bots]
    assert len({one.stdout for one in standings}) == 1
    table = json.loads(standings[0].stdout)
    assert table["holes"] == table["refused"] == []
    assert len(table["games"]) >= 7
    print(f"commands of each: {dict(typed)}")
    # Whoever is out after the first round has typed no more than this.
    assert min(typed.values()) <= 9


@pytest.mark.long
@pytest.mark.parametrize("plain", [False, True])
def test_two_people_play_the_next_game_by_a_key_and_no_sentence_spoils_the_picture(tmp_path: Path, plain: bool) -> None:
    """What was said of the folder at the end of a game stood across the board."""
    club = Club(tmp_path)
    club.start("--random-setup")
    own = Own(club, "ann", "bob")
    host, guest = club.seated(club.games()[0])
    waits = ("host", "--event", str(own.folders[host]), "--bind", "127.0.0.1", "--name", host)
    first = Window(club.home(host), *waits, columns=120, rows=40)
    try:
        first.until("Waiting")
        invite = re.search(r"SOO2-[A-Z0-9]+", first.all.replace("\r\n", ""))
        assert invite is not None
        words = ("join", invite.group(), "--event", str(own.folders[guest]), "--name", guest)
        second = Window(club.home(guest), *words, *(["--plain"] if plain else []))
        try:
            second.until("You play the")
            second.type("resign\r")
            second.until('type "yes"' if not plain else 'Type the word "yes"')
            second.type("yes\r")
            # Whoever is not read cannot go on.
            first.until("resigned")
            second.until("You lost")
            first.until("g: next game", ever=False)
            second.until("next game against" if plain else "g: next game", ever=plain)
            assert "New files" not in first.settle()
            second.type("next\r" if plain else "g")
            first.until(f"{guest} wants to play the next game now: g accepts", ever=False)
            first.type("g")
            first.until("You play the Olympians")
            second.until("You play the Chthonians")
            first.type("bye\r")
            first.type("y\r")
            assert first.leave(lambda window: "New files of the tournament" in window.all) == 4
        finally:
            second.close()
    finally:
        first.close()
