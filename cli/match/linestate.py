"""What there is to say about the line, in words."""

from __future__ import annotations

import time
from collections.abc import Callable

from cli.text import line as words
from protocol.transport import Transport

TOLD_TRIES = (1, 4, 8, 20)
"""Which calls that nobody answered are told to the player; whoever wants to know sooner looks."""


class LineState:
    """The line of a match: there, lost, or never there yet."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        """Begin without a line; ``clock`` counts seconds."""
        self.lost = False
        """Whether there was a line and is none."""
        self.called_for = False
        """Whether the player was told that a line is called for."""
        self._clock = clock
        self._link: Transport | None = None
        self._since = clock()
        self._tries = 0
        self._next = 0.0

    def connected(self, link: Transport) -> None:
        """A good line is there."""
        self.lost, self.called_for = False, False
        self._link, self._since, self._tries = link, self._clock(), 0

    def lose(self) -> None:
        """The line has ended."""
        self.lost, self._link, self._since = True, None, self._clock()

    def unanswered(self, count: int, pause: float) -> None:
        """Call number ``count`` has led to nobody, and the next one follows in ``pause`` seconds."""
        self._tries, self._next = count, self._clock() + pause

    def is_news(self, count: int, *, fresh: bool) -> bool:
        """Return whether call number ``count``, which led to nobody, is told to the player.

        In a fresh match the first line may still be being greeted: nothing is lost then, and the first call tells
        nothing.
        """
        return count in (TOLD_TRIES[1:] if fresh and not self.lost else TOLD_TRIES)

    def words(self) -> str:
        """Return the state now, as in ``direct, 38 ms`` and ``calling, try 4, next in 8 s``."""
        now = self._clock()
        if self._link is not None:
            return words.direct(getattr(self._link, "latency", 0.0))
        if self._tries:
            return words.calling(self._tries, max(0.0, self._next - now))
        return words.none(now - self._since)
