"""What two players say to each other after a match that both hold (SPEC.md, section "After the match").

Chat, and whether there is to be another match.  None of it is part of a log or signed: nothing that is said here can
change the match that is over, and another one begins with a handshake of its own.
"""

from collections.abc import Callable
from enum import IntEnum
from typing import Any, TypeAlias

from protocol import VERSIONS
from protocol.core import wire
from protocol.core.agreement import Agreement
from protocol.core.events import AfterwardsEvent, ChatReceived, OtherLeft, RematchDeclined, RematchOffered
from protocol.core.frames import TALK, unsigned_schema
from protocol.crypto.hashing import derive
from protocol.errors import Damage, LocalProtocolError, WireError, raised_as
from protocol.game import Seat, other

CAPABILITY = "rematch"
"""What both programs have to name in their hellos."""

TALK_LIMIT = 1000
"""How much either side may say on one connection; nothing of it is kept, but each line is shown."""

NONCE_LENGTH = 32


class TalkType(IntEnum):
    """What is said.  An odd type that is not known is passed over; an even one ends the connection."""

    CHAT = 1
    """A line of text."""
    OFFER = 2
    """The sender wants another match, of a tournament the one with the place that is named; it begins when both do."""
    DECLINE = 3
    """The sender does not want the match that is offered."""
    BEGIN = 4
    """Both have offered; the sender's next frame is one of the handshake."""
    LEAVE = 5
    """The sender hangs up and does not come back."""


def _nothing(value: object) -> None:
    if value is not None:
        raise WireError("bad_talk", "nil", wire.describe(value))


_NUMBER = wire.integer(1, 65_535)
_BODIES: dict[int, wire.Check] = {
    TalkType.CHAT: wire.text(wire.CHAT_LIMIT),
    TalkType.OFFER: wire.optional(
        wire.fields("place", ("event", wire.HASH), ("round", _NUMBER), ("table", _NUMBER), ("game", _NUMBER))
    ),
    TalkType.DECLINE: _nothing,
    TalkType.BEGIN: wire.octets(NONCE_LENGTH),
    TalkType.LEAVE: _nothing,
}
_TALK = unsigned_schema("talk", TALK, _BODIES, unknown=wire.octets(0, 1024))
_LONGEST = 4096
"""The most bytes of a frame."""


Place: TypeAlias = tuple[bytes, int, int, int]
"""A tournament with round, table and game."""


def pack_talk(kind: int, body: str | bytes | Place | None) -> bytes:
    """Return the frame that says something.

    Raises:
        WireError: it cannot be said.
    """
    return wire.pack((TALK, VERSIONS[-1], int(kind), body), _TALK)


def unpack_talk(frame: bytes) -> tuple[int, Any]:
    """Return the type of what a frame says, and its body.

    Raises:
        WireError: it says nothing.
    """
    value: Any = wire.unpack(frame, _TALK, _LONGEST)
    return value[2], value[3]


class Afterwards:
    """One seat's side of what is said after its match."""

    def __init__(
        self, agreement: Agreement, seat: Seat, *, put: Callable[[bytes], None], is_open: Callable[[], bool]
    ) -> None:
        """Begin with nothing said; ``put`` sends a frame, ``is_open`` says whether both hold the match and are here."""
        self._agreement = agreement
        self._seat = seat
        self._put = put
        self._is_open = is_open
        self.is_known = CAPABILITY in agreement.capabilities
        """Whether both programs know this."""
        self.is_place = agreement.conditions.event is not None
        """Whether the match had a place in an event, which is played once."""
        self.next_place: Place | None = None
        """The place that the two play next, once the shell has found one: the other match that is offered has it."""
        self.shut = False
        """Whether nothing more goes into the record, because its log is written; the shell says so."""
        self.on_change: Callable[[], None] = lambda: None
        """Is called when there is something new to send."""
        self.part()

    def part(self) -> None:
        """Forget what was offered: it lapses with its connection."""
        self.offered = False
        """Whether our offer stands."""
        self.offer_received = False
        """Whether the other's does."""
        self._nonce = b""
        self._began: bytes | None = None
        self._begun: bytes | None = None
        self._heard = self._said = 0

    @property
    def begins(self) -> bool:
        """Whether both have said that the handshake of another match follows; nothing else is said here then."""
        return self._began is not None and self._begun is not None

    @property
    def secret(self) -> bytes:
        """The 16 bytes that take the place of an invite's secret.

        Raises:
            LocalProtocolError: no other match begins.
        """
        if self._began is None or self._begun is None:
            raise LocalProtocolError("no_offer", "two offers of another match", "less")
        mine, theirs = self._began, self._begun
        hosting = self._seat == self._agreement.host_seat
        nonces = (mine, theirs) if hosting else (theirs, mine)
        return derive(b"".join(nonces), "rematch", self._agreement.match_id)[:16]

    # --- what our player does ---

    def chat(self, text: str) -> None:
        """Say a line.

        Raises:
            LocalProtocolError: nobody hears it, or it is not text that may be sent.
        """
        self._check_open()
        self._send(TalkType.CHAT, text)

    def offer(self, nonce: bytes) -> None:
        """Offer another match, or take the other's offer; a standing offer is not made again.

        Args:
            nonce: 32 fresh random bytes.

        Raises:
            LocalProtocolError: nobody hears it, or there is no other match after this one.
        """
        if self.is_place and self.next_place is None:
            raise LocalProtocolError("place_played", "a match outside of events", "one that has its place in one")
        self._check_open()
        if self.offered:
            raise LocalProtocolError("offer_stands", "no offer that stands", "one")
        self._send(TalkType.OFFER, self.next_place)
        self.offered, self._nonce = True, nonce
        self._begin_if_agreed()

    def decline(self) -> None:
        """Decline the other's offer.

        Raises:
            LocalProtocolError: there is none.
        """
        self._check_open()
        if not self.offer_received:
            raise LocalProtocolError("no_offer", "an offer of another match", "none")
        self._send(TalkType.DECLINE, None)
        self.offer_received = False

    def leave(self) -> None:
        """Say that we hang up, if anybody hears it."""
        if self.is_known and self._is_open() and self._began is None:
            self._put(pack_talk(TalkType.LEAVE, None))

    def _check_open(self) -> None:
        if not self.is_known or not self._is_open() or self._began is not None:
            raise LocalProtocolError("nobody_there", "the other's program after the match", "none")

    def _send(self, kind: TalkType, body: str | bytes | Place | None) -> None:
        if self._said >= TALK_LIMIT:
            raise LocalProtocolError("too_many", f"at most {TALK_LIMIT} words after a match", "one more")
        with raised_as(LocalProtocolError, WireError):
            frame = pack_talk(kind, body)
        self._said += 1
        self._put(frame)
        self.on_change()

    def _begin_if_agreed(self) -> None:
        if self.offered and self.offer_received and self._began is None:
            self._began = self._nonce
            self._put(pack_talk(TalkType.BEGIN, self._nonce))

    # --- what comes in ---

    def take(self, frame: bytes) -> list[AfterwardsEvent]:
        """Take a frame of the other.

        Raises:
            Damage: it must not be said now, or not at all; drop the connection.
            WireError: it does not have its form.
        """
        if not self.is_known or not self._is_open() or self._begun is not None:
            raise Damage("unexpected_frame", "talk after a match that both hold", "other talk")
        self._heard += 1
        if self._heard > TALK_LIMIT + 2:
            raise Damage("unexpected_frame", f"at most {TALK_LIMIT} words after a match", "one more")
        kind, body = unpack_talk(frame)
        peer = other(self._seat)
        match kind:
            case TalkType.CHAT:
                return [ChatReceived(peer, body)]
            case TalkType.OFFER if self.offer_received or body != self.next_place or (self.is_place and body is None):
                # An event has no place for it, or not this one; twice the same says nothing more.
                return []
            case TalkType.OFFER:
                self.offer_received = True
                agreed = self.offered
                self._begin_if_agreed()
                return [] if agreed else [RematchOffered(peer, is_next=self.is_place)]
            case TalkType.DECLINE if self.offered and self._began is None:
                self.offered = False
                return [RematchDeclined(peer)]
            case TalkType.DECLINE:
                return []
            case TalkType.LEAVE:
                return [OtherLeft(peer)]
            case TalkType.BEGIN if self._began is None:
                raise Damage("unexpected_frame", "BEGIN after both have offered", "BEGIN before")
            case TalkType.BEGIN if body == self._began:
                raise Damage("mirror", "a nonce of its own", "ours")
            case TalkType.BEGIN:
                self._begun = body
                return []
        if kind % 2 == 0:
            raise Damage("unknown_message", "a type that this program knows", f"type {kind}")
        return []
