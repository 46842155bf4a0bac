"""From the bytes of log files to what they prove, as plain facts: what ``verify --json`` prints, without its sentences.

:func:`judge` is also that of the second implementation, :mod:`protocol.independent.judging`, which must say the same of
all bytes.  Only the technical texts of problems stand here alone.
"""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any, TypeAlias

from protocol.core.agreement import read_agreement
from protocol.core.audit import Verdict, check_trailer, conclude
from protocol.core.clock import ClockAccounts
from protocol.core.frames import Log
from protocol.core.game_data import read_data
from protocol.core.merging import verify_together
from protocol.core.messages import Problem
from protocol.core.testimony import Authors, Source
from protocol.core.transcript import Transcript
from protocol.core.witness import ShownMessage, count_contradictions, message_to_show
from protocol.errors import ProtocolError
from protocol.game import Games, MissingRules, Seat
from protocol.record import logfile
from protocol.record.logfile import LogError

Facts: TypeAlias = dict[str, Any]
"""What a file proves."""


def judge(files: Sequence[bytes], games: Games) -> list[Facts]:
    """Return what each of some log files proves, those of one match together.

    Raises:
        LocalProtocolError: the library that a scheme needs is too old or does not work.
    """
    answers: dict[int, Facts] = {}
    matches: dict[bytes | int, list[tuple[int, Log]]] = {}
    for number, data in enumerate(files):
        try:
            log = logfile.load(data)
        except LogError as error:
            answers[number] = describe_unreadable(error)
            continue
        # One log alone has none to be judged with.
        match = _match_of(log) if len(files) > 1 else None
        matches.setdefault(match or number, []).append((number, log))
    for group in matches.values():
        logs = [log for _, log in group]
        verdicts = verify_together(logs, games)
        shown = _find_shown(verdicts, logs)
        for (number, _), verdict in zip(group, verdicts, strict=True):
            answers[number] = _facts(verdict, games, shown)
    return [answers[number] for number in range(len(files))]


def judge_held(transcript: Transcript, files: Sequence[bytes], games: Games) -> list[Facts]:
    """Return what :func:`judge` says of the one log of a match whose messages were all verified when they were taken.

    A transcript holds nothing else, and the handshake that it begins after.
    """
    log = logfile.load(files[0])
    assert transcript.holds_all
    assert [*log.records[read_data(log.records)[1] :]] == transcript.records
    problems = check_trailer(transcript.agreement, log.trailer)
    verdict = conclude(transcript, problems, (), None, ok=not problems)
    return [_facts(verdict, games, _find_shown([verdict], [log]))]


def describe_unreadable(error: LogError) -> Facts:
    """Return the facts of a file that is no log, or not all of one."""
    no_log = error.code in ("unreadable", "not-a-log", "version")
    problem = {"code": error.code, "seq": None, "seat": None, "text": error.sentence}
    return {
        **_facts(Verdict(False, None), None, {}),
        "result": {"winner": None, "reason": "unreadable"},
        "messages": None if no_log else 0,
        "problems": [problem],
    }


def _match_of(log: Log) -> bytes | None:
    """Return the number of the match in a log; None where even the handshake does not hold."""
    with suppress(ProtocolError):
        return read_agreement(log.records).match_id
    return None


def _facts(verdict: Verdict, games: Games | None, shown: Mapping[bytes, ShownMessage]) -> Facts:
    agreement, dispute = verdict.agreement, verdict.dispute
    event = None if agreement is None else agreement.conditions.event
    place = {} if event is None else {"round": event.round, "table": event.table, "game": event.game}
    sides = _sides(verdict, games)
    result: Mapping[str, str | None] = verdict.result or {"winner": None, "reason": "unfinished"}

    def name(seat: Seat | None) -> str | None:
        # A seat of a game that is not here has nothing but its number.
        return None if seat is None else sides[seat] if seat < len(sides) else str(seat)

    def problem(one: Problem) -> Facts:
        batch = {} if one.batch is None else {"batch": {"due": one.batch.due, "held": one.batch.held}}
        return {"code": one.code, "seq": one.seq, "seat": name(one.seat), "text": one.text, **batch}

    return {
        "ok": verdict.ok,
        "match": None if agreement is None else agreement.match_id.hex(),
        "protocol": None if agreement is None else agreement.protocol,
        "rules": None if agreement is None else agreement.game_version,
        "event": None if event is None else {"id": event.event.hex(), **place, "document": event.document.hex()},
        "aids": agreement is not None and agreement.conditions.aids,
        "watched": None if agreement is None else agreement.conditions.watched,
        "players": [
            {"seat": name(seat), "name": player.name, "key": player.identity.hex()}
            for seat, player in enumerate(() if agreement is None else agreement.players)
        ],
        "result": {key: result[key] for key in ("winner", "reason")},
        "confirmed": verdict.confirmed,
        "convicted": [name(seat) for seat in sorted({one.seat for one in verdict.convictions if one.seat is not None})],
        "signed": [name(seat) for seat in verdict.signed],
        "seeds": [name(seat) for seat in verdict.seeds],
        "owes": name(verdict.owes),
        "deviates": name(dispute.seat) if dispute is not None and dispute.deviates else None,
        "must_show": None
        if dispute is None or dispute.needs is None
        else {"seat": name(dispute.seat), "hash": dispute.needs.hex()},
        "audited": verdict.audited,
        "scheme": None if agreement is None else agreement.scheme,
        "messages": verdict.messages,
        "problems": [problem(one) for one in verdict.problems],
        "remarks": [problem(one) for one in verdict.remarks],
        **_course(verdict, sides),
        "witness": _witness(verdict, shown, sides),
    }


def _sides(verdict: Verdict, games: Games | None) -> Sequence[str]:
    """Return what the seats of a match are called; nothing where its game is not here."""
    agreement = verdict.agreement
    if agreement is not None and games is not None:
        with suppress(MissingRules):
            return games(agreement.game, agreement.game_version).sides
    return ()


def _course(verdict: Verdict, sides: Sequence[str]) -> Facts:
    """Return what a log says of clocks, breaks and claims."""
    transcript = verdict.transcript
    if transcript is None:
        return {"break": None, "claims": [], "clock": None}
    agreed = None if verdict.result is not None else transcript.status.breaks.agreed
    return {
        "break": None if agreed is None else agreed.name.lower(),
        "claims": [
            {
                "seq": claim.seq,
                "seat": sides[claim.seat],
                "ground": claim.ground.name.lower(),
                "seconds": sum(claim.reading),
                "state": claim.fate.value,
            }
            for claim in transcript.status.claims.all
        ],
        "clock": None if transcript.times is None else _clock(transcript.times, sides),
    }


def _clock(times: ClockAccounts, sides: Sequence[str]) -> Facts:
    return {
        "terms": list(times.terms.value()),
        "seats": [
            {"seat": sides[seat], "left": claimed.left, "left_by_reading": read.left}
            for seat, (claimed, read) in enumerate(zip(times.claimed, times.read, strict=True))
        ],
        "differences": [
            {"seq": one.seq, "seat": sides[one.seat], "claimed": one.claimed, "read": one.read}
            for one in times.differences
        ],
    }


def _find_shown(verdicts: Sequence[Verdict], logs: Sequence[Log]) -> dict[bytes, ShownMessage]:
    """Return by their hashes the messages of one match that statements of its witness are about."""
    transcripts = [verdict.transcript for verdict in verdicts if verdict.transcript is not None]
    wanted = {statement.digest for transcript in transcripts for statement in transcript.statements}
    agreement = next((verdict.agreement for verdict in verdicts if verdict.agreement is not None), None)
    found: dict[bytes, ShownMessage] = {}
    if agreement is None or not wanted:
        return found
    authors = Authors(agreement)
    for frame in dict.fromkeys(record.frame for log in logs for record in log.records):
        # What is no message, or nobody's, is among the problems already; the kind of a record is not signed.
        with suppress(ProtocolError):
            message = message_to_show(frame)
            if message is not None and message.digest in wanted and message.match_id == agreement.match_id:
                authors.check(message.seat, Source(), message.digest, message.signature)
                found[message.digest] = message
    return found


def _witness(verdict: Verdict, shown: Mapping[bytes, ShownMessage], sides: Sequence[str]) -> Facts | None:
    """Return what the witness saw, if the terms name one."""
    terms = None if verdict.agreement is None else verdict.agreement.conditions.witness
    if terms is None or verdict.transcript is None:
        return None
    seen = []
    for statement in verdict.transcript.statements:
        message = shown.get(statement.digest)
        if message is not None:
            kind = "envelope" if message.side is None else message.side.name.lower()
            seen.append(
                {
                    "kind": kind,
                    "seq": message.seq,
                    "seat": sides[message.seat],
                    "at": statement.at,
                    "number": statement.number,
                }
            )
    return {
        "key": terms.key.hex(),
        "address": terms.address,
        "witnessed": verdict.witnessed,
        "envelopes": len({one["seq"] for one in seen if one["kind"] == "envelope"}),
        "seen": seen,
        "contradictions": count_contradictions(verdict.transcript.statements),
    }
