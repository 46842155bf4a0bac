"""Measuring time without a clock of its own: every call brings the time that the caller's clock shows.

A stopwatch that runs tells time that counts from time in which the line was down; an agreed break stands for
nothing.  A clock that is set back in between adds nothing (SPEC.md, section "Clocks").
"""

from __future__ import annotations

from dataclasses import dataclass

from protocol.clock import Spell


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
        self.at = now

    def run(self, running: bool, now: float) -> None:
        """Let it run or stand from now on."""
        self.tick(now)
        self.running = running

    def set_line(self, up: bool, now: float) -> None:
        """Note that the line is up or down from now on."""
        self.tick(now)
        self.line = up

    def halt(self, halted: bool, now: float) -> None:
        """Begin or end an agreed break."""
        self.tick(now)
        self.halted = halted

    def read(self, now: float) -> Spell:
        """Return what it shows, in whole seconds begun and ended."""
        self.tick(now)
        return int(self.spent), int(self.away)

    def take(self, now: float) -> Spell:
        """Return what it shows and set it back to zero."""
        shown = self.read(now)
        self.spent = self.away = 0.0
        return shown
