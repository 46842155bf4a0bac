"""What cannot be read is refused: actions, decisions, dumped states and records from the disk."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from typing import Any

import pytest
from helpers_storm import STORM, StormPair
from helpers_wire import flipped, identity
from hypothesis import given
from hypothesis import strategies as st

from protocol.core.frames import Record
from protocol.core.session import Session
from protocol.errors import ProtocolError
from protocol.game import Choose, Chosen, Decision, Foul
from storm.bad_bytes import PHASES, moving
from storm_p2p.storm import codec
from storm_p2p.storm.actions import Liturgy
from storm_p2p.storm.board import Faction
from storm_p2p.storm.codec import StormState
from storm_p2p.storm.errors import RulesError
from storm_p2p.storm.state import Phase, Terms

C, O = Faction.CHTHONIANS, Faction.OLYMPIANS  # noqa: E741 (the catalogue of rules calls them so)


@cache
def states() -> tuple[StormState, ...]:
    """Return public states of all phases."""
    found = [phase().host.state for phase in PHASES]
    counted: Counter[Phase] = Counter()
    seed = 0
    # What comes by chance depends on the order in which actions are listed, so look until enough has come.
    while seed < 6 or len(counted) < 9:
        terms = Terms(random_setup=seed % 6 == 3, open_combat=seed % 6 == 5)
        pair = StormPair(terms, tag=f"states {seed}")
        chance = random.Random(seed)
        while (session := pair.asked) is not None:
            phase = pair.host.state.game.phase
            counted[phase] += 1
            # Of the most common phases a few are enough.
            if counted[phase] < 8 or counted[phase] % 20 == 0:
                found.append(pair.host.state)
            pair.decide(session, chance)
            pair.settle()
        seed += 1
    return tuple(found)


SAID = st.recursive(
    st.none() | st.integers(-(2**53) + 1, 2**53 - 1) | st.integers(0, 26),
    lambda inner: st.lists(inner, max_size=5).map(tuple),
    max_leaves=20,
)


FIELD = st.none() | st.integers(0, 30) | st.lists(st.integers(0, 26), max_size=4).map(tuple)


ACTION = st.integers(0, 14).flatmap(lambda kind: st.tuples(st.just(kind), *[FIELD] * len(codec._KINDS[kind][1])))


@given(SAID | ACTION)
def test_reading_an_action_gives_one_or_a_sentence(said: Decision) -> None:
    sentence = "expected "
    try:
        action = codec.decode(said)
    except RulesError as error:
        sentence = str(error)
    else:
        assert codec.decode(codec.encode(action)) == action
    assert sentence.startswith("expected ")


@given(said=SAID | ACTION, data=st.data())
def test_checking_a_decision_gives_none_or_a_sentence(said: Decision, data: st.DataObject) -> None:
    state = data.draw(st.sampled_from(states()))
    for seat in (0, 1):
        reason = STORM.check(state, seat, said, {})
        assert reason is None or reason.startswith("expected "), reason
        known = {slot: slot % 24 for slot in range(40)}
        full = STORM.check(state, seat, said, known)
        assert full is None or full.startswith("expected "), full


@given(said=ACTION, data=st.data())
def test_what_the_rules_let_pass_can_be_done(said: Decision, data: st.DataObject) -> None:
    state = data.draw(st.sampled_from(states()))
    request = STORM.next_request(state)
    if isinstance(request, Choose) and STORM.check(state, request.seat, said, {}) is None:
        try:
            after = STORM.step(state, Chosen(request.seat, said))
        except Foul:
            return
        assert STORM.load(STORM.dump(after)) == after


def test_every_short_action_is_judged_in_every_phase() -> None:
    values: tuple[Decision, ...] = (None, 0, 1, 5, 12, 13, 27, 2**31, (), (0,), (0, 1), (12, 13), (11, 12), (5, 5))
    passed = 0
    for state in states()[::6]:
        request = STORM.next_request(state)
        for kind, count in enumerate(len(fields) for _, fields, _ in codec._KINDS):
            for number in range(len(values) ** min(count, 2)):
                fields = (values[number % len(values)], values[number // len(values) % len(values)], None)[:count]
                said = (kind, *fields)
                for seat in (0, 1):
                    reason = STORM.check(state, seat, said, {})
                    assert reason is None or reason.startswith("expected ")
                if reason is None and isinstance(request, Choose) and request.kind != "deal":
                    STORM.step(state, Chosen(request.seat, said))
                    passed += 1
    assert passed > 15


# --- dumped states -----------------------------------------------------------------------------------------------


@given(st.binary(max_size=200))
def test_loading_any_bytes_gives_a_state_or_a_value_error(data: bytes) -> None:
    with pytest.raises(ValueError, match=r"."):
        STORM.load(data)


def test_every_dumped_state_loads_again() -> None:
    for state in states():
        assert STORM.dump(STORM.load(STORM.dump(state))) == STORM.dump(state)


WRONG: tuple[Any, ...] = (None, -1, 10**30, 1.5, "x", [], {}, [1], [[]])


def places(value: Any, path: tuple[int, ...] = ()) -> Iterator[tuple[int, ...]]:
    yield path
    if isinstance(value, list):
        for number, item in enumerate(value):
            yield from places(item, (*path, number))


def changed(value: Any, path: tuple[int, ...], other: Any) -> Any:
    if not path:
        return other
    copy = list(value)
    copy[path[0]] = changed(copy[path[0]], path[1:], other)
    return copy


def changed_dumps() -> Iterator[bytes]:
    chance = random.Random(5)
    for state in states()[::9]:
        value = json.loads(STORM.dump(state))
        for path in places(value):
            data = json.dumps(changed(value, path, chance.choice(WRONG)), separators=(",", ":")).encode()
            if data != STORM.dump(state):
                yield data


def test_loading_a_changed_state_raises_nothing_but_value_errors() -> None:
    for data in changed_dumps():
        try:
            STORM.load(data)
        except ValueError:
            continue


def test_a_state_with_words_or_fractions_for_numbers_is_not_taken() -> None:
    for data in changed_dumps():
        try:
            state = STORM.load(data)
        except ValueError:
            continue
        game = state.game
        assert all(type(one) is int for one in (*game.honor, *game.energy, game.number, game.gone, game.fresh))


def test_deep_or_endless_json_is_a_value_error() -> None:
    deep = (b"[" * 100_000, b"[" * 900 + b"]" * 900)
    for data in (*deep, b"9" * 100_000, b"1e999", b"NaN", b"\xff\xfe", b"{}", b"null"):
        with pytest.raises(ValueError, match=r"."):
            STORM.load(data)


# --- records from the own disk ------------------------------------------------------------------------------------


def test_restoring_from_damaged_records_raises_nothing_but_protocol_errors() -> None:
    pair = moving()
    pair.do(C, Liturgy())
    records = pair.guest.records
    config = pair.configs[1]
    for number, record in enumerate(records):
        for bit in range(number, 8 * len(record.frame), 97):
            damaged = [*records[:number], Record(record.kind, flipped(record.frame, bit)), *records[number + 1 :]]
            with suppress(ProtocolError):
                Session(damaged, STORM, config.identity, config.entropy).restore()
    with pytest.raises(ProtocolError):
        Session(records, STORM, identity("somebody else"), config.entropy).restore()
