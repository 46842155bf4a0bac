"""The invite: found in whatever a chat or a mail made of it, and never taken when a character is wrong."""

from __future__ import annotations

import base64
import textwrap

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.crypto.hashing import hash_parts
from protocol.reach import invite
from protocol.reach.formats.outside import UNSEEN, Nature, Seen
from protocol.reach.invite import Invite, InviteError, Purpose

NOW = 1_800_000_000
HALVES = (b"s" * 16, b"k" * 16, b"t" * 16)
SMALL = Invite((("192.0.2.7", 4711),), *HALVES, NOW + 600, b"p" * 16)
FULL = Invite(
    (("192.0.2.7", 65_535), ("2001:db8::1", 65_535), ("198.51.100.1", 4711)),
    b"S" * 16,
    b"K" * 16,
    b"T" * 16,
    NOW + 9,
    b"c" * 16,
    Purpose.RESUME,
)
BEHIND = Invite(
    (("192.168.178.22", 40_404), ("2003:e1:1234:5678::22", 40_404)),
    *HALVES,
    NOW + 600,
    b"p" * 16,
    seen=Seen((("5.1.1.2", 40_404),), Nature.HARD, 40_405, 40_406),
)
"""Two networks, and how they are seen."""
LINE = invite.dump(FULL)


def code_of(text: str, now: int = NOW) -> str:
    with pytest.raises(InviteError) as caught:
        invite.parse(text, now)
    assert str(caught.value) == caught.value.sentence
    assert caught.value.sentence.isprintable()
    return caught.value.code


def line_of(body: bytes, version: int = 2) -> str:
    counted = bytes((len(body),)) + body
    data = counted + hash_parts("invite", version, counted)[:4]
    return f"SOO{version}-" + base64.b32encode(data).decode().rstrip("=")


def test_an_invite_is_one_short_line_of_capitals_and_digits() -> None:
    assert 100 <= len(invite.dump(SMALL)) <= len(LINE) <= 200
    assert LINE.startswith("SOO2-")
    assert LINE.isalnum() or set(LINE) - set("-") <= set("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567SO1")


@pytest.mark.parametrize(
    "addresses",
    [("localhost",), ("a.example.org",), ("::1",), ("127.0.0.1", "::1", "x" * 56 + ".onion"), ("10.0.0.1",) * 8],
)
def test_all_kinds_of_addresses_come_back(addresses: tuple[str, ...]) -> None:
    for ports in (range(1, 9), [7] * 8):
        sent = Invite(tuple(zip(addresses, ports, strict=False)), *HALVES, NOW, b"p" * 16)
        assert invite.parse(invite.dump(sent), NOW) == sent


@pytest.mark.parametrize(
    "text",
    [
        LINE,
        LINE.lower(),
        f'"{LINE}"',
        f"Here, come and play: {LINE}",
        f"{LINE}\nSee you later",
        f"{LINE} SEE YOU LATER",
        f"<{LINE}>, **{LINE}**",
        "\n".join(textwrap.wrap(LINE, 40)),
        "> On Monday she wrote:\n" + "\n".join("> > " + part for part in textwrap.wrap(LINE, 60)),
        "=\r\n".join(textwrap.wrap(LINE, 76)),
        "\u200b".join(textwrap.wrap(LINE, 10)),
        f"An invite begins with SOO2- and this is one: {LINE}",
        f"the old one was {invite.dump(SMALL)[:-1]} and the new one {LINE}",
    ],
)
def test_an_invite_is_found_in_what_was_pasted(text: str) -> None:
    assert invite.parse(text, NOW) == FULL


def test_a_line_that_says_how_somebody_is_seen_fits_into_a_qr_code_of_a_small_window() -> None:
    # Version 6 holds 195 of these characters: with its border 23 rows of half blocks.
    assert len(invite.dump(BEHIND)) == 188


def test_the_bytes_behind_the_addresses_are_those_of_the_spec() -> None:
    seen = bytes.fromhex("02 9dd4 04 05010102  02 0001 04 64400304  03 06 9dd5")
    meant = Seen((("5.1.1.2", 40_404), ("100.64.3.4", 1)), Nature.HARD, 40_405)
    assert meant.pack() == seen
    assert Seen.unpack(seen) == meant
    assert Seen(nature=Nature.NONE).pack() == bytes.fromhex("03 03")
    assert Seen(nature=Nature.HARD, crossing6=7).pack() == bytes.fromhex("03 0a 0007")
    assert Seen(nature=Nature.NONE, crossing=5, crossing6=7).pack() == bytes.fromhex("03 0f 0005 0007")
    assert Seen.unpack(b"") == UNSEEN
    body = bytes(5) + b"".join(HALVES) + b"p" * 16 + bytes.fromhex("01 01 1267 04 c0000207") + seen
    assert invite.parse(line_of(body), 0) == Invite(SMALL.candidates, *HALVES, 0, b"p" * 16, seen=meant)


def test_every_changed_character_is_noticed() -> None:
    for at in range(len("SOO2-"), len(LINE)):
        for other in "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567":
            if other != LINE[at]:
                code = code_of(LINE[:at] + other + LINE[at + 1 :])
                assert code in {"checksum", "malformed", "cut"}


def test_every_cut_is_noticed() -> None:
    for size in range(len(LINE)):
        assert code_of(LINE[:size]) == ("cut" if size >= len("SOO2-") else "not-found")


@pytest.mark.parametrize("text", ["", "hello", "SOO-ABC", "S001-ABC", "\x00\x1b[2J", "http://example.org/SOO"])
def test_a_text_without_an_invite_says_so(text: str) -> None:
    assert code_of(text) == "not-found"


def test_an_invite_of_another_version_says_so() -> None:
    assert code_of("SOO1-" + LINE[5:]) == "version"
    assert code_of(line_of(b"x", 999)) == "version"


def test_an_invite_that_is_too_old_says_so() -> None:
    assert invite.parse(LINE, FULL.expires) == FULL
    assert code_of(LINE, FULL.expires + 1) == "expired"
    assert invite.parse(LINE + invite.dump(SMALL), FULL.expires + 1) == SMALL


def test_two_different_invites_are_not_chosen_from() -> None:
    assert code_of(f"{LINE}\n{invite.dump(SMALL)}") == "several"
    assert invite.parse(f"{LINE}\n{LINE}", NOW) == FULL


def test_a_text_without_end_is_not_read_to_its_end() -> None:
    assert code_of("SOO2-" * 200_000) == "cut"
    assert code_of("x" * 10_000_000 + LINE) == "not-found"


BODY = b"\0" + b"\xff" * 4 + b"s" * 16 + b"k" * 16 + b"t" * 16 + b"p" * 16
PORT = b"\x01\0\x07"
ONE = BODY + b"\x01" + PORT + b"\x04\x7f\0\0\x01"


@pytest.mark.parametrize(
    "body",
    [
        # How whoever answers is seen: no port, no address, an address of a home or of nobody, a name, nine addresses.
        ONE + b"\x04\x05\x01\x01\x02",
        ONE + b"\x02\0\0\x04\x05\x01\x01\x02",
        ONE + b"\x02\0\x07",
        ONE + b"\x02\0\x07\x04\xc0\xa8\0\x01",
        ONE + b"\x02\0\x07\x04\x7f\0\0\x01",
        ONE + b"\x02\0\x07\x06\xfe\x80" + bytes(13) + b"\x01",
        ONE + b"\x02\0\x07\x82ab",
        # Seen, but nobody can be called.
        BODY + b"\x00\x02\0\x07\x04\x05\x01\x01\x02",
        ONE + b"\x02\0\x07" + b"\x04\x05\x01\x01\x02" * 9,
        ONE + b"\x02\0\x07" + b"\x04\x05\x01\x01\x02" * 8,
        # A nature that is none, none that is said, bytes behind it, a port of TCP that is missing or none.
        ONE + b"\x03",
        ONE + b"\x03\0",
        ONE + b"\x03\x10\0\x07",
        ONE + b"\x03\x0c\0\x07",
        ONE + b"\x03\x08\0\0",
        ONE + b"\x03\x01\0\x07",
        ONE + b"\x03\x05\0",
        ONE + b"\x03\x05\0\0",
        ONE + b"\x02\0\x07\x04\x05\x01\x01\x02\x01\0\x07\x04\x7f\0\0\x01",
        b"",
        BODY,
        BODY + b"\x00",
        b"\x04" + BODY[1:] + b"\x01" + PORT + b"\x04\x7f\0\0\x01",
        BODY[:-1] + b"\x01",
        BODY + b"\x02" + PORT + b"\x04\x7f\0\0\x01",
        BODY + b"\x01" + PORT + b"\x04\x7f\0\0\x01\0",
        BODY + b"\x01" + PORT + b"\x04\0\0\0\0",
        BODY + b"\x01" + PORT + b"\x05\x7f\0\0\x01",
        BODY + b"\x01" + PORT + b"\x04\xe0\0\0\x01",
        BODY + b"\x01" + PORT + b"\x80",
        BODY + b"\x01" + PORT + b"\x83a b",
        BODY + b"\x01" + PORT + b"\x83a\xffb",
        BODY + b"\x01" + PORT + b"\x83A.B",
        BODY + b"\x01" + PORT + b"\x83999",
        BODY + b"\x01" + PORT + b"\xffabc",
        BODY + b"\x01" + b"\x04\x7f\0\0\x01",
        BODY + b"\x01" + b"\x01\0\0" + b"\x04\x7f\0\0\x01",
        BODY + b"\x02" + PORT + b"\x04\x7f\0\0\x01" + PORT + b"\x04\x7f\0\0\x02",
        BODY + b"\x09" + PORT + b"\x04\x7f\0\0\x01" * 9,
    ],
)
def test_a_body_with_a_right_checksum_and_wrong_content_is_malformed(body: bytes) -> None:
    assert code_of(line_of(body)) == "malformed"


@pytest.mark.parametrize("address", ["", "0.0.0.0", "fe80::1%eth0", "2001:DB8::1", "a_b", "Ä", "x" * 65, "a b"])
def test_an_address_that_nobody_could_dial_is_not_invited_to(address: str) -> None:
    with pytest.raises(ValueError, match="expected"):
        Invite(((address, 1),), *HALVES, NOW, b"p" * 16)


def test_fields_of_another_length_and_ports_that_are_none_are_refused() -> None:
    for halves in ((b"s" * 15, *HALVES[1:]), (HALVES[0], b"k" * 32, HALVES[2])):
        with pytest.raises(ValueError, match="expected"):
            Invite((("::1", 1),), *halves, NOW, b"p" * 16)
    for port in (0, 65_536):
        with pytest.raises(ValueError, match="expected a port"):
            Invite((("::1", port),), *HALVES, NOW, b"p" * 16)


@pytest.mark.parametrize(
    ("addresses", "crossings"),
    [
        ((("a.example", 1),), (0, 0)),
        ((("2A02::1", 1),), (0, 0)),
        ((("2a02::1%eth0", 1),), (0, 0)),
        ((("5.1.1.2", 65_536),), (0, 0)),
        ((), (65_536, 0)),
        ((), (0, 65_536)),
        ((("5.1.1.2", 1),) * 9, (0, 0)),
    ],
)
def test_nobody_says_that_they_are_seen_where_nobody_can_send_to(
    addresses: tuple[tuple[str, int], ...], crossings: tuple[int, int]
) -> None:
    with pytest.raises(ValueError, match="expected"):
        Seen(addresses, Nature.UNKNOWN, *crossings)


addresses = st.one_of(
    st.ip_addresses().filter(lambda ip: not ip.is_unspecified and not ip.is_multicast).map(str),
    st.from_regex(r"[a-z][a-z0-9-]{0,10}[a-z0-9]", fullmatch=True),
)
outside = st.sampled_from(["5.1.1.2", "100.127.255.254", "2a02::1", "2003:e1::5", "8.8.8.8"])
seen = st.builds(
    Seen,
    st.lists(st.tuples(outside, st.integers(1, 65_535)), max_size=4).map(tuple),
    st.sampled_from(Nature),
    st.integers(0, 65_535),
    st.integers(0, 65_535),
)
invites = st.builds(
    Invite,
    st.lists(st.tuples(addresses, st.integers(1, 65_535)), min_size=1, max_size=4).map(tuple),
    *[st.binary(min_size=16, max_size=16)] * 3,
    st.integers(NOW, 2**32 - 1),
    st.binary(min_size=16, max_size=16),
    st.sampled_from(Purpose),
    st.integers(0, 15),
    seen,
)


@given(invites)
def test_every_invite_comes_back(sent: Invite) -> None:
    assert invite.parse(f"hello {invite.dump(sent)} hello", NOW) == sent


@given(st.binary(max_size=255))
def test_any_body_is_an_invite_or_refused(body: bytes) -> None:
    try:
        got = invite.parse(line_of(body), 0)
    except InviteError:
        return
    assert invite.dump(got) == line_of(body)


@given(st.binary(max_size=24) | seen.map(Seen.pack))
def test_any_bytes_say_how_somebody_is_seen_in_one_way_or_nothing(data: bytes) -> None:
    try:
        got = Seen.unpack(data)
    except ValueError:
        return
    assert got.pack() == data


@given(st.text(max_size=200))
def test_any_text_is_refused_with_a_word(text: str) -> None:
    assert code_of("SOO2-" + text) in {"cut", "checksum", "malformed", "version"}
