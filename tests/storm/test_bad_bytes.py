"""Bytes from somebody who means harm, in every phase of a match: one documented event, never an exception."""

from __future__ import annotations

import random
import tracemalloc
from collections.abc import Callable, Iterator
from typing import Any

import msgpack
import pytest
from helpers import daily_first
from helpers_storm import STORM, StormPair, setup
from helpers_wire import Cheat, flipped, on_a_line

from protocol.core.events import Answered, Damaged, Disagreement, PeerMisbehaved
from protocol.core.frames import FrameKind
from protocol.core.messages import SideType
from protocol.core.session import Session
from protocol.core.stages import Stage
from protocol.core.steps import ProveMembership
from storm.bad_bytes import MALFORMED, PHASES, answering, moving, rubbish, setting_up, signed, some_steps
from storm_p2p.storm import codec
from storm_p2p.storm.actions import Liturgy
from storm_p2p.storm.board import Faction
from storm_p2p.storm.state import Terms

C, O = Faction.CHTHONIANS, Faction.OLYMPIANS  # noqa: E741 (the catalogue of rules calls them so)

ONE_OF = (Damaged, PeerMisbehaved, Disagreement)


def fed(pair: StormPair, frame: bytes, seat: int = 1) -> list[Any]:
    """Give a frame to a seat and return what it makes of it; the records stay what they were, or grow by the frame."""
    session = pair.sessions[seat]
    before = session.records
    session.receive_data(frame)
    events = session.events_received()
    after = session.records
    assert after[: len(before)] == before
    session.records_to_store()
    session.data_to_send()
    return events


def copy_of(pair: StormPair, seat: int = 1) -> StormPair:
    """Return the same match with a fresh session at a seat."""
    config = pair.configs[seat]
    session = Session(pair.sessions[seat].records, STORM, config.identity, config.entropy).restore()
    pair.replace(seat, on_a_line(session))
    return pair


# --- bytes that are no message -----------------------------------------------------------------------------------


def loose(value: Any) -> Iterator[bytes]:
    """Yield encodings of a value that msgpack allows and that are not the one."""
    tight = msgpack.packb(value, use_bin_type=True)
    yield tight
    yield tight + b"\xc0"
    yield tight[:-1]
    yield msgpack.packb(value, use_bin_type=False)
    if isinstance(value, (list, tuple)) and len(value) < 16:
        yield b"\xdc" + len(value).to_bytes(2, "big") + tight[1:]
        yield b"\xdd" + len(value).to_bytes(4, "big") + tight[1:]
        yield tight[:1] + b"\xcc" + tight[1:]


@pytest.mark.parametrize("phase", PHASES)
def test_rubbish_ends_in_one_documented_event(phase: Callable[[], StormPair]) -> None:
    pair = phase()
    for frame in rubbish():
        pair.guest.broken = False
        events = fed(pair, frame)
        assert len(events) == 1, frame[:40]
        assert isinstance(events[0], Damaged)
        assert events[0].code
        assert events[0].sentence.startswith("expected ")
        # Nothing more is taken before the line is new.
        assert fed(pair, pair.wire[-1][1] if pair.wire else b"") == []
    pair.guest.broken = False
    assert pair.guest.stopped is None


@pytest.mark.parametrize("phase", PHASES)
def test_every_malformed_value_ends_in_one_documented_event(phase: Callable[[], StormPair]) -> None:
    pair = phase()
    for value in MALFORMED:
        for frame in loose(value):
            pair.guest.broken = False
            events = fed(pair, frame)
            assert [type(event) for event in events] == [Damaged], value


def test_a_true_frame_in_another_encoding_is_damage() -> None:
    pair = moving()
    pair.host.act(codec.encode(Liturgy()))
    (frame,) = pair.host.data_to_send()
    value = msgpack.unpackb(frame, raw=False)
    for other in loose(value):
        if other != frame:
            pair.guest.broken = False
            assert [type(event) for event in fed(pair, other)] == [Damaged]
    pair.guest.broken = False
    assert isinstance(fed(pair, frame)[0], Answered)


def test_every_flipped_bit_on_the_way_is_damage() -> None:
    for phase in (setting_up, moving, answering):
        pair = phase()
        seat = pair.host.waiting_for
        assert seat is not None
        session = pair.sessions[seat]
        if phase is setting_up:
            session.act(None, tuple(int(one) for one in setup(C)))
        else:
            session.act(next(iter(session.moves())))
        frame = session.data_to_send()[0]
        for bit in range(0, 8 * len(frame), 3):
            pair.sessions[1 - seat].broken = False
            assert [type(event) for event in fed(pair, flipped(frame, bit), 1 - seat)] == [Damaged]
        pair.sessions[1 - seat].broken = False
        assert isinstance(fed(pair, frame, 1 - seat)[0], Answered)


# --- signed bytes: whoever holds a key may sign anything ---------------------------------------------------------


@pytest.mark.parametrize("step", daily_first([5, 1]))
@pytest.mark.parametrize("phase", PHASES)
def test_signed_rubbish_convicts_its_author_and_nobody_else(phase: Callable[[], StormPair], step: int) -> None:
    chance = random.Random(2)
    samples = [b"\x90", b"\xc0", b"\x93\x01\x02\x03", b"\x98\x01", chance.randbytes(60), msgpack.packb(list(range(8)))]
    samples += [msgpack.packb(value, use_bin_type=True) for value in MALFORMED[:20]]
    for data in samples[::step]:
        pair = phase()
        cheat = Cheat(pair, 0)
        for frame in (cheat.sign_envelope(data), signed(cheat, FrameKind.SIDE, "side", data)):
            pair = copy_of(phase())
            (event,) = fed(pair, frame)
            assert isinstance(event, PeerMisbehaved)
            assert (event.code, event.seat) == ("malformed", 0)


@pytest.mark.parametrize("count", daily_first([40, 400]))
@pytest.mark.parametrize("phase", PHASES)
def test_any_well_formed_envelope_ends_in_one_documented_event(phase: Callable[[], StormPair], count: int) -> None:
    chance = random.Random(3)
    pair = phase()
    seat = pair.host.waiting_for
    seat = 0 if seat is None else seat
    cheat = Cheat(pair, seat)
    records, config = pair.sessions[1 - seat].records, pair.configs[1 - seat]
    ends: set[str] = set()
    for _ in range(count):
        frame = cheat.envelope(*some_steps(chance))
        session = pair.sessions[1 - seat]
        session.receive_data(frame)
        events = session.events_received()
        assert events, frame
        assert isinstance(events[0], (*ONE_OF, Answered))
        if isinstance(events[0], PeerMisbehaved):
            assert events[0].seat == seat
            assert len(events) == 1
            ends.add(events[0].code)
        if session.stopped is not None or session.records != records:
            restored = Session(records, STORM, config.identity, config.entropy).restore()
            pair.replace(1 - seat, on_a_line(restored))
    assert ends


@pytest.mark.parametrize("phase", PHASES)
def test_every_other_kind_of_frame_at_any_time_ends_in_one_documented_event(phase: Callable[[], StormPair]) -> None:
    donor = StormPair(tag="donor")
    donor.play_out(2)
    pair = phase()
    for record in donor.host.records:
        pair.guest.broken = False
        before = pair.guest.records
        events = fed(pair, record.frame)
        assert [type(event) for event in events] == [Damaged]
        assert pair.guest.records == before
        assert pair.guest.stopped is None


def test_bytes_after_the_end_change_nothing() -> None:
    pair = moving()
    pair.play_out(1)
    assert pair.guest.closed
    records = pair.guest.records
    for frame in rubbish():
        events = fed(pair, frame)
        assert all(isinstance(event, Damaged) for event in events)
    assert pair.guest.records == records
    assert pair.guest.audited


# --- the rules' own doors ----------------------------------------------------------------------------------------


BODIES: dict[SideType, tuple[Any, ...]] = {
    SideType.CHAT: ("x", "x" * 500),
    SideType.OFFER: (None,),
    SideType.ACCEPT: (1, 2, 2**31),
    SideType.DECLINE: (1, 2, 2**31),
    SideType.RESIGN: (None,),
}


@pytest.mark.parametrize("phase", PHASES)
def test_side_messages_of_every_kind_at_any_time_end_in_events(phase: Callable[[], StormPair]) -> None:
    for kind, bodies in BODIES.items():
        for body in bodies:
            pair = phase()
            if (
                not pair.guest.over
                and pair.guest.transcript.stages[1] is Stage.PLAYING
                and pair.guest.transcript.stages[0] is Stage.PLAYING
            ):
                pair.guest.side_channel.offer_draw()
                pair.settle()
            events = fed(pair, Cheat(pair, 0).side(kind, body))
            assert events
            for event in events:
                assert not isinstance(event, PeerMisbehaved) or event.seat == 0
            if pair.guest.stopped is None:
                assert pair.verify(1).problems == ()


def test_memory_grows_no_faster_than_the_messages() -> None:
    def held(redraws: int) -> int:
        tracemalloc.start()
        try:
            pair = StormPair(Terms(random_setup=True), tag="memory")
            cheat = Cheat(pair, 0)
            cheat.go_quiet()
            chance = random.Random(1)
            for _ in range(redraws):
                pair.act(0, None, tuple(range(12)))
                pair.act(1, tuple(chance.sample(range(12), 12)))
                again = ProveMembership(0, b"")
                cheat.send_and_hold(cheat.envelope(again, state=cheat.state_after(again)))
            return tracemalloc.get_traced_memory()[0]
        finally:
            tracemalloc.stop()

    small, large = held(25), held(100)
    # Four times the messages; a square law gives nine times the memory and more.
    assert large < 5 * small, (small, large)
