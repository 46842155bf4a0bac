"""Small files of a stranger's archive that would take a lot of memory: each counts as changed, and takes little."""

from __future__ import annotations

import hashlib
import json
import random
import struct
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from helpers import ROOT
from helpers_archive import HASHED

from archive.workers import VERIFIER
from protocol.archive.parts import Parts, Reader
from protocol.archive.row import row
from storm_p2p import games

pyarrow: Any = pytest.importorskip("pyarrow", reason="the extra archive is not installed")
parquet: Any = pytest.importorskip("pyarrow.parquet", reason="the extra archive is not installed")

READ = """
import json, resource, sys
from pathlib import Path
from protocol.archive.parts import Reader

resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))
reader = Reader(Path(sys.argv[1]))
def peak():
    return next(int(line.split()[1]) for line in open("/proc/self/status") if line.startswith("VmHWM"))
before = peak()
print(json.dumps([[fault.code for fault in reader.check().faults], (peak() - before) // 1024]))
"""
"""Reads an archive in a process of its own, and says how much memory that takes."""

TRUE = row(HASHED[0], games.find)


@pytest.fixture
def write(tmp_path: Path) -> Callable[..., Path]:
    """Write an archive of one file, of so many rows with other columns, and return the file."""
    parts = Parts(tmp_path / "true", VERIFIER)
    parts.write([TRUE])
    parts.close()
    [path] = (tmp_path / "true" / "rows").iterdir()
    true = parquet.read_table(path)

    def write(count: int, columns: dict[str, Any], **how: Any) -> Path:
        table = pyarrow.concat_tables([true] * count).combine_chunks()
        for name, column in columns.items():
            table = table.set_column(table.schema.get_field_index(name), name, column)
        sink = pyarrow.BufferOutputStream()
        metadata = true.schema.metadata
        parquet.write_table(table.replace_schema_metadata(metadata), sink, compression="zstd", **how)
        return put(tmp_path / "out", bytes(sink.getvalue()))

    return write


def put(folder: Path, data: bytes) -> Path:
    """Write a file of an archive, under the name that belongs to it."""
    path = folder / "rows" / f"{hashlib.sha256(data).hexdigest()[:32]}.parquet"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    return path


def assert_refused(path: Path, memory: int = 700) -> None:
    """The file counts as changed, and at most so many MiB are taken."""
    if sys.platform != "linux":
        assert {fault.code for fault in Reader(path.parents[1]).check().faults} == {"altered", "unfinished"}
        return
    done = subprocess.run(
        [sys.executable, "-c", READ, str(path.parents[1])],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=100,
        check=True,
    )
    codes, taken = json.loads(done.stdout)
    assert codes == ["altered", "unfinished"]
    assert taken < memory


def test_one_long_text_in_many_rows(write: Callable[..., Path]) -> None:
    zeros = pyarrow.repeat(pyarrow.scalar(0, pyarrow.int32()), 300)
    text = pyarrow.DictionaryArray.from_arrays(zeros, ["a" * (1 << 20)])
    columns = dict.fromkeys(("game", "rules", "terms", "winner", "reason"), text)
    assert_refused(write(300, columns, store_schema=False, write_statistics=False))


@pytest.mark.parametrize("kind", [b"\x02", b"\x8c\x80\x80\x80\x10"], ids=["numbers", "more than 32 bits"])
def test_long_texts_that_a_group_says_to_be_something_else(write: Callable[..., Path], kind: bytes) -> None:
    zeros = pyarrow.repeat(pyarrow.scalar(0, pyarrow.int32()), 300)
    text = pyarrow.DictionaryArray.from_arrays(zeros, ["a" * (1 << 20)])
    columns = dict.fromkeys(("game", "rules", "terms", "winner", "reason"), text)
    path = write(300, columns, store_schema=False, write_statistics=False)
    data = path.read_bytes()
    path.unlink()
    length = int.from_bytes(data[-8:-4], "little")
    # The kind of a column, texts, and behind it the list of its encodings.
    footer = data[-8 - length : -8].replace(b"\x15\x0c\x19", b"\x15" + kind + b"\x19")
    assert footer != data[-8 - length : -8]
    assert_refused(put(path.parents[1], data[: -8 - length] + footer + struct.pack("<I", len(footer)) + b"PAR1"))


def test_many_long_texts(write: Callable[..., Path]) -> None:
    text = pyarrow.array(["a" * (55 << 20)])
    columns = dict.fromkeys(("game", "rules", "terms", "winner", "reason"), text)
    assert_refused(write(1, columns, use_dictionary=False, write_statistics=False))


def test_an_encoding_that_makes_long_texts_of_short_ones(write: Callable[..., Path]) -> None:
    assert_refused(write(1, {}, use_dictionary=False, column_encoding={"terms": "DELTA_BYTE_ARRAY"}))


def test_a_list_without_end(write: Callable[..., Path]) -> None:
    count = 25_000_000
    numbers = pyarrow.repeat(pyarrow.scalar(0, pyarrow.int32()), count)
    assert_refused(write(1, {"setup": pyarrow.ListArray.from_arrays([0, count], numbers)}, use_dictionary=False))


def test_more_rows_than_hashes_can_be_compressed_to(write: Callable[..., Path]) -> None:
    logs = pyarrow.array([number.to_bytes(32, "big") for number in range(2000)], pyarrow.binary(32))
    assert_refused(write(2000, {"log": logs}))


COLUMN = b"\x48\x01s\x00"
"""A column of the schema, in Thrift's compact protocol."""


@pytest.mark.parametrize(
    "footer",
    [
        # The version, a schema of one column, the number of rows, and a group that says to have a million columns.
        b"\x15\x04\x19\x1c" + COLUMN + b"\x16\x02\x19\x1c\x19\xfc\xc0\x84\x3d",
        # A schema of as many.
        b"\x15\x04\x19\xfc\xc0\x84\x3d" + 1_000_000 * COLUMN,
    ],
    ids=["short", "long"],
)
def test_a_footer_of_many_columns(tmp_path: Path, footer: bytes) -> None:
    assert_refused(put(tmp_path, b"PAR1" + footer + struct.pack("<I", len(footer)) + b"PAR1"), 100)


def test_no_error_gets_out_of_a_file_with_other_bytes(write: Callable[..., Path]) -> None:
    path = write(1, {})
    data, chance = path.read_bytes(), random.Random(1)
    for _ in range(200):
        path.unlink()
        changed = bytearray(data)
        for _ in range(chance.randrange(1, 4)):
            changed[chance.randrange(len(data))] = chance.randrange(256)
        path = put(path.parents[1], bytes(changed))
        assert {fault.code for fault in Reader(path.parents[1]).check().faults} <= {"altered", "unfinished"}


def test_what_a_run_has_written_out_of_large_rows_can_be_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("protocol.archive.parts._FULL", 1 << 18)
    rows = [replace(TRUE, log=hashlib.sha256(bytes([n])).digest(), terms=12_000 * chr(65 + n)) for n in range(50)]
    parts = Parts(tmp_path, VERIFIER)
    for one in rows:
        parts.write([one])
    parts.settle()
    parts.write_manifest()
    parts.close()
    tables = [parquet.read_table(path) for path in (tmp_path / "rows").iterdir()]
    assert all(table.nbytes <= 1 << 18 for table in tables)
    assert len(tables) == 3
    assert Reader(tmp_path).check().faults == ()
    assert sorted(row.log for row in Reader(tmp_path).rows()) == sorted(one.log for one in rows)
