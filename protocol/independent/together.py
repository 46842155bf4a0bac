"""Judging one log alone, and several of one match together (SPEC.md, sections "Audit" and "Several logs")."""

from collections.abc import Container, Iterable, Sequence
from typing import Any

from protocol.game import Game
from protocol.independent.cases import MOST_PROBLEMS, Case, Problem
from protocol.independent.chain import Chain, Repeated
from protocol.independent.commitments import Scheme
from protocol.independent.faults import Damage, Disagreement, Fault, Misbehaviour
from protocol.independent.frames import read_kind
from protocol.independent.handshake import LENGTH, Agreement, read_data
from protocol.independent.logs import Log, Record
from protocol.independent.merging import merge
from protocol.independent.reading import SEATS, Message, Reader, Signed, hash_in, is_statement, number_in
from protocol.independent.signatures import verify


class Bench:
    """Judges the logs of one match."""

    def __init__(self, agreement: Agreement, scheme: Scheme) -> None:
        self._agreement = agreement
        self._scheme = scheme
        self._reader = Reader(agreement)

    def judge_alone(self, log: Log, game: Game[Any]) -> Case:
        """Judge a log, with the game that its data make, as if there were no other."""
        case = Case(Chain(self._agreement, game, self._scheme), seal_problems(self._agreement, log))
        seen: set[bytes] = set()
        stopped = False
        for record in log.records[read_data(log.records)[1] :]:
            if stopped and not is_statement(record.frame):
                case.problems.append(Problem("not_examined", number_in(record.frame)))
                break
            try:
                self._take(case, record, repeated=record.frame in seen)
            except Misbehaviour as fault:
                case.convict(fault)
                case.problems += case.convictions.values()
                stopped = True
            except Fault as fault:
                case.problems.append(Problem(fault.code, fault.seq))
                if not isinstance(fault, Disagreement):
                    break
                case.dispute = fault
                stopped = True
            seen.add(record.frame)
        case.audit()
        return case

    def _take(self, case: Case, record: Record, *, repeated: bool) -> None:
        """Let a case go on with a record.

        Raises:
            Fault: it does not hold.
        """
        message = self._reader.read(record.frame)
        try:
            if repeated:
                raise Repeated
            case.chain.take(message)
        except Repeated:
            case.problems.append(Problem("repeated", message.seq))
        else:
            if record.kind != read_kind(record.frame):
                case.problems.append(Problem("wrong_kind", message.seq))

    def judge_together(self, logs: Sequence[Log], alone: Sequence[Case]) -> Case:
        """Judge all messages of several logs, whatever order the files have them in, given what each alone shows."""
        case = Case(Chain(self._agreement, alone[0].chain.game, self._scheme))
        merge(case, self.read_messages(logs, case))
        case.audit()
        # What the open cards show in one log alone counts like a message if those of the whole do not show it.
        told = {one for each in (case, *alone) for one in (*each.convictions.values(), *each.findings)}
        case.problems = sorted(
            told - {*case.findings}, key=lambda one: (one.seat, one.code, one.seq or 0, one.batch or ())
        )
        case.convictions = {one.seat: one for one in case.problems if one.seat is not None}
        if case.convicted:
            case.dispute = None
        return case

    def read_messages(self, logs: Iterable[Log], case: Case) -> list[Message]:
        """Return all messages of logs that can be read, each once; the case notes whom the others convict."""
        read: dict[bytes, Message | Fault] = {}
        for log in logs:
            unsigned = 0
            for record in log.records[read_data(log.records)[1] :]:
                if unsigned == MOST_PROBLEMS:
                    break
                found = self._read(record.frame)
                read[record.frame] = found
                unsigned += isinstance(found, Damage)
        ordered = [read[frame] for frame in sorted(read)]
        for one in ordered:
            if isinstance(one, Misbehaviour):
                case.convict(one)
        return [one for one in ordered if not isinstance(one, Fault)]

    def find_shown(self, logs: Iterable[Log], hashes: Container[bytes]) -> dict[bytes, Signed]:
        """Return the messages of logs that have some hashes."""
        frames = {record.frame for log in logs for record in log.records[LENGTH:] if hash_in(record.frame) in hashes}
        found = map(self._read, frames)
        return {one.hash: one for one in found if isinstance(one, Signed)}

    def _read(self, frame: bytes) -> Message | Fault:
        """Return the message in a frame, or what is wrong with it."""
        try:
            return self._reader.read(frame)
        except Fault as fault:
            return fault


def seal_problems(agreement: Agreement, log: Log) -> list[Problem]:
    """Return what is wrong with the end of a file: nothing if its exporter has signed it."""
    if log.exporter in SEATS and verify(agreement.players[log.exporter].key, log.digest, log.signature):
        return []
    return [Problem("bad_trailer")]
