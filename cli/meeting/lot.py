"""What is kept for an invite so that nobody gains by hanging up (SPEC.md, "Start").

The host opens his coin before the guest opens his own, so a guest knows his side before the match has begun.  If he
hangs up then, or refuses the terms, and calls again, both coins are those of the first call: the lot has been drawn.
The host sees the guest's coin and blind before his own signature is out; whatever he says then, the guest takes no
other hello of his.
"""

import os
import secrets
import time
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, cast

from protocol.core import wire
from protocol.crypto.hashing import hash_parts
from protocol.errors import WireError
from protocol.reach.invite import Invite
from protocol.record.database import JournalError, translate_errors
from protocol.record.files import drafted, make_folder, sync_folder

_SUFFIX = ".call"


@dataclass(slots=True)
class Lot:
    """The host's side: the entropy of the invite, and who has called with which coin."""

    entropy: bytes = field(default_factory=lambda: secrets.token_bytes(32), repr=False)
    """One for the invite, however often somebody calls: it gives one coin, and one answer to each hello."""
    guest: tuple[bytes, bytes] | None = None
    """Identity and fixed coin of the first guest who has proved the secret; nobody else plays with this invite."""


_CALL = wire.fields(
    "call",
    ("entropy", wire.octets(32)),
    ("name", wire.text(wire.NAME_LIMIT)),
    ("signed", wire.optional(wire.fields("signed", ("blind", wire.octets(32)), ("hello", wire.octets(32))))),
    ("match", wire.optional(wire.octets(32))),
)


@dataclass(frozen=True, slots=True)
class _Kept:
    """What the file of a call holds."""

    entropy: bytes
    name: str
    signed: tuple[bytes, bytes] | None = None
    match: bytes | None = None


@dataclass(frozen=True, slots=True)
class Shared:
    """What the two of a match have in place of an invite for the next one."""

    secret: bytes = field(repr=False)
    expires: int
    """Seconds since 1970."""


class Call:
    """The guest's side: the entropy with which an invite is answered, kept until the match has begun.

    A guest whose line breaks, or whose program dies, calls again as the same guest with the same coin.  His blind is a
    fresh one for each call; but once he has opened it, he says the same hello again and takes no other answer to it.
    """

    def __init__(self, folder: Path, invite: Invite | Shared) -> None:
        """Name the file in a folder of matches; nothing is read or written yet."""
        name = hash_parts("call", invite.secret).hex()[:16]
        self._path = folder / f"{name}{_SUFFIX}"
        self._expires = invite.expires

    def begin(self, name: str) -> tuple[bytes, str, bytes, bytes | None]:
        """Return entropy, name, blind and the hash of the host's hello that we have signed, for one call.

        All but the blind of a call that has signed nothing are those of the first call, drawn and stored if this is it.

        Raises:
            JournalError: they cannot be read or stored.
        """
        kept = self._read()
        if kept is None:
            kept = _Kept(secrets.token_bytes(32), name)
            self._write(kept)
        if kept.signed is None:
            return kept.entropy, name, secrets.token_bytes(32), None
        return kept.entropy, kept.name, *kept.signed

    @property
    def has_signed(self) -> bool:
        """Whether a call has signed, so that the host may have begun the match.

        Raises:
            JournalError: that cannot be read.
        """
        kept = self._read()
        return kept is not None and kept.signed is not None

    def match(self) -> bytes | None:
        """Return the match that has begun with this invite, if one has.

        Raises:
            JournalError: that cannot be read.
        """
        kept = self._read()
        return None if kept is None else kept.match

    def signs(self, name: str, blind: bytes, hello: bytes) -> None:
        """Note the hello of ours and the hash of the host's before our blind is opened to him.

        Raises:
            JournalError: that cannot be stored.
        """
        kept = self._read()
        assert kept is not None
        self._write(replace(kept, name=name, signed=(blind, hello)))

    def begun(self, match_id: bytes) -> None:
        """Note the match after its lot was drawn, so that the invite leads to it and not to another one.

        Raises:
            JournalError: that cannot be stored.
        """
        kept = self._read()
        assert kept is not None
        self._write(replace(kept, match=match_id))
        with translate_errors(self._path):
            self._sweep()

    def _read(self) -> _Kept | None:
        with translate_errors(self._path):
            data = self._path.read_bytes() if self._path.is_file() else b""
        if not data:
            return None
        try:
            return _Kept(*cast("tuple[Any, ...]", wire.unpack(data, _CALL)))
        except WireError:
            raise JournalError("damaged", f"{self._path.name} is damaged") from None

    def _write(self, kept: _Kept) -> None:
        """Store it: never readable by others, not even for a moment; whole or not there."""
        data = wire.encode((kept.entropy, kept.name, kept.signed, kept.match))
        with translate_errors(self._path):
            make_folder(self._path.parent)
            with drafted(self._path.parent, data, private=True) as draft:
                # The time of the file is that of the invite's end, by which it is swept away.
                os.utime(draft, (self._expires, self._expires))
                draft.replace(self._path)
            sync_folder(self._path.parent)

    def _sweep(self) -> None:
        """Delete the calls whose invites have expired."""
        for path in self._path.parent.glob(f"*{_SUFFIX}"):
            if path.stat().st_mtime < time.time():
                path.unlink(missing_ok=True)
