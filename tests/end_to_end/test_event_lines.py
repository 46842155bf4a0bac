"""Tournaments whose files travel over the lines of their matches alone: everybody has a folder of their own."""

from __future__ import annotations

import shutil
from pathlib import Path

from helpers_events import Club
from helpers_processes import hosting, invite_of, joining

from cli.events.folder import read_folder

ROBOT = "bot:random"


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


def test_a_round_that_only_the_guest_has_is_played_and_both_have_all_files_afterwards(tmp_path: Path) -> None:
    club = Club(tmp_path)
    club.start("--games", "1", "--random-setup")
    own = Own(club, "ann", "bob")
    (path,) = own.folders["ann"].glob("round-*")
    path.unlink()
    whole = own.held("bob")
    said, _ = own.play("ann", "bob")
    # The host could not know of the game before.
    assert "knows no game that you have to play now" in said
    assert "One new file of the tournament came" in said
    assert "Game 1.1.1" in said
    assert own.held("ann") == own.held("bob")
    logs = own.held("ann") - whole
    assert len(logs) == 2
