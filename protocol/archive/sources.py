"""Logs out of folders, zip files and tar files, one after the other and with limits.

Archives are read as streams and never unpacked: no name out of one is used on the disk.  What they may cost is bounded
by their own length, however they were made.  A file that is cut in the middle gives what stands before the cut.
"""

import bz2
import errno
import gzip
import io
import os
import tarfile
import zipfile
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, Final, TypeAlias, cast

from protocol.record import logfile
from protocol.system import files

EXPANSION_LIMIT: Final = 100
"""How many times its own length an archive may hold; logs can hardly be compressed."""

_MARK: Final = b"storm-p2p log "
_HEADERS: Final = 1 << 20
"""How many bytes the headers before a file in a tar may have."""


@dataclass(frozen=True, slots=True)
class Found:
    """The bytes of what should be a log."""

    name: str
    """Where it was found; within an archive behind the archive's own name, in a stranger's words."""
    data: bytes


@dataclass(frozen=True, slots=True)
class Unread:
    """Something that gives no log."""

    name: str
    code: str
    """``foreign``, ``missing``, ``unreadable``, ``too-long``, ``encrypted``, ``compressed`` (a log
    and no archive), ``bomb`` or ``cut``."""


Item: TypeAlias = Found | Unread


def read_sources(sources: Sequence[Path], leave_out: Path | None = None) -> Iterator[Item]:
    """Yield all that some files and folders hold, in the order of their names.

    Args:
        sources: folders, logs, zip files, tar files.
        leave_out: a folder that is not looked into.
    """
    for source in sources:
        found = files.walk(source, leave_out) if os.path.isdir(source) else [(source, None)]
        for path, error in found:
            if error is None:
                yield from _read_file(path)
            else:
                yield _unread(path, error)


def _unread(path: Path, error: Exception) -> Unread:
    codes = {errno.ENOENT: "missing", errno.ENXIO: "foreign"}
    return Unread(str(path), codes.get(getattr(error, "errno", None) or 0, "unreadable"))


def _read_file(path: Path) -> Iterator[Item]:
    name = str(path)
    try:
        with files.open_file(path) as file:
            head = file.read(_HEADERS)
            if path.suffix == logfile.SUFFIX or head.startswith(_MARK):
                yield _log(name, head + file.read(logfile.SIZE_LIMIT + 1 - len(head)))
                return
            file.seek(0)
            size = os.fstat(file.fileno()).st_size
            if head.startswith((b"PK\x03\x04", b"PK\x05\x06")):
                yield from _read_zip(name, file, size)
            elif head.startswith(b"\x1f\x8b"):
                yield from _read_tar(name, cast("BinaryIO", gzip.GzipFile(fileobj=file)), size)
            elif head.startswith(b"BZh"):
                yield from _read_tar(name, cast("BinaryIO", bz2.BZ2File(file)), size)
            elif head[257:262] == b"ustar":
                yield from _read_tar(name, file, size)
            else:
                yield Unread(name, "foreign")
    except (OSError, ValueError) as error:
        yield _unread(path, error)


def _log(name: str, data: bytes) -> Item:
    return Unread(name, "too-long") if len(data) > logfile.SIZE_LIMIT else Found(name, data)


def _is_log(name: str, head: bytes) -> bool:
    return name.endswith(logfile.SUFFIX) or head.startswith(_MARK)


def _member(name: str, inner: str, file: BinaryIO) -> Item:
    """Read a file within an archive."""
    shown = f"{name}: {inner}"
    head = file.read(len(_MARK))
    if not _is_log(inner, head):
        return Unread(shown, "foreign")
    return _log(shown, head + file.read(logfile.SIZE_LIMIT + 1 - len(head)))


# -- zip --------------------------------------------------------------------------------------------------


def _read_zip(name: str, file: BinaryIO, size: int) -> Iterator[Item]:
    try:
        # The list of its files stands at its end.
        archive = zipfile.ZipFile(file)
    except (zipfile.BadZipFile, NotImplementedError, OSError, ValueError):
        yield Unread(name, "cut")
        return
    left = _allowance(size)
    with archive:
        for member in archive.infolist():
            # What the library asks for this fails for a file without a name.
            if member.filename.endswith("/"):
                continue
            shown = f"{name}: {member.filename}"
            if member.flag_bits & 1:
                yield Unread(shown, "encrypted")
            elif member.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
                yield Unread(shown, "unreadable")
            else:
                try:
                    with archive.open(member) as opened:
                        item = _member(name, member.filename, cast("BinaryIO", opened))
                except (zipfile.BadZipFile, zlib.error, EOFError, OSError, ValueError, NotImplementedError):
                    item = Unread(shown, "cut")
                left -= len(item.data) if isinstance(item, Found) else min(member.file_size, logfile.SIZE_LIMIT)
                if left < 0:
                    yield Unread(name, "bomb")
                    return
                yield item


# -- tar --------------------------------------------------------------------------------------------------


def _allowance(size: int) -> int:
    return EXPANSION_LIMIT * size + logfile.SIZE_LIMIT


class _Bomb(Exception):
    """More came out of an archive than it may hold."""


class _Bounded(io.RawIOBase):
    """A stream that ends with :class:`_Bomb` where too much comes out of it."""

    def __init__(self, stream: BinaryIO, total: int) -> None:
        super().__init__()
        self.step = _HEADERS
        """How much may come out before somebody looks again."""
        self.last = b""
        """What came out last."""
        self.first = b""
        self._stream, self._total = stream, total

    def read(self, size: int = -1) -> bytes:
        data = self._stream.read(size)
        # The library would go on, in steps, to the end of a file of any size that a header names.
        if not data and self.first and not self.last:
            raise EOFError
        self.last = data
        self.first = self.first or data
        self.step -= len(data)
        self._total -= len(data)
        if self.step < 0 or self._total < 0:
            raise _Bomb
        return data


def _read_tar(name: str, stream: BinaryIO, size: int) -> Iterator[Item]:
    bounded = _Bounded(stream, _allowance(size))
    try:
        with tarfile.open(fileobj=cast("BinaryIO", bounded), mode="r|", bufsize=tarfile.BLOCKSIZE) as archive:
            while (member := archive.next()) is not None:
                # The library keeps all that it has met, for a way back that a stream does not have.
                vars(archive)["members"] = []
                # Long names stand in headers of any length, which the library reads as a whole.
                bounded.step = member.size + 2 * tarfile.BLOCKSIZE + _HEADERS
                if member.isreg() and not member.issparse():
                    opened = archive.extractfile(member)
                    assert opened is not None
                    yield _member(name, member.name, cast("BinaryIO", opened))
                elif not member.isdir():
                    yield Unread(f"{name}: {member.name}", "foreign")
            # An archive ends with a block of nothing; the library takes the end of the file for one, too.
            if any(bounded.last) or not bounded.last:
                yield Unread(name, "cut")
    except _Bomb:
        yield Unread(name, "bomb")
    except (tarfile.TarError, zlib.error, EOFError, OSError, ValueError):
        yield Unread(name, "compressed" if bounded.first.startswith(_MARK) else "cut")
