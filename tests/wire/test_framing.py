"""Whoever makes a log has his own key and all that the other has signed.  He cannot turn it against the other."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import replace

import pytest
from helpers import daily_first
from helpers_wire import NONCE, Cheat, Pair, author_of, envelope_of, only
from toys import Bluff, RockPaperScissors

from protocol.core.audit import verify
from protocol.core.events import Disagreement, PeerMisbehaved
from protocol.core.frames import FrameKind, Record
from protocol.core.messages import SideType, SignedOutcome
from protocol.core.steps import Choice, Seal


def played_to_its_end() -> Pair:
    pair = Pair(RockPaperScissors(), 1)
    pair.host.side_channel.chat("one")
    pair.guest.side_channel.chat("two")
    pair.act(0, 1)
    pair.guest.side_channel.chat("three")
    pair.act(1, 0)
    return pair


def resigned(seat: int) -> Pair:
    pair = Pair(RockPaperScissors(), 2)
    pair.act(0, 1)
    pair.guest.side_channel.chat("hm")
    pair.sessions[seat].side_channel.resign()
    pair.settle()
    return pair


def drawn(offerer: int) -> Pair:
    pair = Pair(RockPaperScissors(), 2)
    pair.sessions[offerer].side_channel.offer_draw()
    pair.settle()
    pair.sessions[1 - offerer].side_channel.decline_draw()
    pair.act(0, 1)
    pair.sessions[offerer].side_channel.offer_draw()
    pair.settle()
    pair.sessions[1 - offerer].side_channel.accept_draw()
    pair.settle()
    return pair


def both_resigned() -> Pair:
    pair = Pair(RockPaperScissors(), 2)
    pair.host.side_channel.offer_draw()
    pair.guest.side_channel.offer_draw()
    pair.host.side_channel.resign()
    pair.guest.side_channel.resign()
    pair.settle()
    return pair


def bluffed() -> Pair:
    pair = Pair(Bluff(), (2, 0))
    pair.play_out(3)
    return pair


MATCHES = {
    "played to its end": played_to_its_end(),
    "the first resigned": resigned(0),
    "the second resigned": resigned(1),
    "draw offered by the first": drawn(0),
    "draw offered by the second": drawn(1),
    "both resigned": both_resigned(),
    "bluff": bluffed(),
}


def edited(records: list[Record]) -> Iterator[list[Record]]:
    """Yield what can be made of a log without any key."""
    places = range(4, len(records))
    for one in places:
        without = records[:one] + records[one + 1 :]
        yield without
        yield records[:one]
        yield records[: one + 1] + records[one:]
        for kind in FrameKind:
            yield [*records[:one], Record(kind, records[one].frame), *records[one + 1 :]]
        for to in range(4, len(records)):
            yield [*without[:to], records[one], *without[to:]]
    for one, two in itertools.combinations(places, 2):
        yield records[:one] + records[one + 1 : two] + records[two + 1 :]


def some(logs: Iterator[list[Record]], pair: Pair) -> Iterator[list[Record]]:
    """Yield all of them for a short match, fewer for a long one."""
    return itertools.islice(logs, None, None, 1 if len(pair.host.records) < 20 else 11)


@pytest.mark.parametrize("pair", daily_first(MATCHES.values(), 4), ids=MATCHES)
@pytest.mark.parametrize("exporter", daily_first([0, 1]))
def test_leaving_out_moving_and_repeating_blames_nobody(pair: Pair, exporter: int) -> None:
    assert pair.verify(exporter).ok
    for records in some(edited(list(pair.sessions[exporter].records)), pair):
        verdict = verify(records, only(pair.game))
        assert [one.seat for one in verdict.problems if one.seat is not None] == []


def forged(pair: Pair, exporter: int) -> Iterator[list[Record]]:
    """Yield what can be made with the exporter's key beside the other's signatures."""
    cheat = Cheat(pair, exporter)
    records = list(pair.sessions[exporter].records)
    heads, sides = cheat.transcript.heads, cheat.transcript.sides

    def side(kind: SideType, body: str | int | None, seq: int) -> Record:
        # The first of its author's; what it accepts it has seen.
        counts = tuple(0 if seat == exporter or kind is not SideType.ACCEPT else one for seat, one in enumerate(sides))
        return Record(FrameKind.SIDE, cheat.side(kind, body, seq=seq, sides=counts))

    own = [record for record in records[4:] if is_side_of(record, exporter)]
    for kind, body in ((SideType.CHAT, "x"), (SideType.OFFER, None), (SideType.RESIGN, None), (SideType.ACCEPT, 1)):
        for seq in range(len(heads)):
            # In the place of all that he has said, and at every place.
            others = [record for record in records if record not in own]
            for place in range(4, len(others) + 1):
                yield [*others[:place], side(kind, body, seq), *others[place:]]
    for place, record in enumerate(records):
        if record.kind == FrameKind.ENVELOPE and envelope_of(record.frame).seat == exporter:
            true = envelope_of(record.frame)
            for changed in (
                replace(true, state=bytes(32)),
                replace(true, steps=(Seal(bytes([7]) * 32, NONCE),)),
                replace(true, steps=(Choice(0),)),
                replace(true, steps=true.steps[:1]),
            ):
                frame = cheat.sign_envelope(changed.pack())
                for end in (place + 1, len(records)):
                    yield [*records[:place], Record(FrameKind.ENVELOPE, frame), *records[place + 1 : end]]
        if record.kind == FrameKind.RESULT and author_of(record.frame) == exporter:
            for seq in range(len(heads)):
                for result in ((("winner", str(exporter)),), (("reason", "agreement"), ("winner", "draw"))):
                    frame = cheat.sign(FrameKind.RESULT, SignedOutcome(*cheat.header(seq).fields, result))
                    yield [*records[:place], Record(FrameKind.RESULT, frame), *records[place + 1 :]]


def is_side_of(record: Record, seat: int) -> bool:
    return record.kind == FrameKind.SIDE and author_of(record.frame) == seat


@pytest.mark.parametrize("pair", MATCHES.values(), ids=MATCHES)
@pytest.mark.parametrize("exporter", [0, 1])
def test_whatever_an_exporter_signs_afterwards_the_other_is_not_blamed(pair: Pair, exporter: int) -> None:
    count = 0
    for records in some(forged(pair, exporter), pair):
        verdict = verify(records, only(pair.game))
        assert [one.seat for one in verdict.problems if one.seat not in (None, exporter)] == []
        count += 1
    assert count > 20


def test_a_seed_left_out_does_not_turn_the_others_verdict_against_him() -> None:
    pair = Pair(Bluff(), (4, 0))
    cheat = Cheat(pair, 0)
    cheat.go_quiet()
    builder = cheat.builder()
    builder.decide(None, (0, 1, 2, 3))
    (cover,) = builder.steps
    twice = replace(cover, commitments=(bytes(32), bytes([1]) * 32, bytes([2]) * 32, bytes([3]) * 32))  # type: ignore[arg-type]
    cheat.send_and_hold(cheat.envelope(twice, state=cheat.state_after(twice)))
    pair.guest.side_channel.resign()
    pair.settle()
    records = list(pair.host.records)
    assert [(one.code, one.seat) for one in verify(records, only(pair.game)).problems] == [("batch_not_derived", 0)]
    seed = next(record for record in records if record.kind == FrameKind.SEED and author_of(record.frame) == 0)
    records.remove(seed)
    verdict = verify(records, only(pair.game))
    assert not verdict.ok
    assert not verdict.audited
    assert [(one.code, one.seat) for one in verdict.problems] == [("not_now", None), ("not_examined", None)]
    assert verdict.owes is None


@pytest.mark.parametrize("kind", [SideType.OFFER, SideType.RESIGN])
def test_what_is_shown_to_the_other_alone_stops_the_match_and_accuses_nobody(kind: SideType) -> None:
    # The cheat shows one envelope and signs another one for his own log.
    pair = Pair(RockPaperScissors(), 2)
    cheat = Cheat(pair, 0)
    other = cheat.envelope(Seal(bytes([7]) * 32, NONCE))
    pair.act(0, 1)
    seen = Cheat(pair, 1).side(kind)
    mine = Pair(RockPaperScissors(), 2)
    mine.host._emit(other)
    mine.host.receive_data(seen)
    mine.collect()
    assert mine.last(0, Disagreement).code == "forked"
    assert not mine.saw(0, PeerMisbehaved)
    assert [(one.code, one.seat) for one in mine.verify(0).problems] == [("forked", None)]
