"""A segment of a tube in bytes: a part of a stream that goes by UDP.

::

    d0 · kind · call 4 · wanted 4 · free 2 · first 4 · serial 2 · echo 2 · data 0 to 1100 · proof 8

    kind      0 data or an answer, 1 the end of the stream, 2 there is no such call
    call      drawn by the caller; a new one is a new call
    wanted    the number of the first byte of the other's stream that has not come
    free      how many pieces of 1100 bytes after it may be sent
    first     the number of the first byte of data, from 0; the end has a number as if it were one byte
    serial    of each sending of data or of the end, from 1 to 65535 and then from 1 again; 0 for a mere answer
    echo      the serial of the segment that has come last and that was kept; 0 where this one answers none

Numbers, like all others, are big-endian.  The proof is the first 8 bytes of HMAC-SHA256 of all before it with the key
D(secret, "tube", role) of the sender, role 0 for the host of the match and 1 for the guest.  It keeps a flood of
strangers out; what is said inside has a TLS of its own.
"""

import hmac
import struct
from dataclasses import dataclass
from enum import IntEnum

from protocol.crypto.hashing import derive, equal_in_constant_time

MARK = 0xD0
"""How a segment begins."""

DATA = 1_100
"""The most bytes of data, so that a segment passes every network that carries IPv6 (RFC 8200, section 5)."""

NUMBERS = 2**32
"""How many numbers of bytes there are; a stream is shorter."""

_HEAD = struct.Struct("!BBIIHIHH")
_PROOF = 8


class SegmentKind(IntEnum):
    """What a segment is for."""

    DATA = 0
    """Data, or none in a mere answer."""
    END = 1
    """Nothing follows the bytes before ``first``; has no data."""
    GONE = 2
    """The sender knows no such call, or not any more; has no data."""


@dataclass(frozen=True, slots=True)
class Segment:
    """A segment whose proof is right; the fields are those of the module's text."""

    kind: SegmentKind
    call: int
    wanted: int = 0
    free: int = 0
    first: int = 0
    serial: int = 0
    echo: int = 0
    data: bytes = b""


def key(secret: bytes, role: int) -> bytes:
    """Return with what a side proves its segments: role 0 is the host of the match, 1 the guest."""
    return derive(secret, "tube", role)


def write(key: bytes, one: Segment) -> bytes:
    """Return the bytes of a segment."""
    head = _HEAD.pack(MARK, one.kind, one.call, one.wanted, one.free, one.first, one.serial, one.echo)
    return head + one.data + hmac.digest(key, head + one.data, "sha256")[:_PROOF]


def read(key: bytes, data: bytes) -> Segment | None:
    """Return the segment of the side that has this key; None for any other bytes."""
    size = len(data) - _HEAD.size - _PROOF
    if not 0 <= size <= DATA or data[0] != MARK or data[1] > SegmentKind.GONE or (size and data[1]):
        return None
    if not equal_in_constant_time(data[-_PROOF:], hmac.digest(key, data[:-_PROOF], "sha256")[:_PROOF]):
        return None
    _, kind, call, wanted, free, first, serial, echo = _HEAD.unpack_from(data)
    return Segment(SegmentKind(kind), call, wanted, free, first, serial, echo, data[_HEAD.size : -_PROOF])
