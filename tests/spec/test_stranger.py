"""The small checker of SPEC.md's first page: it takes honest logs and refuses what was signed over other messages."""

from __future__ import annotations

import runpy
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from helpers import ROOT
from helpers_judging import log_of
from helpers_storm import StormPair
from helpers_wire import Cheat, Pair, author_of, flipped
from toys import Bluff

from protocol.core.frames import FrameKind, Record, unpack_frame
from protocol.core.messages import SideType
from protocol.core.wire import encode
from storm_p2p.storm.state import Terms

CHECK: Callable[[bytes], str] = runpy.run_path(str(ROOT / "docs" / "check.py"))["check"]


@pytest.mark.parametrize("path", sorted((ROOT / "tests" / "logs").glob("*/hash-*.storm")), ids=lambda path: path.stem)
def test_committed_logs_fit(path: Any) -> None:
    assert "every signature and every hash fits" in CHECK(path.read_bytes())


def test_every_bit_counts() -> None:
    pair = StormPair(Terms(), tag="checked")
    pair.host.side_channel.chat("good luck")
    pair.settle()
    pair.play_out(1, 4)
    log = log_of(pair)
    assert "every signature and every hash fits" in CHECK(log)
    for bit in range(0, 8 * len(log), len(log) // 10):
        with pytest.raises((SystemExit, ValueError, LookupError, TypeError, AttributeError)):
            CHECK(flipped(log, bit))


def test_another_message_in_the_place_of_one_that_was_seen_is_noticed() -> None:
    pair = StormPair(Terms(), tag="checked")
    pair.host.side_channel.chat("good luck")
    pair.settle()
    pair.guest.side_channel.chat("thanks")
    pair.settle()
    other = Cheat(pair, 0).side(SideType.CHAT, "you will lose", sides=(0, 0))
    records = [
        Record(FrameKind.SIDE, other) if one.kind == FrameKind.SIDE and author_of(one.frame) == 0 else one
        for one in pair.host.records
    ]
    with pytest.raises(ValueError, match="was signed over other messages"):
        CHECK(log_of(pair, 0, records))


def test_a_message_without_all_of_its_signatures_is_refused() -> None:
    pair = StormPair(Terms(), tag="checked")
    pair.host.side_channel.chat("good luck")
    pair.settle()
    pair.guest.side_channel.resign()
    pair.settle()
    records = list(pair.host.records)
    for at in range(2, len(records)):
        kind, fields = unpack_frame(records[at].frame)
        for number, field in enumerate(fields):
            if isinstance(field, bytes) and len(field) == 64:
                bare = encode((int(kind), 3, *fields[:number], *fields[number + 1 :]))
                forged = [*records[:at], Record(kind, bare), *records[at + 1 :]]
                with pytest.raises(ValueError, match=r"zip|not signed"):
                    CHECK(log_of(pair, 0, forged))


def test_it_checks_also_where_python_leaves_assertions_out(tmp_path: Path) -> None:
    log = tmp_path / "log.storm"
    log.write_bytes(b"storm-p2p log 2\n")
    found = subprocess.run(
        [sys.executable, "-O", str(ROOT / "docs" / "check.py"), str(log)], capture_output=True, text=True, check=False
    )
    assert (found.returncode, found.stderr) == (1, "not checked: this is no log of protocol 3\n")


def test_what_does_not_come_from_the_seed_is_noticed() -> None:
    pair = Pair(Bluff(), (4, 0))
    cheat = Cheat(pair, 0)
    cheat.go_quiet()
    builder = cheat.builder()
    builder.decide(None, (0, 1, 2, 3))
    (cover,) = builder.steps
    false = replace(cover, commitments=tuple(bytes([one]) * 32 for one in range(1, 5)))  # type: ignore[arg-type]
    cheat.send_and_hold(cheat.envelope(false, state=cheat.state_after(false)))
    pair.guest.side_channel.resign()
    pair.settle()
    with pytest.raises(ValueError, match="does not come from its seed"):
        CHECK(log_of(pair))
