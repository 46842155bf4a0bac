"""Logs that their exporter has forged with his own key, one way each: none of them blames his honest opponent.

The same at random is in ``test_framing``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import pytest
from helpers_storm import forged, unit
from helpers_wire import NONCE, Cheat, envelope_of

from protocol.core.frames import FrameKind, Record, unpack_frame
from protocol.core.messages import Envelope, Header, OpenedSeed, Side, SignedOutcome
from protocol.core.steps import Choice, Recommit
from protocol.crypto.commitments.hash import HashScheme
from protocol.crypto.commitments.interface import Maker
from protocol.crypto.hashing import hash_parts
from protocol.game import Mix
from storm.cheats import Court, finished, give_up, group_at_11, seated
from storm_p2p.storm import codec
from storm_p2p.storm.actions import Liturgy as Pray
from storm_p2p.storm.actions import Move
from storm_p2p.storm.board import Faction

C, O = Faction.CHTHONIANS, Faction.OLYMPIANS  # noqa: E741 (the catalogue of rules calls them so)


READ: dict[FrameKind, Callable[[bytes], Header]] = {
    FrameKind.ENVELOPE: Envelope.unpack,
    FrameKind.SIDE: Side.unpack,
    FrameKind.RESULT: SignedOutcome.unpack,
    FrameKind.SEED: OpenedSeed.unpack,
}


def without(records: Sequence[Record], leave_out: Callable[[Record], bool]) -> list[Record]:
    return [record for record in records if not leave_out(record)]


def by(record: Record, seat: int, kind: FrameKind) -> bool:
    """Say whether a record is of this kind and by this seat."""
    if record.kind != kind:
        return False
    return READ[kind](unpack_frame(record.frame)[1][0]).seat == seat


def test_leaving_ones_resignation_out_does_not_turn_the_result_against_the_other(court: Court) -> None:
    pair = finished()
    cheat = Cheat(pair, 0)
    court.blames_nobody(forged(cheat, without(pair.host.records, lambda record: by(record, 0, FrameKind.SIDE))))


@pytest.mark.parametrize("accepted", [False, True])
def test_leaving_ones_draw_offer_out_does_not_turn_the_answer_against_the_other(accepted: bool, court: Court) -> None:
    pair = seated("offer")
    pair.host.side_channel.offer_draw()
    pair.settle()
    (pair.guest.side_channel.accept_draw if accepted else pair.guest.side_channel.decline_draw)()
    pair.settle()
    cheat = Cheat(pair, 0)
    court.blames_nobody(forged(cheat, without(pair.host.records, lambda record: by(record, 0, FrameKind.SIDE))))


def test_leaving_the_others_signature_out_does_not_turn_his_seed_against_him(court: Court) -> None:
    pair = finished()
    cheat = Cheat(pair, 0)
    court.blames_nobody(forged(cheat, without(pair.host.records, lambda record: by(record, 1, FrameKind.RESULT))))


def test_leaving_the_others_resignation_out_does_not_blame_the_one_who_signed_the_result(court: Court) -> None:
    pair = seated("resigned")
    give_up(pair, 0)
    cheat = Cheat(pair, 1)
    court.blames_nobody(forged(cheat, without(pair.guest.records, lambda record: by(record, 0, FrameKind.SIDE))))


@pytest.mark.parametrize(
    ("kind", "forward"),
    [
        (FrameKind.SIDE, True),
        (FrameKind.SIDE, False),
        (FrameKind.RESULT, True),
        (FrameKind.RESULT, False),
        (FrameKind.SEED, True),
        (FrameKind.SEED, False),
        (FrameKind.VERDICT, True),
    ],
)
def test_moving_the_others_messages_within_the_log_blames_nobody(kind: FrameKind, forward: bool, court: Court) -> None:
    pair = finished()
    cheat = Cheat(pair, 0)
    records = list(pair.host.records)
    places = [
        number for number, record in enumerate(records) if record.kind != FrameKind.VERDICT and by(record, 1, kind)
    ]
    if kind is FrameKind.VERDICT:
        places = [number for number, record in enumerate(records) if record.kind == FrameKind.VERDICT]
    record = records.pop(places[-1])
    records.insert(4 if forward else len(records), record)
    court.blames_nobody(forged(cheat, records))


@pytest.mark.parametrize("kind", [FrameKind.ENVELOPE, FrameKind.SIDE])
def test_repeating_the_others_message_in_a_log_blames_nobody(kind: FrameKind, court: Court) -> None:
    pair = finished()
    cheat = Cheat(pair, 0)
    records = list(pair.host.records)
    place = next(number for number, record in enumerate(records) if by(record, 1, kind))
    answer = court.blames_nobody(forged(cheat, [*records[: place + 1], *records[place:]]))
    assert not answer["ok"]


def test_filing_the_others_message_under_another_kind_blames_nobody(court: Court) -> None:
    pair = finished()
    cheat = Cheat(pair, 0)
    records = list(pair.host.records)
    place = next(number for number, record in enumerate(records) if by(record, 1, FrameKind.ENVELOPE))
    records[place] = Record(FrameKind.SIDE, records[place].frame)
    answer = court.blames_nobody(forged(cheat, records))
    assert not answer["ok"]


def test_putting_another_move_of_ones_own_before_the_others_answer_does_not_convict_the_other(court: Court) -> None:
    pair = finished()
    cheat = Cheat(pair, 0)
    records = list(pair.host.records)
    own = [number for number, record in enumerate(records) if by(record, 0, FrameKind.ENVELOPE)]
    true = envelope_of(records[own[-1]].frame)
    other = replace(true, steps=(Choice(codec.encode(Move((12, 7), (0,), 1))),))
    state = next(played for played in pair.host.transcript.history if played.seq == true.number).before
    after, _ = cheat.transcript.referee.apply(state, 0, other.steps[0])
    other = replace(other, state=cheat.transcript._hash_state(after))
    records[own[-1]] = Record(FrameKind.ENVELOPE, cheat.sign_envelope(other.pack()))
    answer = court.blames_nobody(forged(cheat, records))
    assert not answer["ok"]


def test_continuing_in_the_others_place_after_another_move_does_not_convict_the_other(court: Court) -> None:
    # 11 to 12 without the fresh tokens: the message is half done, and the next is the cheat's again.
    pair = group_at_11("half")
    cheat = Cheat(pair, 0)
    at = cheat.transcript.position
    length = cheat.transcript.length
    pair.do(C, Pray())
    pair.do(O, Pray())
    half = Choice(codec.encode(Move((11, 12), (), 1)))
    middle, _ = cheat.transcript.referee.apply(at, 0, half)
    first = cheat.envelope(half, seq=length, state=cheat.transcript._hash_state(middle))
    assert isinstance(middle.request, Mix)
    match_id = cheat.transcript.agreement.match_id
    maker = Maker(match_id, 0, cheat.secrets.seed, nonce=NONCE)
    made = HashScheme().commit(maker, middle.request.give[0][0], [unit("cerberus"), unit("cronus")])
    shuffle = Recommit(tuple((secret.commitment,) for secret in made), b"", NONCE)
    end, _ = cheat.transcript.referee.apply(middle, 0, shuffle)
    prev = hash_parts("link", hash_parts("env", unpack_frame(first)[1][0]), match_id, match_id)
    second = cheat.envelope(shuffle, seq=length + 1, prev=prev, state=cheat.transcript._hash_state(end))
    records = list(pair.host.records)
    places = [number for number, record in enumerate(records) if record.kind == FrameKind.ENVELOPE]
    kept = records[: places[length]]
    answered = next(r for r in records if by(r, 1, FrameKind.ENVELOPE) and envelope_of(r.frame).number == length + 2)
    forgery = [*kept, Record(FrameKind.ENVELOPE, first), Record(FrameKind.ENVELOPE, second), answered]
    court.blames_nobody(forged(cheat, forgery))
