"""Several logs of one match, judged together (SPEC.md, section "Several logs").

Each player exports his own log and may leave out of it what speaks against him.  Together the logs hold what each has
left out.  Every message says where it stands in what its author has signed, so the messages of all logs fall into one
order, whoever has exported which and in whatever order the files are given; two messages of one seat that cannot both
stand in it convict that seat.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from protocol.core.audit import PROBLEM_LIMIT, Log, Verdict, begin, conclude, verify
from protocol.core.authors import Source
from protocol.core.frames import Kind, unpack_frame
from protocol.core.messages import AuditVerdict, Envelope, Outcome, Problem, Side
from protocol.core.testimony import Mark, Testimony, mark_envelope, mark_result, mark_side
from protocol.core.transcript import Transcript
from protocol.crypto.hashing import hashed
from protocol.crypto.implementation import LIBRARIES, Implementation
from protocol.errors import Damage, Disputed, Misbehaviour, VerificationError, WireError
from protocol.game import Games


def verify_together(
    logs: Sequence[Log], games: Games, by: Implementation = LIBRARIES
) -> tuple[Verdict, ...]:
    """Judge logs of one match; return a verdict for each, in their order.

    What is wrong with a file alone stands in its verdict alone; what somebody has signed stands in all of them.

    Raises:
        VerificationError: ``other_match``: the logs are not of one match.
        LocalProtocolError: the library that the scheme needs is too old or does not work.
    """
    alone = [verify(log.records, games, log.trailer, by) for log in logs]
    matches = {verdict.agreement.match_id.hex() for verdict in alone if verdict.agreement is not None}
    if len(matches) > 1:
        raise VerificationError("other_match", "logs of one match", f"logs of {' and '.join(sorted(matches))}")
    readable = [log for log, verdict in zip(logs, alone, strict=True) if verdict.course is not None]
    if len(readable) < 2:
        return tuple(alone)
    opened = begin(readable[0].records, games, None, by)
    assert not isinstance(opened, Verdict)
    whole, convictions = _merge(opened[0], readable)
    culprits = {problem.seat for problem in convictions}
    # Two cheats in one match leave nobody whom the result could favour.
    shared = conclude(whole, [], culprit=culprits.pop() if len(culprits) == 1 else None, dispute=None)
    if culprits:
        shared = replace(shared, result=None, confirmed=False, owes=None)
    return tuple(_share(verdict, shared, convictions) for verdict in alone)


def _share(alone: Verdict, shared: Verdict, convictions: Sequence[Problem]) -> Verdict:
    """Return the verdict of one log, with what all of them prove together."""
    if alone.course is None:
        return alone
    known = {(one.code, one.seq, one.seat) for one in alone.problems}
    more = [one for one in (*convictions, *shared.problems) if (one.code, one.seq, one.seat) not in known]
    problems = (*alone.problems, *more)[:PROBLEM_LIMIT]
    return replace(shared, ok=not problems, problems=problems, dispute=alone.dispute)


@dataclass(slots=True)
class _Pile:
    """The signed messages of all logs, each once, by what they are."""

    envelopes: dict[int, list[bytes]] = field(default_factory=dict)
    sides: dict[int, dict[int, list[tuple[int, bytes]]]] = field(default_factory=dict)
    """By the length of the chain that their authors had seen, and by seat: numbers and frames."""
    others: dict[Kind, list[bytes]] = field(default_factory=dict)


def _merge(transcript: Transcript, logs: Sequence[Log]) -> tuple[Transcript, list[Problem]]:
    """Feed a transcript with what all logs hold; return it with what convicts somebody."""
    pile, testimony = _Pile(), Testimony(len(transcript.stages))
    convictions: list[Problem] = []

    def convict(error: Misbehaviour) -> None:
        problem = Problem(error.code, error.seq, error.seat, str(error))
        if all((problem.code, problem.seat) != (one.code, one.seat) for one in convictions):
            convictions.append(problem)

    frames = {record.frame for log in logs for record in log.records[4:]}
    # Sorted, so that the order of the files does not matter even for what is found first.
    for frame in sorted(frames):
        try:
            _put(transcript, pile, testimony, frame)
        except Misbehaviour as error:
            convict(error)
        except (Damage, Disputed, WireError):
            # It stands in the verdict of the log that it comes from.
            continue
    try:
        _feed(transcript, pile)
    except Misbehaviour as error:
        convict(error)
    return transcript, convictions


def _feed(transcript: Transcript, pile: _Pile) -> None:
    """Feed everything in an order in which each author has signed it; what does not fit is left out.

    Raises:
        Misbehaviour: a message convicts its author.
    """

    def fits(frame: bytes) -> bool:
        try:
            transcript.accept(frame)
        except (Damage, Disputed):
            return False
        return True

    for length in range(max((*pile.envelopes, *pile.sides), default=0) + 1):
        for frame in pile.envelopes.get(length, ()):
            fits(frame)
        queues = [[frame for _, frame in sorted(sides)] for _, sides in sorted(pile.sides.get(length, {}).items())]
        while any(queues):
            # What waits for a word of the other, an answer for what it answers, fits once that was said.
            ready = next((queue for queue in queues if queue and fits(queue[0])), None)
            (ready or next(queue for queue in queues if queue)).pop(0)
    # Who has resigned signs the result after the other: one that stands before the other's fits the second time.
    for kind in (Kind.RESULT, Kind.RESULT, Kind.SEED, Kind.VERDICT, Kind.WITNESS):
        for frame in sorted(pile.others.get(kind, ())):
            fits(frame)


def _put(transcript: Transcript, pile: _Pile, testimony: Testimony, frame: bytes) -> None:
    """Put a frame with a good signature on the pile.

    Raises:
        WireError, Damage: it proves nothing.
        Disputed: it comes from a later program.
        Misbehaviour: it convicts its author, alone or beside another one of his.
    """
    kind, values = unpack_frame(frame)
    authors = transcript.authors
    count = len(transcript.stages)
    if kind is Kind.ENVELOPE:
        digest = hashed("env", values[0])
        envelope = authors.read(Envelope.unpack, digest, values[0], values[1], Source(), frame)
        if len(envelope.sides) == count:
            _testify(testimony, envelope.seat, mark_envelope(envelope, digest, frame))
        pile.envelopes.setdefault(envelope.seq, []).append(frame)
    elif kind is Kind.SIDE:
        digest = hashed("side", values[0])
        side = authors.read(Side.unpack, digest, values[0], values[1], Source(), frame)
        _testify(testimony, side.seat, mark_side(side, digest, frame))
        pile.sides.setdefault(side.seq, {}).setdefault(side.seat, []).append((side.number, frame))
    elif kind is Kind.RESULT:
        seat, data, by_match_key, by_identity = values
        digest = hashed("result", data)
        authors.check(seat, Source(), digest, by_match_key)
        authors.check_identity(seat, Source(), digest, by_identity)
        outcome = Outcome.unpack(data)
        if outcome.match_id == transcript.agreement.match_id and len(outcome.sides) == count:
            _testify(testimony, seat, mark_result(seat, outcome, digest, frame))
            pile.others.setdefault(kind, []).append(frame)
    elif kind is Kind.VERDICT:
        authors.read(AuditVerdict.unpack, hashed("verdict", values[0]), values[0], values[1], Source(), frame)
        pile.others.setdefault(kind, []).append(frame)
    elif kind in (Kind.SEED, Kind.WITNESS):
        pile.others.setdefault(kind, []).append(frame)


def _testify(testimony: Testimony, seat: int, mark: Mark) -> None:
    testimony.check(seat, mark)
    testimony.hold(seat, mark)
