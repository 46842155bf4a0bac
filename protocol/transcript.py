"""The signed record of a match: every frame is verified first and held then (SPEC.md, section "Order").

Both sessions and the audit feed it with the same frames, and it does not know who "we" are.  What is *not*
here: our secrets and what we send, which is :mod:`protocol.session`.

One link of the common chain may be written by exactly one seat.  Chat, draw and resignation travel in a
chain of each sender and name the head of the common chain that he had seen; what they mean depends on both
chains and never on which message arrived first.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from protocol import keys
from protocol.agreement import Agreement, seed_commitment
from protocol.commitments import scheme_named
from protocol.errors import BadCommitment, BadSignature, Damage, Misbehaviour, Refused, StatesDiffer, WireError
from protocol.events import (
    Answered,
    ChatReceived,
    DrawAccepted,
    DrawDeclined,
    DrawLapsed,
    DrawOffered,
    Event,
    MatchOver,
    Resigned,
    ResultSigned,
    SeedOpened,
    VerdictSigned,
)
from protocol.game import Answer, Foul, Game, Request, Seat
from protocol.messages import (
    AuditVerdict,
    Envelope,
    Kind,
    Outcome,
    Record,
    Side,
    SideType,
    unpack_frame,
)
from protocol.referee import Position, Referee
from protocol.stages import TRANSITIONS, Input, Stage
from protocol.steps import Step
from protocol.wire import hashed

DRAW_AGREED = (("reason", "agreement"), ("winner", "draw"))
"""The result of an accepted draw."""

BOTH_RESIGNED = (("reason", "resignation"), ("winner", "draw"))
"""The result when both gave up before they heard of each other."""


@dataclass(frozen=True, slots=True)
class Played:
    """One step of the match, for the audit."""

    seq: int
    seat: Seat
    step: Step
    before: Position
    answer: Answer | None


@dataclass(frozen=True, slots=True)
class Offer:
    """A draw offer and the length of the chain that it is bound to."""

    number: int
    seq: int


class Transcript:
    """The record of one match."""

    def __init__(self, agreement: Agreement, game: Game[Any]) -> None:
        """Begin after the handshake.

        Raises:
            ValueError: the game does not take the terms.
            BadCommitment: the scheme is unknown.
        """
        self.agreement = agreement
        self.game = game
        self.referee = Referee(game, scheme_named(agreement.scheme), agreement.match_id)
        self.position = self.referee.begin(agreement.terms)
        self.state_hash = self._hash_state(self.position)
        self.heads = [agreement.match_id]
        """The chain: ``heads[n]`` is the hash of envelope n."""
        self.records: list[Record] = []
        """Every accepted frame after the handshake, in order; a frame that convicts is the last."""
        self.history: list[Played] = []
        self.seeds: dict[Seat, bytes] = {}
        self.verdicts: dict[Seat, AuditVerdict] = {}
        self.over = False
        """Whether the match has its result."""
        seats = range(len(agreement.players))
        self.stages = [Stage.PLAYING for _ in seats]
        self.offers: list[Offer | None] = [None for _ in seats]
        self.sent: list[list[bytes]] = [[] for _ in seats]
        """The accepted frames of each seat."""
        self._digests: list[list[bytes]] = [[agreement.match_id] for _ in seats]
        self._envelopes: list[tuple[Seat, bytes, bytes]] = []
        self._sides: list[list[tuple[bytes, bytes]]] = [[] for _ in seats]
        self._side_heads = [agreement.match_id for _ in seats]
        self._seen_seq = [0 for _ in seats]
        self._frames: set[bytes] = set()

    # --- looking ---

    @property
    def length(self) -> int:
        """The number of envelopes."""
        return len(self.heads) - 1

    @property
    def head(self) -> bytes:
        """The hash of the last envelope."""
        return self.heads[-1]

    def side_head(self, seat: Seat) -> tuple[int, bytes]:
        """Return how many side envelopes a seat has sent, and the hash of the last."""
        return len(self._sides[seat]), self._side_heads[seat]

    def may_sign(self, seat: Seat) -> bool:
        """Say whether this seat may now sign the result.

        Who has resigned or accepted waits for the other: an envelope of his may be under way.
        """
        if self.over:
            return self.stages[seat] is Stage.ENDED
        others = [stage for other, stage in enumerate(self.stages) if other != seat]
        return any(stage in (Stage.RESIGNED, Stage.AGREED) for stage in others)

    def outcome(self) -> tuple[tuple[str, str], ...] | None:
        """Return the result of what has been sent, or None while the match goes on.

        The chain comes first, then resignation, then agreement, in whichever order they arrived.
        """
        result = self.game.result(self.position.state)
        if result is not None:
            return tuple(sorted(result.items()))
        resigned = [seat for seat in range(len(self.stages)) if self._has_resigned(seat)]
        if len(resigned) == 1:
            return self.forfeited(resigned[0])
        if resigned:
            return BOTH_RESIGNED
        if self._draws:
            return DRAW_AGREED
        return None

    def forfeited(self, seat: Seat) -> tuple[tuple[str, str], ...]:
        """Return the result if a seat has given up or been caught."""
        result = self.game.result(self.game.forfeit(self.position.state, seat))
        return tuple(sorted((result or {}).items()))

    def signable(self) -> Outcome:
        """Return the result in the form that is signed; only after :meth:`outcome` has one."""
        result = self.outcome()
        assert result is not None
        return Outcome(self.agreement.match_id, self.length, self.head, result)

    # --- taking frames ---

    def accept(self, frame: bytes, sender: Seat | None = None, *, own: bool = False) -> list[Event]:
        """Verify a frame and hold it, or leave everything as it was.

        Args:
            frame: as it was sent.
            sender: whose connection it came from; None for a log, where the frame says so itself.
            own: the frame was signed a moment ago by this very program.

        Raises:
            Damage: the frame proves nothing about anybody.
            Misbehaviour: the frame convicts its author; it is now the last record.
            StatesDiffer: the envelope is legal and leads to another state here.
        """
        if frame in self._frames:
            return []
        try:
            kind, values = unpack_frame(frame)
        except WireError as error:
            raise Damage(error.code, f"{error.path}: {error.expected}", error.got) from None
        handler = self._HANDLERS.get(kind)
        if handler is None:
            raise Damage("unexpected_frame", "a frame of a running match", kind.name)
        try:
            events = handler(self, frame, sender, own, *values)
        except Misbehaviour:
            self.records.append(Record(kind, frame))
            raise
        return events

    def check_signature(self, frame: bytes) -> None:
        """Check what can be said of a frame without the ones before it: its form and its signature.

        Raises:
            Damage: it is no frame of a match, or not signed by any seat.
        """
        try:
            kind, values = unpack_frame(frame)
        except WireError as error:
            raise Damage(error.code, f"{error.path}: {error.expected}", error.got) from None
        match kind:
            case Kind.ENVELOPE:
                digest, signature = hashed("env", values[0]), values[1]
            case Kind.SIDE:
                digest, signature = hashed("side", values[0]), values[1]
            case Kind.RESULT:
                digest, signature = hashed("result", values[1]), values[2]
            case Kind.SEED:
                digest, signature = hashed("open-seed", self.agreement.match_id, values[1]), values[2]
            case Kind.VERDICT:
                digest, signature = hashed("verdict", values[0]), values[1]
            case _:
                raise Damage("unexpected_frame", "a frame of a running match", kind.name)
        self._signer(None, None, digest, signature)

    def _hold(self, kind: Kind, frame: bytes, seat: Seat) -> None:
        self._frames.add(frame)
        self.records.append(Record(kind, frame))
        self.sent[seat].append(frame)

    def digest(self, seat: Seat, count: int) -> bytes:
        """Return the running hash over the first ``count`` frames of a seat, for resuming."""
        # Most matches are never resumed, so that nothing is hashed before somebody asks.
        digests = self._digests[seat]
        for frame in self.sent[seat][len(digests) - 1 : count]:
            digests.append(hashed("resume", digests[-1], frame))
        return digests[count]

    def _verify(self, seat: Seat, digest: bytes, signature: bytes) -> None:
        if seat >= len(self.agreement.players):
            raise Damage("bad_signature", "a seat of this match", f"seat {seat}")
        try:
            keys.verify_digest(self.agreement.players[seat].match_key, digest, signature)
        except BadSignature as error:
            raise Damage(error.code, f"a signature by seat {seat}", "another one") from None

    def _signer(self, said: Seat | None, sender: Seat | None, digest: bytes, signature: bytes) -> Seat:
        """Return whose match key signed, given what the message and the connection say."""
        if sender is None and said is None:
            # A log with a signed message that cannot be read: its author is whoever's key fits.
            for seat in range(len(self.agreement.players)):
                try:
                    self._verify(seat, digest, signature)
                except Damage:
                    continue
                return seat
            raise Damage("bad_signature", "a signature by one of the seats", "another one")
        signer = sender if sender is not None else said
        assert signer is not None
        self._verify(signer, digest, signature)
        return signer

    def _input(self, seat: Seat, kind: Input, convict: Callable[..., Misbehaviour]) -> Stage:
        stage = TRANSITIONS.get((self.stages[seat], kind))
        if stage is None:
            raise convict("not_now", f"nothing of this kind in stage {self.stages[seat].name}", kind.name)
        return stage

    def _take_envelope(
        self, frame: bytes, sender: Seat | None, own: bool, data: bytes, signature: bytes
    ) -> list[Event]:
        digest = hashed("env", data)
        envelope: Envelope | None = None
        fault: WireError | None = None
        try:
            envelope = Envelope.unpack(data)
        except WireError as error:
            fault = error
        said = None if envelope is None else envelope.seat
        seat = said if own else self._signer(said, sender, digest, signature)
        assert seat is not None

        def convict(code: str, expected: str, got: str, *more: bytes) -> Misbehaviour:
            seq = None if envelope is None else envelope.seq
            return Misbehaviour(code, expected, got, seat=seat, seq=seq, evidence=(*more, frame))

        if envelope is None:
            assert fault is not None
            raise convict("malformed", f"{fault.path}: {fault.expected}", fault.got)
        if envelope.match_id != self.agreement.match_id:
            raise convict("wrong_match", self.agreement.match_id.hex(), envelope.match_id.hex())
        if envelope.seat != seat:
            raise convict("wrong_seat", f"seat {seat}", f"seat {envelope.seat}")
        if envelope.seq > self.length + 1:
            raise Damage("gap", f"envelope {self.length + 1}", f"envelope {envelope.seq}")
        if envelope.seq <= self.length:
            author, bytes_before, frame_before = self._envelopes[envelope.seq - 1]
            if bytes_before == data:
                return []
            if author == seat:
                raise convict("two_messages", f"one envelope {envelope.seq}", "two", frame_before)
            raise convict("not_your_turn", f"seat {author}", f"seat {seat}")
        if envelope.prev != self.head:
            raise convict("wrong_prev", self.head.hex(), envelope.prev.hex())
        stage = self._input(seat, Input.ENVELOPE, convict)
        position = self.position
        played: list[Played] = []
        try:
            for step in envelope.steps:
                before = position
                position, answer = self.referee.apply(before, seat, step)
                played.append(Played(envelope.seq, seat, step, before, answer))
        except (Refused, BadCommitment) as error:
            raise convict(error.code, error.expected, error.got) from None
        except Foul as foul:
            raise Misbehaviour(
                foul.code,
                "play within the rules",
                foul.sentence,
                seat=foul.seat,
                seq=envelope.seq,
                evidence=(frame,),
            ) from None
        state_hash = self.state_hash
        if position.state is not self.position.state:
            state_hash = self._hash_state(position)
        if state_hash != envelope.state:
            raise StatesDiffer("states_differ", state_hash.hex(), envelope.state.hex())

        # Everything is verified; now it is held.
        self._hold(Kind.ENVELOPE, frame, seat)
        self.stages[seat] = stage
        self.position, self.state_hash = position, state_hash
        self.heads.append(digest)
        self.history.extend(played)
        self._envelopes.append((seat, data, frame))
        self._seen_seq[seat] = envelope.seq
        answers: list[tuple[Request, Answer]] = [
            (one.before.request, one.answer)
            for one in played
            if one.answer is not None and one.before.request is not None
        ]
        events: list[Event] = [Answered(envelope.seq, seat, tuple(answers))]
        for other, other_stage in enumerate(self.stages):
            # SPEC, "Draw": an acceptance is bound to a head and means nothing once the chain moves on.
            if other_stage is Stage.AGREED:
                self.stages[other] = TRANSITIONS[Stage.AGREED, Input.LAPSE]
                offer = next(offer for index, offer in enumerate(self.offers) if index != other and offer)
                events.append(DrawLapsed(other, offer.number))
        self.offers = [None for _ in self.offers]
        if position.request is None:
            events.extend(self._end())
        return events

    def _take_side(
        self, frame: bytes, sender: Seat | None, own: bool, data: bytes, signature: bytes
    ) -> list[Event]:
        digest = hashed("side", data)
        side: Side | None = None
        fault: WireError | None = None
        try:
            side = Side.unpack(data)
        except WireError as error:
            fault = error
        said = None if side is None else side.seat
        seat = said if own else self._signer(said, sender, digest, signature)
        assert seat is not None

        def convict(code: str, expected: str, got: str, *more: bytes) -> Misbehaviour:
            return Misbehaviour(code, expected, got, seat=seat, seq=None, evidence=(*more, frame))

        if side is None:
            assert fault is not None
            raise convict("malformed", f"{fault.path}: {fault.expected}", fault.got)
        if side.match_id != self.agreement.match_id:
            raise convict("wrong_match", self.agreement.match_id.hex(), side.match_id.hex())
        if side.seat != seat:
            raise convict("wrong_seat", f"seat {seat}", f"seat {side.seat}")
        count, head = self.side_head(seat)
        if side.number > count + 1 or side.seq > self.length:
            raise Damage("gap", f"side envelope {count + 1}", f"{side.number} at {side.seq}")
        if side.number <= count:
            bytes_before, frame_before = self._sides[seat][side.number - 1]
            if bytes_before == data:
                return []
            raise convict("two_messages", f"one side envelope {side.number}", "two", frame_before)
        if side.prev != head:
            raise convict("wrong_prev", head.hex(), side.prev.hex())
        if side.head != self.heads[side.seq] or side.seq < self._seen_seq[seat]:
            raise convict("wrong_head", f"a head from {self._seen_seq[seat]} on", f"head {side.seq}")
        stage, events = self._side_effect(side, convict)
        self._hold(Kind.SIDE, frame, seat)
        self.stages[seat] = stage
        self._sides[seat].append((data, frame))
        self._side_heads[seat] = digest
        self._seen_seq[seat] = side.seq
        for event in events:
            if isinstance(event, DrawOffered):
                self.offers[seat] = Offer(event.number, side.seq)
            elif isinstance(event, DrawDeclined):
                self.offers[_other(seat)] = None
        if all(one is Stage.RESIGNED for one in self.stages):
            events.extend(self._end())
        return events

    def _side_effect(self, side: Side, convict: Callable[..., Misbehaviour]) -> tuple[Stage, list[Event]]:
        seat, kind = side.seat, side.type
        if kind is SideType.CHAT:
            assert isinstance(side.body, str)
            return self._input(seat, Input.CHAT, convict), [ChatReceived(seat, side.body)]
        if self.over and side.seq < self.length:
            # It crossed the envelope that ended the match: no fault, no effect.
            return self.stages[seat], []
        stage = self._input(seat, Input[kind.name], convict)
        if kind is SideType.RESIGN:
            return stage, [Resigned(seat)]
        if kind is SideType.OFFER:
            if side.seq < self.length:
                return stage, [DrawLapsed(seat, side.number)]
            return stage, [DrawOffered(seat, side.number)]
        assert isinstance(side.body, int)
        other = _other(seat)
        number, made = side.body, self._sides[other]
        if number > len(made) or Side.unpack(made[number - 1][0]).type is not SideType.OFFER:
            raise convict("no_such_offer", "the number of an offer", str(number))
        offer = self.offers[other]
        # SPEC, "Draw": offer, answer and chain must stand at the same head.
        if offer is None or offer.number != number or side.seq != self.length:
            return self.stages[seat], [DrawLapsed(seat, number)]
        if kind is SideType.ACCEPT:
            return stage, [DrawAccepted(seat, number)]
        return stage, [DrawDeclined(seat, number)]

    def _take_result(
        self,
        frame: bytes,
        sender: Seat | None,
        own: bool,
        seat: Seat,
        data: bytes,
        by_match_key: bytes,
        by_identity: bytes,
    ) -> list[Event]:
        self._check_sender(seat, sender)
        digest = hashed("result", data)
        if not own:
            self._verify(seat, digest, by_match_key)
            try:
                keys.verify_digest(self.agreement.players[seat].identity, digest, by_identity)
            except BadSignature as error:
                raise Damage(error.code, f"the identity signature of seat {seat}", "another one") from None

        def convict(code: str, expected: str, got: str) -> Misbehaviour:
            return Misbehaviour(code, expected, got, seat=seat, seq=None, evidence=(frame,))

        try:
            signed = Outcome.unpack(data)
        except WireError as error:
            raise convict("malformed", f"{error.path}: {error.expected}", error.got) from None
        if signed.seq > self.length:
            raise Damage("gap", f"a result at {self.length}", f"one at {signed.seq}")
        if not self.over and not self.may_sign(seat):
            raise convict("false_result", "a match that goes on", f"{dict(signed.result)}")
        if signed != self.signable():
            raise convict("false_result", f"{self.signable()}", f"{signed}")
        events = [] if self.over else self._end()
        self.stages[seat] = self._input(seat, Input.RESULT, convict)
        self._hold(Kind.RESULT, frame, seat)
        return [*events, ResultSigned(seat)]

    def _take_seed(
        self, frame: bytes, sender: Seat | None, own: bool, seat: Seat, seed: bytes, signature: bytes
    ) -> list[Event]:
        self._check_sender(seat, sender)
        if not own:
            self._verify(seat, hashed("open-seed", self.agreement.match_id, seed), signature)

        def convict(code: str, expected: str, got: str) -> Misbehaviour:
            return Misbehaviour(code, expected, got, seat=seat, seq=None, evidence=(frame,))

        stage = self._input(seat, Input.SEED, convict)
        player = self.agreement.players[seat]
        found = seed_commitment(player.match_key, seed)
        if found != player.seed_commitment:
            raise convict("wrong_seed", player.seed_commitment.hex(), found.hex())
        self.stages[seat] = stage
        self.seeds[seat] = seed
        self._hold(Kind.SEED, frame, seat)
        return [SeedOpened(seat)]

    def _take_verdict(
        self, frame: bytes, sender: Seat | None, own: bool, data: bytes, signature: bytes
    ) -> list[Event]:
        digest = hashed("verdict", data)
        verdict: AuditVerdict | None = None
        fault: WireError | None = None
        try:
            verdict = AuditVerdict.unpack(data)
        except WireError as error:
            fault = error
        said = None if verdict is None else verdict.seat
        seat = said if own else self._signer(said, sender, digest, signature)
        assert seat is not None

        def convict(code: str, expected: str, got: str) -> Misbehaviour:
            return Misbehaviour(code, expected, got, seat=seat, seq=None, evidence=(frame,))

        if verdict is None:
            assert fault is not None
            raise convict("malformed", f"{fault.path}: {fault.expected}", fault.got)
        if (verdict.match_id, verdict.seat) != (self.agreement.match_id, seat):
            raise convict("wrong_match", f"this match and seat {seat}", f"another or seat {verdict.seat}")
        self.stages[seat] = self._input(seat, Input.VERDICT, convict)
        self.verdicts[seat] = verdict
        self._hold(Kind.VERDICT, frame, seat)
        return [VerdictSigned(seat, verdict.problems)]

    _HANDLERS: dict[Kind, Callable[..., list[Event]]] = {  # noqa: RUF012 (a table of functions, never changed)
        Kind.ENVELOPE: _take_envelope,
        Kind.SIDE: _take_side,
        Kind.RESULT: _take_result,
        Kind.SEED: _take_seed,
        Kind.VERDICT: _take_verdict,
    }

    # --- small things ---

    def _check_sender(self, seat: Seat, sender: Seat | None) -> None:
        if sender is not None and seat != sender:
            raise Damage("bad_signature", f"a message of seat {sender}", f"one of seat {seat}")

    def _hash_state(self, position: Position) -> bytes:
        return hashed("state", self.game.dump(position.state))

    def _has_resigned(self, seat: Seat) -> bool:
        return seat in self._resignations

    @property
    def _resignations(self) -> set[Seat]:
        return {seat for seat, stage in enumerate(self.stages) if stage is Stage.RESIGNED} | self._gone

    @property
    def _draws(self) -> bool:
        return Stage.AGREED in self.stages or self._drawn

    _gone: frozenset[Seat] = frozenset()
    _drawn = False

    def _end(self) -> list[Event]:
        # What ended the match is kept, because the stages are about to move on.
        self._gone, self._drawn = frozenset(self._resignations), self._draws
        self.over = True
        for seat, stage in enumerate(self.stages):
            self.stages[seat] = TRANSITIONS.get((stage, Input.END), stage)
        return [MatchOver(dict(self.outcome() or ()))]


def _other(seat: Seat) -> Seat:
    return 1 - seat
