"""The rows of an archive on the disk: Parquet files in a folder, and the manifest about them (SPEC.md, "Manifest").

Each file is written under another name first, so that it is there as a whole or not at all.  One that was replaced by a
larger one may still be there after a crash; :meth:`Parts.settle` makes every log stand in one of them.
"""

from __future__ import annotations

import hashlib
import json
import os
import sqlite3
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

from protocol.archive.merkle import hash_leaf, merkle_root
from protocol.archive.row import NAMES, Row

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
        code: ``missing``, the library pyarrow is; ``in-use``, by another run; ``unwritable``; ``damaged``, a file is.
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
            log: tuple(problems)
            for path in self._paths()
            if self._verifier_of(path) == self.verifier
            for log, problems in zip(*self._read(path, ["log", "problems"]).to_pydict().values(), strict=True)
        }

    def write(self, rows: Sequence[Row]) -> None:
        """Add rows.

        Raises:
            PartsError: ``unwritable``.
        """
        columns = {name: [getattr(row, name) for row in sorted(rows, key=lambda row: row.log)] for name in NAMES}
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

    def _replace(self, old: Sequence[Path], tables: Sequence[Any], verifier: str) -> None:
        if not tables:
            return
        table = self._arrow.concat_tables(tables).sort_by("log")
        new = self._write(table, verifier) if len(table) else None
        for path in old:
            if path != new:
                path.unlink()

    def write_manifest(self) -> dict[str, Any]:
        """Write the manifest of all rows and return it.

        Raises:
            PartsError: ``unwritable`` or ``damaged``.
        """
        leaves: list[tuple[bytes, bytes]] = []
        parts = []
        for path in self._paths():
            before = len(leaves)
            leaves += ((row.log, hash_leaf(row.pack())) for row in self._rows(path))
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

    def outcomes(self) -> Iterator[tuple[bytes, bytes, tuple[Any, ...]]]:
        """Yield of each good log of a finished match its hash, the match id, and the result.

        Raises:
            PartsError: ``damaged``.
        """
        names = ["log", "match", "ok", "winner", "reason"]
        for path in self._paths():
            for log, match, ok, *outcome in zip(*self._read(path, names).to_pydict().values(), strict=True):
                # An early log and a late one of a match do not contradict each other.
                if ok and outcome[0]:
                    yield log, match, tuple(outcome)

    def _rows(self, path: Path) -> Iterator[Row]:
        for batch in self._read(path).to_batches(4096):
            for values in zip(*batch.to_pydict().values(), strict=True):
                yield Row(*(tuple(value) if isinstance(value, list) else value for value in values))

    def _paths(self) -> list[Path]:
        return sorted((self.folder / ROWS).glob("*.parquet"))

    def _read(self, path: Path, columns: Sequence[str] = NAMES) -> Any:
        try:
            return self._parquet.read_table(path, columns=list(columns), partitioning=None)
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
        temporary = self.folder / ROWS / f".{path.name}.part"
        try:
            with temporary.open("wb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            temporary.replace(path)
        except OSError as error:
            raise PartsError("unwritable", str(path)) from error


def _load_libraries() -> tuple[Any, Any]:
    try:
        import pyarrow
        from pyarrow import parquet
    except ImportError as error:
        raise PartsError("missing", "pyarrow") from error
    return pyarrow, parquet


def _make_schema(arrow: Any) -> Any:
    kinds = {
        **dict.fromkeys(NAMES, arrow.string()),
        **dict.fromkeys(("log", "match", "event"), arrow.binary(32)),
        **dict.fromkeys(("keys", "states"), arrow.list_(arrow.binary(32))),
        **dict.fromkeys(("problems", "names", "sides"), arrow.list_(arrow.string())),
        **dict.fromkeys(("ok", "confirmed", "audited"), arrow.bool_()),
        **dict.fromkeys(("size", "protocol", "round", "table", "number", "length"), arrow.int32()),
        "setup": arrow.list_(arrow.int32()),
    }
    return arrow.schema(list(kinds.items()))
