"""Everybody against everybody, by Berger's tables (FIDE Handbook C.05, annex 1)."""

from protocol.tournament.contents import Pairing


def berger_round(size: int, round: int, cycles: int = 1) -> tuple[Pairing, ...]:
    """Return the pairings of a round as printed, the first with seat 0; with an odd number somebody is free.

    With two cycles the sides are swapped in the second, and the last two rounds of the first change places, so that
    nobody has one side three times running.
    """
    even = size + size % 2
    rounds = max(even - 1, 0)
    cycle, index = divmod(round - 1, rounds)
    if cycles == 2 and cycle == 0 and rounds > 1 and index >= rounds - 2:
        index = 2 * rounds - 3 - index
    # In the table each player but the last one meets another one, and the sum of both numbers grows by the round.
    found: list[Pairing] = []
    for table in range(even // 2):
        if table == 0:
            # The last player alternates; the other one moves on by half a turn each round.
            other = (index * (even // 2)) % rounds + 1
            pair = Pairing(other, even) if index % 2 == 0 else Pairing(even, other)
        else:
            start = index * (even // 2)
            pair = Pairing((start + table) % rounds + 1, (start - table) % rounds + 1)
        found.append(Pairing(*reversed(pair)) if cycle else pair)
    return tuple(pair for pair in found if max(pair) <= size)


def berger_rounds(size: int, cycles: int = 1) -> int:
    """Return how many rounds it takes."""
    return (size + size % 2 - 1) * cycles if size > 1 else 0
