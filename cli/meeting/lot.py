"""What is kept for an invite so that nobody gains by hanging up (SPEC.md, "Start").

The host opens his coin before the guest opens his own, so a guest knows his side before the match has begun.  If he
hangs up then and calls again, both coins are the ones of the first call: the lot has been drawn.  The host sees the
guest's coin before his own signature is out; if he hangs up then, the guest takes no other coin of his.
"""

from __future__ import annotations

import os
import secrets
import time
from dataclasses import dataclass, field
from pathlib import Path

from protocol.database import JournalError, disk, make_folder, sync_folder
from protocol.invite import Invite
from protocol.wire import hashed

_SUFFIX = ".call"


@dataclass(slots=True)
class Lot:
    """The host's side: his coin, and who has called with which."""

    coin: bytes = field(default_factory=lambda: secrets.token_bytes(32), repr=False)
    """One for the invite, however often somebody calls."""
    guest: tuple[bytes, bytes] | None = None
    """Identity and fixed coin of the first guest who has proved the secret; nobody else plays with this invite."""


class Call:
    """The guest's side: the entropy with which an invite is answered, kept until the match has begun.

    A guest whose line breaks, or whose program dies, calls again as the same guest with the same coin.
    """

    def __init__(self, folder: Path, invite: Invite) -> None:
        """Name the file; nothing is read or written yet.

        Args:
            folder: where the player's matches are.
            invite: the invite that is answered.
        """
        name = hashed("call", invite.secret).hex()[:16]
        self._path = folder / f"{name}{_SUFFIX}"
        self._expires = invite.expires

    def entropy(self) -> bytes:
        """Return the 32 bytes of the first call, drawn and stored if this is the first.

        Raises:
            JournalError: they cannot be read or stored.
        """
        data = self._read() or secrets.token_bytes(32)
        if not self._path.is_file():
            self._write(data)
        return data[:32]

    def match(self) -> bytes | None:
        """Return the match that has begun with this invite, if one has.

        Raises:
            JournalError: that cannot be read.
        """
        return self._read()[64:] or None

    def host_coin(self) -> bytes | None:
        """Return the coin that the host had when ours was opened to him, if that has happened.

        Raises:
            JournalError: that cannot be read.
        """
        return self._read()[32:64] or None

    def drawn(self, host_coin: bytes) -> None:
        """Note the host's coin before ours is opened: whoever has seen ours may not draw another one.

        Raises:
            JournalError: that cannot be stored.
        """
        self._write(self.entropy() + host_coin)

    def begun(self, match_id: bytes) -> None:
        """Note the match after its lot was drawn, so that the invite leads to it and not to another one.

        Raises:
            JournalError: that cannot be stored.
        """
        self._write(self._read()[:64] + match_id)
        with disk(self._path):
            self._sweep()

    def forget(self) -> None:
        """Delete it: there will be no match.

        Raises:
            JournalError: it cannot be deleted.
        """
        with disk(self._path):
            self._path.unlink(missing_ok=True)
            self._sweep()

    def _read(self) -> bytes:
        with disk(self._path):
            data = self._path.read_bytes() if self._path.is_file() else b""
        if len(data) not in (0, 32, 64, 96):
            raise JournalError("damaged", f"{self._path.name} is damaged")
        return data

    def _write(self, data: bytes) -> None:
        """Store it: never readable by others, not even for a moment; whole or not there."""
        with disk(self._path):
            make_folder(self._path.parent)
            half = self._path.with_suffix(".new")
            half.unlink(missing_ok=True)
            with os.fdopen(os.open(half, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "wb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            # The time of the file is that of the invite's end, by which it is swept away.
            os.utime(half, (self._expires, self._expires))
            half.replace(self._path)
            sync_folder(self._path.parent)

    def _sweep(self) -> None:
        """Delete the calls whose invites have expired."""
        for path in self._path.parent.glob(f"*{_SUFFIX}"):
            if path.stat().st_mtime < time.time():
                path.unlink(missing_ok=True)
