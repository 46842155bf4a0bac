"""Where one can be called, as each tells the other during a match (SPEC.md, "Resume").

Signed with the match key, never part of a log: an address is nothing that anybody has to prove later.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from protocol.core import wire
from protocol.game import Seat

CANDIDATE_LIMIT = 8
"""The most addresses of an endpoint."""

SEEN_LIMIT = 255
"""The most bytes of how somebody is seen from outside."""

ENDPOINT_LIMIT = 64
"""How often somebody may move on one connection: each endpoint is written to the disk, and no log limits them."""


@dataclass(frozen=True, slots=True)
class Endpoint:
    """A listener: the name of its certificate, and where it may be reached, best first."""

    match_id: bytes
    seat: Seat
    pin: bytes
    """SHA-256 of the listener's certificate, 32 bytes."""
    candidates: tuple[tuple[str, int], ...]
    """Addresses, 1 to 64 printable ASCII characters each, with their ports; none when nobody listens."""
    seen: bytes
    """How this seat is seen from outside, in the bytes of an invite; whoever knocks there reads them."""

    def pack(self) -> bytes:
        """Return the bytes that are signed.

        Raises:
            WireError: a field is out of its bounds.
        """
        return wire.pack((self.match_id, self.seat, self.pin, self.candidates, self.seen), _ENDPOINT)

    @staticmethod
    def unpack(data: bytes) -> Endpoint:
        """Read :meth:`pack`'s bytes.

        Raises:
            WireError: they are none.
        """
        value: Any = wire.unpack(data, _ENDPOINT)
        return Endpoint(*value)


_ENDPOINT = wire.fields(
    "endpoint",
    ("match_id", wire.HASH),
    ("seat", wire.SEAT),
    ("pin", wire.HASH),
    (
        "candidates",
        wire.items(
            wire.fields("candidate", ("address", wire.word(64)), ("port", wire.integer(1, 65_535))), 0, CANDIDATE_LIMIT
        ),
    ),
    ("seen", wire.octets(0, SEEN_LIMIT)),
)
