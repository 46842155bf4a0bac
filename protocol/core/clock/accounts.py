"""The times in the signed record: what each seat has claimed and what the other has read (SPEC.md, section "Clocks").

Every envelope of a match with a clock says how long its author took, and how long the author has waited for the other
since their own envelope before.  Here both are added up; nothing is measured.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import TypeAlias

from protocol.core.clock.terms import Account, ClockKind, ClockTerms, Spell, differ
from protocol.core.steps import Choice, Commit, Seal, Step
from protocol.game import Seat, other

Stamp: TypeAlias = tuple[int, int, int, int]
"""What an envelope says of time: the author's spell, and a reading of the other's since the author's last envelope."""


def decides(step: Step, kind: str | None, idle: Collection[str]) -> bool:
    """Say whether a step is a decision of its player.

    What follows by force takes no time and earns none, nor does what programs answer by themselves.

    Args:
        step: of an envelope.
        kind: of the request that it answers.
        idle: the kinds of the game that programs answer.
    """
    return isinstance(step, (Choice, Seal, Commit)) and kind not in idle


@dataclass(frozen=True, slots=True)
class Difference:
    """A claimed time and the other's reading of it are further apart than the terms allow."""

    seq: int
    """The envelope that carries the reading."""
    seat: Seat
    """Whose time it is."""
    claimed: int
    """What the seat has claimed, with the time in which the connection was down."""
    read: int
    """What the other has read."""


class ClockAccounts:
    """The clocks of a match as its record has them."""

    def __init__(self, terms: ClockTerms, seats: int) -> None:
        """Begin a match."""
        self.terms = terms
        self.claimed = [Account.begin(terms) for _ in range(seats)]
        """The account of each seat by its own word."""
        self.read = [Account.begin(terms) for _ in range(seats)]
        """The account of each seat by the other's reading, up to the other's last envelope."""
        self.differences: list[Difference] = []
        self._open: list[tuple[int, int, int]] = [(0, 0, 0) for _ in range(seats)]
        """What each seat has claimed since the other has last written: spent, down, decisions."""

    def take(self, seq: int, seat: Seat, stamp: Stamp, *, decided: bool) -> Difference | None:
        """Book the times of an envelope that was accepted; return the difference that it shows, if any."""
        spent, away, *reading = stamp
        peer = other(seat)
        read: Spell = (reading[0], reading[1])
        claimed_spent, claimed_away, decisions = self._open[peer]
        self.read[peer] = self.read[peer].decide(read, decisions).waive()
        self.claimed[peer] = self.claimed[peer].waive()
        found: Difference | None = None
        if differ(self.terms, (claimed_spent, claimed_away), read):
            found = Difference(seq, peer, claimed_spent + claimed_away, sum(read))
            self.differences.append(found)
        self._open[peer] = (0, 0, 0)
        self.claimed[seat] = self.claimed[seat].decide((spent, away), int(decided))
        mine = self._open[seat]
        self._open[seat] = (mine[0] + spent, mine[1] + away, mine[2] + decided)
        return found

    def running(self, seat: Seat, reading: Spell) -> Account:
        """Return a seat's account by the other's reading while its time runs."""
        decisions = self._open[seat][2]
        account = self.read[seat]
        more = self.terms.base if self.terms.kind is ClockKind.TURN else self.terms.increment
        return Account(self.terms, account.left + more * decisions, account.away).run(reading)
