"""What somebody else's log may cost whoever judges it, counted in work and not in time."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Iterator
from types import FrameType
from typing import Any

import pytest
from helpers_judging import agreed, codes, log_of
from helpers_times import course, timed
from helpers_toy_cheats import rps
from helpers_wire import Cheat, Pair, only

from protocol.core.audit import PROBLEM_LIMIT
from protocol.core.frames import FrameKind, Record, pack_frame
from protocol.core.messages import SideType
from protocol.core.referee import Referee
from protocol.core.transcript import Transcript
from protocol.independent import curve, signatures
from protocol.independent.board import Board
from protocol.independent.reading import Reader


@pytest.fixture
def work(monkeypatch: pytest.MonkeyPatch) -> Iterator[Counter[str]]:
    """Count how often each implementation tries steps, reads messages and checks keys."""
    counted: Counter[str] = Counter()

    def count(owner: Any, name: str, label: str) -> None:
        true = getattr(owner, name)

        def counting(*args: Any, **options: Any) -> Any:
            counted[label] += 1
            return true(*args, **options)

        monkeypatch.setattr(owner, name, counting)

    count(Referee, "apply", "core steps")
    count(Board, "try_steps", "independent envelopes")
    count(Reader, "_message", "independent messages")
    count(curve, "decode_checked", "independent points")
    signatures.is_key.cache_clear()
    yield counted
    signatures.is_key.cache_clear()


@pytest.mark.parametrize("kind", ["false decision", "false state"])
def test_of_the_envelopes_of_one_seat_with_one_number_one_that_fails_is_enough(kind: str, work: Counter[str]) -> None:
    pair = rps()
    cheat = Cheat(pair, 0)
    builder = cheat.builder()
    builder.force(builder.decide(1, None), None)
    steps = tuple(builder.steps)
    frames = []
    for number in range(20):
        state = bytes([number]) * 32
        frames.append(cheat.envelope(*(steps * 2 if kind == "false decision" else steps), state=state))
    forged = [*pair.host.records, *(Record(FrameKind.ENVELOPE, frame) for frame in frames)]
    work.clear()
    facts = agreed([log_of(pair, 0, forged), log_of(pair, 1)], only(pair.game))
    assert {problem["seat"] for problem in facts[1]["problems"]} == {"0"}
    # One is tried alone, and one with the other log.
    assert work["independent envelopes"] == 2
    assert work["core steps"] == 2


def test_a_file_of_records_that_nobody_has_signed_is_read_no_further(work: Counter[str]) -> None:
    pair = rps(1)
    pair.play_out()
    junk = [
        Record(FrameKind.SIDE, pack_frame(FrameKind.SIDE, number.to_bytes(4, "big"), bytes(31) + b"\x01" + bytes(32)))
        for number in range(500)
    ]
    honest = log_of(pair, 1)
    facts = agreed([log_of(pair, 0, [*pair.host.records, *junk]), honest], only(pair.game))
    assert [codes(one) for one in facts] == [["bad_signature"], []]
    assert facts[0]["result"] == facts[1]["result"] == pair.host.result
    assert work["independent messages"] == len(pair.host.records) - 4 + PROBLEM_LIMIT
    # What comes behind so many is not there, whichever file is given first.
    hidden = log_of(pair, 0, [*pair.host.records[:4], *junk, *pair.host.records[4:]])
    short = log_of(pair, 1, pair.guest.records[:4])
    for files in ([hidden, short], [short, hidden]):
        assert {one["messages"] for one in agreed(files, only(pair.game))} == {0}


def test_each_key_is_checked_once(work: Counter[str]) -> None:
    pair = Pair(rps(1).game, 1, tag="keys")
    pair.play_out()
    agreed([log_of(pair, 0)], only(pair.game))
    # Two identities and two match keys, each once for the check and once for its table.
    assert work["independent points"] <= 8


def test_whether_somebody_waits_costs_the_same_however_much_was_claimed_and_denied_before() -> None:
    code, lines = Transcript._check_waiting.__code__, []

    def trace(frame: FrameType, event: str, given: object) -> Callable[..., Any] | None:
        """Count the lines of the function, and of what it calls by itself."""
        if event == "call" and frame.f_code is code:
            lines.append(0)
        elif event == "call" and (frame.f_back is None or frame.f_back.f_code is not code):
            return None
        lines[-1] += event == "line"
        return trace

    pair = timed(None)
    cheat = Cheat(pair, 1)
    before = sys.gettrace()
    sys.settrace(trace)
    try:
        for _ in range(30):
            cheat.send_and_hold(cheat.side(SideType.CLAIM, (2, 0, 10**6)))
            pair.host.side_channel.deny()
            pair.settle()
    finally:
        sys.settrace(before)
    assert len(course(pair).status.claims.all) == 30
    # Both programs look at each claim and at each denial: the last as the second.
    assert len(lines) == 120
    assert max(lines) == max(lines[:8])
