"""Measuring time without a clock of its own: every call brings the time that the caller's clock shows.

A stopwatch that runs tells time that counts from time in which the line was down; an agreed break stands for
nothing.  A clock that is set back in between adds nothing (SPEC.md, section "Clocks").
"""

from __future__ import annotations

from dataclasses import dataclass

from protocol.core.clock.terms import Spell

LONGEST = 2**31
"""The most seconds that it shows: an envelope has no room for more."""


@dataclass(slots=True)
class Stopwatch:
    """One running measurement, in seconds."""

    spent: float = 0.0
    """Time that counts."""
    away: float = 0.0
    """Time in which the line was down."""
    running: bool = False
    line: bool = True
    """Whether the line is up."""
    halted: bool = False
    """Whether both have agreed on a break."""
    at: float | None = None
    """When it was looked at last."""

    def tick(self, now: float) -> None:
        """Take the time since the last look."""
        if self.at is not None and self.running and not self.halted:
            passed = max(0.0, now - self.at)
            if self.line:
                self.spent += passed
            else:
                self.away += passed
        # A caller without a clock says 0.
        self.at = now if now > 0 else None

    def read(self, now: float) -> Spell:
        """Return what it shows, in whole seconds begun and ended."""
        self.tick(now)
        return min(int(self.spent), LONGEST), min(int(self.away), LONGEST)

    def take(self, now: float) -> Spell:
        """Return what it shows and set it back to zero."""
        shown = self.read(now)
        self.spent = self.away = 0.0
        return shown
