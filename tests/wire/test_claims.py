"""Claims on time and on absence: a flag ends nothing by itself, and a claim that is too early convicts."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from helpers_times import BLITZ, course, lefts, round_of, stamped, think, timed
from helpers_wire import Cheat, Pair

from protocol.core.clock import ABSENT_SECONDS
from protocol.core.events import (
    ClaimDenied,
    Claimed,
    ClaimLapsed,
    Disagreement,
    DrawAccepted,
    MatchOver,
    PeerMisbehaved,
)
from protocol.core.match_status import Fate
from protocol.core.messages import Ground, SideType
from protocol.core.stages import Stage
from protocol.core.steps import Choice
from protocol.errors import LocalProtocolError, WireError

# --- flags ----------------------------------------------------------------------------------------------------


def test_a_flag_that_falls_ends_nothing_by_itself() -> None:
    pair = timed()
    round_of(pair, 1000, 1000)
    round_of(pair)
    assert not pair.host.over
    assert not any(pair.saw(seat, MatchOver) for seat in (0, 1))
    assert course(pair).status.claims.all == []


def test_a_flag_by_ones_own_word_is_claimed_proved_and_signed_by_both() -> None:
    pair = timed()
    think(pair, 0, 61)
    assert pair.guest.side_channel.claimable(pair.now) is Ground.TIME
    pair.guest.side_channel.claim(now=pair.now)
    pair.settle()
    assert pair.last(0, Claimed).proved
    for seat, session in enumerate(pair.sessions):
        assert session.result == {"winner": "1", "reason": "time"}
        assert session.closed
        judged = pair.verify(seat)
        assert (judged.ok, judged.result, judged.signed) == (True, session.result, (0, 1))
    assert [one.fate for one in course(pair).status.claims.all] == [Fate.PROVED]


def test_a_proved_claim_that_the_other_never_signs_is_a_result_and_unconfirmed() -> None:
    pair = timed()
    think(pair, 0, 61)
    pair.guest.side_channel.claim(now=pair.now)
    pair.transfer(1, lambda frame: None)
    judged = pair.verify(1)
    assert (judged.ok, judged.result, judged.signed) == (True, {"winner": "1", "reason": "time"}, ())
    assert (judged.confirmed, judged.owes) == (False, 0)


def test_a_flag_is_gone_once_the_other_has_played_on() -> None:
    pair = timed()
    round_of(pair, 61, 1)
    assert pair.guest.side_channel.claimable(pair.now) is None
    claimed, _ = lefts(pair)
    assert claimed[0] == 5


def test_a_running_clock_may_be_claimed_when_it_is_out_by_our_reading_and_the_other_concedes() -> None:
    pair = timed()
    pair.now += 60
    assert pair.guest.side_channel.claimable(pair.now) is None
    with pytest.raises(LocalProtocolError):
        pair.guest.side_channel.claim(now=pair.now)
    pair.now += 1
    pair.guest.side_channel.claim(now=pair.now)
    pair.settle()
    claim = pair.host.side_channel.claim_against_us
    assert claim is not None
    assert (claim.ground, claim.reading, claim.fate) == (Ground.TIME, (61, 0), Fate.OPEN)
    assert not pair.host.over
    assert pair.verify().owes == 0
    pair.host.side_channel.concede(now=pair.now)
    pair.settle()
    for seat, session in enumerate(pair.sessions):
        assert session.result == {"winner": "1", "reason": "time"}
        assert session.audited
        assert pair.verify(seat).signed == (0, 1)
    assert [one.fate for one in course(pair).status.claims.all] == [Fate.CONCEDED]


def test_a_claim_can_be_denied_or_played_on_against() -> None:
    for deny in (True, False):
        pair = timed()
        pair.now += 61
        pair.guest.side_channel.claim(now=pair.now)
        pair.settle()
        with pytest.raises(LocalProtocolError):
            pair.guest.side_channel.resign()
        if deny:
            pair.host.side_channel.deny(now=pair.now)
            pair.settle()
            assert pair.last(1, ClaimDenied).seat == 0
        else:
            think(pair, 0, 0)
            assert pair.last(1, ClaimLapsed).seat == 1
        assert pair.guest.transcript.stages[1] is Stage.PLAYING
        wanted = Fate.DENIED if deny else Fate.LAPSED
        assert [one.fate for one in course(pair).status.claims.all] == [wanted]
        for seat in (0, 1):
            assert pair.restored(seat).transcript.length == pair.host.transcript.length


def test_who_claims_a_little_less_than_he_took_is_not_convicted_and_the_log_shows_both_words() -> None:
    pair = timed()
    pair.now += 100
    pair.guest.side_channel.claim(now=pair.now)
    pair.settle()
    cheat = Cheat(pair, 0)
    cheat.send_and_hold(stamped(cheat, (59, 0, 0, 0)))
    assert not pair.guest.over
    think(pair, 1, 0)
    found = course(pair)
    assert [(one.reading, one.fate) for one in found.status.claims.all] == [((100, 0), Fate.LAPSED)]
    assert found.times is not None
    assert [(one.claimed, one.read) for one in found.times.differences] == [(59, 100)]


def test_a_claim_on_absence_needs_the_silence_of_the_terms() -> None:
    pair = timed(None)
    pair.now += ABSENT_SECONDS - 1
    assert pair.guest.side_channel.claimable(pair.now) is None
    pair.now += 1
    assert pair.guest.side_channel.claimable(pair.now) is Ground.ABSENCE
    pair.guest.side_channel.claim(now=pair.now)
    pair.settle()
    found = course(pair, 1)
    assert pair.verify(1).owes == 0
    assert (found.status.claims.all[0].ground, found.status.claims.all[0].fate) == (Ground.ABSENCE, Fate.OPEN)
    assert pair.verify(1).result is None
    pair.host.side_channel.concede(now=pair.now)
    pair.settle()
    assert pair.host.result == {"winner": "1", "reason": "absence"}


def test_with_a_stock_of_time_only_a_lost_line_is_absence() -> None:
    pair = timed(replace(BLITZ, base=1000))
    pair.now += 500
    assert pair.guest.side_channel.claimable(pair.now) is None
    pair.guest.part(pair.now)
    pair.now += 120
    assert pair.guest.side_channel.claimable(pair.now) is Ground.ABSENCE


# --- cheating with claims ---------------------------------------------------------------------------------------


def assert_early(pair: Pair, cheat: int) -> None:
    event = pair.last(1 - cheat, PeerMisbehaved)
    assert (event.code, event.seat) == ("early_claim", cheat)
    judged = pair.verify(1 - cheat)
    assert [(one.code, one.seat) for one in judged.problems] == [("early_claim", cheat)]
    assert pair.restored(1 - cheat).stopped == event


@pytest.mark.parametrize("body", [(1, 0, 0), (1, 60, 0), (1, 60, 30), (2, 119, 0), (2, 500, 119), (2, 0, 0)], ids=str)
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
    cheat.session.transcript.accept(claim, 1)
    pair.sessions[0].data_to_send()
    cheat.send(cheat.envelope(Choice(1), state=cheat.state_after(Choice(1))))
    assert pair.last(0, PeerMisbehaved).code == "not_now"


def test_a_claim_that_is_invented_ends_nothing_and_the_claimant_cannot_sign_it_alone() -> None:
    pair = timed()
    cheat = Cheat(pair, 1)
    cheat.send_and_hold(cheat.side(SideType.CLAIM, (1, 10**6, 0)))
    assert not pair.host.over
    cheat.session.stopped = None
    frame = cheat.session._signer.result(replace(pair.host.transcript.signable(0), seat=1))
    cheat.send(frame)
    # A signature under a result that only he wants: the programs disagree, and nobody has lost.
    assert pair.saw(0, Disagreement)
    judged = pair.verify(0)
    assert judged.result is None
    assert [(one.code, one.seat) for one in judged.problems] == [("not_now", None)]


def test_a_denial_of_what_was_never_claimed_convicts() -> None:
    pair = timed()
    cheat = Cheat(pair, 1)
    cheat.send(cheat.side(SideType.DENY, 1))
    assert pair.last(0, PeerMisbehaved).code == "no_such_offer"


def test_a_claim_that_crosses_the_envelope_it_waited_for_has_no_effect() -> None:
    pair = timed()
    pair.now += 61
    pair.guest.side_channel.claim(now=pair.now)
    pair.host.act(1, now=pair.now)
    pair.settle()
    assert [one.fate for one in course(pair).status.claims.all] == [Fate.LAPSED]
    assert pair.saw(0, ClaimLapsed)
    assert pair.saw(1, ClaimLapsed)
    assert pair.guest.asks_us is not None


def test_a_resignation_and_a_draw_that_cross_a_claim_give_both_the_same_result() -> None:
    for resign in (True, False):
        pair = timed()
        pair.guest.side_channel.offer_draw()
        pair.settle()
        pair.now += 61
        pair.guest.side_channel.claim(now=pair.now)
        pair.host.side_channel.resign() if resign else pair.host.side_channel.accept_draw()
        pair.settle()
        wanted = {"winner": "1", "reason": "forfeit"} if resign else {"winner": "draw", "reason": "agreement"}
        for seat, session in enumerate(pair.sessions):
            assert session.result == wanted
            assert session.closed
            judged = pair.verify(seat)
            assert (judged.ok, judged.result, judged.signed) == (True, wanted, (0, 1))
        assert pair.saw(1, DrawAccepted) != resign


@pytest.mark.parametrize("body", [None, 1, (3, 0, 0), (1, -1, 0), (1, 0), (1, 0, 0, 0)])
def test_a_claim_in_another_form_cannot_be_signed(body: Any) -> None:
    cheat = Cheat(timed(), 0)
    with pytest.raises(WireError):
        cheat.side(SideType.CLAIM, body)
