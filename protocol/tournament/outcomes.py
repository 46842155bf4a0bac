"""How a game and a pairing ended, and what that counts."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum

from protocol.tournament.contents import Points


class Outcome(IntEnum):
    """How a game ended, seen by the players in the order in which their pairing names them."""

    NONE = 0
    """Not yet."""
    FIRST = 1
    DRAW = 2
    SECOND = 3
    FORFEIT_FIRST = 4
    """The first gets the points of a win, because the second was not there."""
    FORFEIT_SECOND = 5
    DOUBLE_FORFEIT = 6

    @property
    def forfeited(self) -> bool:
        """Whether it was not played."""
        return self >= Outcome.FORFEIT_FIRST


_FIRST_WINS = (Outcome.FIRST, Outcome.FORFEIT_FIRST)
_SECOND_WINS = (Outcome.SECOND, Outcome.FORFEIT_SECOND)


@dataclass(frozen=True, slots=True)
class Meeting:
    """A pairing and how its games ended; a second player of 0 is a bye."""

    first: int
    second: int
    outcomes: tuple[Outcome, ...] = ()

    @property
    def decided(self) -> bool:
        """Whether every game has an outcome."""
        return Outcome.NONE not in self.outcomes

    @property
    def played(self) -> bool:
        """Whether it counts as played: nobody has forfeited all of it (C.04.5, preface)."""
        by_each = (Outcome.FORFEIT_SECOND, Outcome.DOUBLE_FORFEIT), (Outcome.FORFEIT_FIRST, Outcome.DOUBLE_FORFEIT)
        missed = any(all(one in forfeits for one in self.outcomes) for forfeits in by_each)
        return any(one is not Outcome.NONE for one in self.outcomes) and not missed

    def points(self, points: Points) -> tuple[int, int]:
        """Return what both have, in half points; a bye counts for the first."""
        if not self.second:
            return points.bye, 0
        first = second = 0
        for one in self.outcomes:
            if one in _FIRST_WINS:
                first, second = first + points.win, second + (0 if one.forfeited else points.loss)
            elif one in _SECOND_WINS:
                first, second = first + (0 if one.forfeited else points.loss), second + points.win
            elif one is Outcome.DRAW:
                first, second = first + points.draw, second + points.draw
        return first, second


def is_over(outcomes: Sequence[Outcome], games: int, points: Points) -> bool:
    """Say whether a pairing that must have a winner has one, or may have no more games; ``games`` make a turn."""
    meeting = Meeting(1, 2, tuple(outcomes))
    if not meeting.decided or not outcomes or len(outcomes) % games:
        return False
    out = all(one is Outcome.DOUBLE_FORFEIT for one in outcomes[-games:])
    first, second = meeting.points(points)
    return out or first != second
