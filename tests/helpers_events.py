"""A tournament in a folder as its people run it: commands of this program, and matches between two sessions."""

from __future__ import annotations

import json
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from helpers_commands import run
from helpers_fight import FightPair
from helpers_storm import StormPair
from helpers_wire import Pair

from cli.app import games
from cli.events import folder
from cli.events.judging import judge
from cli.events.standing import pair_once
from protocol.core.agreement import host_takes
from protocol.core.frames import Record
from protocol.crypto.keys import PrivateKey
from protocol.record import keyfile, logfile
from protocol.tournament.contents import Content
from protocol.tournament.documents import read, sign
from protocol.tournament.drafts import Assignment, assignments
from protocol.tournament.findings import Place
from protocol.tournament.survey import Tournament, survey

DAY = 86_400
TERMS = ("--scheme", "hash")
"""What a test does not look at should not take its time."""


class Club:
    """Some people, each with a machine of their own, and one folder that all of them see."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.folder = root / "cup"

    def home(self, who: str) -> Path:
        """Return where somebody keeps what is theirs."""
        return self.root / who.lower()

    def key(self, who: str) -> PrivateKey:
        """Return somebody's identity key."""
        self.home(who).mkdir(exist_ok=True)
        return keyfile.load_or_make(self.home(who) / "identity.key")

    def event(self, who: str, what: str, *words: str, code: int = 0) -> str:
        """Let somebody run a command about the tournament; return all that is said."""
        done = run("event", what, str(self.folder), *words, "--home", str(self.home(who)), code=code)
        assert "Traceback" not in done.stderr
        return done.stdout + done.stderr

    def standings(self, *words: str, who: str = "stranger", code: int = 0) -> str:
        """Let a stranger compute the standings, from nothing but the folder."""
        return run("standings", str(self.folder), *words, "--home", str(self.home(who)), code=code).stdout

    def table(self, code: int = 0) -> dict[str, Any]:
        """Return the standings as a program reads them."""
        found: dict[str, Any] = json.loads(self.standings("--json", code=code))
        return found

    def announce(self, *words: str, players: Sequence[str] = ("ann", "bob")) -> None:
        """Announce a tournament and let players enter."""
        self.event("olga", "new", "--name", "Cup", *(() if "--game" in words else TERMS), *words)
        for player in players:
            self.event(player, "enter", "--name", player)

    def start(self, *words: str, players: Sequence[str] = ("ann", "bob")) -> None:
        """Announce a tournament and take it to its first round."""
        self.announce(*words, players=players)
        self.event("olga", "close", "--early")
        for player in players:
            self.event(player, "status")
        self.event("olga", "status")

    def look(self) -> Tournament:
        """Return how the tournament stands."""
        return self.look_at(self.folder)

    def look_at(self, path: Path) -> Tournament:
        """Return how it stands by the files of another folder; what took long is kept, as people keep it."""
        files, kept = folder.read_folder(path), self.root / "kept"
        logs = {path / name: digest for name, digest in files.logs.items()}
        return survey(files.documents.values(), judge(logs, kept), None, pair_once(kept))

    def names(self) -> dict[bytes, str]:
        """Return the players by key."""
        return {one.key: one.name for one in self.look().players}

    def games(self) -> list[Assignment]:
        """Return the games that are to be played, each as the player with seat 0 sees it."""
        found = self.look()
        own = [one for player in found.players for one in assignments(found, player.key)]
        return sorted((one for one in own if one.seat == 0), key=lambda one: one.place)

    def seated(self, one: Assignment) -> tuple[str, str]:
        """Return who has seat 0 in a game, and the other."""
        found = self.look()
        pairing = found.rounds[one.place.round - 1].pairings[one.place.table - 1]
        first, second = (found.players[number - 1].name for number in pairing)
        return (first, second) if one.place.game % 2 else (second, first)

    def begin(self, one: Assignment, **changes: Any) -> Pair:
        """Let the two who have to play a game begin it."""
        event = self.look().event
        both = {
            "people": tuple(map(self.key, self.seated(one))),
            "conditions": one.conditions,
            "capabilities": ("event", "watched"),
            "seating": host_takes(0),
            "tag": f"{one.place} {sorted(changes)}",
            **changes,
        }
        if event.game == games.STORM:
            return StormPair(**{"terms": games.find().read_terms(event.terms), **both})
        return FightPair(scheme="proved", data=b"".join(self.look().data), **both)

    def play(self, one: Assignment, loser: int = 1, sides: Sequence[int] = (0, 1)) -> None:
        """Let a game be played to its end: one resigns; the logs of some sides come into the folder."""
        pair = self.begin(one)
        pair.sessions[loser].side_channel.resign()
        pair.settle()
        for side in sides:
            self.add(pair, side, f"game-{'.'.join(map(str, one.place))}-{side}")

    def play_all(self) -> None:
        """Let all games be played that have no result."""
        for one in self.games():
            self.play(one, loser=sum(one.place) % 2)

    def add(self, pair: Pair, side: int, name: str, records: Sequence[Record] | None = None) -> Path:
        """Put a log into the folder."""
        path = self.folder / f"{name}.storm"
        path.write_bytes(log_of(pair, side, records))
        return path

    def publish(self, key: PrivateKey, content: Content, name: str = "extra") -> bytes:
        """Put a document into the folder; return its id."""
        data = sign(key, content)
        (self.folder / f"{name}.event").write_bytes(data)
        return read(data).id

    def copy(self, root: Path) -> Club:
        """Return the same people with a copy of everything."""
        shutil.copytree(self.root, root)
        return Club(root)


def log_of(pair: Pair, side: int, records: Sequence[Record] | None = None) -> bytes:
    """Return the log of the host, 0, or of the guest, 1."""
    session = pair.sessions[side]
    return logfile.dump(session.records if records is None else records, session.seat, session.sign_log)


def place(text: str) -> Place:
    """Return the place that is written as it is typed."""
    return Place(*map(int, text.split(".")))
