"""Documents: bytes, signatures, bounds, and what two of them prove."""

from __future__ import annotations

import random
from contextlib import suppress
from dataclasses import replace
from typing import Any

import pytest
from helpers_tournament import ARBITER, ORGANISER, STRANGER, event_of, secret
from hypothesis import given
from hypothesis import strategies as st

from protocol.core import wire
from protocol.core.game_data import Conditions, EventTerms, WitnessTerms
from protocol.crypto.hashing import hash_parts
from protocol.tournament.contents import (
    Absence,
    Answer,
    Claim,
    Close,
    Coin,
    Content,
    Data,
    End,
    Entry,
    Matter,
    Notice,
    Pairing,
    Points,
    Proposal,
    Ready,
    Round,
    Ruling,
    Seeding,
    Start,
    System,
    Topic,
    value_of,
)
from protocol.tournament.documents import DOCUMENT_LIMIT, KEPT, LABELS, SHORT, DocumentError, issue, read, sign
from protocol.tournament.survey import follow

ONE, TWO, THREE = (secret(text) for text in ("one", "two", "three"))

CONTENTS: tuple[Content, ...] = (
    event_of(System.SWISS, conditions=Conditions(witness=WitnessTerms(ARBITER.public, "witness.example:7000"))),
    event_of(System.ROUND_ROBIN, (), cycles=2, games=1, seeding=Seeding.RATING, points=Points(6, 2, 0, 0)),
    event_of(System.KNOCK_OUT, third_place=True),
    event_of(System.ROUND_ROBIN, most=16),
    Entry(ONE, "Ada", TWO, (1700, 80, 59_000)),
    Entry(ONE, "Ünter", TWO),
    Close(ONE, 1, ONE, tuple(sorted((TWO, THREE)))),
    Coin(ONE, TWO, THREE, ONE),
    Start(ONE, 2, TWO, ()),
    Round(ONE, 3, TWO, 2, 99, (Pairing(1, 2), Pairing(3, 0)), ((b"\x01\x02", b""),), (THREE,)),
    Ruling(ONE, 1, ONE, Matter.FORFEIT, 1, 2, 0, 5, evidence=(TWO,)),
    Ruling(ONE, 2, ONE, Matter.LATE_ENTRY, 2, entry=TWO, replaces=THREE),
    Ready(ONE, 1, 2, 1, 1_700_000_000),
    Claim(ONE, 1, 2, 1, 1_700_003_600, (TWO,)),
    Proposal(ONE, 1, 2, 1, 1_700_000_000, 1_700_090_000),
    Answer(ONE, TWO, 1_700_005_000, "My line was down."),
    End(ONE, 4, THREE, ((b"\x01\x02", b""), (b"\x06\x00",)), (TWO,)),
    Absence(ONE, 3, 1),
    Data(ONE, b"cards"),
    Notice(ONE, 2, TWO, Topic.FORBIDDEN, 9, tuple(sorted((TWO, THREE)))),
    Notice(ONE, 3, TWO, Topic.RATING, 9, (TWO,), (1700, 80, 59_000)),
    Notice(ONE, 4, TWO, Topic.ANNOUNCEMENT, 9, text="Round 2 begins a day later."),
)


def caught(data: bytes) -> str:
    """Return the code with which bytes are refused."""
    with pytest.raises(DocumentError) as error:
        read(data)
    return error.value.code


def signed(kind: int, *values: Any, version: int = 1, label: str | None = None) -> bytes:
    """Sign any values as a document, as a changed program could."""
    body = wire.encode((kind, version, STRANGER.public, *values))
    label = list(LABELS.values())[kind - 1] if label is None else label
    return wire.encode((body, STRANGER.sign_digest(hash_parts(label, body))))


@pytest.mark.parametrize("content", CONTENTS)
def test_what_is_signed_is_read(content: Content) -> None:
    document = read(sign(ORGANISER, content))
    assert document.content == content
    assert document.author == ORGANISER.public
    assert sign(ORGANISER, document.content) == document.data


def test_every_kind_of_document_is_among_the_examples() -> None:
    assert {type(content) for content in CONTENTS} == set(LABELS)
    assert [read(sign(ORGANISER, one)).kind for one in CONTENTS[5:8]] == ["entry", "close", "coin"]


def test_the_event_id_is_the_hash_of_what_is_signed() -> None:
    data = sign(ORGANISER, CONTENTS[0])
    body: Any = wire.unpack(data, lambda _: None, 1 << 16)[0]
    assert read(data).id == hash_parts("event", body)


def test_a_content_has_the_oldest_version_that_can_say_it_and_no_other() -> None:
    bodies = [wire.unpack(wire.unpack(sign(ORGANISER, one), lambda _: None)[0], lambda _: None) for one in CONTENTS]  # type: ignore[arg-type]
    assert [body[:2] for body in bodies if body[1] != 1] == [(1, 2)] * 2 + [(14, 2), (15, 2)] + [(13, 2)] * 3
    old, new = bodies[1], bodies[3]
    assert (len(old), len(new)) == (23, 25)
    # With what version 1 can say, version 2 would give an event a second id.
    assert caught(signed(1, *old[3:], 0, None, version=2)) == "version"
    assert caught(signed(1, *new[3:])) == "bad_array"
    assert caught(signed(13, *bodies[-1][3:])) == "version"


@pytest.mark.parametrize("content", CONTENTS)
def test_no_changed_cut_or_longer_document_is_read(content: Content) -> None:
    data = sign(ORGANISER, content)
    chance = random.Random(len(data))
    for _ in range(150):
        at = chance.randrange(len(data))
        changed = data[:at] + bytes((data[at] ^ (1 << chance.randrange(8)),)) + data[at + 1 :]
        caught(changed)
        caught(data[:at])
        caught(data + data[at:])


@given(st.binary(max_size=200))
def test_no_bytes_raise_anything_else(data: bytes) -> None:
    caught(data)


_VALUES: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.integers(-5, 2**40) | st.binary(max_size=33) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=5).map(tuple),
    max_leaves=20,
)


def taken(data: bytes) -> None:
    """Read signed bytes: they are a document that is signed again to the same bytes, or refused."""
    with suppress(DocumentError):
        assert sign(STRANGER, read(data).content) == data


@given(st.integers(1, len(LABELS)), st.lists(_VALUES, max_size=22))
def test_no_signed_values_raise_anything_else(kind: int, values: list[Any]) -> None:
    taken(signed(kind, *values))


@given(st.data())
def test_no_change_of_one_value_raises_anything_else(data: st.DataObject) -> None:
    outer: Any = wire.unpack(sign(STRANGER, data.draw(st.sampled_from(CONTENTS))), lambda _: None, 1 << 16)
    values: list[Any] = list(wire.unpack(outer[0], lambda _: None, 1 << 16))
    values[data.draw(st.integers(3, len(values) - 1))] = data.draw(_VALUES)
    taken(signed(values[0], *values[3:], version=values[1]))


def test_another_version_kind_label_or_signature_is_refused_with_its_reason() -> None:
    entry = (ONE, "Ada", TWO, None)
    assert caught(signed(2, *entry, version=2)) == "version"
    assert caught(wire.encode((wire.encode((len(LABELS) + 1, 1, STRANGER.public)), bytes(64)))) == "unknown_document"
    assert caught(wire.encode((wire.encode(()), bytes(64)))) == "unknown_document"
    assert caught(signed(2, *entry, label="event-coin")) == "bad_signature"
    data = sign(STRANGER, Entry(*entry))
    assert caught(data[:-1] + bytes((data[-1] ^ 1,))) == "bad_signature"
    body: Any = wire.unpack(data, lambda _: None, 1 << 16)
    assert caught(wire.encode((body[0].replace(STRANGER.public, bytes(32)), body[1]))) == "key_point"
    assert caught(b"\xdc\x00\x02" + data[1:]) == "not_canonical"
    assert caught(bytes(70_000)) == "too_long"


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"engine": None}, "bad_engine"),
        ({"system": System.KNOCK_OUT}, "bad_engine"),
        ({"deadlines": ()}, "bad_deadlines"),
        ({"cycles": 2}, "bad_cycles"),
        ({"points": Points(1, 1, 0, 2)}, "bad_points"),
        ({"sides": ("dawn", "dawn")}, "bad_sides"),
        ({"sides": ("dawn", "draw")}, "bad_sides"),
        ({"conditions": Conditions(event=EventTerms(ONE, 1, 1, 1, ONE))}, "bad_conditions"),
        ({"arbiters": tuple(sorted((ARBITER.public, ORGANISER.public), reverse=True))}, "bad_order"),
        ({"tie_breaks": ("COIN",)}, "bad_word"),
        ({"games": 3}, "bad_int"),
        ({"name": "a\nb"}, "bad_text"),
    ],
)
def test_an_event_that_makes_no_sense_is_not_signed_and_not_read(changes: dict[str, Any], code: str) -> None:
    event = replace(event_of(System.SWISS), **changes)
    with pytest.raises(DocumentError) as error:
        sign(ORGANISER, event)
    assert error.value.code == code
    assert caught(signed(1, *value_of(event))) == code


@pytest.mark.parametrize(
    "ruling",
    [
        Ruling(ONE, 1, ONE, Matter.FORFEIT, 1, 0, 1, 2),
        Ruling(ONE, 1, ONE, Matter.FORFEIT, 1, 1, 1, 0),
        Ruling(ONE, 1, ONE, Matter.DOUBLE_FORFEIT, 1, 1, 1, 2),
        Ruling(ONE, 1, ONE, Matter.AWARD, 1, 1, 1, 2, points=1),
        Ruling(ONE, 1, ONE, Matter.BYE, 1, 1, player=2),
        Ruling(ONE, 1, ONE, Matter.LATE_ENTRY, 1),
        Ruling(ONE, 1, ONE, Matter.WITHDRAWAL, 1, game=1, player=2),
    ],
)
def test_a_ruling_that_lacks_what_its_matter_needs_is_none(ruling: Ruling) -> None:
    with pytest.raises(DocumentError) as error:
        sign(ARBITER, ruling)
    assert error.value.code == "bad_ruling"


def test_lists_of_ids_ascend() -> None:
    low, high = sorted((TWO, THREE))
    for wrong in ((high, low), (low, low)):
        with pytest.raises(DocumentError) as error:
            sign(ORGANISER, Close(ONE, 1, ONE, wrong))
        assert error.value.code == "bad_order"


def test_the_largest_documents_fit() -> None:
    ids = tuple(sorted(secret(str(number)) for number in range(512)))
    pairings = tuple(Pairing(2 * table + 1, 2 * table + 2) for table in range(256))
    basis = tuple((b"\x01\x03",) * 256 for _ in range(20))
    for content in (Close(ONE, 1, ONE, ids), Round(ONE, 3, TWO, 21, 99, pairings, basis, ids)):
        assert read(sign(ORGANISER, content)).content == content
    with pytest.raises(DocumentError) as error:
        sign(ORGANISER, Round(ONE, 3, TWO, 128, 99, pairings, ((bytes(8),) * 256,) * 127, ids))
    assert error.value.code == "too_long"


def test_what_strangers_sign_fills_no_memory() -> None:
    """Each file that comes is read, whoever has signed it: a program that serves a tournament kept 240 MB of them."""
    for kept in KEPT:
        kept.cache_clear()
    contents: list[Content] = [
        Entry(secret("event"), "Ann", bytes(32)),
        *(Data(bytes(32), bytes([n, 1]) * 30_000) for n in range(3)),
    ]
    for content in contents:
        read(sign(STRANGER, content))
    assert [kept.cache_info().currsize for kept in KEPT] == [1, 3]
    most = [kept.cache_info().maxsize or 0 for kept in KEPT]
    assert most[0] * SHORT + most[1] * DOCUMENT_LIMIT <= 32 * 1024 * 1024


def test_two_documents_with_one_number_convict_whoever_signed_them() -> None:
    one, two = (issue(ORGANISER, Close(ONE, 1, ONE, ids)) for ids in ((), (TWO,)))
    start, later = (issue(ORGANISER, Start(ONE, number, ONE, ())) for number in (1, 2))
    [found] = follow(ONE, (one, two)).equivocations
    assert follow(ONE, (two, one)).equivocations == (found,)
    assert (found.author, found.number) == (ORGANISER.public, 1)
    assert {found.first, found.second} == {one.data, two.data}
    # Close and start stand in one chain.
    assert [fork.number for fork in follow(ONE, (one, start)).equivocations] == [1]
    assert follow(ONE, (one, later)).equivocations == ()
