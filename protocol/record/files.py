"""How a file comes to the disk: whole and durable, or not at all; and how programs change the same one in turn."""

import errno
import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

from protocol.system.files import read_file

LOCK = ".lock"
"""The file whose lock has whoever changes a file beside it; nothing is in it."""
PATIENCE = 30.0
"""How long others are waited for, in seconds; each needs some milliseconds."""


@contextmanager
def drafted(folder: Path, data: bytes, *, private: bool = False, name: str = "") -> Iterator[Path]:
    """Write bytes to a hidden file of a folder, to be moved to its name; it is deleted if it was not moved.

    Args:
        folder: where the file will be.
        data: what is in it; it is on the disk when the file is given.
        private: nobody but the owner can read it.  The mode is given at creation: a file that is closed to others
            later was open to them before.
        name: of the hidden file, if what is in it can be written again at any time: it need not reach the disk at once,
            and who writes it again removes the one that a kill has left.

    Raises:
        OSError: it cannot be written; the error names the folder, for nobody knows the hidden file.
    """
    # Whoever only reads does without it; it takes longer to load than all that a small command needs.
    import secrets

    draft = folder / (name or f".{secrets.token_hex(8)}.part")
    try:
        if name:
            draft.unlink(missing_ok=True)
        handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600 if private else 0o666)
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            if not name:
                file.flush()
                os.fsync(file.fileno())
        yield draft
    except OSError as error:
        # One that is no answer of the system names no file.
        if error.errno is not None and (error.filename is None or os.fspath(error.filename) == str(draft)):
            error.filename, error.filename2 = error.filename2 or str(folder), None
        raise
    finally:
        draft.unlink(missing_ok=True)


def write_file(path: Path, data: bytes, *, private: bool = False, modified: float | None = None) -> None:
    """Write a file in place of the one that may be there; see :func:`drafted` and :func:`change_file`.

    Raises:
        OSError: it cannot be written; the file is as it was.
    """
    with drafted(path.parent, data, private=private) as draft:
        if modified is not None:
            os.utime(draft, (modified, modified))
        draft.replace(path)
    sync_folder(path.parent)


def change_file(path: Path, change: Callable[[bytes | None], bytes | None], *, modified: float | None = None) -> None:
    """Change a private file, or make it, while no other program changes a file of that folder.

    Args:
        path: the file; its folder is made where it is missing.
        change: returns what will be in the file, or None to leave it; it is given what is in it, None if there is no
            file.  It must not call this function for a file of the same folder: it would wait for itself.
        modified: the time that the new file is given, in seconds since 1970.

    Raises:
        OSError: the file cannot be read or written, and is as it was; or others change it without end.
    """
    make_folder(path.parent)
    with alone(path.parent):
        try:
            before = read_file(path)
        except FileNotFoundError:
            before = None
        after = change(before)
        if after is not None and after != before:
            write_file(path, after, private=True, modified=modified)


@contextmanager
def alone(folder: Path) -> Iterator[None]:
    """Keep other programs that ask for it out of a folder, which is there.

    Raises:
        OSError: it cannot be locked, or others hold it without end.
    """
    # The lock of a database is the one lock that the program has on every system: journals rest on it, it ends with
    # its process, and waiting for it ends, too.  It is imported where it is used: most commands change nothing.
    import sqlite3

    with ExitStack() as closing:
        try:
            db = sqlite3.connect(folder / LOCK, timeout=PATIENCE, isolation_level=None)
            closing.callback(db.close)
            db.execute("BEGIN EXCLUSIVE")
        except sqlite3.Error as error:
            # The low byte is the primary code.
            busy = getattr(error, "sqlite_errorcode", 0) & 0xFF == sqlite3.SQLITE_BUSY
            code = errno.EAGAIN if busy else errno.EISDIR if (folder / LOCK).is_dir() else errno.EACCES
            raise OSError(code, os.strerror(code), str(folder / LOCK)) from error
        # Whoever can read it can hold it for ever, and a folder that somebody else has made may be open to others.
        with suppress(OSError):
            (folder / LOCK).chmod(0o600)
        yield


def make_folder(folder: Path) -> None:
    """Make a folder, and those above it that are missing, for nobody but the owner."""
    for missing in reversed([path for path in (folder, *folder.parents) if not path.exists()]):
        missing.mkdir(mode=0o700, exist_ok=True)


def sync_folder(folder: Path) -> None:
    """Make new names in a folder durable."""
    # A new name is durable only when its folder is; Windows has no such call and needs none.
    if os.name == "posix":
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
