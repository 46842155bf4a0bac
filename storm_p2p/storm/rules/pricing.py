"""What an action costs at once, and what it tells the opponent (docs/rules.md, "The engine")."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from storm_p2p.storm.rules.equivalence import Member
from storm_p2p.storm.rules.movement import Cost
from storm_p2p.storm.units import UNITS, Unit


@dataclass(frozen=True, slots=True)
class Price:
    """What an action costs at once, and what it tells."""

    honor: int
    """Change of the own Honor, with its sign."""
    energy: int
    """Change of the own stock."""
    reveals: tuple[Unit, ...] = ()
    """Own units that the opponent learns by it."""
    hides: tuple[Unit, ...] = ()
    """Own units that the opponent knew and can no longer place."""


def price_of(cost: Cost, members: tuple[Member, ...]) -> Price:
    """Return the price of what a group does whose tokens the mover knows as ``members``."""
    hides: tuple[Unit, ...] = ()
    if cost.divides:
        hides = tuple([UNITS[code >> 1] for code in members if code >= 0 and code & 1])
    reveals: tuple[Unit, ...] = ()
    if cost.shown:
        seen = [members[place] for place in cost.shown]
        reveals = tuple([UNITS[code >> 1] for code in seen if code >= 0 and not code & 1])
    return _share(cost.honor, cost.energy, reveals, hides)


@lru_cache(maxsize=1 << 10)
def _share(honor: int, energy: int, reveals: tuple[Unit, ...], hides: tuple[Unit, ...]) -> Price:
    """Return a price as one shared value: there are few different ones, and the lists hold very many of them."""
    return Price(honor, energy, reveals, hides)
