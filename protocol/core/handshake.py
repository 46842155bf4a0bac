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

from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias

from protocol import VERSIONS
from protocol.core import agreement as agreed
from protocol.core import wire
from protocol.core.agreement import Agreement, Hello, Role, join_numbers
from protocol.core.frames import FrameKind, Record, pack_frame, unpack_frame
from protocol.core.game_data import NO_CONDITIONS, Conditions, data_records, supply
from protocol.crypto import hashing
from protocol.crypto.commitments.schemes import SCHEMES
from protocol.crypto.hashing import derive
from protocol.crypto.keys import PrivateKey, Secrets, check_public, identity_hash, sign
from protocol.errors import BadKey, BadSignature, LocalProtocolError, VerificationError, WireError
from protocol.game import Decision, Game, Seat, check_bounds, check_request

CAPABILITIES: tuple[str, ...] = ()
"""What this program can do beside what every program of its version knows (SPEC.md, section "What may come")."""

CODES = frozenset({
    "wrong_secret", "bad_frame", "bad_name", "bad_key", "bad_signature", "wrong_coin", "wrong_role", "out_of_order",
    "mirror", "version", "scheme", "game", "rules", "no_terms", "bad_terms", "terms", "terms_refused", "conditions",
    "bad_seat", "wrong_identity", "channel", "lot", "redrawn", "changed_key", "changed_name",
})  # fmt: skip
"""How a handshake may fail (SPEC.md, section "Start"); another code of the other's stands for ``refused``."""

BLIND_LENGTH = 32
"""The bytes of a guest's blind."""


@dataclass(frozen=True, slots=True)
class Config:
    """What one side brings to the handshake."""

    role: Role
    game: Game[Any]
    identity: PrivateKey
    name: str
    """How the player wants to be called."""
    entropy: bytes = field(repr=False)
    """32 random bytes, fresh for each invite; a host derives from them what each guest's hello is answered with."""
    secret: bytes = field(default=b"", repr=False)
    """The secret of the invite."""
    channel: bytes = b""
    """What names the channel, e.g. the hash of the host's certificate; both must see the same."""
    terms: Decision = None
    """The terms of the game (the host's offer; what a guest expects if ``accept_any`` is off)."""
    data: bytes = field(default=b"", repr=False)
    """What the game is played with beside them, if there is anything; both must have it."""
    scheme: str = SCHEMES[0]
    """How values are hidden (the host's offer)."""
    conditions: Conditions = NO_CONDITIONS
    """Clock and witness (the host's offer; what a guest expects if ``accept_any`` is off)."""
    seating: tuple[int, ...] = agreed.LOT
    """How seats are given (the host's offer)."""
    pick: Seat | None = None
    """The seat that a guest takes who may choose."""
    accept_any: bool = False
    """Guest only: wait for :meth:`Handshake.accept` after the terms have come, whatever they are."""
    peer_identity: bytes | None = None
    """The half hash of the identity key that the other must have, if it is known (:func:`identity_hash`)."""
    peer_name: str | None = None
    """The name that the other must have: in a rematch, that of the match before."""
    blind: bytes = field(default=b"", repr=False)
    """Guest only: 32 random bytes, fresh for each call, or those of the call in which we have signed."""
    first_guest: tuple[bytes, bytes] | None = None
    """Host only: identity and fixed coin of whoever has called before: nobody can call again for a better lot."""
    host_hello: bytes | None = None
    """Guest only: the hash of the host's hello that we have signed: nobody can say another who has seen our blind."""
    versions: tuple[int, ...] = VERSIONS
    schemes: tuple[str, ...] = SCHEMES
    capabilities: tuple[str, ...] = CAPABILITIES


@dataclass(frozen=True, slots=True)
class Offered:
    """The host's terms have come, and :meth:`Handshake.accept` or :meth:`Handshake.refuse` is awaited."""

    name: str
    identity: bytes
    terms: Decision
    """As the game writes them."""
    scheme: str
    seating: tuple[int, ...]
    """How seats are given."""
    conditions: Conditions = NO_CONDITIONS
    """Clock, witness and the place in a tournament."""

    @property
    def choose_seat(self) -> bool:
        """Whether the guest may choose."""
        return self.seating == agreed.GUEST_CHOOSES


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


def read_guest(frame: bytes, secret: bytes) -> Hello | None:
    """Return the hello of a guest who proves the secret of the invite; None for anything else."""
    try:
        kind, values = unpack_frame(frame, wire.HANDSHAKE_LIMIT)
        if kind is FrameKind.HELLO and hashing.equal_in_constant_time(
            values[1], hashing.derive(secret, "invite", values[0])
        ):
            return Hello.unpack(values[0])
    except WireError:
        pass
    return None


class _Failure(Exception):
    def __init__(self, code: str, ours: str, theirs: str) -> None:
        super().__init__(code)
        self.event = HandshakeFailed(code, ours, theirs)


class Handshake:
    """One side of the handshake."""

    def __init__(self, config: Config) -> None:
        """Begin; a guest has its first frame ready at once.

        Raises:
            LocalProtocolError: the own name, game, terms or entropy are not allowed.
        """
        self.config = config
        self.entropy = config.entropy
        """What everything secret of the match comes from; a host's is derived from the guest's hello when it comes."""
        self.secrets = Secrets.of(config.entropy)
        self.agreement: Agreement | None = None
        self.failure: HandshakeFailed | None = None
        self.records: list[Record] = []
        """The frames so far, the beginning of the log; the data of the game stand behind them when both have signed."""
        self._events: list[HandshakeEvent] = []
        self._outbox: list[bytes] = []
        self._hellos: dict[Role, bytes] = {}
        self._offered = False
        self.host_hello: bytes | None = None
        """Guest only: the hash of the host's hello, to be kept with our blind before :meth:`accept` opens it."""
        self.guest: tuple[bytes, bytes] | None = None
        """Host only: identity and fixed coin of a guest who has proved the secret and will see our coin."""
        try:
            self._game = supply(config.game, config.data)
            self._data = data_records(config.data)
            for scheme in (config.scheme,) if config.role is Role.HOST else self._schemes:
                check_bounds(config.game, scheme)
            if config.role is Role.HOST:
                check_request(self._game.next_request(self._game.begin(config.terms)), config.scheme)
                wire.decision(config.terms)
            self._own_hello().pack()
        except (ValueError, WireError) as error:
            raise LocalProtocolError("bad_config", "a name, a game and terms that can be sent", str(error)) from None
        if config.role is Role.GUEST and len(config.blind) != BLIND_LENGTH:
            raise LocalProtocolError("bad_entropy", f"a blind of {BLIND_LENGTH} bytes", f"{len(config.blind)} bytes")
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
        except VerificationError as error:
            code = {BadKey: "bad_key", BadSignature: "bad_signature"}.get(type(error), error.code)
            # What fails as the beginning of a log is here a message that is none of a handshake.
            code = "bad_frame" if code == "bad_handshake" else code
            self._fail(HandshakeFailed(code, error.expected, error.got))

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
        if offer[2] == agreed.GUEST_CHOOSES:
            pick = 0 if pick is None else pick
            if pick not in (0, 1):
                raise LocalProtocolError("bad_seat", "seat 0 or 1", str(pick))
        else:
            pick = None
        self._offered = False
        self._send_sign((self.secrets.coin, self.config.blind, pick))

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
            case FrameKind.REFUSAL:
                # The code of a program that knows more than this one, and every sentence, are the other's words.
                code = values[0] if values[0] in CODES else "refused"
                raise _Failure(f"peer_{code}", "agreement", "a refusal")
            case FrameKind.CALL if not host:
                # A host who has begun the match already greets a guest who has not heard of it (SPEC, "Resume").
                pass
            case FrameKind.HELLO if len(self._hellos) == (0 if host else 1):
                self._take_hello(frame, *values)
            case FrameKind.SIGN if len(self._hellos) == 2 and len(self.records) == (2 if host else 3):
                self._take_sign(frame, *values)
            case _:
                raise _Failure("out_of_order", "the next message of the handshake", kind.name)

    def _take_hello(self, frame: bytes, data: bytes, mac: bytes) -> None:
        config = self.config
        # The proof of the secret comes first: whoever has none learns nothing, not even why.
        if not hashing.equal_in_constant_time(mac, self._mac(data)):
            raise _Failure("wrong_secret", "the secret of the invite", "another one")
        theirs = Hello.unpack(data)
        if theirs.role is config.role:
            raise _Failure("wrong_role", Role(1 - config.role).name, theirs.role.name)
        self.records.append(Record(FrameKind.HELLO, frame))
        self._hellos[theirs.role] = data
        if config.role is Role.HOST:
            # Nobody but the one who is expected sees the coin: for anybody else nothing is drawn.
            self._check_identity(theirs)
            # The answer goes out before the comparison, so that both can name both values.
            self.guest = (theirs.identity, theirs.coin)
            self.entropy = derive(config.entropy, "answer", data)
            # The same hello is answered with the same bytes; the coin is one for all.
            self.secrets = replace(Secrets.of(self.entropy), coin=self.secrets.coin)
            self._send_hello()
        check_public(theirs.identity)
        check_public(theirs.match_key)
        self._compare(self._own_hello(), theirs)
        if config.role is Role.GUEST:
            offer = theirs.offer
            if offer is None:
                raise _Failure("no_terms", "the host's terms", "none")
            terms, scheme, seating, _ = offer
            conditions = agreed.conditions_of(offer)
            missing = [*conditions.unsupported, *conditions.missing(config.capabilities)]
            if missing:
                raise _Failure("conditions", "conditions that this program knows", f"tags {join_numbers(missing)}")
            if scheme not in self._schemes:
                raise _Failure("scheme", " ".join(self._schemes), scheme)
            try:
                self._game.begin(terms)
            except Exception as error:
                raise _Failure("bad_terms", "terms of this game", f"{terms}: {error}") from None
            self._offered = True
            if config.accept_any:
                self._events.append(Offered(theirs.name, theirs.identity, terms, scheme, seating, conditions))
            elif (terms, scheme, conditions) != (config.terms, config.scheme, config.conditions):
                raise _Failure("terms", f"{config.scheme} {config.terms}", f"{scheme} {terms}")
            else:
                self.accept(config.pick)
        elif theirs.offer is not None:
            raise _Failure("bad_frame", "a guest without terms", "terms")
        elif config.scheme not in theirs.schemes:
            raise _Failure("scheme", config.scheme, " ".join(theirs.schemes))

    def _compare(self, ours: Hello, theirs: Hello) -> None:
        if not agreed.common(ours.versions, theirs.versions):
            raise _Failure("version", join_numbers(ours.versions), join_numbers(theirs.versions))
        if ours.game != theirs.game:
            raise _Failure("game", ours.game, theirs.game)
        if ours.game_version != theirs.game_version:
            raise _Failure("rules", ours.game_version, theirs.game_version)
        self._check_identity(theirs)
        if theirs.match_key == ours.match_key or theirs.nonce == ours.nonce:
            raise _Failure("mirror", "a key of their own", "ours")
        if self.config.first_guest not in (None, (theirs.identity, theirs.coin)):
            raise _Failure("lot", "the guest and the coin of the first call", "others")
        if self.config.role is Role.GUEST:
            self.host_hello = hashing.hash_parts("hello", self._hellos[Role.HOST])
            if self.config.host_hello not in (None, self.host_hello):
                raise _Failure("redrawn", "the hello that we have signed", "another")
        if theirs.channel != ours.channel:
            raise _Failure("channel", ours.channel.hex() or "none", theirs.channel.hex() or "none")

    def _check_identity(self, theirs: Hello) -> None:
        wanted, shown = self.config.peer_identity, identity_hash(theirs.identity)
        if wanted not in (None, shown):
            raise _Failure("wrong_identity", wanted.hex(), shown.hex())
        if self.config.peer_name not in (None, theirs.name):
            raise _Failure("changed_name", str(self.config.peer_name), theirs.name)

    def _take_sign(self, frame: bytes, *values: Any) -> None:
        self.records.append(Record(FrameKind.SIGN, frame))
        if self.config.role is Role.HOST:
            # The guest's half is judged with ours on it as it will be in the log.
            agreed.check_guest(self.records, self._hellos)
            self._send_sign(values[:3])
        self.agreement = agreed.read_agreement(self.records)
        self.records += self._data
        self._events.append(Agreed(self.agreement))

    @property
    def _schemes(self) -> tuple[str, ...]:
        """The schemes that we speak and in which the game can be played."""
        return tuple(scheme for scheme in self.config.schemes if scheme in self.config.game.schemes)

    # --- sending ---

    def _own_hello(self) -> Hello:
        config, secrets = self.config, self.secrets
        guest = config.role is Role.GUEST
        # A word that nobody knows: a program that stumbles over it would stumble over every later one (RFC 8701).
        unknown = f"unknown-{secrets.nonce[:2].hex()}"
        return Hello(
            config.role,
            config.versions,
            self._schemes,
            (*config.capabilities, unknown),
            config.identity.public,
            secrets.match_key.public,
            config.name,
            config.game.name,
            config.game.version,
            secrets.nonce,
            hashing.hash_parts("coin", secrets.coin) if guest else secrets.coin,
            hashing.hash_parts("blind", config.blind) if guest else None,
            agreed.seed_commitment(secrets.match_key.public, secrets.seed),
            config.channel,
            None if guest else (config.terms, config.scheme, config.seating, config.conditions.value()),
        )

    def _mac(self, data: bytes) -> bytes:
        # The host's proof covers the guest's hello, so that an old one cannot be played to a new guest.
        guest = self._hellos.get(Role.GUEST)
        before = () if guest is None or guest == data else (guest,)
        return hashing.derive(self.config.secret, "invite", *before, data)

    def _send_hello(self) -> None:
        data = self._own_hello().pack()
        frame = pack_frame(FrameKind.HELLO, data, self._mac(data))
        self._hellos[self.config.role] = data
        self.records.append(Record(FrameKind.HELLO, frame))
        self._outbox.append(frame)

    def _send_sign(self, opened: tuple[bytes, bytes, Seat | None]) -> None:
        config = self.config
        match_id = agreed.match_id_of(self._hellos[Role.GUEST], self._hellos[Role.HOST], opened)
        label = agreed.SIGN_LABELS[config.role]
        guest = config.role is Role.GUEST
        frame = pack_frame(
            FrameKind.SIGN,
            *(opened if guest else (None, None, None)),
            sign(config.identity, label, match_id),
            sign(self.secrets.match_key, label, match_id),
        )
        self.records.append(Record(FrameKind.SIGN, frame))
        self._outbox.append(frame)

    def _fail(self, event: HandshakeFailed) -> None:
        self.failure = event
        self._events.append(event)
        # Whoever has not proved the secret hears nothing: a port scanner sees a host that says nothing.
        # The peer is told the code and our side of it; both of these are ASCII by construction or made so.
        silent = event.code in ("wrong_secret", "bad_frame") or event.code.startswith("peer_")
        if not silent:
            ours = ascii(event.ours)[1:-1][:100] or "-"
            self._outbox.append(pack_frame(FrameKind.REFUSAL, event.code, ours))
