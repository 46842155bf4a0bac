"""Another message in the place of the one that was seen is never held against whoever had seen the first one.

A message convicts its author only through what it hashes (SPEC.md, "Order").
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from helpers import daily_first
from helpers_fight import CARDS
from helpers_judging import agreed, codes, judged, log_of
from helpers_storm import StormPair
from helpers_toy_cheats import rps
from helpers_wire import Cheat, Pair, author_of, only

from protocol.core.frames import FrameKind, Record
from protocol.core.messages import SideBody, SideType, SignedOutcome
from storm_p2p.fight.codec import encode_terms
from storm_p2p.fight.game import Fight

DRAW = {"winner": "draw", "reason": "agreement"}

MATCHES: dict[str, Callable[[], Pair]] = {
    "toy": rps,
    "Storm hash": lambda: StormPair(tag="substitutes"),
    "Storm proved": lambda: StormPair(tag="substitutes", scheme="proved"),
    "Fight": lambda: Pair(Fight(), encode_terms(CARDS), tag="substitutes", gather=True, scheme="proved"),
}


def drawn(begin: Callable[[], Pair]) -> tuple[Pair, int]:
    """Return a match that ends in an agreed draw, and who offered: not the author of the last envelope."""
    pair = begin()
    chance = random.Random(1)
    while pair.host.transcript.length < 3:
        pair.decide(next(one for one in pair.sessions if one.asks_us is not None), chance)
        pair.settle()
    offers = 1 - author_of([one.frame for one in pair.host.records if one.kind == FrameKind.ENVELOPE][-1])
    pair.sessions[offers].side_channel.offer_draw()
    pair.settle()
    pair.sessions[1 - offers].side_channel.accept_draw()
    pair.settle()
    return pair, offers


def both_orders(pair: Pair, *logs: bytes) -> list[dict[str, Any]]:
    """Return what both implementations say to each log in each order of the files."""
    return [facts for files in (logs, logs[::-1]) for facts in agreed(files, only(pair.game))]


def forge(cheat: Cheat, records: Sequence[Record], *frames: bytes) -> bytes:
    """Return the cheat's log: the chain, and of what was said beside it the other's words and these instead."""
    kept = [
        one
        for one in records
        if one.kind in (FrameKind.HELLO, FrameKind.SIGN, FrameKind.ENVELOPE, FrameKind.DATA)
        or (one.kind in (FrameKind.SIDE, FrameKind.RESULT) and author_of(one.frame) != cheat.seat)
    ]
    at = next(place for place, one in enumerate(kept) if one.kind == FrameKind.SIDE)
    made = [Record(frame[1], frame) for frame in frames]
    return log_of(cheat.pair, cheat.seat, [*kept[:at], *made, *kept[at:]])


@pytest.mark.parametrize("name", daily_first(MATCHES, 2))
def test_another_offer_under_the_number_that_was_accepted_does_not_undo_the_draw(name: str) -> None:
    pair, seat = drawn(MATCHES[name])
    honest = log_of(pair, 1 - seat)
    assert [agreed([honest], only(pair.game))[0][key] for key in ("result", "confirmed")] == [DRAW, True]
    cheat = Cheat(pair, seat)
    sides = pair.game.sides
    # The same number at an older head: the acceptance would be void, and the other's own result false.
    other_offer = cheat.side(SideType.OFFER, seq=pair.host.transcript.length - 1, sides=(0, 0))
    forged = forge(cheat, pair.sessions[seat].records, other_offer)
    (alone,) = agreed([forged], only(pair.game))
    assert (alone["convicted"], alone["confirmed"], alone["result"]["winner"]) == ([], False, None)
    assert codes(alone) == ["forked", "not_examined"]
    for facts in both_orders(pair, honest, forged):
        assert facts["convicted"] == [sides[seat]]
        assert (facts["result"]["winner"], facts["confirmed"]) == (sides[1 - seat], True)


@pytest.mark.parametrize("kind", [SideType.CHAT, SideType.PROPOSE, SideType.DECLINE])
def test_other_words_in_the_place_of_those_that_were_counted_convict_nobody_else(kind: SideType) -> None:
    pair, seat = drawn(rps)
    cheat = Cheat(pair, seat)
    bodies: dict[SideType, SideBody] = {SideType.CHAT: "no offer", SideType.PROPOSE: 1, SideType.DECLINE: 1}
    sides = (0, 0) if kind is not SideType.DECLINE else tuple(int(one != seat) for one in (0, 1))
    forged = forge(cheat, pair.sessions[seat].records, cheat.side(kind, bodies[kind], sides=sides))
    assert pair.game.sides[1 - seat] not in agreed([forged], only(pair.game))[0]["convicted"]
    for facts in both_orders(pair, log_of(pair, 1 - seat), forged):
        assert facts["convicted"] == [pair.game.sides[seat]]


def test_whoever_counts_a_side_envelope_holds_the_chain_that_it_names() -> None:
    # Taken live, it would be confirmed in both logs; merged it would come before the move that it counts a word about.
    pair = rps()
    pair.act(0, 1)
    pair.guest.side_channel.chat("well")
    pair.settle()
    cheat = Cheat(pair, 0)
    assert cheat.transcript.length == 1
    contradicts_itself = cheat.side(SideType.OFFER, seq=0, sides=(0, 1))
    facts = judged(pair, 1, [*pair.guest.records, Record(FrameKind.SIDE, contradicts_itself)])
    assert facts["problems"] == [{"code": "backdated", "seq": None, "seat": "0"}]


def test_whoever_counts_a_side_envelope_of_the_other_has_said_what_that_one_counts() -> None:
    pair = rps()
    pair.host.side_channel.chat("one")
    pair.settle()
    pair.guest.side_channel.chat("two")
    pair.settle()
    # Seat 0 has never resigned, it says, and counts a word of the other that counts its own first word.
    cheat = Cheat(pair, 0)
    forged = cheat.side(SideType.RESIGN, sides=(0, 1))
    records = [one for one in pair.guest.records if one.kind != FrameKind.SIDE or author_of(one.frame) == 1]
    assert judged(pair, 1, [*records, Record(FrameKind.SIDE, forged)])["convicted"] == []
    assert judged(pair, 1, [*pair.guest.records, Record(FrameKind.SIDE, forged)])["convicted"] == ["0"]


def test_a_result_that_counts_what_the_log_lacks_is_owed_and_false_to_nobody() -> None:
    pair, seat = drawn(rps)
    cheat = Cheat(pair, 1 - seat)
    # The honest seat had seen its opponent's offer and its own acceptance; a log without them has nothing against it.
    result = next(one for one in pair.host.records if one.kind == FrameKind.RESULT and author_of(one.frame) == 1 - seat)
    chain = [one for one in pair.host.records if one.kind < FrameKind.SIDE]
    facts = judged(pair, seat, [*chain, result])
    assert (facts["convicted"], [one["code"] for one in facts["problems"]]) == ([], ["gap"])
    # The same counts with another hash are a header that contradicts itself: nobody is convicted, its author owes.
    signed = cheat.transcript.signable(cheat.seat)
    made = cheat.sign(FrameKind.RESULT, SignedOutcome(*signed.fields[:4], bytes(32), signed.result, signed.grounds))
    played = [one for one in pair.host.records if one.kind <= FrameKind.SIDE]
    facts = judged(pair, seat, [*played, Record(FrameKind.RESULT, made)])
    assert (facts["convicted"], facts["must_show"]["hash"], facts["owes"]) == ([], bytes(32).hex(), str(cheat.seat))
