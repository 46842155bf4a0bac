"""Computer players: functions of what a seat knows and a random source."""

from collections.abc import Iterator
from random import Random
from typing import Final, TypeAlias

from protocol.game import Decision, Seat
from storm_p2p import bots
from storm_p2p.bots import Searcher
from storm_p2p.fight import engine
from storm_p2p.fight.bots import greedy, value
from storm_p2p.fight.bots.lookahead import Judge, find_lines
from storm_p2p.fight.bots.search import search
from storm_p2p.fight.state import View

Bot: TypeAlias = "bots.Bot[View, Seat, Decision]"

SLIPS: Final = 0.3
"""How often ``novice`` decides without a thought."""
_NOISE: Final = 1e-6
"""What chance adds, so that equal decisions are equally likely."""


class Uniform:
    """Takes any legal decision, each as likely as any other."""

    name = "random"

    def decide(self, view: View, seat: Seat, rng: Random) -> Decision:
        """Return the decision."""
        return rng.choice(engine.legal(view.state, view.names))


class Looker:
    """Takes the decision after which its own turn ends best, but now and then one without a thought."""

    def __init__(self, name: str, judge: Judge, slips: float = 0.0) -> None:
        """Name it, and say how it judges the end of its turn and how often it does not think."""
        self.name = name
        self._judge = judge
        self._slips = slips

    def decide(self, view: View, seat: Seat, rng: Random) -> Decision:
        """Return the decision."""
        if self._slips and rng.random() < self._slips:
            return Uniform().decide(view, seat, rng)
        lines = find_lines(view.state, view.names, self._judge)
        return max(lines, key=lambda one: one.value + _NOISE * rng.random()).decision


class Oracle(Searcher[View, Seat, Decision]):
    """Tries its turn in worlds that agree with all it may know; the more it tries, the better it plays."""

    def think(self, view: View, seat: Seat, rng: Random) -> Iterator[Decision]:
        """Yield what to do after one simulation, after two, and so on without an end; equal chance, equal answers."""
        decisions = engine.legal(view.state, view.names)
        if len(decisions) == 1:
            while True:
                yield decisions[0]
        yield from search(view.state, view.names, seat, rng, value.judge)


_ALL: Final[tuple[Bot, ...]] = (
    Uniform(),
    Looker("novice", greedy.judge, SLIPS),
    Looker("greedy", greedy.judge),
    Looker("seer", value.judge),
    Oracle("oracle", 100, 1.0),
)

BOTS: Final[dict[str, Bot]] = {bot.name: bot for bot in _ALL}
"""The computer players by their name, the weakest first."""
