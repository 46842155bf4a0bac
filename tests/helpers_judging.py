"""Logs as bytes, and what both implementations say to them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from helpers_wire import Pair, only

from protocol.core.frames import Record
from protocol.game import Games
from protocol.independent.judging import judge
from protocol.record import judging, logfile


def log_of(pair: Pair, seat: int = 0, records: Sequence[Record] | None = None) -> bytes:
    """Return the log that a seat exports, of its own records or of any others."""
    session = pair.sessions[seat]
    return logfile.dump(session.records if records is None else records, seat, session.sign_log)


def agreed(files: Sequence[bytes], games: Games) -> list[dict[str, Any]]:
    """Return what both implementations say to some files; fail unless they say the same."""
    answers = judge(files, games)
    ordinary = [plain(one) for one in judging.judge(files, games)]
    pairs = list(zip(answers, ordinary, strict=True))
    assert [[(key, one[key], other[key]) for key in one if one[key] != other[key]] for one, other in pairs] == [
        [] for _ in files
    ]
    assert answers == ordinary
    return answers


def plain(facts: dict[str, Any]) -> dict[str, Any]:
    """Return facts without the technical texts, which the first implementation alone has."""
    return {
        key: [{name: each for name, each in one.items() if name != "text"} for one in value]
        if key in ("problems", "remarks")
        else value
        for key, value in facts.items()
    }


def judged(pair: Pair, seat: int = 0, records: Sequence[Record] | None = None) -> dict[str, Any]:
    """Return what both implementations say to the log of a seat."""
    return agreed([log_of(pair, seat, records)], only(pair.game))[0]


def codes(facts: dict[str, Any]) -> list[str]:
    """Return the codes of all problems."""
    return [problem["code"] for problem in facts["problems"]]
