"""Where one can be called, as each tells the other during a match (SPEC.md, "Resume").

Signed with the match key, never part of a log: an address is nothing that anybody has to prove later.
"""

from dataclasses import dataclass
from typing import Annotated

from protocol.core import wire

CANDIDATE_LIMIT = 8
"""The most addresses of an endpoint."""

SEEN_LIMIT = 255
"""The most bytes of how somebody is seen from outside."""

ENDPOINT_LIMIT = 64
"""How often somebody may move on one connection: each endpoint is written to the disk, and no log limits them."""


_CANDIDATE = wire.fields("candidate", ("address", wire.word(64)), ("port", wire.integer(1, 65_535)))


@dataclass(frozen=True, slots=True)
class Endpoint(wire.Packed):
    """A listener: the name of its certificate, and where it may be reached, best first."""

    match_id: wire.Hash
    seat: wire.SeatNumber
    pin: wire.Hash
    """SHA-256 of the listener's certificate, 32 bytes."""
    candidates: Annotated[tuple[tuple[str, int], ...], wire.items(_CANDIDATE, 0, CANDIDATE_LIMIT)]
    """Addresses, 1 to 64 printable ASCII characters each, with their ports; none when nobody listens."""
    seen: Annotated[bytes, wire.octets(0, SEEN_LIMIT)]
    """How this seat is seen from outside, in the bytes of an invite; whoever knocks there reads them."""
