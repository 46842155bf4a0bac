"""The portable log: one byte string a match, and nothing about it can be changed unnoticed."""

from __future__ import annotations

import os
import stat
from collections.abc import Sequence
from pathlib import Path

import pytest
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from hypothesis import given
from hypothesis import strategies as st

from protocol.core.frames import Record, Trailer
from protocol.crypto.hashing import hash_parts
from protocol.record import logfile
from protocol.record.logfile import LogError

KEY = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
RECORDS = (Record(0, b"hello"), Record(1, b"x" * 300), Record(254, b"\xff\x00\x41"))
DATA = logfile.dump(RECORDS, 1, KEY.sign)


def verified(data: bytes) -> tuple[Sequence[Record], Trailer]:
    log = logfile.load(data)
    assert log.trailer is not None
    KEY.public_key().verify(log.trailer.signature, log.trailer.digest)
    return log.records, log.trailer


def refused(data: bytes) -> bool:
    try:
        verified(data)
    except (LogError, InvalidSignature):
        return True
    return False


def error_of(data: bytes) -> LogError:
    with pytest.raises(LogError) as caught:
        logfile.load(data)
    assert str(caught.value) == caught.value.sentence
    assert caught.value.sentence.isprintable()
    return caught.value


def test_a_log_holds_its_records_and_who_exported_it() -> None:
    records, trailer = verified(DATA)
    assert records == RECORDS
    assert trailer.seat == 1
    assert trailer.digest == hash_parts("log", DATA[:-64])


def test_the_bytes_are_those_of_the_spec() -> None:
    data = logfile.dump([Record(3, b"ab")], 0, lambda digest: b"s" * 64)
    assert data == b"storm-p2p log 3\n" + b"\x03\x00\x02ab" + b"\xff\x00\x41\x00" + b"s" * 64


def test_a_log_without_records_is_a_log() -> None:
    assert verified(logfile.dump([], 0, KEY.sign))[0] == ()


def test_every_flipped_bit_is_noticed() -> None:
    for at in range(len(DATA)):
        for bit in range(8):
            assert refused(DATA[:at] + bytes((DATA[at] ^ 1 << bit,)) + DATA[at + 1 :])


def test_every_cut_and_every_addition_is_noticed() -> None:
    for size in range(len(DATA)):
        assert error_of(DATA[:size]).code in {"cut", "not-a-log"}
        assert refused(DATA[size + 1 :])
    assert error_of(DATA + b"\0").code == "after-trailer"
    assert error_of(DATA + DATA).code == "after-trailer"


def test_every_removed_repeated_or_moved_record_is_noticed() -> None:
    first, second, third = (logfile.dump([record], 1, KEY.sign)[16:-68] for record in RECORDS)
    head, trailer = DATA[:16], DATA[-68:]
    assert verified(head + first + second + third + trailer)[0] == RECORDS
    for body in (second + third, first + third, first + second, first + first + second + third):
        assert refused(head + body + trailer)
    assert refused(head + second + first + third + trailer)


def test_anothers_signature_is_noticed() -> None:
    other = Ed25519PrivateKey.from_private_bytes(bytes(32))
    assert refused(logfile.dump(RECORDS, 1, other.sign))


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"", "not-a-log"),
        (b"\x1b[2J" + DATA, "not-a-log"),
        (b"storm-p2p log 2\n", "version"),
        (b"storm-p2p log 17\nmore", "version"),
        (DATA[:16] + b"\x01\x00\x00", "record"),
        (DATA[:16] + b"\x01\x40\x01" + b"x" * 20_000, "record"),
        (DATA[:16] + b"\x01\x40\x00" + b"x" * 100, "cut"),
        (DATA[:16] + b"\xff\x00\x42" + b"x" * 66, "trailer"),
        (DATA[:16] + b"\x01\x00\x01x" * (logfile.RECORD_LIMIT + 1), "too-long"),
        (bytes(logfile.SIZE_LIMIT + 1), "too-long"),
    ],
)
def test_hostile_bytes_are_refused_with_a_word(data: bytes, code: str) -> None:
    error = error_of(data)
    assert error.code == code


@given(st.binary(max_size=300))
def test_random_bytes_after_the_magic_never_crash(tail: bytes) -> None:
    assert refused(logfile.MAGIC + tail)


records = st.builds(Record, st.integers(0, 254), st.binary(min_size=1, max_size=50))


@given(st.lists(records, max_size=8), st.integers(0, 255))
def test_what_was_dumped_is_loaded_and_dumped_alike(some: list[Record], seat: int) -> None:
    data = logfile.dump(some, seat, KEY.sign)
    records, trailer = verified(data)
    assert (list(records), trailer.seat) == (some, seat)
    assert logfile.dump(records, trailer.seat, lambda digest: trailer.signature) == data


@pytest.mark.parametrize(
    "some", [[Record(255, b"x")], [Record(1, b"")], [Record(1, bytes(16_385))], [Record(-1, b"x")]]
)
def test_records_that_could_not_be_read_again_are_not_written(some: list[Record]) -> None:
    with pytest.raises(LogError) as error:
        logfile.dump(some, 0, KEY.sign)
    assert error.value.code == "record"


def test_logs_that_could_not_be_read_again_are_not_written() -> None:
    for some in ([Record(1, b"x")] * (logfile.RECORD_LIMIT + 1), [Record(1, bytes(16_384))] * 1_024):
        with pytest.raises(LogError) as error:
            logfile.dump(some, 0, KEY.sign)
        assert error.value.code == "too-long"


# --- files -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("opponent", "part"),
    [
        ("Ann", "ann"),
        ("Zoë Groß", "zoe-gross"),
        ("../../etc/passwd", "etc-passwd"),
        ("a\n\x1b[2Jb", "a-2jb"),
        ("C:\\con", "c-con"),
        ("\u202eevil\u200b", "evil"),
        ("...", "unknown"),
        ("", "unknown"),
        ("x" * 1_000_000, "x" * 24),
    ],
)
def test_names_of_logs_are_safe_whatever_the_opponent_is_called(opponent: str, part: str) -> None:
    assert logfile.name_file(86_400 * 365, opponent, b"\x12\x34\x56") == f"1971-01-01-{part}-1234.storm"


@given(st.text(max_size=80))
def test_names_of_logs_are_always_accepted_by_write(opponent: str) -> None:
    name = logfile.name_file(0, opponent, b"\x12\x34")
    assert name == os.path.basename(name)
    assert name.isascii()
    assert set(name) <= set("abcdefghijklmnopqrstuvwxyz0123456789-.")


@pytest.mark.parametrize("name", ["../a.storm", "a.txt", "/a.storm", "a\0.storm", ".storm", "A b.storm"])
def test_write_takes_no_other_names(tmp_path: Path, name: str) -> None:
    with pytest.raises(ValueError, match="file_name"):
        logfile.write(tmp_path, name, DATA)
    assert list(tmp_path.iterdir()) == []


def test_a_written_log_is_never_overwritten_and_leaves_nothing_else(tmp_path: Path) -> None:
    folder = tmp_path / "logs"
    paths = [logfile.write(folder, "a.storm", DATA + bytes((number,))) for number in range(3)]
    assert [path.name for path in paths] == ["a.storm", "a-2.storm", "a-3.storm"]
    assert sorted(folder.iterdir()) == sorted(paths)
    assert [logfile.read(path)[-1] for path in paths] == [0, 1, 2]


def test_a_write_that_fails_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(handle: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(LogError) as error:
        logfile.write(tmp_path, "a.storm", DATA)
    assert error.value.code == "unwritable"
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(LogError) as error:
        logfile.write(tmp_path / "file", "a.storm", DATA)
    assert error.value.code == "unwritable"


def test_what_is_no_file_is_not_read(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path, tmp_path / "pipe", tmp_path / "nothing", Path("/dev/zero"), Path("a\0b")):
        with pytest.raises(LogError) as error:
            logfile.read(path)
        assert error.value.code == "unreadable"
        assert error.value.sentence.isprintable()


def test_a_file_that_is_too_long_is_not_read_whole(tmp_path: Path) -> None:
    path = tmp_path / "long.storm"
    with path.open("wb") as file:
        file.truncate(1 << 40)
    assert stat.S_ISREG(path.stat().st_mode)
    with pytest.raises(LogError) as error:
        logfile.read(path)
    assert error.value.code == "too-long"
