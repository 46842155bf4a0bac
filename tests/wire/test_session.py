"""The session: a table that is the same for both, and events instead of exceptions."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from helpers_toy_cheats import rps
from helpers_wire import NONCE, Cheat, Pair, envelope_of, identity, on_a_line
from hypothesis import given
from hypothesis import strategies as st
from toys import Bluff, RockPaperScissors

from protocol.core.clock import ABSENT_SECONDS
from protocol.core.events import Answered, Audited, Damaged, Event, MatchOver
from protocol.core.frames import FrameKind
from protocol.core.handshake import Handshake
from protocol.core.match_status import Acceptance, Claim, Fate
from protocol.core.messages import AuditVerdict, Break, Ground, OpenedSeed, SideType, SignedOutcome
from protocol.core.session import Session
from protocol.core.stages import TRANSITIONS, Input, Stage
from protocol.core.steps import Choice, Reveal, Seal
from protocol.errors import Disputed, LocalProtocolError, Misbehaviour, VerificationError
from protocol.game import Open, Sealed

# --- the table ----------------------------------------------------------------------------------------------


def frame_for(cheat: Cheat, kind: Input) -> bytes:
    """Return a well-made frame of a kind."""
    match kind:
        case Input.ENVELOPE:
            return cheat.envelope(Seal(bytes(32), NONCE))
        case Input.CHAT:
            return cheat.side(SideType.CHAT, "hello")
        case Input.ACCEPT | Input.DECLINE:
            return cheat.side(SideType[kind.name], 1)
        case Input.PROPOSE:
            return cheat.side(SideType.PROPOSE, int(Break.PAUSE))
        case Input.AGREE | Input.REJECT:
            return cheat.side(SideType[kind.name], 2)
        case Input.CLAIM:
            return cheat.side(SideType.CLAIM, (int(Ground.ABSENCE), ABSENT_SECONDS, 0))
        case Input.DENY:
            return cheat.side(SideType.DENY, 3)
        case Input.OFFER | Input.RESIGN | Input.GO_ON:
            return cheat.side(SideType[kind.name])
        case Input.RESULT:
            transcript = cheat.transcript
            outcome = SignedOutcome(*cheat.header().fields, (("winner", "0"),))
            return cheat.sign(FrameKind.RESULT, transcript.signable(cheat.seat) if transcript.outcome() else outcome)
        case Input.SEED:
            return cheat.sign(FrameKind.SEED, OpenedSeed(*cheat.header().fields, cheat.secrets.seed))
        case _:
            return cheat.sign(FrameKind.VERDICT, AuditVerdict(*cheat.header().fields, ()))


SENDABLE = [one for one in Input if one not in (Input.LAPSE, Input.END)]


@pytest.mark.parametrize("kind", SENDABLE)
@pytest.mark.parametrize("stage", Stage)
def test_every_message_in_every_stage_is_in_the_table_or_refused(stage: Stage, kind: Input) -> None:
    pair = rps()
    if kind is Input.CLAIM:
        pair.act(0, 1)
    pair.guest.side_channel.offer_draw()
    pair.guest.side_channel.propose(Break.PAUSE)
    pair.settle()
    if kind is Input.DENY:
        claim = Cheat(pair, 1).side(SideType.CLAIM, (int(Ground.ABSENCE), ABSENT_SECONDS, 0))
        for session in pair.sessions:
            session.transcript.accept(claim, 1)
    transcript = pair.guest.transcript
    transcript.stages[0] = stage
    if stage is Stage.RESIGNED:
        transcript.status.resigned[0] = bytes(32)
    if stage is Stage.AGREED:
        transcript.status.accepted[0] = Acceptance(1, 1, bytes(32))
    if stage is Stage.CLAIMED:
        transcript.status.claims.all.append(Claim(0, 1, 0, Ground.ABSENCE, (0, 0), bytes(32), Fate.OPEN))
    if stage in (Stage.ENDED, Stage.SIGNED, Stage.OPENED, Stage.CLOSED):
        transcript.status.over = True
        for one in (transcript, pair.host.transcript):
            one.status.accepted[1] = Acceptance(1, 1, one.newest(0, (0, 1))[2])
        transcript.seeds = {0: b"", 1: b""}
    frame = frame_for(Cheat(pair, 0), kind)
    if (stage, kind) in TRANSITIONS:
        transcript.accept(frame, 0)
        assert transcript.stages[0] is TRANSITIONS[stage, kind]
    else:
        with pytest.raises((Misbehaviour, Disputed)) as caught:
            transcript.accept(frame, 0)
        assert caught.value.code in ("not_now", "false_result")
        own_word = stage in (Stage.RESIGNED, Stage.AGREED) and kind not in (Input.SEED, Input.VERDICT)
        named = own_word or kind is Input.ENVELOPE or caught.value.code == "false_result"
        assert isinstance(caught.value, Misbehaviour) == named


def test_every_stage_but_the_last_can_be_left_and_nothing_leads_back() -> None:
    order = list(Stage)
    for (stage, kind), after in TRANSITIONS.items():
        if kind is not Input.LAPSE:
            assert order.index(after) >= order.index(stage)
    for stage in order[:-1]:
        assert any(before is stage and after is not stage for (before, _), after in TRANSITIONS.items())


# --- foreign bytes --------------------------------------------------------------------------------------------


@given(st.lists(st.binary(max_size=400), min_size=1, max_size=4))
def test_random_bytes_end_in_one_documented_event(frames: list[bytes]) -> None:
    session = on_a_line(RANDOM_TARGET.restored(0))
    session.data_to_send()
    before = session.records
    for frame in frames:
        session.receive_data(frame)
    events = session.events_received()
    assert [type(event) for event in events] == [Damaged]
    assert session.broken
    assert session.records == before


@given(st.data())
def test_mangled_frames_never_raise_and_never_convict(data: st.DataObject) -> None:
    frames = [frame for seat, frame in RANDOM_TARGET.wire if seat == 0]
    frame = bytearray(data.draw(st.sampled_from(frames)))
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(frame) - 1))
        frame[at] = data.draw(st.integers(0, 255))
    session = on_a_line(RANDOM_TARGET.restored(1))
    session.receive_data(bytes(frame))
    kinds = {type(event) for event in session.events_received()}
    assert kinds <= {Damaged}


RANDOM_TARGET = Pair(Bluff(), (3, 0), tag="random")
RANDOM_TARGET.play_out(5, limit=5)


def test_a_damaged_frame_is_survived_by_resuming() -> None:
    pair = rps()
    pair.host.act(1)
    pair.transfer(0, lambda frame: frame[:-1])
    assert pair.last(1, Damaged).code == "not_msgpack"
    pair.guest.receive_data(pair.host.records[-1].frame)
    assert pair.guest.transcript.length == 0
    pair.reconnect()
    pair.settle()
    assert pair.guest.transcript.length == 1
    pair.play_out()
    assert pair.last(0, Audited).ok


# --- what goes out --------------------------------------------------------------------------------------------


def test_an_answer_and_what_follows_by_force_travel_in_one_envelope() -> None:
    pair = Pair(Bluff(), (4, 0))
    for seat in (0, 1):
        pair.act(seat, None, (0, 1, 2, 3))
    seat = 0 if pair.host.asks_us else 1
    pair.sessions[seat].act((2, 0))
    (frame,) = pair.sessions[seat].data_to_send()
    assert [type(step) for step in envelope_of(frame).steps] == [Choice, Reveal]
    pair.sessions[1 - seat].receive_data(frame)
    pair.collect()
    assert [type(request) for request, _ in pair.last(1 - seat, Answered).answers][1:] == [Open]


def test_a_round_of_sealed_throws_takes_three_messages() -> None:
    pair = rps(9)
    pair.act(0, 1)
    pair.act(1, 0)
    assert [seat for seat, _ in pair.wire] == [0, 1, 0]
    assert pair.host.state.wins == (1, 0)


def test_gathering_sends_what_is_forced_with_the_next_decision() -> None:
    counts = {}
    for gather in (False, True):
        pair = Pair(RockPaperScissors(), 9, gather=gather)
        pair.act(0, 1)
        pair.act(1, 0)
        assert pair.host.state.wins == (1, 0)
        assert pair.host.asks_us is not None
        pair.act(0, 1)
        pair.act(1, 0)
        counts[gather] = len(pair.wire)
    assert counts == {False: 6, True: 4}  # Seal, answer, open and seal, answer.
    pair.host.flush()
    pair.settle()
    assert pair.guest.state.wins == (2, 0)


def test_nothing_before_the_first_opening_depends_on_what_is_hidden() -> None:
    def frames(order: tuple[int, ...]) -> list[bytes]:
        pair = Pair(Bluff(), (4, 0))
        for seat in (0, 1):
            pair.act(seat, None, order)
        return [frame for _, frame in pair.wire]

    one, two = frames((0, 1, 2, 3)), frames((3, 1, 0, 2))
    assert [len(frame) for frame in one] == [len(frame) for frame in two]


def test_mixed_hands_are_known_to_their_owner_alone() -> None:
    pair = Pair(Bluff(), (4, 0))
    for seat in (0, 1):
        pair.act(seat, None, (3, 2, 1, 0))
    seat = 0 if pair.host.asks_us else 1
    owner, other = pair.sessions[seat], pair.sessions[1 - seat]
    old = owner.state.hands[seat]
    pair.act(seat, (1, 1), [[old[2]], [old[0], old[1], old[3]]])
    hand = owner.state.hands[seat]
    assert owner.known[hand[0]] == 1
    assert sorted(owner.known[slot] for slot in hand[1:]) == [0, 2, 3]
    assert not any(slot in other.known for slot in hand)


# --- own mistakes ---------------------------------------------------------------------------------------------


def test_misuse_raises_and_changes_nothing() -> None:
    pair = Pair(Bluff(), (4, 0))
    before = pair.host.records
    misuses: list[Callable[[], None]] = [
        lambda: pair.host.act((0, 0, 1)),
        lambda: pair.host.act(None, (0, 0, 1, 2)),
        lambda: pair.host.act(None, (0, 1, 2)),
        lambda: pair.host.act(None),
        lambda: pair.host.act((True,)),
        lambda: pair.guest.act(None, (0, 1, 2, 3)),
        lambda: pair.host.side_channel.accept_draw(),
        lambda: pair.host.side_channel.decline_draw(),
        lambda: pair.host.side_channel.chat("a\x1b[2J"),
        lambda: pair.host.side_channel.chat("x" * 501),
        lambda: pair.host.side_channel.chat(""),
    ]
    for act in misuses:
        with pytest.raises(LocalProtocolError):
            act()
    assert pair.host.records == before
    assert pair.host.data_to_send() == []
    pair.act(0, None, (0, 1, 2, 3))
    pair.act(1, None, (0, 1, 2, 3))
    session = pair.host if pair.host.asks_us else pair.guest
    for decision, secret in (((2, 1), None), ((0, 0, 9), None), ((1, 1), [[99], [1, 2, 3]]), ((0, 0, 1), [[1]])):
        with pytest.raises(LocalProtocolError):
            session.act(decision, secret)
    pair.play_out()
    assert pair.last(0, Audited).ok
    misuses = [
        lambda: pair.host.side_channel.resign(),
        lambda: pair.host.side_channel.offer_draw(),
        lambda: pair.host.act(0),
    ]
    for act in misuses:
        with pytest.raises(LocalProtocolError):
            act()


def test_a_session_needs_a_handshake_of_its_own() -> None:
    pair = rps()
    with pytest.raises(VerificationError):
        Session(pair.host.records, pair.game, identity("guest"), pair.configs[0].entropy)
    with pytest.raises(VerificationError):
        Session(pair.host.records, pair.game, identity("host"), bytes(32))
    with pytest.raises(LocalProtocolError):
        Session.begin(Handshake(pair.configs[0]))


def test_events_are_values_that_name_seats() -> None:
    pair = rps(1)
    pair.play_out()
    for seat in (0, 1):
        kinds: list[type[Event]] = [type(event) for event in pair.events[seat]]
        assert kinds[-1] is Audited
        assert MatchOver in kinds
    assert isinstance(rps().host.request, Sealed)
