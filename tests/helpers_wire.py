"""The vocabulary of the protocol's tests: two sessions, a fake wire between them, and a cheat's tools."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import msgpack

from protocol.core.agreement import Role, host_takes
from protocol.core.audit import Verdict, verify
from protocol.core.events import Event
from protocol.core.frames import FrameKind, Record, pack_frame, unpack_frame
from protocol.core.handshake import Agreed, Config, Handshake, HandshakeEvent
from protocol.core.messages import Envelope, Header, Side, SideBody, SideType
from protocol.core.secret_replay import SecretReplay
from protocol.core.session import Session
from protocol.core.step_builder import StepBuilder
from protocol.core.steps import NONCE_LENGTH, Step
from protocol.crypto import hashing, keys
from protocol.crypto.keys import PrivateKey
from protocol.errors import LocalProtocolError
from protocol.game import Decision, Game, Games, Hide, MissingRules, Mix

SECRET = bytes(range(16))
"""The secret of every invite in these tests."""

NONCE = bytes(NONCE_LENGTH)
"""The nonce of what cheats commit to."""


def entropy(text: str) -> bytes:
    """Return 32 bytes that are always the same for a text."""
    return hashlib.sha256(text.encode()).digest()


def identity(text: str) -> PrivateKey:
    """Return an identity key that is always the same for a text."""
    return PrivateKey(entropy(f"identity {text}"))


def configs(
    game: Game[Any], terms: Decision, *, tag: str = "", people: Sequence[PrivateKey] = (), **both: Any
) -> tuple[Config, Config]:
    """Return a host's and a guest's configuration that fit; the host has seat 0.

    The scheme is ``hash`` unless another one is asked for: what a test does not look at should not take its time.
    """
    hanna, gustav = people or (identity("host"), identity("guest"))
    host = Config(
        Role.HOST,
        game,
        hanna,
        "Hanna",
        entropy(f"host {tag}"),
        SECRET,
        terms=terms,
        scheme="hash",
        seating=host_takes(0),
    )
    guest = Config(
        Role.GUEST,
        game,
        gustav,
        "Gustav",
        entropy(f"guest {tag}"),
        SECRET,
        terms=terms,
        scheme="hash",
        blind=entropy(f"blind {tag}"),
    )
    return replace(host, **both), replace(guest, **both)


def shake(host: Config, guest: Config) -> tuple[Handshake, Handshake, list[HandshakeEvent]]:
    """Run a handshake until nobody says anything more."""
    sides = Handshake(host), Handshake(guest)
    for _ in range(8):
        for one, other in (sides, sides[::-1]):
            for frame in one.data_to_send():
                other.receive_data(frame)
    return *sides, [event for side in sides for event in side.events_received()]


class Pair:
    """Two sessions and a wire that loses nothing unless it is told to."""

    def __init__(
        self, game: Game[Any], terms: Decision, *, tag: str = "", gather: bool = False, now: float = 0.0, **both: Any
    ) -> None:
        self.game = game
        self.now = now
        """What the clocks of both show; 0 for none."""
        self.configs = configs(game, terms, tag=tag, **both)
        host, guest, events = shake(*self.configs)
        assert all(isinstance(event, Agreed) for event in events), events
        # What a host derives everything from is known only when the guest has called.
        self.configs = replace(self.configs[0], entropy=host.entropy), self.configs[1]
        self.host = Session.begin(host, gather=gather, now=now)
        self.guest = Session.begin(guest, gather=gather, now=now)
        self.gather = gather
        self.lines = 0
        self.sessions = (self.host, self.guest)
        self.events: tuple[list[Event], list[Event]] = ([], [])
        self.wire: list[tuple[int, bytes]] = []
        """Every frame that went over, with its sender."""
        self.settle()

    def transfer(self, seat: int, tamper: Callable[[bytes], bytes | None] = lambda frame: frame) -> int:
        """Carry what one seat has to send to the other; return how many frames."""
        frames = self.sessions[seat].data_to_send()
        for frame in frames:
            changed = tamper(frame)
            if changed is not None:
                self.wire.append((seat, changed))
                self.sessions[1 - seat].receive_data(changed, self.now)
        self.collect()
        return len(frames)

    def settle(self) -> None:
        """Carry frames until nobody has anything to say."""
        self.collect()
        while self.transfer(0) + self.transfer(1):
            pass

    def collect(self) -> None:
        """Gather the events of both."""
        for seat, session in enumerate(self.sessions):
            self.events[seat].extend(session.events_received())

    def act(self, seat: int, decision: Decision, secret: Sequence[Any] | None = None) -> None:
        """Let a seat decide, and carry everything."""
        self.sessions[seat].act(decision, secret, now=self.now)
        self.settle()

    def last(self, seat: int, kind: type[Event]) -> Any:
        """Return the last event of a kind that a seat has seen."""
        return next(event for event in reversed(self.events[seat]) if isinstance(event, kind))

    def saw(self, seat: int, kind: type[Event]) -> bool:
        """Say whether a seat has seen an event of a kind."""
        return any(isinstance(event, kind) for event in self.events[seat])

    def play_out(self, seed: int = 0, limit: int = 10_000) -> None:
        """Let both decide by chance until the match is over and closed, or ``limit`` decisions are made."""
        chance = random.Random(seed)
        for _ in range(limit):
            asked = [session for session in self.sessions if session.asks_us is not None]
            if not asked:
                break
            self.decide(asked[0], chance)
            self.settle()

    def decide(self, session: Session, chance: random.Random) -> None:
        """Decide something legal: what the rules refuse on what the seat knows is thrown again."""
        while True:
            try:
                self._decide(session, chance)
            except LocalProtocolError as error:
                if error.code != "illegal_decision":
                    raise
            else:
                return

    def _decide(self, session: Session, chance: random.Random) -> None:
        request = session.asks_us
        if isinstance(request, Hide):
            values = list(request.values)
            chance.shuffle(values)
            session.act(None, values, now=self.now)
        elif isinstance(request, Mix):
            session.act(None, split(request, chance), now=self.now)
        else:
            session.act(chance.choice(session.moves()), now=self.now)

    def verify(self, seat: int = 0) -> Verdict:
        """Judge the log of one side, by both implementations."""
        from helpers_judging import judged

        judged(self, seat)
        return verify(self.sessions[seat].records, only(self.game))

    def restored(self, seat: int) -> Session:
        """Return the session of one seat as it comes back from its records."""
        config = self.configs[seat]
        records = self.sessions[seat].records
        return Session(records, self.game, config.identity, config.entropy, gather=self.gather).restore()

    def reconnect(self) -> None:
        """Let both begin anew on a fresh line."""
        self.lines += 1
        for seat, session in enumerate(self.sessions):
            session.resume(entropy(f"line {self.lines} {seat}"))

    def replace(self, seat: int, session: Session) -> None:
        """Put a session in the place of another, as after a restart."""
        self.sessions = (session, self.sessions[1]) if seat == 0 else (self.sessions[0], session)


def only(*games: Game[Any]) -> Games:
    """Return how a program finds its games that has only these."""

    def find(name: str, version: str) -> Game[Any]:
        for game in games:
            if (game.name, game.version) == (name, version):
                return game
        raise MissingRules(name, version, tuple(game.version for game in games if game.name == name))

    return find


def on_a_line(session: Session) -> Session:
    """Return a restored session as it is when the other has shown who he is, with nothing left to send."""
    session._link.joined = True
    return session


def split(request: Mix, chance: random.Random) -> list[list[int]]:
    """Share the old slots out by chance."""
    old = list(request.take)
    chance.shuffle(old)
    return [[old.pop() for _ in part] for part in request.give]


class Cheat:
    """What a changed program can do with the keys of its seat: sign whatever it likes."""

    def __init__(self, pair: Pair, seat: int) -> None:
        self.pair = pair
        self.session = pair.sessions[seat]
        self.seat = seat
        self.transcript = self.session.transcript
        self.secrets = self.session._secrets

    def builder(self) -> StepBuilder:
        """Return a draft on top of the present position."""
        return self.session._new_builder()

    def envelope(self, *steps: Step, **changes: Any) -> bytes:
        """Sign an envelope with these steps, whatever they are."""
        stamp = None if self.transcript.times is None else (0, 0, 0, 0)
        made = Envelope(*self._said(changes).fields, steps, self.transcript.state_hash, stamp)
        return self.sign_envelope(replace(made, **changes).pack())

    def header(self, seq: int | None = None, sides: tuple[int, ...] | None = None) -> Header:
        """Return the header of a message whose author has seen so much of what is held, or all of it."""
        return self.transcript.header(self.seat, seq, sides)

    def sign(self, kind: FrameKind, message: Header) -> bytes:
        """Sign a message of the end of a match."""
        label = {FrameKind.RESULT: "result", FrameKind.SEED: "open-seed", FrameKind.VERDICT: "verdict"}[kind]
        data = message.pack()
        signatures = [keys.sign(self.secrets.match_key, label, data)]
        if kind is FrameKind.RESULT:
            signatures.append(keys.sign(self.session._identity, label, data))
        return pack_frame(kind, data, *signatures)

    def _said(self, changes: dict[str, Any]) -> Header:
        """Return the header that belongs to what is said to have been seen, as far as that is held."""
        held = (self.transcript.length, *self.transcript.sides)
        said = (changes.get("seq", held[0]), *changes.get("sides", held[1:]))
        if len(said) != len(held) or any(one > here for one, here in zip(said, held, strict=True)):
            return self.header()
        return self.header(said[0], said[1:])

    def sign_envelope(self, data: bytes) -> bytes:
        """Sign any bytes as an envelope."""
        return pack_frame(FrameKind.ENVELOPE, data, keys.sign(self.secrets.match_key, "env", data))

    def state_after(self, *steps: Step) -> bytes:
        """Return the hash of the state that honest steps lead to."""
        position = self.transcript.position
        for step in steps:
            position, _ = self.transcript.referee.apply(position, self.seat, step)
        return hashing.hash_parts("state", self.pair.game.dump(position.state))

    def side(self, kind: SideType, body: SideBody = None, **changes: Any) -> bytes:
        """Sign a side envelope."""
        made = Side(*self._said(changes).fields, kind, body)
        data = replace(made, **changes).pack()
        return pack_frame(FrameKind.SIDE, data, keys.sign(self.secrets.match_key, "side", data))

    def send(self, frame: bytes) -> None:
        """Send a frame to the honest side."""
        self.pair.wire.append((self.seat, frame))
        self.pair.sessions[1 - self.seat].receive_data(frame, self.pair.now)
        self.pair.collect()

    def go_quiet(self) -> None:
        """Switch the cheat's own program off where it would notice or go on by itself."""
        self.session._follow = lambda: None  # type: ignore[method-assign]
        self.session._force = lambda: None  # type: ignore[method-assign]

    def hide_under(self, seed: bytes) -> None:
        """Let the cheat's own program derive all that it hides from another seed than the one that it has fixed."""
        self.session._owner = replace(self.session._owner, seed=seed)
        self.session._secret_replay = SecretReplay(self.transcript.referee, {self.seat: seed})

    def hold_back(self) -> None:
        """Keep the cheat's own program from doing by itself what leaves nothing to decide."""
        self.session._force = lambda: None  # type: ignore[method-assign]

    def go_on(self) -> None:
        """Let it do so again."""
        del self.session._force

    def send_and_hold(self, frame: bytes) -> None:
        """Send a frame and go on as if it were honest."""
        self.session._emit(frame)
        self.pair.settle()


def flipped(data: bytes, bit: int) -> bytes:
    """Return the bytes with one bit turned."""
    changed = bytearray(data)
    changed[bit // 8] ^= 1 << bit % 8
    return bytes(changed)


def envelope_of(frame: bytes) -> Envelope:
    """Return the envelope in a frame."""
    return Envelope.unpack(unpack_frame(frame)[1][0])


def author_of(frame: bytes) -> int:
    """Return the seat that a signed message names as its author."""
    return msgpack.unpackb(unpack_frame(frame)[1][0])[1]  # type: ignore[no-any-return]


def records_with(records: Sequence[Record], frame: bytes) -> list[Record]:
    """Return a log with one more frame."""
    return [*records, Record(frame[1], frame)]
