"""What the computer would play, and what the turn brings then: the look ahead of ``greedy``, from what a seat knows."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from cli.console.analysis import Candidate
from cli.fight.text import narrate, screens
from cli.text.wording import fill
from protocol.game import Decision, Seat
from storm_p2p.fight import notation
from storm_p2p.fight.bots.greedy import rate
from storm_p2p.fight.cards import CardSet
from storm_p2p.fight.events import Event, What
from storm_p2p.fight.views import View

MOST: Final = 3
"""So many decisions are named, and so much of what one brings."""
_EVEN, _SCALE = 8.0, 14.0
"""What a position is worth at the end of the own turn if both are equally likely to win, and how much more makes the
chance 73 %: fitted to 2500 decisions of 90 matches of ``greedy`` against itself."""
_NOTABLE: Final = (What.SCORED, What.DEFEATED, What.TOOK, What.LOST, What.BOUNCED, What.OVER)


class Brings(NamedTuple):
    """What happens in the own turn after a decision."""

    events: tuple[Event, ...]
    cards: CardSet
    seat: Seat
    """Whose turn it is."""


class FightAdviser:
    """The computer that gives hints."""

    def advise(self, state: View, side: Seat) -> Iterator[Sequence[Candidate]]:
        """Yield what the computer would play, the best first; of a card only the best space."""
        hand = {entry: card for card, entry in state.known_hand(side).items()}
        best: dict[Decision, Candidate] = {}
        for one in sorted(rate(state.state, state.names), key=lambda one: -one.value):
            notable = tuple(event for event in one.events if event.what in _NOTABLE)[:MOST]
            what = one.decision[:2] if isinstance(one.decision, tuple) and len(one.decision) > 3 else one.decision
            action = notation.format_decision(one.decision, state.state, hand)
            reasons = (Brings(notable, state.cards, side),) if notable else ()
            best.setdefault(what, Candidate(action, _chance(one.value), 1.0, reasons))
        yield list(best.values())[:MOST]

    def reason(self, fact: Brings) -> str:
        """Return the sentence for what a decision brings."""
        names = [str(screens.YOU if seat == fact.seat else screens.OPPONENT) for seat in (0, 1)]
        return fill(screens.BRINGS, events=" ".join(narrate.line(event, fact.cards, names) for event in fact.events))


def _chance(value: float) -> float:
    """Return how likely the side wins for which a position is worth so much; a game that is over is worth 1000."""
    return 0.5 + 0.5 * math.tanh((value - _EVEN) / _SCALE / 2)
