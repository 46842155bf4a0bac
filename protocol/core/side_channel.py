"""What a player may do beside the game at any time: talk, give up, agree on a draw or a break, claim the match.

This is one half of :class:`protocol.core.session.Session`; the other half is the game.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass

from protocol.core.agreement import Agreement
from protocol.core.claims import Claim
from protocol.core.clock.measure import Stopwatches
from protocol.core.clock.terms import ClockKind, silence_wanted
from protocol.core.events import Event
from protocol.core.frames import Kind, unpack_frame
from protocol.core.messages import Break, Ground, SideBody, SideType
from protocol.core.stages import Stage
from protocol.core.transcript import Transcript
from protocol.core.witness import MESSAGE_LIMIT, STATEMENT_LIMIT, request, shown
from protocol.errors import Damage, LocalProtocolError, WireError
from protocol.game import Seat


@dataclass(frozen=True, slots=True)
class Face:
    """What both clocks show."""

    left: tuple[int, ...]
    """The seconds that each seat has left: ours by our own word, the other's by our reading."""
    running: Seat | None
    """Whose clock runs; None in a break and after the end."""


class Asides(ABC):
    """The half of a session that is not the game."""

    agreement: Agreement
    seat: Seat
    peer: Seat
    _transcript: Transcript
    _stopwatches: Stopwatches
    stopped: Event | None
    _asked_witness: int
    """How many records need not be shown to the witness any more."""

    @abstractmethod
    def _side(self, kind: SideType, body: SideBody) -> None:
        """Send a side envelope."""

    @abstractmethod
    def _sign_result(self) -> None:
        """Sign the result."""

    @abstractmethod
    def _settle(self, now: float = 0.0) -> None:
        """Do what follows."""

    @property
    @abstractmethod
    def waiting_for(self) -> Seat | None:
        """Who must write the next envelope, or None."""

    @property
    @abstractmethod
    def over(self) -> bool:
        """Whether the match has its result."""

    @property
    @abstractmethod
    def seq(self) -> int:
        """The number of envelopes so far."""

    @abstractmethod
    def _run_stopwatches(self, now: float = 0.0) -> None:
        """Let the stopwatch of whoever must write run, and no other."""

    # --- time ---

    def tick(self, now: float) -> None:
        """Tell the time while nothing happens; a session that was begun without one starts measuring here."""
        self._run_stopwatches(now)

    def remember(self, now: float) -> bytes:
        """Return what has to be kept so that the clocks go on after a restart."""
        self._stopwatches.tell(now)
        return self._stopwatches.memory(self.seq)

    def recall(self, memory: bytes, now: float) -> float:
        """Take up after a restart what :meth:`remember` has returned; what has passed since is time without a line.

        Returns the seconds that have passed, less than 0 if the caller's clock was set back and more than
        :data:`protocol.core.clock.measure.LEAP` if it was set ahead; neither counts as time.
        """
        self._stopwatches.tell(now)
        clock = self.agreement.conditions.clock
        absent = clock is None or clock.kind is ClockKind.TURN
        return self._stopwatches.recall(memory, self.seq, self._transcript.written(self.seat), absent=absent)

    # --- looking ---

    @property
    def draw_offer(self) -> int | None:
        """The number of the other's draw offer that may be accepted now."""
        offers = self._transcript.status.offers[self.peer]
        return offers[-1] if offers and not self.over else None

    @property
    def proposal(self) -> tuple[int, Break] | None:
        """The other's proposal of a break that may be agreed to now: its number and what it is."""
        found = self._transcript.status.breaks.open[self.peer]
        return list(found.items())[-1] if found and self.waiting_for is not None else None

    def same_proposal(self, what: Break) -> int | None:
        """Return the number of the other's open proposal of this very break, or None."""
        found = self._transcript.status.breaks.open[self.peer] if self.waiting_for is not None else {}
        return next((number for number, proposed in found.items() if proposed is what), None)

    def own_proposal(self, what: Break) -> int | None:
        """Return the number of our last open proposal of this very break, or None."""
        found = self._transcript.status.breaks.open[self.seat] if self.waiting_for is not None else {}
        return next((number for number, proposed in reversed(found.items()) if proposed is what), None)

    @property
    def agreed_break(self) -> Break | None:
        """The break in which the match stands."""
        return None if self.waiting_for is None else self._transcript.status.breaks.agreed

    @property
    def claim_against_us(self) -> Claim | None:
        """The other's claim that we may sign, deny or play on against."""
        claim = self._transcript.status.claims.of(self.peer)
        return None if claim is None or claim.decides or self.waiting_for is None else claim

    def face(self, now: float = 0.0) -> Face | None:
        """Return what the clocks show; None in a match without."""
        times = self._transcript.times
        if times is None:
            return None
        self._stopwatches.tell(now)
        spent, away, *reading = self._stopwatches.stamp()
        left = [0, 0]
        left[self.seat] = times.claimed[self.seat].run((spent, away)).left
        left[self.peer] = times.running(self.peer, (reading[0], reading[1])).left
        return Face(tuple(left), None if self.agreed_break is not None else self.waiting_for)

    @property
    def reading(self) -> tuple[int, int]:
        """How long the other has taken since our last envelope, and for how long of it the line was down."""
        return self._stopwatches.reading()

    def claimable(self, now: float = 0.0) -> Ground | None:
        """Return what the match may be claimed for now, by our clock; it is an offer and nothing happens by itself."""
        self._stopwatches.tell(now)
        transcript = self._transcript
        playing = transcript.stages[self.seat] is Stage.PLAYING and self.waiting_for is not None
        if not playing or self.agreed_break is not None:
            return None
        times = transcript.times
        if self.waiting_for == self.seat:
            return Ground.TIME if times is not None and times.claimed[self.peer].fallen else None
        reading = self._stopwatches.reading()
        if times is not None and times.running(self.peer, reading).fallen:
            return Ground.TIME
        wanted, measured = silence_wanted(self.agreement.conditions.clock, reading)
        return Ground.ABSENCE if measured >= wanted else None

    # --- talk, resignation, draw ---

    def chat(self, text: str, *, now: float = 0.0) -> None:
        """Send a line of text.

        Raises:
            LocalProtocolError: it is not text that may be sent, or there was too much of it.
        """
        self._check_running()
        self._side(SideType.CHAT, text)

    def resign(self, *, now: float = 0.0) -> None:
        """Give up.

        Raises:
            LocalProtocolError: the match is over.
        """
        self._check_playing()
        self._side(SideType.RESIGN, None)
        self._settle(now)

    def offer_draw(self, *, now: float = 0.0) -> None:
        """Offer a draw; the offer lapses with the next envelope.

        Raises:
            LocalProtocolError: the match is over.
        """
        self._check_playing()
        self._side(SideType.OFFER, None)

    def accept_draw(self, *, now: float = 0.0) -> None:
        """Accept the other's offer.

        Raises:
            LocalProtocolError: there is none.
        """
        self._answer(SideType.ACCEPT)

    def decline_draw(self, *, now: float = 0.0) -> None:
        """Decline the other's offer.

        Raises:
            LocalProtocolError: there is none.
        """
        self._answer(SideType.DECLINE)

    def _check_running(self) -> None:
        if self.stopped is not None:
            raise LocalProtocolError("match_stopped", "a match that goes on", "one that was stopped")

    def _check_playing(self) -> None:
        self._check_running()
        stage = self._transcript.stages[self.seat]
        if self.over or stage is not Stage.PLAYING:
            raise LocalProtocolError("match_over", "a match that goes on", f"stage {stage.name}")

    def _answer(self, kind: SideType) -> None:
        self._check_playing()
        offer = self.draw_offer
        if offer is None:
            raise LocalProtocolError("no_offer", "a draw offer of the other", "none")
        self._side(kind, offer)
        self._settle()

    # --- breaks ---

    def propose(self, what: Break, *, now: float = 0.0) -> None:
        """Propose a break; the proposal lapses with the next envelope.

        Raises:
            LocalProtocolError: the match is over.
        """
        self._check_playing()
        self._side(SideType.PROPOSE, int(what))
        self._settle(now)

    def agree(self, number: int | None = None, *, now: float = 0.0) -> None:
        """Agree to a proposal of the other: to the one of a number, or to the last one.

        Raises:
            LocalProtocolError: there is none.
        """
        self._answer_proposal(SideType.AGREE, now, number)

    def reject(self, *, now: float = 0.0) -> None:
        """Reject the other's proposal.

        Raises:
            LocalProtocolError: there is none.
        """
        self._answer_proposal(SideType.REJECT, now)

    def _answer_proposal(self, kind: SideType, now: float, number: int | None = None) -> None:
        self._check_playing()
        proposal = self.proposal
        if proposal is None or (number is not None and number not in self._transcript.status.breaks.open[self.peer]):
            raise LocalProtocolError("no_offer", "a proposal of the other", "none")
        self._side(kind, proposal[0] if number is None else number)
        self._settle(now)

    def go_on(self, *, now: float = 0.0) -> None:
        """End the break, or withdraw the own proposal.

        Raises:
            LocalProtocolError: there is neither.
        """
        self._check_playing()
        if self.agreed_break is None and not self._transcript.status.breaks.open[self.seat]:
            raise LocalProtocolError("no_break", "a break", "none")
        self._side(SideType.GO_ON, None)
        self._settle(now)

    # --- claims ---

    def claim(self, *, now: float = 0.0) -> None:
        """Claim the match for what :meth:`claimable` says.

        Raises:
            LocalProtocolError: there is nothing to claim.
        """
        self._check_playing()
        ground = self.claimable(now)
        if ground is None:
            raise LocalProtocolError("nothing_to_claim", "a clock that has run out, or a long silence", "neither")
        self._side(SideType.CLAIM, (int(ground), *self._stopwatches.reading()))
        self._settle(now)

    def concede(self, *, now: float = 0.0) -> None:
        """Sign that the other's claim is right; this ends the match.

        Raises:
            LocalProtocolError: there is none.
        """
        self._check_claimed()
        self._sign_result()
        self._settle(now)

    def deny(self, *, now: float = 0.0) -> None:
        """Deny the other's claim; to play on says the same.

        Raises:
            LocalProtocolError: there is none.
        """
        self._check_claimed()
        claim = self.claim_against_us
        assert claim is not None
        self._side(SideType.DENY, claim.number)
        self._settle(now)

    def _check_claimed(self) -> None:
        self._check_playing()
        if self.claim_against_us is None:
            raise LocalProtocolError("no_offer", "a claim of the other", "none")

    # --- the witness ---

    def next_for_witness(self) -> bytes | None:
        """Return the frame that shows the witness the next message that he has not countersigned; None if none is."""
        transcript = self._transcript
        wanted = self.agreement.conditions.witness is not None and self.stopped is None
        if not wanted or len(transcript.statements) >= STATEMENT_LIMIT:
            return None
        while self._asked_witness < len(transcript.records):
            message = shown(transcript.records[self._asked_witness])
            if message is not None and message.digest not in transcript.witnessed:
                return request(self.agreement, message)
            self._asked_witness += 1
        return None

    def witnessed(self, frame: bytes) -> bool:
        """Keep the witness's answer to :meth:`next_for_witness`; return whether it was one.  Nothing ever raises."""
        question = self.next_for_witness()
        try:
            if question is None or unpack_frame(frame, MESSAGE_LIMIT)[0] is not Kind.WITNESS:
                return False
            self._transcript.accept(frame)
        except (Damage, WireError):
            return False
        # Whoever answers something else would be asked the same for ever.
        return self.next_for_witness() != question
