"""Two programs meet: the handshake over a transport, with everything on disk before it is sent.

What is *not* here: how the other is found (``cli.app.host`` and ``join``) and the match itself
(``cli.match.match``).
"""

import asyncio
import secrets
import time
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from cli.clean import clean
from cli.meeting.lot import Call, Lot
from cli.runtime.console import now, say
from cli.storage.people import BadBook, Book, Person
from cli.text import people as words
from protocol.core import afterwards
from protocol.core import agreement as agreed
from protocol.core.conditions import NO_CONDITIONS, Conditions
from protocol.core.frames import Entry, FrameKind, pack_frame
from protocol.core.game_data import HANDSHAKE_LENGTH
from protocol.core.handshake import Config, Handshake, HandshakeFailed, Offered
from protocol.core.session import Session
from protocol.core.wire import FRAME_LIMIT, encode
from protocol.crypto.hashing import hash_parts
from protocol.crypto.keys import PrivateKey
from protocol.game import Decision, Seat, other
from protocol.record.journal import Journal
from protocol.transport import Transport, TransportError
from storm_p2p import games

HANDSHAKE_SECONDS = 10.0
"""How long the other's program may take for a message of the handshake."""
CONSENT_SECONDS = 600.0
"""How long a guest who has proved the invite's secret may think about the terms."""
CAPABILITIES = ("event", afterwards.CAPABILITY)
"""What this program can do beside what every one can: it knows places in a tournament, and talks after a match."""


class NoMatch(Exception):
    """There will be no match; ``event`` says what did not fit, or is None when the line was lost."""

    def __init__(self, event: HandshakeFailed | None, *, proved: bool = False) -> None:
        super().__init__("no match" if event is None else str(event))
        self.event = event
        self.proved = proved
        """Whether the other had shown the invite's secret."""


class Stranger(NoMatch):
    """Somebody came under a known name with another key; the person at this end has to say what he thinks of it."""

    def __init__(self, name: str, known: Person, key: bytes) -> None:
        super().__init__(HandshakeFailed("changed_key", "the key that is known", "another"), proved=True)
        self.warning = words.changed(name, known, key)
        """What happened, what it can mean and what to do."""


@dataclass(frozen=True, slots=True)
class Offer:
    """What the host wants to play, as the guest is asked about it."""

    name: str
    terms: Decision
    """As the game writes them."""
    scheme: str
    seating: tuple[int, ...] = agreed.LOT
    """How seats are given."""
    conditions: Conditions = NO_CONDITIONS
    """Clock, witness and the place in a tournament."""

    @property
    def choose_seat(self) -> bool:
        """Whether the guest may choose."""
        return self.seating == agreed.GUEST_CHOOSES


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


Consent = Callable[[Offer], Awaitable[tuple[bool, Seat | None]]]
"""Asks the guest whether he takes an offer, and which seat if he may choose."""


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


@dataclass(frozen=True, slots=True)
class Met:
    """A session that has begun, and where it is stored."""

    session: Session
    journal: Journal


async def host(link: Transport, wishes: Wishes, proposal: Proposal, lot: Lot) -> Met:
    """Agree on a match as the host; ``lot`` is the invite's, and remembers the guest.

    Raises:
        NoMatch: the two do not fit, or the line is lost.
        protocol.transport.TransportError: what came is no frame.
        protocol.record.journal.JournalError: it cannot be stored.
    """
    config = Config(
        agreed.Role.HOST, games.find_newest(wishes.game), wishes.identity, wishes.name, lot.entropy, wishes.secret,
        link.channel, terms=proposal.terms, scheme=proposal.scheme, seating=proposal.seating, first_guest=lot.guest,
        peer_identity=wishes.peer, peer_name=wishes.peer_name, conditions=proposal.conditions,
        capabilities=CAPABILITIES, data=wishes.data,
    )  # fmt: skip
    shake = _Shake(link, wishes, config, None)
    try:
        return await shake.run()
    finally:
        # Where no side is drawn nobody gains by another call, and the invite stays open to everybody.
        if proposal.seating == agreed.LOT:
            lot.guest = lot.guest or shake.handshake.guest


async def guest(link: Transport, wishes: Wishes, call: Call, consent: Consent) -> Met:
    """Agree on a match as the guest; ``call`` is the invite's.  Raises as :func:`host` does."""
    entropy, name, blind, signed, pick = call.begin(wishes.name, wishes.identity)
    config = Config(
        agreed.Role.GUEST, games.find_newest(wishes.game), wishes.identity, name, entropy, wishes.secret, link.channel,
        blind=blind, pick=pick, accept_any=True, peer_identity=wishes.peer, peer_name=wishes.peer_name,
        host_hello=signed, capabilities=CAPABILITIES, data=wishes.data,
    )  # fmt: skip
    return await _Shake(link, wishes, config, consent, call).run()


class _Shake:
    """One handshake with its journal."""

    def __init__(
        self, link: Transport, wishes: Wishes, config: Config, consent: Consent | None, call: Call | None = None
    ) -> None:
        self.link = link
        self.call = call
        self.wishes = wishes
        self.config = config
        self.consent = consent
        self.handshake = Handshake(config)
        self.journal: Journal | None = None
        self.stored = 0
        self.begun = False
        """Whether there is a match."""

    async def run(self) -> Met:
        """Talk until both have signed."""
        try:
            while self.handshake.agreement is None:
                await self._talk()
            if self.config.role is agreed.Role.HOST:
                # Our signature, without which there is no match, is not out yet.
                guest = self.handshake.agreement.players[other(self.handshake.agreement.host_seat)]
                await self._check_person(guest.name, guest.identity)
            agreement = self.handshake.agreement
            host = self.config.role is agreed.Role.HOST
            peer = agreement.players[other(agreement.host_seat) if host else agreement.host_seat]
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
        try:
            # A guest who has shown the secret is a person who reads the terms.
            thinking = self.consent is None and self.stored > 0
            async with asyncio.timeout(CONSENT_SECONDS if thinking else HANDSHAKE_SECONDS):
                frame = await self.link.receive()
        except TimeoutError:
            raise NoMatch(None, proved=self.stored > 0) from None
        if frame is None:
            raise NoMatch(None, proved=self.stored > 0)
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
            say(words.not_remembered(name, str(error)))
            return
        if new:
            say(words.first(name, key))
        if others:
            say(words.alias(name, others))

    async def _answer(self, event: Offered) -> None:
        assert self.consent is not None
        await self._check_person(event.name, event.identity)
        offer = Offer(event.name, event.terms, event.scheme, event.seating, event.conditions)
        # Whoever has signed this very hello is not asked again: another seat would be a second match of one key.
        signed = self.config.host_hello is not None
        accepted, pick = (True, self.config.pick) if signed else await self.consent(offer)
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
                self.wishes.folder, started_at=int(time.time()), role=self.config.role, name=self.config.name,
                entropy=self.handshake.entropy, identity=self.config.identity,
            )  # fmt: skip
            for word, value in self.wishes.kept.items():
                self.journal.keep(word, value)
        if len(records) > self.stored:
            # The guest says the first word and the third; the data of the game each of the two has by himself.
            first = self.config.role is agreed.Role.HOST
            ours = [number % 2 == first or number >= HANDSHAKE_LENGTH for number in range(len(records))]
            entries = list(map(Entry, ours, records))
            self.journal.append(entries[self.stored :])
            self.stored = len(records)
