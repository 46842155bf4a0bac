"""Changed programs at the end of a match: draws, resignations, results, seeds and verdicts.

The honest side is never accused, and keeps what the chain says.
"""

from __future__ import annotations

import pytest
from helpers_toy_cheats import assert_disputed, assert_named, rps
from helpers_wire import NONCE, Cheat, Pair, only, records_with

from protocol.core.audit import verify
from protocol.core.events import Disagreement, MatchOver
from protocol.core.frames import FrameKind
from protocol.core.messages import AuditVerdict, OpenedSeed, SideType, SignedOutcome
from protocol.core.steps import Seal
from protocol.core.transcript import Transcript


def test_a_lie_about_what_one_has_seen() -> None:
    pair = rps()
    pair.act(0, 0)
    cheat = Cheat(pair, 0)
    cheat.send(cheat.side(SideType.OFFER, seq=0))
    assert_named(pair, 0, "backdated")


def test_a_side_envelope_on_a_head_that_never_was() -> None:
    pair = rps()
    cheat = Cheat(pair, 0)
    cheat.send(cheat.side(SideType.RESIGN, prev=bytes(32)))
    assert_disputed(pair, 0, "forked")


def test_accepting_what_was_never_offered() -> None:
    pair = rps()
    for number in (1, 7):
        pair = rps()
        cheat = Cheat(pair, 0)
        pair.guest.side_channel.chat("hello")
        pair.settle()
        cheat.send(cheat.side(SideType.ACCEPT, number))
        assert_named(pair, 0, "no_such_offer")


def test_a_move_after_resigning() -> None:
    pair = rps()
    cheat = Cheat(pair, 0)
    seal = cheat.envelope(Seal(bytes(32), NONCE))
    cheat.send(cheat.side(SideType.RESIGN))
    cheat.send(seal)
    assert_named(pair, 0, "backdated")


def test_a_move_after_resigning_that_counts_the_resignation() -> None:
    pair = rps()
    cheat = Cheat(pair, 0)
    cheat.transcript.accept(frame := cheat.side(SideType.RESIGN))
    cheat.send(frame)
    cheat.send(cheat.envelope(Seal(bytes(32), NONCE)))
    assert_named(pair, 0, "not_now")


@pytest.mark.parametrize(("own", "code"), [(0, "backdated"), (1, "false_result")])
def test_denying_ones_resignation_by_another_result(own: int, code: str) -> None:
    pair = rps()
    pair.host.side_channel.resign()
    cheat = Cheat(pair, 0)
    pair.transfer(0)
    result = SignedOutcome(*cheat.header(0, (own, 0)).fields, (("winner", "0"),))
    cheat.send(cheat.sign(FrameKind.RESULT, result))
    assert_named(pair, 0, code)


def test_claiming_a_result_while_the_match_goes_on() -> None:
    pair = rps()
    cheat = Cheat(pair, 0)
    result = SignedOutcome(*cheat.header(0, (0, 0)).fields, (("winner", "0"),))
    cheat.send(cheat.sign(FrameKind.RESULT, result))
    assert_named(pair, 0, "false_result")


def test_a_result_on_grounds_that_nobody_has_seen() -> None:
    pair = rps()
    cheat = Cheat(pair, 0)
    grounds = ((1, bytes(32)),)
    result = SignedOutcome(*cheat.header(0, (0, 0)).fields, (("winner", "0"),), grounds)
    cheat.send(cheat.sign(FrameKind.RESULT, result))
    assert_named(pair, 0, "false_result")


def test_signing_before_the_other_what_one_has_resigned() -> None:
    pair = rps()
    cheat = Cheat(pair, 0)
    cheat.go_quiet()
    pair.host.side_channel.resign()
    frame = cheat.sign(FrameKind.RESULT, cheat.transcript.signable(cheat.seat))
    pair.guest._continue = lambda: None  # type: ignore[method-assign]
    pair.transfer(0)
    cheat.send(frame)
    assert pair.last(1, Disagreement).code == "not_now"
    assert pair.guest.result == {"winner": "1", "reason": "forfeit"}


def test_opening_ones_seed_in_the_middle_of_the_match() -> None:
    pair = rps()
    cheat = Cheat(pair, 0)
    cheat.send(cheat.sign(FrameKind.SEED, OpenedSeed(*cheat.header().fields, cheat.secrets.seed)))
    assert_disputed(pair, 0, "not_now")


def ended() -> tuple[Pair, Cheat]:
    """Return a match that both have signed; the cheat, seat 0, has not opened his seed."""
    pair = rps(1)
    pair.act(0, 0)
    pair.guest.side_channel.resign()
    pair.transfer(1)
    frames = pair.host.data_to_send()
    pair.guest.receive_data(frames[0])
    pair.collect()
    return pair, Cheat(pair, 0)


def test_opening_another_seed() -> None:
    pair, cheat = ended()
    cheat.send(cheat.sign(FrameKind.SEED, OpenedSeed(*cheat.header().fields, bytes(32))))
    assert_named(pair, 0, "wrong_seed")


def test_refusing_the_audit_leaves_a_result_that_says_so() -> None:
    pair, _ = ended()
    assert pair.saw(1, MatchOver)
    verdict = pair.verify(1)
    assert verdict.ok
    assert not verdict.audited
    assert verdict.signed == (0, 1)
    assert verdict.result == {"winner": "0", "reason": "forfeit"}


def test_refusing_to_sign_the_result_leaves_the_chain() -> None:
    pair = rps(1)
    pair.act(0, 0)
    pair.guest.act(1)
    pair.transfer(1, lambda frame: None)
    pair.guest.receive_data(pair.guest.records[-1].frame)
    verdict = pair.verify(1)
    assert verdict.ok
    assert verdict.result is None


def test_a_verdict_that_invents_a_problem_says_something_of_its_author_only() -> None:
    pair = rps(1)
    pair.play_out(1)
    transcript = Transcript(pair.host.agreement, pair.game)
    records = [record for record in pair.host.records[4:] if record.kind != FrameKind.VERDICT]
    for record in records:
        transcript.accept(record.frame)
    cheat = Cheat(pair, 0)
    invented = AuditVerdict(*cheat.header().fields, (("illegal_decision", 1, 1),))
    frame = cheat.sign(FrameKind.VERDICT, invented)
    judged = verify(records_with([*pair.host.records[:4], *records], frame), only(pair.game))
    assert (judged.ok, judged.confirmed, judged.problems) == (True, True, ())
    assert [(one.code, one.seat) for one in judged.remarks] == [("false_verdict", 0)]


@pytest.mark.parametrize("kind", [SideType.RESIGN, SideType.OFFER, 14])
def test_nothing_that_comes_behind_both_verdicts_changes_a_match(kind: SideType) -> None:
    pair = rps(1)
    pair.play_out(1)
    honest, cheat = pair.host, Cheat(pair, 1)
    assert honest.closed
    before, result = honest.records, honest.result
    cheat.send(cheat.side(kind, b"" if kind == 14 else None))
    assert (honest.stopped, honest.records, honest.result) == (None, before, result)
    assert pair.verify(0).ok
