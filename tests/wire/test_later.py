"""Messages of programs that come later: what may be ignored is kept and ignored, what may not ends a match politely."""

from __future__ import annotations

import random

import pytest
from helpers_judging import judged
from helpers_storm import StormPair, some_terms
from helpers_wire import Cheat, Pair, entropy
from toys import Bluff, RockPaperScissors

from protocol.core import wire
from protocol.core.events import Damaged, Disagreement, PeerMisbehaved
from protocol.core.frames import RESERVED, FrameKind, pack_frame
from protocol.core.messages import Side
from protocol.crypto import keys


def later(pair: Pair, seat: int, kind: int, body: bytes = b"later") -> bytes:
    """Return a side envelope of a type that this program does not know."""
    cheat = Cheat(pair, seat)
    transcript = cheat.transcript
    data = Side(*transcript.header(seat).fields, kind, body).pack()
    return pack_frame(FrameKind.SIDE, data, keys.sign(cheat.secrets.match_key, "side", data))


def matches() -> list[Pair]:
    chance = random.Random(7)
    toys: list[Pair] = [
        Pair(RockPaperScissors(), 2, capabilities=("later",)),
        Pair(Bluff(), (4, 0)),
        Pair(Bluff(), (4, 0), scheme="proved"),
    ]
    return toys + [StormPair(some_terms(chance), tag=f"later {number}") for number in range(4)]


@pytest.mark.parametrize("number", range(7))
def test_whole_matches_with_odd_messages_of_later_programs_end_audited(number: int) -> None:
    pair = matches()[number]
    chance = random.Random(1)
    sent = 0
    while asked := [session for session in pair.sessions if session.asks_us is not None]:
        if chance.random() < 0.2 or sent == 0:
            seat = chance.randrange(2)
            kind = chance.choice((13, 99, 65_535))
            pair.sessions[seat]._emit(later(pair, seat, kind, chance.randbytes(chance.randrange(1025))))
            sent += 1
        pair.decide(asked[0], chance)
        pair.settle()
    for seat in (0, 1):
        assert pair.sessions[seat].audited
        assert not any(pair.saw(seat, kind) for kind in (Damaged, Disagreement, PeerMisbehaved))
        verdict = pair.verify(seat)
        assert (verdict.ok, verdict.audited, verdict.confirmed) == (True, True, True)
        assert judged(pair, seat)["confirmed"]
        assert pair.restored(seat).audited
    assert sent


@pytest.mark.parametrize("kind", [12, 14, 65_534])
def test_an_even_message_that_is_not_known_stops_the_match_and_accuses_nobody(kind: int) -> None:
    pair = Pair(RockPaperScissors(), 2)
    pair.act(0, 1)
    Cheat(pair, 1).send(later(pair, 1, kind))
    event = pair.last(0, Disagreement)
    assert (event.code, event.recorded) == ("unknown_message", True)
    verdict = pair.verify(0)
    assert [(one.code, one.seat) for one in verdict.problems] == [("unknown_message", None)]
    assert (verdict.result, verdict.owes) == (None, 1)
    assert pair.restored(0).stopped == event


@pytest.mark.parametrize("kind", RESERVED)
def test_a_frame_that_is_kept_for_later_is_damage(kind: int) -> None:
    pair = Pair(RockPaperScissors(), 2)
    pair.guest.receive_data(wire.encode((kind, 3, entropy("later"))))
    pair.collect()
    assert pair.last(1, Damaged).code == "unknown_frame"
    assert pair.guest.stopped is None


def test_a_frame_of_another_version_of_the_protocol_is_damage() -> None:
    pair = Pair(RockPaperScissors(), 2)
    for version in (1, 2):
        pair.guest.broken = False
        pair.guest.receive_data(wire.encode((int(FrameKind.CALL), version, bytes(32))))
        pair.collect()
        assert pair.last(1, Damaged).code == "version"
