"""Breaks that both agree to: proposals, answers, what lapses, and what crosses on the way."""

from __future__ import annotations

from typing import Any

import pytest
from helpers_times import course, think, timed
from helpers_wire import Cheat, Pair, envelope_of

from protocol.core.events import (
    BreakAgreed,
    BreakLapsed,
    BreakProposed,
    BreakRejected,
    DrawLapsed,
    GoneOn,
    PeerMisbehaved,
)
from protocol.core.messages import Break, SideType
from protocol.errors import LocalProtocolError, WireError


@pytest.mark.parametrize("what", Break)
def test_an_agreed_break_stops_both_clocks_until_somebody_goes_on(what: Break) -> None:
    pair = timed()
    pair.now += 10
    pair.guest.side_channel.propose(what, now=pair.now)
    pair.settle()
    assert pair.last(0, BreakProposed).what is what
    assert pair.host.side_channel.proposal is not None
    pair.now += 10
    pair.host.side_channel.agree(now=pair.now)
    pair.settle()
    for seat, session in enumerate(pair.sessions):
        assert session.side_channel.agreed_break is what
        assert pair.last(seat, BreakAgreed).what is what
        assert session.side_channel.claimable(pair.now) is None
    found = course(pair)
    assert (found.status.breaks.agreed, pair.verify().owes) == (what, 0)
    pair.now += 100_000
    assert pair.guest.side_channel.claimable(pair.now) is None
    pair.guest.side_channel.go_on(now=pair.now)
    pair.settle()
    assert pair.last(0, GoneOn).seat == 1
    think(pair, 0, 5)
    assert envelope_of(pair.host.records[-1].frame).stamp == (25, 0, 0, 0)
    assert course(pair).status.breaks.agreed is None


def test_a_move_ends_a_break() -> None:
    pair = timed()
    pair.host.side_channel.propose(Break.PAUSE, now=pair.now)
    pair.settle()
    pair.guest.side_channel.agree(now=pair.now)
    pair.settle()
    think(pair, 0, 1000)
    assert envelope_of(pair.host.records[-1].frame).stamp == (0, 0, 0, 0)
    assert pair.host.side_channel.agreed_break is None
    think(pair, 1, 3)
    assert envelope_of(pair.guest.records[-2].frame).stamp == (3, 0, 0, 0)


def test_a_proposal_can_be_rejected_withdrawn_and_lapse() -> None:
    pair = timed()
    pair.guest.side_channel.propose(Break.PAUSE)
    pair.settle()
    pair.host.side_channel.reject()
    pair.settle()
    assert pair.saw(1, BreakRejected)
    pair.guest.side_channel.propose(Break.PAUSE)
    pair.guest.side_channel.go_on()
    pair.settle()
    with pytest.raises(LocalProtocolError):
        pair.host.side_channel.agree()
    pair.guest.side_channel.propose(Break.PAUSE)
    pair.settle()
    think(pair, 0, 1)
    with pytest.raises(LocalProtocolError):
        pair.guest.side_channel.go_on()
    with pytest.raises(LocalProtocolError):
        pair.host.side_channel.agree()


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
    host.side_channel.propose(Break.PAUSE, now=pair.now)
    pair.settle()
    host.side_channel.go_on(now=pair.now)
    guest.side_channel.propose(Break.PAUSE, now=pair.now)
    cross(pair)
    assert guest.side_channel.proposal is None
    host.side_channel.agree(now=pair.now)
    pair.settle()
    assert host.side_channel.agreed_break is guest.side_channel.agreed_break is Break.PAUSE
    assert course(pair, 0).status.breaks.agreed is course(pair, 1).status.breaks.agreed is Break.PAUSE


def test_agreements_to_different_breaks_that_cross_make_the_longer_one() -> None:
    pair = timed()
    host, guest = pair.sessions
    host.side_channel.propose(Break.PAUSE, now=pair.now)
    guest.side_channel.propose(Break.ADJOURNMENT, now=pair.now)
    cross(pair)
    host.side_channel.agree(now=pair.now)
    guest.side_channel.agree(now=pair.now)
    cross(pair)
    assert host.side_channel.agreed_break is guest.side_channel.agreed_break is Break.ADJOURNMENT
    assert course(pair, 0).status.breaks.agreed is course(pair, 1).status.breaks.agreed is Break.ADJOURNMENT
    host.side_channel.go_on(now=pair.now)
    pair.settle()
    assert host.side_channel.agreed_break is guest.side_channel.agreed_break is None


def test_a_stale_agreement_and_a_stale_acceptance_have_no_effect() -> None:
    pair = timed()
    think(pair, 0, 1)
    pair.guest.side_channel.offer_draw()
    pair.guest.side_channel.propose(Break.ADJOURNMENT)
    pair.settle()
    pair.guest.act(1, now=pair.now)
    # The host answers what he has seen; the move is under way.
    pair.host.side_channel.agree()
    pair.host.side_channel.accept_draw()
    pair.settle()
    for seat, session in enumerate(pair.sessions):
        assert pair.saw(seat, BreakLapsed) or seat == 0
        assert pair.saw(seat, DrawLapsed)
        assert session.side_channel.agreed_break is None
        assert not session.over
        assert course(pair, seat).status.breaks.agreed is None


def test_an_agreement_to_what_was_never_proposed_convicts() -> None:
    pair = timed()
    cheat = Cheat(pair, 0)
    cheat.send(cheat.side(SideType.AGREE, 1))
    assert pair.last(1, PeerMisbehaved).code == "no_such_offer"


@pytest.mark.parametrize("body", [None, 0, 3, "a", (1, 1, 1)])
def test_a_proposal_of_something_else_cannot_be_signed(body: Any) -> None:
    cheat = Cheat(timed(), 0)
    with pytest.raises(WireError):
        cheat.side(SideType.PROPOSE, body)
