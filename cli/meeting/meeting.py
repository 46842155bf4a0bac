"""Two programs meet: the handshake over a transport, with everything on disk before it is sent.

What is *not* here: how the other is found (``cli.app.host`` and ``join``) and the match itself
(``cli.match.match``).

What is kept for an invite lets nobody gain by hanging up (SPEC.md, "Start").  The host opens their coin before the
guest does, so a guest knows their side before the match has begun.  If they hang up then, or refuse the terms, and call
again, both coins are those of the first call: the lot has been drawn.  The host sees the guest's coin and blind before
their own signature is out; whatever they say then, the guest takes no other hello of theirs.
"""

import asyncio
import os
import secrets
import time
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Annotated

from cli.clean import clean
from cli.meeting.exchange import Exchange, ExchangeError
from cli.runtime.console import now, say
from cli.storage.people import BadBook, Book, Person
from cli.text import people
from protocol.core import afterwards, wire
from protocol.core import agreement as agreed
from protocol.core.frames import Entry, FrameKind, pack_frame
from protocol.core.game_data import HANDSHAKE_LENGTH, NO_CONDITIONS, Conditions
from protocol.core.handshake import Config, Handshake, HandshakeFailed, Offered, read_guest
from protocol.core.session import Session
from protocol.core.wire import FRAME_LIMIT, encode
from protocol.crypto.hashing import hash_parts
from protocol.crypto.keys import PrivateKey
from protocol.errors import WireError
from protocol.game import Decision, Seat, other
from protocol.record import JournalError, box
from protocol.record.files import change_file
from protocol.record.journal import Journal, translate_errors
from protocol.system.files import read_file
from protocol.tournament import exchange
from protocol.transport import Transport, TransportError
from storm_p2p import games

_SUFFIX = ".call"


@dataclass(slots=True)
class SeatDraw:
    """The host's side: the entropy of the invite, and who has called with which coin."""

    entropy: bytes = field(default_factory=lambda: secrets.token_bytes(32), repr=False)
    """One for the invite, however often somebody calls: it gives one coin, and one answer to each hello."""
    guest: tuple[bytes, bytes] | None = None
    """Identity and fixed coin of the first guest who has proved the secret; nobody else plays with this invite."""
    answered: dict[bytes, "Found | None"] = field(default_factory=dict)
    """What the last hello was answered with in a tournament: a guest who has signed it hears the same again."""


_SIGNED = wire.fields("signed", ("blind", wire.HASH), ("hello", wire.HASH), ("pick", wire.optional(wire.SEAT)))
_BOX_AT = 3
"""Where the box stands in the file, behind the heads of the array and of itself."""
_HOUR = 3600


@dataclass(frozen=True, slots=True)
class _Kept(wire.Packed):
    """What the file of a call holds."""

    box: Annotated[bytes, wire.octets(box.LENGTH)]
    name: Annotated[str, wire.text(wire.NAME_LIMIT)]
    signed: Annotated[tuple[bytes, bytes, Seat | None] | None, wire.optional(_SIGNED)] = None
    match: Annotated[bytes | None, wire.optional(wire.HASH)] = None


class PendingInvite:
    """The guest's side: the entropy with which an invite is answered, kept until the match has begun.

    A guest whose line breaks, or whose program dies, calls again as the same guest with the same coin.  Each call has a
    fresh blind; but once they have opened one, they say the same hello again, take no other answer to it, and
    names the same seat.
    """

    def __init__(self, folder: Path, secret: bytes, expires: int) -> None:
        """Name the file in a folder of matches; nothing is read or written yet.

        Args:
            folder: that of the matches.
            secret: the invite's, or for a rematch what the two of a match have in its place.
            expires: until when it is good, in seconds since 1970.
        """
        name = hash_parts("call", secret).hex()[:16]
        self._path = folder / f"{name}{_SUFFIX}"
        self._expires = expires

    def begin(self, name: str, identity: PrivateKey) -> tuple[bytes, str, bytes, bytes | None, Seat | None]:
        """Return entropy, name, blind, and what we have signed: the hash of the host's hello, and the seat we named.

        All but the blind of a call that has signed nothing are those of the first call, drawn and stored if this is it.

        Raises:
            JournalError: they cannot be read or stored; ``erased``: the match has begun here and is over.
        """
        fresh = _Kept(box.lock(secrets.token_bytes(32), identity), name)
        kept = self._read() or self._change(lambda kept: kept or fresh)
        entropy = box.unlock(kept.box, identity)
        if kept.signed is None:
            return entropy, name, secrets.token_bytes(32), None, None
        return entropy, kept.name, *kept.signed

    @property
    def has_signed(self) -> bool:
        """Whether a call has signed, so that the host may have begun the match.

        Raises:
            JournalError: that cannot be read.
        """
        kept = self._read()
        return kept is not None and kept.signed is not None

    def match(self) -> bytes | None:
        """Return the match that has begun with this invite, if one has.

        Raises:
            JournalError: that cannot be read.
        """
        kept = self._read()
        return None if kept is None else kept.match

    def signs(self, name: str, blind: bytes, hello: bytes, pick: Seat | None) -> None:
        """Note the hello of ours, the hash of the host's and our seat before our blind is opened to them.

        Raises:
            JournalError: that cannot be stored; ``in-use``: another program has signed with this invite meanwhile.
        """

        def sign(kept: _Kept | None) -> _Kept:
            assert kept is not None
            if kept.signed not in (None, (blind, hello, pick)):
                raise JournalError("in-use", f"{self._path.name} is open in another program")
            return replace(kept, name=name, signed=(blind, hello, pick))

        self._change(sign)

    def begun(self, match_id: bytes) -> None:
        """Note the match after its lot was drawn, so that the invite leads to it and not to another one.

        Raises:
            JournalError: that cannot be stored.
        """

        def begin(kept: _Kept | None) -> _Kept:
            assert kept is not None
            return replace(kept, match=match_id)

        self._change(begin)
        with translate_errors(self._path):
            self._sweep()

    def erase(self) -> None:
        """Overwrite the entropy, if it is here; the invite still leads to its match.

        Raises:
            JournalError: that cannot be stored.
        """
        with translate_errors(self._path), suppress(FileNotFoundError), self._path.open("r+b") as file:
            expires = os.fstat(file.fileno()).st_mtime
            file.seek(_BOX_AT)
            file.write(box.ERASED)
            file.flush()
            os.fsync(file.fileno())
            os.utime(self._path, (expires, expires))

    def _read(self) -> _Kept | None:
        with translate_errors(self._path), suppress(FileNotFoundError):
            return self._unpack(read_file(self._path))
        return None

    def _unpack(self, data: bytes) -> _Kept:
        try:
            return _Kept.unpack(data)
        except WireError:
            raise JournalError("damaged", f"{self._path.name} is damaged") from None

    def _change(self, how: Callable[[_Kept | None], _Kept]) -> _Kept:
        """Store what comes of what is stored, and return it."""
        found: list[_Kept] = []

        def write(data: bytes | None) -> bytes:
            found[:] = (how(None if data is None else self._unpack(data)),)
            return found[0].pack()

        with translate_errors(self._path):
            # The time of the file is that of the invite's end, by which it is swept away.
            change_file(self._path, write, modified=self._expires)
        return found[0]

    def _sweep(self) -> None:
        """Delete the calls whose invites have expired, and what a program that was killed has half written."""
        for path in (*self._path.parent.glob(f"*{_SUFFIX}"), *self._path.parent.glob(".*.part")):
            # One that another program was writing has its own name by now; what cannot go keeps no match away.
            with suppress(OSError):
                if path.stat().st_mtime < time.time() - _HOUR:
                    path.unlink()


HANDSHAKE_SECONDS = 10.0
"""How long the other's program may take for a message of the handshake."""
CONSENT_SECONDS = 600.0
"""How long a guest who has proved the invite's secret may think about the terms."""
CAPABILITIES = ("event", "watched", afterwards.CAPABILITY, exchange.CAPABILITY)
"""What this program can do beside what every one can: it knows places in a tournament, talks after a match, and, the
last of them, exchanges the files of a tournament."""


class NoMatch(Exception):
    """There will be no match; ``event`` says what did not fit, or is None when the line was lost."""

    def __init__(self, event: HandshakeFailed | None, *, proved: bool = False) -> None:
        super().__init__("no match" if event is None else str(event))
        self.event = event
        self.proved = proved
        """Whether the other had shown the invite's secret."""


class Stranger(NoMatch):
    """Somebody came under a known name with another key; the person at this end has to say what they think of it."""

    def __init__(self, name: str, known: Person, key: bytes) -> None:
        super().__init__(HandshakeFailed("changed_key", "the key that is known", "another"), proved=True)
        self.warning = people.changed(name, known, key)
        """What happened, what it can mean and what to do."""


@dataclass(frozen=True, slots=True)
class Proposal:
    """What a host proposes to play."""

    terms: Decision
    """As the game writes them."""
    scheme: str
    """How secrets are hidden."""
    conditions: Conditions = NO_CONDITIONS
    """Clock and witness."""
    seating: tuple[int, ...] = agreed.LOT
    """How seats are given."""

    @property
    def hash(self) -> bytes:
        """What an invite carries of it."""
        return terms_hash(self.terms, self.scheme, self.conditions)


def terms_hash(terms: Decision, scheme: str, conditions: Conditions) -> bytes:
    """Return the half hash of the terms that an invite carries (SPEC.md, "Invite")."""
    offered = (encode(terms), scheme.encode("ascii"), encode(conditions.value()))
    return hash_parts("terms", *offered)[:16]


Found = tuple[Proposal, bytes]
"""What a host proposes, and the half hash of the identity of the only one to whom."""

Consent = Callable[[Offered], Awaitable[tuple[bool, Seat | None]]]
"""Asks the guest whether they take an offer, and which seat if they may choose."""


@dataclass(frozen=True, slots=True)
class Wishes:
    """What a player brings."""

    name: str
    identity: PrivateKey
    folder: Path
    """Where the journals are."""
    secret: bytes
    """Of the invite."""
    peer: bytes | None = None
    """The half hash of the other's identity, where a line names it."""
    kept: Mapping[str, bytes] = field(default_factory=dict)
    """What is stored with the match, for finding each other again."""
    book: Book | None = None
    """The address book of a person; a program has nobody to ask and keeps none."""
    game: str = games.STORM
    """The name of the game that is played."""
    data: bytes = b""
    """What it is played with beside the terms, if there is anything."""
    peer_name: str | None = None
    """The other's name in a rematch: that of the match before."""
    exchange: Exchange | None = None
    """What gives and takes the files of a tournament before the match."""
    find_game: "Callable[[bytes], Found | None] | None" = None
    """Host in a tournament: returns the game to be played when files have come, with the owner of a key if possible."""


@dataclass(frozen=True, slots=True)
class Met:
    """A session that has begun, and where it is stored."""

    session: Session
    journal: Journal


def _config(link: Transport, wishes: Wishes, role: agreed.Role, name: str, entropy: bytes) -> Config:
    """Return what both sides bring to a handshake."""
    return Config(
        *(role, games.find_newest(wishes.game), wishes.identity, name, entropy, wishes.secret, link.channel),
        data=wishes.data,
        peer_identity=wishes.peer,
        peer_name=wishes.peer_name,
        capabilities=CAPABILITIES,
    )


async def host(link: Transport, wishes: Wishes, proposal: Proposal, lot: SeatDraw) -> Met:
    """Agree on a match as the host; ``lot`` is the invite's, and remembers the guest.

    Raises:
        NoMatch: the two do not fit, or the line is lost.
        protocol.transport.TransportError: what came is no frame.
        protocol.record.journal.JournalError: it cannot be stored.
    """
    frame = None
    if wishes.find_game is not None:
        frame, (proposal, peer) = await _exchange_first(link, wishes, lot, (proposal, wishes.peer or b""))
        wishes = replace(wishes, peer=peer)
    config = replace(
        _config(link, wishes, agreed.Role.HOST, wishes.name, lot.entropy),
        terms=proposal.terms,
        scheme=proposal.scheme,
        seating=proposal.seating,
        first_guest=lot.guest,
        conditions=proposal.conditions,
    )
    shake = _Shake(link, wishes, config)
    if frame is not None:
        shake.handshake.receive_data(frame)
    try:
        return await shake.run()
    finally:
        # Where no side is drawn nobody gains by another call, and the invite stays open to everybody.
        if proposal.seating == agreed.LOT:
            lot.guest = lot.guest or shake.handshake.guest


async def _receive(link: Transport, seconds: float, *, proved: bool) -> bytes:
    """Return what the other says within so many seconds.

    Raises:
        NoMatch: they say nothing, or the line is lost.
    """
    frame: bytes | None = None
    with suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            frame = await link.receive()
    if frame is None:
        raise NoMatch(None, proved=proved)
    return frame


async def _exchange_first(link: Transport, wishes: Wishes, lot: SeatDraw, known: Found) -> tuple[bytes, Found]:
    """Return a guest's hello and which game is played, after both have given each other the files of the tournament."""
    frame = await _receive(link, HANDSHAKE_SECONDS, proved=False)
    hello = read_guest(frame, wishes.secret)
    if hello is None or wishes.find_game is None:
        # They hear nothing of any game; the handshake says why.
        return frame, known
    if frame not in lot.answered:
        files = wishes.exchange
        if files is not None and exchange.CAPABILITY in hello.capabilities and not files.failed:
            try:
                await files.begin(link)
            except ExchangeError:
                raise NoMatch(None, proved=True) from None
        # The line lives on while logs that have just come are judged.
        lot.answered = {frame: await asyncio.to_thread(wishes.find_game, hello.identity)}
    found = lot.answered[frame]
    if found is None:
        await link.send(pack_frame(FrameKind.REFUSAL, "no_terms", "no game"))
        raise NoMatch(HandshakeFailed("no_terms", "a game of the tournament", "none"), proved=True)
    return frame, found


async def guest(link: Transport, wishes: Wishes, call: PendingInvite, consent: Consent) -> Met:
    """Agree on a match as the guest; ``call`` is the invite's.  Raises as :func:`host` does."""
    entropy, name, blind, signed, pick = call.begin(wishes.name, wishes.identity)
    # Whoever has signed says the same hello again.
    refuses = signed is None and wishes.exchange is not None and wishes.exchange.failed
    config = replace(
        _config(link, wishes, agreed.Role.GUEST, name, entropy),
        blind=blind,
        pick=pick,
        accept_any=True,
        host_hello=signed,
        capabilities=CAPABILITIES[:-1] if refuses else CAPABILITIES,
    )
    return await _Shake(link, wishes, config, consent, call).run()


@dataclass(slots=True)
class _Shake:
    """One handshake with its journal."""

    link: Transport
    wishes: Wishes
    config: Config
    consent: Consent | None = None
    call: PendingInvite | None = None
    handshake: Handshake = field(init=False)
    journal: Journal | None = None
    stored: int = 0
    begun: bool = False
    """Whether there is a match."""
    exchanged: bool = False
    """Whether a host has given us the files of a tournament, which is done once."""

    def __post_init__(self) -> None:
        self.handshake = Handshake(self.config)

    async def run(self) -> Met:
        """Talk until both have signed."""
        try:
            while (agreement := self.handshake.agreement) is None:
                await self._talk()
            is_host = self.config.role is agreed.Role.HOST
            peer = agreement.players[other(agreement.host_seat) if is_host else agreement.host_seat]
            if is_host:
                # Our signature, without which there is no match, is not out yet.
                await self._check_person(peer.name, peer.identity)
            # From here on there is a match: it can be resumed before the other has our last signature.
            self._store()
            assert self.journal is not None
            if self.call is not None:
                self.call.begun(agreement.match_id)
            self.journal.meet(agreement.match_id, peer.name)
            self.begun = True
            await self._send()
            session = Session.begin(self.handshake, aux_rand=secrets.token_bytes(32), now=now())
            self._remember(peer.name, peer.identity)
            self.journal.append(session.records_to_store()[self.stored :])
            self.link.limit = FRAME_LIMIT
            return Met(session, self.journal)
        except BaseException:
            if self.journal is not None and not self.begun:
                self.journal.discard()
            raise

    async def _talk(self) -> None:
        await self._send()
        events = self.handshake.events_received()
        for event in events:
            if isinstance(event, HandshakeFailed):
                await self._send()
                raise NoMatch(event, proved=self.stored > 0)
            if isinstance(event, Offered):
                await self._answer(event)
        if events:
            return
        # A guest who has shown the secret is a person who reads the terms; a host who has got files judges them.
        thinking = (self.consent is None and self.stored > 0) or self.exchanged
        seconds = CONSENT_SECONDS if thinking else HANDSHAKE_SECONDS
        frame = await _receive(self.link, seconds, proved=self.stored > 0)
        files = None if self.exchanged or self.call is None else self.wishes.exchange
        if files is not None and exchange.is_exchange(frame):
            self.exchanged = True
            try:
                await files.answer(self.link, frame)
            except ExchangeError:
                raise NoMatch(None) from None
            return
        self.handshake.receive_data(frame)

    async def _check_person(self, name: str, key: bytes) -> None:
        """Turn away whoever comes under a known name with another key, or no visible one, before anything is signed.

        Raises:
            NoMatch: nothing of the name can be shown.
            Stranger: that is so.
        """
        if not clean(name):
            await self.link.send(pack_frame(FrameKind.REFUSAL, "bad_name", ascii(name)[:100]))
            raise NoMatch(HandshakeFailed("bad_name", "a name that can be shown", ascii(name)), proved=True)
        book = self.wishes.book
        if book is None:
            return
        known = book.refuses(name, key)
        if known is not None:
            await self.link.send(pack_frame(FrameKind.REFUSAL, "changed_key", key.hex()))
            raise Stranger(name, known, key)

    def _remember(self, name: str, key: bytes) -> None:
        book = self.wishes.book
        if book is None:
            return
        try:
            new, others = book.met(name, key)
        except (BadBook, OSError) as error:
            # The match has begun for both, and goes on.
            say(people.not_remembered(name, str(error)))
            return
        if new:
            say(people.first(name, key))
        if others:
            say(people.alias(name, others))

    async def _answer(self, event: Offered) -> None:
        assert self.consent is not None
        await self._check_person(event.name, event.identity)
        # Whoever has signed this very hello is not asked again: another seat would be a second match of one key.
        signed = self.config.host_hello is not None
        accepted, pick = (True, self.config.pick) if signed else await self.consent(event)
        if accepted:
            hello = self.handshake.host_hello
            if self.call is not None and hello is not None:
                self.call.signs(self.config.name, self.config.blind, hello, pick)
            self.handshake.accept(pick)
        else:
            self.handshake.refuse()

    async def _send(self) -> None:
        """Send what is to be sent, after it is on disk."""
        self._store()
        for frame in self.handshake.data_to_send():
            # Whoever has closed the line may have said why before: that is still to be read.
            with suppress(TransportError):
                await self.link.send(frame)

    def _store(self) -> None:
        records = self.handshake.records
        # A lone greeting is not worth a file: most of them come from strangers, or find nobody.
        if len(records) < 2 or self.handshake.failure is not None:
            return
        if self.journal is None:
            self.journal = Journal.create(
                self.wishes.folder,
                started_at=int(time.time()),
                role=self.config.role,
                name=self.config.name,
                entropy=self.handshake.entropy,
                identity=self.config.identity,
            )
            for word, value in self.wishes.kept.items():
                self.journal.keep(word, value)
        if len(records) > self.stored:
            # The guest says the first word and the third; the data of the game each of the two has already.
            first = self.config.role is agreed.Role.HOST
            ours = [number % 2 == first or number >= HANDSHAKE_LENGTH for number in range(len(records))]
            entries = list(map(Entry, ours, records))
            self.journal.append(entries[self.stored :])
            self.stored = len(records)
