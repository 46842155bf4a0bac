"""Tubes: what goes in comes out, whatever a network does, and nobody makes them grow."""

from __future__ import annotations

import heapq
import random
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.reach.formats import tube as segments
from protocol.reach.formats.tube import DATA, NUMBERS, Segment, SegmentKind
from protocol.reach.tube import BUFFER, CALLS, PATIENCE, Calls, Tube, TubeState

SECRET = bytes(range(16))
HOST, GUEST = segments.key(SECRET, 0), segments.key(SECRET, 1)

SEGMENTS = st.builds(
    Segment,
    st.sampled_from(SegmentKind),
    st.integers(0, NUMBERS - 1),
    st.integers(0, NUMBERS - 1) | st.integers(0, 5_000),
    st.integers(0, 65_535),
    st.integers(0, NUMBERS - 1) | st.integers(0, 5_000),
    st.integers(0, 65_535),
    st.integers(0, 65_535),
    st.binary(max_size=DATA),
).map(lambda one: one if one.kind is SegmentKind.DATA else replace(one, data=b""))


def numbers() -> Iterator[int]:
    yield from range(1, 1_000)


@dataclass
class Network:
    """What lies between the two, with a clock of its own."""

    loss: float
    twice: float
    delay: float
    chance: random.Random
    now: float = 1_000.0
    flying: list[tuple[float, int, int, bytes]] = field(default_factory=list)
    sent: int = 0

    def send(self, to: int, data: bytes) -> None:
        for _ in range(1 + (self.chance.random() < self.twice)):
            if self.chance.random() >= self.loss:
                self.sent += 1
                heapq.heappush(self.flying, (self.now + self.chance.random() * self.delay, self.sent, to, data))

    def arrive(self, wakes: list[float]) -> list[tuple[int, bytes]]:
        """Let time pass until something comes or is due."""
        self.now = max(self.now, min([*wakes, *(one[0] for one in self.flying[:1])]))
        found = []
        while self.flying and self.flying[0][0] <= self.now:
            found.append(heapq.heappop(self.flying)[2:])
        return found


def opened(draw: Iterator[int] | None = None) -> tuple[Calls, Calls, Tube]:
    guest, host = Calls(SECRET, is_host=False), Calls(SECRET, is_host=True)
    tube = guest.open(0.0, (draw or numbers()).__next__)
    assert tube is not None
    return guest, host, tube


def handed(source: Calls, to: Calls, now: float = 0.0) -> Tube | None:
    """Hand over what one side has to say; returns the last call that it changed."""
    found = None
    for data in source.datagrams(now):
        found = to.receive(data, now) or found
    return found


# -- The bytes --------------------------------------------------------------------------------------------


@given(SEGMENTS)
def test_a_segment_is_read_as_it_was_written_and_by_the_other_role_alone(segment: Segment) -> None:
    data = segments.write(HOST, segment)
    assert len(data) == 28 + len(segment.data)
    assert segments.read(HOST, data) == segment
    assert segments.read(GUEST, data) is None


@given(st.data())
def test_a_changed_segment_is_none(data: st.DataObject) -> None:
    written = segments.write(HOST, Segment(SegmentKind.DATA, 7, data=data.draw(st.binary(max_size=20))))
    at = data.draw(st.integers(0, len(written) - 1))
    other = data.draw(st.integers(1, 255))
    assert segments.read(HOST, written[:at] + bytes((written[at] ^ other,)) + written[at + 1 :]) is None
    assert segments.read(HOST, written[:at]) is None


@given(st.binary(max_size=1_200))
def test_any_bytes_are_no_segment(data: bytes) -> None:
    assert segments.read(HOST, b"\xd0" + data) is None


@pytest.mark.parametrize(
    "segment",
    [
        Segment(SegmentKind.END, 7, data=b"x"),
        Segment(SegmentKind.GONE, 7, data=b"x"),
        Segment(SegmentKind.DATA, 7, data=bytes(DATA + 1)),
    ],
)
def test_a_segment_with_more_data_than_its_kind_may_have_is_none(segment: Segment) -> None:
    assert segments.read(HOST, segments.write(HOST, segment)) is None


# -- A stream each way ------------------------------------------------------------------------------------


@pytest.mark.parametrize("loss", [0, 0.05, 0.2, 0.4])
@given(
    st.sampled_from((0, 0.2)),
    st.sampled_from((0.001, 0.2, 2.0)),
    st.tuples(*[st.sampled_from((0, 1, 500, DATA, 20_000, 100_000))] * 2),
    st.integers(0, 2**32),
)
def test_what_goes_in_comes_out_and_both_ends_come(
    loss: float, twice: float, delay: float, sizes: tuple[int, int], seed: int
) -> None:
    chance = random.Random(seed)
    network = Network(loss, twice, delay, chance)
    guest, host, tube = opened()
    sides, tubes = (guest, host), [tube]
    # The first byte of a call is the guest's.
    streams = [chance.randbytes(sizes[0] or 1), chance.randbytes(sizes[1])]
    fed, got = [0, 0], [bytearray(), bytearray()]
    lazy, steps = chance.random() < 0.3, 0
    while not (len(tubes) == 2 and all(one.state is TubeState.ENDED for one in tubes)):
        for at, one in enumerate(tubes):
            if fed[at] < len(streams[at]):
                piece = streams[at][fed[at] :][: min(one.space, chance.randint(1, 16_384))]
                one.write(piece)
                fed[at] += len(piece)
            if fed[at] == len(streams[at]):
                one.end()
            assert 0 <= one.space <= BUFFER
        for at, side in enumerate(sides):
            for data in side.datagrams(network.now):
                network.send(1 - at, data)
        wakes = [when for side in sides if (when := side.wakes()) is not None]
        if lazy:
            # Somebody who reads now and then only; the window closes.
            wakes.append(network.now + 0.5)
        steps += 1
        assert steps < 50_000
        for to, data in network.arrive(wakes or [network.now]):
            found = sides[to].receive(data, network.now)
            if to == 1 and found is not None and len(tubes) == 1:
                tubes.append(found)
        for at, one in enumerate(tubes):
            if not lazy or chance.random() < 0.1:
                got[at] += one.read(chance.choice((1_000, BUFFER)) if lazy else BUFFER)
        assert network.now < 10_000
    for at, one in enumerate(tubes):
        assert one.state is TubeState.ENDED
        assert one.ended
        assert got[at] + one.read() == streams[1 - at]
    # The last answer may be lost; what comes late opens nothing.
    for side in sides:
        side.datagrams(network.now)
    for _, _, to, data in network.flying:
        assert sides[to].receive(data, network.now) is None


def test_a_closed_window_is_asked_again_until_it_opens() -> None:
    guest, host, tube = opened()
    now, fed = 0.0, 0
    theirs = None
    for _ in range(400):
        fed += min(tube.space, 4_096)
        tube.write(bytes(4_096))
        theirs = handed(guest, host, now) or theirs
        handed(host, guest, now)
        now = max(now, guest.wakes() or now)
    # Nobody has read for much longer than a call without answers lasts.
    assert now > 10 * PATIENCE
    assert tube.state is TubeState.OPEN
    assert tube.space == 0
    assert theirs is not None
    got = 0
    while got < fed:
        more = len(theirs.read())
        assert more <= BUFFER
        got += more
        handed(host, guest, now)
        handed(guest, host, now)
        now = max(now, guest.wakes() or now)
    assert got == fed


def test_the_window_grows_while_nothing_is_lost() -> None:
    network = Network(0, 0, 0.1, random.Random(1), now=0.0)
    guest, host, tube = opened()
    fed = got = 0
    theirs = None
    while got < 200_000:
        more = min(tube.space, 200_000 - fed)
        tube.write(bytes(more))
        fed += more
        for at, side in enumerate((guest, host)):
            for data in side.datagrams(network.now):
                network.send(1 - at, data)
        for to, data in network.arrive([when for side in (guest, host) if (when := side.wakes()) is not None]):
            found = (guest, host)[to].receive(data, network.now)
            theirs = found if to else theirs
        got += len(theirs.read()) if theirs is not None else 0
    # With eight pieces an answer's time it would be more than two seconds.
    assert network.now < 1.5


def test_small_writes_wait_together_when_many_are_on_their_way() -> None:
    _, _, tube = opened()
    sent = 0
    for _ in range(200):
        tube.write(b"x")
        sent += len(tube.segments(0.0))
    assert sent == BUFFER // DATA


def test_what_came_early_is_sent_again_late_and_what_was_dropped_is_not_echoed() -> None:
    _, _, tube = opened()
    tube.write(bytes(2 * DATA))
    first, second = tube.segments(0.0)
    tube.receive(Segment(SegmentKind.DATA, tube.call, 0, 59, echo=second.serial), 0.2)
    again = [(one.first, now) for now in (0.5, 1.0, 2.0, 4.0, 4.2) for one in tube.segments(now) if one.first]
    assert again == [(DATA, 4.2)]
    for at in range(BUFFER // DATA):
        tube.receive(replace(first, serial=at + 1, first=at * DATA), 4.2)
    tube.receive(replace(first, serial=100, first=BUFFER // DATA * DATA), 4.2)
    (answer,) = [one for one in tube.segments(4.2) if not one.serial]
    assert (answer.echo, answer.free, answer.wanted) == (0, 0, BUFFER // DATA * DATA)
    assert tube.segments(4.2) == []
    # Whoever reads tells the other that there is room.
    tube.read()
    (answer,) = tube.segments(4.2)
    assert (answer.echo, answer.free) == (0, 59)


def test_what_is_lost_while_nothing_came_through_goes_again_as_soon_as_something_does() -> None:
    guest, host, tube = opened()
    tube.write(b"hello")
    for now in (0.0, 0.5, 1.5):
        assert len(guest.datagrams(now)) == 1
    for now, again in ((1.9, 0), (2.0, 1)):
        # Half a second is the first wait.
        guest.hurry(now)
        assert len(guest.datagrams(now)) == again
    guest.hurry(2.6)
    theirs = handed(guest, host, 2.6)
    assert theirs is not None
    assert theirs.read() == b"hello"


# -- Ends -------------------------------------------------------------------------------------------------


def test_a_call_that_is_given_up_fails_on_the_other_side() -> None:
    guest, host, tube = opened()
    tube.write(b"hello")
    theirs = handed(guest, host)
    assert theirs is not None
    tube.abort()
    handed(guest, host)
    assert theirs.state is TubeState.FAILED
    assert theirs.space == 0
    assert theirs.read() == b"hello"
    assert host.datagrams(0.0) == guest.datagrams(0.0) == []


def test_a_call_without_answers_fails_after_its_patience_and_makes_room() -> None:
    draw = numbers()
    guest, _, _ = opened(draw)
    tubes = [tube for _ in range(CALLS) if (tube := guest.open(0.0, draw.__next__)) is not None]
    assert len(tubes) == CALLS - 1
    for tube in tubes:
        tube.write(b"hello")
    sent, now = len(guest.datagrams(0.0)), 0.0
    while (when := guest.wakes()) is not None:
        now = when
        sent += len(guest.datagrams(now))
    assert now == PATIENCE
    # The waits are 0.5, 1, 2 and then 4 seconds.
    assert sent == (CALLS - 1) * (3 + 15 + 1)
    assert {tube.state for tube in tubes} == {TubeState.FAILED}
    assert guest.open(now, draw.__next__) is not None


def test_a_call_whose_other_side_never_ends_fails() -> None:
    guest, host, tube = opened()
    tube.write(b"hello")
    tube.end()
    now = 0.0
    assert handed(guest, host, now) is not None
    handed(host, guest, now)
    assert guest.wakes() == PATIENCE
    guest.datagrams(PATIENCE)
    assert tube.state is TubeState.FAILED


def test_an_end_that_is_answered_after_the_other_has_forgotten_is_an_end() -> None:
    guest, host, tube = opened()
    tube.write(b"hello")
    tube.end()
    theirs = handed(guest, host)
    assert theirs is not None
    theirs.end()
    handed(host, guest)
    assert tube.state is TubeState.ENDED
    guest.datagrams(0.0)  # the answer to the host's end is lost
    handed(host, guest, 1.0)
    handed(guest, host, 1.0)
    assert theirs.state is TubeState.ENDED
    assert theirs.read() == b"hello"


def test_calls_beyond_eight_are_turned_away_and_old_ones_do_not_come_again() -> None:
    host = Calls(SECRET, is_host=True)
    first = [segments.write(GUEST, Segment(SegmentKind.DATA, call, data=b"x")) for call in range(1, 10)]
    tubes = [host.receive(data, 0.0) for data in first]
    assert [tube is not None for tube in tubes] == [True] * CALLS + [False]
    told = [segments.read(HOST, data) for data in host.datagrams(0.0)]
    assert [one.call for one in told if one is not None and one.kind is SegmentKind.GONE] == [9]
    assert tubes[0] is not None
    tubes[0].abort()
    host.datagrams(0.0)
    assert host.receive(first[0], 0.0) is None
    assert host.receive(first[8], 0.0) is not None


def test_calls_of_the_secret_before_go_on() -> None:
    guest, host, tube = opened()
    host.admit(bytes(16))
    tube.write(b"hello")
    theirs = handed(guest, host)
    assert theirs is not None
    theirs.write(b"welcome")
    assert handed(host, guest) is tube
    assert tube.read() == b"welcome"
    guest.admit(bytes(16))
    later = guest.open(0.0, lambda: 77)
    assert later is not None
    for one in (tube, later):
        one.write(b"again")
    assert handed(guest, host) not in (None, theirs)
    assert theirs.read() == b"helloagain"


def test_whoever_knows_the_secret_before_alone_opens_no_call_once_the_other_has_shown_the_next() -> None:
    guest, host, tube = opened()
    stranger = Calls(SECRET, is_host=False)
    for side in (host, guest):
        side.admit(bytes(16))
    later = guest.open(0.0, lambda: 77)
    assert later is not None
    for one in (tube, later):
        one.write(b"hello")
    assert handed(guest, host) is not None
    call = stranger.open(0.0, lambda: 78)
    assert call is not None
    call.write(b"hold this")
    assert handed(stranger, host) is None
    # What was open with it goes on.
    assert handed(guest, host) is not None or tube.state is TubeState.OPEN


def test_nobody_calls_a_guest() -> None:
    guest = Calls(SECRET, is_host=False)
    assert guest.receive(segments.write(HOST, Segment(SegmentKind.DATA, 7, data=b"x")), 0.0) is None


# -- Whoever has the secret and means harm ------------------------------------------------------------------


@given(st.lists(SEGMENTS, max_size=30), st.booleans())
def test_any_segments_leave_a_call_that_can_be_read_and_given_up(found: list[Segment], ends: bool) -> None:
    guest, _, tube = opened()
    tube.write(bytes(10_000))
    if ends:
        tube.end()
    now = 0.0
    for segment in found:
        guest.receive(segments.write(HOST, replace(segment, call=tube.call)), now)
        assert sum(map(len, guest.datagrams(now))) <= 3 * BUFFER
        now += 0.1
    assert len(tube.read()) <= BUFFER
    tube.abort()
    guest.datagrams(now)
    assert guest.wakes() is None


def test_early_pieces_that_overlap_are_bounded() -> None:
    _, _, tube = opened()
    for first in range(1, BUFFER - DATA, 50):
        tube.receive(Segment(SegmentKind.DATA, tube.call, first=first, data=bytes(DATA)), 0.0)
    kept = sum(len(piece) for piece in tube._early.values())
    assert kept <= BUFFER
    tube.receive(Segment(SegmentKind.DATA, tube.call, first=0, data=b"x"), 0.0)
    assert len(tube.read()) <= BUFFER


def test_a_stream_ends_before_its_numbers_do() -> None:
    _, _, tube = opened()
    tube._base = tube._next = NUMBERS - 2_000
    tube.write(bytes(DATA))
    tube.write(bytes(DATA))
    assert tube.space == 0
    tube.end()
    assert [one.first for one in tube.segments(0.0)][-1] == NUMBERS - 2
