"""The signed record of a match: every frame is verified first and held then (SPEC.md, section "Order").

Both sessions and the audit feed it with the same frames, and it does not know who "we" are.  What is *not*
here: our secrets and what we send, which is :mod:`protocol.core.session`; what side messages decide, which is
:mod:`protocol.core.match_status`.

One link of the common chain may be written by exactly one seat.  Chat, draw and resignation are counted for each
sender.  The header of every message hashes all that its author had seen of both.

Three things can be wrong with a frame.  It is :class:`~protocol.errors.Damage` if its author never signed it so,
or if something is missing before it.  It is :class:`~protocol.errors.Misbehaviour` if what its author has signed
(this message, the messages whose hashes are in it, the author's other messages) is against the rules.  Everything
else is :class:`~protocol.errors.Disputed`: the other seat, or whoever made the log, may have left something out
or signed something else instead.
"""

from collections.abc import Callable, Sequence
from operator import getitem, gt
from typing import Any, NamedTuple

from protocol.core import results
from protocol.core.agreement import Agreement, seed_commitment
from protocol.core.clock import ClockAccounts
from protocol.core.events import Answered, Event, MatchOver, ResultSigned, SeedOpened, TimesDiffer, VerdictSigned
from protocol.core.frames import CHAIN_LIMIT, SIDE_LIMIT, FrameKind, Record, unpack_frame
from protocol.core.match_status import MatchStatus, is_proved, too_early
from protocol.core.messages import AuditVerdict, Envelope, Header, OpenedSeed, Side, SideType, SignedOutcome
from protocol.core.referee import Position, Referee
from protocol.core.results import Grounds, Result
from protocol.core.stages import Input, Stage
from protocol.core.steps import Choice, Commit, Seal, Step, commitments_of
from protocol.core.testimony import Authors, Mark, Source, Testimony, mark_of
from protocol.core.witness import STATEMENT_LIMIT, WitnessStatement, read_statement
from protocol.crypto.commitments.schemes import find_scheme
from protocol.crypto.hashing import hash_parts
from protocol.errors import BadCommitment, Damage, Disputed, LocalProtocolError, Misbehaviour, Refused, WireError
from protocol.game import Answer, Foul, Game, Request, Seat, other


class Played(NamedTuple):
    """One step of the match, for the audit."""

    seq: int
    seat: Seat
    step: Step
    before: Position
    answer: Answer | None


_ANSWERS: dict[int, SideType] = {
    SideType.ACCEPT: SideType.OFFER,
    SideType.DECLINE: SideType.OFFER,
    SideType.AGREE: SideType.PROPOSE,
    SideType.REJECT: SideType.PROPOSE,
    SideType.DENY: SideType.CLAIM,
}
"""What each kind of answer answers."""


class _Form(NamedTuple):
    """What is read from the frames of one kind."""

    label: str
    """What the signed hash begins with."""
    unpack: Callable[[bytes], Header]
    take: Callable[..., list[Event]]
    """Verifies a message that fits with all that is held, and holds it."""


def _link(newest: Sequence[bytes]) -> bytes:
    """Return the hash of the newest messages that an author had seen."""
    return hash_parts("link", *newest)


class Transcript:
    """Everything that is held of one match; it takes only frames that it has verified."""

    def __init__(self, agreement: Agreement, game: Game[Any]) -> None:
        """Begin after the handshake.

        Raises:
            ValueError: the game does not take the terms, or no match in its scheme can carry it.
            BadCommitment: the scheme is unknown.
            LocalProtocolError: the library that it needs is too old or does not work.
        """
        self.agreement = agreement
        self.game = game
        self.referee = Referee(game, find_scheme(agreement.scheme), agreement.match_id)
        self.position = self.referee.begin(agreement.terms)
        self.state_hash = self._hash_state(self.position)
        self.heads = [agreement.match_id]
        """The chain: ``heads[n]`` is the hash of envelope n."""
        self.records: list[Record] = []
        """Every accepted frame after the handshake, in order; a frame that ends it against the rules is the last."""
        self.history: list[Played] = []
        self.seeds: dict[Seat, bytes] = {}
        self.verdicts: dict[Seat, AuditVerdict] = {}
        seats = range(len(agreement.players))
        self.status = MatchStatus(len(seats))
        clock = agreement.conditions.clock
        self.times = None if clock is None else ClockAccounts(clock, len(seats))
        """The clocks as the record has them; None in a match without."""
        self.authors = Authors(agreement)
        self.sent: list[list[bytes]] = [[] for _ in seats]
        """The accepted frames of each seat."""
        self.room = CHAIN_LIMIT
        """How many bytes of envelopes there may still be."""
        self._digests: list[list[bytes]] = [[agreement.match_id] for _ in seats]
        self.testimony = Testimony(len(seats))
        self._writers: list[Seat] = []
        self.statements: list[WitnessStatement] = []
        """What the witness has signed, in the order in which it was kept."""
        self.witnessed: set[bytes] = set()
        """The hashes of which there is a statement."""
        self._sides: list[list[Side]] = [[] for _ in seats]
        self._side_heads = [[agreement.match_id] for _ in seats]
        self._waiting: dict[Seat, Side] = {}
        """The last acceptance or claim of each seat."""
        self._denied: list[dict[int, int]] = [{} for _ in seats]
        """What each seat has denied: numbers of claims, with that of the first denial of each."""
        self._counted: dict[bytes, tuple[int, ...]] = {}
        """By its hash, what whoever holds a message has seen: the length of the chain, and the counts of all seats."""
        self._frames: set[bytes] = set()
        self._used: set[bytes] = set()

    @property
    def holds_all(self) -> bool:
        """Whether every record holds; if not, the last one is against the rules."""
        return len(self.records) == len(self._frames)

    @property
    def length(self) -> int:
        """The number of envelopes."""
        return len(self.heads) - 1

    @property
    def head(self) -> bytes:
        """The hash of the last envelope."""
        return self.heads[-1]

    @property
    def stages(self) -> list[Stage]:
        """How far each seat has come."""
        return self.status.stages

    @property
    def over(self) -> bool:
        """Whether the match has its result."""
        return self.status.over

    @property
    def sides(self) -> tuple[int, ...]:
        """How many side envelopes of each seat are held."""
        return tuple(map(len, self._sides))

    def newest(self, seq: int, sides: tuple[int, ...]) -> list[bytes]:
        """Return the hashes of the newest messages when so many are held: of the chain, and of each seat's side."""
        return [self.heads[seq], *map(getitem, self._side_heads, sides)]

    def header(self, seat: Seat, seq: int | None = None, sides: tuple[int, ...] | None = None) -> Header:
        """Return the header of a message of a seat that has seen so much, or else all that is held."""
        seq, sides = self.length if seq is None else seq, self.sides if sides is None else sides
        return Header(self.agreement.match_id, seat, seq, sides, _link(self.newest(seq, sides)))

    def last_envelope_of(self, seat: Seat) -> int:
        """Return the number of the last envelope of a seat."""
        return max((number for number, author in enumerate(self._writers, 1) if author == seat), default=0)

    def outcome(self) -> Result | None:
        """Return the result of what has been sent, or None while the match goes on.

        The chain comes first, then resignation, then agreement, in whichever order they arrived.
        """
        result = self.game.result(self.position.state)
        if result is not None:
            return tuple(sorted(result.items()))
        grounds = self.status.grounds()
        return self._result_of(grounds) if grounds else None

    def signable(self, seat: Seat) -> SignedOutcome:
        """Return the result in the form that a seat signs; only when it may."""
        grounds = () if self.game.result(self.position.state) is not None else self.status.grounds(seat)
        result = self._result_of(grounds)
        assert result
        return SignedOutcome(*self.header(seat).fields, result, grounds)

    def digest(self, seat: Seat, count: int) -> bytes:
        """Return the running hash over the first ``count`` frames of a seat, for resuming."""
        # Most matches are never resumed, so that nothing is hashed before somebody asks.
        digests = self._digests[seat]
        for frame in self.sent[seat][len(digests) - 1 : count]:
            digests.append(hash_parts("resume", digests[-1], frame))
        return digests[count]

    def _hash_state(self, position: Position) -> bytes:
        return hash_parts("state", self.game.dump(position.state))

    def _result_of(self, grounds: Grounds) -> Result | None:
        turn = self.referee.turn(self.position)
        return results.follows(self.game, self.position.state, self.status, grounds, turn)

    def _end(self) -> list[Event]:
        self.status.end()
        return [MatchOver(dict(self.outcome() or ()))]

    def accept(self, frame: bytes, sender: Seat | None = None, *, checked: bool = False) -> list[Event]:
        """Verify a frame and hold it, or leave everything as it was.

        Args:
            frame: as it was sent.
            sender: whose connection it came from; None for a log, where the frame says so itself.
            checked: this very program has signed the frame a moment ago, or checked who has.

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
        source = Source(sender, checked)
        try:
            if kind is FrameKind.WITNESS:
                return self._take_statement(frame, source, *values)
            message, mark = self.read(kind, frame, values, source)
            if not self._is_new(message, mark):
                return []
            events = self._MESSAGES[kind].take(self, message, mark)
        except (Misbehaviour, Disputed):
            self.records.append(Record(kind, frame))
            raise
        self._frames.add(frame)
        self.records.append(Record(kind, frame))
        self.sent[message.seat].append(frame)
        self.testimony.hold(mark)
        return events

    def read(self, kind: FrameKind, frame: bytes, values: Sequence[Any], source: Source) -> tuple[Header, Mark]:
        """Return the message of a frame, and where it stands in what its author has signed (SPEC, "Order", 1 to 5).

        Raises:
            Damage: it proves nothing about anybody.
            Misbehaviour: it alone convicts its author.
        """
        form = self._MESSAGES.get(kind)
        if form is None:
            raise Damage("unexpected_frame", "a frame of a running match", kind.name)
        data, signature, *by_identity = values
        digest = hash_parts(form.label, data)
        message = self.authors.read(form.unpack, digest, data, signature, source, frame, *by_identity)
        mark = mark_of(message, digest, frame)
        if isinstance(message, Side) and message.number > SIDE_LIMIT + (message.type is SideType.RESIGN):
            raise mark.convict("too_many", f"at most {SIDE_LIMIT} side envelopes", str(message.number))
        return message, mark

    def _is_new(self, message: Header, mark: Mark) -> bool:
        """Check what a message's header says against all that is held; return whether it is not held yet itself.

        Raises:
            Damage: something that it counts is missing.
            Misbehaviour: its author has signed otherwise.
            Disputed: its author has seen other messages than these.
        """
        if self.testimony.holds(mark):
            return False
        self.testimony.check(mark)
        held = (self.length, *self.sides)
        sees_all = mark.before == held
        if not sees_all and any(map(gt, mark.before, held)):
            raise Damage("gap", f"a message after at most {held}", f"one after {mark.before}")
        newest = self.newest(message.seq, message.sides)
        link = _link(newest)
        if message.prev != link:
            # Who has made the messages that its author had seen is not in these bytes.
            wanted = f"a message after {link.hex()}"
            raise Disputed("forked", wanted, message.prev.hex(), seat=message.seat, needs=message.prev)
        for digest in () if sees_all else newest:
            counted = self._counted.get(digest, ())
            if any(map(gt, counted, mark.before)):
                # Nobody holds a message without what its author had held and sent before.
                raise mark.convict("backdated", f"at least {counted}, which it counts", str(mark.before))
        return True

    def _take_envelope(self, envelope: Envelope, mark: Mark) -> list[Event]:
        seat, number = envelope.seat, envelope.number
        stage = self._check_turn(envelope, mark)
        position, played, fresh = self._play(envelope, mark)
        state_hash = self._check_state(envelope, position)

        # Everything is verified; now it is held.
        position.tokens.settle()
        position.cards.settle()
        position.shares.settle()
        position.opened.settle()
        self.position, self.state_hash = Position(mark.digest, *position[1:]), state_hash
        self.room -= len(mark.frame)
        self.heads.append(mark.digest)
        self._counted[mark.digest] = mark.after
        self.history.extend(played)
        self._writers.append(seat)
        self._used |= fresh
        answers: list[tuple[Request, Answer]] = [
            (one.before.request, one.answer)
            for one in played
            if one.answer is not None and one.before.request is not None
        ]
        events: list[Event] = [Answered(number, seat, tuple(answers)), *self.status.move_on(seat, stage)]
        if self.times is not None and envelope.stamp is not None:
            # What follows by force takes no time and earns none, nor does what programs answer by themselves.
            chosen = [one.before.request for one in played if isinstance(one.step, (Choice, Seal, Commit))]
            decided = any(getattr(request, "kind", None) not in self.game.idle for request in chosen)
            difference = self.times.take(number, seat, envelope.stamp, decided=decided)
            if difference is not None:
                events.append(TimesDiffer(difference))
        if position.request is None:
            events.extend(self._end())
        return events

    def _check_turn(self, envelope: Envelope, mark: Mark) -> Stage:
        """Check that the author may send an envelope of this kind now; return how far it brings them.

        Raises:
            Misbehaviour: they may not.
        """
        seat, number = envelope.seat, envelope.number
        if number <= self.length:
            raise mark.convict("not_your_turn", f"seat {self._writers[number - 1]}", f"seat {seat}")
        stage = self.status.after(seat, Input.ENVELOPE)
        if stage is None:
            # The author has resigned, accepted, signed, or seen the end, before this head, and has said so.
            raise mark.convict("not_now", f"nothing of this kind in stage {self.stages[seat].name}", "ENVELOPE")
        self._check_waiting(envelope, mark)
        for accepting, acceptance in self.status.accepted.items():
            # SPEC, "Draw": an offer binds; only an envelope whose author had not seen the acceptance undoes it.
            if envelope.sides[accepting] >= acceptance.number:
                raise mark.convict("not_now", "no envelope after the acceptance of the own offer", "ENVELOPE")
        if (envelope.stamp is None) != (self.times is None):
            wanted = "an envelope with times" if envelope.stamp is None else "one without times"
            raise mark.convict("wrong_clock", f"{wanted}, as agreed", "another")
        if len(mark.frame) > self.room:
            raise mark.convict("chain_too_long", f"at most {CHAIN_LIMIT} bytes of envelopes", "more")
        return stage

    def _play(self, envelope: Envelope, mark: Mark) -> tuple[Position, list[Played], set[bytes]]:
        """Return the position after the steps of an envelope, these steps, and the commitments that are new in them.

        Raises:
            Misbehaviour: a step is against the rules, or shows that an earlier one was.
            Disputed: the rules allow the steps, but no match of this protocol can carry what follows.
        """
        seat, number, position = envelope.seat, envelope.number, self.position
        played: list[Played] = []
        fresh: set[bytes] = set()
        try:
            for step in envelope.steps:
                self._check_fresh(step, fresh)
                before = position
                position, answer = self.referee.apply(before, seat, step)
                played.append(Played(number, seat, step, before, answer))
        except (Refused, BadCommitment) as error:
            raise mark.convict(error.code, error.expected, error.got) from None
        except LocalProtocolError as error:
            raise Disputed(error.code, error.expected, error.got, seat=seat) from None
        except Foul as foul:
            code, wanted, evidence = foul.code, "play within the rules", (mark.frame,)
            raise Misbehaviour(code, wanted, foul.sentence, seat=foul.seat, seq=number, evidence=evidence) from None
        return position, played, fresh

    def _check_state(self, envelope: Envelope, position: Position) -> bytes:
        """Return the hash of the state after an envelope, which is the one that its author has signed.

        Raises:
            Disputed: it is another.  The author may be a cheat who is about to lose, or an honest program with a
                fault; so may we.
        """
        state_hash = self.state_hash
        if position.state is not self.position.state:
            state_hash = self._hash_state(position)
        if state_hash != envelope.state:
            wanted, found = f"the state {state_hash.hex()} after envelope {envelope.number}", envelope.state.hex()
            held = self.game.dump(position.state)
            raise Disputed("states_differ", wanted, found, seat=envelope.seat, state=held)
        return state_hash

    def _take_side(self, side: Side, mark: Mark) -> list[Event]:
        seat = side.seat
        events: list[Event] = []
        if not isinstance(side.type, SideType):
            if side.type % 2 == 0:
                # SPEC, "What may come": it must be understood, and is not.
                raise Disputed("unknown_message", "a type that this program knows", f"type {side.type}", seat=seat)
        # A side envelope that crossed the one that ended the match is no fault and has no effect.
        elif side.type is SideType.CLAIM and self.over and side.seq < self.length:
            events = [self.status.claims.late(side, mark.digest)]
        elif side.type is SideType.CHAT or not self.over or side.seq == self.length:
            if side.type is not SideType.CHAT:
                self._check_waiting(side, mark)
            stage = self.status.after(seat, Input[side.type.name])
            if stage is None:
                wanted = f"nothing of this kind in stage {self.stages[seat].name}"
                if self.position.request is None or self.status.has_given_up(seat):
                    raise mark.convict("not_now", wanted, side.type.name)
                # The author's signature under the result says nothing of their own side envelopes before it.
                raise Disputed("not_now", wanted, side.type.name, seat=seat)
            self._check_answered(side, mark)
            present = side.seq == self.length
            proved = False
            if present and side.type is SideType.CLAIM:
                turn = self.referee.turn(self.position)
                proved = is_proved(side, turn, self.times)
                clock = self.agreement.conditions.clock
                fault = None if proved else too_early(side, turn, self.times, clock)
                if fault is not None:
                    raise mark.convict("early_claim", *fault)
            events = self.status.take(side, mark.digest, stage, present=present, proved=proved)
        self._sides[seat].append(side)
        if side.type in (SideType.ACCEPT, SideType.CLAIM):
            self._waiting[seat] = side
        elif side.type is SideType.DENY and isinstance(side.body, int):
            self._denied[seat].setdefault(side.body, side.number)
        self._side_heads[seat].append(mark.digest)
        self._counted[mark.digest] = mark.after
        if all(one is Stage.RESIGNED for one in self.stages):
            events.extend(self._end())
        return events

    def _check_waiting(self, message: Header, mark: Mark) -> None:
        """Check that the author does not wait for the other, by what the author had seen, and not by what came first.

        Raises:
            Misbehaviour: it has accepted a draw or claimed the match at this very head, and counts no denial.
        """
        side = self._waiting.get(message.seat)
        if side is None or side.seq < message.seq:
            # Whatever they had said at an older head has lapsed with it.
            return
        peer = other(message.seat)
        denied = self._denied[peer].get(side.number, SIDE_LIMIT + 1) <= message.sides[peer]
        if side.type is SideType.ACCEPT or not denied:
            raise mark.convict("not_now", "nothing but chat after an acceptance or claim at this head", mark.what[0])

    def _check_answered(self, side: Side, mark: Mark) -> None:
        wanted = _ANSWERS.get(side.type)
        if wanted is not None and isinstance(side.body, int):
            peer = other(side.seat)
            if side.body > side.sides[peer] or self._sides[peer][side.body - 1].type is not wanted:
                raise mark.convict("no_such_offer", f"the number of {wanted.name} that it counts", str(side.body))

    def _take_result(self, signed: SignedOutcome, mark: Mark) -> list[Event]:
        seat = signed.seat
        if signed.seq != self.length:
            raise Disputed("not_now", f"a result at {self.length}", f"one at {signed.seq}", seat=seat)
        follows = self._result_of(signed.grounds) if self._counts(signed) else None
        if follows is None or signed.result != follows:
            # Its author had seen everything that it is said to follow from, and it does not follow.
            raise mark.convict("false_result", f"{dict(follows or ())}", "another")
        if not self.status.may_sign(seat) or signed.grounds != self.signable(seat).grounds:
            raise Disputed("not_now", "a result that stands", "one that does not", seat=seat)
        claim = self.status.find_claim(signed.grounds)
        if claim is not None:
            self.status.claims.concede(claim)
        events = [] if self.over else self._end()
        self.stages[seat] = self._next(seat, Input.RESULT)
        return [*events, ResultSigned(seat)]

    def _counts(self, signed: SignedOutcome) -> bool:
        """Say whether a result counts all side envelopes that it names as its grounds."""
        return all(
            by < len(self.stages) and ground in self._side_heads[by][1 : signed.sides[by] + 1]
            for by, ground in signed.grounds
        )

    def _take_seed(self, opened: OpenedSeed, mark: Mark) -> list[Event]:
        seat = opened.seat
        player = self.agreement.players[seat]
        found = seed_commitment(player.match_key, opened.seed)
        if found != player.seed_commitment:
            raise mark.convict("wrong_seed", player.seed_commitment.hex(), found.hex())
        self.stages[seat] = self._next(seat, Input.SEED)
        self.seeds[seat] = opened.seed
        return [SeedOpened(seat)]

    def _take_verdict(self, verdict: AuditVerdict, mark: Mark) -> list[Event]:
        seat = verdict.seat
        stage = self._next(seat, Input.VERDICT)
        if len(self.seeds) < len(self.stages):
            raise Disputed("not_now", "a verdict after all seeds", f"one after {len(self.seeds)}", seat=seat)
        self.stages[seat] = stage
        self.verdicts[seat] = verdict
        return [VerdictSigned(seat, verdict.problems)]

    def _take_statement(self, frame: bytes, source: Source, data: bytes, signature: bytes) -> list[Event]:
        # Each side asks the witness itself: what the other would pass on could not be checked for its silence.
        if source.seat is not None:
            raise Damage("unexpected_frame", "no statement of a witness from a player", "one")
        statement = read_statement(self.agreement, data, signature)
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

    _MESSAGES: dict[FrameKind, _Form] = {  # noqa: RUF012 (a table of functions, never changed)
        FrameKind.ENVELOPE: _Form("env", Envelope.unpack, _take_envelope),
        FrameKind.SIDE: _Form("side", Side.unpack, _take_side),
        FrameKind.RESULT: _Form("result", SignedOutcome.unpack, _take_result),
        FrameKind.SEED: _Form("open-seed", OpenedSeed.unpack, _take_seed),
        FrameKind.VERDICT: _Form("verdict", AuditVerdict.unpack, _take_verdict),
    }

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
