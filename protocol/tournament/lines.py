"""What each player has got in each round: the rows of a cross table."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from protocol.tournament.berger import berger_round, berger_rounds
from protocol.tournament.contents import Event, Pairing, System
from protocol.tournament.outcomes import Meeting, Outcome


@dataclass(frozen=True, slots=True)
class Line:
    """A round of a player."""

    opponent: int
    """0 for none."""
    first: bool
    """Whether the player was named first, and so had seat 0 in the first game."""
    points: int
    """In half points."""
    played: bool
    """Whether it counts as played."""
    bye: bool = False
    """Whether the player was free by the pairing; a bye by ruling is none."""
    outcomes: tuple[Outcome, ...] = ()


@dataclass(frozen=True, slots=True)
class Field:
    """Who takes part in an event, and how its rounds ended so far."""

    event: Event
    size: int
    """The highest number of a player."""
    history: tuple[tuple[Meeting, ...], ...] = ()
    since: Mapping[int, int] | None = None
    """By number, the round from which a late player takes part."""
    gone: Mapping[int, int] | None = None
    """By number, the round from which a player takes part no more."""
    byes: Mapping[tuple[int, int], int] | None = None
    """By round and number, the half points of who is not paired by ruling."""
    colour: int = 0
    """The lowest bit of the draw: 0 if the first number has seat 0 in the first game of a Swiss."""
    forbidden: tuple[Pairing, ...] = ()
    """Those whom a Swiss must not pair, in ascending order, the lower number first."""

    @property
    def round(self) -> int:
        """The round after the history."""
        return len(self.history) + 1

    def absent(self, round: int) -> frozenset[int]:
        """Return who is not to be paired in a round."""
        since, gone, byes = self.since or {}, self.gone or {}, self.byes or {}
        return frozenset(
            number
            for number in range(1, self.size + 1)
            if since.get(number, 1) > round or gone.get(number, round + 1) <= round or (round, number) in byes
        )

    def annulled(self) -> frozenset[int]:
        """Return whose pairings count for nobody: who has left a round robin before half of it (C.05)."""
        if self.event.system is not System.ROUND_ROBIN:
            return frozenset()
        total = berger_rounds(self.size, self.event.cycles)
        return frozenset(number for number, since in (self.gone or {}).items() if (since - 1) * 2 < total)


def lines_of(field: Field) -> dict[int, list[Line | None]]:
    """Return what each number has got in each round of the history; None where it took no part."""
    table: dict[int, list[Line | None]] = {number: [] for number in range(1, field.size + 1)}
    annulled = field.annulled()
    for index, meetings in enumerate(field.history, start=1):
        # Whoever has asked for a bye and left before that round gets nothing for it.
        found: dict[int, Line] = {
            number: Line(0, True, half, False)
            for (when, number), half in (field.byes or {}).items()
            if when == index < (field.gone or {}).get(number, index + 1)
        }
        for one in meetings:
            first, second = one.points(field.event.points)
            if annulled & {one.first, one.second or _free_of(field, index, one.first)}:
                first = second = 0
            if not one.second:
                found[one.first] = Line(0, True, first, False, True)
                continue
            found[one.first] = Line(one.second, True, first, one.played, False, one.outcomes)
            found[one.second] = Line(one.first, False, second, one.played, False, one.outcomes)
        for number, lines in table.items():
            lines.append(found.get(number))
    return table


def _free_of(field: Field, round: int, number: int) -> int:
    """Return who would have met somebody who is free, by the table; 0 if nobody."""
    if field.event.system is not System.ROUND_ROBIN:
        return 0
    pairs = (pair for pair in berger_round(field.size, round, field.event.cycles) if number in pair)
    return next((sum(pair) - number for pair in pairs), 0)


def total(lines: Sequence[Line | None]) -> int:
    """Return the half points of a player."""
    return sum(line.points for line in lines if line is not None)
