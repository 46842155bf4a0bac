"""docs/tournaments.md is run: each command of its tournament, by whom and when it says."""

from __future__ import annotations

import re
import shlex
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from helpers import ROOT
from helpers_commands import run
from helpers_events import Club

from cli.app.arguments import RULINGS, SYSTEMS, make_parser

PAGE = (ROOT / "docs" / "tournaments.md").read_text(encoding="utf-8")
DAY = 86_400


def blocks() -> Iterator[tuple[str, int, list[list[str]]]]:
    """Yield who types some commands, how many days after the announcement at least, and the commands."""
    for who, days, text in re.findall(r"^```sh ([a-z]+)(?: ([0-9]+)d)?\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL):
        yield who, int(days or 0), [shlex.split(line)[1:] for line in text.splitlines()]


def test_the_tournament_of_the_page_comes_to_its_standings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    real, ahead = time.time, [0]
    monkeypatch.setattr(time, "time", lambda: real() + ahead[0])
    club = Club(tmp_path)
    printed: list[str] = []
    ending: list[list[str]] = []
    for who, days, commands in blocks():
        ahead[0] = max(ahead[0], days * DAY)
        if who == "play":
            (name,) = {make_parser().parse_args(words).event for words in commands}
            club.folder = tmp_path / name
            club.play_all()
            club.folder = tmp_path / "cup"
            continue
        if who == "end":
            ending = commands
            continue
        if who == "absent":
            (game,) = club.games()
            who = club.names()[club.look().players[game.opponent.number - 1].key]
        pair = club.seated(club.games()[0]) if who == "pair" else (who, who)
        for words in commands:
            who = pair[words[1] == "agree"]
            done = run(*words, "--home", str(club.home(who)))
            printed.append(done.stdout + done.stderr)
            if words[1] == "ready":
                ahead[0] += 1801
    text = "\n".join(printed)
    assert "The tournament has started with 3 players." in text
    assert "You claim a forfeit in game 2.1.1." in text
    assert "You both agree to play game 1.1.1 on 2101-12-01 20:00" in text
    assert "The left side scored 100 % of one game" in text or "The left side scored 0 % of one game" in text
    assert (tmp_path / "cup.html").is_file()
    assert (tmp_path / "cup.trf").is_file()
    # The arbiter's commands, and the rest of the rounds.
    ahead[0] += 2 * DAY
    rule, _ = [line.strip() for line in club.event("olga", "status").splitlines() if "event rule" in line]
    run(*shlex.split(rule)[1:], "--home", str(club.home("olga")))
    club.event("olga", "status")
    club.play_all()
    for words in ending:
        run(*words, "--home", str(club.home("olga")))
    table = club.table()
    assert table["stage"] == "end"
    assert table["holes"] == table["refused"] == []
    assert len(table["standings"]) == 3


def test_the_page_names_every_ruling_and_every_system() -> None:
    assert set(re.findall(r"event rule cup ([a-z]+) ", PAGE)) == set(RULINGS)
    assert all(f"`{one}`" in PAGE for one in SYSTEMS)
