"""Who has signed what, and in which order each seat says that it has signed it (SPEC.md, section "Order").

Signatures and their order alone: the same for whoever reads a log and for the two sessions.
The header of every message says how long the common chain was that its author had seen, and how many side envelopes
of each seat.  None of these numbers ever goes back, so two messages of one seat that cannot both stand in one order
convict it: two with one number, or one that claims to be older than it is.  Nothing else has to be held for that.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Sequence
from contextlib import suppress
from operator import le
from typing import NamedTuple, TypeVar

from protocol.core.agreement import Agreement
from protocol.core.messages import AuditVerdict, Envelope, Header, OpenedSeed, Side, SideType, SignedOutcome
from protocol.crypto.keys import verify_digest
from protocol.errors import BadSignature, Damage, Misbehaviour, WireError
from protocol.game import Seat

M = TypeVar("M", bound=Header)


class Source(NamedTuple):
    """Where a frame comes from."""

    seat: Seat | None = None
    """Whose connection it was; None for a log, where the frame says so itself."""
    checked: bool = False
    """Whether this very program has signed it a moment ago, or checked who has."""


class Authors:
    """The keys of one match."""

    def __init__(self, agreement: Agreement) -> None:
        """Take the keys from the handshake."""
        self._agreement = agreement

    def read(
        self,
        unpack: Callable[[bytes], M],
        digest: bytes,
        data: bytes,
        signature: bytes,
        source: Source,
        frame: bytes,
        by_identity: bytes | None = None,
    ) -> M:
        """Return a message of this match that its author has signed.

        Args:
            unpack: reads the message.
            digest: what the signature covers.
            data: the bytes of the message.
            signature: by the author's match key.
            source: where it comes from.
            frame: the whole frame, as evidence.
            by_identity: the signature by the author's identity key, where there has to be one.

        Raises:
            Damage: it is not signed by whom it comes from, or belongs to another match.
            Misbehaviour: the author has signed what is no message, a message in the other's name, or counts for
                other seats than there are.
        """
        message: M | WireError
        try:
            message = unpack(data)
        except WireError as error:
            message = error
        seat = self.signer(None if isinstance(message, WireError) else message.seat, source, digest, signature)
        if by_identity is not None and not source.checked:
            self._check_key(seat, self._agreement.players[seat].identity, digest, by_identity)
        seats = len(self._agreement.players)
        if isinstance(message, WireError):
            fault = "malformed", f"{message.path}: {message.expected}", message.got
        elif message.match_id != self._agreement.match_id:
            # A key that was used in two matches is no fault of its owner that anybody could judge from here.
            raise Damage("wrong_match", self._agreement.match_id.hex(), message.match_id.hex())
        elif message.seat != seat:
            fault = "wrong_seat", f"seat {seat}", f"seat {message.seat}"
        elif len(message.sides) != seats:
            fault = "wrong_count", f"{seats} numbers of side envelopes", str(len(message.sides))
        else:
            return message
        raise Misbehaviour(*fault, seat=seat, seq=None, evidence=(frame,))

    def signer(self, named: Seat | None, source: Source, digest: bytes, signature: bytes) -> Seat:
        """Return whose match key signed, given what the message and the connection say.

        Raises:
            Damage: it is not the sender's; or in a log, nobody's.
        """
        if source.seat is not None:
            self.check(source.seat, source, digest, signature)
            return source.seat
        # In a log the author is whoever's key fits, first of all the one that the message names.
        for seat in sorted(range(len(self._agreement.players)), key=lambda one: one != named):
            with suppress(Damage):
                self.check(seat, source, digest, signature)
                return seat
        raise Damage("bad_signature", "a signature by one of the seats", "another one")

    def check(self, seat: Seat, source: Source, digest: bytes, signature: bytes) -> None:
        """Check the match key's signature of a seat.

        Raises:
            Damage: it is another one's, or not of the seat that the frame comes from.
        """
        if source.checked:
            return
        if source.seat not in (None, seat):
            raise Damage("bad_signature", f"a message of seat {source.seat}", f"one of seat {seat}")
        if seat >= len(self._agreement.players):
            raise Damage("bad_signature", "a seat of this match", f"seat {seat}")
        self._check_key(seat, self._agreement.players[seat].match_key, digest, signature)

    def _check_key(self, seat: Seat, public: bytes, digest: bytes, signature: bytes) -> None:
        try:
            verify_digest(public, digest, signature)
        except BadSignature as error:
            raise Damage(error.code, f"a signature by seat {seat}", "another one") from None


RESULT = "result", 1
"""The kind and the number of a result: each seat signs one."""

_ONCE = {SignedOutcome: RESULT, OpenedSeed: ("seed", 1), AuditVerdict: ("verdict", 1)}
"""What each seat signs once."""


class Mark(NamedTuple):
    """Where a message stands in what its author has signed."""

    seat: Seat
    """Its author."""
    what: tuple[str, int]
    """Its kind and number: nobody signs two with the same."""
    before: tuple[int, ...]
    """The length of the chain that its author had seen, and how many side envelopes of each seat, before it."""
    after: tuple[int, ...]
    """The same after it."""
    digest: bytes
    """The hash of what is signed."""
    frame: bytes
    acts: bool
    """Whether it may change how the match stands: chat does not, nor does what this program does not know."""

    @property
    def order(self) -> int:
        """A number that is greater the later a message stands."""
        return sum(self.before) + sum(self.after)

    def precedes(self, other: Mark) -> bool:
        """Say whether this one may stand before another one."""
        return all(map(le, self.after, other.before))

    def convict(self, code: str, expected: str, got: str, held: Mark | None = None) -> Misbehaviour:
        """Return what convicts its author of this message, or of another one beside it."""
        (what, number), evidence = self.what, (*([] if held is None else [held.frame]), self.frame)
        seq = number if what == "envelope" else None
        return Misbehaviour(code, expected, got, seat=self.seat, seq=seq, evidence=evidence)

    def undoes(self, result: Mark) -> bool:
        """Say whether this one stands behind its author's result and could change what both have signed there."""
        own = 1 + self.seat
        return self.after[0] > result.after[0] or (self.acts and self.after[own] > result.after[own])


def mark_of(message: Header, digest: bytes, frame: bytes) -> Mark:
    """Return where a message stands; its header has a count for each seat."""
    before = (message.seq, *message.sides)
    after = list(before)
    acts = False
    if isinstance(message, Envelope):
        what, acts = ("envelope", message.number), True
        after[0] += 1
    elif isinstance(message, Side):
        what = ("side envelope", message.number)
        acts = isinstance(message.type, SideType) and message.type is not SideType.CHAT
        after[1 + message.seat] += 1
    else:
        what = _ONCE[type(message)]
    return Mark(message.seat, what, before, tuple(after), digest, frame, acts)


class Testimony:
    """The messages of each seat that are held."""

    def __init__(self, seats: int) -> None:
        """Begin with nothing."""
        self._marks: list[list[Mark]] = [[] for _ in range(seats)]
        self._held: dict[tuple[Seat, str, int], Mark] = {}

    def seen(self, seat: Seat) -> int:
        """Return the length of the chain that a seat has seen by its own word."""
        marks = self._marks[seat]
        return marks[-1].after[0] if marks else 0

    def holds(self, mark: Mark) -> bool:
        """Say whether this very message is held."""
        same = self._held.get((mark.seat, *mark.what))
        return same is not None and same.digest == mark.digest

    def check(self, mark: Mark) -> None:
        """Check that a message can stand beside all that is held of its author.

        Raises:
            Misbehaviour: it cannot.
        """
        seat = mark.seat
        same = self._held.get((seat, *mark.what))
        if same is not None and same.digest != mark.digest:
            what, number = mark.what
            raise mark.convict("two_messages", f"one {what} {number}", "two", same)
        marks = self._marks[seat]
        # A result is its author's last word: what would come behind it undid what it has signed, and with it what the
        # other has signed, too.
        end = self._held.get((seat, *RESULT))
        if end is None and mark.what != RESULT and (not marks or marks[-1].precedes(mark)):
            # Nearly always a message stands behind all others of its author.
            return
        at = _find_place(marks, mark)
        # What is held stands in one order, so a message that fits between its neighbours fits everywhere.
        around = marks[max(0, at - 1) : at + 1]
        if mark.what == RESULT:
            beyond = [*marks[-1:], *[one for one in marks if one.acts][-1:]]
        else:
            beyond = [] if end is None else [end]
        for other in (*around, *beyond):
            result, earlier = (mark, other) if mark.what == RESULT else (other, mark)
            overtaken = result.what == RESULT and earlier.undoes(result)
            if other.digest != mark.digest and (overtaken or not (other.precedes(mark) or mark.precedes(other))):
                (what, number), (held, held_number) = mark.what, other.what
                raise mark.convict(
                    "backdated",
                    f"a {what} {number} that can stand beside the {held} {held_number} of its author",
                    f"{mark.before} before and {mark.after} after it, against {other.before} and {other.after}",
                    other,
                )

    def hold(self, mark: Mark) -> None:
        """Hold a message that was checked."""
        marks = self._marks[mark.seat]
        marks.insert(_find_place(marks, mark), mark)
        self._held[(mark.seat, *mark.what)] = mark


def _find_place(marks: Sequence[Mark], mark: Mark) -> int:
    """Return where a message stands among those of its author; nearly always it is the last."""
    if not marks or marks[-1].precedes(mark):
        return len(marks)
    return bisect_left(marks, mark.order, key=lambda one: one.order)
