"""Who stands where, as plain values (SPEC.md, section "Standings")."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Final

from protocol.tournament.brackets import bracket_of
from protocol.tournament.contents import System
from protocol.tournament.engine import break_ties
from protocol.tournament.lines import Field, Line, lines_of, total
from protocol.tournament.ratings import Rating, rate
from protocol.tournament.roster import Player
from protocol.tournament.survey import Tournament

ROUND_ROBIN_TIE_BREAKS: Final = ("DE", "SB", "WIN", "WON")
"""Those that are computed here."""

Rank = tuple[int, tuple[Decimal | int | None, ...]]
"""A rank, and the values of the tie-breaks."""


def rank_round_robin(field: Field, names: Sequence[str]) -> dict[int, Rank]:
    """Return for each number its rank by points and tie-breaks, and the values of these.

    Args:
        field: the rounds of a round robin.
        names: of :data:`ROUND_ROBIN_TIE_BREAKS`, in their order.
    """
    lines = _counted(field)
    points = {number: total(row) for number, row in lines_of(field).items()}
    groups = _split(list(points), points)
    values: dict[int, list[Decimal | int | None]] = {number: [] for number in points}
    for name in names:
        if name == "DE":
            groups, found = _meet(groups, lines)
        else:
            found = {number: _value(name, field, lines[number], points) for number in points}
            groups = [part for group in groups for part in _split(group, found)]
        for number, value in found.items():
            values[number].append(Decimal(value) / 4 if name == "SB" else value)
    ranks: dict[int, Rank] = {}
    for group in groups:
        rank = len(ranks) + 1
        ranks.update((number, (rank, tuple(values[number]))) for number in group)
    return ranks


def _counted(field: Field) -> dict[int, list[Line]]:
    """Return what each has got, without the pairings that count for nobody."""
    annulled = field.annulled()
    return {
        number: [line for line in row if line is not None and not annulled & {number, line.opponent}]
        for number, row in lines_of(field).items()
    }


def _split(group: Sequence[int], values: Mapping[int, int | Fraction]) -> list[list[int]]:
    """Return a group in parts with equal values, the highest first."""
    return [
        [number for number in group if values[number] == value]
        for value in sorted({values[number] for number in group}, reverse=True)
    ]


def _value(name: str, field: Field, row: Sequence[Line], points: dict[int, int]) -> int:
    if name == "SB":
        return sum(line.points * points[line.opponent] for line in row if line.opponent)
    # As many points as a win brings (C.07, 7.1); of pairings that were played, for WON.
    win = field.event.points.win * field.event.games
    return sum(line.points >= win and (line.played or name == "WIN") for line in row)


def _meet(groups: Sequence[list[int]], lines: dict[int, list[Line]]) -> tuple[list[list[int]], dict[int, int]]:
    """Break ties by what the players of a group have got from each other, again and again while that divides one."""
    found: list[list[int]] = []
    values: dict[int, int] = {}
    for group in groups:
        parts = _divide(group, lines)
        place = 0
        for part in parts:
            values.update((number, place + 1 if len(parts) > 1 else 0) for number in part)
            place += len(part)
        found += parts
    return found, values


def _divide(group: list[int], lines: dict[int, list[Line]]) -> list[list[int]]:
    got = {number: _against(group, lines[number]) for number in group}
    parts = _split(group, got)
    return [group] if len(parts) == 1 else [last for part in parts for last in _divide(part, lines)]


def _against(group: list[int], row: Sequence[Line]) -> Fraction:
    """Return what a player has got from others: of several pairings with one of them the average (C.07, 6.1.2)."""
    met: dict[int, list[int]] = {}
    for line in row:
        if line.opponent in group:
            met.setdefault(line.opponent, []).append(line.points)
    return sum((Fraction(sum(points), len(points)) for points in met.values()), Fraction())


@dataclass(frozen=True, slots=True)
class Standing:
    """Where one player stands."""

    rank: int
    """Shared by those whom nothing tells apart."""
    player: Player
    points: int
    """In half points."""
    tie_breaks: tuple[str, ...]
    """In the order of the event; none in a knock-out."""
    lines: tuple[Line | None, ...]
    """What the player has got in each round; None for a round without the player."""
    before: Rating
    after: Rating


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
    ranks: dict[int, Rank]
    if event.system.eliminates:
        ranks = {number: (rank, ()) for number, rank in _rank_bracket(tournament).items()}
    elif event.system is System.ROUND_ROBIN and set(event.tie_breaks) <= set(ROUND_ROBIN_TIE_BREAKS):
        ranks = rank_round_robin(field, event.tie_breaks)
    else:
        ranks = break_ties(field, event.tie_breaks)
    lines = lines_of(field)
    rated = rate(tournament)
    rows: list[Standing] = []
    for one in tournament.players:
        (rank, values), row = ranks[one.number], tuple(lines[one.number])
        before, after = rated[0][one.number], rated[-1][one.number]
        rows.append(Standing(rank, one, total(row), tuple(map(_told, values)), row, before, after))
    return tuple(sorted(rows, key=lambda row: (row.rank, row.player.number)))


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
