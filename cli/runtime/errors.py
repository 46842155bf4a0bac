"""The file with what another program writes to stderr: for nobody else to read, and of bounded length."""

import io
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

LONGEST = 1 << 20
"""Bytes; of a file that becomes longer the newer half stays."""


@contextmanager
def opened(path: Path) -> Iterator[io.FileIO]:
    """Open the file, or make it; what is written comes behind what is there.

    Raises:
        OSError: it cannot be opened or made its owner's alone.
    """
    # The mode is given at creation: a file that is closed to others later was open to them before.
    with open(path, "a+b", buffering=0, opener=lambda name, flags: os.open(name, flags, 0o600)) as file:
        # An older one may be open to others still.
        path.chmod(0o600)
        _shorten(file)
        yield file


def add(file: io.FileIO, data: bytes) -> None:
    """Write more into the opened file.

    Raises:
        OSError: there is no room for it.
    """
    file.write(data)
    _shorten(file)


def _shorten(file: io.FileIO) -> None:
    if os.fstat(file.fileno()).st_size > LONGEST:
        file.seek(-LONGEST // 2, os.SEEK_END)
        newest = file.read()
        file.truncate(0)
        # It begins with a whole line, where there is one.
        file.write(newest[newest.find(b"\n") + 1 :])
