"""What a player may do beside the game at any time: talk, give up, agree on a draw or a break, claim the match.

A :class:`protocol.core.session.Session` has one.
"""

from collections.abc import Callable

from protocol.core.afterwards import Afterwards
from protocol.core.frames import SIDE_LIMIT, FrameKind, unpack_frame
from protocol.core.match_clock import MatchClock
from protocol.core.match_status import Claim
from protocol.core.messages import Break, Ground, SideBody, SideType
from protocol.core.signer import Signer
from protocol.core.stages import Stage
from protocol.core.transcript import Transcript
from protocol.core.witness import MESSAGE_LIMIT, STATEMENT_LIMIT, message_to_show, request_statement
from protocol.errors import Damage, LocalProtocolError, WireError, raised_as
from protocol.game import Seat, other


class SideChannel:
    """What one seat says beside the game."""

    def __init__(
        self,
        transcript: Transcript,
        signer: Signer,
        seat: Seat,
        clock: MatchClock,
        afterwards: Afterwards,
        *,
        emit: Callable[[bytes], None],
        settle: Callable[[float], None],
        stopped: Callable[[], bool],
    ) -> None:
        """Begin with nothing said.

        Args:
            transcript: the match.
            signer: our signatures.
            seat: ours.
            clock: what our program measures.
            afterwards: what is said after the match.
            emit: holds a frame of ours and puts it out.
            settle: does what follows, at a time of the caller's clock.
            stopped: says whether the match was stopped.
        """
        self._transcript = transcript
        self._signer = signer
        self._seat = seat
        self._peer = other(seat)
        self._clock = clock
        self._emit = emit
        self._settle = settle
        self._stopped = stopped
        self.afterwards = afterwards
        """What is said after the match."""
        self.on_change: Callable[[], None] = lambda: None
        """Is called when there is something new to store and to send."""
        self._asked_witness = 0
        """How many records need not be shown to the witness any more."""

    @property
    def _running(self) -> bool:
        """Whether somebody still has to write an envelope."""
        return not self._stopped() and not self._transcript.over and self._transcript.position.request is not None

    def _send(self, kind: SideType, body: SideBody) -> None:
        header = self._transcript.header(self._seat)
        if header.sides[self._seat] >= SIDE_LIMIT and kind is not SideType.RESIGN:
            raise LocalProtocolError("too_many", f"at most {SIDE_LIMIT} side envelopes", "one more")
        with raised_as(LocalProtocolError, WireError):
            frame = self._signer.side(header, kind, body)
        self._emit(frame)
        self.on_change()

    def _decide(self, kind: SideType, body: SideBody, now: float) -> None:
        """Send what may change how the match stands, and do what follows."""
        self._send(kind, body)
        self._settle(now)

    # --- looking ---

    @property
    def draw_offer(self) -> int | None:
        """The number of the other's draw offer that may be accepted now."""
        offers = self._transcript.status.offers[self._peer]
        return offers[-1] if offers and self._running else None

    @property
    def proposal(self) -> tuple[int, Break] | None:
        """The other's proposal of a break that may be agreed to now: its number and what it is."""
        found = self._transcript.status.breaks.open[self._peer]
        return list(found.items())[-1] if found and self._running else None

    def same_proposal(self, what: Break) -> int | None:
        """Return the number of the other's open proposal of this very break, or None."""
        found = self._transcript.status.breaks.open[self._peer] if self._running else {}
        return next((number for number, proposed in found.items() if proposed is what), None)

    def own_proposal(self, what: Break) -> int | None:
        """Return the number of our last open proposal of this very break, or None."""
        found = self._transcript.status.breaks.open[self._seat] if self._running else {}
        return next((number for number, proposed in reversed(found.items()) if proposed is what), None)

    @property
    def agreed_break(self) -> Break | None:
        """The break in which the match stands."""
        return None if not self._running else self._transcript.status.breaks.agreed

    @property
    def claim_against_us(self) -> Claim | None:
        """The other's claim that we may sign, deny or play on against."""
        claim = self._transcript.status.claims.of(self._peer)
        return None if claim is None or claim.decides or not self._running else claim

    def claimable(self, now: float = 0.0) -> Ground | None:
        """Return what the match may be claimed for now, by our clock; it is an offer and nothing happens by itself."""
        self._clock.tell(now)
        playing = self._transcript.stages[self._seat] is Stage.PLAYING and self._running
        if not playing or self.agreed_break is not None:
            return None
        if self._clock.has_fallen():
            return Ground.TIME
        return Ground.ABSENCE if self._clock.is_absent() else None

    # --- talk, resignation, draw ---

    def chat(self, text: str, *, now: float = 0.0) -> None:
        """Send a line of text; when the record is closed, as a word after the match.

        Raises:
            LocalProtocolError: it is not text that may be sent, there was too much of it, or nobody hears it.
        """
        if self.afterwards.shut:
            self.afterwards.chat(text)
        else:
            self._check_running()
            self._send(SideType.CHAT, text)

    def resign(self, *, now: float = 0.0) -> None:
        """Give up.

        Raises:
            LocalProtocolError: the match is over.
        """
        self.check_playing()
        self._decide(SideType.RESIGN, None, now)

    def offer_draw(self, *, now: float = 0.0) -> None:
        """Offer a draw; the offer lapses with the next envelope.

        Raises:
            LocalProtocolError: the match is over.
        """
        self.check_playing()
        self._send(SideType.OFFER, None)

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

    def check_playing(self) -> None:
        """Refuse what needs a match that goes on.

        Raises:
            LocalProtocolError: it is over, or was stopped.
        """
        self._check_running()
        stage = self._transcript.stages[self._seat]
        if self._transcript.over or stage is not Stage.PLAYING:
            raise LocalProtocolError("match_over", "a match that goes on", f"stage {stage.name}")

    def _check_running(self) -> None:
        if self._stopped():
            raise LocalProtocolError("match_stopped", "a match that goes on", "one that was stopped")

    def _answer(self, kind: SideType) -> None:
        self.check_playing()
        offer = self.draw_offer
        if offer is None:
            raise LocalProtocolError("no_offer", "a draw offer of the other", "none")
        self._decide(kind, offer, 0.0)

    # --- breaks ---

    def propose(self, what: Break, *, now: float = 0.0) -> None:
        """Propose a break; the proposal lapses with the next envelope.

        Raises:
            LocalProtocolError: the match is over.
        """
        self.check_playing()
        self._decide(SideType.PROPOSE, int(what), now)

    def propose_or_agree(self, what: Break, *, now: float = 0.0) -> bool:
        """Propose a break, or agree to it where the other has proposed the same; return whether it is agreed.

        A break that stands already is not proposed again: the other, whose program knows it too, would never be told.

        Raises:
            LocalProtocolError: it stands already, or the match is over.
        """
        standing = self.agreed_break
        if standing is not None and standing >= what:
            raise LocalProtocolError("break_stands", "no break that stands", standing.name)
        number = self.same_proposal(what)
        if number is None:
            self.propose(what, now=now)
        else:
            self.agree(number, now=now)
        return number is not None

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
        self.check_playing()
        proposal = self.proposal
        if proposal is None or (number is not None and number not in self._transcript.status.breaks.open[self._peer]):
            raise LocalProtocolError("no_offer", "a proposal of the other", "none")
        self._decide(kind, proposal[0] if number is None else number, now)

    def go_on(self, *, now: float = 0.0) -> None:
        """End the break, or withdraw the own proposal.

        Raises:
            LocalProtocolError: there is neither.
        """
        self.check_playing()
        if self.agreed_break is None and not self._transcript.status.breaks.open[self._seat]:
            raise LocalProtocolError("no_break", "a break", "none")
        self._decide(SideType.GO_ON, None, now)

    # --- claims ---

    def claim(self, *, now: float = 0.0) -> None:
        """Claim the match for what :meth:`claimable` says.

        Raises:
            LocalProtocolError: there is nothing to claim.
        """
        self.check_playing()
        ground = self.claimable(now)
        if ground is None:
            raise LocalProtocolError("nothing_to_claim", "a clock that has run out, or a long silence", "neither")
        self._decide(SideType.CLAIM, (int(ground), *self._clock.reading), now)

    def concede(self, *, now: float = 0.0) -> None:
        """Sign that the other's claim is right; this ends the match.

        Raises:
            LocalProtocolError: there is none.
        """
        self._check_claimed()
        self._emit(self._signer.result(self._transcript.signable(self._seat)))
        self._settle(now)
        self.on_change()

    def deny(self, *, now: float = 0.0) -> None:
        """Deny the other's claim; to play on says the same.

        Raises:
            LocalProtocolError: there is none.
        """
        self._decide(SideType.DENY, self._check_claimed().number, now)

    def _check_claimed(self) -> Claim:
        self.check_playing()
        claim = self.claim_against_us
        if claim is None:
            raise LocalProtocolError("no_offer", "a claim of the other", "none")
        return claim

    # --- the witness ---

    def next_for_witness(self) -> bytes | None:
        """Return the frame that shows the witness the next message that it has not countersigned; None if none is."""
        transcript = self._transcript
        wanted = self._transcript.agreement.conditions.witness is not None and not self._stopped()
        if not wanted or len(transcript.statements) >= STATEMENT_LIMIT:
            return None
        while self._asked_witness < len(transcript.records):
            message = message_to_show(transcript.records[self._asked_witness].frame)
            if message is not None and message.digest not in transcript.witnessed:
                return request_statement(self._transcript.agreement, message)
            self._asked_witness += 1
        return None

    def take_statement(self, frame: bytes) -> bool:
        """Keep the witness's answer to :meth:`next_for_witness`; return whether it was one.  Nothing ever raises."""
        question = self.next_for_witness()
        try:
            if question is None or unpack_frame(frame, MESSAGE_LIMIT)[0] is not FrameKind.WITNESS:
                return False
            self._transcript.accept(frame)
        except (Damage, WireError):
            return False
        # Whoever answers something else would be asked the same for ever.
        return self.next_for_witness() != question
