"""Beside the game: chat, draw and resignation, and whatever of them crosses something else."""

from __future__ import annotations

import pytest
from helpers_toy_cheats import rps
from helpers_wire import Cheat
from hypothesis import given
from hypothesis import strategies as st

from protocol.core.events import (
    Audited,
    ChatReceived,
    Damaged,
    DrawAccepted,
    DrawDeclined,
    DrawLapsed,
    DrawOffered,
    MatchOver,
    PeerMisbehaved,
    Resigned,
)
from protocol.core.messages import SideType
from protocol.errors import LocalProtocolError


def test_chat_reaches_the_other_at_any_time() -> None:
    pair = rps(1)
    pair.host.side_channel.chat("Viel Glück!")
    pair.settle()
    assert pair.last(1, ChatReceived) == ChatReceived(0, "Viel Glück!")
    pair.play_out()
    pair.guest.side_channel.chat("gg")
    pair.settle()
    assert pair.last(0, ChatReceived).text == "gg"
    assert pair.verify().ok


def test_a_draw_is_offered_and_accepted() -> None:
    pair = rps()
    pair.host.side_channel.offer_draw()
    pair.settle()
    assert pair.last(1, DrawOffered) == DrawOffered(0, 1)
    pair.guest.side_channel.accept_draw()
    pair.settle()
    for seat in (0, 1):
        assert pair.last(seat, MatchOver) == MatchOver({"reason": "agreement", "winner": "draw"})
        assert pair.last(seat, Audited).ok
        assert pair.verify(seat).result == {"reason": "agreement", "winner": "draw"}
    assert pair.saw(0, DrawAccepted)


def test_a_declined_offer_cannot_be_accepted_afterwards() -> None:
    pair = rps()
    pair.host.side_channel.offer_draw()
    pair.settle()
    pair.guest.side_channel.decline_draw()
    pair.settle()
    assert pair.saw(0, DrawDeclined)
    with pytest.raises(LocalProtocolError):
        pair.guest.side_channel.accept_draw()


def test_a_stale_acceptance_has_no_effect_on_either_side() -> None:
    pair = rps()
    pair.host.side_channel.offer_draw()
    pair.settle()
    pair.host.act(0)
    pair.guest.side_channel.accept_draw()
    accepted = pair.guest.data_to_send()
    pair.transfer(0)
    for frame in accepted:
        pair.host.receive_data(frame)
    pair.settle()
    for seat in (0, 1):
        assert pair.saw(seat, DrawLapsed)
        assert not pair.saw(seat, MatchOver)
    pair.play_out()
    assert pair.last(0, Audited).ok
    assert pair.verify(0).ok
    assert pair.verify(1).ok


def test_an_acceptance_sent_long_after_is_stale() -> None:
    pair = rps()
    pair.host.side_channel.offer_draw()
    pair.settle()
    pair.act(0, 0)
    Cheat(pair, 1).send(Cheat(pair, 1).side(SideType.ACCEPT, 1))
    assert pair.last(0, DrawLapsed) == DrawLapsed(1, 1)
    assert pair.host.result is None


@pytest.mark.parametrize("seat", [0, 1])
def test_a_resignation_ends_the_match(seat: int) -> None:
    pair = rps()
    pair.act(0, 0)
    pair.sessions[seat].side_channel.resign()
    pair.settle()
    for one in (0, 1):
        assert pair.last(one, MatchOver).result == {"winner": str(1 - seat), "reason": "forfeit"}
        assert pair.last(one, Audited).ok
        assert pair.verify(one).ok
    assert pair.last(1 - seat, Resigned) == Resigned(seat)


def test_of_two_resignations_that_cross_the_one_of_whoever_would_have_to_move_counts() -> None:
    pair = rps()
    pair.host.side_channel.resign()
    pair.guest.side_channel.resign()
    pair.settle()
    for seat in (0, 1):
        assert pair.last(seat, MatchOver).result == {"winner": "1", "reason": "forfeit"}
        assert pair.last(seat, Audited).ok
        assert pair.verify(seat).ok


def test_a_resignation_that_crosses_the_last_move_comes_too_late() -> None:
    pair = rps(1)
    pair.act(0, 1)
    pair.guest.act(0)
    pair.transfer(1)
    pair.guest.side_channel.resign()
    pair.settle()
    for seat in (0, 1):
        assert pair.last(seat, MatchOver).result == {"winner": "0", "reason": "rounds"}
        assert pair.last(seat, Audited).ok
        assert not pair.saw(seat, PeerMisbehaved)
        assert pair.verify(seat).ok


CROSSING = ("act", "offer", "accept", "resign", "chat")


@given(st.lists(st.tuples(st.integers(0, 1), st.sampled_from([*CROSSING, "carry"])), max_size=25), st.integers(0, 3))
def test_whatever_crosses_both_come_to_the_same_end_and_nobody_is_accused(
    moves: list[tuple[int, str]], seed: int
) -> None:
    pair = rps(2, tag="crossing")
    for seat, move in moves:
        session = pair.sessions[seat]
        try:
            match move:
                case "carry":
                    pair.transfer(seat)
                case "act":
                    session.act(seed % 3)
                case "offer":
                    session.side_channel.offer_draw()
                case "accept":
                    session.side_channel.accept_draw()
                case "resign":
                    session.side_channel.resign()
                case _:
                    session.side_channel.chat("hello")
        except LocalProtocolError:
            pass
    pair.settle()
    pair.play_out(seed)
    assert pair.host.stopped is pair.guest.stopped is None
    assert not pair.saw(0, Damaged)
    assert not pair.saw(1, Damaged)
    assert pair.host.result == pair.guest.result is not None
    for seat in (0, 1):
        assert pair.last(seat, Audited).ok
        verdict = pair.verify(seat)
        assert verdict.problems == ()
        assert verdict.result == pair.host.result
