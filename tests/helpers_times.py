"""Matches of the toy game with clocks, for the tests of times, claims and breaks."""

from __future__ import annotations

from helpers_wire import Cheat, Pair
from toys import RockPaperScissors

from protocol.core.clock import ClockKind, ClockTerms
from protocol.core.game_data import Conditions
from protocol.core.transcript import Transcript

BLITZ = ClockTerms(ClockKind.BASE, 60, 5, 2, 30, 120)
DAYS = ClockTerms(ClockKind.TURN, 1000, 0, 5, 0, 5000)
START = 1_000_000.0


def timed(terms: ClockTerms | None = BLITZ, rounds: int = 3) -> Pair:
    """Return a match of which seat 0 seals first, then seat 1 answers."""
    return Pair(RockPaperScissors(), rounds, now=START, conditions=Conditions(terms))


def think(pair: Pair, seat: int, seconds: float, decision: int = 1) -> None:
    """Let a seat decide after some time."""
    pair.now += seconds
    pair.act(seat, decision)


def round_of(pair: Pair, first: float = 1.0, second: float = 1.0) -> None:
    think(pair, 0, first, 1)
    think(pair, 1, second, 1)


def course(pair: Pair, seat: int = 0) -> Transcript:
    """Return what a stranger reads in the log of a seat, in which nothing is wrong."""
    verdict = pair.verify(seat)
    assert verdict.problems == ()
    assert verdict.ok
    assert verdict.transcript is not None
    return verdict.transcript


def lefts(pair: Pair) -> tuple[list[int], list[int]]:
    """Return what both have left by their own word and by the other's reading, the same for both and a stranger."""
    found = []
    for session in pair.sessions:
        assert session.transcript.times is not None
        found.append(session.transcript.times)
    times = course(pair).times
    assert times is not None
    assert found[0].claimed == found[1].claimed == times.claimed
    assert found[0].read == found[1].read == times.read
    return [one.left for one in times.claimed], [one.left for one in times.read]


def stamped(cheat: Cheat, stamp: tuple[int, int, int, int] | None) -> bytes:
    """Return the honest next envelope of a cheat with other times."""
    builder = cheat.builder()
    builder.force(builder.decide(1, None), None)
    return cheat.envelope(*builder.steps, stamp=stamp)
