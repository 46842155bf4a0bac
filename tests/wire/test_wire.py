"""One byte string for each value, and one kind of error for everything else."""

from __future__ import annotations

import hashlib
import re
import tracemalloc
import unicodedata

import msgpack
import pytest
from helpers import ROOT
from hypothesis import given
from hypothesis import strategies as st

from protocol.core import wire
from protocol.crypto import hashing
from protocol.errors import WireError
from protocol.text import HIDDEN, is_normal

ANY = wire.items(wire.decision, 0, 100)


def assert_coded(error: WireError, code: str = "") -> None:
    assert str(error)
    assert error.code == (code or error.code) != ""


said_values = st.recursive(
    st.none() | st.integers(-(2**53) + 1, 2**53 - 1),
    lambda inner: st.lists(inner, max_size=4).map(tuple),
    max_leaves=20,
)


def test_the_hash_frames_every_part_with_its_length() -> None:
    parts = (b"storm-p2p/3", b"env", b"ab", (7).to_bytes(8, "big"))
    data = b"".join(len(part).to_bytes(8, "big") + part for part in parts)
    assert hashing.hash_parts("env", b"ab", 7) == hashlib.sha256(data).digest()


def test_parts_cannot_be_shifted_into_each_other() -> None:
    assert hashing.hash_parts("x", b"ab", b"c") != hashing.hash_parts("x", b"a", b"bc")
    assert hashing.hash_parts("x", b"", b"a") != hashing.hash_parts("x", b"a", b"")


@given(st.lists(said_values, max_size=5).map(tuple))
def test_what_is_packed_is_unpacked_unchanged(value: tuple[object, ...]) -> None:
    try:
        data = wire.pack(value, ANY)  # type: ignore[arg-type]
    except WireError as error:
        assert_coded(error, "too_deep")
        return
    assert wire.unpack(data, ANY) == value


@given(st.binary(max_size=200))
def test_any_bytes_are_a_value_that_packs_to_the_same_bytes_or_one_error(data: bytes) -> None:
    try:
        value = wire.unpack(data, ANY)
    except WireError as error:
        assert_coded(error)
    else:
        assert wire.pack(value, ANY) == data


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"", "not_msgpack"),
        (b"\x91", "not_msgpack"),
        (b"\x91\x01\x00", "not_msgpack"),
        (b"\x91\xcc\x01", "not_canonical"),
        (b"\x91\xd0\x01", "not_canonical"),
        (b"\x91\xcf\x00\x00\x00\x00\x00\x00\x00\x01", "not_canonical"),
        (b"\xdc\x00\x01\x01", "not_canonical"),
        (b"\xdd\x00\x00\x00\x01\x01", "not_canonical"),
        (b"\x91\xca\x3f\x80\x00\x00", "bad_said"),
        (b"\x91\xcb\x3f\xf0\x00\x00\x00\x00\x00\x00", "bad_said"),
        (b"\x91\xc3", "bad_said"),
        (b"\x91\x80", "bad_said"),
        (b"\x91\x81\x01\x02", "not_msgpack"),
        (b"\x91\x82\x01\x02\x01\x02", "not_msgpack"),
        (b"\x91\xd4\x01\x00", "not_msgpack"),
        (b"\x91\xd6\xff\x00\x00\x00\x00", "not_msgpack"),
        (b"\x91\xa1a", "bad_said"),
        (b"\x91\xa1\xff", "not_msgpack"),
        (b"\x91\xc1", "not_msgpack"),
        (b"\x01", "bad_array"),
        (b"\x91\xcf\xff\xff\xff\xff\xff\xff\xff\xff", "bad_int"),
        (b"\x91" * 20 + b"\xc0", "too_deep"),
        (b"\x91" * 5000 + b"\xc0", "not_msgpack"),
        (b"\xdd\xff\xff\xff\xff", "not_msgpack"),
        (b"\xc6\xff\xff\xff\xff", "not_msgpack"),
        (bytes(wire.FRAME_LIMIT + 1), "too_long"),
    ],
)
def test_every_other_form_is_refused(data: bytes, code: str) -> None:
    with pytest.raises(WireError) as caught:
        wire.unpack(data, ANY)
    assert caught.value.code == code


@pytest.mark.parametrize("size", [1024, wire.FRAME_LIMIT])
@pytest.mark.parametrize("rest", [b"", bytes(12)])
def test_arrays_that_say_to_be_long_take_no_memory(size: int, rest: bytes) -> None:
    level = b"\xdc" + (size - 3).to_bytes(2, "big") + rest
    data = (level * (size // len(level))).ljust(size, b"\x00")
    tracemalloc.start()
    with pytest.raises(WireError, match="msgpack"):
        wire.unpack(data, ANY)
    taken = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert taken < 3 << 20


def test_the_error_names_the_field() -> None:
    schema = wire.fields("move", ("game", wire.octets(16)), ("rest", wire.items(wire.integer(0, 3), 0, 2)))
    with pytest.raises(WireError, match=r"^move\.game: expected 16 bytes, got 1 characters$"):
        wire.unpack(msgpack.packb(["x", []]), schema)
    with pytest.raises(WireError, match=r"^move\.rest\.1: expected int from 0 to 3, got int 4$"):
        wire.unpack(msgpack.packb([bytes(16), [0, 4]]), schema)


@pytest.mark.parametrize("value", [True, False])
def test_a_truth_value_is_not_a_number(value: bool) -> None:
    with pytest.raises(WireError):
        wire.integer(0, 1)(value)
    with pytest.raises(WireError):
        wire.decision((value,))


@pytest.mark.parametrize(
    "name",
    [
        "",
        " a",
        "a ",
        "a\nb",
        "a\x1b[31m",
        "a\x00",
        "a\u202eb",
        "a\u200bb",
        "a\u2066b",
        "a\u2028b",
        "a\u00a0b",
        "e\u0301",
        "a\ud800",
        "a\ue000",
        "\u3164",
        "x" * 33,
    ],
)
def test_names_with_characters_that_deceive_are_refused(name: str) -> None:
    with pytest.raises(WireError):
        wire.text(32)(name)


@pytest.mark.parametrize("name", ["Hanna", "Zoë", "李雷", "Ελένη", "a b"])
def test_names_of_people_are_taken(name: str) -> None:
    wire.text(32)(name)


@pytest.mark.parametrize("line", ["\U0001face!", "\U0001fae9 \u0378", "\u2764\ufe0f", "\U000105d2\u0307"])
def test_a_character_is_a_message_to_programs_whose_unicode_is_older(line: str) -> None:
    # The first ones were assigned in 2022 and 2024 and one never was; the last pair has a normal form since 2024.
    wire.text(32)(line)


def test_every_character_that_moves_hides_or_breaks_text_is_hidden_under_the_unicode_of_this_python() -> None:
    shown = HIDDEN.sub("", "".join(map(chr, range(0x110000))))
    assert {unicodedata.category(char) for char in shown} & {"Cc", "Cf", "Cs", "Co", "Zs", "Zl", "Zp"} == {"Zs"}
    assert [char for char in shown if char.isspace()] == [" "]


def test_a_character_in_normal_form_is_so_under_the_rule_that_no_version_changes() -> None:
    for char in HIDDEN.sub("", "".join(map(chr, range(0x80, 0x40000)))):
        assert unicodedata.normalize("NFC", char) != char or is_normal(char), ascii(char)


def test_the_specification_lists_the_hidden_characters() -> None:
    text = (ROOT / "SPEC.md").read_text(encoding="utf-8")
    spans = text.split("*Hidden characters*", 1)[1].split("```text", 1)[1].split("```", 1)[0].split()
    everything = "".join(map(chr, range(0x110000)))
    runs = re.findall(f"{HIDDEN.pattern}+", everything)
    assert [tuple(int(end, 16) for end in span.split("-")) for span in spans] == [
        (ord(run[0]), ord(run[-1])) if len(run) > 1 else (ord(run),) for run in runs
    ]
