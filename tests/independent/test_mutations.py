"""One field of one message is another, and one of both keys has signed it: both implementations say the same.

And whoever has not signed it is not accused.
"""

from __future__ import annotations

from contextlib import suppress
from functools import cache
from typing import Any

import msgpack
from helpers_crossing import Crossing
from helpers_judging import agreed, log_of
from helpers_storm import StormPair
from helpers_wire import Pair, only
from hypothesis import given
from hypothesis import strategies as st
from toys import Bluff, Race

from independent.mutants import INNER, NUMBERS
from protocol.core.frames import FrameKind, Record
from protocol.core.game_data import HANDSHAKE_LENGTH
from protocol.crypto import keys
from protocol.crypto.hashing import hash_parts
from protocol.errors import LocalProtocolError
from storm_p2p.storm.state import Terms

COUNT = 8
"""How many matches there are."""


@cache
def match(number: int) -> Pair:
    """Return a match in which much has been said."""
    if number == 0:
        pair: Pair = StormPair(Terms(challenge=-12), tag="mutations")
        pair.play_out(1, 8)
    else:
        crossing = Crossing(number, *((Race(), 4) if number % 2 else (Bluff(), (2, 0))))
        crossing.play(60)
        crossing.settle()
        pair = crossing.pair
    with suppress(LocalProtocolError):
        pair.host.side_channel.resign(now=pair.now)
    pair.settle()
    return pair


@st.composite
def mutations(draw: st.DrawFn) -> tuple[Pair, int, int, Record]:
    """Return a match, the place of one of its messages, who signs another one, and that."""
    pair = match(draw(st.integers(0, COUNT - 1)))
    records = pair.host.records
    at = draw(st.integers(HANDSHAKE_LENGTH, len(records) - 1))
    frame = msgpack.unpackb(records[at].frame)
    said = records[HANDSHAKE_LENGTH:]
    hashes = [hash_parts(INNER[FrameKind(one.kind)], msgpack.unpackb(one.frame)[2]) for one in said]
    hashes.append(pair.host.agreement.match_id)
    data = msgpack.packb(_changed(draw, msgpack.unpackb(frame[2]), hashes))
    seat = draw(st.integers(0, 1))
    session = pair.sessions[seat]
    label = INNER[FrameKind(records[at].kind)]
    signatures = [keys.sign(session._secrets.match_key, label, data)]
    if records[at].kind == FrameKind.RESULT:
        signatures.append(keys.sign(session._identity, label, data))
    return pair, at, seat, Record(records[at].kind, msgpack.packb([*frame[:2], data, *signatures]))


def _changed(draw: st.DrawFn, value: Any, hashes: list[bytes]) -> Any:
    """Return a value in which one thing is another."""
    if isinstance(value, list) and value and draw(st.integers(0, 15)):
        at = draw(st.integers(0, len(value) - 1))
        return [*value[:at], _changed(draw, value[at], hashes), *value[at + 1 :]]
    match value:
        case list():
            return draw(st.sampled_from((value[:-1], [*value, *value[-1:]], value[::-1], [], None)))
        case bool() | int():
            return draw(st.sampled_from((value + 1, value - 1, *NUMBERS, None)))
        case bytes():
            return draw(st.sampled_from((*hashes, bytes(len(value)), value[:-1], value + b"x", 0)))
        case str():
            return draw(st.sampled_from((value + "x", "", "0", "1", "draw", "\u202e", "e\u0301", 5)))
    return draw(st.sampled_from((0, 1, b"", "x", [])))


@given(mutations(), st.booleans())
def test_one_field_of_one_message_is_another(mutation: tuple[Pair, int, int, Record], beside: bool) -> None:
    pair, at, seat, record = mutation
    records = list(pair.host.records)
    records[at : at + (not beside)] = [record]
    changed, honest = log_of(pair, seat, records), log_of(pair, 1 - seat)
    games = only(pair.game)
    (alone,) = agreed([changed], games)
    first, second = agreed([changed, honest], games)
    assert agreed([honest, changed], games) == [second, first]
    if record.frame not in [one.frame for one in pair.host.records]:
        name = pair.game.sides[1 - seat]
        assert not any(problem["seat"] == name for facts in (alone, first, second) for problem in facts["problems"])
