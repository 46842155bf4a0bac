"""A private sqlite3 file that one program at a time has open and whose commits are on the disk.

The machinery below :mod:`protocol.record.journal`; what is in the tables is told there.
"""

from __future__ import annotations

import errno
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


class JournalError(Exception):
    """A journal cannot be made, opened, read or written; nothing has changed.

    Attributes:
        code: ``missing``, ``in-use``, ``damaged``, ``older``, ``newer``, ``disk-full``, ``unwritable``, ``failed``,
            ``erased`` or ``other-key``.
        sentence: what happened, with the file.
    """

    def __init__(self, code: str, sentence: str) -> None:
        super().__init__(sentence)
        self.code = code
        self.sentence = sentence


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
