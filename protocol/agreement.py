"""What a handshake fixes: hellos, signatures and how a stranger reads them (SPEC.md, section "Start").

For both sides and for the audit.  What is *not* here: the order of the conversation, which is
:mod:`protocol.handshake`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import Any

from protocol import wire
from protocol.conditions import NO_CONDITIONS, Conditions, conditions_schema
from protocol.errors import VerificationError, WireError
from protocol.frames import Kind, Record, unpack_frame
from protocol.game import Said, Seat
from protocol.implementation import LIBRARIES, Signatures
from protocol.words import three_words


class Role(IntEnum):
    """Who waits and who comes."""

    HOST = 0
    GUEST = 1


LOT: tuple[int, ...] = (0,)
"""Seats by a coin that both throw."""

GUEST_CHOOSES: tuple[int, ...] = (2,)
"""The guest takes the seat that he likes."""


def host_takes(seat: Seat) -> tuple[int, ...]:
    """Return the seating in which the host has this seat."""
    return (1, seat)


@dataclass(frozen=True, slots=True)
class Player:
    """What everybody may know of a player."""

    name: str
    identity: bytes
    match_key: bytes
    seed_commitment: bytes


@dataclass(frozen=True, slots=True)
class Agreement:
    """What the handshake has fixed; the same for both and for whoever reads the log."""

    match_id: bytes
    players: tuple[Player, ...]
    """By seat."""
    terms: Said
    scheme: str
    game: str
    game_version: str
    host_seat: Seat
    conditions: Conditions = NO_CONDITIONS
    """What was agreed on beside the rules."""

    @property
    def words(self) -> tuple[str, str, str]:
        """Three words for both to read to each other."""
        return three_words(self.match_id)


@dataclass(frozen=True, slots=True)
class Hello:
    """The first message of each side."""

    role: Role
    versions: tuple[int, ...]
    schemes: tuple[str, ...]
    identity: bytes
    match_key: bytes
    name: str
    game: str
    game_version: str
    nonce: bytes
    coin: bytes
    """The guest's fixed coin, the host's open one."""
    seed_commitment: bytes
    channel: bytes
    offer: tuple[Any, ...] | None
    """Terms, scheme and seating, and conditions where there are any: the host's."""

    def pack(self) -> bytes:
        """Return the bytes that are signed.

        Raises:
            WireError: a field is out of its bounds.
        """
        value = tuple(getattr(self, name) for name in self.__slots__)
        return wire.pack((1, int(self.role), *value[1:]), _HELLO)

    @staticmethod
    def unpack(data: bytes) -> Hello:
        """Read :meth:`pack`'s bytes.

        Raises:
            WireError: they are none.
        """
        value: Any = wire.unpack(data, _HELLO, wire.HANDSHAKE_LIMIT)
        return Hello(Role(value[1]), *value[2:])


_HASH = wire.octets(32)


def _seating(value: object) -> None:
    # Python takes 0.0 and False for 0, and neither is a number on the wire.
    numbers = isinstance(value, tuple) and all(type(item) is int for item in value)
    if not numbers or value not in (LOT, GUEST_CHOOSES, host_takes(0), host_takes(1)):
        raise WireError("bad_seating", "(0,), (1, seat) or (2,)", wire.describe(value))


_PLAIN_OFFER = (("terms", wire.said), ("scheme", wire.word(16)), ("seating", _seating))
_OFFER = wire.fields("offer", *_PLAIN_OFFER)
_OFFER_WITH = wire.fields("offer", *_PLAIN_OFFER, ("conditions", conditions_schema))


def _check_offer(value: object) -> None:
    # Without conditions there is no place for them: each offer has one form.
    if isinstance(value, tuple) and len(value) == 4:
        _OFFER_WITH(value)
    else:
        _OFFER(value)


_HELLO = wire.fields(
    "hello",
    ("version", wire.integer(1, 1)),
    ("role", wire.integer(0, 1)),
    ("versions", wire.items(wire.integer(1, 65535), 1, 16)),
    ("schemes", wire.items(wire.word(16), 1, 16)),
    ("identity", _HASH),
    ("match_key", _HASH),
    ("name", wire.text(wire.NAME_LIMIT)),
    ("game", wire.word(64)),
    ("game_version", wire.word(100)),
    ("nonce", _HASH),
    ("coin", _HASH),
    ("seed_commitment", _HASH),
    ("channel", wire.octets(0, 64)),
    ("offer", wire.optional(_check_offer)),
)


def offer_of(
    terms: Said, scheme: str, seating: tuple[int, ...], conditions: Conditions = NO_CONDITIONS
) -> tuple[Any, ...]:
    """Return the host's offer as it is signed."""
    value = conditions.value()
    return (terms, scheme, seating) if value is None else (terms, scheme, seating, value)


def conditions_of(offer: tuple[Any, ...], signatures: Signatures = LIBRARIES.signatures) -> Conditions:
    """Return the conditions of an offer.

    Raises:
        BadKey: the witness's key must not be used.
    """
    conditions = Conditions.of(offer[3] if len(offer) == 4 else None)
    if conditions.witness is not None:
        signatures.check_public(conditions.witness.key)
    return conditions


def seed_commitment(match_key: bytes, seed: bytes) -> bytes:
    """Return what fixes a seed before the match; the key in it makes a copy worthless."""
    return wire.hashed("seed", match_key, seed)


def match_id_of(guest: bytes, host: bytes, coin: bytes, pick: Seat | None) -> bytes:
    """Return the hash of everything that was said before the signatures."""
    return wire.hashed("match", guest, host, wire.encode((coin, pick)))


SIGN_LABELS = {Role.HOST: "sign-host", Role.GUEST: "sign-guest"}
"""What each side's signatures are labelled with."""


def joined(numbers: Sequence[int]) -> str:
    """Return numbers as words."""
    return " ".join(str(number) for number in numbers)


def check_guest(
    records: Sequence[Record], hellos: dict[Role, bytes], signatures: Signatures = LIBRARIES.signatures
) -> None:
    """Check the guest's SIGN, the third record, alone.

    Raises:
        WireError: it cannot be read.
        VerificationError: coin, seat or signatures do not hold.
    """
    _, (coin, pick, by_identity, by_match_key) = unpack_frame(records[2].frame, wire.HANDSHAKE_LIMIT)
    guest, host = Hello.unpack(hellos[Role.GUEST]), Hello.unpack(hellos[Role.HOST])
    if coin is None or wire.hashed("coin", coin) != guest.coin:
        raise VerificationError("wrong_coin", guest.coin.hex(), "another coin")
    assert host.offer is not None
    if (pick is not None) != (host.offer[2] == GUEST_CHOOSES) or pick not in (None, 0, 1):
        raise VerificationError("bad_seat", f"a seat for seating {host.offer[2]}", str(pick))
    match_id = match_id_of(hellos[Role.GUEST], hellos[Role.HOST], coin, pick)
    digest = wire.hashed(SIGN_LABELS[Role.GUEST], match_id)
    signatures.verify_digest(guest.identity, digest, by_identity)
    signatures.verify_digest(guest.match_key, digest, by_match_key)


def read_agreement(records: Sequence[Record], signatures: Signatures = LIBRARIES.signatures) -> Agreement:
    """Check the four frames of a handshake and return what they fix; for both sides and for the audit.

    Raises:
        WireError: a frame cannot be read.
        VerificationError: a key, a signature or a value does not hold; ``bad_handshake`` and others.
    """
    if len(records) < 4 or [record.kind for record in records[:4]] != [1, 1, 2, 2]:
        raise VerificationError("bad_handshake", "two hellos and two signatures", f"{len(records)} frames")
    data: list[bytes] = []
    for record in records[:2]:
        kind, values = unpack_frame(record.frame, wire.HANDSHAKE_LIMIT)
        if kind is not Kind.HELLO:
            raise VerificationError("bad_handshake", "HELLO", kind.name)
        data.append(values[0])
    guest, host = (Hello.unpack(hello) for hello in data)
    if (guest.role, host.role) != (Role.GUEST, Role.HOST) or host.offer is None or guest.offer is not None:
        raise VerificationError("bad_handshake", "a guest's and a host's hello", "others")
    for key in (guest.identity, guest.match_key, host.identity, host.match_key):
        signatures.check_public(key)
    signs: list[tuple[Any, ...]] = []
    for record in records[2:4]:
        kind, values = unpack_frame(record.frame, wire.HANDSHAKE_LIMIT)
        if kind is not Kind.SIGN:
            raise VerificationError("bad_handshake", "SIGN", kind.name)
        signs.append(values)
    check_guest(records, {Role.GUEST: data[0], Role.HOST: data[1]}, signatures)
    coin, pick = signs[0][:2]
    if signs[1][:2] != (None, None):
        raise VerificationError("bad_handshake", "a host's SIGN without coin and pick", "one with")
    match_id = match_id_of(data[0], data[1], coin, pick)
    digest = wire.hashed(SIGN_LABELS[Role.HOST], match_id)
    signatures.verify_digest(host.identity, digest, signs[1][2])
    signatures.verify_digest(host.match_key, digest, signs[1][3])
    terms, scheme, seating = host.offer[:3]
    conditions = conditions_of(host.offer, signatures)
    if guest.match_key == host.match_key:
        raise VerificationError("mirror", "two match keys", "one")
    if (guest.game, guest.game_version, guest.channel) != (host.game, host.game_version, host.channel):
        wanted, got = f"{host.game} {host.game_version}", f"{guest.game} {guest.game_version}"
        raise VerificationError("rules", wanted, got)
    if not set(guest.versions) & set(host.versions):
        raise VerificationError("version", joined(host.versions), joined(guest.versions))
    if scheme not in guest.schemes or scheme not in host.schemes:
        raise VerificationError("scheme", " ".join(guest.schemes), scheme)
    if seating == LOT:
        host_seat = wire.hashed("lot", coin, host.coin)[0] & 1
    elif seating == GUEST_CHOOSES:
        assert pick is not None
        host_seat = 1 - pick
    else:
        host_seat = seating[1]
    by_seat = (host, guest) if host_seat == 0 else (guest, host)
    players = tuple(Player(one.name, one.identity, one.match_key, one.seed_commitment) for one in by_seat)
    return Agreement(match_id, players, terms, scheme, host.game, host.game_version, host_seat, conditions)
