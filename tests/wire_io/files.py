"""A transport through a folder that both programs see, each frame a file: a stick, or a shared disk.

The n-th frame of a side is the file ``NNNNNN-SIDE.frame`` (six digits, counted from 1), written under
another name and renamed when it is whole::

    length    4 bytes big-endian     0: this side has closed the channel, for now
    check     4 bytes                CRC-32 of the frame
    frame

A file with fewer bytes than it promises is one that is still being copied: it counts as not yet there.
Files of any other name, such as the copies that a synchroniser makes of a conflict, are ignored.  A channel
can be opened again: a side goes on numbering where its last file ends.
"""

from __future__ import annotations

import asyncio
import os
import re
import secrets
import stat
import zlib
from pathlib import Path

from protocol.core.wire import FRAME_LIMIT, HANDSHAKE_LIMIT
from protocol.transport import Allowance, TransportError

SUFFIX = ".frame"
"""How a file with a frame ends."""

_HEAD = 8
_SIDE = re.compile(r"[a-z]{1,16}")


class FilesTransport:
    """One end of a channel through a folder."""

    way = ("call", "")

    def __init__(self, folder: Path, ours: str, theirs: str, *, taken: int = 0, poll: float = 0.25) -> None:
        """Open a channel.

        Args:
            folder: where the files are; must be there.
            ours: our side, a word of small letters.
            theirs: the other side.
            taken: how many files of the other side are known already (:attr:`taken` of an earlier channel).
            poll: how often :meth:`receive` looks, in seconds.

        Raises:
            TransportError: ``unwritable``: the folder cannot be read.
            ValueError: a side is no word, or both are the same.
        """
        if ours == theirs or not _SIDE.fullmatch(ours) or not _SIDE.fullmatch(theirs):
            raise ValueError(f"expected two different words, got {ours!a} and {theirs!a}")
        self.limit, self.allowance = HANDSHAKE_LIMIT, Allowance()
        self.taken = taken
        """How many files of the other side were read."""
        self._folder = folder
        self._ours, self._theirs = ours, theirs
        self._poll = poll
        self._closed = False
        pattern = re.compile(rf"([0-9]{{6}})-{ours}{re.escape(SUFFIX)}")
        try:
            numbers = [int(found[1]) for name in os.listdir(folder) if (found := pattern.fullmatch(name))]
        except OSError as error:
            raise TransportError("unwritable", f"{folder} cannot be read ({error.strerror})") from error
        self._sent = max(numbers, default=0)

    def put(self, frame: bytes) -> None:
        """Write one frame; the file is whole and on the disk when this returns.

        Raises:
            TransportError: ``closed`` or ``unwritable``.
            ValueError: the frame is empty or longer than FRAME_LIMIT.
        """
        if not 1 <= len(frame) <= FRAME_LIMIT:
            raise ValueError(f"expected 1 to {FRAME_LIMIT} bytes, got {len(frame)}")
        if self._closed:
            raise TransportError("closed", "expected an open channel, got a closed one")
        self._write(frame)

    def _write(self, frame: bytes) -> None:
        temporary = self._folder / f".{secrets.token_hex(8)}.part"
        try:
            try:
                with temporary.open("xb") as file:
                    file.write(len(frame).to_bytes(4, "big") + zlib.crc32(frame).to_bytes(4, "big") + frame)
                    file.flush()
                    os.fsync(file.fileno())
                temporary.replace(self._path(self._sent + 1, self._ours))
            finally:
                temporary.unlink(missing_ok=True)
        except OSError as error:
            sentence = f"{self._folder} cannot be written ({error.strerror})"
            raise TransportError("unwritable", sentence) from error
        self._sent += 1

    def _path(self, number: int, side: str) -> Path:
        return self._folder / f"{number:06}-{side}{SUFFIX}"

    def take(self) -> bytes | None:
        """Return the next frame, b"" when the other side has closed, or None when nothing is there now.

        Raises:
            TransportError: ``oversized`` or ``damaged``; the channel is closed then.
        """
        if self._closed:
            return None
        path = self._path(self.taken + 1, self._theirs)
        try:
            # Looked at first: opening a pipe that somebody has put there would wait without end.
            if not stat.S_ISREG(path.stat().st_mode):
                return None
            with path.open("rb") as file:
                head = file.read(_HEAD)
                if len(head) < _HEAD:
                    return None
                length = int.from_bytes(head[:4], "big")
                if length > self.limit:
                    self._closed = True
                    sentence = f"{path.name}: expected at most {self.limit} bytes, got {length}"
                    raise TransportError("oversized", sentence)
                frame = file.read(length + 1)
        except OSError:
            # Not there yet, or held by the program that copies it.
            return None
        if len(frame) < length:
            return None
        if len(frame) > length or zlib.crc32(frame) != int.from_bytes(head[4:], "big"):
            self._closed = True
            raise TransportError("damaged", f"{path.name}: expected a whole frame, got other bytes")
        self.taken += 1
        return frame

    @property
    def channel(self) -> bytes:
        """Nothing: there is no certificate."""
        return b""

    async def send(self, frame: bytes) -> None:
        """Write one frame; see :meth:`put`."""
        self.put(frame)

    async def receive(self) -> bytes | None:
        """Wait for the next frame; None when the other side has closed, or this one.

        Raises:
            TransportError: ``oversized`` or ``damaged``.
        """
        # No event tells of a new file on every system and every shared disk.
        while (frame := self.take()) is None and not self._closed:
            await asyncio.sleep(self._poll)
        return frame or None

    async def close(self) -> None:
        """Tell the other side that nothing comes for now; a later channel may go on."""
        if not self._closed:
            self._closed = True
            try:
                self._write(b"")
            except TransportError:
                # The folder is gone: nobody is there to be told.
                return
