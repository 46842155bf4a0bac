"""How somebody is seen from outside, where nobody can call them: what stands in a line behind the addresses to call.

::

    address     2 · port 2 bytes, where it is another one than before; then 4 · 4 bytes of IPv4, or 6 · 16 bytes of IPv6
    nature      3 · nature 1 byte; then, with 4 added, the port 2 bytes of TCP as it is seen, and with 8 added the port
                2 bytes of TCP that is called by IPv6

Both may be missing.  Whoever knocks sends by UDP to these addresses as well as to those that are called; a call that
crosses another one goes to them by TCP, and by IPv6 to those that are called.  An address behind a provider's shared
one counts: two homes may be there.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum, IntEnum

from protocol.reach.formats.addresses import AddressKind, classify

SEEN_LIMIT = 8
"""The most addresses."""

_PORT, _NATURE, _CROSSING, _CROSSING6 = 2, 3, 4, 8


class Nature(IntEnum):
    """How a router takes what this machine sends by UDP."""

    UNKNOWN = 0
    """Nobody was asked, or too few have answered."""
    EASY = 1
    """It keeps one port outside, whoever is sent to: endpoint-independent mapping (RFC 4787, section 4.1)."""
    HARD = 2
    """It takes another port for each address."""
    NONE = 3
    """Nothing that is sent by UDP comes back."""


@dataclass(frozen=True, slots=True)
class Seen:
    """How one of the two is seen from outside.

    Raises:
        ValueError: there are too many addresses, one cannot be sent to across the internet, or a port is none.
    """

    addresses: tuple[tuple[str, int], ...] = ()
    """IPv4 or IPv6 in its canonical text, and the UDP port; where UDP is dropped, the port as seen by TCP."""
    nature: Nature = Nature.UNKNOWN
    crossing: int = 0
    """The port as seen by TCP, if two calls that cross may meet there; else 0."""
    crossing6: int = 0
    """The port of TCP at the public IPv6 addresses, which nobody translates, for calls that cross; else 0."""

    def __post_init__(self) -> None:
        if len(self.addresses) > SEEN_LIMIT:
            raise ValueError(f"expected at most {SEEN_LIMIT} addresses, got {len(self.addresses)}")
        for address, port in self.addresses:
            if classify(address) not in (AddressKind.PUBLIC, AddressKind.SHARED):
                raise ValueError(f"expected an address of the internet, got {address!a}")
            if str(ipaddress.ip_address(ipaddress.ip_address(address).packed)) != address:
                raise ValueError(f"expected the canonical text of an address, got {address!a}")
            if not 1 <= port <= 65_535:
                raise ValueError(f"expected a port from 1 to 65535, got {port}")
        for port in (self.crossing, self.crossing6):
            if not 0 <= port <= 65_535:
                raise ValueError(f"expected a port from 0 to 65535, got {port}")

    def pack(self) -> bytes:
        """Return the one way to write it; nothing where nothing is known."""
        pieces: list[bytes] = []
        before = 0
        for address, port in self.addresses:
            if port != before:
                pieces.append(bytes((_PORT,)) + port.to_bytes(2, "big"))
            ip = ipaddress.ip_address(address)
            pieces.append(bytes((ip.version,)) + ip.packed)
            before = port
        marks = self.nature + _CROSSING * bool(self.crossing) + _CROSSING6 * bool(self.crossing6)
        if marks:
            ports = (port.to_bytes(2, "big") for port in (self.crossing, self.crossing6) if port)
            pieces += [bytes((_NATURE, marks)), *ports]
        return b"".join(pieces)

    @staticmethod
    def unpack(data: bytes) -> Seen:
        """Read :meth:`pack`'s bytes.

        Raises:
            ValueError: they are none.
        """
        addresses: list[tuple[str, int]] = []
        port = 0
        rest = data
        while rest and rest[0] != _NATURE:
            if rest[0] == _PORT:
                port, rest = int.from_bytes(rest[1:3], "big"), rest[3:]
            end = {b"\4": 5, b"\6": 17}.get(rest[:1], 0)
            addresses.append((str(ipaddress.ip_address(rest[1:end])), port))
            rest = rest[end:]
        marks = rest[1] if len(rest) > 1 else 0
        crossing = int.from_bytes(rest[2:4], "big") if marks & _CROSSING else 0
        crossing6 = int.from_bytes(rest[-2:], "big") if marks & _CROSSING6 else 0
        found = Seen(tuple(addresses), Nature(marks % _CROSSING), crossing, crossing6)
        if found.pack() != data:
            raise ValueError("expected the one way to write how somebody is seen, got another")
        return found


UNSEEN = Seen()
"""Nothing is known."""

Side = tuple[Sequence[tuple[str, int]], Seen]
"""The addresses that can be called, and how somebody is seen where nobody can."""


class Outlook(Enum):
    """What two lines together tell of meeting, before a packet is sent."""

    OPEN = "open"
    """Nothing is known that would forbid it."""
    SEARCH = "search"
    """One of the two has to be searched at many ports; both people have to agree."""
    BOTH_HARD = "both-hard"
    """Both routers take another port for each address."""
    NO_UDP = "no-udp"
    """One of the networks carries no UDP, and calls by TCP cannot cross."""


def foresee(ours: Side, theirs: Side) -> Outlook:
    """Return what is to be expected of two sides, each with the addresses that can be called and how it is seen."""
    (our_places, mine), (their_places, other) = ours, theirs
    both = [
        {address for address, _ in places if classify(address) is AddressKind.PUBLIC}
        for places in (our_places, their_places)
    ]
    if any(":" not in address for address in both[0] | both[1]):
        return Outlook.OPEN
    if all(any(":" in address for address in one) for one in both) or (mine.crossing and other.crossing):
        return Outlook.OPEN
    natures = {mine.nature, other.nature}
    # Two homes of one provider may meet at what their routers are called there.
    in_one_network = all(
        any(classify(address) is AddressKind.SHARED for address, _ in one.addresses) for one in (mine, other)
    )
    if Nature.UNKNOWN in natures or in_one_network:
        return Outlook.OPEN
    if Nature.NONE in natures:
        return Outlook.NO_UDP
    if natures == {Nature.HARD}:
        return Outlook.BOTH_HARD
    return Outlook.SEARCH if Nature.HARD in natures else Outlook.OPEN
