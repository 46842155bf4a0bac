"""``storm-p2p verify``: check signed logs; nothing but the files is needed."""

from __future__ import annotations

import json
from argparse import Namespace
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cli.match import stored
from cli.runtime import library
from cli.runtime.console import Exit, result, say
from cli.storage.home import Home
from cli.storm.text import verdicts
from cli.text import clocks, usage, versions
from protocol.core.agreement import Agreement, read_agreement
from protocol.core.audit import Log, Trailer, Verdict
from protocol.core.clock.accounts import Times
from protocol.core.frames import Record
from protocol.core.merging import verify_together
from protocol.core.messages import Problem
from protocol.core.witness import contradictions, shown
from protocol.crypto.implementation import LIBRARIES, Implementation
from protocol.errors import ProtocolError
from protocol.game import MissingRules, Seat
from protocol.record import logfile
from protocol.record.logfile import LogError
from storm_p2p import games
from storm_p2p.storm.board import FACTIONS

SEATS = tuple(faction.name.lower() for faction in FACTIONS)


def main(options: Namespace) -> Exit:
    """Run the command."""
    if not options.files:
        say(usage.VERIFY)
        return Exit.USAGE
    useless = None if options.independent else library.problem()
    if useless is not None:
        say(useless)
        return Exit.USAGE
    by = _implementation(options.independent)
    home = Home(Path(options.home))
    files = [stored.log_named(home, name) for name in options.files]
    if None in files:
        say(usage.NO_LOGS_TO_VERIFY)
        return Exit.USAGE
    answers = check_all([file for file in files if file is not None], by)
    if options.json:
        result(json.dumps(answers, indent=1))
    else:
        for answer in answers:
            result(verdicts.words(answer))
    if any(answer["messages"] is None for answer in answers):
        return Exit.USAGE
    if not all(answer["ok"] for answer in answers):
        return Exit.NO
    ended = [answer for answer in answers if answer["result"]["winner"] is not None]
    return Exit.FINE if all(answer["confirmed"] for answer in ended) else Exit.UNCONFIRMED


def _implementation(independent: bool) -> Implementation:
    if not independent:
        return LIBRARIES
    from protocol.independent.implementation import INDEPENDENT

    return INDEPENDENT


@dataclass(frozen=True, slots=True)
class _File:
    """A file that was given."""

    path: Path
    log: logfile.Log | LogError

    def match(self, by: Implementation) -> bytes | None:
        """Return the number of the match in it; None where even the handshake does not hold."""
        if not isinstance(self.log, LogError):
            with suppress(ProtocolError):
                return read_agreement(self.log.records, by.signatures).match_id
        return None


def check(path: Path, by: Implementation = LIBRARIES) -> dict[str, Any]:
    """Return what a file proves by an implementation of the cryptography, in the form of ``--json``."""
    return check_all([path], by)[0]


def check_all(paths: Sequence[Path], by: Implementation = LIBRARIES) -> list[dict[str, Any]]:
    """Return what files prove, those of one match together, in the form of ``--json``."""
    files = [_read(path) for path in paths]
    matches: dict[bytes | int, list[int]] = {}
    for number, file in enumerate(files):
        matches.setdefault(file.match(by) or number, []).append(number)
    answers: dict[int, dict[str, Any]] = {}
    for numbers in matches.values():
        answers.update(zip(numbers, _judge([files[number] for number in numbers], by), strict=True))
    return [answers[number] for number in range(len(files))]


def _read(path: Path) -> _File:
    try:
        return _File(path, logfile.load(logfile.read(path)))
    except LogError as error:
        return _File(path, error)


def _judge(files: Sequence[_File], by: Implementation) -> list[dict[str, Any]]:
    """Return the answers to the files of one match, or to one that is of none."""
    logs = []
    for file in files:
        if isinstance(file.log, LogError):
            return [_unreadable(file.path, file.log)]
        logs.append(Log(file.log.records, Trailer(file.log.seat, file.log.digest, file.log.signature)))
    verdicts_of = verify_together(logs, games.find, by)
    records = [record for log in logs for record in log.records]
    merged = [str(file.path) for file in files]
    return [_answer(file.path, verdict, records, merged) for file, verdict in zip(files, verdicts_of, strict=True)]


def _unreadable(path: Path, error: LogError) -> dict[str, Any]:
    """Return the answer to a file that is no log, or not all of one."""
    no_log = error.code in ("unreadable", "not-a-log", "version")
    problem = {"code": error.code, "seq": None, "seat": None, "text": usage.log_problem(error, str(path))}
    empty = Verdict(False, None)
    answer = _answer(path, empty, (), [str(path)])
    return {
        **answer, "result": {"winner": None, "reason": "unreadable"}, "messages": None if no_log else 0,
        "problems": [problem],
    }  # fmt: skip


def _answer(path: Path, verdict: Verdict, records: Sequence[Record], merged: list[str]) -> dict[str, Any]:
    agreement, dispute = verdict.agreement, verdict.dispute
    event = None if agreement is None else agreement.conditions.event
    players = () if agreement is None else agreement.players
    return {
        "file": str(path),
        "ok": verdict.ok,
        "match": None if agreement is None else agreement.match_id.hex(),
        "protocol": None if agreement is None else agreement.protocol,
        "rules": None if agreement is None else agreement.game_version,
        "event": None
        if event is None
        else {"id": event.event.hex(), "round": event.round, "table": event.table, "game": event.game},
        "players": [
            {"seat": SEATS[seat], "name": player.name, "key": player.identity.hex()}
            for seat, player in enumerate(players)
        ],
        "result": verdict.result or {"winner": None, "reason": "unfinished"},
        "confirmed": verdict.confirmed,
        "signed": [SEATS[seat] for seat in verdict.signed],
        "seeds": [SEATS[seat] for seat in verdict.seeds],
        "owes": _seat(verdict.owes),
        "deviates": _seat(dispute.seat) if dispute is not None and dispute.deviates else None,
        "must_show": None
        if dispute is None or dispute.needs is None
        else {"seat": _seat(dispute.seat), "hash": dispute.needs.hex()},
        "audited": verdict.audited,
        "scheme": None if agreement is None else agreement.scheme,
        "messages": verdict.messages,
        "merged": merged,
        "problems": [_problem(problem, agreement) for problem in verdict.problems],
        "remarks": [_problem(remark, agreement) for remark in verdict.remarks],
        **_course(verdict),
        "witness": _witness(verdict, records),
    }


def _seat(seat: Seat | None) -> str | None:
    return None if seat is None else SEATS[seat]


def _problem(problem: Problem, agreement: Agreement | None) -> dict[str, Any]:
    text = _text(problem, agreement)
    return {"code": problem.code, "seq": problem.seq, "seat": _seat(problem.seat), "text": text}


def _text(problem: Problem, agreement: Agreement | None) -> str:
    """Return what a problem is; for rules that are not here, what to do."""
    if problem.code == "rules_version" and agreement is not None:
        try:
            games.find(agreement.game, agreement.game_version)
        except MissingRules as missing:
            return versions.of_log(missing)
    return problem.text


def _witness(verdict: Verdict, records: Sequence[Record]) -> dict[str, Any] | None:
    """Return what the witness saw, if the terms name one."""
    terms = None if verdict.agreement is None else verdict.agreement.conditions.witness
    if terms is None or verdict.course is None:
        return None
    messages = {}
    for record in records:
        # What is no message is among the problems already.
        with suppress(ProtocolError):
            found = shown(record)
            if found is not None:
                messages[found.digest] = found
    seen = []
    for statement in verdict.course.statements:
        message = messages.get(statement.digest)
        if message is not None:
            kind = "envelope" if message.side is None else message.side.name.lower()
            seen.append(
                {
                    "kind": kind, "seq": message.seq, "seat": SEATS[message.seat], "at": statement.at,
                    "number": statement.number,
                }
            )  # fmt: skip
    return {
        "key": terms.key.hex(),
        "address": terms.address,
        "witnessed": verdict.witnessed,
        "envelopes": len({one["seq"] for one in seen if one["kind"] == "envelope"}),
        "seen": seen,
        "contradictions": contradictions(verdict.course.statements),
    }


def _course(verdict: Verdict) -> dict[str, Any]:
    """Return what a log says of clocks, breaks and claims."""
    course = verdict.course
    if course is None:
        return {"break": None, "claims": [], "clock": None}
    return {
        "break": None if course.agreed_break is None else course.agreed_break.name.lower(),
        "claims": [
            {
                "seq": claim.seq, "seat": SEATS[claim.seat], "ground": claim.ground.name.lower(),
                "seconds": sum(claim.reading), "state": claim.fate.value,
            }
            for claim in course.claims
        ],
        "clock": None if course.times is None else _clock(course.times),
    }  # fmt: skip


def _clock(times: Times) -> dict[str, Any]:
    return {
        "text": clocks.terms(times.terms),
        "seats": [
            {"seat": SEATS[seat], "left": claimed.left, "left_by_reading": read.left}
            for seat, (claimed, read) in enumerate(zip(times.claimed, times.read, strict=True))
        ],
        "differences": [
            {"seq": one.seq, "seat": SEATS[one.seat], "claimed": one.claimed, "read": one.read}
            for one in times.differences
        ],
    }
