"""Standings and games for other programs, as plain values and as a tournament report file (FIDE TRF26).

A report file knows only single games.  So each game of a pairing gets a round of its own there: game g of round r of an
event with two games is round 2(r - 1) + g.  Programs that check the pairings of a Swiss need one game to a pairing.
In a knock-out a round of the file is one of the event, with how its pairing ended.
Records 299 could give each pairing its points; but gacrux 1.11 reads them and pairs without them.
"""

from dataclasses import replace
from typing import TypeAlias

from protocol.tournament.brackets import end_of
from protocol.tournament.contents import Event, System
from protocol.tournament.lines import Line, total
from protocol.tournament.outcomes import Meeting, Outcome
from protocol.tournament.pairings import count_rounds
from protocol.tournament.standings import Standing, standings
from protocol.tournament.survey import Tournament

Row: TypeAlias = "dict[str, str | int | float | None]"
"""A line of a table: what JSON and CSV can hold."""

_LETTERS = {
    Outcome.FIRST: "10",
    Outcome.DRAW: "==",
    Outcome.SECOND: "01",
    Outcome.FORFEIT_FIRST: "+-",
    Outcome.FORFEIT_SECOND: "-+",
    Outcome.DOUBLE_FORFEIT: "--",
    Outcome.NONE: "  ",
}
"""What a report file says of a game, of the first and of the second."""


def standing_rows(tournament: Tournament) -> list[Row]:
    """Return the standings as rows with the same columns.

    Raises:
        EngineError: the program for tie-breaks is missing or fails.
    """
    rows: list[Row] = []
    for one in standings(tournament):
        names = () if tournament.event.system.eliminates else tournament.event.tie_breaks
        row: Row = {
            "rank": one.rank,
            "number": one.player.number,
            "name": one.player.name,
            "key": one.player.key.hex(),
            "points": one.points / 2,
        }
        row |= dict(zip(names, one.tie_breaks, strict=True))
        row |= {
            "rating": round(one.after.rating, 2),
            "deviation": round(one.after.deviation, 2),
            "rating_before": round(one.before.rating, 2),
            "gone": one.player.gone,
        }
        rows.append(row)
    return rows


def game_rows(tournament: Tournament) -> list[Row]:
    """Return how each game stands, as rows with the same columns."""
    rows: list[Row] = []
    for place, result in tournament.results.items():
        first, second = tournament.rounds[place.round - 1].pairings[place.table - 1]
        seats = (first, second) if place.game % 2 else (second, first)
        row: Row = {**place._asdict(), "state": str(result.state), "first": first, "second": second}
        row |= dict(zip(tournament.event.sides, seats, strict=True))
        row |= {
            "outcome": result.outcome.name.lower(),
            "reason": result.reason,
            "owes": result.owes,
            "convicted": " ".join(map(str, result.convicted)),
            "evidence": " ".join(one.hex() for one in result.evidence),
        }
        rows.append(row)
    return rows


def report_file(tournament: Tournament) -> str:
    """Return the tournament report file.

    Raises:
        EngineError: the program for tie-breaks is missing or fails.
    """
    event = tournament.event
    rows = sorted(standings(tournament), key=lambda one: one.player.number)
    if event.system.eliminates:
        rows = [_by_round(one, event) for one in rows]
    lengths = (len(line.outcomes) for one in rows for line in one.lines if line is not None)
    games = 1 if event.system.eliminates else max((event.games, *lengths))
    kind, code = {
        System.ROUND_ROBIN: ("Round Robin", "CUSTOM_ROUNDROBIN"),
        System.SWISS: ("Swiss Dutch", "FIDE_DUTCH_2026" if games == 1 else "CUSTOM_DOUBLESWISS"),
    }.get(event.system, ("Knock-out", "CUSTOM_KNOCKOUT"))
    rounds = games * (count_rounds(tournament.field) or len(tournament.rounds))
    counts = zip("WDLP", (*event.points[:3], event.points.bye / games), strict=True)
    lines = [
        f"012 {event.name}",
        f"062 {len(rows)}",
        f"092 {kind}",
        f"142 {rounds}",
        f"152 {'B' if tournament.next.colour else 'W'}",
        f"162  {'    '.join(f'{letter}{half / 2:4.1f}' for letter, half in counts)}",
        f"192 {code}",
        # What programs from before 2026 read instead of 142, 152 and 260.
        f"XXR {rounds}",
        f"XXC {'black1' if tournament.next.colour else 'white1'}",
        *(f"XXP {one} {two}" for one, two in tournament.next.forbidden),
        *(_player_line(one, games) for one in rows),
        *(f"260   1 {rounds:3} {one:4} {two:4}" for one, two in tournament.next.forbidden),
    ]
    return "".join(f"{line}\n" for line in lines)


def _by_round(one: Standing, event: Event) -> Standing:
    """Return a player of a knock-out with one game for each pairing."""
    lines: list[Line | None] = []
    for line in one.lines:
        if line is not None and line.outcomes:
            first, second = (one.player.number, line.opponent) if line.first else (line.opponent, one.player.number)
            outcome = end_of(event, Meeting(first, second, line.outcomes))
            points = Meeting(first, second, (outcome,)).points(event.points)[not line.first]
            line = replace(line, outcomes=(outcome,), points=points)
        lines.append(line)
    return replace(one, lines=tuple(lines), points=total(lines))


def _player_line(one: Standing, games: int) -> str:
    head = f"001 {one.player.number:4} {'':4} {one.player.name:33.33} {round(one.before.rating):4} {'':26} "
    head += f"{one.points / 2:4.1f} {one.rank:4}"
    return (head + "".join(cell for line in one.lines for cell in _cells(line, games))).rstrip()


def _cells(line: Line | None, games: int) -> list[str]:
    """Return the cells of a round, one for each game."""
    if line is None:
        return ["  0000 - Z"] * games
    if not line.opponent:
        # What a bye counts is spread over the games.
        halves = [min(max(line.points - 2 * game, 0), 2) for game in range(games)]
        return [f"  0000 - {'U' if line.bye else 'ZHF'[half]}" for half in halves]
    cells = []
    for game in range(1, games + 1):
        outcome = line.outcomes[game - 1] if game <= len(line.outcomes) else Outcome.NONE
        white = line.first == bool(game % 2)
        letter = _LETTERS[outcome][0 if line.first else 1]
        if outcome is Outcome.NONE:
            cells.append("          ")
        else:
            cells.append(f"  {line.opponent:4} {'w' if white else 'b'} {letter}")
    return cells
