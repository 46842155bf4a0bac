"""``storm-p2p verify``: check signed logs; nothing but the files is needed."""

from __future__ import annotations

import json
from argparse import Namespace
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from cli.kept.home import Home
from cli.match import stored
from cli.process import library
from cli.process.console import Exit, result, say
from cli.text import clocks, usage, verdicts, versions
from protocol import logfile
from protocol.agreement import Agreement
from protocol.audit import Trailer, Verdict, verify
from protocol.errors import ProtocolError
from protocol.frames import Record
from protocol.game import MissingRules
from protocol.implementation import LIBRARIES, Implementation
from protocol.logfile import LogError
from protocol.messages import Problem
from protocol.times import Times
from protocol.witness import contradictions, shown
from storm_p2p import games
from storm_p2p.board import FACTIONS

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
    answers = [check(file, by) for file in files if file is not None]
    if options.json:
        result(json.dumps(answers, indent=1))
    else:
        for answer in answers:
            result(verdicts.words(answer))
    if any(answer["messages"] is None for answer in answers):
        return Exit.USAGE
    return Exit.FINE if all(answer["ok"] for answer in answers) else Exit.NO


def _implementation(independent: bool) -> Implementation:
    if not independent:
        return LIBRARIES
    from protocol.independent.implementation import INDEPENDENT

    return INDEPENDENT


def check(path: Path, by: Implementation = LIBRARIES) -> dict[str, Any]:
    """Return what a file proves by an implementation of the cryptography, in the form of ``--json``."""
    try:
        log = logfile.load(logfile.read(path))
    except LogError as error:
        unreadable = error.code in ("unreadable", "not-a-log", "version")
        return {
            "file": str(path), "ok": False, "match": None, "players": [],
            "result": {"winner": None, "reason": "unreadable"}, "audited": False, "scheme": None,
            "rules": None, "protocol": None, "messages": None if unreadable else 0,
            "problems": [{"code": error.code, "seq": None, "seat": None, "text": usage.log_problem(error, str(path))}],
        }  # fmt: skip
    verdict = verify(log.records, games.find, Trailer(log.seat, log.digest, log.signature), by)
    return _answer(path, verdict, log.records)


def _answer(path: Path, verdict: Verdict, records: Sequence[Record]) -> dict[str, Any]:
    agreement = verdict.agreement
    return {
        "file": str(path),
        "ok": verdict.ok,
        "match": None if agreement is None else agreement.match_id.hex(),
        "players": []
        if agreement is None
        else [
            {"seat": SEATS[seat], "name": player.name, "key": player.identity.hex()}
            for seat, player in enumerate(agreement.players)
        ],
        "result": verdict.result or {"winner": None, "reason": "unfinished"},
        "audited": verdict.audited,
        "scheme": None if agreement is None else agreement.scheme,
        "rules": None if agreement is None else agreement.game_version,
        "protocol": None if agreement is None else agreement.protocol,
        "messages": verdict.messages,
        "problems": [
            {
                "code": problem.code,
                "seq": problem.seq,
                "seat": None if problem.seat is None else SEATS[problem.seat],
                "text": _text(problem, agreement),
            }
            for problem in verdict.problems
        ],
        **_course(verdict),
        "witness": _witness(verdict, records),
    }


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
        "envelopes": len({one["seq"] for one in seen if one["kind"] == "envelope"}),
        "seen": seen,
        "contradictions": contradictions(verdict.course.statements),
    }


def _course(verdict: Verdict) -> dict[str, Any]:
    """Return what a log says of clocks, breaks, claims and who owes a message."""
    course = verdict.course
    if course is None:
        return {"owes": None, "break": None, "claims": [], "clock": None}
    return {
        "owes": None if course.owes is None else SEATS[course.owes],
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
