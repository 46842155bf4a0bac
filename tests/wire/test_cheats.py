"""Changed programs, one for each way to cheat that the scheme ``hash`` can meet.

Each is named at once by the other side or at the end by the audit, and a stranger with the log alone comes to
the same verdict.  The honest side is never accused.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from dataclasses import replace

import pytest
from helpers_wire import Cheat, Pair, envelope_of, flipped, records_with
from toys import Bluff, RockPaperScissors

from protocol import keys, wire
from protocol.audit import verify
from protocol.commitments import Maker
from protocol.commitments.hash import HashScheme
from protocol.errors import Damage
from protocol.events import Audited, Damaged, Disagreement, MatchOver, PeerMisbehaved
from protocol.frames import Kind, pack_frame, unpack_frame
from protocol.game import Hide, Mix
from protocol.messages import AuditVerdict, Outcome, SideType
from protocol.steps import Choice, Cover, Reveal, Seal, Shuffle, TossFix, TossShare, Unseal
from protocol.transcript import Transcript
from protocol.wire import hashed


def rps(rounds: int = 2) -> Pair:
    return Pair(RockPaperScissors(), rounds)


def bluff(cards: int = 4, private: int = 0) -> Pair:
    """Return a match of bluff in which both have hidden their cards in order."""
    pair = Pair(Bluff(), (cards, private))
    for seat in (0, 1):
        pair.act(seat, None, tuple(range(cards)))
    assert pair.host.asks_us or pair.guest.asks_us
    return pair


def to_move(pair: Pair) -> int:
    return 0 if pair.host.asks_us is not None else 1


def assert_named(pair: Pair, cheat: int, code: str) -> None:
    """Check that the honest side stopped, and that the evidence convinces a stranger who has nothing else."""
    honest = pair.sessions[1 - cheat]
    event = pair.last(1 - cheat, PeerMisbehaved)
    assert (event.code, event.seat) == (code, cheat)
    assert event.sentence.startswith("expected ")
    assert honest.over
    assert event.result["winner"] == str(1 - cheat)
    assert honest.result == event.result
    judged = pair.verify(1 - cheat)
    assert [(one.code, one.seat) for one in judged.problems] == [(code, cheat)]
    assert not judged.ok
    assert judged.result == event.result
    # Restarting does not make it forgotten.
    assert pair.restored(1 - cheat).stopped == event


def assert_disputed(pair: Pair, cheat: int, code: str) -> None:
    """Check that the match stopped, that nobody is accused, and that the log says why, also after a restart."""
    honest = pair.sessions[1 - cheat]
    event = pair.last(1 - cheat, Disagreement)
    assert event.code == code
    assert event.sentence.startswith("expected ")
    assert not pair.saw(1 - cheat, PeerMisbehaved)
    judged = pair.verify(1 - cheat)
    assert [(one.code, one.seat) for one in judged.problems] == [(code, None)]
    assert judged.result == honest.result
    assert pair.restored(1 - cheat).stopped == honest.stopped == event


def assert_audited(pair: Pair, cheat: int, code: str) -> None:
    """Check that the audits of both and of a stranger name the seat."""
    for seat in (0, 1):
        event = pair.last(seat, Audited)
        assert not event.ok
        assert event.agreed
        assert {(one.code, one.seat) for one in event.problems} == {(code, cheat)}
    judged = pair.verify()
    assert judged.audited
    assert not judged.ok
    assert {(one.code, one.seat) for one in judged.problems} == {(code, cheat)}


# --- signed messages that are against the rules -----------------------------------------------------------


def test_a_decision_that_the_rules_forbid() -> None:
    pair = bluff()
    cheat = Cheat(pair, to_move(pair))
    cheat.send(cheat.envelope(Choice((0, 0, 99))))
    assert_named(pair, cheat.seat, "illegal_decision")


@pytest.mark.parametrize("said", [None, (), (0,), ((((1,),),),), -5, 2**53 - 1, (0, None, 1), (0, 0, (1,))])
def test_words_that_the_rules_cannot_read(said: wire.Value) -> None:
    pair = bluff()
    cheat = Cheat(pair, to_move(pair))
    cheat.send(cheat.envelope(Choice(said)))  # type: ignore[arg-type]
    assert_named(pair, cheat.seat, "illegal_decision")


def test_a_move_out_of_turn() -> None:
    pair = bluff()
    cheat = Cheat(pair, 1 - to_move(pair))
    cheat.send(cheat.envelope(Choice((0, 0, 1))))
    assert_named(pair, cheat.seat, "not_your_turn")


def test_a_second_step_when_it_is_no_longer_ones_turn() -> None:
    pair = bluff()
    cheat = Cheat(pair, to_move(pair))
    cheat.send(cheat.envelope(Choice((0, 0, 1)), Choice(0)))
    assert_named(pair, cheat.seat, "not_your_turn")


def test_an_open_throw_where_a_seal_is_due() -> None:
    pair = rps()
    cheat = Cheat(pair, 0)
    cheat.send(cheat.envelope(Choice(1)))
    assert_named(pair, 0, "wrong_step")


def test_too_few_commitments_and_too_many() -> None:
    for count in (3, 5):
        pair = Pair(Bluff(), (4, 0), tag=str(count))
        cheat = Cheat(pair, 0)
        cheat.send(cheat.envelope(Cover(tuple(bytes([one]) * 32 for one in range(count)), b"")))
        assert_named(pair, 0, "wrong_count")


def test_a_proof_that_the_scheme_does_not_know() -> None:
    pair = Pair(Bluff(), (4, 0))
    cheat = Cheat(pair, 0)
    cheat.send(cheat.envelope(Cover(tuple(bytes([one]) * 32 for one in range(4)), b"x")))
    assert_named(pair, 0, "unwanted_proof")


def test_the_same_commitment_twice_in_one_setup() -> None:
    pair = Pair(Bluff(), (4, 0))
    cheat = Cheat(pair, 0)
    cheat.send(cheat.envelope(Cover((bytes(32),) * 4, b"")))
    assert_named(pair, 0, "commitment_repeated")


def test_copying_the_other_sides_commitments() -> None:
    pair = Pair(Bluff(), (4, 0))
    pair.act(0, None, (0, 1, 2, 3))
    (cover,) = envelope_of(pair.wire[-1][1]).steps
    cheat = Cheat(pair, 1)
    cheat.send(cheat.envelope(cover))
    assert_named(pair, 1, "commitment_repeated")


def test_copying_a_seal_of_an_earlier_round() -> None:
    pair = rps(3)
    pair.act(0, 0)
    seal = envelope_of(pair.wire[-1][1]).steps[0]
    assert isinstance(seal, Seal)
    pair.act(1, 0)
    cheat = Cheat(pair, 0)
    cheat.send(cheat.envelope(seal))
    assert_named(pair, 0, "commitment_repeated")


def test_opening_another_throw_than_was_sealed() -> None:
    pair = rps()
    pair.act(0, 0)
    pair.guest.act(1)
    pair.transfer(1, lambda frame: None)
    cheat = Cheat(pair, 0)
    frame = pair.guest.records[-1].frame
    cheat.transcript.accept(frame)
    salt = cheat.draft()._salt()
    cheat.send(cheat.envelope(Unseal(2, salt)))
    assert_named(pair, 0, "wrong_opening")


def test_opening_a_throw_that_was_never_legal() -> None:
    pair = rps()
    cheat = Cheat(pair, 0)
    salt = cheat.draft()._salt()
    seal = cheat.transcript.referee.seal(0, 0, salt, 7)
    cheat.transcript.accept(frame := cheat.envelope(Seal(seal)))
    cheat.send(frame)
    pair.guest.act(1)
    pair.transfer(1, lambda frame: None)
    cheat.transcript.accept(pair.guest.records[-1].frame)
    cheat.send(cheat.envelope(Unseal(7, salt)))
    assert_named(pair, 0, "illegal_decision")


def doubted() -> tuple[Pair, Cheat]:
    """Return a match in which the cheat must open the card that he has played."""
    pair = bluff()
    seat = to_move(pair)
    pair.act(seat, (0, 1, 3))
    pair.sessions[1 - seat].act(1)
    pair.transfer(1 - seat, lambda frame: None)
    cheat = Cheat(pair, seat)
    cheat.transcript.accept(pair.sessions[1 - seat].records[-1].frame)
    return pair, cheat


def test_opening_another_value() -> None:
    pair, cheat = doubted()
    slot = cheat.session.state.hands[cheat.seat][1]
    opening = cheat.session._cards.openings[slot]
    cheat.send(cheat.envelope(Reveal(((3, opening),))))
    assert_named(pair, cheat.seat, "wrong_opening")


def test_opening_another_card() -> None:
    pair, cheat = doubted()
    slot = cheat.session.state.hands[cheat.seat][3]
    opening = cheat.session._cards.openings[slot]
    cheat.send(cheat.envelope(Reveal(((3, opening),))))
    assert_named(pair, cheat.seat, "wrong_opening")


def test_refusing_to_open() -> None:
    pair, cheat = doubted()
    cheat.send(cheat.envelope(Choice((0, 0, 1))))
    assert_named(pair, cheat.seat, "wrong_step")


def test_opening_more_than_is_asked() -> None:
    pair, cheat = doubted()
    openings = cheat.session._cards.openings
    known = cheat.session.known
    hand = cheat.session.state.hands[cheat.seat]
    cheat.send(cheat.envelope(Reveal(tuple((known[slot], openings[slot]) for slot in hand))))
    assert_named(pair, cheat.seat, "wrong_count")


def test_an_opening_that_shows_a_forbidden_declaration() -> None:
    pair = bluff()
    cheat = Cheat(pair, to_move(pair))
    slot = cheat.session.state.hands[cheat.seat][1]
    cheat.send(cheat.envelope(Choice((2, 1)), Reveal(((1, cheat.session._cards.openings[slot]),))))
    assert_named(pair, cheat.seat, "declared_wrong")


def test_a_mix_whose_order_tells_something() -> None:
    pair, cheat, shuffle = mixing()
    parts = tuple(tuple(reversed(part)) for part in shuffle.parts)
    cheat.send(cheat.envelope(Choice((1, 1)), Shuffle(parts, b"")))
    assert_named(pair, cheat.seat, "not_sorted")


def test_a_mix_of_other_sizes() -> None:
    pair, cheat, shuffle = mixing()
    cheat.send(cheat.envelope(Choice((1, 1)), Shuffle(shuffle.parts[::-1], b"")))
    assert_named(pair, cheat.seat, "wrong_count")


def test_a_mix_that_keeps_an_old_commitment() -> None:
    pair, cheat, shuffle = mixing()
    token = cheat.transcript.position.tokens[cheat.session.state.hands[cheat.seat][0]]
    cheat.send(cheat.envelope(Choice((1, 1)), Shuffle(((token.commitment,), shuffle.parts[1]), b"")))
    assert_named(pair, cheat.seat, "commitment_repeated")


def mixing() -> tuple[Pair, Cheat, Shuffle]:
    """Return a match, the cheat whose turn it is, and an honest mix of his hand in parts of 1 and 3."""
    pair = bluff()
    cheat = Cheat(pair, to_move(pair))
    return pair, cheat, honest_mix(cheat, (0, 1, 2, 3))


def honest_mix(cheat: Cheat, values: Sequence[int]) -> Shuffle:
    """Return a well-formed mix that holds these values."""
    draft = cheat.draft()
    draft.add(Choice((1, 1)))
    request = draft.request
    assert isinstance(request, Mix)
    maker = Maker(cheat.transcript.agreement.match_id, cheat.seat, cheat.secrets.seed)
    made = HashScheme().commit(maker, request.give[0][0], values)
    commitments = [secret.commitment for secret in made]
    return Shuffle(((commitments[0],), tuple(sorted(commitments[1:]))), b"")


# --- what the audit finds -----------------------------------------------------------------------------------


@pytest.mark.parametrize("values", [(0, 0, 1, 2), (3, 3, 3, 3), (0, 1, 2, 12)])
def test_a_duplicate_or_foreign_card_in_the_setup(values: tuple[int, ...]) -> None:
    pair = Pair(Bluff(), (4, 0))
    cheat = Cheat(pair, 0)
    maker = Maker(cheat.transcript.agreement.match_id, 0, cheat.secrets.seed)
    made = HashScheme().commit(maker, 0, values)
    cover = Cover(tuple(secret.commitment for secret in made), b"")
    cheat.go_quiet()
    cheat.send_and_hold(cheat.envelope(cover, state=cheat.state_after(cover)))
    pair.act(1, None, (0, 1, 2, 3))
    pair.host.resign()
    pair.settle()
    assert_audited(pair, 0, "batch_not_derived")


@pytest.mark.parametrize("values", [(0, 0, 1, 2), (3, 3, 3, 3), (0, 1, 2, 12)])
def test_a_card_swapped_or_doubled_in_a_mix(values: tuple[int, ...]) -> None:
    pair, cheat, _ = mixing()
    steps = (Choice((1, 1)), honest_mix(cheat, values))
    cheat.go_quiet()
    cheat.send_and_hold(cheat.envelope(*steps, state=cheat.state_after(*steps)))
    cheat.session.resign()
    pair.settle()
    assert_audited(pair, cheat.seat, "batch_not_derived")


def test_salts_that_do_not_come_from_the_seed() -> None:
    pair = Pair(Bluff(), (4, 0))
    cheat = Cheat(pair, 0)
    cover = Cover(tuple(wire.hashed("mine", number) for number in range(4)), b"")
    cheat.go_quiet()
    cheat.send_and_hold(cheat.envelope(cover, state=cheat.state_after(cover)))
    pair.guest.resign()
    pair.settle()
    assert_audited(pair, 0, "batch_not_derived")


def test_a_seal_with_a_salt_of_ones_own() -> None:
    pair = rps(1)
    cheat = Cheat(pair, 0)
    cheat.go_quiet()
    seal = Seal(cheat.transcript.referee.seal(0, 0, bytes(32), 1))
    cheat.send_and_hold(cheat.envelope(seal))
    pair.guest.act(0)
    pair.transfer(1, lambda frame: None)
    cheat.transcript.accept(pair.guest.records[-1].frame)
    unseal = Unseal(1, bytes(32))
    cheat.send_and_hold(cheat.envelope(unseal, state=cheat.state_after(unseal)))
    pair.host._continue()
    pair.settle()
    assert_audited(pair, 0, "seal_not_derived")


def test_a_declaration_that_only_open_cards_disprove() -> None:
    pair = Pair(Bluff(), (4, 1))
    for seat in (0, 1):
        pair.act(seat, None, (0, 1, 2, 3))
    assert pair.host.known[-1] in (0, 1)
    assert -1 not in pair.guest.known
    cheat = Cheat(pair, 0)
    lie = Choice((3, 1 - pair.host.known[-1]))
    cheat.send_and_hold(cheat.envelope(lie, state=cheat.state_after(lie)))
    pair.guest.resign()
    pair.settle()
    assert_audited(pair, 0, "illegal_decision")


def test_a_share_of_a_toss_that_does_not_come_from_the_seed() -> None:
    pair = Pair(Bluff(), (4, 0))
    pair.act(0, None, (0, 1, 2, 3))
    pair.guest.act(None, (0, 1, 2, 3))
    pair.transfer(1, lambda frame: None)
    cheat = Cheat(pair, 0)
    cheat.transcript.accept(pair.guest.records[-1].frame)
    cheat.go_quiet()
    serial = cheat.transcript.position.serial
    cheat.send_and_hold(cheat.envelope(TossFix(cheat.transcript.referee.fix_share(0, serial, bytes(32)))))
    pair.collect()
    share = TossShare(bytes(32))
    cheat.send_and_hold(cheat.envelope(share, state=cheat.state_after(share)))
    pair.guest.resign()
    pair.settle()
    assert_audited(pair, 0, "share_not_derived")


def test_telling_another_share_than_was_fixed() -> None:
    pair = Pair(Bluff(), (4, 0))
    pair.act(0, None, (0, 1, 2, 3))
    pair.guest.act(None, (0, 1, 2, 3))
    pair.transfer(1)
    pair.transfer(0)
    pair.transfer(1, lambda frame: None)
    cheat = Cheat(pair, 0)
    cheat.transcript.accept(pair.guest.records[-1].frame)
    cheat.send(cheat.envelope(TossShare(bytes(32))))
    assert_named(pair, 0, "wrong_opening")


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
    pair.host.chat("two")
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
    cheat.send(cheat.envelope(Seal(bytes(32)), seat=1))
    assert_named(pair, 0, "wrong_seat")


def test_an_envelope_of_another_match_proves_nothing() -> None:
    # The same key may have signed a handshake that the other side never finished.
    pair = rps()
    cheat = Cheat(pair, 0)
    cheat.send(cheat.envelope(Seal(bytes(32)), match_id=bytes(32)))
    assert pair.last(1, Damaged).code == "wrong_match"
    assert pair.guest.stopped is None


def test_a_side_envelope_that_does_not_follow_ones_own() -> None:
    pair = rps()
    pair.host.chat("one")
    pair.settle()
    cheat = Cheat(pair, 0)
    cheat.send(cheat.side(SideType.CHAT, "two", prev=bytes(32)))
    assert_named(pair, 0, "wrong_prev")


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
            if unpack_frame(frame)[0] is not Kind.ENVELOPE or envelope_of(frame).seq != self.last_seq:
                return tamper(frame)
            self.cheat = seat
            return Cheat(self, seat).sign_envelope(replace(envelope_of(frame), state=bytes(32)).pack())

        return super().transfer(seat, changed)


def test_a_last_message_with_a_false_state_ends_without_a_result_and_leaves_both_states_for_a_report() -> None:
    whole = rps()
    whole.play_out()
    assert whole.host.result is not None
    pair = FalseEnd(whole.host.seq)
    pair.play_out()
    honest = pair.sessions[1 - pair.cheat]
    assert_disputed(pair, pair.cheat, "states_differ")
    assert honest.result is None
    event = pair.last(1 - pair.cheat, Disagreement)
    # What this program holds is the state in which the match is over; its hash and the false one stand in the words.
    ours = hashed("state", event.state).hex()
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
    cheat.send(cheat.envelope(Seal(bytes(32)), seq=3))
    assert pair.last(1, Damaged).code == "gap"


# --- draw, resignation, result ------------------------------------------------------------------------------


def test_a_lie_about_what_one_has_seen() -> None:
    pair = rps()
    pair.act(0, 0)
    cheat = Cheat(pair, 0)
    cheat.send(cheat.side(SideType.OFFER, seq=0, head=cheat.transcript.heads[0]))
    assert_disputed(pair, 0, "forked")


def test_a_side_envelope_on_a_head_that_never_was() -> None:
    pair = rps()
    cheat = Cheat(pair, 0)
    cheat.send(cheat.side(SideType.RESIGN, head=bytes(32)))
    assert_disputed(pair, 0, "forked")


def test_accepting_what_was_never_offered() -> None:
    pair = rps()
    for number in (1, 7):
        pair = rps()
        cheat = Cheat(pair, 0)
        pair.guest.chat("hello")
        pair.settle()
        cheat.send(cheat.side(SideType.ACCEPT, number))
        assert_disputed(pair, 0, "no_such_offer")


def test_a_move_after_resigning() -> None:
    pair = rps()
    cheat = Cheat(pair, 0)
    seal = cheat.envelope(Seal(bytes(32)))
    cheat.send(cheat.side(SideType.RESIGN))
    cheat.send(seal)
    assert_named(pair, 0, "not_now")


def test_denying_ones_resignation_by_another_result() -> None:
    pair = rps()
    pair.host.resign()
    cheat = Cheat(pair, 0)
    pair.transfer(0)
    result = Outcome(cheat.transcript.agreement.match_id, 0, cheat.transcript.head, (("winner", "0"),))
    cheat.send(signed_result(cheat, result))
    assert_named(pair, 0, "false_result")


def test_claiming_a_result_while_the_match_goes_on() -> None:
    pair = rps()
    cheat = Cheat(pair, 0)
    result = Outcome(cheat.transcript.agreement.match_id, 0, cheat.transcript.head, (("winner", "0"),))
    cheat.send(signed_result(cheat, result))
    assert_named(pair, 0, "false_result")


def test_a_result_on_grounds_that_nobody_has_seen() -> None:
    pair = rps()
    cheat = Cheat(pair, 0)
    grounds = ((1, bytes(32)),)
    result = Outcome(pair.host.agreement.match_id, 0, cheat.transcript.head, (("winner", "0"),), grounds)
    cheat.send(signed_result(cheat, result))
    assert_disputed(pair, 0, "forked")


def test_signing_before_the_other_what_one_has_resigned() -> None:
    pair = rps()
    cheat = Cheat(pair, 0)
    cheat.go_quiet()
    pair.host.resign()
    frame = signed_result(cheat, cheat.transcript.signable(cheat.seat))
    pair.guest._continue = lambda: None  # type: ignore[method-assign]
    pair.transfer(0)
    cheat.send(frame)
    assert pair.last(1, Disagreement).code == "not_now"
    assert pair.guest.result == {"winner": "1", "reason": "forfeit"}


def test_opening_ones_seed_in_the_middle_of_the_match() -> None:
    pair = rps()
    cheat = Cheat(pair, 0)
    seed = cheat.secrets.seed
    digest = wire.hashed("open-seed", pair.host.agreement.match_id, seed)
    cheat.send(pack_frame(Kind.SEED, 0, seed, cheat.secrets.match_key.sign_digest(digest)))
    assert_disputed(pair, 0, "not_now")


def signed_result(cheat: Cheat, result: Outcome) -> bytes:
    data = result.pack()
    by_match_key = keys.sign(cheat.secrets.match_key, "result", data)
    by_identity = keys.sign(cheat.session._identity, "result", data)
    return pack_frame(Kind.RESULT, cheat.seat, data, by_match_key, by_identity)


def ended() -> tuple[Pair, Cheat]:
    """Return a match that both have signed; the cheat, seat 0, has not opened his seed."""
    pair = rps(1)
    pair.act(0, 0)
    pair.guest.resign()
    pair.transfer(1)
    frames = pair.host.data_to_send()
    pair.guest.receive_data(frames[0])
    pair.collect()
    return pair, Cheat(pair, 0)


def test_opening_another_seed() -> None:
    pair, cheat = ended()
    digest = wire.hashed("open-seed", cheat.transcript.agreement.match_id, bytes(32))
    cheat.send(pack_frame(Kind.SEED, 0, bytes(32), cheat.secrets.match_key.sign_digest(digest)))
    assert_named(pair, 0, "wrong_seed")


def test_refusing_the_audit_leaves_a_result_that_says_so() -> None:
    pair, _ = ended()
    assert pair.saw(1, MatchOver)
    verdict = pair.verify(1)
    assert verdict.ok
    assert not verdict.audited
    assert verdict.signed == (0, 1)
    assert verdict.result == {"winner": "0", "reason": "forfeit"}


def test_refusing_to_sign_the_result_leaves_the_chain() -> None:
    pair = rps(1)
    pair.act(0, 0)
    pair.guest.act(1)
    pair.transfer(1, lambda frame: None)
    pair.guest.receive_data(pair.guest.records[-1].frame)
    verdict = pair.verify(1)
    assert verdict.ok
    assert verdict.result is None


def test_a_verdict_that_invents_a_problem() -> None:
    pair = rps(1)
    pair.play_out(1)
    transcript = Transcript(pair.host.agreement, pair.game)
    records = [record for record in pair.host.records[4:] if record.kind != Kind.VERDICT]
    for record in records:
        transcript.accept(record.frame)
    data = AuditVerdict(pair.host.agreement.match_id, 0, (("illegal_decision", 1, 1),)).pack()
    frame = pack_frame(Kind.VERDICT, data, keys.sign(Cheat(pair, 0).secrets.match_key, "verdict", data))
    judged = verify(records_with([*pair.host.records[:4], *records], frame), [pair.game])
    assert [(one.code, one.seat) for one in judged.problems] == [("false_verdict", 0)]


# --- bytes ------------------------------------------------------------------------------------------------


def test_every_flipped_bit_on_the_way_is_damage_and_accuses_nobody() -> None:
    pair = Pair(Bluff(), (2, 0))
    pair.play_out(3)
    records = pair.guest.records
    for number, record in enumerate(records[4:]):
        reader = Transcript(pair.guest.agreement, pair.game)
        for before in records[4 : 4 + number]:
            reader.accept(before.frame)
        held = len(reader.records)
        for bit in range(number % 7, 8 * len(record.frame), 7):
            with pytest.raises(Damage):
                reader.accept(flipped(record.frame, bit))
        assert len(reader.records) == held
        reader.accept(record.frame)


def test_a_log_with_a_changed_repeated_missing_or_moved_frame_does_not_verify() -> None:
    pair = Pair(Bluff(), (2, 0))
    pair.play_out(3)
    records = list(pair.host.records)
    assert verify(records, [pair.game]).ok
    envelopes = [number for number, record in enumerate(records) if record.kind == Kind.ENVELOPE]
    for number in range(len(records)):
        # A log without its end is a match without its end; only the trailer of the file tells.
        if number <= envelopes[-1]:
            without = records[:number] + records[number + 1 :]
            assert not verify(without, [pair.game]).ok
        twice = records[: number + 1] + records[number:]
        assert not verify(twice, [pair.game]).ok
    for one, two in itertools.pairwise(envelopes):
        moved = list(records)
        moved[one], moved[two] = moved[two], moved[one]
        assert not verify(moved, [pair.game]).ok
    wrong = list(records)
    wrong[5] = replace(wrong[5], kind=Kind.SIDE)
    assert [one.code for one in verify(wrong, [pair.game]).problems] == ["wrong_kind"]


def test_a_hide_is_asked_of_the_toy() -> None:
    assert isinstance(Pair(Bluff(), (2, 0)).host.asks_us, Hide)
