"""What is kept for an invite so that nobody gains by hanging up (SPEC.md, "Start").

The host opens his coin before the guest opens his own, so a guest knows his side before the match has begun.  If he
hangs up then, or refuses the terms, and calls again, both coins are those of the first call: the lot has been drawn.
The host sees the guest's coin and blind before his own signature is out; whatever he says then, the guest takes no
other hello of his.
"""

import os
import secrets
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, cast

from protocol.core import wire
from protocol.crypto.hashing import hash_parts
from protocol.crypto.keys import PrivateKey
from protocol.errors import WireError
from protocol.game import Seat
from protocol.reach.invite import Invite
from protocol.record import box
from protocol.record.database import JournalError, translate_errors
from protocol.record.files import change_file
from protocol.system.files import read_file

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
    ("box", wire.octets(box.LENGTH)),
    ("name", wire.text(wire.NAME_LIMIT)),
    ("signed", wire.optional(wire.fields(
        "signed", ("blind", wire.octets(32)), ("hello", wire.octets(32)), ("pick", wire.optional(wire.SEAT)),
    ))),
    ("match", wire.optional(wire.octets(32))),
)  # fmt: skip
_BOX_AT = 3
"""Where the box stands in the file, behind the heads of the array and of itself."""
_HOUR = 3600


@dataclass(frozen=True, slots=True)
class _Kept:
    """What the file of a call holds."""

    box: bytes
    name: str
    signed: tuple[bytes, bytes, Seat | None] | None = None
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
    fresh one for each call; but once he has opened it, he says the same hello again, takes no other answer to it, and
    names the same seat.
    """

    def __init__(self, folder: Path, invite: Invite | Shared) -> None:
        """Name the file in a folder of matches; nothing is read or written yet."""
        name = hash_parts("call", invite.secret).hex()[:16]
        self._path = folder / f"{name}{_SUFFIX}"
        self._expires = invite.expires

    def begin(self, name: str, identity: PrivateKey) -> tuple[bytes, str, bytes, bytes | None, Seat | None]:
        """Return entropy, name, blind, and what we have signed: the hash of the host's hello, and the seat we named.

        All but the blind of a call that has signed nothing are those of the first call, drawn and stored if this is it.

        Raises:
            JournalError: they cannot be read or stored; ``erased``: the match has begun here and is over.
        """
        fresh = _Kept(box.lock(secrets.token_bytes(32), identity), name)
        kept = self._read() or self._change(lambda kept: kept or fresh)
        entropy = box.unlock(kept.box, identity)
        if kept.signed is None:
            return entropy, name, secrets.token_bytes(32), None, None
        return entropy, kept.name, *kept.signed

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

    def signs(self, name: str, blind: bytes, hello: bytes, pick: Seat | None) -> None:
        """Note the hello of ours, the hash of the host's and our seat before our blind is opened to him.

        Raises:
            JournalError: that cannot be stored; ``in-use``: another program has signed with this invite meanwhile.
        """

        def sign(kept: _Kept | None) -> _Kept:
            assert kept is not None
            if kept.signed not in (None, (blind, hello, pick)):
                raise JournalError("in-use", f"{self._path.name} is open in another program")
            return replace(kept, name=name, signed=(blind, hello, pick))

        self._change(sign)

    def begun(self, match_id: bytes) -> None:
        """Note the match after its lot was drawn, so that the invite leads to it and not to another one.

        Raises:
            JournalError: that cannot be stored.
        """

        def begin(kept: _Kept | None) -> _Kept:
            assert kept is not None
            return replace(kept, match=match_id)

        self._change(begin)
        with translate_errors(self._path):
            self._sweep()

    def erase(self) -> None:
        """Overwrite the entropy, if it is here; the invite still leads to its match.

        Raises:
            JournalError: that cannot be stored.
        """
        with translate_errors(self._path), suppress(FileNotFoundError), self._path.open("r+b") as file:
            expires = os.fstat(file.fileno()).st_mtime
            file.seek(_BOX_AT)
            file.write(box.ERASED)
            file.flush()
            os.fsync(file.fileno())
            os.utime(self._path, (expires, expires))

    def _read(self) -> _Kept | None:
        with translate_errors(self._path), suppress(FileNotFoundError):
            return self._unpack(read_file(self._path))
        return None

    def _unpack(self, data: bytes) -> _Kept:
        try:
            return _Kept(*cast("tuple[Any, ...]", wire.unpack(data, _CALL)))
        except WireError:
            raise JournalError("damaged", f"{self._path.name} is damaged") from None

    def _change(self, how: Callable[[_Kept | None], _Kept]) -> _Kept:
        """Store what comes of what is stored, and return it."""
        found: list[_Kept] = []

        def write(data: bytes | None) -> bytes:
            found[:] = (how(None if data is None else self._unpack(data)),)
            return wire.encode((found[0].box, found[0].name, found[0].signed, found[0].match))

        with translate_errors(self._path):
            # The time of the file is that of the invite's end, by which it is swept away.
            change_file(self._path, write, modified=self._expires)
        return found[0]

    def _sweep(self) -> None:
        """Delete the calls whose invites have expired, and what a program that was killed has half written."""
        for path in (*self._path.parent.glob(f"*{_SUFFIX}"), *self._path.parent.glob(".*.part")):
            # One that another program was writing has its own name by now.
            with suppress(FileNotFoundError):
                if path.stat().st_mtime < time.time() - _HOUR:
                    path.unlink()
