"""The invite: one line that tells the other player where to call and how to know who answers (SPEC.md, "Invite").

::

    a line with the prefix "SOO" and a length of 1 byte (protocol.core.pasted)

    body       purpose    1 byte     0 a new match, 1 a reply to such an invite, 2 a match that is running, 3 the files
                                     of a tournament; plus 16 times the number of the game
               expiry     4 bytes    seconds since 1970
               secret    16 bytes
               identity  16 bytes    the first half of H("identity", identity key)
               subject   16 bytes    the first half of the hash of the terms, or of the id of match or tournament
               pin       16 bytes    the first half of SHA-256 of the TLS certificate
               count      1 byte     1 to 8
               address    repeated   1 · port 2 bytes, where it is another one than before; then
                                     4 · 4 bytes of IPv4, or 6 · 16 bytes of IPv6, or 1 to 64 + 128 ·
                                     that many ASCII characters of a host name
               seen       the rest   how whoever answers is seen from outside (protocol.reach.formats.outside)

Half a hash is enough: all of them come whole in the signed handshake, and to fool the other somebody would have to
find a second preimage of 128 bits.

What is *not* here: the clock (``now`` is an argument), and whether identity and certificate are those that answer.
"""

import ipaddress
import re
from dataclasses import dataclass, field
from enum import IntEnum

from protocol.core import pasted
from protocol.core.pasted import LineError
from protocol.errors import Failure
from protocol.reach.formats.outside import UNSEEN, Seen

VERSION = 2
"""The version of the format; the digit in the prefix."""

PREFIX = f"SOO{VERSION}-"
"""How an invite begins."""

ADDRESS_LIMIT = 8
"""The most addresses in an invite, those that are only seen among them."""

HALF = 16
"""How many bytes a secret and half a hash have."""

_GAME = 16
"""What the number of a game is multiplied by in the first byte."""
_NAME_LIMIT = 64
_NAME_MARK = 128
_PORT_MARK = 1
_TEXT_LIMIT = 65_536

_START = re.compile(r"SOO([0-9]{1,3})-", re.ASCII | re.IGNORECASE)
_NAME = re.compile(r"(?=.*[a-z])[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?")


class InviteError(Failure):
    """A text without an invite that can be used.

    Attributes:
        code: ``not-found``, ``version``, ``cut``, ``checksum``, ``malformed``, ``expired`` or ``several``.
        sentence: what was expected and what came.
        expires: until when an expired one was good, in seconds since 1970; else 0.
        is_older: whether one of another version was made by an earlier program.
    """

    def __init__(self, code: str, sentence: str, expires: int = 0, *, is_older: bool = False) -> None:
        super().__init__(code, sentence)
        self.expires = expires
        self.is_older = is_older


class Purpose(IntEnum):
    """What a line is for."""

    MATCH = 0
    """Call here for a new match."""
    REPLY = 1
    """The guest cannot reach the host: the host may call here for the match that it has offered."""
    RESUME = 2
    """Call here to go on with a match that both have begun."""
    EVENT = 3
    """Call here to exchange the files of a tournament."""


HostPort = tuple[str, int]
"""An address in its canonical text (IPv4, IPv6 or a host name), and a port from 1 to 65535."""


@dataclass(frozen=True, slots=True)
class Invite:
    """Where to call, and how to know who answers.

    Raises:
        ValueError: a field is out of its range, or an address is none that could be dialled.
    """

    candidates: tuple[HostPort, ...]
    """Where to call, best first."""
    secret: bytes = field(repr=False)
    """16 bytes; the caller's first bytes prove that it has them."""
    identity: bytes
    """The half hash of the identity key of whoever answers."""
    subject: bytes
    """The first 16 bytes of the hash of the terms, or of the id of the match or event (``RESUME``, ``EVENT``)."""
    expires: int
    """Seconds since 1970 after which nobody waits any more."""
    pin: bytes
    """The first 16 bytes of SHA-256 of the listener's TLS certificate."""
    purpose: Purpose = Purpose.MATCH
    game: int = 0
    """The number of the game that is played, 0 to 15; which that is the programs know."""
    seen: Seen = UNSEEN
    """How whoever answers is seen from outside, for a caller whom no address lets through."""

    def __post_init__(self) -> None:
        if not 0 <= self.game < _GAME:
            raise ValueError(f"expected the number of a game from 0 to {_GAME - 1}, got {self.game}")
        lengths = {len(value) for value in (self.secret, self.identity, self.subject, self.pin)}
        if lengths != {HALF}:
            raise ValueError(f"expected {HALF} bytes each, got {sorted(lengths)}")
        if not 0 <= self.expires < 2**32:
            raise ValueError(f"expected a time of 32 bits, got {self.expires}")
        count = len(self.candidates) + len(self.seen.addresses)
        if not self.candidates or count > ADDRESS_LIMIT:
            raise ValueError(f"expected an address to call, and at most {ADDRESS_LIMIT} in all, got {count}")
        for address, port in self.candidates:
            if not 1 <= port <= 65_535:
                raise ValueError(f"expected a port from 1 to 65535, got {port}")
            if _read_address(_address_bytes(address), 0)[0] != address:
                raise ValueError(f"expected the canonical text of an address, got {address!a}")


def _address_bytes(address: str) -> bytes:
    try:
        ip = ipaddress.ip_address(address)
    except ValueError:
        name = address.encode("ascii", "replace")
        if not 1 <= len(name) <= _NAME_LIMIT:
            raise ValueError(f"expected 1 to {_NAME_LIMIT} characters, got {len(name)}") from None
        return bytes((_NAME_MARK + len(name),)) + name
    return bytes((ip.version,)) + ip.packed


def _read_address(data: bytes, at: int) -> tuple[str, int]:
    mark = data[at]
    at += 1
    if mark in (4, 6):
        end = at + (4 if mark == 4 else 16)
        ip = ipaddress.ip_address(data[at:end])
        if ip.is_unspecified or ip.is_multicast:
            raise ValueError(f"expected an address that can be dialled, got {ip}")
        return str(ip), end
    end = at + mark - _NAME_MARK
    name = data[at:end].decode("ascii")
    if not _NAME_MARK < mark <= _NAME_MARK + _NAME_LIMIT or _NAME.fullmatch(name) is None:
        raise ValueError(f"expected a host name of a-z, 0-9, - and dots, got {name!a}")
    return name, end


def dump(invite: Invite) -> str:
    """Return the line: at most 200 characters with two IPv4 and one IPv6 address.

    Raises:
        ValueError: there are more or longer addresses than fit.
    """
    pieces = [
        bytes((invite.purpose + _GAME * invite.game,)),
        invite.expires.to_bytes(4, "big"),
        invite.secret,
        invite.identity,
        invite.subject,
        invite.pin,
        bytes((len(invite.candidates),)),
    ]
    before = 0
    for address, port in invite.candidates:
        if port != before:
            pieces.append(bytes((_PORT_MARK,)) + port.to_bytes(2, "big"))
        pieces.append(_address_bytes(address))
        before = port
    body = b"".join(pieces) + invite.seen.pack()
    if len(body) > 255:
        raise ValueError(f"expected addresses that fit into 255 bytes, got {len(body)} in all")
    return pasted.dump("SOO", "invite", VERSION, body)


def parse(text: str, now: int) -> Invite:
    """Find the invite in a pasted text, which may quote it, break it and surround it with words.

    Args:
        text: whatever the other player has sent.
        now: seconds since 1970.

    Raises:
        InviteError: there is none that can be used, or there are several different ones.
    """
    problem = InviteError("not-found", f"expected an invite that begins with {PREFIX}, got none")
    found: list[Invite] = []
    text = text[:_TEXT_LIMIT]
    for start in _START.finditer(text):
        try:
            invite = _parse_at(text, start, now)
        except InviteError as error:
            problem = error
        else:
            if invite not in found:
                found.append(invite)
    if not found:
        raise problem
    if len(found) > 1:
        raise InviteError("several", f"expected one invite, got {len(found)} different ones")
    return found[0]


def _parse_at(text: str, start: re.Match[str], now: int) -> Invite:
    version = int(start[1])
    if version != VERSION:
        sentence = f"expected an invite of version {VERSION}, got version {version}"
        raise InviteError("version", sentence, is_older=version < VERSION)
    try:
        # The longest invite has 416 characters; a quoted one may have as many marks between them.
        body = pasted.load(text[start.end() : start.end() + 2_000], "SOO", "invite", VERSION)
    except LineError as error:
        raise InviteError(error.code, error.sentence) from error
    try:
        invite = _read(body)
        if dump(invite) != pasted.dump("SOO", "invite", VERSION, body):
            raise ValueError("expected the one way to write it, got another")
    except (ValueError, IndexError) as error:
        raise InviteError("malformed", f"the invite cannot be read: {error}") from error
    if now > invite.expires:
        late = now - invite.expires
        sentence = f"expected an invite that is still valid, got one {late} seconds late"
        raise InviteError("expired", sentence, invite.expires)
    return invite


def _read(body: bytes) -> Invite:
    purpose, game = Purpose(body[0] % _GAME), body[0] // _GAME
    expires = int.from_bytes(body[1:5], "big")
    secret, identity, subject, pin = (body[5 + HALF * n : 5 + HALF * (n + 1)] for n in range(4))
    at = 5 + 4 * HALF
    count = body[at]
    at += 1
    candidates: list[HostPort] = []
    port = 0
    for _ in range(count):
        if body[at] == _PORT_MARK:
            port = int.from_bytes(body[at + 1 : at + 3], "big")
            at += 3
        address, at = _read_address(body, at)
        candidates.append((address, port))
    seen = Seen.unpack(body[at:])
    return Invite(tuple(candidates), secret, identity, subject, expires, pin, purpose, game, seen)
