"""What two programs say to each other after a match: talk, offers of another one, and everything that is none of it."""

from __future__ import annotations

import random
from typing import Any

import msgpack
import pytest
from helpers import daily_first
from helpers_wire import Pair, entropy
from toys import Bluff, RockPaperScissors

from protocol.core.afterwards import CAPABILITY, TALK_LIMIT, TalkType, pack_talk, unpack_talk
from protocol.core.events import ChatReceived, Damaged, OtherLeft, RematchDeclined, RematchOffered
from protocol.core.frames import TALK
from protocol.core.game_data import Conditions, EventTerms
from protocol.errors import LocalProtocolError, WireError

BEGIN = pack_talk(TalkType.BEGIN, bytes(32))
OFFER = pack_talk(TalkType.OFFER, None)


def over() -> Pair:
    """Return a match that both hold, and whose logs are written."""
    pair = Pair(RockPaperScissors(), 1, capabilities=(CAPABILITY,))
    pair.play_out(1)
    for session in pair.sessions:
        assert session.finished
        session.afterwards.shut = True
    return pair


def kept(pair: Pair) -> list[object]:
    return [(session.records, session.result, session.confirmed, session.stopped) for session in pair.sessions]


def offer(pair: Pair, seat: int, nonce: str = "") -> None:
    pair.sessions[seat].afterwards.offer(entropy(nonce or f"rematch {seat}"))


def test_talk_goes_on_and_is_no_part_of_the_record() -> None:
    pair = over()
    before = kept(pair)
    pair.host.afterwards.chat("good game")
    pair.settle()
    assert pair.last(1, ChatReceived) == ChatReceived(0, "good game")
    assert kept(pair) == before
    pair.guest.afterwards.leave()
    pair.settle()
    assert pair.saw(0, OtherLeft)


def test_an_offer_that_is_taken_gives_both_the_same_fresh_secret() -> None:
    secrets = set()
    for number in range(2):
        pair = over()
        offer(pair, 0, f"one {number}")
        pair.settle()
        assert pair.saw(1, RematchOffered)
        assert not pair.guest.afterwards.begins
        offer(pair, 1, f"two {number}")
        pair.settle()
        assert pair.host.afterwards.begins
        assert pair.host.afterwards.secret == pair.guest.afterwards.secret
        secrets.add(pair.host.afterwards.secret)
        with pytest.raises(LocalProtocolError):
            pair.host.afterwards.chat("one more word")
    assert len(secrets) == 2


def test_offers_that_cross_are_one_rematch_and_talk_that_crosses_is_heard() -> None:
    pair = over()
    offer(pair, 0)
    offer(pair, 1)
    pair.host.afterwards.chat("shall we?")
    pair.settle()
    assert all(session.afterwards.begins for session in pair.sessions)
    assert pair.host.afterwards.secret == pair.guest.afterwards.secret
    assert pair.last(1, ChatReceived).text == "shall we?"


def test_a_declined_offer_can_be_made_again() -> None:
    pair = over()
    offer(pair, 0)
    pair.settle()
    with pytest.raises(LocalProtocolError, match="no offer that stands"):
        offer(pair, 0)
    pair.guest.afterwards.decline()
    pair.settle()
    assert pair.saw(0, RematchDeclined)
    offer(pair, 1)
    pair.settle()
    assert not pair.host.afterwards.begins
    offer(pair, 0)
    pair.settle()
    assert pair.host.afterwards.begins


def test_twice_the_same_offer_is_told_once_and_a_lost_line_ends_it() -> None:
    pair = over()
    for _ in range(2):
        pair.guest.receive_data(OFFER)
    pair.collect()
    assert sum(isinstance(event, RematchOffered) for event in pair.events[1]) == 1
    pair.guest.part()
    assert not pair.guest.afterwards.offer_received
    with pytest.raises(LocalProtocolError, match="the other's program"):
        offer(pair, 1)


def test_nothing_is_offered_where_a_match_has_its_place_in_an_event() -> None:
    place = Conditions(event=EventTerms(bytes(32), 1, 1, 1, bytes(32)))
    pair = Pair(RockPaperScissors(), 1, capabilities=("event", CAPABILITY), conditions=place)
    pair.play_out(1)
    with pytest.raises(LocalProtocolError, match="outside of events"):
        offer(pair, 0)
    pair.guest.receive_data(OFFER)
    pair.collect()
    assert not pair.saw(1, RematchOffered)
    assert not pair.saw(1, Damaged)


def test_the_next_place_in_an_event_is_offered_by_name_and_begins_when_both_name_the_same() -> None:
    place = Conditions(event=EventTerms(bytes(32), 1, 1, 1, bytes(32)))
    pair = Pair(RockPaperScissors(), 1, capabilities=("event", CAPABILITY), conditions=place)
    pair.play_out(1)
    following, other = (bytes(32), 1, 1, 2), (bytes(32), 2, 1, 1)
    pair.host.afterwards.next_place = following
    pair.guest.afterwards.next_place = other
    offer(pair, 0)
    pair.settle()
    pair.guest.receive_data(OFFER)
    pair.collect()
    # They do not agree on which game comes next, and a rematch there is none.
    assert not pair.saw(1, RematchOffered)
    assert not pair.saw(1, Damaged)
    pair.guest.afterwards.next_place = following
    pair.guest.receive_data(pack_talk(TalkType.OFFER, following))
    pair.collect()
    assert pair.last(1, RematchOffered).is_next
    offer(pair, 1)
    pair.settle()
    assert all(session.afterwards.begins for session in pair.sessions)
    assert pair.host.afterwards.secret == pair.guest.afterwards.secret


@pytest.mark.parametrize(
    "place", [(bytes(31), 1, 1, 1), (bytes(32), 0, 1, 1), (bytes(32), 1, 1), (bytes(32), 1, 1, 65_536)]
)
def test_an_offer_of_a_place_that_is_none_is_damage(place: Any) -> None:
    pair = over()
    pair.guest.receive_data(msgpack.packb([TALK, 3, 2, place]))
    pair.collect()
    assert pair.saw(1, Damaged)


@pytest.mark.parametrize("frame", [OFFER, pack_talk(TalkType.CHAT, "hello"), BEGIN, pack_talk(TalkType.LEAVE, None)])
def test_talk_before_both_hold_the_match_is_damage_and_changes_nothing(frame: bytes) -> None:
    running = Pair(Bluff(), (4, 0), capabilities=(CAPABILITY,))
    old = Pair(RockPaperScissors(), 1)
    old.play_out(1)
    for pair in (running, old):
        before = kept(pair)
        pair.guest.receive_data(frame)
        pair.collect()
        assert pair.last(1, Damaged).code == "unexpected_frame"
        assert kept(pair) == before
    with pytest.raises(LocalProtocolError, match="the other's program"):
        old.host.afterwards.chat("hello")


def test_who_begins_alone_or_with_our_own_nonce_is_dropped() -> None:
    for offers, code in (((), "unexpected_frame"), ((0,), "unexpected_frame"), ((0, 1), "mirror")):
        pair = over()
        for seat in offers:
            offer(pair, seat)
        own = pair.guest.data_to_send()
        if 0 in offers:
            pair.guest.receive_data(OFFER)
        frame = own[-1] if len(own) > 1 else BEGIN
        if offers == (0, 1):
            frame = pack_talk(TalkType.BEGIN, entropy("rematch 1"))
        pair.guest.receive_data(frame)
        pair.collect()
        assert pair.last(1, Damaged).code == code


def test_a_type_that_is_not_known_is_passed_over_if_odd_and_ends_the_line_if_even() -> None:
    for kind in (7, 65_535):
        pair = over()
        pair.guest.receive_data(pack_talk(kind, b"later"))
        pair.collect()
        assert not pair.saw(1, Damaged)
    pair = over()
    pair.guest.receive_data(pack_talk(6, b"later"))
    pair.collect()
    assert pair.last(1, Damaged).code == "unknown_message"


def test_nobody_can_talk_without_end() -> None:
    pair = over()
    for number in range(TALK_LIMIT):
        pair.host.afterwards.chat(str(number))
    with pytest.raises(LocalProtocolError):
        pair.host.afterwards.chat("more")
    for _ in range(TALK_LIMIT + 3):
        pair.guest.receive_data(pack_talk(7, b""))
    pair.collect()
    assert pair.saw(1, Damaged)


def test_signed_words_after_the_log_is_written_change_nothing() -> None:
    pair = over()
    before = kept(pair)
    pair.host.side_channel.chat("too late")
    for frame in pair.host.data_to_send():
        pair.guest.receive_data(frame)
    assert kept(pair)[1] == before[1]


@pytest.mark.parametrize("seed", daily_first(range(40), 12))
def test_no_bytes_raise_or_change_the_match(seed: int) -> None:
    chance = random.Random(seed)
    pair = over()
    if seed % 2:
        offer(pair, 1)
        pair.settle()
    before = kept(pair)
    good = [OFFER, BEGIN, pack_talk(TalkType.CHAT, "hello"), pack_talk(7, b"x")]
    for _ in range(200):
        frame = bytearray(chance.choice(good))
        for _ in range(chance.randrange(4)):
            frame[chance.randrange(len(frame))] = chance.randrange(256)
        odd: object = [TALK, 2, chance.randrange(9), chance.choice([None, b"", "", 7, [], "x" * 600, bytes(2000)])]
        sent = msgpack.packb(odd) if chance.random() < 0.3 else bytes(frame[: chance.randrange(len(frame) + 1)])
        pair.guest.receive_data(sent)
        if pair.guest.broken:
            # The line is dropped, and the next one is good.
            pair.reconnect()
            pair.settle()
    assert kept(pair) == before


@pytest.mark.parametrize(
    ("kind", "body"),
    [(1, None), (1, "x" * 501), (1, "a\n"), (2, 1), (3, b""), (4, bytes(31)), (5, ""), (9, "text"), (0, None)],
)
def test_what_does_not_have_its_form_can_be_neither_said_nor_read(kind: int, body: object) -> None:
    with pytest.raises(WireError):
        pack_talk(kind, body)  # type: ignore[arg-type]  # that is the point
    with pytest.raises(WireError):
        unpack_talk(msgpack.packb([TALK, 2, kind, body]))


def test_what_is_said_beside_the_game_and_after_it_calls_for_sending() -> None:
    pair, changes = Pair(RockPaperScissors(), 1, capabilities=(CAPABILITY,)), list[str]()
    session = pair.sessions[0]
    session.side_channel.on_change = lambda: changes.append("side")
    session.afterwards.on_change = lambda: changes.append("afterwards")
    session.side_channel.chat("hello")
    pair.play_out(1)
    session.afterwards.shut = True
    held = session.records
    session.side_channel.chat("good game")
    offer(pair, 0)
    assert changes == ["side", "afterwards", "afterwards"]
    assert session.records == held
