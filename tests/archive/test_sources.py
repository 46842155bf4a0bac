"""Logs come out of folders, zip files and tar files, whatever else is there and however it was made."""

from __future__ import annotations

import bz2
import gzip
import io
import os
import tarfile
import zipfile
from pathlib import Path
from typing import Any

import pytest
from helpers_archive import COMMITTED, write_tar

from protocol.archive.sources import Found, read_sources
from protocol.record import logfile

LOGS = COMMITTED[:5]


def read(*sources: Path) -> tuple[list[bytes], list[tuple[str, str]]]:
    """Return the logs and, of what gives none, name and code."""
    items = list(read_sources(sources))
    unread = [(one.name, one.code) for one in items if not isinstance(one, Found)]
    return [one.data for one in items if isinstance(one, Found)], unread


def codes(*sources: Path) -> list[str]:
    return [code for _, code in read(*sources)[1]]


@pytest.mark.parametrize("mode", ["w", "w:gz", "w:bz2"])
def test_a_tar_file_is_read_as_a_stream(tmp_path: Path, mode: str) -> None:
    path = tmp_path / "logs"
    with tarfile.open(path, mode) as archive:  # type: ignore[call-overload]
        for number, log in enumerate(LOGS):
            # Long names stand in a header of their own.
            member = tarfile.TarInfo(f"{'long' * 50}/../../{number}.storm")
            member.size = len(log)
            archive.addfile(member, io.BytesIO(log))
    assert read(path) == (list(LOGS), [])


@pytest.mark.parametrize("method", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED])
def test_a_zip_file_is_read_member_by_member(tmp_path: Path, method: int) -> None:
    path = tmp_path / "logs.zip"
    with zipfile.ZipFile(path, "w", method) as archive:
        for number, log in enumerate(LOGS):
            archive.writestr(f"../{number}.storm", log)
        archive.writestr("readme.txt", "foreign")
        archive.writestr("no suffix", LOGS[0])
    assert read(path) == ([*LOGS, LOGS[0]], [(f"{path}: readme.txt", "foreign")])


def test_a_file_without_a_name_in_a_zip_file_is_read_as_any_other(tmp_path: Path) -> None:
    path = tmp_path / "logs.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("without a name", LOGS[0])
    # The library ends a name at a zero.
    path.write_bytes(path.read_bytes().replace(b"without a name", b"\0ithout a name"))
    assert read(path) == ([LOGS[0]], [])


def test_a_folder_is_read_in_the_order_of_its_names_and_foreign_files_are_named(tmp_path: Path) -> None:
    (tmp_path / "b").mkdir()
    (tmp_path / "b" / "2.storm").write_bytes(LOGS[1])
    (tmp_path / "a.storm").write_bytes(LOGS[0])
    (tmp_path / "c").write_bytes(LOGS[2])
    (tmp_path / "notes.txt").write_text("foreign")
    (tmp_path / "empty").write_bytes(b"")
    write_tar(tmp_path / "d.tar", LOGS[3:])
    logs, unread = read(tmp_path)
    assert logs == [LOGS[0], LOGS[2], *LOGS[3:], LOGS[1]]
    assert unread == [(str(tmp_path / "empty"), "foreign"), (str(tmp_path / "notes.txt"), "foreign")]
    assert codes(tmp_path / "nowhere") == ["missing"]


def test_the_folder_of_the_results_is_not_looked_into(tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "1.storm").write_bytes(LOGS[0])
    assert list(read_sources([tmp_path], tmp_path / "out")) == []


def test_a_tar_file_that_is_cut_gives_what_stands_before_the_cut(tmp_path: Path) -> None:
    whole = write_tar(tmp_path / "whole", LOGS).read_bytes()
    with tarfile.open(tmp_path / "whole") as archive:
        starts = [member.offset for member in archive.getmembers()]
    for length, left in ((starts[3], 3), (starts[3] + 100, 3), (starts[3] + 512, 3), (starts[3] + 2000, 3)):
        (tmp_path / "cut").write_bytes(whole[:length])
        logs, unread = read(tmp_path / "cut")
        assert logs == list(LOGS[:left])
        assert unread == [(str(tmp_path / "cut"), "cut")], length


def test_a_tar_file_that_names_a_file_without_end_is_cut(tmp_path: Path) -> None:
    header = tarfile.TarInfo("a.txt")
    header.size = 1 << 60
    (tmp_path / "a.tar").write_bytes(header.tobuf(tarfile.GNU_FORMAT) + bytes(1 << 14))
    assert [getattr(one, "code", "") for one in read_sources([tmp_path / "a.tar"])] == ["foreign", "cut"]


def test_a_zip_file_that_is_cut_is_named_and_the_rest_counts(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        archive.writestr("1.storm", LOGS[0])
    data = (tmp_path / "a.zip").read_bytes()
    (tmp_path / "a.zip").write_bytes(data[: len(data) // 2])
    (tmp_path / "b.storm").write_bytes(LOGS[1])
    assert read(tmp_path) == ([LOGS[1]], [(str(tmp_path / "a.zip"), "cut")])


def test_a_damaged_member_of_a_zip_file_is_named_and_the_rest_counts(tmp_path: Path) -> None:
    path = tmp_path / "a.zip"
    with zipfile.ZipFile(path, "w") as archive:
        for number, log in enumerate(LOGS):
            archive.writestr(f"{number}.storm", log)
    data = bytearray(path.read_bytes())
    data[len(LOGS[0]) // 2] ^= 1
    path.write_bytes(data)
    assert read(path) == (list(LOGS[1:]), [(f"{path}: 0.storm", "cut")])


def test_a_bomb_costs_no_more_than_its_length_allows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(logfile, "SIZE_LIMIT", 1 << 20)
    zeros = bytes(logfile.SIZE_LIMIT)
    with zipfile.ZipFile(tmp_path / "a.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("0.storm", LOGS[0])
        for number in range(1, 9):
            archive.writestr(f"{number}.storm", zeros)
    logs, unread = read(tmp_path / "a.zip")
    assert logs[0] == LOGS[0]
    assert len(logs) < 5
    assert unread == [(str(tmp_path / "a.zip"), "bomb")]
    with tarfile.open(tmp_path / "b.tar", "w:gz") as tar:
        member = tarfile.TarInfo("0.storm")
        member.size = 8 * len(zeros)
        tar.addfile(member, io.BytesIO(8 * zeros))
    assert codes(tmp_path / "b.tar") == ["too-long", "bomb"]


def test_headers_of_a_tar_file_that_are_longer_than_any_name_are_a_bomb(tmp_path: Path) -> None:
    member = tarfile.TarInfo("pax")
    member.type, member.size = tarfile.XHDTYPE, 4 << 20
    (tmp_path / "a.tar").write_bytes(member.tobuf() + bytes(4 << 20))
    assert codes(tmp_path / "a.tar") == ["bomb"]


def test_a_log_that_is_too_long_is_not_read_to_its_end(tmp_path: Path) -> None:
    (tmp_path / "a.storm").write_bytes(bytes(logfile.SIZE_LIMIT + 1))
    assert codes(tmp_path) == ["too-long"]


@pytest.mark.parametrize("packer", [gzip, bz2], ids=["gz", "bz2"])
def test_a_log_that_is_compressed_alone_is_said_to_be_so(tmp_path: Path, packer: Any) -> None:
    path = tmp_path / "match.storm.gz"
    for data, code in ((LOGS[0], "compressed"), (b"no log" * 200, "cut")):
        path.write_bytes(packer.compress(data))
        assert read(path) == ([], [(str(path), code)])


def test_an_encrypted_member_is_named(tmp_path: Path) -> None:
    path = tmp_path / "a.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("0.storm", LOGS[0])
    data = bytearray(path.read_bytes())
    data[data.index(b"PK\x01\x02") + 8] |= 1
    path.write_bytes(data)
    assert read(path) == ([], [(f"{path}: 0.storm", "encrypted")])


def test_what_is_no_file_is_foreign(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.storm")
    assert codes(tmp_path) == ["foreign"]
