"""Whole events in memory: an organiser, an arbiter, players, and what their logs would prove."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from protocol.core.game_data import EventTerms
from protocol.crypto.keys import PrivateKey
from protocol.tournament import drafts
from protocol.tournament.contents import Event, Matter, Pairing, Points, System
from protocol.tournament.documents import Document, K, Signed, issue
from protocol.tournament.engine import engine_version
from protocol.tournament.findings import Place
from protocol.tournament.lines import Field
from protocol.tournament.outcomes import Meeting, Outcome
from protocol.tournament.pairings import PairingError
from protocol.tournament.reports import Report
from protocol.tournament.results import seat_keys
from protocol.tournament.survey import Tournament, survey

SIDES = ("dawn", "dusk")


def secret(text: str) -> bytes:
    """Return 32 bytes that are always the same for a text."""
    return hashlib.sha256(f"tournament {text}".encode()).digest()


def key_of(name: str) -> PrivateKey:
    """Return the identity key of somebody."""
    return PrivateKey(secret(f"key {name}"))


ORGANISER, ARBITER, STRANGER = key_of("organiser"), key_of("arbiter"), key_of("stranger")


def event_of(system: System, deadlines: Sequence[int] = (1000, 2000, 3000), **changes: Any) -> Event:
    """Return an event of a game that is nowhere."""
    found = Event(
        name="Cup",
        arbiters=tuple(sorted((ARBITER.public, ORGANISER.public))),
        game="noughts",
        rules="1",
        terms=(3, 3),
        scheme="proved",
        sides=SIDES,
        system=system,
        deadlines=tuple(deadlines),
        engine=engine_version() if system is System.SWISS else None,
    )
    return replace(found, **changes)


class Contest:
    """An event that honest people run; what they publish lies in ``documents`` and ``reports``."""

    def __init__(
        self, size: int = 4, system: System = System.ROUND_ROBIN, *, people: Sequence[PrivateKey] = (), **changes: Any
    ) -> None:
        people = people or [key_of(f"player {number}") for number in range(1, size + 1)]
        self.keys = {key.public: key for key in people}
        self.documents: list[bytes] = []
        self.reports: list[Report] = []
        self.event = event_of(system, **changes)
        self.id = self.publish(ORGANISER, self.event).id
        self.coins = {key: secret(f"coin {key.hex()}") for key in self.keys}
        for number, key in enumerate(self.keys, start=1):
            rating = (1000 + 50 * number, 200, 60_000)
            self.publish(self.keys[key], drafts.draft_entry(self.id, key, f"Player {number}", self.coins[key], rating))

    def publish(self, key: PrivateKey, content: K) -> Signed[K]:
        """Sign a document and put it into the folder."""
        document = issue(key, content)
        self.documents.append(document.data)
        return document

    def look(self) -> Tournament:
        """Return how the event stands for whoever holds the folder."""
        return survey(self.documents, self.reports)

    def close(self) -> Document:
        """Close the entries."""
        return self.publish(ORGANISER, drafts.draft_close(self.look()))

    def open_coins(self, without: Sequence[bytes] = ()) -> None:
        """Let everybody open his coin."""
        here = self.look()
        for key in self.keys:
            if key not in without:
                self.publish(self.keys[key], drafts.draft_coin(here, key, self.coins[key]))

    def start(self) -> Tournament:
        """Close, open and start."""
        self.close()
        self.open_coins()
        self.publish(ORGANISER, drafts.draft_start(self.look()))
        return self.look()

    def round(self, until: int | None = 9000) -> Document:
        """Publish the next round."""
        return self.publish(ORGANISER, drafts.draft_round(self.look(), until))

    def rule(self, matter: Matter, round: int, **facts: Any) -> Document:
        """Let the arbiter rule."""
        return self.publish(ARBITER, drafts.draft_ruling(self.look(), ARBITER.public, matter, round, **facts))

    def report(self, place: Place, outcome: Outcome, **changes: Any) -> Report:
        """Return what an honest log of a place would prove."""
        here = self.look()
        pairing = here.rounds[place.round - 1].pairings[place.table - 1]
        keys = seat_keys(pairing, place.game, {one.number: one.key for one in here.players})
        return self.report_for(keys, place, outcome, here.published[place.round - 1], **changes)

    def report_for(
        self, keys: tuple[bytes, bytes], place: Place, outcome: Outcome, document: bytes, **changes: Any
    ) -> Report:
        """Return what an honest log of two players for a place in a round with a document would prove."""
        sides = SIDES if place.game % 2 else SIDES[::-1]
        winner = {Outcome.FIRST: sides[0], Outcome.DRAW: "draw", Outcome.SECOND: sides[1]}.get(outcome)
        name = f"{place} {outcome} {sorted((field, str(value)) for field, value in changes.items())}"
        found = Report(
            digest=secret(f"log {name}"),
            match=secret(f"match {place}"),
            place=EventTerms(self.id, *place, document),
            game=self.event.game,
            rules=self.event.rules,
            terms=self.event.terms,
            scheme=self.event.scheme,
            conditions=self.event.conditions,
            keys=keys,
            ok=True,
            winner=winner,
            reason="" if winner is None else "line",
            confirmed=winner is not None,
            seeds=(0, 1),
        )
        return replace(found, **changes)

    def play(self, choose: Callable[[Place], Outcome]) -> None:
        """Play every game that has no result, also those that a level pairing still brings."""
        while True:
            here = self.look()
            keys = {one.number: one.key for one in here.players}
            missing = [place for place, result in here.results.items() if result.state == "missing"]
            if not missing:
                return
            for place in missing:
                pairing = here.rounds[place.round - 1].pairings[place.table - 1]
                seated, document = seat_keys(pairing, place.game, keys), here.published[place.round - 1]
                self.reports.append(self.report_for(seated, place, choose(place), document))

    def play_rounds(self, seed: int = 0, most: int = 99) -> Tournament:
        """Play round after round by chance until the event is over."""
        chance = random.Random(seed)
        for _ in range(most):
            self.play(lambda _: chance.choice((Outcome.FIRST, Outcome.FIRST, Outcome.DRAW, Outcome.SECOND)))
            try:
                self.round()
            except PairingError as error:
                if error.code != "finished":
                    raise
                break
        return self.look()


def first_wins(_: Place) -> Outcome:
    """Let the first of each pairing win everything."""
    return Outcome.FIRST


def codes(findings: Sequence[Any]) -> list[str]:
    """Return the codes of findings."""
    return [one.code for one in findings]


def swiss_field(seed: int, least: int = 5, most: int = 60, games: int = 1) -> tuple[random.Random, Field]:
    """Return a Swiss of any size before its first round, with byes, late players and players who leave."""
    chance = random.Random(seed)
    size = chance.randint(least, most)
    rounds = chance.randint(3, 7) if size > 8 else 3
    event = event_of(System.SWISS, range(rounds), games=games, points=Points(bye=2 * games))
    rate = chance.choice((0.0, 0.04))
    numbers = range(1, size + 1)
    byes = {
        (turn, number): chance.choice((0, 1))
        for turn in range(1, rounds + 1)
        for number in numbers
        if chance.random() < rate
    }
    gone = {number: chance.randint(2, 4) for number in numbers if chance.random() < rate}
    since = {size: chance.randint(2, 3)} if rate else {}
    return chance, Field(event, size, (), since, gone, byes, chance.randint(0, 1))


def play_on(chance: random.Random, field: Field, pairings: Sequence[Pairing]) -> Field:
    """Let the next round be played, with a forfeit now and then."""
    usual = [Outcome.FIRST, Outcome.DRAW, Outcome.SECOND, Outcome.SECOND]
    rare = [Outcome.FORFEIT_FIRST, Outcome.FORFEIT_SECOND, Outcome.DOUBLE_FORFEIT]
    found = []
    for pair in pairings:
        games = field.event.games if pair.second else 0
        outcomes = tuple(chance.choice(rare if chance.random() < 0.05 else usual) for _ in range(games))
        found.append(Meeting(pair.first, pair.second, outcomes))
    return replace(field, history=(*field.history, tuple(found)))
