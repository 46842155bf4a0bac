"""What the computer says of a decision, for any game."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Protocol


@dataclass(frozen=True, slots=True)
class Candidate:
    """An action that the computer would think of."""

    action: str
    """In canonical words."""
    chance: float
    """How likely its side wins after it, from 0 to 1."""
    share: float
    """How often it should be played, from 0 to 1; less than 1 where a choice in secret is mixed."""
    reasons: tuple[Any, ...]
    """What speaks for it: facts of the game."""


class Adviser(Protocol):
    """The computer that gives hints in a game."""

    def advise(self, state: Any, side: Any) -> Iterator[Sequence[Candidate]]:
        """Yield what the computer would play, the best first, and again after more thought.

        ``state`` is the owner's view; a thread takes what is yielded.
        """

    def reason(self, fact: Any) -> str:
        """Return the sentence for what speaks for an action."""
