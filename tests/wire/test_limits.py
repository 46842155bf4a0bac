"""Nobody can make a match that cannot be exported, or make the other's memory grow without an end."""

from __future__ import annotations

import tracemalloc

import pytest
from helpers_wire import Cheat, Pair, entropy, only
from toys import Bluff, RockPaperScissors

from protocol.core import agreement, frames, side_channel, testimony, transcript
from protocol.core.audit import verify
from protocol.core.endpoint import ENDPOINT_LIMIT
from protocol.core.events import Audited, ChatReceived, EndpointTold, PeerMisbehaved
from protocol.core.frames import CHAIN_LIMIT, SIDE_LIMIT, FrameKind, Record, pack_frame
from protocol.core.messages import Envelope, SideType
from protocol.core.step_builder import ROOM
from protocol.core.steps import ProveMembership, step_value
from protocol.core.wire import CHAT_LIMIT, FRAME_LIMIT, HANDSHAKE_LIMIT, encode
from protocol.core.witness import STATEMENT_LIMIT, WitnessStatement
from protocol.crypto import keys
from protocol.errors import LocalProtocolError
from protocol.independent import chain, reading
from protocol.record import logfile


def rps(rounds: int = 2) -> Pair:
    return Pair(RockPaperScissors(), rounds)


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> int:
    """Let three side envelopes be as many as there may be."""
    for module in (transcript, side_channel):
        monkeypatch.setattr(module, "SIDE_LIMIT", 3)
    monkeypatch.setattr(reading, "_MOST_SIDES", 3)
    return 3


def test_the_longest_match_fits_into_a_log() -> None:
    pair = rps()
    cheat = Cheat(pair, 0)
    # Four bytes a character, and numbers at their longest.
    line = cheat.side(SideType.CHAT, "\U0001f40c" * CHAT_LIMIT, seq=2**31, sides=(2**31, 2**31))
    shortest = pair.sessions[0]
    shortest.act(0)
    (envelope,) = shortest.data_to_send()
    head = 3
    sides = 2 * (SIDE_LIMIT + 1) * (len(line) + head)
    chain = CHAIN_LIMIT + head * (CHAIN_LIMIT // (len(envelope) - 32))
    start = 4 * (HANDSHAKE_LIMIT + head)
    # Two results, seeds and verdicts, and one frame that ended the match against the rules.
    end = 7 * (FRAME_LIMIT + head)
    statement = WitnessStatement(bytes(32), bytes(32), bytes(32), 2**53, 2**31, bytes(32)).pack()
    witness = STATEMENT_LIMIT * (len(pack_frame(FrameKind.WITNESS, statement, bytes(64))) + head)
    assert start + chain + sides + end + witness + 200 < logfile.SIZE_LIMIT
    records = 2 * (SIDE_LIMIT + 1) + CHAIN_LIMIT // (len(envelope) - 32) + 11 + STATEMENT_LIMIT
    assert records < logfile.RECORD_LIMIT


def test_a_flood_of_chat_is_named_by_its_own_number(few: int) -> None:
    pair = rps()
    for number in range(few):
        pair.host.side_channel.chat(f"line {number}")
    pair.settle()
    with pytest.raises(LocalProtocolError) as caught:
        pair.host.side_channel.chat("one more")
    assert caught.value.code == "too_many"
    assert pair.guest.stopped is None
    cheat = Cheat(pair, 0)
    cheat.send(cheat.side(SideType.CHAT, "one more"))
    event = pair.last(1, PeerMisbehaved)
    assert (event.code, event.seat) == ("too_many", 0)
    assert sum(isinstance(event, ChatReceived) for event in pair.events[1]) == few
    assert [(one.code, one.seat) for one in pair.verify(1).problems] == [("too_many", 0)]


def test_after_the_last_line_one_can_still_resign(few: int) -> None:
    pair = rps()
    for number in range(few):
        pair.host.side_channel.chat(f"line {number}")
    pair.host.side_channel.resign()
    pair.settle()
    assert pair.last(1, Audited).ok
    assert pair.verify(1).ok


def test_the_envelope_that_is_too_much_convicts_and_is_not_sent(monkeypatch: pytest.MonkeyPatch) -> None:
    pair = rps(9)
    pair.act(0, 1)
    pair.act(1, 0)
    cheat = Cheat(pair, 0)
    for session in pair.sessions:
        session.transcript.room = 100
    with pytest.raises(LocalProtocolError) as caught:
        pair.host.act(1)
    assert caught.value.code == "chain_too_long"
    assert pair.host.data_to_send() == []
    builder = cheat.builder()
    builder.decide(1, None)
    cheat.send(cheat.envelope(*builder.steps))
    event = pair.last(1, PeerMisbehaved)
    assert (event.code, event.seat, event.seq) == ("chain_too_long", 0, 4)
    # A stranger counts the same bytes.
    envelopes = [record.frame for record in pair.guest.records if record.kind == FrameKind.ENVELOPE]
    monkeypatch.setattr(transcript, "CHAIN_LIMIT", sum(map(len, envelopes)) - 1)
    monkeypatch.setattr(chain, "_MOST_CHAIN", sum(map(len, envelopes)) - 1)
    assert [(one.code, one.seat) for one in pair.verify(1).problems] == [("chain_too_long", 0)]


def test_whoever_asks_again_and_again_for_everything_gets_it_once() -> None:
    pair = Pair(Bluff(), (4, 0))
    pair.play_out(1)
    pair.guest.transcript.sent[0].clear()
    pair.reconnect()
    (call,) = pair.guest.data_to_send()
    pair.guest.receive_data(pair.host.data_to_send()[0])
    (frame,) = pair.guest.data_to_send()
    for _ in range(50):
        pair.host.receive_data(call)
        pair.host.receive_data(frame)
    assert pair.host.broken
    sent = pair.host.data_to_send()
    assert len(sent) == 1 + len(pair.host.transcript.sent[0]) + 1  # RESUME, what is missing, DONE
    assert sent[0][1] == FrameKind.RESUME
    assert pair.host.data_to_send() == []


def test_whoever_tells_again_and_again_where_he_is_loses_the_line_and_nothing_else() -> None:
    pair = Pair(Bluff(), (4, 0))
    for port in range(1, ENDPOINT_LIMIT + 1):
        pair.guest.announce(entropy("certificate"), [("host.example", port)])
    pair.settle()
    assert sum(isinstance(event, EndpointTold) for event in pair.events[0]) == ENDPOINT_LIMIT
    pair.guest.announce(entropy("certificate"), [("host.example", 65_535)])
    pair.settle()
    assert pair.host.broken
    assert pair.host.stopped is None
    pair.reconnect()
    pair.settle()
    assert pair.last(0, EndpointTold).candidates == (("host.example", 65_535),)
    pair.play_out(1)
    assert pair.host.audited
    assert pair.guest.audited


def test_the_memory_of_a_match_grows_with_its_length() -> None:
    def held(hands: int) -> int:
        pair = Pair(Bluff(), (12, 0))
        for seat in (0, 1):
            pair.act(seat, None, tuple(range(12)))
        tracemalloc.start()
        try:
            for _ in range(hands):
                session = pair.host if pair.host.asks_us else pair.guest
                hand = session.state.hands[session.seat]
                pair.act(session.seat, (1, 1), [hand[:1], hand[1:]])
            return tracemalloc.get_traced_memory()[0]
        finally:
            tracemalloc.stop()

    small, large = held(40), held(160)
    # A square law would give sixteen.
    assert large < 6 * small


def test_limits_are_words_of_the_protocol() -> None:
    assert (frames.CHAIN_LIMIT, frames.SIDE_LIMIT) == (2_097_152, 2000)
    assert verify([Record(3, b"")], only()).problems[0].code == "bad_handshake"


def checks_of(records: list[Record], monkeypatch: pytest.MonkeyPatch, pair: Pair) -> int:
    """Return how many signatures a stranger checks who judges a log."""
    counted = 0
    check = keys.verify_digest

    def counting(public: bytes, digest: bytes, signature: bytes) -> None:
        nonlocal counted
        counted += 1
        check(public, digest, signature)

    with monkeypatch.context() as patch:
        for module in (agreement, testimony, keys):
            patch.setattr(module, "verify_digest", counting)
        verify(records, only(pair.game))
    return counted


def test_what_judging_a_log_costs_is_bounded_by_its_bytes(monkeypatch: pytest.MonkeyPatch) -> None:
    pair = rps(3)
    for number in range(40):
        pair.host.side_channel.chat(f"line {number}")
    pair.play_out(1)
    records = list(pair.host.records)
    honest = checks_of(records, monkeypatch, pair)
    # A record repeated, one behind the end, and rubbish cost nothing or end the check.
    assert checks_of([*records, *records[4:] * 50], monkeypatch, pair) == honest
    wrong = [Record(FrameKind.SIDE, pack_frame(FrameKind.SIDE, bytes([number]), bytes(64))) for number in range(200)]
    assert checks_of([*records, *wrong], monkeypatch, pair) <= honest + 2
    stranger = Pair(RockPaperScissors(), 1, tag="another")
    stranger.host.side_channel.chat("x")
    foreign = [record for record in stranger.host.records if record.kind == FrameKind.SIDE] * 200
    assert checks_of([*records, *foreign], monkeypatch, pair) <= honest + 2
    # Two signatures a record are the most that an honest one has.
    assert len(records) // 2 < honest <= 2 * len(records)


def test_an_envelope_has_room_for_its_steps_whatever_else_stands_in_it() -> None:
    digest, most = bytes(32), 2**31 - 1
    steps = [ProveMembership(0, bytes(12288)), ProveMembership(0, bytes(ROOM - 12288 - 2 * 6))]
    assert sum(len(encode(step_value(step))) for step in steps) == ROOM
    sides = (most, most)
    longest = Envelope(digest, 1, most, sides, digest, tuple(steps), digest, (most, most, most, most))
    frame = pack_frame(FrameKind.ENVELOPE, longest.pack(), bytes(64))
    # The head of an array of 32 steps has two bytes more.
    assert len(frame) + 2 <= FRAME_LIMIT
