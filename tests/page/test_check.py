"""The quick check of web pages: what it notices, and what it leaves to the whole check (SPEC.md, "Web page")."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from helpers import ROOT
from helpers_pages import DEALT, FIGHT, HASH, STORM, coded, page_of, quick_check, stored
from helpers_wire import configs, shake
from toys import RockPaperScissors

from protocol.core import agreement
from protocol.core.frames import FrameKind
from protocol.record import logfile
from protocol.record.judging import judge
from protocol.record.logfile import MAGIC, load
from storm_p2p import games

PASSED = ROOT / "tests" / "golden" / "quick_check.json"
"""Which invalid vectors the quick check passes, by the reason why they are invalid."""


def test_no_valid_vector_is_refused_and_those_that_pass_are_known(tmp_path: Path) -> None:
    passed: dict[str, dict[str, int]] = {}
    for name in ("handshake", "log", "envelope"):
        vectors = json.loads((ROOT / "tests" / "vectors" / f"{name}.json").read_text("utf-8"))
        starts = [bytes.fromhex(one) for one in vectors["starts"]]
        cases = [
            {"log": coded((starts[one["start"]] if one.get("start") is not None else b"") + bytes.fromhex(one["file"]))}
            for one in vectors["tests"]
        ]
        answers = quick_check(tmp_path, cases)
        pairs = list(zip(vectors["tests"], answers, strict=True))
        assert [one["comment"] for one, said in pairs if one["result"] == "valid" and "holds" not in said] == []
        reasons = Counter(one["reason"] for one, said in pairs if one["result"] != "valid" and "holds" in said)
        passed[name] = dict(sorted(reasons.items()))
    assert passed == json.loads(PASSED.read_text("utf-8"))


def case_of(log: Path) -> dict[str, Any]:
    return {"log": coded(log.read_bytes()), "boards": stored(page_of(log), "boards")}


def test_a_log_of_each_game_holds_with_all_its_boards(tmp_path: Path) -> None:
    for log, said in zip((HASH, FIGHT), quick_check(tmp_path, [case_of(HASH), case_of(FIGHT)]), strict=True):
        held = said["holds"]
        assert held["messages"] == len(stored(page_of(log), "boards"))
        assert (held["signed"], held["seeds"], held["running"]) == ([0, 1], [0, 1], False)
        assert held["players"][0]["name"] == "Hanna"


def flipped(log: Path, bytes_: int) -> tuple[dict[str, Any], int]:
    """Return a case with one bit flipped at so many places of a log, and a digit at each board."""
    case, size = case_of(log), log.stat().st_size
    flips: list[dict[str, int]] = [
        {"byte": at * size // bytes_, "bit": at % 8} for at in range(bytes_)
    ]  # each record has several of them
    flips += [{"board": at} for at in range(len(case["boards"]))]
    return {**case, "flips": flips}, len(flips)


@pytest.mark.parametrize(
    ("log", "places"), [(HASH, 30), *(pytest.param(log, 150, marks=pytest.mark.long) for log in (HASH, STORM, FIGHT))]
)
def test_each_flipped_bit_and_each_other_board_is_noticed(tmp_path: Path, log: Path, places: int) -> None:
    case, count = flipped(log, places)
    answers = quick_check(tmp_path, [case])
    assert len(answers) == count
    assert [at for at, said in enumerate(answers) if "holds" in said] == []


def test_a_log_that_goes_on_is_said_to_do_so_and_a_cut_message_is_none(tmp_path: Path) -> None:
    data = DEALT.read_bytes()
    whole, cut = coded(data[:-68]), coded(data[:-70])
    running, damaged = quick_check(tmp_path, [{"log": whole}, {"log": cut}])
    assert running["holds"]["running"] is True
    assert damaged == {"code": "form"}


@pytest.mark.parametrize(("seating", "holds"), [((1, 1), True), ((1, 5), False), ((3,), False)])
def test_a_seat_that_does_not_exist_is_no_seat(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seating: tuple[int, ...], holds: bool
) -> None:
    monkeypatch.setattr(agreement, "host_takes", lambda seat: seating)
    monkeypatch.setattr(agreement, "LOT", seating if seating == (3,) else (0,))
    one, _, _ = shake(*configs(RockPaperScissors(), 3, seating=seating))
    (said,) = quick_check(tmp_path, [{"log": coded(logfile.dump_beginning(one.records))}])
    assert ("holds" in said) == holds, said


def test_a_seed_may_stand_before_the_result_of_the_other_player(tmp_path: Path) -> None:
    records = [
        bytes((one.kind,)) + len(one.frame).to_bytes(2, "big") + one.frame for one in load(HASH.read_bytes()).records
    ]
    at = next(number for number, one in enumerate(records) if one[0] == FrameKind.SEED)
    # The two results come directly before the seeds; the first seed is of whoever signed first.
    other = [*records[: at - 1], records[at], records[at - 1], *records[at + 1 :]]
    data = MAGIC + b"".join(other)
    codes = [one["code"] for one in judge([data + HASH.read_bytes()[-68:]], games.find)[0]["problems"]]
    assert codes == ["bad_trailer"]
    (said,) = quick_check(tmp_path, [{"log": coded(data)}])
    assert said["holds"]["seeds"] == [0, 1]
