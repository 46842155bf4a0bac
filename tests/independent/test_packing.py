"""The decoder of the second implementation: one byte string a message, and nothing that bytes say makes it fail."""

from __future__ import annotations

import random
from typing import Any

import msgpack
import pytest

from protocol.independent import forms
from protocol.independent.faults import Unreadable
from protocol.independent.packing import Foreign, is_canonical, pack, unpack

EDGES = [
    0, 127, 128, 255, 256, 65535, 65536, 2**32 - 1, 2**32, 2**64 - 1, -1, -32, -33, -128, -129, -(2**15), -(2**15) - 1,
    -(2**31), -(2**31) - 1, -(2**63),
]  # fmt: skip


@pytest.mark.parametrize(
    "value",
    [
        None, *EDGES, b"", b"x" * 255, b"x" * 256, b"x" * 65536, "", "a" * 31, "a" * 32, "ü" * 200, "a" * 70000, [],
        [[]], [1, [b"a", [None, "b"]]], [0] * 15, [0] * 16, [0] * 70000,
    ],
    ids=lambda value: f"{value!r:.20} {len(value) if hasattr(value, '__len__') else ''}",
)  # fmt: skip
def test_values_are_written_as_the_library_writes_them_and_read_back(value: Any) -> None:
    data = msgpack.packb(value)
    assert pack(value) == data
    assert unpack(data) == value
    assert is_canonical(data, unpack(data))


@pytest.mark.parametrize(
    "data", ["cc00", "cd0001", "d0ff", "d10001", "c50001aa", "d90161", "dc0000", "dd00000000", "91cc01", "ce00000001"]
)
def test_longer_forms_are_read_and_are_not_canonical(data: str) -> None:
    found = unpack(bytes.fromhex(data))
    assert found == msgpack.unpackb(bytes.fromhex(data))
    assert not is_canonical(bytes.fromhex(data), found)


@pytest.mark.parametrize("value", [True, False, 1.5, {1: 2}, {}, msgpack.ExtType(1, b"abcd"), msgpack.Timestamp(5)])
def test_other_types_are_foreign_and_no_form_takes_them(value: Any) -> None:
    found = unpack(msgpack.packb([value]))
    assert isinstance(found, list)
    assert isinstance(found[0], Foreign)
    for form in (forms.integer, forms.digest, forms.said):
        with pytest.raises(Unreadable):
            form(found[0])
    with pytest.raises(Unreadable):
        is_canonical(b"", found)


@pytest.mark.parametrize("data", ["", "c1", "92c0", "c403aabb", "a2c3", "a1ff", "c0c0", "df00000001c0", "c7", "d6"])
def test_what_is_no_msgpack_is_refused(data: str) -> None:
    with pytest.raises(Unreadable, match=r"^not_msgpack$"):
        unpack(bytes.fromhex(data))


def test_arrays_without_end_are_too_deep_and_huge_counts_cost_nothing() -> None:
    with pytest.raises(Unreadable, match=r"^too_deep$"):
        unpack(b"\x91" * 16000)
    with pytest.raises(Unreadable, match=r"^not_msgpack$"):
        unpack(b"\xdd\xff\xff\xff\xff" * 5)


def test_bytes_by_chance_are_read_or_refused() -> None:
    chance = random.Random(1)
    read = 0
    for _ in range(5000):
        try:
            unpack(chance.randbytes(chance.randrange(12)))
            read += 1
        except Unreadable:
            pass
    assert read


# --- forms ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("value", [1, None, -(2**53) + 1, 2**53 - 1, [], [1, [None, [2]]], [[[[[[[[1]]]]]]]]])
def test_decisions_come_as_tuples(value: Any) -> None:
    assert msgpack.packb(forms.said(value)) == msgpack.packb(value)


@pytest.mark.parametrize("value", [2**53, -(2**53), "a", [b"a"], [[[[[[[[[]]]]]]]]], [[[[[[[[[1]]]]]]]]]])
def test_what_is_no_decision_is_refused(value: Any) -> None:
    with pytest.raises(Unreadable):
        forms.said(value)


@pytest.mark.parametrize("text", ["a", "Jürgen", "a b", "\U0001f600", "\U0001fae8", "中文", "x" * 32, "\ufffd"])
def test_what_may_be_shown_is_a_text(text: str) -> None:
    assert forms.text(text, 32) == text


@pytest.mark.parametrize(
    "text", ["", "x" * 33, " a", "a ", "a\n", "\x1b[31m", "a\u202eb", "\u200b", "e\u0301", "\u2126", "\ue000", "\ufeff"]
)
def test_what_may_not_be_shown_is_none(text: str) -> None:
    with pytest.raises(Unreadable, match=r"^bad_text$"):
        forms.text(text, 32)


@pytest.mark.parametrize("word", ["", "a\n", "ü", "x" * 17, "\x7f"])
def test_a_word_is_printable_ascii(word: str) -> None:
    assert forms.word("0.1-a_b", 16) == "0.1-a_b"
    with pytest.raises(Unreadable, match=r"^bad_text$"):
        forms.word(word, 16)
