"""A witness: what it is shown, what it signs, and that nothing it does or leaves undone decides a match."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from typing import Any

import pytest
from helpers_judging import agreed, codes, log_of
from helpers_judging import judged as judged_by_both
from helpers_wire import Cheat, Pair, author_of, flipped, identity, only
from toys import RockPaperScissors

from protocol.core.audit import verify
from protocol.core.clock import ABSENT_SECONDS
from protocol.core.events import Damaged
from protocol.core.frames import FrameKind, Record, pack_frame, unpack_frame
from protocol.core.match_status import Fate
from protocol.core.messages import SideType
from protocol.core.witness import MESSAGE_LIMIT, Witness, WitnessStatement, count_contradictions, message_to_show
from protocol.crypto import hashing, keys
from protocol.independent import curve
from protocol.record import judging
from wire.witness import KEY, TERMS, judged, show, watched


def forged(pair: Pair, **changes: object) -> bytes:
    """Return a frame that anybody can make who does not have the witness's key."""
    agreement = pair.host.agreement
    plain = WitnessStatement(agreement.match_id, agreement.players[0].match_key, bytes(32), 1, 1, agreement.match_id)
    data = replace(plain, **changes).pack()  # type: ignore[arg-type]
    return pack_frame(FrameKind.WITNESS, data, keys.sign(identity("nobody"), "witness", data))


def signed(statement: WitnessStatement) -> bytes:
    """Return a frame that a lying witness can make."""
    data = statement.pack()
    return pack_frame(FrameKind.WITNESS, data, keys.sign(KEY, "witness", data))


# --- an honest witness ----------------------------------------------------------------------------------------


def test_a_log_more_is_read_once_more_to_find_what_the_witness_saw(monkeypatch: pytest.MonkeyPatch) -> None:
    pair, witness = watched(), Witness(KEY)
    while not pair.host.over:
        for seat in (0, 1):
            if pair.sessions[seat].asks_us is not None:
                pair.act(seat, 1 + seat)
        show(pair, witness, 5000)
    pair.settle()
    read: list[bytes] = []

    def count(frame: bytes) -> Any:
        read.append(frame)
        return message_to_show(frame)

    monkeypatch.setattr(judging, "message_to_show", count)
    answers = judging.judge([log_of(pair, number % 2) for number in range(6)], only(pair.game))
    assert all(answer["witness"]["seen"] for answer in answers)
    assert len(read) == len(set(read))


def test_everything_that_decides_is_countersigned_and_stands_in_both_logs() -> None:
    pair, witness = watched(), Witness(KEY)
    at = 5000
    while not pair.host.over:
        for seat in (0, 1):
            if pair.sessions[seat].asks_us is not None:
                pair.act(seat, 1 + seat)
        at += 10
        show(pair, witness, at)
    pair.settle()
    show(pair, witness, at)
    for seat in (0, 1):
        verdict = judged(pair, seat)
        assert verdict.ok
        assert verdict.audited
        assert verdict.transcript is not None
        statements = verdict.transcript.statements
        assert len(statements) == pair.host.transcript.length
        assert count_contradictions(statements) == 0
        assert [one.at for one in statements] == sorted(one.at for one in statements)
    # Both have asked, and both were told the same.
    assert pair.host.transcript.statements == pair.guest.transcript.statements


def test_a_witness_is_shown_hashes_keys_and_signatures_and_no_chat() -> None:
    pair = watched()
    pair.act(0, 1)
    pair.host.side_channel.chat("a secret word")
    pair.host.side_channel.offer_draw()
    pair.settle()
    asked = show(pair, Witness(KEY), seats=(0,))
    assert len(asked) == 2
    for question in asked:
        kind, values = unpack_frame(question)
        assert kind is FrameKind.WATCH
        assert [len(value) for value in values] == [32, 32, 32, 32, 64]
        assert len(question) == len(asked[0])
    messages = [message_to_show(record.frame) for record in pair.host.records]
    assert sum(message is not None for message in messages) == 2


def test_the_same_hash_gets_the_same_time_for_ever() -> None:
    pair, witness = watched(), Witness(KEY)
    pair.act(0, 1)
    (question,) = show(pair, witness, 5000, (0,))
    assert witness.answer(question, 9000) == witness.answer(question, 1)
    show(pair, witness, 9000)
    assert [one.at for one in pair.guest.transcript.statements] == [5000]


def test_a_log_shows_who_was_silent_when_the_witness_saw_the_claim() -> None:
    pair, witness = watched(), Witness(KEY)
    pair.act(0, 1)
    show(pair, witness, 5000)
    pair.now += ABSENT_SECONDS
    pair.host.side_channel.claim(now=pair.now)
    pair.transfer(0, lambda frame: None)
    show(pair, witness, 5000 + ABSENT_SECONDS, (0,))
    verdict = judged(pair)
    assert (verdict.ok, verdict.result) == (True, None)
    assert verdict.transcript is not None
    assert verdict.owes == 1
    assert [one.fate for one in verdict.transcript.status.claims.all] == [Fate.OPEN]
    first, claim = verdict.transcript.statements
    assert claim.at - first.at == ABSENT_SECONDS
    # Between the two the witness has been shown nothing else of this match.
    assert (claim.number, claim.last) == (2, first.digest)
    assert claim.digest == verdict.transcript.status.claims.all[0].digest


def test_statements_come_back_from_the_records() -> None:
    pair, witness = watched(), Witness(KEY)
    pair.act(0, 1)
    show(pair, witness)
    again = pair.restored(0)
    assert again.side_channel.next_for_witness() is None
    assert again.transcript.statements == pair.host.transcript.statements


def test_a_match_goes_on_with_the_other_where_only_one_has_a_witness_that_answers() -> None:
    pair = watched()
    pair.act(0, 1)
    show(pair, Witness(KEY), seats=(0,))
    for seat, session in enumerate(pair.sessions):
        session.resume(bytes([seat + 1]) * 32)
    pair.settle()
    pair.act(1, 2)
    assert pair.host.stopped is None
    assert pair.guest.stopped is None
    assert judged(pair, 1).ok


def test_without_a_witness_in_the_terms_nobody_is_asked() -> None:
    pair = Pair(RockPaperScissors(), 2)
    pair.act(0, 1)
    assert pair.host.side_channel.next_for_witness() is None
    assert not pair.host.side_channel.take_statement(forged(pair))


# --- forgers, liars and the silent -------------------------------------------------------------------------------


def test_a_statement_of_somebody_else_is_not_kept() -> None:
    pair, witness = watched(), Witness(KEY)
    pair.act(0, 1)
    question = pair.host.side_channel.next_for_witness()
    assert question is not None
    answer = witness.answer(question, 5000)
    assert answer is not None
    agreement = pair.host.agreement
    other = Pair(RockPaperScissors(), 2, tag="other", conditions=TERMS).host.agreement
    wrong = [
        b"",
        b"nonsense",
        question,
        forged(pair),
        answer + b"\0",
        bytes(MESSAGE_LIMIT + 1),
        signed(WitnessStatement(other.match_id, agreement.players[0].match_key, bytes(32), 1, 1, bytes(32))),
        signed(WitnessStatement(agreement.match_id, KEY.public, bytes(32), 1, 1, bytes(32))),
        # A true statement about something else does not answer the question.
        signed(WitnessStatement(agreement.match_id, agreement.players[0].match_key, bytes(32), 1, 1, bytes(32))),
    ]
    for frame in wrong:
        assert not pair.host.side_channel.take_statement(frame)
        assert pair.host.side_channel.next_for_witness() == question
    for bit in range(0, 8 * len(answer), 7):
        assert not pair.host.side_channel.take_statement(flipped(answer, bit))
    assert pair.host.stopped is None
    assert pair.host.side_channel.take_statement(answer)


def test_a_player_cannot_pass_statements_on() -> None:
    pair = watched()
    pair.act(0, 1)
    (question,) = show(pair, Witness(KEY), seats=(0,))
    Cheat(pair, 0).send(pair.host.records[-1].frame)
    assert pair.last(1, Damaged).code == "unexpected_frame"
    Cheat(pair, 1).send(question)
    assert pair.last(0, Damaged).code == "unexpected_frame"
    assert pair.host.stopped is None
    assert pair.guest.stopped is None


def test_a_forged_or_foreign_statement_in_a_log_is_named_and_accuses_nobody() -> None:
    pair = watched()
    pair.act(0, 1)
    show(pair, Witness(KEY), seats=(0,))
    records = list(pair.host.records)
    for frame in (forged(pair), flipped(records[-1].frame, 8 * 60)):
        verdict = verify([*records, Record(FrameKind.WITNESS, frame)], only(RockPaperScissors()))
        assert not verdict.ok
        assert [problem.seat for problem in verdict.problems] == [None]
    # One that is left out is a witness who was silent.
    assert verify(records[:-1], only(RockPaperScissors())).ok


def test_what_stands_under_the_kind_of_an_envelope_and_is_none_is_nothing_that_a_witness_saw() -> None:
    pair, witness = watched(1), Witness(KEY)
    pair.play_out()
    show(pair, witness)
    honest = [log_of(pair, 0), log_of(pair, 1)]
    seen = agreed(honest, only(pair.game))[0]["witness"]
    assert seen["envelopes"] == pair.host.transcript.length
    for kind in (FrameKind.RESULT, FrameKind.SEED, FrameKind.VERDICT):
        moved = [Record(FrameKind.ENVELOPE if one.kind == kind else one.kind, one.frame) for one in pair.guest.records]
        assert "wrong_kind" in codes(judged_by_both(pair, 1, moved))
        for facts in agreed([honest[0], log_of(pair, 1, moved)], only(pair.game)):
            assert facts["witness"] == seen


@pytest.mark.parametrize("changes", [{"seat": 7}, {"match_id": bytes(32)}])
def test_a_witness_saw_no_message_that_names_no_seat_of_the_match_or_another_match(changes: dict[str, Any]) -> None:
    pair = watched()
    frame = Cheat(pair, 0).side(SideType.OFFER, **changes)
    message = message_to_show(frame)
    assert message is not None
    agreement = pair.host.agreement
    key = agreement.players[0].match_key
    statement = signed(WitnessStatement(agreement.match_id, key, message.digest, 5000, 1, agreement.match_id))
    records = [*pair.host.records, Record(FrameKind.WITNESS, statement), Record(FrameKind.SIDE, frame)]
    files = [log_of(pair, 0, records), log_of(pair, 1)]
    for facts in (judged_by_both(pair, 0, records), *agreed(files, only(pair.game))):
        assert facts["witness"]["seen"] == []


def test_a_result_that_a_witness_was_shown_is_not_taken_for_an_envelope() -> None:
    pair = watched(1)
    pair.play_out()
    agreement = pair.host.agreement
    result = next(one.frame for one in pair.host.records if one.kind == FrameKind.RESULT)
    digest = hashing.hash_parts("result", unpack_frame(result)[1][0])
    key = agreement.players[author_of(result)].match_key
    statement = signed(WitnessStatement(agreement.match_id, key, digest, 5000, 1, agreement.match_id))
    facts = judged_by_both(pair, 0, [*pair.host.records, Record(FrameKind.WITNESS, statement)])
    assert (facts["ok"], facts["witness"]["seen"]) == (True, [])


def test_a_statement_that_a_witness_has_signed_twice_is_repeated() -> None:
    pair = watched()
    pair.act(0, 1)
    agreement = pair.host.agreement
    message = message_to_show(pair.host.records[4].frame)
    assert message is not None
    key = agreement.players[message.seat].match_key
    data = WitnessStatement(agreement.match_id, key, message.digest, 5000, 1, agreement.match_id).pack()
    frames = [pack_frame(FrameKind.WITNESS, data, one) for one in (keys.sign(KEY, "witness", data), signed_again(data))]
    assert frames[0] != frames[1]
    facts = judged_by_both(pair, 0, [*pair.host.records, *(Record(FrameKind.WITNESS, frame) for frame in frames)])
    assert (facts["ok"], codes(facts), len(facts["witness"]["seen"])) == (False, ["repeated"], 1)


def signed_again(data: bytes) -> bytes:
    """Return a good signature by the witness with a nonce of its own choice (RFC 8032, section 5.1.6)."""
    secret = bytearray(hashlib.sha512(KEY.seed()).digest()[:32])
    secret[0] &= 248
    secret[31] = secret[31] & 127 | 64
    nonce = 12345
    point = curve.encode(curve.multiply_base(nonce))
    challenge = hashlib.sha512(point + KEY.public + hashing.hash_parts("witness", data)).digest()
    product = int.from_bytes(challenge, "little") * int.from_bytes(secret, "little")
    return point + ((nonce + product) % curve.ORDER).to_bytes(32, "little")


def test_a_witness_who_lies_changes_no_result_and_is_seen_to_contradict_himself() -> None:
    pair = watched()
    pair.act(0, 1)
    pair.act(1, 2)
    agreement = pair.host.agreement
    for at, seq in ((9000, 1), (10, 2), (20, 3)):
        message = message_to_show(pair.host.records[3 + seq].frame)
        assert message is not None
        last = agreement.match_id if seq != 2 else pair.host.transcript.heads[1]
        key = agreement.players[message.seat].match_key
        assert pair.host.side_channel.take_statement(
            signed(WitnessStatement(agreement.match_id, key, message.digest, at, min(seq, 2), last))
        )
    verdict = judged(pair)
    assert verdict.ok
    assert verdict.result is None
    assert verdict.transcript is not None
    assert count_contradictions(verdict.transcript.statements) == 1
    pair.play_out()
    assert pair.host.audited
    assert judged(pair).ok
    assert judged(pair, 1).transcript is not None


def test_one_number_given_to_two_hashes_is_a_contradiction() -> None:
    one = WitnessStatement(bytes(32), bytes(32), bytes([1]) * 32, 5, 1, bytes(32))
    assert count_contradictions([one, replace(one, digest=bytes([2]) * 32)]) == 1
    assert count_contradictions([one, replace(one, digest=bytes([2]) * 32, number=2, last=one.digest)]) == 0


def test_a_silent_witness_stops_nothing() -> None:
    pair = watched()
    pair.play_out()
    assert pair.host.audited
    verdict = judged(pair)
    assert verdict.ok
    assert verdict.transcript is not None
    assert verdict.transcript.statements == []
