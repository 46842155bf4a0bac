"""Who meets whom in the next round, for every system."""

from collections.abc import Callable, Sequence
from typing import TypeAlias

from protocol.errors import ProtocolError
from protocol.tournament.berger import berger_round, berger_rounds
from protocol.tournament.brackets import bracket_of
from protocol.tournament.contents import ROUND_LIMIT, Pairing, System
from protocol.tournament.engine import pair_swiss
from protocol.tournament.lines import Field

Pair: TypeAlias = Callable[[Field], tuple[Pairing, ...]]
"""What pairs the next round: :func:`pair_round`, or something that remembers what it has found."""


class PairingError(ProtocolError):
    """There is no next round yet, or none any more.

    The codes are ``undecided`` (a game of an earlier round has no outcome), ``no_pairing``, ``finished`` and
    ``too_many_players``.
    """


def count_rounds(field: Field) -> int | None:
    """Return how many rounds an event has; None if that depends on how they end."""
    if field.event.system is System.SWISS:
        return len(field.event.deadlines)
    if field.event.system is System.ROUND_ROBIN:
        return berger_rounds(field.size, field.event.cycles)
    return None


def safe_rounds(players: int) -> int:
    """Return up to which round there are always enough players who have not met, if nobody leaves.

    Before round r everybody has at least n - r others to meet, with a bye counted as one of n; by Dirac's theorem a
    graph of n has a perfect matching if everybody has at least n / 2.  Colours are left out of it.
    """
    return (players + 1) // 2


def pair_round(field: Field) -> tuple[Pairing, ...]:
    """Return the pairings of the next round by table, those with a bye last.

    Raises:
        PairingError: there is none.
        EngineError: the program that pairs is missing or finds nothing.
    """
    event, rounds = field.event, count_rounds(field)
    if rounds is not None and field.round > rounds:
        raise PairingError("finished", f"at most {rounds} rounds", str(field.round))
    if (rounds or 0) > ROUND_LIMIT:
        raise PairingError("too_many_players", f"at most {ROUND_LIMIT} rounds", str(rounds))
    if event.system.eliminates:
        bracket = bracket_of(event, field.size, field.history, field.gone)
        if bracket.waits and all(meeting.decided for meetings in field.history for meeting in meetings):
            # Rulings have changed who goes on after the next round was made, and nobody can play that again.
            raise PairingError("no_pairing", "rounds that follow from the results", "others")
        if bracket.waits:
            raise PairingError("undecided", "a winner of every pairing", "one without")
        if not bracket.pairings:
            raise PairingError("finished", "players who are left", f"{bracket.winner} has won")
        return bracket.pairings
    if event.system is System.ROUND_ROBIN:
        # It does not depend on results, so it waits for none.
        absent = field.absent(field.round)
        found = berger_round(field.size, field.round, event.cycles)
        here = [pair for pair in found if not absent & set(pair)]
        left = sorted(number for pair in found if len(absent & set(pair)) == 1 for number in set(pair) - absent)
        return (*here, *(Pairing(number, 0) for number in left))
    if not all(meeting.decided for meetings in field.history for meeting in meetings):
        raise PairingError("undecided", "an outcome of every game", "one without")
    return pair_swiss(field)


def is_legal(field: Field, pairings: Sequence[Pairing]) -> bool:
    """Say whether pairings of a Swiss keep what every engine must.

    All play, and nobody whom they must not meet, twice the same opponent, or has a second bye.
    """
    met = {frozenset((one.first, one.second)) for meetings in field.history for one in meetings if one.played}
    met |= set(map(frozenset, field.forbidden))
    free = {one.first for meetings in field.history for one in meetings if not one.second}
    numbers = sorted(number for pair in pairings for number in pair if number)
    byes = [pair.first for pair in pairings if not pair.second]
    return (
        numbers == sorted(set(range(1, field.size + 1)) - field.absent(field.round))
        and not any(frozenset(pair) in met for pair in pairings)
        and len(byes) == len(numbers) % 2
        and not free & set(byes)
    )
