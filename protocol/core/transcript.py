"""The signed record of a match: every frame is verified first and held then (SPEC.md, section "Order").

Both sessions and the audit feed it with the same frames, and it does not know who "we" are.  What is *not*
here: what is held, which is :mod:`protocol.core.match_record`; our secrets and what we send, which is
:mod:`protocol.core.session`; what side messages decide, which is :mod:`protocol.core.match_status`.

One link of the common chain may be written by exactly one seat.  Chat, draw and resignation travel in a
chain of each sender and name the head of the common chain that the sender had seen.

Three things can be wrong with a frame.  It is :class:`~protocol.errors.Damage` if its author never signed it so,
or if something is missing before it.  It is :class:`~protocol.errors.Misbehaviour` if what its author has signed
(this message, the messages whose hashes are in it, the author's other messages) is against the rules.  Everything
else is :class:`~protocol.errors.Disputed`: the other seat, or whoever made the log, may have left something out
or signed something else instead.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from protocol.core.agreement import seed_commitment
from protocol.core.authors import Source
from protocol.core.claim_rules import is_proved, too_early
from protocol.core.clock.accounts import decides
from protocol.core.envelope import Envelope
from protocol.core.events import Answered, Event, ResultSigned, SeedOpened, TimesDiffer, VerdictSigned
from protocol.core.frames import CHAIN_LIMIT, SIDE_LIMIT, FrameKind, Record, unpack_frame
from protocol.core.match_record import MatchRecord, Played
from protocol.core.messages import AuditVerdict, Side, SideType, SignedOutcome
from protocol.core.stages import Input, Stage
from protocol.core.steps import Step, commitments_of
from protocol.core.testimony import mark_envelope, mark_result, mark_side
from protocol.core.witness import STATEMENT_LIMIT
from protocol.crypto.hashing import hash_parts
from protocol.errors import BadCommitment, Damage, Disputed, LocalProtocolError, Misbehaviour, Refused, WireError
from protocol.game import Answer, Foul, Request, Seat, other

_ANSWERS: dict[int, SideType] = {
    SideType.ACCEPT: SideType.OFFER,
    SideType.DECLINE: SideType.OFFER,
    SideType.AGREE: SideType.PROPOSE,
    SideType.REJECT: SideType.PROPOSE,
    SideType.DENY: SideType.CLAIM,
}
"""What each kind of answer answers."""


class Transcript(MatchRecord):
    """The record of one match, which takes only frames that it has verified."""

    def accept(self, frame: bytes, sender: Seat | None = None, *, own: bool = False) -> list[Event]:
        """Verify a frame and hold it, or leave everything as it was.

        Args:
            frame: as it was sent.
            sender: whose connection it came from; None for a log, where the frame says so itself.
            own: the frame was signed a moment ago by this very program.

        Raises:
            Damage: the frame proves nothing about anybody.
            Misbehaviour: the frame convicts its author; it is now the last record.
            Disputed: the frame does not fit; it is now the last record.
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
            events = handler(self, frame, Source(sender, own), *values)
        except (Misbehaviour, Disputed):
            self.records.append(Record(kind, frame))
            raise
        return events

    def _take_envelope(self, frame: bytes, source: Source, data: bytes, signature: bytes) -> list[Event]:
        digest = hash_parts("env", data)
        envelope = self.authors.read(Envelope.unpack, digest, data, signature, source, frame)
        seat, seq = envelope.seat, envelope.seq
        self._check_seats(seat, seq, envelope.sides, frame)
        mark = mark_envelope(envelope, digest, frame)

        def convict(code: str, expected: str, got: str, *more: bytes) -> Misbehaviour:
            return Misbehaviour(code, expected, got, seat=seat, seq=seq, evidence=(*more, frame))

        if seq > self.length + 1:
            raise Damage("gap", f"envelope {self.length + 1}", f"envelope {seq}")
        for owner, (named, held) in enumerate(zip(envelope.sides, self.sides, strict=True)):
            if named > held:
                raise Damage("gap", f"{named} side envelopes of seat {owner} before envelope {seq}", str(held))
        link = self.link(seq - 1, envelope.sides)
        if seq <= self.length:
            author, bytes_before = self._envelopes[seq - 1]
            if bytes_before == data:
                return []
            self.testimony.check(seat, mark)
            if envelope.prev == link:
                raise convict("not_your_turn", f"seat {author}", f"seat {seat}")
        if envelope.prev != link:
            # The author has seen other messages than these; who has made them is not in these bytes.
            wanted = f"an envelope after {link.hex()}"
            raise Disputed("forked", wanted, envelope.prev.hex(), seat=seat, needs=envelope.prev)
        self.testimony.check(seat, mark)
        stage = self.status.after(seat, Input.ENVELOPE)
        if stage is None:
            # The author has resigned, accepted, signed, or seen the end, before this head, and has said so.
            raise convict("not_now", f"nothing of this kind in stage {self.stages[seat].name}", "ENVELOPE")
        for accepting, acceptance in self.status.accepted.items():
            # SPEC, "Draw": an offer binds; only an envelope whose author had not seen the acceptance undoes it.
            if envelope.sides[accepting] >= acceptance.number:
                raise convict("not_now", "no envelope after the acceptance of the own offer", "ENVELOPE")
        if (envelope.stamp is None) != (self.times is None):
            wanted = "an envelope with times" if envelope.stamp is None else "one without times"
            raise convict("wrong_clock", f"{wanted}, as agreed", "another")
        if len(frame) > self.room:
            raise convict("chain_too_long", f"at most {CHAIN_LIMIT} bytes of envelopes", "more")
        position = self.position
        played: list[Played] = []
        fresh: set[bytes] = set()
        try:
            for step in envelope.steps:
                self._check_fresh(step, fresh)
                before = position
                position, answer = self.referee.apply(before, seat, step)
                played.append(Played(seq, seat, step, before, answer))
        except (Refused, BadCommitment) as error:
            raise convict(error.code, error.expected, error.got) from None
        except LocalProtocolError as error:
            # The rules allow the step; it is this protocol that cannot carry what follows.
            raise Disputed(error.code, error.expected, error.got, seat=seat) from None
        except Foul as foul:
            raise Misbehaviour(
                foul.code, "play within the rules", foul.sentence, seat=foul.seat, seq=seq, evidence=(frame,)
            ) from None
        state_hash = self.state_hash
        if position.state is not self.position.state:
            state_hash = self._hash_state(position)
        if state_hash != envelope.state:
            # The author may be a cheat who is about to lose, or an honest program with a fault; so may we.
            raise Disputed(
                "states_differ", f"the state {state_hash.hex()} after envelope {seq}", envelope.state.hex(), seat=seat,
                state=self.game.dump(position.state),
            )  # fmt: skip

        # Everything is verified; now it is held.
        self._hold(FrameKind.ENVELOPE, frame, seat)
        position.tokens.settle()
        position.cards.settle()
        position.shares.settle()
        position.opened.settle()
        self.position, self.state_hash = position._replace(head=digest), state_hash
        self.room -= len(frame)
        self.heads.append(digest)
        self.history.extend(played)
        self._envelopes.append((seat, data))
        self.testimony.hold(seat, mark)
        self._used |= fresh
        answers: list[tuple[Request, Answer]] = [
            (one.before.request, one.answer)
            for one in played
            if one.answer is not None and one.before.request is not None
        ]
        events: list[Event] = [Answered(seq, seat, tuple(answers)), *self.status.move_on(seat, stage)]
        if self.times is not None and envelope.stamp is not None:
            kinds = [(one.step, getattr(one.before.request, "kind", None)) for one in played]
            decided = any(decides(step, kind, self.game.idle) for step, kind in kinds)
            difference = self.times.take(seq, seat, envelope.stamp, decided=decided)
            if difference is not None:
                events.append(TimesDiffer(difference))
        if position.request is None:
            events.extend(self._end())
        return events

    def _take_side(self, frame: bytes, source: Source, data: bytes, signature: bytes) -> list[Event]:
        digest = hash_parts("side", data)
        side = self.authors.read(Side.unpack, digest, data, signature, source, frame)
        seat, number = side.seat, side.number
        mark = mark_side(side, digest, frame)

        def convict(code: str, expected: str, got: str, *more: bytes) -> Misbehaviour:
            return Misbehaviour(code, expected, got, seat=seat, seq=None, evidence=(*more, frame))

        if number > SIDE_LIMIT + (side.type is SideType.RESIGN):
            raise convict("too_many", f"at most {SIDE_LIMIT} side envelopes", str(number))
        count, head = self.side_head(seat)
        if number > count + 1 or side.seq > self.length:
            raise Damage("gap", f"side envelope {count + 1}", f"{number} at {side.seq}")
        if number <= count and self._sides[seat][number - 1][1] == data:
            return []
        self.testimony.check(seat, mark)
        if side.prev != head:
            # Unlike the common chain, this one is the author's own: they have signed the one before it, too.
            raise convict("wrong_prev", head.hex(), side.prev.hex())
        if side.head != self.heads[side.seq]:
            raise Disputed(
                "forked", f"the head {self.heads[side.seq].hex()}", f"{side.head.hex()} at {side.seq}", seat=seat,
                needs=side.head,
            )  # fmt: skip
        events: list[Event] = []
        if not isinstance(side.type, SideType):
            if side.type % 2 == 0:
                # SPEC, "What may come": it must be understood, and is not.
                raise Disputed("unknown_message", "a type that this program knows", f"type {side.type}", seat=seat)
        # A side envelope that crossed the one that ended the match is no fault and has no effect.
        elif side.type is SideType.CLAIM and self.over and side.seq < self.length:
            events = [self.status.claims.late(side, digest)]
        elif side.type is SideType.CHAT or not self.over or side.seq == self.length:
            stage = self.status.after(seat, Input[side.type.name])
            if stage is None:
                wanted = f"nothing of this kind in stage {self.stages[seat].name}"
                if self.position.request is None or self.status.has_given_up(seat):
                    raise convict("not_now", wanted, side.type.name)
                # The author's signature under the result says nothing of their own side envelopes before it.
                raise Disputed("not_now", wanted, side.type.name, seat=seat)
            self._check_answered(side)
            present = side.seq == self.length
            proved = False
            if present and side.type is SideType.CLAIM:
                turn = self.referee.turn(self.position)
                proved = is_proved(side, turn, self.times)
                clock = self.agreement.conditions.clock
                fault = None if proved else too_early(side, turn, self.times, clock)
                if fault is not None:
                    raise convict("early_claim", *fault)
            events = self.status.take(side, digest, stage, present=present, proved=proved)
        self._hold(FrameKind.SIDE, frame, seat)
        self._sides[seat].append((side.type, data))
        self._side_heads[seat].append(digest)
        self.testimony.hold(seat, mark)
        if all(one is Stage.RESIGNED for one in self.stages):
            events.extend(self._end())
        return events

    def _check_answered(self, side: Side) -> None:
        wanted = _ANSWERS.get(side.type)
        if wanted is not None and isinstance(side.body, int):
            made = self._sides[other(side.seat)]
            if side.body > len(made) or made[side.body - 1][0] is not wanted:
                raise Disputed("no_such_offer", f"the number of {wanted.name}", str(side.body), seat=side.seat)

    def _take_result(
        self,
        frame: bytes,
        source: Source,
        seat: Seat,
        data: bytes,
        by_match_key: bytes,
        by_identity: bytes,
    ) -> list[Event]:
        digest = hash_parts("result", data)
        self.authors.check(seat, source, digest, by_match_key)
        self.authors.check_identity(seat, source, digest, by_identity)

        def convict(code: str, expected: str, got: str) -> Misbehaviour:
            return Misbehaviour(code, expected, got, seat=seat, seq=None, evidence=(frame,))

        try:
            signed = SignedOutcome.unpack(data)
        except WireError as error:
            raise convict("malformed", f"{error.path}: {error.expected}", error.got) from None
        if signed.match_id != self.agreement.match_id:
            raise Damage("wrong_match", self.agreement.match_id.hex(), signed.match_id.hex())
        self._check_seats(seat, None, signed.sides, frame)
        mark = mark_result(seat, signed, digest, frame)
        self.testimony.check(seat, mark)
        if signed.seq > self.length:
            raise Damage("gap", f"a result at {self.length}", f"one at {signed.seq}")
        if any(named > held for named, held in zip(signed.sides, self.sides, strict=True)):
            # What it counts and is not here may be what undoes it.
            raise Damage("gap", f"a result after {self.sides} side envelopes", f"one after {signed.sides}")
        if (signed.seq, signed.head) != (self.length, self.head):
            raise Disputed(
                "forked", f"a result at {self.length}", f"one at {signed.seq}, {signed.head.hex()}", seat=seat,
                needs=signed.head,
            )  # fmt: skip
        follows = self._result_of(signed.grounds)
        if follows is None:
            self._check_known(seat, signed)
        if follows is None or signed.result != follows:
            # Everything that it is said to follow from is here, and it does not follow.
            raise convict("false_result", f"{dict(follows or ())}", f"{dict(signed.result)}")
        if not self.may_sign(seat) or signed != replace(self.signable(seat), sides=signed.sides):
            if self.stages[seat] in (Stage.SIGNED, Stage.OPENED, Stage.CLOSED):
                return []
            raise Disputed("not_now", "a result that stands", f"{signed}", seat=seat)
        claim = self.status.find_claim(signed.grounds)
        if claim is not None:
            self.status.claims.concede(claim)
        events = [] if self.over else self._end()
        self.stages[seat] = self._next(seat, Input.RESULT)
        self._hold(FrameKind.RESULT, frame, seat)
        self.testimony.hold(seat, mark)
        return [*events, ResultSigned(seat)]

    def _check_known(self, seat: Seat, signed: SignedOutcome) -> None:
        """Check that all side envelopes are here that a result names as its grounds.

        Raises:
            Disputed: one is not.
        """
        for by, ground in signed.grounds:
            if by >= len(self.stages) or ground not in self._side_heads[by][1:]:
                wanted = "a result on grounds that are known here"
                raise Disputed("forked", wanted, f"{signed}", seat=seat, needs=ground)

    def _take_seed(
        self, frame: bytes, source: Source, seat: Seat, seed: bytes, signature: bytes
    ) -> list[Event]:
        self.authors.check(seat, source, hash_parts("open-seed", self.agreement.match_id, seed), signature)
        player = self.agreement.players[seat]
        found = seed_commitment(player.match_key, seed)
        if found != player.seed_commitment:
            wanted = player.seed_commitment.hex()
            raise Misbehaviour("wrong_seed", wanted, found.hex(), seat=seat, seq=None, evidence=(frame,))
        self.stages[seat] = self._next(seat, Input.SEED)
        self.seeds[seat] = seed
        self._hold(FrameKind.SEED, frame, seat)
        return [SeedOpened(seat)]

    def _take_verdict(self, frame: bytes, source: Source, data: bytes, signature: bytes) -> list[Event]:
        digest = hash_parts("verdict", data)
        verdict = self.authors.read(AuditVerdict.unpack, digest, data, signature, source, frame)
        seat = verdict.seat
        stage = self._next(seat, Input.VERDICT)
        if len(self.seeds) < len(self.stages):
            raise Disputed("not_now", "a verdict after all seeds", f"one after {len(self.seeds)}", seat=seat)
        self.stages[seat] = stage
        self.verdicts[seat] = verdict
        self._hold(FrameKind.VERDICT, frame, seat)
        return [VerdictSigned(seat, verdict.problems)]

    def _take_statement(self, frame: bytes, source: Source, data: bytes, signature: bytes) -> list[Event]:
        # Each side asks the witness itself: what the other would pass on could not be checked for its silence.
        if source.seat is not None:
            raise Damage("unexpected_frame", "no statement of a witness from a player", "one")
        statement = self.authors.statement(data, signature)
        if statement in self.statements:
            # The witness may have signed the same twice; one is enough.
            return []
        if len(self.statements) >= STATEMENT_LIMIT:
            raise Damage("unexpected_frame", f"at most {STATEMENT_LIMIT} statements", "one more")
        self.statements.append(statement)
        self.witnessed.add(statement.digest)
        self._frames.add(frame)
        self.records.append(Record(FrameKind.WITNESS, frame))
        return []

    _HANDLERS: dict[FrameKind, Callable[..., list[Event]]] = {  # noqa: RUF012 (a table of functions, never changed)
        FrameKind.ENVELOPE: _take_envelope,
        FrameKind.SIDE: _take_side,
        FrameKind.RESULT: _take_result,
        FrameKind.SEED: _take_seed,
        FrameKind.VERDICT: _take_verdict,
        FrameKind.WITNESS: _take_statement,
    }

    def _check_seats(self, seat: Seat, seq: int | None, sides: tuple[int, ...], frame: bytes) -> None:
        """Check that a message counts the side envelopes of every seat.

        Raises:
            Misbehaviour: it does not.
        """
        if len(sides) != len(self.stages):
            raise Misbehaviour(
                "wrong_count", f"{len(self.stages)} numbers of side envelopes", str(len(sides)), seat=seat, seq=seq,
                evidence=(frame,),
            )  # fmt: skip

    def _hold(self, kind: FrameKind, frame: bytes, seat: Seat) -> None:
        self._frames.add(frame)
        self.records.append(Record(kind, frame))
        self.sent[seat].append(frame)

    def _next(self, seat: Seat, kind: Input) -> Stage:
        """Return the stage after a message of the end, which says nothing of what its author had seen."""
        stage = self.status.after(seat, kind)
        if stage is None:
            wanted = f"nothing of this kind in stage {self.stages[seat].name}"
            raise Disputed("not_now", wanted, kind.name, seat=seat)
        return stage

    def _check_fresh(self, step: Step, fresh: set[bytes]) -> None:
        # A commitment that has been seen is a copy of somebody else's or an old one played again.
        for commitment in commitments_of(step):
            if commitment in fresh or commitment in self._used:
                raise Refused("commitment_repeated", "commitments never seen before", "one that was")
            fresh.add(commitment)
