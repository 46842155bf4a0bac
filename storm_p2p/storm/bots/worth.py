"""What things are worth to the computer player ``greedy``, in points; one Honor of many is about one point.

The numbers were found by play against itself and against ``random``; nothing but its strength depends on them.
"""

from math import exp, sqrt
from typing import Final

from storm_p2p.storm.units import CARDS, FIRST_LEADER, LEADERS, powers

WIN: Final = 300.0
"""The game."""
THREAT: Final = 200.0
"""A leader that will be in the Palace if nothing stops it; less than any win."""
_MOST: Final = 400
"""Beyond this the tables go on flat; no game comes near."""


def _honor_table() -> tuple[float, ...]:
    # The last points of Honor are the most dear.
    return (-WIN, *(points + 8.0 * (1.0 - exp(-points / 3.0)) for points in range(1, _MOST)))


def _energy_table() -> tuple[float, ...]:
    return tuple(2.4 * sqrt(stock) for stock in range(_MOST))


_HONOR: Final = _honor_table()
_ENERGY: Final = _energy_table()


def value_honor(points: int) -> float:
    """Return what a stock of Honor is worth; below 1 the game is lost."""
    return _HONOR[min(max(points, 0), _MOST - 1)]


def value_energy(stock: int) -> float:
    """Return what a stock of Energy is worth; the first points are the most useful."""
    return _ENERGY[min(stock, _MOST - 1)]


def _unit_table() -> tuple[float, ...]:
    talents = [0] * len(CARDS)
    for unit, _ in powers():
        talents[unit] += 1
    table = []
    for card in CARDS:
        points = 2.5 + 0.5 * card.strength + 0.4 * talents[card.unit]
        if 1 << card.unit & LEADERS:
            points += 6.0 if 1 << card.unit & FIRST_LEADER else 4.0
        if card.bolts == 1:
            points += 2.0
        table.append(points)
    return tuple(table)


UNIT: Final = _unit_table()
"""What each unit is worth by number, beside what its loss decides."""

SECRET: Final = 0.3
"""What it is worth that the enemy does not know a unit."""
SECRET_LEADER: Final = 1.5
"""The same for a leader."""


_SPREAD: Final = 3.5
_CHANCE: Final = tuple(1.0 / (1.0 + exp(-(difference - 60) / _SPREAD)) for difference in range(121))


def estimate_chance(difference: float) -> float:
    """Return about how likely a side prevails that is stronger by ``difference``."""
    return _CHANCE[min(max(int(difference) + 60, 0), 120)]
