"""Who stands where, as plain values (SPEC.md, section "Standings")."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal

from protocol.tournament.brackets import bracket_of
from protocol.tournament.contents import System
from protocol.tournament.engine import break_ties
from protocol.tournament.lines import Line, lines_of, total
from protocol.tournament.ratings import Rating, rate
from protocol.tournament.survey import Tournament
from protocol.tournament.tie_breaks import ROUND_ROBIN_TIE_BREAKS, rank_round_robin


@dataclass(frozen=True, slots=True)
class Standing:
    """Where one player stands."""

    rank: int
    """Shared by those whom nothing tells apart."""
    number: int
    key: bytes
    name: str
    points: int
    """In half points."""
    tie_breaks: tuple[str, ...]
    """In the order of the event; none in a knock-out."""
    lines: tuple[Line | None, ...]
    """What the player has got in each round; None for a round without the player."""
    before: Rating
    after: Rating
    gone: int | None
    """The round from which the player takes part no more."""


def _told(value: Decimal | int | None) -> str:
    """Return a tie-break without zeros that say nothing."""
    if value is None:
        return ""
    number = Decimal(value)
    return str(int(number)) if number == number.to_integral_value() else format(number.normalize(), "f")


def standings(tournament: Tournament) -> tuple[Standing, ...]:
    """Return the players by rank; what is still open or missing counts nothing and is among the holes.

    Raises:
        EngineError: the program for tie-breaks is missing or fails; a knock-out needs none, a round robin only
            for Buchholz.
    """
    event, field = tournament.event, tournament.field
    ranks: dict[int, tuple[int, tuple[Decimal | int | None, ...]]]
    if event.system.eliminates:
        ranks = {number: (rank, ()) for number, rank in _rank_bracket(tournament).items()}
    elif event.system is System.ROUND_ROBIN and set(event.tie_breaks) <= set(ROUND_ROBIN_TIE_BREAKS):
        ranks = rank_round_robin(field, event.tie_breaks)
    else:
        ranks = break_ties(field, event.tie_breaks)
    lines = lines_of(field)
    rated = rate(tournament)
    rows = [
        Standing(
            ranks[one.number][0], one.number, one.key, one.name, total(lines[one.number]),
            tuple(_told(value) for value in ranks[one.number][1]), tuple(lines[one.number]),
            rated[0][one.number], rated[-1][one.number], one.gone,
        )
        for one in tournament.players
    ]  # fmt: skip
    return tuple(sorted(rows, key=lambda row: (row.rank, row.number)))


def _rank_bracket(tournament: Tournament) -> dict[int, int]:
    """Return the rank of each number: whoever was eliminated later stands before whoever was earlier."""
    field = tournament.field
    bracket = bracket_of(tournament.event, field.size, field.history, field.gone)
    out = {number for group in bracket.out for number in group}
    groups = [*bracket.out, tuple(one.number for one in tournament.players if one.number not in out)]
    if bracket.winner in groups[-1]:
        groups.append((bracket.winner,))
        groups[-2] = tuple(number for number in groups[-2] if number != bracket.winner)
    ranks: dict[int, int] = {}
    for group in reversed(groups):
        ranks.update(dict.fromkeys(group, len(ranks) + 1))
    return ranks
