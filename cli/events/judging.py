"""What the logs of a folder prove, judged once for each set of files of a match.

What was found is kept in the player's own folder, never in that of the tournament: there anybody could write it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from cli import __version__
from protocol.core import wire
from protocol.core.agreement import read_agreement
from protocol.core.audit import Log, Trailer
from protocol.core.conditions import Conditions, EventTerms
from protocol.core.merging import verify_together
from protocol.errors import ProtocolError, WireError
from protocol.record import logfile
from protocol.record.files import write_file
from protocol.record.logfile import LogError
from protocol.tournament.reports import Report, report_of
from storm_p2p import games

_MANY: Final = 12
_LARGEST: Final = 4096
"""The longest report that is kept; no real one is nearly as long."""


def judge(
    logs: Iterable[bytes], kept: Path | None = None, on_many: Callable[[int], object] = lambda number: None
) -> list[Report]:
    """Return what logs prove, those of one match together.

    Args:
        logs: the bytes of the files.
        kept: where reports are kept.
        on_many: called with their number if so many are to be judged that it takes seconds.

    Raises:
        LocalProtocolError: the library that a scheme needs is too old or does not work.
    """
    found: list[Report] = []
    matches: dict[bytes, list[tuple[bytes, Log]]] = {}
    for data in logs:
        digest = hashlib.sha256(data).digest()
        try:
            file = logfile.load(data)
        except LogError as error:
            found.append(Report(digest, problems=(error.code,)))
            continue
        log = Log(file.records, Trailer(file.seat, file.digest, file.signature))
        group = digest
        with suppress(ProtocolError):
            group = read_agreement(log.records).match_id
        matches.setdefault(group, []).append((digest, log))
    fresh = [held for held in matches.values() if kept is None or not (kept / _name(sorted(dict(held)))).exists()]
    if sum(map(len, fresh)) > _MANY:
        on_many(sum(map(len, fresh)))
    for held in matches.values():
        # The same file under two names is judged once and counts once, and both are told of.
        unlike = dict(held)
        reports = _judge_match(unlike, kept)
        found += [reports[digest] for digest, _ in held]
    return found


def _judge_match(held: dict[bytes, Log], kept: Path | None) -> dict[bytes, Report]:
    digests = sorted(held)
    file = None if kept is None else kept / _name(digests)
    if file is not None:
        with suppress(OSError, WireError, ValueError, TypeError):
            return dict(zip(digests, _load(file, digests), strict=True))
    verdicts = verify_together([held[digest] for digest in digests], games.find)
    reports = [report_of(digest, verdict) for digest, verdict in zip(digests, verdicts, strict=True)]
    # What nobody could check, because the rules are not here, may be checked when they are.
    if file is not None and not any("rules_version" in one.problems for one in reports):
        with suppress(OSError):
            file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            write_file(file, wire.encode(tuple(_value(one) for one in reports)))
    return dict(zip(digests, reports, strict=True))


def _name(digests: list[bytes]) -> str:
    return hashlib.sha256(b"".join((__version__.encode(), *digests))).hexdigest()


def _value(report: Report) -> tuple[Any, ...]:
    """Return a report as it is kept."""
    plain = {
        "place": None if report.place is None else tuple(getattr(report.place, one) for one in EventTerms.__slots__),
        "conditions": report.conditions.value(),
    }
    return tuple(plain.get(name, getattr(report, name)) for name in Report.__slots__)


def _load(file: Path, digests: list[bytes]) -> list[Report]:
    with file.open("rb") as opened:
        data = opened.read(_LARGEST * len(digests) + 1)
    value: Any = wire.unpack(data, lambda value: None, _LARGEST * len(digests))
    reports = [Report(*one) for one in value]
    if [one.digest for one in reports] != digests:
        raise ValueError("reports of other files")
    return [
        replace(
            one,
            place=None if one.place is None else EventTerms(*one.place),  # type: ignore[misc]
            conditions=Conditions.of(one.conditions),
        )
        for one in reports
    ]
