"""Several logs of one match, judged together (SPEC.md, section "Several logs").

Players export their own logs and may leave out what speaks against them.  Together the logs hold what each has
left out.  Every message says where it stands in what its author has signed, so the messages of all logs fall into one
order, whoever has exported which and in whatever order the files are given; two messages of one seat that cannot both
stand in it convict that seat.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from protocol.core.audit import PROBLEM_LIMIT, Dispute, Log, Verdict, begin, conclude, verify
from protocol.core.authors import Source
from protocol.core.envelope import Envelope
from protocol.core.frames import FrameKind, unpack_frame
from protocol.core.game_data import read_data
from protocol.core.messages import AuditVerdict, Problem, Side, SignedOutcome
from protocol.core.testimony import Mark, Testimony, mark_envelope, mark_result, mark_side
from protocol.core.transcript import Transcript
from protocol.crypto.hashing import hash_parts
from protocol.errors import Damage, Disputed, Misbehaviour, ProtocolError, VerificationError, WireError
from protocol.game import Games, Seat


def verify_together(logs: Sequence[Log], games: Games) -> tuple[Verdict, ...]:
    """Judge logs of one match; return a verdict for each, in their order.

    What is wrong with a file alone stands in its verdict alone; what somebody has signed stands in all of them.

    Raises:
        VerificationError: ``other_match``: the logs are not of one match.
        LocalProtocolError: the library that the scheme needs is too old or does not work.
    """
    alone = [verify(log.records, games, log.trailer) for log in logs]
    matches = {verdict.agreement.match_id.hex() for verdict in alone if verdict.agreement is not None}
    if len(matches) > 1:
        raise VerificationError("other_match", "logs of one match", f"logs of {' and '.join(sorted(matches))}")
    readable = [log for log, verdict in zip(logs, alone, strict=True) if verdict.course is not None]
    if len(readable) < 2:
        return tuple(alone)
    opened = begin(readable[0].records, games, None)
    assert not isinstance(opened, Verdict)
    merger = _Merger(opened[0])
    merger.take(readable)
    found = {(one.code, one.seq, one.seat): one for one in merger.convictions.values()}
    found.update({(one.code, one.seq, one.seat): one for verdict in alone for one in verdict.convictions})
    convictions = sorted(found.values(), key=lambda one: (one.seat or 0, one.code, one.seq or 0))
    shared = conclude(merger.transcript, convictions, convictions, None if convictions else merger.dispute)
    return tuple(_share(verdict, shared) for verdict in alone)


def _share(alone: Verdict, shared: Verdict) -> Verdict:
    """Return the verdict of one log, with what all of them prove together."""
    if alone.course is None:
        return alone
    known = {(one.code, one.seq, one.seat) for one in alone.problems}
    more = [one for one in shared.problems if (one.code, one.seq, one.seat) not in known]
    problems = (*alone.problems, *more)[:PROBLEM_LIMIT]
    return replace(shared, ok=not problems, problems=problems)


@dataclass(slots=True)
class _Pile:
    """The signed messages of all logs, each once, by what they are."""

    envelopes: dict[int, list[tuple[bytes, Seat]]] = field(default_factory=dict)
    """By number: frames, and who has signed each."""
    sides: dict[int, dict[int, list[tuple[int, bytes]]]] = field(default_factory=dict)
    """By the length of the chain that their authors had seen, and by seat: numbers and frames."""
    others: dict[FrameKind, list[bytes]] = field(default_factory=dict)
    marks: dict[int, list[Mark]] = field(default_factory=dict)
    """By seat, where its messages stand in what it has signed."""


class _Merger:
    """Feeds a transcript with what all logs of its match hold."""

    def __init__(self, transcript: Transcript) -> None:
        self.transcript = transcript
        self.convictions: dict[int, Problem] = {}
        """The first thing that convicts each seat."""
        self.dispute: Dispute | None = None
        """The first message that does not fit, whatever all logs hold."""
        self._pile = _Pile()

    def take(self, logs: Sequence[Log]) -> None:
        """Take all records of some logs; what does not fit is left out."""
        faults: dict[bytes, Misbehaviour | Disputed | Damage | WireError | None] = {}
        for log in logs:
            unsigned = 0
            for record in log.records[read_data(log.records)[1] :]:
                if unsigned == PROBLEM_LIMIT:
                    break
                if record.frame not in faults:
                    faults[record.frame] = self._read(record.frame)
                unsigned += isinstance(faults[record.frame], Damage | WireError)
        # Sorted, so that the order of the files does not matter even for what is found first.
        for _, fault in sorted(faults.items(), key=lambda one: one[0]):
            if isinstance(fault, Misbehaviour):
                self._convict(fault)
            else:
                # What nobody has signed stands in the verdict of the log that it comes from.
                self._leave_out(fault)
        testimony = Testimony(len(self.transcript.stages))
        for seat, marks in sorted(self._pile.marks.items()):
            try:
                for mark in sorted(marks, key=lambda one: (one.before, one.after, one.digest)):
                    testimony.check(seat, mark)
                    testimony.hold(seat, mark)
            except Misbehaviour as error:
                self._convict(error)
        self._feed()

    def _read(self, frame: bytes) -> Misbehaviour | Disputed | Damage | WireError | None:
        """Put a frame on the pile if somebody has signed it; return what is wrong with it alone."""
        try:
            _put(self.transcript, self._pile, frame)
        except (Misbehaviour, Disputed, Damage, WireError) as error:
            return error
        return None

    def _convict(self, error: Misbehaviour) -> None:
        self.convictions.setdefault(error.seat, Problem(error.code, error.seq, error.seat, str(error)))

    def _leave_out(self, error: ProtocolError | None) -> None:
        if isinstance(error, Disputed):
            self.dispute = self.dispute or Dispute(error.code, error.seat, error.needs)

    def _misfit(self, frame: bytes) -> Damage | Disputed | None:
        """Take a frame; return why it does not fit, if it does not and convicts nobody."""
        try:
            self.transcript.accept(frame)
        except Misbehaviour as error:
            self._convict(error)
        except (Damage, Disputed) as error:
            return error
        return None

    def _feed(self) -> None:
        """Feed everything in an order in which each author has signed it."""
        pile = self._pile
        # Not each length up to the greatest: that one is whatever somebody has signed.
        for length in sorted({*pile.envelopes, *pile.sides}):
            self._feed_envelopes(pile.envelopes.get(length, ()))
            self._feed_sides(pile.sides.get(length, {}))
        # Who has resigned signs the result after the other: one that stands before the other's fits the second time.
        others = {kind: sorted(frames) for kind, frames in pile.others.items()}
        late = [frame for frame in others.get(FrameKind.RESULT, ()) if self._misfit(frame) is not None]
        kinds = (FrameKind.SEED, FrameKind.VERDICT, FrameKind.WITNESS)
        for frames in (late, *(others.get(kind, ()) for kind in kinds)):
            for frame in frames:
                self._leave_out(self._misfit(frame))

    def _feed_envelopes(self, envelopes: Sequence[tuple[bytes, Seat]]) -> None:
        """Feed the envelopes with one number."""
        spent: set[Seat] = set()
        for frame, seat in sorted(envelopes):
            if seat in spent:
                continue
            try:
                self.transcript.accept(frame)
            except (Misbehaviour, Damage, Disputed) as error:
                if isinstance(error, Misbehaviour):
                    self._convict(error)
                else:
                    self._leave_out(error)
                # Its steps were tried.  Whoever signs two of one number is convicted, so that no more work is due.
                if isinstance(error, Misbehaviour) or error.code == "states_differ":
                    spent.add(seat)

    def _feed_sides(self, sides: Mapping[int, Sequence[tuple[int, bytes]]]) -> None:
        """Feed the side envelopes of one length."""
        queues = [[frame for _, frame in sorted(numbered)] for _, numbered in sorted(sides.items())]
        while queues := [queue for queue in queues if queue]:
            misfits = []
            # What waits for a word of the other, an answer for what it answers, fits once that was said.
            for queue in queues:
                misfits.append(self._misfit(queue[0]))
                if misfits[-1] is None:
                    queue.pop(0)
                    break
            else:
                queues[0].pop(0)
                self._leave_out(misfits[0])


def _put(transcript: Transcript, pile: _Pile, frame: bytes) -> None:
    """Put a frame with a good signature on the pile.

    Raises:
        WireError, Damage: it proves nothing.
        Disputed: it comes from a later program.
        Misbehaviour: it convicts its author.
    """
    kind, values = unpack_frame(frame)
    authors = transcript.authors
    count = len(transcript.stages)
    if kind is FrameKind.ENVELOPE:
        digest = hash_parts("env", values[0])
        envelope = authors.read(Envelope.unpack, digest, values[0], values[1], Source(), frame)
        if len(envelope.sides) == count:
            pile.marks.setdefault(envelope.seat, []).append(mark_envelope(envelope, digest, frame))
        pile.envelopes.setdefault(envelope.seq, []).append((frame, envelope.seat))
    elif kind is FrameKind.SIDE:
        digest = hash_parts("side", values[0])
        side = authors.read(Side.unpack, digest, values[0], values[1], Source(), frame)
        pile.marks.setdefault(side.seat, []).append(mark_side(side, digest, frame))
        pile.sides.setdefault(side.seq, {}).setdefault(side.seat, []).append((side.number, frame))
    elif kind is FrameKind.RESULT:
        seat, data, by_match_key, by_identity = values
        digest = hash_parts("result", data)
        authors.check(seat, Source(), digest, by_match_key)
        authors.check_identity(seat, Source(), digest, by_identity)
        try:
            outcome = SignedOutcome.unpack(data)
        except WireError as error:
            wanted = f"{error.path}: {error.expected}"
            raise Misbehaviour("malformed", wanted, error.got, seat=seat, seq=None, evidence=(frame,)) from None
        if outcome.match_id != transcript.agreement.match_id:
            raise Damage("wrong_match", transcript.agreement.match_id.hex(), outcome.match_id.hex())
        if len(outcome.sides) == count:
            pile.marks.setdefault(seat, []).append(mark_result(seat, outcome, digest, frame))
        pile.others.setdefault(kind, []).append(frame)
    elif kind is FrameKind.VERDICT:
        authors.read(AuditVerdict.unpack, hash_parts("verdict", values[0]), values[0], values[1], Source(), frame)
        pile.others.setdefault(kind, []).append(frame)
    elif kind is FrameKind.SEED:
        seat, seed, signature = values
        authors.check(seat, Source(), hash_parts("open-seed", transcript.agreement.match_id, seed), signature)
        pile.others.setdefault(kind, []).append(frame)
    elif kind is FrameKind.WITNESS:
        authors.statement(*values)
        pile.others.setdefault(kind, []).append(frame)
    else:
        raise Damage("unexpected_frame", "a frame of a running match", kind.name)
