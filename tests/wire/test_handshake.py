"""A handshake ends in an agreement that both have signed, or in one event that says why not."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import msgpack
import pytest
from helpers_wire import SECRET, configs, entropy, flipped, identity, shake
from hypothesis import given
from hypothesis import strategies as st
from toys import Bluff, RockPaperScissors

from protocol.core import wire
from protocol.core.agreement import GUEST_CHOOSES, LOT, Hello, host_takes, read_agreement
from protocol.core.frames import FrameKind, Record, pack_frame, unpack_frame
from protocol.core.game_data import Conditions, EventTerms
from protocol.core.handshake import Agreed, Config, Handshake, HandshakeFailed, Offered
from protocol.core.words import WORDS
from protocol.crypto import hashing
from protocol.errors import LocalProtocolError, ProtocolError


class NewRules(RockPaperScissors):
    version = "2"


def failures(host: Config, guest: Config) -> list[HandshakeFailed]:
    events = shake(host, guest)[2]
    assert not any(isinstance(event, Agreed) for event in events)
    return [event for event in events if isinstance(event, HandshakeFailed)]


def test_both_sides_and_a_stranger_agree_on_the_same() -> None:
    one, two, events = shake(*configs(RockPaperScissors(), 3))
    assert events == [Agreed(one.agreement), Agreed(two.agreement)]  # type: ignore[arg-type]
    assert one.agreement == two.agreement == read_agreement(one.records) == read_agreement(two.records)
    assert one.agreement is not None
    assert [player.name for player in one.agreement.players] == ["Hanna", "Gustav"]
    assert one.records == two.records
    assert len({*WORDS}) == 256
    assert all(word in WORDS for word in one.agreement.words)


def test_the_lot_gives_both_seats_and_neither_side_alone_decides() -> None:
    seats = set()
    for number in range(16):
        host, guest = configs(RockPaperScissors(), 3, tag=str(number), seating=LOT)
        agreement = shake(host, guest)[0].agreement
        assert agreement is not None
        assert agreement.players[agreement.host_seat].name == "Hanna"
        seats.add(agreement.host_seat)
    assert seats == {0, 1}


@pytest.mark.parametrize("pick", [0, 1])
def test_the_guest_takes_the_seat_that_he_likes(pick: int) -> None:
    host, guest = configs(RockPaperScissors(), 3, seating=GUEST_CHOOSES)
    agreement = shake(host, replace(guest, pick=pick))[0].agreement
    assert agreement is not None
    assert agreement.players[pick].name == "Gustav"


def test_a_guest_without_expectations_is_asked() -> None:
    host, guest = configs(Bluff(), (4, 0))
    one, two, events = shake(host, replace(guest, accept_any=True, terms=None))
    assert events == [Offered("Hanna", identity("host").public, (4, 0), "hash", host_takes(0))]
    two.accept()
    for frame in two.data_to_send():
        one.receive_data(frame)
    for frame in one.data_to_send():
        two.receive_data(frame)
    assert one.agreement == two.agreement is not None
    with pytest.raises(LocalProtocolError):
        two.accept()


def test_a_guest_may_refuse_the_terms() -> None:
    host, guest = configs(Bluff(), (4, 0))
    one, two, _ = shake(host, replace(guest, accept_any=True))
    two.refuse()
    for frame in two.data_to_send():
        one.receive_data(frame)
    (event,) = one.events_received()
    assert isinstance(event, HandshakeFailed)
    assert event.code == "peer_terms_refused"


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"game": NewRules()}, "rules"),
        ({"game": Bluff(), "terms": (3, 0)}, "game"),
        ({"versions": (1, 2)}, "version"),
        ({"schemes": ("proved",)}, "scheme"),
        ({"terms": 4}, "terms"),
        ({"channel": b"c" * 32}, "channel"),
        ({"peer_identity": bytes(32)}, "wrong_identity"),
    ],
)
def test_whatever_does_not_fit_ends_in_one_event_that_names_both_values(change: dict[str, Any], code: str) -> None:
    host, guest = configs(RockPaperScissors(), 3)
    events = failures(host, replace(guest, **change))
    codes = {event.code for event in events}
    assert code in codes
    assert codes <= {code, f"peer_{code}"}
    for event in events:
        assert event.ours
        assert event.theirs


def answer_of(host: Config, guest: Handshake, **changes: Any) -> bytes:
    """Return the host's hello to a guest, changed."""
    side = Handshake(host)
    (asked,) = guest.data_to_send()
    side.receive_data(asked)
    theirs = unpack_frame(asked)[1][0]
    data = replace(Hello.unpack(unpack_frame(side.data_to_send()[0])[1][0]), **changes).pack()
    return pack_frame(FrameKind.HELLO, data, hashing.derive(SECRET, "invite", theirs, data))


def test_a_guest_whom_the_host_does_not_expect_sees_no_coin_so_that_the_invite_stays_open() -> None:
    host, guest = configs(RockPaperScissors(), 3)
    side, other = Handshake(replace(host, peer_identity=bytes(16))), Handshake(guest)
    side.receive_data(other.data_to_send()[0])
    (answer,) = side.data_to_send()
    assert unpack_frame(answer)[0] is FrameKind.REFUSAL
    assert side.guest is None
    other.receive_data(answer)
    assert [event.code for event in other.events_received()] == ["peer_wrong_identity"]  # type: ignore[union-attr]


def test_a_guest_cannot_hold_a_host_with_calls_that_only_a_guest_may_hear_in_a_handshake() -> None:
    host, guest = configs(RockPaperScissors(), 3)
    side, other = Handshake(host), Handshake(guest)
    side.receive_data(other.data_to_send()[0])
    call = pack_frame(FrameKind.CALL, bytes(32))
    other.receive_data(call)
    assert other.failure is None
    side.receive_data(call)
    assert [event.code for event in side.events_received()] == ["out_of_order"]  # type: ignore[union-attr]


def test_the_own_match_key_or_nonce_in_the_hello_of_the_other_is_a_mirror() -> None:
    for what in ("match_key", "nonce"):
        host, guest = configs(RockPaperScissors(), 3)
        side = Handshake(guest)
        own = side._own_hello()
        side.receive_data(answer_of(host, side, **{what: getattr(own, what)}))
        (event,) = side.events_received()
        assert isinstance(event, HandshakeFailed)
        assert event.code == "mirror"


def test_a_host_answers_the_same_hello_with_the_same_bytes_and_another_with_others_but_for_the_coin() -> None:
    host, guest = configs(RockPaperScissors(), 3)
    first, again = (answer_of(host, Handshake(guest)) for _ in range(2))
    other = answer_of(host, Handshake(replace(guest, blind=entropy("another call"))))
    assert first == again
    one, two = (Hello.unpack(unpack_frame(frame)[1][0]) for frame in (first, other))
    assert one.coin == two.coin
    for field in ("match_key", "nonce", "seed_commitment"):
        assert getattr(one, field) != getattr(two, field)


def test_a_guest_who_has_signed_takes_no_other_hello_of_the_host() -> None:
    host, guest = configs(RockPaperScissors(), 3)
    first = Handshake(guest)
    first.receive_data(answer_of(host, first))
    assert first.host_hello is not None
    again = replace(guest, host_hello=first.host_hello)
    for entropies, code in ((host.entropy, None), (entropy("drawn again"), "redrawn")):
        side = Handshake(again)
        side.receive_data(answer_of(replace(host, entropy=entropies), side))
        failed = [event.code for event in side.events_received() if isinstance(event, HandshakeFailed)]
        assert failed == ([] if code is None else [code])


def test_capabilities_that_both_have_named_stand_in_the_agreement_and_no_others() -> None:
    host, guest = configs(RockPaperScissors(), 3)
    host = replace(host, capabilities=("one", "two", "three"))
    guest = replace(guest, capabilities=("two", "three", "four"))
    one, two, _ = shake(host, guest)
    assert one.agreement is not None
    assert two.agreement is not None
    assert one.agreement.capabilities == two.agreement.capabilities == ("three", "two")
    assert (one.agreement.protocol, two.agreement.protocol) == (3, 3)


def test_each_hello_names_a_capability_that_nobody_knows() -> None:
    """So that no program can come to stumble over one."""
    hellos = [Handshake(config)._own_hello() for config in configs(RockPaperScissors(), 3)]
    assert all(len(hello.capabilities) == 1 for hello in hellos)
    assert hellos[0].capabilities != hellos[1].capabilities


@pytest.mark.parametrize(
    ("conditions", "taken"),
    [
        (Conditions(unknown=((7, b"later"),)), True),
        (Conditions(unknown=((12, b"later"),)), False),
        (Conditions(watched=0), False),
        (Conditions(aids=True), True),
        (Conditions(event=EventTerms(bytes(32), 1, 2, 1, bytes(32))), False),
    ],
)
def test_a_condition_of_an_odd_tag_may_be_unknown_and_one_of_an_even_tag_is_refused(
    conditions: Conditions, taken: bool
) -> None:
    host, guest = configs(RockPaperScissors(), 3, conditions=conditions)
    _, _, events = shake(host, guest)
    codes = {event.code for event in events if isinstance(event, HandshakeFailed)}
    assert codes == (set() if taken else {"conditions", "peer_conditions"})


def test_a_match_of_an_event_is_agreed_on_by_two_programs_that_know_events() -> None:
    event = EventTerms(bytes(range(32)), 3, 12, 2, bytes(32))
    host, guest = configs(RockPaperScissors(), 3, conditions=Conditions(event=event), capabilities=("event",))
    one, two, _ = shake(host, guest)
    assert one.agreement is not None
    assert one.agreement == two.agreement
    assert one.agreement.conditions.event == event


def test_a_wrong_secret_is_answered_with_silence() -> None:
    host, guest = configs(RockPaperScissors(), 3)
    side = Handshake(host)
    for frame in Handshake(replace(guest, secret=bytes(16))).data_to_send():
        side.receive_data(frame)
    assert side.data_to_send() == []
    assert [event.code for event in side.events_received() if isinstance(event, HandshakeFailed)] == ["wrong_secret"]
    assert side.records == []


@pytest.mark.parametrize("name", ["", "a\u202eb", "x" * 33, "a\x1b[2J"])
def test_a_bad_name_is_refused_on_both_sides(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    host, guest = configs(RockPaperScissors(), 3)
    with pytest.raises(LocalProtocolError):
        Handshake(replace(guest, name=name))
    # A changed program does not ask.
    hello = replace(Hello.unpack(unpack_frame(Handshake(guest).data_to_send()[0])[1][0]), name=name)
    value = tuple(getattr(hello, field) for field in hello.__slots__)
    data = wire.encode((1, *value[1:]))
    side = Handshake(host)
    side.receive_data(pack_frame(FrameKind.HELLO, data, hashing.derive(SECRET, "invite", data)))
    (event,) = side.events_received()
    assert isinstance(event, HandshakeFailed)
    assert event.code == "bad_name"


@pytest.mark.parametrize("seating", [(False,), (0.0,), (True, 0), (1, 1.0), (1.0, False), (2.0,)])
def test_a_seating_of_what_only_equals_numbers_is_refused(seating: Any) -> None:
    host, guest = configs(RockPaperScissors(), 3)
    side = Handshake(guest)
    (hello,) = side.data_to_send()
    other = Handshake(host)
    other.receive_data(hello)
    value = wire.unpack(unpack_frame(other.data_to_send()[0])[1][0], lambda _: None)
    data = msgpack.packb((*value[:-1], (3, "hash", seating)))
    mac = hashing.derive(SECRET, "invite", unpack_frame(hello)[1][0], data)
    side.receive_data(pack_frame(FrameKind.HELLO, data, mac))
    (event,) = side.events_received()
    assert isinstance(event, HandshakeFailed)
    assert event.code == "bad_frame"


def test_a_key_under_which_everything_verifies_is_refused() -> None:
    host, guest = configs(RockPaperScissors(), 3)
    hello = Hello.unpack(unpack_frame(Handshake(guest).data_to_send()[0])[1][0])
    weak = (1).to_bytes(32, "little")
    for changed in (replace(hello, identity=weak), replace(hello, match_key=weak)):
        data = changed.pack()
        side = Handshake(host)
        side.receive_data(pack_frame(FrameKind.HELLO, data, hashing.derive(SECRET, "invite", data)))
        (event,) = side.events_received()
        assert isinstance(event, HandshakeFailed)
        assert event.code == "bad_key"


def test_every_flipped_bit_of_a_handshake_is_refused() -> None:
    one, _, _ = shake(*configs(RockPaperScissors(), 3))
    records = one.records
    for number, record in enumerate(records):
        for bit in range(0, 8 * len(record.frame), 1 if number > 1 else 13):
            changed = [*records]
            changed[number] = Record(record.kind, flipped(record.frame, bit))
            if number < 2 and bit >= 8 * (len(record.frame) - 32):
                continue  # The proof of the invite's secret means nothing to a stranger, who does not know it.
            with pytest.raises(ProtocolError):
                read_agreement(changed)


@pytest.mark.parametrize("opened", [(bytes(32), None, None), (None, bytes(32), None), (None, None, 0)])
def test_a_host_who_opens_what_only_a_guest_fixes_ends_it_with_a_code_of_the_table(opened: tuple[Any, ...]) -> None:
    host, guest = map(Handshake, configs(RockPaperScissors(), 3))
    for one, two in ((guest, host), (host, guest), (guest, host)):
        for frame in one.data_to_send():
            two.receive_data(frame)
    (answer,) = host.data_to_send()
    guest.receive_data(pack_frame(FrameKind.SIGN, *opened, *unpack_frame(answer)[1][3:]))
    assert guest.failure is not None
    assert guest.failure.code == "bad_frame"
    assert guest.data_to_send() == []


@given(st.lists(st.binary(max_size=300), max_size=3))
def test_random_bytes_end_in_one_event(frames: list[bytes]) -> None:
    for config in configs(RockPaperScissors(), 3):
        side = Handshake(config)
        for frame in frames:
            side.receive_data(frame)
        events = side.events_received()
        assert [type(event) for event in events] == [HandshakeFailed] * bool(frames)


def test_a_frame_of_more_than_four_kilobytes_is_refused_unread() -> None:
    side = Handshake(configs(RockPaperScissors(), 3)[0])
    side.receive_data(bytes(4097))
    (event,) = side.events_received()
    assert isinstance(event, HandshakeFailed)
    assert event.code == "bad_frame"


def test_own_mistakes_raise_at_once() -> None:
    host, _ = configs(RockPaperScissors(), 3)
    for change in ({"terms": 99}, {"entropy": b"short"}, {"terms": (True,)}):
        with pytest.raises(LocalProtocolError):
            Handshake(replace(host, **change))
