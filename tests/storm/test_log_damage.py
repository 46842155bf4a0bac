"""A log that was damaged after its export: every bit, cut, order and repetition makes ``verify`` say no."""

from __future__ import annotations

import itertools
import json
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest
from helpers import daily_first
from helpers_judging import agreed
from helpers_storm import StormPair, judged, setup
from helpers_wire import flipped

from protocol.core.audit import Verdict, verify
from protocol.core.frames import FrameKind, Record
from protocol.record import logfile
from protocol.record.logfile import LogError
from storm_p2p import games
from storm_p2p.storm import codec
from storm_p2p.storm.actions import Liturgy, Move
from storm_p2p.storm.board import Faction
from storm_p2p.storm.state import Terms

C, O = Faction.CHTHONIANS, Faction.OLYMPIANS  # noqa: E741 (the catalogue of rules calls them so)
TRAILER = 68


@cache
def short_log() -> bytes:
    """Return the log of a short match with every kind of frame."""
    pair = StormPair(Terms(challenge=-13), tag="short")
    pair.place(setup(C, cerberus=11, cronus=5, hades=10), setup(O))
    pair.do(C, Move((5, 11), (0,), 1))
    pair.guest.side_channel.chat("hello")
    pair.settle()
    pair.do(O, Liturgy())
    pair.act(C, codec.encode(Move((11, 12), (), 1)), divided(pair))
    pair.do(O, Liturgy())
    # It costs the last points of Honor.
    pair.do(C, Liturgy())
    while not pair.host.over:
        pair.do(pair.host.waiting_for or 0, Liturgy())
    assert pair.host.audited
    data = pair.log(1)
    assert {record.kind for record in logfile.load(data).records} == set(range(1, 8))
    return data


def divided(pair: StormPair) -> tuple[tuple[int, ...], tuple[int, ...]]:
    one, other = (token.serial for token in pair.host.state.game.sides[C][11])
    return (one,), (other,)


def verdict_of(data: bytes) -> Verdict | LogError:
    """Return what the command verify makes of bytes, without the file."""
    try:
        log = logfile.load(data)
    except LogError as error:
        return error
    return verify(log.records, games.find, log.trailer)


def says_no(data: bytes) -> bool:
    found = verdict_of(data)
    return isinstance(found, LogError) or (not found.ok and bool(found.problems))


def test_the_log_is_good_before_it_is_damaged(tmp_path: Path) -> None:
    found = verdict_of(short_log())
    assert isinstance(found, Verdict)
    assert found.problems == ()
    assert found.audited
    answer = judged(short_log(), tmp_path)
    assert answer["ok"]
    assert answer["audited"]


@pytest.mark.parametrize("first", daily_first(range(5)))
def test_every_single_flipped_bit_changes_what_the_exporter_has_signed(first: int) -> None:
    # The whole of verify for each of 40,000 bits takes minutes (see below for one bit of each byte); that a signature
    # does not fit another digest is tested with the keys.
    data = short_log()
    signed = logfile.load(data).trailer
    assert signed is not None
    # Each fifth bit of a file meets all eight of a byte.
    for bit in range(first, 8 * (len(data) - logfile.SIGNATURE_LENGTH), 5):
        try:
            found = logfile.load(flipped(data, bit)).trailer
        except LogError:
            continue
        assert found is not None
        assert found.digest != signed.digest, bit
        assert found.signature == data[-logfile.SIGNATURE_LENGTH :]


def test_every_37th_byte_with_a_flipped_bit_makes_verify_say_no() -> None:
    data = short_log()
    for place in range(0, len(data), 37):
        assert says_no(flipped(data, 8 * place + place // 37 % 8)), place


def test_every_byte_of_the_beginning_and_of_the_trailer_makes_verify_say_no() -> None:
    data = short_log()
    first = len(logfile.MAGIC) + 3
    for place in itertools.chain(range(first), range(len(data) - TRAILER, len(data))):
        assert says_no(flipped(data, 8 * place + place % 8)), place


@pytest.mark.long
def test_every_byte_of_a_log_makes_verify_say_no() -> None:
    data = short_log()
    for place in range(len(data)):
        assert says_no(flipped(data, 8 * place + place % 8)), place


def test_every_cut_makes_verify_say_no() -> None:
    data = short_log()
    for length in range(len(data)):
        assert says_no(data[:length]), length
    for start in range(1, len(data), 7):
        assert says_no(data[start:]), start


def test_every_addition_at_the_end_makes_verify_say_no() -> None:
    data = short_log()
    for more in (b"\0", b"\n", b"\xff", data[-TRAILER:], data, data[16:]):
        assert says_no(data + more)


def refiled(records: list[Record]) -> bytes:
    """Return the records as a log with the trailer of the true one: who changes a file has no key."""
    true = logfile.load(short_log()).trailer
    assert true is not None
    return logfile.dump(records, true.seat, lambda digest: true.signature)


def test_every_record_left_out_repeated_or_moved_makes_verify_say_no() -> None:
    records = list(logfile.load(short_log()).records)
    assert refiled(records) == short_log()
    for one in range(len(records)):
        assert says_no(refiled(records[:one] + records[one + 1 :])), one
        assert says_no(refiled(records[: one + 1] + records[one:])), one
        for other in range(one):
            exchanged = list(records)
            exchanged[one], exchanged[other] = exchanged[other], exchanged[one]
            assert says_no(refiled(exchanged)), (one, other)
            moved = list(records)
            moved.insert(other, moved.pop(one))
            assert says_no(refiled(moved)), (one, other)


def test_every_other_kind_of_a_record_makes_verify_say_no() -> None:
    records = list(logfile.load(short_log()).records)
    for place, record in enumerate(records):
        for kind in (*range(10), 254):
            if kind != record.kind:
                assert says_no(refiled([*records[:place], Record(kind, record.frame), *records[place + 1 :]]))


def test_two_logs_joined_or_mixed_make_verify_say_no() -> None:
    other = StormPair(tag="the other one")
    other.play_out(1)
    theirs, ours = list(other.guest.records), list(logfile.load(short_log()).records)
    envelopes = [place for place, record in enumerate(ours) if record.kind == FrameKind.ENVELOPE]
    for place in range(len(ours)):
        mixed = [*ours[:place], theirs[min(place, len(theirs) - 1)], *ours[place + 1 :]]
        assert says_no(refiled(mixed)), place
    assert says_no(refiled([*ours[: envelopes[2]], *theirs[envelopes[2] :]]))
    assert says_no(refiled([*theirs[:4], *ours[4:]]))


def test_the_command_never_raises_and_never_says_yes(tmp_path: Path) -> None:
    data = short_log()
    samples = [b"", b"\0" * 100, b"x", data[:16], data[:-1], data + b"\0", flipped(data, 5000), data[::-1]]
    samples += [b"storm-p2p log 2\n" + data[16:], b"storm-p2p log 99999\n", data[:16] + data[-TRAILER:]]
    samples += [data[:place] + b"\xff" * 40 + data[place + 40 :] for place in range(0, len(data), 997)]
    for sample in samples:
        answer = judged(sample, tmp_path)
        assert answer["ok"] is False
        assert answer["problems"]
        assert all(one["text"] for one in answer["problems"])


def test_the_second_implementation_says_the_same_of_good_and_damaged_logs() -> None:
    data = short_log()
    log = logfile.load(data)
    assert agreed([data], games.find)[0]["ok"]
    for number in range(2, len(log.records), 3):
        # The frames are damaged behind the reader of the file, so that each reaches the checks of its own kind.
        frame = log.records[number].frame
        records = list(log.records)
        records[number] = Record(records[number].kind, flipped(frame, 8 * len(frame) - 9))
        assert not agreed([refiled(records)], games.find)[0]["ok"]


def test_a_log_is_judged_without_any_compiled_cryptography(tmp_path: Path) -> None:
    path = tmp_path / "short.storm"
    path.write_bytes(short_log())
    code = (
        "import sys\n"
        "for name in ('cryptography', 'nacl', 'cffi'): sys.modules[name] = None\n"
        "from cli.app.main import main\n"
        "sys.exit(main(['verify', '--json', '--independent', sys.argv[1]]))"
    )
    ran = subprocess.run([sys.executable, "-c", code, str(path)], capture_output=True, text=True, check=True)
    (answer,) = json.loads(ran.stdout)
    assert answer == judged(short_log(), tmp_path) | {"file": str(path), "merged": [str(path)]}
