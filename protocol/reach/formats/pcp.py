"""The Port Control Protocol in bytes: a mapping for one TCP port (RFC 6887).

::

    request    version 2, 0·opcode, reserved 2, lifetime 4, client address 16             (section 7.1)
    answer     version 2, 1·opcode, reserved 1, result 1, lifetime 4, epoch 4, reserved 12    (section 7.2)
    MAP        nonce 12, protocol 1, reserved 3, internal port 2, external port 2, external address 16

IPv4 stands in 16 bytes as ``::ffff:a.b.c.d``.  What is *not* here: sockets, time and chance; the nonce is an
argument.
"""

import ipaddress
import struct
from dataclasses import dataclass

from protocol.reach import ReachError
from protocol.reach.formats.addresses import Ip

PORT = 5351
"""Where routers listen, for NAT-PMP too."""

LARGEST = 1100
"""The most bytes of a message (section 7)."""

_HEAD = struct.Struct(">BBHI16s")
_ANSWER = struct.Struct(">BBBBII12x")
_MAP = struct.Struct(">12sB3xHH16s")
_VERSION, _OPCODE, _IS_ANSWER, _TCP = 2, 1, 0x80, 6

RESULTS = (
    "success",
    "unsupported version",
    "not authorised",
    "malformed request",
    "unsupported opcode",
    "unsupported option",
    "malformed option",
    "network failure",
    "no resources",
    "unsupported protocol",
    "quota exceeded",
    "external port cannot be provided",
    "address mismatch",
    "too many peers",
)
"""What the result codes mean (section 7.4)."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """A mapping as it is asked for."""

    client: str
    """This machine's address, as the router sees it."""
    nonce: bytes
    """12 random bytes; the same ones renew and remove the mapping."""
    port: int
    """The TCP port on this machine."""
    external: int
    """The port that would be best outside."""
    lifetime: int
    """Seconds; 0 removes the mapping."""


@dataclass(frozen=True, slots=True)
class PcpGrant:
    """A mapping as the router says it is."""

    address: str
    """Outside; canonical text."""
    port: int
    """Outside."""
    lifetime: int
    """Seconds."""
    epoch: int
    """For how many seconds the router has kept its mappings."""


def request(wanted: Wanted) -> bytes:
    """Return the 60 bytes that ask for a mapping, renew it or, with lifetime 0, remove it (section 11.1)."""
    client = ipaddress.ip_address(wanted.client.split("%")[0])
    # No address is suggested; the family of the empty one says which family is wanted.
    nowhere = ipaddress.ip_address("0.0.0.0" if client.version == 4 else "::")  # noqa: S104
    return _HEAD.pack(_VERSION, _OPCODE, 0, wanted.lifetime, _packed(client)) + _MAP.pack(
        wanted.nonce, _TCP, wanted.port, wanted.external, _packed(nowhere)
    )


def read(data: bytes, wanted: Wanted) -> PcpGrant | None:
    """Return the answer to a request, or None for bytes that are no answer to it (sections 8.3 and 11.4).

    Raises:
        ReachError: ``version`` (the router speaks only NAT-PMP or another version) or ``refused``.
    """
    if len(data) >= 4 and data[0] != _VERSION and data[1] & _IS_ANSWER:
        # A router with NAT-PMP alone answers with its own version 0 and result 1 (RFC 6887, appendix A).
        raise ReachError("version", f"expected PCP version 2, got version {data[0]}")
    if not _ANSWER.size <= len(data) <= LARGEST or len(data) % 4:
        return None
    version, opcode, _, result, lifetime, epoch = _ANSWER.unpack_from(data)
    if version != _VERSION or opcode != _OPCODE | _IS_ANSWER or len(data) < _ANSWER.size + _MAP.size:
        return None
    nonce, protocol, port, external, packed = _MAP.unpack_from(data, _ANSWER.size)
    if (nonce, protocol, port) != (wanted.nonce, _TCP, wanted.port):
        return None
    if result:
        meaning = RESULTS[result] if result < len(RESULTS) else "unknown"
        raise ReachError("version" if result == 1 else "refused", f"PCP result {result}, {meaning}")
    address = ipaddress.IPv6Address(packed)
    if wanted.lifetime and not (lifetime and external):
        raise ReachError("refused", f"expected a lifetime and a port, got {lifetime} s and port {external}")
    return PcpGrant(str(address.ipv4_mapped or address), external, lifetime, epoch)


def has_restarted(before: int, now: int, elapsed: float) -> bool:
    """Return whether the router has lost its mappings between two answers (section 8.5).

    Args:
        before: the epoch of the earlier answer.
        now: the epoch of the later one.
        elapsed: seconds between them on our clock.
    """
    if now < before - 1:
        return True
    server = now - before
    return elapsed + 2 < server - server / 16 or server + 2 < elapsed - elapsed / 16


def _packed(ip: Ip) -> bytes:
    return ip.packed if ip.version == 6 else b"\0" * 10 + b"\xff\xff" + ip.packed
