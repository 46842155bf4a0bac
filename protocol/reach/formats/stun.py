"""Asking a server how this machine looks from outside: the binding request of STUN in bytes (RFC 8489).

::

    request     0001 · length 0000 · 2112a442 · transaction 12                                   (section 5)
    answer      0101 · length 2 of what follows the head · 2112a442 · transaction 12 · attributes
    attribute   kind 2, length 2, value, 0 to 3 bytes so that the next one begins at a multiple of 4
    address     0 · family 1 (1 IPv4, 2 IPv6) · port 2 · address 4 or 16                         (section 14.1)

The address stands in XOR-MAPPED-ADDRESS (0020), its port XORed with 2112 and its address with 2112a442 and the
transaction, so that no router on the way rewrites it; MAPPED-ADDRESS (0001) holds it in the clear and counts where
the other one is missing.  Every other attribute is passed over, those of RFC 3489 too, which old servers still send.
Over TCP the same bytes follow each other (section 6.2.2).  A request holds nothing of ours but the transaction, which
is an argument.
"""

import ipaddress
import struct
from collections.abc import Mapping
from dataclasses import dataclass

from protocol.reach.formats.addresses import AddressKind, classify
from protocol.reach.formats.outside import Nature, Seen

HEAD = 20
"""How many bytes every message begins with."""

TRANSACTION = 12
"""How many random bytes tell an answer from others."""

LARGEST = 1_280
"""The most bytes of an answer that is read."""

_COOKIE = bytes.fromhex("2112a442")
_REQUEST, _ANSWER = 0x0001, 0x0101
_MAPPED, _XOR_MAPPED = 0x0001, 0x0020
_SIZES = {1: 4, 2: 16}

Place = tuple[str, int]
"""An address in its canonical text, and a port."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What a server says."""

    transaction: bytes
    """Of the request."""
    seen: Place
    """From where the request has come to the server."""


def request(transaction: bytes) -> bytes:
    """Return the 20 bytes that ask for the own address."""
    return struct.pack("!HH", _REQUEST, 0) + _COOKIE + transaction


def read(data: bytes) -> Answer | None:
    """Return the answer of a server, or None for any other bytes."""
    kind, size, cookie = struct.unpack_from("!HH4s", data.ljust(HEAD))
    if (kind, cookie) != (_ANSWER, _COOKIE) or len(data) != HEAD + size or len(data) > LARGEST:
        return None
    found: dict[int, Place] = {}
    at = HEAD
    while at + 4 <= len(data):
        kind, size = struct.unpack_from("!HH", data, at)
        value = data[at + 4 : at + 4 + size]
        if kind in (_MAPPED, _XOR_MAPPED) and (
            place := _place(value, data[4:HEAD] if kind == _XOR_MAPPED else bytes(16))
        ):
            found.setdefault(kind, place)
        at += 4 + size + -size % 4
    seen = found.get(_XOR_MAPPED, found.get(_MAPPED))
    return Answer(data[8:HEAD], seen) if seen else None


def _place(value: bytes, mask: bytes) -> Place | None:
    if len(value) < 4 or _SIZES.get(value[1]) != len(value) - 4:
        return None
    port = int.from_bytes(value[2:4], "big") ^ int.from_bytes(mask[:2], "big")
    ip = ipaddress.ip_address(bytes(one ^ other for one, other in zip(value[4:], mask, strict=False)))
    if isinstance(ip, ipaddress.IPv6Address) and ip.ipv4_mapped is not None:
        ip = ip.ipv4_mapped
    return (str(ip), port) if port else None


def judge(answers: Mapping[Place, Place]) -> Seen:
    """Return how this machine looks from outside by UDP.

    Args:
        answers: of servers at different addresses, all asked from one socket, with what each has seen.
    """
    places = dict.fromkeys(answers.values())
    hosts = {host for host, _ in places}
    if not places:
        return Seen(nature=Nature.NONE)
    # Who is told two addresses has two ways out, or one of the servers lies.
    if len(hosts) > 1 or classify(hosts.pop()) is not AddressKind.PUBLIC:
        return Seen()
    nature = Nature.HARD if len(places) > 1 else Nature.EASY if len(answers) > 1 else Nature.UNKNOWN
    return Seen((next(iter(places)),), nature)
