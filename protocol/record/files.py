"""How a file comes to the disk: whole and durable, or not at all."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def drafted(folder: Path, data: bytes, *, private: bool = False) -> Iterator[Path]:
    """Write bytes to a hidden file of a folder, to be moved to its name; it is deleted if it was not moved.

    Args:
        folder: where the file will be.
        data: what is in it; it is on the disk when the file is given.
        private: nobody but the owner can read it.  The mode is given at creation: a file that is closed to others
            later was open to them before.

    Raises:
        OSError: it cannot be written.
    """
    # Whoever only reads does without it; it takes longer to load than all that a small command needs.
    import secrets

    draft = folder / f".{secrets.token_hex(8)}.part"
    handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600 if private else 0o666)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        yield draft
    finally:
        draft.unlink(missing_ok=True)


def write_file(path: Path, data: bytes, *, private: bool = False) -> None:
    """Write a file in place of the one that may be there; see :func:`drafted`.

    Raises:
        OSError: it cannot be written; the file is as it was.
    """
    with drafted(path.parent, data, private=private) as draft:
        draft.replace(path)
    sync_folder(path.parent)


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
