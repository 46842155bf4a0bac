"""The durable store of the matches on this machine (SPEC.md, section "Journal").

One sqlite3 database for each match, ``ID.match``, in write-ahead mode with ``synchronous=FULL``.  A file for
each match rather than one for all: the lock of the database is then the lock of the match, which the
system takes away when a process dies; two matches never wait for each other's disk; damage stays with one.

Rules:

1. A frame of ours is appended before it is sent: :meth:`Journal.append` returns after the disk has it.
2. One call of :meth:`Journal.append` is one transaction: all of its entries or none.
3. The entropy lies in the same database in a box (:mod:`protocol.record.box`) until it is erased; all of it has mode
   0600 from its first byte (sqlite gives ``-wal`` the same mode).
4. Whatever goes wrong with files or disks is :class:`JournalError`, and then nothing has changed.

What is *not* here: the meaning of frames, and the portable log (:mod:`protocol.record.logfile`).
"""

from __future__ import annotations

import enum
import errno
import os
import re
import secrets
import sqlite3
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Annotated, Any

from protocol.core import wire
from protocol.core.agreement import Role
from protocol.core.frames import Entry, Record
from protocol.crypto.keys import PrivateKey
from protocol.errors import WireError
from protocol.record import JournalError as JournalError
from protocol.record import box
from protocol.record.files import make_folder, sync_folder

SUFFIX = ".match"
"""How the file of a match ends."""

SCHEMA = 3
"""The version of the tables; kept as sqlite's user_version, so it appears together with them."""

APPLICATION = 0x53744D31
"""Sqlite's application_id of a journal: "StM1"."""

TRAILER = "trailer"
"""Under which name :meth:`Journal.erase` keeps what the match key has signed last."""

_ID = re.compile(r"[0-9]{8}-[0-9a-f]{8}")
# A program that lists matches holds a lock for a moment; whoever opens one waits that long, in seconds.
_PATIENCE = 0.5

_TABLES = (
    """CREATE TABLE match (
        one INTEGER PRIMARY KEY CHECK (one = 1), started_at INTEGER NOT NULL, role TEXT NOT NULL,
        name TEXT NOT NULL, opponent TEXT NOT NULL, match_id BLOB, state TEXT NOT NULL, log TEXT,
        box BLOB NOT NULL, sum INTEGER NOT NULL)""",
    """CREATE TABLE record (
        number INTEGER PRIMARY KEY, ours INTEGER NOT NULL, kind INTEGER NOT NULL, frame BLOB NOT NULL,
        sum INTEGER NOT NULL)""",
    "CREATE TABLE kept (name TEXT PRIMARY KEY, value BLOB NOT NULL, sum INTEGER NOT NULL)",
)
_INSERT = "INSERT INTO record (number, ours, kind, frame, sum) VALUES (?, ?, ?, ?, ?)"
_SELECT = "SELECT number, ours, kind, frame, sum FROM record ORDER BY number"
_KEEP = "REPLACE INTO kept VALUES (?, ?, ?)"
_STORE = "REPLACE INTO match VALUES (1, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
_MATCH = "SELECT started_at, role, name, opponent, match_id, state, log, box, sum FROM match"


def _plain(value: object) -> None:
    # Whoever shows it cleans it.  No path has a NUL, and the system raises at one.
    if type(value) is not str or "\0" in value:
        raise WireError("bad_text", "text", wire.describe(value))


_LATEST = 1 << 37
"""When the last match begins, in seconds since 1970: calendars go on to the year 9999, clocks need not."""


class StoredState(enum.StrEnum):
    """How far a match is."""

    OPEN = "open"
    """It can be resumed."""
    FINISHED = "finished"
    """It has its result."""
    SHELVED = "shelved"
    """The player has abandoned it; it can be resumed all the same."""


@dataclass(frozen=True, slots=True)
class StoredMatch:
    """What the journal says of a match, without its secrets."""

    local_id: Annotated[str, _plain]
    """The name of the match on this machine; the first eight digits are the day of its start."""
    started_at: Annotated[int, wire.integer(0, _LATEST)]
    """Seconds since 1970, as the caller gave them."""
    role: Annotated[Role, wire.word(5)]
    """Whether we gave the invite or accepted it."""
    name: Annotated[str, wire.text(wire.NAME_LIMIT)]
    """Our name in the match."""
    opponent: Annotated[str, _plain]
    """The other's name; empty until the handshake."""
    match_id: Annotated[bytes | None, wire.optional(wire.HASH)]
    """The hash of the handshake; None until then."""
    state: Annotated[StoredState, wire.word(8)]
    """How far it is."""
    log: Annotated[str | None, wire.optional(_plain)]
    """Where the portable log was written."""


_ROW = wire.fields("match", *wire.checks_of(StoredMatch)[1:], ("box", wire.octets(box.LENGTH)))
"""What stands of a match in its row: role and state as words, and the box."""


@dataclass(frozen=True, slots=True)
class Listed:
    """One file of the folder: a match that could be read, or why not."""

    local_id: str
    """The name of the match on this machine."""
    match: StoredMatch | None
    """None when it could not be read."""
    problem: JournalError | None
    """Why it could not be read; ``in-use`` when a program is playing it."""


def _match_sum(row: tuple[Any, ...]) -> int:
    return zlib.crc32(wire.encode(row))


def _record_sum(number: int, ours: int, kind: int, frame: bytes) -> int:
    return zlib.crc32(frame, zlib.crc32(b"%d %d %d" % (number, ours, kind)))


def _kept_sum(name: str, value: bytes) -> int:
    return zlib.crc32(value, zlib.crc32(name.encode()))


class Journal:
    """The open journal of one match; nobody else can open it meanwhile.

    A journal belongs to the thread that opened it.  Use it as a context manager or call :meth:`close`.
    """

    def __init__(self, path: Path, db: sqlite3.Connection) -> None:
        """Take over an open database; use :meth:`create` or :meth:`open`."""
        self._path = path
        self._db = db
        self._failed = False
        self._count = 0

    @classmethod
    def create(
        cls, folder: Path, *, started_at: int, role: Role, name: str, entropy: bytes, identity: PrivateKey
    ) -> Journal:
        """Make the journal of a new match, durable before it returns.

        Args:
            folder: where matches are kept; made with mode 0700 when it is not there.
            started_at: seconds since 1970.
            role: host or guest.
            name: our name in the match.
            entropy: the 32 secret bytes that everything secret of the match is derived from.
            identity: our long-term key, without which nobody reads them there.

        Raises:
            JournalError: the folder or the file cannot be written.
            ValueError: the entropy has not 32 bytes.
        """
        locked = box.lock(entropy, identity)
        day = datetime.fromtimestamp(started_at, UTC).strftime("%Y%m%d")
        path = folder / f"{day}-{secrets.token_hex(4)}{SUFFIX}"
        with translate_errors(path):
            make_folder(folder)
            # Made by hand so that it is never readable by others, not even for a moment.
            os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
            try:
                db = connect(path, _PATIENCE)
                try:
                    row = (started_at, role.name.lower(), name, "", None, StoredState.OPEN.value, None, locked)
                    db.execute("BEGIN")
                    for table in _TABLES:
                        db.execute(table)
                    db.execute(_STORE, (*row, _match_sum(row)))
                    db.execute(f"PRAGMA application_id={APPLICATION}")
                    db.execute(f"PRAGMA user_version={SCHEMA}")
                    db.execute("COMMIT")
                    sync_folder(folder)
                except BaseException:
                    db.close()
                    raise
            except BaseException:
                for leftover in (path, path.with_name(path.name + "-wal")):
                    leftover.unlink(missing_ok=True)
                raise
        return cls(path, db)

    @classmethod
    def open(cls, folder: Path, local_id: str, *, patience: float = _PATIENCE) -> Journal:
        """Open the journal of a match that was begun earlier, and check all of it.

        Raises:
            JournalError: ``missing``, ``in-use``, ``damaged``, ``older``, ``newer`` or ``unwritable``.
        """
        path = folder / f"{local_id}{SUFFIX}"
        # The id may come from a command line: it must not lead out of the folder.
        if _ID.fullmatch(local_id) is None:
            raise JournalError("missing", f"there is no match {local_id!a} in {folder}")
        with translate_errors(path):
            if not path.is_file():
                raise JournalError("missing", f"there is no match {local_id!a} in {folder}")
            path.chmod(0o600)
            db = connect(path, patience)
            journal = cls(path, db)
            try:
                (application,) = db.execute("PRAGMA application_id").fetchone()
                (version,) = db.execute("PRAGMA user_version").fetchone()
                if application == APPLICATION and version > SCHEMA:
                    raise JournalError("newer", f"{path.name} was written by a newer program")
                if application == APPLICATION and version < SCHEMA:
                    raise JournalError("older", f"{path.name} was begun by a program of an earlier protocol")
                if application != APPLICATION or version != SCHEMA:
                    raise JournalError("damaged", f"{path.name} is no journal of a match")
                journal._row()
                journal._count = len(journal.read_entries())
            except BaseException:
                db.close()
                raise
        return journal

    def __enter__(self) -> Journal:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @property
    def path(self) -> Path:
        """The file of the match."""
        return self._path

    @property
    def local_id(self) -> str:
        """The name of the match on this machine."""
        return self._path.name.removesuffix(SUFFIX)

    @property
    def match(self) -> StoredMatch:
        """What is known of the match.

        Raises:
            JournalError: the file cannot be read or is damaged.
        """
        return self._row()[0]

    def read_entropy(self, identity: PrivateKey) -> bytes:
        """Return the entropy of the match, which only the identity that began it can read.

        Raises:
            JournalError: ``erased`` or ``other-key``; or the file cannot be read or is damaged.
        """
        return box.unlock(self._row()[1], identity)

    @property
    def is_erased(self) -> bool:
        """Whether both hold everything, so that the entropy is gone.

        Raises:
            JournalError: the file cannot be read or is damaged.
        """
        return self._row()[1] == box.ERASED

    def _row(self) -> tuple[StoredMatch, bytes]:
        with translate_errors(self._path):
            rows = self._db.execute(_MATCH).fetchall()
            # Not every fault is noticed by sqlite; a wrong type or a time of no calendar would end what lists matches.
            try:
                ((*values, total),) = rows
                started_at, role, name, opponent, match_id, state, log, locked = row = tuple(values)
                _ROW(row)
                if total != _match_sum(row):
                    raise ValueError("checksum")
                match = StoredMatch(
                    self.local_id, started_at, Role[role.upper()], name, opponent, match_id, StoredState(state), log
                )
            except (KeyError, ValueError, WireError) as error:
                raise JournalError("damaged", f"{self._path.name}: the match's row is damaged") from error
        return match, locked

    def _store(self, locked: bytes | None = None, **changed: Any) -> None:
        match, kept = self._row()
        match = replace(match, **changed)
        begun = match.started_at, match.role.name.lower(), match.name, match.opponent
        row = (*begun, match.match_id, match.state.value, match.log, locked or kept)
        self._db.execute(_STORE, (*row, _match_sum(row)))

    def read_entries(self) -> list[Entry]:
        """Return all entries in their order.

        Raises:
            JournalError: the file cannot be read, or a record is not what was written.
        """
        found: list[Entry] = []
        with translate_errors(self._path):
            for expected, (number, ours, kind, frame, total) in enumerate(self._db.execute(_SELECT)):
                # sqlite notices broken pages, not a changed byte within a frame.  Whoever sends such a
                # frame again would be accused for the fault of a disk.
                sound = type(number) is type(ours) is type(kind) is int and 0 <= kind < 256 and type(frame) is bytes
                if not sound or total != _record_sum(number, ours, kind, frame):
                    raise JournalError("damaged", f"{self._path.name}: record {expected} is damaged")
                if number != expected:
                    raise JournalError("damaged", f"{self._path.name}: record {expected} is missing")
                found.append(Entry(bool(ours), Record(kind, frame)))
        return found

    def append(self, entries: Sequence[Entry]) -> None:
        """Add entries at the end in one transaction that is on the disk when this returns.

        Raises:
            JournalError: they could not be written; then none of them is there, and the journal can still
                be used when the code is ``disk-full``.
        """
        frames = ((entry.ours, entry.record.kind, entry.record.frame) for entry in entries)
        numbered = [(number, *frame) for number, frame in enumerate(frames, self._count)]
        rows = [(*row, _record_sum(*row)) for row in numbered]
        with self._writing():
            # A single statement outside of BEGIN is its own transaction, and three calls cheaper.
            if len(rows) == 1:
                self._db.execute(_INSERT, rows[0])
            elif rows:
                self._db.execute("BEGIN")
                self._db.executemany(_INSERT, rows)
                self._db.execute("COMMIT")
        self._count += len(rows)

    def meet(self, match_id: bytes, opponent: str) -> None:
        """Note what the handshake has shown.

        Raises:
            JournalError: it could not be written.
        """
        with self._writing():
            self._store(match_id=match_id, opponent=opponent)

    def end(self, state: StoredState, log: Path | None = None) -> None:
        """Note how the match ended and where its log is.

        Raises:
            JournalError: it could not be written.
        """
        with self._writing():
            # It is only told to people, and names of files need not be text.
            self._store(state=state, log=None if log is None else str(log).encode(errors="replace").decode())

    def keep(self, name: str, value: bytes) -> None:
        """Keep a small value beside the match (an address, an invite), replacing the one of that name.

        Raises:
            JournalError: it could not be written.
        """
        with self._writing():
            self._db.execute(_KEEP, (name, value, _kept_sum(name, value)))

    def erase(self, trailer: bytes) -> None:
        """Erase the entropy of a match that both hold, and keep what its key has signed last, as :data:`TRAILER`.

        Raises:
            JournalError: it could not be written.
        """
        with self._writing():
            self._db.execute("BEGIN")
            self._db.execute(_KEEP, (TRAILER, trailer, _kept_sum(TRAILER, trailer)))
            self._store(box.ERASED)
            self._db.execute("COMMIT")
            # Until then the box stands in the file beside the database; after a crash the next opening clears that.
            self._db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
            # Whoever lists matches while the end of this one is looked at reads that it is over: it keeps no lock.
            for setting in ("journal_mode=DELETE", "locking_mode=NORMAL"):
                self._db.execute(f"PRAGMA {setting}").fetchone()
            self._db.execute(_MATCH).fetchone()

    def read_kept(self, name: str) -> bytes | None:
        """Return the value of :meth:`keep`, or None.

        Raises:
            JournalError: the file cannot be read or is damaged.
        """
        with translate_errors(self._path):
            row = self._db.execute("SELECT value, sum FROM kept WHERE name = ?", (name,)).fetchone()
        if row is None:
            return None
        value, total = row
        if type(value) is not bytes or _kept_sum(name, value) != total:
            raise JournalError("damaged", f"{self._path.name}: the value {name!a} is damaged")
        return value

    def read_word(self, name: str) -> str | None:
        """Return the value of :meth:`keep` as text, or None.

        Raises:
            JournalError: the file cannot be read or is damaged.
        """
        value = self.read_kept(name)
        with self.understood(name):
            return None if value is None else value.decode()

    @contextmanager
    def understood(self, name: str) -> Iterator[None]:
        """Read what a value of :meth:`keep` means.

        Raises:
            JournalError: ``damaged``: it is no such value.
        """
        try:
            yield
        except (KeyError, TypeError, ValueError, RecursionError, WireError) as error:
            raise JournalError("damaged", f"{self._path.name}: the value {name!a} is damaged") from error

    @contextmanager
    def _writing(self) -> Iterator[None]:
        if self._failed:
            raise JournalError("failed", f"{self._path.name} could not be written before; open it again")
        try:
            with translate_errors(self._path):
                try:
                    yield
                except BaseException:
                    if self._db.in_transaction:
                        self._db.execute("ROLLBACK")
                    raise
        except JournalError as error:
            # After a failed fsync nobody knows what the disk holds, until it is read again.
            self._failed = error.code != "disk-full"
            raise

    def close(self) -> None:
        """Let go of the match; harmless when done twice."""
        self._db.close()

    def discard(self) -> None:
        """Close and delete the match, e.g. a hosted one to which nobody came.

        Raises:
            JournalError: the file could not be deleted.
        """
        self.close()
        with translate_errors(self._path):
            self._path.unlink(missing_ok=True)


def list_matches(folder: Path) -> list[Listed]:
    """Return the matches of a folder by the day of their start; those that cannot be read say why.

    Raises:
        JournalError: the folder cannot be read.
    """
    found: list[Listed] = []
    with translate_errors(folder):
        names = sorted(path.name for path in folder.glob(f"*{SUFFIX}")) if folder.is_dir() else []
    for local_id in (name.removesuffix(SUFFIX) for name in names):
        try:
            with Journal.open(folder, local_id, patience=0.0) as journal:
                found.append(Listed(local_id, journal.match, None))
        except JournalError as error:
            found.append(Listed(local_id, None, error))
    return found


@contextmanager
def translate_errors(path: Path) -> Iterator[None]:
    """Translate whatever sqlite and the system say about a file.

    Raises:
        JournalError: with the code for what they said.
    """
    try:
        yield
    except sqlite3.ProgrammingError:
        # A closed journal or another thread: a fault of the caller, not of the disk.
        raise
    except sqlite3.Error as error:
        # The low byte is the primary code; the rest says where in sqlite it happened.
        primary = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & 0xFF
        if primary in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
            raise JournalError("in-use", f"{path.name} is open in another program") from error
        if primary == sqlite3.SQLITE_FULL:
            raise JournalError("disk-full", f"the disk is full, {path.name} could not grow") from error
        if primary in (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_PERM, sqlite3.SQLITE_CANTOPEN):
            raise JournalError("unwritable", f"{path} cannot be written ({error})") from error
        if primary in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_ERROR):
            raise JournalError("damaged", f"{path.name} is no readable journal ({error})") from error
        raise JournalError("failed", f"{path.name} could not be read or written ({error})") from error
    except UnicodeDecodeError as error:
        # What sqlite quotes of a damaged file need not be text.
        raise JournalError("damaged", f"{path.name} is no readable journal") from error
    except OSError as error:
        code = "disk-full" if error.errno == errno.ENOSPC else "unwritable"
        raise JournalError(code, f"{path} cannot be written ({error.strerror})") from error


def connect(path: Path, patience: float) -> sqlite3.Connection:
    """Open an existing file so that a commit is on the disk and nobody else can open it.

    Args:
        path: the file; an empty one is a new database.
        patience: how many seconds to wait for whoever has it open.

    Raises:
        sqlite3.Error: to be translated by :func:`translate_errors`.
    """
    # mode=rw: a journal that is not there must not come into being by being looked at.
    db = sqlite3.connect(f"{path.absolute().as_uri()}?mode=rw", uri=True, isolation_level=None, timeout=patience)
    try:
        # In this mode the lock stays until the connection ends, and no -shm file is needed.
        db.execute("PRAGMA locking_mode=EXCLUSIVE")
        db.execute("PRAGMA journal_mode=WAL")
        db.execute("PRAGMA synchronous=FULL")
        # On macOS a plain fsync stops in the drive's own memory.
        db.execute("PRAGMA fullfsync=ON")
        # What is overwritten or moved leaves nothing behind in the file.
        db.execute("PRAGMA secure_delete=ON")
        db.execute("BEGIN EXCLUSIVE")
        db.execute("COMMIT")
    except BaseException:
        db.close()
        raise
    return db
