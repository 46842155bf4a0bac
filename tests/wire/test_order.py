"""Messages out of place: two in one place, copies, other matches, damage on the way and in the log.

What a signature proves is laid at its owner's door; everything else accuses nobody.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import replace

import pytest
from helpers import daily_first
from helpers_toy_cheats import assert_disputed, assert_named, bluff, rps, to_move
from helpers_wire import NONCE, Cheat, Pair, envelope_of, flipped, only, records_with
from toys import Bluff, RockPaperScissors

from protocol.core.audit import verify
from protocol.core.events import Damaged, Disagreement, PeerMisbehaved
from protocol.core.frames import FrameKind, unpack_frame
from protocol.core.messages import SideType
from protocol.core.steps import Choice, Seal, Unseal
from protocol.core.transcript import Transcript
from protocol.core.wire import encode
from protocol.crypto.hashing import hash_parts
from protocol.errors import Damage

# --- order, replay, equivocation --------------------------------------------------------------------------


def test_two_envelopes_with_one_number() -> None:
    pair = bluff()
    seat = to_move(pair)
    cheat = Cheat(pair, seat)
    other = cheat.envelope(Choice((0, 0, 1)))
    pair.act(seat, (0, 1, 2))
    cheat.send(other)
    assert_named(pair, seat, "two_messages")
    assert len(pair.last(1 - seat, PeerMisbehaved).evidence) == 2


def test_two_side_envelopes_with_one_number() -> None:
    pair = bluff()
    cheat = Cheat(pair, 0)
    other = cheat.side(SideType.CHAT, "one")
    pair.host.side_channel.chat("two")
    pair.settle()
    cheat.send(other)
    assert_named(pair, 0, "two_messages")


def test_a_chain_that_forks() -> None:
    pair = bluff()
    cheat = Cheat(pair, to_move(pair))
    cheat.send(cheat.envelope(Choice((0, 0, 1)), prev=bytes(32)))
    assert_disputed(pair, cheat.seat, "forked")


def test_an_envelope_in_the_others_name_under_ones_own_signature() -> None:
    pair = rps()
    cheat = Cheat(pair, 0)
    cheat.send(cheat.envelope(Seal(bytes(32), NONCE), seat=1))
    assert_named(pair, 0, "wrong_seat")


def test_an_envelope_of_another_match_proves_nothing() -> None:
    # The same key may have signed a handshake that the other side never finished.
    pair = rps()
    cheat = Cheat(pair, 0)
    cheat.send(cheat.envelope(Seal(bytes(32), NONCE), match_id=bytes(32)))
    assert pair.last(1, Damaged).code == "wrong_match"
    assert pair.guest.stopped is None


def test_a_side_envelope_that_does_not_follow_ones_own() -> None:
    pair = rps()
    pair.host.side_channel.chat("one")
    pair.settle()
    cheat = Cheat(pair, 0)
    cheat.send(cheat.side(SideType.CHAT, "two", prev=bytes(32)))
    assert_disputed(pair, 0, "forked")


def test_a_signed_message_that_cannot_be_read() -> None:
    pair = rps()
    cheat = Cheat(pair, 0)
    cheat.send(cheat.sign_envelope(b"\x93\x01\x02\x03"))
    assert_named(pair, 0, "malformed")


def test_another_state_accuses_nobody() -> None:
    pair = bluff()
    cheat = Cheat(pair, to_move(pair))
    cheat.send(cheat.envelope(Choice((0, 0, 1)), state=bytes(32)))
    assert_disputed(pair, cheat.seat, "states_differ")
    assert pair.sessions[1 - cheat.seat].result is None
    assert pair.verify(1 - cheat.seat).problems[0].seq == cheat.transcript.length + 1


class FalseEnd(Pair):
    """A match whose last envelope names another state, as one may send who sees that he loses."""

    def __init__(self, last: int) -> None:
        self.last_seq = last
        self.cheat = -1
        super().__init__(RockPaperScissors(), 2)

    def transfer(self, seat: int, tamper: Callable[[bytes], bytes | None] = lambda frame: frame) -> int:
        def changed(frame: bytes) -> bytes | None:
            if unpack_frame(frame)[0] is not FrameKind.ENVELOPE or envelope_of(frame).number != self.last_seq:
                return tamper(frame)
            self.cheat = seat
            return Cheat(self, seat).sign_envelope(replace(envelope_of(frame), state=bytes(32)).pack())

        return super().transfer(seat, changed)


def test_a_last_message_with_a_false_state_ends_without_a_result_and_leaves_both_states_for_a_report() -> None:
    whole = rps()
    whole.play_out()
    assert whole.host.result is not None
    pair = FalseEnd(whole.host.transcript.length)
    pair.play_out()
    honest = pair.sessions[1 - pair.cheat]
    assert_disputed(pair, pair.cheat, "states_differ")
    assert honest.result is None
    event = pair.last(1 - pair.cheat, Disagreement)
    # What this program holds is the state in which the match is over; its hash and the false one stand in the words.
    ours = hash_parts("state", event.state).hex()
    assert event.sentence == f"expected the state {ours} after envelope {pair.last_seq}, got {bytes(32).hex()}"
    assert pair.game.result(pair.game.load(event.state)) == whole.host.result
    # The signed message is the end of the log, and a stranger reads the same there and names nobody.
    assert envelope_of(honest.records[-1].frame).state == bytes(32)
    problem = pair.verify(1 - pair.cheat).problems[0]
    assert (problem.seat, problem.text) == (None, event.sentence)


def test_frames_of_another_match_are_foreign_and_accuse_nobody() -> None:
    other, pair = Pair(RockPaperScissors(), 2, tag="other"), rps()
    other.play_out()
    for record in other.host.records:
        pair = rps()
        pair.guest.receive_data(record.frame)
        pair.collect()
        assert pair.saw(1, Damaged)
        assert not pair.saw(1, PeerMisbehaved)
        assert pair.guest.stopped is None


def test_an_old_frame_of_the_same_match_changes_nothing() -> None:
    pair = rps()
    pair.act(0, 0)
    pair.act(1, 1)
    before = pair.guest.records
    for _, frame in list(pair.wire):
        pair.guest.receive_data(frame)
        pair.host.receive_data(frame)
    pair.collect()
    assert pair.guest.records == before
    assert not pair.saw(0, Damaged)
    assert not pair.saw(1, Damaged)


def test_a_message_that_skips_one_is_damage() -> None:
    pair = rps()
    cheat = Cheat(pair, 0)
    cheat.send(cheat.envelope(Seal(bytes(32), NONCE), seq=3))
    assert pair.last(1, Damaged).code == "gap"


# --- bytes ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("apart", daily_first([21, 7]))
def test_every_flipped_bit_on_the_way_is_damage_and_accuses_nobody(apart: int) -> None:
    pair = Pair(Bluff(), (2, 0))
    pair.play_out(3)
    records = pair.guest.records
    for number, record in enumerate(records[4:]):
        reader = Transcript(pair.guest.agreement, pair.game)
        for before in records[4 : 4 + number]:
            reader.accept(before.frame)
        held = len(reader.records)
        for bit in range(number % apart, 8 * len(record.frame), apart):
            with pytest.raises(Damage):
                reader.accept(flipped(record.frame, bit))
        assert len(reader.records) == held
        reader.accept(record.frame)


def test_a_log_with_a_changed_repeated_missing_or_moved_frame_does_not_verify() -> None:
    pair = Pair(Bluff(), (2, 0))
    pair.play_out(3)
    records = list(pair.host.records)
    assert verify(records, only(pair.game)).ok
    envelopes = [number for number, record in enumerate(records) if record.kind == FrameKind.ENVELOPE]
    for number in range(len(records)):
        # A log without its end is a match without its end; only the trailer of the file tells.
        if number <= envelopes[-1]:
            without = records[:number] + records[number + 1 :]
            assert not verify(without, only(pair.game)).ok
        twice = records[: number + 1] + records[number:]
        assert not verify(twice, only(pair.game)).ok
    for one, two in itertools.pairwise(envelopes):
        moved = list(records)
        moved[one], moved[two] = moved[two], moved[one]
        assert not verify(moved, only(pair.game)).ok
    wrong = list(records)
    wrong[5] = wrong[5]._replace(kind=FrameKind.SIDE)
    assert [one.code for one in verify(wrong, only(pair.game)).problems] == ["wrong_kind"]


def test_nobody_opens_a_seal_but_the_seat_that_has_sealed() -> None:
    pair = rps()
    cheat, other = Cheat(pair, 0), Cheat(pair, 1)
    match_id, salt = pair.host.agreement.match_id, bytes(32)
    sealed = hash_parts("sealed", match_id, 1, 0, salt, encode(1))
    cheat.send_and_hold(cheat.envelope(Seal(sealed, NONCE)))
    judged = verify(records_with(pair.guest.records, other.envelope(Unseal(1, salt))), only(pair.game))
    assert [(one.code, one.seat) for one in judged.problems] == [("wrong_step", 1)]
