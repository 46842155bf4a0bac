"""Whoever calls counts for nothing before he has shown, with a signature for this very line, that he is the other."""

from __future__ import annotations

import pytest
from helpers_wire import Pair, entropy
from toys import Bluff, RockPaperScissors

from protocol.core.endpoint import SEEN_LIMIT, Endpoint
from protocol.core.events import Damaged, EndpointTold
from protocol.core.frames import FrameKind, pack_frame, unpack_frame
from protocol.core.messages import Resume
from protocol.core.resume_handshake import ResumeHandshake
from protocol.crypto import keys
from protocol.errors import Damage, LocalProtocolError

HOST, GUEST = 0, 1


def played(tag: str = "") -> Pair:
    pair = Pair(Bluff(), (3, 0), tag=tag)
    pair.play_out(1, limit=4)
    return pair


def called(pair: Pair, line: str, channel: bytes = b"") -> tuple[ResumeHandshake, ResumeHandshake]:
    """Return the two ends of one of several lines, with their calls not yet carried."""
    host, guest = (
        session.resume_handshake(entropy(f"{line} {seat}"), channel) for seat, session in enumerate(pair.sessions)
    )
    return host, guest


def carry(one: ResumeHandshake, other: ResumeHandshake) -> None:
    for frame in one.data_to_send():
        other.receive_data(frame)


def test_both_go_on_where_each_had_stopped_after_a_call_and_a_resume_of_each() -> None:
    pair = played()
    pair.reconnect()
    frames = [session.data_to_send() for session in pair.sessions]
    assert [frame[1] for frame in (*frames[0], *frames[1])] == [FrameKind.CALL, FrameKind.CALL]
    for seat in (HOST, GUEST):
        pair.sessions[1 - seat].receive_data(frames[seat][0])
    assert pair.host.data_to_send() == []
    (resume,) = pair.guest.data_to_send()
    pair.host.receive_data(resume)
    assert [session.joined for session in pair.sessions] == [True, False]
    pair.settle()
    assert [session.joined for session in pair.sessions] == [True, True]
    pair.play_out(2)
    assert pair.host.closed
    assert pair.guest.closed


def test_every_frame_of_the_match_so_far_is_damage_on_a_fresh_line_and_the_session_can_try_again() -> None:
    pair = played()
    old = [frame for seat, frame in pair.wire if seat == GUEST]
    pair.reconnect()
    pair.settle()
    old += [frame for seat, frame in pair.wire if seat == GUEST and frame[1] in (FrameKind.CALL, FrameKind.RESUME)]
    assert {FrameKind.ENVELOPE, FrameKind.CALL, FrameKind.RESUME} <= {frame[1] for frame in old}
    before = pair.host.records
    for frame in old:
        pair.host.resume(entropy("another line"))
        pair.host.data_to_send()
        pair.host.receive_data(frame)
        if frame[1] != FrameKind.CALL:
            assert [type(event) for event in pair.host.events_received()] == [Damaged]
        assert not pair.host.joined
    assert pair.host.records == before
    pair.reconnect()
    pair.play_out(3)
    pair.settle()
    assert pair.host.joined


def test_a_resume_that_was_signed_for_another_line_is_stale() -> None:
    pair = played()
    host, guest = called(pair, "first")
    carry(host, guest)
    carry(guest, host)
    recorded = pair.guest.resume_handshake(entropy("first 1"))
    recorded.data_to_send()
    recorded.receive_data(pack_frame(FrameKind.CALL, entropy("first 0")))
    (resume,) = recorded.data_to_send()
    second, _ = called(pair, "second")
    second.receive_data(pack_frame(FrameKind.CALL, entropy("first 1")))
    with pytest.raises(Damage) as caught:
        second.receive_data(resume)
    assert caught.value.code == "stale_resume"
    assert second.theirs is None


def test_a_resume_for_another_channel_is_noticed() -> None:
    pair = played()
    host = pair.host.resume_handshake(entropy("a"), b"ours")
    guest = pair.guest.resume_handshake(entropy("b"), b"somebody's")
    carry(host, guest)
    with pytest.raises(Damage) as caught:
        carry(guest, host)
    assert caught.value.code == "channel"


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"seat": HOST}, "wrong_match"),
        ({"match_id": bytes(32)}, "wrong_match"),
        ({"nonce": bytes(32)}, "stale_resume"),
        ({"asked": bytes(32)}, "stale_resume"),
    ],
)
def test_a_resume_signed_by_the_other_with_another_content_is_damage(change: dict[str, object], code: str) -> None:
    pair = played()
    host, guest = called(pair, "line")
    carry(host, guest)
    frames = guest.data_to_send()
    host.receive_data(frames[0])
    fields = Resume.unpack(unpack_frame(frames[1])[1][0])
    values = {name: getattr(fields, name) for name in Resume.__slots__} | change
    data = Resume(**values).pack()
    signature = keys.sign(pair.guest._secrets.match_key, "resume", data)
    with pytest.raises(Damage) as caught:
        host.receive_data(pack_frame(FrameKind.RESUME, data, signature))
    assert caught.value.code == code


def test_the_own_frames_played_back_are_noticed() -> None:
    pair = played()
    host, _ = called(pair, "mirror")
    with pytest.raises(Damage) as caught:
        carry(host, host)
    assert caught.value.code == "mirror"


def test_of_several_lines_the_host_chooses_one_and_says_nothing_on_the_others() -> None:
    pair = played()
    lines = [called(pair, name) for name in ("one", "two")]
    for host, guest in lines:
        carry(host, guest)
        carry(guest, host)
        assert host.data_to_send() == []
        assert guest.theirs is None
    host, guest = lines[1]
    pair.host.join(host)
    for frame in pair.host.data_to_send():
        if guest.theirs is None:
            guest.receive_data(frame)
            pair.guest.join(guest)
        else:
            pair.guest.receive_data(frame)
    assert pair.host.joined
    assert pair.guest.joined
    pair.settle()
    pair.play_out(5)
    assert pair.host.closed


def test_what_is_done_without_a_line_goes_out_on_the_next_one() -> None:
    pair = Pair(RockPaperScissors(), 3)
    for session in pair.sessions:
        session.part()
    pair.host.act(1)
    pair.host.side_channel.chat("hello")
    assert pair.host.data_to_send() == []
    pair.reconnect()
    pair.settle()
    assert pair.guest.transcript.length == 1
    assert pair.guest.records == pair.host.records


def test_a_line_needs_a_whole_nonce_and_an_answer() -> None:
    pair = played()
    with pytest.raises(LocalProtocolError):
        pair.host.resume(b"short")
    host, _ = called(pair, "unanswered")
    with pytest.raises(LocalProtocolError):
        pair.host.join(host)


# --- what is said about the line ---------------------------------------------------------------------------------


def test_each_learns_where_the_other_can_be_called_and_again_on_every_line() -> None:
    pair = Pair(RockPaperScissors(), 3)
    pair.host.announce(bytes(32), [("192.0.2.1", 4711), ("::1", 2)], b"\3\1")
    pair.settle()
    told = EndpointTold(HOST, bytes(32), (("192.0.2.1", 4711), ("::1", 2)), b"\3\1")
    assert pair.events[GUEST] == [told]
    pair.reconnect()
    pair.settle()
    assert pair.events[GUEST] == [told, told]
    assert FrameKind.ENDPOINT not in {record.kind for record in pair.guest.records}
    with pytest.raises(LocalProtocolError):
        pair.host.announce(bytes(32), [("x", 1)] * 9)
    with pytest.raises(LocalProtocolError):
        pair.host.announce(bytes(32), [], bytes(SEEN_LIMIT + 1))


@pytest.mark.parametrize("change", [{"seat": GUEST}, {"match_id": bytes(32)}, {}])
def test_a_place_that_the_other_has_not_signed_for_this_match_is_damage(change: dict[str, object]) -> None:
    pair = Pair(RockPaperScissors(), 3)
    fields = {
        "match_id": pair.host.agreement.match_id,
        "seat": HOST,
        "pin": bytes(32),
        "candidates": (),
        "seen": b"",
    } | change
    data = Endpoint(**fields).pack()  # type: ignore[arg-type]
    key = pair.host._secrets.match_key if change else pair.guest._secrets.match_key
    pair.guest.receive_data(pack_frame(FrameKind.ENDPOINT, data, keys.sign(key, "place", data)))
    assert [type(event) for event in pair.guest.events_received()] == [Damaged]


def test_both_say_when_they_hold_everything_and_only_then_is_a_line_no_longer_needed() -> None:
    pair = Pair(RockPaperScissors(), 1)
    pair.play_out()
    assert all(session.closed and session.finished for session in pair.sessions)
    restored = pair.restored(GUEST)
    assert restored.closed
    assert not restored.finished
    pair.replace(GUEST, restored)
    pair.reconnect()
    pair.settle()
    assert restored.finished
