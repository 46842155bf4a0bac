"""Clock arithmetic: what the terms of a match say about time, and what the signed times add up to.

Pure: no clock is read here.  All times are whole seconds as they stand in the signed record (SPEC.md, section
"Clocks").  Measuring them is :mod:`protocol.core.match_clock`'s.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import IntEnum
from typing import Annotated, TypeAlias

from protocol.core import wire
from protocol.errors import WireError
from protocol.game import Seat, other

LONGEST = 10 * 365 * 24 * 3600
"""The longest time that terms may name, in seconds."""

ABSENT_SECONDS = 7 * 24 * 3600
"""After how much silence a match without a clock may be claimed."""


class ClockKind(IntEnum):
    """How time is given."""

    BASE = 1
    """A stock for the whole match, and an increment after each decision."""
    TURN = 2
    """The same time for each decision; what is left over is lost."""


Seconds: TypeAlias = Annotated[int, wire.integer(0, LONGEST)]


@dataclass(frozen=True, slots=True)
class ClockTerms:
    """What both have signed about time, in whole seconds."""

    kind: Annotated[ClockKind, wire.integer(1, len(ClockKind))]
    base: Annotated[int, wire.integer(1, LONGEST)]
    """The stock, or the time for each decision."""
    increment: Seconds
    """What a decision adds to the stock; 0 for :attr:`ClockKind.TURN`."""
    tolerance: Seconds
    """How far a claimed time and the other's reading of it may differ without a word."""
    away: Seconds
    """How long in all a seat's clock stands still while the connection is down; after that it runs."""
    absent: Annotated[int, wire.integer(1, LONGEST)]
    """After how much silence of the one who owes a message the other may claim the match."""

    def value(self) -> tuple[int, ...]:
        """Return the form that is signed."""
        return (int(self.kind), self.base, self.increment, self.tolerance, self.away, self.absent)

    @staticmethod
    def of(value: object) -> ClockTerms:
        """Read :meth:`value`'s form.

        Raises:
            WireError: it is none.
        """
        clock_schema(value)
        assert isinstance(value, tuple)
        return ClockTerms(ClockKind(value[0]), *value[1:])


_CLOCK = wire.fields("clock", *wire.checks_of(ClockTerms))


def clock_schema(value: object) -> None:
    """Check the signed form of the terms of a clock.

    Raises:
        WireError: it is none.
    """
    _CLOCK(value)
    assert isinstance(value, tuple)
    if value[0] == ClockKind.TURN and value[2] != 0:
        raise WireError("bad_clock", "no increment where each decision has its own time", str(value[2]))


Spell: TypeAlias = tuple[int, int]
"""A stretch of time: seconds that count, and seconds in which the connection was down."""


@dataclass(frozen=True, slots=True)
class Account:
    """The time of one seat by one person's word: its own, or the other's reading."""

    terms: ClockTerms
    left: int
    """What is left for the present decision; never below 0."""
    away: int = 0
    """How long the connection was down in all while this clock was the one to run."""
    over: int = 0
    """How much the last decisions took beyond what was left, since the other has last written; 0: nothing."""

    @staticmethod
    def begin(terms: ClockTerms) -> Account:
        """Return the account before the first message."""
        return Account(terms, terms.base)

    @property
    def fallen(self) -> bool:
        """Whether the flag is down: more was taken than was left, and the other has not played on."""
        return self.over > 0

    def cost(self, spell: Spell) -> int:
        """Return how much of a spell counts: all but the part of a lost connection that the terms still forgive."""
        spent, away = spell
        forgiven = max(0, min(away, self.terms.away - self.away))
        return spent + away - forgiven

    def run(self, spell: Spell) -> Account:
        """Return the account after a spell that ends in no decision yet."""
        cost = self.cost(spell)
        return replace(
            self, left=max(0, self.left - cost), away=self.away + spell[1], over=self.over + max(0, cost - self.left)
        )

    def decide(self, spell: Spell, decisions: int = 1) -> Account:
        """Return the account after a spell that has ended in decisions; none at all is :meth:`run`."""
        if decisions == 0:
            return self.run(spell)
        if self.terms.kind is ClockKind.TURN:
            # Several decisions in one spell have the time of all of them.
            extra = self.terms.base * (decisions - 1)
            return replace(replace(self, left=self.left + extra).run(spell), left=self.terms.base)
        after = self.run(spell)
        return replace(after, left=after.left + self.terms.increment * decisions)

    def waive(self) -> Account:
        """Return the account after the other has played on: a flag that was not claimed is up again."""
        return replace(self, over=0)


def differ(terms: ClockTerms, claimed: Spell, read: Spell) -> bool:
    """Say whether a claimed time and the other's reading of it are further apart than the terms allow.

    The whole stretch is compared, because the two see a lost connection at different moments.
    """
    return abs(sum(claimed) - sum(read)) > terms.tolerance


def required_silence(terms: ClockTerms | None, reading: Spell) -> tuple[int, int]:
    """Return after how much silence a match may be claimed, and how much of a reading is silence.

    Whoever has a stock of time may think as long as it lasts: only a lost connection is silence then.
    """
    if terms is None:
        return ABSENT_SECONDS, sum(reading)
    return terms.absent, reading[1] if terms.kind is ClockKind.BASE else sum(reading)


Stamp: TypeAlias = tuple[int, int, int, int]
"""What an envelope says of time: the author's spell, and a reading of the other's since the author's last envelope."""


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
