"""Files and folders that somebody names or sends: read with a limit, and never waited for."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterator
from contextlib import suppress
from typing import TYPE_CHECKING, BinaryIO, Final, TypeAlias

if TYPE_CHECKING:
    from pathlib import Path

Name: TypeAlias = "str | os.PathLike[str]"
"""Of a file."""

LARGEST: Final = 4 << 20
"""Bytes; no file that a person writes, or that is kept for a person, has more."""


def open_file(path: Name) -> BinaryIO:
    """Open a file to read its bytes.

    Raises:
        OSError: it cannot be opened; ``ENXIO``, it is a pipe, a device or a socket: from these bytes may come without
            end, or none for ever; ``EINVAL``, no file can be called so.
    """
    try:
        # To open a device may do something by itself, so it is looked at first. What is there now may be another one.
        _check(path, os.stat(path).st_mode)
        file = open(path, "rb", opener=_open)  # noqa: SIM115  # it is for the caller to close
    except ValueError as error:
        raise OSError(errno.EINVAL, os.strerror(errno.EINVAL), str(path)) from error
    try:
        _check(path, os.fstat(file.fileno()).st_mode)
    except OSError:
        file.close()
        raise
    return file


def _open(name: str, flags: int) -> int:
    return os.open(name, flags | getattr(os, "O_NONBLOCK", 0))


def _check(path: Name, mode: int) -> None:
    if not stat.S_ISREG(mode):
        code = errno.EISDIR if stat.S_ISDIR(mode) else errno.ENXIO
        raise OSError(code, os.strerror(code), str(path))


def read_file(path: Name, limit: int = LARGEST) -> bytes:
    """Return the bytes of a file.

    Raises:
        OSError: as for :func:`open_file`, or it cannot be read; ``EFBIG``, there are more bytes than the limit.
    """
    with open_file(path) as file:
        # Room is made for all that is asked for, so no more is asked for than there is.
        size = min(os.fstat(file.fileno()).st_size, limit)
        data = file.read(size + 1)
        if len(data) > size:
            data += file.read(limit - size)
    if len(data) > limit:
        raise OSError(errno.EFBIG, os.strerror(errno.EFBIG), str(path))
    return data


def walk(folder: Path, leave_out: Path | None = None) -> Iterator[tuple[Path, OSError | None]]:
    """Yield what is in a folder and below and is no folder, by name; then each folder that cannot be listed, and why.

    Links to folders are not followed.

    Args:
        folder: where to begin.
        leave_out: a folder that is not looked into.
    """
    # No recursion: a folder may lie deeper than Python counts.
    waiting = [folder]
    while waiting:
        place = waiting.pop()
        try:
            with os.scandir(place) as entries:
                found = sorted(entries, key=lambda entry: entry.name)
        except OSError as error:
            yield place, error
            continue
        below = []
        for entry in found:
            path = place / entry.name
            if not _is_folder(entry):
                yield path, None
            elif not entry.is_symlink() and (leave_out is None or not _is_same(path, leave_out)):
                below.append(path)
        waiting += reversed(below)


def _is_same(path: Path, other: Path) -> bool:
    # A folder that has vanished is told of where it should be listed.
    with suppress(OSError):
        return os.path.samefile(path, other)
    return False


def _is_folder(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir()
    except OSError:
        # Whoever reads it is told why.
        return False
