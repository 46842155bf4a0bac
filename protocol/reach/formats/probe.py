"""A knock at the other player's router in bytes, and the answer to it.

::

    ping    8d · 1 · nonce 8 · proof 16
    pong    8d · 2 · nonce 8 · port 2 · address 4 or 16 · proof 16

The pong repeats the nonce of the ping and says from where the ping has come.  The proof is the first 16 bytes of
HMAC-SHA256 of all before it, with the key D(secret, "knock udp", role) of the sender, whose role is 0 for the host of
the match and 1 for the guest: a packet that is sent back to its author proves nothing.  The secret is that of the
invite, or of the match once it has begun.  The sender draws a fresh nonce for each ping and
takes one pong for it.  Whoever has no secret can neither make a packet nor see from one what it is for.
"""

import hmac
import ipaddress
from dataclasses import dataclass

from protocol.crypto.hashing import derive, equal_in_constant_time
from protocol.reach.formats.stun import Place

MARK = 0x8D
"""How a probe begins: neither as STUN (00 to 3f) nor as a segment of a tube."""

NONCE = 8
"""How many random bytes a ping has."""

_PING, _PONG = 1, 2
_HEAD, _PROOF = 2 + NONCE, 16
_PLACES = {0: _PING, 6: _PONG, 18: _PONG}
"""How many bytes the place has in each kind."""


@dataclass(frozen=True, slots=True)
class Probe:
    """A ping or a pong whose proof is right."""

    nonce: bytes
    seen: Place | None
    """From where the ping has come; None in a ping."""


def key(secret: bytes, role: int) -> bytes:
    """Return with what a side proves its probes: role 0 is the host of the match, 1 the guest."""
    return derive(secret, "knock udp", role)


def write(key: bytes, probe: Probe) -> bytes:
    """Return the bytes of a probe."""
    body = bytes((MARK, _PING)) + probe.nonce
    if probe.seen is not None:
        host, port = probe.seen
        body = bytes((MARK, _PONG)) + probe.nonce + port.to_bytes(2, "big") + ipaddress.ip_address(host).packed
    return body + hmac.digest(key, body, "sha256")[:_PROOF]


def read(key: bytes, data: bytes) -> Probe | None:
    """Return the probe of the side that has this key; None for any other bytes."""
    kind = _PLACES.get(len(data) - _HEAD - _PROOF)
    if kind is None or data[0] != MARK or data[1] != kind:
        return None
    body, proof = data[:-_PROOF], data[-_PROOF:]
    if not equal_in_constant_time(proof, hmac.digest(key, body, "sha256")[:_PROOF]):
        return None
    nonce, place = body[2:_HEAD], body[_HEAD:]
    if not place:
        return Probe(nonce, None)
    return Probe(nonce, (str(ipaddress.ip_address(place[2:])), int.from_bytes(place[:2], "big")))
