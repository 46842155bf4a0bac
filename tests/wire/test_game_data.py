"""A game that is played with data of the players' own: its log needs nothing else (SPEC.md, "Data of a game")."""

from __future__ import annotations

import random
import zlib
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from helpers_judging import agreed, codes, judged, log_of
from helpers_wire import Cheat, Pair, configs, identity, only, shake
from toys import RockPaperScissors, Rounds

from protocol.core.audit import verify
from protocol.core.events import Damaged
from protocol.core.frames import DATA_PARTS, PART_LENGTH, FrameKind, Record, pack_frame
from protocol.core.game_data import data_records, read_data
from protocol.core.handshake import Handshake
from protocol.core.session import Session
from protocol.errors import LocalProtocolError, VerificationError
from protocol.game import Decision, Game

DATA = random.Random(1).randbytes(2 * PART_LENGTH + 7)
TERMS = (2, zlib.crc32(DATA))


class WithData(RockPaperScissors):
    """Rock, paper, scissors whose terms name data by a checksum."""

    name = "with-data"

    def __init__(self, data: bytes = b"") -> None:
        self.data = data

    def supply(self, data: bytes) -> WithData:
        return WithData(data)

    def begin(self, terms: Decision) -> Rounds:
        if not isinstance(terms, tuple) or terms[1] != zlib.crc32(self.data):
            raise ValueError("expected the data of these terms")
        return super().begin(terms[0])


GAME = WithData()


@pytest.fixture(scope="module")
def pair() -> Pair:
    """Return a match that was played to its end."""
    found = Pair(GAME, TERMS, data=DATA)
    found.play_out()
    return found


def parts(pair: Pair, seat: int = 0) -> tuple[list[Record], list[Record], list[Record]]:
    """Return the records of the handshake, of the data and of the match."""
    records = list(pair.sessions[seat].records)
    return records[:4], records[4:7], records[7:]


def part(number: int, data: bytes) -> Record:
    return Record(FrameKind.DATA, pack_frame(FrameKind.DATA, number, data))


def judge(pair: Pair, records: Sequence[Record]) -> dict[str, Any]:
    return judged(pair, 0, records)


def test_a_log_carries_the_data_behind_the_handshake_and_needs_nothing_else(pair: Pair) -> None:
    for seat in (0, 1):
        records = pair.sessions[seat].records
        assert read_data(records) == (DATA, 7)
        assert [record.kind for record in records[4:8]] == [15, 15, 15, 3]
        assert pair.verify(seat).ok
        facts = judged(pair, seat)
        assert facts["ok"]
        assert facts["audited"]
        assert facts["confirmed"]


def test_the_data_never_go_over_the_wire(pair: Pair) -> None:
    assert {frame[1] for _, frame in pair.wire} <= {3, 4, 5, 6, 7, 12}
    assert not any(DATA[:50] in frame or DATA[-5:] in frame for _, frame in pair.wire)


def test_the_shell_stores_the_data_as_records_of_its_own_program() -> None:
    pair = Pair(GAME, TERMS, data=DATA)
    for session in pair.sessions:
        entries = session.records_to_store()
        assert [entry.record for entry in entries] == list(session.records)
        assert all(entry.ours for entry in entries[4:7])


def test_a_match_with_data_is_resumed_from_its_records_alone() -> None:
    pair = Pair(GAME, TERMS, data=DATA)
    pair.act(*_first(pair))
    for seat in (0, 1):
        pair.replace(seat, pair.restored(seat))
    pair.reconnect()
    pair.settle()
    pair.play_out()
    assert pair.verify(0).confirmed
    assert read_data(pair.sessions[1].records)[0] == DATA


def _first(pair: Pair) -> tuple[int, Decision]:
    seat = next(seat for seat, session in enumerate(pair.sessions) if session.asks_us is not None)
    return seat, pair.sessions[seat].moves()[0]


def test_a_session_without_its_data_is_not_restored(pair: Pair) -> None:
    config = pair.configs[0]
    start, _, rest = parts(pair)
    with pytest.raises(VerificationError) as error:
        Session([*start, *rest], GAME, config.identity, config.entropy).restore()
    assert error.value.code == "bad_terms"


@pytest.mark.parametrize("mine", [b"", b"others"])
def test_a_guest_without_the_data_or_with_others_refuses_the_terms(mine: bytes) -> None:
    host, guest = configs(GAME, TERMS, data=DATA)
    *_, events = shake(host, replace(guest, data=mine))
    assert sorted(getattr(event, "code", "") for event in events) == ["bad_terms", "peer_bad_terms"]


def test_a_host_does_not_begin_with_data_that_are_not_those_of_the_terms() -> None:
    for game, terms, data in (
        (GAME, TERMS, b"others"),
        (RockPaperScissors(), 2, b"any"),
        (GAME, (2, zlib.crc32(bytes(DATA_PARTS * PART_LENGTH + 1))), bytes(DATA_PARTS * PART_LENGTH + 1)),
    ):
        host, _ = configs(game, terms, data=data)
        with pytest.raises(LocalProtocolError) as error:
            Handshake(host)
        assert error.value.code == "bad_config"


def test_as_many_parts_as_there_are_numbers_can_be_read_again() -> None:
    data = bytes(DATA_PARTS * PART_LENGTH)
    records = data_records(data)
    assert len(records) == DATA_PARTS
    assert read_data([Record(1, b"")] * 4 + records) == (data, 4 + DATA_PARTS)


def test_parts_that_are_missing_changed_or_in_another_order_are_bad_terms(pair: Pair) -> None:
    start, data, rest = parts(pair)
    changed = part(1, bytes(len(DATA[PART_LENGTH : 2 * PART_LENGTH])))
    for wrong in (
        [],
        data[:1],
        data[:2],
        data[1:],
        [data[0], data[2]],
        data[::-1],
        [data[1], data[0], data[2]],
        [data[0], changed, data[2]],
        [*data, part(3, b"more")],
        [data[0], data[0], *data[1:]],
        [Record(FrameKind.ENVELOPE, data[0].frame), *data[1:]],
        [Record(FrameKind.DATA, b"\x94"), *data],
    ):
        facts = judge(pair, [*start, *wrong, *rest])
        assert codes(facts) == ["bad_terms"], wrong
        assert facts["messages"] == 0
        assert not facts["convicted"]


def test_a_part_of_data_anywhere_else_is_damage_and_nobody_is_to_blame(pair: Pair) -> None:
    start, data, rest = parts(pair)
    for at, extra in ((0, data[0]), (0, data[2]), (0, part(5, b"more")), (1, data[0]), (len(rest), data[1])):
        facts = judge(pair, [*start, *data, *rest[:at], extra, *rest[at:]])
        assert codes(facts) == ["unexpected_frame"]
        assert not facts["convicted"]


def test_data_in_the_log_of_a_game_without_any_are_bad_terms() -> None:
    pair = Pair(RockPaperScissors(), 2)
    pair.play_out()
    records = list(pair.host.records)
    assert codes(judge(pair, [*records[:4], part(0, b"data"), *records[4:]])) == ["bad_terms"]


def test_the_same_data_in_shorter_parts_are_the_same_match(pair: Pair) -> None:
    start, _, rest = parts(pair)
    short = [part(number, DATA[at : at + 2000]) for number, at in enumerate(range(0, len(DATA), 2000))]
    assert judge(pair, [*start, *short, *rest])["ok"]


def test_data_from_a_player_are_damage_and_end_the_connection_alone() -> None:
    pair = Pair(GAME, TERMS, data=DATA)
    Cheat(pair, 1).send(data_records(DATA)[0].frame)
    assert pair.last(0, Damaged).code == "unexpected_frame"
    assert pair.host.stopped is None
    assert read_data(pair.host.records) == (DATA, 7)


def test_of_several_logs_one_without_its_data_says_nothing_and_spoils_nothing(pair: Pair) -> None:
    start, _, rest = parts(pair)
    bare = log_of(pair, 0, [*start, *rest])
    other = log_of(pair, 1)
    for files in ([bare, other], [other, bare], [bare, bare], [bare, other, log_of(pair, 0)]):
        for file, facts in zip(files, agreed(files, only(GAME)), strict=True):
            assert codes(facts) == (["bad_terms"] if file == bare else [])
            assert facts["ok"] is (file != bare)


def test_damaged_data_never_raise_and_both_implementations_say_the_same(pair: Pair) -> None:
    chance = random.Random(15)
    start, data, rest = parts(pair)
    for _ in range(150):
        changed = list(data)
        for _ in range(chance.randint(1, 3)):
            at = chance.randrange(len(changed))
            frame = bytearray(changed[at].frame)
            match chance.randrange(5):
                case 0:
                    frame[chance.randrange(min(12, len(frame)))] = chance.randrange(256)
                case 1:
                    frame[chance.randrange(len(frame))] ^= 1 << chance.randrange(8)
                case 2:
                    del frame[chance.randrange(1, len(frame)) :]
                case 3:
                    changed.insert(chance.randrange(len(changed) + 1), changed[at])
                case _:
                    rest_at = chance.randrange(len(changed))
                    changed[at], changed[rest_at] = changed[rest_at], changed[at]
                    continue
            changed[at] = Record(chance.choice((15, 15, 15, frame[0], 3)), bytes(frame))
        records = [*start, *changed, *rest]
        facts = judge(pair, records)
        assert facts["ok"] is (read_data(records)[0] == DATA and len(codes(facts)) == 0)
        assert not facts["convicted"]


def test_only_the_game_itself_knows_what_its_data_are() -> None:
    with pytest.raises(ValueError, match="expected no data"):
        RockPaperScissors().supply(b"data")
    verdict = verify(Pair(GAME, TERMS, data=DATA).host.records, only(GAME))
    assert verdict.transcript is not None
    game: Game[Any] = verdict.transcript.game
    assert isinstance(game, WithData)
    assert game.data == DATA
    assert identity("host").public == verdict.transcript.agreement.players[0].identity
