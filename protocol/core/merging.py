"""Several logs of one match, judged together (SPEC.md, section "Several logs").

Players export their own logs and may leave out what speaks against them.  Together the logs hold what each has
left out.  Every message says where it stands in what its author has signed, so the messages of all logs fall into one
order, whoever has exported which and in whatever order the files are given; two messages of one seat that cannot both
stand in it convict that seat.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from protocol.core.audit import PROBLEM_LIMIT, Dispute, Verdict, begin, conclude, verify
from protocol.core.frames import FrameKind, Log, unpack_frame
from protocol.core.game_data import read_data
from protocol.core.messages import Problem
from protocol.core.testimony import Mark, Source, Testimony
from protocol.core.transcript import Transcript
from protocol.core.witness import read_statement
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
    readable = [log for log, verdict in zip(logs, alone, strict=True) if verdict.transcript is not None]
    if len(readable) < 2:
        return tuple(alone)
    opened = begin(readable[0].records, games, None)
    assert not isinstance(opened, Verdict)
    merger = _Merger(opened[0])
    merger.take(readable)
    found = {one.key: one for one in merger.convictions.values()}
    found.update({one.key: one for verdict in alone for one in verdict.convictions})
    convictions = sorted(found.values(), key=lambda one: (one.seat or 0, one.code, one.seq or 0, one.batch or ()))
    shared = conclude(merger.transcript, convictions, convictions, None if convictions else merger.dispute)
    return tuple(_share(verdict, shared) for verdict in alone)


def _share(alone: Verdict, shared: Verdict) -> Verdict:
    """Return the verdict of one log, with what all of them prove together."""
    if alone.transcript is None:
        return alone
    known = {one.key for one in alone.problems}
    more = [one for one in shared.problems if one.key not in known]
    problems = (*alone.problems, *more)
    unlisted = alone.unlisted.union(one.code for one in problems[PROBLEM_LIMIT:])
    if not alone.ok:
        # SPEC, "End and results": a damaged file says of nobody that they owe something, and how much of it holds.
        shared = replace(shared, owes=None, dispute=None, messages=alone.messages)
    return replace(shared, ok=alone.ok, problems=problems[:PROBLEM_LIMIT], unlisted=unlisted)


class _Place(NamedTuple):
    """A message of some log, and where it is taken."""

    seen: int
    """The sum of all that its author had seen: whatever it counts has a smaller one."""
    kind: FrameKind
    seat: Seat
    frame: bytes
    number: int


class _Merger:
    """Feeds a transcript with what all logs of its match hold."""

    def __init__(self, transcript: Transcript) -> None:
        self.transcript = transcript
        self.convictions: dict[int, Problem] = {}
        """The first thing that convicts each seat."""
        self.dispute: Dispute | None = None
        """The first message that does not fit, whatever all logs hold."""
        self._places: list[_Place] = []
        self._marks: dict[Seat, list[Mark]] = {}
        """By seat, where its messages stand in what it has signed."""

    def take(self, logs: Sequence[Log]) -> None:
        """Take all records of some logs; what does not fit is left out."""
        faults: dict[bytes, Misbehaviour | Damage | WireError | None] = {}
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
            # What nobody has signed stands in the verdict of the log that it comes from.
            if isinstance(fault, Misbehaviour):
                self._convict(fault)
        testimony = Testimony(len(self.transcript.stages))
        for _, marks in sorted(self._marks.items()):
            try:
                for mark in sorted(marks, key=lambda one: (one.before, one.after, one.digest)):
                    testimony.check(mark)
                    testimony.hold(mark)
            except Misbehaviour as error:
                self._convict(error)
        self._feed()

    def _read(self, frame: bytes) -> Misbehaviour | Damage | WireError | None:
        """Find the place of a frame if somebody has signed it; return what is wrong with it alone."""
        try:
            kind, values = unpack_frame(frame)
            if kind is FrameKind.WITNESS:
                read_statement(self.transcript.agreement, *values)
                self._places.append(_Place(0, kind, 0, frame, 0))
                return None
            message, mark = self.transcript.read(kind, frame, values, Source())
        except (Misbehaviour, Damage, WireError) as error:
            return error
        self._marks.setdefault(message.seat, []).append(mark)
        self._places.append(_Place(sum(mark.before), kind, message.seat, frame, mark.what[1]))
        return None

    def _convict(self, error: Misbehaviour) -> None:
        self.convictions.setdefault(error.seat, Problem(error.code, error.seq, error.seat, str(error)))

    def _leave_out(self, error: ProtocolError | None) -> None:
        if isinstance(error, Disputed):
            self.dispute = self.dispute or Dispute(error.code, error.seat, error.needs)

    def _misfit(self, frame: bytes) -> Misbehaviour | Damage | Disputed | None:
        """Take a frame; return why it does not fit."""
        try:
            # Its signatures were checked when it was read alone.
            self.transcript.accept(frame, checked=True)
        except Misbehaviour as error:
            self._convict(error)
            return error
        except (Damage, Disputed) as error:
            return error
        return None

    def _feed(self) -> None:
        """Feed everything in an order in which each author has signed it."""
        spent: set[tuple[Seat, int]] = set()
        for place in self._of(FrameKind.ENVELOPE, FrameKind.SIDE):
            # Whoever signs two envelopes of one number is convicted, so that no more work is due.
            number = (place.seat, place.number) if place.kind is FrameKind.ENVELOPE else None
            if number in spent:
                continue
            error = self._misfit(place.frame)
            self._leave_out(error)
            if number and (isinstance(error, Misbehaviour) or getattr(error, "code", "") == "states_differ"):
                spent.add(number)
        # Who has resigned signs the result after the other: one that stands before the other's fits the second time.
        late = [place for place in self._of(FrameKind.RESULT) if self._misfit(place.frame) is not None]
        kinds = (FrameKind.SEED, FrameKind.VERDICT, FrameKind.WITNESS)
        for place in (*late, *(place for kind in kinds for place in self._of(kind))):
            self._leave_out(self._misfit(place.frame))

    def _of(self, *kinds: FrameKind) -> list[_Place]:
        return [place for place in sorted(self._places) if place.kind in kinds]
