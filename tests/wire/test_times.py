"""Clocks, breaks and claims in the signed record: honest players, changed programs, and what a stranger reads."""

from __future__ import annotations

import random
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from typing import Any

import pytest
from helpers_wire import Cheat, Pair, configs, envelope_of, flipped, shake
from hypothesis import given
from hypothesis import strategies as st
from toys import RockPaperScissors

from protocol.audit import Course, verify
from protocol.claims import Fate
from protocol.clock import ABSENT_SECONDS, ClockKind, ClockTerms
from protocol.conditions import Conditions, WitnessTerms
from protocol.errors import LocalProtocolError, WireError
from protocol.events import (
    BreakAgreed,
    BreakLapsed,
    BreakProposed,
    BreakRejected,
    ClaimDenied,
    Claimed,
    ClaimLapsed,
    Disagreement,
    DrawAccepted,
    DrawLapsed,
    GoneOn,
    MatchOver,
    PeerMisbehaved,
    TimesDiffer,
)
from protocol.handshake import HandshakeFailed
from protocol.messages import Break, Ground, SideType
from protocol.session import Session
from protocol.stages import Stage
from protocol.steps import Choice, Seal

BLITZ = ClockTerms(ClockKind.BASE, 60, 5, 2, 30, 120)
DAYS = ClockTerms(ClockKind.TURN, 1000, 0, 5, 0, 5000)
START = 1_000_000.0


def timed(terms: ClockTerms | None = BLITZ, rounds: int = 3) -> Pair:
    """Return a match of which seat 0 seals first, then seat 1 answers."""
    return Pair(RockPaperScissors(), rounds, now=START, conditions=Conditions(terms))


def think(pair: Pair, seat: int, seconds: float, said: int = 1) -> None:
    """Let a seat decide after some time."""
    pair.now += seconds
    pair.act(seat, said)


def round_of(pair: Pair, first: float = 1.0, second: float = 1.0) -> None:
    think(pair, 0, first, 1)
    think(pair, 1, second, 1)


def course(pair: Pair, seat: int = 0) -> Course:
    """Return what a stranger reads in the log of a seat, in which nothing is wrong."""
    verdict = pair.verify(seat)
    assert verdict.problems == ()
    assert verdict.ok
    assert verdict.course is not None
    return verdict.course


def lefts(pair: Pair) -> tuple[list[int], list[int]]:
    """Return what both have left by their own word and by the other's reading, the same for both and a stranger."""
    found = []
    for session in pair.sessions:
        assert session._transcript.times is not None
        found.append(session._transcript.times)
    times = course(pair).times
    assert times is not None
    assert found[0].claimed == found[1].claimed == times.claimed
    assert found[0].read == found[1].read == times.read
    return [one.left for one in times.claimed], [one.left for one in times.read]


# --- the terms ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("clock", [None, BLITZ, DAYS])
def test_both_hold_the_conditions_that_the_host_has_offered(clock: ClockTerms | None) -> None:
    pair = timed(clock)
    for session in pair.sessions:
        assert session.agreement.conditions == Conditions(clock)


def test_other_conditions_than_expected_are_refused() -> None:
    host, guest = configs(RockPaperScissors(), 2, conditions=Conditions(BLITZ))
    *_, events = shake(host, replace(guest, conditions=Conditions(DAYS)))
    assert any(isinstance(event, HandshakeFailed) and event.code == "terms" for event in events)


def test_a_witness_with_a_weak_key_is_refused() -> None:
    weak = Conditions(witness=WitnessTerms(bytes([1, *bytes(31)]), "127.0.0.1:1"))
    *_, events = shake(*configs(RockPaperScissors(), 2, conditions=weak))
    assert any(isinstance(event, HandshakeFailed) and event.code == "bad_key" for event in events)


@pytest.mark.parametrize("value", [(None, None), (None,), 7, (None, (bytes(32),)), (None, (bytes(31), "a"))])
def test_what_are_no_conditions_are_refused(value: object) -> None:
    with pytest.raises(WireError):
        Conditions.of(value)


# --- honest times ---------------------------------------------------------------------------------------------


def test_a_match_without_a_clock_says_nothing_of_time() -> None:
    pair = timed(None)
    round_of(pair, 100, 200)
    assert all(envelope_of(frame).stamp is None for _, frame in pair.wire)
    assert course(pair).times is None
    assert pair.host.face(pair.now) is None


def test_each_envelope_says_how_long_its_author_took_and_how_long_he_has_waited() -> None:
    pair = timed()
    think(pair, 0, 7.9)
    think(pair, 1, 12)
    stamps = [envelope_of(frame).stamp for _, frame in pair.wire]
    assert stamps == [(7, 0, 0, 0), (12, 0, 7, 0), (0, 0, 12, 0)]
    assert lefts(pair) == ([60 - 7 + 5, 60 - 12 + 5], [60 - 7 + 5, 60 - 12 + 5])


class Idle(RockPaperScissors):
    """One whose throws are made by programs."""

    idle = frozenset({"throw"})


def test_what_programs_answer_by_themselves_earns_no_time() -> None:
    pair = Pair(Idle(), 3, now=START, conditions=Conditions(BLITZ))
    round_of(pair, 0, 0)
    assert lefts(pair) == ([60, 60], [60, 60])


def test_less_than_a_second_is_free_so_that_what_programs_answer_tells_nothing() -> None:
    pair = timed()
    for _ in range(2):
        think(pair, 0, 0.25)
        think(pair, 1, 0.99)
    assert {envelope_of(frame).stamp for _, frame in pair.wire} == {(0, 0, 0, 0)}


def test_the_clock_shows_our_own_word_and_our_reading_of_the_other() -> None:
    pair = timed()
    pair.now += 20
    for session in pair.sessions:
        face = session.face(pair.now)
        assert face is not None
        assert (face.left, face.running) == ((40, 60), 0)
    round_of(pair, 0, 30)
    face = pair.guest.face(pair.now)
    assert face is not None
    assert face.left == (45, 35)


def test_a_clock_that_jumps_back_takes_nothing_and_brings_nothing() -> None:
    pair = timed()
    pair.now += 10
    pair.host.face(pair.now)
    pair.now -= 5000
    think(pair, 0, 1)
    assert envelope_of(pair.wire[0][1]).stamp == (10, 0, 0, 0)


def test_a_decision_counts_when_it_is_made_even_while_the_line_is_down() -> None:
    pair = timed()
    pair.now += 5
    for session in pair.sessions:
        session.part(pair.now)
    pair.now += 20
    pair.host.act(1, now=pair.now)
    pair.now += 100
    rejoin(pair)
    assert envelope_of(pair.host.records[4].frame).stamp == (5, 20, 0, 0)
    # The guest has seen less of it: the line was down for him, too.
    think(pair, 1, 1)
    assert envelope_of(pair.guest.records[5].frame).stamp == (1, 0, 5, 120)
    assert course(pair).times is not None
    assert pair.saw(0, TimesDiffer)
    assert pair.saw(1, TimesDiffer)


def rejoin(pair: Pair) -> None:
    for seat, session in enumerate(pair.sessions):
        session.resume(bytes([seat + 1]) * 32)
    pair.settle()


def test_a_lost_line_is_forgiven_up_to_what_the_terms_say_and_then_counts() -> None:
    pair = timed()
    for session in pair.sessions:
        session.part(pair.now)
    pair.now += 50
    rejoin(pair)
    think(pair, 0, 0)
    claimed, _ = lefts(pair)
    assert claimed[0] == 60 - (50 - 30) + 5


def test_after_a_restart_the_clock_goes_on_and_the_gap_is_a_lost_line() -> None:
    pair = timed()
    pair.now += 10
    memory = pair.host.remember(pair.now)
    pair.now += 20
    again = pair.restored(0)
    again.recall(memory, pair.now)
    face = again.face(pair.now)
    assert face is not None
    # Ten seconds of thought; twenty without a line, which these terms forgive.
    assert face.left[0] == 50
    pair.replace(0, again)
    rejoin(pair)
    think(pair, 0, 3)
    assert envelope_of(again.records[4].frame).stamp == (13, 20, 0, 0)


def test_who_was_not_there_has_not_seen_the_other_take_his_time() -> None:
    for terms, seen in ((BLITZ, 0), (DAYS, 500)):
        pair = timed(terms)
        memory = pair.guest.remember(pair.now)
        pair.now += 500
        again = pair.restored(1)
        again.recall(memory, pair.now)
        assert again._watches.reading() == (0, seen)


def test_a_clock_that_was_set_back_before_a_restart_is_noticed_and_costs_nothing() -> None:
    pair = timed()
    pair.now += 10
    memory = pair.host.remember(pair.now)
    again = pair.restored(0)
    assert again.recall(memory, pair.now - 5000) == -5000
    face = again.face(pair.now - 5000)
    assert face is not None
    assert face.left[0] == 50


@pytest.mark.parametrize("memory", [b"", b"nonsense", bytes(100), b"\x94\x00\x92\x00\x00\x92\x00\x00\xc0"])
def test_a_damaged_memory_costs_nothing_but_the_memory(memory: bytes) -> None:
    pair = timed()
    again = pair.restored(0)
    again.recall(memory, pair.now)
    face = again.face(pair.now)
    assert face is not None
    assert face.left == (60, 60)


# --- lies about time ------------------------------------------------------------------------------------------


def stamped(cheat: Cheat, stamp: tuple[int, int, int, int] | None) -> bytes:
    """Return the honest next envelope of a cheat with other times."""
    draft = cheat.draft()
    draft.force(draft.decide(1, None), None)
    return cheat.envelope(*draft.steps, stamp=stamp)


def test_a_claimed_time_that_differs_is_shown_to_both_and_accuses_nobody() -> None:
    pair = timed()
    pair.now += 40
    cheat = Cheat(pair, 0)
    cheat.send_and_hold(stamped(cheat, (1, 0, 0, 0)))
    pair.host._run_watches(pair.now)
    pair.host._watches.reset()
    think(pair, 1, 1)
    for seat in (0, 1):
        shown = pair.last(seat, TimesDiffer).difference
        assert (shown.seat, shown.claimed, shown.read) == (0, 1, 40)
        assert not pair.saw(seat, PeerMisbehaved)
    assert lefts(pair) == ([64, 64], [25, 64])
    times = course(pair).times
    assert times is not None
    assert len(times.differences) == 1


def test_a_difference_within_the_tolerance_is_not_worth_a_word() -> None:
    pair = timed()
    pair.now += 4
    cheat = Cheat(pair, 0)
    cheat.send_and_hold(stamped(cheat, (2, 0, 0, 0)))
    think(pair, 1, 1)
    assert not pair.saw(1, TimesDiffer)


@pytest.mark.parametrize(("terms", "stamp"), [(BLITZ, None), (None, (0, 0, 0, 0))])
def test_times_are_said_where_they_were_agreed_on_and_nowhere_else(
    terms: ClockTerms | None, stamp: tuple[int, int, int, int] | None
) -> None:
    pair = timed(terms)
    cheat = Cheat(pair, 0)
    cheat.send(stamped(cheat, stamp))
    event = pair.last(1, PeerMisbehaved)
    assert (event.code, event.seat) == ("wrong_clock", 0)
    judged = pair.verify(1)
    assert [(one.code, one.seat) for one in judged.problems] == [("wrong_clock", 0)]


# --- flags ----------------------------------------------------------------------------------------------------


def test_a_flag_that_falls_ends_nothing_by_itself() -> None:
    pair = timed()
    round_of(pair, 1000, 1000)
    round_of(pair)
    assert not pair.host.over
    assert not any(pair.saw(seat, MatchOver) for seat in (0, 1))
    assert course(pair).claims == ()


def test_a_flag_by_ones_own_word_is_claimed_proved_and_signed_by_both() -> None:
    pair = timed()
    think(pair, 0, 61)
    assert pair.guest.claimable(pair.now) is Ground.TIME
    pair.guest.claim(now=pair.now)
    pair.settle()
    assert pair.last(0, Claimed).proved
    for seat, session in enumerate(pair.sessions):
        assert session.result == {"winner": "1", "reason": "time"}
        assert session.closed
        judged = pair.verify(seat)
        assert (judged.ok, judged.result, judged.signed) == (True, session.result, (0, 1))
    assert [one.fate for one in course(pair).claims] == [Fate.PROVED]


def test_a_proved_claim_that_the_other_never_signs_holds_for_a_stranger() -> None:
    pair = timed()
    think(pair, 0, 61)
    pair.guest.claim(now=pair.now)
    pair.transfer(1, lambda frame: None)
    judged = pair.verify(1)
    assert (judged.ok, judged.result, judged.signed) == (True, {"winner": "1", "reason": "time"}, ())
    assert judged.course is not None
    assert judged.course.owes is None


def test_a_flag_is_gone_once_the_other_has_played_on() -> None:
    pair = timed()
    round_of(pair, 61, 1)
    assert pair.guest.claimable(pair.now) is None
    claimed, _ = lefts(pair)
    assert claimed[0] == 5


def test_a_running_clock_may_be_claimed_when_it_is_out_by_our_reading_and_the_other_concedes() -> None:
    pair = timed()
    pair.now += 60
    assert pair.guest.claimable(pair.now) is None
    with pytest.raises(LocalProtocolError):
        pair.guest.claim(now=pair.now)
    pair.now += 1
    pair.guest.claim(now=pair.now)
    pair.settle()
    claim = pair.host.claim_against_us
    assert claim is not None
    assert (claim.ground, claim.reading, claim.fate) == (Ground.TIME, (61, 0), Fate.OPEN)
    assert not pair.host.over
    assert course(pair).owes == 0
    pair.host.concede(now=pair.now)
    pair.settle()
    for seat, session in enumerate(pair.sessions):
        assert session.result == {"winner": "1", "reason": "time"}
        assert session.audited
        assert pair.verify(seat).signed == (0, 1)
    assert [one.fate for one in course(pair).claims] == [Fate.CONCEDED]


def test_a_claim_can_be_denied_or_played_on_against() -> None:
    for deny in (True, False):
        pair = timed()
        pair.now += 61
        pair.guest.claim(now=pair.now)
        pair.settle()
        with pytest.raises(LocalProtocolError):
            pair.guest.resign()
        if deny:
            pair.host.deny(now=pair.now)
            pair.settle()
            assert pair.last(1, ClaimDenied).seat == 0
        else:
            think(pair, 0, 0)
            assert pair.last(1, ClaimLapsed).seat == 1
        assert pair.guest.stage(1) is Stage.PLAYING
        wanted = Fate.DENIED if deny else Fate.LAPSED
        assert [one.fate for one in course(pair).claims] == [wanted]
        for seat in (0, 1):
            assert pair.restored(seat).seq == pair.host.seq


def test_who_claims_a_little_less_than_he_took_is_not_convicted_and_the_log_shows_both_words() -> None:
    pair = timed()
    pair.now += 100
    pair.guest.claim(now=pair.now)
    pair.settle()
    cheat = Cheat(pair, 0)
    cheat.send_and_hold(stamped(cheat, (59, 0, 0, 0)))
    assert not pair.guest.over
    think(pair, 1, 0)
    found = course(pair)
    assert [(one.reading, one.fate) for one in found.claims] == [((100, 0), Fate.LAPSED)]
    assert found.times is not None
    assert [(one.claimed, one.read) for one in found.times.differences] == [(59, 100)]


def test_a_claim_on_absence_needs_the_silence_of_the_terms() -> None:
    pair = timed(None)
    pair.now += ABSENT_SECONDS - 1
    assert pair.guest.claimable(pair.now) is None
    pair.now += 1
    assert pair.guest.claimable(pair.now) is Ground.ABSENCE
    pair.guest.claim(now=pair.now)
    pair.settle()
    found = course(pair, 1)
    assert (found.owes, found.claims[0].ground, found.claims[0].fate) == (0, Ground.ABSENCE, Fate.OPEN)
    assert pair.verify(1).result is None
    pair.host.concede(now=pair.now)
    pair.settle()
    assert pair.host.result == {"winner": "1", "reason": "absence"}


def test_with_a_stock_of_time_only_a_lost_line_is_absence() -> None:
    pair = timed(replace(BLITZ, base=1000))
    pair.now += 500
    assert pair.guest.claimable(pair.now) is None
    pair.guest.part(pair.now)
    pair.now += 120
    assert pair.guest.claimable(pair.now) is Ground.ABSENCE


# --- cheating with claims ---------------------------------------------------------------------------------------


def assert_early(pair: Pair, cheat: int) -> None:
    event = pair.last(1 - cheat, PeerMisbehaved)
    assert (event.code, event.seat) == ("early_claim", cheat)
    judged = pair.verify(1 - cheat)
    assert [(one.code, one.seat) for one in judged.problems] == [("early_claim", cheat)]
    assert pair.restored(1 - cheat).stopped == event


@pytest.mark.parametrize(
    "body", [(1, 0, 0), (1, 60, 0), (1, 60, 30), (2, 119, 0), (2, 500, 119), (2, 0, 0)], ids=str
)
def test_a_claim_that_is_too_early_by_its_own_words_convicts(body: tuple[int, int, int]) -> None:
    pair = timed()
    cheat = Cheat(pair, 1)
    cheat.send(cheat.side(SideType.CLAIM, body))
    assert_early(pair, 1)


def test_a_claim_in_the_own_turn_convicts() -> None:
    pair = timed()
    cheat = Cheat(pair, 0)
    cheat.send(cheat.side(SideType.CLAIM, (2, 0, 10**6)))
    assert_early(pair, 0)


def test_a_claim_on_time_without_a_clock_convicts() -> None:
    pair = timed(None)
    cheat = Cheat(pair, 1)
    cheat.send(cheat.side(SideType.CLAIM, (1, 10**6, 0)))
    assert_early(pair, 1)


def test_who_has_claimed_a_proved_flag_and_plays_on_is_convicted() -> None:
    pair = timed()
    think(pair, 0, 61)
    cheat = Cheat(pair, 1)
    claim = cheat.side(SideType.CLAIM, (1, 61, 0))
    cheat.send(claim)
    cheat.session._transcript.accept(claim, 1)
    pair.sessions[0].data_to_send()
    cheat.send(cheat.envelope(Choice(1), state=cheat.state_after(Choice(1))))
    assert pair.last(0, PeerMisbehaved).code == "not_now"


def test_a_claim_that_is_invented_ends_nothing_and_the_claimant_cannot_sign_it_alone() -> None:
    pair = timed()
    cheat = Cheat(pair, 1)
    cheat.send_and_hold(cheat.side(SideType.CLAIM, (1, 10**6, 0)))
    assert not pair.host.over
    cheat.session.stopped = None
    frame = cheat.session._pen.result(pair.host._transcript.signable(0))
    cheat.send(frame)
    # A signature under a result that only he wants: the programs disagree, and nobody has lost.
    assert pair.saw(0, Disagreement)
    judged = pair.verify(0)
    assert judged.result is None
    assert [(one.code, one.seat) for one in judged.problems] == [("not_now", None)]


def test_a_denial_of_what_was_never_claimed_is_disputed() -> None:
    pair = timed()
    cheat = Cheat(pair, 1)
    cheat.send(cheat.side(SideType.DENY, 1))
    assert pair.last(0, Disagreement).code == "no_such_offer"


def test_a_claim_that_crosses_the_envelope_it_waited_for_has_no_effect() -> None:
    pair = timed()
    pair.now += 61
    pair.guest.claim(now=pair.now)
    pair.host.act(1, now=pair.now)
    pair.settle()
    assert [one.fate for one in course(pair).claims] == [Fate.LAPSED]
    assert pair.saw(0, ClaimLapsed)
    assert pair.saw(1, ClaimLapsed)
    assert pair.guest.asks_us is not None


def test_a_resignation_and_a_draw_that_cross_a_claim_give_both_the_same_result() -> None:
    for resign in (True, False):
        pair = timed()
        pair.guest.offer_draw()
        pair.settle()
        pair.now += 61
        pair.guest.claim(now=pair.now)
        pair.host.resign() if resign else pair.host.accept_draw()
        pair.settle()
        wanted = {"winner": "1", "reason": "forfeit"} if resign else {"winner": "draw", "reason": "agreement"}
        for seat, session in enumerate(pair.sessions):
            assert session.result == wanted
            assert session.closed
            judged = pair.verify(seat)
            assert (judged.ok, judged.result, judged.signed) == (True, wanted, (0, 1))
        assert pair.saw(1, DrawAccepted) != resign


# --- breaks ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("what", Break)
def test_an_agreed_break_stops_both_clocks_until_somebody_goes_on(what: Break) -> None:
    pair = timed()
    pair.now += 10
    pair.guest.propose(what, now=pair.now)
    pair.settle()
    assert pair.last(0, BreakProposed).what is what
    assert pair.host.proposal is not None
    pair.now += 10
    pair.host.agree(now=pair.now)
    pair.settle()
    for seat, session in enumerate(pair.sessions):
        assert session.agreed_break is what
        assert pair.last(seat, BreakAgreed).what is what
        assert session.claimable(pair.now) is None
    found = course(pair)
    assert (found.agreed_break, found.owes) == (what, 0)
    pair.now += 100_000
    assert pair.guest.claimable(pair.now) is None
    pair.guest.go_on(now=pair.now)
    pair.settle()
    assert pair.last(0, GoneOn).seat == 1
    think(pair, 0, 5)
    assert envelope_of(pair.host.records[-1].frame).stamp == (25, 0, 0, 0)
    assert course(pair).agreed_break is None


def test_a_move_ends_a_break() -> None:
    pair = timed()
    pair.host.propose(Break.PAUSE, now=pair.now)
    pair.settle()
    pair.guest.agree(now=pair.now)
    pair.settle()
    think(pair, 0, 1000)
    assert envelope_of(pair.host.records[-1].frame).stamp == (0, 0, 0, 0)
    assert pair.host.agreed_break is None
    think(pair, 1, 3)
    assert envelope_of(pair.guest.records[-2].frame).stamp == (3, 0, 0, 0)


def test_a_proposal_can_be_rejected_withdrawn_and_lapse() -> None:
    pair = timed()
    pair.guest.propose(Break.PAUSE)
    pair.settle()
    pair.host.reject()
    pair.settle()
    assert pair.saw(1, BreakRejected)
    pair.guest.propose(Break.PAUSE)
    pair.guest.go_on()
    pair.settle()
    with pytest.raises(LocalProtocolError):
        pair.host.agree()
    pair.guest.propose(Break.PAUSE)
    pair.settle()
    think(pair, 0, 1)
    with pytest.raises(LocalProtocolError):
        pair.guest.go_on()
    with pytest.raises(LocalProtocolError):
        pair.host.agree()


def cross(pair: Pair) -> None:
    """Let what both have said last arrive at both, neither having seen the other's."""
    frames = [session.data_to_send() for session in pair.sessions]
    for seat, session in enumerate(pair.sessions):
        for frame in frames[1 - seat]:
            session.receive_data(frame, pair.now)
    pair.settle()


def test_a_proposal_that_crosses_a_withdrawal_is_open_on_both_sides() -> None:
    pair = timed()
    host, guest = pair.sessions
    host.propose(Break.PAUSE, now=pair.now)
    pair.settle()
    host.go_on(now=pair.now)
    guest.propose(Break.PAUSE, now=pair.now)
    cross(pair)
    assert guest.proposal is None
    host.agree(now=pair.now)
    pair.settle()
    assert host.agreed_break is guest.agreed_break is Break.PAUSE
    assert course(pair, 0).agreed_break is course(pair, 1).agreed_break is Break.PAUSE


def test_agreements_to_different_breaks_that_cross_make_the_longer_one() -> None:
    pair = timed()
    host, guest = pair.sessions
    host.propose(Break.PAUSE, now=pair.now)
    guest.propose(Break.ADJOURNMENT, now=pair.now)
    cross(pair)
    host.agree(now=pair.now)
    guest.agree(now=pair.now)
    cross(pair)
    assert host.agreed_break is guest.agreed_break is Break.ADJOURNMENT
    assert course(pair, 0).agreed_break is course(pair, 1).agreed_break is Break.ADJOURNMENT
    host.go_on(now=pair.now)
    pair.settle()
    assert host.agreed_break is guest.agreed_break is None


def test_a_stale_agreement_and_a_stale_acceptance_have_no_effect() -> None:
    pair = timed()
    think(pair, 0, 1)
    pair.guest.offer_draw()
    pair.guest.propose(Break.ADJOURNMENT)
    pair.settle()
    pair.guest.act(1, now=pair.now)
    # The host answers what he has seen; the move is under way.
    pair.host.agree()
    pair.host.accept_draw()
    pair.settle()
    for seat, session in enumerate(pair.sessions):
        assert pair.saw(seat, BreakLapsed) or seat == 0
        assert pair.saw(seat, DrawLapsed)
        assert session.agreed_break is None
        assert not session.over
        assert course(pair, seat).agreed_break is None


def test_an_agreement_to_what_was_never_proposed_is_disputed() -> None:
    pair = timed()
    cheat = Cheat(pair, 0)
    cheat.send(cheat.side(SideType.AGREE, 1))
    assert pair.last(1, Disagreement).code == "no_such_offer"


@pytest.mark.parametrize("body", [None, 0, 3, "a", (1, 1, 1)])
def test_a_proposal_of_something_else_cannot_be_signed(body: Any) -> None:
    cheat = Cheat(timed(), 0)
    with pytest.raises(WireError):
        cheat.side(SideType.PROPOSE, body)


@pytest.mark.parametrize("body", [None, 1, (3, 0, 0), (1, -1, 0), (1, 0), (1, 0, 0, 0)])
def test_a_claim_in_another_form_cannot_be_signed(body: Any) -> None:
    cheat = Cheat(timed(), 0)
    with pytest.raises(WireError):
        cheat.side(SideType.CLAIM, body)


# --- logs -------------------------------------------------------------------------------------------------------


def test_no_bit_of_a_timed_record_can_be_turned_unnoticed() -> None:
    pair = timed()
    pair.now += 61
    pair.guest.claim(now=pair.now)
    pair.settle()
    pair.host.deny(now=pair.now)
    pair.settle()
    round_of(pair)
    records = list(pair.host.records)
    for at in range(4, len(records)):
        for bit in range(0, 8 * len(records[at].frame), 97):
            changed = replace(records[at], frame=flipped(records[at].frame, bit))
            verdict = verify([*records[:at], changed, *records[at + 1 :]], [RockPaperScissors()])
            assert not verdict.ok


def test_a_session_comes_back_from_its_records_at_every_point() -> None:
    pair = timed()
    pair.guest.propose(Break.PAUSE, now=pair.now)
    pair.settle()
    pair.host.agree(now=pair.now)
    pair.settle()
    pair.host.go_on(now=pair.now)
    pair.settle()
    pair.now += 61
    pair.guest.claim(now=pair.now)
    pair.settle()
    pair.host.concede(now=pair.now)
    pair.settle()
    config = pair.configs[0]
    records = pair.host.records
    for end in range(4, len(records) + 1):
        again = Session.restore(records[:end], pair.game, config.identity, config.entropy)
        assert again.stopped is None
        assert again.records[:end] == records[:end]


def test_the_seal_of_a_timed_match_says_no_more_than_its_bytes() -> None:
    for said in range(3):
        pair = timed()
        think(pair, 0, 3, said)
        frame = pair.wire[0][1]
        assert len(frame) == len(timed_seal())
        assert isinstance(envelope_of(frame).steps[0], Seal)


def timed_seal() -> bytes:
    pair = timed()
    think(pair, 0, 3, 0)
    return pair.wire[0][1]


# --- whatever crosses -------------------------------------------------------------------------------------------


def _one(pair: Pair, chance: random.Random, waiting: tuple[list[bytes], list[bytes]]) -> None:
    """Let one of the two do something, or carry one frame."""
    seat = chance.randrange(2)
    session = pair.sessions[seat]
    if chance.random() < 0.4:
        waiting[seat].extend(session.data_to_send())
        if waiting[seat]:
            pair.sessions[1 - seat].receive_data(waiting[seat].pop(0), pair.now)
        return
    pair.now += chance.choice((0, 0.5, 3, 20, 70, 200))
    words: list[Callable[[], None]] = [
        lambda: session.act(chance.randrange(3), now=pair.now),
        lambda: session.act(chance.randrange(3), now=pair.now),
        lambda: session.act(chance.randrange(3), now=pair.now),
        lambda: session.propose(chance.choice(list(Break)), now=pair.now),
        lambda: session.agree(now=pair.now),
        lambda: session.reject(now=pair.now),
        lambda: session.go_on(now=pair.now),
        lambda: session.claim(now=pair.now),
        lambda: session.claim(now=pair.now),
        lambda: session.deny(now=pair.now),
        lambda: session.concede(now=pair.now) if chance.random() < 0.3 else None,
        lambda: session.resign(now=pair.now) if chance.random() < 0.1 else None,
        lambda: session.offer_draw(now=pair.now),
        lambda: session.accept_draw(now=pair.now) if chance.random() < 0.3 else None,
        lambda: session.decline_draw(now=pair.now),
    ]
    with suppress(LocalProtocolError):
        chance.choice(words)()


@given(st.integers(0, 2**32))
def test_whatever_two_honest_players_do_at_once_both_come_to_one_end_and_nobody_is_accused(seed: int) -> None:
    chance = random.Random(seed)
    pair = timed(chance.choice((BLITZ, DAYS, replace(BLITZ, absent=1, away=0))), 4)
    waiting: tuple[list[bytes], list[bytes]] = ([], [])
    for _ in range(120):
        _one(pair, chance, waiting)
    for _ in range(200):
        for seat in (0, 1):
            waiting[seat].extend(pair.sessions[seat].data_to_send())
            while waiting[seat]:
                pair.sessions[1 - seat].receive_data(waiting[seat].pop(0), pair.now)
    first, second = pair.sessions
    assert (first.stopped, second.stopped) == (None, None)
    assert first.result == second.result
    assert first.over == second.over
    verdicts = [pair.verify(seat) for seat in (0, 1)]
    for verdict in verdicts:
        assert verdict.problems == ()
        assert verdict.result == (first.result if first.over else None)
        assert verdict.course is not None
    one, two = (verdict.course for verdict in verdicts)
    assert one is not None
    assert two is not None
    assert (one.owes, one.agreed_break) == (two.owes, two.agreed_break)
    assert one.times is not None
    assert two.times is not None
    assert (one.times.claimed, one.times.read) == (two.times.claimed, two.times.read)
    assert {claim.digest: claim.fate for claim in one.claims} == {claim.digest: claim.fate for claim in two.claims}
    for seat in (0, 1):
        assert pair.restored(seat).stopped is None
