"""Logs as bytes, and what both implementations say to them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from helpers_wire import Pair, only

from protocol.core.audit import Verdict
from protocol.core.frames import Log, Record
from protocol.core.merging import verify_together
from protocol.game import Game, Games
from protocol.independent.judging import judge
from protocol.record import judging, logfile

WINS_0, WINS_1 = ({"winner": str(seat), "reason": "forfeit"} for seat in (0, 1))
OPEN = {"winner": None, "reason": "unfinished"}


def log_of(pair: Pair, seat: int = 0, records: Sequence[Record] | None = None) -> bytes:
    """Return the log that a seat exports, of its own records or of any others."""
    session = pair.sessions[seat]
    return logfile.dump(session.records if records is None else records, seat, session.sign_log)


def agreed(files: Sequence[bytes], games: Games) -> list[dict[str, Any]]:
    """Return what both implementations say to some files; fail unless they say the same."""
    ordinary, answers = both(files, games)
    for one, other in zip(ordinary, answers, strict=True):
        keys = sorted(key for key in {*one, *other} if (key in one, one.get(key)) != (key in other, other.get(key)))
        told = [(key, one.get(key, "no such key"), other.get(key, "no such key")) for key in keys]
        # pytest explains no assert of a helper.
        assert not told, f"protocol/record/judging.py and protocol/independent/judging.py say different things: {told}"
    return answers


def both(files: Sequence[bytes], games: Games) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Return what each implementation says to some files, without technical texts."""
    return [plain(one) for one in judging.judge(files, games)], judge(files, games)


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


def together(*logs: Any, game: Game[Any]) -> tuple[Verdict, ...]:
    """Return what the first implementation says to logs of one match."""
    return verify_together([Log(tuple(records)) for records in logs], only(game))


def stand(facts: dict[str, Any]) -> tuple[Any, ...]:
    """Return what stands: the result, whether it is confirmed, and who owes what."""
    return facts["result"], facts["confirmed"], facts["owes"]
