"""Matches of the toy games in which somebody cheats, and what has to come of it."""

from __future__ import annotations

from helpers_wire import Pair
from toys import Bluff, RockPaperScissors

from protocol.core.events import Audited, Disagreement, PeerMisbehaved


def rps(rounds: int = 2, tag: str = "") -> Pair:
    return Pair(RockPaperScissors(), rounds, tag=tag)


def bluff(cards: int = 4, private: int = 0) -> Pair:
    """Return a match of bluff in which both have hidden their cards in order."""
    pair = Pair(Bluff(), (cards, private))
    for seat in (0, 1):
        pair.act(seat, None, tuple(range(cards)))
    assert pair.host.asks_us or pair.guest.asks_us
    return pair


def to_move(pair: Pair) -> int:
    return 0 if pair.host.asks_us is not None else 1


def assert_named(pair: Pair, cheat: int, code: str) -> None:
    """Check that the honest side stopped, and that the evidence convinces a stranger who has nothing else."""
    honest = pair.sessions[1 - cheat]
    event = pair.last(1 - cheat, PeerMisbehaved)
    assert (event.code, event.seat) == (code, cheat)
    assert event.sentence.startswith("expected ")
    assert honest.over
    assert event.result["winner"] == str(1 - cheat)
    assert honest.result == event.result
    judged = pair.verify(1 - cheat)
    assert [(one.code, one.seat) for one in judged.problems] == [(code, cheat)]
    assert judged.ok
    assert judged.result == event.result
    # Restarting does not make it forgotten.
    assert pair.restored(1 - cheat).stopped == event


def assert_disputed(pair: Pair, cheat: int, code: str) -> None:
    """Check that the match stopped, that nobody is accused, and that the log says why, also after a restart."""
    honest = pair.sessions[1 - cheat]
    event = pair.last(1 - cheat, Disagreement)
    assert event.code == code
    assert event.sentence.startswith("expected ")
    assert not pair.saw(1 - cheat, PeerMisbehaved)
    judged = pair.verify(1 - cheat)
    assert [(one.code, one.seat) for one in judged.problems] == [(code, None)]
    assert judged.result == honest.result
    assert pair.restored(1 - cheat).stopped == honest.stopped == event


def assert_audited(pair: Pair, cheat: int, code: str) -> None:
    """Check that the audits of both and of a stranger name the seat."""
    for seat in (0, 1):
        event = pair.last(seat, Audited)
        assert not event.ok
        assert event.agreed
        assert {(one.code, one.seat) for one in event.problems} == {(code, cheat)}
    judged = pair.verify()
    assert judged.audited
    assert judged.ok
    assert judged.result is not None
    assert judged.result["winner"] == pair.game.sides[1 - cheat]
    assert {one.seat for one in judged.convictions} == {cheat}
    assert {(one.code, one.seat) for one in judged.problems} == {(code, cheat)}
