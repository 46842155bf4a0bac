"""STUN in bytes: the examples of RFC 5769, and bytes that are no answer."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.reach.formats import stun
from protocol.reach.formats.outside import Nature, Seen
from protocol.reach.formats.stun import Answer

# RFC 5769, sections 2.2 and 2.3: the same request answered with an IPv4 and with an IPv6 address.
TRANSACTION = bytes.fromhex("b7e7a701bc34d686fa87dfae")
ANSWER4 = bytes.fromhex(
    "0101003c2112a442b7e7a701bc34d686fa87dfae8022000b7465737420766563746f7220002000080001a147e112a643"
    "000800142b91f599fd9e90c38c7489f92af9ba53f06be7d780280004c07d4c96"
)
ANSWER6 = bytes.fromhex(
    "010100482112a442b7e7a701bc34d686fa87dfae8022000b7465737420766563746f7220002000140002a147"
    "0113a9faa5d3f179bc25f4b5bed2b9d900080014a382954e4be67bf11784c97c8292c275bfe3ed41"
    "80280004c8fb0b4c"
)


def answer(*attributes: tuple[int, str]) -> bytes:
    body = b"".join(
        kind.to_bytes(2, "big") + (len(bytes.fromhex(value))).to_bytes(2, "big") + bytes.fromhex(value)
        for kind, value in attributes
    )
    return b"\x01\x01" + len(body).to_bytes(2, "big") + bytes.fromhex("2112a442") + TRANSACTION + body


def test_a_stun_request_holds_nothing_but_its_transaction() -> None:
    assert stun.request(TRANSACTION) == bytes.fromhex("000100002112a442") + TRANSACTION


def test_the_answers_of_the_standard_are_read() -> None:
    assert stun.read(ANSWER4) == Answer(TRANSACTION, ("192.0.2.1", 32_853))
    assert stun.read(ANSWER6) == Answer(TRANSACTION, ("2001:db8:1234:5678:11:2233:4455:6677", 32_853))


def test_an_address_in_the_clear_counts_only_where_the_other_is_missing() -> None:
    clear = (1, "0001 1234 05060708")
    assert stun.read(answer((4, "0001 0001 01010101"), clear)) == Answer(TRANSACTION, ("5.6.7.8", 0x1234))
    hidden = (0x20, "0001 a147 e112a643")
    assert stun.read(answer(clear, hidden)) == Answer(TRANSACTION, ("192.0.2.1", 32_853))


@pytest.mark.parametrize(
    "data",
    [
        answer(),
        answer((0x20, "0003 a147 e112a643")),  # a family that is none
        answer((0x20, "0002 a147 e112a643")),
        answer((0x20, "0001 2112 e112a643")),  # port 0
        b"\x00\x01" + ANSWER4[2:],  # a request that comes back
        b"\x01\x11" + ANSWER4[2:],  # a refusal
        ANSWER4[:4] + bytes(4) + ANSWER4[8:],
        ANSWER4 + bytes(4),
        answer((1, "00" * 1_200), (0x20, "0001 a147 e112a643"), (2, "00" * 60)),
    ],
)
def test_other_stun_messages_are_no_answer(data: bytes) -> None:
    assert stun.read(data) is None


@given(
    st.binary(max_size=200)
    | st.binary(max_size=60).map(lambda tail: ANSWER4[:2] + bytes((0, len(tail))) + ANSWER4[4:20] + tail)
)
def test_any_bytes_are_an_answer_or_none(data: bytes) -> None:
    found = stun.read(data)
    assert found is None or (found.transaction == data[8:20] and 1 <= found.seen[1] <= 65_535)


@pytest.mark.parametrize(
    ("seen", "outside"),
    [
        ([], Seen(nature=Nature.NONE)),
        ([("5.1.1.2", 40)], Seen((("5.1.1.2", 40),), Nature.UNKNOWN)),
        ([("5.1.1.2", 40)] * 2, Seen((("5.1.1.2", 40),), Nature.EASY)),
        ([("5.1.1.2", 40), ("5.1.1.2", 41)], Seen((("5.1.1.2", 40),), Nature.HARD)),
        ([("5.1.1.2", 40), ("5.1.1.3", 40)], Seen()),
        ([("192.168.1.2", 40)] * 2, Seen()),
    ],
)
def test_what_servers_have_seen_tells_the_kind_of_router(seen: list[stun.Place], outside: Seen) -> None:
    assert stun.judge({(f"192.0.2.{at}", 3478): one for at, one in enumerate(seen)}) == outside
