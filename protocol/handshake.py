"""Two programs find out that they speak the same language and agree on a match (SPEC.md, section "Start").

Sans-I/O: frames and entropy come in as arguments, frames and events go out.  What is *not* here: addresses,
invites and TLS; the secret of the invite and the hash of the certificate come in as bytes.

::

    guest                                     host
    HELLO (proves the invite's secret)  --->
                                        <---  HELLO (with the terms)
    SIGN (opens the guest's coin)       --->
                                        <---  SIGN
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Any, TypeAlias

from protocol import wire
from protocol.commitments import SCHEMES
from protocol.errors import BadKey, BadSignature, LocalProtocolError, VerificationError, WireError
from protocol.game import Game, Said, Seat
from protocol.keys import PrivateKey, check_public, sign, verify
from protocol.messages import Kind, Record, pack_frame, unpack_frame
from protocol.words import three_words

VERSIONS: tuple[int, ...] = (1,)
"""The versions of the protocol that this program speaks."""


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
class Secrets:
    """Everything secret in one match, from 32 bytes of entropy that never leave this machine.

    The match key does not come from the seed: the seed is opened for the audit, and whoever knew it could
    then sign as its owner.
    """

    seed: bytes = field(repr=False)
    match_key: PrivateKey
    nonce: bytes = field(repr=False)
    coin: bytes = field(repr=False)

    @staticmethod
    def of(entropy: bytes) -> Secrets:
        """Derive the secrets of a match.

        Raises:
            LocalProtocolError: the entropy is not 32 bytes.
        """
        if len(entropy) != 32:
            raise LocalProtocolError("bad_entropy", "32 bytes of entropy", f"{len(entropy)} bytes")
        return Secrets(
            wire.derived(entropy, "root-seed"),
            PrivateKey(wire.derived(entropy, "root-key")),
            wire.derived(entropy, "root-nonce"),
            wire.derived(entropy, "root-coin"),
        )


@dataclass(frozen=True, slots=True)
class Config:
    """What one side brings to the handshake."""

    role: Role
    game: Game[Any]
    identity: PrivateKey
    name: str
    """How the player wants to be called."""
    entropy: bytes = field(repr=False)
    """32 random bytes, fresh for each match: whoever uses them twice gives himself away."""
    secret: bytes = field(default=b"", repr=False)
    """The secret of the invite."""
    channel: bytes = b""
    """What names the channel, e.g. the hash of the host's certificate; both must see the same."""
    terms: Said = None
    """The terms of the game (the host's offer; what a guest expects if ``accept_any`` is off)."""
    scheme: str = "hash"
    """How values are hidden (the host's offer)."""
    seating: tuple[int, ...] = LOT
    """How seats are given (the host's offer)."""
    pick: Seat | None = None
    """The seat that the guest takes if he may choose."""
    accept_any: bool = False
    """Guest only: wait for :meth:`Handshake.accept` after the terms have come, whatever they are."""
    peer_identity: bytes | None = None
    """The identity key that the other must have, if it is known."""
    versions: tuple[int, ...] = VERSIONS
    schemes: tuple[str, ...] = SCHEMES


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

    @property
    def words(self) -> tuple[str, str, str]:
        """Three words for both to read to each other."""
        return three_words(self.match_id)


@dataclass(frozen=True, slots=True)
class Offered:
    """The host's terms have come, and :meth:`Handshake.accept` or :meth:`Handshake.refuse` is awaited."""

    name: str
    identity: bytes
    terms: Said
    scheme: str
    seating: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Agreed:
    """Both have signed."""

    agreement: Agreement


@dataclass(frozen=True, slots=True)
class HandshakeFailed:
    """There will be no match; ``ours`` and ``theirs`` are what did not fit."""

    code: str
    ours: str
    theirs: str

    def __str__(self) -> str:
        return f"expected {self.ours}, got {self.theirs}"


HandshakeEvent: TypeAlias = Offered | Agreed | HandshakeFailed


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
    """Terms, scheme and seating: the host's."""

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
    if value not in (LOT, GUEST_CHOOSES, host_takes(0), host_takes(1)):
        raise WireError("bad_seating", "(0,), (1, seat) or (2,)", wire.describe(value))


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
    (
        "offer",
        wire.optional(
            wire.fields("offer", ("terms", wire.said), ("scheme", wire.word(16)), ("seating", _seating))
        ),
    ),
)


class _Failure(Exception):
    def __init__(self, code: str, ours: str, theirs: str) -> None:
        super().__init__(code)
        self.event = HandshakeFailed(code, ours, theirs)


def seed_commitment(match_key: bytes, seed: bytes) -> bytes:
    """Return what fixes a seed before the match; the key in it makes a copy worthless."""
    return wire.hashed("seed", match_key, seed)


def match_id_of(guest: bytes, host: bytes, coin: bytes, pick: Seat | None) -> bytes:
    """Return the hash of everything that was said before the signatures."""
    return wire.hashed("match", guest, host, wire.encode((coin, pick)))


class Handshake:
    """One side of the handshake."""

    def __init__(self, config: Config) -> None:
        """Begin; a guest has its first frame ready at once.

        Raises:
            LocalProtocolError: the own name, terms or entropy are not allowed.
        """
        self.config = config
        self.secrets = Secrets.of(config.entropy)
        self.agreement: Agreement | None = None
        self.failure: HandshakeFailed | None = None
        self.records: list[Record] = []
        """The frames so far, the beginning of the log."""
        self._events: list[HandshakeEvent] = []
        self._outbox: list[bytes] = []
        self._hellos: dict[Role, bytes] = {}
        self._offered = False
        try:
            if config.role is Role.HOST:
                config.game.begin(config.terms)
                wire.said(config.terms)
            self._own_hello().pack()
        except (ValueError, WireError) as error:
            raise LocalProtocolError("bad_config", "a name and terms that can be sent", str(error)) from None
        if config.role is Role.GUEST:
            self._send_hello()

    def receive_data(self, frame: bytes, now: float = 0.0) -> None:
        """Take a frame of the other side; never raises, whatever the bytes are."""
        if self.failure is not None or self.agreement is not None:
            return
        try:
            self._receive(frame)
        except _Failure as failure:
            self._fail(failure.event)
        except WireError as error:
            code = "bad_name" if error.path.endswith("hello.name") else "bad_frame"
            self._fail(HandshakeFailed(code, f"{error.path}: {error.expected}", error.got))
        except BadKey as error:
            self._fail(HandshakeFailed("bad_key", error.expected, error.got))
        except BadSignature as error:
            self._fail(HandshakeFailed("bad_signature", error.expected, error.got))
        except VerificationError as error:
            self._fail(HandshakeFailed(error.code, error.expected, error.got))

    def events_received(self) -> list[HandshakeEvent]:
        """Return what has happened since the last call."""
        events, self._events = self._events, []
        return events

    def data_to_send(self) -> list[bytes]:
        """Return the frames to send, in order."""
        frames, self._outbox = self._outbox, []
        return frames

    def accept(self, pick: Seat | None = None) -> None:
        """Take the terms that were offered.

        Raises:
            LocalProtocolError: none are offered, or the seat cannot be chosen.
        """
        if not self._offered or self.agreement or self.failure:
            raise LocalProtocolError("nothing_offered", "an offer", "none")
        offer = Hello.unpack(self._hellos[Role.HOST]).offer
        assert offer is not None
        if offer[2] == GUEST_CHOOSES:
            pick = 0 if pick is None else pick
            if pick not in (0, 1):
                raise LocalProtocolError("bad_seat", "seat 0 or 1", str(pick))
        else:
            pick = None
        self._offered = False
        self._send_sign(self.secrets.coin, pick)

    def refuse(self) -> None:
        """Turn the offered terms down.

        Raises:
            LocalProtocolError: none are offered.
        """
        if not self._offered:
            raise LocalProtocolError("nothing_offered", "an offer", "none")
        self._offered = False
        self._fail(HandshakeFailed("terms_refused", "other terms", "those offered"))

    # --- the steps ---

    def _receive(self, frame: bytes) -> None:
        kind, values = unpack_frame(frame, wire.HANDSHAKE_LIMIT)
        host = self.config.role is Role.HOST
        match kind:
            case Kind.REFUSAL:
                raise _Failure(f"peer_{values[0]}", "agreement", f"{values[0]}: {values[1]}")
            case Kind.HELLO if len(self._hellos) == (0 if host else 1):
                self._take_hello(frame, *values)
            case Kind.SIGN if len(self._hellos) == 2 and len(self.records) == (2 if host else 3):
                self._take_sign(frame, *values)
            case _:
                raise _Failure("out_of_order", "the next message of the handshake", kind.name)

    def _take_hello(self, frame: bytes, data: bytes, mac: bytes) -> None:
        config = self.config
        # The proof of the secret comes first: whoever has none learns nothing, not even why.
        if not wire.same(mac, self._mac(data)):
            raise _Failure("wrong_secret", "the secret of the invite", "another one")
        theirs = Hello.unpack(data)
        ours = self._own_hello()
        if theirs.role is config.role:
            raise _Failure("wrong_role", Role(1 - config.role).name, theirs.role.name)
        self.records.append(Record(Kind.HELLO, frame))
        self._hellos[theirs.role] = data
        if config.role is Role.HOST:
            # The answer goes out before the comparison, so that both can name both values.
            self._send_hello()
        check_public(theirs.identity)
        check_public(theirs.match_key)
        self._compare(ours, theirs)
        if config.role is Role.GUEST:
            offer = theirs.offer
            if offer is None:
                raise _Failure("no_terms", "the host's terms", "none")
            terms, scheme, seating = offer
            if scheme not in config.schemes:
                raise _Failure("scheme", " ".join(config.schemes), scheme)
            try:
                config.game.begin(terms)
            except Exception as error:
                raise _Failure("bad_terms", "terms of this game", f"{terms}: {error}") from None
            self._offered = True
            if config.accept_any:
                self._events.append(Offered(theirs.name, theirs.identity, terms, scheme, seating))
            elif (terms, scheme) != (config.terms, config.scheme):
                raise _Failure("terms", f"{config.scheme} {config.terms}", f"{scheme} {terms}")
            else:
                self.accept(config.pick)
        elif theirs.offer is not None:
            raise _Failure("bad_frame", "a guest without terms", "terms")
        elif config.scheme not in theirs.schemes:
            raise _Failure("scheme", config.scheme, " ".join(theirs.schemes))

    def _compare(self, ours: Hello, theirs: Hello) -> None:
        if not set(ours.versions) & set(theirs.versions):
            raise _Failure("version", _join(ours.versions), _join(theirs.versions))
        if ours.game != theirs.game:
            raise _Failure("game", ours.game, theirs.game)
        if ours.game_version != theirs.game_version:
            raise _Failure("rules", ours.game_version, theirs.game_version)
        wanted = self.config.peer_identity
        if wanted is not None and theirs.identity != wanted:
            raise _Failure("wrong_identity", wanted.hex(), theirs.identity.hex())
        if theirs.match_key == ours.match_key or theirs.nonce == ours.nonce:
            raise _Failure("mirror", "a key of their own", "ours")
        if theirs.channel != ours.channel:
            raise _Failure("channel", ours.channel.hex() or "none", theirs.channel.hex() or "none")

    def _take_sign(self, frame: bytes, *values: Any) -> None:
        self.records.append(Record(Kind.SIGN, frame))
        if self.config.role is Role.HOST:
            coin, pick = values[:2]
            # The guest's half is judged with ours on it as it will be in the log.
            _check_half(self.records, self._hellos)
            self._send_sign(coin, pick)
        self._agree()

    def _agree(self) -> None:
        self.agreement = read_agreement(self.records)
        self._events.append(Agreed(self.agreement))

    # --- sending ---

    def _own_hello(self) -> Hello:
        config, secrets = self.config, self.secrets
        guest = config.role is Role.GUEST
        return Hello(
            config.role,
            config.versions,
            config.schemes,
            config.identity.public,
            secrets.match_key.public,
            config.name,
            config.game.name,
            config.game.version,
            secrets.nonce,
            wire.hashed("coin", secrets.coin) if guest else secrets.coin,
            seed_commitment(secrets.match_key.public, secrets.seed),
            config.channel,
            None if guest else (config.terms, config.scheme, config.seating),
        )

    def _mac(self, data: bytes) -> bytes:
        # The host's proof covers the guest's hello, so that an old one cannot be played to a new guest.
        return wire.derived(self.config.secret, "invite", *self._before(data), data)

    def _before(self, data: bytes) -> tuple[bytes, ...]:
        guest = self._hellos.get(Role.GUEST)
        return () if guest is None or guest == data else (guest,)

    def _send_hello(self) -> None:
        data = self._own_hello().pack()
        frame = pack_frame(Kind.HELLO, data, self._mac(data))
        self._hellos[self.config.role] = data
        self.records.append(Record(Kind.HELLO, frame))
        self._outbox.append(frame)

    def _send_sign(self, coin: bytes, pick: Seat | None) -> None:
        config = self.config
        match_id = match_id_of(self._hellos[Role.GUEST], self._hellos[Role.HOST], coin, pick)
        label = _SIGN_LABELS[config.role]
        guest = config.role is Role.GUEST
        frame = pack_frame(
            Kind.SIGN,
            coin if guest else None,
            pick if guest else None,
            sign(config.identity, label, match_id),
            sign(self.secrets.match_key, label, match_id),
        )
        self.records.append(Record(Kind.SIGN, frame))
        self._outbox.append(frame)

    def _fail(self, event: HandshakeFailed) -> None:
        self.failure = event
        self._events.append(event)
        # Whoever has not proved the secret hears nothing: a port scanner sees a host that says nothing.
        # The peer is told the code and our side of it; both of these are ASCII by construction or made so.
        silent = event.code in ("wrong_secret", "bad_frame") or event.code.startswith("peer_")
        if not silent:
            ours = ascii(event.ours)[1:-1][:100] or "-"
            self._outbox.append(pack_frame(Kind.REFUSAL, event.code, ours))


_SIGN_LABELS = {Role.HOST: "sign-host", Role.GUEST: "sign-guest"}


def _join(numbers: Sequence[int]) -> str:
    return " ".join(str(number) for number in numbers)


def _check_half(records: Sequence[Record], hellos: dict[Role, bytes]) -> None:
    """Check the guest's SIGN, the third record."""
    _, (coin, pick, by_identity, by_match_key) = unpack_frame(records[2].frame, wire.HANDSHAKE_LIMIT)
    guest, host = Hello.unpack(hellos[Role.GUEST]), Hello.unpack(hellos[Role.HOST])
    if coin is None or wire.hashed("coin", coin) != guest.coin:
        raise _Failure("wrong_coin", guest.coin.hex(), "another coin")
    assert host.offer is not None
    if (pick is not None) != (host.offer[2] == GUEST_CHOOSES) or pick not in (None, 0, 1):
        raise _Failure("bad_seat", f"a seat for seating {host.offer[2]}", str(pick))
    match_id = match_id_of(hellos[Role.GUEST], hellos[Role.HOST], coin, pick)
    verify(guest.identity, _SIGN_LABELS[Role.GUEST], match_id, by_identity)
    verify(guest.match_key, _SIGN_LABELS[Role.GUEST], match_id, by_match_key)


def read_agreement(records: Sequence[Record]) -> Agreement:
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
        check_public(key)
    signs: list[tuple[Any, ...]] = []
    for record in records[2:4]:
        kind, values = unpack_frame(record.frame, wire.HANDSHAKE_LIMIT)
        if kind is not Kind.SIGN:
            raise VerificationError("bad_handshake", "SIGN", kind.name)
        signs.append(values)
    try:
        _check_half(records, {Role.GUEST: data[0], Role.HOST: data[1]})
    except _Failure as failure:
        event = failure.event
        raise VerificationError(event.code, event.ours, event.theirs) from None
    coin, pick = signs[0][:2]
    if signs[1][:2] != (None, None):
        raise VerificationError("bad_handshake", "a host's SIGN without coin and pick", "one with")
    match_id = match_id_of(data[0], data[1], coin, pick)
    verify(host.identity, _SIGN_LABELS[Role.HOST], match_id, signs[1][2])
    verify(host.match_key, _SIGN_LABELS[Role.HOST], match_id, signs[1][3])
    terms, scheme, seating = host.offer
    if guest.match_key == host.match_key:
        raise VerificationError("mirror", "two match keys", "one")
    if (guest.game, guest.game_version, guest.channel) != (host.game, host.game_version, host.channel):
        wanted, got = f"{host.game} {host.game_version}", f"{guest.game} {guest.game_version}"
        raise VerificationError("rules", wanted, got)
    if not set(guest.versions) & set(host.versions):
        raise VerificationError("version", _join(host.versions), _join(guest.versions))
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
    return Agreement(match_id, players, terms, scheme, host.game, host.game_version, host_seat)
