"""What one player leaves out of a log or signs anew, case by case, and what both logs prove together."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest
from helpers_judging import agreed, judged, log_of, together
from helpers_times import BLITZ, think, timed
from helpers_wire import Cheat, Pair, on_a_line, only
from toys import Bets, RockPaperScissors, Rounds

from protocol.core.audit import verify
from protocol.core.frames import FrameKind, Log, Record
from protocol.core.merging import verify_together
from protocol.core.messages import SideType
from protocol.core.session import Session
from protocol.crypto.keys import verify_digest
from protocol.errors import ProtocolError
from protocol.game import Answer, Choose, Chosen, Request


def restored(pair: Pair, seat: int, until: int) -> Session:
    config = pair.configs[seat]
    return on_a_line(Session(pair.sessions[seat].records[:until], pair.game, config.identity, config.entropy).restore())


def lost_after_an_offer() -> tuple[Pair, int]:
    """Return a match that seat 1 has lost although he was once offered a draw, and where that was."""
    pair = Pair(RockPaperScissors(), 1)
    pair.host.side_channel.offer_draw()
    pair.settle()
    offered = len(pair.guest.records)
    pair.act(0, 1)
    pair.act(1, 0)
    assert pair.guest.result == {"winner": "0", "reason": "rounds"}
    return pair, offered


def test_a_draw_that_was_offered_once_is_not_accepted_after_the_match_is_lost() -> None:
    pair, offered = lost_after_an_offer()
    forger = restored(pair, 1, offered)
    forger.side_channel.accept_draw()
    alone = verify(forger.records, only(pair.game))
    assert (alone.ok, alone.result) == (True, {"winner": "draw", "reason": "agreement"})
    assert (alone.confirmed, alone.signed, alone.owes) == (False, (), 0)
    logs = [Log(pair.host.records), Log(forger.records)]
    for order in (logs, logs[::-1]):
        for verdict in verify_together(order, only(pair.game)):
            assert verdict.ok
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
    forger.side_channel.claim(now=pair.now)
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
    pair.host.side_channel.resign()
    pair.guest.act(0)
    pair.settle()
    for verdict in (pair.verify(0), pair.verify(1)):
        assert (verdict.result, verdict.confirmed) == ({"winner": "0", "reason": "rounds"}, True)
    resignation = next(record for record in pair.guest.records if record.kind == FrameKind.SIDE)
    hidden = [*before, resignation]
    alone = verify(hidden, only(pair.game))
    assert alone.result == {"winner": "1", "reason": "forfeit"}
    assert (alone.confirmed, alone.owes) == (False, 1)
    for verdict in together(hidden, pair.host.records, game=pair.game):
        assert verdict.result == {"winner": "0", "reason": "rounds"}


def test_a_resignation_in_the_own_turn_needs_no_other_signature() -> None:
    pair = Pair(RockPaperScissors(), 1)
    pair.host.side_channel.resign()
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
    pair.host.side_channel.resign()
    pair.guest.act(0)
    pair.settle()
    assert pair.host.result == {"winner": "0", "reason": "rounds"}
    forger.act(2)
    resignation = next(record for record in pair.guest.records if record.kind == FrameKind.SIDE)
    forged = [*forger.records[:before], resignation, *forger.records[before:]]
    alone = judged(pair, 1, forged)
    assert (alone["ok"], alone["result"]) == (True, {"winner": "1", "reason": "forfeit"})
    assert (alone["confirmed"], alone["owes"]) == (False, "1")
    for facts in agreed([log_of(pair, 0), log_of(pair, 1, forged)], only(pair.game)):
        assert facts["result"] == {"winner": "0", "reason": "forfeit"}


def test_a_resignation_counts_once_its_author_has_seen_the_move_that_crossed_it() -> None:
    pair = Pair(Passes(), 1)
    pair.host.side_channel.resign()
    pair.guest.act(2)
    pair.settle()
    result = {"winner": "1", "reason": "forfeit"}
    for facts in (judged(pair, 0), judged(pair, 1)):
        assert (facts["result"], facts["confirmed"], facts["owes"]) == (result, True, None)


@pytest.mark.parametrize("seat", [0, 1])
def test_both_logs_of_a_resignation_prove_together_what_each_proves(seat: int) -> None:
    """Who has resigned signs the result after the other, whoever's result comes first by its bytes."""
    pair = Pair(Bets(), 1)
    pair.sessions[seat].side_channel.resign()
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


def test_to_judge_logs_together_costs_each_signature_once_more(monkeypatch: pytest.MonkeyPatch) -> None:
    pair = Pair(RockPaperScissors(), 1)
    pair.host.side_channel.resign()
    pair.settle()
    checks = Counter[bytes]()

    def count(public: bytes, digest: bytes, signature: bytes) -> None:
        checks[signature] += 1
        verify_digest(public, digest, signature)

    monkeypatch.setattr("protocol.core.testimony.verify_digest", count)
    verdicts = verify_together([Log(pair.host.records), Log(pair.guest.records)], only(pair.game))
    assert all(verdict.confirmed for verdict in verdicts)
    # Once for each log and once for both.
    assert max(checks.values()) == 3


def test_a_draw_needs_the_result_of_both() -> None:
    pair = Pair(RockPaperScissors(), 2)
    pair.host.side_channel.offer_draw()
    pair.settle()
    pair.guest.side_channel.accept_draw()
    verdict = verify(pair.guest.records, only(pair.game))
    assert (verdict.result, verdict.confirmed) == ({"winner": "draw", "reason": "agreement"}, False)
    assert verdict.owes == 0
    pair.settle()
    assert pair.verify().confirmed


def test_whoever_has_seen_the_acceptance_of_his_offer_may_not_move_any_more() -> None:
    pair = Pair(RockPaperScissors(), 2)
    pair.host.side_channel.offer_draw()
    pair.settle()
    cheat = Cheat(pair, 0)
    cheat.session._continue = lambda: None  # type: ignore[method-assign]
    pair.guest.side_channel.accept_draw()
    pair.transfer(1)
    builder = cheat.builder()
    builder.decide(1, None)
    cheat.send(cheat.envelope(*builder.steps, sides=(1, 1)))
    event = pair.guest.stopped
    assert event is not None
    assert (event.code, event.seat) == ("not_now", 0)  # type: ignore[union-attr]


def test_a_move_that_crossed_the_acceptance_undoes_it_and_the_log_shows_the_crossing() -> None:
    pair = Pair(RockPaperScissors(), 2)
    pair.host.side_channel.offer_draw()
    pair.settle()
    pair.guest.side_channel.accept_draw()
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
    pair.host.side_channel.offer_draw()
    pair.settle()
    before = len(pair.guest.records)
    accepts = Cheat(pair, 1).side(SideType.ACCEPT, 1)
    pair.guest.side_channel.decline_draw()
    pair.settle()
    pair.act(0, 1)
    true = pair.guest.records
    forged = [*true[:before], Record(FrameKind.SIDE, accepts), *true[before + 1 :]]
    verdict = verify(forged, only(pair.game))
    assert [(one.code, one.seat) for one in verdict.problems] == [("forked", None)]
    assert verdict.confirmed is False
    for one in together(forged, pair.host.records, game=pair.game):
        assert {problem.seat for problem in one.problems} <= {1, None}
        assert one.result == {"winner": "0", "reason": "forfeit"}
