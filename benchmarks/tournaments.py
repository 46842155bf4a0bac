"""How long it takes to say how a Swiss with 256 players and 8 rounds stands, the first time and after that.

What logs prove is given, as it is for a player whose program has judged them before.
"""

from __future__ import annotations

import hashlib
import random
import tempfile
import time
from pathlib import Path
from typing import Final

from benchmarks import goals
from cli.events.standing import pair_once
from cli.events.tasks import tasks
from protocol.core.game_data import EventTerms
from protocol.crypto.keys import PrivateKey
from protocol.tournament import drafts
from protocol.tournament.contents import Content, Event, System
from protocol.tournament.documents import KEPT, read, sign
from protocol.tournament.engine import engine_version
from protocol.tournament.pairings import Pair
from protocol.tournament.reports import Report
from protocol.tournament.results import seat_keys
from protocol.tournament.survey import Tournament, survey

PLAYERS: Final = 256
ROUNDS: Final = 8


def key_of(number: int) -> PrivateKey:
    """Return the key of a player, or with 0 the organiser's."""
    return PrivateKey(hashlib.sha256(b"player %d" % number).digest())


class Cup:
    """An event that honest people run."""

    def __init__(self, players: int, rounds: int, pair: Pair) -> None:
        """Play it whole."""
        self.documents: list[bytes] = []
        self.reports: list[Report] = []
        organiser, people = key_of(0), [key_of(number) for number in range(1, players + 1)]
        self.event = Event(
            "Cup",
            (organiser.public,),
            "noughts",
            "1",
            (),
            "proved",
            ("dawn", "dusk"),
            System.SWISS,
            tuple(range(1000, 1000 + rounds)),
            engine=engine_version(),
        )
        event = self.publish(organiser, self.event)
        coins = [hashlib.sha256(one.public).digest() for one in people]
        for one, coin in zip(people, coins, strict=True):
            self.publish(one, drafts.draft_entry(event, one.public, one.public.hex()[:8], coin))
        self.publish(organiser, drafts.draft_close(self.survey(pair)))
        seen = self.survey(pair)
        for one, coin in zip(people, coins, strict=True):
            self.publish(one, drafts.draft_coin(seen, one.public, coin))
        self.publish(organiser, drafts.draft_start(self.survey(pair)))
        chance = random.Random(1)
        for _ in range(rounds):
            self.publish(organiser, drafts.draft_round(self.survey(pair)))
            self.play(self.survey(pair), chance)

    def publish(self, key: PrivateKey, content: Content) -> bytes:
        """Sign a document and return its id."""
        self.documents.append(sign(key, content))
        return read(self.documents[-1]).id

    def play(self, seen: Tournament, chance: random.Random) -> None:
        """Play the games of the last round by chance."""
        keys = {one.number: one.key for one in seen.players}
        for place in [place for place, result in seen.results.items() if result.state == "missing"]:
            seated = seat_keys(seen.rounds[place.round - 1].pairings[place.table - 1], place.game, keys)
            winner = chance.choice(("dawn", "draw", "dusk"))
            digest, event = hashlib.sha256(repr(place).encode()).digest(), self.event
            self.reports.append(
                Report(
                    digest=digest,
                    match=digest,
                    place=EventTerms(seen.id, *place, seen.published[-1]),
                    game=event.game,
                    rules=event.rules,
                    terms=event.terms,
                    scheme=event.scheme,
                    conditions=event.conditions,
                    keys=seated,
                    ok=True,
                    winner=winner,
                    reason="line",
                    confirmed=True,
                    seeds=(0, 1),
                )
            )

    def survey(self, pair: Pair) -> Tournament:
        """Return how the event stands."""
        return survey(self.documents, self.reports, None, pair)


def main() -> None:
    """Print the seconds of the processor, and whether both find the same."""
    with tempfile.TemporaryDirectory() as home:
        cup = Cup(PLAYERS, ROUNDS, pair_once(Path(home) / "played"))
        seconds, found = [], []
        for _ in range(2):
            for one in KEPT:
                one.cache_clear()
            started = time.process_time()
            found.append(cup.survey(pair_once(Path(home) / "paired")))
            list(tasks(found[-1], key_of(1).public, 0))
            seconds.append(time.process_time() - started)
        kept = sum(one.stat().st_size for one in (Path(home) / "paired").iterdir())
    assert found[0] == found[1], "what is kept changes a table"
    assert len(found[0].rounds) == ROUNDS, "a round does not hold"
    first, again = seconds
    print(
        f"Swiss, {PLAYERS} players, {ROUNDS} rounds: {first:.1f} s of CPU at first "
        f"({goals.say('s to look at a Swiss first', first, most=4)}), then {again:.2f} s "
        f"({goals.say('s to look at a Swiss again', again, most=1)}); {kept / 1000:.0f} kB kept"
    )


if __name__ == "__main__":
    main()
    goals.end()
