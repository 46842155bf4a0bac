"""What a log proves is one flat row, the same for everybody, and what comes from others is checked before it is one."""

from __future__ import annotations

import hashlib
import json
from contextlib import suppress
from dataclasses import replace

import pytest
from helpers_archive import COMMITTED, damage, make_logs
from helpers_wire import Pair
from hypothesis import given
from hypothesis import strategies as st
from toys import RockPaperScissors, Rounds

from protocol.archive.row import FIRST_STATES, NAMES, Row, row
from protocol.core import wire
from protocol.core.frames import FrameKind, unpack_frame
from protocol.core.messages import Envelope
from protocol.errors import WireError
from protocol.game import Decision
from protocol.record import judging, logfile
from storm_p2p import games
from storm_p2p.storm.units import FACTION, ROSTER

LOGS = [*COMMITTED, *make_logs(20)]


@pytest.mark.parametrize("log", LOGS, ids=range(len(LOGS)))
def test_a_row_says_what_verify_says(log: bytes) -> None:
    found, facts = row(log, games.find), judging.judge([log], games.find)[0]
    assert found.log == hashlib.sha256(log).digest()
    assert found.size == len(log)
    assert found.match is not None
    names = ("ok", "confirmed", "audited", "scheme", "protocol", "rules")
    assert [getattr(found, name) for name in names] == [facts[name] for name in names]
    assert (found.match.hex(), found.length) == (facts["match"], facts["messages"])
    result = {"winner": found.winner or None, "reason": found.reason or "unfinished"}
    assert result == facts["result"]
    assert [key.hex() for key in found.keys] == [player["key"] for player in facts["players"]]
    assert list(found.names) == [player["name"] for player in facts["players"]]
    assert found.sides == ("chthonians", "olympians")
    assert len(json.loads(found.terms)) == 3


@pytest.mark.parametrize("log", LOGS, ids=range(len(LOGS)))
def test_the_first_states_are_those_that_the_envelopes_name(log: bytes) -> None:
    found = row(log, games.find)
    frames = [unpack_frame(one.frame)[1][0] for one in logfile.load(log).records if one.kind == FrameKind.ENVELOPE]
    assert found.states == tuple(Envelope.unpack(frame).state for frame in frames[:FIRST_STATES])


def test_a_setup_has_nine_units_of_each_side_in_nine_regions() -> None:
    for log in COMMITTED:
        found = row(log, games.find)
        assert found.audited
        for seat in (0, 1):
            codes = [code for code in found.setup if code >> 16 == seat]
            units, regions = [code >> 8 & 255 for code in codes], [code & 255 for code in codes]
            assert len(set(units)) == len(set(regions)) == 9
            assert set(units) <= set(ROSTER[seat])
            assert {FACTION[unit] for unit in units} == {seat}
            assert 0 not in regions


def test_a_seat_that_keeps_its_seed_shows_no_setup() -> None:
    seen = set()
    for log in make_logs(60):
        seeds = judging.judge([log], games.find)[0]["seeds"]
        found = row(log, games.find)
        assert {found.sides[code >> 16] for code in found.setup} <= set(seeds)
        seen.add(len(seeds))
    assert seen == {0, 1, 2}


@pytest.mark.parametrize("value", [None, -32, 127])
def test_the_longest_terms_of_a_game_that_is_not_here_have_room_in_a_row(value: int | None) -> None:
    class Wide(RockPaperScissors):
        name = "wide"

        def begin(self, terms: Decision) -> Rounds:
            return Rounds((0, 0), 1)

    [session, _] = Pair(Wide(), (value,) * 3600).sessions
    found = row(logfile.dump(session.records, session.seat, session.sign_log), games.find)
    assert found.problems == ("rules_version",)
    assert len(found.terms) > 14_000
    assert Row.unpack(found.pack()) == found


def test_damaged_logs_have_rows_with_their_problems() -> None:
    log = COMMITTED[0]
    assert row(log[:-1], games.find).problems == ("cut",)
    assert row(b"", games.find).problems == ("not-a-log",)
    assert "bad_trailer" in row(damage(log), games.find).problems
    unknown = row(log, lambda name, version: games.find(name, "1-0"))
    assert unknown.problems == ("rules_version",)
    assert (unknown.sides, unknown.states, unknown.setup) == ((), (), ())


def test_a_row_names_the_last_problem_of_a_log_however_many_there_are() -> None:
    *records, last = logfile.load(COMMITTED[0]).records
    damaged = last._replace(frame=last.frame[:-1] + bytes((last.frame[-1] ^ 1,)))
    log = logfile.dump([*records, *records[-1:] * 100, damaged], 0, lambda digest: bytes(64))
    assert row(log, games.find).problems == ("bad_signature", "bad_trailer", "repeated")


@given(st.integers(0, 10**6), st.integers(0, 255), st.sampled_from(range(len(COMMITTED))))
def test_whatever_a_log_is_its_row_can_be_sent(at: int, byte: int, number: int) -> None:
    log = bytearray(COMMITTED[number])
    log[at % len(log)] = byte
    found = row(bytes(log), games.find)
    assert Row.unpack(found.pack()) == found
    assert found.ok != bool(found.problems)


PACKED = [row(log, games.find).pack() for log in COMMITTED[:2]]


@given(st.integers(0, 10**4), st.integers(0, 255), st.sampled_from(PACKED))
def test_whatever_comes_as_a_row_is_one_or_is_refused(at: int, byte: int, packed: bytes) -> None:
    data = bytearray(packed)
    data[at % len(data)] = byte
    with suppress(WireError):
        assert Row.unpack(bytes(data)).pack() == data


def test_a_row_without_a_match_says_nothing_of_one() -> None:
    nothing = Row(bytes(32), 5, problems=("cut",))
    assert Row.unpack(nothing.pack()) == nothing
    for more in ({"length": 1}, {"game": "storm"}, {"setup": (0,)}, {"ok": True}, {"ok": True, "problems": ()}):
        with pytest.raises(WireError):
            replace(nothing, **more).pack()


@pytest.mark.parametrize(
    "change",
    [
        {"log": b"short"},
        {"sides": ("chthonians",)},
        {"names": ()},
        {"keys": (bytes(32),)},
        {"size": -1},
        {"problems": ("two words",)},
        {"names": ("\x1b[31m",)},
        {"length": 10**6},
        {"setup": (2 * 65_536,)},
        {"setup": (2, 1)},
        {"setup": (1, 1)},
        {"convicted": (1, 0)},
        {"convicted": (1, 1)},
        {"problems": ("b", "a")},
        {"problems": ("a", "a")},
        {"match": None},
        {"ok": False},
        {"states": (bytes(32),) * 9},
        {"winner": "\n"},
    ],
    ids=str,
)
def test_a_row_out_of_its_bounds_is_refused(change: dict[str, object]) -> None:
    bad = replace(row(COMMITTED[0], games.find), **change)  # type: ignore[arg-type]
    with pytest.raises(WireError):
        bad.pack()
    values = (getattr(bad, name) for name in NAMES)
    with pytest.raises(WireError):
        Row.unpack(wire.encode(tuple(int(value) if type(value) is bool else value for value in values)))
