"""The NAT Port Mapping Protocol in bytes: the address outside and a mapping for one TCP port (RFC 6886).

::

    address?   version 0, opcode 0                                                       (section 3.2)
    address    version 0, 128, result 2, epoch 4, address 4
    map?       version 0, opcode 2, reserved 2, internal port 2, external port 2, lifetime 4  (section 3.3)
    map        version 0, 130, result 2, epoch 4, internal port 2, external port 2, lifetime 4
"""

import ipaddress
import struct
from dataclasses import dataclass

from protocol.reach import ReachError

ADDRESS_REQUEST = b"\0\0"
"""Asks for the address outside."""

_ADDRESS = struct.Struct(">BBHI4s")
_ASK = struct.Struct(">BBHHHI")
_MAP = struct.Struct(">BBHIHHI")
_HEAD = struct.Struct(">BBH")
_TCP, _IS_ANSWER = 2, 128

RESULTS = ("success", "unsupported version", "not authorised", "network failure", "no resources", "unsupported opcode")
"""What the result codes mean (section 3.5)."""


@dataclass(frozen=True, slots=True)
class Outside:
    """The router's address outside."""

    address: str
    epoch: int
    """For how many seconds the router has kept its mappings."""


@dataclass(frozen=True, slots=True)
class NatPmpGrant:
    """A mapping as the router says it is."""

    port: int
    """Outside."""
    lifetime: int
    """Seconds."""


def map_request(port: int, external: int, lifetime: int) -> bytes:
    """Return the 12 bytes that ask for a TCP mapping or, with lifetime 0, remove it (section 3.4)."""
    return _ASK.pack(0, _TCP, 0, port, external if lifetime else 0, lifetime)


def read_address(data: bytes) -> Outside | None:
    """Return the answer to :data:`ADDRESS_REQUEST`, or None for bytes that are none.

    Raises:
        ReachError: ``version`` or ``refused``.
    """
    if not _is_answer(data, 0) or len(data) != _ADDRESS.size:
        return None
    *_, epoch, packed = _ADDRESS.unpack(data)
    return Outside(str(ipaddress.IPv4Address(packed)), epoch)


def read_map(data: bytes, port: int, lifetime: int) -> NatPmpGrant | None:
    """Return the answer to a :func:`map_request` for this port, or None for bytes that are none.

    Raises:
        ReachError: ``version`` or ``refused``.
    """
    if not _is_answer(data, _TCP) or len(data) != _MAP.size:
        return None
    *_, internal, external, granted = _MAP.unpack(data)
    if internal != port:
        return None
    if lifetime and not (granted and external):
        raise ReachError("refused", f"expected a lifetime and a port, got {granted} s and port {external}")
    return NatPmpGrant(external, granted)


def _is_answer(data: bytes, opcode: int) -> bool:
    """Return whether it answers the opcode; raise when the answer is no."""
    if not 4 <= len(data) <= _MAP.size:
        return False
    version, answered, result = _HEAD.unpack_from(data)
    if version != 0 or answered != _IS_ANSWER + opcode:
        return False
    if result:
        meaning = RESULTS[result] if result < len(RESULTS) else "unknown"
        raise ReachError("version" if result == 1 else "refused", f"NAT-PMP result {result}, {meaning}")
    return True


def has_restarted(before: int, now: int, elapsed: float) -> bool:
    """Return whether the router has lost its mappings between two answers (section 3.6).

    Its clock may be slow by an eighth; an epoch more than two seconds below what that gives is a new one.
    """
    return now + 2 < before + elapsed * 7 / 8
