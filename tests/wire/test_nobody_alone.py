"""One player alone cannot make a result that counts, whatever he leaves out of a log and signs new himself.

The forger has all that the other has signed, and the keys of his own seat.  The truth is what both logs of the honest
match prove together.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from typing import Any

import pytest
from helpers import daily_first
from helpers_crossing import Crossing
from helpers_judging import together
from helpers_wire import Cheat, Pair, on_a_line, only
from toys import Bets, Bluff, RockPaperScissors

from protocol.core.audit import Verdict, verify
from protocol.core.frames import FrameKind, Record
from protocol.core.messages import Break, Ground, SideBody, SideType
from protocol.core.session import Session
from protocol.errors import ProtocolError

LOST, OPEN, DRAWN, WON = range(4)
GAME = frozenset(FrameKind) - {FrameKind.RESULT, FrameKind.SEED, FrameKind.VERDICT}
"""The kinds of what may stand before the results."""
BEHIND_THE_END: list[tuple[SideType, SideBody]] = [
    (SideType.OFFER, None),
    (SideType.RESIGN, None),
    (SideType.CLAIM, (int(Ground.TIME), 0, 0)),
    *((kind, number) for kind in (SideType.ACCEPT, SideType.DENY) for number in (1, 2, 3)),
]
"""What a seat may sign at the final head after it has signed the result."""


def favour(verdict: Verdict, seat: int) -> int:
    """Return how good a verdict is for a seat."""
    if verdict.result is None:
        return OPEN
    return {"draw": DRAWN, str(seat): WON}.get(verdict.result["winner"], LOST)


def honest(seed: int) -> Pair:
    """Return a match of two honest players in which anything may have happened, finished or not, heard or not."""
    chance = random.Random(seed)
    match chance.randrange(4):
        case 0:
            crossing = Crossing(seed, Bluff(), (4, 0), scheme=chance.choice(("hash", "proved")))
        case 1:
            crossing = Crossing(seed, Bets(), 1)
            crossing.pair.host.side.resign(now=crossing.pair.now)
            if chance.random() < 0.5:
                crossing.pair.guest.act(chance.randrange(2), now=crossing.pair.now)
        case _:
            crossing = Crossing(seed, RockPaperScissors(), chance.choice((1, 2, 3)))
    crossing.play(chance.randrange(5, 70))
    if chance.random() < 0.8:
        crossing.settle()
    return crossing.pair


class Forger:
    """Goes back to any moment of a match and goes on from there with his own keys."""

    def __init__(self, pair: Pair, seat: int, chance: random.Random) -> None:
        self.pair, self.seat, self.chance = pair, seat, chance

    def logs(self) -> Iterator[list[Record]]:
        """Yield logs that he has made, from several moments of the match."""
        records = list(self.pair.sessions[self.seat].records)
        moments = range(4, len(records) + 1)
        own = set(self.pair.sessions[self.seat]._transcript.sent[self.seat])
        for moment in self.chance.sample(moments, min(8, len(moments))):
            cut = records[:moment]
            if self.chance.random() < 0.3:
                # What the other has said later may still fit where the own words are left out.
                later = [record for record in records[moment:] if record.kind == FrameKind.SIDE]
                cut += [record for record in later if record.frame not in own]
            yield self.forge(cut)
        result = self.pair.sessions[self.seat].result
        if result is not None:
            # Where words of the side channel have decided, others could undo it.
            by_words = result["reason"] in ("agreement", "time", "absence")
            for kind, body in BEHIND_THE_END if by_words else self.chance.sample(BEHIND_THE_END, 1):
                yield self.add_behind_the_end(records, kind, body)

    def add_behind_the_end(self, records: list[Record], kind: SideType, body: SideBody) -> list[Record]:
        """Sign one more thing at the final head, and show the results or leave them out."""
        added = Record(FrameKind.SIDE, Cheat(self.pair, self.seat).side(kind, body))
        kept = [one for one in records if one.kind in GAME]
        return self.chance.choice(([*records, added], [*kept, added], [*kept, added, *records[len(kept) :]]))

    def forge(self, cut: list[Record]) -> list[Record]:
        """Go on from the beginning of a log."""
        chance = self.chance
        config = self.pair.configs[self.seat]
        try:
            session = Session.restore(cut, self.pair.game, config.identity, config.entropy)
        except ProtocolError:
            return cut
        on_a_line(session)
        for _ in range(chance.randrange(1, 7)):
            with suppress(ProtocolError):
                self.go_on(session)
        return list(session.records)

    def go_on(self, session: Session) -> None:
        """Sign one more thing, as far as it passes his own program."""
        chance = self.chance
        match chance.choice(("act", "act", "draw", "accept", "flag", "claim", "sign", "say", "resign")):
            case "act" if session.asks_us is not None:
                self.pair.decide(session, chance)
            case "draw" if session.side.draw_offer is not None:
                session.side.accept_draw()
            case "accept":
                self.side(session, SideType.ACCEPT, chance.randrange(1, 6))
            case "flag" if session.side.claimable(self.pair.now) is not None:
                session.side.claim(now=self.pair.now)
            case "claim":
                self.side(session, SideType.CLAIM, (int(chance.choice(list(Ground))), chance.choice((0, 10**6)), 0))
            case "sign" if session._transcript.may_sign(self.seat):
                session._sign_result()
            case "resign" if chance.random() < 0.1:
                session.side.resign()
            case "say":
                kind = chance.choice((SideType.OFFER, SideType.DECLINE, SideType.GO_ON, SideType.PROPOSE))
                body = {SideType.DECLINE: 1, SideType.PROPOSE: int(Break.PAUSE)}.get(kind)
                self.side(session, kind, body)
            case _:
                session.side.chat("well")

    def side(self, session: Session, kind: SideType, body: Any) -> None:
        pair = Pair.__new__(Pair)
        pair.sessions = (session, session)
        session._emit(Cheat(pair, self.seat).side(kind, body))


def check(seed: int) -> int:
    """Check that no log that either player can make of a match gains him anything; return how many seem to."""
    tried = 0
    pair = honest(seed)
    chance = random.Random(seed + 1)
    truth = together(pair.host.records, pair.guest.records, game=pair.game)[0]
    assert [problem for problem in truth.problems if problem.seat is not None] == []
    for seat in (0, 1):
        for records in Forger(pair, seat, chance).logs():
            tried += compare(pair, seat, records, favour(truth, seat))
    return tried


def compare(pair: Pair, seat: int, records: list[Record], fair: int) -> int:
    """Check that a forged log gains nothing; return whether it would have, if one signature were enough."""
    other = pair.sessions[1 - seat].records
    alone = verify(records, only(pair.game))
    found = [alone]
    gains = favour(alone, seat) > fair
    if gains or alone.problems:
        one, two = together(records, other, game=pair.game)
        other_way = together(other, records, game=pair.game)
        found += [one, two]
        known = verify(other, only(pair.game))
        if known.confirmed:
            # What the other's log alone proves, nobody undoes.
            assert one.confirmed, (seat, one)
            assert favour(one, seat) <= favour(known, seat), (seat, one)
        assert (one.result, one.confirmed) == (two.result, two.confirmed)
        assert [replace(verdict, course=None) for verdict in (two, one)] == [
            replace(verdict, course=None) for verdict in other_way
        ]
    for verdict in found:
        assert not any(problem.seat == 1 - seat for problem in verdict.problems), verdict.problems
        if verdict.confirmed:
            assert favour(verdict, seat) <= fair, (seat, verdict)
    return gains


@pytest.mark.parametrize("first", daily_first(range(0, 120, 10)))
def test_no_verdict_confirms_what_one_player_made_alone(first: int) -> None:
    assert sum(check(seed) for seed in range(first, first + 10)) > 0


@pytest.mark.long
@pytest.mark.parametrize("first", range(0, 500, 100))
def test_no_verdict_confirms_what_one_player_made_alone_in_very_many_matches(first: int) -> None:
    assert sum(check(seed) for seed in range(10_000 + first, 10_000 + first + 100)) > 30


def test_the_matches_of_this_file_hold_what_forgers_look_for() -> None:
    """Or nothing would have been tried."""
    seen: set[str] = set()
    ends: set[str] = set()
    for seed in range(120):
        pair = honest(seed)
        seen |= {type(event).__name__ for events in pair.events for event in events}
        verdict = verify(pair.host.records, only(pair.game))
        ends.add("open" if verdict.result is None else verdict.result["reason"])
    assert seen >= {"DrawOffered", "DrawLapsed", "Claimed", "ClaimLapsed", "Resigned"}
    assert ends >= {"open", "agreement", "forfeit", "rounds", "time"}
