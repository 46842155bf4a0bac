"""The announcement in the local network: what it says in the clear, and who can read the rest."""

from __future__ import annotations

import builtins
from typing import Any

import pytest
from cryptography.hazmat.primitives.kdf.scrypt import Scrypt
from hypothesis import given
from hypothesis import strategies as st

from protocol.reach import ReachError, lan
from protocol.words import WORDS

INVITE = "SOO1-" + "ABCDEFGHIJ234567" * 20
WORDS4 = ("amber", "otter", "plum", "zebra")


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Use a smaller scrypt; its price is not what is tested."""
    whole = Scrypt

    def small(*, salt: bytes, length: int, n: int, r: int, p: int) -> Any:
        assert n * r * 128 == 64 * 2**20
        return whole(salt=salt, length=length, n=2, r=r, p=p)

    monkeypatch.setattr(lan, "Scrypt", small)


def test_who_knows_the_words_reads_the_invite() -> None:
    box = lan.unboxed({key.encode(): value for key, value in lan.properties(lan.seal(INVITE, WORDS4)).items()})
    assert lan.unseal(box, WORDS4) == INVITE


def test_other_words_and_changed_boxes_read_nothing() -> None:
    box = lan.seal(INVITE, WORDS4)
    assert lan.unseal(box, ("amber", "otter", "plum", "zebra "[:4])) is None
    assert lan.unseal(box[:-1] + bytes((box[-1] ^ 1,)), WORDS4) is None
    assert lan.unseal(box[:20], WORDS4) is None
    assert lan.unseal(box + bytes(800), WORDS4) is None


def test_nothing_of_the_invite_is_in_the_clear_and_two_boxes_have_nothing_in_common() -> None:
    one, two = (lan.seal(INVITE, WORDS4) for _ in range(2))
    assert len(one) == len(two)
    for at in range(len(one) - 8):
        assert one[at : at + 8] not in two
    assert b"SOO" not in one
    assert not any(word.encode() in one for word in WORDS4)


def test_a_record_of_the_announcement_fits_into_its_length_byte() -> None:
    values = lan.properties(lan.seal("SOO1-" + "A" * 416, WORDS4))
    assert len(values) <= 4
    assert all(len(f"{key}=") + len(value) <= 255 for key, value in values.items())


def test_words_are_drawn_from_the_list_and_read_as_people_type_them() -> None:
    drawn = lan.fresh_words()
    assert len(drawn) == 4
    assert set(drawn) <= set(WORDS)
    assert lan.read_words(" Amber-otter,  PLUM zebra\n") == WORDS4
    for text in ("", "amber otter plum", "amber otter plum zebra apple", "amber otter plum zebr"):
        assert lan.read_words(text) is None


@given(st.dictionaries(st.binary(max_size=2), st.none() | st.binary(max_size=255), max_size=6))
def test_no_record_of_a_stranger_makes_the_reader_fail(values: dict[bytes, bytes | None]) -> None:
    assert lan.unseal(lan.unboxed(values), WORDS4) is None


def test_without_the_extra_it_says_what_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    real = builtins.__import__

    def without(name: str, *rest: Any) -> Any:
        if name.split(".")[0] == "zeroconf":
            raise ImportError(name)
        return real(name, *rest)

    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(ReachError) as error:
        lan.library()
    assert error.value.code == "no-zeroconf"
