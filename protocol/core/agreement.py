"""What a handshake fixes: hellos, signatures and how a stranger reads them (SPEC.md, section "Start").

For both sides and for the audit.  What is *not* here: the order of the conversation, which is
:mod:`protocol.core.handshake`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import Annotated, Any, TypeVar

from protocol import VERSIONS
from protocol.core import wire
from protocol.core.frames import FrameKind, Record, unpack_frame
from protocol.core.game_data import NO_CONDITIONS, Conditions, Tag, conditions_schema
from protocol.core.words import comparison_words
from protocol.crypto import hashing
from protocol.crypto.keys import check_public, verify_digest
from protocol.errors import VerificationError, WireError
from protocol.game import Decision, Seat, other

T = TypeVar("T", int, str)


class Role(IntEnum):
    """Who waits and who comes."""

    HOST = 0
    GUEST = 1


LOT: tuple[int, ...] = (0,)
"""Seats by a coin that both throw."""

GUEST_CHOOSES: tuple[int, ...] = (2,)
"""The guest chooses a seat."""


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
    protocol: int
    """The version of the protocol: the highest that both have named.  It selects the table of messages."""
    capabilities: tuple[str, ...]
    """What may be used beside what every program of this version knows: the words that both have named."""
    players: tuple[Player, ...]
    """By seat."""
    terms: Decision
    scheme: str
    game: str
    game_version: str
    host_seat: Seat
    conditions: Conditions = NO_CONDITIONS
    """What was agreed on beside the rules."""

    @property
    def words(self) -> tuple[str, ...]:
        """The words for both to read to each other."""
        return comparison_words(self.match_id)


def _seating(value: object) -> None:
    # Python takes 0.0 and False for 0, and neither is a number on the wire.
    numbers = isinstance(value, tuple) and all(type(item) is int for item in value)
    if not numbers or value not in (LOT, GUEST_CHOOSES, host_takes(0), host_takes(1)):
        raise WireError("bad_seating", "(0,), (1, seat) or (2,)", wire.describe(value))


_OFFER = wire.fields(
    "offer",
    ("terms", wire.decision),
    ("scheme", wire.word(16)),
    ("seating", _seating),
    ("conditions", conditions_schema),
)


@dataclass(frozen=True, slots=True)
class Hello(wire.Packed):
    """The first message of each side."""

    role: Annotated[Role, wire.integer(0, 1)]
    versions: Annotated[tuple[int, ...], wire.items(wire.integer(1, 65535), 1, 16)]
    """The versions of the protocol that this program speaks."""
    schemes: Annotated[tuple[str, ...], wire.items(wire.word(16), 1, 16)]
    capabilities: Annotated[tuple[str, ...], wire.items(wire.word(32), 0, 32)]
    """What it can do beside; words that the other does not know mean nothing."""
    identity: wire.Hash
    match_key: wire.Hash
    name: Annotated[str, wire.text(wire.NAME_LIMIT)]
    game: Annotated[str, wire.word(64)]
    game_version: Annotated[str, wire.word(100)]
    nonce: wire.Hash
    coin: wire.Hash
    """The guest's fixed coin, the host's open one."""
    blind: Annotated[bytes | None, wire.optional(wire.HASH)]
    """The guest's fixed blind, a fresh one for each call; nothing of the host's."""
    seed_commitment: wire.Hash
    channel: Annotated[bytes, wire.octets(0, 64)]
    offer: Annotated[tuple[Any, ...] | None, wire.optional(_OFFER)]
    """Terms, scheme, seating and conditions: the host's."""

    @staticmethod
    def unpack(data: bytes) -> Hello:
        """Read :meth:`pack`'s bytes.

        Raises:
            WireError: they are none.
        """
        value: Any = wire.unpack(data, wire.schema_of(Hello), wire.HANDSHAKE_LIMIT)
        return Hello(Role(value[0]), *value[1:])


def conditions_of(offer: tuple[Any, ...]) -> Conditions:
    """Return the conditions of an offer.

    Raises:
        BadKey: the witness's key must not be used.
    """
    conditions = Conditions.of(offer[3])
    if conditions.witness is not None:
        check_public(conditions.witness.key)
    return conditions


def seed_commitment(match_key: bytes, seed: bytes) -> bytes:
    """Return what fixes a seed before the match; the key in it makes a copy worthless."""
    return hashing.hash_parts("seed", match_key, seed)


def match_id_of(guest: bytes, host: bytes, opened: tuple[bytes, bytes, Seat | None]) -> bytes:
    """Return the hash of everything that was said before the signatures: both hellos, and coin, blind and pick."""
    return hashing.hash_parts("match", guest, host, wire.encode(opened))


def common(ours: Sequence[T], theirs: Sequence[T]) -> tuple[T, ...]:
    """Return what stands in both of two lists, sorted."""
    return tuple(sorted(set(ours) & set(theirs)))


SIGN_LABELS = {Role.HOST: "sign-host", Role.GUEST: "sign-guest"}
"""What each side's signatures are labelled with."""


def join_numbers(numbers: Sequence[int]) -> str:
    """Return numbers as words."""
    return " ".join(str(number) for number in numbers)


def check_guest(records: Sequence[Record], hellos: dict[Role, bytes]) -> None:
    """Check the guest's SIGN, the third record, alone.

    Raises:
        WireError: it cannot be read.
        VerificationError: coin, seat or signatures do not hold.
    """
    _, (coin, blind, pick, by_identity, by_match_key) = unpack_frame(records[2].frame, wire.HANDSHAKE_LIMIT)
    guest, host = Hello.unpack(hellos[Role.GUEST]), Hello.unpack(hellos[Role.HOST])
    if coin is None or hashing.hash_parts("coin", coin) != guest.coin:
        raise VerificationError("wrong_coin", guest.coin.hex(), "another coin")
    # Fixed before the host has said anything, so that nobody in between can try out what makes the words equal.
    if blind is None or hashing.hash_parts("blind", blind) != guest.blind:
        raise VerificationError("wrong_coin", (guest.blind or b"").hex(), "another blind")
    assert host.offer is not None
    if (pick is not None) != (host.offer[2] == GUEST_CHOOSES) or pick not in (None, 0, 1):
        raise VerificationError("bad_seat", f"a seat for seating {host.offer[2]}", str(pick))
    match_id = match_id_of(hellos[Role.GUEST], hellos[Role.HOST], (coin, blind, pick))
    digest = hashing.hash_parts(SIGN_LABELS[Role.GUEST], match_id)
    verify_digest(guest.identity, digest, by_identity)
    verify_digest(guest.match_key, digest, by_match_key)


_ORDER = (FrameKind.HELLO, FrameKind.HELLO, FrameKind.SIGN, FrameKind.SIGN)


def read_agreement(records: Sequence[Record]) -> Agreement:
    """Check the four frames of a handshake and return what they fix; for both sides and for the audit.

    Raises:
        WireError: a frame cannot be read.
        VerificationError: a key, a signature or a value does not hold; ``bad_handshake`` and others.
    """
    if tuple(record.kind for record in records[:4]) != _ORDER:
        raise VerificationError("bad_handshake", "two hellos and two signatures", f"{len(records)} frames")
    read: list[tuple[Any, ...]] = []
    for record, wanted in zip(records, _ORDER, strict=False):
        kind, values = unpack_frame(record.frame, wire.HANDSHAKE_LIMIT)
        if kind is not wanted:
            raise VerificationError("bad_handshake", wanted.name, kind.name)
        read.append(values)
    (guest_hello, _), (host_hello, _), opened, answered = read
    guest, host = Hello.unpack(guest_hello), Hello.unpack(host_hello)
    if (guest.role, host.role) != (Role.GUEST, Role.HOST) or host.offer is None or guest.offer is not None:
        raise VerificationError("bad_handshake", "a guest's and a host's hello", "others")
    for key in (guest.identity, guest.match_key, host.identity, host.match_key):
        check_public(key)
    check_guest(records, {Role.GUEST: guest_hello, Role.HOST: host_hello})
    coin, blind, pick = opened[:3]
    if answered[:3] != (None, None, None) or host.blind is not None:
        raise VerificationError("bad_handshake", "a host without blind, and with nothing to open", "one with")
    match_id = match_id_of(guest_hello, host_hello, (coin, blind, pick))
    digest = hashing.hash_parts(SIGN_LABELS[Role.HOST], match_id)
    verify_digest(host.identity, digest, answered[3])
    verify_digest(host.match_key, digest, answered[4])
    terms, scheme, seating, _ = host.offer
    conditions = conditions_of(host.offer)
    if guest.match_key == host.match_key or guest.nonce == host.nonce:
        raise VerificationError("mirror", "two match keys and nonces", "one")
    if (guest.game, guest.game_version, guest.channel) != (host.game, host.game_version, host.channel):
        raise VerificationError("rules", "one game, one version of its rules and one channel", "two")
    versions = common(guest.versions, host.versions)
    if not versions or versions[-1] not in VERSIONS:
        raise VerificationError(
            "version", join_numbers(VERSIONS), f"{join_numbers(host.versions)} and {join_numbers(guest.versions)}"
        )
    if conditions.unsupported:
        raise VerificationError("conditions", join_numbers(list(Tag)), join_numbers(conditions.unsupported))
    capabilities = common(guest.capabilities, host.capabilities)
    if missing := conditions.missing(capabilities):
        raise VerificationError("conditions", "only conditions that both can take", join_numbers(missing))
    if scheme not in guest.schemes or scheme not in host.schemes:
        raise VerificationError("scheme", "a scheme that both have named", "another")
    if seating == LOT:
        host_seat = hashing.hash_parts("lot", coin, host.coin)[0] & 1
    elif seating == GUEST_CHOOSES:
        assert pick is not None
        host_seat = other(pick)
    else:
        host_seat = seating[1]
    by_seat = (host, guest) if host_seat == 0 else (guest, host)
    players = tuple(Player(one.name, one.identity, one.match_key, one.seed_commitment) for one in by_seat)
    game = host.game, host.game_version
    return Agreement(match_id, versions[-1], capabilities, players, terms, scheme, *game, host_seat, conditions)
