"""The file that holds a transcript (SPEC.md, section "Log file")."""

import re
from collections.abc import Sequence
from typing import Final, NamedTuple

from protocol.game import Seat
from protocol.independent.faults import Unreadable
from protocol.independent.hashes import hash_parts

_MAGIC: Final = b"storm-p2p log 3\n"
_OTHER_VERSION: Final = re.compile(rb"storm-p2p log [0-9]{1,4}\n")
_MOST_BYTES: Final = 12 * 2**20
_MOST_RECORDS: Final = 32768
_LONGEST_FRAME: Final = 16384
_TRAILER: Final = 255


class Record(NamedTuple):
    """A frame, and the kind under which the file has it."""

    kind: int
    frame: bytes


class Log(NamedTuple):
    """What a file holds."""

    records: Sequence[Record]
    exporter: Seat
    digest: bytes
    """What the exporter has signed."""
    signature: bytes


def parse(data: bytes) -> Log:
    """Return the log in the bytes of a file.

    Raises:
        Unreadable: a code of SPEC.md, section "Log file".
    """
    if len(data) > _MOST_BYTES:
        raise Unreadable("too-long")
    if not data.startswith(_MAGIC):
        raise Unreadable("version" if _OTHER_VERSION.match(data) else "not-a-log")
    records: list[Record] = []
    at = len(_MAGIC)
    while True:
        if at + 3 > len(data):
            raise Unreadable("cut")
        kind, length = data[at], int.from_bytes(data[at + 1 : at + 3], "big")
        at, end = at + 3, at + 3 + length
        if kind == _TRAILER:
            return _ended(data, at, length, records)
        if not 1 <= length <= _LONGEST_FRAME:
            raise Unreadable("record")
        if end > len(data):
            raise Unreadable("cut")
        if len(records) == _MOST_RECORDS:
            raise Unreadable("too-long")
        records.append(Record(kind, data[at:end]))
        at = end


def _ended(data: bytes, at: int, length: int, records: Sequence[Record]) -> Log:
    end = at + 65
    if length != 65:
        raise Unreadable("trailer")
    if len(data) < end:
        raise Unreadable("cut")
    if len(data) > end:
        raise Unreadable("after-trailer")
    return Log(records, data[at], hash_parts("log", data[: at + 1]), data[at + 1 : end])
