"""What was worked out once and takes long, kept in the player's own folder by what it was worked out from.

It is never kept in the folder of a tournament: there anybody could write it.  What is damaged, or was written by
another version of the program, counts as not kept.
"""

from __future__ import annotations

import hashlib
import zlib
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from cli import __version__
from protocol.core import wire
from protocol.errors import WireError
from protocol.record.files import make_folder, write_file
from protocol.system.files import read_file
from protocol.tournament.contents import Pairing, System
from protocol.tournament.engine import engine_version
from protocol.tournament.lines import Field
from protocol.tournament.pairings import Pair, is_legal, pair_round

_LARGEST: Final = 65_536
"""The longest value that is read again; no real one is nearly as long."""


def keep(folder: Path, key: bytes, value: wire.Packable) -> None:
    """Keep a value; where the folder cannot be written, it is worked out again."""
    data = wire.encode((key, value))
    with suppress(OSError):
        make_folder(folder)
        write_file(_file(folder, key), _checksum(data) + data, private=True)


def recall(folder: Path, key: bytes) -> Any:
    """Return what is kept under a key; None if nothing is."""
    with suppress(OSError, WireError, ValueError):
        data = read_file(_file(folder, key), _LARGEST)
        # A fault of the disk must not read as a verdict about anybody.
        if data[:4] == _checksum(data[4:]):
            found, value = wire.unpack(data[4:], lambda value: None, _LARGEST)
            return value if found == key else None
    return None


def _file(folder: Path, key: bytes) -> Path:
    return folder / hashlib.sha256(__version__.encode() + key).hexdigest()


def _checksum(data: bytes) -> bytes:
    return zlib.crc32(data).to_bytes(4, "big")


def pairing_key(field: Field) -> bytes:
    """Return the SHA-256 of everything that the pairings of a Swiss depend on."""
    # The text of a field has all that is in it, also what may be added to it one day.
    return hashlib.sha256(repr((engine_version(), field)).encode()).digest()


def pair_once(folder: Path) -> Pair:
    """Return what pairs a round and keeps the pairings of a Swiss, which takes seconds with hundreds of players.

    What is kept is believed only where any program could have paired so.
    """

    def pair(field: Field) -> tuple[Pairing, ...]:
        if field.event.system is not System.SWISS:
            return pair_round(field)
        key = pairing_key(field)
        with suppress(ValueError, TypeError):
            kept = tuple(Pairing(first, second) for first, second in recall(folder, key))
            if is_legal(field, kept):
                return kept
        found = pair_round(field)
        keep(folder, key, tuple(map(tuple, found)))
        return found

    return pair
