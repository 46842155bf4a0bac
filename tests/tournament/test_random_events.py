"""Whole events by chance: everybody may leave, come late, stay away or be ruled about, and each event ends."""

from __future__ import annotations

import json
import random

import pytest
from helpers import daily_first
from helpers_tournament import ORGANISER, Contest, key_of, secret

from cli.events.standing import pairing_key
from protocol.errors import ProtocolError
from protocol.tournament import drafts
from protocol.tournament.contents import (
    ABOUT_PLAYERS,
    ARBITER_LIMIT,
    Absence,
    Answer,
    Claim,
    Matter,
    Pairing,
    Points,
    Ready,
    System,
    Topic,
)
from protocol.tournament.export import game_rows, report_file, standing_rows
from protocol.tournament.findings import Place
from protocol.tournament.lines import Field
from protocol.tournament.outcomes import Outcome
from protocol.tournament.pairings import pair_round
from protocol.tournament.results import SETTLED, State
from protocol.tournament.rulings import list_rulings
from protocol.tournament.survey import Tournament, survey
from tournament.survey import told

EVENTS = 200
PLAYED = (Outcome.FIRST, Outcome.DRAW, Outcome.SECOND)
OPEN = ({"winner": None, "reason": "", "confirmed": False}, {"confirmed": False, "owes": 0}, {"seeds": (0,)})
"""Logs that prove no result: unfinished, unconfirmed, and unaudited."""
PAIRED: dict[bytes, tuple[Pairing, ...]] = {}


def pair_once(field: Field) -> tuple[Pairing, ...]:
    """Pair a round, and remember it: every look at an event pairs all of its rounds."""
    key = pairing_key(field)
    if key not in PAIRED:
        PAIRED[key] = pair_round(field)
    return PAIRED[key]


class Chaos(Contest):
    """An event whose people do whatever they may, by chance."""

    def __init__(self, seed: int) -> None:
        self.chance = chance = random.Random(seed)
        system, games = chance.choice(list(System)), chance.choice((1, 1, 2))
        rounds = chance.randint(1, 6)
        super().__init__(
            chance.randint(2, 9),
            system,
            deadlines=tuple(1000 * turn for turn in range(1, rounds + 1)),
            games=games,
            points=Points(bye=chance.choice((0, 1, 2)) * games),
            third_place=system is System.KNOCK_OUT and chance.random() < 0.5,
            most=chance.choice((None, None, chance.randint(2, 9))),
        )
        self._held, self._found = (len(self.documents), len(self.reports)), super().look()

    def look(self) -> Tournament:
        """Return how the event stands; nothing is worked out again before something has been added."""
        held = len(self.documents), len(self.reports)
        if held != self._held:
            self._held, self._found = held, survey(self.documents, self.reports, None, pair_once)
        return self._found

    def run(self) -> Tournament:
        """Take the event from its entries to its end."""
        for _ in range(self.chance.randint(0, 3)):
            self.tell()
        self.close()
        self.open_coins(without=[key for key in list(self.keys)[2:] if self.chance.random() < 0.1])
        self.publish(ORGANISER, drafts.draft_start(self.look()))
        while True:
            for _ in range(self.chance.randint(0, 2)):
                self.rule_about_somebody()
            if self.chance.random() < 0.3:
                self.tell()
                self.publish(
                    self.chance.choice(list(self.keys.values())), Absence(self.id, self.chance.randint(1, 6), 1)
                )
            try:
                self.round()
            except ProtocolError as error:
                if error.code != "undecided":
                    break
                self.settle()
                continue
            for place in self.waiting():
                self.play_or_not(place)
            if self.chance.random() < 0.3:
                self.collude()
            if self.look().event.system is not System.ROUND_ROBIN or self.chance.random() < 0.5:
                self.settle()
            if self.chance.random() < 0.05:
                break
        last = self.look()
        self.publish(ORGANISER, drafts.draft_end(last))
        found = self.look()
        # The end makes final what stands, and changes nothing of it.
        assert {place: result.outcome for place, result in found.results.items()} == {
            place: result.outcome for place, result in last.results.items()
        }
        return found

    def waiting(self) -> list[Place]:
        """Return the games that have no outcome."""
        return [place for place, result in self.look().results.items() if result.state not in SETTLED]

    def play_or_not(self, place: Place) -> None:
        """Let two people play a game, or one of them, or none."""
        chance = self.chance
        done = chance.random()
        if done < 0.7:
            self.reports.append(self.report(place, chance.choice(PLAYED)))
        elif done < 0.8:
            self.reports.append(self.report(place, chance.choice(PLAYED), **chance.choice(OPEN)))
        elif done < 0.85:
            for outcome in chance.sample(PLAYED, 2):
                self.reports.append(self.report(place, outcome, match=secret(f"{place} {outcome}")))
        elif done < 0.95:
            self.claim(place)

    def claim(self, place: Place) -> None:
        """Let one of a pairing wait for the other, who may answer."""
        pairing = self.look().rounds[place.round - 1].pairings[place.table - 1]
        by, against = (self.keys[self.look().players[one - 1].key] for one in self.chance.sample(pairing, 2))
        self.publish(by, Ready(self.id, *place, 100))
        claim = self.publish(by, Claim(self.id, *place, 100_000))
        if self.chance.random() < 0.5:
            self.publish(against, Answer(self.id, claim.id, 100_001, "Ill."))

    def tell(self) -> None:
        """Let the organiser tell something that this program lets them sign."""
        found, chance = self.look(), self.chance
        topics = [Topic.ANNOUNCEMENT] + [Topic.ARBITER] * (len(found.arbiters) < ARBITER_LIMIT)
        if found.close is None:
            topics += [Topic.RATING] + [Topic.FORBIDDEN] * (found.event.system is System.SWISS)
        topic, people = chance.choice(topics), sorted(chance.sample(list(self.keys), 2))
        facts: dict[Topic, dict[str, object]] = {
            Topic.ANNOUNCEMENT: {"text": "Soup is ready."},
            Topic.ARBITER: {"keys": (key_of(f"deputy {len(found.arbiters)}").public,)},
            Topic.RATING: {"keys": (people[0],), "rating": chance.choice((None, (2000, 100, 60_000)))},
            Topic.FORBIDDEN: {"keys": tuple(people)},
        }
        self.publish(ORGANISER, drafts.draft_notice(found, topic, 5, **facts[topic]))

    def rule_about_somebody(self) -> None:
        """Let the arbiter rule about a player, or a late one, and now and then replace what they have ruled."""
        found, chance = self.look(), self.chance
        matter, turn = chance.choice(ABOUT_PLAYERS), max(1, len(found.rounds) + chance.randint(0, 2))
        facts: dict[str, object] = {"player": chance.randint(1, len(found.players))}
        if matter is Matter.LATE_ENTRY:
            late = key_of(f"late {len(self.keys)}")
            self.keys[late.public] = late
            entry = drafts.draft_entry(self.id, late.public, f"Late {len(self.keys)}", secret("late"))
            facts = {"entry": self.publish(late, entry).id}
        elif matter is Matter.BYE:
            facts["points"] = chance.randint(0, 2)
        self.rule(matter, turn, **facts, **self.replaced(None))

    def replaced(self, place: Place | None) -> dict[str, bytes]:
        """Return which ruling a new one replaces: about a game the one that stands there, else now and then any."""
        standing = [one for one in list_rulings(self.look()) if one.stands]
        if place is not None:
            standing = [one for one in standing if (one.ruling.round, one.ruling.table) == place[:2]]
        elif self.chance.random() < 0.7:
            return {}
        return {"replaces": self.chance.choice(standing).document.id} if standing else {}

    def settle(self) -> None:
        """Let the arbiter give every game of the rounds an outcome."""
        while places := self.waiting():
            place = self.chance.choice(places)
            pairing = self.look().rounds[place.round - 1].pairings[place.table - 1]
            matter = self.chance.choice((Matter.FORFEIT, Matter.DOUBLE_FORFEIT, Matter.AWARD))
            player = 0 if matter is Matter.DOUBLE_FORFEIT else self.chance.choice(pairing)
            game = self.chance.choice((0, place.game))
            self.rule(matter, place.round, table=place.table, game=game, player=player, **self.replaced(place))

    def collude(self) -> list[bytes]:
        """Let two who have played sign another match for their place; return the logs."""
        settled = [place for place, result in self.look().results.items() if result.state is State.RESULT]
        made = []
        for place in self.chance.sample(settled, min(len(settled), 2)):
            if place.round < len(self.look().rounds) or self.look().end is not None:
                before = self.look().results[place].outcome
                other = self.chance.choice([one for one in PLAYED if one is not before])
                self.reports.append(self.report(place, other, match=secret(f"colluded {place}")))
                made.append(self.reports[-1].digest)
        return made


def printed(found: Tournament) -> str:
    """Return everything that a program prints of an event."""
    return json.dumps([standing_rows(found), game_rows(found), report_file(found), told(found), found.words()])


@pytest.mark.parametrize("seed", daily_first(range(EVENTS), 3))
def test_every_event_ends_alike_for_all_and_nobody_moves_a_table_after_its_end(seed: int) -> None:
    contest = Chaos(seed)
    found = contest.run()
    assert found.end is not None
    assert found.convictions == ()
    # Nothing that the organiser has published by this program is refused.
    published = {one.id for one in found.chain.documents}
    assert not [one for one in found.refused if one.subject in published]
    # A game of an earlier round is in dispute only if an arbiter has taken back what settled it.
    undone = {(one.ruling.round, one.ruling.table) for one in list_rulings(found) if not one.stands}
    disputes = [place for place, result in found.results.items() if result.state is State.DISPUTE]
    assert all(place.round == len(found.rounds) or place[:2] in undone for place in disputes)
    before = printed(found)
    documents, reports = list(contest.documents), list(contest.reports)
    # Whoever tries to move a table now moves none, and is named.
    extra = contest.collude()
    after = contest.look()
    assert (after.results, standing_rows(after)) == (found.results, standing_rows(found))
    assert set(extra) <= {one.subject for one in after.refused if one.code == "settled"}
    # Anybody prints the same, whatever order the files have.
    for _ in range(3):
        contest.chance.shuffle(documents)
        contest.chance.shuffle(reports)
        assert printed(survey(documents + documents[:2], reports, None, pair_once)) == before
