"""The table of all pairs of homes: who meets, by which way, after how many seconds."""

from __future__ import annotations

import argparse
import shlex
import sys
import tempfile
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from statistics import median

from network.homes import EASY, HARD, KINDS, PAIRS, TOOLS, Homes
from network.journeys import Outcome, introduce, see_outcome
from network.namespaces import missing
from network.programs import PROGRAM

LONGEST = 10.0
"""Seconds after the paste in which a pair must have met; seconds of `join` after which its refusal must be said."""


def expect(a: str, b: str, *, six: bool = False) -> str:
    """Return what must come of a pair: ``udp``, ``tcp`` or ``named``; ``six`` if both have IPv6."""
    if "noudp" in (a, b):
        return "named" if {a, b} & set(HARD) and not six else "tcp"
    return "udp" if six or {a, b} & set(EASY) else "named"


def fits(outcome: Outcome, expected: str) -> bool:
    """Tell whether a pair did in time what was expected, by no other way."""
    return outcome.way == expected and outcome.seconds < LONGEST


def meet(a: str, b: str, *, six: bool = False, program: Sequence[str] = PROGRAM) -> Outcome:
    """Build two homes and let two people meet."""
    with tempfile.TemporaryDirectory(prefix="storm-p2p-pair-") as folder, Homes(a, b, six=six) as homes:
        try:
            return see_outcome(introduce(homes, Path(folder), program=program))
        except AssertionError as error:
            print(f"{a}, {b}: {error}", file=sys.stderr, flush=True)
            return Outcome("none", 0.0)


def main(words: Sequence[str] | None = None) -> int:
    """Print the table, and return 0 when it is the expected one."""
    parser = argparse.ArgumentParser(prog="python -m tests.network", description=__doc__)
    parser.add_argument("--pairs", nargs="+", metavar="HOST,GUEST", help=f"only these; a home is {', '.join(KINDS)}")
    parser.add_argument("--swapped", action="store_true", help="the second of each pair hosts")
    parser.add_argument("--runs", type=int, default=1, help="how often each pair meets")
    parser.add_argument("--jobs", type=int, default=1, help="how many pairs meet at the same time")
    parser.add_argument("--six", action="store_true", help="with public IPv6 behind a firewall in each home")
    parser.add_argument(
        "--program", type=shlex.split, default=PROGRAM, help="another program than the one of this tree"
    )
    parser.add_argument("--check", action="store_true", help="only say whether the laboratory can be built here")
    options = parser.parse_args(words)
    lacking = missing(*TOOLS, wanted=True)
    if lacking:
        print(f"The laboratory of routers is left out: it {lacking}.")
        return 2
    if options.check:
        return 0
    pairs = [tuple(one.split(",")) for one in options.pairs or ()] or PAIRS
    if options.swapped:
        pairs = [(b, a) for a, b in pairs]
    counts: Counter[str] = Counter()
    wrong = 0

    def run(pair: tuple[str, str]) -> list[Outcome]:
        return [meet(*pair, six=options.six, program=options.program) for _ in range(options.runs)]

    print(f"{'host':10} {'guest':10} {'expected':9} {'found':9} {'median':>7} {'longest':>8}")
    with ThreadPoolExecutor(options.jobs) as pool:
        for (a, b), outcomes in zip(pairs, pool.map(run, pairs), strict=True):
            expected = expect(a, b, six=options.six)
            bad = [one for one in outcomes if not fits(one, expected)]
            wrong += bool(bad)
            ways = Counter(one.way for one in outcomes)
            found = "/".join(ways)
            counts[found] += 1
            times = [one.seconds for one in outcomes]
            note = f"   {len(bad)} of {len(outcomes)} not as expected: {dict(ways)}" if bad else ""
            print(f"{a:10} {b:10} {expected:9} {found:9} {median(times):5.1f} s {max(times):6.1f} s{note}", flush=True)
    print(", ".join(f"{count} {way}" for way, count in counts.items()), f"; {wrong} of {len(pairs)} not as expected")
    return 1 if wrong else 0
