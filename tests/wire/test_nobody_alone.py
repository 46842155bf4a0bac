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
from helpers_judging import agreed, judged, log_of
from helpers_times import BLITZ, think, timed
from helpers_wire import Cheat, Pair, on_a_line, only
from toys import Bluff, RockPaperScissors, Rounds

from protocol.core.audit import Log, Verdict, verify
from protocol.core.frames import Kind, Record
from protocol.core.merging import verify_together
from protocol.core.messages import Break, Ground, SideBody, SideType
from protocol.core.session import Session
from protocol.errors import ProtocolError
from protocol.game import Answer, Choose, Chosen, Game, Request

LOST, OPEN, DRAWN, WON = range(4)
GAME = frozenset(Kind) - {Kind.RESULT, Kind.SEED, Kind.VERDICT}
"""The kinds of what may stand before the results."""
BEHIND_THE_END: list[tuple[SideType, SideBody]] = [
    (SideType.OFFER, None),
    (SideType.RESIGN, None),
    (SideType.CLAIM, (int(Ground.TIME), 0, 0)),
    *((kind, number) for kind in (SideType.ACCEPT, SideType.DENY) for number in (1, 2, 3)),
]
"""What a seat may sign at the final head after it has signed the result."""


class Bets(RockPaperScissors):
    """Seat 1 says a number and has won or lost by it: the own move alone can be the last one, and a bad one."""

    name = "bets"

    def next_request(self, state: Rounds) -> Request | None:
        return None if self.result(state) else Choose(1, "bet")

    def step(self, state: Rounds, answer: Answer) -> Rounds:
        assert isinstance(answer, Chosen)
        return replace(state, wins=(1, 0) if answer.decision == 0 else (0, 1))


def favour(verdict: Verdict, seat: int) -> int:
    """Return how good a verdict is for a seat."""
    if verdict.result is None:
        return OPEN
    return {"draw": DRAWN, str(seat): WON}.get(verdict.result["winner"], LOST)


def together(*logs: Any, game: Game[Any]) -> tuple[Verdict, ...]:
    return verify_together([Log(tuple(records)) for records in logs], only(game))


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
                cut += [record for record in records[moment:] if record.frame not in own and record.kind == Kind.SIDE]
            yield self.forge(cut)
        result = self.pair.sessions[self.seat].result
        if result is not None:
            # Where words of the side channel have decided, others could undo it.
            by_words = result["reason"] in ("agreement", "time", "absence")
            for kind, body in BEHIND_THE_END if by_words else self.chance.sample(BEHIND_THE_END, 1):
                yield self.add_behind_the_end(records, kind, body)

    def add_behind_the_end(self, records: list[Record], kind: SideType, body: SideBody) -> list[Record]:
        """Sign one more thing at the final head, and show the results or leave them out."""
        added = Record(Kind.SIDE, Cheat(self.pair, self.seat).side(kind, body))
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
@pytest.mark.parametrize("first", range(0, 2000, 100))
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


# --- what was done to the landed program ------------------------------------------------------------------------------


def restored(pair: Pair, seat: int, until: int) -> Session:
    config = pair.configs[seat]
    return on_a_line(Session.restore(pair.sessions[seat].records[:until], pair.game, config.identity, config.entropy))


def lost_after_an_offer() -> tuple[Pair, int]:
    """Return a match that seat 1 has lost although he was once offered a draw, and where that was."""
    pair = Pair(RockPaperScissors(), 1)
    pair.host.side.offer_draw()
    pair.settle()
    offered = len(pair.guest.records)
    pair.act(0, 1)
    pair.act(1, 0)
    assert pair.guest.result == {"winner": "0", "reason": "rounds"}
    return pair, offered


def test_a_draw_that_was_offered_once_is_not_accepted_after_the_match_is_lost() -> None:
    pair, offered = lost_after_an_offer()
    forger = restored(pair, 1, offered)
    forger.side.accept_draw()
    alone = verify(forger.records, only(pair.game))
    assert (alone.ok, alone.result) == (True, {"winner": "draw", "reason": "agreement"})
    assert (alone.confirmed, alone.signed, alone.owes) == (False, (), 0)
    logs = [Log(pair.host.records), Log(forger.records)]
    for order in (logs, logs[::-1]):
        for verdict in verify_together(order, only(pair.game)):
            assert not verdict.ok
            assert [(one.code, one.seat) for one in verdict.problems] == [("backdated", 1)]
            assert (verdict.result, verdict.confirmed) == ({"winner": "0", "reason": "forfeit"}, True)


def test_a_claim_that_was_waived_is_not_made_after_the_match_is_lost() -> None:
    pair = timed(BLITZ, 1)
    think(pair, 0, 70)
    # The flag of seat 0 has fallen, and seat 1 could claim; he plays on, and loses.
    waived = len(pair.guest.records)
    think(pair, 1, 1, 0)
    assert pair.guest.result == {"winner": "0", "reason": "rounds"}
    forger = restored(pair, 1, waived)
    forger.side.claim(now=pair.now)
    alone = verify(forger.records, only(pair.game))
    assert (alone.ok, alone.result, alone.confirmed) == (True, {"winner": "1", "reason": "time"}, False)
    assert alone.owes == 0
    for verdict in together(forger.records, pair.host.records, game=pair.game):
        assert [(one.code, one.seat) for one in verdict.problems] == [("backdated", 1)]
        assert verdict.result == {"winner": "0", "reason": "forfeit"}


def test_another_last_move_wins_nothing() -> None:
    pair = Pair(RockPaperScissors(), 1)
    pair.act(0, 1)
    before = len(pair.guest.records)
    pair.act(1, 0)
    forger = restored(pair, 1, before)
    # He has seen by now what seat 0 had sealed: paper.  Scissors would have won.
    forger.act(2)
    assert verify(forger.records, only(pair.game)).ok
    for verdict in together(forger.records, pair.host.records, game=pair.game):
        assert [(one.code, one.seat) for one in verdict.problems] == [("two_messages", 1)]
        assert verdict.result == {"winner": "0", "reason": "forfeit"}


def test_a_resignation_does_not_hide_the_own_last_move_that_crossed_it() -> None:
    """The chain's result comes first; whoever lost by his own move could leave it out and show the resignation."""
    pair = Pair(Bets(), 1)
    before = pair.guest.records
    pair.host.side.resign()
    pair.guest.act(0)
    pair.settle()
    for verdict in (pair.verify(0), pair.verify(1)):
        assert (verdict.result, verdict.confirmed) == ({"winner": "0", "reason": "rounds"}, True)
    resignation = next(record for record in pair.guest.records if record.kind == Kind.SIDE)
    hidden = [*before, resignation]
    alone = verify(hidden, only(pair.game))
    assert alone.result == {"winner": "1", "reason": "forfeit"}
    assert (alone.confirmed, alone.owes) == (False, 1)
    for verdict in together(hidden, pair.host.records, game=pair.game):
        assert verdict.result == {"winner": "0", "reason": "rounds"}


def test_a_resignation_in_the_own_turn_needs_no_other_signature() -> None:
    pair = Pair(RockPaperScissors(), 1)
    pair.host.side.resign()
    verdict = verify(pair.host.records, only(pair.game))
    assert (verdict.result, verdict.confirmed) == ({"winner": "1", "reason": "forfeit"}, True)
    assert verdict.owes == 1


class Passes(Bets):
    """Or seat 1 says neither, and hands the turn to seat 0 by it."""

    name = "passes"

    def next_request(self, state: Rounds) -> Request | None:
        return None if self.result(state) else Choose(2 - state.goal, "bet")

    def step(self, state: Rounds, answer: Answer) -> Rounds:
        assert isinstance(answer, Chosen)
        return replace(state, goal=2) if answer.decision == 2 else super().step(state, answer)


def test_another_move_instead_of_the_own_last_one_does_not_make_a_resignation_that_crossed_it_count() -> None:
    pair = Pair(Passes(), 1)
    before = len(pair.guest.records)
    forger = restored(pair, 1, before)
    pair.host.side.resign()
    pair.guest.act(0)
    pair.settle()
    assert pair.host.result == {"winner": "0", "reason": "rounds"}
    forger.act(2)
    resignation = next(record for record in pair.guest.records if record.kind == Kind.SIDE)
    forged = [*forger.records[:before], resignation, *forger.records[before:]]
    alone = judged(pair, 1, forged)
    assert (alone["ok"], alone["result"]) == (True, {"winner": "1", "reason": "forfeit"})
    assert (alone["confirmed"], alone["owes"]) == (False, "1")
    for facts in agreed([log_of(pair, 0), log_of(pair, 1, forged)], only(pair.game)):
        assert facts["result"] == {"winner": "0", "reason": "forfeit"}


def test_a_resignation_counts_once_its_author_has_seen_the_move_that_crossed_it() -> None:
    pair = Pair(Passes(), 1)
    pair.host.side.resign()
    pair.guest.act(2)
    pair.settle()
    result = {"winner": "1", "reason": "forfeit"}
    for facts in (judged(pair, 0), judged(pair, 1)):
        assert (facts["result"], facts["confirmed"], facts["owes"]) == (result, True, None)


@pytest.mark.parametrize("seat", [0, 1])
def test_both_logs_of_a_resignation_prove_together_what_each_proves(seat: int) -> None:
    """Who has resigned signs the result after the other, whoever's result comes first by its bytes."""
    pair = Pair(Bets(), 1)
    pair.sessions[seat].side.resign()
    pair.settle()
    for verdict in (pair.verify(0), *together(pair.host.records, pair.guest.records, game=pair.game)):
        assert (verdict.ok, verdict.confirmed, verdict.signed, verdict.seeds) == (True, True, (0, 1), (0, 1))
        assert (verdict.audited, verdict.owes) == (True, None)


def test_whoever_loses_by_the_last_move_confirms_it_with_anything_that_he_says_then() -> None:
    pair = Pair(RockPaperScissors(), 1)
    pair.act(0, 1)
    pair.guest.act(0)
    # Seat 0 has to open his seal, which wins, and hears nothing more of seat 1.
    pair.transfer(1)
    wins = verify(pair.host.records, only(pair.game))
    assert wins.result == {"winner": "0", "reason": "rounds"}
    assert (wins.confirmed, wins.signed, wins.owes) == (False, (0,), 1)
    pair.guest._force = lambda: None  # type: ignore[method-assign]
    pair.settle()
    assert verify(pair.host.records, only(pair.game)).confirmed


def test_a_draw_needs_the_result_of_both() -> None:
    pair = Pair(RockPaperScissors(), 2)
    pair.host.side.offer_draw()
    pair.settle()
    pair.guest.side.accept_draw()
    verdict = verify(pair.guest.records, only(pair.game))
    assert (verdict.result, verdict.confirmed) == ({"winner": "draw", "reason": "agreement"}, False)
    assert verdict.owes == 0
    pair.settle()
    assert pair.verify().confirmed


def test_whoever_has_seen_the_acceptance_of_his_offer_may_not_move_any_more() -> None:
    pair = Pair(RockPaperScissors(), 2)
    pair.host.side.offer_draw()
    pair.settle()
    cheat = Cheat(pair, 0)
    cheat.session._continue = lambda: None  # type: ignore[method-assign]
    pair.guest.side.accept_draw()
    pair.transfer(1)
    builder = cheat.builder()
    builder.decide(1, None)
    cheat.send(cheat.envelope(*builder.steps, sides=(1, 1)))
    event = pair.guest.stopped
    assert event is not None
    assert (event.code, event.seat) == ("not_now", 0)  # type: ignore[union-attr]


def test_a_move_that_crossed_the_acceptance_undoes_it_and_the_log_shows_the_crossing() -> None:
    pair = Pair(RockPaperScissors(), 2)
    pair.host.side.offer_draw()
    pair.settle()
    pair.guest.side.accept_draw()
    pair.host.act(1)
    pair.settle()
    assert pair.host.result is None
    for verdict in (pair.verify(0), pair.verify(1), *together(pair.host.records, pair.guest.records, game=pair.game)):
        assert (verdict.ok, verdict.result) == (True, None)


def test_logs_of_two_matches_are_not_judged_as_one() -> None:
    one, two = Pair(RockPaperScissors(), 1), Pair(RockPaperScissors(), 1, tag="another")
    with pytest.raises(ProtocolError) as caught:
        together(one.host.records, two.host.records, game=one.game)
    assert caught.value.code == "other_match"


def test_one_identity_on_both_seats_is_remarked() -> None:
    pair = Pair(RockPaperScissors(), 1)
    pair.play_out()
    assert pair.verify().remarks == ()
    key = pair.configs[0].identity
    same = Pair(RockPaperScissors(), 1, identity=key)
    same.play_out()
    verdict = same.verify()
    assert verdict.ok
    assert [one.code for one in verdict.remarks] == ["one_identity"]


def test_nothing_is_lost_when_the_longer_log_comes_from_the_other() -> None:
    pair = Pair(RockPaperScissors(), 2)
    pair.play_out(3)
    whole = pair.guest.records
    for until in range(4, len(whole)):
        short, long = together(pair.host.records[:until], whole, game=pair.game)
        assert (short.ok, short.result, short.messages) == (long.ok, long.result, long.messages)
        assert (long.ok, long.confirmed, long.result) == (True, True, pair.host.result)


def test_another_message_under_a_number_that_the_other_has_counted_does_not_turn_his_move_against_him() -> None:
    pair = Pair(RockPaperScissors(), 2)
    pair.host.side.offer_draw()
    pair.settle()
    before = len(pair.guest.records)
    accepts = Cheat(pair, 1).side(SideType.ACCEPT, 1)
    pair.guest.side.decline_draw()
    pair.settle()
    pair.act(0, 1)
    true = pair.guest.records
    forged = [*true[:before], Record(Kind.SIDE, accepts), *true[before + 1 :]]
    verdict = verify(forged, only(pair.game))
    assert [(one.code, one.seat) for one in verdict.problems] == [("forked", None)]
    assert verdict.confirmed is False
    for one in together(forged, pair.host.records, game=pair.game):
        assert {problem.seat for problem in one.problems} <= {1, None}
        assert one.result == {"winner": "0", "reason": "forfeit"}
