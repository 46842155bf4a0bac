"""The rows of an archive on the disk: Parquet files in a folder, and the manifest about them (SPEC.md, "Manifest").

Each file is written under another name first, so that it is there as a whole or not at all.  One that was replaced by a
larger one goes only when the manifest names that, and may still be there after a crash; :meth:`Parts.settle` makes
every log stand in one of them.

Files may come from strangers.  :meth:`Reader.check` believes nothing in them: it makes the manifest again from the
rows, and reads no file before it has found that its rows have room in memory.
"""

import errno
import hashlib
import json
import os
import re
import sqlite3
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any, Final, get_args, get_type_hints

from protocol.archive.merkle import hash_leaf, merkle_root
from protocol.archive.pages import FOOTER, LARGEST, LISTED, measure_texts
from protocol.archive.row import FIRST_STATES, NAMES, Row
from protocol.game import SEATS
from protocol.record.files import write_file
from protocol.system import files

MANIFEST: Final = "manifest.json"
ROWS: Final = "rows"
"""The folder of the Parquet files within that of the archive."""

FORMAT: Final = 2
"""The version of the format of manifest and rows."""

MERGED: Final = 65_536
"""How many rows a file should have: many small ones take long to open."""

_BATCH: Final = 1024
"""How many rows of a file are in memory at once while it is checked."""
_FULL: Final = LARGEST // 4
"""How many bytes of rows in memory go into one file, if there is more than one row."""
_WRITTEN: Final = re.compile(r"[0-9a-f]{32}\.parquet|\.[0-9a-f]{16}\.part")
"""The names of files of rows, whole or half."""

_KEY: Final = b"storm-p2p"
"""Under this key a file says which program and which rules have verified its logs."""


class PartsError(Exception):
    """The folder of an archive cannot be used, or a file in it does not hold.

    Attributes:
        code: ``missing``, a library is; ``in-use``, by another run; ``unwritable``; ``empty``; ``foreign``, no run has
            made it.  Of files ``altered``; ``gone``; ``extra``, the manifest does not name it; ``manifest``, it does
            not describe the rows; ``unfinished``, there is no manifest.
        name: of the file or folder.
    """

    def __init__(self, code: str, name: str) -> None:
        super().__init__(f"{code}: {name}")
        self.code = code
        self.name = name


@dataclass(frozen=True, slots=True)
class Checked:
    """What the files of an archive are worth."""

    faults: tuple[PartsError, ...]
    """The files that do not hold; nothing of an archive counts with one of them."""
    logs: tuple[bytes, ...]
    """The hashes of the logs in the parts that hold, in ascending order."""
    root: str
    """The root over their rows, in hexadecimal."""
    manifest: str
    """:func:`hash_manifest` of the manifest that these rows have."""


class Reader:
    """The rows of an archive on the disk, which stay as they are."""

    def __init__(self, folder: Path) -> None:
        """Read from a folder.

        Raises:
            PartsError: ``missing``.
        """
        self.folder = folder
        self._arrow, self._parquet = _load_libraries()
        self._schema = _make_schema(self._arrow)

    def check(self) -> Checked:
        """Make the manifest again from the rows, and compare it with the one that is there.

        Raises:
            PartsError: ``altered``, while it is read.
            OSError: a file cannot be read here, or there is no memory for it.
        """
        manifest = self.folder / MANIFEST
        said, listed = self._load_manifest()
        faults: list[PartsError] = []
        leaves: dict[bytes, bytes] = {}
        parts = []
        for path in self._paths():
            part = listed.pop(_file(path), None)
            try:
                found, rows = self._examine(path)
            except PartsError as error:
                faults.append(error)
                continue
            if part is None:
                faults += [PartsError("extra", str(path))] if said is not None else []
            elif part != found or not leaves.keys().isdisjoint(rows):
                faults.append(PartsError("altered", str(path)))
            else:
                parts.append(found)
                leaves |= rows
        faults += [PartsError("gone", str(self.folder / file)) for file in sorted(listed)]
        made = _make_manifest(leaves, parts)
        if said is None:
            faults.append(PartsError("manifest" if manifest.exists() else "unfinished", str(manifest)))
        elif not faults and said != made:
            faults.append(PartsError("manifest", str(manifest)))
        elif not faults:
            faults += [PartsError("altered", str(path)) for path, right, told in self._standings() if right != told]
        return Checked(tuple(faults), tuple(sorted(leaves)), made["root"], hash_manifest(made))

    def is_unchanged(self, checked: Collection[str]) -> bool:
        """Say whether an archive that was checked and held has still the same files.

        A manifest names each file by its SHA-256, so what holds for its rows holds as long as nothing differs.

        Args:
            checked: :func:`hash_manifest` of each archive that was checked and held.
        """
        said, listed = self._load_manifest()
        try:
            return (
                hash_manifest(said) in checked
                and sorted(listed) == [_file(path) for path in self._paths()]
                and all(_hash_file(self.folder / file) == part["sha256"] for file, part in listed.items())
            )
        except (OSError, RecursionError):
            return False

    def _load_manifest(self) -> tuple[Any, dict[str, Any]]:
        """Return the manifest, None if it is not there or is none; and by its name each part that it names."""
        try:
            said = json.loads(files.read_file(self.folder / MANIFEST))
            return said, {str(part["file"]): part for part in said["parts"]}
        except (OSError, ValueError, KeyError, TypeError, RecursionError):
            return None, {}

    def _examine(self, path: Path) -> tuple[dict[str, Any], dict[bytes, bytes]]:
        """Return what a manifest says of a file, and by the hashes of the logs its rows, each hashed as a leaf.

        Raises:
            PartsError: ``altered``.
        """
        with _reading(path):
            data = files.read_file(path, LARGEST)
            digest = hashlib.sha256(data).hexdigest()
            if path.stem != _stem(digest):
                raise ValueError("the name of another file")
            texts = measure_texts(data)
            parquet = self._parquet.ParquetFile(
                self._arrow.BufferReader(data), thrift_string_size_limit=FOOTER, thrift_container_size_limit=LISTED
            )
            schema = parquet.schema_arrow
            if not schema.equals(self._schema):
                raise ValueError("other columns")
            leaves: dict[bytes, bytes] = {}
            size = 0
            # A row can have any text of a dictionary, however long it is.
            step = max(1, min(_BATCH, LARGEST // max(1, texts)))
            for batch in parquet.iter_batches(step):
                size += batch.nbytes
                if batch.nbytes > Row.LIMIT * _BATCH or size > LARGEST:
                    raise ValueError("longer rows than there are")
                for row in _unflatten_all(self._arrow.Table.from_batches([batch])):
                    # A small file can hold any number of rows, but no hash of a log can be compressed.
                    if row.log in leaves or len(data) < len(row.log) * len(leaves):
                        raise ValueError("more rows than there are")
                    leaves[row.log] = hash_leaf(row.pack())
            verifier = schema.metadata[_KEY].decode()
        return {"file": _file(path), "rows": len(leaves), "sha256": digest, "verifier": verifier}, leaves

    def rows(self) -> Iterator[Row]:
        """Yield all rows.

        Raises:
            PartsError: ``altered``.
        """
        for path in self._paths():
            yield from _unflatten_all(self._read(path))

    def find_disputed(self) -> set[bytes]:
        """Return the matches of which logs prove two winners.

        Raises:
            PartsError: ``altered``.
        """
        return self._weigh()[1]

    def _standings(self) -> Iterator[tuple[Path, list[str], list[str | None]]]:
        """Yield for each file how its rows count, and how it says that they do."""
        firsts, disputed = self._weigh()
        for path in self._paths():
            standings = []
            for log, match, *facts in self._facts(path):
                alone = _weigh_alone(*facts)
                if alone is None:
                    first = firsts[match][0] == log
                    alone = Standing.DISPUTED if match in disputed else Standing.COUNTS if first else Standing.AGAIN
                standings.append(alone.value)
            yield path, standings, self._read(path, [_STANDING])[_STANDING].to_pylist()

    def _weigh(self) -> tuple[dict[bytes, tuple[bytes, str]], set[bytes]]:
        """Return for each match the log that counts, with its winner; and those of which logs prove two winners."""
        found: dict[bytes, tuple[bytes, str]] = {}
        disputed: set[bytes] = set()
        for path in self._paths():
            for log, match, *facts in self._facts(path):
                if _weigh_alone(*facts) is None:
                    # Whoever has lost could convict themselves in another log, for another reason.
                    one = (log, facts[1])
                    other = found.setdefault(match, one)
                    if other[1] != one[1]:
                        disputed.add(match)
                    elif log < other[0]:
                        found[match] = one
        return found, disputed

    def _facts(self, path: Path) -> Iterator[tuple[Any, ...]]:
        return zip(*self._read(path, _WEIGHED).to_pydict().values(), strict=True)

    def _paths(self) -> list[Path]:
        return sorted((self.folder / ROWS).glob("*.parquet"))

    def _read(self, path: Path, columns: Sequence[str] | None = None) -> Any:
        with _reading(path):
            return self._parquet.read_table(path, columns=list(columns or self._schema.names), partitioning=None)

    def _logs(self, path: Path) -> list[bytes]:
        found: list[bytes] = self._read(path, ["log"])["log"].to_pylist()
        return found

    def _verifier_of(self, path: Path) -> str:
        with _reading(path):
            return str((self._parquet.read_schema(path).metadata or {})[_KEY].decode())


class Parts(Reader):
    """The rows that are on the disk, in a folder that nobody else writes to."""

    def __init__(self, folder: Path, verifier: str) -> None:
        """Take hold of a folder, and make it if it is not there.

        Args:
            folder: of the archive.
            verifier: which program with which rules verifies now; what another one found does not count as done.

        Raises:
            PartsError: ``missing``, ``in-use``, ``unwritable`` or ``foreign``.
        """
        super().__init__(folder)
        self.verifier = verifier
        self._replaced: set[Path] = set()
        lock = folder / "lock"
        try:
            # Every run leaves its lock and what it has written, and an archive that came without it has its manifest.
            left = [path.name for path in (folder / ROWS).glob("*")]
            stopped = any(map(_WRITTEN.fullmatch, left)) or not (left or (folder / MANIFEST).exists())
            whole = (self._load_manifest()[0] or {}).keys() >= _make_manifest({}, []).keys()
            if not whole and not (lock.exists() and stopped):
                for path in (folder / MANIFEST, folder / ROWS):
                    if path.exists():
                        raise PartsError("foreign", str(path))
            (folder / ROWS).mkdir(parents=True, exist_ok=True)
            # A database can be locked on every system, and no lock outlives its process.
            self._lock = sqlite3.connect(lock, isolation_level=None, timeout=0)
            try:
                self._lock.execute("BEGIN EXCLUSIVE")
            except sqlite3.Error as error:
                self._lock.close()
                busy = getattr(error, "sqlite_errorname", "").startswith("SQLITE_BUSY")
                raise PartsError("in-use" if busy else "unwritable", str(folder)) from error
            for path in (folder / ROWS).glob(".*.part"):
                path.unlink()
        except (OSError, sqlite3.Error) as error:
            raise PartsError("unwritable", str(folder)) from error

    def close(self) -> None:
        """Let others use the folder."""
        self._lock.close()

    def _paths(self) -> list[Path]:
        return [path for path in super()._paths() if path not in self._replaced]

    def mend(self) -> list[PartsError]:
        """Forget the rows that do not hold, so that their logs count as not verified, and return the files.

        What the manifest does not name is kept if all else holds: a run that was stopped has left it.

        Raises:
            PartsError: ``unwritable``.
        """
        faults = self.check().faults
        codes = {fault.code for fault in faults}
        if codes <= {"extra", "unfinished"}:
            return []
        false = [Path(fault.name) for fault in faults if fault.code in ("altered", "extra")]
        # A manifest that describes other rows does not tell which of them are true.
        self._remove([*self._paths(), self.folder / MANIFEST] if "manifest" in codes else false)
        return list(faults)

    def _remove(self, paths: Iterable[Path]) -> None:
        try:
            for path in paths:
                path.unlink()
        except OSError as error:
            raise PartsError("unwritable", str(self.folder)) from error

    def load_done(self) -> dict[bytes, tuple[str, ...]]:
        """Return the problems of each log that this program has verified with these rules, by its hash.

        Raises:
            PartsError: ``altered``.
        """
        return {
            log: tuple(problems.split())
            for path in self._paths()
            if self._verifier_of(path) == self.verifier
            for log, problems in zip(*self._read(path, ["log", "problems"]).to_pydict().values(), strict=True)
        }

    def write(self, rows: Sequence[Row]) -> None:
        """Add rows.

        Raises:
            PartsError: ``unwritable``.
        """
        values = zip(*map(_flatten, sorted(rows, key=lambda row: row.log)), strict=True)
        columns = dict(zip(self._schema.names, values, strict=True))
        self._write(self._arrow.table(columns, schema=self._schema), self.verifier)

    def drop(self, logs: set[bytes]) -> None:
        """Forget what was found about some logs.

        Raises:
            PartsError: ``unwritable`` or ``altered``.
        """
        for path in self._paths():
            if logs.isdisjoint(self._logs(path)):
                continue
            table = self._read(path)
            kept = table.filter([log not in logs for log in table["log"].to_pylist()])
            if len(kept):
                self._write(kept, self._verifier_of(path))
            path.unlink()

    def settle(self) -> None:
        """Leave each log in one file, as the present program has found it, and few files.

        Raises:
            PartsError: ``unwritable`` or ``altered``.
        """
        holders: dict[bytes, Path] = {}
        verifiers = {path: self._verifier_of(path) for path in self._paths()}
        # The manifest speaks for what it names, and nothing for what a run that was stopped has left.
        listed = self._load_manifest()[1]
        paths = sorted(
            verifiers,
            key=lambda path: (verifiers[path] != self.verifier, verifiers[path], _file(path) not in listed, path.name),
        )
        for path in paths:
            for log in self._logs(path):
                holders.setdefault(log, path)
        tables: list[Any] = []
        old: list[Path] = []
        size = 0
        for index, path in enumerate(paths):
            table = self._read(path)
            kept = table.filter([holders[log] == path for log in table["log"].to_pylist()])
            if len(kept) < len(table) or len(table) < MERGED:
                size += kept.nbytes
                if size > _FULL:
                    self._replace(old, tables, verifiers[path])
                    tables, old, size = [], [], kept.nbytes
                tables.append(kept)
                old.append(path)
            last = index + 1 == len(paths) or verifiers[paths[index + 1]] != verifiers[path]
            if last or sum(map(len, tables)) >= MERGED:
                self._replace(old, tables, verifiers[path])
                tables, old, size = [], [], 0

        self._mark()

    def _mark(self) -> None:
        """Write beside each row how it counts, where that is not said yet or has changed."""
        for path, right, said in self._standings():
            if right != said:
                column = self._schema.get_field_index(_STANDING)
                table = self._read(path).set_column(column, _STANDING, [right])
                self._replace([path], [table], self._verifier_of(path))

    def _replace(self, old: Sequence[Path], tables: Sequence[Any], verifier: str) -> None:
        if not tables:
            return
        table = self._arrow.concat_tables(tables).sort_by("log")
        new = self._write(table, verifier) if len(table) else None
        self._replaced = (self._replaced | set(old)) - {new}

    def write_manifest(self) -> dict[str, Any]:
        """Write the manifest of all rows and return it; files that were replaced go.

        Raises:
            PartsError: ``unwritable`` or ``altered``.
        """
        examined = [self._examine(path) for path in self._paths()]
        leaves = {log: leaf for _, rows in examined for log, leaf in rows.items()}
        found = _make_manifest(leaves, [part for part, _ in examined])
        self._publish(self.folder / MANIFEST, json.dumps(found, indent=1).encode() + b"\n")
        self._remove(self._replaced)
        self._replaced.clear()
        return found

    def _write(self, table: Any, verifier: str) -> Path:
        sink = self._arrow.BufferOutputStream()
        table = table.replace_schema_metadata({_KEY: verifier})
        self._parquet.write_table(table, sink, compression="zstd")
        data = sink.getvalue()
        path = self.folder / ROWS / f"{_stem(hashlib.sha256(data).hexdigest())}.parquet"
        self._publish(path, data)
        return path

    def _publish(self, path: Path, data: Any) -> None:
        try:
            write_file(path, data)
        except OSError as error:
            raise PartsError("unwritable", str(path)) from error


@contextmanager
def _reading(path: Path) -> Iterator[None]:
    """Say of a file that does not hold that it is altered, and of one that cannot be read here only that.

    Raises:
        PartsError: ``altered``.
        OSError: there is no memory for it, or nobody may read it: it may hold.
    """
    try:
        yield
    except MemoryError as error:
        raise OSError(errno.ENOMEM, os.strerror(errno.ENOMEM), str(path)) from error
    except PermissionError:
        raise
    except Exception as error:
        # The library does not document what it raises.
        raise PartsError("altered", str(path)) from error


def _load_libraries() -> tuple[Any, Any]:
    try:
        import pyarrow
        from pyarrow import parquet
    except ImportError as error:
        raise PartsError("missing", "pyarrow") from error
    return pyarrow, parquet


def _file(path: Path) -> str:
    """Return what a manifest calls a file."""
    return f"{ROWS}/{path.name}"


def _stem(digest: str) -> str:
    """Return the name of a file of this SHA-256: one that was altered cannot keep its own."""
    return digest[:32]


def _hash_file(path: Path) -> str:
    return hashlib.sha256(files.read_file(path, LARGEST)).hexdigest()


def hash_manifest(manifest: dict[str, Any]) -> str:
    """Return a hash of what a manifest says, and so of all files of its archive."""
    return hashlib.sha256(json.dumps(manifest, sort_keys=True).encode()).hexdigest()


def _make_manifest(leaves: dict[bytes, bytes], parts: list[dict[str, Any]]) -> dict[str, Any]:
    root = merkle_root(leaf for _, leaf in sorted(leaves.items())).hex()
    return {"format": FORMAT, "logs": len(leaves), "root": root, "parts": parts}


class Standing(StrEnum):
    """How a row counts in statistics, beside other rows."""

    COUNTS = "counts"
    BAD = "bad"
    """The log does not verify."""
    OPEN = "open"
    """The log has no result: the match goes on where it ends, or both have cheated."""
    UNPROVEN = "unproven"
    """The result is unconfirmed, or in the scheme ``hash`` unaudited: a cheat shows only in the audit."""
    AGAIN = "again"
    """Another log of the match counts for it."""
    DISPUTED = "disputed"
    """Another log of the match proves another result."""


_STANDING: Final = "standing"
_WEIGHED: Final = ("log", "match", "ok", "winner", "reason", "confirmed", "audited", "scheme", "convicted")


def _weigh_alone(
    ok: bool, winner: str, reason: str, confirmed: bool, audited: bool, scheme: str, convicted: Sequence[int]
) -> Standing | None:
    """Return how a row counts, whatever other logs of the match say; None if that depends on them."""
    if not ok:
        return Standing.BAD
    if not winner:
        return Standing.OPEN
    # Who is convicted has lost, whatever the other hides.
    return None if confirmed and (audited or convicted or scheme != "hash") else Standing.UNPROVEN


COUNTS: Final = {"keys": SEATS, "names": SEATS, "sides": SEATS, "states": FIRST_STATES}
"""The fields of a row that are so many columns of a file: ``key1``, ``key2`` and so on.  Lists take long to read."""


_LISTS: Final = ("convicted", "setup")
"""The fields of a row that are lists of numbers."""


def _flatten(row: Row) -> Iterator[Any]:
    for name in NAMES:
        value = getattr(row, name)
        if name in COUNTS:
            yield from (*value, *(None,) * (COUNTS[name] - len(value)))
        else:
            yield " ".join(value) if name == "problems" else value
    yield None


def _unflatten_all(table: Any) -> Iterator[Row]:
    for batch in table.to_batches(4096):
        yield from map(Row, *_unflatten(batch.to_pydict().values()))


def _unflatten(columns: Iterable[Sequence[Any]]) -> Iterator[Iterable[Any]]:
    """Yield for each field of a row its values."""
    rest = iter(columns)
    for name in NAMES:
        column = next(rest)
        if name in COUNTS:
            several = zip(column, *(next(rest) for _ in range(1, COUNTS[name])), strict=True)
            yield [tuple([value for value in one if value is not None]) for one in several]
        elif name == "problems":
            yield [tuple(text.split()) for text in column]
        else:
            yield map(tuple, column) if name in _LISTS else column


def _make_schema(arrow: Any) -> Any:
    plain = {bool: arrow.bool_(), int: arrow.int32(), bytes: arrow.binary(32), str: arrow.string()}
    types = get_type_hints(Row)

    def kind(name: str) -> Any:
        if name in _LISTS:
            return arrow.list_(arrow.int32())
        # The first of several is that of a tuple's items, or of what may also be None.
        return plain[types[name] if types[name] in plain else get_args(types[name])[0]]

    columns = [
        (column, kind(name))
        for name in NAMES
        for column in ([f"{name[:-1]}{n + 1}" for n in range(COUNTS[name])] if name in COUNTS else [name])
    ]
    return arrow.schema([*columns, (_STANDING, arrow.string())])
