"""The rows of an archive on the disk: Parquet files in a folder, and the manifest about them (SPEC.md, "Manifest").

Each file is written under another name first, so that it is there as a whole or not at all.  One that was replaced by a
larger one may still be there after a crash; :meth:`Parts.settle` makes every log stand in one of them.
"""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from enum import StrEnum
from pathlib import Path
from typing import Any, Final

from protocol.archive.merkle import hash_leaf, merkle_root
from protocol.archive.row import FIRST_STATES, NAMES, Row
from protocol.game import SEATS
from protocol.record.files import write_file

MANIFEST: Final = "manifest.json"
ROWS: Final = "rows"
"""The folder of the Parquet files within that of the archive."""

FORMAT: Final = 1
"""The version of the format of manifest and rows."""

MERGED: Final = 65_536
"""How many rows a file should have: many small ones take long to open."""

_KEY: Final = b"storm-p2p"
"""Under this key a file says which program and which rules have verified its logs."""


class PartsError(Exception):
    """The folder of an archive cannot be used.

    Attributes:
        code: ``missing``, a library is; ``in-use``, by another run; ``unwritable``; ``damaged``, a file is; ``empty``.
        name: of the file or folder.
    """

    def __init__(self, code: str, name: str) -> None:
        super().__init__(f"{code}: {name}")
        self.code = code
        self.name = name


class Parts:
    """The rows that are on the disk."""

    def __init__(self, folder: Path, verifier: str) -> None:
        """Take hold of a folder, and make it if it is not there.

        Args:
            folder: of the archive.
            verifier: which program with which rules verifies now; what another one found does not count as done.

        Raises:
            PartsError: ``missing``, ``in-use`` or ``unwritable``.
        """
        self.folder = folder
        self.verifier = verifier
        self._arrow, self._parquet = _load_libraries()
        self._schema = _make_schema(self._arrow)
        try:
            (folder / ROWS).mkdir(parents=True, exist_ok=True)
            # A database can be locked on every system, and no lock outlives its process.
            self._lock = sqlite3.connect(folder / "lock", isolation_level=None, timeout=0)
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

    def load_done(self) -> dict[bytes, tuple[str, ...]]:
        """Return the problems of each log that this program has verified with these rules, by its hash.

        Raises:
            PartsError: ``damaged``.
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
            PartsError: ``unwritable`` or ``damaged``.
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
            PartsError: ``unwritable`` or ``damaged``.
        """
        holders: dict[bytes, Path] = {}
        verifiers = {path: self._verifier_of(path) for path in self._paths()}
        paths = sorted(verifiers, key=lambda path: (verifiers[path] != self.verifier, verifiers[path], path.name))
        for path in paths:
            for log in self._logs(path):
                holders.setdefault(log, path)
        tables: list[Any] = []
        old: list[Path] = []
        for index, path in enumerate(paths):
            table = self._read(path)
            kept = table.filter([holders[log] == path for log in table["log"].to_pylist()])
            if len(kept) < len(table) or len(table) < MERGED:
                tables.append(kept)
                old.append(path)
            last = index + 1 == len(paths) or verifiers[paths[index + 1]] != verifiers[path]
            if last or sum(map(len, tables)) >= MERGED:
                self._replace(old, tables, verifiers[path])
                tables, old = [], []

        self._mark()

    def _mark(self) -> None:
        """Write beside each row how it counts, where that is not said yet or has changed."""
        firsts, disputed = self._weigh()
        for path in self._paths():
            standings = []
            for log, match, *facts in self._facts(path):
                alone = _weigh_alone(*facts)
                if alone is None:
                    first = firsts[match][0] == log
                    alone = Standing.DISPUTED if match in disputed else Standing.COUNTS if first else Standing.AGAIN
                standings.append(alone.value)
            table = self._read(path)
            if table[_STANDING].to_pylist() != standings:
                column = self._schema.get_field_index(_STANDING)
                self._write(table.set_column(column, _STANDING, [standings]), self._verifier_of(path))

    def _replace(self, old: Sequence[Path], tables: Sequence[Any], verifier: str) -> None:
        if not tables:
            return
        table = self._arrow.concat_tables(tables).sort_by("log")
        new = self._write(table, verifier) if len(table) else None
        for path in old:
            if path != new:
                path.unlink()

    @staticmethod
    def is_settled(folder: Path) -> bool:
        """Whether the manifest names just the files that are there, or there are none."""
        files = [f"{ROWS}/{path.name}" for path in sorted((folder / ROWS).glob("*.parquet"))]
        try:
            said = json.loads((folder / MANIFEST).read_bytes())
            return [one["file"] for one in said["parts"]] == files
        except (OSError, ValueError, KeyError, TypeError):
            return not files

    def write_manifest(self) -> dict[str, Any]:
        """Write the manifest of all rows and return it.

        Raises:
            PartsError: ``unwritable`` or ``damaged``.
        """
        leaves: list[tuple[bytes, bytes]] = []
        parts = []
        for path in self._paths():
            before = len(leaves)
            leaves += zip(*self._read(path, ["log", _LEAF]).to_pydict().values(), strict=True)
            parts.append(
                {
                    "file": f"{ROWS}/{path.name}", "rows": len(leaves) - before,
                    "sha256": hashlib.sha256(path.read_bytes()).hexdigest(), "verifier": self._verifier_of(path),
                }
            )  # fmt: skip
        leaves.sort()
        found: dict[str, Any] = {
            "format": FORMAT,
            "logs": len(leaves),
            "logs_root": merkle_root(hash_leaf(log) for log, _ in leaves).hex(),
            "rows_root": merkle_root(leaf for _, leaf in leaves).hex(),
            "parts": parts,
        }
        self._publish(self.folder / MANIFEST, json.dumps(found, indent=1).encode() + b"\n")
        return found

    def rows(self) -> Iterator[Row]:
        """Yield all rows.

        Raises:
            PartsError: ``damaged``.
        """
        for path in self._paths():
            yield from self._rows(path)

    def find_disputed(self) -> set[bytes]:
        """Return the matches of which proven logs say different results.

        Raises:
            PartsError: ``damaged``.
        """
        return self._weigh()[1]

    def _weigh(self) -> tuple[dict[bytes, tuple[bytes, str, str]], set[bytes]]:
        """Return for each match the log that counts, with its result; and the disputed ones."""
        found: dict[bytes, tuple[bytes, str, str]] = {}
        disputed: set[bytes] = set()
        for path in self._paths():
            for log, match, *facts in self._facts(path):
                if _weigh_alone(*facts) is None:
                    one = (log, *facts[1:3])
                    other = found.setdefault(match, one)
                    if other[1:] != one[1:]:
                        disputed.add(match)
                    elif log < other[0]:
                        found[match] = one
        return found, disputed

    def _facts(self, path: Path) -> Iterator[tuple[Any, ...]]:
        return zip(*self._read(path, _WEIGHED).to_pydict().values(), strict=True)

    def _rows(self, path: Path) -> Iterator[Row]:
        for batch in self._read(path).to_batches(4096):
            for values in zip(*batch.to_pydict().values(), strict=True):
                yield _unflatten(values)

    def _paths(self) -> list[Path]:
        return sorted((self.folder / ROWS).glob("*.parquet"))

    def _read(self, path: Path, columns: Sequence[str] | None = None) -> Any:
        try:
            return self._parquet.read_table(path, columns=list(columns or self._schema.names), partitioning=None)
        except (OSError, KeyError, ValueError, self._arrow.ArrowException) as error:
            raise PartsError("damaged", str(path)) from error

    def _logs(self, path: Path) -> list[bytes]:
        found: list[bytes] = self._read(path, ["log"])["log"].to_pylist()
        return found

    def _verifier_of(self, path: Path) -> str:
        try:
            return str((self._parquet.read_schema(path).metadata or {})[_KEY].decode())
        except (OSError, KeyError, ValueError, self._arrow.ArrowException) as error:
            raise PartsError("damaged", str(path)) from error

    def _write(self, table: Any, verifier: str) -> Path:
        logs = b"".join(table["log"].to_pylist())
        name = hashlib.sha256(logs + verifier.encode()).hexdigest()[:32]
        sink = self._arrow.BufferOutputStream()
        table = table.replace_schema_metadata({_KEY: verifier})
        self._parquet.write_table(table, sink, compression="zstd")
        path = self.folder / ROWS / f"{name}.parquet"
        self._publish(path, sink.getvalue())
        return path

    def _publish(self, path: Path, data: Any) -> None:
        try:
            write_file(path, data)
        except OSError as error:
            raise PartsError("unwritable", str(path)) from error


def _load_libraries() -> tuple[Any, Any]:
    try:
        import pyarrow
        from pyarrow import parquet
    except ImportError as error:
        raise PartsError("missing", "pyarrow") from error
    return pyarrow, parquet


class Standing(StrEnum):
    """How a row counts in statistics, beside other rows."""

    COUNTS = "counts"
    BAD = "bad"
    """The log does not verify."""
    OPEN = "open"
    """The match goes on where the log ends."""
    UNPROVEN = "unproven"
    """The result is unconfirmed, or in the scheme ``hash`` unaudited: a cheat shows only in the audit."""
    AGAIN = "again"
    """Another log of the match counts for it."""
    DISPUTED = "disputed"
    """Another log of the match proves another result."""


_LEAF: Final = "leaf"
"""The column with the hash of the row as a leaf, so that the manifest need not pack all rows again."""

_STANDING: Final = "standing"
_WEIGHED: Final = ("log", "match", "ok", "winner", "reason", "confirmed", "audited", "scheme")


def _weigh_alone(ok: bool, winner: str, reason: str, confirmed: bool, audited: bool, scheme: str) -> Standing | None:
    """Return how a row counts, whatever other logs of the match say; None if that depends on them."""
    if not ok:
        return Standing.BAD
    if not winner:
        return Standing.OPEN
    return None if confirmed and (audited or scheme != "hash") else Standing.UNPROVEN


COUNTS: Final = {"keys": SEATS, "names": SEATS, "sides": SEATS, "states": FIRST_STATES}
"""The fields of a row that are so many columns of a file: ``key1``, ``key2`` and so on.  Lists take long to read."""


def _flatten(row: Row) -> Iterator[Any]:
    for name in NAMES:
        value = getattr(row, name)
        if name in COUNTS:
            yield from (*value, *(None,) * (COUNTS[name] - len(value)))
        else:
            yield " ".join(value) if name == "problems" else value
    yield hash_leaf(row.pack())
    yield None


def _unflatten(values: Iterable[Any]) -> Row:
    rest = iter(values)
    found: dict[str, Any] = {}
    for name in NAMES:
        if name in COUNTS:
            several = [next(rest) for _ in range(COUNTS[name])]
            found[name] = tuple(value for value in several if value is not None)
        else:
            value = next(rest)
            found[name] = tuple(value.split()) if name == "problems" else tuple(value) if name == "setup" else value
    return Row(**found)


def _make_schema(arrow: Any) -> Any:
    hashes, flags = {"log", "match", "event", "keys", "states"}, {"ok", "confirmed", "audited"}
    numbers = {"size", "protocol", "round", "table", "number", "length"}

    def kind(name: str) -> Any:
        if name == "setup":
            return arrow.list_(arrow.int32())
        if name in hashes:
            return arrow.binary(32)
        return arrow.bool_() if name in flags else arrow.int32() if name in numbers else arrow.string()

    columns = [
        (column, kind(name))
        for name in NAMES
        for column in ([f"{name[:-1]}{n + 1}" for n in range(COUNTS[name])] if name in COUNTS else [name])
    ]
    return arrow.schema([*columns, (_LEAF, arrow.binary(32)), (_STANDING, arrow.string())])
