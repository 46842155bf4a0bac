"""The analysis of a match, for any game: how the chances went, and which decisions lost most of them."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, NamedTuple, Protocol, TypeVar

if TYPE_CHECKING:
    from pathlib import Path

    from protocol.core.transcript import Transcript
    from protocol.game import Seat


@dataclass(frozen=True, slots=True)
class Candidate:
    """An action that the computer would think of."""

    action: str
    """In canonical words."""
    chance: float
    """How likely its side wins after it, from 0 to 1."""
    share: float
    """How often it should be played, from 0 to 1; less than 1 where a choice in secret is mixed."""
    reasons: tuple[object, ...]
    """What speaks for it: facts of the game."""


SeenOf = TypeVar("SeenOf", contravariant=True)
SideOf = TypeVar("SideOf", contravariant=True)


class Adviser(Protocol[SeenOf, SideOf]):
    """The computer that gives hints in a game."""

    def advise(self, state: SeenOf, side: SideOf) -> Iterator[Sequence[Candidate]]:
        """Yield what the computer would play, the best first, and again after more thought.

        ``state`` is the owner's view; a thread takes what is yielded.
        """

    def reason(self, fact: Any) -> str:
        """Return the sentence for what speaks for an action."""


SIMULATIONS: Final = 4
"""Of each decision, where nothing else is asked for."""
SEED: Final = 1
MOST: Final = 5
"""So many decisions are shown."""
NOTABLE: Final = 0.01
"""A decision that loses less of the chance to win is not shown."""


@dataclass(frozen=True, slots=True)
class Point:
    """How a match stood at the beginning of a turn, or at its end."""

    seq: int
    """The message that led there."""
    turn: int
    chances: tuple[float | None, ...]
    """How likely each seat wins, from 0 to 1, as far as it could know; None for a seat that is not judged."""
    stocks: tuple[tuple[int, ...], ...]
    """What each seat has of each of the game's stocks, in the order of :attr:`GameConsole.stocks`."""


@dataclass(frozen=True, slots=True)
class Judged:
    """A decision and what the computer would have played there, both from what the seat could know."""

    seq: int
    """The message with the decision."""
    turn: int
    seat: Seat
    played: str
    """In canonical words."""
    chance: float
    """How likely the seat wins after it."""
    better: Candidate
    """What promised most."""

    @property
    def loss(self) -> float:
        """How much of the chance to win the decision lost."""
        return self.better.chance - self.chance


class End(NamedTuple):
    """How a match ended, as its log says it."""

    turn: int
    """0 before the first one."""
    winner: str
    """The word for a seat, or ``draw``."""
    reason: str


@dataclass(frozen=True, slots=True)
class Analysis:
    """What is known of a match so far."""

    seats: tuple[Seat, ...]
    """Who is judged: those whose hidden units were opened."""
    points: tuple[Point, ...] = ()
    decisions: tuple[Judged, ...] = ()
    """All that were judged, in their order."""
    told: tuple[int, ...] = ()
    """The messages so far that have done something on the board; each is a step of a match that is looked back at."""
    done: int = 0
    """So many steps of the match."""
    total: int = 0
    end: End | None = None
    """Of a match that is over; a resignation or a claim is no decision, and may come in anybody's turn."""

    @property
    def is_complete(self) -> bool:
        """Whether the whole match was looked at."""
        return self.done == self.total

    def worst(self, seats: Collection[Seat]) -> tuple[Judged, ...]:
        """Return the decisions of some seats that lost most, the worst first."""
        lost = [one for one in self.decisions if one.seat in seats and one.loss >= NOTABLE]
        return tuple(sorted(lost, key=lambda one: (-one.loss, one.seq, one.seat))[:MOST])


class Analyst(Adviser[SeenOf, SideOf], Protocol[SeenOf, SideOf]):
    """The computer that also judges the decisions of a match; a thread takes what it yields."""

    def analyse(self, transcript: Transcript, seats: Sequence[Seat], simulations: int, seed: int) -> Iterator[Analysis]:
        """Yield the analysis of a match for some seats, step by step; the last one is complete."""

    def analyse_log(self, log: Path) -> Iterator[Analysis]:
        """Yield the analysis of a match that has just ended, for both seats, from the log that was written.

        Raises:
            OSError, LogError, ProtocolError: it cannot be read.
        """
